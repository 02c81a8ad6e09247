//! Messages for the user about a worker, or the page, that has failed.

/// Parts of the messages with which a browser or Rust reports that memory has run out. An abort without any message
/// (`unreachable`) counts too: other faults are reported before they end a worker.
const OUT_OF_MEMORY: [&str; 7] =
    ["memory", "alloc", "capacity overflow", "unreachable", "array buffer", "arraybuffer", "invalid array length"];

/// The message for the user. The technical message goes to the console.
pub fn in_words(technical: &str) -> &'static str {
    let said = technical.to_lowercase();
    if OUT_OF_MEMORY.iter().any(|words| said.contains(words)) {
        "it ran out of memory"
    } else if said.contains("call stack") || said.contains("too much recursion") {
        "its stack ran out"
    } else if said == NOT_STARTED {
        "the browser did not start it"
    } else {
        "it met a fault in Packfair, which the browser's console describes"
    }
}

/// The technical message for a worker that did not start.
pub const NOT_STARTED: &str = "it did not start";

/// The message for a worker's answer that does not fit the question.
pub const MISUNDERSTOOD: &str = "The question was misunderstood. Ask again.";

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn nobody_is_shown_a_path_or_a_panic() {
        let panic = "panicked at /rustc/0123/library/alloc/src/raw_vec/mod.rs:28:5:\ncapacity overflow";
        for technical in [panic, "RuntimeError: unreachable", "Out of memory", "Array buffer allocation failed"] {
            assert_eq!(in_words(technical), "it ran out of memory", "{technical}");
        }
        assert_eq!(in_words(NOT_STARTED), "the browser did not start it");
        for technical in
            ["panicked at crates/packfair-engine/src/simulation/world.rs:9:1: overflow", "index out of bounds", ""]
        {
            assert!(in_words(technical).contains("console"), "{technical}");
        }
    }
}
