//! `packfair convert`.

use super::args::{ConvertArguments, GenerateArguments, Generator, LikeArguments};
use super::load::source_of;
use super::{Failure, load, say};
use packfair_study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use packfair_study::{Study, Treatment};
use packfair_workload::like::{Arrivals, Likeness};
use packfair_workload::reading::Limits;
use packfair_workload::{Log, anonymise, lublin, write_log, write_swf};
use std::io::{self, Write};

/// The length of a new key, bytes.
const KEY: usize = 16;

/// Writes logs of any format as one SWF log to standard output, and reports on standard error what was lost.
pub(super) fn convert(arguments: &ConvertArguments) -> Result<(), Failure> {
    let mut log = load::logs(&arguments.traces, arguments.limits.limits(), &arguments.columns.columns)?;
    tell(&log);
    if let Some(key) = &arguments.anonymise {
        let key = if key.is_empty() { new_key()? } else { key.clone() };
        log = anonymise(&log, key.as_bytes());
    }
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_log(&mut out, &log)?;
    out.flush()?;
    Ok(())
}

fn tell(log: &Log) {
    say(&format!("packfair: {} jobs of {}", log.jobs(), log.name));
    log.account.entries().iter().for_each(|entry| say(&format!("packfair: {entry}")));
}

/// A new random key, which is shown so that the user can use it again.
fn new_key() -> Result<String, Failure> {
    let mut bytes = [0; KEY];
    getrandom::fill(&mut bytes).map_err(|error| {
        Failure::Input(format!(
            "the system gives no random numbers for a new key: {error}; give a key, as --anonymise=KEY"
        ))
    })?;
    let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    say(&format!("packfair: the same numbers in another log need the same key: --anonymise={key}"));
    Ok(key)
}

// `packfair generate`.

/// Generates a workload and writes it as SWF to standard output.
pub(super) fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let log = log_of(&arguments.generator)?;
    let workload = Treatment::default().apply(&log).map_err(Failure::input)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_swf(&mut out, &log, &workload, None)?;
    out.flush()?;
    Ok(())
}

/// The log that the generator makes.
pub(super) fn log_of(generator: &Generator) -> Result<Log, Failure> {
    match generator {
        &Generator::Lublin { jobs, procs, seed } => {
            within("--jobs", jobs, GENERATED_RANGE)?;
            within("--procs", procs, GENERATED_PROCESSORS)?;
            Ok(lublin(jobs, procs, seed))
        }
        Generator::Like(arguments) => like(arguments, &load::log(&arguments.trace, Limits::default())?),
    }
}

/// Generates a log that is like another.
pub(super) fn like(arguments: &LikeArguments, log: &Log) -> Result<Log, Failure> {
    let mut study = Study::on(source_of(log));
    study.treatment.like = Some(Likeness { jobs: 1, seed: 1, arrivals: Arrivals::default() });
    arguments.settings.set(&mut study, log)?;
    let made = study.treatment.like.take();
    let workload = study.treatment.apply(log).map_err(Failure::input)?;
    // the likeness was set before the settings, and no setting removes it
    made.map_or_else(|| Ok(log.clone()), |likeness| likeness.log(&workload).map_err(Failure::input))
}

fn within(option: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Failure> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Failure::Input(format!("{option} {value}: it takes a number from {} to {}", range.start(), range.end())))
}
