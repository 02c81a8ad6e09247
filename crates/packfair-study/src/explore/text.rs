//! Findings as a table, as CSV and as JSON.

use super::findings::relative;
use super::{Aspect, Findings, FrontMember, FrontOrder, OtherMachine, PartValues};
use crate::Run;
use crate::format::{TimeUnit, estimate, exact, factor, span, whole};
use crate::table::{Grid, GridLine, text_of};
use packfair_base::catalogue::{Kind, Parameter, Value};
use packfair_engine::estimator::Method;
use packfair_schedulers::Policy;
use serde_json::{Map, Value as Json, json};

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
        Json::Object(object)
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

fn row(aspects: &[Aspect], run: &Run, values: &PartValues) -> Map<String, Json> {
    let part = |values: &[Option<f64>]| -> Map<String, Json> {
        aspects.iter().zip(values).map(|(aspect, value)| (aspect.to_string(), json!(value))).collect()
    };
    let mut object = Map::new();
    object.insert("scheduler".to_owned(), json!(run.scheduler.to_string()));
    object.insert("estimator".to_owned(), json!(run.estimate.to_string()));
    object.insert("choose".to_owned(), Json::Object(part(&values.choose)));
    object.insert("select".to_owned(), Json::Object(part(&values.select)));
    object
}

// Settings in words: "EASY, widest first; whoever waits over 7 d goes first".

/// What a run does, for people who do not read its id. Runs with different ids have the same words only where their
/// formulas differ by less than rounding.
pub fn in_words(run: &Run) -> String {
    let policy = &run.scheduler;
    let mut said = vec![policy.family().entry.name.to_owned()];
    let changes: Vec<String> = changes(policy).map(|(key, value)| format!("{key}={value}")).collect();
    if !changes.is_empty() {
        said = vec![format!("{} with {}", policy.family().entry.name, changes.join(", "))];
    }
    match policy.family().entry.id {
        "easy" => said.extend(easy(policy)),
        "list" => said.extend(list(policy)),
        _ => said.extend(others(policy)),
    }
    if run.estimate.method != Method::requested() || run.estimate.k != 1.0 {
        said.push(format!("{} estimates", estimate(&run.estimate)));
    }
    said.join(", ")
}

fn easy(policy: &Policy) -> Vec<String> {
    let settings = policy.settings();
    let (initial, backfill) = (settings.get("initial"), settings.get("backfill"));
    let mut said = vec![order(initial)];
    if backfill != initial {
        said.push(format!("backfilling {}", order(backfill)));
    }
    said.extend(settings.whole("threshold").map(|seconds| format!("{} goes first", waited(seconds))));
    said
}

fn list(policy: &Policy) -> Vec<String> {
    let settings = policy.settings();
    let blocked = match (settings.choice("blocked"), settings.whole("depth")) {
        ("strict", _) => "nobody overtakes who does not fit".to_owned(),
        ("greedy", _) => "no reservations".to_owned(),
        (_, None) => "a reservation for whoever does not fit".to_owned(),
        (_, Some(1)) => "one reservation".to_owned(),
        (_, Some(most)) => format!("{} reservations at most", whole(most)),
    };
    vec![order(settings.get("order")), blocked]
}

/// The changes of what the files of a site say: key and value.
fn changes(policy: &Policy) -> impl Iterator<Item = (&'static str, &'static str)> {
    policy.settings().iter().filter_map(|(_, value)| changes_of(value)).flatten()
}

/// The pairs of a value that is changes of what a file says.
fn changes_of(value: Value) -> Option<impl Iterator<Item = (&'static str, &'static str)>> {
    if let Value::Changes(changes) = value { Some(changes.pairs()) } else { None }
}

/// The settings that differ from their defaults, with the names of the parameters.
fn others(policy: &Policy) -> Vec<String> {
    let is_change = |parameter: &Parameter| matches!(parameter.kind, Kind::Changes { .. });
    let changed = policy.settings().iter();
    let changed = changed.filter(|(parameter, value)| *value != parameter.default() && !is_change(parameter));
    let said = changed.map(|(parameter, value)| {
        let is_time = matches!(parameter.kind, Kind::Whole { unit: "s", .. } | Kind::AtLeast { unit: "s", .. });
        let told = match (value, parameter.kind) {
            (Value::Whole(Some(seconds)), _) if is_time => span(seconds as f64),
            (Value::Choice(id), Kind::Choice { options, .. }) => {
                options.iter().find(|(own, _)| *own == id).map_or(id, |(_, name)| *name).to_owned()
            }
            (value @ Value::Written(_), _) => order(value),
            (Value::Choice(_), Kind::Formula { .. }) => order(value),
            (value, _) => value.to_string(),
        };
        format!("{}: {told}", parameter.name)
    });
    said.collect()
}

fn waited(seconds: i64) -> String {
    if seconds == 0 { "whoever has waited".to_owned() } else { format!("whoever waits over {}", span(seconds as f64)) }
}

/// An order in words: which jobs go first.
fn order(value: Value) -> String {
    let said = match value {
        Value::Choice("fcfs") => "first come first served",
        Value::Choice("sjf") => "shortest first",
        Value::Choice("ljf") => "longest first",
        Value::Choice("saf") => "smallest area first",
        Value::Choice("laf") => "largest area first",
        Value::Choice("spf") => "smallest r E² first",
        Value::Choice("srf") => "narrowest first",
        Value::Choice("lrf") => "widest first",
        Value::Choice("wfp") => "longest wait per length first, wide ones more so (WFP)",
        Value::Choice("lxf") => "largest slowdown first",
        Value::Choice("unicef") => "longest wait per area first, in logarithms (UNICEF)",
        Value::Choice(id) => return format!("in the learned order {}", id.to_uppercase()),
        Value::Written(formula) => {
            return formula.powers().map_or_else(|| format!("largest {formula} first"), index);
        }
        other => return other.to_string(),
    };
    said.to_owned()
}

/// An order by a product of powers of the wait, the estimate and the width in words; the job with the largest value goes
/// first.
fn index([wait, multiplied_by_estimate, multiplied_by_width]: [f64; 3]) -> String {
    let (estimate, width) = (0.0 - multiplied_by_estimate, 0.0 - multiplied_by_width);
    let simple = match (wait, estimate, width) {
        (0.0, b, 0.0) if b > 0.0 => Some("shortest first"),
        (0.0, b, 0.0) if b < 0.0 => Some("longest first"),
        (0.0, 0.0, c) if c > 0.0 => Some("narrowest first"),
        (0.0, 0.0, c) if c < 0.0 => Some("widest first"),
        (0.0, b, c) if b == c && b > 0.0 => Some("smallest area first"),
        (0.0, b, c) if b == c && b < 0.0 => Some("largest area first"),
        (a, 0.0, 0.0) if a > 0.0 => Some("longest wait first"),
        _ => None,
    };
    if let Some(simple) = simple {
        return simple.to_owned();
    }
    let either = |number: f64, above: &'static str, below: &'static str| match number {
        n if n > 0.0 => Some(above),
        n if n < 0.0 => Some(below),
        _ => None,
    };
    let waits = (wait > 0.0).then_some("long-waiting");
    let said: Vec<&str> =
        [waits, either(estimate, "short", "long"), either(width, "narrow", "wide")].into_iter().flatten().collect();
    let who = match said.as_slice() {
        [] => return "first come first served".to_owned(),
        [some @ .., last] if !some.is_empty() => format!("{} and {last}", some.join(", ")),
        all => all.join(", "),
    };
    let power = |name: &str, exponent: f64| match exponent {
        0.0 => None,
        1.0 => Some(name.to_owned()),
        e => Some(format!("{name}^{}", factor(e))),
    };
    let [above, below]: [Vec<String>; 2] = [
        power("wait", wait).into_iter().collect(),
        [power("E", estimate), power("r", width)].into_iter().flatten().collect(),
    ];
    let above = if above.is_empty() { "1".to_owned() } else { above.join(" ") };
    let formula = if below.is_empty() { above } else { format!("{above} / ({})", below.join(" ")) };
    format!("{who} jobs first by {formula}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::format::SPACE;

    fn said(run: &str) -> String {
        let (scheduler, estimate) = run.split_once("__").unwrap_or((run, "requested"));
        let run = Run::new(scheduler.parse().unwrap(), estimate.parse().unwrap());
        in_words(&run).replace(SPACE, " ")
    }

    #[test]
    fn what_settings_do_is_said_without_their_ids() {
        for (id, words) in [
            ("easy:initial=lrf,backfill=lrf,threshold=604800", "EASY, widest first, whoever waits over 7 d goes first"),
            ("easy:backfill=sjf", "EASY, first come first served, backfilling shortest first"),
            (
                "easy:initial=formula:1/processors^(-2),backfill=formula:1/area",
                "EASY, widest first, backfilling smallest area first",
            ),
            (
                "easy:initial=formula:wait^3/(estimate^3*processors^(-1)),backfill=formula:(wait/estimate)^3*processors__last2*1.5",
                "EASY, long-waiting, short and wide jobs first by wait^3 / (E^3 r^-1), backfilling long-waiting, short and wide \
                 jobs first by wait^3 / (E^3 r^-1), last2 × 1.5 estimates",
            ),
            ("list:order=saf,depth=5", "List, smallest area first, 5 reservations at most"),
            ("fcfs", "List, first come first served, nobody overtakes who does not fit"),
            ("list:order=lxf,blocked=greedy", "List, largest slowdown first, no reservations"),
            ("conservative", "Conservative"),
            ("slurm", "Slurm"),
            ("slurm:bf_window=4320,PriorityWeightAge=0", "Slurm with bf_window=4320, PriorityWeightAge=0"),
        ] {
            assert_eq!(said(id).replace('\u{2212}', "-"), words, "{id}");
        }
    }

    #[test]
    fn whatever_a_search_proposes_can_be_said() {
        use crate::explore::{ExploreQuestion, Search};
        let mut families = ["easy", "list", "dynp", "dynp-basic", "optimised", "classes", "pc", "multifactor"].to_vec();
        families.push("fairshare");
        let families = families.into_iter().map(str::to_owned).collect();
        let mut search = Search::begin(ExploreQuestion { families, runs: 300, ..ExploreQuestion::default() });
        loop {
            let runs = search.propose();
            if runs.is_empty() {
                break;
            }
            search.take_in(vec![Some(vec![Some(1.0); 3]); runs.len()]);
            for run in runs {
                let words = in_words(&run);
                assert!(words.len() > 1 && !words.contains("formula:"), "{}: {words}", run.id());
            }
        }
    }
}
