//! Classic fair share, as Slurm computes it with NO_FAIR_TREE. It goes through all jobs one after another, and looks at
//! the usage as it stands in between.

use super::shares::Shares;

/// What classic fair share goes by between two calculations.
#[derive(Clone, Debug)]
pub(super) struct Classic {
    dampening: f64,
    /// The share of each association in all, by association.
    shares: Vec<f64>,
    /// The share of each association among its siblings; none where no sibling has shares.
    parts: Vec<Option<f64>>,
    /// The effective usage of each association. Of a user, none until it is next asked for.
    effective: Vec<Option<f64>>,
}

impl Classic {
    pub(super) fn of(tree: &Shares, dampening: f64) -> Self {
        let count = tree.parent.len();
        let (mut shares, mut parts) = (vec![1.0; count], vec![None; count]);
        let below = |children: &Vec<u32>| children.iter().map(|&at| tree.shares[at as usize]).sum();
        let sums: Vec<f64> = tree.children.iter().map(below).collect();
        // accounts stand before the associations below them
        for at in 0..count {
            let Some(parent) = tree.parent[at].map(|parent| parent as usize) else { continue };
            parts[at] = (sums[parent] > 0.0).then(|| tree.shares[at] / sums[parent]);
            shares[at] = shares[parent] * parts[at].unwrap_or(0.0);
        }
        Classic { dampening, shares, parts, effective: vec![None; count] }
    }
}

impl Shares {
    /// Begins a calculation of classic fair share: of accounts the usage up to now counts until the next, before it
    /// decays and before that of running jobs is added. Of users it counts when they are next asked for.
    pub(in crate::scheduler::slurm) fn begin(&mut self) {
        let Some(mut classic) = self.classic.take() else { return };
        for at in 0..self.parent.len() {
            classic.effective[at] = if self.is_user[at] { None } else { Some(self.effective(&classic, at)) };
        }
        self.classic = Some(classic);
    }

    /// Sets the factor of a user's association, if it is the first time since the calculation began: by the usage of
    /// this moment.
    pub(in crate::scheduler::slurm) fn settle(&mut self, association: u32) {
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
mod tests {
    use super::super::shares::tests::tree;
    use crate::slurm::PriorityPlan;

    fn two_users() -> super::Shares {
        let plan = PriorityPlan { is_fair_tree: false, ..PriorityPlan::default() };
        let rows = [("root", "", None, 1), ("a", "", Some(0), 1), ("a", "x", Some(1), 1), ("a", "y", Some(1), 1)];
        tree(&rows, &plan)
    }

    fn settled(shares: &mut super::Shares) -> (f64, f64) {
        [2, 3].into_iter().for_each(|user| shares.settle(user));
        (shares.factor(2), shares.factor(3))
    }

    #[test]
    fn factors_halve_where_usage_is_the_share() {
        let mut shares = two_users();
        shares.add(2, 10.0);
        shares.begin();
        // x: usage 1 + (1 - 1) / 2, share 1/2; y: usage 0 + (1 - 0) / 2
        assert_eq!(settled(&mut shares), (0.25, 0.5));
    }

    #[test]
    fn a_factor_counts_from_when_it_is_asked_for_until_the_next_calculation() {
        let mut shares = two_users();
        shares.begin();
        shares.add(2, 10.0);
        // the account had used nothing when the calculation began: x: 1 + (0 - 1) / 2, y: 0
        shares.settle(2);
        assert_eq!(shares.factor(2), 0.5);
        shares.add(3, 10.0);
        // x stays; y: 1/2 + (0 - 1/2) / 2
        let later = libm::exp2(-0.5);
        assert_eq!(settled(&mut shares), (0.5, later));
        shares.begin();
        // both: 1/2 + (1 - 1/2) / 2
        let even = libm::exp2(-1.5);
        assert_eq!(settled(&mut shares), (even, even));
    }
}
