//! A page in long use: hundreds of studies over twenty logs are loaded, run, cancelled and removed. The page must take
//! about as much memory as after the first twenty, its process with the workers at the end about as much as before, there are
//! no errors, and the page stays responsive. `scripts/test soak [MINUTES]`.

use crate::logs;
use crate::page::Page;
use crate::stage::play_on;
use packfair::study::Study;
use packfair::study::export::write_study;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// The default number of minutes, and the number of studies in that time.
const MINUTES: f64 = 15.0;
const STUDIES: f64 = 500.0;

/// The number of logs, and that of studies after which memory is measured first.
const LOGS: usize = 20;

/// The largest allowed ratio of the memory at the end to the memory at first.
const MOST: f64 = 1.2;

/// The longest time that a task of the page may take, milliseconds.
pub const LONGEST: f64 = 200.0;

/// A script that notes long tasks, what ran in frames that came late, and the memory of the page's module.
pub const WATCH: &str = r#"
    window.longTasks = [];
    new PerformanceObserver(list => {
        for (const task of list.getEntries()) window.longTasks.push([Math.round(task.startTime), task.duration]);
    }).observe({ type: "longtask", buffered: true });
    window.lateFrames = [];
    new PerformanceObserver(list => {
        for (const frame of list.getEntries()) {
            if (frame.duration < 100) continue;
            const scripts = frame.scripts.map(script =>
                `${script.invoker} for ${Math.round(script.duration)} ms, of which ${Math.round(script.forcedStyleAndLayoutDuration)} lay out`);
            const drawn = frame.renderStart ? Math.round(frame.startTime + frame.duration - frame.renderStart) : 0;
            window.lateFrames.push(`${Math.round(frame.duration)} ms at ${Math.round(frame.startTime)}: ${scripts}; drawn in ${drawn}`);
        }
    }).observe({ type: "long-animation-frame", buffered: true });
    window.memories = [];
    for (const name of ["instantiate", "instantiateStreaming"]) {
        const before = WebAssembly[name];
        WebAssembly[name] = async function (...given) {
            const made = await before.apply(this, given);
            const memory = (made.instance ?? made).exports.memory;
            if (memory && !window.memories.includes(memory)) window.memories.push(memory);
            return made;
        };
    }"#;

/// Schedulers and estimators of which each study has some.
const SCHEDULERS: [&str; 9] =
    ["fcfs", "easy", "easy-sjbf", "saf-easy", "justbf", "saf-justbf", "conservative", "dc", "saf-aggressive"];
const METHODS: [&str; 4] = ["actual", "requested", "last2", "hierarchy"];

/// The memory of the page, bytes.
#[derive(Clone, Copy, Debug)]
pub struct Held {
    /// Values of JavaScript.
    heap: f64,
    /// The memory of the page's module.
    module: f64,
}

impl Held {
    pub async fn by(page: &Page) -> Held {
        for _ in 0..3 {
            page.devtools("HeapProfiler.collectGarbage", json!({})).await;
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        let metrics = page.devtools("Performance.getMetrics", json!({})).await;
        let all = metrics["metrics"].as_array().expect("a list of metrics");
        let heap = all.iter().find(|metric| metric["name"] == "JSHeapUsedSize").and_then(|m| m["value"].as_f64());
        let module = page.evaluate("return window.memories.reduce((sum, m) => sum + m.buffer.byteLength, 0)").await;
        Held { heap: heap.expect("Chromium tells it"), module: module.as_f64().expect("a number") }
    }

    /// Asserts that values and module together are about as large as before.
    pub fn check(self, first: Held) {
        println!("values: {:.1} MB, then {:.1} MB", first.heap / 1e6, self.heap / 1e6);
        check("values and module", first.heap + first.module, self.heap + self.module);
    }
}

/// Asserts that the process, of which this is the memory at times, bytes, becomes hardly larger: what it has at most in the last
/// quarter of them is compared with what it has at most in the first. It goes up and down, because a worker's memory stays as
/// large as its largest log made it, and the browser collects a worker's garbage when it likes. Where the system tells no
/// memory, nothing is checked.
pub fn check_process(readings: &[u64]) {
    let quarter = readings.len().div_ceil(4);
    let highest = |readings: &[u64]| readings.iter().max().map(|&bytes| bytes as f64);
    if let (Some(first), Some(last)) = (highest(&readings[..quarter]), highest(&readings[readings.len() - quarter..])) {
        check("process at most, workers included", first, last);
    }
}

fn check(what: &str, first: f64, last: f64) {
    println!("{what}: {:.1} MB, then {:.1} MB: {:.3}", first / 1e6, last / 1e6, last / first);
    assert!(last <= MOST * first, "{what}: {first} bytes became {last}");
}

/// The durations of the page's tasks of more than 50 ms, milliseconds, the longest first.
pub async fn long_tasks(page: &Page) -> Vec<f64> {
    let long = page.evaluate("return window.longTasks.map(([at, took]) => took).sort((a, b) => b - a)").await;
    serde_json::from_value(long).expect("a list of numbers")
}

/// What the page did in the frames that took longest to come, for a person.
pub async fn late_frames(page: &Page) -> String {
    let late = page.evaluate("return window.lateFrames.join('\\n')").await;
    late.as_str().expect("a text").to_owned()
}

/// The study with this number: some schedulers with some estimators, and some factors.
fn study(number: usize) -> Study {
    let mut study = Study::first_visit();
    let some = |all: &[&'static str], count: usize| -> Vec<&'static str> {
        (0..count).map(|at| all[(number * 5 + at * 2) % all.len()]).collect()
    };
    study.schedulers = some(&SCHEDULERS, 1 + number % 4).iter().map(|id| id.parse().expect("it is known")).collect();
    study.methods = some(&METHODS, 1 + number % 2).iter().map(|id| id.parse().expect("it is known")).collect();
    study.distortions = vec![1.0 + (number % 7) as f64 / 10.0];
    study.baseline = packfair::study::Baseline::None;
    study
}

/// The number of jobs of the log of a study: small logs and larger ones.
fn log_of(number: usize) -> usize {
    200 + 37 * (number % LOGS) * (number % LOGS)
}

/// The beginning of the scripts of a study. Few scripts do much, because the driver keeps the value of each in the
/// page.
const STEPS: &str = r#"
    const one = selector => document.querySelector(selector);
    const until = async holds => { while (!holds()) await new Promise(look => setTimeout(look, 20)); };
    const idle = () => !one('[data-testid="cancel-all"]') && !one(".log-facts").innerText.includes("%");
    const read = name => until(() => one('[data-testid="log-name"]').innerText.includes(name) && idle());
    const menu = async () => { one(".log-button").click(); await until(() => one(".menu-row .menu-item")); };
    const close = () => one(".log-button[aria-expanded=true]")?.click();
"#;

async fn play(page: &Page, steps: &str) -> Value {
    page.evaluate(&format!("{STEPS} return (async () => {{ {steps} }})()")).await
}

/// Plays one study: loads its log, runs it, and sometimes cancels it, looks at it, or removes it with its log.
async fn one(page: &Page, number: usize) {
    let name = format!("made-{}.swf", log_of(number));
    let open = format!(
        r#"await menu();
           const item = [...document.querySelectorAll(".menu-row .menu-item")].find(e => e.innerText.includes({name}));
           if (item) item.click(); else close();
           if (item) await read({name});
           return !!item"#,
        name = json!(name)
    );
    if number < LOGS || play(page, &open).await != json!(true) {
        page.drop_file(&logs::made(log_of(number))).await;
        play(page, &format!("await read({})", json!(name))).await;
    }
    let file = logs::study(&format!("soak-{}.json", number % 40), &write_study(&study(number)));
    page.drop_file(&file).await;
    let tab = ["charts", "workload", "jobs", "estimates"][number / 4 % 4];
    let run = format!(
        r#"const told = () => one('[data-testid="notices"]');
           await until(() => told().innerText.includes("Opened soak-"));
           one('[data-testid="run-all"]:not([disabled])')?.click();
           if ({is_cancelled}) one('[data-testid="cancel-all"]')?.click();
           await until(idle);
           if ({is_looked_at}) {{
               one('[data-testid="tab-{tab}"]').click();
               await until(() => !one("[aria-busy=true]"));
               one('[data-testid="tab-compare"]').click();
           }}
           if ({is_removed}) {{
               await menu();
               [...document.querySelectorAll(".menu-item-side")].find(e => e.ariaLabel === {forget})?.click();
               close();
               await until(idle);
           }}
           for (const button of told().querySelectorAll('[aria-label="Dismiss"]')) button.click();
           await until(() => !told().querySelector("button"));"#,
        is_cancelled = number % 3 == 1,
        is_looked_at = number % 4 == 2,
        is_removed = number % 5 == 4,
        forget = json!(format!("Forget {name}")),
    );
    play(page, &run).await;
}

#[tokio::test]
#[ignore = "it takes a quarter of an hour: scripts/test soak"]
async fn soak() {
    let said = std::env::var("PACKFAIR_SOAK_MINUTES").ok();
    let minutes = said.map_or(MINUTES, |said| said.parse().expect("a number of minutes"));
    let studies = ((STUDIES * minutes / MINUTES) as usize).max(LOGS + 1);
    let patience = Duration::from_secs_f64(60.0 * minutes * 4.0 + 600.0);
    play_on(patience, "soak", move |stage| async move {
        let page = stage.browser().await;
        page.before_load(WATCH).await;
        page.goto(&stage.url().await).await;
        page.completed(4).await;
        page.devtools("Performance.enable", json!({})).await;
        let begin = Instant::now();
        let (mut first, mut processes) = (None, Vec::new());
        let mut number = 0;
        while number < studies {
            one(&page, number).await;
            number += 1;
            if number >= LOGS {
                processes.extend(stage.memory());
            }
            // spread over the time, as by a user who looks at the results
            let due = begin + Duration::from_secs_f64(60.0 * minutes * number as f64 / studies as f64);
            tokio::time::sleep_until(due.into()).await;
            if number == LOGS {
                first = Some(Held::by(&page).await);
            } else if number.is_multiple_of(50) {
                println!(
                    "{number} studies after {:.0} s: {:?}, process {:?}",
                    begin.elapsed().as_secs_f64(),
                    Held::by(&page).await,
                    stage.memory()
                );
            }
        }
        println!("{number} studies in {:.0} s", begin.elapsed().as_secs_f64());
        let last = Held::by(&page).await;
        let long = long_tasks(&page).await;
        println!("{} tasks above 50 ms, the longest of {:.0} ms", long.len(), long.first().unwrap_or(&0.0));
        println!("{}", late_frames(&page).await);
        last.check(first.expect("there are more studies than logs"));
        check_process(&processes);
        assert!(long.first().is_none_or(|longest| *longest <= LONGEST), "{:?}", &long[..long.len().min(10)]);
    })
    .await;
}
