//! Jobs that wait for hours in which energy is cheap: which ones, and until when (docs/power.md).

use super::Run;
use packfair_base::machine::{Deferred, WhatIf};
use packfair_workload::{Clock, Header, Request, Seconds, Workload};

/// By how much the number of a job is multiplied to draw who waits: an odd number, so that all low bits differ.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

impl Run {
    /// When the scheduler of this run is told of each job, in log order; none where no job is kept waiting.
    pub fn deferred(&self, workload: &Workload) -> Option<Vec<Seconds>> {
        let deferral = self.what_if.as_ref().and_then(WhatIf::deferral)?;
        let clock = Clock::of_workload(workload);
        let from = |request: &Request| {
            if !is_deferred(deferral.who(), request, &workload.header) {
                return request.submit;
            }
            let local = clock.local(request.submit);
            // where clocks are turned a local hour may be earlier than it seems
            clock.at_local(local + deferral.wait_at(local)).max(request.submit)
        };
        Some(workload.requests().iter().map(from).collect())
    }

    /// Checks that the jobs of a run can be kept waiting.
    ///
    /// # Errors
    /// Where all arrivals are known beforehand, where users react, and where nobody is meant: why.
    pub(super) fn check_deferral(&self, workload: &Workload) -> Result<(), String> {
        let Some(deferral) = self.what_if.as_ref().and_then(WhatIf::deferral) else { return Ok(()) };
        if self.scheduler.is_offline() {
            return Err("it plans with all arrivals known, so jobs cannot be let wait for cheap hours".to_owned());
        }
        if workload.reactions().is_some() {
            return Err("where users react, jobs cannot be let wait for cheap hours: take feedback off".to_owned());
        }
        let is_meant = |request: &Request| is_deferred(deferral.who(), request, &workload.header);
        if workload.requests().iter().any(is_meant) {
            Ok(())
        } else {
            Err(format!("no job is of those that wait ({deferral})"))
        }
    }
}

fn is_deferred(who: &Deferred, request: &Request, header: &Header) -> bool {
    let is_named = |labels: &[&str], names: &[String], number: i32| {
        let own = |name: &String| {
            let named = labels.iter().any(|label| header.name_of(label, number.into()) == Some(name.as_str()));
            named || name.parse() == Ok(number)
        };
        names.iter().any(own)
    };
    match who {
        Deferred::All => true,
        Deferred::Users(names) => is_named(&["User"], names, request.user),
        Deferred::Queues(names) => {
            is_named(&["Queue"], names, request.queue) || is_named(&["Partition"], names, request.partition)
        }
        Deferred::Share(percent) => {
            let drawn = (request.number as u64).wrapping_mul(SPREAD) >> 11;
            (drawn as f64 / (1_u64 << 53) as f64) < percent / 100.0
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Rules, execute};
    use packfair_engine::metric::{Counted, Measure, Metric};
    use packfair_workload::{Log, reading};

    const HOUR: Seconds = 3_600;

    /// Eight jobs of ann and bob, an hour and a half apart, of half an hour each on two processors.
    fn log() -> Log {
        let line = |number: i64| {
            let submit = number * 5_400;
            format!("{number} {submit} 0 1800 2 -1 -1 2 3600 -1 1 {} 1 1 {} 1 -1 -1\n", 1 + number % 2, 1 + number / 5)
        };
        let text = format!("; MaxProcs: 2\n; User: 1 ann\n; User: 2 bob\n{}", (1..=8).map(line).collect::<String>());
        reading::read("log.swf", text.as_bytes()).unwrap()
    }

    fn starts(scheduler: &str, what_if: &str) -> Result<Vec<Seconds>, String> {
        let what_if = (!what_if.is_empty()).then(|| what_if.parse().unwrap());
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()).what_if(what_if);
        let workload = run.treatment(&Default::default()).apply(&log()).unwrap();
        let all = Measure { counted: Counted::All, ..Measure::default() };
        let result = execute(&run, &workload, Rules::default(), &all).map_err(|error| error.to_string())?;
        assert_eq!(packfair_engine::simulation::check(&workload, &result.schedule), []);
        let waits = workload.requests().iter().zip(&result.schedule.starts);
        let mean = waits.map(|(request, start)| (start - request.submit) as f64).sum::<f64>() / 8.0;
        assert_eq!(result.report.values[&Metric::Aq], mean, "the wait counts from when a job was submitted");
        Ok(result.schedule.starts)
    }

    #[test]
    fn who_may_waits_for_the_cheap_hours_with_every_scheduler() {
        let own: Vec<Seconds> = (1..=8).map(|number| number * 5_400).collect();
        for scheduler in
            ["fcfs", "sjf-aggressive", "list:depth=2", "easy", "saf-easy", "conservative", "pc", "dynp", "slurm"]
        {
            let is_slurm = scheduler == "slurm";
            let near = |found: &[Seconds], expected: &[Seconds]| {
                // a simulated slurmctld looks every half a minute
                let late = if is_slurm { 70 } else { 0 };
                found.iter().zip(expected).all(|(found, expected)| (*expected..=expected + late).contains(found))
            };
            assert!(near(&starts(scheduler, "").unwrap(), &own), "{scheduler}");
            // bob has the odd numbers; the last of his jobs, at 10:30, comes in the cheap hours
            let bob = starts(scheduler, "wait_for=10-12 user=bob").unwrap();
            let even: Vec<Seconds> = bob.iter().skip(1).step_by(2).copied().collect();
            assert!(near(&even, &[2, 4, 6, 8].map(|number| number * 5_400)), "{scheduler}: {bob:?}");
            let mut odd: Vec<Seconds> = bob.iter().step_by(2).copied().collect();
            odd.sort_unstable();
            assert!(odd[0] >= 10 * HOUR && odd[3] <= 10 * HOUR + 4 * 2_000, "{scheduler}: {bob:?}");
            assert_eq!(starts(scheduler, "wait_for=10-12 user=2").unwrap(), bob, "{scheduler}: by number");
            let second = starts(scheduler, "wait_for=20-22 queue=2").unwrap();
            assert!(near(&second[..4], &own[..4]), "{scheduler}: {second:?}");
            assert!(second[4..].iter().all(|&start| start >= 20 * HOUR), "{scheduler}: {second:?}");
        }
    }

    #[test]
    fn a_share_is_a_share_and_what_cannot_wait_says_so() {
        let late = |share: &str| {
            let starts = starts("easy", &format!("wait_for=20-22 share={share}")).unwrap();
            starts.into_iter().filter(|&start| start >= 20 * HOUR).count()
        };
        assert_eq!(late("100%"), 8);
        assert!(starts("easy", "wait_for=20-22 share=0.0001%").unwrap_err().contains("no job is of those that wait"));
        assert!((1..8).contains(&late("50%")));
        let nobody = starts("easy", "wait_for=20-22 user=eve").unwrap_err();
        assert!(nobody.contains("no job is of those that wait (wait_for=20-22 user=eve)"), "{nobody}");
    }
}
