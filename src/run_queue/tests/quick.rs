//! Tests of quick runs, which the log worker makes as long as there is no runner.

use super::*;

/// A page on a fast machine whose log is read and described.
fn described() -> Page {
    let mut page = Page::new(study());
    page.is_slow = false;
    page.change_study(|_| {});
    page.open(study().source);
    page.read();
    page.said();
    page.describe();
    page
}

#[test]
fn the_first_quick_runs_do_not_wait_for_runners_to_start() {
    let mut page = described();
    assert_eq!(page.said(), ["0: run easy"], "it has made the workload already");
    assert!(page.queue.rows()[1..].iter().all(|row| row.status == Status::Queued));
    let shown = |page: &Page| page.orders.iter().filter(|order| **order == QueueOrder::ShowRows).count();
    let before = shown(&page);
    page.finish(&run("easy"));
    assert_eq!(page.said(), ["0: run justbf"]);
    assert_eq!(shown(&page), before + 1);
    let before = shown(&page);
    page.finish(&run("justbf"));
    assert_eq!(shown(&page), before, "only the first and the last result are shown at once");
    page.finish(&run("saf-justbf"));
    assert!(page.queue.is_idle() && page.queue.rows().iter().all(|row| row.status == Status::Done));
}

#[test]
fn once_there_are_runners_they_take_quick_runs_too() {
    let mut page = described();
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.open(generated(4_000_000));
    page.read();
    page.describe();
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.say(worker, FromWorker::Progress { ticket, completed: 9, jobs: 4_000_000, spent: 0.15 });
    page.say(worker, FromWorker::Cancelled { ticket });
    page.pack();
    assert_ne!(page.told_to_run(&run("easy")).0, 0, "they take long");
    page.open(generated(3_000));
    page.read();
    page.said();
    page.describe();
    page.pack();
    assert!(page.said().iter().all(|said| !said.starts_with("0: run")));
}

#[test]
fn a_quick_run_that_is_cancelled_leaves_the_log_worker_to_the_next() {
    let mut page = described();
    page.said();
    let (worker, ticket) = page.told_to_run(&run("easy"));
    page.tell(Event::Cancel(run("easy")));
    assert_eq!(page.said(), ["0: cancel"]);
    page.say(worker, FromWorker::Cancelled { ticket });
    assert_eq!(page.said(), ["0: run justbf"]);
}

#[test]
fn a_log_worker_that_ends_in_a_quick_run_leaves_the_others_to_the_next() {
    let mut page = described();
    page.said();
    page.tell(Event::Died { worker: 0, message: "It stopped.".to_owned() });
    assert_eq!(page.status(&run("easy")), Status::Failed("It stopped.".to_owned()));
    assert_eq!(page.said(), ["end 0", "start 1", "1: read", "1: pack"]);
    page.pack();
    assert_eq!(page.said(), ["1: run justbf"]);
}
