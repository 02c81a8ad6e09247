//! How priorities are computed: the keys `Priority*`.

use super::accounts::AssociationLine;
use super::lines::FindingLog;
use super::table::{AccountsAbove, SlurmTable, shares};
use serde::{Deserialize, Serialize};

/// The values of PriorityType and related keys. Times are in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PriorityPlan {
    /// Whether priority/multifactor is used; otherwise the order of submission counts.
    pub is_multifactor: bool,
    pub weights: PriorityWeights,
    /// The wait after which the age factor is 1 (PriorityMaxAge).
    pub max_age: i64,
    /// The half-life of usage (PriorityDecayHalfLife); none: usage does not decay.
    pub half_life: Option<i64>,
    /// The time between two calculations of priorities (PriorityCalcPeriod).
    pub calc_period: i64,
    /// Whether small jobs are favoured (PriorityFavorSmall).
    pub favors_small: bool,
    /// Whether fair tree is used, the default; otherwise the classic formula (NO_FAIR_TREE).
    pub is_fair_tree: bool,
    /// Whether job sizes are divided by time limits (SMALL_RELATIVE_TO_TIME).
    pub is_relative_to_time: bool,
    /// The FairShareDampeningFactor.
    pub dampening: f64,
    /// Which factors count as they are, and are not divided by the largest of their kind (NO_NORMAL_...).
    pub is_raw: RawFactors,
}

/// Which factors are not divided by the largest of their kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RawFactors {
    pub assoc: bool,
    pub partition: bool,
    pub qos: bool,
    pub tres: bool,
}

/// The weights of the factors, PriorityWeight...: whole numbers, 0 by default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PriorityWeights {
    pub age: f64,
    pub fair_share: f64,
    pub job_size: f64,
    pub partition: f64,
    pub qos: f64,
    pub assoc: f64,
    /// The weights of processors, memory and GPUs in PriorityWeightTRES.
    pub tres_cpu: f64,
    pub tres_memory: f64,
    pub tres_gpu: f64,
}

impl PriorityPlan {
    /// The factor by which usage decays in a second, as Slurm approximates it.
    pub fn decay(&self) -> f64 {
        self.half_life.map_or(1.0, |half| 1.0 - 0.693 / half as f64)
    }
}

impl Default for PriorityPlan {
    fn default() -> Self {
        PriorityPlan {
            is_multifactor: false,
            weights: PriorityWeights::default(),
            max_age: 7 * 86_400,
            half_life: Some(7 * 86_400),
            calc_period: 300,
            favors_small: false,
            is_fair_tree: true,
            is_relative_to_time: false,
            dampening: 1.0,
            is_raw: RawFactors::default(),
        }
    }
}

// The reader of `sshare -P -a -l`: what users and accounts have used by the time it was printed, and their shares.

/// What an association has used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssociationUsage {
    pub account: String,
    /// The user's name; empty for the account itself, whose usage includes that of all below it.
    pub user: String,
    /// The only partition whose jobs count, where sshare tells it (`-m`); empty for all.
    #[serde(default)]
    pub partition: String,
    /// Billed processor-seconds, decayed (RawUsage).
    pub seconds: f64,
}

/// Reads the table: the usage of each association, and the associations with their shares, of which the indentation of
/// accounts tells what is below what.
pub(super) fn read(text: &str, findings: &mut FindingLog<'_>) -> (Vec<AssociationUsage>, Vec<AssociationLine>) {
    let table = SlurmTable::of(text);
    let indents: Vec<usize> = text.lines().map(|line| line.len() - line.trim_start_matches(' ').len()).collect();
    let (mut used, mut associations) = (Vec::new(), Vec::new());
    let mut above = AccountsAbove::default();
    let mut parent = String::new();
    for (line, row) in table.rows() {
        let value = |column: &str| table.value(row, column).to_owned();
        let (account, user, partition) = (value("account"), value("user"), value("partition"));
        if account.is_empty() {
            findings.wrong(*line, "a line without an account");
            continue;
        }
        if user.is_empty() {
            let indent = indents.get(*line as usize - 1).copied().unwrap_or(0);
            parent = above.of(&account, indent);
        }
        // the root has none
        let own = table.value(row, "rawshares");
        let shares = if own.is_empty() { Some(1) } else { shares(own, *line, findings) };
        let raw = table.value(row, "rawusage");
        match raw.parse::<f64>() {
            Ok(seconds) if seconds.is_finite() && seconds >= 0.0 => {
                let (account, user, partition) = (account.clone(), user.clone(), partition.clone());
                used.push(AssociationUsage { account, user, partition, seconds });
            }
            _ if raw.is_empty() => {}
            _ => findings.wrong(*line, format!("RawUsage {raw:.40}: it takes a number of seconds")),
        }
        associations.push(AssociationLine {
            line: *line,
            account,
            user,
            partition,
            parent: parent.clone(),
            shares,
            ..AssociationLine::default()
        });
    }
    (used, associations)
}

#[cfg(test)]
mod tests {
    use crate::{SiteFile, Version, read_site};

    const SHARES: &str = "Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|\
        TRESRunMins|\nroot|||0.000000|3000||1.000000||||cpu=0,mem=0|\n root|root|1|0.333333|0|0.000000|0.000000|1.000000|inf||cpu=0|\n \
        phys||6|0.666667|3000|1.000000|1.000000||0.666667||cpu=9|\n  theory||parent|0.5|1000|0.3|0.3||1.1||cpu=0|\n   theory|ann|2|0.5|1000|\
        0.3|0.3|0.250000|1.1||cpu=0|\n  phys|bob|1|0.5|2000|0.6|0.6|0.500000|0.9||cpu=9|\n";

    #[test]
    fn sshare_tells_shares_and_what_was_used() {
        let files = [SiteFile { name: "sshare.txt", content: SHARES.as_bytes() }];
        let site = read_site(&files, Version::default());
        assert_eq!(site.findings, []);
        let used: Vec<_> = site.usage.iter().map(|of| (of.account.as_str(), of.user.as_str(), of.seconds)).collect();
        assert_eq!(used.len(), 6);
        assert!(used.contains(&("theory", "ann", 1000.0)) && used.contains(&("phys", "", 3000.0)), "{used:?}");
        let ann = site.accounts.of("theory", "ann").unwrap();
        let above: Vec<&str> =
            site.accounts.upwards(ann).map(|at| site.accounts.all[at as usize].account.as_str()).collect();
        assert_eq!(above, ["theory", "theory", "phys", "root"], "what is indented lies below");
        assert_eq!(site.accounts.all[ann as usize].shares, Some(2));

        // sacctmgr tells limits as well, and counts
        let both = [
            SiteFile { name: "assoc.txt", content: b"Cluster|Account|User|Share|GrpJobs\nc|root|||\nc|a||3|5\n" },
            files[0],
        ];
        let site = read_site(&both, Version::default());
        assert_eq!((site.accounts.all.len(), site.usage.len()), (2, 6));
    }

    #[test]
    fn a_table_of_fixed_width_asks_for_the_whole_one() {
        let text = "Account User RawShares NormShares RawUsage EffectvUsage FairShare\n------- ---- --------- ---------- -------- ------------ ---------\nroot 1.0 0 1.0\n";
        let site = read_site(&[SiteFile { name: "sshare.txt", content: text.as_bytes() }], Version::default());
        assert!(site.findings.iter().any(|finding| finding.words.contains("sshare -P -a -l")), "{:?}", site.findings);
    }
}
