//! Tests of the order of runs, their progress, and stopping them.

use super::*;

#[test]
fn runs_begin_in_the_order_of_the_table_on_a_workload_that_is_made_once() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(study().source);
    assert_eq!(page.said(), ["start 0", "0: read"]);
    page.read();
    assert_eq!(page.said(), ["0: describe"]);
    page.describe();
    assert_eq!(page.said(), ["0: run easy", "0: cancel", "0: pack"], "it is not quick enough for one worker");
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Queued));
    page.pack();
    let first = ["start 1", "1: take [workload]", "1: run easy", "start 2", "2: take [workload]", "2: run justbf"];
    assert_eq!(page.said()[..], first);
    page.finish_run("justbf");
    assert_eq!(page.said(), ["2: run saf-justbf"], "it has the workload already");
    page.finish_run("easy");
    page.finish_run("saf-justbf");
    assert!(page.queue.is_idle() && page.queue.rows().iter().all(|row| row.status == Status::Done));
    assert_eq!(page.said(), [""; 0]);
    assert_eq!(page.queue.schedules.len(), 3, "none is stored yet");
}

#[test]
fn progress_is_shown_with_the_seconds_left() {
    let mut page = Page::running(study());
    let (worker, ticket) = page.told_to_run(&run("easy"));
    let begun = page.now;
    page.say(worker, FromWorker::Progress { ticket, completed: 0, jobs: 4_000, spent: 0.1 });
    assert_eq!(page.status(&run("easy")), Status::Running { completed: 0, jobs: 4_000, left: None });
    page.now = begun + 990.0;
    page.say(worker, FromWorker::Progress { ticket, completed: 1_000, jobs: 4_000, spent: 0.2 });
    let Status::Running { left: Some(left), .. } = page.status(&run("easy")) else { panic!("it runs") };
    assert!(
        (left - 0.3).abs() < 1e-9,
        "three times what the worker took for a quarter since it first reported: {left}"
    );
    page.say(worker, FromWorker::Progress { ticket, completed: 4_000, jobs: 4_000, spent: 0.1 });
    assert_eq!(page.status(&run("easy")), Status::Measuring);
}

#[test]
fn a_cancelled_run_leaves_its_worker_to_the_next_once_that_has_heard_of_it() {
    let mut page = Page::running(study());
    page.said();
    let (worker, ticket) = page.cancelled_by(|page| page.tell(Event::Cancel(run("easy"))));
    assert_eq!(page.status(&run("easy")), Status::Cancelled);
    assert_eq!(page.said(), ["1: cancel"]);
    page.say(worker, FromWorker::Cancelled { ticket });
    assert_eq!(page.said(), ["1: run saf-justbf"]);
    assert_eq!(page.status(&run("easy")), Status::Cancelled);
    // a cancelled run does not start by itself
    page.finish_run("justbf");
    page.finish_run("saf-justbf");
    page.change_study(|study| study.columns.truncate(1));
    assert_eq!(page.said(), [""; 0]);
    page.tell(Event::RunAll);
    assert_eq!(page.said(), ["2: run easy"]);
}

#[test]
fn a_waiting_run_that_is_cancelled_is_never_begun() {
    let mut page = Page::running(study());
    page.said();
    page.tell(Event::Cancel(run("saf-justbf")));
    page.finish_run("easy");
    page.finish_run("justbf");
    assert_eq!(page.said(), [""; 0]);
    assert_eq!(page.status(&run("saf-justbf")), Status::Cancelled);
}

#[test]
fn all_runs_are_cancelled_and_what_workers_say_of_them_is_of_no_interest() {
    let mut page = Page::running(study());
    page.said();
    let told = page.at_work();
    page.tell(Event::CancelAll);
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Cancelled));
    assert!(page.orders.contains(&QueueOrder::NoteUnderWay(None)), "a reload has nothing to go on with");
    assert_eq!(page.said(), ["1: cancel", "2: cancel"]);
    // one worker had finished its run before it noticed the cancellation
    let (worker, ticket) = told[0];
    page.say_with(worker, FromWorker::Finished { ticket, report: Box::new(report(&run("easy"))) }, "late");
    let row = page.queue.row(&run("easy")).unwrap();
    assert_eq!((&row.status, &row.result), (&Status::Cancelled, &None));
}

#[test]
fn a_run_again_replaces_the_one_that_goes_on() {
    let mut page = Page::running(study());
    page.said();
    page.tell(Event::RunOne(run("easy")));
    assert_eq!(page.said(), ["1: cancel"]);
    assert_eq!(page.status(&run("easy")), Status::Queued);
    page.say(1, FromWorker::Cancelled { ticket: 0 });
    assert_eq!(page.said(), ["1: run saf-justbf"], "it was there first");
}

#[test]
fn what_is_under_way_is_noted_for_a_reload_and_gone_on_with() {
    let mut page = Page::running(study());
    page.finish_run("easy");
    page.tell(Event::Cancel(run("saf-justbf")));
    let noted = page.orders.iter().rev().find_map(|order| match order {
        QueueOrder::NoteUnderWay(noted) => noted.clone(),
        _ => None,
    });
    let (settings, runs) = noted.expect("one goes on");
    assert_eq!(runs, [run("justbf")]);
    // the page is loaded again, in a browser in which runs take long
    let mut again = Page::new(study());
    again.queue = RunQueue::new(study(), 2, Some((settings, runs)));
    again.change_study(|_| {});
    again.open(study().source);
    again.read();
    again.describe();
    assert!(again.orders.contains(&QueueOrder::SayResumed(1)));
    again.pack();
    assert!(again.said().contains(&"1: run justbf".to_owned()), "it is the first");
}

impl Page {
    fn finish_run(&mut self, scheduler: &str) {
        self.finish(&run(scheduler));
    }

    fn at_work(&self) -> [(WorkerId, Ticket); 2] {
        let of = |worker: WorkerId| {
            let (&ticket, _) = self.queue.running.iter().find(|(_, (_, at))| *at == worker).expect("it runs");
            (worker, ticket)
        };
        [of(1), of(2)]
    }

    fn cancelled_by(&mut self, act: impl FnOnce(&mut Self)) -> (WorkerId, Ticket) {
        let [first, _] = self.at_work();
        act(self);
        first
    }
}

fn settings_of_number(n: u32) -> RunSettings {
    let mut study = study();
    study.treatment.shrink = 1.0 + f64::from(n) / 1_000.0;
    RunSettings::of(&study)
}

#[test]
fn of_many_results_that_were_stored_before_few_stay() {
    let mut page = Page::ended();
    for n in 1..=400 {
        let report = Box::new(report(&run("easy")));
        page.tell(Event::Remembered { settings: settings_of_number(n), report });
    }
    assert!(page.queue.outcomes.len() < 40, "{}", page.queue.outcomes.len());
    let latest = settings_of_number(400).key(&run("easy"));
    assert!(page.queue.outcome(&latest).is_some());
}

#[test]
fn of_many_results_those_of_the_rows_and_those_that_are_not_stored_stay() {
    let mut page = Page::ended();
    let settings = settings_of_number;
    let key = |n: u32| settings(n).key(&run("easy"));
    page.queue.schedules.insert(key(1), (7, "a schedule that is not stored".to_owned()));
    for n in 1..=400 {
        page.queue.take_result(key(n), settings(n), report(&run("easy")));
    }
    let shown: Vec<ScheduleKey> = page.queue.rows.iter().map(|row| settings(0).key(&row.run)).collect();
    page.tell(Event::Stored { key: key(400), copy: 9 });
    let at_hand = |key: &ScheduleKey| page.queue.outcome(key).is_some();
    assert!(page.queue.outcomes.len() < 40, "{}", page.queue.outcomes.len());
    assert!(shown.iter().all(at_hand) && at_hand(&key(1)) && at_hand(&key(400)) && !at_hand(&key(2)));
}
