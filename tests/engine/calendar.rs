//! Compares fast schedulers with plain ones on processors that go and come back: random calendars, announced early,
//! late or never, whose windows drain or kill.

use crate::random;
use crate::random::{Jobs, cases, crowds, estimates, learned_estimates, orders, rules, workloads};
use packfair::machine::{Cell, Change, Displaced, Machine};
use packfair::model::Schedule;
use packfair::simulation::Simulation;
use packfair::study::{Rules, Run};
use packfair::workload::{Filter, Log, Seconds, Workload, clean, reading};
use proptest::prelude::*;

/// The settings of list schedulers and of EASY.
fn fast() -> impl Strategy<Value = String> {
    let blocked = prop::sample::select(vec!["strict", "greedy", "reserving", "reserving"]);
    let list = (orders(), blocked, prop::option::of(1..=5_u32)).prop_map(|(order, blocked, depth)| {
        let depth = depth.map_or(String::new(), |depth| format!(",depth={depth}"));
        format!("list:order={order},blocked={blocked}{depth}")
    });
    let easy = (orders(), orders(), prop::option::of(0..=40_u32)).prop_map(|(initial, backfill, threshold)| {
        let threshold = threshold.map_or(String::new(), |threshold| format!(",threshold={threshold}"));
        format!("easy:initial={initial},backfill={backfill}{threshold}")
    });
    prop_oneof![list, easy]
}

/// Changes of a machine: from, length (none: for ever), how many nodes in hundredths of the machine, announced how long
/// before (below 0: while it lasts), whether it kills.
type ToldChange = (Seconds, Option<Seconds>, i64, Option<Seconds>, bool);

fn changes(span: Seconds) -> impl Strategy<Value = Vec<ToldChange>> {
    let length = prop_oneof![6 => (1..=span / 3).prop_map(Some), 1 => Just(None)];
    let change = (-5..span, length, -100..=60_i64, prop::option::of(-10..span), any::<bool>());
    prop::collection::vec(change, 1..=8)
}

/// The machine of `processors` with those of the changes that are possible together.
fn machine(processors: u32, told: &[ToldChange]) -> Machine {
    let mut machine = Machine::of_processors(processors);
    let mut changes = Vec::new();
    for &(from, length, hundredths, before, kills) in told {
        let nodes = i64::from(processors) * hundredths / 100;
        changes.push(Change {
            from,
            until: length.map(|length| from + length),
            cell: 0,
            nodes: if nodes == 0 { -1 } else { nodes },
            announced: before.map(|before| from - before),
            displaced: if kills { Displaced::Kill } else { Displaced::Drain },
        });
        let cell = Cell { name: "machine".to_owned(), nodes: processors, node: vec![1] };
        let resources = vec![Machine::PROCESSORS.to_owned()];
        match Machine::new(resources, vec![cell], Vec::new(), changes.clone()) {
            Ok(with) => machine = with,
            Err(_) => drop(changes.pop()),
        }
    }
    machine
}

fn log(Jobs { processors, jobs }: &Jobs) -> Log {
    let mut submit = 0;
    let line = |(number, &(gap, width, run, limit)): (usize, &random::Job)| {
        submit += gap;
        let user = number % 3 + 1;
        format!("{} {submit} 0 {run} {width} -1 -1 {width} {limit} -1 1 {user} 1 1 -1 -1 -1 -1\n", number + 1)
    };
    let text = format!("; MaxProcs: {processors}\n") + jobs.iter().enumerate().map(line).collect::<String>().as_str();
    reading::read("random", text.as_bytes()).unwrap()
}

/// The jobs on a machine with these changes; none where no job fits.
fn workload(jobs: &Jobs, told: &[ToldChange]) -> Option<Workload> {
    let log = log(jobs);
    let cleaning = packfair::workload::Cleaning::Raw;
    let mut workload = clean(&log, &Filter::default(), cleaning, Some(jobs.processors)).ok()?;
    workload.put_on(&machine(jobs.processors, told), &log).ok()?;
    Some(workload)
}

/// The schedules of the fast and of the plain scheduler.
fn both(workload: &Workload, scheduler: &str, estimate: &str, rules: Rules) -> [Schedule; 2] {
    let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    assert!(!run.scheduler.is_plain_on(workload.cells()), "{scheduler} is fast there");
    [run.scheduler.build_on(workload), run.scheduler.build_plain()].map(|scheduler| {
        let estimator = run.estimate.build(workload);
        Simulation::new(workload, scheduler.unwrap(), estimator, rules.options(&run)).finish()
    })
}

proptest! {
    #![proptest_config(cases(1500))]

    #[test]
    fn the_fast_scheduler_does_what_the_plain_one_does(
        jobs in workloads(1),
        told in changes(60),
        scheduler in fast(),
        estimate in estimates(),
        rules in rules(),
    ) {
        let Some(workload) = workload(&jobs, &told) else { return Ok(()) };
        let [fast, plain] = both(&workload, &scheduler, estimate, rules);
        prop_assert_eq!(fast, plain);
    }
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn so_it_does_with_estimates_that_are_learned(
        jobs in workloads(1),
        told in changes(60),
        scheduler in fast(),
        estimate in learned_estimates(),
        rules in rules(),
    ) {
        let Some(workload) = workload(&jobs, &told) else { return Ok(()) };
        let [fast, plain] = both(&workload, &scheduler, estimate, rules);
        prop_assert_eq!(fast, plain);
    }
}

proptest! {
    #![proptest_config(cases(40))]

    #[test]
    fn so_it_does_with_long_queues(
        jobs in crowds(),
        told in changes(250),
        scheduler in fast(),
        estimate in estimates(),
        rules in rules(),
    ) {
        let Some(workload) = workload(&jobs, &told) else { return Ok(()) };
        let [fast, plain] = both(&workload, &scheduler, estimate, rules);
        prop_assert_eq!(fast, plain);
    }
}
