//! What room there is at most.

use super::needs::Needs;

/// For how long how many processors are free at once, at most: known from searches that were in vain, and true as long
/// as room is only taken.
#[derive(Clone, Debug, Default)]
pub(super) struct Room {
    /// The narrowest first, which are the longest.
    bounds: Vec<Bound>,
}

/// Nowhere are so many processors free for longer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bound {
    processors: u32,
    longest: f64,
}

impl Bound {
    /// Whether it says that there is no room for a job of this width and estimate.
    #[inline(always)]
    pub(super) fn excludes(&self, processors: u32, estimate: f64) -> bool {
        processors >= self.processors && estimate > self.longest
    }
}

impl Room {
    /// Nothing is known.
    pub(super) fn clear(&mut self) {
        self.bounds.clear();
    }

    /// Whether anything is known.
    #[inline]
    pub(super) fn has_bounds(&self) -> bool {
        !self.bounds.is_empty()
    }

    /// The bound that most often says that there is none.
    #[inline(always)]
    pub(super) fn first(&self) -> Bound {
        self.bounds.first().copied().unwrap_or(Bound { processors: u32::MAX, longest: f64::INFINITY })
    }

    /// Whether there is none for a job of this width and estimate.
    #[inline(always)] // most often the first bound says it
    pub(super) fn is_too_small(&self, processors: u32, estimate: f64) -> bool {
        let Some(first) = self.bounds.first() else { return false };
        if estimate > first.longest {
            return processors >= first.processors; // the first is the narrowest, and longer than the others
        }
        self.is_too_small_behind_first(processors, estimate)
    }

    /// The same, where the first bound alone does not say it.
    #[inline(never)]
    fn is_too_small_behind_first(&self, processors: u32, estimate: f64) -> bool {
        let behind = self.bounds.partition_point(|bound| bound.processors <= processors);
        behind.checked_sub(1).is_some_and(|last| self.bounds[last].longest < estimate)
    }

    /// Whether there is none for any of the jobs that have these needs.
    pub(super) fn is_too_small_for_all(&self, needs: &Needs) -> bool {
        needs.least().all(|(processors, estimate)| self.is_too_small(processors, estimate))
    }

    /// Nowhere are `processors` free for longer than `longest`. That was not known.
    #[inline(never)]
    pub(super) fn learn(&mut self, processors: u32, longest: f64) {
        let narrower = self.bounds.partition_point(|bound| bound.processors < processors);
        let weaker = self.bounds[narrower..].iter().take_while(|bound| bound.longest >= longest).count();
        let bound = Bound { processors, longest };
        if weaker > 0 {
            self.bounds[narrower] = bound;
            self.bounds.drain(narrower + 1..narrower + weaker);
        } else {
            self.bounds.insert(narrower, bound);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_as_wide_as_a_bound_and_longer_finds_no_room() {
        let mut room = Room::default();
        let bounds = [(4, 50.0), (8, 20.0), (2, 90.0), (6, 30.0), (3, 40.0), (5, 15.0)];
        for (i, &(processors, longest)) in bounds.iter().enumerate() {
            assert!(!room.is_too_small(processors, longest));
            room.learn(processors, longest);
            for processors in 1..10 {
                for estimate in (10..100).map(f64::from) {
                    let finds_none = |&(wide, longest): &(u32, f64)| processors >= wide && estimate > longest;
                    let is_too_small = bounds[..=i].iter().any(finds_none);
                    assert_eq!(room.is_too_small(processors, estimate), is_too_small);
                    let needs = Needs::of(std::iter::once((processors, estimate)));
                    assert!(is_too_small || !room.is_too_small_for_all(&needs), "{processors} for {estimate}");
                }
            }
        }
        assert_eq!(room.bounds.len(), 3, "what says nothing more is forgotten");
    }
}
