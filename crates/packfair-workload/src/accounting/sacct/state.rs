//! States of Slurm's jobs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::accounting) enum State {
    Pending,
    Running,
    /// It has ended; its status as SWF numbers it.
    Ended(i32),
}

const STATES: &[(&[u8], State)] = &[
    (b"COMPLETED", State::Ended(1)),
    (b"CANCELLED", State::Ended(5)),
    (b"FAILED", State::Ended(0)),
    (b"TIMEOUT", State::Ended(0)),
    (b"NODE_FAIL", State::Ended(0)),
    (b"PREEMPTED", State::Ended(0)),
    (b"OUT_OF_MEMORY", State::Ended(0)),
    (b"OUT_OF_ME", State::Ended(0)),
    (b"BOOT_FAIL", State::Ended(0)),
    (b"DEADLINE", State::Ended(0)),
    (b"REVOKED", State::Ended(5)),
    (b"REQUEUED", State::Ended(0)),
    (b"RESIZING", State::Running),
    (b"RUNNING", State::Running),
    (b"SUSPENDED", State::Running),
    (b"COMPLETING", State::Running),
    (b"STOPPED", State::Running),
    (b"PENDING", State::Pending),
    (b"CONFIGURING", State::Pending),
    (b"SPECIAL_EXIT", State::Ended(0)),
    (b"LAUNCH_FAILED", State::Ended(0)),
    (b"RECONFIG_FAIL", State::Ended(0)),
    (b"POWER_UP_NODE", State::Running),
    (b"SIGNALING", State::Running),
    (b"STAGE_OUT", State::Running),
    (b"UPDATE_DB", State::Running),
    (b"REQUEUE_FED", State::Pending),
    (b"REQUEUE_HOLD", State::Pending),
    (b"RESV_DEL_HOLD", State::Pending),
];

/// The state of a field: its first word, because a field may say `CANCELLED by 1000`.
pub(in crate::accounting) fn of(field: &[u8]) -> Option<State> {
    let word = field.split(|byte| matches!(byte, b' ' | b'+')).next()?;
    STATES.iter().find(|(name, _)| *name == word).map(|&(_, state)| state)
}

/// The state of a record, by its field and by whether the record has an end: one of a job that was resized has ended, and another
/// has what followed.
pub(in crate::accounting) fn of_record(field: &[u8], has_end: bool) -> Option<State> {
    let is_over = has_end && field.starts_with(b"RESIZING");
    if is_over { Some(State::Ended(1)) } else { of(field) }
}

/// The states in the order of their numbers in Slurm's data base.
const NUMBERED: [&[u8]; 12] = [
    b"PENDING",
    b"RUNNING",
    b"SUSPENDED",
    b"COMPLETED",
    b"CANCELLED",
    b"FAILED",
    b"TIMEOUT",
    b"NODE_FAIL",
    b"PREEMPTED",
    b"BOOT_FAIL",
    b"DEADLINE",
    b"OUT_OF_MEMORY",
];

/// The state that a number of Slurm's data base stands for.
pub(in crate::accounting) fn of_number(field: &[u8]) -> Option<&'static [u8]> {
    NUMBERED.get(std::str::from_utf8(field).ok()?.parse::<usize>().ok()?).copied()
}

pub(super) fn is_known(field: &[u8]) -> bool {
    of(field).is_some()
}
