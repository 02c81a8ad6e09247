//! My cluster: from a dropped log and a site's files to ranked changes and a copied diff, with no press but the copy.

use crate::page::Page;
use crate::stage::{Stage, play};
use std::path::{Path, PathBuf};

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
