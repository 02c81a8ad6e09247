//! Studies of the papers, named on the command line.

use crate::files;
use crate::program::{Folder, GENERATED, log, packfair, refusal, run_json, stdout, text, with_input};
use packfair::papers::printed::PrintedTable;
use packfair::papers::recipe::Recipe;
use packfair::study::{Run, Source, Study, Treatment, execute};
use serde_json::Value;

fn study_of(recipe: &str) -> Study {
    let mut study = Study::on(Source::Generated(GENERATED));
    recipe.parse::<&Recipe>().expect("there is one").apply(&mut study);
    study
}

fn runs(ran: &[Value]) -> Vec<String> {
    let text = |run: &Value, key: &str| run[key].as_str().expect("a text").to_owned();
    ran.iter().map(|run| format!("{}__{}", text(run, "scheduler"), text(run, "estimator"))).collect()
}

#[test]
fn a_recipe_is_run_as_the_page_runs_it() {
    for recipe in ["metrics-table-2", "metrics-table-4", "fairness-figs"] {
        let study = study_of(recipe);
        let ran = run_json(&log(), &["--recipe", recipe]);
        assert_eq!(runs(&ran), study.runs().iter().map(Run::id).collect::<Vec<_>>(), "{recipe}");
        let workload = study.treatment.apply(&GENERATED.generate()).unwrap();
        for (run, ran) in study.runs().iter().zip(&ran) {
            let report = execute(run, &workload, study.rules(), &study.measure).unwrap().report;
            for (metric, value) in &report.values {
                assert_eq!(
                    ran["metrics"][metric.about().id].as_f64(),
                    Some(*value),
                    "{recipe}: {metric} of {}",
                    run.id()
                );
            }
        }
    }
}

#[test]
fn people_get_the_recipe_s_columns_and_baseline() {
    let output = with_input(&["run", "-", "--recipe", "metrics-table-2", "--format", "markdown"], &log());
    let table = stdout(&output);
    assert!(table.starts_with("| Scheduler | Estimate | BSLD | AF (s) | AWF (s) | P²SF (s) |\n"), "{table}");
    assert!(table.contains("\n| JustBF \\*"), "{table}");
}

#[test]
fn other_options_override_what_a_recipe_sets() {
    let run = |more: &[&str]| run_json(&log(), &[&["--recipe", "metrics-table-3"], more].concat());
    assert_eq!(runs(&run(&["-s", "justbf"])).len(), 8, "its eight estimates");
    let chosen = runs(&run(&["-s", "easy", "easy-sjbf", "-e", "sp2", "requested"]));
    assert_eq!(chosen, ["easy__sp2", "easy__requested", "easy-sjbf__sp2", "easy-sjbf__requested"]);
    let factors = run(&["--k", "2", "--baseline", "none"]);
    assert_eq!(factors.len(), study_of("metrics-table-3").runs().len(), "what is absent at 1 is absent at 2");
    assert!(factors.iter().all(|run| run["k"].as_f64() == Some(2.0) && run["changes"].is_null()));
    let columns = run(&["--columns", "AF,LOC", "--count", "all", "--correction", "doubling", "--shrink", "0.8"]);
    assert_eq!(columns[0]["metrics"].as_object().map(|metrics| metrics.len()), Some(2));
    assert_eq!(columns[0]["jobs"].as_u64(), Some(300));
    // its schedulers and estimators can be chosen
    let selected = run_json(&log(), &["--recipe", "metrics-fig-4-selected", "-s", "pc", "-e", "requested"]);
    assert_eq!(selected.len(), 11);
    assert!(runs(&selected).iter().all(|run| run.starts_with("pc__requested")));
}

#[test]
fn a_recipe_s_cleaning_gives_way_to_another() {
    let folder = Folder::new("recipe-cleaning");
    let path = folder.write("log.swf", b"; MaxProcs: 4\n1 0 0 50 4 -1 -1 4 60 -1 0 1\n2 5 0 50 4 -1 -1 4 60 -1 1 1\n");
    let jobs = |more: &[&str]| {
        let arguments = [&["run", &path, "--recipe", "fairness-figs", "--format", "json"], more].concat();
        let ran: Vec<Value> = serde_json::from_str(stdout(&packfair(&arguments))).expect("JSON");
        ran[0]["jobs"].as_u64()
    };
    let kept = |treatment: &str| {
        let log = packfair::workload::reading::read("log", std::fs::read(&path).unwrap().as_slice()).unwrap();
        let treatment = Treatment { cleaning: treatment.parse().unwrap(), ..Treatment::default() };
        treatment.apply(&log).map(|workload| workload.len() as u64).ok()
    };
    assert_eq!(jobs(&[]), kept("fairness-cut-used"));
    assert_eq!(jobs(&["--clean", "metrics"]), kept("metrics"));
}

#[test]
fn what_no_recipe_is_and_what_contradicts_one_is_said() {
    let said = |more: &[&str]| refusal(&with_input(&[&["run", "-"], more].concat(), &log())).to_owned();
    assert!(said(&["--recipe", "table-9"]).contains("there is no recipe \"table-9\"; there are metrics-table-2, "));
    assert!(said(&[]).contains("--scheduler <ID>"));
    let message = said(&["--recipe", "metrics-table-2", "-s", "easy"]);
    assert!(message.contains("the baseline justbf with actual is not among the runs; add it to them, or"), "{message}");
    let message = said(&["--recipe", "metrics-table-2", "--columns", "AF", "--norm", "3"]);
    assert_eq!(message, "packfair: --norm=3 is for Lp, which --columns does not name; add it there\n");
    assert!(said(&["--recipe", "metrics-table-2", "--recipe", "metrics-fig-3"]).contains("cannot be used multiple"));
}

#[test]
fn on_a_paper_s_log_its_printed_figures_follow() {
    let Some(shared) = files::folder() else { return };
    let log = shared.join("traces/KTH-SP2.swf.gz");
    let run = |format: &str| {
        let arguments = ["--recipe", "metrics-table-2", "-s", "justbf", "easy", "-e", "requested", "--format", format];
        stdout(&packfair(&[&["run", log.to_str().expect("UTF-8")], &arguments[..]].concat())).to_owned()
    };
    let table = run("table");
    assert!(table.contains("METRICS Table II, KTH-SP2: as printed, and ours. 4 of 4 printed figures"), "{table}");
    assert!(table.contains("BSLD printed  ours  difference"), "{table}");
    assert!(
        !table.contains("as this cluster did") && !table.contains("nearest to the log"),
        "no row claims to be it: {table}"
    );
    let markdown = run("markdown");
    assert!(markdown.contains("| EASY | requested | −9 | −9 | 0 |"), "{markdown}");
    assert!(run("latex").contains("% METRICS Table II, KTH-SP2"));
    assert!(serde_json::from_str::<Value>(&run("json")).is_ok());
    assert_eq!(run("csv").lines().count(), 3);
}

#[test]
fn classify_s_printed_figures_follow_too() {
    let Some(shared) = files::folder() else { return };
    let log = shared.join("traces/KTH-SP2.swf.gz");
    let run = |arguments: &[&str]| {
        let log = log.to_str().expect("UTF-8");
        stdout(&packfair(&[&["run", log, "--recipe"], arguments].concat())).to_owned()
    };
    // tables about the log itself
    let table = run(&["classify-tables-2-3"]);
    assert!(table.contains("CLASSIFY Tables 2 and 3, KTH-SP2: as printed, and ours. 1 of 6"), "{table}");
    let line = |name: &str| table.lines().find(|line| line.starts_with(name)).unwrap_or_default().to_owned();
    assert_eq!(line("Divider").split_whitespace().collect::<Vec<_>>(), ["Divider", "(s)", "847", "847", "0"]);
    assert!(line("Large jobs").contains("99.59"), "{table}");
    // improvements over another run than the baseline, and shares of jobs
    let clairvoyant = "classes:policy=sjf,by=clairvoyant";
    let schedulers = ["classify-fig-9", "-s", "easy", "easy:initial=sjf,backfill=sjf", clairvoyant];
    let table = run(&[&schedulers[..], &["-e", "requested", "--format", "markdown"]].concat());
    assert!(table.contains("(class-clairvoyant SPF) | requested | 13 |"), "{table}");
}

#[test]
fn a_log_that_is_not_recognised_is_taken_for_what_is_said() {
    let run = |more: &[&str]| {
        let recipe = ["run", "-", "--recipe", "metrics-table-2", "-s", "justbf", "easy", "-e", "requested"];
        with_input(&[&recipe[..], more].concat(), &log())
    };
    let unknown = run(&[]);
    let told = text(&unknown.stderr);
    assert!(
        told.contains("METRICS Table II prints figures of KTH-SP2, CTC-SP2, SDSC-SP2, SDSC-BLUE, CEA-CURIE, BW201911"),
        "{told}"
    );
    assert!(!stdout(&unknown).contains("as printed") && told.contains("--take-for names it"), "{told}");
    let taken = run(&["--take-for", "sdsc-sp2"]);
    assert!(stdout(&taken).contains("METRICS Table II, SDSC-SP2: as printed, and ours."), "{}", stdout(&taken));
    assert!(stdout(&taken).contains("Taken for SDSC-SP2, as was asked for."));
    assert!(refusal(&run(&["--take-for", "SP2"])).contains("there is no log of the papers \"SP2\"; there are KTH-SP2"));
}

#[test]
fn jobs_that_outlive_their_requests_are_told_where_starts_are_promised() {
    let jobs = "; MaxProcs: 4\n1 0 0 90 4 -1 -1 4 60 -1 1 1\n2 5 0 50 4 -1 -1 4 60 -1 1 1\n";
    let told = |more: &[&str]| {
        let run = ["run", "-", "-s", "conservative", "easy", "-e", "requested", "--count", "all"];
        text(&with_input(&[&run[..], more].concat(), jobs.as_bytes()).stderr).to_owned()
    };
    let kept = told(&["--clean", "fairness"]);
    assert!(kept.contains("conservative__requested: 1 of 2 jobs ran longer than they had requested"), "{kept}");
    assert!(!kept.contains("easy__requested: 1 of 2"), "{kept}");
    assert_eq!(told(&["--clean", "fairness-cut"]), "");
    assert_eq!(told(&["--clean", "fairness-raised"]), "");
}

#[test]
fn the_table_of_what_comes_out_has_every_recipe_with_printed_figures() {
    let script = include_str!("../../scripts/papers");
    let asked: Vec<&str> = script.split_whitespace().collect();
    // the job sets of DYNP are lost: no log is known to be one
    let printed = |recipe: &&Recipe| PrintedTable::of_recipe(recipe.entry.id).is_some();
    for recipe in Recipe::all().filter(printed).filter(|recipe| !recipe.entry.id.starts_with("dynp")) {
        assert!(asked.contains(&recipe.entry.id), "{}", recipe.entry.id);
    }
}

#[test]
fn a_set_of_jobs_is_put_beside_that_of_the_paper_for_which_it_is_taken() {
    let run = |more: &[&str]| {
        let arguments = ["run", "-", "--recipe", "dynp-table-6", "--format", "markdown"];
        stdout(&with_input(&[&arguments[..], more].concat(), &log())).to_owned()
    };
    let table = run(&["--take-for", "KTH_syn"]);
    assert!(table.contains("DYNP Table 6, KTH_syn: as printed, and ours. "), "{table}");
    assert!(table.contains("| requested | 18,840 |"), "{table}");
    assert!(!run(&[]).contains("as printed, and ours"), "no log is known to be one");
}
