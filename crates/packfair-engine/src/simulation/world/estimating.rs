//! Estimates as time passes: they run out and are corrected, or are made anew.

use super::World;
use super::forking::Wide;
use crate::classifier::Classifier;
use crate::model::{NoteId, Notes, RunningJob, Scheduler, SizeClass, Slot};
use packfair_workload::{JobId, Seconds};
use std::cmp::{Ordering, Reverse};

/// When the estimate of a running job will run out.
#[derive(Clone, PartialEq)]
pub(super) struct Expiry {
    at: f64,
    event: u64,
    job: JobId,
    slot: Slot,
    estimate: f64,
}

impl Eq for Expiry {}

impl Ord for Expiry {
    fn cmp(&self, other: &Self) -> Ordering {
        self.at.total_cmp(&other.at).then(self.event.cmp(&other.event))
    }
}

impl PartialOrd for Expiry {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl World<'_> {
    #[inline(always)] // at most instants there are none
    pub(super) fn correct_until<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        if self.expiries.peek().is_some_and(|Reverse(e)| e.at <= now as f64) {
            self.correct_expired(scheduler, now);
        }
    }

    #[inline(never)]
    fn correct_expired<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        while self.expiries.peek().is_some_and(|Reverse(e)| e.at <= now as f64) {
            let Some(Reverse(Expiry { at, job, slot, estimate, .. })) = self.expiries.pop() else { break };
            let running = self.view.running.get_mut(slot);
            if at != running.end || job != running.job {
                continue; // the job was estimated anew or killed meanwhile
            }
            running.corrections += 1;
            let RunningJob { first, corrections, .. } = *running;
            if let Some(kept) = &mut self.kept {
                kept.corrections[job.index()] = corrections;
            }
            let limit = self.view.request(job).limit;
            let corrected = self.options.correction.apply(corrections, first, estimate, limit);
            if corrected > estimate {
                self.expect(scheduler, slot, corrected);
            } else {
                self.view.running.is_overdue(slot);
            }
        }
    }

    /// Notes that a running job is now expected to run for `estimate` seconds in all.
    fn expect<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, slot: Slot, estimate: f64) {
        let before = self.suspended_before(self.view.running.job(slot));
        let running = self.view.running.get_mut(slot);
        let (job, start) = (running.job, (running.start + before) as f64);
        let (before, end) = (running.release(), start + estimate);
        (running.end, running.told) = (end, end);
        scheduler.expected(before, end, &self.view);
        self.watch(job, slot, start, estimate, self.run_of::<Wide>(job));
    }

    /// Estimates waiting jobs anew if that is due. If no job could start, this is skipped, because the round changes
    /// nothing.
    #[inline(always)] // most estimates are kept
    pub(super) fn reestimate<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        if self.estimates.are_due() && scheduler.could_start(&self.view) {
            self.reestimate_waiting(scheduler, now);
        }
    }

    #[inline(never)]
    fn reestimate_waiting<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        if self.estimates.follow_time() {
            self.reestimate_running(scheduler, now);
        }
        if self.estimates.revise(&mut *self.estimator, now, &mut self.view.revised) {
            scheduler.reestimated(&self.view.revised, &self.view);
        }
    }

    fn reestimate_running<S: Scheduler + ?Sized>(&mut self, scheduler: &mut S, now: Seconds) {
        let mut revised = std::mem::take(&mut self.revised);
        revised.clear();
        self.estimator.revise_running(now, &mut revised);
        for &(job, estimate) in &revised {
            let slot = self.view.running.slot_of(job).filter(|&slot| !self.is_suspended(slot));
            let Some(slot) = slot else { continue };
            let RunningJob { start, end, .. } = *self.view.running.get_mut(slot);
            let start = start + self.suspended_before(job);
            // a distorted estimate may already have passed; then the correction decides what is expected
            if estimate > (now - start) as f64 && start as f64 + estimate != end {
                self.expect(scheduler, slot, estimate);
            }
        }
        self.revised = revised;
    }

    /// Remembers when the estimate of a running job will run out, if it is below the run time `run`.
    #[inline(always)] // short where estimates hold
    pub(super) fn watch(&mut self, job: JobId, slot: Slot, start: f64, estimate: f64, run: Seconds) {
        if estimate < run as f64 {
            self.expected += 1;
            self.expiries.push(Reverse(Expiry { at: start + estimate, event: self.expected, job, slot, estimate }));
        }
    }
}

// The classifier in a simulation: its training, the classes of arriving jobs, and what the schedule keeps of these.

/// How many instants a step of training counts as. It takes some milliseconds, as long as this many instants or more.
/// So a caller who advances a simulation bit by bit can show progress and stop in time.
pub(super) const STEP: usize = 128;

impl<'a> World<'a> {
    pub(in crate::simulation) fn with_classifier(self, classifier: Option<Box<dyn Classifier + 'a>>) -> Self {
        World {
            is_observed: self.learns || classifier.is_some(),
            prepares: self.reacting.is_some() || classifier.is_some(),
            classifier,
            ..self
        }
    }

    /// Does a step of the training that must be done before the jobs submitted at `now` arrive. Returns whether there
    /// was one.
    #[inline(never)]
    pub(super) fn train(&mut self, now: Seconds) -> bool {
        let arrives = self.arriving_at(now).is_some();
        self.classifier.as_mut().is_some_and(|classifier| arrives && classifier.train(now))
    }

    /// Determines the class of an arriving job.
    #[inline(never)] // most often there is no classifier
    pub(super) fn classify(&mut self, job: JobId, now: Seconds) {
        let Some(classifier) = &mut self.classifier else { return };
        let place = self.view.place_in_workload(job);
        let classified = classifier.classify(place, self.view.request(job), now);
        self.view.classify(SizeClass { class: classified.class, divider: classified.divider });
        if let Some(kept) = &mut self.kept {
            kept.because.push(classified.because.noted());
        }
    }
}

/// Notes the importance of each feature, for each training from the time on at which its result classifies.
pub(super) fn note_importances(classifier: &dyn Classifier, notes: &mut Notes) {
    for (place, feature) in classifier.features().iter().enumerate() {
        let worth = classifier.trained().iter().zip(classifier.importances());
        let course = worth.map(|(&begin, trained)| (begin, trained.gini[place])).collect();
        notes.set_course_part(NoteId::IMPORTANCE, &feature.to_string(), course);
    }
}
