//! What has to be known of a module to split it.

use std::collections::HashMap;
use std::error::Error;
use std::ops::Range;
use wasmparser::{
    CustomSectionReader, DataKind, ElementItems, ElementKind, ExternalKind, FuncType, FunctionBody, GlobalType,
    KnownCustom, MemoryType, Name, Operator, Parser, Payload, TableType, TypeRef,
};

/// A module, read. Functions are numbered as everywhere in WebAssembly: imported ones first.
#[derive(Default)]
pub struct Module<'a> {
    /// Types of functions.
    pub types: Vec<FuncType>,
    /// The number of imported functions.
    pub imported: u32,
    /// The type of each function.
    pub functions: Vec<u32>,
    /// The code of each function that is not imported.
    pub bodies: Vec<FunctionBody<'a>>,
    pub tables: Vec<TableType>,
    pub memories: Vec<MemoryType>,
    pub globals: Vec<GlobalType>,
    /// Functions that are exported, with their names.
    pub exported: Vec<(&'a str, u32)>,
    /// The function that begins the program, if there is one.
    pub start: Option<u32>,
    /// The functions in the first table: place, function.
    pub slots: Vec<(u32, u32)>,
    /// What is in the memory from the start.
    pub data: Vec<Segment<'a>>,
    /// What tools say about it.
    pub custom: Vec<CustomSectionReader<'a>>,
    /// The names of functions, where they are known.
    pub names: HashMap<u32, String>,
}

/// A part of what is in the memory from the start.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Segment<'a> {
    /// The address of its first byte.
    pub at: u32,
    /// Where its first byte is in the section.
    pub offset: u32,
    pub bytes: &'a [u8],
}

impl<'a> Segment<'a> {
    /// The address after its last byte.
    pub fn end(&self) -> u32 {
        self.at + self.bytes.len() as u32
    }

    pub fn overlaps(&self, place: &Range<u32>) -> bool {
        self.at < place.end && place.start < self.end()
    }

    /// The part at these addresses, which are in it.
    pub fn part(&self, place: Range<u32>) -> Segment<'a> {
        let bytes = &self.bytes[(place.start - self.at) as usize..(place.end - self.at) as usize];
        Segment { at: place.start, offset: self.offset + place.start - self.at, bytes }
    }
}

impl<'a> Module<'a> {
    /// Reads a module. An error where it is not WebAssembly, or has features that Rust's compiler does not use today.
    pub fn read(bytes: &'a [u8]) -> Result<Self, Box<dyn Error>> {
        let mut module = Module::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    module.types = section.into_iter_err_on_gc_types().collect::<Result<_, _>>()?
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        match import?.ty {
                            TypeRef::Func(kind) => module.functions.push(kind),
                            _ => return Err("it imports what is not a function".into()),
                        }
                    }
                    module.imported = module.functions.len() as u32;
                }
                Payload::FunctionSection(section) => {
                    for kind in section {
                        module.functions.push(kind?);
                    }
                }
                Payload::TableSection(section) => {
                    for table in section {
                        module.tables.push(table?.ty);
                    }
                }
                Payload::MemorySection(section) => module.memories = section.into_iter().collect::<Result<_, _>>()?,
                Payload::GlobalSection(section) => {
                    for global in section {
                        module.globals.push(global?.ty);
                    }
                }
                Payload::ExportSection(section) => {
                    for export in section {
                        let export = export?;
                        if export.kind == ExternalKind::Func {
                            module.exported.push((export.name, export.index));
                        }
                    }
                }
                Payload::StartSection { func, .. } => module.start = Some(func),
                Payload::ElementSection(section) => {
                    for element in section {
                        let element = element?;
                        module.read_slots(&element.kind, element.items)?;
                    }
                }
                Payload::CodeSectionEntry(body) => module.bodies.push(body),
                Payload::DataSection(section) => {
                    let begin = section.range().start;
                    for datum in section {
                        let datum = datum?;
                        let at = address(&datum.kind)?;
                        let offset = (datum.range.end - begin) as u32 - datum.data.len() as u32;
                        module.data.push(Segment { at, offset, bytes: datum.data });
                    }
                }
                Payload::CustomSection(section) => {
                    if let KnownCustom::Name(names) = section.as_known() {
                        module.read_names(names)?;
                    }
                    module.custom.push(section);
                }
                _ => {}
            }
        }
        if module.names.is_empty() {
            return Err("its functions have no names; it must be split before they are stripped".into());
        }
        Ok(module)
    }

    fn read_slots(&mut self, kind: &ElementKind, items: ElementItems) -> Result<(), Box<dyn Error>> {
        let (ElementKind::Active { table_index, offset_expr }, ElementItems::Functions(functions)) = (kind, items)
        else {
            return Err("it has a table of another kind than functions from the start".into());
        };
        let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
            return Err("where a table begins is not a constant".into());
        };
        if table_index.unwrap_or(0) != 0 {
            return Err("functions stand in a table that is not the first".into());
        }
        for (place, function) in (value as u32..).zip(functions) {
            self.slots.push((place, function?));
        }
        Ok(())
    }

    fn read_names(&mut self, names: wasmparser::NameSectionReader) -> Result<(), Box<dyn Error>> {
        for name in names {
            if let Name::Function(functions) = name? {
                for naming in functions {
                    let naming = naming?;
                    self.names.insert(naming.index, without_hashes(naming.name));
                }
            }
        }
        Ok(())
    }

    /// The function that is exported under this name.
    pub fn exported_function(&self, name: &str) -> Option<u32> {
        self.exported.iter().find(|export| export.0 == name).map(|export| export.1)
    }

    /// The code of a function, unless it is imported.
    pub fn body(&self, function: u32) -> Option<&FunctionBody<'a>> {
        self.bodies.get(function.checked_sub(self.imported)? as usize)
    }

    /// The functions that a function calls directly, or takes the address of.
    pub fn called_by(&self, function: u32) -> Result<Vec<u32>, wasmparser::BinaryReaderError> {
        let Some(body) = self.body(function) else { return Ok(Vec::new()) };
        let mut called = Vec::new();
        for operator in body.get_operators_reader()? {
            match operator? {
                Operator::Call { function_index }
                | Operator::ReturnCall { function_index }
                | Operator::RefFunc { function_index } => called.push(function_index),
                _ => {}
            }
        }
        Ok(called)
    }

    /// The address of the byte that is at this offset in the section of data.
    pub fn address_of(&self, offset: u32) -> Option<u32> {
        let segment = self
            .data
            .iter()
            .find(|segment| segment.offset <= offset && offset - segment.offset < segment.bytes.len() as u32)?;
        Some(segment.at + offset - segment.offset)
    }

    /// All functions that are not imported.
    pub fn defined(&self) -> std::ops::Range<u32> {
        self.imported..self.functions.len() as u32
    }
}

/// Where in the memory data begin.
fn address(kind: &DataKind) -> Result<u32, Box<dyn Error>> {
    let DataKind::Active { memory_index: 0, offset_expr } = kind else {
        return Err("it has data that are not in the first memory from the start".into());
    };
    let Operator::I32Const { value } = offset_expr.get_operators_reader().read()? else {
        return Err("where data begin is not a constant".into());
    };
    Ok(value as u32)
}

/// The name without the hashes of crates, which are as in `packfair[0123456789abcdef]::app`, and without the number of a function
/// that is there several times, as in `grow[3]`.
fn without_hashes(name: &str) -> String {
    let mut parts = name.split('[');
    let mut without = String::from(parts.next().unwrap_or_default());
    for part in parts {
        match part.split_once(']') {
            Some((hash, rest)) if hash.len() >= 8 && hash.bytes().all(|b| b.is_ascii_hexdigit()) => {
                without.push_str(rest)
            }
            // which of several it is changes with the crates there are
            Some((number, "")) if number.bytes().all(|b| b.is_ascii_digit()) => {}
            _ => {
                without.push('[');
                without.push_str(part);
            }
        }
    }
    without
}
