//! Users who react: a row beside its replay, the habits of the log's users, and larger numbers of users.

use crate::logs;
use crate::page::{Page, Table};
use crate::stage::play;
use packfair::metric::Metric;
use packfair::study::export::write_study;
use packfair::study::{RunReport, Running, Source, Study, Workloads};
use packfair::workload::{Feedback, Log, reading};
use serde_json::json;
use std::fs::File;
use std::path::{Path, PathBuf};

/// The fields of the settings.
const FIELDS: &str = ".settings .field";

/// A log and a study of it with two schedulers and requested times.
fn asked(log: &Path) -> (Log, Study) {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text").to_owned();
    let content = reading::read(&name, File::open(log).expect("the log is there")).expect("the log is good");
    let mut study = Study::on(Source::Trace { name, fingerprint: content.fingerprint });
    study.schedulers = ["easy", "easy-sjbf"].map(|id| id.parse().expect("a scheduler")).to_vec();
    study.methods = vec!["requested".parse().expect("an estimator")];
    (content, study)
}

/// The study as a file to drop.
fn study_file(study: &Study) -> PathBuf {
    logs::write("users-study.json", write_study(study).as_bytes())
}

/// Chooses where submit times come from.
async fn choose_submit_times(page: &Page, id: &str) {
    let script = format!(
        r#"for (const fold of document.querySelectorAll("details")) fold.open = true;
           const field = [...document.querySelectorAll("{FIELDS}")]
               .find(f => f.querySelector("label")?.textContent === "Submit times" && f.querySelector("select"));
           if (!field) return false;
           const list = field.querySelector("select");
           list.value = {};
           list.dispatchEvent(new Event("change", {{ bubbles: true }}));
           return true;"#,
        json!(id)
    );
    page.until("the choice of submit times", &script).await;
}

/// Asserts that the page's table agrees with the engine outside the browser, in the columns that both have.
fn agrees(seen: &Table, log: &Log, study: &Study) {
    let workloads = Workloads::of(study, log).expect("the log has jobs");
    for run in study.runs() {
        let ended =
            Running::begin(&run, workloads.of_run(&run), study.rules()).expect("it runs").ended().expect("no script");
        let report = RunReport::of(run.clone(), &ended.workload, &ended.schedule, &study.measure, 0.0);
        let row = &seen[&run.id()];
        for metric in [Metric::Af, Metric::JobsDone, Metric::WorkDone] {
            assert_eq!(row[metric.about().id], report.values[&metric], "{}: {metric}", run.id());
        }
    }
}

#[tokio::test]
async fn users_react_beside_a_replay_and_more_of_them_do_more() {
    play("users", |stage| async move {
        let page = stage.page().await;
        let file = logs::made_with_waits(800);
        let (log, mut study) = asked(&file);
        page.drop_file(&file).await;
        page.opened("made-with-waits-800").await;
        page.drop_file(&study_file(&study)).await;
        page.completed(2).await;
        assert!(!page.table().await.values().any(|row| row.contains_key(Metric::JobsDone.about().id)));

        choose_submit_times(&page, "sessions").await;
        page.run_pending().await;
        page.until("throughput", "return document.querySelector('th[data-column=jobs_done]') !== null").await;
        page.completed(2).await;
        study.treatment.feedback.feedback = Feedback::Sessions;
        agrees(&page.table().await, &log, &study);

        // each beside its replay, and the difference in words
        page.press("beside-replay").await;
        page.run_pending().await;
        page.completed(4).await;
        study.beside_replay = true;
        let beside = page.table().await;
        agrees(&beside, &log, &study);
        page.says("conclusion", "A replay alone says of EASY-SJBF").await;
        page.says("conclusion", "work is done within the log's span").await;

        page.press("tab-workload").await;
        page.says("workload-view", "Sessions of a user").await;
        page.says("workload-view", "Jobs of a session").await;
        page.says("workload-view", "Do they react?").await;

        // a user who opens the link sees the same, with the log and without
        page.press("tab-compare").await;
        let link = page.share_link().await;
        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.completed(4).await;
        assert_eq!(receiver.table().await, beside);
        receiver.drop_file(&file).await;
        receiver.run_pending().await;
        receiver.says("shared-verdict", "every value agrees").await;

        page.keys("\u{e00c}").await;
        let wrong = page.enter(FIELDS, "Users", "1, 0").await;
        assert!(wrong.contains("stays in force"), "{wrong}");
        assert_eq!(page.enter(FIELDS, "Users", "1, 2").await, "");
        page.run_pending().await;
        page.completed(8).await;
        let table = page.table().await;
        let work = |run: &str| table[run][Metric::WorkDone.about().id];
        assert!(work("easy__requested__users2") > work("easy__requested__users1"));
        page.press("tab-charts").await;
        let lines = "const charts = [...document.querySelectorAll('[data-testid=chart-users]')];
            return charts.length > 0 && charts.some(chart => chart.querySelectorAll('.chart-legend-item').length === 4);";
        page.until("charts against the number of users, each scheduler with and without", lines).await;
    })
    .await;
}

#[tokio::test]
async fn a_log_that_tells_no_waits_says_why_its_users_cannot_react() {
    play("users-unknown", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(500)).await;
        page.opened("made-500").await;
        choose_submit_times(&page, "sessions").await;
        page.run_pending().await;
        let said = "return document.body.innerText.includes('Users cannot react: the log does not tell when its jobs started')";
        page.until("the reason", said).await;
        choose_submit_times(&page, "off").await;
        page.run_pending().await;
        page.until("rows again", "return document.querySelectorAll('[data-testid=row-status][data-status=done]').length > 0")
            .await;
    })
    .await;
}
