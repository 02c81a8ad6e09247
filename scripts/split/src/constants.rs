//! Decides which constants of the program come later: those that only late functions use.
//!
//! The linker tells where each constant and each variable is, which of them the code names, with what distance, and which of
//! them name others (`--emit-relocs`: the sections `linking` and `reloc.*` of what it has written). All stay that what stays
//! names, directly or not. A number in the code that happens to be an address keeps a constant too many, which does no harm.

use crate::module::{Module, Segment};
use std::collections::HashMap;
use std::error::Error;
use std::ops::Range;
use wasmparser::{
    BinaryReaderError, KnownCustom, Linking, LinkingSectionReader, Operator, RelocSectionReader, RelocationEntry,
    RelocationType, SymbolInfo,
};

/// Fewer constant bytes in a row are not worth a segment of their own.
const SMALLEST: u32 = 24;

/// Constants begin at multiples of it at the most.
const ALIGNMENT: u32 = 16;

/// How the names of segments begin that nothing writes to.
const READ_ONLY: &str = ".rodata";

/// What a program has in its memory from the start, and what names it.
#[derive(Default)]
pub struct Constants {
    /// Constants and variables by their numbers in the linker's table, which has functions too.
    symbols: Vec<Option<Symbol>>,
    /// Those for which a number in the code may stand.
    in_code: HashMap<u32, Vec<u32>>,
    /// The addresses of words that name one, in order.
    in_data: Vec<(u32, u32)>,
}

struct Symbol {
    at: Range<u32>,
    /// Whether nothing writes to it. A variable stays where it is.
    is_constant: bool,
}

impl Constants {
    /// Reads what the linker has written about a module that it has made. Where it has not been asked to, there are no
    /// constants.
    pub fn read(linked: &Module) -> Result<Self, Box<dyn Error>> {
        let mut constants = Constants::default();
        for section in &linked.custom {
            match section.as_known() {
                KnownCustom::Linking(section) => constants.symbols = symbols(section, &linked.data)?,
                KnownCustom::Reloc(relocations) => constants.read_relocations(section.name(), relocations, linked)?,
                _ => {}
            }
        }
        constants.in_data.sort_unstable();
        Ok(constants)
    }

    fn read_relocations(
        &mut self,
        name: &str,
        relocations: RelocSectionReader,
        linked: &Module,
    ) -> Result<(), Box<dyn Error>> {
        for relocation in relocations.entries() {
            let relocation = relocation?;
            let Some(symbol) = addressed(&relocation).and_then(|symbol| self.symbols.get(symbol as usize)?.as_ref())
            else {
                continue;
            };
            if name == "reloc.DATA" {
                let at = linked.address_of(relocation.offset).ok_or("a relocation is in no segment")?;
                self.in_data.push((at, relocation.index));
            } else {
                let value = symbol.at.start.wrapping_add(relocation.addend as u32);
                let stands_for = self.in_code.entry(value).or_default();
                if !stands_for.contains(&relocation.index) {
                    stands_for.push(relocation.index);
                }
            }
        }
        Ok(())
    }

    /// Constants that what stays does not name: rows of bytes that are worth it, in order. `first` are the functions of the
    /// module that stay.
    pub fn late(&self, module: &Module, first: &[u32]) -> Result<Vec<Range<u32>>, BinaryReaderError> {
        let mut is_named = vec![false; self.symbols.len()];
        let mut open = Vec::new();
        for &function in first {
            numbers(module, function, |number| open.extend(self.in_code.get(&number).into_iter().flatten()))?;
        }
        while let Some(symbol) = open.pop() {
            if !std::mem::replace(&mut is_named[symbol as usize], true)
                && let Some(Symbol { at, .. }) = &self.symbols[symbol as usize]
            {
                let from = |address: u32| self.in_data.partition_point(|word| word.0 < address);
                open.extend(self.in_data[from(at.start)..from(at.end)].iter().map(|word| word.1));
            }
        }
        let symbols =
            self.symbols.iter().zip(is_named).filter_map(|(symbol, is_named)| Some((symbol.as_ref()?, is_named)));
        let (late, stay): (Vec<_>, Vec<_>) = symbols.partition(|(symbol, is_named)| symbol.is_constant && !is_named);
        let mut rows = united(late.into_iter().map(|(symbol, _)| symbol.at.clone()).collect());
        // one constant may be a part of another, as a text is the end of a longer one
        for stays in united(stay.into_iter().map(|(symbol, _)| symbol.at.clone()).collect()) {
            without(&mut rows, &stays);
        }
        rows.retain(|row| row.end - row.start >= SMALLEST);
        Ok(rows)
    }
}

/// The symbols of the linker's table.
fn symbols(section: LinkingSectionReader, data: &[Segment]) -> Result<Vec<Option<Symbol>>, Box<dyn Error>> {
    let (mut is_constant, mut symbols) = (Vec::new(), Vec::new());
    for part in section.subsections() {
        match part? {
            Linking::SegmentInfo(segments) => {
                for segment in segments {
                    is_constant.push(segment?.name.starts_with(READ_ONLY));
                }
            }
            Linking::SymbolTable(table) => {
                for symbol in table {
                    symbols.push(match symbol? {
                        SymbolInfo::Data { symbol, .. } => symbol,
                        _ => None,
                    });
                }
            }
            _ => {}
        }
    }
    let placed = symbols.into_iter().map(|symbol| {
        let symbol = symbol?;
        // what begins as zero has no segment in the file
        let begin = data.get(symbol.index as usize)?.at + symbol.offset;
        let is_constant = is_constant.get(symbol.index as usize).copied().unwrap_or(false);
        Some(Symbol { at: begin..begin + symbol.size, is_constant })
    });
    Ok(placed.collect())
}

/// The symbol whose address stands in the place of a relocation, if it is one of the memory.
fn addressed(relocation: &RelocationEntry) -> Option<u32> {
    use RelocationType::{MemoryAddrI32, MemoryAddrLeb, MemoryAddrSleb};
    matches!(relocation.ty, MemoryAddrLeb | MemoryAddrSleb | MemoryAddrI32).then_some(relocation.index)
}

/// Calls `take` with each number in the code of a function that may be an address.
fn numbers(module: &Module, function: u32, mut take: impl FnMut(u32)) -> Result<(), BinaryReaderError> {
    let Some(body) = module.body(function) else { return Ok(()) };
    for operator in body.get_operators_reader()? {
        match operator? {
            Operator::I32Const { value } => take(value as u32),
            operator => take(offset(&operator).and_then(|offset| u32::try_from(offset).ok()).unwrap_or(0)),
        }
    }
    Ok(())
}

/// The constant part of the address that an operator reads or writes.
fn offset(operator: &Operator) -> Option<u64> {
    macro_rules! accesses {
        ($($name:ident)*) => {
            match operator {
                $(Operator::$name { memarg, .. })|* => Some(memarg.offset),
                _ => None,
            }
        };
    }
    accesses! {
        I32Load I32Load8S I32Load8U I32Load16S I32Load16U F32Load F64Load
        I64Load I64Load8S I64Load8U I64Load16S I64Load16U I64Load32S I64Load32U
        I32Store I32Store8 I32Store16 F32Store F64Store I64Store I64Store8 I64Store16 I64Store32
        V128Load V128Load8x8S V128Load8x8U V128Load16x4S V128Load16x4U V128Load32x2S V128Load32x2U
        V128Load8Splat V128Load16Splat V128Load32Splat V128Load64Splat V128Load32Zero V128Load64Zero
        V128Load8Lane V128Load16Lane V128Load32Lane V128Load64Lane V128Store
        V128Store8Lane V128Store16Lane V128Store32Lane V128Store64Lane
    }
}

/// These bytes in order, those that touch as one row.
fn united(mut parts: Vec<Range<u32>>) -> Vec<Range<u32>> {
    parts.sort_unstable_by_key(|part| part.start);
    let mut rows: Vec<Range<u32>> = Vec::new();
    for part in parts {
        match rows.last_mut() {
            Some(row) if part.start <= row.end.next_multiple_of(ALIGNMENT) => row.end = row.end.max(part.end),
            _ => rows.push(part),
        }
    }
    rows
}

/// Takes bytes out of rows.
fn without(rows: &mut Vec<Range<u32>>, bytes: &Range<u32>) {
    let first = rows.partition_point(|row| row.end <= bytes.start);
    let end = rows.partition_point(|row| row.start < bytes.end);
    if first < end {
        let before = rows[first].start..bytes.start;
        let after = bytes.end..rows[end - 1].end;
        rows.splice(first..end, [before, after].into_iter().filter(|rest| !rest.is_empty()));
    }
}

/// The parts of segments that are outside of these rows, or within them, without those that are zero, as all memory is from
/// the start.
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
    [&mut outside, &mut within].into_iter().for_each(|parts| parts.retain(|part| part.bytes.iter().any(|&b| b != 0)));
    (outside, within)
}

#[cfg(test)]
mod tests;
