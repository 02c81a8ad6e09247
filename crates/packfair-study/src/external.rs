//! Schedules and estimates that come from files.

use super::CannotRun;
use crate::{Baseline, Study};
use packfair_base::catalogue::NamedFile;
use packfair_engine::estimator::Method;
use packfair_engine::model::Schedule;
use packfair_engine::simulation::check;
use packfair_schedulers::Policy;
use packfair_workload::{ExternalFault, ExternalKind, Workload};

/// A file that a study needs beside its log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NeededFile {
    pub file: NamedFile,
    pub kind: ExternalKind,
}

impl Study {
    /// The files that the study needs beside its log, in the order of the table, each once.
    pub fn needed_files(&self) -> Vec<NeededFile> {
        let schedules = self.schedulers.iter().map(|policy| (policy.settings().file(), ExternalKind::Schedule));
        let estimates = self.methods.iter().map(|method| (method.settings().file(), ExternalKind::Estimates));
        let mut needed = Vec::new();
        let site = self.treatment.site.iter().map(|file| (Some(*file), ExternalKind::Site));
        for (file, kind) in schedules.chain(estimates).chain(site) {
            if let Some(file) = file.map(|file| NeededFile { file, kind }).filter(|file| !needed.contains(file)) {
                needed.push(file);
            }
        }
        needed
    }

    /// Adds what a file holds to the study: a schedule as a row, estimates as a method, a site's file to the treatment.
    /// A study that has the file already stays as it is.
    pub fn take_file(&mut self, NeededFile { file, kind }: NeededFile) {
        match kind {
            ExternalKind::Schedule => {
                let policy = Policy::of_file(file);
                if !self.schedulers.contains(&policy) {
                    self.schedulers.push(policy);
                }
            }
            ExternalKind::Estimates => {
                let method = Method::of_file(file);
                if !self.methods.contains(&method) {
                    self.methods.push(method);
                }
            }
            ExternalKind::Site => {
                if !self.treatment.site.contains(&file) {
                    self.treatment.site.push(file);
                }
                if !self.schedulers.iter().any(Policy::goes_by_site) {
                    // The catalogue has this family.
                    let slurm = "slurm".parse::<Policy>().ok();
                    self.schedulers.extend(slurm.clone());
                    // What the cluster does today is the usual baseline; one that a person has chosen stays.
                    let is_usual = [Baseline::None, Study::on(self.source.clone()).baseline].contains(&self.baseline);
                    if let Some(slurm) = slurm.filter(|_| is_usual) {
                        let before = std::mem::replace(&mut self.baseline, Baseline::Scheduler(slurm));
                        self.baseline_before_site = Some(before);
                    }
                }
            }
        }
    }
}

impl Study {
    /// Leaves of the usual schedulers only what the site itself is, as configured and as logged: the others know neither its
    /// partitions nor its limits. Schedulers that a person has chosen stay.
    pub fn keep_to_site(&mut self) {
        let usual = Study::on(self.source.clone());
        let (of_site, others): (Vec<Policy>, Vec<Policy>) = self.schedulers.iter().cloned().partition(is_of_site);
        if others != usual.schedulers {
            return;
        }
        self.schedulers = of_site;
        if self.methods == usual.methods && self.methods.contains(&Method::requested()) {
            self.methods = vec![Method::requested()];
        }
    }

    /// Takes away the files of the site and the rows that change it. Where its files have set the baseline and nobody has
    /// chosen another since, the baseline is what it was before.
    pub fn leave_site(&mut self) {
        self.treatment.site.clear();
        self.treatment.announced = None;
        self.schedulers.retain(|policy| policy.as_configured().is_none());
        self.what_ifs.clear();
        if self.schedulers.iter().all(is_of_site) {
            let usual = Study::on(self.source.clone());
            self.schedulers = usual.schedulers.into_iter().chain(std::mem::take(&mut self.schedulers)).collect();
            if self.methods == [Method::requested()] {
                self.methods = usual.methods;
            }
        }
        let is_by_site = matches!(&self.baseline, Baseline::Scheduler(policy) if policy.goes_by_site());
        if let Some(before) = self.baseline_before_site.take().filter(|_| is_by_site) {
            self.baseline = before;
        }
    }
}

/// Whether a row is of the site itself: as configured or changed, or as logged.
fn is_of_site(policy: &Policy) -> bool {
    policy.goes_by_site() || policy.is_as_logged()
}

/// The schedule that a file holds. The checker, which does not know where a schedule comes from, has accepted it for
/// this workload.
pub(super) fn schedule(workload: &Workload, file: &NamedFile) -> Result<Schedule, CannotRun> {
    if workload.shrunk() != 1.0 {
        return Err(CannotRun::OtherArrivals { name: file.name().to_owned() });
    }
    let starts = workload.external_starts(file).map_err(|fault| missing(file, ExternalKind::Schedule, fault))?;
    let schedule = Schedule {
        estimates: workload.requests().iter().map(|request| request.limit as f64).collect(),
        corrections: vec![0; workload.len()],
        ..Schedule::of_starts(workload, starts.to_vec())
    };
    let faults = check(workload, &schedule);
    match faults.first() {
        None => Ok(schedule),
        Some(first) => {
            let first = first.to_string();
            Err(CannotRun::Refused { name: file.name().to_owned(), first, others: faults.len() - 1 })
        }
    }
}

pub(super) fn check_estimates(workload: &Workload, file: &NamedFile) -> Result<(), CannotRun> {
    workload.external_estimates(file).map(drop).map_err(|fault| missing(file, ExternalKind::Estimates, fault))
}

fn missing(file: &NamedFile, kind: ExternalKind, fault: Option<ExternalFault>) -> CannotRun {
    match fault {
        Some(fault) => CannotRun::NotOfLog(fault),
        None => CannotRun::NoFile { file: *file, kind },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, RunResult, Treatment, execute, export};
    use packfair_engine::estimator::Estimate;
    use packfair_engine::metric::Measure;
    use packfair_engine::simulation::Correction;
    use packfair_workload::reading::{Limits, read};
    use packfair_workload::{Log, Seconds, read_external};

    fn log() -> Log {
        let lines = ["1 0 0 100 4 -1 -1 4 200 -1 1", "2 10 90 50 4 -1 -1 4 60 -1 1", "3 20 130 10 2 -1 -1 2 20 -1 1"];
        read("log.swf", format!("; MaxProcs: 4\n; UnixStartTime: 1000000000\n{}\n", lines.join("\n")).as_bytes())
            .unwrap()
    }

    fn run(kind: ExternalKind, text: &str, treatment: &Treatment) -> Result<RunResult, String> {
        let mut log = log();
        let external =
            read_external("ours.csv", kind, text.as_bytes(), Limits::default()).map_err(|e| e.to_string())?;
        let file = external.file;
        log.external.push(external);
        let workload = treatment.apply(&log).unwrap();
        let run = match kind {
            ExternalKind::Schedule => Run::new(Policy::of_file(file), Estimate::of(Method::actual())),
            ExternalKind::Estimates => Run::new("easy".parse().unwrap(), Estimate::of(Method::of_file(file))),
            ExternalKind::Site => return Err("a site is no file of jobs".to_owned()),
        };
        execute(&run, &workload, Correction::default(), &Measure::default()).map_err(|error| error.to_string())
    }

    fn starts(text: &str) -> Result<Vec<i64>, String> {
        run(ExternalKind::Schedule, text, &Treatment::default()).map(|result| result.schedule.starts)
    }

    #[test]
    fn a_site_keeps_itself_as_configured_and_as_logged_unless_others_were_chosen() {
        let ids = |study: &Study| study.schedulers.iter().map(Policy::to_string).collect::<Vec<_>>();
        let mut study = Study::first_visit();
        let usual = study.schedulers.clone();
        study.schedulers.extend(["as-logged", "slurm"].map(|id| id.parse::<Policy>().unwrap()));
        let mut chosen = study.clone();
        study.keep_to_site();
        assert_eq!(ids(&study), ["as-logged", "slurm"]);
        assert_eq!(study.methods, [Method::requested()]);
        study.leave_site();
        assert_eq!(study.schedulers[..usual.len()], usual);
        chosen.schedulers.insert(0, "fcfs".parse().unwrap());
        let before = ids(&chosen);
        chosen.keep_to_site();
        assert_eq!(ids(&chosen), before);
    }

    #[test]
    fn what_the_files_of_a_site_have_made_the_baseline_goes_with_them() {
        let of_site =
            |name: &str| NeededFile { file: NamedFile::new(name, name.len() as u128), kind: ExternalKind::Site };
        for before in [Baseline::None, Study::first_visit().baseline] {
            let mut study = Study { baseline: before.clone(), ..Study::first_visit() };
            study.take_file(of_site("slurm.conf"));
            study.take_file(of_site("qos.txt"));
            assert_eq!(study.baseline, Baseline::Scheduler("slurm".parse().unwrap()));
            study.schedulers.push("slurm:PriorityWeightAge=4000".parse().unwrap());
            let stored: Study = serde_json::from_str(&serde_json::to_string(&study).unwrap()).unwrap();
            assert_eq!(stored, study, "it is told after the page was closed too");
            study.leave_site();
            assert_eq!((&study.baseline, study.baseline_before_site.as_ref()), (&before, None));
            assert!(study.treatment.site.is_empty());
            assert!(study.schedulers.iter().all(|policy| policy.as_configured().is_none()), "{:?}", study.schedulers);
        }
        // A baseline that a person has chosen stays, whether before or since.
        let chosen = Baseline::Scheduler("fcfs".parse().unwrap());
        for is_before in [true, false] {
            let mut study = Study::first_visit();
            let choose = |study: &mut Study, now: bool| {
                if now {
                    study.baseline = chosen.clone()
                }
            };
            choose(&mut study, is_before);
            study.take_file(of_site("slurm.conf"));
            choose(&mut study, !is_before);
            study.leave_site();
            assert_eq!(study.baseline, chosen);
        }
    }

    #[test]
    fn starts_are_seconds_of_the_log_unix_times_dates_or_waits_behind_submissions() {
        for text in [
            "job,start\n3,150\n1,0\n2,100\n",
            "job;start;estimate\n1;0;5\n2;100;5\n3;150;5\n",
            "job,start\n1,1000000000\n2,1000000100\n3,1000000150\n",
            "job,start\n1,2001-09-09T01:46:40\n2,2001-09-09T01:48:20\n3,2001-09-09 01:49:10\n",
            "job_id,submission_time,starting_time,execution_time,requested_number_of_resources\n\
             1,7,7,100,4\n2,17.0,107.0,50,4\n3,27,157,10,2\n",
            "job,wait\n1,0\n2,90\n3,130\n",
            "; Version: 2.2\n1 500 0 100 4 -1 -1 4 200 -1 1\n2 510 90 50 4 -1 -1 4 60 -1 1\n3 520 130 10 2 -1 -1 2 20 -1 1\n",
        ] {
            assert_eq!(starts(text), Ok(vec![0, 100, 150]), "{text}");
        }
    }

    #[test]
    fn a_schedule_that_cannot_be_is_refused_with_the_job_and_why() {
        let refusal = |text: &str| starts(text).unwrap_err();
        let overfull = refusal("job,start\n1,0\n2,99\n3,150\n");
        assert!(overfull.contains("With the start of job 2 at 99 s, 8 of 4 processors are in use."), "{overfull}");
        let early = refusal("job,start\n1,0\n2,100\n3,19\n");
        assert!(early.contains("Job 3 starts at 19 s, before its submission at 20 s."), "{early}");
        let none = refusal("job,start\n1,0\n");
        assert!(none.contains("no start for 2 of 3 jobs, the first of which is job 2:"), "{none}");
        let other = refusal("job,submit,start\n1,0,0\n2,11,100\n3,30,150\n");
        assert!(other.contains("job 3 is submitted 30 s after job 1, in the log 20 s after it"), "{other}");
        assert!(refusal("job,start\n7,0\n").contains("has none of the log's jobs"));
        assert!(refusal("job,start\n1,soon\n").contains("line 2: \"soon\" is no start of job 1"));
        assert!(refusal("job,submit,start\n1,5,4\n").contains("line 2: job 1 starts at 4 s, before its submission"));
        let twice = refusal("job,start\n1,0\n2,100\n2,160\n3,150\n");
        assert!(twice.contains("has 2 lines of job 2, the log one"), "{twice}");
        assert!(refusal("a,b\n1,2\n").contains("it takes a table with the columns job and start"));
        assert!(refusal("job,start\n").contains("no jobs below"));
        let shrunk = Treatment { shrink: 0.5, ..Treatment::default() };
        let text = "job,start\n1,0\n2,100\n3,150\n";
        assert!(run(ExternalKind::Schedule, text, &shrunk).unwrap_err().contains("of other arrivals"));
    }

    #[test]
    fn unknown_jobs_and_half_seconds_are_said() {
        let remarks = |kind, text: &str| {
            let external = read_external("ours.csv", kind, text.as_bytes(), Limits::default()).unwrap();
            external.agreement(&log()).map(|agreement| agreement.remarks()).map_err(|fault| fault.to_string())
        };
        let schedule = |text| remarks(ExternalKind::Schedule, text);
        assert_eq!(schedule("job,start\n1,0\n2,100.0\n3,150\n"), Ok(vec![]));
        let said = schedule("job,start\n1,0\n2,100.5\n3,150\n77,9\n78,9\n").unwrap();
        let expected = [
            "2 of its 5 jobs are none of the log's, and left out",
            "1 of its times is no whole seconds, and cut to these",
        ];
        assert_eq!(said, expected);
        assert_eq!(starts("job,start\n1,0\n2,100.5\n3,150\n"), Ok(vec![0, 100, 150]), "cut as Batsim's times are");
        assert_eq!(schedule("job,wait\n1,0\n2,90.5\n3,130\n").unwrap().len(), 1);
        assert!(
            remarks(ExternalKind::Estimates, "job,estimate\n1,5.5\n").unwrap().is_empty(),
            "estimates may have them"
        );
        assert!(
            remarks(ExternalKind::Estimates, "job,estimate\n1,5\n1,6\n")
                .unwrap_err()
                .contains("2 lines of job 1, the log one")
        );
    }

    #[test]
    fn estimates_of_a_file_are_taken_and_requests_where_it_has_none() {
        let result = run(ExternalKind::Estimates, "job,estimate\n1,120.5\n3,0:00:15\n", &Treatment::default()).unwrap();
        assert_eq!(result.schedule.estimates, [120.5, 60.0, 15.0]);
        let fault = |text| run(ExternalKind::Estimates, text, &Treatment::default()).unwrap_err();
        assert!(fault("job,estimate\n1,0\n").contains("line 2: \"0\" is no estimate of job 1"));
        assert!(fault("job,start\n1,0\n").contains("no estimates of jobs"));
        assert!(fault("job,estimate\n9,1\n").contains("none of the log's jobs"));
    }

    #[test]
    fn what_packfair_writes_comes_back_as_the_same_schedule() {
        let workload = Treatment::default().apply(&log()).unwrap();
        let easy = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let made = execute(&easy, &workload, Correction::default(), &Measure::default()).unwrap();
        let text = String::from_utf8(export::starts(&workload, &made.schedule)).unwrap();
        let back = run(ExternalKind::Schedule, &text, &Treatment::default()).unwrap();
        assert_eq!(back.schedule.starts, made.schedule.starts);
        for (metric, value) in &made.report.values {
            if let Some(of_file) = back.report.values.get(metric) {
                assert_eq!(of_file, value, "{metric}");
            }
        }
    }

    /// For each format: its name, a file with two jobs on the only machine's 4 processors, both submitted at `at` and
    /// 10 s later, and what the file's own clock shows when the first job is submitted.
    fn formats() -> Vec<(&'static str, String, Seconds)> {
        /// 2026-01-05 10:00:00 UTC.
        const MONDAY: Seconds = 1_767_607_200;
        let swf = |head: &str, at: Seconds| {
            let (later, rest) = (at + 10, " -1".repeat(6));
            format!("{head}1 {at} 5 100 4 -1 -1 4 200 -1 1 1{rest}\n2 {later} 95 50 4 -1 -1 4 60 -1 1 2{rest}\n")
        };
        let pbs = |id: u32, at: Seconds, run: Seconds| {
            let (start, end) = (at + 5, at + 5 + run);
            format!(
                "01/05/2026 12:00:00;E;{id}.host;user=ann group=g jobname=fit queue=q ctime={at} qtime={at} etime={at} \
                 start={start} end={end} Resource_List.ncpus=4 Resource_List.walltime=300\n"
            )
        };
        let sge = |id: u32, at: Seconds, run: Seconds| {
            let (start, end) = (at + 5, at + 5 + run);
            format!(
                "q:host:g:ann:fit:{id}:sge:0:{at}:{start}:{end}:0:0:{run}{}:NONE:d:mpi:4:0:0:0:0:-l h_rt=300:0:NONE:0\n",
                ":0".repeat(17)
            )
        };
        let lsf = |id: u32, at: Seconds, run: Seconds| {
            let (start, end) = (at + 5, at + 5 + run);
            format!(
                "\"JOB_FINISH\" \"9.11\" {end} {id} 1 1 4 {at} 0 0 {start} \"ann\" \"q\" \"\" \"\" \"\" \"h\" \"/\" \"\" \
                 \"\" \"\" \"f\" 0 4 \"n\" \"n\" \"n\" \"n\" 64 60.0 \"fit\" \"echo \"\"x\"\"\"\n"
            )
        };
        vec![
            ("SWF with a zero of its own", swf("; MaxProcs: 4\n; UnixStartTime: 1000000000\n", 20), 20),
            ("SWF of a year before 1990", swf("", 500_000_000), 500_000_000),
            ("SWF, Unix times, a header that says 0", swf("; UnixStartTime: 0\n", MONDAY), MONDAY),
            ("SWF, Unix times, no header", swf("", MONDAY), MONDAY),
            ("GWF", swf("# of a grid\n", MONDAY), MONDAY),
            (
                "sacct",
                "JobID|User|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n\
                 1|ann|2026-01-05T10:00:00|2026-01-05T10:00:05|100|5|1|4|COMPLETED\n\
                 2|bob|2026-01-05T10:00:10|2026-01-05T10:01:45|50|5|1|4|COMPLETED\n"
                    .to_owned(),
                MONDAY,
            ),
            (
                "a table of dates",
                "id,submit,start,run,cores,limit\n1,2026-01-05 10:00:00,2026-01-05 10:00:05,100,4,300\n\
                 2,2026-01-05 10:00:10,2026-01-05 10:01:45,50,4,300\n"
                    .to_owned(),
                MONDAY,
            ),
            ("a table of seconds", "id,submit,start,run,cores\n1,700,705,100,4\n2,710,805,50,4\n".to_owned(), 700),
            ("a table without ids", "submit,start,run,cores\n700,705,100,4\n710,805,50,4\n".to_owned(), 700),
            (
                "Batsim",
                "{\"nb_res\":4,\"jobs\":[{\"id\":1,\"subtime\":300,\"res\":4,\"profile\":\"a\"},\
                 {\"id\":2,\"subtime\":310,\"res\":4,\"profile\":\"b\"}],\"profiles\":{\"a\":{\"type\":\"delay\",\
                 \"delay\":100},\"b\":{\"type\":\"delay\",\"delay\":50}}}"
                    .to_owned(),
                300,
            ),
            ("PBS", pbs(1, MONDAY, 100) + pbs(2, MONDAY + 10, 50).as_str(), MONDAY),
            ("Grid Engine", sge(1, MONDAY, 100) + sge(2, MONDAY + 10, 50).as_str(), MONDAY),
            ("LSF", lsf(1, MONDAY, 100) + lsf(2, MONDAY + 10, 50).as_str(), MONDAY),
        ]
    }

    #[test]
    fn times_are_written_as_the_log_has_them_and_come_back_from_there() {
        for (format, text, first) in formats() {
            let mut log = read("a log", text.as_bytes()).unwrap_or_else(|error| panic!("{format}: {error}"));
            // The machine has as many processors as the jobs ask for.
            let unit = Some(packfair_workload::Unit::Processors);
            let treatment = Treatment { processors: Some(4), unit, ..Treatment::default() };
            let workload = treatment.apply(&log).unwrap();
            assert_eq!(workload.len(), 2, "{format}");
            let run = Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
            let made = execute(&run, &workload, Correction::default(), &Measure::default()).unwrap().schedule;
            let starts = String::from_utf8(export::starts(&workload, &made)).unwrap();
            let written: Vec<Vec<String>> =
                starts.lines().skip(1).map(|line| line.split(',').map(str::to_owned).collect()).collect();
            let expected = [["1".to_owned(), first.to_string()], ["2".to_owned(), (first + 100).to_string()]];
            assert!(written.iter().zip(&expected).all(|(line, own)| line[..2] == *own), "{format}: {starts}");
            let jobs = String::from_utf8(export::batsim_jobs(&workload, &made)).unwrap();
            let line = jobs.lines().nth(2).unwrap();
            assert!(line.contains(&format!(",{},4,", first + 10)), "{format}: submitted then: {jobs}");
            assert!(line.contains(&format!(",{},50,{},", first + 100, first + 150)), "{format}: {jobs}");
            let mut swf = Vec::new();
            packfair_workload::write_swf(&mut swf, &log, &workload, Some(&made.starts)).unwrap();
            for file in [starts.into_bytes(), jobs.into_bytes(), swf] {
                let external = read_external("ours.csv", ExternalKind::Schedule, &file, Limits::default()).unwrap();
                let named = external.file;
                log.external = vec![external];
                let back = treatment.apply(&log).unwrap();
                let text = String::from_utf8_lossy(&file);
                assert_eq!(back.external_starts(&named), Ok(made.starts.as_slice()), "{format}: {text}");
            }
        }
    }

    #[test]
    fn a_study_names_the_files_that_it_needs() {
        let file = NamedFile::new("ours", 7);
        let mut study = Study::first_visit();
        assert_eq!(study.needed_files(), []);
        let needed = [ExternalKind::Schedule, ExternalKind::Estimates].map(|kind| NeededFile { file, kind });
        for file in needed.into_iter().chain(needed) {
            study.take_file(file);
        }
        assert_eq!(study.needed_files(), needed);
        let text = serde_json::to_string(&study).unwrap();
        assert!(text.contains("\"external:file=ours@00000000000000000000000000000007\""), "{text}");
        assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
        let workload = Treatment::default().apply(&log()).unwrap();
        let run = Run::new(Policy::of_file(file), Estimate::of(Method::requested()));
        let absent = execute(&run, &workload, Correction::default(), &Measure::default()).unwrap_err().to_string();
        assert!(absent.contains("The file ours (00000000000000000000000000000007) is not here"), "{absent}");
        assert!("external".parse::<Policy>().is_err() && "external".parse::<Method>().is_err());
        assert!(Policy::offered().iter().all(|policy| !policy.is_external()));
    }
}
