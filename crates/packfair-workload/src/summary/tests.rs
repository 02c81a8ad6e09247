//! The summary of a small workload, checked by hand.

use super::*;
use crate::{Cleaning, Filter, MachineSource, Zone, clean, reading};

/// Fields: number submit wait run allocated cpu memory requested requested-time memory status user
/// group executable queue partition.
const LOG: &str = "\
    ; MaxProcs: 8\n\
    ; UnixStartTime: 978307200\n\
    ; Queue: 1 interactive\n\
    ; Queue: 2 batch, at night\n\
    1 0 0 100 1 0 0 1 200 0 1 5 0 0 2 1\n\
    2 3600 10 100 4 0 0 4 100 0 1 6 0 0 2 1\n\
    3 7200 0 50 4 0 0 4 -1 0 1 5 0 0 3 -1\n\
    4 90000 0 1000 3 0 0 3 4000 0 1 -1 0 0 1 1\n";

fn summary(text: &str) -> Summary {
    let log = reading::read("small", text.as_bytes()).unwrap();
    Summary::of(&clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap())
}

#[test]
fn sums_up_a_small_workload() {
    let summary = summary(LOG);
    assert_eq!((summary.name.as_str(), summary.jobs, summary.users), ("small", 4, 2));
    let dates = (summary.span.first_date.as_deref(), summary.span.last_date.as_deref());
    assert_eq!(dates, (Some("2001-01-01 00:00:00"), Some("2001-01-02 01:00:00")));
    assert_eq!((summary.span.last_submit, summary.span.last_end), (90_000, Some(91_000)));
    // areas 100, 400, 200, 3000
    assert_eq!(summary.offered_load, Some(3700.0 / (8.0 * 90_000.0)));
    assert_eq!(summary.logged_utilisation, Some(3700.0 / (8.0 * 91_000.0)));
    assert_eq!(summary.requested, 0.75);
    let users: Vec<_> = summary.top_users.iter().map(|user| (user.user, user.jobs, user.area)).collect();
    assert_eq!(users, [(6, 1, 400.0), (5, 2, 300.0)]);
    let widths: Vec<_> = summary.widths.iter().map(|w| (w.from, w.to, w.jobs, w.area)).collect();
    assert_eq!(widths, [(1, 1, 1, 100.0), (2, 2, 0, 0.0), (3, 4, 3, 3600.0)]);
    assert_eq!(summary.common_widths[0], Common { width: 4, jobs: 2 });
    let overestimation = summary.overestimation.quantiles;
    assert_eq!((overestimation.min, overestimation.max), (1.0, 4.0));
    assert_eq!((summary.hours[0], summary.hours[1], summary.hours[2]), (1, 2, 1));
    assert_eq!(summary.weekdays, [3, 1, 0, 0, 0, 0, 0]);
    assert_eq!(summary.jobs_by_area, Steps { x: vec![100.0, 200.0, 400.0, 3000.0], y: vec![0.25, 0.5, 0.75, 1.0] });
    assert_eq!(summary.area_by_area.y, [100.0, 300.0, 700.0, 3700.0].map(|area| area / 3700.0));
    let queues: Vec<_> = summary.queues.iter().map(|queue| (queue.id, queue.name.as_deref(), queue.jobs)).collect();
    assert_eq!(queues, [(2, Some("batch, at night"), 2), (1, Some("interactive"), 1), (3, None, 1)]);
    assert_eq!(summary.partitions, [QueueChoice { id: 1, name: None, jobs: 3 }]);
    assert_eq!(summary.partition_peaks, [Some(4)]);
}

#[test]
fn a_partition_is_as_large_as_what_its_jobs_held_at_once() {
    // one job ends as another starts; in partition 3 the start of a job is unknown
    let summary = summary(
        "1 0 0 100 2 -1 -1 2 -1 -1 1 1 1 1 1 1 -1 -1\n\
         2 0 50 100 3 -1 -1 3 -1 -1 1 1 1 1 1 1 -1 -1\n\
         3 0 150 100 4 -1 -1 4 -1 -1 1 1 1 1 1 1 -1 -1\n\
         4 0 0 1000 6 -1 -1 6 -1 -1 1 1 1 1 1 2 -1 -1\n\
         5 0 -1 1000 6 -1 -1 6 -1 -1 1 1 1 1 1 3 -1 -1\n",
    );
    let ids: Vec<i32> = summary.partitions.iter().map(|choice| choice.id).collect();
    assert_eq!((ids, summary.partition_peaks), (vec![1, 2, 3], vec![Some(5), Some(6), None]));
}

#[test]
fn takes_logs_that_say_little() {
    let summary = summary("; Version: 2.2\n1 5 -1 10 1\n2 5 -1 10 2\n");
    assert_eq!((summary.offered_load, summary.logged_utilisation, summary.requested), (None, None, 0.0));
    assert_eq!((summary.clock.zone.clone(), summary.users), (Zone::Unknown, 0));
    assert_eq!((summary.weekdays.len(), summary.queues.len(), summary.span.first_date.clone()), (0, 0, None));
    let json = serde_json::to_string(&summary).unwrap();
    assert_eq!(serde_json::from_str::<Summary>(&json).unwrap(), summary);
    let bytes = postcard::to_stdvec(&summary).unwrap();
    assert_eq!(postcard::from_bytes::<Summary>(&bytes).unwrap(), summary);
}

#[test]
fn takes_an_empty_workload() {
    let machine = Machine { processors: 4, source: MachineSource::Given };
    let summary = Summary::of(&Workload::empty("nothing", machine, Header::default()));
    assert_eq!((summary.jobs, summary.offered_load, summary.widths.len()), (0, None, 0));
}

#[test]
fn classes_widths_by_powers_of_two() {
    let classes = [1, 2, 3, 4, 5, 8, 9, 16, 17, u32::MAX].map(width_class);
    assert_eq!(classes, [0, 1, 2, 2, 3, 3, 4, 4, 5, 32]);
    assert_eq!([0, 1, 2, 3, 32].map(width_bounds), [(1, 1), (2, 2), (3, 4), (5, 8), (2_147_483_649, u32::MAX)]);
}
