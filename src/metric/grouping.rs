//! By what jobs are grouped.

use crate::workload::{Clock, Header, JobId, Request, Seconds, Workload, width_bounds, width_class};
use serde::{Deserialize, Serialize};

/// The beginnings of the classes of run times, seconds, and their names. A class reaches to the beginning of the next
/// one.
pub const RUN_TIMES: [(Seconds, &str); 7] = [
    (0, "below 1 min"),
    (60, "1 to 10 min"),
    (600, "10 to 60 min"),
    (3_600, "1 to 4 h"),
    (14_400, "4 to 12 h"),
    (43_200, "12 to 24 h"),
    (86_400, "24 h and more"),
];

/// The longest run times of the classes of DYNP §5.2, seconds, and their names; the last class has all longer run
/// times.
pub const OF_DYNP: [(Seconds, &str); 5] = [
    (300, "up to 5 min"),
    (600, "5 to 10 min"),
    (3_600, "10 to 60 min"),
    (43_200, "1 to 12 h"),
    (Seconds::MAX, "above 12 h"),
];

const WEEK: Seconds = 7 * 86_400;

/// By what jobs are grouped.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Grouping {
    #[default]
    Partition,
    /// The log's group; in logs of Slurm and PBS that is the account.
    Account,
    User,
    /// The width: 1, 2, 3 to 4, 5 to 8, ... processors.
    Width,
    /// The run time D, by [`RUN_TIMES`].
    RunTime,
    /// The run time D, in the classes of DYNP §5.2, by [`OF_DYNP`].
    #[serde(rename = "runtime-dynp")]
    RunTimeDynp,
    /// The hour of day of the submission, on the log's local clock.
    Hour,
    Queue,
    /// The week of the submission, counted from the beginning of the log's clock.
    Week,
}

crate::named!(Grouping, "grouping", {
    Partition => "partition", "Partition", "";
    Queue => "queue", "Queue", "";
    Account => "account", "Account", "";
    User => "user", "User", "";
    Width => "width", "Width", "";
    RunTime => "runtime", "Run time", "";
    RunTimeDynp => "runtime-dynp", "Run time (DYNP)", "";
    Hour => "hour", "Hour of submission", "";
    Week => "week", "Week", "";
});

impl Grouping {
    /// What a log with this header calls the grouping: "QOS" where its jobs have a QOS and no queue.
    pub fn called(self, header: &Header) -> &str {
        match self.header_label() {
            Some(label @ ("Group" | "Queue")) => header.word(label),
            _ => self.name(),
        }
    }

    /// The grouping of this id, or that which a log with this header calls so.
    pub fn read(text: &str, header: &Header) -> Option<Self> {
        let is_called_so = |by: &Grouping| by.called(header).eq_ignore_ascii_case(text);
        text.parse().ok().or_else(|| Grouping::ALL.into_iter().find(is_called_so))
    }

    /// The header's label for the names of the groups, where a log may have names.
    pub fn header_label(self) -> Option<&'static str> {
        match self {
            Grouping::Partition => Some("Partition"),
            Grouping::Account => Some("Group"),
            Grouping::User => Some("User"),
            Grouping::Queue => Some("Queue"),
            Grouping::Width | Grouping::RunTime | Grouping::RunTimeDynp | Grouping::Hour | Grouping::Week => None,
        }
    }

    /// The value by which a group is named: its smallest width, its shortest run time, or its number.
    pub(super) fn first_of(self, group: i64) -> i64 {
        match self {
            Grouping::Width => width_bounds(group.clamp(0, 32) as u32).0.into(),
            Grouping::RunTime => RUN_TIMES.get(group as usize).map_or(0, |(from, _)| *from),
            // A class begins a second after the longest run time of the class before it.
            Grouping::RunTimeDynp => match usize::try_from(group - 1).ok().and_then(|before| OF_DYNP.get(before)) {
                Some((longest, _)) => longest.saturating_add(1),
                None => 0,
            },
            // The first week is week 1.
            Grouping::Week => group + 1,
            _ => group,
        }
    }

    /// The DYNP class of a run time in seconds.
    pub(super) fn dynp_class_of_run(run: Seconds) -> i64 {
        OF_DYNP.partition_point(|&(longest, _)| longest < run) as i64
    }

    pub(super) fn class_of_run(run: Seconds) -> i64 {
        // The first class begins at 0, so there is always a class before.
        RUN_TIMES.partition_point(|&(from, _)| from <= run) as i64 - 1
    }

    pub(super) fn of(self, workload: &Workload, clock: &Clock, job: JobId) -> i64 {
        self.of_request(workload.request(job), workload.run(job), clock)
    }

    /// The numbers of the groups of all jobs, in log order; below 0 where the log does not tell the group.
    pub fn of_all(self, workload: &Workload) -> impl Iterator<Item = i64> + '_ {
        let clock = Clock::of_workload(workload);
        workload.jobs().map(move |job| self.of(workload, &clock, job))
    }

    pub(super) fn of_request(self, request: &Request, run: Seconds, clock: &Clock) -> i64 {
        match self {
            Grouping::Partition => request.partition.into(),
            Grouping::Account => request.group.into(),
            Grouping::User => request.user.into(),
            Grouping::Width => i64::from(width_class(request.processors)),
            Grouping::RunTime => Self::class_of_run(run),
            Grouping::RunTimeDynp => Self::dynp_class_of_run(run),
            Grouping::Hour => clock.hour(request.submit) as i64,
            Grouping::Queue => request.queue.into(),
            Grouping::Week => request.submit.div_euclid(WEEK),
        }
    }
}
