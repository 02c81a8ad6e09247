//! The reader of what `sacctmgr -P` prints: a header line, and columns separated by `|`.

use super::accounts::{AssociationLine, Qos};
use super::kind::is_rule;
use super::limits::LimitSet;
use super::lines::{FindingKind, FindingLog};
use super::partitions::{PreemptedJobs, has_mode};
use super::quantity::span;

/// A table: the names of its columns, and its rows.
pub(super) struct SlurmTable<'a> {
    names: Vec<String>,
    rows: Vec<(u32, Vec<&'a str>)>,
}

impl<'a> SlurmTable<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let is_told = |line: &str| !line.trim().is_empty() && !line.starts_with('#');
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| is_told(line));
        let header = lines.next().map_or("", |(_, line)| line);
        // older versions write "Max Jobs PU" for MaxJobsPU
        let names = header.split('|').map(|name| name.replace(' ', "").to_ascii_lowercase()).collect();
        SlurmTable {
            names,
            rows: lines.map(|(number, line)| (number, line.split('|').map(str::trim).collect())).collect(),
        }
    }

    /// The value of a column in a row; empty where the row has none.
    pub(super) fn value(&self, row: &[&'a str], column: &str) -> &'a str {
        let at = self.names.iter().position(|name| name == column);
        at.and_then(|at| row.get(at)).copied().unwrap_or_default()
    }

    /// How far the account of a line, given by its number, is indented.
    fn indent(&self, text: &str, line: u32) -> usize {
        let row = text.lines().nth(line as usize - 1).unwrap_or_default();
        let column = self.names.iter().position(|name| name == "account");
        let field = column.and_then(|column| row.split('|').nth(column)).unwrap_or_default();
        field.len() - field.trim_start_matches(' ').len()
    }

    pub(super) fn rows(&self) -> &[(u32, Vec<&'a str>)] {
        &self.rows
    }

    fn named<'b>(&'b self, row: &'b [&'a str]) -> impl Iterator<Item = (&'b str, &'a str)> {
        self.names.iter().map(String::as_str).zip(row.iter().copied()).filter(|(_, value)| !value.is_empty())
    }
}

/// The columns of which a value may be cut, for nothing here goes by them.
const MAY_BE_CUT: &[&str] = &[
    "admin",
    "cluster",
    "coordinators",
    "coordaccounts",
    "defqos",
    "descr",
    "description",
    "lineage",
    "org",
    "organization",
    "qos",
    "reason",
];

/// A table in columns of fixed width, with `|` between them; line for line, but for the rule, whose line is empty. None where
/// it is no such table, or where sacctmgr has cut a value that counts, which it marks by a `+` at the end.
pub(super) fn parted(text: &str) -> Option<String> {
    let rule = text.lines().position(is_rule)?;
    let mut spans: Vec<(usize, usize)> = Vec::new();
    for (at, _) in text.lines().nth(rule)?.chars().enumerate().filter(|(_, c)| *c == '-') {
        match spans.last_mut().filter(|(_, end)| *end == at) {
            Some((_, end)) => *end += 1,
            None => spans.push((at, at + 1)),
        }
    }
    // what stands between columns is of no column
    let is_within = |line: &str| {
        let is_blank =
            |(at, c): (usize, char)| c.is_whitespace() || spans.iter().any(|&(begin, end)| (begin..end).contains(&at));
        line.chars().enumerate().all(is_blank)
    };
    if !text.lines().enumerate().all(|(number, line)| number == rule || is_within(line)) {
        return None;
    }
    let cells = |line: &str| -> Vec<String> {
        let letters: Vec<char> = line.chars().collect();
        let cell = |&(begin, end): &(usize, usize)| letters.iter().skip(begin).take(end - begin).collect();
        spans.iter().map(cell).collect()
    };
    let mut header = cells(text.lines().take(rule).filter(|line| !line.trim().is_empty()).last()?);
    // sacctmgr cuts these names, too
    for name in &mut header {
        match name.as_str() {
            "GrpTRESRunMin" => name.push('s'),
            "MaxTRESRunMinsP" => name.push('U'),
            _ => {}
        }
    }
    // names of columns that stand to the left have their values there, too, and blanks before these mean something
    let is_left = |at: usize| !header[at].starts_with(' ');
    let may_be_cut = |at: usize| MAY_BE_CUT.contains(&header[at].trim().replace(' ', "").to_ascii_lowercase().as_str());
    let mut whole = String::new();
    for (number, line) in text.lines().enumerate() {
        if number != rule && !line.trim().is_empty() {
            let cells = if number < rule { header.clone() } else { cells(line) };
            let is_cut = |(at, cell): (usize, &String)| {
                cell.ends_with('+') && cell.trim().chars().count() == spans[at].1 - spans[at].0 && !may_be_cut(at)
            };
            if cells.iter().enumerate().any(is_cut) {
                return None;
            }
            let value = |(at, cell): (usize, &String)| {
                if is_left(at) { cell.trim_end().to_owned() } else { cell.trim().to_owned() }
            };
            whole.push_str(&cells.iter().enumerate().map(value).collect::<Vec<_>>().join("|"));
        }
        whole.push('\n');
    }
    Some(whole)
}

/// The accounts above a line of a table whose accounts are indented, each with its indent.
#[derive(Default)]
pub(super) struct AccountsAbove(Vec<(usize, String)>);

impl AccountsAbove {
    /// The account above the one of a line that is indented so far; empty where it is at the top.
    pub(super) fn of(&mut self, account: &str, indent: usize) -> String {
        self.0.retain(|(other, _)| *other < indent);
        let parent = self.0.last().map(|(_, name)| name.clone()).unwrap_or_default();
        self.0.push((indent, account.to_owned()));
        parent
    }
}

/// The columns of associations that do not decide on starts here.
const WITHOUT_EFFECT: &[&str] = &[
    "cluster",
    "id",
    "lft",
    "rgt",
    "maxcpumins",
    "maxcpurunmins",
    "maxtresmins",
    "maxtrespernode",
    "qos",
    "qosraw",
    "wopi",
    "lineage",
    "parentid",
    "comment",
    "flags",
    "maxjobsaccrue",
    "grpjobsaccrue",
    "minpriothresh",
    "minpriothreshold",
    "deletedflag",
    "description",
    "descr",
    "organization",
    "org",
    "admin",
    "adminlevel",
    "defaultaccount",
    "defacct",
    "defaultwckey",
    "coordinators",
    "classification",
    "rawusage",
];

/// The columns of QOS that do not decide on starts here.
const QOS_WITHOUT_EFFECT: &[&str] = &[
    "id",
    "description",
    "maxcpumins",
    "maxtresmins",
    "maxtrespernode",
    "minpriothresh",
    "mintres",
    "maxsubmitpa",
    "maxtresperuser(old)",
    "mintresperjob",
    "mintrespj",
    "descr",
    "maxprio",
    "maxtrespn",
    "maxtresminspj",
    "maxtresminsperjob",
    "minpriothreshold",
    "maxsubmitjobspa",
    "maxsubmitjobsperaccount",
    "rawusage",
    "relative",
];

/// What decides on starts of a QOS's jobs in Slurm and not here.
const QOS_NOT_MODELLED: &[&str] = &[
    "gracetime",
    "usagethres",
    "usagethreshold",
    "limitfactor",
    "maxtresrunminspu",
    "maxtresrunminsperuser",
    "maxtresrunminspa",
    "maxtresrunminsperaccount",
    "maxjobsaccruepu",
    "maxjobsaccrueperuser",
    "maxjobsaccruepa",
    "maxjobsaccrueperaccount",
    "grpjobsaccrue",
];

/// The flags of a QOS that decide on starts in Slurm and not here.
const QOS_FLAGS: &[&str] = &[
    "NoReserve",
    "OverPartQOS",
    "NoDecay",
    "UsageFactorSafe",
    "EnforceUsageThreshold",
    "RequiresReservation",
    "Relative",
];

/// Reads `sacctmgr -P show assoc`.
pub(super) fn associations(text: &str, findings: &mut FindingLog<'_>) -> Vec<AssociationLine> {
    let table = SlurmTable::of(text);
    let mut found = Vec::new();
    let mut above = AccountsAbove::default();
    for (line, row) in table.rows() {
        let mut association = AssociationLine {
            line: *line,
            cluster: table.value(row, "cluster").to_owned(),
            account: table.value(row, "account").to_owned(),
            user: table.value(row, "user").to_owned(),
            parent: table.value(row, "parentname").to_owned(),
            shares: Some(1),
            ..AssociationLine::default()
        };
        if association.account.is_empty() {
            findings.wrong(*line, "a line without an account");
            continue;
        }
        if association.parent.is_empty() && association.user.is_empty() {
            association.parent = above.of(&association.account, table.indent(text, *line));
        }
        for (name, value) in table.named(row) {
            match name {
                "share" | "fairshare" | "rawshares" => association.shares = shares(value, *line, findings),
                "defqos" | "defaultqos" => association.default_qos = value.to_owned(),
                "partition" => association.partition = value.to_owned(),
                "priority" => association.priority = value.parse().ok(),
                "account" | "user" | "parentname" => {}
                known if WITHOUT_EFFECT.contains(&known) => {}
                _ => match association.limits.set(name, value) {
                    LimitSet::Set => {}
                    LimitSet::OfOthers => findings.note(FindingKind::NotModelled, *line, others(name, value)),
                    LimitSet::NoValue => findings.wrong(*line, format!("{name}={value:.60}")),
                    LimitSet::NoLimit => findings.note(FindingKind::Unknown, *line, format!("{name:.60}={value:.60}")),
                },
            }
        }
        found.push(association);
    }
    found
}

/// Reads `sacctmgr -P show qos`.
pub(super) fn qos(text: &str, findings: &mut FindingLog<'_>) -> Vec<Qos> {
    let table = SlurmTable::of(text);
    let mut found: Vec<Qos> = Vec::new();
    for (line, row) in table.rows() {
        let mut qos = Qos { name: table.value(row, "name").to_owned(), usage_factor: 1.0, ..Qos::default() };
        for (name, value) in table.named(row) {
            set_qos(&mut qos, name, value, *line, findings);
        }
        if found.iter().any(|other| other.name == qos.name) {
            findings.wrong(*line, format!("QOS {} stands there twice; the first counts", qos.name));
        } else {
            found.push(qos);
        }
    }
    found
}

/// Sets what a column, or a word of a script, tells of a QOS.
pub(super) fn set_qos(qos: &mut Qos, name: &str, value: &str, line: u32, findings: &mut FindingLog<'_>) {
    match name.to_ascii_lowercase().as_str() {
        "name" => qos.name = value.to_owned(),
        "priority" => match value.parse() {
            Ok(priority) => qos.priority = priority,
            Err(_) => findings.wrong(line, format!("Priority={value:.40}: it takes a whole number")),
        },
        "usagefactor" => match value.parse::<f64>() {
            Ok(factor) if factor.is_finite() && factor >= 0.0 => qos.usage_factor = factor,
            _ => findings.wrong(line, format!("UsageFactor={value:.40}: it takes a number")),
        },
        "preempt" => qos.preempts = value.split(',').map(|name| name.trim().to_owned()).collect(),
        "preemptmode" => {
            qos.preempts_within = has_mode(value, "WITHIN");
            qos.preempts_by_priority = has_mode(value, "PRIORITY");
            // OFF stands for the mode of the cluster
            qos.preempted = PreemptedJobs::of(value).filter(|own| *own != PreemptedJobs::Spared);
            const MODES: [&str; 9] =
                ["", "CLUSTER", "OFF", "CANCEL", "REQUEUE", "SUSPEND", "GANG", "WITHIN", "PRIORITY"];
            if !value.split(',').all(|own| MODES.iter().any(|mode| own.trim().eq_ignore_ascii_case(mode))) {
                findings.wrong(line, format!("PreemptMode={value:.40} of a QOS: there is no such mode"));
            }
        }
        "preemptexempttime" => match span(value) {
            Some(time) => qos.exempt_time = time,
            None => {
                findings.wrong(line, format!("PreemptExemptTime={value:.40} of a QOS: it takes a time such as 30:00"))
            }
        },
        "flags" => {
            let flags = value.split(',').map(str::trim);
            let flags: Vec<&str> =
                flags.filter(|flag| QOS_FLAGS.iter().any(|own| own.eq_ignore_ascii_case(flag))).collect();
            if !flags.is_empty() {
                let words = format!("Flags={} of QOS {:.60}", flags.join(","), qos.name);
                findings.note(FindingKind::NotModelled, line, words);
            }
        }
        lower if QOS_NOT_MODELLED.contains(&lower) => {
            let is_text = !value.is_empty() && span(value) != Some(Some(0));
            let is_set = value.parse::<f64>().map_or(is_text, |number| number > 0.0);
            if is_set {
                let words = format!("{name:.60}={value:.60} of QOS {:.60}", qos.name);
                findings.note(FindingKind::NotModelled, line, words);
            }
        }
        known if QOS_WITHOUT_EFFECT.contains(&known) => {}
        lower => match qos.limits.set(lower, value) {
            LimitSet::Set => {}
            LimitSet::OfOthers => findings.note(FindingKind::NotModelled, line, others(name, value)),
            LimitSet::NoValue => findings.wrong(line, format!("{name:.60}={value:.60}")),
            LimitSet::NoLimit => findings.note(FindingKind::Unknown, line, format!("{name:.60}={value:.60} of a QOS")),
        },
    }
}

/// What is to be said of a limit that names resources of which no limit is simulated.
pub(super) fn others(name: &str, value: &str) -> String {
    format!("{name:.60}={value:.60}: limits of processors, nodes, memory, GPUs and billing alone are simulated")
}

/// Reads shares; none for the word `parent`.
pub(super) fn shares(text: &str, line: u32, findings: &mut FindingLog<'_>) -> Option<u32> {
    match text.trim() {
        text if text.eq_ignore_ascii_case("parent") => None,
        "-1" => Some(1),
        text => match text.parse() {
            Ok(shares) => Some(shares),
            Err(_) => {
                findings.wrong(line, format!("shares {text:.40}: it takes a whole number, or parent"));
                Some(1)
            }
        },
    }
}
