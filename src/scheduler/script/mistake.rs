//! Describes the mistakes of scripts in words.

use super::words::{ACTIONS, JOB, JOBS, PROFILE, VIEW};
use crate::model::SchedulerFailure;
use crate::workload::Seconds;
use rhai::{EvalAltResult, ParseError, Position};

fn line(position: Position) -> Option<u32> {
    position.line().and_then(|line| u32::try_from(line).ok())
}

/// The failure that there is no script.
pub(super) fn no_script() -> SchedulerFailure {
    SchedulerFailure {
        name: "Script".to_owned(),
        line: None,
        at: None,
        what: "there is no script; write one".to_owned(),
    }
}

/// The failure of a script that cannot be read.
pub(super) fn unreadable(name: &str, error: &ParseError) -> SchedulerFailure {
    let what = lowered(&error.err_type().to_string());
    SchedulerFailure { name: name.to_owned(), line: line(error.position()), at: None, what }
}

/// The failure of a script that went wrong as it ran.
pub(super) fn failure(name: &str, error: &EvalAltResult, at: Option<Seconds>) -> SchedulerFailure {
    let (inner, position) = innermost(error);
    SchedulerFailure { name: name.to_owned(), line: line(position), at, what: said(inner) }
}

/// The error within all nested calls, and where it occurred.
fn innermost(error: &EvalAltResult) -> (&EvalAltResult, Position) {
    let mut inner = error;
    let mut position = error.position();
    while let EvalAltResult::ErrorInFunctionCall(_, _, next, _) = inner {
        inner = next;
        if !inner.position().is_none() {
            position = inner.position();
        }
    }
    (inner, position)
}

fn said(error: &EvalAltResult) -> String {
    match error {
        EvalAltResult::ErrorTerminated(token, _) => token.to_string(),
        EvalAltResult::ErrorRuntime(what, _) => what.to_string(),
        EvalAltResult::ErrorVariableNotFound(name, _) => format!(
            "there is no `{name}` here; a function sees its parameters, its own variables, constants, and what it keeps in `this`"
        ),
        EvalAltResult::ErrorDotExpr(message, _) => unknown_property(message),
        EvalAltResult::ErrorFunctionNotFound(signature, _) => unknown_function(signature),
        EvalAltResult::ErrorStackOverflow(_) => "functions call each other too deep".to_owned(),
        EvalAltResult::ErrorDataTooLarge(what, _) => {
            format!("{what}: a script may keep arrays and maps of 1,000 values and texts of 10,000 letters")
        }
        EvalAltResult::ErrorFor(_) => {
            "`for` goes through jobs, arrays and ranges such as 0..5, and this is none".to_owned()
        }
        EvalAltResult::ErrorIndexingType(..) => "only jobs, arrays and maps have `[ ]`".to_owned(),
        other => {
            // without the position, which is told separately
            let text = other.to_string();
            lowered(text.split(" (line ").next().unwrap_or(&text))
        }
    }
}

/// Explains a property that does not exist. Rhai says: Unknown property 'x' - a getter is not registered for type
/// 'Job'.
fn unknown_property(message: &str) -> String {
    let quoted: Vec<&str> = message.split('\'').collect();
    let &[_, property, _, of, _] = quoted.as_slice() else { return lowered(message) };
    let Some((_, words)) = [JOB, JOBS, VIEW, PROFILE, ACTIONS].into_iter().find(|(name, _)| *name == of) else {
        return format!("there is no `{property}` of {of}");
    };
    format!("there is no `{property}` of {of}; there is {}", words.join(", "))
}

fn unknown_function(signature: &str) -> String {
    let own = [JOB, JOBS, VIEW, PROFILE, ACTIONS].into_iter().find(|(name, _)| signature.contains(&format!("({name}")));
    match own {
        Some((name, words)) => format!("there is no {signature}; {name} has {}", words.join(", ")),
        None => format!("there is no {signature}"),
    }
}

/// The text as the rest of a sentence: without a capital letter and a full stop.
fn lowered(text: &str) -> String {
    let text = text.trim_end_matches('.');
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_lowercase().chain(letters).collect())
}
