//! A study that was run in memory: what was asked, and what came out.

mod elsewhere;

pub use elsewhere::{Elsewhere, carry_out};

use super::{Refusal, Watch, heard, options};
use crate::args::{Command, OutputFormat, RunArguments};
use crate::asked::study_of;
use crate::charted::{ChartedRun, Charting};
use crate::pool::{RunsEnded, run_all};
use crate::repeating::repeat_all;
use crate::{Failure, results, run};
use packfair_chart::{Figure, NamedChart, first_runs};
use packfair_engine::metric::Metric;
use packfair_engine::model::Schedule;
use packfair_papers::recipe::Recipe;
use packfair_study::link::{LogEssentials, SenderView, SharedStudy};
use packfair_study::sureness::Repeated;
use packfair_study::table::{FailedRun, Table};
use packfair_study::verdict::{Concern, Judged};
use packfair_study::{Ended, Report, Run, RunReport, Study, Workloads, digest, export, link, table};
use packfair_workload::{Log, Summary, Workload};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// How many jobs the schedules that are kept may have together; the others are made again when somebody asks for them.
const MOST_KEPT: usize = 10_000_000;

/// A study that was asked for, with its log.
#[derive(Clone, Debug)]
pub struct Asked {
    /// The study.
    pub study: Study,
    /// The log, with the files that stand beside it.
    pub log: Arc<Log>,
    /// The metrics that were asked for; empty for those that are usual.
    pub columns: Vec<Metric>,
    /// What matters.
    pub concern: Concern,
    /// The number of threads.
    pub threads: usize,
    recipe: Option<&'static Recipe>,
    taken_for: Option<&'static str>,
    said: Vec<String>,
}

impl Asked {
    /// What the options of `packfair run` ask of a log.
    ///
    /// # Errors
    /// An option or one of its files is wrong, or the study cannot be run.
    pub fn of(options: &[String], log: Arc<Log>) -> Result<Self, Refusal> {
        let Command::Run(arguments) = options::of_command("run", options)? else { return Err(Refusal::not_here()) };
        let asked = heard(|| Self::of_arguments(&arguments, log))?;
        Ok(Asked { said: asked.said, ..asked.value })
    }

    fn of_arguments(arguments: &RunArguments, mut log: Arc<Log>) -> Result<Self, Failure> {
        let mut files = Vec::new();
        if arguments.external.is_given() || arguments.site.is_given() {
            let own = Arc::make_mut(&mut log);
            files = arguments.external.read(own, arguments.limits.limits())?;
            arguments.site.read(own)?;
        }
        let study = run::checked(study_of(arguments, &log, &files)?)?;
        run::check_baseline(&study)?;
        Ok(Asked {
            study,
            log,
            columns: arguments.metrics(),
            concern: arguments.output.matters,
            threads: run::threads(&arguments.output),
            recipe: arguments.recipe,
            taken_for: arguments.take_for,
            said: Vec::new(),
        })
    }

    /// A study with its log, as a file or a link tells it.
    ///
    /// # Errors
    /// The study cannot be run.
    pub fn of_study(study: Study, log: Arc<Log>) -> Result<Self, Refusal> {
        let study = run::checked(study)?;
        run::check_baseline(&study)?;
        let (columns, threads) = (study.columns.clone(), run::all_processors());
        let concern = Concern::default();
        Ok(Asked { study, log, columns, concern, threads, recipe: None, taken_for: None, said: Vec::new() })
    }
}

/// A schedule with its workload.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The workload where users reacted; the others are of the study's workloads.
    lived: Option<Arc<Workload>>,
    schedule: Arc<Schedule>,
}

/// A study that was run.
#[derive(Debug)]
pub struct Performed {
    /// What was asked.
    pub asked: Asked,
    /// The workloads of its runs.
    pub workloads: Workloads,
    /// The runs that ended well, in the order of the study.
    pub reports: Vec<RunReport>,
    /// The runs that failed.
    pub failed: Vec<FailedRun>,
    /// What came out of the repeats, where there are any.
    pub repeated: Option<Repeated>,
    /// What is to be said of log, machine and runs, a sentence each.
    pub said: Vec<String>,
    kept: Mutex<BTreeMap<String, Kept>>,
}

/// Runs a study on all processors.
///
/// # Errors
/// The log does not suit the study, or the watch has stopped it.
pub fn perform(asked: Asked, watch: &dyn Watch) -> Result<Performed, Refusal> {
    let performed = heard(|| performed(asked, watch))?;
    let mut value = performed.value;
    value.said = std::mem::take(&mut value.asked.said);
    value.said.extend(performed.said);
    Ok(value)
}

fn performed(asked: Asked, watch: &dyn Watch) -> Result<Performed, Failure> {
    let Asked { study, log, columns, threads, .. } = &asked;
    let workloads = Workloads::of(study, log).map_err(Failure::input)?;
    run::tell_before(study, log, workloads.first());
    let kept = Mutex::new(BTreeMap::new());
    let keeps = study.runs().len().saturating_mul(workloads.first().len()) <= MOST_KEPT;
    let keep = |run: &Run, _: &RunReport, ended: &Ended<'_>| {
        if keeps {
            // no thread panics while holding the lock
            kept.lock().unwrap().insert(run.id(), Kept::of(ended));
        }
    };
    let RunsEnded { finished, failed } = run_all(study, &study.runs(), &workloads, *threads, watch, keep)?;
    run::tell_after(&finished, &failed, &workloads);
    let reports: Vec<RunReport> = finished.into_iter().map(|run| run.report).collect();
    let columns = results::columns(study, &reports, columns, OutputFormat::Json);
    let all: Vec<u32> = (0..study.repeats.map_or(0, |repeats| repeats.count)).collect();
    let repeated = repeat_all(study, log, &columns, &all, *threads, watch)?.map(|ended| ended.repeated);
    if watch.is_stopped() {
        return Err(Failure::Stopped);
    }
    Ok(Performed { asked, workloads, reports, failed, repeated, said: Vec::new(), kept })
}

impl Kept {
    fn of(ended: &Ended<'_>) -> Self {
        let lived = match &ended.workload {
            Cow::Borrowed(_) => None,
            Cow::Owned(lived) => Some(Arc::new(lived.clone())),
        };
        Kept { lived, schedule: Arc::new(ended.schedule.clone()) }
    }
}

impl Performed {
    /// The metrics of a table: all that are defined for programs, the study's for people; those that were asked for
    /// always.
    pub fn columns(&self, is_for_programs: bool) -> Vec<Metric> {
        let format = if is_for_programs { OutputFormat::Json } else { OutputFormat::Table };
        results::columns(&self.asked.study, &self.reports, &self.asked.columns, format)
    }

    /// The results as a table of these metrics.
    pub fn table(&self, columns: &[Metric]) -> Table {
        let Asked { study, log, .. } = &self.asked;
        let account = self.workloads.first().account.in_short(log.records_read());
        results::result_table(study, &self.reports, &self.failed, self.repeated.as_ref(), columns, account)
    }

    /// The results in a form of the command line: `table`, `json`, `csv`, `spreadsheet`, `markdown`, `latex`.
    ///
    /// # Errors
    /// There is no such form.
    pub fn rendered(&self, form: &str) -> Result<String, Refusal> {
        let format = <OutputFormat as clap::ValueEnum>::from_str(form, false);
        let known = || {
            <OutputFormat as clap::ValueEnum>::value_variants().iter().filter_map(clap::ValueEnum::to_possible_value)
        };
        let format = format.map_err(|_| {
            let forms = known().map(|form| form.get_name().to_owned()).collect::<Vec<_>>().join(", ");
            Refusal::Input(format!("there is no form {form}; there are {forms}"))
        })?;
        Ok(results::render(&self.table(&self.columns(format.is_for_programs())), format))
    }

    /// The sentence on the results: which run serves best what matters, and at what price; empty where there is nothing
    /// to compare.
    pub fn verdict(&self) -> String {
        let columns = self.columns(false);
        let judged = Judged {
            reports: self.reports.iter().collect(),
            missing: Vec::new(),
            columns: &columns,
            baseline: &self.asked.study.baseline,
            repeated: self.repeated.as_ref(),
            load: self.summary().offered_load,
            has_site: !self.asked.study.treatment.site.is_empty(),
        };
        results::in_words(&self.asked.study, &judged, self.asked.concern, OutputFormat::Table).trim().to_owned()
    }

    /// The summary of the study's workload.
    pub fn summary(&self) -> Summary {
        Summary::of(self.workloads.first())
    }

    /// The run with this id, or of the only row of this scheduler.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub fn run(&self, id: &str) -> Result<&Run, Refusal> {
        let runs = || self.reports.iter().map(|report| &report.run);
        if let Some(run) = runs().find(|run| run.id() == id || run.short_id() == id) {
            return Ok(run);
        }
        let of_scheduler: Vec<&Run> =
            runs().filter(|run| run.scheduler.to_string() == id || run.scheduler_name() == id).collect();
        match of_scheduler[..] {
            [run] => Ok(run),
            _ => {
                let ids = runs().map(Run::short_id).collect::<Vec<_>>().join(", ");
                Err(Refusal::Input(format!("there is no run {id}; there are {ids}")))
            }
        }
    }

    /// Does something with the schedule of a run, which is made again where it was not kept.
    ///
    /// # Errors
    /// The run cannot be made.
    pub fn with_schedule<T>(&self, run: &Run, work: impl FnOnce(&Workload, &Schedule) -> T) -> Result<T, Refusal> {
        // no thread panics while holding the lock
        let kept = self.kept.lock().unwrap().get(&run.id()).cloned();
        let of_study = self.workloads.of_run(run);
        match kept {
            Some(Kept { lived, schedule }) => Ok(work(lived.as_deref().unwrap_or(of_study), &schedule)),
            None => {
                let running =
                    packfair_study::Running::begin(run, of_study, self.asked.study.rules()).map_err(Failure::from)?;
                let Ended { workload, schedule } = running.ended().map_err(Failure::from)?;
                Ok(work(&workload, &schedule))
            }
        }
    }

    /// The digest of each run: of its schedule and report, to the last bit.
    ///
    /// # Errors
    /// A run cannot be made again.
    pub fn digests(&self) -> Result<Vec<u64>, Refusal> {
        let of = |report: &RunReport| self.with_schedule(&report.run, |_, schedule| digest(schedule, report));
        self.reports.iter().map(of).collect()
    }

    /// The figures of a chart, by its name: its file's name without its ending.
    ///
    /// # Errors
    /// There is no such chart, or it shows nothing of these runs.
    pub fn figure(&self, name: &str, runs: &[Run]) -> Result<Figure, Refusal> {
        let figures = self.figures(NamedChart::OF_RUNS.iter().chain(NamedChart::CURVES), runs)?;
        let names = || figures.iter().map(Figure::file_part).collect::<Vec<_>>().join(", ");
        let found = figures.iter().find(|figure| figure.file_part() == name || figure.kind == name).cloned();
        found.ok_or_else(|| Refusal::Input(format!("there is no chart {name} of these runs; there are {}", names())))
    }

    /// The names of the charts that show something of these results.
    ///
    /// # Errors
    /// A run cannot be made again.
    pub fn charts(&self) -> Result<Vec<String>, Refusal> {
        let figures = self.figures(NamedChart::OF_RUNS.iter().chain(NamedChart::CURVES), &self.first_runs())?;
        Ok(figures.iter().map(Figure::file_part).collect())
    }

    fn figures<'a>(&self, charts: impl Iterator<Item = &'a NamedChart>, runs: &[Run]) -> Result<Vec<Figure>, Refusal> {
        let charts: Vec<NamedChart> = charts.copied().collect();
        let measure = &self.asked.study.measure;
        let mut known = BTreeMap::new();
        for run in runs {
            let of_run = self.with_schedule(run, |workload, schedule| ChartedRun::of(workload, schedule, measure))?;
            known.insert(run.id(), of_run);
        }
        let charting = Charting {
            study: &self.asked.study,
            workload: self.workloads.first(),
            reports: &self.reports,
            known: &known,
            repeated: self.repeated.as_ref(),
        };
        Ok(charting.figures(&charts, runs).into_iter().map(|(_, figure)| figure).collect())
    }

    /// The runs whose lines a chart shows where nothing else is said: the first four.
    pub fn first_runs(&self) -> Vec<Run> {
        first_runs(self.reports.iter().map(|report| &report.run))
    }

    /// The link that carries the study and its results: the text behind `#` of the page's address.
    ///
    /// # Errors
    /// The results are too many for a link.
    pub fn link(&self) -> Result<String, Refusal> {
        let Asked { study, log, recipe, taken_for, concern, .. } = &self.asked;
        let summary = self.summary();
        let told = SenderView {
            recipe: recipe.map(|recipe| recipe.entry.id.to_owned()),
            concern: *concern,
            verdict: Some(self.verdict()).filter(|verdict| !verdict.is_empty()),
            partition: None,
            taken_for: taken_for.map(str::to_owned),
            log: Some(LogEssentials::of(&summary, log.records.len())),
            account: Some(self.workloads.first().account.in_short(log.records_read())),
        };
        let report = Report { study: study.clone(), summary, runs: self.reports.clone() };
        let shared =
            SharedStudy::of(&report, self.first_runs()).with_repeats(self.repeated.clone()).with_sender_view(told);
        link::encode(&shared).map_err(|error| Refusal::Input(error.to_string()))
    }

    /// The study and its results as a file, which the page opens.
    ///
    /// # Errors
    /// As [`Performed::link`].
    pub fn results_file(&self) -> Result<String, Refusal> {
        Ok(export::write_results(&self.asked.study, &self.link()?))
    }

    /// The paper's printed figures beside these, where the study is a recipe's and the log is one of its paper's.
    pub fn beside_printed(&self) -> Option<String> {
        let Asked { study, log, recipe, taken_for, .. } = &self.asked;
        let comparison = run::beside_printed(
            (*recipe)?,
            *taken_for,
            study,
            (self.workloads.first(), log.records.len()),
            &self.reports,
        )?;
        Some(results::beside_printed(&comparison, OutputFormat::Table).trim_start().to_owned())
    }

    /// The table as HTML, with its marks.
    pub fn html(&self) -> String {
        table::html(&self.table(&self.columns(false)), packfair_study::format::TimeUnit::Seconds)
    }
}
