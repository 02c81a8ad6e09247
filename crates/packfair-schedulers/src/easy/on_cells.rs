//! EASY on a machine of cells with resources, partitions and a calendar.
//!
//! After a round no waiting job can start until a job ends, the machine changes, or another job becomes the head. So a
//! job that arrives is tried alone. After a completion the jobs that the free processors admit are tried by what they
//! ask for: jobs that ask for equal parts share a bound ([`CellsAhead`]).

use super::queues::EasyQueues;
use crate::ahead::CellsAhead;
use crate::capacity::QueuePlace;
use crate::contenders::{BackfillWindow, Rank};
use crate::plain;
use packfair_engine::model::{Actions, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_workload::{JobId, Seconds};

/// The scheduler of the EASY family for machines of cells.
#[derive(Clone)]
pub(super) struct EasyOnCells {
    queues: EasyQueues,
    ahead: CellsAhead,
    /// The head after the last round (none if no job waited), if no waiting job could start and nothing has ended or
    /// changed since.
    settled: Option<Option<JobId>>,
    /// The only job that has arrived since. It is not in the queue.
    newcomer: Option<Waiting>,
    window: BackfillWindow,
    /// Kept for its memory, as are the fields below.
    started: Vec<Waiting>,
    places: Vec<QueuePlace>,
    fitting: Vec<(Rank, QueuePlace)>,
}

impl EasyOnCells {
    pub(super) fn new(queues: EasyQueues) -> Self {
        EasyOnCells {
            queues,
            ahead: CellsAhead::default(),
            settled: None,
            newcomer: None,
            window: BackfillWindow::default(),
            started: Vec::new(),
            places: Vec::new(),
            fitting: Vec::new(),
        }
    }

    /// Notes that something has changed, so that all waiting jobs must be looked at.
    fn unsettle(&mut self, now: Seconds) {
        self.settled = None;
        if let Some(job) = self.newcomer.take() {
            self.queues.enter(job, now);
        }
    }

    /// Starts a job if it fits beside what is reserved and before what is announced. Returns whether it started.
    fn try_start(&mut self, job: &Waiting, view: &View, actions: &mut Actions) -> bool {
        let Some(placement) = self.ahead.place(job, view) else { return false };
        self.ahead.start(job, &placement, view);
        actions.start_on(*job, Token::default(), placement);
        true
    }

    /// Starts jobs from the head of the queue as long as they fit. Returns the first that does not.
    fn start_from_head(&mut self, view: &View, actions: &mut Actions) -> Option<Waiting> {
        while let Some(job) = self.queues.head(view.now()) {
            if job.processors > actions.free() || !self.try_start(&job, view, actions) {
                return Some(job);
            }
            self.queues.remove_head(&job, view.now());
        }
        None
    }

    /// Backfills: starts other jobs in the backfill order.
    fn backfill(&mut self, view: &View, actions: &mut Actions) {
        self.look(view);
        let mut place = QueuePlace::HEAD;
        if self.queues.backfilled().is_in_log_order() {
            let mut fitting = std::mem::take(&mut self.fitting);
            self.queues.backfilled().fitting(&self.window, view.now(), &mut fitting);
            fitting.iter().for_each(|&(_, place)| self.try_at(place, view, actions));
            self.fitting = fitting;
            self.places.sort_unstable();
        } else {
            while let Some(next) = self.queues.backfilled().first_fitting(place, &self.window) {
                self.try_at(next, view, actions);
                place = next.next();
            }
        }
        if !self.started.is_empty() {
            self.queues.remove_backfilled(&self.places, &self.started, view.now());
            self.started.clear();
            self.places.clear();
        }
    }

    /// Starts the job at a place of the queue, if it fits.
    fn try_at(&mut self, place: QueuePlace, view: &View, actions: &mut Actions) {
        let job = self.queues.backfilled().job(place);
        if job.processors <= actions.free() && self.ahead.might_fit(&job, view) && self.try_start(&job, view, actions) {
            self.started.push(job);
            self.places.push(place);
            self.look(view);
        }
    }

    /// Computes the window of jobs that may start: how many processors are free in all cells together, and for how
    /// long.
    fn look(&mut self, view: &View) {
        self.window.set(view.now() as f64, self.ahead.processors(view));
    }

    /// Decides a round for a job that has arrived, if no other job can start. Returns whether the round is done.
    fn admit(&mut self, view: &View, actions: &mut Actions) -> bool {
        let Some(head) = self.settled else { return false };
        let Some(job) = self.newcomer.take() else { return true };
        let now = view.now();
        if head.is_some() && (self.queues.has_threshold() || self.queues.leads(&job, now)) {
            // the new job is the head, or the threshold may have made another job the head
            self.queues.enter(job, now);
            self.settled = None;
            return false;
        }
        if job.processors > actions.free() || !self.try_start(&job, view, actions) {
            self.queues.enter(job, now);
            if head.is_none() {
                self.settled = None; // the job gets the reservation when another job arrives
            }
        }
        true
    }
}

impl Scheduler for EasyOnCells {
    fn counts_usage(&self) -> bool {
        self.queues.counts_usage()
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.queues.set_size(job.job, view);
        self.queues.keep_reported(&job, view);
        if self.settled.is_some() && self.newcomer.is_none() {
            self.newcomer = Some(job);
        } else {
            self.unsettle(view.now());
            self.queues.enter(job, view.now());
        }
    }

    fn completed(&mut self, release: Release, view: &View) {
        self.unsettle(view.now());
        self.ahead.completed(&release);
    }

    fn expected(&mut self, release: Release, end: f64, view: &View) {
        self.unsettle(view.now());
        self.ahead.expected(&release, end);
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.unsettle(view.now());
        self.queues.reestimate(estimates, view.now());
    }

    fn capacity_changed(&mut self, view: &View) {
        self.unsettle(view.now());
    }

    fn could_start(&self, view: &View) -> bool {
        let fits = |job: &Waiting| view.fits_now(job.job, job.processors);
        self.newcomer.as_ref().is_some_and(fits)
            || (self.queues.initial.narrowest() <= view.free() && self.queues.initial.jobs().any(fits))
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        if self.admit(view, actions) || self.queues.initial.narrowest() > actions.free() {
            return;
        }
        let moves = self.queues.refresh(view);
        self.ahead.begin(view);
        let head = self.start_from_head(view, actions);
        if let Some(head) = head
            && self.queues.initial.narrowest() <= actions.free()
        {
            self.ahead.reserve(&head, view);
            self.backfill(view, actions);
            self.settled = (!moves).then_some(Some(head.job));
        } else if head.is_none() {
            self.settled = Some(None);
        }
        #[cfg(debug_assertions)]
        self.queues.check();
    }

    fn reservations(&self, view: &View) -> Vec<Reservation> {
        let head = self.queues.head_by_definition(view.now()).or(self.newcomer);
        head.into_iter().filter_map(|head| plain::reservation(&head, view)).collect()
    }
}
