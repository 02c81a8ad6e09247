//! Schedulers that users write as scripts: they do what they say, and can do no harm.

mod made;

use crate::random::{Jobs, cases, crowds, workload, workloads};
use packfair::catalogue::Script;
use packfair::estimator::Estimate;
use packfair::metric::Measure;
use packfair::model::Schedule;
use packfair::scheduler::Policy;
use packfair::scheduler::script::EXAMPLES;
use packfair::study::{Rules, Run, Running, execute, fair_starts_of, verify};
use packfair::workload::Workload;
use proptest::prelude::*;

fn run_of(name: &str, text: &str) -> Run {
    let policy = Policy::of_script(Script::new(name, text).unwrap());
    Run::new(policy, "requested".parse::<Estimate>().unwrap())
}

fn example(id: &str) -> &'static str {
    EXAMPLES.iter().find(|example| example.id == id).unwrap().text
}

/// The schedule of a script on a workload, or its error.
fn outcome(text: &str, workload: &Workload) -> Result<Schedule, String> {
    schedule_of(&run_of("mine", text), workload)
}

fn schedule_of(run: &Run, workload: &Workload) -> Result<Schedule, String> {
    let result = execute(run, workload, Rules::default(), &Measure::default());
    result.map(|result| result.schedule).map_err(|error| error.to_string())
}

/// The run of a script that may take at most a million operations in a round.
fn bounded(text: &str) -> Option<Run> {
    let mut policy = Policy::of_script(Script::new("mine", text).ok()?);
    policy.set("limit", "1").unwrap();
    Some(Run::new(policy, "requested".parse::<Estimate>().unwrap()))
}

/// Four jobs on four processors, as (gap, processors, run time, request).
fn small() -> Workload {
    workload(&Jobs { processors: 4, jobs: vec![(10, 3, 10, 10), (1, 2, 10, 10), (1, 1, 5, 5), (1, 4, 10, 10)] })
}

/// A script whose round has this body.
fn round(body: &str) -> String {
    format!("fn round(view, actions) {{\n{body}\n}}\n")
}

fn fails(text: &str, with: &[&str]) {
    let message = outcome(text, &small()).expect_err(text);
    for part in with {
        assert!(message.contains(part), "{message:?} says nothing of {part:?}");
    }
}

/// The same jobs, none of which outlives its request, so that no estimate is corrected.
fn within_requests(jobs: &Jobs) -> Jobs {
    let jobs_within = jobs.jobs.iter().map(|&(gap, width, run, limit)| (gap, width, run, limit.max(run))).collect();
    Jobs { processors: jobs.processors, jobs: jobs_within }
}

fn does_the_same(jobs: &Jobs) -> Result<(), TestCaseError> {
    for example in EXAMPLES {
        let Some(equal) = example.equals else { continue };
        let workload = workload(&if example.id == "conservative" { within_requests(jobs) } else { jobs.clone() });
        let built_in = Run::new(equal.parse().unwrap(), "requested".parse().unwrap());
        let theirs = execute(&built_in, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
        let own = outcome(example.text, &workload).map_err(TestCaseError::fail)?;
        prop_assert_eq!(own.starts, theirs.starts, "{}", example.id);
    }
    Ok(())
}

proptest! {
    #![proptest_config(cases(200))]

    #[test]
    fn every_example_starts_each_job_when_the_scheduler_does_that_it_equals(jobs in workloads(0)) {
        does_the_same(&jobs)?;
    }
}

proptest! {
    #![proptest_config(cases(4))]

    #[test]
    fn so_it_does_where_many_wait(jobs in crowds()) {
        does_the_same(&jobs)?;
    }

    #[test]
    fn every_example_makes_a_valid_schedule(jobs in crowds()) {
        let workload = workload(&jobs);
        for example in EXAMPLES {
            let run = run_of(example.id, example.text);
            let schedule = execute(&run, &workload, Rules::default(), &Measure::default());
            let schedule = schedule.map_err(|error| TestCaseError::fail(error.to_string()))?.schedule;
            let faults = verify(&run, Rules::default(), &workload, &schedule).faults;
            prop_assert!(faults.is_empty(), "{}: {faults:?}", example.id);
        }
    }
}

/// Asserts that a script with few operations gives a valid schedule, or an error that names it. Returns whether it gave
/// a schedule.
fn comes_to_an_end(text: &str, workload: &Workload) -> Result<bool, TestCaseError> {
    let Some(run) = bounded(text) else { return Ok(false) };
    match schedule_of(&run, workload) {
        Ok(schedule) => {
            let faults = verify(&run, Rules::default(), workload, &schedule).faults;
            prop_assert!(faults.is_empty(), "{faults:?}\n{text}");
            Ok(true)
        }
        Err(why) => {
            prop_assert!(why.contains("mine") && why.len() > 15 && !why.contains('\n'), "{why:?}\n{text}");
            Ok(false)
        }
    }
}

#[test]
fn random_scripts_make_valid_schedules_or_fail_with_a_sentence() {
    let valid = std::cell::Cell::new(0_u32);
    let all = std::cell::Cell::new(0_u32);
    let mut runner = proptest::test_runner::TestRunner::new(cases(100));
    runner
        .run(&(made::scripts(), workloads(0)), |(text, jobs)| {
            all.set(all.get() + 1);
            valid.set(valid.get() + u32::from(comes_to_an_end(&text, &workload(&jobs))?));
            Ok(())
        })
        .unwrap_or_else(|why| panic!("{why}"));
    // otherwise the generated scripts would test little
    let (valid, all) = (valid.get(), all.get());
    assert!(valid * 10 > all * 3 && valid < all, "{valid} of {all} made schedules");
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn spoiled_scripts_fail_with_a_sentence_or_are_scripts_still(text in made::spoiled(), jobs in workloads(0)) {
        comes_to_an_end(&text, &workload(&jobs))?;
    }

    #[test]
    fn an_order_in_a_script_is_the_formula_that_it_computes(
        (formula, number) in made::formulas(),
        blocked in prop::sample::select(vec!["strict", "greedy", "reserving"]),
        jobs in workloads(0),
    ) {
        let workload = workload(&jobs);
        let policy: Policy = format!("list:order=formula:{formula},blocked={blocked}").parse().unwrap();
        let built_in = Run::new(policy, "requested".parse::<Estimate>().unwrap());
        let theirs = execute(&built_in, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
        let text = made::in_order(&number, blocked);
        let own = outcome(&text, &workload).map_err(|why| TestCaseError::fail(format!("{why}\n{text}")))?;
        prop_assert_eq!(own.starts, theirs.starts, "{}\n{}", formula, text);
    }
}

#[test]
fn jobs_are_killed_and_wait_again() {
    // a long job holds all processors, and a short one has waited for a quarter of an hour
    let jobs = vec![(0, 4, 10_000, 10_000), (10, 2, 100, 100), (2_000, 1, 10, 10)];
    let schedule = outcome(example("requeue"), &workload(&Jobs { processors: 4, jobs })).unwrap();
    assert_eq!(schedule.killed.len(), 1);
    assert_eq!((schedule.killed[0].start, schedule.killed[0].end), (0, 2_010));
    assert_eq!(schedule.starts, [2_110, 2_010, 2_010]);
}

#[test]
fn what_is_kept_is_there_in_the_next_round_and_forks_have_their_own() {
    // every other job has to wait until another one ends
    let text = "
        fn arrived(job, view) { if this.seen == () { this.seen = 0; } this.seen += 1; }
        fn round(view, actions) {
            for job in view.waiting {
                if job.processors <= actions.free && (this.seen % 2 == 0 || view.running.len > 0 || job.wait > 0) {
                    actions.start(job);
                } else { actions.wake_at(view.now + 1); }
            }
        }";
    let (run, workload) = (run_of("mine", text), small());
    let schedule = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
    let fair = fair_starts_of(&run, &workload, Rules::default(), &schedule, 0..workload.len()).unwrap();
    assert_eq!(fair.strict.len(), workload.len());
    let again = execute(&run, &workload, Rules::default(), &Measure::default()).unwrap().schedule;
    assert_eq!(schedule, again);
}

#[test]
fn what_it_prints_is_kept_with_its_instant() {
    let run = run_of(
        "mine",
        &round(
            "print(`${view.queue_length} wait`); for job in view.waiting { if job.processors <= actions.free { actions.start(job); } }",
        ),
    );
    let workload = small();
    let mut running = Running::begin(&run, &workload, Rules::default()).unwrap();
    while !running.advance(1).is_done() {}
    let printed = running.printed();
    assert_eq!((printed.lines[0].at, printed.lines[0].text.as_str()), (10, "1 wait"));
    assert!(running.ended().is_ok());
}

#[test]
fn a_mistake_is_told_with_its_line_and_its_instant() {
    fails("fn round(view, actions {", &["mine, line 1"]);
    fails("let x = 3;", &["mine: there is no `fn round(view, actions)"]);
    fails("fn round(view) { }", &["there is no `fn round(view, actions)"]);
    fails("const A = 1 / 0;\nfn round(view, actions) { }", &["mine, line 1: division by zero"]);
    fails(
        &round("let job = view.waiting.first;\nprint(job.walltime);"),
        &["line 3, at 10 s of the log", "no `walltime` of Job; there is", "requested"],
    );
    fails(&round("view.begin();"), &["line 2, at 10 s", "View has now, free"]);
    fails(&round("print(missing);"), &["line 2", "no `missing` here", "`this`"]);
    fails(
        &round("for job in view.waiting {\n actions.start(job);\n}"),
        &["line 3, at 11 s", "job 1 (number 2 in the log) needs 2 processors, and 1 are free"],
    );
    fails(
        &round("let job = view.waiting[0];\nactions.start(job);\nactions.start(job);"),
        &["line 4, at 10 s", "was started already"],
    );
    fails(
        &round(
            "if this.first == () { this.first = view.waiting[0]; actions.start(this.first); } else {\nactions.start(this.first); }",
        ),
        &["line 3, at 11 s", "does not wait"],
    );
    fails(&round("actions.kill(view.waiting[0]);"), &["line 2", "does not run"]);
    fails(&round("actions.wake_at(view.now);"), &["line 2, at 10 s", "it is 10 already"]);
    fails(&round("actions.note(\"glory\", view.waiting[0], 3);"), &["no note \"glory\"; there is \"promise\""]);
    fails(
        &round("let p = view.profile();\np.reserve(view.waiting[0], 3);"),
        &["line 3", "cannot have a reservation at 3"],
    );
    fails(&round("view.waiting.sort_by(|job| \"x\");"), &["line 2", "should be a number"]);
    fails(&round("help();"), &["there is no help ()"]);
    fails(
        "fn help() {\n\n throw \"no more\";\n}\nfn round(view, actions) { help(); }",
        &["line 3, at 10 s of the log: no more."],
    );
}

#[test]
fn a_script_that_lets_jobs_wait_for_ever_is_no_result() {
    fails(
        &round(""),
        &["mine has not started 4 of 4 jobs, and nothing happens any more. The first is job 1 of the log."],
    );
    fails(&round("actions.wake_at(view.now + 1);"), &["called again 100000 times while nothing happened"]);
}

/// The error names the line of the loop, or the line that calls the function with the loop, whatever the loop does.
#[test]
fn a_loop_without_an_end_is_told_with_its_line() {
    for (body, line) in [
        ("loop { }", 2),
        ("\nwhile true { }", 3),
        ("let x = 0;\n\nloop {\n    x += 1;\n}", 5),
        ("for job in view.waiting {\n    while job.wait >= 0 { this.seen = job.id; }\n}", 3),
        ("view.waiting.sort_by(|job| job.estimate);\nloop { view.waiting.sort_by(|job| job.estimate); }", 3),
        ("// fn round(view, actions) {\nloop { let p = view.profile(); p.earliest(view.waiting[0]); }", 3),
        ("try {\n loop { } } catch { }", 3),
        ("if actions.free > 0 {\n    help(view); }", 3),
        ("this.n = `${this.n}`;\nloop { print(this.n); }", 3),
        ("for i in 0..9223372036854775807 {\n let x = i; }", 3),
        ("view.waiting.filter(|job| { loop { } });", 2),
    ] {
        let text = round(body) + "fn help(view) {\n    loop { view.now; }\n}\n";
        let why = schedule_of(&bounded(&text).unwrap(), &small()).expect_err(&text);
        let expected = format!("mine, line {line}, at 10 s of the log: this has taken more than 1000000 operations");
        assert!(why.contains(&expected) && why.contains("is there a loop without an end?"), "{why}\n{text}");
    }
    let arrived = "fn arrived(a, v) {\n\n    let x = a.id;\n    loop { x = v.now; }\n}\nfn round(view, actions) { }\n";
    let why = schedule_of(&bounded(arrived).unwrap(), &small()).expect_err(arrived);
    assert!(why.contains("mine, line 4, at 10 s of the log: this has taken more than"), "{why}");
    fails("fn f(x) { f(x + 1) }\nfn round(view, actions) {\n f(0); }", &["line 3, at 10 s", "too deep"]);
    fails(&round("let s = \"x\";\nloop { s += s; }"), &["line 3, at 10 s", "10,000 letters"]);
}

/// A script that exceeds a limit is ended, whatever it tries.
#[test]
fn hostile_scripts_come_to_an_end() {
    let too_much = ["more than 5000000 operations"];
    fails(&round("loop { }"), &too_much);
    fails(&round("while true { let x = 1; }"), &too_much);
    fails(&round("for i in 0..9223372036854775807 { let x = i; }"), &too_much);
    fails(&round("loop { view.waiting.sort_by(|job| job.estimate); }"), &["more than 5000000 operations"]);
    fails(&round("try { loop { } } catch { }"), &["more than 5000000 operations"]);
    fails(&round("loop { let p = view.profile(); }"), &["more than 5000000 operations"]);
    fails("loop { }\nfn round(view, actions) { }", &["more than 100000 operations"]);
    // much memory
    fails(&round("let a = [1]; loop { a += a; }"), &["1,000 values"]);
    fails(&round("let a = []; loop { a = [a]; }"), &["1,000 values"]);
    fails(&round("let a = #{}; loop { a = #{a: a}; }"), &["1,000 values"]);
    fails(&round("let a = []; a.pad(1000000000, 0);"), &["1,000 values"]);
    fails(&round("let s = \"x\"; loop { s += s; }"), &["10,000 letters"]);
    fails(&round("this.a = []; loop { this.a.push(this.a); }"), &["1,000 values"]);
    let many: String = (0..300).map(|i| format!("let a{i} = view.now; ")).collect();
    fails(&round(&format!("{many} print(a0 + a299);")), &["variables"]);
    // deep
    fails("fn f(x) { f(x + 1) }\nfn round(view, actions) { f(0); }", &["too deep"]);
    fails(&round(&format!("let x = {}1{};", "(".repeat(500), ")".repeat(500))), &["mine"]);
    fails(&round(&format!("let x = {}1{};", "[".repeat(500), "]".repeat(500))), &["mine"]);
    fails(&round(&format!("{}{}", "if true {".repeat(400), "}".repeat(400))), &["mine"]);
    fails(&round(&format!("let x = {}1;", "-".repeat(2_000))), &["mine"]);
    // numbers
    fails(&round("let x = 9223372036854775807 + 1;"), &["overflow"]);
    fails(&round("let x = 1 % 0;"), &["mine"]);
    fails(&round("let x = -9223372036854775807 - 1; print(x / -1);"), &["mine"]);
    fails(&round("actions.wake_at(0.0 / 0.0);"), &["0/0"]);
    fails(
        &round(
            "print(view.waiting.skip(9223372036854775807).len); print(view.waiting.skip(-5)[0 - 1]); actions.wake_at(1.0e300);",
        ),
        &["has not started"],
    );
    fails(
        &round("let p = view.profile(); p.reserve(view.waiting[0], 1.0e308 * 10.0);"),
        &["cannot have a reservation"],
    );
    // a script that kills what it starts, again and again
    fails(
        &round(
            "for job in view.waiting { if job.processors <= actions.free { actions.start(job); } }\nfor job in view.running { if job.start < view.now { actions.kill(job); } }\nactions.wake_at(view.now + 1);",
        ),
        &["it has killed more than 20 times as many jobs"],
    );
}

/// A script has no access to anything outside: no function reads a file, an address, a clock or a random number, runs a
/// text as a program, or reaches the interpreter.
#[test]
fn a_script_has_no_access_to_anything_else() {
    for attempt in [
        "import \"std\" as s;",
        "eval(\"1\");",
        "let f = Fn(\"eval\"); f.call(\"1\");",
        "let t = timestamp();",
        "sleep(1);",
        "open(\"/etc/passwd\");",
        "open_file(\"/etc/passwd\");",
        "fetch(\"https://example.org\");",
        "let x = window;",
        "let x = document.cookie;",
        "let x = self;",
        "let x = globalThis;",
        "localStorage.setItem(\"a\", \"b\");",
        "postMessage(\"a\");",
        "new Worker(\"a\");",
        "let x = env(\"HOME\");",
        "system(\"true\");",
        "rand();",
        "let x = view.__proto__;",
        "let x = view.constructor;",
        "view.requests[0].run = 3;",
        "let x = view.waiting[0].run;",
        "let x = view.waiting[0].run_time;",
        "let x = 2.0 ** 0.5;",
        "set_tag(view, 3); let x = fetch_schedule();",
    ] {
        let message = outcome(&round(attempt), &small()).expect_err(attempt);
        assert!(message.starts_with("mine, line 2"), "{attempt}: {message}");
    }
    // names with a special meaning in other languages have none here
    let text = round(
        "this.__proto__ = 3; this.constructor = this.__proto__; let toString = this.constructor; if toString != 3 { throw `no`; } for job in view.waiting { if job.processors <= actions.free { actions.start(job); } }",
    );
    assert!(outcome(&text, &small()).is_ok());
}

#[test]
fn the_limit_is_what_is_asked_for() {
    let script = Script::new("mine", &round("for i in 0..2000000 { let x = i; }\nfor job in view.waiting { if job.processors <= actions.free { actions.start(job); } }")).unwrap();
    let mut policy = Policy::of_script(script);
    let ends = |policy: &Policy| {
        let run = Run::new(policy.clone(), "requested".parse().unwrap());
        execute(&run, &small(), Rules::default(), &Measure::default()).is_ok()
    };
    assert!(ends(&policy));
    policy.set("limit", "1").unwrap();
    assert!(!ends(&policy));
    let again: Policy = policy.to_string().parse().unwrap();
    assert_eq!((again.settings().whole("limit"), again.settings().script()), (Some(1), Some(script)));
    assert!(policy.set("limit", "1001").is_err());
}

#[test]
fn a_script_is_short_and_its_names_are_too() {
    let run = run_of("mine", example("easy"));
    assert_eq!((run.scheduler.name().as_str(), run.scheduler.short().as_str()), ("mine", "mine"));
    assert_eq!(run.short_id(), "script:code=mine__requested");
    assert!(run.id().len() < 700, "{}", run.id().len());
    assert!(example("easy").lines().filter(|line| !line.trim().is_empty()).count() <= 25);
}
