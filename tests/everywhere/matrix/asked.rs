//! Answers a case, and checks what must hold for every answer.

use super::case::Case;
use packfair::explore::{ExploreQuestion, Findings, PartValues, Search};
use packfair::metric::{CountedJobs, Grouping, Measure, Metric};
use packfair::model::Schedule;
use packfair::study::query::{BoxesAsked, JobField, JobsQuery, Query, ScheduleFormat, answer};
use packfair::study::sureness::Repeats;
use packfair::study::{
    CannotRun, Ended, LogPart, Losses, Rules, Run, RunReport, Running, compare_with_plain, digest, execute,
    fair_starts_of, measured, verify,
};
use packfair::workload::{JobId, Log, Resampling, Workload, reading};

/// The result of a case: the digest of its schedule and its report; none where it cannot be run and a message says so.
///
/// # Errors
/// What does not hold, in words.
pub fn asked(case: &Case) -> Result<Option<u64>, String> {
    let Case { run, rules, treatment, .. } = case;
    let log = reading::read("matrix.swf", case.swf().as_bytes()).map_err(|error| format!("log: {error}"))?;
    let workload = match treatment.apply(&log) {
        Ok(workload) => workload,
        Err(why) => return said(&why.to_string()),
    };
    if workload.is_empty() {
        return Err("a workload without jobs, and nothing said".to_owned());
    }
    let Ended { workload: lived, schedule } = match Running::begin(run, &workload, *rules) {
        Ok(running) => running.ended().map_err(|why| why.to_string())?,
        Err(why) => return said(&why.to_string()),
    };
    let faults = verify(run, *rules, &lived, &schedule).faults;
    // a log's own schedule need not be valid
    if !faults.is_empty() && !run.scheduler.is_given() {
        return Err(format!("faults: {faults:?}"));
    }
    let again = bit_by_bit(run, *rules, &workload).map_err(|why| format!("bit by bit: {why}"))?;
    equal("bit by bit it is another schedule", &again, &schedule)?;
    let report = RunReport::of(run.clone(), &lived, &schedule, &Measure::default(), 0.0);
    if let Some((metric, value)) = report.values.iter().find(|(_, value)| !value.is_finite()) {
        return Err(format!("{metric} is {value}"));
    }
    let stored = postcard::to_allocvec(&(&schedule, &report)).map_err(|error| format!("stored: {error}"))?;
    let (read, report_read): (Schedule, RunReport) =
        postcard::from_bytes(&stored).map_err(|error| format!("read again: {error}"))?;
    if digest(&read, &report_read) != digest(&schedule, &report) {
        return Err("stored and read again it is another result".to_owned());
    }
    let job = JobId((case.places.0 % lived.len()) as u32);
    let queries = queries(run, *rules, job);
    // every tenth case is compared with the plain scheduler in place of a question, for that takes long
    match queries.get(case.asked % (queries.len() + 2)) {
        Some(query) => answered(query, &lived, &log, &schedule)?,
        None => compared_with_plain(run, *rules, &lived, &schedule)?,
    }
    if lived.len() <= 12 && run.check_fair_starts().is_ok() {
        fair_starts(case, &lived, &schedule)?;
    }
    if case.repeats && lived.len() <= 12 {
        repeated(run, *rules, &workload)?;
        explored(run, *rules, &workload)?;
    }
    Ok(Some(digest(&schedule, &report)))
}

/// The result of a refused case, whose message must not be empty.
fn said(message: &str) -> Result<Option<u64>, String> {
    if message.is_empty() { Err("refused without a word".to_owned()) } else { Ok(None) }
}

fn equal(what: &str, one: &Schedule, other: &Schedule) -> Result<(), String> {
    if one == other { Ok(()) } else { Err(format!("{what}: {:?} and {:?}", one.starts, other.starts)) }
}

/// The schedule of a run that is advanced a few instants at a time.
fn bit_by_bit(run: &Run, rules: Rules, workload: &Workload) -> Result<Schedule, CannotRun> {
    let mut running = Running::begin(run, workload, rules)?;
    while !running.advance(3).is_done() {}
    Ok(running.ended()?.schedule)
}

/// The questions about a run and one of its jobs.
fn queries(run: &Run, rules: Rules, job: JobId) -> Vec<Query> {
    let of = || run.clone();
    let all = CountedJobs::default();
    let boxes = BoxesAsked { most: 50, only: None };
    let jobs = JobsQuery {
        search: "run>=0 procs<9".to_owned(),
        sort: JobField::Delay.under(0),
        descending: true,
        first: 1,
        count: 7,
        runs: vec![of()],
    };
    let measured = Query::Measured {
        runs: vec![of()],
        rules,
        measure: Measure::default(),
        metrics: Metric::ALL.to_vec(),
        losses: Some(Box::new(Losses { beside: of(), by: vec![Grouping::User] })),
        part: LogPart::Last(0.0),
    };
    vec![
        Query::Waited { run: of(), job },
        Query::Reasons { run: of(), rules, job },
        Query::FairStart { run: of(), rules, job },
        Query::Reservation { run: of(), rules, job },
        Query::Outlook { run: of(), rules, at: 10, from: 0, boxes },
        Query::Estimated { run: of(), rules, job },
        Query::Classes { run: of(), counted: all, bound: 10.0 },
        Query::Accuracy { run: of(), counted: all },
        Query::WaitMap { run: Some(of()), counted: all },
        Query::Waits { run: Some(of()), by: Grouping::User, measure: Measure::default() },
        Query::Window { run: of(), from: 0.0, until: 1e6, bins: 7 },
        Query::Gantt { run: of(), from: 0, until: 1_000, boxes },
        Query::Export { run: of(), format: ScheduleFormat::Swf },
        Query::Export { run: of(), format: ScheduleFormat::Killed },
        Query::Jobs(jobs),
        Query::Sizes,
        Query::SiteFit { run: of(), measure: Measure::default() },
        Query::UserWaits { run: of() },
        measured,
    ]
}

fn compared_with_plain(run: &Run, rules: Rules, workload: &Workload, schedule: &Schedule) -> Result<(), String> {
    match compare_with_plain(run, rules, workload, schedule) {
        Ok(compared) if !compared.is_equal() => Err(compared.to_string()),
        _ => Ok(()),
    }
}

fn answered(query: &Query, workload: &Workload, log: &Log, schedule: &Schedule) -> Result<(), String> {
    match answer(query, workload, Some(log), &|_| Some(schedule)) {
        Err(message) if message.is_empty() => Err("refused without a word".to_owned()),
        _ => Ok(()),
    }
}

/// Checks that fair starts in two parts are those computed at once.
fn fair_starts(case: &Case, workload: &Workload, schedule: &Schedule) -> Result<(), String> {
    let (all, split) = (workload.len(), case.places.1 % (workload.len() + 1));
    let of = |jobs| fair_starts_of(&case.run, workload, case.rules, schedule, jobs).map_err(|why| why.to_string());
    let (whole, mut parts) = (of(0..all), of(0..split));
    if let (Ok(parts), Ok(rest)) = (&mut parts, of(split..all)) {
        parts.append(rest);
    }
    if whole == parts { Ok(()) } else { Err(format!("fair starts: {parts:?} in parts, {whole:?} at once")) }
}

/// Checks the run on further workloads.
fn repeated(run: &Run, rules: Rules, workload: &Workload) -> Result<(), String> {
    if !Repeats::can_repeat(run) || workload.reactions().is_some() {
        return Ok(());
    }
    for way in Resampling::ALL {
        let Ok(made) = (Repeats { way, ..Repeats::of(2) }).workload(workload, 1) else { continue };
        let Ok(result) = execute(run, &made, rules, &Measure::default()) else { continue };
        let faults = verify(run, rules, &made, &result.schedule).faults;
        if !faults.is_empty() {
            return Err(format!("a repeat ({way}): {faults:?}"));
        }
    }
    Ok(())
}

/// Makes a short search among the family's settings.
fn explored(run: &Run, rules: Rules, workload: &Workload) -> Result<(), String> {
    let family = run.scheduler.family().entry.id;
    // a search among off-line schedules or budgets would take too long
    if ["offline", "optimised"].contains(&family) {
        return Ok(());
    }
    let question = ExploreQuestion {
        keep: vec!["loss(width)<=10%".parse().unwrap()],
        runs: 3,
        families: vec![family.to_owned()],
        estimates: vec![run.estimate.clone()],
        ..ExploreQuestion::default()
    };
    if question.check().is_err() {
        return Ok(());
    }
    let (first, rest) = (question.choosing().of(workload), question.selecting().of(workload));
    let (metrics, losses) = (question.metrics(), question.losses().unwrap());
    let on = |run: &Run, part: &Workload| {
        let before = losses.before(part, rules)?;
        measured(run, part, rules, &Measure::default(), &metrics, &before)
    };
    if first.is_empty() || rest.is_empty() {
        return Ok(());
    }
    let (Ok(chosen), Ok(judged)) = (on(&question.baseline, &first), on(&question.baseline, &rest)) else {
        return Ok(());
    };
    let mut search = Search::begin(question.clone());
    let runs = search.propose();
    search.take_in(runs.iter().map(|run| on(run, &first).ok()).collect());
    let findings = Findings::of(
        &search,
        PartValues { choose: chosen, select: judged },
        [first.len(), rest.len(), workload.len() - first.len() - rest.len()],
    );
    if findings.sentences().is_empty() { Err("a search that comes to nothing".to_owned()) } else { Ok(()) }
}
