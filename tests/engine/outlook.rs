//! What is expected of a simulation that goes on: reservations, and who runs and waits.

use packfair::estimator::Requested;
use packfair::scheduler::Policy;
use packfair::simulation::{Expected, Options, Outlook, Simulation, outlook, reservation_course};
use packfair::workload::{JobId, Seconds, Workload, testing};

/// Jobs as (submit, processors, run time, estimate), for 4 processors. The first ends early.
const JOBS: [(Seconds, u32, Seconds, Seconds); 4] = [(0, 3, 20, 50), (1, 4, 10, 10), (2, 1, 30, 40), (3, 2, 5, 5)];

fn simulation<'a>(workload: &'a Workload, policy: &str) -> Simulation<'a> {
    let policy: Policy = policy.parse().unwrap();
    Simulation::new(workload, policy.build().unwrap(), Box::new(Requested), Options::default())
}

fn course(policy: &str, job: u32) -> Vec<(Seconds, Option<f64>)> {
    let workload = testing::jobs(4, &JOBS);
    let course = reservation_course(simulation(&workload, policy), JobId(job));
    course.into_iter().map(|reserved| (reserved.at, reserved.start)).collect()
}

#[test]
fn a_reservation_is_followed_until_the_job_starts() {
    // by its estimate the third job runs until 42; it ends at 32
    for policy in ["easy", "justbf", "conservative", "pc", "dc"] {
        let expected = match policy {
            // a job that could move, but not to now, is left where it is
            "dc" => vec![(1, Some(50.0))],
            _ => vec![(1, Some(50.0)), (20, Some(42.0))],
        };
        assert_eq!(course(policy, 1), expected, "{policy}");
        assert_eq!(course(policy, 0), [], "{policy}: it starts at once");
    }
    assert_eq!(course("justbf", 3), [(3, Some(60.0))]);
    assert_eq!(course("easy", 3), [(3, None)], "EASY has one for the first of the queue alone");
    assert_eq!(course("saf-aggressive", 3), [(3, None)]);
}

#[test]
fn the_outlook_holds_who_runs_and_who_waits() {
    let workload = testing::jobs(4, &JOBS);
    let told = |expected: &[Expected]| expected.iter().map(|e| (e.job.0, e.start, e.end)).collect::<Vec<_>>();
    let expected_at = |policy: &str, at: Seconds| {
        let mut simulation = simulation(&workload, policy);
        // one instant at a time
        while !simulation.reach(at, 1) {}
        outlook(&simulation, at)
    };
    let all = expected_at("conservative", 10);
    assert_eq!(told(&all.running), [(2, 10.0, 42.0), (0, 10.0, 50.0)]);
    assert_eq!(told(&all.reserved), [(1, 50.0, 60.0), (3, 60.0, 65.0)]);
    let first = expected_at("easy", 10);
    assert_eq!(told(&first.reserved), [(1, 50.0, 60.0)]);
    assert_eq!(expected_at("easy", -5), Outlook::default());
}
