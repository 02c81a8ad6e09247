//! What is done to a log before its jobs are simulated.

use crate::cli::Failure;
use crate::study::Treatment;
use crate::workload::{Cleaning, Clock, InitialJobs, Log, MOST_PROCESSORS, Seconds, Since, Unit, read_moment};
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
    /// What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take whole ones]
    #[arg(long, value_name = "UNIT")]
    unit: Option<Unit>,
    /// Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually submit]
    #[arg(long, value_name = "WHEN")]
    since: Option<Since>,
    /// What becomes of jobs from before the log's first moment, or before --from: held (who runs then holds its processors
    /// until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of accounting that
    /// begins with jobs under way]
    #[arg(long, value_name = "WHICH")]
    initial: Option<InitialJobs>,
    /// Only jobs of these users, by number or by name: 3,17 or ann,bob
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    users: Vec<String>,
    /// Only jobs of these queues
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    queues: Vec<String>,
    /// Only jobs of these partitions, as one machine
    #[arg(long, value_name = "LIST", value_delimiter = ',', allow_negative_numbers = true)]
    partitions: Vec<String>,
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
        for (what, given, names, place) in [
            ("user", &self.users, &log.names.users, &mut filter.users),
            ("queue", &self.queues, &log.names.queues, &mut filter.queues),
            ("partition", &self.partitions, &log.names.partitions, &mut filter.partitions),
        ] {
            if !given.is_empty() {
                *place = given.iter().map(|name| number(what, name, names)).collect::<Result<_, _>>()?;
            }
        }
        treatment.unit = self.unit.or(treatment.unit);
        treatment.since = self.since.unwrap_or(treatment.since);
        treatment.initial = self.initial.or(treatment.initial);
        match treatment.unit {
            Some(unit) if !unit.is_known(log) => {
                Err(Failure::Input(format!("--unit {unit}: the log does not say how many {unit} a job took")))
            }
            _ => Ok(()),
        }
    }
}

/// The number that stands for a name of the log; a number stands for itself where the log has no names.
fn number(what: &str, name: &str, names: &[String]) -> Result<i32, Failure> {
    let named = names.iter().position(|other| other == name).and_then(|at| i32::try_from(at + 1).ok());
    let missing = || match names {
        [] => format!("--{what}s {name}: the log has numbers, and this is none"),
        _ => format!("--{what}s {name}: the log has no such {what}"),
    };
    named.or_else(|| name.parse().ok()).ok_or_else(|| Failure::Input(missing()))
}

/// The clock of a log over all its submissions.
fn clock_of(log: &Log) -> Clock {
    let submits = || log.records.iter().map(|record| record.submit);
    Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0))
}

fn moment(option: &str, text: &str, clock: &Clock) -> Result<Seconds, Failure> {
    read_moment(Some(clock), text).map_err(|right| Failure::Input(format!("{option} {text}: it takes {right}")))
}
