//! Why a link cannot be read.

/// Why a link cannot be read; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    #[error("this is no link to a result: what follows # should begin with v1.")]
    NotALink,
    #[error("the link was made by a newer version of Packfair (v{0}); reload the page to get that version")]
    Newer(u32),
    #[error("the link was cut short, perhaps by a mail or chat program; copy it again in full")]
    CutShort,
    #[error("the link is damaged: some of its characters have changed; copy it again in full")]
    Damaged,
    #[error("the link is larger than any that Packfair makes; it is not opened")]
    TooLarge,
    #[error("the link's study cannot be read ({0}); if a newer version made it, reload the page")]
    Unknown(String),
    #[error("the link speaks of {count} {what}, more than Packfair takes ({most}); it is not opened")]
    TooMany {
        count: u64,
        /// The things that are too many.
        what: &'static str,
        most: u64,
    },
    #[error("the link's study is not valid: {}", .0.join("; "))]
    Study(Vec<String>),
}
