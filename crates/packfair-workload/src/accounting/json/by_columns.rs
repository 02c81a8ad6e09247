//! Tables in JSON that are no lists of records: a list or an object of values for each column (pandas, R, Polars), lists of
//! values below a list of names (pandas, ClickHouse, Trino, Elasticsearch, InfluxDB), and records that have names themselves.
//! Their rows are read one after the other from where their values stand.

use super::super::jobs::JobCollector;
use super::super::records::{NamedValues, RecordTable};
use super::super::table::{ColumnMap, LogColumn, LogColumns};
use super::{DEEPEST, take_value};
use crate::accounting::json;
use crate::reading::{Limits, LogContent, ReadError};
use packfair_base::json_records::{LineNumbers, Records};
use packfair_base::json_text::{behind_blanks, value};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_json::Value;

/// How many members of an object or a list tell what it is; a table has no more columns.
const LOOKED_AT: usize = 1_000;

/// How many records tell whether they make a log.
const RECORDS_LOOKED_AT: usize = 50;

/// How names of columns are called where each stands in an object.
const NAME_KEYS: [&str; 4] = ["name", "label", "id", "field"];

/// The list of values in a column of Polars.
const POLARS_VALUES: &str = "values";

/// Where the values of a table stand.
enum Layout {
    /// Lists of values below these names, from here.
    Rows(Vec<String>, usize),
    /// Columns of these names, with their values from there.
    Columns(Vec<(String, usize)>),
    /// Records in an object that begins here.
    NamedRecords(usize),
    /// Records in a list that begins here, whatever it is called.
    Records(usize),
}

/// Goes through the members of the object or the list that begins at a place.
struct Members<'a> {
    text: &'a [u8],
    at: usize,
    is_object: bool,
}

struct Member<T> {
    /// Empty in a list.
    name: String,
    begin: usize,
    /// None where it is damaged; then none follows.
    value: Option<T>,
}

impl<'a> Members<'a> {
    fn of(text: &'a [u8], at: usize) -> Option<Self> {
        let is_object = match text.get(at)? {
            b'{' => true,
            b'[' => false,
            _ => return None,
        };
        Some(Members { text, at: at + 1, is_object })
    }

    /// The next member; none behind the last.
    fn next<T: DeserializeOwned>(&mut self) -> Option<Member<T>> {
        let mut begin = behind_blanks(self.text, self.at, b",");
        if matches!(self.text.get(begin), None | Some(b'}' | b']')) {
            return None;
        }
        let mut name = String::new();
        if self.is_object {
            let Some((key, end)) = value::<String>(self.text, begin) else {
                self.at = self.text.len();
                return Some(Member { name, begin, value: None });
            };
            (name, begin) = (key, behind_blanks(self.text, behind_blanks(self.text, end, b"") + 1, b""));
        }
        let found = value::<T>(self.text, begin);
        self.at = found.as_ref().map_or(self.text.len(), |(_, end)| *end);
        Some(Member { name, begin, value: found.map(|(value, _)| value) })
    }

    /// Goes on with the next list in this one, behind something damaged.
    fn recover(&mut self, from: usize) {
        let is_next =
            |&at: &usize| self.text[..at].iter().rev().find(|byte| !byte.is_ascii_whitespace()) == Some(&b',');
        let mut lists = memchr::memchr_iter(b'[', &self.text[from..]).map(|at| from + at);
        self.at = lists.find(is_next).unwrap_or(self.text.len());
    }
}

/// The names and the places of the first members.
fn first_members(text: &[u8], at: usize) -> Vec<(String, usize)> {
    let Some(mut members) = Members::of(text, at) else { return Vec::new() };
    let next = || members.next::<IgnoredAny>().map(|member| (member.name, member.begin));
    std::iter::from_fn(next).take(LOOKED_AT + 1).collect()
}

/// The text of a name of a column, by itself or in an object.
fn name_in(text: &[u8], at: usize) -> Option<String> {
    match value::<Value>(text, at)?.0 {
        Value::String(name) => Some(name),
        Value::Object(object) => NAME_KEYS.into_iter().find_map(|key| Some(object.get(key)?.as_str()?.to_owned())),
        _ => None,
    }
}

/// The names in a list that has nothing else.
fn names_in(text: &[u8], list: usize) -> Option<Vec<String>> {
    if text.get(list) != Some(&b'[') || !matches!(text.get(behind_blanks(text, list + 1, b"")), Some(b'"' | b'{')) {
        return None;
    }
    let items = first_members(text, list);
    let is_one = (3..=LOOKED_AT).contains(&items.len());
    let names: Option<Vec<String>> = items.into_iter().map(|(_, at)| name_in(text, at)).collect();
    // a row of texts has digits
    names.filter(|names| is_one && !names.iter().any(|name| name.starts_with(|c: char| c.is_ascii_digit())))
}

fn is_log(names: &[String], columns: Option<&ColumnMap>) -> bool {
    (3..=LOOKED_AT).contains(&names.len()) && LogColumns::make_log(names, columns)
}

/// Where the values of the table in the object or the list stand that begins here.
fn layout(text: &[u8], at: usize, depth: usize, stated: Option<&ColumnMap>) -> Option<Layout> {
    let members = first_members(text, at);
    let begins = |at: usize, with: u8| text.get(at) == Some(&with);
    let first = members.first()?.1;
    if begins(at, b'[') {
        if let (Some(names), true) = (names_in(text, first), members.len() > 1) {
            return Some(Layout::Rows(names, members[1].1));
        }
        let is_record = |at: usize| is_log(&names_of_record(text, at), stated);
        if depth > 0 && members.iter().take(RECORDS_LOOKED_AT).any(|(_, at)| is_record(*at)) {
            return Some(Layout::Records(at));
        }
        // what is in several lists of a kind would be several tables
        return (members.len() == 1 && depth > 0 && depth < DEEPEST).then(|| layout(text, first, depth + 1, stated))?;
    }
    let inner = |at: usize| if begins(at, b'{') { first_members(text, at) } else { Vec::new() };
    let rows = members
        .iter()
        .map(|(_, at)| *at)
        .find(|&at| begins(at, b'[') && begins(behind_blanks(text, at + 1, b""), b'['));
    if let Some(rows) = rows {
        let row = behind_blanks(text, rows + 1, b"");
        let width = first_members(text, row).len();
        let lists =
            members.iter().flat_map(|(_, at)| std::iter::once(*at).chain(inner(*at).into_iter().map(|(_, at)| at)));
        if let Some(names) = lists.filter_map(|at| names_in(text, at)).find(|names| names.len() == width) {
            return Some(Layout::Rows(names, row));
        }
    }
    let of_polars = members.iter().find_map(|(_, list)| polars_columns(text, *list));
    if let Some(columns) = of_polars {
        return Some(Layout::Columns(columns));
    }
    let is_column = |at: usize| {
        let value = first_members(text, at).first().and_then(|(_, at)| text.get(*at));
        value.is_some_and(|first| !matches!(first, b'[' | b'{'))
    };
    for bracket in [b'[', b'{'] {
        let of = || members.iter().filter(|(_, at)| begins(*at, bracket));
        let names: Vec<String> = of().map(|(name, _)| name.clone()).collect();
        if is_log(&names, stated) {
            return Some(Layout::Columns(of().filter(|(_, at)| is_column(*at)).cloned().collect()));
        }
    }
    if are_records(text, &members, stated) {
        return Some(Layout::NamedRecords(at));
    }
    let deeper = |(_, at): &(String, usize)| layout(text, *at, depth + 1, stated);
    (depth < DEEPEST).then(|| members.iter().find_map(deeper))?
}

/// The columns in a list of objects that have a name and values each.
fn polars_columns(text: &[u8], list: usize) -> Option<Vec<(String, usize)>> {
    let names = names_in(text, list)?;
    let values = |(_, at): (String, usize)| first_members(text, at).into_iter().find(|(key, _)| key == POLARS_VALUES);
    let places: Option<Vec<usize>> =
        first_members(text, list).into_iter().map(|column| values(column).map(|(_, at)| at)).collect();
    Some(names.into_iter().zip(places?).collect())
}

/// The names of the values of the record at a place; none where it is none.
fn names_of_record(text: &[u8], at: usize) -> Vec<String> {
    let mut values = NamedValues::new();
    if let Some((record @ Value::Object(_), _)) = value::<Value>(text, at).filter(|_| text[at] == b'{') {
        take_value(String::new(), record, 0, &mut values);
    }
    values.into_iter().map(|(name, _)| name).collect()
}

/// Whether the members of an object are records that make a log.
fn are_records(text: &[u8], members: &[(String, usize)], stated: Option<&ColumnMap>) -> bool {
    let Some((_, first)) = members.first() else { return false };
    let names = names_of_record(text, *first);
    let is_alike = |other: &Vec<String>| 2 * other.iter().filter(|name| names.contains(name)).count() >= names.len();
    is_log(&names, stated)
        && members.iter().take(RECORDS_LOOKED_AT).all(|(_, at)| is_alike(&names_of_record(text, *at)))
}

/// Reads the tables in a text one after the other; none where the first of its values is none.
pub(super) fn read(text: &[u8], limits: Limits, stated: Option<&ColumnMap>) -> Option<Result<LogContent, ReadError>> {
    let mut at = behind_blanks(text, 0, b"");
    let mut next = layout(text, at, 0, stated);
    if let Layout::Records(list) = next.as_ref()? {
        return Some(json::read(Records::in_list(text, list + 1), limits, stated));
    }
    let mut table = RecordTable::new("jobs in JSON", limits, stated);
    while at < text.len() {
        let taken = match next {
            Some(Layout::Rows(names, begin)) => take_rows(&mut table, text, begin, &names),
            Some(Layout::Columns(columns)) => take_columns(&mut table, text, columns),
            Some(Layout::NamedRecords(begin)) => take_records(&mut table, text, begin),
            Some(Layout::Records(_)) | None => {
                table.lose(LineNumbers::of(text).at(at), text[at..].trim_ascii());
                Ok(())
            }
        };
        if let Err(error) = taken {
            return Some(Err(error));
        }
        at = value::<IgnoredAny>(text, at).map_or(text.len(), |(_, end)| behind_blanks(text, end, b","));
        next = layout(text, at, 0, stated);
    }
    Some(if table.is_empty() { JobCollector::within(limits).finish(None) } else { table.finish() })
}

/// Takes lists of values, of which the first begins at a place.
fn take_rows(table: &mut RecordTable, text: &[u8], begin: usize, names: &[String]) -> Result<(), ReadError> {
    let mut rows = Members { text, at: begin, is_object: false };
    let mut lines = LineNumbers::of(text);
    while let Some(row) = rows.next::<Value>() {
        let line = lines.at(row.begin);
        match row.value {
            Some(Value::Array(values)) if values.len() == names.len() => {
                let mut record = NamedValues::new();
                names.iter().zip(values).for_each(|(name, value)| take_value(name.clone(), value, 1, &mut record));
                table.push(line, record)?;
            }
            Some(other) => table.lose(line, other.to_string().as_bytes()),
            None => {
                rows.recover(row.begin + 1);
                table.lose(line, text[row.begin..rows.at].trim_ascii());
            }
        }
    }
    Ok(())
}

/// Takes the columns of these names, a value of each at a time.
fn take_columns(table: &mut RecordTable, text: &[u8], columns: Vec<(String, usize)>) -> Result<(), ReadError> {
    let mut lines = LineNumbers::of(text);
    let (names, places): (Vec<String>, Vec<usize>) = columns.into_iter().unzip();
    let mut members: Vec<Members<'_>> = places.into_iter().filter_map(|at| Members::of(text, at)).collect();
    loop {
        let row: Vec<Option<Member<Value>>> = members.iter_mut().map(Members::next).collect();
        let Some(first) = row.first().and_then(Option::as_ref) else {
            let longer = row.iter().position(Option::is_some);
            return longer.map_or(Ok(()), |at| Err(uneven(&names[at], &names[0])));
        };
        let mut record = NamedValues::new();
        let (key, begin) = (first.name.clone(), first.begin);
        for (name, cell) in names.iter().zip(row) {
            let value = cell.filter(|cell| cell.name == key).and_then(|cell| cell.value);
            take_value(name.clone(), value.ok_or_else(|| uneven(name, &names[0]))?, 1, &mut record);
        }
        table.push(lines.at(begin), record)?;
    }
}

fn uneven(column: &str, first: &str) -> ReadError {
    ReadError::Json(format!(
        "its column \"{column}\" has other rows than \"{first}\", is damaged, or the file's end is missing"
    ))
}

/// Takes the records in the object that begins at a place. The name of each is its id, where it has no other.
fn take_records(table: &mut RecordTable, text: &[u8], begin: usize) -> Result<(), ReadError> {
    let mut lines = LineNumbers::of(text);
    let Some(mut members) = Members::of(text, begin) else { return Ok(()) };
    let mut named_by_key = None;
    while let Some(member) = members.next::<Value>() {
        let line = lines.at(member.begin);
        match member.value {
            Some(record @ Value::Object(_)) => {
                let mut values = NamedValues::new();
                take_value(String::new(), record, 0, &mut values);
                let names = || values.iter().map(|(name, _)| name.clone()).collect::<Vec<_>>();
                if *named_by_key.get_or_insert_with(|| LogColumns::named(&names()).place(LogColumn::Id).is_none()) {
                    values.push(("jobid".to_owned(), member.name));
                }
                table.push(line, values)?;
            }
            other => table
                .lose(line, other.map_or_else(|| text[member.begin..].to_vec(), |v| v.to_string().into()).as_slice()),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use crate::reading::read;
    use crate::{ReadError, Reason};

    const NAMES: [&str; 5] = ["job", "submit", "start", "end", "cpus"];

    fn rows(count: i64) -> Vec<[i64; 5]> {
        let at = |n| 1_767_607_200 + 100 * n;
        (1..=count).map(|n| [n, at(n), at(n) + 60, at(n) + 660, 4]).collect()
    }

    fn list(values: impl IntoIterator<Item = String>) -> String {
        format!("[{}]", values.into_iter().collect::<Vec<_>>().join(","))
    }

    fn object(values: impl IntoIterator<Item = (String, String)>) -> String {
        let members: Vec<String> = values.into_iter().map(|(key, value)| format!("\"{key}\":{value}")).collect();
        format!("{{{}}}", members.join(","))
    }

    /// The same table in every form.
    fn forms(rows: &[[i64; 5]]) -> Vec<String> {
        let names = || list(NAMES.iter().map(|name| format!("\"{name}\"")));
        let described =
            |key: &str| list(NAMES.iter().map(|name| format!("{{\"{key}\":\"{name}\",\"type\":\"long\"}}")));
        let of_row = |row: &[i64; 5]| list(row.iter().map(ToString::to_string));
        let data = || list(rows.iter().map(of_row));
        let record =
            |row: &[i64; 5]| object(NAMES.iter().zip(row).map(|(name, value)| ((*name).to_owned(), value.to_string())));
        let column = |at: usize| list(rows.iter().map(|row| row[at].to_string()));
        let keyed = |at: usize| object(rows.iter().enumerate().map(|(n, row)| (n.to_string(), row[at].to_string())));
        let index = || list((0..rows.len()).map(|n| n.to_string()));
        let columns = |of: &dyn Fn(usize) -> String| {
            object(NAMES.iter().enumerate().map(|(at, name)| ((*name).to_owned(), of(at))))
        };
        let polars = list(
            NAMES
                .iter()
                .enumerate()
                .map(|(at, name)| format!("{{\"name\":\"{name}\",\"datatype\":\"Int64\",\"values\":{}}}", column(at))),
        );
        vec![
            columns(&keyed),
            columns(&column),
            format!("{{\"columns\":{},\"index\":{},\"data\":{}}}", names(), index(), data()),
            object(rows.iter().enumerate().map(|(n, row)| (n.to_string(), record(row)))),
            format!("{{\"jobs\":{}}}", object(rows.iter().map(|row| (row[0].to_string(), record(row))))),
            format!("[{},\n{}", names(), &data()[1..]),
            format!("{{\"schema\":{{\"fields\":{}}},\"data\":{}}}", described("name"), data()),
            format!("{{\"meta\":{},\"data\":{},\"rows\":{}}}", described("name"), data(), rows.len()),
            format!("{{\"data\":{{\"rows\":{},\"cols\":{}}}}}", data(), described("name")),
            format!(
                "{{\"results\":[{{\"series\":[{{\"name\":\"j\",\"columns\":{},\"values\":{}}}]}}]}}",
                names(),
                data()
            ),
            format!("{{\"columns\":{polars}}}"),
            format!("{{\"meta\":{{\"x\":[1]}},\"data\":{{\"slurm_jobs\":{}}}}}", list(rows.iter().map(record))),
        ]
    }

    #[test]
    fn a_table_by_columns_is_the_log_that_its_records_are() {
        for count in [1, 3, 120] {
            for text in forms(&rows(count)) {
                let log = read("jobs.json", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
                let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested)).collect();
                let expected: Vec<_> = (1..=count).map(|n| (n, 60, 600, 4)).collect();
                assert_eq!(seen, expected, "{text}");
                assert!(log.account.entries().is_empty(), "{text}");
            }
        }
        let tables = [&forms(&rows(2))[2][..], &forms(&rows(4))[2]].join("\n");
        assert_eq!(read("jobs.json", tables.as_bytes()).unwrap().account.records(4), 6, "tables behind each other");
    }

    #[test]
    fn what_is_damaged_is_told_or_refused() {
        let forms = forms(&rows(200));
        let damaged = forms[2].replace("[7,", "[x7,");
        let log = read("jobs.json", damaged.as_bytes()).unwrap();
        assert_eq!((log.jobs(), log.account.count(Reason::NotAJob)), (199, 1));
        let short = forms[2].replacen(",4],[6,", "],[6,", 1);
        assert_eq!(read("jobs.json", short.as_bytes()).unwrap().account.count(Reason::NotAJob), 1);
        let cut = &forms[2][..forms[2].len() - 9];
        assert_eq!(read("jobs.json", cut.as_bytes()).unwrap().jobs(), 199);
        for form in [0, 1] {
            let cut = &forms[form][..forms[form].len() - 9];
            let said = read("jobs.json", cut.as_bytes()).unwrap_err();
            assert!(matches!(said, ReadError::Json(_)) && said.to_string().contains("\"cpus\""), "{said}");
        }
        for other in
            ["[[1,2,3],[4,5,6]]", "{\"a\":[1,2],\"b\":[3,4],\"c\":[5,6]}", "{\"a\":{\"b\":{}}}", "[[]]", "[[[[[[[["]
        {
            let said = read("x.json", other.as_bytes()).unwrap_err();
            assert!(
                matches!(said, ReadError::Json(_) | ReadError::MissingColumns { .. } | ReadError::Unnamed { .. }),
                "{other}: {said}"
            );
        }
    }

    #[test]
    fn damage_anywhere_comes_to_a_log_or_a_sentence() {
        for form in forms(&rows(2)) {
            for at in (0..form.len()).step_by(5) {
                let (before, behind) = (&form[..at], &form[at + 1..]);
                for text in [
                    before.to_owned(),
                    format!("{before}{behind}"),
                    format!("{before}[{behind}"),
                    format!("{before}\"{behind}"),
                ] {
                    if let Err(error) = read("jobs.json", text.as_bytes()) {
                        assert!(!error.to_string().is_empty());
                    }
                }
            }
        }
    }

    #[test]
    fn times_of_pandas_are_thousandths_of_seconds() {
        let text = r#"{"id":{"0":7},"submit":{"0":1767607200000},"start":{"0":1767607260000},"end":{"0":1767607860000},"cores":{"0":4.0},"user":{"0":"ann"}}"#;
        let log = read("jobs.json", text.as_bytes()).unwrap();
        let r = &log.records[0];
        assert_eq!(
            (r.number, r.wait, r.run, r.requested, log.names.users.join(",")),
            (7, 60, 600, 4, "ann".to_owned())
        );
    }
}
