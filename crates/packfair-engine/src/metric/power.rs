//! What a schedule drew: energy, power, price and carbon, from the first submission to the last completion
//! (docs/power.md).
//!
//! Power is a step function of time. It is added up in whole nanowatts, so that sums do not depend on their order.

use super::curve::Binning;
use super::{Envelope, Measure, Outcome};
use crate::model::{NoteId, Schedule};
use packfair_base::machine::{HeldPower, Machine, NANO, Placement, cap_steps};
use packfair_workload::{Clock, JobId, Seconds, Workload};
use rustc_hash::FxHashMap;

/// Nanowatt-seconds in a kWh.
const KWH: f64 = 3.6e6 * NANO as f64;

/// Nanowatts in a kW.
const KW: f64 = 1_000.0 * NANO as f64;

/// The energies, in kWh, and the power of a schedule.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct PowerUse {
    /// Whether the watts of the machine are known, and not of jobs alone.
    pub(super) is_of_machine: bool,
    /// All that was drawn.
    pub(super) energy: f64,
    /// What the nodes drew that jobs held.
    pub(super) jobs: f64,
    /// What executions drew that were killed; part of `jobs`.
    pub(super) killed: f64,
    /// What nodes drew that were off.
    pub(super) off: f64,
    /// What nodes drew that jobs held before they began.
    pub(super) boots: f64,
    /// Mean and greatest power, kW.
    pub(super) mean: f64,
    pub(super) peak: f64,
    /// The cost of the energy, in the currency of the prices, where they are known.
    pub(super) cost: Option<f64>,
    /// Kilograms of CO2, where intensities are known.
    pub(super) carbon: Option<f64>,
    /// Where there is a cap: for how long the power was above it, seconds; by how much at most, kW; and the energy that
    /// was not used below it.
    pub(super) cap: Option<CapUse>,
}

/// How a schedule kept to a cap of power.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct CapUse {
    pub(super) over: f64,
    pub(super) most_over: f64,
    pub(super) unused: f64,
}

impl PowerUse {
    /// What nodes drew that were on and of which nobody held anything.
    pub(super) fn idle(&self) -> f64 {
        self.energy - self.jobs - self.off - self.boots
    }
}

/// The power of parts of a machine, nanowatts.
#[derive(Clone, Copy, Default)]
struct Power {
    all: i64,
    jobs: i64,
    killed: i64,
    off: i64,
    boots: i64,
}

impl Power {
    fn add(&mut self, more: &Power, times: i64) {
        self.all += times * more.all;
        self.jobs += times * more.jobs;
        self.killed += times * more.killed;
        self.off += times * more.off;
        self.boots += times * more.boots;
    }
}

/// An execution of a job, and where it ran.
struct PoweredRun<'a> {
    job: JobId,
    start: Seconds,
    end: Seconds,
    is_killed: bool,
    placement: Option<&'a Placement>,
}

impl PowerUse {
    /// Measures a schedule; none where neither the watts of the machine nor those of any job are known.
    pub(super) fn of(workload: &Workload, schedule: &Schedule, all: &[Outcome], measure: &Measure) -> Option<Self> {
        Self::drawn(machine_if_known(workload)?, workload, schedule, all, measure)
    }

    // apart, because without watts a first view needs none of it
    #[inline(never)]
    fn drawn(
        machine: Option<&Machine>,
        workload: &Workload,
        schedule: &Schedule,
        all: &[Outcome],
        measure: &Measure,
    ) -> Option<Self> {
        let begin = all.iter().map(|job| job.submit).min()?;
        let end = all.iter().map(|job| job.end).max()?;
        let pue = usage_effectiveness(machine);
        let clock = Clock::of_workload(workload);
        let steps = |series: Option<&crate::power::PowerSeries>| {
            // nothing is known of what comes before the first value
            series.and_then(|series| series.on(&clock)).filter(|steps| steps.first().is_some_and(|of| of.0 <= begin))
        };
        let mut prices = Priced::of(steps(measure.prices.as_deref()));
        let mut intensities = Priced::of(steps(measure.intensity.as_deref()));
        let caps = machine.and_then(Machine::power_cap).map(cap_steps);
        let mut cap = Priced::of(caps.clone());
        let mut sums = [0_i128; 5];
        let (mut peak, mut use_of_cap) = (0_i64, CapUse::default());
        each_step(workload, schedule, machine, (begin, end), |from, until, power| {
            let span = i128::from(until - from);
            for (sum, power) in sums.iter_mut().zip([power.all, power.jobs, power.killed, power.off, power.boots]) {
                *sum += span * i128::from(power);
            }
            peak = peak.max(power.all);
            let kw = power.all as f64 / KW * pue;
            prices.go_on(from, until, |price, seconds, sum| *sum += kw * seconds / 3_600.0 * price / 1_000.0);
            intensities.go_on(from, until, |grams, seconds, sum| *sum += kw * seconds / 3_600.0 * grams / 1_000.0);
            cap.go_on(from, until, |watts, seconds, _| {
                let over = kw - watts / 1_000.0;
                if over > 1e-9 {
                    use_of_cap.over += seconds;
                    use_of_cap.most_over = use_of_cap.most_over.max(over);
                } else {
                    use_of_cap.unused -= over * seconds / 3_600.0;
                }
            });
        });
        let [energy, jobs, killed, off, boots] = sums.map(|sum| sum as f64 / KWH * pue);
        let hours = (end - begin) as f64 / 3_600.0;
        Some(PowerUse {
            is_of_machine: machine.is_some(),
            energy,
            jobs,
            killed,
            off,
            boots,
            mean: if hours > 0.0 { energy / hours } else { f64::NAN },
            peak: peak as f64 / KW * pue,
            cost: prices.sum(),
            carbon: intensities.sum(),
            cap: caps.map(|_| use_of_cap),
        })
    }
}

/// The machine, where its watts are known; none at all where those of no job are known either.
fn machine_if_known(workload: &Workload) -> Option<Option<&Machine>> {
    let machine = workload.cells().filter(|machine| machine.watts().is_some());
    (machine.is_some() || workload.power().is_some()).then_some(machine)
}

/// What is drawn for each watt that the nodes draw.
fn usage_effectiveness(machine: Option<&Machine>) -> f64 {
    machine.and_then(Machine::watts).map_or(1.0, |power| power.pue)
}

/// The power over [from, until), kW, in `bins` bins, at least 1; empty where no watts are known, or the window is.
pub(super) fn power_over_time(
    workload: &Workload,
    schedule: &Schedule,
    (from, until): (f64, f64),
    bins: usize,
) -> Envelope {
    match machine_if_known(workload).filter(|_| until > from) {
        Some(machine) => binned(machine, workload, schedule, (from, until), bins),
        None => Envelope::default(),
    }
}

// apart, because without watts a first view needs none of it
#[inline(never)]
fn binned(
    machine: Option<&Machine>,
    workload: &Workload,
    schedule: &Schedule,
    (from, until): (f64, f64),
    bins: usize,
) -> Envelope {
    let mut binning = Binning::new(from, until, bins);
    let pue = usage_effectiveness(machine);
    let whole = (from.floor() as Seconds, until.ceil() as Seconds);
    each_step(workload, schedule, machine, whole, |_, end, power| {
        binning.extend(end as f64, [power.all as f64 / KW * pue])
    });
    let [power] = binning.finish();
    power
}

/// Tells every step of the power between two times: from when until when, and what is drawn.
fn each_step(
    workload: &Workload,
    schedule: &Schedule,
    machine: Option<&Machine>,
    (mut at, end): (Seconds, Seconds),
    mut tell: impl FnMut(Seconds, Seconds, &Power),
) {
    let mut now = machine.map(empty).unwrap_or_default();
    let mut changes = changes(workload, schedule, machine);
    changes.sort_unstable_by_key(|change| change.0);
    let last = [(Seconds::MAX, Power::default())];
    for (time, change) in changes.iter().chain(&last) {
        let until = (*time).min(end);
        if until > at {
            // a node that goes while a job runs on it draws as long as the job runs
            tell(at, until, &Power { all: now.all.max(now.jobs + now.off + now.boots), ..now });
            at = until;
        }
        now.add(change, 1);
    }
}

/// The power of a machine of which nobody holds anything.
fn empty(machine: &Machine) -> Power {
    let of = |(place, cell): (usize, &packfair_base::machine::Cell)| i64::from(cell.nodes) * machine.idle_node(place);
    Power { all: machine.cells().iter().enumerate().map(of).sum(), ..Power::default() }
}

/// What changes the power of a machine, and when.
fn changes(workload: &Workload, schedule: &Schedule, machine: Option<&Machine>) -> Vec<(Seconds, Power)> {
    let mut changes = Vec::new();
    let mut change = |at: Seconds, power: &Power, times: i64| {
        let mut more = Power::default();
        more.add(power, times);
        changes.push((at, more));
    };
    let drawn = PowerOfRuns::new(workload, machine);
    for run in executions(workload, schedule).iter().filter(|run| run.end > run.start) {
        let HeldPower { idle, busy } = drawn.of(workload, run);
        let killed = if run.is_killed { busy } else { 0 };
        let power = Power { all: busy - idle, jobs: busy, killed, ..Power::default() };
        change(run.start, &power, 1);
        change(run.end, &power, -1);
    }
    let Some((machine, model)) = machine.and_then(|machine| Some((machine, machine.watts()?))) else { return changes };
    for of in machine.calendar() {
        let power = Power { all: machine.idle_node(of.cell), ..Power::default() };
        change(of.from, &power, of.nodes);
        if let Some(until) = of.until {
            change(until, &power, -of.nodes);
        }
    }
    for (note, is_off) in [(NoteId::NODES_OFF, true), (NoteId::NODES_BOOTING, false)] {
        for (name, course) in schedule.notes.course_parts(note) {
            // a scheduler that counts nodes itself knows the names of the site's files
            let named = machine.cells().iter().position(|cell| cell.name == name);
            let Some(cell) = named.or((machine.cells().len() == 1).then_some(0)) else { continue };
            let (idle, off) = (machine.idle_node(cell), model.nodes[cell].off as i64 * NANO);
            let power = if is_off {
                Power { all: off - idle, off, ..Power::default() }
            } else {
                Power { boots: idle, ..Power::default() }
            };
            let mut before = 0;
            for &(at, nodes) in course {
                change(at, &power, nodes as i64 - before);
                before = nodes as i64;
            }
        }
    }
    changes
}

/// All executions, killed ones among them.
fn executions<'a>(workload: &Workload, schedule: &'a Schedule) -> Vec<PoweredRun<'a>> {
    let placed: FxHashMap<(JobId, Seconds), &Placement> =
        schedule.placed.iter().map(|placed| ((placed.job, placed.start), &placed.placement)).collect();
    let suspensions = schedule.suspensions();
    // a suspended job draws nothing of its own: its processors idle, or are another job's
    let of = |job, start, end, is_killed| {
        let placement = placed.get(&(job, start)).copied();
        let spans = suspensions.spans(job, start, end);
        spans.map(move |(start, end)| PoweredRun { job, start, end, is_killed, placement })
    };
    let completed = workload.jobs().filter(|&job| schedule.start(job) != Seconds::MIN);
    let completed = completed.flat_map(|job| of(job, schedule.start(job), schedule.end(job), false));
    let killed = schedule.killed.iter().flat_map(|run| of(run.job, run.start, run.end, true));
    completed.chain(killed).collect()
}

/// What executions draw.
struct PowerOfRuns<'a> {
    machine: Option<&'a Machine>,
    /// What a processor of the machine draws idle and busy, on the average of its nodes, nanowatts: for schedules that do
    /// not tell cells.
    each: (f64, f64),
    /// What the jobs of each user draw for each processor, nanowatts, on the average of those that the log tells, and
    /// what all of them do: where the machine has no watts.
    of_users: FxHashMap<i32, (f64, f64)>,
    of_all: f64,
}

impl<'a> PowerOfRuns<'a> {
    fn new(workload: &Workload, machine: Option<&'a Machine>) -> Self {
        let mut drawn = PowerOfRuns { machine, each: (0.0, 0.0), of_users: FxHashMap::default(), of_all: 0.0 };
        if let Some(machine) = machine {
            let cells = machine.cells().iter().enumerate();
            let sum = |of: &dyn Fn(usize) -> i64| -> f64 {
                cells.clone().map(|(place, cell)| f64::from(cell.nodes) * of(place) as f64).sum()
            };
            let processors = f64::from(machine.processors());
            drawn.each =
                (sum(&|cell| machine.idle_node(cell)) / processors, sum(&|cell| machine.busy_node(cell)) / processors);
        } else if let Some(power) = workload.power() {
            let mut all = (0.0, 0.0);
            for job in workload.jobs() {
                let Some(each) = power.each(workload.record(job)) else { continue };
                let own = drawn.of_users.entry(workload.request(job).user).or_default();
                *own = (own.0 + each, own.1 + 1.0);
                all = (all.0 + each, all.1 + 1.0);
            }
            drawn.of_all = all.0 / all.1;
        }
        drawn
    }

    /// What the nodes draw that an execution holds: by the log, or else by the machine's watts. `idle` is what they would
    /// draw if nobody held them.
    fn of(&self, workload: &Workload, run: &PoweredRun<'_>) -> HeldPower {
        let known = workload.power().and_then(|power| power.of(workload, run.job));
        let processors = f64::from(workload.request(run.job).processors);
        let Some(machine) = self.machine else {
            let mean = |user: i32| self.of_users.get(&user).map_or(self.of_all, |&(sum, count)| sum / count);
            let busy = known.unwrap_or_else(|| (mean(workload.request(run.job).user) * processors).round() as i64);
            return HeldPower { idle: 0, busy };
        };
        let mut held = HeldPower::default();
        match (run.placement, workload.cluster()) {
            (Some(placement), Some(cluster)) => {
                let shape = cluster.demands.need(workload.record(run.job)).shape;
                for &(cell, parts) in &placement.0 {
                    let own = shape.each_in(cell).map(|each| machine.held_power(cell as usize, each, parts));
                    let own = own.unwrap_or_default();
                    held = HeldPower { idle: held.idle + own.idle, busy: held.busy + own.busy };
                }
            }
            _ => {
                let all = |each: f64| (each * processors).round() as i64;
                held = HeldPower { idle: all(self.each.0), busy: all(self.each.1) };
            }
        }
        HeldPower { busy: known.unwrap_or(held.busy), ..held }
    }
}

/// A sum over a step function of time, of which nothing is known where it has no steps.
struct Priced {
    steps: Option<Vec<(Seconds, f64)>>,
    /// The step that holds at the time up to which the sum is known.
    place: usize,
    sum: f64,
}

impl Priced {
    fn of(steps: Option<Vec<(Seconds, f64)>>) -> Self {
        Priced { steps, place: 0, sum: 0.0 }
    }

    /// Adds what is between two times: `add` is given the value, for how many seconds it holds, and the sum.
    fn go_on(&mut self, from: Seconds, until: Seconds, mut add: impl FnMut(f64, f64, &mut f64)) {
        let Some(steps) = &self.steps else { return };
        let mut at = from;
        while at < until {
            while steps.get(self.place + 1).is_some_and(|next| next.0 <= at) {
                self.place += 1;
            }
            let next = steps.get(self.place + 1).map_or(until, |next| next.0.min(until));
            add(steps[self.place].1, (next - at) as f64, &mut self.sum);
            at = next;
        }
    }

    fn sum(&self) -> Option<f64> {
        self.steps.as_ref().map(|_| self.sum)
    }
}
