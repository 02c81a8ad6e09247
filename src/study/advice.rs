//! What a person should know of a study before they believe its numbers, in plain words.

use super::{Source, Study};
use crate::scheduler::Policy;
use crate::study::format;
use crate::workload::Summary;

/// Above this offered load a queue grows to the end of the log.
const FULL: f64 = 1.0;

/// Of a workload that asks for more than its machine can do; nothing of others.
pub fn overload(summary: &Summary) -> Option<String> {
    let load = summary.offered_load.filter(|load| *load > FULL)?;
    Some(format!(
        "The jobs ask for {} of what the machine can do while they come: the queue grows to the end of the log. Waits \
         then tell how long the log is, more than how good a scheduler is.",
        percent(load)
    ))
}

/// Of a setting of a scheduler that changes nothing; nothing where all do something.
pub fn without_effect(policy: &Policy) -> Option<&'static str> {
    let settings = policy.settings();
    let is_idle = policy.family().entry.id == "easy"
        && settings.whole("threshold").is_some()
        && settings.choice("initial") == "fcfs";
    is_idle.then_some(
        "The waiting threshold has no effect with the initial order FCFS: whoever has waited longest is at the head of \
         it already.",
    )
}

/// Makes of a study that was saved on another log one on `source`: what it says of the jobs of its own log (a filter,
/// a machine's size, a load) means nothing there. What to tell of it; nothing where it is of the same log.
pub fn transfer(study: &mut Study, source: &Source) -> Option<String> {
    let was = std::mem::replace(&mut study.source, source.clone());
    if was.key() == source.key() {
        return None;
    }
    let cleaning = study.treatment.cleaning;
    let own = super::Treatment { cleaning, ..super::Treatment::default() };
    let without =
        if study.treatment == own { "" } else { ", without the filter, machine size and load set for that log" };
    study.treatment = own;
    Some(format!("It was saved for {}; here it is for {}{without}.", was.name(), source.name()))
}

fn percent(share: f64) -> String {
    format!("{}\u{a0}%", format::whole((share * 100.0).round() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Generated, Treatment, execute};
    use crate::workload::Filter;

    fn source(seed: u64) -> Source {
        Source::Generated(Generated::Lublin { jobs: 400, processors: 64, seed })
    }

    #[test]
    fn a_threshold_is_idle_where_the_oldest_leads_anyway() {
        let of = |id: &str| without_effect(&id.parse().unwrap()).is_some();
        assert!(of("easy:backfill=sjf,threshold=3600"));
        assert!(!of("easy:initial=saf,backfill=saf,threshold=3600") && !of("easy") && !of("justbf"));
        // and it is so: the schedules are the same
        let Source::Generated(generated) = source(3) else { unreachable!("made above") };
        let workload = Treatment::default().apply(&generated.generate()).unwrap();
        let starts = |id: &str| {
            let run = crate::study::Run::new(id.parse().unwrap(), "requested".parse().unwrap());
            execute(&run, &workload, super::super::Rules::default(), &Study::first_visit().measure)
                .unwrap()
                .schedule
                .starts
        };
        assert_eq!(starts("easy:backfill=sjf,threshold=600"), starts("easy-sjbf"));
        assert_ne!(starts("easy:initial=saf,backfill=saf,threshold=600"), starts("saf-easy"));
    }

    #[test]
    fn overload_is_told_in_words() {
        let Source::Generated(generated) = source(1) else { unreachable!("made above") };
        let summary = |shrink| {
            let treatment = Treatment { shrink, ..Treatment::default() };
            Summary::of(&treatment.apply(&generated.generate()).unwrap())
        };
        assert_eq!(overload(&summary(20.0)), None);
        let told = overload(&summary(0.05)).unwrap();
        assert!(told.starts_with("The jobs ask for ") && told.contains("the queue grows to the end"), "{told}");
    }

    #[test]
    fn a_study_of_another_log_leaves_what_was_of_that_log_behind() {
        let mut study = Study::on(source(1));
        assert_eq!(transfer(&mut study, &source(1)), None);
        study.treatment.cleaning = crate::workload::Cleaning::Raw;
        assert_eq!(
            transfer(&mut study, &source(2)).unwrap(),
            "It was saved for Lublin-Feitelson, seed 1; here it is for Lublin-Feitelson, seed 2."
        );
        study.treatment.filter = Filter { from: Some(7), ..Filter::default() };
        study.treatment.processors = Some(5);
        assert!(transfer(&mut study, &source(3)).unwrap().contains("without the filter, machine size and load"));
        assert_eq!((study.source.clone(), study.treatment.processors), (source(3), None));
        assert_eq!(study.treatment.filter, Filter::default());
        assert_eq!(study.treatment.cleaning, crate::workload::Cleaning::Raw, "a way of cleaning is of any log");
    }
}
