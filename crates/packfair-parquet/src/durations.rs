//! Columns of durations. Parquet has none: they are whole numbers there, and their unit stands beside the schema, in what Arrow's
//! writers (pyarrow, polars) or pandas say of the file.

use super::form::TimeUnit;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Deserialize;

/// The number of durations among Arrow's types (Schema.fbs, `union Type`), and of structures.
const DURATION: u8 = 18;
const STRUCTURE: u8 = 13;

/// How deep structures may be nested, and how many columns are looked at.
const DEEPEST: usize = 8;
const MOST: usize = 100_000;

/// The columns of durations among those that a file's key and value tell of, each with its unit; none of seconds, which are
/// numbers already. What another writer says in another form says nothing.
pub(super) fn durations(key: &[u8], value: &[u8]) -> Vec<(String, TimeUnit)> {
    match key {
        b"pandas" => of_pandas(value).unwrap_or_default(),
        b"ARROW:schema" => STANDARD.decode(value).ok().and_then(|message| of_arrow(&message)).unwrap_or_default(),
        _ => Vec::new(),
    }
}

fn of_pandas(value: &[u8]) -> Option<Vec<(String, TimeUnit)>> {
    #[derive(Deserialize)]
    struct Said {
        columns: Vec<SaidColumn>,
    }
    #[derive(Deserialize)]
    struct SaidColumn {
        field_name: Option<String>,
        numpy_type: Option<String>,
    }
    let unit = |column: SaidColumn| {
        let unit = match column.numpy_type.as_deref()? {
            "timedelta64[ms]" => TimeUnit::Milliseconds,
            "timedelta64[us]" => TimeUnit::Microseconds,
            "timedelta64[ns]" => TimeUnit::Nanoseconds,
            _ => return None,
        };
        Some((column.field_name?, unit))
    };
    Some(serde_json::from_slice::<Said>(value).ok()?.columns.into_iter().filter_map(unit).collect())
}

/// What a message of Arrow's with a schema tells (Message.fbs, Schema.fbs).
fn of_arrow(message: &[u8]) -> Option<Vec<(String, TimeUnit)>> {
    // newer writers begin with a mark and the length, older ones with the length
    let begin = if message.starts_with(&[0xff; 4]) { 8 } else { 4 };
    let schema = Table::root(message.get(begin..)?)?.table(2)?;
    let (mut found, mut left) = (Vec::new(), MOST);
    take(&schema, 1, &mut Vec::new(), &mut found, &mut left)?;
    Some(found)
}

/// Takes the durations among the columns in the list that is field `list` of `of`.
fn take(
    of: &Table<'_>,
    list: usize,
    path: &mut Vec<String>,
    found: &mut Vec<(String, TimeUnit)>,
    left: &mut usize,
) -> Option<()> {
    for column in of.tables(list)? {
        *left = left.checked_sub(1)?;
        let column = column?;
        path.push(column.text(0)?.to_owned());
        match column.byte(2) {
            Some(DURATION) => {
                // 0 is the second; milliseconds where nothing is written
                let unit = column.table(3)?.short(0).map_or(Some(TimeUnit::Milliseconds), |unit| match unit {
                    1 => Some(TimeUnit::Milliseconds),
                    2 => Some(TimeUnit::Microseconds),
                    3 => Some(TimeUnit::Nanoseconds),
                    _ => None,
                });
                found.extend(unit.map(|unit| (path.join("."), unit)));
            }
            Some(STRUCTURE) if path.len() < DEEPEST => {
                // one without parts has no list of them
                let _ = take(&column, 5, path, found, left);
            }
            _ => {}
        }
        path.pop();
    }
    Some(())
}

/// A table of a FlatBuffer: its fields stand where a list of offsets before or behind it says.
struct Table<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Table<'a> {
    fn root(bytes: &'a [u8]) -> Option<Table<'a>> {
        Some(Table { bytes, at: follow(bytes, 0)? })
    }

    /// Where a field is; none where it is not written, and has its default.
    fn field(&self, index: usize) -> Option<usize> {
        let back = i32::from_le_bytes(read(self.bytes, self.at)?);
        let offsets = usize::try_from(i64::try_from(self.at).ok()? - i64::from(back)).ok()?;
        let size = u16::from_le_bytes(read(self.bytes, offsets)?);
        let place = 4 + 2 * index;
        if place + 2 > usize::from(size) {
            return None;
        }
        let offset = u16::from_le_bytes(read(self.bytes, offsets.checked_add(place)?)?);
        if offset == 0 { None } else { self.at.checked_add(offset.into()) }
    }

    fn byte(&self, index: usize) -> Option<u8> {
        Some(u8::from_le_bytes(read(self.bytes, self.field(index)?)?))
    }

    fn short(&self, index: usize) -> Option<i16> {
        Some(i16::from_le_bytes(read(self.bytes, self.field(index)?)?))
    }

    fn table(&self, index: usize) -> Option<Table<'a>> {
        Some(Table { bytes: self.bytes, at: follow(self.bytes, self.field(index)?)? })
    }

    fn text(&self, index: usize) -> Option<&'a str> {
        let at = follow(self.bytes, self.field(index)?)?;
        let length = usize::try_from(u32::from_le_bytes(read(self.bytes, at)?)).ok()?;
        std::str::from_utf8(self.bytes.get(at + 4..)?.get(..length)?).ok()
    }

    /// The tables of a list; none in place of one that is not there.
    fn tables(&self, index: usize) -> Option<impl Iterator<Item = Option<Table<'a>>> + use<'a>> {
        let (bytes, at) = (self.bytes, follow(self.bytes, self.field(index)?)?);
        let count = usize::try_from(u32::from_le_bytes(read(bytes, at)?)).ok()?;
        let places = (0..count).map(move |place| at.checked_add(4)?.checked_add(place.checked_mul(4)?));
        Some(places.map(move |place| Some(Table { bytes, at: follow(bytes, place?)? })))
    }
}

/// The bytes of a number.
fn read<const N: usize>(bytes: &[u8], at: usize) -> Option<[u8; N]> {
    bytes.get(at..at.checked_add(N)?)?.try_into().ok()
}

/// Where an offset leads, which counts from itself.
fn follow(bytes: &[u8], at: usize) -> Option<usize> {
    at.checked_add(usize::try_from(u32::from_le_bytes(read(bytes, at)?)).ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What polars 1 says of a column `w` of microseconds.
    const OF_POLARS: &[u8] = b"/////24AAAAEAAAA8v///xQAAAAEAAEAAAAKAAsACAAKAAQA+P///wwAAAAIAAgAAAAEAAEAAAAEAAAA7P///zAAAAAgAAAAGAAAAAESAAAQABIABAAQABEACAAAAAwAAAAAAPr///8CAAYABgAEAAEAAAB3AA==";

    #[test]
    fn the_unit_is_what_writers_say_it_is() {
        assert_eq!(durations(b"ARROW:schema", OF_POLARS), [("w".to_owned(), TimeUnit::Microseconds)]);
        let said = br#"{"columns": [{"field_name": "run", "numpy_type": "timedelta64[ms]"}, {"field_name": "s",
            "numpy_type": "timedelta64[s]"}, {"field_name": "n", "numpy_type": "int64"}]}"#;
        assert_eq!(durations(b"pandas", said), [("run".to_owned(), TimeUnit::Milliseconds)]);
        assert!(durations(b"org.apache.spark.version", b"4.0").is_empty());
    }

    #[test]
    fn whatever_is_said_breaks_nothing() {
        let message = STANDARD.decode(OF_POLARS).expect("it is as it should be");
        for at in 0..message.len() {
            let _ = of_arrow(&message[..at]);
            for value in [0, 1, 127, 128, 255] {
                let mut forged = message.clone();
                forged[at] = value;
                let _ = of_arrow(&forged);
            }
        }
    }
}
