//! What the stage of a lesson shows: its jobs, their courses, and the time at the play head.

use crate::app::prelude::*;
use gloo::timers::callback::Timeout;
use packfair_study::learn::{Course, Lesson, TaughtJob};
use packfair_workload::Seconds;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

/// How fast the play head moves, seconds of the lesson for each millisecond.
const SPEED: f64 = 1.5;

/// How long it rests where something happens, so that this can be read, milliseconds.
const REST: f64 = 1_400.0;

/// How long a step takes where nothing may move, milliseconds.
const STILL: u32 = 2_500;

/// The stage of a lesson. It lives as long as the view of the lesson.
#[derive(Clone, Copy)]
pub struct Stage {
    pub lesson: &'static Lesson,
    /// The jobs, which a person may change.
    pub jobs: RwSignal<Vec<TaughtJob>>,
    /// What the engine makes of them, a course for each scheduler.
    pub courses: Memo<Arc<Vec<Course>>>,
    /// The times at which something happens under any of the schedulers.
    pub instants: Memo<Vec<Seconds>>,
    /// The time at the play head, seconds after the beginning.
    pub at: RwSignal<f64>,
    /// The last instant at or before the play head.
    pub now: Memo<Seconds>,
    pub is_playing: RwSignal<bool>,
    /// The job that is looked at, by its place.
    pub picked: RwSignal<Option<usize>>,
    /// When the play head was moved last by itself, and for how long it rests yet, milliseconds.
    clock: StoredValue<(f64, f64)>,
    timer: StoredValue<Option<Timeout>, LocalStorage>,
}

impl Stage {
    pub fn of(lesson: &'static Lesson) -> Stage {
        let jobs = RwSignal::new(lesson.jobs.to_vec());
        let courses = Memo::new(move |_| Arc::new(jobs.with(|jobs| lesson.courses(jobs))));
        let instants = Memo::new(move |_| {
            let all = courses.get();
            let all: BTreeSet<Seconds> =
                all.iter().flat_map(|course| &course.moments).map(|moment| moment.at).collect();
            all.into_iter().collect::<Vec<_>>()
        });
        let at = RwSignal::new(lesson.opens_at as f64);
        let now = Memo::new(move |_| {
            let at = at.get();
            instants
                .with(|all| all[..all.partition_point(|&instant| instant as f64 <= at)].last().copied().unwrap_or(0))
        });
        let stage = Stage {
            lesson,
            jobs,
            courses,
            instants,
            at,
            now,
            is_playing: RwSignal::new(false),
            picked: RwSignal::new(None),
            clock: StoredValue::new((0.0, 0.0)),
            timer: StoredValue::new_local(None),
        };
        on_cleanup(move || stage.stop());
        stage
    }

    /// The end of the time axis: a whole hour after the last job has ended under all schedulers.
    pub fn end(self) -> Seconds {
        let last = self.courses.with(|all| all.iter().map(Course::last_end).max().unwrap_or(0));
        (last + 900) / 3_600 * 3_600 + 3_600
    }

    /// The last time at which something happens.
    fn last(self) -> Seconds {
        self.instants.with_untracked(|all| all.last().copied().unwrap_or(0))
    }

    /// Where the play head is among the instants.
    pub fn place(self) -> usize {
        let now = self.now.get();
        self.instants.with(|all| all.partition_point(|&instant| instant < now))
    }

    /// Moves the play head to an instant by its place.
    pub fn go_to(self, place: usize) {
        let instant = self.instants.with_untracked(|all| all.get(place).or(all.last()).copied());
        self.at.set(instant.unwrap_or(0) as f64);
    }

    /// Moves the play head to the next instant or the one before. Returns whether there is one.
    pub fn step(self, forward: bool) -> bool {
        self.stop();
        let at = self.at.get_untracked();
        let next = self.instants.with_untracked(|all| {
            let found = if forward {
                all.iter().find(|&&instant| instant as f64 > at)
            } else {
                all.iter().rev().find(|&&instant| (instant as f64) < at)
            };
            found.copied()
        });
        if let Some(next) = next {
            self.at.set(next as f64);
        }
        next.is_some()
    }

    pub fn to_beginning(self) {
        self.stop();
        self.go_to(0);
    }

    pub fn to_end(self) {
        self.stop();
        self.at.set(self.last() as f64);
    }

    /// Plays from the play head, or from the beginning where it is at the end.
    pub fn play(self) {
        if self.at.get_untracked() >= self.last() as f64 {
            self.go_to(0);
        }
        self.is_playing.set(true);
        if is_motion_reduced() {
            self.step_soon();
        } else {
            self.clock.set_value((milliseconds(), REST / 2.0));
            request_animation_frame(move || self.frame());
        }
    }

    /// Stops playing.
    pub fn stop(self) {
        let _ = self.is_playing.try_set(false);
        // dropping the timer cancels it
        let _ = self.timer.try_update_value(Option::take);
    }

    pub fn toggle(self) {
        if self.is_playing.get_untracked() { self.stop() } else { self.play() }
    }

    /// Moves the play head by what has passed since the last frame.
    fn frame(self) {
        // the view may be gone
        if self.is_playing.try_get_untracked() != Some(true) {
            return;
        }
        let (before, rest) = self.clock.get_value();
        let now = milliseconds();
        let passed = (now - before).clamp(0.0, 100.0);
        let left = rest - passed;
        self.clock.set_value((now, left.max(0.0)));
        if left < 0.0 {
            let from = self.at.get_untracked();
            let to = from - left * SPEED;
            let next = self.instants.with_untracked(|all| all.iter().find(|&&at| at as f64 > from).copied());
            match next {
                Some(next) if next as f64 <= to => {
                    self.at.set(next as f64);
                    self.clock.set_value((now, REST));
                }
                Some(_) => self.at.set(to),
                None => return self.stop(),
            }
        }
        request_animation_frame(move || self.frame());
    }

    /// Steps by itself, where nothing may move.
    fn step_soon(self) {
        let then = move || {
            if self.is_playing.try_get_untracked() != Some(true) {
                return;
            }
            let at = self.at.get_untracked();
            match self.instants.with_untracked(|all| all.iter().find(|&&instant| instant as f64 > at).copied()) {
                Some(next) => {
                    self.at.set(next as f64);
                    self.step_soon();
                }
                None => self.stop(),
            }
        };
        self.timer.set_value(Some(Timeout::new(STILL, then)));
    }

    /// Changes a job; the engine runs them all again.
    pub fn change(self, job: usize, change: impl FnOnce(TaughtJob) -> TaughtJob) {
        let before = self.jobs.with_untracked(|jobs| jobs.get(job).copied());
        let Some(before) = before else { return };
        let after = change(before);
        if after != before {
            self.jobs.update(|jobs| jobs[job] = after);
        }
    }

    /// Whether a person has changed a job.
    pub fn is_changed(self) -> bool {
        self.jobs.with(|jobs| jobs != self.lesson.jobs)
    }

    /// Takes back all changes.
    pub fn reset(self) {
        self.jobs.set(self.lesson.jobs.to_vec());
    }

    /// What happens at the play head under the schedulers of these places, as one text for who cannot see it.
    pub fn said(self, places: Range<usize>) -> String {
        let now = self.now.get();
        let mut text = format!("{}.", packfair_study::learn::clock(now));
        let courses = self.courses.get();
        for course in courses.get(places).unwrap_or_default() {
            let told = course.moments.iter().find(|moment| moment.at == now).map(|moment| moment.told.join(" "));
            if let Some(told) = told.filter(|told| !told.is_empty()) {
                text.push_str(&format!(" {}: {told}", course.name));
            }
        }
        text
    }
}

/// Whether the visitor has asked for no motion.
pub fn is_motion_reduced() -> bool {
    let query = window().match_media("(prefers-reduced-motion: reduce)").ok().flatten();
    query.is_some_and(|query| query.matches())
}

fn milliseconds() -> f64 {
    window().performance().map_or(0.0, |performance| performance.now())
}
