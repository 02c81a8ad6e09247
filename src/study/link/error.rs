//! Why a link cannot be read.

/// Why a link cannot be read; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It does not look like one.
    #[error("this is no link to a result: what follows # should begin with v1.")]
    NotALink,
    /// Its version is not this one's.
    #[error("the link was made by a newer version of Packfair (v{0}); reload the page to get that version")]
    Newer(u32),
    /// Its end is missing.
    #[error("the link was cut short, perhaps by a mail or chat program; copy it again in full")]
    CutShort,
    /// It is not as it was made.
    #[error("the link is damaged: some of its characters have changed; copy it again in full")]
    Damaged,
    /// It is, or becomes, larger than any link made here.
    #[error("the link is larger than any that Packfair makes; it is not opened")]
    TooLarge,
    /// It speaks of something that this version does not have.
    #[error("the link's study cannot be read ({0}); if a newer version made it, reload the page")]
    Unknown(String),
    /// It holds more of something than there may be.
    #[error("the link speaks of {count} {what}, more than Packfair takes ({most}); it is not opened")]
    TooMany {
        /// How many.
        count: u64,
        /// Of what.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// Its study could not be run.
    #[error("the link's study is not valid: {}", .0.join("; "))]
    Study(Vec<String>),
}
