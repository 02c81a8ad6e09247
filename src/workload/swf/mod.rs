//! The Standard Workload Format (SWF 2.2), plain, gzipped or zipped, read as it comes and however dirty.
//!
//! Bytes become text, lines, fields and records one after another, so that no more than a line of the
//! text is ever held. What a log gets wrong is repaired where its meaning is plain, and everything
//! repaired or dropped is in the log's [`Account`].

mod comment;
mod error;
mod field;
mod gunzip;
mod limits;
mod lines;
mod sample;
mod text;
mod unzip;
mod zip_entry;

pub use error::ReadError;
pub use limits::Limits;
pub use sample::looks_like_a_log;
pub use unzip::{Unzipped, is_zip, unzip};

use super::log::LATEST;
use super::{Account, Log, Reason, Record, Seconds, printable};
use comment::Comments;
use field::Field;
use lines::{Line, LineSink};
use memchr::memchr;
use std::io::{self, Read as _};
use text::{Stop, Unpack};

/// Fields of a line.
const FIELDS: usize = 18;

/// Lines without a job, before any with one, after which a file is given up as no log.
const PATIENCE: u64 = 10_000;

/// How much of a line is shown in a message, in characters.
const SAMPLE: usize = 60;

/// Bytes read at once from a file.
const CHUNK: usize = 64 * 1024;

/// Reads a log that is pushed piece by piece, as a browser hands it out.
///
/// Gzip is told by its first bytes. The pieces may be cut anywhere; the log is the same.
pub struct Reader {
    name: String,
    unpack: Unpack,
    records: Records,
    failed: Option<ReadError>,
}

impl Reader {
    /// A reader of a log that is called `name`, usually after its file.
    pub fn new(name: impl Into<String>) -> Self {
        Reader::within(name, Limits::default())
    }

    /// The same, of a log that keeps to `limits`.
    pub fn within(name: impl Into<String>, limits: Limits) -> Self {
        let records = Records { most: limits.jobs, ..Records::default() };
        Reader { name: printable(&name.into()), unpack: Unpack::new(limits.text), records, failed: None }
    }

    /// Takes the next bytes of the file.
    ///
    /// # Errors
    /// As soon as it is certain that the file cannot be read; the same error again if pushed further.
    pub fn push(&mut self, chunk: &[u8]) -> Result<(), ReadError> {
        if let Some(error) = &self.failed {
            return Err(error.clone());
        }
        self.unpack.push(chunk, &mut self.records).map_err(|stop| {
            let error = self.explain(stop);
            self.failed = Some(error.clone());
            error
        })
    }

    /// Jobs read so far.
    pub fn jobs(&self) -> usize {
        self.records.records.len()
    }

    /// Bytes of text read so far, unpacked.
    pub fn text_length(&self) -> u64 {
        self.unpack.length()
    }

    /// Ends the file and gives the log.
    ///
    /// # Errors
    /// An earlier error of [`Reader::push`]; a file that is empty, cut off or without any usable job.
    pub fn finish(mut self) -> Result<Log, ReadError> {
        if let Some(error) = self.failed {
            return Err(error);
        }
        let fingerprint = self.unpack.finish(&mut self.records).map_err(|stop| self.explain(stop))?;
        let Records { comments, records, account, .. } = self.records.finish()?;
        Ok(Log { name: self.name, header: comments.finish(), records, account, fingerprint })
    }

    fn explain(&self, stop: Stop) -> ReadError {
        let (jobs, line) = (self.jobs(), self.unpack.lines());
        match stop {
            Stop::Corrupt(what) => ReadError::CorruptGzip { jobs, line, what },
            Stop::Truncated => ReadError::TruncatedGzip { jobs, line },
            Stop::Error(error) => error,
        }
    }
}

/// Reads a whole log, plain or gzipped, that is called `name`.
///
/// # Errors
/// Where the source cannot be read, or is not a log with at least one usable job.
pub fn read(name: impl Into<String>, source: impl io::Read) -> Result<Log, ReadError> {
    read_within(name, source, Limits::default())
}

/// The same, of a log that keeps to `limits`.
///
/// # Errors
/// As [`read`], and where the log is larger.
pub fn read_within(name: impl Into<String>, mut source: impl io::Read, limits: Limits) -> Result<Log, ReadError> {
    let mut reader = Reader::within(name, limits);
    let mut chunk = vec![0; CHUNK];
    loop {
        match source.read(&mut chunk) {
            Ok(0) => return reader.finish(),
            Ok(length) => reader.push(&chunk[..length])?,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(ReadError::Io(error.to_string())),
        }
    }
}

/// Reads a whole log, plain, gzipped or in a zip archive, from a file that is called `name`.
///
/// # Errors
/// Where the file cannot be read, or holds no log with at least one usable job.
pub fn read_file(
    name: impl Into<String>,
    mut file: impl io::Read + io::Seek,
    limits: Limits,
) -> Result<Log, ReadError> {
    let unreadable = |error: io::Error| ReadError::Io(error.to_string());
    let mut head = Vec::new();
    file.by_ref().take(4).read_to_end(&mut head).map_err(unreadable)?;
    file.rewind().map_err(unreadable)?;
    if is_zip(&head) {
        unzip(file, limits, |_, _| Ok(())).map(|unzipped| unzipped.log)
    } else {
        read_within(name, file, limits)
    }
}

/// Lines into records.
#[derive(Default)]
struct Records {
    comments: Comments,
    records: Vec<Record>,
    /// How many there may be.
    most: usize,
    account: Account,
    /// The first line that holds no job: its number and its beginning.
    sample: Option<(u32, String)>,
    /// Whether some job's number is not above that of the job before it.
    numbers_descend: bool,
}

impl LineSink for Records {
    fn line(&mut self, line: Line<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii_start();
        match bytes.first() {
            None => self.blank(&line),
            Some(b';') => {
                // labels describe the whole log only at its head
                if self.records.is_empty() {
                    let begin = bytes.iter().position(|&byte| byte != b';').unwrap_or(bytes.len());
                    self.comments.push(&bytes[begin..]);
                }
                Ok(())
            }
            Some(_) => self.job(&line),
        }
    }
}

impl Records {
    fn blank(&self, line: &Line<'_>) -> Result<(), ReadError> {
        if line.cut && self.records.is_empty() {
            return Err(ReadError::EndlessLine { line: line.number });
        }
        Ok(())
    }

    fn job(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        let mut rest = line.bytes;
        let mut fields = [Field::Whole(-1); FIELDS];
        let mut found = 0;
        while found < FIELDS
            && let Some(field) = field::next(&mut rest)
        {
            fields[found] = field;
            found += 1;
        }
        let is_job = found >= 2 && fields[..2].iter().any(|field| *field != Field::Text);
        // the last field of a line that is cut may be cut, too
        if !is_job || (line.cut && (found < FIELDS || rest.is_empty())) {
            return self.no_job(line);
        }
        let mut repairs = Repairs::default();
        let record = repairs.record(line.number, &fields);
        repairs.note(line.number, &mut self.account);
        if found < FIELDS {
            self.account.note(Reason::FewerFields, line.number);
        } else if !field::is_end(rest) {
            self.account.note(Reason::MoreFields, line.number);
        }
        if record.submit < 0 {
            self.account.note(Reason::NoSubmitTime, line.number);
            return Ok(());
        }
        if let Some(above) = self.records.last() {
            if record.submit < above.submit {
                self.account.note(Reason::Unsorted, line.number);
            }
            self.numbers_descend |= record.number <= above.number;
        }
        if self.records.len() >= self.most {
            return Err(ReadError::TooManyJobs { most: self.most });
        }
        self.records.push(record);
        Ok(())
    }

    /// Drops a line that holds no job, or gives up a file that seems to hold none.
    fn no_job(&mut self, line: &Line<'_>) -> Result<(), ReadError> {
        self.account.note(Reason::NotAJob, line.number);
        let begin = line.bytes.trim_ascii_start();
        if self.sample.is_none() {
            let text = String::from_utf8_lossy(&begin[..begin.len().min(4 * SAMPLE)]);
            self.sample = Some((line.number, printable(&text).chars().take(SAMPLE).collect()));
        }
        if !self.records.is_empty() {
            return Ok(());
        }
        if memchr(0, line.bytes).is_some() {
            Err(ReadError::Binary { line: line.number })
        } else if begin.starts_with(b"<") {
            Err(ReadError::WebPage { line: line.number })
        } else if line.cut {
            Err(ReadError::EndlessLine { line: line.number })
        } else if self.account.count(Reason::NotAJob) >= PATIENCE {
            Err(ReadError::NoJob { account: std::mem::take(&mut self.account), sample: self.sample.take() })
        } else {
            Ok(())
        }
    }

    fn finish(mut self) -> Result<Self, ReadError> {
        if self.records.is_empty() {
            return Err(ReadError::NoJob { account: self.account, sample: self.sample });
        }
        if self.numbers_descend {
            self.note_duplicates();
        }
        self.records.shrink_to_fit();
        Ok(self)
    }

    /// Counts jobs whose number an earlier line has used.
    fn note_duplicates(&mut self) {
        let mut numbers: Vec<(i64, u32)> = self
            .records
            .iter()
            .filter(|record| record.number >= 0)
            .map(|record| (record.number, record.line))
            .collect();
        numbers.sort_unstable();
        let mut lines: Vec<u32> =
            numbers.windows(2).filter(|pair| pair[0].0 == pair[1].0).map(|pair| pair[1].1).collect();
        lines.sort_unstable();
        lines.into_iter().for_each(|line| self.account.note(Reason::DuplicateNumber, line));
    }
}

/// What was wrong with a line's fields.
#[derive(Default)]
struct Repairs {
    rounded: bool,
    text: bool,
    too_large: bool,
}

impl Repairs {
    fn record(&mut self, line: u32, fields: &[Field; FIELDS]) -> Record {
        Record {
            line,
            number: self.whole(fields[0], i64::MAX),
            submit: self.time(fields[1]),
            wait: self.time(fields[2]),
            run: self.time(fields[3]),
            allocated: self.count(fields[4]),
            cpu_time: self.real(fields[5]),
            memory: self.real(fields[6]),
            requested: self.count(fields[7]),
            requested_time: self.time(fields[8]),
            requested_memory: self.real(fields[9]),
            status: self.count(fields[10]),
            user: self.count(fields[11]),
            group: self.count(fields[12]),
            executable: self.count(fields[13]),
            queue: self.count(fields[14]),
            partition: self.count(fields[15]),
            preceding: self.whole(fields[16], i64::MAX),
            think: self.time(fields[17]),
        }
    }

    fn time(&mut self, field: Field) -> Seconds {
        self.whole(field, LATEST)
    }

    fn count(&mut self, field: Field) -> i32 {
        // within the bound, so nothing is cut off
        self.whole(field, i64::from(i32::MAX)) as i32
    }

    /// A whole number from `-most` to `most`, or -1.
    fn whole(&mut self, field: Field, most: i64) -> i64 {
        let value = match field {
            Field::Whole(value) => Some(value),
            Field::Real(value) => {
                let rounded = field::round_half_up(value);
                self.rounded |= rounded.is_some();
                rounded
            }
            Field::TooLarge => None,
            Field::Text => {
                self.text = true;
                return -1;
            }
        };
        value.filter(|value| (-most..=most).contains(value)).unwrap_or_else(|| {
            self.too_large = true;
            -1
        })
    }

    fn real(&mut self, field: Field) -> f64 {
        match field {
            Field::Whole(value) => value as f64,
            Field::Real(value) => value,
            Field::TooLarge => {
                self.too_large = true;
                -1.0
            }
            Field::Text => {
                self.text = true;
                -1.0
            }
        }
    }

    fn note(&self, line: u32, account: &mut Account) {
        if self.rounded {
            account.note(Reason::RoundedTime, line);
        }
        if self.text {
            account.note(Reason::NotANumber, line);
        }
        if self.too_large {
            account.note(Reason::OutOfRange, line);
        }
    }
}

#[cfg(test)]
mod tests;
