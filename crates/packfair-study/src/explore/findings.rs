//! The results of a search: what was chosen, and whether it held on the select part.

use super::ranking::{gain, listed};
use super::{ExploreQuestion, Search, SearchedAgain, Standing, in_words};
use crate::format::{TimeUnit, change, whole};
use crate::sureness::{CarriedInterval, Interval};
use crate::{Effects, Run};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::Metric;
use serde::{Deserialize, Serialize};

/// The values of a run on the parts of the log by which a search chooses and selects, in the order of [`ExploreQuestion::aspects`](super::ExploreQuestion::aspects).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PartValues {
    pub choose: Vec<Option<f64>>,
    /// The values on the select part; empty before they have been measured.
    pub select: Vec<Option<f64>>,
}

/// Settings that no other settings beat on the part on which they were chosen.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct FrontMember {
    pub run: Run,
    pub values: PartValues,
}

/// The results on another machine.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct OtherMachine {
    /// The what-if of the machine.
    pub what_if: WhatIf,
    /// The results of the baseline, then of the settings that no others beat, in the order of [`Findings::front`](super::Findings::front).
    pub runs: Vec<FrontMember>,
}

/// The selected setting beside the baseline, on jobs that the search has not seen and on the whole log.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Confirmed {
    /// The selected setting, by its index in [`super::Findings::front`].
    pub place: u32,
    /// The values of the baseline and of the setting on the confirm part, in the order of the question's aspects.
    pub own: [Vec<Option<f64>>; 2],
    /// The same on the whole log, in the order of [`super::Findings::told_metrics`].
    pub whole: [Vec<Option<f64>>; 2],
    /// The intervals of the changes from the baseline to the setting in the metrics to minimise, over the draws of the
    /// confirm part, or why there is none.
    pub intervals: Vec<CarriedInterval>,
    /// What changes for the jobs of the whole log; `None` where a run cannot be made.
    pub effects: Option<Effects>,
    /// The share of the logged starts that Slurm as configured explains, where that is too little for conclusions.
    pub badly_fitting: Option<f64>,
}

impl Confirmed {
    /// Whether these can be the values of a question with so many settings on its front, as a link may not say.
    pub(super) fn is_sound(&self, question: &ExploreQuestion, front: usize, told: usize) -> bool {
        let is_sound = |values: &[Vec<Option<f64>>; 2], count: usize| {
            values.iter().all(|values| values.len() == count && values.iter().flatten().all(|value| value.is_finite()))
        };
        let are_finite = |interval: &Interval| interval.low.is_finite() && interval.high.is_finite();
        (self.place as usize) < front
            && is_sound(&self.own, question.aspects().len())
            && is_sound(&self.whole, told)
            && self.intervals.len() == question.minimise.len()
            && self.intervals.iter().flatten().all(are_finite)
    }
}

/// The results of a search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Findings {
    pub question: ExploreQuestion,
    /// The number of settings that were tried.
    pub tried: usize,
    /// How many of them keep the bounds where they were tried.
    pub keeping: usize,
    /// The numbers of jobs on which settings were chosen, on which one was selected, and on which that is confirmed.
    pub jobs: [usize; 3],
    pub baseline: PartValues,
    /// The settings that no others beat, sorted by the first metric, the best first.
    pub front: Vec<FrontMember>,
    /// The values of the baseline and the front on other machines, where the question has any.
    #[serde(default)]
    pub machines: Vec<OtherMachine>,
    /// What confirming the selected setting came to; `None` where none was selected or it was not tried.
    #[serde(default)]
    pub confirmed: Option<Confirmed>,
    /// What searches on drawn workloads came to; `None` where none were made.
    #[serde(default)]
    pub again: Option<SearchedAgain>,
}

impl Findings {
    /// The question of a further search, counted from 0: the same with other random numbers.
    pub fn asked_again(&self, index: u32) -> ExploreQuestion {
        ExploreQuestion { seed: self.question.seed.wrapping_add(1 + u64::from(index)), ..self.question.clone() }
    }

    /// Takes in a further search: the values of what it selected on the whole log, by the metrics to minimise; `None`
    /// where it selected nothing.
    pub fn take_again(&mut self, selected: Option<&[Option<f64>]>) {
        let Some(confirmed) = &self.confirmed else { return };
        let recommended = confirmed.whole[1].iter().take(self.question.minimise.len());
        self.again.get_or_insert_default().take(selected, recommended);
    }

    /// The present front of a search, in the order of the first metric. The caller has to measure the select part: each
    /// [`PartValues::select`] is empty.
    pub fn of(search: &Search, baseline: PartValues, jobs: [usize; 3]) -> Self {
        let question = search.question().clone();
        let member = |number| FrontMember {
            run: search.run(number),
            values: PartValues { choose: search.values(number).to_vec(), select: Vec::new() },
        };
        let mut front: Vec<FrontMember> = search.front().into_iter().map(member).collect();
        let first = question.minimise[0];
        let cost = |member: &FrontMember| -gain(first, member.values.choose[0].unwrap_or(f64::INFINITY), 1.0);
        front.sort_by(|a, b| cost(a).total_cmp(&cost(b)));
        Findings {
            question,
            tried: search.tried(),
            keeping: search.keeping(),
            jobs,
            baseline,
            front,
            machines: Vec::new(),
            confirmed: None,
            again: None,
        }
    }

    /// How a member compares with the baseline on the part on which it was chosen.
    pub fn chosen(&self, member: &FrontMember) -> Standing {
        Standing::of(&self.question.minimise, &member.values.choose, &self.baseline.choose)
    }

    /// How a member compares with the baseline on the select part.
    pub fn judged(&self, member: &FrontMember) -> Standing {
        Standing::of(&self.question.minimise, &member.values.select, &self.baseline.select)
    }

    /// Whether a member is better than the baseline in every metric on the part on which it was chosen.
    pub fn promises(&self, member: &FrontMember) -> bool {
        self.chosen(member).is_better_in_all(&self.question.minimise)
    }

    /// Whether the choice of a member held: on the select part it is still better than the baseline in every metric in which
    /// it was better before, and it keeps the bounds.
    pub fn holds(&self, member: &FrontMember) -> bool {
        let judged = self.judged(member);
        let still = self.chosen(member).better.iter().all(|metric| judged.better.contains(metric));
        still && self.question.broken_by(&member.values.select) == 0.0
    }

    /// The verdict on a member, as a part of a sentence.
    pub fn verdict(&self, member: &FrontMember) -> String {
        let baseline = self.baseline_name();
        let (chosen, judged) = (self.chosen(member), self.judged(member));
        let all = &self.question.minimise;
        let mut said = if chosen.is_better_in_all(all) {
            if judged.is_better_in_all(all) {
                let all_of = if all.len() > 1 { "in all of " } else { "in " };
                format!("beats {baseline} {all_of}{}, also on the select part", listed(all))
            } else {
                let not: Vec<Metric> = all.iter().copied().filter(|metric| !judged.better.contains(metric)).collect();
                format!("did not hold: not better than {baseline} in {} on the select part", listed(&not))
            }
        } else if chosen.better.is_empty() {
            format!("not better than {baseline} in anything")
        } else {
            let lost: Vec<Metric> =
                chosen.better.iter().copied().filter(|metric| !judged.better.contains(metric)).collect();
            let gained = format!("better in {}", listed(&chosen.better));
            let price =
                if chosen.worse.is_empty() { String::new() } else { format!(", worse in {}", listed(&chosen.worse)) };
            if lost.is_empty() {
                format!("{gained}{price}; held on the select part")
            } else {
                format!("{gained}{price}; did not hold in {} on the select part", listed(&lost))
            }
        };
        for bound in &self.question.keep {
            let place = self.question.aspects().iter().position(|aspect| *aspect == bound.aspect);
            let found = place.and_then(|place| member.values.select.get(place).copied().flatten());
            if bound.broken_by(found) > 0.0 {
                let found = found.map_or("–".to_owned(), |found| bound.aspect.text(found, TimeUnit::Fitting));
                said.push_str(&format!("; breaks {} on the select part: {found}", bound.in_words()));
            }
        }
        said
    }

    /// The member with the largest minimum gain over the baseline, among all metrics to minimise, on the part on which
    /// it was chosen.
    pub fn most_balanced(&self) -> Option<&FrontMember> {
        let least = |member: &FrontMember| {
            let gains = self.question.minimise.iter().enumerate().map(|(place, &metric)| {
                match (member.values.choose[place], self.baseline.choose[place]) {
                    (Some(value), Some(baseline)) => gain(metric, value, baseline),
                    _ => f64::NEG_INFINITY,
                }
            });
            gains.fold(f64::INFINITY, f64::min)
        };
        // Among equals the first is taken.
        self.front.iter().rev().max_by(|a, b| least(a).total_cmp(&least(b)))
    }

    pub fn sentences(&self) -> Vec<String> {
        let question = &self.question;
        let [first, select, confirm] = self.jobs.map(|jobs| whole(jobs as i64));
        let mut said = vec![format!(
            "{} settings were tried on the {first} jobs submitted first, and one of what nothing beats there is \
             selected by the next {select}. The last {confirm} are kept to confirm it alone.",
            whole(self.tried as i64)
        )];
        if self.front.is_empty() {
            let bounds: Vec<String> = question.keep.iter().map(super::KeptBound::in_words).collect();
            said.push(match self.keeping {
                0 if !bounds.is_empty() => format!("None of them keeps {}.", bounds.join(" and ")),
                _ => "None of them has all these metrics.".to_owned(),
            });
            return said;
        }
        let baseline = self.baseline_name();
        let all = listed(&question.minimise);
        let in_all = if question.minimise.len() > 1 { format!("in all of {all}") } else { format!("in {all}") };
        let promising: Vec<&FrontMember> = self.front.iter().filter(|member| self.promises(member)).collect();
        let held = promising
            .iter()
            .filter(|member| self.judged(member).is_better_in_all(&question.minimise) && self.holds(member));
        let unbeaten = self.front.len();
        let are =
            if unbeaten == 1 { "One is beaten by no other" } else { &format!("{unbeaten} are beaten by no other") };
        said.push(match (promising.len(), held.count()) {
            (0, _) => format!("{are}; none is better than {baseline} {in_all}."),
            (some, 0) => format!(
                "{are}; {some} of these beat {baseline} {in_all} where they were chosen. The choice did not hold: on the \
                 select part none of them does."
            ),
            (1, 1) if unbeaten == 1 => format!(
                "{are}; it beats {baseline} {in_all}, also on the select part."
            ),
            (some, held) if some == held => format!(
                "{are}; {some} of these beat {baseline} {in_all}, also on the select part."
            ),
            (some, held) => format!(
                "{are}; {some} of these beat {baseline} {in_all} where they were chosen, and only {held} of them also on \
                 the select part."
            ),
        });
        if let Some(member) = self.most_balanced().filter(|member| self.promises(member)) {
            said.push(format!(
                "The most balanced: {}: {}; {}.",
                in_words(&member.run),
                self.changes(member),
                self.verdict(member)
            ));
        }
        said.extend(self.machines.iter().filter_map(|machine| machine.worth(self)));
        said
    }

    /// The changes of a member relative to the baseline: `AF −12 % (−9 % on the select part)`.
    fn changes(&self, member: &FrontMember) -> String {
        let of = |metric: &Metric, values: &PartValues, place: usize| {
            let told = |values: &[Option<f64>], baseline: &[Option<f64>]| {
                relative(values.get(place).copied().flatten(), baseline.get(place).copied().flatten())
            };
            let (choose, select) =
                (told(&values.choose, &self.baseline.choose), told(&values.select, &self.baseline.select));
            format!("{} {choose} ({select} on the select part)", metric.about().name)
        };
        let all = self.question.minimise.iter().enumerate();
        all.map(|(place, metric)| of(metric, &member.values, place)).collect::<Vec<_>>().join(", ")
    }

    pub fn baseline_name(&self) -> String {
        self.question.baseline.scheduler.name()
    }
}

/// The change of a value relative to the baseline's, for a person; a dash where one of them is not defined.
pub(super) fn relative(value: Option<f64>, baseline: Option<f64>) -> String {
    match (value, baseline) {
        (Some(value), Some(baseline)) if value == baseline => change(0.0),
        (Some(value), Some(baseline)) => change((value - baseline) / baseline.abs()),
        _ => "–".to_owned(),
    }
}
