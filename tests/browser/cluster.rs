//! My cluster: from a dropped log and a site's files to ranked changes and a copied diff, with no press but the copy.

use crate::logs;
use crate::page::Page;
use crate::print::{nothing_wrong, on_paper};
use crate::stage::{Stage, play};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The files of a recorded case.
fn of_case(case: &str) -> Vec<PathBuf> {
    let folder = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm")).join(case);
    ["sacct.txt", "slurm.conf", "assoc.txt", "qos.txt"].map(|name| folder.join(name)).to_vec()
}

/// A page on which the log and the files of a case were dropped together, once all cards are computed.
async fn with_case(stage: &Stage, case: &str) -> Page {
    let page = stage.page().await;
    page.completed(4).await;
    page.drop_files(&of_case(case)).await;
    page.until("the tab of the site", "return document.querySelector('#tab-cluster').ariaSelected === 'true'").await;
    page.says("cluster-state", "20 draws").await;
    page
}

/// A script that finds the card with these words.
fn card(words: &str) -> String {
    format!(
        r#"const card = [...document.querySelectorAll('[data-testid="cluster-card"]')]
            .find(card => card.innerText.includes({words:?}));"#
    )
}

#[tokio::test]
async fn what_limits_and_partitions_cost_comes_first_and_its_diff_is_copied() {
    play("cluster", |stage| async move {
        let page = with_case(&stage, "overlap").await;
        // the address leads here
        assert!(page.fragment().await.contains("tab=cluster"), "{}", page.fragment().await);
        page.says("cluster-fit", "of the logged starts").await;
        page.says("cluster-finding", "Nearest comes: Every partition may use all 16 nodes").await;
        let first = r#"const cards = [...document.querySelectorAll('[data-testid="cluster-card"]')];
            const first = cards[0];
            return first.innerText.includes("very partition may use all 16 nodes") && Number(first.dataset.value) < -0.05
                && first.querySelector(".cluster-whisker") !== null"#;
        page.until("the first card", first).await;
        let sorted = r#"const sure = [...document.querySelectorAll('[data-standing="shorter"]')].map(c => Number(c.dataset.value));
            return sure.every((value, at) => at === 0 || Math.round(100 * sure[at - 1]) <= Math.round(100 * value))"#;
        page.until("cards by their effect", sorted).await;

        let listen = "window.copied = null; navigator.clipboard.writeText = async text => { window.copied = text; };";
        page.evaluate(listen).await;
        let copy = r#"[...document.querySelectorAll('[data-testid="cluster-card"]')][0].querySelector("button").click()"#;
        page.evaluate(copy).await;
        let copied = r#"return window.copied !== null && window.copied.includes("Nodes=ALL")"#;
        page.until("the diff in the clipboard", copied).await;

        // who loses, on demand
        let open = format!("{} card.querySelector('summary').click()", card("Every partition may use all 16 nodes"));
        page.evaluate(&open).await;
        page.says("cluster-users", "u1").await;
        page.picture("cluster").await;
        page.appear(390, 844, true).await;
        let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
        page.until("nothing is wider than the page", fits).await;
        page.picture("cluster-phone").await;
        assert_eq!(on_paper(&page, "print-cluster").await, nothing_wrong());
        let named = r#"return [...document.querySelectorAll('[data-testid="cluster-card"]')]
            .every(card => card.innerText.trim().length > 20 && !card.innerText.trim().startsWith("mean wait"))"#;
        page.until("what each card changes, on paper", named).await;
    })
    .await;
}

#[tokio::test]
async fn twenty_nodes_are_twenty_and_picked_changes_are_rows_elsewhere() {
    play("cluster-plan", |stage| async move {
        let page = with_case(&stage, "qos").await;
        page.evaluate(
            r#"const field = document.querySelector('[data-testid="cluster-plan-value"]');
               field.value = "+20";
               field.dispatchEvent(new Event("input", { bubbles: true }));"#,
        )
        .await;
        page.press("cluster-try").await;
        let words = "20 more nodes in partition batch (16 to 36)";
        let computed = format!("{} return card !== undefined && Number(card.dataset.value) < -0.5", card(words));
        page.until("twenty more nodes", &computed).await;

        // picked changes are rows beside Slurm as configured, and one change together
        for words in [words, "Without all limits of QOS"] {
            page.evaluate(&format!("{} card.querySelector('input').click()", card(words))).await;
        }
        page.press("cluster-combine").await;
        let both = r#"return [...document.querySelectorAll('[data-testid="cluster-card"]')]
            .some(card => card.innerText.includes("more nodes") && card.innerText.includes("Without all limits"))"#;
        page.until("both as one", both).await;
        page.press("tab-compare").await;
        page.all_completed().await;
        let rows: Vec<String> = page.table().await.into_keys().collect();
        assert!(rows.iter().all(|row| row.starts_with("slurm") || row.starts_with("as-logged")), "{rows:?}");
        assert!(rows.iter().any(|row| row.contains("__if_nodes=+20_cell=batch")), "{rows:?}");
    })
    .await;
}

/// What sacct prints of a site of 200 nodes, and its slurm.conf: `jobs` jobs of many users in 25 days, each started in the
/// order of arrival as soon as there were processors for it.
fn of_large_site(jobs: u64) -> Vec<PathBuf> {
    const NODES: u64 = 200;
    const CORES: u64 = 16;
    let conf = format!(
        "ClusterName=large\nSelectType=select/cons_tres\nSelectTypeParameters=CR_Core\nSchedulerType=sched/backfill\n\
         PriorityType=priority/multifactor\nPriorityWeightAge=1000\nPriorityWeightFairshare=10000\n\
         PriorityMaxAge=7-0\nNodeName=n[1-{NODES}] CPUs={CORES} RealMemory=100000 State=UNKNOWN\n\
         PartitionName=batch Nodes=n[1-{NODES}] Default=YES MaxTime=2-0 State=UP\n\
         PartitionName=short Nodes=n[1-{NODES}] MaxTime=2:00:00 PriorityTier=2 State=UP\n"
    );
    let time = |at: u64| {
        let (day, rest) = (at / 86_400, at % 86_400);
        format!("2026-01-{:02}T{:02}:{:02}:{:02}", day + 1, rest / 3_600, rest / 60 % 60, rest % 60)
    };
    let mut state = 1_u64;
    let mut draw = |below: u64| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let mut sacct = String::from(
        "JobID|JobIDRaw|JobName|User|Account|Partition|QOS|Submit|Eligible|Start|End|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State|Priority\n",
    );
    // the end of each node's job: whole nodes
    let mut free_at = vec![0_u64; NODES as usize];
    let mut submit = 0;
    for job in 1..=jobs {
        submit += draw(2 * 25 * 86_400 / jobs);
        let nodes = 1 << draw(6);
        let run = 120 + draw(60) * draw(60) * if nodes > 8 { 4 } else { 12 };
        let limit = run / 60 * (1 + draw(4)) + 10;
        free_at.sort_unstable();
        let start = free_at[nodes - 1].max(submit);
        free_at[..nodes].fill(start + run);
        let partition = if limit <= 120 { "short" } else { "batch" };
        let (submitted, started, ended) = (time(submit), time(start), time(start + run));
        let (user, cores) = (draw(40), nodes as u64 * CORES);
        writeln!(
            sacct,
            "{job}|{job}|j|u{user}|a{}|{partition}|normal|{submitted}|{submitted}|{started}|{ended}|{run}|{limit}|{nodes}|{cores}|COMPLETED|1",
            user % 5
        )
        .expect("a text takes all");
    }
    vec![logs::write("large-sacct.txt", sacct.as_bytes()), logs::write("large-slurm.conf", conf.as_bytes())]
}

#[tokio::test]
#[ignore = "prints how long it takes, which depends on the machine"]
async fn how_long_a_large_site_takes() {
    play("cluster-large", |stage| async move {
        let page = stage.newcomer().await;
        page.goto(&stage.url().await).await;
        page.says("finding", "%").await;
        page.drop_files(&of_large_site(5_000)).await;
        let begin = Instant::now();
        let told = |what: &str| println!("{what} after {:.1} s", begin.elapsed().as_secs_f64());
        page.until("cards", "return document.querySelectorAll('[data-testid=cluster-card]').length > 3").await;
        told("cards");
        let computed =
            "return [...document.querySelectorAll('[data-testid=cluster-card]')].some(card => card.dataset.value)";
        page.until("a card with its effect", computed).await;
        told("an effect");
        let ranked =
            "return [...document.querySelectorAll('[data-testid=cluster-card]')].every(card => card.dataset.value)";
        page.until("all effects", ranked).await;
        told("all effects, ranked");
        let whiskers = "return document.querySelectorAll('.cluster-whisker').length > 3";
        page.until("whiskers", whiskers).await;
        told("whiskers");
        page.says("cluster-state", "20 draws").await;
        told("all draws");
        page.picture("cluster-large").await;
    })
    .await;
}
