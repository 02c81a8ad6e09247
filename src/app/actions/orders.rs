//! Sends events to the run queue, and carries out its orders.

use super::now;
use crate::app::pool::{Backend, Heard};
use crate::app::prelude::*;
use crate::app::state::{App, RunOutcome, RunSettings};
use crate::app::{LongLived, notices, store, when};
use crate::run_queue::protocol::{FromWorker, ScheduleKey, Ticket, ToWorker};
use crate::run_queue::{Attachment, Event, QueueOrder, WorkerId};
use js_sys::{Array, Uint8Array};
use leptos::task::spawn_local;
use packfair_study::Run;
use std::sync::Arc;
use std::time::Duration;
use wasm_bindgen::{JsCast, JsValue};

/// How long to wait for stored results before the runs are computed again.
const RECALL_PATIENCE: Duration = Duration::from_millis(400);

/// How long changes of rows are collected before they are shown, while runs go on.
const ROWS_MOMENT: Duration = Duration::from_millis(150);

impl App {
    /// Does something with the backend. Calls must not be nested.
    pub(super) fn with_backend<T>(self, act: impl FnOnce(&mut Backend) -> T) -> T {
        // the backend is created with the page and never disposed of
        self.backend.try_update_value(act).expect("the backend lives as long as the page")
    }

    /// Tells the run queue what has happened, and carries out its orders. Orders that arise while an order is carried
    /// out are appended and carried out after those before them.
    pub(super) fn tell(self, event: Event<JsValue>) {
        let is_within = self.with_backend(|backend| {
            let orders = backend.queue.handle(now(), event);
            backend.orders.extend(orders);
            std::mem::replace(&mut backend.is_at_orders, true)
        });
        if is_within {
            return;
        }
        while let Some(order) = self.with_backend(|backend| backend.orders.pop_front()) {
            self.carry_out(order);
        }
        self.with_backend(|backend| backend.is_at_orders = false);
    }

    /// Handles a message from a worker, or its end.
    pub(super) fn heard(self, heard: Heard) {
        let event = match heard {
            Heard::Said(worker, FromWorker::Crashed { message }, _) | Heard::Ended(worker, message) => {
                Event::Died { worker, message: stopped(&message) }
            }
            Heard::Said(worker, message, attachment) => {
                let attachment = attachment.is_instance_of::<Uint8Array>().then_some(attachment);
                Event::Said { worker, message, attachment }
            }
        };
        self.tell(event);
    }

    fn carry_out(self, order: QueueOrder<JsValue>) {
        match order {
            QueueOrder::ShowRepeats => {
                self.repeats.renew(self.with_backend(|backend| backend.queue.repeats().cloned()))
            }
            QueueOrder::ShowTrials => self.trials.renew(self.with_backend(|backend| backend.queue.trials().cloned())),
            QueueOrder::TellSearch(news) => self.tell_search(*news),
            QueueOrder::ShowRows => self.show_rows(),
            QueueOrder::ShowRowsSoon => self.show_rows_soon(),
            QueueOrder::ShowLog => self.log.renew(self.with_backend(|backend| backend.queue.log().clone())),
            QueueOrder::ShowSeries => {
                self.on_several_logs.set(self.with_backend(|backend| backend.queue.is_on_several_logs()));
            }
            QueueOrder::Start(worker) => {
                if let Err(message) = self.with_backend(|backend| backend.pool.start(worker)) {
                    self.tell(Event::Died { worker, message });
                }
            }
            QueueOrder::Send { worker, message, attachment } => self.send(worker, &message, attachment),
            QueueOrder::Deliver(worker) => self.with_backend(|backend| backend.pool.deliver(worker)),
            QueueOrder::End(worker) => self.with_backend(|backend| backend.pool.end(worker)),
            QueueOrder::Recall { search, settings, missing } => self.recall(search, settings, missing),
            QueueOrder::Fetch(key) => self.fetch(key),
            QueueOrder::Store { key, copy, outcome, schedule } => self.store(key, copy, outcome, schedule),
            QueueOrder::CompareShared => self.judge_shared(),
            QueueOrder::Answer { question, answer } => {
                if let Some(asker) = self.with_backend(|backend| backend.questions.remove(&question)) {
                    // the asker may be gone
                    let _ = asker.send(*answer);
                }
            }
            QueueOrder::TellForecast { question, news } => when::hear(question, news),
            QueueOrder::Opened(opened) => self.take_log(*opened),
            QueueOrder::ForgetFile => {
                self.forget_failed_arrival();
                self.ask_columns_of_failed();
            }
            QueueOrder::AwaitGoingOn => self.forget_failed_arrival(),
            QueueOrder::Open(source) => self.open(source),
            QueueOrder::NoteUnderWay(runs) => super::runs::note_under_way(runs),
            QueueOrder::SayResumed(runs) => self.say_resumed(runs),
            QueueOrder::Complain(message) => self.complain(message),
        }
    }

    pub(super) fn show_rows(self) {
        if self.with_backend(|backend| backend.rows_are_held) {
            return;
        }
        let rows = self.with_backend(|backend| {
            backend.rows_are_due = false;
            backend.queue.rows().to_vec()
        });
        self.rows.renew(self.looked_at(rows));
    }

    /// Shows the changed rows after a short pause, all at once: showing them takes about as long as a short run.
    fn show_rows_soon(self) {
        if !self.with_backend(|backend| std::mem::replace(&mut backend.rows_are_due, true)) {
            let show_if_due = move || {
                if self.with_backend(|backend| backend.rows_are_due) {
                    self.show_rows();
                }
            };
            set_timeout(show_if_due, ROWS_MOMENT);
        }
    }

    fn send(self, worker: WorkerId, message: &ToWorker, attachment: Attachment<JsValue>) {
        let attachment = match attachment {
            Attachment::Nothing => JsValue::UNDEFINED,
            Attachment::One(bytes) => bytes,
            Attachment::Several(all) => all.into_iter().collect::<Array>().into(),
        };
        self.with_backend(|backend| backend.pool.send(worker, message, &attachment));
    }

    fn recall(self, search: Ticket, settings: RunSettings, missing: Vec<(ScheduleKey, Run)>) {
        if self.with_backend(|backend| backend.stores_no_results) {
            return self.tell(Event::Recalled(search));
        }
        // a database that does not answer must not delay the runs
        set_timeout(move || self.tell(Event::Recalled(search)), RECALL_PATIENCE);
        spawn_local(async move {
            let keys = missing.iter().map(|(key, _)| key.clone()).collect();
            // if nothing can be stored, nothing is found
            for (key, report) in store::reports(keys).await.unwrap_or_default() {
                if missing.iter().any(|(k, run)| *k == key && *run == report.run) {
                    self.tell(Event::Remembered { settings: settings.clone(), report: Box::new(report) });
                }
            }
            self.tell(Event::Recalled(search));
        });
    }

    /// Fetches a schedule from the browser's storage.
    #[inline(never)]
    fn fetch(self, key: ScheduleKey) {
        spawn_local(async move {
            let schedule = match store::schedule(&key).await {
                Ok(Some(schedule)) => Ok(schedule.into()),
                Ok(None) => Err("The schedule is not stored any more. Run it again.".to_owned()),
                Err(message) => Err(message),
            };
            self.tell(Event::Fetched { key, schedule });
        });
    }

    /// Stores a result beyond this session, if the browser allows it.
    fn store(self, key: ScheduleKey, copy: Ticket, outcome: Arc<RunOutcome>, schedule: JsValue) {
        let Ok(schedule) = schedule.dyn_into::<Uint8Array>() else { return };
        self.with_backend(|backend| backend.stores_no_results = false);
        spawn_local(async move {
            if store::put_result(&key, &outcome.report, &schedule).await.is_ok() {
                self.tell(Event::Stored { key, copy });
            }
        });
    }
}

fn stopped(why: &str) -> String {
    // this is not an error of the page, which goes on
    web_sys::console::warn_1(&why.into());
    format!("The worker stopped: {}. Try again, or with a smaller log.", notices::in_words(why))
}
