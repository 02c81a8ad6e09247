//! The part of the page's module that its first view does not need (`scripts/late.txt`).

use crate::logs;
use crate::page::Page;
use crate::stage::{Stage, play};
use serde_json::json;

/// How often somebody had to wait for it.
const WAITS: &str = "return performance.getEntriesByName('waited for the late part').length";

/// From now on the page names a file for it that is not there.
async fn lose_it(stage: &Stage) {
    let site = stage.site.lock().await;
    site.publish("index.html", |document| document.replace("./late-", "./lost-late-"));
}

/// A browser to which it is lost, at an address.
async fn without_it(stage: &Stage, address: &str) -> Page {
    let page = stage.browser().await;
    page.forgive("lost-late-");
    page.goto(address).await;
    page
}

/// The same, where the page has opened with what it shows at first.
async fn visit_without_it(stage: &Stage) -> Page {
    lose_it(stage).await;
    let page = without_it(stage, &stage.url().await).await;
    page.completed(8).await;
    page
}

#[tokio::test]
async fn neither_a_visit_nor_a_reload_nor_a_link_needs_it() {
    play("late-unneeded", |stage| async move {
        let sender = stage.page().await;
        sender.completed(8).await;
        sender.press("share").await;
        let link = sender.find("share-link").await.prop("value").await.expect("a value").expect("a link");

        let visitor = visit_without_it(&stage).await;
        visitor.drop_file(&logs::made(1_500)).await;
        visitor.says("log-name", "made-1500").await;
        visitor.run_pending().await;
        visitor.completed(8).await;
        assert_eq!(visitor.evaluate(WAITS).await, json!(0), "a visit waits for it");
        visitor.reload().await;
        visitor.completed(8).await;
        assert_eq!(visitor.evaluate(WAITS).await, json!(0), "a reload waits for it");

        let receiver = without_it(&stage, &link).await;
        receiver.says("shared-verdict", "agree").await;
        assert_eq!(receiver.evaluate(WAITS).await, json!(0), "a link waits for it");
    })
    .await;
}

#[tokio::test]
async fn where_it_has_not_come_yet_it_is_waited_for() {
    play("late-waited-for", |stage| async move {
        let page = visit_without_it(&stage).await;
        let found =
            "const late = document.querySelector('meta[name=late]'); late.content = late.content.replace('lost-', '')";
        page.evaluate(found).await;
        page.press("tab-jobs").await;
        page.until("jobs", "return document.querySelectorAll('[data-testid=jobs-table] [role=row]').length > 5").await;
        assert_eq!(page.evaluate(WAITS).await, json!(1));
    })
    .await;
}

#[tokio::test]
async fn where_it_cannot_be_had_the_page_says_so() {
    play("late-missing", |stage| async move {
        let page = visit_without_it(&stage).await;
        // nothing can go on where a function is missing
        for expected in ["404 (Not Found)", "the late part of the page could not be loaded", "panicked", "unreachable"]
        {
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
