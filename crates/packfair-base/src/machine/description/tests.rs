use super::*;

/// The error message for a machine that JSON describes; empty if there is no error.
fn said(json: &str) -> String {
    match serde_json::from_str::<MachineDescription>(json) {
        Ok(described) => {
            described.machine(|_| Err("no clock".to_owned())).map_or_else(|e| e.to_string(), |_| String::new())
        }
        Err(error) => error.to_string(),
    }
}

fn with_changes(changes: &str) -> String {
    said(&format!(
        r#"{{"cells": [{{"name": "cpu", "nodes": 10, "node": {{"processors": 4}}}}], "changes": [{changes}]}}"#
    ))
}

#[test]
fn what_is_wrong_with_cells_and_partitions_is_said() {
    assert_eq!(
        said(r#"{"cells": []}"#),
        "the machine has no cell; give at least one, with a name, a number of nodes and the resources of a node"
    );
    let cell = |nodes: u32, node: &str| format!(r#"{{"name": "cpu", "nodes": {nodes}, "node": {{{node}}}}}"#);
    let of = |cells: &str, partitions: &str| said(&format!(r#"{{"cells": [{cells}], "partitions": [{partitions}]}}"#));
    let good = cell(2, r#""processors": 4, "gpus": 1"#);
    assert_eq!(of(&good, r#"{"name": "all", "cells": ["cpu"]}"#), "");
    let none = cell(0, r#""processors": 4"#);
    assert_eq!(of(&none, ""), "cell \"cpu\" has 0 nodes; give at least 1, or leave the cell out");
    assert_eq!(
        of(&cell(2, r#""gpus": 4"#), ""),
        "a node of cell \"cpu\" has no processors; give at least 1 (node = { processors = 64 })"
    );
    assert_eq!(of(&format!("{good},{good}"), ""), "two cells are called \"cpu\"; give each a name of its own");
    assert_eq!(
        of(&good, r#"{"name": "short", "cells": []}"#),
        "partition \"short\" has no cell; name at least one of cpu"
    );
    assert_eq!(
        of(&good, r#"{"name": "short", "cells": ["gpu"]}"#),
        "partition \"short\" names the cell \"gpu\", but there is none of that name; there are cpu"
    );
    assert_eq!(
        of(&cell(4_000_000_000, r#""processors": 1"#), ""),
        "the machine has 4000000000 processors, more than are simulated; give at most 100000000"
    );
    assert_eq!(
        of(&cell(2, r#""processors": 1, "memory": 18446744073709551615"#), ""),
        "there is too much of memory in cell \"cpu\"; give numbers that are meant"
    );
    assert!(of(&cell(2, r#""processors": -1"#), "").contains("invalid value"));
}

#[test]
fn what_is_wrong_with_the_calendar_is_said() {
    let change = |from: i64, until: i64, nodes: i64| {
        format!(r#"{{"from": {from}, "until": {until}, "cell": "cpu", "nodes": {nodes}}}"#)
    };
    assert_eq!(with_changes(&change(5, 9, -10)), "");
    assert_eq!(
        with_changes(&change(9, 5, -1)),
        "change 1 ends at 5 s, but begins at 9 s; an end comes after the beginning"
    );
    assert_eq!(
        with_changes(&change(9, 9, -1)),
        "change 1 ends at 9 s, but begins at 9 s; an end comes after the beginning"
    );
    assert_eq!(
        with_changes(&change(5, 9, 0)),
        "change 1 is of 0 nodes; give how many nodes are fewer (-4) or more (4)"
    );
    assert_eq!(
        with_changes(&format!("{},{}", change(5, 9, -6), change(8, 12, -6))),
        "at 8 s the changes leave cell \"cpu\" with -2 nodes: windows overlap, or one takes more nodes than there are; \
         make overlapping windows one, or let them take fewer"
    );
    assert_eq!(
        with_changes(&format!("{},{}", change(5, 9, -6), change(9, 12, -6))),
        "",
        "one ends as the other begins"
    );
    assert_eq!(with_changes(&format!("{},{}", change(5, 9, -6), change(8, 12, -4))), "", "they may overlap");
    assert!(with_changes(r#"{"from": 1, "cell": "gpu", "nodes": 1}"#).starts_with("change 1 names the cell \"gpu\""));
    assert_eq!(
        with_changes(r#"{"from": "noon", "cell": "cpu", "nodes": 1}"#),
        "from of change 1 is \"noon\", which is no moment: no clock"
    );
    let many = vec![change(5, 9, 1); 100_001].join(",");
    assert!(with_changes(&many).starts_with("the calendar has 100001 changes; give at most 100000: "));
}

/// A log of 30 days for 12 processors.
struct Month;

impl MachineOfLog for Month {
    fn processors(&self) -> Option<u32> {
        Some(12)
    }

    fn moment(&self, text: &str) -> Result<Seconds, String> {
        text.strip_prefix("day ").and_then(|day| day.parse::<i64>().ok()).map(|day| day * DAY).ok_or("?".into())
    }

    fn days_later(&self, time: Seconds, days: i64) -> Seconds {
        // the clocks go forward on day 10
        let hour = |time: Seconds| if time >= 10 * DAY { 3_600 } else { 0 };
        time + days * DAY - hour(time + days * DAY) + hour(time)
    }

    fn end(&self) -> Option<Seconds> {
        Some(30 * DAY)
    }
}

#[test]
fn a_change_comes_again_at_the_same_time_of_day_as_long_as_the_log_goes_on() {
    let of = |more: &str| {
        let json =
            format!(r#"{{"changes": [{{"from": "day 2", "until": 180000, "nodes": -3, "announced": 0 {more}}}]}}"#);
        serde_json::from_str::<MachineDescription>(&json).unwrap().on(&Month).map_err(|error| error.to_string())
    };
    let times = |more: &str| -> Vec<(Seconds, Option<Seconds>, Option<Seconds>)> {
        of(more).unwrap().calendar().iter().map(|change| (change.from, change.until, change.announced)).collect()
    };
    let day = |day: i64| day * DAY - if day >= 10 { 3_600 } else { 0 };
    let length = 180_000 - 2 * DAY;
    let weekly: Vec<_> = [2, 9, 16, 23, 30].map(|d| (day(d), Some(day(d) + length), Some(day(d - 2)))).to_vec();
    assert_eq!(times(", \"every\": 7"), weekly);
    assert_eq!(times(", \"every\": 7, \"last\": \"day 9\""), weekly[..2]);
    assert_eq!(times(""), weekly[..1]);
    assert_eq!(of(", \"every\": 7").unwrap().processors(), 12, "on the log's own machine");
    assert_eq!(
        of(", \"every\": 0").unwrap_err(),
        "change 1 repeats every so many days, but does not end in between: give until, and at least 1 day"
    );
    let alone = r#"{"from": 5, "until": 9, "nodes": -1, "every": 1}"#;
    assert!(with_changes(alone).starts_with("change 1 repeats, and there is no log to say how long"));
}

#[test]
fn processors_that_are_away_are_the_last_of_their_cell() {
    let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
        {"name": "gpu", "nodes": 3, "node": {"processors": 8}}],
        "changes": [{"from": 5, "until": 9, "cell": "gpu", "nodes": -2}, {"from": 7, "cell": "gpu", "nodes": 1},
            {"from": 1, "until": 2, "cell": "cpu", "nodes": 5}]}"#;
    let machine: Machine = serde_json::from_str(json).unwrap();
    assert_eq!(machine.processor_ranges(), [(0, 40), (40, 24)]);
    let gone: Vec<_> = machine.gone().iter().map(|of| (of.from, of.until, of.first, of.count)).collect();
    assert_eq!(gone, [(5, 7, 48, 16), (7, 9, 56, 8)]);
}

#[test]
fn a_partition_by_itself_has_its_cells_and_their_changes() {
    let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
        {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4}}],
        "partitions": [{"name": "batch", "cells": ["cpu"]}, {"name": "accel", "cells": ["gpu"]}],
        "changes": [{"from": 5, "cell": "gpu", "nodes": -2}, {"from": 5, "cell": "cpu", "nodes": -1}]}"#;
    let whole: MachineDescription = serde_json::from_str(json).unwrap();
    let part = whole.of_partition(&["2", "accel"]).machine(|_| Err(String::new())).unwrap();
    assert_eq!((part.processors(), part.cells().len(), part.calendar().len()), (16, 1, 1));
    assert_eq!(whole.of_partition(&["3"]), whole, "nothing is known of it");
}

#[test]
fn a_machine_is_what_its_description_says_again() {
    let json = r#"{"cells": [{"name": "cpu", "nodes": 10, "node": {"processors": 4}},
        {"name": "gpu", "nodes": 2, "node": {"processors": 8, "gpus": 4, "memory": 1000}}],
        "partitions": [{"name": "all", "cells": ["gpu", "cpu"]}, {"name": "gpus", "cells": ["gpu"], "whole_nodes": true}],
        "changes": [{"from": 5, "until": 9, "cell": "gpu", "nodes": -2, "announced": 1, "what": "kill"}]}"#;
    let machine: Machine = serde_json::from_str(json).unwrap();
    assert_eq!(machine.resources(), ["processors", "gpus", "memory"]);
    assert_eq!((machine.processors(), machine.total(1), machine.total(2)), (56, 8, 2_000));
    assert_eq!(machine.taking_order(None), [0, 1], "the first cell is of one partition alone");
    assert_eq!(machine.capacity(), [40, 0, 0, 16, 8, 2_000]);
    let again = serde_json::to_string(&machine).unwrap();
    assert_eq!(serde_json::from_str::<Machine>(&again).unwrap(), machine);
    // the form in which workers get it, with its workload
    let sent = postcard::to_stdvec(&machine).unwrap();
    assert_eq!(postcard::from_bytes::<Machine>(&sent).unwrap(), machine);
}
