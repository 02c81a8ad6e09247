//! Studies spread over processes and machines: `packfair study ... --into DIR`, and `packfair collect DIR`.

mod collect;
mod folder;
mod slurm;
mod unit;
mod work;

pub(super) use collect::collect;

use super::args::{Part, SpreadArguments, StudyArguments};
use super::{Failure, say};
use packfair_study::{Source, Study};
use packfair_workload::{Log, Summary};
use folder::{Kept, SpreadFolder};
use std::path::Path;
use unit::{Measured, SpreadGroup, SpreadLog, SpreadUnit, shares};
use work::{SpreadWorkloads, work};

/// Computes what is missing of `study` on these logs, in the folder that the arguments name. With a part, computes only
/// what is missing of that part; with `--slurm`, submits the work instead.
pub(super) fn spread(
    arguments: &StudyArguments,
    into: &Path,
    study: &Study,
    logs: &[Log],
    threads: usize,
) -> Result<(), Failure> {
    let (known, workloads) = known(study, logs)?;
    let folder = SpreadFolder::begin(into, study, &known)?;
    let units = SpreadUnit::all(&known);
    let kept: Vec<Kept> = units.iter().map(|unit| folder.kept(unit)).collect();
    let measured = measured(&kept, &units);
    let damaged = kept.iter().filter(|kept| **kept == Kept::Damaged).count();
    if damaged > 0 {
        say(&format!("packfair: {damaged} results are damaged, or of other runs; they are computed again"));
    }
    let (hopeless, missing): (Vec<SpreadUnit>, Vec<SpreadUnit>) = units
        .iter()
        .zip(&kept)
        .filter(|(_, kept)| !matches!(kept, Kept::Result(_)))
        .map(|(unit, _)| unit.clone())
        .partition(|unit| folder.is_hopeless(unit));
    drop(kept);
    if !hopeless.is_empty() {
        let failed = folder.path("failed");
        say(&format!(
            "packfair: {} runs have failed before by a mistake of Packfair's own and are not tried again; to try them \
             again, delete their files in {}",
            hopeless.len(),
            failed.display()
        ));
    }
    let groups = SpreadGroup::of(missing, &measured);
    let SpreadArguments { part, slurm, .. } = &arguments.spread;
    if slurm.slurm {
        if groups.is_empty() && hopeless.is_empty() {
            say(&format!(
                "packfair: all {} runs have results; packfair collect {} prints them",
                units.len(),
                into.display()
            ));
            return Ok(());
        }
        if groups.is_empty() {
            return Err(Failure::Missing { missing: hopeless.len(), runs: units.len() });
        }
        let tasks = slurm::tasks(slurm, groups.len());
        // shares of what is missing now; they replace earlier shares
        folder.write(&parts_file(tasks), &parts_text(&groups, tasks))?;
        let script = slurm::script(arguments, into, tasks)?;
        return slurm::submit(slurm, &folder, &script);
    }
    let groups = match part {
        Some(part) => of_part(&folder, groups, *part)?,
        None => groups,
    };
    let due: usize = groups.iter().map(|group| group.units.len()).sum();
    if due > 0 {
        say(&format!("packfair: {due} of {} runs remain to be computed here", units.len()));
    }
    let tally = work(&folder, &known, &workloads, &groups, threads)?;
    let missing = units.iter().filter(|unit| !folder.has(unit)).count();
    let (elsewhere, computed) = (tally.elsewhere, tally.computed);
    let others = if elsewhere > 0 { format!(", {elsewhere} left to other processes") } else { String::new() };
    say(&format!(
        "packfair: {computed} runs computed{others}; {} of {} have results",
        units.len() - missing,
        units.len()
    ));
    match tally.failed + hopeless.len() {
        0 => Ok(()),
        failed => Err(Failure::Missing { missing: failed, runs: units.len() }),
    }
}

/// The description of each log, and its workloads.
fn known(study: &Study, logs: &[Log]) -> Result<(Vec<SpreadLog>, Vec<SpreadWorkloads>), Failure> {
    let of = |log: &Log| {
        let source = match &study.source {
            // the log is the generated workload and nothing else
            Source::Generated(generated) if logs.len() == 1 && generated.generate().fingerprint == log.fingerprint => {
                study.source.clone()
            }
            _ => super::load::source_of(log),
        };
        let study = Study { source, ..study.clone() };
        let workloads = SpreadWorkloads::of(&study, log)?;
        let summary = Summary::of(workloads.first());
        Ok((SpreadLog { study, summary }, workloads))
    };
    Ok(logs.iter().map(of).collect::<Result<Vec<_>, Failure>>()?.into_iter().unzip())
}

/// How long the runs that have results took, seconds, by the run on its log; on a repeat a run takes about as long.
fn measured(kept: &[Kept], units: &[SpreadUnit]) -> Measured {
    let seconds = |(unit, kept): (&SpreadUnit, &Kept)| match kept {
        Kept::Result(result) => Some(((unit.log, unit.run.id()), result.seconds)),
        _ => None,
    };
    units.iter().zip(kept).filter_map(seconds).collect()
}

fn parts_file(count: usize) -> String {
    format!("parts-{count}.json")
}

fn parts_text(groups: &[SpreadGroup], count: usize) -> String {
    // lists of text can always be written
    serde_json::to_string(&shares(groups, count)).unwrap()
}

/// The groups of a part. The first process that asks for this number of shares decides for all of them.
fn of_part(folder: &SpreadFolder, groups: Vec<SpreadGroup>, part: Part) -> Result<Vec<SpreadGroup>, Failure> {
    let name = parts_file(part.of);
    let text = folder.text_of(&name, || parts_text(&groups, part.of))?;
    let unreadable = || Failure::Input(format!("{}: the file is damaged; delete it", folder.path(&name).display()));
    let shares: Vec<Vec<String>> = serde_json::from_str(&text).map_err(|_| unreadable())?;
    let share = shares.get(part.number - 1).ok_or_else(unreadable)?;
    let share: std::collections::HashSet<&String> = share.iter().collect();
    let is_in = |group: &SpreadGroup| group.units.iter().any(|unit| share.contains(&unit.id));
    Ok(groups.into_iter().filter(is_in).collect())
}
