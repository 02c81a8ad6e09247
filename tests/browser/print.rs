//! On paper: the answer and the tables are whole, and what only a screen needs is left out.

use crate::links::{link_of, shown};
use crate::logs;
use crate::page::Page;
use crate::stage::play;
use base64::Engine;
use serde_json::{Value, json};
use std::path::Path;

/// The width of a sheet of A4 between its margins, CSS pixels.
const SHEET: u32 = 718;

/// What does not fit on paper, or does not belong there.
const WRONG: &str = r#"
    const seen = [...document.querySelectorAll("body *")].filter(e => e.checkVisibility({ visibilityProperty: true })
        && !e.closest(".visually-hidden, svg svg, [popover]"));
    const box = e => e.getBoundingClientRect();
    const name = e => `${e.tagName.toLowerCase()}.${e.getAttribute("class") ?? ""} ${e.textContent.trim().slice(0, 30)}`;
    const beyond = seen.filter(e => box(e).width > 0 && box(e).right > innerWidth + 1).map(name);
    const cut = seen.filter(e => e instanceof HTMLElement && e.clientWidth > 2 && getComputedStyle(e).overflowX !== "visible"
        && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 1)).map(name);
    const controls = seen.filter(e => e.matches(".button:not(.log-button), .segment, .chart-tool, input, select, progress, .tab")
        && box(e).height > 1 && !(e.matches("select") && getComputedStyle(e).borderStyle === "none")).map(name);
    const some = all => all.slice(0, 8);
    return { beyond: some(beyond), cut: some(cut), controls: some(controls) };"#;

/// Looks at the page as it is printed, and keeps it as a PDF beside the pictures.
pub async fn on_paper(page: &Page, name: &str) -> Value {
    let size = json!({ "width": SHEET, "height": 1_000, "deviceScaleFactor": 1, "mobile": false });
    page.devtools("Emulation.setDeviceMetricsOverride", size).await;
    page.devtools("Emulation.setEmulatedMedia", json!({ "media": "print" })).await;
    // charts follow the width in a frame of their own
    tokio::time::sleep(std::time::Duration::from_millis(500)).await;
    let wrong = page.evaluate(WRONG).await;
    let pdf = page
        .devtools("Page.printToPDF", json!({ "printBackground": true, "paperWidth": 8.27, "paperHeight": 11.69 }))
        .await;
    let pdf = base64::engine::general_purpose::STANDARD.decode(pdf["data"].as_str().expect("a PDF")).expect("base 64");
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
    std::fs::create_dir_all(&folder).expect("target/ can be written to");
    std::fs::write(folder.join(format!("{name}.pdf")), pdf).expect("target/ can be written to");
    wrong
}

/// What [`on_paper`] comes to where all is well.
pub fn nothing_wrong() -> Value {
    json!({ "beyond": [], "cut": [], "controls": [] })
}

#[tokio::test]
async fn the_comparison_is_whole_on_paper() {
    play("print", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.says("log-name", "made-600").await;
        page.completed(4).await;
        page.says("conclusion", ".").await;
        page.until(
            "charts",
            "return document.querySelectorAll('[data-testid=overview] svg g[data-series]').length > 3",
        )
        .await;
        let wrong = on_paper(&page, "print-compare").await;
        assert_eq!(wrong, nothing_wrong());
        let heads = "return document.querySelectorAll('.comparison thead th').length
            - [...document.querySelectorAll('.comparison thead th')].filter(e => e.checkVisibility()).length";
        assert!(
            page.evaluate(heads).await.as_u64().is_some_and(|hidden| hidden <= 2),
            "only the columns of menus and of what runs are left out"
        );
        let mut wrong = Vec::new();
        for tab in ["charts", "jobs", "waits", "workload", "estimates", "explore", "learn"] {
            // on paper there are no tabs to press
            page.evaluate(&format!("document.getElementById('tab-{tab}').click()")).await;
            page.until("the tab to settle", "return document.querySelectorAll('[aria-busy=true]').length === 0").await;
            let found = on_paper(&page, &format!("print-{tab}")).await;
            if found != nothing_wrong() {
                wrong.push((tab, found));
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    })
    .await;
}

#[tokio::test]
async fn a_long_table_is_whole_on_paper_and_short_again_on_the_screen() {
    play("print-long", |stage| async move {
        let page = stage.browser().await;
        page.goto(&format!("{}#{}", stage.url().await, link_of(400, 0))).await;
        shown(&page, "400").await;
        let rows = r#"return document.querySelectorAll('[data-testid="row"]').length"#;
        assert!(page.evaluate(rows).await.as_u64() < Some(150));
        page.evaluate("dispatchEvent(new Event('beforeprint'))").await;
        page.until("all rows", r#"return document.querySelectorAll('[data-testid="row"]').length === 400"#).await;
        assert_eq!(on_paper(&page, "print-long").await, nothing_wrong());
        page.evaluate("dispatchEvent(new Event('afterprint'))").await;
        page.until("few rows", r#"return document.querySelectorAll('[data-testid="row"]').length < 150"#).await;
    })
    .await;
}
