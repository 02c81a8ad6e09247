//! How soon a first visitor sees a first value, and how many bytes had to be loaded for it.

use crate::line::Line;
use crate::stage::play_as_for_users;
use std::time::Duration;

/// The bits per second of a line that many users have.
const BITS: f64 = 10e6;

/// The time of a line there and back.
const LATENCY: Duration = Duration::from_millis(40);

/// The most bytes that may be loaded until then, compressed as by hosts, including those of the workers and of the late parts that
/// begin to come once the first of the runs is there.
const MOST: usize = 1_800_000;

/// A script that notes when a newcomer has the finding.
const WATCH: &str = r#"new MutationObserver((_, observer) => {
    if (!/%/.test(document.querySelector("[data-testid=finding]")?.innerText)) return;
    window.firstValue = performance.now();
    observer.disconnect();
}).observe(document, { subtree: true, childList: true, characterData: true });"#;

#[tokio::test]
async fn little_comes_before_a_first_value() {
    play_as_for_users("first-value", |stage| async move {
        let host = {
            let site = stage.site.lock().await;
            site.pack();
            site.address().to_owned()
        };
        let line = Line::to(&host, BITS, LATENCY).await;
        let page = stage.newcomer().await;
        page.before_load(WATCH).await;
        line.begin();
        page.goto(&line.url()).await;
        page.until("the finding", "return window.firstValue > 0").await;
        let after = page.evaluate("return window.firstValue").await.as_f64().expect("milliseconds");
        let bytes = line.came_within(Duration::from_secs_f64(after / 1e3));
        // printed and not checked, because the time depends on the machine
        println!(
            "first value: {:.2} s after the page was asked for, at {:.0} Mbit/s and {} ms, and {bytes} bytes (gzip)",
            after / 1e3,
            BITS / 1e6,
            LATENCY.as_millis()
        );
        assert!(bytes <= MOST, "{bytes} bytes came before a first value");
    })
    .await;
}
