//! Parses the text of a formula into a tree.

use super::token::{Lexeme, PlacedToken, tokens};
use super::tree::{ExpressionTree, Operator};
use super::variable::VARIABLES;
use super::{DEEPEST, FUNCTIONS, FormulaError, Function, LONGEST, Variable};

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
