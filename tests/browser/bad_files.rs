//! Files that are not logs, or are malicious.

use crate::logs;
use crate::stage::play;
use std::path::PathBuf;

/// Drops a bad file. The page must say what is wrong with it in `words`, and go on working.
async fn is_refused(name: &'static str, file: PathBuf, words: &'static str) {
    play(name, move |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&file).await;
        page.says("log-error", words).await;
        page.drop_file(&logs::made(500)).await;
        page.says("log-name", "made-500").await;
        let still =
            page.evaluate(r#"return document.querySelector('[data-testid="log-error"]')?.innerText ?? null"#).await;
        assert!(still.is_null(), "a good log has come, and the page says: {still}");
    })
    .await;
}

#[tokio::test]
async fn an_empty_file() {
    is_refused("empty", logs::empty(), "empty").await;
}

#[tokio::test]
async fn bytes_that_are_no_text() {
    is_refused("binary", logs::binary(), "not a text file").await;
}

#[tokio::test]
async fn a_gzip_cut_off() {
    is_refused("cut-off", logs::cut_off(), "cut off").await;
}

#[tokio::test]
async fn a_gigabyte_of_spaces_in_gzip() {
    is_refused("spaces", logs::spaces(), "not a log").await;
}

#[tokio::test]
async fn a_gigabyte_of_zeros() {
    is_refused("zeros", logs::zeros(), "not a text file").await;
}

#[tokio::test]
async fn an_archive_without_a_log() {
    is_refused("zip-without-log", logs::zip_without_log(), "first.md, second.md").await;
}

#[tokio::test]
async fn an_encrypted_archive() {
    is_refused("zip-encrypted", logs::zip_encrypted(), "secret.swf in this zip archive is encrypted").await;
}

#[tokio::test]
async fn an_archive_cut_off() {
    is_refused("zip-cut-off", logs::zip_cut_off(), "cut off").await;
}

#[tokio::test]
async fn a_log_without_a_usable_job() {
    is_refused("no-usable-job", logs::no_usable_job(), "is left").await;
}

#[tokio::test]
async fn scripts_in_a_header_are_shown_and_not_run() {
    play("scripts", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::with_scripts()).await;
        page.says("log-name", "onerror").await;
        page.run_pending().await;
        page.completed(4).await;
        for tab in ["tab-workload", "tab-jobs", "tab-charts", "tab-estimates", "tab-compare"] {
            page.press(tab).await;
        }
        assert!(page.evaluate("return window.intruder ?? null").await.is_null(), "a script of the log has run");
        let intruders =
            r#"return document.querySelectorAll("iframe, img[src='x'], body script:not([type=module])").length"#;
        assert_eq!(page.evaluate(intruders).await, 0, "markup of the log has become part of the page");
    })
    .await;
}
