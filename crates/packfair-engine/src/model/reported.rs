//! The names of the notes that single families write: known to these families and to the metrics that read the notes.

/// Notes of dynP (DYNP Tables 4 to 6).
pub mod dynp {
    use crate::model::NoteId;

    /// Jobs started under each policy; in parts by policy.
    pub const STARTED: NoteId = NoteId("started");
    /// Decisions for a policy; a count.
    pub const TRIES: NoteId = NoteId("tries");
    /// Tries that ended with another policy than before; in parts by the policy after.
    pub const SWITCHES: NoteId = NoteId("switches");
    /// Tries that ended with the policy before; a count.
    pub const SAME_POLICY: NoteId = NoteId("same_policy");
    /// Jobs that waited at the tries; a sum.
    pub const BACKLOG: NoteId = NoteId("backlog");
    /// How often each case of DYNP Table 1 occurred; in parts by case.
    pub const CASES: NoteId = NoteId("case");
    /// Tries in which the two deciders would choose differently; a count.
    pub const DIFFERING: NoteId = NoteId("deciders_differ");
    /// The policy in force, as its place among all policies of dynP; a course.
    pub const POLICY: NoteId = NoteId("policy");
}

/// Notes of optimised rounds.
pub mod optimised {
    use crate::model::NoteId;

    /// Rounds that were planned a second time, by all orders; a count.
    pub const GAP_ROUNDS: NoteId = NoteId("opt_gap_rounds");
    /// Those of these rounds whose plan was not a best one; a count.
    pub const GAP_MISSED: NoteId = NoteId("opt_gap_missed");
    /// By how much the objectives of all plans exceed the best ones, a hundred times; a sum.
    pub const GAP_EXCESS: NoteId = NoteId("opt_gap_excess");
    /// The best objectives; a sum.
    pub const GAP_LEAST: NoteId = NoteId("opt_gap_least");
    /// How often the weights changed, where they adapt; a count.
    pub const CHANGES: NoteId = NoteId("opt_changes");
}
