//! Logs that arrive in other ways than as a plain file, or at unfortunate moments.

use crate::logs;
use crate::stage::play;
use serde_json::json;

/// The test id of the name of the active log.
const NAME: &str = "log-name";

/// A script that tells whether a service worker controls the page.
const IS_KEPT: &str = "return navigator.serviceWorker?.controller?.state === 'activated'";

/// Makes a paste event with `data`. Firefox leaves the data out of events that scripts construct.
const PASTE: &str = "const event = new ClipboardEvent('paste', { bubbles: true, cancelable: true });
    Object.defineProperty(event, 'clipboardData', { value: data });";

#[tokio::test]
async fn a_large_log_survives_a_reload_right_after_it_came() {
    play("reload-at-once", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        page.until("the page to be kept", IS_KEPT).await;
        page.drop_file(&logs::large()).await;
        page.reload().await;
        page.says(NAME, "made-160000").await;
        page.until(
            "the log to be read",
            "return document.querySelector('.log-facts').innerText.includes('processors')",
        )
        .await;
        page.reload().await;
        page.says(NAME, "made-160000").await;
        page.until(
            "it to be read again",
            "return document.querySelector('.log-facts').innerText.includes('processors')",
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn a_log_is_pasted_as_text_or_as_a_file() {
    play("paste", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        let paste = |text: &str, at: &str| {
            format!(
                "const data = new DataTransfer(); data.setData('text/plain', {});
                 {PASTE}
                 {at}.dispatchEvent(event); return event.defaultPrevented;",
                json!(text)
            )
        };
        assert_eq!(page.evaluate(&paste("Dear all,", "document.body")).await, json!(true));
        page.says("notices", "no log").await;

        let taken = page.evaluate(&paste(&logs::text(400), "document.body")).await;
        assert_eq!(taken, json!(true));
        page.says(NAME, "pasted log").await;
        page.completed(8).await;

        page.press("tab-jobs").await;
        page.find("jobs-search").await;
        let search = "document.querySelector('[data-testid=jobs-search]')";
        let taken = page.evaluate(&paste(&logs::text(500), search)).await;
        assert_eq!(taken, json!(false), "what is pasted into a field is the field's");

        let file = format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], 'copied.swf'));
             {PASTE}
             document.body.dispatchEvent(event);",
            json!(logs::text(600))
        );
        page.evaluate(&file).await;
        page.says(NAME, "copied.swf").await;
    })
    .await;
}

#[tokio::test]
async fn what_sacct_prints_is_a_log() {
    play("sacct", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        let mut text = String::from("JobID|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State|JobName\n");
        for job in 0..300 {
            let (day, hour, minute) = (1 + job / 100, job / 10 % 24, job % 60);
            let at = format!("2026-01-{day:02}T{hour:02}:{minute:02}:00");
            let width = 1 + job % 16;
            text += &format!("{job}|ann|{at}|{at}|{}|90|{width}|COMPLETED|a|b\n", 60 + 37 * (job % 90));
        }
        let paste = format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], 'sacct.txt'));
             {PASTE}
             document.body.dispatchEvent(event);",
            json!(text)
        );
        page.evaluate(&paste).await;
        page.says(NAME, "sacct.txt").await;
        page.completed(9).await;
        page.reload().await;
        page.says(NAME, "sacct.txt").await;
        page.completed(9).await;
    })
    .await;
}

#[tokio::test]
async fn the_log_in_an_archive_is_shown_and_stays() {
    play("zip", |stage| async move {
        let page = stage.page().await;
        page.completed(8).await;
        page.drop_file(&logs::zipped(700)).await;
        page.says(NAME, "inner-700.swf").await;
        page.run_pending().await;
        page.completed(8).await;
        let zipped = page.table().await;
        page.reload().await;
        page.says(NAME, "inner-700.swf").await;
        page.completed(8).await;
        page.drop_file(&logs::made(700)).await;
        page.says(NAME, "made-700.swf").await;
        page.run_pending().await;
        page.completed(8).await;
        page.until("numbers", "return document.querySelector('td.figure[data-value]') !== null").await;
        assert_eq!(page.table().await, zipped, "the same log, packed and not");
    })
    .await;
}
