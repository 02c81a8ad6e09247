//! The rules that all runs of a study follow.

use super::*;
use packfair_engine::model::{Reestimation, RoundTrigger};
use packfair_engine::simulation::Correction;

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
