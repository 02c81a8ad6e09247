//! The column that a file gives a workload.

use super::{External, ExternalColumn, ExternalFault, ExternalLine, ExternalLines, ExternalStart, ExternalValues};
use crate::workload::{Log, Seconds, Workload};

/// The Unix time of 1980. Where the log knows its dates, larger numbers of seconds are Unix times.
const UNIX: Seconds = 315_532_800;

impl External {
    fn column(&self, log: &Log, workload: &Workload) -> ExternalColumn {
        let values = match &self.lines {
            ExternalLines::Starts(lines) => self.starts(lines, log, workload).map(ExternalValues::Starts),
            ExternalLines::Estimates(lines) => self.estimates(lines, log, workload).map(ExternalValues::Estimates),
        };
        ExternalColumn { file: self.file, kind: self.kind(), values }
    }

    fn starts(
        &self,
        lines: &[ExternalLine<ExternalStart>],
        log: &Log,
        workload: &Workload,
    ) -> Result<Vec<Seconds>, ExternalFault> {
        let pairs = self.checked_pairs(lines, log)?;
        let file = || self.file.name().to_owned();
        let zero = log.header.unix_start();
        let numbers = || lines.iter().filter_map(|line| number(line.value));
        let are_dates = zero.is_some_and(|zero| zero > UNIX) && numbers().all(|number| number >= UNIX);
        // starts on the clock of the log's file are not before its first submission, which is at `own_zero`
        let own_zero = Some(log.own_zero).filter(|&own| numbers().all(|number| number >= own)).unwrap_or(0);
        if zero.is_none() && lines.iter().any(|line| matches!(line.value, ExternalStart::Date(_))) {
            return Err(ExternalFault::NoDates { file: file() });
        }
        let start = |record: usize| {
            let line = &lines[pairs[record]?];
            Some(match line.value {
                ExternalStart::Wait(wait) => log.records[record].submit + wait,
                ExternalStart::Date(date) => date - zero.unwrap_or(0),
                ExternalStart::Number(number) if are_dates => number - zero.unwrap_or(0),
                ExternalStart::Number(number) => number - own_zero,
            })
        };
        let starts: Vec<Option<Seconds>> = workload.jobs().map(|job| start(workload.record(job))).collect();
        let mut missing = workload.jobs().filter(|job| starts[job.index()].is_none());
        match missing.next() {
            None => Ok(starts.into_iter().flatten().collect()),
            Some(first) => Err(ExternalFault::NoStart {
                file: file(),
                job: workload.request(first).number,
                without: 1 + missing.count(),
                jobs: workload.len(),
            }),
        }
    }

    fn estimates(
        &self,
        lines: &[ExternalLine<f64>],
        log: &Log,
        workload: &Workload,
    ) -> Result<Vec<f64>, ExternalFault> {
        let pairs = self.checked_pairs(lines, log)?;
        let of = |record: usize| pairs[record].map_or(0.0, |line| lines[line].value);
        Ok(workload.jobs().map(|job| of(workload.record(job))).collect())
    }
}

/// The number of seconds of a start that is neither a wait nor a date.
fn number(start: ExternalStart) -> Option<Seconds> {
    match start {
        ExternalStart::Number(number) => Some(number),
        ExternalStart::Wait(_) | ExternalStart::Date(_) => None,
    }
}

impl Workload {
    #[inline(never)]
    pub fn take_external(&mut self, log: &Log) {
        self.external = log.external.iter().map(|external| external.column(log, self)).collect();
    }
}
