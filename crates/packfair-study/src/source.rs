//! Where a study's jobs come from, and what is done to them.

use super::what_if;
use packfair_base::catalogue::NamedFile;
use packfair_base::machine::{Machine, MachineDescription, MachineError, MachineOfLog, WhatIf};
use packfair_slurm::Site;
use packfair_workload::like::Likeness;
use packfair_workload::{
    Account, CleanError, Cleaning, Counting, DescribedFor, Feedback, FeedbackRule, Filter, Fingerprint, InitialJobs,
    Log, NoSplit, Reason, Since, Unit, Workload, clean, lublin, shrink, split, times_users,
};
use serde::de::Error as _;
use serde::ser::{Error as _, SerializeStruct};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Where a study's jobs come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Source {
    /// A log, identified by its content.
    Trace {
        name: String,
        /// The fingerprint of the decompressed content.
        fingerprint: Fingerprint,
    },
    /// A generator, which makes the same jobs on any machine.
    Generated(Generated),
}

/// A generator and everything that it needs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Generated {
    /// The Lublin-Feitelson model of rigid jobs (1999/2003).
    Lublin {
        jobs: u32,
        /// Machine size R.
        processors: u32,
        seed: u64,
    },
}

impl Generated {
    /// The small workload of a first visit, with enough load for jobs to wait.
    pub const FIRST_VISIT: Generated = Generated::Lublin { jobs: 2_000, processors: 128, seed: 1 };
}

/// What is done to a log's jobs before they are simulated, in this order: filter, clean, make others like them, split,
/// change the number of users, find what users react to, shrink.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Treatment {
    pub filter: Filter,
    pub cleaning: Cleaning,
    /// The unit in which jobs and the machine are counted; `None`: the one that fits the log.
    pub unit: Option<Unit>,
    /// The time from which a job's wait is counted.
    pub since: Since,
    /// What becomes of jobs from before the log's first moment; `None`: what fits the log.
    pub initial: Option<InitialJobs>,
    /// Machine size R, where a person gives one.
    pub processors: Option<u32>,
    /// The cells, partitions and calendar of the machine, where a person gives them. Cells determine the machine's
    /// size, and jobs are then counted in processors. `None`: the machine is only a number of processors.
    #[serde(deserialize_with = "described")]
    pub machine: Option<Box<MachineDescription>>,
    /// The what-if of the machine.
    pub what_if: Option<WhatIf>,
    /// The files of the Slurm site on which the jobs ran, by name and content; empty where nothing is known about it.
    pub site: Vec<NamedFile>,
    /// How long before its begin a reservation of the site is known of which no file tells when it was made, seconds;
    /// `None`: from the log's first job on.
    pub announced: Option<u64>,
    /// How jobs like the log's own are made, which take their place (DYNP §4); `None`: the log's own jobs are
    /// simulated.
    pub like: Option<Likeness>,
    /// The largest width: a wider job is split into several of the same area (DYNP §4). `None`: no job is split.
    pub split: Option<u32>,
    /// The number of users as a multiple of the log's. With 1.2 a fifth more users are drawn, with all their jobs.
    pub users: f64,
    /// Shrinking factor, by which every inter-arrival time is multiplied (0.8: 25 % more load).
    pub shrink: f64,
    /// Whether and how users react to what becomes of their jobs.
    pub feedback: FeedbackRule,
}

/// Reads the description of a machine. In binary formats it is stored as JSON text, because it has fields that may be
/// left out.
fn described<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<MachineDescription>>, D::Error> {
    if deserializer.is_human_readable() {
        return Option::deserialize(deserializer);
    }
    let text: Option<String> = Option::deserialize(deserializer)?;
    text.map(|text| serde_json::from_str(&text)).transpose().map_err(D::Error::custom)
}

impl Serialize for Treatment {
    /// As a derived implementation, except that human-readable formats (study files, links) leave out an undescribed
    /// machine and users who do not react, so that the text of older studies does not change.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Treatment {
            filter,
            cleaning,
            unit,
            since,
            initial,
            processors,
            machine,
            what_if,
            site,
            announced,
            like,
            split,
            users,
            shrink,
            feedback,
        } = self;
        let is_text = serializer.is_human_readable();
        let (tells_users, is_told) = (!is_text || *users != 1.0, !is_text || *feedback != FeedbackRule::default());
        let (tells_machine, tells_what_if) = (!is_text || machine.is_some(), !is_text || what_if.is_some());
        let has_site = !is_text || !site.is_empty();
        let tells_split = !is_text || split.is_some();
        let tells_announced = !is_text || announced.is_some();
        let told = [tells_users, is_told, tells_machine, tells_what_if, has_site, tells_split, tells_announced];
        let count = 8 + told.map(usize::from).iter().sum::<usize>();
        let mut fields = serializer.serialize_struct("Treatment", count)?;
        fields.serialize_field("filter", filter)?;
        fields.serialize_field("cleaning", cleaning)?;
        fields.serialize_field("unit", unit)?;
        fields.serialize_field("since", since)?;
        fields.serialize_field("initial", initial)?;
        fields.serialize_field("processors", processors)?;
        if tells_machine && is_text {
            fields.serialize_field("machine", machine)?;
        } else if tells_machine {
            let json = machine.as_ref().map(serde_json::to_string).transpose().map_err(S::Error::custom)?;
            fields.serialize_field("machine", &json)?;
        }
        if tells_what_if {
            fields.serialize_field("what_if", what_if)?;
        }
        if has_site {
            fields.serialize_field("site", site)?;
        }
        if tells_announced {
            fields.serialize_field("announced", announced)?;
        }
        fields.serialize_field("like", like)?;
        if tells_split {
            fields.serialize_field("split", split)?;
        }
        if tells_users {
            fields.serialize_field("users", users)?;
        }
        fields.serialize_field("shrink", shrink)?;
        if is_told {
            fields.serialize_field("feedback", feedback)?;
        }
        fields.end()
    }
}

impl Generated {
    /// Makes the log, the same on any machine.
    pub fn generate(&self) -> Log {
        match *self {
            Generated::Lublin { jobs, processors, seed } => lublin(jobs, processors, seed),
        }
    }
}

impl Treatment {
    /// Makes a workload of a log.
    ///
    /// # Errors
    /// Where no job is left, the machine or the shrinking factor is out of range, or one of the steps cannot be done.
    pub fn apply(&self, log: &Log) -> Result<Workload, CleanError> {
        let mut account = Account::default();
        // A site's nodes determine the machine's size in processors, and so do cells.
        let of_study = log.site.as_ref().filter(|_| !self.site.is_empty());
        let digests = |files: &[NamedFile]| files.iter().map(NamedFile::digest).collect::<BTreeSet<u128>>();
        if !self.site.is_empty() && of_study.is_none_or(|site| digests(&site.files) != digests(&self.site)) {
            let names: Vec<&str> = self.site.iter().map(NamedFile::name).collect();
            return Err(CleanError::NoSite(names.join(", ")));
        }
        let site = of_study.filter(|site| !site.nodes.is_empty());
        // Where nodes of a site's partitions are more or fewer, the site is another one.
        let resized = self.resized(site.map(Arc::as_ref)).map_err(CleanError::Machine)?;
        let described = match &resized {
            Some(_) => Cow::Owned(Treatment { what_if: None, ..self.clone() }),
            None => Cow::Borrowed(self),
        };
        let of_study = resized.as_ref().or(of_study.map(Arc::as_ref));
        let site = of_study.filter(|site| !site.nodes.is_empty());
        let of_cells = described.machine_of(log, None)?;
        let is_in_processors = site.is_some() || of_cells.is_some();
        let fitting = || if is_in_processors { Unit::Processors } else { Unit::fitting(log) };
        let unit = self.unit.unwrap_or_else(fitting);
        let of_site = site.filter(|_| unit == Unit::Processors).and_then(|site| u32::try_from(site.cpus()).ok());
        let of_machine = of_cells.as_ref().map(Machine::processors);
        let processors = of_machine.or(self.processors.filter(|_| resized.is_none())).or(of_site);
        let counted = log.counted(unit, self.since);
        let is_held = self.initial.unwrap_or_else(|| InitialJobs::fitting(log)) == InitialJobs::Held;
        // A job from before the filter's beginning may then be under way.
        let filter = Filter { from: self.filter.from.filter(|_| !is_held), ..self.filter.clone() };
        let mut workload = clean(&counted, &filter, self.cleaning, processors)?;
        let own_size = workload.machine.processors;
        let machine =
            of_cells.map_or_else(|| described.machine_of(log, Some(own_size)), |machine| Ok(Some(machine)))?;
        if let Some(machine) = &machine
            && machine.processors() != own_size
        {
            // The machine differs from the log's own, so it may hold wider jobs.
            workload = clean(&counted, &filter, self.cleaning, Some(machine.processors()))?;
        }
        if let Some(machine) = machine.filter(|machine| !machine.is_one_number()) {
            if unit != Unit::Processors && !machine.is_one_cell_of_processors() {
                return Err(CleanError::UnitOfCells(unit.plural()));
            }
            if self.like.is_some() {
                return Err(CleanError::Like(
                    "what made jobs ask of cells is not known; leave the machine's cells and changes out".to_owned(),
                ));
            }
            workload.put_on(&machine, log)?;
        }
        if is_held {
            let before = workload.len();
            let (held, waiting) = workload.begin_at(&counted, self.filter.from);
            (workload.len()..before).for_each(|_| account.note(Reason::EndedBefore, 0));
            (0..held).for_each(|_| account.note(Reason::UnderWay, 0));
            (0..waiting).for_each(|_| account.note(Reason::WaitingAtBegin, 0));
            if workload.is_empty() {
                account = workload.account.followed_by(&account);
                return Err(CleanError::NothingLeft { records: log.records.len(), account });
            }
        }
        workload.set_counting(Counting::of(log, unit));
        workload.take_external(log);
        workload.take_ties(log);
        workload.take_power(log);
        if let Some(site) = of_study {
            workload.take_site(site, log, self.announced);
        }
        if self.unit.is_none() && unit == Unit::Nodes {
            // Nobody chose this unit, so it is noted.
            workload.requests().iter().for_each(|_| account.note(Reason::InNodes, 0));
        }
        workload.account = workload.account.followed_by(&account);
        if let Some(likeness) = &self.like {
            let counting = workload.counting().clone();
            workload = likeness.workload(&workload).map_err(|error| CleanError::Like(error.to_string()))?;
            workload.set_counting(counting);
        }
        if let Some(widest) = self.split {
            if workload.cells().is_some() {
                return Err(CleanError::Split(NoSplit::Cells));
            }
            workload = split(&workload, widest).map_err(CleanError::Split)?;
            if self.like.is_none() {
                workload.take_external(log);
            }
        }
        if self.users != 1.0 {
            workload = times_users(&workload, self.users).map_err(CleanError::Users)?;
        }
        if self.feedback.feedback != Feedback::Off {
            workload.react(self.feedback, log).map_err(CleanError::Feedback)?;
        }
        shrink(&mut workload, self.shrink)?;
        Ok(workload)
    }

    /// The site with the nodes that a what-if adds to its partitions or takes from them; `None` where it alters anything
    /// else, or where the machine is described.
    fn resized(&self, site: Option<&Site>) -> Result<Option<Site>, MachineError> {
        let is_in_processors = self.unit.is_none_or(|unit| unit == Unit::Processors);
        let (None, Some(site), Some(what_if), true) = (&self.machine, site, &self.what_if, is_in_processors) else {
            return Ok(None);
        };
        what_if::resized(site, what_if)
    }

    /// The described machine with its what-if. `None` where there is neither, or where the machine is the log's own and
    /// its size is not known.
    fn machine_of(&self, log: &Log, processors: Option<u32>) -> Result<Option<Machine>, CleanError> {
        if self.machine.is_none() && self.what_if.is_none() {
            return Ok(None);
        }
        self.machine_for(&DescribedFor::log(log, processors)).map_err(CleanError::Machine)
    }

    /// The described machine with its what-if, for a log. `None` where there is neither, or where the machine is the
    /// log's own and its size is not known.
    ///
    /// # Errors
    /// Where the description, the what-if and the log do not go together.
    #[inline(never)]
    pub fn machine_for(&self, log: &impl MachineOfLog) -> Result<Option<Machine>, MachineError> {
        if self.machine.is_none() && self.what_if.is_none() {
            return Ok(None);
        }
        let mut described = self.machine.as_deref().cloned().unwrap_or_default();
        match (described.cells.is_empty(), log.processors()) {
            (true, None) => return Ok(None),
            (true, Some(processors)) => {
                described.cells = MachineDescription::from(Machine::of_processors(processors)).cells;
            }
            (false, _) => {}
        }
        if let Some(what_if) = &self.what_if {
            described = what_if.of(described)?;
        }
        described.on(log).map(Some)
    }
}

impl Default for Treatment {
    fn default() -> Self {
        Treatment {
            filter: Filter::default(),
            cleaning: Cleaning::default(),
            unit: None,
            since: Since::default(),
            initial: None,
            processors: None,
            machine: None,
            what_if: None,
            site: Vec::new(),
            announced: None,
            like: None,
            split: None,
            users: 1.0,
            shrink: 1.0,
            feedback: FeedbackRule::default(),
        }
    }
}

impl Source {
    /// A text that identifies the source; storage is ordered by it.
    pub fn key(&self) -> String {
        match self {
            Source::Trace { fingerprint, .. } => fingerprint.to_string(),
            Source::Generated(generated) => format!("generated-{}", generated.key()),
        }
    }

    pub fn name(&self) -> String {
        match self {
            Source::Trace { name, .. } => name.clone(),
            Source::Generated(generated) => generated.name(),
        }
    }
}

impl Generated {
    fn key(&self) -> String {
        let Generated::Lublin { jobs, processors, seed } = self;
        format!("lublin-{jobs}-{processors}-{seed}")
    }

    pub fn name(&self) -> String {
        let Generated::Lublin { seed, .. } = self;
        format!("Lublin-Feitelson, seed {seed}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::like::Arrivals;
    use packfair_workload::{reading, write_swf};

    #[test]
    fn treats_in_its_order() {
        let log = Generated::Lublin { jobs: 200, processors: 64, seed: 1 }.generate();
        let middle = log.records[100].submit;
        let treatment = Treatment {
            filter: Filter { from: Some(middle), ..Filter::default() },
            processors: Some(32),
            shrink: 0.5,
            ..Treatment::default()
        };
        let workload = treatment.apply(&log).unwrap();
        let kept: Vec<_> = log.records.iter().filter(|job| job.submit >= middle && job.requested <= 32).collect();
        let (first, last) = (kept[0].submit, kept[kept.len() - 1].submit);
        assert_eq!(workload.len(), kept.len());
        let submits: Vec<_> = workload.requests().iter().map(|request| request.submit).collect();
        // The workload is shrunk after filtering, so from the first job that is left.
        assert_eq!(
            (submits[0], submits[kept.len() - 1]),
            (first, first + (last - first).div_euclid(2) + (last - first) % 2)
        );
        assert_eq!(workload.machine.processors, 32);
    }

    #[test]
    fn jobs_like_the_log_s_are_made_before_they_are_shrunk() {
        let log = Generated::Lublin { jobs: 200, processors: 64, seed: 1 }.generate();
        let like = Some(Likeness { jobs: 300, seed: 2, arrivals: Arrivals::default() });
        let of = |shrink| Treatment { like, shrink, ..Treatment::default() }.apply(&log).unwrap();
        let (made, shrunk) = (of(1.0), of(0.5));
        assert_eq!((made.len(), shrunk.len(), made.runs()), (300, 300, shrunk.runs()));
        let last = |workload: &Workload| workload.requests()[299].submit;
        assert_eq!(last(&shrunk), (last(&made) + 1) / 2);
        let mut file = Vec::new();
        write_swf(&mut file, &log, &made, None).unwrap();
        let read = reading::read("made", file.as_slice()).unwrap();
        let again = Treatment::default().apply(&read).unwrap();
        assert_eq!((again.requests(), again.runs()), (made.requests(), made.runs()), "and can be saved");
        let one = Treatment { filter: Filter { until: Some(1), ..Filter::default() }, like, ..Treatment::default() };
        assert!(matches!(one.apply(&log), Err(CleanError::Like(_) | CleanError::NothingLeft { .. })));
    }

    /// The processors of the machine, and how many jobs the workload holds.
    fn held(treatment: &Treatment, log: &Log) -> Result<(u32, usize), String> {
        let workload = treatment.apply(log).map_err(|error| error.to_string())?;
        Ok((workload.machine.processors, workload.len()))
    }

    #[test]
    fn a_machine_and_what_is_otherwise_on_it_travel_as_text_and_as_bytes() {
        let machine = r#"{"cells": [{"name": "a", "nodes": 8, "node": {"processors": 4}}],
            "changes": [{"from": "2001-02-03", "until": 5, "nodes": -1, "every": 7}]}"#;
        let treatment = Treatment {
            machine: Some(Box::new(serde_json::from_str(machine).unwrap())),
            what_if: Some("nodes=+2, memory=100".parse().unwrap()),
            ..Treatment::default()
        };
        let text = serde_json::to_string(&treatment).unwrap();
        assert_eq!(serde_json::from_str::<Treatment>(&text).unwrap(), treatment);
        let bytes = postcard::to_stdvec(&treatment).unwrap();
        assert_eq!(postcard::from_bytes::<Treatment>(&bytes).unwrap(), treatment);
        let usual = serde_json::to_string(&Treatment::default()).unwrap();
        assert!(!usual.contains("machine") && !usual.contains("what_if"), "{usual}");
    }

    #[test]
    fn what_is_otherwise_is_so_on_the_log_s_own_machine_too() {
        let line = |number: u32, processors: u32| {
            format!("{number} {number} 0 50 {processors} -1 -1 {processors} 60 -1 1 1 1 1 1 1 -1 -1\n")
        };
        let text = format!("; MaxProcs: 8\n{}{}{}", line(1, 4), line(2, 8), line(3, 10));
        let log = reading::read("log", text.as_bytes()).unwrap();
        let with = |what_if: &str| Treatment { what_if: Some(what_if.parse().unwrap()), ..Treatment::default() };
        assert_eq!(held(&Treatment::default(), &log), Ok((8, 2)));
        assert_eq!(held(&with("nodes=+2"), &log), Ok((10, 3)), "it holds the widest too");
        assert_eq!(held(&with("nodes=-2"), &log), Ok((6, 1)));
        let later = with("nodes=-4 from=100 until=200").apply(&log).unwrap();
        assert_eq!((later.len(), later.cells().map(|machine| machine.calendar().len())), (2, Some(1)));
        assert!(with("nodes=+2").apply(&log).unwrap().cells().is_none(), "it is a number of processors");
        let message = held(&with("nodes=-8"), &log).unwrap_err();
        assert_eq!(message, "cell \"machine\" has 8 nodes, and -8 of them leave none; take fewer");
        let weekly = r#"{"changes": [{"from": 0, "until": 10, "nodes": -1, "every": 1}]}"#;
        let machine = Some(Box::new(serde_json::from_str(weekly).unwrap()));
        let repeated = Treatment { machine, ..Treatment::default() }.apply(&log).unwrap();
        assert_eq!(repeated.cells().map(|machine| machine.calendar().len()), Some(1), "the log ends before the next");
    }

    #[test]
    fn passes_errors_on() {
        let log = Generated::Lublin { jobs: 10, processors: 4, seed: 1 }.generate();
        let apply = |treatment: Treatment| treatment.apply(&log).map(|workload| workload.len());
        assert_eq!(apply(Treatment { processors: Some(0), ..Treatment::default() }), Err(CleanError::NoProcessors));
        let treatment = Treatment { shrink: f64::NAN, ..Treatment::default() };
        assert_eq!(apply(treatment), Err(CleanError::Shrink("NaN".to_owned())));
    }
}
