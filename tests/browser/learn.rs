//! A newcomer and a lesson: the link that a teacher sends, steps by keyboard, the sentence of each, a changed job, and the
//! way to a real log.

use crate::stage::play;
use serde_json::json;

/// What is told to who cannot see the charts.
const SAID: &str = "document.querySelector('[data-testid=learn-said]').textContent";

/// Presses a key as on the page at large.
fn key(name: &str) -> String {
    format!(
        "document.body.dispatchEvent(new KeyboardEvent('keydown', {{ key: {}, bubbles: true, cancelable: true }}))",
        json!(name)
    )
}

#[tokio::test]
async fn a_newcomer_steps_through_a_lesson_and_changes_a_job() {
    play("learn", |stage| async move {
        let page = stage.page().await;
        page.press("tab-learn").await;
        page.says("learn-title", "Twelve jobs").await;
        assert!(page.fragment().await.contains("tab=learn"), "the tab is in the address");
        let charts = "return document.querySelectorAll('.learn-scheduler svg.learn-gantt').length === 3";
        page.until("three schedulers", charts).await;
        // a word of the glossary has a picture
        page.find("term-shadow-time").await;
        page.until("pictures", "return document.querySelectorAll('svg.learn-picture').length === 6").await;

        page.press("lesson-backfilling").await;
        page.says("learn-title", "EASY backfilling").await;
        page.until("the lesson in the address", "return location.hash.endsWith('learn=backfilling')").await;
        page.until("what happens at 8:15", &format!("return {SAID}.startsWith('8:15.')")).await;
        let said = page.evaluate(&format!("return {SAID}")).await;
        let said = said.as_str().expect("a text");
        assert!(said.contains("Job 4 arrives and is backfilled: it ends before the reservation of job 3 at 10:00."), "{said}");
        assert!(said.contains("nobody passes job 3"), "FCFS is told too: {said}");

        // steps by keyboard, forward and back, and play and pause
        page.evaluate(&key("ArrowRight")).await;
        page.until("the next step", &format!("return {SAID}.startsWith('8:30.')")).await;
        page.evaluate(&key("ArrowLeft")).await;
        page.until("the step before", &format!("return {SAID}.startsWith('8:15.')")).await;
        page.evaluate(&key(" ")).await;
        page.until("it plays", &format!("return !{SAID}.startsWith('8:15.')")).await;
        page.says("learn-play", "Pause").await;
        page.evaluate(&key(" ")).await;
        page.says("learn-play", "Play").await;
        page.press("learn-last").await;
        page.until("nobody waits", "return [...document.querySelectorAll('[data-testid=learn-waiting]')].every(e => e.textContent.includes('nobody'))").await;

        // a job is changed by a field, and the engine runs all again
        let means = "return [...document.querySelectorAll('[data-testid=learn-mean]')].map(e => e.textContent).join()";
        let before = page.evaluate(means).await;
        page.press("learn-job-3").await;
        page.says("learn-why", "It waited").await;
        let shorter = "const field = document.querySelector('[data-testid=learn-run]'); field.value = '60';
            field.dispatchEvent(new Event('change', { bubbles: true }));";
        page.evaluate(shorter).await;
        page.until("other waits", &format!("{means} !== {before}")).await;
        let limit = page.evaluate("return document.querySelector('[data-testid=learn-limit]').value").await;
        assert_eq!(limit, json!("60"), "the limit moves with the run time");
        page.press("learn-reset").await;
        page.until("as it was", &format!("{means} === {before}")).await;

        // by the pointer: the right edge of the picked job is dragged
        let drag = "const edge = document.querySelector('.learn-gantt [data-edge=length]');
            const box = edge.getBoundingClientRect(), y = box.top + box.height / 2, x = box.left + box.width / 2;
            const at = (type, x) => edge.dispatchEvent(new PointerEvent(type, { pointerId: 1, clientX: x, clientY: y, bubbles: true }));
            edge.closest('svg').setPointerCapture = () => {};
            at('pointerdown', x); document.querySelector('.learn-gantt').dispatchEvent(new PointerEvent('pointermove',
                { pointerId: 1, clientX: x + 150, clientY: y, bubbles: true }));";
        page.evaluate(drag).await;
        page.until("a longer job", "return +document.querySelector('[data-testid=learn-run]').value > 120").await;

        // back leads to what was there before the lesson
        page.back().await;
        page.says("learn-title", "Twelve jobs").await;
    })
    .await;
}

#[tokio::test]
async fn a_lesson_opens_by_the_link_of_a_teacher_and_leads_to_a_real_log() {
    play("learn-link", |stage| async move {
        let page = stage.browser().await;
        page.goto(&format!("{}#learn=estimates", stage.url().await)).await;
        page.says("learn-title", "What a wrong limit does").await;
        page.until("what happens then", &format!("return {SAID}.startsWith('9:15.')")).await;
        page.press("learn-compare").await;
        page.until(
            "the comparison",
            "return document.querySelector('[data-testid=tab-compare]').ariaSelected === 'true'",
        )
        .await;
        page.completed(4).await;
        let runs = page.table().await;
        assert!(runs.keys().any(|run| run.contains("conservative")), "{:?}", runs.keys().collect::<Vec<_>>());
        // help leads to the lessons as well
        page.press("tab-learn").await;
        page.evaluate(&key("?")).await;
        page.press("help-lesson-conservative").await;
        page.says("learn-title", "Conservative").await;
    })
    .await;
}
