//! Tests the program `packfair` as users or scripts call it.
#![cfg(not(target_arch = "wasm32"))]

mod catalogues;
mod charted;
mod explore;
mod external;
#[path = "../shared/mod.rs"]
mod files;
mod formats;
mod generating;
mod logs;
mod machine;
mod outside;
mod power;
mod program;
mod recipes;
mod refusals;
mod repeats;
mod results;
#[cfg(unix)]
mod scarce;
mod schedules;
mod site;
mod spread;
mod treatment;
#[cfg(unix)]
mod unix;
mod when;
