//! The units of a spread study: each is a run on a log or on one repeat of it, with an id made from everything on which
//! it depends.

use packfair_engine::metric::Metric;
use packfair_study::sureness::{Repeats, repeatable};
use packfair_study::{Engine, Run, Study};
use packfair_workload::Summary;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;

/// A log of a spread study, as far as processes that do not have the log know it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpreadLog {
    /// The study, with this log as its source.
    pub(super) study: Study,
    /// The summary of its workload.
    pub(super) summary: Summary,
}

/// A run on a log, or on one repeat of it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpreadUnit {
    /// The index of the log.
    pub(super) log: usize,
    /// The run.
    pub(super) run: Run,
    /// The index of the repeat, from 0; `None` for the log itself.
    pub(super) repeat: Option<u32>,
    /// A digest of everything on which the result depends.
    pub(super) id: String,
}

/// Everything on which a result depends.
#[derive(Serialize)]
struct Identity<'a> {
    engine: Engine,
    source: String,
    treatment: &'a packfair_study::Treatment,
    rules: packfair_study::Rules,
    measure: &'a packfair_engine::metric::Measure,
    fair_starts: bool,
    run: &'a Run,
    repeat: Option<(Repeats, u32, &'a [Metric])>,
}

impl SpreadUnit {
    fn new(log: usize, study: &Study, run: &Run, repeat: Option<u32>, metrics: &[Metric]) -> Self {
        // the number of repeats does not change any single repeat
        let one = study.repeats.map(|repeats| Repeats { count: 0, ..repeats });
        let identity = Identity {
            engine: Engine::THIS,
            source: study.source.key(),
            treatment: &study.treatment,
            rules: study.rules(),
            measure: &study.measure,
            fair_starts: repeat.is_none() && study.asks_for_fair_starts(),
            run,
            repeat: repeat.zip(one).map(|(repeat, repeats)| (repeats, repeat, metrics)),
        };
        // plain data with text keys can always be written
        let text = serde_json::to_string(&identity).unwrap();
        let id = format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()));
        SpreadUnit { log, run: run.clone(), repeat, id }
    }

    /// All units of a study on these logs: log by log, first the runs on the log itself, then those on each repeat.
    pub(super) fn all(logs: &[SpreadLog]) -> Vec<SpreadUnit> {
        let mut units = Vec::new();
        for (log, SpreadLog { study, .. }) in logs.iter().enumerate() {
            let (metrics, repeated) = (repeatable(&study.columns), study.repeated_runs());
            units.extend(study.runs().iter().map(|run| SpreadUnit::new(log, study, run, None, &metrics)));
            for repeat in 0..study.repeats.map_or(0, |repeats| repeats.count) {
                let of_repeat = |run| SpreadUnit::new(log, study, run, Some(repeat), &metrics);
                units.extend(repeated.iter().map(of_repeat));
            }
        }
        units
    }

    /// The name of the unit, for the user.
    pub(super) fn name(&self, logs: &[SpreadLog]) -> String {
        let repeat = self.repeat.map_or_else(String::new, |repeat| format!(", repeat {}", repeat + 1));
        format!("{} on {}{repeat}", self.run.id(), logs[self.log].study.source.name())
    }
}

/// How long runs took, seconds, by the index of the log and the run's id.
pub(super) type Measured = HashMap<(usize, String), f64>;

/// Units that are computed one after the other because they share a workload, and how long they take.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct SpreadGroup {
    /// The units of one repeat, or a single run on a log itself.
    pub(super) units: Vec<SpreadUnit>,
    /// How much there is to do: the units, each counted as often as its run took longer than others before.
    work: f64,
}

impl SpreadGroup {
    /// Groups units; the group that took longest before comes first.
    pub(super) fn of(units: Vec<SpreadUnit>, measured: &Measured) -> Vec<SpreadGroup> {
        let mean = measured.values().sum::<f64>() / measured.len().max(1) as f64;
        let mut groups: Vec<SpreadGroup> = Vec::new();
        for unit in units {
            let before = measured.get(&(unit.log, unit.run.id())).filter(|_| mean > 0.0);
            let work = before.map_or(1.0, |seconds| seconds / mean);
            let is_same = |group: &&mut SpreadGroup| {
                let other = &group.units[0];
                unit.repeat.is_some() && (other.log, other.repeat) == (unit.log, unit.repeat)
            };
            match groups.last_mut().filter(is_same) {
                Some(group) => {
                    group.units.push(unit);
                    group.work += work;
                }
                None => groups.push(SpreadGroup { units: vec![unit], work }),
            }
        }
        // groups of the same size stay in order
        groups.sort_by(|one, other| other.work.total_cmp(&one.work));
        groups
    }
}

/// Gives each group to the share with the least work so far, out of `count` shares. Returns the ids of each share's
/// units.
pub(super) fn shares(groups: &[SpreadGroup], count: usize) -> Vec<Vec<String>> {
    let mut shares = vec![(0.0, Vec::new()); count];
    for group in groups {
        // there is at least one share
        let least = shares.iter_mut().min_by(|one, other| f64::total_cmp(&one.0, &other.0)).unwrap();
        least.0 += group.work;
        least.1.extend(group.units.iter().map(|unit| unit.id.clone()));
    }
    shares.into_iter().map(|(_, ids)| ids).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_study::Treatment;

    fn logs(change: impl Fn(&mut Study)) -> Vec<SpreadLog> {
        let mut study = Study::first_visit();
        study.repeats = Some(Repeats::of(3));
        change(&mut study);
        let packfair_study::Source::Generated(generated) = &study.source else { panic!("it is generated") };
        let summary = Summary::of(&Treatment::default().apply(&generated.generate()).unwrap());
        vec![SpreadLog { study, summary }]
    }

    fn ids(change: impl Fn(&mut Study)) -> Vec<String> {
        SpreadUnit::all(&logs(change)).into_iter().map(|unit| unit.id).collect()
    }

    #[test]
    fn ids_differ_where_what_is_computed_does_and_only_there() {
        let all = ids(|_| {});
        let mut distinct = all.clone();
        distinct.sort();
        distinct.dedup();
        assert_eq!((all.len(), distinct.len()), (8 * 4, 8 * 4));
        assert_eq!(all[..16], ids(|study| study.repeats = Some(Repeats::of(9)))[..16], "more repeats change none");
        let repeats = |seed| Some(Repeats { seed, ..Repeats::of(3) });
        let seeded = ids(|study| study.repeats = repeats(2));
        assert!(all[..8] == seeded[..8] && all[8..].iter().all(|id| !seeded.contains(id)));
        let columns = ids(|study| study.columns.truncate(2));
        assert!(
            all[..8] == columns[..8] && all[8..].iter().all(|id| !columns.contains(id)),
            "repeats have these alone"
        );
        let shrunk = ids(|study| study.treatment.shrink = 0.9);
        assert!(all.iter().all(|id| !shrunk.contains(id)));
    }

    #[test]
    fn shares_have_everything_once_and_about_as_much_to_do() {
        let logs = logs(|study| study.repeats = Some(Repeats::of(40)));
        let units = SpreadUnit::all(&logs);
        let groups = SpreadGroup::of(units.clone(), &Measured::new());
        assert_eq!(groups.len(), 8 + 40);
        let shares = shares(&groups, 5);
        let mut ids: Vec<&String> = shares.iter().flatten().collect();
        let mut all: Vec<&String> = units.iter().map(|unit| &unit.id).collect();
        ids.sort();
        all.sort();
        assert_eq!(ids, all);
        let work = |ids: &Vec<String>| {
            let is_its = |group: &&SpreadGroup| ids.contains(&group.units[0].id);
            groups.iter().filter(is_its).map(|group| group.work).sum::<f64>()
        };
        let each: Vec<f64> = shares.iter().map(work).collect();
        let (least, most) = each.iter().fold((f64::MAX, 0.0), |(l, m): (f64, f64), &s| (l.min(s), m.max(s)));
        assert!(most < 1.2 * least, "{each:?}");
        // what took long before is not put together with as much as the others
        let slow = units[1].run.id();
        let took = |unit: &SpreadUnit| if unit.run.id() == slow { 10.0 } else { 1.0 };
        let measured: Measured = units.iter().map(|unit| ((unit.log, unit.run.id()), took(unit))).collect();
        let first = |units: &[SpreadUnit], measured| SpreadGroup::of(units.to_vec(), measured)[0].units[0].run.id();
        assert_eq!(first(&units[..8], &measured), slow);
        assert_ne!(first(&units[..8], &Measured::new()), slow);
    }
}
