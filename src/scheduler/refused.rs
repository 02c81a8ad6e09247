//! Who found no room.

/// So many are remembered. Where none is as wide and as long as another, in an order by area, remembering more
/// would cost more than it saves.
const MOST: usize = 16;

/// For whom a search was in vain: whoever is as wide and as long as one of them finds no room either, as long as
/// room is only taken. Not all of them are remembered.
#[derive(Clone, Debug, Default)]
pub(super) struct Refused {
    /// The narrowest first, which are the longest.
    jobs: Vec<Size>,
}

#[derive(Clone, Copy, Debug)]
struct Size {
    width: u32,
    estimate: f64,
}

impl Refused {
    /// Nobody was refused.
    pub(super) fn clear(&mut self) {
        self.jobs.clear();
    }

    /// Whether a job of this width and estimate is as wide and as long as one of them.
    #[inline(never)]
    pub(super) fn has_smaller(&self, width: u32, estimate: f64) -> bool {
        let mut not_wider = self.jobs.iter().take_while(|other| other.width <= width);
        not_wider.any(|other| other.estimate < estimate)
    }

    /// One more, who is not as wide and as long as any of them.
    #[inline(never)]
    pub(super) fn add(&mut self, width: u32, estimate: f64) {
        let narrower = self.jobs.iter().take_while(|other| other.width < width).count();
        let as_large = self.jobs[narrower..].iter().take_while(|other| other.estimate >= estimate).count();
        let job = Size { width, estimate };
        if as_large > 0 {
            self.jobs[narrower] = job;
            self.jobs.drain(narrower + 1..narrower + as_large);
        } else if self.jobs.len() < MOST {
            self.jobs.insert(narrower, job);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_is_as_large_as_one_of_the_refused_is_refused_too() {
        let mut refused = Refused::default();
        let sizes = [(4, 50.0), (8, 20.0), (2, 90.0), (6, 30.0), (3, 40.0), (5, 15.0)];
        for (i, &(width, estimate)) in sizes.iter().enumerate() {
            assert!(!refused.has_smaller(width, estimate));
            refused.add(width, estimate);
            for width in 1..10 {
                for estimate in (10..100).map(f64::from) {
                    let is_as_large = |&(w, e): &(u32, f64)| width >= w && estimate >= e;
                    assert_eq!(refused.has_smaller(width, estimate), sizes[..=i].iter().any(is_as_large));
                }
            }
        }
        assert_eq!(refused.jobs.len(), 3, "what says nothing more is forgotten");
    }

    #[test]
    fn only_some_are_remembered() {
        let mut refused = Refused::default();
        for i in 1..=2 * MOST as u32 {
            refused.add(i, 1000.0 - f64::from(i));
            assert_eq!(refused.jobs.len(), (i as usize).min(MOST));
        }
        refused.clear();
        assert!(!refused.has_smaller(u32::MAX, 1000.0));
    }
}
