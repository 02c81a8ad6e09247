//! Links carry a study and its numbers exactly and stay short. A bad link is refused with a sentence.
#![cfg(not(target_arch = "wasm32"))]

#[path = "../shared/mod.rs"]
mod files;

mod carried;
mod noise;
mod refused;
mod room;
