//! A formula as a tree.

use super::{Function, Variable};
use std::fmt;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Or,
    And,
    Less,
    AtMost,
    More,
    AtLeast,
    Equal,
    Unequal,
    Plus,
    Minus,
    Times,
    Over,
    Power,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum ExpressionTree {
    Number(f64),
    Variable(Variable),
    Negative(Box<ExpressionTree>),
    Not(Box<ExpressionTree>),
    Pair(Operator, Box<[ExpressionTree; 2]>),
    Call(Function, Vec<ExpressionTree>),
}

/// How tightly a written part binds. A looser part needs parentheses within a tighter one.
const LOOSEST: u8 = 0;
const NOT: u8 = 3;
const NEGATIVE: u8 = 6;
const POWER: u8 = 8;
const TIGHTEST: u8 = 9;

impl Operator {
    pub(super) fn tightness(self) -> u8 {
        match self {
            Operator::Or => 1,
            Operator::And => 2,
            Operator::Less
            | Operator::AtMost
            | Operator::More
            | Operator::AtLeast
            | Operator::Equal
            | Operator::Unequal => 4,
            Operator::Plus | Operator::Minus => 5,
            Operator::Times | Operator::Over => 7,
            Operator::Power => POWER,
        }
    }

    fn sign(self) -> &'static str {
        match self {
            Operator::Or => "|",
            Operator::And => "&",
            Operator::Less => "<",
            Operator::AtMost => "<=",
            Operator::More => ">",
            Operator::AtLeast => ">=",
            Operator::Equal => "==",
            Operator::Unequal => "!=",
            Operator::Plus => "+",
            Operator::Minus => "-",
            Operator::Times => "*",
            Operator::Over => "/",
            Operator::Power => "^",
        }
    }
}

impl ExpressionTree {
    fn tightness(&self) -> u8 {
        match self {
            ExpressionTree::Number(_) | ExpressionTree::Variable(_) | ExpressionTree::Call(..) => TIGHTEST,
            ExpressionTree::Negative(_) => NEGATIVE,
            ExpressionTree::Not(_) => NOT,
            ExpressionTree::Pair(operator, _) => operator.tightness(),
        }
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, within: u8) -> fmt::Result {
        let needs_parentheses = self.tightness() < within;
        if needs_parentheses {
            f.write_str("(")?;
        }
        match self {
            ExpressionTree::Number(number) if *number != 0.0 && !(1e-5..1e15).contains(number) => {
                write!(f, "{number:e}")?
            }
            ExpressionTree::Number(number) => write!(f, "{number}")?,
            ExpressionTree::Variable(variable) => f.write_str(variable.line().id)?,
            ExpressionTree::Negative(of) => {
                // -a*b would be read as (-a)*b
                f.write_str("-")?;
                of.write(f, POWER)?;
            }
            ExpressionTree::Not(of) => {
                f.write_str("!")?;
                of.write(f, NOT)?;
            }
            ExpressionTree::Pair(operator, sides) => {
                // a power is read from the right, all else from the left; comparisons do not follow each other
                let own = operator.tightness();
                let (left, right) = match operator {
                    Operator::Power => (own + 1, own),
                    _ if own == Operator::Less.tightness() => (own + 1, own + 1),
                    _ => (own, own + 1),
                };
                sides[0].write(f, left)?;
                f.write_str(operator.sign())?;
                sides[1].write(f, right)?;
            }
            ExpressionTree::Call(function, arguments) => {
                f.write_str(function.line().0)?;
                f.write_str("(")?;
                for (i, argument) in arguments.iter().enumerate() {
                    f.write_str(if i > 0 { "," } else { "" })?;
                    argument.write(f, LOOSEST)?;
                }
                f.write_str(")")?;
            }
        }
        if needs_parentheses { f.write_str(")") } else { Ok(()) }
    }
}

/// Writes a formula without spaces, in a canonical form: equal trees have equal texts.
impl fmt::Display for ExpressionTree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write(f, LOOSEST)
    }
}
