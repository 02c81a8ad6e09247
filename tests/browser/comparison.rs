//! A user drops a log and compares schedulers.

use crate::page::Table;
use crate::stage::play;
use crate::{logs, native};
use packfair::papers::recipe::Recipe;
use packfair::study::{Source, Study};
use std::path::Path;

/// The study with which the page opens a log, without the log's own schedule.
pub fn study_of(log: &Path) -> Study {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text").to_owned();
    let content = packfair::workload::reading::read(&name, std::fs::File::open(log).expect("the log is there"));
    let fingerprint = content.expect("the log is good").fingerprint;
    Study::on(Source::Trace { name, fingerprint })
}

/// The study of a recipe on a log.
pub fn recipe(id: &str, log: &Path) -> Study {
    let mut study = study_of(log);
    id.parse::<&Recipe>().expect("the recipe is in the catalogue").apply(&mut study);
    study
}

/// Asserts that every value of the page is the engine's, to the last bit.
pub fn agree(page: &Table, engine: &Table) {
    assert_eq!(page.keys().collect::<Vec<_>>(), engine.keys().collect::<Vec<_>>(), "other runs");
    for (run, expected) in engine {
        let values = &page[run];
        assert!(!values.is_empty(), "{run} has no values");
        for (metric, value) in values {
            assert_eq!(Some(value), expected.get(metric), "{metric} of {run}: on the page, and by the engine");
        }
    }
}

async fn table_two(name: &'static str, log: std::path::PathBuf) {
    play(name, |stage| async move {
        let page = stage.page().await;
        page.drop_file(&log).await;
        let file = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text");
        page.opened(file.split('.').next().expect("a name has a beginning")).await;
        page.apply_recipe("metrics-table-2").await;
        page.run_pending().await;
        let study = recipe("metrics-table-2", &log);
        page.completed(study.runs().len()).await;
        agree(&page.table().await, &native::table(&native::workload(&log, &study), &study));
    })
    .await;
}

#[tokio::test]
async fn a_recipe_on_a_made_log_gives_the_engines_numbers() {
    table_two("table-two-made", logs::made(3_000)).await;
}

#[tokio::test]
async fn a_recipe_on_a_real_log_gives_the_engines_numbers() {
    if let Some(log) = logs::real() {
        table_two("table-two-real", log).await;
    }
}

#[tokio::test]
async fn runs_can_be_cancelled_and_taken_up_again() {
    play("cancel", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(60_000)).await;
        page.opened("made-60000").await;
        page.apply_recipe("metrics-fig-4-fine").await;
        page.run_pending().await;
        page.press("cancel-all").await;
        page.until("all to be cancelled", r#"return !document.querySelector('[data-testid="cancel-all"]')"#).await;
        let busy = r#"return document.querySelector('[data-status="running"], [data-status="measuring"]')"#;
        assert!(page.evaluate(busy).await.is_null(), "a run goes on after it was cancelled");
        // the runs in sight may have been done before the cancellation, but not all are
        page.to_last_run().await;
        let cancelled = r#"return document.querySelector('[data-status="cancelled"]')"#;
        page.until("the last to be in sight", cancelled).await;
        let statuses = page.statuses().await;
        assert!(statuses.keys().all(|s| s == "cancelled" || s == "done" || s == "idle"), "{statuses:?}");
        let cancelled = statuses["cancelled"];
        page.press("run-all").await;
        page.until(
            "a cancelled run to go on",
            &format!(r#"return document.querySelectorAll('[data-status="cancelled"]').length < {cancelled}"#),
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_reload_straight_after_a_drop_keeps_the_log() {
    play("quick-reload", |stage| async move {
        for jobs in [310, 320, 330, 340] {
            // in a browser that has stored nothing yet it takes longest
            let page = stage.page().await;
            page.drop_file(&logs::made(jobs)).await;
            page.opened(&format!("made-{jobs}")).await;
            page.completed(4).await;
            page.reload().await;
            page.completed(4).await;
            let said = "return document.querySelector('header').innerText.includes('128 processors')";
            page.until("the log, not its results alone", said).await;
        }
    })
    .await;
}

#[tokio::test]
async fn a_reload_keeps_log_study_and_results() {
    play("reload", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(2_000);
        page.drop_file(&log).await;
        page.opened("made-2000").await;
        page.apply_recipe("metrics-fig-3").await;
        page.run_pending().await;
        let runs = recipe("metrics-fig-3", &log).runs().len();
        page.completed(runs).await;
        let before = page.table().await;
        page.reload().await;
        page.opened("made-2000").await;
        page.completed(runs).await;
        assert_eq!(page.table().await, before);
        // the log is there, not only its results: another study runs on it
        page.apply_recipe("metrics-table-2").await;
        page.run_pending().await;
        page.completed(recipe("metrics-table-2", &log).runs().len()).await;
    })
    .await;
}
