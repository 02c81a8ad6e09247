//! Which nodes jobs may use, apart from running jobs: announced reservations, and nodes that are drained or down.

use super::node_set::NodeBits;
use packfair_slurm::Outage;
use packfair_workload::{JobSite, Seconds};
use rustc_hash::FxHashMap;

/// A reservation, in times of the log's clock.
#[derive(Clone, Debug)]
struct Announced {
    known: Seconds,
    from: Seconds,
    until: Seconds,
    nodes: NodeBits,
    /// Whether its own jobs may use any nodes.
    is_of_any_nodes: bool,
    /// Whether its own jobs may start at any time.
    is_flexible: bool,
}

/// An outage: a node takes no jobs for a time.
#[derive(Clone, Debug)]
pub(super) struct Gap {
    pub from: Seconds,
    pub until: Option<Seconds>,
    pub kills: bool,
    pub node: usize,
}

/// The reservations and outages of a site.
#[derive(Clone, Debug)]
pub(super) struct Availability {
    reservations: Vec<Announced>,
    pub gaps: Vec<Gap>,
    /// How many outages hold each node.
    held: Vec<u32>,
    /// The nodes that no outage holds.
    pub up: NodeBits,
}

impl Availability {
    pub(super) fn of(jobs: &JobSite) -> Self {
        let site = &jobs.site;
        let count = site.nodes.len();
        let names: FxHashMap<&str, usize> =
            site.nodes.iter().enumerate().map(|(at, node)| (node.name.as_str(), at)).collect();
        let announced = site.reservations.iter().map(|reservation| {
            let nodes = reservation.nodes.iter().filter_map(|name| names.get(name.as_str()).copied());
            let nodes = NodeBits::of(count, nodes);
            Announced {
                known: reservation.time.announced.map_or(Seconds::MIN, |at| at - jobs.zero),
                from: reservation.time.from - jobs.zero,
                until: reservation.time.until - jobs.zero,
                is_of_any_nodes: reservation.is_of_any_nodes || reservation.is_flexible || nodes.count() == 0,
                is_flexible: reservation.is_flexible,
                nodes,
            }
        });
        let gap = |event: &packfair_slurm::NodeEvent| {
            let node = *names.get(event.node.as_str())?;
            Some(Gap {
                from: event.from - jobs.zero,
                until: event.until.map(|until| until - jobs.zero),
                // jobs that are not to wait again ended there, by the log; here they run on
                kills: event.what == Outage::Down && site.requeues,
                node,
            })
        };
        Availability {
            reservations: announced.collect(),
            gaps: site.events.iter().filter_map(gap).collect(),
            held: vec![0; count],
            up: NodeBits::all(count),
        }
    }

    /// An outage begins, given by its number.
    pub(super) fn drain(&mut self, gap: usize) {
        let node = self.gaps[gap].node;
        self.held[node] += 1;
        self.up.remove(node);
    }

    /// Whether an outage ever kills jobs.
    pub(super) fn kills(jobs: &JobSite) -> bool {
        jobs.site.requeues && jobs.site.events.iter().any(|event| event.what == Outage::Down)
    }

    /// The first moment after `after` at which an outage begins that kills the jobs on its node.
    pub(super) fn next_failure(&self, after: Seconds) -> Option<Seconds> {
        self.gaps.iter().filter(|gap| gap.kills && gap.from > after).map(|gap| gap.from).min()
    }

    /// An outage ends, given by its number.
    pub(super) fn give_back(&mut self, gap: usize) {
        let node = self.gaps[gap].node;
        self.held[node] = self.held[node].saturating_sub(1);
        if self.held[node] == 0 {
            self.up.insert(node);
        }
    }

    /// Brings all nodes back and drops all reservations, because nothing could go on otherwise.
    pub(super) fn lift(&mut self) {
        self.held.fill(0);
        self.up = NodeBits::all(self.held.len());
        self.reservations.clear();
    }

    /// The moments after `now` at which the answer of [`Availability::keep_clear`] changes for a job that would start
    /// at once.
    pub(super) fn turns(&self, now: Seconds, limit: Seconds) -> impl Iterator<Item = Seconds> {
        let of = move |reservation: &Announced| {
            let Announced { known, from, until, .. } = *reservation;
            [known, from, until, until + 1, from - limit + 1]
        };
        self.reservations.iter().flat_map(of).filter(move |&moment| moment > now)
    }

    /// Those of these reservations that are not over at a moment.
    fn left_of(&self, own: &[usize], at: Seconds) -> impl Iterator<Item = &Announced> {
        own.iter().filter_map(|&own| self.reservations.get(own)).filter(move |own| at <= own.until)
    }

    /// The nodes of these reservations, in one of which a job is; none where it may use any.
    pub(super) fn nodes_of(&self, own: &[usize], now: Seconds) -> Option<NodeBits> {
        let mut left = self.left_of(own, now).peekable();
        left.peek()?;
        left.try_fold(NodeBits::none(self.held.len()), |mut all, own| {
            all.put_in(&own.nodes);
            (!own.is_of_any_nodes).then_some(all)
        })
    }

    /// Whether none of the reservations in one of which a job is has begun, although one will.
    pub(super) fn are_to_come(&self, own: &[usize], now: Seconds) -> bool {
        let mut left = self.left_of(own, now).peekable();
        left.peek().is_some() && left.all(|own| now < own.from && !own.is_flexible)
    }

    /// Keeps the nodes on which a job may start at `from` that is in one of these reservations: none before one begins, and
    /// whichever once all are over, for by the log it ran. Returns the moment after which that changes, if any.
    fn keep_to(&self, own: &[usize], nodes: &mut NodeBits, from: Seconds) -> Option<Seconds> {
        if own.is_empty() || self.left_of(own, from).any(|own| own.is_flexible) {
            return None;
        }
        let turn = self.left_of(own, from).map(|own| if own.from <= from { own.until } else { own.from - 1 }).min()?;
        let begun = || self.left_of(own, from).filter(|own| own.from <= from);
        if !begun().any(|own| own.is_of_any_nodes) {
            let mut there = NodeBits::none(self.held.len());
            begun().for_each(|own| there.put_in(&own.nodes));
            nodes.keep(&there);
        }
        Some(turn)
    }

    /// Takes out the nodes of reservations that are known at `now` and overlap with [from, until), and for a job that is in
    /// one of its `own` the nodes of no reservation. Returns the end of the first of these reservations, if any: a moment
    /// later the answer may be another.
    pub(super) fn keep_clear(
        &self,
        own: &[usize],
        nodes: &mut NodeBits,
        now: Seconds,
        (from, until): (Seconds, Seconds),
    ) -> Option<Seconds> {
        let mut end = self.keep_to(own, nodes, from);
        for (at, reservation) in self.reservations.iter().enumerate() {
            if !own.contains(&at)
                && reservation.known <= now
                && from < reservation.until
                && until > reservation.from
                && nodes.meets(&reservation.nodes)
            {
                nodes.take_out(&reservation.nodes);
                end = Some(end.map_or(reservation.until, |end: Seconds| end.min(reservation.until)));
            }
        }
        end
    }
}
