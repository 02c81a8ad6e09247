//! Data frames as the text of a table, which is read as any other table is.
//!
//! Names of columns, what a user states of them and the forms of values are those of CSV, so a frame gives the same log as
//! the file that it came from. Columns with lists in them are left out.

use arrow_array::cast::AsArray;
use arrow_array::types::{
    ArrowTemporalType, Date32Type, Date64Type, DurationMicrosecondType, DurationMillisecondType,
    DurationNanosecondType, DurationSecondType, TimestampMicrosecondType, TimestampMillisecondType,
    TimestampNanosecondType, TimestampSecondType,
};
use arrow_array::{Array, ArrayRef, RecordBatch, StructArray, make_array};
use arrow_buffer::NullBuffer;
use arrow_cast::cast;
use arrow_cast::display::{ArrayFormatter, FormatOptions};
use arrow_schema::{ArrowError, DataType, Schema, TimeUnit};
use chrono::DateTime;
use std::io::Write as _;

const DAY: i64 = 86_400;

/// Writes one value of a column as a field of a line; nothing where it is missing.
type WriteValue<'a> = Box<dyn Fn(usize, &mut Vec<u8>) + 'a>;

/// The text of a table: a line of names, then a line for each row.
///
/// # Errors
/// A sentence on what cannot be read: no columns, no rows, or time zones that do not go together.
pub fn text(
    schema: &Schema,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
) -> Result<Vec<u8>, String> {
    check_zones(schema)?;
    let mut text = Vec::new();
    let names: Vec<String> = schema.fields().iter().flat_map(|field| leaves(field.name(), field.data_type())).collect();
    if schema.fields().is_empty() {
        return Err("the table is empty: it has no columns".to_owned());
    }
    if names.is_empty() {
        return Err("the table has no columns with one value a row".to_owned());
    }
    for (at, name) in names.iter().enumerate() {
        if at > 0 {
            text.push(b',');
        }
        write_name(name, &mut text);
    }
    text.push(b'\n');
    let mut rows = 0;
    for batch in batches {
        let batch = batch.map_err(|error| format!("the table cannot be read: {error}"))?;
        rows += batch.num_rows();
        write_rows(&batch, &mut text)?;
    }
    if rows == 0 {
        return Err("the table is empty: it has columns, and no row".to_owned());
    }
    Ok(text)
}

/// The names of the columns that a column is written as: parts of a structure are named after both.
fn leaves(name: &str, kind: &DataType) -> Vec<String> {
    match kind {
        DataType::Struct(fields) => {
            fields.iter().flat_map(|part| leaves(&format!("{name}.{}", part.name()), part.data_type())).collect()
        }
        kind if is_left_out(kind) => Vec::new(),
        _ => vec![name.to_owned()],
    }
}

fn is_left_out(kind: &DataType) -> bool {
    kind.is_nested() && !matches!(kind, DataType::Dictionary(..) | DataType::RunEndEncoded(..))
}

/// Checks that all moments have a time zone, or none has: otherwise they cannot be compared.
fn check_zones(schema: &Schema) -> Result<(), String> {
    let zoned = |is_zoned: bool| {
        let of = move |kind: &DataType| matches!(kind, DataType::Timestamp(_, zone) if zone.is_some() == is_zoned);
        schema
            .fields()
            .iter()
            .filter(move |field| of(field.data_type()))
            .map(|field| field.name().as_str())
            .collect::<Vec<_>>()
    };
    let (with, without) = (zoned(true), zoned(false));
    if with.is_empty() || without.is_empty() {
        return Ok(());
    }
    Err(format!(
        "some columns of times have a time zone ({}) and some have none ({}), so they cannot be compared: give all of them \
         one, or none",
        with.join(", "),
        without.join(", ")
    ))
}

fn write_rows(batch: &RecordBatch, text: &mut Vec<u8>) -> Result<(), String> {
    let mut columns = Vec::new();
    for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
        add_leaves(field.data_type(), column, &mut columns)?;
    }
    let writers: Vec<WriteValue<'_>> = columns.iter().map(writer).collect::<Result<_, _>>()?;
    for row in 0..batch.num_rows() {
        for (at, write) in writers.iter().enumerate() {
            if at > 0 {
                text.push(b',');
            }
            write(row, text);
        }
        text.push(b'\n');
    }
    Ok(())
}

fn add_leaves(kind: &DataType, column: &ArrayRef, into: &mut Vec<ArrayRef>) -> Result<(), String> {
    let unread = |error: ArrowError| format!("the table cannot be read: {error}");
    match kind {
        DataType::Struct(fields) => {
            for (field, part) in fields.iter().zip(structure_parts(column.as_struct())) {
                add_leaves(field.data_type(), &part, into)?;
            }
            Ok(())
        }
        kind if is_left_out(kind) => Ok(()),
        DataType::Dictionary(_, value) => {
            cast(column, value).map_err(unread).and_then(|of| add_leaves(value, &of, into))
        }
        DataType::RunEndEncoded(_, value) => {
            let value = value.data_type();
            cast(column, value).map_err(unread).and_then(|of| add_leaves(value, &of, into))
        }
        _ => {
            into.push(column.clone());
            Ok(())
        }
    }
}

/// The parts of a structure, each missing where the structure is: there it may hold anything.
fn structure_parts(structure: &StructArray) -> Vec<ArrayRef> {
    let Some(nulls) = structure.nulls().filter(|nulls| nulls.null_count() > 0) else {
        return structure.columns().to_vec();
    };
    let missing_too = |part: &ArrayRef| {
        let nulls = NullBuffer::union(Some(nulls), part.nulls());
        let data = part.to_data().into_builder().nulls(nulls).build();
        data.map_or_else(|_| part.clone(), make_array)
    };
    structure.columns().iter().map(missing_too).collect()
}

/// How the values of a column are written.
fn writer(column: &ArrayRef) -> Result<WriteValue<'_>, String> {
    fn moments<'a, T: ArrowTemporalType<Native = i64>>(
        column: &'a ArrayRef,
        unit: TimeUnit,
        is_utc: bool,
    ) -> WriteValue<'a> {
        let values = column.as_primitive::<T>();
        Box::new(move |row, text| {
            if values.is_valid(row) {
                write_moment(values.value(row), unit, is_utc, text);
            }
        })
    }
    fn spans<'a, T: ArrowTemporalType<Native = i64>>(column: &'a ArrayRef, unit: TimeUnit) -> WriteValue<'a> {
        let values = column.as_primitive::<T>();
        Box::new(move |row, text| {
            if values.is_valid(row) {
                write_span(values.value(row), unit, text);
            }
        })
    }
    Ok(match column.data_type() {
        DataType::Timestamp(unit, zone) => match unit {
            TimeUnit::Second => moments::<TimestampSecondType>(column, *unit, zone.is_some()),
            TimeUnit::Millisecond => moments::<TimestampMillisecondType>(column, *unit, zone.is_some()),
            TimeUnit::Microsecond => moments::<TimestampMicrosecondType>(column, *unit, zone.is_some()),
            TimeUnit::Nanosecond => moments::<TimestampNanosecondType>(column, *unit, zone.is_some()),
        },
        DataType::Duration(unit) => match unit {
            TimeUnit::Second => spans::<DurationSecondType>(column, *unit),
            TimeUnit::Millisecond => spans::<DurationMillisecondType>(column, *unit),
            TimeUnit::Microsecond => spans::<DurationMicrosecondType>(column, *unit),
            TimeUnit::Nanosecond => spans::<DurationNanosecondType>(column, *unit),
        },
        DataType::Date32 => {
            let values = column.as_primitive::<Date32Type>();
            Box::new(move |row, text| {
                if values.is_valid(row) {
                    write_moment(i64::from(values.value(row)) * DAY, TimeUnit::Second, false, text);
                }
            })
        }
        DataType::Date64 => moments::<Date64Type>(column, TimeUnit::Millisecond, false),
        DataType::Float16 | DataType::Float32 | DataType::Float64 => {
            let values = cast(column, &DataType::Float64).map_err(|error| error.to_string())?;
            let is_short = *column.data_type() != DataType::Float64;
            Box::new(move |row, text| {
                let values = values.as_primitive::<arrow_array::types::Float64Type>();
                let value = values.value(row);
                if values.is_valid(row) && value.is_finite() {
                    // a narrow number as short as it was written
                    let _ = if is_short { write!(text, "{}", value as f32) } else { write!(text, "{value}") };
                }
            })
        }
        DataType::Utf8 => {
            let values = column.as_string::<i32>();
            Box::new(move |row, text| {
                if values.is_valid(row) {
                    write_text(values.value(row).as_bytes(), text);
                }
            })
        }
        DataType::LargeUtf8 => {
            let values = column.as_string::<i64>();
            Box::new(move |row, text| {
                if values.is_valid(row) {
                    write_text(values.value(row).as_bytes(), text);
                }
            })
        }
        DataType::Utf8View => {
            let values = column.as_string_view();
            Box::new(move |row, text| {
                if values.is_valid(row) {
                    write_text(values.value(row).as_bytes(), text);
                }
            })
        }
        // whole numbers, decimals, truth values, bytes
        _ => {
            let options = FormatOptions::default().with_null("");
            let values = ArrayFormatter::try_new(column, &options).map_err(|error| error.to_string())?;
            Box::new(move |row, text| {
                let mut value = String::new();
                if values.value(row).write(&mut value).is_ok() {
                    write_text(value.as_bytes(), text);
                }
            })
        }
    })
}

/// How many parts a second has.
fn parts(unit: TimeUnit) -> (i64, usize) {
    match unit {
        TimeUnit::Second => (1, 0),
        TimeUnit::Millisecond => (1_000, 3),
        TimeUnit::Microsecond => (1_000_000, 6),
        TimeUnit::Nanosecond => (1_000_000_000, 9),
    }
}

/// Writes a moment since 1970. Nothing where its year has not four digits.
fn write_moment(value: i64, unit: TimeUnit, is_utc: bool, text: &mut Vec<u8>) {
    let (per_second, digits) = parts(unit);
    let (seconds, part) = (value.div_euclid(per_second), value.rem_euclid(per_second));
    let Some(moment) =
        DateTime::from_timestamp(seconds, 0).filter(|moment| (0..10_000).contains(&chrono::Datelike::year(moment)))
    else {
        return;
    };
    let _ = write!(text, "{}", moment.format("%Y-%m-%d %H:%M:%S"));
    if part > 0 {
        let _ = write!(text, ".{part:0digits$}");
    }
    if is_utc {
        text.extend_from_slice(b"+00:00");
    }
}

/// Writes a span of time in seconds.
fn write_span(value: i64, unit: TimeUnit, text: &mut Vec<u8>) {
    let (per_second, digits) = parts(unit);
    let (seconds, part) =
        (value.unsigned_abs() / per_second.unsigned_abs(), value.unsigned_abs() % per_second.unsigned_abs());
    let sign = if value < 0 { "-" } else { "" };
    let _ = write!(text, "{sign}{seconds}");
    if part > 0 {
        let _ = write!(text, ".{part:0digits$}");
    }
}

/// Writes a text as a field of a line: in quotes where it has to be, and on one line.
fn write_text(value: &[u8], text: &mut Vec<u8>) {
    if value.iter().any(|byte| matches!(byte, b',' | b'"' | b'\n' | b'\r')) {
        write_quoted(value, text);
    } else {
        text.extend_from_slice(value);
    }
}

/// Writes a name of a column; in quotes where it could be taken for the beginning of another kind of file.
fn write_name(name: &str, text: &mut Vec<u8>) {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-. ".contains(&byte)) && !name.starts_with("BZh") {
        text.extend_from_slice(name.as_bytes());
    } else {
        write_quoted(name.as_bytes(), text);
    }
}

fn write_quoted(value: &[u8], text: &mut Vec<u8>) {
    text.push(b'"');
    for &byte in value {
        match byte {
            b'"' => text.extend_from_slice(b"\"\""),
            b'\n' | b'\r' => text.push(b' '),
            _ => text.push(byte),
        }
    }
    text.push(b'"');
}
