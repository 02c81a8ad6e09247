//! What becomes of a plan as jobs start and end.

use super::{Plan, Spot};
use crate::model::{Release, Token, View};

impl Plan {
    /// A running job has ended.
    #[inline(always)]
    pub(in crate::scheduler) fn completed(&mut self, release: Release, view: &View) {
        self.open_from = Spot::FIRST;
        if self.recent.end(&release) {
            return; // the plan was made without it
        }
        if release.at != view.now() as f64 {
            self.has_surprises = true;
            self.forget();
            self.profile.release_until(release.at, release.processors);
        }
    }

    /// A running job is now expected to end at `end`.
    pub(in crate::scheduler) fn expected(&mut self, release: Release, end: f64) {
        self.open_from = Spot::FIRST;
        self.has_surprises = true;
        self.forget();
        if !self.recent.expect(&release, end) {
            self.profile.move_end(release.at, end, release.processors);
        }
    }

    /// Nothing of the plan stands any more.
    pub(super) fn forget(&mut self) {
        self.planned = Spot::FIRST;
        self.horizon = f64::NEG_INFINITY;
        self.next_begin = f64::INFINITY;
        self.is_short_lived |= !self.reservations.is_empty();
        if let Some(running) = self.running.take() {
            self.spare = std::mem::replace(&mut self.profile, running);
            self.reservations.clear();
        }
        for gone in self.reservations.drain(..).rev() {
            self.profile.release(gone.begin, gone.end, gone.processors);
        }
    }

    /// A job starts that is expected to end at `end`.
    #[inline(always)]
    pub(super) fn occupy(&mut self, end: f64, processors: u32) -> Token {
        if self.recent.is_full() {
            self.update();
        }
        self.recent.start(end, processors)
    }

    /// Brings the profiles up to the present, before they are looked at.
    #[inline(always)]
    pub(super) fn update(&mut self) {
        if self.updated < self.now || !self.recent.is_empty() {
            self.catch_up();
        }
    }

    #[inline(never)]
    fn catch_up(&mut self) {
        self.updated = self.now;
        self.profile.advance(self.now);
        if let Some(running) = &mut self.running {
            running.advance(self.now);
        }
        for (end, processors) in self.recent.drain() {
            self.profile.reserve_until(end, processors);
            if let Some(running) = &mut self.running {
                running.reserve_until(end, processors);
            }
        }
    }

    /// Keeps the profile of running jobs alone: the first reservation is about to be made.
    pub(super) fn keep_running(&mut self) {
        let mut running = std::mem::take(&mut self.spare);
        running.clone_from(&self.profile);
        self.running = Some(running);
    }
}
