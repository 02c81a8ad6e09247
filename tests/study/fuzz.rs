//! Calls the fuzzer's targets (`fuzz/`) with bytes that are always the same: its seeds, and these changed at random.

#[path = "../../fuzz/targets.rs"]
mod targets;

use crate::random;
use proptest::prelude::*;
use proptest::sample::Index;
use proptest::test_runner::TestRunner;
use std::path::Path;

/// The seeds of a target: files with which the fuzzer begins, and files that once broke it.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuzz/seeds").join(target);
    let files = std::fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<_> = files.map(|file| file.expect("a file").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("it can be read")).collect()
}

/// A change of some bytes: the place, how many are removed, and what replaces them.
type Change = (Index, usize, Vec<u8>);

fn changes() -> impl Strategy<Value = Vec<Change>> {
    let comes = prop_oneof![
        prop::collection::vec(any::<u8>(), 0..6),
        prop::sample::select(vec!["0", "-1", "9223372036854775807", "NaN", "\u{1f9ea}", "|", "\t", "\"", "=", "\n"])
            .prop_map(|text| text.as_bytes().to_vec()),
    ];
    prop::collection::vec((any::<Index>(), 0..12_usize, comes), 0..8)
}

fn changed(mut bytes: Vec<u8>, changes: &[Change]) -> Vec<u8> {
    for (place, goes, comes) in changes {
        let from = place.index(bytes.len() + 1);
        let until = (from + goes).min(bytes.len());
        bytes.splice(from..until, comes.iter().copied());
    }
    bytes
}

#[test]
fn no_bytes_break_a_target() {
    for (name, target) in targets::TARGETS {
        let seeds = seeds(name);
        seeds.iter().for_each(|seed| target(seed));
        let any = prop_oneof![
            8 => (any::<Index>(), changes()).prop_map(move |(seed, changes)| changed(seed.get(&seeds).clone(), &changes)),
            1 => prop::collection::vec(any::<u8>(), 0..300),
        ];
        let found = TestRunner::new(random::cases(800)).run(&any, |bytes| {
            target(&bytes);
            Ok(())
        });
        found.unwrap_or_else(|error| panic!("{name}: {error}"));
    }
}
