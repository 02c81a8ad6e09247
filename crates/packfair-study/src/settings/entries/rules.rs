//! The rules that all runs of a study follow.

use super::*;
use crate::limits::REPEAT_RANGE;
use crate::sureness::Repeats;
use packfair_engine::model::{Reestimation, RoundTrigger};
use packfair_engine::simulation::Correction;
use packfair_workload::Resampling;

/// The default option: as the papers' programs do, which differs from scheduler to scheduler.
const fn as_in_papers(help: &'static str) -> Option<Named> {
    Some(Named::new("papers", "As in the papers", help))
}

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "correction",
        title: "The estimate of a job that outlives it",
        section: Section::Rules,
        kind: Kind::Choice {
            options: Correction::NAMED,
            usual: None,
            shown: Shown::Below,
            get: |study| Some(study.correction.id()),
            set: |study, id| choose(&mut study.correction, id),
        },
        told: |_, study, _| (study.correction != Correction::default()).then(|| study.correction.name().to_owned()),
        option: CommandOption::new(
            "correction",
            "RULE",
            Commands::OfRuns,
            "What becomes of an estimate that runs out: request, incremental, doubling [usually request]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "reestimation",
        title: "Waiting jobs are estimated",
        section: Section::Rules,
        kind: Kind::Choice {
            options: Reestimation::NAMED,
            usual: as_in_papers(
                "JustBF, Aggressive and EASY with learned estimates: in every round; all others: at submission",
            ),
            shown: Shown::Below,
            get: |study| study.reestimation.map(Reestimation::id),
            set: |study, id| study.reestimation = chosen(id),
        },
        told: Setting::told_value,
        option: CommandOption::new(
            "reestimate",
            "WHEN",
            Commands::Run,
            "When waiting jobs are estimated: submission, round; as in the papers where nothing is said",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "trigger",
        title: "A scheduling round is asked for by",
        section: Section::Rules,
        kind: Kind::Choice {
            options: RoundTrigger::NAMED,
            usual: as_in_papers(
                "EASY with learned estimates: submissions of jobs that fit; all others: every submission",
            ),
            shown: Shown::Below,
            get: |study| study.trigger.map(RoundTrigger::id),
            set: |study, id| study.trigger = chosen(id),
        },
        told: Setting::told_value,
        option: CommandOption::new(
            "rounds",
            "WHICH",
            Commands::Run,
            "Which submissions ask for a scheduling round: every, fitting; as in the papers where nothing is said",
        ),
        ..Setting::PLAIN
    },
];

// The further workloads on which a study is repeated.

pub(super) const REPEATS: &[Setting] = &[
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
