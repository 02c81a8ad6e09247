//! Compares profiles of some blocks with the plainest one: a list of reservations that is searched for each time.

use super::*;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

const PROCESSORS: u32 = 40;

/// A reservation: processors, begin and end.
type Reservation = (u32, f64, f64);

/// The plainest profile: all reservations.
struct Naive {
    now: f64,
    reservations: Vec<Reservation>,
}

impl Naive {
    fn free(&self, at: f64) -> u32 {
        let taken = self.reservations.iter().filter(|&&(_, begin, end)| begin <= at && at < end);
        PROCESSORS - taken.map(|&(processors, ..)| processors).sum::<u32>()
    }

    /// Now, and all later times at which a reservation begins or ends.
    fn times(&self) -> Vec<f64> {
        let ends = self.reservations.iter().flat_map(|&(_, begin, end)| [begin, end]);
        let mut times: Vec<f64> = ends.filter(|&time| time > self.now).chain([self.now]).collect();
        times.sort_by(f64::total_cmp);
        times.dedup();
        times
    }

    fn steps(&self) -> Vec<(f64, u32)> {
        let mut steps: Vec<(f64, u32)> = self.times().into_iter().map(|time| (time, self.free(time))).collect();
        steps.dedup_by_key(|&mut (_, free)| free);
        steps
    }

    fn least(&self, begin: f64, end: f64) -> u32 {
        let inside = self.times().into_iter().filter(|&time| begin < time && time < end);
        inside.map(|time| self.free(time)).fold(self.free(begin), u32::min)
    }

    fn earliest(&self, processors: u32, duration: f64) -> f64 {
        let fits = |&time: &f64| self.least(time, time + duration) >= processors;
        self.times().into_iter().find(fits).unwrap()
    }

    /// Where a reservation could move, which the caller has taken out.
    fn earlier(&self, processors: u32, duration: f64, begin: f64) -> Option<f64> {
        let time = self.earliest(processors, duration);
        (time < begin).then_some(time)
    }
}

/// An operation on a profile. Times and lengths are whole numbers; a `usize` picks a reservation.
#[derive(Clone, Copy, Debug)]
enum Deed {
    Place(u32, u16),
    /// Two reservations of the same width. The second is not shorter, and its search begins where the first was found.
    PlaceTwo(u32, u16, u16),
    ReserveUntil(u32, u16),
    Reserve(u32, u16, u16),
    Release(usize),
    Advance(u16),
    Extend(usize, u16),
    MoveEarlier(usize),
}

fn deeds() -> impl Strategy<Value = Vec<Deed>> {
    let (width, length) = (1..=9_u32, 1..=400_u16);
    let deed = prop_oneof![
        6 => (width.clone(), length.clone()).prop_map(|(w, l)| Deed::Place(w, l)),
        3 => (width.clone(), length.clone(), 0..=90_u16).prop_map(|(w, l, more)| Deed::PlaceTwo(w, l, l + more)),
        2 => (width.clone(), length.clone()).prop_map(|(w, end)| Deed::ReserveUntil(w, end)),
        2 => (width, length.clone(), length.clone()).prop_map(|(w, from, l)| Deed::Reserve(w, from, l)),
        4 => any::<usize>().prop_map(Deed::Release),
        2 => (0..=30_u16).prop_map(Deed::Advance),
        2 => (any::<usize>(), 1..=300_u16).prop_map(|(i, end)| Deed::Extend(i, end)),
        2 => any::<usize>().prop_map(Deed::MoveEarlier),
    ];
    prop::collection::vec(deed, 1..=250)
}

/// A machine that is full of jobs of one processor, which end one after another, so that each makes a step.
fn start() -> (Profile, Naive) {
    let mut profile = Profile::default();
    profile.begin_with(0.0, PROCESSORS, (1..=PROCESSORS).map(|i| (f64::from(i), 1)));
    let reservations = (1..=PROCESSORS).map(|i| (1, f64::NEG_INFINITY, f64::from(i))).collect();
    (profile, Naive { now: 0.0, reservations })
}

fn apply(deed: Deed, profile: &mut Profile, naive: &mut Naive) {
    let now = naive.now;
    match deed {
        Deed::Place(processors, length) => {
            let (begin, end) = profile.place(processors, length.into());
            assert_eq!(begin, naive.earliest(processors, length.into()));
            naive.reservations.push((processors, begin, end));
        }
        Deed::PlaceTwo(processors, first, second) => {
            let span = profile.earliest_before(f64::INFINITY, processors, first.into()).unwrap();
            let (step, begin) = (span.first, span.begin);
            assert_eq!(begin, naive.earliest(processors, first.into()));
            naive.reservations.push((processors, begin, span.end));
            assert!(profile.take(span, processors).least <= naive.least(begin, begin + f64::from(first)));
            let due = naive.earliest(processors, second.into());
            assert!(profile.earliest_from(step, due, processors, second.into()).found().is_none());
            let from_now = profile.earliest_from(StepPlace::FIRST, due, processors, second.into());
            if let SpanSearch::NoneLongerThan(longest) = from_now {
                assert!(longest <= second.into() && naive.earliest(processors, longest + 0.5) >= due);
            }
            let span = profile.earliest_from(step, f64::INFINITY, processors, second.into()).found().unwrap();
            assert_eq!(span.begin, due);
            naive.reservations.push((processors, due, span.end));
            profile.take(span, processors);
        }
        Deed::ReserveUntil(processors, length) => {
            let end = now + f64::from(length);
            let fits = naive.least(now, end) >= processors;
            assert_eq!(profile.has_free(now, end, processors), fits);
            if fits {
                profile.reserve_until(end, processors);
                naive.reservations.push((processors, now, end));
            }
        }
        Deed::Reserve(processors, from, length) => {
            let begin = now + f64::from(from);
            let end = begin + f64::from(length);
            let fits = naive.least(begin, end) >= processors;
            assert_eq!(profile.has_free(begin, end, processors), fits);
            if fits {
                profile.reserve(begin, end, processors);
                naive.reservations.push((processors, begin, end));
            }
        }
        Deed::Release(pick) if !naive.reservations.is_empty() => {
            let (processors, begin, end) = naive.reservations.swap_remove(pick % naive.reservations.len());
            if begin <= now {
                profile.release_until(end, processors);
            } else {
                profile.release(begin, end, processors);
            }
        }
        Deed::Extend(pick, length) if !naive.reservations.is_empty() => {
            let (processors, begin, from) = naive.reservations.swap_remove(pick % naive.reservations.len());
            let to = now.max(begin) + f64::from(length);
            let fits = from > now && (to <= from || naive.least(from, to) >= processors);
            if fits {
                profile.move_end(from, to, processors);
            }
            naive.reservations.push((processors, begin, if fits { to } else { from }));
        }
        Deed::MoveEarlier(pick) if !naive.reservations.is_empty() => {
            let (processors, begin, end) = naive.reservations.swap_remove(pick % naive.reservations.len());
            let duration = end - begin;
            let mut due = None;
            if begin > now {
                due = naive.earlier(processors, duration, begin);
                assert_eq!(profile.earlier(processors, duration, begin), due);
                assert_eq!(profile.could_begin_now(processors, duration, begin), due == Some(now));
            }
            if let Some(due) = due {
                profile.release(begin, end, processors);
                profile.reserve(due, due + duration, processors);
                naive.reservations.push((processors, due, due + duration));
            } else {
                naive.reservations.push((processors, begin, end));
            }
        }
        Deed::Advance(seconds) => {
            naive.now += f64::from(seconds);
            profile.advance(naive.now);
        }
        Deed::Release(_) | Deed::Extend(..) | Deed::MoveEarlier(_) => {}
    }
}

fn compare(profile: &mut Profile, naive: &Naive) {
    profile.check(Some(PROCESSORS));
    let mut steps: Vec<(f64, u32)> = profile.steps().collect();
    steps.dedup_by_key(|&mut (_, free)| free);
    assert_eq!(steps, naive.steps());
    for processors in [1, PROCESSORS / 2, PROCESSORS] {
        assert_eq!(profile.first_with(processors), steps.iter().copied().find(|&(_, free)| free >= processors));
        assert_eq!(profile.earliest(processors, 50.0), naive.earliest(processors, 50.0));
    }
    let until = naive.now + 100.0;
    for from in [naive.now, naive.now + 40.0] {
        let begun = steps.iter().rposition(|&(time, _)| time <= from).unwrap();
        let before = steps[begun..].iter().take_while(|&&(time, _)| time < until);
        let most = profile.most_before(profile.step_at(from), until);
        assert!(most >= before.map(|&(_, free)| free).max().unwrap());
    }
    let (mut lows, mut least) = (Vec::new(), PROCESSORS);
    for &(time, free) in steps.iter().filter(|&&(_, free)| free < PROCESSORS) {
        if free < least {
            lows.push((time, free));
            least = free;
        }
    }
    let mut visited = Vec::new();
    profile.descend(PROCESSORS, |time, free| {
        visited.push((time, free));
        free > 2
    });
    let rest = lows.iter().position(|&(_, free)| free <= 2).map_or(lows.len(), |last| last + 1);
    assert_eq!(visited, lows[..rest]);
}

proptest! {
    #![proptest_config(Config {
        cases: 50,
        rng_seed: RngSeed::Fixed(2022),
        failure_persistence: None,
        ..Config::default()
    })]

    #[test]
    fn a_profile_is_what_its_reservations_leave(deeds in deeds()) {
        let (mut profile, mut naive) = start();
        let mut copy = profile.clone();
        for &deed in &deeds {
            copy.clone_from(&profile);
            apply(deed, &mut profile, &mut naive);
            compare(&mut profile, &naive);
            apply_again(deed, &mut copy, &profile);
        }
    }
}

/// Applies a deed to a copy as well, and checks that it then equals the original.
fn apply_again(deed: Deed, copy: &mut Profile, profile: &Profile) {
    if let Deed::Place(processors, length) = deed {
        copy.place(processors, length.into());
        assert!(copy.steps().eq(profile.steps()));
    }
}
