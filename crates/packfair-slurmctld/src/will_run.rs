//! When a job could start: running jobs are given back in the order of their ends, in groups.

use super::node_set::{NodeBits, NodePlace};
use super::offers::{EndsAsked, FewestEnds, KnownOffers};
use super::room::{Allocation, Ask, Nodes, Room};
use packfair_workload::Seconds;
use std::cell::{OnceCell, RefCell};

/// What matters of a running job: when its limit ends, and what it holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct AllocationEnd<'a> {
    pub end: Seconds,
    pub allocation: &'a Allocation,
}

/// Running jobs by their ends, and the nodes that the first of them hold. It is made once for all jobs that a cycle
/// looks at, until one starts.
pub(super) struct Endings<'a> {
    all: Vec<AllocationEnd<'a>>,
    /// Where the nodes of each are, for most jobs have few.
    places: OnceCell<Vec<NodePlace>>,
    /// Where nodes are counted: the nodes of the first 0, 1, 2, ... jobs together, one set behind the other.
    freed: Vec<u64>,
    words: usize,
    /// Where they are not counted: what is free once the first 0, [`APART`], 2 [`APART`], ... jobs have ended, as far as
    /// it has been asked for, and what nodes offer to the kinds of jobs that were asked about. All questions have to be
    /// of the same room.
    rooms: RefCell<Vec<Room>>,
    offers: KnownOffers,
}

/// How many jobs end between two rooms that are remembered.
const APART: usize = 32;

impl<'a> Endings<'a> {
    /// Takes running jobs sorted by their ends, and the nodes on which they run.
    pub(super) fn of(running: impl Iterator<Item = AllocationEnd<'a>>, nodes: &Nodes) -> Self {
        let all: Vec<AllocationEnd<'a>> = running.collect();
        let words = nodes.count.div_ceil(64);
        let mut freed = Vec::new();
        if nodes.are_counted() {
            freed.reserve(words * (all.len() + 1));
            freed.resize(words, 0);
            for ending in &all {
                let last = freed.len() - words;
                freed.extend_from_within(last..);
                ending.allocation.nodes.put_into(&mut freed[last + words..]);
            }
        }
        Endings {
            all,
            places: OnceCell::new(),
            freed,
            words,
            rooms: RefCell::default(),
            offers: KnownOffers::default(),
        }
    }

    /// How many of the usable nodes the first `count` jobs hold.
    fn freed_of(&self, usable: &NodeBits, count: usize) -> u32 {
        usable.count_within(&self.freed[count * self.words..(count + 1) * self.words])
    }

    /// What is free once the first `count` jobs have ended.
    fn room_after(&self, nodes: &Nodes, room: &Room, count: usize) -> Room {
        if !self.freed.is_empty() {
            let mut room = room.clone();
            room.idle.put_in_words(&self.freed[count * self.words..(count + 1) * self.words]);
            return room;
        }
        let mut rooms = self.rooms.borrow_mut();
        if rooms.is_empty() {
            rooms.push(room.clone());
        }
        let give = |room: &mut Room, from: usize, to: usize| {
            self.all[from..to].iter().for_each(|ending| nodes.give(room, ending.allocation));
        };
        while rooms.len() <= count / APART {
            let from = (rooms.len() - 1) * APART;
            let mut room = rooms[rooms.len() - 1].clone();
            give(&mut room, from, from + APART);
            rooms.push(room);
        }
        let mut room = rooms[count / APART].clone();
        give(&mut room, count / APART * APART, count);
        room
    }

    /// Whether a job, given by its place, holds one of the nodes.
    fn meets(&self, at: usize, nodes: &NodeBits) -> bool {
        let places = || self.all.iter().map(|ending| ending.allocation.nodes.place()).collect();
        self.places.get_or_init(places)[at].is_met(nodes).unwrap_or_else(|| self.all[at].allocation.nodes.meets(nodes))
    }

    /// The first job from `from` on that holds a usable node.
    fn next_on(&self, usable: &NodeBits, from: usize) -> Option<usize> {
        // most often it is one of the next jobs
        let near = self.all.len().min(from + NEAR);
        if let Some(at) = (from..near).find(|&at| self.all[at].allocation.nodes.meets(usable)) {
            return Some(at);
        }
        let from = near;
        if self.freed.is_empty() {
            return (from..self.all.len()).find(|&at| self.meets(at, usable));
        }
        let before = self.freed_of(usable, from);
        let (mut low, mut high) = (from, self.all.len());
        if self.freed_of(usable, high) == before {
            return None;
        }
        // the first `low` jobs hold no more of the nodes than those before `from`, the first `high` do
        while high - low > 1 {
            let middle = low.midpoint(high);
            if self.freed_of(usable, middle) > before { high = middle } else { low = middle }
        }
        Some(high - 1)
    }
}

/// When a job starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum WillStart {
    /// At this moment, on these nodes.
    At(Seconds, Allocation),
    /// Not before this moment, which is later than was asked about.
    Later(Seconds),
}

/// The parts of the question that are the same for several jobs.
#[derive(Clone, Copy)]
pub(super) struct WillRun<'a> {
    pub nodes: &'a Nodes,
    /// What is free now; nodes of jobs that are completing count as free.
    pub room: &'a Room,
    pub endings: &'a Endings<'a>,
    pub now: Seconds,
    /// The offset that turns times of the log's clock into those of Slurm's, seconds.
    pub zero: Seconds,
    /// What is added to an end that has passed (KillWait and OverTimeLimit), seconds.
    pub grace: Seconds,
    /// The growth of a group's width, bf_window_linear, seconds; 0: the width doubles.
    pub linear: Seconds,
    /// Whether the last job that holds one of the job's own nodes decides on the start, as since 25.05.
    pub is_by_own_nodes: bool,
}

/// How many endings are looked at one by one before a binary search.
const NEAR: usize = 6;

/// The width of the first group, seconds.
const FIRST_WIDTH: Seconds = 30;

/// Where groups end: the end of a group is `base` and its width.
struct EndGroups {
    base: Option<Seconds>,
    width: Seconds,
}

impl EndGroups {
    fn first() -> Self {
        EndGroups { base: None, width: FIRST_WIDTH }
    }
}

impl WillRun<'_> {
    /// When the job starts, and on which of the usable nodes; none where it does not even if all jobs end. Nodes need not be
    /// found for a start after `latest`.
    pub(super) fn start(&self, ask: Ask, usable: &NodeBits, latest: Seconds) -> Option<WillStart> {
        if !self.nodes.could_hold(ask, usable) {
            return None;
        }
        let fewest = self.fewest_ends(ask, self.asked_of(ask).as_ref(), usable, Seconds::MAX);
        self.start_after(fewest, ask, usable, latest)
    }

    /// The same of a job that the usable nodes could hold, and of which it is known how many jobs have to end.
    pub(super) fn start_after(
        &self,
        fewest: FewestEnds,
        ask: Ask,
        usable: &NodeBits,
        latest: Seconds,
    ) -> Option<WillStart> {
        if (fewest == FewestEnds::Of(0) || !self.nodes.is_by_offers(ask))
            && let Some(allocation) = self.nodes.choose(self.room, ask, usable)
        {
            return Some(WillStart::At(self.now, allocation));
        }
        let FewestEnds::Of(fewest) = fewest else { return None };
        self.in_groups((ask, usable), fewest, latest)
    }

    /// The question how many running jobs have to end before a job may fit; none where it is enough to count nodes.
    pub(super) fn asked_of(&self, ask: Ask) -> Option<EndsAsked> {
        let asked = || EndsAsked::of((self.nodes, self.room), ask, &self.endings.offers);
        (!self.nodes.counts(ask)).then(asked)
    }

    /// How many running jobs have to end at least before the usable nodes offer enough, as far as these end by a moment.
    pub(super) fn fewest_ends(
        &self,
        ask: Ask,
        asked: Option<&EndsAsked>,
        usable: &NodeBits,
        by: Seconds,
    ) -> FewestEnds {
        let all = &self.endings.all;
        let most = all.partition_point(|ending| ending.end <= by);
        let Some(asked) = asked else {
            let lacking = self.nodes.wanted(ask).saturating_sub(self.nodes.idle_of(self.room, usable));
            if self.endings.freed_of(usable, most) < lacking {
                return FewestEnds::More;
            }
            let (mut low, mut high) = (0, most);
            while low < high {
                let middle = low.midpoint(high);
                if self.endings.freed_of(usable, middle) >= lacking { high = middle } else { low = middle + 1 }
            }
            return FewestEnds::Of(low);
        };
        asked.fewest(self.nodes, usable, (all, most))
    }

    /// A moment before which the job does not start on any of the usable nodes, whichever of them are taken out; none where
    /// it never does.
    pub(super) fn earliest(&self, ask: Ask, usable: &NodeBits) -> Option<Seconds> {
        if !self.nodes.is_by_offers(ask) {
            return Some(self.now);
        }
        match self.fewest_ends(ask, self.asked_of(ask).as_ref(), usable, Seconds::MAX) {
            FewestEnds::Of(fewest) => Some(self.earliest_after(fewest)),
            FewestEnds::More | FewestEnds::Never => None,
        }
    }

    /// A moment before which a job does not start for which so many running jobs have to end.
    pub(super) fn earliest_after(&self, fewest: usize) -> Seconds {
        let last = fewest.checked_sub(1).map(|at| self.endings.all[at].end);
        // one that should have ended may end before others that should have, too
        last.map_or(self.now, |end| end.max(self.now + 1))
    }

    /// A moment up to which it has to be known exactly from when on a job could start, for [`WillRun::holds_until`].
    pub(super) fn overdue_until(&self) -> Seconds {
        self.now + self.grace.max(1)
    }

    /// The end of the present group. The first group begins when its first job ends, `end`, rounded up.
    fn until(&self, groups: &mut EndGroups, end: Seconds) -> Seconds {
        *groups.base.get_or_insert_with(|| end + FIRST_WIDTH - (end + self.zero).rem_euclid(FIRST_WIDTH)) + groups.width
    }

    /// Widens the next group until it contains a job.
    fn widen(&self, groups: &mut EndGroups, next: Option<Seconds>) {
        loop {
            groups.width = if self.linear > 0 { groups.width + self.linear } else { groups.width * 2 };
            let until = groups.base.unwrap_or(0) + groups.width;
            if next.is_none_or(|next| next <= until) {
                return;
            }
        }
    }

    /// Until when it holds that a job starts then: the job could start, and who should have ended already is expected to end
    /// from second to second.
    pub(super) fn holds_until(&self, start: Seconds) -> Seconds {
        let is_overdue = self.endings.all.first().is_some_and(|first| first.end <= self.now);
        if is_overdue && start <= self.overdue_until() { self.now + 1 } else { start }
    }

    /// When a job is expected to end, for jobs that wait for its nodes.
    fn end_of(&self, ending: &AllocationEnd<'_>) -> Seconds {
        if ending.end <= self.now { (ending.end + self.grace).max(self.now + 1) } else { ending.end }
    }

    /// Does what [`WillRun::given_back`] does, from group to group. The job may fit once `fewest` jobs have ended.
    fn in_groups(&self, (ask, usable): (Ask, &NodeBits), fewest: usize, latest: Seconds) -> Option<WillStart> {
        let all = &self.endings.all;
        let mut groups = EndGroups::first();
        let mut at = 0;
        while at < all.len() {
            let first = self.endings.next_on(usable, at)?;
            let until = self.until(&mut groups, all[first].end);
            // the jobs that end within the group, and on to one that holds a usable node
            let within = all.partition_point(|ending| ending.end <= until).max(first + 1);
            let last_within = self.endings.next_on(usable, within - 1);
            at = last_within.map_or(all.len(), |last| last + 1);
            self.widen(&mut groups, all.get(at).map(|next| next.end));
            if at < fewest {
                continue;
            }
            let last_on = |wanted: &NodeBits| (0..at).rfind(|&at| self.endings.meets(at, wanted)).map(|at| &all[at]);
            if !self.is_by_own_nodes && latest < Seconds::MAX {
                // the last of the group decides, or one of a later group
                let last = last_on(usable)?.end;
                if last > latest.max(self.now) {
                    return Some(WillStart::Later(last));
                }
            }
            if let Some(allocation) =
                self.nodes.choose(&self.endings.room_after(self.nodes, self.room, at), ask, usable)
            {
                let own = if self.is_by_own_nodes { last_on(&allocation.nodes) } else { None };
                return Some(WillStart::At(self.end_of(own.or_else(|| last_on(usable))?), allocation));
            }
        }
        None
    }

    /// When the job starts, whenever that is.
    #[cfg(test)]
    fn at_any_time(&self, ask: Ask, usable: &NodeBits) -> Option<(Seconds, Allocation)> {
        match self.start(ask, usable, Seconds::MAX)? {
            WillStart::At(start, allocation) => Some((start, allocation)),
            WillStart::Later(_) => None,
        }
    }

    /// Does what [`WillRun::start`] does, in its plain form.
    #[cfg(test)]
    fn plain(&self, ask: Ask, usable: &NodeBits) -> Option<(Seconds, Allocation)> {
        if !self.nodes.could_hold(ask, usable) {
            return None;
        }
        let now = self.nodes.choose(self.room, ask, usable).map(|allocation| (self.now, allocation));
        now.or_else(|| self.given_back(ask, usable))
    }

    /// Gives running jobs back, group by group, until the job fits.
    #[cfg(test)]
    fn given_back(&self, ask: Ask, usable: &NodeBits) -> Option<(Seconds, Allocation)> {
        let mut room = self.room.clone();
        let mut left = self.endings.all.iter().peekable();
        // a job that holds no usable node only affects the borders of groups
        let mut groups = EndGroups::first();
        let mut back: Vec<&AllocationEnd<'_>> = Vec::new();
        let mut offered = self.nodes.offered(&room, ask, usable);
        while left.peek().is_some() {
            let before = back.len();
            while let Some(ending) = left.next() {
                if !ending.allocation.nodes.meets(usable) {
                    continue;
                }
                let until = self.until(&mut groups, ending.end);
                offered -= self.nodes.offered_on(&room, ask, usable, &ending.allocation.nodes);
                self.nodes.give(&mut room, ending.allocation);
                offered += self.nodes.offered_on(&room, ask, usable, &ending.allocation.nodes);
                back.push(ending);
                if left.peek().is_none_or(|next| next.end > until) {
                    break;
                }
            }
            if back.len() == before {
                return None;
            }
            self.widen(&mut groups, left.peek().map(|next| next.end));
            if offered >= u64::from(self.nodes.wanted(ask))
                && let Some(allocation) = self.nodes.choose(&room, ask, usable)
            {
                let own = back.iter().rev().find(|ending| ending.allocation.nodes.meets(&allocation.nodes));
                let last = own.filter(|_| self.is_by_own_nodes).or(back.last())?;
                return Some((self.end_of(last), allocation));
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::room::{MemoryAsk, NodeOrder};
    use packfair_slurm::{Site, Version};

    #[test]
    fn jobs_are_given_back_in_groups() {
        let nodes = Nodes::of(&Site::plain(8, Version::default()));
        let mut room = nodes.room();
        let ask = |cpus| Ask { node_range: (1, 0), cpus, ..Ask::default() };
        let all = NodeBits::all(8);
        let take = |room: &mut Room| {
            let allocation = nodes.choose(room, ask(2), &all).unwrap();
            nodes.take(room, &allocation);
            allocation
        };
        let held: Vec<Allocation> = (0..4).map(|_| take(&mut room)).collect();
        let ends = [100, 140, 155, 1000];
        let endings =
            Endings::of(held.iter().zip(ends).map(|(allocation, end)| AllocationEnd { end, allocation }), &nodes);
        let asked = WillRun {
            nodes: &nodes,
            room: &room,
            endings: &endings,
            now: 90,
            zero: 0,
            grace: 30,
            linear: 0,
            is_by_own_nodes: false,
        };
        // 100 is rounded up to 120, and the first group ends 30 s later
        assert_eq!(
            asked.at_any_time(ask(2), &all).unwrap().0,
            140,
            "the last of the group counts, though the first is enough"
        );
        assert_eq!(asked.at_any_time(ask(5), &all).unwrap().0, 155);
        assert_eq!(asked.at_any_time(ask(8), &all).unwrap().0, 1000);
        assert!(asked.at_any_time(ask(9), &all).is_none());
        let own = WillRun { is_by_own_nodes: true, ..asked };
        assert_eq!(own.at_any_time(ask(2), &all).unwrap().0, 100);
        let late = WillRun { now: 200, ..own };
        assert_eq!(late.at_any_time(ask(2), &all).unwrap().0, 201);
    }

    #[test]
    fn halving_finds_what_giving_back_finds() {
        let mut state = 1_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for case in 0..2_000 {
            let count = 1 + random(150) as usize;
            let nodes = Nodes::of(&Site::plain(count as u32, Version::default()));
            let mut room = nodes.room();
            let ask = |cpus| Ask { node_range: (1, 0), cpus, ..Ask::default() };
            let all = NodeBits::all(count);
            let mut held: Vec<(Seconds, Allocation)> = Vec::new();
            while let Some(allocation) = nodes.choose(&room, ask(1 + random(9) as u32), &all) {
                nodes.take(&mut room, &allocation);
                held.push((random(if case % 2 == 0 { 300 } else { 100_000 }) as Seconds, allocation));
            }
            held.sort_by_key(|(end, _)| *end);
            let endings =
                Endings::of(held.iter().map(|(end, allocation)| AllocationEnd { end: *end, allocation }), &nodes);
            let usable = NodeBits::of(count, (0..count).filter(|_| random(4) > 0));
            let asked = WillRun {
                nodes: &nodes,
                room: &room,
                endings: &endings,
                now: random(200) as Seconds,
                zero: random(60) as Seconds,
                grace: 30,
                linear: if random(2) == 0 { 0 } else { 100 },
                is_by_own_nodes: random(2) == 0,
            };
            let wanted = ask(1 + random(count as u64 + 3) as u32);
            assert_eq!(asked.at_any_time(wanted, &usable), asked.plain(wanted, &usable), "case {case}");
        }
    }

    #[test]
    fn groups_find_what_giving_back_finds_where_nodes_are_shared() {
        let mut state = 3_u64;
        let mut random = move |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        let (mut later, mut skipped) = (0, 0);
        for case in 0..3_000 {
            let count = 1 + random(60) as usize;
            let mut site = Site::plain(count as u32, Version::default());
            site.counts_memory = random(2) == 0;
            for node in &mut site.nodes {
                node.cpus = [4, 8, 8, 16][random(4) as usize];
                node.gpus = if random(3) == 0 { 4 } else { 0 };
                (node.memory, node.weight) = (1_000 * (1 + random(8)), 1 + random(2) as u32);
            }
            let nodes = Nodes::of(&site);
            let mut room = nodes.room();
            let all = NodeBits::all(count);
            let mut ask = |most: u64| {
                let cpus = 1 + random(most) as u32;
                let (least, range) = [(1, 0), (1, 1), (1 + random(4) as u32, 0)][random(3) as usize];
                let most = if range == 0 && random(2) == 0 { least + random(3) as u32 } else { range };
                Ask {
                    nodes: least.min(cpus),
                    node_range: (least, most),
                    cpus,
                    gpus: if random(6) == 0 { 1 + random(3) as u32 } else { 0 },
                    memory: match random(4) {
                        0 => MemoryAsk::OfNode(random(4_000)),
                        1 => MemoryAsk::OfCpu(random(500)),
                        _ => MemoryAsk::None,
                    },
                    is_exclusive: random(4) == 0,
                    order: [NodeOrder::Tightest, NodeOrder::LeastLoaded][random(2) as usize],
                    ..Ask::default()
                }
            };
            let mut held: Vec<Allocation> = Vec::new();
            while let Some(allocation) = nodes.choose(&room, ask(20), &all) {
                nodes.take(&mut room, &allocation);
                held.push(allocation);
            }
            let wanted: Vec<Ask> = (0..8).map(|_| ask(count as u64 * 8)).collect();
            let mut ends: Vec<Seconds> =
                held.iter().map(|_| random(if case % 2 == 0 { 300 } else { 100_000 }) as Seconds).collect();
            ends.sort_unstable();
            let endings =
                Endings::of(ends.iter().zip(&held).map(|(&end, allocation)| AllocationEnd { end, allocation }), &nodes);
            let asked = WillRun {
                nodes: &nodes,
                room: &room,
                endings: &endings,
                now: random(200) as Seconds,
                zero: random(60) as Seconds,
                grace: 30,
                linear: if random(2) == 0 { 0 } else { 100 },
                is_by_own_nodes: random(2) == 0,
            };
            for wanted in wanted {
                let usable = NodeBits::of(count, (0..count).filter(|_| random(4) > 0));
                let offers = usable.iter().map(|node| nodes.offer_of_empty(wanted, node));
                if nodes.shares(wanted) {
                    let could_hold = crate::shared::could_hold(wanted, offers);
                    assert_eq!(nodes.could_hold(wanted, &usable), could_hold, "case {case}");
                }
                let start = asked.at_any_time(wanted, &usable);
                assert_eq!(start, asked.plain(wanted, &usable), "case {case}: {wanted:?}");
                let latest = random(400) as Seconds;
                match asked.start(wanted, &usable, latest) {
                    Some(WillStart::Later(moment)) => {
                        assert!(moment > latest, "case {case}: {wanted:?}");
                        assert!(start.as_ref().is_none_or(|(start, _)| *start >= moment), "case {case}: {wanted:?}");
                        skipped += 1;
                    }
                    Some(WillStart::At(at, on)) => assert_eq!(start, Some((at, on)), "case {case}: {wanted:?}"),
                    None => assert_eq!(start, None, "case {case}: {wanted:?}"),
                }
                let earliest = asked.earliest(wanted, &all);
                if let Some((start, _)) = start {
                    assert!(earliest.is_some_and(|earliest| earliest <= start), "case {case}: {wanted:?}");
                    later += usize::from(start > asked.now);
                }
            }
        }
        assert!(later > 1_000 && skipped > 500, "{later} {skipped}");
    }
}
