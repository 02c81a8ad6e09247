//! The baseline and the settings that no others beat, on other machines.

use super::verdict::gain;
use super::{Findings, FrontMember, OtherMachine, PartValues};
use crate::machine::WhatIf;
use crate::study::Run;

/// Gains that differ by no more than this count as equal.
const AS_MUCH: f64 = 0.02;

impl OtherMachine {
    /// Makes the results from the values on both parts of the log, in the order of [`Findings::compared`]; a run
    /// without values has undefined ones.
    pub fn of(findings: &Findings, what_if: WhatIf, [choose, select]: [Vec<Option<Vec<Option<f64>>>>; 2]) -> Self {
        let aspects = findings.question.aspects().len();
        let of_part = |values: &[Option<Vec<Option<f64>>>], place: usize| {
            values.get(place).cloned().flatten().unwrap_or_else(|| vec![None; aspects])
        };
        let member = |(place, run): (usize, Run)| FrontMember {
            run: run.what_if(Some(what_if.clone())),
            values: PartValues { choose: of_part(&choose, place), select: of_part(&select, place) },
        };
        let runs = findings.compared().into_iter().enumerate().map(member).collect();
        OtherMachine { what_if, runs }
    }

    /// What the baseline gains from this machine in the first metric, on the select part, compared with the best
    /// gain by settings: "With 32 more nodes, AF of EASY is better by 12.0 % on the select part: as much as ...".
    /// `None` where values are missing.
    pub fn worth(&self, findings: &Findings) -> Option<String> {
        let metric = *findings.question.metrics().first()?;
        let of = |values: &PartValues| *values.select.first()?;
        let basis = of(&findings.baseline)?;
        let gained = gain(metric, of(&self.runs.first()?.values)?, basis);
        let best = findings.front.iter().filter_map(|member| Some((gain(metric, of(&member.values)?, basis), member)));
        let (most, best) = best.max_by(|a, b| a.0.total_cmp(&b.0))?;
        let change = |gain: f64| {
            let word = if gain < 0.0 { "worse" } else { "better" };
            format!("{word} by {:.1} %", 100.0 * gain.abs())
        };
        let worth = match gained > most {
            _ if (gained - most).abs() <= AS_MUCH => "as much as",
            true => "more than",
            false => "less than",
        };
        Some(format!(
            "With {}, {} of {} is {} on the select part: {worth} {} on the machine as it is ({}).",
            self.what_if.name(),
            metric.about().name,
            findings.baseline_name(),
            change(gained),
            best.run.scheduler.name(),
            change(most)
        ))
    }
}

impl Findings {
    /// The runs that are compared on other machines: the baseline, then the front.
    pub fn compared(&self) -> Vec<Run> {
        let front = self.front.iter().map(|member| &member.run);
        std::iter::once(&self.question.baseline).chain(front).cloned().collect()
    }
}
