//! The words of SchedulerParameters: names and defaults of those that are modelled, and which words Slurm does not
//! know.

use super::lines::{FindingKind, FindingLog};
use super::unmodelled::{OF_SLURMCTLD, UNMODELLED};
use serde::{Deserialize, Serialize};

/// A version of Slurm. Only versions between which decisions differ are told apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum Version {
    /// 22.05, and versions up to 24.05.
    #[default]
    V2205,
    /// 26.05.
    V2605,
}

impl Version {
    /// All versions, the oldest first.
    pub const ALL: [Version; 2] = [Version::V2205, Version::V2605];

    /// The version as Slurm writes it.
    pub fn name(self) -> &'static str {
        match self {
            Version::V2205 => "22.05",
            Version::V2605 => "26.05",
        }
    }

    /// Whether the end of a slot in backfill's table is rounded up to bf_resolution, as since 24.11, and not down.
    pub fn rounds_slots_up(self) -> bool {
        self >= Version::V2605
    }

    /// Whether backfill also counts the running tasks of an array against the most that may run at once, as since
    /// 23.02.
    pub fn counts_running_tasks(self) -> bool {
        self >= Version::V2605
    }

    /// Whether a job is expected to start when the last job ends that has one of its nodes, as since 25.05, and not the
    /// last of the jobs that were given back.
    pub fn waits_for_own_nodes(self) -> bool {
        self >= Version::V2605
    }

    /// Whether switches are compared by the processors that are left there too, as since 23.02, and by what is left below
    /// those above them, as since 24.11, and not by the nodes that were there alone.
    pub fn counts_what_is_left_at_switches(self) -> bool {
        self >= Version::V2605
    }
}

/// A word of SchedulerParameters that is modelled.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SlurmParameter {
    AssocLimitStop,
    BatchSchedDelay,
    BfContinue,
    BfInterval,
    BfJobPartCountReserve,
    BfLicenses,
    BfMaxJobArrayResv,
    BfMaxJobAssoc,
    BfMaxJobPart,
    BfMaxJobStart,
    BfMaxJobTest,
    BfMaxJobUser,
    BfMaxJobUserPart,
    BfMaxTime,
    BfMinAgeReserve,
    BfMinPrioReserve,
    BfHetjobImmediate,
    BfOneResvPerJob,
    BfResolution,
    BfWindow,
    BfWindowLinear,
    BfYieldInterval,
    BfYieldSleep,
    DefaultQueueDepth,
    Defer,
    MaxSwitchWait,
    PackSerialAtEnd,
    PartitionJobDepth,
    ReduceCompletingFrag,
    SchedInterval,
    SchedMaxJobStart,
    SchedMinInterval,
}

/// A word: its name, its default and its largest value. If that is 1 the word has no value: it is there or not.
struct ParameterWord {
    parameter: SlurmParameter,
    name: &'static str,
    default: i64,
    most: i64,
}

/// The prefix that marks a word which a change removes. No word of Slurm begins with it.
const ABSENT: &str = "!";

/// The name that bf_max_job_test had.
const OLD_JOB_TEST: &str = "max_job_bf";

/// A month in minutes, the largest value of bf_window.
const MOST_WINDOW: i64 = 30 * 24 * 60;

/// The default of bf_yield_interval, microseconds.
pub const DEFAULT_YIELD_INTERVAL: i64 = 2_000_000;

const fn word(parameter: SlurmParameter, name: &'static str, default: i64, most: i64) -> ParameterWord {
    ParameterWord { parameter, name, default, most }
}

/// All words that are modelled, in the order of [`SlurmParameter`]. 22.05 and 26.05 have the same defaults for them.
const WORDS: &[ParameterWord] = &[
    word(SlurmParameter::AssocLimitStop, "assoc_limit_stop", 0, 1),
    word(SlurmParameter::BatchSchedDelay, "batch_sched_delay", 3, 86_400),
    word(SlurmParameter::BfContinue, "bf_continue", 0, 1),
    word(SlurmParameter::BfInterval, "bf_interval", 30, 10_800),
    word(SlurmParameter::BfJobPartCountReserve, "bf_job_part_count_reserve", 0, 100_000),
    word(SlurmParameter::BfLicenses, "bf_licenses", 0, 1),
    word(SlurmParameter::BfMaxJobArrayResv, "bf_max_job_array_resv", 20, 1000),
    word(SlurmParameter::BfMaxJobAssoc, "bf_max_job_assoc", 0, 1_000_000),
    word(SlurmParameter::BfMaxJobPart, "bf_max_job_part", 0, 1_000_000),
    word(SlurmParameter::BfMaxJobStart, "bf_max_job_start", 0, 10_000),
    word(SlurmParameter::BfMaxJobTest, "bf_max_job_test", 500, 1_000_000),
    word(SlurmParameter::BfMaxJobUser, "bf_max_job_user", 0, 1_000_000),
    word(SlurmParameter::BfMaxJobUserPart, "bf_max_job_user_part", 0, 1_000_000),
    // 0 stands for bf_interval
    word(SlurmParameter::BfMaxTime, "bf_max_time", 0, 3600),
    word(SlurmParameter::BfMinAgeReserve, "bf_min_age_reserve", 0, 2_592_000),
    word(SlurmParameter::BfMinPrioReserve, "bf_min_prio_reserve", 0, 4_294_967_295),
    word(SlurmParameter::BfHetjobImmediate, "bf_hetjob_immediate", 0, 1),
    word(SlurmParameter::BfOneResvPerJob, "bf_one_resv_per_job", 0, 1),
    word(SlurmParameter::BfResolution, "bf_resolution", 60, 3600),
    word(SlurmParameter::BfWindow, "bf_window", 1440, MOST_WINDOW),
    word(SlurmParameter::BfWindowLinear, "bf_window_linear", 0, MOST_WINDOW * 60),
    word(SlurmParameter::BfYieldInterval, "bf_yield_interval", DEFAULT_YIELD_INTERVAL, 10_000_000),
    word(SlurmParameter::BfYieldSleep, "bf_yield_sleep", 500_000, 10_000_000),
    word(SlurmParameter::DefaultQueueDepth, "default_queue_depth", 100, 1_000_000),
    word(SlurmParameter::Defer, "defer", 0, 1),
    word(SlurmParameter::MaxSwitchWait, "max_switch_wait", 300, 31_536_000),
    word(SlurmParameter::PackSerialAtEnd, "pack_serial_at_end", 0, 1),
    word(SlurmParameter::PartitionJobDepth, "partition_job_depth", 0, 1_000_000),
    word(SlurmParameter::ReduceCompletingFrag, "reduce_completing_frag", 0, 1),
    word(SlurmParameter::SchedInterval, "sched_interval", 60, 86_400),
    word(SlurmParameter::SchedMaxJobStart, "sched_max_job_start", 0, 10_000),
    word(SlurmParameter::SchedMinInterval, "sched_min_interval", 2, 10_000_000),
];

// the number of a parameter is the place of its word
const _: () = {
    let mut at = 0;
    while at < WORDS.len() {
        assert!(WORDS[at].parameter as usize == at);
        at += 1;
    }
};

/// The value of SchedulerParameters: a number for each word that is modelled.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Parameters {
    values: Vec<i64>,
}

impl Default for Parameters {
    fn default() -> Self {
        Parameters { values: WORDS.iter().map(|word| word.default).collect() }
    }
}

impl Parameters {
    /// The value of a word, in its unit.
    pub fn get(&self, parameter: SlurmParameter) -> i64 {
        self.values.get(parameter as usize).copied().unwrap_or(0)
    }

    /// Whether a word that takes no value is there.
    pub fn has(&self, parameter: SlurmParameter) -> bool {
        self.get(parameter) != 0
    }

    /// Sets a word.
    pub fn set(&mut self, parameter: SlurmParameter, value: i64) {
        let at = parameter as usize;
        self.values[at] = value.clamp(0, WORDS[at].most);
    }

    /// The words that differ from their defaults, written as in SchedulerParameters.
    pub fn text(&self) -> String {
        let changed = WORDS.iter().zip(&self.values).filter(|(word, value)| word.default != **value);
        let text = |(word, value): (&ParameterWord, &i64)| match word.most {
            1 => word.name.to_owned(),
            _ => format!("{}={value}", word.name),
        };
        changed.map(text).collect::<Vec<_>>().join(",")
    }

    /// All words that are modelled, with their values: yes or no for those that are there or not.
    pub(super) fn all(&self) -> Vec<(&'static str, String)> {
        let value = |(word, &value): (&ParameterWord, &i64)| match word.most {
            1 => (word.name, if value == 0 { "no" } else { "yes" }.to_owned()),
            _ => (word.name, value.to_string()),
        };
        WORDS.iter().zip(&self.values).map(value).collect()
    }

    pub(super) fn read(text: &str, line: u32, findings: &mut FindingLog<'_>) -> Self {
        let mut parameters = Parameters::default();
        parameters.take(text, line, findings);
        parameters
    }

    /// The spelling of a word that is modelled, as Slurm has it; none if it is not modelled.
    pub(super) fn spelled(name: &str) -> Option<&'static str> {
        WORDS.iter().find(|word| word.name.eq_ignore_ascii_case(name)).map(|word| word.name)
    }

    /// A word with a value, written as in `slurm.conf`. A word that takes no value is set by yes and removed by no, and
    /// the removal is written `!NAME`.
    ///
    /// # Errors
    /// If the word takes yes or no, and the value is neither.
    pub(super) fn changed(name: &str, value: &str) -> Result<String, String> {
        let is_flag = WORDS.iter().any(|word| word.name == name && word.most == 1);
        match (is_flag, value.to_ascii_lowercase().as_str()) {
            (false, _) => Ok(format!("{name}={value}")),
            (true, "yes" | "1" | "on") => Ok(name.to_owned()),
            (true, "no" | "0" | "off") => Ok(format!("{ABSENT}{name}")),
            (true, _) => Err(format!("{name}={value:.40}: it takes yes or no")),
        }
    }

    /// Applies further words. A word that is named again takes the new value.
    pub(super) fn take(&mut self, text: &str, line: u32, findings: &mut FindingLog<'_>) {
        let parameters = self;
        // it looks for each word anywhere in the text
        let words = text.split([',', ';']).map(|word| word.trim().trim_start_matches(['=', '"', '\'']));
        for text in words.filter(|text| !text.is_empty()) {
            let (name, value) = text.split_once('=').map_or((text, None), |(name, value)| (name, Some(value.trim())));
            if let Some(at) = name.strip_prefix(ABSENT).and_then(|name| WORDS.iter().position(|word| word.name == name))
            {
                parameters.values[at] = 0;
                continue;
            }
            let name = if name.eq_ignore_ascii_case(OLD_JOB_TEST) {
                let words = format!(
                    "SchedulerParameters {OLD_JOB_TEST}: bf_max_job_test since 14.03; Slurm does not start with it any more"
                );
                findings.note(FindingKind::Wrong, line, words);
                "bf_max_job_test"
            } else {
                name
            };
            let Some(at) = WORDS.iter().position(|word| word.name.eq_ignore_ascii_case(name.trim())) else {
                if UNMODELLED.iter().any(|word| word.eq_ignore_ascii_case(name.trim())) {
                    let words = format!("SchedulerParameters {name}: without effect on what is simulated");
                    findings.note(FindingKind::NotModelled, line, words);
                } else {
                    findings.note(FindingKind::Ignored, line, unknown(name));
                }
                continue;
            };
            let word = &WORDS[at];
            if word.most == 1 {
                parameters.values[at] = 1;
                if at == SlurmParameter::BfHetjobImmediate as usize {
                    let words = "SchedulerParameters bf_hetjob_immediate: that it orders heterogeneous jobs by the lowest \
                                 priority of their parts (bf_hetjob_prio=min) is not simulated";
                    findings.note(FindingKind::NotModelled, line, words.to_owned());
                }
                continue;
            }
            // it looks for the name with its sign
            if value.is_some() && name.ends_with(char::is_whitespace) {
                let words = format!("SchedulerParameters {text:.80}: Slurm reads over it, for the blank before its =");
                findings.note(FindingKind::Ignored, line, words);
                continue;
            }
            // as in Slurm, a number ends where its digits do
            let digits =
                value.map_or(0, |value| value.len() - value.trim_start_matches(|c: char| c.is_ascii_digit()).len());
            match value.and_then(|value| Some((value[..digits].parse::<i64>().ok()?, &value[digits..]))) {
                Some((number, rest)) if (0..=word.most).contains(&number) => {
                    parameters.values[at] = number;
                    if !rest.is_empty() {
                        let words =
                            format!("SchedulerParameters {text:.80}: it takes a whole number; Slurm reads {number}");
                        findings.wrong(line, words);
                    }
                }
                _ => findings.wrong(
                    line,
                    format!(
                        "SchedulerParameters {text}: it takes a whole number from 0 to {}; Slurm goes on with {}",
                        word.most, word.default
                    ),
                ),
            }
        }
    }

    /// The message for a word that Slurm does not know.
    pub(super) fn unknown(name: &str) -> String {
        unknown(name)
    }
}

/// The message for a word that Slurm does not know, with a similar word if there is one.
fn unknown(name: &str) -> String {
    let like = WORDS.iter().map(|word| word.name).chain(UNMODELLED.iter().copied());
    let distance = |other: &str| {
        let own: Vec<char> = name.to_ascii_lowercase().chars().collect();
        let mut row: Vec<usize> = (0..=own.len()).collect();
        for (i, c) in other.to_ascii_lowercase().chars().enumerate() {
            let mut diagonal = std::mem::replace(&mut row[0], i + 1);
            for j in 0..own.len() {
                let replaced = diagonal + usize::from(own[j] != c);
                diagonal = row[j + 1];
                row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
            }
        }
        row[own.len()]
    };
    // names are short, but a file may contain anything
    let nearest = like.filter(|_| name.len() < 100).map(|other| (distance(other), other)).min();
    let hint = match OF_SLURMCTLD.contains(&name) {
        true => Some("; it is one of SlurmctldParameters".to_owned()),
        false => nearest.filter(|(distance, _)| *distance <= 3).map(|(_, other)| format!("; {other} is meant?")),
    };
    format!("SchedulerParameters {name:.80}: Slurm knows no such word and reads over it{}", hint.unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_word_with_a_blank_before_its_sign_is_read_over() {
        let mut findings = FindingLog::of("slurm.conf");
        let parameters = Parameters::read("bf_interval =120, bf_window= 2880,bf_continue", 7, &mut findings);
        assert_eq!(parameters.get(SlurmParameter::BfInterval), 30);
        assert_eq!(parameters.get(SlurmParameter::BfWindow), 2_880, "behind the sign it may stand");
        let said: Vec<&str> = findings.all.iter().map(|finding| finding.words.as_str()).collect();
        assert!(said.len() == 1 && said[0].contains("blank before"), "{said:?}");
    }

    #[test]
    fn words_are_found_wherever_they_stand_and_numbers_end_with_their_digits() {
        let mut findings = FindingLog::of("slurm.conf");
        let text = "=bf_max_job_user=20,max_job_bf=1200,max_switch_wait=24:00:00;bf_continue";
        let parameters = Parameters::read(text, 7, &mut findings);
        let of = |parameter| parameters.get(parameter);
        assert_eq!((of(SlurmParameter::BfMaxJobUser), of(SlurmParameter::BfMaxJobTest)), (20, 1200));
        assert_eq!((of(SlurmParameter::MaxSwitchWait), of(SlurmParameter::BfContinue)), (24, 1));
        let said: Vec<&str> = findings.all.iter().map(|finding| finding.words.as_str()).collect();
        assert!(said.len() == 2 && said[1].ends_with("Slurm reads 24"), "{said:?}");
    }

    #[test]
    fn words_of_another_key_are_told_from_others() {
        let mut findings = FindingLog::of("slurm.conf");
        Parameters::read("rl_enable,rl_bucket_size=30", 7, &mut findings);
        assert!(
            findings.all.iter().all(|told| told.words.ends_with("it is one of SlurmctldParameters")),
            "{findings:?}"
        );
    }

    #[test]
    fn words_have_defaults_and_values() {
        let mut findings = FindingLog::of("slurm.conf");
        let text = "bf_interval=120,bf_continue,bf_window=4320,max_prc_cnt=150,max_script_size=1,bf_max_job_test=lots";
        let parameters = Parameters::read(text, 7, &mut findings);
        assert_eq!(parameters.get(SlurmParameter::BfInterval), 120);
        assert!(parameters.has(SlurmParameter::BfContinue) && !parameters.has(SlurmParameter::Defer));
        assert_eq!(parameters.get(SlurmParameter::BfMaxJobTest), 500);
        assert_eq!(parameters.text(), "bf_continue,bf_interval=120,bf_window=4320");
        let told: Vec<_> = findings.all.iter().map(|finding| (finding.kind, finding.line)).collect();
        assert_eq!(told, [(FindingKind::Ignored, 7), (FindingKind::NotModelled, 7), (FindingKind::Wrong, 7)]);
        assert!(findings.all[0].words.contains("max_rpc_cnt is meant?"), "{}", findings.all[0].words);
    }

    #[test]
    fn what_a_word_sets_besides_and_is_not_modelled_is_told() {
        let mut findings = FindingLog::of("slurm.conf");
        assert!(Parameters::read("bf_hetjob_immediate", 3, &mut findings).has(SlurmParameter::BfHetjobImmediate));
        let told: Vec<_> = findings.all.iter().map(|finding| (finding.kind, finding.line)).collect();
        assert_eq!(told, [(FindingKind::NotModelled, 3)]);
    }

    #[test]
    fn each_word_is_there_once() {
        let mut names: Vec<&str> = WORDS.iter().map(|word| word.name).chain(UNMODELLED.iter().copied()).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count);
        for word in WORDS {
            assert_eq!(Parameters::default().get(word.parameter), word.default, "{}", word.name);
        }
    }
}
