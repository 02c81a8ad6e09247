//! A scheduler that the user writes as a script: tried as it is typed, a row like any other, and carried by a link.

use crate::logs;
use crate::page::Page;
use crate::stage::play;

/// A script that tries to use a function of the worker.
const NOSY: &str = "fn round(view, actions) {\n    let x = postMessage(\"away\");\n}\n";

/// Puts a text into the field of the script, as typing does.
async fn write(page: &Page, text: &str) {
    let text = serde_json::Value::from(text);
    let script = format!(
        r#"const field = document.querySelector('[data-testid="script-field"]');
        field.focus();
        field.value = {text};
        field.dispatchEvent(new Event("input", {{ bubbles: true }}));"#
    );
    page.evaluate(&script).await;
}

/// Chooses an example to begin with.
async fn begin_with(page: &Page, id: &str) {
    let pick = format!(
        r#"const select = document.querySelector('[data-testid="script-example"]');
        select.value = "{id}";
        select.dispatchEvent(new Event("change", {{ bubbles: true }}));"#
    );
    page.evaluate(&pick).await;
}

/// Whether the table has a row of the script.
const ROW: &str =
    r#"return [...document.querySelectorAll('tr[data-run]')].some(row => row.textContent.includes("mine"));"#;

#[tokio::test]
async fn from_an_empty_panel_to_a_link_with_the_same_numbers_elsewhere() {
    play("scripts", |stage| async move {
        let sender = stage.page().await;
        sender.drop_file(&logs::made(600)).await;
        sender.opened("made-600").await;
        sender.press("write-one").await;
        sender.says("script-values", "On all 600 jobs").await;

        // an error is shown with its line; reading a value that does not exist is an error
        write(&sender, "fn round(view, actions) {\n    print(view.nobody);\n}\n").await;
        sender.says("script-fault", "line 2").await;
        sender.says("script-fault", "no `nobody` of View").await;
        write(&sender, NOSY).await;
        sender.says("script-fault", "line 2").await;
        write(&sender, "fn round(view, actions) {\n    loop { }\n}\n").await;
        sender.says("script-fault", "more than 5000000 operations").await;

        // an example equals the built-in scheduler beside it
        begin_with(&sender, "easy").await;
        let equal = r#"const cells = row => [...row.querySelectorAll("td")].map(cell => cell.dataset.value);
            const rows = [...document.querySelectorAll('[data-testid="script-values"] tbody tr')].map(cells);
            return rows.length > 0 && rows.every(([own, easy]) => own === easy);"#;
        sender.until("the script does what EASY does", equal).await;
        sender.picture("script").await;

        // what it prints is shown
        write(
            &sender,
            "fn round(view, actions) {\n    for job in view.waiting.sort_by(|job| job.area) {\n        if job.processors <= actions.free { actions.start(job); }\n    }\n    print(`${view.queue_length} waited`);\n}\n",
        )
        .await;
        sender.says("script-printed", "waited").await;
        sender.press("run-script").await;
        sender.until("a row of its own", ROW).await;
        sender.run_pending().await;
        sender.all_completed().await;
        let sent = sender.table().await;
        let link = sender.share_link().await;

        // a user who opens the link sees the script first, and it runs only after consent
        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("offered-scripts", "sort_by(|job| job.area)").await;
        assert!(!receiver.has("shared-banner").await, "nothing of it is open yet");
        receiver.press("accept-scripts").await;
        receiver.says("shared-banner", "made-600").await;
        assert_eq!(receiver.table().await, sent);
        receiver.drop_file(&logs::made(600)).await;
        receiver.run_pending().await;
        receiver.says("shared-verdict", "every value agrees").await;
        assert_eq!(receiver.table().await, sent);
    })
    .await;
}

#[tokio::test]
async fn a_link_with_a_script_need_not_be_opened() {
    play("scripts-declined", |stage| async move {
        let sender = stage.page().await;
        sender.drop_file(&logs::made(600)).await;
        sender.opened("made-600").await;
        sender.press("write-one").await;
        sender.says("script-values", "jobs").await;
        sender.press("run-script").await;
        sender.run_pending().await;
        sender.until("a row of its own", ROW).await;
        sender.all_completed().await;
        let link = sender.share_link().await;

        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.press("decline-scripts").await;
        receiver.completed(4).await;
        assert!(!receiver.has("shared-banner").await);
    })
    .await;
}
