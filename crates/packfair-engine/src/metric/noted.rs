//! Metrics that are notes of a scheduler: its counts, as columns.
//!
//! They are lines of a table, not variants of [`Metric`]: a family that reports more notes adds lines here. A metric
//! has no value for schedulers that do not report its note.

use super::{About, Aim};
use crate::model::note::dynp as notes;
use crate::model::note::stranded::{IDLE, STRANDED};
use crate::model::{NoteId, Notes};
use packfair_workload::UnitText;

/// The index of a line in the table of notes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Noted(pub(super) u8);

struct NotedMetric {
    count: NotedCount,
    id: &'static str,
    name: &'static str,
    help: &'static str,
    formula: &'static str,
    unit: &'static str,
    source: &'static str,
    aim: Aim,
}

enum NotedCount {
    Of(NoteId),
    Part(NoteId, &'static str),
    Each(NoteId, NoteId),
}

const TABLE_4: &str = "DYNP Table 4";
const TABLE_5: &str = "DYNP Table 5";
const TABLE_6: &str = "DYNP Table 6";
const POWER_GUIDE: &str = "Slurm power saving guide";
const SUSPENSION: &str = "slurm.conf(5), PreemptMode";
const STARTED: &str = "jobs started while this was the policy";
const SWITCHES: &str = "tries after which this was the policy and before which it was not";

const fn line(
    count: NotedCount,
    id: &'static str,
    name: &'static str,
    help: &'static str,
    source: &'static str,
) -> NotedMetric {
    NotedMetric { count, id, name, help, formula: "count", unit: "", source, aim: Aim::None }
}

const fn started(policy: &'static str, id: &'static str, name: &'static str) -> NotedMetric {
    NotedMetric { unit: "jobs", ..line(NotedCount::Part(notes::STARTED, policy), id, name, STARTED, TABLE_4) }
}

const fn switches(policy: &'static str, id: &'static str, name: &'static str) -> NotedMetric {
    line(NotedCount::Part(notes::SWITCHES, policy), id, name, SWITCHES, TABLE_5)
}

const fn stranded(resource: usize, id: &'static str, name: &'static str, help: &'static str) -> NotedMetric {
    NotedMetric {
        formula: "∫ stranded dt / ∫ idle dt, while jobs wait",
        aim: Aim::Low,
        ..line(NotedCount::Each(STRANDED[resource], IDLE[resource]), id, name, help, "Slurm")
    }
}

const fn case(case: &'static str, id: &'static str, name: &'static str, help: &'static str) -> NotedMetric {
    line(NotedCount::Part(notes::CASES, case), id, name, help, TABLE_6)
}

/// All lines. New lines go to the end: within this version a metric is identified by its index, elsewhere by its id.
const LINES: &[NotedMetric] = &[
    started("fcfs", "dynp_started_fcfs", "Under FCFS"),
    started("sjf", "dynp_started_sjf", "Under SJF"),
    started("ljf", "dynp_started_ljf", "Under LJF"),
    line(
        NotedCount::Of(notes::TRIES),
        "dynp_tries",
        "Tries",
        "decisions for a policy: rounds in which at least two jobs wait (basic dynP: rounds with an arrival and five)",
        TABLE_5,
    ),
    switches("fcfs", "dynp_to_fcfs", "To FCFS"),
    switches("sjf", "dynp_to_sjf", "To SJF"),
    switches("ljf", "dynp_to_ljf", "To LJF"),
    line(
        NotedCount::Of(notes::SAME_POLICY),
        "dynp_same_policy",
        "Same policy",
        "tries that left the policy as it was",
        TABLE_5,
    ),
    NotedMetric {
        unit: "jobs",
        formula: "Σ backlog / tries",
        ..line(
            NotedCount::Each(notes::BACKLOG, notes::TRIES),
            "dynp_backlog",
            "Mean backlog",
            "jobs that wait at a try, before any starts",
            TABLE_5,
        )
    },
    case("1", "dynp_case_1", "Case 1", "all three plans are equally good"),
    case("2&7", "dynp_case_2_7", "Cases 2, 7", "SJF is better than both others"),
    case("3&9", "dynp_case_3_9", "Cases 3, 9", "FCFS is better than both others"),
    case("4a", "dynp_case_4a", "Case 4a", "LJF is better than both others, of which FCFS is the better"),
    case("4b&5", "dynp_case_4b_5", "Cases 4b, 5", "LJF is better than both others, which are equal"),
    case("4c", "dynp_case_4c", "Case 4c", "LJF is better than both others, of which SJF is the better"),
    case("6a", "dynp_case_6a", "Case 6a", "FCFS and SJF are the best, FCFS is current"),
    case("6b", "dynp_case_6b", "Case 6b", "FCFS and SJF are the best, SJF is current"),
    case("6c", "dynp_case_6c", "Case 6c", "FCFS and SJF are the best, LJF is current"),
    case("8a", "dynp_case_8a", "Case 8a", "FCFS and LJF are the best, FCFS is current"),
    case("8b", "dynp_case_8b", "Case 8b", "FCFS and LJF are the best, SJF is current"),
    case("8c", "dynp_case_8c", "Case 8c", "FCFS and LJF are the best, LJF is current"),
    case("10a", "dynp_case_10a", "Case 10a", "SJF and LJF are the best, FCFS is current"),
    case("10b", "dynp_case_10b", "Case 10b", "SJF and LJF are the best, SJF is current"),
    case("10c", "dynp_case_10c", "Case 10c", "SJF and LJF are the best, LJF is current"),
    line(
        NotedCount::Of(notes::DIFFERING),
        "dynp_deciders_differ",
        "Deciders differ",
        "tries in which the simple and the advanced decider would choose differently",
        TABLE_6,
    ),
    started("saf", "dynp_started_saf", "Under SAF"),
    started("laf", "dynp_started_laf", "Under LAF"),
    started("spf", "dynp_started_spf", "Under SPF"),
    started("srf", "dynp_started_srf", "Under SRF"),
    started("lrf", "dynp_started_lrf", "Under LRF"),
    started("wfp", "dynp_started_wfp", "Under WFP"),
    started("lxf", "dynp_started_lxf", "Under LXF"),
    switches("saf", "dynp_to_saf", "To SAF"),
    switches("laf", "dynp_to_laf", "To LAF"),
    switches("spf", "dynp_to_spf", "To SPF"),
    switches("srf", "dynp_to_srf", "To SRF"),
    switches("lrf", "dynp_to_lrf", "To LRF"),
    switches("wfp", "dynp_to_wfp", "To WFP"),
    switches("lxf", "dynp_to_lxf", "To LXF"),
    NotedMetric {
        formula: "the greater of two bounds",
        ..line(
            NotedCount::Of(NoteId::LOWER_BOUND),
            "lower_bound",
            "Lower bound",
            "what no schedule is below in the objective of an off-line row, every job counted: each job alone, or jobs that \
             are cut up",
            "CP §4",
        )
    },
    started("unicef", "dynp_started_unicef", "Under UNICEF"),
    started("f1", "dynp_started_f1", "Under F1"),
    started("f2", "dynp_started_f2", "Under F2"),
    started("f3", "dynp_started_f3", "Under F3"),
    started("f4", "dynp_started_f4", "Under F4"),
    switches("unicef", "dynp_to_unicef", "To UNICEF"),
    switches("f1", "dynp_to_f1", "To F1"),
    switches("f2", "dynp_to_f2", "To F2"),
    switches("f3", "dynp_to_f3", "To F3"),
    switches("f4", "dynp_to_f4", "To F4"),
    NotedMetric {
        unit: "jobs",
        ..line(
            NotedCount::Of(NoteId::REFUSED),
            "refused",
            "Refused",
            "jobs that Slurm would have refused as they were submitted (MaxTime, MaxNodes, MaxWall, MaxTRES, MaxSubmit); by \
             the log they ran, and they do here",
            "slurm.conf(5), sacctmgr(1)",
        )
    },
    started("formula1", "dynp_started_formula1", "Under formula 1"),
    started("formula2", "dynp_started_formula2", "Under formula 2"),
    started("formula3", "dynp_started_formula3", "Under formula 3"),
    started("formula4", "dynp_started_formula4", "Under formula 4"),
    switches("formula1", "dynp_to_formula1", "To formula 1"),
    switches("formula2", "dynp_to_formula2", "To formula 2"),
    switches("formula3", "dynp_to_formula3", "To formula 3"),
    switches("formula4", "dynp_to_formula4", "To formula 4"),
    NotedMetric {
        unit: "nodes",
        ..line(
            NotedCount::Of(NoteId::BOOTS),
            "boots",
            "Boots",
            "nodes that were switched on for jobs, where idle nodes are switched off",
            POWER_GUIDE,
        )
    },
    NotedMetric {
        unit: "s",
        ..line(
            NotedCount::Of(NoteId::BOOT_WAIT),
            "boot_wait",
            "Wait for boots",
            "how long jobs waited for nodes to be switched on, all jobs together",
            POWER_GUIDE,
        )
    },
    stranded(
        0,
        "stranded_processors",
        "Stranded CPUs",
        "share of idle {units} that no waiting job could use, because the memory, GPUs or rest of their node were taken",
    ),
    stranded(
        1,
        "stranded_gpus",
        "Stranded GPUs",
        "share of idle GPUs that no waiting job could use, because the {units}, memory or rest of their node were taken",
    ),
    stranded(
        2,
        "stranded_memory",
        "Stranded memory",
        "share of idle memory that no waiting job could use, because the {units}, GPUs or rest of its node were taken",
    ),
    line(
        NotedCount::Of(NoteId::SUSPENSIONS),
        "suspensions",
        "Suspensions",
        "times that a running job was suspended for another, and went on later",
        SUSPENSION,
    ),
    NotedMetric {
        formula: "mean over suspensions",
        unit: "s",
        ..line(
            NotedCount::Each(NoteId::SUSPENDED, NoteId::SUSPENSIONS),
            "suspension_s",
            "Suspension",
            "mean time for which a job was suspended at once; it is part of its response time, and of neither its wait nor its \
             run time",
            SUSPENSION,
        )
    },
];

pub(super) const COUNT: usize = LINES.len();

impl Noted {
    /// The line of a note, if `part` is empty, or of a part of it; `None` where there is no such line.
    pub(super) fn of_note(note: NoteId, part: &str) -> Option<Noted> {
        let is_it = |line: &NotedMetric| match line.count {
            NotedCount::Of(of) | NotedCount::Each(of, _) => of == note && part.is_empty(),
            NotedCount::Part(of, name) => of == note && name == part,
        };
        LINES.iter().position(is_it).map(|place| Noted(place as u8))
    }

    fn line(self) -> &'static NotedMetric {
        &LINES[usize::from(self.0)]
    }

    /// The line's description for a person.
    pub(super) fn about(self) -> About {
        let NotedMetric { id, name, help, formula, unit, source, aim, .. } = *self.line();
        About { id, name, help: UnitText::new(help), formula, unit, aim, source }
    }

    /// The line's number in the notes of a scheduler; `None` where the scheduler did not report it.
    pub(super) fn value(self, reported: &Notes) -> Option<f64> {
        match self.line().count {
            NotedCount::Of(note) => reported.count(note),
            NotedCount::Part(note, part) => {
                reported.parts(note).find(|(name, _)| *name == part).map(|(_, value)| value)
            }
            NotedCount::Each(note, other) => {
                Some(reported.count(note)? / reported.count(other)?).filter(|mean| mean.is_finite())
            }
        }
    }
}

impl Noted {
    pub(super) const FIRST: Noted = Noted(0);

    /// Whether it counts something, so that its values are whole.
    pub(super) fn is_count(self) -> bool {
        !matches!(self.line().count, NotedCount::Each(..) | NotedCount::Of(NoteId::LOWER_BOUND))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;

    #[test]
    fn they_are_what_was_reported_and_nothing_else() {
        let value = |id: &str, notes: &Notes| match id.parse::<Metric>() {
            Ok(Metric::Noted(noted)) => noted.value(notes),
            other => panic!("{other:?}"),
        };
        let mut reported = Notes::default();
        assert_eq!(value("dynp_tries", &reported), None);
        reported.set(notes::TRIES, 4.0);
        reported.set(notes::BACKLOG, 10.0);
        reported.set_part(notes::STARTED, "sjf", 7.0);
        reported.set_part(notes::CASES, "6b", 3.0);
        assert_eq!(["dynp_tries", "dynp_backlog"].map(|id| value(id, &reported)), [Some(4.0), Some(2.5)]);
        assert_eq!(["dynp_started_sjf", "dynp_started_ljf"].map(|id| value(id, &reported)), [Some(7.0), None]);
        assert_eq!(value("dynp_case_6b", &reported), Some(3.0));
        reported.set(notes::TRIES, 0.0);
        assert_eq!(value("dynp_backlog", &reported), None, "there is no mean of nothing");
    }
}
