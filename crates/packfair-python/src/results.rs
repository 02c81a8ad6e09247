//! What came out of a study, and of a search.

use crate::keywords::Function;
use crate::log::from_json;
use crate::table::{Table, Values};
use crate::working::{to_python, value_error};
use packfair::chart::{Figure, FigureView, Heading, Legend, Sheet, Theme, draw};
use packfair::cli::embedded::{Heard, Performed, options};
use packfair::explore::Findings as Found;
use packfair::study::Run;
use packfair::study::export::write_study;
use packfair::study::query::job_values;
use packfair::study::table::{Row, TableCell};
use pyo3::prelude::*;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// The sheet of a chart: the same as for a chart that the page saves.
const SHEET: Sheet = Sheet { width: 560.0, height: 340.0, legend: Legend::Below, heading: Heading::Apart };

/// The results of a study: a row for each run, that is for a scheduler with estimates.
///
/// In a notebook they show the verdict, the table with its marks, and a chart.
#[pyclass(frozen, module = "packfair")]
pub struct Results {
    performed: Performed,
}

impl Results {
    pub fn of(performed: Performed) -> Self {
        Results { performed }
    }

    /// As [`Results::of`], where any run has ended well.
    ///
    /// # Errors
    /// All have failed: why the first has.
    pub fn made(performed: Performed) -> PyResult<Self> {
        match performed.failed.first() {
            Some(failed) if performed.reports.is_empty() => Err(value_error(&failed.reason)),
            _ => Ok(Results::of(performed)),
        }
    }

    /// The runs with these ids; the first ones where none are named.
    fn chosen(&self, runs: Option<Vec<String>>) -> PyResult<Vec<Run>> {
        match runs {
            None => Ok(self.performed.first_runs()),
            Some(ids) => ids.iter().map(|id| to_python(self.performed.run(id)).cloned()).collect(),
        }
    }

    fn figure(&self, name: &str, runs: Option<Vec<String>>) -> PyResult<Figure> {
        let chosen = self.chosen(runs)?;
        // distributions go by the name of what is distributed, too: cdf-wait
        let of = name.strip_prefix("cdf-").map(|of| format!("{of}s"));
        to_python(self.performed.figure(of.as_deref().unwrap_or(name), &chosen))
    }
}

fn drawn(figure: Figure, theme: &Theme) -> String {
    draw(&Arc::new(figure), &FigureView::default(), SHEET, theme).svg
}

#[pymethods]
impl Results {
    /// The ids of the runs, in order: ``scheduler__estimator``, and what else tells them apart.
    #[getter]
    fn runs(&self) -> Vec<String> {
        self.performed.reports.iter().map(|report| report.run.id()).collect()
    }

    /// The digest of each run, by its id: of its schedule and all its numbers, to the last bit.
    #[getter]
    fn digests(&self, py: Python<'_>) -> PyResult<BTreeMap<String, String>> {
        let digests = to_python(py.detach(|| self.performed.digests()))?;
        Ok(self.runs().into_iter().zip(digests.iter().map(|digest| format!("{digest:016x}"))).collect())
    }

    /// The runs that failed, by their ids, and why.
    #[getter]
    fn failed(&self) -> BTreeMap<String, String> {
        self.performed.failed.iter().map(|failed| (failed.run.id(), Function::Run.in_words(&failed.reason))).collect()
    }

    /// What the command line would say of log, machine and runs, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.performed.said.iter().map(|said| Function::Run.in_words(said)).collect()
    }

    /// Which run serves best what matters, by how much, and at what price; how true the model is to the log comes first.
    /// Empty where there is nothing to compare.
    #[getter]
    fn verdict(&self) -> String {
        Function::Run.in_words(&self.performed.verdict())
    }

    /// The paper's printed figures beside these, as text; ``None`` where the study is no recipe's, or the log none of its
    /// paper's.
    #[getter]
    fn printed(&self) -> Option<String> {
        self.performed.beside_printed()
    }

    /// The study as JSON, as a file holds it.
    #[getter]
    fn study(&self) -> String {
        write_study(&self.performed.asked.study)
    }

    /// The results as a table with a row for each run: run, scheduler, estimator, k, shrink, jobs, saturated, overfull, failed, and a
    /// column for each metric under its id.
    ///
    /// ``metrics`` names some of them. ``changes`` adds the relative change from the baseline as ``AF.change`` (-0.1 is 10 %
    /// less), ``intervals`` the bounds of 95 % intervals from repeats as ``AF.low``, ``AF.high`` (and ``AF.change_low``, ``AF.change_high``).
    #[pyo3(signature = (metrics = None, *, changes = false, intervals = false))]
    fn table(&self, metrics: Option<Vec<String>>, changes: bool, intervals: bool) -> PyResult<Table> {
        let columns = match metrics {
            None => self.performed.columns(true),
            Some(ids) => {
                let metric =
                    |id: &String| id.parse().map_err(|error: packfair::catalogue::UnknownId| value_error(error));
                ids.iter().map(metric).collect::<PyResult<Vec<_>>>()?
            }
        };
        let table = self.performed.table(&columns);
        let text = |of: fn(&Row) -> String| Values::Text(table.rows.iter().map(|row| Some(of(row))).collect());
        let mut made = vec![
            ("run".to_owned(), text(|row| row.run.id())),
            ("scheduler".to_owned(), text(|row| row.run.scheduler.to_string())),
            ("estimator".to_owned(), text(|row| row.run.estimate.method.to_string())),
            ("k".to_owned(), Values::Real(table.rows.iter().map(|row| Some(row.run.estimate.k)).collect())),
            ("shrink".to_owned(), Values::Real(table.rows.iter().map(|row| Some(row.shrink)).collect())),
            ("jobs".to_owned(), Values::Whole(table.rows.iter().map(|row| Some(row.jobs as i64)).collect())),
            (
                "saturated".to_owned(),
                // none where the log is too short to tell
                Values::Truth(
                    table.rows.iter().map(|row| Some(row.is_saturated).filter(|_| !row.is_too_short)).collect(),
                ),
            ),
            ("overfull".to_owned(), Values::Truth(table.rows.iter().map(|row| Some(row.is_overfull)).collect())),
            ("failed".to_owned(), Values::Text(table.rows.iter().map(|row| row.failure.clone()).collect())),
        ];
        let mut add = |name: String, at: usize, of: fn(&TableCell) -> Option<f64>| {
            let value = |row: &Row| row.cells[at].as_ref().and_then(of);
            made.push((name, Values::Real(table.rows.iter().map(value).collect())));
        };
        for (at, metric) in columns.iter().enumerate() {
            let id = metric.about().id;
            add(id.to_owned(), at, |cell| Some(cell.value));
            if intervals {
                add(format!("{id}.low"), at, |cell| cell.interval.map(|interval| interval.low));
                add(format!("{id}.high"), at, |cell| cell.interval.map(|interval| interval.high));
            }
            if changes {
                add(format!("{id}.change"), at, |cell| cell.change);
            }
            if changes && intervals {
                add(format!("{id}.change_low"), at, |cell| cell.change_interval.map(|interval| interval.low));
                add(format!("{id}.change_high"), at, |cell| cell.change_interval.map(|interval| interval.high));
            }
        }
        Ok(Table::of(made))
    }

    /// The jobs of a run as a table, in log order: what the log tells of them, start, wait, response, slowdown, estimate and what
    /// else is known. Times are in seconds of the log's own clock.
    ///
    /// ``run`` is an id of ``runs``, or a scheduler that has one row.
    fn jobs(&self, py: Python<'_>, run: &str) -> PyResult<Table> {
        let run = to_python(self.performed.run(run))?.clone();
        let values =
            py.detach(|| self.performed.with_schedule(&run, |workload, schedule| job_values(workload, Some(schedule))));
        to_python(values).map(Table::of_jobs)
    }

    /// The names of the charts that show something of these results.
    #[getter]
    fn charts(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        to_python(py.detach(|| self.performed.charts()))
    }

    /// A chart as SVG text, as the page draws it.
    ///
    /// ``runs`` names those whose lines it shows, four at most by colour; usually the first. ``dark`` is for dark grounds.
    #[pyo3(signature = (name, runs = None, *, dark = false))]
    fn chart(&self, py: Python<'_>, name: &str, runs: Option<Vec<String>>, dark: bool) -> PyResult<String> {
        let figure = self.figure(name, runs)?;
        Ok(py.detach(|| drawn(figure, if dark { &Theme::DARK } else { &Theme::LIGHT })))
    }

    /// The lines of a chart as a table: series, x, y and, where there is one, a band.
    #[pyo3(signature = (name, runs = None))]
    fn curves(&self, name: &str, runs: Option<Vec<String>>) -> PyResult<Table> {
        let all = runs.or_else(|| Some(self.runs()));
        let mut figure = self.figure(name, all)?;
        for series in &mut figure.series {
            if let Some(run) = &series.run {
                series.name = run.id();
            }
        }
        Ok(of_csv(&figure.to_csv()))
    }

    /// The text behind ``#`` of the page's address that carries the study and its results; never the log.
    fn link(&self) -> PyResult<String> {
        to_python(self.performed.link())
    }

    /// Saves the results: ``.json`` as a study with its results, which the page opens; ``.csv``, ``.md`` and ``.tex`` the
    /// table; ``.html`` what a notebook shows.
    fn save(&self, py: Python<'_>, path: PathBuf) -> PyResult<()> {
        let ending = path.extension().unwrap_or_default().to_string_lossy().into_owned();
        let text = match ending.as_str() {
            "json" => to_python(self.performed.results_file())?,
            "csv" => to_python(self.performed.rendered("csv"))?,
            "md" => to_python(self.performed.rendered("markdown"))?,
            "tex" => to_python(self.performed.rendered("latex"))?,
            "html" => self._repr_html_(py)?,
            _ => {
                return Err(value_error(format!(
                    "{}: results are saved as .json, .csv, .md, .tex or .html",
                    path.display()
                )));
            }
        };
        std::fs::write(&path, text)
            .map_err(|error| value_error(format!("{} cannot be written: {error}", path.display())))
    }

    /// The table as a LaTeX tabular, for a paper.
    fn latex(&self) -> PyResult<String> {
        to_python(self.performed.rendered("latex"))
    }

    /// The table in a form of the command line: ``table``, ``json``, ``csv``, ``spreadsheet``, ``markdown``, ``latex``.
    fn text(&self, form: &str) -> PyResult<String> {
        to_python(self.performed.rendered(form))
    }

    fn __len__(&self) -> usize {
        self.performed.reports.len()
    }

    fn __repr__(&self) -> String {
        format!("<packfair.Results of {} runs on {}>", self.performed.reports.len(), self.performed.asked.log.name)
    }

    fn __str__(&self) -> PyResult<String> {
        let (table, verdict) = (to_python(self.performed.rendered("table"))?, self.verdict());
        Ok(if verdict.is_empty() { table } else { format!("{table}\n{verdict}\n") })
    }

    /// The verdict, the table with its marks, and a chart, light or dark as the reader's page is.
    fn _repr_html_(&self, py: Python<'_>) -> PyResult<String> {
        let verdict = self.verdict();
        let sentence = if verdict.is_empty() { String::new() } else { format!("<p>{}</p>\n", escaped(&verdict)) };
        let table = self.performed.html();
        let chart = ["tradeoff", "cwa", "waits"].iter().find_map(|name| self.figure(name, None).ok());
        let chart = py.detach(|| {
            chart.map(|figure| {
                let [light, dark] =
                    [&Theme::LIGHT, &Theme::DARK].map(|theme| as_picture(&drawn(figure.clone(), theme)));
                format!("<p>{}</p>\n{}", escaped(&figure.title), by_scheme(&light, &dark))
            })
        });
        Ok(format!("<div class=\"packfair\">\n{sentence}{table}{}</div>\n", chart.unwrap_or_default()))
    }
}

/// Shows the picture that is right for the ground. JupyterLab and its like say in an attribute of the page whether it is
/// dark; elsewhere the reader's system tells.
fn by_scheme(light: &str, dark: &str) -> String {
    format!(
        "<style>.packfair .pf-dark{{display:none}}\
         @media (prefers-color-scheme:dark){{:root:not([data-jp-theme-light]) .packfair .pf-dark,\
         body:not([data-jp-theme-light]) .packfair .pf-dark{{display:block}}\
         body:not([data-jp-theme-light]) .packfair .pf-light{{display:none}}}}\
         body[data-jp-theme-light=true] .packfair .pf-dark,body.vscode-light .packfair .pf-dark{{display:none}}\
         body[data-jp-theme-light=true] .packfair .pf-light,body.vscode-light .packfair .pf-light{{display:block}}\
         body[data-jp-theme-light=false] .packfair .pf-dark,body.vscode-dark .packfair .pf-dark{{display:block}}\
         body[data-jp-theme-light=false] .packfair .pf-light,body.vscode-dark .packfair .pf-light{{display:none}}</style>\n\
         <div class=\"pf-light\">{light}</div>\n<div class=\"pf-dark\">{dark}</div>\n"
    )
}

/// A drawing as an image of its own, so that its styles and ids do not meet those of the page.
fn as_picture(svg: &str) -> String {
    let mut data = String::with_capacity(svg.len() * 2);
    for byte in svg.bytes() {
        match byte {
            b'a'..=b'z'
            | b'A'..=b'Z'
            | b'0'..=b'9'
            | b' '
            | b'-'
            | b'.'
            | b','
            | b'/'
            | b':'
            | b'='
            | b';'
            | b'('
            | b')' => {
                data.push(byte.into());
            }
            _ => data.push_str(&format!("%{byte:02X}")),
        }
    }
    format!("<img alt=\"\" width=\"560\" src=\"data:image/svg+xml,{data}\" />")
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('\n', "<br>")
}

/// A table of CSV with a heading, whose columns are numbers where all their values are.
fn of_csv(text: &str) -> Table {
    let mut reader = csv::ReaderBuilder::new().flexible(true).from_reader(text.as_bytes());
    // what we wrote into memory can be read
    let names = reader.headers().cloned().unwrap_or_default();
    let rows: Vec<csv::StringRecord> = reader.records().filter_map(Result::ok).collect();
    let column = |at: usize| {
        let texts: Vec<Option<&str>> = rows.iter().map(|row| row.get(at).filter(|text| !text.is_empty())).collect();
        let number = |text: &Option<&str>| text.map_or(Some(None), |text| text.parse().ok().map(Some));
        match texts.iter().map(number).collect::<Option<Vec<Option<f64>>>>() {
            Some(numbers) => Values::Real(numbers),
            None => Values::Text(texts.into_iter().map(|text| text.map(str::to_owned)).collect()),
        }
    };
    Table::of(names.iter().enumerate().map(|(at, name)| (name.to_owned(), column(at))).collect())
}

/// What a search for settings came to.
#[pyclass(frozen, module = "packfair")]
pub struct Findings {
    found: Found,
    notes: Vec<String>,
}

impl Findings {
    pub fn of(heard: Heard<Found>) -> Self {
        Findings { found: heard.value, notes: heard.said }
    }
}

#[pymethods]
impl Findings {
    /// What the command line would say on the way, a sentence each.
    #[getter]
    fn notes(&self) -> Vec<String> {
        self.notes.iter().map(|said| Function::Explore.in_words(said)).collect()
    }

    /// Everything that was found, as the command line's JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        from_json(py, &options::as_json(&self.found))
    }

    /// The settings that no other setting beats, as a table.
    fn table(&self) -> Table {
        of_csv(&options::as_csv(&self.found))
    }

    fn __str__(&self) -> String {
        options::in_words(&self.found)
    }

    fn __repr__(&self) -> String {
        format!("<packfair.Findings of {} settings>", self.found.tried)
    }
}
