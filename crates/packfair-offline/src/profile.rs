//! Free processors over the time of a whole log, in which jobs are placed and taken out again anywhere.
//!
//! Time is cut into spans of equal length, so that a place is found without a search. Each span knows its least and
//! most free processors, so that it can be skipped as a whole if it is full or idle enough.

use packfair_workload::Seconds;

/// A step: from `at` until the next step `free` processors are free, plus the lift of its span.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct OfflineStep {
    at: Seconds,
    free: i32,
}

/// A span of time with its steps.
#[derive(Clone, Debug)]
struct ProfileSpan {
    /// The steps, at least one. The first begins with the span.
    steps: Vec<OfflineStep>,
    /// What is added to `free` in all steps.
    lift: i32,
    /// The least and the most free processors in the span, with the lift added.
    least: i32,
    most: i32,
}

/// The free processors from time 0 on. Beyond the last span all are free.
#[derive(Clone, Debug)]
pub struct OfflineProfile {
    processors: i32,
    /// Length of a span, seconds.
    length: Seconds,
    spans: Vec<ProfileSpan>,
}

impl OfflineProfile {
    /// The profile of an idle machine, with spans of `length` seconds.
    pub fn idle(processors: i32, length: Seconds) -> Self {
        OfflineProfile { processors, length: length.max(1), spans: Vec::new() }
    }

    /// The earliest time, at `from` or later, from which this many processors are free for `length` seconds.
    #[inline]
    pub fn earliest(&self, from: Seconds, processors: i32, length: Seconds) -> Seconds {
        let first = self.span_of(from);
        // where the job could begin, if the processors stay free
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

    /// Takes a job out that was placed with these arguments.
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
    /// The index of the step in which a time of the span lies.
    fn index(&self, at: Seconds) -> usize {
        self.steps.iter().take_while(|step| step.at <= at).count() - 1
    }

    /// Adds `by` to the free processors from `begin` to before `end`. The span itself ends at `ends`.
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

    /// The index of the step that begins at `at`; it is inserted if there is none.
    fn split(&mut self, at: Seconds) -> usize {
        let index = self.index(at);
        let step = self.steps[index];
        if step.at == at {
            return index;
        }
        self.steps.insert(index + 1, OfflineStep { at, ..step });
        index + 1
    }

    /// Removes a step if it equals the step before it.
    fn merge(&mut self, index: usize) {
        if index > 0 && index < self.steps.len() && self.steps[index].free == self.steps[index - 1].free {
            self.steps.remove(index);
        }
    }
}
