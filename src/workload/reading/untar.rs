//! Several logs in a tar archive, which count as one: the dumps of some months, the files of a server's days.

use super::source::{Cause, cause};
use super::{ArchiveDepth, Limits, ReadError, Reader, ReaderSettings, Watch};
use crate::workload::{Account, Fingerprint, Log, Reason, merge};
use std::cell::Cell;
use std::io::{self, Read};
use tar::{Archive, EntryType, Header};

/// The size of a block, of which archives are made, bytes.
const BLOCK: usize = 512;

/// Where a header has the text that marks it, and that text.
const MAGIC: (usize, &[u8]) = (257, b"ustar");

/// The most files in an archive.
const MOST_FILES: usize = 10_000;

/// The longest name of a file that is kept, bytes.
const LONGEST_NAME: u64 = 4_096;

/// How many first bytes tell whether a file is an archive.
pub(super) const HEAD: usize = MAGIC.0 + MAGIC.1.len();

/// Whether a file that begins so is an archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(MAGIC.0..HEAD) == Some(MAGIC.1)
}

/// The header block of a file of `size` bytes in an archive. A name longer than 100 bytes is cut.
pub fn tar_header(name: &str, size: u64) -> [u8; BLOCK] {
    let mut header = Header::new_ustar();
    let length = name.len().min(100);
    header.as_old_mut().name[..length].copy_from_slice(&name.as_bytes()[..length]);
    header.set_entry_type(EntryType::Regular);
    header.set_mode(0o644);
    header.set_size(size);
    header.set_cksum();
    *header.as_bytes()
}

pub(super) struct Untar<'a> {
    settings: &'a ReaderSettings,
    logs: Vec<Log>,
    jobs: usize,
    /// The bytes of text in these logs.
    text: u64,
    /// Why the first file that is not a log was not read.
    refused: Option<ReadError>,
    /// The account of files that are not logs.
    account: Account,
}

/// A header of an archive and what follows it.
type TarEntry<'a, 'b> = tar::Entry<'a, Bounded<'b>>;

/// The bytes of an archive. Notes whether more of them are wanted than there are.
struct Bounded<'a> {
    bytes: &'a mut dyn Read,
    is_cut_off: &'a Cell<bool>,
}

impl Read for Bounded<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let length = self.bytes.read(into)?;
        self.is_cut_off.set(length == 0 && !into.is_empty());
        Ok(length)
    }
}

impl<'a> Untar<'a> {
    /// Before the first log.
    pub(super) fn new(settings: &'a ReaderSettings) -> Self {
        Untar { settings, logs: Vec::new(), jobs: 0, text: 0, refused: None, account: Account::default() }
    }

    /// Jobs read so far.
    pub(super) fn jobs(&self) -> usize {
        self.jobs
    }

    /// Reads the logs in the archive `bytes`, and all that follows it.
    ///
    /// # Errors
    /// Where the archive is damaged, or beyond the limits.
    pub(super) fn read(&mut self, bytes: &mut dyn Read, watch: &mut Watch<'_>) -> Result<(), ReadError> {
        let is_cut_off = Cell::new(false);
        let damaged = |error: io::Error| match cause(&error) {
            Cause::Known(why) => why,
            _ if is_cut_off.get() => ReadError::DamagedTar("it is cut off"),
            _ => ReadError::DamagedTar("a header makes no sense"),
        };
        let mut archive = Archive::new(Bounded { bytes, is_cut_off: &is_cut_off });
        let mut long_name = None;
        // raw, because the library would take long names and attributes into memory, of whatever size
        for (count, entry) in archive.entries().map_err(damaged)?.raw(true).enumerate() {
            let mut entry = entry.map_err(damaged)?;
            if !is_tar(entry.header().as_bytes()) {
                return Err(ReadError::DamagedTar("a header makes no sense"));
            }
            if count == MOST_FILES {
                return Err(ReadError::DamagedTar("it has more than 10,000 files"));
            }
            if is_long_name(&entry) {
                let mut name = Vec::new();
                entry.read_to_end(&mut name).map_err(damaged)?;
                long_name = Some(name);
            } else if let Some(name) = name_of_file(&entry, &mut long_name) {
                let read = self.read_file(&name, &mut entry, watch);
                if let Err(error) = &read
                    && error.is_of_limits()
                {
                    return Err(error.clone());
                }
                // what is wrong with the archive comes before what is therefore wrong with the file
                io::copy(&mut entry, &mut io::sink()).map_err(damaged)?;
                if is_cut_off.get() {
                    return Err(ReadError::DamagedTar("it is cut off"));
                }
                self.take(name, read)?;
            }
        }
        // the fingerprint is that of all bytes
        io::copy(&mut archive.into_inner(), &mut io::sink()).map(drop).map_err(damaged)
    }

    /// Reads a file of the archive. Also returns the number of bytes of its text.
    fn read_file(&mut self, name: &str, file: &mut dyn Read, watch: &mut Watch<'_>) -> Result<(Log, u64), ReadError> {
        let before = self.jobs;
        let limits = Limits {
            lost: self.settings.limits.lost,
            jobs: self.settings.limits.jobs.saturating_sub(before),
            text: self.settings.limits.text.saturating_sub(self.text),
        };
        let depth = ArchiveDepth::InArchive;
        let reader = Reader::with(name, ReaderSettings { limits, depth, columns: self.settings.columns.clone() });
        reader.read(file, &mut |jobs| {
            self.jobs = before + jobs;
            watch(self.jobs)
        })
    }

    /// Takes what a file of the archive was read as.
    fn take(&mut self, entry: String, read: Result<(Log, u64), ReadError>) -> Result<(), ReadError> {
        match read {
            Ok((log, text)) => {
                self.text += text;
                self.logs.push(log);
            }
            Err(error) if error.is_of_content() => {
                self.account.note(Reason::NoLog, 0);
                self.refused.get_or_insert(ReadError::InTar { entry, why: Box::new(error) });
            }
            Err(error) => return Err(ReadError::InTar { entry, why: Box::new(error) }),
        }
        self.jobs = self.logs.iter().map(|log| log.records.len()).sum();
        Ok(())
    }

    /// The log that the archive's logs make together.
    ///
    /// # Errors
    /// If the archive has no log, or several that cannot be merged.
    pub(super) fn finish(self, fingerprint: Fingerprint) -> Result<Log, ReadError> {
        if self.logs.is_empty() {
            return Err(self.refused.unwrap_or(ReadError::TarWithoutLog));
        }
        let log = merge(self.logs).map_err(|error| ReadError::NotMerged(error.to_string()))?;
        Ok(Log { fingerprint, account: self.account.followed_by(&log.account), ..log })
    }
}

/// Whether an entry is the name of the next one, and not too long.
fn is_long_name(entry: &TarEntry<'_, '_>) -> bool {
    entry.header().entry_type() == EntryType::GNULongName && (1..=LONGEST_NAME).contains(&entry.size())
}

/// The name of an entry without its folder, if it is a file that may be a log. `long_name` is a name that came before it.
fn name_of_file(entry: &TarEntry<'_, '_>, long_name: &mut Option<Vec<u8>>) -> Option<String> {
    // not folders, links, attributes
    if !matches!(entry.header().entry_type(), EntryType::Regular | EntryType::Continuous) {
        return None;
    }
    let name = long_name.take().unwrap_or_else(|| entry.header().as_old().name.to_vec());
    let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
    let name = String::from_utf8_lossy(name.rsplit(|&byte| byte == b'/').next().unwrap_or_default()).into_owned();
    // nor hidden files, which systems leave behind
    Some(name).filter(|name| entry.size() > 0 && !name.starts_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::reading::source::Pieces;
    use crate::workload::reading::{Packing, read, read_within};

    const HEADER: &str = "JobIDRaw|User|Submit|Start|ElapsedRaw|NCPUS|State\n";
    const JANUARY: &str = "1|ann|2026-01-05T00:00:00|2026-01-05T00:01:00|60|4|COMPLETED\n\
        2|bob|2026-01-31T23:00:00|2026-01-31T23:01:00||4|RUNNING\n";
    const FEBRUARY: &str = "2|bob|2026-01-31T23:00:00|2026-01-31T23:01:00|7200|4|COMPLETED\n\
        3|ann|2026-02-05T00:00:00|2026-02-05T00:01:00|60|4|COMPLETED\n";

    fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
        let mut bytes = Vec::new();
        for (name, content) in files {
            bytes.extend(tar_header(name, content.len() as u64));
            bytes.extend(*content);
            bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
        }
        bytes.resize(bytes.len() + 2 * BLOCK, 0);
        bytes
    }

    fn gzipped(text: &str) -> Vec<u8> {
        gzipped_bytes(text.as_bytes())
    }

    #[test]
    fn the_logs_in_an_archive_are_one_however_it_comes() {
        let (january, february) = (format!("{HEADER}{JANUARY}"), gzipped(&format!("{HEADER}{FEBRUARY}")));
        let bytes =
            tar(&[("README", b"about these dumps\n"), ("dumps/1.txt", january.as_bytes()), ("2.txt.gz", &february)]);
        let log = read("dumps.tar", bytes.as_slice()).unwrap();
        assert_eq!(
            log.records.iter().map(|record| (record.number, record.run)).collect::<Vec<_>>(),
            [(1, 60), (2, 7_200), (3, 60)]
        );
        assert_eq!(log.account.count(Reason::NoLog), 1, "the README");
        assert_eq!((log.name.as_str(), log.names.users.join(",")), ("1.txt to 2.txt.gz", "ann,bob".to_owned()));
        let whole = read("dumps.tar.gz", gzipped_bytes(&bytes).as_slice()).unwrap();
        assert_eq!(whole, log);
        for piece in [1, 7, 511, 512, 513] {
            assert_eq!(read("dumps.tar", Pieces(&bytes, piece)).unwrap(), log, "{piece} bytes at a time");
        }
    }

    #[test]
    fn dumps_of_several_formats_are_one_log() {
        let january = format!("{HEADER}{JANUARY}");
        let february = "id,user,submit,start,run,processors\n\
            2,bob,2026-01-31T23:00:00,2026-01-31T23:01:00,7200,4\n3,ann,2026-02-05T00:00:00,2026-02-05T00:01:00,60,4\n";
        let march = "; UnixStartTime: 1772323200\n1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n";
        let february = gzipped(february);
        // the order in the archive does not matter
        let files = [("3.swf", march.as_bytes()), ("2.csv.gz", &february), ("1.txt", january.as_bytes())];
        let log = read("dumps.tar", tar(&files).as_slice()).unwrap();
        let runs: Vec<(i64, i64)> = log.records.iter().map(|record| (record.number, record.run)).collect();
        assert_eq!(runs, [(1, 60), (2, 7_200), (3, 60), (1, 10)]);
        assert_eq!(log.names.users[..2], ["ann".to_owned(), "bob".to_owned()]);
    }

    fn gzipped_bytes(bytes: &[u8]) -> Vec<u8> {
        use std::io::Write as _;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(bytes).unwrap();
        packed.finish().unwrap()
    }

    #[test]
    fn what_cannot_be_read_is_said() {
        let january = format!("{HEADER}{JANUARY}");
        let said = |bytes: &[u8]| read("x.tar", bytes).unwrap_err().to_string();
        let bytes = tar(&[("1.txt", january.as_bytes())]);
        assert!(said(&bytes[..700]).contains("cut off"), "{}", said(&bytes[..700]));
        assert!(said(&tar(&[("a.txt", b"nothing\n")])).starts_with("the file a.txt in this tar archive: "));
        assert!(said(&tar(&[])[..BLOCK]).contains("file"), "zeroes alone are no archive");
        assert!(said(&tar(&[("inner.tar", &bytes)])).contains("a tar archive in another"));
        let swf = "1 0 0 10 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n";
        assert!(
            said(&tar(&[("a.swf", swf.as_bytes()), ("b.txt", january.as_bytes())])).contains("a.swf does not say when")
        );
        let mut broken = bytes.clone();
        broken.splice(bytes.len() - 2 * BLOCK.., [b'x'; BLOCK]);
        assert!(said(&broken).contains("a header makes no sense"));
        let few = Limits { jobs: 3, ..Limits::default() };
        let february = format!("{HEADER}{FEBRUARY}");
        let both = tar(&[("1.txt", january.as_bytes()), ("2.txt", february.as_bytes())]);
        assert_eq!(read_within("x.tar", both.as_slice(), few), Err(ReadError::TooManyJobs { most: 1 }));
    }

    #[test]
    fn what_a_packed_archive_lacks_is_said_of_it_and_not_of_the_file_in_it() {
        // not compressible, so that the end comes in the middle of the file
        let job = |n: u64| format!("{n} {} 0 {} 4 -1 -1 4 10 -1 1 1 1 1 1 1 -1 -1\n", n * 7, n * n * 7_919 % 10_007);
        let swf: String = (1..9_000).map(job).collect();
        let inner = gzipped(&swf);
        for (name, content) in [("a.swf", swf.as_bytes()), ("a.swf.gz", &inner)] {
            let packed = gzipped_bytes(&tar(&[(name, content)]));
            let cut = read("x.tar.gz", &packed[..packed.len() / 2]).unwrap_err();
            let ReadError::CutOff { jobs, line, .. } = cut else { panic!("{cut}") };
            assert!((3_000..6_000).contains(&jobs) && line == 0, "{jobs} {line}");
            let end = read("x.tar.gz", &packed[..packed.len() - 5]).unwrap_err();
            assert_eq!(end, ReadError::CutOff { packing: Packing::Gzip, jobs: 8_999, line: 0 });
        }
        let cut = read("x.tar", tar(&[("a.swf.gz", &inner[..inner.len() / 2])]).as_slice()).unwrap_err().to_string();
        assert!(cut.starts_with("the file a.swf.gz in this tar archive: the gzip file is cut off after "), "{cut}");
    }

    fn entry(kind: EntryType, name: &str, content: &[u8]) -> Vec<u8> {
        let mut header = Header::new_gnu();
        header.set_path(name).unwrap();
        header.set_entry_type(kind);
        header.set_size(content.len() as u64);
        header.set_cksum();
        let mut bytes = [header.as_bytes(), content].concat();
        bytes.resize(bytes.len().next_multiple_of(BLOCK), 0);
        bytes
    }

    #[test]
    fn long_names_are_read_up_to_a_limit_and_all_but_files_passed_over() {
        let january = format!("{HEADER}{JANUARY}");
        let file = entry(EntryType::Regular, "short.txt", january.as_bytes());
        let long =
            |length: usize| entry(EntryType::GNULongName, "long", format!("{}/a name", "x".repeat(length)).as_bytes());
        for (before, name) in [
            (long(4_089), "a name"),
            // too long
            (long(4_090), "short.txt"),
            (entry(EntryType::XHeader, "pax", b"17 path=another\n"), "short.txt"),
            (entry(EntryType::XHeader, "pax", &[b'1'; 100_000]), "short.txt"),
            (entry(EntryType::Directory, "folder/", b""), "short.txt"),
            (entry(EntryType::Symlink, "link.txt", b""), "short.txt"),
            (entry(EntryType::Regular, "folder/.hidden.txt", january.as_bytes()), "short.txt"),
            (entry(EntryType::Regular, "empty.txt", b""), "short.txt"),
        ] {
            let log = read("x.tar", [before, file.clone(), vec![0; 2 * BLOCK]].concat().as_slice()).unwrap();
            assert_eq!((log.name.as_str(), log.jobs()), (name, 1));
        }
        let folder = entry(EntryType::Directory, "folder/", b"");
        let crowd = |folders: usize| read("x.tar", [folder.repeat(folders), file.clone()].concat().as_slice());
        assert_eq!(crowd(9_999).unwrap().jobs(), 1);
        assert_eq!(crowd(10_000), Err(ReadError::DamagedTar("it has more than 10,000 files")));
    }
}
