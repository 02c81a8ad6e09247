//! Spans of a profile.

use super::steps::StepPlace;

/// A span of time over which processors are free.
#[derive(Debug)]
pub struct FreeSpan {
    /// When it begins.
    pub begin: f64,
    /// When it ends.
    pub end: f64,
    /// The place of the step with which it begins.
    pub(in crate::scheduler) first: StepPlace,
    /// The place after the last step with which it overlaps.
    pub(super) after: StepPlace,
}

/// The outcome of a search for a span.
#[derive(Debug)]
pub enum SpanSearch<S> {
    /// The earliest span.
    Found(S),
    /// No span begins in time. From where the search began, so many processors are nowhere free for longer than this,
    /// seconds.
    NoneLongerThan(f64),
}

impl<S> SpanSearch<S> {
    /// The span that was found, if any.
    #[inline(always)]
    pub fn found(self) -> Option<S> {
        match self {
            SpanSearch::Found(span) => Some(span),
            SpanSearch::NoneLongerThan(_) => None,
        }
    }
}

/// A span that was just reserved.
#[derive(Debug)]
pub struct ReservedSpan {
    /// The place of the step with which it begins.
    pub(super) first: StepPlace,
    pub(super) end: f64,
    /// At least this many processors are still free at any time of the span.
    pub least: u32,
}
