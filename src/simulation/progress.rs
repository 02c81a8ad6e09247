//! How far a simulation has come.

/// How far a simulation has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub completed: usize,
    pub jobs: usize,
}

impl Progress {
    /// Whether every job has completed.
    pub fn is_done(self) -> bool {
        self.completed == self.jobs
    }
}
