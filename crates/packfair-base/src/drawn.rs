//! Tables as data bases and data frames print them for people: with lines drawn around them, and with rows left out.

use std::borrow::Cow;

/// The bars between two values of a row.
const BARS: [char; 5] = ['│', '┃', '┆', '┊', '║'];

/// What frames are drawn with.
const FRAMES: std::ops::RangeInclusive<char> = '\u{2500}'..='\u{257f}';

/// What stands in place of rows or of values that are left out.
const LEFT_OUT: [&str; 7] = ["…", "...", "..", ".", "·", ":", "⋮"];

/// Whether lines are of a table with bars that are drawn.
#[must_use]
pub fn is_drawn(lines: &[&[u8]]) -> bool {
    let has_bar = |line: &&&[u8]| std::str::from_utf8(line).is_ok_and(|line| line.contains(BARS));
    // psql writes the numbers of records into its rules
    let begins_rule = |line: &&[u8]| {
        let first = std::str::from_utf8(line).ok().and_then(|line| line.trim().chars().next());
        first.is_some_and(|c| FRAMES.contains(&c) && !BARS.contains(&c))
    };
    lines.iter().filter(has_bar).count() > 1 && lines.iter().any(begins_rule)
}

/// Whether a line is drawn all over.
fn is_rule(line: &[u8]) -> bool {
    let text = std::str::from_utf8(line).unwrap_or_default().trim();
    !text.is_empty() && text.chars().all(|c| FRAMES.contains(&c) && !BARS.contains(&c) || matches!(c, ' ' | '-' | '+'))
}

/// A line of a table that is drawn as one between bars of ASCII; a rule of it as one of dashes.
#[must_use]
pub fn undrawn(line: &[u8]) -> Cow<'_, [u8]> {
    let Ok(text) = std::str::from_utf8(line) else { return Cow::Borrowed(line) };
    if text.is_ascii() {
        return Cow::Borrowed(line);
    }
    if is_rule(line) {
        return Cow::Borrowed(b"+-----+");
    }
    let row = text.trim();
    if !row.contains(BARS) {
        return Cow::Borrowed(line);
    }
    let row = row.strip_prefix(BARS).unwrap_or(row);
    let row = row.strip_suffix(BARS).unwrap_or(row);
    Cow::Owned(row.replace(BARS, "|").into_bytes())
}

/// Whether a line stands in place of rows that are left out: `..  ...  ...`, `# … with 990 more rows`.
#[must_use]
pub fn leaves_out(line: &[u8]) -> bool {
    let Ok(text) = std::str::from_utf8(line) else { return false };
    let mut cells =
        text.split(|c: char| c.is_whitespace() || c == '|' || BARS.contains(&c)).filter(|cell| !cell.is_empty());
    let are_marks = cells.clone().count() > 2 && cells.all(|cell| LEFT_OUT.contains(&cell));
    let text = text.trim();
    let counts = text.contains("more row") && text.starts_with(['#', 'ℹ'])
        || text.contains("[ reached ") && text.contains("omitted");
    let is_size = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(" columns]"))
        .is_some_and(|text| text.contains(" rows x "));
    let is_shown = text.contains(" rows (") && text.contains(" shown)");
    are_marks || counts || is_size || is_shown
}

/// The values of a line between marks, without those that are empty.
#[must_use]
pub fn cells(line: &[u8], mark: u8) -> Vec<&[u8]> {
    line.split(|&byte| byte == mark).map(<[u8]>::trim_ascii).filter(|cell| !cell.is_empty()).collect()
}

/// The words of a line between blanks.
#[must_use]
pub fn words(line: &[u8]) -> Vec<&[u8]> {
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The words of a line with a blank between them; those in quotes that make one value: `2026-01-05 10:00:00`, `0 days 01:00:00`.
#[must_use]
pub fn with_dates_joined(line: &[u8]) -> Vec<u8> {
    let words = words(line);
    let is_clock = |at: usize| words.get(at).is_some_and(|word| word[0].is_ascii_digit() && word.contains(&b':'));
    let is_day = |word: &[u8]| matches!(word, [_, _, _, _, b'-', _, _, b'-', _, _]) && word[0].is_ascii_digit();
    let is_days = |at: usize| words.get(at).is_some_and(|word| matches!(*word, b"days" | b"day" | b"day,"));
    let (mut values, mut at) = (Vec::new(), 0);
    while let Some(word) = words.get(at) {
        let length = match () {
            () if is_day(word) && is_clock(at + 1) => 2,
            () if is_days(at + 1) && is_clock(at + 2) => 3,
            () if is_days(at + 1) => 2,
            () => 1,
        };
        let value = words[at..at + length].join(&b' ');
        values.push(if length > 1 { [b"\"", value.as_slice(), b"\""].concat() } else { value });
        at += length;
    }
    values.join(&b' ')
}

/// Whether a line only frames a table: rules between its rows, as data bases print them, and how many rows there were.
#[must_use]
pub fn is_frame(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_rule = line.len() > 2
        && line.iter().all(|byte| b"-+|=: ".contains(byte))
        && line.iter().any(|byte| b"-=".contains(byte));
    let counted = line.strip_prefix(b"(").and_then(|text| text.strip_suffix(b")")).unwrap_or(line);
    let number = counted.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let words = counted[number..].strip_prefix(b" ").filter(|_| number > 0).unwrap_or_default();
    let are_counts = matches!(words, b"row" | b"rows")
        || words.starts_with(b"rows in set")
        || words.starts_with(b"row in set")
        || words.starts_with(b"row") && words.ends_with(b"columns");
    is_rule || are_counts
}

/// What data bases and data frames call the types of columns, without what is in brackets behind them.
const TYPES: &str = "i8 i16 i32 i64 u8 u16 u32 u64 f32 f64 int int8 int16 int32 int64 integer bigint smallint tinyint uint64 ubigint float float32 \
                     float64 double decimal numeric real str string text varchar char object bool boolean date time datetime datetime64 \
                     timestamp timestamptz interval duration cat category enum list null <int> <dbl> <chr> <dttm> <date> <lgl> <fct> <drtn>";

/// Whether the values of a row name the types of the columns, as Polars, DuckDB and R write below the names.
#[must_use]
pub fn are_types(values: &[&[u8]]) -> bool {
    let is_type = |value: &&[u8]| {
        // most values of tables are numbers
        let may_be = value.len() < 40 && value.first().is_some_and(|byte| byte.is_ascii_alphabetic() || *byte == b'<');
        let word = value.split(|byte| b"[( ".contains(byte)).next().unwrap_or_default();
        may_be && TYPES.split_ascii_whitespace().any(|known| known.as_bytes().eq_ignore_ascii_case(word))
    };
    values.len() > 2 && values.iter().all(is_type)
}

/// How rows of units name units of time, and what else they say.
const TIME_UNITS: &str = "s sec secs second seconds ms msec millisecond milliseconds us µs microsecond microseconds ns min mins minute \
                          minutes m h hr hrs hour hours d day days week weeks";
const OTHER_UNITS: &str = "utc unix epoch datetime date timestamp string text - # id name none n/a count cores cpus cpu nodes node gpus gpu \
                           processors procs slots number % percent b byte bytes kb mb gb tb kib mib gib tib w watt watts kw kwh wh j \
                           joule joules kj mj";

/// The units of time that the values of a row name below the names of columns, empty for a column of something else; none
/// where the row is no row of units.
#[must_use]
pub fn units(values: &[&[u8]]) -> Option<Vec<String>> {
    let is_one_of = |units: &str, word: &str| units.split_ascii_whitespace().any(|unit| unit == word);
    let word = |value: &&[u8]| String::from_utf8_lossy(value).trim_matches(['(', ')', '[', ']', ' ']).to_lowercase();
    let words: Vec<String> = values.iter().map(word).collect();
    let is_unit = |word: &String| word.is_empty() || is_one_of(TIME_UNITS, word) || is_one_of(OTHER_UNITS, word);
    let has_unit = words.iter().any(|word| is_one_of(TIME_UNITS, word));
    let of_time = |word: String| if is_one_of(TIME_UNITS, &word) { word } else { String::new() };
    (has_unit && words.iter().all(is_unit)).then(|| words.into_iter().map(of_time).collect())
}

// Values as languages and data bases show them: `Timestamp('2026-01-05 10:00:00')`, `datetime.timedelta(seconds=60)`,
// `ISODate("...")`, `/Date(1767607200000)/`.

/// What such values are called, without what they are a part of.
const CALLED: [&str; 13] = [
    "timestamp",
    "datetime",
    "datetime64",
    "timedelta",
    "timedelta64",
    "date",
    "isodate",
    "int32",
    "int64",
    "float64",
    "decimal",
    "numberint",
    "numberlong",
];

/// The seconds of each part of a duration of Python, in their order where they have no names.
const PARTS: [(&str, f64); 7] = [
    ("days", 86_400.0),
    ("seconds", 1.0),
    ("microseconds", 1e-6),
    ("milliseconds", 1e-3),
    ("minutes", 60.0),
    ("hours", 3_600.0),
    ("weeks", 604_800.0),
];

/// What a value says that is shown so; none where it is not.
#[must_use]
pub fn unwrapped(field: &[u8]) -> Option<Vec<u8>> {
    let text = std::str::from_utf8(field).ok().filter(|text| text.len() < 120)?;
    let text = text.strip_prefix('/').and_then(|text| text.strip_suffix('/')).unwrap_or(text);
    let (name, inside) = text.strip_suffix(')')?.split_once('(')?;
    let name = name.rsplit(['.', ' ']).next()?.to_ascii_lowercase();
    if !CALLED.contains(&name.as_str()) {
        return None;
    }
    if let Some(quoted) = inside.strip_prefix(['\'', '"']) {
        return quoted.split(['\'', '"']).next().map(|text| text.as_bytes().to_vec());
    }
    let parts = || inside.split(',').map(str::trim).filter(|part| !part.is_empty());
    if name == "timedelta" {
        let seconds = parts().enumerate().map(|(at, part)| {
            let unit = |key: &str| PARTS.iter().find(|(name, _)| *name == key).map(|(_, unit)| *unit);
            let (unit, number) = match part.split_once('=') {
                Some((key, number)) => (unit(key)?, number),
                None => (PARTS.get(at)?.1, part),
            };
            Some(unit * number.parse::<f64>().ok()?)
        });
        let seconds: f64 = seconds.sum::<Option<f64>>()?;
        return Some(format!("{seconds:.3}").into_bytes());
    }
    let numbers: Vec<u32> = parts().map_while(|part| part.parse().ok()).collect();
    if let [year, month, day, rest @ ..] = &numbers[..] {
        let at = |place: usize| rest.get(place).copied().unwrap_or(0);
        let is_elsewhere = inside.contains("tzinfo=") && !inside.to_ascii_lowercase().contains("utc");
        let (hour, minute, second) = (at(0), at(1), at(2));
        let moment = format!("{year:04}-{month:02}-{day:02} {hour:02}:{minute:02}:{second:02}");
        return (!is_elsewhere).then(|| moment.into_bytes());
    }
    // a zone behind milliseconds is only how they are shown
    let number = inside.split(['+']).next()?;
    number.parse::<f64>().ok().map(|_| number.as_bytes().to_vec())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_of_units_names_those_of_time() {
        let of = |row: &str| units(&row.split(',').map(str::as_bytes).collect::<Vec<_>>());
        assert_eq!(of("-,(s),[H],cores,"), Some(["", "s", "h", "", ""].map(str::to_owned).to_vec()));
        for row in ["1,s,h,4", "ann,s", "cores,nodes", ",,", ""] {
            assert_eq!(of(row), None, "{row}");
        }
    }

    #[test]
    fn what_is_drawn_is_told_and_taken_away() {
        let table = "┌─────┬────────┐\n│ id  ┆ submit │\n╞═════╪════════╡\n│ 7   ┆ ann    │\n└─────┴────────┘";
        let lines: Vec<&[u8]> = table.lines().map(str::as_bytes).collect();
        assert!(is_drawn(&lines) && !is_drawn(&[b"a|b", b"-+-", b"1|2"]) && !is_drawn(&["x │ y".as_bytes(), b"1"]));
        let plain: Vec<_> = lines.iter().map(|line| String::from_utf8(undrawn(line).into_owned()).unwrap()).collect();
        assert_eq!(plain, ["+-----+", " id  | submit ", "+-----+", " 7   | ann    ", "+-----+"]);
        assert_eq!(&*undrawn(" 7 │ é".as_bytes()), "7 | é".as_bytes());
        for line in [
            "..   ...  ...  ..",
            "│ … ┆ … ┆ … │",
            "│ · │ · │ · │",
            "# ℹ 990 more rows",
            "[1000 rows x 8 columns]",
            "│ 40 rows (20 shown) │",
        ] {
            assert!(leaves_out(line.as_bytes()), "{line}");
        }
        assert!(is_frame(b"30 rows          4 columns") && is_frame(b"(1 row)") && !is_frame(b"30 rows of mine"));
        assert!(are_types(&[b"i64", b"datetime[us, UTC]", b"str"]) && !are_types(&[b"date", b"ann", b"text"]));
        for line in ["1 2 3", "...", "a | . | . | .", "[12 rows]"] {
            assert!(!leaves_out(line.as_bytes()), "{line}");
        }
    }
}

#[cfg(test)]
mod shown_tests {
    use super::*;

    #[test]
    fn values_are_what_they_are_shown_as() {
        for (shown, value) in [
            ("Timestamp('2026-01-05 10:00:00')", "2026-01-05 10:00:00"),
            ("Timestamp('2026-01-05 10:00:00+0100', tz='Europe/Berlin')", "2026-01-05 10:00:00+0100"),
            ("datetime.datetime(2026, 1, 5, 10, 0)", "2026-01-05 10:00:00"),
            ("datetime.datetime(2026, 1, 5, 10, 0, 7, 123, tzinfo=datetime.timezone.utc)", "2026-01-05 10:00:07"),
            ("np.datetime64('2026-01-05T10:00:00')", "2026-01-05T10:00:00"),
            ("Timedelta('0 days 00:10:00')", "0 days 00:10:00"),
            ("datetime.timedelta(days=1, seconds=60)", "86460.000"),
            ("datetime.timedelta(0, 600)", "600.000"),
            ("ISODate(\"2026-01-05T10:00:00Z\")", "2026-01-05T10:00:00Z"),
            ("/Date(1767607200000+0100)/", "1767607200000"),
            ("np.int64(4)", "4"),
            ("NumberLong(4)", "4"),
        ] {
            assert_eq!(unwrapped(shown.as_bytes()).as_deref(), Some(value.as_bytes()), "{shown}");
        }
        for other in
            ["ann(1000)", "n[1-2]", "Timestamp", "4", "datetime.datetime(2026, 1, 5, tzinfo=<Berlin>)", ")(", "("]
        {
            assert_eq!(unwrapped(other.as_bytes()), None, "{other}");
        }
    }
}
