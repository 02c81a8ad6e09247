//! Which fields of a row belong to which column where texts contain the delimiter. A row then has more fields than
//! there are names, and is read so that every column has what it must hold.

use super::super::numbers::is_no_limit;
use super::super::submit_line::{option_values, words};
use super::columns::{COLUMNS, SacctColumn, SacctColumns, between};
use super::{count, duration, is_unknown, moment, request};
use crate::Seconds;

/// The most delimiters in each of two texts of a row, and in three together.
const MOST_SURPLUS: usize = 12;

/// The Unix time before which no job of Slurm was submitted, in 1973: numbers below it are days of a spreadsheet.
const FIRST_TIME: Seconds = 100_000_000;

/// The texts that are read with the delimiters in them.
const WHOLE: [usize; 3] =
    [SacctColumn::SubmitLine as usize, SacctColumn::Constraints as usize, SacctColumn::Licenses as usize];

/// The columns that have whole numbers.
const NUMBERS: [usize; 9] = [
    SacctColumn::ElapsedRaw as usize,
    SacctColumn::LimitRaw as usize,
    SacctColumn::AllocatedCpus as usize,
    SacctColumn::RequestedCpus as usize,
    SacctColumn::AllocatedNodes as usize,
    SacctColumn::RequestedNodes as usize,
    SacctColumn::Priority as usize,
    SacctColumn::Restarts as usize,
    SacctColumn::Uid as usize,
];

const IDS: [usize; 2] = [SacctColumn::JobId as usize, SacctColumn::RawId as usize];

/// The field of each column that is read; empty where there is no such column.
pub(super) struct SacctFields<'a>([&'a [u8]; COLUMNS]);

/// When a job was submitted, started and ended, Unix seconds.
#[derive(Clone, Copy)]
pub(super) struct Times {
    pub submit: Option<Seconds>,
    pub start: Option<Seconds>,
    pub end: Option<Seconds>,
}

/// Texts, by their places, and how many delimiters each contains.
type Surplus = Vec<(usize, usize)>;

impl<'a> SacctFields<'a> {
    pub(super) fn get(&self, column: SacctColumn) -> &'a [u8] {
        self.0[column as usize]
    }

    /// Whether the command line with which the job was submitted, if it is told, begins as one.
    fn begins_with_command(&self) -> bool {
        let line = self.get(SacctColumn::SubmitLine);
        let first = line.split(u8::is_ascii_whitespace).next().unwrap_or_default();
        line.is_empty()
            || [&b"sbatch"[..], b"srun", b"salloc"].iter().any(|command| {
                first.strip_suffix(*command).is_some_and(|before| before.is_empty() || before.ends_with(b"/"))
            })
    }

    /// When the job was submitted, started and ended; none if these cannot be the fields of a job. Those of a line
    /// that was split in the wrong places cannot.
    pub(super) fn times(&self, columns: &SacctColumns) -> Option<Times> {
        let has = |column: SacctColumn| columns.place(column).is_some();
        let time = |column| match moment(self.get(column)) {
            Some(time) => (time >= FIRST_TIME).then_some(Some(time)),
            None => is_unknown(self.get(column)).then_some(None),
        };
        let times = Times {
            submit: time(SacctColumn::Submit)?,
            start: time(SacctColumn::Start)?,
            end: time(SacctColumn::End)?,
        };
        let id = self.get(SacctColumn::JobId);
        let is_count = |field: &[u8]| count(field).is_some() || is_unknown(field);
        let is_duration = |field: &[u8]| duration(field).is_some() || is_unknown(field);
        let are_plausible = (!has(SacctColumn::JobId) || id.first().is_some_and(u8::is_ascii_digit))
            && (!has(SacctColumn::State) || request::is_known(self.get(SacctColumn::State)))
            && [SacctColumn::AllocatedCpus, SacctColumn::AllocatedNodes].into_iter().all(|of| is_count(self.get(of)))
            && [SacctColumn::ElapsedRaw, SacctColumn::Elapsed].into_iter().all(|of| is_duration(self.get(of)));
        are_plausible.then_some(times)
    }

    /// How many of the texts are what the command line asks for.
    fn agreements(&self) -> usize {
        let line = self.get(SacctColumn::SubmitLine);
        let words = words(line);
        let asked = |long: &'static [u8], short: &'static [u8]| option_values(&words, long, short).last();
        let of_option = |column: SacctColumn, value: Option<&[u8]>| {
            usize::from(!line.is_empty() && value.is_some_and(|value| value == self.get(column)))
        };
        let name = self.get(SacctColumn::JobName);
        let is_named = match asked(b"--job-name", b"-J") {
            // the command line has lost its quotes: a name with blanks goes on behind the value
            Some(value) => {
                name.strip_prefix(value).is_some_and(|rest| rest.first().is_none_or(u8::is_ascii_whitespace))
            }
            // without a name it is that of the script
            None => line.split(u8::is_ascii_whitespace).skip(1).any(|word| {
                let file = word.rsplit(|&byte| byte == b'/').next().unwrap_or_default();
                file == name || name == b"wrap" && word.starts_with(b"--wrap")
            }),
        };
        of_option(SacctColumn::Constraints, asked(b"--constraint", b"-C"))
            + of_option(SacctColumn::Licenses, asked(b"--licenses", b"-L"))
            + usize::from(!name.is_empty() && is_named)
    }

    /// How many columns have what they must hold, beyond those without which there is no job.
    fn well_formed(&self) -> usize {
        let is_list = |text: &[u8]| is_unknown(text) || text.contains(&b'=');
        let is_number = |text: &[u8]| text.iter().all(u8::is_ascii_digit);
        let is_limit = |text: &[u8]| is_unknown(text) || duration(text).is_some() || is_no_limit(text);
        let checks: [(SacctColumn, Check<'_>); 9] = [
            (SacctColumn::Constraints, &is_expression),
            (SacctColumn::Licenses, &is_expression),
            (SacctColumn::RequestedTres, &is_list),
            (SacctColumn::AllocatedTres, &is_list),
            (SacctColumn::Eligible, &|text: &[u8]| is_unknown(text) || moment(text).is_some()),
            (SacctColumn::LimitRaw, &|text: &[u8]| is_unknown(text) || is_number(text) || is_limit(text)),
            (SacctColumn::Limit, &is_limit),
            (SacctColumn::Priority, &is_number),
            (SacctColumn::Uid, &is_number),
        ];
        checks.into_iter().filter(|(column, holds)| holds(self.get(*column))).count()
    }
}

/// Whether a text is what a column must hold.
type Check<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Whether a text can be a constraint or a list of licences, which join names by `|`: its brackets are closed, and there
/// is a name on both sides of each joint.
fn is_expression(text: &[u8]) -> bool {
    let (mut open, mut has_name) = (0_i32, false);
    for &byte in text {
        match byte {
            b'[' | b'(' if !has_name => open += 1,
            b']' | b')' if has_name => open -= 1,
            b'|' | b'&' | b',' | b';' if has_name => has_name = false,
            b'|' | b'&' | b',' | b';' | b'[' | b']' | b'(' | b')' => return false,
            _ if byte.is_ascii_whitespace() => return false,
            _ => has_name = true,
        }
        if open < 0 {
            return false;
        }
    }
    open == 0 && (has_name || text.is_empty()) || text == b"(null)"
}

/// The fields of a line that are read, their times, and whether texts contain delimiters; none where it is no job. Of
/// several ways to put the fields together it is the one in which most columns have what they must hold.
pub(super) fn fitted<'a>(
    columns: &SacctColumns,
    line: &'a [u8],
    fields: &[&'a [u8]],
) -> Option<(SacctFields<'a>, Times, bool)> {
    let surplus = fields.len().checked_sub(columns.count)?;
    if surplus == 0 {
        let whole = aligned(columns, line, fields, &[]);
        let times = whole.times(columns)?;
        return Some((whole, times, false));
    }
    // a joint of an expression is likelier than the same sign in a name
    let is_joined = |surplus: &Surplus| {
        let places = [SacctColumn::Constraints, SacctColumn::Licenses].map(|column| columns.place(column));
        let own = surplus.iter().filter(|(text, _)| places.contains(&Some(*text)));
        own.map(|(_, count)| *count).sum::<usize>()
    };
    let mut best: Option<(_, SacctFields<'a>, Times)> = None;
    for way in ways(&columns.texts, surplus) {
        let found = aligned(columns, line, fields, &way);
        let Some(times) = found.times(columns) else { continue };
        let worth = (found.begins_with_command(), found.agreements(), found.well_formed(), is_joined(&way));
        if best.as_ref().is_none_or(|(most, ..)| worth > *most) {
            best = Some((worth, found, times));
        }
    }
    best.map(|(_, found, times)| (found, times, true))
}

/// The ways in which one, two or three texts can contain so many delimiters, the likeliest first.
fn ways(texts: &[usize], surplus: usize) -> Vec<Surplus> {
    let mut found: Vec<Surplus> = texts.iter().map(|&text| vec![(text, surplus)]).collect();
    for (at, &first) in texts.iter().enumerate() {
        for &second in texts.iter().filter(|&&second| second != first) {
            found.extend((1..surplus.min(MOST_SURPLUS)).map(|n| vec![(first, n), (second, surplus - n)]));
        }
        if surplus > MOST_SURPLUS {
            continue;
        }
        for (behind, &second) in texts.iter().enumerate().skip(at + 1) {
            for &third in &texts[behind + 1..] {
                let shares = (1..surplus).flat_map(|n| (1..surplus - n).map(move |m| (n, m)));
                found.extend(shares.map(|(n, m)| vec![(first, n), (second, m), (third, surplus - n - m)]));
            }
        }
    }
    found
}

/// The fields of a line that are read, if the columns in `surplus` contain so many delimiters.
pub(super) fn aligned<'a>(
    columns: &SacctColumns,
    line: &'a [u8],
    fields: &[&'a [u8]],
    surplus: &[(usize, usize)],
) -> SacctFields<'a> {
    let mut found: [&[u8]; COLUMNS] = [b""; COLUMNS];
    for &(at, place) in columns.read() {
        let before: usize = surplus.iter().filter(|(text, _)| place > *text).map(|(_, surplus)| surplus).sum();
        let first = place + before;
        // of other texts the beginning is as good a name as all of it
        let field = match surplus.iter().find(|(text, _)| *text == place) {
            Some((_, surplus)) if *surplus > 0 && WHOLE.contains(&at) => {
                between(line, fields[first], fields[first + surplus])
            }
            _ => fields[first],
        };
        let field = field.trim_ascii();
        found[at] = match field {
            // as pandas writes a column of whole numbers of which some are missing
            [whole @ .., b'.', b'0'] if NUMBERS.contains(&at) || (columns.has_decimal_ids && IDS.contains(&at)) => {
                whole
            }
            _ => field,
        };
    }
    SacctFields(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What columns of a row have, of a file with these names.
    fn read<'a>(names: &str, row: &'a str, of: &[SacctColumn]) -> Vec<&'a str> {
        let columns = SacctColumns::of_header(names.as_bytes()).unwrap();
        let mut fields = Vec::new();
        columns.split(row.as_bytes(), &mut fields);
        let (found, ..) = fitted(&columns, row.as_bytes(), &fields).unwrap();
        of.iter().map(|&column| std::str::from_utf8(found.get(column)).unwrap()).collect()
    }

    #[test]
    fn constraints_names_and_command_lines_are_told_apart() {
        use SacctColumn::{Constraints, JobName, SubmitLine};
        let names = "JobID|Submit|ElapsedRaw|NCPUS|State|Constraints|JobName|SubmitLine";
        let rows = [
            ("[a|b]", "sim", "sbatch -C [a|b] x.sh"),
            ("a|b", "sim", "sbatch --constraint=a|b -J sim x.sh"),
            ("a|b|c", "x.sh", "sbatch -C a|b|c x.sh"),
            ("a|b", "run.sh", "sbatch /home/ann/run.sh in|out"),
            ("", "wrap", "sbatch --wrap=sort in | uniq | wc"),
            ("a|b", "wrap", "/usr/bin/sbatch -C a|b --wrap=sort in | wc"),
            ("a", "sim", "sbatch -C a --wrap=sort | wc -J sim"),
            ("(a|b)&c", "night run", "sbatch -C (a|b)&c --job-name night run y.sh"),
        ];
        for (constraint, name, command) in rows {
            let row = format!("7|2026-01-05T10:00:00|60|2|COMPLETED|{constraint}|{name}|{command}");
            assert_eq!(read(names, &row, &[Constraints, JobName, SubmitLine]), [constraint, name, command], "{row}");
            let turned = format!("7|2026-01-05T10:00:00|60|2|COMPLETED|{name}|{constraint}|{command}");
            let other = names.replace("Constraints|JobName", "JobName|Constraints");
            let found = read(&other, &turned, &[Constraints, JobName, SubmitLine]);
            assert_eq!(found, [constraint, name, command], "{turned}");
        }
        // of a name with delimiters the beginning is kept
        let row = "7|2026-01-05T10:00:00|60|2|COMPLETED|a|x|y|sbatch -C a -J x|y z.sh";
        assert_eq!(read(names, row, &[Constraints, JobName]), ["a", "x"]);
        let row = "7|2026-01-05T10:00:00|60|2|COMPLETED|a|b|x|y|sbatch -C a|b -J x|y z.sh | tee";
        assert_eq!(read(names, row, &[Constraints, JobName]), ["a|b", "x"], "three texts");
    }

    #[test]
    fn licences_may_be_joined_too() {
        use SacctColumn::{JobName, Licenses, Priority};
        let names = "JobID|JobName|Licenses|Priority|Submit|ElapsedRaw|NCPUS|State";
        let row = "7|sim|m:2|n|4711|2026-01-05T10:00:00|60|2|COMPLETED";
        assert_eq!(read(names, row, &[JobName, Licenses, Priority]), ["sim", "m:2|n", "4711"]);
        let row = "7|si|m||4711|2026-01-05T10:00:00|60|2|COMPLETED";
        assert_eq!(read(names, row, &[JobName, Licenses, Priority]), ["si", "", "4711"]);
    }

    #[test]
    fn expressions_have_names_between_their_joints() {
        for text in ["", "a", "a|b", "[a|b]", "(a&b)|c", "[a*2&b*4]", "m:2,n", "(null)", "arch=x86-64_v3"] {
            assert!(is_expression(text.as_bytes()), "{text}");
        }
        for text in ["|a", "a|", "[a|b", "a|b]", "a b", "a||b", "()", "x (1)", ")a("] {
            assert!(!is_expression(text.as_bytes()), "{text}");
        }
    }
}
