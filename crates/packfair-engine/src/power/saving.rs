//! Nodes of cells that are switched off while they idle, and on again for jobs (docs/power.md).
//!
//! Nodes are counted, so who is switched off is a rule: jobs take nodes that are on first, those that have idled the
//! shortest, and of the others those that are off before those that are just going off. Nothing has to happen when a node
//! goes off: what went off by a time is found when somebody asks.

use packfair_base::machine::{Machine, NodePower, Suspend};
use packfair_workload::Seconds;
use std::collections::VecDeque;

/// The seconds of a minute, for which rates are.
const MINUTE: Seconds = 60;

/// The nodes of a cell over time: how many are off, and how many are on and wait for a job to begin. Each entry is a
/// change at a time, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct NodesOff {
    /// Nodes that are off.
    pub off: Vec<(Seconds, i64)>,
    /// Nodes that a job holds that has not begun.
    pub booting: Vec<(Seconds, i64)>,
}

/// The nodes of a machine that are switched off and on.
#[derive(Clone, Debug)]
pub struct Saving {
    suspend: Suspend,
    cells: Vec<CellNodes>,
    going_off: NodeRate,
    coming_on: NodeRate,
    /// When nodes were last taken, given back, or came: nobody goes off before that whom this made one too many.
    changed: Seconds,
    boots: u64,
    /// The seconds that jobs waited for nodes to boot.
    waited: Seconds,
}

/// The nodes of a cell.
#[derive(Clone, Debug, Default)]
struct CellNodes {
    power: NodePower,
    /// Whether they are ever switched off.
    is_saved: bool,
    held: i64,
    /// Idle nodes that are on: since when, and how many, the longest idle first.
    idle: VecDeque<(Seconds, i64)>,
    /// Nodes that go off: when they are off, and how many, the soonest first.
    going: VecDeque<(Seconds, i64)>,
    off: i64,
    told: NodesOff,
}

/// At most so many nodes in a minute.
#[derive(Clone, Copy, Debug)]
pub struct NodeRate {
    most: Option<u32>,
    /// When the present minute began, and how many nodes it has had.
    minute: Seconds,
    used: i64,
}

impl NodeRate {
    /// That of at most so many nodes; none: any number.
    pub fn of(most: Option<u32>) -> Self {
        NodeRate { most, minute: Seconds::MIN / 2, used: 0 }
    }

    /// The first time from `wanted` on at which a node may go, and how many may go then.
    pub fn next(&self, wanted: Seconds) -> (Seconds, i64) {
        let Some(most) = self.most.map(i64::from) else { return (wanted, i64::MAX) };
        let over = self.minute + MINUTE;
        match (wanted >= over, self.used < most) {
            (true, _) => (wanted, most),
            (false, true) => (wanted.max(self.minute), most - self.used),
            (false, false) => (over, most),
        }
    }

    /// Lets nodes go at a time that [`NodeRate::next`] has given.
    pub fn take(&mut self, at: Seconds, count: i64) {
        if at >= self.minute + MINUTE {
            (self.minute, self.used) = (at, 0);
        }
        self.used += count;
    }
}

impl CellNodes {
    fn on(&self) -> i64 {
        self.idle.iter().map(|&(_, count)| count).sum()
    }

    fn all(&self) -> i64 {
        self.held + self.on() + self.off + self.going.iter().map(|&(_, count)| count).sum::<i64>()
    }

    /// Notes what has gone off by `now`.
    fn settle(&mut self, now: Seconds) {
        while let Some(&(at, count)) = self.going.front().filter(|(at, _)| *at <= now) {
            self.going.pop_front();
            self.off += count;
            self.told.off.push((at, count));
        }
    }

    /// Takes idle nodes that are on, those that have idled the shortest first. Returns how many there were.
    fn take_on(&mut self, mut count: i64) -> i64 {
        let wanted = count;
        while count > 0 {
            let Some((_, here)) = self.idle.back_mut() else { break };
            let taken = count.min(*here);
            *here -= taken;
            count -= taken;
            if *here == 0 {
                self.idle.pop_back();
            }
        }
        wanted - count
    }
}

impl Saving {
    /// That of a machine of which nobody holds anything; none where no node is ever switched off.
    pub fn of(machine: &Machine) -> Option<Self> {
        let power = machine.power()?;
        let suspend = power.suspend.clone()?;
        let cell = |(place, cell): (usize, &packfair_base::machine::Cell)| CellNodes {
            power: power.nodes[place],
            is_saved: suspend.cells[place],
            idle: VecDeque::from([(Seconds::MIN / 2, i64::from(cell.nodes))]),
            ..CellNodes::default()
        };
        let cells = machine.cells().iter().enumerate().map(cell).collect();
        let (going_off, coming_on) = (NodeRate::of(suspend.rate), NodeRate::of(suspend.resume_rate));
        Some(Saving { suspend, cells, going_off, coming_on, changed: Seconds::MIN / 2, boots: 0, waited: 0 })
    }

    /// Begins with nodes that are on and idle since `now`.
    pub fn begin(&mut self, now: Seconds) {
        for cell in &mut self.cells {
            cell.idle.iter_mut().for_each(|(since, _)| *since = now.max(*since));
        }
    }

    /// Switches off by `now` what has idled long enough, over all cells in the order of time.
    fn advance(&mut self, now: Seconds) {
        let (after, keep) = (self.suspend.after, i64::from(self.suspend.keep));
        loop {
            let due = |(place, cell): (usize, &CellNodes)| {
                let &(since, count) = cell.idle.front().filter(|_| cell.is_saved)?;
                let count = count.min(cell.on() - keep);
                (count > 0).then(|| (self.going_off.next((since + after).max(self.changed)), place, count))
            };
            let next = self.cells.iter().enumerate().filter_map(due).min();
            let Some(((at, most), place, count)) = next.filter(|((at, _), ..)| *at <= now) else { break };
            let count = count.min(most);
            self.going_off.take(at, count);
            let cell = &mut self.cells[place];
            if let Some((_, here)) = cell.idle.front_mut() {
                *here -= count;
                if *here == 0 {
                    cell.idle.pop_front();
                }
            }
            let off = at + cell.power.shutdown;
            // all nodes of a cell take as long to go off
            cell.going.push_back((off, count));
        }
        self.cells.iter_mut().for_each(|cell| cell.settle(now));
    }

    /// Notes that a cell has so many nodes, of which so many are held. Returns after how many seconds the last of those
    /// that are newly held is on.
    pub fn hold(&mut self, now: Seconds, cell: usize, nodes: i64, held: i64) -> Seconds {
        self.advance(now);
        self.changed = now;
        let own = &mut self.cells[cell];
        if held < own.held {
            own.idle.push_back((now, own.held - held));
            own.held = held;
        }
        // while nodes drain, more are held than there are
        let (all, there) = (own.all(), nodes.max(held));
        if there > all {
            own.idle.push_back((now, there - all));
        } else {
            self.remove(now, cell, all - there);
        }
        let own = &self.cells[cell];
        let wanted = held - own.held;
        if wanted > 0 { self.take(now, cell, wanted) } else { 0 }
    }

    /// Removes idle nodes from a cell: those that are off first.
    fn remove(&mut self, now: Seconds, cell: usize, mut count: i64) {
        let own = &mut self.cells[cell];
        let off = count.min(own.off);
        if off > 0 {
            own.off -= off;
            own.told.off.push((now, -off));
            count -= off;
        }
        for nodes in [&mut own.going, &mut own.idle] {
            while count > 0 {
                let Some((_, here)) = nodes.front_mut() else { break };
                let taken = count.min(*here);
                *here -= taken;
                count -= taken;
                if *here == 0 {
                    nodes.pop_front();
                }
            }
        }
    }

    /// Lets a job hold more nodes of a cell. Returns after how many seconds the last of them is on.
    fn take(&mut self, now: Seconds, cell: usize, wanted: i64) -> Seconds {
        let own = &mut self.cells[cell];
        own.held += wanted;
        let mut left = wanted - own.take_on(wanted);
        let mut ready = now;
        // those that wait for their turn stay off until it comes
        let mut late: Vec<(Seconds, i64)> = Vec::new();
        while left > 0 && own.off > 0 {
            let (at, most) = self.coming_on.next(now);
            let count = left.min(own.off).min(most);
            self.coming_on.take(at, count);
            own.off -= count;
            own.told.off.push((at, -count));
            late.push((at, count));
            ready = ready.max(at + own.power.boot);
            self.boots += count.unsigned_abs();
            left -= count;
        }
        while left > 0 {
            let Some((off, here)) = own.going.front_mut() else { break };
            let (at, most) = self.coming_on.next(*off);
            let count = left.min(*here).min(most);
            self.coming_on.take(at, count);
            *here -= count;
            let off = *off;
            if *here == 0 {
                own.going.pop_front();
            }
            own.told.off.extend([(off, count), (at, -count)]);
            ready = ready.max(at + own.power.boot);
            if at > off {
                late.extend([(off, -count), (at, count)]);
            }
            self.boots += count.unsigned_abs();
            left -= count;
        }
        if ready > now {
            self.waited += ready - now;
            let of_late: i64 = late.iter().map(|&(_, count)| count).sum();
            own.told.booting.push((now, wanted - of_late));
            own.told.booting.extend(late);
            own.told.booting.push((ready, -wanted));
        }
        ready - now
    }

    /// For each cell how many idle nodes are on at `now`.
    pub fn awake(&mut self, now: Seconds) -> Vec<i64> {
        self.advance(now);
        self.cells.iter().map(CellNodes::on).collect()
    }

    /// How many nodes were switched on for jobs.
    pub fn boots(&self) -> u64 {
        self.boots
    }

    /// The seconds that jobs waited for nodes that were switched on for them, all jobs together.
    pub fn waited(&self) -> Seconds {
        self.waited
    }

    /// What was off and on in each cell, until `now`.
    pub fn finish(mut self, now: Seconds) -> Vec<NodesOff> {
        self.advance(now);
        let told = |cell: CellNodes| NodesOff { off: summed(cell.told.off), booting: summed(cell.told.booting) };
        self.cells.into_iter().map(told).collect()
    }
}

/// The changes in the order of time, those at one time as one.
fn summed(mut changes: Vec<(Seconds, i64)>) -> Vec<(Seconds, i64)> {
    changes.sort_unstable();
    let mut summed: Vec<(Seconds, i64)> = Vec::new();
    for (at, more) in changes {
        match summed.last_mut() {
            Some((last, all)) if *last == at => *all += more,
            _ => summed.push((at, more)),
        }
    }
    summed.retain(|&(_, more)| more != 0);
    summed
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_base::machine::MachineDescription;

    fn saving(suspend: &str) -> Saving {
        let text = format!(
            "[suspend]\n{suspend}\n[[cells]]\nname = \"a\"\nnodes = 4\nnode = {{ processors = 2, idle_watts = 100, \
             busy_watts = 300, off_watts = 10, boot = 120, shutdown = 30 }}\n"
        );
        let machine = MachineDescription::from_toml(&text).unwrap().machine(|_| Err(String::new())).unwrap();
        let mut saving = Saving::of(&machine).unwrap();
        saving.begin(0);
        saving
    }

    #[test]
    fn nodes_go_off_after_a_time_and_boot_for_jobs() {
        let mut saving = saving("after = 600");
        assert_eq!(saving.hold(0, 0, 4, 1), 0, "all are on");
        assert_eq!(saving.awake(599), [3]);
        assert_eq!(saving.awake(600), [0], "three go off, and are off at 630");
        assert_eq!(saving.hold(700, 0, 4, 0), 0);
        assert_eq!(saving.hold(800, 0, 4, 1), 0, "the one that is still on");
        assert_eq!(saving.hold(900, 0, 4, 3), 120, "two boot");
        assert_eq!(saving.boots(), 2);
        let told = saving.finish(2_000);
        assert_eq!(told[0].off, [(630, 3), (900, -2)]);
        assert_eq!(told[0].booting, [(900, 2), (1_020, -2)]);
    }

    #[test]
    fn who_goes_off_is_off_before_it_boots() {
        let mut saving = saving("after = 600");
        assert_eq!(saving.hold(610, 0, 4, 4), 20 + 120);
        assert_eq!(saving.finish(2_000)[0], NodesOff { off: vec![], booting: vec![(610, 4), (750, -4)] });
    }

    #[test]
    fn rates_let_so_many_go_in_a_minute() {
        let mut saving = saving("after = 600\nrate = 2\nresume_rate = 1");
        assert_eq!((saving.awake(600), saving.awake(659), saving.awake(660)), (vec![2], vec![2], vec![0]));
        assert_eq!(saving.hold(1_000, 0, 4, 3), 2 * 60 + 120, "the third may come on two minutes later");
        let told = saving.finish(2_000);
        assert_eq!(told[0].off, [(630, 2), (690, 2), (1_000, -1), (1_060, -1), (1_120, -1)]);
        assert_eq!(told[0].booting, [(1_000, 1), (1_060, 1), (1_120, 1), (1_240, -3)]);
    }

    #[test]
    fn some_stay_on_and_nodes_that_are_away_are_not_switched() {
        let mut saving = saving("after = 600\nkeep = 1");
        assert_eq!(saving.awake(5_000), [1]);
        assert_eq!(saving.hold(5_000, 0, 2, 0), 0, "two of the three that are off go away");
        assert_eq!(saving.hold(5_100, 0, 4, 0), 0, "and come back, on");
        assert_eq!(saving.awake(5_100), [2], "the one that was kept goes, since others are on");
        assert_eq!(saving.hold(5_200, 0, 4, 4), 120);
        assert_eq!(saving.boots(), 2);
        assert_eq!(saving.finish(6_000)[0].off, [(630, 3), (5_000, -2), (5_130, 1), (5_200, -2)]);
    }
}
