//! Classifiers with training: every week from the jobs that are known by then (CLASSIFY §4.2), or after other periods.

use super::categories::{Categories, Category};
use super::divider::Dividers;
use super::feature::{self, Feature};
use super::forest::{Forest, Growing};
use super::history::{History, LARGE};
use super::options::{ClassifierOptions, Known};
use super::table::{FeatureColumn, FeatureTable, MOST_ROWS};
use super::tree::Growth;
use super::{Because, Class, Classified, Classifier, Importances, Vote, Weeks};
use crate::random::Random;
use crate::workload::{JobId, Request, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A classifier with training.
pub(super) struct Learned<'a> {
    options: ClassifierOptions,
    workload: &'a Workload,
    weeks: Weeks,
    features: Vec<Feature>,
    dividers: Dividers,
    history: History,
    /// What happens to running jobs, by time: when, the job, and its run time, or [`LARGE`]. An arriving job knows what
    /// happened before its own instant.
    events: BinaryHeap<Reverse<(Seconds, JobId, Seconds)>>,
    /// Where knowledge does not depend on the schedule: the next job to become known.
    next: u32,
    /// The places in the workload of the jobs that were submitted.
    places: Vec<JobId>,
    /// The week in which jobs are classified.
    week: usize,
    /// The training that is under way.
    training: Option<Training>,
    model: Model,
    importances: Vec<Importances>,
    /// When each of these models began to be used.
    trained: Vec<Seconds>,
    /// The features of the job that is classified; kept to reuse its memory.
    values: Vec<f64>,
}

/// The outcome of a training.
enum Model {
    /// All rows were of one class. How many rows.
    OneClass(Class, u32),
    Forest(Forest),
}

/// A training that is done in steps of a tree each.
struct Training {
    begin: Seconds,
    table: FeatureTable,
    forest: Growing,
}

impl<'a> Learned<'a> {
    pub(super) fn new(options: ClassifierOptions, workload: &'a Workload) -> Self {
        let features = feature::of(&options);
        Learned {
            options,
            workload,
            weeks: Weeks::of_days(workload, options.retrain),
            values: Vec::with_capacity(features.len()),
            features,
            dividers: Dividers::new(&options, workload),
            history: History::new(Categories::before(workload), options.labels, workload.len()),
            events: BinaryHeap::new(),
            next: 0,
            places: Vec::with_capacity(workload.len()),
            week: 0,
            training: None,
            model: Model::OneClass(Class::Large, 0),
            importances: Vec::new(),
            trained: Vec::new(),
        }
    }

    /// Learns of the events before `time`.
    fn update(&mut self, time: Seconds) {
        while let Some(&Reverse((when, job, run))) = self.events.peek()
            && when < time
        {
            self.events.pop();
            if run != LARGE {
                self.dividers.completed(run, when);
            }
            self.history.add_known(job, run);
        }
    }

    /// Begins a week: the divider changes, and training begins.
    fn begin_week(&mut self, week: usize) {
        let begin = self.weeks.begin(week);
        self.update(begin);
        if self.options.known != Known::Online {
            while (self.next as usize) < self.places.len()
                && self.history.categories().facts(JobId(self.next)).submit < begin
            {
                self.add_next();
            }
        }
        self.week = week;
        self.history.divide(self.dividers.of(week));
        self.begin_training(week, begin);
    }

    /// Makes the next submitted job known, completed or not.
    fn add_next(&mut self) {
        let job = JobId(self.next);
        self.next += 1;
        self.history.add_known(job, self.workload.run(self.places[job.index()]));
    }

    /// Chooses the rows of the training of a week, which has random numbers of its own and begins at `begin`.
    fn begin_training(&mut self, week: usize, begin: Seconds) {
        let known = self.history.known();
        let rows: Vec<JobId> = if known.len() > MOST_ROWS {
            let mut random = Random::of([self.options.seed, week as u64]);
            random.sample(MOST_ROWS, known.len()).into_iter().map(|place| known[place as usize]).collect()
        } else {
            known.to_vec()
        };
        let is_small: Vec<bool> = rows.iter().map(|&job| self.history.is_small(job)).collect();
        let small = is_small.iter().filter(|&&is_small| is_small).count();
        self.training = None;
        if small == 0 || small == rows.len() {
            self.model = Model::OneClass(Class::small_if(small > 0), rows.len() as u32);
            return;
        }
        let mut values = Vec::with_capacity(rows.len());
        let columns = self.features.iter().map(|&feature| {
            values.clear();
            values.extend(rows.iter().map(|&job| self.value(feature, job)));
            FeatureColumn::of(&values)
        });
        let table = FeatureTable { columns: columns.collect(), is_small };
        let ClassifierOptions { depth, trees, seed, .. } = self.options;
        let growth = Growth { depth, drawn: (table.columns.len() as f64).sqrt() as usize };
        let forest = Growing::new(&table, growth, trees, seed, week);
        self.training = Some(Training { begin, table, forest });
    }

    /// Does a step of the training under way. Returns whether there was one.
    fn train_step(&mut self) -> bool {
        let Some(training) = &mut self.training else { return false };
        training.forest.step(&training.table);
        if training.forest.is_grown()
            && let Some(training) = self.training.take()
        {
            self.finish(training);
        }
        true
    }

    fn finish(&mut self, training: Training) {
        let Training { begin, table, forest } = training;
        let forest = forest.finish();
        self.importances.push(Importances { week: self.week, rows: table.rows() as u32, gini: forest.importances() });
        self.trained.push(begin);
        self.model = Model::Forest(forest);
    }

    /// The value of a feature for a job that was submitted.
    fn value(&self, feature: Feature, job: JobId) -> f64 {
        let facts = self.history.categories().facts(job);
        match feature {
            Feature::Limit => facts.limit as f64,
            Feature::Width => f64::from(facts.width),
            Feature::Hour => f64::from(facts.hour),
            Feature::Weekday => f64::from(facts.day.weekday),
            Feature::Day => f64::from(facts.day.day),
            Feature::Month => f64::from(facts.day.month),
            Feature::Week => f64::from(facts.day.week),
            Feature::Quarter => f64::from(facts.day.quarter),
            Feature::Class(category, lag) => {
                let earlier = self.history.seen(job, category.place()).nth(usize::from(lag));
                earlier.map_or(-1.0, |earlier| f64::from(u8::from(self.history.is_small(earlier))))
            }
            Feature::Share(category) => match self.history.counts(job, category.place()) {
                (0, _) => -1.0,
                (known, small) => f64::from(small) / f64::from(known),
            },
        }
    }

    /// The class of a job by the model.
    fn predict(&mut self, job: JobId) -> (Class, Because) {
        let forest = match &self.model {
            Model::Forest(forest) => forest,
            Model::OneClass(class, rows) => return (*class, Because::OneClass(*rows)),
        };
        let mut values = std::mem::take(&mut self.values);
        values.clear();
        values.extend(self.features.iter().map(|&feature| self.value(feature, job)));
        self.values = values;
        let (small, trees_for) = forest.vote(&self.values);
        let same = self.history.known_classes(job, Category::UserLimit.place());
        let vote = Vote { small, trees_for, trees: forest.trees.len() as u32, same };
        (Class::small_if(small > self.options.threshold), Because::Vote(vote))
    }
}

impl Classifier for Learned<'_> {
    fn train(&mut self, now: Seconds) -> bool {
        let week = self.weeks.week(now);
        if week > self.week {
            self.begin_week(week);
        }
        self.train_step()
    }

    fn classify(&mut self, place: JobId, request: &Request, now: Seconds) -> Classified {
        while self.train(now) {}
        self.update(now);
        if self.options.known == Known::Ahead {
            while (self.next as usize) < self.places.len() {
                self.add_next();
            }
        }
        self.history.count();
        let (divider, run) = (self.dividers.of(self.week), self.workload.run(place));
        self.dividers.submitted(run, now);
        self.places.push(place);
        let job = self.history.submitted(request, run, divider);
        let (class, because) = match divider {
            None => (Class::Large, Because::NoDivider),
            Some(0) => (Class::Large, Because::ZeroDivider),
            Some(_) => self.predict(job),
        };
        Classified { class, divider, because }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        if self.options.is_early()
            && let Some(divider) = self.history.divider_of(job)
        {
            self.events.push(Reverse((now + divider, job, LARGE)));
        }
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, now: Seconds) {
        if self.options.known == Known::Online {
            self.events.push(Reverse((now, job, run)));
        }
    }

    fn importances(&self) -> &[Importances] {
        &self.importances
    }

    fn trained(&self) -> &[Seconds] {
        &self.trained
    }

    fn features(&self) -> &[Feature] {
        &self.features
    }
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
