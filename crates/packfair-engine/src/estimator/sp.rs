//! The run time that a similar job exceeds with a small probability (METRICS "SP-x%").
//!
//! The estimate is a quantile with decaying weights, kept incrementally. METRICS derives it from Kaplan-Meier, but its
//! published program ignores running jobs, weighs each run by its length, and starts from one observation of L. This is
//! that program's method; [`super::survival`] is the method that the text describes.

use super::{Estimator, EstimatorImplementation, Explanation, Listing, Quantity, Revision, note_each, within};
use packfair_base::catalogue::{Entry, Kind, Parameter, Settings};
use packfair_workload::{JobId, Request, Seconds, Similarity};

/// The method's entry in the catalogue.
pub const FAMILY: EstimatorImplementation = EstimatorImplementation {
    entry: Entry {
        id: "sp",
        name: "SP",
        help: "the run time that x % of the work in jobs of the same executable, user, L and width outlives",
        source: "METRICS §VI",
        parameters: &[
            EXCEEDED,
            DECAY,
            Parameter {
                id: "start",
                name: "Start weight",
                help: "how much the requested time counts at first, beside 1 for a completed job",
                kind: Kind::Real { min: 0.001, max: 10.0, default: 0.1, unit: "" },
            },
        ],
    },
    learns: true,
    build: |settings, workload| Box::new(Sp::new(settings, workload.similarity())),
};

/// The probability with which estimates are exceeded.
pub(super) const EXCEEDED: Parameter = Parameter {
    id: "x",
    name: "Exceeded with probability",
    help: "how likely a job is to outlive its estimate",
    kind: Kind::Real { min: 0.1, max: 99.0, default: 2.0, unit: "%" },
};

/// The decay of observations within a group.
pub(super) const DECAY: Parameter = Parameter {
    id: "decay",
    name: "Decay",
    help: "share of its weight that a job loses with each later one of its group",
    kind: Kind::Real { min: 0.0, max: 0.99, default: 0.1, unit: "" },
};

/// Most run times that an explanation shows.
const MOST_SHOWN: usize = 9;

#[derive(Clone)]
struct Sp<'a> {
    rule: SmoothingRule,
    similarity: &'a Similarity,
    estimates: Vec<f64>,
    /// The record of each class of jobs; `None` before its first job has completed.
    records: Vec<Option<ClassRecord>>,
}

/// The settings, which are the same for all classes.
#[derive(Clone, Copy, Debug)]
struct SmoothingRule {
    /// The share of the weight that must be at or below the threshold.
    confidence: f64,
    /// The factor by which a weight decays with each further job.
    keep: f64,
    /// The initial weight of the requested time, in completed jobs.
    start: f64,
}

/// The weighted run times of a class, and its threshold.
#[derive(Clone, Debug)]
struct ClassRecord {
    /// The run times with their weights, sorted by run time.
    points: Vec<Point>,
    /// The index of the threshold among the points.
    place: usize,
    /// The weight above the threshold.
    over: f64,
    /// The weight up to the threshold, which is included.
    under: f64,
    count: u32,
}

/// A run time and its weight when it was last brought up to date.
#[derive(Clone, Copy, Debug)]
struct Point {
    run: Seconds,
    weight: f64,
    /// The count of completed jobs at that time.
    stamp: u32,
}

impl<'a> Sp<'a> {
    fn new(settings: &Settings, similarity: &'a Similarity) -> Self {
        let rule = SmoothingRule {
            // As a difference of whole numbers, where x is one: exactly 0.98, 0.97, 0.96.
            confidence: (100.0 - settings.real("x")) / 100.0,
            keep: 1.0 - settings.real("decay"),
            start: settings.real("start"),
        };
        // Before anything is known, the estimate is the requested time.
        let estimates = (0..similarity.classes()).map(|class| similarity.limit(class) as f64).collect();
        Sp {
            rule,
            similarity,
            estimates,
            records: std::iter::repeat_with(|| None).take(similarity.classes()).collect(),
        }
    }
}

impl ClassRecord {
    fn new(limit: Seconds, rule: SmoothingRule) -> Self {
        let first = Point { run: limit, weight: rule.start * limit as f64, stamp: 0 };
        // The program starts with 1 below the threshold, not with the first point's weight.
        ClassRecord { points: vec![first], place: 0, over: 0.0, under: 1.0, count: 0 }
    }

    fn threshold(&self) -> Seconds {
        self.points[self.place].run
    }

    /// The run times around the threshold, shortest first, with their present weights.
    fn listing(&self, rule: SmoothingRule) -> Listing {
        let first = self.place.saturating_sub(MOST_SHOWN / 2).min(self.points.len().saturating_sub(MOST_SHOWN));
        let places = first..self.points.len().min(first + MOST_SHOWN);
        let row =
            |place: usize| vec![Quantity::seconds(self.points[place].run), Quantity::Number(self.weight(place, rule))];
        Listing {
            title: format!("Run times seen ({} different ones; those around the threshold)", self.points.len()),
            headings: ["Run time", "Weight after decay"].map(str::to_owned).to_vec(),
            used: Some(self.place - first),
            rows: places.map(row).collect(),
        }
    }

    fn learn(&mut self, run: Seconds, rule: SmoothingRule) {
        let threshold = self.threshold();
        self.observe(run, rule);
        self.over *= rule.keep;
        self.under *= rule.keep;
        if run > threshold {
            self.over += run as f64;
            self.raise(rule);
        } else {
            self.under += run as f64;
            if run < threshold {
                self.lower(rule);
            }
        }
        self.count += 1;
    }

    /// Adds a run to the points; the threshold stays with its point.
    fn observe(&mut self, run: Seconds, rule: SmoothingRule) {
        let seen = Point { run, weight: run as f64, stamp: self.count };
        match self.points.binary_search_by_key(&run, |point| point.run) {
            Ok(place) => {
                let old = self.weight(place, rule);
                self.points[place] = Point { weight: seen.weight + old, ..seen };
            }
            Err(place) => {
                self.points.insert(place, seen);
                self.place += usize::from(place <= self.place);
            }
        }
    }

    /// Raises the threshold while too little weight is up to it.
    fn raise(&mut self, rule: SmoothingRule) {
        while self.under / (self.under + self.over) <= rule.confidence && self.place + 1 < self.points.len() {
            self.place += 1;
            let weight = self.refresh(rule);
            self.under += weight;
            self.over -= weight;
            if self.place == self.count as usize + 1 {
                self.over = 0.0; // nothing is above the last point, whatever rounding left
            }
        }
    }

    /// Lowers the threshold while enough weight stays up to it.
    fn lower(&mut self, rule: SmoothingRule) {
        let mut weight = self.refresh(rule);
        while (self.under - weight) / (self.under + self.over) > rule.confidence && self.place > 0 {
            self.under -= weight;
            self.over += weight;
            self.place -= 1;
            weight = self.refresh(rule);
            if self.place == 0 {
                self.under = weight; // likewise
            }
        }
    }

    /// Brings the weight of the threshold's point up to date, and gives it.
    fn refresh(&mut self, rule: SmoothingRule) -> f64 {
        let weight = self.weight(self.place, rule);
        let point = &mut self.points[self.place];
        (point.weight, point.stamp) = (weight, self.count);
        weight
    }

    /// The present weight of a point.
    fn weight(&self, place: usize, rule: SmoothingRule) -> f64 {
        let Point { weight, stamp, .. } = self.points[place];
        weight * libm::pow(rule.keep, f64::from(self.count - stamp))
    }
}

impl Estimator for Sp<'_> {
    fn estimate(&mut self, job: JobId, _: &Request, _: Seconds) -> f64 {
        self.estimates[self.similarity.class(job)]
    }

    fn revision(&self) -> Revision {
        Revision::AfterCompletions
    }

    fn revise(&mut self, waiting: &[JobId], _: Seconds, estimates: &mut [f64]) -> bool {
        note_each(waiting, estimates, |job| self.estimates[self.similarity.class(job)])
    }

    fn completed(&mut self, job: JobId, _: &Request, run: Seconds, _: Seconds) {
        let class = self.similarity.class(job);
        let (limit, rule) = (self.similarity.limit(class), self.rule);
        let record = self.records[class].get_or_insert_with(|| ClassRecord::new(limit, rule));
        record.learn(run, rule);
        self.estimates[class] = within(record.threshold() as f64, limit);
    }

    fn explain(&self, job: JobId, request: &Request, _: Seconds) -> Explanation {
        let Some(record) = &self.records[self.similarity.class(job)] else {
            return Explanation::in_words(
                "No job of the same executable, user, requested time and width has completed: the requested time is taken.",
            );
        };
        let threshold = record.threshold();
        let how = format!(
            "Of the decayed work in completed jobs of the same executable, user, requested time and width, at most {} % \
             is in jobs that ran longer than the threshold. (The program's sums are kept step by step, and only follow \
             that rule when a job completes.)",
            100.0 - 100.0 * self.rule.confidence
        );
        Explanation { how, facts: Vec::new(), listing: Some(record.listing(self.rule)) }
            .with("Threshold", Quantity::seconds(threshold))
            .with("Completed jobs of the group", Quantity::Count(f64::from(record.count)))
            .with("Work above the threshold", Quantity::Share(record.over / (record.over + record.under)))
            .capped(threshold as f64, request.limit)
    }

    fn fork<'b>(&self) -> Box<dyn Estimator + 'b>
    where
        Self: 'b,
    {
        Box::new(self.clone())
    }
}

#[cfg(test)]
mod tests {
    use super::super::testing::{Learner, request};
    use packfair_workload::Request;

    #[test]
    fn the_estimate_falls_to_the_longest_of_the_recent_runs() {
        let mut learner = Learner::new("sp2");
        assert_eq!(learner.run(&request(), 100), 1_000.0, "nothing is known");
        // Below: 0.9 * 1 + 100 = 100.9. The first point weighs 100: (100.9 - 100) / 100.9 is not above 0.98.
        assert_eq!(learner.estimate(&request()), 1_000.0);
        // L weighs 100 * 0.9^k after k more jobs, and those of 400 s nearly 4,000 in the end.
        for _ in 0..60 {
            learner.run(&request(), 400);
        }
        assert_eq!(learner.estimate(&request()), 400.0);
        assert_eq!(learner.run(&Request { user: 7, ..request() }, 1), 1_000.0, "another group");
        assert_eq!(learner.run(&request(), 700), 400.0);
        assert_eq!(learner.estimate(&request()), 700.0, "700 of some 4,300 is more than 2 %");
    }

    #[test]
    fn a_larger_x_gives_way_earlier() {
        let estimate = |method: &str| {
            let mut learner = Learner::new(method);
            for run in [500].into_iter().chain([100; 40]) {
                learner.run(&request(), run);
            }
            learner.estimate(&request())
        };
        // The job of 500 s weighs 500 * 0.9^40 = 7.4 of about 1,000, and L a fifth of that.
        assert_eq!(estimate("sp:x=0.1"), 1_000.0);
        assert_eq!(estimate("sp:x=0.6"), 500.0);
        assert_eq!(estimate("sp2"), 100.0);
    }
}
