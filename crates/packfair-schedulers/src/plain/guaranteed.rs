//! Guaranteed start times: Conservative, PC and DC (FAIRNESS §2).
//!
//! Every queued job has a start in one profile. As long as estimates hold, a start only ever moves earlier. The paper
//! says nothing of estimates that do not hold. For these the rules are, here as in the fast scheduler:
//!
//! - Plans are in whole seconds: a fractional estimate takes up the second in which it ends.
//! - When the estimate of a running job is corrected, starts that its new end makes impossible are made anew *before*
//!   the jobs of the instant arrive and complete. The order of an instant is: corrections, arrivals, completions,
//!   round. So a correction may move a guarantee even if the job that outlived its estimate completes at the same
//!   instant.
//! - A job that outlives even its corrected estimate is taken to end at the next second. A job that is to end at the
//!   present instant may still do so until all completions are processed.
//! - A guarantee is made anew only if it is impossible: its start has passed, or its processors are no longer free.
//!   Possible guarantees are kept first, the soonest first (ties: log order). Then the impossible ones get their
//!   earliest starts, in the same order.

use super::{Profile, sorted};
use crate::guaranteed::Compression;
use crate::guarantees::Protected;
use crate::order::Order;
use packfair_base::catalogue::Settings;
use packfair_base::machine::Placement;
use packfair_engine::model::{Actions, NoteId, Notes, Release, Reservation, Scheduler, Token, View, Waiting};
use packfair_engine::simulation::Driven;
use packfair_workload::{JobId, Seconds};

/// A queued job and its guaranteed start: infinity where the job never fits, as far as is known.
#[derive(Clone)]
struct PlainGuarantee {
    job: Waiting,
    start: f64,
    placement: Placement,
}

impl PlainGuarantee {
    fn duration(&self) -> f64 {
        self.job.estimate.ceil()
    }

    fn end(&self) -> f64 {
        self.start + self.duration()
    }
}

#[derive(Clone)]
struct PlainGuaranteed {
    /// The priority of PC and DC. Conservative has none; log order serves where one is needed.
    order: Order,
    compression: Compression,
    queue: Vec<PlainGuarantee>,
    /// Jobs that have arrived at this instant and are not placed yet.
    arrivals: Vec<Waiting>,
    arrived: Vec<JobId>,
    /// Whether processors may be free that no plan has accounted for, so that starts may move earlier.
    is_loose: bool,
    /// How many guarantees were made anew.
    remade: u64,
}

/// The plain scheduler of conservative backfilling with these settings.
pub(crate) fn conservative(settings: &Settings) -> Box<dyn Driven> {
    build(Order::Fcfs, Compression::of_conservative(settings))
}

/// The plain scheduler of prioritised compression with these settings.
pub(crate) fn pc(settings: &Settings) -> Box<dyn Driven> {
    build(Order::of(settings, "order"), Compression::Prioritised)
}

/// The plain scheduler of delayed compression with these settings.
pub(crate) fn dc(settings: &Settings) -> Box<dyn Driven> {
    build(Order::of(settings, "order"), Compression::of_dc(settings))
}

fn build(order: Order, compression: Compression) -> Box<dyn Driven> {
    let (queue, arrivals, arrived) = (Vec::new(), Vec::new(), Vec::new());
    Box::new(PlainGuaranteed { order, compression, queue, arrivals, arrived, is_loose: false, remade: 0 })
}

/// The expected end of a running job. If it has passed, the job is taken to end at the next second.
fn expected_end(release: &Release, now: Seconds) -> f64 {
    let end = release.at.ceil();
    if end < now as f64 { now as f64 + 1.0 } else { end }
}

/// What running jobs leave free.
fn running<'a>(view: &'a View<'_>) -> Profile<'a> {
    let mut profile = Profile::idle(view);
    for release in view.running() {
        profile.hold(&release, view, expected_end(&release, view.now()));
    }
    profile
}

impl PlainGuaranteed {
    /// What running and queued jobs leave free.
    fn profile<'a>(&self, view: &'a View<'_>) -> Profile<'a> {
        let mut profile = running(view);
        for planned in &self.queue {
            profile.reserve(&planned.job, &planned.placement, planned.start, planned.end());
        }
        profile
    }

    /// Places in the queue by priority, ties in log order.
    fn by_priority(&self, view: &View) -> Vec<usize> {
        let order = sorted(self.order, self.queue.iter().map(|planned| planned.job), view);
        order.iter().map(|job| self.queue.partition_point(|planned| planned.job.job < job.job)).collect()
    }

    /// Places in the queue by guaranteed start, ties in log order.
    fn by_start(&self) -> Vec<usize> {
        let mut places: Vec<usize> = (0..self.queue.len()).collect();
        places.sort_by(|&a, &b| self.queue[a].start.total_cmp(&self.queue[b].start));
        places
    }

    /// Makes guarantees anew that have become impossible. `profile` has what running jobs leave free.
    fn remake(&mut self, mut profile: Profile, now: Seconds) {
        let mut impossible = Vec::new();
        for place in self.by_start() {
            let planned = &mut self.queue[place];
            let (start, end) = (planned.start, planned.end());
            let is_ahead = start >= now as f64 && start.is_finite();
            match profile.place(&planned.job, start, end).filter(|_| is_ahead) {
                Some(placement) => {
                    profile.reserve(&planned.job, &placement, start, end);
                    planned.placement = placement;
                }
                None => impossible.push(place),
            }
        }
        for place in impossible {
            // a job without a start has lost no guarantee
            let was_guaranteed = self.queue[place].start.is_finite();
            self.put(place, &mut profile, now);
            self.remade += u64::from(was_guaranteed);
            self.is_loose |= was_guaranteed;
        }
    }

    /// Gives a queued job the earliest possible start.
    fn put(&mut self, place: usize, profile: &mut Profile, now: Seconds) {
        let planned = &mut self.queue[place];
        planned.start = profile.earliest(&planned.job, planned.duration(), now as f64);
        planned.placement = profile.place(&planned.job, planned.start, planned.end()).unwrap_or_default();
        profile.reserve(&planned.job, &planned.placement, planned.start, planned.end());
    }

    /// Adds a job to the queue. No queued job moves for it.
    fn insert(&mut self, job: Waiting, view: &View) {
        let mut profile = self.profile(view);
        let place = self.queue.partition_point(|planned| planned.job.job < job.job);
        self.queue.insert(place, PlainGuarantee { job, start: f64::INFINITY, placement: Placement::default() });
        self.put(place, &mut profile, view.now());
    }

    /// Removes a queued job from the profile and places it anew. Returns whether it now starts earlier.
    fn advance(&mut self, place: usize, profile: &mut Profile, now: Seconds) -> bool {
        let before = self.queue[place].clone();
        profile.release(&before.job, &before.placement, before.start, before.end());
        self.put(place, profile, now);
        self.queue[place].start < before.start
    }

    /// Moves each job, in this order, to its earliest start (Conservative's compression).
    fn compress(&mut self, places: &[usize], view: &View) {
        let mut profile = self.profile(view);
        for &place in places {
            self.advance(place, &mut profile, view.now());
        }
    }

    /// Moves the first of these jobs that can start earlier, and returns to the first job, until none can (PC).
    fn compress_until_tight(&mut self, places: &[usize], view: &View) {
        let mut profile = self.profile(view);
        while places.iter().any(|&place| self.advance(place, &mut profile, view.now())) {}
    }

    /// Moves the first job by priority that can start right now to the present, and returns to the first job, until
    /// none can (DC). Jobs that are protected from it move earlier first.
    fn move_to_now(&mut self, protected: Protected, view: &View) {
        let now = view.now() as f64;
        let places = self.by_priority(view);
        loop {
            let mut profile = self.profile(view);
            let first = places.iter().find(|&&place| self.queue[place].start > now);
            if let (Protected::First, Some(&first)) = (protected, first)
                && self.advance(first, &mut profile, view.now())
            {
                continue;
            }
            let Some(next) = places.iter().position(|&place| self.place_now(place, view).is_some()) else { return };
            if protected == Protected::Higher {
                self.compress_until_tight(&places[..next], view);
            }
            if let Some(placement) = self.place_now(places[next], view) {
                let planned = &mut self.queue[places[next]];
                (planned.start, planned.placement) = (now, placement);
            }
        }
    }

    /// Where a queued job that does not start now would run if it did; none where it cannot.
    fn place_now(&self, place: usize, view: &View) -> Option<Placement> {
        let now = view.now() as f64;
        let planned = &self.queue[place];
        let mut profile = self.profile(view);
        profile.release(&planned.job, &planned.placement, planned.start, planned.end());
        profile.place(&planned.job, now, now + planned.duration()).filter(|_| planned.start > now)
    }

    /// Gives the jobs that have arrived at this instant their starts, in log order.
    fn place_arrivals(&mut self, view: &View) {
        for job in std::mem::take(&mut self.arrivals) {
            if let Compression::Delayed(_) = self.compression {
                let all = self.queue.iter().map(|planned| planned.job).chain([job]);
                let order = sorted(self.order, all, view);
                let higher = order.iter().take_while(|other| other.job != job.job);
                let places: Vec<usize> =
                    higher.map(|other| self.queue.partition_point(|planned| planned.job.job < other.job)).collect();
                self.compress_until_tight(&places, view);
            }
            self.insert(job, view);
        }
    }

    /// Starts the jobs whose time has come, by priority.
    fn start_due(&mut self, view: &View, actions: &mut Actions) {
        for place in self.by_priority(view) {
            let PlainGuarantee { job, start, placement } = &self.queue[place];
            if *start <= view.now() as f64 {
                actions.start_on(*job, Token::default(), placement.clone());
            }
        }
        self.queue.retain(|planned| planned.start > view.now() as f64);
        // a job that does not fit beside the present running jobs can only start once one completes, and then there is
        // a round
        let fitting = self.queue.iter().filter(|planned| planned.job.processors <= actions.free());
        if let Some(next) = fitting.map(|planned| planned.start as Seconds).min() {
            actions.wake_at(next);
        }
    }
}

impl Scheduler for PlainGuaranteed {
    fn counts_usage(&self) -> bool {
        self.order.counts_usage()
    }

    fn reads_clock(&self) -> bool {
        self.order.reads_clock()
    }

    fn arrived(&mut self, job: Waiting, view: &View) {
        self.remake(running(view), view.now());
        self.arrived.push(job.job);
        if self.compression == Compression::Submission {
            // the paper's program places a job before the jobs that end at this instant complete
            self.insert(job, view);
        } else {
            self.arrivals.push(job);
        }
    }

    fn completed(&mut self, release: Release, view: &View) {
        // corrections come before completions: until now the job has held its processors
        let (now, end) = (view.now(), expected_end(&release, view.now()));
        let mut profile = running(view);
        profile.hold(&release, view, end);
        self.remake(profile, now);
        self.is_loose |= end > now as f64;
        if self.compression == Compression::Submission {
            self.is_loose = false;
            self.compress(&self.by_priority(view), view);
        }
    }

    fn expected(&mut self, release: Release, end: f64, _: &View) {
        self.is_loose |= end.ceil() < release.at.ceil();
    }

    fn capacity_changed(&mut self, view: &View) {
        self.remake(running(view), view.now());
        self.is_loose = true;
    }

    fn reestimated(&mut self, estimates: &[f64], view: &View) {
        self.remake(running(view), view.now());
        for job in self.queue.iter_mut().map(|planned| &mut planned.job).chain(&mut self.arrivals) {
            let estimate = estimates[job.job.index()];
            self.is_loose |= estimate < job.estimate;
            job.estimate = estimate;
        }
        self.remake(running(view), view.now());
    }

    fn needs_round(&self) -> bool {
        !self.arrived.is_empty()
    }

    fn round(&mut self, view: &View, actions: &mut Actions) {
        self.remake(running(view), view.now());
        if std::mem::take(&mut self.is_loose) {
            match self.compression {
                Compression::Profile => self.compress(&self.by_start(), view),
                Compression::Submission => self.compress(&self.by_priority(view), view),
                Compression::Prioritised => self.compress_until_tight(&self.by_priority(view), view),
                Compression::Delayed(_) => {}
            }
        }
        self.place_arrivals(view);
        if let Compression::Delayed(protected) = self.compression {
            self.move_to_now(protected, view);
        }
        for job in std::mem::take(&mut self.arrived) {
            let planned = self.queue.iter().find(|planned| planned.job.job == job);
            let promised = planned.map_or(view.now() as f64, |planned| planned.start);
            // a job that never fits, as far as is known, is promised nothing
            if promised.is_finite() {
                actions.note(NoteId::PROMISE, job, promised as Seconds);
            }
        }
        self.start_due(view, actions);
    }

    fn reservations(&self, _: &View) -> Vec<Reservation> {
        let planned = self.queue.iter().filter(|planned| planned.start.is_finite());
        planned.map(|planned| Reservation { job: planned.job, start: planned.start }).collect()
    }

    fn report(&self, notes: &mut Notes) {
        notes.set(NoteId::REMADE, self.remade as f64);
    }
}
