//! What would help a waiting job: the same futures with another request, and what that gains.

use super::band::Band;
use super::change::Change;
use super::futures::{Ensemble, Futures};
use super::history::History;
use super::question::Question;
use crate::workload::{JobId, Request, Seconds, Workload};
use serde::Serialize;
use std::collections::BTreeSet;
use std::ops::Range;

/// What a change of a job's request would gain.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Help {
    pub what: String,
    pub p50: Seconds,
    /// By how much earlier it starts in the median of the futures, each compared with itself, seconds.
    pub gain_p50: Seconds,
    /// One future in ten gains less.
    pub gain_p10: Seconds,
    /// One in ten gains more.
    pub gain_p90: Seconds,
}

/// The changes of a job that can be tried: half the time limit, half the width, and each other partition of the log.
pub fn changes(workload: &Workload, job: JobId) -> Vec<Change> {
    let request = workload.request(job);
    let change = |what: String, request: Request| Change { job, what, request };
    let mut changes = vec![change(
        "half the time limit".to_owned(),
        Request { limit: (request.limit / 2).max(1), ..request.clone() },
    )];
    if request.processors > 1 {
        let processors = request.processors.div_ceil(2);
        let what = format!("half the {}", workload.counting().unit.plural());
        // who asks for cells or nodes keeps them: only one number of processors is known to be divided
        if workload.cluster().is_none() && workload.site().is_none() {
            changes.push(change(what, Request { processors, ..request.clone() }));
        }
    }
    if workload.site().is_some() || workload.cluster().is_some() {
        let partitions: BTreeSet<i32> = workload.requests().iter().map(|request| request.partition).collect();
        for partition in partitions.into_iter().filter(|&partition| partition != request.partition && partition >= 0) {
            let name = workload.header.name_of("Partition", partition.into());
            let name = name.map_or_else(|| partition.to_string(), str::to_owned);
            changes.push(change(format!("partition {name}"), Request { partition, ..request.clone() }));
        }
    }
    changes
}

/// The futures of a moment in which a job asks for something else.
pub fn changed(
    history: &History,
    question: &Question,
    change: &Change,
    now: Seconds,
    futures: &Range<u32>,
) -> Ensemble {
    let futures_of = Futures::new(history, question, false).changing(Some(change));
    futures_of.of(&[now], futures).pop().unwrap_or_default()
}

/// What a change gains: the two ensembles are of the same futures.
pub fn help(change: &Change, before: &Ensemble, after: &Ensemble) -> Option<Help> {
    let of = |ensemble: &Ensemble| {
        let place = ensemble.waiting.iter().position(|&job| job == change.job)?;
        Some(ensemble.starts[place].clone())
    };
    let (before, after) = (of(before)?, of(after)?);
    let gains: Vec<Seconds> = before.iter().zip(&after).map(|(before, after)| before - after).collect();
    let (start, gain) = (Band::of(&after), Band::of(&gains));
    let whole = |value: f64| libm::round(value) as Seconds;
    Some(Help {
        what: change.what.clone(),
        p50: whole(start.p50),
        gain_p50: whole(gain.p50),
        gain_p10: whole(gain.p10),
        gain_p90: whole(gain.p90),
    })
}
