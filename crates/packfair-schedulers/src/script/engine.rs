//! The language: Rhai without what a scheduler does not need, and with the words of a scheduler.

use super::shared::{Mentions, ScriptJob, Shared};
use super::{ScriptFunction, actions, jobs, profile};
use packfair_base::catalogue::Script;
use packfair_engine::model::SchedulerFailure;
use packfair_workload::Seconds;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage, LogicPackage,
    Package,
};
use rhai::{
    AST, CallFnOptions, Dynamic, Engine, EvalAltResult, INT, Module, ParseError, Position, Scope, ScriptFnMetadata,
    def_package,
};
use std::rc::Rc;

/// Symbols that are disabled. Text that becomes a program or the name of a function would evade what is known of a
/// script. Powers differ between machines (`pow` does not).
const NOT_THERE: [&str; 5] = ["eval", "Fn", "curry", "**", "**="];

const PARAMETERS: usize = 2;

def_package! {
    /// What scripts have of the language. The package of its core is not among it: that can sleep.
    Language(_module): ArithmeticPackage, LogicPackage, BasicStringPackage, BasicIteratorPackage, BasicArrayPackage,
        BasicMapPackage {}
}

thread_local! {
    /// Made once: it holds some thousand functions, and every run of a script, every fork and every repeat has an engine.
    static LANGUAGE: Language = Language::new();
}

pub(super) struct Compiled {
    pub(super) name: String,
    pub(super) mentions: Mentions,
    pub(super) shared: Rc<Shared>,
    pub(super) text: String,
    pub(super) engine: Engine,
    ast: AST,
    functions: Vec<ScriptFunction>,
}

#[derive(Clone)]
struct ViewHandle(Rc<Shared>);

/// Compiles a script, and runs the statements outside its functions.
pub(super) fn compile(script: &Script, allowance: Allowance) -> Result<Compiled, SchedulerFailure> {
    let shared = Rc::new(Shared::default());
    let mut engine = engine(&shared);
    let name = script.name().to_owned();
    let ast = engine.compile(script.text()).map_err(|error| unreadable(&name, &error))?;
    let has = |function: &ScriptFunction| {
        ast.iter_functions().any(|found| found.name == function.name() && found.params.len() == PARAMETERS)
    };
    let functions: Vec<ScriptFunction> = ScriptFunction::ALL.into_iter().filter(has).collect();
    if !functions.contains(&ScriptFunction::Round) {
        let what = "there is no `fn round(view, actions) { ... }`, which is what a scheduler has to say".to_owned();
        return Err(SchedulerFailure { name, line: None, at: None, what });
    }
    let constants =
        constants(&engine, &ast, &shared, allowance.of_reading()).map_err(|error| failure(&name, &error, None))?;
    engine.register_global_module(constants.into());
    let (mentions, text) = (Mentions::of(script.text()), script.text().to_owned());
    Ok(Compiled { name, mentions, shared, text, engine, ast, functions })
}

/// The constants that are defined outside functions. All functions see them.
fn constants(engine: &Engine, ast: &AST, shared: &Shared, operations: u64) -> Result<Module, Box<EvalAltResult>> {
    shared.allow(operations);
    let mut scope = Scope::new();
    engine.run_ast_with_scope(&mut scope, ast)?;
    let mut module = Module::new();
    for (name, _, value) in scope.iter().filter(|(_, is_constant, _)| *is_constant) {
        module.set_var(name, value);
    }
    Ok(module)
}

impl Compiled {
    pub(super) fn has(&self, function: ScriptFunction) -> bool {
        self.functions.contains(&function)
    }

    /// Calls a function, with a job and the view where there is a job, otherwise with the view and the actions.
    pub(super) fn call(
        &self,
        function: ScriptFunction,
        state: &mut Dynamic,
        job: Option<ScriptJob>,
    ) -> Result<(), Box<EvalAltResult>> {
        let options = CallFnOptions::new().eval_ast(false).bind_this_ptr(state);
        let mut scope = Scope::new();
        let arguments = self.arguments(job);
        self.engine
            .call_fn_with_options::<Dynamic>(options, &mut scope, &self.ast, function.name(), arguments)
            .map(|_| ())
    }

    /// The arguments of a call: a job and the view where there is a job, otherwise the view and the actions.
    pub(super) fn arguments(&self, job: Option<ScriptJob>) -> [Dynamic; PARAMETERS] {
        let view = Dynamic::from(ViewHandle(self.shared.clone()));
        match job {
            Some(job) => [Dynamic::from(job), view],
            None => [view, Dynamic::from(actions::ActionsHandle(self.shared.clone()))],
        }
    }

    pub(super) fn parameters(&self, function: ScriptFunction) -> Vec<String> {
        let is_it = |found: &ScriptFnMetadata| found.name == function.name() && found.params.len() == PARAMETERS;
        let found = self.ast.iter_functions().find(is_it);
        found.map_or_else(Vec::new, |found| found.params.iter().map(|name| (*name).to_owned()).collect())
    }

    /// A failure that belongs to no line.
    pub(super) fn failure(&self, at: Option<Seconds>, what: String) -> SchedulerFailure {
        SchedulerFailure { name: self.name.clone(), line: None, at, what }
    }
}

fn engine(shared: &Rc<Shared>) -> Engine {
    let mut engine = Engine::new_raw();
    LANGUAGE.with(|language| _ = language.register_into_engine(&mut engine));
    for symbol in NOT_THERE {
        engine.disable_symbol(symbol);
    }
    bound(&mut engine, shared);
    let printed = shared.clone();
    engine.on_print(move |text| printed.print(text));
    let printed = shared.clone();
    engine.on_debug(move |text, _, _| printed.print(text));
    register(&mut engine);
    jobs::register(&mut engine, shared);
    profile::register(&mut engine);
    actions::register(&mut engine);
    view(&mut engine);
    engine
}

/// Sets limits on what a script may use.
fn bound(engine: &mut Engine, shared: &Rc<Shared>) {
    engine.set_max_expr_depths(DEEPEST, DEEPEST);
    engine.set_max_call_levels(DEEPEST_CALLS);
    engine.set_max_array_size(LONGEST_ARRAY);
    engine.set_max_map_size(LONGEST_ARRAY);
    engine.set_max_string_size(LONGEST_TEXT);
    engine.set_max_variables(MOST_VARIABLES);
    engine.set_max_functions(MOST_FUNCTIONS);
    let shared = shared.clone();
    engine.on_progress(move |_| shared.charge(1).then(|| shared.too_much()));
}

/// Registers the words of the view.
fn view(engine: &mut Engine) {
    engine.register_type_with_name::<ViewHandle>(VIEW.0);
    engine.register_get("now", |view: &mut ViewHandle| view.0.present.borrow().now);
    engine.register_get("free", |view: &mut ViewHandle| i64::from(view.0.present.borrow().free));
    engine.register_get("processors", |view: &mut ViewHandle| i64::from(view.0.present.borrow().processors));
    engine.register_get("waiting", |view: &mut ViewHandle| {
        jobs::ScriptJobs::new(view.0.present.borrow().waiting.clone())
    });
    engine.register_get("running", |view: &mut ViewHandle| {
        jobs::ScriptJobs::new(view.0.present.borrow().running.clone())
    });
    engine.register_get("queue_length", |view: &mut ViewHandle| view.0.present.borrow().waiting.len() as i64);
    engine.register_get("hour", |view: &mut ViewHandle| i64::from(view.0.present.borrow().hour));
    engine.register_get("weekday", |view: &mut ViewHandle| i64::from(view.0.present.borrow().weekday));
    engine.register_fn("profile", |view: &mut ViewHandle| profile::ProfileHandle::of(&view.0));
}

// Functions of numbers that give the same result on every machine.

/// Converts a real number to a whole one. Beyond the range it is the last whole number, and 0 for NaN.
fn whole(x: f64) -> INT {
    x as INT
}

type Real = fn(f64) -> f64;

pub(super) fn register(engine: &mut Engine) {
    let power = |a: f64, b: f64| libm::pow(a, b);
    engine.register_fn("pow", power);
    engine.register_fn("pow", |a: INT, b: INT| libm::pow(a as f64, b as f64));
    engine.register_fn("pow", |a: f64, b: INT| libm::pow(a, b as f64));
    engine.register_fn("pow", |a: INT, b: f64| libm::pow(a as f64, b));
    // replaces what a package of Rhai registers under the name of the operator
    engine.register_fn("**", power);
    engine.register_fn("**", |a: f64, b: INT| libm::pow(a, b as f64));
    let real: [(&str, Real); 7] = [
        ("sqrt", f64::sqrt),
        ("exp", libm::exp),
        ("ln", libm::log),
        ("floor", f64::floor),
        ("ceil", f64::ceil),
        ("round", libm::round),
        ("to_float", |x| x),
    ];
    for (name, function) in real {
        engine.register_fn(name, function);
        engine.register_fn(name, move |x: INT| function(x as f64));
    }
    engine.register_fn("to_int", whole);
    engine.register_fn("to_int", |x: INT| x);
    engine.register_fn("is_nan", f64::is_nan);
}

// Limits of scripts. No sensible script comes near them, and no other script does harm within them.

/// The default limit of operations in a round, in millions. A round of EASY over a queue of 10,000 jobs takes a tenth.
pub const USUAL_MILLIONS: i64 = 5;

/// The highest limit that can be set, in millions of operations.
pub const MOST_MILLIONS: i64 = 1_000;

/// A run may take this many times the operations of a round.
const ROUNDS: u64 = 1_000;

/// The limit of operations when a script is read: the statements outside its functions.
const OUTSIDE: u64 = 100_000;

/// The longest arrays and largest maps of a script, counted with all that they contain. The jobs of a queue are no
/// array, and may be more. Nested values are walked recursively, on a stack of which a worker has 1 MB.
pub(super) const LONGEST_ARRAY: usize = 1_000;

/// The longest text of a script, bytes.
pub(super) const LONGEST_TEXT: usize = 10_000;

/// The deepest nesting of calls.
pub(super) const DEEPEST_CALLS: usize = 12;

/// The deepest nesting of expressions, inside and outside functions.
pub(super) const DEEPEST: usize = 32;

/// The most variables of a function at a time.
pub(super) const MOST_VARIABLES: usize = 200;

pub(super) const MOST_FUNCTIONS: usize = 200;

/// The most rounds in a row that a script may ask for while nothing happens.
const MOST_QUIET: u32 = 100_000;

/// The most kills of a script, for each job that has arrived.
pub(super) const MOST_KILLS: u64 = 20;

/// What a script may use, and what is left of it in a run.
#[derive(Clone, Copy, Debug)]
pub struct Allowance {
    /// The operations that reading the script may take.
    outside: u64,
    of_round: u64,
    of_run: u64,
    /// The rounds in a row that the script may ask for while nothing happens.
    quiet: u32,
    left: u64,
}

impl Allowance {
    /// The allowance with this many million operations in a round.
    pub(super) fn of_millions(millions: i64) -> Self {
        let of_round = millions.clamp(1, MOST_MILLIONS) as u64 * 1_000_000;
        let of_run = of_round * ROUNDS;
        Allowance { outside: OUTSIDE, of_round, of_run, quiet: MOST_QUIET, left: of_run }
    }

    /// A small allowance, under which scripts that never end fail at once. It is for tests that try many scripts.
    pub fn of_thousands(thousands: u64) -> Self {
        let of_round = thousands * 1_000;
        let of_run = of_round * 10;
        Allowance { outside: of_round, of_round, of_run, quiet: 100, left: of_run }
    }

    /// The same allowance at the beginning of a run.
    pub(super) fn anew(self) -> Self {
        Allowance { left: self.of_run, ..self }
    }

    /// The operations that reading the script may take.
    pub(super) fn of_reading(self) -> u64 {
        self.outside
    }

    /// The operations that one call may take.
    pub(super) fn of_call(self) -> u64 {
        self.of_round
    }

    /// How often in a row the script may ask to be called again while nothing happens.
    pub(super) fn of_quiet(self) -> u32 {
        self.quiet
    }

    /// Takes the operations of a call from what is left in the run.
    ///
    /// # Errors
    /// If nothing is left: a sentence that says so.
    pub(super) fn take(&mut self, spent: u64) -> Result<(), String> {
        self.left = self.left.saturating_sub(spent);
        if self.left == 0 {
            let most = self.of_run / 1_000_000;
            return Err(format!(
                "in all it has taken more than {most} million operations; give it a higher limit, or less to do in a round"
            ));
        }
        Ok(())
    }
}

// Describes the mistakes of scripts in words.

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

pub(super) fn said(error: &EvalAltResult) -> String {
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

// The words of scripts, which stand behind a dot: for messages and for the page.

/// The name of a type of value, and the words that it has.
pub type ScriptWords = (&'static str, &'static [&'static str]);

pub(super) const JOB: ScriptWords = (
    "Job",
    &[
        "id",
        "number",
        "submit",
        "wait",
        "processors",
        "estimate",
        "requested",
        "area",
        "user",
        "group",
        "executable",
        "queue",
        "partition",
        "class",
        "user_usage",
        "account_usage",
        "start",
        "end",
        "kept",
    ],
);

pub(super) const JOBS: ScriptWords = ("Jobs", &["len", "first", "last", "sort_by", "filter", "skip", "has"]);

pub(super) const VIEW: ScriptWords =
    ("View", &["now", "free", "processors", "waiting", "running", "queue_length", "hour", "weekday", "profile"]);

pub(super) const PROFILE: ScriptWords = ("Profile", &["earliest", "fits", "reserve", "release", "free_at"]);

/// The words of the actions of a round.
pub(super) const ACTIONS: ScriptWords = ("Actions", &["free", "fits", "start", "kill", "wake_at", "keep", "note"]);

pub const WORDS: &[ScriptWords] = &[VIEW, JOB, JOBS, PROFILE, ACTIONS];
