//! The engine on a command line: `packfair help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    packfair::cli::main()
}

// Cargo builds all programs of the package for every target
#[cfg(target_arch = "wasm32")]
fn main() {}
