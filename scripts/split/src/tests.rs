use crate::{LOAD, Split, noting, split};
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
    (func $load call $"app::late::ask" global.get $calls i32.const 1 i32.add global.set $calls)
    (func $"app::late::ask")
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

/// The places of the functions that stay.
const PLACES: &str = "# what is needed\n\napp::first::by_table\nshared\nhelper\n";

/// A first module with its functions "host" given, in a store of its own.
pub fn instance(bytes: &[u8]) -> (Store<()>, Instance) {
    let engine = Engine::default();
    let mut store = Store::new(&engine, ());
    let mut linker = Linker::new(&engine);
    linker.func_wrap("host", "double", |x: i32| x.wrapping_mul(2)).unwrap();
    let instance = linker.instantiate_and_start(&mut store, &Module::new(&engine, bytes).unwrap()).unwrap();
    (store, instance)
}

/// Instantiates the late module out of what the first exports.
pub fn add(store: &mut Store<()>, first: &Instance, late: &[u8]) {
    let module = Module::new(store.engine(), late).unwrap();
    let mut linker = Linker::new(store.engine());
    let exports: Vec<(String, Extern)> =
        first.exports(&*store).map(|export| (export.name().to_owned(), export.into_extern())).collect();
    for (name, export) in exports {
        linker.define("first", &name, export).unwrap();
    }
    linker.instantiate_and_start(&mut *store, &module).unwrap();
}

/// Splits a module of which the linker tells nothing.
fn split_whole(whole: &[u8], places: &str, smallest: usize) -> Result<Split, Box<dyn std::error::Error>> {
    split(whole, places, whole, smallest)
}

/// The number of functions that are not imported.
fn defined(bytes: &[u8]) -> usize {
    let sections = wasmparser::Parser::new(0).parse_all(bytes);
    sections.filter(|payload| matches!(payload, Ok(wasmparser::Payload::CodeSectionEntry(_)))).count()
}

pub fn run(store: &mut Store<()>, instance: &Instance, x: i32) -> Result<i32, wasmi::Error> {
    instance.get_typed_func::<i32, i32>(&*store, "run").unwrap().call(store, x)
}

fn calls_to_load(store: &Store<()>, instance: &Instance) -> i32 {
    instance.get_global(store, "calls").unwrap().get(store).i32().unwrap()
}

#[test]
fn both_modules_together_are_the_whole() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let Split { first, late, .. } = split_whole(&whole, PLACES, 0).unwrap();
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
    let Split { first, .. } = split_whole(&wat::parse_str(PROGRAM).unwrap(), PLACES, 0).unwrap();
    let (mut store, parted) = instance(&first);
    assert!(run(&mut store, &parted, 1).is_err(), "nothing has loaded it");
    assert_eq!(calls_to_load(&store, &parted), 1);
}

#[test]
fn what_only_late_functions_call_comes_later() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let Split { first, late, .. } = split_whole(&whole, PLACES, 0).unwrap();
    assert_eq!(defined(&late), 3, "two by their names, and their helper");
    assert_eq!(defined(&first), 5 + 2, "five stay, what loads and its helper among them, and two stubs");
}

#[test]
fn small_functions_stay() {
    let Split { first, late, .. } = split_whole(&wat::parse_str(PROGRAM).unwrap(), PLACES, 12).unwrap();
    assert_eq!(defined(&late), 1, "the one in the table is larger");
    assert_eq!(defined(&first), 7 + 1);
}

#[test]
fn exported_functions_stay() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let (mut store, parted) = instance(&split_whole(&whole, "", 0).unwrap().first);
    assert!(run(&mut store, &parted, 1).is_err(), "all others come later");
    assert_eq!(calls_to_load(&store, &parted), 1);
}

#[test]
fn functions_note_that_they_were_called() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let noting = noting::noting(&whole, &crate::Module::read(&whole).unwrap()).unwrap();
    let (mut whole_store, whole) = instance(&whole);
    let (mut store, noting) = instance(&noting);
    let called = |store: &Store<()>| {
        let noted = |n: &u32| noting.get_global(store, &format!(".s{n}")).unwrap().get(store).i32() == Some(1);
        (0..8).filter(noted).collect::<Vec<u32>>()
    };
    assert!(called(&store).is_empty());
    assert_eq!(run(&mut store, &noting, 7).unwrap(), run(&mut whole_store, &whole, 7).unwrap());
    assert_eq!(called(&store), [2, 3, 4, 5, 6, 7], "all but what loads");
}

#[test]
fn what_cannot_be_split_is_said() {
    let said = |program: &str| split_whole(&wat::parse_str(program).unwrap(), "", 0).unwrap_err().to_string();
    assert_eq!(said("(module (func $late))"), format!("it exports no function {LOAD}"));
    assert!(said("(module)").contains("no names"));
    assert!(said(r#"(module (import "a" "b" (memory 1)) (func $f))"#).contains("not a function"));
    assert!(split_whole(b"no module", "", 0).is_err());
}
