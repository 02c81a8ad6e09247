//! Text in encodings wider than a byte, as UTF-8, while it is read.

use crate::encoding::{HEAD, WideEncoding};
use std::io::{self, Cursor, Read};

/// Bytes that are decoded at once.
const PIECE: u64 = 32 * 1024;

/// The bytes of a source, in UTF-8 if they are text in UTF-16 or UTF-32.
///
/// # Errors
/// If the first bytes cannot be read.
pub fn as_utf8<'a>(mut source: Box<dyn Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
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
                    as_utf8(Box::new(Pieces(&bytes, piece))).unwrap().read_to_string(&mut text).unwrap();
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
            as_utf8(Box::new(bytes.as_slice())).unwrap().read_to_string(&mut text).unwrap();
            let whole = text.matches('😀').count();
            assert_eq!(whole, if cut == 0 { 40_000 } else { 39_999 });
        }
    }
}
