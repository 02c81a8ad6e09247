//! Why a job waits, in the words that squeue has for it, and for how long each was the reason.

use crate::workload::Seconds;

/// Why a job waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// A job before it does not fit, and fails the partition.
    Priority,
    /// It is the first that does not fit.
    Resources,
    /// It would exceed a limit, by its name in squeue.
    Limit(&'static str),
    /// Its nodes are reserved for another.
    Reserved,
    /// Its nodes are drained or down.
    NodesAway,
    /// Its partition is not up.
    PartitionDown,
    /// What it comes after is not over.
    Dependency,
    /// It is held, or its time to begin at has not come.
    BeginTime,
}

impl Reason {
    /// As squeue writes it, and what it means.
    fn words(self) -> (&'static str, &'static str) {
        match self {
            Reason::Priority => ("Priority", "jobs before it did not fit yet"),
            Reason::Resources => ("Resources", "it was the first that did not fit"),
            Reason::Limit(name) => (name, "it would have exceeded that limit"),
            Reason::Reserved => ("ReqNodeNotAvail, Reserved for maintenance", "it would have run into a reservation"),
            Reason::NodesAway => ("ReqNodeNotAvail, UnavailableNodes", "its nodes were drained or down"),
            Reason::Dependency => ("Dependency", "what it comes after was not over"),
            Reason::BeginTime => {
                ("BeginTime", "it was held, had a time to begin at, or was to wait after its preemption")
            }
            Reason::PartitionDown => ("PartitionDown", "its partition was not up"),
        }
    }
}

/// Why backfill did not look at a job in a cycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unlooked {
    /// More jobs than bf_max_job_test were before it.
    BeyondTest,
    /// One too many of a user, partition or association.
    OneTooMany(&'static str),
    /// Another task of its array had no place, or as many had slots as may (bf_max_job_array_resv).
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

/// What a job has waited for.
#[derive(Clone, Debug)]
pub(super) struct Waits {
    reason: Reason,
    since: Seconds,
    spans: Vec<(Reason, Seconds)>,
    /// When backfill last looked at it, or left it to a limit.
    looked: Seconds,
    /// For how long backfill did not, at most, and why not.
    longest: Option<(Seconds, Unlooked)>,
    /// Why backfill did not look at it in the last cycle; none: it did.
    unlooked: Option<Unlooked>,
    /// Whether backfill started it.
    pub is_backfilled: bool,
}

impl Waits {
    /// Of a job that is submitted now.
    pub(super) fn new(now: Seconds) -> Self {
        Waits {
            reason: Reason::Priority,
            since: now,
            spans: Vec::new(),
            looked: now,
            longest: None,
            unlooked: None,
            is_backfilled: false,
        }
    }

    /// It waits for this from now on.
    pub(super) fn note(&mut self, reason: Reason, now: Seconds) {
        if reason == self.reason {
            return;
        }
        self.close(now);
        self.reason = reason;
    }

    /// Counts the present reason up to now.
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

    /// Backfill looks at it.
    pub(super) fn look(&mut self, now: Seconds) {
        self.looked = now;
        self.unlooked = None;
    }

    /// Backfill does as in the last cycle.
    pub(super) fn again(&mut self, now: Seconds) {
        match self.unlooked {
            Some(why) => self.pass_over(why, now),
            None => self.look(now),
        }
    }

    /// Backfill does not look at it.
    pub(super) fn pass_over(&mut self, why: Unlooked, now: Seconds) {
        self.unlooked = Some(why);
        let gap = now - self.looked;
        if self.longest.is_none_or(|(longest, _)| gap > longest) {
            self.longest = Some((gap, why));
        }
    }

    /// What it has waited for, as sentences; none if it did not wait.
    pub(super) fn told(&self) -> Option<String> {
        let mut spans = self.spans.clone();
        // the longest first; sorts are few, and lists short
        spans.sort_by_key(|(_, span)| -span);
        if spans.is_empty() {
            return None;
        }
        let part = |(reason, span): &(Reason, Seconds)| {
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

/// A span of time to the minute, below some minutes to the second.
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
        let mut waits = Waits::new(0);
        assert_eq!(waits.told(), None);
        waits.note(Reason::Priority, 60);
        waits.note(Reason::Resources, 600);
        waits.note(Reason::Limit("QOSMaxCpuPerUserLimit"), 630);
        waits.note(Reason::Resources, 9000);
        waits.look(60);
        waits.pass_over(Unlooked::BeyondTest, 2460);
        waits.look(2490);
        waits.pass_over(Unlooked::Over, 2500);
        waits.close(9010);
        assert_eq!(
            waits.told().unwrap(),
            "2 h 20 min QOSMaxCpuPerUserLimit (it would have exceeded that limit), 10 min Priority (jobs before it did not \
             fit yet), 40 s Resources (it was the first that did not fit). Backfill did not look at it for 40 min: beyond \
             bf_max_job_test. A main pass started it, in its turn."
        );
    }
}
