use super::*;
use crate::metric::Curves;
use crate::study::recipe::{RECIPES, Recipe};
use crate::study::{Run, RunReport, Study};
use crate::workload::Filter;
use std::collections::BTreeMap;

/// Of KTH-SP2, as METRICS simulates it.
const KTH: Facts = Facts { jobs: 28_480, processors: 100, span: 29_363_670 };

fn recipe(id: &str) -> &'static Recipe {
    id.parse().unwrap()
}

fn study(id: &str) -> Study {
    let mut study = Study::first_visit();
    recipe(id).apply(&mut study);
    study
}

fn report(run: &str, values: &[(Metric, f64)]) -> RunReport {
    let (scheduler, estimate) = run.split_once("__").unwrap();
    RunReport {
        run: Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap()),
        shrink: 1.0,
        jobs: 28_480,
        values: values.iter().copied().collect::<BTreeMap<_, _>>(),
        curves: Curves::default(),
        wall_s: 0.0,
        overfull: None,
        saturation: None,
    }
}

#[test]
fn every_figure_is_of_a_run_and_a_column_of_its_recipe() {
    for table in &TABLES {
        let study = study(table.recipe);
        assert!(RECIPES.iter().any(|recipe| recipe.entry.id == table.recipe));
        for block in table.blocks {
            assert!(study.columns.contains(&block.metric), "{} has {}", table.name, block.metric);
            for line in block.lines {
                let id = format!("{}__{}", line.scheduler, line.estimate);
                assert_eq!(study.runs().iter().filter(|run| run.id() == id).count(), 1, "{}: {id}", table.name);
            }
        }
    }
}

#[test]
fn the_papers_logs_are_told_from_others() {
    let name = |facts: Facts| LOGS.iter().filter(|log| log.is(&facts)).map(|log| log.name).collect::<Vec<_>>();
    assert_eq!(name(KTH), ["KTH-SP2"]);
    assert_eq!(name(Facts { jobs: 77_199, processors: 338, span: 29_306_682 }), ["CTC-SP2"]);
    assert_eq!(name(Facts { jobs: 232_542, processors: 1_152, span: 84_000_000 }), ["SDSC-BLUE"]);
    for other in [
        Facts { jobs: 20_000, ..KTH },
        Facts { processors: 128, ..KTH },
        Facts { span: KTH.span / 2, ..KTH },
        Facts { jobs: 0, processors: 0, span: 0 },
    ] {
        assert!(name(other).is_empty(), "{other:?}");
    }
}

#[test]
fn ours_stands_beside_what_is_printed() {
    let reports = [
        report("justbf__actual", &[(Metric::Bsld, 10.0), (Metric::Af, 100.0)]),
        report("easy__actual", &[(Metric::Bsld, 10.66), (Metric::Af, 97.0)]),
        report("laf-justbf__actual", &[(Metric::Bsld, 21.74)]),
    ];
    let study = study("metrics-table-2");
    let compared = Comparison::of(recipe("metrics-table-2"), &study, &KTH, &reports).unwrap();
    assert_eq!((compared.title().as_str(), compared.rows.len()), ("METRICS Table II, KTH-SP2", 18));
    let cells = |scheduler: &str| {
        let row = compared.rows.iter().find(|row| row.run.id() == format!("{scheduler}__actual")).unwrap();
        row.cells.iter().map(|cell| (cell.unwrap().printed, compared.difference(&cell.unwrap()))).collect::<Vec<_>>()
    };
    // 6.6 % is 7 % as printed; -3 % is 1 more than -4 %
    assert_eq!(cells("easy"), [(7.0, Some(0.0)), (-4.0, Some(1.0)), (1.0, None), (4.0, None)]);
    assert_eq!(cells("laf-justbf")[0], (117.0, Some(0.0)));
    assert_eq!(compared.agreement(), Agreement { printed: 72, ours: 3, equal: 2 });
    assert_eq!(compared.grid().lines[4].values[..6], ["7", "7", "0", "−4", "−3", "1"]);
}

#[test]
fn percent_of_the_baseline_and_values_are_compared_as_such() {
    let reports = [
        report("justbf__actual", &[(Metric::Af, 100.0)]),
        report("opt-af__actual", &[(Metric::Af, 75.6)]),
        report("opt-bsld__requested", &[(Metric::Bsld, 1.0)]),
    ];
    let compared = Comparison::of(recipe("cp-table-2"), &study("cp-table-2"), &KTH, &reports).unwrap();
    let row = compared.rows.iter().find(|row| row.run.id() == "opt-af__actual").unwrap();
    assert_eq!(row.name, Some("CP-AF"));
    assert_eq!(row.cells[0], None, "the paper has no such cell");
    let cell = row.cells[1].unwrap();
    assert_eq!((cell.printed, compared.difference(&cell)), (76.0, Some(0.0)));
    // its baseline has no result
    let row = compared.rows.iter().find(|row| row.run.id() == "opt-bsld__requested").unwrap();
    assert_eq!(row.cells[0], Some(Compared { printed: 38.0, ours: None }));
    // what lost a digit is not there
    let awf = compared.rows.iter().find(|row| row.run.id() == "opt-awf__actual");
    assert!(awf.is_none(), "{awf:?}");

    let reports = [report("justbf__sp2", &[(Metric::R2, 0.604)])];
    let compared = Comparison::of(recipe("metrics-table-4"), &study("metrics-table-4"), &KTH, &reports).unwrap();
    let row = compared.rows.iter().find(|row| row.run.id() == "justbf__sp:x=2" || row.run.id() == "justbf__sp2");
    assert_eq!(row.map(|row| compared.difference(&row.cells[0].unwrap())), Some(Some(0.0)));
}

#[test]
fn what_is_measured_otherwise_is_not_compared() {
    let compare = |change: fn(&mut Study)| {
        let mut study = study("metrics-table-2");
        change(&mut study);
        Comparison::of(recipe("metrics-table-2"), &study, &KTH, &[])
    };
    assert!(compare(|_| ()).is_some());
    assert!(compare(|study| study.schedulers.truncate(2)).is_some(), "what is shown may differ");
    assert!(compare(|study| study.measure.bsld_bound = 60.0).is_none());
    assert!(compare(|study| study.treatment.shrink = 0.9).is_none());
    assert!(compare(|study| study.treatment.filter = Filter { from: Some(1), ..Filter::default() }).is_none());
    assert!(compare(|study| study.schedulers = vec!["pc".parse().unwrap()]).is_none(), "nothing is printed of it");
    assert!(Comparison::of(recipe("metrics-fig-3"), &study("metrics-fig-3"), &KTH, &[]).is_none(), "a figure");
    assert!(
        Comparison::of(recipe("metrics-table-2"), &study("metrics-table-2"), &Facts { jobs: 5, ..KTH }, &[]).is_none()
    );
}
