//! Modules use only those above them in the table of CONTRIBUTING.md. Test code may use all modules.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The modules in the order of the table.
fn order() -> Vec<String> {
    let text = include_str!("../../CONTRIBUTING.md");
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

/// A file, as the path of its module.
type ModulePath = Vec<String>;

/// What a file uses, and what the names stand for that it has from other files.
#[derive(Default)]
struct Uses {
    paths: BTreeSet<ModulePath>,
    names: BTreeMap<String, ModulePath>,
}

/// The paths of a `use` tree (`a::{b, c as d}`), each with the name that it gets.
fn leaves(tree: &str, before: &[String]) -> Vec<(ModulePath, String)> {
    let (path, group) = tree.split_once('{').map_or((tree, None), |(path, group)| (path, Some(group)));
    let (path, alias) = path.split_once(" as ").map_or((path, None), |(path, alias)| (path, Some(alias.trim())));
    let names = path.split("::").map(str::trim).filter(|name| !name.is_empty());
    let names = names.filter(|name| *name != "self" || before.is_empty());
    let whole: ModulePath = before.iter().cloned().chain(names.map(str::to_owned)).collect();
    let Some(group) = group.and_then(|group| group.rsplit_once('}')).map(|(group, _)| group) else {
        let name = alias.map(str::to_owned).or(whole.last().cloned()).unwrap_or_default();
        return vec![(whole, name)];
    };
    let mut depth = 0;
    let at_commas = |c: char| {
        depth += i32::from(c == '{') - i32::from(c == '}');
        c == ',' && depth == 0
    };
    let parts = group.split(at_commas).filter(|part| !part.trim().is_empty());
    parts.flat_map(|part| leaves(part, &whole)).collect()
}

/// A path from the crate on, as the file `module` writes it; none where it is not one of this crate.
fn absolute(module: &[String], path: &[String], all: &BTreeMap<ModulePath, String>) -> Option<ModulePath> {
    let ups = path.iter().take_while(|name| *name == "super").count();
    match path.first()?.as_str() {
        "crate" => Some(path[1..].to_vec()),
        "self" => Some([module, &path[1..]].concat()),
        "super" => Some([&module[..module.len().checked_sub(ups)?], &path[ups..]].concat()),
        _ => all.contains_key(&[module, &path[..1]].concat()).then(|| [module, path].concat()),
    }
}

/// What the file `module` with this code uses.
fn uses(module: &[String], text: &str, all: &BTreeMap<ModulePath, String>) -> Uses {
    let mut found = Uses::default();
    let mut lines = text.lines();
    while let Some(line) = lines.next() {
        let line = line.split("//").next().unwrap_or_default();
        let words = line.trim_start();
        let is_use = words.starts_with("use ") || (words.starts_with("pub") && words.contains(" use "));
        if is_use {
            let mut tree = words.split_once("use ").map_or("", |(_, tree)| tree).to_owned();
            while !tree.contains(';') {
                let Some(next) = lines.next() else { break };
                tree.push_str(next);
            }
            for (path, name) in leaves(tree.trim_end_matches(';'), &[]) {
                if let Some(path) = absolute(module, &path, all) {
                    // to hand a name on is no use of it
                    if words.starts_with("use ") {
                        found.paths.insert(path.clone());
                    }
                    found.names.insert(name, path);
                }
            }
            continue;
        }
        for path in line.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            let path: ModulePath = path.trim_end_matches(':').split("::").map(str::to_owned).collect();
            found.paths.extend(Some(path).filter(|path| path.len() > 1).and_then(|path| absolute(module, &path, all)));
        }
    }
    found
}

/// The file in which the item of a path is, behind the names by which other files hand it on.
fn home(path: &[String], uses: &BTreeMap<ModulePath, Uses>, steps: usize) -> Option<ModulePath> {
    let length = (0..=path.len()).rev().find(|&length| uses.contains_key(&path[..length]))?;
    let (module, rest) = path.split_at(length);
    let handed = rest.first().and_then(|name| uses[module].names.get(name)).filter(|_| steps < 10);
    match handed.map(|path| [path, &rest[1..]].concat()).filter(|other| other != path) {
        Some(other) => home(&other, uses, steps + 1),
        None => Some(module.to_vec()),
    }
}

/// The files that a file uses, directly or over others.
fn reached<'a>(
    from: &'a ModulePath,
    arrows: &'a BTreeMap<&ModulePath, BTreeSet<ModulePath>>,
) -> BTreeSet<&'a ModulePath> {
    let (mut reached, mut next) = (BTreeSet::new(), vec![from]);
    while let Some(module) = next.pop() {
        next.extend(arrows[module].iter().filter(|other| reached.insert(*other)));
    }
    reached
}

/// The circles of files that use each other, directly or over others. That a part uses what it is
/// a part of counts as no use.
fn circles() -> BTreeSet<BTreeSet<String>> {
    let every = files(&source());
    let exempt = test_files(&every);
    let mut texts = BTreeMap::new();
    for file in &every {
        let path = file.strip_prefix(source()).expect("it is in src");
        let is_test = |folder: &Path| exempt.contains(&source().join(folder).with_extension("rs"));
        if exempt.contains(file)
            || path.ancestors().any(is_test)
            || path.starts_with("bin")
            || path == Path::new("main.rs")
        {
            continue;
        }
        let names = path.with_extension("");
        let module = names.iter().map(|name| name.to_str().expect("UTF-8").to_owned());
        let text = std::fs::read_to_string(file).expect("UTF-8");
        texts.insert(
            module.filter(|name| name != "mod" && name != "lib").collect::<ModulePath>(),
            code(&text).0.join("\n"),
        );
    }
    let uses: BTreeMap<ModulePath, Uses> =
        texts.iter().map(|(module, text)| (module.clone(), uses(module, text, &texts))).collect();
    let used = |module: &ModulePath| -> BTreeSet<ModulePath> {
        let homes = uses[module].paths.iter().filter_map(|path| home(path, &uses, 0));
        homes.filter(|other| !module.starts_with(other)).collect()
    };
    let arrows: BTreeMap<&ModulePath, BTreeSet<ModulePath>> =
        uses.keys().map(|module| (module, used(module))).collect();
    let reached: BTreeMap<&ModulePath, BTreeSet<&ModulePath>> =
        uses.keys().map(|module| (module, reached(module, &arrows))).collect();
    let circle = |(module, others): (&&ModulePath, &BTreeSet<&ModulePath>)| {
        let circle = others.iter().filter(|other| reached[**other].contains(*module));
        circle.map(|other| other.join("::")).collect::<BTreeSet<String>>()
    };
    reached.iter().map(circle).filter(|circle| circle.len() > 1).collect()
}

#[test]
fn files_use_each_other_in_no_circle() {
    let found = circles();
    assert!(found.is_empty(), "files that use each other: let one of them not know the other: {found:#?}");
}
