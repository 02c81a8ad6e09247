//! What happens at a moment of a lesson, in sentences. They follow from the schedule, from expected ends and from
//! reservations.

use super::course::{Course, Hold, Moment, Start, Waiter, Why};
use super::jobs::{clock, length};
use super::order::QueueOrder;

/// A job's name in sentences.
pub fn name(job: usize) -> String {
    format!("job {}", job + 1)
}

/// Names of jobs in a row: "jobs 2, 3 and 5".
fn names(jobs: &[usize]) -> String {
    let numbers: Vec<String> = jobs.iter().map(|job| (job + 1).to_string()).collect();
    match numbers.split_last() {
        None => String::new(),
        Some((only, [])) => format!("job {only}"),
        Some((last, others)) => format!("jobs {} and {last}", others.join(", ")),
    }
}

fn sentence(text: String) -> String {
    let mut letters = text.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

fn processors(count: u32) -> String {
    if count == 1 { "1\u{a0}processor".to_owned() } else { format!("{count}\u{a0}processors") }
}

/// All that happens at a moment: ends, a change of order, starts, arrivals that wait, reservations that change.
pub(super) fn of(course: &Course, before: Option<&Moment>, moment: &Moment) -> Vec<String> {
    let mut told = Vec::new();
    told.extend(ends(course, before, moment));
    told.extend(changed_order(before, moment));
    told.extend(in_turn(moment, Why::AtOnce));
    told.extend(in_turn(moment, Why::Turn));
    let others = moment.started.iter().filter(|start| !matches!(start.why, Why::AtOnce | Why::Turn));
    told.extend(others.map(|start| started(course, start, moment)));
    let arrived = moment.waiting.iter().filter(|waiter| moment.arrived.contains(&waiter.job));
    told.extend(arrived.map(|waiter| waits(course, waiter, moment)));
    told.extend(changed_reservations(before, moment));
    told
}

fn ends(course: &Course, before: Option<&Moment>, moment: &Moment) -> Vec<String> {
    let expected = |job: usize| before?.running.iter().find(|(other, _)| *other == job).map(|(_, end)| *end);
    let is_early = |&&job: &&usize| expected(job).is_some_and(|end| end > moment.at);
    let on_time: Vec<usize> = moment.ended.iter().filter(|job| !is_early(job)).copied().collect();
    let mut told = Vec::new();
    if !on_time.is_empty() {
        told.push(sentence(format!("{} {}.", names(&on_time), if on_time.len() == 1 { "ends" } else { "end" })));
    }
    for &job in moment.ended.iter().filter(is_early) {
        let early = expected(job).unwrap_or(moment.at).min(moment.at + course.jobs[job].limit) - moment.at;
        told.push(sentence(format!("{} ends {} before its limit.", name(job), length(early))));
    }
    told
}

fn changed_order(before: Option<&Moment>, moment: &Moment) -> Option<String> {
    let was = before.map_or(QueueOrder::Fcfs, |before| before.order);
    let is_changed = moment.order != was && before.is_some();
    is_changed.then(|| {
        format!(
            "The queue changes from {} to {}: planned {}, the jobs here end sooner on the whole.",
            was.name(),
            moment.order.name(),
            moment.order.first()
        )
    })
}

/// The jobs that start because nobody waits before them.
fn in_turn(moment: &Moment, why: Why) -> Option<String> {
    let jobs: Vec<usize> = moment.started.iter().filter(|start| start.why == why).map(|start| start.job).collect();
    let (starts, them, fit) = if jobs.len() == 1 { ("starts", "it", "it fits") } else { ("start", "them", "they fit") };
    let text = match why {
        Why::AtOnce if jobs.len() == 1 => {
            format!("{} arrives and starts at once: nobody waits before it, and it fits.", names(&jobs))
        }
        Why::AtOnce => format!("{} arrive and start at once: nobody waits before them, and they fit.", names(&jobs)),
        _ => format!("{} {starts}: nobody waits before {them} any more, and {fit}.", names(&jobs)),
    };
    (!jobs.is_empty()).then(|| sentence(text))
}

/// Why a job starts though others wait that came earlier.
fn started(course: &Course, Start { job, why }: &Start, moment: &Moment) -> String {
    let own = &course.jobs[*job];
    let subject = if own.submit == moment.at { format!("{} arrives and", name(*job)) } else { name(*job) };
    sentence(match *why {
        Why::AtOnce | Why::Turn => format!("{subject} starts."),
        Why::Order { before } => format!(
            "{subject} starts before {}, which came earlier: the queue is taken {}.",
            name(before),
            moment.order.first()
        ),
        Why::Ends { before, reserved } => format!(
            "{subject} is backfilled: it ends before the reservation of {} at {}.",
            name(before),
            clock(reserved)
        ),
        Why::Beside { reservation_of, reserved } => format!(
            "{subject} is backfilled: beside the reservation of {} at {} there is still room for its {}.",
            name(reservation_of),
            clock(reserved),
            processors(own.processors)
        ),
        Why::Unreserved { before } => {
            format!("{subject} starts before {}, which came earlier: nothing is reserved for that one.", name(before))
        }
    })
}

/// Why a job that has just arrived waits.
fn waits(course: &Course, waiter: &Waiter, moment: &Moment) -> String {
    sentence(format!("{} arrives and waits: {}.", name(waiter.job), held(course, waiter, moment)))
}

/// Why a job waits, as the rest of a sentence, with its reservation if it has one.
pub fn held(course: &Course, Waiter { job, hold }: &Waiter, moment: &Moment) -> String {
    let own = &course.jobs[*job];
    let why = match *hold {
        Hold::NoRoom => {
            format!(
                "it needs {}, and {} idle",
                processors(own.processors),
                match moment.free {
                    0 => "none is".to_owned(),
                    1 => "1 is".to_owned(),
                    free => format!("{free} are"),
                }
            )
        }
        Hold::WouldDelay { job, reserved } => format!(
            "it fits now, but by its limit it would run until {} and delay {}, which is to start at {}",
            clock(moment.at + own.limit),
            name(job),
            clock(reserved)
        ),
        Hold::Behind { job } => format!("it fits now, but nobody passes {}", name(job)),
    };
    match moment.reserved.iter().find(|reserved| reserved.job == *job) {
        Some(reserved) => format!("{why}. It gets a reservation at {}", clock(reserved.start)),
        None => why,
    }
}

/// Reservations that jobs get while they wait, or that move.
fn changed_reservations(before: Option<&Moment>, moment: &Moment) -> Vec<String> {
    let start_in = |of: &Moment, job: usize| of.reserved.iter().find(|other| other.job == job).map(|other| other.start);
    let mut told = Vec::new();
    for reserved in moment.reserved.iter().filter(|reserved| !moment.arrived.contains(&reserved.job)) {
        let (job, now) = (name(reserved.job), clock(reserved.start));
        match before.and_then(|before| start_in(before, reserved.job)) {
            None => told.push(sentence(format!("{job} is now the first that waits, and gets a reservation at {now}."))),
            Some(was) if was != reserved.start => {
                told.push(format!("The reservation of {job} moves from {} to {now}.", clock(was)));
            }
            Some(_) => {}
        }
    }
    told
}
