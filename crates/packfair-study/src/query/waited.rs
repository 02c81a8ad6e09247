//! What a job waited for.

use super::estimated::classified;
use crate::format;
use packfair_engine::model::{Schedule, Suspensions};
use packfair_engine::simulation::{ReasonSearch, Simulation};
use packfair_schedulers::dynp::decider;
use packfair_workload::{JobId, Seconds, Unit, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Most jobs that are named; all are counted.
const NAMED: usize = 100;

/// What a job waited for, as its schedule tells. All executions of killed jobs count: a job waits whenever it has not
/// completed and does not run, except while it is suspended.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Waited {
    pub waits: Seconds,
    pub killed: Vec<KilledExecution>,
    /// How often it was suspended, and for how many seconds in all.
    #[serde(default)]
    pub suspended: (usize, Seconds),
    pub processors: u32,
    /// Number of other jobs that ran right after its submission.
    pub running: usize,
    pub busy: u32,
    /// Number of jobs submitted earlier that waited right after its submission.
    pub ahead: usize,
    /// Processors that those jobs requested.
    pub ahead_width: u64,
    /// How many of those jobs started before it or with it.
    pub ahead_first: usize,
    /// Number of jobs submitted later that started while it waited.
    pub overtakers: usize,
    /// The area of those jobs, processor-seconds.
    pub overtakers_area: f64,
    /// The overtaking jobs with the largest areas.
    pub named: Vec<Other>,
    /// Where a classifier was at work, sentences on the class that the job was taken for and why, when it was killed,
    /// and which class it turned out to have.
    pub classified: Vec<String>,
    /// Where the order of the queue changes over time (dynP): the policies in force while the job waited, in order.
    pub policies: Vec<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KilledExecution {
    /// How long the job had waited before it, since its submission or the previous execution, seconds.
    pub waited: Seconds,
    pub ran: Seconds,
}

impl Waited {
    /// Why the job waited, in a sentence or two.
    pub fn in_words(&self, unit: Unit) -> String {
        let suspended = match self.suspended {
            (0, _) => String::new(),
            (1, seconds) => format!(" While it ran it was suspended for {}.", format::duration(seconds as f64)),
            (times, seconds) => {
                format!(
                    " While it ran it was suspended {times} times, for {} in all.",
                    format::duration(seconds as f64)
                )
            }
        };
        self.wait_in_words(unit) + suspended.as_str()
    }

    fn wait_in_words(&self, unit: Unit) -> String {
        let Waited { waits, processors, busy, ahead, overtakers, .. } = *self;
        let mut text = self.killed_in_words();
        if waits <= 0 {
            text.push_str(match self.killed.len() {
                0 => "It did not wait: it started when it was submitted.",
                1 => " It never waited: it started when it was submitted, and again when it was killed.",
                _ => " It never waited: it started when it was submitted, and again each time it was killed.",
            });
            return text;
        }
        if !text.is_empty() {
            text.push(' ');
        }
        text.push_str(&format!(
            "It waited {}. When it was submitted, {} of {} were busy and {} {} ahead of it in the queue.",
            format::duration(waits as f64),
            format::whole(busy),
            format::size(processors, unit),
            format::jobs(ahead),
            if ahead == 1 { "was" } else { "were" },
        ));
        text.push_str(&match overtakers {
            0 => " Nobody who came later started earlier.".to_owned(),
            1 => " One job that came later started earlier.".to_owned(),
            n => format!(" {} jobs that came later started earlier.", format::whole(n as i64)),
        });
        match &self.policies[..] {
            [] => {}
            [only] => text.push_str(&format!(" The queue was planned by {only} throughout.")),
            several => text.push_str(&format!(" The queue was planned by {} in turn.", several.join(", "))),
        }
        text
    }

    /// What became of its killed executions; empty where there are none.
    fn killed_in_words(&self) -> String {
        let ran: Seconds = self.killed.iter().map(|execution| execution.ran).sum();
        let ran = format::duration(ran as f64);
        match self.killed.len() {
            0 => String::new(),
            1 => format!("It was killed after {ran} and ran again from its beginning."),
            times => format!("It was killed {times} times, after {ran} in all, and ran again from its beginning."),
        }
    }
}

/// A job that overtook another.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Other {
    pub number: i64,
    pub submit: Seconds,
    pub start: Seconds,
    pub processors: u32,
    pub run: Seconds,
}

impl Other {
    /// Area r D, processor-seconds.
    pub fn area(&self) -> f64 {
        f64::from(self.processors) * self.run as f64
    }
}

/// When each job runs: its executions from start to end, in order; the completed one comes last.
struct Executions<'a> {
    schedule: &'a Schedule,
    suspensions: Suspensions,
    killed: FxHashMap<JobId, Vec<(Seconds, Seconds)>>,
}

impl<'a> Executions<'a> {
    fn of(schedule: &'a Schedule) -> Self {
        let mut killed: FxHashMap<JobId, Vec<(Seconds, Seconds)>> = FxHashMap::default();
        for execution in &schedule.killed {
            killed.entry(execution.job).or_default().push((execution.start, execution.end));
        }
        Executions { schedule, suspensions: schedule.suspensions(), killed }
    }

    /// Whether a job has processors at a time.
    fn run_at(&self, job: JobId, at: Seconds) -> bool {
        let mut executions = self.of_job(job).filter(|&(start, end)| start <= at && at < end);
        executions
            .any(|(start, end)| self.suspensions.spans(job, start, end).any(|(from, until)| from <= at && at < until))
    }

    fn of_job(&self, job: JobId) -> impl Iterator<Item = (Seconds, Seconds)> {
        let last = (self.schedule.start(job), self.schedule.end(job));
        self.killed.get(&job).into_iter().flatten().copied().chain([last])
    }

    fn waits(&self, job: JobId, submit: Seconds) -> Vec<(Seconds, Seconds)> {
        let mut since = submit;
        let mut waits = Vec::new();
        for (start, end) in self.of_job(job) {
            if start > since {
                waits.push((since, start));
            }
            since = end;
        }
        waits
    }
}

/// What a job waited for, by the schedule.
pub(crate) fn waited(workload: &Workload, schedule: &Schedule, job: JobId) -> Waited {
    let executions = Executions::of(schedule);
    let (submit, last) = (workload.request(job).submit, schedule.start(job));
    let own_waits = executions.waits(job, submit);
    let first = executions.of_job(job).next().map_or(last, |(start, _)| start);
    let mut since = submit;
    let killed = executions.killed.get(&job).into_iter().flatten().map(|&(start, end)| {
        let waited = start - since;
        since = end;
        KilledExecution { waited, ran: end - start - executions.suspensions.seconds(job, start, end) }
    });
    let suspensions = executions.suspensions.of(job);
    let mut waited = Waited {
        suspended: (suspensions.len(), suspensions.iter().map(|(from, until)| until - from).sum()),
        killed: killed.collect(),
        waits: own_waits.iter().map(|(from, until)| until - from).sum(),
        processors: workload.machine.processors,
        ..Waited::default()
    };
    let mut overtakers = Vec::new();
    for other in workload.jobs().filter(|&other| other != job) {
        let (request, run) = (workload.request(other), workload.run(other));
        if request.submit > last {
            break;
        }
        if executions.of_job(other).any(|(begin, end)| begin <= submit && end > submit) {
            // who is suspended has started before, and has no processors
            if executions.run_at(other, submit) {
                waited.running += 1;
                waited.busy += request.processors;
            }
        } else if other < job && schedule.start(other) > submit {
            // The other job has not completed, and does not run.
            waited.ahead += 1;
            waited.ahead_width += u64::from(request.processors);
            let next = executions.of_job(other).map(|(begin, _)| begin).find(|&begin| begin > submit);
            waited.ahead_first += usize::from(next.is_some_and(|begin| begin <= first));
        }
        let is_overtaking = |&begin: &Seconds| own_waits.iter().any(|&(from, until)| from <= begin && begin < until);
        let overtook = executions.of_job(other).map(|(begin, _)| begin).find(is_overtaking);
        if let Some(begin) = overtook.filter(|_| other > job) {
            overtakers.push(Other {
                number: request.number,
                submit: request.submit,
                start: begin,
                processors: request.processors,
                run,
            });
        }
    }
    waited.overtakers = overtakers.len();
    waited.overtakers_area = overtakers.iter().map(Other::area).sum();
    overtakers.sort_by(|a, b| b.area().total_cmp(&a.area()).then(a.number.cmp(&b.number)));
    overtakers.truncate(NAMED);
    waited.named = overtakers;
    waited.classified = classified(workload, schedule, job);
    waited.policies = policies(schedule, submit, first);
    waited
}

/// The policies in force from `submit` to `start`, each once.
fn policies(schedule: &Schedule, submit: Seconds, start: Seconds) -> Vec<String> {
    let course = schedule.notes.course(decider::POLICY);
    let first = course.partition_point(|&(from, _)| from <= submit).saturating_sub(1);
    let during = course[first.min(course.len())..].iter().take_while(|&&(from, _)| from < start.max(submit + 1));
    let mut named: Vec<String> = Vec::new();
    for &(_, policy) in during {
        let name = decider::policy_name(policy as usize);
        if !named.contains(&name) {
            named.push(name);
        }
    }
    named
}

// Why a job waited, in the words of its scheduler.

/// Why a job waited, in words for a person.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Reasons {
    /// What the scheduler said about the job after the first round in which it did not start, and when that was. `None`
    /// where it said nothing.
    pub plan: Option<(Seconds, String)>,
}

/// A search for reasons under way: the run is simulated again until the job waits.
pub struct FindingReasons<'a>(ReasonSearch<'a>);

impl<'a> FindingReasons<'a> {
    /// Begins to look for the reasons of `job`; `None` where the scheduler gives none. `simulation` must not have
    /// begun.
    pub fn begin(simulation: Simulation<'a>, job: JobId) -> Option<Self> {
        ReasonSearch::begin(simulation, job).map(FindingReasons)
    }

    /// Advances by up to `instants` further instants; gives the reasons once they are found.
    pub fn advance(&mut self, instants: usize) -> Option<Reasons> {
        self.0.advance(instants).map(|plan| Reasons { plan })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::model::{Class, Execution, KilledBy, SizeClass};
    use packfair_workload::testing::workload;

    #[test]
    fn killed_runs_classes_and_policies_are_told() {
        let workload = workload(10, &[(0, 100, 6), (1, 50, 8), (200, 5, 1)]);
        let mut schedule = Schedule::of_starts(&workload, vec![0, 130, 200]);
        schedule.killed.push(Execution { job: JobId(1), start: 100, end: 120, by: KilledBy::Scheduler });
        schedule.classes = vec![SizeClass { class: Class::Small, divider: Some(20) }; 3];
        schedule.notes.set_course(decider::POLICY, vec![(0, 0.0), (50, 1.0), (60, 0.0), (150, 2.0)]);
        let second = waited(&workload, &schedule, JobId(1));
        assert_eq!(second.classified[1], "Killed after 20 s, started again 10\u{a0}s later.");
        assert_eq!(second.policies, ["FCFS", "SJF"]);
        assert_eq!(second.killed, [KilledExecution { waited: 99, ran: 20 }]);
        assert_eq!((second.waits, second.running), (109, 1));
        assert_eq!(waited(&workload, &schedule, JobId(2)).policies, ["LJF"]);
    }

    #[test]
    fn who_is_suspended_is_told_so_and_has_no_processors_meanwhile() {
        let workload = workload(10, &[(0, 3_000, 8), (600, 1_800, 8), (1_200, 60, 2)]);
        let mut schedule = Schedule::of_starts(&workload, vec![0, 600, 1_260]);
        schedule.suspended.push(packfair_engine::model::Suspension { job: JobId(0), from: 600, until: 2_400 });
        schedule.ends[0] = 4_800;
        let first = waited(&workload, &schedule, JobId(0));
        assert_eq!((first.waits, first.suspended), (0, (1, 1_800)));
        assert_eq!(
            first.in_words(Unit::Processors).replace('\u{a0}', " "),
            "It did not wait: it started when it was submitted. While it ran it was suspended for 30 min."
        );
        let third = waited(&workload, &schedule, JobId(2));
        assert_eq!((third.running, third.busy, third.ahead), (1, 8, 0));
    }

    #[test]
    fn a_job_that_is_killed_and_starts_again_at_once_has_not_waited() {
        let workload = workload(10, &[(0, 5_000, 4), (10, 30, 6), (20, 10, 6), (90, 5, 8)]);
        let mut schedule = Schedule::of_starts(&workload, vec![4_200, 10, 40, 4_250]);
        schedule.killed.push(Execution { job: JobId(0), start: 0, end: 4_200, by: KilledBy::Scheduler });
        let first = waited(&workload, &schedule, JobId(0));
        assert_eq!((first.waits, first.overtakers), (0, 0), "it ran in vain, and held its processors");
        assert_eq!(
            first.in_words(Unit::Processors).replace('\u{a0}', " "),
            "It was killed after 70 min and ran again from its beginning. It never waited: it started when it was \
             submitted, and again when it was killed."
        );
        let third = waited(&workload, &schedule, JobId(2));
        assert_eq!((third.running, third.busy, third.ahead), (2, 10, 0), "what is killed later runs too");

        // It is killed, and then it waits while another one starts.
        schedule.starts[0] = 4_260;
        let later = waited(&workload, &schedule, JobId(0));
        assert_eq!((later.waits, later.overtakers), (60, 1));
        assert!(later.in_words(Unit::Processors).contains("It was killed after 70"), "{later:?}");
        assert!(later.in_words(Unit::Processors).contains("It waited 60"), "{later:?}");
    }

    #[test]
    fn who_ran_who_was_ahead_and_who_overtook() {
        // (submit, run, processors) on 10 processors.
        let workload = workload(10, &[(0, 100, 6), (1, 50, 8), (2, 20, 8), (3, 30, 4), (4, 5, 2), (200, 5, 1)]);
        let starts = vec![0, 100, 150, 3, 100, 200];
        let schedule = Schedule::of_starts(&workload, starts);
        let third = waited(&workload, &schedule, JobId(2));
        assert_eq!((third.running, third.busy, third.processors), (1, 6, 10));
        assert_eq!((third.ahead, third.ahead_width, third.ahead_first), (1, 8, 1));
        assert_eq!((third.overtakers, third.overtakers_area), (2, 130.0));
        let named: Vec<_> = third.named.iter().map(|other| (other.number, other.start)).collect();
        assert_eq!(named, [(4, 3), (5, 100)]);
        let fourth = waited(&workload, &schedule, JobId(3));
        assert_eq!((fourth.running, fourth.ahead, fourth.ahead_first, fourth.overtakers), (1, 2, 0, 0));
    }
}

#[cfg(test)]
mod reasons_tests {
    use super::super::{Answer, Query, answer};
    use super::*;
    use crate::{Rules, Run, Treatment, execute};
    use packfair_engine::metric::Measure;
    use packfair_workload::lublin;

    /// What the scheduler says about the first job that waits at least an hour, and the submit time and the start of
    /// that job.
    fn reasons(scheduler: &str) -> (Reasons, Seconds, Seconds) {
        let workload = Treatment::default().apply(&lublin(1_500, 32, 7)).unwrap();
        let (rules, run) = (Rules::default(), Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()));
        let schedule = execute(&run, &workload, rules, &Measure::default()).unwrap().schedule;
        let submit = |job: JobId| workload.request(job).submit;
        let late = workload.jobs().filter(|&job| schedule.start(job) > submit(job) + 3_600).last().unwrap();
        let query = Query::Reasons { run, rules, job: late };
        let Ok(Answer::Reasons(reasons)) = answer(&query, &workload, None, &|_| Some(&schedule)) else {
            panic!("these are reasons")
        };
        (reasons, submit(late), schedule.start(late))
    }

    #[test]
    fn a_plan_says_what_an_earlier_start_would_have_cost() {
        let (reasons, submit, start) = reasons("optimised");
        let (at, said) = reasons.plan.unwrap();
        assert!(at >= submit && at < start);
        assert!(said.starts_with("planned "), "{said}");
    }

    #[test]
    fn who_gives_no_reasons_is_not_lived_through_again() {
        for scheduler in ["easy", "classes:by=all"] {
            assert_eq!(reasons(scheduler).0, Reasons::default(), "{scheduler}");
        }
    }
}
