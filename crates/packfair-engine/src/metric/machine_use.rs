//! How much of each resource of a machine of cells was used, and where; and what windows in which nodes are away cost
//! (docs/machine.md).

use super::saturation::StuckBehind;
use crate::model::Schedule;
use packfair_base::machine::{Displaced, Machine, Placement};
use packfair_workload::{Cluster, JobId, Seconds, Workload};
use rustc_hash::FxHashMap;
use serde::{Deserialize, Serialize};

/// Where a machine has more cells than this, only the whole machine and its partitions are measured.
pub const MOST_CELLS_TOLD: usize = 64;

/// Most windows whose cost is measured, the first ones of the calendar.
pub const MOST_WINDOWS_TOLD: usize = 1_000;

const HOUR: f64 = 3_600.0;

/// How a schedule used a machine's resources, from the first submission to the last completion.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MachineUse {
    /// For the whole machine, then its cells, then its partitions: the use of each resource that the part has.
    pub shares: Vec<ResourceUse>,
    /// The windows in which nodes are away, in the order of the calendar.
    pub windows: Vec<WindowUse>,
    /// Who is stuck behind what, where the scheduler knows nodes.
    pub stuck: Vec<StuckBehind>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum MachinePart {
    Whole,
    Cell(String),
    Partition(String),
}

/// How much of a resource was used in a part of a machine, relative to what there was at the time.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ResourceUse {
    pub part: MachinePart,
    pub resource: String,
    /// The share that executions held, including killed ones.
    pub utilisation: f64,
    /// The share that idled while waiting jobs asked for it and could run there; at most what they asked for.
    pub loss: f64,
}

/// A window in which nodes are away.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct WindowUse {
    pub cell: String,
    pub from: Seconds,
    /// When it ends; `None` for never.
    pub until: Option<Seconds>,
    pub nodes: u64,
    /// The length of the time before the window that is examined, seconds: the longest limit of any job, or less where
    /// there is less time.
    pub before: Seconds,
    /// Node-hours that idle in that time, counting at most as many nodes as go away.
    pub idle: f64,
    pub killed: u64,
    /// Processor-seconds that the killed executions had done.
    pub lost: f64,
}

/// An execution and the cells that it ran in.
struct PlacedExecution<'a> {
    job: JobId,
    start: Seconds,
    end: Seconds,
    placement: &'a Placement,
    is_killed: bool,
}

/// Something that happens at an instant.
enum UseEvent {
    Waits(JobId),
    Begins(usize),
    Ends(usize),
    /// A cell (the index) gets this many more nodes; negative where nodes go away.
    Nodes(usize, i64),
}

/// The course of a resource in a part of the machine.
#[derive(Clone, Copy, Default)]
struct PartUse {
    at: Seconds,
    there: i64,
    busy: i64,
    wanted: i64,
    /// Integrals over time of the amounts that were there, busy, and lost.
    areas: [i128; 3],
}

impl PartUse {
    /// Advances to `now`; only time within the span counts.
    fn go_on(&mut self, now: Seconds, (begin, end): (Seconds, Seconds)) {
        let seconds = i128::from((now.min(end) - self.at.max(begin)).max(0));
        let idle = (self.there - self.busy).max(0);
        for (area, amount) in self.areas.iter_mut().zip([self.there, self.busy, self.wanted.min(idle)]) {
            *area += i128::from(amount) * seconds;
        }
        self.at = now;
    }

    fn share(&self, area: usize) -> Option<f64> {
        (self.areas[0] > 0).then(|| self.areas[area] as f64 / self.areas[0] as f64)
    }
}

impl MachineUse {
    /// Measures a schedule. `None` where the machine is only a number of processors, or where the schedule does not
    /// tell cells, unless the scheduler knows nodes.
    pub fn of(workload: &Workload, schedule: &Schedule) -> Option<Self> {
        let of_cells = workload.cluster().and_then(|cluster| Self::of_cells(cluster, workload, schedule));
        let stuck = StuckBehind::reported(&schedule.notes);
        if stuck.is_empty() {
            return of_cells;
        }
        Some(MachineUse { stuck, ..of_cells.unwrap_or_default() })
    }

    // apart, because a first view has no cells
    #[inline(never)]
    fn of_cells(cluster: &Cluster, workload: &Workload, schedule: &Schedule) -> Option<Self> {
        let executions = executions(schedule);
        let begin = workload.requests().iter().map(|request| request.submit).min()?;
        let end = executions.iter().map(|run| run.end).max()?;
        let mut sweep = UseSweep::new(cluster, (begin, end));
        let mut events: Vec<(Seconds, UseEvent)> = Vec::new();
        let mut waits_since: FxHashMap<JobId, Seconds> = FxHashMap::default();
        for (place, run) in executions.iter().enumerate() {
            // After a killed execution, the job waits from its end on.
            let since = waits_since.insert(run.job, run.end).unwrap_or(workload.request(run.job).submit);
            events.push((since, UseEvent::Waits(run.job)));
            events.push((run.start, UseEvent::Begins(place)));
            events.push((run.end, UseEvent::Ends(place)));
        }
        for change in cluster.machine.calendar() {
            events.push((change.from, UseEvent::Nodes(change.cell, change.nodes)));
            events.extend(change.until.map(|until| (until, UseEvent::Nodes(change.cell, -change.nodes))));
        }
        events.sort_by_key(|(at, _)| *at);
        for (at, event) in events {
            sweep.take(at, &event, workload, &executions);
        }
        let longest = workload.requests().iter().map(|request| request.limit).max().unwrap_or(0);
        let windows = sweep.windows(workload, &executions, longest);
        Some(MachineUse { shares: sweep.shares(), windows, stuck: Vec::new() })
    }

    pub fn of_whole(&self, resource: &str) -> Option<&ResourceUse> {
        self.shares.iter().find(|share| share.part == MachinePart::Whole && share.resource == resource)
    }
}

/// All executions with known cells, in the order of their starts.
fn executions(schedule: &Schedule) -> Vec<PlacedExecution<'_>> {
    let killed: FxHashMap<(JobId, Seconds), Seconds> =
        schedule.killed.iter().map(|run| ((run.job, run.start), run.end)).collect();
    let of = |placed: &'_ crate::model::Placed| {
        let end = killed.get(&(placed.job, placed.start)).copied();
        (placed.job, placed.start, end.unwrap_or(schedule.end(placed.job)), end.is_some())
    };
    schedule
        .placed
        .iter()
        .map(|placed| {
            let (job, start, end, is_killed) = of(placed);
            PlacedExecution { job, start, end, placement: &placed.placement, is_killed }
        })
        .collect()
}

/// The state of all parts of a machine as time goes on.
struct UseSweep<'a> {
    cluster: &'a Cluster,
    span: (Seconds, Seconds),
    parts: Vec<MachinePart>,
    of_cell: Vec<Vec<usize>>,
    /// By the number of a shape, the parts in which jobs of that shape may run.
    of_shape: FxHashMap<u32, Vec<usize>>,
    /// The courses of all resources, part after part.
    courses: Vec<PartUse>,
    /// What is there and not held, cell after cell; negative where nodes drain.
    free: Vec<i64>,
    /// For each cell with a window, the number of idle whole nodes over time.
    idle: FxHashMap<usize, Vec<(Seconds, i64)>>,
}

impl<'a> UseSweep<'a> {
    fn new(cluster: &'a Cluster, span: (Seconds, Seconds)) -> Self {
        let machine = &cluster.machine;
        let cells = machine.cells();
        let mut parts = vec![MachinePart::Whole];
        let mut of_cell: Vec<Vec<usize>> = vec![vec![0]; cells.len()];
        if cells.len() > 1 && cells.len() <= MOST_CELLS_TOLD {
            for (cell, of) in cells.iter().zip(&mut of_cell) {
                of.push(parts.len());
                parts.push(MachinePart::Cell(cell.name.clone()));
            }
        }
        for partition in machine.partitions() {
            partition.cells.iter().for_each(|&cell| of_cell[cell].push(parts.len()));
            parts.push(MachinePart::Partition(partition.name.clone()));
        }
        let free = machine.capacity();
        let stride = machine.resources().len();
        let mut courses = vec![PartUse { at: Seconds::MIN / 2, ..PartUse::default() }; parts.len() * stride];
        for (cell, of) in of_cell.iter().enumerate() {
            for (&part, resource) in of.iter().flat_map(|part| (0..stride).map(move |resource| (part, resource))) {
                courses[part * stride + resource].there += free[cell * stride + resource];
            }
        }
        let windows = machine.calendar().iter().filter(|change| change.nodes < 0);
        let idle = windows.map(|change| (change.cell, vec![(Seconds::MIN, idle_nodes(machine, change.cell, &free))]));
        let idle = idle.collect();
        UseSweep { cluster, span, parts, of_cell, of_shape: FxHashMap::default(), courses, free, idle }
    }

    fn take(&mut self, at: Seconds, event: &UseEvent, workload: &Workload, executions: &[PlacedExecution<'_>]) {
        match *event {
            UseEvent::Waits(job) => self.want(at, workload.record(job), 1),
            UseEvent::Begins(place) => {
                let PlacedExecution { job, placement, .. } = executions[place];
                self.want(at, workload.record(job), -1);
                self.hold(at, workload.record(job), placement, 1);
            }
            UseEvent::Ends(place) => {
                let PlacedExecution { job, placement, .. } = executions[place];
                self.hold(at, workload.record(job), placement, -1);
            }
            UseEvent::Nodes(cell, nodes) => {
                let node = &self.cluster.machine.cells()[cell].node;
                let amounts: Vec<i64> = node.iter().map(|&of_node| nodes * of_node as i64).collect();
                self.change(at, cell, &amounts, |course, amount| course.there += amount);
                self.free(at, cell, &amounts);
            }
        }
    }

    /// A job begins to wait, and asks for resources wherever it may run; with `times` -1 it stops waiting.
    fn want(&mut self, at: Seconds, record: usize, times: i64) {
        let need = self.cluster.demands.need(record);
        let of_cell = &self.of_cell;
        let parts = self.of_shape.entry(need.number).or_insert_with(|| {
            let mut parts: Vec<usize> =
                need.shape.usable_cells().flat_map(|cell| of_cell[cell as usize].iter().copied()).collect();
            parts.sort_unstable();
            parts.dedup();
            parts
        });
        let stride = self.cluster.machine.resources().len();
        for resource in 0..stride {
            let amount = times * i64::from(need.parts) * need.shape.least(resource);
            if amount != 0 {
                for &part in parts.iter() {
                    let course = &mut self.courses[part * stride + resource];
                    course.go_on(at, self.span);
                    course.wanted += amount;
                }
            }
        }
    }

    /// A job takes resources in its cells; with `times` -1 it gives them back.
    fn hold(&mut self, at: Seconds, record: usize, placement: &Placement, times: i64) {
        let need = self.cluster.demands.need(record);
        for &(cell, parts) in &placement.0 {
            let Some(each) = need.shape.each_in(cell) else { continue };
            let amounts: Vec<i64> = each.iter().map(|each| times * each * i64::from(parts)).collect();
            self.change(at, cell as usize, &amounts, |course, amount| course.busy += amount);
            let freed: Vec<i64> = amounts.iter().map(|amount| -amount).collect();
            self.free(at, cell as usize, &freed);
        }
    }

    fn change(&mut self, at: Seconds, cell: usize, amounts: &[i64], change: impl Fn(&mut PartUse, i64)) {
        for &part in &self.of_cell[cell] {
            for (course, &amount) in self.courses[part * amounts.len()..].iter_mut().zip(amounts) {
                if amount != 0 {
                    course.go_on(at, self.span);
                    change(course, amount);
                }
            }
        }
    }

    /// Adds free resources to a cell, and records its idle nodes.
    fn free(&mut self, at: Seconds, cell: usize, amounts: &[i64]) {
        let own = &mut self.free[cell * amounts.len()..];
        own.iter_mut().zip(amounts).for_each(|(free, more)| *free += more);
        if let Some(steps) = self.idle.get_mut(&cell) {
            let idle = idle_nodes(&self.cluster.machine, cell, &self.free);
            match steps.last_mut() {
                Some((last, known)) if *last == at => *known = idle,
                _ => steps.push((at, idle)),
            }
        }
    }

    fn shares(&mut self) -> Vec<ResourceUse> {
        let resources = self.cluster.machine.resources();
        let mut shares = Vec::new();
        for (part, courses) in self.parts.iter().zip(self.courses.chunks_mut(resources.len())) {
            for (course, resource) in courses.iter_mut().zip(resources) {
                course.go_on(self.span.1, self.span);
                // A part may lack a resource.
                if let (Some(utilisation), Some(loss)) = (course.share(1), course.share(2)) {
                    shares.push(ResourceUse { part: part.clone(), resource: resource.clone(), utilisation, loss });
                }
            }
        }
        shares
    }

    fn windows(&self, workload: &Workload, executions: &[PlacedExecution<'_>], longest: Seconds) -> Vec<WindowUse> {
        let machine = &self.cluster.machine;
        let (begin, end) = self.span;
        let is_in = |from: Seconds| (begin..end).contains(&from);
        let changes = machine.calendar().iter().filter(|change| change.nodes < 0 && is_in(change.from));
        // The executions killed at each time, in the order of their starts.
        let mut killed: FxHashMap<Seconds, Vec<&PlacedExecution<'_>>> = FxHashMap::default();
        for run in executions.iter().filter(|run| run.is_killed) {
            killed.entry(run.end).or_default().push(run);
        }
        let mut windows = Vec::new();
        for change in changes.take(MOST_WINDOWS_TOLD) {
            let since = change.from.saturating_sub(longest).max(begin);
            let nodes = change.nodes.unsigned_abs();
            let steps = self.idle.get(&change.cell).map(Vec::as_slice).unwrap_or_default();
            // Each killed execution counts once, for the first window that could have killed it.
            let mut own = Vec::new();
            if change.displaced == Displaced::Kill
                && let Some(runs) = killed.get_mut(&change.from)
            {
                let is_there =
                    |run: &&PlacedExecution<'_>| run.placement.0.iter().any(|&(cell, _)| cell as usize == change.cell);
                own = runs.extract_if(.., |run| is_there(run)).collect();
            }
            let lost = |run: &&PlacedExecution<'_>| {
                f64::from(workload.request(run.job).processors) * (run.end - run.start) as f64
            };
            windows.push(WindowUse {
                cell: machine.cells()[change.cell].name.clone(),
                from: change.from,
                until: change.until,
                nodes,
                before: change.from - since,
                idle: idle_between(steps, since, change.from, nodes) / HOUR,
                killed: own.len() as u64,
                lost: own.iter().map(lost).sum(),
            });
        }
        windows
    }
}

/// The number of whole nodes of a cell that are not used at all.
fn idle_nodes(machine: &Machine, cell: usize, free: &[i64]) -> i64 {
    let node = &machine.cells()[cell].node;
    let of_each = free[cell * node.len()..].iter().zip(node).filter(|(_, of_node)| **of_node > 0);
    // A node has processors, so there is a minimum.
    of_each.map(|(&free, &of_node)| free.max(0) / of_node as i64).min().unwrap_or(0)
}

/// Node-seconds that idle from `since` to `until`, counting at most `nodes` nodes.
fn idle_between(steps: &[(Seconds, i64)], since: Seconds, until: Seconds, nodes: u64) -> f64 {
    let first = steps.partition_point(|&(at, _)| at <= since).saturating_sub(1);
    let mut area = 0.0;
    for (place, &(at, idle)) in steps.iter().enumerate().skip(first).take_while(|(_, (at, _))| *at < until) {
        let next = steps.get(place + 1).map_or(until, |&(next, _)| next.min(until));
        area += idle.min(i64::try_from(nodes).unwrap_or(i64::MAX)) as f64 * (next - at.max(since)).max(0) as f64;
    }
    area
}
