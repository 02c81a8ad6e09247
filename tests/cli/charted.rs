//! Curves and figures: what the page charts, as files.

use crate::program::{Folder, GENERATED, log, packfair, stdout, text};
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, Treatment, execute};
use std::collections::BTreeSet;

/// The files of a folder.
fn files(folder: &str) -> BTreeSet<String> {
    let entries = std::fs::read_dir(folder).expect("the folder is there");
    entries.map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8")).collect()
}

/// The points of a run in a file of curves.
fn points(folder: &str, file: &str, run: &str) -> Vec<(f64, f64)> {
    let content = std::fs::read(format!("{folder}/{file}")).expect(file);
    let mut reader = csv::Reader::from_reader(content.as_slice());
    let headings: Vec<&str> = reader.headers().expect("headings").iter().collect();
    assert_eq!(headings, ["series", "x", "x_end", "y", "y_low", "y_high"]);
    let rows = reader.records().map(|row| row.expect("a row")).filter(|row| row[0] == *run);
    rows.map(|row| (row[1].parse().expect("x"), row[3].parse().expect("y"))).collect()
}

#[test]
fn curves_are_those_of_the_library_for_all_runs() {
    let folder = Folder::new("curves");
    let log = folder.write("log.swf", &log());
    let curves = folder.path("new/curves");
    let arguments = ["-s", "easy", "fcfs-ci", "-e", "requested", "last2", "--k", "0.5,1,2", "--curves", &curves];
    stdout(&packfair(&[&["run", &log], &arguments[..], &["--columns", "AF,BSLD", "--format", "csv"]].concat()));
    let workload = Treatment::default().apply(&GENERATED.generate()).unwrap();
    for (scheduler, estimate) in [("easy", "requested"), ("easy", "last2*2"), ("fcfs-ci", "requested*0.5")] {
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        let report = execute(&run, &workload, Correction::Request, &Measure::default()).unwrap().report;
        for (file, line) in [
            ("cwa.csv", &report.curves.cwa),
            ("waits.csv", &report.curves.waits),
            ("responses.csv", &report.curves.responses),
            ("slowdowns.csv", &report.curves.slowdowns),
            ("queue-lengths.csv", &report.curves.queue_lengths),
        ] {
            let expected: Vec<(f64, f64)> = line.x.iter().copied().zip(line.y.iter().copied()).collect();
            assert!(!expected.is_empty());
            assert_eq!(points(&curves, file, &run.id()), expected, "{file} of {}", run.id());
        }
        let queue: Vec<f64> = points(&curves, "queue.csv", &run.id()).into_iter().map(|(_, mean)| mean).collect();
        assert_eq!(queue, report.curves.queue_jobs.mean);
    }
    let found = files(&curves);
    for file in ["utilisation.csv", "queue-width.csv", "estimate-errors.csv", "estimates-r2.csv"] {
        assert!(found.contains(file), "{file} of {found:?}");
    }
    assert!(found.iter().any(|file| file.starts_with("af")), "against the factor: {found:?}");
    assert!(!found.iter().any(|file| file.contains("unfairness") || file.starts_with('.')), "{found:?}");
}

#[test]
fn figures_are_those_that_the_recipe_s_paper_draws() {
    let folder = Folder::new("figures");
    let log = folder.write("log.swf", &log());
    let figures = folder.path("figures");
    let run = |more: &[&str]| {
        stdout(&packfair(&[&["run", &log, "--figures", &figures, "--format", "csv"], more].concat()));
        let found = files(&figures);
        std::fs::remove_dir_all(&figures).unwrap();
        found
    };
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<BTreeSet<String>>();
    assert_eq!(run(&["--recipe", "metrics-fig-3", "--figures-as", "svg,pdf"]), names(&["cwa.svg", "cwa.pdf"]));
    assert_eq!(run(&["--recipe", "cp-fig-7"]), names(&["queue-lengths.svg"]));
    let all = run(&["-s", "easy", "fcfs", "-e", "requested"]);
    assert!(all.len() > 10 && all.contains("tradeoff.svg") && all.contains("waits.svg"), "{all:?}");
}

#[test]
fn a_figure_has_a_series_for_each_run_and_says_where_it_comes_from() {
    let folder = Folder::new("figure");
    let log = folder.write("log.swf", &log());
    let figures = folder.path("figures");
    let recipe = ["--recipe", "metrics-fig-3", "--figures", &figures, "--figures-as", "svg,pdf", "--format", "csv"];
    stdout(&packfair(&[&["run", &log], &recipe[..]].concat()));
    let svg = std::fs::read(format!("{figures}/cwa.svg")).unwrap();
    let document = roxmltree::Document::parse(text(&svg)).expect("an SVG document");
    let series = document.descendants().filter(|node| node.attribute("data-series").is_some()).count();
    assert!(series >= 4, "{series}");
    let told = document.descendants().find(|node| node.has_tag_name("desc")).and_then(|node| node.text());
    assert!(told.is_some_and(|told| told.contains("saf-justbf") && told.contains("Packfair")), "{told:?}");
    assert!(std::fs::read(format!("{figures}/cwa.pdf")).unwrap().starts_with(b"%PDF-"));
    // a file cannot be the folder
    let refused = packfair(&["run", &log, "-s", "easy", "-e", "requested", "--figures", &log]);
    assert!(!refused.status.success() && text(&refused.stderr).contains("cannot be written"), "{refused:?}");
}
