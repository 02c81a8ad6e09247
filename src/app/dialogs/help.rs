//! What this is, whose ideas are in it, and its keys.

use super::Dialogs;
use crate::app::prelude::*;
use crate::app::widget::Modal;

/// Short name, and authors, title and year of each paper.
const PAPERS: [(&str, &str); 5] = [
    (
        "METRICS",
        "A. V. Goponenko et al., Metrics for Packing Efficiency and Fairness of HPC Cluster Batch Job Scheduling, 2022",
    ),
    (
        "FAIRNESS",
        "A. Rajbhandary, D. P. Bunde, V. J. Leung, Variations of Conservative backfilling to improve fairness, 2013",
    ),
    (
        "CLASSIFY",
        "S. Zrigui, R. Y. de Camargo, A. Legrand, D. Trystram, Improving the Performance of Batch Schedulers Using \
         Online Job Runtime Classification, 2022",
    ),
    (
        "CP",
        "A. V. Goponenko et al., Job Scheduling for HPC Clusters: Constraint Programming vs. Backfilling Approaches, 2024",
    ),
    ("DYNP", "A. Streit, A Self-Tuning Job Scheduler Family with Dynamic Policy Switching, 2002"),
];

/// Keys, and what they do.
const KEYS: [(&str, &str); 8] = [
    ("Tab", "goes from one control to the next"),
    ("← →", "go from one tab to the next, and move the crosshair of a chart"),
    ("↑ ↓", "go through menus and the rows of tables"),
    ("b", "makes the row with the focus the baseline"),
    ("r", "runs it again"),
    ("v", "checks its schedule"),
    ("Del", "takes it out of the table"),
    ("Esc", "closes menus and dialogs, and takes back what is being typed"),
];

/// The dialog with the help.
#[component]
pub fn Help() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.help title="Packfair">
            <p>
                "Packfair simulates batch-job schedulers on the log of a cluster, and compares what each does to \
                 response time, packing efficiency and fairness. Everything runs in this browser: a log never leaves \
                 this computer."
            </p>
            <ol class="steps">
                <li>"Drop or paste a log anywhere on the page: of Slurm (sacct -P), PBS, LSF, Grid Engine or Batsim, in the Standard Workload Format (.swf), or a table with names of columns; it may be gzipped or zipped."</li>
                <li>"Choose schedulers, run-time estimates and metrics on the left, or take a recipe of a paper."</li>
                <li>"Run. Click a row's star to compare all others with it; share the result as a link."</li>
            </ol>
            <h3>"Papers"</h3>
            <dl class="terms">
                {PAPERS.map(|(name, title)| view! { <dt>{name}</dt> <dd>{title}</dd> }).collect_view()}
            </dl>
            <h3>"Keys"</h3>
            <dl class="terms">
                {KEYS.map(|(key, does)| view! { <dt><kbd>{key}</kbd></dt> <dd>{does}</dd> }).collect_view()}
            </dl>
            <p class="quiet">
                "Logs of many machines are in the Parallel Workloads Archive, "
                <a href="https://www.cs.huji.ac.il/labs/parallel/workload/" target="_blank" rel="noopener">
                    "www.cs.huji.ac.il/labs/parallel/workload"
                </a>
                "."
            </p>
        </Modal>
    }
}
