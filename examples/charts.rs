//! Draws the charts of a study into a folder, in both themes: `cargo run --example charts -- FOLDER [LOG]`. Without
//! LOG, of a sample.

use packfair::chart::kinds::{self, Colouring, GanttView};
use packfair::chart::{AxisClock, Figure, FigureView, Heading, Legend, Sheet, Theme, draw};
use packfair::metric::Measure;
use packfair::simulation::Correction;
use packfair::study::query::GanttBox;
use packfair::study::{Run, RunReport, Treatment, execute};
use packfair::workload::{Summary, reading};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[path = "../tests/study/charts/sample.rs"]
mod sample;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let Some(folder) = std::env::args().nth(1).map(PathBuf::from) else {
        eprintln!("usage: charts FOLDER [LOG]");
        std::process::exit(2);
    };
    std::fs::create_dir_all(&folder)?;
    let workload = match std::env::args().nth(2) {
        None => sample::workload(4_000, 128),
        Some(log) => Treatment::default().apply(&reading::read(&log, std::fs::File::open(&log)?)?)?,
    };
    let runs: Vec<Run> = sample::runs();
    let measured = |run| execute(run, &workload, Correction::default(), &Measure::default());
    let results = runs.iter().map(measured).collect::<Result<Vec<_>, _>>()?;
    let reports: Vec<RunReport> = results.iter().map(|result| result.report.clone()).collect();
    for (figure, name) in sample::figures(&workload, &reports) {
        write(&folder, &name, figure)?;
    }
    let result = &results[1];
    let boxes = sample::boxes(&workload, &result.schedule.starts);
    let clock = AxisClock::of(&Summary::of(&workload).clock);
    // a day from the middle of the log
    let middle = workload.requests()[workload.len() / 2].submit as f64;
    let window = (middle, middle + 86_400.0);
    let seen = |b: &GanttBox| (b.span.1 as f64) > window.0 && (b.span.0 as f64) < window.1;
    let boxes: Vec<GanttBox> = boxes.into_iter().filter(seen).collect();
    let processors = workload.machine.processors;
    for (colouring, name) in [(Colouring::User, "gantt-user"), (Colouring::Wait, "gantt-wait")] {
        let view = GanttView {
            window,
            instant: None,
            processors,
            unit: workload.counting().unit,
            clock: &clock,
            colouring,
            users: &[],
            picked: None,
            gone: &[],
        };
        let figure = kinds::gantt(Some(&result.report.run), &boxes, view);
        write(&folder, name, figure)?;
    }
    Ok(())
}

fn write(folder: &Path, name: &str, figure: Figure) -> std::io::Result<()> {
    let figure = Arc::new(figure);
    let sheet = Sheet { width: 620.0, height: 340.0, legend: Legend::Below, heading: Heading::Apart };
    for (theme, side) in [(Theme::LIGHT, "light"), (Theme::DARK, "dark")] {
        let drawing = draw(&figure, &FigureView::default(), sheet, &theme);
        std::fs::write(folder.join(format!("{name}-{side}.svg")), drawing.svg)?;
    }
    Ok(())
}
