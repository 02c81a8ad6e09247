//! What fits right now.

use super::needs::{Needs, class};
use super::profile::Profile;
use std::cell::OnceCell;

/// How wide a job may be to start now, given when it would end: a descending staircase.
#[derive(Clone, Debug, Default)]
pub(super) struct Hole {
    now: f64,
    steps: Vec<Step>,
}

/// Jobs that end by `until` may be as wide as `width`.
#[derive(Clone, Debug)]
struct Step {
    until: f64,
    width: u32,
    /// Of the width, once it was asked for.
    class: OnceCell<usize>,
}

impl Step {
    #[inline]
    fn class(&self) -> usize {
        *self.class.get_or_init(|| class(self.width))
    }
}

impl Hole {
    /// Reads it off a profile, by which `free` processors are free `now`. Widths below `narrowest`, the narrowest job,
    /// do not matter.
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

    /// Jobs that end by `shadow` may be as wide as `free`, others as `extra`.
    #[inline]
    pub(super) fn around(&mut self, now: f64, shadow: f64, free: u32, extra: u32) {
        self.now = now;
        self.steps.clear();
        self.add(shadow, free);
        if extra > 0 {
            self.add(f64::INFINITY, extra.min(free));
        }
    }

    fn add(&mut self, until: f64, width: u32) {
        self.steps.push(Step { until, width, class: OnceCell::new() });
    }

    /// Whether a job of this width and estimate could start now without touching a reservation.
    #[inline]
    pub(super) fn takes(&self, width: u32, estimate: f64) -> bool {
        let end = self.now + estimate;
        self.steps.iter().any(|step| end <= step.until && width <= step.width)
    }

    /// Whether any of the jobs that have these needs might.
    #[inline]
    pub(super) fn might_take(&self, needs: &Needs) -> bool {
        self.steps.iter().any(|step| self.now + needs.shortest(step.class()) <= step.until.min(f64::MAX))
    }

    /// How wide a job may be at most.
    pub(super) fn width(&self) -> u32 {
        self.steps.first().map_or(0, |step| step.width)
    }
}
