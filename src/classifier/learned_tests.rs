//! Tests of classifiers with training.

use super::super::options::{By, Divide, Labels};
use super::super::testing::{ask, classify, habits, of, request, workload};
use super::super::{WEEK, build, evaluation};
use super::*;

fn online(by: By) -> ClassifierOptions {
    ClassifierOptions { by, trees: 5, ..ClassifierOptions::default() }
}

fn accuracy(options: &ClassifierOptions, workload: &Workload) -> f64 {
    let weekly = evaluation::weekly(workload, &classify(options, workload));
    evaluation::from_week(2, &weekly).accuracy().unwrap()
}

#[test]
fn habits_are_learned() {
    let workload = habits(6);
    for known in [Known::Online, Known::Decoupled, Known::Ahead] {
        for (divider, labels) in [(Divide::All, Labels::Now), (Divide::Week, Labels::Then)] {
            let options = ClassifierOptions { known, divider, labels, ..online(By::Forest) };
            let accuracy = accuracy(&options, &workload);
            assert!(accuracy > 0.8, "{options:?}: {accuracy}");
        }
    }
    let early = accuracy(&ClassifierOptions { early: true, ..online(By::Forest) }, &workload);
    assert!(early > 0.8, "early: {early}");
}

#[test]
fn the_same_seed_gives_the_same_classes_and_another_one_does_not() {
    let workload = habits(4);
    let classified = classify(&online(By::Forest), &workload);
    assert_eq!(classified, classify(&online(By::Forest), &workload));
    assert_ne!(classified, classify(&ClassifierOptions { seed: 2, ..online(By::Forest) }, &workload));
}

#[test]
fn the_first_week_is_large_and_a_vote_says_what_it_rests_on() {
    let workload = habits(3);
    let classified = classify(&online(By::Forest), &workload);
    assert!(classified[..60].iter().all(|c| c.class == Class::Large && c.divider.is_none()));
    for classified in &classified[60..] {
        let Because::Vote(vote) = classified.because else { panic!("{classified:?}") };
        assert_eq!(classified.class.is_small(), vote.small > 0.5);
        assert!(vote.trees == 5 && vote.trees_for <= 5 && vote.same.small <= vote.same.known);
    }
    let last = classified.last().unwrap().because.to_string();
    assert!(last.contains("of 5 trees say small; the last three jobs of this user"), "{last}");
}

#[test]
fn jobs_of_one_class_teach_that_class() {
    // all jobs are as long as the divider
    let jobs: Vec<(Seconds, Seconds)> = (0..30).map(|i| (i * WEEK / 10, 50)).collect();
    let classified = classify(&online(By::Forest), &workload(&jobs));
    assert_eq!(classified[15].because, Because::OneClass(10), "no job is below a median that all have");
    assert!(classified.iter().all(|c| c.class == Class::Large));
}

#[test]
fn a_divider_of_0_s_makes_all_jobs_large() {
    let jobs: Vec<(Seconds, Seconds)> = (0..30).map(|i| (i * WEEK / 10, if i % 3 == 0 { 9 } else { 0 })).collect();
    for by in [By::Forest, By::All, By::Last, By::Request, By::Clairvoyant] {
        let classified = classify(&online(by), &workload(&jobs));
        assert!(classified[12..].iter().all(|c| c.because == Because::ZeroDivider && c.class == Class::Large));
    }
}

#[test]
fn a_job_that_completes_at_the_instant_of_a_submission_is_not_known_yet() {
    let week = WEEK;
    let workload = workload(&[(0, 10), (1, 20), (week - 60, 60), (week, 5), (week + 5, 5), (week + 6, 5)]);
    let mut classifier = build(&online(By::Forest), &workload);
    for job in 0..3 {
        ask(&mut *classifier, &workload, job);
        let request = workload.request(JobId(job));
        let run = workload.run(JobId(job));
        classifier.completed(JobId(job), request, run, request.submit + run);
    }
    // the job that ends as the week begins is not in its divider, and not known to the job that arrives then
    let known = |classified: Classified| match classified.because {
        Because::Vote(vote) => vote.same.known,
        _ => panic!("{classified:?}"),
    };
    let arriving = ask(&mut *classifier, &workload, 3);
    assert_eq!((arriving.divider, known(arriving)), (Some(15), 2));
    classifier.completed(JobId(3), workload.request(JobId(3)), 5, week + 5);
    assert_eq!(known(ask(&mut *classifier, &workload, 4)), 3);
    assert_eq!(known(ask(&mut *classifier, &workload, 5)), 4);
}

#[test]
fn training_step_by_step_has_the_same_outcome() {
    let workload = habits(4);
    let whole = classify(&online(By::Forest), &workload);
    let mut classifier = build(&online(By::Forest), &workload);
    let mut steps = 0;
    let stepwise: Vec<Classified> = workload
        .jobs()
        .map(|job| {
            let request = workload.request(job);
            while classifier.train(request.submit) {
                steps += 1;
            }
            let classified = classifier.classify(job, request, request.submit);
            classifier.started(job, request.submit);
            // no later submission is at or before this end
            classifier.completed(job, request, workload.run(job), request.submit + workload.run(job));
            classified
        })
        .collect();
    assert_eq!(steps, 3 * 5, "five trees in each of weeks 1 to 3");
    let agreeing = whole.iter().zip(&stepwise).filter(|(a, b)| a.class == b.class).count();
    assert!(agreeing * 100 > whole.len() * 97, "{agreeing} of {}: completions come in another order", whole.len());
}

#[test]
fn a_job_that_has_run_for_its_divider_is_known_early() {
    let long = 2 * WEEK;
    let jobs = [(0, 10), (1, 30), (WEEK, long), (WEEK + 19, 5), (WEEK + 21, 5)];
    let workload = workload(&jobs);
    let known_classes = |early: bool| {
        let classified = classify(&ClassifierOptions { early, ..online(By::Forest) }, &workload);
        [classified[3], classified[4]].map(|c| match c.because {
            Because::Vote(vote) => vote.same,
            _ => panic!("{c:?}"),
        })
    };
    assert_eq!(known_classes(false).map(|same| same.known), [2, 2]);
    let early = known_classes(true);
    assert_eq!(early.map(|same| same.known), [2, 3], "the divider is 20 s");
    assert_eq!(early[1].latest[0], Some(Class::Large));
}

#[test]
fn jobs_without_user_or_limit_are_classified_all_the_same() {
    let jobs = habits(4);
    let nobody = of(jobs.jobs().map(|job| (Request { user: -1, ..jobs.request(job).clone() }, jobs.run(job))));
    for by in [By::Forest, By::Last] {
        let classified = classify(&online(by), &nobody);
        assert_eq!(classified.len(), nobody.len());
        if let Because::Vote(vote) = classified[nobody.len() - 1].because {
            assert_eq!(vote.same.known, 0);
        }
    }
    assert_eq!(classify(&online(By::Forest), &of([])), []);
    assert_eq!(classify(&online(By::Forest), &of([(request(7), 3)]))[0].because, Because::NoDivider);
}

/// What every job was taken for, and when trainings began.
fn trained(options: &ClassifierOptions, workload: &Workload) -> (Vec<Classified>, Vec<Seconds>) {
    let starts: Vec<Seconds> = workload.requests().iter().map(|request| request.submit).collect();
    let mut classifier = build(options, workload);
    let classified = evaluation::replay(&mut *classifier, workload, &starts);
    assert_eq!(classifier.trained().len(), classifier.importances().len());
    (classified, classifier.trained().to_vec())
}

#[test]
fn training_begins_after_as_many_days_as_asked_for() {
    let workload = habits(4);
    let begins = |retrain| trained(&ClassifierOptions { retrain, ..online(By::Forest) }, &workload).1;
    let first = workload.requests()[0].submit;
    assert_eq!(begins(7), [1, 2, 3].map(|week| first + week * WEEK));
    assert_eq!(begins(14), [first + 2 * WEEK]);
    assert_eq!(begins(1).len(), 27, "each day but the first");
    let (classified, _) = trained(&ClassifierOptions { retrain: 14, ..online(By::Forest) }, &workload);
    let is_of_first = |&(job, _): &(usize, &Classified)| workload.requests()[job].submit < first + 2 * WEEK;
    assert!(classified.iter().enumerate().filter(is_of_first).all(|(_, c)| c.divider.is_none()));
}

#[test]
fn features_that_are_left_out_are_not_learned_from() {
    let workload = habits(4);
    let only = |text: &str| {
        let text = format!("trees=5,features={text}");
        let settings = crate::catalogue::Settings::parse(super::super::PARAMETERS, "classes", &text).unwrap();
        ClassifierOptions::of(&settings)
    };
    let all = classify(&online(By::Forest), &workload);
    let of_limit = only("limit");
    let classified = classify(&of_limit, &workload);
    assert_ne!(classified, all);
    // only the requested time is known: jobs with the same request in the same week are of the same class
    let weeks = super::super::Weeks::of(&workload);
    let key = |job: usize| (weeks.week(workload.requests()[job].submit), workload.requests()[job].limit);
    let mut by_limit = std::collections::BTreeMap::new();
    for (job, classified) in classified.iter().enumerate() {
        assert_eq!(*by_limit.entry(key(job)).or_insert(classified.class), classified.class, "job {job}");
    }
    assert_eq!(super::super::features(&only("all")).len(), 20);
    assert_eq!(super::super::features(&only("hour+ul")).len(), 2);
}
