//! Tests of logs that replace others, and of the study on one log after the other.

use super::*;

#[test]
fn another_log_ends_the_runs_on_the_one_before() {
    let mut page = Page::running(study());
    page.finish(&run("easy"));
    page.said();
    page.open(generated(3_000));
    assert_eq!(page.said(), ["0: read"]);
    assert!(!page.queue.is_idle(), "they go on until the other log is there");
    page.read();
    let said = page.said();
    assert_eq!(said, ["2: cancel", "1: cancel", "0: forget", "1: forget", "2: forget", "0: describe"]);
    assert!(page.queue.rows().iter().all(|row| row.result.is_none()), "no number stands under another name");
    page.describe();
    page.pack();
    assert_eq!(page.said(), ["0: pack"], "both runners have yet to hear of it");
    page.say(1, FromWorker::Cancelled { ticket: 0 });
    assert_eq!(page.said(), ["1: take [workload]", "1: run easy"]);
}

#[test]
fn the_same_log_again_leaves_its_runs_alone() {
    let mut page = Page::running(study());
    page.said();
    page.open(study().source);
    page.read();
    assert_eq!(page.said(), ["0: read", "0: describe"]);
    page.describe();
    page.finish(&run("easy"));
    assert_eq!(page.status(&run("easy")), Status::Done);
}

#[test]
fn a_log_that_is_wanted_no_more_is_not_shown_when_it_comes() {
    let mut page = Page::new(study());
    page.change_study(|_| {});
    page.open(generated(3_000));
    let (worker, first) = page.told_to_read();
    page.open(study().source);
    assert_eq!(page.said(), ["start 0", "0: read", "0: forget", "0: read"]);
    let (fingerprint, header) = (Fingerprint(9), Header::default());
    let late = FromWorker::Loaded {
        log: first,
        fingerprint,
        header,
        records: 1,
        name: String::new(),
        others: Vec::new(),
        tells_starts: false,
        names_requested_times: true,
        is_table: false,
        given: Encoded::default(),
    };
    page.say(worker, late);
    assert!(page.queue.open_log().is_none());
    page.open(study().source);
    page.read();
    assert_eq!(page.queue.open_log(), Some(&study().source));
}

#[test]
fn a_log_that_cannot_be_read_says_why() {
    let mut page = Page::new(study());
    page.open(study().source);
    let (worker, log) = page.told_to_read();
    page.say(worker, FromWorker::Loading { log, read: 1.0, total: 4.0 });
    assert!(matches!(page.queue.log(), LogState::Loading { fraction, .. } if *fraction == 0.25));
    page.say(worker, FromWorker::NotLoaded { log, message: "It is a picture.".to_owned(), may_go_on: false });
    let LogState::Failed { message, .. } = page.queue.log() else { panic!("it failed") };
    assert_eq!(message, "It is a picture.");
}

#[test]
fn a_log_of_which_much_is_not_understood_waits_for_the_user() {
    let mut page = Page::new(study());
    page.open(study().source);
    let (worker, log) = page.told_to_read();
    page.say(worker, FromWorker::NotLoaded { log, message: "500 of 1,000.".to_owned(), may_go_on: true });
    assert!(matches!(page.queue.log(), LogState::Failed { may_go_on: true, .. }));
    assert!(page.orders.contains(&QueueOrder::AwaitGoingOn) && !page.orders.contains(&QueueOrder::ForgetFile));
}

#[test]
fn the_study_runs_on_one_log_after_the_other_and_comes_back() {
    let mut page = Page::running(study());
    let (home, second, third) = (study().source, generated(3_000), generated(2_000));
    page.tell(Event::RunOnLogs(vec![home.clone(), second.clone(), third.clone()]));
    assert!(page.queue.is_on_several_logs());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        assert!(!page.orders.contains(&QueueOrder::Open(second.clone())), "runs go on");
        page.finish(&run(scheduler));
    }
    assert!(page.orders.contains(&QueueOrder::Open(second.clone())));
    page.read();
    page.describe();
    page.pack();
    // one run fails, which counts as an end too
    page.finish(&run("easy"));
    page.finish(&run("justbf"));
    let (worker, ticket) = page.told_to_run(&run("saf-justbf"));
    page.say(worker, FromWorker::Failed { ticket, message: "No.".to_owned() });
    assert!(page.orders.contains(&QueueOrder::Open(third.clone())));
    let (worker, log) = page.told_to_read();
    let before = page.orders.len();
    page.say(worker, FromWorker::NotLoaded { log, message: "It is gone.".to_owned(), may_go_on: false });
    assert!(!page.queue.is_on_several_logs());
    assert!(page.orders[before..].contains(&QueueOrder::Open(home)), "it comes back");
}

#[test]
fn runs_that_would_take_long_are_run_on_each_log_all_the_same() {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.tell(Event::RunOnLogs(vec![generated(3_000_000)]));
    page.read();
    page.describe();
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Queued));
}

#[test]
fn stopped_it_cancels_what_goes_on_and_comes_back() {
    let mut page = Page::running(study());
    page.tell(Event::RunOnLogs(vec![generated(3_000)]));
    page.read();
    page.describe();
    page.tell(Event::RunOnLogsStopped);
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Cancelled));
    assert!(page.orders.contains(&QueueOrder::Open(study().source)));
    assert!(!page.queue.is_on_several_logs());
}

#[test]
fn a_log_that_somebody_opens_meanwhile_ends_it() {
    let mut page = Page::running(study());
    page.tell(Event::RunOnLogs(vec![generated(3_000), generated(2_000)]));
    page.open(generated(1_500));
    page.read();
    assert!(!page.queue.is_on_several_logs());
    assert_eq!(page.study.source, generated(1_500));
}
