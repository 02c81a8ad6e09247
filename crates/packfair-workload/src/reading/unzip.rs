//! Logs in zip archives: which file of an archive is the log, or which files make one together.

use super::named::refuse_entries;
use super::source::{Cause, WholeReads, carry, cause};
use super::{FileContent, Limits, ReadError, Reader, ReaderSettings};
use crate::{Account, Log, Reason, merge};
use std::cell::Cell;
use std::cmp::Reverse;
use std::io::{self, Read, Seek};
use zip::read::{Config, OwnedZipFileEntry, ZipFile};
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

/// First bytes of an archive, and of an empty one.
const MAGIC: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];

/// The most files in an archive. Archives with logs have a few.
const MOST_ENTRIES: usize = 10_000;

/// How many files are looked into for a log.
const MOST_TRIES: usize = 20;

/// How many names of files a message lists.
const MOST_NAMES: usize = 4;

/// Whether a file with these first bytes is a zip archive; four bytes are enough.
pub fn is_zip(head: &[u8]) -> bool {
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// A file in an archive, as the archive's list of files describes it.
struct ZippedFile {
    /// The name without its folder.
    name: String,
    folder: String,
    entry: OwnedZipFileEntry,
}

/// Reads the log in a zip archive. Several logs with dates, such as dumps of some months, are merged into one
/// ([`merge`]); otherwise the file that is most likely meant is read.
///
/// `watch` is called now and then with the number of jobs so far and the share of the file in the archive that was read,
/// from 0 to 1. It may stop the reading with a message for the user. Never inlined, so that the code comes with the late
/// part (`scripts/split`).
///
/// # Errors
/// If the archive is damaged, or has no log that can be read.
#[inline(never)]
pub(super) fn unzip(
    source: impl Read + Seek,
    settings: &ReaderSettings,
    mut watch: impl FnMut(usize, f64) -> Result<(), String>,
) -> Result<FileContent, ReadError> {
    let mut source = WholeReads(source);
    let all = entries(&mut source)?;
    let mut likely: Vec<&ZippedFile> = all.iter().filter(|file| likelihood(file) != Likelihood::None).collect();
    // of equally likely files the largest comes first
    likely.sort_by_key(|file| (likelihood(file), Reverse(file.entry.size())));
    let mut why = None;
    for &file in likely.iter().take(MOST_TRIES) {
        match file.read(&mut source, settings.clone(), &mut watch) {
            Ok(log) => {
                let others: Vec<&ZippedFile> =
                    likely.iter().copied().filter(|other| !std::ptr::eq(*other, file)).collect();
                return with_others(log, &others, &mut source, settings, &mut watch);
            }
            // another file may be the log
            Err(error) if error.is_of_content() => {
                let error = ReadError::InZip { entry: file.name.clone(), why: Box::new(error) };
                why = why.or(Some(error));
            }
            Err(error) => return Err(error),
        }
    }
    refuse_entries(all.iter().map(|file| file.name.as_str()))?;
    match (likely.first(), why) {
        (Some(first), Some(why)) if likely.len() == 1 || likelihood(first) == Likelihood::Log => Err(why),
        _ => Err(ReadError::ZipWithoutLog { held: held(&likely) }),
    }
}

/// Merges a log with the others of its archive, if all have dates. Files that are not logs are left out and noted.
fn with_others(
    log: Log,
    others: &[&ZippedFile],
    source: &mut WholeReads<impl Read + Seek>,
    settings: &ReaderSettings,
    watch: &mut impl FnMut(usize, f64) -> Result<(), String>,
) -> Result<FileContent, ReadError> {
    let mut left: Vec<String> = Vec::new();
    let mut leave = |other: &ZippedFile| {
        if likelihood(other) == Likelihood::Log {
            left.push(other.name.clone());
        }
    };
    if log.header.unix_start().is_none() {
        others.iter().for_each(|other| leave(other));
        return Ok(FileContent { log, others: left });
    }
    let mut jobs = log.records.len();
    let mut account = Account::default();
    let mut logs = vec![log];
    for other in others {
        let limits = Limits { jobs: settings.limits.jobs.saturating_sub(jobs), ..settings.limits };
        match other.read(source, ReaderSettings { limits, ..settings.clone() }, watch) {
            Ok(log) if log.header.unix_start().is_some() => {
                jobs += log.records.len();
                logs.push(log);
            }
            Ok(_) => leave(other),
            Err(error) if error.is_of_content() => {
                account.note(Reason::NoLog, 0);
                leave(other);
            }
            Err(error) => return Err(ReadError::InZip { entry: other.name.clone(), why: Box::new(error) }),
        }
    }
    if logs.len() == 1 {
        // the other files do not matter
        account = Account::default();
    }
    let log = merge(logs).map_err(|error| ReadError::NotMerged(error.to_string()))?;
    Ok(FileContent { log: Log { account: account.followed_by(&log.account), ..log }, others: left })
}

/// How likely a file is a log, by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Likelihood {
    Log,
    Text,
    Other,
    /// A folder, an empty file, or a hidden file that systems leave behind.
    None,
}

fn likelihood(file: &ZippedFile) -> Likelihood {
    let name = file.name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    let is_empty = file.entry.is_dir() || file.entry.size() == 0;
    if is_empty || name.starts_with('.') || file.folder.starts_with("__MACOSX") {
        Likelihood::None
    } else if ends(&[".swf", ".swf.gz"]) {
        Likelihood::Log
    } else if ends(&[".gz", ".bz2", ".xz", ".zst", ".txt", ".log", ".csv", ".parquet"]) || !name.contains('.') {
        Likelihood::Text
    } else {
        Likelihood::Other
    }
}

/// The list of files. The library's unstable interface reads it one by one; its stable one would make room for as many
/// as the archive claims.
fn entries(source: &mut WholeReads<impl Read + Seek>) -> Result<Vec<ZippedFile>, ReadError> {
    let mut archive = ZipIterable::try_new(source, Config::default()).map_err(explain)?;
    if archive.len() > MOST_ENTRIES {
        let found = archive.len();
        return Err(ReadError::DamagedZip(format!("it lists {found} files, and at most {MOST_ENTRIES} are looked at")));
    }
    let mut all = Vec::new();
    for entry in archive.files().map_err(explain)? {
        let entry = entry.map_err(explain)?;
        // a name in a wrong encoding can still be shown
        let path = entry.name().unwrap_or_else(|_| String::from_utf8_lossy(entry.name_raw()));
        let path = path.trim_end_matches('/');
        let (folder, name) = path.rsplit_once(['/', '\\']).unwrap_or(("", path));
        all.push(ZippedFile { name: name.to_owned(), folder: folder.to_owned(), entry: entry.into() });
    }
    Ok(all)
}

impl ZippedFile {
    /// Reads the file as a log.
    fn read(
        &self,
        source: &mut WholeReads<impl Read + Seek>,
        settings: ReaderSettings,
        watch: &mut impl FnMut(usize, f64) -> Result<(), String>,
    ) -> Result<Log, ReadError> {
        let (method, size) = (self.entry.compression(), self.entry.size());
        if self.entry.encrypted() {
            return Err(ReadError::EncryptedZip { entry: self.name.clone() });
        }
        if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            return Err(ReadError::ZipMethod { entry: self.name.clone(), method: method.to_string() });
        }
        let file = self.entry.as_ref().with_reader(source, ZipReadOptions::new()).map_err(|error| match error {
            ZipError::Io(error) => self.explain(&error, "is not where the list of files says"),
            _ => self.is_damaged("is not where the list of files says"),
        })?;
        let count = Cell::new(0);
        let mut unzip = Unzip { of: self, file, count: &count };
        let reader = Reader::with(self.name.clone(), settings);
        reader.read(&mut unzip, &mut |jobs| watch(jobs, count.get() as f64 / size as f64)).map(|(log, _)| log)
    }

    /// What an error says; `what` is wrong with the file if it has all come.
    fn explain(&self, error: &io::Error, what: &str) -> ReadError {
        match cause(error) {
            Cause::Known(why) => why,
            Cause::End => self.is_damaged("is cut off"),
            Cause::Content => self.is_damaged(what),
        }
    }

    fn is_damaged(&self, how: &str) -> ReadError {
        ReadError::DamagedZip(format!("{} in it {how}", self.name))
    }
}

/// The unpacked bytes of a file in an archive.
struct Unzip<'a, R: Read> {
    of: &'a ZippedFile,
    file: ZipFile<'a, R>,
    /// The number of bytes so far.
    count: &'a Cell<u64>,
}

impl<R: Read> Read for Unzip<'_, R> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        const OTHER: &str = "is not as it was packed (its check sum or length differs)";
        let length = self.file.read(into).map_err(|error| {
            // the library finds that check sums or lengths differ
            let is_other = error.kind() == io::ErrorKind::InvalidData;
            carry(self.of.explain(&error, if is_other { OTHER } else { "makes no sense" }))
        })?;
        self.count.set(self.count.get() + length as u64);
        if length == 0 && !into.is_empty() && self.count.get() < self.of.entry.size() {
            return Err(carry(self.of.is_damaged(OTHER)));
        }
        Ok(length)
    }
}

fn explain(error: ZipError) -> ReadError {
    match error {
        ZipError::Io(error) if let Cause::Known(why) = cause(&error) => why,
        ZipError::UnsupportedArchive(_) => ReadError::DamagedZip("it is in several parts".to_owned()),
        _ => ReadError::DamagedZip("its list of files is cut off or makes no sense".to_owned()),
    }
}

/// The names of files in an archive, in words.
fn held(entries: &[&ZippedFile]) -> String {
    let names: Vec<&str> = entries.iter().take(MOST_NAMES).map(|entry| entry.name.as_str()).collect();
    match (names.as_slice(), entries.len() - names.len()) {
        ([], _) => "nothing".to_owned(),
        (names, 0) => names.join(", "),
        (names, more) => format!("{} and {more} more", names.join(", ")),
    }
}

#[cfg(test)]
mod tests;
