//! Reading, cleaning and generating workloads, from outside.
#![cfg(not(target_arch = "wasm32"))]

mod data_sets;
mod doors;
mod dumps;
mod encodings;
mod habits;
mod initial;
mod injected;
mod law;
mod like;
mod packed;
mod parquet;
#[path = "../random/mod.rs"]
mod random;
mod reader;
#[path = "../shared/mod.rs"]
mod shared;
mod still_running;
mod tables;
mod ties;
mod units;
