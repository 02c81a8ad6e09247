//! The search among settings. Runners measure what it proposes, like other questions about metrics, after all runs of
//! the table, their trials and their repeats.

use super::event::{SearchNews, SearchStatus, TriedValues};
use super::protocol::Ticket;
use super::series::STOPPED;
use super::{QueueOrder, RunQueue};
use packfair_base::machine::WhatIf;
use packfair_study::explore::{
    ConfirmStep, Confirmed, ExploreQuestion, Findings, OtherMachine, PartValues, QuestionFault, SEARCHES, Search,
    SearchedAgain, SearchedLog,
};
use packfair_study::query::{Answer, Query};
use packfair_study::{Effects, LogPart, Run, pace};
use std::collections::HashMap;
use std::sync::Arc;

/// Why no search can start while no partition is chosen.
const ONE_PARTITION: &str = "Each partition is a machine of its own here: choose one of them at the top of the page, for a \
                             search is for one machine.";

/// Why a search ends when a worker gives no answer to its question.
const LOST: &str = "The question was lost. Start again.";

/// Why a search ends when its log changes.
const ANOTHER_LOG: &str = "The log, or what is done to it or counted, is another now: start again.";

pub(super) enum SearchRequest {
    Wanted(Box<ExploreQuestion>),
    Stopped,
    /// The user wants a stopped search to continue.
    Resumed,
    /// The answer of the runners has arrived, or the reason why there is none.
    Received(Ticket, Box<Result<Answer, String>>),
}

pub(super) struct Searching {
    trial: Trial,
    on: SearchedLog,
    status: SearchStatus,
    /// What confirming the selected setting came to, once the search has ended and it was tried.
    confirmed: Option<Option<Confirmed>>,
    /// The question about the effects of the selected setting, while it is being confirmed.
    effects: Option<EffectsAsked>,
    /// The values of the findings on other machines, once the search has ended and these have been measured.
    machines: Option<Vec<OtherMachine>>,
    /// What searches on drawn workloads have come to, and the one of them that is under way.
    again: Option<SearchedAgain>,
    drawn: Option<Trial>,
    /// The questions to the runners: runs on the part of the log where settings are chosen, and runs on the select part; at
    /// the end, the whole front on other machines.
    posed: Vec<PosedQuery>,
    /// When the search, or the searches on drawn workloads, were started or continued, milliseconds, and how many settings
    /// had been tried by then.
    since: (f64, usize),
}

/// A search on one workload as far as it has come.
struct Trial {
    search: Search,
    /// The parts on which it chooses and selects.
    parts: [LogPart; 2],
    /// The values of the baseline, and the numbers of jobs of the parts of the log; `None` until they are measured.
    baseline: Option<(PartValues, [usize; 3])>,
    /// The values of settings on the select part, by the run's id.
    judged: HashMap<String, Vec<Option<f64>>>,
}

struct EffectsAsked {
    ticket: Ticket,
    /// The answer, once it has arrived; `None` in it where a run cannot be made.
    received: Option<Option<Effects>>,
}

struct PosedQuery {
    ticket: Ticket,
    part: LogPart,
    runs: Vec<Run>,
    /// The number of jobs of the part, and the values of the runs, once they have arrived.
    received: Option<(usize, Vec<MeasuredValues>)>,
}

impl PosedQuery {
    /// The other machine of the runs, if they are on one.
    fn what_if(&self) -> Option<&WhatIf> {
        // if the baseline is the log's own schedule, it is on its own machine only
        self.runs.iter().find_map(|run| run.what_if.as_ref())
    }
}

/// The values of a run, by metric; `None` if the run could not be made.
type MeasuredValues = Option<Vec<Option<f64>>>;

impl Trial {
    fn begin(question: ExploreQuestion, parts: [LogPart; 2]) -> Self {
        Trial { search: Search::begin(question), parts, baseline: None, judged: HashMap::new() }
    }

    /// The runs on the front that have not been measured on the select part.
    fn unjudged(&self) -> Vec<Run> {
        let front = self.search.front().into_iter().map(|number| self.search.run(number));
        front.filter(|run| !self.judged.contains_key(&run.id())).collect()
    }

    fn findings(&self) -> Option<Findings> {
        let (baseline, jobs) = self.baseline.clone()?;
        let mut findings = Findings::of(&self.search, baseline, jobs);
        for member in &mut findings.front {
            member.values.select = self.judged.get(&member.run.id()).cloned().unwrap_or_default();
        }
        Some(findings)
    }

    /// What to measure next; empty once the search has ended.
    fn wanted(&mut self) -> Vec<(LogPart, Vec<Run>)> {
        let [choosing, selecting] = self.parts;
        if self.baseline.is_none() {
            let baseline = &self.search.question().baseline;
            return self.parts.map(|part| (part, vec![baseline.clone()])).into();
        }
        // the next proposals do not depend on the judged runs, so no worker has to wait for the other part
        let mut wanted = vec![(choosing, self.search.propose()), (selecting, self.unjudged())];
        wanted.retain(|(_, runs)| !runs.is_empty());
        wanted
    }

    /// Takes the values of the baseline on both parts, and the number of jobs kept for confirmation where that was asked.
    ///
    /// # Errors
    /// A message: there are too few jobs, or the baseline cannot be measured.
    fn take_baseline(&mut self, received: Vec<PosedQuery>) -> Result<(), String> {
        let parts: Vec<(usize, MeasuredValues)> = received
            .into_iter()
            .filter_map(|posed| posed.received)
            .map(|(jobs, mut values)| (jobs, values.pop().flatten()))
            .collect();
        let [(first, choose), (others, select), more @ ..] = parts.as_slice() else {
            return Err(ANOTHER_LOG.to_owned());
        };
        if parts.iter().any(|(jobs, _)| *jobs == 0) {
            return Err(QuestionFault::TooFewJobs.to_string());
        }
        let (Some(choose), Some(select)) = (choose.clone(), select.clone()) else {
            return Err("The baseline cannot be measured on this log: compare with another scheduler.".to_owned());
        };
        let last = more.first().map_or(0, |(jobs, _)| *jobs);
        self.baseline = Some((PartValues { choose, select }, [*first, *others, last]));
        Ok(())
    }

    /// Takes the values of a generation and of the runs that were judged. Returns the generation with its values.
    fn take_generation(&mut self, received: Vec<PosedQuery>) -> Vec<(Run, TriedValues)> {
        let none = vec![None; self.search.question().aspects().len()];
        let mut tried = Vec::new();
        for PosedQuery { part, runs, received, .. } in received {
            let (_, values) = received.unwrap_or_default();
            if part == self.parts[0] {
                let request = values.iter().map(|values| values.clone().unwrap_or_else(|| none.clone()).into());
                tried = runs.into_iter().zip(request).collect();
                self.search.take_in(values);
            } else {
                let judged = runs.into_iter().zip(values);
                self.judged.extend(judged.map(|(run, values)| (run.id(), values.unwrap_or_else(|| none.clone()))));
            }
        }
        tried
    }
}

impl Searching {
    pub(super) fn has_asked(&self, ticket: Ticket) -> bool {
        self.posed.iter().any(|posed| posed.ticket == ticket)
            || self.effects.as_ref().is_some_and(|effects| effects.ticket == ticket)
    }

    fn question(&self) -> &ExploreQuestion {
        self.trial.search.question()
    }

    fn findings(&self) -> Option<Arc<Findings>> {
        let mut findings = self.trial.findings()?;
        findings.machines = self.machines.clone().unwrap_or_default();
        findings.confirmed = self.confirmed.clone().flatten();
        findings.again = self.again;
        Some(Arc::new(findings))
    }

    /// Takes the values by which the selected setting is confirmed.
    fn take_confirmation(&mut self, received: Vec<PosedQuery>, effects: Option<Effects>) {
        let Some(mut findings) = self.findings().map(Arc::unwrap_or_clone) else { return };
        findings.confirm(received.into_iter().map(|posed| posed.received.unwrap_or_default().1).collect(), effects);
        self.confirmed = Some(findings.confirmed);
    }

    /// Takes the values on the whole log of what a search on a drawn workload selected; `None` where it selected nothing.
    fn take_drawn(&mut self, selected: Option<&[Option<f64>]>) {
        let Some(mut findings) = self.findings().map(Arc::unwrap_or_clone) else { return };
        findings.take_again(selected);
        (self.again, self.drawn) = (findings.again, None);
    }

    /// How many searches on drawn workloads have ended.
    fn ended_again(&self) -> u32 {
        self.again.map_or(0, |again| again.searches)
    }

    /// The settings tried on drawn workloads.
    fn tried_again(&self) -> usize {
        let runs = self.question().runs;
        // a search may try a few more than it was asked to
        let under_way = self.drawn.as_ref().map_or(0, |drawn| drawn.search.tried().min(runs));
        self.ended_again() as usize * runs + under_way
    }

    fn is_under_way(&self) -> bool {
        matches!(self.status, SearchStatus::Running | SearchStatus::Again(_))
    }

    /// The questions to ask at the end: the findings on other machines, both parts of the log for each.
    fn on_machines(&self) -> Vec<(LogPart, Vec<Run>)> {
        let Some(findings) = self.findings().filter(|_| self.machines.is_none()) else { return Vec::new() };
        let (question, runs) = (&findings.question, findings.compared());
        let on = |what_if: &WhatIf| -> Vec<Run> {
            runs.iter().map(|run| run.clone().what_if(Some(what_if.clone()))).collect()
        };
        let parts = |what_if: &WhatIf| [question.choosing(), question.selecting()].map(|part| (part, on(what_if)));
        self.on.machines.iter().flat_map(parts).collect()
    }

    /// Takes the values on other machines, both parts of the log for each machine in turn.
    fn take_machines(&mut self, received: Vec<PosedQuery>) {
        let Some(findings) = self.findings() else { return };
        let mut machines = Vec::new();
        let mut received = received.into_iter();
        while let (Some(choose), Some(select)) = (received.next(), received.next()) {
            let Some(what_if) = choose.what_if().cloned() else { continue };
            let values = [choose, select].map(|posed| posed.received.map(|(_, values)| values).unwrap_or_default());
            machines.push(OtherMachine::of(&findings, what_if, values));
        }
        self.machines = Some(machines);
    }

    /// The remaining time at `now` (milliseconds), seconds; none where nothing is under way.
    fn left(&self, now: f64) -> Option<f64> {
        if !self.is_under_way() {
            return None;
        }
        let (begun, before) = self.since;
        let question = self.question();
        let (tried, all) = if matches!(self.status, SearchStatus::Again(_)) {
            (self.tried_again(), (SEARCHES as usize * question.runs) as f64)
        } else {
            let tried = self.trial.search.tried();
            let confirming = if self.confirmed.is_none() { question.confirming_as_runs() } else { 0.0 };
            (tried, question.runs.max(tried) as f64 + confirming)
        };
        pace::left((now - begun) / 1_000.0, (tried - before) as f64, all - before as f64)
    }
}

impl<B: Clone> RunQueue<B> {
    /// Handles what the search is told. This is the only entry to the code in this file, as it is for repeats, so that
    /// the page can load the code later (scripts/split).
    #[inline(never)]
    pub(super) fn tell_search(&mut self, request: SearchRequest) {
        match request {
            SearchRequest::Wanted(question) => self.begin_search(*question),
            SearchRequest::Stopped => self.halt_search(SearchStatus::Stopped),
            SearchRequest::Resumed => self.resume_search(),
            SearchRequest::Received(ticket, answer) => self.take_searched(ticket, *answer),
        }
    }

    /// The log on which a search would run now: the study's, or the partition of it that is shown by itself.
    pub fn searched(&self) -> SearchedLog {
        SearchedLog { treatment: self.treatment_asked(), ..SearchedLog::of(&self.study) }
    }

    pub fn search_on(&self) -> Option<&SearchedLog> {
        self.searching.as_ref().map(|searching| &searching.on)
    }

    /// The run that the search tried under this number.
    pub fn search_run(&self, number: usize) -> Option<Run> {
        let searching = self.searching.as_ref()?;
        let search = &searching.trial.search;
        (number < search.tried()).then(|| search.run(number))
    }

    /// Forgets the search that was started last, because the findings of another are shown.
    pub fn forget_search(&mut self) {
        self.searching = None;
    }

    fn begin_search(&mut self, question: ExploreQuestion) {
        self.halt_search(SearchStatus::Stopped);
        if let Err(why) = self.can_search(&question) {
            return self.tell_of_search(SearchNews { status: SearchStatus::Failed(why), is_new: false, ..NO_NEWS });
        }
        let parts = [question.choosing(), question.selecting()];
        self.searching = Some(Box::new(Searching {
            trial: Trial::begin(question, parts),
            on: self.searched(),
            status: SearchStatus::Stopped,
            confirmed: None,
            effects: None,
            machines: None,
            again: None,
            drawn: None,
            posed: Vec::new(),
            since: (self.now, 0),
        }));
        self.tell_of_search(SearchNews { is_new: true, ..NO_NEWS });
        self.resume_search();
    }

    /// Checks whether the question can be answered here.
    ///
    /// # Errors
    /// The reason why not, as a message.
    fn can_search(&self, question: &ExploreQuestion) -> Result<(), String> {
        question.check().map_err(|fault| fault.to_string())?;
        let is_of_one = self.study.partitions.is_empty()
            || self.study.partitions.iter().any(|partition| Some(partition.number) == self.partition);
        if is_of_one { Ok(()) } else { Err(ONE_PARTITION.to_owned()) }
    }

    fn resume_search(&mut self) {
        let now = self.now;
        let Some(searching) = self.searching.as_mut().filter(|searching| searching.status == SearchStatus::Stopped)
        else {
            return;
        };
        searching.status = SearchStatus::Running;
        searching.since = (now, searching.trial.search.tried());
        self.tell_of_search(NO_NEWS);
        self.search_on_and_on(Vec::new());
    }

    /// Asks the next questions, or ends the search. `tried` contains the runs whose values have just arrived.
    fn search_on_and_on(&mut self, tried: Vec<(Run, TriedValues)>) {
        if !self.is_search_of_now() {
            return self.halt_search(SearchStatus::Failed(ANOTHER_LOG.to_owned()));
        }
        let now = self.now;
        let Some(searching) = self.searching.as_mut() else { return };
        let question = searching.question().clone();
        let mut wanted = searching.trial.wanted();
        if searching.trial.baseline.is_none() {
            // of the jobs kept for confirmation only the number is posed
            wanted.push((question.confirming(), Vec::new()));
        }
        if wanted.is_empty() && searching.confirmed.is_none() {
            let has_site = !self.study.treatment.site.is_empty();
            match searching.findings().and_then(|findings| findings.to_confirm(has_site)) {
                Some((steps, runs)) => return self.confirm(tried, steps, runs),
                None => searching.confirmed = Some(None),
            }
        }
        if wanted.is_empty() {
            wanted = searching.on_machines();
        }
        if wanted.is_empty() {
            return self.search_again(tried);
        }
        if !tried.is_empty() {
            let (findings, left) = (searching.findings(), searching.left(now));
            self.tell_of_search(SearchNews { tried, findings, left, ..NO_NEWS });
        }
        self.ask_parts(wanted, &question);
    }

    /// Whether the search is about what is open now.
    fn is_search_of_now(&self) -> bool {
        self.search_on().is_none_or(|on| on.measures_as(&self.searched()))
    }

    /// Searches again on drawn workloads, where something is recommended, or ends. `tried` contains the runs whose values
    /// have just arrived.
    fn search_again(&mut self, mut tried: Vec<(Run, TriedValues)>) {
        let (now, is_of_now) = (self.now, self.is_search_of_now());
        loop {
            let Some(searching) = self.searching.as_mut() else { return };
            let findings = searching.findings();
            let is_recommended = findings.as_ref().is_some_and(|findings| findings.recommended().is_some());
            let ended = searching.ended_again();
            let status = if is_of_now && is_recommended && ended < SEARCHES {
                SearchStatus::Again(ended)
            } else {
                SearchStatus::Ended
            };
            let has_begun = searching.status == SearchStatus::Running;
            let is_news = std::mem::replace(&mut searching.status, status.clone()) != status;
            if has_begun {
                searching.since = (now, searching.tried_again());
            }
            let left = searching.left(now);
            let is_over = status == SearchStatus::Ended;
            let question = searching.question();
            let (seed, metrics) = (question.seed, question.minimise.clone());
            let next = findings.as_ref().map(|findings| findings.asked_again(ended));
            if is_news {
                let tried = std::mem::take(&mut tried);
                self.tell_of_search(SearchNews { tried, findings, left, ..NO_NEWS });
            }
            let (false, Some(next), Some(searching)) = (is_over, next, self.searching.as_mut()) else { return };
            let begin = || {
                let parts = next.again(seed, ended);
                Trial::begin(next, parts)
            };
            let drawn = searching.drawn.get_or_insert_with(begin);
            let wanted = drawn.wanted();
            if !wanted.is_empty() {
                let question = drawn.search.question().clone();
                return self.ask_parts(wanted, &question);
            }
            let found = drawn.findings();
            let selected = found.and_then(|found| Some(found.front[found.selected()?].run.clone()));
            if let Some(run) = selected {
                let step = ConfirmStep { part: LogPart::Whole, runs: vec![run], metrics, losses: None };
                return self.ask_runners(vec![step]);
            }
            searching.take_drawn(None);
        }
    }

    /// Takes the answers about a search on a drawn workload.
    fn take_again(&mut self, mut received: Vec<PosedQuery>) {
        let Some(searching) = self.searching.as_mut() else { return };
        let Some(drawn) = searching.drawn.as_mut() else { return };
        if received.iter().any(|posed| posed.part == LogPart::Whole) {
            let values = received.pop().and_then(|posed| posed.received?.1.pop().flatten());
            searching.take_drawn(values.as_deref());
        } else if drawn.baseline.is_some() {
            drawn.take_generation(received);
        } else if drawn.take_baseline(received).is_err() {
            // no such workload can be drawn: what is known by now is told
            return self.halt_search(SearchStatus::Ended);
        }
        self.search_again(Vec::new());
    }

    /// Asks for all that a question measures of runs on parts of the log.
    fn ask_parts(&mut self, wanted: Vec<(LogPart, Vec<Run>)>, question: &ExploreQuestion) {
        let (metrics, losses) = (question.metrics(), question.losses());
        let step = |(part, runs)| ConfirmStep { part, runs, metrics: metrics.clone(), losses: losses.clone() };
        self.ask_runners(wanted.into_iter().map(step).collect());
    }

    /// Asks for the values by which the selected setting is confirmed, and for its effects.
    fn confirm(&mut self, tried: Vec<(Run, TriedValues)>, steps: Vec<ConfirmStep>, both: [Run; 2]) {
        let now = self.now;
        let (ticket, rules, measure) = (self.number(), self.study.rules(), self.study.measure.clone());
        let Some(searching) = self.searching.as_mut() else { return };
        searching.effects = Some(EffectsAsked { ticket, received: None });
        let (findings, left) = (searching.findings(), searching.left(now));
        self.tell_of_search(SearchNews { tried, findings, left, ..NO_NEWS });
        self.ask(ticket, Query::Effects { both: Box::new(both), rules, measure });
        if self.searching.as_ref().is_some_and(|searching| searching.has_asked(ticket)) {
            self.ask_runners(steps);
        }
    }

    fn ask_runners(&mut self, wanted: Vec<ConfirmStep>) {
        let (rules, measure) = (self.study.rules(), self.study.measure.clone());
        let (mut posed, mut queries) = (Vec::with_capacity(wanted.len()), Vec::with_capacity(wanted.len()));
        for ConfirmStep { part, runs, metrics, losses } in wanted {
            let ticket = self.number();
            let query = Query::Measured { runs: runs.clone(), rules, measure: measure.clone(), metrics, losses, part };
            posed.push(PosedQuery { ticket, part, runs, received: None });
            queries.push((ticket, query));
        }
        if let Some(searching) = self.searching.as_mut() {
            searching.posed = posed;
        }
        for (ticket, query) in queries {
            // if the first question could not be posed, the search is over
            if self.searching.as_ref().is_some_and(|searching| searching.has_asked(ticket)) {
                self.share_out(ticket, query);
            }
        }
    }

    fn take_searched(&mut self, ticket: Ticket, answer: Result<Answer, String>) {
        let Some(searching) = self.searching.as_mut() else { return };
        let is_effects = |effects: &&mut EffectsAsked| effects.ticket == ticket;
        if let Some(effects) = searching.effects.as_mut().filter(is_effects) {
            match answer {
                // what cannot be read is not told
                Ok(Answer::Encoded(bytes)) => effects.received = Some(postcard::from_bytes(&bytes).unwrap_or_default()),
                Ok(_) => return self.halt_search(SearchStatus::Failed(LOST.to_owned())),
                Err(why) => return self.halt_search(SearchStatus::Failed(why)),
            }
            return self.take_all();
        }
        let Some(posed) = searching.posed.iter_mut().find(|posed| posed.ticket == ticket) else { return };
        match answer {
            Ok(Answer::Measured { jobs, values }) => posed.received = Some((jobs, values)),
            Ok(_) => return self.halt_search(SearchStatus::Failed(LOST.to_owned())),
            Err(why) => return self.halt_search(SearchStatus::Failed(why)),
        }
        self.take_all();
    }

    fn take_all(&mut self) {
        let Some(searching) = self.searching.as_mut() else { return };
        let is_open = searching.effects.as_ref().is_some_and(|effects| effects.received.is_none());
        if is_open || searching.posed.iter().any(|posed| posed.received.is_none()) {
            return;
        }
        let received = std::mem::take(&mut searching.posed);
        if matches!(searching.status, SearchStatus::Again(_)) {
            return self.take_again(received);
        }
        if let Some(effects) = searching.effects.take() {
            searching.take_confirmation(received, effects.received.flatten());
            return self.search_on_and_on(Vec::new());
        }
        if received.iter().any(|posed| posed.what_if().is_some()) {
            searching.take_machines(received);
            return self.search_on_and_on(Vec::new());
        }
        if searching.trial.baseline.is_some() {
            let tried = searching.trial.take_generation(received);
            return self.search_on_and_on(tried);
        }
        match searching.trial.take_baseline(received) {
            Ok(()) => self.search_on_and_on(Vec::new()),
            Err(why) => self.halt_search(SearchStatus::Failed(why)),
        }
    }

    /// Stops the search and keeps its findings. Does nothing if none is under way.
    fn halt_search(&mut self, status: SearchStatus) {
        let Some(searching) = self.searching.as_mut().filter(|searching| searching.is_under_way()) else { return };
        searching.status = status;
        searching.effects = None;
        let findings = searching.findings();
        let posed: Vec<Ticket> = std::mem::take(&mut searching.posed).into_iter().map(|posed| posed.ticket).collect();
        self.tell_of_search(SearchNews { findings, ..NO_NEWS });
        self.end_measurings(STOPPED, &posed);
    }

    /// Passes on the news, with the present status if the news has none.
    fn tell_of_search(&mut self, news: SearchNews) {
        let status = match (&news.status, &self.searching) {
            (SearchStatus::Idle, Some(searching)) => searching.status.clone(),
            (status, _) => status.clone(),
        };
        self.order(QueueOrder::TellSearch(Box::new(SearchNews { status, ..news })));
    }
}

/// News that contains nothing but the present status.
const NO_NEWS: SearchNews =
    SearchNews { status: SearchStatus::Idle, is_new: false, tried: Vec::new(), findings: None, left: None };
