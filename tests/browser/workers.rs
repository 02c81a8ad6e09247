//! Workers that fail.

use crate::stage::play;
use packfair::papers::recipe::Recipe;
use packfair::run_queue::protocol::ToWorker;
use packfair::study::Study;

/// A script after which the next worker that gets a run ends like one that has run out of memory.
fn next_run_ends_its_worker() -> String {
    let study = Study::first_visit();
    let (run, treatment) = (study.runs()[0].clone(), study.treatment.clone());
    let (rules, measure) = (study.rules(), study.measure.clone());
    let message = ToWorker::Run { ticket: 0, log: 0, treatment, run, rules, measure };
    let kind = postcard::to_stdvec(&message).expect("messages are plain data")[0];
    format!(
        r#"const post = Worker.prototype.postMessage;
        Worker.prototype.postMessage = function (envelope, ...more) {{
            if (envelope.message?.[0] !== {kind}) return post.call(this, envelope, ...more);
            Worker.prototype.postMessage = post;
            setTimeout(() => this.dispatchEvent(new ErrorEvent("error", {{ message: "out of memory" }})));
        }};"#
    )
}

#[tokio::test]
async fn a_worker_that_dies_fails_its_run_and_is_replaced() {
    play("worker-dies", |stage| async move {
        let page = stage.page().await;
        let mut study = Study::first_visit();
        page.completed(study.runs().len()).await;
        let is_taken = page.evaluate("return window.firstWorker === undefined").await;
        assert_eq!(is_taken, serde_json::json!(true), "the page uses the worker that its document has started");
        page.evaluate(&next_run_ends_its_worker()).await;
        // one of its runs is not among those of the first visit
        "metrics-fig-3".parse::<&Recipe>().expect("the recipe is in the catalogue").apply(&mut study);
        page.apply_recipe("metrics-fig-3").await;
        page.until("the run to fail", r#"return document.querySelectorAll('[data-status="failed"]').length === 1"#)
            .await;
        page.says("comparison-table", "The worker stopped: it ran out of memory").await;
        page.press("run-all").await;
        page.completed(study.runs().len()).await;
    })
    .await;
}

#[tokio::test]
async fn where_the_worker_cannot_be_had_the_page_says_so() {
    play("worker-missing", |stage| async move {
        stage.site.lock().await.lose("worker-");
        let page = stage.browser().await;
        page.forgive("worker-");
        page.goto(&stage.url().await).await;
        page.until("it to be said", "return document.body.innerText.includes('the browser did not start it')").await;
    })
    .await;
}
