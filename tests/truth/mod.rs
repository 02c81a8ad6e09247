//! Compares the family `slurm` with what a real Slurm did. The measure is the real Slurm's own spread.
#![allow(dead_code)] // each test file uses its part

pub mod case;

use case::Case;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The number of simulations in an ensemble.
const DRAWS: usize = 20;

/// The mean of |a - b|, seconds, over the jobs that are in both.
fn distance(a: &BTreeMap<u32, i64>, b: &BTreeMap<u32, i64>) -> f64 {
    let both: Vec<f64> = a.iter().filter_map(|(job, wait)| Some((wait - b.get(job)?).abs() as f64)).collect();
    mean(&both)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// How far a simulation may be from real runs.
#[derive(Clone, Copy)]
pub struct Criterion {
    /// The largest distance, as a multiple of that between real runs or between simulated ones.
    apart: f64,
    /// The largest distance, as a part of the mean wait, if that is larger.
    of_wait: f64,
    /// The part by which the range of the simulated means is widened, in which the real means must lie.
    widened: f64,
}

/// The criterion of the recorded runs.
pub const STRICT: Criterion = Criterion { apart: 1.25, of_wait: 0.15, widened: 0.05 };

/// The criterion of a single run on a machine that does other things too: a second that the controller waits for a
/// processor is twelve seconds of the fast clock.
pub const LOOSE: Criterion = Criterion { apart: 1.5, of_wait: 0.25, widened: 0.15 };

/// What is compared of each job, seconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compared {
    /// How long it waited.
    Waits,
    /// For how long it was suspended.
    Suspensions,
}

/// A recorded case.
#[derive(Clone, Copy, Debug)]
pub struct RecordedCase {
    /// Its folder; that of several cases where several things are compared.
    pub name: &'static str,
    /// How docs/slurm.md calls it.
    pub title: &'static str,
    /// Whether the recordings are the project's own; the others are beside the repository.
    pub is_own: bool,
    /// What no file tells, as further settings of the family (`,boot=65`).
    pub settings: &'static str,
    pub compared: Compared,
}

const fn own(name: &'static str, title: &'static str) -> RecordedCase {
    RecordedCase { name, title, is_own: true, settings: "", compared: Compared::Waits }
}

const fn suspended(name: &'static str, title: &'static str) -> RecordedCase {
    RecordedCase { compared: Compared::Suspensions, ..own(name, title) }
}

/// A case of which no file tells all.
const fn knowing(name: &'static str, title: &'static str, settings: &'static str) -> RecordedCase {
    RecordedCase { settings, ..own(name, title) }
}

const fn beside(name: &'static str, title: &'static str) -> RecordedCase {
    RecordedCase { is_own: false, ..own(name, title) }
}

/// All recorded cases, in the order of the table of docs/slurm.md.
pub const CASES: &[RecordedCase] = &[
    beside("fifo", "order of submission"),
    beside("fair", "fair tree"),
    beside("window", "maintenance and drains"),
    own("arrays", "arrays"),
    own("dependencies", "dependencies"),
    own("begin", "held jobs and begin times"),
    own("overlap", "overlapping partitions with a QOS"),
    own("stop", "`assoc_limit_stop`"),
    own("short", "cycles cut short"),
    own("preempt", "preemption"),
    own("gpu", "shared nodes with graphics processors"),
    own("fails", "nodes that fail"),
    own("classic", "classic fair share"),
    own("shared", "shared nodes by fair share"),
    own("qos", "limits of a QOS"),
    knowing("saving", "nodes that go off", ",boot=65"),
    knowing("rates", "shared nodes that go off, by rates", ",boot=65"),
    own("kinds", "types of graphics processors"),
    own("features", "features and `--constraint`"),
    own("memory", "memory by default and at most"),
    own("tree", "switches and `--switches`"),
    own("licences", "licences"),
    own("owned", "ExclusiveUser and sets of nodes"),
    own("site", "types, memory, features and licences by fair share"),
    own("leaves", "switches of shared nodes with features"),
    own("suspend", "suspension"),
    suspended("suspend", "suspension: time suspended"),
    own("tiers", "suspension by three tiers with memory"),
    suspended("tiers", "suspension by three tiers with memory: time suspended"),
];

impl RecordedCase {
    /// The folder with its recordings, where there is one; `beside` is where those are that the project lacks.
    pub fn folder(&self, beside: Option<&Path>) -> Option<PathBuf> {
        let own = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm"));
        let folder = if self.is_own { Some(own) } else { beside }?.join(self.name);
        folder.is_dir().then_some(folder)
    }

    /// Whether a line of the table is its own.
    pub fn has_line(&self, line: &str) -> bool {
        line.strip_prefix("| ")
            .and_then(|rest| rest.strip_prefix(self.title))
            .is_some_and(|rest| rest.starts_with(" |"))
    }
}

/// What is found of a case.
pub struct JudgedCase {
    /// What does not hold of it.
    pub wrong: Vec<String>,
    /// Its line in the table of docs/slurm.md.
    pub line: String,
}

/// Judges a case by the criterion, and prints its figures.
pub fn judge(case: RecordedCase, folder: &Path) -> JudgedCase {
    let read = Case::read(folder);
    let runs = Runs::of(&read, case.compared, case.settings);
    let misses = misses_of(case.name, &read, &runs, STRICT);
    let line = runs.line(case.title, &misses);
    println!("{line}");
    JudgedCase { line, wrong: words_of(misses) }
}

/// Something that the criterion wants and that does not hold.
struct Miss {
    /// The group of jobs; none where the distance is too large.
    group: Option<String>,
    words: String,
}

fn words_of(misses: Vec<Miss>) -> Vec<String> {
    misses.into_iter().map(|miss| miss.words).collect()
}

/// How far the runs of a case are from each other, seconds.
pub struct Distances {
    /// The mean distance between the two real runs, and between simulated ones.
    pub real: f64,
    pub simulated: f64,
    /// That of the simulated runs from each real one, and how large it may be.
    pub apart: [f64; 2],
    pub most: f64,
}

/// The two real runs of a case, and simulated ones: the wait of each job.
struct Runs {
    real: Vec<BTreeMap<u32, i64>>,
    draws: Vec<BTreeMap<u32, i64>>,
}

impl Runs {
    fn of(case: &Case, compared: Compared, settings: &str) -> Self {
        let of_real = |logged: &case::Logged| match compared {
            Compared::Waits => logged.wait,
            Compared::Suspensions => logged.suspended,
        };
        let of_draw = |seed| {
            let schedule = case.simulated(seed, settings);
            match compared {
                Compared::Waits => case.waits(&schedule),
                Compared::Suspensions => case.suspended(&schedule),
            }
        };
        let times =
            |run: &BTreeMap<u32, case::Logged>| run.iter().map(|(job, logged)| (*job, of_real(logged))).collect();
        Runs { real: case.real.iter().map(times).collect(), draws: (1..=DRAWS).map(of_draw).collect() }
    }

    fn distances(&self, criterion: Criterion) -> Distances {
        let Runs { real, draws } = self;
        let pairs = (0..DRAWS).flat_map(|i| (0..i).map(move |j| (i, j)));
        let between: Vec<f64> = pairs.map(|(i, j)| distance(&draws[i], &draws[j])).collect();
        let apart = |run| mean(&draws.iter().map(|draw| distance(run, draw)).collect::<Vec<_>>());
        let (of_real, simulated) = (distance(&real[0], &real[1]), mean(&between));
        let most = (criterion.apart * of_real.max(simulated)).max(criterion.of_wait * mean_wait(&real[0]));
        Distances { real: of_real, simulated, apart: [apart(&real[0]), apart(&real[1])], most }
    }

    /// The line of a case in the table of docs/slurm.md.
    fn line(&self, title: &str, misses: &[Miss]) -> String {
        let Distances { real, simulated, apart, most } = self.distances(STRICT);
        let means: Vec<f64> = self.draws.iter().map(mean_wait).collect();
        let (least, largest) =
            means.iter().fold((f64::MAX, 0.0_f64), |(low, high), &wait| (low.min(wait), high.max(wait)));
        let of_real = self.real.iter().map(|waits| whole(mean_wait(waits))).collect::<Vec<_>>().join(", ");
        let [real, simulated, first, second, most] = [real, simulated, apart[0], apart[1], most].map(whole);
        let (least, largest) = (whole(least), whole(largest));
        let mut missed: Vec<&str> = misses.iter().map(|miss| miss.group.as_deref().unwrap_or("d")).collect();
        missed.dedup();
        let missed = missed.join(", ");
        format!(
            "| {title} | {real} | {simulated} | {first}, {second} | {most} | {of_real} | {least} to {largest} | {missed} |"
        )
    }
}

fn mean_wait(waits: &BTreeMap<u32, i64>) -> f64 {
    mean(&waits.values().map(|&wait| wait as f64).collect::<Vec<_>>())
}

/// The line of a case in the table of docs/slurm.md.
pub fn table_line(case: RecordedCase, folder: &Path) -> String {
    judge(case, folder).line
}

/// A whole number, its thousands set off by a comma.
fn whole(value: f64) -> String {
    let number = value.round() as i64;
    if number < 1000 { number.to_string() } else { format!("{},{:03}", number / 1000, number % 1000) }
}

/// As [`judge`], with another criterion and further settings of the simulation.
pub fn judge_by(name: &str, case: &Case, criterion: Criterion, settings: &str) -> Vec<String> {
    words_of(misses_of(name, case, &Runs::of(case, Compared::Waits, settings), criterion))
}

fn misses_of(name: &str, case: &Case, runs: &Runs, criterion: Criterion) -> Vec<Miss> {
    let Distances { real: of_real, simulated: between, apart, most } = runs.distances(criterion);
    let Runs { real, draws } = runs;
    let simulated = mean(&apart);
    let mut wrong = Vec::new();
    println!(
        "{name}: d(real, real) {of_real:.0}, d(sim, sim) {between:.0}, d(real, sim) {:.0} and {:.0}, at most {most:.0}",
        apart[0], apart[1]
    );
    if simulated > most {
        let words = format!("{name}: d(real, sim) is {simulated:.0}, more than {most:.0}");
        wrong.push(Miss { group: None, words });
    }
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (job, logged) in &case.real[0] {
        let (user, partition, qos) = (&logged.user, &logged.partition, &logged.qos);
        for group in ["all".to_owned(), format!("user {user}"), format!("partition {partition}"), format!("QOS {qos}")]
        {
            groups.entry(group).or_default().push(*job);
        }
    }
    for (group, jobs) in groups.iter().filter(|(_, jobs)| jobs.len() >= 20) {
        let of = |waits: &BTreeMap<u32, i64>| {
            mean(&jobs.iter().filter_map(|job| waits.get(job)).map(|&wait| wait as f64).collect::<Vec<_>>())
        };
        let mut means: Vec<f64> = draws.iter().map(of).collect();
        means.sort_by(f64::total_cmp);
        let (least, largest) = (means[0] * (1.0 - criterion.widened), means[DRAWS - 1] * (1.0 + criterion.widened));
        let own = [of(&real[0]), of(&real[1])];
        println!(
            "  {group}: mean wait {:.0} and {:.0}, simulated {:.0} to {:.0} (median {:.0})",
            own[0],
            own[1],
            means[0],
            means[DRAWS - 1],
            means[DRAWS / 2]
        );
        for own in own.into_iter().filter(|own| !(least..=largest).contains(own)) {
            let words = format!("{name}: {group}: a mean wait of {own:.0} is not within {least:.0} to {largest:.0}");
            wrong.push(Miss { group: Some(group.clone()), words });
        }
    }
    if std::env::var_os("PACKFAIR_EACH").is_some() {
        each(case, draws, real);
    }
    wrong
}

/// Prints for each job its real waits, its simulated waits and its last priority.
fn each(case: &Case, draws: &[BTreeMap<u32, i64>], real: &[BTreeMap<u32, i64>]) {
    for (job, logged) in &case.real[0] {
        let waits: Vec<i64> = draws.iter().take(6).filter_map(|draw| draw.get(job).copied()).collect();
        println!(
            "j{job} {} {} priority {} real {} {:?} simulated {waits:?}",
            logged.user,
            logged.submit,
            logged.priority,
            logged.wait,
            real[1].get(job)
        );
    }
}
