//! Schedulers that guarantee every job a start when it is submitted (FAIRNESS §2).

use super::guarantees::{Guarantees, Protected};
use super::implementation::{ANY_CELLS, Build, NO_CELLS, ORDER, SchedulerImplementation};
use super::order::Order;
use super::plain;
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_engine::model::{Actions, NoteId, Notes, Release, Reservation, Scheduler, Usual, View, Waiting};
use packfair_engine::simulation::Driven;
use packfair_workload::JobId;

/// Conservative backfilling's catalogue line.
pub const CONSERVATIVE: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "conservative",
        name: "Conservative",
        help: "Every job is guaranteed the earliest start at which it disturbs nobody; where a job ends early, \
               starts move earlier, never later",
        source: "FAIRNESS §2; Mu'alem and Feitelson 2001",
        parameters: &[Parameter {
            id: "compression",
            name: "Compression",
            help: "the order in which jobs move earlier where one has ended early",
            kind: Kind::Choice {
                options: &[
                    ("profile", "in the order of their guaranteed starts"),
                    ("submission", "in the order of submission, once for each job that ends"),
                ],
                default: "profile",
            },
        }],
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| Box::new(Guaranteed::new(Order::Fcfs, Compression::of_conservative(settings)))),
    on_cells: None,
    classifier: None,
    plain: Some(plain::guaranteed::conservative),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
};

/// Prioritised compression's catalogue line.
pub const PC: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "pc",
        name: "PC",
        help: "Conservative with prioritised compression: where a job ends early, the first by priority that can \
               start earlier moves, again and again until none can",
        source: "FAIRNESS §2; Lindsay et al. 2013",
        parameters: PRIORITY,
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| prioritised(settings, Compression::Prioritised, plain::guaranteed::pc)),
    on_cells: None,
    classifier: None,
    plain: Some(plain::guaranteed::pc),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
};

/// Delayed compression's catalogue line.
pub const DC: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "dc",
        name: "DC",
        help: "Conservative with delayed compression: where a job ends early, only those move that can start right \
               now; the others once a job of lower priority arrives",
        source: "FAIRNESS §2; Lindsay et al. 2013",
        parameters: DELAYED,
    },
    usual: |_, _| Usual::AT_SUBMISSION,
    build: Some(|settings| prioritised(settings, Compression::of_dc(settings), plain::guaranteed::dc)),
    on_cells: None,
    classifier: None,
    plain: Some(plain::guaranteed::dc),
    applies: NO_CELLS,
    plain_applies: ANY_CELLS,
};

const ORDER_OF_PRIORITY: Parameter =
    Parameter { id: "order", name: "Priority", help: "in which jobs may move earlier", kind: ORDER };

const PRIORITY: &[Parameter] = &[ORDER_OF_PRIORITY];

const DELAYED: &[Parameter] = &[
    ORDER_OF_PRIORITY,
    Parameter {
        id: "protect",
        name: "Protected",
        help: "who moves earlier, though not to the present, before others take the room: nobody, as the paper has it; the first \
               by priority; or all before whom a job would start at once (what FAIRNESS §6 asks for)",
        kind: Kind::Choice {
            options: &[
                ("nobody", "nobody"),
                ("first", "the first by priority"),
                ("higher", "all of higher priority than who starts"),
            ],
            default: "nobody",
        },
    },
];

/// Makes the fast scheduler, or the plain one where keys need what only the view tells.
fn prioritised(settings: &Settings, compression: Compression, plain: Build) -> Box<dyn Driven> {
    match Order::of(settings, "order") {
        order if order.needs_view() || order.has_reported() => plain(settings),
        order => Box::new(Guaranteed::new(order, compression)),
    }
}

/// Which starts move earlier, and when. Unless stated otherwise they move after the completions of an instant and
/// before its arrivals are placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Compression {
    Profile,
    /// All, in the order of submission, in one pass for each completion, after arrivals of the same instant. A pass can
    /// leave gaps. A later pass may fill them, whether or not its completion was early.
    Submission,
    /// All, by priority, until none can move.
    Prioritised,
    /// In each round those that can start right now, by priority. When a job arrives, all jobs of higher priority.
    Delayed(Protected),
}

impl Compression {
    pub(super) fn of_dc(settings: &Settings) -> Self {
        Compression::Delayed(match settings.choice("protect") {
            "first" => Protected::First,
            "higher" => Protected::Higher,
            _ => Protected::Nobody,
        })
    }

    /// Reads the settings of [`CONSERVATIVE`].
    pub(super) fn of_conservative(settings: &Settings) -> Self {
        match settings.choice("compression") {
            "submission" => Compression::Submission,
            _ => Compression::Profile,
        }
    }
}

#[derive(Clone, Debug)]
struct Guaranteed {
    guarantees: Guarantees,
    compression: Compression,
    /// Jobs that have arrived at this instant and are not placed yet.
    arrivals: Vec<Waiting>,
    arrived: Vec<JobId>,
}

impl Guaranteed {
    fn new(order: Order, compression: Compression) -> Self {
        Guaranteed { guarantees: Guarantees::new(order), compression, arrivals: Vec::new(), arrived: Vec::new() }
    }

    /// Places the jobs that have arrived at this instant.
    fn place_arrivals(&mut self) {
        for job in self.arrivals.drain(..) {
            if let Compression::Delayed(_) = self.compression {
                self.guarantees.compress_until_tight(self.guarantees.place_of(&job));
            }
            self.guarantees.insert(job);
        }
    }
}

impl Scheduler for Guaranteed {
    fn arrived(&mut self, job: Waiting, view: &View) {
        self.guarantees.catch_up(view, None);
        self.arrived.push(job.job);
        if self.compression == Compression::Submission {
            // the job is placed before the jobs that end at this instant complete
            self.guarantees.insert(job);
        } else {
            self.arrivals.push(job);
        }
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.guarantees.catch_up(view, Some(&release));
        self.guarantees.completed(&release);
        if self.compression == Compression::Submission {
            // the completion has no other effect than this pass
            self.guarantees.take_loose();
            self.guarantees.compress_by_priority();
        }
    }

    fn expected(&mut self, release: Release, end: f64, _: &View) {
        self.guarantees.expected(&release, end);
    }

    fn overdue(&mut self, release: Release, end: f64, _: &View) {
        self.guarantees.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.guarantees.settle(view);
        self.guarantees.reestimated(estimates, view);
        for job in &mut self.arrivals {
            job.estimate = estimates[job.job.index()];
        }
    }

    fn could_start(&self, view: &View) -> bool {
        self.guarantees.could_start(view) || self.arrivals.iter().any(|job| job.processors <= view.free())
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        self.guarantees.settle(view);
        self.guarantees.refresh();
        if self.guarantees.take_loose() {
            match self.compression {
                Compression::Profile => self.guarantees.compress_by_start(),
                Compression::Submission => self.guarantees.compress_by_priority(),
                Compression::Prioritised => self.guarantees.compress_until_tight(self.guarantees.end()),
                Compression::Delayed(_) => {}
            }
        }
        self.place_arrivals();
        if let Compression::Delayed(protected) = self.compression {
            // in every round, because what an early end gave back may help a job only together with what becomes free
            // later
            self.guarantees.move_to_now(protected);
        }
        self.guarantees.start_due(actions);
        for job in self.arrived.drain(..) {
            actions.note(NoteId::PROMISE, job, self.guarantees.promise(job));
        }
        #[cfg(debug_assertions)]
        self.guarantees.check(view, actions);
    }

    fn needs_round(&self) -> bool {
        !self.arrived.is_empty()
    }

    fn reservations(&self, _: &View) -> Vec<Reservation> {
        self.guarantees.reservations()
    }

    fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::REMADE, self.guarantees.remade() as f64);
    }
}

#[cfg(test)]
mod tests {
    use crate::Policy;
    use packfair_engine::estimator::Requested;
    use packfair_engine::model::{NoteId, Schedule};
    use packfair_engine::simulation::{Options, Simulation, fair_starts};
    use packfair_workload::Seconds;
    use packfair_workload::testing::jobs as workload;

    /// A job: submit, processors, run time, estimate.
    type Job = (Seconds, u32, Seconds, Seconds);

    fn schedule(policy: &str, processors: u32, jobs: &[Job]) -> Schedule {
        let policy: Policy = policy.parse().unwrap();
        let workload = workload(processors, jobs);
        Simulation::new(&workload, policy.build().unwrap(), Box::new(Requested), Options::default()).finish()
    }

    fn promises(schedule: &Schedule) -> Vec<Seconds> {
        schedule.notes.of_jobs(NoteId::PROMISE).to_vec()
    }

    fn strict_fair_starts(policy: &str, processors: u32, jobs: &[Job]) -> Vec<Seconds> {
        let schedule = schedule(policy, processors, jobs);
        let policy: Policy = policy.parse().unwrap();
        let workload = workload(processors, jobs);
        let simulation = Simulation::new(&workload, policy.build().unwrap(), Box::new(Requested), Options::default());
        fair_starts(simulation, &schedule, 0..jobs.len()).strict
    }

    /// The jobs of FAIRNESS §4.1, Fig. 5.
    const DELAYED: [Job; 5] =
        [(0, 90, 100, 200), (1, 45, 100, 200), (2, 40, 95, 200), (3, 90, 100, 200), (4, 45, 100, 200)];

    #[test]
    fn all_make_the_promises_of_fig_5() {
        for policy in ["conservative", "conservative:compression=submission", "pc", "dc"] {
            assert_eq!(promises(&schedule(policy, 100, &DELAYED)), [0, 200, 200, 400, 600], "{policy}");
        }
    }

    #[test]
    fn delayed_compression_lets_a_job_in_that_conservative_does_not() {
        for policy in ["conservative", "conservative:compression=submission", "pc", "easy"] {
            assert_eq!(schedule(policy, 100, &DELAYED).starts, [0, 100, 100, 200, 300], "{policy}");
            assert_eq!(strict_fair_starts(policy, 100, &DELAYED), [0, 100, 100, 200, 300], "{policy}");
        }
        assert_eq!(schedule("dc", 100, &DELAYED).starts, [0, 100, 100, 295, 195]);
        assert_eq!(strict_fair_starts("dc", 100, &DELAYED), [0, 100, 100, 200, 195], "the fourth is wronged by 95 s");
    }

    #[test]
    fn who_is_protected_is_not_overtaken_in_fig_5() {
        for protect in ["first", "higher"] {
            let policy = format!("dc:protect={protect}");
            // at 195 the fifth job could start, but the fourth could start at 300, when the second is expected to end
            assert_eq!(schedule(&policy, 100, &DELAYED).starts, [0, 100, 100, 200, 300], "{protect}");
            assert_eq!(strict_fair_starts(&policy, 100, &DELAYED), [0, 100, 100, 200, 300], "{protect}");
            assert_eq!(promises(&schedule(&policy, 100, &DELAYED)), [0, 200, 200, 400, 600], "{protect}");
        }
    }

    #[test]
    fn the_second_by_priority_is_protected_only_where_all_of_higher_priority_are() {
        // 10 processors: A is to run until 200 and ends at 10, B until 50. C, 6 wide, is promised 50, D, 8 wide, is
        // promised 200, and X, 4 wide for 150 s, is promised 230. At 10 X fits beside C, but not beside D, which could
        // start at 70
        let jobs = [(0, 4, 10, 200), (0, 6, 50, 50), (1, 6, 20, 20), (2, 8, 30, 30), (3, 4, 150, 150)];
        let of = |protect: &str| schedule(&format!("dc:protect={protect}"), 10, &jobs);
        assert_eq!(promises(&of("nobody")), [0, 0, 50, 200, 230]);
        assert_eq!(of("nobody").starts, [0, 0, 50, 160, 10]);
        assert_eq!(of("first").starts, [0, 0, 50, 160, 10], "C is the first, and X does not delay it");
        assert_eq!(of("higher").starts, [0, 0, 50, 70, 100]);
    }

    /// Like FAIRNESS Fig. 1: the second job ends early. In the order of arrival the third can move only from 120 to
    /// 110. Then the fourth moves out of its way, to 10. The fifth shows whether there is a gap.
    const GAP: [Job; 5] = [(0, 5, 60, 60), (0, 5, 10, 120), (1, 10, 30, 30), (2, 5, 50, 50), (11, 10, 10, 10)];

    #[test]
    fn compressing_once_in_the_order_of_arrival_leaves_a_gap() {
        let gap = schedule("conservative:compression=submission", 10, &GAP);
        assert_eq!((promises(&gap), gap.starts), (vec![0, 0, 120, 60, 60], vec![0, 0, 70, 10, 60]));
        for policy in ["conservative", "pc", "dc"] {
            let tight = schedule(policy, 10, &GAP);
            assert_eq!((promises(&tight), tight.starts), (vec![0, 0, 120, 60, 90], vec![0, 0, 60, 10, 90]), "{policy}");
        }
    }

    #[test]
    fn strict_fair_starts_need_not_be_feasible_together() {
        // FAIRNESS Fig. 2: the second could start at 10, when the first ends, if the third had not taken the room
        let jobs = [(0, 6, 10, 100), (1, 10, 20, 20), (2, 4, 50, 50)];
        for policy in ["conservative", "pc", "dc", "easy"] {
            assert_eq!(schedule(policy, 10, &jobs).starts, [0, 52, 2], "{policy}");
            assert_eq!(strict_fair_starts(policy, 10, &jobs), [0, 10, 2], "{policy}");
        }
    }

    #[test]
    fn a_guarantee_that_becomes_impossible_is_made_anew() {
        // the first job runs for 30 s instead of its estimate of 10 s
        let jobs = [(0, 4, 30, 10), (1, 4, 5, 5), (2, 3, 5, 5)];
        let schedule = schedule("conservative", 4, &jobs);
        assert_eq!(promises(&schedule), [0, 10, 15]);
        assert_eq!(schedule.starts, [0, 30, 35]);
        assert!(schedule.notes.count(NoteId::REMADE) >= Some(2.0));
    }
}
