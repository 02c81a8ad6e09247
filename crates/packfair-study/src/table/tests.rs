use super::*;
use crate::format::relative;
use packfair_engine::metric::Curves;
use std::collections::BTreeMap;

pub(super) fn result(scheduler: &str, estimate: &str, values: &[(Metric, f64)]) -> RunReport {
    let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
    let values: BTreeMap<Metric, f64> = values.iter().copied().collect();
    RunReport {
        run,
        shrink: 1.0,
        jobs: 28_480,
        values,
        curves: Curves::default(),
        wall_s: 0.0,
        machine: None,
        machine_use: None,
        is_plain: false,
        overfull: None,
        saturation: None,
        is_too_short: false,
    }
}

fn results() -> Vec<RunReport> {
    vec![
        result("justbf", "actual", &[(Metric::Bsld, 67.1), (Metric::Af, 15_887.25), (Metric::P2sf, 131_485.0)]),
        result("easy", "actual", &[(Metric::Bsld, 71.797), (Metric::Af, 15_251.0)]),
        result("easy", "requested*1.5", &[(Metric::Bsld, 20.5), (Metric::Af, 15_000.0)]),
    ]
}

const COLUMNS: [Metric; 3] = [Metric::Bsld, Metric::Af, Metric::P2sf];

fn compared() -> Table {
    Table::of(&results(), &COLUMNS, &Baseline::Scheduler("justbf".parse().unwrap()), Mode::Change)
}

#[test]
fn cells_know_value_baseline_change_and_best() {
    let table = compared();
    assert!(table.rows[0].is_baseline && !table.rows[1].is_baseline);
    let cell = table.rows[1].cells[0].unwrap();
    assert_eq!((cell.value, cell.baseline), (71.797, Some(67.1)));
    assert!((cell.change.unwrap() - 0.07).abs() < 1e-12);
    assert_eq!(cell.text(TimeUnit::Seconds), "+7\u{a0}%");
    assert_eq!(table.rows[0].cells[1].unwrap().text(TimeUnit::Seconds), "15,887");
    assert_eq!(table.rows[0].cells[1].unwrap().text(TimeUnit::Hours), "4.41");
    assert_eq!(table.rows[1].cells[2], None, "not defined for this run");
    assert_eq!(best_of(&table, 0), [true, false, false], "of the two that are compared with the same run");
    assert!(!table.rows[0].cells[2].unwrap().is_best, "alone in its column");
}

#[test]
fn a_change_from_nothing_is_without_bound() {
    let of = |first: f64, second: f64| {
        let runs = [
            result("justbf", "actual", &[(Metric::StrictUnfairness, first)]),
            result("easy", "actual", &[(Metric::StrictUnfairness, second)]),
        ];
        let baseline = Baseline::Scheduler("justbf".parse().unwrap());
        let table = Table::of(&runs, &[Metric::StrictUnfairness], &baseline, Mode::Change);
        table.rows[1].cells[0].unwrap().text(TimeUnit::Seconds)
    };
    assert_eq!(of(0.0, 5.0), "+∞\u{a0}%");
    assert_eq!(of(0.0, -5.0), "−∞\u{a0}%");
    assert_eq!(of(0.0, 0.0), "0\u{a0}%");
    assert_eq!(of(5.0, 0.0), "−100\u{a0}%");
}

fn best_of(table: &Table, column: usize) -> Vec<bool> {
    table.rows.iter().map(|row| row.cells[column].is_some_and(|cell| cell.is_best)).collect()
}

#[test]
fn each_group_with_a_common_baseline_has_its_best() {
    let afs = [
        ("justbf", "actual", 100.0),
        ("easy", "actual", 83.0),
        ("justbf", "requested", 200.0),
        ("easy", "requested", 150.0),
    ];
    let results = afs.map(|(scheduler, estimate, af)| result(scheduler, estimate, &[(Metric::Af, af)]));
    let best = |baseline: &Baseline, mode| best_of(&Table::of(&results, &[Metric::Af], baseline, mode), 0);
    let justbf = Baseline::Scheduler("justbf".parse().unwrap());
    assert_eq!(best(&justbf, Mode::Change), [false, true, false, true], "−17 % and −25 % are not on one scale");
    assert_eq!(best(&justbf, Mode::Absolute), [false, true, false, false], "values are");
    assert_eq!(best(&Baseline::None, Mode::Change), [false, true, false, false]);
}

#[test]
fn nobody_is_best_by_what_is_not_worth_acting_on() {
    let best = |metric: Metric, values: [f64; 3]| {
        let results = ["fcfs", "easy", "justbf"].into_iter().zip(values);
        let results: Vec<RunReport> = results.map(|(s, value)| result(s, "actual", &[(metric, value)])).collect();
        best_of(&Table::of(&results, &[metric], &Baseline::None, Mode::Change), 0)
    };
    let nobody = [false; 3];
    assert_eq!(best(Metric::Af, [100.0, 99.5, 100.0]), nobody, "half a per cent");
    assert_eq!(best(Metric::Af, [100.0, 98.0, 100.0]), [false, true, false]);
    assert_eq!(best(Metric::Af, [100.0, 50.0, 50.2]), nobody, "two are as good as one another");
    assert_eq!(best(Metric::Utilisation, [0.700, 0.700, 0.712]), [false, false, true]);
    assert_eq!(best(Metric::R2, [-0.5, -0.25, -0.7]), [false, true, false]);
    assert_eq!(best(Metric::Late, [0.0, 0.0, 0.0]), nobody);
    assert_eq!(best(Metric::Late, [0.0, 3.0, 2.0]), [true, false, false]);
    assert_eq!(best(Metric::Corrections, [1.0, 2.0, 3.0]), nobody, "neither more nor less is better");
}

#[test]
fn a_missing_baseline_shows_nothing_rather_than_a_value() {
    let table = compared();
    let cell = table.rows[2].cells[0].unwrap();
    assert_eq!((cell.change, cell.shown), (None, CellDisplay::Nothing));
    assert_eq!(cell.text(TimeUnit::Seconds), "–");
}

#[test]
fn what_the_baseline_does_not_report_shows_values_in_its_rows() {
    let mut results = results();
    let kills = |(result, count): (&mut RunReport, f64)| {
        result.values.insert(Metric::Kills, count);
    };
    let baseline = results[0].run.scheduler.clone();
    let others = results.iter_mut().filter(|result| result.run.scheduler != baseline);
    others.zip([7.0, 8.0, 9.0]).for_each(kills);
    let table = Table::of(&results, &[Metric::Kills], &Baseline::Run(results[0].run.clone()), Mode::Change);
    let cells: Vec<TableCell> = table.rows.iter().filter_map(|row| row.cells[0]).collect();
    assert!(!cells.is_empty() && cells.iter().all(|cell| cell.shown == CellDisplay::Value), "{cells:?}");
    assert_eq!(cells[0].text(TimeUnit::Seconds), "7", "the count, and no dash");
}

#[test]
fn without_baseline_or_in_absolute_mode_values_are_shown() {
    for (baseline, mode) in
        [(Baseline::None, Mode::Change), (Baseline::Scheduler("justbf".parse().unwrap()), Mode::Absolute)]
    {
        let table = Table::of(&results(), &COLUMNS, &baseline, mode);
        assert!(
            table.rows.iter().flat_map(|row| row.cells.iter().flatten()).all(|cell| cell.shown == CellDisplay::Value)
        );
        assert_eq!(table.caption(), "");
    }
}

#[test]
fn a_change_to_a_negative_value_keeps_its_direction() {
    // R² from −0.5 to −0.25 rises by half of 0.5.
    assert_eq!(relative(-0.25, -0.5), Some(0.5));
    assert_eq!(relative(0.0, 0.0), Some(0.0));
    assert_eq!(relative(1.0, 0.0), None);
}

#[test]
fn markdown_is_escaped_and_aligned() {
    let expected = "\
| Scheduler | Estimate | k | BSLD | AF (s) | P²SF (s) |
| --- | --- | --- | ---: | ---: | ---: |
| JustBF \\* | actual | 1 | **67.1** | 15,887 | 131,485 |
| EASY | actual | 1 | +7\u{a0}% | **−4\u{a0}%** | – |
| EASY | requested | 1.5 | – | – | – |

Change to JustBF with the same estimates.
";
    assert_eq!(markdown(&compared(), TimeUnit::Seconds), expected);
}

#[test]
fn the_best_are_bold() {
    let table = Table::of(&results(), &COLUMNS, &Baseline::None, Mode::Absolute);
    let text = markdown(&table, TimeUnit::Seconds);
    assert!(text.contains("| JustBF | actual | 1 | **67.1** | 15,887 |"), "{text}");
    assert!(text.contains("| EASY | actual | 1 | 71.8 | **15,251** |"), "{text}");
    assert!(text.contains("| 1.5 | 20.5 | 15,000 | – |"), "nobody can choose distorted estimates: {text}");
    assert!(latex(&table, TimeUnit::Seconds).contains("\\textbf{67.1}"));
}

#[test]
fn latex_sets_estimates_beside_each_other() {
    let value = |scheduler, estimate, bsld| result(scheduler, estimate, &[(Metric::Bsld, bsld), (Metric::Af, 100.0)]);
    let results = [
        value("justbf", "actual", 10.0),
        value("justbf", "requested", 20.0),
        value("easy", "actual", 9.0),
        value("easy", "requested", 30.0),
    ];
    let columns = [Metric::Bsld, Metric::Af];
    let table = Table::of(&results, &columns, &Baseline::None, Mode::Absolute);
    let text = latex(&table, TimeUnit::Seconds);
    let expected = "\\begin{tabular}{lrrrr}\n\\toprule\n \
                    & \\multicolumn{2}{c}{actual} & \\multicolumn{2}{c}{requested} \\\\\n\
                    \\cmidrule(lr){2-3}\\cmidrule(lr){4-5}\n\
                    Scheduler & BSLD & AF (s) & BSLD & AF (s) \\\\\n\\midrule\n\
                    JustBF & 10.0 & 100.0 & 20.0 & 100.0 \\\\\n";
    assert!(text.contains(expected), "{text}");
}

#[test]
fn latex_is_escaped_and_uses_booktabs() {
    let text = latex(&compared(), TimeUnit::Seconds);
    assert!(text.contains("\\begin{tabular}{lllrrr}\n\\toprule\n"));
    assert!(text.contains("Scheduler & Estimate & k & BSLD & AF & P$^2$SF \\\\\n"), "{text}");
    assert!(text.contains("\\caption{Change to "), "{text}");
    assert!(text.contains("EASY & actual & 1 & +7\\,\\% & \\textbf{$-$4\\,\\%} & -- \\\\\n"));
    let odd = result("easy:threshold=60", "actual", &[(Metric::Bsld, 1.0)]);
    let table = Table::of([&odd], &[Metric::Bsld], &Baseline::None, Mode::Absolute);
    assert!(latex(&table, TimeUnit::Seconds).contains("EASY (threshold=60) & actual & 1.00"));
}

#[test]
fn csv_and_json_carry_exact_numbers() {
    let text = csv(&compared());
    let mut reader = ::csv::Reader::from_reader(text.as_bytes());
    let headings: Vec<String> = reader.headers().unwrap().iter().map(str::to_owned).collect();
    assert_eq!(headings[..6], ["scheduler", "estimator", "k", "jobs", "BSLD", "BSLD_change"]);
    let lines: Vec<::csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(&lines[2][1], "requested*1.5");
    assert_eq!(lines[0][6].parse::<f64>().unwrap(), 15_887.25);
    assert_eq!(&lines[1][8], "", "not defined");

    let parsed: serde_json::Value = serde_json::from_str(&json(&compared())).unwrap();
    assert_eq!(parsed[0]["metrics"]["AF"].as_f64(), Some(15_887.25));
    assert_eq!(parsed[2]["estimator"], "requested*1.5");
    assert_eq!(parsed[2]["k"].as_f64(), Some(1.5));
    assert_eq!(parsed[1]["changes"]["AF"].as_f64(), Some((15_251.0 - 15_887.25) / 15_887.25));
    assert!(parsed[1]["metrics"].get("P2SF").is_none());
}

#[test]
fn the_terminal_s_columns_line_up() {
    let expected = "\
Scheduler  Estimate   k    BSLD  AF (s)  P²SF (s)
JustBF *   actual     1    67.1  15,887   131,485
EASY       actual     1    +7\u{a0}%    −4\u{a0}%         –
EASY       requested  1.5     –       –         –

Change to JustBF with the same estimates. * baseline, absolute values.
";
    assert_eq!(text(&compared(), TimeUnit::Seconds), expected);
}

#[test]
fn what_is_compared_with_the_log_s_own_schedule_comes_with_how_far_it_is_from_it() {
    let of_log = |near, gap| [(Metric::Af, 100.0), (Metric::NearerLog, near), (Metric::LogGap, gap)];
    let results =
        [result("as-logged", "requested", &of_log(1.0, 0.0)), result("easy", "requested", &of_log(0.61, 240.0))];
    let asked = columns(&[Metric::Af], &results);
    assert_eq!(asked, [Metric::Af, Metric::NearerLog, Metric::LogGap]);
    let table = Table::of(&results, &asked, &Baseline::Run(results[0].run.clone()), Mode::Change);
    let cells: Vec<String> = table.rows[1].cells.iter().map(|cell| cell.unwrap().text(TimeUnit::Seconds)).collect();
    assert_eq!(cells, ["0\u{a0}%", "61.0\u{a0}%", "240.0"], "a change of these says nothing");
    assert_eq!(table.caveats().collect::<Vec<_>>(), [AS_LOGGED_CAVEAT]);
    for render in [text, markdown, latex] {
        assert!(render(&table, TimeUnit::Seconds).contains("is not what a scheduler would bring"));
    }
    assert_eq!(columns(&asked, &results), asked, "each once");
    assert_eq!(columns(&[Metric::Af], &results[1..]), [Metric::Af], "nothing of the log stands there");
    assert_eq!(Table::of(&results[1..], &asked, &Baseline::None, Mode::Change).caveats().count(), 0);
}

#[test]
fn what_no_scheduler_reaches_is_not_the_best_and_its_bound_stands_beside_it() {
    let bound = Metric::of_note(packfair_engine::model::NoteId::LOWER_BOUND, "").unwrap();
    let results = [
        result("justbf", "actual", &[(Metric::Af, 100.0)]),
        result("opt-af", "actual", &[(Metric::Af, 75.5)]),
        result("off-af", "requested", &[(Metric::Af, 73.0), (bound, 60.5)]),
    ];
    let baseline = Baseline::Scheduler("justbf".parse().unwrap());
    let table = Table::of(&results, &[Metric::Af, bound], &baseline, Mode::Change);
    let cells = |row: usize| table.rows[row].cells.clone();
    assert!(cells(1)[0].unwrap().is_best && !cells(2)[0].unwrap().is_best);
    assert_eq!(cells(2)[1].unwrap().text(TimeUnit::Seconds), "60.5");
    assert_eq!(cells(1)[1], None);
    assert_eq!(table.caveats().collect::<Vec<_>>(), [OFFLINE_CAVEAT]);
}

#[test]
fn given_names_are_text_in_every_form() {
    let mut names = RowNames::default();
    let given = "A_1 | <b>50 %</b>, \"new\"";
    names.set(&results()[1].run, given);
    let table = compared().with_names(&names);
    let unit = TimeUnit::Seconds;
    let (markdown, latex) = (markdown(&table, unit), latex(&table, unit));
    assert!(markdown.contains("\n| A\\_1 \\| \\<b\\>50 %\\</b\\>, \"new\" | actual |"), "{markdown}");
    assert!(latex.contains("A\\_1 \\textbar{} \\textless{}b\\textgreater{}50 \\%"), "{latex}");
    let lines = csv(&table);
    let mut read = ::csv::Reader::from_reader(lines.as_bytes());
    assert_eq!(read.headers().unwrap().iter().next_back(), Some("name"));
    let last: Vec<String> = read.records().map(|line| line.unwrap().iter().next_back().unwrap().to_owned()).collect();
    assert_eq!(last, ["", given, ""]);
    let told: serde_json::Value = serde_json::from_str(&json(&table)).unwrap();
    assert_eq!((told[1]["name"].as_str(), told[1]["scheduler"].as_str()), (Some(given), Some("easy")));
    assert!(told[0]["name"].is_null());
    assert!(!csv(&compared()).contains(",name"), "no name is given");
}
