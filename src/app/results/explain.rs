//! The hints of the table: the meaning and origin of a heading, a run or a cell.

use super::comparison::RunAndBaseline;
use super::row::{estimate, name, scheduler_help};
use crate::app::late;
use crate::app::notices::sentence;
use crate::app::widget::Hint;
use packfair_engine::metric::{Aim, Metric};
use packfair_study::format::{self, TimeUnit};
use packfair_study::policy_facts;
use packfair_study::table::{CellDisplay, FOLDED, TableCell};
use packfair_study::verdict::Side;
use packfair_workload::Unit;

/// The hint of a column's heading.
pub fn heading(metric: Metric, counted: Unit) -> Hint {
    let about = metric.about();
    let aim = match about.aim {
        Aim::Low => "Less is better.",
        Aim::High => "More is better.",
        Aim::None => "Neither more nor less is better.",
    };
    let unit = match about.unit {
        "s" => "seconds",
        "" => "none, a ratio",
        other => other,
    };
    Hint {
        title: format!("{}: {}", about.name, about.help.in_unit(counted)),
        formula: Some(about.formula.to_owned()),
        facts: vec![("Unit".to_owned(), unit.to_owned()), ("Source".to_owned(), about.source.to_owned())],
        notes: vec![aim.to_owned(), "Click to sort; arrow down opens the column's menu.".to_owned()],
    }
}

pub fn run(row: &RunAndBaseline) -> Hint {
    let method = &row.run.estimate.method;
    let family = row.run.scheduler.family().entry;
    let policies = row.result.iter().flat_map(|result| policy_facts(&result.noted));
    let policies = policies.map(|(label, said)| (label.to_owned(), said));
    Hint {
        title: row.given.as_ref().map_or_else(|| name(&row.run), |given| format!("{given}: {}", name(&row.run))),
        formula: None,
        facts: [
            ("Scheduler".to_owned(), format!("{} ({})", scheduler_help(&row.run), family.source)),
            ("Estimate".to_owned(), format!("{} ({})", method.help(), method.source())),
        ]
        .into_iter()
        .chain(policies)
        .collect(),
        notes: row.baseline.iter().map(|b| format!("Compared with {}.", name(b))).collect(),
    }
}

/// The hint of a cell in the column of `metric`.
pub fn cell(row: &RunAndBaseline, metric: Metric, counted: Unit, cell: Option<&TableCell>) -> Hint {
    let about = metric.about();
    let mut hint = Hint {
        title: format!("{} of {}", about.name, name(&row.run)),
        formula: Some(about.formula.to_owned()),
        facts: Vec::new(),
        notes: vec![format!("{}. {}", sentence(&about.help.in_unit(counted)), about.source)],
    };
    if metric == FOLDED {
        // the related metrics have no columns of their own
        let others = row.result.iter().flat_map(|result| &result.beside_log).filter(|(other, _)| *other != metric);
        hint.facts.extend(others.map(|&(other, value)| (other.about().name.to_owned(), reported(other, value))));
    }
    let Some(cell) = cell else {
        let why = if row.result.is_some() { "Not defined for this schedule." } else { "No result yet." };
        hint.notes.insert(0, why.to_owned());
        return hint;
    };
    hint.facts.insert(0, (short(row), quantity(metric, cell.value)));
    if let (Some(baseline), Some(of), false) = (cell.baseline, &row.baseline, row.is_baseline) {
        hint.facts.push((format!("{}, {}", of.scheduler.name(), estimate(&of.estimate)), quantity(metric, baseline)));
        if let Some(change) = cell.change {
            let judged = format!("{}{}", precise_change(change), Side::of_sure_cell(cell).judgement());
            hint.facts.push(("Change".to_owned(), judged));
            hint.notes.push("Change: (value − baseline) / baseline".to_owned());
        }
    }
    if cell.is_repeated {
        hint.facts.extend(late::apart(intervals as fn(&_) -> _)(cell));
    }
    if cell.shown == CellDisplay::Nothing {
        hint.notes.insert(0, "The baseline has no result with these settings yet.".to_owned());
    }
    if row.is_baseline {
        hint.notes.insert(0, "This is the baseline: its values are shown as they are.".to_owned());
    }
    if cell.is_best {
        let of = if row.baseline.is_some() { "the rows with the same baseline" } else { "the column" };
        hint.notes.insert(0, format!("Best of {of}, by 1 % or more."));
    }
    if row.is_stale {
        hint.notes.insert(0, "Stale: made with other settings than the present ones.".to_owned());
    }
    hint
}

/// The intervals of the repeats.
// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn intervals(cell: &TableCell) -> Vec<(String, String)> {
    let values = cell.interval.map(|bounds| {
        let [low, high] = [bounds.low, bounds.high].map(|bound| quantity(cell.metric, bound));
        ("On repeats".to_owned(), format!("{low} to {high}"))
    });
    let changes = cell.change_interval.map(|bounds| {
        let [low, high] = [bounds.low, bounds.high].map(precise_change);
        let sure = if bounds.is_unsure() { ": it could as well be none" } else { "" };
        ("Change on repeats".to_owned(), format!("{low} to {high}{sure}"))
    });
    let told: Vec<(String, String)> = values.into_iter().chain(changes).collect();
    let none = cell.no_interval.map(|none| ("No interval".to_owned(), format!("{}: nothing is claimed", none.why())));
    told.into_iter().chain(none).collect()
}

/// A value as tables show it, in the most suitable unit.
fn reported(metric: Metric, value: f64) -> String {
    format::value(metric, value, TimeUnit::Fitting)
}

fn short(row: &RunAndBaseline) -> String {
    format!("{}, {}", row.run.scheduler.name(), estimate(&row.run.estimate))
}

/// A value with seven digits and its unit; long times also in everyday units.
fn quantity(metric: Metric, value: f64) -> String {
    let digits = grouped(&format::exact(format!("{value:.6e}").parse().unwrap_or(value)));
    match format::unit(metric, TimeUnit::Seconds) {
        "" => digits,
        "s" if value.abs() >= 120.0 => format!("{digits} s ({})", format::duration(value)),
        unit => format!("{digits} {unit}"),
    }
}

/// Groups the digits before the decimal point.
fn grouped(digits: &str) -> String {
    let (before, after) = digits.split_at(digits.find(['.', 'e']).unwrap_or(digits.len()));
    before.parse::<i64>().map_or_else(|_| digits.to_owned(), |n| format!("{}{after}", format::whole(n)))
}

/// A change in percent with two more decimals than the table shows.
fn precise_change(change: f64) -> String {
    let percent = change * 100.0;
    let sign = if percent < 0.0 { "−" } else { "+" };
    format!("{sign}{:.2} %", percent.abs())
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn values_are_told_with_seven_digits_and_their_unit() {
        assert_eq!(quantity(Metric::Af, 1_240_066.123_456), "1,240,066 s (14\u{a0}d)");
        assert_eq!(quantity(Metric::Af, 12.5), "12.5 s");
        assert_eq!(quantity(Metric::Bsld, 67.103_456_789), "67.10346");
        assert_eq!(quantity(Metric::R2, -15.5), "−15.5");
        assert_eq!(precise_change(-0.0695), "−6.95 %");
        assert_eq!(precise_change(2.737_4), "+273.74 %");
    }
}
