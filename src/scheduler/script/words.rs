//! The words of scripts, which stand behind a dot: for messages and for the page.

/// The name of a type of value, and the words that it has.
pub type ScriptWords = (&'static str, &'static [&'static str]);

pub(super) const JOB: ScriptWords = (
    "Job",
    &[
        "id",
        "number",
        "submit",
        "wait",
        "processors",
        "estimate",
        "requested",
        "area",
        "user",
        "group",
        "executable",
        "queue",
        "partition",
        "class",
        "user_usage",
        "account_usage",
        "start",
        "end",
        "kept",
    ],
);

pub(super) const JOBS: ScriptWords = ("Jobs", &["len", "first", "last", "sort_by", "filter", "skip", "has"]);

pub(super) const VIEW: ScriptWords =
    ("View", &["now", "free", "processors", "waiting", "running", "queue_length", "hour", "weekday", "profile"]);

pub(super) const PROFILE: ScriptWords = ("Profile", &["earliest", "fits", "reserve", "release", "free_at"]);

/// The words of the actions of a round.
pub(super) const ACTIONS: ScriptWords = ("Actions", &["free", "fits", "start", "kill", "wake_at", "keep", "note"]);

pub const WORDS: &[ScriptWords] = &[VIEW, JOB, JOBS, PROFILE, ACTIONS];
