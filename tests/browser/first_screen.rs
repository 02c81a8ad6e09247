//! What somebody sees who has never been here: little, one finding in large, ways on, and nothing that moves.

use crate::logs;
use crate::page::Page;
use crate::stage::{Stage, play};
use serde_json::json;

/// The most that a first screen shows.
const CONTROLS: u64 = 25;
const WORDS: u64 = 200;

/// The most that a page may shift, as browsers count it.
const SHIFT: f64 = 0.05;

/// Stops before the content of the tabs that the Tab key makes at most.
const STOPS: u64 = 12;

/// Sums up how far the content shifts by itself.
const WATCH: &str = "window.shift = 0; window.shifts = [];
    new PerformanceObserver(list => {
        for (const entry of list.getEntries()) {
            if (entry.hadRecentInput) continue;
            window.shift += entry.value;
            const of = entry.sources.map(s => `${s.node?.className ?? s.node?.parentElement?.className ?? s.node?.nodeName}`
                + ` ${Math.round(s.previousRect.x)},${Math.round(s.previousRect.y)}>${Math.round(s.currentRect.x)},${Math.round(s.currentRect.y)}`);
            window.shifts.push(`${entry.value.toFixed(4)} at ${Math.round(entry.startTime)}: ${of.join('; ')}`);
        }
    }).observe({ type: 'layout-shift', buffered: true });";

/// What is in sight: its controls, its words (also the numbers of jobs and hours, but not the chart's sentence of the moment),
/// and its text in the largest letters.
const SEEN: &str = r#"
    const isSeen = e => {
        const box = e.getBoundingClientRect();
        return e.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && box.width > 1 && box.height > 1
            && box.top < innerHeight && box.bottom > 0 && box.left < innerWidth && box.right > 0;
    };
    const controls = [...document.querySelectorAll("button, a[href], input, select, textarea, summary, [tabindex='0']")].filter(isSeen);
    const texts = [], walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (node.data.trim() && isSeen(node.parentElement) && !node.parentElement.closest('[data-testid=learn-told]'))
            texts.push([parseFloat(getComputedStyle(node.parentElement).fontSize), node.data, node.parentElement.dataset.testid]);
    const largest = Math.max(...texts.map(([size]) => size));
    return {
        controls: controls.length,
        words: texts.map(([, text]) => text).join(" ").split(/\s+/).filter(word => /[\p{L}\p{N}]/u.test(word)).length,
        largest: texts.filter(([size]) => size === largest).map(([, , id]) => id),
    };"#;

/// A script that is true once the finding of the example is there.
const FOUND: &str = "return document.querySelector('[data-testid=finding]')?.innerText.length > 20
    && !document.querySelector('[data-testid=cancel-all]') && !!document.querySelector('.first-stage:not([hidden]) .learn-gantt')";

async fn newcomer(stage: &Stage, width: u32, height: u32) -> Page {
    let page = stage.newcomer().await;
    page.appear(width, height, false).await;
    page.before_load(WATCH).await;
    page.goto(&stage.url().await).await;
    page.until("the finding and the chart", FOUND).await;
    page
}

/// Waits a moment for what may yet shift, and says how far all has.
async fn shift(page: &Page) -> (f64, String) {
    tokio::time::sleep(std::time::Duration::from_secs(2)).await;
    let shift = page.evaluate("return window.shift").await.as_f64().expect("a sum");
    (shift, page.evaluate("return window.shifts.join('\\n')").await.as_str().unwrap_or_default().to_owned())
}

#[tokio::test]
async fn a_newcomer_sees_one_finding_and_gets_to_a_lesson() {
    play("first-screen", |stage| async move {
        let page = newcomer(&stage, 1440, 900).await;
        let seen = page.evaluate(SEEN).await;
        println!("seen: {seen}");
        assert!(seen["controls"].as_u64().is_some_and(|n| n > 5 && n <= CONTROLS), "{seen}");
        assert!(seen["words"].as_u64().is_some_and(|n| n > 30 && n <= WORDS), "{seen}");
        assert_eq!(seen["largest"], json!(["finding"]), "the finding is the largest text");
        let whole = "return document.querySelector('[data-testid=first-screen]').getBoundingClientRect().bottom <= innerHeight
            && document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.evaluate(whole).await, json!(true), "all of it is in sight");
        // how many stops the Tab key makes before the content
        let stops = "const panel = document.getElementById('panel');
            return [...document.querySelectorAll('button, a[href], input, select, textarea, summary, [tabindex]')].filter(e =>
                e.tabIndex >= 0 && !e.disabled && e.checkVisibility({ visibilityProperty: true })
                && e.compareDocumentPosition(panel) & Node.DOCUMENT_POSITION_FOLLOWING && !e.contains(panel)).length";
        let before = page.evaluate(stops).await.as_u64().expect("a count");
        assert!((3..=STOPS).contains(&before), "{before} stops before the content");

        // a lesson, and back
        page.press("first-learn").await;
        page.says("learn-title", "EASY backfilling").await;
        page.back().await;
        page.find("first-screen").await;
        // who asks for the comparison has left the first screen, also after the page is loaded again
        page.press("tab-compare").await;
        page.completed(4).await;
        page.says("conclusion", ".").await;
        page.press("tab-charts").await;
        page.until("charts belong to Compare", "return document.querySelector('#tab-compare').ariaSelected === 'true'
            && document.querySelector('#tab-charts').ariaSelected === 'true'").await;
        page.press("tab-table").await;
        page.reload().await;
        page.find("comparison-table").await;
        assert!(!page.has("first-screen").await);
    })
    .await;
}

#[tokio::test]
async fn the_settings_are_a_line_that_opens_and_stays_open() {
    play("settings-line", |stage| async move {
        let page = newcomer(&stage, 1440, 900).await;
        page.says("settings-lines", "2,000 jobs · 4 schedulers · 1 estimate").await;
        let is_open = "return document.querySelector('#settings').checkVisibility()";
        assert_eq!(page.evaluate(is_open).await, json!(false));
        page.press("settings-lines").await;
        assert_eq!(page.evaluate(is_open).await, json!(true));
        page.reload().await;
        page.until("the settings", is_open).await;
        page.press("settings-lines").await;
        page.reload().await;
        page.find("settings-lines").await;
        assert_eq!(page.evaluate(is_open).await, json!(false));
    })
    .await;
}

async fn nothing_moves(stage: Stage, width: u32, height: u32) {
    let page = newcomer(&stage, width, height).await;
    let (visit, what) = shift(&page).await;
    println!("{width} wide: {visit} on the visit\n{what}");
    for dark in [true, false] {
        page.appear(width, height, dark).await;
        page.picture(&format!("first-{width}-{}", if dark { "dark" } else { "light" })).await;
    }
    page.evaluate("window.shift = 0; window.shifts = []").await;
    page.drop_file(&logs::made(600)).await;
    page.says("log-name", "made-600").await;
    page.completed(4).await;
    let (dropped, of_drop) = shift(&page).await;
    page.picture(&format!("dropped-{width}")).await;
    println!("{width} wide: {dropped} after a drop\n{of_drop}");
    assert!(visit < SHIFT, "the page shifts by {visit} on a visit:\n{what}");
    assert!(dropped < SHIFT, "the page shifts by {dropped} after a drop:\n{of_drop}");
}

#[tokio::test]
async fn nothing_moves_on_a_visit_and_after_a_drop() {
    play("shift", |stage| nothing_moves(stage, 1440, 900)).await;
}

#[tokio::test]
async fn nothing_moves_on_a_phone() {
    play("shift-phone", |stage| nothing_moves(stage, 390, 844)).await;
}

#[tokio::test]
async fn the_settings_of_a_phone_are_a_line_that_opens() {
    play("settings-phone", |stage| async move {
        let page = newcomer(&stage, 390, 844).await;
        page.says("sheet-lines", "2,000 jobs · 4 schedulers · 1 estimate").await;
        let in_sight = "const box = document.querySelector('[data-testid=sheet-lines]').getBoundingClientRect();
            return box.bottom <= innerHeight && box.width > 200 && document.documentElement.scrollWidth <= innerWidth";
        assert_eq!(page.evaluate(in_sight).await, json!(true));
        let is_open = "return document.querySelector('#settings').checkVisibility()";
        assert_eq!(page.evaluate(is_open).await, json!(false));
        page.press("sheet-lines").await;
        page.until("the settings", is_open).await;
        page.says("sheet-lines", "Close").await;
        page.press("sheet-lines").await;
        page.says("sheet-lines", "2,000 jobs").await;
        assert_eq!(page.evaluate(is_open).await, json!(false));
    })
    .await;
}

#[tokio::test]
async fn the_chart_that_plays_steps_too_and_says_each_step() {
    play("first-step", |stage| async move {
        let page = newcomer(&stage, 1440, 900).await;
        let said = "document.querySelector('[data-testid=first-said]').textContent";
        let is_live = "return document.querySelector('[data-testid=first-said]').ariaLive";
        assert_eq!(page.evaluate(is_live).await, json!("polite"));
        page.until("that it plays", "return document.querySelector('[data-testid=first-play]').innerText === 'Pause'").await;
        assert_eq!(page.evaluate(&format!("return {said}")).await, json!(""), "what plays by itself interrupts nobody");
        page.press("first-step").await;
        page.says("first-play", "Play").await;
        let first = page.evaluate(&format!("return {said}")).await;
        let text = first.as_str().expect("a text");
        assert!(text.contains("FCFS: ") || text.contains("EASY"), "{text}");
        // by keyboard, forward and back
        let key = |name: &str| {
            format!("document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{name}', bubbles: true, cancelable: true }}))")
        };
        page.evaluate(&key("ArrowRight")).await;
        page.until("the next step", &format!("return {said} && {said} !== {first}")).await;
        page.evaluate(&key("ArrowLeft")).await;
        page.until("the step before", &format!("return {said} === {first}")).await;
        // after the last step it begins anew
        let steps = "const button = document.querySelector('[data-testid=first-step]');
            for (let i = 0; i < 60; i++) button.click(); return true";
        page.evaluate(steps).await;
        page.until("steps", &format!("return {said}.length > 5")).await;
    })
    .await;
}

#[tokio::test]
async fn what_is_dropped_on_a_lesson_shows_what_comes_of_it() {
    play("drop-on-lesson", |stage| async move {
        let page = newcomer(&stage, 1440, 900).await;
        page.press("first-learn").await;
        page.says("learn-title", "EASY backfilling").await;
        // what cannot be used leaves the lesson
        page.drop_file(&logs::binary()).await;
        page.says("log-error", "not a text file").await;
        page.says("learn-title", "EASY backfilling").await;
        page.drop_file(&logs::made(600)).await;
        page.says("log-name", "made-600").await;
        page.until("the comparison", "return document.querySelector('#tab-compare').ariaSelected === 'true'").await;
        page.completed(4).await;
        page.says("conclusion", ".").await;
    })
    .await;
}

#[tokio::test]
async fn where_no_motion_is_wanted_nothing_plays_by_itself() {
    play("first-still", |stage| async move {
        let page = stage.newcomer().await;
        let still = json!({ "features": [{ "name": "prefers-reduced-motion", "value": "reduce" }] });
        page.devtools("Emulation.setEmulatedMedia", still).await;
        page.goto(&stage.url().await).await;
        page.until("the finding and the chart", FOUND).await;
        page.says("first-play", "Play").await;
        let told = "return document.querySelector('[data-testid=learn-told]').textContent";
        let before = page.evaluate(told).await;
        tokio::time::sleep(std::time::Duration::from_secs(3)).await;
        assert_eq!(page.evaluate(told).await, before);
        page.press("first-play").await;
        page.until("the next step", &format!("{told} !== {before}")).await;
    })
    .await;
}
