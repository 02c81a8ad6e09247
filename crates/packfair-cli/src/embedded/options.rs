//! The options of a command, for a front end in which they are keyword arguments.

use crate::args::Arguments;
use clap::{Arg, ArgAction, CommandFactory};
use packfair_base::catalogue::Named;
use packfair_study::settings::{Kind, Setting};
use std::any::TypeId;
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
