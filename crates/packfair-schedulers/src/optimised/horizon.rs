//! Which jobs a round plans where many wait: a limited number, however long the queue (as CP §5.5 proposes).
//!
//! These are the jobs that arrived since the last round, the first jobs of its plan, and of the others those whose cost
//! rises most per area. Jobs beyond them start if they fit beside the plan, without a reservation.

/// The planned jobs of a round, and the others.
#[derive(Clone, Debug, Default)]
pub struct Horizon {
    /// The planned jobs, in the order of the last plan, new ones at the end.
    pub planned: Vec<u32>,
    /// The jobs that are not planned, in the order of the last plan.
    pub beyond: Vec<u32>,
    keyed: Vec<(f64, u32)>,
    is_chosen: Vec<bool>,
}

/// One in this many of the planned old jobs is chosen for its density instead of its place in the last plan.
const DENSEST: usize = 2;

impl Horizon {
    /// Chooses up to `depth` of the jobs of `kept`, of which the last `newcomers` are new. `density` gives by how much
    /// the cost of a job rises per second and area. Of equally dense jobs the one with the smallest number is first.
    pub fn choose(&mut self, kept: &[u32], newcomers: usize, depth: usize, density: impl Fn(u32) -> f64) {
        let (old, new) = kept.split_at(kept.len() - newcomers.min(kept.len()));
        self.planned.clear();
        self.beyond.clear();
        if kept.len() <= depth {
            self.planned.extend_from_slice(kept);
            return;
        }
        // new jobs are always planned, even if there are more than `depth`
        let left = depth.saturating_sub(new.len());
        let densest = left / DENSEST;
        let (first, others) = old.split_at(left - densest);
        self.planned.extend_from_slice(first);
        self.choose_densest(others, densest, density);
        self.planned.extend_from_slice(new);
    }

    fn choose_densest(&mut self, others: &[u32], densest: usize, density: impl Fn(u32) -> f64) {
        let Horizon { planned, beyond, keyed, is_chosen } = self;
        keyed.clear();
        keyed.extend(others.iter().zip(0..).map(|(&job, i)| (density(job), i)));
        if densest > 0 && densest < keyed.len() {
            let job = |i: u32| others[i as usize];
            keyed.select_nth_unstable_by(densest - 1, |a, b| b.0.total_cmp(&a.0).then(job(a.1).cmp(&job(b.1))));
        }
        is_chosen.clear();
        is_chosen.resize(others.len(), false);
        for &(_, i) in keyed.iter().take(densest) {
            is_chosen[i as usize] = true;
        }
        for (&job, &is_chosen) in others.iter().zip(is_chosen.iter()) {
            if is_chosen { planned.push(job) } else { beyond.push(job) }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn newcomers_the_first_and_the_densest_are_planned() {
        let mut horizon = Horizon::default();
        let density = |job: u32| f64::from(job % 7);
        // 8 is new; 3 and 1 were first; 6 and 13 are the densest of the others
        horizon.choose(&[3, 1, 2, 6, 5, 4, 13, 8], 1, 5, density);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[3, 1, 6, 13, 8][..], &[2, 5, 4][..]));
    }

    #[test]
    fn a_short_queue_is_planned_whole_and_newcomers_always_are() {
        let mut horizon = Horizon::default();
        horizon.choose(&[3, 1, 2], 1, 3, |_| 0.0);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[3, 1, 2][..], &[][..]));
        horizon.choose(&[3, 1, 2], 2, 1, |_| 0.0);
        assert_eq!((&horizon.planned[..], &horizon.beyond[..]), (&[1, 2][..], &[3][..]), "newcomers at the end");
    }
}
