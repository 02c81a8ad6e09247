//! What is said of a worker, or of the page, that has failed.

/// What a browser or Rust says where there is no more memory. An abort without any message is that as well: other
/// faults are told before they end a worker.
const OUT_OF_MEMORY: [&str; 7] =
    ["memory", "alloc", "capacity overflow", "unreachable", "array buffer", "arraybuffer", "invalid array length"];

/// In words for a person: the technical message is for the console.
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

/// What is technically said of a worker that did not start.
pub const NOT_STARTED: &str = "it did not start";

/// What is said where a worker answers another question than it was asked.
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
        for technical in ["panicked at src/simulation/world.rs:9:1: overflow", "index out of bounds", ""] {
            assert!(in_words(technical).contains("console"), "{technical}");
        }
    }
}
