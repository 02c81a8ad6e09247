//! Tests of questions: their schedules are passed on, and answers that are no longer needed are given up.

use super::*;
use crate::study::query::Answer;
use crate::workload::JobId;

impl Page {}

fn fair_start(job: u32) -> Query {
    Query::FairStart { run: run("easy"), rules: Rules::default(), job: JobId(job) }
}

#[test]
fn a_schedule_is_handed_over_once() {
    let mut page = Page::ended();
    let query = Query::Waited { run: run("easy"), job: JobId(1) };
    page.tell(Event::Queried { question: 900, query: query.clone() });
    assert_eq!(page.said(), ["0: keep [schedule of easy]", "0: ask"]);
    page.say(0, FromWorker::Answered { ticket: 900, answer: Box::new(Answer::FairStart(1, 2)) });
    assert_eq!(page.answer_to(900), Some(Ok(Answer::FairStart(1, 2))));
    page.said();
    page.tell(Event::Queried { question: 901, query });
    assert_eq!(page.said(), ["0: ask"]);
    page.say(0, FromWorker::Failed { ticket: 901, message: "No such job.".to_owned() });
    assert_eq!(page.answer_to(901), Some(Err("No such job.".to_owned())));
}

#[test]
fn a_stored_schedule_is_fetched_before_it_is_asked_about() {
    let mut page = Page::ended();
    let key = RunSettings::of(&page.study).key(&run("easy"));
    let copy = page.queue.schedules[&key].0;
    page.tell(Event::Stored { key: key.clone(), copy: copy + 1 });
    assert!(page.queue.schedules.contains_key(&key), "that was an older copy");
    page.tell(Event::Stored { key: key.clone(), copy });
    page.tell(Event::Queried { question: 900, query: fair_start(1) });
    assert_eq!(page.answer_to(900), Some(Err("It is not stored.".to_owned())));
    page.stored.push((key, "stored schedule".to_owned()));
    page.tell(Event::Queried { question: 901, query: fair_start(1) });
    assert_eq!(page.said(), ["0: keep [stored schedule]", "0: ask"]);
}

#[test]
fn a_long_answer_gives_way_to_the_question_after_it() {
    let mut page = Page::ended();
    page.tell(Event::Queried { question: 900, query: fair_start(1) });
    page.said();
    page.tell(Event::Queried { question: 901, query: fair_start(2) });
    assert!(page.answer_to(900).is_some_and(|answer| answer.is_err()));
    assert_eq!(page.said(), ["0: cancel", "0: ask"]);
    page.say(0, FromWorker::Answered { ticket: 900, answer: Box::new(Answer::FairStart(1, 2)) });
    page.say(0, FromWorker::Answered { ticket: 901, answer: Box::new(Answer::FairStart(3, 4)) });
    assert_eq!(page.answer_to(901), Some(Ok(Answer::FairStart(3, 4))), "nobody waits for the other any more");
}

#[test]
fn there_is_no_answer_without_a_result() {
    let mut page = Page::running(study());
    page.tell(Event::Queried { question: 900, query: fair_start(1) });
    let Some(Err(message)) = page.answer_to(900) else { panic!("there is no result") };
    assert!(message.ends_with("has no result yet."), "{message}");
}
