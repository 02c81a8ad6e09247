//! Classifiers with training: every week from the jobs that are known by then (CLASSIFY §4.2), or after other periods.

use super::divider::Dividers;
use super::feature::{self, Feature};
use super::forest::{Forest, Growing};
use super::history::{History, LARGE};
use super::options::{ClassifierOptions, Known};
use super::table::{Categories, Category, FeatureColumn, FeatureTable, MOST_ROWS};
use super::tree::Growth;
use super::{Because, Class, Classified, Classifier, Importances, KnownClasses, Vote, Weeks};
use packfair_base::random::Random;
use packfair_workload::{JobId, Request, Seconds, Workload};
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

// The reason for a class as one number, which a schedule keeps for each job.

/// Bits of a note that tell the kind of the reason.
const KIND: u32 = 4;

/// Bits of a number of trees, which is at most 500.
const TREES: u32 = 9;

/// Bits of a vote, in millionths.
const VOTE: u32 = 20;

/// A vote of 1, in millionths.
const MILLION: f64 = 1e6;

/// Bits of the number of known jobs. A larger number is cut to what fits.
const KNOWN: u32 = 10;

impl Because {
    /// The reason as one number, which [`Because::of_note`] turns back. A vote is rounded to a millionth, and of the
    /// known jobs of its category only the latest three are kept.
    pub fn noted(self) -> Seconds {
        let (kind, what) = match self {
            Because::NoDivider => (0, 0),
            Because::ZeroDivider => (1, 0),
            Because::Run(run) => (2, run),
            Because::Request(limit) => (3, limit),
            Because::EveryJob => (4, 0),
            Because::LastRun(None) => (5, 0),
            Because::LastRun(Some(run)) => (6, run),
            Because::OneClass(rows) => (7, Seconds::from(rows)),
            Because::Vote(vote) => (8, vote.noted()),
        };
        what << KIND | kind
    }

    /// The reason of a note; `None` if it has none.
    pub fn of_note(note: Seconds) -> Option<Because> {
        let what = note >> KIND;
        Some(match note & ((1 << KIND) - 1) {
            0 => Because::NoDivider,
            1 => Because::ZeroDivider,
            2 => Because::Run(what),
            3 => Because::Request(what),
            4 => Because::EveryJob,
            5 => Because::LastRun(None),
            6 => Because::LastRun(Some(what)),
            7 => Because::OneClass(what as u32),
            8 => Because::Vote(Vote::of_note(what)),
            _ => return None,
        })
    }
}

impl Vote {
    fn noted(self) -> Seconds {
        let small = (self.small * MILLION + 0.5) as Seconds;
        let KnownClasses { latest, known, .. } = self.same;
        let latest = latest.iter().rev().fold(0, |digits, latest| digits * 3 + latest.map_or(0, digit));
        let known = Seconds::from(known.min((1 << KNOWN) - 1));
        let trees = Seconds::from(self.trees_for) << TREES | Seconds::from(self.trees);
        ((latest << KNOWN | known) << (2 * TREES) | trees) << VOTE | small
    }

    fn of_note(note: Seconds) -> Vote {
        let bits = |from: u32, count: u32| (note >> from & ((1 << count) - 1)) as u32;
        let mut digits = note >> (VOTE + 2 * TREES + KNOWN);
        let latest = [(); 3].map(|()| {
            let digit = digits % 3;
            digits /= 3;
            (digit > 0).then(|| Class::small_if(digit == 1))
        });
        let small = latest.iter().flatten().filter(|class| class.is_small()).count() as u32;
        let known = bits(VOTE + 2 * TREES, KNOWN);
        Vote {
            small: f64::from(bits(0, VOTE)) / MILLION,
            trees_for: bits(VOTE + TREES, TREES),
            trees: bits(VOTE, TREES),
            same: KnownClasses { latest, known, small },
        }
    }
}

/// 1 for small, 2 for large; 0 stands for no job.
fn digit(class: Class) -> Seconds {
    if class.is_small() { 1 } else { 2 }
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;

#[cfg(test)]
mod noted_tests {
    use super::*;

    #[test]
    fn every_reason_is_found_again_in_its_note() {
        let latest = [Some(Class::Small), Some(Class::Large), None];
        let same = KnownClasses { latest, known: 2, small: 1 };
        let vote = |small, trees_for, trees| Because::Vote(Vote { small, trees_for, trees, same });
        for because in [
            Because::NoDivider,
            Because::ZeroDivider,
            Because::Run(86_400),
            Because::Request(1),
            Because::EveryJob,
            Because::LastRun(None),
            Because::LastRun(Some(0)),
            Because::OneClass(0),
            Because::OneClass(20_000),
            vote(0.75, 15, 20),
            vote(1.0, 500, 500),
            vote(0.0, 0, 1),
        ] {
            assert_eq!(Because::of_note(because.noted()), Some(because));
        }
        assert_eq!(Because::of_note(15), None);
    }

    #[test]
    fn a_note_keeps_the_latest_of_many_known_jobs() {
        let same = KnownClasses { latest: [Some(Class::Small); 3], known: 5_000, small: 4_000 };
        let noted = Because::Vote(Vote { small: 0.5, trees_for: 9, trees: 20, same }).noted();
        let Some(Because::Vote(vote)) = Because::of_note(noted) else { panic!("a vote") };
        assert_eq!((vote.same.latest, vote.same.known), (same.latest, 1_023));
    }
}
