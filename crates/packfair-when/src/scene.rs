//! The moment of a forecast, and what was known then: the log as it was seen, and who ran and waited.

use super::band::{Later, cut, without_later};
use super::past::{Arrivals, Past};
use super::question::{CannotForecast, Question};
use super::stage::without_run_times;
use packfair_study::Treatment;
use packfair_study::format::{duration, whole};
use packfair_workload::{Clock, InitialJobs, Log, MachineSource, Queue, Seconds, Workload, read_moment};
use std::borrow::Cow;

/// Where who runs and who waits comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StartSource {
    /// The log tells it.
    Logged,
    /// It is what the asked scheduler would have come to since the beginning of the log.
    Simulated,
}

/// A moment, and all that was known then.
#[derive(Clone, Debug)]
pub struct Scene {
    /// The moment.
    pub now: Seconds,
    /// Where who runs and who waits is from.
    pub starts: StartSource,
    /// The log as it was seen.
    pub seen: Log,
    /// The workload of that log.
    pub workload: Workload,
    /// Whether it is the moment at which a queue was printed, and what else the site's files tell of then.
    is_of_queue: bool,
    /// The starts of its jobs, where they are simulated.
    simulated: Option<Vec<Seconds>>,
    /// What a person should know of it: sentences.
    pub notes: Vec<String>,
}

/// The workload of a log in which nothing is known that nobody can know at `until`, and a sentence where requested times
/// are missing.
///
/// # Errors
/// The treatment leaves no jobs.
pub fn workload_at(
    log: &Log,
    treatment: &Treatment,
    until: Seconds,
    starts: StartSource,
) -> Result<(Workload, Option<String>), CannotForecast> {
    // as logged, jobs from before the log's first moment ran as they did
    let initial = match starts {
        StartSource::Simulated => treatment.initial,
        StartSource::Logged => Some(InitialJobs::Ordinary),
    };
    let treatment = Treatment { initial, ..treatment.clone() };
    let mut workload = treatment.apply(log).map_err(|error| CannotForecast::CannotRun(error.to_string()))?;
    let note = without_run_times(&mut workload, log, until).map(|(count, limit)| {
        format!(
            "{} of {} jobs have no requested time; each counts as asking for {}",
            whole(count as i64),
            whole(workload.len() as i64),
            duration(limit as f64)
        )
    });
    Ok((workload, note))
}

/// A log as its queue was, where it tells the starts.
pub fn as_queued<'a>(log: &'a Log, treatment: &Treatment, starts: StartSource) -> Cow<'a, Log> {
    match starts {
        StartSource::Logged => log.as_queued(treatment.cleaning),
        StartSource::Simulated => Cow::Borrowed(log),
    }
}

/// The starts of a workload's jobs as the asked scheduler would have had them; none where the log tells them.
///
/// # Errors
/// The question cannot be asked of the workload.
pub fn simulated_starts(
    question: &Question,
    workload: &Workload,
    starts: StartSource,
) -> Result<Option<Vec<Seconds>>, CannotForecast> {
    question.check(workload)?;
    if starts == StartSource::Logged {
        return Ok(None);
    }
    let simulation = question.run.simulation(workload, question.rules);
    let simulation =
        simulation.ok_or_else(|| CannotForecast::CannotRun("the scheduler cannot run on this log".to_owned()))?;
    Ok(Some(simulation.finish().starts))
}

/// The past of a workload with these simulated starts or, without them, as the log tells it.
pub fn past_of(workload: &Workload, simulated: Option<Vec<Seconds>>) -> Past<'_> {
    match simulated {
        Some(starts) => Past::new(workload, starts),
        None => Past::as_logged(workload),
    }
}

/// The clock of a log.
pub fn clock_of(log: &Log) -> Clock {
    let submits = || log.records.iter().map(|record| record.submit);
    Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0))
}

impl Scene {
    /// The moment that `text` names or else that of the queue or, without one, the moment in the last quarter of the
    /// log at which most jobs wait.
    ///
    /// # Errors
    /// Nothing tells the moment, or nothing can be forecast of it.
    pub fn of(
        log: &Log,
        queue: Option<&Queue>,
        treatment: &Treatment,
        question: &Question,
        text: Option<&str>,
    ) -> Result<Scene, CannotForecast> {
        let asked = text.filter(|text| !text.trim().is_empty());
        let now =
            asked.map(|text| read_moment(Some(&clock_of(log)), text)).transpose().map_err(CannotForecast::Moment)?;
        if let Some(queue) = queue {
            return Scene::beside(log, queue, treatment, question, now);
        }
        let starts = if log.tells_starts() { StartSource::Logged } else { StartSource::Simulated };
        let now = match now {
            Some(now) => now,
            None => busiest(log, treatment, question, starts)?,
        };
        Scene::at(log, treatment, question, now, starts)
    }

    /// A moment of a log.
    ///
    /// # Errors
    /// Nothing can be forecast of it.
    pub fn at(
        log: &Log,
        treatment: &Treatment,
        question: &Question,
        now: Seconds,
        starts: StartSource,
    ) -> Result<Scene, CannotForecast> {
        if starts == StartSource::Logged && !log.tells_starts() {
            return Err(CannotForecast::NoStarts);
        }
        if log.records.iter().all(|record| record.submit > now) {
            return Err(CannotForecast::NobodyYet);
        }
        // a simulation of the past needs to know how long jobs ran that had ended in the log only later
        let seen = match starts {
            StartSource::Simulated => without_later(log, now, later(question)),
            StartSource::Logged => cut(log, treatment.cleaning, now, later(question)),
        };
        Scene::seen(seen, treatment, question, now, starts, Vec::new())
    }

    /// The moment of a queue beside a log; `now` says another.
    ///
    /// # Errors
    /// Nothing tells the moment, or nothing can be forecast of it.
    pub fn beside(
        log: &Log,
        queue: &Queue,
        treatment: &Treatment,
        question: &Question,
        now: Option<Seconds>,
    ) -> Result<Scene, CannotForecast> {
        let now = now.or_else(|| queue.moment(log)).ok_or(CannotForecast::NoMoment)?;
        let mut seen = cut(log, treatment.cleaning, now, later(question));
        // who waits now, the queue tells
        seen.leave_beyond(log, now);
        let joined = queue.beside(seen, log, now);
        let treatment = &sized(log, queue, treatment);
        let mut scene = Scene::seen(joined.log, treatment, question, now, StartSource::Logged, joined.notes)?;
        scene.is_of_queue = true;
        scene.workload.keep_nodes_away(now);
        if log.site.as_ref().is_some_and(|site| !site.nodes.is_empty()) {
            scene.notes.extend(scene.workload.hold_nodes(&joined.on));
        }
        scene.notes.extend(scene.of_site());
        Ok(scene)
    }

    /// What is to be said of the site's files beside a queue.
    fn of_site(&self) -> Vec<String> {
        let Some(site) = self.workload.site().map(|at| &at.site) else { return Vec::new() };
        let mut notes = Vec::new();
        if !site.away.is_empty() {
            let (away, all) = (whole(site.away.len() as i64), whole(site.nodes.len() as i64));
            notes.push(format!("{away} of {all} nodes are down or drained, and stay so"));
        }
        if site.priority.is_multifactor && site.usage.is_empty() && site.priority.weights.fair_share > 0.0 {
            notes.push(
                "fair share begins with what users used in this log; sshare -P -a -l beside it tells what Slurm counts"
                    .to_owned(),
            );
        }
        notes
    }

    fn seen(
        seen: Log,
        treatment: &Treatment,
        question: &Question,
        now: Seconds,
        starts: StartSource,
        mut notes: Vec<String>,
    ) -> Result<Scene, CannotForecast> {
        let (workload, note) = workload_at(&seen, treatment, now, starts)?;
        notes.extend(note);
        let simulated = simulated_starts(question, &workload, starts)?;
        let mut scene = Scene { now, starts, seen, workload, simulated, is_of_queue: false, notes };
        let notes = scene.of_past(question);
        scene.notes.extend(notes);
        Ok(scene)
    }

    /// Who ran and waited.
    pub fn past(&self) -> Past<'_> {
        let past = past_of(&self.workload, self.simulated.clone());
        if self.is_of_queue { past.with_usage_told(self.now) } else { past }
    }

    /// What is to be said of who ran and waited.
    fn of_past(&self, question: &Question) -> Vec<String> {
        let (past, now) = (self.past(), self.now);
        let mut notes = Vec::new();
        if !self.workload.jobs().any(|job| past.started(job, now).is_some()) {
            notes.push("no job had started by then, so that run times are drawn up to the requested times".to_owned());
        }
        let held = past.held(now);
        if held > 0 {
            notes.push(format!(
                "jobs that are held at the moment, or wait for a time or for other jobs, and have no forecast: {}",
                whole(held as i64)
            ));
        }
        let (waiting, most) = (past.present(now).1.len(), question.most_waiting());
        if waiting > most && self.starts == StartSource::Logged {
            notes.push(format!(
                "{} jobs wait, of which the first {} are looked at: {} would take too long with all; easy looks at all",
                whole(waiting as i64),
                whole(most as i64),
                question.run.scheduler.name()
            ));
        }
        notes
    }
}

/// The treatment with the size of the machine that the log alone shows, where nobody gives one: a waiting job that asks
/// for more does not make it larger, while those that run do.
fn sized(log: &Log, queue: &Queue, treatment: &Treatment) -> Treatment {
    let mut sized = treatment.clone();
    let is_given = treatment.processors.is_some() || treatment.machine.is_some() || !treatment.site.is_empty();
    if let Some(Ok(workload)) = (!is_given && !log.records.is_empty()).then(|| treatment.apply(log))
        && matches!(workload.machine.source, MachineSource::WidestJob | MachineSource::TakenAtOnce { .. })
    {
        let running = queue.jobs.iter().filter(|job| job.runs);
        let held: u32 = running.filter_map(|job| job.processors.or(job.nodes)).fold(0, u32::saturating_add);
        sized.processors = Some(workload.machine.processors.max(held));
    }
    sized
}

fn later(question: &Question) -> Later {
    if question.arrivals == Arrivals::Again { Later::Submitted } else { Later::Unknown }
}

/// The moment in the last quarter of a log at which most jobs wait; the last submission where nobody waits.
fn busiest(
    log: &Log,
    treatment: &Treatment,
    question: &Question,
    starts: StartSource,
) -> Result<Seconds, CannotForecast> {
    let last = log.records.iter().map(|record| record.submit).max().ok_or(CannotForecast::NoMoment)?;
    let (workload, _) = workload_at(&as_queued(log, treatment, starts), treatment, last, starts)?;
    let simulated = simulated_starts(question, &workload, starts)?;
    let past = past_of(&workload, simulated);
    let (first, last) = workload
        .requests()
        .first()
        .zip(workload.requests().last())
        .map_or((last, last), |(first, last)| (first.submit, last.submit));
    let from = last - (last - first) / 4;
    // after each submission of the quarter: who was submitted and has not started
    let mut changes: Vec<(Seconds, i64)> = Vec::new();
    for job in workload.jobs() {
        let submit = workload.request(job).submit;
        let start = past.outcome(job).or(past.left(job)).unwrap_or(submit).min(last + 1);
        if start > submit {
            changes.extend([(submit, 1), (start, -1)]);
        }
    }
    changes.sort_unstable();
    let (mut waiting, mut best) = (0, (0, last));
    for of_time in changes.chunk_by(|a, b| a.0 == b.0) {
        waiting += of_time.iter().map(|(_, by)| by).sum::<i64>();
        if (from..=last).contains(&of_time[0].0) && waiting > best.0 {
            best = (waiting, of_time[0].0);
        }
    }
    Ok(best.1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{HORIZON, impossible};
    use packfair_study::{Rules, Run};
    use packfair_workload::{QueuedJob, lublin};

    fn question() -> Question {
        Question {
            run: Run::new("easy".parse().unwrap(), "requested".parse().unwrap()),
            rules: Rules::default(),
            arrivals: Arrivals::Drawn,
            futures: 2,
            seed: 1,
            horizon: HORIZON,
        }
    }

    #[test]
    fn without_a_moment_it_is_one_at_which_many_wait() {
        let log = lublin(400, 32, 1);
        let scene = Scene::of(&log, None, &Treatment::default(), &question(), None).unwrap();
        assert_eq!(scene.starts, StartSource::Simulated, "a generated log tells no starts");
        assert!(scene.past().present(scene.now).1.len() > 3, "{}", scene.now);
        let again = Scene::of(&log, None, &Treatment::default(), &question(), Some(&scene.now.to_string())).unwrap();
        assert_eq!((again.now, again.workload.len()), (scene.now, scene.workload.len()));
        assert!(matches!(
            Scene::of(&log, None, &Treatment::default(), &question(), Some("tomorrow")),
            Err(CannotForecast::Moment(_))
        ));
    }

    #[test]
    fn a_waiting_job_does_not_make_the_machine_larger() {
        // two jobs have run, each on half of a machine whose size nothing but they tell
        let mut log = lublin(2, 8, 1);
        log.header.labels.retain(|(label, _)| !label.starts_with("Max"));
        for (place, record) in log.records.iter_mut().enumerate() {
            (record.submit, record.wait, record.run) = (place as Seconds, 0, 600);
            (record.requested, record.allocated, record.requested_time) = (4, 4, 600);
        }
        let zero = log.header.unix_start().unwrap_or(0);
        let waiting = |number: i64, processors: u32| QueuedJob {
            number,
            submit: Some(zero + 5_000),
            limit: Some(600),
            processors: Some(processors),
            ..QueuedJob::default()
        };
        let jobs = vec![waiting(11, 4), waiting(12, 500)];
        let queue = Queue { at: Some(zero + 6_000), jobs, ..Queue::default() };
        let scene = Scene::of(&log, Some(&queue), &Treatment::default(), &question(), None).unwrap();
        assert!(scene.workload.machine.processors <= 8, "{:?}", scene.workload.machine);
        let never = impossible(&scene.seen, &scene.workload, scene.now, HORIZON);
        assert_eq!(never.iter().map(|forecast| forecast.job).collect::<Vec<_>>(), [12], "it says that it never starts");
    }
}
