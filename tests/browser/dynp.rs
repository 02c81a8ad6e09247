//! dynP: shrinking factors, its policies over time, workloads like a log's, and messages about bad input.

use crate::logs;
use crate::page::Page;
use crate::stage::play;
use packfair::study::export::write_study;
use packfair::study::{Source, Study};
use serde_json::json;
use std::path::{Path, PathBuf};

/// The fields of the settings.
const FIELDS: &str = ".settings .field, .builder .field";

/// A study of a log with these schedulers and requested times, as a file.
fn study_file(log: &Path, schedulers: &[&str]) -> PathBuf {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text").to_owned();
    let content = packfair::workload::reading::read(&name, std::fs::File::open(log).expect("the log is there"));
    let source = Source::Trace { name, fingerprint: content.expect("the log is good").fingerprint };
    let mut study = Study::on(source);
    study.schedulers = schedulers.iter().map(|id| id.parse().expect("a scheduler")).collect();
    study.methods = vec!["requested".parse().expect("an estimator")];
    logs::write("dynp-study.json", write_study(&study).as_bytes())
}

/// Moves the pointer to the middle of a chart's plot, and returns what the tip says then.
async fn point_at(page: &Page, chart: &str) -> String {
    let script = format!(
        r#"const stage = document.querySelector('[data-testid="{chart}"] .chart-stage');
           stage.scrollIntoView({{ block: "center" }});
           const box = stage.getBoundingClientRect();
           stage.dispatchEvent(new PointerEvent("pointermove", {{
               bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }}));
           return new Promise(done => setTimeout(() =>
               done(document.querySelector('[data-testid="{chart}"] .chart-tip').textContent), 300));"#
    );
    page.evaluate(&script).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn shrinking_factors_give_a_row_each_and_a_chart_against_the_factor() {
    play("dynp-sweep", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(800);
        page.drop_file(&log).await;
        page.opened("made-800").await;
        page.drop_file(&study_file(&log, &["dynp", "easy"])).await;
        page.completed(2).await;
        let wrong = page.enter(FIELDS, "Shrinking factors", "1, 0").await;
        assert!(wrong.contains("stays in force"), "{wrong}");
        assert_eq!(page.enter(FIELDS, "Shrinking factors", "1, 0.9, 0.8").await, "");
        page.run_pending().await;
        page.completed(6).await;
        page.press("tab-charts").await;
        let lines = r#"const charts = [...document.querySelectorAll('[data-testid="chart-load"]')];
            return charts.length > 0 && charts.every(chart => chart.querySelectorAll('.chart-legend-item').length === 2);"#;
        page.until("charts against the factor with a line for each scheduler", lines).await;

        // more load than the machine can serve, in a log too short to tell whether the queue grows
        page.press("tab-compare").await;
        assert_eq!(page.enter(FIELDS, "Shrinking factors", "1, 0.05").await, "");
        page.run_pending().await;
        page.completed(4).await;
        let marked = r#"return document.querySelectorAll('[data-testid="row-too-short"]').length"#;
        assert_eq!(page.evaluate(marked).await, json!(2));
    })
    .await;
}

#[tokio::test]
async fn the_policy_in_force_is_told_where_one_points_and_in_a_link() {
    play("dynp-policies", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(800);
        page.drop_file(&log).await;
        page.opened("made-800").await;
        page.drop_file(&study_file(&log, &["dynp"])).await;
        page.completed(1).await;
        page.until("the queue", r#"return document.querySelector('[data-testid="chart-queue"] .chart-stage svg')"#)
            .await;
        let said = point_at(&page, "chart-queue").await;
        assert!(said.contains(" in force"), "{said}");
        let link = page.share_link().await;
        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-800").await;
        let band = r#"return document.querySelector('[data-testid="chart-queue"]')?.textContent.includes('in force')"#;
        receiver.until("the band of policies", band).await;
        let said = point_at(&receiver, "chart-queue").await;
        assert!(said.contains(" in force"), "{said}");
    })
    .await;
}

/// Drags over a chart's plot, from a third of its width to a half.
async fn drag_over(page: &Page, chart: &str) {
    let script = format!(
        r#"const stage = document.querySelector('[data-testid="{chart}"] .chart-stage');
           stage.scrollIntoView({{ block: "center" }});
           const box = stage.getBoundingClientRect();
           const at = (kind, share) => stage.dispatchEvent(new PointerEvent(kind, {{ bubbles: true, button: 0,
               clientX: box.left + box.width * share, clientY: box.top + box.height / 2 }}));
           at("pointerdown", 1 / 3); at("pointermove", 0.5); at("pointerup", 0.5);"#
    );
    page.evaluate(&script).await;
}

#[tokio::test]
async fn the_band_of_policies_is_there_where_one_zooms_in() {
    play("dynp-zoom", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(4_000);
        page.drop_file(&log).await;
        page.opened("made-4000").await;
        page.drop_file(&study_file(&log, &["dynp"])).await;
        page.completed(1).await;
        page.until("the queue", r#"return document.querySelector('[data-testid="chart-queue"] .chart-stage svg')"#)
            .await;
        drag_over(&page, "chart-queue").await;
        page.until(
            "a way back",
            r#"return [...document.querySelectorAll('[data-testid="chart-queue"] button')]
                .some(button => button.textContent === "Reset zoom")"#,
        )
        .await;
        let said = point_at(&page, "chart-queue").await;
        assert!(said.contains(" in force"), "{said}");
    })
    .await;
}

#[tokio::test]
async fn bad_settings_of_dynp_are_said_at_their_fields() {
    play("dynp-fields", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let build =
            r#"[...document.querySelectorAll(".settings button")].find(b => b.textContent === "Build one").click()"#;
        page.evaluate(build).await;
        let family = |id: &str| {
            format!(
                r#"const list = document.querySelector('[data-testid="scheduler-builder"] select');
                   list.value = "{id}";
                   list.dispatchEvent(new Event("change", {{ bubbles: true }}));"#
            )
        };
        page.until("the form", r#"return document.querySelector('[data-testid="scheduler-builder"] select')"#).await;
        page.evaluate(&family("dynp-basic")).await;
        page.says("scheduler-builder", "Upper bound").await;
        let wrong = page.enter(FIELDS, "Lower bound", "9500").await;
        assert!(wrong.contains("9500") && wrong.contains("stays in force"), "{wrong}");
        let wrong = page.enter(FIELDS, "Upper bound", "7000").await;
        assert!(wrong.contains("from 7200"), "{wrong}");

        page.evaluate(&family("dynp")).await;
        page.says("scheduler-builder", "Policies").await;
        let leave_one = r#"
            for (const name of ["SJF", "LJF"]) {
                const option = [...document.querySelectorAll('[data-testid="scheduler-builder"] .several label')]
                    .find(l => l.textContent.startsWith(name));
                option.querySelector("input:checked")?.click();
            }"#;
        page.evaluate(leave_one).await;
        page.says("scheduler-builder", "At least one is needed").await;
    })
    .await;
}

#[tokio::test]
async fn jobs_made_like_a_log_travel_and_need_the_log() {
    play("dynp-like", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(600);
        page.drop_file(&log).await;
        page.opened("made-600").await;
        page.drop_file(&study_file(&log, &["dynp", "easy"])).await;
        page.completed(2).await;
        page.evaluate(r#"for (const fold of document.querySelectorAll("details")) fold.open = true;"#).await;
        page.press("like").await;
        page.until("the fields", r#"return document.querySelector('[data-testid="unlike"]')"#).await;
        assert_eq!(page.enter(FIELDS, "Jobs", "500").await, "");
        page.run_pending().await;
        page.completed(2).await;
        let sent = page.table().await;
        let link = page.share_link().await;

        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-made", "only the log makes them again").await;
        assert_eq!(receiver.table().await, sent);
        receiver.drop_file(&log).await;
        receiver.run_pending().await;
        receiver.says("shared-verdict", "every value agrees").await;
        assert_eq!(receiver.table().await, sent);
    })
    .await;
}

#[tokio::test]
async fn a_log_whose_gaps_are_all_equal_says_so_at_the_law() {
    play("dynp-no-fit", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let job = |number: i64| format!("{number} {} -1 10 1 -1 -1 1 10 -1 1 1 1 1 1 1 -1 -1\n", 5 * number);
        let text: String = std::iter::once("; MaxProcs: 4\n".to_owned()).chain((1..40).map(job)).collect();
        page.drop_file(&logs::write("even.swf", text.as_bytes())).await;
        page.opened("even").await;
        page.completed(4).await;
        page.evaluate(r#"for (const fold of document.querySelectorAll("details")) fold.open = true;"#).await;
        page.press("like").await;
        page.says("no-fit", "1 different values above 0 s").await;
        // the form begins with the law of another log
        page.run_pending().await;
        page.completed(4).await;
        let wrong = page.enter(FIELDS, "alpha", "").await;
        assert!(wrong.contains("0.35 stays in force"), "{wrong}");
        assert_eq!(page.enter(FIELDS, "alpha", "0.5").await, "");
        page.run_pending().await;
        page.completed(4).await;
    })
    .await;
}
