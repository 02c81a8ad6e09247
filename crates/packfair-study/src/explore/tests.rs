use super::*;
use crate::format::SPACE;
use crate::sureness::{Interval, NoInterval};
use crate::{Effects, LogPart, Loser, Rules, Run, Treatment, execute, measured};
use packfair_base::catalogue::NamedFile;
use packfair_engine::metric::{CountedGroup, GroupWeight, Grouping, Measure, Metric};
use packfair_workload::{Header, JobId, Workload, lublin};
use std::collections::BTreeSet;

fn workload() -> Workload {
    // A load under which jobs wait.
    let treatment = Treatment { shrink: 0.6, ..Treatment::default() };
    treatment.apply(&lublin(400, 64, 7)).unwrap()
}

fn question(runs: usize) -> ExploreQuestion {
    ExploreQuestion { runs, minimise: vec![Metric::Af, Metric::P2sf], ..ExploreQuestion::default() }
}

/// The values of runs on a part of a workload, measured on `threads` threads.
fn values_of(
    runs: &[Run],
    part: &Workload,
    question: &ExploreQuestion,
    threads: usize,
) -> Vec<Option<Vec<Option<f64>>>> {
    let (rules, metrics) = (Rules::default(), question.metrics());
    let before = question.losses().map_or(Vec::new(), |losses| losses.before(part, rules).unwrap());
    let of = |run: &Run| measured(run, part, rules, &Measure::default(), &metrics, &before).ok();
    let at_once = runs.len().div_ceil(threads).max(1);
    std::thread::scope(|scope| {
        let parts: Vec<_> =
            runs.chunks(at_once).map(|runs| scope.spawn(move || runs.iter().map(of).collect::<Vec<_>>())).collect();
        parts.into_iter().flat_map(|part| part.join().unwrap()).collect()
    })
}

fn findings(question: ExploreQuestion, workload: &Workload, threads: usize) -> Findings {
    let [first, select, last] =
        [question.choosing(), question.selecting(), question.confirming()].map(|part| part.of(workload));
    let baseline = |part| values_of(std::slice::from_ref(&question.baseline), part, &question, 1).remove(0).unwrap();
    let baseline = PartValues { choose: baseline(&first), select: baseline(&select) };
    let mut search = Search::begin(question.clone());
    loop {
        let runs = search.propose();
        if runs.is_empty() {
            break;
        }
        let values = values_of(&runs, &first, &question, threads);
        search.take_in(values);
    }
    let mut findings = Findings::of(&search, baseline, [first.len(), select.len(), last.len()]);
    for member in &mut findings.front {
        member.values.select = values_of(std::slice::from_ref(&member.run), &select, &question, 1).remove(0).unwrap();
    }
    findings
}

#[test]
fn the_same_seed_comes_to_the_same_on_any_number_of_workers() {
    let workload = workload();
    let one = findings(question(150), &workload, 1);
    assert_eq!(one, findings(question(150), &workload, 4));
    assert_eq!(one.tried, 150);
    let other = findings(ExploreQuestion { seed: 2, ..question(150) }, &workload, 2);
    assert_ne!(one.front, other.front, "another seed looks elsewhere");
}

#[test]
fn no_group_loses_more_than_a_bound_allows() {
    let workload = workload();
    let free = findings(question(150), &workload, 2);
    let bound: KeptBound = "loss(width)<=10%".parse().unwrap();
    let asked = ExploreQuestion { keep: vec![bound], ..question(150) };
    let kept = findings(asked.clone(), &workload, 2);
    assert!(kept.keeping < free.keeping && !kept.front.is_empty(), "{} of {}", kept.keeping, free.keeping);
    let [first, _] = [asked.choosing(), asked.selecting()].map(|part| part.of(&workload));
    let schedule = |run: &Run| execute(run, &first, Rules::default(), &Measure::default()).unwrap().schedule;
    // the loss counted anew, width by width: 1, 2, 3 to 4, 5 to 8, ... processors
    let class = |job: JobId| first.request(job).processors.next_power_of_two();
    let mean_wait = |starts: &[i64], width: u32| {
        let own = first.jobs().filter(|job| class(*job) == width);
        let waits: Vec<i64> = own.map(|job| starts[job.index()] - first.request(job).submit).collect();
        (waits.len(), waits.iter().sum::<i64>() as f64 / waits.len() as f64)
    };
    let widths: BTreeSet<u32> = first.jobs().map(class).collect();
    let baseline = schedule(&asked.baseline).starts;
    let loss_of = |run: &Run| {
        let starts = schedule(run).starts;
        let of_width = |&width: &u32| {
            let ((jobs, before), (_, after)) = (mean_wait(&baseline, width), mean_wait(&starts, width));
            (jobs >= 20 && after > before + 60.0).then(|| (after - before) / before.max(60.0))
        };
        widths.iter().filter_map(of_width).fold(0.0, f64::max)
    };
    assert_eq!(asked.aspects().len(), 3, "two metrics and a loss");
    for member in &kept.front {
        let told = member.values.choose[2].unwrap();
        assert!(told <= 0.1 && (told - loss_of(&member.run)).abs() < 1e-9, "{}: {told}", member.run.id());
    }
    assert_eq!(kept.baseline.choose[2], Some(0.0));
    assert!(table(&kept).contains("Loss by width"));
    let beyond = free.front.iter().map(|member| loss_of(&member.run)).fold(0.0, f64::max);
    assert!(beyond > 0.1, "without the bound some width loses more: {beyond}");
}

#[test]
fn it_finds_what_beats_easy() {
    let found = findings(question(200), &workload(), 2);
    assert!(found.front.iter().any(|member| found.promises(member)), "{}", table(&found));
    let costs: Vec<f64> = found.front.iter().map(|member| member.values.choose[0].unwrap()).collect();
    assert!(costs.is_sorted());
    for member in &found.front {
        let verdict = found.verdict(member);
        assert_eq!(verdict.contains("did not hold"), !found.holds(member), "{verdict}");
    }
}

#[test]
fn what_was_stopped_is_proposed_again() {
    let mut search = Search::begin(question(100));
    let runs = search.propose();
    assert_eq!(search.propose(), runs);
    search.take_in(vec![Some(vec![Some(1.0), Some(2.0)]); runs.len()]);
    assert_ne!(search.propose(), runs);
}

#[test]
fn no_settings_are_tried_twice_and_a_small_space_ends() {
    let question = ExploreQuestion { families: vec!["conservative".to_owned()], ..question(100) };
    let mut search = Search::begin(question);
    let mut runs = Vec::new();
    loop {
        let proposed = search.propose();
        if proposed.is_empty() {
            break;
        }
        search.take_in(vec![Some(vec![Some(1.0), Some(1.0)]); proposed.len()]);
        runs.extend(proposed.iter().map(Run::id));
    }
    runs.sort();
    assert_eq!(runs, ["conservative:compression=submission__requested", "conservative__requested"]);
}

#[test]
fn every_family_can_be_looked_through() {
    for family in ["easy", "list", "conservative", "pc", "dc", "dynp", "dynp-basic", "optimised", "classes"] {
        let question = ExploreQuestion { families: vec![family.to_owned()], ..question(64) };
        question.check().unwrap();
        let mut search = Search::begin(question);
        let runs = search.propose();
        assert!(!runs.is_empty() && runs.iter().all(|run| run.scheduler.family().entry.id == family), "{family}");
    }
}

/// The metric here is the distance of a formula's numbers from 2 and 0.5; the search finds these numbers.
#[test]
fn the_open_numbers_of_a_formula_are_found() {
    let mut question =
        ExploreQuestion { families: vec!["list".to_owned()], minimise: vec![Metric::Af], ..question(400) };
    question.set_templates(&["(wait/estimate)^a*processors^b where a=0..4, b=-1..1 by 0.1".parse().unwrap()]);
    question.check().unwrap();
    assert_eq!(
        ExploreLink::parse(&ExploreLink::asking(question.clone(), on()).to_text().unwrap()).unwrap().question,
        question
    );
    let off_by = |run: &Run| {
        let numbers = run.id().split_once("formula:(wait/estimate)^").and_then(|(_, rest)| {
            let (a, rest) = rest.split_once("*processors^")?;
            let b = rest.split(['_', ',']).next()?.trim_matches(['(', ')']);
            Some((a.parse::<f64>().ok()?, b.parse::<f64>().ok()?))
        });
        numbers.map_or(10.0, |(a, b)| (a - 2.0).abs() + (b - 0.5).abs())
    };
    let mut search = Search::begin(question);
    let mut runs = Vec::new();
    loop {
        let proposed = search.propose();
        if proposed.is_empty() {
            break;
        }
        search.take_in(proposed.iter().map(|run| Some(vec![Some(off_by(run))])).collect());
        runs.extend(proposed);
    }
    let is_own = |run: &&Run| run.id().contains("formula:(wait/estimate)^");
    assert!((50..400).contains(&runs.iter().filter(is_own).count()), "others are tried as well");
    assert!(runs.iter().filter(is_own).all(|run| run.scheduler.to_string().parse() == Ok(run.scheduler.clone())));
    let best = runs.iter().map(off_by).fold(f64::INFINITY, f64::min);
    assert!(best < 0.2, "{best}");
    for number in search.front() {
        let words = in_words(&search.run(number));
        // what is an index by another name is called by that
        assert!(words.contains("largest (wait/estimate)^") || words.contains("first by wait^"), "{words}");
    }
}

#[test]
fn a_formula_that_cannot_be_read_is_no_question() {
    let with = |own: &[&str]| ExploreQuestion {
        families: [&["easy"], own].concat().into_iter().map(str::to_owned).collect(),
        ..question(10)
    };
    let wrong = |own: &[&str]| with(own).check().unwrap_err().to_string();
    assert!(
        wrong(&["formula:whit^a"]).contains("the formula \"whit^a\": there is no whit (character 1); there is wait")
    );
    assert!(wrong(&["formula:wait^a"; 9]).contains("at most 8 formulas"));
    assert!(with(&["formula:wait^a"]).check().is_ok());
    let none = ExploreQuestion { families: vec!["formula:wait^a".to_owned()], ..question(10) };
    assert!(none.check().unwrap_err().to_string().contains("at least one family"));
}

/// Everything that a search proposes if all runs have the same values.
fn all_proposed(question: ExploreQuestion) -> Vec<String> {
    let mut search = Search::begin(question);
    let mut runs = Vec::new();
    loop {
        let proposed = search.propose();
        if proposed.is_empty() {
            return runs;
        }
        search.take_in(vec![Some(vec![Some(1.0), Some(1.0)]); proposed.len()]);
        runs.extend(proposed.iter().map(Run::id));
    }
}

#[test]
fn no_setting_of_a_chosen_family_is_out_of_reach() {
    let of = |families: &[&str]| {
        let families = families.iter().map(|&id| id.to_owned()).collect();
        all_proposed(ExploreQuestion { families, ..question(400) })
    };
    let dynp = of(&["dynp"]);
    for policies in ["saf", "wfp", "f1", "lxf"] {
        assert!(dynp.iter().any(|run| run.contains(policies)), "dynP never chose among others and {policies}");
    }
    let basic = of(&["dynp-basic"]);
    assert!(basic.iter().any(|run| run.contains("upper=14400")), "{basic:?}");
    assert!(basic.iter().any(|run| run.starts_with("dynp-basic__")), "the usual one is among them");
    let easy = of(&["easy", "multifactor"]);
    for (has, why) in
        [("formula:min(wait,", "its age"), ("+(-", "narrow jobs first"), ("formula:wait^", "exponents, too")]
    {
        assert!(easy.iter().any(|run| run.contains(has)), "{why}: {easy:?}");
    }
    assert!(!of(&["easy"]).iter().any(|run| run.contains("min(")), "where it is not chosen");
    let alone = ExploreQuestion { families: vec!["multifactor".to_owned()], ..question(10) };
    assert!(alone.check().is_err(), "an order is no scheduler");
}

#[test]
fn bounds_come_before_metrics() {
    let mut search = Search::begin(ExploreQuestion { keep: vec!["max_wait<=100s".parse().unwrap()], ..question(3) });
    assert_eq!(search.propose().len(), 3);
    let values = [[1.0, 1.0, 500.0], [9.0, 9.0, 100.0], [2.0, 2.0, 101.0]];
    search.take_in(values.map(|values| Some(values.map(Some).to_vec())).to_vec());
    assert_eq!((search.front(), search.keeping()), (vec![1], 1));
    let baseline = PartValues { choose: vec![Some(10.0); 3], select: vec![Some(10.0); 3] };
    let mut findings = Findings::of(&search, baseline, [6, 2, 2]);
    findings.front[0].values.select = vec![Some(8.0), Some(11.0), Some(120.0)];
    assert!(!findings.holds(&findings.front[0]));
    let verdict = findings.verdict(&findings.front[0]);
    assert_eq!(
        verdict,
        "did not hold: not better than EASY in P²SF on the select part; breaks Max wait ≤ 100\u{a0}s on the select part: 120\u{a0}s"
            .replace("120\u{a0}s", &crate::format::span(120.0))
            .replace("100\u{a0}s", &crate::format::span(100.0))
    );
    assert!(findings.sentences()[1].contains("The choice did not hold"), "{:?}", findings.sentences());
}

#[test]
fn nothing_that_keeps_the_bounds_is_said() {
    let mut search = Search::begin(ExploreQuestion { keep: vec!["max_wait<=1s".parse().unwrap()], ..question(2) });
    let runs = search.propose().len();
    search.take_in(vec![Some(vec![Some(1.0), Some(1.0), Some(7.0)]); runs]);
    let baseline = PartValues { choose: vec![Some(1.0); 3], select: vec![Some(1.0); 3] };
    let findings = Findings::of(&search, baseline, [6, 2, 2]);
    assert!(findings.sentences()[1].starts_with("None of them keeps Max wait ≤"), "{:?}", findings.sentences());
}

#[test]
fn questions_that_make_no_sense_are_refused() {
    let fault = |change: &dyn Fn(&mut ExploreQuestion)| {
        let mut question = question(10);
        change(&mut question);
        question.check().unwrap_err().to_string()
    };
    assert!(fault(&|q| q.minimise.clear()).contains("1 to 6 metrics"));
    assert!(fault(&|q| q.minimise = vec![Metric::Corrections]).contains("neither much nor little"));
    assert!(fault(&|q| q.runs = 0).contains("from 1 to 100000"));
    assert!(fault(&|q| q.share = 0.9).contains("from 0.5 to 0.8"));
    assert!(fault(&|q| q.share = f64::NAN).contains("from 0.5 to 0.8"));
    assert!(fault(&|q| q.families = vec!["as-logged".to_owned()]).contains("there are list, easy"));
    assert!(fault(&|q| q.families.clear()).contains("at least one family"));
    assert!(fault(&|q| q.estimates.clear()).contains("estimates"));
}

#[test]
fn a_question_survives_its_text() {
    let question = ExploreQuestion { keep: vec!["max_wait<=2d".parse().unwrap()], ..ExploreQuestion::default() };
    let text = serde_json::to_string(&question).unwrap();
    assert_eq!(serde_json::from_str::<ExploreQuestion>(&text).unwrap(), question);
    let mut study = crate::Study::first_visit();
    study.treatment.cleaning = "raw".parse().unwrap();
    study.measure.only = Some(CountedGroup::read("user=3", &Header::default()).unwrap());
    study.correction = "doubling".parse().unwrap();
    study.what_ifs = vec!["nodes=+20".parse().unwrap()];
    let link = ExploreLink::asking(question.clone(), SearchedLog::of(&study));
    assert_eq!(link.to_text().and_then(|text| ExploreLink::parse(&text)), Ok(link.clone()));
    assert!(ExploreLink::parse("nonsense").is_err());
    assert!(ExploreLink::asking(ExploreQuestion { runs: 0, ..question }, on()).to_text().is_err());
    // a study of the same log becomes what the question is about
    let mut other = crate::Study::first_visit();
    other.shrinks = vec![0.5];
    link.on.clone().unwrap().set(&mut other);
    assert_eq!(SearchedLog::of(&other), link.on.unwrap());
    assert!(other.shrinks.is_empty(), "a search is under one load");
}

fn on() -> SearchedLog {
    SearchedLog::of(&crate::Study::first_visit())
}

#[test]
fn the_command_says_all_that_a_search_goes_by() {
    use crate::{Generated, Source, Study};
    let question = ExploreQuestion::default();
    let source = Source::Trace { name: "log.swf".into(), fingerprint: packfair_workload::Fingerprint(1) };
    let plain = Study::on(source);
    let more = |change: &dyn Fn(&mut Study)| {
        let mut study = plain.clone();
        change(&mut study);
        let command = question.command(&SearchedLog::of(&study));
        let usual = question.command(&SearchedLog::of(&plain));
        command.strip_prefix(&usual).unwrap_or_else(|| panic!("{command}")).trim().to_owned()
    };
    assert_eq!(more(&|_| {}), "");
    assert_eq!(more(&|study| study.treatment.cleaning = "raw".parse().unwrap()), "--clean raw");
    assert_eq!(more(&|study| study.treatment.processors = Some(12_000)), "--procs 12000");
    let filtered = |study: &mut Study| {
        study.treatment.filter.from = Some(86_400);
        study.treatment.filter.users = vec![3, 17];
    };
    assert_eq!(more(&filtered), "--from 86400 --users 3,17");
    let react = |study: &mut Study| {
        study.treatment.feedback.feedback = "sessions".parse().unwrap();
        study.treatment.feedback.gap = Some(30);
        study.treatment.feedback.hours = true;
    };
    assert_eq!(more(&react), "--feedback sessions --gap 30 --hours");
    let measured = |study: &mut Study| {
        study.measure.counted = "all".parse().unwrap();
        study.measure.bsld_bound = 60.0;
        study.measure.weights = GroupWeight::read_all("user=2:3,queue=1:0.5", &Header::default()).unwrap();
    };
    assert_eq!(more(&measured), "--count all --bsld 60 --weights user=2:3,queue=1:0.5");
    let machines =
        |study: &mut Study| study.what_ifs = ["nodes=+20", "memory=x2"].map(|of| of.parse().unwrap()).to_vec();
    assert_eq!(more(&machines), "--machine-plus nodes=+20 --machine-plus memory=x2");
    assert_eq!(more(&|study| study.correction = "doubling".parse().unwrap()), "--correction doubling");
    // what has no option stands in the study
    assert_eq!(more(&|study| study.treatment.shrink = 0.8), "--study study.json");
    assert_eq!(more(&|study| study.treatment.users = 1.2), "--study study.json");
    assert_eq!(more(&|study| study.trigger = Some("fitting".parse().unwrap())), "--study study.json");
    assert_eq!(more(&|study| study.treatment.machine = Some(Box::default())), "--study study.json");
    let site = |study: &mut Study| {
        study.treatment.site = ["slurm.conf", "assoc.txt"].map(|name| NamedFile::new(name, 7)).to_vec();
    };
    assert_eq!(more(&site), "--slurm slurm.conf assoc.txt");
    let made = Source::Generated(Generated::Lublin { jobs: 500, processors: 64, seed: 3 });
    let command = question.command(&SearchedLog::of(&Study::on(made)));
    assert!(command.starts_with("packfair explore --minimise") && command.ends_with("--study study.json"), "{command}");
}

/// A log on a machine where jobs wait, stretched so that each quarter of it has weeks enough.
fn long_log() -> Workload {
    let treatment = Treatment { shrink: 0.7, ..Treatment::default() };
    let short = treatment.apply(&lublin(1_600, 64, 3)).unwrap();
    let first = short.requests()[0].submit;
    let span = short.requests().last().unwrap().submit - first;
    let longer = 1 + 5 * 28 * 86_400 * 2 / span;
    let mut made = Workload::empty(short.name.clone(), short.machine, short.header.clone());
    for job in short.jobs() {
        let mut request = short.request(job).clone();
        request.submit = first + longer * (request.submit - first);
        request.limit *= longer;
        made.push(request, longer * short.run(job), -1, short.record(job) as u32);
    }
    made.set_counting(short.counting().clone());
    made
}

/// Confirms what was selected, as the command line does.
fn confirmed(mut findings: Findings, workload: &Workload) -> Findings {
    let Some((steps, [before, after])) = findings.to_confirm(false) else { return findings };
    let of_step = |step: ConfirmStep| {
        let part = step.part.of(workload);
        let of = |run: &Run| measured(run, &part, Rules::default(), &Measure::default(), &step.metrics, &[]).ok();
        step.runs.iter().map(of).collect::<StepValues>()
    };
    let came = steps.into_iter().map(of_step).collect();
    let effects = Effects::of([&before, &after], workload, Rules::default(), &Measure::default()).ok();
    findings.confirm(came, effects);
    findings
}

/// A workload whose jobs of one part run three times as long, and the others are the same.
fn with_other_jobs(workload: &Workload, part: LogPart) -> Workload {
    let changed: BTreeSet<i64> = part.of(workload).requests().iter().map(|request| request.number).collect();
    let mut made = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
    for job in workload.jobs() {
        let mut request = workload.request(job).clone();
        let longer = if changed.contains(&request.number) { 3 } else { 1 };
        request.limit *= longer;
        made.push(request, longer * workload.run(job), -1, workload.record(job) as u32);
    }
    made.set_counting(workload.counting().clone());
    made
}

#[test]
fn what_is_selected_does_not_depend_on_the_jobs_that_confirm_it() {
    let workload = long_log();
    let asked = ExploreQuestion { minimise: vec![Metric::Bsld], ..question(60) };
    let found = findings(asked.clone(), &workload, 2);
    let selected = found.selected().expect("something is better than EASY");
    let other = with_other_jobs(&workload, asked.confirming());
    let same = findings(asked.clone(), &other, 2);
    assert_eq!((same.selected(), &same.front[selected]), (Some(selected), &found.front[selected]));
    let other = with_other_jobs(&workload, asked.selecting());
    assert_ne!(findings(asked, &other, 2).front, found.front, "by the select part it is judged");
}

#[test]
fn only_what_is_sure_on_the_confirm_part_is_recommended() {
    let workload = long_log();
    let asked = ExploreQuestion { minimise: vec![Metric::Bsld], ..question(60) };
    let found = confirmed(findings(asked, &workload, 2), &workload);
    let told = found.confirmed.clone().expect("it was confirmed or not");
    let selected = &found.front[told.place as usize];
    let interval = told.intervals[0].unwrap();
    let is_sure = interval.high < 0.0 && found.refusal().is_none();
    assert_eq!(found.recommended(), is_sure.then_some(selected), "{}", found.answer());
    assert!(found.answer().starts_with(if is_sure { "Take " } else { "Stay with EASY" }));
    // what the numbers of confirming change
    let with = |change: &dyn Fn(&mut Findings, &mut Confirmed)| {
        let (mut found, mut told) = (found.clone(), told.clone());
        told.own = [vec![Some(10.0)], vec![Some(8.0)]];
        told.intervals = vec![Ok(Interval { low: -0.3, high: -0.1 })];
        told.effects = Some(Effects { waiting: 900, is_saturated: false, losers: Vec::new() });
        change(&mut found, &mut told);
        found.confirmed = Some(told);
        (found.recommended().is_some(), found.answer())
    };
    let (is_taken, answer) = with(&|_, _| {});
    assert!(is_taken && answer.contains("which the search has not seen"), "{answer}");
    assert!(answer.contains("On the whole log: BSLD") && answer.contains("Who loses most in mean wait:"), "{answer}");
    let one = |more: f64| Loser {
        by: Grouping::User,
        word: "User".to_owned(),
        group: "7".to_owned(),
        before: 260_000.0,
        more,
    };
    let (_, answer) = with(&|_, told| told.effects.as_mut().unwrap().losers = vec![one(90.0)]);
    let losers = answer.replace(SPACE, " ").split_once("mean wait: user 7 (").unwrap().1.to_owned();
    let (after, before) = losers.split_once(" instead of ").unwrap();
    assert_ne!(after, before.split(')').next().unwrap(), "{answer}");
    let stays = |change: &dyn Fn(&mut Findings, &mut Confirmed), why: &str| {
        let (is_taken, answer) = with(change);
        assert!(!is_taken && answer.starts_with("Stay with EASY: ") && answer.contains(why), "{answer}");
    };
    stays(&|_, told| told.intervals[0] = Ok(Interval { low: -0.3, high: 0.01 }), "what looked best did not hold");
    stays(&|_, told| told.own[1] = vec![Some(11.0)], "what looked best did not hold");
    stays(&|_, told| told.intervals[0] = Err(NoInterval::TooShort), "span less than four weeks");
    stays(&|_, told| told.effects.as_mut().unwrap().is_saturated = true, "EASY is saturated");
    stays(&|_, told| told.effects.as_mut().unwrap().waiting = 199, "199 jobs wait under EASY");
    stays(&|_, told| told.badly_fitting = Some(0.31), "Slurm as configured explains 31");
    stays(&|found, _| found.jobs = [500, 250, 249], "999 jobs are too few");
    let bound = |found: &mut Findings, told: &mut Confirmed| {
        found.question.keep = vec!["max_wait<=1s".parse().unwrap()];
        told.own.iter_mut().for_each(|values| values.push(Some(2.0)));
    };
    stays(&bound, "breaks the bounds there");
    let link = ExploreLink::telling(found.clone(), SearchedLog::of(&crate::Study::first_visit()));
    assert_eq!(ExploreLink::parse(&link.to_text().unwrap()).unwrap().shared.unwrap().findings, found);
}
