//! Compares the running jobs in slots with a plain list of them.

use super::events::Completions;
use crate::model::{Release, RunningJob, RunningJobs, Slot, Token};
use packfair_workload::{JobId, Seconds};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

#[derive(Clone, Copy)]
struct Plain {
    running: RunningJob,
    ends: Seconds,
    slot: Slot,
    is_overdue: bool,
}

#[derive(Clone, Debug)]
enum Event {
    /// A job starts: its processors, run time and estimate, in seconds.
    Start(u32, Seconds, u8),
    Pass(Seconds),
    /// A running job is estimated anew, to end this many half seconds from now.
    Expect(usize, u8),
}

/// The running jobs and their ends, as a simulation keeps them.
#[derive(Default)]
struct Jobs {
    running: RunningJobs,
    completions: Completions,
}

impl Jobs {
    fn start(&mut self, running: RunningJob, end: Seconds) -> Slot {
        let slot = self.running.start(running);
        self.completions.push(end, slot);
        slot
    }

    fn complete(&mut self, now: Seconds) -> Option<RunningJob> {
        self.completions.pop_until(now).map(|slot| self.running.leave(slot))
    }
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let event = prop_oneof![
        4 => (1..9_u32, 0..40_i64, 1..40_u8).prop_map(|(processors, run, estimate)| Event::Start(processors, run, estimate)),
        3 => (0..12_i64).prop_map(Event::Pass),
        1 => (any::<usize>(), 1..60_u8).prop_map(|(which, halves)| Event::Expect(which, halves)),
    ];
    prop::collection::vec(event, 1..120)
}

/// Removes the jobs that end by `now` from the list: the soonest first, ties in the order of starts.
fn take_ended(list: &mut Vec<Plain>, now: Seconds) -> Vec<Plain> {
    let (mut ended, rest): (Vec<Plain>, Vec<Plain>) = list.iter().partition(|plain| plain.ends <= now);
    *list = rest;
    ended.sort_by_key(|plain| plain.ends);
    ended
}

/// What the scheduler is to be told of overdue jobs, in no particular order.
fn put_off(list: &mut [Plain], now: Seconds) -> Vec<Release> {
    let mut told = Vec::new();
    for plain in list {
        plain.is_overdue &= plain.running.end <= now as f64;
        if plain.is_overdue && plain.running.told <= now as f64 {
            told.push(plain.running.release());
            plain.running.told = now as f64 + 1.0;
        }
    }
    told
}

fn by_job(mut told: Vec<Release>) -> Vec<Release> {
    told.sort_by_key(|release| release.job);
    told
}

proptest! {
    #![proptest_config(Config {
        cases: 200, rng_seed: RngSeed::Fixed(2022), failure_persistence: None, ..Config::default()
    })]

    #[test]
    fn slots_hold_what_a_list_does(events in events()) {
        let mut jobs = Jobs::default();
        let mut list: Vec<Plain> = Vec::new();
        let (mut now, mut next) = (0, 0);
        for event in events {
            match event {
                Event::Start(processors, run, estimate) => {
                    let end = now as f64 + f64::from(estimate);
                    let (job, start) = (JobId(next), now);
                    let running = RunningJob {
                        job,
                        processors,
                        start,
                        end,
                        told: end,
                        first: end,
                        corrections: 0,
                        token: Token(next),
                    };
                    let slot = jobs.start(running, now + run);
                    prop_assert!(list.iter().all(|plain| plain.slot != slot), "{slot:?} is taken");
                    list.push(Plain { running, ends: now + run, slot, is_overdue: false });
                    next += 1;
                }
                Event::Pass(seconds) => {
                    now += seconds;
                    for plain in &mut list {
                        // an estimate that runs out is not raised, as if it were already the requested time
                        if plain.running.end <= now as f64 {
                            jobs.running.is_overdue(plain.slot);
                            plain.is_overdue = true;
                        }
                    }
                    for plain in take_ended(&mut list, now) {
                        prop_assert_eq!(jobs.completions.next(), Some(plain.ends));
                        let left = jobs.complete(now).map(|left| (left.job, left.release()));
                        prop_assert_eq!(left, Some((plain.running.job, plain.running.release())));
                    }
                    prop_assert!(jobs.complete(now).is_none());
                    let mut told = Vec::new();
                    jobs.running.put_off(now, &mut told);
                    prop_assert_eq!(by_job(told), by_job(put_off(&mut list, now)));
                }
                Event::Expect(which, halves) if !list.is_empty() => {
                    let which = which % list.len();
                    let plain = &mut list[which];
                    let end = now as f64 + f64::from(halves) / 2.0;
                    prop_assert_eq!(jobs.running.slot_of(plain.running.job), Some(plain.slot));
                    for running in [jobs.running.get_mut(plain.slot), &mut plain.running] {
                        (running.end, running.told) = (end, end);
                    }
                }
                Event::Expect(..) => {}
            }
            prop_assert_eq!(jobs.completions.next(), list.iter().map(|plain| plain.ends).min());
            let mut releases: Vec<Release> = list.iter().map(|plain| plain.running.release()).collect();
            releases.sort_by(|a, b| (a.at, a.job).partial_cmp(&(b.at, b.job)).expect("times are numbers"));
            let mut shown: Vec<Release> = jobs.running.releases().collect();
            shown.sort_by(|a, b| (a.at, a.job).partial_cmp(&(b.at, b.job)).expect("times are numbers"));
            prop_assert_eq!(shown, releases);
        }
    }
}

#[test]
fn jobs_that_end_together_leave_in_the_order_in_which_they_started() {
    let mut jobs = Jobs::default();
    let running = |job, start| {
        let (job, end) = (JobId(job), 9.0);
        RunningJob { job, processors: 1, start, end, told: end, first: end, corrections: 0, token: Token(0) }
    };
    jobs.start(running(0, 0), 1);
    jobs.start(running(7, 0), 9);
    assert_eq!(jobs.complete(1).map(|left| left.job), Some(JobId(0)));
    // this job takes the place of the one that has left
    jobs.start(running(3, 1), 9);
    let left = [(); 3].map(|()| jobs.complete(9).map(|left| left.job));
    assert_eq!(left, [Some(JobId(7)), Some(JobId(3)), None]);
}
