//! The order in which findings are shown, and the answer in a sentence.

use super::findings::relative;
use super::verdict::{gain, listed};
use super::words::in_words;
use super::{Findings, FrontMember};
use crate::metric::{Aim, Metric};

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum FrontOrder {
    /// First the settings that are better than the baseline on both parts, then those whose choice held, then those
    /// that promised to be better.
    #[default]
    Best,
    /// By the values of an aspect, given by its index in the question, on the part on which settings were chosen: the
    /// best first.
    Chosen(usize),
    /// By the values of an aspect, given by its index in the question, on the select part: the best first.
    Rest(usize),
}

impl Findings {
    /// Whether a member is better than the baseline in every metric on both parts, and keeps the bounds.
    pub fn is_better_on_both(&self, member: &FrontMember) -> bool {
        self.promises(member) && self.judged(member).is_better_in_all(&self.question.minimise) && self.holds(member)
    }

    /// The smallest gain of a member over the baseline, as a share of the baseline, among all metrics to minimise and
    /// both parts.
    pub(super) fn least_gain(&self, member: &FrontMember) -> f64 {
        let parts = [(&member.values.choose, &self.baseline.choose), (&member.values.select, &self.baseline.select)];
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
                members.sort_by(|a, b| cost(&a.values.choose, place).total_cmp(&cost(&b.values.choose, place)));
            }
            FrontOrder::Rest(place) => {
                members.sort_by(|a, b| cost(&a.values.select, place).total_cmp(&cost(&b.values.select, place)));
            }
        }
        members
    }

    /// The answer: which settings to take, confirmed on jobs that the search has not seen; or to stay with the baseline,
    /// and why.
    pub fn answer(&self) -> String {
        let baseline = self.baseline_name();
        let all = listed(&self.question.minimise);
        let Some(best) = self.in_order(FrontOrder::Best).first().copied() else {
            return match self.keeping {
                0 if !self.question.keep.is_empty() => "Nothing here keeps these bounds.".to_owned(),
                _ => "Nothing here can be told by these metrics.".to_owned(),
            };
        };
        if let Some(why) = self.refusal() {
            return format!("Stay with {baseline}: {why}.");
        }
        if let Some(told) = self.confirmation() {
            return told;
        }
        if self.selected().is_some() {
            return format!(
                "Stay with {baseline} for now: {} looks best ({} on the select part), but it was not confirmed on the jobs \
                 kept for that.",
                in_words(&best.run),
                self.on_select(best)
            );
        }
        if !self.chosen(best).better.is_empty() && self.holds(best) {
            return format!(
                "Stay with {baseline}: nothing is better in all of {all} on both the choose and the select part. {} comes \
                 nearest: {} on the select part.",
                in_words(&best.run),
                self.on_select(best)
            );
        }
        format!("Stay with {baseline}: nothing that was tried is better by {all} on the select part as well.")
    }

    /// The changes of a member on the select part: "AF −9 %, P²SF +1 %".
    fn on_select(&self, member: &FrontMember) -> String {
        let at = |values: &[Option<f64>], place: usize| values.get(place).copied().flatten();
        let change = |(place, metric): (usize, &Metric)| {
            format!(
                "{} {}",
                metric.about().name,
                relative(at(&member.values.select, place), at(&self.baseline.select, place))
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
        let values = |choose: [f64; 2], select: [f64; 2]| PartValues {
            choose: choose.map(Some).to_vec(),
            select: select.map(Some).to_vec(),
        };
        let question =
            ExploreQuestion { minimise: vec![Metric::Af, Metric::Utilisation], ..ExploreQuestion::default() };
        let member = |&(id, choose, select): &(&str, [f64; 2], [f64; 2])| FrontMember {
            run: Run::new(id.parse().unwrap(), "requested".parse().unwrap()),
            values: values(choose, select),
        };
        Findings {
            question,
            tried: 100,
            keeping: 90,
            jobs: [6_000, 3_000, 3_000],
            baseline: values([100.0, 0.5], [200.0, 0.5]),
            front: members.iter().map(member).collect(),
            machines: Vec::new(),
            confirmed: None,
            again: None,
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
            "Stay with EASY for now: EASY, smallest area first looks best (AF −40 %, Utilisation +20 % on the select \
             part), but it was not confirmed on the jobs kept for that."
        );
        assert_eq!(found.recommended(), None);
    }

    #[test]
    fn where_nothing_is_better_on_both_that_is_the_answer() {
        let alone = |id, choose, select| found(&[(id, choose, select)]).answer().replace(SPACE, " ");
        assert_eq!(
            alone("pc", [70.0, 0.4], [150.0, 0.4]),
            "Stay with EASY: nothing is better in all of AF and Utilisation on both the choose and the select part. PC \
             comes nearest: AF −25 %, Utilisation −20 % on the select part."
        );
        assert_eq!(
            alone("fcfs", [50.0, 0.6], [210.0, 0.6]),
            "Stay with EASY: nothing that was tried is better by AF and Utilisation on the select part as well."
        );
        let mut few = found(&[("saf-easy", [80.0, 0.6], [120.0, 0.6])]);
        assert!(few.to_confirm(false).is_some());
        few.jobs = [500, 250, 249];
        assert_eq!(few.to_confirm(false), None, "of few jobs nothing is recommended");
        assert_eq!(
            few.answer(),
            "Stay with EASY: 999 jobs are too few to tell which settings are better; 1,000 are the least."
                .replace("1,000", &crate::study::format::whole(1_000))
        );
        let mut none = found(&[]);
        assert_eq!(none.answer(), "Nothing here can be told by these metrics.");
        none.keeping = 0;
        none.question.keep = vec!["max_wait<=1s".parse().unwrap()];
        assert_eq!(none.answer(), "Nothing here keeps these bounds.");
    }
}
