//! The names under which a dynP run reports what happened to its policies (DYNP Tables 4 to 6).

use crate::model::NoteId;

/// Jobs started under each policy; in parts by policy.
pub const STARTED: NoteId = NoteId("started");
/// Decisions.
pub const TRIES: NoteId = NoteId("tries");
/// Tries that ended with another policy than before; in parts by the policy after.
pub const SWITCHES: NoteId = NoteId("switches");
/// Tries that ended with the policy before.
pub const SAME_POLICY: NoteId = NoteId("same_policy");
/// Jobs that waited at the tries, summed up.
pub const BACKLOG: NoteId = NoteId("backlog");
/// How often each case of DYNP Table 1 occurred; in parts by case.
pub const CASES: NoteId = NoteId("case");
/// Tries in which the two deciders would choose differently.
pub const DIFFERING: NoteId = NoteId("deciders_differ");
/// Which policy was in force when, as its place in [`crate::scheduler::Order::OPTIONS`]; a course.
pub const POLICY: NoteId = NoteId("policy");
