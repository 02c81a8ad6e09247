//! A question to a search and its findings, as text in an address.

use super::{Confirmed, ExploreQuestion, Findings, FrontMember, OtherMachine, PartValues, SearchedAgain};
use crate::limits::{LONGEST_LINK, MOST_JOBS, MOST_MACHINES, MOST_RUNS};
use crate::link::{self, LinkError};
use crate::settings::{Commands, Setting};
use crate::{Engine, Rules, Source, Study, Treatment};
use packfair_base::machine::WhatIf;
use packfair_engine::metric::Measure;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a search is about, besides its question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedLog {
    pub source: Source,
    pub treatment: Treatment,
    pub rules: Rules,
    /// Which jobs count, and the metrics' parameters.
    pub measure: Measure,
    /// Further machines on which what is found is tried.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub machines: Vec<WhatIf>,
}

impl SearchedLog {
    /// The log, treatment, rules, measure and further machines of a study.
    pub fn of(study: &Study) -> Self {
        let Study { source, treatment, measure, what_ifs, .. } = study.clone();
        SearchedLog { source, treatment, rules: study.rules(), measure, machines: what_ifs }
    }

    /// Whether runs have the same values here and there: all but the further machines is the same.
    pub fn measures_as(&self, other: &SearchedLog) -> bool {
        let of = |on: &SearchedLog| SearchedLog { machines: Vec::new(), ..on.clone() };
        of(self) == of(other)
    }

    /// Makes a study of the same log one that is treated and measured so.
    pub fn set(self, study: &mut Study) {
        let SearchedLog { treatment, rules, measure, machines, .. } = self;
        (study.treatment, study.measure, study.what_ifs) = (treatment, measure, machines);
        (study.correction, study.reestimation, study.trigger) = (rules.correction, rules.reestimation, rules.trigger);
        // a search is for one machine under one load
        (study.partitions, study.shrinks, study.users) = (Vec::new(), Vec::new(), Vec::new());
    }

    fn study(&self) -> Study {
        let mut study = Study::on(self.source.clone());
        self.clone().set(&mut study);
        study
    }

    /// The options of `packfair explore` that give all of this for which there are options.
    pub(super) fn options(&self) -> Vec<String> {
        let study = self.study();
        Setting::all().filter(|setting| is_option(setting)).flat_map(|setting| setting.as_options(&study)).collect()
    }

    /// Whether the command needs the study besides its options: for a machine or a series from a file, a workload that is
    /// generated, a load, or rules that only a study has.
    pub fn needs_study(&self) -> bool {
        let study = self.study();
        matches!(self.source, Source::Generated(_))
            || self.treatment.machine.is_some()
            || self.measure.prices.is_some()
            || self.measure.intensity.is_some()
            || Setting::all().any(|setting| !is_option(setting) && !setting.is_usual(&study))
    }
}

/// Whether a setting is an option of `packfair explore`.
fn is_option(setting: &Setting) -> bool {
    matches!(setting.option.of, Commands::OfLogs | Commands::OfRuns)
}

/// The findings of a search, and what they are about.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SharedFindings {
    pub findings: Findings,
    pub on: SearchedLog,
    pub engine: Engine,
}

/// A question, and its findings if the link carries them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct ExploreLink {
    pub question: ExploreQuestion,
    /// What the question is about, where the link has it without findings.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub on: Option<SearchedLog>,
    /// The findings, if the link carries them.
    pub shared: Option<SharedFindings>,
}

impl ExploreLink {
    /// A link with a question and what it is about.
    pub fn asking(question: ExploreQuestion, on: SearchedLog) -> Self {
        ExploreLink { question, on: Some(on), shared: None }
    }

    pub fn telling(findings: Findings, on: SearchedLog) -> Self {
        let question = findings.question.clone();
        ExploreLink { question, on: None, shared: Some(SharedFindings { findings, on, engine: Engine::THIS }) }
    }

    /// The link as text that needs no escaping in an address: JSON, packed as a study's link is.
    ///
    /// # Errors
    /// Where [`ExploreLink::parse`] would refuse it, such as more settings than a table can hold.
    pub fn to_text(&self) -> Result<String, LinkError> {
        let link = self.clone().checked()?;
        // Plain data under keys that are text can always be written.
        let text = link::pack(serde_json::to_string(&link).unwrap_or_default().as_bytes());
        if text.len() > LONGEST_LINK { Err(LinkError::TooLarge) } else { Ok(text) }
    }

    /// Reads a link from the text of an address.
    ///
    /// # Errors
    /// Where the text is no such link, was cut short or changed, or its question cannot be answered.
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        let link: ExploreLink = serde_json::from_slice(&link::unpack(text)?).map_err(|_| LinkError::Damaged)?;
        link.checked()
    }

    fn checked(self) -> Result<Self, LinkError> {
        let ExploreLink { question, on, shared } = self;
        question.check().map_err(|fault| LinkError::Study(vec![fault.to_string()]))?;
        let on = on.map(|on| checked(on, &question)).transpose()?;
        let shared = shared.map(|shared| shared.checked(&question)).transpose()?;
        Ok(ExploreLink { question, on, shared })
    }
}

impl SharedFindings {
    fn checked(self, question: &ExploreQuestion) -> Result<Self, LinkError> {
        let SharedFindings { findings, on, engine } = self;
        let Findings { tried, keeping, jobs, baseline, front, machines, confirmed, again, .. } = &findings;
        let at_most = |what, count: usize, most: u64| {
            let count = count as u64;
            if count > most { Err(LinkError::TooMany { count, what, most }) } else { Ok(()) }
        };
        at_most("settings", front.len(), MOST_RUNS as u64)?;
        at_most("machines", machines.len(), MOST_MACHINES as u64)?;
        at_most("runs", *tried, super::MOST_EXPLORED as u64)?;
        jobs.iter().try_for_each(|&jobs| at_most("jobs", jobs, MOST_JOBS))?;
        let on = checked(on, question)?;
        let aspects = question.aspects().len();
        let is_sound = |values: &PartValues| {
            let all_finite = |part: &[Option<f64>]| part.iter().flatten().all(|value| value.is_finite());
            values.choose.len() == aspects
                && (values.select.is_empty() || values.select.len() == aspects)
                && all_finite(&values.choose)
                && all_finite(&values.select)
        };
        let mut seen = BTreeSet::new();
        let is_on_machine = |machine: &OtherMachine| {
            let is_its = |member: &FrontMember| member.run.what_if.as_ref() == Some(&machine.what_if);
            machine.runs.len() == 1 + front.len()
                && machine.runs.iter().all(|member| is_its(member) && is_sound(&member.values))
        };
        let is_confirmed = |confirmed: &Confirmed| {
            confirmed.is_sound(question, front.len(), Findings::reported_metrics(question).len())
        };
        let are_sound = findings.question == *question
            && is_sound(baseline)
            && front.iter().all(|member| is_sound(&member.values) && seen.insert(member.run.id()))
            && machines.iter().all(is_on_machine)
            && confirmed.as_ref().is_none_or(is_confirmed)
            && again.is_none_or(SearchedAgain::is_sound)
            && keeping <= tried
            && front.len() <= *keeping;
        if are_sound { Ok(SharedFindings { findings, on, engine }) } else { Err(LinkError::Damaged) }
    }
}

/// Checks what a search is about against the limits of a study.
fn checked(on: SearchedLog, question: &ExploreQuestion) -> Result<SearchedLog, LinkError> {
    let mut study = on.study();
    study.schedulers = vec![question.baseline.scheduler.clone()];
    study.methods = vec![question.baseline.estimate.method.clone()];
    let study =
        study.checked().map_err(|problems| LinkError::Study(problems.into_iter().map(|p| p.message).collect()))?;
    Ok(SearchedLog::of(&study))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;

    fn findings() -> Findings {
        let question = ExploreQuestion::default();
        let values = |of: f64| PartValues { choose: vec![Some(of), None, Some(0.1 + of)], select: vec![Some(of); 3] };
        let member = |id: &str, of| FrontMember {
            run: Run::new(id.parse().unwrap(), "requested*1.5".parse().unwrap()),
            values: values(of),
        };
        Findings {
            question,
            tried: 1_000,
            keeping: 900,
            jobs: [600, 200, 200],
            baseline: values(7.25),
            front: vec![
                member("easy:initial=formula:wait/(estimate^0.25*processors^(-1)),backfill=saf", 1.0 / 3.0),
                member("list:order=wfp", 5e-324),
            ],
            machines: Vec::new(),
            confirmed: None,
            again: None,
        }
    }

    /// Findings that include a machine with more nodes.
    fn on_another_machine() -> Findings {
        let mut findings = findings();
        let values = vec![Some(vec![Some(2.0), None, Some(0.5)]); 3];
        let machine = OtherMachine::of(&findings, "nodes=+32".parse().unwrap(), [values.clone(), values]);
        findings.machines = vec![machine];
        findings
    }

    fn on() -> SearchedLog {
        SearchedLog::of(&Study::first_visit())
    }

    #[test]
    fn what_was_found_comes_back_to_the_last_bit() {
        let link = ExploreLink::telling(findings(), on());
        let text = link.to_text().unwrap();
        assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c)), "{text}");
        assert_eq!(ExploreLink::parse(&text), Ok(link));
        let link = ExploreLink::telling(on_another_machine(), on());
        assert_eq!(ExploreLink::parse(&link.to_text().unwrap()), Ok(link));
        let mut cut = on_another_machine();
        cut.machines[0].runs.pop();
        assert_eq!(ExploreLink::telling(cut, on()).to_text(), Err(LinkError::Damaged), "a run of the front is missing");
        let mut other = on_another_machine();
        other.machines[0].runs[1].run.what_if = None;
        assert_eq!(ExploreLink::telling(other, on()).to_text(), Err(LinkError::Damaged), "a run of another machine");
    }

    #[test]
    fn what_is_damaged_or_beyond_limits_is_refused() {
        let text = ExploreLink::telling(findings(), on()).to_text().unwrap();
        for cut in [text.len() / 2, text.len() - 4] {
            assert!(ExploreLink::parse(&text[..cut]).is_err(), "{cut}");
        }
        let changed = |change: fn(&mut Findings)| {
            let mut findings = findings();
            change(&mut findings);
            ExploreLink::telling(findings, on()).to_text()
        };
        assert!(changed(|_| {}).is_ok());
        assert_eq!(changed(|found| found.baseline.select[0] = Some(f64::NAN)), Err(LinkError::Damaged));
        assert_eq!(changed(|found| found.front[1].values.choose = vec![None]), Err(LinkError::Damaged));
        assert_eq!(changed(|found| found.front[1] = found.front[0].clone()), Err(LinkError::Damaged), "twice the same");
        assert_eq!(changed(|found| found.keeping = 1_001), Err(LinkError::Damaged));
        assert!(matches!(changed(|found| found.tried = 100_001), Err(LinkError::TooMany { .. })));
        assert!(matches!(changed(|found| found.question.families.clear()), Err(LinkError::Study(_))));
        let on = SearchedLog { treatment: Treatment { shrink: 1e9, ..Treatment::default() }, ..on() };
        assert!(matches!(ExploreLink::telling(findings(), on).to_text(), Err(LinkError::Study(_))));
    }
}
