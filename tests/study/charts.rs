//! Charts: every kind on data of every kind, drawings as XML, mappings, reduction.

use packfair::chart::kinds::{self, Charted, Colouring, GanttView};
use packfair::chart::{
    Axis, AxisClock, AxisUnit, Bar, Data, Extent, Figure, FigureBox, FigureView, Fill, Heading, Ink, Legend, Mark,
    NamedPoint, Panels, PrintWidth, Printing, ReadValue, Scale, Series, Shade, Sheet, Span, Stretch, Theme, Typeface,
    draw, draw_on, pdf, reduce_envelope, reduce_points,
};
use packfair::machine::GoneProcessors;
use packfair::metric::{Curves, Envelope, Line, Measure, Metric};
use packfair::simulation::Correction;
use packfair::study::query::{BoxPart, GanttBox};
use packfair::study::sureness::DistributionBand;
use packfair::study::{RunReport, RunResult, execute};
use packfair::workload::{Unit, UnitText, Workload};
use plotters::prelude::{IntoDrawingArea, SVGBackend};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::sync::Arc;

mod sample;

const SHEET: Sheet = Sheet { width: 620.0, height: 340.0, legend: Legend::Below, heading: Heading::Apart };

fn study() -> (Workload, Vec<RunResult>) {
    let workload = sample::workload(300, 64);
    let run = |run| execute(run, &workload, Correction::default(), &Measure::default()).unwrap();
    let results = sample::runs().iter().map(run).collect();
    (workload, results)
}

fn reports(results: &[RunResult]) -> Vec<RunReport> {
    results.iter().map(|result| result.report.clone()).collect()
}

/// Draws a figure, and checks that the drawing is well-formed, stays within its sheet and has all visible series.
fn check(figure: Figure, view: &FigureView, sheet: Sheet) -> String {
    let figure = Arc::new(figure);
    let drawing = draw(&figure, view, sheet, &Theme::LIGHT);
    let document = roxmltree::Document::parse(&drawing.svg).unwrap_or_else(|e| panic!("{}: {e}", figure.title));
    let (width, height) = (drawing.plot.sheet.width * 10.0, drawing.plot.sheet.height * 10.0);
    for node in document.descendants().filter(|n| n.is_element()) {
        let number = |name: &str| node.attribute(name).map(|v| v.parse::<f64>().unwrap());
        for (name, most) in [("x", width), ("y", height), ("cx", width), ("cy", height), ("x1", width), ("y1", height)]
        {
            if let Some(v) = number(name) {
                assert!((-1.0..=most + 1.0).contains(&v), "{}: {name}={v} of {most}", figure.title);
            }
        }
        for pair in node.attribute("points").unwrap_or_default().split_whitespace() {
            let (x, y) = pair.split_once(',').unwrap();
            let (x, y): (f64, f64) = (x.parse().unwrap(), y.parse().unwrap());
            assert!(
                (-1.0..=width + 1.0).contains(&x) && (-1.0..=height + 1.0).contains(&y),
                "{}: {pair}",
                figure.title
            );
        }
        assert!(!node.attributes().any(|a| a.value().contains("NaN") || a.value().contains("inf")), "{}", figure.title);
    }
    let drawn = document.descendants().filter(|n| n.attribute("data-series").is_some()).count();
    assert_eq!(drawn, drawing.plot.visible.len());
    drawing.svg
}

fn texts(svg: &str) -> Vec<String> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let words = document.descendants().filter(|n| n.has_tag_name("text"));
    words.map(|n| n.text().unwrap_or_default().trim().to_owned()).collect()
}

#[test]
fn every_kind_draws_a_real_study() {
    let (workload, results) = study();
    let reports = reports(&results);
    let figures = sample::figures(&workload, &reports);
    assert!(figures.len() >= 10);
    for (figure, name) in figures {
        let (x, y) = (figure.x.heading(), figure.y.heading());
        let has_data = !figure.series.is_empty();
        let svg = check(figure, &FigureView::default(), SHEET);
        let words = texts(&svg);
        let has = |title: &str| words.iter().any(|w| w.contains(title));
        assert!(
            has_data && has(&y) && (has(&x) || x.starts_with("time") && has("time (Europe/Stockholm)")),
            "{name}: {words:?}"
        );
        assert!(svg.contains("data-series"), "{name} has no series");
        // at least three ticks on each side, and the two titles
        assert!(words.len() >= 8, "{name}: {words:?}");
    }
}

/// Whether a person can tell from an axis what its values are, and how far apart they lie.
fn is_readable(axis: &Axis, ticks: usize) -> bool {
    // one name may be all that there is
    let least = if let AxisUnit::Names(names) = &axis.unit { names.len().min(2) } else { 2 };
    ticks >= least && !axis.heading().trim().is_empty()
}

#[test]
fn every_kind_has_two_ticks_and_a_heading_on_each_axis_however_small_or_zoomed() {
    let (workload, results) = study();
    for (figure, name) in sample::figures(&workload, &reports(&results)) {
        let figure = Arc::new(figure);
        for (width, height) in [(260.0, 200.0), (340.0, 211.0), (437.0, 271.0), (900.0, 380.0)] {
            let sheet = Sheet { width, height, legend: Legend::Apart, heading: Heading::Apart };
            let whole = draw(&figure, &FigureView::default(), sheet, &Theme::LIGHT).plot;
            let part = |from: f64, to: f64| Some((whole.full_x.value(from), whole.full_x.value(to)));
            let is_named = matches!(figure.x.unit, AxisUnit::Names(_));
            let windows = if is_named { vec![None] } else { vec![None, part(0.41, 0.59), part(0.503, 0.508)] };
            for x in windows {
                let view = FigureView { x, ..FigureView::default() };
                let plot = draw(&figure, &view, sheet, &Theme::LIGHT).plot;
                let across: Vec<&str> = plot.x_ticks.major.iter().map(|tick| tick.label.as_str()).collect();
                let up: Vec<&str> = plot.y_ticks.major.iter().map(|tick| tick.label.as_str()).collect();
                assert!(is_readable(&figure.x, across.len()), "{name}, {width} wide, {x:?}, across: {across:?}");
                assert!(is_readable(&figure.y, up.len()), "{name}, {width} wide, {x:?}, up: {up:?}");
            }
        }
    }
}

#[test]
fn a_gantt_chart_has_a_box_for_each_box() {
    let (workload, results) = study();
    let boxes = sample::boxes(&workload, &results[1].schedule.starts);
    let end = boxes.iter().map(|b| b.span.1).max().unwrap() as f64;
    let clock = AxisClock::ELAPSED;
    let view = |colouring| GanttView {
        window: (0.0, end),
        instant: None,
        processors: 64,
        unit: Unit::Processors,
        clock: &clock,
        colouring,
        picked: None,
        users: &[],
        gone: &[],
    };
    for colouring in [Colouring::User, Colouring::Wait] {
        let run = &results[1].report.run;
        let figure = kinds::gantt(Some(run), &boxes, view(colouring));
        let svg = check(figure, &FigureView::default(), SHEET);
        assert_eq!(svg.matches("<rect ").count(), boxes.len(), "a Gantt chart has no other rectangles");
    }
    let reserved: Vec<_> = boxes.iter().map(|b| GanttBox { part: BoxPart::Reserved, ..b.clone() }).collect();
    let figure = kinds::gantt(None, &reserved, view(Colouring::User));
    let svg = check(figure, &FigureView::default(), SHEET);
    assert_eq!(svg.matches("<rect ").count(), boxes.len());
    assert!(svg.matches("<polyline ").count() > boxes.len(), "each has a rim");
    let picked = GanttView { picked: Some(boxes[0].job), ..view(Colouring::User) };
    let lines =
        |view| check(kinds::gantt(None, &boxes, view), &FigureView::default(), SHEET).matches("<polyline ").count();
    let own = boxes.iter().filter(|b| b.job == boxes[0].job).count();
    assert_eq!(lines(picked), lines(view(Colouring::User)) + own, "the picked job has an outline");
    let away = GoneProcessors { from: 0, until: i64::MAX, first: 60, count: 4 };
    let gone = GanttView { gone: &[away], ..view(Colouring::User) };
    assert!(lines(gone) > lines(view(Colouring::User)), "what is away is hatched");
    let users = kinds::gantt_key(&boxes, Colouring::User, &[boxes[0].user]);
    assert_eq!((users[0].1.clone(), users[1].1.as_str()), (format!("user {}", boxes[0].user), "others"));
    let waits = kinds::gantt_key(&boxes, Colouring::Wait, &[]);
    assert_eq!((waits.len(), waits[0].1.as_str()), (5, "0\u{a0}s"), "from no wait to the longest");
    let figure = kinds::gantt(Some(&results[1].report.run), &[], view(Colouring::User));
    assert!(check(figure, &FigureView::default(), SHEET).contains("No job runs in this window"));
}

#[test]
fn nothing_to_show_is_said() {
    let (workload, _) = study();
    for (figure, name) in sample::figures(&workload, &[]) {
        let why = figure.empty.clone();
        let is_empty = figure.series.iter().all(|s| s.data.is_empty());
        let svg = check(figure, &FigureView::default(), SHEET);
        if is_empty {
            assert!(!why.is_empty() && svg.contains(&why[..20]), "{name}");
        }
    }
}

/// Reports with curves of one point, of no point, and with values that make no sense.
fn odd_reports() -> Vec<RunReport> {
    let odd = |line: Line, envelope: Envelope| Curves {
        policies: Line::default(),
        cwa: line.clone(),
        waits: line.clone(),
        responses: line.clone(),
        slowdowns: line.clone(),
        queue_lengths: line.clone(),
        strict_unfairness: line.clone(),
        relaxed_unfairness: line.clone(),
        queue_jobs: envelope.clone(),
        queue_width: envelope.clone(),
        counted_jobs: envelope.clone(),
        counted_width: envelope.clone(),
        power: envelope.clone(),
        utilisation: envelope,
        offered: line,
    };
    let single = |x: f64, y: f64| {
        odd(
            Line { x: vec![x], y: vec![y] },
            Envelope { begin: x, step: 1.0, low: vec![y], high: vec![y], mean: vec![y] },
        )
    };
    let nonsense = odd(
        Line { x: vec![f64::NEG_INFINITY, 0.0, 0.0, f64::NAN, 1e308], y: vec![f64::NAN, 0.0, -1e308, 1e308] },
        Envelope {
            begin: -1e300,
            step: 1e299,
            low: vec![f64::NAN, f64::INFINITY, -1e308],
            high: vec![f64::NAN, f64::NEG_INFINITY, 1e308],
            mean: vec![0.0, f64::NAN, 0.0, 5.0],
        },
    );
    let broken =
        odd(Line::default(), Envelope { begin: f64::NAN, step: 0.0, low: vec![1.0], high: vec![2.0], mean: vec![1.0] });
    let curves = [Curves::default(), single(0.0, 0.0), single(5.0, 5.0), single(1e18, -3.0), nonsense, broken];
    let runs = sample::runs();
    let report = |(i, curves): (usize, Curves)| RunReport {
        run: runs[i].clone(),
        shrink: 1.0,
        saturation: None,
        is_too_short: false,
        jobs: 0,
        values: [(Metric::Awf, [0.0, f64::MAX, 1.0][i % 3]), (Metric::P2sf, [0.0, 1e-300, f64::MAX][i % 3])].into(),
        curves,
        wall_s: 0.0,
        machine: None,
        machine_use: None,
        is_plain: false,
        overfull: None,
    };
    curves.into_iter().enumerate().map(report).collect()
}

#[test]
fn odd_data_draw_without_panic() {
    let (workload, _) = study();
    let odd = odd_reports();
    let views = [
        FigureView::default(),
        FigureView { x_scale: Some(Scale::Log), y_scale: Some(Scale::Log), ..FigureView::default() },
        FigureView { x: Some((3.0, 3.0)), ..FigureView::default() },
        FigureView { x: Some((f64::NAN, -1e300)), hidden: vec![0, 99], ..FigureView::default() },
    ];
    for one in 0..=odd.len() {
        let shown = if one == odd.len() { &odd[..] } else { &odd[one..=one] };
        for (figure, _) in sample::figures(&workload, shown) {
            for view in &views {
                for (width, height) in [(620.0, 340.0), (0.0, 0.0), (300.0, 90.0), (f64::NAN, 1e9)] {
                    check(
                        figure.clone(),
                        view,
                        Sheet { width, height, legend: Legend::Apart, heading: Heading::Apart },
                    );
                }
            }
        }
    }
}

fn plain(data: Vec<Data>, x: Axis, y: Axis) -> Figure {
    let series = data.into_iter().enumerate().map(|(i, data)| Series {
        name: format!("series {i}"),
        data,
        ink: Ink::Series(i),
        run: None,
    });
    Figure {
        kind: "test",
        title: "Test".to_owned(),
        common: String::new(),
        help: UnitText::new(""),
        source: "",
        x,
        y,
        series: series.collect(),
        marks: vec![Mark::X { at: f64::NAN, label: "no".to_owned() }],
        empty: String::new(),
    }
}

#[test]
fn two_thousand_series_stay_drawable() {
    let line = |i: usize| Line {
        x: (0..600).map(f64::from).collect(),
        y: (0..600).map(|x| f64::from(x * (i as u32 + 1))).collect(),
    };
    let data = (0..2_000).map(|i| Data::Line(line(i))).collect();
    let figure = plain(data, Axis::linear("x", AxisUnit::Number("")), Axis::linear("y", AxisUnit::Number("")));
    let svg = check(figure, &FigureView::default(), SHEET);
    assert!(svg.len() < 4_000_000, "{} bytes", svg.len());
    assert!(svg.contains(" more"));
}

#[test]
fn names_from_logs_cannot_become_markup() {
    let evil = "<script>alert(1)</script> & \"quotes' \u{1}\u{0}\u{ffff}";
    let point = Data::NamedPoints(vec![NamedPoint { x: 1.0, y: 1.0, name: evil.to_owned() }]);
    let steps = Data::Steps { line: Line { x: vec![1.0], y: vec![1.0] }, before: None };
    let mut figure =
        plain(vec![point, steps], Axis::linear(evil, AxisUnit::Number("")), Axis::linear(evil, AxisUnit::Number("")));
    figure.title = evil.to_owned();
    figure.series[0].name = evil.to_owned();
    figure.marks = vec![Mark::Y { at: 1.0, label: evil.to_owned() }];
    let svg = check(figure, &FigureView::default(), Sheet { width: 2_000.0, ..SHEET });
    assert!(!svg.contains("<script"));
    let document = roxmltree::Document::parse(&svg).unwrap();
    let title = document.descendants().find(|n| n.has_tag_name("title")).and_then(|n| n.text()).unwrap();
    assert_eq!(title, "<script>alert(1)</script> & \"quotes' ");
    assert!(texts(&svg).iter().any(|t| t.contains("<script>alert(1)</script>")));
}

#[test]
fn names_that_have_no_room_are_told_by_numbers() {
    let names: Vec<String> = (1..=20).map(|place| format!("what job {place} asked for")).collect();
    let x = Axis::linear("feature", AxisUnit::Names(names.clone().into())).with_extent(Extent::Fixed(-1.0, 20.0));
    let line = Data::Line(Line { x: (0..20).map(f64::from).collect(), y: vec![1.0; 20] });
    let figure = Arc::new(plain(vec![line], x, Axis::linear("y", AxisUnit::Number(""))));
    let plot = |view: &FigureView, sheet: Sheet| draw(&figure, view, sheet, &Theme::LIGHT).plot;
    let beside = plot(&FigureView::default(), Sheet { legend: Legend::Apart, ..SHEET });
    let ticks: Vec<&str> = beside.x_ticks.major.iter().map(|tick| tick.label.as_str()).collect();
    assert_eq!((ticks.len(), ticks[0], ticks[19]), (20, "1", "20"));
    assert!(beside.notes[0].starts_with("1 what job 1 asked for, 2 what job 2"), "{:?}", beside.notes);
    let saved = plot(&FigureView::default(), SHEET);
    let told: Vec<&str> = saved.legend.iter().flatten().map(|item| item.text.as_str()).collect();
    assert_eq!((told.len(), told[19]), (20, "20 what job 20 asked for"));
    assert!(saved.notes.is_empty() && saved.rect.bottom() < beside.rect.bottom());
    // two names have room
    let two = FigureView { x: Some((0.0, 1.0)), ..FigureView::default() };
    let near = plot(&two, SHEET);
    assert_eq!(near.x_ticks.major[0].label, names[0]);
    assert!(near.legend.is_empty());
}

#[test]
fn a_saved_chart_tells_the_name_of_each_point_however_close_they_lie() {
    let name = |i: usize| format!("scheduler {i} (requested)");
    let point =
        |i: usize| NamedPoint { x: 1.0 + (i % 5) as f64 * 0.001, y: 1.0 + (i / 5) as f64 * 0.001, name: name(i) };
    let mut data: Vec<Data> = (0..24).map(|i| Data::NamedPoints(vec![point(i)])).collect();
    // one far away, so that the others lie in a heap
    data.push(Data::NamedPoints(vec![NamedPoint { x: 9.0, y: 9.0, name: name(24) }]));
    let figure =
        Arc::new(plain(data, Axis::linear("x", AxisUnit::Number("")), Axis::linear("y", AxisUnit::Number(""))));
    let sheet = Printing::default().sheet(1);
    let saved = draw(&figure, &FigureView::default(), sheet, &Theme::LIGHT);
    let words = texts(&saved.svg);
    for i in 0..25 {
        let is_told = |word: &String| {
            let number = word.strip_suffix(&name(i)).map(str::trim);
            // a number in the key stands beside a point, too
            number.is_some_and(|number| number.is_empty() || words.iter().filter(|word| *word == number).count() >= 1)
        };
        assert!(words.iter().any(is_told), "{}: {words:?}", name(i));
    }
    assert!(
        saved.plot.sheet.height > sheet.height && saved.plot.rect.height > 100.0,
        "the key takes no room of the plot"
    );
    let on_screen = draw(&figure, &FigureView::default(), Sheet { legend: Legend::Apart, ..sheet }, &Theme::LIGHT).plot;
    assert_eq!((on_screen.sheet.height, on_screen.legend.len()), (sheet.height, 0), "tips tell them there");
    // beside another one in a row, and what is below begins where the higher one ends
    let low = draw(
        &Arc::new(plain(vec![], Axis::linear("x", AxisUnit::Number("")), Axis::linear("y", AxisUnit::Number("")))),
        &FigureView::default(),
        sheet,
        &Theme::LIGHT,
    );
    let panels = Panels::of(vec![saved.clone(), low.clone(), low], 2, &Theme::LIGHT);
    assert!(panels.panels[2].at.1 > saved.plot.sheet.height && panels.height < 2.5 * saved.plot.sheet.height);
}

#[test]
fn what_a_logarithmic_axis_cannot_place_is_said() {
    let steps = Data::Steps { line: Line { x: vec![0.0, 30.0, 4_000.0], y: vec![0.4, 0.7, 1.0] }, before: Some(0.0) };
    let figure =
        Arc::new(plain(vec![steps], Axis::log("wait", AxisUnit::Duration), Axis::linear("share", AxisUnit::Fraction)));
    let drawing = draw(&figure, &FigureView::default(), SHEET, &Theme::DARK);
    assert_eq!(drawing.plot.x.from(), 10.0);
    assert_eq!(drawing.plot.notes.len(), 1);
    assert_eq!(drawing.plot.read_at(10.0)[0].value, ReadValue::One(0.4));
    let linear = FigureView { x_scale: Some(Scale::Linear), ..FigureView::default() };
    assert!(draw(&figure, &linear, SHEET, &Theme::DARK).plot.notes.is_empty());
}

/// The outline of the only band of a drawing, in its pixels.
fn outline(svg: &str) -> Option<Vec<(f64, f64)>> {
    let document = roxmltree::Document::parse(svg).unwrap();
    let mut bands = document.descendants().filter(|n| n.has_tag_name("polygon"));
    let points = bands.next()?.attribute("points")?.split_whitespace();
    let point = |pair: &str| pair.split_once(',').map(|(x, y)| (x.parse().unwrap(), y.parse().unwrap()));
    assert!(bands.next().is_none());
    Some(points.map(|pair| point(pair).unwrap()).collect())
}

#[test]
fn a_distribution_s_band_keeps_within_the_axes_and_tells_its_bounds() {
    let line = Line { x: vec![0.0, 30.0, 4_000.0], y: vec![0.4, 0.7, 1.0] };
    let band = DistributionBand {
        x: vec![0.0, 1.0, 20.0, 40.0, 5_000.0, 8_000.0],
        low: vec![0.25, 0.25, 0.5, 0.6, 0.9, 1.0],
        high: vec![0.5, 0.55, 0.75, 0.8, 1.0, 1.0],
    };
    let steps = Data::RangedSteps { line, before: Some(0.0), band };
    let share = Axis::linear("share", AxisUnit::Fraction).with_extent(Extent::Fixed(0.0, 1.0));
    let figure = plain(vec![steps], Axis::log("wait", AxisUnit::Duration), share);
    let linear = FigureView { x_scale: Some(Scale::Linear), ..FigureView::default() };
    // 0 and 1 are not on an axis that begins at 10
    for (view, all) in [(FigureView::default(), 8), (linear.clone(), 10)] {
        let zoomed = |from, to| FigureView { x: Some((from, to)), ..view.clone() };
        let [whole, between, within] =
            [view.clone(), zoomed(25.0, 3_000.0), zoomed(50.0, 60.0)].map(|view| check(figure.clone(), &view, SHEET));
        assert_eq!(outline(&whole).unwrap().len(), all, "cut where the line ends");
        assert_eq!(outline(&between).unwrap().len(), 6, "cut at both ends");
        assert_eq!(outline(&within).unwrap().len(), 4, "a stretch between two points");
        assert_eq!(outline(&check(figure.clone(), &zoomed(9_000.0, 9_900.0), SHEET)), None, "beyond it");
    }
    let plot = draw(&Arc::new(figure.clone()), &linear, SHEET, &Theme::LIGHT).plot;
    let at = |x: f64| plot.read_at(x)[0].value;
    assert_eq!(at(30.0), ReadValue::Band { until: 30.0, low: 0.55, mean: 0.7, high: 0.775 });
    assert_eq!(at(9_000.0), ReadValue::Band { until: 9_000.0, low: 1.0, mean: 1.0, high: 1.0 });
    let table = figure.to_csv();
    assert!(table.contains(",30,,0.7,,") && table.contains(",20,,,0.5,0.75"), "{table}");
}

#[test]
fn values_are_read_exactly() {
    let line = Line { x: vec![1.0, 2.0, 4.0], y: vec![10.0, 20.0, 5.0] };
    let envelope = Envelope { begin: 0.0, step: 2.0, low: vec![1.0, 2.0], high: vec![3.0, 9.0], mean: vec![2.0, 4.0] };
    let data = vec![
        Data::Line(line.clone()),
        Data::Steps { line, before: Some(0.0) },
        Data::Envelope(envelope),
        Data::Bars(vec![Bar { from: 0.0, to: 4.0, height: 7.0 }]),
    ];
    let figure =
        Arc::new(plain(data, Axis::linear("x", AxisUnit::Number("")), Axis::linear("y", AxisUnit::Number(""))));
    let plot = draw(&figure, &FigureView::default(), SHEET, &Theme::LIGHT).plot;
    let at = |x: f64| plot.read_at(x).into_iter().map(|r| r.value).collect::<Vec<_>>();
    let bar = ReadValue::Bar { until: 4.0, height: 7.0 };
    let first = ReadValue::Band { until: 2.0, low: 1.0, mean: 2.0, high: 3.0 };
    let second = ReadValue::Band { until: 4.0, low: 2.0, mean: 4.0, high: 9.0 };
    assert_eq!(at(0.5), [ReadValue::One(10.0), ReadValue::One(0.0), first, bar]);
    assert_eq!(at(2.9), [ReadValue::One(20.0), ReadValue::One(20.0), second, bar]);
    assert_eq!(at(3.1), [ReadValue::One(5.0), ReadValue::One(20.0), second, bar]);
    assert_eq!(at(9.0), [ReadValue::One(5.0), ReadValue::One(5.0)]);
    let hidden = FigureView { hidden: vec![0, 1, 2], ..FigureView::default() };
    assert_eq!(draw(&figure, &hidden, SHEET, &Theme::LIGHT).plot.read_at(1.0).len(), 1);
}

#[test]
fn a_band_tells_what_holds_where_one_points() {
    let stretch = |from: f64, until: f64, lane| Stretch { x: (from, until), lane };
    let figure = |lanes: &[&str], stretches: [Vec<Stretch>; 2]| {
        let lanes: Vec<String> = lanes.iter().map(|&lane| lane.to_owned()).collect();
        let bands = stretches.map(|stretches| Data::Band { stretches, lanes: lanes.clone() });
        let line = Data::Line(Line { x: vec![0.0, 5.0, 10.0], y: vec![1.0, 2.0, 3.0] });
        let data = bands.into_iter().chain([line]).collect();
        Arc::new(plain(data, Axis::linear("x", AxisUnit::Number("")), Axis::linear("y", AxisUnit::Number(""))))
    };
    let said = |figure: &Arc<Figure>, view: &FigureView, x: f64| {
        let plot = draw(figure, view, SHEET, &Theme::LIGHT).plot;
        let readings = plot.read_at(x);
        assert_eq!(plot.say_place(x, &readings), plot.say_place(x, &readings[readings.len() - 1..]), "not the band's");
        let of_bands = readings.iter().filter(|reading| reading.series < 2);
        of_bands.map(|reading| (reading.series, plot.say_value(reading))).collect::<Vec<_>>()
    };
    let whole = FigureView::default();
    let one = figure(&["dynP"], [vec![stretch(0.0, 4.0, 0), stretch(6.0, 10.0, 0)], vec![stretch(4.0, 6.0, 0)]]);
    assert_eq!(said(&one, &whole, 3.0), [(0, "0 to 4".to_owned())]);
    assert_eq!(said(&one, &whole, 4.0), [(1, "4 to 6".to_owned())]);
    let zoomed = FigureView { x: Some((3.0, 5.0)), ..FigureView::default() };
    assert_eq!(said(&one, &zoomed, 3.5), [(0, "0 to 4".to_owned())], "a stretch may begin before the window");
    let two = figure(&["ART", "MS"], [vec![stretch(0.0, 9.0, 0), stretch(0.0, 5.0, 1)], vec![stretch(5.0, 9.0, 1)]]);
    assert_eq!(said(&two, &whole, 3.0), [(0, "ART".to_owned()), (0, "MS".to_owned())]);
    assert_eq!(said(&two, &whole, 7.0), [(0, "ART".to_owned()), (1, "MS".to_owned())]);
}

#[test]
fn the_nearest_thing_is_found() {
    let points = |x: f64| Data::NamedPoints(vec![NamedPoint { x, y: x, name: String::new() }]);
    let fill = Fill::Hatched;
    let block = Data::Blocks(vec![FigureBox {
        x: (4.0, 6.0),
        y: (0.0, 1.0),
        shade: Shade::Level(0.5),
        fill,
        is_outlined: false,
    }]);
    let x = Axis::linear("x", AxisUnit::Number("")).with_extent(Extent::Fixed(0.0, 10.0));
    let figure = Arc::new(plain(vec![points(2.0), points(8.0), block], x.clone(), x));
    let plot = draw(&figure, &FigureView::default(), SHEET, &Theme::LIGHT).plot;
    let near = |x: f64, y: f64| {
        let (px, py) = plot.to_pixel(x, y);
        plot.nearest(px + 2.0, py, 12.0).map(|hit| hit.series)
    };
    assert_eq!([near(2.0, 2.0), near(8.0, 8.0), near(5.0, 0.5), near(5.0, 5.0)], [Some(0), Some(1), Some(2), None]);
}

#[test]
fn every_figure_is_printed_in_every_size() {
    let (workload, results) = study();
    for (figure, name) in sample::figures(&workload, &reports(&results)) {
        let figure = Arc::new(figure);
        for width in PrintWidth::ALL {
            for (typeface, has_colours) in [(Typeface::Sans, true), (Typeface::Serif, false)] {
                let printing =
                    Printing { width, typeface, has_colours, has_title: !has_colours, ..Printing::default() };
                let drawing = draw(&figure, &FigureView::default(), printing.sheet(1), &printing.theme());
                roxmltree::Document::parse(&drawing.svg).unwrap();
                assert_eq!(drawing.svg.contains("Times New Roman"), !has_colours, "{name}");
                let file = pdf(&Panels::of(vec![drawing.clone()], 1, &printing.theme()), &printing.theme(), "a log");
                let has = |what: &[u8]| file.windows(what.len()).any(|part| part == what);
                assert!(file.starts_with(b"%PDF-1.") && has(b"%%EOF") && has(b"/WinAnsiEncoding"), "{name}");
                assert_eq!((has(b"/Helvetica"), has(b"/Times-Roman")), (has_colours, !has_colours), "{name}");
                assert!(has(b" Tj"), "{name} has words");
            }
        }
    }
}

#[test]
fn lines_are_told_apart_without_colours() {
    let lines = (0..4).map(|i| Data::Line(Line { x: vec![0.0, 1.0], y: vec![f64::from(i), 1.0] })).collect();
    let axis = || Axis::linear("x", AxisUnit::Number(""));
    let figure = Arc::new(plain(lines, axis(), axis()));
    let grey = Printing { has_colours: false, ..Printing::default() };
    let svg = draw(&figure, &FigureView::default(), grey.sheet(1), &grey.theme()).svg;
    let patterns: std::collections::BTreeSet<&str> = svg
        .match_indices("data-series=")
        .map(|(i, _)| {
            svg[i..].split_once('>').unwrap().0.split_once("stroke-dasharray").map_or("solid", |parts| parts.1)
        })
        .collect();
    assert_eq!(patterns.len(), 4, "{patterns:?}");
}

#[test]
fn any_back_end_can_be_drawn_on_at_any_density() {
    let (workload, results) = study();
    for (figure, name) in sample::figures(&workload, &reports(&results)) {
        let plot = draw(&Arc::new(figure), &FigureView::default(), SHEET, &Theme::LIGHT).plot;
        let mut document = String::new();
        draw_on(&SVGBackend::with_string(&mut document, (1_240, 680)).into_drawing_area(), &plot, &Theme::DARK)
            .unwrap();
        let parsed = roxmltree::Document::parse(&document).unwrap();
        assert!(parsed.descendants().count() > 40, "{name}");
    }
}

#[test]
fn data_are_given_in_full() {
    let (_, results) = study();
    let reports = reports(&results);
    let figure = kinds::queue_jobs(&[Charted { report: &reports[0], ink: Ink::Series(0) }], &AxisClock::ELAPSED);
    let csv = figure.to_csv();
    let envelope = &reports[0].curves.queue_jobs;
    assert_eq!(csv.lines().count(), envelope.low.len() + 1);
    let second: Vec<&str> = csv.lines().nth(2).unwrap().split(',').collect();
    assert_eq!(second[3].parse::<f64>().unwrap(), envelope.mean[1]);
    assert_eq!(second[5].parse::<f64>().unwrap(), envelope.high[1]);
    assert_eq!(
        figure.describe(),
        "Queue: waiting jobs against time since the log's start of JustBF (estimates: actual)"
    );
    assert_eq!(figure.key_values().len(), 1);
}

fn series() -> impl Strategy<Value = Line> {
    prop::collection::vec((0.0..1e6f64, -1e3..1e3f64), 1..400).prop_map(|mut points| {
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (x, y) = points.into_iter().unzip();
        Line { x, y }
    })
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 200,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2022),
        ..ProptestConfig::default()
    })]

    #[test]
    fn pixels_and_values_are_inverse(from in 1e-3..1e6f64, factor in 1.01..1e6f64, px in 60.0..560.0f64, py in 40.0..280.0f64, scale in 0..3usize) {
        let scale = [Scale::Linear, Scale::Log, Scale::Log2][scale];
        let axis = Axis { scale, ..Axis::linear("x", AxisUnit::Number("")).with_extent(Extent::Fixed(from, from * factor)) };
        let steps = Data::Steps { line: Line { x: vec![from], y: vec![from] }, before: None };
        let figure = Arc::new(plain(vec![steps], axis.clone(), axis));
        let plot = draw(&figure, &FigureView::default(), SHEET, &Theme::LIGHT).plot;
        let (x, y) = plot.to_value(px, py);
        let (px2, py2) = plot.to_pixel(x, y);
        prop_assert!((px - px2).abs() < 1e-6 && (py - py2).abs() < 1e-6);
    }

    #[test]
    fn reduction_keeps_extremes_and_ends(line in series(), columns in 1..200usize) {
        let (first, last) = (line.x[0], line.x[line.x.len() - 1]);
        let span = Span::new(Scale::Linear, first, last);
        let kept = reduce_points(&line, &span, columns);
        let lowest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::INFINITY, f64::min);
        let highest = |values: &mut dyn Iterator<Item = f64>| values.fold(f64::NEG_INFINITY, f64::max);
        prop_assert_eq!(lowest(&mut kept.iter().map(|p| p.1)), lowest(&mut line.y.iter().copied()));
        prop_assert_eq!(highest(&mut kept.iter().map(|p| p.1)), highest(&mut line.y.iter().copied()));
        prop_assert_eq!(kept[0], (line.x[0], line.y[0]));
        prop_assert_eq!(kept[kept.len() - 1].1, line.y[line.y.len() - 1]);
        prop_assert!(kept.len() <= 4 * (columns + 2));
        prop_assert!(kept.is_sorted_by(|a, b| a.0 <= b.0));
    }

    #[test]
    fn joined_bins_keep_extremes(bins in prop::collection::vec((0.0..50.0f64, 0.0..50.0f64), 1..300), columns in 1..100usize) {
        let low: Vec<f64> = bins.iter().map(|b| b.0).collect();
        let high: Vec<f64> = bins.iter().map(|b| b.0 + b.1).collect();
        let mean: Vec<f64> = bins.iter().map(|b| b.0 + b.1 / 2.0).collect();
        let envelope = Envelope { begin: 5.0, step: 2.0, low, high, mean };
        let span = Span::new(Scale::Linear, 5.0, 5.0 + 2.0 * bins.len() as f64);
        let joined = reduce_envelope(&envelope, &span, columns);
        let highest = |values: &[f64]| values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let lowest = |values: &[f64]| values.iter().copied().fold(f64::INFINITY, f64::min);
        prop_assert!(joined.low.len() <= columns);
        prop_assert_eq!(highest(&joined.high), highest(&envelope.high));
        prop_assert_eq!(lowest(&joined.low), lowest(&envelope.low));
    }
}
