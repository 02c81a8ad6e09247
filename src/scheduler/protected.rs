//! Whom a job that starts at once may not delay.

/// Which jobs move earlier under delayed compression although they cannot start now, so that others do not take their
/// room.
///
/// The paper finds that DC is unfair by fair starts (§4.1): a job that could start soon keeps its old, late start while
/// others are let in before it. It asks for a modification that avoids that (§6). `First` and `Higher` are
/// modifications of this project.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Protected {
    Nobody,
    /// In every round the first job by priority that does not start now, as EASY protects the head of its queue.
    First,
    /// All jobs of higher priority than a job that could start now, as where such a job arrives. Compression is still
    /// delayed as long as no job of lower priority is about to take what it would use.
    Higher,
}
