//! Compares a queue in blocks with one that is a sorted list.

use super::*;
use crate::contenders::BackfillWindow;
use packfair_workload::JobId;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngSeed};

fn all(queue: &Queue) -> Vec<(Rank, Waiting)> {
    let of = |block: &QueueBlock| (0..block.len()).map(|i| (*block.rank(i), *block.job(i))).collect::<Vec<_>>();
    queue.blocks.iter().flat_map(|block| of(block)).collect()
}

fn waiting(job: u32, processors: u32, estimate: f64) -> Waiting {
    Waiting { job: JobId(job), submit: Seconds::from(job), processors, estimate }
}

#[test]
fn a_queue_estimated_anew_is_as_if_made_so() {
    // the new estimates by job, and the first job from which on the queue changes
    let cases: [([f64; 4], Option<u32>); 5] = [
        ([5.0, 6.0, 7.0, 8.0], None),
        ([5.0, 6.0, 7.0, 9.0], Some(3)),
        ([5.0, 6.5, 7.0, 8.0], Some(1)),
        ([5.0, 6.0, 7.0, 4.0], Some(3)),
        ([9.0, 6.0, 6.0, 8.0], Some(0)),
    ];
    let made = |estimates: &[f64]| {
        let mut queue = Queue::new(Order::Sjf, TieOrder::SecondKey);
        for (job, &estimate) in (0..).zip(estimates) {
            queue.insert(waiting(job, 1 + job % 2, estimate), 0);
        }
        queue
    };
    for (estimates, first) in cases {
        let mut queue = made(&[5.0, 6.0, 7.0, 8.0]);
        assert_eq!(queue.reestimate(&estimates, 0).map(|rank| rank.job.0), first);
        assert_eq!(all(&queue), all(&made(&estimates)));
    }
}

#[derive(Clone, Debug)]
enum Event {
    /// Jobs of these widths and estimates enter.
    Enter(Vec<(u32, u8)>),
    Leave(usize),
    /// Jobs are estimated anew: the second number is added to the estimate of every first-number-th job.
    Reestimate(usize, u8),
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    let job = (1..=40_u32, 1..=200_u8);
    let event = prop_oneof![
        3 => prop::collection::vec(job, 1..200).prop_map(Event::Enter),
        2 => (1..20_usize).prop_map(Event::Leave),
        1 => (1..20_usize, 1..50_u8).prop_map(|(every, more)| Event::Reestimate(every, more)),
    ];
    prop::collection::vec(event, 1..12)
}

proptest! {
    #![proptest_config(Config {
        cases: 100, rng_seed: RngSeed::Fixed(2022), failure_persistence: None, ..Config::default()
    })]

    #[test]
    fn blocks_are_as_a_sorted_list(
        events in events(),
        order in prop::sample::select(vec![Order::Fcfs, Order::Sjf, Order::Laf, Order::Spf, Order::Wfp, Order::Lxf]),
        ties in prop::sample::select(vec![TieOrder::SecondKey, TieOrder::LogOrder]),
        (shadow, free, extra) in (1..150_u8, 0..40_u32, 0..40_u32),
    ) {
        let mut queue = Queue::new(order, ties);
        let mut list: Vec<(Rank, Waiting)> = Vec::new();
        let mut estimates: Vec<f64> = Vec::new();
        let mut window = BackfillWindow::default();
        for (now, event) in (100_000..).zip(events) {
            match event {
                Event::Enter(jobs) => for (processors, estimate) in jobs {
                    let job = waiting(estimates.len() as u32, processors, f64::from(estimate));
                    estimates.push(job.estimate);
                    list.push((queue.insert(job, now), job));
                },
                Event::Leave(every) => {
                    queue.refresh(now);
                    let leave: Vec<Waiting> = list.iter().step_by(every).map(|&(_, job)| job).collect();
                    let mut places: Vec<QueuePlace> = Vec::new();
                    for (i, job) in leave.iter().enumerate() {
                        // alternately one by one and all at once
                        if i % 2 == 0 {
                            queue.remove_job(job, now);
                        }
                    }
                    for job in leave.iter().skip(1).step_by(2) {
                        places.push(queue.place(queue.rank_of(job, now)));
                    }
                    places.sort_unstable();
                    queue.remove(&places);
                    list.retain(|(_, job)| !leave.contains(job));
                }
                Event::Reestimate(every, more) => {
                    estimates.iter_mut().step_by(every).for_each(|estimate| *estimate += f64::from(more));
                    let first = queue.reestimate(&estimates, now);
                    let before = |list: &[(Rank, Waiting)]| -> Vec<Waiting> {
                        list.iter().take_while(|(rank, _)| first.is_none_or(|first| *rank < first)).map(|(_, job)| *job).collect()
                    };
                    let (was, is) = (before(&list), before(&all(&queue)));
                    prop_assert!(order.depends_on_now() || was == is);
                    list.iter_mut().for_each(|(_, job)| job.estimate = estimates[job.job.index()]);
                }
            }
            queue.refresh(now);
            list.iter_mut().for_each(|(rank, job)| *rank = queue.rank_of(job, now));
            list.sort_by_key(|&(rank, _)| rank);
            queue.check();
            prop_assert_eq!(all(&queue), list.clone());
            prop_assert_eq!(queue.narrowest(), list.iter().map(|(_, job)| job.processors).min().unwrap_or(NO_JOB));
            let shadow = f64::from(shadow);
            // what was searched for one window does not hold for another
            for (at, until, free, extra) in [(0.0, shadow, free, extra), (7.5, shadow / 3.0, extra, 3), (0.5, shadow, free, 0)] {
                window.before(at, until, free, extra);
                let fits = |job: &Waiting| window.admits(job.processors, job.estimate);
                let mut place = QueuePlace::HEAD;
                let mut found = Vec::new();
                while let Some(next) = queue.first_fitting(place, &window) {
                    found.push(queue.job(next));
                    prop_assert_eq!(queue.place(queue.rank(next)), next);
                    let rank = list.iter().position(|(rank, _)| *rank == queue.rank(next)).unwrap_or(usize::MAX);
                    prop_assert!(!queue.has_more_before(next, rank) && (rank == 0 || queue.has_more_before(next, rank - 1)));
                    place = next.next();
                }
                prop_assert_eq!(found, list.iter().map(|(_, job)| *job).filter(fits).collect::<Vec<_>>());
            }
        }
    }

    #[test]
    fn a_queue_is_brought_into_the_order_of_now_and_keeps_its_ranks_where_it_is_in_it(
        events in prop::collection::vec((events(), 0..2_000_i64), 1..3),
        order in prop::sample::select(vec![Order::Wfp, Order::Lxf, Order::Unicef]),
    ) {
        let mut queue = Queue::new(order, TieOrder::SecondKey);
        let (mut jobs, mut now) = (0, 100_000);
        for (event, passes) in events.into_iter().flat_map(|(events, passes)| events.into_iter().map(move |e| (e, passes))) {
            now += passes;
            match event {
                Event::Enter(all) => for (processors, estimate) in all {
                    let job = Waiting { submit: now - i64::from(estimate), ..waiting(jobs, processors, f64::from(estimate)) };
                    queue.insert(job, now);
                    jobs += 1;
                },
                Event::Leave(every) => {
                    let places: Vec<QueuePlace> =
                        all(&queue).iter().step_by(every).map(|&(rank, _)| queue.place(rank)).collect();
                    queue.remove(&places);
                }
                Event::Reestimate(..) => {}
            }
            let before = all(&queue);
            let changes = queue.renew(now);
            queue.check();
            let after = all(&queue);
            let jobs_of = |all: &[(Rank, Waiting)]| all.iter().map(|(_, job)| *job).collect::<Vec<_>>();
            prop_assert_eq!(jobs_of(&after), queue.ordered(now));
            prop_assert_eq!(changes, jobs_of(&before) != jobs_of(&after));
            prop_assert!(changes || before == after);
        }
    }

    #[test]
    fn who_leads_a_queue_in_log_order_is_the_first_by_the_keys_of_now(
        events in prop::collection::vec((events(), 0..2_000_i64), 1..3),
        order in prop::sample::select(vec!["wfp", "lxf", "unicef", "formula:wait^2/(estimate*processors^(-0.25))", "formula:min(wait,1h)+30*processors"]),
        ties in prop::sample::select(vec![TieOrder::SecondKey, TieOrder::LogOrder]),
    ) {
        let policy: crate::Policy = format!("list:order={order}").parse().unwrap();
        let mut queue = Queue::unsorted(Order::of(policy.settings(), "order"), ties);
        let (mut estimates, mut now): (Vec<f64>, Seconds) = (Vec::new(), 0);
        for (event, pause) in events.into_iter().flat_map(|(events, pause)| events.into_iter().map(move |event| (event, pause))) {
            match event {
                Event::Enter(jobs) => for (processors, estimate) in jobs {
                    now = now.max(estimates.len() as Seconds);
                    let job = waiting(estimates.len() as u32, processors, f64::from(estimate));
                    estimates.push(job.estimate);
                    let leads = queue.would_lead(&job, now);
                    queue.insert(job, now);
                    prop_assert_eq!(leads, queue.ordered(now).first() == Some(&job));
                },
                Event::Leave(count) => for _ in 0..count {
                    let first = queue.ordered(now).first().copied();
                    prop_assert_eq!(queue.lead(now), first);
                    if let Some(first) = first {
                        queue.remove_job(&first, now);
                    }
                    now += pause % 7;
                },
                Event::Reestimate(every, more) => {
                    estimates.iter_mut().step_by(every).for_each(|estimate| *estimate += f64::from(more));
                    queue.reestimate(&estimates, now);
                }
            }
            for step in [0, 1, pause, 0] {
                now += step;
                prop_assert_eq!(queue.lead(now), queue.ordered(now).first().copied());
            }
        }
    }
}
