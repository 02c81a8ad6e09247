//! Tests with workers that end in the middle of their work: nothing else is lost, the user is told, and another worker
//! replaces them.

use super::*;

impl Page {
    fn die(&mut self, worker: WorkerId) {
        self.tell(Event::Died { worker, message: "It stopped.".to_owned() });
    }
}

fn failed() -> Status {
    Status::Failed("It stopped.".to_owned())
}

#[test]
fn while_a_log_is_read() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(study().source);
    page.said();
    page.die(0);
    assert!(page.orders.contains(&QueueOrder::ForgetFile));
    assert_eq!(page.said(), ["end 0"]);
    assert!(matches!(page.queue.log(), LogState::Failed { message, .. } if message == "It stopped."));
    page.open(study().source);
    assert_eq!(page.said(), ["start 1", "1: read"]);
}

#[test]
fn while_a_log_is_described() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(study().source);
    page.read();
    page.said();
    page.die(0);
    assert!(matches!(page.queue.log(), LogState::Failed { message, .. } if message == "It stopped."));
    // another treatment may succeed: the next worker reads the log again first
    page.tell(Event::TreatmentChanged);
    assert_eq!(page.said(), ["end 0", "start 1", "1: read", "1: describe"]);
    page.describe();
    assert!(matches!(page.queue.log(), LogState::Ready(_)));
}

#[test]
fn while_the_workload_is_made() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(study().source);
    page.read();
    page.describe();
    page.said();
    page.die(0);
    assert!(page.queue.rows().iter().all(|row| row.status == failed()));
    assert!(matches!(page.queue.log(), LogState::Ready(_)));
    page.tell(Event::RunAll);
    assert_eq!(page.said(), ["end 0", "start 1", "1: read", "1: pack"]);
    page.pack();
    assert_eq!(page.said()[2], "2: run easy");
}

#[test]
fn while_a_run_is_simulated() {
    let mut page = Page::running(study());
    page.said();
    page.die(1);
    assert_eq!(page.said(), ["end 1", "start 3", "3: take [workload]", "3: run saf-justbf"]);
    assert_eq!(page.status(&run("easy")), failed());
    page.finish(&run("justbf"));
    page.finish(&run("saf-justbf"));
    assert_eq!(page.status(&run("justbf")), Status::Done);
    // a run that has failed can be started again
    page.tell(Event::RunOne(run("easy")));
    assert_eq!(page.said().len(), 1);
}

#[test]
fn while_nothing_is_asked_of_it() {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.die(2);
    page.die(0);
    page.die(0);
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done));
    assert!(page.complaints().is_empty());
    page.said();
    // the workload is still there, so a run needs no log worker
    page.tell(Event::RunOne(run("easy")));
    assert_eq!(page.said(), ["1: run easy"]);
}

#[test]
fn after_a_run_was_given_up() {
    let mut page = Page::running(study());
    page.tell(Event::Cancel(run("easy")));
    page.said();
    page.die(1);
    assert_eq!(page.status(&run("easy")), Status::Cancelled);
    assert_eq!(page.said(), ["end 1", "start 3", "3: take [workload]", "3: run saf-justbf"]);
}

#[test]
fn before_it_began() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(study().source);
    page.read();
    page.describe();
    page.pack();
    // if the browser starts no runner at all, each run reports this
    for worker in 1..=3 {
        page.tell(Event::Died { worker, message: "The browser starts no Web Worker.".to_owned() });
    }
    let no_worker = Status::Failed("The browser starts no Web Worker.".to_owned());
    assert!(page.queue.rows().iter().all(|row| row.status == no_worker), "{:?}", page.queue.rows());
}

#[test]
fn while_it_answers_a_question() {
    let mut page = Page::running(study());
    page.finish(&run("easy"));
    let query = Query::Waited { run: run("easy"), job: crate::workload::JobId(3) };
    page.tell(Event::Queried { question: 900, query: query.clone() });
    page.die(0);
    let answer = Box::new(Err("It stopped.".to_owned()));
    assert!(page.orders.contains(&QueueOrder::Answer { question: 900, answer }));
    page.said();
    page.tell(Event::Queried { question: 901, query });
    let again = ["start 3", "3: keep [schedule of easy]", "3: read", "3: ask"];
    assert_eq!(page.said(), again, "the next one is given all it needs");
}

#[test]
fn while_fair_start_times_are_computed() {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.tell(Event::FairStartsWanted(run("easy")));
    page.said();
    page.die(2);
    assert_eq!(page.status(&run("easy")), failed());
    assert_eq!(page.said(), ["end 2", "1: cancel"], "the other parts are of no use");
    assert!(page.queue.is_idle());
    let row = page.queue.row(&run("easy")).unwrap();
    assert!(row.result.is_some(), "its result is there as before");
}

#[test]
fn a_run_that_fails_says_why_and_the_next_begins() {
    let mut page = Page::running(study());
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.said();
    page.say(worker, FromWorker::Failed { ticket, message: "No starts.".to_owned() });
    assert_eq!(page.status(&run("easy")), Status::Failed("No starts.".to_owned()));
    assert_eq!(page.said(), ["1: run saf-justbf"]);
}

#[test]
fn while_a_schedule_is_measured() {
    let mut page = Page::running(study());
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.say(worker, FromWorker::Progress { ticket, completed: 4_000, jobs: 4_000, spent: 0.1 });
    assert_eq!(page.status(&run("easy")), Status::Measuring);
    page.die(worker);
    assert_eq!(page.status(&run("easy")), failed());
    page.finish(&run("justbf"));
    page.finish(&run("saf-justbf"));
    page.tell(Event::RunAll);
    page.finish(&run("easy"));
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done));
}

#[test]
fn while_fair_start_times_are_measured() {
    let mut page = Page::ended();
    page.tell(Event::FairStartsWanted(run("easy")));
    for worker in [2, 1, 1, 2] {
        page.finish_part(worker, "part");
    }
    let (worker, _) = page.measuring();
    page.die(worker);
    assert_eq!(page.status(&run("easy")), failed());
    assert!(page.queue.is_idle() && page.queue.fair.is_empty());
    assert!(page.queue.row(&run("easy")).unwrap().result.is_some(), "its result is there as before");
    page.said();
    page.tell(Event::FairStartsWanted(run("easy")));
    assert!(page.said().iter().any(|said| said.contains("fair starts 0..1000 [schedule of easy]")));
}

#[test]
fn while_the_workload_of_repeats_is_made() {
    let mut page = Page::ended();
    page.change_study(|study| {
        study.treatment.shrink = 0.9;
        study.repeats = Some(crate::study::sureness::Repeats::of(3));
    });
    page.tell(Event::TreatmentChanged);
    page.describe();
    page.tell(Event::CancelAll);
    page.tell(Event::RepeatsWanted(None));
    let (worker, _) = page.told_to_pack();
    page.die(worker);
    let state = page.queue.repeats().unwrap();
    assert_eq!((state.failed.as_deref(), state.goes_on), (Some("It stopped."), false));
    page.said();
    page.tell(Event::RepeatsWanted(None));
    assert!(page.queue.repeats().unwrap().failed.is_none());
    assert_eq!(page.said(), ["start 3", "3: read", "3: pack"], "another takes its place");
    page.pack();
    assert!(page.said().iter().any(|said| said.ends_with("repeat 0 of 3 runs")));
}

#[test]
fn while_repeats_are_made_what_has_come_stays() {
    let mut page = Page::ended();
    page.change_study(|study| study.repeats = Some(crate::study::sureness::Repeats::of(4)));
    page.tell(Event::RepeatsWanted(None));
    page.repeat(0);
    let (worker, _) = page.told_to_repeat(1);
    page.die(worker);
    assert_eq!((page.queue.repeats().unwrap().done, page.queue.repeats().unwrap().goes_on), (1, false));
    page.said();
    page.tell(Event::RepeatsWanted(None));
    let said = page.said();
    assert!(said.iter().any(|said| said.ends_with("repeat 1 of 3 runs")), "{said:?}");
    assert!(!said.iter().any(|said| said.contains("repeat 0")), "{said:?}");
}

#[test]
fn while_the_workload_of_a_search_is_made_and_while_it_measures() {
    let mut page = Page::ended();
    page.change_study(|study| study.treatment.shrink = 0.9);
    page.tell(Event::TreatmentChanged);
    page.describe();
    page.tell(Event::CancelAll);
    page.tell(Event::Queried { question: 900, query: super::measurings::query(4) });
    let (worker, _) = page.told_to_pack();
    page.die(worker);
    assert_eq!(page.answer_to(900), Some(Err("It stopped.".to_owned())));
    page.tell(Event::Queried { question: 901, query: super::measurings::query(4) });
    page.pack();
    let (worker, ..) = *page.shares().last().expect("a runner has a share");
    page.die(worker);
    assert_eq!(page.answer_to(901), Some(Err("It stopped.".to_owned())));
    page.tell(Event::Queried { question: 902, query: super::measurings::query(1) });
    assert_eq!(page.answer_to(902), None, "the next one is asked of the others");
    assert!(page.queue.is_idle());
}

#[test]
fn while_a_log_of_a_series_is_read() {
    let mut page = Page::ended();
    page.tell(Event::RunOnLogs(vec![generated(5_000), generated(6_000)]));
    let (worker, _) = page.told_to_read();
    page.die(worker);
    // another worker opens the next log of the series, and the series returns to the log where it began
    for _ in 0..2 {
        page.read();
        page.describe();
        page.pack();
        for scheduler in ["easy", "justbf", "saf-justbf"] {
            if page.status(&run(scheduler)) != Status::Done {
                page.finish(&run(scheduler));
            }
        }
    }
    assert!(!page.queue.is_on_several_logs());
    assert_eq!(page.study.source, generated(4_000));
}

#[test]
fn one_worker_after_the_other() {
    let mut page = Page::running(study());
    // every replacement worker ends as well: each run fails once, and workers are not started forever
    for worker in 1..20 {
        page.die(worker);
    }
    assert!(page.queue.rows().iter().all(|row| row.status == failed()));
    assert!(page.queue.is_idle());
    // a message that a worker sent before it ended may arrive later
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.say_with(worker, FromWorker::Finished { ticket, report: Box::new(report(&run("easy"))) }, "late");
    assert_eq!(page.status(&run("easy")), failed());
    page.tell(Event::RunAll);
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done));
}
