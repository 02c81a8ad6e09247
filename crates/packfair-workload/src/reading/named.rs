//! Files that people give in place of a log are refused by what they are, with what to give instead.

use super::ReadError;
use packfair_base::no_log::{NoLog, of_bytes, of_entries, of_lines, of_template};

impl From<NoLog> for ReadError {
    fn from(NoLog { what, instead }: NoLog) -> Self {
        ReadError::Named { what, instead }
    }
}

fn none(found: Option<NoLog>) -> Result<(), ReadError> {
    found.map_or(Ok(()), |found| Err(found.into()))
}

/// Refuses a zip archive that is a spreadsheet or another document, by the names of its files.
pub(super) fn refuse_entries<'a>(names: impl Iterator<Item = &'a str>) -> Result<(), ReadError> {
    none(of_entries(names))
}

/// Refuses a file with these first bytes if it is of a kind that is known and no text.
pub(super) fn refuse_bytes(head: &[u8]) -> Result<(), ReadError> {
    none(of_bytes(head))
}

/// Refuses a file with these first lines if it is of a kind that is known and no log.
pub(super) fn refuse(lines: &[&[u8]]) -> Result<(), ReadError> {
    none(of_lines(lines))
}

/// Refuses a template that was not filled in.
pub(super) fn refuse_template(lines: &[&[u8]]) -> Result<(), ReadError> {
    none(of_template(lines))
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
        (
            "{\"timestamp\":1.5,\"name\":\"submit\",\"context\":{}}\n{\"timestamp\":1.6,\"name\":\"depend\"}\n{\"timestamp\":1.7,\"name\":\"priority\"}\n",
            "Flux",
        ),
        ("APEL-individual-job-message: v0.3\nSite: S\nLocalJobId: 12\n%%\n", "APEL"),
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
        ("COPY public.jobs (id, submit, cores) FROM stdin;\n1\t5\t4\n\\.\n", "data base"),
        ("- {id: 1, submit: 5, run: 60, cores: 4}\n- {id: 2, submit: 6, run: 60, cores: 4}\n", "YAML"),
        ("- id: 1\n  submit: 2026-01-05 10:00:00\n- id: 2\n  submit: 2026-01-05 10:00:00\n", "YAML"),
        ("CLUSTER: a\nJOBID PARTITION NAME USER ST TIME NODES NODELIST(REASON)\n12 p x ann R 1:00 1 n1\n", "squeue"),
        ("JobID|AveCPU|AveRSS|MaxRSS\n12.0|00:10|1K|2K\n", "sstat"),
        ("HOST_NAME status r15s r1m ut\nh1 ok 0.0 0.0 0%\n", "list of nodes or queues"),
        ("Queue Max Tot Ena Str\n----- --- --- --- ---\nq 0 1 yes yes\n", "list of nodes or queues"),
        ("CLUSTER QUEUE CQLOAD USED RES AVAIL\n-----\nall.q 0.1 4 0 12\n", "list of nodes or queues"),
        ("NAME COMPLETIONS DURATION AGE\njob1 1/1 10s 5d\n", "Kubernetes"),
        ("jobs:\n  - id: 1\n    submit: 5\n", "YAML"),
        ("%YAML 1.2\n---\njobs:\n  - id: 1\n    submit: 5\n", "YAML"),
        ("[[job]]\nid = 1\nsubmit = 5\n", "file of settings"),
        ("[]\n", "JSON without any record"),
        ("BEGIN:VCALENDAR\nVERSION:2.0\n", "calendar"),
        ("commit 1234567890abcdef\nAuthor: a <a@b>\nDate: Mon Jan 5\n", "list of commits"),
        ("Traceback (most recent call last):\n  File \"x.py\", line 1\nValueError: x\n", "where it fails"),
        ("USER PID %CPU %MEM COMMAND\nroot 1 0.0 0.0 init\n", "list of processes"),
        ("Jan  5 10:00:00 host sshd[1]: Accepted\nJan  5 10:00:01 host CRON[2]: x\n", "log of a system"),
        ("127.0.0.1 - - [05/Jan/2026:10:00:00 +0000] \"GET / HTTP/1.1\" 200 12\n", "log of a system"),
        ("@relation jobs", "ARFF"),
        ("!<arch>", "package"),
        ("%!PS-Adobe-3.0\n", "PostScript"),
        ("%PDF-1.7\n", "PDF"),
        ("GIF89a", "image"),
        ("Mon Jan  5 10:00:00 2026\nNODELIST NODES PARTITION STATE CPUS\nn1 1 main* idle 4\n", "sinfo"),
        ("Mon Jan  5 10:00:00 CET 2026\nJOBID PARTITION NAME USER STATE TIME NODES NODELIST(REASON)\n", "squeue"),
        ("NODES(A/I/O/T)|CPUS(A/I/O/T)|PARTITION\n1/2/0/3|4/5/0/9|main\n", "sinfo"),
        ("-------------\nJob Sizes 2026-01-01T00:00:00 - 2026-02-01T00:00:00\n", "sreport"),
        ("sacct: error: Problem talking to the database: Connection refused\n", "command of Slurm"),
        ("Slurm accounting storage is disabled\n", "command of Slurm"),
        (
            "==========\njob_number:   12\nexec_file:  job_scripts/12\nsubmission_time:  Mon Jan  5 10:00:00 2026\n",
            "qstat -j",
        ),
        ("HOSTNAME    ARCH   NCPU NSOC LOAD\n---------\nn1 lx 16 2 0.1\n", "list of nodes"),
        ("HOST_NAME   STATUS  JL/U  MAX  NJOBS\nn1 ok - 16 4\n", "list of nodes"),
        ("QUEUE_NAME  PRIO STATUS  MAX JL/U\nnormal 30 Open:Active - -\n", "list of nodes or queues"),
        ("n1\n     Mom = n1\n     ntype = PBS\n     state = free\n", "list of nodes"),
        ("NAME   READY   STATUS    RESTARTS   AGE\nx-1    1/1     Running   0   10m\n", "Kubernetes"),
        ("{\n \"apiVersion\": \"v1\",\n \"kind\": \"List\",\n \"items\": []}\n", "Kubernetes"),
        ("{\"EventTypeNumber\": 0,\"EventTime\":\"2026-01-05T10:00:00\",\"Cluster\":12}\n", "event log of HTCondor"),
        ("107 1 CreationTimestamp 1763853165\n101 0.0 Job Machine\n105\n103 1.0 RequestCpus 1\n106\n", "job_queue.log"),
        ("completed jobs-------------\nJOBID S CCODE PROCS WALLTIME COMPLETIONTIME\n12 C 0 4 1:00 x\n", "showq"),
        ("job 12\n\nState: Completed\nCreds:  user:ann\nWallTime: 00:10:00 of 1:00:00\nSubmitTime: Mon\n", "checkjob"),
        ("01/05/2026 00:00:00.399;02;PBS_Server.183;Job;12.h;Job Queued at request of a@h\n", "daemon of PBS"),
        ("; OAR trace workload file\n;    OWF Format: 1.0\n;  MaxJobs: 4\n1 0 1 8 3600 1 0 1 1 1 1 1 1 0 1 0\n", "OWF"),
        ("# HELP slurm_jobs Jobs\n# TYPE slurm_jobs gauge\nslurm_jobs 4\n", "Prometheus"),
        ("shape: (90, 3)\n┌───────┬─────┐\n│ JobID ┆ CPU ┆ End │\n│ … ┆ … ┆ … │\n", "leaves out rows"),
        ("   id  submit  \\\n0   1       5\n1   2       6\n\n   cpus\n0     4\n1     4\n", "cut into blocks"),
        ("*************************** 1. row ***************************\n id_job: 12\n", "a line for each value"),
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
