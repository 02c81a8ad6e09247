//! Fair share: the usage of users and accounts, which decays, and the factors that follow from it.

use super::classic::Classic;
use packfair_slurm::{Accounts, PriorityPlan};

/// The tree of accounts with usage.
#[derive(Clone, Debug)]
pub(crate) struct UsageShares {
    pub(super) parent: Vec<Option<u32>>,
    pub(super) children: Vec<Vec<u32>>,
    pub(super) shares: Vec<f64>,
    /// The shares of all children, by association.
    of_children: Vec<f64>,
    pub(super) is_user: Vec<bool>,
    users: usize,
    /// Billed processor-seconds, decayed, by association.
    pub(super) usage: Vec<f64>,
    /// The factors of users as of the last calculation, by association.
    pub(super) factors: Vec<f64>,
    /// The state of classic fair share; none with fair tree.
    pub(super) classic: Option<Classic>,
}

impl UsageShares {
    /// The tree, with what was used before the simulation begins.
    pub(crate) fn of(accounts: &Accounts, plan: &PriorityPlan) -> Self {
        let count = accounts.all.len();
        let mut children = vec![Vec::new(); count];
        for (at, association) in (0_u32..).zip(&accounts.all) {
            if let Some(parent) = association.parent {
                children[parent as usize].push(at);
            }
        }
        let shares: Vec<f64> =
            accounts.all.iter().map(|association| association.shares.map_or(1.0, f64::from)).collect();
        let of_all = |children: &Vec<u32>| children.iter().map(|&at| shares[at as usize]).sum();
        let is_user: Vec<bool> = accounts.all.iter().map(|association| !association.user.is_empty()).collect();
        let mut tree = UsageShares {
            parent: accounts.all.iter().map(|association| association.parent).collect(),
            of_children: children.iter().map(of_all).collect(),
            children,
            shares,
            users: is_user.iter().filter(|&&is_user| is_user).count(),
            is_user,
            usage: accounts.all.iter().map(|association| association.used).collect(),
            factors: vec![0.0; count],
            classic: None,
        };
        tree.classic =
            (!plan.is_fair_tree).then(|| Classic::of(&tree.parent, &tree.children, &tree.shares, plan.dampening));
        tree.begin();
        tree.calculate();
        tree
    }

    /// Whether it matters in which order jobs are gone through.
    pub(crate) fn is_classic(&self) -> bool {
        self.classic.is_some()
    }

    /// The fair-share factor of a user's association, by the last calculation.
    pub(crate) fn factor(&self, association: u32) -> f64 {
        self.factors[association as usize]
    }

    /// Adds usage to an association and all accounts above it.
    pub(crate) fn add(&mut self, association: u32, usage: f64) {
        let mut at = Some(association);
        while let Some(here) = at {
            self.usage[here as usize] += usage;
            at = self.parent[here as usize];
        }
    }

    /// Multiplies all usage by a factor.
    pub(crate) fn decay(&mut self, factor: f64) {
        self.usage.iter_mut().for_each(|usage| *usage *= factor);
    }

    /// Calculates all factors of fair tree anew.
    pub(crate) fn calculate(&mut self) {
        if self.parent.is_empty() || self.is_classic() {
            return;
        }
        let (mut rank, mut told) = (self.users, self.users);
        self.rank(&self.children[0].clone(), &mut rank, &mut told, false);
    }

    /// Ranks siblings by fair tree: by level factor, the largest first, depth first. Users with equal factors have
    /// equal ranks, and accounts with equal factors are treated as one.
    fn rank(&mut self, siblings: &[u32], rank: &mut usize, told: &mut usize, is_tied: bool) {
        let mut sorted: Vec<(f64, u32)> = siblings.iter().map(|&at| (self.level(at), at)).collect();
        // users come before accounts with the same factor
        sorted.sort_by(|a, b| {
            let is_user = |at: u32| self.is_user[at as usize];
            b.0.total_cmp(&a.0).then(is_user(b.1).cmp(&is_user(a.1)))
        });
        let mut before = None;
        let mut at = 0;
        while at < sorted.len() {
            let (level, here) = sorted[at];
            let is_equal = if at == 0 { is_tied } else { before == Some(level) };
            before = Some(level);
            if self.is_user[here as usize] {
                if !is_equal {
                    *told = *rank;
                }
                self.factors[here as usize] = *told as f64 / self.users.max(1) as f64;
                *rank = rank.saturating_sub(1);
                at += 1;
                continue;
            }
            let same = sorted[at..].iter().take_while(|(other, node)| *other == level && !self.is_user[*node as usize]);
            let merged: Vec<u32> = same.map(|(_, node)| *node).collect();
            let below: Vec<u32> = merged.iter().flat_map(|&node| self.children[node as usize].clone()).collect();
            self.rank(&below, rank, told, is_equal);
            at += merged.len();
        }
    }

    /// The level factor: (share / siblings' shares) / (usage / parent's usage); infinite without usage.
    fn level(&self, at: u32) -> f64 {
        let Some(parent) = self.parent[at as usize] else { return f64::INFINITY };
        let siblings = self.of_children[parent as usize];
        let (own, all) = (self.usage[at as usize], self.usage[parent as usize]);
        if self.shares[at as usize] == 0.0 || siblings == 0.0 {
            return 0.0;
        }
        if own == 0.0 || all == 0.0 {
            return f64::INFINITY;
        }
        (self.shares[at as usize] / siblings) / (own / all)
    }
}

impl UsageShares {
    /// Begins a calculation of classic fair share: of accounts the usage up to now counts until the next, before it
    /// decays and before that of running jobs is added. Of users it counts when they are next asked for.
    pub(crate) fn begin(&mut self) {
        let Some(mut classic) = self.classic.take() else { return };
        for at in 0..self.parent.len() {
            classic.effective[at] = if self.is_user[at] { None } else { Some(self.effective(&classic, at)) };
        }
        self.classic = Some(classic);
    }

    /// Sets the factor of a user's association, if it is the first time since the calculation began: by the usage of
    /// this moment.
    pub(crate) fn settle(&mut self, association: u32) {
        let Some(mut classic) = self.classic.take() else { return };
        let at = association as usize;
        if classic.effective[at].is_none() {
            let effective = self.effective(&classic, at);
            classic.effective[at] = Some(effective);
            let share = classic.shares[at];
            self.factors[at] = if share > 0.0 { libm::exp2(-(effective / share) / classic.dampening) } else { 0.0 };
        }
        self.classic = Some(classic);
    }

    /// The usage of an association as a part of all, with a part of what the account above has used beyond it.
    fn effective(&self, classic: &Classic, at: usize) -> f64 {
        let root = self.usage[0];
        let own = if root > 0.0 { (self.usage[at] / root).min(1.0) } else { 0.0 };
        let Some(parent) = self.parent[at].filter(|&parent| parent > 0) else { return own };
        let above = classic.effective[parent as usize].unwrap_or(0.0);
        // where no sibling has shares, that of the account above counts
        classic.parts[at].map_or(above, |part| own + (above - own) * part)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use packfair_slurm::Association;

    pub(in crate::priority) fn tree(rows: &[(&str, &str, Option<u32>, u32)], plan: &PriorityPlan) -> UsageShares {
        let association = |&(account, user, parent, shares): &(&str, &str, Option<u32>, u32)| Association {
            account: account.into(),
            user: user.into(),
            parent,
            shares: Some(shares),
            ..Association::default()
        };
        UsageShares::of(&Accounts { all: rows.iter().map(association).collect() }, plan)
    }

    #[test]
    fn fair_tree_ranks_depth_first_and_ties_are_equal() {
        let rows = [
            ("root", "", None, 1),
            ("a", "", Some(0), 60),
            ("b", "", Some(0), 40),
            ("a", "u1", Some(1), 10),
            ("a", "u2", Some(1), 30),
            ("b", "u3", Some(2), 10),
            ("b", "u4", Some(2), 10),
        ];
        let mut shares = tree(&rows, &PriorityPlan::default());
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0; 4], "nobody has used anything");
        shares.add(4, 100.0);
        shares.calculate();
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [0.5, 0.25, 1.0, 1.0]);
        shares.add(5, 500.0);
        shares.calculate();
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0, 0.75, 0.25, 0.5]);
    }
}
