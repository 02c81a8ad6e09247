//! The main path, from a first visit to a link that another user opens. `scripts/test firefox` tests it in Firefox,
//! too.

use crate::comparison::{agree, study_of};
use crate::first_visit::charts_are_drawn;
use crate::page::Table;
use crate::stage::play_as_for_users;
use crate::{logs, native};
use packfair::study::Study;
use std::path::PathBuf;

/// A script's expression: how many jobs the tab of jobs has found.
const JOBS: &str =
    r"Number(document.querySelector('[data-testid=jobs-found]')?.innerText.replaceAll(',', '').match(/\d+/)?.[0])";

/// A table without the columns that the page adds by itself for the log's own schedule.
fn as_asked(mut table: Table, study: &Study) -> Table {
    let is_asked = |id: &str| study.columns.iter().any(|metric| metric.about().id == id);
    table.values_mut().for_each(|values| values.retain(|id, _| is_asked(id)));
    table
}

/// Follows the main path with a log, with which the page opens `study`.
async fn go(name: &'static str, log: PathBuf, study: Study) {
    play_as_for_users(name, |stage| async move {
        let page = stage.page().await;
        page.completed(Study::first_visit().runs().len()).await;

        // its runs start without being asked for
        page.drop_file(&log).await;
        let file = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text");
        page.says("log-name", file.split('.').next().expect("a name has a beginning")).await;
        let runs = study.runs().len();
        page.completed(runs).await;
        let table = page.table().await;
        let workload = native::workload(&log, &study);
        agree(&as_asked(table.clone(), &study), &native::table(&workload, &study));

        charts_are_drawn(&page).await;
        page.press("tab-jobs").await;
        page.until("all jobs", &format!("return {JOBS} === {}", workload.len())).await;
        let rows = "return [...document.querySelectorAll('[data-testid=jobs-table] .jobs-row')].filter(row => row.innerText.includes(':')).length > 5";
        page.until("jobs with their times", rows).await;
        page.press("tab-compare").await;

        let link = page.share_link().await;
        let other = stage.browser().await;
        other.goto(&link).await;
        other.says("shared-banner", file).await;
        other.completed(runs).await;
        assert_eq!(other.table().await, table, "through a link");

        page.reload().await;
        page.says("log-name", file).await;
        page.completed(runs).await;
        assert_eq!(page.table().await, table, "after a reload");

        page.drop_file(&logs::binary()).await;
        page.says("log-error", "not a text file").await;
        let back = "[...document.querySelectorAll('.banner button')].find(e => e.textContent.startsWith('Back to ')).click()";
        page.evaluate(back).await;
        page.says("log-name", file).await;
        page.completed(runs).await;
        assert_eq!(page.table().await, table, "after a file that is no log");
    })
    .await;
}

#[tokio::test]
async fn with_a_made_log() {
    let log = logs::made(3_000);
    let study = study_of(&log);
    go("main-path-made", log, study).await;
}

#[tokio::test]
async fn with_a_real_log() {
    let Some(log) = logs::real() else { return };
    let mut study = study_of(&log);
    // the log tells its waits, so the log's own schedule is a row
    study.schedulers.push("as-logged".parse().expect("a scheduler"));
    go("main-path-real", log, study).await;
}
