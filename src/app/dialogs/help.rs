//! The help: what the page is, its words, the papers whose ideas are in it, and its keys.

use super::CopyButton;
use super::Dialogs;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Modal;
use packfair_study::Engine;
use packfair_study::export::sacct_sample;
use packfair_study::learn::{LESSONS, Lesson};
use packfair_workload::{DATA_SETS, DataSet};

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

// How users get a log of their own cluster, and what is in it.

/// A way to make a log that can be dropped on the page.
struct OwnLogRecipe {
    id: &'static str,
    /// The name of the batch system.
    name: &'static str,
    command: &'static str,
    /// What the command does, and what the user has to know.
    about: &'static str,
    /// What the command leaves out of the log, and what stays in it.
    privacy: &'static str,
}

/// The command by which Slurm prints a log.
pub fn slurm_command() -> &'static str {
    RECIPES[0].command
}

const RECIPES: [OwnLogRecipe; 6] = [
    OwnLogRecipe {
        id: "slurm",
        name: "Slurm",
        command: "TZ=UTC sacct -a -X -D -P -S 2026-01-01 -E 2026-02-01 -o JobID,JobIDRaw,User,Account,Partition,QOS,\
                  Submit,Eligible,Start,End,ElapsedRaw,TimelimitRaw,NNodes,NCPUS,ReqTRES,AllocTRES,State,Priority,JobName \
                  > sacct.txt",
        about: "One line a job (-X), also of those that were requeued (-D), in UTC, with whole fields (-P). Large sites \
                take a month at a time and drop all files at once: a job in two of them counts once.",
        privacy: "It leaves out command lines (SubmitLine), directories and comments. Take JobName off its end to leave \
                  out the names of jobs too. Users and accounts are in it.",
    },
    OwnLogRecipe {
        id: "pbs",
        name: "PBS",
        command: "grep -ah ';[EDR];' /var/spool/pbs/server_priv/accounting/202601* > pbs.txt",
        about: "The server's accounting of PBS Pro, OpenPBS and Torque, a file a day: as root on the server. The files \
                may also be dropped as they are, all at once, or as a .tar.",
        privacy: "It leaves out the records of starts and of licences. Users, accounts, and names of jobs and hosts are in \
                  it.",
    },
    OwnLogRecipe {
        id: "lsf",
        name: "LSF",
        command: "grep -ah '^\"JOB_FINISH\"' $LSB_SHAREDIR/*/logdir/lsb.acct* > lsb.acct",
        about: "One line a job that has ended.",
        privacy: "The lines hold commands and directories, and LSF has no way to leave them out: they are not read here. \
                  Users, projects and queues are.",
    },
    OwnLogRecipe {
        id: "grid-engine",
        name: "Grid Engine",
        command: "awk -F: -v OFS=: '!/^#/ { $5 = \"-\"; print }' $SGE_ROOT/${SGE_CELL:-default}/common/accounting \
                  > accounting.txt",
        about: "One line a job, of Sun, Univa and Altair Grid Engine and their like.",
        privacy: "It leaves out the names of jobs. Users, groups, projects and hosts are in it.",
    },
    OwnLogRecipe {
        id: "swf",
        name: "SWF",
        command: "packfair convert LOG --anonymise > log.swf",
        about: "The Standard Workload Format of the Parallel Workloads Archive. The command line makes it of any format \
                that is read here; so does Export here, of the log that is open.",
        privacy: "With --anonymise users, groups, queues, partitions and programs are numbers that only who has the key \
                  can tell; job numbers, memory and comments are left out.",
    },
    OwnLogRecipe {
        id: "csv",
        name: "CSV",
        command: "duckdb -csv -c \"SELECT id, submit, start, \\\"end\\\", processors, \\\"limit\\\", \\\"user\\\", \
                  partition FROM 'jobs.parquet'\" > jobs.csv",
        about: "A Parquet file can be dropped as it is; so can any table with a line of names above: the submission, the \
                run time or start and end, and processors or nodes are needed. Times are dates or seconds since 1970. This \
                makes a table of some columns of a Parquet file.",
        privacy: "It holds what you put into it. Columns of users and partitions may be left out, or hold numbers.",
    },
];

/// The dialog that explains how to get a log.
#[component]
pub fn OwnLog() -> impl IntoView {
    let dialogs = expect_context::<Dialogs>();
    view! {
        <Modal open=dialogs.own_log title="A log of your own cluster">
            {contents()}
        </Modal>
    }
}

// a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents() -> AnyView {
    let app = expect_context::<App>();
    let dialogs = expect_context::<Dialogs>();
    let chosen = RwSignal::new(0_usize);
    let recipe = move || &RECIPES[chosen.get()];
    let tab = move |(place, recipe): (usize, &'static OwnLogRecipe)| {
        view! {
            <button
                class="segment"
                type="button"
                role="tab"
                data-testid=format!("own-log-{}", recipe.id)
                aria-selected=move || (chosen.get() == place).to_string()
                aria-pressed=move || (chosen.get() == place).to_string()
                on:click=move |_| chosen.set(place)
            >
                {recipe.name}
            </button>
        }
    };
    let open_sample = move |_| {
        match files::of_text("sample-sacct.txt", &sacct_sample()) {
            Some(file) => app.load_file(file),
            None => app.complain("The browser refuses to make a file."),
        }
        dialogs.own_log.set(false);
    };
    view! {
        <div class="segments" role="tablist" aria-label="Batch system">
            {RECIPES.iter().enumerate().map(tab).collect_view()}
        </div>
        <p data-testid="own-log-about">{move || recipe().about}</p>
        <pre class="command" tabindex="0" data-testid="own-log-command">{move || recipe().command}</pre>
        <CopyButton text=Signal::derive(move || recipe().command.to_owned()) label="Copy command" />
        <p data-testid="own-log-privacy">
            <strong>"What is in it: "</strong>
            {move || recipe().privacy}
            " Whatever it holds, it stays on this computer."
        </p>
        <p>
            "To see when the jobs start that wait now, drop beside it what "
            <code>"squeue --json"</code>
            " or "
            <code>"qstat -f -F json"</code>
            " prints."
        </p>
        <p>
            <button class="link" type="button" data-testid="open-sample" on:click=open_sample>
                "Open a generated sample of what sacct prints"
            </button>
        </p>
        <h3>"Public data sets"</h3>
        <p>"Drop a file of one as it is: its columns tell which it is, and it is put on its own machine."</p>
        <ul data-testid="data-sets">{DATA_SETS.iter().map(data_set).collect_view()}</ul>
    }
    .into_any()
}

fn data_set(set: &'static DataSet) -> AnyView {
    view! {
        <li>
            <a href=set.from target="_blank" rel="noopener">{set.name}</a>
            <span class="quiet">{format!(" {}.", set.about)}</span>
        </li>
    }
    .into_any()
}
