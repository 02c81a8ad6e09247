//! Files that people give in place of a log: how each is recognised, what it is, and what to give instead.

use super::ReadError;

/// A kind of file that is no log.
struct NamedKind {
    what: &'static str,
    instead: &'static str,
    /// Whether a file with these first lines, of which none is blank, is one.
    is: fn(&[&[u8]]) -> bool,
}

const SLURM: &str = "sacct lists jobs that have ended: sacct -a -X -D -P -S 2026-01-01 -E 2026-02-01 -o JobID,JobIDRaw,User,Account,\
                     Partition,QOS,Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,NNodes,NCPUS,ReqTRES,AllocTRES,State,JobName";
const SITE: &str = "it describes a site, beside which a log is needed: give both, the log first";
const PBS: &str = "give the accounting files of its days, from server_priv/accounting";
const LSF: &str = "give the file lsb.acct itself, from the cluster's logdir";
const GRID_ENGINE: &str = "give the file accounting, one line of fields between colons for each job";
const TABLE: &str = "give a table (CSV) whose first line names its columns: id,submit,start,end,processors,limit,user";

/// The kinds, of which the first that fits is meant.
const KINDS: &[NamedKind] = &[
    NamedKind {
        what: "the output of squeue, which lists jobs that wait and run and not those that have ended",
        instead: SLURM,
        is: |lines| has_words(lines, &["JOBID", "PARTITION", "NODELIST"]),
    },
    NamedKind {
        what: "the output of squeue --json, which lists jobs that wait and run and not those that have ended",
        instead: SLURM,
        is: |lines| is_json(lines) && has_all(lines, &["\"job_state\"", "\"accrue_time\""]),
    },
    NamedKind {
        what: "the output of sinfo, which lists nodes",
        instead: SLURM,
        is: |lines| has_words(lines, &["PARTITION", "AVAIL", "NODES", "STATE"]),
    },
    NamedKind {
        what: "a report of sreport, which adds jobs up",
        instead: SLURM,
        is: |lines| first(lines).starts_with(b"-----") && within(lines, 3, &["Utilization", "Usage reported", "Top "]),
    },
    NamedKind {
        what: "the output of scontrol show job, which has jobs of the last minutes only",
        instead: SLURM,
        is: |lines| {
            first(lines).starts_with(b"JobId=") && !has(first(lines), "EndTime=") && has_all(lines, &["JobState="])
        },
    },
    NamedKind {
        what: "the output of scontrol show config",
        instead: SITE,
        is: |lines| first(lines).starts_with(b"Configuration data as of"),
    },
    NamedKind {
        what: "the output of scontrol show partition",
        instead: SITE,
        is: |lines| first(lines).starts_with(b"PartitionName=") && has_all(lines, &["AllowGroups="]),
    },
    NamedKind {
        what: "the output of scontrol show node",
        instead: SITE,
        is: |lines| first(lines).starts_with(b"NodeName=") && has_all(lines, &["CPUAlloc="]),
    },
    NamedKind {
        what: "the output of scontrol show reservation",
        instead: SITE,
        is: |lines| first(lines).starts_with(b"ReservationName="),
    },
    NamedKind {
        what: "the output of bacct, which is made for people to read",
        instead: LSF,
        is: |lines| within(lines, 3, &["Accounting information about jobs that are"]),
    },
    NamedKind {
        what: "the output of bjobs, which lists the jobs of the moment",
        instead: LSF,
        is: |lines| has_words(lines, &["JOBID", "USER", "STAT", "QUEUE"]),
    },
    NamedKind {
        what: "the output of bhist, which is made for people to read",
        instead: LSF,
        is: |lines| within(lines, 2, &["Summary of time in seconds spent in various states"]),
    },
    NamedKind {
        what: "the output of oarstat, which lists the jobs of the moment",
        instead: TABLE,
        is: |lines| {
            within(lines, 2, &["Submission Date"])
                || is_json(lines) && has_all(lines, &["\"submissionTime\"", "\"assigned_network_address\""])
        },
    },
    NamedKind {
        what: "the output of Cobalt's qstat, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| has_words(lines, &["JobID", "User", "WallTime", "Nodes", "State", "Location"]),
    },
    NamedKind {
        what: "the output of qacct, which is made for people to read",
        instead: GRID_ENGINE,
        is: |lines| first(lines).starts_with(b"=====") && lines.get(1).is_some_and(|line| line.starts_with(b"qname ")),
    },
    NamedKind {
        what: "an event log of HTCondor, which has no processors",
        instead: TABLE,
        is: |lines| first(lines).starts_with(b"000 (") && within(lines, 1, &["Job submitted from host"]),
    },
    NamedKind {
        what: "the output of qstat -f, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| first(lines).starts_with(b"Job Id:"),
    },
    NamedKind {
        what: "the output of qstat in XML, which lists the jobs of the moment",
        instead: "give accounting: of PBS the files of server_priv/accounting, of Grid Engine the file accounting",
        is: |lines| {
            within(lines, 5, &["<Data><Job>", "<Data>", "<job_info", "<detailed_job_info"])
                && first(lines).starts_with(b"<")
        },
    },
    NamedKind {
        what: "the output of qstat, which lists the jobs of the moment",
        instead: "give accounting: of PBS the files of server_priv/accounting, of Grid Engine the file accounting",
        is: |lines| {
            has_words(lines, &["job-ID", "prior"])
                || lines.iter().take(4).any(|line| has(line, "Job id ") || has(line, "Job ID "))
                    && within(lines, 6, &["------"])
        },
    },
    NamedKind {
        what: "accounting of Grid Engine 9 as lines of JSON",
        instead: GRID_ENGINE,
        is: |lines| is_json(lines) && has_all(lines, &["\"job_number\"", "\"owner\""]),
    },
    NamedKind {
        what: "a history of HTCondor",
        instead: TABLE,
        is: |lines| {
            lines.iter().any(|line| line.starts_with(b"ClusterId = "))
                || (is_json(lines) && has_all(lines, &["\"ClusterId\"", "\"ProcId\""]))
                || has_words(lines, &["OWNER", "SUBMITTED", "RUN_TIME"])
        },
    },
    NamedKind {
        what: "a list of Flux's jobs",
        instead: TABLE,
        is: |lines| {
            has_all(lines, &["\"t_submit\"", "\"t_depend\""]) || has_words(lines, &["JOBID", "NTASKS", "NNODES"])
        },
    },
    NamedKind {
        what: "the output of Moab's showq, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| within(lines, 3, &["active jobs-----", "ACTIVE JOBS-----"]),
    },
];

const SPREADSHEET: &str = "a spreadsheet";
const SAVE_AS_CSV: &str = "save its table as CSV (in UTF-8, with a line of names of columns) and give that";

/// Refuses a zip archive that is a spreadsheet, by the names of its files.
pub(super) fn refuse_entries<'a>(mut names: impl Iterator<Item = &'a str>) -> Result<(), ReadError> {
    let is_part = |name: &str| matches!(name, "workbook.xml" | "workbook.bin" | "[Content_Types].xml" | "content.xml");
    if names.any(is_part) {
        return Err(ReadError::Named { what: SPREADSHEET, instead: SAVE_AS_CSV });
    }
    Ok(())
}

/// Begins of files that are no text.
const SIGNATURES: &[(&[u8], &str, &str)] = &[
    (b"%PDF", "a PDF document", "give the log itself, as text"),
    (b"\x89PNG", "an image (PNG)", "give the log itself, as text"),
    (b"\xff\xd8\xff", "an image (JPEG)", "give the log itself, as text"),
    (b"GIF8", "an image (GIF)", "give the log itself, as text"),
    (b"RIFF", "an image or a recording", "give the log itself, as text"),
    (b"\xd0\xcf\x11\xe0", SPREADSHEET, SAVE_AS_CSV),
    (b"Rar!", "a RAR archive", "unpack it and give the log itself, plain or as .gz"),
];

/// Refuses a file with these first bytes if it is of a kind that is known and no text.
pub(super) fn refuse_bytes(head: &[u8]) -> Result<(), ReadError> {
    let known = SIGNATURES.iter().find(|(signature, ..)| head.starts_with(signature));
    known.map_or(Ok(()), |&(_, what, instead)| Err(ReadError::Named { what, instead }))
}

/// Refuses a file with these first lines if it is of a kind that is known and no log.
pub(super) fn refuse(lines: &[&[u8]]) -> Result<(), ReadError> {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let known = KINDS.iter().find(|kind| !lines.is_empty() && (kind.is)(&lines));
    known.map_or(Ok(()), |kind| Err(ReadError::Named { what: kind.what, instead: kind.instead }))
}

/// Refuses a template that was not filled in.
pub(super) fn refuse_template(lines: &[&[u8]]) -> Result<(), ReadError> {
    let is_template = |line: &&[u8]| (has(line, "{{") && has(line, "}}")) || (has(line, "{%") && has(line, "%}"));
    if !lines.iter().any(is_template) {
        return Ok(());
    }
    Err(ReadError::Named {
        what: "a template with places to fill in ({{ }})",
        instead: "give the file that is made from it, as it is on the cluster",
    })
}

fn first<'a>(lines: &[&'a [u8]]) -> &'a [u8] {
    lines.first().copied().unwrap_or_default()
}

fn is_json(lines: &[&[u8]]) -> bool {
    first(lines).starts_with(b"{") || first(lines).starts_with(b"[")
}

fn has(line: &[u8], text: &str) -> bool {
    line.windows(text.len()).any(|window| window == text.as_bytes())
}

fn has_all(lines: &[&[u8]], texts: &[&str]) -> bool {
    texts.iter().all(|text| lines.iter().any(|line| has(line, text)))
}

/// Whether one of these texts occurs in the first lines.
fn within(lines: &[&[u8]], count: usize, texts: &[&str]) -> bool {
    lines.iter().take(count).any(|line| texts.iter().any(|text| has(line, text)))
}

/// Whether the first line is a header with these words between blanks.
fn has_words(lines: &[&[u8]], words: &[&str]) -> bool {
    let found: Vec<&[u8]> = first(lines).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    words.iter().all(|word| {
        let is_it =
            |found: &&[u8]| *found == word.as_bytes() || (*word == "NODELIST" && found.starts_with(b"NODELIST"));
        found.iter().any(is_it)
    })
}

#[cfg(test)]
mod tests {
    use crate::workload::reading::read;

    /// A file of each kind, and what its message begins with.
    const GIVEN: &[(&str, &str)] = &[
        (
            "   JOBID PARTITION     NAME     USER ST       TIME  NODES NODELIST(REASON)\n  12 main a ann R 1:00 1 n1\n",
            "squeue",
        ),
        ("{\n \"jobs\": [\n {\"accrue_time\": 1,\n \"job_state\": [\"RUNNING\"]}]}\n", "squeue --json"),
        ("PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\nmain* up 1-0 4 idle n[1-4]\n", "sinfo"),
        ("------------\nCluster Utilization 2026\n------------\n", "sreport"),
        ("JobId=12 JobName=a\n   UserId=ann(1)\n   JobState=RUNNING Reason=None\n", "scontrol show job"),
        ("Configuration data as of 2026-01-01T00:00:00\nAccountingStorageHost = h\n", "scontrol show config"),
        ("PartitionName=main\n   AllowGroups=ALL AllowAccounts=ALL\n", "scontrol show partition"),
        ("NodeName=n1 Arch=x86_64\n   CPUAlloc=4 CPUTot=8\n", "scontrol show node"),
        ("ReservationName=maint StartTime=2026-01-01T00:00:00\n", "scontrol show reservation"),
        ("Accounting information about jobs that are:\n  - submitted by all users.\n", "bacct"),
        (
            "JOBID   USER    STAT  QUEUE      FROM_HOST   EXEC_HOST   JOB_NAME   SUBMIT_TIME\n1 ann RUN q a b c d\n",
            "bjobs",
        ),
        ("Job Id: 12.host\n    Job_Name = a\n", "qstat -f"),
        ("<?xml version=\"1.0\"?>\n<Data><Job><Job_Id>1.h</Job_Id></Job></Data>\n", "qstat in XML"),
        ("job-ID  prior   name  user state submit/start at queue slots\n-----\n", "qstat,"),
        ("Job id            Name             User              Time Use S Queue\n----------------  ----\n", "qstat,"),
        (
            "{\"job_number\":1,\"owner\":\"ann\",\"submission_time\":1}\n{\"job_number\":2,\"owner\":\"bob\"}\n",
            "Grid Engine 9",
        ),
        ("Arguments = \"\"\nClusterId = 12\nProcId = 0\n", "HTCondor"),
        ("[{\"ClusterId\": 1, \"ProcId\": 0}]\n", "HTCondor"),
        ("{\"id\":1,\"t_submit\":1.0,\"t_depend\":1.0}\n", "Flux"),
        ("active jobs------------------------\nJOBID USERNAME STATE PROCS REMAINING STARTTIME\n", "Moab"),
        ("ClusterName={{ cluster }}\nNodeName={{ nodes }}\n", "template"),
        ("Summary of time in seconds spent in various states:\nJOBID USER\n", "bhist"),
        ("Job id    Name           User           Submission Date     S Queue\n--------- ------\n", "oarstat"),
        ("JobID  User  WallTime  Nodes  State  Location\n=========\n1 ann 1:00 4 running l\n", "Cobalt"),
        ("==============================================================\nqname        all.q\n", "qacct"),
        ("000 (012.000.000) 2026-01-05 10:00:00 Job submitted from host: <1.2.3.4>\n...\n", "HTCondor"),
        ("%PDF-1.7\n", "PDF"),
        ("GIF89a", "image"),
    ];

    #[test]
    fn a_table_of_condor_is_none_of_its_lists() {
        let text = "\"ClusterId\",\"ProcId\",\"Owner\",\"QDate\",\"JobStartDate\",\"CompletionDate\",\"RequestCpus\"\n\
                    12,0,ann,1700000000,1700000060,1700000160,4\n";
        let log = read("history.csv", text.as_bytes()).unwrap();
        let first = &log.records[0];
        assert_eq!((first.number, first.wait, first.run, first.requested), (12, 60, 100, 4));
    }

    #[test]
    fn a_spreadsheet_is_named() {
        for names in [&["[Content_Types].xml", "sheet1.xml"][..], &["mimetype", "content.xml"]] {
            let said = super::refuse_entries(names.iter().copied()).unwrap_err().to_string();
            assert!(said.starts_with("this is a spreadsheet, and no log: save its table as CSV"), "{said}");
        }
        assert!(super::refuse_entries(["a.swf", "b.swf"].into_iter()).is_ok());
        assert!(
            read("old.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".as_slice())
                .unwrap_err()
                .to_string()
                .contains("spreadsheet")
        );
    }

    #[test]
    fn each_kind_is_named_also_with_marks_blank_lines_and_other_ends_of_lines() {
        for (text, name) in GIVEN {
            let unix = text.to_string();
            let mut ways = vec![unix.clone()];
            if unix.contains('\n') && !unix.starts_with('%') {
                ways.extend([format!("\u{feff}{unix}"), format!("\n\n{unix}"), unix.replace('\n', "\r\n")]);
            }
            for way in ways {
                let said = read("given", way.as_bytes()).unwrap_err().to_string();
                assert!(said.starts_with("this is ") && said.contains(name), "{way:?}: {said}");
                assert!(!said.contains("packfair"), "{said}");
            }
        }
    }
}
