//! Lessons: what schedulers do, shown on a few jobs that the engine runs at once.
//!
//! A [`Lesson`] is an entry in a file of its own: jobs, schedulers, a text, a question, and what to try on a real log. Its
//! tests hold its sentences against the schedules. A [`Course`] is what becomes of the jobs under a scheduler, with the
//! reason of each start and wait.

mod course;
mod glossary;
mod lessons;

pub use course::{Course, Hold, Hole, Moment, QueueOrder, Start, TaughtReservation, TaughtRun, Waiter, Why};
pub use glossary::{GLOSSARY, Term, held, name};
pub use lessons::{LESSONS, OPENING, lesson};
use packfair_workload::{Header, Machine, MachineSource, Request, Seconds, Workload};

/// A lesson of a minute.
#[derive(Clone, Copy, Debug)]
pub struct Lesson {
    /// Its id in addresses.
    pub id: &'static str,
    /// Its name in lists.
    pub name: &'static str,
    /// What stands above it.
    pub title: &'static str,
    /// What it teaches, in at most 80 words.
    pub text: &'static str,
    /// The jobs, numbered from 1.
    pub jobs: &'static [TaughtJob],
    /// Who schedules them, one below the other.
    pub runs: &'static [TaughtRun],
    /// The moment that it opens with: something is to be seen there.
    pub opens_at: packfair_workload::Seconds,
    /// What to try on these jobs.
    pub question: &'static str,
    /// What comes of it.
    pub answer: &'static str,
    /// What to look at on a real log.
    pub on_a_log: OnALog,
}

/// What a lesson tries on a real log.
#[derive(Clone, Copy, Debug)]
pub struct OnALog {
    /// What to look at.
    pub look: &'static str,
    /// The schedulers to compare, as texts name them; the first is the baseline.
    pub schedulers: &'static [&'static str],
    /// The estimates to compare, as texts name them.
    pub methods: &'static [&'static str],
}

impl Lesson {
    /// The courses of its schedulers on these jobs, which may be its own or changed ones.
    pub fn courses(&self, jobs: &[TaughtJob]) -> Vec<Course> {
        self.runs.iter().map(|&run| Course::of(run, jobs)).collect()
    }
}

// The few jobs of a lesson.

/// The processors of every lesson's machine.
pub const PROCESSORS: u32 = 8;

/// The grid of all times of a lesson, and the shortest job, seconds.
pub const STEP: Seconds = 900;

/// The longest job that a lesson takes, seconds.
pub const LONGEST: Seconds = 8 * 3_600;

/// The latest arrival that a lesson takes, seconds after its beginning.
pub const LATEST: Seconds = 12 * 3_600;

/// The hour of the day at which lessons begin.
const MORNING: Seconds = 8 * 3_600;

const UNKNOWN: i32 = -1;

/// A job of a lesson. All times are on the grid of [`STEP`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TaughtJob {
    /// When it arrives, seconds after the beginning of the lesson.
    pub submit: Seconds,
    /// The processors that it takes.
    pub processors: u32,
    /// How long it runs.
    pub run: Seconds,
    /// Its time limit, at which it would be ended: not below `run`.
    pub limit: Seconds,
}

impl TaughtJob {
    /// A job by its numbers in minutes: arrival, processors, run time, limit.
    const fn of_minutes(submit: Seconds, processors: u32, run: Seconds, limit: Seconds) -> Self {
        TaughtJob { submit: submit * 60, processors, run: run * 60, limit: limit * 60 }
    }

    /// The job with this width, as near as the machine allows.
    pub fn with_processors(self, processors: i64) -> Self {
        // between 1 and the machine's
        TaughtJob { processors: processors.clamp(1, i64::from(PROCESSORS)) as u32, ..self }
    }

    /// The job with this run time; its limit is moved as far, so that it is as wrong as before.
    pub fn with_run(self, run: Seconds) -> Self {
        let run = on_grid(run, STEP, LONGEST);
        TaughtJob { run, limit: (run + self.limit - self.run).clamp(run, LONGEST), ..self }
    }

    /// The job with this limit. Where it would run for longer, it ends at its limit.
    pub fn with_limit(self, limit: Seconds) -> Self {
        let limit = on_grid(limit, STEP, LONGEST);
        TaughtJob { limit, run: self.run.min(limit), ..self }
    }

    /// The job with this arrival.
    pub fn with_submit(self, submit: Seconds) -> Self {
        TaughtJob { submit: on_grid(submit, 0, LATEST), ..self }
    }
}

fn on_grid(time: Seconds, least: Seconds, most: Seconds) -> Seconds {
    let rounded = (time.clamp(least, most) + STEP / 2).div_euclid(STEP) * STEP;
    rounded.clamp(least, most)
}

/// A time of a lesson as a clock shows it.
pub fn clock(at: Seconds) -> String {
    let minutes = (MORNING + at) / 60;
    format!("{}:{:02}", minutes / 60 % 24, minutes % 60)
}

/// A length of time in a lesson.
pub fn length(time: Seconds) -> String {
    match (time / 3_600, time / 60 % 60) {
        (0, minutes) => format!("{minutes}\u{a0}min"),
        (hours, 0) => format!("{hours}\u{a0}h"),
        (hours, minutes) => format!("{hours}\u{a0}h {minutes}\u{a0}min"),
    }
}

/// The jobs as a workload, numbered from 1 in the order given. If run times are known, they are the limits.
fn workload(jobs: &[TaughtJob], are_runs_known: bool) -> Workload {
    let machine = Machine { processors: PROCESSORS, source: MachineSource::Given };
    let mut workload = Workload::empty("lesson", machine, Header::default());
    for (job, place) in jobs.iter().zip(0_u32..) {
        let request = Request {
            number: i64::from(place) + 1,
            submit: job.submit,
            processors: job.processors,
            limit: if are_runs_known { job.run } else { job.limit },
            user: UNKNOWN,
            group: UNKNOWN,
            executable: UNKNOWN,
            queue: UNKNOWN,
            partition: UNKNOWN,
        };
        workload.push(request, job.run, -1, place);
    }
    workload.sort();
    workload
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_job_stays_one_that_a_cluster_would_run() {
        let job = TaughtJob::of_minutes(0, 4, 60, 90);
        assert_eq!(job.with_processors(99).processors, PROCESSORS);
        assert_eq!(job.with_processors(-3).processors, 1);
        assert_eq!(job.with_run(7_300), TaughtJob::of_minutes(0, 4, 120, 150), "on the grid, and the limit moves too");
        assert_eq!(job.with_run(LONGEST), TaughtJob { run: LONGEST, limit: LONGEST, ..job });
        assert_eq!(job.with_limit(1_800), TaughtJob::of_minutes(0, 4, 30, 30), "nobody runs beyond a limit");
        assert_eq!(job.with_limit(-5).limit, STEP);
        assert_eq!(job.with_submit(-5).submit, 0);
    }

    #[test]
    fn times_are_told_as_by_a_clock() {
        assert_eq!((clock(0), clock(5_400), clock(17 * 3_600)), ("8:00".into(), "9:30".into(), "1:00".into()));
        assert_eq!(
            (length(2_700), length(7_200), length(5_400)),
            ("45\u{a0}min".into(), "2\u{a0}h".into(), "1\u{a0}h 30\u{a0}min".into())
        );
    }
}
