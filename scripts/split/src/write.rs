//! Writes the two modules.

use crate::module::{Module, Segment};
use crate::parting::Parting;
use std::collections::HashMap;
use std::error::Error;
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, CustomSection, DataSection, ElementSection, Elements, EntityType, ExportKind,
    ExportSection, Function, FunctionSection, ImportSection, Instruction, TableSection, TypeSection,
};
use wasmparser::{
    CodeSectionReader, CustomSectionReader, DataSectionReader, ExportSectionReader, FunctionSectionReader, Parser,
    Payload, TableSectionReader,
};

type Written<T = ()> = Result<T, reencode::Error>;

/// The name of the module from which the late one imports.
const FIRST: &str = "first";

/// The name of an export for the late module, which no other export has.
fn export_name(kind: char, index: usize) -> String {
    format!(".{kind}{index:x}")
}

/// Writes the module that stays, with these data.
pub fn first(
    bytes: &[u8],
    module: &Module,
    parting: &Parting,
    load: u32,
    data: &[Segment],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let stubs = parting.slots.keys();
    let stay = (0..module.imported).chain(parting.first.iter().copied()).chain(stubs.copied());
    let numbers: HashMap<u32, u32> = stay.zip(0..).collect();
    let mut written = wasm_encoder::Module::new();
    First { module, parting, load: numbers[&load], numbers, data }.parse_core_module(
        &mut written,
        Parser::new(0),
        bytes,
    )?;
    Ok(written.finish())
}

struct First<'a> {
    module: &'a Module<'a>,
    parting: &'a Parting,
    /// The new numbers of the functions.
    numbers: HashMap<u32, u32>,
    /// The new number of the function that loads the late module.
    load: u32,
    data: &'a [Segment<'a>],
}

impl First<'_> {
    /// A stub that loads the late module and then calls the function at the place `slot` of the table.
    fn stub(&self, kind: u32, slot: u32) -> Function {
        let parameters = self.module.types[kind as usize].params().len() as u32;
        let mut stub = Function::new([]);
        stub.instruction(&Instruction::Call(self.load));
        for parameter in 0..parameters {
            stub.instruction(&Instruction::LocalGet(parameter));
        }
        stub.instruction(&Instruction::I32Const(slot as i32));
        stub.instruction(&Instruction::CallIndirect { type_index: kind, table_index: 0 });
        stub.instruction(&Instruction::End);
        stub
    }
}

impl Reencode for First<'_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Written<u32> {
        Ok(self.numbers[&function])
    }

    fn parse_function_section(&mut self, functions: &mut FunctionSection, _: FunctionSectionReader) -> Written {
        for &function in self.parting.first.iter().chain(self.parting.slots.keys()) {
            functions.function(self.module.functions[function as usize]);
        }
        Ok(())
    }

    fn parse_code_section(&mut self, code: &mut CodeSection, _: CodeSectionReader) -> Written {
        for &function in &self.parting.first {
            if let Some(body) = self.module.body(function) {
                self.parse_function_body(code, body.clone())?;
            }
        }
        for (&function, slots) in &self.parting.slots {
            code.function(&self.stub(self.module.functions[function as usize], slots[0]));
        }
        Ok(())
    }

    fn parse_table_section(&mut self, tables: &mut TableSection, _: TableSectionReader) -> Written {
        for table in tables_of(self.module, self.parting) {
            tables.table(utils::table_type(self, table)?);
        }
        Ok(())
    }

    fn parse_export_section(&mut self, exports: &mut ExportSection, section: ExportSectionReader) -> Written {
        utils::parse_export_section(self, exports, section)?;
        for (i, function) in self.parting.shared.iter().enumerate() {
            exports.export(&export_name('f', i), ExportKind::Func, self.numbers[function]);
        }
        for (kind, exported, count) in [
            ('t', ExportKind::Table, self.module.tables.len()),
            ('m', ExportKind::Memory, self.module.memories.len()),
            ('g', ExportKind::Global, self.module.globals.len()),
        ] {
            for i in 0..count {
                exports.export(&export_name(kind, i), exported, i as u32);
            }
        }
        Ok(())
    }

    fn data_count(&mut self, _: u32) -> Written<u32> {
        Ok(self.data.len() as u32)
    }

    fn parse_data_section(&mut self, data: &mut DataSection, _: DataSectionReader) -> Written {
        write_data(data, self.data);
        Ok(())
    }

    /// Leaves out names of functions and other sections for tools.
    fn parse_custom_section(&mut self, written: &mut wasm_encoder::Module, section: CustomSectionReader) -> Written {
        write_features(written, &section);
        Ok(())
    }
}

/// Writes the section that says which features of WebAssembly the program uses, if it is this one: wasm-opt has to know.
fn write_features(written: &mut wasm_encoder::Module, section: &CustomSectionReader) {
    if section.name() == "target_features" {
        written.section(&CustomSection { name: section.name().into(), data: section.data().into() });
    }
}

fn write_data(data: &mut DataSection, segments: &[Segment]) {
    for Segment { at, bytes, .. } in segments {
        data.active(0, &ConstExpr::i32_const(*at as i32), bytes.iter().copied());
    }
}

/// The tables of the module that stays.
fn tables_of(module: &Module, parting: &Parting) -> Vec<wasmparser::TableType> {
    let mut tables = module.tables.clone();
    if let Some(table) = tables.first_mut() {
        table.initial = parting.table;
        table.maximum = table.maximum.map(|maximum| maximum.max(parting.table));
    }
    tables
}

/// Writes the module that is loaded later, with these data.
pub fn late(bytes: &[u8], module: &Module, parting: &Parting, segments: &[Segment]) -> Result<Vec<u8>, Box<dyn Error>> {
    let numbers: HashMap<u32, u32> = parting.shared.iter().chain(&parting.late).copied().zip(0..).collect();
    let mut late = Late { numbers };
    let mut types = TypeSection::new();
    for payload in Parser::new(0).parse_all(bytes) {
        if let Payload::TypeSection(section) = payload? {
            late.parse_type_section(&mut types, section)?;
        }
    }
    let mut functions = FunctionSection::new();
    let mut code = CodeSection::new();
    for &function in &parting.late {
        functions.function(module.functions[function as usize]);
        if let Some(body) = module.body(function) {
            late.parse_function_body(&mut code, body.clone())?;
        }
    }
    let mut written = wasm_encoder::Module::new();
    written.section(&types);
    written.section(&late.imports(module, parting)?);
    written.section(&functions);
    written.section(&late.elements(parting));
    written.section(&code);
    if !segments.is_empty() {
        let mut data = DataSection::new();
        write_data(&mut data, segments);
        written.section(&data);
    }
    module.custom.iter().for_each(|section| write_features(&mut written, section));
    Ok(written.finish())
}

struct Late {
    /// The new numbers of the functions.
    numbers: HashMap<u32, u32>,
}

impl Reencode for Late {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> Written<u32> {
        Ok(self.numbers[&function])
    }
}

impl Late {
    /// All tables, memories and globals are imported, so that they keep their numbers.
    fn imports(&mut self, module: &Module, parting: &Parting) -> Written<ImportSection> {
        let mut imports = ImportSection::new();
        let mut import = |kind, i, what: EntityType| {
            imports.import(FIRST, &export_name(kind, i), what);
        };
        for (i, &function) in parting.shared.iter().enumerate() {
            import('f', i, EntityType::Function(module.functions[function as usize]));
        }
        for (i, table) in tables_of(module, parting).into_iter().enumerate() {
            import('t', i, EntityType::Table(utils::table_type(self, table)?));
        }
        for (i, &memory) in module.memories.iter().enumerate() {
            import('m', i, EntityType::Memory(utils::memory_type(self, memory)));
        }
        for (i, &global) in module.globals.iter().enumerate() {
            import('g', i, EntityType::Global(utils::global_type(self, global)?));
        }
        Ok(imports)
    }

    /// The places of the late functions in the first table, with a segment for each row of neighbours.
    fn elements(&self, parting: &Parting) -> ElementSection {
        let slots = parting
            .slots
            .iter()
            .flat_map(|(function, places)| places.iter().map(|&place| (place, self.numbers[function])));
        let mut slots: Vec<(u32, u32)> = slots.collect();
        slots.sort_unstable();
        let mut elements = ElementSection::new();
        for row in slots.chunk_by(|a, b| a.0 + 1 == b.0) {
            let functions: Vec<u32> = row.iter().map(|slot| slot.1).collect();
            elements.active(None, &ConstExpr::i32_const(row[0].0 as i32), Elements::Functions(functions.into()));
        }
        elements
    }
}
