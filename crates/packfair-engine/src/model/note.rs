//! What a scheduler reports besides starts: named counts, values of jobs, and values that change over time.

use packfair_workload::{JobId, Seconds};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The name of a note. Families list theirs in their catalogue line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NoteId(pub &'static str);

impl NoteId {
    /// The start guaranteed to a job at its submission (FAIRNESS §2); a value of each job.
    pub const PROMISE: NoteId = NoteId("promise");
    /// Guaranteed starts that became impossible and were replaced by later ones; a count.
    pub const REMADE: NoteId = NoteId("remade");
    /// Executions that were killed (CLASSIFY §5.2); a count, reported by schedulers that may kill.
    pub const KILLS: NoteId = NoteId("kills");
    /// Jobs that a scheduler would have refused as they were submitted, though by the log they ran; a count.
    pub const REFUSED: NoteId = NoteId("refused");
    /// Jobs that ran as a forecast began on nodes that are named and have no room for them; a count.
    pub const ELSEWHERE: NoteId = NoteId("elsewhere");
    /// Times that running jobs were suspended; a count.
    pub const SUSPENSIONS: NoteId = NoteId("suspensions");
    /// How long they were in all, seconds.
    pub const SUSPENDED: NoteId = NoteId("suspended");
    /// A lower bound of all schedules of the workload, in the unit of the objective of an off-line schedule (CP §4).
    pub const LOWER_BOUND: NoteId = NoteId("lower_bound");
    /// Nodes that were switched on for jobs; a count, where idle nodes are switched off.
    pub const BOOTS: NoteId = NoteId("boots");
    /// The seconds that jobs waited for nodes to be switched on, all jobs together; a count.
    pub const BOOT_WAIT: NoteId = NoteId("boot_wait");
    /// How many nodes were off; a course for each cell.
    pub const NODES_OFF: NoteId = NoteId("nodes_off");
    /// How many nodes were held by jobs that had not begun; a course for each cell.
    pub const NODES_BOOTING: NoteId = NoteId("nodes_booting");
    /// Why a job was classified as small or large, as its classifier encodes it; a value of each job where there is a
    /// classifier.
    pub const BECAUSE: NoteId = NoteId("because");
    /// The importance of each feature for a learned classifier, week by week (CLASSIFY Fig. 5); a course for each
    /// feature.
    pub const IMPORTANCE: NoteId = NoteId("importance");
}

/// A value that changes over time: each entry holds from its time until that of the next.
pub type NoteSeries = Vec<(Seconds, f64)>;

/// All that a scheduler reported in a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Notes {
    counts: BTreeMap<String, f64>,
    jobs: BTreeMap<String, Vec<Seconds>>,
    courses: BTreeMap<String, NoteSeries>,
}

impl Notes {
    /// Sets a count of the whole run.
    pub fn set(&mut self, note: NoteId, value: f64) {
        self.counts.insert(note.0.to_owned(), value);
    }

    /// Sets a part of a count, such as that of one policy.
    pub fn set_part(&mut self, note: NoteId, part: &str, value: f64) {
        self.counts.insert(format!("{}.{part}", note.0), value);
    }

    /// The parts of a count, by name.
    pub fn parts(&self, note: NoteId) -> impl Iterator<Item = (&str, f64)> {
        self.counts.iter().filter_map(move |(name, &value)| {
            let part = name.strip_prefix(note.0)?.strip_prefix('.')?;
            Some((part, value))
        })
    }

    pub fn count(&self, note: NoteId) -> Option<f64> {
        self.counts.get(note.0).copied()
    }

    pub fn counts(&self) -> impl Iterator<Item = (&str, f64)> {
        self.counts.iter().map(|(name, &value)| (name.as_str(), value))
    }

    /// Sets a value of a job, unless it has one. Jobs without a value have [`Seconds::MIN`].
    pub fn set_of_job(&mut self, note: NoteId, job: JobId, value: Seconds) {
        let column = match self.jobs.get_mut(note.0) {
            Some(column) => column,
            None => self.jobs.entry(note.0.to_owned()).or_default(),
        };
        if column.len() <= job.index() {
            column.resize(job.index() + 1, Seconds::MIN);
        }
        if column[job.index()] == Seconds::MIN {
            column[job.index()] = value;
        }
    }

    pub fn set_of_jobs(&mut self, note: NoteId, values: Vec<Seconds>) {
        self.jobs.insert(note.0.to_owned(), values);
    }

    /// The values of jobs in log order, [`Seconds::MIN`] for a job without one; empty if there are none at all.
    pub fn of_jobs(&self, note: NoteId) -> &[Seconds] {
        self.jobs.get(note.0).map_or(&[], Vec::as_slice)
    }

    pub fn of_job(&self, note: NoteId, job: JobId) -> Option<Seconds> {
        self.of_jobs(note).get(job.index()).copied().filter(|&value| value != Seconds::MIN)
    }

    pub fn columns(&self) -> impl Iterator<Item = (&str, &[Seconds])> {
        self.jobs.iter().map(|(name, column)| (name.as_str(), column.as_slice()))
    }

    pub fn courses(&self) -> impl Iterator<Item = (&str, &[(Seconds, f64)])> {
        self.courses.iter().map(|(name, course)| (name.as_str(), course.as_slice()))
    }

    /// Sets how a value changed over time.
    pub fn set_course(&mut self, note: NoteId, course: NoteSeries) {
        self.courses.insert(note.0.to_owned(), course);
    }

    /// Sets how a part of a note changed over time, such as the importance of one feature.
    pub fn set_course_part(&mut self, note: NoteId, part: &str, course: NoteSeries) {
        self.courses.insert(format!("{}.{part}", note.0), course);
    }

    pub fn course_parts(&self, note: NoteId) -> impl Iterator<Item = (&str, &[(Seconds, f64)])> {
        self.courses().filter_map(move |(name, course)| Some((name.strip_prefix(note.0)?.strip_prefix('.')?, course)))
    }

    pub fn course(&self, note: NoteId) -> &[(Seconds, f64)] {
        self.courses.get(note.0).map_or(&[], Vec::as_slice)
    }
}

// The lines that a scheduler written by a person prints.

const MOST: usize = 500;

/// The most characters of a line that are kept.
const LONGEST: usize = 200;

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PrintedLine {
    /// The instant at which it was printed, by the log's clock.
    pub at: Seconds,
    pub text: String,
}

/// All lines that a run has printed.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Printed {
    pub lines: Vec<PrintedLine>,
    /// How many further lines were printed.
    pub others: u64,
}

impl Printed {
    pub fn push(&mut self, at: Seconds, text: &str) {
        if self.lines.len() < MOST {
            self.lines.push(PrintedLine { at, text: text.chars().take(LONGEST).collect() });
        } else {
            self.others += 1;
        }
    }
}

// The names of the notes that single families write: known to these families and to the metrics that read the notes.

/// Notes of dynP (DYNP Tables 4 to 6).
pub mod dynp {
    use crate::model::NoteId;

    /// Jobs started under each policy; in parts by policy.
    pub const STARTED: NoteId = NoteId("started");
    /// Decisions for a policy; a count.
    pub const TRIES: NoteId = NoteId("tries");
    /// Tries that ended with another policy than before; in parts by the policy after.
    pub const SWITCHES: NoteId = NoteId("switches");
    /// Tries that ended with the policy before; a count.
    pub const SAME_POLICY: NoteId = NoteId("same_policy");
    /// Jobs that waited at the tries; a sum.
    pub const BACKLOG: NoteId = NoteId("backlog");
    /// How often each case of DYNP Table 1 occurred; in parts by case.
    pub const CASES: NoteId = NoteId("case");
    /// Tries in which the two deciders would choose differently; a count.
    pub const DIFFERING: NoteId = NoteId("deciders_differ");
    /// The policy in force, as its place among all policies of dynP; a course.
    pub const POLICY: NoteId = NoteId("policy");
}

/// What idled on nodes of which the rest was taken, while jobs waited.
pub mod stranded {
    use crate::model::NoteId;

    /// The resources that are told apart.
    pub const RESOURCES: [&str; 3] = ["processors", "gpus", "memory"];
    /// What is in the way of a job that wants a node for itself.
    pub const OTHERS: &str = "others";
    /// How much of each resource idled, times seconds; sums.
    pub const IDLE: [NoteId; 3] = [NoteId("idle_processors"), NoteId("idle_gpus"), NoteId("idle_memory")];
    /// How much of that no waiting job could use, because the rest of its node was taken; sums.
    pub const STRANDED: [NoteId; 3] =
        [NoteId("stranded_processors"), NoteId("stranded_gpus"), NoteId("stranded_memory")];
    /// The nodes on which that was, the processors held there and those that they have, in the mean; in parts by the
    /// resource, what was in the way, and which of the three.
    pub const BEHIND: NoteId = NoteId("stuck_behind");
}

// The class of a job by its size (CLASSIFY §3.3).

/// Whether a job is classified as small or large.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Class {
    /// The run time is below the divider.
    Small,
    /// The run time is not below the divider, or nothing says that it is.
    #[default]
    Large,
}

impl Class {
    /// Small if `is_small` is true, otherwise large.
    pub fn small_if(is_small: bool) -> Self {
        if is_small { Class::Small } else { Class::Large }
    }

    /// The class of a run time, given the divider: small if it is below.
    pub fn of(run: Seconds, divider: Seconds) -> Self {
        Class::small_if(run < divider)
    }

    pub fn is_small(self) -> bool {
        self == Class::Small
    }
}

/// The class of a job and the divider that was in force at its submission.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SizeClass {
    pub class: Class,
    /// Run times below this are small, seconds; none in the first week, when nothing is known.
    pub divider: Option<Seconds>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_value_of_a_job_stands() {
        let mut notes = Notes::default();
        notes.set_of_job(NoteId::PROMISE, JobId(2), 50);
        notes.set_of_job(NoteId::PROMISE, JobId(2), 40);
        notes.set_of_job(NoteId::PROMISE, JobId(0), 10);
        assert_eq!(notes.of_jobs(NoteId::PROMISE), [10, Seconds::MIN, 50]);
        assert_eq!(
            (notes.of_job(NoteId::PROMISE, JobId(1)), notes.of_job(NoteId::PROMISE, JobId(2))),
            (None, Some(50))
        );
        assert!(notes.of_jobs(NoteId::REMADE).is_empty());
    }
}
