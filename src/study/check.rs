//! What a study must fulfil before it is run.

pub use super::limits::{
    ALPHA_RANGE, BOUND_RANGE, GENERATED_PROCESSORS, GENERATED_RANGE, MOST_RUNS, NORM_RANGE, PROCESSOR_RANGE,
    REPEAT_RANGE, SHRINK_RANGE,
};

use super::limits::{LONGEST_NAME, MOST_COLUMNS, MOST_NAMED, MOST_REPEATED, TIME_RANGE};
use super::{Baseline, Generated, Source, Study};
use crate::estimator::K_RANGE;
use crate::workload::printable;
use std::fmt;
use std::ops::RangeInclusive;

/// A setting that a [`Problem`] is about, so that a form can show it beside the field.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Setting {
    /// The generator's parameters.
    Source,
    /// The filter of jobs.
    Filter,
    /// Machine size R.
    Processors,
    /// The jobs made like the log's.
    Likeness,
    /// Shrinking factor.
    Shrink,
    /// Schedulers.
    Schedulers,
    /// Estimation methods.
    Methods,
    /// Distortion factors k.
    Distortions,
    /// Bound of the bounded slowdown.
    BsldBound,
    /// Exponent a of PᵃSF.
    Alpha,
    /// p of the l_p norm.
    Norm,
    /// Bound of the width-weighted slowdown.
    SldwwBound,
    /// The table's columns.
    Columns,
    /// What values are compared with.
    Baseline,
    /// The product of schedulers, methods and factors.
    Runs,
    /// Repeats on further workloads.
    Repeats,
}

/// Something that keeps a study from being run; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Where.
    pub setting: Setting,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The problems found so far.
#[derive(Default)]
struct Findings(Vec<Problem>);

impl Findings {
    fn add(&mut self, setting: Setting, message: impl Into<String>) {
        self.0.push(Problem { setting, message: message.into() });
    }

    fn require(&mut self, fine: bool, setting: Setting, message: impl Into<String>) {
        if !fine {
            self.add(setting, message);
        }
    }

    /// `value` must lie in `range`; NaN never does.
    fn within<T>(&mut self, setting: Setting, what: &str, value: T, range: &RangeInclusive<T>)
    where
        T: PartialOrd + fmt::Display,
    {
        if !range.contains(&value) {
            let (from, to) = (range.start(), range.end());
            self.add(setting, format!("{what} is {value}; it must be from {from} to {to}"));
        }
    }

    /// A list has `length` entries, of which there may be so many.
    fn at_most(&mut self, setting: Setting, what: &str, length: usize, most: usize) {
        if length > most {
            self.add(setting, format!("{length} {what} are too many; there may be {most}"));
        }
    }
}

impl Study {
    /// The study as it can be run: each list without repeats, all within the limits. What comes from outside (files,
    /// links, the command line, a browser's storage) comes in through here.
    ///
    /// # Errors
    /// As [`Study::check`].
    pub fn checked(self) -> Result<Self, Vec<Problem>> {
        let mut study = self.without_repeats();
        if let Source::Trace { name, .. } = &mut study.source {
            *name = printable(name);
        }
        for partition in &mut study.partitions {
            partition.name = printable(&partition.name);
        }
        study.check()?;
        Ok(study)
    }

    /// Whether the study can be run.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with what would be right.
    pub fn check(&self) -> Result<(), Vec<Problem>> {
        let mut findings = Findings::default();
        self.check_workload(&mut findings);
        self.check_runs(&mut findings);
        self.check_measure(&mut findings);
        self.check_repeats(&mut findings);
        if findings.0.is_empty() { Ok(()) } else { Err(findings.0) }
    }

    fn check_workload(&self, findings: &mut Findings) {
        if let Source::Generated(Generated::Lublin { jobs, processors, .. }) = &self.source {
            findings.within(Setting::Source, "the number of jobs to generate", *jobs, &GENERATED_RANGE);
            findings.within(Setting::Source, "the size of the generated machine", *processors, &GENERATED_PROCESSORS);
        }
        if let Source::Trace { name, .. } = &self.source {
            let length = name.chars().count();
            let message = format!("the log's name has {length} characters; it may have {LONGEST_NAME}");
            findings.require(length <= LONGEST_NAME, Setting::Source, message);
        }
        let treatment = &self.treatment;
        let filter = &treatment.filter;
        findings.at_most(Setting::Filter, "users in the filter", filter.users.len(), MOST_NAMED);
        findings.at_most(Setting::Filter, "queues in the filter", filter.queues.len(), MOST_NAMED);
        findings.at_most(Setting::Filter, "partitions in the filter", filter.partitions.len(), MOST_NAMED);
        for time in filter.from.into_iter().chain(filter.until) {
            findings.within(Setting::Filter, "a time of the filter", time, &TIME_RANGE);
        }
        findings.within(Setting::Shrink, "the shrinking factor", treatment.shrink, &SHRINK_RANGE);
        if let Some(likeness) = &treatment.like {
            findings.within(Setting::Likeness, "the number of jobs to make", likeness.jobs, &GENERATED_RANGE);
            if let Err(error) = likeness.arrivals.check() {
                findings.add(Setting::Likeness, error.to_string());
            }
        }
        if let Some(length) = self.partitions.iter().map(|p| p.name.chars().count()).find(|&l| l > LONGEST_NAME) {
            let message = format!("a partition's name has {length} characters; it may have {LONGEST_NAME}");
            findings.add(Setting::Filter, message);
        }
        for processors in treatment.processors.into_iter().chain(self.partitions.iter().filter_map(|of| of.processors))
        {
            findings.within(Setting::Processors, "the machine's size", processors, &PROCESSOR_RANGE);
        }
        if let (Some(from), Some(until)) = (filter.from, filter.until) {
            let message = format!("the filter takes jobs from {from} s until {until} s, which is no time at all");
            findings.require(from < until, Setting::Filter, message);
        }
    }

    fn check_runs(&self, findings: &mut Findings) {
        let nothing = |what: &str| format!("no {what} is chosen; choose at least one");
        findings.require(!self.schedulers.is_empty(), Setting::Schedulers, nothing("scheduler"));
        findings.require(!self.methods.is_empty(), Setting::Methods, nothing("estimator"));
        findings.require(!self.distortions.is_empty(), Setting::Distortions, "no factor k is given; 1 changes nothing");
        if let Some(&k) = self.distortions.iter().find(|k| !K_RANGE.contains(k)) {
            findings.within(Setting::Distortions, "a factor k", k, &K_RANGE);
        }
        let run_of_baseline = match &self.baseline {
            Baseline::Run(run) => run.shrink,
            _ => None,
        };
        let further = self.shrinks.iter().chain(self.removed.iter().filter_map(|run| run.shrink.as_ref()));
        if let Some(&factor) = further.chain(&run_of_baseline).find(|factor| !SHRINK_RANGE.contains(factor)) {
            findings.within(Setting::Shrink, "a shrinking factor", factor, &SHRINK_RANGE);
        }
        if let Baseline::Run(run) = &self.baseline {
            findings.within(Setting::Baseline, "the baseline's factor k", run.estimate.k, &K_RANGE);
        }
        if let Baseline::Estimate(estimate) = &self.baseline {
            findings.within(Setting::Baseline, "the baseline's factor k", estimate.k, &K_RANGE);
        }
        findings.at_most(Setting::Runs, "runs taken out of the study", self.removed.len(), MOST_RUNS);
        let lists = [self.schedulers.len(), self.methods.len(), self.distortions.len(), 1 + self.shrinks.len()];
        let partitions = self.partitions.len().max(1);
        let product = lists.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
        let product = product.and_then(|product| product.checked_mul(partitions));
        match product {
            Some(product) if product <= MOST_RUNS && self.removed.len() <= MOST_RUNS => {
                let none_left = product > 0 && self.runs().is_empty();
                findings.require(!none_left, Setting::Runs, "every run of the study was taken out of it");
            }
            Some(product) if product <= MOST_RUNS => {}
            _ => findings.add(
                Setting::Runs,
                format!(
                    "{} schedulers x {} estimators x {} factors k x {} shrinking factors are more than {MOST_RUNS} runs; \
                     take fewer",
                    lists[0], lists[1], lists[2], lists[3]
                ),
            ),
        }
    }

    fn check_repeats(&self, findings: &mut Findings) {
        let Some(repeats) = &self.repeats else { return };
        findings.within(Setting::Repeats, "the number of repeats", repeats.count, &REPEAT_RANGE);
        // where there are too many runs, that was said
        if findings.0.is_empty() {
            let (runs, count) = (self.runs().len(), repeats.count as usize);
            let message = format!("{runs} runs x {count} repeats are more than {MOST_REPEATED}; take fewer");
            findings.require(runs.saturating_mul(count) <= MOST_REPEATED, Setting::Repeats, message);
        }
    }

    fn check_measure(&self, findings: &mut Findings) {
        let measure = &self.measure;
        findings.within(Setting::BsldBound, "the bound of BSLD", measure.bsld_bound, &BOUND_RANGE);
        findings.within(Setting::Alpha, "the exponent a", measure.alpha, &ALPHA_RANGE);
        findings.within(Setting::Norm, "p of the l_p norm", measure.norm, &NORM_RANGE);
        findings.within(Setting::SldwwBound, "the bound of SLDwW", measure.sldww_bound, &BOUND_RANGE);
        findings.require(!self.columns.is_empty(), Setting::Columns, "no metric is chosen; choose at least one");
        findings.at_most(Setting::Columns, "columns", self.columns.len(), MOST_COLUMNS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;
    use crate::study::RunPartition;
    use crate::study::sureness::Repeats;

    fn settings_of(change: impl FnOnce(&mut Study)) -> Vec<Setting> {
        let mut study = Study::first_visit();
        change(&mut study);
        study.check().err().unwrap_or_default().into_iter().map(|problem| problem.setting).collect()
    }

    #[test]
    fn the_first_visit_s_study_is_fine() {
        assert_eq!(Study::first_visit().check(), Ok(()));
    }

    #[test]
    fn each_setting_out_of_range_is_found() {
        assert_eq!(settings_of(|s| s.distortions = vec![1.0, 20.0]), [Setting::Distortions]);
        assert_eq!(settings_of(|s| s.distortions = vec![f64::NAN]), [Setting::Distortions]);
        assert_eq!(settings_of(|s| s.treatment.shrink = 0.0), [Setting::Shrink]);
        assert_eq!(settings_of(|s| s.shrinks = vec![0.9, -0.5]), [Setting::Shrink]);
        assert_eq!(settings_of(|s| s.shrinks = vec![f64::NAN]), [Setting::Shrink]);
        assert_eq!(settings_of(|s| s.treatment.processors = Some(0)), [Setting::Processors]);
        assert_eq!(settings_of(|s| s.measure.alpha = -1.0), [Setting::Alpha]);
        assert_eq!(settings_of(|s| s.measure.bsld_bound = 0.0), [Setting::BsldBound]);
        assert_eq!(settings_of(|s| s.measure.norm = f64::INFINITY), [Setting::Norm]);
        assert_eq!(settings_of(|s| s.schedulers.clear()), [Setting::Schedulers]);
        assert_eq!(settings_of(|s| s.columns.clear()), [Setting::Columns]);
        assert_eq!(settings_of(|s| s.removed = s.runs()), [Setting::Runs]);
        for count in [0, 1, 10_001, u32::MAX] {
            assert_eq!(settings_of(|s| s.repeats = Some(Repeats::of(count))), [Setting::Repeats], "{count}");
        }
        let mut study = Study::first_visit();
        study.distortions = (0..200).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        study.repeats = Some(Repeats::of(10_000));
        assert_eq!(
            study.check().unwrap_err()[0].to_string(),
            "1600 runs x 10000 repeats are more than 1000000; take fewer"
        );
    }

    #[test]
    fn too_many_runs_are_refused_without_making_them() {
        let many = |s: &mut Study| s.distortions = vec![1.0; 10_000_000];
        assert_eq!(settings_of(many), [Setting::Runs]);
    }

    #[test]
    fn each_list_that_is_too_long_is_found_and_its_limit_named() {
        assert_eq!(settings_of(|s| s.columns = vec![Metric::Af; MOST_COLUMNS + 1]), [Setting::Columns]);
        assert_eq!(settings_of(|s| s.removed = vec![s.runs()[0].clone(); MOST_RUNS + 1]), [Setting::Runs]);
        let numbers: Vec<i32> = (0..=MOST_NAMED as i32).collect();
        assert_eq!(settings_of(|s| s.treatment.filter.users = numbers.clone()), [Setting::Filter]);
        assert_eq!(settings_of(|s| s.treatment.filter.queues = numbers.clone()), [Setting::Filter]);
        assert_eq!(settings_of(|s| s.treatment.filter.partitions = numbers.clone()), [Setting::Filter]);
        assert_eq!(settings_of(|s| s.treatment.filter.from = Some(i64::MIN)), [Setting::Filter]);
        assert_eq!(settings_of(|s| s.treatment.filter.until = Some(i64::MAX)), [Setting::Filter]);
        let named = |name: String| Source::Trace { name, fingerprint: crate::workload::Fingerprint(1) };
        assert_eq!(settings_of(|s| s.source = named("x".repeat(LONGEST_NAME + 1))), [Setting::Source]);
        let partition = RunPartition { number: 1, name: "x".repeat(LONGEST_NAME + 1), processors: None };
        assert_eq!(settings_of(|s| s.partitions = vec![partition.clone()]), [Setting::Filter]);
        let mut study = Study::first_visit();
        study.treatment.filter.users = numbers;
        let said = study.checked().unwrap_err()[0].to_string();
        assert_eq!(said, "10001 users in the filter are too many; there may be 10000");
    }

    #[test]
    fn repeats_are_not_too_many() {
        let mut study = Study::first_visit();
        study.columns = vec![Metric::Af; 300_000];
        assert_eq!(study.checked().unwrap().columns, [Metric::Af]);
    }

    #[test]
    fn messages_say_what_would_be_right() {
        let mut study = Study::first_visit();
        study.distortions = vec![12.5];
        let problems = study.check().unwrap_err();
        assert_eq!(problems[0].to_string(), "a factor k is 12.5; it must be from 0.1 to 10");
    }
}
