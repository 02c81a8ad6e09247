//! When jobs start that wait now: forecasts from the queue as it is, with bands that hold (docs/when.md).
//!
//! A moment of a [`Past`] shows who runs and who waits. [`Futures`] draw what nobody knows then (how long jobs run, who
//! comes) and simulate each draw with the scheduler that is asked. A [`BackTest`] holds forecasts against what came, and
//! calibrates those of today.

mod back_test;
mod band;
mod change;
mod coming;
mod cut;
mod forecast;
mod futures;
mod help;
mod history;
mod limits;
mod moments;
mod past;
mod question;
mod similar;
mod stage;
#[cfg(test)]
mod tests;

pub use back_test::{BackTest, Trial, TriedMoments, known, trials};
pub use band::{Band, Calibration, Scale};
pub use change::Change;
pub use coming::Arrivals;
pub use cut::{Later, cut, without_later};
pub use forecast::{Before, Forecast, before, forecasts, impossible};
pub use futures::{Ensemble, Futures};
pub use help::{Help, changed, changes, help};
pub use history::{History, Laws};
pub use limits::without_run_times;
pub use past::{Known, Past};
pub use question::{CannotForecast, FUTURES, HORIZON, Question};
