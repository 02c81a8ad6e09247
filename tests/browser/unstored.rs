//! Browsers that store nothing, because there is no room or the user forbids it: the page says so, and the session
//! works as always.

use crate::logs;
use crate::page::Page;
use crate::stage::play;
use serde_json::json;

/// Scripts after which the database has no room: the browser reports it at once, or when the data is written.
const FULL: [(&str, &str); 2] = [
    (
        "put",
        r#"IDBObjectStore.prototype.put = function () {
            throw new DOMException("no room is left", "QuotaExceededError");
        };"#,
    ),
    (
        "commit",
        r#"const put = IDBObjectStore.prototype.put;
        IDBObjectStore.prototype.put = function (...given) {
            const request = put.apply(this, given);
            request.addEventListener("success", () => this.transaction.abort());
            return request;
        };"#,
    ),
];

/// Scripts after which there is no database: the browser refuses it, has none, or does not answer.
const NO_DATABASE: [(&str, &str); 3] = [
    ("refused", r#"IDBFactory.prototype.open = function () { throw new DOMException("denied", "SecurityError"); };"#),
    ("absent", r#"Object.defineProperty(window, "indexedDB", { value: undefined });"#),
    (
        "silent",
        r#"IDBFactory.prototype.open = function () { return Object.create(IDBOpenDBRequest.prototype, {
            onsuccess: { set() {} }, onerror: { set() {} }, onupgradeneeded: { set() {} }, onblocked: { set() {} },
        }); };"#,
    ),
];

/// Scripts after which nothing at all is stored: storage is refused, or has no room.
const NO_TEXTS: [(&str, &str); 2] = [
    (
        "denied",
        r#"for (const storage of ["localStorage", "sessionStorage"])
            Object.defineProperty(window, storage, { get() { throw new DOMException("denied", "SecurityError"); } });
        IDBFactory.prototype.open = function () { throw new DOMException("denied", "SecurityError"); };"#,
    ),
    (
        "full",
        r#"Storage.prototype.setItem = function () { throw new DOMException("no room is left", "QuotaExceededError"); };"#,
    ),
];

const SAID: &str = "The log will not be here after a reload: the browser did not store it";

/// Drops a log, runs the study on it, and looks at its jobs, which needs the schedules.
async fn has_all_of_a_session(page: &Page, jobs: usize) {
    page.drop_file(&logs::made(jobs)).await;
    page.says("log-name", &format!("made-{jobs}")).await;
    page.run_pending().await;
    page.completed(4).await;
    page.press("tab-jobs").await;
    page.until("jobs with waits", "return document.querySelectorAll('[data-testid=jobs-table] [role=row]').length > 5")
        .await;
    page.press("tab-compare").await;
    page.completed(4).await;
}

#[tokio::test]
async fn a_full_database_is_said_and_costs_nothing_but_the_reload() {
    play("full-database", |stage| async move {
        for (how, script) in FULL {
            let page = stage.browser().await;
            page.before_load(script).await;
            page.goto(&stage.url().await).await;
            page.completed(4).await;
            has_all_of_a_session(&page, 1_500).await;
            page.says("notices", SAID).await;
            let table = page.table().await;
            page.reload().await;
            // it says what is missing, and the log can be dropped again
            page.until(
                "the page to be there again",
                "return !document.querySelector('[data-testid=log-name]').innerText.includes('%')",
            )
            .await;
            has_all_of_a_session(&page, 1_500).await;
            assert_eq!(page.table().await, table, "{how}");
        }
    })
    .await;
}

#[tokio::test]
async fn without_a_database_a_session_goes_on() {
    play("no-database", |stage| async move {
        for (how, script) in NO_DATABASE {
            let page = stage.browser().await;
            page.before_load(script).await;
            page.goto(&stage.url().await).await;
            page.completed(4).await;
            has_all_of_a_session(&page, 1_500).await;
            if how != "silent" {
                page.says("notices", SAID).await;
            }
            page.reload().await;
            has_all_of_a_session(&page, 1_600).await;
        }
    })
    .await;
}

#[tokio::test]
async fn where_nothing_at_all_is_stored_the_page_is_as_on_a_first_visit() {
    play("no-texts", |stage| async move {
        for (how, script) in NO_TEXTS {
            let page = stage.browser().await;
            page.before_load(script).await;
            page.goto(&stage.url().await).await;
            // nor is it known that somebody was here before
            page.press("tab-compare").await;
            page.completed(4).await;
            has_all_of_a_session(&page, 1_500).await;
            // these change what is stored as text: units, folds, the theme
            page.press("theme").await;
            page.press("tab-charts").await;
            page.press("tab-compare").await;
            page.reload().await;
            match how {
                // the address still names the log, which nothing has kept
                "denied" => page.says("log-error", "Drop the file on the page again").await,
                _ => {
                    page.press("tab-compare").await;
                    page.completed(4).await;
                }
            }
            let failed = page.evaluate("return document.body.innerText.includes('failed when it showed')").await;
            assert_eq!(failed, json!(false), "{how}");
        }
    })
    .await;
}
