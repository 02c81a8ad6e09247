//! Tests of questions about metrics of many runs: divided among all runners, put together in order, and withdrawn.

use super::*;
use packfair_study::LogPart;
use packfair_study::query::Answer;

pub(super) fn query(count: usize) -> Query {
    let all = ["easy", "justbf", "saf-justbf", "easy", "justbf", "saf-justbf", "easy", "justbf", "saf-justbf", "easy"];
    Query::Measured {
        runs: all.into_iter().take(count).map(run).collect(),
        rules: Rules::default(),
        measure: Measure::default(),
        losses: None,
        metrics: vec![Metric::Af],
        part: LogPart::First(0.6),
    }
}

impl Page {
    /// The shares that workers have and have not answered: the worker, the ticket and the number of runs.
    pub(super) fn shares(&self) -> Vec<(WorkerId, Ticket, usize)> {
        let share = |order: &QueueOrder<String>| match order {
            QueueOrder::Send {
                worker,
                message: ToWorker::Ask { ticket, query: Query::Measured { runs, .. }, .. },
                ..
            } => Some((*worker, *ticket, runs.len())),
            _ => None,
        };
        self.orders.iter().filter_map(share).collect()
    }

    fn measure(&mut self, (worker, ticket, count): (WorkerId, Ticket, usize), value: f64) {
        let values = vec![Some(vec![Some(value)]); count];
        self.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Measured { jobs: 600, values }) });
    }
}

#[test]
fn shares_are_put_together_in_the_order_of_the_runs() {
    let mut page = Page::ended();
    page.tell(Event::Queried { question: 900, query: query(10) });
    assert_eq!(page.said(), ["2: ask", "1: ask"], "the runners have the workload, and the log worker is not asked");
    let mut done = 0;
    while let Some(share) = page.shares().get(done).copied() {
        // shares that were given out later arrive first
        let late = page.shares().get(done + 1).copied().filter(|_| done % 2 == 0);
        for (place, share) in late.map(|late| (done + 1, late)).into_iter().chain([(done, share)]) {
            page.measure(share, place as f64);
            done += 1;
        }
    }
    let Some(Ok(Answer::Measured { jobs: 600, values })) = page.answer_to(900) else { panic!("it is answered") };
    let values: Vec<f64> = values.into_iter().map(|values| values.unwrap()[0].unwrap()).collect();
    assert_eq!((values.len(), values.is_sorted()), (10, true), "{values:?}");
}

#[test]
fn runs_of_the_table_go_before_them() {
    let mut page = Page::ended();
    page.tell(Event::Queried { question: 900, query: query(10) });
    let first = page.shares()[0];
    page.tell(Event::RunOne(run("easy")));
    page.said();
    page.measure(first, 1.0);
    assert_eq!(page.said(), [format!("{}: run easy", first.0)]);
}

#[test]
fn a_runner_that_dies_ends_the_question_and_another_log_does() {
    let mut page = Page::ended();
    page.tell(Event::Queried { question: 900, query: query(4) });
    let (worker, ..) = page.shares()[0];
    page.tell(Event::Died { worker, message: "out of memory".to_owned() });
    assert_eq!(page.answer_to(900), Some(Err("out of memory".to_owned())));
    page.tell(Event::Queried { question: 901, query: query(4) });
    page.open(generated(5_000));
    page.read();
    page.describe();
    page.tell(Event::Queried { question: 902, query: query(1) });
    assert!(page.answer_to(901).is_some_and(|answer| answer.is_err()), "it was about the log of before");
    assert_eq!(page.answer_to(902), None);
}

#[test]
fn draws_of_a_run_are_one_share_and_can_be_withdrawn() {
    let mut page = Page::ended();
    let (rules, measure) = (Rules::default(), Measure::default());
    let query = Query::Drawn { run: run("easy"), draws: (0, 5), rules, measure, metrics: vec![Metric::Aq] };
    for question in [900, 901] {
        page.tell(Event::Queried { question, query: query.clone() });
    }
    let asked = |order: &QueueOrder<String>| match order {
        QueueOrder::Send { worker, message: ToWorker::Ask { ticket, query: Query::Drawn { .. }, .. }, .. } => {
            Some((*worker, *ticket))
        }
        _ => None,
    };
    let asked: Vec<(WorkerId, Ticket)> = page.orders.iter().filter_map(asked).collect();
    assert_eq!(asked.len(), 2, "each runner has one");
    let (worker, ticket) = asked[0];
    page.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Encoded(vec![7])) });
    assert_eq!(page.answer_to(900), Some(Ok(Answer::Encoded(vec![7]))));
    page.said();
    page.tell(Event::Unasked(vec![901]));
    assert!(page.answer_to(901).is_some_and(|answer| answer.is_err()));
    assert_eq!(page.said(), [format!("{}: cancel", asked[1].0)]);
}
