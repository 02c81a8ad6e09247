//! `packfair generate`.

use super::args::{GenerateArguments, Generator, LikeArguments};
use super::{Failure, load};
use crate::study::Treatment;
use crate::study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use crate::workload::like::{Arrivals, Likeness};
use crate::workload::reading::Limits;
use crate::workload::{Log, lublin, write_swf};
use std::io::{self, Write};

/// Makes a workload, as SWF on standard output.
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

/// Makes a log that is like another.
fn generate_like(arguments: &LikeArguments) -> Result<Log, Failure> {
    within("--jobs", arguments.jobs, GENERATED_RANGE)?;
    let log = load::log(&arguments.trace, Limits::default())?;
    let workload = arguments.treatment.treatment(&log)?.apply(&log).map_err(Failure::input)?;
    let arrivals = Arrivals { alpha: arguments.alpha, beta: arguments.beta, p0: arguments.p0 };
    Likeness { jobs: arguments.jobs, seed: arguments.seed, arrivals }.log(&workload).map_err(Failure::input)
}

fn within(option: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Failure> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Failure::Input(format!("{option} {value}: it takes a number from {} to {}", range.start(), range.end())))
}
