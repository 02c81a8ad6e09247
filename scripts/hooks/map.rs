//! Has the linker write a map of the page's modules, beside them: `scripts/split` parts their constants by it.

use std::env;
use std::path::PathBuf;

fn main() {
    println!("cargo:rerun-if-changed=scripts/hooks/map.rs");
    let Some(out) = env::var_os("OUT_DIR").map(PathBuf::from) else { return };
    // the folder of a profile has its programs, and `build/NAME/out`
    let Some(folder) = out.ancestors().nth(3) else { return };
    if env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "wasm32") {
        for program in ["app", "worker"] {
            println!(
                "cargo:rustc-link-arg-bin={program}=-Map={}",
                folder.join(program).with_extension("map").display()
            );
        }
    }
}
