//! Logs in zip archives: which file of an archive is the log, or which files make one together.

use super::zip_entry::ZippedFile;
use super::{Limits, ReadError, Reader};
use crate::workload::{Account, Log, Reason, merge};
use std::cmp::Reverse;
use std::io::{self, Read, Seek};
use zip::read::Config;
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;

/// First bytes of an archive, and of an empty one.
const MAGIC: [[u8; 4]; 2] = [*b"PK\x03\x04", *b"PK\x05\x06"];

/// The most files in an archive. Archives with logs have a few.
const MOST_ENTRIES: usize = 10_000;

/// How many files are looked into for a log.
const MOST_TRIES: usize = 20;

/// How many names of files a message lists.
const MOST_NAMES: usize = 4;

/// A log from an archive.
#[derive(Clone, Debug, PartialEq)]
pub struct Unzipped {
    /// The log, with its name in the archive; of several logs with dates, the one that they make together.
    pub log: Log,
    /// Other files of the archive that are named like logs and are not part of the log.
    pub others: Vec<String>,
}

/// Whether a file with these first bytes is a zip archive; four bytes are enough.
pub fn is_zip(head: &[u8]) -> bool {
    MAGIC.iter().any(|magic| head.starts_with(magic))
}

/// Reads the log in a zip archive. Several logs with dates, such as dumps of some months, are merged into one
/// ([`merge`]); otherwise the file that is most likely meant is read.
///
/// `watch` is called now and then with the reader and the share of the packed file that was read, from 0 to 1. It may
/// stop the reading with a message for the user.
///
/// # Errors
/// If the archive is damaged, or has no log that can be read.
pub fn unzip(
    mut source: impl Read + Seek,
    limits: Limits,
    mut watch: impl FnMut(&Reader, f64) -> Result<(), String>,
) -> Result<Unzipped, ReadError> {
    let all = entries(&mut source)?;
    let mut likely: Vec<&ZippedFile> = all.iter().filter(|entry| likelihood(entry) != Likelihood::None).collect();
    // of equally likely files the largest comes first
    likely.sort_by_key(|entry| (likelihood(entry), Reverse(entry.size)));
    let mut why = None;
    for &entry in likely.iter().take(MOST_TRIES) {
        match entry.read(&mut source, limits, &mut watch) {
            Ok(log) => {
                let others: Vec<&ZippedFile> =
                    likely.iter().copied().filter(|other| !std::ptr::eq(*other, entry)).collect();
                return with_others(log, &others, &mut source, limits, &mut watch);
            }
            // another file may be the log
            Err(error) if error.is_of_content() => {
                let error = ReadError::InZip { entry: entry.name.clone(), why: Box::new(error) };
                why = why.or(Some(error));
            }
            Err(error) => return Err(error),
        }
    }
    match (likely.first(), why) {
        (Some(first), Some(why)) if likely.len() == 1 || likelihood(first) == Likelihood::Log => Err(why),
        _ => Err(ReadError::ZipWithoutLog { held: held(&likely) }),
    }
}

/// Merges a log with the others of its archive, if all have dates. Files that are not logs are left out and noted.
fn with_others(
    log: Log,
    others: &[&ZippedFile],
    source: &mut (impl Read + Seek),
    limits: Limits,
    watch: &mut impl FnMut(&Reader, f64) -> Result<(), String>,
) -> Result<Unzipped, ReadError> {
    let mut left: Vec<String> = Vec::new();
    let mut leave = |other: &ZippedFile| {
        if likelihood(other) == Likelihood::Log {
            left.push(other.name.clone());
        }
    };
    if log.header.unix_start().is_none() {
        others.iter().for_each(|other| leave(other));
        return Ok(Unzipped { log, others: left });
    }
    let mut jobs = log.records.len();
    let mut account = Account::default();
    let mut logs = vec![log];
    for other in others {
        let within = Limits { jobs: limits.jobs.saturating_sub(jobs), ..limits };
        match other.read(source, within, watch) {
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
    Ok(Unzipped { log: Log { account: account.followed_by(&log.account), ..log }, others: left })
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

fn likelihood(entry: &ZippedFile) -> Likelihood {
    let name = entry.name.to_ascii_lowercase();
    let ends = |endings: &[&str]| endings.iter().any(|ending| name.ends_with(ending));
    if entry.is_folder || entry.size == 0 || name.starts_with('.') || entry.folder.starts_with("__MACOSX") {
        Likelihood::None
    } else if ends(&[".swf", ".swf.gz"]) {
        Likelihood::Log
    } else if ends(&[".gz", ".txt", ".log"]) || !name.contains('.') {
        Likelihood::Text
    } else {
        Likelihood::Other
    }
}

fn entries(source: &mut (impl Read + Seek)) -> Result<Vec<ZippedFile>, ReadError> {
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
        all.push(ZippedFile {
            name: name.to_owned(),
            folder: folder.to_owned(),
            is_folder: entry.is_dir(),
            is_encrypted: entry.encrypted(),
            method: entry.compression(),
            header: entry.header_start(),
            packed: entry.compressed_size(),
            size: entry.size(),
            sum: entry.crc32(),
        });
    }
    Ok(all)
}

fn explain(error: ZipError) -> ReadError {
    match error {
        ZipError::Io(error) if error.kind() != io::ErrorKind::UnexpectedEof => ReadError::Io(error.to_string()),
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
