//! How forecasts are told.

use crate::cli::Failure;
use crate::cli::args::WhenFormat;
use crate::study::format::{duration, whole};
use crate::when::{BackTest, Before, Forecast, Help};
use serde::Serialize;

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

/// One line on how true the forecasts of the weeks before were.
pub(super) fn before(test: &BackTest) -> String {
    if test.predictions == 0 {
        return "packfair: nobody waited in the weeks before, so that nothing tells how true these forecasts are"
            .to_owned();
    }
    format!(
        "packfair: in the last 8 weeks of this log, {:.0} % of {} starts fell into the band; median error {}, that of the \
         limits {}",
        100.0 * test.coverage_80,
        whole(test.predictions as i64),
        duration(test.median_error_s),
        duration(test.limits_median_error_s)
    )
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
        for Help { what, p50, gain_p50, gain_p10, gain_p90 } in help {
            let [p50, gain, low, high] = [*p50, *gain_p50, *gain_p10, *gain_p90].map(|time| duration(time as f64));
            text.push_str(&format!("  {what:<24} median {p50}: {gain} earlier ({low} to {high})\n"));
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
