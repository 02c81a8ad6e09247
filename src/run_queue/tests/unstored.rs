//! Tests with a browser that stores nothing, as in private windows and on full disks: the session keeps all results.

use super::*;
use crate::workload::JobId;

impl Page {
    /// A page on which all runs have ended and whose browser refused to store the results: no copy is ever reported as
    /// stored.
    fn refused() -> Self {
        let page = Page::ended();
        let store = |order: &&QueueOrder<String>| matches!(order, QueueOrder::Store { .. });
        assert_eq!(page.orders.iter().filter(store).count(), 3, "it was asked to");
        page
    }

    fn fetches(&self) -> usize {
        self.orders.iter().filter(|order| matches!(order, QueueOrder::Fetch(_))).count()
    }
}

#[test]
fn schedules_stay_at_hand_for_questions_and_fair_starts() {
    let mut page = Page::refused();
    let query = Query::Waited { run: run("easy"), job: JobId(1) };
    page.tell(Event::Queried { question: 900, query });
    assert_eq!(page.said(), ["0: keep [schedule of easy]", "0: ask"]);
    page.tell(Event::FairStartsWanted(run("justbf")));
    assert!(page.said()[0].contains("[schedule of justbf]"));
    assert_eq!(page.fetches(), 0, "nothing is looked for where nothing is");
}

#[test]
fn they_stay_at_hand_when_the_log_worker_dies_and_when_the_log_is_treated_otherwise_and_back() {
    let mut page = Page::refused();
    page.tell(Event::Died { worker: 0, message: "out of memory".to_owned() });
    page.change_study(|study| study.correction = crate::simulation::Correction::Doubling);
    page.change_study(|study| study.correction = crate::simulation::Correction::default());
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done && row.result.is_some()));
    page.said();
    page.tell(Event::Queried { question: 900, query: Query::Waited { run: run("easy"), job: JobId(1) } });
    assert_eq!(page.said(), ["start 3", "3: keep [schedule of easy]", "3: read", "3: ask"]);
    assert_eq!(page.fetches(), 0);
}

#[test]
fn a_schedule_that_was_stored_and_is_there_no_longer_can_be_run_again() {
    let mut page = Page::refused();
    let key = RunSettings::of(&page.study).key(&run("easy"));
    let copy = page.queue.schedules[&key].0;
    page.tell(Event::Stored { key: key.clone(), copy });
    // the browser has cleared its storage meanwhile
    page.tell(Event::Queried { question: 900, query: Query::Waited { run: run("easy"), job: JobId(1) } });
    assert_eq!(page.answer_to(900), Some(Err("It is not stored.".to_owned())));
    page.tell(Event::RunOne(run("easy")));
    page.finish(&run("easy"));
    page.said();
    page.tell(Event::Queried { question: 901, query: Query::Waited { run: run("easy"), job: JobId(1) } });
    assert_eq!(page.said(), ["0: keep [schedule of easy]", "0: ask"]);
}
