//! A user's own log: how to get one, logs in several files, and which jobs wait how long.

use crate::logs;
use crate::stage::play;
use serde_json::json;

/// A script that returns the texts of the rows of the table of waits.
const ROWS: &str = "return [...document.querySelectorAll('[data-testid=waits-row]')].map(row => row.innerText)";

#[tokio::test]
async fn a_sample_is_one_press_away_and_tells_who_waits_how_long() {
    play("waits", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("own-log").await;
        page.says("own-log-command", "TZ=UTC sacct -a -X -D -P").await;
        page.says("own-log-privacy", "SubmitLine").await;
        page.press("own-log-grid-engine").await;
        page.says("own-log-command", "accounting").await;
        page.press("open-sample").await;
        page.says("log-name", "sample-sacct.txt").await;
        page.completed(5).await;
        page.says("truth", "comes nearest to the log").await;

        page.press("tab-waits").await;
        page.until("rows", &format!("{} .length === 2", ROWS.replace("return ", "return (") + ")")).await;
        let rows = page.evaluate(ROWS).await;
        let first = rows[0].as_str().expect("a text").to_owned();
        assert!(first.starts_with("short\t") || first.starts_with("long\t"), "{first}");
        page.until("a sentence", "return document.querySelector('[data-testid=waits-said]').innerText.length > 20").await;
        page.evaluate("document.querySelector('[data-testid=waits-table] th[data-column^=as-logged] button').click()").await;
        let largest = "return [...document.querySelectorAll('[data-testid=waits-row] [data-run^=as-logged]')]
            .map(cell => Number(cell.dataset.value))";
        let waits = page.evaluate(largest).await;
        let waits: Vec<f64> = serde_json::from_value(waits).expect("numbers");
        assert!(waits.windows(2).all(|pair| pair[0] >= pair[1]), "{waits:?}");

        // one group alone counts, and all again
        let press_group = "document.querySelector('[data-testid=waits-row] th button').click()";
        page.evaluate(press_group).await;
        page.press("tab-compare").await;
        page.says("headline", "(partition=").await;
        page.completed(5).await;
        page.until("the field to say so", "return /^partition=/.test([...document.querySelectorAll('.settings .field:has(label)')]
            .find(field => field.querySelector('label').textContent === 'Only')?.querySelector('input').value ?? '')").await;
        // every panel marks the jobs of the group
        page.says("only-counts", "Only jobs of partition ").await;
        page.press("tab-jobs").await;
        page.until("jobs aside", "return document.querySelectorAll('.jobs-row.aside').length > 0
            && document.querySelectorAll('.jobs-row:not(.aside)').length > 0").await;
        page.says("gantt-key", "does not count").await;
        page.evaluate("document.querySelector('.jobs-row').click()").await;
        page.says("count-only", "week ").await;
        page.evaluate("[...document.querySelectorAll('[data-testid=count-only] button')]
            .find(button => button.textContent.startsWith('user ')).click()").await;
        page.says("only-counts", "Only jobs of user ").await;
        page.press("all-count").await;
        page.until("nothing said", "return !document.querySelector('[data-testid=only-counts]')").await;
        page.until("no job aside", "return document.querySelectorAll('.jobs-row.aside').length === 0").await;
        page.press("tab-waits").await;
        page.until("groups", "return document.querySelector('[data-testid=waits-row] th button') !== null").await;
        page.evaluate(press_group).await;
        page.press("tab-compare").await;
        page.says("headline", "(partition=").await;
        let wrong = page.enter(".settings .field:has(label)", "Only", "colour=3").await;
        assert!(wrong.contains("user=12"), "{wrong}");
        assert_eq!(page.enter(".settings .field:has(label)", "Only", "").await, "");
        page.until("all jobs to count", "return !document.querySelector('[data-testid=headline]').innerText.includes('alone')")
            .await;
        page.press("tab-waits").await;
        page.evaluate("[...document.querySelectorAll('.waits button')].find(b => b.textContent === 'Change').click()").await;
        page.says("waits-baseline", "Change to EASY with the same estimate").await;
        page.until("changes", &format!("{}.some(row => /[−+]\\d+\\s%/.test(row))", ROWS.replace("return ", "return (") + ")")).await;

        page.press("tab-workload").await;
        page.says("top-users", "ada").await;
        page.press("tab-jobs").await;
        let search = "const field = document.querySelector('[data-testid=jobs-search]'); field.value = 'user:ada';
            field.dispatchEvent(new Event('input', { bubbles: true })); field.dispatchEvent(new Event('change', { bubbles: true }));";
        page.find("jobs-search").await;
        page.evaluate(search).await;
        page.until("jobs of one user", "return document.querySelectorAll('.jobs-row').length > 5
            && [...document.querySelectorAll('.jobs-row')].every(row => row.innerText.includes('ada'))").await;
    })
    .await;
}

#[tokio::test]
async fn several_files_are_one_log_and_stay() {
    play("several-files", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let head = "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n";
        let month = |month: usize, jobs: std::ops::Range<usize>| {
            let job = |job: usize| {
                let at = format!("2026-{month:02}-{:02}T{:02}:00:00", 1 + job % 28, job % 24);
                format!("{}|ann|{at}|{at}|{}|90|{}|COMPLETED\n", month * 1_000 + job, 60 + job % 900, 1 + job % 16)
            };
            head.to_owned() + jobs.map(job).collect::<String>().as_str()
        };
        // the last ten of January are in both
        let both = month(1, 140..150) + &month(2, 0..150)[head.len()..];
        let drop = format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], 'january.txt'));
             data.items.add(new File([{}], 'february.txt'));
             document.body.dispatchEvent(new DragEvent('drop', {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
            json!(month(1, 0..150)),
            json!(both)
        );
        page.evaluate(&drop).await;
        page.says("log-name", "january.txt to february.txt").await;
        page.until("all jobs", "return document.querySelector('.log-facts').innerText.includes('300 jobs')").await;
        page.completed(5).await;
        page.reload().await;
        page.says("log-name", "january.txt to february.txt").await;
        page.until("all jobs", "return document.querySelector('.log-facts').innerText.includes('300 jobs')").await;
    })
    .await;
}

#[tokio::test]
async fn maps_of_waits_are_read_by_keys_and_partitions_are_machines_of_their_own() {
    play("machines", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("own-log").await;
        page.press("open-sample").await;
        page.says("log-name", "sample-sacct.txt").await;
        page.completed(5).await;

        page.press("tab-waits").await;
        page.find("chart-wait-map").await;
        let key = "const stage = document.querySelector('[data-testid=chart-wait-map] .chart-stage');
            stage.focus(); stage.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight', bubbles: true }));
            return new Promise(done => setTimeout(() => done(stage.querySelector('[aria-live]').textContent), 300))";
        page.until("a map that is drawn", "return !!document.querySelector('[data-testid=chart-wait-map] svg')").await;
        let said = page.evaluate(key).await;
        let said = said.as_str().expect("a text");
        for what in ["Requested ", "Width ", "Jobs ", "Median wait "] {
            assert!(said.contains(what), "{said}");
        }

        page.press("tab-compare").await;
        page.find("each-partition").await;
        page.evaluate("document.querySelector('[data-testid=each-partition]').click()").await;
        page.completed(10).await;
        page.until(
            "rows that name the partition",
            "return [...document.querySelectorAll('.run-name')].some(e => e.textContent === 'short: EASY')",
        )
        .await;
        page.says("machines", "Machine sizes: ").await;
        let wrong = page.enter(".field", "Size of short", "0").await;
        assert!(wrong.contains("a whole number from 1 to 100,000,000"), "{wrong}");
        assert_eq!(page.enter(".field", "Size of short", "600").await, "");
        page.says("machines", "short 600 (as given)").await;
        page.reload().await;
        page.completed(10).await;
        page.says("machines", "short 600 (as given)").await;
        page.find("each-partition").await;
        page.evaluate("document.querySelector('[data-testid=each-partition]').click()").await;
        page.completed(5).await;
    })
    .await;
}

#[tokio::test]
async fn jobs_under_way_when_a_dump_begins_hold_their_part_or_are_as_all_others() {
    play("under-way", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let jobs: String = (3..60)
            .map(|n| {
                let day = 5 + n / 10;
                format!("{n}|bob|2026-01-{day:02}T10:00:00|2026-01-{day:02}T13:00:00|3600|60|2|COMPLETED\n")
            })
            .collect();
        let text = format!(
            "JobIDRaw|User|Submit|Start|ElapsedRaw|TimelimitRaw|NCPUS|State\n\
             1|ann|2026-01-01T00:00:00|2026-01-01T12:00:00|345600|8640|4|COMPLETED\n\
             2|ann|2026-01-03T00:00:00|2026-01-04T00:00:00|100000|1667|2|COMPLETED\n{jobs}"
        );
        page.drop_file(&logs::write("under-way.txt", text.as_bytes())).await;
        page.says("log-name", "under-way.txt").await;
        page.completed(5).await;
        let said = "[...document.querySelectorAll('.account li')].some(e => e.textContent.includes('under way'))";
        page.until("the jobs under way", &format!("return {said}")).await;
        let choose = |value: &str| {
            format!(
                "const field = [...document.querySelectorAll('.field')].find(f =>
                     f.querySelector('select') && f.textContent.includes('Jobs under way'));
                 const list = field.querySelector('select');
                 list.value = '{value}'; list.dispatchEvent(new Event('change', {{ bubbles: true }}));"
            )
        };
        page.evaluate(&choose("ordinary")).await;
        page.until("them to be as all others", &format!("return !{said}")).await;
        page.completed(5).await;
        page.reload().await;
        page.completed(5).await;
        page.until("what was chosen", &format!("return !!document.querySelector('.log-facts') && !{said}")).await;
        page.evaluate(&choose("held")).await;
        page.until("the jobs under way", &format!("return {said}")).await;
        page.completed(5).await;
    })
    .await;
}
