//! Charts by name: which ones a recipe's paper draws, which ones exist for any study, and how each is made from
//! results.

use super::kinds::{self, Charted, Classed, JudgedEstimates, OnLog, OverTime, Rate};
use super::layout::{Rect, TICK_TEXT, width_of};
use super::{AxisClock, Data, Figure, Ink, Plot};
use packfair_engine::metric::Metric;
use packfair_engine::metric::fairness::Fair;
use packfair_study::query::LearnedSizes;
use packfair_study::sureness::Repeated;
use packfair_study::table::Mode;
use packfair_study::{Run, Study};
use packfair_workload::Summary;

/// A chart of the results of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedChart {
    /// Packing against fairness.
    Tradeoff,
    /// Cumulative wait area (METRICS Fig. 3).
    Cwa,
    /// Waiting jobs over time (CP Fig. 5).
    QueueJobs,
    /// The width of the waiting jobs over time.
    QueueWidth,
    /// Processors in use over time.
    Utilisation,
    /// Power over time, and below it the price of energy and the carbon intensity.
    Power,
    Waits,
    /// Distribution of response times.
    Responses,
    /// Distribution of bounded slowdowns.
    Slowdowns,
    /// Distribution of queue lengths over rounds (CP Fig. 7).
    QueueLengths,
    /// Distribution of how much later jobs start than their fair start.
    Unfairness(Fair),
    /// Distribution of the errors of estimates.
    Errors,
    Estimates(OverTime),
    /// Requested and actual run times with the divider (CLASSIFY Fig. 1).
    Requests,
    /// Autocorrelation of run times within categories (CLASSIFY Fig. 2).
    Autocorrelation,
    /// Autocorrelation of the run times of one user, as the paper draws it.
    UserAutocorrelation,
    /// How the jobs of each week were classified (CLASSIFY Fig. 4).
    ClassWeeks(Rate),
    /// The importance of the features from which classes were learned, week by week.
    Importances,
    /// The spread of these importances over the weeks (CLASSIFY Fig. 5).
    ImportanceBoxes,
    /// Cumulative slowdown over time (CLASSIFY Fig. 6).
    CumulativeSlowdown,
    /// Slowdowns by month (CLASSIFY Fig. 7).
    MonthlySlowdown,
    /// Slowdowns of small and large jobs (CLASSIFY Fig. 8).
    ClassSlowdowns,
    /// Slowdown against the share of work that is lost.
    LostWork,
    /// Change from the baseline (FAIRNESS Figs 4 to 8, CLASSIFY Fig. 9).
    Changes,
    /// Each policy with and without classes (CLASSIFY Fig. 9).
    ByPolicy,
    /// Values in percent of the baseline (CP Figs 2 to 4 and 6).
    OfBaseline,
    /// Metrics against what was swept (METRICS Fig. 4, DYNP Figs 2 to 8).
    Sweeps,
}

/// The data from which charts are made.
#[derive(Clone, Copy, Debug)]
pub struct ChartedStudy<'a> {
    pub study: &'a Study,
    pub summary: &'a Summary,
    /// The small and large jobs of the log, if known.
    pub sizes: Option<&'a LearnedSizes>,
    /// The runs for which lines are drawn, with their inks.
    pub chosen: &'a [Charted<'a>],
    /// All runs; those that are not chosen are grey.
    pub all: &'a [Charted<'a>],
    pub judged: &'a [JudgedEstimates<'a>],
    /// How small and large jobs fared in the chosen runs.
    pub classed: &'a [Classed<'a>],
    /// The repeats of the study, if there are any.
    pub repeated: Option<&'a Repeated>,
}

impl NamedChart {
    /// All charts that show results of runs, in the order in which they are offered.
    pub const OF_RUNS: &'static [NamedChart] = &[
        NamedChart::Tradeoff,
        NamedChart::Cwa,
        NamedChart::QueueJobs,
        NamedChart::QueueWidth,
        NamedChart::Utilisation,
        NamedChart::Power,
        NamedChart::Waits,
        NamedChart::Responses,
        NamedChart::Slowdowns,
        NamedChart::QueueLengths,
        NamedChart::Unfairness(Fair::Strict),
        NamedChart::Unfairness(Fair::Relaxed),
        NamedChart::Errors,
        NamedChart::Estimates(OverTime::R2),
        NamedChart::LostWork,
        NamedChart::ClassSlowdowns,
        NamedChart::Importances,
        NamedChart::ImportanceBoxes,
        NamedChart::CumulativeSlowdown,
        NamedChart::MonthlySlowdown,
        NamedChart::ClassWeeks(Rate::Accuracy),
        NamedChart::ClassWeeks(Rate::Precision),
        NamedChart::ClassWeeks(Rate::Recall),
        NamedChart::ClassWeeks(Rate::FalseLarge),
        NamedChart::ClassWeeks(Rate::FalseSmall),
        NamedChart::Changes,
        NamedChart::Sweeps,
    ];

    /// The charts that are curves (a line or a step function for each run), which are useful as tables.
    pub const CURVES: &'static [NamedChart] = &[
        NamedChart::Cwa,
        NamedChart::QueueJobs,
        NamedChart::QueueWidth,
        NamedChart::Utilisation,
        NamedChart::Power,
        NamedChart::Waits,
        NamedChart::Responses,
        NamedChart::Slowdowns,
        NamedChart::QueueLengths,
        NamedChart::Unfairness(Fair::Strict),
        NamedChart::Unfairness(Fair::Relaxed),
        NamedChart::Errors,
        NamedChart::Estimates(OverTime::R2),
        NamedChart::Estimates(OverTime::Under),
        NamedChart::Estimates(OverTime::Corrected),
        NamedChart::CumulativeSlowdown,
        NamedChart::MonthlySlowdown,
        NamedChart::ClassWeeks(Rate::Accuracy),
        NamedChart::ClassWeeks(Rate::Precision),
        NamedChart::ClassWeeks(Rate::Recall),
        NamedChart::ClassWeeks(Rate::FalseLarge),
        NamedChart::ClassWeeks(Rate::FalseSmall),
        NamedChart::Sweeps,
    ];

    /// The charts that the paper of a recipe draws, by the recipe's id; empty if the paper prints a table.
    pub fn of_recipe(id: &str) -> &'static [NamedChart] {
        match id {
            "metrics-fig-3" => &[NamedChart::Cwa],
            "metrics-fig-4" | "metrics-fig-4-fine" | "metrics-fig-4-selected" => &[NamedChart::Sweeps],
            "cp-fig-2" | "cp-fig-3" | "cp-fig-4" | "cp-fig-6" => &[NamedChart::OfBaseline],
            "cp-fig-5" => &[NamedChart::QueueJobs],
            "cp-fig-7" => &[NamedChart::QueueLengths],
            "fairness-figs" | "classify-table-7" => &[NamedChart::Changes],
            "classify-fig-9" => &[NamedChart::ByPolicy, NamedChart::Changes],
            "classify-tables-2-3" => {
                &[NamedChart::Requests, NamedChart::Autocorrelation, NamedChart::UserAutocorrelation]
            }
            // Fig. 4 has three rates
            "classify-tables-5-6" => &[
                NamedChart::ClassWeeks(Rate::Accuracy),
                NamedChart::ClassWeeks(Rate::Precision),
                NamedChart::ClassWeeks(Rate::Recall),
                NamedChart::ImportanceBoxes,
                NamedChart::Importances,
            ],
            "classify-figs-6-8" => {
                &[NamedChart::CumulativeSlowdown, NamedChart::MonthlySlowdown, NamedChart::ClassSlowdowns]
            }
            "classify-thresholds" => &[NamedChart::LostWork],
            id if id.starts_with("dynp-fig") || id.starts_with("users-") => &[NamedChart::Sweeps],
            _ => &[],
        }
    }

    /// Whether the chart shows how small and large jobs fared in runs.
    pub fn is_of_classes(self) -> bool {
        matches!(
            self,
            NamedChart::ClassWeeks(_)
                | NamedChart::Importances
                | NamedChart::ImportanceBoxes
                | NamedChart::CumulativeSlowdown
                | NamedChart::MonthlySlowdown
                | NamedChart::ClassSlowdowns
        )
    }

    /// Whether the chart shows what can be learned from the log's run times.
    pub fn is_of_sizes(self) -> bool {
        matches!(self, NamedChart::Requests | NamedChart::Autocorrelation | NamedChart::UserAutocorrelation)
    }

    /// The figures of the chart, usually one. If there is nothing to show, there is none, or one without series.
    pub fn figures(self, of: &ChartedStudy<'_>) -> Vec<Figure> {
        let ChartedStudy { study, summary, sizes, chosen, all, judged, classed, repeated } = *of;
        let clock = &AxisClock::of(&summary.clock);
        let unit = summary.counting.unit;
        vec![match self {
            NamedChart::Tradeoff => kinds::tradeoff(all, study, Metric::P2sf, Mode::Change),
            NamedChart::Cwa => kinds::cwa(chosen, Some(&summary.area_by_area), unit),
            NamedChart::QueueJobs => kinds::with_down_times(kinds::queue_jobs(chosen, clock), &summary.down_times),
            NamedChart::QueueWidth => kinds::queue_width(chosen, clock, summary.machine.processors, unit),
            NamedChart::Utilisation => kinds::utilisation(chosen, clock, unit),
            NamedChart::Power => return kinds::power(chosen, study, clock),
            NamedChart::Waits => kinds::waits(chosen, repeated),
            NamedChart::Responses => kinds::responses(chosen, repeated),
            NamedChart::Slowdowns => kinds::slowdowns(chosen, repeated),
            NamedChart::QueueLengths => kinds::queue_lengths(chosen),
            NamedChart::Unfairness(fair) => kinds::unfairness(chosen, fair),
            NamedChart::Errors => kinds::estimate_errors(judged),
            NamedChart::Estimates(what) => kinds::estimates_over_time(judged, what, clock),
            NamedChart::Requests => kinds::requests(summary, sizes),
            NamedChart::Autocorrelation => kinds::autocorrelation(sizes),
            NamedChart::UserAutocorrelation => kinds::user_autocorrelation(sizes),
            NamedChart::ClassWeeks(rate) => kinds::class_weeks(classed, rate, clock),
            NamedChart::Importances => kinds::importances(classed, clock),
            NamedChart::ImportanceBoxes => kinds::importance_boxes(classed),
            NamedChart::CumulativeSlowdown => kinds::cumulative_slowdown(classed, clock),
            NamedChart::MonthlySlowdown => kinds::monthly_slowdown(classed, clock),
            NamedChart::ClassSlowdowns => kinds::class_slowdowns(classed),
            NamedChart::LostWork => kinds::lost_work(all),
            NamedChart::Changes => return kinds::changes(&[of.log()], &of.compared(), study),
            NamedChart::ByPolicy => {
                let metrics = study.columns.iter().copied().take(kinds::METRICS_BY_POLICY);
                return metrics.map(|metric| kinds::by_policy(all, metric)).collect();
            }
            NamedChart::OfBaseline => return kinds::of_baseline(&[of.log()], &of.compared(), study),
            NamedChart::Sweeps => return kinds::sweeps(all, &study.columns, repeated),
        }]
    }
}

impl<'a> ChartedStudy<'a> {
    fn log(&self) -> OnLog<'a> {
        OnLog { name: &self.summary.name, reports: self.all.iter().map(|charted| charted.report).collect() }
    }

    /// The chosen runs that have another run as their baseline, with their inks.
    fn compared(&self) -> Vec<(Run, Ink)> {
        let inked = self.chosen.iter().map(|charted| (charted.report.run.clone(), charted.ink));
        inked.filter(|(run, _)| is_compared(self.study, run)).collect()
    }
}

/// Whether a run has another run as its baseline.
pub fn is_compared(study: &Study, run: &Run) -> bool {
    study.baseline_of(run).is_some_and(|baseline| baseline != *run)
}

/// The number of runs that are charted until the user chooses.
const FIRST: usize = 4;

/// The runs that are charted until the user chooses: the first schedulers with the estimates and the load of the first
/// run, which then differ in the scheduler only. If there is only one such run, the first runs.
pub fn first_runs<'a>(runs: impl Iterator<Item = &'a Run> + Clone) -> Vec<Run> {
    let Some(first) = runs.clone().next() else { return Vec::new() };
    let is_alike = |run: &&Run| (&run.estimate, run.shrink) == (&first.estimate, first.shrink);
    let alike: Vec<Run> = runs.clone().filter(is_alike).take(FIRST).cloned().collect();
    if alike.len() > 1 { alike } else { runs.take(FIRST).cloned().collect() }
}

/// The largest number of runs in a paper's chart: more runs are a sweep, which has charts of its own.
const OF_A_PAPER: usize = 20;

/// The runs with which the charts of a recipe begin: all of them.
pub fn recipe_runs<'a>(runs: impl Iterator<Item = &'a Run>) -> Vec<Run> {
    runs.take(OF_A_PAPER).cloned().collect()
}

// Names beside points, as many as fit without covering each other; numbers where they do not.

/// A name and its position.
#[derive(Clone, Debug, PartialEq)]
pub struct Name {
    pub text: String,
    /// The left end of the text, pixels from the left.
    pub left: f64,
    /// The middle of the text, pixels from the top.
    pub middle: f64,
    /// The line to the point, if the name is not right beside it.
    pub leader: Option<[(f64, f64); 2]>,
}

/// Half the side of a point with some space around it, pixels.
const POINT: f64 = 6.0;

/// The height of a name, pixels.
const HEIGHT: f64 = TICK_TEXT + 2.0;

/// The distances at which a name is tried that does not fit beside its point, pixels; it gets a line to the point.
const AWAY: [f64; 3] = [14.0, 26.0, 38.0];

/// The names of all visible points, and a key of those that have no room.
///
/// A name stands to the right of its point, or to its left, above or below, or a little further away with a line to the
/// point. One that fits nowhere is left out, since the tip of its point shows it; or, if the names are all to be told, a
/// number stands instead, which the key explains: `1 EASY`. Points drawn on top get their names first.
pub fn place_names(plot: &Plot, are_all_told: bool) -> (Vec<Name>, Vec<String>) {
    let points = plot.visible.iter().rev().filter_map(|&i| match &plot.figure.series[i].data {
        Data::NamedPoints(points) => Some(points),
        _ => None,
    });
    let inside = |px: f64, py: f64| plot.rect.contains(px, py);
    let points: Vec<(f64, f64, &str)> = points
        .flatten()
        .map(|point| (plot.to_pixel(point.x, point.y), point.name.as_str()))
        .filter(|((x, y), _)| inside(*x, *y))
        .map(|((x, y), name)| (x, y, name))
        .collect();
    let mut taken: Vec<Rect> = points
        .iter()
        .map(|(x, y, _)| Rect { left: x - POINT, top: y - POINT, width: 2.0 * POINT, height: 2.0 * POINT })
        .collect();
    let (mut names, mut key) = (Vec::new(), Vec::new());
    let mut without_room = Vec::new();
    for (x, y, text) in points {
        match place_name(plot, &mut taken, (x, y), text) {
            Some(name) => names.push(name),
            None => without_room.push((x, y, text)),
        }
    }
    for (x, y, text) in without_room.into_iter().filter(|_| are_all_told) {
        let number = (key.len() + 1).to_string();
        key.push(format!("{number} {text}"));
        // among points that cover each other a number may do so, too
        names.push(place_name(plot, &mut taken, (x, y), &number).unwrap_or(Name {
            text: number,
            left: x + POINT,
            middle: y,
            leader: None,
        }));
    }
    (names, key)
}

/// A place for a text beside a point that covers nothing of what is taken; it is taken then.
fn place_name(plot: &Plot, taken: &mut Vec<Rect>, (x, y): (f64, f64), text: &str) -> Option<Name> {
    let width = width_of(text, TICK_TEXT);
    let beside = [
        (x + POINT + 2.0, y),
        (x - POINT - 2.0 - width, y),
        (x - width / 2.0, y - POINT - HEIGHT / 2.0),
        (x - width / 2.0, y + POINT + HEIGHT / 2.0),
    ];
    let away = AWAY.into_iter().flat_map(|far| {
        let across = POINT + far;
        [(x + across, y - far), (x + across, y + far), (x - across - width, y - far), (x - across - width, y + far)]
    });
    let mut candidates = beside.into_iter().map(|at| (at, false)).chain(away.map(|at| (at, true)));
    candidates.find_map(|((left, middle), is_away)| {
        let place = Rect { left, top: middle - HEIGHT / 2.0, width, height: HEIGHT };
        let on_sheet = place.left >= plot.rect.left && place.right() <= plot.sheet.width && place.top >= plot.rect.top;
        if !on_sheet || place.bottom() > plot.rect.bottom() || taken.iter().any(|other| overlap(other, &place)) {
            return None;
        }
        let near = if left > x { left - 2.0 } else { left + width + 2.0 };
        let leader = is_away.then_some([(x, y), (near, middle)]);
        taken.push(place);
        Some(Name { text: text.to_owned(), left, middle, leader })
    })
}

fn overlap(a: &Rect, b: &Rect) -> bool {
    a.left < b.right() && b.left < a.right() && a.top < b.bottom() && b.top < a.bottom()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_papers::recipe::Recipe;

    fn run(scheduler: &str, estimate: &str) -> Run {
        Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap())
    }

    #[test]
    fn every_recipe_that_is_a_figure_has_a_chart() {
        for recipe in Recipe::all() {
            let id = recipe.entry.id;
            assert!(!id.contains("-fig") || !NamedChart::of_recipe(id).is_empty(), "{id}");
        }
        assert!(NamedChart::of_recipe("metrics-table-2").is_empty() && NamedChart::of_recipe("").is_empty());
    }

    #[test]
    fn a_recipe_s_chart_begins_with_all_its_runs() {
        for recipe in Recipe::all().filter(|recipe| !NamedChart::of_recipe(recipe.entry.id).is_empty()) {
            let mut study = Study::first_visit();
            recipe.apply(&mut study);
            let runs = study.runs();
            let is_swept = NamedChart::of_recipe(recipe.entry.id) == [NamedChart::Sweeps];
            assert!(is_swept || recipe_runs(runs.iter()) == runs, "{}", recipe.entry.id);
        }
    }

    #[test]
    fn first_come_runs_that_differ_in_the_scheduler_alone() {
        let runs = [run("easy", "actual"), run("easy", "requested"), run("fcfs", "actual"), run("fcfs", "requested")];
        assert_eq!(first_runs(runs.iter()), [runs[0].clone(), runs[2].clone()]);
        let runs = [run("easy", "actual"), run("easy", "requested")];
        assert_eq!(first_runs(runs.iter()), runs);
        assert!(first_runs([].iter()).is_empty());
    }
}
