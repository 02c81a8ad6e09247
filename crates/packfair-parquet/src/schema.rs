//! What a Parquet file says of itself at its end: its columns, and where the parts of them are.

use super::codec::Codec;
use super::durations::durations;
use super::form::{Form, Physical, TimeUnit};
use super::thrift::{Field, Thrift};
use super::{ParquetError, ReadResult};
use std::collections::BTreeMap;

/// How deep columns may be nested.
const DEEPEST: usize = 32;

/// A column with a value, or none, for each row.
#[derive(Clone, Debug)]
pub(super) struct Leaf {
    /// Its name; of a part of a structure `structure.part`.
    pub name: String,
    pub physical: Physical,
    pub form: Form,
    /// How many levels of it may be missing; a value has all of them.
    pub levels: u32,
    /// Its place among all columns, of those with lists too.
    pub place: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub begin: u64,
    pub length: u64,
    /// The number of its codec, which is looked at only if it is read.
    pub codec: i64,
    pub values: u64,
    pub is_encrypted: bool,
    pub is_elsewhere: bool,
}

impl Part {
    pub(super) fn codec(&self) -> ReadResult<Codec> {
        Codec::of(self.codec)
    }
}

/// Rows that stand together: the parts of all columns, and how many rows they have.
#[derive(Debug, Default)]
pub(super) struct RowGroup {
    pub parts: Vec<Part>,
    pub rows: u64,
}

#[derive(Debug)]
pub(super) struct Description {
    pub leaves: Vec<Leaf>,
    pub groups: Vec<RowGroup>,
}

/// An element of the schema: a column, or a group of them.
#[derive(Default)]
struct Element {
    kind: Option<i64>,
    length: i64,
    repetition: i64,
    name: String,
    children: i64,
    converted: Option<i64>,
    scale: i64,
    logical: Option<Form>,
    is_list: bool,
}

impl Description {
    pub(super) fn read(bytes: &[u8]) -> ReadResult<Self> {
        let mut elements = Vec::new();
        let mut groups = Vec::new();
        let mut units = BTreeMap::new();
        Thrift::new(bytes).structure(|thrift, field| {
            match field.id {
                2 => thrift.list(field, |thrift| element(thrift).map(|element| elements.push(element)))?,
                4 => thrift.list(field, |thrift| group(thrift).map(|group| groups.push(group)))?,
                5 => thrift
                    .list(field, |thrift| beside(thrift).map(|(key, value)| units.extend(durations(key, value))))?,
                _ => return Ok(false),
            }
            Ok(true)
        })?;
        let mut walk = Walk { elements: &elements, at: 1, place: 0, leaves: Vec::new() };
        let children = elements.first().map_or(0, |root| root.children);
        walk.children(children, &mut Vec::new(), 0, false)?;
        let Walk { mut leaves, place: columns, .. } = walk;
        if groups.iter().any(|group: &RowGroup| group.parts.len() != columns) {
            return Err(ParquetError::Damaged("a group of its rows lacks columns"));
        }
        for leaf in &mut leaves {
            if let (Form::AsItIs, Some(&unit)) = (leaf.form, units.get(&leaf.name)) {
                leaf.form = Form::Duration(unit);
            }
        }
        Ok(Description { leaves, groups })
    }
}

/// The schema is a list of elements, each before those in it.
struct Walk<'a> {
    elements: &'a [Element],
    at: usize,
    /// How many columns were passed.
    place: usize,
    leaves: Vec<Leaf>,
}

impl Walk<'_> {
    fn children(&mut self, count: i64, path: &mut Vec<String>, levels: u32, is_list: bool) -> ReadResult<()> {
        if path.len() > DEEPEST {
            return Err(ParquetError::Damaged("its columns are nested too deeply"));
        }
        for _ in 0..count.max(0) {
            let element =
                self.elements.get(self.at).ok_or(ParquetError::Damaged("its list of columns is not complete"))?;
            self.at += 1;
            path.push(element.name.clone());
            let levels = levels + u32::from(element.repetition != 0);
            let is_list = is_list || element.repetition == 2 || element.is_list;
            match element.kind {
                None => self.children(element.children, path, levels, is_list)?,
                Some(kind) => {
                    if !is_list {
                        let physical = Physical::of(kind, element.length)?;
                        let form = element.form(physical);
                        self.leaves.push(Leaf { name: path.join("."), physical, form, levels, place: self.place });
                    }
                    self.place += 1;
                }
            }
            path.pop();
        }
        Ok(())
    }
}

impl Element {
    /// How its values are written, by what the newer and the older description say.
    fn form(&self, physical: Physical) -> Form {
        let scale = u32::try_from(self.scale).unwrap_or(0);
        let told = self.logical.or_else(|| {
            Some(match self.converted? {
                0 | 4 | 19 => Form::Text,
                5 => Form::Decimal(scale),
                6 => Form::Date,
                7 => Form::Time(TimeUnit::Milliseconds),
                8 => Form::Time(TimeUnit::Microseconds),
                9 => Form::Moment { unit: TimeUnit::Milliseconds, is_utc: true },
                10 => Form::Moment { unit: TimeUnit::Microseconds, is_utc: true },
                11..=14 => Form::Unsigned,
                21 => Form::Interval,
                _ => return None,
            })
        });
        told.filter(|form| form.fits(physical)).unwrap_or(Form::AsItIs)
    }
}

fn element(thrift: &mut Thrift<'_>) -> ReadResult<Element> {
    let mut element = Element::default();
    thrift.structure(|thrift, field| {
        match field.id {
            1 => element.kind = Some(thrift.number(field)?),
            2 => element.length = thrift.number(field)?,
            3 => element.repetition = thrift.number(field)?,
            4 => element.name = String::from_utf8_lossy(thrift.binary(field)?).into_owned(),
            5 => element.children = thrift.number(field)?,
            6 => {
                let converted = thrift.number(field)?;
                element.is_list |= (1..=3).contains(&converted);
                element.converted = Some(converted);
            }
            7 => element.scale = thrift.number(field)?,
            10 => thrift.structure(|thrift, field| {
                element.is_list |= matches!(field.id, 2 | 3);
                element.logical = logical(thrift, field)?;
                Ok(true)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    // a group has no kind
    if element.children > 0 {
        element.kind = None;
    }
    Ok(element)
}

/// What a value means, by the newer description.
fn logical(thrift: &mut Thrift<'_>, kind: Field) -> ReadResult<Option<Form>> {
    let (mut numbers, mut truth, mut unit) = ([0_i64; 3], false, None);
    thrift.structure(|thrift, field| {
        match (kind.id, field.id) {
            (5, 1) | (10, 1) => numbers[0] = thrift.number(field)?,
            (7 | 8, 1) | (10, 2) => truth = thrift.truth(field)?,
            (7 | 8, 2) => thrift.structure(|_, field| {
                unit = match field.id {
                    1 => Some(TimeUnit::Milliseconds),
                    2 => Some(TimeUnit::Microseconds),
                    3 => Some(TimeUnit::Nanoseconds),
                    _ => None,
                };
                Ok(false)
            })?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(match kind.id {
        1 | 4 | 12 => Some(Form::Text),
        5 => Some(Form::Decimal(u32::try_from(numbers[0]).unwrap_or(0))),
        6 => Some(Form::Date),
        7 => unit.map(Form::Time),
        8 => unit.map(|unit| Form::Moment { unit, is_utc: truth }),
        10 if !truth => Some(Form::Unsigned),
        14 => Some(Form::Uuid),
        15 => Some(Form::Half),
        _ => None,
    })
}

fn group(thrift: &mut Thrift<'_>) -> ReadResult<RowGroup> {
    let mut group = RowGroup::default();
    thrift.structure(|thrift, field| {
        match field.id {
            1 => thrift.list(field, |thrift| part(thrift).map(|part| group.parts.push(part)))?,
            3 => group.rows = not_negative(thrift.number(field)?)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok(group)
}

fn part(thrift: &mut Thrift<'_>) -> ReadResult<Part> {
    let (mut codec, mut values, mut length) = (0, 0, 0);
    let (mut data, mut dictionary) = (0, 0);
    let (mut is_encrypted, mut is_elsewhere) = (false, false);
    thrift.structure(|thrift, field| {
        match field.id {
            1 => is_elsewhere = !thrift.binary(field)?.is_empty(),
            3 => thrift.structure(|thrift, field| {
                let number = match field.id {
                    4 => &mut codec,
                    5 => &mut values,
                    7 => &mut length,
                    9 => &mut data,
                    11 => &mut dictionary,
                    _ => return Ok(false),
                };
                *number = thrift.number(field)?;
                Ok(true)
            })?,
            8 | 9 => {
                is_encrypted = true;
                return Ok(false);
            }
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    // writers without dictionaries say 0 or nothing
    let begin = if dictionary > 0 { dictionary.min(data) } else { data };
    Ok(Part {
        begin: not_negative(begin)?,
        length: not_negative(length)?,
        codec,
        values: not_negative(values)?,
        is_encrypted,
        is_elsewhere,
    })
}

fn not_negative(number: i64) -> ReadResult<u64> {
    u64::try_from(number).map_err(|_| ParquetError::Damaged("a number in its description is negative"))
}

/// A key and a value that the writer has put beside the schema.
fn beside<'a>(thrift: &mut Thrift<'a>) -> ReadResult<(&'a [u8], &'a [u8])> {
    let (mut key, mut value): (&[u8], &[u8]) = (&[], &[]);
    thrift.structure(|thrift, field| {
        match field.id {
            1 => key = thrift.binary(field)?,
            2 => value = thrift.binary(field)?,
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    Ok((key, value))
}
