//! Logs that the model explains badly: remedies are tried and offered, and each partition is simulated by itself.

use crate::logs;
use crate::page::Page;
use crate::stage::play;
use std::path::PathBuf;

/// Slurm's accounting of two partitions: one of 4 nodes, on which one job follows the other, and one of 12, which
/// mostly idles. On one machine of 16 nodes there would be no wait at all.
fn merged() -> PathBuf {
    let line = |id: usize, partition: &str, (submit, start): (usize, usize), run: usize, nodes: usize| {
        let [submit, start] = [submit, start].map(|second| 1_700_000_000 + second);
        format!("{id}|{partition}|{submit}|{start}|{run}|60|{nodes}|{}|COMPLETED\n", 8 * nodes)
    };
    let narrow = (0..260).map(|i| line(i, "narrow", (1_000 * i, 2_000 * i), 2_000, 4));
    let wide = (0..240).map(|i| line(260 + i, "wide", (2_000 * i + 5, 2_000 * i + 5), 100, 12));
    let lines: String = narrow.chain(wide).collect();
    let head = "JobID|Partition|Submit|Start|ElapsedRaw|TimelimitRaw|NNodes|NCPUS|State\n";
    logs::write("merged.txt", (head.to_owned() + lines.as_str()).as_bytes())
}

/// Chooses an option in the list of partitions at the top.
async fn choose(page: &Page, name: &str) {
    page.find("partition-switch").await;
    let choose = format!(
        "const list = document.querySelector('[data-testid=partition-switch]');
         list.value = [...list.options].find(option => option.textContent === '{name}').value;
         list.dispatchEvent(new Event('change', {{ bubbles: true }}));"
    );
    page.evaluate(&choose).await;
}

#[tokio::test]
async fn a_poor_fit_is_mended_and_all_of_the_page_follows_the_partition_that_is_chosen() {
    play("apart", |stage| async move {
        let page = stage.page().await;
        page.completed(4).await;
        page.drop_file(&merged()).await;
        page.says("log-name", "merged.txt").await;
        page.completed(5).await;
        page.says("truth", "No row schedules as this cluster did").await;
        page.says("offer", "Each partition by itself explains ").await;
        page.press("take-offer").await;
        page.completed(10).await;
        page.says("apart", "narrow (").await;
        page.says("apart", "All partitions, weighted by their jobs").await;
        assert!(!page.has("offer").await, "it is taken");

        // the tab of waits shows both partitions
        page.press("tab-waits").await;
        page.until(
            "runs of both partitions",
            "const runs = [...document.querySelectorAll('[data-testid=waits-row] [data-run]')].map(cell => cell.dataset.run);
             return runs.some(run => run.includes('easy') && run.includes('__partition'))
                 && new Set(runs.map(run => run.split('__partition')[1]).filter(Boolean)).size === 2",
        )
        .await;
        // a search needs one machine
        page.press("tab-explore").await;
        page.press("explore-start").await;
        page.says("explore-fault", "choose one of them at the top").await;

        choose(&page, "Partition wide").await;
        page.press("tab-compare").await;
        page.completed(5).await;
        page.says("truth", "comes nearest to the log").await;
        page.press("tab-workload").await;
        page.says("workload-view", "240").await;
        page.press("tab-explore").await;
        page.press("explore-start").await;
        page.until("no fault", "return !document.querySelector('[data-testid=explore-fault]')").await;
        page.press("explore-cancel").await;

        choose(&page, "One machine").await;
        page.press("tab-compare").await;
        page.completed(5).await;
        page.says("truth", "No row schedules as this cluster did").await;
    })
    .await;
}
