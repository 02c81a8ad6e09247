//! Expectations in files of `tests/expected`, a file for each subject. A line names a case, gives the digest of all that
//! came out and, after a bar, some of it in readable form, so that a difference says what has changed.
//!
//! Where a difference is meant, `scripts/test renew` writes the files anew, and `git diff` shows it.

/// The most characters of a text that stand in a line.
const SHORT: usize = 200;

/// The beginning of a text, in one line.
pub fn short(text: &str) -> String {
    let line: String = text.chars().take(SHORT).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if text.chars().nth(SHORT).is_some() { format!("{line}... {} characters", text.chars().count()) } else { line }
}

/// Writes a file anew if that is asked for (`scripts/test renew`). Returns whether it was.
#[cfg(not(target_arch = "wasm32"))]
pub fn renew(path: &str, content: &str) -> bool {
    if std::env::var_os("PACKFAIR_RENEW").is_none() {
        return false;
    }
    std::fs::write(std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join(path), content).expect("the file is written");
    true
}

#[cfg(target_arch = "wasm32")]
pub fn renew(_: &str, _: &str) -> bool {
    false
}

/// Fails if what came out is not what a file of `tests/expected` has, and says in which lines.
pub fn check(file: &str, here: &str, expected: &str) {
    if renew(&format!("tests/expected/{file}"), here) {
        return;
    }
    let (mut lines, mut expected) = (here.lines(), expected.lines());
    let mut different = Vec::new();
    loop {
        match (lines.next(), expected.next()) {
            (None, None) => break,
            (here, there) if here != there => {
                different.push(format!("- {}\n+ {}", there.unwrap_or("nothing"), here.unwrap_or("nothing")));
            }
            _ => {}
        }
    }
    let first: Vec<_> = different.iter().take(20).map(String::as_str).collect();
    assert!(
        different.is_empty(),
        "{} lines differ from tests/expected/{file}; where that is meant, run: scripts/test renew\n{}",
        different.len(),
        first.join("\n")
    );
}
