//! Text of files and file names in a form that is safe to show.

/// `text` without what a terminal or a page would obey instead of showing it: control characters, and those that
/// change the direction of writing. Each becomes U+FFFD.
pub fn printable(text: &str) -> String {
    text.chars().map(|c| if is_obeyed(c) { char::REPLACEMENT_CHARACTER } else { c }).collect()
}

/// Whether a character is a command rather than a sign: control characters, marks, embeddings, overrides and isolates
/// of direction, and separators of lines and paragraphs.
fn is_obeyed(c: char) -> bool {
    c.is_control()
        || matches!(c, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_be_obeyed_is_not_passed_on() {
        assert_eq!(printable("KTH-SP2 Zürich 東京.swf"), "KTH-SP2 Zürich 東京.swf");
        assert_eq!(printable("a\u{1b}[2Jb\nc\u{202e}d\u{9b}e"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e");
    }
}
