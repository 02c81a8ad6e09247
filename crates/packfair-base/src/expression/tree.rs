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
    pub(super) fn is(&self, variable: Variable) -> bool {
        *self == ExpressionTree::Variable(variable)
    }

    /// The number that this is, if it is one, perhaps with a sign.
    pub(super) fn number(&self) -> Option<f64> {
        match self {
            ExpressionTree::Number(number) => Some(*number),
            ExpressionTree::Negative(of) => of.number().map(|number| -number),
            _ => None,
        }
    }

    /// Whether it is known to be above 0 for every job, as products and powers of estimates and widths are.
    pub(super) fn is_positive(&self) -> bool {
        match self {
            ExpressionTree::Number(number) => *number > 0.0,
            ExpressionTree::Variable(of) => {
                matches!(of, Variable::Estimate | Variable::Processors | Variable::Area)
            }
            ExpressionTree::Pair(Operator::Power, sides) => sides[0].is_positive() && sides[1].number().is_some(),
            ExpressionTree::Pair(Operator::Times | Operator::Over, sides) => {
                sides.iter().all(ExpressionTree::is_positive)
            }
            _ => false,
        }
    }

    /// The exponents of the wait, the estimate and the processors, if it is a product of powers of these alone.
    pub(super) fn powers(&self) -> Option<[f64; 3]> {
        let joined = |sides: &[ExpressionTree; 2], sign: f64| {
            let (left, right) = (sides[0].powers()?, sides[1].powers()?);
            Some([0, 1, 2].map(|of| left[of] + sign * right[of]))
        };
        match self {
            ExpressionTree::Number(1.0) => Some([0.0; 3]),
            ExpressionTree::Variable(Variable::Wait) => Some([1.0, 0.0, 0.0]),
            ExpressionTree::Variable(Variable::Estimate) => Some([0.0, 1.0, 0.0]),
            ExpressionTree::Variable(Variable::Processors) => Some([0.0, 0.0, 1.0]),
            ExpressionTree::Variable(Variable::Area) => Some([0.0, 1.0, 1.0]),
            ExpressionTree::Pair(Operator::Power, sides) => {
                let (of, power) = (sides[0].powers()?, sides[1].number()?);
                Some(of.map(|own| own * power))
            }
            ExpressionTree::Pair(Operator::Times, sides) => joined(sides, 1.0),
            ExpressionTree::Pair(Operator::Over, sides) => joined(sides, -1.0),
            _ => None,
        }
    }

    /// The same without powers of 0 and 1 and without factors of 1, none of which changes a value.
    pub(super) fn simplified(self) -> Self {
        let one = |side: &ExpressionTree| side.number() == Some(1.0);
        match self {
            ExpressionTree::Negative(of) => ExpressionTree::Negative(Box::new(of.simplified())),
            ExpressionTree::Not(of) => ExpressionTree::Not(Box::new(of.simplified())),
            ExpressionTree::Call(function, of) => {
                ExpressionTree::Call(function, of.into_iter().map(ExpressionTree::simplified).collect())
            }
            ExpressionTree::Pair(operator, sides) => {
                let [left, right] = (*sides).map(ExpressionTree::simplified);
                match operator {
                    Operator::Power if right.number() == Some(0.0) => ExpressionTree::Number(1.0),
                    Operator::Power | Operator::Times | Operator::Over if one(&right) => left,
                    Operator::Times if one(&left) => right,
                    _ => ExpressionTree::Pair(operator, Box::new([left, right])),
                }
            }
            other => other,
        }
    }

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
