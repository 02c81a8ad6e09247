//! Which of several states held at what time, such as the policies of dynP.

use super::Line;
use crate::model::Schedule;
use crate::model::reported::dynp::POLICY;

/// Number of stretches of equal length into which a course of policies is reduced where it changes more often.
const STRETCHES: usize = 4_000;

/// The policies in force in a window of time: from each x on, the index of the policy in dynP's list of all policies.
pub(super) fn policies(schedule: &Schedule, (from, until): (f64, f64)) -> Line {
    let course = schedule.notes.course(POLICY);
    let begin = course.partition_point(|&(at, _)| at as f64 <= from).saturating_sub(1);
    let end = course.partition_point(|&(at, _)| (at as f64) < until).max(begin);
    let in_window = &course[begin..end];
    let whole = Line {
        x: in_window.iter().map(|&(at, _)| (at as f64).max(from)).collect(),
        y: in_window.iter().map(|&(_, policy)| policy).collect(),
    };
    if whole.x.len() <= STRETCHES { whole } else { longest(&whole, (from, until), STRETCHES) }
}

/// Reduces a course, whose y holds from its x on, to `stretches` stretches of equal length. Each stretch takes the
/// state that held longest in it. The result only has points where that state changes.
pub fn longest(course: &Line, (first, last): (f64, f64), stretches: usize) -> Line {
    let mut line = Line::default();
    let step = (last - first) / stretches as f64;
    let mut changes = course.x.iter().copied().zip(course.y.iter().copied()).peekable();
    let mut state = None;
    for stretch in 0..stretches {
        let (mut from, end) = (first + step * stretch as f64, first + step * (stretch + 1) as f64);
        let begin = from;
        // How long each state held.
        let mut held: Vec<(f64, f64)> = Vec::new();
        loop {
            let until = changes.peek().map_or(end, |change| change.0.clamp(from, end));
            if let Some(state) = state {
                match held.iter_mut().find(|(of, _)| *of == state) {
                    Some((_, time)) => *time += until - from,
                    None => held.push((state, until - from)),
                }
            }
            from = until;
            let Some(change) = changes.next_if(|change| change.0 < end) else { break };
            state = Some(change.1);
        }
        let longest = held.into_iter().reduce(|best, other| if other.1 > best.1 { other } else { best });
        if let Some((state, _)) = longest.filter(|(state, _)| line.y.last() != Some(state)) {
            line.x.push(begin);
            line.y.push(state);
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_each_stretch_the_state_that_held_longest_stays() {
        let course = Line { x: vec![2.0, 11.0, 12.0, 14.0, 31.0], y: vec![1.0, 0.0, 1.0, 2.0, 1.0] };
        let reduced = longest(&course, (0.0, 40.0), 4);
        assert_eq!(reduced, Line { x: vec![0.0, 10.0, 30.0], y: vec![1.0, 2.0, 1.0] });
        assert_eq!(longest(&course, (20.0, 40.0), 2), Line { x: vec![20.0, 30.0], y: vec![2.0, 1.0] });
        assert_eq!(longest(&Line::default(), (0.0, 1.0), 3), Line::default());
    }
}
