//! The engine on a command line: `packfair help`.

#[cfg(not(target_arch = "wasm32"))]
fn main() -> std::process::ExitCode {
    packfair::cli::main()
}

// a package builds all its programs for every target
#[cfg(target_arch = "wasm32")]
fn main() {}
