//! A recorded case: the configuration of a real Slurm, and what it did with the same jobs, twice.

use packfair::model::Schedule;
use packfair::slurm::{Finding, FindingKind, SiteFile, Version, read_site};
use packfair::study::{Rules, Run, Treatment};
use packfair::workload::{JobId, JobSite, Log, Workload, reading};
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::sync::Arc;

/// A job as sacct has it.
#[derive(Clone, Debug)]
pub struct Logged {
    pub user: String,
    pub partition: String,
    pub qos: String,
    pub submit: i64,
    pub wait: i64,
    /// For how many seconds it was suspended.
    pub suspended: i64,
    pub priority: f64,
}

/// The columns of a dump, and its rows, each with its fields by column.
fn rows(text: &str) -> (Vec<&str>, Vec<HashMap<&str, &str>>) {
    let mut lines = text.lines();
    let columns: Vec<&str> = lines.next().expect("a header").split('|').collect();
    // the last column may have bars of its own (--constraint=new|old)
    let fields = |line| columns.iter().copied().zip(str::splitn(line, columns.len(), '|'));
    let rows = lines.map(|line| fields(line).collect()).collect();
    (columns, rows)
}

/// The name of a job as a number: from j12, with the number of the task where it is one of an array.
fn name(row: &HashMap<&str, &str>) -> Option<u32> {
    let number: u32 = row["JobName"].strip_prefix('j')?.parse().ok()?;
    let task = row.get("JobID").and_then(|id| id.split_once('_')?.1.parse().ok());
    Some(number * 1000 + task.map_or(0, |task: u32| task + 1))
}

/// A dump with one line for each job. A job that was killed and ran again has several; the last is kept, with the
/// submit time of the first.
fn once(text: &str) -> String {
    let (columns, rows) = rows(text);
    let mut jobs: BTreeMap<u64, HashMap<&str, &str>> = BTreeMap::new();
    for row in rows {
        let id: u64 = row["JobIDRaw"].parse().expect("a number");
        let first = jobs.get(&id).map(|first| (first["Submit"], first["Eligible"]));
        let kept = jobs.entry(id).or_default();
        *kept = row;
        if let Some((submit, eligible)) = first {
            kept.extend([("Submit", submit), ("Eligible", eligible)]);
        }
    }
    let mut text = columns.join("|") + "\n";
    for row in jobs.values() {
        text += &columns.iter().map(|column| row[column]).collect::<Vec<_>>().join("|");
        text.push('\n');
    }
    text
}

/// A time as sacct writes it where it is less than a day.
fn seconds(time: &str) -> i64 {
    time.split(':').fold(0, |sum, part| 60 * sum + part.parse::<i64>().expect("hours:minutes:seconds"))
}

/// The jobs of a dump, by their names.
fn logged(text: &str) -> BTreeMap<u32, Logged> {
    let text = once(text);
    let (_, rows) = rows(&text);
    let mut jobs = BTreeMap::new();
    for fields in rows {
        let moment = |name: &str| chrono::NaiveDateTime::parse_from_str(fields[name], "%Y-%m-%dT%H:%M:%S").ok();
        let (Some(name), Some(submit), Some(start)) = (name(&fields), moment("Submit"), moment("Start")) else {
            continue;
        };
        let job = Logged {
            user: fields["User"].to_owned(),
            partition: fields["Partition"].to_owned(),
            qos: fields["QOS"].to_owned(),
            submit: submit.and_utc().timestamp(),
            wait: (start - submit).num_seconds(),
            suspended: fields.get("Suspended").map_or(0, |time| seconds(time)),
            priority: fields["Priority"].parse().unwrap_or(0.0),
        };
        jobs.insert(name, job);
    }
    jobs
}

/// A case: what two real runs did, and the workload of the first.
pub struct Case {
    pub real: [BTreeMap<u32, Logged>; 2],
    pub workload: Workload,
    /// The name of each job of the workload.
    pub names: Vec<u32>,
}

/// The events in `events.csv` of a case, in Slurm's own words. Its times count from the begin of the replay, which the
/// first job tells.
fn announced(folder: &Path, first: &BTreeMap<u32, Logged>) -> Vec<(&'static str, String)> {
    if !folder.join("jobs.csv").exists() {
        return Vec::new();
    }
    let Ok(events) = fs::read_to_string(folder.join("events.csv")) else { return Vec::new() };
    let jobs = fs::read_to_string(folder.join("jobs.csv")).expect("what was submitted");
    let asked: f64 =
        jobs.lines().nth(1).and_then(|line| line.split(',').nth(1)).and_then(|at| at.parse().ok()).unwrap();
    let begin = first[&1000].submit - asked as i64;
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
    /// Reads a folder; where nothing was recorded again, the first run stands for both.
    pub fn read(folder: &Path) -> Case {
        let file = |name: &str| fs::read_to_string(folder.join(name)).expect("it is there");
        let first = file("sacct.txt");
        let again = if folder.join("sacct-again.txt").exists() { file("sacct-again.txt") } else { first.clone() };
        let real = [logged(&first), logged(&again)];
        let mut files = vec![("slurm.conf", file("slurm.conf")), ("assoc.txt", file("assoc.txt"))];
        for name in ["qos.txt", "events.txt", "topology.conf"].into_iter().filter(|name| folder.join(name).exists()) {
            files.push((name, file(name)));
        }
        if !folder.join("events.txt").exists() {
            files.extend(announced(folder, &real[0]));
        }
        let files: Vec<SiteFile<'_>> =
            files.iter().map(|(name, content)| SiteFile { name, content: content.as_bytes() }).collect();
        let site = read_site(&files, Version::default());
        let not_understood = site.findings.iter().filter(|finding| finding.kind != FindingKind::Note);
        assert_eq!(not_understood.collect::<Vec<_>>(), Vec::<&Finding>::new(), "all of it is understood");
        let sacct = once(&first);
        let log = reading::read("sacct.txt", sacct.as_bytes()).expect("the log can be read");
        let treatment = Treatment { site: site.files.clone(), ..Treatment::default() };
        let log = Log { site: Some(Arc::new(site)), ..log };
        let workload = treatment.apply(&log).expect("it has jobs");
        let job_site: &JobSite = workload.site().expect("it has a site");
        assert_eq!(job_site.missing(), &[] as &[String], "all names are the site's");
        let (_, rows) = rows(&sacct);
        let named: HashMap<i64, u32> =
            rows.iter().filter_map(|row| Some((row["JobIDRaw"].parse().ok()?, name(row)?))).collect();
        let names = workload.requests().iter().map(|request| named[&request.number]).collect();
        Case { real, workload, names }
    }

    /// The schedule of the family for the first run's jobs, with further settings (`,bf_max_job_test=1`).
    pub fn simulated(&self, seed: usize, settings: &str) -> Schedule {
        let scheduler = format!("slurm:seed={seed}{settings}").parse().expect("the family is there");
        let run = Run::new(scheduler, "requested".parse().unwrap());
        run.simulation(&self.workload, Rules::default()).expect("it decides").finish()
    }

    /// The waits of a schedule by the names of the jobs, seconds.
    pub fn waits(&self, schedule: &Schedule) -> BTreeMap<u32, i64> {
        let waits =
            self.workload.requests().iter().zip(&schedule.starts).map(|(request, start)| start - request.submit);
        self.names.iter().copied().zip(waits).collect()
    }

    /// For how many seconds the jobs of a schedule were suspended, by their names.
    pub fn suspended(&self, schedule: &Schedule) -> BTreeMap<u32, i64> {
        let suspensions = schedule.suspensions();
        let spans = schedule.starts.iter().zip(&schedule.ends);
        let of_job = |(job, (&start, &end))| suspensions.seconds(JobId(job as u32), start, end);
        self.names.iter().copied().zip(spans.enumerate().map(of_job)).collect()
    }
}
