//! EASY with small jobs before large ones, and a safeguard against large jobs that were classified as small (CLASSIFY §5).
//!
//! A classifier in the simulation predicts which jobs are small. The scheduler sees the class, never the run time.

use super::easy::Easy;
use super::implementation::{ANY_CELLS, NO_CELLS, ORDER, SchedulerImplementation};
use super::order::Order;
use super::plain;
use super::queue::TieOrder;
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_engine::classifier::{self, ClassifierOptions};
use packfair_engine::model::{
    Actions, Class, JobSet, NoteId, Notes, Release, Reservation, Scheduler, Usual, View, Waiting,
};
use packfair_workload::{JobId, Seconds};
use std::collections::VecDeque;

/// The family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "classes",
        name: "Classes",
        help: "EASY with the jobs that are classified as small before all others. A job that runs for longer than the divider \
               is killed and waits again",
        source: "CLASSIFY §4, §5",
        parameters: PARAMETERS,
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| match Order::of(settings, "policy") {
        policy if policy.needs_view() || policy.has_share() => plain::classes::build(settings),
        _ => Box::new(Classes::new(settings)),
    }),
    on_cells: None,
    classifier: Some(|settings, workload| classifier::build(&ClassifierOptions::of(settings), workload)),
    plain: Some(plain::classes::build),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
};

const PARAMETERS: &[Parameter] = &{
    // later parameters come last, so that the text forms of earlier versions keep their meaning
    let (own, later) = ([POLICY, SAFEGUARD, ESTIMATE, STARVATION], [KILL]);
    let learning = classifier::PARAMETERS;
    let mut all = [POLICY; 5 + classifier::PARAMETERS.len()];
    let mut i = 0;
    while i < all.len() {
        all[i] = if i < own.len() {
            own[i]
        } else if i < own.len() + learning.len() {
            learning[i - own.len()]
        } else {
            later[i - own.len() - learning.len()]
        };
        i += 1;
    }
    all
};

const POLICY: Parameter =
    Parameter { id: "policy", name: "Policy", help: "the order within each of the two classes", kind: ORDER };

const SAFEGUARD: Parameter = Parameter {
    id: "safeguard",
    name: "Safeguard",
    help: "a job that was classified as small and runs for longer than the divider is killed and waits again, as a large one",
    kind: Kind::Choice { options: &[("on", "on"), ("off", "off")], default: "on" },
};

const ESTIMATE: Parameter = Parameter {
    id: "estimate",
    name: "Estimate of small jobs",
    help: "the estimate as it is, or at most the divider, after which the safeguard kills the job",
    kind: Kind::Choice {
        options: &[("limit", "as it is"), ("capped", "at most the divider (with safeguard)")],
        default: "limit",
    },
};

const STARVATION: Parameter = Parameter {
    id: "starvation",
    name: "Starvation threshold",
    help: "a job that has waited longer goes before both classes",
    kind: Kind::Whole { min: 0, max: 1_000_000_000, default: None, unit: "s" },
};

const KILL: Parameter = Parameter {
    id: "kill",
    name: "Kill",
    help: "whether the safeguard always kills, or only if a job waits that does not fit and stands before the killed one \
           in the queue, or only if such a job can then start",
    kind: Kind::Choice {
        options: &[
            ("always", "always"),
            ("waiting", "if a job waits that stands before it"),
            ("useful", "if such a job can then start"),
        ],
        default: "always",
    },
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kill {
    Always,
    /// Those that, if they waited again, would stand behind a job that does not fit now.
    Waiting,
    /// Those that also hold enough processors for such a job to start.
    Useful,
}

impl Kill {
    pub(super) fn of(settings: &Settings) -> Self {
        match settings.choice("kill") {
            "waiting" => Kill::Waiting,
            "useful" => Kill::Useful,
            _ => Kill::Always,
        }
    }
}

/// Running jobs that were classified as small, in the order in which they have run for their dividers.
///
/// A look at a job that has completed is skipped when its turn comes, so that the simulation need not stop for it.
#[derive(Clone, Debug, Default)]
struct Watched {
    looks: VecDeque<(Seconds, JobId)>,
    running: JobSet,
}

impl Watched {
    /// Adds a job that has started. Jobs that are looked at together keep the order of their starts.
    fn add(&mut self, job: JobId, at: Seconds) {
        self.running.insert(job);
        // nearly always this is the last place, because dividers change once a week
        let place = self.looks.iter().rposition(|&(earlier, _)| earlier <= at).map_or(0, |last| last + 1);
        self.looks.insert(place, (at, job));
    }

    /// The next look at a running job: its time, and the job.
    #[inline]
    fn next(&mut self) -> Option<(Seconds, JobId)> {
        let Watched { looks, running } = self;
        while looks.pop_front_if(|&mut (_, job)| !running.contains(job)).is_some() {}
        looks.front().copied()
    }
}

#[derive(Clone)]
struct Classes {
    easy: Easy,
    safeguard: bool,
    /// The rule that decides which jobs are killed when they have run for their dividers.
    kill: Kill,
    /// Whether estimates of small jobs are cut to their dividers.
    capped: bool,
    watched: Watched,
    kills: u64,
    estimates: Vec<f64>,
}

impl Classes {
    fn new(settings: &Settings) -> Self {
        let policy = Order::of(settings, "policy");
        let safeguard = settings.choice("safeguard") == "on";
        Classes {
            easy: Easy::in_order(policy, TieOrder::SmallFirst, settings.whole("starvation")),
            safeguard,
            kill: Kill::of(settings),
            capped: safeguard && settings.choice("estimate") == "capped",
            watched: Watched::default(),
            kills: 0,
            estimates: Vec::new(),
        }
    }

    /// The estimate by which a job is ordered, planned and backfilled, seconds.
    fn estimate(&self, job: &Waiting, view: &View) -> f64 {
        match view.class(job.job).divider {
            Some(divider) if self.capped && view.present_class(job.job) == Class::Small => {
                job.estimate.min(divider as f64)
            }
            _ => job.estimate,
        }
    }

    /// Watches the jobs that have just started, and asks to be woken when the next watched job is to be looked at.
    fn watch(&mut self, view: &View, actions: &mut Actions) {
        for start in &actions.starts {
            let job = start.job.job;
            let divider = view.class(job).divider.filter(|_| view.present_class(job) == Class::Small);
            if let Some(divider) = divider {
                self.watched.add(job, view.now() + divider);
            }
        }
        self.wake(actions);
    }

    /// Asks to be woken when the next watched job is to be looked at.
    #[inline]
    fn wake(&mut self, actions: &mut Actions) {
        if let Some((at, _)) = self.watched.next() {
            actions.wake_at(at);
        }
    }

    /// Whether a running job that has run for its divider is killed, while `free` processors are free.
    fn is_killed(&self, job: JobId, free: u32, view: &View) -> bool {
        let request = view.request(job);
        let processors = request.processors;
        let widths = match self.kill {
            Kill::Always => return true,
            Kill::Waiting => free + 1..=u32::MAX,
            Kill::Useful => free + 1..=free + processors,
        };
        let requeued = Waiting { job, submit: request.submit, processors, estimate: request.limit as f64 };
        self.easy.has_before(&requeued, widths, view.now())
    }
}

impl Scheduler for Classes {
    fn kills(&self) -> bool {
        self.safeguard
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        let estimate = self.estimate(&job, view);
        self.easy.set_small(job.job, view.present_class(job.job) == Class::Small);
        self.easy.arrived(Waiting { estimate, ..job }, view);
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.watched.running.remove(release.job);
        self.easy.completed(release, view);
    }

    fn expected(&mut self, release: Release, end: f64, view: &View) {
        self.easy.expected(release, end, view);
    }

    fn overdue(&mut self, release: Release, end: f64, view: &View) {
        self.easy.overdue(release, end, view);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        if !self.capped {
            return self.easy.reestimated(estimates, view);
        }
        let mut capped = std::mem::take(&mut self.estimates);
        capped.clear();
        capped.extend_from_slice(estimates);
        for job in view.waiting() {
            capped[job.job.index()] = self.estimate(&job, view);
        }
        self.easy.reestimated(&capped, view);
        self.estimates = capped;
    }

    fn could_start(&self, view: &View) -> bool {
        self.easy.could_start(view)
    }

    fn woken(&mut self, view: &View, actions: &mut Actions) -> bool {
        let mut free = view.free();
        while let Some((at, job)) = self.watched.next()
            && at <= view.now()
        {
            self.watched.looks.pop_front();
            if self.is_killed(job, free, view) {
                free += view.request(job).processors;
                self.watched.running.remove(job);
                actions.kill(job);
            }
        }
        self.wake(actions);
        false
    }

    fn killed(&mut self, release: Release, job: Waiting, view: &View) {
        self.kills += 1;
        self.easy.killed(release, job, view);
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        self.easy.round(view, actions);
        for start in &actions.starts {
            self.easy.set_small(start.job.job, false);
        }
        if self.safeguard {
            self.watch(view, actions);
        }
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        self.easy.reservations(view)
    }

    fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::KILLS, self.kills as f64);
    }
}

#[cfg(test)]
mod tests {
    use super::super::Policy;
    use packfair_engine::classifier::WEEK;
    use packfair_engine::estimator::Requested;
    use packfair_engine::model::Schedule;
    use packfair_engine::simulation::{Options, Simulation};
    use packfair_workload::testing;
    use packfair_workload::{JobId, Seconds, Workload};

    fn schedule(workload: &Workload, policy: &str) -> Schedule {
        let policy: Policy = policy.parse().unwrap();
        let simulation = Simulation::new(workload, policy.build().unwrap(), Box::new(Requested), Options::default());
        simulation.with_classifier(policy.classifier(workload)).finish()
    }

    /// Two jobs of 10 s in the first week make the divider. `jobs` follow in the second: submit, processors, run time,
    /// request.
    fn second_week(jobs: &[(Seconds, u32, Seconds, Seconds)]) -> Workload {
        let first = [(0, 1, 10, 100), (1, 1, 10, 100)];
        let later = jobs.iter().map(|&(submit, width, run, limit)| (WEEK + submit, width, run, limit));
        testing::jobs(4, &first.into_iter().chain(later).collect::<Vec<_>>())
    }

    #[test]
    fn a_job_is_killed_only_if_another_needs_its_processors() {
        // the first job is not small; while it runs, a job that needs the whole machine arrives, or none does
        let alone = second_week(&[(0, 4, 50, 100)]);
        let crowd = second_week(&[(0, 4, 50, 100), (5, 4, 5, 100)]);
        let kills =
            |workload: &Workload, rule: &str| schedule(workload, &format!("classes:by=all,{rule}")).killed.len();
        assert_eq!(["kill=always", "kill=waiting", "kill=useful"].map(|rule| kills(&alone, rule)), [1, 0, 0]);
        assert_eq!(["kill=always", "kill=waiting", "kill=useful"].map(|rule| kills(&crowd, rule)), [1, 1, 1]);
        // beside a job that goes on, its processors are not enough
        let beside = second_week(&[(0, 1, 9, 9), (0, 3, 50, 100), (5, 4, 5, 100)]);
        assert_eq!(["kill=waiting", "kill=useful"].map(|rule| kills(&beside, rule)), [1, 1], "the other has ended");
        let two = second_week(&[(0, 2, 50, 100), (0, 2, 50, 100), (5, 4, 5, 100)]);
        assert_eq!(["kill=waiting", "kill=useful"].map(|rule| kills(&two, rule)), [2, 0], "one by itself is of no use");
    }

    #[test]
    fn looks_come_in_order_of_time_and_of_starts_and_completed_jobs_are_passed_over() {
        let mut watched = super::Watched::default();
        assert_eq!(watched.next(), None);
        for (job, at) in [(70, 900), (3, 20), (4, 20), (5, 20), (6, 10)] {
            watched.add(JobId(job), at);
        }
        watched.running.remove(JobId(6));
        watched.running.remove(JobId(1_000));
        let mut order = Vec::new();
        while let Some((at, job)) = watched.next() {
            order.push((at, job.0));
            watched.looks.pop_front();
        }
        assert_eq!(order, [(20, 3), (20, 4), (20, 5), (900, 70)]);
    }
}
