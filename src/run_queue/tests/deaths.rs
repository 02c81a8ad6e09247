//! Workers that end in the midst of their work: nothing else is lost, it is said, and another takes their place.

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
    // another treatment may go well: the next worker reads the log again first
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
    // it is offered again
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
    // the workload is still there: no log worker is needed for a run
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
    // the browser starts no runner at all: each run says so
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
    page.tell(Event::Asked { question: 900, query: query.clone() });
    page.die(0);
    let answer = Box::new(Err("It stopped.".to_owned()));
    assert!(page.orders.contains(&QueueOrder::Answer { question: 900, answer }));
    page.said();
    page.tell(Event::Asked { question: 901, query });
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
