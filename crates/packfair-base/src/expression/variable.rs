//! The variables of formulas: what a formula can know of a job and of the present.

/// A value that a formula names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Variable {
    /// How long the job has waited, seconds.
    Wait,
    /// When it was submitted, seconds of the log.
    Submit,
    /// The present, seconds of the log.
    Now,
    /// Its estimated run time E, seconds.
    Estimate,
    /// The run time that its user asked for, seconds.
    Requested,
    Processors,
    /// Its estimated area r E, processor-seconds.
    Area,
    /// Processor-seconds that its user has used lately.
    UserUsage,
    UserRunning,
    UserWaiting,
    /// How many jobs wait.
    QueueLength,
    /// Idle processors at the beginning of the round.
    Free,
    /// Hour of the day, 0 to 23, in the log's zone.
    Hour,
    /// Day of the week, 1 (Monday) to 7, in the log's zone.
    Weekday,
    /// 1 where a classifier takes the job for small, else 0.
    Class,
    /// How many nodes it asks for, or equal parts each within one node.
    Nodes,
    /// How many GPUs it asks for in all.
    Gpus,
    /// How much memory it asks for in all, MiB.
    Memory,
    /// Processor-seconds that its account has used lately.
    AccountUsage,
    /// The share factor of its user, from 1 for one who has used nothing lately to 0.
    Share,
}

/// What has to be known for the value of a variable. Each includes those before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum VariableNeeds {
    /// What is fixed at the job's submission.
    Request,
    Estimate,
    Time,
    /// The other running and waiting jobs.
    Cluster,
}

/// A line of the list of variables.
#[derive(Clone, Copy, Debug)]
pub struct VariableLine {
    pub variable: Variable,
    pub id: &'static str,
    /// Its unit; empty where it is a plain number.
    pub unit: &'static str,
    pub help: &'static str,
    pub needs: VariableNeeds,
    /// Other names for it: a message tells a user who writes one the right name.
    pub also: &'static [&'static str],
}

const fn line(
    variable: Variable,
    id: &'static str,
    unit: &'static str,
    help: &'static str,
    needs: VariableNeeds,
    also: &'static [&'static str],
) -> VariableLine {
    VariableLine { variable, id, unit, help, needs, also }
}

/// All variables, in the order of the enum.
pub const VARIABLES: &[VariableLine] = &{
    use VariableNeeds::{Cluster, Estimate, Request, Time};
    [
        line(Variable::Wait, "wait", "s", "how long the job has waited", Time, &["age", "waiting", "w", "waittime"]),
        line(Variable::Submit, "submit", "s", "when it was submitted", Request, &["arrival", "submitted", "s", "q"]),
        line(Variable::Now, "now", "s", "the present", Time, &["time", "t"]),
        line(
            Variable::Estimate,
            "estimate",
            "s",
            "its estimated run time",
            Estimate,
            &["runtime", "run", "duration", "expected", "e", "p"],
        ),
        line(
            Variable::Requested,
            "requested",
            "s",
            "the run time that its user asked for",
            Request,
            &["walltime", "limit", "timelimit", "requesttime", "reqtime", "wallclock"],
        ),
        line(
            Variable::Processors,
            "processors",
            "",
            "its processors",
            Request,
            &["procs", "cpus", "cores", "width", "size", "ncpus", "r", "n"],
        ),
        line(Variable::Area, "area", "s", "processors times estimate", Estimate, &["work", "volume"]),
        line(
            Variable::UserUsage,
            "user_usage",
            "s",
            "processor-seconds its user has had, half of them forgotten every 7 days",
            Cluster,
            &["usage"],
        ),
        line(Variable::UserRunning, "user_running", "", "how many jobs of its user run", Cluster, &["running"]),
        line(
            Variable::UserWaiting,
            "user_waiting",
            "",
            "how many jobs of its user wait, itself among them",
            Cluster,
            &["user_queued"],
        ),
        line(Variable::QueueLength, "queue_length", "", "how many jobs wait", Cluster, &["queue", "queued", "backlog"]),
        line(
            Variable::Free,
            "free",
            "",
            "idle processors at the beginning of the round",
            Cluster,
            &["idle", "available"],
        ),
        line(Variable::Hour, "hour", "", "hour of the day, 0 to 23", Time, &["hours"]),
        line(Variable::Weekday, "weekday", "", "day of the week, 1 (Monday) to 7", Time, &["day", "dow"]),
        line(
            Variable::Class,
            "class",
            "",
            "1 for a job classified as small by a classifier, else 0",
            Request,
            &["small"],
        ),
        line(
            Variable::Nodes,
            "nodes",
            "",
            "how many nodes, or parts within a node, it asks for",
            Request,
            &["parts", "nnodes"],
        ),
        line(Variable::Gpus, "gpus", "", "GPUs it asks for in all", Request, &["gpu", "gres"]),
        line(Variable::Memory, "memory", "MiB", "memory it asks for in all", Request, &["mem", "ram"]),
        line(
            Variable::AccountUsage,
            "account_usage",
            "s",
            "processor-seconds its account (the log's group) has had, half of them forgotten every 7 days",
            Cluster,
            &["group_usage", "project_usage"],
        ),
        line(
            Variable::Share,
            "share",
            "",
            "1 for a user who has had nothing of the machine lately, 1/2 for one who has had exactly their share, near 0 \
             for one who has had much more, as Slurm's fair share (half of it forgotten every 7 days, calculated every 5 \
             minutes)",
            Cluster,
            &["fairshare", "user_share", "fair_share"],
        ),
    ]
};

pub(super) const COUNT: usize = VARIABLES.len();

impl Variable {
    /// The variable's line in [`VARIABLES`].
    pub fn line(self) -> &'static VariableLine {
        &VARIABLES[self as usize]
    }

    pub(super) fn from_id(id: &str) -> Option<Self> {
        VARIABLES.iter().find(|line| line.id == id).map(|line| line.variable)
    }
}

// The functions of formulas.

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Function {
    /// The least of its arguments.
    Min,
    /// The largest of its arguments.
    Max,
    /// The value without its sign.
    Abs,
    /// Square root.
    Sqrt,
    /// e to the power of the value.
    Exp,
    /// Natural logarithm.
    Ln,
    /// The first to the power of the second.
    Pow,
    /// The largest whole number that is not above it.
    Floor,
    /// The second where the first is true, else the third.
    If,
}

/// All functions: each with its name, the number of its arguments, and that in words.
pub const FUNCTIONS: &[(Function, &str, std::ops::RangeInclusive<usize>, &str)] = &[
    (Function::Min, "min", 2..=8, "two values or more, up to 8"),
    (Function::Max, "max", 2..=8, "two values or more, up to 8"),
    (Function::Abs, "abs", 1..=1, "one value"),
    (Function::Sqrt, "sqrt", 1..=1, "one value"),
    (Function::Exp, "exp", 1..=1, "one value"),
    (Function::Ln, "ln", 1..=1, "one value"),
    (Function::Pow, "pow", 2..=2, "two values"),
    (Function::Floor, "floor", 1..=1, "one value"),
    (Function::If, "if", 3..=3, "three values: a condition, and what counts if it holds and if not"),
];

impl Function {
    pub(super) fn from_id(id: &str) -> Option<Self> {
        FUNCTIONS.iter().find(|(_, name, ..)| *name == id).map(|(function, ..)| *function)
    }

    /// Its name, the number of its arguments, and that in words.
    pub(super) fn line(self) -> (&'static str, std::ops::RangeInclusive<usize>, &'static str) {
        let line = FUNCTIONS.iter().find(|(function, ..)| *function == self);
        // every function has a line, as a test checks
        line.map_or(("", 0..=0, ""), |(_, name, count, takes)| (*name, count.clone(), *takes))
    }
}
