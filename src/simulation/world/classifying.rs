//! The classifier in a simulation: its training, the classes of arriving jobs, and what the schedule keeps of these.

use super::World;
use crate::classifier::Classifier;
use crate::model::{NoteId, Notes, SizeClass};
use crate::workload::{JobId, Seconds};

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
