//! Splits a WebAssembly module in two: what a page needs at first, and what can come later.
//!
//!     split part MODULE LATE PLACES      moves functions from MODULE to LATE
//!     split note MODULE NAMES            makes each function of MODULE note that it was called
//!     split places NAMES CALLED PLACES   tells the places of the functions that noted it, and of PLACES those that still are
//!
//! A function stays in MODULE if the file PLACES has its place in the program, or one near it ([`Places::have`]), and a
//! function that stays may call it; so do small ones, and whatever loads LATE. All others move. In their stead are stubs
//! which call the function that MODULE exports as `load_late_part`, and then the one that has moved. LATE takes all it needs
//! from the exports of MODULE, as the imports of a module named `first`, and puts its functions where the stubs are in the
//! table. So the program is the same, and must see to it alone that LATE is there once `load_late_part` has returned.
//!
//! PLACES is measured: `note` lets each function set a global of its own, `.s` and its number, when it is
//! called. `scripts/first` does what may need nothing else in a browser, and writes the places of what was called.

mod module;
mod noting;
mod parting;
mod place;
mod write;

use module::Module;
use parting::Parting;
use place::{Places, place};
use std::collections::BTreeSet;
use std::error::Error;
use std::process::ExitCode;

/// Smaller functions, in bytes, are not worth a stub. Many such are one for several names.
const SMALLEST: usize = 120;

/// Under which name the module exports the function that loads the other.
const LOAD: &str = "load_late_part";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = match arguments[..] {
        ["part", module, late, places] => part(module, late, places),
        ["note", module, names] => note(module, names),
        ["places", names, called, known] => places(names, called, known),
        _ => {
            eprintln!(
                "usage: split part MODULE LATE PLACES | split note MODULE NAMES | split places NAMES CALLED PLACES"
            );
            return ExitCode::from(2);
        }
    };
    match said {
        Ok(said) => {
            print!("{said}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("split: {}: {error}", arguments[1]);
            ExitCode::FAILURE
        }
    }
}

fn part(module_path: &str, late_path: &str, places_path: &str) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(module_path)?;
    let places = std::fs::read_to_string(places_path)?;
    let Split { first, late } = split(&bytes, &places, SMALLEST)?;
    std::fs::write(late_path, &late)?;
    std::fs::write(module_path, &first)?;
    Ok(format!("split: of {} bytes {} stay, {} come later\n", bytes.len(), first.len(), late.len()))
}

/// A module in two.
#[derive(Debug)]
struct Split {
    /// The module that stays.
    first: Vec<u8>,
    /// The one that comes later.
    late: Vec<u8>,
}

/// Splits a module. A line of `places` that begins with `#` is a comment.
fn split(bytes: &[u8], places: &str, smallest: usize) -> Result<Split, Box<dyn Error>> {
    let places = Places::read(places);
    let read = Module::read(bytes)?;
    let load = read.exported_function(LOAD).ok_or_else(|| format!("it exports no function {LOAD}"))?;
    let parting = Parting::new(&read, smallest, |name| places.have(name))?;
    Ok(Split { first: write::first(bytes, &read, &parting, load)?, late: write::late(bytes, &read, &parting)? })
}

/// Writes the module that notes, and the names of its functions, a line for each; an empty one for small functions.
fn note(module_path: &str, names_path: &str) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(module_path)?;
    let module = Module::read(&bytes)?;
    let name = |f: u32| {
        let is_small = module.body(f).is_none_or(|body| body.as_bytes().len() < SMALLEST);
        module.names.get(&f).filter(|_| !is_small).map_or("", String::as_str)
    };
    let names: String = module.defined().map(|f| format!("{}\n", name(f))).collect();
    std::fs::write(names_path, names)?;
    std::fs::write(module_path, noting::noting(&bytes, &module)?)?;
    Ok(String::new())
}

/// The places of the functions with these numbers, and those of a file that functions still have: what is called now and then
/// was called before. A line for each, sorted.
fn places(names_path: &str, called_path: &str, known_path: &str) -> Result<String, Box<dyn Error>> {
    let names = std::fs::read_to_string(names_path)?;
    let names: Vec<&str> = names.lines().collect();
    let there: BTreeSet<String> = names.iter().map(|name| place(name)).collect();
    let known = std::fs::read_to_string(known_path)?;
    let mut places: BTreeSet<String> = known.lines().map(str::to_owned).filter(|line| there.contains(line)).collect();
    for number in std::fs::read_to_string(called_path)?.lines() {
        let name = names.get(number.parse::<usize>()?).ok_or("a function was called that has no name")?;
        places.insert(place(name));
    }
    Ok(places.iter().filter(|place| !place.is_empty()).map(|place| format!("{place}\n")).collect())
}

#[cfg(test)]
mod tests;
