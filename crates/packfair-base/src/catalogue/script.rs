//! Values that are a script of the user's own: its name and its text.

use crate::expression::{Expression, Template};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
use std::str::FromStr;
use std::sync::{Mutex, PoisonError};

/// A script. As text: `NAME@TEXT`, the text packed (deflate, base64url), so that an id, a study or a link that names a script
/// carries it whole.
#[derive(Debug, PartialEq, Eq)]
pub struct Script {
    name: Box<str>,
    text: Box<str>,
    packed: Box<str>,
}

/// Why a text cannot be a script.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ScriptError {
    #[error("the script has {length} bytes; it may have {}: leave out what it does not need", Script::LONGEST)]
    TooLong {
        /// Its length, bytes.
        length: usize,
    },
    #[error("the script is empty; begin with one of the examples")]
    Empty,
    #[error("line {line} of the script holds a character that is no text; write it anew")]
    NoText {
        /// The line, from 1.
        line: usize,
    },
    #[error("the script in it is damaged; take the link or the file from where it was made")]
    Damaged,
}

impl Script {
    /// The longest text, bytes.
    pub const LONGEST: usize = 20_000;

    /// A script called `name`. Characters that an id cannot have become `-`, and line ends become those of Unix.
    ///
    /// # Errors
    /// If the text is empty, too long, or has characters that no text has.
    pub fn new(name: &str, text: &str) -> Result<&'static Script, ScriptError> {
        Script::read(name, text).map(Script::kept)
    }

    /// As [`Script::new`], without keeping the script for as long as the program runs.
    ///
    /// # Errors
    /// As [`Script::new`].
    #[inline(never)]
    pub fn read(name: &str, text: &str) -> Result<Script, ScriptError> {
        if text.len() > Self::LONGEST {
            return Err(ScriptError::TooLong { length: text.len() });
        }
        if text.trim().is_empty() {
            return Err(ScriptError::Empty);
        }
        let text = text.replace("\r\n", "\n").replace('\r', "\n");
        let is_odd = |c: char| c.is_control() && c != '\n' && c != '\t';
        if let Some(line) = text.lines().position(|line| line.contains(is_odd)) {
            return Err(ScriptError::NoText { line: line + 1 });
        }
        let packed = URL_SAFE_NO_PAD.encode(deflated(text.as_bytes())).into();
        Ok(Script { name: NamedFile::new(name, 0).name().into(), text: text.into(), packed })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn text(&self) -> &str {
        &self.text
    }

    /// Reads `NAME@TEXT`.
    ///
    /// # Errors
    /// If it is damaged, or [`Script::new`] does not take it.
    #[inline(never)]
    pub fn unpacked(text: &str) -> Result<&'static Script, ScriptError> {
        let (name, packed) = text.split_once('@').ok_or(ScriptError::Damaged)?;
        // a valid script, packed and in base64, is not more than twice the longest text
        if packed.len() > 2 * Self::LONGEST {
            return Err(ScriptError::TooLong { length: packed.len() });
        }
        let deflated = URL_SAFE_NO_PAD.decode(packed).map_err(|_| ScriptError::Damaged)?;
        let mut text = Vec::new();
        let most = Self::LONGEST as u64 + 1;
        DeflateDecoder::new(&*deflated).take(most).read_to_end(&mut text).map_err(|_| ScriptError::Damaged)?;
        let text = String::from_utf8(text).map_err(|_| ScriptError::Damaged)?;
        Script::new(name, &text)
    }

    /// Keeps the script for as long as the program runs, as formulas are kept. Equal scripts are kept once.
    fn kept(self) -> &'static Script {
        type Key = (&'static str, &'static str);
        static KEPT: Mutex<BTreeMap<Key, &'static Script>> = Mutex::new(BTreeMap::new());
        // no thread panics while it holds the lock
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(found) = kept.get(&(&*self.name, &*self.text)) {
            return found;
        }
        let own: &'static Script = Box::leak(Box::new(self));
        kept.insert((&own.name, &own.text), own);
        own
    }
}

fn deflated(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    // writing to memory does not fail
    encoder.write_all(bytes).and_then(|()| encoder.finish()).unwrap_or_default()
}

impl fmt::Display for Script {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.name, self.packed)
    }
}

// Formulas that are offered by name.

/// A formula with a name. Where a formula is a value, its id is a short way to write it with its usual numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FormulaPreset {
    /// Stable id.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The formula with letters for its numbers, and the numbers that a search tries for them (a [`Template`]).
    pub template: &'static str,
    /// The usual numbers, in the order of their letters.
    pub usual: &'static [f64],
}

impl FormulaPreset {
    /// The formula with open numbers.
    ///
    /// # Panics
    /// If it cannot be read, which is a mistake in its entry.
    pub fn open(&self) -> Template {
        self.template.parse().unwrap_or_else(|error| panic!("{}: {error}", self.id))
    }

    /// The formula with its usual numbers.
    ///
    /// # Panics
    /// As [`FormulaPreset::open`].
    pub fn formula(&self) -> &'static Expression {
        self.open().filled(self.usual).unwrap_or_else(|error| panic!("{}: {error}", self.id)).kept()
    }
}

// Values that are a file of the user's own: its name, and a digest of its content.

/// The longest name, bytes.
const LONGEST: usize = 32;

/// A file, known by its content. As text: `NAME@DIGEST`, where the name has letters, digits, `-`, `.` and single `_`, and
/// the digest 32 hexadecimal digits.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct NamedFile {
    /// ASCII; zeros behind its end.
    name: [u8; LONGEST],
    digest: u128,
}

impl NamedFile {
    /// A file called `name`, with this digest of its content. Characters that an id cannot have become `-`.
    pub fn new(name: &str, digest: u128) -> Self {
        let mut short = [0; LONGEST];
        let mut length = 0;
        for character in name.chars() {
            let byte = match character {
                c if c.is_ascii_alphanumeric() || c == '.' || c == '_' => c as u8,
                _ => b'-',
            };
            // a name that begins with a mark, or has two in a row, could not be read back
            let is_mark = |byte: u8| !byte.is_ascii_alphanumeric();
            if length == LONGEST || is_mark(byte) && (length == 0 || is_mark(short[length - 1])) {
                continue;
            }
            short[length] = byte;
            length += 1;
        }
        if length == 0 {
            short[..4].copy_from_slice(b"file");
        }
        NamedFile { name: short, digest }
    }

    pub fn name(&self) -> &str {
        let length = self.name.iter().position(|&byte| byte == 0).unwrap_or(LONGEST);
        // the name is ASCII
        std::str::from_utf8(&self.name[..length]).unwrap_or_default()
    }

    /// The digest of the file's content.
    pub fn digest(&self) -> u128 {
        self.digest
    }
}

impl fmt::Display for NamedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{:032x}", self.name(), self.digest)
    }
}

impl fmt::Debug for NamedFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// The error that a text does not name a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no NAME@DIGEST of a file")]
pub struct NoNamedFile;

impl FromStr for NamedFile {
    type Err = NoNamedFile;

    fn from_str(text: &str) -> Result<Self, NoNamedFile> {
        let (name, digest) = text.split_once('@').ok_or(NoNamedFile)?;
        let digest = Some(digest).filter(|digest| digest.len() == 32);
        let digest = digest.and_then(|digest| u128::from_str_radix(digest, 16).ok()).ok_or(NoNamedFile)?;
        Some(NamedFile::new(name, digest)).filter(|file| file.name() == name).ok_or(NoNamedFile)
    }
}

crate::serde_as_text!(NamedFile);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_survives_the_text_form() {
        let text = "// ä first one\nfn round(view, actions) {\n}\n";
        let script = Script::new("my own", text).unwrap();
        assert_eq!((script.name(), script.text()), ("my-own", text));
        let again = Script::unpacked(&script.to_string()).unwrap();
        assert!(std::ptr::eq(script, again), "it is kept once");
        assert_eq!(Script::new("my own", &text.replace('\n', "\r\n")).unwrap(), script);
    }

    #[test]
    fn what_is_no_script_is_refused_with_what_is_wrong() {
        assert_eq!(Script::new("a", " \n"), Err(ScriptError::Empty));
        assert_eq!(Script::new("a", "x\n\u{1}"), Err(ScriptError::NoText { line: 2 }));
        let long = "x".repeat(Script::LONGEST + 1);
        assert_eq!(Script::new("a", &long), Err(ScriptError::TooLong { length: long.len() }));
        for damaged in ["", "a", "a@", "a@!!", "a@AAAA", "@"] {
            assert!(Script::unpacked(damaged).is_err(), "{damaged}");
        }
    }

    #[test]
    fn little_that_inflates_to_much_is_refused() {
        let much = vec![b' '; 50_000_000];
        let bomb = format!("a@{}", URL_SAFE_NO_PAD.encode(deflated(&much)));
        assert!(matches!(Script::unpacked(&bomb), Err(ScriptError::TooLong { .. })));
        // a smaller one reaches the limit of the text itself
        let bomb = format!("a@{}", URL_SAFE_NO_PAD.encode(deflated(&much[..1_000_000])));
        assert!(matches!(Script::unpacked(&bomb), Err(ScriptError::TooLong { .. })));
    }
}

#[cfg(test)]
mod file_tests {
    use super::*;

    #[test]
    fn a_file_is_read_back_and_its_name_fits_into_ids() {
        for (name, short) in [
            ("ours", "ours"),
            ("our schedule (2)", "our-schedule-2-"),
            ("__a__b*c:d,e=f", "a_b-c-d-e-f"),
            ("", "file"),
            ("é", "file"),
            ("abcdefghijklmnopqrstuvwxyz0123456789", "abcdefghijklmnopqrstuvwxyz012345"),
        ] {
            let file = NamedFile::new(name, 7);
            assert_eq!(file.name(), short);
            assert_eq!(file.to_string().parse(), Ok(file));
        }
        for wrong in ["ours", "ours@7", "a__b@00000000000000000000000000000007", "@00000000000000000000000000000007"] {
            assert_eq!(wrong.parse::<NamedFile>(), Err(NoNamedFile), "{wrong}");
        }
    }
}
