//! What a person should know about a study before believing its numbers, in plain words.

use super::{RunReport, Source, Study};
use crate::catalogue::Value;
use crate::classifier::WEEK;
use crate::estimator::Method;
use crate::metric::{Metric, Saturation};
use crate::scheduler::Policy;
use crate::study::format;
use crate::workload::{Summary, Workload};

/// Above this offered load every scheduler is saturated.
const FULL: f64 = 1.0;

/// A warning where the jobs ask for more than the machine can do; `None` otherwise.
pub fn overload(summary: &Summary) -> Option<String> {
    let load = summary.offered_load.filter(|load| *load > FULL)?;
    let asked = format!("The jobs ask for {} of what the machine can do while they come", percent(load));
    Some(if is_long_enough(summary) {
        format!("{asked}: it is saturated. Waits then tell how long the log is, more than how good a scheduler is.")
    } else {
        format!("{asked}. Whether it is saturated cannot be told: the log is too short, or has too few jobs.")
    })
}

/// Whether the workload is long enough to tell whether a scheduler is saturated.
fn is_long_enough(summary: &Summary) -> bool {
    let span = summary.span.last_submit.saturating_sub(summary.span.first_submit);
    Saturation::can_be_told(summary.jobs, span as f64)
}

/// What it means that the log names no requested times: for the rows with requested times, or that there are no such
/// rows. `None` where the log names some.
pub fn requested_times(summary: &Summary, methods: &[Method]) -> Option<&'static str> {
    if summary.jobs == 0 || summary.requested > 0.0 {
        return None;
    }
    Some(if methods.contains(&Method::requested()) {
        "The log names no requested times, and run times stand in for them: rows with requested times know beforehand how \
         long jobs run, and how good these estimates are is not told."
    } else {
        "The log names no requested times, so there are no rows with them."
    })
}

/// Adapts the estimation methods of a study to a log that has taken the place of another.
///
/// Where the log names no requested times, the method with requested times is taken out, because run times would stand
/// in for them; if no method is left, run times are used. Where the log names some, the method comes back if an earlier
/// log took it out.
pub fn suit_methods(study: &mut Study, names_requested_times: bool) {
    let requested = Method::requested();
    let without = |methods: &[Method]| -> Vec<Method> {
        let left: Vec<Method> = methods.iter().filter(|method| **method != requested).cloned().collect();
        if left.is_empty() { vec![Method::actual()] } else { left }
    };
    if !names_requested_times {
        if study.methods.contains(&requested) {
            let left = without(&study.methods);
            study.methods_asked = std::mem::replace(&mut study.methods, left);
        }
        return;
    }
    let asked = std::mem::take(&mut study.methods_asked);
    if asked.is_empty() || study.methods.contains(&requested) {
        return;
    }
    if study.methods == without(&asked) {
        study.methods = asked;
    } else {
        // What a person has changed since then stays.
        study.methods.insert(0, requested);
    }
}

/// A caveat about a scheduler: it is off-line, so no scheduler reaches its result; jobs starve under it; or one of its
/// settings has no effect. `None` where no caveat applies.
pub fn of_scheduler(policy: &Policy) -> Option<&'static str> {
    if policy.is_offline() { Some(super::table::OFFLINE_CAVEAT) } else { starving(policy).or(without_effect(policy)) }
}

/// A caveat about a policy that puts small jobs first twice, by their class and by its order, and has no waiting
/// threshold (docs/classes.md shows the effect). `None` for any other policy.
fn starving(policy: &Policy) -> Option<&'static str> {
    let settings = policy.settings();
    let is_one = tells_classes(policy)
        && settings.whole("starvation").is_none()
        && [Value::Choice("saf"), Value::Choice("sjf")].contains(&settings.get("policy"));
    is_one.then_some(
        "Its price is starvation: nobody goes first for having waited long, and large jobs may wait for months. Classes, \
         bounded has a threshold.",
    )
}

/// A caveat about a setting of a scheduler that has no effect; `None` where every setting has one.
fn without_effect(policy: &Policy) -> Option<&'static str> {
    let settings = policy.settings();
    let is_idle = policy.family().entry.id == "easy"
        && settings.whole("threshold").is_some()
        && settings.get("initial") == Value::Choice("fcfs");
    is_idle.then_some(
        "The waiting threshold has no effect with the initial order FCFS: whoever has waited longest is at the head of \
         it already.",
    )
}

/// Whether a scheduler tells small jobs from large ones.
fn tells_classes(policy: &Policy) -> bool {
    policy.family().entry.id == "classes"
}

/// Whether any of the schedulers tells small jobs from large ones.
fn asks_for_classes(schedulers: &[Policy]) -> bool {
    schedulers.iter().any(tells_classes)
}

/// What the workload lacks for telling jobs apart by size. Empty where it lacks nothing, or where no scheduler tells
/// classes.
fn classes(summary: &Summary, schedulers: &[Policy]) -> Vec<String> {
    if summary.jobs == 0 || !asks_for_classes(schedulers) {
        return Vec::new();
    }
    let learns =
        |policy: &Policy| tells_classes(policy) && ["forest", "best", "last"].contains(&policy.settings().choice("by"));
    let is_learned = schedulers.iter().any(learns);
    let mut lacks = Vec::new();
    if is_learned && summary.users == 0 {
        lacks.push(
            "The log names no users: what earlier jobs of the same user did is missing among what classes are learned from."
                .to_owned(),
        );
    }
    if summary.requested < 1.0 {
        lacks.push(format!(
            "{} of {} jobs name no requested time, which is then missing among what classes are learned from.",
            format::whole(((1.0 - summary.requested) * summary.jobs as f64).round() as i64),
            format::whole(summary.jobs as i64)
        ));
    }
    let span = summary.span.last_submit - summary.span.first_submit;
    if span < WEEK {
        lacks.push(
            "All jobs were submitted within a week, and the first week is what is learned from: all of them are large."
                .to_owned(),
        );
    } else if span < 2 * WEEK {
        lacks.push(
            "The log is shorter than two weeks. Jobs of the first week are all large, for it is what is learned from."
                .to_owned(),
        );
    }
    if summary.runs.quantiles.median <= 0.0 {
        lacks.push(
            "Half of the jobs run for no time at all: the divider is 0 s, and where it is, all jobs are large."
                .to_owned(),
        );
    }
    lacks
}

/// The caveat for a log that names no executables, beside a method that groups jobs by executable.
pub const NO_EXECUTABLES: &str = "The log names no executables, by which Hierarchy and SP-x group jobs: their estimates \
                                  are coarser than with them, and figures of papers that had them do not come out.";

/// Whether a method groups jobs by executable (METRICS §VI).
pub fn groups_by_executable(method: &Method) -> bool {
    ["hierarchy", "sp"].contains(&method.family().entry.id)
}

/// Whether the study needs something of the log that not every log has: what classes are learned from, or executables.
pub fn asks_for_more(study: &Study) -> bool {
    asks_for_classes(&study.schedulers) || study.methods.iter().any(groups_by_executable)
}

/// What the workload lacks that schedulers or estimators of the study need, a sentence each.
pub fn lacking(summary: &Summary, study: &Study) -> Vec<String> {
    let mut lacks = classes(summary, &study.schedulers);
    if summary.executables == 0 && study.methods.iter().any(groups_by_executable) {
        lacks.push(NO_EXECUTABLES.to_owned());
    }
    lacks
}

/// A warning where a scheduler promises starts and some jobs run longer than they requested, which no promise accounts
/// for. `None` otherwise.
pub fn late_jobs(report: &RunReport, workload: &Workload) -> Option<String> {
    let remade = *report.values.get(&Metric::Remade)?;
    let late = workload.jobs().filter(|&job| workload.run(job) > workload.request(job).limit).count();
    (late > 0).then(|| {
        format!(
            "{} of {} jobs ran longer than they had requested, and {} promised starts were made anew. \
             --clean fairness-cut cuts run times to the request, fairness-raised raises requests",
            format::whole(late as i64),
            format::whole(workload.len() as i64),
            format::whole(remade as i64)
        )
    })
}

/// Moves a study that was saved on another log to `source`. What it says about the jobs of its own log (a filter, a
/// machine's size, a load) is dropped, for it means nothing on another log. Returns what to tell the person, or `None`
/// where the log is the same.
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
    // Classes by width, run time or hour exist in any log.
    study.measure.only.take_if(|group| group.by.header_label().is_some());
    study.measure.weights.retain(|of| of.group.by.header_label().is_none());
    Some(format!("It was saved for {}; here it is for {}{without}.", was.name(), source.name()))
}

fn percent(share: f64) -> String {
    format!("{}\u{a0}%", format::whole((share * 100.0).round() as i64))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::GroupWeight;
    use crate::study::{Generated, Treatment, execute};
    use crate::workload::{Filter, Header};

    fn source(seed: u64) -> Source {
        Source::Generated(Generated::Lublin { jobs: 400, processors: 64, seed })
    }

    #[test]
    fn a_threshold_is_idle_where_the_oldest_leads_anyway() {
        let of = |id: &str| without_effect(&id.parse().unwrap()).is_some();
        assert!(of("easy:backfill=sjf,threshold=3600"));
        assert!(!of("easy:initial=saf,backfill=saf,threshold=3600") && !of("easy") && !of("justbf"));
        // Such a threshold does not change the schedules.
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
    fn a_rule_under_which_large_jobs_starve_says_its_price() {
        let of = |id: &str| of_scheduler(&id.parse().unwrap());
        assert!(of("saf-ci").is_some_and(|price| price.contains("starvation")) && of("spf-ci").is_some());
        assert_eq!((of("classes-bounded"), of("fcfs-ci"), of("saf-easy")), (None, None, None));
    }

    #[test]
    fn what_a_log_lacks_to_tell_jobs_apart_is_said() {
        let said = |text: &str, schedulers: &[&str]| {
            let log = crate::workload::reading::read("x.swf", text.as_bytes()).unwrap();
            let workload =
                Treatment { cleaning: crate::workload::Cleaning::Raw, ..Treatment::default() }.apply(&log).unwrap();
            let schedulers: Vec<Policy> = schedulers.iter().map(|id| id.parse().unwrap()).collect();
            classes(&Summary::of(&workload), &schedulers)
        };
        let job = |submit: i64, run: i64, limit: i64, user: i64| {
            format!("1 {submit} 0 {run} 1 -1 -1 1 {limit} -1 1 {user} 1 -1 -1 -1 -1 -1\n")
        };
        let good = job(0, 10, 60, 1) + job(2 * WEEK, 10, 60, 1).as_str();
        assert_eq!(said(&good, &["easy", "fcfs-ci"]), [""; 0]);
        let bad = job(0, 10, 60, -1) + job(5, 10, -1, -1).as_str();
        assert_eq!(said(&bad, &["easy"]), [""; 0], "nobody asks");
        let told = said(&bad, &["fcfs-ci"]);
        assert!(told[0].starts_with("The log names no users") && told[1].starts_with("1 of 2 jobs"), "{told:?}");
        assert!(told[2].starts_with("All jobs were submitted within a week") && told.len() == 3, "{told:?}");
        assert!(
            said(&(job(0, 10, 60, 1) + job(WEEK, 10, 60, 1).as_str()), &["fcfs-ci"])[0]
                .contains("shorter than two weeks")
        );
        assert_eq!(said(&bad, &["class-clairvoyant"]).len(), 2, "who learns nothing from users does not miss them");
    }

    #[test]
    fn requested_times_that_nobody_named_are_not_taken_for_measured() {
        let job = |submit: i64, limit: i64| format!("1 {submit} 0 50 1 -1 -1 1 {limit} -1 1 1 1 -1 -1 -1 -1 -1\n");
        let workload = |limit: i64| {
            let text: String = (0..9).map(|i| job(10 * i, if i == 0 { limit } else { -1 })).collect();
            let log = crate::workload::reading::read("x.swf", text.as_bytes()).unwrap();
            Treatment::default().apply(&log).unwrap()
        };
        let mut study = Study::on(source(1));
        let (without, with) = (workload(-1), workload(60));
        let said = |workload, study: &Study| requested_times(&Summary::of(workload), &study.methods);
        assert_eq!(said(&with, &study), None, "one job names one");
        assert!(said(&without, &study).unwrap().contains("run times stand in for them"));
        suit_methods(&mut study, false);
        assert_eq!(study.methods, [Method::actual()]);
        assert!(said(&without, &study).unwrap().ends_with("so there are no rows with them."));
        // Run times then stand in for requested times, so the quality of these estimates is not measured.
        let r2 = |workload: &crate::workload::Workload, method: &str| {
            let run = crate::study::Run::new("easy".parse().unwrap(), method.parse().unwrap());
            let report = execute(&run, workload, super::super::Rules::default(), &study.measure).unwrap().report;
            crate::metric::Metric::OF_ESTIMATES.map(|metric| report.values.contains_key(&metric))
        };
        assert_eq!(r2(&without, "requested"), [false; 3]);
        assert_eq!(r2(&without, "last2")[1..], [true; 2]);
        assert_eq!(r2(&with, "requested")[1..], [true; 2]);
    }

    #[test]
    fn what_a_log_without_requested_times_took_out_comes_back_with_the_next_that_has_some() {
        let methods = |ids: &[&str]| -> Vec<Method> { ids.iter().map(|id| id.parse().unwrap()).collect() };
        let mut study = Study::on(source(1));
        for before in [&["requested", "actual"][..], &["requested"], &["last2", "requested", "sp2"]] {
            study.methods = methods(before);
            suit_methods(&mut study, false);
            assert!(!study.methods.is_empty() && !study.methods.contains(&Method::requested()), "{before:?}");
            // Another log without requested times, and a session that goes on later.
            suit_methods(&mut study, false);
            study = serde_json::from_str(&serde_json::to_string(&study).unwrap()).unwrap();
            suit_methods(&mut study, true);
            assert_eq!((&study.methods, &study.methods_asked), (&methods(before), &Vec::new()));
        }
        // What a person has changed meanwhile stays.
        study.methods = methods(&["requested", "actual"]);
        suit_methods(&mut study, false);
        study.methods = methods(&["last2"]);
        suit_methods(&mut study, true);
        assert_eq!(study.methods, methods(&["requested", "last2"]));
        // A method that a person took out stays out, and one that they asked for again is there once.
        study.methods = methods(&["actual"]);
        suit_methods(&mut study, false);
        suit_methods(&mut study, true);
        assert_eq!(study.methods, methods(&["actual"]));
        study.methods = methods(&["requested", "actual"]);
        suit_methods(&mut study, false);
        study.methods = methods(&["actual", "requested"]);
        suit_methods(&mut study, true);
        assert_eq!(study.methods, methods(&["actual", "requested"]));
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
        assert!(
            told.starts_with("The jobs ask for ") && told.contains("cannot be told: the log is too short"),
            "{told}"
        );
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
        let weights = GroupWeight::read_all("user=3:2, width=64:0.5", &Header::default()).unwrap();
        study.measure.weights = weights.clone();
        assert!(transfer(&mut study, &source(3)).unwrap().contains("without the filter, machine size and load"));
        assert_eq!((study.source.clone(), study.treatment.processors), (source(3), None));
        assert_eq!(study.treatment.filter, Filter::default());
        assert_eq!(study.measure.weights, weights[1..], "another log has other users, and the same widths");
        assert_eq!(study.treatment.cleaning, crate::workload::Cleaning::Raw, "a way of cleaning is of any log");
    }
}
