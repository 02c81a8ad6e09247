//! Moments of a log at which forecasts are tried: those at which somebody waits.

use crate::random::Random;
use crate::workload::Seconds;

/// The times at which at least one job waits, as intervals in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Moments(Vec<(Seconds, Seconds)>);

impl Moments {
    /// The moments of jobs that are submitted and started at these times.
    pub(super) fn of(waits: impl Iterator<Item = (Seconds, Seconds)>) -> Self {
        let mut waits: Vec<(Seconds, Seconds)> = waits.filter(|(submit, start)| submit < start).collect();
        waits.sort_unstable();
        let mut joined: Vec<(Seconds, Seconds)> = Vec::new();
        for (from, until) in waits {
            match joined.last_mut().filter(|last| last.1 >= from) {
                Some(last) => last.1 = last.1.max(until),
                None => joined.push((from, until)),
            }
        }
        Moments(joined)
    }

    /// So many of the moments of a span, drawn with this stream and in order; fewer where the span has fewer.
    pub(super) fn draw(&self, from: Seconds, until: Seconds, count: usize, random: &mut Random) -> Vec<Seconds> {
        let clipped = self.0.iter().map(|&(begin, end)| (begin.max(from), end.min(until)));
        let within: Vec<(Seconds, Seconds)> = clipped.filter(|(begin, end)| begin < end).collect();
        let all: Seconds = within.iter().map(|(begin, end)| end - begin).sum();
        if all == 0 {
            return Vec::new();
        }
        let mut drawn = Vec::with_capacity(count);
        for place in 0..count {
            // one of each of as many equal parts, so that they are spread over the span
            let share = (place as f64 + random.uniform()) / count as f64;
            let mut at = ((share * all as f64) as Seconds).min(all - 1);
            for &(begin, end) in &within {
                if at < end - begin {
                    drawn.push(begin + at);
                    break;
                }
                at -= end - begin;
            }
        }
        drawn.dedup();
        drawn
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_lie_where_somebody_waits() {
        let moments = Moments::of([(0, 10), (5, 20), (30, 30), (40, 50)].into_iter());
        assert_eq!(moments, Moments(vec![(0, 20), (40, 50)]));
        let drawn = moments.draw(5, 45, 100, &mut Random::seeded(1));
        assert!(drawn.is_sorted() && drawn.iter().all(|at| (5..20).contains(at) || (40..45).contains(at)), "{drawn:?}");
        assert!(drawn.len() > 10);
        assert!(moments.draw(20, 40, 5, &mut Random::seeded(1)).is_empty());
    }
}
