//! `packfair now`.

use super::args::NowArguments;
use super::when::{AskedMoment, moment_of};
use super::{Failure, print, say};
use packfair_study::explore::{AheadFindings, ExploreQuestion};
use packfair_study::format::{change, instead_of};
use packfair_study::{Run, explore};
use packfair_when::{DrawnFuture, Futures, History, StartSource};
use std::ops::Range;
use std::time::Instant;

/// Looks for the settings that would serve the queue of a moment best.
pub(super) fn now(arguments: &NowArguments) -> Result<(), Failure> {
    let begin = Instant::now();
    let AskedMoment { scene, question, threads, has_site } = moment_of(&arguments.whence)?;
    let usual = ExploreQuestion::default();
    let families = match arguments.families.as_slice() {
        [] if has_site => vec!["slurm".to_owned()],
        [] => usual.families.clone(),
        named => named.to_vec(),
    };
    let asked = ExploreQuestion {
        runs: arguments.runs,
        seed: question.seed,
        families,
        baseline: question.run.clone(),
        ..usual
    };
    asked.check().map_err(Failure::input)?;
    let past = scene.past();
    let history = History::of(&past);
    // futures of who runs and who waits, whatever scheduler has come to that
    let futures = Futures::new(&history, &question, StartSource::Logged);
    let laws = history.at(scene.now);
    let (running, waiting) = past.present(scene.now);
    say(&format!("packfair: {} jobs wait and {} run", waiting.len(), running.len()));
    let drawn = |range: Range<u32>| range.map(|future| futures.drawn(&laws, future)).collect::<Vec<DrawnFuture>>();
    let mut kept: (Range<u32>, Vec<DrawnFuture>) = (0..0, Vec::new());
    let findings = explore::serve(&asked, |runs: &[Run], range| {
        if kept.0 != range {
            kept = (range.clone(), drawn(range));
        }
        in_threads(runs, threads, |run| {
            let served = |drawn: &DrawnFuture| drawn.served(run, question.rules);
            let values = kept.1.iter().map(|drawn| served(drawn).map(|of| [of.slowdown, of.response, of.longest]));
            values.collect()
        })
    });
    if arguments.whence.timing {
        say(&format!("{:>9.4} s  search", begin.elapsed().as_secs_f64()));
    }
    print(&report(&findings, arguments.json)?)
}

/// What `of` says of each run, shared among threads.
fn in_threads<T: Send>(runs: &[Run], threads: usize, of: impl Fn(&Run) -> T + Sync) -> Vec<T> {
    let threads = threads.clamp(1, runs.len().max(1));
    let of_thread = |thread: usize| {
        let own = runs.iter().enumerate().skip(thread).step_by(threads);
        own.map(|(place, run)| (place, of(run))).collect::<Vec<_>>()
    };
    let mut all: Vec<(usize, T)> = std::thread::scope(|scope| {
        let of_thread = &of_thread;
        let others: Vec<_> = (1..threads).map(|thread| scope.spawn(move || of_thread(thread))).collect();
        let own = of_thread(0);
        own.into_iter().chain(others.into_iter().flat_map(super::when::joined)).collect()
    });
    all.sort_by_key(|(place, _)| *place);
    all.into_iter().map(|(_, value)| value).collect()
}

fn report(findings: &AheadFindings, as_json: bool) -> Result<String, Failure> {
    if as_json {
        return serde_json::to_string_pretty(findings).map(|text| text + "\n").map_err(Failure::input);
    }
    let mut text = format!("{}\n", findings.sentence());
    let Some(selected) = &findings.selected else { return Ok(text) };
    text.push_str(&format!("\n{}\n", selected.id()));
    for of in &findings.changes {
        let about = of.metric.about();
        text.push_str(&format!(
            "  {:<24} {}: {} ({} to {})\n",
            about.name,
            instead_of(of.metric, of.after, of.before),
            change(of.change),
            change(of.low),
            change(of.high)
        ));
    }
    Ok(text)
}
