//! The further workloads on which a study is repeated.

use super::*;
use crate::limits::REPEAT_RANGE;
use crate::sureness::Repeats;
use packfair_workload::Resampling;

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "repeats",
        title: "Repeats",
        help: "On so many workloads; empty: not repeated. 100 give an interval that can be relied on",
        what: "the number of repeats",
        section: Section::Repeats,
        kind: Kind::Whole {
            range: counts(&REPEAT_RANGE),
            unit: Unit::None,
            empty: Empty::Allowed,
            get: |study| study.repeats.map(|repeats| repeats.count.into()),
            set: |study, number| {
                let before = study.repeats;
                study.repeats = number.map(count).map(|count| match before {
                    Some(before) => Repeats { count, ..before },
                    None => Repeats::of(count),
                });
            },
        },
        told: Setting::told_value,
        option: CommandOption::new(
            "repeats",
            "N",
            Commands::Run,
            "Repeat all runs on so many further workloads of the same cluster, and give each value and each change with the \
             interval that holds 95 % of them",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "resampling",
        title: "How their workloads are made",
        section: Section::Repeats,
        kind: Kind::Choice {
            options: Resampling::NAMED,
            usual: None,
            shown: Shown::Below,
            get: |study| study.repeats.map(|repeats| repeats.way.id()),
            set: |study, id| {
                if let Some(repeats) = &mut study.repeats {
                    choose(&mut repeats.way, id);
                }
            },
        },
        is_offered: |study, _| study.repeats.is_some(),
        told: Setting::told_value,
        option: CommandOption::new(
            "resample",
            "WAY",
            Commands::Run,
            "How these workloads are made: users (users' weeks drawn with replacement), shake (each submission up to three \
             minutes earlier or later) [usually users]",
        )
        .with("repeats"),
        ..Setting::PLAIN
    },
    Setting {
        id: "repeat-seed",
        title: "Seed",
        help: "The same seed gives the same workloads everywhere",
        section: Section::Repeats,
        kind: Kind::Seed {
            get: |study| study.repeats.map(|repeats| repeats.seed),
            set: |study, seed| {
                if let Some(repeats) = &mut study.repeats {
                    repeats.seed = seed;
                }
            },
        },
        is_offered: |study, _| study.repeats.is_some(),
        option: CommandOption::new("repeat-seed", "S", Commands::Run, "Seed of their random numbers [usually 1]")
            .with("repeats"),
        ..Setting::PLAIN
    },
];
