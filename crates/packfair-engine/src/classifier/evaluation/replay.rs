//! Classifies the jobs of a given schedule.

use crate::classifier::{Classified, Classifier};
use packfair_workload::{JobId, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// Classifies the jobs of a workload that start at `starts`, in log order. No job is killed.
pub fn replay(classifier: &mut dyn Classifier, workload: &Workload, starts: &[Seconds]) -> Vec<Classified> {
    let mut waiting: BinaryHeap<Reverse<(Seconds, JobId)>> = BinaryHeap::new();
    let mut running: BinaryHeap<Reverse<(Seconds, Seconds, JobId)>> = BinaryHeap::new();
    let mut classified = Vec::with_capacity(workload.len());
    for job in workload.jobs() {
        let request = workload.request(job);
        let now = request.submit;
        // events before this submission: at each instant jobs complete in the order of their starts, then others start
        loop {
            let start = waiting.peek().map(|&Reverse((start, _))| start).filter(|&start| start < now);
            let end = running.peek().map(|&Reverse((end, _, _))| end).filter(|&end| end < now);
            if let Some(end) = end.filter(|&end| start.is_none_or(|start| end <= start))
                && let Some(Reverse((_, _, job))) = running.pop()
            {
                classifier.completed(job, workload.request(job), workload.run(job), end);
            } else if let Some(start) = start
                && let Some(Reverse((_, job))) = waiting.pop()
            {
                classifier.started(job, start);
                running.push(Reverse((start + workload.run(job), start, job)));
            } else {
                break;
            }
        }
        classified.push(classifier.classify(job, request, now));
        waiting.push(Reverse((starts[job.index()], job)));
    }
    classified
}
