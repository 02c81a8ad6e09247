//! Schedulers that a program which embeds the engine brings along: with the words of scripts, and checked as those are.

use crate::random::{self, cases, workloads};
use packfair::catalogue::Script;
use packfair::model::RoundTrigger;
use packfair::scheduler::script::{Hosted, HostedCall, HostedMistake, HostedRound, set_host};
use packfair::study::{Rules, Run, execute};
use packfair::workload::{Seconds, Workload};
use proptest::prelude::*;

/// EASY by the words of scripts; or what starts everybody, fitting or not.
#[derive(Clone)]
enum Own {
    Easy,
    Greedy,
}

impl Hosted for Own {
    fn listens(&self) -> bool {
        false
    }

    fn call(&mut self, call: &HostedCall, round: &HostedRound) -> Result<(), HostedMistake> {
        let HostedCall::Round = call else { return Ok(()) };
        let decided = match self {
            Own::Easy => easy(round),
            Own::Greedy => round.waiting().iter().try_for_each(|job| round.start(job)),
        };
        decided.map_err(|what| HostedMistake { line: Some(7), what })
    }

    fn copy(&self) -> Box<dyn Hosted> {
        Box::new(self.clone())
    }
}

fn easy(round: &HostedRound) -> Result<(), String> {
    let profile = round.profile()?;
    let now = round.now() as f64;
    let mut has_head = false;
    for job in round.waiting().iter() {
        if profile.fits(job, now)? {
            profile.reserve(job, now)?;
            round.start(job)?;
        } else if !has_head {
            has_head = true;
            profile.reserve(job, profile.earliest(job)?)?;
        }
    }
    Ok(())
}

fn host(script: &'static Script) -> Option<Box<dyn Hosted>> {
    match script.text().lines().nth(1)? {
        "easy" => Some(Box::new(Own::Easy)),
        "greedy" => Some(Box::new(Own::Greedy)),
        _ => None,
    }
}

fn run(scheduler: &str, estimate: &str, workload: &Workload) -> Result<Vec<Seconds>, String> {
    set_host(host);
    let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    let rules = Rules { trigger: Some(RoundTrigger::Every), ..Rules::default() };
    execute(&run, workload, rules, &Default::default()).map(|result| result.schedule.starts).map_err(|e| e.to_string())
}

fn own(text: &str) -> String {
    format!("script:code={}", Script::new("own", &format!("#!another language\n{text}")).unwrap())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn easy_by_the_words_is_the_built_in_one(jobs in workloads(0), estimate in random::plain_estimates()) {
        let workload = random::workload(&jobs);
        prop_assert_eq!(run(&own("easy"), estimate, &workload), run("easy", estimate, &workload));
    }
}

#[test]
fn mistakes_are_told_and_so_is_what_is_not_here() {
    let jobs = random::Jobs { processors: 4, jobs: vec![(0, 3, 5, 5), (1, 2, 5, 5)] };
    let workload = random::workload(&jobs);
    assert_eq!(
        run(&own("greedy"), "requested", &workload).unwrap_err(),
        "own, line 7, at 1 s of the log: job 1 (number 2 in the log) needs 2 processors, and 1 are free."
    );
    assert_eq!(
        run(&own("nothing"), "requested", &workload).unwrap_err(),
        "own: it is written in another language, and is not here; run it where it was written, with its scheduler."
    );
}
