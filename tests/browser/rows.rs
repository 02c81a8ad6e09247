//! Rows of the table: what known run times would bring, names of one's own, orders of one's own, whiskers.

use crate::logs;
use crate::page::Page;
use crate::stage::play;
use serde_json::json;

const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const F2: &str = "\u{e032}";

#[tokio::test]
async fn rows_of_known_run_times_come_by_a_switch_and_go_with_a_link() {
    play("known-times", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let is_on = r#"return document.querySelector('[data-testid="known-times"]').checked"#;
        assert_eq!(page.evaluate(is_on).await, json!(false));
        page.press("known-times").await;
        page.run_pending().await;
        page.completed(8).await;
        page.reload().await;
        page.completed(8).await;
        assert_eq!(page.evaluate(is_on).await, json!(true));
        let receiver = stage.browser().await;
        receiver.goto(&page.share_link().await).await;
        page.keys(ESCAPE).await;
        receiver.completed(8).await;
        assert_eq!(receiver.evaluate(is_on).await, json!(true));
        page.press("known-times").await;
        page.completed(4).await;
        assert!(page.table().await.keys().all(|run| run.ends_with("__requested")));
        // a recipe has all its rows
        page.apply_recipe("metrics-table-2").await;
        page.run_pending().await;
        page.completed(20).await;
        assert_eq!(page.evaluate(is_on).await, json!(true));
    })
    .await;
}

/// What the row of EASY is called.
async fn name(page: &Page) -> String {
    let name = r#"return document.querySelector('[data-run="easy__requested"] .run-name')?.innerText ?? ''"#;
    page.evaluate(name).await.as_str().unwrap_or_default().to_owned()
}

async fn is_called(page: &Page, expected: &str) {
    let name = r#"document.querySelector('[data-run="easy__requested"] .run-name')?.innerText"#;
    page.until(&format!("the row to be called {expected}"), &format!("return {name} === {}", json!(expected))).await;
}

#[tokio::test]
async fn a_row_is_renamed_and_its_name_goes_with_the_study() {
    play("renamed", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.evaluate(r#"document.querySelector('[data-run="easy__requested"] .run-name').click()"#).await;
        page.find("rename").await;
        page.keys(&format!("<b>Today</b>{ENTER}")).await;
        is_called(&page, "<b>Today</b>").await;
        let legend = r#"return [...document.querySelectorAll('.chart-legend button')].some(e => e.innerText.includes('<b>Today</b>'))"#;
        page.until("the name in a legend", legend).await;
        page.reload().await;
        page.completed(4).await;
        is_called(&page, "<b>Today</b>").await;
        let receiver = stage.browser().await;
        receiver.goto(&page.share_link().await).await;
        page.keys(ESCAPE).await;
        is_called(&receiver, "<b>Today</b>").await;

        // Escape leaves it, nothing gives the own name back, and that can be undone
        let rename = r#"document.querySelector('[data-run="easy__requested"]').focus()"#;
        page.evaluate(rename).await;
        page.keys(F2).await;
        page.find("rename").await;
        page.keys(&format!("other{ESCAPE}")).await;
        is_called(&page, "<b>Today</b>").await;
        page.evaluate(rename).await;
        page.keys(F2).await;
        page.find("rename").await;
        page.keys(&format!("\u{e003}{ENTER}")).await;
        is_called(&page, "EASY").await;
        let undo = "[...document.querySelectorAll('[data-testid=notices] button')].find(b => b.innerText === 'Undo').click()";
        page.evaluate(undo).await;
        is_called(&page, "<b>Today</b>").await;
        assert_eq!(name(&page).await, "<b>Today</b>");
    })
    .await;
}

#[tokio::test]
async fn an_order_of_one_s_own_is_two_presses_away_with_its_words() {
    play("own-order", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("own-order").await;
        page.says("own-order-form", "how long the job has waited").await;
        page.keys("wait -").await;
        page.evaluate(r#"document.querySelector('[data-word="area"]').click()"#).await;
        let text = r#"return document.querySelector('#own-order-formula').value"#;
        assert_eq!(page.evaluate(text).await, json!("wait -area"));
        page.keys(" +").await;
        page.until("the fault beside the field", "return !document.querySelector('#own-order-fault').hidden").await;
        page.keys("\u{e003}\u{e003}").await;
        page.press("add-own-order").await;
        page.run_pending().await;
        page.completed(5).await;
        let table = page.table().await;
        assert!(table.keys().any(|run| run.starts_with("easy:initial=formula:wait")), "{:?}", table.keys());
    })
    .await;
}

#[tokio::test]
async fn seven_columns_with_whiskers_stand_beside_each_other() {
    play("whiskers", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.appear(1440, 900, false).await;
        page.drop_file(&logs::made(4_000)).await;
        page.opened("made-4000").await;
        page.run_pending().await;
        page.completed(4).await;
        page.press("how-sure").await;
        page.until("whiskers", "return document.querySelectorAll('.whisker-bar').length >= 18").await;
        let headings = "return [...document.querySelectorAll('th[data-column] .heading-name')].map(e => e.innerText)";
        let expected = ["Slowdown", "Response time", "Packing", "Fairness", "Lost capacity", "Utilisation", "Max wait"];
        assert_eq!(page.evaluate(headings).await, json!(expected));
        let widths =
            "const frame = document.querySelector('.table-scroll'); return frame.scrollWidth - frame.clientWidth";
        assert_eq!(page.evaluate(widths).await, json!(0), "the table scrolls sideways");
        let beyond = "return [...document.querySelectorAll('.whisker')].filter(whisker => {
            const [all, bar] = [whisker, whisker.querySelector('.whisker-bar')].map(e => e.getBoundingClientRect());
            return bar.left < all.left - 1 || bar.right > all.right + 4 || !bar.width; }).length";
        assert_eq!(page.evaluate(beyond).await, json!(0));
        page.picture("table-whiskers").await;
    })
    .await;
}
