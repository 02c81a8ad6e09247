//! Compares two ways of compression: the first job that has not tried goes on, or the first of the queue begins again.

use super::{Candidate, Freed, ListPlace, WORTH_LOOKING};
use crate::profile::Profile;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

const PROCESSORS: u32 = 16;

/// A job: processors, run time, and by how much the estimate is longer, in seconds.
type Job = (u32, u16, u16);

/// A running job: its end, its estimated end and its processors.
type Running = (f64, f64, u32);

/// A way of compressing the whole queue, or its first jobs. It returns the moves.
trait Compress {
    fn freed(&mut self, begin: f64, end: f64, processors: u32, profile: &mut Profile);
    fn left(&mut self, places: &[usize]);
    fn compress(&mut self, queue: &mut [Candidate], jobs: usize, profile: &mut Profile) -> Vec<(usize, f64)>;
}

fn move_job(job: &mut Candidate, begin: f64, profile: &mut Profile) -> (f64, f64) {
    let before = (job.begin, job.begin + job.length);
    profile.release(before.0, before.1, job.processors);
    job.begin = begin;
    profile.reserve(begin, begin + job.length, job.processors);
    (before.0.max(begin + job.length), before.1)
}

/// Prioritised compression as the paper states it.
struct Plain;

impl Compress for Plain {
    fn freed(&mut self, _: f64, _: f64, _: u32, _: &mut Profile) {}

    fn left(&mut self, _: &[usize]) {}

    fn compress(&mut self, queue: &mut [Candidate], jobs: usize, profile: &mut Profile) -> Vec<(usize, f64)> {
        let mut moves = Vec::new();
        let mut place = 0;
        while place < jobs {
            let Candidate { processors, length, begin } = queue[place];
            match profile.earlier(processors, length, begin) {
                Some(earlier) => {
                    move_job(&mut queue[place], earlier, profile);
                    moves.push((place, earlier));
                    place = 0;
                }
                None => place += 1,
            }
        }
        moves
    }
}

impl Compress for Freed {
    fn freed(&mut self, begin: f64, end: f64, processors: u32, profile: &mut Profile) {
        // jobs are taken for few and for many in turns
        self.add(begin, end, processors, processors as usize % 2 * WORTH_LOOKING, profile);
    }

    fn left(&mut self, places: &[usize]) {
        let places: Vec<ListPlace> = places.iter().copied().map(ListPlace::new).collect();
        Freed::left(self, &places);
    }

    fn compress(&mut self, queue: &mut [Candidate], jobs: usize, profile: &mut Profile) -> Vec<(usize, f64)> {
        let mut moves = Vec::new();
        let (end, all) = (ListPlace::new(jobs), ListPlace::new(queue.len()));
        if !self.is_left_to(end) {
            return moves;
        }
        self.begin(queue.iter().copied());
        while let Some((place, earlier)) = self.first_that_can_move(end, profile) {
            let job = &mut queue[place.index()];
            let (begin, end) = move_job(job, earlier, profile);
            self.add(begin, end, job.processors, job.processors as usize % 2 * WORTH_LOOKING, profile);
            self.moved(place, earlier);
            moves.push((place.index(), earlier));
        }
        self.forget_used(f64::NEG_INFINITY, all);
        moves
    }
}

/// All moves while jobs run that all arrive at once. At each completion the first `first(queued)` jobs of the queue are
/// compressed, where `queued` is its length.
fn moves(jobs: &[Job], mut compress: impl Compress, first: impl Fn(usize) -> usize) -> Vec<(usize, f64)> {
    let mut profile = Profile::idle(0.0, PROCESSORS);
    let mut queue = Vec::new();
    let mut ends = Vec::new();
    for &(processors, run, more) in jobs {
        let length = f64::from(run) + f64::from(more);
        let (begin, _) = profile.place(processors, length);
        queue.push(Candidate { processors, length, begin });
        ends.push(f64::from(run));
    }
    let mut running: Vec<Running> = Vec::new();
    let mut moves = Vec::new();
    let mut now = 0.0;
    loop {
        let due: Vec<usize> = (0..queue.len()).filter(|&place| queue[place].begin <= now).collect();
        for &place in due.iter().rev() {
            let job = queue.remove(place);
            running.push((now + ends.remove(place), job.begin + job.length, job.processors));
        }
        compress.left(&due);
        let next = running.iter().map(|running| running.0).chain(queue.iter().map(|job| job.begin));
        let Some(next) = next.reduce(f64::min) else { return moves };
        now = next;
        profile.advance(now);
        for (_, expected, processors) in running.extract_if(.., |running| running.0 <= now) {
            profile.release(now, expected, processors);
            compress.freed(now, expected, processors, &mut profile);
        }
        let jobs = first(queue.len());
        moves.extend(compress.compress(&mut queue, jobs, &mut profile));
    }
}

proptest! {
    #![proptest_config(Config {
        cases: 200,
        rng_seed: RngSeed::Fixed(2013),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn the_moves_are_those_of_beginning_again_after_each(
        jobs in prop::collection::vec((1..=PROCESSORS, 1..40_u16, prop_oneof![Just(0), 0..200_u16]), 1..90),
        every in 1..4_usize,
    ) {
        for part in [1, every] {
            let first = |queued: usize| queued / part;
            prop_assert_eq!(moves(&jobs, Freed::default(), first), moves(&jobs, Plain, first));
        }
    }
}
