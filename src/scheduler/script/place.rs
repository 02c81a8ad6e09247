//! Finds the line at which a call came to a limit.
//!
//! Rhai forgets the position of such an error when it leaves the function, but keeps it for statements outside
//! functions. So the call is made once more, with a text in which the header of the function is blank. This is done
//! only for a script that has failed.

use super::ScriptFunction;
use super::engine::Compiled;
use super::shared::ScriptJob;
use rhai::{Dynamic, EvalAltResult, Scope};

/// The most operations that are done again. A loop without an end is found well before.
const AGAIN: u64 = 5_000_000;

/// `this` exists in functions only, and this word replaces it. It has the same length, so that no position moves.
const THIS: (&str, &str) = ("this", "th_s");

/// Whether the position of an error is forgotten.
pub(super) fn is_forgotten(error: &EvalAltResult) -> bool {
    error.is_system_exception() && error.position().is_none()
}

impl Compiled {
    /// The line of such an error in a call of `function`. If it occurred in another function, the line that called that
    /// one. None where the error does not occur again. The state and the arguments of the call must already be there.
    #[cold]
    pub(super) fn line_of_limit(
        &self,
        function: ScriptFunction,
        state: &Dynamic,
        job: Option<ScriptJob>,
        error: &EvalAltResult,
    ) -> Option<u32> {
        let ast = self.engine.compile(outside(&self.text, function.name())?).ok()?;
        let mut scope = Scope::new();
        for (name, value) in self.parameters(function).into_iter().zip(self.arguments(job)) {
            scope.push_dynamic(name, value);
        }
        scope.push_dynamic(THIS.1, state.clone());
        self.shared.allow(self.shared.limit().min(AGAIN));
        let printed = self.shared.printed.borrow().clone();
        let again = self.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &ast);
        *self.shared.printed.borrow_mut() = printed;
        let again = again.err()?;
        let is_same = std::mem::discriminant(&*again) == std::mem::discriminant(error);
        let line = again.position().line().filter(|_| is_same)?;
        u32::try_from(line).ok()
    }
}

/// The text with the statements of a function outside of it, at the same positions; none where the function is not
/// found.
fn outside(text: &str, name: &str) -> Option<String> {
    let code = code(text);
    let begin = words(&code, "fn").into_iter().find(|&at| header(&code[at..], name).is_some())?;
    let body = begin + header(&code[begin..], name)?;
    let end = body + closing(&code[body..])?;
    let mut outside = text.as_bytes().to_vec();
    for byte in outside[begin..body].iter_mut().filter(|byte| !byte.is_ascii_whitespace()) {
        *byte = b' ';
    }
    // inside texts as well, because a text may contain computed parts
    for at in words(text, THIS.0).into_iter().filter(|at| (body..end).contains(at)) {
        outside[at..at + THIS.0.len()].copy_from_slice(THIS.1.as_bytes());
    }
    String::from_utf8(outside).ok()
}

/// The text with its comments and the texts within it made blank, byte by byte.
fn code(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut code = bytes.to_vec();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let length = match rest {
            [b'/', b'/', ..] => rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len()),
            [b'/', b'*', ..] => comment(rest),
            [quote @ (b'"' | b'`' | b'\''), ..] => quoted(rest, *quote),
            _ => 0,
        };
        code[at..at + length].iter_mut().filter(|byte| **byte != b'\n').for_each(|byte| *byte = b' ');
        at += length.max(1);
    }
    // a script with other than plain text outside of comments and texts cannot be read, and no name is found there
    String::from_utf8_lossy(&code).into_owned()
}

/// The length of a block comment, with the comments within it.
fn comment(bytes: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0_usize);
    while at < bytes.len() {
        let step = match &bytes[at..] {
            [b'/', b'*', ..] => {
                depth += 1;
                2
            }
            [b'*', b'/', ..] => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        at += step;
        if depth == 0 {
            break;
        }
    }
    at.min(bytes.len())
}

fn quoted(bytes: &[u8], quote: u8) -> usize {
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

fn words(text: &str, word: &str) -> Vec<usize> {
    let bytes = text.as_bytes();
    let is_part = |at: Option<usize>| {
        at.and_then(|at| bytes.get(at)).is_some_and(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
    };
    let is_alone = |&at: &usize| !is_part(at.checked_sub(1)) && !is_part(Some(at + word.len()));
    text.match_indices(word).map(|(at, _)| at).filter(is_alone).collect()
}

/// The length of `fn name(...)`, up to the opening brace.
fn header(code: &str, name: &str) -> Option<usize> {
    let rest = code.strip_prefix("fn")?.trim_start().strip_prefix(name)?.trim_start().strip_prefix('(')?;
    let rest = rest[rest.find(')')? + 1..].trim_start();
    rest.starts_with('{').then(|| code.len() - rest.len())
}

/// The position of the brace that closes the one with which `code` begins.
fn closing(code: &str) -> Option<usize> {
    let mut depth = 0_usize;
    code.bytes().position(|byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_statements_of_a_function_stand_where_they_were() {
        let text = "// fn round(view, actions) { no }\nconst A = 1; /* { /* */ */\nfn f(x) { this.x }\n\
                    fn round (view,\n  actions) {\n  let s = \"} \\\" }\"; this.x = `${this.y} ä`; this_x = 'x';\n}\nfn g() { this }\n";
        // only the header is gone
        let expected =
            text.replace("fn round (view,\n  actions) {\n", &format!("{}\n{}{{\n", " ".repeat(15), " ".repeat(11)));
        let expected = expected.replace("this.x = `${this.y}", "th_s.x = `${th_s.y}");
        let outside = outside(text, "round").unwrap();
        assert_eq!(outside, expected);
        assert_eq!(outside.len(), text.len());
    }

    #[test]
    fn where_there_is_none_nothing_is_found() {
        for text in [
            "",
            "fn",
            "fn round",
            "fn round(",
            "fn round()",
            "fn round() {",
            "fn rounds(a, b) { }",
            "// fn round() { }",
            "\"",
            "/*",
            "'\\",
        ] {
            assert_eq!(outside(text, "round"), None, "{text}");
        }
    }
}
