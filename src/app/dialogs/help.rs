//! The help: what the page is, its words, the papers whose ideas are in it, and its keys.

use super::Dialogs;
use crate::app::prelude::*;
use crate::app::widget::Modal;
use packfair_study::Engine;
use packfair_study::learn::{LESSONS, Lesson};

/// The short name of each paper, and its authors, title and year.
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

const KEYS: [(&str, &str); 11] = [
    ("Tab", "goes from one control to the next"),
    ("← →", "go from one tab to the next, and move the crosshair of a chart"),
    ("↑ ↓", "go through menus and the rows of tables"),
    ("b", "makes the row with the focus the baseline"),
    ("r", "runs it again"),
    ("Del", "takes it out of the table"),
    ("Ctrl+Z", "takes back what was taken out or replaced last"),
    ("+ −", "zoom a chart that has the focus"),
    ("W A S D", "zoom and move the Gantt chart that has the focus; so does the wheel, with Shift sideways"),
    ("?", "shows this"),
    ("Esc", "closes menus and dialogs, and takes back what is being typed"),
];

/// Words and signs of the page, and what they mean.
const WORDS: [(&str, &str); 18] = [
    ("r", "processors that a job takes"),
    ("D", "its run time: how long it runs, known only when it ends"),
    ("L", "its limit: the time that its user asked for, after which it is killed"),
    ("E", "its estimate: the run time that the scheduler reckons with"),
    ("k", "a distortion factor: estimates are multiplied by it"),
    ("Q", "its wait, from submission to start"),
    ("F", "its response time, from submission to completion: Q + D"),
    ("BSLD", "bounded slowdown: F / D, with run times below 10 s taken for 10 s; how long a wait feels"),
    ("AF", "average response time; every job counts the same"),
    (
        "AWF",
        "average response time weighted by area r D: packing efficiency. It falls where the machine is packed better",
    ),
    (
        "P²SF",
        "a mean response time in which long ones count most: fairness. It rises where somebody is put off for long",
    ),
    (
        "CWA",
        "cumulative wait area: wait times width, added up over jobs in order of their size; it shows which sizes pay",
    ),
    ("LOC", "loss of capacity: the share of the machine that is idle while somebody waits who would fit"),
    ("FCFS, SJF, SAF, LAF", "orders of a queue: first come; shortest, smallest area, largest area first"),
    ("List scheduling", "starts the first of the queue, and nobody before it; Aggressive starts whoever fits"),
    (
        "JustBF",
        "plans the whole queue in its order in every round, each job at its earliest start; starts those planned for now",
    ),
    ("EASY", "reserves for the first of the queue only; others may start if they do not delay it"),
    ("Conservative", "reserves for every job when it is submitted; nobody may delay anybody"),
];

/// A link to a lesson, before the comma or the full stop.
fn lesson_link(dialogs: Dialogs, lesson: &'static Lesson) -> AnyView {
    let is_last = LESSONS.last().is_some_and(|last| last.id == lesson.id);
    view! {
        <a
            href=format!("#learn={}", lesson.id)
            data-testid=format!("help-lesson-{}", lesson.id)
            on:click=move |_| dialogs.help.set(false)
        >
            {lesson.name}
        </a>
        {if is_last { "." } else { ", " }}
    }
}

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
                <li>"Drop or paste a log anywhere on the page: of Slurm (sacct -P), PBS, LSF, Grid Engine or Batsim, in the Standard Workload Format (.swf), or a table with names of columns (CSV, Parquet); it may be packed by gzip, zstandard, bzip2, xz, zip or tar."</li>
                <li>"Choose schedulers, run-time estimates and metrics on the left, or take a recipe of a paper."</li>
                <li>"Run. Click a row's star to compare all others with it; share the result as a link."</li>
            </ol>
            <h3>"Terms"</h3>
            <dl class="terms" data-testid="glossary">
                {WORDS.map(|(word, means)| view! { <dt>{word}</dt> <dd>{means}</dd> }).collect_view()}
            </dl>
            <p>
                "Shown on twelve jobs: "
                {LESSONS.iter().map(|lesson| lesson_link(dialogs, lesson)).collect_view()}
            </p>
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
            <p class="quiet" data-testid="version">
                {format!("Packfair {}, engine {}. ", env!("CARGO_PKG_VERSION"), Engine::THIS)}
                <a href="third-party.txt" target="_blank" rel="noopener">"Licences of the libraries in it"</a>
                "."
            </p>
        </Modal>
    }
}
