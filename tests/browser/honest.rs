//! The page tells the truth: which runs and jobs its statements are about, and how long runs will take.

use crate::comparison::recipe;
use crate::logs;
use crate::page::Page;
use crate::stage::play;
use packfair::metric::{Curves, Metric};
use packfair::study::export::write_study;
use packfair::study::link::{self, SharedStudy, SharedWorkload};
use packfair::study::{Baseline, Generated, Run, RunReport, Source, Study};
use packfair::workload::{Machine, MachineSource};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A study as a file to drop.
fn study_file(name: &str, study: &Study) -> PathBuf {
    logs::write(name, write_study(study).as_bytes())
}

fn run(scheduler: &str, estimate: &str) -> Run {
    Run::new(scheduler.parse().expect("a scheduler"), estimate.parse().expect("an estimate"))
}

/// A study on a log with these schedulers and requested times.
fn study_on(log: &Path, schedulers: &[&str]) -> Study {
    let mut study = recipe("metrics-fig-3", log);
    study.schedulers = schedulers.iter().map(|id| id.parse().expect("a scheduler")).collect();
    study.methods = vec!["requested".parse().expect("an estimator")];
    study.baseline = Baseline::None;
    study
}

async fn text_of(page: &Page, id: &str) -> String {
    let script = format!("return document.querySelector('[data-testid=\"{id}\"]')?.textContent ?? ''");
    page.evaluate(&script).await.as_str().unwrap_or_default().to_owned()
}

#[tokio::test]
async fn the_front_is_of_values_and_the_switch_is_the_charts_too() {
    play("front", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.press("known-times").await;
        page.run_pending().await;
        page.completed(8).await;
        // each run is compared with EASY with its own estimates: there is no one scale of changes
        page.says("chart-tradeoff", "these runs have different baselines").await;
        assert!(!text_of(&page, "chart-tradeoff").await.contains("change of AWF"), "changes on different scales");
        // with one baseline there is
        page.evaluate(r#"document.querySelector('[data-run="justbf__actual"] .star').click()"#).await;
        page.until("changes to be drawn", r#"return document.querySelector('[data-testid="chart-tradeoff"]').textContent.includes('change of AWF')"#)
            .await;
        assert!(!text_of(&page, "chart-tradeoff").await.contains("different baselines"));
        let values = r#"[...document.querySelectorAll('.compare-tools button, .compare-tools label')].find(e => e.textContent.trim() === 'Values').click()"#;
        page.evaluate(values).await;
        page.until("values to be drawn", r#"return !document.querySelector('[data-testid="chart-tradeoff"]').textContent.includes('change of AWF')"#)
            .await;
        // no run beats the one that the sentence names
        let table = page.table().await;
        let both = |run: &str| (table[run]["AWF"], table[run]["P2SF"]);
        let beaten = |run: &str| table.keys().any(|by| both(by).0 < both(run).0 && both(by).1 < both(run).1);
        let front: Vec<&String> = table.keys().filter(|run| !beaten(run)).collect();
        let said = text_of(&page, "chart-tradeoff").await;
        let ending = if front.len() == 1 { "farthest down and left in either" } else { "those on the dotted line" };
        assert!(said.contains(ending), "{front:?}: {said}");
    })
    .await;
}

#[tokio::test]
async fn numbers_of_one_log_never_stand_under_the_name_of_another_and_a_large_one_runs_at_once() {
    play("another-log", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        let watch = r#"
            const cells = () => [...document.querySelectorAll('[data-testid="comparison-table"] td[data-value]')];
            const old = new Set(cells().map(cell => cell.dataset.value).filter(value => value.length > 6));
            window.false_numbers = [];
            const look = () => {
                const name = document.querySelector('[data-testid="log-name"]').textContent;
                if (name.includes('made-60000'))
                    window.false_numbers.push(...cells().map(c => c.dataset.value).filter(value => old.has(value)));
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });"#;
        page.evaluate(watch).await;
        page.drop_file(&logs::made(60_000)).await;
        page.opened("made-60000").await;
        page.completed(4).await;
        assert_eq!(page.evaluate("return window.false_numbers").await, json!([]), "of the log before");
    })
    .await;
}

#[tokio::test]
async fn a_change_of_a_setting_runs_by_itself_and_no_chart_vanishes_meanwhile() {
    play("by-itself", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(2_000);
        page.drop_file(&log).await;
        page.opened("made-2000").await;
        page.completed(4).await;
        let before = page.table().await;
        let watch = r#"
            window.vanished = 0;
            const look = () => {
                const chart = document.querySelector('[data-testid="chart-cwa"]');
                if (!chart || chart.textContent.includes('No run has ended')) window.vanished++;
            };
            new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true });"#;
        page.evaluate(watch).await;
        let mut study = recipe("metrics-fig-3", &log);
        study.schedulers = Study::first_visit().schedulers;
        study.methods = Study::first_visit().methods;
        study.treatment.shrink = 0.9;
        page.drop_file(&study_file("more-load.json", &study)).await;
        page.says("headline", "4 runs").await;
        page.until("other numbers", &format!(
            r#"const cell = document.querySelector('[data-run="easy__requested"]:not(.stale) [data-metric="AF"]');
               return cell && cell.dataset.value !== "{}""#,
            before["easy__requested"]["AF"]
        ))
        .await;
        page.completed(4).await;
        assert_eq!(page.evaluate("return window.vanished").await, json!(0));
        assert_eq!(page.evaluate(r#"return document.querySelector('[data-testid="shelf"]').matches('.stale')"#).await, json!(false));
    })
    .await;
}

#[tokio::test]
async fn what_takes_long_says_so_waits_and_goes_on_after_a_reload() {
    play("long", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(120_000);
        page.drop_file(&log).await;
        page.opened("made-120000").await;
        page.completed(4).await;
        // a recipe that the user picks is run, however long it takes
        page.apply_recipe("metrics-fig-4-fine").await;
        page.press("cancel-all").await;
        page.says("run-all", "Run ").await;
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!page.has("cancel-all").await, "what was cancelled has begun again unasked");
        page.press("run-all").await;
        page.find("cancel-all").await;
        page.reload().await;
        page.says("notices", "interrupted when the page was left").await;
        page.find("cancel-all").await;
        page.press("cancel-all").await;
        let busy = r#"return document.querySelector('[data-status="running"], [data-status="measuring"], [data-status="queued"]')"#;
        assert!(page.evaluate(busy).await.is_null(), "a run goes on after it was cancelled");
        page.reload().await;
        page.opened("made-120000").await;
        page.says("run-all", "Run ").await;
        assert!(!page.has("cancel-all").await, "what was cancelled goes on after a reload");
    })
    .await;
}

#[tokio::test]
async fn a_link_to_much_work_shows_its_results_begins_and_can_be_stopped() {
    play("link-to-much", |stage| async move {
        let source = Source::Generated(Generated::Lublin { jobs: 50_000, processors: 128, seed: 5 });
        let mut study = Study::on(source);
        study.distortions = (0..200).map(|i| 0.5 + f64::from(i) / 200.0).collect();
        let values = [(Metric::Bsld, 3.0), (Metric::Awf, 4.0)];
        let result = |run: Run| RunReport {
            run,
            shrink: 1.0,
            jobs: 9,
            values: values.into(),
            curves: Curves::default(),
            wall_s: 0.0,
            machine: None,
            machine_use: None,
            is_plain: false,
            overfull: None,
            saturation: None,
            is_too_short: false,
        };
        let shared = SharedStudy {
            runs: study.runs().into_iter().take(20).map(result).collect(),
            workload: SharedWorkload {
                name: "much".to_owned(),
                jobs: 50_000,
                machine: Machine { processors: 128, source: MachineSource::Given },
                jobs_by_area: packfair::metric::Line::default(),
                area_by_area: packfair::metric::Line::default(),
                clock: None,
            },
            charted: Vec::new(),
            study,
            engine: None,
            repeated: None,
            sender_view: None,
        };
        let page = stage.browser().await;
        page.goto(&format!("{}#{}", stage.url().await, link::encode(&shared).unwrap())).await;
        page.says("shared-banner", "much").await;
        page.press("cancel-all").await;
        let table = page.table().await;
        assert!(table.values().any(|row| row.get("BSLD") == Some(&3.0)), "what a link carries stays");
        tokio::time::sleep(Duration::from_secs(1)).await;
        assert!(!page.has("cancel-all").await, "what was cancelled has begun again unasked");
    })
    .await;
}

#[tokio::test]
async fn what_the_log_did_comes_with_a_caveat_and_with_how_near_each_scheduler_is() {
    play("as-logged", |stage| async move {
        let page = stage.page().await;
        let log = logs::made_with_waits(1_200);
        page.drop_file(&log).await;
        page.opened("made-with-waits").await;
        page.completed(5).await;
        let mut study = study_on(&log, &["as-logged", "easy", "justbf"]);
        study.baseline = Baseline::Run(run("as-logged", "requested"));
        page.drop_file(&study_file("as-logged.json", &study)).await;
        page.completed(3).await;
        page.says("note-as-logged", "outages").await;
        page.says("truth", "comes nearest to the log").await;
        let table = page.table().await;
        assert_eq!(table["as-logged__requested"]["near_log_5min"], 1.0);
        for run in ["easy__requested", "justbf__requested"] {
            assert!(table[run]["near_log_5min"] < 1.0, "{:?}", table[run]);
            assert!(!table[run].contains_key("log_gap"), "it is folded into the first: {:?}", table[run]);
        }
        // a receiver of the link sees it too
        let receiver = stage.browser().await;
        receiver.goto(&page.share_link().await).await;
        page.keys("\u{e00c}").await;
        receiver.says("shared-banner", "made-with-waits").await;
        let carried = receiver.table().await;
        let near = Metric::NearerLog.about().id;
        assert_eq!(carried["easy__requested"][near], table["easy__requested"][near]);
        // without the log's own schedule they are not needed
        page.drop_file(&study_file("simulated.json", &study_on(&log, &["easy", "justbf"]))).await;
        page.completed(2).await;
        assert!(
            !page.has("note-as-logged").await && !page.table().await["easy__requested"].contains_key("near_log_5min")
        );
    })
    .await;
}

#[tokio::test]
async fn a_link_says_whose_charts_it_carries_draws_these_and_has_dates() {
    play("link-charts", |stage| async move {
        let sender = stage.page().await;
        let log = logs::made(1_500);
        sender.drop_file(&log).await;
        sender.opened("made-1500").await;
        sender.apply_recipe("metrics-fig-4").await;
        sender.run_pending().await;
        sender.completed(33).await;
        sender.press("share").await;
        let carries = sender.find("share-carries").await.text().await.expect("a text");
        assert!(carries.contains("33 runs") && carries.contains("of them, for which there is room"), "{carries}");
        let link = sender.find("share-link").await.prop("value").await.expect("a value").expect("a link");

        let receiver = stage.browser().await;
        receiver.goto(&link).await;
        receiver.says("shared-banner", "made-1500").await;
        receiver.says("shared-charts", "of 33 runs").await;
        // every run in a legend is drawn, and the guide with them
        receiver.until("the guide", r#"return document.querySelector('[data-testid="chart-cwa"]')?.textContent.includes('job area')"#).await;
        let missing = r#"return document.querySelectorAll('[data-testid="chart-cwa"] .is-missing').length"#;
        assert_eq!(receiver.evaluate(missing).await, json!(0));
        // the log begins with the year 2000
        receiver.until("dates", r#"return /\b2000\b/.test(document.querySelector('[data-testid="chart-queue"]')?.textContent)"#).await;
        receiver.press("tab-charts").await;
        let grey = r#"return [...document.querySelectorAll('[data-testid="chart-runs"] option, [data-testid="chart-runs"] .is-missing')].length"#;
        receiver.until("runs without charts", grey).await;
    })
    .await;
}

#[tokio::test]
async fn what_makes_numbers_doubtful_is_said_in_plain_words() {
    play("plain-words", |stage| async move {
        let page = stage.page().await;
        let log = logs::made(800);
        page.drop_file(&log).await;
        page.opened("made-800").await;
        page.completed(4).await;
        let mut study = study_on(&log, &["easy-sjbf", "easy:backfill=sjf,threshold=3600"]);
        study.treatment.shrink = 0.2;
        page.drop_file(&study_file("overloaded.json", &study)).await;
        page.completed(2).await;
        page.says("note-overload", "of what the machine can do").await;
        page.says("note-idle", "has no effect").await;
        let table = page.table().await;
        let mut rows = table.values();
        assert_eq!(rows.next(), rows.next(), "a threshold without effect");
        // a study of another log
        let source = Study::first_visit().source;
        study.source = source;
        study.schedulers.push("fcfs".parse().expect("a scheduler"));
        page.drop_file(&study_file("elsewhere.json", &study)).await;
        page.says("notices", "It was saved for Lublin-Feitelson, seed 1").await;
        page.says("notices", "without the filter, machine size and load").await;
        page.completed(3).await;
        assert!(!page.has("note-overload").await, "the load was of the other log");
    })
    .await;
}
