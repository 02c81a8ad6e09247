//! What fits right now.

use crate::simulation::Profile;

/// How wide a job may be to start now, given when it would end: a descending staircase.
#[derive(Clone, Debug, Default)]
pub(super) struct Hole {
    now: f64,
    steps: Vec<Step>,
}

/// Jobs that end by `until` may be as wide as `width`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) until: f64,
    pub(super) width: u32,
}

impl Hole {
    /// Reads it off a profile, by which `free` processors are free `now`. Widths below `narrowest`, the narrowest job,
    /// do not matter.
    pub(super) fn read(&mut self, now: f64, free: u32, profile: &Profile, narrowest: u32) {
        self.now = now;
        self.steps.clear();
        let mut width = free;
        profile.descend(free, |until, free| {
            self.steps.push(Step { until, width });
            width = free;
            width >= narrowest
        });
        if width >= narrowest {
            self.steps.push(Step { until: f64::INFINITY, width });
        }
    }

    /// Jobs that end by `shadow` may be as wide as `free`, others as `extra`.
    #[inline]
    pub(super) fn around(&mut self, now: f64, shadow: f64, free: u32, extra: u32) {
        self.now = now;
        self.steps.clear();
        self.steps.push(Step { until: shadow, width: free });
        if extra > 0 {
            self.steps.push(Step { until: f64::INFINITY, width: extra.min(free) });
        }
    }

    /// The present time.
    pub(super) fn now(&self) -> f64 {
        self.now
    }

    /// Its steps, the widest first.
    pub(super) fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether a job of this width and estimate could start now without touching a reservation.
    #[inline]
    pub(super) fn takes(&self, width: u32, estimate: f64) -> bool {
        let end = self.now + estimate;
        self.steps.iter().any(|step| end <= step.until && width <= step.width)
    }

    /// How wide a job may be at most.
    pub(super) fn width(&self) -> u32 {
        self.steps.first().map_or(0, |step| step.width)
    }
}
