//! Trials of remedies, for a model that explains little of what the machine did. Each remedy changes the study, and one
//! of its runs is simulated again.

use super::fit::{Closeness, Fit, FitGrade, share};
use crate::format::{duration, whole};
use crate::settings::LogFacts;
use crate::{Overfull, Rules, Run, RunPartition, Study, Treatment, measured};
use packfair_engine::metric::Measure;
use packfair_schedulers::Policy;
use packfair_slurm::Version;
use packfair_workload::{Feedback, Log, Since, Unit};

/// Logs with more partitions are not tried partition by partition, because a table of so many machines is no answer.
const MOST_PARTITIONS: usize = 32;

/// Shares of a machine that are tried as its whole size: some nodes may be down, or kept for others.
const SMALLER: [f64; 2] = [0.875, 0.75];

/// An offer must explain at least this much more of the starts, as a share of all starts.
const WORTH_OFFERING: f64 = 0.1;

/// Something that may be wrong with how a log is simulated, and the change that mends it.
#[derive(Clone, Debug, PartialEq)]
pub enum Remedy {
    /// Jobs of one partition do not run on the nodes of another: each partition becomes a machine of its own.
    EachPartition(Vec<RunPartition>),
    Counted(Unit),
    /// Jobs were held at submission or depended on others: waits count from when they were eligible.
    Eligible,
    /// The machine has another size; `None` for the size that the log tells.
    Machine(Option<u32>, Unit),
    /// Slurm differs from its files in something that they do not tell.
    Slurm(SlurmDoubt),
}

/// Something that the files of a Slurm site do not tell, and its log may show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SlurmDoubt {
    /// Nodes become free this many seconds after their job ends, because epilogs take time.
    Epilog(u32),
    /// Backfill looks at this many jobs each second, and pauses.
    Rate(u32),
    Version(Version),
}

/// The doubts that are tried, the likeliest first.
const DOUBTS: [SlurmDoubt; 5] = [
    SlurmDoubt::Version(Version::V2605),
    SlurmDoubt::Epilog(10),
    SlurmDoubt::Epilog(60),
    SlurmDoubt::Rate(500),
    SlurmDoubt::Rate(50),
];

impl SlurmDoubt {
    fn setting(self) -> (&'static str, String) {
        match self {
            SlurmDoubt::Epilog(seconds) => ("epilog", seconds.to_string()),
            SlurmDoubt::Rate(rate) => ("rate", rate.to_string()),
            SlurmDoubt::Version(version) => ("version", version.name().to_owned()),
        }
    }

    /// The same scheduler with this setting; `None` where the scheduler does not use a site's files, or has the setting
    /// already.
    fn of(self, policy: &Policy) -> Option<Policy> {
        let (key, value) = self.setting();
        let mut changed = policy.goes_by_site().then(|| policy.clone())?;
        changed.set(key, &value).ok()?;
        (changed != *policy).then_some(changed)
    }
}

/// A run that shows what a remedy does.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    pub remedy: usize,
    pub treatment: Treatment,
    pub run: Run,
}

/// The result of a trial.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tried {
    /// How many jobs counted.
    pub jobs: usize,
    /// How near the run comes to the log.
    pub closeness: Closeness,
}

/// The trials for a poor fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Trials {
    /// How near the nearest row of the table comes.
    pub before: Closeness,
    pub remedies: Vec<Remedy>,
    /// A run for each remedy, and one for each partition where partitions are separated.
    pub trials: Vec<Trial>,
}

/// The offer of the remedy that explains most.
#[derive(Clone, Debug, PartialEq)]
pub struct Offer {
    pub remedy: Remedy,
    /// What it explains, in a sentence.
    pub text: String,
}

impl Remedy {
    /// The remedies that may apply to this study, given what is known of its log; the likeliest first.
    fn all(study: &Study, facts: &LogFacts, run: &Run, overfull: Option<&Overfull>) -> Vec<Remedy> {
        let Some(summary) = facts.summary else { return Vec::new() };
        let (counting, treatment) = (&summary.counting, &study.treatment);
        let partitions = facts.partitions_apart(study);
        let mut all = Vec::new();
        // With the files of a site less is unknown: its speed, and what its version decides.
        all.extend(DOUBTS.into_iter().filter(|doubt| doubt.of(&run.scheduler).is_some()).map(Remedy::Slurm));
        if (2..=MOST_PARTITIONS).contains(&partitions.len()) {
            all.push(Remedy::EachPartition(partitions));
        }
        all.extend(counting.known.iter().filter(|unit| **unit != counting.unit).map(|&unit| Remedy::Counted(unit)));
        if counting.tells_eligible && treatment.since == Since::Submit {
            all.push(Remedy::Eligible);
        }
        if treatment.processors.is_some() {
            all.push(Remedy::Machine(None, counting.unit));
        } else if let Some(used) = overfull.and_then(|overfull| u32::try_from(overfull.used).ok()) {
            all.push(Remedy::Machine(Some(used), counting.unit));
        } else {
            let size = summary.machine.processors;
            let smaller = SMALLER.map(|part| (f64::from(size) * part) as u32);
            // Wider jobs would be dropped.
            let fits = |part: &u32| *part < size && *part >= summary.arrivals.max_width.max(1);
            all.extend(smaller.into_iter().filter(fits).map(|part| Remedy::Machine(Some(part), counting.unit)));
        }
        all
    }

    /// Applies the remedy to a study.
    pub fn apply(&self, study: &mut Study) {
        match self {
            Remedy::EachPartition(each) => study.partitions = each.clone(),
            Remedy::Counted(unit) => {
                study.treatment.unit = Some(*unit);
                // A size in one unit has no meaning in another.
                study.treatment.processors = None;
            }
            Remedy::Eligible => study.treatment.since = Since::Eligible,
            Remedy::Machine(size, _) => study.treatment.processors = *size,
            Remedy::Slurm(doubt) => {
                for policy in &mut study.schedulers {
                    if let Some(changed) = doubt.of(policy) {
                        *policy = changed;
                    }
                }
            }
        }
    }

    /// Its name, as the beginning of a sentence with a verb in the singular.
    pub fn name(&self) -> String {
        match self {
            Remedy::EachPartition(_) => "Each partition by itself".to_owned(),
            Remedy::Counted(unit) => format!("Counting {}", unit.plural()),
            Remedy::Eligible => "Waiting since jobs were eligible".to_owned(),
            Remedy::Machine(Some(size), unit) => format!("A machine of {} {}", whole(*size), unit.plural()),
            Remedy::Machine(None, _) => "The machine size that the log tells".to_owned(),
            Remedy::Slurm(SlurmDoubt::Epilog(seconds)) => format!("An epilog of {}", duration(f64::from(*seconds))),
            Remedy::Slurm(SlurmDoubt::Rate(rate)) => format!("Backfill that looks at {} jobs a second", whole(*rate)),
            Remedy::Slurm(SlurmDoubt::Version(version)) => format!("Slurm {}", version.name()),
        }
    }

    /// The command line's options that do the same.
    pub fn options(&self) -> String {
        match self {
            Remedy::EachPartition(_) => "--each-partition".to_owned(),
            Remedy::Counted(unit) => format!("--unit={}", unit.id()),
            Remedy::Eligible => format!("--since={}", Since::Eligible.id()),
            Remedy::Machine(Some(size), _) => format!("--procs={size}"),
            Remedy::Machine(None, _) => "without --procs".to_owned(),
            Remedy::Slurm(doubt) => {
                let (key, value) = doubt.setting();
                format!("--scheduler=slurm:{key}={value}")
            }
        }
    }

    /// The trials of this remedy for a run: one, or one for each partition.
    fn trials(&self, place: usize, study: &Study, run: &Run) -> Vec<Trial> {
        let mut mended = study.clone();
        self.apply(&mut mended);
        let runs = match self {
            Remedy::EachPartition(each) => each.iter().map(|of| run.clone().on_partition(Some(of.clone()))).collect(),
            Remedy::Slurm(doubt) => {
                let changed = doubt.of(&run.scheduler).map(|scheduler| Run { scheduler, ..run.clone() });
                changed.into_iter().collect()
            }
            _ => vec![run.clone()],
        };
        let trial = |run: Run| Trial { remedy: place, treatment: run.treatment(&mended.treatment), run };
        runs.into_iter().map(trial).collect()
    }
}

impl Trial {
    /// The result of the trial on its log; `None` where its workload cannot be made, or the log does not tell when its
    /// jobs started.
    pub fn try_on(&self, log: &Log, rules: Rules, measure: &Measure) -> Option<Tried> {
        let workload = self.treatment.apply(log).ok()?;
        let values = measured(&self.run, &workload, rules, measure, &Closeness::METRICS, &[]).ok()?;
        Some(Tried { jobs: workload.len(), closeness: Closeness::of_measured(&values)? })
    }
}

impl Trials {
    /// The trials for a study whose nearest row has this fit. `None` where the fit is good, where partitions are
    /// separated already, where the jobs or the machine are not the log's own, where users react, or where no remedy
    /// applies.
    pub fn of(study: &Study, facts: &LogFacts, fit: &Fit<'_>, overfull: Option<&Overfull>) -> Option<Self> {
        let is_of_log = study.treatment.like.is_none()
            && study.treatment.feedback.feedback == Feedback::Off
            && study.treatment.machine.is_none();
        if fit.grade() == FitGrade::Green || !study.partitions.is_empty() || !is_of_log {
            return None;
        }
        let remedies = Remedy::all(study, facts, &fit.report.run, overfull);
        let of = |(place, remedy): (usize, &Remedy)| remedy.trials(place, study, &fit.report.run);
        let trials: Vec<Trial> = remedies.iter().enumerate().flat_map(of).collect();
        (!trials.is_empty()).then_some(Trials { before: fit.closeness, remedies, trials })
    }

    /// How long the trials will take, seconds, if a run on all jobs takes `of_run`. The partitions of a log share its
    /// jobs, so together they count as one run.
    pub fn seconds(&self, of_run: f64) -> f64 {
        of_run * self.remedies.len() as f64
    }

    pub fn is_tried_with(&self, run: &Run) -> bool {
        self.trials.iter().any(|trial| {
            let mut tried = trial.run.clone().on_partition(None);
            // Another setting takes about as long.
            if tried.scheduler.goes_by_site() && run.scheduler.goes_by_site() {
                tried.scheduler = run.scheduler.clone();
            }
            tried == *run
        })
    }

    /// The names of the remedies that are tried.
    pub fn in_words(&self) -> String {
        let names: Vec<String> = self.remedies.iter().map(Remedy::name).collect();
        names.join(", ")
    }

    /// The offer after trials with the results `tried`, in their order; an entry is `None` where a trial has no result.
    /// `None` where no remedy explains enough more.
    ///
    /// The best remedy explains the most starts among all jobs of its trials; among equals the likeliest wins.
    pub fn offer(&self, tried: &[Option<Tried>]) -> Option<Offer> {
        let mut best: Option<(f64, &Remedy, Vec<Tried>)> = None;
        for (place, remedy) in self.remedies.iter().enumerate() {
            let own = self.trials.iter().zip(tried).filter(|(trial, _)| trial.remedy == place);
            let Some(own) = own.map(|(_, tried)| *tried).collect::<Option<Vec<Tried>>>() else { continue };
            let jobs: usize = own.iter().map(|tried| tried.jobs).sum();
            let near =
                own.iter().map(|tried| tried.closeness.near * tried.jobs as f64).sum::<f64>() / jobs.max(1) as f64;
            if near >= self.before.near + WORTH_OFFERING && best.as_ref().is_none_or(|(most, ..)| near > *most) {
                best = Some((near, remedy, own));
            }
        }
        let (_, remedy, own) = best?;
        let of = |pick: fn(f64, f64) -> f64| own.iter().map(|tried| tried.closeness.near).reduce(pick).unwrap_or(0.0);
        let (least, most) = (of(f64::min), of(f64::max));
        let range = match (share(least), share(most)) {
            (least, most) if least == most => most,
            (_, most) => format!("{} to {most}", whole((100.0 * least).round() as i64)),
        };
        let text = format!("{} explains {range} of the logged starts, not {}.", remedy.name(), share(self.before.near));
        Some(Offer { remedy: remedy.clone(), text })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::SPACE;
    use crate::{RunReport, execute};
    use packfair_workload::{Summary, reading};

    /// A cluster with a partition of 4 nodes, on which one job follows the other, and a partition of 12, which mostly
    /// idles.
    fn log() -> Log {
        let head = "JobID|Partition|Submit|Eligible|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|AllocTRES|State\n";
        let line = |partition: &str, (submit, start): (usize, usize), run: usize, nodes: usize| {
            let [submit, start] = [submit, start].map(|second| 1_700_000_000 + second);
            let processors = 3 * nodes + 1;
            format!(
                "1|{partition}|{submit}|{submit}|{start}|{run}|60|{nodes}|{processors}|gres/gpu={nodes}|COMPLETED\n"
            )
        };
        let narrow = (0..30).map(|i| line("narrow", (i, 2_000 * i), 2_000, 4));
        let wide = (0..10).map(|i| line("wide", (6_000 * i + 5, 6_000 * i + 5), 100, 12));
        let lines: String =
            narrow.chain(wide).enumerate().map(|(i, line)| line.replacen('1', &i.to_string(), 1)).collect();
        reading::read("sacct", (head.to_owned() + lines.as_str()).as_bytes()).unwrap()
    }

    fn study(log: &Log) -> Study {
        let source = crate::Source::Trace { name: log.name.clone(), fingerprint: log.fingerprint };
        let mut study = Study::on(source);
        study.schedulers = vec!["easy".parse().unwrap()];
        study.methods.truncate(1);
        study
    }

    fn report(study: &Study, log: &Log, treatment: &Treatment, run: &Run) -> RunReport {
        execute(run, &treatment.apply(log).unwrap(), study.rules(), &study.measure).unwrap().report
    }

    fn easy() -> Run {
        Run::new("easy".parse().unwrap(), "requested".parse().unwrap())
    }

    fn near(near: f64) -> Closeness {
        Closeness { near, gap: 900.0, gap90: 9_000.0, rank: Some(0.2) }
    }

    fn partition(number: i32, name: &str) -> RunPartition {
        RunPartition { number, name: name.to_owned(), processors: None }
    }

    #[test]
    fn what_the_log_tells_decides_what_is_tried() {
        let log = log();
        let mut study = study(&log);
        let tried = |study: &Study| {
            let summary = Summary::of(&study.treatment.apply(&log).unwrap());
            let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
            Remedy::all(study, &facts, &easy(), None).iter().map(Remedy::options).collect::<Vec<_>>()
        };
        let all = ["--each-partition", "--unit=nodes", "--unit=gpus", "--since=eligible", "--procs=43", "--procs=37"];
        assert_eq!(tried(&study), all, "the widest job takes 37 of 50 processors");
        // What the study has already is not tried again, and what was set by hand is tried without.
        study.treatment.unit = Some(Unit::Nodes);
        study.treatment.since = Since::Eligible;
        study.treatment.processors = Some(20);
        study.treatment.filter.partitions = vec![log.records[0].partition];
        assert_eq!(tried(&study), ["--unit=processors", "--unit=gpus", "without --procs"]);
        study.treatment.filter.partitions.clear();
        study.treatment.processors = None;
        let summary = Summary::of(&study.treatment.apply(&log).unwrap());
        let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
        let overfull = Overfull { at: 0, date: None, used: 24, processors: 16, jobs: vec![1], others: 0 };
        assert!(
            Remedy::all(&study, &facts, &easy(), Some(&overfull)).contains(&Remedy::Machine(Some(24), Unit::Nodes))
        );
        assert!(Remedy::all(&study, &LogFacts::default(), &easy(), None).is_empty(), "before the log is described");
    }

    #[test]
    fn a_remedy_is_offered_with_what_it_explains() {
        let trial = |remedy| Trial {
            remedy,
            treatment: Treatment::default(),
            run: Run::new("easy".parse().unwrap(), "requested".parse().unwrap()),
        };
        let each = Remedy::EachPartition(vec![partition(1, "a"), partition(2, "b")]);
        let trials = Trials {
            before: near(0.1),
            remedies: vec![each.clone(), Remedy::Eligible, Remedy::Machine(Some(1_200), Unit::Nodes)],
            trials: vec![trial(0), trial(0), trial(1), trial(2)],
        };
        let tried = |shares: [Option<f64>; 4]| {
            let jobs = [900, 100, 1_000, 1_000];
            let of = |(share, jobs): (Option<f64>, usize)| share.map(|share| Tried { jobs, closeness: near(share) });
            let tried: Vec<Option<Tried>> = shares.into_iter().zip(jobs).map(of).collect();
            trials.offer(&tried).map(|offer| (offer.remedy, offer.text.replace(SPACE, " ")))
        };
        assert_eq!(
            tried([Some(0.413), Some(1.0), Some(0.2), Some(0.1)]),
            Some((each, "Each partition by itself explains 41 to 100 % of the logged starts, not 10 %.".to_owned()))
        );
        let (remedy, text) = tried([Some(0.3), Some(1.0), Some(0.5), Some(0.5)]).unwrap();
        assert_eq!(remedy, Remedy::Eligible, "of equals the likeliest, by the share of all jobs");
        assert_eq!(text, "Waiting since jobs were eligible explains 50 % of the logged starts, not 10 %.");
        let (_, text) = tried([Some(0.3), None, Some(0.15), Some(0.62)]).unwrap();
        assert_eq!(text, "A machine of 1,200 nodes explains 62 % of the logged starts, not 10 %.");
        assert_eq!(tried([Some(0.15), Some(0.15), Some(0.19), None]), None, "no more than chance");
    }

    #[test]
    fn what_the_files_of_a_site_do_not_tell_is_tried() {
        let log = log();
        let mut study = study(&log);
        study.schedulers = vec!["slurm".parse().unwrap(), "easy".parse().unwrap()];
        let summary = Summary::of(&study.treatment.apply(&log).unwrap());
        let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
        let run = study.runs().remove(0);
        let found = report(&study, &log, &study.treatment, &run);
        let trials = Trials::of(&study, &facts, &Fit { report: &found, closeness: near(0.1) }, None).unwrap();
        let options: Vec<String> = trials.remedies.iter().map(Remedy::options).take(5).collect();
        let all = ["version=26.05", "epilog=10", "epilog=60", "rate=500", "rate=50"];
        assert_eq!(options, all.map(|setting| format!("--scheduler=slurm:{setting}")));
        assert_eq!(trials.trials[1].run.scheduler, "slurm:epilog=10".parse().unwrap());
        assert!(trials.is_tried_with(&run));
        let mut mended = study.clone();
        trials.remedies[1].apply(&mut mended);
        let all = ["slurm:epilog=10", "easy"].map(|id| id.parse().unwrap());
        assert_eq!(mended.schedulers, all, "others stay as they are");
        // A setting that is there already is not tried.
        let run = Run::new("slurm:epilog=10".parse().unwrap(), "requested".parse().unwrap());
        assert!(!Remedy::all(&study, &facts, &run, None).contains(&Remedy::Slurm(SlurmDoubt::Epilog(10))));
        let tried: Vec<Option<Tried>> = (0..trials.trials.len())
            .map(|at| Some(Tried { jobs: 40, closeness: near(if at == 1 { 0.9 } else { 0.1 }) }))
            .collect();
        let offer = trials.offer(&tried).unwrap();
        assert_eq!(offer.text.replace(SPACE, " "), "An epilog of 10 s explains 90 % of the logged starts, not 10 %.");
    }

    #[test]
    fn only_a_poor_fit_of_the_log_s_own_jobs_is_mended() {
        let log = log();
        let study = study(&log);
        let run = study.runs().remove(0);
        let summary = Summary::of(&study.treatment.apply(&log).unwrap());
        let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
        let found = report(&study, &log, &study.treatment, &run);
        let poor = Fit { report: &found, closeness: near(0.1) };
        let trials = Trials::of(&study, &facts, &poor, None).unwrap();
        assert_eq!(trials.trials.len(), 7, "one for each of two partitions, and for five others");
        assert_eq!(
            trials.trials[0].treatment.filter.partitions,
            [trials.trials[0].run.partition.clone().unwrap().number]
        );
        assert!((trials.seconds(2.0) - 12.0).abs() < 1e-9);
        let good = Closeness { near: 0.95, gap: 0.0, gap90: 60.0, rank: Some(0.9) };
        assert_eq!(Trials::of(&study, &facts, &Fit { report: &found, closeness: good }, None), None);
        let mut apart = study.clone();
        trials.remedies[0].apply(&mut apart);
        assert_eq!(apart.partitions.len(), 2);
        assert_eq!(Trials::of(&apart, &facts, &poor, None), None);
        let mut made = study.clone();
        made.treatment.feedback.feedback = Feedback::Sessions;
        assert_eq!(Trials::of(&made, &facts, &poor, None), None);
    }

    #[test]
    fn a_log_of_merged_partitions_is_better_explained_partition_by_partition() {
        let log = log();
        let study = study(&log);
        let run = study.runs().remove(0);
        let summary = Summary::of(&study.treatment.apply(&log).unwrap());
        let facts = LogFacts { summary: Some(&summary), ..LogFacts::default() };
        let found = report(&study, &log, &study.treatment, &run);
        let fit = Fit::of([&found]).unwrap();
        let trials = Trials::of(&study, &facts, &fit, None).unwrap();
        let tried: Vec<Option<Tried>> =
            trials.trials.iter().map(|trial| trial.try_on(&log, study.rules(), &study.measure)).collect();
        let offer = trials.offer(&tried).unwrap();
        assert!(matches!(offer.remedy, Remedy::EachPartition(_)), "{offer:?}, {tried:?}");
    }
}
