//! What must hold for a study before it is run.

pub use super::limits::{GENERATED_PROCESSORS, GENERATED_RANGE, MOST_RUNS, PROCESSOR_RANGE, SHRINK_RANGE, USERS_RANGE};

use super::limits::{LONGEST_NAME, MOST_COLUMNS, MOST_MACHINES, MOST_NAMED, MOST_REPEATED, TIME_RANGE, WEIGHT_RANGE};
use super::settings::{Kind, Setting};
use super::{Baseline, Generated, Source, Study};
use packfair_base::machine::{MOST_CHANGES, MachineDescription, WhatIf};
use packfair_engine::estimator::K_RANGE;
use packfair_workload::printable;
use std::fmt;
use std::ops::RangeInclusive;

/// A reason why a study cannot be run; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The id of the [`Setting`] beside whose field the message is shown, or the part of the study that it is about.
    pub setting: &'static str,
    /// What is wrong, and what would be right.
    pub message: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

#[derive(Default)]
struct StudyProblems(Vec<Problem>);

impl StudyProblems {
    fn add(&mut self, setting: &'static str, message: impl Into<String>) {
        self.0.push(Problem { setting, message: message.into() });
    }

    fn require(&mut self, fine: bool, setting: &'static str, message: impl Into<String>) {
        if !fine {
            self.add(setting, message);
        }
    }

    /// Reports a problem unless `value` lies in `range`; NaN lies in no range.
    fn within<T>(&mut self, setting: &'static str, what: &str, value: T, range: &RangeInclusive<T>)
    where
        T: PartialOrd + fmt::Display,
    {
        if !range.contains(&value) {
            let (from, to) = (range.start(), range.end());
            self.add(setting, format!("{what} is {value}; it must be from {from} to {to}"));
        }
    }

    /// Reports a problem where a list's `length` is above `most`.
    fn at_most(&mut self, setting: &'static str, what: &str, length: usize, most: usize) {
        if length > most {
            self.add(setting, format!("{length} {what} are too many; there may be {most}"));
        }
    }
}

impl Study {
    /// The study as it can be run: each list without repeats, and everything within the limits. Everything from outside
    /// (files, links, the command line, a browser's storage) goes through this function.
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
        study.row_names = study.row_names.plain();
        study.check()?;
        Ok(study)
    }

    /// Checks that the study can be run.
    ///
    /// # Errors
    /// Everything that is wrong with it, each with what would be right.
    pub fn check(&self) -> Result<(), Vec<Problem>> {
        let mut findings = StudyProblems::default();
        self.check_settings(&mut findings);
        self.check_workload(&mut findings);
        self.check_runs(&mut findings);
        self.check_columns(&mut findings);
        self.check_repeats(&mut findings);
        if findings.0.is_empty() { Ok(()) } else { Err(findings.0) }
    }

    fn check_settings(&self, findings: &mut StudyProblems) {
        for Setting { id, what, kind, .. } in Setting::all() {
            match kind {
                Kind::Whole { range, get, .. } => {
                    get(self).into_iter().for_each(|number| findings.within(id, what, number, range));
                }
                Kind::Real { range, get, .. } => {
                    get(self).into_iter().for_each(|number| findings.within(id, what, number, range));
                }
                Kind::Reals { range, get, .. } => {
                    // One wrong number is reported, not all.
                    let wrong = get(self).into_iter().enumerate().find(|(_, number)| !range.contains(number));
                    wrong.into_iter().for_each(|(place, number)| {
                        let which = if place == 0 { "the" } else { "a" };
                        findings.within(id, &format!("{which} {what}"), number, range);
                    });
                }
                Kind::Moment { get, .. } => {
                    get(self).into_iter().for_each(|time| findings.within(id, what, time, &TIME_RANGE));
                }
                Kind::Span { range, get, .. } => {
                    get(self).into_iter().for_each(|span| findings.within(id, what, span, range));
                }
                Kind::Members { get, .. } => findings.at_most(id, what, get(self).len(), MOST_NAMED),
                Kind::Weights { get, .. } => {
                    findings.at_most(id, what, get(self).len(), MOST_NAMED);
                    let wrong = get(self).iter().find(|of| !WEIGHT_RANGE.contains(&of.weight));
                    wrong.into_iter().for_each(|of| {
                        findings.within(id, &format!("the weight of {}", of.group), of.weight, &WEIGHT_RANGE);
                    });
                }
                // These settings allow any value.
                Kind::Choice { .. }
                | Kind::Switch { .. }
                | Kind::Seed { .. }
                | Kind::Group { .. }
                | Kind::WhatIfs { .. } => {}
            }
        }
    }

    fn check_workload(&self, findings: &mut StudyProblems) {
        if let Source::Generated(Generated::Lublin { jobs, processors, .. }) = &self.source {
            findings.within("source", "the number of jobs to generate", *jobs, &GENERATED_RANGE);
            findings.within("source", "the size of the generated machine", *processors, &GENERATED_PROCESSORS);
        }
        if let Source::Trace { name, .. } = &self.source {
            let length = name.chars().count();
            let message = format!("the log's name has {length} characters; it may have {LONGEST_NAME}");
            findings.require(length <= LONGEST_NAME, "source", message);
        }
        self.check_machine(findings);
        if let Some(length) = self.partitions.iter().map(|p| p.name.chars().count()).find(|&l| l > LONGEST_NAME) {
            let message = format!("a partition's name has {length} characters; it may have {LONGEST_NAME}");
            findings.add("each-partition", message);
        }
        for processors in self.partitions.iter().filter_map(|of| of.processors) {
            findings.within("processors", "the machine's size", processors, &PROCESSOR_RANGE);
        }
        let treatment = &self.treatment;
        findings.require(
            treatment.announced.is_none() || !treatment.site.is_empty() || treatment.machine.is_some(),
            "announced",
            "there are no files of a Slurm site, so no reservations that could be known",
        );
        if let Some(widest) = self.treatment.split {
            findings.within("split-width", "the width of the widest job", widest, &PROCESSOR_RANGE);
        }
        let filter = &self.treatment.filter;
        if let (Some(from), Some(until)) = (filter.from, filter.until) {
            let message = format!("the filter takes jobs from {from} s until {until} s, which is no time at all");
            findings.require(from < until, "until", message);
        }
    }

    /// Checks what can be known about a machine without its log: the log's clock is needed to read dates.
    fn check_machine(&self, findings: &mut StudyProblems) {
        let described = self.treatment.machine.as_deref();
        if let Some(described) = described {
            let without_changes = MachineDescription { changes: Vec::new(), ..described.clone() };
            let no_date = |_: &str| Err(String::new());
            if !described.cells.is_empty()
                && let Err(error) = without_changes.machine(no_date)
            {
                findings.add("machine", error.to_string());
            }
            findings.at_most("machine", "changes of the machine", described.changes.len(), MOST_CHANGES);
            findings.require(
                described.cells.is_empty() || self.treatment.processors.is_none(),
                "processors",
                "the machine's cells say how many processors there are; leave the machine's size out",
            );
            findings.require(
                !described.cells.is_empty() || described.changes.is_empty() || self.partitions.is_empty(),
                "each-partition",
                "which partition loses nodes when the whole machine does is not known; describe its cells, or take \
                 partitions together",
            );
        }
        findings.at_most("machine-plus", "machines", 1 + self.what_ifs.len(), MOST_MACHINES);
        let series = [&self.measure.prices, &self.measure.intensity];
        findings.require(
            series.into_iter().flatten().all(|series| series.is_sound()),
            "machine",
            "the prices or the carbon intensities are no series of numbers in the order of time",
        );
        let names = described.map(MachineDescription::names).unwrap_or_default();
        let strange =
            "a name in the machine has signs that cannot be shown; write it with letters, digits and the like";
        findings.require(names.iter().all(|name| printable(name) == *name), "machine", strange);
        let is_shown = |what_if: &WhatIf| printable(&what_if.to_string()) == what_if.to_string();
        findings.require(self.what_ifs.iter().all(is_shown), "machine-plus", strange);
    }

    fn check_runs(&self, findings: &mut StudyProblems) {
        let nothing = |what: &str| format!("no {what} is chosen; choose at least one");
        findings.require(!self.schedulers.is_empty(), "schedulers", nothing("scheduler"));
        findings.require(!self.methods.is_empty(), "methods", nothing("estimator"));
        findings.require(!self.distortions.is_empty(), "distortions", "no factor k is given; 1 changes nothing");
        if let Some(&k) = self.distortions.iter().find(|k| !K_RANGE.contains(k)) {
            findings.within("distortions", "a factor k", k, &K_RANGE);
        }
        let run_of_baseline = match &self.baseline {
            Baseline::Run(run) => run.shrink,
            _ => None,
        };
        let of_runs = self.removed.iter().filter_map(|run| run.shrink.as_ref()).chain(&run_of_baseline);
        if let Some(&factor) = of_runs.into_iter().find(|factor| !SHRINK_RANGE.contains(factor)) {
            findings.within("shrink", "a shrinking factor", factor, &SHRINK_RANGE);
        }
        let users_of_baseline = match &self.baseline {
            Baseline::Run(run) => run.users,
            _ => None,
        };
        let of_runs = self.removed.iter().filter_map(|run| run.users).chain(users_of_baseline);
        if let Some(factor) = of_runs.into_iter().find(|factor| !USERS_RANGE.contains(factor)) {
            findings.within("more-users", "a multiple of users", factor, &USERS_RANGE);
        }
        if let Baseline::Run(run) = &self.baseline {
            findings.within("baseline", "the baseline's factor k", run.estimate.k, &K_RANGE);
        }
        if let Baseline::Estimate(estimate) = &self.baseline {
            findings.within("baseline", "the baseline's factor k", estimate.k, &K_RANGE);
        }
        findings.at_most("runs", "runs taken out of the study", self.removed.len(), MOST_RUNS);
        let lists = [
            self.schedulers.len(),
            self.methods.len(),
            self.distortions.len(),
            1 + self.shrinks.len(),
            1 + self.users.len(),
            1 + self.what_ifs.len(),
            1 + usize::from(self.has_replays()),
        ];
        let partitions = self.partitions.len().max(1);
        let product = lists.iter().try_fold(1_usize, |product, &length| product.checked_mul(length));
        let product = product.and_then(|product| product.checked_mul(partitions));
        match product {
            Some(product) if product <= MOST_RUNS && self.removed.len() <= MOST_RUNS => {
                let none_left = product > 0 && self.runs().is_empty();
                findings.require(!none_left, "runs", "every run of the study was taken out of it");
            }
            Some(product) if product <= MOST_RUNS => {}
            _ => findings.add(
                "runs",
                format!(
                    "{} schedulers x {} estimators x {} factors k x {} loads are more than {MOST_RUNS} runs; take fewer",
                    lists[0],
                    lists[1],
                    lists[2],
                    lists[3..].iter().fold(1_usize, |product, &length| product.saturating_mul(length))
                ),
            ),
        }
    }

    fn check_repeats(&self, findings: &mut StudyProblems) {
        let Some(repeats) = &self.repeats else { return };
        // Where there are too many runs, that has been reported already.
        if findings.0.is_empty() {
            let (runs, count) = (self.runs().len(), repeats.count as usize);
            let message = format!("{runs} runs x {count} repeats are more than {MOST_REPEATED}; take fewer");
            findings.require(runs.saturating_mul(count) <= MOST_REPEATED, "repeats", message);
        }
    }

    fn check_columns(&self, findings: &mut StudyProblems) {
        findings.require(!self.columns.is_empty(), "columns", "no metric is chosen; choose at least one");
        findings.at_most("columns", "columns", self.columns.len(), MOST_COLUMNS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunPartition;
    use crate::sureness::Repeats;
    use packfair_engine::metric::Metric;

    fn settings_of(change: impl FnOnce(&mut Study)) -> Vec<&'static str> {
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
        assert_eq!(settings_of(|s| s.distortions = vec![1.0, 20.0]), ["distortions"]);
        assert_eq!(settings_of(|s| s.distortions = vec![f64::NAN]), ["distortions"]);
        assert_eq!(settings_of(|s| s.treatment.shrink = 0.0), ["shrink"]);
        assert_eq!(settings_of(|s| s.shrinks = vec![0.9, -0.5]), ["shrink"]);
        assert_eq!(settings_of(|s| s.shrinks = vec![f64::NAN]), ["shrink"]);
        assert_eq!(settings_of(|s| s.treatment.processors = Some(0)), ["processors"]);
        assert_eq!(settings_of(|s| s.measure.alpha = -1.0), ["alpha"]);
        assert_eq!(settings_of(|s| s.measure.bsld_bound = 0.0), ["bsld"]);
        assert_eq!(settings_of(|s| s.measure.norm = f64::INFINITY), ["norm"]);
        assert_eq!(settings_of(|s| s.schedulers.clear()), ["schedulers"]);
        assert_eq!(settings_of(|s| s.columns.clear()), ["columns"]);
        assert_eq!(settings_of(|s| s.removed = s.runs()), ["runs"]);
        for count in [0, 1, 10_001, u32::MAX] {
            assert_eq!(settings_of(|s| s.repeats = Some(Repeats::of(count))), ["repeats"], "{count}");
        }
        let mut study = Study::first_visit();
        study.distortions = (0..200).map(|i| 1.0 + f64::from(i) / 100.0).collect();
        study.repeats = Some(Repeats::of(10_000));
        assert_eq!(
            study.check().unwrap_err()[0].to_string(),
            "800 runs x 10000 repeats are more than 1000000; take fewer"
        );
    }

    #[test]
    fn too_many_runs_are_refused_without_making_them() {
        let many = |s: &mut Study| s.distortions = vec![1.0; 10_000_000];
        assert_eq!(settings_of(many), ["runs"]);
    }

    #[test]
    fn each_list_that_is_too_long_is_found_and_its_limit_named() {
        assert_eq!(settings_of(|s| s.columns = vec![Metric::Af; MOST_COLUMNS + 1]), ["columns"]);
        assert_eq!(settings_of(|s| s.removed = vec![s.runs()[0].clone(); MOST_RUNS + 1]), ["runs"]);
        let numbers: Vec<i32> = (0..=MOST_NAMED as i32).collect();
        assert_eq!(settings_of(|s| s.treatment.filter.users = numbers.clone()), ["users"]);
        assert_eq!(settings_of(|s| s.treatment.filter.queues = numbers.clone()), ["queues"]);
        assert_eq!(settings_of(|s| s.treatment.filter.partitions = numbers.clone()), ["partitions"]);
        assert_eq!(settings_of(|s| s.treatment.filter.from = Some(i64::MIN)), ["from"]);
        assert_eq!(settings_of(|s| s.treatment.filter.until = Some(i64::MAX)), ["until"]);
        let named = |name: String| Source::Trace { name, fingerprint: packfair_workload::Fingerprint(1) };
        assert_eq!(settings_of(|s| s.source = named("x".repeat(LONGEST_NAME + 1))), ["source"]);
        let partition = RunPartition { number: 1, name: "x".repeat(LONGEST_NAME + 1), processors: None };
        assert_eq!(settings_of(|s| s.partitions = vec![partition.clone()]), ["each-partition"]);
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
