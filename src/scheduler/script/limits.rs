//! Limits of scripts. No sensible script comes near them, and no other script does harm within them.

/// The default limit of operations in a round, in millions. A round of EASY over a queue of 10,000 jobs takes a tenth.
pub const USUAL_MILLIONS: i64 = 5;

/// The highest limit that can be set, in millions of operations.
pub const MOST_MILLIONS: i64 = 1_000;

/// A run may take this many times the operations of a round.
const ROUNDS: u64 = 1_000;

/// The limit of operations when a script is read: the statements outside its functions.
const OUTSIDE: u64 = 100_000;

/// The longest arrays and largest maps of a script, counted with all that they contain. The jobs of a queue are no
/// array, and may be more. Nested values are walked recursively, on a stack of which a worker has 1 MB.
pub(super) const LONGEST_ARRAY: usize = 1_000;

/// The longest text of a script, bytes.
pub(super) const LONGEST_TEXT: usize = 10_000;

/// The deepest nesting of calls.
pub(super) const DEEPEST_CALLS: usize = 12;

/// The deepest nesting of expressions, inside and outside functions.
pub(super) const DEEPEST: usize = 32;

/// The most variables of a function at a time.
pub(super) const MOST_VARIABLES: usize = 200;

pub(super) const MOST_FUNCTIONS: usize = 200;

/// The most rounds in a row that a script may ask for while nothing happens.
const MOST_QUIET: u32 = 100_000;

/// The most kills of a script, for each job that has arrived.
pub(super) const MOST_KILLS: u64 = 20;

/// What a script may use, and what is left of it in a run.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The operations that reading the script may take.
    outside: u64,
    of_round: u64,
    of_run: u64,
    /// The rounds in a row that the script may ask for while nothing happens.
    quiet: u32,
    left: u64,
}

impl Allowance {
    /// The allowance with this many million operations in a round.
    pub(super) fn of_millions(millions: i64) -> Self {
        let of_round = millions.clamp(1, MOST_MILLIONS) as u64 * 1_000_000;
        let of_run = of_round * ROUNDS;
        Allowance { outside: OUTSIDE, of_round, of_run, quiet: MOST_QUIET, left: of_run }
    }

    /// A small allowance, under which scripts that never end fail at once. It is for tests that try many scripts.
    pub fn of_thousands(thousands: u64) -> Self {
        let of_round = thousands * 1_000;
        let of_run = of_round * 10;
        Allowance { outside: of_round, of_round, of_run, quiet: 100, left: of_run }
    }

    /// The same allowance at the beginning of a run.
    pub(super) fn anew(self) -> Self {
        Allowance { left: self.of_run, ..self }
    }

    /// The operations that reading the script may take.
    pub(super) fn of_reading(self) -> u64 {
        self.outside
    }

    /// The operations that one call may take.
    pub(super) fn of_call(self) -> u64 {
        self.of_round
    }

    /// How often in a row the script may ask to be called again while nothing happens.
    pub(super) fn of_quiet(self) -> u32 {
        self.quiet
    }

    /// Takes the operations of a call from what is left in the run.
    ///
    /// # Errors
    /// If nothing is left: a sentence that says so.
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
