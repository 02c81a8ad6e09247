//! The command line: the same engine, for batch use, tests and benchmarks. Native only.

mod args;
mod catalogues;
mod generate;
mod load;
mod peak;
mod pool;
mod results;
mod run;
mod summary;

use crate::study::NoLoggedStarts;
use args::{Arguments, Command};
use clap::Parser;
use std::io::{self, Write};
use std::process::ExitCode;

/// Bad input: as clap's own.
const BAD_INPUT: u8 = 2;

/// Why a command ends early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    /// What was given cannot be used; the message says why.
    #[error("{0}")]
    Input(String),
    /// Something could not be written.
    #[error("{0}")]
    Output(#[from] io::Error),
    /// A check found something.
    #[error("{wrong} of {runs} schedules are wrong, as told above")]
    Wrong {
        /// How many.
        wrong: usize,
        /// Of how many.
        runs: usize,
    },
}

impl From<NoLoggedStarts> for Failure {
    fn from(error: NoLoggedStarts) -> Self {
        Failure::input(error)
    }
}

impl Failure {
    /// What was given cannot be used.
    fn input(message: impl ToString) -> Self {
        Failure::Input(message.to_string())
    }
}

/// Reads the arguments of the process, does what they say, and gives the exit code: 0, 2 for bad
/// input, 1 where the result could not be written or a check found something.
pub fn main() -> ExitCode {
    let outcome = match Arguments::parse().command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Study(arguments) => run::study(&arguments),
        Command::Summary(arguments) => summary::summary(&arguments),
        Command::Generate(arguments) => generate::generate(&arguments),
        Command::List => catalogues::list(),
    };
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

/// Says something on standard error; where that is closed, nobody listens.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "{text}");
}

fn complain(text: &str) {
    say(&format!("packfair: {text}"));
}
