//! How long what is under way takes, by how far it has come, and how long runs would take again, by what they took.
//! Nothing is said of what has not begun.

use super::RunReport;
use super::format::duration;

/// What takes less than this is done without asking, seconds.
pub const AT_ONCE: f64 = 10.0;

/// What takes longer than this should run outside of a browser's tab, seconds.
pub const TOO_LONG: f64 = 600.0;

/// How long something goes on before its progress tells how long it takes, seconds.
const TELLING: f64 = 0.5;

/// How long a run with its measuring takes, as a multiple of its simulation.
const MEASURED: f64 = 2.0;

/// The remaining time, seconds, of what took `spent` seconds for `done` of `all`; `None` before anything is done.
pub fn left(spent: f64, done: f64, all: f64) -> Option<f64> {
    (done > 0.0).then(|| spent.max(0.0) * (all - done).max(0.0) / done)
}

/// Whether what has taken `spent` seconds, and takes `left` more as far as is known, takes too long to go on unasked.
pub fn waits_for_word(spent: f64, left: Option<f64>) -> bool {
    spent >= TELLING && spent + left.unwrap_or(0.0) > AT_ONCE
}

/// How long a run would take again, with its measuring, seconds.
pub fn again(report: &RunReport) -> f64 {
    MEASURED * report.wall_s
}

/// How long runs take together, seconds, with `at_a_time` of them at once; `each` has the time of every one.
pub fn together(each: impl IntoIterator<Item = f64>, at_a_time: usize) -> f64 {
    let (sum, longest) = each.into_iter().fold((0.0, 0.0_f64), |(sum, longest), of| (sum + of, longest.max(of)));
    longest.max(sum / at_a_time.max(1) as f64)
}

/// A time for a person, with no more digits than are sure: `about 40 s`, `about 3 min`, `about 2 h`.
pub fn about(seconds: f64) -> String {
    let step = match seconds {
        s if s < 10.0 => 1.0,
        s if s < 60.0 => 5.0,
        s if s < 600.0 => 60.0,
        s if s < 7_200.0 => 600.0,
        _ => 3_600.0,
    };
    format!("about {}", duration((seconds / step).round().max(1.0) * step))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_left_follows_from_what_is_done() {
        assert_eq!(left(2.0, 0.0, 10.0), None);
        assert_eq!(left(2.0, 1.0, 10.0), Some(18.0));
        assert_eq!(left(2.0, 10.0, 10.0), Some(0.0));
        assert_eq!(left(-1.0, 1.0, 10.0), Some(0.0), "a clock that went back");
    }

    #[test]
    fn nothing_waits_for_a_word_before_its_progress_tells_much() {
        assert!(!waits_for_word(0.4, Some(1_000.0)));
        assert!(waits_for_word(0.6, Some(9.5)));
        assert!(!waits_for_word(0.6, Some(9.3)));
        assert!(!waits_for_word(9.0, None));
        assert!(waits_for_word(10.5, None), "it has taken that long already");
    }

    #[test]
    fn runs_at_a_time_take_as_long_as_the_longest_at_least() {
        assert_eq!(together([1.0, 2.0, 3.0], 2), 3.0);
        assert_eq!(together([1.0, 9.0], 4), 9.0);
        assert_eq!(together([], 2), 0.0);
    }

    #[test]
    fn times_are_told_without_digits_they_are_not_worth() {
        let cases = [
            (0.2, "about 1\u{a0}s"),
            (4.4, "about 4\u{a0}s"),
            (43.0, "about 45\u{a0}s"),
            (170.0, "about 3\u{a0}min"),
            (1_000.0, "about 20\u{a0}min"),
            (9_000.0, "about 3\u{a0}h"),
        ];
        for (seconds, text) in cases {
            assert_eq!(about(seconds), text);
        }
    }
}
