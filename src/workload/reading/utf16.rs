//! Text in UTF-16, as spreadsheets on Windows save it, as UTF-8.

use std::io::{self, Cursor, Read};

/// How many first bytes tell the encoding.
const HEAD: usize = 4;

/// Units of two bytes that are decoded at once.
const UNITS: usize = 16 * 1024;

/// The bytes of a source, in UTF-8 if they are text in UTF-16.
///
/// # Errors
/// If the first bytes cannot be read.
pub(super) fn as_utf8<'a>(mut source: Box<dyn Read + 'a>) -> io::Result<Box<dyn Read + 'a>> {
    let mut head = Vec::with_capacity(HEAD);
    source.by_ref().take(HEAD as u64).read_to_end(&mut head)?;
    let is_little = match *head {
        [0xFF, 0xFE, ..] => Some(true),
        [0xFE, 0xFF, ..] => Some(false),
        // two letters of English without a mark
        [a, 0, b, 0] if a > 0 && b > 0 => Some(true),
        [0, a, 0, b] if a > 0 && b > 0 => Some(false),
        _ => None,
    };
    let whole = Cursor::new(head).chain(source);
    Ok(match is_little {
        None => Box::new(whole),
        Some(is_little) => Box::new(Utf16 { source: whole, is_little, text: Vec::new(), given: 0, left: Vec::new() }),
    })
}

/// Decodes UTF-16. What is none becomes the mark for unreadable characters.
struct Utf16<R> {
    source: R,
    is_little: bool,
    /// Decoded text, of which this much was given.
    text: Vec<u8>,
    given: usize,
    /// Bytes that wait for others: a half unit, or the first of a pair.
    left: Vec<u8>,
}

impl<R: Read> Utf16<R> {
    /// Decodes more text; none at the end.
    fn decode(&mut self) -> io::Result<()> {
        let mut bytes = std::mem::take(&mut self.left);
        let before = bytes.len();
        self.source.by_ref().take(2 * UNITS as u64).read_to_end(&mut bytes)?;
        let is_end = bytes.len() == before;
        let unit = |pair: &[u8]| {
            let pair = [pair[0], pair[1]];
            if self.is_little { u16::from_le_bytes(pair) } else { u16::from_be_bytes(pair) }
        };
        let mut whole = bytes.len() / 2 * 2;
        let is_first_of_pair = |unit: u16| (0xD800..0xDC00).contains(&unit);
        if !is_end && whole >= 2 && is_first_of_pair(unit(&bytes[whole - 2..whole])) {
            whole -= 2;
        }
        let units = bytes[..whole].chunks_exact(2).map(unit);
        let text: String = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
        (self.text, self.given) = (text.into_bytes(), 0);
        if !is_end {
            self.left = bytes[whole..].to_vec();
        }
        Ok(())
    }
}

impl<R: Read> Read for Utf16<R> {
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
    use crate::workload::reading::read;
    use crate::workload::reading::source::Pieces;

    const TABLE: &str = "id;name;submit;run;cores\n1;Größe 😀;1700000000;60;4\n2;x;1700000005;60;8\n";

    fn encoded(text: &str, is_little: bool, mark: bool) -> Vec<u8> {
        let mark = if mark { "\u{feff}" } else { "" };
        let units = [mark, text].concat().encode_utf16().collect::<Vec<u16>>();
        units.into_iter().flat_map(|unit| if is_little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    }

    #[test]
    fn it_is_read_as_the_same_text_in_utf_8() {
        let plain = read("t", TABLE.as_bytes()).unwrap();
        for (is_little, mark) in [(true, true), (false, true), (true, false), (false, false)] {
            let bytes = encoded(TABLE, is_little, mark);
            for piece in [1, 3, 7, 1_000] {
                let log = read("t", Pieces(&bytes, piece)).unwrap();
                assert_eq!((&log.records, &log.names), (&plain.records, &plain.names), "{is_little} {mark} {piece}");
            }
        }
        assert_eq!(plain.names.executables[0], "Größe 😀");
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
