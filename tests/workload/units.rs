//! Texts that speak of what is counted, on logs that are counted in processors, in nodes and in graphics processors.

use packfair::chart::kinds::{self, Colouring, GanttView};
use packfair::chart::{AxisClock, ChartedStudy, Figure, NamedChart};
use packfair::estimator::{Estimate, Method};
use packfair::explore::Aspect;
use packfair::metric::{Grouping, Measure, Metric};
use packfair::papers::recipe::Recipe;
use packfair::scheduler::Policy;
use packfair::study::query::JobField;
use packfair::study::settings::{LogFacts, Setting};
use packfair::study::{Generated, Rules, Run, Study, Treatment, execute};
use packfair::workload::reading::{Limits, read};
use packfair::workload::{ExternalKind, Summary, Unit, read_external};

/// Checks a text that is made for each unit: in processors it has no mark, and it says the same in the others.
fn check(name: &str, text: impl Fn(Unit) -> String) {
    let plain = text(Unit::Processors);
    assert!(!plain.contains(['{', '}']), "{name}: {plain}");
    let of = |one: &str, begin: &str| plain.replace("processor", one).replace("Processor", begin);
    assert_eq!(text(Unit::Nodes), of("node", "Node"), "{name}");
    assert_eq!(text(Unit::Gpus), of("GPU", "GPU"), "{name}");
}

/// The summary of some generated jobs, as if they were counted in `unit`.
fn summary(unit: Unit) -> Summary {
    let log = Generated::Lublin { jobs: 60, processors: 16, seed: 3 }.generate();
    let mut summary = Summary::of(&Treatment::default().apply(&log).unwrap());
    summary.counting.unit = unit;
    summary
}

/// A Gantt chart without jobs, of what ran or of what was expected.
fn gantt(run: Option<&Run>, instant: Option<i64>, unit: Unit) -> Figure {
    let view = GanttView {
        window: (0.0, 9.0),
        instant,
        processors: 16,
        unit,
        clock: &AxisClock::ELAPSED,
        colouring: Colouring::Wait,
        users: &[],
        picked: None,
        gone: &[],
    };
    kinds::gantt(run, &[], view)
}

/// Figures of all kinds that need no run.
fn figures(unit: Unit) -> Vec<Figure> {
    let (study, summary) = (Study::first_visit(), summary(unit));
    let of = ChartedStudy {
        study: &study,
        summary: &summary,
        sizes: None,
        chosen: &[],
        all: &[],
        judged: &[],
        classed: &[],
        repeated: None,
    };
    let of_recipes = Recipe::all().map(|recipe| NamedChart::of_recipe(recipe.entry.id));
    let charts = of_recipes.chain([NamedChart::OF_RUNS, NamedChart::CURVES]).flatten();
    let mut figures: Vec<Figure> = charts.flat_map(|chart| chart.figures(&of)).collect();
    figures.extend([
        kinds::area_distribution(&summary.jobs_by_area, &summary.area_by_area, unit),
        kinds::widths(&summary),
        kinds::run_times(&summary),
        kinds::limits(&summary),
        kinds::overestimations(&summary),
        kinds::hours(&summary),
        kinds::weekdays(&summary),
        kinds::gaps(&summary.name, &summary.arrivals),
        kinds::estimate_density(None),
        kinds::wait_map("EASY", &[], 0.0, unit),
        kinds::wait_change_map("SAF", "EASY", &[], &[], 0.0, unit),
        kinds::reservation(&[], 0, 9, &AxisClock::ELAPSED),
        gantt(None, None, unit),
        gantt(None, Some(4), unit),
    ]);
    figures.extend(kinds::joint(&summary.arrivals, unit));
    figures
}

#[test]
fn metrics_and_fields_say_the_same_of_each_unit() {
    for metric in Metric::ALL {
        let about = metric.about();
        check(about.id, |unit| about.help.in_unit(unit));
        check(about.id, |_| about.name.to_owned());
    }
    for by in Grouping::ALL {
        check("loss", |unit| Aspect::Loss(by).help().in_unit(unit));
    }
    for field in JobField::ALL {
        let about = field.about();
        check(about.ids[0], |unit| about.help.in_unit(unit));
    }
    let told = |unit| Metric::Loc.about().help.in_unit(unit);
    assert_eq!(told(Unit::Processors), "loss of capacity: processors idle while jobs wait");
    assert_eq!(told(Unit::Gpus), "loss of capacity: GPUs idle while jobs wait");
}

#[test]
fn figures_say_the_same_of_each_unit() {
    let each = [Unit::Processors, Unit::Nodes, Unit::Gpus].map(|unit| (unit, figures(unit)));
    for (place, figure) in each[0].1.iter().enumerate() {
        let made = |unit: Unit| {
            let (_, figures) = each.iter().find(|(other, _)| *other == unit).unwrap();
            &figures[place]
        };
        check(figure.kind, |unit| made(unit).help.in_unit(unit));
        check(figure.kind, |unit| made(unit).title.clone());
        check(figure.kind, |unit| made(unit).empty.clone());
        check(figure.kind, |unit| made(unit).x.heading());
        check(figure.kind, |unit| made(unit).y.heading());
        check(figure.kind, |unit| made(unit).x.unit.name().to_owned());
        check(figure.kind, |unit| made(unit).y.unit.name().to_owned());
    }
    let width = |unit: Unit| {
        let figure = kinds::queue_width(&[], &AxisClock::ELAPSED, 16, unit);
        (figure.y.heading(), figure.help.in_unit(unit))
    };
    let (heading, help) = width(Unit::Processors);
    assert!(heading == "waiting processors" && help.starts_with("Processors that waiting jobs ask for"), "{help}");
    let (heading, help) = width(Unit::Nodes);
    assert!(heading == "waiting nodes" && help.starts_with("Nodes that waiting jobs ask for"), "{help}");
}

#[test]
fn settings_say_the_same_of_each_unit() {
    let mut study = Study::first_visit();
    study.treatment.split = Some(2);
    let mut said = Vec::new();
    for size in [1, 4] {
        study.treatment.processors = Some(size);
        for setting in Setting::all() {
            let told = |unit| {
                let summary = summary(unit);
                (setting.told)(setting, &study, &LogFacts { summary: Some(&summary), ..LogFacts::default() })
            };
            check(setting.id, |unit| told(unit).unwrap_or_default());
            for text in [setting.title, setting.help, setting.what, setting.option.help] {
                assert!(!["{unit}", "{units}", "{Units}"].iter().any(|mark| text.contains(mark)), "{text}");
            }
            said.extend(told(Unit::Nodes));
        }
    }
    for text in ["1 node", "4 nodes", "jobs of 2 nodes at most"] {
        assert!(said.iter().any(|told| told == text), "{text}: {said:?}");
    }
}

#[test]
fn names_stay_as_they_are() {
    let table = "JobID|User|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n\
                 1|processor1|2026-01-05T10:00:00|2026-01-05T10:00:05|100|5|2|8|COMPLETED\n\
                 2|processor1|2026-01-05T10:00:10|2026-01-05T10:01:45|50|5|2|8|COMPLETED\n";
    let mut log = read("processor1", table.as_bytes()).unwrap();
    // both jobs at once take four nodes
    let starts = "job,wait\n1,0\n2,0\n";
    let external =
        read_external("processor1.csv", ExternalKind::Schedule, starts.as_bytes(), Limits::default()).unwrap();
    let run = Run::new(Policy::of_file(external.file), Estimate::of(Method::actual()));
    log.external.push(external);
    let treatment = Treatment { processors: Some(3), unit: Some(Unit::Nodes), ..Treatment::default() };
    let workload = treatment.apply(&log).unwrap();
    let refused = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap_err().to_string();
    assert!(refused.starts_with("processor1") && refused.contains("4 of 3 nodes are in use."), "{refused}");

    let figure = gantt(Some(&run), None, Unit::Nodes);
    assert!(figure.title.contains("processor1"), "{}", figure.title);
    assert_eq!(figure.y.heading(), "nodes");
    let figure = kinds::wait_map("processor1", &[], 0.0, Unit::Nodes);
    assert_eq!((figure.title.as_str(), figure.y.heading().as_str()), ("Median wait, processor1", "width (nodes)"));
}
