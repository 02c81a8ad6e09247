//! Jobs made like the log's (DYNP §4): how many, and how they follow each other.

use super::*;
use crate::limits::GENERATED_RANGE;
use packfair_workload::like::{ALPHA_RANGE, Analysis, BETA_RANGE, Likeness, P0_RANGE};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "like-jobs",
        title: "Jobs",
        what: "the number of jobs to make",
        kind: Kind::Whole {
            range: counts(&GENERATED_RANGE),
            unit: Unit::None,
            empty: Empty::Never,
            get: |study| study.treatment.like.map(|like| like.jobs.into()),
            set: |study, jobs| change(study, |like| like.jobs = jobs.map_or(like.jobs, count)),
        },
        told: |setting, study, facts| study.treatment.like.map(|_| format!("{} jobs", setting.text(study, facts))),
        option: CommandOption::new("jobs", "N", Commands::Like, "How many jobs").required(),
        ..PART
    },
    Setting {
        id: "like-seed",
        title: "Seed",
        help: "The same seed gives the same jobs everywhere",
        kind: Kind::Seed {
            get: |study| study.treatment.like.map(|like| like.seed),
            set: |study, seed| change(study, |like| like.seed = seed),
        },
        option: CommandOption::new("seed", "S", Commands::Like, "Seed of the random numbers [usually 1]"),
        ..PART
    },
    Setting {
        id: "like-alpha",
        title: "alpha",
        help: "Shape of the Weibull law of gaps above 0 s; empty: the log's own",
        what: "alpha",
        kind: Kind::Real {
            range: ALPHA_RANGE,
            unit: Unit::None,
            empty: Empty::WhereUsual,
            get: |study| study.treatment.like?.arrivals.alpha,
            set: |study, alpha| change(study, |like| like.arrivals.alpha = alpha),
        },
        usual: |facts| own(facts, |log| log.fit.as_ref().ok().map(|fit| format!("{:.6}", fit.law.alpha))),
        option: CommandOption::new(
            "alpha",
            "SHAPE",
            Commands::Like,
            "Shape of the Weibull law of times between submissions; the log's own where nothing is said",
        ),
        ..PART
    },
    Setting {
        id: "like-beta",
        title: "beta",
        help: "Scale of that law; empty: the log's own",
        what: "beta",
        kind: Kind::Real {
            range: BETA_RANGE,
            unit: Unit::Named("s"),
            empty: Empty::WhereUsual,
            get: |study| study.treatment.like?.arrivals.beta,
            set: |study, beta| change(study, |like| like.arrivals.beta = beta),
        },
        usual: |facts| own(facts, |log| log.fit.as_ref().ok().map(|fit| format!("{:.4}", fit.law.beta))),
        option: CommandOption::new(
            "beta",
            "SECONDS",
            Commands::Like,
            "Its scale, seconds; the log's own where nothing is said",
        ),
        ..PART
    },
    Setting {
        id: "like-p0",
        title: "p0",
        help: "Share of jobs that are submitted together with the one before; empty: the log's own",
        what: "p0",
        kind: Kind::Real {
            range: P0_RANGE,
            unit: Unit::None,
            empty: Empty::Allowed,
            get: |study| study.treatment.like?.arrivals.p0,
            set: |study, p0| change(study, |like| like.arrivals.p0 = p0),
        },
        usual: |facts| own(facts, |log| Some(format!("{:.7}", log.p0))),
        option: CommandOption::new(
            "p0",
            "SHARE",
            Commands::Like,
            "Share of jobs that come together with the one before; the log's own where nothing is said",
        ),
        ..PART
    },
];

/// What these settings have in common: they have a meaning where jobs are made.
const PART: Setting =
    Setting { section: Section::Like, is_offered: |study, _| study.treatment.like.is_some(), ..Setting::PLAIN };

/// Changes how the jobs are made, where they are made.
fn change(study: &mut Study, change: impl FnOnce(&mut Likeness)) {
    if let Some(like) = &mut study.treatment.like {
        change(like);
    }
}

/// The value that the log's own jobs give, by maximum likelihood.
fn own(facts: &LogFacts, of: fn(&Analysis) -> Option<String>) -> String {
    facts.whole().and_then(|log| of(&log.arrivals)).unwrap_or_default()
}
