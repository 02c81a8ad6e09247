//! One run of a study: a scheduler and the estimates that it works with.

use super::format;
use super::source::Treatment;
use packfair_base::machine::WhatIf;
use packfair_engine::estimator::{Estimate, Method};
use packfair_schedulers::Policy;
use packfair_workload::{Feedback, printable};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Longest file name, without its ending, that spells out a run's id, bytes.
const LONGEST_STEM: usize = 180;

/// A scheduler and the estimates that it works with.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Run {
    pub scheduler: Policy,
    pub estimate: Estimate,
    /// The shrinking factor of the run's workload, if it is one of the study's further factors
    /// ([`shrinks`](super::Study::shrinks)). `None`: that of the study's treatment.
    #[serde(default)]
    pub shrink: Option<f64>,
    /// The partition whose jobs and machine the run is on, where the study simulates partitions separately
    /// ([`partitions`](super::Study::partitions)). `None`: the jobs and machine of the study's treatment.
    #[serde(default)]
    pub partition: Option<RunPartition>,
    /// The number of users as a multiple of the log's, where the study has several
    /// ([`all_users`](super::Study::all_users)). `None`: that of the study's treatment.
    #[serde(default)]
    pub users: Option<f64>,
    /// Whether jobs are submitted when the log says, although the study's users react. Such a replay is compared with
    /// the run with reacting users ([`beside_replay`](super::Study::beside_replay)).
    #[serde(default)]
    pub replayed: bool,
    /// The what-if of the run's machine, if it is one of the study's ([`what_ifs`](super::Study::what_ifs)). `None`:
    /// the machine of the study's treatment.
    #[serde(default)]
    pub what_if: Option<WhatIf>,
}

/// A partition that is simulated separately, as a machine of its own.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunPartition {
    pub number: i32,
    /// What the log calls it; its number where it has no name.
    pub name: String,
    /// The size of its machine, where a person has given it; otherwise the size that the log tells.
    #[serde(default)]
    pub processors: Option<u32>,
}

impl RunPartition {
    pub fn treatment(&self, mut of_all: Treatment) -> Treatment {
        of_all.filter.partitions = vec![self.number];
        // The size of the whole machine is not that of a part of it.
        of_all.processors = self.processors;
        let number = self.number.to_string();
        of_all.machine = of_all.machine.map(|machine| Box::new(machine.of_partition(&[&self.name, &number])));
        of_all
    }
}

impl Run {
    /// A scheduler with estimates. The log's own schedule and that of a file use no estimates, so they have only one
    /// run. An off-line schedule knows the run times, so it has only one run too.
    pub fn new(scheduler: Policy, estimate: Estimate) -> Self {
        let estimate = if scheduler.is_given() {
            Estimate::of(Method::requested())
        } else if scheduler.is_offline() {
            Estimate::of(Method::actual())
        } else {
            estimate
        };
        Run { scheduler, estimate, shrink: None, partition: None, users: None, replayed: false, what_if: None }
    }

    /// This run with a further shrinking factor of its study. The log's own schedule and that of a file keep the log's
    /// arrivals, so they stay as they are.
    pub fn at_shrink(self, shrink: Option<f64>) -> Self {
        let shrink = shrink.filter(|_| !self.scheduler.is_given());
        Run { shrink, ..self }
    }

    /// This run with a number of users. The log's own schedule and that of a file keep their users, so they stay as
    /// they are.
    pub fn with_users(self, users: Option<f64>) -> Self {
        let users = users.filter(|_| !self.scheduler.is_given());
        Run { users, ..self }
    }

    /// This run as a replay with the log's submit times, or with reacting users. The log's own schedule and that of a
    /// file stay as they are.
    pub fn replayed(self, replayed: bool) -> Self {
        let replayed = replayed && !self.scheduler.is_given();
        Run { replayed, ..self }
    }

    /// This run on the machine of a what-if. The log's own schedule and that of a file keep their machine, so they stay
    /// as they are.
    pub fn what_if(self, what_if: Option<WhatIf>) -> Self {
        let what_if = what_if.filter(|_| !self.scheduler.is_given());
        Run { what_if, ..self }
    }

    pub fn in_conditions_of(self, other: &Run) -> Self {
        self.at_shrink(other.shrink)
            .with_users(other.users)
            .replayed(other.replayed)
            .what_if(other.what_if.clone())
            .on_partition(other.partition.clone())
    }

    pub fn on_partition(self, partition: Option<RunPartition>) -> Self {
        Run { partition, ..self }
    }

    /// Whether both runs are on the same workload of their study: the same load, number of users, partition and
    /// machine, and users who react in both or in neither.
    pub fn shares_workload(&self, other: &Run) -> bool {
        let of = |run: &Run| (run.shrink, run.users, run.replayed);
        of(self) == of(other) && self.partition == other.partition && self.what_if == other.what_if
    }

    pub fn treatment(&self, of_study: &Treatment) -> Treatment {
        let mut treatment = of_study.clone();
        treatment.shrink = self.shrink.unwrap_or(of_study.shrink);
        treatment.users = self.users.unwrap_or(of_study.users);
        if self.what_if.is_some() {
            treatment.what_if.clone_from(&self.what_if);
        }
        if self.replayed {
            treatment.feedback.feedback = Feedback::Off;
        }
        match &self.partition {
            Some(partition) => partition.treatment(treatment),
            None => treatment,
        }
    }

    /// The run's id, the key of its results: `scheduler__estimator`, followed by the parts that differ from the study's
    /// treatment: `__shrinkF` (shrinking factor), `__usersF` (number of users), `__replay` (users do not react),
    /// `__if_...` (what-if), and `__partitionN` or, with a size of its own, `__partitionN_onP`.
    pub fn id(&self) -> String {
        let shrink = self.shrink.map(|factor| format!("__shrink{factor}")).unwrap_or_default();
        let partition = self.partition.as_ref().map(|of| {
            let size = of.processors.map(|size| format!("_on{size}")).unwrap_or_default();
            format!("__partition{}{size}", of.number)
        });
        let partition = partition.unwrap_or_default();
        let users = self.users.map(|factor| format!("__users{factor}")).unwrap_or_default();
        let replay = if self.replayed { "__replay" } else { "" };
        let what_if = self.what_if.as_ref().map(|what_if| format!("__if_{}", what_if.to_string().replace(' ', "_")));
        let what_if = what_if.unwrap_or_default();
        format!("{}__{}{shrink}{users}{replay}{what_if}{partition}", self.scheduler, self.estimate)
    }

    /// The id for a person: a script appears by its name alone.
    pub fn short_id(&self) -> String {
        match self.scheduler.settings().script() {
            Some(script) => self.id().replacen(&script.to_string(), script.name(), 1),
            None => self.id(),
        }
    }

    /// The scheduler's name for a person, with the partition before it, and with the number of users, the replay and
    /// the what-if after it, where the run has them.
    pub fn scheduler_name(&self) -> String {
        let partition = self.partition.as_ref().map(|of| format!("{}: ", of.name)).unwrap_or_default();
        let users = self.users.map(|factor| format!(", {} x users", format::factor(factor))).unwrap_or_default();
        let replay = if self.replayed { ", replayed" } else { "" };
        let what_if = self.what_if.as_ref().map(|what_if| format!(", {}", what_if.name())).unwrap_or_default();
        format!("{partition}{}{users}{replay}{what_if}", self.scheduler.name())
    }

    /// The id as a file name without ending, valid on any system: no `:` and no `*` (`easy.threshold=5__requested-x2`).
    /// Two runs never share a name: a very long name, or one with other special characters, ends with a digest.
    pub fn file_stem(&self) -> String {
        let stem = self.id().replace(':', ".").replace('*', "-x");
        let is_plain = |c: char| c.is_ascii_alphanumeric() || "._-+=,@".contains(c);
        if stem.len() <= LONGEST_STEM && stem.chars().all(is_plain) {
            return stem;
        }
        // File names may have 255 bytes.
        let begin: String = stem.chars().map(|c| if is_plain(c) { c } else { '-' }).take(LONGEST_STEM).collect();
        format!("{begin}-{:016x}", xxhash_rust::xxh3::xxh3_64(stem.as_bytes()))
    }
}

// The title of a study's window.

/// Most characters of a verdict in a title: tabs and lists of windows show few.
const LONGEST: usize = 120;

/// The title: the log and the first sentence of the verdict, such as `KTH-SP2: SAF-JustBF ... · Packfair`.
pub fn title(log: &str, verdict: Option<&str>) -> String {
    let Some(verdict) = verdict.map(str::trim).filter(|verdict| !verdict.is_empty()) else {
        return format!("{log} · Packfair");
    };
    let first = verdict.split_once(". ").map_or(verdict, |(first, _)| first).trim_end_matches('.');
    let mut short: String = first.chars().take(LONGEST).collect();
    if short.len() < first.len() {
        // Words are not cut in half.
        let end = short.rfind(' ').unwrap_or(short.len());
        short.truncate(end);
        short.push('…');
    }
    format!("{log}: {short} · Packfair")
}

// Names that a person has given to rows.

/// Most characters of a name.
pub const LONGEST_ROW_NAME: usize = 60;

/// Names that a person has given to rows, by the ids of their runs. They are text, whatever is in them: who shows them
/// escapes them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RowNames(BTreeMap<String, String>);

impl RowNames {
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// The name that a person has given to the row of `run`, if any.
    pub fn of(&self, run: &Run) -> Option<&str> {
        if self.0.is_empty() { None } else { self.0.get(&run.id()).map(String::as_str) }
    }

    /// Gives the row of `run` a name. An empty one, or the one that it has by itself, gives it its own name back.
    pub fn set(&mut self, run: &Run, name: &str) {
        match plain(name) {
            name if name.is_empty() || name == run.scheduler_name() => drop(self.0.remove(&run.id())),
            name => drop(self.0.insert(run.id(), name)),
        }
    }

    /// The names as they may be shown: one line of signs, not too long, none empty.
    pub(crate) fn plain(self) -> Self {
        let names = self.0.into_iter().map(|(id, name)| (id, plain(&name)));
        RowNames(names.filter(|(_, name)| !name.is_empty()).collect())
    }
}

fn plain(name: &str) -> String {
    let short: String = printable(name.trim()).chars().take(LONGEST_ROW_NAME).collect();
    short.trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_files_are_valid_everywhere_and_differ() {
        let schedulers = ["easy", "easy:threshold=5", "easy:threshold=50", "list:order=wfp,depth=3", "pc:order=sjf"];
        let estimates = ["requested", "requested*2", "requested*0.5", "sp2", "sp:x=30", "sp:x=30*1.5", "survival:x=40"];
        let mut stems = Vec::new();
        for scheduler in schedulers.into_iter().chain(packfair_schedulers::PRESETS.iter().map(|preset| preset.id)) {
            for estimate in estimates {
                let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
                stems.push((run.file_stem(), run.id()));
            }
        }
        stems.sort_unstable();
        stems.dedup();
        assert!(stems.windows(2).all(|pair| pair[0].0 != pair[1].0), "{stems:?}");
        let is_fine = |c: char| c.is_ascii_alphanumeric() || "-_.=,+".contains(c);
        assert!(stems.iter().all(|(stem, _)| stem.chars().all(is_fine) && stem.len() < 200), "{stems:?}");
        assert!(stems.iter().any(|(stem, _)| stem == "easy.threshold=5__requested-x2"));
    }
}

#[cfg(test)]
mod title_tests {
    use super::*;

    #[test]
    fn a_title_has_the_log_and_the_first_sentence_of_the_verdict() {
        assert_eq!(title("KTH-SP2", None), "KTH-SP2 · Packfair");
        assert_eq!(
            title("KTH-SP2", Some("EASY has 4.5 % shorter waits. The price: none.")),
            "KTH-SP2: EASY has 4.5 % shorter waits · Packfair"
        );
        let long = title("x", Some(&"word ".repeat(60)));
        assert!(long.chars().count() < 150 && long.ends_with("word… · Packfair"), "{long}");
    }
}

#[cfg(test)]
mod row_names_tests {
    use super::*;
    use crate::Study;

    #[test]
    fn a_name_is_one_short_line_and_an_empty_one_gives_the_own_back() {
        let run = Study::first_visit().runs().remove(0);
        let mut names = RowNames::default();
        names.set(&run, &format!("  As\ntoday\u{202e} {}", "x".repeat(99)));
        let given = names.of(&run).unwrap();
        assert_eq!(given.chars().count(), LONGEST_ROW_NAME);
        assert!(given.starts_with("As\u{fffd}today\u{fffd} x"), "{given}");
        names.set(&run, " ");
        assert!(names.is_empty());
        names.set(&run, "Mine");
        names.set(&run, "EASY");
        assert_eq!(names.of(&run), None, "that is its own name");
    }

    #[test]
    fn names_go_with_a_study() {
        let mut study = Study::first_visit();
        let run = study.runs().remove(1);
        assert!(!serde_json::to_string(&study).unwrap().contains("row_names"), "none are given");
        study.row_names.set(&run, "<b>50 %</b>");
        let text = serde_json::to_string(&study).unwrap();
        let read = |text: &str| serde_json::from_str::<Study>(text).unwrap().checked().unwrap();
        assert_eq!(read(&text), study);
        let read = read(&text.replace("50 %", &"x".repeat(1_000)));
        assert_eq!(read.row_names.of(&run).unwrap().chars().count(), LONGEST_ROW_NAME);
    }
}
