//! The reader of `scontrol show assoc_mgr`: what slurmctld knows of accounts, users and QOS, with limits and what was used.

use super::accounts::{AssociationLine, Qos};
use super::finding::{FindingKind, FindingLog};
use super::limits::LimitSet;
use super::lines::words;
use super::partitions::PreemptedJobs;
use super::table::{others, shares};
use super::usage::AssociationUsage;

/// What slurmctld knows.
#[derive(Debug, Default)]
pub(super) struct ManagerState {
    pub(super) associations: Vec<AssociationLine>,
    pub(super) qos: Vec<Qos>,
    pub(super) usage: Vec<AssociationUsage>,
}

/// Reads the records, on several lines each or on one (`-o`).
pub(super) fn read(text: &str, findings: &mut FindingLog<'_>) -> ManagerState {
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
