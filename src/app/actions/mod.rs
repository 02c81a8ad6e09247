//! What the page can do: the methods of [`App`], by theme.

mod arrivals;
mod asked;
mod logs;
mod notices;
mod orders;
mod pace;
mod partitions;
mod places;
mod questions;
mod queues;
mod repeats;
mod resume;
mod runs;
mod scripts;
mod searching;
mod session;
mod several_logs;
mod shared;
mod showing;
mod study;
mod trials;

pub use asked::{LARGEST_BESIDE, head, text};
pub use shared::ShareLink;

/// The time of the page's clock, milliseconds.
pub fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}
