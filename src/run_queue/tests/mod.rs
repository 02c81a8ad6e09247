//! Tests of the run queue, with a page that carries out its orders and workers that send what a test makes them send.

mod clock;
mod deaths;
mod fair_starts;
mod logs;
mod measurings;
mod questions;
mod quick;
mod repeats;
mod runs;
mod searching;
mod studies;
mod trials;
mod unstored;

use super::protocol::{FromWorker, LogId, ScheduleKey, Ticket, ToWorker};
use super::*;
use crate::metric::{Measure, Metric};
use crate::study::query::Answer;
use crate::study::{Generated, Rules, RunReport, Treatment, execute};
use crate::workload::{Account, Summary, Workload, lublin};
use std::sync::LazyLock;

struct Page {
    queue: RunQueue<String>,
    study: Study,
    /// The page's clock, milliseconds.
    now: f64,
    orders: Vec<QueueOrder<String>>,
    /// How many of these orders [`Page::said`] has returned.
    told: usize,
    /// The orders that have not been carried out yet.
    pending: VecDeque<QueueOrder<String>>,
    /// Whether even these runs take so long that the log worker leaves them to runners.
    is_slow: bool,
    is_at_orders: bool,
    /// The content of the browser's storage.
    stored: Vec<(ScheduleKey, String)>,
}

fn generated(jobs: u32) -> Source {
    Source::Generated(Generated::Lublin { jobs, processors: 32, seed: 1 })
}

/// A study of EASY, JustBF and SAF-JustBF with requested times.
fn study() -> Study {
    let mut study = Study::on(generated(4_000));
    study.schedulers = ["easy", "justbf", "saf-justbf"].map(|id| id.parse().unwrap()).into();
    study.methods.truncate(1);
    study
}

/// The run of a scheduler with requested times.
fn run(scheduler: &str) -> Run {
    let run = study().runs().into_iter().find(|run| run.scheduler.to_string() == scheduler);
    run.unwrap_or_else(|| panic!("{scheduler} is not in the study"))
}

fn report(of: &Run) -> RunReport {
    static WORKLOAD: LazyLock<Workload> = LazyLock::new(|| Treatment::default().apply(&lublin(20, 32, 1)).unwrap());
    execute(of, &WORKLOAD, Rules::default(), &Measure::default()).unwrap().report
}

/// The report of a run in these tests, once its fair start times are known.
fn fair_report(of: &Run) -> RunReport {
    let mut report = report(of);
    report.values.extend([(Metric::StrictUnfairness, 1.0), (Metric::RelaxedUnfairness, 1.0)]);
    report
}

fn summary(jobs: usize) -> Summary {
    static SUMMARY: LazyLock<Summary> =
        LazyLock::new(|| Summary::of(&Treatment::default().apply(&lublin(100, 32, 1)).unwrap()));
    Summary { jobs, ..SUMMARY.clone() }
}

impl Page {
    /// A page on which nothing has happened yet.
    fn new(study: Study) -> Self {
        let queue = RunQueue::new(study.clone(), 2, None);
        Page {
            queue,
            study,
            now: 0.0,
            orders: Vec::new(),
            told: 0,
            pending: VecDeque::new(),
            is_slow: true,
            is_at_orders: false,
            stored: Vec::new(),
        }
    }

    /// A page whose log is read and described and whose workload is made: runners 1 and 2 have the first two runs.
    fn running(study: Study) -> Self {
        let mut page = Page::new(study.clone());
        page.change_study(|_| {});
        page.open(study.source);
        page.read();
        page.describe();
        page.pack();
        page
    }

    fn ended() -> Self {
        let mut page = Page::running(study());
        for scheduler in ["easy", "justbf", "saf-justbf"] {
            page.finish(&run(scheduler));
        }
        page.said();
        page
    }

    /// The answer to a question, if it has arrived.
    fn answer_to(&self, of: Ticket) -> Option<Result<Answer, String>> {
        self.orders.iter().find_map(|order| match order {
            QueueOrder::Answer { question, answer } if *question == of => Some((**answer).clone()),
            _ => None,
        })
    }

    /// Tells the queue an event, and carries out the orders in sequence, as the page does.
    fn tell(&mut self, event: Event<String>) {
        self.now += 10.0;
        let orders = self.queue.handle(self.now, event);
        self.pending.extend(orders);
        if std::mem::replace(&mut self.is_at_orders, true) {
            return;
        }
        while let Some(order) = self.pending.pop_front() {
            self.orders.push(order.clone());
            self.carry_out(order);
        }
        self.is_at_orders = false;
    }

    fn carry_out(&mut self, order: QueueOrder<String>) {
        match order {
            QueueOrder::Opened(opened) => {
                self.study.source = opened.source;
                self.change_study(|_| {});
                self.tell(Event::LogTaken);
            }
            QueueOrder::Recall { search, .. } => self.tell(Event::Recalled(search)),
            QueueOrder::Open(source) => self.open(source),
            QueueOrder::Send { worker, message: ToWorker::Run { ticket, .. }, .. }
                if self.is_slow && self.queue.workers.of(Role::Logs) == Some(worker) =>
            {
                self.say(worker, FromWorker::Progress { ticket, completed: 1, jobs: 4_000, spent: 0.2 });
                self.say(worker, FromWorker::Cancelled { ticket });
            }
            QueueOrder::Fetch(key) => {
                let found = self.stored.iter().find(|(k, _)| *k == key).map(|(_, schedule)| schedule.clone());
                let schedule = found.ok_or_else(|| "It is not stored.".to_owned());
                self.tell(Event::Fetched { key, schedule });
            }
            _ => {}
        }
    }

    fn change_study(&mut self, change: impl FnOnce(&mut Study)) {
        change(&mut self.study);
        self.tell(Event::StudyChanged(Box::new(self.study.clone())));
    }

    fn open(&mut self, source: Source) {
        let Source::Generated(generated) = source else { panic!("these tests generate their logs") };
        self.tell(Event::LogFound {
            name: generated.name(),
            origin: Origin::Generator(generated),
            beside: Encoded::default(),
        });
    }

    fn say(&mut self, worker: WorkerId, message: FromWorker) {
        self.tell(Event::Said { worker, message, attachment: None });
    }

    fn say_with(&mut self, worker: WorkerId, message: FromWorker, bytes: &str) {
        self.tell(Event::Said { worker, message, attachment: Some(bytes.to_owned()) });
    }

    /// The latest message of a kind, and the worker that received it.
    fn latest<T>(&self, kind: impl Fn(&ToWorker) -> Option<T>) -> Option<(WorkerId, T)> {
        self.orders.iter().rev().find_map(|order| match order {
            QueueOrder::Send { worker, message, .. } => kind(message).map(|found| (*worker, found)),
            _ => None,
        })
    }

    fn read(&mut self) {
        let (worker, log) = self.told_to_read();
        let (fingerprint, header) = (Fingerprint(u128::from(log)), Header::default());
        let loaded = FromWorker::Loaded {
            log,
            fingerprint,
            header,
            records: 4_000,
            name: String::new(),
            others: Vec::new(),
            tells_starts: false,
            names_requested_times: true,
            is_table: false,
            given: Encoded::default(),
        };
        self.say(worker, loaded);
    }

    fn told_to_read(&self) -> (WorkerId, LogId) {
        let log = |message: &ToWorker| match message {
            ToWorker::Generate { log, .. } => Some(*log),
            _ => None,
        };
        self.latest(log).expect("a worker is told to read")
    }

    fn describe(&mut self) {
        let ticket = |message: &ToWorker| match message {
            ToWorker::Describe { ticket, .. } => Some(*ticket),
            _ => None,
        };
        let (worker, ticket) = self.latest(ticket).expect("a worker is asked what the log is like");
        let Source::Generated(Generated::Lublin { jobs, .. }) = self.study.source else { panic!("it is generated") };
        let (summary, account) = (Box::new(summary(jobs as usize)), Account::default());
        self.say(worker, FromWorker::Described { ticket, summary, unfiltered: None, account });
    }

    fn told_to_pack(&self) -> (WorkerId, Ticket) {
        let ticket = |message: &ToWorker| match message {
            ToWorker::Pack { ticket, .. } => Some(*ticket),
            _ => None,
        };
        self.latest(ticket).expect("a worker is told to make the workload")
    }

    fn pack(&mut self) {
        let (worker, ticket) = self.told_to_pack();
        self.say_with(worker, FromWorker::Packed { ticket }, "workload");
    }

    fn told_to_run(&self, of: &Run) -> (WorkerId, Ticket) {
        let ticket = |message: &ToWorker| match message {
            ToWorker::Run { ticket, run, .. } if run == of => Some(*ticket),
            _ => None,
        };
        self.latest(ticket).unwrap_or_else(|| panic!("no worker was told to run {}", of.id()))
    }

    fn finish(&mut self, of: &Run) {
        let (worker, ticket) = self.told_to_run(of);
        let schedule = format!("schedule of {}", of.scheduler);
        self.say_with(worker, FromWorker::Finished { ticket, report: Box::new(report(of)) }, &schedule);
    }

    fn status(&self, of: &Run) -> Status {
        self.queue.row(of).expect("it is in the table").status.clone()
    }

    /// The orders about workers since the last call, in words.
    fn said(&mut self) -> Vec<String> {
        let before = std::mem::replace(&mut self.told, self.orders.len());
        self.orders[before..].iter().filter_map(words).collect()
    }

    /// The error messages that were shown.
    fn complaints(&self) -> Vec<&str> {
        fn complaint(order: &QueueOrder<String>) -> Option<&str> {
            if let QueueOrder::Complain(message) = order { Some(message) } else { None }
        }
        self.orders.iter().filter_map(complaint).collect()
    }
}

fn words(order: &QueueOrder<String>) -> Option<String> {
    let (worker, message, attachment) = match order {
        QueueOrder::Start(worker) => return Some(format!("start {worker}")),
        QueueOrder::End(worker) => return Some(format!("end {worker}")),
        QueueOrder::Send { worker, message, attachment } => (worker, message, attachment),
        _ => return None,
    };
    let message = match message {
        ToWorker::Generate { .. } => "read".to_owned(),
        ToWorker::Forget { .. } => "forget".to_owned(),
        ToWorker::Describe { .. } => "describe".to_owned(),
        ToWorker::Pack { .. } => "pack".to_owned(),
        ToWorker::Take { .. } => "take".to_owned(),
        ToWorker::Run { run, .. } => format!("run {}", run.scheduler),
        ToWorker::FairStarts { jobs, .. } => format!("fair starts {jobs:?}"),
        ToWorker::Measure { .. } => "measure".to_owned(),
        ToWorker::Cancel { .. } => "cancel".to_owned(),
        ToWorker::Keep { .. } => "keep".to_owned(),
        ToWorker::Ask { .. } => "ask".to_owned(),
        ToWorker::Repeat { task, .. } => {
            let task = repeats::task_of(task);
            format!("repeat {} of {} runs", task.repeat, task.runs.len())
        }
        ToWorker::Load { .. } | ToWorker::LatePart { .. } => panic!("these tests load no file"),
    };
    Some(match attachment {
        Attachment::Nothing => format!("{worker}: {message}"),
        Attachment::One(bytes) => format!("{worker}: {message} [{bytes}]"),
        Attachment::Several(all) => format!("{worker}: {message} [{}]", all.join(", ")),
    })
}
