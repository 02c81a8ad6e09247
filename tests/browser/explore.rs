//! The search for settings that no others beat.

use crate::logs;
use crate::page::Page;
use crate::stage::{Stage, play};
use packfair::address::{PagePlace, Tab};
use packfair::explore::{ExploreLink, ExploreQuestion, SearchedLog};
use packfair::metric::{Counted, Metric};
use packfair::study::Study;

/// The fields of the question.
const FIELDS: &str = ".explore-fields .field";

#[tokio::test]
async fn settings_that_nothing_beats_become_rows() {
    play("explore", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.opened("made-600").await;
        page.press("tab-explore").await;
        let wrong = page.enter(FIELDS, "Keep", "max_wait<2d").await;
        assert!(wrong.contains("looks like max_wait<=2d"), "{wrong}");
        assert_eq!(page.enter(FIELDS, "Keep", "max_wait<=5000d, loss(width)<=1000%").await, "");
        assert_eq!(page.enter(FIELDS, "Runs", "60").await, "");
        page.press("explore-start").await;
        let ended = r#"return document.querySelector('[data-testid="explore-progress"]')?.dataset.value === "60"
            && document.querySelector('[data-testid="explore-said"]')?.textContent.includes("60 settings were tried");"#;
        page.until("60 settings tried, and what came out in words", ended).await;
        let front = r#"return document.querySelectorAll('[data-testid="explore-line"]').length;"#;
        let lines = page.evaluate(front).await.as_u64().expect("a number");
        assert!(lines > 0);
        // the answer is above all else, and settings that are better on both parts come first
        let answer = r#"const [answer, picture] = ["explore-answer", "explore-scatter"].map(id =>
                document.querySelector(`[data-testid="${id}"]`));
            const order = [...document.querySelectorAll('[data-testid="explore-line"]')].map(line => line.dataset.better);
            return /^(Take|Nothing|Stay)/.test(answer.innerText)
                && answer.getBoundingClientRect().top < picture.getBoundingClientRect().top
                && order.join() === [...order].sort().reverse().join();"#;
        page.until("the answer first", answer).await;
        page.until(
            "axes as changes to the baseline",
            r#"return document.querySelectorAll('[data-testid="explore-scatter"] text').length > 4
                && document.querySelector('[data-testid="explore-scatter"]').textContent.includes("change to the baseline")"#,
        )
        .await;
        // what a group loses is a column: nothing under the baseline itself, and within the bound
        let losses = r#"const table = document.querySelector('[data-testid="explore-front"]');
            const at = [...table.querySelectorAll("thead th")].findIndex(th => th.innerText.startsWith("Loss by width"));
            const of = row => parseFloat(row.children[at].innerText.replaceAll("\u00a0", ""));
            const [baseline, ...others] = [...table.querySelectorAll("tbody tr")].map(of);
            return at > 0 && baseline === 0 && others.length > 0 && others.every(loss => loss >= 0 && loss <= 1000);"#;
        page.until("losses by width", losses).await;
        // a heading sorts
        let sorted = r#"document.querySelector('[data-testid="explore-front"] .plain-heading').click();
            return new Promise(done => setTimeout(() => done(
                document.querySelectorAll('[data-testid="explore-front"] [aria-sort="ascending"]').length), 200))"#;
        assert_eq!(page.evaluate(sorted).await, 1);

        // going to other tabs does not change the search
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

/// Waits until `runs` settings were tried and the result is shown.
async fn ended(page: &crate::page::Page, runs: usize) {
    let ended = format!(
        r#"return document.querySelector('[data-testid="explore-progress"]')?.dataset.value === "{runs}"
            && document.querySelector('[data-testid="explore-said"]')?.textContent.includes("{runs} settings were tried");"#
    );
    page.until("all settings tried, and what came out in words", &ended).await;
}

/// The front as the table shows it.
const FRONT: &str =
    r#"return [...document.querySelectorAll('[data-testid="explore-front"] tr')].map(row => row.textContent);"#;

#[tokio::test]
async fn what_was_found_travels_in_a_link_and_survives_a_reload() {
    play("explore-link", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.opened("made-600").await;
        page.press("tab-explore").await;
        assert_eq!(page.enter(FIELDS, "Runs", "70").await, "");
        page.press("explore-start").await;
        // cancels the search if it still goes on, and then continues it
        let stop = r#"const cancel = document.querySelector('[data-testid="explore-cancel"]'); cancel?.click();
            return cancel !== null;"#;
        if page.evaluate(stop).await == true {
            page.press("explore-go-on").await;
        }
        ended(&page, 70).await;
        let front = page.evaluate(FRONT).await;
        let text = page.evaluate(r#"return sessionStorage.getItem("packfair.explore");"#).await;
        let text: String = serde_json::from_str(text.as_str().expect("it is kept")).expect("a text");

        page.reload().await;
        page.press("tab-explore").await;
        page.says("explore-opened", "That is the log that is open here.").await;
        assert_eq!(page.evaluate(FRONT).await, front);

        // another user opens the link, without having the log
        let other = stage.browser().await;
        other.goto(&format!("{}#tab=explore&explore={text}", stage.url().await)).await;
        other.says("explore-opened", "on made-600").await;
        other.says("explore-opened", "Another log is open here").await;
        assert_eq!(other.evaluate(FRONT).await, front);
        let cut = &text[..text.len() - 9];
        let third = stage.browser().await;
        third.goto(&format!("{}#tab=explore&explore={cut}", stage.url().await)).await;
        third.says("explore-fault", "could not be opened").await;
    })
    .await;
}

/// Opens a question about the log that is open, as somebody else has made a link to it.
async fn follow(stage: &Stage, page: &Page, question: ExploreQuestion, treat: impl Fn(&mut Study)) {
    let is_named = "const name = document.querySelector('[data-testid=log-name]').innerText;
        return location.hash.includes(name.split('.')[0]);";
    page.until("the address to name the log", is_named).await;
    let fragment = page.evaluate("return location.hash;").await;
    let source = PagePlace::parse(fragment.as_str().expect("an address")).log.expect("a log");
    let mut study = Study::on(source.clone());
    treat(&mut study);
    let link = ExploreLink::asking(question, SearchedLog::of(&study)).to_text().expect("a link");
    let place = PagePlace { log: Some(source), view: Some(Tab::Explore), ..PagePlace::default() };
    page.goto(&format!("{}#{}&explore={link}", stage.url().await, place.fragment())).await;
    let is_read = "return document.querySelector('.log-facts')?.innerText.includes('processors');";
    page.until("the log to be read", is_read).await;
}

#[tokio::test]
async fn a_question_carries_how_the_log_is_treated() {
    play("explore-question", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.opened("made-600").await;
        let question = ExploreQuestion { runs: 57, ..ExploreQuestion::default() };
        follow(&stage, &page, question, |study| {
            study.measure.counted = Counted::All;
            study.what_ifs = vec!["nodes=+8".parse().expect("it is one")];
        })
        .await;
        page.until(
            "a notice that the log is treated so",
            r#"return document.body.innerText.includes("treated and measured as in the link");"#,
        )
        .await;
        page.press("explore-start").await;
        ended(&page, 57).await;
        page.until(
            "what is found on the larger machine",
            r#"return document.querySelector('[data-testid="explore-machines"] table') !== null;"#,
        )
        .await;
        page.reload().await;
        page.press("tab-explore").await;
        page.says("explore-opened", "That is the log that is open here.").await;
    })
    .await;
}

#[tokio::test]
async fn what_is_recommended_is_searched_again_in_the_background() {
    play("explore-again", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::surely_better()).await;
        page.opened("surely-better").await;
        let question = ExploreQuestion { runs: 40, minimise: vec![Metric::Bsld], ..ExploreQuestion::default() };
        follow(&stage, &page, question, |_| {}).await;
        page.press("explore-start").await;
        page.says("explore-answer", "Take ").await;
        // the answer stands while it goes on; it can be stopped, and goes on where it was
        let begun = r#"const cancel = document.querySelector('[data-testid="explore-cancel"]');
            const again = document.querySelector('[data-testid="explore-again"]');
            const is_over = document.querySelector('[data-testid="explore-answer"]').innerText.includes("Of 20 searches");
            if (again?.dataset.value > 0) cancel.click();
            return is_over || again?.dataset.value > 0;"#;
        page.until("a search on a drawn workload", begun).await;
        page.says("explore-answer", "on workloads drawn from the log").await;
        page.evaluate(r#"document.querySelector('[data-testid="explore-go-on"]')?.click();"#).await;
        page.says("explore-answer", "Of 20 searches on workloads drawn from the log").await;
        let is_gone = r#"return document.querySelector('[data-testid="explore-again"]') === null;"#;
        page.until("it has ended", is_gone).await;
        let has_no_colour =
            r#"return document.querySelector('[data-testid="explore-front"] [style*="color"]') === null;"#;
        page.until("no colour on values by which settings were chosen and selected", has_no_colour).await;
        page.reload().await;
        page.press("tab-explore").await;
        page.says("explore-answer", "Of 20 searches on workloads drawn from the log").await;
    })
    .await;
}

#[tokio::test]
async fn a_search_that_is_too_long_for_a_tab_comes_with_a_command() {
    play("explore-too-long", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&logs::made(30_000)).await;
        page.opened("made-30000").await;
        page.run_pending().await;
        page.completed(4).await;
        page.press("tab-explore").await;
        assert!(!page.has("explore-too-long").await);
        assert_eq!(page.enter(FIELDS, "Runs", "100000").await, "");
        assert!(!page.has("explore-too-long").await, "nothing is measured before a search runs");
        page.press("explore-start").await;
        page.says("explore-too-long", "packfair explore made-30000.swf --minimise BSLD,AWF,P2SF --runs 100000").await;
        page.press("explore-cancel").await;
        let is_gone = r#"return document.querySelector('[data-testid="explore-too-long"]') === null"#;
        page.until("no such note", is_gone).await;
    })
    .await;
}
