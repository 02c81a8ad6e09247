//! Free processors over the time of a whole log, in which jobs are placed and taken out again anywhere.
//!
//! Time is cut into spans of equal length, so that a place is found without a search. A span knows its least and most
//! free processors: what is too full or empty enough is passed over as a whole.

use crate::workload::Seconds;

/// From `at` on, until the next step, `free` processors are free, and what its span is lifted by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfflineStep {
    at: Seconds,
    free: i32,
}

/// A span of time.
#[derive(Clone, Debug)]
struct ProfileSpan {
    /// At least one: it begins with the span.
    steps: Vec<OfflineStep>,
    /// What is free besides, throughout.
    lift: i32,
    /// Of `free` with what it is lifted by.
    least: i32,
    most: i32,
}

/// Free processors from 0 on; all of them beyond the last span.
#[derive(Clone, Debug)]
pub struct OfflineProfile {
    processors: i32,
    /// Length of a span, seconds.
    length: Seconds,
    spans: Vec<ProfileSpan>,
}

impl OfflineProfile {
    /// An idle machine, with spans of so many seconds.
    pub fn idle(processors: i32, length: Seconds) -> Self {
        OfflineProfile { processors, length: length.max(1), spans: Vec::new() }
    }

    /// The earliest time from `from` on from which so many processors are free for so long.
    #[inline]
    pub fn earliest(&self, from: Seconds, processors: i32, length: Seconds) -> Seconds {
        let first = self.span_of(from);
        // where it could begin, if it can
        let mut begin = None;
        for (number, span) in self.spans.iter().enumerate().skip(first) {
            let ends = self.begin_of(number + 1);
            if span.most < processors {
                begin = None;
                continue;
            }
            if span.least >= processors {
                let begin = *begin.get_or_insert(from.max(self.begin_of(number)));
                if begin + length <= ends {
                    return begin;
                }
                continue;
            }
            let index = if number == first { span.index(from) } else { 0 };
            let least = processors - span.lift;
            for step in &span.steps[index..] {
                if let Some(begin) = begin
                    && begin + length <= step.at
                {
                    return begin;
                }
                if step.free < least {
                    begin = None;
                } else if begin.is_none() {
                    begin = Some(from.max(step.at));
                }
            }
            if let Some(begin) = begin
                && begin + length <= ends
            {
                return begin;
            }
        }
        begin.unwrap_or_else(|| from.max(self.begin_of(self.spans.len())))
    }

    /// Places a job: it takes `processors` from `begin` to before `end`.
    pub fn place(&mut self, begin: Seconds, end: Seconds, processors: i32) {
        let last = self.span_of(end - 1);
        while self.spans.len() <= last {
            let at = self.begin_of(self.spans.len());
            let (free, steps) = (self.processors, vec![OfflineStep { at, free: self.processors }]);
            self.spans.push(ProfileSpan { steps, lift: 0, least: free, most: free });
        }
        self.raise(begin, end, -processors);
    }

    /// Takes a job out that was placed so.
    pub fn take_out(&mut self, begin: Seconds, end: Seconds, processors: i32) {
        self.raise(begin, end, processors);
    }

    fn raise(&mut self, begin: Seconds, end: Seconds, by: i32) {
        let (first, last) = (self.span_of(begin), self.span_of(end - 1));
        for number in first..=last {
            let (begins, ends) = (self.begin_of(number), self.begin_of(number + 1));
            let span = &mut self.spans[number];
            if begin <= begins && end >= ends {
                span.lift += by;
                span.least += by;
                span.most += by;
            } else {
                span.raise(begin.max(begins), end.min(ends), ends, by);
            }
        }
    }

    fn span_of(&self, at: Seconds) -> usize {
        (at / self.length) as usize
    }

    fn begin_of(&self, span: usize) -> Seconds {
        span as Seconds * self.length
    }
}

impl ProfileSpan {
    /// The step in which a time of it lies.
    fn index(&self, at: Seconds) -> usize {
        self.steps.iter().take_while(|step| step.at <= at).count() - 1
    }

    /// Raises what is free from `begin` to before `end`; the span itself ends at `ends`.
    fn raise(&mut self, begin: Seconds, end: Seconds, ends: Seconds, by: i32) {
        let first = self.split(begin);
        let beyond = if end == ends { self.steps.len() } else { self.split(end) };
        for step in &mut self.steps[first..beyond] {
            step.free += by;
        }
        self.merge(beyond);
        self.merge(first);
        let (mut least, mut most) = (i32::MAX, i32::MIN);
        for step in &self.steps {
            least = least.min(step.free);
            most = most.max(step.free);
        }
        (self.least, self.most) = (least + self.lift, most + self.lift);
    }

    /// The step that begins at `at`, made if there is none.
    fn split(&mut self, at: Seconds) -> usize {
        let index = self.index(at);
        let step = self.steps[index];
        if step.at == at {
            return index;
        }
        self.steps.insert(index + 1, OfflineStep { at, ..step });
        index + 1
    }

    /// Drops a step that is as the one before it.
    fn merge(&mut self, index: usize) {
        if index > 0 && index < self.steps.len() && self.steps[index].free == self.steps[index - 1].free {
            self.steps.remove(index);
        }
    }
}
