//! `packfair generate`.

use super::args::{GenerateArguments, Generator, LikeArguments};
use super::load::source_of;
use super::{Failure, load};
use crate::study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use crate::study::{Study, Treatment};
use crate::workload::like::{Arrivals, Likeness};
use crate::workload::reading::Limits;
use crate::workload::{Log, lublin, write_swf};
use std::io::{self, Write};

/// Generates a workload and writes it as SWF to standard output.
pub(super) fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let log = match &arguments.generator {
        &Generator::Lublin { jobs, procs, seed } => {
            within("--jobs", jobs, GENERATED_RANGE)?;
            within("--procs", procs, GENERATED_PROCESSORS)?;
            lublin(jobs, procs, seed)
        }
        Generator::Like(arguments) => generate_like(arguments)?,
    };
    let workload = Treatment::default().apply(&log).map_err(Failure::input)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_swf(&mut out, &log, &workload, None)?;
    out.flush()?;
    Ok(())
}

fn generate_like(arguments: &LikeArguments) -> Result<Log, Failure> {
    let log = load::log(&arguments.trace, Limits::default())?;
    let mut study = Study::on(source_of(&log));
    study.treatment.like = Some(Likeness { jobs: 1, seed: 1, arrivals: Arrivals::default() });
    arguments.settings.set(&mut study, &log)?;
    let made = study.treatment.like.take();
    let workload = study.treatment.apply(&log).map_err(Failure::input)?;
    // the likeness was set before the settings, and no setting removes it
    made.map_or_else(|| Ok(log), |likeness| likeness.log(&workload).map_err(Failure::input))
}

fn within(option: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Failure> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Failure::Input(format!("{option} {value}: it takes a number from {} to {}", range.start(), range.end())))
}
