//! Limits of associations and QOS.

use serde::{Deserialize, Serialize};

/// Amounts of resources: processors, nodes, memory, GPUs of any and of single types, billing. An amount that is not set is none.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TresAmounts {
    pub cpus: Option<f64>,
    pub nodes: Option<f64>,
    /// Memory, MiB.
    pub memory: Option<f64>,
    /// GPUs, of any type.
    pub gpus: Option<f64>,
    /// GPUs of single types, each with its type.
    #[serde(default)]
    pub gpu_kinds: Vec<(String, f64)>,
    /// The billing, by TRESBillingWeights.
    pub billing: Option<f64>,
}

impl TresAmounts {
    /// Whether no amount is set.
    pub fn is_empty(&self) -> bool {
        *self == TresAmounts::default()
    }

    /// As Slurm writes it, memory in MiB; empty where nothing is said.
    pub(super) fn text(&self) -> String {
        let amounts = [
            ("cpu", self.cpus),
            ("node", self.nodes),
            ("mem", self.memory),
            ("gres/gpu", self.gpus),
            ("billing", self.billing),
        ];
        let said = amounts.into_iter().filter_map(|(name, amount)| Some(format!("{name}={}", amount?)));
        let of_kinds = self.gpu_kinds.iter().map(|(kind, amount)| format!("{GPU_OF_KIND}{kind}={amount}"));
        said.chain(of_kinds).collect::<Vec<_>>().join(",")
    }

    /// These amounts, apart from those of resources of which the others tell one.
    pub fn without(&self, others: &TresAmounts) -> TresAmounts {
        let left = |own: Option<f64>, other: Option<f64>| own.filter(|_| other.is_none());
        let is_left = |kind: &str| !others.gpu_kinds.iter().any(|(other, _)| other.eq_ignore_ascii_case(kind));
        TresAmounts {
            cpus: left(self.cpus, others.cpus),
            nodes: left(self.nodes, others.nodes),
            memory: left(self.memory, others.memory),
            gpus: left(self.gpus, others.gpus),
            gpu_kinds: self.gpu_kinds.iter().filter(|(kind, _)| is_left(kind)).cloned().collect(),
            billing: left(self.billing, others.billing),
        }
    }

    /// Reads `cpu=100,node=4,mem=1T,gres/gpu=8`. Returns the words that it does not know beside the amounts.
    pub(super) fn read(text: &str) -> (TresAmounts, Vec<&str>) {
        let (mut tres, mut unknown) = (TresAmounts::default(), Vec::new());
        for word in text.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let (written, amount) = word.split_once('=').unwrap_or((word, ""));
            let name = written.trim().to_ascii_lowercase();
            let amount = amount.trim();
            let number = amount.parse::<f64>().ok().filter(|number| number.is_finite());
            match (name.as_str(), number) {
                // -1 removes a limit
                (_, Some(number)) if number < 0.0 => {}
                ("cpu", Some(number)) => tres.cpus = Some(number),
                ("node", Some(number)) => tres.nodes = Some(number),
                ("mem", _) => match mebibytes(amount) {
                    Some(memory) => tres.memory = Some(memory),
                    None => unknown.push(word),
                },
                ("billing", Some(number)) => tres.billing = Some(number),
                ("gres/gpu", Some(number)) => tres.gpus = Some(number),
                (name, Some(number)) if name.starts_with(GPU_OF_KIND) && name.len() > GPU_OF_KIND.len() => {
                    let kind = &written.trim()[GPU_OF_KIND.len()..];
                    tres.gpu_kinds.retain(|(other, _)| !other.eq_ignore_ascii_case(kind));
                    tres.gpu_kinds.push((kind.to_owned(), number));
                }
                _ => unknown.push(word),
            }
        }
        (tres, unknown)
    }
}

/// What the names of resources begin with that are GPUs of a type.
const GPU_OF_KIND: &str = "gres/gpu:";

/// Whether a word is an amount of a resource that Slurm counts besides, `gres/nvme=4`, `license/matlab=5`.
fn is_of_other(word: &str) -> bool {
    const OTHERS: &[&str] = &["gres/", "license/", "bb/", "fs/", "ic/", "interconnect/", "energy", "vmem", "pages"];
    let Some((name, amount)) = word.split_once('=') else { return false };
    let name = name.trim().to_ascii_lowercase();
    OTHERS.iter().any(|other| name.starts_with(other)) && amount.trim().starts_with(|c: char| c.is_ascii_digit())
}

/// Reads memory in MiB: a number with a unit, which is MiB by default.
pub(super) fn mebibytes(text: &str) -> Option<f64> {
    let text = text.trim();
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let unit = match text[digits.len()..].to_ascii_uppercase().as_str() {
        "K" | "KB" => 1.0 / 1024.0,
        "" | "M" | "MB" => 1.0,
        "G" | "GB" => 1024.0,
        "T" | "TB" => 1024.0 * 1024.0,
        "P" | "PB" => 1024.0 * 1024.0 * 1024.0,
        _ => return None,
    };
    digits.parse::<f64>().ok().filter(|number| number.is_finite() && *number >= 0.0).map(|number| number * unit)
}

/// The limits of an association or a QOS; each is none where it is not set.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct JobLimits {
    /// The most running jobs of a user: MaxJobs of an association, MaxJobsPU of a QOS.
    pub jobs_of_user: Option<u32>,
    /// The most running jobs of an account (MaxJobsPA of a QOS).
    pub jobs_of_account: Option<u32>,
    /// The most running jobs of all together (GrpJobs).
    pub jobs: Option<u32>,
    /// The most waiting and running jobs of a user (MaxSubmit, MaxSubmitPU).
    pub submitted_of_user: Option<u32>,
    /// The most waiting and running jobs of all together (GrpSubmit).
    pub submitted: Option<u32>,
    /// The most that the running jobs of a user may take (MaxTRESPU).
    pub tres_of_user: TresAmounts,
    /// The most that the running jobs of an account may take (MaxTRESPA).
    pub tres_of_account: TresAmounts,
    /// The most that all running jobs together may take (GrpTRES).
    pub tres: TresAmounts,
    /// The most that a single job may take (MaxTRES, MaxTRESPerJob).
    pub tres_of_job: TresAmounts,
    /// The longest time limit of a job, seconds (MaxWall).
    pub wall: Option<i64>,
    /// The most run time of all jobs together, seconds, decayed (GrpWall).
    pub wall_of_all: Option<i64>,
    /// The most that all jobs together may have taken, in amounts times minutes, decayed (GrpTRESMins).
    pub tres_minutes: TresAmounts,
    /// The most that running jobs may still take by their time limits, in amounts times minutes (GrpTRESRunMins).
    pub tres_run_minutes: TresAmounts,
}

/// What [`JobLimits::set`] did with a name and a value.
pub(super) enum LimitSet {
    Set,
    /// The name is not a limit.
    NoLimit,
    /// The name is a limit, but the value is not valid.
    NoValue,
    /// The value has amounts of resources of which no limit is simulated. The others are set.
    OfOthers,
}

impl JobLimits {
    /// Sets a limit by its name in sacctmgr, in any case. An empty value sets nothing; -1 removes the limit.
    pub(super) fn set(&mut self, name: &str, value: &str) -> LimitSet {
        let count = |place: &mut Option<u32>| match value.trim() {
            "-1" => {
                *place = None;
                LimitSet::Set
            }
            text => match text.parse() {
                Ok(number) => {
                    *place = Some(number);
                    LimitSet::Set
                }
                Err(_) => LimitSet::NoValue,
            },
        };
        let wall = |place: &mut Option<i64>| match super::quantity::span(value) {
            Some(seconds) => {
                *place = seconds;
                LimitSet::Set
            }
            None => LimitSet::NoValue,
        };
        let tres = |place: &mut TresAmounts| {
            let (tres, unknown) = TresAmounts::read(value);
            *place = tres;
            match unknown.iter().all(|word| is_of_other(word)) {
                true if unknown.is_empty() => LimitSet::Set,
                true => LimitSet::OfOthers,
                false => LimitSet::NoValue,
            }
        };
        // as sacctmgr still takes them, and old versions print them
        let one = |place: &mut Option<f64>| match value.trim().parse::<f64>() {
            Ok(number) if number.is_finite() => {
                *place = Some(number).filter(|&number| number >= 0.0);
                LimitSet::Set
            }
            _ => LimitSet::NoValue,
        };
        match name.to_ascii_lowercase().as_str() {
            "maxjobs" | "maxjobspu" | "maxjobsperuser" => count(&mut self.jobs_of_user),
            "maxjobspa" | "maxjobsperaccount" => count(&mut self.jobs_of_account),
            "grpjobs" => count(&mut self.jobs),
            "maxsubmit" | "maxsubmitjobs" | "maxsubmitpu" | "maxsubmitjobspu" | "maxsubmitjobsperuser" => {
                count(&mut self.submitted_of_user)
            }
            "grpsubmit" | "grpsubmitjobs" => count(&mut self.submitted),
            "maxtrespu" | "maxtresperuser" => tres(&mut self.tres_of_user),
            "maxtrespa" | "maxtresperaccount" => tres(&mut self.tres_of_account),
            "grptres" => tres(&mut self.tres),
            "maxtres" | "maxtresperjob" | "maxtrespj" => tres(&mut self.tres_of_job),
            "maxwall" | "maxwalldurationperjob" | "maxwalldurationpj" | "maxwallpj" => wall(&mut self.wall),
            "grpcpus" => one(&mut self.tres.cpus),
            "grpnodes" => one(&mut self.tres.nodes),
            "grpmem" | "grpmemory" => one(&mut self.tres.memory),
            "maxcpus" | "maxcpusperjob" => one(&mut self.tres_of_job.cpus),
            "maxnodes" | "maxnodesperjob" => one(&mut self.tres_of_job.nodes),
            "maxcpuspu" | "maxcpusperuser" => one(&mut self.tres_of_user.cpus),
            "maxnodespu" | "maxnodesperuser" => one(&mut self.tres_of_user.nodes),
            "grpcpumins" => one(&mut self.tres_minutes.cpus),
            "grpcpurunmins" => one(&mut self.tres_run_minutes.cpus),
            "grpwall" => wall(&mut self.wall_of_all),
            "grptresmins" => tres(&mut self.tres_minutes),
            "grptresrunmins" => tres(&mut self.tres_run_minutes),
            _ => LimitSet::NoLimit,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_have_names_and_units() {
        let (tres, unknown) = TresAmounts::read("cpu=100,mem=2G,gres/gpu=4,license/x=1");
        assert_eq!((tres.cpus, tres.memory, tres.gpus), (Some(100.0), Some(2048.0), Some(4.0)));
        assert_eq!(unknown, ["license/x=1"]);
        let (tres, unknown) =
            TresAmounts::read("gres/gpu:A100=4,gres/gpu:v100=0,gres/gpu:t4=-1,gres/gpu:=3,gres/gpu:a100=5");
        assert_eq!((tres.text().as_str(), unknown), ("gres/gpu:v100=0,gres/gpu:a100=5", vec!["gres/gpu:=3"]));
        let first = TresAmounts::read("cpu=8,gres/gpu:V100=1").0;
        assert_eq!(
            TresAmounts { gpus: Some(2.0), cpus: Some(1.0), ..tres }.without(&first).text(),
            "gres/gpu=2,gres/gpu:a100=5"
        );
    }

    #[test]
    fn limits_are_set_and_taken_away() {
        let mut limits = JobLimits::default();
        assert!(matches!(limits.set("MaxJobsPU", "4"), LimitSet::Set));
        assert!(matches!(limits.set("GrpTRES", "cpu=64"), LimitSet::Set));
        assert!(matches!(limits.set("MaxWall", "1-00:00:00"), LimitSet::Set));
        assert_eq!((limits.jobs_of_user, limits.tres.cpus, limits.wall), (Some(4), Some(64.0), Some(86_400)));
        assert!(matches!(limits.set("maxjobs", "-1"), LimitSet::Set));
        assert_eq!(limits.jobs_of_user, None);
        assert!(matches!(limits.set("MaxJobs", "many"), LimitSet::NoValue));
        assert!(matches!(limits.set("GrpTRES", "cpu=8,gres/nvme=4,license/x=1"), LimitSet::OfOthers));
        assert_eq!(limits.tres.cpus, Some(8.0), "what is simulated counts");
        assert!(matches!(limits.set("GrpTRES", "cpu=8,gres/gpu:a100"), LimitSet::NoValue));
        assert!(matches!(limits.set("GrpCPUs", "16"), LimitSet::Set) && limits.tres.cpus == Some(16.0));
        assert!(matches!(limits.set("Fairshare", "1"), LimitSet::NoLimit));
    }
}
