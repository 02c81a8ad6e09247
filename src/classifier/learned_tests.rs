//! Tests of classifiers that learn.

use super::super::options::{Divide, Labels};
use super::super::testing::{ask, classify, habits, of, request, workload};
use super::super::{WEEK, build, evaluation};
use super::*;

fn online(by: By) -> Options {
    Options { by, trees: 5, ..Options::default() }
}

fn accuracy(options: &Options, workload: &Workload) -> f64 {
    let weekly = evaluation::weekly(workload, &classify(options, workload));
    evaluation::from_week(2, &weekly).accuracy().unwrap()
}

#[test]
fn habits_are_learned() {
    let workload = habits(6);
    for by in [By::Forest, By::Best] {
        for known in [Known::Online, Known::Decoupled, Known::Ahead] {
            for (divider, labels) in [(Divide::All, Labels::Now), (Divide::Week, Labels::Then)] {
                let options = Options { known, divider, labels, ..online(by) };
                let accuracy = accuracy(&options, &workload);
                assert!(accuracy > 0.8, "{options:?}: {accuracy}");
            }
        }
        let early = accuracy(&Options { early: true, ..online(by) }, &workload);
        assert!(early > 0.8, "early: {early}");
    }
}

#[test]
fn the_same_seed_says_the_same_and_another_one_not() {
    let workload = habits(4);
    for by in [By::Forest, By::Best] {
        let said = classify(&online(by), &workload);
        assert_eq!(said, classify(&online(by), &workload));
        assert_ne!(said, classify(&Options { seed: 2, ..online(by) }, &workload));
    }
}

#[test]
fn the_first_week_is_large_and_a_vote_tells_what_it_rests_on() {
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
    // two short jobs and a long one, then all are as long as the divider
    let jobs: Vec<(Seconds, Seconds)> = (0..30).map(|i| (i * WEEK / 10, 50)).collect();
    let classified = classify(&online(By::Forest), &workload(&jobs));
    assert_eq!(classified[15].because, Because::OneClass(10), "nobody is below a median that everybody has");
    assert!(classified.iter().all(|c| c.class == Class::Large));
}

#[test]
fn a_divider_of_no_time_makes_everybody_large() {
    let jobs: Vec<(Seconds, Seconds)> = (0..30).map(|i| (i * WEEK / 10, if i % 3 == 0 { 9 } else { 0 })).collect();
    for by in [By::Forest, By::Best, By::All, By::Last, By::Request, By::Clairvoyant] {
        let classified = classify(&online(by), &workload(&jobs));
        assert!(classified[12..].iter().all(|c| c.because == Because::ZeroDivider && c.class == Class::Large));
    }
}

#[test]
fn nothing_is_known_of_who_completes_at_the_instant_of_a_submission() {
    let week = WEEK;
    let workload = workload(&[(0, 10), (1, 20), (week - 60, 60), (week, 5), (week + 5, 5), (week + 6, 5)]);
    let mut classifier = build(&online(By::Forest), &workload);
    for job in 0..3 {
        ask(&mut *classifier, &workload, job);
        let request = workload.request(JobId(job));
        let run = workload.run(JobId(job));
        classifier.completed(JobId(job), request, run, request.submit + run);
    }
    // the job that ends as the week begins is in no divider of this week, and not seen by who arrives then
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
fn learning_in_pieces_comes_to_the_same() {
    let workload = habits(4);
    for by in [By::Forest, By::Best] {
        let whole = classify(&online(by), &workload);
        let mut classifier = build(&online(by), &workload);
        let mut lessons = Vec::new();
        let said: Vec<Classified> = workload
            .jobs()
            .map(|job| {
                let request = workload.request(job);
                // others may ask at any time, and more than once
                classifier.learn(request.submit);
                while let Some(lesson) = classifier.learn(request.submit) {
                    lessons.push(lesson);
                }
                let classified = classifier.classify(job, request, request.submit);
                classifier.started(job, request.submit);
                // no later submission is at or before this end
                classifier.completed(job, request, workload.run(job), request.submit + workload.run(job));
                classified
            })
            .collect();
        let of = lessons[0].of;
        assert!(of >= 5 && lessons.iter().all(|lesson| lesson.done <= of && lesson.of == of));
        assert_eq!(lessons.iter().filter(|lesson| lesson.done == of).count(), 3, "weeks 1 to 3");
        let agreeing = whole.iter().zip(&said).filter(|(a, b)| a.class == b.class).count();
        assert!(agreeing * 100 > whole.len() * 97, "{agreeing} of {}: completions come in another order", whole.len());
    }
}

#[test]
fn a_fork_goes_on_by_itself() {
    let workload = habits(4);
    for by in [By::Forest, By::Best, By::Last] {
        let options = Options { early: true, ..online(by) };
        let tell = |classifier: &mut dyn Classifier, job: JobId| {
            let request = workload.request(job);
            let classified = classifier.classify(job, request, request.submit);
            classifier.started(job, request.submit);
            classifier.completed(job, request, workload.run(job), request.submit + workload.run(job));
            classified
        };
        let mut classifier = build(&options, &workload);
        let half = workload.len() as u32 / 2;
        for job in 0..half {
            tell(&mut *classifier, JobId(job));
        }
        let mut fork = classifier.fork();
        let rest = half..workload.len() as u32;
        let ours: Vec<Classified> = rest.clone().map(|job| tell(&mut *classifier, JobId(job))).collect();
        let theirs: Vec<Classified> = rest.map(|job| tell(&mut *fork, JobId(job))).collect();
        assert_eq!(ours, theirs);
    }
}

#[test]
fn who_has_run_for_the_divider_is_known_early() {
    let long = 2 * WEEK;
    let jobs = [(0, 10), (1, 30), (WEEK, long), (WEEK + 19, 5), (WEEK + 21, 5)];
    let workload = workload(&jobs);
    let lately = |early: bool| {
        let said = classify(&Options { early, ..online(By::Forest) }, &workload);
        [said[3], said[4]].map(|c| match c.because {
            Because::Vote(vote) => vote.same,
            _ => panic!("{c:?}"),
        })
    };
    assert_eq!(lately(false).map(|same| same.known), [2, 2]);
    let early = lately(true);
    assert_eq!(early.map(|same| same.known), [2, 3], "the divider is 20 s");
    assert_eq!(early[1].latest[0], Some(Class::Large));
}

#[test]
fn jobs_without_user_or_limit_are_classified_all_the_same() {
    let jobs = habits(4);
    let nobody = of(jobs.jobs().map(|job| (Request { user: -1, ..jobs.request(job).clone() }, jobs.run(job))));
    for by in [By::Forest, By::Best, By::Last] {
        let classified = classify(&online(by), &nobody);
        assert_eq!(classified.len(), nobody.len());
        if let Because::Vote(vote) = classified[nobody.len() - 1].because {
            assert_eq!(vote.same.known, 0);
        }
    }
    assert_eq!(classify(&online(By::Best), &of([])), []);
    assert_eq!(classify(&online(By::Best), &of([(request(7), 3)]))[0].because, Because::NoDivider);
}
