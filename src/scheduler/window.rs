//! The backfill window: which jobs fit right now.

use super::profile::Profile;
use super::shortest::{ShortestByWidth, class};
use std::cell::OnceCell;

/// How wide a job may be to start now, depending on when it would end: a descending staircase.
#[derive(Clone, Debug, Default)]
pub(super) struct BackfillWindow {
    now: f64,
    steps: Vec<WindowStep>,
}

/// A step of the staircase: jobs that end by `until` may be as wide as `width`.
#[derive(Clone, Debug)]
struct WindowStep {
    until: f64,
    width: u32,
    /// The class of the width, computed when it is first needed.
    class: OnceCell<usize>,
}

impl WindowStep {
    #[inline]
    fn class(&self) -> usize {
        *self.class.get_or_init(|| class(self.width))
    }
}

impl BackfillWindow {
    /// Sets the window of a profile in which `free` processors are free `now`. Steps below `narrowest`, the width of
    /// the narrowest job, are left out.
    pub(super) fn read(&mut self, now: f64, free: u32, profile: &Profile, narrowest: u32) {
        self.now = now;
        self.steps.clear();
        let mut width = free;
        profile.descend(free, |until, free| {
            self.add(until, width);
            width = free;
            width >= narrowest
        });
        if width >= narrowest {
            self.add(f64::INFINITY, width);
        }
    }

    /// Sets the window of one reservation, which begins at the shadow time: jobs that end by then may be as wide as
    /// `free`, others as `extra`.
    #[inline]
    pub(super) fn before(&mut self, now: f64, shadow: f64, free: u32, extra: u32) {
        self.now = now;
        self.steps.clear();
        self.add(shadow, free);
        if extra > 0 {
            self.add(f64::INFINITY, extra.min(free));
        }
    }

    /// Sets the window with these steps, the soonest first: a time, and how wide jobs may be that end by then. No step
    /// may be wider than the one before it.
    pub(super) fn set(&mut self, now: f64, steps: impl Iterator<Item = (f64, u32)>) {
        self.now = now;
        self.steps.clear();
        steps.for_each(|(until, width)| self.add(until, width));
    }

    fn add(&mut self, until: f64, width: u32) {
        self.steps.push(WindowStep { until, width, class: OnceCell::new() });
    }

    /// Whether a job of this width and estimate could start now without delaying a reservation.
    #[inline]
    pub(super) fn admits(&self, width: u32, estimate: f64) -> bool {
        let end = self.now + estimate;
        self.steps.iter().any(|step| end <= step.until && width <= step.width)
    }

    #[inline]
    pub(super) fn might_admit(&self, jobs: &ShortestByWidth) -> bool {
        self.steps.iter().any(|step| self.now + jobs.shortest(step.class()) <= step.until.min(f64::MAX))
    }

    /// The width of the widest job that may start now.
    pub(super) fn width(&self) -> u32 {
        self.steps.first().map_or(0, |step| step.width)
    }
}
