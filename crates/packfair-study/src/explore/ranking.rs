//! The order in which findings are shown, and the answer in a sentence.

use super::findings::relative;
use super::text::in_words;
use super::{Aspect, Findings, FrontMember};
use crate::format::TimeUnit;
use packfair_engine::metric::{Aim, Metric};
use std::fmt;
use std::str::FromStr;

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

// How settings compare with the baseline.

/// How values compare with those of the baseline.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Standing {
    pub better: Vec<Metric>,
    pub worse: Vec<Metric>,
}

impl Standing {
    /// The standing of values of these metrics. A metric without a value on either side counts as neither.
    pub(super) fn of(metrics: &[Metric], values: &[Option<f64>], baseline: &[Option<f64>]) -> Self {
        let mut standing = Standing::default();
        for ((&metric, value), baseline) in metrics.iter().zip(values).zip(baseline) {
            let (Some(value), Some(baseline)) = (value, baseline) else { continue };
            match gain(metric, *value, *baseline) {
                gain if gain > 0.0 => standing.better.push(metric),
                gain if gain < 0.0 => standing.worse.push(metric),
                _ => {}
            }
        }
        standing
    }

    pub fn is_better_in_all(&self, metrics: &[Metric]) -> bool {
        self.better.len() == metrics.len()
    }
}

/// By how much a value is better than the baseline's, as a share of the baseline's; negative where it is worse.
pub(super) fn gain(metric: Metric, value: f64, baseline: f64) -> f64 {
    let less = if metric.about().aim == Aim::High { value - baseline } else { baseline - value };
    if less == 0.0 { 0.0 } else { less / baseline.abs().max(f64::MIN_POSITIVE) }
}

/// Names joined into a list: `AF`, `AF and BSLD`, `AF, AWF and BSLD`.
pub(super) fn listed(metrics: &[Metric]) -> String {
    let names: Vec<&str> = metrics.iter().map(|metric| metric.about().name).collect();
    match names.split_last() {
        None => String::new(),
        Some((last, [])) => (*last).to_owned(),
        Some((last, rest)) => format!("{} and {last}", rest.join(", ")),
    }
}

// Bounds that settings must keep.

/// An upper or lower limit on a metric, or on what groups lose. As text: `max_wait<=2d`, `utilisation>=70%`,
/// `loss(user)<=10%`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct KeptBound {
    pub aspect: Aspect,
    /// Whether the limit is an upper or a lower one.
    pub side: BoundSide,
    pub limit: f64,
}

/// The side of its limit on which a metric must stay.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BoundSide {
    AtMost,
    /// At least the limit.
    AtLeast,
}

/// Units of times in limits, in seconds.
const UNITS: [(&str, f64); 5] = [("min", 60.0), ("s", 1.0), ("m", 60.0), ("h", 3_600.0), ("d", 86_400.0)];

impl KeptBound {
    /// How far a value breaks the bound, as a share of the limit; 0 where it keeps it, and infinite where there is no
    /// value.
    pub fn broken_by(&self, value: Option<f64>) -> f64 {
        let Some(value) = value else { return f64::INFINITY };
        let beyond = match self.side {
            BoundSide::AtMost => value - self.limit,
            BoundSide::AtLeast => self.limit - value,
        };
        if beyond > 0.0 { beyond / self.limit.abs().max(f64::MIN_POSITIVE) } else { 0.0 }
    }

    /// The bound for a person: `Max wait ≤ 2 d`.
    pub fn in_words(&self) -> String {
        let sign = if self.side == BoundSide::AtMost { '≤' } else { '≥' };
        format!("{} {sign} {}", self.aspect.name(), self.aspect.text(self.limit, TimeUnit::Fitting))
    }
}

impl fmt::Display for KeptBound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let sign = if self.side == BoundSide::AtMost { "<=" } else { ">=" };
        let unit = if self.aspect.is_time() { "s" } else { "" };
        let percent = 100.0 * self.limit;
        // as a percentage where that is the same number once it is read again
        match self.aspect {
            Aspect::Loss(_) if percent / 100.0 == self.limit => write!(f, "{}{sign}{percent}%", self.aspect),
            _ => write!(f, "{}{sign}{}{unit}", self.aspect, self.limit),
        }
    }
}

impl FromStr for KeptBound {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || format!("\"{text}\" is none; a bound looks like max_wait<=2d or utilisation>=70%");
        let (side, parts) = match (text.split_once("<="), text.split_once(">=")) {
            (Some(parts), None) => (BoundSide::AtMost, parts),
            (None, Some(parts)) => (BoundSide::AtLeast, parts),
            _ => return Err(form()),
        };
        let aspect: Aspect = parts.0.trim().parse()?;
        if aspect.aim() == Aim::None {
            return Err(format!("{aspect} is neither better where it is large nor where it is small"));
        }
        let limit = limit(parts.1.trim(), aspect.is_time()).ok_or_else(form)?;
        Ok(KeptBound { aspect, side, limit })
    }
}

/// Reads a number, which may have a unit of time, if it is a time, or be in percent.
fn limit(text: &str, is_time: bool) -> Option<f64> {
    let number = |text: &str| text.trim().parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0);
    if let Some(percent) = text.strip_suffix('%') {
        return number(percent).filter(|_| !is_time).map(|percent| percent / 100.0);
    }
    let unit = UNITS.iter().find_map(|(unit, seconds)| Some((text.strip_suffix(unit)?, seconds)));
    match unit.filter(|_| is_time) {
        Some((digits, seconds)) => number(digits).map(|digits| digits * seconds),
        None => number(text),
    }
}

packfair_base::serde_as_text!(KeptBound);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;
    use crate::explore::{ExploreQuestion, PartValues};
    use crate::format::SPACE;

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
                .replace("1,000", &crate::format::whole(1_000))
        );
        let mut none = found(&[]);
        assert_eq!(none.answer(), "Nothing here can be told by these metrics.");
        none.keeping = 0;
        none.question.keep = vec!["max_wait<=1s".parse().unwrap()];
        assert_eq!(none.answer(), "Nothing here keeps these bounds.");
    }
}

#[cfg(test)]
mod bound_tests {
    use super::*;
    use crate::format::SPACE;

    fn bound(text: &str) -> Result<KeptBound, String> {
        text.parse()
    }

    #[test]
    fn bounds_are_read_with_their_units() {
        for (text, limit) in [
            ("max_wait<=2d", 172_800.0),
            ("AF <= 90 min", 5_400.0),
            ("AF<=3h", 10_800.0),
            ("BSLD<=5.5", 5.5),
            ("max_wait<=7", 7.0),
        ] {
            assert_eq!(bound(text).unwrap().limit, limit, "{text}");
        }
        let utilisation = bound("utilisation>=70%").unwrap();
        assert_eq!((utilisation.limit, utilisation.side), (0.7, BoundSide::AtLeast));
        assert_eq!(bound("loss(user) <= 10%").unwrap().in_words().replace(SPACE, " "), "Loss by user ≤ 10.0 %");
        for text in ["max_wait<=172800s", "utilisation>=0.7", "loss(user)<=10%"] {
            assert_eq!(bound(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn what_is_no_bound_is_refused_in_words() {
        for text in ["max_wait", "max_wait<2d", "max_wait<=", "max_wait<=2w", "BSLD<=2d", "AF<=-3", "AF<=5%", "AF<=NaN"]
        {
            assert!(bound(text).unwrap_err().contains("is none; a bound looks like max_wait<=2d"), "{text}");
        }
        assert!(bound("maxwait<=2d").unwrap_err().starts_with("there is no metric"));
        assert!(bound("corrections<=2").unwrap_err().contains("neither better"));
    }

    #[test]
    fn a_value_that_is_missing_keeps_no_bound() {
        let bound = bound("max_wait<=100").unwrap();
        assert_eq!([Some(90.0), Some(100.0), Some(150.0)].map(|value| bound.broken_by(value)), [0.0, 0.0, 0.5]);
        assert_eq!(bound.broken_by(None), f64::INFINITY);
    }
}
