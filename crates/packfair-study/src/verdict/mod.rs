//! The verdict on a table of results: one set of rules for its sentence, its marks (◆), its colours, and the concerns
//! to choose from.
//!
//! - Every shown measure that has a better direction is both an aim and a price ([`Concern`]).
//! - A difference below [`WORTH_ACTING_ON`] does not count. Where no two rows differ by more, the verdict says so.
//! - With few jobs, or few waiting ones, there is no verdict ([`FEWEST_JOBS`], [`FEWEST_WAITING`]).
//! - A saturated row is left out, and the verdict names it.
//! - The verdict says what repeats leave open, and gives a range for what they confirm.
//! - While runs are missing, nothing is named that may still change.
//!
//! A table is marked by [`best_rows`] and [`keep_sure_marks`], coloured by [`tint`], and put into words by [`judge`].

mod apart;
mod best;
mod fit;
mod measure;
mod otherwise;
mod replay;
mod sentence;
mod trials;

pub use apart::{Apart, OfPartition, judge_apart};
pub(super) use best::best_rows;
pub use best::{MarkedRow, keep_sure_marks};
pub use fit::{Closeness, Fit, FitGrade};
pub use measure::{FEWEST_JOBS, FEWEST_WAITING, Side, WORTH_ACTING_ON, tint};
pub(super) use measure::{keep_waiting, waiting};
pub use sentence::Concern;
pub(super) use sentence::{Measurement, change_interval, value_interval};
pub use trials::{Offer, Remedy, SlurmDoubt, Trial, Trials, Tried};

use super::site_fit::is_configured;
use super::sureness::Repeated;
use super::{Baseline, Run, RunReport};
use measure::{JobTally, Rows, have_a_choice};
use packfair_engine::metric::Metric;
use sentence::Scope;

/// A table to be judged.
#[derive(Clone, Debug)]
pub struct Judged<'a> {
    /// The results so far, all made with the same settings.
    pub reports: Vec<&'a RunReport>,
    /// The runs of the study that have no result yet.
    pub missing: Vec<&'a Run>,
    pub columns: &'a [Metric],
    pub baseline: &'a Baseline,
    /// The results on repeats, where there are any.
    pub repeated: Option<&'a Repeated>,
    /// The offered load of the workload, where it is known: 1 where the jobs ask for as much as the machine can do.
    pub load: Option<f64>,
    /// Whether the files of a Slurm site are there, so that Slurm as configured is the cluster's own scheduler.
    pub has_site: bool,
}

impl<'a> Judged<'a> {
    /// The results of the rows that claim to be the cluster's own scheduler.
    fn claiming(&self) -> impl Iterator<Item = &'a RunReport> {
        self.reports.iter().copied().filter(|report| self.has_site && is_configured(&report.run))
    }
}

/// The verdict on a table.
#[derive(Clone, Debug, PartialEq)]
pub struct Verdict {
    /// The run that serves best; `None` where no run does without a price, or nothing can be said.
    pub run: Option<Run>,
    pub text: String,
}

impl Verdict {
    fn nobody(text: String) -> Self {
        Verdict { run: None, text }
    }
}

/// The verdict on a table for a concern. `None` where there is nothing to choose from, whatever the concern: the rows
/// have different workloads, or fewer than two schedulers can be chosen.
///
/// Runs that know run times beforehand are left out where enough others do not. Distorted estimates, off-line
/// schedules, the log's own schedule and those of files are always left out. A run is compared with its baseline if
/// that has a result, else with EASY with the same estimate.
///
/// Where runs with reacting users stand beside replays, the verdict judges the former, and then says what the replays
/// show. Where what-ifs stand beside the machine as it is, the verdict judges the rows on the machine as it is, and
/// then says what the what-ifs are worth.
pub fn judge(table: &Judged<'_>, concern: Concern) -> Option<Verdict> {
    let (reports, others): (Vec<&RunReport>, Vec<&RunReport>) =
        table.reports.iter().partition(|report| report.run.what_if.is_none());
    if reports.is_empty() || (others.is_empty() && table.missing.iter().all(|run| run.what_if.is_none())) {
        return judge_one_machine(table, concern);
    }
    let missing = table.missing.iter().copied().filter(|run| run.what_if.is_none()).collect();
    let own = Judged { reports, missing, ..table.clone() };
    let verdict = judge_one_machine(&own, concern);
    let worth = otherwise::sentence_of(&own, &others, concern);
    match (verdict, worth) {
        (Some(verdict), Some(worth)) => Some(Verdict { text: format!("{} {worth}", verdict.text), ..verdict }),
        (verdict, worth) => verdict.or(worth.map(Verdict::nobody)),
    }
}

fn judge_one_machine(table: &Judged<'_>, concern: Concern) -> Option<Verdict> {
    let (replays, reports): (Vec<&RunReport>, Vec<&RunReport>) =
        table.reports.iter().partition(|report| report.run.replayed);
    if reports.is_empty() || (replays.is_empty() && !table.missing.iter().any(|run| run.replayed)) {
        return judge_one_workload(table, concern);
    }
    let missing = table.missing.iter().copied().filter(|run| !run.replayed).collect();
    let reacting = Judged { reports, missing, ..table.clone() };
    let mut verdict = judge_one_workload(&reacting, concern)?;
    if let Some(beside) = replay::sentence_of(&reacting, &replays, verdict.run.as_ref()) {
        verdict.text = format!("{} {beside}", verdict.text);
    }
    Some(verdict)
}

fn judge_one_workload(table: &Judged<'_>, concern: Concern) -> Option<Verdict> {
    let runs = table.reports.iter().map(|report| &report.run).chain(table.missing.iter().copied());
    if !have_a_choice(runs) {
        return None;
    }
    let rows = Rows::of(&table.reports, table.baseline, table.repeated);
    let judging = Judging { table, rows };
    let left_out = sentence::left_out(&judging.rows.saturated, &judging.rows.candidates);
    let mut verdict = if !table.missing.is_empty() {
        let done = table.reports.len();
        Verdict::nobody(sentence::so_far(done, done + table.missing.len()))
    } else if judging.rows.candidates.is_empty() {
        return Some(Verdict::nobody(sentence::all_saturated(judging.scope())));
    } else {
        judging.verdict(concern)
    };
    if let Some(left_out) = left_out {
        verdict.text = format!("{} {left_out}", verdict.text);
    }
    if let Some(beside_site) = judging.beside_site() {
        verdict.text = format!("{} {beside_site}", verdict.text);
    }
    if let Some(instead) = judging.instead().filter(|_| table.missing.is_empty()) {
        verdict.text = format!("{} {instead}", verdict.text);
    }
    Some(verdict)
}

/// A table with its rows sorted for judging.
struct Judging<'a> {
    table: &'a Judged<'a>,
    rows: Rows<'a>,
}

impl<'a> Judging<'a> {
    /// The verdict once all runs are done and some can be judged.
    fn verdict(&self, concern: Concern) -> Verdict {
        if let [only] = self.rows.candidates[..] {
            return Verdict::nobody(format!("Only {} can be judged.", sentence::name(&only.run)));
        }
        let jobs = JobTally::of(self.rows.candidates.iter().chain(&self.rows.saturated).copied());
        let tie =
            self.is_a_tie().then(|| sentence::tie(jobs, self.table.load, self.rows.leaves_out(&self.table.reports)));
        let few = jobs.are_too_few().then(|| sentence::too_few(jobs));
        match (tie, few) {
            (Some(tie), Some(few)) => Verdict::nobody(format!("{tie} {few}")),
            (Some(told), None) | (None, Some(told)) => Verdict::nobody(told),
            (None, None) if concern == Concern::Everything => self.by_all(),
            (None, None) => self.by(concern),
        }
    }

    /// A sentence on the rows that ignore what binds Slurm on its site.
    fn beside_site(&self) -> Option<String> {
        self.table.claiming().next()?;
        let ignores = |report: &&RunReport| !report.run.scheduler.goes_by_site();
        let ignoring: Vec<&RunReport> = self.rows.candidates.iter().copied().filter(ignores).collect();
        sentence::ignoring_site(&ignoring)
    }

    /// A sentence where rows are compared with EASY in place of the table's baseline.
    fn instead(&self) -> Option<String> {
        let replaced = |report: &&'a RunReport| {
            let asked = self.table.baseline.of(&report.run)?;
            let basis = self.rows.basis(report).filter(|basis| basis.run != asked && basis.run != report.run)?;
            Some((asked, basis))
        };
        let (asked, basis) = self.rows.candidates.iter().find_map(replaced)?;
        let is_saturated = self.rows.saturated.iter().any(|report| report.run == asked);
        Some(sentence::instead(&asked, &basis.run, is_saturated))
    }

    /// The shown measures that have a better direction.
    fn aims(&self) -> impl Iterator<Item = Metric> {
        self.table.columns.iter().copied().filter(|&metric| measure::is_judged(metric))
    }

    /// Whether no row is better than another in any shown measure.
    fn is_a_tie(&self) -> bool {
        !self.aims().any(|metric| measure::tells_apart(metric, &self.rows.candidates))
    }

    /// The run that serves a concern best, and its price.
    fn by(&self, concern: Concern) -> Verdict {
        let measures = concern.measures(self.table.columns, &self.table.reports);
        let tells = |report: &&RunReport| measures.iter().any(|&metric| self.rows.value(report, metric).is_some());
        let candidates: Vec<&'a RunReport> = self.rows.candidates.iter().copied().filter(tells).collect();
        let what = sentence::concern(concern, &measures);
        if candidates.is_empty() {
            return Verdict::nobody(format!("No row here tells {what}: add its column, or care for something else."));
        }
        let mut shown: Vec<Metric> = measures.clone();
        shown.extend(self.aims().filter(|metric| !measures.contains(metric)));
        // A run that is compared with no other has no contrasts, and may serve all the same.
        let own = |report: &RunReport| {
            self.rows.contrasts(report, &measures).map(|(_, own)| own).filter(|own| !own.is_empty())
        };
        let serves = |report: &&RunReport| {
            own(report).is_none_or(|own| own.iter().any(|c| c.is_better()) && !own.iter().any(|c| c.is_worse()))
        };
        let best = self.least(candidates.iter().copied().filter(serves), &measures);
        let Some(best) = best else {
            return Verdict::nobody(sentence::nobody_serves(&what, self.scope()));
        };
        match self.rows.contrasts(best, &shown).filter(|_| own(best).is_some()) {
            Some((basis, contrasts)) => Verdict {
                run: Some(best.run.clone()),
                text: sentence::served(&what, &best.run, &basis.run, &measures, &contrasts),
            },
            None => self.unbeaten(&what, best, &candidates, &measures),
        }
    }

    /// The row that no other beats in these measures, where no row is better than what it is compared with.
    /// `best` is preferred.
    fn unbeaten(&self, what: &str, best: &'a RunReport, candidates: &[&'a RunReport], measures: &[Metric]) -> Verdict {
        let others = |one: &'a RunReport| candidates.iter().copied().filter(move |other| other.run != one.run);
        let is_beaten =
            |one: &'a RunReport| others(one).any(|other| measures.iter().any(|&m| self.rows.beats(other, one, m)));
        let unbeaten = || candidates.iter().copied().filter(|one| !is_beaten(one));
        let best = Some(best).filter(|best| !is_beaten(best)).or_else(|| self.least(unbeaten(), measures));
        let Some(best) = best else {
            return Verdict::nobody(sentence::nobody_serves(what, self.scope()));
        };
        // A row may be unbeaten without beating each other row in some measure.
        let is_alone = others(best).all(|other| measures.iter().any(|&m| self.rows.beats(best, other, m)));
        Verdict { run: Some(best.run.clone()), text: sentence::unbeaten(what, &best.run, is_alone, self.scope()) }
    }

    /// Of which rows a sentence on all of them speaks.
    fn scope(&self) -> Scope {
        Scope { leaves_out: self.rows.leaves_out(&self.table.reports), is_repeated: self.table.repeated.is_some() }
    }

    /// The row with the lowest score in these measures. The score adds the values, each divided by the sum over all
    /// candidates.
    fn least(&self, among: impl Iterator<Item = &'a RunReport>, measures: &[Metric]) -> Option<&'a RunReport> {
        let scale = |&metric: &Metric| {
            let values = self.rows.candidates.iter().filter_map(|report| self.rows.value(report, metric));
            (metric, values.map(f64::abs).sum::<f64>().max(f64::MIN_POSITIVE))
        };
        let scales: Vec<(Metric, f64)> = measures.iter().map(scale).collect();
        let score = |report: &RunReport| {
            let share = |&(metric, scale): &(Metric, f64)| {
                Some(measure::sign(metric) * self.rows.value(report, metric)? / scale)
            };
            let shares: Option<Vec<f64>> = scales.iter().map(share).collect();
            shares.map_or(f64::INFINITY, |shares| shares.iter().sum())
        };
        among.min_by(|a, b| score(a).total_cmp(&score(b)))
    }

    /// The run that is better in some measure and worse in none, or else what each run is best for.
    fn by_all(&self) -> Verdict {
        let aims: Vec<Metric> = self.aims().collect();
        let free = |report: &&'a RunReport| {
            let (basis, contrasts) = self.rows.contrasts(report, &aims)?;
            let is_free = contrasts.iter().any(|c| c.is_better()) && !contrasts.iter().any(|c| c.is_worse());
            let loss: f64 = contrasts.iter().filter(|c| !c.is_unsure()).map(|c| c.loss()).sum();
            is_free.then_some((*report, basis, contrasts, loss))
        };
        let best = self.rows.candidates.iter().filter_map(free).min_by(|a, b| a.3.total_cmp(&b.3));
        match best {
            Some((report, basis, contrasts, _)) => Verdict {
                run: Some(report.run.clone()),
                text: sentence::free(&report.run, &basis.run, &contrasts, &aims),
            },
            None => {
                let is_compared =
                    self.rows.candidates.iter().any(|report| self.rows.contrasts(report, &aims).is_some());
                Verdict::nobody(sentence::each_its_own(&self.leaders(&aims), self.scope(), is_compared))
            }
        }
    }

    /// The best rows in each measure: one row, or two that are equally good.
    fn leaders(&self, aims: &[Metric]) -> Vec<(Vec<&'a RunReport>, Vec<Metric>)> {
        let mut served: Vec<(Vec<&RunReport>, Vec<Metric>)> = Vec::new();
        for &metric in aims {
            let has = |report: &&RunReport| self.rows.value(report, metric).is_some();
            let with_value: Vec<&RunReport> = self.rows.candidates.iter().copied().filter(has).collect();
            let Some(best) = self.least(with_value.iter().copied(), &[metric]) else { continue };
            let first: Vec<&RunReport> =
                with_value.iter().copied().filter(|other| !self.rows.beats(best, other, metric)).collect();
            if first.len() > 2 || first.len() == with_value.len() {
                continue;
            }
            let same = |(reports, _): &&mut (Vec<&RunReport>, Vec<Metric>)| {
                reports.iter().map(|report| &report.run).eq(first.iter().map(|report| &report.run))
            };
            match served.iter_mut().find(same) {
                Some((_, metrics)) => metrics.push(metric),
                None => served.push((first, vec![metric])),
            }
        }
        served
    }
}

#[cfg(test)]
mod drawn;
#[cfg(test)]
mod tests;
