//! The Web Worker that reads logs and runs simulations. The page starts as many as there are processors.

#[cfg(target_arch = "wasm32")]
fn main() {
    packfair::worker::start();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is a part of the page, which runs in a browser: `scripts/serve` builds and serves it.");
    std::process::exit(2);
}
