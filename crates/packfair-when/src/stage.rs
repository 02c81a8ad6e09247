//! The jobs of a moment as a workload of their own, from which its futures begin.

use super::past::{Arrivals, Known, Past};
use packfair_workload::{JobId, Log, Request, Seconds, Workload};

/// Longer than anything runs, seconds: the run time of whatever has not ended yet, until one is drawn.
pub(super) const ENDLESS: Seconds = 1 << 40;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cast {
    pub(super) of: JobId,
    /// For how long it had run at the moment; 0 where it had not started.
    pub(super) elapsed: Seconds,
    /// Whether its run time is to be drawn; it is known where the job had ended.
    pub(super) is_open: bool,
}

/// Who arrives after the moment: jobs of the log, and when.
pub(super) type Coming = Vec<(JobId, Seconds)>;

/// A workload of the jobs that are there at a moment, and of those that come.
pub(super) struct Stage {
    pub(super) workload: Workload,
    pub(super) cast: Vec<Cast>,
    /// How many of the first jobs ran at the moment. Each is submitted when it started, on a machine that it shares
    /// with the others alone, so that it starts at once.
    pub(super) running: usize,
    /// How many jobs come after these that waited.
    pub(super) waiting: usize,
    /// The run times as far as they are known at the moment.
    pub(super) runs: Vec<Seconds>,
    /// The places of jobs that leave without having started, and when: of those that really came.
    pub(super) leaving: Vec<(JobId, Seconds)>,
    /// A job that waited and is submitted later instead: its place in the cast had it waited, and its place.
    pub(super) late: Option<(usize, usize)>,
}

impl Stage {
    /// The jobs that ran and waited at a moment, and those that come.
    pub(super) fn of(
        past: &Past,
        running: &[(JobId, Seconds)],
        waiting: &[JobId],
        coming: &Coming,
        now: Seconds,
    ) -> Self {
        let at = |of: JobId| (of, past.workload().request(of).submit);
        let jobs = running.iter().copied().chain(waiting.iter().map(|&job| at(job))).chain(coming.iter().copied());
        let elapsed = running.iter().map(|&(_, start)| now - start).chain(std::iter::repeat(0));
        let cast = jobs.clone().zip(elapsed).map(|((of, _), elapsed)| Cast { of, elapsed, is_open: true }).collect();
        let runs = vec![ENDLESS; running.len() + waiting.len() + coming.len()];
        let mut workload = copied(past, jobs, now);
        let present = running.iter().map(|&(job, _)| job).chain(waiting.iter().copied());
        workload.join_arrays_of(past.workload(), present);
        workload.hold_nodes_of(past.workload(), running.iter().map(|&(job, _)| job));
        workload.take_given_of(past.workload(), (0..).map(JobId).zip(running.iter().map(|&(job, _)| job)));
        let submitted = |job: JobId| past.workload().request(job).submit;
        let waited = running.iter().map(|&(job, start)| start - submitted(job));
        let so_far = waited.chain(waiting.iter().map(|&job| now - submitted(job)));
        workload.see_later(&so_far.collect::<Vec<_>>());
        Stage { workload, cast, running: running.len(), waiting: waiting.len(), runs, leaving: Vec::new(), late: None }
    }

    /// The stage of a forecast: on a Slurm site backfill looks less often the later it is.
    pub(super) fn coarsely(mut self, now: Seconds) -> Self {
        self.workload.set_forecast_from(now);
        self
    }

    /// The stage of a Slurm site whose users have used this much before it begins.
    pub(super) fn with_usage(mut self, used: &[f64]) -> Self {
        self.workload.set_usage(used);
        self
    }

    /// The stage of what really came: those who left without having started leave.
    pub(super) fn with_leaving(mut self, arrivals: Arrivals, past: &Past) -> Self {
        if arrivals == Arrivals::Again {
            let left = |(place, cast): (JobId, &Cast)| Some((place, past.left(cast.of)?));
            self.leaving = (0..).map(JobId).zip(&self.cast).filter_map(left).collect();
        }
        self
    }

    /// When the job at this place leaves without having started.
    pub(super) fn leaves(&self, job: JobId) -> Option<Seconds> {
        let place = self.leaving.binary_search_by_key(&job, |&(job, _)| job).ok()?;
        Some(self.leaving[place].1)
    }

    /// The stage with a job that asks for something else than in the log.
    pub(super) fn with(mut self, change: Option<&Change>) -> Self {
        let of_change = |change: &&Change| self.cast.iter().position(|cast| cast.of == change.job);
        if let Some((change, place)) = change.and_then(|change| Some((change, of_change(&change)?))) {
            self.workload.ask_for(JobId(place as u32), &change.request);
        }
        self
    }

    /// The stage with a job among those that come, at this place among them, that otherwise would wait, at the place `was`
    /// among those that wait.
    pub(super) fn with_late(self, was: usize, place: usize) -> Self {
        let late = Some((self.running + was, self.running + self.waiting + place));
        Stage { late, ..self }
    }

    /// The cast in the order in which run times are drawn: a job draws the same whether it waits or comes later.
    pub(super) fn in_order_of_draws(&self) -> Vec<(JobId, Cast)> {
        let mut cast: Vec<(JobId, Cast)> = (0..).map(JobId).zip(self.cast.iter().copied()).collect();
        if let Some((was, place)) = self.late {
            let late = cast.remove(place);
            cast.insert(was, late);
        }
        cast
    }

    /// All jobs that had been submitted by a moment, as they came, and those that come: for schedulers that remember
    /// more than who runs and who waits.
    pub(super) fn relived(past: &Past, coming: &Coming, now: Seconds) -> Self {
        let workload = past.workload();
        let before = (0..past.submitted(now) as u32).map(JobId);
        let jobs = before.clone().map(|job| (job, workload.request(job).submit)).chain(coming.iter().copied());
        let open = |of: JobId, elapsed| (Cast { of, elapsed, is_open: true }, ENDLESS);
        let known = before.map(|job| match past.known(job, now) {
            Known::Ran(run) => (Cast { of: job, elapsed: 0, is_open: false }, run),
            Known::Runs(elapsed) => open(job, elapsed),
            Known::Waits | Known::Nothing | Known::Left => open(job, 0),
        });
        let (cast, runs) = known.chain(coming.iter().map(|&(of, _)| open(of, 0))).unzip();
        let workload = copied(past, jobs, now);
        Stage { workload, cast, running: 0, waiting: 0, runs, leaving: Vec::new(), late: None }
    }
}

/// A workload of copies of these jobs, in this order, submitted at these times. They run for no time that anybody knows, and
/// were held for as long as is known at `now`.
fn copied(past: &Past, jobs: impl Iterator<Item = (JobId, Seconds)> + Clone, now: Seconds) -> Workload {
    let of = past.workload();
    let mut made = Workload::empty(of.name.clone(), of.machine, of.header.clone());
    made.set_counting(of.counting().clone());
    made.set_cluster(of.cluster().cloned());
    for (job, submit) in jobs.clone() {
        let request = packfair_workload::Request { submit, ..of.request(job).clone() };
        made.push(request, ENDLESS, -1, of.record(job) as u32);
    }
    let places: Vec<JobId> = jobs.map(|(job, _)| job).collect();
    made.take_site_of(of, &places);
    made.know_holds(places.iter().map(|&job| past.known_hold(job, now)));
    made
}

// Requested times of jobs whose log has none: elsewhere run times stand in for them, which nobody knows here.

/// Gives each job without a requested time the longest one that the log has or, where it has none, the longest time that
/// a job had run for by `until`. Returns how many there are, and that time.
pub fn without_run_times(workload: &mut Workload, log: &Log, until: Seconds) -> Option<(usize, Seconds)> {
    let asks = |job: JobId| log.records.get(workload.record(job)).is_some_and(|record| record.requested_time > 0);
    let without: Vec<JobId> = workload.jobs().filter(|&job| !asks(job)).collect();
    if without.is_empty() {
        return None;
    }
    let asked = workload.jobs().filter(|&job| asks(job)).map(|job| workload.request(job).limit).max();
    let ended = |job: &JobId| {
        let start = workload.request(*job).submit + workload.logged_wait(*job).unwrap_or(0);
        start + workload.run(*job) <= until
    };
    let longest = || workload.jobs().filter(ended).map(|job| workload.run(job)).max();
    let limit = asked.or_else(longest).unwrap_or(86_400).max(60);
    workload.set_limits(&without, limit);
    Some((without.len(), limit))
}

/// A job with another request.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The job.
    pub job: JobId,
    /// The change, in words.
    pub what: String,
    /// The request with the change.
    pub request: Request,
}

impl Change {
    /// When the job is submitted, if that is after `now`.
    pub(super) fn later(&self, now: Seconds) -> Option<Seconds> {
        Some(self.request.submit).filter(|&submit| submit > now)
    }
}
