//! How forecasts are told.

use crate::args::{WhenFormat, WhenceArguments};
use crate::{Failure, load, say};
use packfair_study::format::{duration, whole};
use packfair_when::{BackTest, Before, Forecast, Help};
use packfair_workload::{Account, Beyond, Fingerprint, Header, Log, Names, Queue, QueueError, read_queue};
use serde::Serialize;
use std::path::{Path, PathBuf};

/// The most jobs before another that are listed.
const BEFORE: usize = 20;

/// What a back test came to.
pub(super) fn back_test(test: &BackTest, format: WhenFormat) -> Result<String, Failure> {
    match format {
        WhenFormat::Json => json(test),
        WhenFormat::Csv => csv(std::slice::from_ref(test)),
        WhenFormat::Table => {
            let percent = |share: f64| format!("{:.1} %", 100.0 * share);
            let lines = [
                ("forecasts", format!("{} at {} moments", whole(test.predictions as i64), whole(test.moments as i64))),
                ("in the 80 % band", format!("{} of the starts", percent(test.coverage_80))),
                ("", format!("{} before it, {} after it", percent(test.earlier), percent(test.later))),
                ("", format!("{} before the bands were calibrated", percent(test.uncalibrated_coverage_80))),
                ("width of the band", format!("{} in the median", duration(test.median_width_s))),
                ("median error", duration(test.median_error_s)),
                ("of the limits", duration(test.limits_median_error_s)),
                ("of similar jobs", duration(test.similar_median_error_s)),
            ];
            Ok(lines.map(|(what, value)| format!("{what:<18} {value}\n")).concat())
        }
    }
}

pub(super) fn forecasts(forecasts: &[Forecast], format: WhenFormat) -> Result<String, Failure> {
    match format {
        WhenFormat::Json => json(&forecasts),
        WhenFormat::Csv => csv(forecasts),
        WhenFormat::Table if forecasts.is_empty() => Ok("no job waits\n".to_owned()),
        WhenFormat::Table => {
            let mut text = format!(
                "{:>10}  {:<12} {:>9} {:>9} {:>9}  {:>5} {:>5} {:>5}  why it waits\n",
                "job", "user", "10 %", "median", "90 %", "1 h", "4 h", "24 h"
            );
            let time = |seconds: i64| duration(seconds as f64);
            let chance = |share: f64| format!("{:.0} %", 100.0 * share);
            for forecast in forecasts {
                let Forecast { job, user, p10, p50, p90, within_1h, within_4h, within_24h, reason, .. } = forecast;
                let user: String = user.as_deref().unwrap_or("-").chars().take(12).collect();
                let [p10, p50, p90] = [*p10, *p50, *p90].map(time);
                let [one, four, day] = [*within_1h, *within_4h, *within_24h].map(chance);
                text.push_str(&format!(
                    "{job:>10}  {user:<12} {p10:>9} {p50:>9} {p90:>9}  {one:>5} {four:>5} {day:>5}  {reason}\n"
                ));
            }
            Ok(text)
        }
    }
}

#[derive(Serialize)]
pub(super) struct OfJob {
    #[serde(flatten)]
    pub(super) forecast: Forecast,
    /// Who starts before it in most futures.
    pub(super) before: Vec<Before>,
    pub(super) help: Vec<Help>,
}

/// The forecast of one job, with who is before it and what would help.
pub(super) fn of_job(told: &[OfJob], format: WhenFormat) -> Result<String, Failure> {
    let only: Vec<Forecast> = told.iter().map(|told| told.forecast.clone()).collect();
    match format {
        WhenFormat::Json => return json(&told),
        WhenFormat::Csv => return csv(&only),
        WhenFormat::Table => {}
    }
    let mut text = forecasts(&only, format)?;
    for OfJob { before, help, .. } in told {
        if !before.is_empty() {
            text.push_str("\nstarts after\n");
        }
        for Before { job, user, share, processors, limit, why } in before.iter().take(BEFORE) {
            let (user, limit) = (user.as_deref().unwrap_or("-"), duration(*limit as f64));
            let share = format!("{:.0} %", 100.0 * share);
            text.push_str(&format!(
                "{job:>10}  {user:<12} in {share:>5} of the futures; {processors} wide, limit {limit}; {why}\n"
            ));
        }
        if before.len() > BEFORE {
            text.push_str(&format!("            and {} others\n", before.len() - BEFORE));
        }
        text.push_str("\nwhat would help\n");
        for Help { what, submitted, p50, gain_p50, gain_p10, gain_p90 } in help {
            let [p50, gain, low, high] = [*p50, gain_p50.abs(), *gain_p10, *gain_p90].map(|time| duration(time as f64));
            let way = if *gain_p50 < 0 { "later" } else { "earlier" };
            text.push_str(&format!("  {what:<24} median {p50}: {gain} {way} (earlier by {low} to {high})"));
            if *submitted > 0 {
                text.push_str(&format!("; submitted in {}", duration(*submitted as f64)));
            }
            text.push('\n');
        }
    }
    Ok(text)
}

fn json(value: &impl serde::Serialize) -> Result<String, Failure> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(Failure::input)
}

fn csv<T: serde::Serialize>(rows: &[T]) -> Result<String, Failure> {
    let mut writer = csv::Writer::from_writer(Vec::new());
    rows.iter().try_for_each(|row| writer.serialize(row)).map_err(Failure::input)?;
    let bytes = writer.into_inner().map_err(Failure::input)?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

// The files of a forecast: logs, and the queue of a moment, in any order.

/// The most bytes that a file of a queue may have.
const LARGEST: u64 = 1 << 30;

/// A log, and the queue beside it where one is given.
pub(super) struct Given {
    pub(super) log: Log,
    pub(super) queue: Option<Queue>,
}

/// What is asked of the files.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum AskedOf {
    /// A moment: without a queue and a time, the rows of running and waiting jobs in the logs themselves are the queue.
    Moment,
    /// The whole log.
    Log,
}

/// Reads the logs and the queue. A queue may stand among the logs.
pub(super) fn read(arguments: &WhenceArguments, about: AskedOf) -> Result<Given, Failure> {
    let limits = arguments.limits.limits();
    let (mut logs, mut queues): (Vec<PathBuf>, Vec<Queue>) = (Vec::new(), Vec::new());
    if let Some(path) = &arguments.queue {
        queues.push(queue(path)?);
    }
    let mut refusal = None;
    for path in &arguments.traces {
        match path.is_file().then(|| load::log(path, limits)) {
            Some(Err(failure)) => match queue(path) {
                Ok(queue) if !queue.jobs.is_empty() => queues.push(queue),
                _ => refusal = Some(failure),
            },
            Some(Ok(_)) | None => logs.push(path.clone()),
        }
    }
    if let Some(failure) = refusal {
        return Err(failure);
    }
    let log = if logs.is_empty() {
        say(
            "packfair: there is a queue and no log: nothing tells how long similar jobs ran, so that run times are drawn up to the requested times",
        );
        empty()
    } else {
        load::logs(&logs, limits, &[])?
    };
    if queues.is_empty() && arguments.now.is_none() && about == AskedOf::Moment {
        queues.extend(logs.iter().filter(|path| path.is_file()).filter_map(|path| queue(path).ok()));
        queues.retain(|queue| !queue.jobs.is_empty());
    }
    if queues.len() > 1 {
        return Err(Failure::input("there are several queues: give the one of the moment that is asked"));
    }
    Ok(Given { log, queue: queues.pop() })
}

pub(super) fn queue(path: &Path) -> Result<Queue, Failure> {
    let content = load::bytes(path, LARGEST)?;
    read_queue(&content).map_err(|error: QueueError| Failure::input(format!("{}: {error}", path.display())))
}

/// A log without jobs.
fn empty() -> Log {
    Log {
        name: "queue".to_owned(),
        header: Header::default(),
        records: Vec::new(),
        account: Account::default(),
        fingerprint: Fingerprint(0),
        names: Names::default(),
        beyond: Beyond::default(),
        external: Vec::new(),
        own_zero: 0,
        site: None,
        is_table: false,
    }
}
