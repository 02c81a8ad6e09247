//! The rules of a study's runs, and their defaults.

use super::Run;
use crate::format::{number, whole};
use packfair_base::machine::{Deferred, WhatIf};
use packfair_engine::metric::Metric;
use packfair_engine::model::{NoteId, Reestimation, RoundTrigger};
use packfair_engine::simulation::{Correction, Options};
use packfair_schedulers::dynp::{Case, decider};
use packfair_workload::{Clock, Header, Request, Seconds, Workload};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What holds for all runs of a study.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rules {
    /// How estimates that run out are corrected.
    pub correction: Correction,
    /// When waiting jobs are estimated; `None`: as usual for the scheduler and estimator.
    pub reestimation: Option<Reestimation>,
    /// Which submissions trigger a round; `None`: as usual for the scheduler and estimator.
    pub trigger: Option<RoundTrigger>,
}

impl From<Correction> for Rules {
    fn from(correction: Correction) -> Self {
        Rules { correction, ..Rules::default() }
    }
}

impl Rules {
    pub fn options(self, run: &Run) -> Options {
        let usual = run.scheduler.usual(run.estimate.method.family().learns);
        Options {
            correction: self.correction,
            reestimation: self.reestimation.unwrap_or(usual.reestimation),
            trigger: self.trigger.unwrap_or(usual.trigger),
        }
    }
}

// What a dynP run did with its policies, in words, for the details of a run.

/// Lines of a label and a value, made from the values of a run; empty for other schedulers.
pub fn policy_facts(values: &BTreeMap<Metric, f64>) -> Vec<(&'static str, String)> {
    let count = |note: NoteId| Metric::of_note(note, "").and_then(|metric| values.get(&metric));
    let part = |note: NoteId, part: &str| Metric::of_note(note, part).and_then(|metric| values.get(&metric));
    let said = |count: &f64| whole(*count as i64);
    let of_each = |note: NoteId| {
        let of_policy = |(place, (id, _)): (usize, (&str, &str))| {
            part(note, id).map(|count| format!("{} {}", decider::policy_name(place), said(count)))
        };
        decider::POLICIES.into_iter().enumerate().filter_map(of_policy).collect::<Vec<_>>().join(", ")
    };
    let Some(tries) = count(decider::TRIES) else { return Vec::new() };
    let mut facts = vec![("Jobs started under", of_each(decider::STARTED)), ("Tries", said(tries))];
    if let Some(backlog) = count(decider::BACKLOG) {
        facts.push(("Mean backlog", format!("{} jobs", number(*backlog))));
    }
    facts.push(("Switches to", of_each(decider::SWITCHES)));
    facts.extend(count(decider::SAME_POLICY).map(|same| ("Same policy", said(same))));
    let of_case = |case: &Case| Some(format!("{}: {}", case.id(), said(part(decider::CASES, case.id())?)));
    let cases: Vec<String> = Case::ALL.iter().filter_map(of_case).collect();
    if !cases.is_empty() {
        facts.push(("Cases", cases.join(", ")));
    }
    facts.extend(count(decider::DIFFERING).map(|differing| ("Deciders differ", said(differing))));
    facts
}

// Jobs that wait for hours in which energy is cheap: which ones, and until when (docs/power.md).

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

    fn options(scheduler: &str, estimate: &str, rules: Rules) -> (Reestimation, RoundTrigger) {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let Options { reestimation, trigger, .. } = rules.options(&run);
        (reestimation, trigger)
    }

    #[test]
    fn what_is_usual_depends_on_scheduler_and_estimator() {
        let usual = |scheduler, estimate| options(scheduler, estimate, Rules::default());
        assert_eq!(usual("easy", "hierarchy"), (Reestimation::Round, RoundTrigger::Fitting));
        assert_eq!(usual("easy-sjbf", "sp2*2"), (Reestimation::Round, RoundTrigger::Fitting));
        assert_eq!(usual("easy-sjbf", "requested"), (Reestimation::Submission, RoundTrigger::Every));
        assert_eq!(usual("saf-easy", "last2"), (Reestimation::Submission, RoundTrigger::Every));
        assert_eq!(usual("saf-justbf", "cvh"), (Reestimation::Round, RoundTrigger::Every));
    }

    #[test]
    fn what_is_said_goes_before() {
        let reestimation = Some(Reestimation::Submission);
        let rules = Rules { reestimation, ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Submission, RoundTrigger::Fitting));
        let rules = Rules { trigger: Some(RoundTrigger::Every), ..Rules::default() };
        assert_eq!(options("easy", "hierarchy", rules), (Reestimation::Round, RoundTrigger::Every));
    }
}

#[cfg(test)]
mod policies_tests {
    use super::*;
    use crate::{Run, execute};
    use packfair_engine::metric::Measure;
    use packfair_workload::testing;

    fn facts(scheduler: &str) -> Vec<(&'static str, String)> {
        let jobs: Vec<_> = (0..30).map(|i| (2 * i, 10 + 7 * (i % 5), 1 + (i % 3) as u32)).collect();
        let workload = testing::workload(4, &jobs);
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        let report =
            execute(&run, &workload, packfair_engine::simulation::Correction::Request, &Measure::default()).unwrap();
        policy_facts(&report.report.values)
    }

    #[test]
    fn a_run_of_dynp_tells_what_became_of_its_policies() {
        let labels = |scheduler| facts(scheduler).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        let basic = ["Jobs started under", "Tries", "Mean backlog", "Switches to", "Same policy"];
        assert_eq!(labels("dynp-basic")[..5], basic);
        assert_eq!(labels("dynp")[5..], ["Cases", "Deciders differ"]);
        assert_eq!(labels("easy"), [""; 0]);
        let started = &facts("dynp:policies=sjf+saf")[0].1;
        assert!(started.starts_with("SJF ") && started.contains(", SAF "), "{started}");
        let started = &facts("dynp:policies=sjf+formula:wait/estimate+formula:-area")[0].1;
        assert!(started.starts_with("SJF ") && started.contains(", formula 1 "), "{started}");
        assert!(started.contains(", formula 2 "), "{started}");
    }
}

#[cfg(test)]
mod deferral_tests {
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
