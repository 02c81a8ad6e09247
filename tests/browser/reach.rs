//! Accessibility: the page without a mouse, with a screen reader, small, large, light and dark.

use crate::stage::play;
use fantoccini::key::Key;
use serde_json::json;
use std::collections::BTreeSet;

/// Widths, heights and themes of which pictures are saved.
const LOOKS: &[(&str, u32, u32, bool)] = &[
    ("1440-light", 1440, 900, false),
    ("1440-dark", 1440, 900, true),
    ("390-light", 390, 844, false),
    ("390-dark", 390, 844, true),
];

const TABS: &[&str] = &["compare", "charts", "workload", "jobs", "estimates"];

#[tokio::test]
async fn everything_is_reached_by_keyboard_and_shows_its_focus() {
    play("keyboard", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let tab = String::from(char::from(Key::Tab));
        let mut reached = BTreeSet::new();
        for _ in 0..120 {
            page.keys(&tab).await;
            let focus = page
                .evaluate(
                    r#"const e = document.activeElement;
                       if (e === document.body) return null;
                       const marked = s => s.outlineStyle !== "none" && s.outlineWidth !== "0px" || s.boxShadow !== "none";
                       // a row of a table shows its focus by its cells
                       const seen = [e, ...e.children].some(part => marked(getComputedStyle(part)));
                       return { id: e.dataset.testid ?? "", what: e.outerHTML.slice(0, 200), seen };"#,
                )
                .await;
            if focus.is_null() {
                break;
            }
            assert_eq!(focus["seen"], true, "the focus is not to be seen on {}", focus["what"]);
            reached.insert(focus["id"].as_str().unwrap_or("").to_owned());
        }
        for id in ["drop-zone", "recipes", "share", "export", "theme", "tab-compare"] {
            assert!(reached.contains(id), "{id} is not reached with Tab; reached: {reached:?}");
        }

        // a recipe can be chosen from the dialog with keys alone
        page.evaluate(r#"document.querySelector('[data-testid="recipes"]').focus()"#).await;
        page.keys(&String::from(char::from(Key::Enter))).await;
        page.find("recipe-metrics-fig-3").await;
        page.until("the focus in the search", "return document.activeElement.dataset.testid === 'recipes-search'").await;
        page.keys("metrics fig. 3").await;
        page.keys(&String::from(char::from(Key::Down))).await;
        page.until("the focus on it", "return document.activeElement.dataset.testid === 'recipe-metrics-fig-3'").await;
        page.keys(&String::from(char::from(Key::Enter))).await;
        page.run_pending().await;
        page.completed(4).await;
    })
    .await;
}

#[tokio::test]
async fn everything_has_a_name_for_a_screen_reader() {
    play("names", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        for tab in TABS {
            page.press(&format!("tab-{tab}")).await;
            page.until("the tab to settle", "return document.querySelectorAll('[aria-busy=true]').length === 0").await;
            let nameless = r#"
                const named = e => (e.getAttribute("aria-label") ?? "").trim() || e.getAttribute("aria-labelledby")
                    || e.title || e.labels?.length || (e.tagName !== "INPUT" && e.tagName !== "SELECT" && e.textContent.trim());
                return [...document.querySelectorAll("button, a[href], input, select, textarea, [role=img], [role=button], [role=tab]")]
                    .filter(e => !e.closest("[hidden]") && !named(e)).map(e => e.outerHTML.slice(0, 200));"#;
            assert_eq!(page.evaluate(nameless).await, json!([]), "without a name, on {tab}");
            // names from the code must not appear as texts
            let names_of_code = r#"
                const words = [...document.querySelectorAll("[aria-label]")].map(e => e.getAttribute("aria-label"));
                const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
                while (texts.nextNode()) {
                    const of = texts.currentNode.parentElement;
                    if (of.closest("button, label, legend, h1, h2, h3")) words.push(texts.currentNode.data);
                }
                // names of programs, and of limits as Slurm has them
                const known = ["JustBF", "LaTeX", "MaxTime", "MaxNodes", "MaxWall", "MaxSubmit"];
                return words.flatMap(text => text.match(/\b[A-Z][a-z]+[A-Z][a-z]+\w*/g) ?? []).filter(word => !known.includes(word));"#;
            assert_eq!(page.evaluate(names_of_code).await, json!([]), "on {tab}");
            let twice = r#"
                const ids = [...document.querySelectorAll("[id]")].map(e => e.id);
                return ids.filter((id, i) => ids.indexOf(id) !== i);"#;
            assert_eq!(page.evaluate(twice).await, json!([]), "ids given twice, on {tab}");
        }
    })
    .await;
}

#[tokio::test]
async fn it_fits_desks_and_phones_in_light_and_dark() {
    play("looks", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        for &(look, width, height, dark) in LOOKS {
            page.appear(width, height, dark).await;
            for tab in TABS {
                page.press(&format!("tab-{tab}")).await;
                page.until("the tab to settle", "return document.querySelectorAll('[aria-busy=true]').length === 0")
                    .await;
                page.picture(&format!("{tab}-{look}")).await;
                let wide = page.evaluate("return document.documentElement.scrollWidth").await;
                assert!(
                    wide.as_u64() <= Some(width.into()),
                    "{tab} at {look} is {wide} pixels wide, and scrolls sideways"
                );
            }
        }
    })
    .await;
}

#[tokio::test]
async fn the_theme_that_was_chosen_stays() {
    play("theme", |stage| async move {
        let page = stage.page().await;
        let theme = "return document.documentElement.dataset.theme ?? ''";
        while page.evaluate(theme).await != json!("dark") {
            page.press("theme").await;
        }
        page.reload().await;
        page.until("the theme to be dark again", "return document.documentElement.dataset.theme === 'dark'").await;
    })
    .await;
}
