//! Recipes of users who react: what replaying fixed submit times hides.

use super::Recipe;
use crate::metric::Metric;
use crate::study::{Baseline, Study, methods, preset, presets};
use crate::workload::{Feedback, FeedbackRule};

/// Throughput and response time against the number of users.
pub(super) const SATURATION: Recipe = Recipe::plain(
    "users-saturation",
    "Saturation: more and more users",
    "EASY, EASY-SJBF and FCFS with half to twice as many users, who react to what becomes of their jobs, and each beside a \
     replay: with users who react, throughput grows until the machine is saturated and response times stay finite; in a \
     replay queues grow without end. Charts against the number of users are under Charts. A log without wait times or users \
     cannot tell who reacts",
    "FEEDBACK, Shmueli and Feitelson 2009",
    |study: &mut Study| {
        study.schedulers = presets(&["easy", "easy-sjbf", "fcfs"]);
        study.methods = methods(&["requested"]);
        study.treatment.feedback = FeedbackRule { feedback: Feedback::Sessions, ..study.treatment.feedback };
        study.beside_replay = true;
        study.set_users(&[0.5, 0.75, 1.0, 1.25, 1.5, 2.0]);
        study.columns =
            vec![Metric::Af, Metric::Bsld, Metric::JobsDone, Metric::WorkDone, Metric::SessionsDone, Metric::LivedSpan];
        study.baseline = Baseline::Scheduler(preset("easy"));
    },
);
