//! Compares the family `slurm` with a real Slurm that is started here, with a clock twelve times as fast. It takes some
//! six minutes.

use crate::{shared, truth};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest time that the real Slurm may take.
const MOST: Duration = Duration::from_secs(20 * 60);

/// How many jobs are submitted.
const JOBS: usize = 40;

/// A folder that is removed with the test, and the Slurm in it.
struct Cluster {
    program: PathBuf,
    folder: PathBuf,
}

impl Drop for Cluster {
    fn drop(&mut self) {
        // the script that ran in the fast clock has stopped it already, unless it failed on the way
        let _ = Command::new(&self.program).arg("down").arg(&self.folder).output();
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// Jobs of some twenty-five minutes on 16 processors, more than fit at once. They take over an hour of Slurm's time.
fn jobs() -> String {
    let mut state = 7_u64;
    let mut random = move |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut text = "job,submit,procs,run,limit_min\n".to_owned();
    let mut submit = 60;
    for job in 1..=JOBS {
        submit += 5 + random(60);
        let (procs, run) = (1 + random(9), 60 + random(360));
        let limit = (run * (11 + random(20))).div_ceil(600);
        writeln!(text, "{job},{submit},{procs},{run},{limit}").expect("text");
    }
    text
}

/// Starts munged if it does not run, and installs what is missing. Done before the fast clock, because programs started
/// under it are waited for, and munged goes on.
fn prepare(program: &Path, folder: &Path) {
    let folder = folder.join("before");
    for what in ["up", "down"] {
        let mut command = Command::new(program);
        command.arg(what).arg(&folder).args(["1", "1", ""]).env("SLURM_PORTS", "28800");
        // daemons may keep what they inherit
        let _ = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// Waits for a started process, and ends it after `most`. Returns whether it ended by itself.
fn wait_for(child: &mut Child, most: Duration) -> bool {
    let begin = Instant::now();
    while begin.elapsed() < most {
        if child.try_wait().expect("it is a child").is_some() {
            return true;
        }
        std::thread::sleep(Duration::from_millis(500));
    }
    let _ = child.kill();
    let _ = child.wait();
    false
}

/// What a real Slurm does with the jobs; none where none can be started.
fn record(shared: &Path) -> Option<Cluster> {
    let program = shared.join("slurm/slurm");
    if !program.exists() {
        shared::skipped();
        return None;
    }
    let folder = std::env::temp_dir().join(format!("packfair-real-slurm-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    fs::write(folder.join("jobs.csv"), jobs()).expect("it can be written");
    prepare(&program, &folder);
    let script = r#"
        set -e
        "$1/slurm" up "$2" 16 1 ""
        export SLURM_CONF="$2/slurm.conf"
        touch "$2/is-up"
        sacctmgr -P show assoc >"$2/assoc.txt"
        "$1/replay" "$2/jobs.csv" "$2/sacct.txt"
        "$1/slurm" down "$2"
    "#;
    let told = folder.join("told.txt");
    let file = || fs::File::create(&told).expect("it can be written");
    let started = Command::new(&program)
        .args(["fast", "12", "bash", "-c", script, "bash"])
        .args([&shared.join("slurm"), &folder])
        .env("SLURM_PORTS", "28500")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(file())
        .spawn();
    let cluster = Cluster { program, folder };
    let ended = started.is_ok_and(|mut child| wait_for(&mut child, MOST));
    let told = fs::read_to_string(told).unwrap_or_default();
    if !cluster.folder.join("is-up").exists() {
        // the machine cannot install or start a Slurm
        eprintln!("no Slurm: {told}");
        shared::skipped();
        return None;
    }
    assert!(cluster.folder.join("sacct.txt").exists(), "it was up, and told nothing (it ended: {ended}): {told}");
    Some(cluster)
}

#[test]
#[ignore = "takes six minutes of a machine that does nothing else: scripts/test slurm"]
fn a_real_one_does_the_same() {
    let Some(cluster) = shared::folder().and_then(|shared| record(&shared)) else { return };
    let case = truth::case::Case::read(&cluster.folder);
    assert_eq!(case.real[0].len(), JOBS, "all have run");
    let wrong = truth::judge_by("real", &case, truth::LOOSE, "");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // the criterion rejects a wrong model: one whose backfill looks at a single job
    let other = truth::judge_by("without backfill", &case, truth::LOOSE, ",bf_max_job_test=1");
    assert!(!other.is_empty(), "a scheduler that hardly backfills is taken for Slurm");
}
