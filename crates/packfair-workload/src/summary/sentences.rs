//! What a person is told of a workload beside its numbers: jobs that do not count, and the two utilisations of a log in
//! which jobs were given another number of processors than they asked for.

use super::Summary;
use crate::{Account, Seconds, Workload};
use serde::{Deserialize, Serialize};

/// Jobs that hold processors, or wait for them, and that metrics do not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Uncounted {
    /// Jobs that ran or waited when the log begins.
    pub initial: usize,
    pub still_running: usize,
    pub still_held: u64,
    pub all: usize,
}

impl Uncounted {
    pub(super) fn of(workload: &Workload) -> Self {
        let initial = workload.initial();
        let mut uncounted = Uncounted { initial, all: initial, ..Uncounted::default() };
        for job in workload.still_running() {
            uncounted.still_running += 1;
            uncounted.still_held += u64::from(workload.request(job).processors);
            uncounted.all += usize::from(job.index() >= initial);
        }
        uncounted
    }
}

/// The utilisation of a log by what jobs were given, and by what they asked for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BothUtilisations {
    /// By the processors that jobs were given.
    pub used: f64,
    pub requested: f64,
    pub simulates_used: bool,
}

impl BothUtilisations {
    /// In words: `59.6 % on the processors that jobs were given, which are simulated; 39.0 % on those that they asked for`.
    pub fn in_words(&self) -> String {
        let percent = |share: f64| format!("{:.1} %", 100.0 * share);
        let (used, requested) =
            if self.simulates_used { (", which are simulated", "") } else { ("", ", which are simulated") };
        format!(
            "{} on the processors that jobs were given{used}; {} on those that they asked for{requested}",
            percent(self.used),
            percent(self.requested)
        )
    }
}

impl Summary {
    /// Both utilisations as logged, where widths differ in more than 1 % of the jobs.
    pub fn both_utilisations(&self, account: &Account) -> Option<BothUtilisations> {
        let (utilisation, (used, asked)) = (self.logged_utilisation?, account.works()?);
        let (used, asked) = (used as f64, asked as f64);
        let simulated = self.area;
        let simulates_used = (simulated - used).abs() <= (simulated - asked).abs();
        let of = if simulates_used { used } else { asked };
        (of > 0.0).then(|| BothUtilisations {
            used: utilisation * used / of,
            requested: utilisation * asked / of,
            simulates_used,
        })
    }

    /// How many of its jobs count in metrics, before it is known how they are scheduled.
    pub fn counted(&self) -> usize {
        self.jobs - self.uncounted.all
    }

    /// The jobs that do not count because the log begins or ends with them, in words; none where there are none.
    pub fn uncounted_in_words(&self) -> Option<String> {
        let Uncounted { initial, still_running, still_held, all } = self.uncounted;
        let jobs = |count: usize| if count == 1 { "1 job".to_owned() } else { format!("{count} jobs") };
        let unit = self.counting.unit.plural();
        let mut said = Vec::new();
        if initial > 0 {
            said.push(format!("{} ran or waited when the log begins", jobs(initial)));
        }
        if still_running > 0 {
            said.push(format!(
                "{} still ran when it was made, on {still_held} {unit}, which stay held until then",
                jobs(still_running)
            ));
        }
        let remedy = if initial > 0 { "; --initial=ordinary counts the first" } else { "" };
        let is_none = self.counted() == 0 && all > 0;
        let begin = if is_none { "no job is left to count, so there are no values: " } else { "" };
        (!said.is_empty()).then(|| format!("{begin}{}{}", said.join(", "), if is_none { remedy } else { "" }))
    }

    /// Why no job counts; none where one does.
    pub fn why_none_counts(&self) -> Option<String> {
        self.uncounted_in_words().filter(|_| self.counted() == 0)
    }
}

/// The work of all jobs by two widths, processor-seconds.
pub(crate) fn works(jobs: impl Iterator<Item = (u32, u32, Seconds)>) -> (u64, u64) {
    jobs.fold((0, 0), |(used, asked), (given, requested, run)| {
        let run = run.max(0).unsigned_abs();
        let work = |width: u32| u64::from(width).saturating_mul(run);
        (used.saturating_add(work(given)), asked.saturating_add(work(requested)))
    })
}
