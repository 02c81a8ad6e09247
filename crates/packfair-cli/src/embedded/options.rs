//! The options of a command, for a front end in which they are keyword arguments.

use super::{Heard, Watch, heard};
use crate::Failure;
use crate::args::{Arguments, Command};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Arg, ArgAction, CommandFactory, Parser};
use packfair_base::catalogue::Named;
use packfair_study::explore::{Findings, csv, json, table};
use packfair_study::settings::{Kind, Setting};
use packfair_workload::Log;
use std::any::TypeId;
use std::error::Error;
use std::path::PathBuf;

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionKind {
    /// None: it is there or not.
    Switch,
    /// A whole number.
    Whole,
    /// A number.
    Real,
    /// One of these ids.
    Choice(Vec<String>),
    /// A file or a folder.
    Path,
    /// A text.
    Text,
}

/// An option of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionAbout {
    /// Its name, without `--`.
    pub name: String,
    /// What it is for, with units and ranges.
    pub help: String,
    /// What values it takes.
    pub kind: OptionKind,
    /// Whether it takes several.
    pub is_many: bool,
    /// The value where it is not given, as text.
    pub usual: Option<String>,
}

/// The options of a command of the program, by its name: `["run"]`, `["generate", "like"]`. None of a command that does not exist.
pub fn options(command: &[&str]) -> Vec<OptionAbout> {
    let mut of = Arguments::command();
    for name in command {
        match of.find_subcommand(name) {
            Some(found) => of = found.clone(),
            None => return Vec::new(),
        }
    }
    of.get_arguments().filter_map(about).collect()
}

fn about(argument: &Arg) -> Option<OptionAbout> {
    let name = argument.get_long()?.to_owned();
    let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
    let is_many = matches!(argument.get_action(), ArgAction::Append);
    let usual = argument.get_default_values().first().map(|value| value.to_string_lossy().into_owned());
    let usual = usual.filter(|_| argument.get_action().takes_values());
    Some(OptionAbout { kind: kind(argument, &name), name, help, is_many, usual })
}

fn kind(argument: &Arg, name: &str) -> OptionKind {
    if !argument.get_action().takes_values() {
        return OptionKind::Switch;
    }
    if let Some(setting) = Setting::all().find(|setting| setting.option.name == name) {
        return of_setting(&setting.kind);
    }
    let choices: Vec<String> =
        argument.get_possible_values().iter().map(|choice| choice.get_name().to_owned()).collect();
    if !choices.is_empty() {
        return OptionKind::Choice(choices);
    }
    let value = argument.get_value_parser().type_id();
    let is_any = |of: &[TypeId]| of.iter().any(|of| value == *of);
    let wholes =
        [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<usize>(), TypeId::of::<i64>()];
    if is_any(&wholes) {
        OptionKind::Whole
    } else if is_any(&[TypeId::of::<f64>()]) {
        OptionKind::Real
    } else if is_any(&[TypeId::of::<PathBuf>()]) {
        OptionKind::Path
    } else {
        OptionKind::Text
    }
}

fn of_setting(kind: &Kind) -> OptionKind {
    let id = |named: &Named| named.id.to_owned();
    match kind {
        Kind::Choice { options, usual, .. } => {
            OptionKind::Choice(usual.iter().chain(options.iter()).map(id).filter(|id| !id.is_empty()).collect())
        }
        Kind::Switch { .. } => OptionKind::Switch,
        Kind::Whole { .. } | Kind::Seed { .. } => OptionKind::Whole,
        Kind::Real { .. } | Kind::Reals { .. } => OptionKind::Real,
        _ => OptionKind::Text,
    }
}

// Options as words, without the log that a command line would name.

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

// Why a command has no result.

/// Why a command has no result, as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The input cannot be used.
    #[error("{0}")]
    Input(String),
    /// There is no such option.
    #[error("there is no option {name}{}", .like.as_ref().map(|like| format!("; perhaps {like} is meant")).unwrap_or_default())]
    Unknown {
        /// The option that was given.
        name: String,
        /// One with a similar name.
        like: Option<String>,
    },
    /// It was stopped.
    #[error("stopped")]
    Stopped,
}

impl Refusal {
    /// What a command line does and a program in its place cannot do.
    pub(super) fn not_here() -> Self {
        Refusal::Input("this is for the command line alone".to_owned())
    }
}

impl From<Failure> for Refusal {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped => Refusal::Stopped,
            other => Refusal::Input(other.to_string()),
        }
    }
}

// A search for settings in memory.

/// Searches for settings; the options are those of `packfair explore`.
///
/// # Errors
/// An option is wrong, the log is too short, or the watch has stopped the search.
pub fn explore(log: Log, options: &[String], watch: &dyn Watch) -> Result<Heard<Findings>, Refusal> {
    let Command::Explore(arguments) = of_command("explore", options)? else { return Err(Refusal::not_here()) };
    heard(|| {
        let findings = crate::explore::of_log(&arguments, log, watch)?;
        if watch.is_stopped() { Err(Failure::Stopped) } else { Ok(findings) }
    })
}

/// What was found, for people.
pub fn in_words(findings: &Findings) -> String {
    table(findings)
}

/// What was found as JSON.
pub fn as_json(findings: &Findings) -> String {
    json(findings)
}

/// What was found as CSV.
pub fn as_csv(findings: &Findings) -> String {
    csv(findings)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(command: &[&str], name: &str) -> OptionAbout {
        options(command).into_iter().find(|option| option.name == name).expect("there is one")
    }

    #[test]
    fn an_option_is_told_with_what_it_takes() {
        assert_eq!(of(&["run"], "fair-starts").kind, OptionKind::Switch);
        assert_eq!(of(&["run"], "procs").kind, OptionKind::Whole);
        assert_eq!((of(&["run"], "k").kind, of(&["run"], "k").is_many), (OptionKind::Real, true));
        assert_eq!(of(&["run"], "machine").kind, OptionKind::Path);
        assert_eq!(of(&["when"], "futures").kind, OptionKind::Whole);
        assert_eq!(of(&["explore"], "keep").kind, OptionKind::Text);
        let OptionKind::Choice(units) = of(&["run"], "unit").kind else { panic!("it has options") };
        assert!(units.contains(&"nodes".to_owned()), "{units:?}");
        assert!(of(&["generate", "like"], "jobs").help.len() > 10);
        assert_eq!(options(&["none"]), []);
    }
}

#[cfg(test)]
mod words_tests {
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
