//! Settings as text: what a field shows, and what a person types into it or gives to an option.

use super::{Empty, Kind, LogFacts, Setting, Unit};
use crate::grouped::in_a_sentence;
use crate::limits::WEIGHT_RANGE;
use crate::script_trial::quoted;
use crate::{Study, format};
use packfair_base::catalogue::Named;
use packfair_base::machine::{WhatIf, WhatIfError};
use packfair_engine::metric::{CountedGroup, GroupWeight};
use packfair_workload::{Header, read_moment, write_moment};
use std::ops::RangeInclusive;
use std::str::FromStr;

/// Why a text is not a value of a setting.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Misread {
    /// The text is not of the right kind; the string says what is.
    #[error("it takes {0}")]
    Takes(String),
    /// The text is none of the options; the string lists them.
    #[error("there are {0}")]
    NotAmong(String),
    /// The log has no member with this name.
    #[error("{}", no_such(.one, *.has_names))]
    NoSuch {
        /// The word, which is neither a name nor a number.
        word: String,
        /// What it should name, in the log's own word: user, queue, QOS, ...
        one: String,
        /// Whether the log has names.
        has_names: bool,
    },
}

fn no_such(one: &str, has_names: bool) -> String {
    if has_names { format!("the log has no such {one}") } else { "the log has numbers, and this is none".to_owned() }
}

impl Misread {
    /// What the setting takes, in words.
    pub fn takes(self) -> String {
        match self {
            Misread::Takes(takes) => takes,
            Misread::NotAmong(ids) => format!("one of {ids}"),
            Misread::NoSuch { .. } => "names or numbers of this log separated by commas, or nothing for all".to_owned(),
        }
    }
}

impl Setting {
    /// The setting's value in a study, as its field shows it; empty for the default.
    pub fn text(&self, study: &Study, facts: &LogFacts) -> String {
        match &self.kind {
            Kind::Choice { usual, get, .. } => {
                get(study).or(usual.map(|usual| usual.id)).unwrap_or_default().to_owned()
            }
            Kind::Switch { get, .. } => (if get(study) { "on" } else { "off" }).to_owned(),
            Kind::Whole { get, .. } => get(study).map(format::whole).unwrap_or_default(),
            Kind::Seed { get, .. } => get(study).map(|seed| seed.to_string()).unwrap_or_default(),
            Kind::Real { get, .. } => get(study).map(|number| number.to_string()).unwrap_or_default(),
            Kind::Reals { get, .. } => joined(get(study)),
            Kind::Moment { get, .. } => get(study).map(|time| write_moment(facts.clock, time)).unwrap_or_default(),
            Kind::Span { get, .. } => get(study).map(written_span).unwrap_or_default(),
            Kind::Members { of, get, .. } => {
                let name = |&number: &i32| {
                    let named = facts.header.and_then(|header| header.name_of(of.label, number.into()));
                    named.map_or_else(|| number.to_string(), str::to_owned)
                };
                joined(get(study).iter().map(name))
            }
            Kind::WhatIfs { get, .. } => get(study).iter().map(ToString::to_string).collect::<Vec<_>>().join("; "),
            Kind::Weights { get, .. } => joined(get(study)),
            Kind::Group { get, .. } => get(study).map(|group| group.to_string()).unwrap_or_default(),
        }
    }

    /// Whether a study has the value that every study of its log begins with.
    pub fn is_usual(&self, study: &Study) -> bool {
        let (usual, facts) = (Study::on(study.source.clone()), LogFacts::default());
        self.text(study, &facts) == self.text(&usual, &facts)
    }

    /// The options that give its value to a command that takes it, quoted for a shell; none where the value is usual.
    pub fn as_options(&self, study: &Study) -> Vec<String> {
        if self.is_usual(study) {
            return Vec::new();
        }
        let with = |value: String| format!("--{} {}", self.option.name, quoted(&value));
        match &self.kind {
            Kind::Switch { .. } => vec![format!("--{}", self.option.name)],
            Kind::Whole { get, .. } => get(study).map(|number| with(number.to_string())).into_iter().collect(),
            Kind::WhatIfs { get, .. } => get(study).iter().map(|what_if| with(what_if.to_string())).collect(),
            _ => vec![with(self.text(study, &LogFacts::default()).replace(", ", ","))],
        }
    }

    /// Sets a value in a study, given as text. An empty text stands for the default.
    ///
    /// # Errors
    /// Where the text is not a value of this setting, or names something that the log does not have. The study is
    /// unchanged then.
    pub fn take(&self, study: &mut Study, text: &str, facts: &LogFacts) -> Result<(), Misread> {
        let text = text.trim();
        match &self.kind {
            Kind::Choice { options, usual, set, .. } => {
                let is_usual = text.is_empty() || usual.is_some_and(|usual| usual.id == text);
                set(study, if is_usual { None } else { Some(one_of(options, text)?) });
            }
            Kind::Switch { set, .. } => {
                let is_on = one_of(&[Named::new("on", "", ""), Named::new("off", "", "")], text)? == "on";
                set(study, is_on, facts);
            }
            Kind::Whole { range, empty, set, .. } => {
                let number = self.optional(text, *empty, facts, |text| whole(text, range))?;
                set(study, number);
            }
            Kind::Seed { get, set } => {
                // Where the seed has no meaning, there is none.
                if !text.is_empty() || get(study).is_some() {
                    set(study, whole(text, &(0..=u64::MAX)).map_err(Misread::Takes)?);
                }
            }
            Kind::Real { range, empty, set, .. } => {
                let number = self.optional(text, *empty, facts, |text| number(text, range))?;
                set(study, number);
            }
            Kind::Reals { range, set, .. } => {
                let words = text.split([',', ';', ' ']).filter(|word| !word.is_empty());
                let read: Option<Vec<f64>> = words.map(|word| number(word, range).ok()).collect();
                let numbers = read.filter(|numbers| !numbers.is_empty()).ok_or_else(|| {
                    let (from, to) = (range.start(), range.end());
                    Misread::Takes(format!("numbers from {from} to {to}, separated by commas"))
                })?;
                set(study, &numbers);
            }
            Kind::Moment { set, .. } => {
                let moment = self.optional(text, Empty::Allowed, facts, |text| read_moment(facts.clock, text))?;
                set(study, moment);
            }
            Kind::Span { range, set, .. } => {
                let span = self.optional(text, Empty::Allowed, facts, |text| span(text, range))?;
                set(study, span);
            }
            Kind::Members { of, set, .. } => {
                let read = members(text, of.label, facts.header);
                *set(study) = read.map_err(|word| Misread::NoSuch {
                    word: word.to_owned(),
                    one: facts.header.map_or_else(|| of.one.to_owned(), |header| in_a_sentence(header.word(of.label))),
                    has_names: facts.header.is_some_and(|header| {
                        header.names().any(|((label, _), _)| label.eq_ignore_ascii_case(of.label))
                    }),
                })?;
            }
            Kind::WhatIfs { set, .. } => {
                let read = what_ifs(text).map_err(|error| Misread::Takes(error.to_string()))?;
                *set(study) = read;
            }
            Kind::Weights { set, .. } => {
                let nothing_known = Header::default();
                let read =
                    GroupWeight::read_all(text, facts.header.unwrap_or(&nothing_known)).map_err(Misread::Takes)?;
                if let Some(of) = read.iter().find(|of| !WEIGHT_RANGE.contains(&of.weight)) {
                    let (from, to) = (WEIGHT_RANGE.start(), WEIGHT_RANGE.end());
                    return Err(Misread::Takes(format!("a weight from {from} to {to} behind {}:", of.group)));
                }
                *set(study) = read;
            }
            Kind::Group { set, .. } => {
                let nothing_known = Header::default();
                let header = facts.header.unwrap_or(&nothing_known);
                let group = (!text.is_empty()).then(|| CountedGroup::read(text, header)).transpose();
                set(study, group.map_err(Misread::Takes)?);
            }
        }
        Ok(())
    }

    /// Checks that a text can be a value, whatever the log is. For a setting with several numbers the text is one of
    /// them.
    ///
    /// # Errors
    /// Where it cannot be a value.
    pub fn could_be(&self, text: &str) -> Result<(), Misread> {
        match &self.kind {
            Kind::Choice { options, .. } => one_of(options, text.trim()).map(drop),
            // A program may read the value, so digits are not grouped.
            Kind::Whole { range, .. } => whole(text, range)
                .map(drop)
                .map_err(|_| Misread::Takes(format!("a whole number from {} to {}", range.start(), range.end()))),
            Kind::Seed { .. } => whole(text, &(0..=u64::MAX)).map(drop).map_err(Misread::Takes),
            Kind::Real { range, .. } | Kind::Reals { range, .. } => {
                number(text, range).map(drop).map_err(Misread::Takes)
            }
            Kind::Span { range, .. } => span(text, range).map(drop).map_err(Misread::Takes),
            Kind::WhatIfs { .. } => what_ifs(text).map(drop).map_err(|error| Misread::Takes(error.to_string())),
            // Names depend on the log.
            Kind::Switch { .. }
            | Kind::Moment { .. }
            | Kind::Members { .. }
            | Kind::Weights { .. }
            | Kind::Group { .. } => Ok(()),
        }
    }

    /// The unit behind the setting's field.
    pub fn unit(&self, study: &Study, facts: &LogFacts) -> String {
        match &self.kind {
            Kind::Whole { unit, .. } | Kind::Real { unit, .. } | Kind::Reals { unit, .. } => match unit {
                Unit::None => String::new(),
                Unit::Named(name) => (*name).to_owned(),
                Unit::Machine => facts.unit().plural().to_owned(),
                Unit::Comment(comment) => comment(study),
            },
            _ => String::new(),
        }
    }

    /// Reads a value that may be left empty: an empty text, `off` and `auto` mean `None`.
    fn optional<T>(
        &self,
        text: &str,
        empty: Empty,
        facts: &LogFacts,
        read: impl FnOnce(&str) -> Result<T, String>,
    ) -> Result<Option<T>, Misread> {
        let can_be_none = match empty {
            Empty::Never => false,
            Empty::Allowed => true,
            Empty::WhereUsual => facts.summary.is_none() || !(self.usual)(facts).is_empty(),
        };
        if can_be_none && matches!(text, "" | "off" | "auto") {
            return Ok(None);
        }
        let or_nothing = if can_be_none { ", or nothing" } else { "" };
        read(text).map(Some).map_err(|takes| Misread::Takes(format!("{takes}{or_nothing}")))
    }
}

/// The what-ifs of further machines, separated by semicolons or line breaks.
fn what_ifs(text: &str) -> Result<Vec<WhatIf>, WhatIfError> {
    text.split([';', '\n']).map(str::trim).filter(|text| !text.is_empty()).map(str::parse).collect()
}

/// The option with an id.
fn one_of<'a>(options: &'a [Named], text: &str) -> Result<&'a str, Misread> {
    let found = options.iter().find(|option| option.id == text).map(|option| option.id);
    found.ok_or_else(|| Misread::NotAmong(joined(options.iter().map(|option| option.id))))
}

/// A whole number; its digits may be grouped.
fn whole(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let digits = text.replace([' ', '\u{202f}', '_', ','], "");
    let read = digits.parse().ok().filter(|number| range.contains(number));
    let (from, to) = (format::whole(*range.start()), format::whole(*range.end()));
    read.ok_or_else(|| format!("a whole number from {from} to {to}"))
}

fn number(text: &str, range: &RangeInclusive<f64>) -> Result<f64, String> {
    let read = f64::from_str(text.trim()).ok().filter(|number| range.contains(number));
    read.ok_or_else(|| format!("a number from {} to {}", range.start(), range.end()))
}

/// The units of spans of time with their seconds, the longest first.
const SPAN_UNITS: [(&str, u64); 5] = [("w", 7 * 86_400), ("d", 86_400), ("h", 3600), ("min", 60), ("s", 1)];

/// Reads a span of time, such as `7d` or `1.5 h`.
fn span(text: &str, range: &RangeInclusive<u64>) -> Result<u64, String> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = text[digits.len()..].to_ascii_lowercase();
    let seconds = SPAN_UNITS.iter().find(|(name, _)| *name == unit).map(|(_, seconds)| *seconds);
    let number = digits.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    let read = number.zip(seconds).map(|(number, seconds)| (number * seconds as f64).round() as u64);
    read.filter(|span| range.contains(span)).ok_or_else(|| {
        let (from, to) = (written_span(*range.start()), written_span(*range.end()));
        format!("a time from {from} to {to} with its unit: 7d, 12h, 30min")
    })
}

/// A span of time in the longest unit of which it is a multiple, as [`span`] reads it.
fn written_span(seconds: u64) -> String {
    let fits = |&&(name, unit): &&(&str, u64)| name != "w" && seconds > 0 && seconds.is_multiple_of(unit);
    let (name, unit) = SPAN_UNITS.iter().find(fits).copied().unwrap_or(("s", 1));
    format!("{}{name}", seconds / unit)
}

/// The numbers of the named members, or the first word that names none.
fn members<'a>(text: &'a str, label: &str, header: Option<&Header>) -> Result<Vec<i32>, &'a str> {
    let named = |word: &str| header?.number_of(label, word);
    let words = text.split([',', ';']).map(str::trim).filter(|word| !word.is_empty());
    // A name may contain spaces, and spaces may separate numbers.
    let apart = |word: &'a str| if named(word).is_some() { vec![word] } else { word.split_whitespace().collect() };
    words.flat_map(apart).map(|word| named(word).or_else(|| word.parse().ok()).ok_or(word)).collect()
}

fn joined<T: ToString>(values: impl IntoIterator<Item = T>) -> String {
    values.into_iter().map(|value| value.to_string()).collect::<Vec<_>>().join(", ")
}
