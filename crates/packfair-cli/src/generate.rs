//! `packfair generate`.

use super::args::{GenerateArguments, Generator, LikeArguments};
use super::load::source_of;
use super::{Failure, load};
use packfair_study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use packfair_study::{Study, Treatment};
use packfair_workload::like::{Arrivals, Likeness};
use packfair_workload::reading::Limits;
use packfair_workload::{Log, lublin, write_swf};
use std::io;
use std::io::Write;

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
