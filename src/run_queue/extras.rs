//! Fair start times: requested, computed in parts on all workers, and put together.

use super::protocol::{Encoded, ForecastNews, ForecastTask, ScheduleKey, Ticket, ToWorker};
use super::results::{LogState, RunOutcome, RunSettings, Status};
use super::series::NOT_LOADED;
use super::workers::{FairWork, RunTask, Wanted, Work};
use super::{QueueOrder, RunQueue};
use packfair_base::catalogue::NamedFile;
use packfair_slurm::SettingGroup;
use packfair_study::Run;
use packfair_workload::{ColumnMap, ExternalKind, PairingCounts};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// The smallest number of jobs in a part: a worker has to simulate the run up to the part's first job before it begins.
const FEWEST_JOBS: usize = 1_000;

/// The number of parts for each worker. Jobs differ much in how long they take, so a worker that is done early takes
/// another part.
const PARTS_EACH: usize = 4;

impl<B: Clone> RunQueue<B> {
    /// Called when the user wants the fair start times of a run.
    pub(super) fn fair_starts_wanted(&mut self, run: Run) {
        if self.row(&run).is_some_and(|row| !row.is_busy()) {
            self.begin_fair_starts(&run, Wanted::Asked);
        }
    }

    /// The runs without the fair start times that a column needs.
    fn lacking_fair_starts(&self) -> Vec<Run> {
        let settings = RunSettings::of(&self.study);
        let lacking = self.rows.iter().filter(|row| row.lacks_fair_starts(&self.study, &settings));
        lacking.map(|row| row.run.clone()).collect()
    }

    /// Computes the fair start times of the runs without those that a column needs.
    pub(super) fn begin_lacking_fair_starts(&mut self, wanted: Wanted) {
        for run in self.lacking_fair_starts() {
            self.begin_fair_starts(&run, wanted);
        }
    }

    /// Computes the fair start times of a run that has just ended, if a column needs them.
    pub(super) fn follow_with_fair_starts(&mut self, run: &Run, wanted: Wanted) {
        let settings = RunSettings::of(&self.study);
        if self.row(run).is_some_and(|row| row.lacks_fair_starts(&self.study, &settings)) {
            self.begin_fair_starts(run, wanted);
        }
    }

    /// The result of a run for the present settings, if its schedule is available.
    fn present_result(&self, run: &Run) -> Option<Arc<RunOutcome>> {
        let settings = RunSettings::of(&self.study);
        let result = self.row(run)?.result.clone()?;
        (result.settings == settings && result.has_schedule).then_some(result)
    }

    #[inline(never)]
    fn begin_fair_starts(&mut self, run: &Run, wanted: Wanted) {
        let Some(result) = self.present_result(run) else { return };
        self.set_status(run, Status::Queued);
        let key = result.settings.key(run);
        match self.schedules.get(&key).map(|(_, schedule)| schedule.clone()) {
            Some(schedule) => self.enqueue_fair_starts(&result, schedule, wanted),
            None => {
                self.awaiting_schedule.push((key.clone(), run.clone(), result.settings.clone(), wanted));
                self.fetch(key);
            }
        }
    }

    /// Requests a schedule that the browser has stored.
    pub(super) fn fetch(&mut self, key: ScheduleKey) {
        if self.fetching.insert(key.clone()) {
            self.order(QueueOrder::Fetch(key));
        }
    }

    /// Called when a schedule has arrived from the browser's storage, or cannot be had.
    #[inline(never)]
    pub(super) fn fetched(&mut self, key: &ScheduleKey, schedule: Result<B, String>) {
        self.fetching.remove(key);
        let awaiting: Vec<_> = self.awaiting_schedule.extract_if(.., |(of, ..)| of == key).collect();
        for (_, run, _, wanted) in awaiting {
            match (self.present_result(&run), &schedule) {
                (Some(result), Ok(schedule)) => self.enqueue_fair_starts(&result, schedule.clone(), wanted),
                (_, Err(message)) => self.set_status(&run, Status::Failed(message.clone())),
                (None, Ok(_)) => {}
            }
        }
        self.schedule_for_questions(key, &schedule);
    }

    fn enqueue_fair_starts(&mut self, result: &Arc<RunOutcome>, schedule: B, wanted: Wanted) {
        let (run, settings) = (result.report.run.clone(), result.settings.clone());
        let jobs = match &self.log {
            LogState::Ready(described) if described.treatment == settings.treatment => described.summary.jobs,
            _ => 0,
        };
        let open = self.open.as_ref().filter(|open| open.source == settings.source).map(|open| open.id);
        let Some(log) = open.filter(|_| jobs > 0) else { return self.set_status(&run, Status::Done) };
        let parts = (self.most_runners() * PARTS_EACH).min(jobs / FEWEST_JOBS).max(1);
        self.fair.retain(|work| work.run != run);
        self.fair.push(FairWork {
            run: run.clone(),
            settings: settings.clone(),
            wall_s: result.report.wall_s,
            schedule,
            jobs,
            done: vec![0; parts],
            parts: vec![None; parts],
            spent: vec![0.0; parts],
        });
        for part in 0..parts {
            let jobs = jobs * part / parts..jobs * (part + 1) / parts;
            let (ticket, work) = (self.number(), Work::FairStarts { part, jobs });
            let (run, settings) = (run.clone(), settings.clone());
            self.waiting.push_back(RunTask { ticket, run, settings, log, work, wanted, reported: None });
        }
        self.dispatch();
    }

    /// Called when a worker reports progress with a part.
    #[inline(never)]
    pub(super) fn fair_starts_progressed(&mut self, task: &RunTask, part: usize, completed: usize, spent: f64) {
        let at_a_time = self.most_runners().max(1) as f64;
        let Some(work) = self.fair.iter_mut().find(|work| work.is_of(task)) else { return };
        let (Some(done), Some(of_part)) = (work.done.get_mut(part), work.spent.get_mut(part)) else { return };
        (*done, *of_part) = (completed, spent);
        let (completed, jobs): (usize, usize) = (work.done.iter().sum(), work.jobs);
        let spent = work.spent.iter().sum::<f64>() / at_a_time;
        self.goes_on(task, (0, 0.0), completed, jobs, spent);
    }

    /// Takes a part of the fair start times. Once all parts are here, the schedule is measured with them.
    #[inline(never)]
    pub(super) fn take_fair_starts(&mut self, task: RunTask, fair: B) {
        let Work::FairStarts { part, .. } = task.work else { return };
        let Some(work) = self.fair.iter_mut().find(|work| work.is_of(&task)) else { return };
        if let Some(place) = work.parts.get_mut(part) {
            *place = Some(fair);
        }
        if work.parts.iter().all(Option::is_some) {
            let ticket = self.number();
            self.set_status(&task.run, Status::Measuring);
            self.waiting.push_front(RunTask { ticket, work: Work::Measure, ..task });
        }
    }

    /// Stops the computation of a run's fair start times. Returns whether one was under way.
    pub(super) fn give_up_fair_starts(&mut self, run: &Run) -> bool {
        let before = self.fair.len() + self.awaiting_schedule.len();
        self.fair.retain(|work| work.run != *run);
        self.awaiting_schedule.retain(|(_, of, ..)| of != run);
        self.fair.len() + self.awaiting_schedule.len() < before
    }
}

// Forecasts of when waiting jobs start, which the log worker makes: it has the log, and not only a workload.

impl<B: Clone> RunQueue<B> {
    /// Asks for a forecast of the open log. One under way is stopped.
    #[inline(never)]
    pub(super) fn forecast(&mut self, question: Ticket, asked: Encoded<ForecastTask>) {
        self.stop_forecast();
        let Some(log) = self.open.as_ref().map(|open| open.id) else {
            return self.order(QueueOrder::TellForecast { question, news: Err(NOT_LOADED.to_owned()) });
        };
        let (worker, treatment) = (self.log_worker(), self.treatment_asked());
        self.give_log(worker, log);
        self.forecasting = Some(question);
        self.send(worker, ToWorker::Forecast { ticket: question, log, treatment, asked });
    }

    /// Stops the forecast under way, if there is one.
    #[inline(never)]
    pub(super) fn stop_forecast(&mut self) {
        if let Some(ticket) = self.forecasting.take() {
            let worker = self.log_worker();
            self.send(worker, ToWorker::Cancel { ticket });
        }
    }

    /// Passes on news of the forecast under way; none of one that was stopped.
    #[inline(never)]
    pub(super) fn tell_forecast(&mut self, ticket: Ticket, news: Result<Encoded<ForecastNews>, String>, is_last: bool) {
        if self.forecasting == Some(ticket) {
            self.forecasting.take_if(|_| is_last);
            self.order(QueueOrder::TellForecast { question: ticket, news });
        }
    }
}

// What the user says about a log, and the files given beside it.
//
// Messages carry this encoded (`Encoded`), because only the late parts of the page and the worker need to decode it.

/// What the user says about a log, and the files given beside it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LogExtras {
    /// The meaning of a table's columns, if their names do not tell it.
    pub columns: ColumnMap,
    /// The files given beside the log: schedules and estimates of its jobs, and files of its site.
    pub files: Vec<GivenFile>,
    /// Whether the log is read though many of its records are not understood.
    pub accepts_losses: bool,
    /// The queue of the cluster at a moment, where one is given: the name of its file, and its bytes.
    pub queue: Option<(String, Vec<u8>)>,
}

/// A file that is given beside a log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GivenFile {
    pub name: String,
    pub kind: ExternalKind,
    /// The file's bytes.
    pub content: Vec<u8>,
}

/// A file that was put beside its log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TakenFile {
    pub file: NamedFile,
    pub kind: ExternalKind,
    /// How well the file's jobs agree with the log's.
    pub agreement: PairingCounts,
    /// What all files of a site say together; given with the last of them.
    pub site: Option<TakenSite>,
}

/// What was read of a Slurm site, as text for the user.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TakenSite {
    pub parts: Vec<(String, String)>,
    /// Remarks on lines, each with its file and line number.
    pub findings: Vec<String>,
    pub settings: Vec<SettingGroup>,
    /// The what-if questions that can be asked about the site: the question, and the text of the row that answers it.
    pub questions: Vec<(String, String)>,
}

/// The outcome for a file of [`LogExtras::files`]: the file was taken, or the reason why not, for the user.
pub type GivenOutcome = Result<TakenFile, String>;

impl LogExtras {
    /// This encoded; empty if nothing was said or given.
    pub fn encoded(&self) -> Encoded<LogExtras> {
        if *self == LogExtras::default() { Encoded::default() } else { Encoded::of(self) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_read_back() {
        let file =
            GivenFile { name: "ours".to_owned(), kind: ExternalKind::Schedule, content: b"job,start\n".to_vec() };
        let columns = ColumnMap { columns: vec!["submit=a:min".parse().unwrap()] };
        let beside = LogExtras {
            columns,
            files: vec![file],
            accepts_losses: true,
            queue: Some(("squeue.json".to_owned(), b"{}".to_vec())),
        };
        assert_eq!(beside.encoded().decode(), Some(beside));
        assert!(LogExtras::default().encoded().is_empty());
    }
}
