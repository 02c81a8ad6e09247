//! How much a study, a file and a link may hold: every limit on what comes from outside, in one place.
//!
//! They are far above what anybody needs, and low enough that what keeps to them can be shown, stored and run.
//! [`Study::check`](super::Study::check) refuses what does not; [`Study::checked`](super::Study::checked) takes
//! repeats out of lists first.

use crate::metric::Metric;
use crate::workload::{LATEST, MOST_PROCESSORS, Seconds};
use std::ops::RangeInclusive;

/// Numbers of users, as multiples of the log's.
pub const USERS_RANGE: RangeInclusive<f64> = 0.1..=10.0;

/// Shrinking factors: each inter-arrival time is multiplied by it.
pub const SHRINK_RANGE: RangeInclusive<f64> = 0.05..=20.0;

/// Bounds k of bounded slowdowns, seconds. Above 0, for a job may run for no time at all.
pub const BOUND_RANGE: RangeInclusive<f64> = 0.1..=1_000_000.0;

/// Exponents a of PᵃSF.
pub const ALPHA_RANGE: RangeInclusive<f64> = 0.0..=10.0;

/// Priority weights p of jobs.
pub const WEIGHT_RANGE: RangeInclusive<f64> = 0.0..=1_000_000.0;

/// p of the l_p norm. Beyond 20 it differs from the largest response time by less than a chart shows.
pub const NORM_RANGE: RangeInclusive<f64> = 1.0..=20.0;

/// Machine sizes R, given by a person or by a log's header.
pub const PROCESSOR_RANGE: RangeInclusive<u32> = 1..=MOST_PROCESSORS;

/// Sizes of generated workloads, jobs.
pub const GENERATED_RANGE: RangeInclusive<u32> = 1..=1_000_000;

/// Machine sizes R of generated workloads.
pub const GENERATED_PROCESSORS: RangeInclusive<u32> = 1..=1_000_000;

/// Times of a filter, seconds of the log's clock.
pub const TIME_RANGE: RangeInclusive<Seconds> = -LATEST..=LATEST;

/// Most runs of one study, and most runs taken out of it: as many rows as a table can sensibly hold.
pub const MOST_RUNS: usize = 2_000;

/// On how many further workloads a study can be repeated: one alone says nothing of how sure one can be.
pub const REPEAT_RANGE: RangeInclusive<u32> = 2..=10_000;

/// Most runs of all repeats of a study together.
pub const MOST_REPEATED: usize = 1_000_000;

/// Most columns of a table: each metric once.
pub const MOST_COLUMNS: usize = Metric::ALL.len();

/// Most users, queues or partitions that a filter names, each; most groups that have weights.
pub const MOST_NAMED: usize = 10_000;

/// Longest name of a log, characters.
pub const LONGEST_NAME: usize = 255;

/// Most machines of one study: its own, and those on which something is otherwise.
pub const MOST_MACHINES: usize = 100;

/// Longest study file, bytes. A study of 2,000 runs has some hundred thousand.
pub const LARGEST_STUDY: usize = 10_000_000;

/// Largest file that describes a machine or a site, bytes: a calendar of 10⁶ changes has some 100 million.
pub const LARGEST_DESCRIPTION: u64 = 500_000_000;

/// Most jobs that a link can speak of: as many as a workload can number.
pub const MOST_JOBS: u64 = u32::MAX as u64;

/// Longest text of a link that is looked at, characters. 2,000 runs with all metrics are a quarter of it.
pub const LONGEST_LINK: usize = 2_000_000;

/// Most bytes that a link may become when it is inflated: little text can hide very much data.
pub const MOST_LINKED_BYTES: u64 = 2_000_000;

/// Most points of a curve out of a link.
pub const MOST_POINTS: usize = 10_000;

/// Studies that the page remembers.
pub const MOST_RECENT: usize = 20;

/// Longest text that the page remembers in the browser and reads again, bytes: the [`MOST_RECENT`] studies of 2,000 runs each
/// have some two million.
pub const LONGEST_REMEMBERED: usize = 4_000_000;

/// Longest session that the page shows again, bytes: it has one study.
pub const LONGEST_SESSION: usize = 1_000_000;

/// How much of a message about a text from outside is shown, characters: some list all ids that there are.
pub const LONGEST_MESSAGE: usize = 1_000;
