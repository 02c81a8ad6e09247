//! The words of scripts: what stands behind the dots, for messages and for the page.

/// A kind of value and what stands behind its dot.
pub type Words = (&'static str, &'static [&'static str]);

/// A job.
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

/// Several jobs.
pub(super) const JOBS: Words = ("Jobs", &["len", "first", "last", "sort_by", "filter", "skip", "has"]);

/// The present.
pub(super) const VIEW: Words =
    ("View", &["now", "free", "processors", "waiting", "running", "queue_length", "hour", "weekday", "profile"]);

/// The reservation profile.
pub(super) const PROFILE: Words = ("Profile", &["earliest", "fits", "reserve", "release", "free_at"]);

/// What a round decides.
pub(super) const ACTIONS: Words = ("Actions", &["free", "fits", "start", "kill", "wake_at", "keep", "note"]);

/// All of them, for the page.
pub const WORDS: &[Words] = &[VIEW, JOB, JOBS, PROFILE, ACTIONS];
