//! The parts of a link for which room is sought: charts and further metrics.

use super::intervals::{LinkError, PackedBand, PackedEnvelope};
use super::line::{self, PackedLine, SenderView};
use super::wire::{RunNumbers, Wire, WireSection, finite, from_bytes, index_of, to_bytes, values};
use super::{SharedStudy, intervals};
use crate::verdict::{Closeness, Fit, keep_waiting, waiting};
use crate::{Engine, Overfull, RunPartition, RunReport};
use packfair_engine::metric::{Curves, Envelope, Line, MachinePart, MachineUse, Metric, Saturation};
use packfair_workload::{Clock, printable};
use serde::{Deserialize, Serialize};

/// Number of runs whose curves come before everything else.
const FIRST_RUNS: usize = 4;

/// Number of further runs whose cumulative wait area is tried.
const MORE_RUNS: usize = 16;

/// Numbers of places of a line to try, the largest first.
const PLACES: &[usize] = &[240, 160, 100, 60, 30];

/// Numbers of bins of an envelope to try, the largest first.
const BINS: &[usize] = &[180, 120, 80, 40];

/// A part of a link. The number of its kind on the wire never changes.
#[derive(Debug, PartialEq)]
pub(super) enum LinkSection {
    /// 1: the cumulative fractions of jobs and of job area against job area.
    Areas(PackedLine, PackedLine),
    /// 2 to 4, 9 and 10: a line of a run.
    Line(RunLine, u32, PackedLine),
    /// 5 to 7: an envelope of a run.
    Envelope(RunEnvelope, u32, PackedEnvelope),
    /// 8: values of metrics besides the study's columns, with metric ids and rows as in [`Wire`].
    Values(Vec<String>, Vec<RunNumbers>),
    /// 11: where the log's own schedule exceeds the machine, with the index of its run.
    Overfull(u32, Overfull),
    /// 12: the engine that computed the results.
    Engine(Engine),
    /// 13: dates and time zone of the log.
    Clock(Clock),
    /// 14: how the queue grew to the end, with the indices of the runs.
    Saturation(Vec<(u32, Saturation)>),
    /// 15: the policies of a run over time.
    Policies(u32, PackedBand),
    /// 16: the intervals of repeats, in the form of [`intervals`].
    Intervals(Vec<u8>),
    /// 17: what else the sender saw, in the form of [`told`].
    SenderView(Vec<u8>),
    /// 18: the number of jobs that wait, with the indices of the runs.
    Waiting(Vec<(u32, u64)>),
    /// 19: how the cells of a run's machine were used.
    MachineUse(u32, Box<MachineUse>),
    /// 20: the indices of the runs of which the log is too short to tell whether the queue grew.
    TooShort(Vec<u32>),
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum RunLine {
    Cwa,
    Waits,
    Slowdowns,
    StrictUnfairness,
    RelaxedUnfairness,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub(super) enum RunEnvelope {
    QueueJobs,
    QueueWidth,
    Utilisation,
    Power,
}

impl RunLine {
    const ALL: [RunLine; 5] =
        [RunLine::Cwa, RunLine::Waits, RunLine::Slowdowns, RunLine::StrictUnfairness, RunLine::RelaxedUnfairness];

    fn kind(self) -> u8 {
        match self {
            RunLine::Cwa => 2,
            RunLine::Waits => 3,
            RunLine::Slowdowns => 4,
            RunLine::StrictUnfairness => 9,
            RunLine::RelaxedUnfairness => 10,
        }
    }

    fn of(self, curves: &Curves) -> &Line {
        match self {
            RunLine::Cwa => &curves.cwa,
            RunLine::Waits => &curves.waits,
            RunLine::Slowdowns => &curves.slowdowns,
            RunLine::StrictUnfairness => &curves.strict_unfairness,
            RunLine::RelaxedUnfairness => &curves.relaxed_unfairness,
        }
    }

    fn of_mut(self, curves: &mut Curves) -> &mut Line {
        match self {
            RunLine::Cwa => &mut curves.cwa,
            RunLine::Waits => &mut curves.waits,
            RunLine::Slowdowns => &mut curves.slowdowns,
            RunLine::StrictUnfairness => &mut curves.strict_unfairness,
            RunLine::RelaxedUnfairness => &mut curves.relaxed_unfairness,
        }
    }
}

impl RunEnvelope {
    const ALL: [RunEnvelope; 4] =
        [RunEnvelope::QueueJobs, RunEnvelope::QueueWidth, RunEnvelope::Utilisation, RunEnvelope::Power];

    fn kind(self) -> u8 {
        match self {
            RunEnvelope::QueueJobs => 5,
            RunEnvelope::QueueWidth => 6,
            RunEnvelope::Utilisation => 7,
            RunEnvelope::Power => 21,
        }
    }

    fn of(self, curves: &Curves) -> &Envelope {
        match self {
            RunEnvelope::QueueJobs => &curves.queue_jobs,
            RunEnvelope::QueueWidth => &curves.queue_width,
            RunEnvelope::Utilisation => &curves.utilisation,
            RunEnvelope::Power => &curves.power,
        }
    }

    fn of_mut(self, curves: &mut Curves) -> &mut Envelope {
        match self {
            RunEnvelope::QueueJobs => &mut curves.queue_jobs,
            RunEnvelope::QueueWidth => &mut curves.queue_width,
            RunEnvelope::Utilisation => &mut curves.utilisation,
            RunEnvelope::Power => &mut curves.power,
        }
    }
}

const AREAS: u8 = 1;
const VALUES: u8 = 8;
const OVERFULL: u8 = 11;
const ENGINE: u8 = 12;
const CLOCK: u8 = 13;
const SATURATION: u8 = 14;
const POLICIES: u8 = 15;
const INTERVALS: u8 = 16;
const TOLD: u8 = 17;
const WAITING: u8 = 18;
const MACHINE_USE: u8 = 19;
const TOO_SHORT: u8 = 20;

/// Most shares and windows of a machine in a link.
const MOST_OF_A_MACHINE: usize = 10_000;

impl LinkSection {
    pub(super) fn to_wire(&self) -> WireSection {
        let (kind, data) = match self {
            LinkSection::Areas(jobs, area) => (AREAS, to_bytes(&(jobs, area))),
            LinkSection::Line(which, run, line) => (which.kind(), to_bytes(&(run, line))),
            LinkSection::Envelope(which, run, envelope) => (which.kind(), to_bytes(&(run, envelope))),
            LinkSection::Values(metrics, rows) => (VALUES, to_bytes(&(metrics, rows))),
            LinkSection::Clock(clock) => (CLOCK, to_bytes(clock)),
            LinkSection::Overfull(run, overfull) => (OVERFULL, to_bytes(&(run, overfull))),
            LinkSection::Saturation(runs) => (SATURATION, to_bytes(runs)),
            LinkSection::Engine(engine) => (ENGINE, to_bytes(engine)),
            LinkSection::Policies(run, band) => (POLICIES, to_bytes(&(run, band))),
            LinkSection::Intervals(packed) => (INTERVALS, packed.clone()),
            LinkSection::SenderView(packed) => (TOLD, packed.clone()),
            LinkSection::Waiting(runs) => (WAITING, to_bytes(runs)),
            LinkSection::MachineUse(run, told) => (MACHINE_USE, to_bytes(&(run, told))),
            LinkSection::TooShort(runs) => (TOO_SHORT, to_bytes(runs)),
        };
        WireSection { kind, data }
    }

    /// Reads a section; `None` for a kind that this version does not know.
    pub(super) fn from_wire(section: &WireSection) -> Result<Option<Self>, LinkError> {
        let data = &section.data;
        Ok(Some(match section.kind {
            AREAS => {
                let (jobs, area) = from_bytes(data)?;
                LinkSection::Areas(jobs, area)
            }
            VALUES => {
                let (metrics, rows) = from_bytes(data)?;
                LinkSection::Values(metrics, rows)
            }
            CLOCK => LinkSection::Clock(from_bytes(data)?),
            OVERFULL => {
                let (run, overfull) = from_bytes(data)?;
                LinkSection::Overfull(run, overfull)
            }
            SATURATION => LinkSection::Saturation(from_bytes(data)?),
            TOO_SHORT => LinkSection::TooShort(from_bytes(data)?),
            ENGINE => LinkSection::Engine(from_bytes(data)?),
            POLICIES => {
                let (run, band) = from_bytes(data)?;
                LinkSection::Policies(run, band)
            }
            INTERVALS => LinkSection::Intervals(data.clone()),
            TOLD => LinkSection::SenderView(data.clone()),
            WAITING => LinkSection::Waiting(from_bytes(data)?),
            MACHINE_USE => {
                let (run, told) = from_bytes(data)?;
                LinkSection::MachineUse(run, told)
            }
            kind => {
                if let Some(which) = RunLine::ALL.into_iter().find(|which| which.kind() == kind) {
                    let (run, line) = from_bytes(data)?;
                    return Ok(Some(LinkSection::Line(which, run, line)));
                }
                let envelope = RunEnvelope::ALL.into_iter().find(|which| which.kind() == kind);
                let Some(which) = envelope else { return Ok(None) };
                let (run, envelope) = from_bytes(data)?;
                LinkSection::Envelope(which, run, envelope)
            }
        }))
    }

    /// Whether the section holds exactly what a reduced curve of another section shows nearly. It is unpacked after
    /// that one.
    pub(super) fn is_exact_of_others(&self) -> bool {
        matches!(self, LinkSection::Waiting(_))
    }

    /// Puts the section's data where they belong. `row_of` finds the row of a run from its index in the study.
    pub(super) fn unpack_into(
        &self,
        shared: &mut SharedStudy,
        row_of: impl Fn(u32) -> Option<usize>,
    ) -> Result<(), LinkError> {
        let row = |run: u32| row_of(run).ok_or(LinkError::Damaged);
        match self {
            LinkSection::Areas(jobs, area) => {
                shared.workload.jobs_by_area = jobs.unpack()?;
                shared.workload.area_by_area = area.unpack()?;
            }
            LinkSection::Line(which, run, line) => {
                *which.of_mut(&mut shared.runs[row(*run)?].curves) = line.unpack()?
            }
            LinkSection::Envelope(which, run, envelope) => {
                *which.of_mut(&mut shared.runs[row(*run)?].curves) = envelope.unpack()?;
            }
            LinkSection::Clock(clock) => {
                shared.workload.clock = Some(Some(clock.clone()).filter(Clock::is_sound).ok_or(LinkError::Damaged)?);
            }
            LinkSection::Values(metrics, rows) => {
                let metrics: Vec<Option<Metric>> = metrics.iter().map(|id| id.parse().ok()).collect();
                for further in rows {
                    let more = values(&metrics, &further.values)?;
                    shared.runs[row(further.run)?].values.extend(more);
                }
            }
            LinkSection::Overfull(run, overfull) => shared.runs[row(*run)?].overfull = Some(overfull.clone()),
            LinkSection::Saturation(runs) => {
                for &(run, saturation) in runs {
                    finite(saturation.left_s).and(finite(saturation.share))?;
                    shared.runs[row(run)?].saturation = Some(saturation);
                }
            }
            LinkSection::TooShort(runs) => {
                for &run in runs {
                    shared.runs[row(run)?].is_too_short = true;
                }
            }
            LinkSection::Engine(engine) => shared.engine = Some(*engine),
            LinkSection::Policies(run, band) => shared.runs[row(*run)?].curves.policies = band.unpack()?,
            LinkSection::MachineUse(run, told) => shared.runs[row(*run)?].machine_use = Some(Box::new(sound(told)?)),
            LinkSection::Intervals(packed) => shared.repeated = Some(intervals::unpacked(packed, &shared.study)?),
            LinkSection::SenderView(packed) => shared.sender_view = Some(line::unpacked(packed)?),
            LinkSection::Waiting(runs) => {
                for &(run, jobs) in runs {
                    keep_waiting(&mut shared.runs[row(run)?], jobs);
                }
            }
        }
        Ok(())
    }
}

/// The same machine use with printable names, checked.
fn sound(told: &MachineUse) -> Result<MachineUse, LinkError> {
    let mut told = told.clone();
    if told.shares.len() > MOST_OF_A_MACHINE
        || told.windows.len() > MOST_OF_A_MACHINE
        || told.stuck.len() > MOST_OF_A_MACHINE
    {
        return Err(LinkError::Damaged);
    }
    for share in &mut told.shares {
        finite(share.utilisation).and(finite(share.loss))?;
        share.resource = printable(&share.resource);
        if let MachinePart::Cell(name) | MachinePart::Partition(name) = &mut share.part {
            *name = printable(name);
        }
    }
    for window in &mut told.windows {
        finite(window.idle).and(finite(window.lost))?;
        window.cell = printable(&window.cell);
    }
    for stuck in &mut told.stuck {
        for number in [stuck.share, stuck.nodes, stuck.held, stuck.processors] {
            finite(number)?;
        }
        stuck.resource = printable(&stuck.resource);
        stuck.obstacle = printable(&stuck.obstacle);
    }
    Ok(told)
}

/// A part of a link that can be made in several sizes.
pub(super) struct Space<'a> {
    /// The sizes to try, the largest first.
    pub(super) sizes: &'static [usize],
    pub(super) section: Box<dyn Fn(usize) -> Vec<LinkSection> + 'a>,
    /// Whether the smallest size is put in even without room.
    pub(super) needed: bool,
}

/// Everything that a link can carry of `shared` besides the table, the most important first.
pub(super) fn spaces(shared: &SharedStudy) -> Vec<Space<'_>> {
    let first = charted_first(shared);
    let (first, others) = first.split_at(first.len().min(FIRST_RUNS));
    let first: Vec<(u32, usize)> = first.to_vec();
    let mut spaces = vec![clock(shared), areas(shared), lines(shared, RunLine::Cwa, first.clone(), true)];
    spaces.push(envelopes(shared, RunEnvelope::QueueJobs, first.clone()));
    spaces.push(lines(shared, RunLine::Waits, first.clone(), false));
    spaces.push(envelopes(shared, RunEnvelope::Utilisation, first.clone()));
    spaces.push(envelopes(shared, RunEnvelope::Power, first.clone()));
    spaces.push(policies(shared, first.clone()));
    spaces.push(lines(shared, RunLine::Slowdowns, first.clone(), false));
    spaces.push(lines(shared, RunLine::StrictUnfairness, first.clone(), false));
    spaces.push(lines(shared, RunLine::RelaxedUnfairness, first.clone(), false));
    spaces.push(envelopes(shared, RunEnvelope::QueueWidth, first));
    spaces.extend(others.iter().take(MORE_RUNS).map(|&run| lines(shared, RunLine::Cwa, vec![run], false)));
    spaces.push(machines(shared, charted_first(shared)));
    spaces.push(further_values(shared));
    spaces
}

/// What a link with values alone has room for: dates and time zone.
pub(super) fn spaces_of_values(shared: &SharedStudy) -> Vec<Space<'_>> {
    vec![clock(shared)]
}

pub(super) fn always(shared: &SharedStudy) -> Vec<LinkSection> {
    let index = index_of(shared);
    let overfull =
        |result: &RunReport| Some(LinkSection::Overfull(*index.get(&result.run.id())?, result.overfull.clone()?));
    let saturated = |result: &RunReport| Some((*index.get(&result.run.id())?, result.saturation?));
    let saturated: Vec<(u32, Saturation)> = shared.runs.iter().filter_map(saturated).collect();
    let saturation = (!saturated.is_empty()).then_some(LinkSection::Saturation(saturated));
    let of_short = shared.runs.iter().filter(|result| result.is_too_short);
    let too_short: Vec<u32> = of_short.filter_map(|result| index.get(&result.run.id()).copied()).collect();
    let too_short = (!too_short.is_empty()).then_some(LinkSection::TooShort(too_short));
    let repeated = shared.repeated.as_ref().and_then(|_| intervals::packed(shared)).map(LinkSection::Intervals);
    let sender_view = shared.sender_view.as_ref().map(|view: &SenderView| LinkSection::SenderView(line::packed(view)));
    let waits = |result: &RunReport| Some((*index.get(&result.run.id())?, waiting(result)? as u64));
    let waits: Vec<(u32, u64)> = shared.runs.iter().filter_map(waits).collect();
    let waits = (!waits.is_empty()).then_some(LinkSection::Waiting(waits));
    let sections =
        shared.engine.map(LinkSection::Engine).into_iter().chain(saturation).chain(too_short).chain(repeated);
    sections
        .chain(sender_view)
        .chain(waits)
        .chain(nearest(shared))
        .chain(shared.runs.iter().filter_map(overfull))
        .collect()
}

/// How near the nearest simulated schedule comes to the log's own, on each machine; it shows how far to trust a table.
fn nearest(shared: &SharedStudy) -> Option<LinkSection> {
    let mut machines: Vec<Option<&RunPartition>> = Vec::new();
    for report in &shared.runs {
        let machine = report.run.partition.as_ref();
        if !machines.contains(&machine) {
            machines.push(machine);
        }
    }
    let index = index_of(shared);
    let of_machine = |machine| index.get(&Fit::on(machine, &shared.runs)?.report.run.id());
    let nearest: Vec<u32> = machines.into_iter().filter_map(of_machine).copied().collect();
    let mut wire = Wire::of(shared, &Closeness::METRICS);
    wire.rows.retain(|row| nearest.contains(&row.run));
    (!wire.rows.is_empty()).then_some(LinkSection::Values(wire.metrics, wire.rows))
}

fn charted_first(shared: &SharedStudy) -> Vec<(u32, usize)> {
    let index = index_of(shared);
    let with_index = |(row, result): (usize, &RunReport)| Some((*index.get(&result.run.id())?, row));
    let mut runs: Vec<(u32, usize)> = shared.runs.iter().enumerate().filter_map(with_index).collect();
    let rank = |row: usize| shared.charted.iter().position(|run| *run == shared.runs[row].run);
    let rank = |row: usize| rank(row).unwrap_or(usize::MAX);
    runs.sort_by_key(|&(_, a)| rank(a));
    runs
}

fn clock(shared: &SharedStudy) -> Space<'_> {
    let section = |_| shared.workload.clock.clone().map(LinkSection::Clock).into_iter().collect();
    Space { sizes: &[1], section: Box::new(section), needed: true }
}

fn areas(shared: &SharedStudy) -> Space<'_> {
    let section = |places| {
        let jobs = PackedLine::of(&shared.workload.jobs_by_area, places);
        let area = PackedLine::of(&shared.workload.area_by_area, places);
        jobs.zip(area).map(|(jobs, area)| LinkSection::Areas(jobs, area)).into_iter().collect()
    };
    Space { sizes: PLACES, section: Box::new(section), needed: true }
}

fn lines(shared: &SharedStudy, which: RunLine, runs: Vec<(u32, usize)>, needed: bool) -> Space<'_> {
    let section = move |places| {
        let pack = |&(index, row): &(u32, usize)| {
            let curves = &shared.runs[row].curves;
            Some(LinkSection::Line(which, index, PackedLine::of(which.of(curves), places)?))
        };
        runs.iter().filter_map(pack).collect()
    };
    Space { sizes: PLACES, section: Box::new(section), needed }
}

fn envelopes(shared: &SharedStudy, which: RunEnvelope, runs: Vec<(u32, usize)>) -> Space<'_> {
    let section = move |bins| {
        let pack = |&(index, row): &(u32, usize)| {
            let curves = &shared.runs[row].curves;
            Some(LinkSection::Envelope(which, index, PackedEnvelope::of(which.of(curves), bins)?))
        };
        runs.iter().filter_map(pack).collect()
    };
    Space { sizes: BINS, section: Box::new(section), needed: false }
}

fn policies(shared: &SharedStudy, runs: Vec<(u32, usize)>) -> Space<'_> {
    let section = move |bins| {
        let pack = |&(index, row): &(u32, usize)| {
            let Curves { policies, queue_jobs, .. } = &shared.runs[row].curves;
            let end = queue_jobs.begin + queue_jobs.step * queue_jobs.mean.len() as f64;
            Some(LinkSection::Policies(index, PackedBand::of(policies, end, bins)?))
        };
        runs.iter().filter_map(pack).collect()
    };
    Space { sizes: BINS, section: Box::new(section), needed: false }
}

fn machines(shared: &SharedStudy, runs: Vec<(u32, usize)>) -> Space<'_> {
    let section = move |most: usize| {
        let told =
            |&(index, row): &(u32, usize)| Some(LinkSection::MachineUse(index, shared.runs[row].machine_use.clone()?));
        runs.iter().take(most).filter_map(told).collect()
    };
    Space { sizes: &[usize::MAX, FIRST_RUNS, 1], section: Box::new(section), needed: false }
}

fn further_values(shared: &SharedStudy) -> Space<'_> {
    let section = |_| {
        let wire = Wire::of(shared, &shared.other_metrics());
        if wire.metrics.is_empty() { Vec::new() } else { vec![LinkSection::Values(wire.metrics, wire.rows)] }
    };
    Space { sizes: &[1], section: Box::new(section), needed: false }
}
