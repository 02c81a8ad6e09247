//! A study on a real Slurm: the array job of docs/cluster.md on two nodes, of which a task is killed and a node drained.

use crate::shared;
use packfair::study::export::write_study;
use packfair::study::sureness::Repeats;
use packfair::study::{Baseline, Generated, Source, Study};
use packfair::workload::Resampling;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest time that is waited for anything.
const PATIENCE: Duration = Duration::from_secs(60);

/// A Slurm that ends with the test.
struct Cluster {
    program: PathBuf,
    folder: PathBuf,
    conf: String,
}

impl Cluster {
    /// Starts a Slurm with two nodes of two processors; none where that is not possible.
    fn start() -> Option<Cluster> {
        let program = shared::folder()?.join("slurm/slurm");
        let folder = std::env::temp_dir().join(format!("packfair-slurm-{}", std::process::id()));
        if !program.exists() {
            shared::skipped();
            return None;
        }
        // the machine cannot install or start a Slurm
        let up = Command::new(&program).arg("up").arg(&folder).args(["2", "2"]).output();
        if !up.as_ref().is_ok_and(|up| up.status.success()) {
            eprintln!(
                "no Slurm: {}",
                up.map_or_else(|e| e.to_string(), |up| String::from_utf8_lossy(&up.stderr).into_owned())
            );
            shared::skipped();
            return None;
        }
        let conf = folder.join("slurm.conf").to_string_lossy().into_owned();
        Some(Cluster { program, folder, conf })
    }

    /// The output of a command of Slurm, or of our program.
    fn output(&self, command: &[&str]) -> Output {
        let ran = Command::new(command[0]).args(&command[1..]).env("SLURM_CONF", &self.conf).output();
        ran.unwrap_or_else(|error| panic!("{command:?}: {error}"))
    }

    fn say(&self, command: &[&str]) -> String {
        let output = self.output(command);
        assert!(output.status.success(), "{command:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8").trim().to_owned()
    }

    /// Waits until something holds.
    fn until(&self, what: &str, mut holds: impl FnMut() -> bool) {
        let begun = Instant::now();
        while !holds() {
            assert!(begun.elapsed() < PATIENCE, "{what}: {}", self.say(&["squeue"]));
            sleep(Duration::from_millis(100));
        }
    }

    fn is_over(&self, job: &str) -> bool {
        // Slurm has forgotten a job that ended long ago
        !String::from_utf8_lossy(&self.output(&["squeue", "-h", "-j", job]).stdout).contains('_')
    }
}

impl Drop for Cluster {
    fn drop(&mut self) {
        let _ = Command::new(&self.program).arg("down").arg(&self.folder).output();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A study of 10 runs on a small log and on each of 99 repeats: 1,000 runs.
fn study(folder: &Path) -> String {
    let mut study = Study::on(Source::Generated(Generated::Lublin { jobs: 1_500, processors: 64, seed: 3 }));
    let ids = ["easy", "saf-easy", "justbf", "saf-justbf", "fcfs"];
    study.schedulers = ids.map(|id| id.parse().unwrap()).into();
    study.methods.truncate(1);
    study.distortions = vec![1.0, 2.0];
    study.baseline = Baseline::Scheduler("easy".parse().unwrap());
    study.repeats = Some(Repeats { way: Resampling::Shake, ..Repeats::of(99) });
    let path = folder.join("study.json");
    std::fs::write(&path, write_study(&study)).expect("the study is written");
    path.to_string_lossy().into_owned()
}

/// The script of docs/cluster.md for this study, as it stands there but for the paths and the partition.
fn script(folder: &Path, packfair: &str) -> String {
    let text = include_str!("../../docs/cluster.md");
    let mut blocks = text.split("```sh\n").map(|part| part.split("```").next().unwrap_or_default());
    let script = blocks.find(|part| part.starts_with("#!/bin/sh")).expect("docs/cluster.md has a script");
    let lines = script.lines().filter(|line| !line.contains("--partition"));
    let script = lines.collect::<Vec<_>>().join("\n") + "\n";
    assert!(
        script.contains("#SBATCH --array=1-20\n") && script.contains("packfair study study.json LOG.swf"),
        "{script}"
    );
    let script = script.replace("#SBATCH --cpus-per-task=4\n", "#SBATCH --cpus-per-task=1\n");
    let script = script.replace("packfair study study.json LOG.swf", &format!("{packfair} study study.json"));
    let path = folder.join("study.sh");
    std::fs::write(&path, script).expect("the script is written");
    path.to_string_lossy().into_owned()
}

#[test]
fn a_killed_task_and_a_drained_node_change_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    let packfair = env!("CARGO_BIN_EXE_packfair");
    let (study, script) = (study(&cluster.folder), script(&cluster.folder, packfair));
    // as LaTeX, which has no times of the runs
    let alone = cluster.output(&[packfair, "study", &study, "--format", "latex"]);
    assert!(alone.status.success(), "{}", String::from_utf8_lossy(&alone.stderr));

    let (folder, parts) = (cluster.folder.to_string_lossy().into_owned(), cluster.folder.join("parts"));
    let submit = |more: &[&str]| {
        cluster.say(&[&["sbatch", "--parsable", "--time=10", "--chdir", &folder], more, &[&script]].concat())
    };
    let collect = || cluster.output(&[packfair, "collect", &parts.to_string_lossy(), "--format", "latex"]);
    let files = || std::fs::read_dir(&parts).into_iter().flatten().flatten();
    let done = || files().filter(|file| file.path().extension().is_some_and(|end| end == "part")).count();
    let job = submit(&[]);
    cluster.until("some parts", || done() > 2);
    // kills a task in the middle of its work, takes back another, and drains a node with all that runs on it
    cluster.until("a task that is killed while it runs", || {
        let running = cluster.say(&["squeue", "-h", "-r", "-j", &job, "-t", "R", "-o", "%i"]);
        // one that has ended meanwhile cannot be killed any more
        running.lines().any(|task| cluster.output(&["scancel", "--signal=KILL", task]).status.success())
    });
    cluster.say(&["scancel", &format!("{job}_20")]);
    cluster.say(&["scontrol", "update", "NodeName=n2", "State=drain", "Reason=test"]);
    cluster.until("the end of the job", || cluster.is_over(&job));
    let refused = collect();
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert_eq!(refused.status.code(), Some(2), "{said}");
    assert!(done() < 20 && said.contains(" missing; compute "), "{said}");

    // what is missing is submitted again, as the message names it
    let which = said.split(" of 20 ").next().and_then(|named| named.rsplit("part").next());
    let which = which.expect("the parts are named").trim_start_matches('s');
    let again = submit(&["--array", &which.replace(' ', "")]);
    cluster.until("the end of what was missing", || cluster.is_over(&again));
    let collected = collect();
    assert!(collected.status.success(), "{}", String::from_utf8_lossy(&collected.stderr));
    assert_eq!(String::from_utf8_lossy(&collected.stdout), String::from_utf8_lossy(&alone.stdout));
}
