//! Times of a log, as seconds of its clock or as dates.

use crate::workload::{Header, Seconds};
use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime};

/// How dates may be written.
const FORMS: [&str; 4] = ["%Y-%m-%d %H:%M:%S", "%Y-%m-%d %H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M"];

/// Which date each second of a log's clock is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LogClock {
    /// The log's second 0, in Unix seconds; without it there are only seconds.
    unix_start: Option<i64>,
}

impl LogClock {
    /// Of a log with this header.
    pub fn of(header: &Header) -> Self {
        LogClock { unix_start: header.unix_start() }
    }

    /// Reads whole seconds of the log's clock, or a date, in UTC, where the log has dates.
    ///
    /// # Errors
    /// What can be read.
    pub fn read(self, text: &str) -> Result<Seconds, String> {
        let text = text.trim();
        if let Ok(seconds) = text.parse() {
            return Ok(seconds);
        }
        let Some(start) = self.unix_start else {
            return Err("whole seconds from the log's beginning (its header has no start date)".to_owned());
        };
        let moment = FORMS.iter().find_map(|form| NaiveDateTime::parse_from_str(text, form).ok());
        let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok().map(|day| day.and_time(NaiveTime::MIN));
        let date = moment.or_else(day);
        date.map(|date| date.and_utc().timestamp() - start)
            .ok_or_else(|| "a date as 2026-01-31 or 2026-01-31 14:30, or seconds from the log's beginning".to_owned())
    }

    /// A time as it is read: a date where the log has dates.
    pub fn write(self, time: Seconds) -> String {
        let date = self.unix_start.and_then(|start| DateTime::from_timestamp(start.checked_add(time)?, 0));
        match date {
            None => time.to_string(),
            Some(date) if date.time() == NaiveTime::MIN => date.format("%Y-%m-%d").to_string(),
            Some(date) => date.format("%Y-%m-%d %H:%M:%S").to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    /// 2000-01-01 00:00 UTC.
    const DATED: LogClock = LogClock { unix_start: Some(946_684_800) };

    #[wasm_bindgen_test]
    fn dates_and_seconds_are_read() {
        assert_eq!(DATED.read("2000-01-02"), Ok(86_400));
        assert_eq!(DATED.read(" 2000-01-01 01:30 "), Ok(5_400));
        assert_eq!(DATED.read("2000-01-01T00:00:05"), Ok(5));
        assert_eq!(DATED.read("3600"), Ok(3_600));
        assert!(DATED.read("2000-13-01").unwrap_err().contains("2026-01-31"));
        assert!(LogClock { unix_start: None }.read("2000-01-02").unwrap_err().contains("no start date"));
    }

    #[wasm_bindgen_test]
    fn what_is_written_is_read_again() {
        for time in [0, 5, 86_400, -3_600, 1_000_000_007] {
            assert_eq!(DATED.read(&DATED.write(time)), Ok(time));
        }
        assert_eq!(DATED.write(86_400), "2000-01-02");
        assert_eq!(LogClock { unix_start: None }.write(5), "5");
        assert_eq!(DATED.write(i64::MAX), i64::MAX.to_string());
    }
}
