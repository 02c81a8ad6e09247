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
             max_rpc_cnt is meant?",
            "slurm.conf:5: not understood: Frobnicate=yes",
            "read: 64 nodes of 256 processors, 1 partitions",
            "SchedulerParameters that are not at their defaults: bf_window=2880",
        ]
    );
    let broken = folder.write("broken.conf", b"ClusterName=c\nNodeName=n[4-1]\nPartitionName=p Nodes=zzz\n");
    let told = packfair(&["lint", &broken]);
    assert_eq!(told.status.code(), Some(1));
    assert!(text(&told.stdout).contains("broken.conf:2: wrong: NodeName: [4-1] is no range"), "{}", text(&told.stdout));
    assert!(text(&told.stdout).contains("broken.conf:3: wrong: partition p: there is no node zzz"));
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
fn a_real_cluster_is_read_whole() {
    let Some(shared) = files::folder() else { return };
    let medium = shared.join("samples/slurm-conf/medium");
    let path = |name: &str| medium.join(name).to_string_lossy().into_owned();
    let told = packfair(&["lint", &path("slurm.conf"), &path("sacctmgr.script")]);
    let said = text(&told.stdout);
    assert!(said.contains("read: 217 nodes of 7968 processors, 2 partitions, "), "{said}");
    assert!(!said.contains("not understood"), "{said}");
}
