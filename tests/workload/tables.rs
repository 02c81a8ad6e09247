//! Tables as people have them: however their numbers, dates and rows are written, the jobs are the same.

use packfair::workload::reading::{Limits, Reader, read, read_by};
use packfair::workload::{ColumnMap, Log, ReadError, Reason};

fn log(text: impl AsRef<[u8]>) -> Log {
    read("jobs.csv", text.as_ref()).unwrap()
}

/// Submission, wait, run time, processors and limit of each job.
fn jobs(log: &Log) -> Vec<(i64, i64, i64, i32, i64)> {
    log.records.iter().map(|r| (r.submit, r.wait, r.run, r.requested, r.requested_time)).collect()
}

const JOBS: [(i64, i64, i64, i32, i64); 2] = [(0, 60, 90, 4, 3_600), (30, 0, 120, 1_024, 7_200)];

/// The two jobs, with their times written by `time` and their other numbers by `number`.
fn written(delimiter: &str, time: impl Fn(i64) -> String, number: impl Fn(i64) -> String) -> String {
    let row = |(id, (submit, wait, run, cores, limit)): (usize, (i64, i64, i64, i32, i64))| {
        let start = 1_700_000_000 + submit + wait;
        let times = [start - wait, start, start + run].map(&time);
        let rest = [number(cores.into()), number(limit)];
        [vec![(id + 1).to_string()], times.to_vec(), rest.to_vec(), vec!["ann".to_owned()]].concat().join(delimiter)
    };
    let head = ["id", "submit_time", "start_time", "end_time", "cores", "time_limit", "user"].join(delimiter);
    let rows: Vec<String> = JOBS.into_iter().enumerate().map(row).collect();
    format!("{head}\n{}\n", rows.join("\n"))
}

fn utc(seconds: i64, form: &str) -> String {
    // 2023-11-14 22:13:20 is 1,700,000,000
    let of_day = seconds - 1_700_000_000 + 80_000;
    let (hour, minute, second) = (of_day / 3_600, of_day / 60 % 60, of_day % 60);
    form.replace("HH", &format!("{hour:02}"))
        .replace("MM", &format!("{minute:02}"))
        .replace("SS", &format!("{second:02}"))
}

#[test]
fn times_and_numbers_may_be_written_in_many_ways() {
    let plain = |number: i64| number.to_string();
    for form in [
        "2023-11-14THH:MM:SS",
        "2023-11-14 HH:MM:SS.123456",
        "2023-11-14THH:MM:SSZ",
        "2023-11-14 HH:MM:SS UTC",
        "2023-11-14THH:MM:SS+00:00",
        "2023/11/14 HH:MM:SS",
        "14.11.2023 HH:MM:SS",
        "20231114THHMMSSZ",
        "Tue Nov 14 HH:MM:SS 2023",
    ] {
        let text = written(",", |time| utc(time, form), plain);
        assert_eq!(jobs(&log(&text)), JOBS, "{text}");
    }
    let zoned = written(",", |time| utc(time, "2023-11-14THH:MM:SS+0100"), plain);
    assert_eq!(log(zoned).header.unix_start(), Some(1_699_996_400));
    for times in [
        |time: i64| format!("{time}123"),
        |time: i64| format!("{time}.75"),
        |time: i64| format!("{time}123.0"),
        |time: i64| format!("{time}123456789"),
        |time: i64| format!("{:.12e}", time as f64),
    ] {
        let text = written(",", times, plain);
        assert_eq!(jobs(&log(&text)), JOBS, "{text}");
    }
    for (delimiter, number) in [
        (";", (|n: i64| format!("{n},0")) as fn(i64) -> String),
        (",", |n| format!("{n}.0")),
        ("\t", |n| format!("{n}")),
        ("|", |n| format!("{n}.00")),
        (",", |n| if n > 999 { format!("\"{},{:03}\"", n / 1_000, n % 1_000) } else { n.to_string() }),
    ] {
        let text = written(delimiter, |time| time.to_string(), number);
        assert_eq!(jobs(&log(&text)), JOBS, "{text}");
    }
}

#[test]
fn marks_ends_of_lines_and_comments_change_nothing() {
    let text = written(",", |time| time.to_string(), |number| number.to_string());
    let utf16: Vec<u8> = format!("\u{feff}{text}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let ways: Vec<Vec<u8>> = vec![
        format!("\u{feff}{text}").into_bytes(),
        text.replace('\n', "\r\n").into_bytes(),
        text.replace('\n', "\r").into_bytes(),
        format!("# made by hand\n# on Monday\n{text}").into_bytes(),
        format!("\n\n{text}\n\n").into_bytes(),
        format!("sep=,\n{text}").into_bytes(),
        text.replace('\n', ",\n").into_bytes(),
        utf16,
    ];
    for way in ways {
        assert_eq!(jobs(&log(&way)), JOBS, "{}", String::from_utf8_lossy(&way));
    }
}

#[test]
fn names_of_sacct_in_what_another_program_wrote() {
    let text = ",JobID,Submit,Start,End,NCPUS,Elapsed,State\n\
                0,1.0,2026-01-01 00:00:00+00:00,2026-01-01 00:01:00+00:00,2026-01-01 00:02:30+00:00,4.0,0 days 00:01:30,\
                COMPLETED\n\
                1,2.0,2026-01-01 00:00:30+00:00,2026-01-01 00:00:30+00:00,2026-01-01 00:02:30+00:00,8.0,0 days 00:02:00,\
                FAILED\n";
    assert_eq!(jobs(&log(text)), [(0, 60, 90, 4, -1), (30, 0, 120, 8, -1)]);
}

#[test]
fn raw_limits_of_sacct_are_minutes_in_any_table() {
    let text = "JobIDRaw,UserName,Submit,Start,End,Cores,TimelimitRaw\n\
                1,ann,2026-01-01 00:00:00,2026-01-01 00:01:00,2026-01-01 00:02:30,4,60\n";
    assert_eq!(jobs(&log(text)), [(0, 60, 90, 4, 3_600)]);
}

#[test]
fn odd_heads_of_swf_are_heads_of_swf() {
    let job = |n: i64, end: &str| {
        format!("\t{n}\t{}\t60\t90.4\t4\t-1\t-1\t4\t3600\t-1\t1\t3\t-1\t-1\t-1\t-1\t-1\t-1{end}", 30 * n)
    };
    let head = "; Version 2.2\n;   UnixStartTime:   1767225600  (by hand)\n;MaxProcs: 64 (of 70)\n# note\n;\n\n";
    for end in ["\n", "\r\n", "\t\r\n", " \n"] {
        let log = read("odd.swf", format!("{head}{}{}", job(1, end), job(2, end)).as_bytes()).unwrap();
        assert_eq!(jobs(&log), [(30, 60, 90, 4, 3_600), (60, 60, 90, 4, 3_600)], "{end:?}");
        assert_eq!((log.header.processors("MaxProcs"), log.header.unix_start()), (Some(64), Some(1_767_225_600)));
    }
}

#[test]
fn columns_that_are_empty_or_there_twice_are_passed_over() {
    let text = "job_id,submit,submit_time,cores,cores,start,end,elapsed,duration,state\n\
                1,,2026-01-01 00:00:00,,4,2026-01-01 00:01:00,2026-01-01 00:02:30,,90,COMPLETED\n\
                2,,2026-01-01 00:00:30,,8,2026-01-01 00:00:30,2026-01-01 00:02:30,,120,COMPLETED\n";
    assert_eq!(jobs(&log(text)), [(0, 60, 90, 4, -1), (30, 0, 120, 8, -1)]);
}

#[test]
fn steps_parts_and_arrays_are_what_they_are_to_slurm() {
    let head = "id;state;user;submit;start;end;cores\n";
    let row = |id: &str, state: &str, cores: u32| {
        format!("{id};{state};ann;2026-01-01T00:00:00;2026-01-01T00:01:00;2026-01-01T01:01:00;{cores}\n")
    };
    let rows = [
        row("12", "COMPLETED", 4),
        row("12.batch", "COMPLETED", 4),
        row("12.0", "COMPLETED", 2),
        row("12.1", "COMPLETED", 2),
        row("13+0", "COMPLETED", 8),
        row("13+1", "COMPLETED", 2),
        row("13+0.0", "COMPLETED", 8),
        row("14_1", "COMPLETED", 1),
        row("14_2", "CANCELLED by 5", 1),
        row("14_[3-9%2]", "PENDING", 1),
    ];
    let read_back = log(format!("{head}{}", rows.concat()));
    let seen: Vec<(i64, i32)> = read_back.records.iter().map(|record| (record.number, record.requested)).collect();
    assert_eq!(seen, [(12, 4), (13, 10), (14, 1), (14, 1)]);
    let counts =
        [Reason::JobStep, Reason::PartOfJob, Reason::PendingArray].map(|reason| read_back.account.count(reason));
    assert_eq!(counts, [4, 1, 1]);
    // where no job has the number alone, it is a number with decimals
    let decimals = log(format!("{head}{}{}", row("12.0", "COMPLETED", 4), row("13.0", "COMPLETED", 8)));
    assert_eq!(jobs(&decimals).len(), 2);
    // and so by number, without names
    let columns = "id=1,state=2,user=3,submit=4,start=5,end=6,processors=7";
    let columns = columns.split(',').map(|part| part.parse().unwrap()).collect();
    let mapped = Reader::mapped("dump", Limits::default(), ColumnMap { columns });
    let by_number = read_by(mapped, rows.concat().as_bytes()).unwrap();
    assert_eq!(jobs(&by_number), jobs(&read_back));
}

#[test]
fn rows_with_too_many_fields_are_put_right_or_said_not_to_be_understood() {
    let head = "id|submit|constraints|state|start|end|cores\n";
    let row = |id: u32, constraint: &str| {
        format!("{id}|2026-01-01T00:00:00|{constraint}|COMPLETED|2026-01-01T00:01:00|2026-01-01T01:01:00|4\n")
    };
    let whole = log(format!("{head}{}{}{}", row(1, "new"), row(2, "new|old"), row(3, "a|b|c")));
    assert_eq!(jobs(&whole), [(0, 60, 3_600, 4, -1); 3]);
    assert_eq!(whole.account.count(Reason::DelimiterInText), 2);
    assert!(whole.records.iter().all(|record| record.status == 1), "never is old a state");
    let wrong = log(format!("{head}{}2|2026-01-01T00:00:00|x|y|z|COMPLETED|soon|later|4\n", row(1, "new")));
    assert_eq!((wrong.records.len(), wrong.account.count(Reason::NotAJob)), (1, 1));
    // a field fewer in the middle moves all behind it
    let short = log(format!("{head}{}{}", row(1, "new"), row(2, "new").replace("|new", "")));
    assert_eq!((short.records.len(), short.account.count(Reason::NotAJob)), (1, 1));
}

#[test]
fn an_open_quote_costs_one_row() {
    let row = |id: u32, name: &str| format!("{id},{name},2026-01-01 00:00:0{},60,4\n", id % 10);
    let rows = [row(1, "fit"), row(2, "\"a\nb\""), row(3, "\"open"), row(4, "fit"), row(5, "fit"), row(6, "5\" disk")];
    let text = format!("id,name,submit,run,cores\n{}", rows.concat());
    let log = log(text);
    let numbers: Vec<i64> = log.records.iter().map(|record| record.number).collect();
    assert_eq!(numbers, [1, 2, 4, 5, 6]);
    assert_eq!((log.account.count(Reason::NotAJob), log.account.others().continued), (1, 1));
}

#[test]
fn what_stands_for_nothing_is_unknown() {
    let nothing = [
        "",
        "Unknown",
        "None",
        "N/A",
        "NULL",
        "NaN",
        "NaT",
        "-1",
        "4294967294",
        "9223372036854775807",
        "1970-01-01T00:00:00",
    ];
    for nothing in nothing {
        let text = format!(
            "id,submit,start,end,cores,limit,user\n1,2026-01-01T00:00:00,2026-01-01T00:01:00,2026-01-01T01:01:00,4,{nothing},\
             {nothing}\n2,2026-01-01T00:00:00,{nothing},{nothing},4,60,ann\n"
        );
        let log = log(&text);
        assert_eq!(jobs(&log)[0], (0, 60, 3_600, 4, -1), "{nothing}");
        assert_eq!((log.records.len(), log.account.count(Reason::NotStarted)), (1, 1), "{nothing}");
    }
}

#[test]
fn names_that_tell_nothing_are_answered_with_a_guess() {
    let row = |i: i64| {
        let submit = 1_700_000_000 + 100 * i;
        format!("{},{submit},{},{},{}\n", i + 1, submit + 5 * (i % 3), submit + 600 + i, 1 << (i % 4))
    };
    let text = format!("a,b,c,d,e\n{}", (0..9).map(row).collect::<String>());
    let Err(error @ ReadError::MissingColumns { .. }) = read("jobs.csv", text.as_bytes()) else {
        panic!("it is refused")
    };
    let ReadError::MissingColumns { guess: Some(guess), .. } = &error else { panic!("{error}") };
    assert_eq!(&**guess, "id=a,submit=b,start=c,end=d,processors=e");
    assert!(error.to_string().contains("--columns \"id=a,submit=b"), "{error}");
}
