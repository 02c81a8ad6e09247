//! Makes a site of its files, in whatever order they come.

use super::accounts::{self, AssociationLine};
use super::kind::{SiteFileKind, is_nameless, kind};
use super::lines::{FindingKind, FindingLog};
use super::partitions::PreemptedJobs;
use super::quantity::Licence;
use super::script::SacctmgrScript;
use super::shown::ShownSite;
use super::site::{ConfText, PreemptBy, Site};
use super::{
    Finding, Qos, Version, away, conf, json, lines, priority, quantity, reservations, script, table, topology,
};
use packfair_base::catalogue::NamedFile;

#[derive(Clone, Copy, Debug)]
pub struct SiteFile<'a> {
    /// The name of the file, for messages. The kind of the file is told by its first lines.
    pub name: &'a str,
    /// The bytes of the file.
    pub content: &'a [u8],
}

impl SiteFile<'_> {
    /// The name and hash by which studies refer to the file.
    pub fn named(&self) -> NamedFile {
        NamedFile::new(self.name, xxhash_rust::xxh3::xxh3_128(self.content))
    }
}

/// Reads the files of a site. Mistakes are reported in [`Site::findings`], and reading goes on.
pub fn read_site(files: &[SiteFile<'_>], version: Version) -> Site {
    let mut site = Site::empty(version);
    let mut associations: Vec<AssociationLine> = Vec::new();
    let mut shared: Vec<AssociationLine> = Vec::new();
    let mut all: Vec<Finding> = Vec::new();
    let mut is_configured = false;
    let mut made = SacctmgrScript::default();
    let mut shown = ShownSite::default();
    let mut file_shown = None;
    let mut file_of_accounts = None;
    let mut switches: Option<(&str, Vec<topology::SwitchLine>)> = None;
    let mut is_tree_of_yaml = None;
    let mut licences_shown = Vec::new();
    let mut tables_of_qos: Vec<Qos> = Vec::new();
    let mut managed = accounts::ManagerState::default();
    let mut texts: Vec<(String, FindingLog<'_>)> = Vec::new();
    // the file of each text
    let mut of_texts: Vec<SiteFile<'_>> = Vec::new();
    let mut of_json: Vec<&str> = Vec::new();
    for file in files {
        site.files.push(file.named());
        let mut findings = FindingLog::of(file.name);
        let text = lines::text(file.content, &mut findings);
        match json::texts(&text) {
            Ok(Some(own)) => {
                of_json.push(file.name);
                of_texts.extend(std::iter::repeat_n(*file, own.len()));
                texts.extend(own.into_iter().map(|text| (text, FindingLog::of(file.name))));
                continue;
            }
            Err(fault) => {
                findings.wrong(0, format!("its JSON is broken ({fault}): print it again, all of it"));
                all.append(&mut findings.all);
                continue;
            }
            Ok(None) => {}
        }
        let is_padded = matches!(kind(&text), Some(SiteFileKind::Padded(_)));
        let parted = if is_padded { table::parted(&text) } else { None };
        texts.push((parted.unwrap_or(text), findings));
        of_texts.push(*file);
    }
    let files = &of_texts[..];
    // what includes nothing but files that stand beside slurm.conf is such a file itself
    let includes_others = |text: &str| {
        let named = conf::includes(text);
        let of = |name: &String| files.iter().zip(&texts).find(|(file, _)| conf::is_named(name, file.name));
        let is_other = |name: &String| {
            of(name).is_some_and(|(_, (text, _))| {
                lines::lines(text).is_empty() || matches!(kind(text), Some(SiteFileKind::Beside(..)))
            })
        };
        !named.is_empty() && named.len() == lines::lines(text).len() && named.iter().all(is_other)
    };
    let is_conf = |text: &str| {
        kind(text) == Some(SiteFileKind::Conf) && lines::template(text).is_none() && !includes_others(text)
    };
    let has_conf = texts.iter().any(|(text, _)| is_conf(text));
    let named: Vec<String> = texts.iter().flat_map(|(text, _)| conf::includes(text)).collect();
    let is_named = |file: &SiteFile<'_>| named.iter().any(|include| conf::is_named(include, file.name));
    let is_included = |(file, (text, _)): (&SiteFile<'_>, &(String, FindingLog<'_>))| {
        is_named(file) && !matches!(kind(text), Some(SiteFileKind::Beside(..)))
    };
    // lists of nodes and partitions belong to what is no such list, or to the first of them
    let of_conf = || files.iter().zip(&texts).filter(|(file, (text, _))| is_conf(text) && !is_named(file));
    let main = of_conf().find(|(_, (text, _))| !conf::is_list(text)).or(of_conf().next()).map(|(file, _)| file.name);
    let lists: Vec<&str> = of_conf()
        .filter(|(file, (text, _))| conf::is_list(text) && Some(file.name) != main)
        .map(|(file, _)| file.name)
        .collect();
    let is_part =
        |file: &SiteFile<'_>, text: &(String, FindingLog<'_>)| is_included((file, text)) || lists.contains(&file.name);
    let parts: Vec<conf::ConfFile<'_>> = {
        let of = files.iter().zip(&texts).filter(|(file, text)| is_part(file, text));
        of.map(|(file, (text, _))| conf::ConfFile { name: file.name, text }).collect()
    };
    for (file, read) in files.iter().zip(&texts) {
        let (text, found) = read;
        let mut findings = FindingLog::of(file.name);
        findings.all.clone_from(&found.all);
        if let Some((line, mark)) = lines::template(text) {
            let words = format!(
                "it is a template ({mark} is to be filled in); give the file that is made of it, /etc/slurm/slurm.conf of a node"
            );
            findings.wrong(line, words);
            all.append(&mut findings.all);
            continue;
        }
        let kind = kind(text);
        match kind {
            _ if is_part(file, read) => {}
            None if lines::lines(text).is_empty() => {
                let words = if text.trim().is_empty() { "it is empty" } else { "nothing but comments stands there" };
                findings.note(FindingKind::Note, 0, words);
            }
            Some(SiteFileKind::Conf) if includes_others(text) => {
                findings.note(FindingKind::Note, 0, "it includes files that stand beside slurm.conf");
            }
            Some(SiteFileKind::Conf) if is_configured => {
                findings.wrong(0, "a second slurm.conf; it is left out, the first counts");
            }
            Some(SiteFileKind::Conf) => {
                is_configured = true;
                let own = conf::ConfFile { name: file.name, text };
                let all: Vec<_> =
                    std::iter::once(own).chain(parts.iter().map(|part| conf::ConfFile { ..*part })).collect();
                conf::read(&all, &mut site, &mut findings);
                site.conf = Some(ConfText { name: file.name.to_owned(), text: text.clone() });
            }
            Some(SiteFileKind::Associations) => {
                file_of_accounts = Some(file.name);
                associations.extend(table::associations(text, &mut findings));
            }
            Some(SiteFileKind::Usage) => {
                let (used, lines) = priority::read(text, &mut findings);
                site.usage.extend(used);
                shared.extend(lines);
            }
            Some(SiteFileKind::Qos) => tables_of_qos.extend(table::qos(text, &mut findings)),
            Some(SiteFileKind::Events) => site.events.extend(away::read(text, &mut findings)),
            Some(SiteFileKind::Reservations) => {
                if of_json.contains(&file.name) {
                    let words = "times in JSON are UTC: they fit a log whose times are UTC too, as those of sacct --json";
                    findings.note(FindingKind::Note, 0, words);
                }
                site.reservations.extend(reservations::read(text, &mut findings));
            }
            Some(SiteFileKind::Shown) if has_conf => {
                let words = "slurm.conf is there too: it tells more, and is what counts; of the nodes here, a forecast takes \
                             into account which are down or drained";
                findings.note(FindingKind::Note, 0, words);
                shown.read(file.name, text);
            }
            Some(SiteFileKind::Shown) => {
                shown.read(file.name, text);
                file_shown = file_shown.or(Some(file.name));
            }
            Some(SiteFileKind::Nodes) => {
                let words = "nodes as sinfo lists them: slurm.conf, or scontrol show node, tells more, and is what counts; a \
                             forecast takes into account which are down or drained";
                findings.note(FindingKind::Note, 0, words);
                site.away.extend(away::listed(text));
            }
            Some(SiteFileKind::Topology | SiteFileKind::TopologyYaml) if switches.is_some() => {
                findings.wrong(0, "a second topology.conf; it is left out, the first counts");
            }
            Some(SiteFileKind::TopologyYaml) => {
                let lines = topology::read_yaml(text, &mut findings);
                is_tree_of_yaml = Some(!lines.is_empty());
                switches = Some((file.name, lines)).filter(|(_, lines)| !lines.is_empty());
            }
            Some(SiteFileKind::Manager) => {
                file_of_accounts = file_of_accounts.or(Some(file.name));
                managed = accounts::read_manager(text, &mut findings);
            }
            Some(SiteFileKind::Jobs) => {
                let words = "it is a list of jobs, which is no part of a site: it is a log, or the queue of a forecast (packfair \
                             when --queue)";
                findings.note(FindingKind::Note, 0, words);
            }
            Some(SiteFileKind::Licences) => licences_shown.extend(quantity::shown_licences(text)),
            Some(SiteFileKind::Json(command)) => {
                findings.wrong(0, format!("it is JSON of a kind that is not read: print it as text, with {command}"));
            }
            Some(SiteFileKind::Topology) => switches = Some((file.name, topology::read(text, &mut findings))),
            Some(SiteFileKind::Beside(name, about)) => {
                findings.note(FindingKind::Note, 0, format!("it is {name}, {about}"));
            }
            Some(SiteFileKind::Padded(command)) => {
                let words = format!("a table of which values are cut to the width of their columns: print it whole, with {command}");
                findings.wrong(1, words);
            }
            Some(SiteFileKind::Script) => script::read(text, &mut made, &mut findings),
            None if is_nameless(text) => findings.wrong(
                0,
                "a table without the names of its columns: print it without -n, as sacctmgr -P show assoc does",
            ),
            None => findings.wrong(
                0,
                "it is no file of Slurm's that is known: slurm.conf, scontrol show config, partition, node or \
                 reservations, topology.conf, sacctmgr -P show assoc, show qos or show event, sshare -P -a -l, scontrol show \
                 assoc_mgr, a script or dump of sacctmgr",
            ),
        }
        findings.refer_to(kind.map_or("", SiteFileKind::page));
        all.append(&mut findings.all);
    }
    site.away.extend(shown.away());
    if let Some(file) = file_shown.filter(|_| !shown.is_empty()) {
        let mut findings = FindingLog::of(file);
        shown.put(&mut site, &mut findings);
        if of_json.contains(&file)
            && shown.has_partitions()
            && !site.partitions.iter().any(|partition| partition.is_default)
        {
            let words = "which partition is the default is not told, as JSON tells it in few versions: a job of which the log has \
                         no partition is in none; scontrol show partition tells it";
            findings.note(FindingKind::Note, 0, words);
        }
        findings.refer_to(SiteFileKind::Conf.page());
        all.append(&mut findings.all);
    }
    // Slurm reads topology.yaml in place of what slurm.conf says
    site.has_tree = is_tree_of_yaml.unwrap_or(site.has_tree);
    all.append(&mut put_switches(switches, &mut site));
    for licence in licences_shown {
        if !site.licences.iter().any(|own: &Licence| own.name == licence.name) {
            site.licences.push(licence);
        }
    }
    associations.append(&mut made.associations);
    // sacctmgr tells more
    if associations.is_empty() {
        associations = managed.associations;
    } else {
        shared.append(&mut managed.associations);
    }
    if site.usage.is_empty() {
        site.usage = managed.usage;
    }
    // sacctmgr tells limits as well
    let mut findings = FindingLog::of(file_of_accounts.or(files.last().map(|file| file.name)).unwrap_or("accounts"));
    let others = if associations.is_empty() { std::mem::replace(&mut associations, shared) } else { shared };
    site.qos = tables_of_qos;
    site.qos.append(&mut made.qos);
    if site.qos.is_empty() {
        site.qos = managed.qos;
    }
    if !associations.is_empty() {
        let mut associations = accounts::of_cluster(associations, &site.cluster, &mut findings);
        let is_told = accounts::find_parents(&mut associations, &others);
        if !is_told && site.priority.is_multifactor && site.priority.weights.fair_share > 0.0 {
            let words = "nothing tells which account is above which, and fair share goes by that: all are taken to be right \
                         below root; sacctmgr -P show assoc tree tells it";
            findings.note(FindingKind::Note, 0, words);
        }
        site.accounts = accounts::tree(associations, &mut findings);
    }
    contradictions(&site, &mut findings);
    all.append(&mut findings.all);
    // lines of the texts that stand for JSON are none of the file
    all.iter_mut().filter(|told| of_json.contains(&told.file.as_str())).for_each(|told| told.line = 0);
    site.findings = all;
    site
}

/// Gives a site the switches of its `topology.conf`. Returns what is to be said of it.
fn put_switches(read: Option<(&str, Vec<topology::SwitchLine>)>, site: &mut Site) -> Vec<Finding> {
    let conf = site.conf.as_ref().map(|conf| conf.name.clone());
    let Some((file, lines)) = read else {
        let mut findings = FindingLog::of(conf.as_deref().unwrap_or("slurm.conf"));
        if site.has_tree {
            let words = "TopologyPlugin=topology/tree, and there is no topology.conf: give it too; until then nodes are taken \
                         in rows, whatever switch they are at";
            findings.note(FindingKind::NotModelled, 0, words);
        }
        return findings.all;
    };
    let mut findings = FindingLog::of(file);
    if site.nodes.is_empty() {
        findings.note(FindingKind::Note, 0, "it is topology.conf, which counts where slurm.conf is there too");
        return findings.all;
    }
    topology::put(&lines, site, &mut findings);
    if !site.has_tree {
        let words = "it is topology.conf, and slurm.conf does not say TopologyPlugin=topology/tree: nodes are taken in rows, \
                     whatever switch they are at, as Slurm takes them then";
        findings.note(FindingKind::Note, 0, words);
    }
    findings.refer_to(SiteFileKind::Topology.page());
    findings.all
}

/// Reports limits under which no job of an association or QOS could run.
fn contradictions(site: &Site, findings: &mut FindingLog<'_>) {
    let mut look = |whose: String, limits: &super::JobLimits| {
        let pairs =
            [("cpu", limits.tres_of_job.cpus, limits.tres.cpus), ("node", limits.tres_of_job.nodes, limits.tres.nodes)];
        for (what, job, all) in pairs {
            if let (Some(job), Some(all)) = (job, all)
                && job > all
            {
                let words = format!("{whose}: a job may take {what}={job}, but all together only {all}");
                findings.note(FindingKind::Note, 0, words);
            }
        }
        if limits.jobs == Some(0) || limits.jobs_of_user == Some(0) {
            findings.note(FindingKind::Note, 0, format!("{whose}: no job may run"));
        }
    };
    for association in &site.accounts.all {
        let whose = match association.user.as_str() {
            "" => format!("account {}", association.account),
            user => format!("user {user} of account {}", association.account),
        };
        look(whose, &association.limits);
    }
    for qos in &site.qos {
        look(format!("QOS {}", qos.name), &qos.limits);
    }
    for partition in &site.partitions {
        if let Some(name) = &partition.qos
            && !site.qos.is_empty()
            && !site.qos.iter().any(|qos| qos.name == *name)
        {
            findings.wrong(0, format!("partition {}: there is no QOS {name}", partition.name));
        }
    }
    let minutes = site.accounts.all.iter().map(|own| &own.limits).chain(site.qos.iter().map(|qos| &qos.limits));
    if site.enforced.safe && minutes.into_iter().any(|limits| !limits.tres_minutes.is_empty()) {
        let words = "AccountingStorageEnforce safe: jobs do not wait that could exceed GrpTRESMins before they end";
        findings.note(FindingKind::NotModelled, 0, words);
    }
    suspension(site, findings);
}

/// What is to be said of jobs that are suspended.
fn suspension(site: &Site, findings: &mut FindingLog<'_>) {
    let of_partitions = site.partitions.iter().map(|partition| ("partition", &partition.name, partition.preempted));
    let of_qos = site.qos.iter().map(|qos| ("QOS", &qos.name, qos.preempted));
    for (what, name, mode) in of_partitions.chain(of_qos) {
        if mode == Some(PreemptedJobs::Suspended) && !site.has_gang {
            let words = format!(
                "PreemptMode=SUSPEND of {what} {name:.60}: nobody is suspended, because slurm.conf does not say GANG in \
                 PreemptMode"
            );
            findings.note(FindingKind::NotModelled, 0, words);
        }
    }
    if site.preempt_by == PreemptBy::Qos && site.suspends_preempted() {
        let words = "PreemptMode SUSPEND by QOS: jobs of one partition do not take turns; who is preempted is suspended \
                     until who preempts it has ended";
        findings.note(FindingKind::NotModelled, 0, words);
    }
}

#[cfg(test)]
mod tests;
