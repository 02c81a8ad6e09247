//! Repeats: set in the settings, shown as intervals, stopped, and refused in words.

use crate::logs;
use crate::stage::play;
use packfair::study::export::{write_results, write_study};
use packfair::study::{Source, Study};
use serde_json::json;
use std::path::Path;
use std::time::Instant;

/// The fields of the settings.
const FIELDS: &str = "[data-testid=repeats] .field";

/// A script that opens the fold with the repeats.
const OPEN: &str = r#"for (const fold of document.querySelectorAll('.settings details.fold'))
    if (fold.querySelector('summary').textContent.includes('Repeats')) fold.open = true;
    return true;"#;

/// A script that counts the cells with an interval.
const INTERVALS: &str = r#"return document.querySelectorAll('[data-testid="interval"]').length"#;

/// A table of ten rows on a log: five schedulers with known and with requested times.
fn ten_rows_on(log: &Path) -> Study {
    let content = packfair::workload::reading::read("KTH-SP2", std::fs::File::open(log).expect("the log is there"));
    let fingerprint = content.expect("the log is good").fingerprint;
    let mut study = Study::on(Source::Trace { name: "KTH-SP2".to_owned(), fingerprint });
    let parsed = ["easy", "justbf", "saf-easy", "saf-justbf", "laf-justbf"].map(|id| id.parse().expect("a scheduler"));
    study.schedulers = parsed.to_vec();
    study.methods = ["actual", "requested"].map(|id| id.parse().expect("an estimator")).to_vec();
    study
}

#[tokio::test]
async fn repeats_give_every_number_an_interval() {
    play("repeats", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.until("the repeats' form", r#"return document.querySelector('[data-testid="repeats"]')"#).await;
        page.evaluate(OPEN).await;
        for wrong in ["0", "1", "20000", "many"] {
            let said = page.enter(FIELDS, "Repeats", wrong).await;
            assert!(said.contains("Accepts"), "{wrong}: {said}");
        }
        assert_eq!(page.enter(FIELDS, "Repeats", "10").await, "");
        // it takes only a moment, so it starts by itself
        page.says("sure", "95 % intervals, from 10 workloads").await;
        let bounds = r#"const cells = [...document.querySelectorAll('[data-testid="interval"]')];
            return cells.length > 20 && cells.every(cell => Number(cell.dataset.low) <= Number(cell.dataset.high));"#;
        assert_eq!(page.evaluate(bounds).await, json!(true));
        let unsure = r#"const cells = [...document.querySelectorAll('td.unsure')];
            return cells.every(cell => !cell.matches('.better, .worse, .best'))
                && document.querySelector('[data-testid="sure"]').textContent.includes('are sure');"#;
        assert_eq!(page.evaluate(unsure).await, json!(true));
        // other settings, other repeats: nothing stale is shown
        assert_eq!(page.enter(FIELDS, "Repeats", "").await, "");
        assert_eq!(page.evaluate(INTERVALS).await, json!(0));
    })
    .await;
}

#[tokio::test]
async fn many_repeats_are_asked_for_and_stopped_and_a_short_log_says_so() {
    play("repeats-many", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.until("the repeats' form", r#"return document.querySelector('[data-testid="repeats"]')"#).await;
        page.evaluate(OPEN).await;
        assert_eq!(page.enter(FIELDS, "Repeats", "10000").await, "");
        page.press("repeat").await;
        page.until("repeats that go on", r#"return document.querySelector('[data-testid="stop-repeats"]')"#).await;
        page.until("some intervals", r#"return document.querySelectorAll('[data-testid="interval"]').length > 20"#)
            .await;
        page.press("stop-repeats").await;
        page.until("a button to go on", r#"return document.querySelector('[data-testid="repeat"]')"#).await;
        assert_eq!(page.enter(FIELDS, "Repeats", "3").await, "");
        page.drop_file(&logs::made(40)).await;
        page.opened("made-40").await;
        page.says("repeats-failed", "two weeks are the least").await;
    })
    .await;
}

#[tokio::test]
async fn the_results_of_a_spread_study_are_opened_as_a_link_is() {
    play("repeats-results", |stage| async move {
        let sender = stage.page().await;
        sender.completed(4).await;
        let link = sender.share_link().await;
        let fragment = link.split_once('#').expect("what is shared stands behind #").1;
        let shared = packfair::study::link::decode(fragment).expect("it is a link");
        let file = write_results(&shared.study, fragment);
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::write("results.json", file.as_bytes())).await;
        page.says("shared-banner", "Lublin-Feitelson").await;
    })
    .await;
}

#[tokio::test]
async fn a_link_has_the_intervals_for_who_does_not_have_the_log() {
    play("repeats-link", |stage| async move {
        let sender = stage.page().await;
        sender.completed(4).await;
        sender.drop_file(&logs::made(4_000)).await;
        sender.opened("made-4000").await;
        sender.run_pending().await;
        sender.completed(4).await;
        sender.until("the repeats' form", r#"return document.querySelector('[data-testid="repeats"]')"#).await;
        sender.evaluate(OPEN).await;
        assert_eq!(sender.enter(FIELDS, "Repeats", "3").await, "");
        if sender.has("repeat").await {
            sender.evaluate(r#"document.querySelector('[data-testid="repeat"]')?.click()"#).await;
        }
        sender.says("sure", "95 % intervals, from 3 workloads").await;
        let bounds = r#"return [...document.querySelectorAll('[data-testid="interval"]')]
            .map(cell => [cell.dataset.low, cell.dataset.high]);"#;
        let sent = sender.evaluate(bounds).await;
        let page = stage.browser().await;
        page.goto(&sender.share_link().await).await;
        page.says("sure", "95 % intervals, from 3 workloads").await;
        assert_eq!(page.evaluate(bounds).await, sent);
    })
    .await;
}

#[tokio::test]
async fn a_study_that_is_too_long_for_a_tab_comes_with_a_command() {
    play("repeats-too-long", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let log = logs::made(60_000);
        page.drop_file(&log).await;
        page.opened("made-60000").await;
        page.run_pending().await;
        page.completed(4).await;
        page.until("the repeats' form", r#"return document.querySelector('[data-testid="repeats"]')"#).await;
        assert_eq!(page.enter(FIELDS, "Repeats", "10000").await, "");
        page.says("too-long", "packfair study study.json made-60000.swf --into results").await;
        assert_eq!(page.enter(FIELDS, "Repeats", "").await, "");
        let is_gone = r#"return document.querySelector('[data-testid="too-long"]') === null"#;
        page.until("no such note", is_gone).await;
    })
    .await;
}

#[tokio::test]
async fn a_study_is_repeated_by_itself_unless_somebody_has_stopped_that() {
    play("repeats-by-itself", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(4_000)).await;
        page.opened("made-4000").await;
        page.run_pending().await;
        page.completed(4).await;
        assert_eq!(page.evaluate(INTERVALS).await, json!(0), "it was stopped before");
        page.press("how-sure").await;
        page.says("sure", "workloads with the users' weeks drawn anew").await;
        assert_ne!(page.evaluate(INTERVALS).await, json!(0));
        page.reload().await;
        page.completed(4).await;
        page.says("sure", "from 40 workloads").await;
    })
    .await;
}

#[tokio::test]
#[ignore = "prints how long it takes, which depends on the machine"]
async fn how_long_forty_repeats_of_ten_rows_take() {
    play("repeats-ten-rows", |stage| async move {
        let Some(log) = logs::real() else { return };
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&log).await;
        page.opened("KTH-SP2").await;
        page.drop_file(&logs::write("ten-rows.json", write_study(&ten_rows_on(&log)).as_bytes())).await;
        let ended = r#"const head = document.querySelector('[data-testid="headline"]')?.textContent ?? "";
            return /^1[01] runs/.test(head) && !document.querySelector('[data-testid="cancel-all"]')"#;
        page.until("all rows", ended).await;
        let begin = Instant::now();
        page.until("the repeats' form", r#"return document.querySelector('[data-testid="repeats"]')"#).await;
        page.evaluate(OPEN).await;
        assert_eq!(page.enter(FIELDS, "Repeats", "40").await, "");
        if page.has("repeat").await {
            page.press("repeat").await;
        }
        page.says("sure", "95 % intervals, from 40 workloads").await;
        println!("40 repeats of ten rows on KTH-SP2: {:.1} s", begin.elapsed().as_secs_f64());
    })
    .await;
}
