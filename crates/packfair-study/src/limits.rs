//! How much a study, a file and a link may hold: every limit on what comes from outside, in one place.
//!
//! They are far above what anybody needs, and low enough that everything within them can be shown, stored and run.
//! [`Study::check`](super::Study::check) refuses what exceeds them; [`Study::checked`](super::Study::checked) takes
//! repeats out of lists first.

use packfair_engine::metric::Metric;
use packfair_workload::{LATEST, MOST_PROCESSORS, Seconds};
use std::ops::RangeInclusive;

/// Numbers of users, as multiples of the log's number.
pub const USERS_RANGE: RangeInclusive<f64> = 0.1..=10.0;

/// Shrinking factors, by which each inter-arrival time is multiplied.
pub const SHRINK_RANGE: RangeInclusive<f64> = 0.05..=20.0;

/// Bounds k of bounded slowdowns, seconds. They are above 0, because a job may run for no time at all.
pub const BOUND_RANGE: RangeInclusive<f64> = 0.1..=1_000_000.0;

/// Exponents a of PᵃSF.
pub const ALPHA_RANGE: RangeInclusive<f64> = 0.0..=10.0;

/// Priority weights p of jobs.
pub const WEIGHT_RANGE: RangeInclusive<f64> = 0.0..=1_000_000.0;

/// p of the l_p norm. Above 20 the norm differs from the largest response time by less than a chart shows.
pub const NORM_RANGE: RangeInclusive<f64> = 1.0..=20.0;

/// Machine sizes R, given by a person or by a log's header.
pub const PROCESSOR_RANGE: RangeInclusive<u32> = 1..=MOST_PROCESSORS;

/// Sizes of generated workloads, jobs.
pub const GENERATED_RANGE: RangeInclusive<u32> = 1..=1_000_000;

/// Machine sizes R of generated workloads.
pub const GENERATED_PROCESSORS: RangeInclusive<u32> = 1..=1_000_000;

/// How long before its begin a reservation may be announced, seconds: up to ten years.
pub const ANNOUNCED_RANGE: RangeInclusive<u64> = 0..=10 * 365 * 86_400;

/// Times in a filter, seconds of the log's clock.
pub const TIME_RANGE: RangeInclusive<Seconds> = -LATEST..=LATEST;

/// Most runs of one study, and most runs taken out of it: as many rows as a table can sensibly hold.
pub const MOST_RUNS: usize = 2_000;

/// Numbers of further workloads on which a study is repeated. One alone would not show any spread.
pub const REPEAT_RANGE: RangeInclusive<u32> = 2..=10_000;

/// Most runs of a study, all repeats counted together.
pub const MOST_REPEATED: usize = 1_000_000;

/// Most columns of a table: each metric appears once.
pub const MOST_COLUMNS: usize = Metric::ALL.len();

/// Most users, most queues and most partitions that a filter names; most groups that have weights.
pub const MOST_NAMED: usize = 10_000;

/// Longest name of a log, characters.
pub const LONGEST_NAME: usize = 255;

/// Most machines of one study: its own, and those with a what-if.
pub const MOST_MACHINES: usize = 100;

/// Longest study file, bytes. A study of 2,000 runs takes some hundred thousand.
pub const LARGEST_STUDY: usize = 10_000_000;

/// Largest file that describes a machine or a site, bytes. A calendar of 10⁶ changes takes some 100 million.
pub const LARGEST_DESCRIPTION: u64 = 500_000_000;

/// The largest table of prices or carbon intensities, bytes.
pub const LARGEST_SERIES: u64 = 20_000_000;

/// Most jobs that a link can report: as many as a workload can number.
pub const MOST_JOBS: u64 = u32::MAX as u64;

/// Longest link text that is read, characters. 2,000 runs with all metrics take a quarter of it.
pub const LONGEST_LINK: usize = 2_000_000;

/// Most bytes into which a link may be inflated: a short text can hold very much data.
pub const MOST_LINKED_BYTES: u64 = 2_000_000;

/// Most points of a curve in a link.
pub const MOST_POINTS: usize = 10_000;

/// Most studies that the page remembers.
pub const MOST_RECENT: usize = 20;

/// Longest text that the page stores in the browser and reads again, bytes. The [`MOST_RECENT`] studies of 2,000 runs
/// each take some two million.
pub const LONGEST_REMEMBERED: usize = 4_000_000;

/// Longest session that the page restores, bytes. A session has one study.
pub const LONGEST_SESSION: usize = 1_000_000;

/// How much of a message about a text from outside is shown, characters: some messages list all ids that exist.
pub const LONGEST_MESSAGE: usize = 1_000;
