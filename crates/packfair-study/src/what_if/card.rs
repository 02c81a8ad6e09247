//! Changes of a site as cards: what each brings, how sure that is, what it costs and whom, ranked.

use super::words::{changed_in_words, joined};
use crate::format::{change, counted, relative, time_instead_of};
use crate::sureness::Interval;
use crate::verdict::WORTH_ACTING_ON;
use crate::{GroupedWaits, Run};
use packfair_engine::metric::{Aim, Metric};
use packfair_slurm::Site;
use serde::{Deserialize, Serialize};
use std::cmp::Ordering;

/// What is measured for a card: the mean wait first, then what may be its price.
pub const CARD_METRICS: [Metric; 4] = [Metric::Aq, Metric::Bsld, Metric::MaxWait, Metric::Af];

/// With fewer draws the interval of a change says next to nothing.
const LEAST_DRAWS: usize = 4;

/// What one draw of a run came to.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct RunDraw {
    /// How many jobs the workload has: a smaller machine may be too small for some.
    pub jobs: usize,
    /// The values of [`CARD_METRICS`]; `None` where one is not defined.
    pub values: Vec<Option<f64>>,
    /// The waits of users.
    pub waits: GroupedWaits,
}

impl RunDraw {
    fn value(&self, metric: Metric) -> Option<f64> {
        let place = CARD_METRICS.iter().position(|own| *own == metric)?;
        self.values.get(place).copied().flatten()
    }
}

/// A change of a site as a card.
#[derive(Clone, Debug, PartialEq)]
pub struct ChangeCard {
    pub run: Run,
    /// What is changed, in words.
    pub label: String,
    /// The draws made so far.
    pub draws: Vec<RunDraw>,
    /// Why it cannot be computed.
    pub fault: Option<String>,
}

/// What a change brings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CardEffect {
    /// Mean wait before and after, seconds, in the mean over the draws.
    pub before: f64,
    pub after: f64,
    /// The relative change of the mean wait, in the mean over the draws.
    pub change: f64,
    /// Between which changes 95 % of further draws lie; `None` while too few are there to tell.
    pub interval: Option<Interval>,
    /// How many draws were compared.
    pub draws: usize,
}

/// How a change stands in the list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Standing {
    /// The mean wait is shorter: in all that further draws are likely to bring, or by the only draw so far.
    Shorter,
    /// It may be nothing, or is too little to act on.
    Nothing,
    /// The mean wait is longer.
    Longer,
    /// It is not computed yet, or cannot be.
    Unknown,
}

impl ChangeCard {
    /// The card of a run that changes something of a site, before it is computed; `None` where it changes nothing.
    pub fn of(run: Run, site: &Site) -> Option<Self> {
        let policy = changed_in_words(&run.scheduler, site);
        let nodes = run.what_if.as_ref().map(crate::what_if::nodes_in_words(site));
        let label = joined([policy, nodes].into_iter().flatten().collect())?;
        Some(ChangeCard { run, label, draws: Vec::new(), fault: None })
    }

    /// Takes what draws came to; the first that cannot be made says why.
    pub fn take(&mut self, draws: Vec<Result<RunDraw, String>>) {
        for draw in draws {
            match draw {
                Ok(draw) => self.draws.push(draw),
                Err(why) => _ = self.fault.get_or_insert(why),
            }
        }
    }

    /// What the change does to the mean wait, compared draw by draw with the site as configured.
    pub fn effect(&self, base: &[RunDraw]) -> Option<CardEffect> {
        let waits = |draw: &RunDraw| draw.value(Metric::Aq);
        let pairs: Vec<(f64, f64)> = self.pairs(base).filter_map(|(own, base)| waits(own).zip(waits(base))).collect();
        let changes: Vec<f64> = pairs.iter().filter_map(|&(after, before)| relative(after, before)).collect();
        if changes.is_empty() {
            return None;
        }
        let mean = |values: &mut dyn Iterator<Item = f64>, count: usize| values.sum::<f64>() / count as f64;
        let change = mean(&mut changes.iter().copied(), changes.len());
        let of_draws: Vec<Option<f64>> = changes.iter().copied().map(Some).collect();
        let interval = (changes.len() >= LEAST_DRAWS).then(|| Interval::of_change(change, &of_draws).ok()).flatten();
        Some(CardEffect {
            before: mean(&mut pairs.iter().map(|(_, before)| *before), pairs.len()),
            after: mean(&mut pairs.iter().map(|(after, _)| *after), pairs.len()),
            change,
            interval,
            draws: changes.len(),
        })
    }

    fn pairs<'a>(&'a self, base: &'a [RunDraw]) -> impl Iterator<Item = (&'a RunDraw, &'a RunDraw)> {
        self.draws.iter().zip(base)
    }

    pub fn standing(&self, base: &[RunDraw]) -> Standing {
        match self.effect(base) {
            None => Standing::Unknown,
            Some(effect) => effect.standing(),
        }
    }

    /// What gets worse, the worst first: the user who loses most, then measures; empty where nothing does.
    pub fn prices(&self, base: &[RunDraw]) -> Vec<String> {
        let mut told: Vec<String> = Vec::new();
        if let Some(loser) = self.users(base).into_iter().find(|user| user.is_loss()) {
            told.push(format!("{} {}", loser.user, change(loser.relative())));
        }
        for metric in CARD_METRICS.into_iter().filter(|metric| *metric != Metric::Aq) {
            let values = |draw: &RunDraw| draw.value(metric);
            let pairs: Vec<(f64, f64)> =
                self.pairs(base).filter_map(|(own, base)| values(own).zip(values(base))).collect();
            let sum = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>();
            let Some(more) = relative(sum(|pair| pair.0), sum(|pair| pair.1)) else { continue };
            let is_worse = match metric.about().aim {
                Aim::Low => more > WORTH_ACTING_ON,
                Aim::High => more < -WORTH_ACTING_ON,
                Aim::None => false,
            };
            if is_worse {
                told.push(format!("{} {}", metric.about().name, change(more)));
            }
        }
        let left = self.pairs(base).map(|(own, base)| base.jobs.saturating_sub(own.jobs)).max().unwrap_or(0);
        if left > 0 {
            told.push(format!("{} too wide for what is left", counted(left as u64, "job is", "jobs are")));
        }
        told
    }

    /// What changes for each user with enough jobs, who loses most first.
    pub fn users(&self, base: &[RunDraw]) -> Vec<UserChange> {
        let sum = |draws: &mut dyn Iterator<Item = &RunDraw>| {
            draws.map(|draw| draw.waits.clone()).reduce(|sum, other| sum.with(&other))
        };
        let after = sum(&mut self.pairs(base).map(|(own, _)| own));
        let before = sum(&mut self.pairs(base).map(|(_, base)| base));
        let Some((after, before)) = after.zip(before) else { return Vec::new() };
        let count = self.pairs(base).count() as u32;
        let all = after.changes(&before, count);
        let mut users: Vec<UserChange> = all
            .into_iter()
            .map(|(loss, jobs)| UserChange { user: loss.group.to_owned(), jobs, before: loss.before, more: loss.by })
            .collect();
        users.sort_by(|one, other| other.relative().total_cmp(&one.relative()).then_with(|| one.user.cmp(&other.user)));
        users
    }

    /// The card as one sentence, such as for a report.
    pub fn sentence(&self, base: &[RunDraw]) -> Option<String> {
        let effect = self.effect(base)?;
        let prices = self.prices(base);
        let price = if prices.is_empty() { "no metric gets worse".to_owned() } else { prices.join("; ") };
        let wait = time_instead_of(effect.after, effect.before);
        Some(format!("{}: mean wait {wait} ({}); price: {price}", self.label, change(effect.change)))
    }
}

impl CardEffect {
    fn standing(&self) -> Standing {
        let is_told = match self.interval {
            Some(interval) => !interval.is_unsure(),
            // many draws without an interval differ too much to tell anything
            None => self.draws < LEAST_DRAWS,
        };
        match self.change {
            change if change.abs() < WORTH_ACTING_ON || !is_told => Standing::Nothing,
            change if change < 0.0 => Standing::Shorter,
            _ => Standing::Longer,
        }
    }

    /// How sure it is, in words.
    pub fn certainty(&self) -> String {
        let draws = counted(self.draws as u64, "draw", "draws");
        match self.interval {
            Some(interval) => format!("{} to {} in {draws}", change(interval.low), change(interval.high)),
            None if self.draws < LEAST_DRAWS => format!("by {draws} so far"),
            None => format!("{draws} differ too much to tell"),
        }
    }
}

/// What changes for a user.
#[derive(Clone, Debug, PartialEq)]
pub struct UserChange {
    pub user: String,
    pub jobs: u32,
    /// The mean wait before, seconds.
    pub before: f64,
    /// By how much it grows, seconds.
    pub more: f64,
}

impl UserChange {
    /// The change as a share of the wait before, or of a minute where the user waited less than that.
    pub fn relative(&self) -> f64 {
        crate::Loss { group: &self.user, before: self.before, by: self.more }.relative()
    }

    /// Whether it is a loss that counts.
    pub fn is_loss(&self) -> bool {
        crate::Loss { group: &self.user, before: self.before, by: self.more }.counts()
    }
}

/// The places of cards in the order in which they are shown: what shortens waits first, most first; then what may be
/// nothing, what makes them longer, and what is not known yet. Of changes that bring the same, to the percent, those of
/// fewer lines come first.
pub fn ranked(cards: &[ChangeCard], base: &[RunDraw]) -> Vec<usize> {
    let key = |card: &ChangeCard| {
        let percent = card.effect(base).map_or(f64::INFINITY, |effect| (100.0 * effect.change).round());
        (card.standing(base), percent, card.run.scheduler.site_changes().len())
    };
    let keys: Vec<_> = cards.iter().map(key).collect();
    let mut places: Vec<usize> = (0..cards.len()).collect();
    places.sort_by(|&one, &other| {
        let ((standing, percent, lines), (of_other, percent_of_other, lines_of_other)) = (&keys[one], &keys[other]);
        let by_effect = percent.partial_cmp(percent_of_other).unwrap_or(Ordering::Equal);
        standing.cmp(of_other).then(by_effect).then(lines.cmp(lines_of_other))
    });
    places
}

/// What the first of the ranked cards says, as the finding of all: "Without any limits the mean wait is 63 % shorter."
pub fn finding(cards: &[ChangeCard], base: &[RunDraw]) -> Option<String> {
    let first = ranked(cards, base).first().map(|&place| &cards[place])?;
    let effect = first.effect(base)?;
    match first.standing(base) {
        Standing::Shorter => {
            let by = change(effect.change.abs());
            Some(format!("{}: the mean wait is {} shorter.", first.label, by.trim_start_matches('+')))
        }
        Standing::Nothing if (100.0 * effect.change).round() < 0.0 => Some(format!(
            "None of the changes tried makes the mean wait surely shorter. Nearest comes: {}, {}.",
            first.label,
            change(effect.change)
        )),
        Standing::Nothing | Standing::Longer => {
            Some("None of the changes tried makes the mean wait shorter.".to_owned())
        }
        Standing::Unknown => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::Grouping;
    use packfair_slurm::Version;

    fn draw(wait: f64, users: &[(&str, u32, f64)]) -> RunDraw {
        let mut values = vec![Some(wait); CARD_METRICS.len()];
        values[1] = Some(2.0);
        values[2] = Some(100.0);
        RunDraw { jobs: 100, values, waits: GroupedWaits::from_parts(Grouping::User, users) }
    }

    fn card(settings: &str, waits: &[f64]) -> ChangeCard {
        let run = Run::new(format!("slurm:{settings}").parse().unwrap(), "requested".parse().unwrap());
        let mut card = ChangeCard::of(run, &Site::plain(8, Version::default())).unwrap();
        card.take(waits.iter().map(|&wait| Ok(draw(wait, &[]))).collect());
        card
    }

    #[test]
    fn what_brings_most_comes_first_and_what_may_be_nothing_after_what_is_sure() {
        let base: Vec<RunDraw> = [100.0, 110.0, 90.0, 100.0].map(|wait| draw(wait, &[])).to_vec();
        let cards = [
            card("bf_window=2880", &[]),
            card("bf_max_job_test=1000", &[200.0, 200.0, 200.0, 200.0]),
            card("bf_interval=60", &[20.0, 200.0, 150.0, 20.0]),
            card("bf_resolution=300", &[80.0, 88.0, 72.0, 80.0]),
            card("bf_interval=120,bf_resolution=600", &[37.0, 41.0, 33.0, 37.0]),
            card("bf_interval=300", &[37.0, 41.0, 33.0, 37.0]),
        ];
        assert_eq!(ranked(&cards, &base), [5, 4, 3, 2, 1, 0]);
        let standing = cards.each_ref().map(|card| card.standing(&base));
        use Standing::{Longer, Nothing, Shorter, Unknown};
        assert_eq!(standing, [Unknown, Longer, Nothing, Shorter, Shorter, Shorter]);
        let said = finding(&cards, &base).unwrap().replace(crate::format::SPACE, " ");
        assert_eq!(said, "bf_interval 30 to 300: the mean wait is 63 % shorter.");
        let only = finding(&cards[..2], &base).unwrap();
        assert_eq!(only, "None of the changes tried makes the mean wait shorter.");
        assert_eq!(finding(&cards[..1], &base), None, "nothing is computed yet");
        let unsure = finding(&cards[..3], &base).unwrap();
        let nearest =
            "None of the changes tried makes the mean wait surely shorter. Nearest comes: bf_interval 30 to 60, −";
        assert!(unsure.starts_with(nearest), "{unsure}");
    }

    #[test]
    fn one_draw_ranks_and_has_no_interval_yet() {
        let base = [draw(100.0, &[]), draw(100.0, &[])];
        let one = card("bf_window=2880", &[93.0]);
        let effect = one.effect(&base).unwrap();
        assert!((effect.change + 0.07).abs() < 1e-12 && effect.interval.is_none() && effect.draws == 1);
        assert_eq!(one.standing(&base), Standing::Shorter);
        assert_eq!(effect.certainty(), "by 1 draw so far");
    }

    #[test]
    fn the_price_names_who_loses_and_what_gets_worse() {
        let before = [("u1", 20, 2_000.0), ("u2", 30, 9_000.0), ("few", 5, 10.0)];
        let after = [("u1", 20, 6_000.0), ("u2", 30, 900.0), ("few", 5, 90_000.0)];
        let base = [draw(100.0, &before), draw(100.0, &before)];
        let mut card = card("bf_window=2880", &[]);
        let mut worse = draw(90.0, &after);
        worse.values[2] = Some(150.0);
        worse.jobs = 98;
        card.take(vec![Ok(worse.clone()), Ok(worse), Err("it stops here".to_owned())]);
        let plain = |texts: Vec<String>| texts.join("; ").replace(crate::format::SPACE, " ");
        assert_eq!(plain(card.prices(&base)), "u1 +200 %; Max wait +50 %; 2 jobs are too wide for what is left");
        let users: Vec<(String, f64)> = card.users(&base).into_iter().map(|user| (user.user, user.more)).collect();
        assert_eq!(users, [("u1".to_owned(), 200.0), ("u2".to_owned(), -270.0)]);
        assert_eq!(card.fault.as_deref(), Some("it stops here"));
        let said = card.sentence(&base).unwrap();
        assert!(said.starts_with("bf_window 1440 to 2880: mean wait 90"), "{said}");
    }
}
