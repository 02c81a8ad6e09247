//! The settings for users who react to what becomes of their jobs.

use super::*;
use crate::format;
use crate::limits::USERS_RANGE;
use packfair_engine::metric::Metric;
use packfair_workload::{Feedback, GAP_RANGE, SessionBy};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "feedback",
        title: "Submit times",
        help: "Users who react submit once what they waited for has ended, and they have thought for as long as in the log",
        kind: Kind::Choice {
            options: Feedback::NAMED,
            usual: None,
            shown: Shown::List,
            get: |study| Some(study.treatment.feedback.feedback.id()),
            set: |study, id| {
                choose(&mut study.treatment.feedback.feedback, id);
                if study.treatment.feedback.feedback != Feedback::Off {
                    show_throughput(&mut study.columns);
                }
            },
        },
        option: CommandOption::new(
            "feedback",
            "WHICH",
            Commands::OfLogs,
            "Whether users react to what becomes of their jobs: off, stated (where the log says which job came after which: \
             SWF field 17, Slurm's dependencies, PBS's depend), sessions (there, and wherever they had waited for the jobs before) [usually off]",
        ),
        section: Section::Load,
        ..Setting::PLAIN
    },
    Setting {
        id: "session",
        title: "A session ends",
        kind: Kind::Choice {
            options: SessionBy::NAMED,
            usual: None,
            shown: Shown::List,
            get: |study| Some(study.treatment.feedback.session.id()),
            set: |study, id| choose(&mut study.treatment.feedback.session, id),
        },
        is_offered: is_asked_for,
        option: CommandOption::new(
            "session",
            "HOW",
            Commands::OfLogs,
            "Where a user's session ends: arrival (where submissions are further apart than the gap), max (where one comes \
             later than the gap after the last end) [usually arrival]",
        )
        .with("feedback"),
        section: Section::Load,
        ..Setting::PLAIN
    },
    Setting {
        id: "gap",
        title: "Gap between sessions",
        what: "the gap between sessions",
        kind: Kind::Whole {
            range: GAP_RANGE,
            unit: Unit::Named("min"),
            empty: Empty::Allowed,
            get: |study| study.treatment.feedback.gap,
            set: |study, minutes| study.treatment.feedback.gap = minutes,
        },
        is_offered: is_asked_for,
        option: CommandOption::new(
            "gap",
            "MINUTES",
            Commands::OfLogs,
            "The gap between sessions [usually 60 by arrival, 20 by the last end]",
        )
        .with("feedback"),
        section: Section::Load,
        ..Setting::PLAIN
    },
    Setting {
        id: "hours",
        title: "Keep to working hours",
        kind: Kind::Switch {
            get: |study| study.treatment.feedback.hours,
            set: |study, is_on, _| study.treatment.feedback.hours = is_on,
        },
        is_offered: is_asked_for,
        option: CommandOption::new(
            "hours",
            "",
            Commands::OfLogs,
            "Users who react keep to the hours of day and week in which they work",
        )
        .with("feedback"),
        section: Section::Load,
        ..Setting::PLAIN
    },
    Setting {
        id: "beside-replay",
        title: "Beside a replay",
        help: "Each run twice: with users who react, and with the log's submit times",
        kind: Kind::Switch {
            get: |study| study.beside_replay,
            set: |study, is_on, _| study.beside_replay = is_on,
        },
        is_offered: is_asked_for,
        option: CommandOption::new(
            "beside-replay",
            "",
            Commands::Run,
            "Each run with users who react also with the log's submit times, so that one sees what a replay says",
        )
        .with("feedback"),
        section: Section::Load,
        ..Setting::PLAIN
    },
    Setting {
        id: "more-users",
        title: "Users",
        help: "So many times as many users, drawn with all that they submitted: 1.2 is a fifth more. Several, as 1, 1.2, 1.4, \
               make a row each, and charts against the number of users.",
        what: "multiple of users",
        kind: Kind::Reals {
            range: USERS_RANGE,
            unit: Unit::Comment(users),
            get: Study::all_users,
            set: Study::set_users,
        },
        told: |_, study, _| Some(users(study)),
        option: CommandOption::new(
            "more-users",
            "LIST",
            Commands::Run,
            "So many times as many users, with all that they submitted: 1.2 is a fifth more; several make a row each: \
             1,1.2,1.4 [usually 1]",
        ),
        section: Section::Load,
        ..Setting::PLAIN
    },
];

/// The number of users as a multiple of the log's, for the section's head; empty where it is the log's.
fn users(study: &Study) -> String {
    match study.all_users()[..] {
        [1.0] => String::new(),
        [one] => format!("users x {}", format::factor(one)),
        ref several => format!("{} numbers of users", several.len()),
    }
}

/// Whether users react, so that the further settings have a meaning.
fn is_asked_for(study: &Study, _: &LogFacts) -> bool {
    study.treatment.feedback.feedback != Feedback::Off
}

/// Adds the throughput columns: where users react, the amount of work done is a result. A person may take them out
/// again.
fn show_throughput(columns: &mut Vec<Metric>) {
    for metric in [Metric::JobsDone, Metric::WorkDone] {
        if !columns.contains(&metric) {
            columns.push(metric);
        }
    }
}
