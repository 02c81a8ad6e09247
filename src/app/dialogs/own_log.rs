//! How users get a log of their own cluster, and what is in it.

use super::Dialogs;
use super::copying::CopyButton;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::Modal;
use packfair_study::export::sacct_sample;
use packfair_workload::{DATA_SETS, DataSet};

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
