//! Estimators allocate nothing for a prediction, once they have seen some jobs.
#![cfg(not(target_arch = "wasm32"))]

use packfair::estimator::Method;
use packfair::workload::{Header, JobId, Machine, MachineSource, Request, Workload};

const JOBS: u32 = 2_000;

/// Jobs of 7 users with a few widths and requested times each.
fn workload() -> Workload {
    let machine = Machine { processors: 64, source: MachineSource::Given };
    let mut workload = Workload::empty("jobs", machine, Header::default());
    for i in 0..JOBS {
        let request = Request {
            number: i64::from(i),
            submit: i64::from(i) * 10,
            processors: 1 << (i % 5),
            limit: 600 * i64::from(1 + i % 3),
            user: (i % 7) as i32,
            group: -1,
            executable: (i % 4) as i32,
            queue: -1,
            partition: -1,
        };
        workload.push(request, i64::from(1 + i * 37 % 500), -1, i);
    }
    workload
}

#[test]
fn predictions_allocate_nothing() {
    let workload = workload();
    for method in ["sp2", "hierarchy", "hierarchy:spread=added", "last2"] {
        let mut estimator = method.parse::<Method>().unwrap().build(&workload);
        let (known, new): (Vec<JobId>, Vec<JobId>) = workload.jobs().partition(|job| job.0 < JOBS / 2);
        for &job in &known {
            let (request, run) = (workload.request(job), workload.run(job));
            estimator.estimate(job, request, request.submit);
            estimator.started(job, request.submit);
            estimator.completed(job, request, run, request.submit + run);
        }
        let now = 10 * i64::from(JOBS);
        let mut estimates = vec![0.0; workload.len()];
        let counted = allocation_counter::measure(|| {
            for &job in &new {
                estimates[job.index()] = estimator.estimate(job, workload.request(job), now);
            }
            estimator.revise(&new, now, &mut estimates);
        });
        assert_eq!(counted.count_total, 0, "{method}");
        assert!(estimates[new[0].index()..].iter().all(|&estimate| estimate >= 1.0), "{method}");
    }
}
