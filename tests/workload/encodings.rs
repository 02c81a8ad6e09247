//! Every text that a person gives, in every encoding that a program on Windows writes: what is read is the same.

use crate::law::samples;
use packfair::slurm::{SiteFile, Version, is_of_site, read_site};
use packfair::workload::reading::{Limits, Reader, read_by};
use packfair::workload::{ExternalKind, TablePreview, external_kinds, is_queue, read_external, read_queue};
use std::fmt::Debug;

/// A text in an encoding of units of this many bytes.
fn encoded(text: &str, width: usize, is_little: bool) -> Vec<u8> {
    let units: Vec<u32> =
        if width == 2 { text.encode_utf16().map(u32::from).collect() } else { text.chars().map(u32::from).collect() };
    let of = |unit: u32| {
        let mut bytes = unit.to_le_bytes()[..width].to_vec();
        if !is_little {
            bytes.reverse();
        }
        bytes
    };
    units.into_iter().flat_map(of).collect()
}

/// Checks that a text in every encoding, with its mark and without, is the same to `read` as in UTF-8.
fn check<T: PartialEq + Debug>(what: &str, text: &str, read: impl Fn(&[u8]) -> T) {
    let plain = read(text.as_bytes());
    for mark in ["", "\u{feff}"] {
        let marked = [mark, text].concat();
        assert_eq!(read(marked.as_bytes()), plain, "{what} in UTF-8");
        for (width, is_little) in [(2, true), (2, false), (4, true), (4, false)] {
            let bytes = encoded(&marked, width, is_little);
            let order = if is_little { "little" } else { "big" };
            assert_eq!(read(&bytes), plain, "{what}, {width} bytes a unit, {order} end first, mark {mark:?}");
        }
    }
}

#[test]
fn logs_of_every_format() {
    for (name, text, columns) in samples() {
        let read = |bytes: &[u8]| {
            let log = read_by(Reader::mapped("log", Limits::default(), columns.clone()), bytes).unwrap();
            assert!(log.jobs() >= 3, "{name}");
            (log.records, log.names, log.account)
        };
        check(name, &text, read);
    }
}

#[test]
fn tables_about_which_the_person_is_asked() {
    let text = "Nummer;Größe;eingereicht\n1;4;1700000000\n2;8;1700000005\n";
    check("a table", text, |bytes| {
        let preview = TablePreview::of(bytes, true).unwrap();
        (preview.header, preview.names)
    });
}

#[test]
fn files_of_a_site() {
    let conf = "ClusterName=c\nSchedulerType=sched/backfill\nPriorityType=priority/multifactor\nPriorityWeightAge=7\n\
                NodeName=n[1-4] CPUs=8\nPartitionName=p Nodes=ALL Default=YES\n";
    let associations = "Cluster|Account|User|Share|GrpTRES\nc|root||1|\nc|physics||1|cpu=4\nc|physics|ann|1|\n";
    let events = "NodeName|TimeStart|TimeEnd|State|Reason\nn1|2026-01-01T00:00:00|2026-01-02T00:00:00|DOWN|x\n";
    for text in [conf, associations, events] {
        assert!(is_of_site(text.as_bytes()), "{text}");
        check("a file of a site", text, |bytes| {
            let site = read_site(&[SiteFile { name: "file", content: bytes }], Version::default());
            // Slurm itself reads ASCII alone, which is a finding
            let findings: Vec<_> =
                site.findings.iter().filter(|found| !found.words.contains("UTF-")).cloned().collect();
            (is_of_site(bytes), findings, site.accounts, site.events, site.partitions, site.nodes)
        });
    }
}

#[test]
fn queues_starts_and_estimates() {
    let queues = [
        "JOBID|PARTITION|NAME|USER|STATE|TIME|TIME_LIMIT|NODES|SUBMIT_TIME|START_TIME|CPUS\n\
         1|p|fit|ann|RUNNING|10:00|1:00:00|1|2026-01-01T00:00:00|2026-01-01T00:05:00|4\n",
        "JobId=1 JobName=fit\n   UserId=ann(1) JobState=RUNNING NumCPUs=4 TimeLimit=01:00:00\n   \
         SubmitTime=2026-01-01T00:00:00 StartTime=2026-01-01T00:05:00\n",
    ];
    for text in queues {
        assert!(is_queue(text.as_bytes()));
        check("a queue", text, |bytes| (is_queue(bytes), read_queue(bytes).unwrap()));
    }
    let text = "job,start\n1,100\n2,200\n";
    check("starts", text, |bytes| {
        let read = read_external("starts.csv", ExternalKind::Schedule, bytes, Limits::default()).unwrap();
        (external_kinds(bytes), read)
    });
}
