//! Formulas as programs for a small stack machine.

use super::parse::parse;
use super::tree::{ExpressionTree, Operator};
use super::variable::COUNT;
use super::{FormulaError, Function, VARIABLES, Variable, VariableNeeds};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// The most values that a program may have on its stack.
const STACK: usize = 32;

/// A formula that has been read. Its text form has no spaces and no unnecessary parentheses.
#[derive(Clone, Debug)]
pub struct Expression {
    text: Box<str>,
    program: Box<[Instruction]>,
    /// Bit i is set where it names variable i.
    names: u32,
    /// Its compiled form, where it weighs a wait against what lasts.
    aging: Option<Aging>,
}

/// One step: takes values off the stack and puts one on it.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Instruction {
    Number(f64),
    Variable(Variable),
    Negative,
    Not,
    Pair(Operator),
    /// A power whose exponent is a number of whole quarters.
    Quarters(Quarters),
    Call(Function),
    /// The second value from the top where the third is true, else the top.
    If,
}

/// A truth as a number.
fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}

fn is_true(value: f64) -> bool {
    value != 0.0 && !value.is_nan()
}

impl Expression {
    /// Keeps the formula for as long as the program runs, so that a value that names it is as small as one that names a
    /// choice. Equal formulas are kept once.
    pub fn kept(self) -> &'static Expression {
        static KEPT: Mutex<BTreeMap<&'static str, &'static Expression>> = Mutex::new(BTreeMap::new());
        // no thread panics while it holds the lock
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.get(&*self.text) {
            return found;
        }
        let own: &'static Expression = Box::leak(Box::new(self));
        kept.insert(&own.text, own);
        own
    }

    /// What has to be known to compute it.
    pub fn needs(&self) -> VariableNeeds {
        let named = VARIABLES.iter().filter(|line| self.names(line.variable));
        named.map(|line| line.needs).max().unwrap_or(VariableNeeds::Request)
    }

    pub fn variables(&self) -> impl Iterator<Item = Variable> + '_ {
        VARIABLES.iter().map(|line| line.variable).filter(|&variable| self.names(variable))
    }

    pub fn names(&self, variable: Variable) -> bool {
        self.names >> variable as u32 & 1 == 1
    }

    /// Its compiled form, where it weighs a wait against what lasts while the job waits.
    pub fn aging(&self) -> Option<&Aging> {
        self.aging.as_ref()
    }

    /// The exponents of the wait, the estimate and the processors, if it is a product of powers of these alone.
    pub fn powers(&self) -> Option<[f64; 3]> {
        parse(&self.text).ok()?.powers()
    }

    /// The sort key of a job, for an ascending order: the job with the largest value comes first, and one whose value
    /// is NaN last.
    #[inline]
    pub fn key(&self, values: &impl Fn(Variable) -> f64) -> f64 {
        let value = self.value(values);
        if value.is_nan() { f64::INFINITY } else { -value }
    }

    /// The value of the formula, if `values` gives those of its variables.
    #[inline]
    pub fn value(&self, values: &impl Fn(Variable) -> f64) -> f64 {
        let mut stack = [0.0; STACK];
        let mut top = 0;
        for step in &self.program {
            match *step {
                Instruction::Number(number) => {
                    stack[top] = number;
                    top += 1;
                }
                Instruction::Variable(variable) => {
                    stack[top] = values(variable);
                    top += 1;
                }
                Instruction::Negative => stack[top - 1] = -stack[top - 1],
                Instruction::Not => stack[top - 1] = truth(!is_true(stack[top - 1])),
                Instruction::Pair(operator) => {
                    top -= 1;
                    stack[top - 1] = pair(operator, stack[top - 1], stack[top]);
                }
                Instruction::Quarters(power) => stack[top - 1] = power.power(stack[top - 1]),
                Instruction::Call(function @ (Function::Min | Function::Max | Function::Pow)) => {
                    top -= 1;
                    stack[top - 1] = call2(function, stack[top - 1], stack[top]);
                }
                Instruction::Call(function) => stack[top - 1] = call1(function, stack[top - 1]),
                Instruction::If => {
                    top -= 2;
                    stack[top - 1] = if is_true(stack[top - 1]) { stack[top] } else { stack[top + 1] };
                }
            }
        }
        stack[0]
    }
}

fn pair(operator: Operator, a: f64, b: f64) -> f64 {
    match operator {
        Operator::Or => truth(is_true(a) || is_true(b)),
        Operator::And => truth(is_true(a) && is_true(b)),
        Operator::Less => truth(a < b),
        Operator::AtMost => truth(a <= b),
        Operator::More => truth(a > b),
        Operator::AtLeast => truth(a >= b),
        Operator::Equal => truth(a == b),
        Operator::Unequal => truth(a != b),
        Operator::Plus => a + b,
        Operator::Minus => a - b,
        Operator::Times => a * b,
        Operator::Over => a / b,
        Operator::Power => libm::pow(a, b),
    }
}

/// Functions of two values. The minimum and the maximum of NaN and a number are NaN, so that a value that cannot be
/// computed never wins.
fn call2(function: Function, a: f64, b: f64) -> f64 {
    match function {
        Function::Pow => libm::pow(a, b),
        _ if a.is_nan() || b.is_nan() => f64::NAN,
        Function::Min => a.min(b),
        _ => a.max(b),
    }
}

fn call1(function: Function, x: f64) -> f64 {
    match function {
        Function::Abs => x.abs(),
        Function::Sqrt => x.sqrt(),
        Function::Exp => libm::exp(x),
        Function::Ln => libm::log(x),
        // floor; a whole number stays as it is
        _ => x.floor(),
    }
}

#[derive(Default)]
struct Compiler {
    steps: Vec<Instruction>,
    names: u32,
}

/// The most values that a program has on its stack.
fn height(steps: &[Instruction]) -> usize {
    let (mut height, mut most) = (0_usize, 0);
    for step in steps {
        match step {
            Instruction::Number(_) | Instruction::Variable(_) => height += 1,
            Instruction::Pair(_) | Instruction::Call(Function::Min | Function::Max | Function::Pow) => height -= 1,
            Instruction::If => height -= 2,
            Instruction::Negative | Instruction::Not | Instruction::Quarters(_) | Instruction::Call(_) => {}
        }
        most = most.max(height);
    }
    most
}

impl Compiler {
    fn compile(&mut self, tree: &ExpressionTree) {
        let begin = self.steps.len();
        match tree {
            ExpressionTree::Number(number) => self.steps.push(Instruction::Number(*number)),
            ExpressionTree::Variable(variable) => {
                self.names |= 1 << *variable as u32;
                self.steps.push(Instruction::Variable(*variable));
            }
            ExpressionTree::Negative(of) => self.unary(of, Instruction::Negative),
            ExpressionTree::Not(of) => self.unary(of, Instruction::Not),
            ExpressionTree::Pair(Operator::Power, sides) => match Quarters::of(&sides[1]) {
                Some(power) => self.unary(&sides[0], Instruction::Quarters(power)),
                None => self.binary(&sides[0], &sides[1], Instruction::Pair(Operator::Power)),
            },
            ExpressionTree::Pair(operator, sides) => self.binary(&sides[0], &sides[1], Instruction::Pair(*operator)),
            ExpressionTree::Call(Function::If, arguments) => {
                arguments.iter().for_each(|argument| self.compile(argument));
                self.steps.push(Instruction::If);
            }
            ExpressionTree::Call(function, arguments) => {
                for (i, argument) in arguments.iter().enumerate() {
                    self.compile(argument);
                    if i > 0 || arguments.len() == 1 {
                        self.steps.push(Instruction::Call(*function));
                    }
                }
            }
        }
        self.fold(begin);
    }

    fn unary(&mut self, of: &ExpressionTree, step: Instruction) {
        self.compile(of);
        self.steps.push(step);
    }

    fn binary(&mut self, left: &ExpressionTree, right: &ExpressionTree, step: Instruction) {
        self.compile(left);
        self.compile(right);
        self.steps.push(step);
    }

    /// Replaces a part without variables, whose steps start at `begin`, by its value.
    fn fold(&mut self, begin: usize) {
        let part = &self.steps[begin..];
        if (2..=STACK).contains(&part.len()) && !part.iter().any(|step| matches!(step, Instruction::Variable(_))) {
            let alone = Expression { text: "".into(), program: part.into(), names: 0, aging: None };
            let value = alone.value(&|_| f64::NAN);
            self.steps.truncate(begin);
            self.steps.push(Instruction::Number(value));
        }
    }
}

impl FromStr for Expression {
    type Err = FormulaError;

    fn from_str(text: &str) -> Result<Self, FormulaError> {
        Expression::of(&parse(text)?)
    }
}

impl Expression {
    pub(super) fn of(tree: &ExpressionTree) -> Result<Self, FormulaError> {
        const { assert!(COUNT <= u32::BITS as usize) }
        let mut compiler = Compiler::default();
        compiler.compile(tree);
        if height(&compiler.steps) > STACK {
            return Err(FormulaError::TooWide);
        }
        let text = tree.to_string();
        // its canonical text may have more parentheses than were typed, and be too long or too deep to be read back
        // from a link or file
        parse(&text)?;
        let aging = Aging::of(tree);
        Ok(Expression { text: text.into(), program: compiler.steps.into(), names: compiler.names, aging })
    }
}

impl fmt::Display for Expression {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Formulas with the same text are equal.
impl PartialEq for Expression {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for Expression {}

// The compiled form of formulas in which a wait is weighed against what lasts while the job waits: `wait^a / lasting`, as
// in WFP, and `wait + lasting` or `min(wait, most) + lasting`, as in Slurm's multifactor plugin. What lasts is computed
// once for each job. Without this, queues in such an order take twice as long and more.

/// Such a formula.
#[derive(Clone, Debug)]
pub struct Aging {
    lasting: Box<Expression>,
    weighed: Weighed,
    never_falls: bool,
}

#[derive(Clone, Copy, Debug)]
enum Weighed {
    /// wait to this power, divided by what lasts.
    Over(Quarters),
    /// The wait, but at most so many seconds of it, plus what lasts.
    Plus(f64),
}

impl Aging {
    pub(super) fn of(tree: &ExpressionTree) -> Option<Self> {
        let ExpressionTree::Pair(operator, sides) = tree else { return None };
        let [waited, lasting] = &**sides;
        let is_sum = matches!(operator, Operator::Plus | Operator::Minus);
        let weighed = match (operator, waited) {
            (Operator::Over, ExpressionTree::Variable(Variable::Wait)) => Weighed::Over(Quarters::ONE),
            (Operator::Over, ExpressionTree::Pair(Operator::Power, of)) if of[0].is(Variable::Wait) => {
                Weighed::Over(Quarters::of(&of[1]).filter(|power| !power.is_negative())?)
            }
            (_, ExpressionTree::Variable(Variable::Wait)) if is_sum => Weighed::Plus(f64::INFINITY),
            (_, ExpressionTree::Call(Function::Min, of)) if is_sum && of[0].is(Variable::Wait) => {
                let [_, most] = &of[..] else { return None };
                Weighed::Plus(most.number()?)
            }
            _ => return None,
        };
        let never_falls = is_sum || lasting.is_positive();
        let lasting = match operator {
            Operator::Minus => Expression::of(&ExpressionTree::Negative(Box::new(lasting.clone()))),
            _ => Expression::of(lasting),
        };
        let lasting = Box::new(lasting.ok()?);
        let lasts = |variable: Variable| {
            use Variable::{Area, Estimate, Processors, Requested, Share, Submit};
            matches!(variable, Submit | Estimate | Requested | Processors | Area | Share)
        };
        let all_lasts = lasting.variables().all(lasts);
        all_lasts.then_some(Aging { lasting, weighed, never_falls })
    }

    /// Whether the value never falls as time passes, for jobs with an estimate and a width above 0.
    pub fn never_falls(&self) -> bool {
        self.never_falls
    }

    /// What lasts while the job waits.
    pub fn lasting(&self) -> &Expression {
        &self.lasting
    }

    /// The sort key of a job that has waited `wait` seconds, as [`Expression::key`].
    #[inline]
    pub fn key(&self, wait: f64, lasting: f64) -> f64 {
        let value = match self.weighed {
            Weighed::Over(power) => power.power(wait) / lasting,
            Weighed::Plus(most) => wait.min(most) + lasting,
        };
        if value.is_nan() { f64::INFINITY } else { -value }
    }
}

// Powers whose exponents are whole quarters: made of products and square roots, which are the same on every machine.

/// An exponent in quarters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quarters(i8);

/// The largest exponent that is computed by multiplications.
const LARGEST: f64 = 16.0;

impl Quarters {
    /// x to the power of 1.
    pub(super) const ONE: Quarters = Quarters(4);

    /// The exponent that a part of a formula is, if it is a number of whole quarters.
    pub(super) fn of(exponent: &ExpressionTree) -> Option<Self> {
        let quarters = exponent.number()? * 4.0;
        (quarters.abs() <= 4.0 * LARGEST && quarters.fract() == 0.0).then_some(Quarters(quarters as i8))
    }

    pub(super) fn is_negative(self) -> bool {
        self.0 < 0
    }

    /// `x` to this power.
    #[inline]
    pub fn power(self, x: f64) -> f64 {
        let (whole, rest) = (self.0.unsigned_abs() / 4, self.0.unsigned_abs() % 4);
        let mut power = 1.0;
        for _ in 0..whole {
            power *= x;
        }
        if rest > 0 {
            let root = x.sqrt();
            power *= if rest >= 2 { root } else { 1.0 };
            power *= if rest != 2 { root.sqrt() } else { 1.0 };
        }
        if self.is_negative() { 1.0 / power } else { power }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn powers_are_powers() {
        for (x, quarters, expected) in [
            (16.0, 1, 2.0),
            (16.0, 2, 4.0),
            (16.0, 3, 8.0),
            (16.0, 5, 32.0),
            (3.0, 8, 9.0),
            (2.0, -4, 0.5),
            (7.0, 0, 1.0),
            (0.0, 3, 0.0),
            (16.0, -3, 0.125),
        ] {
            assert_eq!(Quarters(quarters).power(x), expected, "{x} to {quarters} quarters");
        }
        let of = |exponent: f64| Quarters::of(&ExpressionTree::Number(exponent));
        assert_eq!([of(0.75), of(-16.0), of(0.3), of(16.25)], [Some(Quarters(3)), Some(Quarters(-64)), None, None]);
    }
}
