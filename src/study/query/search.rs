//! The search language of the table of jobs.
//!
//! Words, separated by spaces, that must all match:
//! - a bare number is a job number: `1234`;
//! - a field, a comparison and a value: `user:5`, `procs>=64`, `wait>1h`, `queue!=2`;
//! - a range, both ends included: `procs:8..16`, `run:10m..`, `limit:..1h`.
//!
//! Comparisons are `:` and `=` (equal), `!=`, `<`, `<=`, `>`, `>=`. Spans of time take the units s,
//! m, h, d: `wait>1.5h`; without a unit they are seconds. The fields are those of [`SearchField`].

use super::row::SimulatedJob;

/// What can be searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum SearchField {
    /// `job`: job number in the log.
    Number,
    /// `user`.
    User,
    /// `group`.
    Group,
    /// `app`: executable.
    Executable,
    /// `queue`.
    Queue,
    /// `partition`.
    Partition,
    /// `procs`: processors r.
    Processors,
    /// `submit`: submit time, seconds of the log's clock.
    Submit,
    /// `limit`: requested time L.
    Limit,
    /// `run`: run time D.
    Run,
    /// `area`: r D, processor-seconds.
    Area,
    /// `start`, `start2`: start under the first and the second run.
    Start(usize),
    /// `wait`, `wait2`: wait under the first and the second run.
    Wait(usize),
    /// `response`, `response2`: response time under the first and the second run.
    Response(usize),
    /// `slowdown`, `slowdown2`: response over run time, at least 10 s, under the first and the second run.
    Slowdown(usize),
    /// `estimate`, `estimate2`: estimate at submission under the first and the second run.
    Estimate(usize),
    /// `diff`: wait under the second run less wait under the first.
    Difference,
    /// `delay`, `delay2`: start less promised start under the first and the second run.
    Delay(usize),
    /// `unfair`, `unfair2`: strict unfairness under the first and the second run.
    StrictUnfairness(usize),
    /// `relaxed`, `relaxed2`: relaxed unfairness under the first and the second run.
    RelaxedUnfairness(usize),
}

/// Every field under its names; the first is the one that messages tell.
const FIELDS: &[(&[&str], SearchField)] = &[
    (&["job", "number"], SearchField::Number),
    (&["user"], SearchField::User),
    (&["group"], SearchField::Group),
    (&["app", "executable"], SearchField::Executable),
    (&["queue"], SearchField::Queue),
    (&["partition"], SearchField::Partition),
    (&["procs", "processors"], SearchField::Processors),
    (&["submit"], SearchField::Submit),
    (&["limit", "requested"], SearchField::Limit),
    (&["run"], SearchField::Run),
    (&["area"], SearchField::Area),
    (&["start", "start1"], SearchField::Start(0)),
    (&["start2"], SearchField::Start(1)),
    (&["wait", "wait1"], SearchField::Wait(0)),
    (&["wait2"], SearchField::Wait(1)),
    (&["response", "response1"], SearchField::Response(0)),
    (&["response2"], SearchField::Response(1)),
    (&["slowdown", "slowdown1"], SearchField::Slowdown(0)),
    (&["slowdown2"], SearchField::Slowdown(1)),
    (&["estimate", "estimate1"], SearchField::Estimate(0)),
    (&["estimate2"], SearchField::Estimate(1)),
    (&["diff"], SearchField::Difference),
    (&["delay", "delay1"], SearchField::Delay(0)),
    (&["delay2"], SearchField::Delay(1)),
    (&["unfair", "unfair1"], SearchField::StrictUnfairness(0)),
    (&["unfair2"], SearchField::StrictUnfairness(1)),
    (&["relaxed", "relaxed1"], SearchField::RelaxedUnfairness(0)),
    (&["relaxed2"], SearchField::RelaxedUnfairness(1)),
];

/// Comparisons, those of two characters before those of one.
const COMPARISONS: [(&str, Comparator); 7] = [
    ("!=", Comparator::Not),
    ("<=", Comparator::AtMost),
    (">=", Comparator::AtLeast),
    (":", Comparator::Is),
    ("=", Comparator::Is),
    ("<", Comparator::Below),
    (">", Comparator::Above),
];

/// Bound of the slowdown that is searched for, seconds: METRICS' own.
const SLOWDOWN_BOUND: f64 = 10.0;

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparator {
    Is,
    Not,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// What a value must be.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Condition {
    Compare(Comparator, f64),
    Within(f64, f64),
}

/// A search: words that must all match.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Search(Vec<(SearchField, Condition)>);

impl Search {
    /// Reads a search.
    ///
    /// # Errors
    /// In words for a person: the first word that is not understood, and what would be.
    pub(super) fn parse(text: &str) -> Result<Self, String> {
        text.split_whitespace().map(parse_word).collect::<Result<_, _>>().map(Search)
    }

    /// Whether it looks at starts, and so needs the schedules of so many runs.
    pub(super) fn runs(&self) -> usize {
        let needed = self.0.iter().map(|(field, _)| match field {
            SearchField::Start(run)
            | SearchField::Wait(run)
            | SearchField::Response(run)
            | SearchField::Slowdown(run)
            | SearchField::Estimate(run)
            | SearchField::Delay(run)
            | SearchField::StrictUnfairness(run)
            | SearchField::RelaxedUnfairness(run) => run + 1,
            SearchField::Difference => 2,
            _ => 0,
        });
        needed.max().unwrap_or(0)
    }

    /// Whether a job matches; a field that is not known of it matches nothing.
    pub(super) fn matches(&self, row: &SimulatedJob) -> bool {
        self.0.iter().all(|(field, condition)| value(*field, row).is_some_and(|value| condition.holds(value)))
    }
}

impl Condition {
    fn holds(self, value: f64) -> bool {
        match self {
            Condition::Within(from, until) => (from..=until).contains(&value),
            Condition::Compare(comparison, with) => match comparison {
                Comparator::Is => value == with,
                Comparator::Not => value != with,
                Comparator::Below => value < with,
                Comparator::AtMost => value <= with,
                Comparator::Above => value > with,
                Comparator::AtLeast => value >= with,
            },
        }
    }
}

/// Whole numbers of a log are exact as `f64` up to 2^53.
fn value(field: SearchField, row: &SimulatedJob) -> Option<f64> {
    let request = row.request;
    Some(match field {
        SearchField::Number => request.number as f64,
        SearchField::User => f64::from(request.user),
        SearchField::Group => f64::from(request.group),
        SearchField::Executable => f64::from(request.executable),
        SearchField::Queue => f64::from(request.queue),
        SearchField::Partition => f64::from(request.partition),
        SearchField::Processors => f64::from(request.processors),
        SearchField::Submit => request.submit as f64,
        SearchField::Limit => request.limit as f64,
        SearchField::Run => row.run as f64,
        SearchField::Area => f64::from(request.processors) * row.run as f64,
        SearchField::Start(run) => row.start(run)? as f64,
        SearchField::Wait(run) => row.wait(run)? as f64,
        SearchField::Response(run) => row.response(run)? as f64,
        SearchField::Slowdown(run) => {
            let response = row.response(run)? as f64;
            (response / (row.run as f64).max(SLOWDOWN_BOUND)).max(1.0)
        }
        SearchField::Estimate(run) => row.estimate(run)?,
        SearchField::Difference => row.difference()? as f64,
        SearchField::Delay(run) => row.outcome(run)?.delay()? as f64,
        SearchField::StrictUnfairness(run) => row.outcome(run)?.strict_unfairness()? as f64,
        SearchField::RelaxedUnfairness(run) => row.outcome(run)?.relaxed_unfairness()? as f64,
    })
}

fn parse_word(word: &str) -> Result<(SearchField, Condition), String> {
    let Some((at, comparison)) = find_comparison(word) else {
        let number = word.trim_start_matches('#').parse::<i64>().map_err(|_| not_understood(word))?;
        return Ok((SearchField::Number, Condition::Compare(Comparator::Is, number as f64)));
    };
    let (sign, comparison) = comparison;
    let (name, text) = (&word[..at], &word[at + sign.len()..]);
    let named = FIELDS.iter().find(|(names, _)| names.iter().any(|n| n.eq_ignore_ascii_case(name)));
    let (_, field) = named.ok_or_else(|| {
        let known: Vec<&str> = FIELDS.iter().map(|(names, _)| names[0]).collect();
        format!("There is no field \"{}\"; there are {}.", short(name), known.join(", "))
    })?;
    let bound = |text: &str, missing: f64| if text.is_empty() { Some(missing) } else { parse_value(text) };
    let condition = match (comparison, text.split_once("..")) {
        (Comparator::Is, Some((from, until))) if !(from.is_empty() && until.is_empty()) => {
            let ends = bound(from, f64::NEG_INFINITY).zip(bound(until, f64::INFINITY));
            ends.map(|(from, until)| Condition::Within(from, until))
        }
        _ => parse_value(text).map(|value| Condition::Compare(comparison, value)),
    };
    condition.map(|condition| (*field, condition)).ok_or_else(|| {
        format!(
            "\"{}\" is no value to compare {} with; write a number, as in {}>=64 or wait>1.5h.",
            short(text),
            name,
            name
        )
    })
}

/// The first comparison in a word, and where it is.
fn find_comparison(word: &str) -> Option<(usize, (&'static str, Comparator))> {
    let at = word.find([':', '=', '<', '>', '!'])?;
    COMPARISONS.iter().find(|(sign, _)| word[at..].starts_with(sign)).map(|&comparison| (at, comparison))
}

/// A number, perhaps with a unit of time.
fn parse_value(text: &str) -> Option<f64> {
    let unit = match text.chars().last()? {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3_600.0),
        'd' => Some(86_400.0),
        _ => None,
    };
    // the units are one byte each
    let digits = if unit.is_some() { &text[..text.len() - 1] } else { text };
    let plain = digits.bytes().all(|b| b.is_ascii_digit() || matches!(b, b'.' | b'-'));
    digits.parse::<f64>().ok().filter(|value| plain && value.is_finite()).map(|value| value * unit.unwrap_or(1.0))
}

fn not_understood(word: &str) -> String {
    format!(
        "\"{}\" is not understood; write a job number, or a comparison such as user:5, procs>=64, wait>1h.",
        short(word)
    )
}

/// As much of what was typed as fits into a message.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::super::JobOutcome;
    use super::*;
    use crate::workload::Request;

    fn request() -> Request {
        Request {
            number: 17,
            submit: 1_000,
            processors: 16,
            limit: 7_200,
            user: 5,
            group: 2,
            executable: -1,
            queue: 1,
            partition: -1,
        }
    }

    fn matches(search: &str) -> bool {
        let request = request();
        // waits 3,600 s under the first run and 600 s under the second
        let first = JobOutcome {
            start: 4_600,
            end: 5_200,
            kills: 0,
            estimate: 7_200.0,
            promise: Some(4_700),
            fair: Some((4_000, 4_800)),
        };
        let second = JobOutcome { start: 1_600, end: 2_200, kills: 0, estimate: 600.0, promise: None, fair: None };
        let row = SimulatedJob { request: &request, run: 600, outcomes: &[Some(first), Some(second)] };
        Search::parse(search).unwrap().matches(&row)
    }

    #[test]
    fn words_match() {
        let fit = [
            "",
            "17",
            "#17",
            "job:17",
            "user:5",
            "User=5",
            "procs>=16",
            "procs>8 procs<=16",
            "procs:8..16",
            "procs:..16",
            "wait>=1h",
            "wait:60m",
            "wait2<1h",
            "wait2=10m",
            "diff:-3000",
            "diff<0",
            "run:10m",
            "limit:2h",
            "start:4600",
            "slowdown=7",
            "response>=4200",
            "estimate2=600",
            "queue!=2",
            "app:-1",
            "area=9600",
            "submit:1000..2000",
            "delay:-100",
            "unfair=10m relaxed=0",
        ];
        for search in fit {
            assert!(matches(search), "{search}");
        }
        let others = [
            "18",
            "delay2:0",
            "unfair2>=0",
            "user:6",
            "procs>16",
            "procs:17..",
            "wait<1h",
            "user:5 queue:2",
            "diff>0",
            "queue!=1",
            "wait:..59m",
        ];
        for search in others {
            assert!(!matches(search), "{search}");
        }
    }

    #[test]
    fn a_field_that_is_not_known_matches_nothing() {
        let request = request();
        let row = SimulatedJob { request: &request, run: 600, outcomes: &[None] };
        for search in ["wait>=0", "wait2>=0", "diff:0", "start!=3"] {
            assert!(!Search::parse(search).unwrap().matches(&row), "{search}");
        }
    }

    #[test]
    fn it_is_known_how_many_schedules_a_search_needs() {
        let runs = |search: &str| Search::parse(search).unwrap().runs();
        assert_eq!((runs("user:5"), runs("wait>5"), runs("wait2>5 user:1"), runs("diff>0")), (0, 1, 2, 2));
    }

    #[test]
    fn what_is_not_understood_is_said_with_what_would_be() {
        let message = |search: &str| Search::parse(search).unwrap_err();
        assert!(message("abc").starts_with("\"abc\" is not understood; write a job number, or"));
        assert!(message("usr:5").starts_with("There is no field \"usr\"; there are job, user,"));
        assert!(message("user:anna").contains("\"anna\" is no value to compare user with"));
        for odd in
            ["wait>", "wait:..", "wait:inf", "wait:1e5", "!", ":", "wait!5", "wait>ä", "procs>=NaN", "procs:1..x"]
        {
            assert!(Search::parse(odd).is_err(), "{odd}");
        }
    }
}
