//! What is in a field of a table: nothing known, a count, a time, a duration.

use super::super::numbers::{is_no_limit, is_unknown};
use super::super::sacct::request;
use super::super::sacct::request::State;
use super::super::time::{digits, duration, id_number, moment};
use super::super::tres::{Resources, count};
use super::mapping::{LogColumn, ValueForm};
use crate::Seconds;
use packfair_base::numbers::seconds_in_units;

pub(super) fn whole(field: &[u8]) -> &[u8] {
    match field.iter().position(|&byte| byte == b'.') {
        Some(at) if field[at + 1..].iter().all(u8::is_ascii_digit) => &field[..at],
        _ => field,
    }
}

/// The time that a field says, Unix seconds or seconds since the log's own zero. Thirteen digits are milliseconds, sixteen
/// microseconds, nineteen nanoseconds.
pub(super) fn time(field: &[u8]) -> Option<Seconds> {
    let number = whole(field);
    if number.iter().all(u8::is_ascii_digit) && matches!(number.len(), 13 | 16 | 19) {
        return digits(&number[..10]).filter(|_| !is_unknown(number));
    }
    moment(field)
}

/// The midnight with which a date begins that has no time of day, as R writes midnights.
pub(super) fn midnight(field: &[u8]) -> Option<Seconds> {
    (field.len() == 10).then(|| moment(&[field, b"T00:00"].concat()))?
}

/// The duration that a field says, seconds.
pub(super) fn span(field: &[u8]) -> Option<Seconds> {
    digits(whole(field)).or_else(|| duration(field)).or_else(|| seconds_in_units(field))
}

/// A count, as Slurm writes it too (`1.50K`). A small m stands for thousandths, as Kubernetes writes parts of processors;
/// parts count as whole ones. None where three decimals may be thousands (`1.024`).
pub(super) fn number(field: &[u8]) -> Option<u32> {
    if let Some(thousandths) = field.strip_suffix(b"m") {
        return count(thousandths).map(|count| count.div_ceil(1_000));
    }
    let ends_with_digit = field.last().is_some_and(u8::is_ascii_digit);
    let Some(at) = field.iter().position(|&byte| byte == b'.').filter(|_| ends_with_digit) else { return count(field) };
    let (whole, decimals) = (&field[..at], &field[at + 1..]);
    if decimals.iter().all(|&byte| byte == b'0') {
        return count(whole);
    }
    let may_be_thousands = decimals.len() == 3 && whole.first() != Some(&b'0');
    let is_part = !may_be_thousands && decimals.iter().all(u8::is_ascii_digit);
    if is_part { count(whole)?.checked_add(1) } else { None }
}

/// Whether a field can be a value of a column. Texts can be anything but a date.
pub(super) fn fits(column: LogColumn, form: &ValueForm, field: &[u8]) -> bool {
    if is_unknown(field) {
        return true;
    }
    let written = || form.seconds(field);
    match column {
        LogColumn::Submit | LogColumn::Eligible | LogColumn::Start | LogColumn::End => {
            written().unwrap_or_else(|| time(field)).is_some() || field.first() == Some(&b'-')
        }
        LogColumn::Run | LogColumn::Wait => {
            written().unwrap_or_else(|| span(field)).is_some() || field.starts_with(b"-")
        }
        LogColumn::Limit => {
            is_no_limit(field) || written().unwrap_or_else(|| span(field)).is_some() || field.starts_with(b"-")
        }
        LogColumn::Processors | LogColumn::Nodes | LogColumn::Gpus => {
            field.first().is_some_and(u8::is_ascii_digit) && number(whole(field)).is_some()
        }
        LogColumn::Tres => Resources::of(field) != Resources::default() || field.contains(&b'='),
        // a number, one with a prefix, or a list of samples
        LogColumn::Watts | LogColumn::Energy => {
            matches!(field.first(), Some(byte) if byte.is_ascii_digit() || b"-[.".contains(byte))
        }
        LogColumn::Status => request::of(field).is_some() || (moment(field).is_none() && field.len() < 40),
        LogColumn::Id
        | LogColumn::User
        | LogColumn::Group
        | LogColumn::Queue
        | LogColumn::Partition
        | LogColumn::Executable => field.len() < 10 || !is_date(field),
    }
}

/// Whether a field is a date, not a number.
fn is_date(field: &[u8]) -> bool {
    field.get(4) == Some(&b'-') && moment(field).is_some()
}

// What the words and numbers mean with which tables tell how jobs ended.

/// The state of a job that returned this: `0`, `-11`, `0:15`.
pub(super) fn state_of_exit(code: &[u8]) -> &[u8] {
    match () {
        () if code.is_empty() || !code.iter().all(|byte| byte.is_ascii_digit() || b"-.:".contains(byte)) => code,
        () if code.iter().any(|byte| matches!(byte, b'1'..=b'9')) => b"FAILED",
        () => b"COMPLETED",
    }
}

/// The state that a number of HTCondor's stands for, in the word of Slurm.
pub(super) fn htcondor_state(number: &[u8]) -> Option<&'static [u8]> {
    // idle and held jobs wait; one that transfers its output still holds its processors
    let word: &'static [u8] = match number {
        b"1" | b"5" => b"PENDING",
        b"2" | b"6" => b"RUNNING",
        b"3" => b"CANCELLED",
        b"4" => b"COMPLETED",
        b"7" => b"SUSPENDED",
        _ => return None,
    };
    Some(word)
}

/// The state that a word of Flux stands for, in the word of Slurm.
pub(super) fn flux_state(word: &[u8]) -> Option<&'static [u8]> {
    let state: &'static [u8] = match word {
        b"DEPEND" | b"PRIORITY" | b"SCHED" => b"PENDING",
        b"RUN" => b"RUNNING",
        _ => return None,
    };
    Some(state)
}

/// Words of jobs that ended well, and of those that were cancelled, in English, German, French, Spanish and Italian.
const WELL: &str = "COMPLETED COMPLETED_SUCCESSFULLY COMPLETE CD TRUE PASS PASSED OK DONE SUCCESS SUCCESSFUL SUCCEEDED FINISHED TERMINATED \
                    FERTIG BEENDET ABGESCHLOSSEN ERFOLGREICH ERFOLG TERMINÉ TERMINE RÉUSSI REUSSI SUCCÈS SUCCES ACHEVÉ COMPLETADO TERMINADO \
                    FINALIZADO ÉXITO EXITO COMPLETATO SUCCESSO";
const CANCELLED: &str =
    "KILLED CA DELETED REMOVED ABGEBROCHEN STORNIERT GELÖSCHT ANNULÉ ANNULE SUPPRIMÉ CANCELADO ELIMINADO ANNULLATO";

/// Begins of words, and words in others, of jobs that failed.
const FAILED: &[&str] = &[
    "FAIL",
    "ERR",
    "TIMEOUT",
    "TIMED",
    "OUT_OF",
    "OUT OF",
    "OOM",
    "PREEMPT",
    "DEADLINE",
    "ABORT",
    "EXIT",
    "EVICT",
    "LOST",
    "CRASH",
    "WALLTIME",
    "LIMIT",
    "EXPIRE",
    "KILL",
    "SIGNAL",
    "REJECT",
    "FALSE",
    "FEHL",
    "ECHEC",
    "ÉCHEC",
    "ÉCHOU",
    "ECHOU",
    "FALL",
    "UNSUCCESS",
    "NODE",
    "REQUEUE",
    "REVOKED",
    "INTERRUPT",
];

/// A status as SWF numbers it; -1 where a word is not known.
pub(super) fn status(field: &[u8]) -> i32 {
    let text = String::from_utf8_lossy(field).to_uppercase();
    let is_one_of = |words: &str| words.split_ascii_whitespace().any(|word| word == text);
    match () {
        () if is_one_of(WELL) => 1,
        () if text.starts_with("CANCEL") || is_one_of(CANCELLED) => 5,
        () if FAILED.iter().any(|word| text.contains(word)) => 0,
        () => match request::of(text.as_bytes()) {
            Some(State::Ended(status)) => status,
            _ => -1,
        },
    }
}

// Ids of jobs in a table that may be Slurm's: steps, tasks of arrays, parts of heterogeneous jobs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct SlurmId<'a> {
    pub text: &'a [u8],
    pub number: &'a [u8],
    /// Whether it is that of a step for certain: `12.batch`, `12_3.extern`, `12+0.0`.
    pub is_step: bool,
    /// Whether it is that of a step where the job itself is there, too: `12.0`. Elsewhere it is a number with decimals.
    pub may_be_step: bool,
    /// Whether it is the part of an array that has not started: `12_[4-9%2]`.
    pub is_pending_array: bool,
    /// The heterogeneous job that it is a part of, and which part: 12 and 1 of `12+1`.
    pub part_of: Option<(i64, i64)>,
    /// The array and the task: 12 and 4 of `12_4`.
    pub task: Option<(i64, i64)>,
}

impl<'a> SlurmId<'a> {
    /// An id that is not Slurm's.
    pub(super) fn named(text: &'a [u8]) -> Self {
        let number = text.split(|byte| !byte.is_ascii_digit()).find(|part| !part.is_empty()).unwrap_or_default();
        SlurmId { text, number, is_step: false, may_be_step: false, is_pending_array: false, part_of: None, task: None }
    }

    pub(super) fn of(text: &'a [u8]) -> Self {
        let mut id = SlurmId::named(text);
        let leading = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if leading == 0 {
            return id;
        }
        let rest = &text[leading..];
        let whole = id_number(&text[..leading]);
        id.is_pending_array = rest.starts_with(b"_[");
        let dot = rest.iter().position(|&byte| byte == b'.');
        let (of_job, step) = dot.map_or((rest, &b""[..]), |at| (&rest[..at], &rest[at + 1..]));
        let is_of_slurm = of_job.is_empty() || matches!(of_job.first(), Some(b'_' | b'+'));
        let is_count = |text: &[u8]| !text.is_empty() && text.iter().all(u8::is_ascii_digit);
        if dot.is_some() && is_of_slurm {
            let is_word = matches!(step, b"batch" | b"extern" | b"interactive");
            // a number of a task or of a part has no decimals
            id.is_step = is_word || (!of_job.is_empty() && step.first().is_some_and(u8::is_ascii_digit));
            id.may_be_step = of_job.is_empty() && is_count(step);
            return id;
        }
        match of_job.split_first() {
            Some((b'+', part)) if is_count(part) => id.part_of = whole.zip(id_number(part)),
            Some((b'_', task)) if is_count(task) => id.task = whole.zip(id_number(task)),
            _ => {}
        }
        id
    }

    pub(super) fn is_known(&self) -> bool {
        !self.text.is_empty()
    }

    /// The job that a step is of: `12` of `12.0`.
    pub(super) fn whole_text(&self) -> &'a [u8] {
        self.text.split(|&byte| byte == b'.').next().unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_times_and_durations_are_read_as_people_write_them() {
        let counts = [&b"4.0"[..], b"2.5", b"0.500", b"500m", b"1.024", b"4.x", b"1.50K", b"4."].map(number);
        assert_eq!(counts, [Some(4), Some(3), Some(1), Some(1), None, None, Some(1_536), None]);
        let times = ["1700000000", "1700000000123", "1700000000123456", "1700000000123456789", "1700000000123.0"];
        assert!(times.into_iter().all(|text| time(text.as_bytes()) == Some(1_700_000_000)));
        assert_eq!(time(b"9223372036854775807"), None);
        let words =
            ["10m 5s", "1h 2m 3.5s", "600 second(s)", "PT1H2M3S", "P1DT1H", "2 hours", "123ms", "3x", "m", "1.5h"];
        let expected = [
            Some(605),
            Some(3_723),
            Some(600),
            Some(3_723),
            Some(90_000),
            Some(7_200),
            Some(0),
            None,
            None,
            Some(5_400),
        ];
        assert_eq!(words.map(|text| span(text.as_bytes())), expected);
        assert_eq!([span(b"1 days 02:00:00"), span(b"1 day, 0:00:05"), span(b"90.7")], [93_600, 86_405, 90].map(Some));
    }
}

#[cfg(test)]
mod status_tests {
    use super::*;

    #[test]
    fn words_say_how_jobs_ended_and_unknown_ones_say_nothing() {
        for (words, told) in [
            ("COMPLETED completed Done terminé Fertig TRUE", 1),
            ("CANCELLED Cancelled_by_user annulé Abgebrochen", 5),
            (
                "FAILED NODE_FAIL OUT_OF_MEMORY Timeout walltime_exceeded PREEMPTED Fehlgeschlagen échoué error BOOT_FAIL DEADLINE",
                0,
            ),
            ("RUNNING PENDING queued 3 -1 4.0 frobnicated", -1),
        ] {
            words.split(' ').for_each(|word| assert_eq!(status(word.as_bytes()), told, "{word}"));
        }
        assert_eq!([status(b""), status(b"CANCELLED by 12"), status(b"Timed out")], [-1, 5, 0]);
    }
}

#[cfg(test)]
mod slurm_id_tests {
    use super::*;

    #[test]
    fn ids_are_told_apart() {
        let of = |text: &'static str| SlurmId::of(text.as_bytes());
        for step in ["12.batch", "12_3.extern", "12+0.0", "12_3.1", "12.interactive"] {
            assert!(of(step).is_step, "{step}");
        }
        assert!(of("12.0").may_be_step && !of("12.0").is_step && of("12.0").whole_text() == b"12");
        assert!(!of("12.host.org").is_step && !of("12.host").may_be_step && !of("a.0").may_be_step);
        assert!(of("12_[4-9%2]").is_pending_array);
        assert_eq!((of("12+1").part_of, of("12_4").task, of("12").task), (Some((12, 1)), Some((12, 4)), None));
        assert_eq!(of("openb-pod-0007").number, b"0007");
    }
}
