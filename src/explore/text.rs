//! Findings as a table, as CSV and as JSON.

use super::findings::relative;
use super::{Aspect, Findings, FrontMember, FrontOrder, OtherMachine, PartValues, in_words};
use crate::study::Run;
use crate::study::format::{TimeUnit, exact};
use crate::study::table::{Grid, GridLine, text_of};
use serde_json::{Map, Value, json};

/// Findings for a person: the answer, then the baseline and the front, with what is better on both parts first and both
/// parts of the log side by side, then the results in sentences.
pub fn table(findings: &Findings) -> String {
    let aspects = findings.question.aspects();
    let mut lines = vec![line(findings, &aspects, &findings.question.baseline, &findings.baseline, "baseline")];
    for member in findings.in_order(FrontOrder::Best) {
        let held = if findings.holds(member) { "held" } else { "did not hold" };
        lines.push(line(findings, &aspects, &member.run, &member.values, held));
    }
    let grid = Grid { labels: vec!["Settings".to_owned(), String::new()], headings: headings(&aspects), lines };
    let mut out = format!("{}\n\n{}", findings.answer(), text_of(&grid));
    for sentence in findings.sentences() {
        out.push_str(&format!("\n{sentence}\n"));
    }
    out + machines_table(findings).as_str()
}

fn headings(aspects: &[Aspect]) -> Vec<String> {
    let of = |aspect: &Aspect| [aspect.heading(""), String::new(), aspect.heading(", select"), String::new()];
    aspects.iter().flat_map(of).collect()
}

/// The baseline and the front on other machines as a table; empty where there are none.
fn machines_table(findings: &Findings) -> String {
    let aspects = findings.question.aspects();
    let mut out = String::new();
    for machine in &findings.machines {
        let lines = machine.runs.iter().map(|member| line(findings, &aspects, &member.run, &member.values, ""));
        let labels = vec![format!("With {}", machine.what_if.name()), String::new()];
        out.push_str(&format!("\n{}", text_of(&Grid { labels, headings: headings(&aspects), lines: lines.collect() })));
    }
    out
}

fn line(findings: &Findings, aspects: &[Aspect], run: &Run, values: &PartValues, said: &str) -> GridLine {
    let cells = aspects.iter().enumerate().flat_map(|(place, &aspect)| {
        let part = |values: &[Option<f64>], baseline: &[Option<f64>]| {
            let (own, others) = (values.get(place).copied().flatten(), baseline.get(place).copied().flatten());
            let told = own.map_or("–".to_owned(), |own| aspect.text(own, TimeUnit::Hours));
            let has_change = aspect.has_changes() && said != "baseline";
            [told, if has_change { relative(own, others) } else { String::new() }]
        };
        let [choose, choose_change] = part(&values.choose, &findings.baseline.choose);
        let [select, select_change] = part(&values.select, &findings.baseline.select);
        [choose, choose_change, select, select_change]
    });
    let values: Vec<String> = cells.collect();
    GridLine { labels: vec![run.id(), said.to_owned()], best: vec![false; values.len()], values }
}

/// Exact numbers as CSV: a line for the baseline and for each member of the front, and the same for each other machine.
pub fn csv(findings: &Findings) -> String {
    let aspects = findings.question.aspects();
    let mut writer = csv::Writer::from_writer(Vec::new());
    let mut heading = vec!["scheduler".to_owned(), "estimator".to_owned(), "held".to_owned()];
    for aspect in &aspects {
        heading.extend([aspect.to_string(), format!("{aspect}_select")]);
    }
    let mut records = vec![heading, record(&aspects, &findings.question.baseline, &findings.baseline, "baseline")];
    for member in &findings.front {
        let held = findings.holds(member).to_string();
        records.push(record(&aspects, &member.run, &member.values, &held));
    }
    if !findings.machines.is_empty() {
        records.iter_mut().for_each(|record| record.push(String::new()));
        records[0].pop();
        records[0].push("what_if".to_owned());
        for machine in &findings.machines {
            for member in &machine.runs {
                let mut record = record(&aspects, &member.run, &member.values, "");
                record.push(machine.what_if.to_string());
                records.push(record);
            }
        }
    }
    for record in records {
        // Writing to memory does not fail.
        writer.write_record(record).unwrap();
    }
    // Flushing into memory does not fail, and all texts are UTF-8.
    String::from_utf8(writer.into_inner().unwrap()).unwrap()
}

fn record(aspects: &[Aspect], run: &Run, values: &PartValues, held: &str) -> Vec<String> {
    let mut record = vec![run.scheduler.to_string(), run.estimate.to_string(), held.to_owned()];
    for place in 0..aspects.len() {
        let told = |values: &[Option<f64>]| values.get(place).copied().flatten().map(exact).unwrap_or_default();
        record.extend([told(&values.choose), told(&values.select)]);
    }
    record
}

/// All findings as JSON, for programs.
pub fn json(findings: &Findings) -> String {
    let aspects = findings.question.aspects();
    let member = |member: &FrontMember| {
        let mut object = row(&aspects, &member.run, &member.values);
        object.insert("in_words".to_owned(), json!(in_words(&member.run)));
        object.insert("held".to_owned(), json!(findings.holds(member)));
        object.insert("verdict".to_owned(), json!(findings.verdict(member)));
        Value::Object(object)
    };
    let machine = |machine: &OtherMachine| {
        let runs = machine.runs.iter().map(|member| row(&aspects, &member.run, &member.values));
        json!({ "what_if": machine.what_if.to_string(), "runs": runs.collect::<Vec<_>>() })
    };
    let mut all = json!({
        "question": findings.question,
        "tried": findings.tried,
        "keeping": findings.keeping,
        "jobs": { "choose": findings.jobs[0], "select": findings.jobs[1], "confirm": findings.jobs[2] },
        "baseline": row(&aspects, &findings.question.baseline, &findings.baseline),
        "front": findings.front.iter().map(member).collect::<Vec<_>>(),
        "answer": findings.answer(),
        "recommended": findings.recommended().map(|member| member.run.id()),
        "confirmation": findings.confirm_json(),
        "again": findings.again,
        "conclusion": findings.sentences(),
    });
    if !findings.machines.is_empty() {
        all["machines"] = findings.machines.iter().map(machine).collect();
    }
    format!("{all:#}\n")
}

fn row(aspects: &[Aspect], run: &Run, values: &PartValues) -> Map<String, Value> {
    let part = |values: &[Option<f64>]| -> Map<String, Value> {
        aspects.iter().zip(values).map(|(aspect, value)| (aspect.to_string(), json!(value))).collect()
    };
    let mut object = Map::new();
    object.insert("scheduler".to_owned(), json!(run.scheduler.to_string()));
    object.insert("estimator".to_owned(), json!(run.estimate.to_string()));
    object.insert("choose".to_owned(), Value::Object(part(&values.choose)));
    object.insert("select".to_owned(), Value::Object(part(&values.select)));
    object
}
