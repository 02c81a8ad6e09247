//! How a log's jobs are cleaned and counted, and the machine on which they run.

use super::*;
use crate::format;
use crate::limits::{ANNOUNCED_RANGE, PROCESSOR_RANGE, SHRINK_RANGE};
use packfair_workload::{Cleaning, InitialJobs, Since};

pub(super) const SETTINGS: &[Setting] = &[
    Setting {
        id: "cleaning",
        title: "Cleaning profile",
        section: Section::Cleaning,
        kind: Kind::Choice {
            options: Cleaning::NAMED,
            usual: None,
            shown: Shown::Below,
            get: |study| Some(study.treatment.cleaning.id()),
            set: |study, id| choose(&mut study.treatment.cleaning, id),
        },
        told: Setting::told_value,
        option: CommandOption::new(
            "clean",
            "PROFILE",
            Commands::OfLogs,
            "Cleaning profile: metrics, fairness, raw; of fairness also fairness-cut (run times cut to the request), \
             fairness-raised (requests raised to the run times), and each on the processors used: fairness-used, \
             fairness-cut-used, fairness-raised-used [usually metrics]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "unit",
        title: "Counted in",
        help: "What jobs and the machine are counted in: nodes where most jobs take whole ones, else processors. Jobs \
               without any of it are left out.",
        section: Section::Machine,
        kind: Kind::Choice {
            options: packfair_workload::Unit::NAMED,
            usual: Some(Named::new("", "what fits", "")),
            shown: Shown::List,
            get: |study| study.treatment.unit.map(packfair_workload::Unit::id),
            set: |study, id| {
                let unit = chosen(id);
                if unit != study.treatment.unit {
                    study.treatment.unit = unit;
                    // A size in one unit has no meaning in another.
                    study.treatment.processors = None;
                }
            },
        },
        usual: |facts| facts.unit().plural().to_owned(),
        knows: |facts, id| {
            facts.summary.is_some_and(|summary| summary.counting.known.iter().any(|unit| unit.id() == id))
        },
        is_offered: |_, facts| facts.summary.is_some_and(|summary| summary.counting.known.len() > 1),
        option: CommandOption::new(
            "unit",
            "UNIT",
            Commands::OfLogs,
            "What jobs and the machine are counted in: processors, nodes, gpus [usually nodes where most jobs take whole \
             ones]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "processors",
        title: "Machine size",
        help: "Leave it empty to take the log's own size. Wider jobs are dropped.",
        what: "the machine's size",
        section: Section::Machine,
        kind: Kind::Whole {
            range: counts(&PROCESSOR_RANGE),
            unit: Unit::Machine,
            empty: Empty::Allowed,
            get: |study| study.treatment.processors.map(u64::from),
            set: |study, number| study.treatment.processors = number.map(count),
        },
        usual: |facts| facts.summary.map(|summary| format::whole(summary.machine.processors)).unwrap_or_default(),
        // Partitions that are machines of their own have sizes of their own.
        is_offered: |study, _| study.partitions.is_empty(),
        told: |_, study, facts| {
            let processors = study.treatment.processors?;
            Some(format::size(processors, facts.unit()))
        },
        option: CommandOption::new(
            "procs",
            "N",
            Commands::OfLogs,
            "Processors of the machine, where the log does not say or should not be believed",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "machine-plus",
        title: "What if",
        help: "Further machines, a row each for every run: nodes=+20 cell=gpu (or from=2026-02-03), a maintenance window \
               (nodes=-20 from=... until=... announced=... what=kill), memory=x2, partition=batch cells=cpu+gpu. Several \
               behind semicolons; what is otherwise together, behind commas.",
        usual: |_| "such as nodes=+20".to_owned(),
        what: "what if",
        section: Section::Machine,
        kind: Kind::WhatIfs { get: |study| &study.what_ifs, set: |study| &mut study.what_ifs },
        told: |_, study, _| match study.what_ifs.len() {
            0 => None,
            count => Some(format!("{} machines", 1 + count)),
        },
        option: CommandOption::new(
            "machine-plus",
            "WHAT",
            Commands::OfRuns,
            "What if the machine were otherwise, a row each for every run: 'nodes=+20 cell=gpu from=2026-02-03', \
             'nodes=-20 from=... until=... announced=... what=kill' (a maintenance window), 'memory=x2', 'partition=batch \
             cells=cpu+gpu'; behind commas several at once. May be given again (docs/machine.md)",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "announced",
        title: "Reservations known",
        help: "How long before they begin, of those of which the Slurm site's files do not tell when they were made \
               (scontrol does not): 7d, 12h. Until it is known, jobs start that run into it.",
        what: "how long before reservations are known",
        section: Section::Machine,
        kind: Kind::Span {
            range: ANNOUNCED_RANGE,
            get: |study| study.treatment.announced,
            set: |study, span| study.treatment.announced = span,
        },
        usual: |_| "from the first job on".to_owned(),
        is_offered: |study, _| !study.treatment.site.is_empty(),
        told: |setting, study, facts| {
            study.treatment.announced.map(|_| format!("reservations known {} before", setting.text(study, facts)))
        },
        option: CommandOption::new(
            "announced",
            "SPAN",
            Commands::OfLogs,
            "How long before they begin reservations are known of which a Slurm site's files do not tell when they were \
             made: 7d, 12h [usually from the log's first job on]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "since",
        title: "A job waits since",
        help: "Eligible: no hold and no dependency kept it any more",
        section: Section::Load,
        kind: Kind::Choice {
            options: Since::NAMED,
            usual: None,
            shown: Shown::List,
            get: |study| Some(study.treatment.since.id()),
            set: |study, id| choose(&mut study.treatment.since, id),
        },
        is_offered: |_, facts| facts.summary.is_some_and(|summary| summary.counting.tells_eligible),
        option: CommandOption::new(
            "since",
            "WHEN",
            Commands::OfLogs,
            "Since when a job waits: submit, or eligible (held by nobody and by no dependency any more) [usually submit]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "initial",
        title: "Jobs under way at the beginning",
        help: "Jobs from before the log's first moment, or before the filter's: who runs then holds its part until it ends, \
               and is left out of averages. A dump of accounting that begins with jobs under way is read so.",
        section: Section::Load,
        kind: Kind::Choice {
            options: InitialJobs::NAMED,
            usual: Some(Named::new("", "what fits the log", "")),
            shown: Shown::List,
            get: |study| study.treatment.initial.map(InitialJobs::id),
            set: |study, id| study.treatment.initial = chosen(id),
        },
        option: CommandOption::new(
            "initial",
            "WHICH",
            Commands::OfLogs,
            "What becomes of jobs from before the log's first moment, or before --from: held (who runs then holds its \
             processors until it ends; neither these nor who waits then count), or ordinary [usually held in a dump of \
             accounting that begins with jobs under way]",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "split-width",
        title: "Widest job",
        help: "Wider jobs are split up into several, none wider than this and as equally wide as can be, so that the area of \
               all jobs stays (DYNP §4). Leave it empty to take jobs as they are.",
        what: "the width of the widest job",
        section: Section::Load,
        kind: Kind::Whole {
            range: counts(&PROCESSOR_RANGE),
            unit: Unit::Machine,
            empty: Empty::Allowed,
            get: |study| study.treatment.split.map(u64::from),
            set: |study, number| study.treatment.split = number.map(count),
        },
        usual: |_| "as in the log".to_owned(),
        told: |_, study, facts| {
            let widest = study.treatment.split?;
            Some(format!("jobs of {} {} at most", format::whole(widest), facts.unit().plural()))
        },
        option: CommandOption::new(
            "split-width",
            "N",
            Commands::OfLogs,
            "Split up wider jobs into several of N processors at most, so that the area of all jobs stays (DYNP §4)",
        ),
        ..Setting::PLAIN
    },
    Setting {
        id: "shrink",
        title: "Shrinking factors",
        help: "Every time between two submissions is multiplied by it: 0.8 means 25 % more load. Several, as 1, 0.9, 0.8, \
               make a row each, and charts against the load.",
        what: "shrinking factor",
        section: Section::Load,
        kind: Kind::Reals {
            range: SHRINK_RANGE,
            unit: Unit::Comment(loads),
            get: Study::all_shrinks,
            set: Study::set_shrinks,
        },
        told: |_, study, _| Some(loads(study)),
        option: CommandOption::new(
            "shrink",
            "LIST",
            Commands::Run,
            "Multiply every inter-arrival time: 0.8 is 25 % more load; several make a row each: 1,0.9,0.8 [usually 1]",
        ),
        ..Setting::PLAIN
    },
];

/// How far shrinking factors raise the load, for the section's head; empty where they do not change it.
fn loads(study: &Study) -> String {
    match study.all_shrinks()[..] {
        [1.0] => String::new(),
        [one] => format!("load x {}", format::factor(1.0 / one)),
        ref several => format!("{} loads", several.len()),
    }
}
