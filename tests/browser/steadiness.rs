//! The page is steady: nothing moves under the pointer, rows are there while they scroll, and what is to be pressed or
//! read is large and clear enough.

use crate::logs;
use crate::soak;
use crate::stage::{play, play_on};
use serde_json::json;
use std::time::Duration;

const TABS: &[&str] = &["compare", "charts", "workload", "jobs", "estimates"];

#[tokio::test]
async fn the_page_is_as_high_as_the_window_whatever_is_open() {
    play("height", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.appear(1440, 900, false).await;
        for tab in TABS {
            page.press(&format!("tab-{tab}")).await;
            page.until("the tab to settle", "return document.querySelectorAll('[aria-busy=true]').length === 0").await;
            page.evaluate("document.querySelectorAll('details').forEach(fold => fold.open = true)").await;
            let heights = page.evaluate("return [document.documentElement.scrollHeight, innerHeight]").await;
            assert_eq!(heights[0], heights[1], "on {tab}");
            let scrolled = page
                .evaluate("window.scrollTo(0, 9999); document.body.scrollTop = 9999; return scrollY + document.body.scrollTop")
                .await;
            assert_eq!(scrolled, json!(0), "on {tab}");
        }
    })
    .await;
}

#[tokio::test]
async fn rows_of_jobs_are_there_however_fast_they_scroll() {
    play("scroll", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(300_000)).await;
        page.says("log-name", "made-300000").await;
        // while it is read, a note covers the tabs
        page.until("the log to be read", "return document.body.innerText.includes('300,000 jobs')").await;
        page.press("tab-jobs").await;
        page.until("jobs", "return document.querySelectorAll('.jobs-row').length > 5").await;
        page.until(
            "all jobs",
            "return document.querySelector('[data-testid=jobs-found]').innerText.includes('300,000')",
        )
        .await;
        let script = r#"
            return (async () => {
            const table = document.querySelector("[data-testid=jobs-table]");
            const head = document.querySelector(".jobs-head").getBoundingClientRect().height;
            let missing = 0;
            for (let frame = 0; frame < 90; frame++) {
                table.scrollTop += 3000;
                await new Promise(requestAnimationFrame);
                const box = table.getBoundingClientRect();
                const rows = [...table.querySelectorAll(".jobs-row")].map(row => row.getBoundingClientRect());
                const top = Math.min(...rows.map(row => row.top)), bottom = Math.max(...rows.map(row => row.bottom));
                if (top > box.top + head + 1 || bottom < box.bottom - 20) missing++;
            }
            return missing;
            })();"#;
        assert_eq!(page.evaluate(script).await, json!(0), "frames without rows");
        // The texts of rows come from a worker, which a busy machine may delay for any number of frames.
        page.until(
            "the rows in sight to say what they are",
            "return ![...document.querySelectorAll('.jobs-row')].some(row => row.innerText.includes('…'))",
        )
        .await;
    })
    .await;
}

#[tokio::test]
async fn what_is_pressed_is_large_enough_and_waits_are_read_easily() {
    play("sizes", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        for id in [".star", ".row-menu-button", ".column-menu-button"] {
            let small = format!(
                "const all = [...document.querySelectorAll('{id}')].map(e => e.getBoundingClientRect());
                 return all.length === 0 || all.some(e => e.width < 24 || e.height < 24)"
            );
            assert_eq!(page.evaluate(&small).await, json!(false), "{id} is smaller than 24 pixels");
        }
        page.press("tab-jobs").await;
        let by_difference = r#"const heading = [...document.querySelectorAll(".jobs-sort")].find(e => e.innerText.includes("Difference"));
            if (heading?.closest("[aria-sort=none]")) heading.click(); return !!heading"#;
        page.until("the difference of two runs", by_difference).await;
        page.until("waits that differ", "return !!document.querySelector('.jobs-cell.longer, .jobs-cell.shorter')")
            .await;
        let contrast = r#"
            const channels = color => color.match(/[\d.]+/g).slice(0, 3).map(c => c / 255)
                .map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
            const light = color => { const [r, g, b] = channels(color); return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            return [...document.querySelectorAll(".jobs-cell.longer, .jobs-cell.shorter")].map(cell => {
                const style = getComputedStyle(cell);
                const [a, b] = [light(style.color), light(style.backgroundColor)].sort((a, b) => b - a);
                return (a + 0.05) / (b + 0.05);
            }).filter(ratio => ratio < 4.5);"#;
        for dark in [false, true] {
            page.appear(1440, 900, dark).await;
            assert_eq!(page.evaluate(contrast).await, json!([]), "dark: {dark}");
        }
    })
    .await;
}

/// How many times slower than this machine's the processor seems to be.
const SPEEDS: [u32; 2] = [1, 6];

/// The longest tasks between two moments, milliseconds, and the frames that came late.
const LONGEST: &str = "const tasks = window.longTasks.splice(0).map(task => Math.round(task[1])).sort((a, b) => b - a);
    return tasks.slice(0, 3).join(', ') + ' | ' + window.lateFrames.splice(0).slice(0, 3).join(' | ')";

#[tokio::test]
#[ignore = "prints the longest tasks of the page, which depend on the machine"]
async fn how_long_the_tasks_of_the_page_are() {
    play_on(Duration::from_secs(300), "tasks", |stage| async move {
        let Some(log) = logs::real() else { return };
        for slower in SPEEDS {
            let page = stage.newcomer().await;
            page.before_load(soak::WATCH).await;
            page.devtools("Emulation.setCPUThrottlingRate", json!({ "rate": slower })).await;
            page.goto(&stage.url().await).await;
            let tell = async |what: &str| {
                page.settle().await;
                println!("{slower} times slower, {what}: {}", page.evaluate(LONGEST).await);
            };
            page.find("first-screen").await;
            tell("first visit").await;
            page.drop_file(&log).await;
            page.says("log-name", "KTH-SP2").await;
            page.all_completed().await;
            tell("a log dropped").await;
            for tab in TABS {
                page.press(&format!("tab-{tab}")).await;
                page.until("the tab to settle", "return document.querySelectorAll('[aria-busy=true]').length === 0")
                    .await;
                tell(tab).await;
            }
        }
    })
    .await;
}
