//! The search language of the table of jobs.
//!
//! A search is a list of words, separated by spaces, that must all match:
//! - a bare number is a job number: `1234`;
//! - a field, a comparison and a value: `user:5`, `procs>=64`, `wait>1h`, `queue!=2`;
//! - a range, both ends included: `procs:8..16`, `run:10m..`, `limit:..1h`.
//!
//! Comparisons are `:` and `=` (equal), `!=`, `<`, `<=`, `>`, `>=`. Spans of time take the units s, m, h and d
//! (`wait>1.5h`); without a unit they are seconds. Users, groups, queues and partitions may be given by name where the
//! log has names: `user:ann`. Classes are given by name: `class:small`. Shares may be in percent: `votes<50%`. The
//! fields are those of [`JobField`].

use super::field::{FieldKind, JobColumn, JobField};
use super::jobs::SimulatedJob;
use packfair_workload::Header;

/// The comparisons; those of two characters come before those of one.
const COMPARISONS: [(&str, Comparator); 7] = [
    ("!=", Comparator::Not),
    ("<=", Comparator::AtMost),
    (">=", Comparator::AtLeast),
    (":", Comparator::Is),
    ("=", Comparator::Is),
    ("<", Comparator::Below),
    (">", Comparator::Above),
];

#[derive(Clone, Copy, Debug, PartialEq)]
enum Comparator {
    Is,
    Not,
    Below,
    AtMost,
    Above,
    AtLeast,
}

/// The condition that a value must meet.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Condition {
    Compare(Comparator, f64),
    Within(f64, f64),
}

/// A search: words that must all match.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct JobSearch(Vec<(JobColumn, Condition)>);

impl JobSearch {
    /// Reads a search. The header tells the names of users, groups and so on.
    ///
    /// # Errors
    /// A message for a person: the first word that cannot be read, and what is allowed.
    pub(super) fn parse(text: &str, header: &Header) -> Result<Self, String> {
        text.split_whitespace().map(|word| parse_word(word, header)).collect::<Result<_, _>>().map(JobSearch)
    }

    /// The number of runs whose schedules the search needs.
    pub(super) fn runs(&self) -> usize {
        self.0.iter().map(|(column, _)| column.runs()).max().unwrap_or(0)
    }

    pub(super) fn looks_at(&self, field: JobField) -> bool {
        self.0.iter().any(|(column, _)| column.field == field)
    }

    /// Whether a job matches. A field without a value matches nothing.
    pub(super) fn matches(&self, row: &SimulatedJob) -> bool {
        self.0.iter().all(|(column, condition)| column.value_of(row).is_some_and(|value| condition.holds(value)))
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

fn parse_word(word: &str, header: &Header) -> Result<(JobColumn, Condition), String> {
    let Some((at, comparison)) = find_comparison(word) else {
        let number = word.trim_start_matches('#').parse::<i64>().map_err(|_| not_understood(word))?;
        return Ok((JobField::Number.into(), Condition::Compare(Comparator::Is, number as f64)));
    };
    let (sign, comparison) = comparison;
    let (name, text) = (&word[..at], &word[at + sign.len()..]);
    let column = JobField::named(name).ok_or_else(|| {
        let known: Vec<&str> = JobField::ALL.iter().map(|field| field.about().ids[0]).collect();
        format!("There is no field \"{}\"; there are {}.", short(name), known.join(", "))
    })?;
    let bound = |text: &str, missing: f64| if text.is_empty() { Some(missing) } else { parse_value(text) };
    let condition = match (comparison, text.split_once("..")) {
        (Comparator::Is, Some((from, until))) if !(from.is_empty() && until.is_empty()) => {
            let ends = bound(from, f64::NEG_INFINITY).zip(bound(until, f64::INFINITY));
            ends.map(|(from, until)| Condition::Within(from, until))
        }
        _ => {
            let named = || match column.field.about().kind {
                FieldKind::Named(label) => header.number_of(label, text).map(f64::from),
                FieldKind::Class => CLASSES.iter().position(|class| class.eq_ignore_ascii_case(text)).map(|n| n as f64),
                _ => None,
            };
            // A class can only be given by name.
            let plain = parse_value(text).filter(|_| column.field.about().kind != FieldKind::Class);
            plain.or_else(named).map(|value| Condition::Compare(comparison, value))
        }
    };
    condition.map(|condition| (column, condition)).ok_or_else(|| {
        if column.field.about().kind == FieldKind::Class {
            return format!("\"{}\" is no class; write {name}:small or {name}:large.", short(text));
        }
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

pub(super) const CLASSES: [&str; 2] = ["small", "large"];

/// A number, optionally with a unit of time or in percent.
fn parse_value(text: &str) -> Option<f64> {
    let unit = match text.chars().last()? {
        's' => Some(1.0),
        'm' => Some(60.0),
        'h' => Some(3_600.0),
        'd' => Some(86_400.0),
        '%' => Some(0.01),
        _ => None,
    };
    // Each unit is one byte long.
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

/// The text, shortened for a message.
fn short(text: &str) -> String {
    text.chars().take(40).collect()
}

#[cfg(test)]
mod tests {
    use super::super::JobOutcome;
    use super::*;
    use packfair_engine::classifier::{Because, KnownClasses, Vote};
    use packfair_engine::model::{Class, SizeClass};
    use packfair_workload::Request;

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
        // It waits 3,600 s under the first run and 600 s under the second.
        let first = JobOutcome {
            submit: 1_000,
            start: 4_600,
            end: 5_200,
            kills: 0,
            estimate: 7_200.0,
            promise: Some(4_700),
            fair: Some((4_000, 4_800)),
            hybrid: Some(4_100),
            independent: None,
            share: Some((-18.0, 2.5)),
            class: None,
            because: None,
        };
        let same = KnownClasses { latest: [None; 3], known: 0, small: 0 };
        let second = JobOutcome {
            submit: 1_000,
            start: 1_600,
            end: 2_200,
            kills: 2,
            estimate: 600.0,
            promise: None,
            fair: None,
            hybrid: None,
            independent: None,
            share: None,
            class: Some(SizeClass { class: Class::Small, divider: Some(500) }),
            because: Some(Because::Vote(Vote { small: 0.55, trees_for: 11, trees: 20, same })),
        };
        let row = SimulatedJob { request: &request, run: 600, outcomes: &[Some(first), Some(second)] };
        JobSearch::parse(search, &Header::default()).unwrap().matches(&row)
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
            "diff:3000",
            "diff>0",
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
            "hybrid_fair=4100 equal_share<0 width_share=2.5",
            "class2:small",
            "class2!=Large killed2>1",
            "killed:0",
            "votes2>=55% votes2<0.6",
            "divider2<10m",
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
            "diff<0",
            "queue!=1",
            "wait:..59m",
            "class:small",
            "class2:large",
            "killed2<2",
            "votes2>55%",
        ];
        for search in others {
            assert!(!matches(search), "{search}");
        }
    }

    #[test]
    fn names_are_searched_where_the_log_has_them() {
        let header = Header { labels: vec![("User".to_owned(), "5 ann".to_owned())] };
        let request = request();
        let row = SimulatedJob { request: &request, run: 600, outcomes: &[] };
        let matches = |search: &str| JobSearch::parse(search, &header).map(|search| search.matches(&row));
        assert_eq!((matches("user:ann"), matches("user!=ann"), matches("user:5")), (Ok(true), Ok(false), Ok(true)));
        assert!(matches("user:bob").is_err() && matches("queue:ann").is_err());
    }

    #[test]
    fn a_field_that_is_not_known_matches_nothing() {
        let request = request();
        let row = SimulatedJob { request: &request, run: 600, outcomes: &[None] };
        for search in ["wait>=0", "wait2>=0", "diff:0", "start!=3"] {
            assert!(!JobSearch::parse(search, &Header::default()).unwrap().matches(&row), "{search}");
        }
    }

    #[test]
    fn it_is_known_how_many_schedules_a_search_needs() {
        let runs = |search: &str| JobSearch::parse(search, &Header::default()).unwrap().runs();
        assert_eq!((runs("user:5"), runs("wait>5"), runs("wait2>5 user:1"), runs("diff>0")), (0, 1, 2, 2));
    }

    #[test]
    fn what_is_not_understood_is_said_with_what_would_be() {
        let message = |search: &str| JobSearch::parse(search, &Header::default()).unwrap_err();
        assert!(message("abc").starts_with("\"abc\" is not understood; write a job number, or"));
        assert!(message("usr:5").starts_with("There is no field \"usr\"; there are job, submit,"));
        assert!(message("class:medium").contains("write class:small or class:large"), "{}", message("class:medium"));
        assert!(message("user:anna").contains("\"anna\" is no value to compare user with"));
        for odd in
            ["wait>", "wait:..", "wait:inf", "wait:1e5", "!", ":", "wait!5", "wait>ä", "procs>=NaN", "procs:1..x"]
        {
            assert!(JobSearch::parse(odd, &Header::default()).is_err(), "{odd}");
        }
    }
}
