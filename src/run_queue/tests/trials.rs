//! Tests of the trials of remedies: each has its own workload, and they come after the runs and before repeats.

use super::*;
use packfair_study::RunPartition;
use packfair_study::sureness::Repeats;
use packfair_study::verdict::{Closeness, Remedy, Trial, Trials};
use packfair_workload::Since;

fn closeness(near: f64) -> Closeness {
    Closeness { near, gap: 900.0, gap90: 9_000.0, rank: None }
}

/// Trials of two partitions by themselves, and of waits since jobs were eligible.
fn trials() -> Arc<Trials> {
    let partition = |number: i32| RunPartition { number, name: number.to_string(), processors: None };
    let on = |number: i32| {
        let run = run("easy").on_partition(Some(partition(number)));
        Trial { remedy: 0, treatment: run.treatment(&Treatment::default()), run }
    };
    let treatment = Treatment { since: Since::Eligible, ..Treatment::default() };
    let eligible = Trial { remedy: 1, treatment, run: run("easy") };
    let remedies = vec![Remedy::EachPartition(vec![partition(1), partition(2)]), Remedy::Eligible];
    Arc::new(Trials { before: closeness(0.1), remedies, trials: vec![on(1), on(2), eligible] })
}

impl Page {
    /// Ends a trial with this share of explained starts.
    fn tried(&mut self, (worker, ticket, _): (WorkerId, Ticket, usize), near: f64) {
        let values = vec![Some(vec![Some(near), Some(60.0), Some(600.0), None])];
        self.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Measured { jobs: 500, values }) });
    }

    fn of_trials(&self) -> &TrialsState {
        self.queue.trials().expect("they were wanted")
    }
}

#[test]
fn each_trial_has_its_workload_and_the_best_is_offered_once_all_have_come() {
    let mut page = Page::ended();
    page.tell(Event::TrialsWanted(trials()));
    assert_eq!(page.said(), ["0: pack"]);
    for (place, near) in [0.5, 0.9, 0.3].into_iter().enumerate() {
        page.pack();
        assert!(page.of_trials().goes_on && page.of_trials().offer.is_none());
        page.tried(page.shares()[place], near);
        assert_eq!(page.of_trials().done, place + 1);
    }
    let offer = page.of_trials().offer.clone().expect("something is better");
    assert!(offer.text.contains("50 to 90"), "{offer:?}");
    assert!(!page.of_trials().goes_on && page.orders.contains(&QueueOrder::ShowTrials));
}

#[test]
fn runs_go_before_them_and_repeats_behind() {
    let mut page = Page::ended();
    page.tell(Event::TrialsWanted(trials()));
    page.tell(Event::RepeatsWanted(Some(Repeats::of(2))));
    page.tell(Event::RunOne(run("easy")));
    page.said();
    page.pack();
    page.pack();
    let said = page.said();
    assert!(said.iter().any(|said| said.contains("run easy")), "{said:?}");
    assert!(!said.iter().any(|said| said.contains("repeat")), "{said:?}");
}

#[test]
fn repeats_go_before_questions_and_all_of_them_go_with_their_log() {
    let mut page = Page::ended();
    page.tell(Event::Queried { question: 900, query: measurings::query(10) });
    assert_eq!(page.said(), ["2: ask", "1: ask"]);
    page.tell(Event::RepeatsWanted(Some(Repeats::of(2))));
    page.tell(Event::TrialsWanted(trials()));
    let (worker, ticket, count) = page.shares()[0];
    let values = vec![Some(vec![Some(1.0)]); count];
    page.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Measured { jobs: 600, values }) });
    assert_eq!(page.said(), ["0: pack"], "the trials' workload comes first, though they came last");
    page.tell(Event::TrialsStopped);
    page.pack();
    page.pack(); // the study's own workload, after the one that nobody wants any more
    assert!(page.said().contains(&format!("{worker}: repeat 0 of 3 runs")), "then repeats, before the other shares");
    page.open(generated(5_000));
    page.read();
    assert_eq!(page.said().iter().filter(|said| said.ends_with("cancel")).count(), 2, "both are of the log of before");
    assert!(page.answer_to(900).is_some_and(|answer| answer.is_err()));
    assert!(page.queue.repeats().is_none_or(|state| !state.goes_on));
}

#[test]
fn what_cannot_be_made_comes_to_nothing_and_the_others_go_on() {
    let mut page = Page::ended();
    page.tell(Event::TrialsWanted(trials()));
    let (worker, ticket) = page.told_to_pack();
    page.say(worker, FromWorker::Failed { ticket, message: "No job is left.".to_owned() });
    page.pack();
    page.tried(page.shares()[0], 0.9);
    page.pack();
    let (worker, ticket, _) = page.shares()[1];
    page.say(worker, FromWorker::Failed { ticket, message: "No.".to_owned() });
    let state = page.of_trials();
    assert_eq!((state.done, state.goes_on, &state.offer), (3, false, &None), "one of two partitions says nothing");
    assert!(page.queue.rows().iter().all(|row| row.status == Status::Done), "no row fails for it");
}

#[test]
fn they_can_be_stopped_and_are_of_no_use_to_another_study() {
    let mut page = Page::ended();
    page.tell(Event::TrialsWanted(trials()));
    page.pack();
    page.said();
    page.tell(Event::TrialsStopped);
    assert!(page.said().iter().any(|said| said.ends_with("cancel")));
    assert!(!page.of_trials().goes_on && page.of_trials().offer.is_none());
    page.change_study(|study| study.treatment.since = Since::Eligible);
    assert_eq!(page.queue.trials(), None);
}
