//! A user builds an estimator, sets the rules of a run, and looks at how good the estimates are.

use crate::page::{Page, Table};
use crate::stage::play;
use crate::{logs, native};
use packfair::metric::{Accuracy, CountedJobs};
use packfair::model::{Reestimation, RoundTrigger};
use packfair::simulation::Correction;
use packfair::study::{Run, Source, Study, execute};
use serde_json::json;
use std::path::Path;

/// The study of a first visit, on a log.
fn study_on(log: &Path) -> Study {
    let name = log.file_name().and_then(|name| name.to_str()).expect("names of test files are text").to_owned();
    let content = packfair::workload::reading::read(&name, std::fs::File::open(log).expect("the log is there"));
    Study::on(Source::Trace { name, fingerprint: content.expect("the log is good").fingerprint })
}

/// The engine's table, in the columns of the page.
fn expected(log: &Path, study: &Study) -> Table {
    native::table(&native::workload(log, study), study)
}

/// Chooses an option of the list with that label, within the element of a test id.
async fn choose(page: &Page, id: &str, label: &str, option: &str) {
    let script = format!(
        r#"const field = [...document.querySelectorAll('[data-testid="{id}"] .field')]
               .find(f => f.querySelector("label").textContent === {});
           const list = field.querySelector("select");
           list.value = {};
           list.dispatchEvent(new Event("change", {{ bubbles: true }}));"#,
        json!(label),
        json!(option)
    );
    page.evaluate(&script).await;
}

/// Takes the choice with that name, within the element of a test id.
async fn take(page: &Page, id: &str, legend: &str, name: &str) {
    let script = format!(
        r#"const set = [...document.querySelectorAll('[data-testid="{id}"] fieldset')]
               .find(f => f.querySelector("legend").textContent === {});
           [...set.querySelectorAll("label")].find(l => l.textContent.startsWith({})).querySelector("input").click();"#,
        json!(legend),
        json!(name)
    );
    page.evaluate(&script).await;
}

#[tokio::test]
async fn an_estimator_of_ones_own_runs_and_stays_and_travels() {
    play("own-estimator", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(1_000);
        page.drop_file(&log).await;
        page.opened("made-1000").await;
        page.press("build-estimator").await;
        choose(&page, "estimator-builder", "Family", "hierarchy").await;
        page.says("take-built", "Add Hierarchy").await;
        let wrong = page.enter("[data-testid='estimator-builder'] .field", "Decay", "7").await;
        assert!(wrong.contains("a number from 0 to 1"), "{wrong}");
        assert_eq!(page.enter("[data-testid='estimator-builder'] .field", "Decay", "0.3").await, "");
        take(&page, "estimator-builder", "Groups", "executable, user, L, width").await;
        page.says("take-built", "decay=0.3").await;
        page.press("take-built").await;
        page.says("own-estimators", "Hierarchy (decay=0.3, groups=aul+").await;
        page.run_pending().await;
        page.completed(8).await;

        let mut study = study_on(&log);
        let groups = "aul+aun+au+aln+al+an+a+uln+ul+un+u+ln+l+n";
        study.methods.push(format!("hierarchy:decay=0.3,groups={groups}").parse().expect("it is one"));
        let table = page.table().await;
        assert_eq!(table, expected(&log, &study));

        page.reload().await;
        page.says("own-estimators", "Hierarchy (decay=0.3").await;
        page.completed(8).await;
        let link = page.share_link().await;
        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-1000").await;
        assert_eq!(receiver.table().await, table);
        receiver.says("own-estimators", "Hierarchy (decay=0.3").await;
    })
    .await;
}

#[tokio::test]
async fn a_threshold_that_is_no_share_is_refused_at_its_field() {
    play("threshold", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(1_000)).await;
        page.opened("made-1000").await;
        page.evaluate(
            r#"const button = b => b.textContent.trim() === "Build one" && b.dataset.testid !== "build-estimator";
               [...document.querySelectorAll("button")].find(button).click();"#,
        )
        .await;
        choose(&page, "scheduler-builder", "Family", "classes").await;
        page.says("take-built", "Add FCFS-CI").await;
        for (label, wrong, takes) in [
            ("Threshold", "1.5", "a number from 0 to 1"),
            ("Threshold", "-0.1", "a number from 0 to 1"),
            ("Trees", "0", "a whole number from 1 to 500"),
        ] {
            let said = page.enter("[data-testid='scheduler-builder'] .field", label, wrong).await;
            assert!(said.contains(takes), "{label} {wrong}: {said}");
        }
        assert_eq!(page.enter("[data-testid='scheduler-builder'] .field", "Threshold", "0.05").await, "");
        page.says("take-built", "threshold=0.05").await;
    })
    .await;
}

#[tokio::test]
async fn the_rules_of_a_run_are_followed() {
    play("rules", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(1_000);
        page.drop_file(&log).await;
        page.opened("made-1000").await;
        page.evaluate(
            r#"const option = [...document.querySelectorAll("label.option")].find(l => l.textContent.startsWith("Hierarchy"));
               option.querySelector("input").click();"#,
        )
        .await;
        page.run_pending().await;
        page.completed(8).await;
        let as_in_the_papers = page.table().await;
        take(&page, "rules", "The estimate of a job that outlives it", "Incremental").await;
        take(&page, "rules", "Waiting jobs are estimated", "At submission only").await;
        take(&page, "rules", "A scheduling round is asked for by", "Submissions that fit").await;
        page.completed(8).await;

        let mut study = study_on(&log);
        study.methods.push("hierarchy".parse().expect("it is one"));
        assert_eq!(as_in_the_papers, expected(&log, &study));
        study.correction = Correction::Incremental;
        (study.reestimation, study.trigger) = (Some(Reestimation::Submission), Some(RoundTrigger::Fitting));
        let table = page.table().await;
        assert_eq!(table, expected(&log, &study));
        assert_ne!(table, as_in_the_papers);
    })
    .await;
}

#[tokio::test]
async fn estimates_are_judged_and_explained() {
    play("judged", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(1_000);
        page.drop_file(&log).await;
        page.opened("made-1000").await;
        page.run_pending().await;
        page.completed(4).await;
        page.press("tab-estimates").await;
        for chart in ["errors", "r2", "under", "corrected", "density"] {
            page.find(&format!(
                "chart-estimate{}-{chart}",
                if matches!(chart, "errors" | "density") { "" } else { "s" }
            ))
            .await;
        }
        let drawn = r#"return [...document.querySelectorAll('[data-testid="estimate-charts"] figure')]
            .every(figure => figure.querySelectorAll("svg path, svg polyline, svg rect, svg circle").length > 3)"#;
        page.until("all charts to be drawn", drawn).await;

        let study = study_on(&log);
        let workload = native::workload(&log, &study);
        let run = Run::new("easy".parse().expect("it is one"), "requested".parse().expect("it is one"));
        let schedule = execute(&run, &workload, study.rules(), &study.measure).expect("it decides").schedule;
        let accuracy = Accuracy::of(&workload, &schedule, CountedJobs::default());
        let rows = |id: &str| {
            format!(
                r#"return [...document.querySelectorAll('[data-testid="quality-{id}"] tbody tr')]
                       .map(row => [row.querySelector("th").textContent.replace(/[^0-9].*/, ""),
                                    ...[...row.querySelectorAll("td")].map(cell => cell.dataset.value ?? "")])"#
            )
        };
        let text = |value: Option<f64>| value.map(|value| value.to_string()).unwrap_or_default();
        let users = accuracy.users.iter().take(10).map(|(user, q)| {
            json!([
                user.to_string(),
                q.jobs.to_string(),
                text(q.r2),
                text(q.mae),
                text(q.under),
                q.corrections.to_string(),
                text(q.corrected)
            ])
        });
        page.until("the users", &format!("return (() => {{ {} }})().length === 10", rows("users"))).await;
        assert_eq!(page.evaluate(&rows("users")).await, json!(users.collect::<Vec<_>>()));
        let widths = page.evaluate(&rows("widths")).await;
        assert_eq!(widths.as_array().map(Vec::len), Some(accuracy.widths.len()), "{widths}");

        page.press("tab-jobs").await;
        page.until("jobs", r#"return document.querySelectorAll('[data-testid="jobs-table"] [role=row]').length > 9"#)
            .await;
        page.evaluate(r#"document.querySelectorAll('[data-testid="jobs-table"] [role=row]')[7].click()"#).await;
        page.says("job-estimated", "At its submission the job was estimated to run").await;
        page.says("estimated-how", "The time limit that the user asked for.").await;
    })
    .await;
}
