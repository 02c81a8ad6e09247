//! Times of a forecast in words.

use packfair_study::format::{counted, duration};
use packfair_when::{Forecast, WhenTold, Whence};
use packfair_workload::Seconds;

const DAYS: [&str; 7] = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"];

/// An instant so many seconds after the moment, on the clock of the place: `Tue 14:30` within a week, with the date
/// beyond and for the moment itself; without dates, the seconds of the log.
pub fn instant(told: &WhenTold, after: Seconds) -> String {
    let at = told.now + after;
    let Some((date, day)) = told.clock.date(at).zip(told.clock.weekday(at)) else {
        return if after == 0 { format!("{at} s of the log") } else { format!("in {}", duration(after as f64)) };
    };
    let minute = date.get(11..16).unwrap_or_default();
    if after > 0 && after < 6 * 86_400 {
        format!("{} {minute}", DAYS[day % 7])
    } else {
        format!("{} {minute}", date.get(..10).unwrap_or_default())
    }
}

/// A time from now in words.
pub fn ahead(told: &WhenTold, after: Seconds, horizon: Seconds) -> String {
    match after {
        0 => "now".to_owned(),
        after if after >= horizon => format!("later than {}", duration(horizon as f64)),
        after => instant(told, after),
    }
}

/// A chance in percent; never 0 or 100, which nobody knows.
pub fn chance(share: f64) -> String {
    match share {
        share if share < 0.005 => "<\u{2009}1\u{a0}%".to_owned(),
        share if share > 0.995 => ">\u{2009}99\u{a0}%".to_owned(),
        share => format!("{:.0}\u{a0}%", 100.0 * share),
    }
}

/// What is told, in a sentence.
pub fn sentence(told: &WhenTold) -> String {
    let whence = match told.whence {
        Whence::Queue => "",
        Whence::Log => ", as the log tells it",
        Whence::Simulation => ", as the scheduler would have had it",
    };
    let waiting = told.forecasts.len();
    let of_moment = format!(
        "At {}{whence}, {} and {}.",
        instant(told, 0),
        counted(waiting as u64, "job waits", "jobs wait"),
        counted(told.running as u64, "runs", "run")
    );
    let starting: Vec<&Forecast> = told.forecasts.iter().filter(|forecast| !forecast.never).collect();
    let Some(last) = starting.iter().max_by_key(|forecast| forecast.p90) else {
        return of_moment;
    };
    let mut middles: Vec<Seconds> = starting.iter().map(|forecast| forecast.p50).collect();
    middles.sort_unstable();
    let half = middles[(middles.len() - 1) / 2];
    let half = if half == 0 { "at once".to_owned() } else { format!("within {}", duration(half as f64)) };
    if waiting == 1 {
        return format!("{of_moment} It is expected to start {half}.");
    }
    format!(
        "{of_moment} Half of them are expected to start {half}; job {} may take longest, until {}.",
        last.job,
        ahead(told, last.p90, packfair_when::HORIZON)
    )
}

/// The end of the common time axis, seconds from now: most bands fit, and a few very long ones do not make all others
/// tiny.
pub fn axis_end(told: &WhenTold) -> Seconds {
    let mut ends: Vec<Seconds> =
        told.forecasts.iter().filter(|forecast| !forecast.never).map(|forecast| forecast.p90).collect();
    ends.sort_unstable();
    let end = ends.get((ends.len().saturating_sub(1)) * 9 / 10).copied().unwrap_or(0).max(600);
    let step = tick(end);
    (end + step - 1) / step * step
}

/// The distance of the ticks of an axis.
pub fn tick(end: Seconds) -> Seconds {
    const STEPS: [Seconds; 13] =
        [300, 600, 900, 1_800, 3_600, 7_200, 10_800, 21_600, 43_200, 86_400, 172_800, 259_200, 604_800];
    STEPS.into_iter().find(|step| end / step <= 4).unwrap_or(604_800)
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_when::{MachineCourse, WhenAsked};
    use packfair_workload::{Clock, Header};
    use wasm_bindgen_test::wasm_bindgen_test;

    fn forecast(job: i64, p50: Seconds, p90: Seconds) -> Forecast {
        Forecast {
            job,
            user: None,
            p10: 0,
            p50,
            p90,
            within_1h: 0.5,
            within_4h: 0.5,
            within_24h: 1.0,
            waited: 0,
            processors: 1,
            limit: 60,
            by_limits: None,
            reason: String::new(),
            never: false,
        }
    }

    fn told(forecasts: Vec<Forecast>) -> WhenTold {
        let run = packfair_study::Run::new("easy".parse().unwrap(), "requested".parse().unwrap());
        let labels = vec![("UnixStartTime".to_owned(), "1769900400".to_owned())];
        WhenTold {
            asked: WhenAsked::of(run, packfair_study::Rules::default()),
            now: 0,
            clock: Clock::of(&Header { labels }, 0, 1),
            span: (0, 1),
            whence: Whence::Queue,
            notes: Vec::new(),
            futures: 1,
            test: None,
            running: 1,
            forecasts,
            course: MachineCourse::default(),
        }
    }

    #[wasm_bindgen_test]
    fn times_are_told_on_the_clock_of_the_place() {
        let told = told(vec![forecast(7, 3_600, 7_200), forecast(8, 10_800, 90_000)]);
        assert_eq!(instant(&told, 0), "2026-01-31 23:00");
        assert_eq!(instant(&told, 3_600), "Sun 00:00");
        assert_eq!(instant(&told, 30 * 86_400), "2026-03-02 23:00");
        assert_eq!(ahead(&told, 0, 100), "now");
        assert!(sentence(&told).contains("2 jobs wait and 1 runs"), "{}", sentence(&told));
        assert!(sentence(&told).contains("job 8 may take longest, until Mon 00:00"), "{}", sentence(&told));
        assert_eq!(
            (chance(0.0), chance(0.5), chance(1.0)),
            ("<\u{2009}1\u{a0}%".into(), "50\u{a0}%".into(), ">\u{2009}99\u{a0}%".into())
        );
    }

    #[wasm_bindgen_test]
    fn the_axis_ends_at_a_tick_and_holds_most_bands() {
        let mut all: Vec<Forecast> = (1..=20).map(|job| forecast(job, 600, 3_000 * job)).collect();
        all.push(forecast(99, 600, 1_000_000));
        let end = axis_end(&told(all));
        assert!((57_000..100_000).contains(&end) && end % tick(end) == 0, "{end}");
        assert_eq!(axis_end(&told(Vec::new())), 600);
    }
}
