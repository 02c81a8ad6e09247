//! What the page explains by itself: the sentence about the table, its words and its keys; and figures that are
//! exported.

use crate::logs;
use crate::stage::play;
use serde_json::json;

/// Presses the button with this text, within an element.
fn press_text(within: &str, text: &str) -> String {
    format!(
        "[...document.querySelectorAll('{within} button, {within} [role=menuitem]')]
            .find(button => button.textContent.trim() === '{text}').click()"
    )
}

#[tokio::test]
async fn a_sentence_answers_what_matters_and_marks_the_run_that_serves_it() {
    play("what-matters", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.says("conclusion", "without a price").await;
        page.evaluate(&press_text(".conclusion", "Packing")).await;
        page.says("conclusion", "or packing").await;
        let marked = "return document.querySelector('[data-testid=row][aria-selected=true]')?.dataset.run ?? ''";
        let run = page.evaluate(marked).await;
        let best = "return [...document.querySelectorAll('[data-testid=row]')]
            .filter(row => row.dataset.run.endsWith('__requested'))
            .map(row => [Number(row.querySelector('[data-metric=AWF]').dataset.value), row.dataset.run])
            .sort((a, b) => a[0] - b[0])[0][1]";
        assert_eq!(run, page.evaluate(best).await, "who packs best without knowing run times is marked");
        let sorted = "return document.querySelector('th[data-column=AWF]').getAttribute('aria-sort')";
        assert_eq!(page.evaluate(sorted).await, json!("ascending"));
        page.reload().await;
        page.completed(4).await;
        page.says("conclusion", "or packing").await;
    })
    .await;
}

#[tokio::test]
async fn a_question_mark_shows_words_and_keys_but_not_in_a_field() {
    play("words-and-keys", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("tab-jobs").await;
        page.until("the search", "return !!document.querySelector('.jobs-search input')").await;
        page.evaluate("document.querySelector('.jobs-search input').focus()").await;
        page.keys("?").await;
        assert!(!page.has("glossary").await, "in a field it is text");
        page.evaluate("document.activeElement.blur()").await;
        page.keys("?").await;
        page.says("glossary", "P²SF").await;
    })
    .await;
}

#[tokio::test]
async fn a_press_on_a_box_of_the_gantt_chart_picks_its_job() {
    play("gantt-pick", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(1_500)).await;
        page.opened("made-1500").await;
        page.run_pending().await;
        page.completed(4).await;
        page.press("tab-jobs").await;
        page.press("gantt-busiest").await;
        page.until("boxes", "return document.querySelectorAll('.gantt svg [data-series] rect').length > 3").await;
        page.find("gantt-key").await;
        // presses the middle of the largest box, with the events of a real pointer
        page.evaluate(
            "const boxes = [...document.querySelectorAll('.gantt svg [data-series] rect')].map(r => r.getBoundingClientRect());
             const plot = document.querySelector('.gantt .chart-stage').getBoundingClientRect();
             const inside = boxes.map(b => ({ x: (Math.max(b.left, plot.left + 80) + Math.min(b.right, plot.right - 40)) / 2,
                 y: (b.top + b.bottom) / 2, size: b.width * b.height }));
             const at = inside.sort((a, b) => b.size - a.size)[0];
             const event = kind => new PointerEvent(kind, { clientX: at.x, clientY: at.y, bubbles: true, button: 0, pointerId: 1 });
             const stage = document.querySelector('.gantt .chart-stage');
             stage.setPointerCapture = () => {};
             for (const kind of ['pointermove', 'pointerdown', 'pointerup']) stage.dispatchEvent(event(kind));",
        )
        .await;
        page.until("the picked job", "return /^Job \\d+$/m.test(document.querySelector('[data-testid=job-detail]').innerText)").await;
        page.says("why", "ait").await;
        let shown = "return document.querySelector('.gantt-date input').value";
        let before = page.evaluate(shown).await;
        page.evaluate("document.querySelector('.gantt .chart-stage').focus()").await;
        page.keys("d").await;
        page.until("a later window", &format!("return document.querySelector('.gantt-date input').value !== {before}")).await;
    })
    .await;
}

#[tokio::test]
async fn a_figure_is_saved_for_a_paper() {
    play("paper-figure", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.until("the charts", "return document.querySelectorAll('[data-testid=chart-cwa] svg').length === 1").await;
        page.evaluate(
            "window.saved = [];
             const contents = new Map(), make = URL.createObjectURL;
             URL.createObjectURL = blob => { const url = make.call(URL, blob); contents.set(url, blob); return url; };
             HTMLElement.prototype.click = new Proxy(HTMLElement.prototype.click, { apply(click, element) {
                 if (!element.download) return Reflect.apply(click, element, []);
                 contents.get(element.href).text().then(text => saved.push([element.download, text]));
             } });
             document.querySelector('[data-testid=chart-cwa] .chart-more').click();",
        )
        .await;
        page.until("the menu", "return document.querySelectorAll('[role=menuitem]').length > 3").await;
        page.evaluate(&press_text("[data-testid=chart-cwa]", "Figure for a paper…")).await;
        page.until("a preview", "return document.querySelectorAll('.printing-preview svg').length === 1").await;
        page.evaluate(&press_text(".printing", "Save PDF")).await;
        page.until("a PDF", "return saved.length === 1").await;
        page.evaluate(&press_text(".printing", "Save SVG")).await;
        page.until("an SVG", "return saved.length === 2").await;
        // another chart as a second panel of the same file
        page.evaluate(
            "const panels = document.querySelector('.printing-panels'); panels.open = true;
             [...panels.querySelectorAll('label')].find(label => label.textContent.startsWith('Queue'))
                 .querySelector('input').click();",
        )
        .await;
        page.until(
            "two panels",
            "return document.querySelectorAll('.printing-preview > svg > svg').length === 2
                && document.querySelector('.printing-preview > svg').textContent.includes('(b)')",
        )
        .await;
        page.evaluate(&press_text(".printing", "Save PDF")).await;
        page.until("a PDF of both", "return saved.length === 3").await;
        page.evaluate("saved.length = 2").await;
        let saved = page
            .evaluate("return saved.map(([name, text]) => [name, text.slice(0, 5), text.includes('justbf')])")
            .await;
        assert_eq!(
            saved,
            json!([
                ["packfair-Lublin-Feitelson--seed-1-cwa.pdf", "%PDF-", true],
                ["packfair-Lublin-Feitelson--seed-1-cwa.svg", "<svg ", true]
            ])
        );
    })
    .await;
}
