//! Time spans and points in time, as Slurm writes them.

use chrono::{NaiveDate, NaiveDateTime};

/// Reads a time span in seconds: minutes, `minutes:seconds`, `hours:minutes:seconds`, `days-hours`,
/// `days-hours:minutes`, and so on. The inner `None` stands for UNLIMITED and similar words.
pub(super) fn span(text: &str) -> Option<Option<i64>> {
    let text = text.trim();
    if ["unlimited", "infinite", "-1"].iter().any(|word| text.eq_ignore_ascii_case(word)) {
        return Some(None);
    }
    let number = |text: &str| text.parse::<u32>().ok().map(i64::from);
    let (days, rest) = match text.split_once('-') {
        Some((days, rest)) => (Some(number(days)?), rest),
        None => (None, text),
    };
    let fields = rest.split(':').map(number).collect::<Option<Vec<i64>>>()?;
    let seconds = match (days, fields.as_slice()) {
        (None, [minutes]) => minutes * 60,
        (None, [minutes, seconds]) => minutes * 60 + seconds,
        (_, [hours, minutes, seconds]) => hours * 3600 + minutes * 60 + seconds,
        (Some(_), [hours]) => hours * 3600,
        (Some(_), [hours, minutes]) => hours * 3600 + minutes * 60,
        _ => return None,
    };
    Some(Some(days.unwrap_or(0) * 86_400 + seconds))
}

/// A span in seconds as Slurm writes it, `days-hours:minutes:seconds`; UNLIMITED for none.
pub(super) fn written(span: Option<i64>) -> String {
    let Some(seconds) = span else { return "UNLIMITED".to_owned() };
    let (days, rest) = (seconds / 86_400, seconds % 86_400);
    let clock = format!("{:02}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    if days == 0 { clock } else { format!("{days}-{clock}") }
}

/// Reads a point in time, `2026-01-31T14:30:59`, as seconds since 1970 on the site's own clock; none if it cannot be
/// read.
pub(super) fn moment(text: &str) -> Option<i64> {
    let text = text.trim();
    let date = |format: &str| NaiveDateTime::parse_from_str(text, format).ok();
    let day = || NaiveDate::parse_from_str(text, "%Y-%m-%d").ok()?.and_hms_opt(0, 0, 0);
    let found = date("%Y-%m-%dT%H:%M:%S").or_else(|| date("%Y-%m-%dT%H:%M")).or_else(day)?;
    Some(found.and_utc().timestamp())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_have_slurms_forms() {
        assert_eq!(span("90"), Some(Some(5400)));
        assert_eq!(span("1:30"), Some(Some(90)));
        assert_eq!(span("02:00:01"), Some(Some(7201)));
        assert_eq!(span("7-0"), Some(Some(604_800)));
        assert_eq!(span("1-02:30"), Some(Some(95_400)));
        assert_eq!(span("1-00:00:01"), Some(Some(86_401)));
        assert_eq!(span("UNLIMITED"), Some(None));
        assert_eq!(span("soon"), None);
        assert_eq!(span("1-2-3"), None);
    }

    #[test]
    fn spans_are_written_as_they_are_read() {
        for seconds in [0, 59, 60, 3600, 86_399, 86_400, 1_000_001] {
            assert_eq!(span(&written(Some(seconds))), Some(Some(seconds)));
        }
        assert_eq!((written(Some(95_401)), written(None)), ("1-02:30:01".to_owned(), "UNLIMITED".to_owned()));
    }

    #[test]
    fn moments_are_dates() {
        assert_eq!(moment("1970-01-02T00:00:01"), Some(86_401));
        assert_eq!(moment("Unknown"), None);
    }
}
