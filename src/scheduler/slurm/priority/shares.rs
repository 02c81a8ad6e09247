//! Fair share: the usage of users and accounts, which decays, and the factors that follow from it.

use crate::slurm::{Accounts, PriorityPlan};

/// The tree of accounts with usage.
#[derive(Clone, Debug)]
pub(in crate::scheduler::slurm) struct Shares {
    parent: Vec<Option<u32>>,
    children: Vec<Vec<u32>>,
    shares: Vec<f64>,
    is_user: Vec<bool>,
    users: usize,
    /// Billed processor-seconds, decayed, by association.
    usage: Vec<f64>,
    /// The factors of users as of the last calculation, by association.
    factors: Vec<f64>,
}

impl Shares {
    pub(in crate::scheduler::slurm) fn of(accounts: &Accounts) -> Self {
        let count = accounts.all.len();
        let mut children = vec![Vec::new(); count];
        for (at, association) in (0_u32..).zip(&accounts.all) {
            if let Some(parent) = association.parent {
                children[parent as usize].push(at);
            }
        }
        let is_user: Vec<bool> = accounts.all.iter().map(|association| !association.user.is_empty()).collect();
        Shares {
            parent: accounts.all.iter().map(|association| association.parent).collect(),
            children,
            shares: accounts.all.iter().map(|association| association.shares.map_or(1.0, f64::from)).collect(),
            users: is_user.iter().filter(|&&is_user| is_user).count(),
            is_user,
            usage: vec![0.0; count],
            factors: vec![0.0; count],
        }
    }

    /// The fair-share factor of a user's association, by the last calculation.
    pub(in crate::scheduler::slurm) fn factor(&self, association: u32) -> f64 {
        self.factors[association as usize]
    }

    /// Adds usage to an association and all accounts above it.
    pub(in crate::scheduler::slurm) fn add(&mut self, association: u32, usage: f64) {
        let mut at = Some(association);
        while let Some(here) = at {
            self.usage[here as usize] += usage;
            at = self.parent[here as usize];
        }
    }

    /// Multiplies all usage by a factor.
    pub(in crate::scheduler::slurm) fn decay(&mut self, factor: f64) {
        self.usage.iter_mut().for_each(|usage| *usage *= factor);
    }

    /// Calculates all factors anew.
    pub(in crate::scheduler::slurm) fn calculate(&mut self, plan: &PriorityPlan) {
        if self.parent.is_empty() {
            return;
        }
        if plan.is_fair_tree {
            let (mut rank, mut told) = (self.users, self.users);
            self.rank(&self.children[0].clone(), &mut rank, &mut told, false);
        } else {
            self.classic(0, 1.0, self.usage[0], plan.dampening);
        }
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
        let siblings: f64 = self.children[parent as usize].iter().map(|&other| self.shares[other as usize]).sum();
        let (own, all) = (self.usage[at as usize], self.usage[parent as usize]);
        if self.shares[at as usize] == 0.0 || siblings == 0.0 {
            return 0.0;
        }
        if own == 0.0 || all == 0.0 {
            return f64::INFINITY;
        }
        (self.shares[at as usize] / siblings) / (own / all)
    }

    /// Classic fair share: 2^(-usage / shares / dampening), where usage includes a part of that of the accounts above.
    fn classic(&mut self, parent: u32, share: f64, effective: f64, dampening: f64) {
        let root = self.usage[0];
        let children = self.children[parent as usize].clone();
        let siblings: f64 = children.iter().map(|&other| self.shares[other as usize]).sum();
        for at in children {
            let part = if siblings > 0.0 { self.shares[at as usize] / siblings } else { 0.0 };
            let own = if root > 0.0 { self.usage[at as usize] / root } else { 0.0 };
            let above = if root > 0.0 { effective } else { 0.0 };
            let used = if parent == 0 { own } else { own + (above - own) * part };
            let norm = share * part;
            self.factors[at as usize] = if norm > 0.0 { libm::exp2(-(used / norm) / dampening) } else { 0.0 };
            self.classic(at, norm, used, dampening);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::slurm::Association;

    fn tree(rows: &[(&str, &str, Option<u32>, u32)]) -> Shares {
        let association = |&(account, user, parent, shares): &(&str, &str, Option<u32>, u32)| Association {
            account: account.into(),
            user: user.into(),
            parent,
            shares: Some(shares),
            ..Association::default()
        };
        Shares::of(&Accounts { all: rows.iter().map(association).collect() })
    }

    #[test]
    fn fair_tree_ranks_depth_first_and_ties_are_equal() {
        let mut shares = tree(&[
            ("root", "", None, 1),
            ("a", "", Some(0), 60),
            ("b", "", Some(0), 40),
            ("a", "u1", Some(1), 10),
            ("a", "u2", Some(1), 30),
            ("b", "u3", Some(2), 10),
            ("b", "u4", Some(2), 10),
        ]);
        let plan = PriorityPlan::default();
        shares.calculate(&plan);
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0; 4], "nobody has used anything");
        shares.add(4, 100.0);
        shares.calculate(&plan);
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [0.5, 0.25, 1.0, 1.0]);
        shares.add(5, 500.0);
        shares.calculate(&plan);
        assert_eq!([3, 4, 5, 6].map(|at| shares.factor(at)), [1.0, 0.75, 0.25, 0.5]);
    }

    #[test]
    fn classic_factors_halve_where_usage_is_the_share() {
        let mut shares =
            tree(&[("root", "", None, 1), ("a", "", Some(0), 1), ("a", "x", Some(1), 1), ("a", "y", Some(1), 1)]);
        let plan = PriorityPlan { is_fair_tree: false, ..PriorityPlan::default() };
        shares.add(2, 10.0);
        shares.calculate(&plan);
        // x: usage 1 + (1 - 1) / 2, share 1/2; y: usage 0 + (1 - 0) / 2
        assert_eq!((shares.factor(2), shares.factor(3)), (0.25, 0.5));
    }
}
