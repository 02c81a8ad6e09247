//! Accounts and users with their shares and limits, and QOS.

use super::limits::{JobLimits, LimitSet};
use super::lines::{FindingKind, FindingLog, words};
use super::partitions::PreemptedJobs;
use super::priority::AssociationUsage;
use super::table::{others, shares};
use rustc_hash::{FxHashMap, FxHashSet};
use serde::{Deserialize, Serialize};

/// An association: an account, or a user in an account, perhaps for the jobs of a single partition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Association {
    pub account: String,
    /// The user's name; empty for the account itself.
    pub user: String,
    /// The only partition whose jobs go by it; empty where it is for all that no other is for.
    #[serde(default)]
    pub partition: String,
    /// The account that it belongs to, by its place in [`Accounts::all`]; none for the root.
    pub parent: Option<u32>,
    /// The shares (Fairshare); none if the association takes part in those of its parent (`parent`).
    pub shares: Option<u32>,
    pub limits: JobLimits,
    /// The QOS of jobs that name none.
    pub default_qos: String,
    /// The priority, by which PriorityWeightAssoc goes; none where it has that of the account above.
    #[serde(default)]
    pub priority: Option<u32>,
    /// Billed processor-seconds, decayed, that it and all below it have used before the simulation begins.
    #[serde(default)]
    pub used: f64,
}

/// The tree of accounts. Accounts stand before the associations below them; the first is the root.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Accounts {
    /// All associations; empty where no file has any.
    pub all: Vec<Association>,
}

impl Accounts {
    /// The association of a user in an account: that for all partitions, or else the first. If the account is empty, that of
    /// the first account with this user.
    pub fn of(&self, account: &str, user: &str) -> Option<u32> {
        let is_theirs = |other: &Association| other.user == user && (account.is_empty() || other.account == account);
        let first = self.all.iter().position(|other| !user.is_empty() && is_theirs(other))?;
        let account = &self.all[first].account;
        let is_general =
            |other: &Association| other.user == user && other.account == *account && other.partition.is_empty();
        let found = if self.all[first].partition.is_empty() { None } else { self.all.iter().position(is_general) };
        Some(found.unwrap_or(first) as u32)
    }

    /// The associations for single partitions of the user and the account of one, each with its partition.
    pub fn of_partitions(&self, at: u32) -> impl Iterator<Item = (u32, &str)> {
        let own = &self.all[at as usize];
        let is_theirs =
            |other: &Association| !other.partition.is_empty() && other.user == own.user && other.account == own.account;
        (0..)
            .zip(&self.all)
            .filter(move |(_, other)| is_theirs(other))
            .map(|(at, other)| (at, other.partition.as_str()))
    }

    /// An association and all accounts above it.
    pub fn upwards(&self, from: u32) -> impl Iterator<Item = u32> {
        std::iter::successors(Some(from), |&at| self.all[at as usize].parent)
    }
}

/// A quality of service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Qos {
    /// The name of the QOS.
    pub name: String,
    /// The priority of the QOS.
    pub priority: u32,
    pub usage_factor: f64,
    /// The limits of the QOS.
    pub limits: JobLimits,
    /// The QOS from whose jobs it may take nodes.
    pub preempts: Vec<String>,
    /// What becomes of its jobs that are preempted by QOS, where it says so itself (PreemptMode).
    pub preempted: Option<PreemptedJobs>,
    /// Whether a job of it may take the nodes of another of it with a lower priority (PreemptMode=WITHIN).
    pub preempts_within: bool,
    /// For how long nobody preempts its jobs that have started (PreemptExemptTime), seconds.
    #[serde(default)]
    pub exempt_time: Option<i64>,
    /// Whether it takes nodes only from jobs with a lower priority (PreemptMode=PRIORITY).
    pub preempts_by_priority: bool,
}

/// An association as it stands in a file, with names.
#[derive(Clone, Debug, Default)]
pub(super) struct AssociationLine {
    pub(super) line: u32,
    /// The cluster; empty where the file does not tell it.
    pub(super) cluster: String,
    pub(super) account: String,
    pub(super) user: String,
    /// The only partition whose jobs it is for; empty where it is for all that no other is for.
    pub(super) partition: String,
    /// The name of the account above; empty where the file does not tell it.
    pub(super) parent: String,
    pub(super) shares: Option<u32>,
    pub(super) limits: JobLimits,
    pub(super) default_qos: String,
    pub(super) priority: Option<u32>,
}

/// The lines of a site's own cluster. Those of other clusters of the same accounting are left out, and told.
pub(super) fn of_cluster(
    lines: Vec<AssociationLine>,
    cluster: &str,
    findings: &mut FindingLog<'_>,
) -> Vec<AssociationLine> {
    let mut names: Vec<String> = Vec::new();
    for line in lines.iter().filter(|line| !line.cluster.is_empty()) {
        if !names.iter().any(|name| name.eq_ignore_ascii_case(&line.cluster)) {
            names.push(line.cluster.clone());
        }
    }
    if names.len() < 2 {
        return lines;
    }
    let own = names.iter().find(|name| name.eq_ignore_ascii_case(cluster)).cloned();
    let all = names.join(", ");
    let taken = own.clone().unwrap_or_else(|| names[0].clone());
    let is_own = |line: &AssociationLine| line.cluster.is_empty() || line.cluster.eq_ignore_ascii_case(&taken);
    let count = lines.len();
    let kept: Vec<AssociationLine> = lines.into_iter().filter(is_own).collect();
    let left = count - kept.len();
    match own {
        Some(_) => {
            let words = format!("associations of several clusters ({all}); {left} that are not of {taken} (ClusterName) are left out");
            findings.note(super::FindingKind::Note, 0, words);
        }
        None => findings.wrong(
            0,
            format!("associations of several clusters ({all}), and no ClusterName tells which is meant; those of {taken} are taken"),
        ),
    }
    kept
}

/// Gives accounts of which nothing tells what is above them the ones above of other lines. Whether anything tells it, or there
/// is no more than one account.
pub(super) fn find_parents(lines: &mut [AssociationLine], others: &[AssociationLine]) -> bool {
    let is_account = |line: &&AssociationLine| line.user.is_empty() && line.account != "root";
    if lines.iter().any(|line| !line.parent.is_empty()) {
        return true;
    }
    let above: FxHashMap<&str, &str> =
        others.iter().filter(is_account).map(|line| (line.account.as_str(), line.parent.as_str())).collect();
    for line in lines.iter_mut().filter(|line| line.user.is_empty()) {
        line.parent = above.get(line.account.as_str()).copied().unwrap_or_default().to_owned();
    }
    !above.is_empty() || lines.iter().filter(is_account).count() <= 1
}

/// Makes the tree. Accounts without a known parent, and accounts above themselves, are put below the root.
pub(super) fn tree(lines: Vec<AssociationLine>, findings: &mut FindingLog<'_>) -> Accounts {
    let mut accounts: Vec<&AssociationLine> = lines.iter().filter(|line| line.user.is_empty()).collect();
    let root = AssociationLine { account: "root".into(), shares: Some(1), ..AssociationLine::default() };
    if !accounts.iter().any(|line| line.account == "root") {
        accounts.insert(0, &root);
    }
    let mut by_name: FxHashMap<&str, &AssociationLine> = FxHashMap::default();
    for line in &accounts {
        if by_name.insert(&line.account, line).is_some() {
            findings.wrong(line.line, format!("account {} stands there twice; the last counts", line.account));
        }
    }
    let parent_of = |line: &AssociationLine| -> Option<String> {
        let named = Some(line.parent.as_str()).filter(|name| !name.is_empty() && *name != line.account);
        (line.account != "root").then(|| named.unwrap_or("root").to_owned())
    };
    let mut all = Accounts::default();
    let mut places: FxHashMap<String, u32> = FxHashMap::default();
    for line in &accounts {
        // the way up to the root, or to an account that is placed already
        let mut way: Vec<&AssociationLine> = Vec::new();
        let mut on_it: FxHashSet<&str> = FxHashSet::default();
        let mut at = by_name[line.account.as_str()];
        while !places.contains_key(&at.account) {
            if !on_it.insert(&at.account) {
                findings.wrong(at.line, format!("account {} is above itself; it is put below root", at.account));
                break;
            }
            way.push(at);
            let Some(parent) = parent_of(at) else { break };
            let Some(above) = by_name.get(parent.as_str()) else {
                findings.wrong(at.line, format!("there is no account {parent} above {}; root is taken", at.account));
                break;
            };
            at = above;
        }
        for line in way.into_iter().rev() {
            if places.contains_key(&line.account) {
                continue;
            }
            let parent = parent_of(line).and_then(|parent| places.get(&parent).or(places.get("root")).copied());
            places.insert(line.account.clone(), all.all.len() as u32);
            all.all.push(association(line, parent));
        }
    }
    let mut unlisted: Vec<&str> = Vec::new();
    for line in lines.iter().filter(|line| !line.user.is_empty()) {
        let parent = places.get(&line.account).copied();
        if parent.is_none() && !unlisted.contains(&line.account.as_str()) {
            unlisted.push(&line.account);
        }
        all.all.push(association(line, parent.or(Some(0))));
    }
    if let Some(first) = unlisted.first() {
        let more = match unlisted.len() - 1 {
            0 => String::new(),
            1 => " and another".to_owned(),
            others => format!(" and {others} others"),
        };
        let words = format!(
            "account {first:.60}{more}: the list has users of it and not the account itself, as where it was asked for single \
             users; they are taken to be right below root"
        );
        findings.note(super::FindingKind::Note, 0, words);
    }
    all
}

fn association(line: &AssociationLine, parent: Option<u32>) -> Association {
    Association {
        account: line.account.clone(),
        user: line.user.clone(),
        partition: line.partition.clone(),
        parent,
        shares: line.shares,
        limits: line.limits.clone(),
        default_qos: line.default_qos.clone(),
        priority: line.priority,
        used: 0.0,
    }
}

// The reader of `scontrol show assoc_mgr`: what slurmctld knows of accounts, users and QOS, with limits and what was used.

/// What slurmctld knows.
#[derive(Debug, Default)]
pub(super) struct ManagerState {
    pub(super) associations: Vec<AssociationLine>,
    pub(super) qos: Vec<Qos>,
    pub(super) usage: Vec<AssociationUsage>,
}

/// Reads the records, on several lines each or on one (`-o`).
pub(super) fn read_manager(text: &str, findings: &mut FindingLog<'_>) -> ManagerState {
    let mut state = ManagerState::default();
    let mut is_of_qos = false;
    for (line, content) in (1..).zip(text.lines()) {
        for (key, value) in words(content).into_iter().filter_map(|(key, value)| Some((key, value?))) {
            match key.as_str() {
                "ClusterName" => {
                    is_of_qos = false;
                    let shares = Some(1);
                    state.associations.push(AssociationLine { line, cluster: value, shares, ..Default::default() });
                }
                "QOS" => {
                    is_of_qos = true;
                    let name = named(&value).to_owned();
                    state.qos.push(Qos { name, usage_factor: 1.0, ..Qos::default() });
                }
                _ if is_of_qos => {
                    state.qos.last_mut().into_iter().for_each(|qos| of_qos(qos, line, &key, &value, findings));
                }
                "UsageRaw/Norm/Efctv" => {
                    let raw = value.split('/').next().and_then(|raw| raw.parse::<f64>().ok());
                    if let (Some(of), Some(seconds)) = (state.associations.last(), raw.filter(|raw| raw.is_finite())) {
                        let (account, user, partition) = (of.account.clone(), of.user.clone(), of.partition.clone());
                        state.usage.push(AssociationUsage { account, user, partition, seconds });
                    }
                }
                _ => {
                    let last = state.associations.last_mut();
                    last.into_iter().for_each(|of| of_association(of, line, &key, &value, findings));
                }
            }
        }
    }
    if !state.qos.is_empty() {
        let words = "which QOS preempts which, its flags and UsageFactor it does not tell: sacctmgr -P show qos does";
        findings.note(FindingKind::Note, 0, words);
    }
    state
}

/// A name without the number behind it: `ann(2001)`.
fn named(value: &str) -> &str {
    value.rsplit_once('(').map_or(value, |(name, _)| name)
}

/// A limit without what is used of it, `8(6)`, or of each resource, `cpu=N(64),gres/gpu=8(6)`; N is no limit.
fn limit(value: &str) -> String {
    let own = value.split(',').map(named);
    let is_set = |own: &&str| !own.is_empty() && *own != "N" && !own.ends_with("=N");
    own.filter(is_set).collect::<Vec<_>>().join(",")
}

fn of_association(of: &mut AssociationLine, line: u32, key: &str, value: &str, findings: &mut FindingLog<'_>) {
    match key {
        "Account" => value.clone_into(&mut of.account),
        "UserName" => named(value).clone_into(&mut of.user),
        "Partition" => value.clone_into(&mut of.partition),
        "Priority" => of.priority = value.parse().ok(),
        "ParentAccount" => named(value).clone_into(&mut of.parent),
        "SharesRaw/Norm/Level/Factor" => {
            let raw = value.split('/').next().unwrap_or_default();
            // the number that stands for parent
            of.shares = if raw == "2147483647" { None } else { shares(raw, line, findings) };
        }
        _ => set(&mut of.limits, line, key, value, findings),
    }
}

fn of_qos(qos: &mut Qos, line: u32, key: &str, value: &str, findings: &mut FindingLog<'_>) {
    match key {
        "Priority" => qos.priority = value.parse().unwrap_or(0),
        // OFF stands for the mode of the cluster
        "PreemptMode" => {
            qos.preempted = PreemptedJobs::of(value).filter(|own| *own != PreemptedJobs::Spared);
        }
        _ => set(&mut qos.limits, line, key, value, findings),
    }
}

fn set(limits: &mut super::JobLimits, line: u32, key: &str, value: &str, findings: &mut FindingLog<'_>) {
    let limit = limit(value);
    if limit.is_empty() {
        return;
    }
    match limits.set(key, &limit) {
        // what is no limit here is shown of each
        LimitSet::Set | LimitSet::NoLimit => {}
        LimitSet::OfOthers => findings.note(FindingKind::NotModelled, line, others(key, &limit)),
        LimitSet::NoValue => findings.wrong(line, format!("{key:.60}={value:.60}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn account(name: &str, parent: &str) -> AssociationLine {
        AssociationLine { account: name.into(), parent: parent.into(), shares: Some(1), ..Default::default() }
    }

    #[test]
    fn a_circle_of_accounts_is_told_and_broken() {
        let mut findings = FindingLog::of("assoc.txt");
        let user = AssociationLine { user: "ann".into(), ..account("a", "") };
        let made = tree(vec![account("a", "b"), account("b", "c"), account("c", "a"), user], &mut findings);
        assert_eq!(made.all.len(), 5);
        assert!(findings.all.iter().any(|finding| finding.words.contains("above itself")), "{:?}", findings.all);
        for at in 0..made.all.len() as u32 {
            assert!(made.upwards(at).count() < 6);
        }
        assert_eq!(made.of("", "ann"), Some(4));
        assert_eq!(made.of("b", "ann"), None);
    }
}

#[cfg(test)]
mod manager_tests {
    use crate::{SiteFile, Version, read_site};

    const STATE: &str = "Current Association Manager state\n\nUser Records\n\nUserName=ann(1001) DefAccount=lab DefWckey= \
        AdminLevel=None\n\nAssociation Records\n\nClusterName=c Account=root UserName= Partition= Priority=0 ID=1\n    \
        SharesRaw/Norm/Level/Factor=1/0.00/1/0.00\n    UsageRaw/Norm/Efctv=900.00/1.00/0.00\n    ParentAccount= Lineage=/ \
        DefAssoc=No\n    GrpJobs=N(5) GrpJobsAccrue=N(0)\n    GrpTRES=cpu=N(64),gres/gpu=N(8)\n    MaxJobs= MaxSubmitJobs= \
        MaxWallPJ=\nClusterName=c Account=lab UserName= Partition= Priority=0 ID=2\n    \
        SharesRaw/Norm/Level/Factor=5/0.03/30/0.08\n    UsageRaw/Norm/Efctv=900.00/1.00/0.00\n    ParentAccount=root(1) \
        DefAssoc=No\n    GrpSubmitJobs=100(41) GrpWall=N(500.00)\n    GrpTRES=cpu=48(48),mem=65536(0),gres/gpu=N(6)\n    \
        MaxTRESPJ=gres/gpu=4\nClusterName=c Account=lab UserName=ann(1001) Partition= Priority=0 ID=3\n    \
        SharesRaw/Norm/Level/Factor=2147483647/0.03/30/0.08\n    UsageRaw/Norm/Efctv=700.00/1.00/0.00\n    ParentAccount= \
        DefAssoc=Yes\n    MaxJobs=10(1) MaxWallPJ=1440\n\nQOS Records\n\nQOS=normal(1)\n    UsageRaw=4.000000\n    GrpJobs=N(0) \
        GrpSubmitJobs=N(0) GrpWall=N(0.00)\n    MaxWallPJ=60\n    MaxTRESPJ=cpu=8\n    PreemptMode=OFF\n    Priority=10\n    \
        Account Limits\n      lab\n        MaxJobsPA=N(0) MaxSubmitJobsPA=N(2)\n    User Limits\n      ann(1001)\n        \
        MaxJobsPU=16(5) MaxSubmitJobsPU=100(5)\n        MaxTRESPU=cpu=64(56),gres/gpu=N(4)\n";

    #[test]
    fn limits_are_told_with_what_is_used_of_them() {
        let site =
            |text: &str| read_site(&[SiteFile { name: "assoc_mgr.txt", content: text.as_bytes() }], Version::default());
        let read = site(STATE);
        assert!(read.findings.iter().all(|told| told.kind == crate::FindingKind::Note), "{:?}", read.findings);
        let ann = read.accounts.of("lab", "ann").unwrap();
        assert_eq!(read.accounts.upwards(ann).count(), 3);
        let [ann, lab] = ["ann", ""].map(|user| {
            let is_it = |own: &&crate::Association| own.account == "lab" && own.user == user;
            read.accounts.all.iter().find(is_it).unwrap()
        });
        assert_eq!((ann.shares, ann.limits.jobs_of_user, ann.limits.wall), (None, Some(10), Some(86_400)));
        assert_eq!((lab.shares, lab.limits.submitted), (Some(5), Some(100)));
        assert_eq!(lab.limits.tres.text(), "cpu=48,mem=65536");
        assert_eq!(lab.limits.tres_of_job.text(), "gres/gpu=4");
        let qos = &read.qos[0];
        assert_eq!((qos.name.as_str(), qos.priority, qos.limits.wall), ("normal", 10, Some(3600)));
        assert_eq!((qos.limits.jobs_of_user, qos.limits.submitted_of_user), (Some(16), Some(100)));
        assert_eq!((qos.limits.tres_of_user.text(), qos.limits.jobs_of_account), ("cpu=64".to_owned(), None));
        assert!(read.usage.iter().any(|of| of.user == "ann" && of.seconds == 700.0), "{:?}", read.usage);
        // each record on a line of its own
        let one_line = STATE.replace("\n    ", " ").replace("  ", "");
        assert_eq!(site(&one_line).accounts, read.accounts);
        assert_eq!(site(&one_line).qos, read.qos);
    }
}
