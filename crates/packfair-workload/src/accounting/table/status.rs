//! What the words and numbers mean with which tables tell how jobs ended.

use super::super::sacct::state::{self, State};

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
        () => match state::of(text.as_bytes()) {
            Some(State::Ended(status)) => status,
            _ => -1,
        },
    }
}

#[cfg(test)]
mod tests {
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
