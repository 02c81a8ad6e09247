//! Which jobs are similar, by what is known of them at submission.
//!
//! Jobs of the same executable, user, requested time and width are of one class. Coarser groups have only some of the
//! four in common. Both are numbered once for a workload, in log order, so that values for each of them can be kept in
//! a plain column.

use super::{JobId, Request, Seconds};
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::sync::{Arc, OnceLock};

/// The number of kinds of groups: the ways to have something of the four in common.
pub const KINDS: usize = 15;

/// Which of executable, user, requested time and width the jobs of a group of each kind have in
/// common, most similar first (the order of METRICS' Hierarchy).
pub const IN_COMMON: [[bool; 4]; KINDS] = [
    [true, true, true, true],
    [true, true, true, false],
    [true, true, false, true],
    [true, true, false, false],
    [true, false, true, true],
    [true, false, true, false],
    [true, false, false, true],
    [true, false, false, false],
    [false, true, true, true],
    [false, true, true, false],
    [false, true, false, true],
    [false, true, false, false],
    [false, false, true, true],
    [false, false, true, false],
    [false, false, false, true],
];

/// Number of a group of each kind, most similar first.
pub type Groups = [u32; KINDS];

/// What the jobs of a class have in common, each numbered from 0 in the order in which it first comes.
#[derive(Clone, Copy, Debug)]
struct SimilarJobs {
    executable: u32,
    user: u32,
    limit: u32,
    width: u32,
}

/// The classes and groups of a workload's jobs.
#[derive(Debug)]
pub struct Similarity {
    of_jobs: Vec<u32>,
    classes: Vec<SimilarJobs>,
    /// Requested time of each class.
    limits: Vec<Seconds>,
    users: usize,
    /// The groups of each class, and the number of all groups; computed when first asked for.
    groups: OnceLock<(Vec<Groups>, usize)>,
}

impl Similarity {
    /// The classes of jobs with these requests, in log order.
    pub(super) fn of(requests: &[Request]) -> Self {
        let mut known: FxHashMap<(i32, i32, Seconds, u32), u32> = FxHashMap::default();
        let (mut executables, mut users) = (Numbering::default(), Numbering::default());
        let (mut limits, mut widths) = (Numbering::default(), Numbering::default());
        let (mut classes, mut times) = (Vec::new(), Vec::new());
        let of_jobs = requests.iter().map(|request| {
            let Request { executable, user, limit, processors, .. } = *request;
            *known.entry((executable, user, limit, processors)).or_insert_with(|| {
                times.push(limit);
                classes.push(SimilarJobs {
                    executable: executables.of(executable),
                    user: users.of(user),
                    limit: limits.of(limit),
                    width: widths.of(processors),
                });
                classes.len() as u32 - 1
            })
        });
        let of_jobs = of_jobs.collect();
        Similarity { of_jobs, classes, limits: times, users: users.len(), groups: OnceLock::new() }
    }

    pub fn classes(&self) -> usize {
        self.classes.len()
    }

    pub fn class(&self, job: JobId) -> usize {
        self.of_jobs[job.index()] as usize
    }

    /// Requested time L of the jobs of a class.
    pub fn limit(&self, class: usize) -> Seconds {
        self.limits[class]
    }

    pub fn users(&self) -> usize {
        self.users
    }

    pub fn user(&self, job: JobId) -> usize {
        self.classes[self.class(job)].user as usize
    }

    /// The number of groups of all kinds together.
    pub fn groups(&self) -> usize {
        self.numbered().1
    }

    /// The groups of the jobs of each class.
    pub fn groups_of_classes(&self) -> &[Groups] {
        &self.numbered().0
    }

    fn numbered(&self) -> &(Vec<Groups>, usize) {
        self.groups.get_or_init(|| number_groups(&self.classes))
    }
}

/// Numbers the groups of all classes: kind by kind, in the order of [`IN_COMMON`].
fn number_groups(classes: &[SimilarJobs]) -> (Vec<Groups>, usize) {
    // a pair of numbers, each below 2^32, as one key
    let pair = |a: u32, b: u32| u64::from(a) << 32 | u64::from(b);
    let mut pairs: [Numbering<u64>; 10] = Default::default();
    let mut counts = [0; KINDS];
    let mut numbered: Vec<Groups> = Vec::with_capacity(classes.len());
    for (whole, class) in (0..).zip(classes) {
        let SimilarJobs { executable: a, user: u, limit: l, width: n } = *class;
        let [au, al, an, ul, un, ln, aul, aun, aln, uln] = &mut pairs;
        let (au, ln) = (au.of(pair(a, u)), ln.of(pair(l, n)));
        let groups = [
            whole,
            aul.of(pair(au, l)),
            aun.of(pair(au, n)),
            au,
            aln.of(pair(a, ln)),
            al.of(pair(a, l)),
            an.of(pair(a, n)),
            a,
            uln.of(pair(u, ln)),
            ul.of(pair(u, l)),
            un.of(pair(u, n)),
            u,
            ln,
            l,
            n,
        ];
        for (count, group) in counts.iter_mut().zip(groups) {
            *count = (*count).max(group + 1);
        }
        numbered.push(groups);
    }
    let mut first = 0;
    let firsts = counts.map(|count| {
        first += count;
        first - count
    });
    for groups in &mut numbered {
        for (group, first) in groups.iter_mut().zip(firsts) {
            *group += first;
        }
    }
    (numbered, first as usize)
}

/// Numbers values from 0 in the order in which they first come.
#[derive(Debug)]
struct Numbering<K> {
    known: FxHashMap<K, u32>,
}

impl<K> Default for Numbering<K> {
    fn default() -> Self {
        Numbering { known: FxHashMap::default() }
    }
}

impl<K: Eq + Hash> Numbering<K> {
    fn of(&mut self, value: K) -> u32 {
        let next = self.known.len() as u32;
        *self.known.entry(value).or_insert(next)
    }

    fn len(&self) -> usize {
        self.known.len()
    }
}

/// [`Similarity`] of a workload, computed when first asked for and shared by its copies. It follows from the jobs, so
/// comparisons of workloads ignore it.
#[derive(Clone, Debug, Default)]
pub(super) struct Lazy(OnceLock<Arc<Similarity>>);

impl Lazy {
    pub(super) fn of(&self, requests: &[Request]) -> &Similarity {
        self.0.get_or_init(|| Arc::new(Similarity::of(requests)))
    }
}

impl PartialEq for Lazy {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request(executable: i32, user: i32, limit: Seconds, processors: u32) -> Request {
        let number = 1;
        Request { number, submit: 0, processors, limit, user, group: -1, executable, queue: -1, partition: -1 }
    }

    #[test]
    fn jobs_share_a_group_where_they_have_its_fields_in_common() {
        let mut requests = Vec::new();
        for executable in [-1, 3] {
            for user in [7, 8, -1] {
                for limit in [60, 3_600] {
                    for processors in [1, 2] {
                        requests.push(request(executable, user, limit, processors));
                    }
                }
            }
        }
        requests.push(requests[5].clone());
        let similarity = Similarity::of(&requests);
        assert_eq!((similarity.classes(), similarity.users()), (24, 3));
        let groups = |job: usize| similarity.groups_of_classes()[similarity.class(JobId(job as u32))];
        let fields = |r: &Request| [i64::from(r.executable), i64::from(r.user), r.limit, i64::from(r.processors)];
        for (i, x) in requests.iter().enumerate() {
            for (j, y) in requests.iter().enumerate() {
                let same: Vec<bool> = fields(x).iter().zip(fields(y)).map(|(a, b)| *a == b).collect();
                for (kind, common) in IN_COMMON.iter().enumerate() {
                    let expected = common.iter().zip(&same).all(|(common, same)| !common || *same);
                    assert_eq!(groups(i)[kind] == groups(j)[kind], expected, "jobs {i} and {j}, kind {kind}");
                }
            }
        }
        let mut all: Vec<u32> = (0..requests.len()).flat_map(groups).collect();
        all.sort_unstable();
        all.dedup();
        assert_eq!(
            all,
            (0..similarity.groups() as u32).collect::<Vec<_>>(),
            "numbered without gaps, no two kinds alike"
        );
    }
}
