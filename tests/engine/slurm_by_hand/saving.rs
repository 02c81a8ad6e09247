use super::*;
use packfair::model::NoteId;

/// Four nodes that go off after ten minutes and boot for five.
fn conf(more: &str) -> String {
    format!(
        "{more}SuspendTime=600\nSuspendTimeout=30\nResumeTimeout=300\n\
         NodeName=n[1-4]\nPartitionName=batch Nodes=n[1-4] Default=YES\nPartitionName=some Nodes=n[1-2]\n"
    )
}

/// A short job, and one of all nodes long after it.
fn lines(nodes: u32) -> [Line<'static>; 2] {
    [JOB, Line { id: "2", submit: 3_000, nodes, ..JOB }]
}

#[test]
fn a_job_begins_when_the_last_of_its_nodes_has_booted() {
    let waits = |conf: &str, scheduler: &str, nodes| {
        let workload = workload(&lines(nodes), conf);
        let starts = starts(&workload, scheduler);
        starts[1] - workload.request(JobId(1)).submit
    };
    // a job whose nodes are on begins when slurmctld next looks
    let is_after = |found: i64, boot: i64| (boot..boot + 30).contains(&found);
    let always = "NodeName=n[1-4]\nPartitionName=batch Nodes=n[1-4] Default=YES\n";
    let without = waits(always, "slurm", 4);
    assert!(without <= SOON);
    let more = |conf: &str, scheduler: &str, nodes| waits(conf, scheduler, nodes) - without;
    assert!(is_after(more(&conf(""), "slurm", 4), 300));
    assert!(is_after(more(&conf(""), "slurm:boot=100", 4), 100), "it may boot for longer than it does");
    assert_eq!(more(&conf(""), "slurm:SuspendTime=INFINITE", 4), 0);
    assert!(is_after(more(always, "slurm:SuspendTime=600", 4), 60), "ResumeTimeout is a minute by default");
    assert_eq!(more(&conf("SuspendExcNodes=n[1-4]\n"), "slurm", 4), 0);
    assert_eq!(more(&conf("SuspendExcParts=some\n"), "slurm", 2), 0, "two nodes are on and enough");
    assert!(is_after(more(&conf("SuspendExcParts=some\n"), "slurm", 3), 300));
    assert!(is_after(more(&conf("ResumeRate=2\n"), "slurm", 4), 300 + 60), "two of them a minute later");
}

#[test]
fn what_was_off_is_reported() {
    let workload = workload(&lines(4), &conf(""));
    let run = Run::new("slurm".parse().unwrap(), "requested".parse().unwrap());
    let schedule = run.simulation(&workload, Rules::default()).unwrap().finish();
    assert_eq!(schedule.notes.count(NoteId::BOOTS), Some(5.0), "as the first job comes its node is off too");
    let off: Vec<_> = schedule.notes.course_parts(NoteId::NODES_OFF).collect();
    assert_eq!((off.len(), off[0].0), (1, "batch"));
    assert!(off[0].1.iter().any(|&(_, nodes)| nodes == 4.0) && off[0].1.last().unwrap().1 == 0.0, "{off:?}");
    assert!(packfair::simulation::check(&workload, &schedule).is_empty());
}

#[test]
fn under_a_cap_of_power_jobs_wait() {
    let lines = [JOB, Line { id: "2", ..JOB }, Line { id: "3", submit: 1, run: 50, ..JOB }];
    let capped = |more: &str| {
        let described = format!(
            "{more}\n[[cells]]\nname = \"batch\"\nnodes = 4\nnode = {{ processors = 1, idle_watts = 100, busy_watts = 300 }}\n"
        );
        workload_on(&lines, &[("slurm.conf", &conf(""))], Some(&described))
    };
    let together = |workload: &Workload| {
        let schedule = schedule(workload, "slurm:SuspendTime=INFINITE");
        assert!(packfair::simulation::check(workload, &schedule).is_empty());
        let at_once = |at: &Seconds| {
            schedule.starts.iter().zip(&schedule.ends).filter(|(start, end)| *start <= at && at < end).count()
        };
        schedule.starts.iter().map(at_once).max().unwrap_or(0)
    };
    assert_eq!(together(&capped("")), 3);
    // 400 W idle, and 200 W more for each job
    assert_eq!(together(&capped("power_cap = 0.8")), 2);
    assert_eq!(together(&capped("power_cap = 0.79")), 1);
    let waits = reasons(&capped("power_cap = 0.79"), 2);
    assert!(waits.contains("PowerNotAvail"), "{waits}");
}

#[test]
fn lint_knows_the_words() {
    let read = |conf: &str| {
        let file = SiteFile { name: "slurm.conf", content: conf.as_bytes() };
        let site = read_site(&[file], Version::default());
        (site.power, site.findings.iter().map(|finding| format!("{finding:?}")).collect::<Vec<_>>())
    };
    let (power, findings) = read(&conf("SuspendRate=0\nSuspendProgram=/bin/true\nResumeProgram=/bin/true\n"));
    assert_eq!((power.suspend_time, power.suspend_rate, power.resume_timeout), (Some(600), None, 300));
    assert_eq!(findings, Vec::<String>::new());
    let (_, findings) = read(&conf("ResumeRate=many\nSuspendExcNodes=n[1-2]:1\nResumeSpeed=5\n"));
    let said = |word: &str| findings.iter().any(|finding| finding.contains(word));
    assert!(said("ResumeRate=many: it takes nodes a minute") && said("its first nodes stay on"), "{findings:?}");
    assert!(said("ResumeSpeed"), "an unknown word is said: {findings:?}");
}
