//! The boxes of a Gantt chart.

use super::{Answer, GanttBox};
use crate::study::allocation::allocate;
use crate::workload::{Seconds, Workload};

/// The boxes that lie in [from, until), wholly or in part; no more than `most` are made.
///
/// Processors are given from the beginning of the schedule on, so that a job has the same ones in
/// every window.
pub(super) fn gantt(workload: &Workload, starts: &[Seconds], (from, until): (Seconds, Seconds), most: usize) -> Answer {
    let mut boxes = Vec::new();
    let mut total = 0;
    allocate(workload, starts, until, |job, blocks| {
        let start = starts[job.index()];
        let end = start.saturating_add(workload.run(job));
        // one that takes no time is in the window where it starts there
        if end > from || start >= from {
            total += blocks.len();
            if total <= most {
                let request = workload.request(job);
                boxes.extend(blocks.iter().map(|&(first, count)| GanttBox {
                    job,
                    number: request.number,
                    user: request.user,
                    span: (start, end),
                    first,
                    count,
                    wait: start - request.submit,
                }));
            }
        }
    });
    if total > most {
        boxes.clear();
    }
    Answer::Gantt { boxes, total }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::testing::workload;

    fn boxes(window: (Seconds, Seconds), most: usize) -> (Vec<(i64, u32, u32)>, usize) {
        let workload = workload(10, &[(0, 10, 4), (0, 20, 3), (0, 10, 5), (30, 5, 10)]);
        match gantt(&workload, &[0, 0, 10, 30], window, most) {
            Answer::Gantt { boxes, total } => (boxes.iter().map(|b| (b.number, b.first, b.count)).collect(), total),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn jobs_in_the_window_have_boxes() {
        assert_eq!(boxes((0, 10), 9), (vec![(1, 0, 4), (2, 4, 3)], 2));
        assert_eq!(boxes((10, 30), 9), (vec![(2, 4, 3), (3, 0, 4), (3, 7, 1)], 3));
        assert_eq!(boxes((34, 90), 9), (vec![(4, 0, 10)], 1));
        assert_eq!(boxes((35, 90), 9), (vec![], 0));
    }

    #[test]
    fn too_many_boxes_are_only_counted() {
        assert_eq!(boxes((0, 90), 4), (vec![], 5));
        assert_eq!(boxes((0, 90), 5).0.len(), 5);
    }
}
