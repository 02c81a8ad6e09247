//! The language: Rhai without what a scheduler does not need, and with the words of a scheduler.

use super::limits::{Allowance, DEEPEST, DEEPEST_CALLS, LONGEST_ARRAY, LONGEST_TEXT, MOST_FUNCTIONS, MOST_VARIABLES};
use super::shared::{Mentions, ScriptJob, Shared};
use super::words::VIEW;
use super::{ScriptFunction, actions, arithmetic, jobs, mistake, profile};
use crate::catalogue::Script;
use crate::model::SchedulerFailure;
use crate::workload::Seconds;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, BasicMapPackage, BasicStringPackage, LogicPackage,
    Package,
};
use rhai::{AST, CallFnOptions, Dynamic, Engine, EvalAltResult, Module, Scope, ScriptFnMetadata, def_package};
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
    let ast = engine.compile(script.text()).map_err(|error| mistake::unreadable(&name, &error))?;
    let has = |function: &ScriptFunction| {
        ast.iter_functions().any(|found| found.name == function.name() && found.params.len() == PARAMETERS)
    };
    let functions: Vec<ScriptFunction> = ScriptFunction::ALL.into_iter().filter(has).collect();
    if !functions.contains(&ScriptFunction::Round) {
        let what = "there is no `fn round(view, actions) { ... }`, which is what a scheduler has to say".to_owned();
        return Err(SchedulerFailure { name, line: None, at: None, what });
    }
    let constants = constants(&engine, &ast, &shared, allowance.of_reading())
        .map_err(|error| mistake::failure(&name, &error, None))?;
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
    arithmetic::register(&mut engine);
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
