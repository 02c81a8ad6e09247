//! How well classifiers tell small jobs from large ones: `cargo run --release --example classes -- LOG.swf.gz ...`,
//! with `seeds=5`, or any setting of a classifier (`early=on`), among the arguments.
//!
//! Jobs complete when they do under EASY with requested times.

use packfair::catalogue::Settings;
use packfair::classifier::evaluation::{from_week, replay, weekly};
use packfair::classifier::{ClassifierOptions, PARAMETERS, build, caveats, features};
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, execute};
use packfair::workload::{Cleaning, Filter, Seconds, Workload, clean, reading};
use std::error::Error;
use std::path::Path;
use std::time::Instant;

fn main() -> Result<(), Box<dyn Error>> {
    let (settings, logs): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|arg| arg.contains('='));
    let (seeds, settings): (Vec<String>, Vec<String>) = settings.into_iter().partition(|arg| arg.starts_with("seeds="));
    let seeds = seeds.first().map_or(Ok(5), |seeds| seeds["seeds=".len()..].parse::<u64>())?;
    let options = ClassifierOptions::of(&Settings::parse(PARAMETERS, "the classifier", &settings.join(","))?);
    if logs.is_empty() {
        println!("name a log in SWF, plain or gzipped");
    }
    for log in &logs {
        let name = Path::new(log).file_name().unwrap_or_default().to_string_lossy().into_owned();
        let read = reading::read(name, std::fs::File::open(log)?)?;
        let workload = clean(&read, &Filter::default(), Cleaning::Metrics, None)?;
        evaluate(&workload, options, seeds)?;
    }
    Ok(())
}

/// Prints a line for each seed, and their mean.
fn evaluate(workload: &Workload, options: ClassifierOptions, seeds: u64) -> Result<(), Box<dyn Error>> {
    println!("{} ({} jobs)", workload.name, workload.len());
    for caveat in caveats(workload) {
        println!("  note: {caveat}");
    }
    let run = Run::new("easy".parse()?, "requested".parse()?);
    let schedule = execute(&run, workload, Correction::Request, &Measure::default())?.schedule;
    let starts: Vec<Seconds> = workload.jobs().map(|job| schedule.start(job)).collect();
    println!("  seed  accuracy  precision  recall  false large  false small  from week 1  seconds");
    let percent = |share: Option<f64>| share.map_or("-".to_owned(), |share| format!("{:.2}", 100.0 * share));
    let mut sum = 0.0;
    let mut importances = vec![0.0; features(&options).len()];
    for seed in 1..=seeds {
        let clock = Instant::now();
        let mut classifier = build(&ClassifierOptions { seed, ..options }, workload);
        let weekly = weekly(workload, &replay(&mut *classifier, workload, &starts));
        let took = clock.elapsed().as_secs_f64();
        let (all, with_first) = (from_week(2, &weekly), from_week(1, &weekly));
        println!(
            "  {seed:>4}  {:>8}  {:>9}  {:>6}  {:>11}  {:>11}  {:>11}  {took:>7.2}",
            percent(all.accuracy()),
            percent(all.precision()),
            percent(all.recall()),
            percent(all.false_large_share()),
            percent(all.false_small_share()),
            percent(with_first.accuracy()),
        );
        sum += all.accuracy().unwrap_or(0.0);
        let weeks = classifier.importances();
        for week in weeks {
            importances.iter_mut().zip(&week.gini).for_each(|(sum, gini)| *sum += gini / weeks.len() as f64);
        }
    }
    println!("  mean  {:>8.2}", 100.0 * sum / seeds.max(1) as f64);
    let mut ranked: Vec<(f64, String)> = importances
        .iter()
        .map(|sum| sum / seeds.max(1) as f64)
        .zip(features(&options).iter().map(ToString::to_string))
        .collect();
    ranked.sort_by(|a, b| b.0.total_cmp(&a.0));
    let ranked: Vec<String> = ranked.iter().take(8).map(|(share, name)| format!("{name} {share:.2}")).collect();
    println!("  Gini importances: {}", ranked.join(", "));
    Ok(())
}
