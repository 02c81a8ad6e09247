//! What is free in the cells of a machine from now on, beside one reservation.
//!
//! As running jobs end, what is free only grows, until the reservation begins or nodes go as announced. So time is cut
//! into a few stretches in which it only grows, and what is free at the beginning of a stretch is the least in it. A
//! job that starts now fits if it fits into the least of all stretches that begin before it ends.

use super::freed::{ExpectedEnds, RunningEnd};
use packfair_base::machine::{Need, Placement};
use packfair_engine::model::{AnnouncedStep, Needs, Release, View, Waiting};

/// A time in which what is free only grows.
#[derive(Clone, Debug)]
struct GrowingStretch {
    begin: f64,
    /// What is free when the stretch begins, of each resource in each cell.
    free: Vec<i64>,
    /// The least that is free in this stretch and in all stretches before it, of each resource in each cell.
    least: Vec<i64>,
}

/// An upper bound, found in a round, of how many parts of a shape fit.
#[derive(Clone, Copy, Debug, Default)]
struct PartsBound {
    round: u64,
    most: i64,
}

/// The number of stretches for which such bounds are kept. Without a calendar there are at most two.
const BOUNDED: usize = 2;

#[derive(Clone, Debug, Default)]
pub(super) struct CellsAhead {
    /// Running jobs, and where they run.
    running: ExpectedEnds<Placement>,
    announced: Vec<AnnouncedStep>,
    stretches: Vec<GrowingStretch>,
    /// Indexed by the number of the shape, and by the last stretch in which a job would run.
    bounds: Vec<[PartsBound; BOUNDED]>,
    round: u64,
}

impl CellsAhead {
    /// Begins a round, without a reservation.
    pub(super) fn begin(&mut self, view: &View) {
        let Some(cluster) = view.cluster() else { return };
        self.round += 1;
        self.announced.clear();
        self.announced.extend(view.announced());
        self.stretches.clear();
        self.add_stretch(view.now() as f64, cluster.free().to_vec());
        let is_fall = |step: &AnnouncedStep| step.more.iter().any(|&more| more < 0);
        let falls: Vec<f64> = self.announced.iter().filter(|step| is_fall(step)).map(|step| step.at as f64).collect();
        let Some(&last) = falls.last() else { return };
        let mut walk = Walk::new(self, view.needs());
        let mut found = Vec::new();
        while let Some(time) = walk.go_on().filter(|&time| time <= last) {
            if falls.contains(&time) {
                found.push((time, walk.free.clone()));
            }
        }
        found.into_iter().for_each(|(time, free)| self.add_stretch(time, free));
    }

    fn add_stretch(&mut self, begin: f64, free: Vec<i64>) {
        let after = self.stretches.partition_point(|stretch| stretch.begin < begin);
        if self.stretches.get(after).is_none_or(|stretch| stretch.begin > begin) {
            self.stretches.insert(after, GrowingStretch { begin, least: free.clone(), free });
        }
        self.measure();
    }

    /// Takes the parts of a placement from what is free over [begin, end), in seconds.
    fn take(&mut self, need: Need, placement: &Placement, begin: f64, end: f64) {
        let over = self.stretches.iter_mut().filter(|stretch| begin <= stretch.begin && stretch.begin < end);
        over.for_each(|stretch| need.shape.take(placement, &mut stretch.free, 1));
        self.measure();
    }

    /// Computes `least` of every stretch anew.
    fn measure(&mut self) {
        for i in 0..self.stretches.len() {
            let (before, rest) = self.stretches.split_at_mut(i);
            let GrowingStretch { free, least, .. } = &mut rest[0];
            least.copy_from_slice(free);
            if let Some(before) = before.last() {
                least.iter_mut().zip(&before.least).for_each(|(least, &before)| *least = before.min(*least));
            }
        }
    }

    /// The index of the last stretch in which a job would run if it started now.
    fn last_of(&self, job: &Waiting, view: &View) -> usize {
        let end = view.now() as f64 + job.estimate;
        // the first begins now or before
        self.stretches.iter().rposition(|stretch| stretch.begin < end).unwrap_or(0)
    }

    /// Where a job would run if it started now; none if it does not fit for as long as its estimate.
    pub(super) fn place(&self, job: &Waiting, view: &View) -> Option<Placement> {
        let Need { parts, shape, .. } = view.needs().of_waiting(job);
        shape.place(parts, &self.stretches[self.last_of(job, view)].least)
    }

    /// Whether a job might fit, by what this round has found for jobs that ask for the same parts. What is free only
    /// shrinks during a round.
    pub(super) fn might_fit(&mut self, job: &Waiting, view: &View) -> bool {
        let Need { parts, shape, number } = view.needs().of_waiting(job);
        let stretch = self.last_of(job, view);
        if stretch >= BOUNDED {
            return true;
        }
        let number = number as usize;
        if self.bounds.len() <= number {
            self.bounds.resize(number + 1, Default::default());
        }
        let bound = &mut self.bounds[number][stretch];
        if bound.round != self.round {
            *bound = PartsBound { round: self.round, most: shape.most_parts(&self.stretches[stretch].least) };
        }
        i64::from(parts) <= bound.most
    }

    /// For each stretch its end, and how many processors jobs that end by then find free in all cells together; the
    /// soonest first.
    pub(super) fn processors<'s>(&'s self, view: &'s View) -> impl Iterator<Item = (f64, u32)> + 's {
        let ends = self.stretches[1..].iter().map(|next| next.begin).chain([f64::INFINITY]);
        let widths =
            self.stretches.iter().map(|stretch| view.cluster().map_or(0, |of| of.processors_of(&stretch.least)));
        ends.zip(widths)
    }

    pub(super) fn start(&mut self, job: &Waiting, placement: &Placement, view: &View) {
        let at = view.now() as f64 + job.estimate;
        self.take(view.needs().of_waiting(job), placement, f64::NEG_INFINITY, at);
        self.running.started(RunningEnd { at, job: job.job, held: placement.clone() });
    }

    /// Removes a running job that has ended.
    pub(super) fn completed(&mut self, release: &Release) {
        self.running.completed(release);
    }

    /// Notes that a running job is now expected to end at `at`.
    pub(super) fn expected(&mut self, release: &Release, at: f64) {
        self.running.expected(release, at);
    }

    /// Reserves for a job that does not fit now, at the first time at which it fits, if there is one.
    pub(super) fn reserve(&mut self, head: &Waiting, view: &View) {
        let need = view.needs().of_waiting(head);
        let only_grows = self.stretches.len() == 1;
        let found = if only_grows { self.first_with(need, view) } else { self.earliest(need, head.estimate, view) };
        let Some((begin, free, least)) = found else { return };
        let Some(placement) = need.shape.place(need.parts, least.as_ref().unwrap_or(&free)) else { return };
        self.add_stretch(begin, free);
        self.take(need, &placement, begin, begin + head.estimate);
    }

    /// The first time at which a job fits, and what is free then, where what is free only grows.
    fn first_with(&self, need: Need, view: &View) -> Option<FoundTime> {
        let mut walk = Walk::new(self, view.needs());
        // what all cells share changes how many parts fit into each, whichever cell a job leaves
        if need.shape.takes_shared() {
            while let Some(time) = walk.go_on() {
                if need.shape.fits(need.parts, &walk.free) {
                    return Some((time, walk.free, None));
                }
            }
            return None;
        }
        let cells = need.shape.usable_cells();
        let mut parts: Vec<(u32, i64)> =
            cells.map(|cell| (cell, need.shape.parts_in(cell, &walk.free).unwrap_or(0))).collect();
        while let Some(time) = walk.go_on() {
            for changed in &walk.changed {
                if let Some((cell, parts)) = parts.iter_mut().find(|(cell, _)| cell == changed) {
                    *parts = need.shape.parts_in(*cell, &walk.free).unwrap_or(0);
                }
            }
            if parts.iter().map(|&(_, parts)| parts).sum::<i64>() >= i64::from(need.parts) {
                return Some((time, walk.free, None));
            }
        }
        None
    }

    /// The first time at which a job fits for `duration` seconds, where nodes will go, and the least that is free
    /// meanwhile.
    fn earliest(&self, need: Need, duration: f64, view: &View) -> Option<FoundTime> {
        let mut walk = Walk::new(self, view.needs());
        let mut steps = vec![(view.now() as f64, walk.free.clone())];
        while let Some(time) = walk.go_on() {
            steps.push((time, walk.free.clone()));
        }
        (0..steps.len()).find_map(|first| {
            let (begin, free) = &steps[first];
            let mut least = free.clone();
            let during = steps[first + 1..].iter().take_while(|&&(time, _)| time < begin + duration);
            let is_too_little = |least: &[i64]| !need.shape.fits(need.parts, least);
            if is_too_little(&least) {
                return None;
            }
            for (_, free) in during {
                least.iter_mut().zip(free).for_each(|(least, &free)| *least = free.min(*least));
                if is_too_little(&least) {
                    return None;
                }
            }
            Some((*begin, free.clone(), Some(least)))
        })
    }
}

/// A time, what is free then, and the least that is free meanwhile, where that is less.
type FoundTime = (f64, Vec<i64>, Option<Vec<i64>>);

/// Goes through the times at which what is free changes, from now on.
struct Walk<'s, 'a> {
    needs: Needs<'a>,
    /// The remaining running jobs; the one that ends soonest comes last.
    running: &'s [RunningEnd<Placement>],
    /// The remaining announced changes, the soonest first.
    announced: &'s [AnnouncedStep],
    /// What is free at the time that was reached last.
    free: Vec<i64>,
    /// The cells in which that changed at this time; a cell may be listed twice.
    changed: Vec<u32>,
}

impl<'s, 'a> Walk<'s, 'a> {
    fn new(ahead: &'s CellsAhead, needs: Needs<'a>) -> Self {
        let free = ahead.stretches[0].free.clone();
        Walk { needs, running: ahead.running.ends(), announced: &ahead.announced, free, changed: Vec::new() }
    }

    /// Goes on to the next time at which something changes, and returns it; none if nothing changes any more.
    fn go_on(&mut self) -> Option<f64> {
        let end = self.running.last().map_or(f64::INFINITY, |running| running.at);
        let time = end.min(self.announced.first().map_or(f64::INFINITY, |step| step.at as f64));
        self.changed.clear();
        while let Some((running, rest)) = self.running.split_last().filter(|(running, _)| running.at <= time) {
            self.running = rest;
            self.needs.of(running.job, 0).shape.take(&running.held, &mut self.free, -1);
            self.changed.extend(running.held.0.iter().map(|&(cell, _)| cell));
        }
        while let Some((step, rest)) = self.announced.split_first().filter(|(step, _)| step.at as f64 <= time) {
            self.announced = rest;
            self.free.iter_mut().zip(&step.more).for_each(|(free, &more)| *free += more);
            // this names at least all cells; a number beyond them matches no cell
            self.changed.extend(0..step.more.len() as u32);
        }
        (time < f64::INFINITY).then_some(time)
    }
}
