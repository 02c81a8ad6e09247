//! Classes of jobs are those of an independent implementation, and the same on every target.

#[cfg(not(target_arch = "wasm32"))]
use packfair::classifier::{By, ClassifierOptions, Known, build, evaluation};
use packfair::workload::{Cleaning, Filter, Request, Seconds, Workload, clean, lublin};
#[cfg(target_arch = "wasm32")]
use wasm_bindgen_test::{wasm_bindgen_test, wasm_bindgen_test_configure};
use xxhash_rust::xxh3::xxh3_64;

#[cfg(target_arch = "wasm32")]
wasm_bindgen_test_configure!(run_in_browser);

/// A generated workload, of a few users.
fn workload() -> Workload {
    let log = lublin(3_000, 64, 11);
    let jobs = clean(&log, &Filter::default(), Cleaning::Metrics, None).unwrap();
    let mut workload = Workload::empty("jobs", jobs.machine, jobs.header.clone());
    for job in jobs.jobs() {
        let user = job.0 as i32 * 7_919 % 23 % 11;
        workload.push(Request { user, group: user % 3, ..jobs.request(job).clone() }, jobs.run(job), -1, 0);
    }
    workload
}

/// The digest of the classes of all jobs, and of the trees' votes to the last bit.
fn digest(by: By) -> u64 {
    let workload = workload();
    let starts: Vec<Seconds> = workload.requests().iter().map(|request| request.submit + 60).collect();
    let options = ClassifierOptions { by, known: Known::Online, early: true, trees: 4, ..ClassifierOptions::default() };
    let mut classifier = build(&options, &workload);
    let classified = evaluation::replay(&mut *classifier, &workload, &starts);
    assert!(classified.iter().any(|c| c.class.is_small()) && classified.iter().any(|c| c.divider.is_some()));
    xxh3_64(serde_json::to_string(&(classified, classifier.importances())).unwrap().as_bytes())
}

#[cfg_attr(target_arch = "wasm32", wasm_bindgen_test)]
#[cfg_attr(not(target_arch = "wasm32"), test)]
fn classes_are_the_same_on_every_target() {
    assert_eq!(digest(By::Forest), 14_995_650_834_571_365_894);
}

#[cfg(not(target_arch = "wasm32"))]
mod gold {
    use crate::shared::{folder, gold, json, trace};
    use packfair::classifier::evaluation::{from_week, replay, shares, weekly};
    use packfair::classifier::{By, Classified, ClassifierOptions, Divide, Known, build};
    use packfair::workload::{Seconds, Workload};

    /// Options by which all jobs of earlier weeks are known, completed or not, as in the reference.
    fn decoupled(by: By) -> ClassifierOptions {
        ClassifierOptions { by, known: Known::Decoupled, ..ClassifierOptions::default() }
    }

    fn classify(options: &ClassifierOptions, workload: &Workload, starts: &[Seconds]) -> Vec<Classified> {
        replay(&mut *build(options, workload), workload, starts)
    }

    fn submits(workload: &Workload) -> Vec<Seconds> {
        workload.requests().iter().map(|request| request.submit).collect()
    }

    #[test]
    fn dividers_are_those_of_the_reference() {
        let Some(folder) = folder() else { return };
        let classes = json(&folder, "classes.json");
        for log in ["KTH-SP2", "CTC-SP2", "SDSC-BLUE"] {
            let workload = trace(&folder, log);
            assert_eq!(shares(&workload).unwrap().divider, classes[log]["median_of_trace"]);
            for (rule, divider) in [("all", Divide::All), ("week", Divide::Week)] {
                let options = ClassifierOptions { divider, ..decoupled(By::All) };
                let weeks = packfair::classifier::Weeks::of(&workload);
                let classified = classify(&options, &workload, &submits(&workload));
                for (request, classified) in workload.requests().iter().zip(&classified) {
                    let week = weeks.week(request.submit);
                    let expected = classes[log]["dividers"][rule][week].as_i64();
                    assert_eq!(classified.divider.or(Some(0)), expected, "{log}, {rule}, week {week}");
                }
            }
        }
    }

    /// A schedule of the reference was made with its classes: along it, jobs must get the same classes.
    #[test]
    fn exact_classes_are_those_of_the_reference() {
        let Some(folder) = folder() else { return };
        let classes = json(&folder, "classes.json");
        let workload = trace(&folder, "KTH-SP2");
        for (name, by) in [("clairvoyant", By::Clairvoyant), ("request", By::Request), ("last", By::Last)] {
            for policy in ["fcfs", "wfp", "sjf", "saf"] {
                let run = format!("classes-{name}-{policy}__requested");
                let starts = gold(&folder, &format!("KTH-SP2/{run}"), &workload).starts;
                let found = from_week(1, &weekly(&workload, &classify(&decoupled(by), &workload, &starts)));
                let expected = &classes["KTH-SP2"]["runs"][&run]["classes"];
                let expected = ["TS", "TL", "FS", "FL"].map(|count| expected[count].as_u64().unwrap());
                assert_eq!(
                    [found.true_small, found.true_large, found.false_small, found.false_large],
                    expected,
                    "{run}"
                );
            }
        }
    }

    #[test]
    fn a_forest_is_as_often_right_as_the_reference() {
        let Some(folder) = folder() else { return };
        let workload = trace(&folder, "KTH-SP2");
        let starts = gold(&folder, "KTH-SP2/easy__requested", &workload).starts;
        let learned = &json(&folder, "classes.json")["KTH-SP2"]["learned"];
        for (name, known) in [("decoupled", Known::Decoupled), ("online", Known::Online)] {
            let options = ClassifierOptions { known, ..ClassifierOptions::default() };
            let found = from_week(2, &weekly(&workload, &classify(&options, &workload, &starts)));
            let range = |figure: &str| {
                let range = &learned[name]["from_week_2"][figure];
                ["min", "max"].map(|end| range[end].as_f64().unwrap())
            };
            // the reference's range is of five seeds and our value of one, so half a percentage point more is allowed
            // on both sides
            let near = |figure: &str, value: Option<f64>| {
                let ([least, most], value) = (range(figure), value.unwrap());
                assert!(value > least - 0.005 && value < most + 0.005, "{name} {figure}: {value}");
            };
            near("accuracy", found.accuracy());
            near("false_large_of_all", found.false_large_share());
            near("false_small_of_all", found.false_small_share());
        }
    }

    #[test]
    fn shares_of_classes_are_those_of_table_2() {
        let Some(folder) = folder() else { return };
        for (log, premature) in [("KTH-SP2", 0.202), ("CTC-SP2", 0.233), ("SDSC-BLUE", 0.493)] {
            let found = shares(&trace(&folder, log)).unwrap();
            assert!((found.jobs.premature - premature).abs() < 0.0006, "{log}: {found:?}");
            assert!(found.area.large > 0.98, "{log}: {found:?}");
        }
    }
}
