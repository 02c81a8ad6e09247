//! Example scripts to begin with.

#[derive(Clone, Copy, Debug)]
pub struct Example {
    pub id: &'static str,
    pub name: &'static str,
    pub help: &'static str,
    /// The scheduler of the catalogue that starts every job at the same time as this script, where there is one.
    pub equals: Option<&'static str>,
    pub text: &'static str,
}

/// All examples, the simplest first.
pub const EXAMPLES: &[Example] = &[
    Example {
        id: "fcfs",
        name: "First come, first served",
        help: "nobody starts before an earlier job",
        equals: Some("fcfs"),
        text: include_str!("../../../examples/scripts/fcfs.rhai"),
    },
    Example {
        id: "aging",
        name: "Greedy with aging",
        help: "short jobs first, and whoever waits gets ahead",
        equals: Some("list:order=formula:wait-4*estimate,blocked=greedy"),
        text: include_str!("../../../examples/scripts/aging.rhai"),
    },
    Example {
        id: "easy",
        name: "EASY",
        help: "one reservation, for the head of the queue",
        equals: Some("easy"),
        text: include_str!("../../../examples/scripts/easy.rhai"),
    },
    Example {
        id: "conservative",
        name: "Conservative",
        help: "every job is guaranteed a start when it is submitted",
        equals: Some("conservative"),
        text: include_str!("../../../examples/scripts/conservative.rhai"),
    },
    Example {
        id: "two-queues",
        name: "Two queues",
        help: "jobs that ask for an hour or less go before all others",
        equals: Some("easy:initial=formula:requested<=1h,backfill=formula:requested<=1h"),
        text: include_str!("../../../examples/scripts/two-queues.rhai"),
    },
    Example {
        id: "requeue",
        name: "Kill and requeue",
        help: "long jobs make room for short ones that have waited, and wait again",
        equals: None,
        text: include_str!("../../../examples/scripts/requeue.rhai"),
    },
];
