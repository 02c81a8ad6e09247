//! The order in which findings are shown, and the answer in a sentence.

use super::findings::relative;
use super::verdict::{gain, listed};
use super::words::in_words;
use super::{Findings, FrontMember};
use crate::metric::{Aim, Metric};
use crate::study::format::whole;

/// The order of the front.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontOrder {
    /// First the settings that are better than the baseline on both parts, then those whose choice held, then those
    /// that promised to be better.
    #[default]
    Best,
    /// By the values of an aspect, given by its index in the question, on the part on which settings were chosen: the
    /// best first.
    Chosen(usize),
    /// By the values of an aspect, given by its index in the question, on the rest: the best first.
    Rest(usize),
}

/// The fewest jobs, on both parts together, of which a setting is recommended. On fewer, what looks best is mostly luck.
const FEWEST_JOBS: usize = 1_000;

impl Findings {
    /// Whether a member is better than the baseline in every metric on both parts, and keeps the bounds.
    pub fn is_better_on_both(&self, member: &FrontMember) -> bool {
        self.promises(member) && self.judged(member).is_better_in_all(&self.question.minimise) && self.holds(member)
    }

    /// The smallest gain of a member over the baseline, as a share of the baseline, among all metrics to minimise and
    /// both parts.
    fn least_gain(&self, member: &FrontMember) -> f64 {
        let parts = [(&member.values.chosen, &self.baseline.chosen), (&member.values.rest, &self.baseline.rest)];
        let gains = parts.into_iter().flat_map(|(values, baseline)| {
            self.question.minimise.iter().enumerate().map(move |(place, &metric)| {
                match (values.get(place).copied().flatten(), baseline.get(place).copied().flatten()) {
                    (Some(value), Some(baseline)) => gain(metric, value, baseline),
                    _ => f64::NEG_INFINITY,
                }
            })
        });
        gains.fold(f64::INFINITY, f64::min)
    }

    /// The settings that no others beat, in an order.
    pub fn in_order(&self, order: FrontOrder) -> Vec<&FrontMember> {
        let mut members: Vec<&FrontMember> = self.front.iter().collect();
        let aspects = self.question.aspects();
        let cost = |values: &[Option<f64>], place: usize| {
            let is_high = aspects.get(place).is_some_and(|aspect| aspect.aim() == Aim::High);
            let value = values.get(place).copied().flatten();
            value.map_or(f64::INFINITY, |value| if is_high { -value } else { value })
        };
        match order {
            FrontOrder::Best => {
                let class = |member: &FrontMember| match () {
                    () if self.is_better_on_both(member) => 0,
                    () if self.holds(member) && !self.chosen(member).better.is_empty() => 1,
                    () if self.promises(member) => 2,
                    () => 3,
                };
                members.sort_by(|a, b| class(a).cmp(&class(b)).then(self.least_gain(b).total_cmp(&self.least_gain(a))));
            }
            FrontOrder::Chosen(place) => {
                members.sort_by(|a, b| cost(&a.values.chosen, place).total_cmp(&cost(&b.values.chosen, place)));
            }
            FrontOrder::Rest(place) => {
                members.sort_by(|a, b| cost(&a.values.rest, place).total_cmp(&cost(&b.values.rest, place)));
            }
        }
        members
    }

    /// Whether there are too few jobs to recommend anything.
    pub fn has_too_few_jobs(&self) -> bool {
        self.jobs.iter().sum::<usize>() < FEWEST_JOBS
    }

    /// The settings that the answer says to take: the best of those that are better than the baseline on both parts.
    /// `None` where there are too few jobs to tell.
    pub fn recommended(&self) -> Option<&FrontMember> {
        if self.has_too_few_jobs() {
            return None;
        }
        self.in_order(FrontOrder::Best).first().copied().filter(|best| self.is_better_on_both(best))
    }

    /// The answer: which settings to take, and what they change on the part that the choice has not seen; or that there
    /// are none.
    pub fn answer(&self) -> String {
        let baseline = self.baseline_name();
        let all = listed(&self.question.minimise);
        let Some(best) = self.in_order(FrontOrder::Best).first().copied() else {
            return match self.keeping {
                0 if !self.question.keep.is_empty() => "Nothing here keeps these bounds.".to_owned(),
                _ => "Nothing here can be told by these metrics.".to_owned(),
            };
        };
        if self.has_too_few_jobs() {
            return format!(
                "Stay with {baseline}: {} jobs are too few to tell which settings are better; {} are the least.",
                whole(self.jobs.iter().sum::<usize>() as i64),
                whole(FEWEST_JOBS as i64)
            );
        }
        let better = self.front.iter().filter(|member| self.is_better_on_both(member)).count();
        if better > 0 {
            let others = match better - 1 {
                0 => String::new(),
                1 => " One other is better on both parts, too.".to_owned(),
                more => format!(" {more} others are better on both parts, too."),
            };
            return format!(
                "Take {}: on the later jobs, by which it was selected, it is better than {baseline}: {}.{others}",
                in_words(&best.run),
                self.on_rest(best)
            );
        }
        if !self.chosen(best).better.is_empty() && self.holds(best) {
            return format!(
                "Nothing is better than {baseline} in all of {all} on both parts. {} comes nearest: {} on jobs that the \
                 choice has not seen.",
                in_words(&best.run),
                self.on_rest(best)
            );
        }
        format!(
            "Stay with {baseline}: nothing that was tried is better on jobs that the choice has not seen, by {all}."
        )
    }

    /// The changes of a member on the rest: "AF −9 %, P²SF +1 %".
    fn on_rest(&self, member: &FrontMember) -> String {
        let at = |values: &[Option<f64>], place: usize| values.get(place).copied().flatten();
        let change = |(place, metric): (usize, &Metric)| {
            format!(
                "{} {}",
                metric.about().name,
                relative(at(&member.values.rest, place), at(&self.baseline.rest, place))
            )
        };
        self.question.minimise.iter().enumerate().map(change).collect::<Vec<_>>().join(", ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::{ExploreQuestion, PartValues};
    use crate::study::Run;
    use crate::study::format::SPACE;

    fn found(members: &[(&str, [f64; 2], [f64; 2])]) -> Findings {
        let values = |chosen: [f64; 2], rest: [f64; 2]| PartValues {
            chosen: chosen.map(Some).to_vec(),
            rest: rest.map(Some).to_vec(),
        };
        let question =
            ExploreQuestion { minimise: vec![Metric::Af, Metric::Utilisation], ..ExploreQuestion::default() };
        let member = |&(id, chosen, rest): &(&str, [f64; 2], [f64; 2])| FrontMember {
            run: Run::new(id.parse().unwrap(), "requested".parse().unwrap()),
            values: values(chosen, rest),
        };
        Findings {
            question,
            tried: 100,
            keeping: 90,
            jobs: [600, 400],
            baseline: values([100.0, 0.5], [200.0, 0.5]),
            front: members.iter().map(member).collect(),
            machines: Vec::new(),
        }
    }

    fn ids(members: &[&FrontMember]) -> Vec<String> {
        members.iter().map(|member| member.run.scheduler.to_string()).collect()
    }

    #[test]
    fn what_is_better_on_both_parts_stands_first_and_any_column_sorts() {
        let found = found(&[
            ("fcfs", [50.0, 0.6], [210.0, 0.6]),      // promises, does not hold
            ("easy-sjbf", [90.0, 0.6], [190.0, 0.6]), // better on both
            ("saf-easy", [80.0, 0.6], [120.0, 0.6]),  // more so
            ("pc", [70.0, 0.4], [150.0, 0.4]),        // one way, and holds
        ]);
        assert_eq!(ids(&found.in_order(FrontOrder::Best)), ["saf-easy", "easy-sjbf", "pc", "fcfs"]);
        assert_eq!(ids(&found.in_order(FrontOrder::Chosen(0))), ["fcfs", "pc", "saf-easy", "easy-sjbf"]);
        assert_eq!(ids(&found.in_order(FrontOrder::Rest(0)))[0], "saf-easy");
        assert_eq!(ids(&found.in_order(FrontOrder::Rest(1)))[3], "pc", "more is better");
        assert_eq!(
            found.answer().replace(SPACE, " "),
            "Take EASY, smallest area first: on the later jobs, by which it was selected, it is better than EASY: AF \
             −40 %, Utilisation +20 %. One other is better on both parts, too."
        );
    }

    #[test]
    fn where_nothing_is_better_on_both_that_is_the_answer() {
        let alone = |id, chosen, rest| found(&[(id, chosen, rest)]).answer().replace(SPACE, " ");
        assert_eq!(
            alone("pc", [70.0, 0.4], [150.0, 0.4]),
            "Nothing is better than EASY in all of AF and Utilisation on both parts. PC comes nearest: AF −25 %, \
             Utilisation −20 % on jobs that the choice has not seen."
        );
        assert_eq!(
            alone("fcfs", [50.0, 0.6], [210.0, 0.6]),
            "Stay with EASY: nothing that was tried is better on jobs that the choice has not seen, by AF and Utilisation."
        );
        let mut few = found(&[("saf-easy", [80.0, 0.6], [120.0, 0.6])]);
        assert!(few.recommended().is_some());
        few.jobs = [600, 399];
        assert_eq!(few.recommended(), None, "of few jobs nothing is recommended");
        assert_eq!(
            few.answer(),
            "Stay with EASY: 999 jobs are too few to tell which settings are better; 1,000 are the least."
                .replace("1,000", &whole(1_000))
        );
        let mut none = found(&[]);
        assert_eq!(none.answer(), "Nothing here can be told by these metrics.");
        none.keeping = 0;
        none.question.keep = vec!["max_wait<=1s".parse().unwrap()];
        assert_eq!(none.answer(), "Nothing here keeps these bounds.");
    }
}
