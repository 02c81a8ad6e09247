//! The columns of `sacct -P`, known by their names.

use super::super::time::id_number;
use super::super::tres;
use super::COMMAND;
use crate::ReadError;
use memchr::memmem;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SacctColumn {
    JobId,
    RawId,
    Submit,
    Eligible,
    Start,
    End,
    ElapsedRaw,
    Elapsed,
    LimitRaw,
    Limit,
    AllocatedCpus,
    RequestedCpus,
    AllocatedNodes,
    RequestedNodes,
    AllocatedTres,
    RequestedTres,
    RequestedMemory,
    User,
    Uid,
    Account,
    Group,
    Partition,
    Qos,
    State,
    JobName,
    Dependency,
    SubmitLine,
    Priority,
    Suspended,
    Constraints,
    Licenses,
    Switches,
    Reservation,
    Cluster,
    EnergyRaw,
    Energy,
    Restarts,
}

use SacctColumn::*;

pub(super) const COLUMNS: usize = Restarts as usize + 1;

/// The names of the columns that are read, in any case.
const NAMES: &[(&str, SacctColumn)] = &[
    // as slurm2sql names it, whose JobID is that of the job in rows of steps, too
    ("JobIDSlurm", JobId),
    ("JobID", JobId),
    ("JobIDRaw", RawId),
    ("Submit", Submit),
    ("Eligible", Eligible),
    ("Start", Start),
    ("End", End),
    ("ElapsedRaw", ElapsedRaw),
    ("Elapsed", Elapsed),
    ("TimelimitRaw", LimitRaw),
    ("Timelimit", Limit),
    ("AllocCPUS", AllocatedCpus),
    ("NCPUS", AllocatedCpus),
    ("ReqCPUS", RequestedCpus),
    ("AllocNodes", AllocatedNodes),
    ("NNodes", AllocatedNodes),
    ("ReqNodes", RequestedNodes),
    ("AllocTRES", AllocatedTres),
    ("ReqTRES", RequestedTres),
    ("ReqMem", RequestedMemory),
    ("User", User),
    ("UID", Uid),
    ("Account", Account),
    ("Group", Group),
    ("Partition", Partition),
    ("QOS", Qos),
    ("State", State),
    ("JobName", JobName),
    ("Dependency", Dependency),
    ("SubmitLine", SubmitLine),
    ("Priority", Priority),
    ("Suspended", Suspended),
    ("Constraints", Constraints),
    ("Licenses", Licenses),
    ("ReqSwitch", Switches),
    ("Reservation", Reservation),
    ("Cluster", Cluster),
    ("ConsumedEnergyRaw", EnergyRaw),
    ("ConsumedEnergy", Energy),
    ("Restarts", Restarts),
];

pub(in crate::accounting) fn is_known(name: &str) -> bool {
    NAMES.iter().any(|(known, _)| known.eq_ignore_ascii_case(name))
}

/// Columns whose text can contain anything, even the delimiter and line breaks.
const TEXTS: [&str; 14] = [
    "JobName",
    "SubmitLine",
    "Comment",
    "AdminComment",
    "SystemComment",
    "WorkDir",
    "Constraints",
    "Licenses",
    "NodeList",
    "WCKey",
    "Extra",
    "StdIn",
    "StdOut",
    "StdErr",
];

/// The columns of Open XDMoD's exports, which have no header line.
const XDMOD: &str = "JobID|JobIDRaw|Cluster|Partition|QOS|Account|Group|GID|User|UID|Submit|Eligible|Start|End|Elapsed|\
                     ExitCode|State|NNodes|NCPUS|ReqCPUS|ReqMem|ReqTRES|AllocTRES|Timelimit|NodeList|JobName";

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct SacctColumns {
    pub delimiter: Vec<u8>,
    pub count: usize,
    /// The place of each column that is read; none where the file lacks it.
    places: [Option<usize>; COLUMNS],
    /// Each column that is read and its place.
    read: Vec<(usize, usize)>,
    /// The places of the columns whose text can contain anything, the likeliest to contain a delimiter first.
    pub texts: Vec<usize>,
    names: Vec<String>,
    /// Whether ids have decimals, as pandas writes a column of numbers of which some are missing.
    pub has_decimal_ids: bool,
}

impl SacctColumns {
    /// The columns of a header line; none where a line is not one.
    pub(super) fn of_header(line: &[u8]) -> Option<Self> {
        // most lines are of data: no name begins with a digit
        if line.first().is_some_and(u8::is_ascii_digit) {
            return None;
        }
        let line = std::str::from_utf8(line).ok()?.trim();
        let line = line.strip_prefix('#').map_or(line, str::trim_start);
        let first = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_')?;
        let behind = &line[first..];
        let delimiter = &behind[..behind.find(|c: char| c.is_ascii_alphanumeric() || c == '_').unwrap_or(behind.len())];
        // a table of fixed width has blanks between columns; names in quotes are a table's, and so are those in frames
        if delimiter.starts_with(' ') || delimiter == "| " || delimiter.contains('"') {
            return None;
        }
        // -p writes a delimiter behind the last column, too
        let line = line.strip_suffix(delimiter).unwrap_or(line);
        if line.split(delimiter).any(|name| name.trim_start().starts_with(|c: char| c.is_ascii_digit())) {
            return None;
        }
        let names: Vec<&str> = line.split(delimiter).map(str::trim).collect();
        let columns = SacctColumns::named(delimiter.as_bytes(), &names);
        let known = columns.places.iter().flatten().count();
        let is_slurm = columns.has(JobId) || columns.has(RawId) || columns.has(State) || columns.has(ElapsedRaw);
        (is_slurm && known >= 3).then_some(columns)
    }

    /// The columns of Open XDMoD's exports, if the fields of this line can be theirs.
    pub(super) fn of_export(line: &[u8]) -> Option<Self> {
        let columns = SacctColumns::named(b"|", &XDMOD.split('|').collect::<Vec<_>>());
        let old: Vec<&str> = XDMOD.split('|').filter(|name| *name != "QOS").collect();
        let fields: Vec<&[u8]> = line.split(|&byte| byte == b'|').collect();
        [columns, SacctColumns::named(b"|", &old)].into_iter().find(|columns| {
            let is = |column: SacctColumn, check: fn(&[u8]) -> bool| {
                columns.places[column as usize].and_then(|at| fields.get(at)).is_some_and(|field| check(field))
            };
            let is_time = |field: &[u8]| super::super::time::moment(field).is_some();
            fields.len() >= columns.count
                && is(RawId, |field| super::super::time::id_number(field).is_some())
                && is(Submit, is_time)
                && is(Eligible, |field| {
                    super::super::time::moment(field).is_some() || super::super::numbers::is_unknown(field)
                })
                && is(Elapsed, |field| super::super::time::duration(field).is_some())
                && is(State, super::request::is_known)
        })
    }

    fn named(delimiter: &[u8], names: &[&str]) -> Self {
        let mut places = [None; COLUMNS];
        for (name, column) in NAMES {
            let at = names.iter().position(|other| other.eq_ignore_ascii_case(name));
            places[*column as usize] = places[*column as usize].or(at);
        }
        let texts = TEXTS.iter().filter_map(|name| names.iter().position(|other| other.eq_ignore_ascii_case(name)));
        SacctColumns {
            delimiter: delimiter.to_vec(),
            count: names.len(),
            read: places.iter().enumerate().filter_map(|(column, place)| Some((column, (*place)?))).collect(),
            places,
            texts: texts.collect(),
            names: names.iter().map(|&name| name.to_owned()).collect(),
            has_decimal_ids: false,
        }
    }

    /// Finds out whether ids have decimals: all of these rows' do. A step's job would be there, too.
    pub(super) fn find_decimal_ids(&mut self, rows: &[&[u8]]) {
        let Some(at) = self.place(JobId).or(self.place(RawId)) else { return };
        let rows = rows.iter().map(|row| self.fields(row)).filter(|fields| fields.len() == self.count);
        let ids = rows.map(|fields| fields[at].trim_ascii());
        let ids: Vec<&[u8]> = ids.filter(|id| id.first().is_some_and(u8::is_ascii_digit)).collect();
        let has_decimals = |id: &&[u8]| id.strip_suffix(b".0").is_some_and(|whole| id_number(whole).is_some());
        self.has_decimal_ids = !ids.is_empty() && ids.iter().all(has_decimals);
    }

    /// The place of a column, from 0.
    pub(super) fn place(&self, column: SacctColumn) -> Option<usize> {
        self.places[column as usize]
    }

    /// Each column that is read, and its place.
    pub(super) fn read(&self) -> &[(usize, usize)] {
        &self.read
    }

    fn has(&self, column: SacctColumn) -> bool {
        self.place(column).is_some()
    }

    /// Checks that the file has every column that a simulation needs.
    ///
    /// # Errors
    /// If columns are missing: which, and the command that prints them.
    pub(super) fn check(&self) -> Result<(), ReadError> {
        let any = |columns: &[SacctColumn]| columns.iter().any(|&column| self.has(column));
        let run = any(&[ElapsedRaw, Elapsed]) || (self.has(Start) && self.has(End));
        let width = any(&[AllocatedCpus, RequestedCpus, AllocatedNodes, RequestedNodes, AllocatedTres, RequestedTres]);
        let needs = [
            (any(&[Submit, Eligible]), "the time of submission (Submit)"),
            (run, "the run time (ElapsedRaw, or Start and End)"),
            (width, "the number of processors or nodes (NCPUS, NNodes or AllocTRES)"),
        ];
        let missing: Vec<&str> = needs.iter().filter(|(there, _)| !there).map(|(_, what)| *what).collect();
        if missing.is_empty() {
            return Ok(());
        }
        Err(ReadError::MissingColumns {
            of: "Slurm's sacct",
            missing: missing.join(", "),
            found: self.names.join(", "),
            command: COMMAND,
            guess: None,
        })
    }

    /// The fields of a line. What has the delimiter in it is one field where that is plain: lists, and what is in quotes, as
    /// other programs write it.
    pub(super) fn fields<'a>(&self, line: &'a [u8]) -> Vec<&'a [u8]> {
        let mut fields = Vec::with_capacity(self.count + 4);
        self.split(line, &mut fields);
        // sacct quotes nothing, and with its own delimiter a quote is a letter
        if self.delimiter != b"|" && line.contains(&b'"') {
            join_quoted(line, &mut fields);
        }
        if self.delimiter == b"," {
            join_lists(line, &mut fields);
        }
        fields
    }

    pub(super) fn split<'a>(&self, line: &'a [u8], fields: &mut Vec<&'a [u8]>) {
        fields.clear();
        match self.delimiter.as_slice() {
            [byte] => {
                let mut from = 0;
                for at in memchr::memchr_iter(*byte, line) {
                    fields.push(&line[from..at]);
                    from = at + 1;
                }
                fields.push(&line[from..]);
            }
            delimiter => {
                let mut from = 0;
                for at in memmem::find_iter(line, delimiter) {
                    fields.push(&line[from..at]);
                    from = at + delimiter.len();
                }
                fields.push(&line[from..]);
            }
        }
        // -p writes a delimiter behind the last column, too
        if fields.len() == self.count + 1 && fields.last().is_some_and(|last| last.trim_ascii().is_empty()) {
            fields.pop();
        }
    }
}

/// Joins fields again that were split at a comma inside a list: of resources (`cpu=4,mem=8G`) or of nodes (`n[1,3]`).
fn join_lists<'a>(line: &'a [u8], fields: &mut Vec<&'a [u8]>) {
    let mut joined: Vec<&'a [u8]> = Vec::with_capacity(fields.len());
    for field in fields.iter() {
        if let Some(last) = joined.last_mut() {
            let is_open =
                last.iter().filter(|&&byte| byte == b'[').count() > last.iter().filter(|&&byte| byte == b']').count();
            let is_resource = |text: &[u8]| {
                tres::pair(text).is_some_and(|(name, _)| !name.is_empty() && !name.iter().any(u8::is_ascii_whitespace))
            };
            // a list that was in quotes is whole
            let are_beside = between(line, last, field).len() == last.len() + 1 + field.len();
            if are_beside && (is_open || (is_resource(last) && is_resource(field))) {
                *last = between(line, last, field);
                continue;
            }
        }
        joined.push(field);
    }
    *fields = joined;
}

/// Joins fields again that were split at a delimiter between quotes, and takes the quotes away. A quote that is never closed
/// is a letter of its text.
fn join_quoted<'a>(line: &'a [u8], fields: &mut Vec<&'a [u8]>) {
    let is_open =
        |field: &[u8]| field.starts_with(b"\"") && field.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
    let mut joined: Vec<&'a [u8]> = Vec::with_capacity(fields.len());
    for field in fields.iter() {
        match joined.last_mut().filter(|last| is_open(last)) {
            Some(last) => *last = between(line, last, field),
            None => joined.push(field),
        }
    }
    if joined.last().is_some_and(|last| is_open(last)) {
        return;
    }
    let unquoted =
        |field: &'a [u8]| field.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(field);
    *fields = joined.into_iter().map(unquoted).collect();
}

/// The part of a line from the begin of one field to the end of another.
pub(super) fn between<'a>(line: &'a [u8], first: &[u8], last: &[u8]) -> &'a [u8] {
    let place = |field: &[u8]| field.as_ptr().addr() - line.as_ptr().addr();
    &line[place(first)..place(last) + last.len()]
}

/// Whether these are the first lines of a table of fixed width, which cuts off longer values.
pub(in crate::accounting) fn is_fixed_width(lines: &[&[u8]]) -> bool {
    let is_rule = |line: &[u8]| line.starts_with(b"---") && line.iter().all(|byte| matches!(byte, b'-' | b' '));
    let is_header = |line: &[u8]| {
        let words = || line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
        let known = |word: &[u8]| NAMES.iter().any(|(name, _)| name.as_bytes().eq_ignore_ascii_case(word));
        words().filter(|word| known(word)).count() >= 2
    };
    lines.windows(2).any(|pair| is_header(pair[0].trim_ascii()) && is_rule(pair[1].trim_ascii()))
}
