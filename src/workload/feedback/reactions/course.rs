//! The reactions of a workload's users, found as its log is gone through job by job.

use super::{Dependency, Hours, NOBODY, Reactions, WaitedFor};
use crate::workload::feedback::batches::UserBatches;
use crate::workload::feedback::hours::WorkingHours;
use crate::workload::feedback::stated::{self, Followed, Stated};
use crate::workload::feedback::{Feedback, FeedbackRule, NoFeedback, SessionBy, StatedCounts};
use crate::workload::{Clock, JobId, Log, Seconds, Workload};
use rustc_hash::FxHashMap;

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
    pub(in crate::workload::feedback) fn of(
        workload: &Workload,
        log: &Log,
        rule: FeedbackRule,
    ) -> Result<Self, NoFeedback> {
        Self::following(workload, stated::of_log(log, workload), rule)
    }

    /// The reactions of the users of a workload that was drawn from another. What the log states of a job holds for its
    /// copies.
    pub(in crate::workload::feedback) fn drawn_from(
        other: &Reactions,
        workload: &Workload,
    ) -> Result<Self, NoFeedback> {
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
    pub(in crate::workload::feedback) fn of_part(&self, part: &Workload, first: usize) -> Result<Self, NoFeedback> {
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
