//! Checks that a scenario fails on errors that are not visible in the page. All other scenarios rely on this.

use crate::stage::play;

/// The script of a worker in which something goes wrong.
const WORKER: &str = "console.error('said in a worker'); setTimeout(() => { throw new Error('thrown in a worker') });";

/// A script with every kind of error that is not visible.
const WRONG: &str = r#"
    console.error("said in the page");
    setTimeout(() => { throw new Error("thrown in the page") });
    Promise.reject(new Error("rejected in the page"));
    new Image().src = "http://127.0.0.1:1/refused-by-the-policy.png";
    new Worker("sw.js?other");"#;

#[tokio::test]
async fn whatever_goes_wrong_in_a_page_fails_its_scenario() {
    let scenario = play("console", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        stage.site.lock().await.publish("sw.js", |_| WORKER.to_owned());
        page.evaluate(WRONG).await;
        // errors are reported within a moment
        tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    });
    let failure = tokio::spawn(scenario).await.expect_err("nothing was seen").into_panic();
    let said = failure.downcast_ref::<String>().expect("a text");
    for part in [
        "said in the page",
        "thrown in the page",
        "rejected in the page",
        "refused-by-the-policy",
        "said in a worker",
        "thrown in a worker",
    ] {
        assert!(said.contains(part), "no \"{part}\" in: {said}");
    }
}
