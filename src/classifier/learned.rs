//! Classifiers that learn: trained every week from what is known by then (CLASSIFY §4.2).

use super::boosting::{Boosted, Boosting};
use super::categories::{CATEGORIES, Categories, Category};
use super::divider::Dividers;
use super::feature::{self, Feature};
use super::forest::{Forest, Growing};
use super::history::{History, LARGE};
use super::options::{By, Known, Options};
use super::random::{Purpose, Random};
use super::recent::Recent;
use super::table::{Column, MOST_ROWS, Table};
use super::tree::Growth;
use super::{Because, Class, Classified, Classifier, Importances, Lesson, Vote, Weeks};
use crate::workload::{JobId, Request, Seconds, Workload};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::rc::Rc;

/// From so many of the jobs that became known last `best` learns.
const LATEST: usize = 6_000;

/// A classifier that learns.
pub(super) struct Learned<'a> {
    mind: Rc<Mind<'a>>,
    /// What has happened, or will, and is not taken to heart yet: when, to whom, and the run time.
    ///
    /// Jobs that arrive know what came before their instant. And whoever is forked to find out when one job starts
    /// asks for no other, and so never needs a mind of its own.
    pending: BinaryHeap<Reverse<(Seconds, JobId, Seconds)>>,
}

/// All that is known.
#[derive(Clone)]
struct Mind<'a> {
    options: Options,
    workload: &'a Workload,
    weeks: Weeks,
    features: Vec<Feature>,
    categories: Rc<Categories>,
    dividers: Dividers,
    history: History,
    recent: Option<Recent>,
    /// Of the log, so many jobs are known; where that does not depend on the schedule.
    next: u32,
    /// The week for which is learned.
    week: usize,
    lesson: Option<Rc<Underway>>,
    model: Rc<Model>,
    importances: Vec<Importances>,
    values: Vec<f64>,
}

/// What has been learned.
enum Model {
    /// All were of one class, so many.
    OneClass(Class, u32),
    Forest(Forest),
    /// The mean of both.
    Both(Forest, Boosted),
}

/// Learning that has begun.
#[derive(Clone)]
struct Underway {
    table: Table,
    forest: Growing,
    boosting: Option<Boosting>,
    done: u32,
    of: u32,
}

impl<'a> Learned<'a> {
    pub(super) fn new(options: Options, workload: &'a Workload) -> Self {
        let is_best = options.by == By::Best;
        let kinds = if is_best { CATEGORIES.len() } else { 3 };
        let categories = Rc::new(Categories::of(workload, kinds));
        let features = feature::of(options.by);
        let mind = Mind {
            options,
            workload,
            weeks: Weeks::of(workload),
            values: vec![0.0; features.len()],
            features,
            dividers: Dividers::new(&options, workload),
            history: History::new(Rc::clone(&categories), options.labels),
            recent: is_best.then(|| Recent::new(Rc::clone(&categories))),
            categories,
            next: 0,
            week: 0,
            lesson: None,
            model: Rc::new(Model::OneClass(Class::Large, 0)),
            importances: Vec::new(),
        };
        Learned { mind: Rc::new(mind), pending: BinaryHeap::new() }
    }

    /// Takes to heart what has happened before `time`.
    fn hear(&mut self, time: Seconds) {
        let mind = Rc::make_mut(&mut self.mind);
        while let Some(&Reverse((when, job, run))) = self.pending.peek()
            && when < time
        {
            self.pending.pop();
            if run != LARGE {
                mind.dividers.completed(run, when);
            }
            mind.know(job, run, when);
        }
    }

    /// What is known when a week begins, and what is to be learned from it.
    fn begin(&mut self, week: usize) {
        self.hear(self.mind.weeks.begin(week));
        let mind = Rc::make_mut(&mut self.mind);
        if mind.options.known != Known::Online {
            mind.know_submitted_before(mind.weeks.begin(week));
        }
        mind.week = week;
        mind.history.divide(mind.dividers.of(week));
        mind.begin_lesson();
    }
}

impl Mind<'_> {
    fn know(&mut self, job: JobId, run: Seconds, now: Seconds) {
        if let Some(recent) = &mut self.recent
            && !(run == LARGE && self.history.run(job).is_some())
        {
            recent.know(job, now);
        }
        self.history.know(job, run);
    }

    /// Where it is known by its submission: who was submitted before `time`.
    fn know_submitted_before(&mut self, time: Seconds) {
        while let Some(request) = self.workload.requests().get(self.next as usize)
            && request.submit < time
        {
            self.know_next();
        }
    }

    fn know_next(&mut self) {
        let job = JobId(self.next);
        self.next += 1;
        self.know(job, self.workload.run(job), self.workload.request(job).submit);
    }

    /// Chooses what is learned from.
    fn begin_lesson(&mut self) {
        let known = self.history.known();
        let rows: Vec<JobId> = if self.options.by == By::Best {
            // what users do changes: the latest jobs say most, and fewer of them are learned from faster
            known[known.len().saturating_sub(LATEST)..].to_vec()
        } else if known.len() > MOST_ROWS {
            let mut random = Random::new(self.options.seed, self.week, Purpose::Sample);
            random.sample(MOST_ROWS, known.len()).into_iter().map(|place| known[place as usize]).collect()
        } else {
            known.to_vec()
        };
        let is_small: Vec<bool> = rows.iter().map(|&job| self.history.is_small(job)).collect();
        let small = is_small.iter().filter(|&&is_small| is_small).count();
        self.lesson = None;
        if small == 0 || small == rows.len() {
            let class = Class::small_if(small > 0);
            self.model = Rc::new(Model::OneClass(class, rows.len() as u32));
            return;
        }
        let mut values = Vec::with_capacity(rows.len());
        let columns = self.features.iter().map(|&feature| {
            values.clear();
            values.extend(rows.iter().map(|&job| self.value(feature, job)));
            Column::of(&values)
        });
        let table = Table { columns: columns.collect(), is_small };
        let Options { by, depth, trees, seed, .. } = self.options;
        let drawn = (table.columns.len() as f64).sqrt() as usize;
        let leaf = if by == By::Best { 2 } else { 1 };
        let forest = Growing::new(&table, Growth { depth, drawn, leaf }, trees, seed, self.week);
        let boosting = (by == By::Best).then(|| Boosting::new(&table, seed, self.week));
        let of = trees + boosting.as_ref().map_or(0, Boosting::rounds);
        self.lesson = Some(Rc::new(Underway { table, forest, boosting, done: 0, of }));
    }

    /// Goes on with a lesson; `None` where there is none.
    fn go_on(&mut self) -> Option<Lesson> {
        let underway = Rc::make_mut(self.lesson.as_mut()?);
        if !underway.forest.step(&underway.table)
            && let Some(boosting) = &mut underway.boosting
        {
            boosting.step(&underway.table);
        }
        underway.done += 1;
        let lesson = Lesson { week: self.week, done: underway.done, of: underway.of };
        if underway.done == underway.of {
            self.finish_lesson();
        }
        Some(lesson)
    }

    fn finish_lesson(&mut self) {
        // nobody else has it: whoever goes on with a lesson has one of his own
        let Some(underway) = self.lesson.take() else { return };
        let Underway { table, forest, boosting, .. } = Rc::unwrap_or_clone(underway);
        let forest = forest.finish();
        self.importances.push(Importances { week: self.week, rows: table.rows() as u32, gini: forest.importances() });
        self.model = Rc::new(match boosting {
            Some(boosting) => Model::Both(forest, boosting.finish()),
            None => Model::Forest(forest),
        });
    }

    /// A feature of a job that was submitted.
    fn value(&self, feature: Feature, job: JobId) -> f64 {
        let request = self.workload.request(job);
        let facts = &self.categories.facts[job.index()];
        // there is no feature of recent run times without them
        let recent =
            |of: fn(&Recent, JobId) -> i32| self.recent.as_ref().map_or(-1.0, |recent| f64::from(of(recent, job)));
        match feature {
            Feature::Limit => facts.limit as f64,
            Feature::Width => f64::from(request.processors),
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
            Feature::User => f64::from(request.user),
            Feature::Group => f64::from(request.group),
            Feature::Executable => f64::from(request.executable),
            Feature::Area if facts.limit < 0 => -1.0,
            Feature::Area => facts.limit as f64 * f64::from(request.processors),
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

    /// What the model says of a job.
    fn judge(&mut self, job: JobId) -> (Class, Because) {
        let model = Rc::clone(&self.model);
        if let Model::OneClass(class, rows) = *model {
            return (class, Because::OneClass(rows));
        }
        for place in 0..self.features.len() {
            self.values[place] = self.value(self.features[place], job);
        }
        let (forest, boosted) = match &*model {
            Model::Both(forest, boosted) => (forest, Some(boosted)),
            Model::Forest(forest) => (forest, None),
            Model::OneClass(class, rows) => return (*class, Because::OneClass(*rows)),
        };
        let (vote, trees_for) = forest.vote(&self.values);
        let small = boosted.map_or(vote, |boosted| (vote + boosted.vote(&self.values)) / 2.0);
        let same = self.history.lately(job, Category::UserLimit.place());
        let vote = Vote { small, trees_for, trees: forest.trees.len() as u32, same };
        (Class::small_if(small > self.options.threshold), Because::Vote(vote))
    }
}

impl Classifier for Learned<'_> {
    fn learn(&mut self, now: Seconds) -> Option<Lesson> {
        let week = self.mind.weeks.week(now);
        if week > self.mind.week {
            self.begin(week);
        } else if self.mind.lesson.is_none() {
            return None;
        }
        Rc::make_mut(&mut self.mind).go_on()
    }

    fn classify(&mut self, job: JobId, _: &Request, now: Seconds) -> Classified {
        while self.learn(now).is_some() {}
        self.hear(now);
        let mind = Rc::make_mut(&mut self.mind);
        if mind.options.known == Known::Ahead {
            while mind.next < job.0 {
                mind.know_next();
            }
        }
        mind.history.count();
        let divider = mind.dividers.of(mind.week);
        mind.history.submitted(job, divider);
        if let Some(recent) = &mut mind.recent {
            recent.submitted(job, mind.workload, &mind.history);
        }
        let (class, because) = match divider {
            None => (Class::Large, Because::NoDivider),
            Some(0) => (Class::Large, Because::ZeroDivider),
            Some(_) => mind.judge(job),
        };
        Classified { class, divider, because }
    }

    fn started(&mut self, job: JobId, now: Seconds) {
        if self.mind.options.is_early()
            && let Some(divider) = self.mind.history.divider_of(job)
        {
            self.pending.push(Reverse((now + divider, job, LARGE)));
        }
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, now: Seconds) {
        if self.mind.options.known == Known::Online {
            self.pending.push(Reverse((now, job, run)));
        }
    }

    fn importances(&self) -> &[Importances] {
        &self.mind.importances
    }

    fn features(&self) -> &[Feature] {
        &self.mind.features
    }

    fn fork<'b>(&self) -> Box<dyn Classifier + 'b>
    where
        Self: 'b,
    {
        Box::new(Learned { mind: Rc::clone(&self.mind), pending: self.pending.clone() })
    }
}

#[cfg(test)]
#[path = "learned_tests.rs"]
mod tests;
