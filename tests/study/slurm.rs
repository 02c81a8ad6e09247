//! A study on a real Slurm: an array job on two nodes, of which a task is killed and a node drained.

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
    fn until(&self, what: &str, holds: impl Fn() -> bool) {
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

/// A study of 20 runs on a small log and on each of 99 repeats: 2,000 runs.
fn study(folder: &Path) -> String {
    let mut study = Study::on(Source::Generated(Generated::Lublin { jobs: 1_500, processors: 64, seed: 3 }));
    let ids = ["easy", "saf-easy", "justbf", "saf-justbf", "fcfs"];
    study.schedulers = ids.map(|id| id.parse().unwrap()).into();
    study.distortions = vec![1.0, 2.0];
    study.baseline = Baseline::Scheduler("easy".parse().unwrap());
    study.repeats = Some(Repeats { way: Resampling::Shake, ..Repeats::of(99) });
    let path = folder.join("study.json");
    std::fs::write(&path, write_study(&study)).expect("the study is written");
    path.to_string_lossy().into_owned()
}

fn reports(folder: &Path) -> Vec<Vec<u8>> {
    ["report.txt", "report.csv", "report.json", "results.json"]
        .map(|name| std::fs::read(folder.join(name)).unwrap())
        .into()
}

#[test]
fn a_killed_task_and_a_drained_node_change_nothing() {
    let Some(cluster) = Cluster::start() else { return };
    let packfair = env!("CARGO_BIN_EXE_packfair");
    let study = study(&cluster.folder);
    let folder = |name: &str| cluster.folder.join(name).to_string_lossy().into_owned();
    let (one, many) = (folder("one"), folder("many"));
    cluster.say(&[packfair, "study", &study, "--into", &one]);
    cluster.say(&[packfair, "collect", &one]);

    let submit =
        || cluster.say(&[packfair, "study", &study, "--into", &many, "--slurm", "--tasks", "8", "--time", "10"]);
    let files = || std::fs::read_dir(Path::new(&many).join("results")).into_iter().flatten().flatten();
    // a killed task may leave a part of a file beside them
    let results = || files().filter(|file| file.path().extension().is_some_and(|end| end == "json")).count();
    let job = submit();
    cluster.until("some results", || results() > 50);
    // kills a task in the middle of its work, and drains a node with all that runs on it
    cluster.say(&["scancel", "--signal=KILL", &format!("{job}_1")]);
    cluster.say(&["scancel", &format!("{job}_2")]);
    cluster.say(&["scontrol", "update", "NodeName=n2", "State=drain", "Reason=test"]);
    cluster.until("the end of the job", || cluster.is_over(&job));
    let before = results();
    assert!(before < 2_000, "the killed tasks leave something");
    let partial = cluster.output(&[packfair, "collect", &many]);
    assert_eq!(partial.status.code(), Some(1), "what is missing is said");
    assert!(String::from_utf8_lossy(&partial.stderr).contains("is missing: no process has finished it"));

    let again = submit();
    cluster.until("the end of what was missing", || cluster.is_over(&again));
    assert_eq!(results(), 2_000);
    cluster.say(&[packfair, "collect", &many]);
    assert_eq!(files().count(), 2_000, "parts that nobody finishes any more are gone");
    assert_eq!(reports(Path::new(&many)), reports(Path::new(&one)));
}
