//! Draws the charts of a small study into a folder, in both themes: `cargo run --example charts FOLDER`.

use packfair::chart::kinds::{self, Colouring};
use packfair::chart::{Clock, Figure, Legend, Sheet, Theme, View, draw};
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::{Run, RunReport, execute};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[path = "../tests/charts/sample.rs"]
mod sample;

fn main() -> std::io::Result<()> {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: charts FOLDER");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    let workload = sample::workload(4_000, 128);
    let runs: Vec<Run> = sample::runs();
    let results: Vec<_> =
        runs.iter().map(|run| execute(run, &workload, Correction::default(), &Measure::default())).collect();
    let reports: Vec<RunReport> = results.iter().map(|result| result.report.clone()).collect();
    for (figure, name) in sample::figures(&workload, &reports) {
        write(&folder, &name, figure)?;
    }
    let result = &results[1];
    let boxes = sample::boxes(&workload, &result.schedule.starts);
    let window = (400_000.0, 500_000.0);
    for (colouring, name) in [(Colouring::User, "gantt-user"), (Colouring::Wait, "gantt-wait")] {
        let figure = kinds::gantt(&result.report.run, &boxes, window, 128, Clock::of(&workload.header), colouring);
        write(&folder, name, figure)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, figure: Figure) -> std::io::Result<()> {
    let figure = Arc::new(figure);
    let sheet = Sheet { width: 620.0, height: 340.0, legend: Legend::Below };
    for (theme, side) in [(Theme::LIGHT, "light"), (Theme::DARK, "dark")] {
        let drawing = draw(&figure, &View::default(), sheet, &theme);
        std::fs::write(folder.join(format!("{name}-{side}.svg")), drawing.svg)?;
    }
    Ok(())
}
