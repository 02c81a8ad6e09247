//! Decides which constants of the program come later: those that only late functions use.
//!
//! The linker's map tells where each constant and each variable is. A function uses those whose addresses are in its code,
//! and they use those whose addresses are in their words. All of them stay that what stays uses, directly or not. A number
//! that happens to be an address keeps a constant too many, which does no harm.

use crate::module::{Module, Segment};
use std::error::Error;
use std::ops::Range;
use wasmparser::{BinaryReaderError, Operator};

/// Fewer constant bytes in a row are not worth a segment of their own.
const SMALLEST: u32 = 24;

/// A compiler may write the address of a table's entry before the first. That is in the constant before it, so near its
/// end.
const BEFORE: u32 = 256;

/// The same, where it is also the address of a constant that small.
const BEFORE_A_SMALL_ONE: u32 = 16;

/// The least share of addresses in the code that must be those of constants in the map.
const LEAST_KNOWN: f64 = 0.5;

/// The places of what a program has in its memory from the start.
pub struct Constants {
    places: Vec<Place>,
    /// Where texts are that end with a zero byte, of which the map does not tell each.
    texts: Vec<Range<u32>>,
}

#[derive(Clone)]
struct Place {
    at: Range<u32>,
    /// Whether it is a constant. A variable stays where it is.
    is_constant: bool,
}

impl Constants {
    /// Reads a map that the linker has written. An empty one has no constants.
    pub fn read(map: &str) -> Self {
        let mut constants = Constants { places: Vec::new(), texts: Vec::new() };
        for line in map.lines() {
            constants.read_line(line);
        }
        constants
    }

    /// A line has an address, a place in the file, a size, and an object file with its section.
    fn read_line(&mut self, line: &str) -> Option<()> {
        let mut words = line.split_whitespace();
        let begin = u32::from_str_radix(words.next()?, 16).ok()?;
        let size = u32::from_str_radix(words.nth(1)?, 16).ok().filter(|&size| size > 0)?;
        let (file, section) = words.next()?.split_once(":(")?;
        let at = begin..begin + size;
        match (file, section.starts_with(".rodata")) {
            ("<internal>", true) => self.texts.push(at),
            (_, is_constant) if is_constant || section.starts_with(".data") => {
                self.places.push(Place { at, is_constant })
            }
            _ => {}
        }
        Some(())
    }

    /// All places in order.
    fn places(&self, module: &Module) -> Vec<Place> {
        let mut places = self.places.clone();
        for text in &self.texts {
            let mut begin = text.start;
            for at in text.clone() {
                if module.byte(at) == 0 || at + 1 == text.end {
                    places.push(Place { at: begin..at + 1, is_constant: true });
                    begin = at + 1;
                }
            }
        }
        places.sort_unstable_by_key(|place| place.at.start);
        places
    }

    /// Constants that what stays does not use: rows of neighbours that are worth it, in order. `first` are the functions
    /// that stay.
    pub fn late(&self, module: &Module, first: &[u32]) -> Result<Vec<Range<u32>>, Box<dyn Error>> {
        let places = self.places(module);
        check(&places, module)?;
        let mut reached = Reached { places: &places, is_reached: vec![false; places.len()], open: Vec::new() };
        for &function in first {
            addresses(module, function, |address| reached.take_address(address))?;
        }
        while let Some(place) = reached.open.pop() {
            for at in words_of(&places[place].at) {
                reached.take_word(module.word(at));
            }
        }
        let is_late = |(place, is_reached): &(&Place, &bool)| place.is_constant && !**is_reached;
        Ok(rows(places.iter().zip(&reached.is_reached).filter(is_late).map(|(place, _)| place.at.clone())))
    }
}

/// The addresses of the words in a place, which are multiples of 4.
fn words_of(place: &Range<u32>) -> impl Iterator<Item = u32> + use<> {
    (place.start.next_multiple_of(4)..place.end).step_by(4)
}

/// Fails where the map is that of another module.
fn check(places: &[Place], module: &Module) -> Result<(), Box<dyn Error>> {
    let (Some(begin), Some(end)) = (places.first(), places.last()) else { return Ok(()) };
    let within = begin.at.start..end.at.end;
    let (mut all, mut known) = (0_u32, 0_u32);
    for function in module.defined() {
        addresses(module, function, |address| {
            all += u32::from(within.contains(&address));
            known += u32::from(places.binary_search_by_key(&address, |place| place.at.start).is_ok());
        })?;
    }
    // something in the memory that the map does not tell would be lost with what it uses
    let is_told =
        |at: u32| places.get(places.partition_point(|place| place.at.end <= at)).is_some_and(|p| p.at.contains(&at));
    let is_whole =
        module.data.iter().all(|segment| (segment.at..segment.end()).all(|at| is_told(at) || module.byte(at) == 0));
    if f64::from(known) < LEAST_KNOWN * f64::from(all) || !is_whole {
        return Err("the linker's map is that of another module; remove it, and build the module again".into());
    }
    Ok(())
}

/// The places that are known to be used.
struct Reached<'a> {
    places: &'a [Place],
    is_reached: Vec<bool>,
    /// Those whose own words are still to be looked at.
    open: Vec<usize>,
}

impl Reached<'_> {
    /// The number of the place in which an address is, or of the next one.
    fn number(&self, address: u32) -> usize {
        self.places.partition_point(|place| place.at.end <= address)
    }

    fn reach(&mut self, place: usize) {
        if self.is_reached.get(place) == Some(&false) {
            self.is_reached[place] = true;
            self.open.push(place);
        }
    }

    fn take_word(&mut self, word: u32) {
        let number = self.number(word);
        if self.places.get(number).is_some_and(|place| place.at.contains(&word)) {
            self.reach(number);
        }
    }

    fn take_address(&mut self, address: u32) {
        let number = self.number(address);
        let Some(Place { at, .. }) = self.places.get(number) else { return };
        if at.contains(&address) {
            self.reach(number);
            let before = if address == at.start { BEFORE_A_SMALL_ONE } else { BEFORE };
            if at.end - address <= before {
                self.reach(number + 1);
            }
        } else if at.start - address <= BEFORE {
            self.reach(number);
        }
    }
}

/// Calls `take` with each number in the code of a function that may be an address.
fn addresses(module: &Module, function: u32, mut take: impl FnMut(u32)) -> Result<(), BinaryReaderError> {
    let Some(body) = module.body(function) else { return Ok(()) };
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::I32Const { value } => take(value as u32),
            Operator::I64Const { value } => [value as u32, (value >> 32) as u32].into_iter().for_each(&mut take),
            Operator::V128Const { value } => {
                value.bytes().as_chunks().0.iter().for_each(|&w| take(u32::from_le_bytes(w)))
            }
            operator => take(loaded_from(&operator).and_then(|offset| u32::try_from(offset).ok()).unwrap_or(0)),
        }
    }
    Ok(())
}

/// The constant part of the address from which an operator loads.
fn loaded_from(operator: &Operator) -> Option<u64> {
    macro_rules! loads {
        ($($name:ident)*) => {
            match operator {
                $(Operator::$name { memarg, .. })|* => Some(memarg.offset),
                _ => None,
            }
        };
    }
    loads! {
        I32Load I32Load8S I32Load8U I32Load16S I32Load16U F32Load F64Load
        I64Load I64Load8S I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U
        V128Load V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U
        V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero V128Load64Zero
        V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane
    }
}

/// Joins neighbours, between which there may be a few unused bytes, and leaves out what is too small.
fn rows(places: impl Iterator<Item = Range<u32>>) -> Vec<Range<u32>> {
    let mut rows: Vec<Range<u32>> = Vec::new();
    for place in places {
        match rows.last_mut() {
            // constants are aligned to at most 16 bytes
            Some(row) if place.start - row.end < 16 => row.end = place.end,
            _ => rows.push(place),
        }
    }
    rows.retain(|row| row.end - row.start >= SMALLEST);
    rows
}

/// The parts of segments that are outside of these rows, or within them.
pub fn parts<'a>(data: &[Segment<'a>], rows: &[Range<u32>]) -> (Vec<Segment<'a>>, Vec<Segment<'a>>) {
    let (mut outside, mut within) = (Vec::new(), Vec::new());
    for segment in data {
        let mut at = segment.at;
        for row in rows.iter().filter(|row| segment.overlaps(row)) {
            let (begin, end) = (row.start.max(segment.at), row.end.min(segment.end()));
            outside.push(segment.part(at..begin));
            within.push(segment.part(begin..end));
            at = end;
        }
        outside.push(segment.part(at..segment.end()));
    }
    [&mut outside, &mut within].into_iter().for_each(|parts| parts.retain(|part| !part.bytes.is_empty()));
    (outside, within)
}
