//! The words of lessons, each with a picture that the engine makes.

use super::course::{Hold, Moment, QueueOrder, Start, Waiter, Why};
use super::{Course, TaughtJob, TaughtRun, clock, length};
use packfair_workload::Seconds;

/// A word and what it means.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// The id of its picture.
    pub id: &'static str,
    /// The word.
    pub word: &'static str,
    /// What it means, in a sentence or two.
    pub text: &'static str,
    /// The jobs of its picture.
    pub jobs: &'static [TaughtJob],
    /// Who schedules them.
    pub run: TaughtRun,
    /// The moment that the picture shows.
    pub at: Seconds,
    /// The lesson that tells more.
    pub lesson: &'static str,
}

impl Term {
    /// What its picture shows.
    pub fn course(&self) -> Course {
        Course::of(self.run, self.jobs)
    }
}

const fn job(submit: i64, processors: u32, run: i64) -> TaughtJob {
    TaughtJob::of_minutes(submit, processors, run, run)
}

/// One runs, a wide one waits, a small one fits between.
const FOUR: &[TaughtJob] = &[job(0, 4, 90), job(0, 2, 60), job(15, 6, 60), job(30, 2, 45)];

/// More and more arrive than the processors can do.
const MANY: &[TaughtJob] = &[
    job(0, 5, 60),
    job(0, 4, 60),
    job(15, 5, 60),
    job(30, 6, 60),
    job(45, 5, 60),
    job(60, 6, 60),
    job(75, 5, 60),
    job(90, 6, 60),
];

/// The words, in the order in which they build on each other.
pub const GLOSSARY: &[Term] = &[
    Term {
        id: "reservation",
        word: "Reservation",
        text: "A start that a waiting job is given, with processors that are kept for it until then. Here job 3 has one, dashed.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 15 * 60,
        lesson: "conservative",
    },
    Term {
        id: "shadow-time",
        word: "Shadow time",
        text: "The earliest time at which the first waiting job can start, if every running job takes its limit. It is where its \
               reservation begins.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 15 * 60,
        lesson: "backfilling",
    },
    Term {
        id: "backfilling",
        word: "Backfilling",
        text: "Starting a job in a gap before jobs that came earlier, where it delays no reservation. Job 4 ends before job 3 \
               starts.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 30 * 60,
        lesson: "backfilling",
    },
    Term {
        id: "response-time",
        word: "Response time",
        text: "From a job's arrival to its end: its wait and its run. Job 3 arrives at 8:15, waits until 9:30 and ends at 10:30: \
               2 h 15 min.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 150 * 60,
        lesson: "fcfs",
    },
    Term {
        id: "slowdown",
        word: "Slowdown",
        text: "The response time as a multiple of the run time. Job 3 runs for an hour and is done after 2 h 15 min: 2.25. Bounded \
               slowdown counts very short jobs as if they ran for some seconds, so that they do not outweigh all.",
        jobs: FOUR,
        run: TaughtRun::of("easy"),
        at: 150 * 60,
        lesson: "fairness",
    },
    Term {
        id: "saturated",
        word: "Saturated",
        text: "More work arrives than the processors can do, so that the queue grows for as long as that lasts, whoever schedules. \
               Waits then tell of the length of the log, and not of the scheduler.",
        jobs: MANY,
        run: TaughtRun::of("easy"),
        at: 90 * 60,
        lesson: "fairness",
    },
];

// What happens at a moment of a lesson, in sentences. They follow from the schedule, from expected ends and from
// reservations.

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

#[cfg(test)]
mod tests {
    use super::super::lessons::LESSONS;
    use super::*;

    fn term(id: &str) -> (Term, Course) {
        let term = *GLOSSARY.iter().find(|term| term.id == id).unwrap();
        (term, term.course())
    }

    #[test]
    fn each_word_leads_to_a_lesson() {
        for term in GLOSSARY {
            assert!(LESSONS.iter().any(|lesson| lesson.id == term.lesson), "{}", term.id);
            assert!(term.course().moment_at(term.at).is_some(), "{}", term.id);
        }
    }

    #[test]
    fn pictures_show_what_the_words_say() {
        let (reservation, course) = term("reservation");
        let moment = course.moment_at(reservation.at).unwrap();
        assert_eq!(
            moment.reserved.iter().map(|reserved| (reserved.job, reserved.start)).collect::<Vec<_>>(),
            [(2, 90 * 60)]
        );
        let by_limits = moment.running.iter().map(|&(_, end)| end).max();
        assert_eq!(by_limits, Some(90 * 60), "the shadow time is when the running jobs have reached their limits");
        let (_, course) = term("backfilling");
        assert!(course.backfilled[3] && course.end(3) <= course.starts[2]);
        let (_, course) = term("response-time");
        assert_eq!((course.jobs[2].submit, course.starts[2], course.end(2)), (15 * 60, 90 * 60, 150 * 60));
        let response = (course.end(2) - course.jobs[2].submit) as f64;
        assert_eq!((response, response / course.jobs[2].run as f64), (2.25 * 3_600.0, 2.25));
    }

    #[test]
    fn the_queue_of_a_saturated_machine_grows() {
        let (saturated, course) = term("saturated");
        let waiting = |at: Seconds| course.moment_at(at).unwrap().waiting.len();
        assert!((1..=6).all(|quarter| waiting(quarter * 900) >= waiting((quarter - 1) * 900)));
        assert!(waiting(saturated.at) >= 4);
    }
}
