//! Identifies the engine that computed a result.
//!
//! The table `tests/expected/runs.txt` (made by `scripts/test renew`) holds the digest of each of some hundred runs over
//! all families, estimators and metrics. The digest of these digests identifies the engine. It goes with every result that
//! is stored or passed on, so that nobody takes the results of another engine for those of this one.

use super::RunReport;
use packfair_engine::metric::{Curves, Envelope, Line};
use packfair_engine::model::{Execution, FairStarts, Notes, Schedule, SizeClass, Suspension};
use packfair_workload::Unit;
use serde::{Deserialize, Serialize};
use std::fmt;
use xxhash_rust::xxh3::Xxh3;

/// An engine, identified by a digest of what it computes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Engine(pub u64);

impl Engine {
    /// The engine of this version: the digest of those in `tests/expected/runs.txt`.
    pub const THIS: Engine = Engine(hexadecimal(include_bytes!("engine.digest")));
}

impl fmt::Display for Engine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// Reads 16 hexadecimal digits as a number. A test renews the file if it holds anything else.
const fn hexadecimal(text: &[u8]) -> u64 {
    let (mut number, mut i) = (0, 0);
    while i < 16 {
        let digit = match text[i] {
            digit @ b'0'..=b'9' => digit - b'0',
            digit => digit - b'a' + 10,
        };
        number = number << 4 | digit as u64;
        i += 1;
    }
    number
}

/// The digest of everything that a run came to, to the last bit of every number; the time that it took is left out.
/// Different numbers have different digests, infinities included; all NaN values count as one.
pub fn digest(schedule: &Schedule, report: &RunReport) -> u64 {
    let mut digest = Digest(Xxh3::new());
    digest.schedule(schedule);
    digest.report(report);
    digest.0.digest()
}

/// The bits that stand for every NaN value.
const NAN: u64 = 0x7ff8_0000_0000_0000;

struct Digest(Xxh3);

impl Digest {
    fn bytes(&mut self, bytes: &[u8]) {
        self.whole(bytes.len() as u64);
        self.0.update(bytes);
    }

    fn whole(&mut self, number: u64) {
        self.0.update(&number.to_le_bytes());
    }

    fn real(&mut self, number: f64) {
        // There are many NaN values, and processors differ in which one they produce.
        self.whole(if number.is_nan() { NAN } else { number.to_bits() });
    }

    fn wholes(&mut self, numbers: &[i64]) {
        self.whole(numbers.len() as u64);
        // The cast keeps all bits, and so the sign.
        numbers.iter().for_each(|&number| self.whole(number as u64));
    }

    fn reals(&mut self, numbers: &[f64]) {
        self.whole(numbers.len() as u64);
        numbers.iter().for_each(|&number| self.real(number));
    }

    fn schedule(&mut self, schedule: &Schedule) {
        let Schedule {
            starts,
            ends,
            killed,
            classes,
            estimates,
            corrections,
            rounds,
            notes,
            fair,
            placed: _,
            submits,
            suspended,
        } = schedule;
        self.wholes(starts);
        self.wholes(ends);
        for &Execution { job, start, end, by: _ } in killed {
            self.wholes(&[i64::from(job.0), start, end]);
        }
        for &SizeClass { class, divider } in classes {
            self.wholes(&[i64::from(class.is_small()), divider.unwrap_or(-1)]);
        }
        self.reals(estimates);
        self.whole(corrections.len() as u64);
        corrections.iter().for_each(|&count| self.whole(u64::from(count)));
        self.whole(*rounds);
        self.notes(notes);
        if let Some(FairStarts { strict, relaxed, hybrid, independent }) = fair {
            self.wholes(strict);
            self.wholes(relaxed);
            self.wholes(hybrid);
            self.wholes(independent);
        }
        submits.iter().for_each(|submits| self.wholes(submits));
        for &Suspension { job, from, until } in suspended {
            self.wholes(&[i64::from(job.0), from, until]);
        }
    }

    fn notes(&mut self, notes: &Notes) {
        for (name, value) in notes.counts() {
            self.bytes(name.as_bytes());
            self.real(value);
        }
        for (name, values) in notes.columns() {
            self.bytes(name.as_bytes());
            self.wholes(values);
        }
        for (name, course) in notes.courses() {
            self.bytes(name.as_bytes());
            for &(from, value) in course {
                self.wholes(&[from]);
                self.real(value);
            }
        }
    }

    fn report(&mut self, report: &RunReport) {
        let RunReport {
            run,
            shrink: _,
            jobs,
            values,
            curves,
            wall_s: _,
            machine: _,
            machine_use: _,
            is_plain: _,
            overfull,
            saturation,
            is_too_short: _,
        } = report;
        // The shrinking factor shows in the schedule, and so does what is left at its end.
        self.bytes(run.id().as_bytes());
        self.whole(*jobs as u64);
        self.whole(values.len() as u64);
        for (metric, &value) in values {
            self.bytes(metric.about().id.as_bytes());
            self.real(value);
        }
        self.curves(curves);
        saturation.iter().for_each(|saturation| self.reals(&[saturation.left_s, saturation.share]));
        self.bytes(overfull.as_ref().map(|overfull| overfull.in_unit(Unit::Processors)).unwrap_or_default().as_bytes());
    }

    fn curves(&mut self, curves: &Curves) {
        let Curves { cwa, waits, responses, slowdowns, queue_lengths, strict_unfairness, relaxed_unfairness, .. } =
            curves;
        let Curves { queue_jobs, queue_width, utilisation, offered, policies, power, .. } = curves;
        let fractions = [waits, responses, slowdowns, queue_lengths, strict_unfairness, relaxed_unfairness];
        for Line { x, y } in [cwa, offered, policies].into_iter().chain(fractions) {
            self.reals(x);
            self.reals(y);
        }
        // without watts there is no power, and nothing to add
        let power = Some(power).filter(|power| !power.is_empty());
        for Envelope { begin, step, low, high, mean } in [queue_jobs, queue_width, utilisation].into_iter().chain(power)
        {
            self.real(*begin);
            self.real(*step);
            [low, high, mean].into_iter().for_each(|numbers| self.reals(numbers));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, execute};
    use packfair_engine::metric::{Measure, Metric};
    use packfair_workload::testing;

    #[test]
    fn every_number_counts_and_none_is_like_another() {
        let workload = testing::workload(4, &[(0, 10, 4), (1, 20, 3)]);
        let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let result =
            execute(&run, &workload, packfair_engine::simulation::Correction::Request, &Measure::default()).unwrap();
        let mut digests = vec![digest(&result.schedule, &result.report)];
        for value in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 0.0, -0.0, 1.0] {
            let mut report = result.report.clone();
            report.values.insert(Metric::Af, value);
            digests.push(digest(&result.schedule, &report));
        }
        let mut report = result.report.clone();
        report.values.insert(Metric::Af, -f64::NAN);
        assert_eq!(digest(&result.schedule, &report), digests[1], "there is one NaN");
        let mut schedule = result.schedule.clone();
        schedule.starts[1] += 1;
        digests.push(digest(&schedule, &result.report));
        digests.sort_unstable();
        digests.dedup();
        assert_eq!(digests.len(), 8);
        let timed = RunReport { wall_s: 5.0, ..result.report.clone() };
        assert_eq!(digest(&result.schedule, &timed), digest(&result.schedule, &result.report));
    }

    #[test]
    fn sixteen_digits_are_a_number() {
        assert_eq!(Engine(hexadecimal(b"00f0a9bc12345678\n")).to_string(), "00f0a9bc12345678");
    }
}
