//! `packfair convert`.

use super::args::ConvertArguments;
use super::{Failure, load, say};
use crate::workload::{Log, anonymise, write_log};
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
