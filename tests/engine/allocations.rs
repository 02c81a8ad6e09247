//! Estimators allocate nothing for a prediction, once they have seen some jobs.

use packfair::estimator::Method;
use packfair::metric::Measure;
use packfair::study::{Rules, Run, Treatment, execute};
use packfair::workload::reading::{Reader, read_by};
use packfair::workload::{Header, JobId, Machine, MachineSource, Request, Workload};
use packfair::workload::{lublin, write_log};

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

/// The most memory for each job that SECURITY.md states, bytes: to read it, and to simulate and measure it besides.
const PROMISED: [u64; 2] = [260, 400];

#[test]
fn a_job_takes_as_much_memory_as_is_promised() {
    const MANY: u32 = 60_000;
    let mut text = Vec::new();
    write_log(&mut text, &lublin(MANY, 128, 1)).expect("memory takes all");
    let mut log = None;
    let read = allocation_counter::measure(|| log = read_by(Reader::new("a log"), text.as_slice()).ok());
    let log = log.expect("it is a log");
    let mut result = None;
    let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
    let simulated = allocation_counter::measure(|| {
        let workload = Treatment::default().apply(&log).expect("jobs are left");
        result = execute(&run, &workload, Rules::default(), &Measure::default()).ok();
    });
    assert!(result.is_some());
    let each = [read, simulated].map(|counted| counted.bytes_max / u64::from(MANY));
    println!("bytes a job: {} read, {} simulated and measured", each[0], each[1]);
    assert!(
        each[0] <= PROMISED[0] && each[1] <= PROMISED[1],
        "{each:?} bytes a job, of which {PROMISED:?} are promised"
    );
    let security = include_str!("../../SECURITY.md");
    assert!(PROMISED.iter().all(|bytes| security.contains(&bytes.to_string())), "SECURITY.md says other numbers");
}
