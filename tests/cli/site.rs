//! Files of a Slurm site.

use crate::files;
use crate::program::{Folder, log, packfair, stdout, text};

const CONF: &str = "ClusterName=c\nSchedulerParameters=bf_window=2880,max_prc_cnt=150\nPriorityType=priority/multifactor\n\
    PriorityWeightAge=1000\nFrobnicate=yes\nNodeName=n[1-64] CPUs=4\nPartitionName=batch Nodes=ALL Default=YES\n";

#[test]
fn lint_tells_what_is_wrong_with_its_line() {
    let folder = Folder::new("lint");
    let conf = folder.write("slurm.conf", CONF.as_bytes());
    let told = packfair(&["lint", &conf]);
    let lines: Vec<&str> = stdout(&told).lines().collect();
    assert_eq!(
        lines,
        [
            "slurm.conf:2: ignored by Slurm: SchedulerParameters max_prc_cnt: Slurm knows no such word and reads over it; \
             max_rpc_cnt is meant? (slurm.conf(5), SchedulerParameters)",
            "slurm.conf:5: not understood: Frobnicate=yes (slurm.conf(5), Frobnicate)",
            "read: 64 nodes of 256 processors, 1 partitions",
            "SchedulerParameters that are not at their defaults: bf_window=2880",
        ]
    );
    let broken =
        folder.write("broken.conf", b"ClusterName=c\nNodeName=n[4-1]\nNodeName=m1\nPartitionName=p Nodes=zzz\n");
    let told = packfair(&["lint", &broken]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("broken.conf:2: wrong: NodeName: [4-1] is no range"), "{}", text(&told.stdout));
    assert!(text(&told.stdout).contains("broken.conf:4: wrong: partition p: there is no node zzz"));
}

#[test]
fn lint_tells_what_jobs_of_a_log_ask_for_in_vain() {
    let folder = Folder::new("lint-log");
    let conf = "MaxMemPerNode=8000\nTopologyPlugin=topology/tree\nNodeName=n[1-4] CPUs=4 RealMemory=9000\n\
        PartitionName=batch Nodes=ALL Default=YES\n";
    let conf = folder.write("slurm.conf", conf.as_bytes());
    let tree = folder
        .write("topology.conf", b"SwitchName=a Nodes=n[1-2]\nSwitchName=b Nodes=n[3-4]\nSwitchName=t Switches=a,b\n");
    let row = |id: u32, options: &str| -> String {
        format!("{id}|ann|2026-01-05T10:00:00|2026-01-05T10:00:00|60|5|1|1|COMPLETED|sbatch {options} x.sh\n")
    };
    let heading = "JobID|User|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|SubmitLine\n".to_owned();
    let jobs = [heading, row(1, "--mem=9000"), row(2, "--switches=1")].concat();
    let log = folder.write("sacct.txt", jobs.as_bytes());
    let told = packfair(&["lint", &conf, &tree, "--log", &log]);
    let lines: Vec<&str> = stdout(&told).lines().filter(|line| line.contains("sacct.txt")).collect();
    assert!(
        matches!(&lines[..], [only] if only.contains("1 jobs want more memory on a node than MaxMemPerNode")),
        "{lines:?}"
    );
    let told = packfair(&["lint", &conf, "--log", &log]);
    let lines: Vec<&str> = stdout(&told).lines().filter(|line| line.contains("switches (--switches)")).collect();
    assert!(matches!(&lines[..], [only] if only.contains("1 jobs ask for a number of switches")), "{lines:?}");
    assert!(
        stdout(&told).contains("slurm.conf: not modelled: TopologyPlugin=topology/tree, and there is no topology.conf")
    );
}

#[test]
fn a_site_beside_a_log_is_what_slurm_runs_on() {
    let folder = Folder::new("site");
    let (log, conf) = (folder.write("log.swf", &log()), folder.write("slurm.conf", CONF.as_bytes()));
    let run = |more: &[&str]| {
        let output = packfair(
            &[&["run", &log, "-s", "slurm", "-e", "requested", "--format", "markdown", "--check"], more].concat(),
        );
        (stdout(&output).to_owned(), text(&output.stderr).to_owned())
    };
    let (plain, _) = run(&[]);
    let (on_site, told) = run(&["--slurm", &conf]);
    assert!(plain != on_site && on_site.contains("Slurm"), "{on_site}");
    assert!(told.contains("slurm.conf:5: not understood: Frobnicate=yes"), "{told}");
    assert_eq!(run(&["--slurm", &conf]).0, on_site);
}

#[test]
fn what_scontrol_shows_stands_in_for_slurm_conf_and_reservations_are_known_when_it_is_said() {
    let folder = Folder::new("shown");
    let log = folder.write("log.swf", &log());
    let config = b"Configuration data as of 2026-01-01T00:00:00\nClusterName = c\nSchedulerType = sched/backfill\n\
        KillWait = 30 sec\nSLURM_VERSION = 22.05.8\n";
    let nodes: String = (1..=64).map(|node| format!("NodeName=n{node} Arch=x86_64 CPUTot=4 Weight=1\n")).collect();
    let files = [
        folder.write("config.txt", config),
        folder.write("nodes.txt", nodes.as_bytes()),
        folder.write("parts.txt", b"PartitionName=batch Default=YES Nodes=n[1-64] TotalCPUs=256 TotalNodes=64\n"),
        folder.write("resv.txt", b"ReservationName=m StartTime=2030-01-01 EndTime=2030-01-02 Nodes=n1\n"),
    ];
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let told = packfair(&[&["lint"], &files[..]].concat());
    let lines: Vec<&str> = stdout(&told).lines().collect();
    assert!(lines[0].starts_with("resv.txt:1: note: reservation m: when it was made is not told"), "{lines:?}");
    assert_eq!(lines[1..], ["read: 64 nodes of 256 processors, 1 partitions, 1 reservations"]);
    let run = |more: &[&str]| {
        packfair(&[&["run", &log, "-s", "slurm", "-e", "requested", "--format", "markdown"], more].concat())
    };
    let known = run(&[&["--announced", "7d", "--slurm"], &files[..]].concat());
    assert!(stdout(&known).contains("Slurm"), "{}", text(&known.stderr));
    assert_eq!(run(&["--announced", "soon"]).status.code(), Some(2));
    let useless = run(&["--announced", "7d"]);
    assert!(text(&useless.stderr).contains("no files of a Slurm site"), "{}", text(&useless.stderr));
}

#[test]
fn slurm_stands_beside_others_on_the_cells_of_its_site() {
    let folder = Folder::new("site-cells");
    let (log, conf) = (folder.write("log.swf", &log()), folder.write("slurm.conf", CONF.as_bytes()));
    let run = |more: &[&str]| {
        let asked = [
            "run",
            &log,
            "-s",
            "slurm",
            "easy",
            "-e",
            "requested",
            "--format",
            "csv",
            "--baseline",
            "none",
            "--machine",
            &conf,
        ];
        packfair(&[&asked[..], more].concat())
    };
    let both = run(&["--slurm", &conf, "--check"]);
    assert!(both.status.success(), "{}", text(&both.stderr));
    assert!(text(&both.stderr).contains("slurm__requested: valid"), "{}", text(&both.stderr));
    // Slurm gives the same as without the cells
    let slurm = |csv: &str| csv.lines().find(|line| line.starts_with("slurm")).map(str::to_owned);
    let values = |line: String| line.split(',').take(6).map(str::to_owned).collect::<Vec<_>>();
    let alone = packfair(&["run", &log, "-s", "slurm", "-e", "requested", "--format", "csv", "--slurm", &conf]);
    let of = |output| slurm(stdout(output)).map(values).expect("a row");
    assert_eq!(of(&both), of(&alone));
    // a what-if of the machine has no files of its own
    let other = run(&["--slurm", &conf, "--machine-plus", "nodes=+2"]);
    assert_eq!(other.status.code(), Some(2), "{}", text(&other.stderr));
    assert!(text(&other.stderr).contains("it cannot run with 2 more nodes"), "{}", text(&other.stderr));
    // without a site Slurm knows no cells
    let refused = run(&[]);
    assert!(text(&refused.stderr).contains("Slurm knows machines of one number"), "{}", text(&refused.stderr));
}

#[test]
fn a_real_cluster_is_read_whole() {
    let Some(shared) = files::folder() else { return };
    let medium = shared.join("samples/slurm-conf/medium");
    let path = |name: &str| medium.join(name).to_string_lossy().into_owned();
    let told = packfair(&["lint", &path("slurm.conf"), &path("sacctmgr.script")]);
    let said = text(&told.stdout);
    assert!(said.contains("read: 217 nodes of 7968 processors, 2 partitions, "), "{said}");
    assert!(!said.contains("not understood"), "{said}");
}

#[test]
fn questions_are_rows_with_something_to_apply() {
    let folder = Folder::new("what-if");
    let (log, conf) = (folder.write("log.swf", &log()), folder.write("slurm.conf", CONF.as_bytes()));
    let run = |more: &[&str]| {
        packfair(&[&["run", &log, "--slurm", &conf, "-e", "requested", "--format", "markdown"], more].concat())
    };
    let told = run(&["-s", "slurm", "slurm:bf_max_job_test=1000,PriorityWeightAge=4000"]);
    let said = stdout(&told);
    assert!(said.contains("What if slurm:bf_max_job_test=1000,PriorityWeightAge=4000?"), "{said}");
    for line in [
        "- Effect: mean wait ",
        "-SchedulerParameters=bf_window=2880,max_prc_cnt=150\n",
        "+SchedulerParameters=bf_window=2880,max_prc_cnt=150,bf_max_job_test=1000\n",
        "-PriorityWeightAge=1000\n+PriorityWeightAge=4000\n",
        "\nscontrol reconfigure\n",
        "- Certainty: not known: one run of each",
    ] {
        assert!(said.contains(line), "{line}: {said}");
    }
    let all = run(&["--what-if", "all", "--repeats", "3", "--resample", "draws"]);
    let said = stdout(&all);
    assert!(said.contains("over 3 repeats") && said.contains("What if slurm:PriorityWeightAge=4000?"), "{said}");
    assert!(said.contains("scontrol create reservation reservationname=maintenance"), "{said}");
    assert!(text(&all.stderr).contains("(no-user-limit) is left out: the site is configured so already"));
    for (settings, why) in [
        ("slurm:bf_max_job_tset=3", "bf_max_job_test is meant"),
        ("slurm:bf_window=soon", "it takes a whole number"),
        ("slurm:qos.fast.MaxJobsPU=3", "the site's files have no QOS fast"),
    ] {
        let told = run(&["-s", "slurm", settings]);
        assert!(text(&told.stderr).contains(why), "{settings}: {}", text(&told.stderr));
    }
    assert_eq!(run(&["--what-if", "nonsense"]).status.code(), Some(2));
}

#[test]
fn a_study_names_the_files_of_its_site_and_is_run_with_them_alone() {
    let folder = Folder::new("site-study");
    let (log, conf) = (folder.write("log.swf", &log()), folder.write("slurm.conf", CONF.as_bytes()));
    let other = folder.write("other.conf", CONF.replace("2880", "1440").as_bytes());
    let first = packfair(&["run", &log, "--slurm", &conf, "-s", "slurm", "-e", "requested", "--format", "csv"]);
    let digest = packfair::slurm::SiteFile { name: "slurm.conf", content: CONF.as_bytes() }.named();
    let source = packfair::workload::reading::read("log.swf", log_bytes(&log).as_slice()).unwrap();
    let mut study = packfair::study::Study::on(packfair::study::Source::Trace {
        name: "log.swf".to_owned(),
        fingerprint: source.fingerprint,
    });
    study.schedulers = vec!["slurm".parse().unwrap()];
    study.methods = vec!["requested".parse().unwrap()];
    study.distortions = vec![1.0];
    study.baseline = packfair::study::Baseline::None;
    study.treatment.site = vec![digest];
    let text_of_study = packfair::study::export::write_study(&study);
    let read = |text: &str| packfair::study::export::read_study(text, &study.source).unwrap().treatment;
    assert_eq!(read(&text_of_study).site, [digest]);
    let mut late = study.clone();
    late.treatment.announced = Some(7 * 86_400);
    assert_eq!(read(&packfair::study::export::write_study(&late)), late.treatment);
    let path = folder.write("study.json", text_of_study.as_bytes());
    let again = packfair(&["study", &path, &log, "--slurm", &conf, "--format", "csv"]);
    let waits = |output: &std::process::Output| {
        let lines: Vec<String> = text(&output.stdout).lines().map(str::to_owned).collect();
        let at = lines[0].split(',').position(|column| column == "AF").expect("a column AF");
        lines[1].split(',').nth(at).unwrap().to_owned()
    };
    assert_eq!(waits(&first), waits(&again), "{}", text(&again.stderr));
    for files in [&[][..], &["--slurm", &other]] {
        let told = packfair(&[&["study", &path, &log], files].concat());
        assert_eq!(told.status.code(), Some(2), "{}", text(&told.stderr));
        assert!(text(&told.stderr).contains("slurm.conf"), "{}", text(&told.stderr));
    }
}

fn log_bytes(path: &str) -> Vec<u8> {
    std::fs::read(path).expect("it was written")
}

#[test]
fn a_search_among_lines_of_slurm_conf_names_nothing_else() {
    let folder = Folder::new("site-explore");
    let (log, conf) = (folder.write("log.swf", &log()), folder.write("slurm.conf", CONF.as_bytes()));
    let found = packfair(&[
        "explore",
        &log,
        "--slurm",
        &conf,
        "--families",
        "slurm",
        "--baseline",
        "slurm",
        "--minimise",
        "AF,P2SF",
        "--runs",
        "12",
        "--format",
        "csv",
    ]);
    let rows: Vec<&str> = stdout(&found).lines().skip(1).collect();
    assert!(!rows.is_empty(), "{}", text(&found.stderr));
    for row in rows {
        assert!(["seed=", "epilog=", "version=", "limits="].iter().all(|own| !row.contains(own)), "{row}");
    }
}
