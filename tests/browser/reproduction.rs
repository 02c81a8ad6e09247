//! After a recipe the page shows what it reproduces: the paper's numbers beside ours, or its figure.

use crate::logs;
use crate::stage::play;

#[tokio::test]
async fn a_recipe_on_another_log_says_that_nothing_is_printed_of_it() {
    play("not-printed", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(500)).await;
        page.opened("made-500").await;
        assert!(!page.has("reproduction").await, "no recipe was taken");
        page.evaluate(r#"document.querySelector('.comparison thead [aria-sort] button').click()"#).await;
        page.apply_recipe("metrics-table-2").await;
        page.says("reproduction", "METRICS Table II").await;
        page.says("not-printed", "so they cannot be compared").await;
        page.until(
            "the paper's order",
            r#"return !document.querySelector('[aria-sort="ascending"], [aria-sort="descending"]')"#,
        )
        .await;
        // a figure appears in place of the table
        page.apply_recipe("cp-fig-7").await;
        page.says("reproduction", "CP Fig. 7").await;
        page.until(
            "its chart",
            r#"return document.querySelector('.reproduction [data-testid="chart-queue-lengths"] svg')"#,
        )
        .await;
        page.evaluate(r#"document.querySelector('.reproduction .compare-head button').click()"#).await;
        page.until("it to go", r#"return !document.querySelector('.reproduction')"#).await;
    })
    .await;
}

#[tokio::test]
async fn an_off_line_row_comes_with_its_bound_and_says_that_no_scheduler_reaches_it() {
    play("off-line", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(500)).await;
        page.opened("made-500").await;
        page.apply_recipe("cp-fig-2").await;
        page.says("note-idle", "no scheduler can reach them").await;
        page.run_pending().await;
        page.completed(4).await;
        let table = page.table().await;
        let of = |run: &str| table[run]["AWF"];
        assert!(of("off-awf__actual") <= of("opt-awf__actual"), "{table:?}");
        assert!(table["off-awf__actual"]["lower_bound"] <= of("off-awf__actual"));
        page.until("its chart", r#"return document.querySelector('.reproduction [data-testid="changes"] svg')"#).await;
    })
    .await;
}

#[tokio::test]
async fn on_a_paper_s_log_its_figures_stand_beside_ours() {
    let Some(log) = logs::real() else { return };
    play("printed", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&log).await;
        page.apply_recipe("metrics-table-2").await;
        page.run_pending().await;
        page.completed(20).await;
        page.says("agreement", "METRICS Table II, KTH-SP2: as printed, and ours. 72 of 72 printed figures").await;
        let rows = r#"return document.querySelectorAll('[data-testid="printed"] tbody tr').length"#;
        assert_eq!(page.evaluate(rows).await.as_u64(), Some(18));
        // they stand above the table, and a row of one's own takes nothing from them
        let is_above = r#"const [printed, table] = ['printed', 'comparison-table'].map(id => document.querySelector(`[data-testid="${id}"]`));
            return !!(printed.compareDocumentPosition(table) & Node.DOCUMENT_POSITION_FOLLOWING)"#;
        assert_eq!(page.evaluate(is_above).await, serde_json::json!(true));
        page.press("own-order").await;
        page.press("add-own-order").await;
        page.run_pending().await;
        page.completed(22).await;
        page.says("agreement", "72 of 72 printed figures").await;
    })
    .await;
}
