//! What each submission of a workload waits for.

use super::habits::WorkingHours;
use super::stated::Stated;
use super::{FeedbackRule, StatedCounts};
use crate::feedback::rule::{Feedback, NoFeedback, SessionBy, UserBatches};
use crate::feedback::stated::{self, Followed};
use crate::shrink::Shrinking;
use crate::{Clock, JobId, Log, Seconds, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum WaitedFor {
    Batch(u32),
    Job(JobId),
}

/// A dependency of a batch: something that it waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Dependency {
    pub on: WaitedFor,
    /// The think time in the log, from the end of what was waited for to the submission, seconds.
    pub(super) think: Seconds,
    /// When the first job of what was waited for was submitted in the log.
    pub(super) begin: Seconds,
    pub(super) end: Seconds,
}

/// Which of a workload's jobs waited for which others. Jobs are named by their places in the log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reactions {
    rule: FeedbackRule,
    /// The jobs of each batch in log order, batch after batch.
    jobs: Vec<JobId>,
    /// For each batch, where it begins in the list above; at the end, the length of that list.
    begins: Vec<u32>,
    /// What each batch waits for, batch after batch.
    dependencies: Vec<Dependency>,
    /// For each batch, where it begins in the list above; at the end, the length of that list.
    depends_from: Vec<u32>,
    /// The session of each job, numbered from 0; empty where sessions were not asked for.
    sessions: Vec<u32>,
    statements: Vec<Stated>,
    stated: StatedCounts,
    /// The number of jobs of which the log does not tell when they started.
    unknown: usize,
    /// The working hours, where submissions keep to them.
    hours: Option<Hours>,
    /// If the log was shrunk: how its time became that of the workload, and when each job was submitted in the log.
    shrinking: Option<(Shrinking, Vec<Seconds>)>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Hours {
    clock: Clock,
    each: Vec<WorkingHours>,
    /// For each batch, the place in `each` of its user's hours; [`NOBODY`] where there is no user.
    of_batches: Vec<u32>,
}

impl Reactions {
    /// How users react.
    pub fn rule(&self) -> FeedbackRule {
        self.rule
    }

    /// What became of the dependencies that the log states.
    pub fn stated(&self) -> StatedCounts {
        self.stated
    }

    /// The number of jobs of which the log does not tell when they started. They are assumed to have started at once.
    pub fn unknown_starts(&self) -> usize {
        self.unknown
    }

    pub fn batches(&self) -> usize {
        self.begins.len() - 1
    }

    /// The number of batches that wait for something.
    pub fn dependent_batches(&self) -> usize {
        (0..self.batches()).filter(|&batch| !self.dependencies(batch).is_empty()).count()
    }

    /// The session of each job, numbered from 0; empty where sessions were not asked for.
    pub fn sessions(&self) -> &[u32] {
        &self.sessions
    }

    pub fn jobs(&self, batch: usize) -> &[JobId] {
        &self.jobs[self.begins[batch] as usize..self.begins[batch + 1] as usize]
    }

    /// What a batch waits for.
    pub fn dependencies(&self, batch: usize) -> &[Dependency] {
        &self.dependencies[self.depends_from[batch] as usize..self.depends_from[batch + 1] as usize]
    }

    /// When a batch is submitted if one of its dependencies has ended at `end`. The latest time over all dependencies
    /// counts.
    ///
    /// With working hours: if the dependency ended at the same time as in the log, the submission is that of the log,
    /// too. Otherwise a submission outside working hours moves to the next one. If the think time in the log is longer
    /// than the gap between sessions, the user came back for a new session: the submission follows after as many
    /// working hours as lay in that time.
    pub fn submission(&self, batch: usize, dependency: &Dependency, end: Seconds) -> Seconds {
        let hours = self.hours.as_ref().and_then(|hours| Some((&hours.clock, hours.of_batch(batch)?)));
        let shrinking = self.shrinking.as_ref().map(|(shrinking, _)| *shrinking);
        match (hours, shrinking) {
            (None, None) => end.saturating_add(dependency.think),
            (None, Some(shrinking)) => end.saturating_add(shrinking.lasting(dependency.think)),
            (Some((clock, own)), None) => self.within_hours(own, clock, dependency, end),
            // the hours are those of the log's own days
            (Some((clock, own)), Some(shrinking)) => {
                shrinking.moved(self.within_hours(own, clock, dependency, shrinking.unmoved(end))).max(end)
            }
        }
    }

    /// [`Reactions::submission`] in the time of the log, with working hours.
    fn within_hours(&self, own: &WorkingHours, clock: &Clock, dependency: &Dependency, end: Seconds) -> Seconds {
        let Dependency { think, end: logged, .. } = *dependency;
        if end == logged {
            end.saturating_add(think)
        } else if think > self.rule.gap() {
            own.after(clock, end, own.between(clock, logged, logged + think))
        } else {
            own.next(clock, end.saturating_add(think))
        }
    }

    /// Notes that the log's time was shrunk. Think times then last as much shorter or longer as the log. `submits` are
    /// the submit times before that.
    pub(super) fn shrink(&mut self, shrinking: Shrinking, submits: Vec<Seconds>) {
        self.shrinking = Some((shrinking, submits));
    }
}

/// Stands in [`Hours`] for the missing user of a batch, which has no working hours.
const NOBODY: u32 = u32::MAX;

impl Hours {
    fn of_batch(&self, batch: usize) -> Option<&WorkingHours> {
        self.each.get(self.of_batches[batch] as usize)
    }
}

// The reactions of a workload's users, found as its log is gone through job by job.

/// What is known of a user while the log is gone through.
#[derive(Default)]
struct UserCourse {
    batches: UserBatches,
    last_submit: Option<Seconds>,
    last_end: Seconds,
    session: u32,
    /// The batches of the user, and when each began on the clock of the place.
    begun: Vec<(u32, Seconds)>,
}

/// Batches and sessions in the part of the log that was gone through.
#[derive(Default)]
struct BatchesSoFar {
    of_job: Vec<u32>,
    dependencies: Vec<Dependency>,
    depends_from: Vec<u32>,
    sessions: Vec<u32>,
    session_count: u32,
}

impl BatchesSoFar {
    fn begin(&mut self) -> u32 {
        let batch = self.depends_from.len() as u32;
        self.of_job.push(batch);
        self.depends_from.push(self.dependencies.len() as u32);
        batch
    }

    /// Notes the session of the next job, which `user` submits.
    fn session(&mut self, submit: Seconds, end: Seconds, user: &mut UserCourse, rule: &FeedbackRule) {
        let since = match rule.session {
            SessionBy::Arrival => user.last_submit,
            SessionBy::Max => user.last_submit.map(|_| user.last_end),
        };
        if since.is_none_or(|since| submit - since > rule.gap()) {
            user.session = self.session_count;
            self.session_count += 1;
        }
        user.last_end = user.last_submit.map_or(end, |_| user.last_end.max(end));
        user.last_submit = Some(submit);
        self.sessions.push(user.session);
    }
}

impl Reactions {
    /// The reactions of the users of a workload that was made of `log`.
    ///
    /// # Errors
    /// If the log tells nothing that users could react to.
    pub(in crate::feedback) fn of(workload: &Workload, log: &Log, rule: FeedbackRule) -> Result<Self, NoFeedback> {
        Self::following(workload, stated::of_log(log, workload), rule)
    }

    /// The reactions of the users of a workload that was drawn from another. What the log states of a job holds for its
    /// copies.
    pub(in crate::feedback) fn drawn_from(other: &Reactions, workload: &Workload) -> Result<Self, NoFeedback> {
        Self::following(workload, other.statements.clone(), other.rule)
    }

    fn following(workload: &Workload, statements: Vec<Stated>, rule: FeedbackRule) -> Result<Self, NoFeedback> {
        let end = |job: JobId| {
            let wait = workload.logged_wait(job)?;
            Some(workload.request(job).submit + wait + workload.run(job).max(1))
        };
        let followed = Followed::of(&statements, workload, end);
        let counts = followed.counts;
        let by_sessions = rule.feedback == Feedback::Sessions;
        let unknown = workload.jobs().filter(|&job| workload.logged_wait(job).is_none()).count();
        match counts.followed {
            0 if !by_sessions && counts.contradicted > 0 => return Err(NoFeedback::AllHeld(counts.contradicted)),
            0 if !by_sessions => return Err(NoFeedback::NothingStated),
            0 if workload.requests().iter().all(|request| request.user < 0) => return Err(NoFeedback::NoUsers),
            _ if by_sessions && unknown == workload.len() => return Err(NoFeedback::NoStarts),
            _ => {}
        }
        let clock = Clock::of_workload(workload);
        let (mut course, mut users): (BatchesSoFar, FxHashMap<i32, UserCourse>) = Default::default();
        for job in workload.jobs() {
            let request = workload.request(job);
            let submit = request.submit;
            // a job whose wait is unknown is assumed to have started at once
            let ended = |job: JobId| end(job).unwrap_or(workload.request(job).submit + workload.run(job).max(1));
            let stated = followed.of_job(job).map(|(on, think)| Dependency {
                on: WaitedFor::Job(on),
                think,
                begin: workload.request(on).submit,
                end: ended(on),
            });
            let mut stated = stated.peekable();
            if !by_sessions || request.user < 0 {
                course.begin();
                course.dependencies.extend(stated);
                if by_sessions {
                    course.session(submit, ended(job), &mut UserCourse::default(), &rule);
                }
                continue;
            }
            let user = users.entry(request.user).or_default();
            match user.batches.joined(submit).filter(|_| stated.peek().is_none()) {
                Some(batch) => {
                    course.of_job.push(batch);
                    user.batches.join(ended(job));
                }
                None => {
                    let batch = course.begin();
                    user.begun.push((batch, clock.local(submit)));
                    let mut guessed = Vec::new();
                    user.batches.begin(batch, submit, ended(job), &mut guessed);
                    if stated.peek().is_some() {
                        course.dependencies.extend(stated);
                    } else if job.index() >= workload.initial() {
                        // jobs of the initial state wait for nothing
                        course.dependencies.extend(guessed);
                    }
                }
            }
            course.session(submit, ended(job), user, &rule);
        }
        let hours = (by_sessions && rule.hours).then(|| Hours::of(clock, course.depends_from.len(), users));
        Ok(Reactions { hours, statements, stated: counts, unknown, ..Reactions::of_course(rule, course) })
    }

    fn of_course(rule: FeedbackRule, course: BatchesSoFar) -> Self {
        let BatchesSoFar { of_job, dependencies, mut depends_from, sessions, .. } = course;
        let batches = depends_from.len();
        depends_from.push(dependencies.len() as u32);
        let mut begins = vec![0; batches + 1];
        of_job.iter().for_each(|&batch| begins[batch as usize + 1] += 1);
        (0..batches).for_each(|batch| begins[batch + 1] += begins[batch]);
        let (mut places, mut jobs) = (begins.clone(), vec![JobId(0); of_job.len()]);
        for (job, &batch) in (0..).map(JobId).zip(&of_job) {
            let place = &mut places[batch as usize];
            jobs[*place as usize] = job;
            *place += 1;
        }
        Reactions {
            rule,
            jobs,
            begins,
            dependencies,
            depends_from,
            sessions,
            statements: Vec::new(),
            stated: StatedCounts::default(),
            unknown: 0,
            hours: None,
            shrinking: None,
        }
    }

    /// The reactions in a part of the workload, which begins with the job `first`. Dependencies on jobs outside it are
    /// left out.
    pub(in crate::feedback) fn of_part(&self, part: &Workload, first: usize) -> Result<Self, NoFeedback> {
        let Some((shrinking, submits)) = &self.shrinking else { return Reactions::drawn_from(self, part) };
        let submits = submits[first..][..part.len()].to_vec();
        let mut in_log = part.clone();
        in_log.set_submits(&submits);
        let mut reactions = Reactions::drawn_from(self, &in_log)?;
        reactions.shrink(*shrinking, submits);
        Ok(reactions)
    }
}

impl Hours {
    fn of(clock: Clock, batches: usize, users: FxHashMap<i32, UserCourse>) -> Self {
        let mut of_batches = vec![NOBODY; batches];
        let mut users: Vec<UserCourse> = users.into_values().collect();
        users.sort_by_key(|user| user.begun.first().copied());
        let mut each = Vec::new();
        for user in users {
            user.begun.iter().for_each(|&(batch, _)| of_batches[batch as usize] = each.len() as u32);
            each.push(WorkingHours::of(&user.begun.iter().map(|&(_, begin)| begin).collect::<Vec<_>>()));
        }
        Hours { clock, each, of_batches }
    }
}
