//! Which jobs count, and the parameters of metrics.

use super::*;
use crate::limits::{ALPHA_RANGE, BOUND_RANGE, NORM_RANGE};
use packfair_engine::metric::{Counted, Metric};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "counted",
        title: "Jobs that count",
        section: Section::Counted,
        kind: Kind::Choice {
            options: Counted::NAMED,
            usual: None,
            shown: Shown::Below,
            get: |study| Some(study.measure.counted.id()),
            set: |study, id| choose(&mut study.measure.counted, id),
        },
        told: Setting::told_value,
        option: CommandOption::new(
            "count",
            "WHICH",
            Commands::OfRuns,
            "Which jobs count: all, metrics (but those that complete last), steady (without warm-up and drain) [usually \
             metrics]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "only",
        title: "Only",
        help: "A user, queue, partition, account, class of widths or of run times, hour or week: user=12, queue=1, width=64, \
               runtime=3600, hour=9, week=5. The Waits tab lists them, and takes one with a press",
        section: Section::Counted,
        kind: Kind::Group { get: |study| study.measure.only, set: |study, group| study.measure.only = group },
        usual: |_| "all jobs".to_owned(),
        told: Setting::told_value,
        option: CommandOption::new(
            "only",
            "GROUP",
            Commands::OfRuns,
            "Of these jobs alone, all of them being simulated: user=12, user=ann, queue=1, partition=2, account=3, width=64 \
             (and others of its class, 33 to 64), runtime=3600 (1 to 4 h), hour=9, week=5",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "bsld",
        title: "Bound τ of BSLD",
        help: "Run times below it count as this long: 10 s in METRICS and CP, 60 s in CLASSIFY",
        what: "the bound τ of BSLD",
        section: Section::Parameters,
        kind: Kind::Real {
            range: BOUND_RANGE,
            unit: Unit::Named("s"),
            empty: Empty::Never,
            get: |study| Some(study.measure.bsld_bound),
            set: |study, bound| put(&mut study.measure.bsld_bound, bound),
        },
        metric: Some(Metric::Bsld),
        option: CommandOption::new(
            "bsld",
            "SECONDS",
            Commands::OfRuns,
            "Bound of the bounded slowdown BSLD, seconds [usually 10]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "alpha",
        title: "Exponent a of PᵃSF",
        help: "The larger, the more long waits weigh",
        what: "the exponent a",
        section: Section::Parameters,
        kind: Kind::Real {
            range: ALPHA_RANGE,
            unit: Unit::None,
            empty: Empty::Never,
            get: |study| Some(study.measure.alpha),
            set: |study, alpha| put(&mut study.measure.alpha, alpha),
        },
        metric: Some(Metric::Pasf),
        option: CommandOption::new("alpha", "A", Commands::OfRuns, "Exponent a of PaSF [usually 2]"),
        ..Setting::PLAIN
    },
    Setting {
        id: "weights",
        title: "Priority weights p",
        help: "How much the work of some matters in AWF, AWQ and PᵃSF (METRICS §IV): user=ann:3, queue=2:0.5, account=4:0. Who is \
               in several of the groups weighs their product",
        what: "groups with weights",
        section: Section::Parameters,
        kind: Kind::Weights { get: |study| &study.measure.weights, set: |study| &mut study.measure.weights },
        usual: |_| "1 for all jobs".to_owned(),
        option: CommandOption::new(
            "weights",
            "GROUP:P",
            Commands::OfRuns,
            "Priority weights p of jobs in AWF, AWQ and PaSF, as in user=ann:3,queue=2:0.5, of the groups that --only takes; \
             who is in several weighs their product [usually 1 for all]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "norm",
        title: "p of the l_p norm",
        help: "1 is the sum of the response times; the larger, the more the longest weigh",
        what: "p of the l_p norm",
        section: Section::Parameters,
        kind: Kind::Real {
            range: NORM_RANGE,
            unit: Unit::None,
            empty: Empty::Never,
            get: |study| Some(study.measure.norm),
            set: |study, p| put(&mut study.measure.norm, p),
        },
        metric: Some(Metric::Lp),
        option: CommandOption::new(
            "norm",
            "P",
            Commands::OfRuns,
            "p of the l_p norm of response times, Lp [usually 2]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "sldww",
        title: "Bound τ of SLDwW",
        help: "Run times below it count as this long: 60 or 300 s in DYNP",
        what: "the bound τ of SLDwW",
        section: Section::Parameters,
        kind: Kind::Real {
            range: BOUND_RANGE,
            unit: Unit::Named("s"),
            empty: Empty::Never,
            get: |study| Some(study.measure.sldww_bound),
            set: |study, bound| put(&mut study.measure.sldww_bound, bound),
        },
        metric: Some(Metric::Sldww),
        option: CommandOption::new(
            "sldww",
            "SECONDS",
            Commands::OfRuns,
            "Bound τ of the width-weighted slowdown SLDwW, seconds [usually 60]",
        ),
        ..Setting::PLAIN
    },
];

/// Sets a number; `None` changes nothing, because the number cannot be missing.
fn put(place: &mut f64, number: Option<f64>) {
    *place = number.unwrap_or(*place);
}
