//! Values that are a script of the user's own: its name and its text.

use super::NamedFile;
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use std::collections::BTreeMap;
use std::fmt;
use std::io::{Read, Write};
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
