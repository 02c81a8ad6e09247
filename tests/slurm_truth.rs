//! The family `slurm` beside what a real Slurm did with the same jobs, twice. The measure is the real one's own spread.

#![cfg(not(target_arch = "wasm32"))]

mod shared;

use packfair::model::Schedule;
use packfair::slurm::{SiteFile, Version, read_site};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{JobSite, Log, Workload, reading};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// How many simulations make an ensemble.
const DRAWS: usize = 20;

/// A job as sacct has it.
#[derive(Clone, Debug)]
struct Logged {
    user: String,
    partition: String,
    submit: i64,
    wait: i64,
    priority: f64,
}

/// The jobs of a dump, by their names.
fn logged(path: &Path) -> BTreeMap<u32, Logged> {
    let text = fs::read_to_string(path).expect("the dump is there");
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split('|').collect();
    let mut jobs = BTreeMap::new();
    for line in lines {
        let fields: HashMap<&str, &str> = columns.iter().copied().zip(line.split('|')).collect();
        let moment = |name: &str| chrono::NaiveDateTime::parse_from_str(fields[name], "%Y-%m-%dT%H:%M:%S").ok();
        let number = fields["JobName"].strip_prefix('j').and_then(|number| number.parse().ok());
        let (Some(number), Some(submit), Some(start)) = (number, moment("Submit"), moment("Start")) else { continue };
        let job = Logged {
            user: fields["User"].to_owned(),
            partition: fields["Partition"].to_owned(),
            submit: submit.and_utc().timestamp(),
            wait: (start - submit).num_seconds(),
            priority: fields["Priority"].parse().unwrap_or(0.0),
        };
        jobs.insert(number, job);
    }
    jobs
}

/// A case: what two real runs did, and the workload of the first.
struct Case {
    real: [BTreeMap<u32, Logged>; 2],
    workload: Workload,
    /// The name of each job of the workload.
    names: Vec<u32>,
}

/// What `events.csv` of a case says that somebody did, in Slurm's own words for it. Its times begin with the replay, whose
/// first job tells when that was.
fn announced(folder: &Path, first: &BTreeMap<u32, Logged>) -> Vec<(&'static str, String)> {
    let Ok(events) = fs::read_to_string(folder.join("events.csv")) else { return Vec::new() };
    let jobs = fs::read_to_string(folder.join("jobs.csv")).expect("what was submitted");
    let asked: f64 =
        jobs.lines().nth(1).and_then(|line| line.split(',').nth(1)).and_then(|at| at.parse().ok()).unwrap();
    let begin = first[&1].submit - asked as i64;
    let moment =
        |at: i64| chrono::DateTime::from_timestamp(begin + at, 0).unwrap().format("%Y-%m-%dT%H:%M:%S").to_string();
    let mut reservations = String::new();
    let mut drained: BTreeMap<String, i64> = BTreeMap::new();
    let mut table = "Cluster|NodeName|TimeStart|TimeEnd|State|Reason|User\n".to_owned();
    for line in events.lines().skip(1) {
        let (at, command) = line.split_once(',').expect("at,command");
        let at: i64 = at.parse().expect("seconds");
        let word = |key: &str| {
            let found =
                command.trim_matches('"').split_whitespace().find_map(|word| word.strip_prefix(key)?.strip_prefix('='));
            found.map(str::to_owned)
        };
        if command.contains("create reservation") {
            let start =
                at + word("starttime").and_then(|start| start.strip_prefix("now+")?.parse::<i64>().ok()).unwrap();
            let minutes: i64 = word("duration").and_then(|minutes| minutes.parse().ok()).unwrap();
            writeln!(
                reservations,
                "ReservationName=maint StartTime={} EndTime={} CreationTime={} Nodes={} Users=root",
                moment(start),
                moment(start + 60 * minutes),
                moment(at),
                word("nodes").unwrap()
            )
            .unwrap();
            continue;
        }
        let nodes = word("nodename").unwrap();
        match word("state").as_deref() {
            Some("drain") => {
                drained.insert(nodes, at);
            }
            _ => {
                let from = drained.remove(&nodes).expect("it was drained");
                let range = nodes.trim_start_matches("n[").trim_end_matches(']');
                let (first, last) = range.split_once('-').unwrap();
                for node in first.parse::<u32>().unwrap()..=last.parse().unwrap() {
                    writeln!(table, "c|n{node}|{}|{}|DRAIN|repair|root", moment(from), moment(at)).unwrap();
                }
            }
        }
    }
    vec![("reservations", reservations), ("events", table)]
}

impl Case {
    fn read(folder: &Path) -> Case {
        let real = [logged(&folder.join("sacct.txt")), logged(&folder.join("sacct-again.txt"))];
        let file = |name: &str| fs::read(folder.join(name)).expect("it is there");
        let mut files = vec![("slurm.conf", file("slurm.conf")), ("assoc.txt", file("assoc.txt"))];
        files.extend(announced(folder, &real[0]).into_iter().map(|(name, text)| (name, text.into_bytes())));
        let files: Vec<SiteFile<'_>> = files.iter().map(|(name, content)| SiteFile { name, content }).collect();
        let site = read_site(&files, Version::default());
        assert_eq!(site.findings, [], "all of it is understood");
        let sacct = file("sacct.txt");
        let log = reading::read("sacct.txt", sacct.as_slice()).expect("the log can be read");
        let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
        let log = Log { site: Some(Arc::new(site)), ..log };
        let workload = treatment.apply(&log).expect("it has jobs");
        let job_site: &JobSite = workload.site().expect("it has a site");
        assert_eq!(job_site.missing(), &[] as &[String], "all names are the site's");
        let text = String::from_utf8(sacct).unwrap();
        let named: HashMap<i64, u32> = text
            .lines()
            .skip(1)
            .filter_map(|line| {
                let mut fields = line.split('|');
                Some((fields.next()?.parse().ok()?, fields.next()?.strip_prefix('j')?.parse().ok()?))
            })
            .collect();
        let names = workload.requests().iter().map(|request| named[&request.number]).collect();
        Case { real, workload, names }
    }

    fn simulated(&self, seed: usize) -> Schedule {
        let scheduler = format!("slurm:seed={seed}").parse().expect("the family is there");
        let run = Run::new(scheduler, "requested".parse().unwrap());
        run.simulation(&self.workload, Rules::default()).expect("it decides").finish()
    }

    /// Waits by name.
    fn waits(&self, schedule: &Schedule) -> BTreeMap<u32, i64> {
        let waits =
            self.workload.requests().iter().zip(&schedule.starts).map(|(request, start)| start - request.submit);
        self.names.iter().copied().zip(waits).collect()
    }
}

/// Mean of |a - b|, seconds, over the jobs that are in both.
fn distance(a: &BTreeMap<u32, i64>, b: &BTreeMap<u32, i64>) -> f64 {
    let both: Vec<f64> = a.iter().filter_map(|(job, wait)| Some((wait - b.get(job)?).abs() as f64)).collect();
    mean(&both)
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Judges a case by the criterion (spec 10.8), prints its figures, and returns what does not hold of it.
fn judge(name: &str) -> Option<Vec<String>> {
    let folder = shared::folder()?.join("gold/slurm").join(name);
    let case = Case::read(&folder);
    let real: Vec<BTreeMap<u32, i64>> =
        case.real.iter().map(|run| run.iter().map(|(job, logged)| (*job, logged.wait)).collect()).collect();
    let draws: Vec<BTreeMap<u32, i64>> = (1..=DRAWS).map(|seed| case.waits(&case.simulated(seed))).collect();
    let between: Vec<f64> =
        (0..DRAWS).flat_map(|i| (0..i).map(|j| distance(&draws[i], &draws[j])).collect::<Vec<_>>()).collect();
    let apart = |run| mean(&draws.iter().map(|draw| distance(run, draw)).collect::<Vec<_>>());
    let of_all = |waits: &BTreeMap<u32, i64>| mean(&waits.values().map(|&wait| wait as f64).collect::<Vec<_>>());
    let real_apart = distance(&real[0], &real[1]);
    let simulated = mean(&[apart(&real[0]), apart(&real[1])]);
    let most = (1.25 * real_apart).max(1.25 * mean(&between)).max(0.15 * of_all(&real[0]));
    let mut wrong = Vec::new();
    println!(
        "{name}: d(real, real) {real_apart:.0}, d(sim, sim) {:.0}, d(real, sim) {:.0} and {:.0}, at most {most:.0}",
        mean(&between),
        apart(&real[0]),
        apart(&real[1])
    );
    if simulated > most {
        wrong.push(format!("{name}: d(real, sim) is {simulated:.0}, more than {most:.0}"));
    }
    let mut groups: BTreeMap<String, Vec<u32>> = BTreeMap::new();
    for (job, logged) in &case.real[0] {
        for group in ["all".to_owned(), format!("user {}", logged.user), format!("partition {}", logged.partition)] {
            groups.entry(group).or_default().push(*job);
        }
    }
    for (group, jobs) in groups.iter().filter(|(_, jobs)| jobs.len() >= 20) {
        let of = |waits: &BTreeMap<u32, i64>| {
            mean(&jobs.iter().filter_map(|job| waits.get(job)).map(|&wait| wait as f64).collect::<Vec<_>>())
        };
        let mut means: Vec<f64> = draws.iter().map(of).collect();
        means.sort_by(f64::total_cmp);
        let (least, largest) = (means[0] * 0.95, means[DRAWS - 1] * 1.05);
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
            wrong.push(format!("{name}: {group}: a mean wait of {own:.0} is not within {least:.0} to {largest:.0}"));
        }
    }
    if std::env::var_os("PACKFAIR_EACH").is_some() {
        each(&case, &draws, &real);
    }
    Some(wrong)
}

/// Prints each job: real waits, simulated ones, its last priority.
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

/// The criterion holds of a case: the simulated runs are as far from the real ones as these, or the simulated ones, are from
/// each other, and the mean waits of the real ones are within the range of the simulated ones.
#[track_caller]
fn holds(name: &str) {
    if let Some(wrong) = judge(name) {
        assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    }
}

#[test]
fn fifo_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("fifo");
}

#[test]
fn fair_share_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("fair");
}

#[test]
fn a_window_is_as_near_a_real_one_as_they_are_to_each_other() {
    holds("window");
}
