//! Splits a WebAssembly module in two: what a page needs at first, and what can be loaded later.
//!
//!     split part MODULE LATE PLACES LINKED  moves functions and constants from MODULE to LATE
//!     split note MODULE NAMES            makes each function of MODULE note that it was called
//!     split places NAMES CALLED PLACES   prints the places of these functions, and those of PLACES that still exist
//!
//! A function stays in MODULE if the file PLACES has its place in the program, or one near it ([`Places::have`]), and a
//! function that stays may call it. Small functions stay too, and so does whatever loads LATE. All others move. Each is
//! replaced by a stub, which calls the function that MODULE exports as `load_late_part`, and then the moved function.
//! LATE imports all it needs from the exports of MODULE, under the module name `first`, and puts its functions into the
//! table in place of the stubs. So the program stays the same. It only has to make sure that LATE is loaded once
//! `load_late_part` has returned.
//!
//! Constants move that only moved functions use ([`constants`]). LINKED tells where they are: it is the module as the linker
//! has written it, with relocations.
//!
//! PLACES is measured: `note` lets each function set a global of its own, `.s` and its number, when it is called.
//! `scripts/first` performs in a browser what may need no more than MODULE, and writes the places of the functions that
//! were called.

mod constants;
mod module;
mod noting;
mod parting;
mod place;
mod write;

use constants::Constants;
use module::Module;
use parting::Parting;
use place::{Places, place};
use std::collections::BTreeSet;
use std::error::Error;
use std::process::ExitCode;

/// The smallest function, in bytes, that is worth a stub. A smaller one stays with a caller that stays: it may be a
/// rare branch, for which a first view should not wait.
const SMALLEST: usize = 240;

/// The name under which the module exports the function that loads the other.
const LOAD: &str = "load_late_part";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let said = match arguments[..] {
        ["part", module, late, places, linked] => part(module, late, places, linked),
        ["note", module, names] => note(module, names),
        ["places", names, called, known] => places(names, called, known),
        _ => {
            eprintln!(
                "usage: split part MODULE LATE PLACES LINKED | split note MODULE NAMES | split places NAMES CALLED PLACES"
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

fn part(module_path: &str, late_path: &str, places_path: &str, linked_path: &str) -> Result<String, Box<dyn Error>> {
    let bytes = std::fs::read(module_path)?;
    let places = std::fs::read_to_string(places_path)?;
    let linked = std::fs::read(linked_path).map_err(|error| format!("{linked_path}: {error}"))?;
    let Split { first, late } = split(&bytes, &places, &linked, SMALLEST)?;
    std::fs::write(late_path, &late)?;
    std::fs::write(module_path, &first)?;
    Ok(format!("split: of {} bytes {} stay, {} come later\n", bytes.len(), first.len(), late.len()))
}

/// A module in two.
#[derive(Debug)]
struct Split {
    /// The module that stays.
    first: Vec<u8>,
    /// The module that is loaded later.
    late: Vec<u8>,
}

/// Splits a module, `linked` before wasm-bindgen made it what it is. A line of `places` that begins with `#` is a comment.
fn split(bytes: &[u8], places: &str, linked: &[u8], smallest: usize) -> Result<Split, Box<dyn Error>> {
    let places = Places::read(places);
    let read = Module::read(bytes)?;
    let load = read.exported_function(LOAD).ok_or_else(|| format!("it exports no function {LOAD}"))?;
    let parting = Parting::new(&read, smallest, |name| places.have(name))?;
    let linked = Module::read(linked)?;
    if read.data.iter().map(|segment| segment.bytes).ne(linked.data.iter().map(|segment| segment.bytes)) {
        return Err("its data are not those of what the linker has written; build it again".into());
    }
    let late = Constants::read(&linked)?.late(&read, &parting.first)?;
    let (stays, comes) = constants::parts(&read.data, &late);
    Ok(Split {
        first: write::first(bytes, &read, &parting, load, &stays)?,
        late: write::late(bytes, &read, &parting, &comes)?,
    })
}

/// Writes the module that notes calls, and the names of its functions, one in a line. The line of a small function is
/// empty.
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

/// The places of the functions with these numbers, and those of a file that still exist, because some functions are
/// called only now and then. One in a line, sorted.
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
