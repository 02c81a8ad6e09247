//! What a worker keeps: logs, the workloads made from them, and schedules about which questions are asked.

use super::extras;
use super::forecast::KeptOutlook;
use crate::run_queue::protocol::{FromWorker, LogId, ScheduleKey, Ticket};
use crate::run_queue::{Encoded, GivenFile};
use js_sys::Uint8Array;
use packfair_engine::model::Schedule;
use packfair_study::query::{Begun, Query};
use packfair_study::{Generated, LogPart, Run, Treatment, query};
use packfair_workload::{Filter, Log, Summary, Workload};
use std::collections::HashMap;
use std::rc::Rc;
use wasm_bindgen::{JsCast, JsValue};

#[derive(Default)]
pub(super) struct WorkerCache {
    logs: HashMap<LogId, Log>,
    /// What was prepared for a first visit, until the page asks for a log.
    prepared: Option<Prepared>,
    /// The workload that was made last: nearly always the one that is needed next.
    workload: Option<(LogId, Treatment, Rc<Workload>)>,
    /// Parts of that workload on which runs were measured.
    parts: Vec<(LogPart, Rc<Workload>)>,
    schedules: HashMap<ScheduleKey, (LogId, Schedule)>,
    /// The files of logs, and the queues beside them.
    files: HashMap<LogId, (JsValue, Option<Vec<u8>>)>,
    /// The forecast that was made last.
    pub(super) outlook: Option<KeptOutlook>,
    /// The lived workloads of the schedules that the last question was about, for runs whose users react.
    lived: Vec<(ScheduleKey, Rc<Workload>)>,
}

/// The log of a first visit, and the workload made from it.
struct Prepared {
    log: Log,
    treatment: Treatment,
    workload: Rc<Workload>,
}

impl WorkerCache {
    /// Generates the log of a first visit, for which the page asks as soon as it has started itself.
    pub(super) fn prepare(&mut self) {
        let (log, treatment) = (Generated::FIRST_VISIT.generate(), Treatment::default());
        let made = treatment.apply(&log).ok();
        self.prepared = made.map(|workload| Prepared { log, treatment, workload: Rc::new(workload) });
    }

    /// Generates a log and keeps it with the files given beside it. Returns the message that describes the log.
    pub(super) fn generate(&mut self, id: LogId, generated: &Generated, files: &[GivenFile]) -> FromWorker {
        match self.prepared.take().filter(|_| *generated == Generated::FIRST_VISIT && files.is_empty()) {
            Some(Prepared { log, treatment, workload }) => {
                let loaded = self.take_in(id, log, Vec::new(), files);
                self.set_workload(Some((id, treatment, workload)));
                loaded
            }
            None => self.take_in(id, generated.generate(), Vec::new(), files),
        }
    }

    /// Keeps a log with the files given beside it. Returns the message that describes the log.
    pub(super) fn take_in(&mut self, id: LogId, mut log: Log, others: Vec<String>, files: &[GivenFile]) -> FromWorker {
        self.prepared = None;
        self.forget(id);
        let given = if files.is_empty() { Encoded::default() } else { extras::apply(&mut log, files) };
        let loaded = FromWorker::Loaded {
            log: id,
            fingerprint: log.fingerprint,
            header: log.named_header(),
            records: usize::try_from(log.records_read()).unwrap_or(usize::MAX),
            name: log.name.clone(),
            others,
            tells_starts: log.tells_starts(),
            names_requested_times: log.names_requested_times(),
            is_table: log.is_table,
            given,
        };
        self.logs.insert(id, log);
        loaded
    }

    /// Keeps the file of a log, and the queue that is given beside it.
    pub(super) fn note(&mut self, id: LogId, file: JsValue, queue: Option<Vec<u8>>) {
        self.outlook = None;
        self.files.insert(id, (file, queue));
    }

    pub(super) fn log(&self, id: LogId) -> Option<&Log> {
        self.logs.get(&id)
    }

    /// The file of a log; none where it was generated.
    pub(super) fn file(&self, id: LogId) -> Option<&JsValue> {
        self.files.get(&id).map(|(file, _)| file)
    }

    /// The queue that is given beside a log.
    pub(super) fn queue(&self, id: LogId) -> Option<&[u8]> {
        self.files.get(&id)?.1.as_deref()
    }

    pub(super) fn forget_file(&mut self, id: LogId) {
        self.files.remove(&id);
    }

    pub(super) fn forget(&mut self, id: LogId) {
        self.logs.remove(&id);
        self.outlook.take_if(|outlook| outlook.log == id);
        self.schedules.retain(|_, (log, _)| *log != id);
        if self.workload.as_ref().is_some_and(|(log, ..)| *log == id) {
            self.set_workload(None);
        }
    }

    fn set_workload(&mut self, workload: Option<(LogId, Treatment, Rc<Workload>)>) {
        self.parts.clear();
        self.lived.clear();
        self.workload = workload;
    }

    /// A part of a workload; the workload is the one that [`WorkerCache::workload`] returned last.
    pub(super) fn part(&mut self, workload: &Workload, part: LogPart) -> Rc<Workload> {
        if let Some((_, kept)) = self.parts.iter().find(|(of, _)| *of == part) {
            return kept.clone();
        }
        let made = Rc::new(part.of(workload));
        // at most two: the part on which settings are chosen, and the part on which they are judged
        if self.parts.len() > 1 {
            self.parts.remove(0);
        }
        self.parts.push((part, made.clone()));
        made
    }

    pub(super) fn workload(&mut self, id: LogId, treatment: &Treatment) -> Result<Rc<Workload>, String> {
        if let Some((log, same, workload)) = &self.workload
            && *log == id
            && same == treatment
        {
            return Ok(workload.clone());
        }
        let log = self.logs.get(&id).ok_or("The log is not loaded any more. Open it again.")?;
        let workload = Rc::new(treatment.apply(log).map_err(|error| error.to_string())?);
        self.set_workload(Some((id, treatment.clone(), workload.clone())));
        Ok(workload)
    }

    /// The workload that a treatment makes of a log, encoded for [`WorkerCache::take`].
    pub(super) fn pack(&mut self, id: LogId, treatment: &Treatment) -> Result<Uint8Array, String> {
        let workload = self.workload(id, treatment)?;
        let bytes = postcard::to_stdvec(&*workload).map_err(|error| error.to_string())?;
        Ok(Uint8Array::from(bytes.as_slice()))
    }

    /// Keeps a workload that another worker has packed.
    pub(super) fn take(&mut self, id: LogId, treatment: Treatment, bytes: &JsValue) {
        // the previous workload is no longer needed, and there may not be room for both
        self.set_workload(None);
        let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
        // if it cannot be read, the run that needs it reports that it is missing
        if let Ok(workload) = postcard::from_bytes(&bytes) {
            self.set_workload(Some((id, treatment, Rc::new(workload))));
        }
    }

    /// Describes a log after a treatment.
    pub(super) fn describe(&mut self, ticket: Ticket, log: LogId, treatment: &Treatment) -> Result<FromWorker, String> {
        let workload = self.workload(log, treatment)?;
        let summary = Box::new(Summary::of(&workload));
        let account = workload.account.clone();
        let unfiltered = if treatment.filter == Filter::default() && treatment.like.is_none() {
            None
        } else {
            let unfiltered = Treatment { filter: Filter::default(), like: None, ..treatment.clone() };
            let log = self.logs.get(&log).ok_or("The log is not loaded any more. Open it again.")?;
            Some(Box::new(Summary::of(&unfiltered.apply(log).map_err(|error| error.to_string())?)))
        };
        Ok(FromWorker::Described { ticket, summary, unfiltered, account })
    }

    /// Keeps a schedule, encoded in `bytes`.
    pub(super) fn keep(&mut self, log: LogId, key: ScheduleKey, bytes: &JsValue) {
        let bytes = bytes.dyn_ref::<Uint8Array>().map(Uint8Array::to_vec).unwrap_or_default();
        // if it cannot be read, the question about it reports that it is missing
        if let Ok(schedule) = postcard::from_bytes(&bytes) {
            self.schedules.insert(key, (log, schedule));
        }
    }

    /// The lived workloads of the runs that a question is about, for those runs whose users react.
    pub(super) fn lived(
        &mut self,
        workload: &Workload,
        schedules: &[(Run, ScheduleKey)],
        query: &Query,
    ) -> Vec<(Run, Rc<Workload>)> {
        let asked = || schedules.iter().filter(|(run, _)| query.runs().any(|of| of == run));
        self.lived.retain(|(key, _)| asked().any(|(_, of)| of == key));
        let mut lived = Vec::new();
        for (run, key) in asked() {
            let kept = self.lived.iter().find(|(of, _)| of == key).map(|(_, lived)| lived.clone());
            let made = || {
                let (_, schedule) = self.schedules.get(key)?;
                let is_of = schedule.submits.is_some() && schedule.starts.len() == workload.len();
                is_of.then(|| Rc::new(schedule.workload(workload).into_owned()))
            };
            if let Some(came_about) = kept.clone().or_else(made) {
                if kept.is_none() {
                    self.lived.push((key.clone(), came_about.clone()));
                }
                lived.push((run.clone(), came_about));
            }
        }
        lived
    }

    /// Begins to answer a question about kept schedules of a workload made from a log. `lived` is the result of
    /// [`WorkerCache::lived`] for this question.
    pub(super) fn answer<'a>(
        &'a self,
        log: LogId,
        workload: &'a Workload,
        lived: &'a [(Run, Rc<Workload>)],
        schedules: &[(Run, ScheduleKey)],
        query: &Query,
    ) -> Result<Begun<'a>, String> {
        let find = |run: &Run| {
            let (_, key) = schedules.iter().find(|(r, _)| r == run)?;
            let (_, schedule) = self.schedules.get(key)?;
            (schedule.starts.len() == workload.len()).then_some(schedule)
        };
        let lived = |run: &Run| lived.iter().find(|(of, _)| of == run).map(|(_, workload)| &**workload);
        query::begin_lived(query, workload, self.logs.get(&log), &find, &lived)
    }
}
