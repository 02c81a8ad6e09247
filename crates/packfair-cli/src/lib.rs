//! The command line: the same engine for batch use, tests and benchmarks. Not compiled for WebAssembly.
//!
//! - What the page can be asked for can be asked for here, by the same entries
//!   ([`settings`](packfair_study::settings)).
//! - Results go to standard output, everything else to standard error; what failed ends with a code that is not 0.
//!
//! It knows nothing of how anything is computed.

#![warn(missing_docs)]

mod args;
mod asked;
mod catalogues;
mod charted;
mod convert;
pub mod embedded;
mod explore;
mod load;
mod machine;
mod now;
mod pool;
mod repeating;
mod results;
mod run;
mod spread;
mod summary;
mod watch;
mod when;

use args::{Arguments, Command};
use clap::Parser;
use packfair_study::CannotRun;
use packfair_workload::printable;
use std::cell::RefCell;
use std::ffi::OsString;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

/// The exit code for bad input, the same as clap's.
const BAD_INPUT: u8 = 2;

/// Why a command ended early.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Input(String),
    #[error("{0}")]
    File(String),
    #[error("standard output cannot be written: {0}")]
    Output(#[from] io::Error),
    /// Who looks on has stopped it.
    #[error("stopped")]
    Stopped,
    #[error("{failed} of {runs} runs failed; the lines above say why")]
    Failed { failed: usize, runs: usize },
    #[error("errors in the files: {wrong}; they are listed above")]
    Lint {
        /// The number of errors.
        wrong: usize,
    },
    #[error("{wrong} of {runs} schedules are wrong; the lines above say how")]
    Wrong { wrong: usize, runs: usize },
}

impl From<CannotRun> for Failure {
    fn from(error: CannotRun) -> Self {
        if error == CannotRun::Stopped { Failure::Stopped } else { Failure::input(error) }
    }
}

impl Failure {
    /// The error for input that cannot be used.
    fn input(message: impl ToString) -> Self {
        Failure::Input(message.to_string())
    }

    /// The error for a file or folder that could not be written.
    fn file(path: &Path, error: &io::Error) -> Self {
        Failure::File(format!("{} cannot be written: {error}", path.display()))
    }
}

/// Parses the arguments of the process, carries them out and returns the exit code: 0 for success, 2 for bad input, 1
/// if a result could not be written, a run has no result, or a check found an error.
pub fn main() -> ExitCode {
    ExitCode::from(carried_out(std::env::args_os()))
}

/// Carries out these arguments, of which the first is the name of the program.
fn carried_out(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => arguments,
        Err(said) => return said_by_clap(&said),
    };
    let outcome = match arguments.command {
        Command::Run(arguments) => run::run(&arguments),
        Command::Study(arguments) => run::study(&arguments),
        Command::Collect(arguments) => spread::collect(&arguments),
        Command::Summary(arguments) => summary::summary(&arguments),
        Command::Generate(arguments) => convert::generate(&arguments),
        Command::Convert(arguments) => convert::convert(&arguments),
        Command::Lint(arguments) => machine::lint(&arguments),
        Command::When(arguments) => when::when(&arguments),
        Command::Now(arguments) => now::now(&arguments),
        Command::List => catalogues::list(),
        Command::Explore(arguments) => explore::explore(&arguments),
    };
    end(outcome)
}

/// Prints the help, the version or the error in the arguments.
fn said_by_clap(said: &clap::Error) -> u8 {
    if !said.use_stderr() && !io::stdout().is_terminal() {
        // clap ignores write errors
        return end(print(&said.render().to_string()));
    }
    let text = said.render().to_string();
    if text.lines().all(|line| printable(line) == line) {
        // this keeps clap's colours
        said.exit()
    }
    say(text.trim_end());
    BAD_INPUT
}

/// Reports an error, if there is one, and returns the exit code.
fn end(outcome: Result<(), Failure>) -> u8 {
    match outcome {
        Ok(()) => 0,
        // the reader of the output has closed it, having seen enough
        Err(Failure::Output(error)) if error.kind() == io::ErrorKind::BrokenPipe => 0,
        Err(failure) => {
            complain(&failure.to_string());
            if matches!(failure, Failure::Input(_)) { BAD_INPUT } else { 1 }
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

thread_local! {
    /// What this thread says, where somebody hears it (`hearing`).
    static HEARD: RefCell<Option<Vec<String>>> = const { RefCell::new(None) };
}

/// Writes a line to standard error; does nothing if it is closed. Control characters, which a file name may contain,
/// are removed.
fn say(text: &str) {
    let text = text.lines().map(printable).collect::<Vec<_>>().join("\n");
    HEARD.with_borrow_mut(|heard| match heard {
        Some(heard) => heard.push(text.trim_start_matches("packfair: ").to_owned()),
        None => {
            let _ = writeln!(io::stderr(), "{text}");
        }
    });
}

/// Does work and hears what this thread says meanwhile, in place of standard error.
fn hearing<T>(work: impl FnOnce() -> T) -> (T, Vec<String>) {
    HEARD.with_borrow_mut(|heard| *heard = Some(Vec::new()));
    let done = work();
    (done, HEARD.with_borrow_mut(Option::take).unwrap_or_default())
}

fn complain(text: &str) {
    say(&format!("packfair: {text}"));
}
