//! Texts in UTF-16 and UTF-32, as spreadsheets and shells on Windows save them, as UTF-8: the same for every file that a
//! person gives.

use std::borrow::Cow;
use std::io::{self, Cursor, Read};

/// How many first bytes tell the encoding.
pub const HEAD: usize = 256;

/// The mark with which a text in UTF-8 may begin.
pub const MARK: &[u8] = b"\xef\xbb\xbf";

/// The order of bytes and the width of an encoding whose units are wider than a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WideEncoding {
    /// Bytes of a unit: 2 of UTF-16, 4 of UTF-32.
    width: usize,
    is_little: bool,
}

const ALL: [WideEncoding; 4] = [
    WideEncoding { width: 4, is_little: true },
    WideEncoding { width: 4, is_little: false },
    WideEncoding { width: 2, is_little: true },
    WideEncoding { width: 2, is_little: false },
];

impl WideEncoding {
    /// The encoding of a text that begins with `head`, by its mark, or by where its bytes of zero are; none where its units
    /// are bytes. The first [`HEAD`] bytes suffice.
    #[inline(never)]
    pub fn of(head: &[u8]) -> Option<Self> {
        let head = &head[..head.len().min(HEAD)];
        // the mark of UTF-32 begins with that of UTF-16
        let marked = ALL.into_iter().find(|encoding| encoding.units(head).next() == Some(0xFEFF));
        marked.or_else(|| ALL.into_iter().find(|encoding| head.contains(&0) && encoding.is_plausible(head)))
    }

    /// The name of the encoding, for messages.
    pub fn name(self) -> &'static str {
        if self.width == 4 { "UTF-32" } else { "UTF-16" }
    }

    /// Whether these are the first bytes of a text without a mark: letters and signs alone, many of them of English.
    fn is_plausible(self, head: &[u8]) -> bool {
        let is_written = |unit: u32| match char::from_u32(unit) {
            Some(letter) => !letter.is_control() || letter.is_ascii_whitespace(),
            // a half of a pair
            None => self.width == 2,
        };
        let ascii = self.units(head).filter(|&unit| unit < 0x80).count();
        let count = head.len() / self.width;
        count > 1 && 3 * ascii >= count && self.units(head).all(is_written)
    }

    fn units(self, bytes: &[u8]) -> impl Iterator<Item = u32> {
        bytes.chunks_exact(self.width).map(move |unit| {
            let add = |sum: u32, &byte: &u8| sum << 8 | u32::from(byte);
            if self.is_little { unit.iter().rev().fold(0, add) } else { unit.iter().fold(0, add) }
        })
    }

    /// The text of these bytes, and how many of them it took: those of a letter that is not complete wait for more, unless
    /// this is the end. What is no letter becomes the mark for unreadable ones.
    pub fn decode(self, bytes: &[u8], is_end: bool) -> (String, usize) {
        let mut taken = bytes.len() / self.width * self.width;
        let last = self.units(&bytes[..taken]).last();
        if self.width == 2 && !is_end && last.is_some_and(|unit| (0xD800..0xDC00).contains(&unit)) {
            taken -= 2;
        }
        let units = self.units(&bytes[..taken]);
        let text = if self.width == 2 {
            // a unit of two bytes fits
            char::decode_utf16(units.map(|unit| unit as u16))
                .map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER))
                .collect()
        } else {
            units.map(|unit| char::from_u32(unit).unwrap_or(char::REPLACEMENT_CHARACTER)).collect()
        };
        (text, taken)
    }
}

/// The content of a file in UTF-8, if it is a text, without a mark of its encoding. Bytes that are no text stay as they are.
#[inline(never)]
pub fn as_utf8(content: &[u8]) -> Cow<'_, [u8]> {
    match WideEncoding::of(content) {
        None => Cow::Borrowed(content.strip_prefix(MARK).unwrap_or(content)),
        Some(encoding) => {
            let (text, _) = encoding.decode(content, true);
            Cow::Owned(match text.strip_prefix('\u{feff}') {
                Some(unmarked) => unmarked.into(),
                None => text.into_bytes(),
            })
        }
    }
}

// Text of files and file names in a form that is safe to show.

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

// Text in encodings wider than a byte, as UTF-8, while it is read.

/// Bytes that are decoded at once.
const PIECE: u64 = 32 * 1024;

/// The bytes of a source, in UTF-8 if they are text in UTF-16 or UTF-32.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn utf8_reader<'a>(mut source: Box<dyn Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = Vec::with_capacity(HEAD);
    source.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let encoding = WideEncoding::of(&head);
    let whole = Cursor::new(head).chain(source);
    Ok(match encoding {
        None => Box::new(whole),
        Some(encoding) => Box::new(WideText { source: whole, encoding, text: Vec::new(), given: 0, left: Vec::new() }),
    })
}

/// Decodes a text. What is no letter becomes the mark for unreadable ones.
struct WideText<R> {
    source: R,
    encoding: WideEncoding,
    /// Decoded text, of which this much was given.
    text: Vec<u8>,
    given: usize,
    /// Bytes of a letter that wait for others.
    left: Vec<u8>,
}

impl<R: Read> WideText<R> {
    /// Decodes more text; none at the end.
    fn decode(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.left);
        let before = bytes.len();
        self.source.by_ref().take(PIECE).read_to_end(&mut bytes)?;
        let is_end = bytes.len() == before;
        let (text, taken) = self.encoding.decode(&bytes, is_end);
        (self.text, self.given) = (text.into_bytes(), 0);
        if !is_end {
            self.left = bytes[taken..].to_vec();
        }
        Ok(())
    }
}

impl<R: Read> Read for WideText<R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        while self.given == self.text.len() {
            let waiting = self.left.len();
            self.decode()?;
            if self.text.is_empty() && (self.left.is_empty() || self.left.len() == waiting) {
                return Ok(0);
            }
        }
        let length = into.len().min(self.text.len() - self.given);
        into[..length].copy_from_slice(&self.text[self.given..self.given + length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A text in an encoding.
    fn encoded(text: &str, WideEncoding { width, is_little }: WideEncoding) -> Vec<u8> {
        let units: Vec<u32> = if width == 2 {
            text.encode_utf16().map(u32::from).collect()
        } else {
            text.chars().map(u32::from).collect()
        };
        let bytes = |unit: u32| match (width, is_little) {
            (2, true) => (unit as u16).to_le_bytes().to_vec(),
            (2, false) => (unit as u16).to_be_bytes().to_vec(),
            (_, true) => unit.to_le_bytes().to_vec(),
            (_, false) => unit.to_be_bytes().to_vec(),
        };
        units.into_iter().flat_map(bytes).collect()
    }

    #[test]
    fn every_encoding_is_told_with_and_without_its_mark() {
        for text in ["a,b\n", "Größe;Zahl\r\n1;2\r\n", "名前,submit,run\n1,2,3\n", "😀,1\n2,3\n"] {
            for encoding in ALL {
                for mark in ["", "\u{feff}"] {
                    let bytes = encoded(&[mark, text].concat(), encoding);
                    assert_eq!(WideEncoding::of(&bytes), Some(encoding), "{text:?} {mark:?}");
                    assert_eq!(String::from_utf8_lossy(&as_utf8(&bytes)), text, "{encoding:?}");
                }
            }
            assert_eq!(as_utf8(text.as_bytes()), text.as_bytes());
            assert_eq!(as_utf8(&[MARK, text.as_bytes()].concat()), text.as_bytes());
        }
    }

    #[test]
    fn what_is_no_text_stays_as_it_is() {
        for bytes in [&b""[..], b"a", b"\0", b"a\0", &[0; 300], b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", b"PAR1\x15\x04\0\x15"]
        {
            assert_eq!((WideEncoding::of(bytes), &*as_utf8(bytes)), (None, bytes), "{bytes:?}");
        }
        // an archive of tar begins with a name and zero bytes behind it
        let tar = [&b"a"[..], &[0; 99], b"0000644\0"].concat();
        assert_eq!(WideEncoding::of(&tar), None);
    }

    #[test]
    fn letters_that_are_cut_wait_for_more() {
        for encoding in ALL {
            let bytes = encoded("😀", encoding);
            for cut in 1..4 {
                assert_eq!(encoding.decode(&bytes[..cut], false), (String::new(), 0), "{encoding:?} {cut}");
            }
            assert_eq!(encoding.decode(&bytes, false), ("😀".to_owned(), 4));
        }
        let (text, _) = ALL[2].decode(&[0x3D, 0xD8], true);
        assert_eq!(text, "\u{fffd}");
        assert_eq!(ALL[0].decode(&[0xFF; 4], true).0, "\u{fffd}");
    }
}

#[cfg(test)]
mod printable_tests {
    use super::*;

    #[test]
    fn what_would_be_obeyed_is_not_passed_on() {
        assert_eq!(printable("KTH-SP2 Zürich 東京.swf"), "KTH-SP2 Zürich 東京.swf");
        assert_eq!(printable("a\u{1b}[2Jb\nc\u{202e}d\u{9b}e"), "a\u{fffd}[2Jb\u{fffd}c\u{fffd}d\u{fffd}e");
    }
}

#[cfg(test)]
mod wide_text_tests {
    use super::*;

    /// Gives so many bytes at a time.
    struct Pieces<'a>(&'a [u8], usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
            let length = self.1.min(into.len());
            self.0.read(&mut into[..length])
        }
    }

    const TABLE: &str = "id;name;submit;run;cores\n1;Größe 😀;1700000000;60;4\n2;x;1700000005;60;8\n";

    fn encoded(text: &str, is_little: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = [mark, text].concat().encode_utf16().collect::<Vec<u16>>();
        units.into_iter().flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    fn encoded_in_32_bits(text: &str, is_little: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = [mark, text].concat().chars().map(u32::from).collect::<Vec<u32>>();
        units.into_iter().flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn it_is_read_as_the_same_text_in_utf_8() {
        for (is_little, mark) in [(true, true), (false, true), (true, false), (false, false)] {
            for bytes in [encoded(TABLE, is_little, mark), encoded_in_32_bits(TABLE, is_little, mark)] {
                for piece in [1, 3, 7, 1_000] {
                    let mut text = String::new();
                    utf8_reader(Box::new(Pieces(&bytes, piece))).unwrap().read_to_string(&mut text).unwrap();
                    assert_eq!(text.trim_start_matches('\u{feff}'), TABLE, "{is_little} {mark} {piece}");
                }
            }
        }
    }

    #[test]
    fn long_texts_and_broken_ones_come_to_their_end() {
        let long = "😀".repeat(40_000);
        for cut in [0, 1, 2, 3] {
            let mut bytes = encoded(&long, true, true);
            bytes.truncate(bytes.len() - cut);
            let mut text = String::new();
            utf8_reader(Box::new(bytes.as_slice())).unwrap().read_to_string(&mut text).unwrap();
            let whole = text.matches('😀').count();
            assert_eq!(whole, if cut == 0 { 40_000 } else { 39_999 });
        }
    }
}
