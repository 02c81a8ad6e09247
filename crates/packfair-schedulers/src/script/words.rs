//! The words of scripts, which stand behind a dot: for messages and for the page.

/// The name of a type of value, and the words that it has.
pub type Words = (&'static str, &'static [&'static str]);

/// The words of a job.
pub(super) const JOB: Words = (
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

/// The words of a list of jobs.
pub(super) const JOBS: Words = ("Jobs", &["len", "first", "last", "sort_by", "filter", "skip", "has"]);

/// The words of the view.
pub(super) const VIEW: Words =
    ("View", &["now", "free", "processors", "waiting", "running", "queue_length", "hour", "weekday", "profile"]);

/// The words of the reservation profile.
pub(super) const PROFILE: Words = ("Profile", &["earliest", "fits", "reserve", "release", "free_at"]);

/// The words of the actions of a round.
pub(super) const ACTIONS: Words = ("Actions", &["free", "fits", "start", "kill", "wake_at", "keep", "note"]);

/// The words of all types, for the page.
pub const WORDS: &[Words] = &[VIEW, JOB, JOBS, PROFILE, ACTIONS];
