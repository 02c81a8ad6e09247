//! The parts of the page's module and of the worker's that the first view does not need (`scripts/split`).

use crate::logs;
use crate::page::Page;
use crate::stage::{Stage, play};
use packfair::papers::recipe::Recipe;
use packfair::study::Study;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

/// The beginnings of the files' names: of both parts, and of either alone.
const BOTH: &str = "late-";
const PAGE_S: &str = "late-page-";
const WORKER_S: &str = "late-worker-";

/// A script that counts how often the page's late part was waited for.
const WAITS: &str = "return performance.getEntriesByName('waited for the late part').length";

/// A script that tells whether the table of jobs shows jobs.
const JOBS: &str = "return document.querySelectorAll('[data-testid=jobs-table] [role=row]').length > 5";

/// Scripts that return the functions that were called, of the page and of its workers, where they note it
/// (`scripts/first`). The second waits some seconds, because some work is deferred for a while.
const CALLED: &str =
    "return Object.entries(window.functions).filter(([, f]) => f.value === 1).map(([name]) => +name.slice(2))";
const CALLED_IN_WORKERS: &str = "const patience = Object.keys(window.functions).length ? 8000 : 0; \
    return new Promise(done => setTimeout(() => done([...window.calledInWorkers]), patience))";

/// A script that prepares this: it gathers the notes that the page's module exports and that its workers send.
const GATHER: &str = r#"window.functions = {};
    addEventListener("TrunkApplicationStarted", ({ detail: { wasm } }) => {
        window.functions = Object.fromEntries(Object.entries(wasm).filter(([name]) => name.startsWith(".s")));
    });
    window.calledInWorkers = new Set();
    new BroadcastChannel("called").onmessage = ({ data }) => data.forEach(number => window.calledInWorkers.add(number));"#;

/// The message when the worker's late part cannot be loaded.
const SAID_OF_THE_WORKER: &str = "A part of Packfair could not be loaded. Check the connection and try again.";

/// Opens a browser at an address of a host that has lost the files whose names begin with `lost`.
async fn visit_without(stage: &Stage, lost: &'static str, address: &str) -> Page {
    let page = stage.browser().await;
    go_without(stage, &page, lost, address).await;
    page
}

async fn go_without(stage: &Stage, page: &Page, lost: &'static str, address: &str) {
    stage.site.lock().await.lose(lost);
    page.forgive(lost);
    // Firefox does not name what the service worker asked for
    page.forgive("waitUntil()");
    page.before_load(GATHER).await;
    page.goto(address).await;
}

/// As [`visit_without`], once the page has shown its first view.
async fn first_visit_without(stage: &Stage, lost: &'static str) -> Page {
    let page = visit_without(stage, lost, &stage.url().await).await;
    page.completed(4).await;
    page
}

/// The first screen of a newcomer, once it has its finding, on a host that has lost the files whose names begin with `lost`.
async fn first_screen_without(stage: &Stage, lost: &'static str) -> Page {
    let page = stage.newcomer().await;
    go_without(stage, &page, lost, &stage.url().await).await;
    page.find("first-drop").await;
    page.says("settings-lines", "2,000 jobs").await;
    page.until("a finding", "return /%/.test(document.querySelector('[data-testid=finding]').innerText)").await;
    page
}

/// What was observed after a beginning.
struct Seen {
    what: &'static str,
    /// How often the page's late part was waited for.
    waits: Value,
    /// Functions that were called, where they note it.
    of_page: Vec<u64>,
    of_workers: Vec<u64>,
}

impl Seen {
    async fn after(what: &'static str, page: &Page) -> Seen {
        let numbers = |value: Value| value.as_array().into_iter().flatten().filter_map(Value::as_u64).collect();
        Seen {
            what,
            waits: page.evaluate(WAITS).await,
            of_workers: numbers(page.evaluate(CALLED_IN_WORKERS).await),
            of_page: numbers(page.evaluate(CALLED).await),
        }
    }
}

/// Does what must work before either late part is loaded, a first screen, and before the worker's is, a link opened. Who comes
/// with a link or was here before gets the page's late part before the page starts.
async fn beginnings(stage: &Stage) -> [Seen; 2] {
    let sender = stage.page().await;
    sender.completed(4).await;
    let link = sender.share_link().await;

    let newcomer = first_screen_without(stage, BOTH).await;
    let first = Seen::after("a first screen", &newcomer).await;

    // runs and questions would fail if a worker needed its late part
    let receiver = visit_without(stage, WORKER_S, &link).await;
    receiver.says("shared-verdict", "agree").await;
    [first, Seen::after("a link", &receiver).await]
}

#[tokio::test]
async fn neither_a_first_screen_nor_a_link_waits_for_them() {
    play("late-unneeded", |stage| async move {
        for seen in beginnings(&stage).await {
            assert_eq!(seen.waits, json!(0), "{} waits for it", seen.what);
        }
    })
    .await;
}

#[tokio::test]
async fn who_was_here_before_has_the_whole_page_from_the_start() {
    play("late-before", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("tab-jobs").await;
        page.until("jobs", JOBS).await;
        assert_eq!(page.evaluate(WAITS).await, json!(0));
        page.drop_file(&logs::made(1_500)).await;
        page.says("log-name", "made-1500").await;
        page.press("tab-table").await;
        page.reload().await;
        page.says("log-name", "made-1500").await;
        assert_eq!(page.evaluate(WAITS).await, json!(0));
    })
    .await;
}

#[tokio::test]
#[ignore = "wants the page that scripts/first prepares, and tells it what beginnings call"]
async fn what_beginnings_call() {
    play("late-called", |stage| async move {
        // what is shown once all is there is no part of it
        let seen = beginnings(&stage).await;
        let [first, _] = &seen;
        let of_page: BTreeSet<u64> = first.of_page.iter().copied().collect();
        let of_workers: BTreeSet<u64> = seen.iter().flat_map(|seen| &seen.of_workers).copied().collect();
        for (program, numbers) in [("page", of_page), ("worker", of_workers)] {
            assert!(!numbers.is_empty(), "functions of the {program} do not note that they are called");
            let lines: String = numbers.iter().map(|number| format!("{number}\n")).collect();
            let file = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("target/first/{program}.called"));
            std::fs::write(file, lines).expect("scripts/first has made the folder");
        }
    })
    .await;
}

#[tokio::test]
async fn where_they_have_not_come_yet_they_are_waited_for() {
    play("late-waited-for", |stage| async move {
        let page = first_screen_without(&stage, BOTH).await;
        stage.site.lock().await.find_again();
        page.press("tab-compare").await;
        page.completed(4).await;
        assert_eq!(page.evaluate(WAITS).await, json!(1));
    })
    .await;
}

/// What needs the late part says that it is missing.
#[tokio::test]
async fn a_place_whose_part_could_not_be_loaded_says_so_and_tries_again() {
    play("late-missed", |stage| async move {
        let page = stage.newcomer().await;
        go_without(&stage, &page, PAGE_S, &stage.url().await).await;
        let said = "document.querySelector('.first-play [data-testid=missed-part]')";
        page.until("it to be said", &format!("return {said}?.innerText.includes('could not be loaded')")).await;
        let again = format!("{said}.querySelector('button').click()");
        page.evaluate(&again).await;
        page.until("it to be said again", &format!("return {said}?.innerText.includes('could not be loaded')")).await;
        stage.site.lock().await.find_again();
        page.evaluate(&again).await;
        page.until("the chart", "return document.querySelector('.first-play .learn-gantt') !== null").await;
        assert_eq!(page.evaluate("return document.querySelector('[data-testid=missed-part]')").await, Value::Null);
        assert_eq!(page.evaluate(WAITS).await, json!(0), "nothing has stood still");
    })
    .await;
}

#[tokio::test]
async fn where_the_page_s_cannot_be_had_it_says_so() {
    play("late-missing", |stage| async move {
        let page = first_screen_without(&stage, PAGE_S).await;
        // the page cannot go on when a function is missing
        for expected in ["404 (Not Found)", "a part of Packfair could not be loaded", "panicked", "unreachable"] {
            page.forgive(expected);
        }
        page.evaluate("window.said = ''; window.alert = message => { window.said += message }").await;
        page.press("tab-compare").await;
        page.until("it to be said", "return window.said.includes('could not be loaded')").await;
        let times = "return window.said.split('could not be loaded').length - 1";
        assert_eq!(page.evaluate(times).await, json!(1), "once is enough");
    })
    .await;
}

#[tokio::test]
async fn where_the_worker_s_cannot_be_had_the_page_says_so_and_goes_on() {
    play("late-missing-in-worker", |stage| async move {
        let page = first_visit_without(&stage, WORKER_S).await;
        page.forgive("a part of Packfair could not be loaded");
        page.press("tab-jobs").await;
        page.until("it to be said", &format!("return document.body.innerText.includes('{SAID_OF_THE_WORKER}')")).await;
        stage.site.lock().await.find_again();
        page.reload().await;
        page.press("tab-jobs").await;
        page.until("jobs", JOBS).await;
    })
    .await;
}

#[tokio::test]
async fn a_run_that_needs_the_worker_s_can_be_run_once_it_can_be_had() {
    play("late-missing-in-run", |stage| async move {
        let page = first_visit_without(&stage, WORKER_S).await;
        page.forgive("a part of Packfair could not be loaded");
        // the estimators of this study are in the late part
        let mut study = Study::first_visit();
        "metrics-table-3".parse::<&Recipe>().expect("the recipe is in the catalogue").apply(&mut study);
        page.apply_recipe("metrics-table-3").await;
        page.run_pending().await;
        page.says("comparison-table", SAID_OF_THE_WORKER).await;
        page.until("the others to end", r#"return !document.querySelector('[data-testid="cancel-all"]')"#).await;
        stage.site.lock().await.find_again();
        page.press("run-all").await;
        page.completed(study.runs().len()).await;
    })
    .await;
}
