//! Tests of the built page in a real browser, which is driven from outside as by a user.
//!
//! Each scenario has a static host of its own over `dist/`, a driver of its own, and a fresh profile for every page it
//! opens. At the end of a scenario no page may have written an error to its console. `scripts/test build browser`
//! builds the page and runs these tests in Chromium, `scripts/test build firefox` runs some of them in Firefox.

#![cfg(not(target_arch = "wasm32"))]

mod driver;
mod line;
mod logs;
mod native;
mod page;
mod site;
mod stage;

mod answers;
mod apart;
mod arrivals;
mod asked;
mod bad_files;
mod cells;
mod cluster;
mod comparison;
mod console;
mod dynp;
mod estimates;
mod explore;
mod fairness;
mod first_screen;
mod first_value;
mod first_visit;
mod honest;
mod hosting;
mod late;
mod learn;
mod limits;
mod links;
mod main_path;
mod picture;
mod places;
mod print;
mod reach;
mod repeats;
mod reproduction;
mod rows;
mod scripts;
mod sharing;
mod slurm;
mod soak;
mod steadiness;
mod table;
mod unstored;
mod users;
mod waits;
mod when;
mod workers;
