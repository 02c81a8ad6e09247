//! Splits bytes into lines, within bounded memory.

use super::ReadError;
use super::limits::LONGEST_LINE;
use memchr::{memchr, memchr2, memrchr};
use packfair_base::encoding;
use packfair_base::pasted::TypedLines;

pub(crate) struct FileLine<'a> {
    /// The number of the line, from 1.
    pub number: u32,
    /// The line without its end.
    pub bytes: &'a [u8],
    /// Whether these are only its first [`LONGEST_LINE`] bytes. The others follow as further lines if the sink takes them;
    /// otherwise they are skipped.
    pub cut: bool,
}

pub(super) trait LineSink {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError>;

    /// Whether the rest of a line after its first [`LONGEST_LINE`] bytes is wanted, too.
    fn takes_long_lines(&self) -> bool {
        false
    }
}

/// Splits the pushed bytes into lines that end with LF, CR LF or CR.
#[derive(Default)]
pub(super) struct Lines {
    /// The line that is not yet complete, at most [`LONGEST_LINE`] bytes.
    partial: Vec<u8>,
    /// Whether the rest of a line that was too long is being passed over.
    skipping: bool,
    /// Whether a LF that comes next belongs to the CR before it.
    after_cr: bool,
    number: u32,
    typed: TypedLines,
}

/// A line without the zero bytes with which it begins or ends, as where a log was emptied while it was written, or has room
/// for more. A file of nothing else is no text.
fn without_nul(line: &[u8], number: u32) -> &[u8] {
    if !matches!((line.first(), line.last()), (Some(0), _) | (_, Some(0))) {
        return line;
    }
    let Some(begin) = line.iter().position(|&byte| byte != 0) else { return if number > 1 { b"" } else { line } };
    let end = line.iter().rposition(|&byte| byte != 0).map_or(begin, |at| at + 1);
    &line[begin..end]
}

impl Lines {
    /// Lines handed on so far.
    pub(super) fn count(&self) -> u32 {
        self.number
    }

    /// Takes more bytes, and hands on the lines that they complete.
    pub(super) fn push(&mut self, mut bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        while let Some(&first) = bytes.first() {
            if self.after_cr {
                self.after_cr = false;
                if first == b'\n' {
                    bytes = &bytes[1..];
                    continue;
                }
            }
            if self.skipping {
                let Some(end) = memchr2(b'\n', b'\r', bytes) else { return Ok(()) };
                self.skipping = false;
                self.after_cr = bytes[end] == b'\r';
                bytes = &bytes[end + 1..];
                continue;
            }
            match memchr(b'\n', bytes) {
                Some(end) if self.partial.is_empty() && end <= LONGEST_LINE => {
                    self.complete(&bytes[..end], sink)?;
                    bytes = &bytes[end + 1..];
                }
                Some(end) if self.partial.len() + end <= LONGEST_LINE => {
                    self.partial.extend_from_slice(&bytes[..end]);
                    self.complete_partial(sink)?;
                    bytes = &bytes[end + 1..];
                }
                end => {
                    let piece = &bytes[..end.unwrap_or(bytes.len())];
                    let taken = piece.len().min(LONGEST_LINE - self.partial.len());
                    self.partial.extend_from_slice(&piece[..taken]);
                    bytes = &bytes[taken..];
                    if taken < piece.len() {
                        self.overflow(sink)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Hands on a last line that has no end.
    pub(super) fn finish(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        if self.partial.is_empty() { Ok(()) } else { self.complete_partial(sink) }
    }

    fn complete_partial(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        let mut line = std::mem::take(&mut self.partial);
        let result = self.complete(&line, sink);
        line.clear();
        self.partial = line; // to use its memory again
        result
    }

    /// Hands on the bytes between two LF: one line, or several where they contain single CR.
    fn complete(&mut self, bytes: &[u8], sink: &mut impl LineSink) -> Result<(), ReadError> {
        let bytes = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        if memchr(b'\r', bytes).is_none() {
            return self.hand_on(bytes, false, sink);
        }
        bytes.split(|&byte| byte == b'\r').try_for_each(|line| self.hand_on(line, false, sink))
    }

    /// Handles [`LONGEST_LINE`] bytes without a LF when more are to come.
    fn overflow(&mut self, sink: &mut impl LineSink) -> Result<(), ReadError> {
        let mut begin = std::mem::take(&mut self.partial);
        if let Some(last) = memrchr(b'\r', &begin) {
            self.partial = begin.split_off(last + 1);
            return self.complete(&begin, sink);
        }
        self.hand_on(&begin, true, sink)?;
        self.skipping = !sink.takes_long_lines();
        Ok(())
    }

    fn hand_on(&mut self, bytes: &[u8], cut: bool, sink: &mut impl LineSink) -> Result<(), ReadError> {
        self.number = self.number.saturating_add(1);
        // a file that was put behind another begins with its own mark
        let bytes = bytes.strip_prefix(encoding::MARK).unwrap_or(bytes);
        let bytes = without_nul(bytes, self.number);
        let bytes = if self.typed.has(bytes) { b"" } else { bytes };
        sink.line(FileLine { number: self.number, bytes, cut })
    }
}
