//! Power, a cap of it, and nodes that are switched off (docs/power.md): cases computed by hand, and random machines with
//! an integrator that has no code in common with the engine.

use crate::random::cases;
use crate::told::{ToldJob, ToldMachine, machine, machines, runs, told_jobs, workload};
use packfair::metric::{Measure, Metric, time_series};
use packfair::power::{PowerSeries, SeriesKind};
use packfair::simulation::{Correction, check};
use packfair::study::{Rules, Run, RunResult, compare_with_plain, execute};
use packfair::workload::{Seconds, Workload};
use proptest::prelude::*;
use serde_json::{Value, json};

/// The families that know cells.
const ON_CELLS: [&str; 11] = [
    "fcfs",
    "justbf",
    "sjf-aggressive",
    "list:depth=2",
    "easy",
    "saf-easy",
    "conservative",
    "pc",
    "dc",
    "dynp",
    "classes:policy=sjf,by=clairvoyant,safeguard=off",
];

fn measured(workload: &Workload, scheduler: &str, measure: &Measure) -> RunResult {
    let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
    execute(&run, workload, Correction::Request, measure).unwrap()
}

fn result(workload: &Workload, scheduler: &str) -> RunResult {
    measured(workload, scheduler, &Measure::default())
}

/// Jobs of (submit, processors, run time, requested time).
fn jobs(jobs: &[(Seconds, u32, Seconds, Seconds)]) -> Vec<ToldJob> {
    let told = |&(submit, processors, run, limit)| ToldJob {
        submit,
        processors,
        run,
        limit,
        partition: 1,
        ..Default::default()
    };
    jobs.iter().map(told).collect()
}

/// Two nodes of four processors, which jobs take whole, with more said of the machine.
fn two_nodes(more: Value) -> Value {
    let node = json!({"processors": 4, "idle_watts": 100, "busy_watts": 300, "off_watts": 10, "boot": 120});
    let mut described = json!({"cells": [{"name": "a", "nodes": 2, "node": node}],
        "partitions": [{"name": "1", "cells": ["a"], "whole_nodes": true}]});
    for (key, value) in more.as_object().unwrap() {
        described[key] = value.clone();
    }
    described
}

fn on_two(more: Value, told: &[(Seconds, u32, Seconds, Seconds)]) -> Workload {
    workload(&machine(&two_nodes(more)).unwrap(), &jobs(told)).unwrap()
}

fn is(result: &RunResult, metric: Metric, expected: f64) {
    let value = result.report.values.get(&metric).copied();
    let value = value.unwrap_or_else(|| panic!("{metric} is not there"));
    assert!((value - expected).abs() < 1e-9 * expected.abs().max(1.0), "{metric}: {value} instead of {expected}");
}

/// Joules as kWh.
fn kwh(joules: f64) -> f64 {
    joules / 3.6e6
}

#[test]
fn energy_is_that_of_the_hand_to_the_joule() {
    // both nodes for 600 s, then one of them
    let workload = on_two(json!({}), &[(0, 8, 600, 600), (0, 3, 600, 600)]);
    let series = |text: &str, kind| Some(Box::new(PowerSeries::read(text, kind).unwrap()));
    let measure = Measure {
        prices: series("time,price\n0,100\n600,-50\n", SeriesKind::Price),
        intensity: series("time,intensity\n-10,400\n900,200\n", SeriesKind::Intensity),
        ..Measure::default()
    };
    let result = measured(&workload, "easy", &measure);
    is(&result, Metric::Energy, kwh(600.0 * 600.0 + 400.0 * 600.0));
    is(&result, Metric::EnergyOfJobs, kwh(600.0 * 600.0 + 300.0 * 600.0));
    is(&result, Metric::EnergyOfIdle, kwh(100.0 * 600.0));
    is(&result, Metric::MeanPower, 0.5);
    is(&result, Metric::PeakPower, 0.6);
    is(&result, Metric::EnergyPerWork, 1e3 * kwh(600_000.0) / ((8.0 + 3.0) * 600.0 / 3_600.0));
    is(&result, Metric::Cost, kwh(360_000.0) / 1e3 * 100.0 - kwh(240_000.0) / 1e3 * 50.0);
    is(&result, Metric::Carbon, (kwh(360_000.0 + 120_000.0) * 400.0 + kwh(120_000.0) * 200.0) / 1e3);
    for metric in [Metric::OverCap, Metric::UnderCap] {
        assert!(!result.report.values.contains_key(&metric), "there is no cap");
    }
    let drawn = &result.report.curves.power;
    assert_eq!((drawn.low[0], drawn.mean[0], *drawn.high.last().unwrap()), (0.6, 0.6, 0.4));
    let site = on_two(json!({"pue": 1.5}), &[(0, 8, 600, 600), (0, 3, 600, 600)]);
    let result = self::result(&site, "easy");
    is(&result, Metric::Energy, 1.5 * kwh(600_000.0));
    assert!((result.report.curves.power.high[0] - 0.9).abs() < 1e-12);
    // at ten minutes, one second before and after
    let window = time_series(&site, &result.schedule, 599.0, 601.0, 2).power;
    assert!(window.mean.iter().zip([0.9, 0.6]).all(|(found, expected)| (found - expected).abs() < 1e-12), "{window:?}");
}

#[test]
fn a_price_that_begins_too_late_is_no_cost() {
    let workload = on_two(json!({}), &[(0, 8, 600, 600)]);
    let prices = Some(Box::new(PowerSeries::read("time,price\n5,100\n", SeriesKind::Price).unwrap()));
    let result = measured(&workload, "easy", &Measure { prices, ..Measure::default() });
    assert!(!result.report.values.contains_key(&Metric::Cost));
}

#[test]
fn the_examples_of_a_price_and_of_an_intensity_can_be_read() {
    for (file, kind) in [("prices.csv", SeriesKind::Price), ("intensity.csv", SeriesKind::Intensity)] {
        let text = std::fs::read_to_string(format!("{}/examples/power/{file}", env!("CARGO_MANIFEST_DIR"))).unwrap();
        assert_eq!(SeriesKind::recognise(text.lines().next().unwrap()), Some(kind));
        let series = Some(Box::new(PowerSeries::read(&text, kind).unwrap()));
        let mut measure = Measure::default();
        match kind {
            SeriesKind::Price => measure.prices = series,
            SeriesKind::Intensity => measure.intensity = series,
        }
        let values = measured(&on_two(json!({}), &[(0, 8, 90_000, 90_000)]), "easy", &measure).report.values;
        let metric = if kind == SeriesKind::Price { Metric::Cost } else { Metric::Carbon };
        assert!(values[&metric] > 0.0, "{file}");
    }
}

#[test]
fn without_watts_there_is_no_column() {
    let plain = json!({"cells": [{"name": "a", "nodes": 2, "node": {"processors": 4}}]});
    let workload = workload(&machine(&plain).unwrap(), &jobs(&[(0, 8, 600, 600)])).unwrap();
    let report = result(&workload, "easy").report;
    let values = report.values;
    assert!(Metric::OF_POWER.iter().all(|metric| !values.contains_key(metric)), "{values:?}");
    assert!(report.curves.power.is_empty(), "there is no line of a chart either");
}

#[test]
fn what_jobs_drew_by_the_log_counts_in_place_of_the_nameplate() {
    let sacct = |power: &str| {
        let text = format!(
            "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|Partition|ConsumedEnergyRaw|State\n\
             1|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|600|10|1|4|1|{power}|COMPLETED\n\
             2|ann|2026-01-01T00:00:00|2026-01-01T00:00:00|600|10|1|4|1||COMPLETED\n"
        );
        packfair::workload::reading::read("sacct", text.as_bytes()).unwrap()
    };
    let treatment = |described: Option<Value>| packfair::study::Treatment {
        machine: described.map(|described| Box::new(serde_json::from_value(described).unwrap())),
        ..Default::default()
    };
    // 250 W; the other takes the machine's 300 W
    let of_machine = treatment(Some(two_nodes(json!({})))).apply(&sacct("150000")).unwrap();
    is(&result(&of_machine, "easy"), Metric::EnergyOfJobs, kwh(600.0 * 550.0));
    is(&result(&of_machine, "easy"), Metric::Energy, kwh(600.0 * 550.0));
    // without the watts of a machine, what the user's other jobs drew
    let of_jobs = treatment(None).apply(&sacct("150000")).unwrap();
    let told = result(&of_jobs, "easy");
    is(&told, Metric::EnergyOfJobs, kwh(2.0 * 150_000.0));
    is(&told, Metric::PeakPower, 0.5);
    assert!(!told.report.values.contains_key(&Metric::Energy), "nothing is known of idle nodes");
    let nothing = treatment(None).apply(&sacct("")).unwrap();
    assert!(!result(&nothing, "easy").report.values.contains_key(&Metric::EnergyOfJobs));
}

#[test]
fn under_a_cap_jobs_wait_and_reservations_know_it() {
    // 200 W idle; each node that is held draws 200 W more
    let told = [(0, 4, 100, 100), (0, 4, 100, 100), (0, 1, 50, 50)];
    for scheduler in ON_CELLS {
        let free = result(&on_two(json!({}), &told), scheduler).schedule.starts;
        assert_eq!(free.iter().filter(|&&start| start == 0).count(), 2, "{scheduler}: {free:?}");
        let capped = result(&on_two(json!({"power_cap": 0.5}), &told), scheduler);
        let starts = &capped.schedule.starts;
        let mut sorted = starts.clone();
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 50), "{scheduler}: {starts:?}");
        assert_eq!(capped.report.values[&Metric::OverCap], 0.0, "{scheduler}");
        is(&capped, Metric::PeakPower, 0.4);
    }
    let tight = result(&on_two(json!({"power_cap": 0.5}), &told), "easy");
    is(&tight, Metric::UnderCap, kwh(250.0 * 100.0));
}

#[test]
fn a_cap_that_is_announced_keeps_jobs_out_and_one_that_is_not_is_exceeded() {
    let cap = |announced: Value, what: &str| {
        json!({"power_cap": 0.6, "changes": [{"from": 50, "until": 200, "power_cap": 0.3, "announced": announced,
            "what": what}]})
    };
    let told = [(0, 8, 100, 100), (0, 4, 40, 40)];
    for scheduler in ["fcfs", "easy", "conservative"] {
        let announced = result(&on_two(cap(json!(0), "drain"), &told), scheduler);
        assert_eq!(announced.schedule.starts[0], 200, "{scheduler}: it would run into the low cap");
        assert_eq!(announced.report.values[&Metric::OverCap], 0.0);
        let sudden = result(&on_two(cap(Value::Null, "drain"), &told), scheduler);
        assert_eq!(sudden.schedule.starts, [0, 200], "{scheduler}: 200 W idle leave 100 W, too little for a node");
        is(&sudden, Metric::OverCap, 50.0);
        is(&sudden, Metric::MostOverCap, 0.3);
        let killed = result(&on_two(cap(Value::Null, "kill"), &told), scheduler);
        assert_eq!(killed.schedule.killed.len(), 1, "{scheduler}");
        assert_eq!(killed.report.values[&Metric::OverCap], 0.0);
        is(&killed, Metric::EnergyOfKilled, kwh(50.0 * 600.0));
    }
}

#[test]
fn jobs_that_alone_draw_more_than_the_cap_are_left_out() {
    let left = on_two(json!({"power_cap": 0.5}), &[(0, 8, 100, 100), (0, 4, 100, 100)]);
    assert_eq!(left.len(), 1);
}

#[test]
fn idle_nodes_go_off_and_jobs_wait_for_them() {
    let told = [(0, 4, 1_000, 1_000), (1_500, 8, 100, 100)];
    let workload = on_two(json!({"suspend": {"after": 600}}), &told);
    let off = result(&workload, "easy");
    // the second node goes off at 600; the first is on at 1500, idle since 1000
    assert_eq!(off.schedule.starts, [0, 1_620]);
    assert!(check(&workload, &off.schedule).is_empty());
    let first = 600.0 * 400.0 + 400.0 * (300.0 + 10.0);
    let idle = 500.0 * (100.0 + 10.0);
    let boot = 120.0 * 200.0;
    is(&off, Metric::Energy, kwh(first + idle + boot + 100.0 * 600.0));
    is(&off, Metric::EnergyOfOff, kwh(900.0 * 10.0));
    is(&off, Metric::EnergyOfBoots, kwh(boot));
    is(&off, Metric::EnergyOfJobs, kwh(1_000.0 * 300.0 + 100.0 * 600.0));
    assert_eq!(off.report.values[&"boots".parse::<Metric>().unwrap()], 1.0);
    assert_eq!(off.report.values[&"boot_wait".parse::<Metric>().unwrap()], 120.0);
    let on = result(&on_two(json!({}), &told), "easy");
    assert_eq!(on.schedule.starts, [0, 1_500]);
    assert!(!on.report.values.contains_key(&"boots".parse::<Metric>().unwrap()));
}

#[test]
fn a_backfilled_job_whose_nodes_must_boot_does_not_delay_the_head() {
    // one node is held until 2000, the other is off from 600 on; the head of two nodes is reserved at 2000
    let told = |limit| [(0, 4, 2_000, 2_000), (900, 8, 100, 100), (1_000, 4, limit, limit)];
    let suspend = json!({"suspend": {"after": 600}});
    let fits = result(&on_two(suspend.clone(), &told(880)), "easy").schedule.starts;
    assert_eq!(fits[2], 1_120, "880 s and 120 s to boot end as the head begins");
    assert_eq!(fits[1], 2_000);
    let too_long = result(&on_two(suspend, &told(881)), "easy").schedule.starts;
    assert!(too_long[2] >= 2_000, "{too_long:?}");
}

/// The description of a random machine with watts, and these other words.
fn with_watts(told: &ToldMachine, watts: &[(u64, u64)], more: Value) -> Value {
    let mut described = told.description();
    for (cell, &(idle, busy)) in described["cells"].as_array_mut().unwrap().iter_mut().zip(watts.iter().cycle()) {
        cell["node"]["idle_watts"] = json!(idle);
        cell["node"]["busy_watts"] = json!(idle + busy);
        if told.resources > 1 {
            cell["node"]["gpu_idle_watts"] = json!(idle / 2);
            cell["node"]["gpu_busy_watts"] = json!(idle / 2 + busy);
        }
    }
    for (key, value) in more.as_object().unwrap() {
        described[key] = value.clone();
    }
    described
}

/// The power of all nodes at a time, by the executions of a schedule and the description alone, watts.
fn power_at(
    told: &ToldMachine,
    watts: &[(u64, u64)],
    jobs: &[ToldJob],
    runs: &[crate::told::ToldRun],
    at: Seconds,
) -> f64 {
    let mut power = 0.0;
    for (place, (cell, &(idle, busy))) in told.cells.iter().zip(watts.iter().cycle()).enumerate() {
        let gpus = if told.resources > 1 { cell.node[1] } else { 0 };
        let node = (idle + gpus * (idle / 2)) as f64;
        power += told.nodes(place, at) as f64 * node;
        for run in runs.iter().filter(|run| run.start <= at && at < run.end) {
            for &(_, parts) in run.parts.iter().filter(|(own, _)| *own as usize == place) {
                let each = told.part(&jobs[run.number - 1], place).1.unwrap();
                let share = each[0] as f64 / cell.node[0] as f64;
                let gpus = if told.resources > 1 { each[1] as f64 } else { 0.0 };
                power += f64::from(parts) * (share + gpus) * busy as f64;
            }
        }
    }
    power
}

/// A node, as the integrator has it.
#[derive(Clone, Copy, PartialEq)]
enum ToldNode {
    /// On, and idle since then.
    Idle(Seconds),
    /// The run that holds it, by its place.
    Held(usize),
    /// Off from then on.
    Off(Seconds),
}

/// What is told of switching nodes off, seconds.
#[derive(Clone, Copy)]
struct ToldSuspend {
    after: Seconds,
    boot: Seconds,
    shutdown: Seconds,
    off_watts: u64,
}

/// What is drawn in a second, watts: by jobs, idle nodes, nodes that are off, nodes that jobs hold that have not begun.
type Drawn = [f64; 4];

/// What whole nodes draw from second to second, by the executions of a schedule and the description alone. Who goes off
/// is found anew; a job has to begin when the last of its nodes is on, or it is told.
fn drawn_by_whole_nodes(
    (told, watts): (&ToldMachine, &[(u64, u64)]),
    suspend: Option<ToldSuspend>,
    held: &[Seconds],
    runs: &[crate::told::ToldRun],
    (begin, end): (Seconds, Seconds),
) -> Result<Vec<Drawn>, String> {
    let mut cells: Vec<Vec<ToldNode>> =
        told.cells.iter().map(|cell| vec![ToldNode::Idle(begin); cell.nodes as usize]).collect();
    let mut course = Vec::new();
    for at in begin..end {
        for node in cells.iter_mut().flatten() {
            match (*node, suspend) {
                (ToldNode::Idle(since), Some(suspend)) if since + suspend.after <= at => {
                    *node = ToldNode::Off(at + suspend.shutdown);
                }
                (ToldNode::Held(run), _) if runs[run].end == at => *node = ToldNode::Idle(at),
                _ => {}
            }
        }
        for (place, run) in runs.iter().enumerate().filter(|(place, _)| held[*place] == at) {
            let mut ready = at;
            for &(cell, parts) in &run.parts {
                for _ in 0..parts {
                    // who idles the shortest, then who is off, then who is off the soonest
                    let rank = |node: &&mut ToldNode| match **node {
                        ToldNode::Idle(since) => (0, -since),
                        ToldNode::Off(off) if off <= at => (1, 0),
                        ToldNode::Off(off) => (2, off),
                        ToldNode::Held(_) => (3, 0),
                    };
                    let node = cells[cell as usize].iter_mut().min_by_key(rank).expect("a cell has nodes");
                    match *node {
                        ToldNode::Idle(_) => {}
                        ToldNode::Off(off) => ready = ready.max(off.max(at) + suspend.unwrap().boot),
                        ToldNode::Held(_) => return Err(format!("no node of {cell} is free at {at}")),
                    }
                    *node = ToldNode::Held(place);
                }
            }
            if ready != run.start {
                return Err(format!("job {} begins at {} instead of {ready}", run.number, run.start));
            }
        }
        let mut drawn = Drawn::default();
        for ((nodes, cell), &(idle, busy)) in cells.iter().zip(&told.cells).zip(watts.iter().cycle()) {
            let gpus = if told.resources > 1 { cell.node[1] } else { 0 };
            let idle = idle + gpus * (idle / 2);
            for node in nodes {
                let (part, watts) = match *node {
                    ToldNode::Held(run) if runs[run].start <= at => (0, idle + (1 + gpus) * busy),
                    ToldNode::Held(_) => (3, idle),
                    ToldNode::Off(off) if off <= at => (2, suspend.unwrap().off_watts),
                    ToldNode::Off(_) | ToldNode::Idle(_) => (1, idle),
                };
                drawn[part] += watts as f64;
            }
        }
        course.push(drawn);
    }
    Ok(course)
}

/// The value of a series at a time.
fn value_at(steps: &[(Seconds, f64)], at: Seconds) -> f64 {
    steps.iter().rev().find(|(from, _)| *from <= at).expect("it begins before").1
}

/// A series that begins long before all jobs, with random steps of random values.
fn steps() -> impl Strategy<Value = Vec<(Seconds, f64)>> {
    prop::collection::vec((1..40_i64, -50..300_i32), 1..6).prop_map(|steps| {
        let mut at = -1_000;
        let step = |(gap, value): (Seconds, i32)| {
            let now = at;
            at = at.max(0) + gap;
            (now, f64::from(value))
        };
        steps.into_iter().map(step).collect()
    })
}

fn series_of(steps: &[(Seconds, f64)], kind: SeriesKind) -> Option<Box<PowerSeries>> {
    let lines: String = steps.iter().map(|(at, value)| format!("{at},{value}\n")).collect();
    Some(Box::new(
        PowerSeries::read(
            &format!("time,value\n{lines}").replace(
                "value",
                match kind {
                    SeriesKind::Price => "price",
                    SeriesKind::Intensity => "intensity",
                },
            ),
            kind,
        )
        .unwrap(),
    ))
}

fn watts() -> impl Strategy<Value = Vec<(u64, u64)>> {
    prop::collection::vec((0..400_u64, 0..600_u64), 1..4)
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn with_watts_and_no_cap_every_schedule_is_the_same(mut told in machines(), jobs in told_jobs(), watts in watts()) {
        let machine_of = told.machine();
        let Some(bare) = workload(&machine_of, &jobs) else { return Ok(()) };
        let described = with_watts(&told, &watts, json!({}));
        let watted = workload(&machine(&described).unwrap(), &jobs).unwrap();
        for scheduler in ON_CELLS {
            let (one, other) = (result(&bare, scheduler).schedule, result(&watted, scheduler).schedule);
            // on one number of processors nobody tells cells
            prop_assert_eq!((one.starts, one.ends, one.killed), (other.starts, other.ends, other.killed), "{}", scheduler);
        }
    }

    #[test]
    fn energy_is_what_an_integrator_of_its_own_finds(mut told in machines(), jobs in told_jobs(), watts in watts()) {
        // nodes that drain are told of by a rule of their own
        told.changes.retain(|change| change.nodes > 0);
        told.machine();
        let described = with_watts(&told, &watts, json!({}));
        let Some(workload) = workload(&machine(&described).unwrap(), &jobs) else { return Ok(()) };
        for scheduler in ["easy", "conservative"] {
            let result = result(&workload, scheduler);
            let runs = runs(&workload, &result.schedule).unwrap();
            let begin = workload.requests().iter().map(|request| request.submit).min().unwrap();
            let end = result.schedule.ends.iter().copied().max().unwrap();
            // nodes that were added and go while a job is on them
            let is_over = |at| (0..told.cells.len()).any(|cell| (0..2).any(|resource| {
                let on = runs.iter().filter(|run| run.start <= at && at < run.end);
                let held: i64 = on.flat_map(|run| {
                    let each = told.part(&jobs[run.number - 1], cell).1;
                    let here = run.parts.iter().filter(|(own, _)| *own as usize == cell);
                    here.map(move |&(_, parts)| each.unwrap()[resource] * i64::from(parts))
                }).sum();
                held > told.capacity(cell, at)[resource]
            }));
            if (begin..end).any(is_over) {
                continue;
            }
            let joules: f64 = (begin..end).map(|at| power_at(&told, &watts, &jobs, &runs, at)).sum();
            let peak = (begin..end).map(|at| power_at(&told, &watts, &jobs, &runs, at)).fold(0.0, f64::max);
            let found = |metric: Metric| result.report.values[&metric];
            prop_assert!((found(Metric::Energy) - kwh(joules)).abs() <= 1e-9 * kwh(joules).max(1.0), "{} {}", found(Metric::Energy), kwh(joules));
            prop_assert!((found(Metric::PeakPower) - peak / 1e3).abs() <= 1e-9 * peak.max(1.0));
            let curve = &result.report.curves.power;
            let under: f64 = curve.mean.iter().map(|kw| kw * curve.step / 3_600.0).sum();
            prop_assert!((under - kwh(joules)).abs() <= 1e-9 * kwh(joules).max(1.0), "{} {}", under, kwh(joules));
            prop_assert!((curve.high.iter().copied().fold(0.0, f64::max) - peak / 1e3).abs() <= 1e-9 * peak.max(1.0));
            let parts = [Metric::EnergyOfJobs, Metric::EnergyOfIdle, Metric::EnergyOfOff, Metric::EnergyOfBoots];
            let all: f64 = parts.map(found).iter().sum();
            prop_assert!((all - found(Metric::Energy)).abs() <= 1e-9 * all.max(1.0));
        }
    }

    #[test]
    fn nobody_starts_above_the_cap_and_fast_is_plain(mut told in machines(), jobs in told_jobs(), watts in watts(), share in 0.2..1.0_f64) {
        told.changes.clear();
        told.machine();
        let free = machine(&with_watts(&told, &watts, json!({}))).unwrap();
        let cap = free.most_watts().unwrap() * share / 1e3;
        if cap < 0.001 {
            return Ok(());
        }
        // where the nodes alone draw more, only jobs that draw nothing start
        if power_at(&told, &watts, &jobs, &[], 0) > cap * 1e3 {
            return Ok(());
        }
        let Ok(capped) = machine(&with_watts(&told, &watts, json!({"power_cap": cap}))) else { return Ok(()) };
        let Some(workload) = workload(&capped, &jobs) else { return Ok(()) };
        for scheduler in ON_CELLS {
            let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
            let result = result(&workload, scheduler);
            prop_assert_eq!(check(&workload, &result.schedule), vec![], "{}", scheduler);
            let runs = runs(&workload, &result.schedule).unwrap();
            for at in runs.iter().filter(|run| run.end > run.start).map(|run| run.start) {
                let power = power_at(&told, &watts, &jobs, &runs, at);
                prop_assert!(power <= cap * 1e3 + 1e-6, "{}: {} above {} at {}", scheduler, power, cap * 1e3, at);
            }
            let rules = Rules::from(Correction::Request);
            if let Ok(comparison) = compare_with_plain(&run, rules, &workload, &result.schedule) {
                prop_assert!(comparison.is_equal(), "{}: {}", scheduler, comparison);
            } else {
                prop_assert!(!scheduler.contains("easy"), "{} is compared", scheduler);
            }
        }
    }
}

proptest! {
    // eleven plain schedulers, with all metrics of each
    #![proptest_config(cases(15))]

    #[test]
    fn with_nodes_off_every_family_keeps_to_the_machine(mut told in machines(), jobs in told_jobs(), after in 0..20_i64, boot in 0..15_u64, shutdown in 0..5_u64) {
        told.machine();
        let mut described = with_watts(&told, &[(10, 20)], json!({"suspend": {"after": after}}));
        for cell in described["cells"].as_array_mut().unwrap() {
            cell["node"]["boot"] = json!(boot);
            cell["node"]["shutdown"] = json!(shutdown);
        }
        let Some(workload) = workload(&machine(&described).unwrap(), &jobs) else { return Ok(()) };
        for scheduler in ON_CELLS {
            let result = result(&workload, scheduler);
            prop_assert_eq!(check(&workload, &result.schedule), vec![], "{}", scheduler);
            let found = |metric: Metric| result.report.values[&metric];
            prop_assert!(found(Metric::EnergyOfIdle) >= -1e-12 && found(Metric::EnergyOfBoots) >= 0.0, "{}", scheduler);
            prop_assert!(found(Metric::EnergyOfOff) >= 0.0);
        }
    }

    #[test]
    fn with_nodes_off_a_cap_and_series_everything_is_what_an_integrator_of_its_own_finds(
        mut told in machines(),
        mut jobs in told_jobs(),
        watts in watts(),
        (after, boot, shutdown) in (1..20_i64, 0..15_i64, 0..5_i64),
        off_watts in 0..30_u64,
        (prices, intensities) in (steps(), steps()),
        (share, low) in (0.6..1.0_f64, 0.3..0.9_f64),
        (from, span) in (0..60_i64, 1..60_i64),
        (suspends, is_capped, pue) in (prop::bool::weighted(0.8), any::<bool>(), 1..3_u32),
    ) {
        told.changes.clear();
        // which jobs take whole nodes of any cell
        told.partitions = vec![((0..told.cells.len()).collect(), true)];
        jobs.iter_mut().for_each(|job| job.partition = 1);
        told.machine();
        let mut described = with_watts(&told, &watts, json!({"pue": pue}));
        let suspend = suspends.then_some(ToldSuspend { after, boot, shutdown, off_watts });
        if suspends {
            described["suspend"] = json!({"after": after});
            for cell in described["cells"].as_array_mut().unwrap() {
                for (word, value) in [("boot", boot as u64), ("shutdown", shutdown as u64), ("off_watts", off_watts)] {
                    cell["node"][word] = json!(value);
                }
            }
        }
        let most = machine(&described).unwrap().most_watts().unwrap() / 1e3;
        let idle = power_at(&told, &watts, &jobs, &[], 0) / 1e3 * f64::from(pue);
        let cap = ((idle + (most - idle) * share).max(0.01), (most * share * low).max(0.005));
        if is_capped {
            described["power_cap"] = json!(cap.0);
            described["changes"] = json!([{"from": from, "until": from + span, "power_cap": cap.1}]);
        }
        let Ok(machine) = machine(&described) else { return Ok(()) };
        let Some(workload) = workload(&machine, &jobs) else { return Ok(()) };
        let measure = Measure {
            prices: series_of(&prices, SeriesKind::Price),
            intensity: series_of(&intensities, SeriesKind::Intensity),
            ..Measure::default()
        };
        for scheduler in ON_CELLS {
            let result = measured(&workload, scheduler, &measure);
            let runs = runs(&workload, &result.schedule).unwrap();
            let held: Vec<Seconds> = result.schedule.placed.iter().map(|placed| placed.held).collect();
            let begin = workload.requests().iter().map(|request| request.submit).min().unwrap();
            let end = result.schedule.ends.iter().copied().max().unwrap();
            let course = drawn_by_whole_nodes((&told, &watts), suspend, &held, &runs, (begin, end));
            let course = course.map_err(|fault| TestCaseError::fail(format!("{scheduler}: {fault}")))?;
            let cap_at = |at: Seconds| if (from..from + span).contains(&at) { cap.1 } else { cap.0 };
            let mut own = [0.0; 11];
            for (at, drawn) in (begin..).zip(course) {
                let all = drawn.iter().sum::<f64>() / 1e3 * f64::from(pue);
                for (sum, watts) in own[1..5].iter_mut().zip(drawn) {
                    *sum += kwh(watts * f64::from(pue));
                }
                own[0] += all / 3.6e3;
                own[5] += all / 3.6e3 / 1e3 * value_at(&prices, at);
                own[6] += all / 3.6e3 / 1e3 * value_at(&intensities, at);
                own[7] = f64::max(own[7], all);
                // the engine keeps caps in whole milliwatts
                let over = all - cap_at(at);
                if over > 1e-5 {
                    own[8] += 1.0;
                    own[9] = f64::max(own[9], over);
                } else {
                    own[10] -= over / 3.6e3;
                }
            }
            // while some cells of a job boot, its nodes of others count as idle
            let found = |metric: Metric| result.report.values[&metric];
            let unused = found(Metric::EnergyOfIdle) + found(Metric::EnergyOfBoots);
            prop_assert!((unused - own[2] - own[4]).abs() <= 1e-5 * unused.max(0.1), "{}: {} {:?}", scheduler, unused, own);
            let metrics = [
                (Metric::Energy, own[0]),
                (Metric::EnergyOfJobs, own[1]),
                (Metric::EnergyOfOff, own[3]),
                (Metric::Cost, own[5]),
                (Metric::Carbon, own[6]),
                (Metric::PeakPower, own[7]),
                (Metric::OverCap, own[8]),
                (Metric::MostOverCap, own[9]),
                (Metric::UnderCap, own[10]),
            ];
            for (metric, own) in metrics.into_iter().take(if is_capped { 9 } else { 6 }) {
                let found = found(metric);
                prop_assert!((found - own).abs() <= 1e-5 * own.abs().max(0.1), "{} {}: {} is {}", scheduler, metric, found, own);
            }
        }
    }
}
