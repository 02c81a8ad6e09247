//! `packfair generate`.

use super::Failure;
use super::args::{GenerateArguments, Generator};
use crate::study::check::{GENERATED_PROCESSORS, GENERATED_RANGE};
use crate::study::{Generated, Treatment};
use crate::workload::write_swf;
use std::io::{self, Write};

/// Makes a workload, as SWF on standard output.
pub(super) fn generate(arguments: &GenerateArguments) -> Result<(), Failure> {
    let Generator::Lublin { jobs, procs, seed } = arguments.generator;
    within("--jobs", jobs, GENERATED_RANGE)?;
    within("--procs", procs, GENERATED_PROCESSORS)?;
    let log = Generated::Lublin { jobs, processors: procs, seed }.generate();
    let workload = Treatment::default().apply(&log).map_err(Failure::input)?;
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_swf(&mut out, &log, &workload, None)?;
    out.flush()?;
    Ok(())
}

fn within(option: &str, value: u32, range: std::ops::RangeInclusive<u32>) -> Result<(), Failure> {
    if range.contains(&value) {
        return Ok(());
    }
    Err(Failure::Input(format!("{option} {value}: it takes a number from {} to {}", range.start(), range.end())))
}
