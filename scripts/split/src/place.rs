//! The place of a function in the program, from its name, in a form that survives small changes of the code.

use std::collections::BTreeSet;

/// How the paths of the program begin, whose functions have places of their own: `packfair::` and `packfair_study::`.
const OURS: &str = "packfair";

/// Whether a path of the program stands at the beginning.
fn begins_with_ours(name: &str) -> bool {
    let rest =
        name.strip_prefix(OURS).map(|rest| rest.trim_start_matches(|c: char| c.is_ascii_lowercase() || c == '_'));
    rest.is_some_and(|rest| rest.starts_with("::"))
}

/// Families of library functions: how their paths begin. Which functions of a family are called depends on the data, so all
/// that are compiled for the same types share a place.
const FAMILIES: [&str; 1] = ["core::slice::sort"];

/// The place of a library function that is compiled for no type of the program. Methods share the place of their type, with
/// its generic arguments; a free function has its path with its generic arguments.
fn of_library(name: &str) -> String {
    let name = name.trim_start_matches(['<', '&', '(', '[', '*']);
    let family = FAMILIES.into_iter().find(|family| name.starts_with(family));
    match (family, name.split_once("::<")) {
        (Some(family), Some((_, types))) => format!("{family}::<{}", unnumbered(types)),
        _ => unnumbered(&name[..end_of_types(name)]).to_owned(),
    }
}

/// Where the first types in angle brackets end; the end of the name where there are none.
fn end_of_types(name: &str) -> usize {
    let mut depth = 0;
    let mut before = ' ';
    for (at, character) in name.char_indices() {
        match character {
            '<' => depth += 1,
            // not the arrow of a function's type
            '>' if before != '-' && depth > 0 => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
        before = character;
    }
    name.len()
}

/// The place of a function:
///
/// - a function of the program: its path, without the numbers of its closures, which share its place;
/// - a function of a library that is compiled for types of the program: the paths of these types, sorted;
/// - another function of a library: [`of_library`].
pub fn place(name: &str) -> String {
    let mut ours: Vec<&str> = paths(name).collect();
    if ours.is_empty() {
        return of_library(name);
    }
    if is_ours(name) {
        return unnumbered(name.split("::{").next().unwrap_or_default()).to_owned();
    }
    ours.sort_unstable();
    ours.dedup();
    ours.join(" ")
}

/// A name without the number that the compiler adds to functions that it compiles several times, which differs from
/// build to build: `core::str::trim.1234`.
fn unnumbered(name: &str) -> &str {
    match name.rsplit_once('.') {
        Some((bare, number)) if !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit()) => bare,
        _ => name,
    }
}

/// Whether it is a function of the program rather than of a library.
fn is_ours(name: &str) -> bool {
    begins_with_ours(name.trim_start_matches(['<', '&']).trim_start_matches("mut "))
}

/// The places that are known to be needed.
pub struct Places<'a> {
    listed: BTreeSet<&'a str>,
    /// Modules of which a function is listed, or a type for which a library's function is listed.
    modules: BTreeSet<&'a str>,
    /// The paths of the program that the listed places name.
    ours: BTreeSet<&'a str>,
}

impl<'a> Places<'a> {
    /// Reads the places of a file, one in a line. A line that begins with `#` is a comment.
    pub fn read(text: &'a str) -> Self {
        let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
        let listed: BTreeSet<&str> = lines.map(unnumbered).collect();
        let modules = listed.iter().copied().filter_map(module).collect();
        let ours = listed.iter().flat_map(|place| paths(place)).collect();
        Places { listed, modules, ours }
    }

    /// Whether the function of this name is needed: its place is listed. A function that is no method, or one of a
    /// library, is also needed if every path of the program in its name is listed or in a module with a listed one:
    /// which of these are called may depend on what is drawn first, and they are small. Methods are many, so only their
    /// places count.
    pub fn have(&self, name: &str) -> bool {
        let is_method = is_ours(name) && !begins_with_ours(name);
        let is_near = |path| module(path).is_some_and(|module| self.modules.contains(module));
        let is_known = |path| self.ours.contains(path) || is_near(path);
        self.listed.contains(place(name).as_str())
            || (!is_method && paths(name).next().is_some() && paths(name).all(is_known))
    }
}

/// The module of a place that is one path of the program; none for other places.
fn module(place: &str) -> Option<&str> {
    begins_with_ours(place).then(|| place.rsplit_once("::").map(|(module, _)| module))?.filter(|_| !place.contains(' '))
}

/// The paths of the program within a name.
fn paths(name: &str) -> impl Iterator<Item = &str> {
    name.match_indices(OURS).filter(|&(at, _)| begins_with_ours(&name[at..])).map(|(at, _)| {
        let path = &name[at..];
        let end = path.find(|c: char| !c.is_ascii_alphanumeric() && c != '_' && c != ':').unwrap_or(path.len());
        path[..end].trim_end_matches(':')
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_a_module() {
        assert_eq!(module("packfair::chart::tick::ticks"), Some("packfair::chart::tick"));
        assert_eq!(module("packfair_chart::tick::ticks"), Some("packfair_chart::tick"));
        for other in ["<packfair::study::Study>::runs", "packfair::a::f packfair::b::B", "alloc::vec::Vec", ""] {
            assert_eq!(module(other), None, "{other}");
        }
    }

    #[test]
    fn numbers_of_a_build_do_not_matter() {
        let places = Places::read("core::char::methods::encode_utf8_raw.3187");
        assert!(places.have("core::char::methods::encode_utf8_raw.12"));
        assert!(places.have("core::char::methods::encode_utf8_raw"));
    }

    #[test]
    fn what_a_library_makes_for_many_types_is_told_apart_by_them() {
        let places = Places::read(
            "core::slice::sort::<f64, <f64>::total_cmp>\ncore::ptr::drop_in_place::<toml::Value>\n\
             alloc::vec::Vec<u8>\nalloc::boxed::Box<dyn core::ops::Fn(u8) -> bool>",
        );
        for needed in [
            "<alloc::vec::Vec<u8>>::push",
            "<alloc::vec::Vec<u8> as core::iter::Extend<char>>::extend::<core::iter::Map<u8>>",
            "<alloc::boxed::Box<dyn core::ops::Fn(u8) -> bool> as core::ops::Fn>::call",
            "core::slice::sort::unstable::quicksort::quicksort::<f64, <f64>::total_cmp>",
            "core::slice::sort::shared::pivot::median3_rec::<f64, <f64>::total_cmp>",
            "core::ptr::drop_in_place::<toml::Value>",
        ] {
            assert!(places.have(needed), "{needed}");
        }
        for other in [
            "core::slice::sort::unstable::quicksort::quicksort::<u32, <u32 as core::cmp::PartialOrd>::lt>",
            "core::ptr::drop_in_place::<rhai::Stmt>",
            "<alloc::vec::Vec<u16>>::push",
        ] {
            assert!(!places.have(other), "{other}");
        }
    }

    #[test]
    fn what_is_beside_what_is_needed_is_needed() {
        let places =
            Places::read("# a comment\npackfair::a::f\n<packfair::b::B as core::fmt::Display>::fmt\ncore::str::trim");
        for needed in [
            "<packfair::b::B as core::fmt::Display>::fmt.17",
            "packfair::a::f::{closure#1}",
            "packfair::a::g",
            "<packfair::b::B as core::fmt::Display>::fmt",
            "<alloc::vec::Vec<packfair::b::B>>::push::<packfair::a::h::{closure#0}>",
            "core::str::trim",
        ] {
            assert!(places.have(needed), "{needed}");
        }
        for other in [
            "packfair::c::f",
            "packfair_a::f",
            "<packfair::b::B>::other",
            "<alloc::vec::Vec<packfair::b::C>>::push::<packfair::a::h::{closure#0}>",
            "core::str::split",
        ] {
            assert!(!places.have(other), "{other}");
        }
    }

    #[test]
    fn a_place_outlives_closures_and_what_a_function_is_made_for() {
        for (name, expected) in [
            ("packfair::app::menu::open", "packfair::app::menu::open"),
            ("packfair::app::menu::open::{closure#3}::{closure#0}", "packfair::app::menu::open"),
            (
                "<packfair::study::Study as core::clone::Clone>::clone",
                "<packfair::study::Study as core::clone::Clone>::clone",
            ),
            ("core::ptr::drop_in_place::<core::option::Option<packfair::study::Study>>", "packfair::study::Study"),
            ("<alloc::vec::Vec<packfair::b::B>>::push::<packfair::a::f::{closure#1}>", "packfair::a::f packfair::b::B"),
            ("<alloc::vec::Vec<u8> as core::clone::Clone>::clone", "alloc::vec::Vec<u8>"),
            (
                "core::slice::sort::stable::sort::<u64, <u64 as core::cmp::PartialOrd>::lt>",
                "core::slice::sort::<u64, <u64 as core::cmp::PartialOrd>::lt>",
            ),
            ("core::char::methods::encode_utf8_raw.3187", "core::char::methods::encode_utf8_raw"),
            ("", ""),
        ] {
            assert_eq!(place(name), expected, "{name}");
        }
    }
}
