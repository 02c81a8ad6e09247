//! Modules use only those above them in the table of CONTRIBUTING.md. Test code may use all modules.

#![cfg(not(target_arch = "wasm32"))]

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// The modules in the order of the table.
fn order() -> Vec<String> {
    let text = include_str!("../CONTRIBUTING.md");
    let rows = text.lines().skip_while(|line| !line.starts_with("| module |")).skip(2);
    let module =
        |row: &str| row.split('`').nth(1).expect("a module in the first cell").trim_end_matches('/').to_owned();
    rows.take_while(|line| line.starts_with('|')).map(module).collect()
}

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

/// All files of a folder, with its subfolders.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("an entry").path()).collect();
    paths.sort();
    paths.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

/// The code of a file without comments and modules of tests; and the names of modules that are only for tests and are
/// in files of their own.
fn code(text: &str) -> (Vec<&str>, Vec<&str>) {
    let (mut code, mut test_files) = (Vec::new(), Vec::new());
    let mut lines = text.lines();
    let mut is_for_tests = false;
    while let Some(line) = lines.next() {
        let words = line.trim();
        if words.starts_with("#[cfg(") && words.contains("test") {
            is_for_tests = true;
        } else if words.starts_with("#[") || words.starts_with("//") {
            continue;
        } else if let Some((_, name)) = words.split_once("mod ").filter(|_| is_for_tests) {
            match name.strip_suffix(';') {
                Some(file) => test_files.push(file),
                None => while lines.next().is_some_and(|line| line != "}") {},
            }
            is_for_tests = false;
        } else {
            is_for_tests = false;
            code.push(line);
        }
    }
    (code, test_files)
}

/// Files that are compiled for tests alone.
fn test_files(all: &[PathBuf]) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for file in all {
        let text = std::fs::read_to_string(file).expect("UTF-8");
        let folder = match file.file_stem().and_then(|stem| stem.to_str()) {
            Some("mod" | "lib" | "main") => file.with_file_name(""),
            _ => file.with_extension(""),
        };
        found.extend(code(&text).1.into_iter().map(|name| folder.join(name).with_extension("rs")));
    }
    found
}

/// The paths of this crate that a line of code names after `crate::`, those in braces one by one.
fn named(line: &str) -> Vec<String> {
    let mut paths = Vec::new();
    for rest in line.split("crate::").skip(1) {
        match rest.strip_prefix('{') {
            Some(group) => paths.extend(group.split([',', '}']).map(|path| path.trim().to_owned())),
            None => paths.push(rest.to_owned()),
        }
    }
    paths
}

/// The beginning of a path, and whether that is a macro.
fn first(path: &str) -> (&str, bool) {
    let end = path.find(|c: char| !(c.is_alphanumeric() || c == '_')).unwrap_or(path.len());
    (&path[..end], path[end..].starts_with('!'))
}

#[test]
fn the_table_has_every_module() {
    let library = std::fs::read_to_string(source().join("lib.rs")).expect("it is there");
    let declared = library.lines().filter_map(|line| line.trim_start_matches("pub ").strip_prefix("mod "));
    let declared: BTreeSet<String> = declared.map(|name| name.trim_end_matches(';').to_owned()).collect();
    assert_eq!(order().into_iter().collect::<BTreeSet<_>>(), declared);
}

#[test]
fn no_module_uses_one_below_it() {
    let order = order();
    let place = |module: &str| order.iter().position(|other| other == module);
    let all = files(&source());
    let exempt = test_files(&all);
    let mut wrong = Vec::new();
    let mut arrows = BTreeSet::new();
    for file in all.iter().filter(|file| !exempt.contains(*file)) {
        let path = file.strip_prefix(source()).expect("it is in src");
        // test modules may lie in a folder of a test module
        if path.ancestors().any(|folder| exempt.contains(&source().join(folder).with_extension("rs"))) {
            continue;
        }
        let module = path.iter().next().and_then(|name| name.to_str()).expect("UTF-8").trim_end_matches(".rs");
        // the library's root and the programs are not in the table
        let Some(own) = place(module) else { continue };
        let text = std::fs::read_to_string(file).expect("UTF-8");
        for used in code(&text).0.iter().flat_map(|line| named(line)) {
            let (name, is_macro) = first(&used);
            let Some(other) = place(name) else {
                assert!(is_macro || name.is_empty(), "{}: crate::{used}: no module of the table", path.display());
                continue;
            };
            arrows.insert((module.to_owned(), name.to_owned()));
            let is_driven = used.starts_with("simulation::Driven");
            if other > own || (module == "scheduler" && name == "simulation" && !is_driven) {
                wrong.push(format!("{}: crate::{}", path.display(), used.trim_end_matches(';')));
            }
        }
    }
    assert!(wrong.is_empty(), "against the order of CONTRIBUTING.md:\n{}", wrong.join("\n"));
    // the test has read something
    assert!(arrows.contains(&("study".to_owned(), "metric".to_owned())), "{arrows:?}");
}

#[test]
fn comments_and_tests_are_left_out() {
    let text = "use crate::a;\n// use crate::b;\n#[cfg(test)]\nmod tests {\n    use crate::c;\n}\n#[cfg(all(test, x))]\nmod \
                more;\nuse crate::{d, e::f};\n";
    let (code, test_files) = code(text);
    assert_eq!(
        code.iter().flat_map(|line| named(line)).filter(|path| !first(path).0.is_empty()).collect::<Vec<_>>(),
        ["a;", "d", "e::f"]
    );
    assert_eq!(test_files, ["more"]);
}
