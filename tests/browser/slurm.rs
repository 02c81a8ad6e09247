//! The scheduler of a Slurm site: its files beside its log, what they set, what if something were set otherwise, and what
//! is to be done for it.

use crate::page::Page;
use crate::stage::{Stage, play};
use std::path::{Path, PathBuf};

/// A file of what a real Slurm did with known jobs.
fn of_case(name: &str) -> PathBuf {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm/qos")).join(name)
}

/// Opens all that is folded, in the settings and in the results.
async fn unfold(page: &Page) {
    page.evaluate("for (const fold of document.querySelectorAll('details')) fold.open = true").await;
}

/// Types a value in place of what is set.
async fn set(page: &Page, key: &str, value: &str) {
    let script = format!(
        r#"const field = document.querySelector('[data-testid="site-settings"] [data-key="{key}"]');
           field.value = "{value}";
           field.dispatchEvent(new Event("change", {{ bubbles: true }}));"#
    );
    page.evaluate(&script).await;
}

/// A page with the log of the case and the files of its site.
pub async fn at_site(stage: &Stage) -> Page {
    let page = stage.page().await;
    page.completed(4).await;
    page.drop_file(&of_case("sacct.txt")).await;
    page.says("log-name", "sacct.txt").await;
    page.drop_files(&["slurm.conf", "assoc.txt", "qos.txt"].map(of_case)).await;
    // the tab of the site is chosen; what is set, and the table, are elsewhere
    page.find("cluster-cards").await;
    page.press("tab-compare").await;
    page.find("site-parts").await;
    // files that come while a log is being read are for that log
    page.says("log-name", "sacct.txt").await;
    page
}

#[tokio::test]
async fn an_administrator_sees_what_a_line_of_the_configuration_does() {
    play("slurm", |stage| async move {
        let page = at_site(&stage).await;
        unfold(&page).await;
        page.says("site-parts", "16 nodes of 16 processors").await;
        page.says("site-settings", "QOS high").await;
        // fields are made as their groups open
        page.until("fields", r#"return document.querySelector('[data-key="user.u1.Fairshare"]') !== null"#).await;

        // what Slurm would not take is said, and makes no row
        set(&page, "bf_window", "soon").await;
        page.says("site-settings", "bf_window=soon: it takes a whole number").await;
        page.says("add-site-row", "Correct what is wrong").await;
        set(&page, "bf_window", "1440").await;
        page.says("add-site-row", "Change a value").await;

        // two values in one row, and a question at one press
        set(&page, "PriorityWeightAge", "4000").await;
        set(&page, "qos.high.MaxJobsPA", "3").await;
        page.says("add-site-row", "these 2 changes").await;
        page.press("add-site-row").await;
        let ask = r#"const all = [...document.querySelectorAll('[data-testid="site-questions"] button')];
            all.find(button => button.innerText.includes("bf_max_job_test 500 to 1000")).click();"#;
        page.evaluate(ask).await;
        page.run_pending().await;
        page.all_completed().await;
        let rows: Vec<String> = page.table().await.into_keys().collect();
        for part in ["slurm__", "slurm:PriorityWeightAge=4000,qos.high.MaxJobsPA=3__", "slurm:bf_max_job_test=1000__"] {
            assert!(rows.iter().any(|row| row.starts_with(part)), "{part} of {rows:?}");
        }

        unfold(&page).await;
        page.says("site-fit", "with requested estimates").await;
        page.says("site-fit", "Priorities at submission").await;
        page.says("site-fit", "QOS").await;
        page.says("site-to-apply", "+PriorityWeightAge=4000").await;
        page.says("site-to-apply", "sacctmgr -i modify qos where name=high set MaxJobsPA=3").await;
        page.says("site-to-apply", "Judged on: 140 jobs of sacct.txt").await;
        page.says("truth", "Slurm").await;
        let in_place =
            "const all = document.querySelector('.settings-scroll'); return all.scrollWidth <= all.clientWidth";
        page.until("a diff scrolls within itself", in_place).await;

        page.appear(390, 844, false).await;
        let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
        page.until("nothing is wider than the page", fits).await;
        page.picture("slurm").await;
    })
    .await;
}

#[tokio::test]
async fn explore_tells_which_lines_to_change_so_that_no_user_pays_for_it() {
    play("slurm-explore", |stage| async move {
        let page = at_site(&stage).await;
        page.press("tab-explore").await;
        assert_eq!(page.enter(".explore-fields .field", "Keep", "loss(user)<=10%").await, "");
        assert_eq!(page.enter(".explore-fields .field", "Runs", "64").await, "");
        // the mean wait, by Slurm's settings alone, beside Slurm as configured
        let choose = r#"for (const option of document.querySelectorAll('[data-testid="explore-form"] .option')) {
                const [box, text] = [option.querySelector("input"), option.innerText.trim()];
                if (box.checked !== (text === "Slurm" || text.endsWith("(AQ)"))) box.click();
            }
            const selects = document.querySelectorAll('[data-testid="explore-form"] select');
            const beside = selects[selects.length - 1];
            beside.value = "slurm";
            beside.dispatchEvent(new Event("change", { bubbles: true }));"#;
        page.evaluate(choose).await;
        page.press("explore-start").await;
        page.says("explore-said", "64 settings were tried").await;
        page.says("explore-answer", "jobs are too few to tell which settings are better").await;
        page.says("explore-front", "Loss by user").await;
        page.says("explore-common", "Slurm: bf_window").await;
        let fits = "return document.documentElement.scrollWidth <= document.documentElement.clientWidth";
        page.until("nothing is wider than the page", fits).await;
        let values = r#"const table = document.querySelector('[data-testid="explore-front"]');
            const scroll = table.closest(".table-scroll");
            return scroll.scrollWidth <= scroll.clientWidth"#;
        page.until("values stand beside the settings", values).await;
        page.picture("slurm-explore").await;
    })
    .await;
}
