//! The parts of the page's module and of the worker's that the first view does not need (`scripts/late/`).

use crate::page::Page;
use crate::stage::{Stage, play};
use packfair::study::Study;
use packfair::study::recipe::Recipe;
use serde_json::json;

/// Both parts, and the worker's alone, by how their files' names begin.
const BOTH: &str = "late-";
const WORKER_S: &str = "late-worker-";

/// How often somebody had to wait for the page's.
const WAITS: &str = "return performance.getEntriesByName('waited for the late part').length";

/// Whether the table of jobs shows some.
const JOBS: &str = "return document.querySelectorAll('[data-testid=jobs-table] [role=row]').length > 5";

/// What is said where the worker's cannot be had.
const SAID_OF_THE_WORKER: &str = "A part of Packfair could not be loaded. Check the connection and try again.";

/// A browser at an address of a host that has lost files whose names begin so.
async fn visit_without(stage: &Stage, lost: &'static str, address: &str) -> Page {
    stage.site.lock().await.lose(lost);
    let page = stage.browser().await;
    page.forgive(lost);
    // Firefox does not name what the service worker asked for
    page.forgive("waitUntil()");
    page.goto(address).await;
    page
}

/// The same, where the page has opened with what it shows at first.
async fn first_visit_without(stage: &Stage, lost: &'static str) -> Page {
    let page = visit_without(stage, lost, &stage.url().await).await;
    page.completed(8).await;
    page
}

#[tokio::test]
async fn a_first_visit_does_not_need_them() {
    play("late-unneeded", |stage| async move {
        // runs would fail, and questions, where a worker needed its own
        let visitor = first_visit_without(&stage, BOTH).await;
        assert_eq!(visitor.evaluate(WAITS).await, json!(0), "a visit waits for it");
    })
    .await;
}

#[tokio::test]
async fn where_they_have_not_come_yet_they_are_waited_for() {
    play("late-waited-for", |stage| async move {
        let page = first_visit_without(&stage, BOTH).await;
        stage.site.lock().await.find_again();
        page.press("tab-jobs").await;
        page.until("jobs", JOBS).await;
        assert_eq!(page.evaluate(WAITS).await, json!(1));
    })
    .await;
}

#[tokio::test]
async fn where_the_page_s_cannot_be_had_it_says_so() {
    play("late-missing", |stage| async move {
        let page = first_visit_without(&stage, BOTH).await;
        // nothing can go on where a function is missing
        for expected in ["404 (Not Found)", "a part of Packfair could not be loaded", "panicked", "unreachable"] {
            page.forgive(expected);
        }
        page.evaluate("window.said = ''; window.alert = message => { window.said += message }").await;
        page.press("tab-jobs").await;
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
        // its estimators are part of it
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
