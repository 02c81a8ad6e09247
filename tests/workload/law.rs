//! The law of accounts: every record of a file is a job, or stands in the account with its reason, and the sums agree. Dirty
//! files of every format are made of stories, each of which knows what it is; what the reader says of a file is compared
//! with what its stories are, and with the number of its lines.

use packfair::workload::reading::{Limits, Reader, read_by};
use packfair::workload::{Cleaning, ColumnMap, Filter, Log, Reason, clean};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

/// What a piece of a file is.
#[derive(Clone, Debug, Default)]
struct Story {
    text: String,
    /// Jobs that have ended.
    jobs: usize,
    /// Jobs that still run.
    running: usize,
    /// Jobs that wait, or were deleted while they waited.
    unstarted: usize,
    /// Records of which no job can be made.
    lost: usize,
    /// Records that are there twice.
    again: usize,
    /// Lines that are no records.
    others: usize,
}

impl Story {
    fn of(text: impl Into<String>) -> Self {
        Story { text: text.into(), ..Story::default() }
    }

    fn job(text: impl Into<String>) -> Self {
        Story { jobs: 1, ..Story::of(text) }
    }

    fn running(text: impl Into<String>) -> Self {
        Story { running: 1, ..Story::of(text) }
    }

    fn unstarted(text: impl Into<String>) -> Self {
        Story { unstarted: 1, ..Story::of(text) }
    }

    fn lost(text: impl Into<String>) -> Self {
        Story { lost: 1, ..Story::of(text) }
    }

    fn other(text: impl Into<String>) -> Self {
        Story { others: 1, ..Story::of(text) }
    }

    /// The same with so many lines that are no records.
    fn beside(self, others: usize) -> Self {
        Story { others, ..self }
    }
}

/// A format whose files are made here.
struct Made {
    name: &'static str,
    head: &'static str,
    /// Lines of the head that are no records.
    head_others: usize,
    columns: &'static str,
    /// The story of this number, at this place in the file.
    story: fn(u32, usize) -> Story,
}

/// A moment some seconds after the beginning of 2026, as Slurm writes it.
fn date(seconds: usize) -> String {
    let (day, rest) = (1 + seconds / 86_400, seconds % 86_400);
    format!("2026-01-{day:02}T{:02}:{:02}:{:02}", rest / 3_600, rest / 60 % 60, rest % 60)
}

fn swf(kind: u32, at: usize) -> Story {
    let n = at + 1;
    let rest = "4 -1 -1 4 600 -1 1 1 1 1 1 1 -1 -1";
    match kind % 7 {
        0 => Story::other("; a comment\n"),
        1 => Story::other("  \n"),
        2 => Story::lost("what is this\n"),
        3 => Story::lost(format!("{n} -5 0 60 {rest}\n")),
        4 => Story::job(format!("{n} {at} 5 60 4 -1 -1 4\n")),
        _ => Story::job(format!("{n} {at} 5 60 {rest}\n")),
    }
}

fn sacct(kind: u32, at: usize) -> Story {
    let n = at + 1;
    let row = |id: &str, start: String, end: String, elapsed: u32, state: &str| {
        format!("{id}|{id}|ann|{}|{start}|{end}|{elapsed}|20|4|{state}|fit\n", date(at))
    };
    let id = n.to_string();
    let done = row(&id, date(at + 10), date(at + 70), 60, "COMPLETED");
    match kind % 11 {
        0 => Story::other(row(&format!("{id}.batch"), date(at), date(at + 70), 60, "COMPLETED")),
        1 => Story::unstarted(row(&id, "Unknown".into(), "Unknown".into(), 0, "PENDING")),
        2 => Story::running(row(&id, date(at + 10), "Unknown".into(), 50, "RUNNING")),
        3 => Story::lost(row(&id, date(at + 10), date(at + 70), 60, "COMPLETED").replacen("|ann", "", 1)),
        4 => Story::lost(done.replacen(&date(at), "Unknown", 1)),
        5 => Story { again: 1, ..Story::job(done.repeat(2)) },
        6 => Story::other("\n"),
        7 => Story::unstarted(row(&format!("{id}_[1-4]"), "Unknown".into(), "Unknown".into(), 0, "PENDING")),
        8 => Story::job(done.replace("|fit", "|fi|t")),
        9 => Story::job(done.replace("|ann|", "|an\nn|")).beside(1),
        _ => Story::job(done),
    }
}

fn jobcomp(kind: u32, at: usize) -> Story {
    let done = format!(
        "JobId={} UserId=ann(1) GroupId=g(1) Name=fit JobState=COMPLETED Partition=p TimeLimit=20 StartTime={} \
         EndTime={} NodeList=n1 NodeCnt=1 ProcCnt=4 WorkDir=/ SubmitTime={} EligibleTime={} \n",
        at + 1,
        date(at + 10),
        date(at + 70),
        date(at),
        date(at)
    );
    match kind % 5 {
        0 => Story::other("\n"),
        1 => Story::lost("no job at all\n"),
        2 => Story::lost(done.replace("SubmitTime=", "SubTime=").replace("EligibleTime=", "ElTime=")),
        _ => Story::job(done),
    }
}

fn pbs(kind: u32, at: usize) -> Story {
    let id = format!("{}.host", at + 1);
    let event = |kind: char, more: &str| format!("01/05/2026 12:00:00;{kind};{id};{more}\n");
    let base = 1_767_225_600 + at;
    let times = format!("user=ann queue=q ctime={base} qtime={base} etime={base} start={} exec_host=n1/0-3", base + 10);
    let queued = event('Q', "queue=q");
    let started = event('S', &times);
    let ended = event('E', &format!("{times} end={} Exit_status=0", base + 70));
    match kind % 14 {
        0 => Story::other("\n"),
        1 => Story::other("01/05/2026 12:00:00;L;license;floating license hour:0 day:0\n"),
        2 => Story::unstarted(queued),
        3 => Story::running([queued, started].concat()).beside(1),
        4 => Story::unstarted([queued, event('D', "requestor=ann@host")].concat()).beside(1),
        5 => Story::job([queued, started.clone(), event('R', ""), started, ended].concat()).beside(4),
        6 => Story::lost("05.01.2026 what is this\n"),
        7 => Story::lost(event('E', "user=ann start=5 end=9")),
        8 => Story::job([ended, started].concat()).beside(1),
        9 => Story::other(ended.replace(".host", "[].host")),
        10 => Story { again: 1, ..Story::job(ended.repeat(2)) },
        11 => Story::unstarted([queued, started, event('R', "")].concat()).beside(2),
        12 => Story::job([started, event('D', "requestor=ann@host")].concat()).beside(1),
        _ => Story::job([queued, started, ended].concat()).beside(2),
    }
}

fn lsf(kind: u32, at: usize) -> Story {
    let (n, submit) = (at + 1, 1_767_225_600 + at);
    let finish = |submit: usize, command: &str| {
        let usage = ["0.5"; 19].join(" ");
        format!(
            "\"JOB_FINISH\" \"10.1\" {} {n} 1000 33554434 4 {submit} 0 0 {} \"ann\" \"normal\" \"\" \"\" \"\" \"login\" \
             \"/home\" \"\" \"out\" \"\" \"file\" 0 2 \"n1\" \"n1\" 64 60.0 \"fit\" \"{command}\" {usage} \"\" \"lab\" 0 4 \
             \"\" \"\" 0\n",
            submit + 70,
            submit + 10
        )
    };
    let new = format!(
        "\"JOB_NEW\" \"10.1\" {submit} {n} 1000 33554434 4 {submit} 0 0 0 0 -1 \"ann\" -1 -1 -1 -1 \"\" 60 18 \"normal\"\n"
    );
    let start =
        format!("\"JOB_START\" \"10.1\" {} {n} 4 99 99 60.0 2 \"n1\" \"n1\" \"\" \"\" 0 \"\" 0 \"\"\n", submit + 10);
    match kind % 9 {
        0 => Story::other("# a comment\n"),
        1 => Story::other("\n"),
        2 => Story::unstarted(new),
        3 => Story::running([new, start].concat()).beside(1),
        4 => Story::job([new, start, finish(submit, "run")].concat()).beside(2),
        5 => Story::lost("\"JOB_FINISH\" \"10.1\" 1767225600 7\n"),
        6 => Story::lost(finish(0, "run")),
        7 => Story::job(finish(submit, "say \"\"hello\"\"\nand go")).beside(1),
        _ => Story::job(finish(submit, "run")),
    }
}

fn grid_engine(kind: u32, at: usize) -> Story {
    let submit = 1_767_225_600 + at;
    let line = |submit: usize, start: usize, end: usize, part: &str| {
        let mut fields = vec!["0".to_owned(); 45];
        for (place, value) in [
            (0, "all.q".to_owned()),
            (3, "ann".to_owned()),
            (4, "fit".to_owned()),
            (5, (at + 1).to_string()),
            (8, submit.to_string()),
            (9, start.to_string()),
            (10, end.to_string()),
            (34, "4".to_owned()),
            (39, "-l h_rt=600".to_owned()),
            (41, part.to_owned()),
        ] {
            fields[place] = value;
        }
        fields.join(":") + "\n"
    };
    match kind % 9 {
        8 => Story::unstarted(line(0, 0, 0, "NONE")),
        0 => Story::other("# a comment\n"),
        1 => Story::other("\n"),
        2 => Story::lost("what:is:this\n"),
        3 => Story::lost(line(0, submit + 10, submit + 70, "NONE")),
        4 => Story::running(line(submit, submit + 10, 0, "NONE")),
        5 => Story::other(line(submit, submit + 10, submit + 70, "1.host")),
        6 => Story::lost(line(submit, submit + 10, submit + 70, "damaged")),
        _ => Story::job(line(submit, submit + 10, submit + 70, "NONE")),
    }
}

/// A job of HTCondor: eight lines and one that ends them.
fn class_ad(kind: u32, at: usize) -> Story {
    let submit = 1_767_225_600 + at;
    let ad = |status: u32, end: usize| {
        format!(
            "JobStatus = {status}\nClusterId = 7\nProcId = {at}\nOwner = \"ann\"\nQDate = {submit}\nJobStartDate = {}\n\
             CompletionDate = {end}\nRequestCpus = 4\n*** Offset = 1\n",
            submit + 10
        )
    };
    match kind % 6 {
        0 => Story::other("\n"),
        1 => Story::running(ad(2, 0)).beside(8),
        2 => Story::unstarted(ad(1, 0)).beside(8),
        3 => Story::lost(ad(4, submit + 70).replace("QDate", "OtherDate")).beside(8),
        4 => Story::unstarted(ad(5, 0)).beside(8),
        _ => Story::job(ad(4, submit + 70)).beside(8),
    }
}

fn submissions(kind: u32, at: usize) -> Story {
    let done =
        format!("-dt {at}.50 -e submit_batch_job | -sim-walltime 60.00 --uid=ann -J job_{at} -n 4 -t 20 -A a p.job\n");
    match kind % 5 {
        0 => Story::other("# a comment\n"),
        1 => Story::other(" \n"),
        2 => Story::lost(format!("-dt {at} -e cancel_job | job_1\n")),
        3 => Story::lost(done.replace("-dt ", "-dt x")),
        _ => Story::job(done),
    }
}

/// Values of a row of a table, whose delimiter is a comma here.
fn row(kind: u32, at: usize) -> Story {
    let n = at + 1;
    let row = |id: String, start: String, end: String, state: &str| {
        format!("{id},{},{start},{end},4,{state},ann,fit\n", date(at))
    };
    let done = row(n.to_string(), date(at + 10), date(at + 70), "COMPLETED");
    match kind % 11 {
        0 => Story::other("\n"),
        1 => Story::other("# a comment\n"),
        2 => Story::other(row(format!("{n}.batch"), date(at + 10), date(at + 70), "COMPLETED")),
        3 => Story::running(row(n.to_string(), date(at + 10), String::new(), "RUNNING")),
        4 => Story::unstarted(row(n.to_string(), String::new(), String::new(), "PENDING")),
        5 => Story::lost("what is this\n"),
        6 => Story::lost(done.replacen(&format!(",{}", date(at)), "", 1).replacen(",4", "", 1)),
        7 => Story::job(done.replace(",fit", ",\"fi\nt\"")).beside(1),
        8 => Story::lost(done.replacen(&date(at), "", 1)),
        9 => Story::job(done.replace(",fit", ",fi,t")),
        _ => Story::job(done),
    }
}

fn table(kind: u32, at: usize) -> Story {
    row(kind, at)
}

fn unnamed(kind: u32, at: usize) -> Story {
    let story = row(kind, at);
    Story { text: story.text.replace(',', "|").replace("fi|t", "fit"), ..story }
}

fn tabs(kind: u32, at: usize) -> Story {
    let story = row(kind, at);
    Story { text: story.text.replace(',', "\t"), ..story }
}

/// Values between blanks, where none can be empty or hold a blank.
fn blanks(kind: u32, at: usize) -> Story {
    let story = row([0, 1, 2, 3, 4, 8, 10][kind as usize % 7], at);
    let text = story.text.replace(",,", ",Unknown,").replace(",,", ",Unknown,");
    Story { text: if text.starts_with('#') { text } else { text.replace(',', "  ") }, ..story }
}

/// What qacct -j prints of a job: a rule and ten lines.
fn qacct(kind: u32, at: usize) -> Story {
    let block = |submit: &str, start: &str, end: &str| {
        format!(
            "{}\nqname        all.q\nhostname     n1\nowner        ann\njobname      fit\njobnumber    {}\ntaskid       undefined\n\
             qsub_time    {submit}\nstart_time   {start}\nend_time     {end}\nslots        4\n",
            "=".repeat(62),
            at + 1
        )
    };
    let time =
        |seconds: usize| format!("Thu Jan  1 {:02}:{:02}:{:02} 2026", seconds / 3_600, seconds / 60 % 60, seconds % 60);
    match kind % 5 {
        0 => Story::other("\n"),
        1 => Story::running(block(&time(at), &time(at + 10), "-/-")).beside(10),
        2 => Story::lost(block("-/-", &time(at + 10), &time(at + 70))).beside(10),
        _ => Story::job(block(&time(at), &time(at + 10), &time(at + 70))).beside(10),
    }
}

const NAMES: &str = "JobID|JobIDRaw|User|Submit|Start|End|ElapsedRaw|TimelimitRaw|NCPUS|State|JobName\n";

/// What MySQL prints after `\\G`: a line with the number of the row, and one for each of eight values.
fn expanded(kind: u32, at: usize) -> Story {
    let block = |submit: String, start: String, end: String, state: &str| {
        format!(
            "{stars} {n}. row {stars}\n    id: {n}\nsubmit: {submit}\n start: {start}\n   end: {end}\n cores: 4\n state: {state}\n\
             user: ann\n  name: fit\n",
            stars = "*".repeat(27),
            n = at + 1
        )
    };
    let none = || "NULL".to_owned();
    match kind % 6 {
        0 => Story::other("\n"),
        1 => Story::running(block(date(at), date(at + 10), none(), "RUNNING")).beside(8),
        2 => Story::unstarted(block(date(at), none(), none(), "PENDING")).beside(8),
        3 => Story::lost(block(none(), date(at + 10), date(at + 70), "COMPLETED")).beside(8),
        _ => Story::job(block(date(at), date(at + 10), date(at + 70), "COMPLETED")).beside(8),
    }
}

/// A table with lines drawn around its values.
fn drawn(kind: u32, at: usize) -> Story {
    let story = row([0, 2, 3, 4, 5, 6, 8, 10][kind as usize % 8], at);
    let text = story.text.replace(',', " │ ");
    Story { text: if text.trim().is_empty() { text } else { format!("│ {} │\n", text.trim_end()) }, ..story }
}

const FORMATS: [Made; 15] = [
    Made { name: "a line for each value", head: "", head_others: 0, columns: "", story: expanded },
    Made {
        name: "drawn table",
        head: "┌────┬────┐\n│ id │ submit │ start │ end │ cores │ state │ user │ name │\n├────┼────┤\n",
        head_others: 3,
        columns: "",
        story: drawn,
    },
    Made { name: "SWF", head: "; Version: 2.2\n", head_others: 1, columns: "", story: swf },
    Made { name: "sacct", head: NAMES, head_others: 1, columns: "", story: sacct },
    Made { name: "jobcomp", head: "", head_others: 0, columns: "", story: jobcomp },
    Made { name: "PBS", head: "", head_others: 0, columns: "", story: pbs },
    Made { name: "LSF", head: "", head_others: 0, columns: "", story: lsf },
    Made { name: "Grid Engine", head: "# Version: 8\n", head_others: 1, columns: "", story: grid_engine },
    Made { name: "HTCondor", head: "", head_others: 0, columns: "", story: class_ad },
    Made { name: "events", head: "", head_others: 0, columns: "", story: submissions },
    Made {
        name: "table",
        head: "id,submit,start,end,cores,state,user,name\n",
        head_others: 1,
        columns: "",
        story: table,
    },
    Made {
        name: "table of tabs",
        head: "id\tsubmit\tstart\tend\tcores\tstate\tuser\tname\n",
        head_others: 1,
        columns: "",
        story: tabs,
    },
    Made {
        name: "table of blanks",
        head: "id submit start end cores state user name\n",
        head_others: 1,
        columns: "",
        story: blanks,
    },
    Made { name: "qacct", head: "", head_others: 0, columns: "", story: qacct },
    Made {
        name: "table without names",
        head: "",
        head_others: 0,
        columns: "id=1,submit=2,start=3,end=4,processors=5,state=6,user=7,name=8",
        story: unnamed,
    },
];

/// The number of lines, counted here.
fn lines(text: &str) -> u64 {
    text.split_terminator('\n').count() as u64
}

/// Reasons of lines that are no records.
const OF_OTHER_KIND: [Reason; 4] = [Reason::JobStep, Reason::WholeArray, Reason::PartOnHost, Reason::Rerun];

fn check(made: &Made, kinds: &[u32]) -> Result<(), TestCaseError> {
    // a job at the beginning tells the format; it is made as the last one of each list of stories
    let stories: Vec<Story> = std::iter::once(9 * 7 * 8 * 5 * 11 - 1)
        .chain(kinds.iter().copied())
        .enumerate()
        .map(|(at, kind)| {
            // the first story of each format that is a plain job
            let kind = if at == 0 {
                (0..12).rev().find(|&kind| is_plain(&(made.story)(kind, 0))).unwrap_or(kind)
            } else {
                kind
            };
            (made.story)(kind, at)
        })
        .collect();
    let text: String = std::iter::once(made.head).chain(stories.iter().map(|story| story.text.as_str())).collect();
    let columns = made.columns.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().unwrap()).collect();
    let reader = Reader::mapped("dirty", Limits::default(), ColumnMap { columns });
    let log =
        read_by(reader, text.as_bytes()).map_err(|error| TestCaseError::fail(format!("{}: {error}", made.name)))?;
    let sum = |of: fn(&Story) -> usize| stories.iter().map(of).sum::<usize>();
    let count = |reason| log.account.count(reason);
    let said = || format!("{}: {}\n{:?}\n{text}", made.name, log.account.in_words(), log.account.others());
    prop_assert_eq!(log.jobs(), sum(|story| story.jobs), "jobs of {}", said());
    prop_assert_eq!(log.beyond.still_running.len(), sum(|story| story.running), "running in {}", said());
    let unstarted = count(Reason::NotStarted) + count(Reason::CancelledUnstarted) + count(Reason::PendingArray);
    prop_assert_eq!(unstarted as usize, sum(|story| story.unstarted), "unstarted in {}", said());
    prop_assert_eq!(count(Reason::Repeated) as usize, sum(|story| story.again), "twice in {}", said());
    let lost = count(Reason::NotAJob) + count(Reason::NoSubmitTime);
    // lines that are no rows may be put together: then they are one lost record of several lines
    prop_assert!(lost as usize <= sum(|story| story.lost) && (lost > 0) == (sum(|story| story.lost) > 0), "{}", said());
    let others: u64 = OF_OTHER_KIND.into_iter().map(count).sum::<u64>() + log.account.others().all();
    prop_assert_eq!(log.records_read() + others, lines(&text), "lines of {}", said());
    let told = sum(|story| story.others) + made.head_others + sum(|story| story.lost) - lost as usize;
    prop_assert_eq!(others as usize, told, "other lines of {}", said());
    after_cleaning(&log)
}

fn is_plain(story: &Story) -> bool {
    story.jobs == 1 && story.others + story.again == 0 && !story.text.contains("fi|t") && !story.text.contains("fi,t")
}

/// The law after cleaning, whichever it is.
fn after_cleaning(log: &Log) -> Result<(), TestCaseError> {
    for cleaning in Cleaning::ALL {
        let Ok(workload) = clean(log, &Filter::default(), cleaning, None) else { continue };
        let counted = workload.len() - workload.still_running().count();
        prop_assert_eq!(
            workload.account.jobs_of(log.records_read()),
            counted as u64,
            "{}: {}",
            cleaning,
            workload.account.in_words()
        );
        let said = workload.account.in_short(log.records_read());
        // the numbers in the sentence are the records and what they came to
        let numbers: Vec<u64> = said.split([' ', ':']).filter_map(|word| word.replace(',', "").parse().ok()).collect();
        prop_assert_eq!(numbers[0], numbers[1..].iter().sum::<u64>(), "{}", said);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(49), failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn every_record_of_every_format_is_a_job_or_stands_in_the_account(kinds in prop::collection::vec(0_u32..27_720, 0..40)) {
        for made in &FORMATS {
            check(made, &kinds)?;
        }
    }

    #[test]
    fn records_in_json_are_jobs_or_stand_in_the_account(kinds in prop::collection::vec(0_u32..6, 1..30)) {
        let object = |(at, kind): (usize, &u32)| {
            let (state, submit, end) = match kind {
                0 => ("PENDING", 1_767_225_600 + at, 0),
                1 => ("RUNNING", 1_767_225_600 + at, 0),
                2 => ("COMPLETED", 0, 1_767_226_600),
                _ => ("COMPLETED", 1_767_225_600 + at, 1_767_226_600),
            };
            format!(
                r#"{{"job_id": {}, "state": {{"current": ["{state}"]}}, "time": {{"submission": {submit}, "start": {},
                "end": {end}, "elapsed": 60}}, "tres": {{"allocated": [{{"type": "cpu", "count": 4}}]}}}}"#,
                at + 1,
                if *kind == 0 { 0 } else { 1_767_226_000 }
            )
        };
        let objects: Vec<String> = kinds.iter().enumerate().map(object).collect();
        let text = format!("{{\"jobs\": [{}]}}", objects.join(",\n"));
        if let Ok(log) = read_by(Reader::new("dump.json"), text.as_bytes()) {
            prop_assert_eq!(log.records_read(), kinds.len() as u64);
            let of = |wanted: u32| kinds.iter().filter(|&&kind| kind == wanted).count() as u64;
            let count = |reason| log.account.count(reason);
            prop_assert_eq!(count(Reason::NotStarted), of(0));
            prop_assert_eq!(count(Reason::StillRunning), of(1));
            prop_assert_eq!(count(Reason::NoSubmitTime), of(2));
            after_cleaning(&log)?;
        }
    }
}

/// A small file of each format without faults, and what its columns hold where that has to be said.
pub fn samples() -> Vec<(&'static str, String, ColumnMap)> {
    let of_lines = FORMATS.iter().map(|made| {
        let is_job = |kind: &u32| {
            let Story { jobs, again, text, .. } = (made.story)(*kind, 0);
            jobs == 1 && again == 0 && !text.contains("fi|t")
        };
        let plain = (0..12).rev().find(is_job).expect("a job");
        let jobs: String = (0..4).map(|at| (made.story)(plain, at).text).collect();
        let columns = made.columns.split(',').filter(|part| !part.is_empty()).map(|part| part.parse().unwrap());
        (made.name, format!("{}{jobs}", made.head), ColumnMap { columns: columns.collect() })
    });
    let of_json = IN_JSON.iter().map(|(name, record, shapes)| {
        let [before, between, behind] = shapes[0];
        let records: Vec<String> = (0..4).map(record).collect();
        (*name, format!("{before}{}{behind}", records.join(between)), ColumnMap::default())
    });
    of_lines.chain(of_json).collect()
}

/// The formats in JSON: name, record of this number, and what stands before, between and behind the records.
type InJson = (&'static str, fn(usize) -> String, &'static [[&'static str; 3]]);

const LISTS: &[[&str; 3]] =
    &[["[", ",\n", "]"], ["{\"meta\": {}, \"jobs\": [\n", ",", "], \"errors\": []}"], ["", "\n", "\n"], ["[", ",", ""]];

const IN_JSON: [InJson; 5] = [
    ("sacct", |at| sacct_object(at, "COMPLETED"), LISTS),
    (
        "Grid Engine 9",
        |at| {
            let submit = 1_767_225_600_000_000_u64 + at as u64 * 1_000_000;
            format!(
                r#"{{"job_number":{},"task_number":0,"submission_time":{submit},"start_time":{},"end_time":{},"owner":"ann","slots":4,"usage":{{"rusage":{{"ru_wallclock":60}}}}}}"#,
                at + 1,
                submit + 10_000_000,
                submit + 70_000_000
            )
        },
        LISTS,
    ),
    (
        "Flux",
        |at| {
            let submit = 1_767_225_600 + at;
            format!(
                r#"{{"id":{},"t_submit":{submit}.25,"t_run":{}.5,"t_cleanup":{}.75,"nnodes":1,"ncores":4,"duration":3600.0,"state":"INACTIVE"}}"#,
                at + 1,
                submit + 10,
                submit + 70
            )
        },
        LISTS,
    ),
    (
        "Batsim",
        |at| format!(r#"{{"id": {}, "subtime": {at}, "walltime": 100, "res": 4, "profile": "a"}}"#, at + 1),
        &[[r#"{"nb_res": 32, "profiles": {"a": {"type": "delay", "delay": 20}}, "jobs": ["#, ",\n", "]}"]],
    ),
    (
        "Philly",
        |at| {
            format!(
                r#"{{"status": "Pass", "vc": "v", "jobid": "application_1_{at}", "attempts": [{{"start_time": "{}", "end_time": "{}",
                "detail": [{{"ip": "m1", "gpus": ["gpu0"]}}]}}], "submitted_time": "{}", "user": "ann"}}"#,
                date(at + 10).replace('T', " "),
                date(at + 70).replace('T', " "),
                date(at).replace('T', " ")
            )
        },
        &[["[", ",\n", "]"], ["[\n", ", ", "\n"]],
    ),
];

fn sacct_object(at: usize, state: &str) -> String {
    let submit = 1_767_225_600 + at;
    format!(
        r#"{{"job_id": {}, "state": {{"current": ["{state}"]}}, "time": {{"submission": {submit}, "start": {},
        "end": {}, "elapsed": 60}}, "tres": {{"allocated": [{{"type": "cpu", "count": 4}}]}}}}"#,
        at + 1,
        submit + 10,
        submit + 70
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, rng_seed: RngSeed::Fixed(50), failure_persistence: None, ..ProptestConfig::default() })]

    /// The end of a record may be cut off, or a number may stand in its place. Behind a damaged record another is found by how it
    /// begins, which a number does not tell.
    #[test]
    fn a_damaged_record_in_json_costs_itself(cuts in prop::collection::vec(prop_oneof![3 => Just(None), 1 => (0_usize..40).prop_map(Some)], 2..30)) {
        for (name, record, shapes) in IN_JSON {
            for [before, between, behind] in shapes {
                let mut lost = 0;
                let records = cuts.iter().enumerate().map(|(at, cut)| {
                    let whole = record(at);
                    // the first one tells the format
                    match cut.filter(|_| at > 0) {
                        None => whole,
                        Some(cut) => {
                            lost += 1;
                            if cut == 0 && cuts[at - 1].is_none() { "7".to_owned() } else { whole[..whole.len() - cut.max(1)].to_owned() }
                        }
                    }
                });
                let records: Vec<String> = records.collect();
                let text = format!("{before}{}{behind}", records.join(between));
                let log = read_by(Reader::new("dump.json"), text.as_bytes())
                    .map_err(|error| TestCaseError::fail(format!("{name}: {error}\n{text}")))?;
                prop_assert_eq!((log.jobs(), log.account.count(Reason::NotAJob)), (cuts.len() - lost, lost as u64), "{}: {}", name, text);
                prop_assert_eq!(log.records_read(), cuts.len() as u64, "{}", name);
                after_cleaning(&log)?;
            }
        }
    }
}

#[test]
fn a_loss_of_work_withholds_the_answer_as_one_of_records_does() {
    let row = |id: usize, submit: &str, cores: u32| {
        format!("{id},{submit},2026-01-01T10:00:00,2026-01-01T11:00:00,{cores}\n")
    };
    let text = |cores: u32| {
        let jobs: String = (1..=400).map(|id| row(id, "2026-01-01T09:00:00", 1)).collect();
        format!("id,submit,start,end,cores\n{jobs}{}", row(999, "", cores))
    };
    let asked = Limits { lost: Limits::LOST_UNASKED, ..Limits::default() };
    let read = |cores: u32| read_by(Reader::within("jobs.csv", asked), text(cores).as_bytes());
    // one of 401 records, and of the work 1 of 401 or 1,000 of 1,400
    assert_eq!(read(1).unwrap().jobs(), 400);
    let said = read(1_000).unwrap_err().to_string();
    assert!(said.contains("1 of its 401 records") && said.contains("71.4 % of the work"), "{said}");
    let log = read_by(Reader::new("jobs.csv"), text(1_000).as_bytes()).unwrap();
    let entry = log.account.entries().iter().find(|entry| entry.reason == Reason::NoSubmitTime).unwrap();
    assert_eq!((entry.work, entry.examples.len()), (3_600_000, 1));
}
