//! Files that people give in place of a log: how each is recognised, what it is, and what to give instead.

use crate::drawn::leaves_out;

/// What a file is that is no log, and what to give instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoLog {
    pub what: &'static str,
    pub instead: &'static str,
}

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

/// What `squeue --json` and slurmrestd print of the jobs of the moment.
pub const SQUEUE_JSON: NoLog = NoLog {
    what: "the output of squeue --json, which lists jobs that wait and run and not those that have ended",
    instead: SLURM,
};

/// The kinds, of which the first that fits is meant.
const KINDS: &[NamedKind] = &[
    NamedKind {
        what: "a list of Flux's jobs, which has no times of submission",
        instead: "give what flux jobs -a --json prints",
        is: |lines| has_words(lines, &["JOBID", "NTASKS", "NNODES"]),
    },
    NamedKind {
        what: "an accounting message of APEL, which has no times of submission",
        instead: NO_SUBMISSION,
        is: |lines| first(lines).starts_with(b"APEL-"),
    },
    NamedKind {
        what: "what Flux notes of one job (its eventlog)",
        instead: "give what flux jobs -a --json prints",
        is: |lines| {
            is_json(lines)
                && lines.iter().take(20).filter(|line| has(line, "\"timestamp\":") && has(line, "\"name\":")).count()
                    > 2
                && has_all(lines, &["\"submit\"", "\"priority\""])
        },
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
        what: SQUEUE_JSON.what,
        instead: SQUEUE_JSON.instead,
        is: |lines| is_json(lines) && has_all(lines, &["\"job_state\"", "\"accrue_time\""]),
    },
    NamedKind {
        what: "the output of sinfo, which lists nodes",
        instead: SLURM,
        is: |lines| {
            has_words(lines, &["PARTITION", "AVAIL", "NODES", "STATE"])
                || within(lines, 1, &["(A/I/O/T)"])
                || first(lines).starts_with(b"NODELIST") && has_names(lines, &["NODES", "PARTITION", "STATE"])
                || first(lines).starts_with(b"REASON") && has_names(lines, &["USER", "TIMESTAMP", "NODELIST"])
                || is_json(lines) && has_all(lines, &["\"sinfo\""])
        },
    },
    NamedKind {
        what: "a report of sreport, which adds jobs up",
        instead: SLURM,
        is: |lines| {
            (first(lines).starts_with(b"-----")
                && within(lines, 3, &["Utilization", "Usage reported", "Top ", "Job Sizes", "Time reported"]))
                || within(lines, 1, &["|Proper Name|", "|Allocated|Down|", "Cluster|TRES Name"])
        },
    },
    NamedKind {
        what: "the output of sprio, which lists priorities of jobs that wait",
        instead: SLURM,
        is: |lines| has_names(lines, &["JOBID", "PRIORITY"]) && has_any_name(lines, &["AGE", "FAIRSHARE", "JOBSIZE"]),
    },
    NamedKind {
        what: "the output of sstat, which is about jobs that run",
        instead: SLURM,
        is: |lines| {
            has_any_name(lines, &["AveCPU", "AveRSS"])
                && has_names(lines, &["JobID"])
                && !has_any_name(lines, &["Submit", "Start", "State"])
        },
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
        what: "what a command of Slurm says where it fails",
        instead: "make the log again where the command works",
        is: |lines| {
            let is_error = |line: &[u8]| has(line, ": error: ") || line.starts_with(b"Slurm accounting storage");
            let commands = ["sacct", "squeue", "scontrol", "slurm_load_", "Slurm accounting storage"];
            is_error(first(lines)) && commands.iter().any(|command| first(lines).starts_with(command.as_bytes()))
        },
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
            has_words(lines, &["Submission", "Date", "S", "Queue"])
                || is_json(lines) && has_all(lines, &["\"submissionTime\"", "\"assigned_network_address\""])
        },
    },
    NamedKind {
        what: "the output of oarstat, which lists the jobs of the moment",
        instead: TABLE,
        is: |lines| has_words(lines, &["User", "Duration", "System", "message"]),
    },
    NamedKind {
        what: "the output of qstat -j, which describes jobs of the moment",
        instead: "give the file accounting, or what qacct -j prints",
        is: |lines| has_all(lines, &["job_number:", "submission_time:"]),
    },
    NamedKind {
        what: "a list of nodes or queues",
        instead: "give the accounting of jobs that have ended",
        is: |lines| {
            let headings = [
                ["HOSTNAME", "ARCH", "NCPU"],
                ["HOST_NAME", "STATUS", "MAX"],
                ["HOST_NAME", "status", "r15s"],
                ["QUEUE_NAME", "PRIO", "STATUS"],
                ["Queue", "Max", "Tot"],
                ["QUEUE", "CQLOAD", "USED"],
            ];
            headings.iter().any(|words| has_words(lines, words)) || has_all(lines, &["ntype = ", "state = "])
        },
    },
    NamedKind {
        what: "a list of Kubernetes, which has no jobs with processors",
        instead: TABLE,
        is: |lines| {
            has_words(lines, &["NAME", "READY", "STATUS"])
                || has_words(lines, &["NAME", "COMPLETIONS", "AGE"])
                || is_json(lines) && has_all(lines, &["\"apiVersion\"", "\"kind\""])
        },
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
        is: |lines| {
            first(lines).starts_with(b"000 (") && within(lines, 1, &["Job submitted from host"])
                || is_json(lines) && has_all(lines, &["\"EventTypeNumber\"", "\"EventTime\""])
        },
    },
    NamedKind {
        what: "the schedd's job_queue.log of HTCondor, which has jobs that have not ended",
        instead: CONDOR,
        is: |lines| {
            let is_entry =
                |line: &&&[u8]| matches!(line, [b'1', b'0', b'1'..=b'7'] | [b'1', b'0', b'1'..=b'7', b' ', ..]);
            has_all(lines, &["103 "]) && lines.iter().filter(is_entry).count() == lines.len()
        },
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
        is: |lines| {
            ["active", "eligible", "blocked", "completed"].iter().any(|kind| {
                within(lines, 3, &[&format!("{kind} jobs-----"), &format!("{} JOBS-----", kind.to_uppercase())])
            })
        },
    },
    NamedKind {
        what: "the output of Moab's checkjob, which is about one job",
        instead: PBS,
        is: |lines| {
            first(lines).starts_with(b"checking job ") || has_all(lines, &["Creds:", "WallTime:", "SubmitTime:"])
        },
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
                stamp.get(2) == Some(&b'/') && matches!(class.len(), 2..=4) && class.iter().all(u8::is_ascii_hexdigit)
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
        what: "a workload of OAR (OWF)",
        instead: TABLE,
        is: |lines| {
            first(lines).starts_with(b";")
                && lines.iter().any(|line| line.starts_with(b";") && has(line, "OWF Format:"))
        },
    },
    NamedKind {
        what: "what an exporter tells Prometheus of a moment",
        instead: "give the accounting of jobs that have ended",
        is: |lines| first(lines).starts_with(b"# HELP ") || first(lines).starts_with(b"# TYPE "),
    },
    NamedKind {
        what: "a table as a program shows it, which leaves out rows",
        instead: "write all of the table as CSV or Parquet and give that",
        is: |lines| lines.iter().any(|line| leaves_out(line)),
    },
    NamedKind {
        what: "a table as pandas shows it, cut into blocks of columns",
        instead: "write the table as CSV or Parquet and give that",
        is: |lines| first(lines).ends_with(b" \\") && lines.iter().skip(1).any(|line| line.starts_with(b"0 ")),
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
            lines.iter().any(|line| {
                line.starts_with(b"CREATE TABLE ")
                    || line.starts_with(b"INSERT INTO ")
                    || line.starts_with(b"COPY ") && line.ends_with(b" FROM stdin;")
            }) || within(lines, 3, &["PostgreSQL database dump", "MySQL dump", "MariaDB dump"])
        },
    },
    NamedKind {
        what: "YAML, in which no log is read here",
        instead: EXPORT,
        is: |lines| {
            let is_pair = |line: &&&[u8]| {
                let line = line.strip_prefix(b"- ").unwrap_or(line);
                let line = line.strip_prefix(b"{").unwrap_or(line);
                let name = line.iter().take_while(|byte| byte.is_ascii_alphanumeric() || **byte == b'_').count();
                name > 0 && line[name..].starts_with(b": ") && !line.contains(&b';') && !line.contains(&b'|')
            };
            let begins = lines.iter().filter(|line| line.starts_with(b"- ")).count();
            let is_key = |line: &[u8]| line.ends_with(b":") && !line.contains(&b' ');
            if first(lines).starts_with(b"%YAML") || (is_key(first(lines)) && begins > 0 && lines.len() > 2) {
                return lines.iter().filter(is_pair).count() > 0;
            }
            begins > 0
                && (lines.iter().filter(is_pair).count() > begins || lines.iter().all(|line| line.starts_with(b"- {")))
                && lines.iter().all(|line| is_pair(&line) || line.starts_with(b"---"))
        },
    },
    NamedKind {
        what: "a file of settings (TOML or INI)",
        instead: EXPORT,
        is: |lines| {
            let line = first(lines);
            let is_section = line.len() > 2 && line.starts_with(b"[") && line.ends_with(b"]");
            let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"[]_-. ".contains(byte);
            is_section && line.iter().all(is_name) && lines.get(1).is_some_and(|line| line.contains(&b'='))
        },
    },
    NamedKind {
        what: "JSON without any record",
        instead: "give a file with jobs in it",
        is: |lines| lines.len() == 1 && [&b"[]"[..], b"{}", b"null"].contains(&first(lines)),
    },
    NamedKind {
        what: "a calendar or an address book",
        instead: ITSELF,
        is: |lines| [&b"BEGIN:VCALENDAR"[..], b"BEGIN:VCARD"].contains(&first(lines)),
    },
    NamedKind {
        what: "a list of commits",
        instead: ITSELF,
        is: |lines| first(lines).starts_with(b"commit ") && within(lines, 4, &["Author: "]),
    },
    NamedKind {
        what: "what a program says where it fails",
        instead: "make the log again where the program works",
        is: |lines| within(lines, 3, &["Traceback (most recent call last)", "Exception in thread"]),
    },
    NamedKind {
        what: "a list of processes or devices of one machine",
        instead: "give the accounting of a batch system",
        is: |lines| {
            has_words(lines, &["PID", "%CPU"])
                || first(lines).starts_with(b"top - ")
                || within(lines, 4, &["NVIDIA-SMI"])
                || has_words(lines, &["Filesystem", "Mounted"])
        },
    },
    NamedKind {
        what: "a log of a system or of a server, which tells what its programs did",
        instead: "give the accounting of a batch system",
        is: |lines| {
            let is_entry = |line: &&&[u8]| {
                let words: Vec<&[u8]> = line.split(|&byte| byte == b' ').filter(|word| !word.is_empty()).collect();
                let is_of_web = has(line, " HTTP/") && has(line, "] \"");
                let is_clock = |word: &[u8]| word.len() == 8 && word[2] == b':' && word[5] == b':';
                let is_of_system = words.len() > 4
                    && words[0].len() == 3
                    && is_whole(words[1])
                    && is_clock(words[2])
                    && words[4].ends_with(b":");
                let has_level = has(line, " level=") && has(line, " msg=");
                is_of_web || is_of_system || has_level
            };
            2 * lines.iter().filter(is_entry).count() > lines.len()
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

/// What a zip archive is by the names of its files, if it is a spreadsheet or another document.
#[must_use]
pub fn of_entries<'a>(names: impl Iterator<Item = &'a str>) -> Option<NoLog> {
    let names: Vec<&str> = names.collect();
    let is_part = |name: &&str| {
        matches!(*name, "workbook.xml" | "workbook.bin" | "[Content_Types].xml" | "content.xml" | "Document.iwa")
    };
    let document = || DOCUMENTS.iter().find(|(part, _)| names.contains(part)).map_or(SPREADSHEET, |(_, what)| *what);
    names.iter().any(is_part).then(|| NoLog { what: document(), instead: SAVE_AS_CSV })
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
    (b"$FL2", "a file of SPSS", EXPORT),
    (b"@relation", "a file of Weka (ARFF)", EXPORT),
    (
        b"\0\x05\x16\x07",
        "what macOS keeps beside a file (its name begins with ._)",
        "give the file without ._ in its name",
    ),
    (b"\0\0\0\x01Bud1", "what macOS keeps of a folder (.DS_Store)", ITSELF),
    (b"II*\0", "an image (TIFF)", ITSELF),
    (b"MM\0*", "an image (TIFF)", ITSELF),
    (b"MZ\x90", "a program", ITSELF),
    (b"\xca\xfe\xba\xbe", "a program", ITSELF),
    (b"!<arch>", "a package of programs", ITSELF),
    (b"\xed\xab\xee\xdb", "a package of programs", ITSELF),
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

/// What a file with these first bytes is, if it is of a kind that is known and no text.
#[must_use]
pub fn of_bytes(head: &[u8]) -> Option<NoLog> {
    if head.starts_with(b"ORC") && head.get(3).is_some_and(|byte| !byte.is_ascii_graphic() && *byte != b' ') {
        return Some(NoLog { what: "a file of ORC", instead: EXPORT });
    }
    let known = SIGNATURES.iter().find(|(signature, ..)| head.starts_with(signature));
    known.map(|&(_, what, instead)| NoLog { what, instead })
}

/// What a file with these first lines is, if it is of a kind that is known and no log.
#[must_use]
pub fn of_lines(lines: &[&[u8]]) -> Option<NoLog> {
    let told = lines.iter().map(|line| line.trim_ascii()).filter(|line| !line.is_empty());
    // squeue -l and sinfo -N -l begin with the moment, and with -M with the cluster
    let lines: Vec<&[u8]> = told
        .enumerate()
        .filter(|(at, line)| *at > 1 || !is_moment(line) && !line.starts_with(b"CLUSTER: "))
        .map(|(_, line)| line)
        .collect();
    let known = KINDS.iter().find(|kind| !lines.is_empty() && (kind.is)(&lines));
    known.map(|kind| NoLog { what: kind.what, instead: kind.instead }).or_else(|| of_rows_to_fill_in(&lines))
}

/// What a text with these lines is, if it is a template that was not filled in.
#[must_use]
pub fn of_template(lines: &[&[u8]]) -> Option<NoLog> {
    lines.iter().any(|line| is_to_fill_in(line)).then_some(TEMPLATE)
}

/// A template of rows below their names.
fn of_rows_to_fill_in(lines: &[&[u8]]) -> Option<NoLog> {
    let filled = lines.iter().skip(1).filter(|line| !is_to_fill_in(line)).count();
    (lines.len() > 1 && 2 * filled < lines.len() - 1).then_some(TEMPLATE)
}

fn is_to_fill_in(line: &[u8]) -> bool {
    (has(line, "{{") && has(line, "}}")) || (has(line, "{%") && has(line, "%}"))
}

const TEMPLATE: NoLog = NoLog {
    what: "a template with places to fill in ({{ }})",
    instead: "give the file that is made from it, as it is on the cluster",
};

/// Whether a line is what `date` prints and nothing else.
fn is_moment(line: &[u8]) -> bool {
    let words: Vec<&[u8]> = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect();
    let is_word = |word: &&[u8]| word.len() == 3 && word.iter().all(u8::is_ascii_alphabetic);
    let has_time = words.iter().any(|word| word.len() == 8 && word.iter().filter(|&&byte| byte == b':').count() == 2);
    matches!(words.len(), 5 | 6) && words[..2].iter().all(is_word) && has_time && is_whole(words[words.len() - 1])
}

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
