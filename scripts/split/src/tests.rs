use crate::{LOAD, Split, split};
use wasmi::{Engine, Extern, Instance, Linker, Module, Store};

/// Calls by name and by table, to and from what comes later; a function that only late ones need.
const PROGRAM: &str = r#"(module
    (type $unary (func (param i32) (result i32)))
    (import "host" "double" (func $double (type $unary)))
    (table 4 4 funcref)
    (memory 1)
    (global $calls (mut i32) (i32.const 0))
    (elem (i32.const 1) $"app::late::by_table" $"app::first::by_table" $"app::late::by_table")
    (export "load_late_part" (func $load))
    (export "run" (func $run))
    (export "calls" (global $calls))
    (func $load global.get $calls i32.const 1 i32.add global.set $calls)
    (func $run (type $unary)
        local.get 0 call $"app[0123456789abcdef]::late::by_name"
        i32.const 1 call_indirect (type $unary)
        i32.const 2 call_indirect (type $unary)
        i32.const 3 call_indirect (type $unary))
    (func $"app[0123456789abcdef]::late::by_name" (type $unary) local.get 0 call $helper call $shared call $double)
    (func $"app::late::by_table" (type $unary)
        i32.const 16 local.get 0 i32.store
        i32.const 16 i32.load i32.const 2 call_indirect (type $unary) i32.const 3 i32.mul)
    (func $"app::first::by_table" (type $unary) local.get 0 call $shared i32.const 5 i32.add)
    (func $shared (type $unary) local.get 0 i32.const 7 i32.xor)
    (func $helper (type $unary) local.get 0 i32.const 1 i32.shl)
)"#;

/// A first module with its functions "host" given, in a store of its own.
fn instance(bytes: &[u8]) -> (Store<()>, Instance) {
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    linker.func_wrap("host", "double", |x: i32| x.wrapping_mul(2)).unwrap();
    let instance = linker.instantiate_and_start(&mut store, &Module::new(&engine, bytes).unwrap()).unwrap();
    (store, instance)
}

/// Instantiates the late module out of what the first exports.
fn add(store: &mut Store<()>, first: &Instance, late: &[u8]) {
    let module = Module::new(store.engine(), late).unwrap();
    let mut linker = Linker::new(store.engine());
    let exports: Vec<(String, Extern)> =
        first.exports(&*store).map(|export| (export.name().to_owned(), export.into_extern())).collect();
    for (name, export) in exports {
        linker.define("first", &name, export).unwrap();
    }
    linker.instantiate_and_start(&mut *store, &module).unwrap();
}

/// How many functions are not imported.
fn defined(bytes: &[u8]) -> usize {
    let sections = wasmparser::Parser::new(0).parse_all(bytes);
    sections.filter(|payload| matches!(payload, Ok(wasmparser::Payload::CodeSectionEntry(_)))).count()
}

fn run(store: &mut Store<()>, instance: &Instance, x: i32) -> Result<i32, wasmi::Error> {
    instance.get_typed_func::<i32, i32>(&*store, "run").unwrap().call(store, x)
}

fn calls_to_load(store: &Store<()>, instance: &Instance) -> i32 {
    instance.get_global(store, "calls").unwrap().get(store).i32().unwrap()
}

#[test]
fn both_modules_together_are_the_whole() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let Split { first, late, .. } = split(&whole, "# what may wait\n\n  app::late\n", 0).unwrap();
    let (mut whole_store, whole) = instance(&whole);
    let (mut store, parted) = instance(&first);
    add(&mut store, &parted, &late);
    for x in [0, 1, -5, 1_000_000, i32::MIN] {
        assert_eq!(run(&mut store, &parted, x).unwrap(), run(&mut whole_store, &whole, x).unwrap(), "of {x}");
    }
    assert_eq!(calls_to_load(&store, &parted), 5, "each call by name makes sure that it is there; by table it is");
}

#[test]
fn what_comes_later_is_asked_for_when_it_is_called() {
    let Split { first, .. } = split(&wat::parse_str(PROGRAM).unwrap(), "app::late", 0).unwrap();
    let (mut store, parted) = instance(&first);
    assert!(run(&mut store, &parted, 1).is_err(), "nothing has loaded it");
    assert_eq!(calls_to_load(&store, &parted), 1);
}

#[test]
fn what_only_late_functions_call_comes_later() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let Split { first, late, .. } = split(&whole, "app::late", 0).unwrap();
    assert_eq!(defined(&late), 3, "two by their names, and their helper");
    assert_eq!(defined(&first), 4 + 2, "four stay, and two stubs");
}

#[test]
fn small_functions_stay() {
    let Split { first, late, .. } = split(&wat::parse_str(PROGRAM).unwrap(), "app::late", 12).unwrap();
    assert_eq!(defined(&late), 1, "the one in the table is larger");
    assert_eq!(defined(&first), 6 + 1);
}

#[test]
fn exported_functions_stay() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let (mut store, parted) = instance(&split(&whole, "r", 0).unwrap().first);
    assert!(run(&mut store, &parted, 1).is_err(), "shared and helper come later");
    assert_eq!(calls_to_load(&store, &parted), 1);
}

#[test]
fn what_moved_is_told_line_by_line() {
    let moved = split(&wat::parse_str(PROGRAM).unwrap(), "app::late\nby_name", 0).unwrap().moved.to_string();
    let rows: Vec<(&str, &str)> =
        moved.lines().map(|line| (line.split_whitespace().next().unwrap(), &line[21..])).collect();
    let expected =
        [("2", "app::late"), ("1", "by_name"), ("1", "called by those alone"), ("3", "functions, bytes in all")];
    assert_eq!(rows, expected, "{moved}");
}

#[test]
fn a_line_that_moves_nothing_is_an_error() {
    let said = |lines: &str| split(&wat::parse_str(PROGRAM).unwrap(), lines, 0).unwrap_err().to_string();
    let message = said("app::late\napp::lost\nrun\n# app::comment");
    assert!(message.contains("\n  app::lost\n    is in no function's name\n  run\n    names only functions that stay"));
    assert!(!message.contains("app::late") && !message.contains("comment"), "{message}");
}

#[test]
fn what_cannot_be_split_is_said() {
    let said = |program: &str| split(&wat::parse_str(program).unwrap(), "late", 0).unwrap_err().to_string();
    assert_eq!(said("(module (func $late))"), format!("it exports no function {LOAD}"));
    assert!(said("(module)").contains("no names"));
    assert!(said(r#"(module (import "a" "b" (memory 1)) (func $f))"#).contains("not a function"));
    assert!(split(b"no module", "late", 0).is_err());
}
