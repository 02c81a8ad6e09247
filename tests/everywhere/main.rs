//! The same jobs, reports and answers on every target.
#![allow(missing_docs)] // wasm-bindgen-test makes public items

mod generated;
mod matrix;
mod same_everywhere;
#[cfg(not(target_arch = "wasm32"))]
#[path = "../shared/mod.rs"]
mod shared;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test::wasm_bindgen_test_configure!(run_in_browser);
