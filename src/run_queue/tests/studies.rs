//! Tests of studies that change while runs are under way, of stored results, and of the results of a link.

use super::*;

#[test]
fn runs_with_other_settings_than_the_study_are_given_up() {
    let mut page = Page::running(study());
    page.finish(&run("easy"));
    page.said();
    let (worker, ticket) = page.told_to_run_justbf();
    page.change_study(|study| study.measure.bsld_bound += 1.0);
    // runner 1 had saf-justbf, runner 2 had justbf; with the new settings all three runs wait
    assert_eq!(page.said(), ["2: cancel", "1: cancel"]);
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Queued));
    let row = page.queue.row(&run("easy")).unwrap();
    assert!(row.is_stale(&page.study), "the result of before stays, marked");
    // the result that the worker finished meanwhile has other settings than the study
    page.say_with(worker, FromWorker::Finished { ticket, report: Box::new(report(&run("justbf"))) }, "late");
    assert!(page.queue.row(&run("justbf")).unwrap().result.is_none());
    assert_eq!(page.said(), ["2: run easy"]);
}

#[test]
fn a_run_that_the_study_has_no_more_is_given_up_and_the_others_go_on() {
    let mut page = Page::running(study());
    page.said();
    page.change_study(|study| drop(study.schedulers.remove(0)));
    assert_eq!(page.said(), ["1: cancel"]);
    assert_eq!(page.queue.rows().len(), 2);
    page.say(1, FromWorker::Cancelled { ticket: 0 });
    assert_eq!(page.said(), ["1: run saf-justbf"]);
}

#[test]
fn results_of_this_session_come_back_with_their_settings() {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.said();
    let bound = page.study.measure.bsld_bound;
    page.change_study(|study| study.measure.bsld_bound = 1.0);
    page.tell(Event::CancelAll);
    page.said();
    page.change_study(|study| study.measure.bsld_bound = bound);
    assert_eq!(page.said(), [""; 0], "nothing is to be computed");
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done && !row.is_stale(&page.study)));
}

#[test]
fn a_remembered_result_is_shown_unless_it_is_being_computed() {
    let mut page = Page::new(study());
    let settings = RunSettings::of(&study());
    page.change_study(|_| {});
    page.tell(Event::Remembered { settings: settings.clone(), report: Box::new(report(&run("easy"))) });
    page.open(study().source);
    page.read();
    page.describe();
    page.pack();
    assert_eq!(page.status(&run("easy")), Status::Done);
    let runs: Vec<String> = page.said().into_iter().filter(|said| said.contains("run")).collect();
    assert_eq!(runs, ["0: run justbf", "1: run justbf", "2: run saf-justbf"]);
    // these results arrive late: the runs are being computed, or have been
    let remembered = RunReport { wall_s: 99.0, ..report(&run("justbf")) };
    page.tell(Event::Remembered { settings: settings.clone(), report: Box::new(remembered.clone()) });
    assert_eq!(page.status(&run("justbf")), Status::Queued);
    page.finish(&run("justbf"));
    page.tell(Event::Remembered { settings, report: Box::new(remembered) });
    let result = page.queue.row(&run("justbf")).unwrap().result.clone().unwrap();
    assert_ne!(result.report.wall_s, 99.0);
}

#[test]
fn stored_results_are_waited_for_before_runs_begin() {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.said();
    page.study.measure.bsld_bound += 1.0;
    let orders = page.queue.handle(0.0, Event::StudyChanged(Box::new(page.study.clone())));
    let search = orders.iter().find_map(|order| match order {
        QueueOrder::Recall { search, missing, .. } => Some((*search, missing.len())),
        _ => None,
    });
    let (search, missing) = search.expect("they are looked for");
    assert_eq!(missing, 3);
    assert!(page.queue.is_idle());
    page.tell(Event::Recalled(search - 1));
    assert!(page.queue.is_idle(), "that was another search");
    page.tell(Event::Recalled(search));
    assert!(!page.queue.is_idle());
}

#[test]
fn long_runs_wait_until_they_are_asked_for() {
    let mut long = study();
    long.source = generated(3_000_000);
    let mut page = Page::new(long.clone());
    page.change_study(|_| {});
    page.open(long.source);
    page.read();
    page.describe();
    page.pack();
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.say(worker, FromWorker::Progress { ticket, completed: 9, jobs: 1_000, spent: 0.4 });
    assert!(matches!(page.status(&run("easy")), Status::Running { .. }), "too early to tell");
    page.say(worker, FromWorker::Progress { ticket, completed: 19, jobs: 1_000, spent: 1.0 });
    let measured = 1.0 - 0.4;
    assert_eq!(page.status(&run("easy")), Status::Held { seconds: Some(1.0 + measured * 981.0 / 10.0) });
    page.say(worker, FromWorker::Cancelled { ticket });
    page.finish(&run("justbf"));
    page.finish(&run("saf-justbf"));
    assert!(page.queue.is_idle(), "the others are there, and it waits");
    page.change_study(|study| study.columns.truncate(1));
    assert!(page.queue.is_idle(), "it does not start again by itself");
    page.tell(Event::RunAll);
    let (worker, ticket) = page.told_to_run(&run("easy"));
    for (completed, spent) in [(9, 0.4), (19, 1.0)] {
        page.say(worker, FromWorker::Progress { ticket, completed, jobs: 1_000, spent });
    }
    assert!(matches!(page.status(&run("easy")), Status::Running { left: Some(_), .. }), "now it was asked for");
}

/// A worker may load a part of its code, and compile it, before it has completed a job.
#[test]
fn what_a_worker_does_once_tells_nothing_of_how_long_a_run_takes() {
    let mut long = study();
    long.source = generated(3_000_000);
    let mut page = Page::new(long.clone());
    page.change_study(|_| {});
    page.open(long.source);
    page.read();
    page.describe();
    page.pack();
    let (worker, ticket) = page.told_to_run(&run("easy"));
    for (completed, spent) in [(1, 8.0), (20, 8.15), (100, 8.6)] {
        page.say(worker, FromWorker::Progress { ticket, completed, jobs: 1_000, spent });
        assert!(matches!(page.status(&run("easy")), Status::Running { .. }), "the rest takes six seconds");
    }
}

#[test]
fn what_a_link_brings_is_computed_here_and_compared() {
    let mut page = Page::new(study());
    let reports = study().runs().iter().map(report).collect();
    page.tell(Event::SharedShown { study: Box::new(study()), reports });
    page.tell(Event::LogLeft);
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done));
    page.tell(Event::RunAll);
    assert_eq!(page.complaints(), ["Drop the log first: a shared result does not contain it."]);
    page.open(study().source);
    page.read();
    page.describe();
    page.pack();
    page.finish(&run("easy"));
    assert!(page.orders.contains(&QueueOrder::CompareShared));
    assert!(page.queue.row(&run("easy")).unwrap().result.as_ref().unwrap().has_schedule);
}

impl Page {
    fn told_to_run_justbf(&self) -> (WorkerId, Ticket) {
        let running = self.queue.running.iter().find(|(_, (task, _))| task.run == run("justbf"));
        running.map(|(&ticket, &(_, worker))| (worker, ticket)).expect("it runs")
    }
}
