//! What the page can do: the methods of [`App`], by theme.

mod arrivals;
mod asked;
mod logs;
mod orders;
mod runs;
mod session;
mod shared;
mod showing;
mod study;

pub use asked::{LARGEST_BESIDE, head, text};
pub use shared::ShareLink;

/// The time of the page's clock, milliseconds.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}
