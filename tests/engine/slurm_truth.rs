//! Compares the family `slurm` with what a real Slurm did with the same jobs, twice. The measure is the real Slurm's
//! own spread.

use crate::{shared, truth};
use std::collections::BTreeSet;
use std::path::Path;

/// Asserts that a case meets the criterion: the simulated runs are no farther from the real ones than the real ones, or
/// the simulated ones, are from each other, and the real mean waits are within the range of the simulated ones.
#[track_caller]
fn holds(name: &str) {
    misses_at_most(name, 0);
}

/// Asserts that a case misses the criterion in at most `points` points, and stands in docs/slurm.md as it is.
#[track_caller]
fn misses_at_most(name: &str, points: usize) {
    let (mut wrong, mut lines) = (Vec::new(), Vec::new());
    for case in truth::CASES.iter().filter(|case| case.name == name) {
        let shared = if case.is_own { None } else { shared::folder() };
        let Some(folder) = case.folder(shared.map(|shared| shared.join("gold/slurm")).as_deref()) else { return };
        let judged = truth::judge(*case, &folder);
        let stands = DOCS.lines().find(|line| case.has_line(line)).unwrap_or_default();
        lines.push((stands, judged.line));
        wrong.extend(judged.wrong);
    }
    assert!(
        lines.iter().all(|(stands, line)| stands == line),
        "renew it: cargo run --release --example slurm_truth -- --write ../shared/gold/slurm\n{lines:#?}"
    );
    assert!(wrong.len() <= points, "{} points instead of {points}:\n{}", wrong.len(), wrong.join("\n"));
}

const DOCS: &str = include_str!("../../docs/slurm.md");

#[test]
fn the_table_has_each_recorded_case_once() {
    let lines = DOCS.lines().skip_while(|line| !line.starts_with("| case |")).skip(2);
    let lines: Vec<&str> = lines.take_while(|line| line.starts_with('|')).collect();
    assert_eq!(lines.len(), truth::CASES.len());
    assert!(lines.iter().zip(truth::CASES).all(|(line, case)| case.has_line(line)), "{lines:?}");
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm"));
    let recorded = std::fs::read_dir(folder)
        .unwrap()
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().join("sacct-again.txt").exists()));
    let own: BTreeSet<&str> = truth::CASES.iter().filter(|case| case.is_own).map(|case| case.name).collect();
    assert_eq!(recorded.count(), own.len());
}

#[test]
fn limits_of_a_qos_miss_one_group() {
    misses_at_most("qos", 1);
}

#[test]
fn classic_fair_share_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("classic");
}

#[test]
fn fifo_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("fifo");
}

#[test]
fn fair_share_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("fair");
}

#[test]
fn a_window_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("window");
}

#[test]
fn arrays_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("arrays");
}

#[test]
fn held_jobs_and_begin_times_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("begin");
}

#[test]
fn dependencies_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("dependencies");
}

#[test]
fn overlapping_partitions_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("overlap");
}

#[test]
fn assoc_limit_stop_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("stop");
}

#[test]
fn preemption_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("preempt");
}

#[test]
fn shared_nodes_with_graphics_processors_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("gpu");
}

#[test]
fn cycles_that_are_cut_short_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("short");
}

#[test]
fn nodes_that_go_off_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("saving");
}

#[test]
fn shared_nodes_that_go_off_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("rates");
}

#[test]
fn types_of_graphics_processors_miss_the_distance_and_a_user() {
    misses_at_most("kinds", 2);
}

#[test]
fn features_of_nodes_miss_a_user() {
    misses_at_most("features", 1);
}

#[test]
fn memory_by_default_and_at_most_misses_the_mean_of_one_run() {
    misses_at_most("memory", 5);
}

#[test]
fn switches_miss_a_user() {
    misses_at_most("tree", 1);
}

#[test]
fn licences_miss_a_user() {
    misses_at_most("licences", 1);
}

#[test]
fn nodes_of_one_user_miss_the_mean_of_one_run() {
    misses_at_most("owned", 3);
}

/// Recorded once the model stood, and not looked at before.
#[test]
fn a_site_with_all_of_it_misses_a_user() {
    misses_at_most("site", 1);
}

/// Recorded once the model stood, and not looked at before.
#[test]
fn switches_of_shared_nodes_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("leaves");
}

#[test]
fn suspension_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("suspend");
}

#[test]
fn suspension_by_three_tiers_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("tiers");
}

/// Recorded once the model stood, and not looked at before.
#[test]
fn nodes_that_fail_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("fails");
}

/// The case was recorded after the model was finished, and was not used to make it.
#[test]
fn shared_nodes_by_fair_share_are_as_near_a_real_one_as_they_are_to_each_other() {
    holds("shared");
}

/// The fit of Slurm as configured on the jobs of a recording.
fn site_fit(name: &str) -> packfair::study::SiteFit {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm")).join(name);
    let case = truth::case::Case::read(&folder);
    let run = packfair::study::Run::new("slurm".parse().unwrap(), "requested".parse().unwrap());
    let all = packfair::metric::Measure { counted: packfair::metric::Counted::All, ..Default::default() };
    packfair::study::SiteFit::of(&run, &case.workload, &case.simulated(1, ""), &all).expect("the log tells starts")
}

#[test]
fn priorities_are_those_that_a_real_one_gave() {
    let fit = site_fit("classic");
    let priorities = fit.priorities.expect("sacct told them");
    println!("{priorities:?}");
    assert!(priorities.jobs > 100, "{priorities:?}");
    assert!(priorities.rank.is_some_and(|rank| rank > 0.95), "{priorities:?}");
    assert!(fit.of_priorities().is_some());
    // there is no fit of priorities under priority/basic
    assert_eq!(site_fit("gpu").priorities, None);
}

#[test]
fn a_fit_tells_of_users_partitions_and_qos() {
    let fit = site_fit("overlap");
    let of = |by: packfair::metric::Grouping| {
        fit.rows.iter().filter(|row| row.by == by).map(|row| row.name.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(of(packfair::metric::Grouping::Partition), ["wide", "far"]);
    assert!(of(packfair::metric::Grouping::User).contains(&"u1") && !of(packfair::metric::Grouping::Queue).is_empty());
    assert!(fit.rows.iter().all(|row| row.jobs >= 20 && (0.0..=1.0).contains(&row.near) && row.logged >= 0.0));
    let grid = fit.grid();
    assert_eq!((grid.lines.len(), grid.lines[0].labels[0].as_str()), (fit.rows.len(), "User"));
    assert!(grid.lines.iter().any(|line| line.labels[0] == "QOS"));
    // a row with changes is not the site as configured
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm/overlap"));
    let case = truth::case::Case::read(folder);
    let changed = packfair::study::Run::new("slurm:bf_interval=60".parse().unwrap(), "requested".parse().unwrap());
    let schedule = case.simulated(1, ",bf_interval=60");
    assert_eq!(packfair::study::SiteFit::of(&changed, &case.workload, &schedule, &Default::default()), None);
}
