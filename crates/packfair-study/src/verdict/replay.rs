//! What a replay of the log's submit times shows, compared with the results where users react.

use super::measure::Rows;
use super::sentence::{Measurement, change_interval, is_fact};
use super::{Judged, measure, sentence};
use crate::format::{SPACE, relative, with_places};
use crate::{Run, RunReport};
use packfair_engine::metric::Metric;

/// A sentence on one scheduler: the one that the verdict names, or else the one with the largest change in the replay.
/// `None` where it cannot be compared both ways.
pub(super) fn sentence_of(reacting: &Judged<'_>, replays: &[&RunReport], named: Option<&Run>) -> Option<String> {
    let rows = Rows::of(&reacting.reports, reacting.baseline, reacting.repeated);
    let of_run = |run: &Run| reacting.reports.iter().copied().find(|report| report.run == *run);
    let replay_of = |run: &Run| {
        let replay = run.clone().replayed(true);
        replays.iter().copied().find(|report| report.run == replay)
    };
    let value = |report: &RunReport, metric| report.values.get(&metric).copied();
    let change = |of: &RunReport, than: &RunReport, metric| relative(value(of, metric)?, value(than, metric)?);
    // With repeats only what is sure is told.
    let is_sure = |of: &RunReport, than: &RunReport, metric: Metric| {
        let interval = reacting.repeated.and_then(|repeated| {
            let (one, other) = (Measurement::of(of, metric)?, Measurement::of(than, metric)?);
            change_interval(repeated, one, other, change(of, than, metric)?, metric).ok()
        });
        is_fact(reacting.repeated.is_some(), interval)
    };
    let told = |report: &RunReport| {
        let basis = rows.basis(report).filter(|basis| basis.run != report.run)?;
        let (replay, of_basis) = (replay_of(&report.run)?, replay_of(&basis.run)?);
        let replayed = change(replay, of_basis, Metric::Af).filter(|_| is_sure(replay, of_basis, Metric::Af))?;
        Some((replayed, report.run.clone(), basis.run.clone()))
    };
    let chosen = named.and_then(of_run).and_then(told).or_else(|| {
        let all = rows.candidates.iter().filter_map(|report| told(report));
        all.max_by(|a, b| a.0.abs().total_cmp(&b.0.abs()))
    });
    let (replayed, run, basis) = chosen?;
    let (report, than) = (of_run(&run)?, of_run(&basis)?);
    let (lived, work) = (change(report, than, Metric::Af)?, change(report, than, Metric::WorkDone)?);
    let more_or_less = if work < 0.0 { "less" } else { "more" };
    let lived = match is_sure(report, than, Metric::Af) {
        true => lower_or_higher(lived).unwrap_or("as long".to_owned()),
        false => "not sure to differ".to_owned(),
    };
    let is_work_sure = is_sure(report, than, Metric::WorkDone);
    let work = percent(work)
        .filter(|_| is_work_sure)
        .map_or("as much".to_owned(), |amount| format!("{amount}{SPACE}% {more_or_less}"));
    let in_replay = lower_or_higher(replayed).map_or("as long as".to_owned(), |words| format!("{words} than"));
    Some(format!(
        "A replay alone says of {}: {} {in_replay} under {}; with users who react it is {}, and {work} work is done within \
         the log's span.",
        sentence::name(&run),
        measure::name(Metric::Af),
        sentence::conditions(&run, &basis),
        lived,
    ))
}

/// The change in words, such as "12 % lower"; `None` where it rounds to nothing.
fn lower_or_higher(change: f64) -> Option<String> {
    percent(change).map(|amount| format!("{amount}{SPACE}% {}", if change < 0.0 { "lower" } else { "higher" }))
}

/// A share in whole percent, with one more digit where it is small; `None` where it rounds to nothing.
fn percent(share: f64) -> Option<String> {
    let percent = 100.0 * share.abs();
    let places = usize::from(percent < 9.95);
    (percent >= 0.05).then(|| with_places(percent, places))
}

#[cfg(test)]
mod tests {
    use super::super::{Concern, judge};
    use super::*;
    use crate::Baseline;
    use packfair_engine::metric::Curves;

    fn report(scheduler: &str, replayed: bool, af: f64, work: f64) -> RunReport {
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap()).replayed(replayed);
        RunReport {
            run,
            shrink: 1.0,
            jobs: 1_000,
            values: [(Metric::Af, af), (Metric::WorkDone, work)].into_iter().collect(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        }
    }

    fn text(reports: &[RunReport]) -> String {
        let table = Judged {
            reports: reports.iter().collect(),
            missing: Vec::new(),
            columns: &[Metric::Af, Metric::WorkDone],
            baseline: &Baseline::None,
            repeated: None,
            load: None,
            has_site: false,
        };
        judge(&table, Concern::Everything).unwrap().text.replace(SPACE, " ")
    }

    #[test]
    fn the_difference_that_users_make_is_told() {
        let text = text(&[
            report("easy", false, 100.0, 1_000.0),
            report("easy", true, 120.0, 1_000.0),
            report("easy-sjbf", false, 95.0, 1_030.0),
            report("easy-sjbf", true, 105.6, 1_000.0),
        ]);
        let told = "A replay alone says of EASY-SJBF (requested): response time 12 % lower than under EASY; with users who \
            react it is 5.0 % lower, and 3.0 % more work is done within the log's span.";
        assert!(text.ends_with(told), "{text}");
        assert!(text.starts_with("EASY-SJBF"), "what is judged is what users come to: {text}");
    }

    #[test]
    fn without_replays_nothing_is_said_of_them() {
        let text = text(&[report("easy", false, 100.0, 1_000.0), report("easy-sjbf", false, 95.0, 1_030.0)]);
        assert!(!text.contains("eplay"), "{text}");
    }
}
