//! A trial of a script on the first jobs of a workload, beside EASY: what a person sees while typing.

use super::workloads::LogPart;
use super::{CannotRun, Ended, Rules, Run, Running, Source, Study};
use packfair_engine::metric::{Evaluation, Measure, Metric};
use packfair_engine::model::Printed;
use packfair_workload::Workload;
use serde::{Deserialize, Serialize};

/// How many jobs a script is tried on while it is being written.
pub const TRIED_JOBS: usize = 2_000;

pub const TRIED_METRICS: [Metric; 5] = [Metric::Bsld, Metric::Aq, Metric::MaxWait, Metric::Awf, Metric::Utilisation];

/// What came of trying a script.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ScriptTrial {
    pub jobs: usize,
    /// How many jobs the whole workload has.
    pub of: usize,
    /// What was measured, or why nothing was.
    pub outcome: Result<Vec<TriedMetric>, TrialFault>,
    pub printed: Printed,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TriedMetric {
    pub metric: Metric,
    /// The value under the script; `None` where it is not defined.
    pub own: Option<f64>,
    /// The value under EASY with the same estimates.
    pub easy: Option<f64>,
}

/// Why a trial has no values.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TrialFault {
    /// The line of the script, counted from 1, where a line is at fault.
    pub line: Option<u32>,
    /// The fault, as a sentence.
    pub message: String,
}

impl From<CannotRun> for TrialFault {
    fn from(why: CannotRun) -> Self {
        let line = match &why {
            CannotRun::Mistaken(failure) => failure.line,
            _ => None,
        };
        TrialFault { line, message: why.to_string() }
    }
}

/// The first `jobs` jobs of a workload, or all where it has no more.
pub fn first_jobs(workload: &Workload, jobs: usize) -> Workload {
    let share = if workload.len() > jobs { jobs as f64 / workload.len() as f64 } else { 1.0 };
    LogPart::First(share).of(workload)
}

/// A trial under way.
pub struct RunningTrial<'a> {
    workload: &'a Workload,
    /// How many jobs the whole workload has.
    of: usize,
    /// The runs still to begin, the next one last: the script, then EASY with the same estimates.
    runs: Vec<Run>,
    rules: Rules,
    measure: Measure,
    running: Option<Running<'a>>,
    printed: Printed,
    values: Vec<Vec<Option<f64>>>,
}

impl<'a> RunningTrial<'a> {
    pub fn begin(run: &Run, workload: &'a Workload, of: usize, rules: Rules, measure: Measure) -> Self {
        // This preset is in the catalogue; a test reads it.
        let easy = "easy".parse().map(|easy| Run { scheduler: easy, ..run.clone() });
        let runs = [run.clone()].into_iter().chain(easy).rev().collect();
        RunningTrial {
            workload,
            of,
            runs,
            rules,
            measure,
            running: None,
            printed: Printed::default(),
            values: Vec::new(),
        }
    }

    /// Goes on by up to `instants` instants; gives the trial once it has ended.
    pub fn advance(&mut self, instants: usize) -> Option<ScriptTrial> {
        match self.step(instants) {
            Ok(false) => None,
            Ok(true) => {
                let value = |of: usize, place: usize| {
                    self.values.get(of).and_then(|values| values.get(place).copied().flatten())
                };
                let tried = |(place, metric): (usize, &Metric)| TriedMetric {
                    metric: *metric,
                    own: value(0, place),
                    easy: value(1, place),
                };
                Some(self.trial(Ok(TRIED_METRICS.iter().enumerate().map(tried).collect())))
            }
            Err(why) => Some(self.trial(Err(why.into()))),
        }
    }

    /// Advances the current run; true once both runs have ended.
    fn step(&mut self, instants: usize) -> Result<bool, CannotRun> {
        let running = match &mut self.running {
            Some(running) => running,
            None => {
                let Some(run) = self.runs.pop() else { return Ok(true) };
                self.running.insert(Running::begin(&run, self.workload, self.rules)?)
            }
        };
        let is_done = running.advance(instants).is_done();
        if is_done && self.values.is_empty() {
            self.printed = running.printed();
        }
        if is_done && let Some(running) = self.running.take() {
            let Ended { workload, schedule } = running.ended()?;
            let evaluation = Evaluation::new(&workload, &schedule, &self.measure);
            self.values.push(TRIED_METRICS.iter().map(|&metric| evaluation.value(metric)).collect());
        }
        Ok(self.runs.is_empty() && self.running.is_none())
    }

    fn trial(&self, outcome: Result<Vec<TriedMetric>, TrialFault>) -> ScriptTrial {
        ScriptTrial { jobs: self.workload.len(), of: self.of, outcome, printed: self.printed.clone() }
    }
}

// Terminal commands, for runs that take too long in a browser tab.

/// The command that runs a study, saved as `study.json`, in a terminal.
pub fn command_of(study: &Study) -> String {
    format!("packfair study study.json{} --into results", log_argument(&study.source))
}

/// The log of a study as an argument, with a space before it; empty for a generated log.
pub fn log_argument(source: &Source) -> String {
    match source {
        Source::Trace { name, .. } => format!(" {}", file_argument(name)),
        Source::Generated(_) => String::new(),
    }
}

/// A file's name, quoted for a shell where necessary.
pub fn file_argument(name: &str) -> String {
    if is_plain(name) && !name.starts_with('-') { name.to_owned() } else { quoted(&format!("./{name}")) }
}

/// A word, quoted for a shell where necessary.
pub fn quoted(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn is_plain(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.,:=+".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_they_are() {
        let file = |name: &str| {
            log_argument(&Source::Trace { name: name.into(), fingerprint: packfair_workload::Fingerprint(1) })
        };
        assert_eq!(file("KTH-SP2.swf.gz"), " KTH-SP2.swf.gz");
        assert_eq!(file("my log's.swf"), r" './my log'\''s.swf'");
        assert_eq!(file("-rf"), " './-rf'");
        assert_eq!([quoted("max_wait<=2d"), quoted("easy,list")], ["'max_wait<=2d'", "easy,list"]);
    }
}
