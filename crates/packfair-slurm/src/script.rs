//! The reader of scripts and dumps of sacctmgr: lines of `add`, `modify`, `remove`, and `Account -
//! 'name':Fairshare=...`.

use super::accounts::{AssociationLine, Qos};
use super::limits::LimitSet;
use super::lines::{FindingKind, FindingLog, lines, words};
use super::table::{others, set_qos, shares};

#[derive(Default)]
pub(super) struct SacctmgrScript {
    pub(super) associations: Vec<AssociationLine>,
    pub(super) qos: Vec<Qos>,
    /// The cluster whose dump is read; empty before a dump names one.
    cluster: String,
}

type ScriptWord = (String, Option<String>);

/// Reads a script of `sacctmgr add` and `modify` lines, or a dump.
pub(super) fn read(text: &str, script: &mut SacctmgrScript, findings: &mut FindingLog<'_>) {
    let mut parent = String::from("root");
    for (line, content) in lines(text) {
        let begin = content.trim_start_matches("sacctmgr").trim_start().trim_start_matches("-i ").trim_start();
        let words = words(begin);
        let is = |at: usize, names: &[&str]| {
            words.get(at).is_some_and(|(word, _)| names.contains(&word.to_ascii_lowercase().as_str()))
        };
        if let Some((what, rest)) = begin.split_once(" - ") {
            dumped(what.trim(), rest, line, &mut parent, script, findings);
        } else if is(0, &["add", "create"]) {
            added(&words[1..], line, script, findings);
        } else if is(0, &["modify"]) {
            modified(&words[1..], line, script, findings);
        } else if is(0, &["remove", "delete"]) && is(1, &["qos"]) {
            let gone = value(&words[2..], "name");
            script.qos.retain(|qos| Some(qos.name.as_str()) != gone);
        } else if !is(0, &["list", "show", "quit", "exit", "remove", "delete"]) {
            findings.note(FindingKind::Unknown, line, format!("{content:.100}"));
        }
    }
}

fn value<'a>(words: &'a [ScriptWord], key: &str) -> Option<&'a str> {
    let plural = format!("{key}s");
    let is = |name: &str| name.eq_ignore_ascii_case(key) || name.eq_ignore_ascii_case(&plural);
    words.iter().find(|(name, _)| is(name)).and_then(|(_, value)| value.as_deref())
}

fn added(words: &[ScriptWord], line: u32, script: &mut SacctmgrScript, findings: &mut FindingLog<'_>) {
    let Some(((what, _), rest)) = words.split_first() else { return };
    // the name may be given without "name="
    let bare = rest.iter().find(|(_, value)| value.is_none()).map(|(word, _)| word.as_str());
    let names = value(rest, "name").or(bare).unwrap_or_default();
    match what.to_ascii_lowercase().as_str() {
        "qos" => {
            let mut qos = Qos { name: names.to_owned(), usage_factor: 1.0, ..Qos::default() };
            for (key, value) in rest {
                if let Some(value) = value {
                    set_qos(&mut qos, key, value, line, findings);
                }
            }
            script.qos.push(qos);
        }
        "account" => {
            for name in names.split(',') {
                let parent = value(rest, "parent").unwrap_or("root").to_owned();
                let made =
                    AssociationLine { line, account: name.to_owned(), parent, shares: Some(1), ..Default::default() };
                script.associations.push(made);
                let at = script.associations.len() - 1;
                set(&mut script.associations[at], rest, line, findings);
            }
        }
        "user" => {
            let accounts = value(rest, "account").or(value(rest, "defaultaccount")).unwrap_or("root");
            for user in names.split(',') {
                for account in accounts.split(',') {
                    let (user, account) = (user.to_owned(), account.to_owned());
                    let mut made = AssociationLine { line, account, user, shares: Some(1), ..Default::default() };
                    set(&mut made, rest, line, findings);
                    script.associations.push(made);
                }
            }
        }
        "cluster" | "coordinator" | "wckey" => {}
        _ => findings.note(FindingKind::Unknown, line, format!("add {what:.60}")),
    }
}

/// The options of accounts and users in full that do not decide on starts here. sacctmgr takes any beginning of them.
const WITHOUT_EFFECT: &[&str] = &[
    "names",
    "accounts",
    "users",
    "parents",
    "clusters",
    "description",
    "organization",
    "defaultaccounts",
    "adminlevel",
    "qoslevels",
    "defaultwckeys",
    "coordinators",
    "maxcpuminsperjob",
    "maxcpurunmins",
    "maxtresmins",
    "maxtresminsperjob",
    "maxtresrunmins",
    "maxtrespernode",
    "maxtrespn",
    "maxjobsaccrue",
    "grpjobsaccrue",
    "minpriothreshold",
    "comment",
    "classification",
    "rawusage",
    "newname",
    "wckeys",
    "flags",
];

/// The options of accounts and users in full that decide on starts here.
const OPTIONS: &[&str] = &[
    "fairshare",
    "shares",
    "grpcpumins",
    "grpcpurunmins",
    "grpcpus",
    "grpjobs",
    "grpmemory",
    "grpnodes",
    "grpsubmitjobs",
    "grptres",
    "grptresmins",
    "grptresrunmins",
    "grpwall",
    "maxcpusperjob",
    "maxjobs",
    "maxnodesperjob",
    "maxsubmitjobs",
    "maxtresperjob",
    "maxwalldurationperjob",
    "defaultqos",
];

/// An option in full, where a key, in lower case, is the beginning of one.
fn in_full(key: &str) -> &str {
    let is_meant = |full: &&&str| key.len() > LEAST_LETTERS && full.starts_with(key) && !WITHOUT_EFFECT.contains(&key);
    OPTIONS.iter().find(is_meant).copied().unwrap_or(key)
}

/// The fewest letters by which an option is told from others.
const LEAST_LETTERS: usize = 2;

/// Whether a key, in lower case, is an option without effect, or the beginning of one.
fn is_without_effect(key: &str) -> bool {
    key.len() >= LEAST_LETTERS && WITHOUT_EFFECT.iter().any(|known| known.starts_with(key))
}

fn set(association: &mut AssociationLine, words: &[ScriptWord], line: u32, findings: &mut FindingLog<'_>) {
    for (key, value) in words {
        let Some(value) = value else { continue };
        let lower = key.to_ascii_lowercase();
        match in_full(&lower) {
            "fairshare" | "shares" => association.shares = shares(value, line, findings),
            "defaultqos" => association.default_qos = value.clone(),
            "partition" | "partitions" => association.partition = value.clone(),
            "priority" => association.priority = value.parse().ok(),
            lower => match association.limits.set(lower, value) {
                LimitSet::Set => {}
                LimitSet::OfOthers => findings.note(FindingKind::NotModelled, line, others(key, value)),
                LimitSet::NoValue => findings.wrong(line, format!("{key:.60}={value:.60}")),
                LimitSet::NoLimit if is_without_effect(lower) => {}
                LimitSet::NoLimit => findings.note(FindingKind::Unknown, line, format!("{key:.60}={value:.60}")),
            },
        }
    }
}

/// Applies a line such as `modify user where name=x account=y set fairshare=3`.
fn modified(words: &[ScriptWord], line: u32, script: &mut SacctmgrScript, findings: &mut FindingLog<'_>) {
    let Some(((what, _), rest)) = words.split_first() else { return };
    let at = rest.iter().position(|(word, value)| value.is_none() && word.eq_ignore_ascii_case("set"));
    let (which, new) = rest.split_at(at.unwrap_or(rest.len()));
    let bare = which.iter().find(|(word, value)| value.is_none() && !word.eq_ignore_ascii_case("where"));
    let names = value(which, "name").or(bare.map(|(word, _)| word.as_str()));
    let is_meant = |given: Option<&str>, own: &str| given.is_none_or(|list| list.split(',').any(|name| name == own));
    let mut count = 0;
    match what.to_ascii_lowercase().as_str() {
        "qos" => {
            for qos in script.qos.iter_mut().filter(|qos| is_meant(names, &qos.name)) {
                count += 1;
                for (key, value) in new {
                    if let Some(value) = value {
                        set_qos(qos, key, value, line, findings);
                    }
                }
            }
        }
        kind @ ("user" | "account") => {
            let is_user = kind == "user";
            let names = names.or(value(which, kind));
            let accounts = value(which, "account").filter(|_| is_user);
            for association in &mut script.associations {
                let own = if is_user { &association.user } else { &association.account };
                if association.user.is_empty() != is_user
                    && is_meant(names, own)
                    && is_meant(accounts, &association.account)
                {
                    count += 1;
                    set(association, new, line, findings);
                }
            }
        }
        _ => {
            findings.note(FindingKind::Unknown, line, format!("modify {what:.60}"));
            return;
        }
    }
    if count == 0 {
        findings.wrong(line, format!("modify {what}: there is none of that name yet"));
    }
}

/// The parts of a dump's line between colons, without quotes. A colon within quotes, or behind which no option begins, is
/// part of a value.
fn dumped_fields(rest: &str) -> Vec<String> {
    let mut found: Vec<String> = vec![String::new()];
    let mut is_quoted = false;
    for (at, c) in rest.char_indices() {
        let begins_option = || {
            let key = rest[at + 1..].chars().take_while(char::is_ascii_alphanumeric).count();
            let sign = rest[at + 1 + key..].trim_start_matches(['+', '-']);
            key > 0 && sign.starts_with('=')
        };
        match (c, found.last_mut()) {
            ('\'', _) => is_quoted = !is_quoted,
            (':', _) if !is_quoted && begins_option() => found.push(String::new()),
            (_, Some(last)) => last.push(c),
            (_, None) => {}
        }
    }
    found
}

/// Reads a line of a dump: `Parent - 'root'`, `Account - 'a':Fairshare=2`, `User - 'ann':DefaultAccount='a'`.
fn dumped(
    what: &str,
    rest: &str,
    line: u32,
    parent: &mut String,
    script: &mut SacctmgrScript,
    findings: &mut FindingLog<'_>,
) {
    let mut fields = dumped_fields(rest).into_iter();
    let name = fields.next().unwrap_or_default();
    let words: Vec<ScriptWord> = fields
        .filter_map(|field| {
            let (key, value) = field.split_once('=')?;
            Some((key.trim_end_matches(['+', '-']).to_owned(), Some(value.to_owned())))
        })
        .collect();
    let made = |account: &str, user: &str, parent: &str| AssociationLine {
        line,
        cluster: script.cluster.clone(),
        account: account.to_owned(),
        user: user.to_owned(),
        parent: parent.to_owned(),
        shares: Some(1),
        ..AssociationLine::default()
    };
    let mut association = match what.to_ascii_lowercase().as_str() {
        "cluster" => {
            script.cluster = name;
            "root".clone_into(parent);
            return;
        }
        "qos" => {
            let mut qos = Qos { name, usage_factor: 1.0, ..Qos::default() };
            for (key, value) in &words {
                set_qos(&mut qos, key, value.as_deref().unwrap_or_default(), line, findings);
            }
            script.qos.push(qos);
            return;
        }
        "parent" => {
            *parent = name;
            return;
        }
        "account" => made(&name, "", parent),
        "user" => made(parent, &name, ""),
        _ => {
            findings.note(FindingKind::Unknown, line, format!("{what:.60} - {name:.60}"));
            return;
        }
    };
    set(&mut association, &words, line, findings);
    script.associations.push(association);
}
