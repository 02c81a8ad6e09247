//! When jobs start that wait now: forecasts from the queue as it is, with bands that hold (docs/when.md).
//!
//! A moment of a [`Past`] shows who runs and who waits. [`Futures`] draw what nobody knows then (how long jobs run, who
//! comes) and simulate each draw with the scheduler that is asked. A [`BackTest`] holds forecasts against what came, and
//! calibrates those of today.

#![warn(missing_docs)]

mod back_test;
mod band;
mod change;
mod coming;
mod course;
mod cut;
mod forecast;
mod futures;
mod help;
mod history;
mod limits;
mod link;
mod moments;
mod past;
mod question;
mod scene;
mod served;
mod similar;
mod stage;
mod telling;
#[cfg(test)]
mod tests;

pub use back_test::{BackTest, Trial, TriedMoments, known, trials};
pub use band::{Band, Calibration, Scale};
pub use change::Change;
pub use coming::Arrivals;
pub use course::MachineCourse;
pub use cut::{Later, cut, without_later};
pub use forecast::{Before, Forecast, before, fan, forecasts, impossible};
pub use futures::{Ensemble, Futures, GoesOn};
pub use help::{Help, changed, changes, help};
pub use history::{History, Laws};
pub use limits::without_run_times;
pub use link::WhenLink;
pub use past::{Known, Past};
pub use question::{CannotForecast, FUTURES, HORIZON, Question};
pub use scene::{Scene, StartSource, as_queued, clock_of, past_of, simulated_starts, workload_at};
pub use served::{DrawnFuture, SERVED, Served};
pub use telling::{
    CALIBRATING_FUTURES, ForecastWatch, JobTold, QueueForecast, WEEKS, WhenAsked, WhenTold, Whence, calibrating,
};
