//! Options that set the settings of a study, made from the catalogue of settings.

use crate::Failure;
use crate::asked::partitions;
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use packfair_engine::metric::Metric;
use packfair_study::settings::{Commands, Kind, LogFacts, Misread, Setting};
use packfair_study::{Source, Study, Treatment};
use packfair_workload::{Clock, Log};
use std::fmt;
use std::marker::PhantomData;

/// The command to which options belong.
pub(crate) trait Taker {
    /// The commands, in the terms of the catalogue, whose settings are options here.
    const TAKES: &'static [Commands];
}

/// `packfair run`.
#[derive(Debug)]
pub(crate) struct OfRun;

/// `packfair explore`.
#[derive(Debug)]
pub(crate) struct OfSearch;

/// `packfair summary`.
#[derive(Debug)]
pub(crate) struct OfLog;

/// `packfair generate like`.
#[derive(Debug)]
pub(crate) struct OfLikeness;

impl Taker for OfRun {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::OfRuns, Commands::Run];
}

impl Taker for OfSearch {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::OfRuns];
}

impl Taker for OfLog {
    const TAKES: &'static [Commands] = &[Commands::OfLogs];
}

impl Taker for OfLikeness {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::Like];
}

/// The settings that are given to a command; all others stay as they are.
pub(crate) struct SettingArguments<T> {
    /// The settings with their values, in the order of the catalogue.
    given: Vec<(&'static Setting, String)>,
    taker: PhantomData<T>,
}

impl<T: Taker> SettingArguments<T> {
    fn offered() -> impl Iterator<Item = &'static Setting> {
        Setting::all().filter(|setting| T::TAKES.contains(&setting.option.of))
    }

    /// Applies the given settings to a study of `log`.
    ///
    /// # Errors
    /// A value is not valid for its setting, or names something that the log does not contain.
    pub(crate) fn set(&self, study: &mut Study, log: &Log) -> Result<(), Failure> {
        let submits = || log.records.iter().map(|record| record.submit);
        let clock = Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let (header, partitions) = (log.named_header(), partitions(log));
        let facts =
            LogFacts { header: Some(&header), clock: Some(&clock), partitions: &partitions, ..LogFacts::default() };
        for (setting, text) in &self.given {
            setting.take(study, text, &facts).map_err(|why| {
                let wrong = match &why {
                    Misread::NoSuch { word, .. } => word,
                    _ => text,
                };
                Failure::Input(format!("--{} {wrong}: {why}", setting.option.name))
            })?;
        }
        match study.treatment.unit {
            Some(unit) if !unit.is_known(log) => {
                Err(Failure::Input(format!("--unit={unit}: the log does not say how many {unit} a job took")))
            }
            _ => Ok(()),
        }
    }

    /// The treatment of `log` that the settings give.
    ///
    /// # Errors
    /// Like [`SettingArguments::set`].
    pub(crate) fn treatment(&self, log: &Log) -> Result<Treatment, Failure> {
        let source = Source::Trace { name: log.name.clone(), fingerprint: log.fingerprint };
        let mut study = Study::on(source);
        self.set(&mut study, log)?;
        Ok(study.treatment)
    }

    /// Applies only the loads and what-ifs, which do not depend on the log: they determine the runs of the study.
    pub(crate) fn set_numbers(&self, study: &mut Study) {
        for (setting, text) in &self.given {
            if let Kind::Reals { .. } | Kind::WhatIfs { .. } = setting.kind {
                // each value was checked when it was parsed
                let _ = setting.take(study, text, &LogFacts::default());
            }
        }
    }

    /// The metrics whose parameters are given.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = Metric> {
        self.given.iter().filter_map(|(setting, _)| setting.metric)
    }

    /// Checks that the columns, if given, include every metric whose parameter is given: otherwise it would have no
    /// effect.
    ///
    /// # Errors
    /// Names a metric that is missing.
    pub(crate) fn check(&self, columns: &[Metric]) -> Result<(), Failure> {
        for (setting, value) in &self.given {
            if let Some(metric) = setting.metric
                && !columns.is_empty()
                && !columns.contains(&metric)
            {
                let option = setting.option.name;
                let message =
                    format!("--{option}={value} is for {metric}, which --columns does not name; add it there");
                return Err(Failure::Input(message));
            }
        }
        Ok(())
    }
}

impl<T> fmt::Debug for SettingArguments<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.given.iter().map(|(setting, text)| (setting.id, text))).finish()
    }
}

impl<T: Taker> FromArgMatches for SettingArguments<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: &'static Setting| {
            let name = setting.option.name;
            let text = match setting.kind {
                Kind::Switch { .. } => matches.get_flag(name).then(|| "on".to_owned()),
                Kind::WhatIfs { .. } => joined(matches, name, ";"),
                _ => joined(matches, name, ","),
            };
            text.map(|text| (setting, text))
        };
        Ok(SettingArguments { given: Self::offered().filter_map(given).collect(), taker: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// All values of an option, joined by `by`.
fn joined(matches: &ArgMatches, name: &str, by: &str) -> Option<String> {
    matches.get_many::<String>(name).map(|words| words.cloned().collect::<Vec<_>>().join(by))
}

impl<T: Taker> Args for SettingArguments<T> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::offered().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The command-line option of a setting.
fn argument(setting: &'static Setting) -> Arg {
    let option = &setting.option;
    let argument = Arg::new(option.name).long(option.name).help(option.help).required(option.is_required);
    let argument = match option.requires {
        Some(other) => argument.requires(other),
        None => argument,
    };
    if let Kind::Switch { .. } = setting.kind {
        return argument.action(ArgAction::SetTrue);
    }
    let read = |text: &str| setting.could_be(text).map(|()| text.to_owned());
    let argument = argument.value_name(option.value).value_parser(read);
    match setting.kind {
        Kind::Members { .. } => argument.action(ArgAction::Append).value_delimiter(',').allow_negative_numbers(true),
        Kind::WhatIfs { .. } | Kind::Weights { .. } => argument.action(ArgAction::Append),
        Kind::Reals { .. } => argument.action(ArgAction::Append).value_delimiter(','),
        Kind::Moment { .. } => argument.allow_negative_numbers(true),
        _ => argument,
    }
}
