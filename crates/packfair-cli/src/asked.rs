//! The study that the arguments of `packfair run` ask for.

use super::Failure;
use super::args::RunArguments;
use super::load::source_of;
use packfair_engine::estimator::{Estimate, Method};
use packfair_engine::metric::Metric;
use packfair_schedulers::Policy;
use packfair_study::{NeededFile, RunPartition, Study};
use packfair_workload::{ExternalKind, Log};
use std::collections::BTreeSet;

/// The study that the arguments of `run` describe: that of a recipe, if one is given, with the changes that they make.
///
/// # Errors
/// An argument cannot be used, or would have no effect.
pub(super) fn study_of(arguments: &RunArguments, log: &Log, files: &[NeededFile]) -> Result<Study, Failure> {
    let columns = arguments.metrics();
    arguments.settings.check(&columns)?;
    let mut study = Study::on(source_of(log));
    if let Some(site) = &log.site {
        study.treatment.site.clone_from(&site.files);
    }
    let estimators = estimators(arguments, files);
    set_runs(&mut study, arguments, &estimators);
    if let Some(recipe) = arguments.recipe {
        // some recipes build on the chosen runs
        recipe.apply(&mut study);
        set_runs(&mut study, arguments, &estimators);
    } else if arguments.schedulers.is_empty() {
        study.schedulers.clear();
    }
    let schedules = files.iter().filter(|needed| needed.kind == ExternalKind::Schedule);
    schedules.for_each(|&needed| study.take_file(needed));
    arguments.settings.set(&mut study, log)?;
    arguments.machine.set(&mut study.treatment)?;
    arguments.machine.set_series(&mut study.measure, log)?;
    for text in &arguments.partition_procs {
        set_size(&mut study.partitions, text)?;
    }
    if !columns.is_empty() {
        study.columns = columns;
    }
    arguments.settings.metrics().for_each(|metric| add(&mut study.columns, metric));
    if arguments.fair_starts {
        Metric::UNFAIRNESS.into_iter().for_each(|metric| add(&mut study.columns, metric));
    }
    arguments.questions.ask(&mut study, log)?;
    match &arguments.baseline {
        Some(baseline) => study.baseline.clone_from(baseline),
        None if arguments.recipe.is_none() => study.baseline = study.usual_baseline(),
        None => {}
    }
    if study.schedulers.iter().any(|policy| policy.as_configured().is_some()) {
        // for rows that change a site, the table shows the effect
        add(&mut study.columns, Metric::Aq);
    }
    Ok(study)
}

pub(super) fn partitions(log: &Log) -> Vec<RunPartition> {
    let numbers: BTreeSet<i32> = log.records.iter().map(|record| record.partition).collect();
    let header = log.named_header();
    let name = |number: i32| match header.name_of("Partition", number.into()) {
        Some(name) => name.to_owned(),
        None if number < 0 => "no partition".to_owned(),
        None => number.to_string(),
    };
    numbers.into_iter().map(|number| RunPartition { number, name: name(number), processors: None }).collect()
}

/// Sets the size of a partition's machine, from a text such as `short=64`.
fn set_size(partitions: &mut [RunPartition], text: &str) -> Result<(), Failure> {
    let failure = |why: &str| Failure::Input(format!("--partition-procs {text}: {why}"));
    let (name, size) = text.rsplit_once('=').ok_or_else(|| failure("it takes partition=size"))?;
    let size: u32 = size.trim().parse().map_err(|_| failure("the size must be a whole number of processors"))?;
    let is_it = |of: &&mut RunPartition| of.name == name || of.number.to_string() == name;
    let partition = partitions.iter_mut().find(is_it).ok_or_else(|| failure("the log has no such partition"))?;
    partition.processors = Some(size);
    Ok(())
}

fn estimators(arguments: &RunArguments, files: &[NeededFile]) -> Vec<Estimate> {
    let of_files = files.iter().filter(|needed| needed.kind == ExternalKind::Estimates);
    let of_files = of_files.map(|needed| Estimate::of(Method::of_file(needed.file)));
    let all: Vec<Estimate> = arguments.estimators.iter().cloned().chain(of_files).collect();
    if all.is_empty() && arguments.recipe.is_none() { vec![Estimate::of(Method::requested())] } else { all }
}

/// Sets the limit of operations for scripts, if one is given.
fn limit_scripts(study: &mut Study, millions: Option<i64>) {
    let Some(millions) = millions else { return };
    let scripts = study.schedulers.iter_mut().filter(|policy| policy.settings().script().is_some());
    for policy in scripts {
        // the option accepts only values that the setting accepts
        let _ = policy.set("limit", &millions.to_string());
    }
}

/// Sets the schedulers, estimators and factors that are given.
fn set_runs(study: &mut Study, arguments: &RunArguments, estimators: &[Estimate]) {
    arguments.settings.set_numbers(study);
    // combinations that the study leaves out, whatever the factor
    let mut without: Vec<(Policy, Method)> = Vec::new();
    for run in &study.removed {
        add(&mut without, (run.scheduler.clone(), run.estimate.method.clone()));
    }
    if !arguments.schedulers.is_empty() {
        study.schedulers.clone_from(&arguments.schedulers);
        limit_scripts(study, arguments.script_limit);
        without.clear();
    }
    if !arguments.k.is_empty() {
        study.distortions.clone_from(&arguments.k);
    }
    study.removed.clear();
    if estimators.is_empty() {
        let runs = study.runs().into_iter();
        study.removed = runs
            .filter(|run| without.iter().any(|(s, method)| *s == run.scheduler && *method == run.estimate.method))
            .collect();
        return;
    }
    let wanted: Vec<Estimate> =
        estimators.iter().flat_map(|estimate| with_factors(estimate, &study.distortions)).collect();
    study.methods.clear();
    study.distortions.clear();
    for estimate in &wanted {
        add(&mut study.methods, estimate.method.clone());
        add(&mut study.distortions, estimate.k);
    }
    // a study is the product of its schedulers, estimators and factors; the other runs were not asked for
    study.removed = study.runs().into_iter().filter(|run| !wanted.contains(&run.estimate)).collect();
}

/// Adds a value if it is not in the list yet.
fn add<T: PartialEq>(values: &mut Vec<T>, value: T) {
    if !values.contains(&value) {
        values.push(value);
    }
}

/// The estimate with each factor; an estimate that has a factor of its own keeps it.
fn with_factors(estimate: &Estimate, ks: &[f64]) -> Vec<Estimate> {
    match estimate.k {
        1.0 => ks.iter().map(|&k| Estimate { k, ..estimate.clone() }).collect(),
        _ => vec![estimate.clone()],
    }
}
