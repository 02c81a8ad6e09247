//! Checks of a finished run: whether its schedule is valid, whether it keeps what its scheduler guarantees, and whether
//! the plain scheduler gives the same one.

use super::{Rules, Run};
use packfair_engine::model::{Reestimation, RoundTrigger, Schedule};
use packfair_engine::simulation::{
    Fault, Simulation, check, check_conservative, check_earliest_fit, check_easy, check_fcfs, check_promises,
    check_safeguard,
};
use packfair_workload::{JobId, Seconds, Workload};
use std::fmt;

/// What was checked in a schedule from the outside, without simulating, and what was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Verification {
    /// The rules that were checked, a clause each.
    pub rules: Vec<String>,
    /// The faults that were found, a sentence each.
    pub faults: Vec<String>,
}

type RuleCheck = (&'static str, fn(&Workload, &Schedule) -> Vec<Fault>);

const VALID: RuleCheck = ("every job starts once it is submitted, and no processor is used twice", check);
const VALID_ON_CELLS: RuleCheck =
    ("every job starts once it is submitted, and nobody in a cell where there is not enough", check);
const SUBMITTED: RuleCheck = ("every job starts once it is submitted; in which cells is not known", check);
const FCFS: RuleCheck = ("nobody starts before an earlier job, and nobody waits in vain", check_fcfs);
const EASY: RuleCheck = ("the first of the queue starts by its shadow time", check_easy);
const EARLIEST: RuleCheck = ("each job starts at the earliest time that leaves earlier jobs alone", check_earliest_fit);
const CONSERVATIVE: RuleCheck =
    ("nobody starts later than all jobs before it promise to have ended", check_conservative);
const PROMISES: RuleCheck = ("nobody starts later than guaranteed at its submission", check_promises);
const SAFEGUARD: RuleCheck =
    ("a job classified as small that runs for its divider is killed then, once, and nobody else is", check_safeguard);

impl Verification {
    fn add(&mut self, (rule, check): RuleCheck, workload: &Workload, schedule: &Schedule) {
        self.rules.push(rule.to_owned());
        self.faults.extend(check(workload, schedule).iter().map(ToString::to_string));
    }
}

/// Checks the schedule of a run under these rules, by all checks that apply. The checks share no code with the engine.
pub fn verify(run: &Run, rules: Rules, workload: &Workload, schedule: &Schedule) -> Verification {
    let mut verification = Verification::default();
    let valid = match workload.cluster() {
        Some(_) if schedule.tells_cells() => VALID_ON_CELLS,
        Some(cluster) if !cluster.machine.calendar().is_empty() => SUBMITTED,
        _ => VALID,
    };
    verification.add(valid, workload, schedule);
    // The other checks assume a valid schedule.
    if verification.faults.is_empty() {
        for guarantee in guarantees(run, rules, workload, schedule) {
            verification.add(guarantee, workload, schedule);
        }
    }
    verification
}

/// What the scheduler of a run guarantees, as far as there is a check for it.
fn guarantees(run: &Run, rules: Rules, workload: &Workload, schedule: &Schedule) -> Vec<RuleCheck> {
    if workload.cluster().is_some() {
        // These checks count processors, and assume that their number never changes.
        return Vec::new();
    }
    let settings = run.scheduler.settings();
    let options = rules.options(run);
    let learns = run.estimate.method.family().learns;
    let keeps_estimates = !learns || options.reestimation == Reestimation::Submission;
    let takes_time = workload.runs().iter().all(|&run| run > 0);
    let is_exact = run.estimate.is_exact() && takes_time && options.trigger == RoundTrigger::Every;
    let outlives = |job: JobId| workload.run(job) as f64 > schedule.estimate(job);
    let holds = !schedule.estimates.is_empty() && keeps_estimates && !workload.jobs().any(outlives);
    let is_set = |parameter: &str, choice: &str| settings.get(parameter).to_string() == choice;
    let of = |guarantees: &[(bool, RuleCheck)]| {
        guarantees.iter().filter(|(applies, _)| *applies).map(|&(_, checked)| checked).collect()
    };
    match run.scheduler.family().entry.id {
        "list" if is_set("order", "fcfs") => of(&[
            (is_set("blocked", "strict"), FCFS),
            (is_set("blocked", "reserving") && settings.whole("depth").is_none() && is_exact, EARLIEST),
        ]),
        "easy" if is_set("initial", "fcfs") && settings.whole("threshold").is_none() => {
            of(&[(keeps_estimates && takes_time, EASY)])
        }
        "conservative" | "pc" | "dc" => of(&[(true, PROMISES), (is_exact, EARLIEST), (holds, CONSERVATIVE)]),
        "classes" => of(&[(is_set("safeguard", "on") && is_set("kill", "always"), SAFEGUARD)]),
        _ => Vec::new(),
    }
}

/// How the starts of a run compare with those of the plain scheduler.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainComparison {
    pub jobs: usize,
    /// Jobs that start, or were killed, at another time.
    pub differing: usize,
    /// The differing job that comes first in time.
    pub first: Option<Difference>,
}

/// A job that the plain scheduler starts at another time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    pub job: i64,
    /// The job's start in the schedule that is checked.
    pub start: Seconds,
    pub plain: Seconds,
}

impl PlainComparison {
    /// Compares two schedules of one workload.
    pub fn of(workload: &Workload, schedule: &Schedule, plain: &Schedule) -> Self {
        let killed = |schedule: &Schedule, job| schedule.killed_of(job).collect::<Vec<_>>();
        let nobody_was_killed = schedule.killed.is_empty() && plain.killed.is_empty();
        let differs = |&job: &JobId| {
            let both = (schedule.starts.get(job.index()), plain.starts.get(job.index()));
            both.0 != both.1 || !(nobody_was_killed || killed(schedule, job) == killed(plain, job))
        };
        let differing: Vec<JobId> = workload.jobs().filter(differs).collect();
        let start = |schedule: &Schedule, job: JobId| schedule.starts.get(job.index()).copied().unwrap_or(Seconds::MIN);
        let both = |job: JobId| (start(schedule, job), start(plain, job));
        let first = differing.iter().copied().min_by_key(|&job| both(job).0.min(both(job).1));
        let first = first.map(|job| {
            let (start, plain) = both(job);
            Difference { job: workload.request(job).number, start, plain }
        });
        PlainComparison { jobs: workload.len(), differing: differing.len(), first }
    }

    pub fn is_equal(&self) -> bool {
        self.differing == 0
    }
}

impl fmt::Display for PlainComparison {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.first {
            None => write!(f, "equal to the plain algorithm in all {} starts", self.jobs),
            Some(Difference { job, start, plain }) => write!(
                f,
                "not equal to the plain algorithm in {} of {} starts; the first by time is that of job {job}: {start} s \
                 instead of {plain} s",
                self.differing, self.jobs
            ),
        }
    }
}

/// The error that a scheduler has no plain counterpart.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("There is no plain algorithm of {0} to compare with.")]
pub struct NoPlain(String);

/// Compares a schedule, which `run` came to under these rules, with that of the plain scheduler. This takes longer than
/// the run did.
///
/// # Errors
/// A scheduler that has no plain counterpart, such as the log's own schedule.
pub fn compare_with_plain(
    run: &Run,
    rules: Rules,
    workload: &Workload,
    schedule: &Schedule,
) -> Result<PlainComparison, NoPlain> {
    let scheduler = run.scheduler.build_plain().ok_or_else(|| NoPlain(run.scheduler.name()))?;
    let simulation = Simulation::new(workload, scheduler, run.estimate.build(workload), rules.options(run));
    let simulation = simulation.with_deferred(run.deferred(workload));
    let mut simulation = simulation.with_classifier(run.scheduler.classifier(workload));
    while !simulation.advance(usize::MAX).is_done() {}
    Ok(PlainComparison::of(workload, schedule, &simulation.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Treatment, execute};
    use packfair_engine::metric::Measure;
    use packfair_engine::model::NoteId;
    use packfair_workload::lublin;

    fn checked(scheduler: &str, estimate: &str) -> (usize, Vec<String>) {
        let workload = Treatment::default().apply(&lublin(200, 32, 7)).unwrap();
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let schedule = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
        let verification = verify(&run, Rules::default(), &workload, &schedule);
        (verification.rules.len(), verification.faults)
    }

    #[test]
    fn each_run_is_checked_by_what_its_scheduler_guarantees() {
        let rules = |scheduler, estimate| {
            let (rules, faults) = checked(scheduler, estimate);
            assert_eq!(faults, [""; 0], "{scheduler} with {estimate}");
            rules
        };
        assert_eq!(rules("fcfs", "requested"), 2);
        assert_eq!(rules("saf-aggressive", "requested"), 1);
        assert_eq!(rules("easy", "requested"), 2);
        assert_eq!(rules("easy", "last2"), 1, "estimates change while jobs wait");
        assert_eq!(rules("easy:initial=formula:wait/(estimate*processors^0.5),backfill=unicef", "requested"), 1);
        assert_eq!(rules("list:order=formula:min(wait,24h)+60*processors", "requested"), 1);
        assert_eq!((rules("justbf", "actual"), rules("justbf", "requested")), (2, 1));
        assert_eq!((rules("pc", "actual"), rules("conservative", "requested"), rules("dc", "last2")), (4, 3, 2));
    }

    #[test]
    fn plans_are_in_whole_seconds_and_so_is_what_is_promised() {
        // One processor. Estimates of 8.043 s take up 9 s each, so the third job is promised 18 s, not 16.086 s.
        let jobs = [7, 7, 7, 2, 2, 1].map(|run| (0, 1, run, run));
        let workload = packfair_workload::testing::jobs(1, &jobs);
        for scheduler in ["dc:order=sjf", "pc:order=sjf", "conservative"] {
            let run = Run::new(scheduler.parse().unwrap(), "actual*1.149".parse().unwrap());
            let mut schedule = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
            assert_eq!(schedule.notes.of_job(NoteId::PROMISE, JobId(2)), Some(18), "{scheduler}");
            assert_eq!(verify(&run, Rules::default(), &workload, &schedule).faults, [""; 0], "{scheduler}");
            let late = 19 - schedule.starts[2];
            // Everything that starts after it moves too, so that no processor is used twice.
            let first = schedule.starts[2];
            for (start, end) in schedule.starts.iter_mut().zip(&mut schedule.ends).filter(|(start, _)| **start >= first)
            {
                *start += late;
                *end += late;
            }
            let faults = verify(&run, Rules::default(), &workload, &schedule).faults;
            assert!(faults.iter().any(|fault| fault.contains("instead of 18 s at the latest")), "{faults:?}");
        }
    }

    #[test]
    fn another_schedule_differs_from_the_plain_one_and_faults_are_found() {
        let workload = Treatment::default().apply(&lublin(200, 32, 7)).unwrap();
        let run = Run::new("conservative".parse().unwrap(), "requested".parse().unwrap());
        let rules = Rules::default();
        let mut schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        let compared = |schedule: &Schedule| compare_with_plain(&run, rules, &workload, schedule).unwrap().to_string();
        assert_eq!(compared(&schedule), "equal to the plain algorithm in all 200 starts");
        let (last, start) = (workload.len() - 1, schedule.starts[workload.len() - 1]);
        schedule.starts[last] += 1_000_000_000;
        schedule.ends[last] += 1_000_000_000;
        assert_eq!(
            compared(&schedule),
            format!(
                "not equal to the plain algorithm in 1 of 200 starts; the first by time is that of job 200: {} s \
                 instead of {start} s",
                start + 1_000_000_000
            )
        );
        let faults = verify(&run, rules, &workload, &schedule).faults;
        assert!(faults.iter().any(|fault| fault.contains("guaranteed at its submission")), "{faults:?}");
        let logged = Run::new("as-logged".parse().unwrap(), "requested".parse().unwrap());
        assert!(compare_with_plain(&logged, rules, &workload, &schedule).is_err());
    }
}
