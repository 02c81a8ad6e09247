//! Why a job waits, in the words of squeue, and for how long each reason held.

use packfair_workload::Seconds;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WaitReason {
    /// A job before it does not fit, and fails the partition.
    Priority,
    /// The job is the first that does not fit.
    Resources,
    /// The job would exceed a limit, by its name in squeue.
    Limit(&'static str),
    /// There are not enough licences.
    Licences,
    /// The job's nodes are reserved for another.
    Reserved,
    /// The job's own reservation has not begun.
    Reservation,
    /// The job's nodes are drained or down.
    NodesAway,
    /// The job's partition is not up.
    PartitionDown,
    /// The jobs that it depends on are not over.
    Dependency,
    /// The job is held, or its begin time has not come.
    BeginTime,
}

impl WaitReason {
    /// The reason as squeue writes it, and what it means.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            WaitReason::Priority => ("Priority", "jobs before it did not fit yet"),
            WaitReason::Resources => ("Resources", "it was the first that did not fit"),
            WaitReason::Limit(name) => (name, "it would have exceeded that limit"),
            WaitReason::Reserved => {
                ("ReqNodeNotAvail, Reserved for maintenance", "it would have run into a reservation")
            }
            WaitReason::Reservation => ("Reservation", "its reservation had not begun"),
            WaitReason::Licences => ("Licenses", "there were not enough licences"),
            WaitReason::NodesAway => ("ReqNodeNotAvail, UnavailableNodes", "its nodes were drained or down"),
            WaitReason::Dependency => ("Dependency", "what it comes after was not over"),
            WaitReason::BeginTime => {
                ("BeginTime", "it was held, had a time to begin at, or was to wait after its preemption")
            }
            WaitReason::PartitionDown => ("PartitionDown", "its partition was not up"),
        }
    }
}

/// Why backfill did not look at a job in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unlooked {
    /// More jobs than bf_max_job_test were before it.
    BeyondTest,
    /// The job was one too many of a user, partition or association.
    OneTooMany(&'static str),
    /// Another task of its array had no place, or as many tasks had slots as may have (bf_max_job_array_resv).
    OfArray,
    /// bf_max_job_start jobs had started, or the cycle was over.
    Over,
}

impl Unlooked {
    fn words(self) -> &'static str {
        match self {
            Unlooked::BeyondTest => "beyond bf_max_job_test",
            Unlooked::OneTooMany(parameter) => parameter,
            Unlooked::OfArray => {
                "another task of its array had no place, or bf_max_job_array_resv had one, or its limit ran"
            }
            Unlooked::Over => "the cycle had started bf_max_job_start jobs before it",
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct WaitReasons {
    reason: WaitReason,
    since: Seconds,
    spans: Vec<(WaitReason, Seconds)>,
    /// When backfill last looked at the job, or left it to a limit.
    looked: Seconds,
    /// The longest time for which backfill did not look at it, and why.
    longest: Option<(Seconds, Unlooked)>,
    /// Why backfill did not look at the job in the last cycle; none if it did.
    unlooked: Option<Unlooked>,
    pub is_backfilled: bool,
}

impl WaitReasons {
    /// The reasons of a job that is submitted at `now`.
    pub(super) fn new(now: Seconds) -> Self {
        WaitReasons {
            reason: WaitReason::Priority,
            since: now,
            spans: Vec::new(),
            looked: now,
            longest: None,
            unlooked: None,
            is_backfilled: false,
        }
    }

    pub(super) fn note(&mut self, reason: WaitReason, now: Seconds) {
        if reason == self.reason {
            return;
        }
        self.close(now);
        self.reason = reason;
    }

    pub(super) fn close(&mut self, now: Seconds) {
        let span = now - self.since;
        self.since = now;
        if span == 0 {
            return;
        }
        match self.spans.iter_mut().find(|(reason, _)| *reason == self.reason) {
            Some((_, sum)) => *sum += span,
            None => self.spans.push((self.reason, span)),
        }
    }

    /// Notes that backfill looks at the job.
    pub(super) fn look(&mut self, now: Seconds) {
        self.looked = now;
        self.unlooked = None;
    }

    /// Notes that backfill does as in the last cycle.
    pub(super) fn again(&mut self, now: Seconds) {
        match self.unlooked {
            Some(why) => self.pass_over(why, now),
            None => self.look(now),
        }
    }

    /// Notes that backfill does not look at the job.
    pub(super) fn pass_over(&mut self, why: Unlooked, now: Seconds) {
        self.unlooked = Some(why);
        let gap = now - self.looked;
        if self.longest.is_none_or(|(longest, _)| gap > longest) {
            self.longest = Some((gap, why));
        }
    }

    /// The reasons for which the job has waited, as sentences; none if it did not wait.
    pub(super) fn reported(&self) -> Option<String> {
        let mut spans = self.spans.clone();
        // the longest first; there are few kinds of reasons, and so short lists
        spans.sort_by_key(|(_, span)| -span);
        if spans.is_empty() {
            return None;
        }
        let part = |(reason, span): &(WaitReason, Seconds)| {
            let (name, means) = reason.words();
            format!("{} {name} ({means})", span_in_words(*span))
        };
        let mut text = spans.iter().map(part).collect::<Vec<_>>().join(", ");
        text.push('.');
        if let Some((gap, why)) = self.longest.filter(|(gap, _)| *gap >= 60) {
            text.push_str(&format!(" Backfill did not look at it for {}: {}.", span_in_words(gap), why.words()));
        }
        text.push_str(if self.is_backfilled {
            " Backfill started it."
        } else {
            " A main pass started it, in its turn."
        });
        Some(text)
    }
}

/// A span of time in words: to the minute, or to the second below 5 minutes.
fn span_in_words(seconds: Seconds) -> String {
    match seconds {
        ..300 => format!("{seconds} s"),
        300..7_200 => format!("{} min", (seconds + 30) / 60),
        _ => format!("{} h {} min", (seconds + 30) / 3600, (seconds + 30) % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_and_told_the_longest_first() {
        let mut waits = WaitReasons::new(0);
        assert_eq!(waits.reported(), None);
        waits.note(WaitReason::Priority, 60);
        waits.note(WaitReason::Resources, 600);
        waits.note(WaitReason::Limit("QOSMaxCpuPerUserLimit"), 630);
        waits.note(WaitReason::Resources, 9000);
        waits.look(60);
        waits.pass_over(Unlooked::BeyondTest, 2460);
        waits.look(2490);
        waits.pass_over(Unlooked::Over, 2500);
        waits.close(9010);
        assert_eq!(
            waits.reported().unwrap(),
            "2 h 20 min QOSMaxCpuPerUserLimit (it would have exceeded that limit), 10 min Priority (jobs before it did not \
             fit yet), 40 s Resources (it was the first that did not fit). Backfill did not look at it for 40 min: beyond \
             bf_max_job_test. A main pass started it, in its turn."
        );
    }
}
