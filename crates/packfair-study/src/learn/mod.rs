//! Lessons: what schedulers do, shown on a few jobs that the engine runs at once.
//!
//! A [`Lesson`] is an entry in a file of its own: jobs, schedulers, a text, a question, and what to try on a real log. Its
//! tests hold its sentences against the schedules. A [`Course`] is what becomes of the jobs under a scheduler, with the
//! reason of each start and wait.

mod course;
mod glossary;
mod jobs;
mod lessons;
mod order;
mod sentences;

pub use course::{Course, Hold, Hole, Moment, Start, TaughtReservation, TaughtRun, Waiter, Why};
pub use glossary::{GLOSSARY, Term};
pub use jobs::{LATEST, LONGEST, PROCESSORS, STEP, TaughtJob, clock, length};
pub use lessons::{LESSONS, OPENING, lesson};
pub use order::QueueOrder;
pub use sentences::{held, name};

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
