//! Options as words, without the log that a command line would name.

use super::Refusal;
use crate::args::{Arguments, Command};
use clap::Parser;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use std::error::Error;

/// What stands for the log, which is in memory.
const LOG: &str = "-";

/// The command with these options, each as one word: `--name=value`.
///
/// # Errors
/// There is no such option, or its value is wrong.
pub(super) fn of_command(command: &str, options: &[String]) -> Result<Command, Refusal> {
    let takes_log = options.first().is_none_or(|word| word != "lublin");
    let log = takes_log.then(|| LOG.to_owned());
    let words = ["packfair".to_owned(), command.to_owned()].into_iter().chain(options.iter().cloned()).chain(log);
    Arguments::try_parse_from(words).map(|arguments| arguments.command).map_err(|error| refusal(&error))
}

/// The error in the engine's own words, without the usage of the command.
fn refusal(error: &clap::Error) -> Refusal {
    let context = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.clone()),
        Some(ContextValue::Strings(texts)) => Some(texts.join(", ")),
        _ => None,
    };
    // `--procs <N>`: the option without its value
    let name = context(ContextKind::InvalidArg);
    let option = name.as_deref().unwrap_or_default().split([' ', '=']).next().unwrap_or_default().to_owned();
    let value = context(ContextKind::InvalidValue).unwrap_or_default();
    match (error.kind(), error.source()) {
        (ErrorKind::UnknownArgument, _) => Refusal::Unknown { name: option, like: context(ContextKind::SuggestedArg) },
        (ErrorKind::ValueValidation, Some(why)) => Refusal::Input(format!("{option} {value}: {why}")),
        (ErrorKind::InvalidValue, _) if value.is_empty() => Refusal::Input(format!("{option} takes a value")),
        (ErrorKind::InvalidValue, _) => {
            let valid = context(ContextKind::ValidValue).unwrap_or_default();
            Refusal::Input(format!("{option} {value}: there are {valid}"))
        }
        (ErrorKind::MissingRequiredArgument, _) => {
            let missing = context(ContextKind::InvalidArg).unwrap_or_default();
            Refusal::Input(format!("say also: {missing}"))
        }
        _ => {
            let text = error.to_string();
            let first = text.lines().next().unwrap_or_default();
            Refusal::Input(first.trim_start_matches("error: ").to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(command: &str, options: &[&str]) -> Refusal {
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        of_command(command, &options).expect_err("it is refused")
    }

    #[test]
    fn refusals_say_the_option_and_what_it_takes() {
        let easy = ["--scheduler=easy", "--estimator=requested"];
        let with = |option: &'static str| refused("run", &[easy[0], easy[1], option]);
        let unknown = Refusal::Unknown { name: "--repaets".to_owned(), like: Some("--repeats".to_owned()) };
        assert_eq!(with("--repaets=3"), unknown);
        assert!(with("--procs=0").to_string().starts_with("--procs 0: it takes"), "{}", with("--procs=0"));
        assert!(with("--format=pdf").to_string().starts_with("--format pdf: there are table"));
        assert_eq!(refused("run", &["--scheduler=esay"]).to_string().split(':').next(), Some("--scheduler esay"));
        assert!(refused("run", &[]).to_string().starts_with("say also: "));
        assert!(of_command("run", &easy.map(str::to_owned)).is_ok());
        assert!(of_command("generate", &["lublin", "--jobs=5", "--procs=4"].map(str::to_owned)).is_ok());
    }
}
