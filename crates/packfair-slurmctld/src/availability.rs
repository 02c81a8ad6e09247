//! Which nodes jobs may use, apart from running jobs: announced reservations, and nodes that are drained or down.

use super::Controller;
use super::job::{AllocatedJob, JobState};
use super::node_set::NodeBits;
use packfair_slurm::{Outage, Repeat, SiteReservation};
use packfair_workload::{JobSite, Seconds};
use rustc_hash::FxHashMap;

/// When a reservation holds, in times of the log's clock.
#[derive(Clone, Copy, Debug)]
pub(super) struct ReservedTimes {
    pub known: Seconds,
    /// One of its times.
    from: Seconds,
    until: Seconds,
    repeat: Option<Repeat>,
    /// The beginning of the log, on the site's clock.
    zero: Seconds,
}

impl ReservedTimes {
    pub(super) fn of(reservation: &SiteReservation, zero: Seconds) -> Self {
        ReservedTimes {
            known: reservation.time.announced.map_or(Seconds::MIN, |at| at - zero),
            from: reservation.time.from - zero,
            until: reservation.time.until - zero,
            repeat: reservation.repeat,
            zero,
        }
    }

    /// From when until when it holds that is known at a moment: as Slurm has it, the first time that is not over.
    pub(super) fn at(&self, now: Seconds) -> (Seconds, Seconds) {
        let Some(repeat) = self.repeat else { return (self.from, self.until) };
        let (from, until) = repeat.next((self.from + self.zero, self.until + self.zero), now.saturating_add(self.zero));
        (from.saturating_sub(self.zero), until.saturating_sub(self.zero))
    }
}

#[derive(Clone, Debug)]
struct Announced {
    times: ReservedTimes,
    nodes: NodeBits,
    /// Whether its own jobs run on nodes of other reservations, and of which.
    beside: Beside,
    /// Whether its own jobs may use any nodes.
    is_of_any_nodes: bool,
    /// Whether its own jobs may start at any time.
    is_flexible: bool,
    /// Whether its own jobs may as well be in none.
    is_magnetic: bool,
}

/// Of which other reservations jobs in one may have nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Beside {
    None,
    /// Of those that are not for maintenance.
    Others,
    /// Of all, for it is for maintenance itself.
    All,
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
                times: ReservedTimes::of(reservation, jobs.zero),
                beside: match () {
                    () if reservation.is_maintenance => Beside::All,
                    () if reservation.overlaps => Beside::Others,
                    () => Beside::None,
                },
                is_of_any_nodes: reservation.is_of_any_nodes
                    || reservation.is_flexible
                    || reservation.is_magnetic
                    || nodes.count() == 0,
                is_flexible: reservation.is_flexible || reservation.is_magnetic,
                is_magnetic: reservation.is_magnetic,
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
            let (from, until) = reservation.times.at(now);
            [reservation.times.known, from, until, until + 1, from - limit + 1]
        };
        self.reservations.iter().flat_map(of).filter(move |&moment| moment > now)
    }

    /// Whether there are reservations.
    pub(super) fn has_reservations(&self) -> bool {
        !self.reservations.is_empty()
    }

    /// Whether jobs of a reservation, given by its place, may as well be in none.
    pub(super) fn is_magnetic(&self, reservation: usize) -> bool {
        self.reservations.get(reservation).is_some_and(|own| own.is_magnetic)
    }

    /// Those of these reservations that are not over at a moment.
    fn left_of(&self, own: &[usize], at: Seconds) -> impl Iterator<Item = &Announced> {
        own.iter().filter_map(|&own| self.reservations.get(own)).filter(move |own| at <= own.times.at(at).1)
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
        left.peek().is_some() && left.all(|own| now < own.times.at(now).0 && !own.is_flexible)
    }

    /// Keeps the nodes on which a job may start at `from` that is in one of these reservations: none before one begins, and
    /// whichever once all are over, for by the log it ran. Returns the moment after which that changes, if any.
    fn keep_to(&self, own: &[usize], nodes: &mut NodeBits, from: Seconds) -> Option<Seconds> {
        if own.is_empty() || self.left_of(own, from).any(|own| own.is_flexible) {
            return None;
        }
        let turn = |own: &Announced| match own.times.at(from) {
            (begin, end) if begin <= from => end,
            (begin, _) => begin - 1,
        };
        let turn = self.left_of(own, from).map(turn).min()?;
        let begun = || self.left_of(own, from).filter(|own| own.times.at(from).0 <= from);
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
        // as long as a MAGNETIC one has not begun its jobs are like others
        let has_begun = |one: &Announced| !one.is_magnetic || one.times.at(from).0 <= from;
        let beside = self.left_of(own, from).filter(|own| has_begun(own)).map(|own| own.beside);
        let beside = beside.reduce(|one, other| if one == Beside::All { one } else { other });
        for (at, reservation) in self.reservations.iter().enumerate() {
            let is_passed = match beside {
                Some(Beside::All) => true,
                Some(Beside::Others) => reservation.beside != Beside::All,
                _ => false,
            };
            let (begin, over) = reservation.times.at(now);
            let is_own = own.contains(&at) && has_begun(reservation);
            if !is_own
                && !is_passed
                && reservation.times.known <= now
                && from < over
                && until > begin
                && nodes.meets(&reservation.nodes)
            {
                nodes.take_out(&reservation.nodes);
                end = Some(end.map_or(over, |end: Seconds| end.min(over)));
            }
        }
        end
    }
}

// Nodes that only some jobs may use: those of one user (ExclusiveUser of a partition, `--exclusive=user`), and those of a
// reservation.

impl Controller {
    /// Takes out the nodes on which jobs of another user run, where either wants no other user beside it. Backfill goes by
    /// the jobs of now for later starts, too, as Slurm does.
    pub(super) fn keep_to_user(&self, job: &JobState, nodes: &mut NodeBits) {
        if !self.has_owners {
            return;
        }
        let is_apart = |run: &&AllocatedJob| run.job.user != job.user && (job.is_of_one_user || run.job.is_of_one_user);
        let there = self.running.iter().chain(self.completing.iter().map(|other| &other.run));
        there.filter(is_apart).for_each(|run| nodes.take_out(run.nodes()));
    }

    /// The reservations of which a job is in one, by their places in the site.
    pub(super) fn reservations_of(&self, job: &JobState) -> &[usize] {
        if job.is_reserved { &self.nodes.want(job.ask).reservations } else { &[] }
    }

    /// Puts a job into the MAGNETIC reservations that are open to it, if it asks for no other. As in Slurm they draw no parts of
    /// jobs.
    pub(super) fn draw(&mut self, job: &mut JobState) {
        let site = &self.jobs.site;
        let own = self.reservations_of(job);
        let has_any = site.reservations.iter().any(|reservation| reservation.is_magnetic);
        if !has_any || job.part.is_some() || !own.iter().all(|&at| self.availability.is_magnetic(at)) {
            return;
        }
        let is_open = |&at: &usize| {
            let reservation = &site.reservations[at];
            let is_open_to = |of| reservation.is_open_to(&site.accounts, of);
            reservation.is_magnetic && job.association.is_some_and(is_open_to)
        };
        let open: Vec<usize> = (0..site.reservations.len()).filter(is_open).collect();
        if open.is_empty() {
            return;
        }
        let drawn = self.drawn.entry((job.ask.want, open));
        let (want, open) = drawn.key().clone();
        job.ask.want = *drawn.or_insert_with(|| self.nodes.want_in(want, open));
        job.is_reserved = true;
    }

    /// Keeps the nodes on which no reservation keeps a job from starting at `from`, as far as is known at `now`. Returns the
    /// end of the first reservation that keeps it from some: a moment later the answer may be another.
    pub(super) fn keep_clear(
        &self,
        job: &JobState,
        nodes: &mut NodeBits,
        now: Seconds,
        from: Seconds,
    ) -> Option<Seconds> {
        self.availability.keep_clear(self.reservations_of(job), nodes, now, (from, from + job.limit))
    }

    /// The nodes that a job may use while no job runs: those of its partition that are up and have what it wants.
    pub(super) fn open_to(&self, job: &JobState) -> NodeBits {
        let mut open = self.partitions[job.partition as usize].clone();
        open.keep(&self.availability.up);
        self.keep_fit(job, &mut open);
        open
    }

    /// The nodes of all partitions in which these entries wait.
    pub(super) fn reach<'a>(&self, entries: impl Iterator<Item = &'a Box<JobState>>) -> NodeBits {
        let mut all = NodeBits::none(self.nodes.count);
        entries.for_each(|job| all.put_in(&self.partitions[job.partition as usize]));
        all
    }

    /// Keeps the nodes that have what a job wants.
    pub(super) fn keep_fit(&self, job: &JobState, nodes: &mut NodeBits) {
        if let Some(fit) = &self.nodes.want(job.ask).fit {
            nodes.keep(fit);
        }
    }
}
