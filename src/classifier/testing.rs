//! Jobs for tests of classifiers.

use super::{Classified, Classifier, ClassifierOptions, build};
use crate::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Workload};

/// A request of an hour for a processor, to be varied.
pub(super) fn request(submit: Seconds) -> Request {
    Request {
        number: 1,
        submit,
        processors: 1,
        limit: 3_600,
        user: 1,
        group: 1,
        executable: 1,
        queue: -1,
        partition: -1,
    }
}

/// Jobs of one user that all ask for the same, with these submissions and run times.
pub(super) fn workload(jobs: &[(Seconds, Seconds)]) -> Workload {
    of(jobs.iter().map(|&(submit, run)| (request(submit), run)))
}

/// A workload of these jobs.
pub(super) fn of(jobs: impl IntoIterator<Item = (Request, Seconds)>) -> Workload {
    let machine = Machine { processors: 100, source: MachineSource::Given };
    let mut workload = Workload::empty("jobs", machine, Header::default());
    for (number, (request, run)) in (1..).zip(jobs) {
        workload.push(Request { number, ..request }, run, -1, 0);
    }
    workload.sort();
    workload
}

/// Many jobs over some weeks: users repeat what they did, with exceptions.
pub(super) fn habits(weeks: Seconds) -> Workload {
    let each = 60;
    let mut random = crate::random::Random::of([5]);
    let mut jobs = Vec::new();
    for i in 0..weeks * each {
        let user = random.below(6) as i32;
        let what = random.below(3) as Seconds;
        let usual = 10 + 400 * ((Seconds::from(user) + what) % 4);
        let run = if random.below(8) == 0 { random.below(2_000) as Seconds } else { usual };
        let limit = 1_800 + 600 * what;
        let submit = i * super::WEEK / each + random.below(3_000) as Seconds;
        let base = request(submit);
        let processors = 1 + random.below(4) as u32;
        jobs.push((Request { user, limit, executable: what as i32, processors, ..base }, run.min(limit)));
    }
    of(jobs)
}

/// What every job was taken for, where each starts at its submission.
pub(super) fn classify(options: &ClassifierOptions, workload: &Workload) -> Vec<Classified> {
    let starts: Vec<Seconds> = workload.requests().iter().map(|request| request.submit).collect();
    super::evaluation::replay(&mut *build(options, workload), workload, &starts)
}

/// Classifies one job at its submission.
pub(super) fn ask(classifier: &mut dyn Classifier, workload: &Workload, job: u32) -> Classified {
    let request = workload.request(JobId(job));
    classifier.classify(JobId(job), request, request.submit)
}
