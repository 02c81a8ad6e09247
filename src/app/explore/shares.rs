//! How often each value of each setting occurs among runs.

use packfair_base::catalogue::{Kind, Parameter, Value};
use packfair_study::Run;
use packfair_study::format::duration;
use std::collections::BTreeMap;

/// For each setting, by name, the number of runs with each value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValueShares {
    pub(super) counts: BTreeMap<String, BTreeMap<String, u32>>,
}

impl ValueShares {
    /// Counts one more run.
    pub fn count(&mut self, run: &Run) {
        let family = run.scheduler.family().entry.name;
        self.add("Family".to_owned(), family.to_owned());
        self.add("Estimates".to_owned(), run.estimate.to_string());
        for (parameter, value) in run.scheduler.settings().iter() {
            if let (Kind::Changes { tried }, Value::Changes(changes)) = (parameter.kind, value) {
                for (key, _) in tried {
                    let changed = changes.pairs().find(|(own, _)| own == key).map(|(_, value)| value);
                    self.add(format!("{family}: {key}"), changed.unwrap_or("as it is").to_owned());
                }
                continue;
            }
            let value = match value {
                Value::Written(_) => "A formula".to_owned(),
                Value::Whole(Some(number)) if is_time(parameter) => duration(number as f64),
                other => other.to_string(),
            };
            self.add(format!("{family}: {}", parameter.name), value);
        }
    }

    fn add(&mut self, setting: String, value: String) {
        *self.counts.entry(setting).or_default().entry(value).or_default() += 1;
    }

    /// The share of a value among the runs that have the setting.
    pub(super) fn of(&self, setting: &str, value: &str) -> f64 {
        let Some(values) = self.counts.get(setting) else { return 0.0 };
        let all: u32 = values.values().sum();
        f64::from(values.get(value).copied().unwrap_or_default()) / f64::from(all.max(1))
    }
}

fn is_time(parameter: &Parameter) -> bool {
    matches!(parameter.kind, Kind::Whole { unit: "s", .. })
}
