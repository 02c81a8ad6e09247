//! Links: a study and its results, as the fragment of an address.
//!
//! A link is `v1.` and then, in URL-safe base64, a deflated postcard of: the study in its JSON form (its schedulers and
//! metrics are ids, so a link outlives changes of the types here), the essentials of the workload, every number of the
//! table exactly, and charts, reduced to the room that is left. Kinds of charts that this version does not know are
//! skipped.

mod intervals;
mod line;
mod section;
mod wire;

pub use intervals::{LinkError, SharedAgreement};
pub use line::{LogEssentials, SenderView};
pub use wire::{pack, unpack};

use super::limits::{LONGEST_MESSAGE, LONGEST_NAME, MOST_JOBS, MOST_RUNS, PROCESSOR_RANGE};
use super::sureness::Repeated;
use super::{Engine, Report, Run, RunReport, Study, format, table};
use packfair_engine::metric::{Curves, Line, Metric};
use packfair_workload::{Clock, Machine, Steps, Unit, Zone, printable};
use section::{LinkSection, Space};
use std::collections::{BTreeMap, BTreeSet};
use wire::{RunNumbers, Wire};

const PREFIX: &str = "v1.";

/// Longest link, characters, unless the exact numbers alone take more. Mail programs, chats and servers cut addresses
/// somewhere beyond 8,000.
pub const BUDGET: usize = 7_500;

/// A study and its results, as far as a link carries them.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedStudy {
    pub study: Study,
    pub workload: SharedWorkload,
    /// The results, in the order of [`Study::runs`]. When read from a link, values are exact; curves for which there
    /// was room are there in reduced form, and the others are empty.
    pub runs: Vec<RunReport>,
    /// The runs whose curves matter most.
    pub charted: Vec<Run>,
    /// The engine that computed the results; `None` where an earlier version made the link, which did not say.
    pub engine: Option<Engine>,
    /// The results on the study's repeats. When read from a link, only the intervals are there.
    pub repeated: Option<Repeated>,
    /// What else the sender saw; `None` where the link does not tell.
    pub sender_view: Option<SenderView>,
}

/// The essentials of a workload, which a link carries in place of the jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedWorkload {
    pub name: String,
    pub jobs: usize,
    pub machine: Machine,
    /// Cumulative fraction of jobs against job area (METRICS Fig. 3, top).
    pub jobs_by_area: Line,
    /// Cumulative fraction of job area against job area.
    pub area_by_area: Line,
    /// How the log's seconds become dates and hours; `None` where the link does not tell.
    pub clock: Option<Clock>,
}

impl SharedStudy {
    /// The shared form of a report. The curves of the runs in `charted` come first where room is short.
    pub fn of(report: &Report, charted: Vec<Run>) -> Self {
        let summary = &report.summary;
        let workload = SharedWorkload {
            name: summary.name.clone(),
            jobs: summary.jobs,
            machine: summary.machine,
            jobs_by_area: line(&summary.jobs_by_area),
            area_by_area: line(&summary.area_by_area),
            clock: Some(summary.clock.clone()),
        };
        SharedStudy {
            study: report.study.clone(),
            workload,
            runs: report.runs.clone(),
            charted,
            engine: Some(Engine::THIS),
            repeated: None,
            sender_view: None,
        }
    }

    /// The same study with the results on its repeats.
    pub fn with_repeats(self, repeated: Option<Repeated>) -> Self {
        SharedStudy { repeated, ..self }
    }

    /// The same study with what else its sender saw.
    pub fn with_sender_view(self, seen: SenderView) -> Self {
        SharedStudy { sender_view: Some(seen), ..self }
    }

    /// The log, which a link does not carry, in words: "28,481 jobs on 100 processors in 340 d, load 70 %, hours of
    /// Europe/Stockholm."
    pub fn about_its_log(&self) -> String {
        let SharedWorkload { jobs, machine, clock, .. } = &self.workload;
        let log = self.sender_view.as_ref().and_then(|told| told.log);
        let unit = self.study.treatment.unit.unwrap_or(Unit::Processors);
        let span = log.map(|log| format!(" in {}", format::duration(log.span as f64)));
        let load = log.and_then(|log| log.load);
        let load = load.map(|load| format!(", load {}{}%", format::with_places(100.0 * load, 0), format::SPACE));
        let zone = match clock.as_ref().map(|clock| &clock.zone) {
            Some(Zone::Named(name)) => format!(", hours of {name}"),
            _ => String::new(),
        };
        format!(
            "{} jobs on {} {}{}{}{zone}.",
            format::whole(*jobs as i64),
            format::whole(machine.processors),
            unit.plural(),
            span.unwrap_or_default(),
            load.unwrap_or_default()
        )
    }

    /// The metrics whose values a link always carries: those of the table, each once.
    fn columns(&self) -> Vec<Metric> {
        let mut seen = BTreeSet::new();
        let columns = table::columns(&self.study.columns, &self.runs);
        columns.into_iter().filter(|metric| seen.insert(*metric)).collect()
    }

    fn other_metrics(&self) -> Vec<Metric> {
        let columns = self.columns();
        let all = BTreeSet::from_iter(self.runs.iter().flat_map(|run| run.values.keys().copied()));
        all.into_iter().filter(|metric| !columns.contains(metric)).collect()
    }
}

impl RunReport {
    /// Whether the result has curves to chart. After reading a link, only curves for which there was room are there.
    pub fn has_curves(&self) -> bool {
        let curves = &self.curves;
        !curves.cwa.x.is_empty() || !curves.queue_jobs.mean.is_empty()
    }
}

/// The fragment of an address (without `#`) that carries `shared`.
///
/// Results of runs that are not the study's are left out, and so are values that are not finite. What does not fit into
/// [`BUDGET`] is first reduced to fewer points, and then left out.
///
/// # Errors
/// Where [`decode`] would refuse the link: the study cannot be run, or is larger than any link.
pub fn encode(shared: &SharedStudy) -> Result<String, LinkError> {
    checked(with_spaces(shared, section::spaces(shared)))
}

/// A short link: the same study with all values of its table, but without charts.
///
/// # Errors
/// As [`encode`].
pub fn encode_values(shared: &SharedStudy) -> Result<String, LinkError> {
    checked(with_spaces(shared, section::spaces_of_values(shared)))
}

fn checked(link: String) -> Result<String, LinkError> {
    decode(&link).map(|_| link)
}

/// The link with the sections that are always carried, and with as much of `spaces` as there is room for.
fn with_spaces(shared: &SharedStudy, spaces: Vec<Space<'_>>) -> String {
    let mut wire = Wire::of(shared, &shared.columns());
    wire.sections.extend(section::always(shared).iter().map(LinkSection::to_wire));
    let mut link = wire.to_link();
    for Space { sizes, section, needed } in spaces {
        // Where the exact numbers take all the room, only needed sections go in, in their smallest size.
        let is_full = link.len() > BUDGET;
        let tried = match (is_full, needed) {
            (false, _) => sizes,
            (true, true) => &sizes[sizes.len() - 1..],
            (true, false) => &[],
        };
        for (i, &size) in tried.iter().enumerate() {
            let before = wire.sections.len();
            wire.sections.extend(section(size).iter().map(LinkSection::to_wire));
            let longer = wire.to_link();
            if longer.len() <= BUDGET || (needed && i + 1 == tried.len()) {
                link = longer;
                break;
            }
            wire.sections.truncate(before);
        }
    }
    link
}

/// Reads the fragment of an address, with or without its `#`.
///
/// # Errors
/// Where the text is no link, the link was cut short, changed or made by a newer version, or its study cannot be run.
pub fn decode(text: &str) -> Result<SharedStudy, LinkError> {
    let wire = Wire::from_link(text)?;
    let study: Study = serde_json::from_str(&wire.study).map_err(unknown)?;
    let study =
        study.checked().map_err(|problems| LinkError::Study(problems.into_iter().map(|p| p.message).collect()))?;
    at_most("runs", wire.rows.len() as u64, MOST_RUNS as u64)?;
    at_most("charted runs", wire.charted.len() as u64, MOST_RUNS as u64)?;
    at_most("processors", u64::from(wire.workload.machine.processors), u64::from(*PROCESSOR_RANGE.end()))?;
    at_most("characters in its log's name", wire.workload.name.chars().count() as u64, LONGEST_NAME as u64)?;
    let all_runs = study.runs();
    let metrics: Vec<Option<Metric>> = wire.metrics.iter().map(|id| id.parse().ok()).collect();
    let mut runs = Vec::new();
    let mut found = BTreeMap::new();
    for row in &wire.rows {
        let run = all_runs.get(row.run as usize).ok_or(LinkError::Damaged)?.clone();
        if found.insert(row.run, runs.len()).is_some() {
            return Err(LinkError::Damaged);
        }
        let RunNumbers { jobs, wall_s, .. } = *row;
        let values = wire::values(&metrics, &row.values)?;
        let (jobs, wall_s) = (jobs_of(jobs)?, wire::finite(wall_s)?);
        let shrink = run.treatment(&study.treatment).shrink;
        runs.push(RunReport {
            run,
            shrink,
            jobs,
            values,
            curves: Curves::default(),
            wall_s,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        });
    }
    let charted = wire.charted.iter().filter_map(|&i| all_runs.get(i as usize).cloned()).collect();
    let workload = SharedWorkload {
        name: printable(&wire.workload.name),
        jobs: jobs_of(wire.workload.jobs)?,
        machine: wire.workload.machine,
        jobs_by_area: Line::default(),
        area_by_area: Line::default(),
        clock: None,
    };
    let mut shared = SharedStudy { study, workload, runs, charted, engine: None, repeated: None, sender_view: None };
    let sections = wire.sections.iter().filter_map(|section| LinkSection::from_wire(section).transpose());
    let (counts, others): (Vec<LinkSection>, Vec<LinkSection>) =
        sections.collect::<Result<Vec<_>, _>>()?.into_iter().partition(LinkSection::is_exact_of_others);
    for section in others.iter().chain(&counts) {
        section.unpack_into(&mut shared, |index| found.get(&index).copied())?;
    }
    Ok(shared)
}

fn at_most(what: &'static str, count: u64, most: u64) -> Result<(), LinkError> {
    if count > most { Err(LinkError::TooMany { count, what, most }) } else { Ok(()) }
}

/// A number of jobs as a `usize`, with the same limit natively as in a browser, whose lists are shorter.
fn jobs_of(jobs: u64) -> Result<usize, LinkError> {
    at_most("jobs", jobs, MOST_JOBS)?;
    usize::try_from(jobs).map_err(|_| LinkError::Damaged)
}

fn line(steps: &Steps) -> Line {
    Line { x: steps.x.clone(), y: steps.y.clone() }
}

/// The error for what serde found, without the place in a JSON text that nobody sees.
fn unknown(error: serde_json::Error) -> LinkError {
    let message = error.to_string();
    LinkError::Unknown(message.split(" at line ").next().unwrap_or_default().chars().take(LONGEST_MESSAGE).collect())
}
