//! Logs that arrive in other ways than as a plain file, or at unfortunate moments.

use crate::logs;
use crate::stage::play;
use packfair::study::export::write_study;
use packfair::study::{Generated, Source, Study};
use serde_json::json;
use std::time::{Duration, Instant};

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
        page.completed(4).await;
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
#[ignore = "prints what a million jobs take, which depends on the machine"]
async fn what_a_million_jobs_take() {
    play("a-million-jobs", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let before = megabytes_of_browsers();
        page.drop_file(&logs::made(1_000_000)).await;
        let begin = Instant::now();
        page.says(NAME, "made-1000000").await;
        let is_read = "return document.querySelector('.log-facts').innerText.includes('processors')";
        let (mut most, mut is_there) = (0, false);
        while !is_there {
            tokio::time::sleep(Duration::from_millis(50)).await;
            most = most.max(megabytes_of_browsers());
            is_there = page.evaluate(is_read).await == json!(true);
        }
        println!("read after {:.1} s", begin.elapsed().as_secs_f64());
        println!("at most {most} MB in all processes of browsers, {before} MB of them before");
        page.until("results, or what is held back", "return !document.querySelector('.stale')").await;
        tokio::time::sleep(Duration::from_secs(30)).await;
        println!("half a minute later {} MB", megabytes_of_browsers());
        page.picture("a-million-jobs").await;
    })
    .await;
}

/// The memory of all browsers on this machine, as the system counts each page's share.
fn megabytes_of_browsers() -> u64 {
    let processes = std::fs::read_dir("/proc").into_iter().flatten().flatten();
    let of = |process: std::fs::DirEntry| {
        let is_browser = std::fs::read_to_string(process.path().join("comm")).is_ok_and(|name| name.contains("chrom"));
        let share = std::fs::read_to_string(process.path().join("smaps_rollup")).ok().filter(|_| is_browser)?;
        let line = share.lines().find_map(|line| line.strip_prefix("Pss:"))?;
        line.split_whitespace().next()?.parse::<u64>().ok()
    };
    processes.filter_map(of).sum::<u64>() / 1_024
}

/// A file is dropped and the page loaded again before it can even have looked at the file.
#[tokio::test]
async fn a_file_survives_a_reload_in_the_moment_it_came() {
    play("reload-in-the-moment", |stage| async move {
        let page = stage.page().await;
        // Firefox stops what a page is loading before it leaves the page
        page.forgive("a part of Packfair could not be loaded");
        page.completed(4).await;
        page.until("the page to be kept", IS_KEPT).await;
        let drop_and_reload = |name: &str, text: &str| {
            format!(
                "const picked = new DataTransfer(); picked.items.add(new File([{}], {}));
                 const input = document.querySelector('[data-testid=file-input]');
                 window.isBefore = true;
                 input.files = picked.files;
                 input.dispatchEvent(new Event('change'));
                 location.reload();",
                json!(text),
                json!(name)
            )
        };
        let is_after = "return window.isBefore === undefined && document.querySelector('[data-testid=app]') !== null";

        page.evaluate(&drop_and_reload("in-the-moment.swf", &logs::text(400))).await;
        page.until("the page to be loaded again", is_after).await;
        page.says(NAME, "in-the-moment").await;
        let is_read = "return document.querySelector('.log-facts').innerText.includes('400 jobs')";
        page.until("the log to be read", is_read).await;
        page.completed(4).await;

        // also before all of the page is loaded
        page.reload().await;
        page.until("the field for files", "return document.querySelector('[data-testid=file-input]') !== null").await;
        page.evaluate(&drop_and_reload("at-once.swf", &logs::text(500))).await;
        page.until("the page to be loaded again", is_after).await;
        page.says(NAME, "at-once").await;
        page.until("the log to be read", "return document.querySelector('.log-facts').innerText.includes('500 jobs')")
            .await;
        page.completed(4).await;

        // a study is one of the open log
        let mut study = Study::on(Source::Generated(Generated::FIRST_VISIT));
        study.schedulers.truncate(1);
        page.evaluate(&drop_and_reload("study.json", &write_study(&study))).await;
        page.until("the page to be loaded again", is_after).await;
        page.completed(1).await;
        page.says(NAME, "at-once").await;
        page.reload().await;
        page.completed(1).await;
    })
    .await;
}

/// Of two logs that are asked for one right after the other, the second is shown, although the browser has to look for
/// the first.
#[tokio::test]
async fn the_log_that_was_asked_for_last_is_shown() {
    play("asked-for-last", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(900)).await;
        page.says(NAME, "made-900").await;
        page.completed(4).await;
        let pick_both = "const later = ms => new Promise(done => setTimeout(done, ms));
            const both = async () => {
                document.querySelector('.log-button').click();
                const entry = part => [...document.querySelectorAll('.menu-row .menu-item')]
                    .find(item => item.textContent.includes(part));
                while (!entry('made-900') || !entry('generated')) await later(10);
                const [first, second] = [entry('made-900'), entry('generated')];
                first.click();
                second.click();
                await later(1500);
            };
            return both().then(() => document.querySelector('[data-testid=log-name]').textContent);";
        let shown = page.evaluate(pick_both).await;
        assert!(shown.as_str().is_some_and(|name| name.contains("Lublin")), "{shown}");
        page.says(NAME, "Lublin").await;

        // a file that is no log does not come back instead of the log that was opened after it
        page.drop_file(&logs::write("no-log.txt", b"Dear all,\n")).await;
        page.find("log-error").await;
        page.evaluate(
            "document.querySelector('.log-button').click();
             setTimeout(() => [...document.querySelectorAll('.menu-row .menu-item')]
                 .find(item => item.textContent.includes('generated')).click(), 300)",
        )
        .await;
        page.says(NAME, "Lublin").await;
        page.completed(4).await;
        page.reload().await;
        page.completed(4).await;
        page.says(NAME, "Lublin").await;
        assert!(!page.has("log-error").await);
    })
    .await;
}

#[tokio::test]
async fn a_log_is_pasted_as_text_or_as_a_file() {
    play("paste", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
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
        page.completed(4).await;

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
        page.completed(4).await;
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
        page.completed(5).await;
        page.reload().await;
        page.says(NAME, "sacct.txt").await;
        page.completed(5).await;
    })
    .await;
}

#[tokio::test]
async fn the_log_in_an_archive_is_shown_and_stays() {
    play("zip", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::zipped(700)).await;
        page.says(NAME, "inner-700.swf").await;
        page.run_pending().await;
        page.completed(4).await;
        let zipped = page.table().await;
        page.reload().await;
        page.says(NAME, "inner-700.swf").await;
        page.completed(4).await;
        page.drop_file(&logs::made(700)).await;
        page.says(NAME, "made-700.swf").await;
        page.run_pending().await;
        page.completed(4).await;
        page.until("numbers", "return document.querySelector('td.figure[data-value]') !== null").await;
        assert_eq!(page.table().await, zipped, "the same log, packed and not");
    })
    .await;
}
