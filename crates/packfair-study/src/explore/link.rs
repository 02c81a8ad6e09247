//! A question to a search and its findings, as text in an address.
//!
//! The text is URL-safe base64 of a postcard of the question and, where there are findings, a deflated postcard of them
//! behind it. A link of an earlier version ends with the question, and earlier versions read no further.

use super::{Confirmed, ExploreQuestion, Findings, FrontMember, OtherMachine, PartValues};
use packfair_engine::metric::Measure;
use crate::limits::{LONGEST_LINK, MOST_JOBS, MOST_MACHINES, MOST_RUNS};
use crate::link::{LinkError, seal, unseal};
use crate::{Engine, Rules, Source, Study, Treatment};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What a search is about, besides its question.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SearchedLog {
    /// The log.
    pub source: Source,
    /// The treatment of the log.
    pub treatment: Treatment,
    /// The rules of all runs.
    pub rules: Rules,
    /// Which jobs count, and the metrics' parameters.
    pub measure: Measure,
}

impl SearchedLog {
    /// The log, treatment, rules and measure of a study.
    pub fn of(study: &Study) -> Self {
        let Study { source, treatment, measure, .. } = study.clone();
        SearchedLog { source, treatment, rules: study.rules(), measure }
    }
}

/// The findings of a search, and what they are about.
#[derive(Clone, Debug, PartialEq)]
pub struct SharedFindings {
    /// The findings.
    pub findings: Findings,
    /// What they are about.
    pub on: SearchedLog,
    /// The engine that computed them.
    pub engine: Engine,
}

/// A question, and its findings if the link carries them.
#[derive(Clone, Debug, PartialEq)]
pub struct ExploreLink {
    /// The question.
    pub question: ExploreQuestion,
    /// The findings, if the link carries them.
    pub shared: Option<SharedFindings>,
}

/// Findings on the wire, behind the question. Fields never change; new ones go to the end.
#[derive(Serialize, Deserialize)]
struct FindingsWire {
    /// [`SearchedLog`] as JSON, which outlives changes of its types.
    on: String,
    engine: Engine,
    tried: u64,
    keeping: u64,
    jobs: [u64; 3],
    baseline: PartValues,
    front: Vec<FrontMember>,
    confirmed: Option<Confirmed>,
}

impl ExploreLink {
    /// A link with a question only.
    pub fn asking(question: ExploreQuestion) -> Self {
        ExploreLink { question, shared: None }
    }

    /// A link with findings.
    pub fn telling(findings: Findings, on: SearchedLog) -> Self {
        let question = findings.question.clone();
        ExploreLink { question, shared: Some(SharedFindings { findings, on, engine: Engine::THIS }) }
    }

    /// The link as text that needs no escaping in an address.
    ///
    /// # Errors
    /// Where [`ExploreLink::parse`] would refuse it, such as more settings than a table can hold.
    pub fn to_text(&self) -> Result<String, LinkError> {
        // Writing plain data to memory does not fail.
        let mut bytes = postcard::to_stdvec(&self.question).unwrap_or_default();
        if let Some(SharedFindings { findings, on, engine }) = &self.shared {
            let wire = FindingsWire {
                on: serde_json::to_string(on).unwrap_or_default(),
                engine: *engine,
                tried: findings.tried as u64,
                keeping: findings.keeping as u64,
                jobs: findings.jobs.map(|jobs| jobs as u64),
                baseline: findings.baseline.clone(),
                front: findings.front.clone(),
                confirmed: findings.confirmed.clone(),
            };
            let mut data = postcard::to_stdvec(&wire).unwrap_or_default();
            if !findings.machines.is_empty() {
                data.extend(postcard::to_stdvec(&findings.machines).unwrap_or_default());
            }
            bytes.extend(seal(&data));
        }
        let text = URL_SAFE_NO_PAD.encode(bytes);
        ExploreLink::parse(&text).map(|_| text)
    }

    /// Reads a link from the text of an address.
    ///
    /// # Errors
    /// Where the text is no such link, was cut short or changed, or its question cannot be answered.
    pub fn parse(text: &str) -> Result<Self, LinkError> {
        if text.len() > LONGEST_LINK {
            return Err(LinkError::TooLarge);
        }
        let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| LinkError::Damaged)?;
        let (question, rest) = postcard::take_from_bytes::<ExploreQuestion>(&bytes).map_err(|_| LinkError::Damaged)?;
        question.check().map_err(|fault| LinkError::Study(vec![fault.to_string()]))?;
        let shared = if rest.is_empty() { None } else { Some(SharedFindings::read(&question, rest)?) };
        Ok(ExploreLink { question, shared })
    }
}

impl SharedFindings {
    fn read(question: &ExploreQuestion, bytes: &[u8]) -> Result<Self, LinkError> {
        let data = unseal(bytes)?;
        let damaged = |_| LinkError::Damaged;
        let (wire, behind) = postcard::take_from_bytes::<FindingsWire>(&data).map_err(damaged)?;
        // Older links end here.
        let machines: Vec<OtherMachine> =
            if behind.is_empty() { Vec::new() } else { postcard::from_bytes(behind).map_err(damaged)? };
        let machines: Vec<OtherMachine> = machines.into_iter().map(OtherMachine::told_of).collect();
        let on: SearchedLog = serde_json::from_str(&wire.on).map_err(|_| LinkError::Damaged)?;
        let at_most = |what, count: u64, most: u64| {
            if count > most { Err(LinkError::TooMany { count, what, most }) } else { Ok(()) }
        };
        at_most("settings", wire.front.len() as u64, MOST_RUNS as u64)?;
        at_most("machines", machines.len() as u64, MOST_MACHINES as u64)?;
        at_most("runs", wire.tried, super::MOST_EXPLORED as u64)?;
        wire.jobs.iter().try_for_each(|&jobs| at_most("jobs", jobs, MOST_JOBS))?;
        let on = checked(on, question)?;
        let aspects = question.aspects().len();
        let is_sound = |values: &PartValues| {
            let all_finite = |part: &[Option<f64>]| part.iter().flatten().all(|value| value.is_finite());
            values.chosen.len() == aspects
                && (values.rest.is_empty() || values.rest.len() == aspects)
                && all_finite(&values.chosen)
                && all_finite(&values.rest)
        };
        let mut seen = BTreeSet::new();
        let are_sound = is_sound(&wire.baseline)
            && wire.front.iter().all(|member| is_sound(&member.values) && seen.insert(member.run.id()))
            && machines.iter().all(|machine| {
                machine.runs.len() == 1 + wire.front.len() && machine.runs.iter().all(|run| is_sound(&run.values))
            });
        let told = Findings::told_of(question).len();
        let is_told = |confirmed: &Confirmed| confirmed.is_sound(question, wire.front.len(), told);
        let are_sound = are_sound && wire.confirmed.as_ref().is_none_or(is_told);
        if !are_sound || wire.keeping > wire.tried || (wire.front.len() as u64) > wire.keeping {
            return Err(LinkError::Damaged);
        }
        let findings = Findings {
            question: question.clone(),
            // The checks above keep this within range.
            tried: wire.tried as usize,
            keeping: wire.keeping as usize,
            jobs: wire.jobs.map(|jobs| jobs as usize),
            baseline: wire.baseline,
            front: wire.front,
            machines,
            confirmed: wire.confirmed,
        };
        Ok(SharedFindings { findings, on, engine: wire.engine })
    }
}

/// Checks what a search is about against the limits of a study.
fn checked(on: SearchedLog, question: &ExploreQuestion) -> Result<SearchedLog, LinkError> {
    let SearchedLog { source, treatment, rules, measure } = on;
    let mut study = Study::on(source);
    (study.treatment, study.measure) = (treatment, measure);
    study.schedulers = vec![question.baseline.scheduler.clone()];
    study.methods = vec![question.baseline.estimate.method.clone()];
    let study =
        study.checked().map_err(|problems| LinkError::Study(problems.into_iter().map(|p| p.message).collect()))?;
    let Study { source, treatment, measure, .. } = study;
    Ok(SearchedLog { source, treatment, rules, measure })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Run;

    fn findings() -> Findings {
        let question = ExploreQuestion::default();
        let values = |of: f64| PartValues { chosen: vec![Some(of), None, Some(0.1 + of)], rest: vec![Some(of); 3] };
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
                member("easy:initial=index_1_0.25_-1,backfill=saf", 1.0 / 3.0),
                member("list:order=wfp", 5e-324),
            ],
            machines: Vec::new(),
            confirmed: None,
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
        assert!(text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_'), "{text}");
        assert_eq!(ExploreLink::parse(&text), Ok(link));
        let link = ExploreLink::telling(on_another_machine(), on());
        assert_eq!(ExploreLink::parse(&link.to_text().unwrap()), Ok(link));
        let mut cut = on_another_machine();
        cut.machines[0].runs.pop();
        assert_eq!(ExploreLink::telling(cut, on()).to_text(), Err(LinkError::Damaged), "a run of the front is missing");
    }

    #[test]
    fn a_link_of_before_findings_travelled_asks_as_it_did() {
        let question = ExploreQuestion { runs: 60, ..ExploreQuestion::default() };
        let text = URL_SAFE_NO_PAD.encode(postcard::to_stdvec(&question).unwrap());
        assert_eq!(ExploreLink::parse(&text), Ok(ExploreLink::asking(question.clone())));
        assert_eq!(ExploreLink::asking(question).to_text(), Ok(text));
    }

    #[test]
    fn a_run_in_a_link_has_the_form_that_it_always_had() {
        let member = findings().front.remove(0);
        let bytes = postcard::to_stdvec(&member).unwrap();
        let run = (&member.run.scheduler, &member.run.estimate, None::<f64>, None::<u8>);
        assert_eq!(bytes, postcard::to_stdvec(&(run, &member.values)).unwrap());
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
        assert_eq!(changed(|found| found.baseline.rest[0] = Some(f64::NAN)), Err(LinkError::Damaged));
        assert_eq!(changed(|found| found.front[1].values.chosen = vec![None]), Err(LinkError::Damaged));
        assert_eq!(changed(|found| found.front[1] = found.front[0].clone()), Err(LinkError::Damaged), "twice the same");
        assert_eq!(changed(|found| found.keeping = 1_001), Err(LinkError::Damaged));
        assert!(matches!(changed(|found| found.tried = 100_001), Err(LinkError::TooMany { .. })));
        assert!(matches!(changed(|found| found.question.families.clear()), Err(LinkError::Study(_))));
        let on = SearchedLog { treatment: Treatment { shrink: 1e9, ..Treatment::default() }, ..on() };
        assert!(matches!(ExploreLink::telling(findings(), on).to_text(), Err(LinkError::Study(_))));
    }
}
