//! Which of a log's jobs are taken: a range of time, users, queues, partitions.

use super::*;
use crate::limits::GENERATED_RANGE;
use packfair_workload::like::{ALPHA_RANGE, Analysis, BETA_RANGE, Likeness, P0_RANGE};
use packfair_workload::{QueueChoice, UserShare};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "from",
        title: "From",
        help: "Jobs submitted at this time or later: a date, or seconds from the log's beginning",
        what: "a time of the filter",
        section: Section::Filter,
        kind: Kind::Moment {
            get: |study| study.treatment.filter.from,
            set: |study, time| study.treatment.filter.from = time,
        },
        usual: |_| "first job".to_owned(),
        told: |setting, study, facts| {
            study.treatment.filter.from.map(|_| format!("from {}", setting.text(study, facts)))
        },
        option: CommandOption::new(
            "from",
            "TIME",
            Commands::OfLogs,
            "Only jobs submitted at this time or later: a date (2026-01-31, \"2026-01-31 14:30\") on the clock of the log's \
             place, or seconds from the log's beginning",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "until",
        title: "Until",
        help: "Jobs submitted before this time: a date, or seconds from the log's beginning",
        what: "a time of the filter",
        section: Section::Filter,
        kind: Kind::Moment {
            get: |study| study.treatment.filter.until,
            set: |study, time| study.treatment.filter.until = time,
        },
        usual: |_| "last job".to_owned(),
        told: |setting, study, facts| {
            study.treatment.filter.until.map(|_| format!("until {}", setting.text(study, facts)))
        },
        option: CommandOption::new(
            "until",
            "TIME",
            Commands::OfLogs,
            "Only jobs submitted before this time, given likewise",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "users",
        title: "Users",
        help: "Names or numbers of users, separated by commas",
        what: "users in the filter",
        kind: Kind::Members {
            of: Members {
                one: "user",
                label: "User",
                known: |summary| {
                    let choice =
                        |user: &UserShare| QueueChoice { id: user.user, jobs: user.jobs, name: user.name.clone() };
                    summary.top_users.iter().map(choice).collect()
                },
            },
            get: |study| &study.treatment.filter.users,
            set: |study| &mut study.treatment.filter.users,
        },
        option: CommandOption::new(
            "users",
            "LIST",
            Commands::OfLogs,
            "Only jobs of these users, by number or by name: 3,17 or ann,bob",
        ),
        ..LIST
    },
    Setting {
        id: "queues",
        title: "Queues",
        help: "Names or numbers of queues, separated by commas",
        what: "queues in the filter",
        kind: Kind::Members {
            of: Members { one: "queue", label: "Queue", known: |summary| summary.queues.clone() },
            get: |study| &study.treatment.filter.queues,
            set: |study| &mut study.treatment.filter.queues,
        },
        option: CommandOption::new("queues", "LIST", Commands::OfLogs, "Only jobs of these queues"),
        ..LIST
    },
    Setting {
        id: "partitions",
        title: "Partitions",
        help: "Names or numbers of partitions, separated by commas",
        what: "partitions in the filter",
        kind: Kind::Members {
            of: Members { one: "partition", label: "Partition", known: |summary| summary.partitions.clone() },
            get: |study| &study.treatment.filter.partitions,
            set: |study| &mut study.treatment.filter.partitions,
        },
        option: CommandOption::new(
            "partitions",
            "LIST",
            Commands::OfLogs,
            "Only jobs of these partitions, as one machine",
        ),
        ..LIST
    },
    Setting {
        id: "each-partition",
        title: "Each partition by itself",
        help: "Each is a machine of its own, with a row for each run",
        section: Section::Filter,
        kind: Kind::Switch {
            get: |study| !study.partitions.is_empty(),
            set: |study, is_on, facts| {
                study.partitions = if is_on { facts.partitions_apart(study) } else { Vec::new() };
            },
        },
        is_offered: |_, facts| facts.partitions().len() > 1,
        option: CommandOption::new(
            "each-partition",
            "",
            Commands::Run,
            "Take each partition by itself, as a machine of its own: each run has a row for each of them, of --partitions \
             where some are named, else of all",
        ),
        ..Setting::PLAIN
    },
];

/// What the lists of users, queues and partitions have in common.
const LIST: Setting = Setting {
    section: Section::Filter,
    usual: |_| "all".to_owned(),
    told: |setting, study, _| {
        let Kind::Members { get, .. } = &setting.kind else { return None };
        let numbers: Vec<String> = get(study).iter().map(i32::to_string).collect();
        (!numbers.is_empty()).then(|| format!("{} {}", setting.option.name, numbers.join(", ")))
    },
    ..Setting::PLAIN
};

// Jobs made like the log's (DYNP §4): how many, and how they follow each other.

pub(super) const LIKE: &[Setting] = &[
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
