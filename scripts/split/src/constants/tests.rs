use crate::tests::{add, instance, run};
use crate::{Split, split};
use std::ops::Range;

/// A table of addresses, texts, and two variables. `run` reads what the table's first entry points to, the fourth text and
/// the first variable, and calls what reads the third text by the address in the second variable.
const PROGRAM: &str = r#"(module
    (type $unary (func (param i32) (result i32)))
    (table 1 funcref)
    (memory 1)
    (data (i32.const 1024) "\20\04\00\00\00\00\00\00")
    (data (i32.const 1056) "used by the table, thirty bytes")
    (data (i32.const 1088) "used by what comes later, 40 bytes long.")
    (data (i32.const 1128) "a text of some length\00used by nobody at all, but there it is..\00")
    (data (i32.const 2048) "\2a")
    (data (i32.const 2080) "\40\04\00\00")
    (export "load_late_part" (func $load))
    (export "run" (func $run))
    (export "memory" (memory 0))
    (func $load)
    (func $run (type $unary)
        i32.const 1024 i32.load i32.load8_u i32.const 2048 i32.load i32.add i32.const 1128 i32.load8_u i32.add
        local.get 0 call $"app::late::read" i32.add)
    (func $"app::late::read" (type $unary) i32.const 0 i32.load offset=2080 local.get 0 i32.add i32.load8_u)
)"#;

/// Its segments, and its symbols: segment, offset, size.
const SEGMENTS: [&str; 6] = [".rodata", ".rodata", ".rodata", ".rodata.str", ".data", ".data"];
const SYMBOLS: [(u32, u32, u32); 7] =
    [(0, 0, 8), (1, 0, 31), (2, 0, 40), (3, 0, 22), (3, 22, 41), (4, 0, 1), (5, 0, 4)];
/// Symbols that the code names, with a distance.
const IN_CODE: [(u32, i32); 4] = [(0, 0), (5, 0), (3, 0), (6, 0)];
/// Those that data name, with the addresses of the names.
const IN_DATA: [(u32, u32); 2] = [(1024, 1), (2080, 2)];

fn leb(number: u32) -> Vec<u8> {
    if number < 128 { vec![number as u8] } else { [vec![number as u8 | 128], leb(number >> 7)].concat() }
}

fn signed(number: i32) -> Vec<u8> {
    match (-64..64).contains(&number) {
        true => vec![number as u8 & 127],
        false => [vec![number as u8 | 128], signed(number >> 7)].concat(),
    }
}

/// A row of things behind their number.
fn row(things: &[Vec<u8>]) -> Vec<u8> {
    [leb(things.len() as u32), things.concat()].concat()
}

fn text(text: &str) -> Vec<u8> {
    [leb(text.len() as u32), text.into()].concat()
}

/// A section with its kind in front of its length, or a part of one.
fn part(kind: u8, content: Vec<u8>) -> Vec<u8> {
    [vec![kind], leb(content.len() as u32), content].concat()
}

fn custom(name: &str, content: Vec<u8>) -> Vec<u8> {
    part(0, [text(name), content].concat())
}

/// What the linker writes: the module, its symbols, and who names them. A relocation has a kind, a place, a symbol, and a
/// distance.
fn linked(whole: &[u8], symbols: &[(u32, u32, u32)], in_code: &[(u32, i32)], in_data: &[(u32, u32)]) -> Vec<u8> {
    let read = crate::Module::read(whole).unwrap();
    let segments = SEGMENTS.map(|name| [text(name), vec![0, 0]].concat());
    let symbols: Vec<Vec<u8>> =
        symbols.iter().map(|s| [vec![1, 0], text("a"), leb(s.0), leb(s.1), leb(s.2)].concat()).collect();
    let offset = |at: u32| {
        let segment = read.data.iter().find(|segment| segment.at <= at && at < segment.end()).unwrap();
        leb(segment.offset + at - segment.at)
    };
    let code: Vec<Vec<u8>> =
        in_code.iter().map(|&(symbol, distance)| [vec![4, 0], leb(symbol), signed(distance)].concat()).collect();
    let data: Vec<Vec<u8>> =
        in_data.iter().map(|&(at, symbol)| [vec![5], offset(at), leb(symbol), vec![0]].concat()).collect();
    [
        whole.to_vec(),
        custom("linking", [vec![2], part(5, row(&segments)), part(8, row(&symbols))].concat()),
        custom("reloc.CODE", [vec![8], row(&code)].concat()),
        custom("reloc.DATA", [vec![9], row(&data)].concat()),
    ]
    .concat()
}

fn has(module: &[u8], text: &str) -> bool {
    module.windows(text.len()).any(|part| part == text.as_bytes())
}

#[test]
fn constants_that_only_late_functions_use_come_later() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let Split { first, late } = split(&whole, "", &linked(&whole, &SYMBOLS, &IN_CODE, &IN_DATA), 0).unwrap();
    assert!(has(&first, "used by the table") && has(&first, "a text of some") && has(&first, "*"));
    for text in ["used by what comes later", "used by nobody"] {
        assert!(has(&late, text) && !has(&first, text), "{text}");
    }
    let (mut store, parted) = instance(&first);
    add(&mut store, &parted, &late);
    let (mut whole_store, whole) = instance(&whole);
    for x in [0, 7, 30] {
        assert_eq!(run(&mut store, &parted, x).unwrap(), run(&mut whole_store, &whole, x).unwrap(), "of {x}");
    }
}

#[test]
fn an_address_before_a_constant_keeps_the_constant() {
    // as of an array whose first entry is never read
    let program = PROGRAM.replace("i32.const 1024 i32.load i32.load8_u", "i32.const 8 i32.load8_u offset=1080");
    let whole = wat::parse_str(program).unwrap();
    let in_code = [(2, -8), (5, 0), (3, 0), (6, 0)];
    let Split { first, late } = split(&whole, "", &linked(&whole, &SYMBOLS, &in_code, &IN_DATA), 0).unwrap();
    assert!(has(&first, "used by what comes later") && !has(&first, "used by the table"));
    assert!(has(&late, "used by the table"));
}

#[test]
fn the_end_of_a_text_may_be_a_text_of_its_own() {
    let program = PROGRAM.replace("i32.const 1024 i32.load i32.load8_u", "i32.const 1114 i32.load8_u");
    let whole = wat::parse_str(program).unwrap();
    let symbols = [&SYMBOLS[..], &[(2, 26, 14)]].concat();
    let in_code = [(7, 0), (5, 0), (3, 0), (6, 0)];
    let Split { first, late } = split(&whole, "", &linked(&whole, &symbols, &in_code, &IN_DATA), 0).unwrap();
    assert!(has(&first, "40 bytes long.") && !has(&first, "used by what"));
    assert!(has(&late, "used by what comes later, ") && !has(&late, "40 bytes"));
}

#[test]
fn rows_without_bytes() {
    let cut = |rows: &[Range<u32>], bytes: Range<u32>| {
        let mut rows = rows.to_vec();
        super::without(&mut rows, &bytes);
        rows
    };
    let rows = [10..20, 30..40];
    for (bytes, left) in [
        (0..10, vec![10..20, 30..40]),
        (20..30, vec![10..20, 30..40]),
        (12..15, vec![10..12, 15..20, 30..40]),
        (10..15, vec![15..20, 30..40]),
        (15..35, vec![10..15, 35..40]),
        (0..99, vec![]),
        (40..41, vec![10..20, 30..40]),
    ] {
        assert_eq!(cut(&rows, bytes.clone()), left, "without {bytes:?}");
    }
}

#[test]
fn what_the_linker_wrote_of_another_module_is_refused() {
    let whole = wat::parse_str(PROGRAM).unwrap();
    let other = wat::parse_str(PROGRAM.replace("thirty", "forty_")).unwrap();
    let said = split(&whole, "", &linked(&other, &SYMBOLS, &IN_CODE, &IN_DATA), 0).unwrap_err().to_string();
    assert!(said.contains("not those of what the linker has written"), "{said}");
}
