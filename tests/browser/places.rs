//! Addresses: each view has one, and Back and Forward move between them.

use crate::logs;
use crate::page::Page;
use crate::stage::play;

const NAME: &str = "log-name";

/// A script that tells whether the job with this number is picked.
fn is_picked(number: &str) -> String {
    format!("return document.querySelector('.jobs-row.picked')?.innerText.trim().split(/\\s/)[0] === '{number}'")
}

async fn tab_is(page: &Page, tab: &str) {
    // the tab of the question is chosen with each of its own
    let tab = if tab == "compare" { "table" } else { tab };
    page.until(tab, &format!("return document.querySelector('#tab-{tab}').ariaSelected === 'true'")).await;
}

async fn address_says(page: &Page, part: &str) {
    let script = format!("return location.hash.includes({})", serde_json::json!(part));
    page.until(&format!("an address with {part}"), &script).await;
}

#[tokio::test]
async fn back_and_forward_walk_through_tabs_logs_and_jobs() {
    play("history", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        address_says(&page, "log=lublin-").await;
        page.drop_file(&logs::made(600)).await;
        page.says(NAME, "made-600").await;
        page.run_pending().await;
        page.completed(4).await;
        address_says(&page, "log=made-600.swf~").await;
        page.press("tab-jobs").await;
        address_says(&page, "tab=jobs").await;
        page.until("jobs", "return document.querySelector('.jobs-row[data-index=\"4\"]')?.innerText.includes(':')")
            .await;
        page.evaluate("document.querySelector('.jobs-row[data-index=\"4\"]').click()").await;
        address_says(&page, "job=5").await;
        page.evaluate("document.querySelector('.jobs-row[data-index=\"6\"]').click()").await;
        address_says(&page, "job=7").await;
        let deep = page.fragment().await;
        page.press("tab-workload").await;
        address_says(&page, "tab=workload").await;

        page.back().await;
        tab_is(&page, "jobs").await;
        page.until("job 7", &is_picked("7")).await;
        page.back().await;
        page.until("job 5", &is_picked("5")).await;
        page.back().await;
        page.until("no job", "return !document.querySelector('.jobs-row.picked')").await;
        page.back().await;
        tab_is(&page, "compare").await;
        page.says(NAME, "made-600").await;
        page.back().await;
        page.says(NAME, "Lublin").await;
        page.forward().await;
        page.says(NAME, "made-600").await;
        page.completed(4).await;
        for _ in 0..3 {
            page.forward().await;
        }
        page.until("job 7 again", &is_picked("7")).await;
        assert_eq!(page.fragment().await, deep);

        // an address leads to the same place in another tab of the browser
        page.open_tab(&format!("{}#{deep}", stage.url().await)).await;
        tab_is(&page, "jobs").await;
        page.until("job 7 in another tab", &is_picked("7")).await;
        assert_eq!(page.fragment().await, deep);
    })
    .await;
}

#[tokio::test]
async fn a_filter_is_there_again_after_back() {
    play("history-filter", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(600)).await;
        page.says(NAME, "made-600").await;
        page.completed(4).await;
        let set = r#"
            for (const fold of document.querySelectorAll("details")) fold.open = true;
            const field = [...document.querySelectorAll(".settings input")].find(e =>
                /shrink|load/i.test(e.labels?.[0]?.innerText ?? e.ariaLabel ?? ""));
            field.value = "0.5"; field.dispatchEvent(new Event("input", { bubbles: true }));
            field.dispatchEvent(new Event("change", { bubbles: true }));
            return field.value;"#;
        page.evaluate(set).await;
        page.until("the treatment to be kept", "return history.state?.includes('\"shrink\":0.5')").await;
        page.drop_file(&logs::made(500)).await;
        page.says(NAME, "made-500").await;
        page.until("another log", "return history.state?.includes('\"shrink\":1.0')").await;
        page.back().await;
        page.says(NAME, "made-600").await;
        page.until("the treatment again", "return history.state?.includes('\"shrink\":0.5')").await;
    })
    .await;
}

#[tokio::test]
async fn a_link_that_was_left_is_a_step_back() {
    play("history-link", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(500)).await;
        page.says(NAME, "made-500").await;
        page.run_pending().await;
        page.completed(4).await;
        let link = page.share_link().await;
        let (_, text) = link.split_once('#').expect("a link has its data behind #");

        let receiver = stage.page().await;
        receiver.completed(4).await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-500").await;
        assert_eq!(receiver.fragment().await, text, "a link stays as it was sent");
        receiver.press("tab-charts").await;
        address_says(&receiver, "&tab=charts").await;
        receiver.back().await;
        tab_is(&receiver, "compare").await;
        receiver.back().await;
        receiver.says(NAME, "Lublin").await;
        receiver.completed(4).await;
        assert!(!receiver.has("shared-banner").await, "the link is left");
        receiver.forward().await;
        receiver.says("shared-banner", "made-500").await;
    })
    .await;
}

#[tokio::test]
async fn two_tabs_do_not_write_over_each_other() {
    play("two-tabs", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(600)).await;
        page.says(NAME, "made-600").await;
        page.completed(4).await;
        // another tab begins with what was newest
        let first = page.open_tab(&stage.url().await).await;
        page.says(NAME, "made-600").await;
        page.drop_file(&logs::made(500)).await;
        page.says(NAME, "made-500").await;
        page.apply_recipe("metrics-fig-3").await;
        page.run_pending().await;
        page.completed(4).await;
        let second = page.to_tab(first).await;
        page.reload().await;
        page.says(NAME, "made-600").await;
        page.completed(4).await;
        page.to_tab(second).await;
        page.reload().await;
        page.says(NAME, "made-500").await;
        page.completed(4).await;
    })
    .await;
}
