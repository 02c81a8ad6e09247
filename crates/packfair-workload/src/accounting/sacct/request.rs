//! What a row says of a job beside its ids, names and times. Many jobs have the same texts there, so what the last ones
//! said is kept.

use super::super::jobs::{AccountedJob, Waited};
use super::super::numbers::is_odd;
use super::super::options::{self, OptionFields};
use super::super::submit_line::{self, option_values};
use super::super::tres::{Resources, count, is_odd_memory, requested_memory};
use super::alignment::SacctFields;
use super::columns::SacctColumn::{self, *};
use crate::{JobOptions, Seconds};
use xxhash_rust::xxh3::xxh3_64;

/// The columns whose texts say all that a request is.
const TEXTS: [SacctColumn; 12] = [
    AllocatedCpus,
    RequestedCpus,
    AllocatedNodes,
    RequestedNodes,
    AllocatedTres,
    RequestedTres,
    RequestedMemory,
    Constraints,
    Licenses,
    Reservation,
    Switches,
    SubmitLine,
];

/// What a job was given and what it asked for.
#[derive(Clone, Debug, Default)]
pub(super) struct RowRequest {
    given: Option<u32>,
    asked: Option<u32>,
    nodes: Option<u32>,
    asked_nodes: Option<u32>,
    gpus: (Option<u32>, Option<u32>),
    memory: Option<u32>,
    memory_while_waiting: Option<u32>,
    node_range: Option<(u32, u32)>,
    asked_node_range: Option<(u32, u32)>,
    partition: Vec<u8>,
    asked_limit: Option<Seconds>,
    options: Option<JobOptions>,
    is_odd: bool,
    /// Whether the command line may say what the job comes after.
    pub names_others: bool,
    /// How many tasks of its array may run at once.
    pub task_limit: Option<u32>,
}

impl RowRequest {
    /// The request of a row.
    fn of(fields: &SacctFields<'_>) -> Self {
        let get = |column| {
            debug_assert!(TEXTS.contains(&column), "{column:?} is no text of a request");
            fields.get(column)
        };
        let (given, asked) = (Resources::of(get(AllocatedTres)), Resources::of(get(RequestedTres)));
        let positive = |value: Option<u32>| value.filter(|&value| value > 0);
        let counted = |column| positive(count(get(column)));
        let allocated = counted(AllocatedCpus).or(positive(given.processors));
        let requested = counted(RequestedCpus).or(positive(asked.processors));
        let nodes = counted(AllocatedNodes).or(positive(given.nodes));
        let asked_nodes = counted(RequestedNodes).or(positive(asked.nodes));
        let nodes = nodes.or(asked_nodes);
        let is_odd_count = |column| is_odd(get(column), count(get(column)));
        let is_odd = [AllocatedCpus, RequestedCpus, AllocatedNodes].into_iter().any(is_odd_count)
            // in the unit of memory, nodes that were asked for become 0.00K
            || (nodes.is_none() && is_odd_count(RequestedNodes))
            || is_odd_memory(get(RequestedMemory))
            || given.is_odd
            || asked.is_odd;
        let words = submit_line::words(get(SubmitLine));
        let tres = get(RequestedTres);
        let memory = get(RequestedMemory);
        let options = options::read(&OptionFields {
            constraint: get(Constraints),
            licences: get(Licenses),
            reservation: get(Reservation),
            switches: get(Switches),
            tres: if tres.is_empty() { get(AllocatedTres) } else { tres },
            requested_memory: memory,
            submit_line: &words,
            nodes,
        });
        // an amount for each processor or node counts first, then the total
        let asked_memory = requested_memory(memory, allocated.or(requested), nodes);
        let is_of_parts = memory.ends_with(b"c") || memory.ends_with(b"n");
        let total = asked_memory.filter(|_| is_of_parts).or(positive(given.memory));
        let while_waiting =
            || requested_memory(memory, requested, asked_nodes.or(nodes)).filter(|_| requested.is_some());
        // a log that counts only nodes is of a machine of nodes
        let allocated = allocated.or(if requested.is_none() { nodes } else { None });
        RowRequest {
            given: allocated.or(requested),
            asked: allocated.and(requested),
            nodes,
            asked_nodes,
            gpus: (given.gpus.or(asked.gpus).or(Some(0)), asked.gpus),
            memory: total.or(positive(asked.memory)).or(asked_memory),
            memory_while_waiting: positive(asked.memory).or_else(while_waiting),
            node_range: submit_line::node_range(&words, asked_nodes, nodes),
            asked_node_range: submit_line::node_range(&words, asked_nodes, asked_nodes),
            partition: submit_line::partition(&words).to_vec(),
            asked_limit: submit_line::limit(&words),
            options,
            is_odd,
            names_others: option_values(&words, b"--dependency", b"-d").next().is_some(),
            task_limit: submit_line::task_limit_of_submit_line(&words),
        }
    }

    /// A job of which nothing else is known.
    pub(super) fn job(&self) -> AccountedJob<'_> {
        AccountedJob {
            is_odd: self.is_odd,
            allocated: self.given,
            requested: self.given,
            asked: self.asked,
            waited: Waited {
                nodes: self.asked_nodes,
                gpus: self.gpus.1,
                memory: self.memory_while_waiting,
                node_range: self.asked_node_range,
                partition: &self.partition,
                limit: self.asked_limit,
            },
            nodes: self.nodes,
            gpus: self.gpus.0,
            memory: self.memory,
            node_range: self.node_range,
            options: self.options.as_ref(),
            ..AccountedJob::default()
        }
    }
}

/// How many requests are kept.
const PLACES: u64 = 1 << 12;

/// Of texts that are longer than this, bytes, only the last are kept.
const LONG: usize = 4_096;

/// The requests that were read last, each with its texts at the place that their digest names.
#[derive(Default)]
pub(super) struct RowRequests {
    places: Vec<Option<(Box<[u8]>, RowRequest)>>,
    texts: Vec<u8>,
}

impl RowRequests {
    /// The request of a row.
    pub(super) fn of(&mut self, fields: &SacctFields<'_>) -> &RowRequest {
        if self.places.is_empty() {
            self.places.resize_with(PLACES as usize, Default::default);
        }
        self.texts.clear();
        let texts = (0..).zip(TEXTS.map(|column| fields.get(column)));
        for (column, text) in texts.filter(|(_, text)| !text.is_empty()) {
            // with its column and its length no two rows have the same texts
            self.texts.push(column);
            self.texts.extend_from_slice(&(text.len() as u32).to_le_bytes());
            self.texts.extend_from_slice(text);
        }
        let place = if self.texts.len() > LONG { 0 } else { xxh3_64(&self.texts) % PLACES };
        let kept = &mut self.places[place as usize];
        if kept.as_ref().is_some_and(|(texts, _)| **texts != *self.texts) {
            *kept = None;
        }
        &kept.get_or_insert_with(|| (self.texts.as_slice().into(), RowRequest::of(fields))).1
    }
}

// States of Slurm's jobs.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::accounting) enum State {
    Pending,
    Running,
    /// It has ended; its status as SWF numbers it.
    Ended(i32),
}

const STATES: &[(&[u8], State)] = &[
    (b"COMPLETED", State::Ended(1)),
    (b"CANCELLED", State::Ended(5)),
    (b"FAILED", State::Ended(0)),
    (b"TIMEOUT", State::Ended(0)),
    (b"NODE_FAIL", State::Ended(0)),
    (b"PREEMPTED", State::Ended(0)),
    (b"OUT_OF_MEMORY", State::Ended(0)),
    (b"OUT_OF_ME", State::Ended(0)),
    (b"BOOT_FAIL", State::Ended(0)),
    (b"DEADLINE", State::Ended(0)),
    (b"REVOKED", State::Ended(5)),
    (b"REQUEUED", State::Ended(0)),
    (b"RESIZING", State::Running),
    (b"RUNNING", State::Running),
    (b"SUSPENDED", State::Running),
    (b"COMPLETING", State::Running),
    (b"STOPPED", State::Running),
    (b"PENDING", State::Pending),
    (b"CONFIGURING", State::Pending),
    (b"SPECIAL_EXIT", State::Ended(0)),
    (b"LAUNCH_FAILED", State::Ended(0)),
    (b"RECONFIG_FAIL", State::Ended(0)),
    (b"POWER_UP_NODE", State::Running),
    (b"SIGNALING", State::Running),
    (b"STAGE_OUT", State::Running),
    (b"UPDATE_DB", State::Running),
    (b"REQUEUE_FED", State::Pending),
    (b"REQUEUE_HOLD", State::Pending),
    (b"RESV_DEL_HOLD", State::Pending),
];

/// The state of a field: its first word, because a field may say `CANCELLED by 1000`.
pub(in crate::accounting) fn of(field: &[u8]) -> Option<State> {
    let word = field.split(|byte| matches!(byte, b' ' | b'+')).next()?;
    STATES.iter().find(|(name, _)| *name == word).map(|&(_, state)| state)
}

/// The state of a record, by its field and by whether the record has an end: one of a job that was resized has ended, and another
/// has what followed.
pub(in crate::accounting) fn of_record(field: &[u8], has_end: bool) -> Option<State> {
    let is_over = has_end && field.starts_with(b"RESIZING");
    if is_over { Some(State::Ended(1)) } else { of(field) }
}

/// The states in the order of their numbers in Slurm's data base.
const NUMBERED: [&[u8]; 12] = [
    b"PENDING",
    b"RUNNING",
    b"SUSPENDED",
    b"COMPLETED",
    b"CANCELLED",
    b"FAILED",
    b"TIMEOUT",
    b"NODE_FAIL",
    b"PREEMPTED",
    b"BOOT_FAIL",
    b"DEADLINE",
    b"OUT_OF_MEMORY",
];

/// The state that a number of Slurm's data base stands for.
pub(in crate::accounting) fn of_number(field: &[u8]) -> Option<&'static [u8]> {
    NUMBERED.get(std::str::from_utf8(field).ok()?.parse::<usize>().ok()?).copied()
}

pub(super) fn is_known(field: &[u8]) -> bool {
    of(field).is_some()
}

#[cfg(test)]
mod tests {
    use super::super::alignment::aligned;
    use super::super::columns::SacctColumns;
    use super::*;

    #[test]
    fn requests_that_are_kept_are_those_of_their_rows() {
        let columns = SacctColumns::of_header(b"JobID|State|ReqMem|NCPUS|ReqTRES|SubmitLine|NNodes|Timelimit").unwrap();
        let long = format!("sbatch --comment={} -p ", "x".repeat(LONG));
        let row = |number: u64| {
            // more requests than places, texts that share their letters, and long ones in between
            let submit = if number.is_multiple_of(7) { long.as_str() } else { "sbatch -p " };
            format!(
                "7|COMPLETED|{}G|{}|cpu={}|{submit}{} x|{}|60",
                number % 13,
                number % 11,
                number % 5,
                number % 97,
                number % 3
            )
        };
        let mut requests = RowRequests::default();
        for number in (0..20_000_u64).map(|number| number * number % 9_973) {
            let line = row(number);
            let mut fields = Vec::new();
            columns.split(line.as_bytes(), &mut fields);
            let found = aligned(&columns, line.as_bytes(), &fields, &[]);
            let (kept, plain) = (requests.of(&found).clone(), RowRequest::of(&found));
            assert_eq!(format!("{kept:?}"), format!("{plain:?}"), "{line}");
        }
    }
}
