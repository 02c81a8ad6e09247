//! Values that are a file of the user's own: its name, and a digest of its content.

use std::fmt;
use std::str::FromStr;

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
