//! A user asks how fair schedulers were, and why a job waited.

use crate::comparison::{agree, recipe};
use crate::page::Page;
use crate::stage::play;
use crate::{logs, native};
use packfair::study::Study;
use packfair::study::export::write_study;

/// A script that counts the bars of the first chart of changes.
const BARS: &str = r#"return document.querySelectorAll('[data-testid="changes"] g[data-series] rect').length"#;

/// Waits until a log of `jobs` jobs is read. Until then the page shows the results of the previous log.
async fn opened(page: &Page, jobs: &str) {
    let script = format!("return document.querySelector('.log-facts').innerText.startsWith('{jobs} jobs')");
    page.until(&format!("a log of {jobs} jobs"), &script).await;
}

/// Waits until the four runs of FAIRNESS have fair start times.
async fn fair_starts(page: &Page) {
    let cells = r#"return document.querySelectorAll('[data-metric="unfairness_strict"][data-value]').length === 4"#;
    page.until("fair start times", cells).await;
}

#[tokio::test]
async fn fair_start_times_are_the_engines_survive_a_reload_and_travel_as_a_link() {
    play("fair-starts", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(3_500);
        page.drop_file(&log).await;
        opened(&page, "3,500").await;
        page.apply_recipe("fairness-figs").await;
        page.run_pending().await;
        let study = recipe("fairness-figs", &log);
        page.completed(4).await;
        fair_starts(&page).await;
        page.completed(4).await;
        let table = page.table().await;
        agree(&table, &native::table(&native::workload(&log, &study), &study));

        page.reload().await;
        page.completed(4).await;
        assert_eq!(page.table().await, table);

        // results may come before the log is read again
        opened(&page, "3,500").await;
        let link = page.share_link().await;
        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-3500").await;
        assert_eq!(receiver.table().await, table);
        receiver.drop_file(&log).await;
        receiver.run_pending().await;
        receiver.says("shared-verdict", "every value agrees").await;
        assert_eq!(receiver.table().await, table);
    })
    .await;
}

/// A script that notes the connections to the database.
const CONNECTIONS: &str = r#"
    window.connections = [];
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...names) {
        const request = open.apply(this, names);
        request.addEventListener("success", () => window.connections.push(request.result));
        return request;
    };"#;

/// A script that closes all connections to the database. The next opening succeeds only when `window.answer()` is
/// called. Values that are stored again go elsewhere, so that the first ones stay.
const SLOW_DATABASE: &str = r#"
    window.connections.forEach(connection => connection.close());
    const open = IDBFactory.prototype.open;
    IDBFactory.prototype.open = function (...names) {
        IDBFactory.prototype.open = open;
        const request = open.apply(this, names);
        let heard = null;
        Object.defineProperty(request, "onsuccess", { get: () => heard, set: (handler) => { heard = handler; } });
        request.addEventListener("success", (event) => { window.answer = () => heard.call(request, event); });
        return request;
    };
    const put = IDBObjectStore.prototype.put;
    const known = new Set();
    IDBObjectStore.prototype.put = function (value, key) {
        const again = known.has(key);
        known.add(key);
        return put.call(this, value, again ? key + " later" : key);
    };"#;

#[tokio::test]
async fn what_is_remembered_does_not_replace_what_was_computed_meanwhile() {
    play("late-memory", |stage| async move {
        let page = stage.browser().await;
        page.before_load(CONNECTIONS).await;
        page.goto(&stage.url().await).await;
        let log = logs::made(700);
        page.drop_file(&log).await;
        opened(&page, "700").await;
        page.completed(4).await;
        page.evaluate(SLOW_DATABASE).await;
        page.apply_recipe("fairness-figs").await;
        page.run_pending().await;
        fair_starts(&page).await;
        page.completed(4).await;
        let table = page.table().await;
        page.evaluate("window.answer()").await;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(page.table().await, table);
    })
    .await;
}

#[tokio::test]
async fn fair_start_times_can_be_cancelled_and_leave_the_results() {
    play("cancel-fair-starts", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(30_000)).await;
        opened(&page, "30,000").await;
        page.completed(4).await;
        page.press("fair-starts").await;
        page.press("cancel-all").await;
        page.completed(4).await;
        let before = page.table().await;
        assert!(before.values().any(|values| !values.contains_key("unfairness_strict")), "{before:?}");
        assert!(before.values().all(|values| values.contains_key("BSLD")), "{before:?}");
        page.press("run-all").await;
        page.until("them to be taken up again", r#"return document.querySelector('[data-status="running"]') !== null"#)
            .await;
    })
    .await;
}

/// Picks the job that waited longest, under the first run.
async fn pick_the_longest_wait(page: &Page) {
    page.press("tab-jobs").await;
    let by_wait = r#"return [...document.querySelectorAll('.jobs-sort')].find(b => b.innerText.startsWith('Wait'))?.click() ?? true"#;
    page.until("the table of jobs", "return document.querySelector('.jobs-sort') !== null").await;
    page.evaluate(by_wait).await;
    page.until(
        "a row to pick",
        r#"const row = document.querySelector('.jobs-row[data-index="0"]');
        if (row && !row.innerText.includes('…') && !row.matches('.picked')) { row.click(); }
        return document.querySelector('[data-testid="why"]') !== null"#,
    )
    .await;
}

#[tokio::test]
async fn a_plan_says_why_a_job_waited() {
    play("reasons", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(1_200)).await;
        opened(&page, "1,200").await;
        let mut study = Study::first_visit();
        study.schedulers = vec!["optimised".parse().expect("it is in the catalogue")];
        study.methods.truncate(1);
        page.drop_file(&logs::study("reasons.json", &write_study(&study))).await;
        page.run_pending().await;
        page.completed(1).await;
        pick_the_longest_wait(&page).await;
        page.says("reasons", "planned ").await;
    })
    .await;
}

#[tokio::test]
async fn a_job_tells_why_it_waited() {
    play("why", |stage| async move {
        let page = stage.page().await;
        page.drop_file(&logs::made(3_600)).await;
        opened(&page, "3,600").await;
        page.apply_recipe("fairness-figs").await;
        page.run_pending().await;
        page.completed(4).await;
        fair_starts(&page).await;
        page.press("tab-jobs").await;
        page.until(
            "the run that promises starts",
            r#"const run = document.querySelector('[data-testid="jobs-first"]');
            const promising = [...(run?.options ?? [])].find(option => /conservative/i.test(option.text));
            if (!promising) return false;
            run.value = promising.value;
            run.dispatchEvent(new Event("change", { bubbles: true }));
            return true"#,
        )
        .await;
        let headings =
            r#"return [...document.querySelectorAll('.jobs-heading')].map(h => h.innerText.trim()).join('|')"#;
        page.until(
            "promises and fair starts",
            &format!("{headings}.match(/Promised.*Delay.*Fair start.*Unfair.*Relaxed start.*Relaxed unfair/)"),
        )
        .await;
        // the one that waited longest
        page.evaluate(
            r#"[...document.querySelectorAll('.jobs-sort')].find(b => b.innerText.startsWith('Wait')).click()"#,
        )
        .await;
        page.until(
            "a row to pick",
            r#"const row = document.querySelector('.jobs-row[data-index="0"]');
            if (row && !row.innerText.includes('…') && !row.matches('.picked')) { row.click(); }
            return document.querySelector('[data-testid="why"]') !== null"#,
        )
        .await;
        page.says("why", "It waited").await;
        page.says("job-fair", "Strict fair start").await;
        page.says("job-reservation", "Promised at submission").await;
        page.until(
            "its reservation",
            r#"return document.querySelector('[data-testid="chart-reservation"] svg') !== null"#,
        )
        .await;
        let longer = r#"document.querySelector('[aria-label="Longer window"]').click()"#;
        for _ in 0..4 {
            page.evaluate(longer).await;
        }
        page.press("gantt-reservations").await;
        // moves far enough back that the job itself waits
        page.evaluate(
            r#"const slider = document.querySelector('[data-testid="gantt-instant"]');
               slider.value = slider.min * 0.7 + slider.max * 0.3;
               slider.dispatchEvent(new Event('input', { bubbles: true }));"#,
        )
        .await;
        page.says("chart-gantt", "hatched, the reservations of waiting jobs").await;
        let hatched =
            r#"return document.querySelectorAll('[data-testid="chart-gantt"] g[data-series] polyline').length > 15"#;
        page.until("hatched reservations", hatched).await;
    })
    .await;
}

#[tokio::test]
async fn changes_are_drawn_for_several_logs() {
    play("changes", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        for jobs in [900, 1_200] {
            page.drop_file(&logs::made(jobs)).await;
            opened(&page, if jobs < 1_000 { "900" } else { "1,200" }).await;
            page.until("its runs", r#"return !document.querySelector('[data-testid="cancel-all"]')"#).await;
        }
        page.apply_recipe("fairness-figs").await;
        page.run_pending().await;
        page.completed(4).await;
        page.press("tab-charts").await;
        // one log: the five metrics of three schedulers in one chart
        page.until("bars", &format!("{BARS} > 10")).await;
        page.press("run-on-logs").await;
        page.until(
            "a chart for each metric",
            r#"return document.querySelectorAll('[data-testid="changes"] figure').length === 5
                && !document.querySelector('[data-testid="cancel-all"]')
                && document.querySelector('[data-testid="change-logs"] button').innerText.includes('Run on')"#,
        )
        .await;
        page.says("changes", "made-900").await;
        page.says("changes", "made-1200").await;
        page.says("log-name", "made-1200").await;
    })
    .await;
}
