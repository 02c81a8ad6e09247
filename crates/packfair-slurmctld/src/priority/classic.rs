//! Classic fair share, as Slurm computes it with NO_FAIR_TREE. It goes through all jobs one after another, and looks at
//! the usage as it stands in between.

/// What classic fair share goes by between two calculations.
#[derive(Clone, Debug)]
pub(super) struct Classic {
    pub(super) dampening: f64,
    /// The share of each association in all, by association.
    pub(super) shares: Vec<f64>,
    /// The share of each association among its siblings; none where no sibling has shares.
    pub(super) parts: Vec<Option<f64>>,
    /// The effective usage of each association. Of a user, none until it is next asked for.
    pub(super) effective: Vec<Option<f64>>,
}

impl Classic {
    /// The state before anything is calculated, of a tree whose associations have these parents, children and shares.
    pub(super) fn of(parents: &[Option<u32>], children: &[Vec<u32>], own: &[f64], dampening: f64) -> Self {
        let count = parents.len();
        let (mut shares, mut parts) = (vec![1.0; count], vec![None; count]);
        let below = |children: &Vec<u32>| children.iter().map(|&at| own[at as usize]).sum();
        let sums: Vec<f64> = children.iter().map(below).collect();
        // accounts stand before the associations below them
        for at in 0..count {
            let Some(parent) = parents[at].map(|parent| parent as usize) else { continue };
            parts[at] = (sums[parent] > 0.0).then(|| own[at] / sums[parent]);
            shares[at] = shares[parent] * parts[at].unwrap_or(0.0);
        }
        Classic { dampening, shares, parts, effective: vec![None; count] }
    }
}

#[cfg(test)]
mod tests {
    use super::super::shares::tests::tree;
    use packfair_slurm::PriorityPlan;

    fn two_users() -> super::super::UsageShares {
        let plan = PriorityPlan { is_fair_tree: false, ..PriorityPlan::default() };
        let rows = [("root", "", None, 1), ("a", "", Some(0), 1), ("a", "x", Some(1), 1), ("a", "y", Some(1), 1)];
        tree(&rows, &plan)
    }

    fn settled(shares: &mut super::super::UsageShares) -> (f64, f64) {
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
