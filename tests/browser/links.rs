//! Links with the largest studies that are allowed: only visible rows are in the document, and the page stays
//! responsive.

use crate::page::Page;
use crate::soak::{Held, LONGEST, WATCH, check_process, long_tasks};
use crate::stage::{play, play_on};
use packfair::metric::{Curves, Metric};
use packfair::study::limits::MOST_RUNS;
use packfair::study::{Engine, Generated, Run, RunReport, Source, Study, link};
use packfair::workload::{Fingerprint, Machine, MachineSource};
use serde_json::json;
use std::time::Duration;

/// The number of links that one page opens, and after how many its memory is measured first.
const LINKS: usize = 50;
const FIRST: usize = 10;

/// A number that looks random, the same every time.
fn number(seed: usize) -> f64 {
    let mixed = (seed as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    (mixed >> 11) as f64 / (1_u64 << 30) as f64
}

fn report(run: Run, seed: usize) -> RunReport {
    RunReport {
        run,
        shrink: 1.0,
        jobs: 2_000,
        values: Metric::ALL.iter().zip(100 * seed..).map(|(&metric, seed)| (metric, number(seed))).collect(),
        curves: Curves::default(),
        wall_s: 0.01,
        overfull: None,
        saturation: None,
        is_too_short: false,
        machine: None,
        machine_use: None,
        is_plain: false,
    }
}

/// A link with `runs` runs, a multiple of 4, each with a value of every metric: of a log that the receiver lacks, or of
/// a generated workload.
pub fn link_of(runs: usize, number: usize) -> String {
    let mut study = Study::first_visit();
    study.distortions = (0..runs / 4).map(|i| 0.5 + (i + number) as f64 / 1_000.0).collect();
    study.columns = [Metric::Af, Metric::Awf, Metric::Bsld, Metric::Loc, Metric::Utilisation, Metric::MaxWait].to_vec();
    study.source = match number % 2 {
        0 => Source::Trace { name: format!("far-{number}.swf"), fingerprint: Fingerprint(number as u128 + 1) },
        _ => Source::Generated(Generated::Lublin { jobs: 2_000, processors: 128, seed: number as u64 }),
    };
    let workload = link::SharedWorkload {
        name: study.source.name(),
        jobs: 2_000,
        machine: Machine { processors: 128, source: MachineSource::MaxProcs },
        jobs_by_area: Default::default(),
        area_by_area: Default::default(),
        clock: None,
    };
    let reports = study.runs().into_iter().zip(runs * number..).map(|(run, seed)| report(run, seed)).collect();
    let shared = link::SharedStudy {
        study,
        workload,
        runs: reports,
        charted: Vec::new(),
        engine: Some(Engine::THIS),
        repeated: None,
        sender_view: None,
    };
    link::encode(&shared).expect("it keeps to the limits")
}

/// Waits until the sentence above the table tells of `runs` runs, and the first rows are there.
pub async fn shown(page: &Page, runs: &str) {
    page.says("headline", &format!("{runs} runs")).await;
    page.until("rows with values", r#"return document.querySelector('[data-testid="row"] [data-value]') !== null"#)
        .await;
}

/// Whether the row at a place of the study is in the document, and how many rows are.
async fn rows(page: &Page, place: usize) -> (bool, u64) {
    let script = format!(
        r#"const rows = [...document.querySelectorAll('[data-testid="row"]')];
           return [rows.some(row => row.dataset.place === "{place}"), rows.length]"#
    );
    serde_json::from_value(page.evaluate(&script).await).expect("a pair")
}

#[tokio::test]
async fn a_link_of_many_runs_shows_the_rows_that_are_seen() {
    play("many-runs", |stage| async move {
        for (number, (runs, said)) in [(1_000, "1,000"), (MOST_RUNS, "2,000")].into_iter().enumerate() {
            let page = stage.browser().await;
            page.goto(&format!("{}#{}", stage.url().await, link_of(runs, number))).await;
            shown(&page, said).await;
            let (has_first, in_document) = rows(&page, 0).await;
            assert!(has_first && in_document < 150, "{in_document} rows in the document");
            page.to_last_run().await;
            let last =
                format!(r#"return document.querySelector('tr[data-place="{}"] [data-value]') !== null"#, runs - 1);
            page.until("the last row", &last).await;
            let (has_first, in_document) = rows(&page, 0).await;
            assert!(!has_first && in_document < 150, "{in_document} rows in the document");
            page.reload().await;
            shown(&page, said).await;
        }
    })
    .await;
}

#[tokio::test]
#[ignore = "it takes minutes: scripts/test soak"]
async fn soak() {
    play_on(Duration::from_secs(1_800), "links-soak", |stage| async move {
        let page = stage.browser().await;
        page.before_load(WATCH).await;
        page.goto(&stage.url().await).await;
        page.completed(4).await;
        page.devtools("Performance.enable", json!({})).await;
        let (mut first, mut long, mut processes) = (None, Vec::new(), Vec::new());
        for number in 0..LINKS {
            let fragment = link_of(MOST_RUNS, number);
            if number % 10 == 9 {
                // as for a user who does not have the page open yet
                long.extend(long_tasks(&page).await);
                page.goto(&stage.url().await).await;
            }
            page.evaluate(&format!("location.hash = {}", json!(fragment))).await;
            let named = if number % 2 == 0 { format!("far-{number}.swf") } else { format!("seed {number}") };
            page.says("shared-banner", &named).await;
            shown(&page, "2,000").await;
            page.to_last_run().await;
            let column = Metric::Af.about().id;
            page.evaluate(&format!(r#"document.querySelector('th[data-column="{column}"] button')?.click()"#)).await;
            if number % 10 == 4 {
                long.extend(long_tasks(&page).await);
                page.reload().await;
                shown(&page, "2,000").await;
            }
            if number + 1 >= FIRST {
                processes.extend(stage.memory());
            }
            if number + 1 == FIRST {
                first = Some(Held::by(&page).await);
            }
        }
        println!("{LINKS} links of {MOST_RUNS} runs");
        let last = Held::by(&page).await;
        long.extend(long_tasks(&page).await);
        long.sort_by(|one, other| other.total_cmp(one));
        println!("{} tasks above 50 ms, the longest of {:.0} ms", long.len(), long.first().unwrap_or(&0.0));
        last.check(first.expect("there are more links"));
        check_process(&processes);
        assert!(long.first().is_none_or(|longest| *longest <= LONGEST), "{:?}", &long[..long.len().min(10)]);
    })
    .await;
}
