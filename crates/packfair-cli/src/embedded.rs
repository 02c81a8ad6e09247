//! The commands for another front end in the same process, such as Python's: options as words, logs that are in memory,
//! results as values, and progress told to a [`Watch`].

pub mod options;
mod performed;

pub use super::watch::{Step, Watch};
pub use options::{OptionAbout, OptionKind, Refusal, options};
pub use packfair_base::front_end::{Keyword, in_keywords};
pub use performed::{Asked, Elsewhere, Kept, Performed, carry_out, perform};

use super::args::{Command, Generator};
use super::{Failure, convert as generating, hearing, load, summary as summing, when as forecasting};
use packfair_study::Treatment;
use packfair_workload::reading::Reader;
use packfair_workload::{ColumnMap, Log, reading};
use std::ffi::OsString;
use std::io::Cursor;
use std::path::PathBuf;

/// A value, and what was said on the way to it, a sentence each.
#[derive(Clone, Debug)]
pub struct Heard<T> {
    /// The value.
    pub value: T,
    /// What a command line would say on standard error.
    pub said: Vec<String>,
}

/// Does what a command does, hears what it says, and tells a refusal in words.
fn heard<T>(work: impl FnOnce() -> Result<T, Failure>) -> Result<Heard<T>, Refusal> {
    let (value, said) = hearing(work);
    Ok(Heard { value: value?, said })
}

/// Reads logs from files and folders as one log; the options are those of `packfair convert`.
///
/// # Errors
/// A file is no log, or an option is wrong.
pub fn read(paths: &[PathBuf], options: &[String]) -> Result<Heard<Log>, Refusal> {
    let Command::Convert(arguments) = options::of_command("convert", options)? else { return Err(Refusal::not_here()) };
    heard(|| load::logs(paths, arguments.limits.limits(), &arguments.columns.columns))
}

/// Reads a log from its bytes; the options are those of `packfair convert`.
///
/// # Errors
/// The bytes are no log, or an option is wrong.
pub fn read_bytes(name: &str, bytes: &[u8], options: &[String]) -> Result<Heard<Log>, Refusal> {
    let Command::Convert(arguments) = options::of_command("convert", options)? else { return Err(Refusal::not_here()) };
    let columns = ColumnMap { columns: arguments.columns.columns.clone() };
    let reader = Reader::mapped(name, arguments.limits.limits(), columns);
    let content = reading::read_watched(reader, Cursor::new(bytes), |_, _| Ok(()));
    let log = content
        .map(|content| content.log)
        .map_err(|error| Refusal::Input(format!("{name}: {}", load::with_remedy(&error))))?;
    Ok(Heard { value: log, said: Vec::new() })
}

/// Generates a log: `lublin`, or like another log; the options are those of `packfair generate`.
///
/// # Errors
/// An option is wrong, or the log cannot be copied.
pub fn generate(like: Option<&Log>, options: &[String]) -> Result<Heard<Log>, Refusal> {
    let generator = if like.is_some() { "like" } else { "lublin" };
    let words: Vec<String> = std::iter::once(generator.to_owned()).chain(options.iter().cloned()).collect();
    match (options::of_command("generate", &words)?, like) {
        (Command::Generate(arguments), Some(log)) => match arguments.generator {
            Generator::Like(arguments) => heard(|| generating::like(&arguments, log)),
            Generator::Lublin { .. } => Err(Refusal::not_here()),
        },
        (Command::Generate(arguments), None) => heard(|| generating::log_of(&arguments.generator)),
        _ => Err(Refusal::not_here()),
    }
}

/// The summary of a log; the options are those of `packfair summary`.
///
/// # Errors
/// An option is wrong, or no job is left.
pub fn summary(log: &Log, options: &[String]) -> Result<String, Refusal> {
    let Command::Summary(arguments) = options::of_command("summary", options)? else { return Err(Refusal::not_here()) };
    Ok(heard(|| summing::of_log(&arguments, log))?.value)
}

/// The treatment of a log before anything is computed; the options are those of `packfair summary`.
///
/// # Errors
/// An option is wrong.
pub fn treatment(log: &Log, options: &[String]) -> Result<Treatment, Refusal> {
    let Command::Summary(arguments) = options::of_command("summary", options)? else { return Err(Refusal::not_here()) };
    Ok(heard(|| arguments.settings.treatment(log))?.value)
}

/// Everything that has an id, as `packfair list` prints it.
pub fn catalogues() -> String {
    super::catalogues::text()
}

/// Carries out a command line, the name of the program first, as the program does. Returns its exit code.
pub fn command_line(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    super::carried_out(arguments)
}

/// Forecasts when the jobs of a moment start, as JSON; the options are those of `packfair when`.
///
/// # Errors
/// An option is wrong, the log does not tell what is asked, or the watch has stopped it.
pub fn when(log: Log, options: &[String], watch: &dyn Watch) -> Result<Heard<String>, Refusal> {
    let options: Vec<String> = options.iter().cloned().chain(["--format=json".to_owned()]).collect();
    let Command::When(arguments) = options::of_command("when", &options)? else { return Err(Refusal::not_here()) };
    heard(|| forecasting::of_log(&arguments, log, watch))
}
