//! Every promise of the documents has a test.

use std::process::{Command, Output};

fn bash(script: &str) -> Output {
    Command::new("bash").args(["-c", script]).current_dir(env!("CARGO_MANIFEST_DIR")).output().expect("bash")
}

#[test]
fn every_promise_has_its_test() {
    let checked = bash("scripts/promises");
    assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stdout));
}

#[test]
fn a_promise_without_a_test_is_found() {
    // the same script on a copy to which a promise was added, and from which one was removed
    let script = "set -e; copy=$(mktemp -d); trap 'rm -rf \"$copy\"' EXIT; mkdir \"$copy/docs\"
        cp -r README.md SECURITY.md scripts src tests \"$copy\"; cp docs/cluster.md docs/engine.md \"$copy/docs\"
        cd \"$copy\"; printf '\\nIt never fails.\\n' >>README.md; sed -i 's/whole or not there/often whole/' docs/cluster.md
        scripts/promises";
    let checked = bash(script);
    let said = String::from_utf8_lossy(&checked.stdout);
    assert_eq!(checked.status.code(), Some(1), "{said}{}", String::from_utf8_lossy(&checked.stderr));
    assert!(said.contains("no test is named in tests/promises.txt for: README.md: It never fails."), "{said}");
    assert!(
        said.contains("no document says any more: docs/cluster.md: The file of a part is whole or not there"),
        "{said}"
    );
}

#[test]
fn the_native_part_installs_nothing_but_rust() {
    let needs = bash("eval \"$(sed -n '/^needs() {/,/^}/p' scripts/test)\"; needs native");
    assert_eq!(String::from_utf8_lossy(&needs.stdout).trim(), "rust");
}
