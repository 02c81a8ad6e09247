//! What is done to a log before its jobs are simulated.

use crate::cli::Failure;
use crate::study::Treatment;
use crate::workload::{Cleaning, Clock, Log, MOST_PROCESSORS, Seconds, read_moment};
use clap::Args;

/// What is done to a log; what is not given stays as it is.
#[derive(Debug, Args)]
pub(in crate::cli) struct TreatmentArguments {
    /// Cleaning profile: metrics, fairness, raw [usually metrics]
    #[arg(long, value_name = "PROFILE")]
    clean: Option<Cleaning>,
    /// Processors of the machine, where the log does not say or should not be believed
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(MOST_PROCESSORS)))]
    procs: Option<u32>,
    /// Only jobs submitted at this time or later: a date (2026-01-31, "2026-01-31 14:30") on the clock of the log's
    /// place, or seconds from the log's beginning
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    from: Option<String>,
    /// Only jobs submitted before this time, given likewise
    #[arg(long, value_name = "TIME", allow_negative_numbers = true)]
    until: Option<String>,
    /// Only jobs of these users, by their numbers: 3,17
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    users: Vec<i32>,
    /// Only jobs of these queues
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    queues: Vec<i32>,
    /// Only jobs of these partitions
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    partitions: Vec<i32>,
}

impl TreatmentArguments {
    /// What is done to `log`.
    ///
    /// # Errors
    /// A time that cannot be read.
    pub(in crate::cli) fn treatment(&self, log: &Log) -> Result<Treatment, Failure> {
        let mut treatment = Treatment::default();
        self.set(&mut treatment, log)?;
        Ok(treatment)
    }

    /// Sets what is given.
    ///
    /// # Errors
    /// A time that cannot be read.
    pub(in crate::cli) fn set(&self, treatment: &mut Treatment, log: &Log) -> Result<(), Failure> {
        treatment.cleaning = self.clean.unwrap_or(treatment.cleaning);
        treatment.processors = self.procs.or(treatment.processors);
        let filter = &mut treatment.filter;
        let clock = clock_of(log);
        for (option, text, place) in
            [("--from", &self.from, &mut filter.from), ("--until", &self.until, &mut filter.until)]
        {
            if let Some(text) = text {
                *place = Some(moment(option, text, &clock)?);
            }
        }
        for (given, place) in [
            (&self.users, &mut filter.users),
            (&self.queues, &mut filter.queues),
            (&self.partitions, &mut filter.partitions),
        ] {
            if !given.is_empty() {
                place.clone_from(given);
            }
        }
        Ok(())
    }
}

/// The clock of a log over all its submissions.
fn clock_of(log: &Log) -> Clock {
    let submits = || log.records.iter().map(|record| record.submit);
    Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0))
}

fn moment(option: &str, text: &str, clock: &Clock) -> Result<Seconds, Failure> {
    read_moment(Some(clock), text).map_err(|right| Failure::Input(format!("{option} {text}: it takes {right}")))
}
