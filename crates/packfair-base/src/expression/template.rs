//! Formulas in which some numbers are open: `(wait/estimate)^a*processors^b where a=0..4, b=-1..1 by 0.5`.

use super::parse::{Lexeme, PlacedToken, parse_tokens, tokens};
use super::{Expression, FormulaError, LONGEST};
use std::fmt;
use std::str::FromStr;

/// The text between a formula and the ranges of its open numbers.
const WHERE: &str = " where ";

/// The letters that need no range, and their range then, as for exponents.
const WITHOUT_RANGE: &[char] = &['a', 'b', 'c', 'd'];
const USUAL_RANGE: (f64, f64) = (0.0, 4.0);

/// The number of steps of a range that states no step.
const STEPS: f64 = 16.0;

const MOST_NUMBERS: usize = 4;
const MOST_VALUES: usize = 200;

/// The largest value, and the shortest step.
const LARGEST: f64 = 1e9;
const SHORTEST: f64 = 1e-6;

/// A formula with open numbers. Its text form is the text as it was written.
#[derive(Clone, Debug)]
pub struct Template {
    text: String,
    tokens: Vec<PlacedToken>,
    numbers: Vec<OpenNumber>,
}

/// An open number: a letter, and the values that it may have, ascending.
#[derive(Clone, Debug, PartialEq)]
pub struct OpenNumber {
    pub letter: char,
    pub values: Vec<f64>,
}

/// Why a text is not such a formula.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TemplateError {
    #[error(transparent)]
    Formula(#[from] FormulaError),
    #[error("behind where there is \"{0}\"; what should be there is such as a=0..4, or a=0..4 by 0.5")]
    Range(String),
    #[error("it is said what {0} may be, and there is no {0} in the formula")]
    Unused(char),
    #[error("it is said twice what {0} may be")]
    Twice(char),
    #[error("{0} goes from a number to one that is not less, both from -{LARGEST} to {LARGEST}, by {SHORTEST} or more")]
    Empty(char),
    #[error("{letter} would have {count} values, and may have {MOST_VALUES}; say a longer step, such as by {longer}")]
    Many {
        letter: char,
        count: usize,
        /// What would be right.
        longer: String,
    },
    #[error("the formula has more than {MOST_NUMBERS} open numbers")]
    Numbers,
}

impl Template {
    /// The open numbers, in the order of their letters.
    pub fn numbers(&self) -> &[OpenNumber] {
        &self.numbers
    }

    /// The formula with a value for each open number, in their order.
    ///
    /// # Errors
    /// If the formula becomes too long or too deep with these values.
    pub fn filled(&self, values: &[f64]) -> Result<Expression, FormulaError> {
        let mut filled = Vec::with_capacity(self.tokens.len());
        for one in &self.tokens {
            let value = letter(&one.token).and_then(|letter| {
                let place = self.numbers.iter().position(|number| number.letter == letter)?;
                values.get(place).copied()
            });
            let Some(value) = value else {
                filled.push(one.clone());
                continue;
            };
            let number = Lexeme::Number(value.abs());
            let tokens = if value < 0.0 {
                vec![Lexeme::Sign("("), Lexeme::Sign("-"), number, Lexeme::Sign(")")]
            } else {
                vec![number]
            };
            filled.extend(tokens.into_iter().map(|token| PlacedToken { token, place: one.place }));
        }
        Expression::of(&parse_tokens(filled)?.simplified())
    }
}

fn letter(token: &Lexeme) -> Option<char> {
    let Lexeme::Name(name) = token else { return None };
    let mut letters = name.chars();
    letters.next().filter(|letter| letter.is_ascii_lowercase() && letters.next().is_none())
}

/// Reads a number, which may have a unit or be computed, but may not name a variable.
fn number(text: &str) -> Option<f64> {
    let read: Expression = text.trim().parse().ok()?;
    let value = if read.variables().next().is_none() { read.value(&|_| f64::NAN) } else { f64::NAN };
    value.is_finite().then_some(value)
}

fn values(letter: char, (least, most): (f64, f64), step: Option<f64>) -> Result<Vec<f64>, TemplateError> {
    let step = step.unwrap_or(if most > least { (most - least) / STEPS } else { 1.0 });
    if !(least <= most && least.abs() <= LARGEST && most.abs() <= LARGEST && step >= SHORTEST) {
        return Err(TemplateError::Empty(letter));
    }
    // tolerates rounding: ten steps of 0.1 reach 1
    let count = ((most - least) / step + 1e-9) as usize + 1;
    if count > MOST_VALUES {
        let longer = ((most - least) / (MOST_VALUES - 1) as f64).max(SHORTEST);
        return Err(TemplateError::Many { letter, count, longer: rounded_up(longer).to_string() });
    }
    Ok((0..count).map(|i| neat(least + step * i as f64)).collect())
}

/// Rounds to 10^-9, so that 0.3 is written as such. -0 becomes 0.
fn neat(value: f64) -> f64 {
    if value.abs() < 1e6 { (value * 1e9).round() / 1e9 + 0.0 } else { value }
}

/// Rounds up to one significant digit.
fn rounded_up(value: f64) -> f64 {
    let mut unit = SHORTEST;
    while unit * 10.0 <= value {
        unit *= 10.0;
    }
    neat((value / unit).ceil() * unit)
}

/// Reads the range of a letter: `a=0..4`, `a=0..4 by 0.5`.
fn range(text: &str) -> Result<OpenNumber, TemplateError> {
    let wrong = || TemplateError::Range(text.trim().chars().take(40).collect());
    let (name, range) = text.split_once('=').ok_or_else(wrong)?;
    let letter = letter(&Lexeme::Name(name.trim().to_lowercase())).ok_or_else(wrong)?;
    let (range, step) = match range.split_once(" by ") {
        Some((range, step)) => (range, Some(number(step).ok_or_else(wrong)?)),
        None => (range, None),
    };
    let (least, most) = range.split_once("..").unwrap_or((range, range));
    let range = (number(least).ok_or_else(wrong)?, number(most).ok_or_else(wrong)?);
    Ok(OpenNumber { letter, values: values(letter, range, step)? })
}

impl FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        // the ranges of at most four numbers need no more than as much again
        if text.len() > 2 * LONGEST {
            return Err(FormulaError::TooLong { length: text.len() }.into());
        }
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let (formula, ranges) = text.split_once(WHERE).unwrap_or((&text, ""));
        if formula.len() > LONGEST {
            return Err(FormulaError::TooLong { length: formula.len() }.into());
        }
        let mut numbers: Vec<OpenNumber> = Vec::new();
        for part in ranges.split(',').filter(|part| !part.trim().is_empty()) {
            let number = range(part)?;
            if numbers.iter().any(|known| known.letter == number.letter) {
                return Err(TemplateError::Twice(number.letter));
            }
            numbers.push(number);
        }
        let tokens = tokens(formula)?;
        let letters: Vec<char> = tokens.iter().filter_map(|one| letter(&one.token)).collect();
        if let Some(unused) = numbers.iter().find(|number| !letters.contains(&number.letter)) {
            return Err(TemplateError::Unused(unused.letter));
        }
        for &letter in WITHOUT_RANGE.iter().filter(|letter| letters.contains(letter)) {
            if !numbers.iter().any(|number| number.letter == letter) {
                numbers.push(OpenNumber { letter, values: values(letter, USUAL_RANGE, None)? });
            }
        }
        if numbers.len() > MOST_NUMBERS {
            return Err(TemplateError::Numbers);
        }
        numbers.sort_by_key(|number| number.letter);
        let template = Template { tokens, numbers, text: text.clone() };
        // with its least numbers, which may be negative, it is longest and deepest
        let least: Vec<f64> = template.numbers.iter().map(|number| number.values[0]).collect();
        template.filled(&least)?;
        Ok(template)
    }
}

impl fmt::Display for Template {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl PartialEq for Template {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn template(text: &str) -> Template {
        text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
    }

    #[test]
    fn numbers_take_the_place_of_letters() {
        let read = template("(wait/estimate)^a * processors^b  where b = -1..1 by 0.5");
        assert_eq!(read.to_string(), "(wait/estimate)^a * processors^b where b = -1..1 by 0.5");
        assert_eq!(template(&read.to_string()), read);
        let [a, b] = read.numbers() else { panic!("{read:?}") };
        assert_eq!((a.letter, a.values.len(), a.values[1], a.values[16]), ('a', 17, 0.25, 4.0));
        assert_eq!((b.letter, &b.values[..]), ('b', &[-1.0, -0.5, 0.0, 0.5, 1.0][..]));
        let filled = read.filled(&[3.0, -0.5]).unwrap();
        assert_eq!(filled.to_string(), "(wait/estimate)^3*processors^(-0.5)");
        let filled = template("a^2 where a=-2..0 by 1").filled(&[-2.0]).unwrap();
        assert_eq!((filled.to_string().as_str(), filled.value(&|_| 0.0)), ("(-2)^2", 4.0));
        assert_eq!(template("wait").numbers(), []);
        assert_eq!(template("wait*x where x=0..1 by 0.1").numbers()[0].values[3], 0.3);
        assert_eq!(template("if(wait>h,1,0) where h=1h..3h by 30min").numbers()[0].values[..2], [3_600.0, 5_400.0]);
        assert_eq!(template("wait*x where x=2").numbers()[0].values, [2.0]);
    }

    #[test]
    fn what_is_wrong_is_said() {
        for (text, says) in [
            ("wait^e", "there is no e (character 6); there is estimate"),
            ("wait^a where", "there is where"),
            ("wait^a where a", "such as a=0..4"),
            ("wait^a where a=0..wait", "such as a=0..4"),
            ("wait^a where ab=0..4", "such as a=0..4"),
            ("wait^a where a=4..0", "from a number to one that is not less"),
            ("wait^a where a=0..1e300", "from a number to one"),
            ("wait^a where a=0..4 by 0", "by 0.000001 or more"),
            (
                "wait^a where a=0..1000 by 1",
                "a would have 1001 values, and may have 200; say a longer step, such as by 6",
            ),
            ("wait^a where a=0..4, a=1..2", "twice what a may be"),
            ("wait where a=0..4", "there is no a in the formula"),
            ("a+b+c+d+x where x=0..1", "more than 4 open numbers"),
            ("wait^(a", "a parenthesis that closes"),
            ("", "a number, a name or a parenthesis that opens"),
            (&"a+".repeat(250), "it may have 400"),
            (&"a+".repeat(2_000), "it may have 400"),
        ] {
            let message = text.parse::<Template>().expect_err(text).to_string();
            assert!(message.contains(says), "{text}: {message}");
        }
    }
}
