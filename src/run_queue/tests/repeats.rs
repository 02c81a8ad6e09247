//! Tests of repeats: made after the runs, each by one worker, put together, and stopped.

use super::*;
use crate::machine::WhatIf;
use crate::run_queue::protocol::RepeatTask;
use crate::study::sureness::{RepeatedRun, Repeats};

fn page(count: u32) -> Page {
    let mut page = Page::running(study());
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler));
    }
    page.change_study(|study| study.repeats = Some(Repeats::of(count)));
    page.said();
    page
}

/// The task that a worker decodes.
pub(super) fn task_of(task: &Encoded<RepeatTask>) -> RepeatTask {
    task.decode().expect("a task")
}

impl Page {
    pub(super) fn told_to_repeat(&self, of: u32) -> (WorkerId, (Ticket, RepeatTask)) {
        let task = |message: &ToWorker| match message {
            ToWorker::Repeat { ticket, task, .. } => {
                Some((*ticket, task_of(task))).filter(|(_, task)| task.repeat == of)
            }
            _ => None,
        };
        self.latest(task).unwrap_or_else(|| panic!("no worker was told to make repeat {of}"))
    }

    pub(super) fn repeat(&mut self, of: u32) {
        let (worker, (ticket, task)) = self.told_to_repeat(of);
        self.repeated(worker, ticket, &task);
    }

    /// A worker has carried out a task: the value of each metric is the number of the repeat.
    fn repeated(&mut self, worker: WorkerId, ticket: Ticket, task: &RepeatTask) {
        let of = task.repeat;
        let values = vec![Some(f64::from(of)); task.metrics.len()];
        let counts = task.distributions.iter().map(|&distribution| (distribution, Default::default())).collect();
        let values = vec![RepeatedRun { values, counts }; task.runs.len()];
        let values = Encoded::of(&values);
        self.say(worker, FromWorker::Repeated { ticket, values });
    }

    /// Packs the workload of each machine as it is asked for; one is kept at a time.
    fn pack_what_is_asked_for(&mut self) {
        while self.said().iter().any(|said| said == "0: pack") {
            self.pack();
        }
    }

    fn state(&self) -> &RepeatsState {
        self.queue.repeats().expect("they were wanted")
    }
}

#[test]
fn a_repeat_is_made_on_one_machine_after_the_other() {
    let mut page = page(2);
    let other: WhatIf = "nodes=+20".parse().unwrap();
    page.change_study(|study| study.what_ifs = vec![other.clone()]);
    page.pack();
    for scheduler in ["easy", "justbf", "saf-justbf"] {
        page.finish(&run(scheduler).what_if(Some(other.clone())));
    }
    page.said();
    page.tell(Event::RepeatsWanted(None));
    page.pack_what_is_asked_for();
    let machines = |page: &Page| -> Vec<Option<String>> {
        let on = |order: &QueueOrder<String>| match order {
            QueueOrder::Send { message: ToWorker::Repeat { treatment, task, .. }, .. } => {
                assert!(task_of(task).runs.iter().all(|run| run.what_if == treatment.what_if));
                Some(treatment.what_if.as_ref().map(ToString::to_string))
            }
            _ => None,
        };
        page.orders.iter().filter_map(on).collect()
    };
    let with = || Some("nodes=+20".to_owned());
    assert_eq!(machines(&page), [None, with()], "both runners work on the first repeat");
    for (nth, done) in [(0, 0), (2, 0), (1, 1), (3, 2)] {
        let tasks = page.orders.iter().filter_map(|order| match order {
            QueueOrder::Send { worker, message: ToWorker::Repeat { ticket, task, .. }, .. } => {
                Some((*worker, *ticket, task_of(task)))
            }
            _ => None,
        });
        let (worker, ticket, task) = tasks.collect::<Vec<_>>().remove(nth);
        page.repeated(worker, ticket, &task);
        page.pack_what_is_asked_for();
        assert_eq!(page.state().done, done, "after task {nth}: a repeat is done once it is on both machines");
    }
    assert_eq!(machines(&page), [None, with(), None, with()]);
    assert!(!page.state().goes_on && page.state().done == 2);
    let other = run("easy").what_if(Some(other));
    assert!(page.state().repeated.change(&other, &run("easy"), Metric::Af, 0.0).is_ok(), "machines are compared");
}

#[test]
fn repeats_are_given_one_by_one_to_workers_that_have_the_workload() {
    let mut page = page(3);
    assert_eq!(page.said(), [""; 0], "nobody asked yet");
    page.tell(Event::RepeatsWanted(None));
    assert_eq!(page.said(), ["2: repeat 0 of 3 runs", "1: repeat 1 of 3 runs"]);
    page.repeat(1);
    assert_eq!(page.said(), ["1: repeat 2 of 3 runs"]);
    assert!(page.state().goes_on && page.state().left.is_some() && page.state().done == 1);
    page.repeat(0);
    page.repeat(2);
    assert!(!page.state().goes_on && page.state().done == 3);
    let af = page.state().repeated.interval(&run("easy"), Metric::Af, 1.0).unwrap();
    // the values 0, 1 and 2 about 1: Student's t with 2 degrees of freedom is 4.303
    assert!(af.low == 0.0 && (af.high - 5.303).abs() < 0.001, "{af:?}");
    assert!(page.orders.contains(&QueueOrder::ShowRepeats));
    assert_eq!(page.said(), [""; 0]);
}

#[test]
fn what_has_come_stays_when_they_are_stopped_and_when_a_run_comes_to_it() {
    let mut page = page(3);
    page.tell(Event::RepeatsWanted(None));
    page.repeat(0);
    page.said();
    page.tell(Event::RepeatsStopped);
    assert_eq!(page.said(), ["1: cancel", "2: cancel"]);
    for repeat in [1, 2] {
        let (worker, (ticket, _)) = page.told_to_repeat(repeat);
        page.say(worker, FromWorker::Cancelled { ticket });
    }
    assert_eq!((page.state().done, page.state().goes_on), (1, false));
    page.said();
    page.tell(Event::RepeatsWanted(None));
    assert_eq!(page.said(), ["2: repeat 1 of 3 runs", "1: repeat 2 of 3 runs"]);
    page.repeat(1);
    page.repeat(2);
    // another scheduler lacks all three repeats, the others lack none
    page.change_study(|study| study.schedulers.push("fcfs".parse().unwrap()));
    let fcfs = page.study.runs().into_iter().find(|run| run.scheduler.to_string() == "fcfs").unwrap();
    page.finish(&fcfs);
    page.said();
    page.tell(Event::RepeatsWanted(None));
    assert_eq!(page.said(), ["2: repeat 0 of 1 runs", "1: repeat 1 of 1 runs"]);
}

#[test]
fn other_settings_make_them_useless_and_runs_come_first() {
    let mut page = page(3);
    page.tell(Event::RepeatsWanted(None));
    page.repeat(0);
    page.said();
    page.change_study(|study| study.correction = crate::simulation::Correction::Doubling);
    assert_eq!(page.queue.repeats(), None);
    assert!(page.said().starts_with(&["1: cancel".to_owned(), "2: cancel".to_owned()]));
}

#[test]
fn what_cannot_be_repeated_says_why_and_a_dead_worker_ends_them() {
    let mut page = page(3);
    page.tell(Event::RepeatsWanted(None));
    let (worker, (ticket, _)) = page.told_to_repeat(0);
    page.say(worker, FromWorker::Failed { ticket, message: "too short".to_owned() });
    assert_eq!((page.state().failed.as_deref(), page.state().goes_on), (Some("too short"), false));
    let (worker, (ticket, _)) = page.told_to_repeat(1);
    page.say(worker, FromWorker::Cancelled { ticket });
    page.tell(Event::RepeatsWanted(None));
    assert_eq!(page.state().failed, None);
    let (worker, _) = page.told_to_repeat(1);
    page.tell(Event::Died { worker, message: "out of memory".to_owned() });
    assert_eq!(page.state().failed.as_deref(), Some("out of memory"));
}

#[test]
fn a_study_that_asks_for_none_is_repeated_by_itself_and_told_once_all_are_there() {
    let mut page = Page::ended();
    page.tell(Event::RepeatsWanted(Some(Repeats::of(3))));
    page.repeat(0);
    page.repeat(1);
    let study = page.study.clone();
    assert!(page.state().by_itself && page.state().is_of(&study) && !page.state().is_told(&study), "one is to come");
    page.repeat(2);
    assert!(page.state().is_told(&study));
    // another run lacks all three repeats
    page.change_study(|study| study.schedulers.push("fcfs".parse().unwrap()));
    let fcfs = page.study.runs().into_iter().find(|run| run.scheduler.to_string() == "fcfs").unwrap();
    page.finish(&fcfs);
    page.said();
    page.tell(Event::RepeatsWanted(Some(Repeats::of(3))));
    assert_eq!(page.said(), ["2: repeat 0 of 1 runs", "1: repeat 1 of 1 runs"]);
    // if the study asks for repeats, it gets that number
    page.change_study(|study| study.repeats = Some(Repeats::of(2)));
    assert_eq!(page.queue.repeats(), None);
    page.tell(Event::RepeatsWanted(Some(Repeats::of(3))));
    assert!(!page.state().by_itself && page.state().repeated.repeats.count == 2);
}
