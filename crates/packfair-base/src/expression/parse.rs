//! Parses the text of a formula into a tree.

use super::tree::{ExpressionTree, Operator};
use super::variable::VARIABLES;
use super::{DEEPEST, FUNCTIONS, Function, LONGEST, Variable};

/// Reads a formula.
///
/// # Errors
/// What is wrong, and where.
pub(super) fn parse(text: &str) -> Result<ExpressionTree, FormulaError> {
    if text.len() > LONGEST {
        return Err(FormulaError::TooLong { length: text.len() });
    }
    if text.trim().is_empty() {
        return Err(FormulaError::Empty);
    }
    parse_tokens(tokens(text)?)
}

pub(super) fn parse_tokens(tokens: Vec<PlacedToken>) -> Result<ExpressionTree, FormulaError> {
    let mut parser = Parser { tokens, at: 0, depth: 0 };
    let tree = parser.binary(0)?;
    match parser.peek().token {
        Lexeme::End => Ok(tree),
        _ => Err(parser.unexpected("an operator such as + or *, or the end")),
    }
}

struct Parser {
    tokens: Vec<PlacedToken>,
    at: usize,
    depth: usize,
}

/// The operators by how tightly they bind, the loosest first. Powers are read separately.
const LEVELS: [&[(&str, Operator)]; 5] = [
    &[("|", Operator::Or)],
    &[("&", Operator::And)],
    &[
        ("<", Operator::Less),
        ("<=", Operator::AtMost),
        (">", Operator::More),
        (">=", Operator::AtLeast),
        ("==", Operator::Equal),
        ("!=", Operator::Unequal),
    ],
    &[("+", Operator::Plus), ("-", Operator::Minus)],
    &[("*", Operator::Times), ("/", Operator::Over)],
];

/// The level of comparisons: "not" binds just looser, and they do not follow each other.
const COMPARISONS: usize = 2;

impl Parser {
    fn peek(&self) -> &PlacedToken {
        // the last token is the end, and parsing never goes past it
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn take(&mut self, sign: &str) -> bool {
        let is_there = matches!(self.peek().token, Lexeme::Sign(there) if there == sign);
        self.at += usize::from(is_there);
        is_there
    }

    fn unexpected(&self, expected: &'static str) -> FormulaError {
        let PlacedToken { token, place } = self.peek();
        let found = match token {
            Lexeme::Number(number) => number.to_string(),
            Lexeme::Name(name) => name.clone(),
            Lexeme::Sign(sign) => (*sign).to_owned(),
            Lexeme::End => "the end".to_owned(),
        };
        FormulaError::Unexpected { place: *place, found, expected }
    }

    /// Reads a part that is nested one level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, FormulaError>) -> Result<T, FormulaError> {
        if self.depth == DEEPEST {
            return Err(FormulaError::TooDeep { place: self.peek().place });
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Reads values joined by operators of this level and of tighter ones.
    fn binary(&mut self, level: usize) -> Result<ExpressionTree, FormulaError> {
        let Some(operators) = LEVELS.get(level) else { return self.signed() };
        if level == COMPARISONS && self.take("!") {
            return self.deeper(|parser| Ok(ExpressionTree::Not(Box::new(parser.binary(COMPARISONS)?))));
        }
        let mut tree = self.binary(level + 1)?;
        while let Some(&(_, operator)) = operators.iter().find(|(sign, _)| self.take(sign)) {
            tree = ExpressionTree::Pair(operator, Box::new([tree, self.binary(level + 1)?]));
            if level == COMPARISONS {
                break;
            }
        }
        Ok(tree)
    }

    fn signed(&mut self) -> Result<ExpressionTree, FormulaError> {
        if self.take("-") {
            return self.deeper(|parser| Ok(ExpressionTree::Negative(Box::new(parser.signed()?))));
        }
        let base = self.atom()?;
        if !self.take("^") {
            return Ok(base);
        }
        self.deeper(|parser| Ok(ExpressionTree::Pair(Operator::Power, Box::new([base, parser.signed()?]))))
    }

    fn atom(&mut self) -> Result<ExpressionTree, FormulaError> {
        let PlacedToken { token, place } = self.peek().clone();
        match token {
            Lexeme::Number(number) => {
                self.at += 1;
                Ok(ExpressionTree::Number(number))
            }
            Lexeme::Name(name) => {
                self.at += 1;
                if let Some(variable) = Variable::from_id(&name) {
                    return Ok(ExpressionTree::Variable(variable));
                }
                let Some(function) = Function::from_id(&name) else {
                    return Err(FormulaError::UnknownName { nearest: nearest(&name), given: name, place });
                };
                self.deeper(|parser| parser.call(function, place))
            }
            Lexeme::Sign("(") => {
                self.at += 1;
                let inner = self.deeper(|parser| parser.binary(0))?;
                if self.take(")") {
                    Ok(inner)
                } else {
                    Err(self.unexpected("an operator, or a parenthesis that closes"))
                }
            }
            _ => Err(self.unexpected("a number, a name or a parenthesis that opens")),
        }
    }

    fn call(&mut self, function: Function, place: usize) -> Result<ExpressionTree, FormulaError> {
        if !self.take("(") {
            return Err(self.unexpected("a parenthesis that opens, for what stands before it is a function"));
        }
        let mut arguments = Vec::new();
        if !self.take(")") {
            loop {
                arguments.push(self.binary(0)?);
                if self.take(")") {
                    break;
                }
                if !self.take(",") {
                    return Err(self.unexpected("a comma, or a parenthesis that closes"));
                }
            }
        }
        let (name, count, takes) = function.line();
        if !count.contains(&arguments.len()) {
            return Err(FormulaError::Arguments { function: name, place, takes, given: arguments.len() });
        }
        Ok(ExpressionTree::Call(function, arguments))
    }
}

/// The name that was probably meant: one that is known by the given name elsewhere, else the one with the fewest
/// letters to change.
fn nearest(given: &str) -> &'static str {
    let plain: String = given.chars().filter(char::is_ascii_alphanumeric).collect();
    let known = VARIABLES.iter().find(|line| line.also.iter().any(|also| *also == given || *also == plain));
    if let Some(line) = known {
        return line.id;
    }
    let names = VARIABLES.iter().map(|line| line.id).chain(FUNCTIONS.iter().map(|(_, name, ..)| *name));
    names.min_by_key(|name| distance(given, name)).unwrap_or("wait")
}

/// How many letters one has to change, add or leave out to make one word of the other (Levenshtein).
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, from) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, to) in b.iter().enumerate() {
            let changed = diagonal + usize::from(from != *to);
            diagonal = row[j + 1];
            row[j + 1] = changed.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

// Splits a formula into tokens.

/// A word or a sign.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Lexeme {
    Number(f64),
    Name(String),
    Sign(&'static str),
    End,
}

/// A token and where it begins, in characters from 1.
#[derive(Clone, Debug)]
pub(super) struct PlacedToken {
    pub(super) token: Lexeme,
    pub(super) place: usize,
}

/// Signs, longer ones first. The others of a row are read as its first.
const SIGNS: &[&[&str]] = &[
    &["<=", "≤"],
    &[">=", "≥"],
    &["!=", "≠"],
    &["&", "&&"],
    &["|", "||"],
    &["<"],
    &[">"],
    &["==", "="],
    &["!"],
    &["+"],
    &["-", "−"],
    &["^", "**"],
    &["*", "×", "·"],
    &["/"],
    &["("],
    &[")"],
    &[","],
];

/// Words that are signs.
const WORDS: &[(&str, &str)] = &[("and", "&"), ("or", "|"), ("not", "!")];

/// Units of time after a number, in seconds.
const UNITS: &[(&str, f64)] = &[("s", 1.0), ("min", 60.0), ("h", 3_600.0), ("d", 86_400.0), ("w", 604_800.0)];

pub(super) fn tokens(text: &str) -> Result<Vec<PlacedToken>, FormulaError> {
    let mut tokens = Vec::new();
    let (mut rest, mut place) = (text, 1);
    while let Some(first) = rest.chars().next() {
        let (token, length) = if first.is_whitespace() {
            (None, first.len_utf8())
        } else if first.is_ascii_digit() || first == '.' {
            let (number, length) = number(rest, place)?;
            (Some(Lexeme::Number(number)), length)
        } else if first.is_alphabetic() || first == '_' {
            let length = rest.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(rest.len());
            let name = rest[..length].to_lowercase();
            let sign = WORDS.iter().find(|(word, _)| *word == name);
            (Some(sign.map_or(Lexeme::Name(name), |(_, sign)| Lexeme::Sign(sign))), length)
        } else {
            let (sign, length) = sign(rest).ok_or_else(|| FormulaError::Unexpected {
                place,
                found: first.to_string(),
                expected: "a number, a name, a sign such as + or a parenthesis",
            })?;
            (Some(Lexeme::Sign(sign)), length)
        };
        tokens.extend(token.map(|token| PlacedToken { token, place }));
        place += rest[..length].chars().count();
        rest = &rest[length..];
    }
    tokens.push(PlacedToken { token: Lexeme::End, place });
    Ok(tokens)
}

/// The longest sign with which a text begins, and its length in bytes.
fn sign(text: &str) -> Option<(&'static str, usize)> {
    let all = SIGNS.iter().flat_map(|row| row.iter().map(|written| (row[0], *written)));
    let found = all.filter(|(_, written)| text.starts_with(written)).max_by_key(|(_, written)| written.len());
    found.map(|(sign, written)| (sign, written.len()))
}

/// The number with which a text begins, in seconds where it has a unit, and its length in bytes.
fn number(text: &str, place: usize) -> Result<(f64, usize), FormulaError> {
    let digits = |from: usize| from + text[from..].bytes().take_while(u8::is_ascii_digit).count();
    let mut length = digits(0);
    if text[length..].starts_with('.') {
        length = digits(length + 1);
    }
    // an exponent has digits; without them what follows is a unit
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        let end = digits(length + 1 + sign);
        length = if end > length + 1 + sign { end } else { length };
    }
    let unexpected = || FormulaError::Unexpected {
        place,
        found: text[..length].to_owned(),
        expected: "a number such as 2, 0.5 or 1e6",
    };
    let number: f64 = text[..length].parse().map_err(|_| unexpected())?;
    let unit: String = text[length..].chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    if unit.is_empty() {
        return if number.is_finite() { Ok((number, length)) } else { Err(unexpected()) };
    }
    let Some((_, seconds)) = UNITS.iter().find(|(id, _)| *id == unit) else {
        return Err(FormulaError::UnknownUnit { given: unit, place: place + text[..length].chars().count() });
    };
    let number = number * seconds;
    if number.is_finite() { Ok((number, length + unit.len())) } else { Err(unexpected()) }
}

// What is wrong with a formula.

/// Why a text is no formula. Places are counted in characters, from 1.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FormulaError {
    #[error("the formula is empty; write one such as (wait/estimate)^3*processors")]
    Empty,
    #[error("the formula has {length} bytes; it may have {}", super::LONGEST)]
    TooLong {
        /// Its length, bytes.
        length: usize,
    },
    #[error("the formula has parts within parts within parts, more than {} deep, at character {place}", super::DEEPEST)]
    TooDeep { place: usize },
    #[error("the formula has too many open parts at once; write what comes last in it first, or make it shorter")]
    TooWide,
    #[error("there is no {given} (character {place}); there is {nearest}")]
    UnknownName {
        /// The name as given.
        given: String,
        place: usize,
        /// What was probably meant.
        nearest: &'static str,
    },
    #[error("{function} (character {place}) takes {takes}, not {given}")]
    Arguments {
        function: &'static str,
        place: usize,
        /// How many it takes, in words.
        takes: &'static str,
        given: usize,
    },
    #[error("there is no unit {given} (character {place}); there are s, min, h, d and w")]
    UnknownUnit {
        /// The unit as given.
        given: String,
        place: usize,
    },
    #[error("at character {place} there is {found}; what should be there is {expected}")]
    Unexpected {
        place: usize,
        found: String,
        /// What would be right.
        expected: &'static str,
    },
}
