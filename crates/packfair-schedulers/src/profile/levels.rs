//! Whether the levels of a profile stay high enough.

/// Whether levels stay high enough for some time.
#[derive(Debug)]
pub(super) enum Levels<P> {
    /// They stay high enough. Holds the place after the last step of that time.
    Hold(P),
    /// They do not. Holds the place of the first step whose level is too low.
    LowAt(P),
}

impl<P> Levels<P> {
    /// Whether levels stay high enough.
    #[inline(always)]
    pub(super) fn hold(&self) -> bool {
        matches!(self, Levels::Hold(_))
    }

    #[inline(always)]
    pub(super) fn map<Q>(self, place: impl FnOnce(P) -> Q) -> Levels<Q> {
        match self {
            Levels::Hold(after) => Levels::Hold(place(after)),
            Levels::LowAt(low) => Levels::LowAt(place(low)),
        }
    }
}
