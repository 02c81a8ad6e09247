//! What a script may take: so much that no sensible one comes near it, and so little that no other one does harm.

/// Operations of a round, in millions, where nothing is said: a round of EASY over a queue of 10,000 jobs takes a tenth.
pub const USUAL_MILLIONS: i64 = 5;

/// Most that can be asked for.
pub const MOST_MILLIONS: i64 = 1_000;

/// So many times the operations of a round a run may take in all.
const ROUNDS: u64 = 1_000;

/// Operations of reading a script: what stands outside its functions.
const OUTSIDE: u64 = 100_000;

/// Longest arrays and largest maps of a script, with all that is in them. The jobs of a queue are no array, and may be more. What
/// lies within each other is walked with the stack, of which a worker has 1 MB.
pub(super) const LONGEST_ARRAY: usize = 1_000;

/// Longest texts of a script, bytes.
pub(super) const LONGEST_TEXT: usize = 10_000;

/// Calls within calls.
pub(super) const DEEPEST_CALLS: usize = 12;

/// Expressions within expressions, outside functions and in them.
pub(super) const DEEPEST: usize = 32;

/// Variables of a function at once.
pub(super) const MOST_VARIABLES: usize = 200;

/// Functions of a script.
pub(super) const MOST_FUNCTIONS: usize = 200;

/// Rounds in a row that a script may ask for while nothing happens.
const MOST_QUIET: u32 = 100_000;

/// Kills for each job that has arrived.
pub(super) const MOST_KILLS: u64 = 20;

/// What a script may take, and what is left of it in a run.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// Operations of reading it.
    outside: u64,
    of_round: u64,
    of_run: u64,
    /// Rounds in a row that it may ask for while nothing happens.
    quiet: u32,
    left: u64,
}

impl Allowance {
    /// So many million operations in a round.
    pub(super) fn of_millions(millions: i64) -> Self {
        let of_round = millions.clamp(1, MOST_MILLIONS) as u64 * 1_000_000;
        let of_run = of_round * ROUNDS;
        Allowance { outside: OUTSIDE, of_round, of_run, quiet: MOST_QUIET, left: of_run }
    }

    /// So little that scripts which never end are told so at once: for those that try many.
    pub fn of_thousands(thousands: u64) -> Self {
        let of_round = thousands * 1_000;
        let of_run = of_round * 10;
        Allowance { outside: of_round, of_round, of_run, quiet: 100, left: of_run }
    }

    /// The same of a run that begins.
    pub(super) fn anew(self) -> Self {
        Allowance { left: self.of_run, ..self }
    }

    /// What reading it may take.
    pub(super) fn of_reading(self) -> u64 {
        self.outside
    }

    /// What one call may take.
    pub(super) fn of_call(self) -> u64 {
        self.of_round
    }

    /// How often in a row it may ask to be called again while nothing happens.
    pub(super) fn of_quiet(self) -> u32 {
        self.quiet
    }

    /// A call has taken so many.
    ///
    /// # Errors
    /// In all these are too many: a sentence.
    pub(super) fn take(&mut self, spent: u64) -> Result<(), String> {
        self.left = self.left.saturating_sub(spent);
        if self.left == 0 {
            let most = self.of_run / 1_000_000;
            return Err(format!(
                "in all it has taken more than {most} million operations; give it a higher limit, or less to do in a round"
            ));
        }
        Ok(())
    }
}
