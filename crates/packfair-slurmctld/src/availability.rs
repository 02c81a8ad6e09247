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
        let announced = site.reservations.iter().map(|reservation| Announced {
            known: reservation.time.announced.map_or(Seconds::MIN, |at| at - jobs.zero),
            from: reservation.time.from - jobs.zero,
            until: reservation.time.until - jobs.zero,
            nodes: NodeBits::of(count, reservation.nodes.iter().filter_map(|name| names.get(name.as_str()).copied())),
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
            [reservation.known, reservation.until, reservation.until + 1, reservation.from - limit + 1]
        };
        self.reservations.iter().flat_map(of).filter(move |&moment| moment > now)
    }

    /// Takes out the nodes of reservations that are known at `now` and overlap with [from, until). Returns the end of
    /// the first of these reservations, if any.
    pub(super) fn keep_clear(
        &self,
        nodes: &mut NodeBits,
        now: Seconds,
        from: Seconds,
        until: Seconds,
    ) -> Option<Seconds> {
        let mut end = None;
        for reservation in &self.reservations {
            if reservation.known <= now
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
