//! The runs whose times `tests/study/cost.txt` has: each family with its default settings, and with each value, or the least
//! and the most, of each of its parameters, on workloads that a link can ask for.

use packfair::catalogue::{Catalogue, Configured, Family, Kind, Parameter, Script};
use packfair::estimator::{Estimate, Estimators};
use packfair::machine::MachineDescription;
use packfair::scheduler::script::EXAMPLES;
use packfair::scheduler::{Policy, Schedulers};
use packfair::study::{Run, Treatment};
use packfair::workload::{Workload, lublin};

/// A workload, by its name in the table.
pub struct AskedWorkload {
    /// The name.
    pub name: &'static str,
    jobs: u32,
    shrink: f64,
    /// Whether every parameter is tried on it, or only the families with default settings.
    pub is_for_all: bool,
    /// Whether its machine has cells.
    has_cells: bool,
}

const USUAL: AskedWorkload =
    AskedWorkload { name: "usual", jobs: 3_000, shrink: 1.0, is_for_all: false, has_cells: false };

/// Workloads whose queues stay short, and ones whose queues grow to the end, with few jobs and with many, and on cells.
pub const WORKLOADS: [AskedWorkload; 6] = [
    AskedWorkload { is_for_all: true, ..USUAL },
    AskedWorkload { name: "at-once", shrink: 0.05, is_for_all: true, ..USUAL },
    AskedWorkload { name: "usual-many", jobs: 20_000, ..USUAL },
    AskedWorkload { name: "at-once-many", jobs: 8_000, shrink: 0.05, ..USUAL },
    AskedWorkload { name: "usual-cells", has_cells: true, ..USUAL },
    AskedWorkload { name: "at-once-cells", jobs: 1_000, shrink: 0.05, has_cells: true, ..USUAL },
];

/// A machine of 128 processors, for as many as its jobs are generated.
const CELLS: &str = "[[cells]]\nname = \"thin\"\nnodes = 64\nnode = { processors = 1 }\n\
    [[cells]]\nname = \"thick\"\nnodes = 16\nnode = { processors = 4 }\n";

impl AskedWorkload {
    /// The treatment of the log that it is made of.
    pub fn treatment(&self) -> Treatment {
        let cells = || MachineDescription::from_toml(CELLS).expect("it is one");
        let machine = self.has_cells.then(|| Box::new(cells()));
        Treatment { shrink: self.shrink, machine, ..Treatment::default() }
    }

    /// Makes the workload.
    pub fn made(&self) -> Workload {
        self.treatment().apply(&lublin(self.jobs, 128, 1)).expect("a generated log can be used")
    }

    /// Whether a run is tried on it. A scheduler that knows no cells is not tried on cells.
    pub fn is_for(&self, run: &AskedRun, made: &Workload) -> bool {
        (self.is_for_all || run.is_usual) && run.run.scheduler.check_on(made).is_ok()
    }
}

/// Combinations of settings that are the slowest.
const TOGETHER: [(&str, &str); 7] = [
    ("optimised:budget=1000000,depth=1000000,window=1000", "requested"),
    ("optimised:budget=0,depth=1000000", "requested"),
    ("classes:by=best,trees=500,depth=60,again=1", "requested"),
    ("list:order=formula:wait*user_running,blocked=reserving", "cvh"),
    ("pc:order=formula:wait*user_running", "requested"),
    ("dynp:policies=all", "cvh"),
    ("dynp:policies=fcfs+formula:wait*user_running", "requested"),
];

/// The name of a run in the table. A script is named by its own name.
pub fn named(workload: &AskedWorkload, run: &Run) -> String {
    let scheduler = if run.scheduler.is_script() { run.scheduler.short() } else { run.scheduler.to_string() };
    format!("{} {scheduler} {}", workload.name, run.estimate)
}

/// A run of the table, and whether it has default settings.
pub struct AskedRun {
    pub run: Run,
    pub is_usual: bool,
}

/// All runs.
pub fn runs() -> Vec<AskedRun> {
    let mut all: Vec<AskedRun> = Vec::new();
    let mut add = |scheduler: Policy, estimate: Estimate, is_usual: bool| {
        let run = Run::new(scheduler, estimate);
        if !run.scheduler.is_given() && all.iter().all(|known| known.run != run) {
            all.push(AskedRun { run, is_usual });
        }
    };
    let requested: Estimate = "requested".parse().expect("it is in the catalogue");
    // each scheduler with each estimator, because some are slow only together
    let estimators: Vec<Configured<Estimators>> = usual();
    for scheduler in usual::<Schedulers>() {
        add(scheduler.clone(), requested.clone(), true);
        estimators.iter().for_each(|method| add(scheduler.clone(), Estimate::of(method.clone()), true));
    }
    // the time of a script depends on its author: the examples stand for all
    for example in EXAMPLES {
        let script = Script::new(&format!("script-{}", example.id), example.text).expect("it is a script");
        add(Policy::of_script(script), requested.clone(), true);
    }
    for (scheduler, estimate) in TOGETHER {
        let estimate = estimate.parse().expect("it is in the catalogue");
        add(scheduler.parse().unwrap_or_else(|error| panic!("{scheduler}: {error}")), estimate, false);
    }
    for scheduler in settings::<Schedulers>() {
        add(scheduler, requested.clone(), false);
    }
    for method in settings::<Estimators>() {
        // under the second scheduler, waiting jobs are estimated anew in each round
        for scheduler in ["easy", "justbf"] {
            add(scheduler.parse().expect("it is in the catalogue"), Estimate::of(method.clone()), false);
        }
    }
    all
}

/// The families with their default settings, except those that need a file.
fn usual<C: Catalogue>() -> Vec<Configured<C>> {
    C::FAMILIES.iter().filter_map(|family| family.entry().id.parse().ok()).collect()
}

/// The families with one of their parameters set, for each value of each parameter.
fn settings<C: Catalogue>() -> Vec<Configured<C>> {
    let mut all = Vec::new();
    for entry in C::FAMILIES.iter().map(|family| family.entry()) {
        for parameter in entry.parameters {
            let ids = values(parameter).into_iter().map(|value| format!("{}:{}={value}", entry.id, parameter.id));
            // some values are possible only together with others
            all.extend(ids.filter_map(|id| id.parse().ok()));
        }
    }
    all
}

/// The values of a parameter, or the least and the most.
fn values(parameter: &Parameter) -> Vec<String> {
    match parameter.kind {
        // the possible values depend on the site, or on the user
        Kind::File | Kind::Script | Kind::Changes { .. } => Vec::new(),
        Kind::Choice { options, .. } => options.iter().map(|(id, _)| (*id).to_owned()).collect(),
        Kind::Formula { options, formulas, .. } => {
            let with_numbers = formulas.iter().map(|formula| {
                let numbers: Vec<String> = formula.numbers.iter().map(|number| number.max.to_string()).collect();
                format!("{}_{}", formula.id, numbers.join("_"))
            });
            // a parameter that takes only the user's own formulas is tried in any case
            let written = ["formula:wait", "formula:wait*user_running"].map(str::to_owned);
            let written = written.into_iter().filter(|_| !formulas.is_empty());
            options.iter().map(|(id, _)| (*id).to_owned()).chain(with_numbers).chain(written).collect()
        }
        Kind::Whole { min, max, .. } => vec![min.to_string(), max.to_string()],
        Kind::AtLeast { max, .. } => vec![max.to_string()],
        Kind::Several { options, .. } => {
            let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
            vec![ids[0].to_owned(), ids.join("+")]
        }
        Kind::Orders { options, .. } => {
            let ids: Vec<&str> = options.iter().map(|(id, _)| *id).collect();
            vec![ids[0].to_owned(), ids.join("+"), "fcfs+formula:(wait+requested)".to_owned()]
        }
        Kind::Real { min, max, .. } => vec![min.to_string(), max.to_string()],
    }
}
