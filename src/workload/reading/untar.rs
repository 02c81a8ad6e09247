//! Several logs in a tar archive, which count as one: the dumps of some months, the files of a server's days.
//!
//! The archive is taken apart as its bytes come. The crates for tar cannot do that: they read from a blocking source.

use super::ArchiveDepth;
use super::{Limits, ReadError, Reader, ReaderSettings};
use crate::workload::{Account, Fingerprint, Log, Reason, merge};

/// The size of a block, of which archives are made, bytes.
pub(super) const BLOCK: usize = 512;

/// Where a header has the text that marks it, and that text.
const MAGIC: (usize, &[u8]) = (257, b"ustar");

/// The most files in an archive.
const MOST_FILES: usize = 10_000;

/// The longest name of a file that is kept, bytes.
const LONGEST_NAME: usize = 4_096;

/// How many first bytes tell whether a file is an archive.
pub(super) const HEAD: usize = MAGIC.0 + MAGIC.1.len();

/// Whether a file that begins so is an archive.
pub(super) fn is_tar(head: &[u8]) -> bool {
    head.get(MAGIC.0..HEAD) == Some(MAGIC.1)
}

/// The header block of a file of `size` bytes in an archive. A name longer than 100 bytes is cut.
pub fn tar_header(name: &str, size: u64) -> [u8; BLOCK] {
    let mut block = [0; BLOCK];
    let mut put = |at: usize, bytes: &[u8]| block[at..at + bytes.len()].copy_from_slice(bytes);
    let name = name.as_bytes();
    put(0, &name[..name.len().min(100)]);
    put(100, b"0000644\0");
    put(108, b"0000000\0");
    put(116, b"0000000\0");
    // eleven octal digits are 8 GB, and larger files are not read
    put(124, format!("{:011o}\0", size.min((1 << 33) - 1)).as_bytes());
    put(136, b"00000000000\0");
    put(148, b"        ");
    put(156, b"0");
    put(257, b"ustar\x0000");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// Takes an archive apart and reads the logs in it.
pub(super) struct Untar {
    settings: ReaderSettings,
    state: UntarState,
    /// The bytes of the block that is not yet complete.
    block: Vec<u8>,
    /// A long name, which comes in an entry of its own before the file that it is for.
    long_name: Option<Vec<u8>>,
    files: usize,
    logs: Vec<Log>,
    /// The bytes of text in these logs.
    text: u64,
    /// Why the first file that is not a log was not read.
    refused: Option<ReadError>,
    /// The account of files that are not logs.
    account: Account,
}

enum UntarState {
    /// Before the header of a file.
    Header,
    /// In a file, of which `left` bytes follow.
    Log { reader: Box<Reader>, failed: Option<ReadError>, left: u64, padding: u64 },
    /// In a long name.
    Name { left: u64, padding: u64 },
    /// In bytes that are skipped.
    Skipping(u64),
    /// Behind the last file.
    End,
}

impl Untar {
    pub(super) fn new(settings: ReaderSettings) -> Self {
        Untar {
            settings,
            state: UntarState::Header,
            block: Vec::new(),
            long_name: None,
            files: 0,
            logs: Vec::new(),
            text: 0,
            refused: None,
            account: Account::default(),
        }
    }

    /// Jobs read so far.
    pub(super) fn jobs(&self) -> usize {
        let read: usize = self.logs.iter().map(|log| log.records.len()).sum();
        match &self.state {
            UntarState::Log { reader, .. } => read + reader.jobs(),
            _ => read,
        }
    }

    /// Takes the next bytes of the archive.
    ///
    /// # Errors
    /// Where it is damaged, or beyond the limits.
    pub(super) fn push(&mut self, mut bytes: &[u8]) -> Result<(), ReadError> {
        while !bytes.is_empty() {
            match &mut self.state {
                UntarState::End => return Ok(()),
                UntarState::Header => {
                    let (part, rest) = bytes.split_at(bytes.len().min(BLOCK - self.block.len()));
                    self.block.extend_from_slice(part);
                    bytes = rest;
                    if self.block.len() == BLOCK {
                        let block = std::mem::take(&mut self.block);
                        self.begin(&block)?;
                    }
                }
                UntarState::Skipping(left) => {
                    let count = (bytes.len() as u64).min(*left);
                    *left -= count;
                    bytes = &bytes[count as usize..];
                    if *left == 0 {
                        self.state = UntarState::Header;
                    }
                }
                UntarState::Name { left, padding } => {
                    let count = (bytes.len() as u64).min(*left);
                    *left -= count;
                    self.block.extend_from_slice(&bytes[..count as usize]);
                    bytes = &bytes[count as usize..];
                    if *left == 0 {
                        let padding = *padding;
                        self.long_name = Some(std::mem::take(&mut self.block));
                        self.skip(padding);
                    }
                }
                UntarState::Log { reader, failed, left, padding } => {
                    let count = (bytes.len() as u64).min(*left);
                    *left -= count;
                    if failed.is_none()
                        && let Err(error) = reader.push(&bytes[..count as usize])
                    {
                        if !error.is_of_content() {
                            return Err(error);
                        }
                        *failed = Some(error);
                    }
                    bytes = &bytes[count as usize..];
                    if *left == 0 {
                        let padding = *padding;
                        self.end_file()?;
                        self.skip(padding);
                    }
                }
            }
        }
        Ok(())
    }

    fn skip(&mut self, count: u64) {
        self.state = if count > 0 { UntarState::Skipping(count) } else { UntarState::Header };
    }

    /// Takes the header of a file.
    fn begin(&mut self, block: &[u8]) -> Result<(), ReadError> {
        if block.iter().all(|&byte| byte == 0) {
            self.state = UntarState::End;
            return Ok(());
        }
        let damaged = || ReadError::DamagedTar("a header makes no sense");
        let size = size(&block[124..136]).filter(|_| is_tar(block)).ok_or_else(damaged)?;
        let padding = size.next_multiple_of(BLOCK as u64) - size;
        self.files += 1;
        if self.files > MOST_FILES {
            return Err(ReadError::DamagedTar("it has more than 10,000 files"));
        }
        match block[156] {
            b'L' if size <= LONGEST_NAME as u64 && size > 0 => {
                self.state = UntarState::Name { left: size, padding };
                return Ok(());
            }
            b'0' | b'7' | 0 => {}
            // folders, links, attributes
            _ => {
                self.skip(size.saturating_add(padding));
                return Ok(());
            }
        }
        let name = self.long_name.take().unwrap_or_else(|| block[..100].to_vec());
        let name = name.split(|&byte| byte == 0).next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let name = name.rsplit('/').next().unwrap_or_default().to_owned();
        // hidden files, which systems leave behind
        if size == 0 || name.starts_with('.') {
            self.skip(size.saturating_add(padding));
            return Ok(());
        }
        let limits = Limits {
            jobs: self.settings.limits.jobs.saturating_sub(self.jobs()),
            text: self.settings.limits.text.saturating_sub(self.text),
        };
        let settings =
            ReaderSettings { limits, depth: ArchiveDepth::InArchive, columns: self.settings.columns.clone() };
        let reader = Box::new(Reader::with(name, settings));
        self.state = UntarState::Log { reader, failed: None, left: size, padding };
        Ok(())
    }

    /// Ends a file of the archive.
    fn end_file(&mut self) -> Result<(), ReadError> {
        let UntarState::Log { reader, failed, .. } = std::mem::replace(&mut self.state, UntarState::Header) else {
            return Ok(());
        };
        let (entry, text) = (reader.name.clone(), reader.text_length());
        let read = match failed {
            Some(error) => Err(error),
            None => reader.finish(),
        };
        match read {
            Ok(log) => {
                self.text += text;
                self.logs.push(log);
            }
            Err(error) if error.is_of_content() => {
                self.account.note(Reason::NoLog, 0);
                self.refused.get_or_insert(ReadError::InTar { entry, why: Box::new(error) });
            }
            Err(error) => return Err(ReadError::InTar { entry, why: Box::new(error) }),
        }
        Ok(())
    }

    /// The log that the archive's logs make together.
    ///
    /// # Errors
    /// If the archive is cut off, has no log, or has several that cannot be merged.
    pub(super) fn finish(self, fingerprint: Fingerprint) -> Result<Log, ReadError> {
        // some archives end without blocks of zeroes
        let is_whole = match self.state {
            UntarState::End => true,
            UntarState::Header => self.block.is_empty(),
            _ => false,
        };
        if !is_whole {
            return Err(ReadError::DamagedTar("it is cut off"));
        }
        if self.logs.is_empty() {
            return Err(self.refused.unwrap_or(ReadError::TarWithoutLog));
        }
        let log = merge(self.logs).map_err(|error| ReadError::NotMerged(error.to_string()))?;
        Ok(Log { fingerprint, account: self.account.followed_by(&log.account), ..log })
    }
}

/// Reads a size: octal digits, or a binary number where the first bit is set.
fn size(field: &[u8]) -> Option<u64> {
    if field[0] & 0x80 != 0 {
        let value = field[4..].iter().fold(0_u64, |value, &byte| value << 8 | u64::from(byte));
        return Some(value).filter(|&value| value < 1 << 62);
    }
    let digits = field.iter().copied().skip_while(|byte| *byte == b' ').take_while(|byte| !matches!(byte, 0 | b' '));
    digits
        .into_iter()
        .try_fold(0_u64, |value, byte| matches!(byte, b'0'..=b'7').then(|| value << 3 | u64::from(byte - b'0')))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::reading::read;

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
        use std::io::Write as _;
        let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
        packed.write_all(text.as_bytes()).unwrap();
        packed.finish().unwrap()
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
            let mut reader = Reader::new("dumps.tar");
            bytes.chunks(piece).for_each(|chunk| reader.push(chunk).unwrap());
            assert_eq!(reader.finish().unwrap(), log, "{piece} bytes at a time");
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
        let few = Limits { jobs: 2, ..Limits::default() };
        let february = format!("{HEADER}{FEBRUARY}");
        let both = tar(&[("1.txt", january.as_bytes()), ("2.txt", february.as_bytes())]);
        let mut reader = Reader::within("x.tar", few);
        assert!(reader.push(&both).and_then(|()| reader.finish()).unwrap_err().to_string().contains("more than"));
    }
}
