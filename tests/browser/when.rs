//! When the waiting jobs of a moment start: from a log alone, from a queue dropped beside it, and from a link.

use crate::logs;
use crate::page::Page;
use crate::slurm::at_site;
use crate::stage::play;
use serde_json::json;

/// How many waiting jobs are listed.
const ROWS: &str = "return document.querySelectorAll('[data-testid=when-row]').length";

/// Waits until all futures are drawn and the weeks before are tried: then the machine's next days are told.
const IS_TOLD: &str = "return document.querySelector('[data-testid=when-machine]') !== null
    && document.querySelector('[data-testid=when-cancel]') === null";

/// A log of sacct of a cluster with eight processors that was too busy, and the queue of its last moment.
fn cluster() -> (String, String) {
    let at = |second: i64| {
        let (day, rest) = (second / 86_400, second % 86_400);
        format!("2026-01-{:02}T{:02}:{:02}:{:02}", 1 + day, rest / 3_600, rest / 60 % 60, rest % 60)
    };
    let mut log = "JobIDRaw|User|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n".to_owned();
    let (mut free, mut number) = ([0_i64; 8], 0_i64);
    let now = 20 * 86_400;
    let mut waiting = Vec::new();
    loop {
        number += 1;
        let submit = number * 1_150 + number * number * 7 % 900;
        if submit > now {
            break;
        }
        let (width, limit) = ([1, 2, 4, 2][number as usize % 4], [60, 120, 240, 30][number as usize % 4]);
        let run = limit * 60 * (2 + number * 13 % 7) / 9;
        free.sort_unstable();
        let start = submit.max(free[width - 1]);
        free[..width].fill(start + run);
        let user = ["ann", "bob", "cyd"][number as usize % 3];
        let zero = 1_767_225_600;
        if start + run <= now {
            let line = format!("{number}|{user}|main|{}|{}|{run}|{limit}|{width}|COMPLETED\n", at(submit), at(start));
            log.push_str(&line);
        } else {
            let (state, start) = if start <= now { ("RUNNING", start + zero) } else { ("PENDING", 0) };
            waiting.push(json!({ "job_id": number, "submit_time": submit + zero, "start_time": start, "time_limit": limit,
                "cpus": width, "node_count": 1, "user_name": user, "partition": "main", "name": "sim", "account": "phys",
                "job_state": state, "state_reason": "Priority", "priority": 100 }));
        }
    }
    let zero = 1_767_225_600;
    let last = |id: i64, cpus: i64| {
        json!({ "job_id": id, "submit_time": now - 60 + zero, "start_time": 0, "time_limit": 60, "cpus": cpus, "node_count": 1,
            "user_name": "zoe", "partition": "main", "name": "new", "account": "phys", "job_state": "PENDING",
            "state_reason": "Resources", "priority": 1 })
    };
    waiting.extend([last(77_001, 4), last(77_002, 5_000)]);
    (log, json!({ "last_update": { "set": true, "number": now + zero }, "jobs": waiting }).to_string())
}

#[tokio::test]
async fn a_moment_of_any_log_tells_when_its_waiting_jobs_start() {
    play("when", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(600)).await;
        page.says("log-name", "made-600").await;
        page.press("tab-when").await;
        page.says("when-said", "wait").await;
        page.until("all that is told", IS_TOLD).await;
        page.says("when-test", "of").await;
        let rows = page.evaluate(ROWS).await.as_u64().expect("a number");
        assert!(rows > 0, "somebody waits at the usual moment");
        // the same again at once when the user returns
        page.press("tab-compare").await;
        page.press("tab-when").await;
        assert_eq!(page.evaluate(ROWS).await.as_u64(), Some(rows));
        // one job: its chances, who is before it, what would help
        page.evaluate("[...document.querySelectorAll('[data-testid=when-row] button')].at(-1).click()").await;
        page.says("when-one-said", "with a chance of 80").await;
        page.until("what would help", "return document.querySelectorAll('[data-testid=when-help]').length > 0").await;
        page.find("chart-start-chances").await;
        page.says("when-before", "").await;
        page.press("when-close").await;
        page.until("the list alone", "return document.querySelector('[data-testid=when-one]') === null").await;
        // another moment, and one that makes no sense
        let type_moment = |text: &str| {
            format!(
                "const field = document.querySelector('[data-testid=when-moment]'); field.value = {};
                 field.dispatchEvent(new Event('change', {{ bubbles: true }}));",
                json!(text)
            )
        };
        page.evaluate(&type_moment("tomorrow")).await;
        page.says("when-fault", "the moment takes").await;
        page.evaluate(&type_moment("1999-12-31T00:00")).await;
        page.says("when-fault", "nobody had submitted a job by then").await;
        page.evaluate(&type_moment("2000-01-02T12:00")).await;
        page.until("no fault", "return document.querySelector('[data-testid=when-fault]').textContent === ''").await;
        page.says("when-said", "2000-01-02 12:00").await;
    })
    .await;
}

#[tokio::test]
async fn nodes_of_a_site_are_drained_as_a_question() {
    play("when-drained", |stage| async move {
        let page = at_site(&stage).await;
        page.press("tab-when").await;
        let enter = |id: &str, text: &str| {
            format!(
                "const field = document.querySelector('[data-testid={id}]'); field.value = {};
                 field.dispatchEvent(new Event('change', {{ bubbles: true }}));",
                json!(text)
            )
        };
        // few wait at that moment
        page.find("when-drain").await;
        page.evaluate(&enter("when-moment", "2026-11-24T18:06:30")).await;
        page.evaluate(&enter("when-drain", "x")).await;
        page.says("when-fault", "the drain").await;
        page.evaluate(&enter("when-drain", "4@2026-11-24T18:30/2026-11-24T19:30")).await;
        page.until("no fault", "return document.querySelector('[data-testid=when-fault]').textContent === ''").await;
        page.says("when-view", "(4 of 16 nodes) drained from").await;
        for (width, height) in [(1440, 900), (390, 844)] {
            for is_dark in [false, true] {
                page.appear(width, height, is_dark).await;
                page.picture(&format!("when-drained-{width}-{}", if is_dark { "dark" } else { "light" })).await;
            }
        }
    })
    .await;
}

/// Drops what [`cluster`] makes, both files at once.
async fn drop_cluster(page: &Page) {
    let (log, queue) = cluster();
    let drop = format!(
        "const data = new DataTransfer(); data.items.add(new File([{}], 'sacct.txt'));
         data.items.add(new File([{}], 'squeue.json'));
         document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
        json!(log),
        json!(queue)
    );
    page.evaluate(&drop).await;
    page.says("log-name", "sacct.txt").await;
}

#[tokio::test]
async fn a_queue_beside_its_log_is_forecast_and_a_link_carries_the_answer_alone() {
    play("when-queue", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        drop_cluster(&page).await;
        page.says("when-said", "At 2026-01-21 00:00").await;
        page.until("all that is told", IS_TOLD).await;
        page.says("when-jobs", "can never start").await;
        // the search finds a job by its user
        let search = "const field = document.querySelector('[data-testid=when-search]'); field.value = 'zoe';
            field.dispatchEvent(new Event('input', { bubbles: true }));";
        page.evaluate(search).await;
        page.until("two jobs", &format!("{ROWS} === 2")).await;
        page.evaluate("document.querySelector('[data-testid=when-row][data-job=\"77001\"] button').click()").await;
        page.until("what would help", "return document.querySelectorAll('[data-testid=when-help]').length > 0").await;
        page.says("when-one", "half the time limit").await;
        page.says("when-one", "tonight").await;
        // a link with this answer alone, opened by somebody without the log
        let copied = "window.linked = null; navigator.clipboard.writeText = async text => { window.linked = text; };
            document.querySelector('.when-one-head button').click();";
        page.evaluate(copied).await;
        page.until("a link", "return window.linked !== null").await;
        let link = page.evaluate("return window.linked").await.as_str().expect("a text").to_owned();
        let other = stage.browser().await;
        other.goto(&link).await;
        other.says("when-link", "sacct.txt").await;
        other.says("when-one-said", "with a chance of 80").await;
        other.until("this job alone", &format!("{ROWS} === 1")).await;
        // after a reload the queue is still there, and can be left out
        page.reload().await;
        page.says("when-said", "At 2026-01-21 00:00").await;
        page.until("all that is told", IS_TOLD).await;
        page.press("when-drop-queue").await;
        page.says("when-said", "as the log tells it").await;
    })
    .await;
}

/// What reaches beyond the window's right edge, where the page scrolls sideways.
const BEYOND: &str = "const page = document.documentElement;
    return page.scrollWidth <= page.clientWidth ? [] : [...document.querySelectorAll('body *')]
        .filter(e => e.getBoundingClientRect().right > page.clientWidth + 0.5)
        .map(e => `${e.tagName} ${e.getAttribute('class') ?? ''}`);";

#[tokio::test]
async fn a_user_looks_a_job_up_on_a_phone() {
    play("when-phone", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.appear(390, 844, false).await;
        drop_cluster(&page).await;
        page.until("all that is told", IS_TOLD).await;
        assert_eq!(page.evaluate(BEYOND).await, json!([]), "the list");
        // by its number
        let search = "const field = document.querySelector('[data-testid=when-search]'); field.value = '77001';
            field.dispatchEvent(new Event('input', { bubbles: true }));";
        page.evaluate(search).await;
        page.until("one job", &format!("{ROWS} === 1")).await;
        // when it starts stands in the window, as a time and as a bar
        let seen = "const row = document.querySelector('[data-testid=when-row]');
            row.scrollIntoView({ block: 'center' });
            const within = e => { const box = e.getBoundingClientRect();
                return box.width > 0 && box.left >= 0 && box.right <= innerWidth + 1; };
            return ['.when-pick', '.when-start strong', '.when-bar'].map(part => within(row.querySelector(part)))";
        assert_eq!(page.evaluate(seen).await, json!([true, true, true]));
        page.evaluate("document.querySelector('[data-testid=when-row] button').click()").await;
        page.says("when-one-said", "with a chance of 80").await;
        page.until("what would help", "return document.querySelectorAll('[data-testid=when-help]').length > 0").await;
        assert_eq!(page.evaluate(BEYOND).await, json!([]), "one job");
        let copied = "window.linked = null; navigator.clipboard.writeText = async text => { window.linked = text; };
            document.querySelector('.when-one-head button').click();";
        page.evaluate(copied).await;
        page.until("a link", "return window.linked !== null").await;
        let link = page.evaluate("return window.linked").await.as_str().expect("a text").to_owned();
        let other = stage.browser().await;
        other.appear(390, 844, true).await;
        other.goto(&link).await;
        other.says("when-one-said", "with a chance of 80").await;
        other.until("this job alone", &format!("{ROWS} === 1")).await;
        assert_eq!(other.evaluate(BEYOND).await, json!([]), "a link");
    })
    .await;
}
