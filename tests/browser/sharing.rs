//! A result travels as a link.

use crate::logs;
use crate::stage::play;

#[tokio::test]
async fn a_link_shows_the_same_table_elsewhere_and_can_be_checked_there() {
    play("link", |stage| async move {
        let sender = stage.page().await;
        let log = logs::made(1_500);
        sender.drop_file(&log).await;
        sender.opened("made-1500").await;
        sender.apply_recipe("metrics-fig-3").await;
        sender.run_pending().await;
        sender.completed(4).await;
        let sent = sender.table().await;
        let link = sender.share_link().await;
        assert!(link.starts_with(&stage.url().await), "{link}");

        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-1500").await;
        receiver.completed(4).await;
        assert_eq!(receiver.table().await, sent);

        receiver.drop_file(&log).await;
        receiver.run_pending().await;
        receiver.says("shared-verdict", "every value agrees").await;
        assert_eq!(receiver.table().await, sent);
    })
    .await;
}

#[tokio::test]
async fn a_damaged_link_opens_the_page_and_says_so() {
    play("damaged-link", |stage| async move {
        let sender = stage.page().await;
        sender.completed(4).await;
        let link = sender.share_link().await;

        let receiver = stage.browser().await;
        receiver.goto(&link[..link.len() * 2 / 3]).await;
        receiver.says("notices", "link").await;
        receiver.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn another_log_on_a_link_leaves_the_shared_result_within_reach() {
    play("link-other-log", |stage| async move {
        let sender = stage.page().await;
        sender.drop_file(&logs::made(1_500)).await;
        sender.opened("made-1500").await;
        sender.apply_recipe("metrics-fig-3").await;
        sender.run_pending().await;
        sender.completed(4).await;
        let sent = sender.table().await;
        let link = sender.share_link().await;

        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-1500").await;
        receiver.drop_file(&logs::made(900)).await;
        receiver.says("other-log", "This is made-900.swf, the link is of made-1500.swf").await;
        assert!(!receiver.has("shared-banner").await, "numbers of one log under another's name");

        receiver.press("return-to-shared").await;
        receiver.says("shared-banner", "made-1500").await;
        receiver.completed(4).await;
        assert_eq!(receiver.table().await, sent);

        // Back leads there as well, because the drop was a step
        receiver.drop_file(&logs::made(900)).await;
        receiver.says("other-log", "made-900").await;
        receiver.until("the address of the other log", "return location.hash.includes('log=made-900')").await;
        receiver.back().await;
        receiver.says("shared-banner", "made-1500").await;

        receiver.drop_file(&logs::made(900)).await;
        receiver.press("keep-other-log").await;
        receiver.completed(4).await;
        assert!(!receiver.has("other-log").await, "it was decided");
        assert_ne!(receiver.table().await, sent);
        receiver.reload().await;
        receiver.opened("made-900").await;
        receiver.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn a_link_that_is_asked_for_while_the_log_is_being_read_comes_once_it_is_there() {
    play("link-early", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::large()).await;
        page.opened("made-160000").await;
        page.completed(4).await;
        page.reload().await;
        // results are there before the log is
        page.completed(4).await;
        assert!(page.share_link().await.starts_with(&stage.url().await));
    })
    .await;
}

/// A script that returns what the page shows of a comparison besides its numbers: the sentence, what matters to the
/// user, how well the model fits, the recipe and the paper's figures.
const SEEN: &str = "
    const text = id => document.querySelector(`[data-testid=${id}]`)?.innerText ?? '';
    return JSON.stringify([
        text('conclusion'),
        document.querySelector('.conclusion [aria-pressed=true]')?.innerText ?? '',
        text('fit'),
        document.querySelector('.reproduction h2')?.innerText ?? '',
        text('agreement'),
        [...document.querySelectorAll('[data-testid=printed] tbody tr')].map(row => row.innerText),
    ])";

#[tokio::test]
async fn a_link_carries_all_that_its_sender_saw_and_a_short_one_says_the_same() {
    play("link-told", |stage| async move {
        let sender = stage.page().await;
        sender.completed(4).await;
        let is_real = logs::real().is_some();
        sender.drop_file(&logs::real().unwrap_or_else(|| logs::made(3_000))).await;
        sender
            .until("the log", "return !document.querySelector('[data-testid=log-name]').innerText.startsWith('Lublin')")
            .await;
        // its name comes first; once it is read a row of what it tells may come, which the recipe has not
        let read = "return /(28,481|3,000) jobs/.test(document.querySelector('.log-button').innerText)";
        sender.until("the log to be read", read).await;
        sender.apply_recipe("metrics-table-2").await;
        sender.completed(20).await;
        sender
            .evaluate(
                "[...document.querySelectorAll('.conclusion .segment')].find(b => b.innerText === 'Packing').click()",
            )
            .await;
        sender.says("conclusion", "For packing").await;
        sender.until("no repeats under way", "return !document.querySelector('[data-testid=by-itself]')").await;
        let (seen, table) = (sender.evaluate(SEEN).await, sender.table().await);
        assert!(seen.as_str().is_some_and(|seen| seen.contains("METRICS Table II")), "{seen}");
        assert_eq!(seen.as_str().is_some_and(|seen| seen.contains("72 of 72 printed figures")), is_real, "{seen}");
        let title = sender.title().await;
        let long = sender.share_link().await;
        let short = sender.evaluate("return document.querySelector('[data-testid=share-short]').value").await;
        let short = short.as_str().expect("a link").to_owned();
        assert!(short.len() * 2 < long.len(), "{} and {} characters", short.len(), long.len());

        for link in [long, short] {
            let receiver = stage.browser().await;
            receiver.goto(&link).await;
            receiver.says("shared-log", " jobs on ").await;
            receiver.says("shared-log", ", load ").await;
            receiver.completed(20).await;
            assert_eq!(receiver.table().await, table);
            let same = format!("return (() => {{ {SEEN} }})() === {seen}");
            receiver.until("what the sender saw", &same).await;
            assert_eq!(receiver.title().await, title);
            let read_otherwise = "return document.querySelector('[data-testid=shared-said]').innerText";
            assert_eq!(receiver.evaluate(read_otherwise).await, "", "it reads the same here");
            // a receiver who chooses another metric is told what the sender read
            let other =
                "[...document.querySelectorAll('.conclusion .segment')].find(b => b.innerText === 'Slowdown').click()";
            receiver.evaluate(other).await;
            receiver.says("shared-said", "Where it was shared it said: For packing").await;
        }
    })
    .await;
}
