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

/// What idled on nodes of which the rest was taken, while jobs waited.
pub mod stranded {
    use crate::model::NoteId;

    /// The resources that are told apart.
    pub const RESOURCES: [&str; 3] = ["processors", "gpus", "memory"];
    /// What is in the way of a job that wants a node for itself.
    pub const OTHERS: &str = "others";
    /// How much of each resource idled, times seconds; sums.
    pub const IDLE: [NoteId; 3] = [NoteId("idle_processors"), NoteId("idle_gpus"), NoteId("idle_memory")];
    /// How much of that no waiting job could use, because the rest of its node was taken; sums.
    pub const STRANDED: [NoteId; 3] =
        [NoteId("stranded_processors"), NoteId("stranded_gpus"), NoteId("stranded_memory")];
    /// The nodes on which that was, the processors held there and those that they have, in the mean; in parts by the
    /// resource, what was in the way, and which of the three.
    pub const BEHIND: NoteId = NoteId("stuck_behind");
}
