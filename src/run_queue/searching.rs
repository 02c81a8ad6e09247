//! A search among settings: what it proposes is measured by runners, as other questions for metrics are, behind all runs of
//! the table, its trials and its repeats.

use super::measurings::MeasuringNews;
use super::protocol::Ticket;
use super::{QueueOrder, RunQueue};
use crate::explore::{ExploreQuestion, Findings, OtherMachine, PartValues, QuestionFault, Search, SearchedLog};
use crate::machine::WhatIf;
use crate::study::query::{Answer, Query};
use crate::study::{LogPart, Run};
use std::collections::HashMap;
use std::sync::Arc;

/// Why no search begins where no machine is chosen.
const ONE_PARTITION: &str = "Each partition is a machine of its own here: choose one of them at the top of the page, for a \
                             search is for one machine.";

/// Why one ends whose log is another now.
const ANOTHER_LOG: &str = "The log, or what is done to it or counted, is another now: start again.";

/// Values of settings that were tried, in the order of the question's metrics.
pub type TriedValues = Arc<[Option<f64>]>;

/// How far a search is.
#[derive(Clone, Debug, PartialEq)]
pub enum SearchStatus {
    /// None was begun.
    Idle,
    /// It goes on.
    Running,
    /// It was stopped, and can go on.
    Stopped,
    /// It has ended.
    Ended,
    /// It cannot go on: why.
    Failed(String),
}

/// What has become of a search since it was last told of.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchNews {
    /// How far it is.
    pub status: SearchStatus,
    /// Whether it is a new one, of which nothing was told before.
    pub is_new: bool,
    /// What was tried since, with what it came to.
    pub tried: Vec<(Run, TriedValues)>,
    /// What has come out so far, where that has changed.
    pub findings: Option<Arc<Findings>>,
    /// Seconds left, where that can be told.
    pub left: Option<f64>,
}

/// What concerns a search.
pub(super) enum SearchTold {
    /// One is wanted that answers this question.
    Wanted(Box<ExploreQuestion>),
    /// It is to stop where it is.
    Stopped,
    /// It is to go on where it was stopped.
    GoneOn,
    /// What runners were asked for it has come, or why it has not.
    Came(Ticket, Box<Result<Answer, String>>),
}

/// A search under way, or that has ended.
pub(super) struct Searching {
    search: Search,
    on: SearchedLog,
    status: SearchStatus,
    /// Of the baseline, and the jobs of both parts; none until it was measured.
    baseline: Option<(PartValues, [usize; 2])>,
    /// What settings came to on the rest, by the run's id.
    judged: HashMap<String, Vec<Option<f64>>>,
    /// What all this comes to on other machines, once the search is at its end and that has come.
    machines: Option<Vec<OtherMachine>>,
    /// What runners are asked: runs on the part on which settings are chosen, and others on the rest; at last all that is on
    /// the front on other machines.
    asked: Vec<Asked>,
    /// When it was begun or gone on with, in milliseconds, and how many settings were tried then.
    since: (f64, usize),
}

/// What runners are asked.
struct Asked {
    ticket: Ticket,
    part: LogPart,
    runs: Vec<Run>,
    /// How many jobs the part has, and what the runs came to, once that is there.
    came: Option<(usize, Vec<Measured>)>,
}

impl Asked {
    /// The other machine on which it is.
    fn what_if(&self) -> Option<&WhatIf> {
        // the log's own schedule, as a baseline, is on none but its own
        self.runs.iter().find_map(|run| run.what_if.as_ref())
    }
}

/// What a run came to, by metric; none where it could not be run.
type Measured = Option<Vec<Option<f64>>>;

impl Searching {
    /// Whether this question is one of its own.
    pub(super) fn has_asked(&self, ticket: Ticket) -> bool {
        self.asked.iter().any(|asked| asked.ticket == ticket)
    }

    /// What is on the front and has not been judged.
    fn unjudged(&self) -> Vec<Run> {
        let front = self.search.front().into_iter().map(|number| self.search.run(number));
        front.filter(|run| !self.judged.contains_key(&run.id())).collect()
    }

    fn findings(&self) -> Option<Arc<Findings>> {
        let (baseline, jobs) = self.baseline.clone()?;
        let mut findings = Findings::of(&self.search, baseline, jobs);
        for member in &mut findings.front {
            member.values.rest = self.judged.get(&member.run.id()).cloned().unwrap_or_default();
        }
        findings.machines = self.machines.clone().unwrap_or_default();
        Some(Arc::new(findings))
    }

    /// Takes in what has come of the baseline.
    ///
    /// # Errors
    /// In words: there are too few jobs, or it cannot be measured.
    fn take_baseline(&mut self, came: Vec<Asked>) -> Result<(), String> {
        let parts: Vec<(usize, Measured)> = came
            .into_iter()
            .filter_map(|asked| asked.came)
            .map(|(jobs, mut values)| (jobs, values.pop().flatten()))
            .collect();
        let [(first, chosen), (others, rest)] = parts.as_slice() else { return Err(ANOTHER_LOG.to_owned()) };
        if *first == 0 || *others == 0 {
            return Err(QuestionFault::TooFewJobs.to_string());
        }
        let (Some(chosen), Some(rest)) = (chosen.clone(), rest.clone()) else {
            return Err("The baseline cannot be measured on this log: compare with another scheduler.".to_owned());
        };
        self.baseline = Some((PartValues { chosen, rest }, [*first, *others]));
        Ok(())
    }

    /// Takes in what has come of a generation and of what was judged; what was tried.
    fn take_generation(&mut self, came: Vec<Asked>) -> Vec<(Run, TriedValues)> {
        let none = vec![None; self.search.question().metrics().len()];
        let choosing = self.search.question().choosing();
        let mut tried = Vec::new();
        for Asked { part, runs, came, .. } in came {
            let (_, values) = came.unwrap_or_default();
            if part == choosing {
                let told = values.iter().map(|values| values.clone().unwrap_or_else(|| none.clone()).into());
                tried = runs.into_iter().zip(told).collect();
                self.search.take_in(values);
            } else {
                let judged = runs.into_iter().zip(values);
                self.judged.extend(judged.map(|(run, values)| (run.id(), values.unwrap_or_else(|| none.clone()))));
            }
        }
        tried
    }

    /// What is to be asked at the end: what was found, on other machines.
    fn on_machines(&self, what_ifs: &[WhatIf]) -> Vec<(LogPart, Vec<Run>)> {
        let Some(findings) = self.findings().filter(|_| self.machines.is_none()) else { return Vec::new() };
        let (question, runs) = (&findings.question, findings.compared());
        let on = |what_if: &WhatIf| -> Vec<Run> {
            runs.iter().map(|run| run.clone().what_if(Some(what_if.clone()))).collect()
        };
        let parts = |what_if: &WhatIf| [question.choosing(), question.judging()].map(|part| (part, on(what_if)));
        what_ifs.iter().flat_map(parts).collect()
    }

    /// Takes in what has come of other machines: both parts of one after the other.
    fn take_machines(&mut self, came: Vec<Asked>) {
        let Some(findings) = self.findings() else { return };
        let mut machines = Vec::new();
        let mut came = came.into_iter();
        while let (Some(chosen), Some(rest)) = (came.next(), came.next()) {
            let Some(what_if) = chosen.what_if().cloned() else { continue };
            let values = [chosen, rest].map(|asked| asked.came.map(|(_, values)| values).unwrap_or_default());
            machines.push(OtherMachine::of(&findings, what_if, values));
        }
        self.machines = Some(machines);
    }

    /// Seconds left at `now`, milliseconds.
    fn left(&self, now: f64) -> Option<f64> {
        let (begun, before) = self.since;
        let tried = self.search.tried();
        let all = self.search.question().runs;
        (tried > before).then(|| (now - begun) / 1_000.0 * all.saturating_sub(tried) as f64 / (tried - before) as f64)
    }
}

impl<B: Clone> RunQueue<B> {
    /// Takes in what concerns a search. All of it is here, behind one door, as with repeats: the page loads it later
    /// (scripts/split).
    #[inline(never)]
    pub(super) fn tell_search(&mut self, told: SearchTold) {
        match told {
            SearchTold::Wanted(question) => self.begin_search(*question),
            SearchTold::Stopped => self.halt_search(SearchStatus::Stopped),
            SearchTold::GoneOn => self.go_on_searching(),
            SearchTold::Came(ticket, answer) => self.take_searched(ticket, *answer),
        }
    }

    /// What a search would be of now: the study's log, or the partition of it that is looked at by itself.
    pub fn searched(&self) -> SearchedLog {
        SearchedLog { treatment: self.treatment_asked(), ..SearchedLog::of(&self.study) }
    }

    /// What the search is of that was begun last.
    pub fn search_on(&self) -> Option<&SearchedLog> {
        self.searching.as_ref().map(|searching| &searching.on)
    }

    /// The run that it tried as that number.
    pub fn search_run(&self, number: usize) -> Option<Run> {
        let searching = self.searching.as_ref()?;
        (number < searching.search.tried()).then(|| searching.search.run(number))
    }

    /// The search that was begun last is forgotten: what is shown is another's.
    pub fn forget_search(&mut self) {
        self.searching = None;
    }

    fn begin_search(&mut self, question: ExploreQuestion) {
        self.halt_search(SearchStatus::Stopped);
        if let Err(why) = self.can_search(&question) {
            return self.tell_of_search(SearchNews { status: SearchStatus::Failed(why), is_new: false, ..NO_NEWS });
        }
        self.searching = Some(Box::new(Searching {
            search: Search::begin(question),
            on: self.searched(),
            status: SearchStatus::Stopped,
            baseline: None,
            judged: HashMap::new(),
            machines: None,
            asked: Vec::new(),
            since: (self.now, 0),
        }));
        self.tell_of_search(SearchNews { is_new: true, ..NO_NEWS });
        self.go_on_searching();
    }

    /// Whether it can be answered here.
    ///
    /// # Errors
    /// Why not, in words.
    fn can_search(&self, question: &ExploreQuestion) -> Result<(), String> {
        question.check().map_err(|fault| fault.to_string())?;
        let is_of_one = self.study.partitions.is_empty()
            || self.study.partitions.iter().any(|partition| Some(partition.number) == self.partition);
        if is_of_one { Ok(()) } else { Err(ONE_PARTITION.to_owned()) }
    }

    fn go_on_searching(&mut self) {
        let now = self.now;
        let Some(searching) = self.searching.as_mut().filter(|searching| searching.status == SearchStatus::Stopped)
        else {
            return;
        };
        searching.status = SearchStatus::Running;
        searching.since = (now, searching.search.tried());
        self.tell_of_search(NO_NEWS);
        self.search_on_and_on(Vec::new());
    }

    /// Asks for what comes next, or ends; `tried` is what has just come.
    fn search_on_and_on(&mut self, tried: Vec<(Run, TriedValues)>) {
        if self.search_on().is_some_and(|on| *on != self.searched()) {
            return self.halt_search(SearchStatus::Failed(ANOTHER_LOG.to_owned()));
        }
        let now = self.now;
        let Some(searching) = self.searching.as_mut() else { return };
        let question = searching.search.question().clone();
        let (choosing, judging) = (question.choosing(), question.judging());
        let mut wanted: Vec<(LogPart, Vec<Run>)> = if searching.baseline.is_none() {
            [choosing, judging].map(|part| (part, vec![question.baseline.clone()])).into()
        } else {
            // what comes next does not depend on what is judged: so no worker waits for the other part
            vec![(choosing, searching.search.propose()), (judging, searching.unjudged())]
        };
        wanted.retain(|(_, runs)| !runs.is_empty());
        if wanted.is_empty() {
            wanted = searching.on_machines(&self.study.what_ifs);
        }
        if wanted.is_empty() {
            searching.status = SearchStatus::Ended;
        }
        let (findings, left) = (searching.findings(), searching.left(now));
        if !tried.is_empty() || wanted.is_empty() {
            self.tell_of_search(SearchNews { tried, findings, left, ..NO_NEWS });
        }
        let (rules, measure) = (self.study.rules(), self.study.measure.clone());
        let asked: Vec<Asked> =
            wanted.into_iter().map(|(part, runs)| Asked { ticket: self.number(), part, runs, came: None }).collect();
        let query = |asked: &Asked| Query::Measured {
            runs: asked.runs.clone(),
            rules,
            measure: measure.clone(),
            metrics: question.metrics(),
            part: asked.part,
        };
        let queries: Vec<(Ticket, Query)> = asked.iter().map(|asked| (asked.ticket, query(asked))).collect();
        if let Some(searching) = self.searching.as_mut() {
            searching.asked = asked;
        }
        for (ticket, query) in queries {
            // where the first could not be asked, the search is over
            if self.searching.as_ref().is_some_and(|searching| searching.has_asked(ticket)) {
                self.tell_measurings(MeasuringNews::Asked(ticket, query));
            }
        }
    }

    /// Something has come that was asked; once all has, the search goes on.
    fn take_searched(&mut self, ticket: Ticket, answer: Result<Answer, String>) {
        let Some(searching) = self.searching.as_mut() else { return };
        let Some(asked) = searching.asked.iter_mut().find(|asked| asked.ticket == ticket) else { return };
        match answer {
            Ok(Answer::Measured { jobs, values }) => asked.came = Some((jobs, values)),
            Ok(_) => return self.halt_search(SearchStatus::Failed("The question was lost. Start again.".to_owned())),
            Err(why) => return self.halt_search(SearchStatus::Failed(why)),
        }
        if searching.asked.iter().any(|asked| asked.came.is_none()) {
            return;
        }
        let came = std::mem::take(&mut searching.asked);
        if came.iter().any(|asked| asked.what_if().is_some()) {
            searching.take_machines(came);
            return self.search_on_and_on(Vec::new());
        }
        if searching.baseline.is_some() {
            let tried = searching.take_generation(came);
            return self.search_on_and_on(tried);
        }
        match searching.take_baseline(came) {
            Ok(()) => self.search_on_and_on(Vec::new()),
            Err(why) => self.halt_search(SearchStatus::Failed(why)),
        }
    }

    /// It goes no further; what has come stays. Nothing happens where none goes on.
    fn halt_search(&mut self, status: SearchStatus) {
        let Some(searching) = self.searching.as_mut().filter(|searching| searching.status == SearchStatus::Running)
        else {
            return;
        };
        searching.status = status;
        let findings = searching.findings();
        let asked: Vec<Ticket> = std::mem::take(&mut searching.asked).into_iter().map(|asked| asked.ticket).collect();
        self.tell_of_search(SearchNews { findings, ..NO_NEWS });
        self.tell_measurings(MeasuringNews::NotWanted(asked));
    }

    /// Tells of it, with its present status where the news say none.
    fn tell_of_search(&mut self, news: SearchNews) {
        let status = match (&news.status, &self.searching) {
            (SearchStatus::Idle, Some(searching)) => searching.status.clone(),
            (status, _) => status.clone(),
        };
        self.order(QueueOrder::TellSearch(Box::new(SearchNews { status, ..news })));
    }
}

/// Nothing but its present status.
const NO_NEWS: SearchNews =
    SearchNews { status: SearchStatus::Idle, is_new: false, tried: Vec::new(), findings: None, left: None };
