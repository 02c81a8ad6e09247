//! Tests of the search among settings: generations are measured on all runners, runs on the front are judged meanwhile,
//! and several events end the search.

use super::*;
use packfair_study::explore::{ExploreQuestion, Findings, SEARCHES, Search, SearchedAgain};
use packfair_study::{LogPart, RunPartition};
use std::collections::HashSet;

fn question(runs: usize) -> ExploreQuestion {
    ExploreQuestion { runs, minimise: vec![Metric::Af, Metric::P2sf], ..ExploreQuestion::default() }
}

/// The values of a run in these tests, which depend on its id.
fn values_of(run: &Run, part: LogPart) -> Vec<Option<f64>> {
    let sum = run.id().bytes().fold(7_u64, |sum, byte| (sum * 31 + u64::from(byte)) % 1_009);
    let chooses = matches!(part, LogPart::First(_) | LogPart::Again { selects: false, .. });
    let more = if chooses { 0.0 } else { 3.0 };
    vec![Some(1_000.0 + sum as f64 + more), Some(3_000.0 - sum as f64)]
}

impl Page {
    /// Answers every share that a worker has until there is none left. Returns the number of answers.
    fn measure_all(&mut self, answered: &mut HashSet<Ticket>) -> usize {
        let mut count = 0;
        while let Some((worker, ticket, runs, part)) = self.next_share(answered) {
            answered.insert(ticket);
            let values = runs.iter().map(|run| Some(values_of(run, part))).collect();
            let answer = Box::new(Answer::Measured { jobs: 300, values });
            self.say(worker, FromWorker::Answered { ticket, answer });
            count += 1;
        }
        count
    }

    fn next_share(&self, answered: &HashSet<Ticket>) -> Option<(WorkerId, Ticket, Vec<Run>, LogPart)> {
        self.orders.iter().find_map(|order| match order {
            QueueOrder::Send { worker, message, .. } => match message {
                ToWorker::Ask { ticket, query: Query::Measured { runs, part, .. }, .. }
                    if !answered.contains(ticket) =>
                {
                    Some((*worker, *ticket, runs.clone(), *part))
                }
                _ => None,
            },
            _ => None,
        })
    }

    /// Both workers cancel what they were told to.
    fn cancel_all(&mut self, answered: &mut HashSet<Ticket>) {
        for worker in [1, 2] {
            let at = self.orders.iter().rev().find_map(|order| match order {
                QueueOrder::Send { worker: of, message: ToWorker::Cancel { ticket }, .. } if *of == worker => {
                    Some(*ticket)
                }
                _ => None,
            });
            if let Some(ticket) = at {
                answered.insert(ticket);
                self.say(worker, FromWorker::Cancelled { ticket });
            }
        }
    }

    fn search(&mut self, question: ExploreQuestion) {
        self.tell(Event::SearchWanted(Box::new(question)));
    }

    fn search_news(&self) -> Vec<SearchNews> {
        let news = |order: &QueueOrder<String>| match order {
            QueueOrder::TellSearch(news) => Some((**news).clone()),
            _ => None,
        };
        self.orders.iter().filter_map(news).collect()
    }

    fn search_status(&self) -> SearchStatus {
        self.search_news().pop().map_or(SearchStatus::Idle, |news| news.status)
    }

    fn found(&self) -> Findings {
        (*self.search_news().into_iter().filter_map(|news| news.findings).next_back().expect("something was found"))
            .clone()
    }
}

/// The findings for the same question without a queue.
fn by_itself(question: ExploreQuestion) -> Findings {
    let (choosing, selecting) = (question.choosing(), question.selecting());
    let of = |run: &Run| packfair_study::explore::PartValues {
        choose: values_of(run, choosing),
        select: values_of(run, selecting),
    };
    let baseline = of(&question.baseline);
    let mut search = Search::begin(question);
    loop {
        let runs = search.propose();
        if runs.is_empty() {
            break;
        }
        search.take_in(runs.iter().map(|run| Some(values_of(run, choosing))).collect());
    }
    let mut found = Findings::of(&search, baseline, [300; 3]);
    found.front.iter_mut().for_each(|member| member.values = of(&member.run));
    found
}

#[test]
fn it_comes_to_what_the_question_comes_to_by_itself() {
    let mut page = Page::ended();
    page.search(question(100));
    let shares = page.measure_all(&mut HashSet::new());
    assert!(shares > 10, "generations are shared out: {shares}");
    assert_eq!(page.search_status(), SearchStatus::Ended);
    assert_eq!(page.found(), by_itself(question(100)));
    let news = page.search_news();
    assert!(news[0].is_new && news[1..].iter().all(|news| !news.is_new));
    let tried: Vec<Run> = news.iter().flat_map(|news| &news.tried).map(|(run, _)| run.clone()).collect();
    assert_eq!(tried.len(), 100, "each is told once");
    assert_eq!((page.queue.search_run(99).as_ref(), page.queue.search_run(100)), (tried.last(), None));
    assert_eq!(page.queue.search_on(), Some(&page.queue.searched()));
}

#[test]
fn what_is_found_is_tried_on_other_machines_at_the_end() {
    let mut page = Page::ended();
    page.change_study(|study| study.what_ifs = vec!["nodes=+32".parse().unwrap(), "nodes=-8".parse().unwrap()]);
    // rows of the table are run first
    for what_if in page.study.what_ifs.clone() {
        page.pack();
        let runs = page.study.runs();
        runs.iter().filter(|run| run.what_if.as_ref() == Some(&what_if)).for_each(|run| page.finish(run));
    }
    page.search(question(60));
    let mut answered = HashSet::new();
    page.pack();
    page.measure_all(&mut answered);
    // each of the machines has a workload of its own
    for _ in 0..2 {
        assert_eq!(page.search_status(), SearchStatus::Running);
        page.pack();
        assert!(page.measure_all(&mut answered) > 0);
    }
    assert_eq!(page.search_status(), SearchStatus::Ended);
    let found = page.found();
    let on_own: Findings = Findings { machines: Vec::new(), ..found.clone() };
    assert_eq!(on_own, by_itself(question(60)), "the search is what it is without them");
    let names: Vec<String> = found.machines.iter().map(|machine| machine.what_if.to_string()).collect();
    assert_eq!(names, ["nodes=+32", "nodes=-8"]);
    let (choosing, selecting) = (found.question.choosing(), found.question.selecting());
    for machine in &found.machines {
        assert_eq!(machine.runs.len(), 1 + found.front.len());
        for (member, of) in machine.runs.iter().zip(found.compared()) {
            assert_eq!(member.run, of.what_if(Some(machine.what_if.clone())));
            let values = packfair_study::explore::PartValues {
                choose: values_of(&member.run, choosing),
                select: values_of(&member.run, selecting),
            };
            assert_eq!(member.values, values);
        }
    }
    let is_of_its_machine = |order: &QueueOrder<String>| match order {
        QueueOrder::Send { message: ToWorker::Ask { treatment, query: Query::Measured { runs, .. }, .. }, .. } => {
            runs.iter().all(|run| run.what_if == treatment.what_if)
        }
        _ => true,
    };
    assert!(page.orders.iter().all(is_of_its_machine), "each is measured on the workload of its machine");
    assert!(found.sentences().iter().any(|said| said.starts_with("With 32 more nodes, AF of EASY is")), "{found:?}");
}

#[test]
fn what_was_stopped_goes_on_and_comes_to_the_same() {
    let mut page = Page::ended();
    page.search(question(100));
    let mut answered = HashSet::new();
    // some shares arrive, and then the search is stopped
    for _ in 0..9 {
        let (worker, ticket, runs, part) = page.next_share(&answered).expect("a share");
        answered.insert(ticket);
        let values = runs.iter().map(|run| Some(values_of(run, part))).collect();
        page.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Measured { jobs: 300, values }) });
    }
    page.said();
    page.tell(Event::SearchStopped);
    assert_eq!(page.search_status(), SearchStatus::Stopped);
    assert!(page.said().iter().any(|said| said.ends_with("cancel")), "runners are told");
    page.cancel_all(&mut answered);
    assert_eq!(page.next_share(&answered), None, "nothing more is asked");
    page.tell(Event::SearchResumed);
    page.measure_all(&mut answered);
    assert_eq!(page.search_status(), SearchStatus::Ended);
    assert_eq!(page.found(), by_itself(question(100)));
}

#[test]
fn it_ends_where_the_log_becomes_another_and_where_a_runner_dies() {
    let mut page = Page::ended();
    page.search(question(100));
    let mut answered = HashSet::new();
    page.change_study(|study| study.treatment.shrink = 0.5);
    page.measure_all(&mut answered);
    let SearchStatus::Failed(why) = page.search_status() else { panic!("{:?}", page.search_status()) };
    assert!(why.contains("is another now"), "{why}");

    let mut page = Page::ended();
    page.search(question(100));
    let (worker, ..) = page.next_share(&HashSet::new()).expect("a share");
    page.tell(Event::Died { worker, message: "out of memory".to_owned() });
    assert_eq!(page.search_status(), SearchStatus::Failed("out of memory".to_owned()));
}

#[test]
fn what_cannot_be_searched_is_said_before_anything_is_asked() {
    let refused = |change: &dyn Fn(&mut Study), question: ExploreQuestion| {
        let mut page = Page::ended();
        page.change_study(|study| change(study));
        page.search(question);
        assert_eq!(page.next_share(&HashSet::new()), None);
        match page.search_status() {
            SearchStatus::Failed(why) => why,
            other => panic!("{other:?}"),
        }
    };
    assert!(refused(&|_| {}, question(0)).contains("from 1 to 100000"));
    let partition = RunPartition { number: 1, name: "a".to_owned(), processors: None };
    let apart = move |study: &mut Study| study.partitions = vec![partition.clone()];
    assert!(refused(&apart, question(50)).contains("choose one of them"));
}

#[test]
fn runs_of_the_table_go_before_it() {
    let mut page = Page::ended();
    page.search(question(100));
    let (worker, ticket, runs, part) = page.next_share(&HashSet::new()).expect("a share");
    page.tell(Event::RunOne(run("easy")));
    page.said();
    let values = runs.iter().map(|run| Some(values_of(run, part))).collect();
    page.say(worker, FromWorker::Answered { ticket, answer: Box::new(Answer::Measured { jobs: 300, values }) });
    assert_eq!(page.said(), [format!("{worker}: run easy")]);
}

impl Page {
    /// Answers every question that a worker has until there is none left: by one metric, of 600 jobs on each part.
    fn answer_everything(&mut self) -> Vec<LogPart> {
        self.answer_while(&mut HashSet::new(), |_| true)
    }

    /// Answers questions so as long as the page is as it should be.
    fn answer_while(&mut self, answered: &mut HashSet<Ticket>, is_so: impl Fn(&Page) -> bool) -> Vec<LogPart> {
        let mut parts = Vec::new();
        loop {
            if !is_so(self) {
                return parts;
            }
            let next = self.orders.iter().find_map(|order| match order {
                QueueOrder::Send { worker, message: ToWorker::Ask { ticket, query, .. }, .. }
                    if !answered.contains(ticket) =>
                {
                    Some((*worker, *ticket, query.clone()))
                }
                _ => None,
            });
            let Some((worker, ticket, query)) = next else { return parts };
            answered.insert(ticket);
            let answer = match query {
                Query::Measured { runs, part, metrics, .. } => {
                    parts.push(part);
                    let of = |run: &Run| Some(vec![values_of(run, part)[0]; metrics.len()]);
                    Answer::Measured { jobs: 600, values: runs.iter().map(of).collect() }
                }
                Query::Effects { .. } => {
                    let effects = packfair_study::Effects { waiting: 900, is_saturated: false, losers: Vec::new() };
                    Answer::Encoded(postcard::to_stdvec(&Some(effects)).unwrap())
                }
                other => panic!("{other:?}"),
            };
            self.say(worker, FromWorker::Answered { ticket, answer: Box::new(answer) });
        }
    }
}

#[test]
fn the_selected_setting_alone_is_run_on_the_jobs_kept_for_confirmation() {
    let mut page = Page::ended();
    let asked = ExploreQuestion { minimise: vec![Metric::Af], ..question(60) };
    page.search(asked.clone());
    let parts = page.answer_everything();
    assert_eq!(page.search_status(), SearchStatus::Ended);
    let found = page.found();
    let confirmed = found.confirmed.as_ref().expect("one was selected");
    assert_eq!(Some(confirmed.place as usize), found.selected());
    assert!(confirmed.intervals[0].is_ok() && found.recommended().is_some(), "{}", found.answer());
    let drawn = parts.iter().filter(|part| matches!(part, LogPart::Drawn { .. })).count();
    // the two runs of a draw are two shares
    assert_eq!(drawn, 2 * asked.repeats as usize);
    let on_confirm = parts.iter().filter(|part| **part == asked.confirming()).count();
    assert_eq!(on_confirm, 3, "the number of jobs, and once the baseline and the selected setting");
}

/// What searches on drawn workloads come to where every workload has the same values.
fn again_by_itself(found: &Findings) -> SearchedAgain {
    let recommended = found.recommended().expect("one was confirmed").run.clone();
    let value = |run: &Run| values_of(run, LogPart::Whole)[0].unwrap();
    let mut again = SearchedAgain::default();
    for index in 0..SEARCHES {
        let other = by_itself(found.asked_again(index));
        again.searches += 1;
        match other.selected().map(|place| value(&other.front[place].run)) {
            None => again.none += 1,
            Some(one) => {
                again.same += u32::from((one - value(&recommended)).abs() < 0.02 * value(&recommended));
            }
        }
    }
    again
}

#[test]
fn what_is_recommended_is_searched_again_on_drawn_workloads() {
    let mut page = Page::ended();
    let asked = ExploreQuestion { minimise: vec![Metric::Af], ..question(60) };
    page.search(asked.clone());
    let parts = page.answer_everything();
    let found = page.found();
    assert_eq!(found.again, Some(again_by_itself(&found)));
    assert!(found.answer().ends_with(&found.again.unwrap().in_words()), "{}", found.answer());
    let drawn: HashSet<u32> = parts
        .iter()
        .filter_map(|part| match part {
            LogPart::Again { seed, index, .. } => (*seed == asked.seed).then_some(*index),
            _ => None,
        })
        .collect();
    assert_eq!(drawn, (0..SEARCHES).collect(), "each on a draw of its own");
    let told: Vec<SearchStatus> = page.search_news().into_iter().map(|news| news.status).collect();
    assert!((0..SEARCHES).all(|ended| told.contains(&SearchStatus::Again(ended))), "its progress is told");
    assert_eq!(told.last(), Some(&SearchStatus::Ended));
}

#[test]
fn searches_on_drawn_workloads_are_stopped_and_go_on() {
    let mut page = Page::ended();
    page.search(ExploreQuestion { minimise: vec![Metric::Af], ..question(60) });
    let mut answered = HashSet::new();
    page.answer_while(&mut answered, |page| page.search_status() != SearchStatus::Again(3));
    page.tell(Event::SearchStopped);
    assert_eq!(page.search_status(), SearchStatus::Stopped);
    let found = page.found();
    assert!(
        found.recommended().is_some() && found.again.is_some_and(|again| again.searches == 3),
        "{}",
        found.answer()
    );
    page.cancel_all(&mut answered);
    page.tell(Event::SearchResumed);
    page.answer_while(&mut answered, |_| true);
    assert_eq!(page.search_status(), SearchStatus::Ended);
    assert_eq!(page.found().again, Some(again_by_itself(&found)), "as if it had not been stopped");

    // of another log, they end without a word: the answer is of the log before
    let mut page = Page::ended();
    page.search(ExploreQuestion { minimise: vec![Metric::Af], ..question(60) });
    let mut answered = HashSet::new();
    page.answer_while(&mut answered, |page| page.search_status() != SearchStatus::Again(3));
    page.change_study(|study| study.treatment.shrink = 0.5);
    page.measure_all(&mut answered);
    assert_eq!(page.search_status(), SearchStatus::Ended);
    assert!(page.found().again.is_some_and(|again| again.searches < SEARCHES));
}
