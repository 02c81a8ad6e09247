//! Tests of fair start times: computed in parts, put together, given up.

use super::*;

impl Page {
    pub(super) fn part_of(&self, worker: WorkerId) -> Ticket {
        let at = self.queue.running.iter().find(|(_, (_, at))| *at == worker);
        at.map(|(&ticket, _)| ticket).expect("it is at a part")
    }

    pub(super) fn finish_part(&mut self, worker: WorkerId, bytes: &str) {
        let ticket = self.part_of(worker);
        self.say_with(worker, FromWorker::FairStarts { ticket }, bytes);
    }
}

#[test]
fn they_are_computed_in_parts_on_all_workers_and_put_together_in_order() {
    let mut page = Page::ended();
    page.tell(Event::FairStartsWanted(run("easy")));
    let schedule = "[schedule of easy]";
    assert_eq!(
        page.said(),
        [format!("2: fair starts 0..1000 {schedule}"), format!("1: fair starts 1000..2000 {schedule}")]
    );
    let ticket = page.part_of(2);
    page.say(2, FromWorker::Progress { ticket, completed: 400, jobs: 1_000, spent: 0.1 });
    assert!(matches!(page.status(&run("easy")), Status::Running { completed: 400, jobs: 4_000, left: Some(_) }));
    page.finish_part(1, "second");
    assert_eq!(page.said(), [format!("1: fair starts 2000..3000 {schedule}")]);
    page.finish_part(1, "third");
    page.finish_part(1, "fourth");
    page.said();
    page.finish_part(2, "first");
    assert_eq!(page.said().len(), 1);
    assert_eq!(page.status(&run("easy")), Status::Measuring);
    let (worker, ticket) = page.measuring();
    let report = Box::new(fair_report(&run("easy")));
    page.say_with(worker, FromWorker::Finished { ticket, report }, "schedule with fair starts");
    let row = page.queue.row(&run("easy")).unwrap();
    assert_eq!(row.status, Status::Done);
    assert!(row.result.as_ref().unwrap().has_fair_starts());
    assert!(page.queue.is_idle() && page.queue.fair.is_empty());
}

#[test]
fn the_measuring_worker_is_given_the_schedule_and_all_parts() {
    let mut page = Page::ended();
    page.tell(Event::FairStartsWanted(run("easy")));
    page.finish_part(2, "first");
    page.finish_part(1, "second");
    page.finish_part(1, "fourth");
    page.said();
    page.finish_part(2, "third");
    assert_eq!(page.said(), ["2: measure [schedule of easy, first, second, third, fourth]"]);
}

#[test]
fn a_schedule_that_is_stored_is_fetched_first() {
    let mut page = Page::ended();
    let key = RunSettings::of(&page.study).key(&run("easy"));
    let copy = page.queue.schedules[&key].0;
    page.tell(Event::Stored { key: key.clone(), copy });
    page.tell(Event::FairStartsWanted(run("easy")));
    assert_eq!(page.status(&run("easy")), Status::Failed("It is not stored.".to_owned()));
    page.stored.push((key, "stored schedule".to_owned()));
    page.tell(Event::FairStartsWanted(run("easy")));
    assert_eq!(page.said()[0], "2: fair starts 0..1000 [stored schedule]");
}

#[test]
fn cancelled_they_leave_the_result_as_it_was() {
    let mut page = Page::ended();
    page.tell(Event::FairStartsWanted(run("easy")));
    page.said();
    page.tell(Event::Cancel(run("easy")));
    assert_eq!(page.said(), ["2: cancel", "1: cancel"]);
    assert_eq!(page.status(&run("easy")), Status::Done);
    assert!(page.queue.is_idle() && page.queue.fair.is_empty());
}

#[test]
fn columns_that_take_them_have_them_computed_once_runs_have_ended() {
    let mut page = Page::ended();
    page.change_study(|study| study.columns.push(Metric::StrictUnfairness));
    assert_eq!(page.queue.fair.len(), 3, "they take little time");
    let mut page = Page::new(Study { columns: vec![Metric::StrictUnfairness], ..study() });
    page.change_study(|_| {});
    page.open(study().source);
    page.read();
    page.describe();
    page.pack();
    page.finish(&run("easy"));
    assert_eq!(page.queue.fair.len(), 1);
    assert_eq!(page.status(&run("easy")), Status::Queued);
    page.change_study(|study| study.measure.bsld_bound += 1.0);
    assert!(page.queue.fair.is_empty(), "they are of other settings");
}

impl Page {
    pub(super) fn measuring(&self) -> (WorkerId, Ticket) {
        let measuring =
            self.queue.running.iter().find(|(_, (task, _))| matches!(task.work, super::workers::Work::Measure));
        measuring.map(|(&ticket, &(_, worker))| (worker, ticket)).expect("it is measured")
    }
}
