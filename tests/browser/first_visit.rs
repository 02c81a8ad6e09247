//! What a user sees who opens the page for the first time.

use crate::page::Page;
use crate::stage::play;
use packfair::study::Study;

/// Waits until every chart of the tab of charts has marks and words.
pub async fn charts_are_drawn(page: &Page) {
    page.press("tab-charts").await;
    let drawn = r#"
        const charts = [...document.querySelectorAll('[data-testid^="chart-"]')].filter(c => c.querySelector("svg"));
        return charts.length > 0 && charts.every(c => c.querySelector("path, polyline, rect, circle") && c.querySelector("text"));"#;
    page.until("charts with marks and words", drawn).await;
}

#[tokio::test]
async fn a_small_study_is_run_and_drawn() {
    play("first-visit", |stage| async move {
        let page = stage.page().await;
        assert!(page.title().await.contains("Packfair"), "{}", page.title().await);
        let runs = Study::first_visit().runs();
        page.completed(runs.len()).await;
        let table = page.table().await;
        for run in runs {
            assert!(!table[&run.id()].is_empty(), "{} has no values", run.id());
        }
        charts_are_drawn(&page).await;
    })
    .await;
}
