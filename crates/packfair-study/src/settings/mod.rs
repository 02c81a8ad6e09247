//! The catalogue of a study's settings: what is done to a log, which rules its runs follow, what is measured, and how
//! often the runs are repeated.
//!
//! A [`Setting`] is one entry. The page's forms, the command line's options, their help and the checks are made from
//! it. Files and links hold the [`Study`] itself.

mod entries;
mod facts;
mod text;

pub use facts::LogFacts;
pub use text::Misread;

use super::Study;
use packfair_base::catalogue::Named;
use packfair_base::machine::WhatIf;
use packfair_engine::metric::{CountedGroup, GroupWeight, Metric};
use packfair_workload::{QueueChoice, Seconds, Summary};
use std::ops::RangeInclusive;

/// A setting of a study, with everything that forms, the command line and checks need.
pub struct Setting {
    /// Stable id, used in the page's markup and in problems that a check finds.
    pub id: &'static str,
    /// The label of its field.
    pub title: &'static str,
    /// What it means; the hint beside its field.
    pub help: &'static str,
    /// Its name in sentences about a wrong value; without an article where the setting has several numbers.
    pub what: &'static str,
    /// The section of the page's form that it is in.
    pub section: Section,
    /// What values it takes, and where the study holds them.
    pub kind: Kind,
    /// The text shown where the study does not set it, such as the value that is used then; may be empty.
    pub usual: fn(&LogFacts) -> String,
    /// Whether the log supports an option of a choice, given by its id.
    pub knows: fn(&LogFacts, &str) -> bool,
    /// Whether the page offers it. It may need another setting, or something that the log tells.
    pub is_offered: fn(&Study, &LogFacts) -> bool,
    /// The metric that it is a parameter of; without that column it has no effect.
    pub metric: Option<Metric>,
    /// What the head of its section says about it, in a few words; `None` for nothing.
    pub told: fn(&Setting, &Study, &LogFacts) -> Option<String>,
    /// Its option on the command line.
    pub option: CommandOption,
}

/// The values that a setting takes, and how they are read from a study and written to it.
pub enum Kind {
    /// One of several options.
    Choice {
        /// The options.
        options: &'static [Named],
        /// The name of the default, where it is an option of its own.
        usual: Option<Named>,
        /// How the page shows the options.
        shown: Shown,
        /// The id of the chosen option; `None` for the default, or where the setting has no meaning.
        get: fn(&Study) -> Option<&'static str>,
        /// Chooses the option with this id; `None` for the default.
        set: fn(&mut Study, Option<&str>),
    },
    /// On or off.
    Switch {
        /// Whether it is on.
        get: fn(&Study) -> bool,
        /// Switches it on or off.
        set: fn(&mut Study, bool, &LogFacts),
    },
    /// A whole number.
    Whole {
        /// The least and the largest value.
        range: RangeInclusive<u64>,
        /// The unit of the number.
        unit: Unit,
        /// Whether it may be left empty.
        empty: Empty,
        /// The number; `None` for the default, or where the setting has no meaning.
        get: fn(&Study) -> Option<u64>,
        /// Sets a number within the range; `None` for the default.
        set: fn(&mut Study, Option<u64>),
    },
    /// The seed of random numbers; any number is allowed.
    Seed {
        /// The seed, where it has a meaning.
        get: fn(&Study) -> Option<u64>,
        /// Sets the seed.
        set: fn(&mut Study, u64),
    },
    /// A real number.
    Real {
        /// The least and the largest value.
        range: RangeInclusive<f64>,
        /// The unit of the number.
        unit: Unit,
        /// Whether it may be left empty.
        empty: Empty,
        /// The number; `None` for the default, or where the setting has no meaning.
        get: fn(&Study) -> Option<f64>,
        /// Sets a number within the range; `None` for the default.
        set: fn(&mut Study, Option<f64>),
    },
    /// One or more real numbers.
    Reals {
        /// The least and the largest value of each number.
        range: RangeInclusive<f64>,
        /// What the field says behind the numbers.
        unit: Unit,
        /// The numbers.
        get: fn(&Study) -> Vec<f64>,
        /// Sets the numbers, at least one.
        set: fn(&mut Study, &[f64]),
    },
    /// A moment of the log, which may be left empty.
    Moment {
        /// The moment, seconds of the log.
        get: fn(&Study) -> Option<Seconds>,
        /// Sets the moment.
        set: fn(&mut Study, Option<Seconds>),
    },
    /// A span of time in seconds, which may be left empty. As text it has its unit: `7d`, `12h`.
    Span {
        /// The shortest and the longest span.
        range: RangeInclusive<u64>,
        /// The span; `None` for the default.
        get: fn(&Study) -> Option<u64>,
        /// Sets a span within the range; `None` for the default.
        set: fn(&mut Study, Option<u64>),
    },
    /// A list of users, queues or partitions of the log, by their numbers.
    Members {
        /// Which kind of members.
        of: Members,
        /// The numbers of the chosen members.
        get: fn(&Study) -> &Vec<i32>,
        /// The numbers, to be changed.
        set: fn(&mut Study) -> &mut Vec<i32>,
    },
    /// The what-ifs of further machines.
    WhatIfs {
        /// The what-ifs.
        get: fn(&Study) -> &Vec<WhatIf>,
        /// The what-ifs, to be changed.
        set: fn(&mut Study) -> &mut Vec<WhatIf>,
    },
    /// Priority weights of groups of jobs.
    Weights {
        /// The weights.
        get: fn(&Study) -> &Vec<GroupWeight>,
        /// The weights, to be changed.
        set: fn(&mut Study) -> &mut Vec<GroupWeight>,
    },
    /// A group of jobs, which may be left empty.
    Group {
        /// The group.
        get: fn(&Study) -> Option<CountedGroup>,
        /// Sets the group.
        set: fn(&mut Study, Option<CountedGroup>),
    },
}

/// How the page shows the options of a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All options below each other, with their help.
    Below,
    /// A drop-down list.
    List,
}

/// What a field says behind a number.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Nothing.
    None,
    /// The name of what it counts.
    Named(&'static str),
    /// The unit in which the machine is counted.
    Machine,
    /// A comment on the present value.
    Comment(fn(&Study) -> String),
}

/// Whether a number may be left empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// It may not be left empty.
    Never,
    /// It may be left empty.
    Allowed,
    /// It may be left empty where the log tells a default.
    WhereUsual,
}

/// A kind of members that have numbers in a log: users, queues or partitions.
#[derive(Clone, Copy)]
pub struct Members {
    /// The word for one of them.
    pub one: &'static str,
    /// The header's label for the members' names.
    pub label: &'static str,
    /// The members in a log, the most important first.
    pub known: fn(&Summary) -> Vec<QueueChoice>,
}

/// How the command line takes a setting.
#[derive(Clone, Copy)]
pub struct CommandOption {
    /// The option, without its two dashes.
    pub name: &'static str,
    /// The name of its value in the help.
    pub value: &'static str,
    /// The help.
    pub help: &'static str,
    /// The commands that take it.
    pub of: Commands,
    /// Another option without which this one has no meaning.
    pub requires: Option<&'static str>,
    /// Whether it must be given.
    pub is_required: bool,
}

impl CommandOption {
    /// An option that may be given. The page has no command line, so there its help is empty.
    const fn new(name: &'static str, value: &'static str, of: Commands, help: &'static str) -> Self {
        let help = if cfg!(target_arch = "wasm32") { "" } else { help };
        CommandOption { name, value, help, of, requires: None, is_required: false }
    }

    const fn with(self, other: &'static str) -> Self {
        CommandOption { requires: Some(other), ..self }
    }

    const fn required(self) -> Self {
        CommandOption { is_required: true, ..self }
    }
}

/// The commands that take a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// All commands that read a log.
    OfLogs,
    /// All commands that simulate.
    OfRuns,
    /// `packfair run`.
    Run,
    /// `packfair generate like`.
    Like,
}

/// A part of the page's form: settings that are folded up together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Section {
    /// How the log's jobs are cleaned.
    Cleaning,
    /// The machine: its size, and its what-ifs.
    Machine,
    /// How fast jobs come, and how many users submit them.
    Load,
    /// Which of the log's jobs are taken.
    Filter,
    /// Jobs made like the log's.
    Like,
    /// What holds for all runs.
    Rules,
    /// The jobs over which metrics are computed.
    Counted,
    /// Parameters of the metrics that are shown.
    Parameters,
    /// The further workloads on which the runs are repeated.
    Repeats,
}

impl Section {
    /// The heading of the section.
    pub fn title(self) -> &'static str {
        match self {
            Section::Cleaning => "Cleaning",
            Section::Machine => "Machine",
            Section::Load => "Arrivals and load",
            Section::Filter => "Filter",
            Section::Like => "Make one like this",
            Section::Rules => "Rules of a run",
            Section::Counted => "Jobs that count",
            Section::Parameters => "Parameters",
            Section::Repeats => "Repeats",
        }
    }

    /// What the head of the section says where all its settings are at their defaults.
    pub fn as_usual(self) -> &'static str {
        match self {
            Section::Rules => "As in the papers",
            Section::Repeats => "Not repeated",
            _ => "",
        }
    }

    /// The settings of the section, in order.
    pub fn settings(self) -> impl Iterator<Item = &'static Setting> {
        Setting::all().filter(move |setting| setting.section == self)
    }

    /// The settings that differ from their defaults, in a few words.
    pub fn in_short(self, study: &Study, facts: &LogFacts) -> String {
        let told: Vec<String> = self
            .settings()
            .filter_map(|setting| (setting.told)(setting, study, facts))
            .filter(|s| !s.is_empty())
            .collect();
        if told.is_empty() { self.as_usual().to_owned() } else { told.join(", ") }
    }
}

impl Setting {
    /// Every setting, in the order in which forms show them and the command line takes them.
    pub fn all() -> impl Iterator<Item = &'static Setting> {
        entries::ALL.iter().copied().flatten()
    }

    /// Whether the page offers the setting now.
    pub fn is_shown(&self, study: &Study, facts: &LogFacts) -> bool {
        self.metric.is_none_or(|metric| study.columns.contains(&metric)) && (self.is_offered)(study, facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::like::{Arrivals, Likeness};

    #[test]
    fn ids_and_options_are_distinct() {
        let ids: std::collections::BTreeSet<_> = Setting::all().map(|setting| setting.id).collect();
        assert_eq!(ids.len(), Setting::all().count());
        for (i, one) in Setting::all().enumerate() {
            let other = Setting::all().skip(i + 1).find(|other| other.option.name == one.option.name);
            let is_apart = |other: &&Setting| one.option.of == Commands::Like || other.option.of == Commands::Like;
            assert!(other.is_none_or(|other| is_apart(&other)), "--{}", one.option.name);
        }
    }

    #[test]
    fn what_a_field_shows_it_reads_again() {
        let mut study = Study::first_visit();
        study.repeats = Some(crate::sureness::Repeats::of(2_000));
        study.treatment.filter.users = vec![3, 1];
        study.treatment.processors = Some(12_000);
        study.shrinks = vec![0.5];
        study.treatment.announced = Some(36 * 3600);
        study.what_ifs =
            ["nodes=+20 cell=gpu from=2026-02-03 08:00", "memory=x2, nodes=-1"].map(|of| of.parse().unwrap()).to_vec();
        study.treatment.like = Some(Likeness { jobs: 2_000, seed: 3, arrivals: Arrivals::default() });
        study.columns = Metric::ALL.to_vec();
        let facts = LogFacts::default();
        for setting in Setting::all() {
            let (mut changed, shown) = (study.clone(), setting.text(&study, &facts));
            setting.take(&mut changed, &shown, &facts).unwrap_or_else(|why| panic!("{}: {shown}: {why}", setting.id));
            assert_eq!(changed, study, "{}: {shown}", setting.id);
        }
    }
}
