//! Which jobs start near a time.

use crate::workload::Seconds;

/// Jobs by their starts, in spans of equal length.
#[derive(Clone, Debug)]
pub struct StartSpans {
    length: Seconds,
    spans: Vec<Vec<u32>>,
    places: Vec<u32>,
}

impl StartSpans {
    pub fn new(length: Seconds, starts: &[Seconds]) -> Self {
        let mut spans = StartSpans { length: length.max(1), spans: Vec::new(), places: vec![0; starts.len()] };
        for (job, &start) in (0..).zip(starts) {
            spans.insert(job, start);
        }
        spans
    }

    /// The number of the span in which a time lies.
    pub fn span_of(&self, at: Seconds) -> usize {
        (at / self.length) as usize
    }

    pub fn of(&self, span: usize) -> &[u32] {
        self.spans.get(span).map_or(&[], Vec::as_slice)
    }

    /// Moves a job from one start to another.
    pub fn change(&mut self, job: u32, from: Seconds, to: Seconds) {
        if self.span_of(from) == self.span_of(to) {
            return;
        }
        let (span, place) = (self.span_of(from), self.places[job as usize]);
        self.spans[span].swap_remove(place as usize);
        if let Some(&moved) = self.spans[span].get(place as usize) {
            self.places[moved as usize] = place;
        }
        self.insert(job, to);
    }

    fn insert(&mut self, job: u32, start: Seconds) {
        let span = self.span_of(start);
        if self.spans.len() <= span {
            self.spans.resize_with(span + 1, Vec::new);
        }
        self.places[job as usize] = self.spans[span].len() as u32;
        self.spans[span].push(job);
    }
}
