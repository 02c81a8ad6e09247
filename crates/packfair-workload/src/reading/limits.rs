//! How large a log may be. A small gzip file can hold very much text, so the limits are for the unpacked text.

/// What a log may hold at most. Checked while the log is unpacked, so that a larger one takes no more memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// The most jobs. Each takes some 200 bytes while it is read and cleaned.
    pub jobs: usize,
    /// The most bytes of text, unpacked.
    pub text: u64,
    /// The most records that may be not understood, of a thousand that should be jobs.
    pub lost: u32,
}

impl Default for Limits {
    /// Ten times the jobs of the longest public log, within some 3 GB of memory.
    fn default() -> Self {
        Limits { jobs: 10_000_000, text: 8_000_000_000, lost: Limits::ALL_LOST }
    }
}

impl Limits {
    /// Of [`Limits::lost`]: however many are not understood, the others are read.
    pub const ALL_LOST: u32 = 1_000;
    /// Of [`Limits::lost`]: above this the person is asked first.
    pub const LOST_UNASKED: u32 = 10;
}

/// The longest line that is kept whole. The longest lines of archives, with lists of hosts after the fields, have some
/// thousand bytes.
pub(crate) const LONGEST_LINE: usize = 64 * 1024;
