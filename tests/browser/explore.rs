//! Looking for settings that nothing beats.

use crate::logs;
use crate::stage::play;

/// The fields of the question.
const FIELDS: &str = ".explore-fields .field";

#[tokio::test]
async fn settings_that_nothing_beats_become_rows() {
    play("explore", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.says("log-name", "made-600").await;
        page.press("tab-explore").await;
        let wrong = page.enter(FIELDS, "Keep", "max_wait<2d").await;
        assert!(wrong.contains("should look like max_wait<=2d"), "{wrong}");
        assert_eq!(page.enter(FIELDS, "Keep", "max_wait<=5000d").await, "");
        assert_eq!(page.enter(FIELDS, "Runs", "60").await, "");
        page.press("explore-start").await;
        let ended = r#"return document.querySelector('[data-testid="explore-progress"]')?.dataset.value === "60"
            && document.querySelector('[data-testid="explore-said"]')?.textContent.includes("60 settings were tried");"#;
        page.until("60 settings tried, and what came out in words", ended).await;
        let front = r#"return document.querySelectorAll('[data-testid="explore-line"]').length;"#;
        let lines = page.evaluate(front).await.as_u64().expect("a number");
        assert!(lines > 0);

        // other tabs leave it as it is
        page.press("tab-compare").await;
        let rows = page.table().await.len();
        page.press("tab-explore").await;
        assert_eq!(page.evaluate(front).await.as_u64(), Some(lines));

        // the first on the front that the comparison does not have yet, by a press on its point
        let press = r#"const points = document.querySelectorAll('[data-testid="explore-point"]');
            const point = points[points.length - 1];
            point.scrollIntoView({ block: "center" });
            const box = point.getBoundingClientRect();
            point.dispatchEvent(new MouseEvent("click", {
                bubbles: true, clientX: box.left + box.width / 2, clientY: box.top + box.height / 2 }));"#;
        page.evaluate(press).await;
        page.press("explore-take").await;
        page.press("tab-compare").await;
        let more = format!("return document.querySelectorAll('tr[data-run]').length > {rows};");
        page.until("a new row of the comparison", &more).await;

        // the same question comes back after a reload
        page.reload().await;
        page.press("tab-explore").await;
        let asked = r#"const fields = [...document.querySelectorAll('.explore-fields .field')];
            return fields.some(field => field.querySelector('input')?.value === "60");"#;
        page.until("the question of before", asked).await;
    })
    .await;
}
