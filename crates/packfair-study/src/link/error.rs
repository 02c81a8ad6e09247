//! Why a link cannot be read.

/// Why a link cannot be read; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// The text does not look like a link.
    #[error("this is no link to a result: what follows # should begin with v1.")]
    NotALink,
    /// The link has a newer version.
    #[error("the link was made by a newer version of Packfair (v{0}); reload the page to get that version")]
    Newer(u32),
    /// The end of the link is missing.
    #[error("the link was cut short, perhaps by a mail or chat program; copy it again in full")]
    CutShort,
    /// Some characters of the link have changed.
    #[error("the link is damaged: some of its characters have changed; copy it again in full")]
    Damaged,
    /// The link is, or inflates to, more than any link made here.
    #[error("the link is larger than any that Packfair makes; it is not opened")]
    TooLarge,
    /// The link names something that this version does not have.
    #[error("the link's study cannot be read ({0}); if a newer version made it, reload the page")]
    Unknown(String),
    /// The link holds more of something than is allowed.
    #[error("the link speaks of {count} {what}, more than Packfair takes ({most}); it is not opened")]
    TooMany {
        /// How many there are.
        count: u64,
        /// The things that are too many.
        what: &'static str,
        /// The limit.
        most: u64,
    },
    /// The link's study cannot be run.
    #[error("the link's study is not valid: {}", .0.join("; "))]
    Study(Vec<String>),
}
