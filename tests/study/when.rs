//! Forecasts of when jobs start, held against what came: on generated logs whose run times have a known law, and on real
//! ones.

use crate::shared as files;
use packfair::study::{Rules, Run};
use packfair::when::{
    Arrivals, BackTest, Futures, HORIZON, History, Past, Question, StartSource, TriedMoments, trials,
};
use packfair::workload::{Header, Machine, MachineSource, Request, Seconds, Workload};

/// A number from 0 up to 1, by the generator of Lehmer.
fn uniform(state: &mut u64) -> f64 {
    *state = *state * 48_271 % 2_147_483_647;
    *state as f64 / 2_147_483_647.0
}

/// Jobs of twenty users, whose run times are exponential with a mean of each user's own, up to limits.
fn of_known_laws(jobs: usize, seed: u64) -> Workload {
    let machine = Machine { processors: 64, source: MachineSource::Given };
    let mut workload = Workload::empty("laws", machine, Header::default());
    let (mut state, mut submit) = (seed, 0.0);
    for place in 0..jobs {
        submit -= 2_600.0 * (1.0 - uniform(&mut state)).ln();
        let user = (20.0 * uniform(&mut state)) as i32;
        let limit = [3_600, 14_400, 43_200][user as usize % 3];
        let mean = limit as f64 * (0.1 + 0.03 * f64::from(user));
        let run = (-mean * (1.0 - uniform(&mut state)).ln()).min(limit as f64) as Seconds;
        let (number, processors) = (place as i64 + 1, 1 << (user as usize % 6));
        let (submit, executable, group, queue, partition) = (submit as Seconds, -1, -1, -1, -1);
        let request = Request { number, submit, processors, limit, user, group, executable, queue, partition };
        workload.push(request, run.max(1), -1, place as u32);
    }
    workload
}

fn tried(workload: &Workload, arrivals: Arrivals, moments: u32, futures: u32) -> BackTest {
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let question = Question { run, rules: Rules::default(), arrivals, futures, seed: 1, horizon: HORIZON };
    let schedule = question.run.simulation(workload, question.rules).unwrap().finish();
    let past = Past::new(workload, schedule.starts);
    let history = History::of(&past);
    let moments = TriedMoments::of(&past, moments, question.seed);
    let trials = trials(&Futures::new(&history, &question, StartSource::Simulated), &past, &moments.all, futures);
    BackTest::of(&trials, moments.judged_from)
}

#[test]
fn of_laws_that_are_known_four_starts_in_five_fall_into_the_band() {
    let workload = of_known_laws(8_000, 20_261);
    let test = tried(&workload, Arrivals::Again, 250, 40);
    assert!(test.predictions > 1_000, "{test:?}");
    assert!((0.77..=0.83).contains(&test.coverage_80), "{test:?}");
    assert!(test.median_error_s < 0.5 * test.limits_median_error_s, "{test:?}");
}

#[test]
fn on_a_real_log_the_bands_hold_and_errors_are_far_below_those_of_limits() {
    let Some(folder) = files::folder() else { return };
    let workload = files::trace(&folder, "KTH-SP2");
    for (arrivals, coverage) in [(Arrivals::Again, 0.74..=0.86), (Arrivals::Drawn, 0.72..=0.88)] {
        let test = tried(&workload, arrivals, 100, 40);
        assert!(coverage.contains(&test.coverage_80), "{test:?}");
        // half of it with more moments and futures (docs/when.md)
        assert!(test.median_error_s <= 0.6 * test.limits_median_error_s, "{test:?}");
        assert!(test.median_error_s < test.similar_median_error_s, "{test:?}");
    }
}
