//! What the page can do: the methods of [`App`], by theme.

mod arrivals;
mod cost;
mod fair;
mod gather;
mod logs;
mod notices;
mod places;
mod questions;
mod resume;
mod runs;
mod session;
mod shared;
mod study;
mod workers;

use super::engine::Engine;
use super::state::App;
use crate::app::prelude::*;

impl App {
    /// Does something with the engine. Not to be nested.
    fn with_engine<T>(self, act: impl FnOnce(&mut Engine) -> T) -> T {
        // it is made with the page and never disposed of
        self.engine.try_update_value(act).expect("the engine lives as long as the page")
    }
}

pub use shared::Link;

/// Milliseconds of the page's clock.
fn now() -> f64 {
    web_sys::window().and_then(|window| window.performance()).map_or(0.0, |clock| clock.now())
}
