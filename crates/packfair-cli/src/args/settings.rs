//! Options that set the settings of a study, made from the catalogue of settings.

use crate::asked::partitions;
use crate::{Failure, load, say};
use clap::{Arg, ArgAction, ArgMatches, Args, Command, FromArgMatches};
use packfair_engine::metric::Metric;
use packfair_schedulers::Policy;
use packfair_slurm::{Finding, Site, SiteFile, Version, read_site};
use packfair_study::limits::LARGEST_DESCRIPTION;
use packfair_study::settings::{Commands, Kind, LogFacts, Misread, Setting};
use packfair_study::what_if::{QUESTIONS, Question, WorkloadSpan};
use packfair_study::{Source, Study, Treatment};
use packfair_workload::{Clock, Log};
use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;
use std::path::PathBuf;
use std::sync::Arc;

/// The command to which options belong.
pub(crate) trait Taker {
    /// The commands, in the terms of the catalogue, whose settings are options here.
    const TAKES: &'static [Commands];
}

/// `packfair run`.
#[derive(Debug)]
pub(crate) struct OfRun;

/// `packfair explore`.
#[derive(Debug)]
pub(crate) struct OfSearch;

/// `packfair summary`.
#[derive(Debug)]
pub(crate) struct OfLog;

/// `packfair generate like`.
#[derive(Debug)]
pub(crate) struct OfLikeness;

impl Taker for OfRun {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::OfRuns, Commands::Run];
}

impl Taker for OfSearch {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::OfRuns];
}

impl Taker for OfLog {
    const TAKES: &'static [Commands] = &[Commands::OfLogs];
}

impl Taker for OfLikeness {
    const TAKES: &'static [Commands] = &[Commands::OfLogs, Commands::Like];
}

/// The settings that are given to a command; all others stay as they are.
pub(crate) struct SettingArguments<T> {
    /// The settings with their values, in the order of the catalogue.
    given: Vec<(&'static Setting, String)>,
    taker: PhantomData<T>,
}

impl<T: Taker> SettingArguments<T> {
    fn offered() -> impl Iterator<Item = &'static Setting> {
        Setting::all().filter(|setting| T::TAKES.contains(&setting.option.of))
    }

    /// Applies the given settings to a study of `log`.
    ///
    /// # Errors
    /// A value is not valid for its setting, or names something that the log does not contain.
    pub(crate) fn set(&self, study: &mut Study, log: &Log) -> Result<(), Failure> {
        let submits = || log.records.iter().map(|record| record.submit);
        let clock = Clock::of(&log.header, submits().min().unwrap_or(0), submits().max().unwrap_or(0));
        let (header, partitions) = (log.named_header(), partitions(log));
        let facts =
            LogFacts { header: Some(&header), clock: Some(&clock), partitions: &partitions, ..LogFacts::default() };
        for (setting, text) in &self.given {
            setting.take(study, text, &facts).map_err(|why| {
                let wrong = match &why {
                    Misread::NoSuch { word, .. } => word,
                    _ => text,
                };
                Failure::Input(format!("--{} {wrong}: {why}", setting.option.name))
            })?;
        }
        match study.treatment.unit {
            Some(unit) if !unit.is_known(log) => {
                Err(Failure::Input(format!("--unit={unit}: the log does not say how many {unit} a job took")))
            }
            _ => Ok(()),
        }
    }

    /// The treatment of `log` that the settings give.
    ///
    /// # Errors
    /// Like [`SettingArguments::set`].
    pub(crate) fn treatment(&self, log: &Log) -> Result<Treatment, Failure> {
        let source = Source::Trace { name: log.name.clone(), fingerprint: log.fingerprint };
        let mut study = Study::on(source);
        self.set(&mut study, log)?;
        Ok(study.treatment)
    }

    /// Applies only the loads and what-ifs, which do not depend on the log: they determine the runs of the study.
    pub(crate) fn set_numbers(&self, study: &mut Study) {
        for (setting, text) in &self.given {
            if let Kind::Reals { .. } | Kind::WhatIfs { .. } = setting.kind {
                // each value was checked when it was parsed
                let _ = setting.take(study, text, &LogFacts::default());
            }
        }
    }

    /// The metrics whose parameters are given.
    pub(crate) fn metrics(&self) -> impl Iterator<Item = Metric> {
        self.given.iter().filter_map(|(setting, _)| setting.metric)
    }

    /// Checks that the columns, if given, include every metric whose parameter is given: otherwise it would have no
    /// effect.
    ///
    /// # Errors
    /// Names a metric that is missing.
    pub(crate) fn check(&self, columns: &[Metric]) -> Result<(), Failure> {
        for (setting, value) in &self.given {
            if let Some(metric) = setting.metric
                && !columns.is_empty()
                && !columns.contains(&metric)
            {
                let option = setting.option.name;
                let message =
                    format!("--{option}={value} is for {metric}, which --columns does not name; add it there");
                return Err(Failure::Input(message));
            }
        }
        Ok(())
    }
}

impl<T> fmt::Debug for SettingArguments<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.given.iter().map(|(setting, text)| (setting.id, text))).finish()
    }
}

impl<T: Taker> FromArgMatches for SettingArguments<T> {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let given = |setting: &'static Setting| {
            let name = setting.option.name;
            let text = match setting.kind {
                Kind::Switch { .. } => matches.get_flag(name).then(|| "on".to_owned()),
                Kind::WhatIfs { .. } => joined(matches, name, ";"),
                _ => joined(matches, name, ","),
            };
            text.map(|text| (setting, text))
        };
        Ok(SettingArguments { given: Self::offered().filter_map(given).collect(), taker: PhantomData })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

/// All values of an option, joined by `by`.
fn joined(matches: &ArgMatches, name: &str, by: &str) -> Option<String> {
    matches.get_many::<String>(name).map(|words| words.cloned().collect::<Vec<_>>().join(by))
}

impl<T: Taker> Args for SettingArguments<T> {
    fn augment_args(command: Command) -> Command {
        command.args(Self::offered().map(argument))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Self::augment_args(command)
    }
}

/// The command-line option of a setting.
fn argument(setting: &'static Setting) -> Arg {
    let option = &setting.option;
    let argument = Arg::new(option.name).long(option.name).help(option.help).required(option.is_required);
    let argument = match option.requires {
        Some(other) => argument.requires(other),
        None => argument,
    };
    if let Kind::Switch { .. } = setting.kind {
        return argument.action(ArgAction::SetTrue);
    }
    let read = |text: &str| setting.could_be(text).map(|()| text.to_owned());
    let argument = argument.value_name(option.value).value_parser(read);
    match setting.kind {
        Kind::Members { .. } => argument.action(ArgAction::Append).value_delimiter(',').allow_negative_numbers(true),
        Kind::WhatIfs { .. } | Kind::Weights { .. } => argument.action(ArgAction::Append),
        Kind::Reals { .. } => argument.action(ArgAction::Append).value_delimiter(','),
        Kind::Moment { .. } => argument.allow_negative_numbers(true),
        _ => argument,
    }
}

// Files of a Slurm site.

/// Files of the site that a log is of.
#[derive(Debug, Default, Args)]
pub(crate) struct SiteArguments {
    /// Files of the Slurm site that the log is from, for the scheduler slurm, in any order: slurm.conf, or the output
    /// of scontrol show config, show partition and show node; topology.conf; that of sacctmgr -P show assoc, show qos
    /// and show event, a script or dump of sacctmgr, that of scontrol show reservations; of nodes, partitions, reservations,
    /// assoc and qos also that with --json. Lines that are not understood are reported
    #[arg(long, value_name = "FILE", num_args = 1..)]
    slurm: Vec<PathBuf>,
}

/// Questions about it.
#[derive(Debug, Default, Args)]
pub(crate) struct QuestionArguments {
    /// Ask what a change of the site would do, by the ids of the questions (packfair list), or all: each is a row
    /// beside Slurm as configured. Below the table stand the answers and the lines to change. Other changes are
    /// settings of the scheduler: -s slurm slurm:bf_max_job_test=1000,PriorityWeightAge=4000
    #[arg(long, value_name = "ID", num_args = 1.., value_parser = questions)]
    what_if: Vec<&'static [Question]>,
}

/// The question with this id, or all questions.
fn questions(id: &str) -> Result<&'static [Question], String> {
    if id == "all" {
        return Ok(QUESTIONS);
    }
    let found = QUESTIONS.iter().position(|question| question.id == id).map(|at| &QUESTIONS[at..=at]);
    let known = || QUESTIONS.iter().map(|question| question.id).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| format!("there is no such question; ask one of these: all, {}", known()))
}

/// What `packfair lint` reads.
#[derive(Debug, Args)]
pub(crate) struct LintArguments {
    /// Files of a Slurm site, in any order: slurm.conf, or the output of scontrol show config, show partition and show
    /// node; topology.conf; that of sacctmgr -P show assoc, show qos and show event, a script or dump of sacctmgr, that of
    /// scontrol show reservations; of nodes, partitions, reservations, assoc and qos also that with --json
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,
    /// A log of the site, as sacct prints it: tell what its jobs ask for that the site's files do not have, or that they
    /// do not allow
    #[arg(long, value_name = "LOG")]
    pub(crate) log: Option<PathBuf>,
}

/// The number of findings of one kind that are shown when a run begins; `packfair lint` shows all.
const TOLD: usize = 5;

impl SiteArguments {
    /// Whether any are given.
    pub(crate) fn is_given(&self) -> bool {
        !self.slurm.is_empty()
    }

    /// Reads the files and puts the site beside its log.
    ///
    /// # Errors
    /// A file cannot be read at all.
    pub(crate) fn read(&self, log: &mut Log) -> Result<(), Failure> {
        if self.slurm.is_empty() {
            return Ok(());
        }
        let site = site(&self.slurm)?;
        tell(&site.findings);
        log.site = Some(Arc::new(site));
        Ok(())
    }
}

impl QuestionArguments {
    /// Adds the rows of the questions to a study, beside Slurm as configured.
    ///
    /// # Errors
    /// The log has no jobs.
    pub(crate) fn ask(&self, study: &mut Study, log: &Log) -> Result<(), Failure> {
        if self.what_if.is_empty() {
            return Ok(());
        }
        let workload = study.treatment.apply(log).map_err(Failure::input)?;
        let span = WorkloadSpan::of(&workload);
        let is_base = |policy: &&Policy| policy.goes_by_site() && policy.as_configured().is_none();
        let base = match study.schedulers.iter().find(is_base) {
            Some(base) => base.clone(),
            None => {
                // the catalogue contains this family
                let base: Policy = "slurm".parse().map_err(Failure::input)?;
                study.schedulers.push(base.clone());
                base
            }
        };
        base.check_at(&workload).map_err(Failure::input)?;
        let plain = || Cow::Owned(Site::plain(workload.machine.processors, Version::default()));
        let site = &*workload.site().map_or_else(plain, |site| Cow::Borrowed(&site.site));
        for question in self.what_if.iter().flat_map(|questions| questions.iter()) {
            match question.to_policy(&base, site, span) {
                Some(row) if !study.schedulers.contains(&row) => study.schedulers.push(row),
                Some(_) => {}
                None => say(&format!(
                    "packfair: {} ({}) is left out: the site is configured so already, or has nothing to change",
                    question.name, question.id
                )),
            }
        }
        Ok(())
    }
}

/// The site that these files describe.
///
/// # Errors
/// A file cannot be read at all.
pub(crate) fn site(paths: &[PathBuf]) -> Result<Site, Failure> {
    let mut read = Vec::with_capacity(paths.len());
    for path in paths {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned();
        read.push((name, load::bytes(path, LARGEST_DESCRIPTION)?));
    }
    let files: Vec<SiteFile<'_>> = read.iter().map(|(name, content)| SiteFile { name, content }).collect();
    Ok(read_site(&files, Version::default()))
}

fn tell(findings: &[Finding]) {
    let mut sorted: Vec<&Finding> = findings.iter().collect();
    sorted.sort_by_key(|finding| finding.kind);
    for kind in sorted.chunk_by(|a, b| a.kind == b.kind) {
        kind.iter().take(TOLD).for_each(|finding| say(&format!("packfair: {finding}")));
        if kind.len() > TOLD {
            let words =
                format!("packfair: {}: {} more; packfair lint lists them all", kind[0].kind.name(), kind.len() - TOLD);
            say(&words);
        }
    }
}
