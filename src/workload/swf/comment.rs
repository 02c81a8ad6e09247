//! The comments at the head of a log.

use crate::workload::Header;

/// How much of the comments is kept, in bytes: more than any archive's log has, and a bound for files that only look
/// like logs.
const LIMIT: usize = 1 << 20;

/// The longest label, bytes.
const LABEL: usize = 40;

/// Collects `; Label: value` comments.
#[derive(Default)]
pub(super) struct Comments {
    header: Header,
    kept: usize,
    /// Whether an indented comment continues the last value.
    continues: bool,
}

impl Comments {
    /// Takes a comment, without the semicolons that begin it.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.kept = self.kept.saturating_add(bytes.len());
        if self.kept > LIMIT {
            return;
        }
        let text = decode(bytes);
        if let Some((label, value)) = labelled(&text) {
            self.header.labels.push((label.to_owned(), value.to_owned()));
            self.continues = true;
            return;
        }
        let value = text.trim();
        let indented = text.starts_with("  ") || text.starts_with('\t') || text.starts_with(" \t");
        match self.header.labels.last_mut() {
            Some((_, last)) if self.continues && indented && !value.is_empty() => {
                last.push('\n');
                last.push_str(value);
            }
            _ => self.continues = false,
        }
    }

    pub(super) fn finish(self) -> Header {
        self.header
    }
}

/// The label and the value of a comment of the form `Label: value`. An address (`http://...`) is not of this form.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.trim().split_once(':')?;
    let is_word = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let begins = label.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let is_label = is_word && begins && label.len() <= LABEL && !value.starts_with("//");
    is_label.then(|| (label, value.trim()))
}

/// Decodes UTF-8, or else Latin-1, in which any bytes are text.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header(comments: &[&[u8]]) -> Vec<(String, String)> {
        let mut collected = Comments::default();
        comments.iter().for_each(|comment| collected.push(comment));
        collected.finish().labels
    }

    fn pair(label: &str, value: &str) -> (String, String) {
        (label.to_owned(), value.to_owned())
    }

    #[test]
    fn keeps_labels_in_order_and_repeated() {
        let labels = header(&[b" MaxProcs: 100", b"Note:first", b" Note: second", b"Note:", b" a remark"]);
        assert_eq!(labels, [pair("MaxProcs", "100"), pair("Note", "first"), pair("Note", "second"), pair("Note", "")]);
    }

    #[test]
    fn continues_values_with_indented_comments() {
        let labels = header(&[b" Information: http://a/", b"              http://b/", b"", b"   lost"]);
        assert_eq!(labels, [pair("Information", "http://a/\nhttp://b/")]);
    }

    #[test]
    fn reads_utf8_and_latin1() {
        let labels = header(&["Computer: Zürich".as_bytes(), b"Computer: Z\xfcrich"]);
        assert_eq!(labels, [pair("Computer", "Zürich"), pair("Computer", "Zürich")]);
    }

    #[test]
    fn stops_at_its_limit() {
        let comment = [b" Note: ".as_slice(), &[b'x'; 1 << 16]].concat();
        let labels = header(&vec![comment.as_slice(); 40]);
        assert_eq!(labels.len(), 15);
    }
}
