use super::*;
use crate::metric::Curves;
use std::collections::BTreeMap;

fn result(scheduler: &str, estimate: &str, values: &[(Metric, f64)]) -> RunReport {
    let run = Run { scheduler: scheduler.parse().unwrap(), estimate: estimate.parse().unwrap() };
    let values: BTreeMap<Metric, f64> = values.iter().copied().collect();
    RunReport { run, jobs: 28_480, values, curves: Curves::default(), wall_s: 0.0, overfull: None }
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
    let best: Vec<bool> = table.rows.iter().map(|row| row.cells[0].unwrap().is_best).collect();
    assert_eq!(best, [false, false, true]);
    assert!(!table.rows[0].cells[2].unwrap().is_best, "alone in its column");
}

#[test]
fn a_missing_baseline_shows_nothing_rather_than_a_value() {
    let table = compared();
    let cell = table.rows[2].cells[0].unwrap();
    assert_eq!((cell.change, cell.shown), (None, Shown::Nothing));
    assert_eq!(cell.text(TimeUnit::Seconds), "–");
}

#[test]
fn without_baseline_or_in_absolute_mode_values_are_shown() {
    for (baseline, mode) in
        [(Baseline::None, Mode::Change), (Baseline::Scheduler("justbf".parse().unwrap()), Mode::Absolute)]
    {
        let table = Table::of(&results(), &COLUMNS, &baseline, mode);
        assert!(table.rows.iter().flat_map(|row| row.cells.iter().flatten()).all(|cell| cell.shown == Shown::Value));
        assert_eq!(table.caption(), "");
    }
}

#[test]
fn a_change_to_a_negative_value_keeps_its_direction() {
    // R² from −0.5 to −0.25 has risen by half
    assert_eq!(relative(-0.25, -0.5), Some(0.5));
    assert_eq!(relative(0.0, 0.0), Some(0.0));
    assert_eq!(relative(1.0, 0.0), None);
}

#[test]
fn markdown_is_escaped_and_aligned() {
    let expected = "\
| Scheduler | Estimate | k | BSLD | AF (s) | P²SF (s) |
| --- | --- | --- | ---: | ---: | ---: |
| JustBF \\* | actual | 1 | 67.1 | 15,887 | 131,485 |
| EASY | actual | 1 | +7\u{a0}% | −4\u{a0}% | – |
| EASY | requested | 1.5 | – | – | – |

Change to JustBF with the same estimates.
";
    assert_eq!(markdown(&compared(), TimeUnit::Seconds), expected);
}

#[test]
fn the_best_are_bold() {
    let table = Table::of(&results(), &COLUMNS, &Baseline::None, Mode::Absolute);
    assert!(markdown(&table, TimeUnit::Seconds).contains("| 1.5 | **20.5** | **15,000** | – |"));
    assert!(latex(&table, TimeUnit::Seconds).contains("\\textbf{20.5}"));
}

#[test]
fn latex_is_escaped_and_uses_booktabs() {
    let text = latex(&compared(), TimeUnit::Seconds);
    assert!(text.contains("\\begin{tabular}{lllrrr}\n\\toprule\n"));
    assert!(text.contains("Scheduler & Estimate & k & BSLD & AF (s) & P$^2$SF (s) \\\\\n"));
    assert!(text.contains("EASY & actual & 1 & +7\\,\\% & $-$4\\,\\% & -- \\\\\n"));
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
