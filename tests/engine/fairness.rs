//! Fair start times on a whole log are the same, however the log is split.

use crate::shared;
use packfair::metric::Measure;
use packfair::model::FairStarts;
use packfair::simulation::Correction;
use packfair::study::{Run, execute, fair_starts_of};

/// The number of jobs that are each computed by themselves.
const ALONE: usize = 15;

#[test]
fn any_split_gives_the_same_on_a_real_log() {
    let Some(folder) = shared::folder() else { return };
    let workload = shared::trace(&folder, "KTH-SP2");
    // weeks in which much waits
    let jobs = 10_000..15_000;
    for (scheduler, estimate, correction) in [
        ("easy", "requested", Correction::Request),
        ("conservative", "requested", Correction::Request),
        ("dc", "actual*0.7", Correction::Incremental),
        ("justbf", "actual*0.5", Correction::Doubling),
        ("easy-sjbf", "last2", Correction::Request),
    ] {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let schedule = execute(&run, &workload, correction, &Measure::default()).unwrap().schedule;
        let fair = |range| fair_starts_of(&run, &workload, correction, &schedule, range).unwrap();
        let whole = fair(jobs.clone());
        let mut parts = FairStarts::default();
        for part in 0..3 {
            let cut = |part| jobs.start + jobs.len() * part / 3;
            parts.append(fair(cut(part)..cut(part + 1)));
        }
        assert_eq!(parts, whole, "{}", run.id());
        // a single job, without the fork of the job before, which would have served
        let unfair = jobs.clone().filter(|&i| whole.relaxed[i - jobs.start] < schedule.starts[i]);
        for i in unfair.step_by(97).take(ALONE) {
            let alone = fair(i..i + 1);
            assert_eq!(
                (alone.strict[0], alone.relaxed[0]),
                (whole.strict[i - jobs.start], whole.relaxed[i - jobs.start]),
                "job {i}, {}",
                run.id()
            );
        }
    }
}
