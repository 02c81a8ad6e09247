//! Splits a WebAssembly module in two: what a page needs at first, and what can come later.
//!
//!     split MODULE LATE PATTERNS
//!
//! Functions of some size whose names contain a line of the file PATTERNS, and those that only such functions call, move
//! from MODULE to LATE. In their place stay stubs which call the function that MODULE exports as
//! `load_late_part`, and then the one that has moved. LATE takes all it needs from the exports of MODULE, as
//! the imports of a module named `first`, and puts its functions where the stubs are in the table. So the
//! program is the same, and must see to it alone that LATE is there once `load_late_part` has returned.
//!
//! It prints what each line has moved. A line that moves nothing is an error: what it was for has another name now, or has
//! become part of its caller, and is loaded at first again.

mod module;
mod moved;
mod parting;
mod write;

use module::Module;
use moved::Moved;
use parting::Parting;
use std::error::Error;
use std::process::ExitCode;

/// Smaller functions, in bytes, are not worth a stub. Many such are one for several names.
const SMALLEST: usize = 120;

/// Under which name the module exports the function that loads the other.
const LOAD: &str = "load_late_part";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [module, late, patterns] = &arguments[..] else {
        eprintln!("usage: split MODULE LATE PATTERNS");
        return ExitCode::from(2);
    };
    match run(module, late, patterns) {
        Ok(said) => {
            println!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("split: {module}, by {error}");
            ExitCode::FAILURE
        }
    }
}

fn run(module_path: &str, late_path: &str, patterns_path: &str) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(module_path)?;
    let patterns = std::fs::read_to_string(patterns_path)?;
    let Split { first, late, moved } =
        split(&bytes, &patterns, SMALLEST).map_err(|error| format!("{patterns_path}: {error}"))?;
    std::fs::write(late_path, &late)?;
    std::fs::write(module_path, &first)?;
    Ok(format!("{moved}split: of {} bytes {} stay, {} come later", bytes.len(), first.len(), late.len()))
}

/// A module in two.
#[derive(Debug)]
struct Split {
    /// The module that stays.
    first: Vec<u8>,
    /// The one that comes later.
    late: Vec<u8>,
    /// What is in that.
    moved: Moved,
}

/// Splits a module. An error where a line of `patterns` moves nothing.
fn split(bytes: &[u8], patterns: &str, smallest: usize) -> Result<Split, Box<dyn Error>> {
    let patterns: Vec<&str> =
        patterns.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
    let module = Module::read(bytes)?;
    let load = module.exported_function(LOAD).ok_or_else(|| format!("it exports no function {LOAD}"))?;
    let parting = Parting::new(&module, smallest, |name| patterns.iter().any(|pattern| name.contains(pattern)))?;
    let moved = Moved::new(&module, &parting, &patterns)?;
    Ok(Split {
        first: write::first(bytes, &module, &parting, load)?,
        late: write::late(bytes, &module, &parting)?,
        moved,
    })
}

#[cfg(test)]
mod tests;
