//! Reads the Standard Workload Format (SWF 2.2), with whatever errors.

mod field;
mod likely;

pub(super) use likely::{Delimited, are_other_columns, has_some, is_likely};

use super::accounting::numbers;
use super::interned::Interned;
use super::log::LATEST;
use super::reading::{FileLine, Format, Limits, LogContent, ReadError, room_for_one};
use super::{Account, Beyond, Header, Names, OtherLine, Reason, Record, Seconds, printable};
use field::{Comments, DescribedComment, Field};
use std::ops::Range;

const FIELDS: usize = 18;

/// The fields, from 0, that may be names: user, group, executable, queue and partition.
const NAMED: Range<usize> = 11..16;

/// The fields, from 0, without which there is no job as it was: run time, processors, requested processors and time.
const NEEDED: [usize; 4] = [3, 4, 7, 8];

/// The Unix time of 1990. Where the header does not say when the log began, later submit times are taken for Unix
/// times.
const UNIX: Seconds = 631_152_000;

/// After this many lines without a job, and none with one, a file is refused.
const PATIENCE: u64 = 10_000;

/// How much of a line is shown in a message, in characters.
const SAMPLE: usize = 60;

#[derive(Default)]
pub(super) struct Records {
    comments: Comments,
    records: Vec<Record>,
    most: usize,
    /// Whether the file is of no known format, so that no line holds a job.
    is_other_text: bool,
    account: Account,
    /// The names in the fields that may be names ([`NAMED`]).
    names: [Interned; 5],
    beyond: Beyond,
    /// The first line that holds no job: its number and its beginning.
    sample: Option<(u32, String)>,
    /// Whether some job's number is not above that of the job before it.
    numbers_descend: bool,
}

impl Format for Records {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        let bytes = line.bytes.trim_ascii_start();
        match bytes.first() {
            None => self.blank(&line),
            // the grid archive's form of the format has # for comments
            Some(b';' | b'#') => {
                self.account.pass(OtherLine::Comment);
                // labels describe the whole log only at its head
                if self.records.is_empty() {
                    let begin = bytes.iter().position(|byte| !matches!(byte, b';' | b'#')).unwrap_or(bytes.len());
                    self.comments.push(&bytes[begin..]);
                }
                Ok(())
            }
            Some(_) if self.records.is_empty() && likely::names_fields(bytes) => {
                self.account.pass(OtherLine::Names);
                Ok(())
            }
            Some(_) => self.job(&line),
        }
    }

    fn jobs(&self) -> usize {
        self.records.len()
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        if self.records.is_empty() {
            return Err(ReadError::NoJob { account: Box::new(self.account), sample: self.sample });
        }
        if self.numbers_descend {
            self.note_duplicates();
        }
        let Records { comments, mut records, account, names, mut beyond, .. } = *self;
        let mut header = comments.finish();
        let own_zero = begin_at_zero(&mut header, &mut records);
        beyond.clear_unknown();
        let [users, groups, executables, queues, partitions] = names.map(|interned| interned.names);
        Ok(LogContent {
            header,
            records,
            account,
            names: Names { users, groups, queues, partitions, executables },
            beyond,
            own_zero,
            is_table: false,
            knows_limits: false,
        })
    }
}

impl Records {
    pub(super) fn within(limits: Limits) -> Self {
        Records { most: limits.jobs, ..Records::default() }
    }

    /// The reader of a text that is no log, which says so.
    pub(super) fn of_other_text(limits: Limits) -> Self {
        Records { is_other_text: true, ..Records::within(limits) }
    }

    fn blank(&mut self, line: &FileLine<'_>) -> Result<(), ReadError> {
        self.account.pass(OtherLine::Blank);
        if line.cut && self.records.is_empty() {
            return Err(ReadError::EndlessLine { line: line.number });
        }
        Ok(())
    }

    fn job(&mut self, line: &FileLine<'_>) -> Result<(), ReadError> {
        if self.is_other_text {
            return self.no_job(line);
        }
        let mut rest = line.bytes;
        let mut fields = [Field::Whole(-1); FIELDS];
        let mut found = 0;
        let mut before = rest;
        let mut is_odd = false;
        while found < FIELDS
            && let Some(field) = field::next(&mut rest)
        {
            fields[found] = field;
            if field == Field::Text {
                let text = before[..before.len() - rest.len()].trim_ascii();
                if NAMED.contains(&found) {
                    fields[found] = Field::Whole(self.names[found - NAMED.start].number(text).into());
                }
                is_odd |= NEEDED.contains(&found) && numbers::is_odd::<()>(text, None);
            }
            found += 1;
            before = rest;
        }
        let is_job = found >= 2 && fields[..2].iter().any(|field| *field != Field::Text);
        // the last field of a line that is cut may be cut, too
        if !is_job || (line.cut && (found < FIELDS || rest.is_empty())) {
            return self.no_job(line);
        }
        let mut repairs = Repairs::default();
        let mut record = repairs.record(line.number, &fields);
        let described = if found == FIELDS { field::of(rest) } else { None };
        if let Some(DescribedComment { processors, .. }) = described {
            (record.allocated, record.requested) = (processors, processors);
            self.account.note(Reason::WidthDescribed, line.number);
        }
        repairs.text &= !is_odd;
        repairs.note(line.number, &mut self.account);
        if is_odd && record.submit >= 0 {
            self.account.note_text(Reason::ValueNotUnderstood, line.number, line.bytes);
        }
        if found < FIELDS {
            self.account.note(Reason::FewerFields, line.number);
        } else if !field::is_end(rest) && described.is_none() {
            self.account.note(Reason::MoreFields, line.number);
        }
        if record.submit < 0 {
            self.account.note_text(Reason::NoSubmitTime, line.number, line.bytes);
            self.account.add_work(Reason::NoSubmitTime, record.work_of(record.run));
            return Ok(());
        }
        if let Some(above) = self.records.last() {
            if record.submit < above.submit {
                self.account.note(Reason::Unsorted, line.number);
            }
            self.numbers_descend |= record.number <= above.number;
        }
        let jobs = self.records.len();
        if jobs >= self.most {
            return Err(ReadError::TooManyJobs { most: self.most });
        }
        room_for_one(&mut self.records, jobs)?;
        self.records.push(record);
        if described.is_some() || !self.beyond.nodes.is_empty() {
            self.beyond.nodes.resize(self.records.len() - 1, -1);
            self.beyond.nodes.push(described.map_or(-1, |described| described.nodes));
        }
        Ok(())
    }

    /// Drops a line that holds no job, or refuses a file that seems to hold none.
    fn no_job(&mut self, line: &FileLine<'_>) -> Result<(), ReadError> {
        self.account.note_text(Reason::NotAJob, line.number, line.bytes);
        let begin = line.bytes.trim_ascii_start();
        if self.sample.is_none() {
            let text = String::from_utf8_lossy(&begin[..begin.len().min(4 * SAMPLE)]);
            self.sample = Some((line.number, printable(&text).chars().take(SAMPLE).collect()));
        }
        if !self.records.is_empty() {
            return Ok(());
        }
        if line.bytes.iter().any(is_binary) {
            Err(ReadError::Binary { line: line.number })
        } else if begin.starts_with(b"<") && self.sample.as_ref().is_some_and(|(first, _)| *first == line.number) {
            Err(ReadError::WebPage { line: line.number })
        } else if line.cut {
            Err(ReadError::EndlessLine { line: line.number })
        } else if self.account.count(Reason::NotAJob) >= PATIENCE {
            Err(ReadError::NoJob { account: Box::new(std::mem::take(&mut self.account)), sample: self.sample.take() })
        } else {
            Ok(())
        }
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

/// Whether a byte is in no text: a control character other than tabs, ends of lines and pages, and escapes.
fn is_binary(byte: &u8) -> bool {
    matches!(byte, 0..=8 | 14..=26 | 28..=31)
}

/// Turns Unix times into times since the first submission, and notes in the header when that was. Also done where the
/// header's own `UnixStartTime` is 0. Returns what is subtracted from all times, seconds.
fn begin_at_zero(header: &mut Header, records: &mut [Record]) -> Seconds {
    let first = records.iter().map(|record| record.submit).min().unwrap_or(0);
    if header.unix_start().is_some() || first < UNIX {
        return 0;
    }
    records.iter_mut().for_each(|record| record.submit -= first);
    header.labels.retain(|(label, _)| !label.eq_ignore_ascii_case("UnixStartTime"));
    header.labels.push(("UnixStartTime".to_owned(), first.to_string()));
    first
}

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
        // the bound makes the cast exact
        self.whole(field, i64::from(i32::MAX)) as i32
    }

    /// A whole number from `-most` to `most`, or -1, also where it stands for nothing. Below -1 two times contradict each other.
    fn whole(&mut self, field: Field, most: i64) -> i64 {
        let is_nothing = match field {
            Field::Whole(value) => value > 0 && most <= LATEST && numbers::is_nothing(value),
            Field::Real(value) => value > 0.0 && numbers::is_no_amount(value),
            Field::TooLarge | Field::Text => false,
        };
        if is_nothing {
            return -1;
        }
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
        let known = |value: f64| if numbers::is_no_amount(value) { -1.0 } else { value };
        match field {
            Field::Whole(value) => known(value as f64),
            Field::Real(value) => known(value),
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
