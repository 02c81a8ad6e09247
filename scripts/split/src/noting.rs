//! Makes a module whose functions note that they were called.

use crate::module::Module;
use std::error::Error;
use wasm_encoder::reencode::{self, Reencode, utils};
use wasm_encoder::{
    CodeSection, ConstExpr, ExportKind, ExportSection, GlobalSection, GlobalType, Instruction, ValType,
};
use wasmparser::{CustomSectionReader, ExportSectionReader, FunctionBody, GlobalSectionReader, Parser};

type Written<T = ()> = Result<T, reencode::Error>;

/// The same program, in which the function with number `n`, not counting imported ones, sets the global `.sn` to 1.
pub fn noting(bytes: &[u8], module: &Module) -> Result<Vec<u8>, Box<dyn Error>> {
    let mut written = wasm_encoder::Module::new();
    Noting { module, reached: 0 }.parse_core_module(&mut written, Parser::new(0), bytes)?;
    Ok(written.finish())
}

struct Noting<'a> {
    module: &'a Module<'a>,
    /// The number of functions written so far.
    reached: u32,
}

impl Noting<'_> {
    fn functions(&self) -> u32 {
        self.module.bodies.len() as u32
    }

    fn global_of(&self, function: u32) -> u32 {
        self.module.globals.len() as u32 + function
    }
}

impl Reencode for Noting<'_> {
    type Error = std::convert::Infallible;

    fn parse_global_section(&mut self, globals: &mut GlobalSection, section: GlobalSectionReader) -> Written {
        utils::parse_global_section(self, globals, section)?;
        for _ in 0..self.functions() {
            let kind = GlobalType { val_type: ValType::I32, mutable: true, shared: false };
            globals.global(kind, &ConstExpr::i32_const(0));
        }
        Ok(())
    }

    fn parse_export_section(&mut self, exports: &mut ExportSection, section: ExportSectionReader) -> Written {
        utils::parse_export_section(self, exports, section)?;
        for function in 0..self.functions() {
            exports.export(&format!(".s{function}"), ExportKind::Global, self.global_of(function));
        }
        Ok(())
    }

    fn parse_function_body(&mut self, code: &mut CodeSection, body: FunctionBody) -> Written {
        let mut function = self.new_function_with_parsed_locals(&body)?;
        function.instruction(&Instruction::I32Const(1));
        function.instruction(&Instruction::GlobalSet(self.global_of(self.reached)));
        self.reached += 1;
        let mut instructions = body.get_operators_reader()?;
        while !instructions.eof() {
            let instruction = self.parse_instruction(&mut instructions)?;
            function.instruction(&instruction);
        }
        code.function(&function);
        Ok(())
    }

    /// Leaves out names of functions and other sections for tools.
    fn parse_custom_section(&mut self, _: &mut wasm_encoder::Module, _: CustomSectionReader) -> Written {
        Ok(())
    }
}
