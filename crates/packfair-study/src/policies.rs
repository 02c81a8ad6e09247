//! What a dynP run did with its policies, in words, for the details of a run.

use crate::format::{number, whole};
use packfair_engine::metric::Metric;
use packfair_engine::model::NoteId;
use packfair_schedulers::dynp::{Case, notes};
use std::collections::BTreeMap;

/// Lines of a label and a value, made from the values of a run; empty for other schedulers.
pub fn policy_facts(values: &BTreeMap<Metric, f64>) -> Vec<(&'static str, String)> {
    let count = |note: NoteId| Metric::of_note(note, "").and_then(|metric| values.get(&metric));
    let part = |note: NoteId, part: &str| Metric::of_note(note, part).and_then(|metric| values.get(&metric));
    let said = |count: &f64| whole(*count as i64);
    let of_each = |note: NoteId| {
        let of_policy = |(place, (id, _)): (usize, (&str, &str))| {
            part(note, id).map(|count| format!("{} {}", notes::policy_name(place), said(count)))
        };
        notes::POLICIES.into_iter().enumerate().filter_map(of_policy).collect::<Vec<_>>().join(", ")
    };
    let Some(tries) = count(notes::TRIES) else { return Vec::new() };
    let mut facts = vec![("Jobs started under", of_each(notes::STARTED)), ("Tries", said(tries))];
    if let Some(backlog) = count(notes::BACKLOG) {
        facts.push(("Mean backlog", format!("{} jobs", number(*backlog))));
    }
    facts.push(("Switches to", of_each(notes::SWITCHES)));
    facts.extend(count(notes::SAME_POLICY).map(|same| ("Same policy", said(same))));
    let of_case = |case: &Case| Some(format!("{}: {}", case.id(), said(part(notes::CASES, case.id())?)));
    let cases: Vec<String> = Case::ALL.iter().filter_map(of_case).collect();
    if !cases.is_empty() {
        facts.push(("Cases", cases.join(", ")));
    }
    facts.extend(count(notes::DIFFERING).map(|differing| ("Deciders differ", said(differing))));
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Run, execute};
    use packfair_engine::metric::Measure;
    use packfair_workload::testing;

    fn facts(scheduler: &str) -> Vec<(&'static str, String)> {
        let jobs: Vec<_> = (0..30).map(|i| (2 * i, 10 + 7 * (i % 5), 1 + (i % 3) as u32)).collect();
        let workload = testing::workload(4, &jobs);
        let run = Run::new(scheduler.parse().unwrap(), "requested".parse().unwrap());
        let report =
            execute(&run, &workload, packfair_engine::simulation::Correction::Request, &Measure::default()).unwrap();
        policy_facts(&report.report.values)
    }

    #[test]
    fn a_run_of_dynp_tells_what_became_of_its_policies() {
        let labels = |scheduler| facts(scheduler).into_iter().map(|(label, _)| label).collect::<Vec<_>>();
        let basic = ["Jobs started under", "Tries", "Mean backlog", "Switches to", "Same policy"];
        assert_eq!(labels("dynp-basic")[..5], basic);
        assert_eq!(labels("dynp")[5..], ["Cases", "Deciders differ"]);
        assert_eq!(labels("easy"), [""; 0]);
        let started = &facts("dynp:policies=sjf+saf")[0].1;
        assert!(started.starts_with("SJF ") && started.contains(", SAF "), "{started}");
        let started = &facts("dynp:policies=sjf+formula:wait/estimate+formula:-area")[0].1;
        assert!(started.starts_with("SJF ") && started.contains(", formula 1 "), "{started}");
        assert!(started.contains(", formula 2 "), "{started}");
    }
}
