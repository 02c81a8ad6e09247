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
const CONDOR: &str = "give what condor_history -long or condor_history -json prints";
const LSF: &str = "give the file lsb.acct itself, from the cluster's logdir";
const TABLE: &str = "give a table (CSV) whose first line names its columns: id,submit,start,end,processors,limit,user";

const ITSELF: &str = "give the log itself, as text";
const NO_SUBMISSION: &str = "a simulation needs when each job was submitted, which it does not tell; give a table (CSV) whose first \
                             line names its columns: id,submit,start,end,processors,limit,user";

/// The kinds, of which the first that fits is meant.
const KINDS: &[NamedKind] = &[
    NamedKind {
        what: "a list of Flux's jobs, which has no times of submission",
        instead: "give what flux jobs -a --json prints",
        is: |lines| has_words(lines, &["JOBID", "NTASKS", "NNODES"]),
    },
    NamedKind {
        what: "the output of squeue, which lists jobs that wait and run and not those that have ended",
        instead: SLURM,
        is: |lines| {
            has_words(lines, &["JOBID", "PARTITION", "NODELIST"])
                || has_words(lines, &["JOBID", "ST", "TIME"])
                || has_names(lines, &["JOBID", "TIME_LEFT"])
                || has_names(lines, &["JOBID", "ST"])
                || has_names(lines, &["JOBID", "NODELIST", "REASON"])
        },
    },
    NamedKind {
        what: "the output of squeue --json, which lists jobs that wait and run and not those that have ended",
        instead: SLURM,
        is: |lines| is_json(lines) && has_all(lines, &["\"job_state\"", "\"accrue_time\""]),
    },
    NamedKind {
        what: "the output of sinfo, which lists nodes",
        instead: SLURM,
        is: |lines| {
            has_words(lines, &["PARTITION", "AVAIL", "NODES", "STATE"])
                || first(lines).starts_with(b"NODELIST") && has_names(lines, &["NODES", "PARTITION", "STATE"])
                || first(lines).starts_with(b"REASON") && has_names(lines, &["USER", "TIMESTAMP", "NODELIST"])
                || is_json(lines) && has_all(lines, &["\"sinfo\""])
        },
    },
    NamedKind {
        what: "a report of sreport, which adds jobs up",
        instead: SLURM,
        is: |lines| {
            (first(lines).starts_with(b"-----") && within(lines, 3, &["Utilization", "Usage reported", "Top "]))
                || within(lines, 1, &["|Proper Name|", "|Allocated|Down|", "Cluster|TRES Name"])
        },
    },
    NamedKind {
        what: "the output of sprio, which lists priorities of jobs that wait",
        instead: SLURM,
        is: |lines| has_names(lines, &["JOBID", "PRIORITY"]) && has_any_name(lines, &["AGE", "FAIRSHARE", "JOBSIZE"]),
    },
    NamedKind {
        what: "the output of sshare, which lists shares of accounts",
        instead: SITE,
        is: |lines| has_names(lines, &["Account", "RawShares"]),
    },
    NamedKind {
        what: "the output of sdiag, which counts what the scheduler does",
        instead: SLURM,
        is: |lines| within(lines, 2, &["sdiag output at"]),
    },
    NamedKind {
        what: "the output of seff, which is about one job",
        instead: SLURM,
        is: |lines| first(lines).starts_with(b"Job ID: ") && has_all(lines, &["Cluster: ", "State: "]),
    },
    NamedKind {
        what: "a log file of a daemon of Slurm, which tells what it did",
        instead: SLURM,
        is: |lines| {
            first(lines).starts_with(b"[20")
                && lines.iter().take(20).any(|line| {
                    ["slurmctld", "slurmdbd", "slurmd", "sched:", "_slurm_rpc", "backfill:", "_job_complete"]
                        .iter()
                        .any(|word| has(line, word))
                })
        },
    },
    NamedKind {
        what: "the output of scontrol show job, which has jobs of the last minutes only",
        instead: SLURM,
        is: |lines| {
            first(lines).starts_with(b"JobId=")
                && (has(first(lines), " JobName=") || !has(first(lines), "EndTime="))
                && has_all(lines, &["JobState="])
        },
    },
    NamedKind {
        what: "what sacctmgr prints of accounts and their limits",
        instead: SITE,
        is: |lines| {
            lines.iter().any(|line| line.starts_with(b"Parent - '") || line.starts_with(b"Cluster - '"))
                || has_names(lines, &["Cluster", "Account", "User", "Share"])
                || has_names(lines, &["Name", "Priority", "GraceTime"])
        },
    },
    NamedKind {
        what: "a slurm.conf",
        instead: SITE,
        is: |lines| {
            let begins = |line: &&[u8], key: &str| {
                line.get(..key.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(key.as_bytes()))
                    && matches!(line.get(key.len()), Some(b'=' | b' '))
            };
            let keys = ["SlurmctldHost", "ControlMachine", "SlurmctldPort", "PartitionName", "NodeName"];
            let told = keys.iter().filter(|key| lines.iter().any(|line| begins(line, key))).count();
            told >= 2 && !lines.iter().any(|line| has(line, "{{") || has(line, "{%") || has(line, "CPUAlloc="))
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
        is: |lines| {
            has_names(lines, &["JOBID", "USER", "STAT"])
                || (is_json(lines) && has_all(lines, &["\"JOBID\"", "\"STAT\""]))
        },
    },
    NamedKind {
        what: "the output of bjobs -l, bhist -l or bacct -l, which is made for people to read",
        instead: LSF,
        is: |lines| first(lines).starts_with(b"Job <") && within(lines, 3, &["User <"]),
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
        what: "the output of oarstat, which lists the jobs of the moment",
        instead: TABLE,
        is: |lines| has_words(lines, &["User", "Duration", "System", "message"]),
    },
    NamedKind {
        what: "sums of qacct",
        instead: "give the file accounting, or what qacct -j prints",
        is: |lines| {
            has_words(lines, &["WALLCLOCK", "UTIME", "STIME"])
                || has_words(lines.get(1..).unwrap_or_default(), &["WALLCLOCK", "UTIME", "STIME"])
        },
    },
    NamedKind {
        what: "a trace of Maui",
        instead: PBS,
        is: |lines| {
            let is_job = |line: &&&[u8]| {
                let fields: Vec<&[u8]> =
                    line.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty()).collect();
                let is_time = |at: usize| fields[at].len() >= 9 && is_whole(fields[at]);
                fields.len() >= 30 && !is_whole(fields[0]) && fields[7].starts_with(b"[") && (8..12).all(is_time)
            };
            2 * lines.iter().filter(is_job).count() > lines.len()
        },
    },
    NamedKind {
        what: "the output of Cobalt's qstat, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| has_words(lines, &["JobID", "User", "WallTime", "Nodes", "State", "Location"]),
    },
    NamedKind {
        what: "an event log of HTCondor, which has no processors",
        instead: CONDOR,
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
        what: "a list of HTCondor, which has neither processors nor years",
        instead: CONDOR,
        is: |lines| {
            lines.iter().take(4).any(|line| has_words(&[line], &["OWNER", "SUBMITTED", "RUN_TIME"]))
                || first(lines).starts_with(b"-- Schedd:")
                || within(lines, 4, &["<classads>"])
        },
    },
    NamedKind {
        what: "the output of Moab's showq, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| within(lines, 3, &["active jobs-----", "ACTIVE JOBS-----"]),
    },
    NamedKind {
        what: "statistics of Moab or Maui",
        instead: PBS,
        is: |lines| {
            let is_event = |line: &&&[u8]| {
                let words: Vec<_> = line.split(|byte| byte.is_ascii_whitespace()).filter(|w| !w.is_empty()).collect();
                words.get(2) == Some(&&b"job"[..]) && words.get(3).is_some_and(|event| event.starts_with(b"JOB"))
            };
            let is_headed = first(lines).starts_with(b"VERSION ");
            is_headed && lines.iter().any(|line| has(line, " JOBEND ") || has(line, " JOBSUBMIT "))
                || 2 * lines.iter().filter(is_event).count() > lines.len()
        },
    },
    NamedKind {
        what: "a log file of a daemon of PBS, which tells what it did",
        instead: PBS,
        is: |lines| {
            let is_entry = |line: &&[u8]| {
                let mut parts = line.split(|&byte| byte == b';');
                let (stamp, class) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
                stamp.get(2) == Some(&b'/') && class.len() == 4 && class.iter().all(u8::is_ascii_hexdigit)
            };
            2 * lines.iter().filter(|line| is_entry(line)).count() > lines.len()
        },
    },
    NamedKind {
        what: "the output of OAR's oarstat, which lists the jobs of the moment",
        instead: TABLE,
        is: |lines| {
            first(lines).starts_with(b"Job_Id: ")
                || has_words(lines, &["Job", "id", "Submission", "Date", "S", "Queue"])
        },
    },
    NamedKind {
        what: "the output of tracejob, which is about one job",
        instead: PBS,
        is: |lines| first(lines).starts_with(b"Job: ") && within(lines, 6, &["  S    ", "  A    ", "  L    "]),
    },
    NamedKind {
        what: "the output of qstat -F json, which lists the jobs of the moment",
        instead: PBS,
        is: |lines| is_json(lines) && has_all(lines, &["\"pbs_version\"", "\"Jobs\""]),
    },
    NamedKind {
        what: "the output of LoadLeveler's llq or llsummary, which is made for people to read",
        instead: TABLE,
        is: |lines| {
            has_words(lines, &["Id", "Owner", "Submitted", "ST", "Class"])
                || within(lines, 1, &["Starter Cpu", "StarterCpu"])
                || (first(lines).starts_with(b"=====") && within(lines, 3, &["Job Id: ", "Job Id:"]))
        },
    },
    NamedKind {
        what: "a table of events of Google's cluster traces, which have parts of machines and no jobs with processors",
        instead: TABLE,
        is: |lines| {
            (is_json(lines) && has_all(lines, &["\"collection_id\""]))
                || within(lines, 1, &["collection_id"])
                || mostly_rows(lines, |fields| {
                    matches!(fields.len(), 8 | 13)
                        && [0, 2, fields.len() - 5].iter().all(|&at| is_whole(fields[at]))
                        && fields[fields.len() - 5].len() == 1
                        && fields[0].len() > 1
                        && fields[2].len() > 5
                })
        },
    },
    NamedKind {
        what: "a table of tasks of Alibaba's cluster traces",
        instead: NO_SUBMISSION,
        is: |lines| {
            mostly_rows(lines, |fields| {
                let is_state = |field: &&[u8]| matches!(*field, b"Terminated" | b"Waiting" | b"Interrupted");
                (8..=15).contains(&fields.len()) && fields.iter().any(is_state)
            }) && !within(lines, 1, &["start_time"])
        },
    },
    NamedKind {
        what: "a pointer of Git LFS, which stands for the file",
        instead: "fetch the file itself: git lfs pull, or Download on its web page",
        is: |lines| first(lines).starts_with(b"version https://git-lfs"),
    },
    NamedKind {
        what: "an e-mail",
        instead: "give the log that is attached to it, or in it, by itself",
        is: |lines| {
            let has = |name: &str| lines.iter().any(|line| line.starts_with(name.as_bytes()));
            let name = first(lines).split(|&byte| byte == b':').next().unwrap_or_default();
            let is_field =
                name.len() < first(lines).len() && name.iter().all(|b| b.is_ascii_alphabetic() || *b == b'-');
            (is_field || first(lines).starts_with(b"From "))
                && has("Subject:")
                && ["From:", "To:", "Date:", "MIME-Version:"].into_iter().any(has)
        },
    },
    NamedKind {
        what: "a notebook",
        instead: ITSELF,
        is: |lines| is_json(lines) && has_all(lines, &["\"cells\"", "\"cell_type\""]),
    },
    NamedKind {
        what: "a job script, which a batch system runs",
        instead: "give the accounting of jobs that have run",
        is: |lines| {
            let is_option = |line: &&[u8]| {
                ["#SBATCH ", "#PBS ", "#BSUB ", "#$ -", "#PJM ", "#COBALT "]
                    .iter()
                    .any(|begin| line.starts_with(begin.as_bytes()))
            };
            first(lines).starts_with(b"#!") && lines.iter().any(is_option)
        },
    },
    NamedKind {
        what: "a program",
        instead: ITSELF,
        is: |lines| {
            let line = first(lines);
            line.starts_with(b"#!")
                || line.starts_with(b"#include ")
                || line.starts_with(b"import ")
                || (line.starts_with(b"from ") && has(line, " import "))
        },
    },
    NamedKind {
        what: "a document of LaTeX",
        instead: ITSELF,
        is: |lines| lines.iter().take(20).any(|line| line.starts_with(b"\\documentclass")),
    },
    NamedKind {
        what: "a list of changes (diff)",
        instead: ITSELF,
        is: |lines| first(lines).starts_with(b"diff --git ") || first(lines).starts_with(b"--- a/"),
    },
    NamedKind {
        what: "an image (SVG)",
        instead: ITSELF,
        is: |lines| {
            first(lines).starts_with(b"<svg") || first(lines).starts_with(b"<?xml") && within(lines, 5, &["<svg"])
        },
    },
    NamedKind {
        what: "a dump of a data base (SQL)",
        instead: EXPORT,
        is: |lines| {
            lines.iter().any(|line| line.starts_with(b"CREATE TABLE ") || line.starts_with(b"INSERT INTO "))
                || within(lines, 3, &["PostgreSQL database dump", "MySQL dump", "MariaDB dump"])
        },
    },
    NamedKind {
        what: "YAML, in which no log is read here",
        instead: EXPORT,
        is: |lines| {
            let is_pair = |line: &&&[u8]| {
                let line = line.strip_prefix(b"- ").unwrap_or(line);
                let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                name > 0 && line[name..].starts_with(b": ") && !line.contains(&b';') && !line.contains(&b'|')
            };
            let begins = lines.iter().filter(|line| line.starts_with(b"- ")).count();
            begins > 0
                && lines.iter().filter(is_pair).count() > begins
                && lines.iter().all(|line| is_pair(&line) || line.starts_with(b"---"))
        },
    },
    NamedKind {
        what: "XML, in which no log is read here",
        instead: "give the log as text, or as a table (CSV) whose first line names its columns",
        is: |lines| first(lines).starts_with(b"<?xml"),
    },
];

/// The kinds of documents that are zip archives, by one of their files.
const DOCUMENTS: [(&str, &str); 2] = [("document.xml", "a text document"), ("presentation.xml", "a presentation")];

const SPREADSHEET: &str = "a spreadsheet";
const SAVE_AS_CSV: &str = "save its table as CSV (in UTF-8, with a line of names of columns) and give that";

/// Refuses a zip archive that is a spreadsheet or another document, by the names of its files.
pub(super) fn refuse_entries<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), ReadError> {
    let names: Vec<&str> = names.collect();
    let is_part = |name: &&str| {
        matches!(*name, "workbook.xml" | "workbook.bin" | "[Content_Types].xml" | "content.xml" | "Document.iwa")
    };
    if !names.iter().any(is_part) {
        return Ok(());
    }
    let document = DOCUMENTS.iter().find(|(part, _)| names.contains(part)).map(|(_, what)| *what);
    Err(ReadError::Named { what: document.unwrap_or(SPREADSHEET), instead: SAVE_AS_CSV })
}

const EXPORT: &str = "write its table of jobs as CSV or Parquet and give that";

/// Begins of files that are no text.
const SIGNATURES: &[(&[u8], &str, &str)] = &[
    (b"%PDF", "a PDF document", ITSELF),
    (b"%!PS", "a document of PostScript", ITSELF),
    (b"PARE", "an encrypted Parquet file", "write its table of jobs without encryption and give that"),
    (b"FEA1", "a file of Arrow (Feather)", EXPORT),
    (b"RDX", "a file of R", EXPORT),
    (b"MATLAB", "a file of MATLAB", EXPORT),
    (b"<stata", "a file of Stata", EXPORT),
    (b"{\\rtf", "a text document (RTF)", ITSELF),
    (b"\x89PNG", "an image (PNG)", ITSELF),
    (b"\xff\xd8\xff", "an image (JPEG)", ITSELF),
    (b"GIF8", "an image (GIF)", ITSELF),
    (b"RIFF", "an image or a recording", ITSELF),
    (b"\x7fELF", "a program", ITSELF),
    (b"\0asm", "a program", ITSELF),
    (b"\xd0\xcf\x11\xe0", SPREADSHEET, SAVE_AS_CSV),
    (b"SQLite format 3\0", "a data base (SQLite)", EXPORT),
    (b"\x89HDF\r\n", "a file of HDF5", EXPORT),
    (b"ARROW1\0\0", "a file of Arrow (Feather)", EXPORT),
    (b"Obj\x01", "a file of Avro", EXPORT),
    (b"\x93NUMPY", "an array of NumPy", EXPORT),
    (b"\x80\x03", "a pickle of Python", EXPORT),
    (b"\x80\x04", "a pickle of Python", EXPORT),
    (b"\x80\x05", "a pickle of Python", EXPORT),
    (b"Rar!", "a RAR archive", "unpack it and give the log itself, plain or as .gz"),
];

/// Refuses a file with these first bytes if it is of a kind that is known and no text.
pub(super) fn refuse_bytes(head: &[u8]) -> Result<(), ReadError> {
    let known = SIGNATURES.iter().find(|(signature, ..)| head.starts_with(signature));
    if head.starts_with(b"ORC") && head.get(3).is_some_and(|byte| !byte.is_ascii_graphic() && *byte != b' ') {
        return Err(ReadError::Named { what: "a file of ORC", instead: EXPORT });
    }
    known.map_or(Ok(()), |&(_, what, instead)| Err(ReadError::Named { what, instead }))
}

/// Refuses a file with these first lines if it is of a kind that is known and no log.
pub(super) fn refuse(lines: &[&[u8]]) -> Result<(), ReadError> {
    let lines: Vec<&[u8]> = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty()).collect();
    let known = KINDS.iter().find(|kind| !lines.is_empty() && (kind.is)(&lines));
    known.map_or(Ok(()), |kind| Err(ReadError::Named { what: kind.what, instead: kind.instead }))?;
    refuse_rows_to_fill_in(&lines)
}

/// Refuses a template that was not filled in.
pub(super) fn refuse_template(lines: &[&[u8]]) -> Result<(), ReadError> {
    let is_template = |line: &&[u8]| is_to_fill_in(line);
    if lines.iter().any(is_template) { Err(TEMPLATE) } else { Ok(()) }
}

/// Refuses a template of rows below their names.
fn refuse_rows_to_fill_in(lines: &[&[u8]]) -> Result<(), ReadError> {
    let filled = lines.iter().skip(1).filter(|line| !is_to_fill_in(line)).count();
    if lines.len() > 1 && 2 * filled < lines.len() - 1 { Err(TEMPLATE) } else { Ok(()) }
}

fn is_to_fill_in(line: &[u8]) -> bool {
    (has(line, "{{") && has(line, "}}")) || (has(line, "{%") && has(line, "%}"))
}

const TEMPLATE: ReadError = ReadError::Named {
    what: "a template with places to fill in ({{ }})",
    instead: "give the file that is made from it, as it is on the cluster",
};
fn first<'a>(lines: &[&'a [u8]]) -> &'a [u8] {
    lines.first().copied().unwrap_or_default()
}

/// Whether the first line names all of these columns, between blanks or other marks.
fn has_names(lines: &[&[u8]], names: &[&str]) -> bool {
    names.iter().all(|name| has_any_name(lines, &[name]))
}

fn has_any_name(lines: &[&[u8]], names: &[&str]) -> bool {
    let mut found = first(lines).split(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_');
    found.any(|word| names.iter().any(|name| name.as_bytes() == word))
}

/// Whether most lines, between commas, are so.
fn mostly_rows(lines: &[&[u8]], is: fn(&[&[u8]]) -> bool) -> bool {
    let is_one = |line: &&&[u8]| is(&line.split(|&byte| byte == b',').collect::<Vec<_>>());
    2 * lines.iter().filter(is_one).count() > lines.len()
}

fn is_whole(text: &[u8]) -> bool {
    !text.is_empty() && text.iter().all(u8::is_ascii_digit)
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
    use crate::reading::read;

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
        ("NODELIST NODES PARTITION STATE CPUS S:C:T MEMORY REASON\nn1 1 main* idle 4 1:4:1 1000 none\n", "sinfo"),
        ("{\n \"sinfo\": [\n {\"node\": {\"state\": [\"IDLE\"]}}]}\n", "sinfo"),
        ("id,submit,start,end,cpus\n{{ id }},{{ s }},{{ t }},{{ e }},{{ c }}\n", "template"),
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
            " ID      OWNER            SUBMITTED   RUN_TIME     ST COMPLETED   CMD\n1.0 ann 1/1 00:00 0+00:01:00 C\n",
            "HTCondor",
        ),
        ("-- Schedd: h : <1.2.3.4:9618?...\n ID OWNER SUBMITTED RUN_TIME ST PRI SIZE CMD\n", "HTCondor"),
        ("       JOBID USER     NAME       ST NTASKS NNODES     TIME INFO\n  f1 ann fit CD 1 1 1s n1\n", "Flux"),
        ("ACCOUNT|JOBID|NAME|TIME_LEFT|STATE|REASON|NODELIST|SUBMIT_TIME\na|12|n|5:00|RUNNING|None|n1|x\n", "squeue"),
        ("  JOBID  USER ST TIME\n 12 ann R 1:00\n", "squeue"),
        ("JOBID|PARTITION|NAME|USER|ST|TIME|NODES|NODELIST(REASON)\n12|main|a|ann|R|1:00|1|n1\n", "squeue"),
        ("JOBID,USER,STATE,NODELIST(REASON)\n12,ann,PENDING,(Priority)\n", "squeue"),
        ("   JOBID PARTITION   PRIORITY   SITE   AGE  FAIRSHARE\n  12 main  10  0  1 2\n", "sprio"),
        ("Account|User|RawShares|NormShares|FairShare\nroot||1|1.0|0.5\n", "sshare"),
        ("*****\nsdiag output at Thu Jan 01 00:00:00 2026\n", "sdiag"),
        ("Job ID: 12\nCluster: c\nState: COMPLETED (exit code 0)\n", "seff"),
        ("Cluster|Account|Login|Proper Name|Used|Energy\nc|a|b|c|1|2\n", "sreport"),
        (
            "[2026-01-01T00:00:00.123] slurmctld version 23.02 started\n[2026-01-01T00:00:01] sched: x\n",
            "daemon of Slurm",
        ),
        (
            "JobId=12 JobName=fit UserId=ann(1) JobState=COMPLETED EndTime=2026-01-01T00:11:00 NumCPUs=4\n",
            "scontrol show job",
        ),
        ("# To edit this file\nCluster - 'c':Fairshare=1\nParent - 'root'\n", "sacctmgr"),
        ("Cluster|Account|User|Partition|Share|GrpJobs\nc|root||||\n", "sacctmgr"),
        ("ClusterName=c\nSlurmctldHost=h\nNodeName=n[1-4] CPUs=4\nPartitionName = main Nodes=ALL\n", "slurm.conf"),
        ("Job <12>, User <ann>, Project <default>, Status <DONE>, Queue <normal>\nThu Jan  1: Submitted\n", "bhist -l"),
        ("JOBID;USER;STAT;QUEUE;SUBMIT_TIME\n12;ann;DONE;normal;Jan  1 00:00\n", "bjobs"),
        ("{\n \"COMMAND\":\"bjobs\",\n \"RECORDS\":[{\n \"JOBID\":\"1\",\n \"STAT\":\"RUN\"}]}\n", "bjobs"),
        ("10:00:00 1767225600 job JOBEND 12 1 4 ann users 3600\n", "Moab"),
        ("Job_Id: 12\n    owner = ann\n    state = Running\n", "oarstat"),
        ("VERSION 230\n10:00:00 1767225600:1 job 12 JOBEND 12 1 4 ann users 3600\n", "Moab"),
        ("08/30/2012 10:18:44;0008;PBS_Server;Job;95.h;Job Queued at request of a@h\n", "daemon of PBS"),
        ("Job: 12.host\n\n01/01/2026 00:00:00  S    enqueuing into workq, state 1 hop 1\n", "tracejob"),
        ("{\n \"pbs_version\":\"20\",\n \"Jobs\":{\"1.h\":{\"job_state\":\"F\"}}}\n", "qstat -F json"),
        ("Id   Owner  Submitted   ST PRI Class Running On\n---- ---\nn1.12.0 ann 1/1 00:00 R 50 c n1\n", "LoadLeveler"),
        ("========== Job n1.12 ==========\n Job Id: n1.12\n Owner: ann\n", "LoadLeveler"),
        ("600000000,,3418309,0,u1,2,n,l\n600000001,,3418310,4,u1,2,n,l\n", "Google"),
        ("{\"time\":\"1\",\"type\":\"SUBMIT\",\"collection_id\":\"1\"}\n", "Google"),
        ("M1,1,j_1,1,Terminated,87076,87676,100.00,0.20\nM2,1,j_1,1,Terminated,87076,87676,100.00,0.20\n", "Alibaba"),
        ("version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n", "Git LFS"),
        ("From: ann@x.org\nTo: bob@x.org\nSubject: the log\n\nHello,\n1 2 3\n", "e-mail"),
        ("{\n \"cells\": [\n  {\"cell_type\": \"code\"}]}\n", "notebook"),
        ("#!/bin/bash\n#SBATCH -n 4\nsrun x\n", "job script"),
        ("#!/usr/bin/env python3\nprint(1, 2, 3)\n", "a program"),
        ("import os\nprint(1, 2, 3)\n", "a program"),
        ("\\documentclass{article}\n\\begin{document}\n1 & 2 & 3\n", "LaTeX"),
        ("diff --git a/x b/x\n--- a/x\n+++ b/x\n", "diff"),
        ("<?xml version=\"1.0\"?>\n<jobs><job id=\"1\"/></jobs>\n", "XML"),
        ("active jobs------------------------\nJOBID USERNAME STATE PROCS REMAINING STARTTIME\n", "Moab"),
        ("ClusterName={{ cluster }}\nNodeName={{ nodes }}\n", "template"),
        ("Summary of time in seconds spent in various states:\nJOBID USER\n", "bhist"),
        ("Job id    Name           User           Submission Date     S Queue\n--------- ------\n", "oarstat"),
        ("JobID  User  WallTime  Nodes  State  Location\n=========\n1 ann 1:00 4 running l\n", "Cobalt"),
        ("000 (012.000.000) 2026-01-05 10:00:00 Job submitted from host: <1.2.3.4>\n...\n", "HTCondor"),
        ("X-Mailer: x\nFrom: ann@x.org\nDate: now\nSubject: the log\n\n1 2 3\n", "e-mail"),
        (
            "Job id    S User     Duration   System message\n--------- - -------- ----\n12 R ann 0:10:00 R=4\n",
            "oarstat",
        ),
        ("OWNER   WALLCLOCK  UTIME  STIME  CPU  MEMORY\n======\nann 12 1.0 1.0 1.0 1.0\n", "qacct"),
        ("Total System Usage\n  WALLCLOCK  UTIME  STIME  CPU\n=====\n 12 1.0 1.0 1.0\n", "qacct"),
        (
            "1.srv 0 4 ann lab 7200 Completed [q:1] 1767607200 1767607800 1767607800 1767611400 - - - >= 0M >= 0M [NONE] \
             1767607200 4 1 [NONE]:[NONE] - - - - - 0 0 [DEFAULT] 1 512 0 0\n",
            "Maui",
        ),
        ("<svg xmlns=\"http://www.w3.org/2000/svg\">\n<path d=\"1 2 3\"/></svg>\n", "SVG"),
        ("-- MySQL dump 10.13\nCREATE TABLE `job` (\n  `id` int\n);\nINSERT INTO `job` VALUES (1,2,3);\n", "data base"),
        ("- id: 1\n  submit: 2026-01-05 10:00:00\n- id: 2\n  submit: 2026-01-05 10:00:00\n", "YAML"),
        ("%!PS-Adobe-3.0\n", "PostScript"),
        ("%PDF-1.7\n", "PDF"),
        ("GIF89a", "image"),
    ];

    #[test]
    fn files_that_are_no_text_are_named() {
        for (begin, name) in [
            (&b"\x7fELF\x02\x01\x01"[..], "a program"),
            (b"SQLite format 3\0\x10", "SQLite"),
            (b"\x89HDF\r\n\x1a\n", "HDF5"),
            (b"ARROW1\0\0", "Arrow"),
            (b"ORC\x11\0", "ORC"),
            (b"FEA1\0\0", "Arrow"),
            (b"RDX3\nX\n\0", "a file of R"),
            (b"MATLAB 5.0 MAT-file\0", "MATLAB"),
            (b"Obj\x01\x04", "Avro"),
            (b"\x93NUMPY\x01", "NumPy"),
            (b"\x80\x04\x95\x10", "pickle"),
            (b"7z\xbc\xaf'\x1c\0", "7-Zip"),
            (b"\x1f\x9d\x90", "compress"),
            (b"\x04\x22\x4d\x18", "LZ4"),
            (b"\x5d\0\0\x80\0", "lzma"),
        ] {
            let said =
                read("given", [begin, &[7_u8, 0, 200, 31].repeat(50)].concat().as_slice()).unwrap_err().to_string();
            assert!(said.starts_with("this is a") && said.contains(name), "{said}");
        }
    }

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
        let said = super::refuse_entries(["[Content_Types].xml", "document.xml"].into_iter()).unwrap_err().to_string();
        assert!(said.starts_with("this is a text document, and no log"), "{said}");
        for names in [&["[Content_Types].xml", "sheet1.xml"][..], &["mimetype", "content.xml"], &["Document.iwa"]] {
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
