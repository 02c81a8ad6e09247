//! Forecasts of when waiting jobs start, made some futures at a time, so that they can be stopped.

use super::kept::WorkerCache;
use super::simulate::{SLICE, now};
use super::{Seldom, is_cancelled, post};
use crate::run_queue::Encoded;
use crate::run_queue::protocol::{ForecastNews, ForecastTask, FromWorker, LogId, Ticket};
use gloo::timers::future::TimeoutFuture;
use js_sys::Uint8Array;
use packfair_study::Treatment;
use packfair_when::{ForecastWatch, QueueForecast, Scene, WhenAsked, WhenTold, Whence};
use packfair_workload::{Queue, read_queue};
use wasm_bindgen::JsCast;
use web_sys::{Blob, FileReaderSync};

/// The size of the largest log in which a queue is looked for, bytes.
const LARGEST: f64 = 200e6;

/// A forecast that was made last, for questions about single jobs.
pub(super) struct KeptOutlook {
    pub log: LogId,
    treatment: Treatment,
    asked: WhenAsked,
    outlook: QueueForecast,
}

/// Makes a forecast, or tells of one of its jobs. Returns the closing message.
pub(super) fn forecast<'a>(
    kept: &'a mut WorkerCache,
    ticket: Ticket,
    log: LogId,
    treatment: Treatment,
    task: &'a Encoded<ForecastTask>,
) -> Seldom<'a, FromWorker> {
    Box::pin(async move {
        let Some(ForecastTask { asked, job }) = task.decode() else {
            return FromWorker::Failed { ticket, message: "The question was lost. Ask again.".to_owned() };
        };
        let mut teller = ForecastTeller { ticket, slept: now(), told: 0.0 };
        let is_it = |kept: &KeptOutlook| kept.log == log && kept.treatment == treatment && kept.asked == asked;
        if !kept.outlook.as_ref().is_some_and(is_it) {
            kept.outlook = None;
            match begin(kept, log, &treatment, &asked) {
                Err(message) => return FromWorker::Failed { ticket, message },
                Ok(mut outlook) => {
                    if !outlook.run(&mut teller).await {
                        return FromWorker::Cancelled { ticket };
                    }
                    kept.outlook = Some(KeptOutlook { log, treatment, asked, outlook });
                }
            }
        }
        let Some(KeptOutlook { outlook, .. }) = &kept.outlook else { return FromWorker::Cancelled { ticket } };
        let of_job = match job {
            None => None,
            Some(number) => match outlook.of_job(number, &mut teller).await {
                Some(told) => Some(told),
                None if is_cancelled(ticket) => return FromWorker::Cancelled { ticket },
                None => {
                    let message = format!("Job {number} does not wait at this moment.");
                    return FromWorker::Failed { ticket, message };
                }
            },
        };
        let news = ForecastNews { share: 1.0, told: Some(outlook.told().clone()), of_job };
        FromWorker::Forecast { ticket, news: Encoded::of(&news), is_last: true }
    })
}

fn begin(kept: &WorkerCache, id: LogId, treatment: &Treatment, asked: &WhenAsked) -> Result<QueueForecast, String> {
    let log = kept.log(id).ok_or("The log is not loaded any more. Open it again.")?;
    let question = asked.question();
    let text = Some(asked.now.as_str()).filter(|text| !text.is_empty());
    let beside = kept.queue(id).map(|bytes| read_queue(bytes).map_err(|error| error.to_string())).transpose()?;
    // rows of running and waiting jobs in the log itself are a queue
    let queue = beside.or_else(|| text.is_none().then(|| within(kept, id)).flatten());
    let whence = match &queue {
        Some(_) => Whence::Queue,
        None if log.tells_starts() => Whence::Log,
        None => Whence::Simulation,
    };
    let scene = Scene::of(log, queue.as_ref(), treatment, &question, text).map_err(|error| error.to_string())?;
    QueueForecast::new(scene, asked, log, whence).map_err(|error| error.to_string())
}

/// The queue that the file of a log has itself, such as one of sacct with rows of running and waiting jobs.
fn within(kept: &WorkerCache, id: LogId) -> Option<Queue> {
    let blob: &Blob = kept.file(id)?.dyn_ref()?;
    if blob.size() > LARGEST {
        return None;
    }
    let buffer = FileReaderSync::new().ok()?.read_as_array_buffer(blob).ok()?;
    read_queue(&Uint8Array::new(&buffer).to_vec()).ok().filter(|queue| !queue.jobs.is_empty())
}

/// Tells the page how far a forecast has come.
struct ForecastTeller {
    ticket: Ticket,
    /// When others could work last, milliseconds.
    slept: f64,
    /// When the page heard last, milliseconds.
    told: f64,
}

impl ForecastWatch for ForecastTeller {
    fn hear(&mut self, share: f64, told: Option<&WhenTold>) {
        if told.is_none() && now() - self.told < SLICE {
            return;
        }
        self.told = now();
        let news = ForecastNews { share, told: told.cloned(), of_job: None };
        post(&FromWorker::Forecast { ticket: self.ticket, news: Encoded::of(&news), is_last: false });
    }

    async fn goes_on(&mut self) -> bool {
        if now() - self.slept >= SLICE {
            TimeoutFuture::new(0).await;
            self.slept = now();
        }
        !is_cancelled(self.ticket)
    }
}
