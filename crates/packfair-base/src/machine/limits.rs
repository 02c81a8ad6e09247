//! How large a machine may be.

/// The most cells of a machine. Real machines have about ten classes of nodes.
pub const MOST_CELLS: usize = 1_000;

/// The most changes of a calendar: several a day for a hundred years.
pub const MOST_CHANGES: usize = 100_000;

/// The most processors of a machine that is simulated, wherever their number comes from. The largest machines have some
/// ten million.
pub const MOST_PROCESSORS: u32 = 100_000_000;
