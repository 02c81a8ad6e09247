//! The law of accounts: every record of a file is a job, or stands in the account with its reason, and the sums agree.

use super::{Account, AccountLine, Reason};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A line of a file that is no record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OtherLine {
    /// It has nothing but blanks.
    Blank,
    Comment,
    Names,
    /// It tells of something else than the end of a job: a submission, a start, a reservation.
    Event,
    /// It goes on with the record of the line before.
    Continued,
}

/// How many lines of a file are no records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OtherLines {
    pub blank: u64,
    pub comments: u64,
    pub names: u64,
    /// What tells of something else than the end of a job.
    pub events: u64,
    /// What goes on with the record of the line before.
    pub continued: u64,
}

impl OtherLines {
    fn of(&mut self, kind: OtherLine) -> &mut u64 {
        match kind {
            OtherLine::Blank => &mut self.blank,
            OtherLine::Comment => &mut self.comments,
            OtherLine::Names => &mut self.names,
            OtherLine::Event => &mut self.events,
            OtherLine::Continued => &mut self.continued,
        }
    }

    pub(super) fn with(mut self, more: OtherLines) -> Self {
        self.blank += more.blank;
        self.comments += more.comments;
        self.names += more.names;
        self.events += more.events;
        self.continued += more.continued;
        self
    }

    /// How many there are.
    pub fn all(self) -> u64 {
        self.blank + self.comments + self.names + self.events + self.continued
    }

    /// Those that a person would ask about, in words: `3 comments, 12 other events`; empty where there are none.
    pub fn in_words(self) -> String {
        let kinds = [(self.comments, "comment", "comments"), (self.events, "other event", "other events")];
        let told = kinds.into_iter().filter(|(count, ..)| *count > 0);
        let told = told.map(|(count, one, more)| format!("{} {}", grouped(count), if count == 1 { one } else { more }));
        told.collect::<Vec<_>>().join(", ")
    }
}

impl Reason {
    /// What the records left out for this reason are, in a word or two that follow their count; none where they are left
    /// out for none.
    pub fn in_short(self) -> Option<&'static str> {
        Some(match self {
            Reason::NotAJob => "not understood",
            Reason::NoSubmitTime => "without a time of submission",
            Reason::Filtered => "outside the filter",
            Reason::NoRunTime => "that ran for no time",
            Reason::NoProcessors => "on no known processors",
            Reason::WiderThanMachine | Reason::ShortOfGpus | Reason::ShortOfMemory | Reason::ShortOfResource => {
                "too large for the machine"
            }
            Reason::NoSuchPartition => "of other partitions",
            Reason::PartialExecution => "partial executions",
            Reason::CancelledUnstarted => "never started",
            Reason::PendingArray | Reason::NotStarted => "still waiting",
            Reason::StillRunning => "still running",
            Reason::Repeated => "that are there twice",
            Reason::PartOfJob => "parts of other jobs",
            Reason::NoDelay => "of unknown run time",
            Reason::EndedBefore => "over before the log begins",
            _ => return None,
        })
    }
}

impl Account {
    /// As [`Account::note`], for a job whose work is known, processor-seconds.
    pub fn note_work(&mut self, reason: Reason, line: u32, work: u64) {
        self.note(reason, line);
        self.add_work(reason, work);
    }

    /// Adds to the work of what was noted for a reason, processor-seconds.
    pub(crate) fn add_work(&mut self, reason: Reason, work: u64) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.reason == reason) {
            entry.work = entry.work.saturating_add(work);
        }
    }

    /// Adds the account of another file of the same log, which is called `file`.
    pub(crate) fn add(&mut self, other: Account, file: &str) {
        self.others = self.others.with(other.others);
        self.works = match (self.works, other.works) {
            (Some(one), Some(more)) => Some((one.0.saturating_add(more.0), one.1.saturating_add(more.1))),
            (one, more) => one.or(more),
        };
        for mut entry in other.entries {
            match self.entries.iter_mut().find(|known| known.reason == entry.reason) {
                Some(known) => {
                    known.count += entry.count;
                    known.work = known.work.saturating_add(entry.work);
                    if known.lines.is_empty() {
                        (known.lines, known.examples) = (entry.lines, entry.examples);
                        file.clone_into(&mut known.file);
                    }
                }
                None => {
                    file.clone_into(&mut entry.file);
                    self.entries.push(entry);
                }
            }
        }
    }

    /// Takes back what was noted of a line, where another file knows better. Returns whether it had been noted.
    pub(crate) fn take_back(&mut self, reason: Reason, line: u32, work: u64) -> bool {
        let Some(entry) = self.entries.iter_mut().find(|entry| entry.reason == reason) else { return false };
        entry.count -= 1;
        entry.work = entry.work.saturating_sub(work);
        entry.lines.retain(|&other| other != line);
        self.entries.retain(|entry| entry.count > 0);
        true
    }

    /// Counts a line that is no record.
    pub fn pass(&mut self, kind: OtherLine) {
        *self.others.of(kind) += 1;
    }

    /// Takes back a line that was counted as no record and is one after all.
    pub(crate) fn unpass(&mut self, kind: OtherLine) {
        let count = self.others.of(kind);
        *count = count.saturating_sub(1);
    }

    /// Notes the work of all jobs by the processors that they were given and by those that they asked for, which differ.
    pub(crate) fn set_works(&mut self, used: u64, asked: u64) {
        self.works = Some((used, asked));
    }

    /// The work of all jobs by the processors that they were given, and by those that they asked for, processor-seconds;
    /// none where these hardly differ.
    pub fn works(&self) -> Option<(u64, u64)> {
        self.works
    }

    /// The lines that are no records.
    pub fn others(&self) -> OtherLines {
        self.others
    }

    fn left_out(&self) -> impl Iterator<Item = &AccountLine> {
        self.entries.iter().filter(|entry| entry.reason.drops() && !entry.reason.is_of_other_kind())
    }

    /// How many records there were, of which `jobs` became jobs: steps and their like are none.
    pub fn records(&self, jobs: usize) -> u64 {
        jobs as u64 + self.left_out().map(|entry| entry.count).sum::<u64>()
    }

    /// How many of so many records became jobs.
    pub fn jobs_of(&self, records: u64) -> u64 {
        records.saturating_sub(self.left_out().map(|entry| entry.count).sum())
    }

    /// How many records were not understood, of those that should be jobs: `jobs` became jobs.
    pub fn not_understood(&self, jobs: usize) -> (u64, u64) {
        let (lost, gone) = self.lost(|entry| entry.count);
        (lost, jobs as u64 + gone)
    }

    /// The work of records that were not understood, and of all that should be jobs, processor-seconds, where the jobs'
    /// work is `work`.
    pub fn work_not_understood(&self, work: u64) -> (u64, u64) {
        let (lost, gone) = self.lost(|entry| entry.work);
        (lost, work.saturating_add(gone))
    }

    /// What is lost because it was not understood, and as much of it as has become no job.
    fn lost(&self, amount: impl Fn(&AccountLine) -> u64) -> (u64, u64) {
        let lost = self.entries.iter().filter(|entry| entry.reason.is_of_reader());
        lost.fold((0, 0), |(lost, gone): (u64, u64), entry| {
            let more = amount(entry);
            (lost.saturating_add(more), gone.saturating_add(if entry.reason.drops() { more } else { 0 }))
        })
    }

    /// Whether more of the records, or of their work, was not understood than `share` thousandths.
    pub fn loses_more_than(&self, share: u32, jobs: usize, work: u64) -> bool {
        let exceeds =
            |(lost, of): (u64, u64)| u128::from(lost) * 1_000 > u128::from(of) * u128::from(share) && share < 1_000;
        exceeds(self.not_understood(jobs)) || exceeds(self.work_not_understood(work))
    }

    /// All of it in one line: `28,481 records: 28,453 jobs, 28 never started`.
    pub fn in_short(&self, records: u64) -> String {
        let mut kinds: BTreeMap<&'static str, (usize, u64)> = BTreeMap::new();
        for (place, entry) in self.left_out().enumerate() {
            if let Some(kind) = entry.reason.in_short() {
                kinds.entry(kind).or_insert((place, 0)).1 += entry.count;
            }
        }
        let mut kinds: Vec<(&str, (usize, u64))> = kinds.into_iter().collect();
        kinds.sort_by_key(|(_, (place, count))| (std::cmp::Reverse(*count), *place));
        let count = |count: u64, noun: &str| {
            let plural = if count == 1 { "" } else { "s" };
            format!("{} {noun}{plural}", grouped(count))
        };
        let mut said = format!("{}: {}", count(records, "record"), count(self.jobs_of(records), "job"));
        for (kind, (_, count)) in kinds {
            said.push_str(&format!(", {} {kind}", grouped(count)));
        }
        said
    }
}

/// A whole number with its digits in groups of three.
fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_account_in_one_line() {
        let mut account = Account::default();
        assert_eq!(account.in_short(1), "1 record: 1 job");
        (0..28).for_each(|line| account.note(Reason::CancelledUnstarted, line));
        assert_eq!(account.in_short(28_481), "28,481 records: 28,453 jobs, 28 never started");
        account.note_work(Reason::NotStarted, 4, 0);
        account.note(Reason::PendingArray, 4);
        // steps are no records, and repairs leave nothing out
        [Reason::JobStep, Reason::CutToRequest].into_iter().for_each(|reason| account.note(reason, 9));
        assert_eq!(account.in_short(31), "31 records: 1 job, 28 never started, 2 still waiting");
        assert!(account.take_back(Reason::NotStarted, 4, 0) && !account.take_back(Reason::NoDelay, 4, 0));
        assert_eq!(account.in_short(30), "30 records: 1 job, 28 never started, 1 still waiting");
    }

    #[test]
    fn a_share_of_the_work_counts_as_one_of_the_records_does() {
        let mut account = Account::default();
        account.note_work(Reason::NoSubmitTime, 7, 20);
        assert!(!account.loses_more_than(10, 999, 1_980), "1 of 1,000 records and 1 % of the work");
        assert!(account.loses_more_than(10, 999, 1_900) && account.loses_more_than(10, 98, 1_980));
        assert!(!account.loses_more_than(1_000, 0, 0), "all may be lost");
        let both = account.followed_by(&account);
        assert_eq!((both.work_not_understood(60), both.records(3)), ((40, 100), 5));
    }

    #[test]
    fn lines_that_are_no_records_are_counted() {
        let mut account = Account::default();
        for kind in [OtherLine::Comment, OtherLine::Event, OtherLine::Event, OtherLine::Blank] {
            account.pass(kind);
        }
        account.unpass(OtherLine::Event);
        assert_eq!(account.others().in_words(), "1 comment, 1 other event");
        assert_eq!(account.followed_by(&account).others().all(), 6);
    }
}
