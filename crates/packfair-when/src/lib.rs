//! When jobs start that wait now: forecasts from the queue as it is, with bands that hold (docs/when.md).
//!
//! A moment of a [`Past`] shows who runs and who waits. [`Futures`] draw what nobody knows then (how long jobs run, who
//! comes) and simulate each draw with the scheduler that is asked. A [`BackTest`] holds forecasts against what came, and
//! calibrates those of today.

#![warn(missing_docs)]

mod back_test;
mod band;
mod course;
mod forecast;
mod futures;
mod help;
mod past;
mod question;
mod scene;
mod stage;
mod telling;
#[cfg(test)]
mod tests;

pub use back_test::{BackTest, Trial, TriedMoments, known, trials};
pub use band::{Band, Calibration, Later, Scale, cut, without_later};
pub use course::{DrawnFuture, MachineCourse, SERVED, Served};
pub use forecast::{Before, Forecast, before, fan, forecasts, impossible};
pub use futures::{Ensemble, Futures, GoesOn};
pub use help::{Help, changed, changes, help};
pub use past::{Arrivals, History, Known, Laws, Past};
pub use question::{CannotForecast, FUTURES, HORIZON, Question, WhenLink};
pub use scene::{Scene, StartSource, as_queued, clock_of, past_of, simulated_starts, workload_at};
pub use stage::{Change, without_run_times};
pub use telling::{
    CALIBRATING_FUTURES, ForecastWatch, JobTold, QueueForecast, WEEKS, WhenAsked, WhenTold, Whence, calibrating,
};
