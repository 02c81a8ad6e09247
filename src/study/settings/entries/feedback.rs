//! Whether users react to what becomes of their jobs.

use super::*;
use crate::workload::{Feedback, GAP_RANGE, SessionBy};

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
            set: |study, id| choose(&mut study.treatment.feedback.feedback, id),
        },
        is_offered: is_asked_for,
        option: CommandOption::new(
            "feedback",
            "WHICH",
            Commands::OfLogs,
            "Whether users react to what becomes of their jobs: off, stated (where the log says which job came after which, \
             SWF field 17), sessions (there, and wherever they had waited for the jobs before) [usually off]",
        ),
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
        ..Setting::PLAIN
    },
];

/// The page shows what a link or a file asks for, and does not offer it by itself: it cannot tell single jobs yet.
fn is_asked_for(study: &Study, _: &LogFacts) -> bool {
    study.treatment.feedback.feedback != Feedback::Off
}
