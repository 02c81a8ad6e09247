//! Saves the page's charts as files: curves as CSV, figures as SVG and PDF.

use super::args::{FigureForm, OutputArguments};
use super::{Failure, complain};
use packfair_chart::kinds::{Charted, Classed, JudgedEstimates};
use packfair_chart::{
    ChartedStudy, Figure, FigureView, Heading, Ink, Legend, NamedChart, Panels, Sheet, Theme, draw, first_runs, inks,
    origin, pdf, recipe_runs, with_origin,
};
use packfair_engine::metric::{Accuracy, ClassCourse, Measure};
use packfair_engine::model::Schedule;
use packfair_papers::recipe::Recipe;
use packfair_study::query::LearnedSizes;
use packfair_study::sureness::Repeated;
use packfair_study::{Run, RunReport, Study};
use packfair_workload::{Summary, Workload};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use std::{fs, io};
use tempfile::{Builder, NamedTempFile};

/// The sheet of a figure: the same as for a chart that the page saves.
const SHEET: Sheet = Sheet { width: 560.0, height: 340.0, legend: Legend::Below, heading: Heading::Apart };

/// Collects what charts need besides the reports, from the threads that make the runs.
pub(super) struct ChartFiles<'a> {
    study: &'a Study,
    output: &'a OutputArguments,
    known: Mutex<BTreeMap<String, ChartedRun>>,
}

/// What charts need of a run's schedule besides its report.
#[derive(Debug)]
pub(super) struct ChartedRun {
    accuracy: Accuracy,
    classes: ClassCourse,
}

impl ChartedRun {
    pub(super) fn of(workload: &Workload, schedule: &Schedule, measure: &Measure) -> Self {
        ChartedRun {
            accuracy: Accuracy::of(workload, schedule, measure.jobs()),
            classes: ClassCourse::of(workload, schedule, measure.jobs(), measure.bsld_bound),
        }
    }
}

impl<'a> ChartFiles<'a> {
    /// Prepares the files for the runs of a study, and creates the folders if necessary.
    pub(super) fn of(study: &'a Study, output: &'a OutputArguments) -> Result<Self, Failure> {
        for folder in output.curves.iter().chain(&output.figures) {
            fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        Ok(ChartFiles { study, output, known: Mutex::default() })
    }

    fn is_asked_for(&self) -> bool {
        self.output.curves.is_some() || self.output.figures.is_some()
    }

    pub(super) fn add(&self, run: &Run, workload: &Workload, schedule: &Schedule) {
        if !self.is_asked_for() {
            return;
        }
        let of_run = ChartedRun::of(workload, schedule, &self.study.measure);
        // no thread panics while holding the lock
        self.known.lock().unwrap().insert(run.id(), of_run);
    }

    /// Writes the files once all runs have ended. `recipe` is the recipe of the study, if it has one.
    pub(super) fn write(
        self,
        recipe: Option<&Recipe>,
        workload: &Workload,
        reports: &[RunReport],
        repeated: Option<&Repeated>,
    ) -> Result<(), Failure> {
        if !self.is_asked_for() {
            return Ok(());
        }
        // no thread panics while holding the lock
        let known = self.known.into_inner().unwrap();
        let charted = Charting { study: self.study, workload, reports, known: &known, repeated };
        if let Some(folder) = &self.output.curves {
            let every: Vec<Run> = reports.iter().map(|report| report.run.clone()).collect();
            for (chart, figure) in charted.figures(NamedChart::CURVES, &every) {
                let name = format!("{}.csv", figure.file_part());
                // in a sweep, the lines consist of several runs each
                let figure = if chart == NamedChart::Sweeps { figure } else { with_ids(figure) };
                write(folder, &name, figure.to_csv().as_bytes())?;
            }
        }
        let Some(folder) = &self.output.figures else { return Ok(()) };
        let runs = reports.iter().map(|report| &report.run);
        let of_recipe = recipe.map(|recipe| NamedChart::of_recipe(recipe.entry.id)).unwrap_or_default();
        let figures = match of_recipe {
            [] => charted.figures(NamedChart::OF_RUNS, &first_runs(runs)),
            charts => charted.figures(charts, &recipe_runs(runs)),
        };
        let origin = origin(self.study);
        for (_, figure) in figures {
            for form in &self.output.figures_as {
                let (name, content) = drawn(&figure, *form, &origin);
                write(folder, &name, &content)?;
            }
        }
        Ok(())
    }
}

/// The results of a study, from which charts are made.
pub(super) struct Charting<'a> {
    pub(super) study: &'a Study,
    pub(super) workload: &'a Workload,
    pub(super) reports: &'a [RunReport],
    pub(super) known: &'a BTreeMap<String, ChartedRun>,
    pub(super) repeated: Option<&'a Repeated>,
}

impl<'a> Charting<'a> {
    /// The figures of these charts that are not empty, with lines for the `chosen` runs. Each has a file name of its
    /// own.
    pub(super) fn figures(&self, charts: &[NamedChart], chosen: &[Run]) -> Vec<(NamedChart, Figure)> {
        let summary = Summary::of(self.workload);
        let sizes = charts.iter().any(|chart| chart.is_of_sizes()).then(|| LearnedSizes::of(self.workload));
        let inked: Vec<(&Run, Ink)> = chosen.iter().zip(inks(chosen)).collect();
        let ink_of = |run: &Run| inked.iter().find(|(other, _)| *other == run).map_or(Ink::Rest, |(_, ink)| *ink);
        let all: Vec<Charted<'_>> =
            self.reports.iter().map(|report| Charted { report, ink: ink_of(&report.run) }).collect();
        let find = |run: &Run| all.iter().copied().find(|charted| charted.report.run == *run);
        let of_chosen: Vec<Charted<'_>> = chosen.iter().filter_map(find).collect();
        let known = self.known;
        let of_run = move |charted: &Charted<'a>| {
            let run = &charted.report.run;
            Some((run, charted.ink, known.get(&run.id())?))
        };
        let each: Vec<(&Run, Ink, &ChartedRun)> = of_chosen.iter().filter_map(of_run).collect();
        let judged: Vec<JudgedEstimates<'_>> =
            each.iter().map(|&(run, ink, of_run)| JudgedEstimates { run, ink, accuracy: &of_run.accuracy }).collect();
        let classed: Vec<Classed<'_>> =
            each.iter().map(|&(run, ink, of_run)| Classed { run, ink, course: &of_run.classes }).collect();
        let of = ChartedStudy {
            study: self.study,
            summary: &summary,
            sizes: sizes.as_ref(),
            chosen: &of_chosen,
            all: &all,
            judged: &judged,
            classed: &classed,
            repeated: self.repeated,
        };
        let mut met = BTreeSet::new();
        let mut figures = Vec::new();
        for &chart in charts {
            for figure in chart.figures(&of) {
                let shows_something = figure.series.iter().any(|series| !series.data.is_empty());
                if shows_something && met.insert(figure.file_part()) {
                    figures.push((chart, figure.with_names(&self.study.row_names)));
                }
            }
        }
        figures
    }
}

/// The figure with the runs' ids as names.
fn with_ids(mut figure: Figure) -> Figure {
    for series in &mut figure.series {
        if let Some(run) = &series.run {
            series.name = run.id();
        }
    }
    figure
}

/// A figure in this form: the name of its file, and the content.
fn drawn(figure: &Figure, form: FigureForm, origin: &str) -> (String, Vec<u8>) {
    let part = figure.file_part();
    let drawing = draw(&Arc::new(figure.clone()), &FigureView::default(), SHEET, &Theme::LIGHT);
    match form {
        FigureForm::Svg => (format!("{part}.svg"), with_origin(&drawing.svg, origin).into_bytes()),
        FigureForm::Pdf => {
            let panels = Panels::of(vec![drawing], 1, &Theme::LIGHT);
            (format!("{part}.pdf"), pdf(&panels, &Theme::LIGHT, origin))
        }
    }
}

/// Writes a file so that it is either complete or absent.
fn write(folder: &Path, name: &str, content: &[u8]) -> Result<(), Failure> {
    let path = folder.join(name);
    let written = || -> io::Result<()> {
        let mut file = part_file(folder)?;
        file.write_all(content)?;
        file.as_file().sync_all()?;
        file.persist(&path)?;
        Ok(())
    };
    written().map_err(|error| Failure::file(&path, &error))
}

// Files of starts. Each file is either complete or absent.
//
// A file is written under a temporary name and renamed when it is complete. If the program is interrupted, it reports
// which runs have ended and which files are complete, and deletes incomplete files.

/// The exit code that shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// The largest number of files that a message names.
const NAMED: usize = 8;

/// The files of a study's runs, and their progress. Clones share the same files.
#[derive(Clone)]
pub(super) struct Starts {
    /// The directory of the files; `None` if no files are to be written.
    directory: Option<PathBuf>,
    progress: Arc<Mutex<StartsProgress>>,
}

#[derive(Default)]
struct StartsProgress {
    runs: usize,
    ended: usize,
    whole: Vec<PathBuf>,
    /// The files that are being written, under their temporary names.
    begun: Vec<PathBuf>,
    failures: Vec<String>,
}

impl Starts {
    /// The files for the runs of a study in `directory`, which is created if necessary.
    pub(super) fn of(study: &Study, directory: Option<&Path>) -> Result<Self, Failure> {
        if let Some(directory) = directory {
            fs::create_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        }
        let progress = StartsProgress { runs: study.runs().len(), ..StartsProgress::default() };
        Ok(Starts { directory: directory.map(Path::to_owned), progress: Arc::new(Mutex::new(progress)) })
    }

    /// Makes an interruption report and clean up as described above. If interruptions are ignored (`nohup`), they still
    /// are.
    pub(super) fn answer_interruptions(&self) {
        let starts = self.clone();
        let answer = move || {
            // held until the end, so that no file is renamed meanwhile
            let progress = starts.progress();
            for begun in &progress.begun {
                // a file that cannot be deleted has a name that cannot be mistaken for a result
                let _ = fs::remove_file(begun);
            }
            complain(&progress.said());
            std::process::exit(INTERRUPTED);
        };
        // if the handler cannot be set, an interruption ends the program at once without a report
        let _ = ctrlc::set_handler(answer);
    }

    /// Writes the files of a run that has ended. Each comes with the ending of its name after the run's name.
    pub(super) fn keep(&self, run: &Run, files: impl FnOnce() -> Vec<(&'static str, Vec<u8>)>) {
        if let Some(directory) = &self.directory {
            for (ending, content) in files() {
                let path = directory.join(format!("{}{ending}", run.file_stem()));
                if let Err(error) = self.write(directory, &path, &content) {
                    self.progress().failures.push(Failure::file(&path, &error).to_string());
                }
            }
        }
        self.progress().ended += 1;
    }

    fn write(&self, directory: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut file = self.begin(directory)?;
        let begun = file.path().to_owned();
        let written = file.write_all(content).and_then(|()| file.as_file().sync_all());
        let mut progress = self.progress();
        progress.begun.retain(|other| *other != begun);
        written?;
        file.persist(path)?;
        progress.whole.push(path.to_owned());
        Ok(())
    }

    /// Creates a file under a temporary name. It is deleted unless it gets its final name.
    fn begin(&self, directory: &Path) -> io::Result<NamedTempFile> {
        let mut progress = self.progress();
        let file = part_file(directory)?;
        progress.begun.push(file.path().to_owned());
        Ok(file)
    }

    /// Checks whether all files could be written.
    ///
    /// # Errors
    /// The first failure, and the number of failures.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let progress = self.progress();
        let Some(first) = progress.failures.first() else { return Ok(()) };
        Err(Failure::File(match progress.failures.len() - 1 {
            0 => first.clone(),
            others => format!("{first}; nor could {others} other files be written"),
        }))
    }

    fn progress(&self) -> MutexGuard<'_, StartsProgress> {
        // no thread panics while holding the lock
        self.progress.lock().unwrap()
    }
}

/// A new file in a folder, with a name that cannot be mistaken for a result. It is deleted unless it gets another name.
pub(super) fn part_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".packfair-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // the same permissions as any other new file
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

impl StartsProgress {
    /// The message after an interruption.
    fn said(&self) -> String {
        let StartsProgress { runs, ended, whole, .. } = self;
        let mut text = format!("interrupted after {ended} of {runs} runs; no table was printed");
        if !whole.is_empty() {
            let named: Vec<String> = whole.iter().take(NAMED).map(|path| path.display().to_string()).collect();
            let others =
                if whole.len() > NAMED { format!(" and {} others", whole.len() - NAMED) } else { String::new() };
            text.push_str(&format!(". Complete: {}{others}; the other files are missing", named.join(", ")));
        }
        text
    }
}
