//! Which file of a Slurm site a text is, by its first lines, whatever it is called.

use super::shown::is_shown;
use super::{json, lines};
use packfair_base::encoding::as_utf8;
use packfair_base::pasted::without_typed;

/// Whether a file that begins so is one of a site: `slurm.conf`, or what sacctmgr and scontrol print.
#[inline(never)]
pub fn is_of_site(beginning: &[u8]) -> bool {
    let beginning = as_utf8(beginning);
    let text = String::from_utf8_lossy(&beginning);
    let text = without_typed(&text);
    let is_of_jobs_or_nodes = |kind| matches!(kind, SiteFileKind::Nodes | SiteFileKind::Jobs);
    // archives and binary tables are no texts of Slurm
    !beginning.contains(&0) && (is_template(&text) || kind(&text).is_some_and(|kind| !is_of_jobs_or_nodes(kind)))
}

/// Whether a text is a template of `slurm.conf`.
fn is_template(text: &str) -> bool {
    let lower = text.to_ascii_lowercase();
    let keys = ["clustername", "slurmctldhost", "controlmachine", "nodename", "partitionname", "schedulertype"];
    keys.iter().any(|key| lower.contains(key)) && lines::template(text).is_some()
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SiteFileKind {
    Conf,
    Associations,
    Qos,
    /// What sshare prints: shares, and what was used.
    Usage,
    Events,
    Reservations,
    /// What scontrol shows of the configuration, of partitions and of nodes.
    Shown,
    /// A list of nodes, as sinfo prints it.
    Nodes,
    /// What slurmctld knows of accounts, users and QOS (`scontrol show assoc_mgr`).
    Manager,
    /// Jobs, which are no part of a site.
    Jobs,
    /// The switches of topology.conf.
    Topology,
    /// The topologies of topology.yaml.
    TopologyYaml,
    /// What scontrol shows of licences.
    Licences,
    /// JSON that is not read, and the command that prints the same as text.
    Json(&'static str),
    /// Another file of Slurm's, which decides on nothing here, and what it is about.
    Beside(&'static str, &'static str),
    /// A table in columns of fixed width, and the command that prints all of it.
    Padded(&'static str),
    Script,
}

impl SiteFileKind {
    /// The page of Slurm's manual that says what stands in such a file.
    pub(super) fn page(self) -> &'static str {
        match self {
            SiteFileKind::Conf | SiteFileKind::Shown | SiteFileKind::Nodes | SiteFileKind::Beside(..) => {
                "slurm.conf(5)"
            }
            SiteFileKind::Associations
            | SiteFileKind::Qos
            | SiteFileKind::Events
            | SiteFileKind::Padded(_)
            | SiteFileKind::Script => "sacctmgr(1)",
            SiteFileKind::Topology => "topology.conf(5)",
            SiteFileKind::TopologyYaml => "topology.yaml(5)",
            SiteFileKind::Reservations | SiteFileKind::Licences | SiteFileKind::Manager => "scontrol(1)",
            SiteFileKind::Json(_) | SiteFileKind::Jobs => "",
            SiteFileKind::Usage => "sshare(1)",
        }
    }
}

/// Whether a text is a table of which the first line has values and no names.
pub(super) fn is_nameless(text: &str) -> bool {
    let first = text.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    first.matches('|').count() >= 4 && first.split('|').filter(|field| field.is_empty()).count() >= 3
}

/// The kind of a text, by its first lines; none if it is none of these.
pub(super) fn kind(text: &str) -> Option<SiteFileKind> {
    let text = without_date(text);
    if let Some(command) = json(text) {
        return Some(SiteFileKind::Json(command));
    }
    let first = text.lines().find(|line| !line.trim().is_empty() && !line.trim_start().starts_with('#'))?;
    let lower = first.to_ascii_lowercase().replace(' ', "");
    if lower.contains('|') {
        return of_table(&lower);
    }
    let all = text.to_ascii_lowercase();
    if lower.starts_with("reservationname=") || lower.starts_with("noreservationsinthesystem") {
        return Some(SiteFileKind::Reservations);
    }
    if lower.starts_with("licensename=") || lower.starts_with("nolicensesconfigured") {
        return Some(SiteFileKind::Licences);
    }
    if lower == "currentassociationmanagerstate" {
        return Some(SiteFileKind::Manager);
    }
    if lower.starts_with("jobid=") {
        return Some(SiteFileKind::Jobs);
    }
    if lower == "---" || lower.starts_with("-topology:") {
        return all.contains("topology:").then_some(SiteFileKind::TopologyYaml);
    }
    if all.contains("sdiag output at") {
        let about = "which measures Slurm itself; how many jobs its backfill looks at in a second, slurm:rate=N takes";
        return Some(SiteFileKind::Beside("what sdiag prints", about));
    }
    if is_shown(first, &all) {
        return Some(SiteFileKind::Shown);
    }
    if let Some(kind) = of_columns(first) {
        return Some(kind);
    }
    if let Some(command) = padded(text) {
        return Some(SiteFileKind::Padded(command));
    }
    let begins = |word: &str| first.trim_start().to_ascii_lowercase().starts_with(word);
    let is_script = [
        "add ",
        "create ",
        "modify ",
        "remove ",
        "delete ",
        "sacctmgr ",
        "cluster - ",
        "parent - ",
        "qos - ",
        "account - ",
        "user - ",
    ];
    if is_script.into_iter().any(begins) {
        return Some(SiteFileKind::Script);
    }
    let is_conf = |line: &str| {
        let key = line.trim_start().split('=').next().unwrap_or_default().trim();
        line.contains('=') && !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
    };
    if let Some(beside) = beside(&all) {
        return Some(beside);
    }
    let is_include = |line: &str| line.trim_start().to_ascii_lowercase().starts_with("include ");
    let is_program = text.starts_with("#!");
    (!is_program && (is_conf(first) || is_include(first))).then_some(SiteFileKind::Conf)
}

/// The kind of a table whose columns are separated by `|`, by its names in lower case.
fn of_table(names: &str) -> Option<SiteFileKind> {
    let has = |column: &str| names.split('|').any(|name| name == column);
    Some(match () {
        () if has("jobid") || has("jobidraw") || has("job_id") || has("array_job_id") => SiteFileKind::Jobs,
        () if (has("nodelist") || has("hostnames")) && has("state") => SiteFileKind::Nodes,
        () if has("partition") && has("avail") => SHORT_OF_NODES,
        () if has("account") && has("rawusage") && !has("share") && !has("parentname") => SiteFileKind::Usage,
        () if has("account") && (has("share") || has("fairshare") || has("user")) => SiteFileKind::Associations,
        () if names_are(names, "type|name|id") => {
            SiteFileKind::Beside("a list of trackable resources", "which decides on no start")
        }
        () if has("nodename") && (has("timestart") || has("start")) => SiteFileKind::Events,
        () if has("name") && has("server") => SiteFileKind::Beside(
            "a list of licences, as accounting knows them",
            "scontrol show licenses tells all of them",
        ),
        () if has("name") && (has("priority") || names.contains("maxtres") || has("flags") || has("maxwall")) => {
            SiteFileKind::Qos
        }
        () if has("user") && (has("defacct") || has("admin")) || has("account") && (has("descr") || has("org")) => {
            SiteFileKind::Beside("a list of users or accounts", "sacctmgr -P show assoc tells their shares and limits")
        }
        () if has("cluster") && (has("controlhost") || has("rpc")) => {
            SiteFileKind::Beside("a list of clusters", "which decides on no start")
        }
        () => return None,
    })
}

/// A list of sinfo's that does not tell which node is in which state.
const SHORT_OF_NODES: SiteFileKind = SiteFileKind::Beside(
    "a list of nodes",
    "without the state of each, which scontrol show node, or sinfo -N -l, tells",
);

/// The kind of a table in columns that blanks separate, by its first line.
fn of_columns(first: &str) -> Option<SiteFileKind> {
    let has = |name: &str| first.split_whitespace().any(|column| column.eq_ignore_ascii_case(name));
    let begins = |name: &str| first.split_whitespace().next().is_some_and(|column| column.eq_ignore_ascii_case(name));
    let is_of_jobs = has("jobid") || has("job_id") || has("array_job_id");
    Some(match () {
        () if is_of_jobs && has("priority") && !["st", "state", "name"].into_iter().any(has) => {
            SiteFileKind::Beside("what sprio prints", "priorities of waiting jobs, which are computed here")
        }
        () if is_of_jobs => SiteFileKind::Jobs,
        () if begins("nodelist") || (has("nodelist") || has("hostnames")) && has("state") => SiteFileKind::Nodes,
        () if has("nodelist") && (has("partition") || has("reason")) => SHORT_OF_NODES,
        () if begins("hostnames") || begins("partition") && ["avail", "nodes", "cpus", "gres"].into_iter().any(has) => {
            SHORT_OF_NODES
        }
        () => return None,
    })
}

fn names_are(header: &str, names: &str) -> bool {
    header.trim_end_matches('|') == names
}

/// A text without the date that some commands print above their tables, `Mon Nov 24 10:00:00 2025`, and without the name of
/// the cluster, `CLUSTER: c`.
pub(super) fn without_date(text: &str) -> &str {
    let text = text.trim_start_matches(['\r', '\n']);
    let Some((first, rest)) = text.split_once('\n') else { return text };
    let is_date = chrono::NaiveDateTime::parse_from_str(first.trim(), "%a %b %e %H:%M:%S %Y").is_ok();
    if is_date || first.starts_with("CLUSTER: ") { without_date(rest) } else { text }
}

/// The command that prints as text what a site's JSON has; none where a text is none, or tells of jobs.
fn json(text: &str) -> Option<&'static str> {
    if !text.trim_start().starts_with('{') {
        return None;
    }
    let keys = json::keys(text);
    if keys.iter().any(|key| key.eq_ignore_ascii_case("jobs")) {
        return None;
    }
    let commands = [
        ("slurm_conf", "scontrol show config"),
        ("partitions", "scontrol show partition"),
        ("reservations", "scontrol show reservations"),
        ("licenses", "scontrol show licenses"),
        ("associations", "sacctmgr -P show assoc"),
        ("qos", "sacctmgr -P show qos"),
        ("shares", "sshare -P -a -l"),
        ("sinfo", "scontrol show node"),
        ("nodes", "scontrol show node"),
    ];
    commands.into_iter().find(|(list, _)| keys.contains(list)).map(|(_, command)| command)
}

/// Which file that stands beside slurm.conf a text is, given in lower case; none if it is none of them.
fn beside(text: &str) -> Option<SiteFileKind> {
    let lines = || text.lines().map(str::trim).filter(|line| !line.is_empty() && !line.starts_with('#'));
    let has = |keys: &[&str]| lines().any(|line| keys.iter().any(|key| line.starts_with(key)));
    // only slurm.conf has these
    if has(&["partitionname=", "clustername=", "slurmctldhost=", "controlmachine="]) {
        return None;
    }
    let is_of_gres = |line: &str| {
        line.starts_with("autodetect=")
            || line.starts_with("name=")
            // no line of slurm.conf has a name beside that of nodes
            || line.starts_with("nodename=") && line.split_whitespace().any(|word| word.starts_with("name="))
    };
    let (name, about) = match () {
        () if has(&["switchname="]) => return Some(SiteFileKind::Topology),
        () if has(&["blockname=", "ringname="]) => (
            "topology.conf",
            "of topology/block or topology/ring, which are not modelled: nodes are taken in rows, wherever they are",
        ),
        () if lines().all(is_of_gres) => {
            ("gres.conf", "which says where devices are; how many there are, slurm.conf says")
        }
        () if has(&["cgroup", "constrain"]) => ("cgroup.conf", "which decides on no start"),
        () if has(&["energyipmi", "profilehdf5", "profileinfluxdb", "infinibandofed"]) => {
            ("acct_gather.conf", "which decides on no start")
        }
        () if has(&["basepath=", "autobasepath="]) => ("job_container.conf", "which decides on no start"),
        () if text.contains(".so") && has(&["required ", "optional ", "required\t", "optional\t"]) => {
            ("plugstack.conf", "which decides on no start")
        }
        () if has(&["dbdhost=", "storagetype=", "dbdport="]) => ("slurmdbd.conf", "which decides on no start"),
        () => return None,
    };
    Some(SiteFileKind::Beside(name, about))
}

/// The command that prints a whole table, where a text is one of sacctmgr in columns of fixed width. Such a table is read
/// where nothing in it is cut ([`super::table::parted`]).
fn padded(text: &str) -> Option<&'static str> {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    let (names, rule) = (lines.next()?.to_ascii_lowercase(), lines.next()?);
    let squeezed = names.replace(' ', "");
    // sacct, which prints jobs, has such tables too
    if !is_rule(rule) || squeezed.contains("jobid") {
        return None;
    }
    match () {
        () if squeezed.contains("account") && squeezed.contains("rawshares") => Some("sshare -P -a -l"),
        () if squeezed.contains("nodename") && squeezed.contains("timestart") => Some("sacctmgr -P show event"),
        () if squeezed.contains("account") || squeezed.contains("defacct") || squeezed.contains("controlhost") => {
            Some("sacctmgr -P show assoc")
        }
        () if names.split_whitespace().any(|name| name == "name") => Some("sacctmgr -P show qos"),
        () => None,
    }
}

/// Whether a line is the rule of dashes below the names of a table's columns.
pub(super) fn is_rule(line: &str) -> bool {
    line.chars().all(|c| c == '-' || c.is_whitespace()) && line.split_whitespace().count() > 1
}
