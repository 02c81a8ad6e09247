//! The compiled form of formulas in which a wait is weighed against what lasts while the job waits: `wait^a / lasting`, as
//! in WFP, and `wait + lasting` or `min(wait, most) + lasting`, as in Slurm's multifactor plugin. What lasts is computed
//! once for each job. Without this, queues in such an order take twice as long and more.

use super::quarters::Quarters;
use super::tree::{ExpressionTree, Operator};
use super::{Expression, Function, Variable};

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
