//! The catalogue of a study's settings: what is done to a log, which rules its runs follow, what is measured, and how often
//! it is repeated.
//!
//! A [`Setting`] is one entry: the page's forms, the command line's options, their help and the checks are made from it.
//! Files and links hold the [`Study`] itself.

mod entries;
mod facts;
mod text;

pub use facts::LogFacts;
pub use text::Misread;

use super::Study;
use crate::catalogue::Named;
use crate::machine::WhatIf;
use crate::metric::{CountedGroup, GroupWeight, Metric};
use crate::workload::{QueueChoice, Seconds, Summary};
use std::ops::RangeInclusive;

/// A setting of a study: all that forms, command line and checks need of it.
pub struct Setting {
    /// Stable id, in the page's markup and in what a check finds.
    pub id: &'static str,
    /// Label of its field.
    pub title: &'static str,
    /// What it means, as a hint beside its field.
    pub help: &'static str,
    /// What a sentence calls it that says why its value cannot be; without an article where it is one of several numbers.
    pub what: &'static str,
    /// Where on the page it stands.
    pub section: Section,
    /// What values it takes, and where the study has them.
    pub kind: Kind,
    /// What is shown where nothing is said, such as what is taken then; empty for nothing.
    pub usual: fn(&LogFacts) -> String,
    /// Whether the log knows an option of a choice, by its id.
    pub knows: fn(&LogFacts, &str) -> bool,
    /// Whether the page offers it: it may need another setting, or something that the log tells.
    pub is_offered: fn(&Study, &LogFacts) -> bool,
    /// The metric whose parameter it is: it has no effect without that column.
    pub metric: Option<Metric>,
    /// What the head of its section says of it, in a few words; none for nothing.
    pub told: fn(&Setting, &Study, &LogFacts) -> Option<String>,
    /// How the command line takes it.
    pub option: CommandOption,
}

/// The values that a setting takes, and how they are read from a study and put into it.
pub enum Kind {
    /// One of several.
    Choice {
        /// Which there are.
        options: &'static [Named],
        /// What doing as usual is called, where that is a choice of its own.
        usual: Option<Named>,
        /// How the page shows it.
        shown: Shown,
        /// The id of the one taken; none for the usual one, or where it means nothing.
        get: fn(&Study) -> Option<&'static str>,
        /// Takes the one with this id; none for the usual one.
        set: fn(&mut Study, Option<&str>),
    },
    /// On or off.
    Switch {
        /// Which it is.
        get: fn(&Study) -> bool,
        /// Switches it.
        set: fn(&mut Study, bool, &LogFacts),
    },
    /// A whole number.
    Whole {
        /// Least and largest.
        range: RangeInclusive<u64>,
        /// What it counts.
        unit: Unit,
        /// Whether there may be none.
        empty: Empty,
        /// The number; none for the usual one, or where it means nothing.
        get: fn(&Study) -> Option<u64>,
        /// Takes a number within the range; none for the usual one.
        set: fn(&mut Study, Option<u64>),
    },
    /// A number that seeds random numbers: any.
    Seed {
        /// The number, where it means something.
        get: fn(&Study) -> Option<u64>,
        /// Takes another.
        set: fn(&mut Study, u64),
    },
    /// A real number.
    Real {
        /// Least and largest.
        range: RangeInclusive<f64>,
        /// What it counts.
        unit: Unit,
        /// Whether there may be none.
        empty: Empty,
        /// The number; none for the usual one, or where it means nothing.
        get: fn(&Study) -> Option<f64>,
        /// Takes a number within the range; none for the usual one.
        set: fn(&mut Study, Option<f64>),
    },
    /// One or more real numbers.
    Reals {
        /// Least and largest of each.
        range: RangeInclusive<f64>,
        /// What is said of them.
        unit: Unit,
        /// The numbers.
        get: fn(&Study) -> Vec<f64>,
        /// Takes others, at least one.
        set: fn(&mut Study, &[f64]),
    },
    /// A moment of the log, or none.
    Moment {
        /// The moment, seconds of the log.
        get: fn(&Study) -> Option<Seconds>,
        /// Takes another.
        set: fn(&mut Study, Option<Seconds>),
    },
    /// Some of those who have numbers in the log, and perhaps names.
    Members {
        /// Of whom.
        of: Members,
        /// Their numbers.
        get: fn(&Study) -> &Vec<i32>,
        /// The same, to be changed.
        set: fn(&mut Study) -> &mut Vec<i32>,
    },
    /// What is otherwise on further machines.
    WhatIfs {
        /// What they are.
        get: fn(&Study) -> &Vec<WhatIf>,
        /// The same, to be changed.
        set: fn(&mut Study) -> &mut Vec<WhatIf>,
    },
    /// Priority weights of groups of jobs.
    Weights {
        /// What they are.
        get: fn(&Study) -> &Vec<GroupWeight>,
        /// The same, to be changed.
        set: fn(&mut Study) -> &mut Vec<GroupWeight>,
    },
    /// A group of jobs, or none.
    Group {
        /// Which.
        get: fn(&Study) -> Option<CountedGroup>,
        /// Takes another.
        set: fn(&mut Study, Option<CountedGroup>),
    },
}

/// How the page shows a choice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shown {
    /// All options one below the other, with their help.
    Below,
    /// A list that opens.
    List,
}

/// What a field says behind a number.
#[derive(Clone, Copy)]
pub enum Unit {
    /// Nothing.
    None,
    /// What it counts.
    Named(&'static str),
    /// What the machine is counted in.
    Machine,
    /// What the present value comes to.
    Comment(fn(&Study) -> String),
}

/// Whether a number may be left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Empty {
    /// It may not.
    Never,
    /// It may.
    Allowed,
    /// It may where the log tells the usual one.
    WhereUsual,
}

/// Who has numbers in a log.
#[derive(Clone, Copy)]
pub struct Members {
    /// One of them, in a word.
    pub one: &'static str,
    /// The header's label for their names.
    pub label: &'static str,
    /// Those of a log, most important first.
    pub known: fn(&Summary) -> Vec<QueueChoice>,
}

/// How the command line takes a setting.
#[derive(Clone, Copy)]
pub struct CommandOption {
    /// The option, without its two dashes.
    pub name: &'static str,
    /// What its help calls the value.
    pub value: &'static str,
    /// Its help.
    pub help: &'static str,
    /// Which commands take it.
    pub of: Commands,
    /// Another option without which it means nothing.
    pub requires: Option<&'static str>,
    /// Whether it must be given.
    pub is_required: bool,
}

impl CommandOption {
    /// An option that may be given. The page has no command line, and does not carry what that says.
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

/// Which commands take a setting.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Commands {
    /// All that read a log.
    OfLogs,
    /// All that simulate.
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
    /// The machine: how large it is, and what if it were otherwise.
    Machine,
    /// How fast jobs come, and who submits them.
    Load,
    /// Which of the log's jobs are taken.
    Filter,
    /// Jobs that are made like the log's.
    Like,
    /// What holds for all runs.
    Rules,
    /// Over which jobs metrics are computed.
    Counted,
    /// Parameters of the metrics that are shown.
    Parameters,
    /// On how many further workloads all is repeated.
    Repeats,
}

impl Section {
    /// Its heading.
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

    /// What its head says where none of its settings says anything.
    pub fn as_usual(self) -> &'static str {
        match self {
            Section::Rules => "As in the papers",
            Section::Repeats => "Not repeated",
            _ => "",
        }
    }

    /// Its settings, in their order.
    pub fn settings(self) -> impl Iterator<Item = &'static Setting> {
        Setting::all().filter(move |setting| setting.section == self)
    }

    /// What of it is not as usual, in a few words.
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

    /// Whether the page offers it now.
    pub fn is_shown(&self, study: &Study, facts: &LogFacts) -> bool {
        self.metric.is_none_or(|metric| study.columns.contains(&metric)) && (self.is_offered)(study, facts)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::like::{Arrivals, Likeness};

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
        study.repeats = Some(crate::study::sureness::Repeats::of(2_000));
        study.treatment.filter.users = vec![3, 1];
        study.treatment.processors = Some(12_000);
        study.shrinks = vec![0.5];
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
