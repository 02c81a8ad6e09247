//! Has the linker keep relocations in the page's modules: `scripts/split` parts their constants by them.

use std::env;

fn main() {
    println!("cargo:rerun-if-changed=scripts/hooks/relocations.rs");
    let is = |variable: &str, value: &str| env::var(variable).is_ok_and(|is| is == value);
    if is("CARGO_CFG_TARGET_ARCH", "wasm32") && is("PROFILE", "release") {
        for program in ["app", "worker"] {
            println!("cargo:rustc-link-arg-bin={program}=--emit-relocs");
        }
    }
}
