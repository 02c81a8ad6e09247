//! The command line: the same engine, for batch use, tests and benchmarks. Native only.

mod args;
mod asked;
mod catalogues;
mod charted;
mod convert;
mod explore;
mod generate;
mod grouped;
mod guarded;
mod lint;
mod load;
mod machine;
mod peak;
mod pool;
mod progress;
mod repeating;
mod results;
mod run;
mod spread;
mod starts;
mod summary;
mod trying;
mod what_if;

use crate::study::CannotRun;
use crate::workload::printable;
use args::{Arguments, Command};
use clap::Parser;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// Bad input: as clap's own.
const BAD_INPUT: u8 = 2;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// What was given cannot be used; the message says why.
    #[error("{0}")]
    Input(String),
    /// A file could not be written; the message names it.
    #[error("{0}")]
    File(String),
    /// Standard output could not be written.
    #[error("standard output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// Some runs of a study that is spread have no result.
    #[error("{missing} of {runs} runs are missing or have failed")]
    Missing {
        /// How many.
        missing: usize,
        /// Of how many.
        runs: usize,
    },
    /// Some runs ended by a mistake of Packfair's own; the results of the others are there.
    #[error("{failed} of {runs} runs failed, as told above")]
    Failed {
        /// How many.
        failed: usize,
        /// Of how many.
        runs: usize,
    },
    /// A site's files are not as they should be.
    #[error("{wrong} things are wrong, as told above")]
    Lint {
        /// How many.
        wrong: usize,
    },
    /// A check found something.
    #[error("{wrong} of {runs} schedules are wrong, as told above")]
    Wrong {
        /// How many.
        wrong: usize,
        /// Of how many.
        runs: usize,
    },
}

impl From<CannotRun> for Failure {
    fn from(error: CannotRun) -> Self {
        Failure::input(error)
    }
}

impl Failure {
    /// What was given cannot be used.
    fn input(message: impl ToString) -> Self {
        Failure::Input(message.to_string())
    }

    /// A file, or a folder, could not be written.
    fn file(path: &Path, error: &io::Error) -> Self {
        Failure::File(format!("{} cannot be written: {error}", path.display()))
    }
}

/// Reads the arguments of the process, does what they say, and gives the exit code: 0, 2 for bad
/// input, 1 where the result could not be written or a check found something.
pub fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(said) => return said_by_clap(&said),
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Study(arguments) => run::study(&arguments),
        Command::Collect(arguments) => spread::collect(&arguments),
        Command::Summary(arguments) => summary::summary(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Lint(arguments) => lint::lint(&arguments),
        Command::List => catalogues::list(),
        Command::Explore(arguments) => explore::explore(&arguments),
    };
    end(outcome)
}

/// Help, the version, or what is wrong with the arguments.
fn said_by_clap(said: &clap::Error) -> ExitCode {
    if !said.use_stderr() && !io::stdout().is_terminal() {
        // clap passes over what cannot be written
        return end(print(&said.render().to_string()));
    }
    let text = said.render().to_string();
    if text.lines().all(|line| printable(line) == line) {
        // with its colours
        said.exit()
    }
    say(text.trim_end());
    ExitCode::from(BAD_INPUT)
}

/// The exit code, once it is said what went wrong.
fn end(outcome: Result<(), Failure>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        // whoever read the output has seen enough
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(failure) => {
            complain(&failure.to_string());
            ExitCode::from(if matches!(failure, Failure::Input(_)) { BAD_INPUT } else { 1 })
        }
    }
}

/// Writes to standard output.
fn print(text: &str) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    out.flush()?;
    Ok(())
}

/// Says something on standard error; where that is closed, nobody listens. What a file's name, say, would have a
/// terminal do is taken out.
fn say(text: &str) {
    let lines: Vec<String> = text.lines().map(printable).collect();
    let _ = writeln!(io::stderr(), "{}", lines.join("\n"));
}

fn complain(text: &str) {
    say(&format!("packfair: {text}"));
}
