//! Classifiers with training: every week from the jobs that are known by then (CLASSIFY §4.2), or after other periods, or
//! when errors rise.

use super::boosting::{Boosted, Boosting};
use super::categories::{CATEGORIES, Categories, Category};
use super::divider::Dividers;
use super::drift::Drift;
use super::feature::{self, Feature};
use super::forest::{Forest, Growing};
use super::history::{History, LARGE};
use super::options::{By, ClassifierOptions, Known};
use super::recent::Recent;
use super::table::{FeatureColumn, FeatureTable, MOST_ROWS};
use super::tree::Growth;
use super::{Because, Class, Classified, Classifier, Importances, Vote, Weeks};
use packfair_base::random::Random;
use packfair_workload::{JobId, Request, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The number of rows from which `best` learns: the jobs that became known last.
const LATEST: usize = 10_000;

/// The least number of rows in a leaf of the forest of `best`.
const LEAF: u32 = 16;

/// The number of features drawn at a node of the forest of `best`.
const DRAWN: usize = 5;

/// A classifier with training.
pub(super) struct Learned<'a> {
    options: ClassifierOptions,
    workload: &'a Workload,
    weeks: Weeks,
    features: Vec<Feature>,
    dividers: Dividers,
    history: History,
    recent: Option<Recent>,
    /// What happens to running jobs, by time: when, the job, and its run time, or [`LARGE`]. An arriving job knows what
    /// happened before its own instant.
    events: BinaryHeap<Reverse<(Seconds, JobId, Seconds)>>,
    /// Where knowledge does not depend on the schedule: the next job to become known.
    next: u32,
    /// The places in the workload of the jobs that were submitted.
    places: Vec<JobId>,
    /// The week in which jobs are classified.
    week: usize,
    /// Errors so far, where training also begins when they rise.
    drift: Option<Drifting>,
    /// The training that is under way.
    training: Option<Training>,
    model: Model,
    importances: Vec<Importances>,
    /// When each of these models began to be used.
    trained: Vec<Seconds>,
    /// The features of the job that is classified; kept to reuse its memory.
    values: Vec<f64>,
}

/// The errors of the models.
#[derive(Default)]
struct Drifting {
    errors: Drift,
    /// The class that each job was taken for, by the present model, until its true one is known.
    taken: Vec<Option<Class>>,
    /// The first job that the present model classified.
    first: usize,
    /// When errors had risen, if training for that has not begun yet.
    risen: Option<Seconds>,
    /// The number of trainings for risen errors so far.
    trainings: usize,
}

/// Trainings for risen errors have other random numbers than those of weeks: far beyond the last week of any log.
const OF_DRIFT: usize = 1 << 20;

/// The outcome of a training.
enum Model {
    /// All rows were of one class. How many rows.
    OneClass(Class, u32),
    Forest(Forest),
    /// The mean of both.
    Both(Forest, Boosted),
}

/// A training that is done in steps of a tree each.
struct Training {
    begin: Seconds,
    table: FeatureTable,
    forest: Growing,
    boosting: Option<Boosting>,
    steps_left: u32,
}

impl<'a> Learned<'a> {
    pub(super) fn new(options: ClassifierOptions, workload: &'a Workload) -> Self {
        let is_best = options.by == By::Best;
        let kinds = if is_best { CATEGORIES.len() } else { 3 };
        let categories = Categories::before(workload, kinds);
        let features = feature::of(&options);
        Learned {
            options,
            workload,
            weeks: Weeks::of_days(workload, options.retrain),
            values: vec![0.0; features.len()],
            features,
            dividers: Dividers::new(&options, workload),
            history: History::new(categories, options.labels, workload.len()),
            recent: is_best.then(Recent::default),
            events: BinaryHeap::new(),
            next: 0,
            places: Vec::with_capacity(workload.len()),
            week: 0,
            drift: options.drift.then(Drifting::default),
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
            self.judge(job, run, when);
            if run != LARGE || self.options.is_early() {
                self.add_known(job, run, when);
            }
        }
    }

    /// Judges whether a job whose class is known now was taken for that class.
    fn judge(&mut self, job: JobId, run: Seconds, now: Seconds) {
        let Some(drift) = &mut self.drift else { return };
        let taken = drift.taken[job.index()].take().filter(|_| job.index() >= drift.first);
        if let Some(taken) = taken
            && let Some(divider) = self.history.divider_of(job)
            && drift.errors.judge(taken != Class::of(run, divider))
        {
            drift.risen.get_or_insert(now);
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

    /// Begins a training if errors have risen, with the divider of the week, from all known jobs.
    fn begin_for_drift(&mut self, now: Seconds) {
        if self.drift.is_none() {
            return;
        }
        self.update(now);
        let Some(drift) = &mut self.drift else { return };
        if let Some(risen) = drift.risen.take() {
            drift.trainings += 1;
            let number = drift.trainings * OF_DRIFT + self.week;
            self.history.count();
            self.begin_training(number, risen);
        }
    }

    /// Makes a job known, with its run time or as [`LARGE`].
    fn add_known(&mut self, job: JobId, run: Seconds, now: Seconds) {
        if let Some(recent) = &mut self.recent
            && !(run == LARGE && self.history.run(job).is_some())
        {
            recent.add_known(job, now);
        }
        self.history.add_known(job, run);
    }

    /// Makes the next submitted job known, completed or not.
    fn add_next(&mut self) {
        let job = JobId(self.next);
        self.next += 1;
        let submit = self.history.categories().facts(job).submit;
        let run = self.workload.run(self.places[job.index()]);
        self.judge(job, run, submit);
        self.add_known(job, run, submit);
    }

    /// Chooses the rows of a training, which has random numbers of its own and begins at `begin`.
    fn begin_training(&mut self, number: usize, begin: Seconds) {
        if let Some(drift) = &mut self.drift {
            // errors from now on are those of another model
            drift.errors.train();
            (drift.first, drift.risen) = (self.places.len(), None);
        }
        let known = self.history.known();
        let rows: Vec<JobId> = if self.options.by == By::Best {
            // users change their habits, so the latest jobs say most; and training on fewer rows is faster
            known[known.len().saturating_sub(LATEST)..].to_vec()
        } else if known.len() > MOST_ROWS {
            let mut random = Random::of([self.options.seed, number as u64]);
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
        let ClassifierOptions { by, depth, trees, seed, .. } = self.options;
        let growth = match by {
            By::Best => Growth { depth, drawn: DRAWN, leaf: LEAF },
            _ => Growth { depth, drawn: (table.columns.len() as f64).sqrt() as usize, leaf: 1 },
        };
        let forest = Growing::new(&table, growth, trees, seed, number);
        let boosting = (by == By::Best).then(|| Boosting::new(&table, seed, number));
        let steps_left = trees + boosting.as_ref().map_or(0, Boosting::rounds);
        self.training = Some(Training { begin, table, forest, boosting, steps_left });
    }

    /// Does a step of the training under way. Returns whether there was one.
    fn train_step(&mut self) -> bool {
        let Some(training) = &mut self.training else { return false };
        if !training.forest.step(&training.table)
            && let Some(boosting) = &mut training.boosting
        {
            boosting.step(&training.table);
        }
        training.steps_left -= 1;
        if training.steps_left == 0
            && let Some(training) = self.training.take()
        {
            self.finish(training);
        }
        true
    }

    fn finish(&mut self, training: Training) {
        let Training { begin, table, forest, boosting, .. } = training;
        let forest = forest.finish();
        self.importances.push(Importances { week: self.week, rows: table.rows() as u32, gini: forest.importances() });
        self.trained.push(begin);
        self.model = match boosting {
            Some(boosting) => Model::Both(forest, boosting.finish()),
            None => Model::Forest(forest),
        };
    }

    /// The value of a feature for a job that was submitted.
    fn value(&self, feature: Feature, job: JobId) -> f64 {
        let facts = self.history.categories().facts(job);
        // a classifier that does not note recent activity has no feature of it
        let recent =
            |of: fn(&Recent, JobId) -> i32| self.recent.as_ref().map_or(-1.0, |recent| f64::from(of(recent, job)));
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
            Feature::User => f64::from(facts.user),
            Feature::Group => f64::from(facts.group),
            Feature::Executable => f64::from(facts.executable),
            Feature::Area if facts.limit < 0 => -1.0,
            Feature::Area => facts.limit as f64 * f64::from(facts.width),
            Feature::Run(category, lag) => {
                self.recent.as_ref().map_or(-1.0, |recent| f64::from(recent.run(job, category, lag)))
            }
            Feature::Since(category) => {
                self.recent.as_ref().map_or(-1.0, |recent| f64::from(recent.since(job, category)))
            }
            Feature::SinceSubmission(lag) => {
                self.recent.as_ref().map_or(-1.0, |recent| f64::from(recent.since_submission(job, lag)))
            }
            Feature::SameLimit => recent(Recent::same_limit),
            Feature::SameWidth => recent(Recent::same_width),
            Feature::Unknown => recent(Recent::unknown),
        }
    }

    /// The class of a job by the model.
    fn predict(&mut self, job: JobId) -> (Class, Because) {
        if let Model::OneClass(class, rows) = self.model {
            return (class, Because::OneClass(rows));
        }
        for place in 0..self.features.len() {
            self.values[place] = self.value(self.features[place], job);
        }
        let (forest, boosted) = match &self.model {
            Model::Both(forest, boosted) => (forest, Some(boosted)),
            Model::Forest(forest) => (forest, None),
            Model::OneClass(class, rows) => return (*class, Because::OneClass(*rows)),
        };
        let (vote, trees_for) = forest.vote(&self.values);
        let small = boosted.map_or(vote, |boosted| (vote + boosted.vote(&self.values)) / 2.0);
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
        } else if self.training.is_none() {
            self.begin_for_drift(now);
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
        if let Some(recent) = &mut self.recent {
            recent.submitted(job, &self.history);
        }
        let (class, because) = match divider {
            None => (Class::Large, Because::NoDivider),
            Some(0) => (Class::Large, Because::ZeroDivider),
            Some(_) => self.predict(job),
        };
        if let Some(drift) = &mut self.drift {
            drift.taken.push(divider.map(|_| class));
        }
        Classified { class, divider, because }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        // a job that is large by its run time so far is judged, even if it is not learned from
        if (self.options.is_early() || self.drift.is_some() && self.options.known == Known::Online)
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
