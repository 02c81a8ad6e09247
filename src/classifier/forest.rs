//! A random forest: the mean of trees, each grown from other rows (Breiman 2001).

use super::random::{Purpose, Random};
use super::table::Table;
use super::tree::{Grower, Growth, Tree};

/// A random forest.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Forest {
    pub trees: Vec<Tree>,
    /// Gini importance of each feature: the sum over the trees so far.
    importances: Vec<f64>,
}

/// A forest that grows tree by tree.
#[derive(Clone, Debug)]
pub(super) struct Growing {
    forest: Forest,
    grower: Grower,
    trees: u32,
    seed: u64,
    week: usize,
}

impl Growing {
    /// Begins to grow a forest of so many trees.
    pub(super) fn new(table: &Table, growth: Growth, trees: u32, seed: u64, week: usize) -> Self {
        let importances = vec![0.0; table.columns.len()];
        let forest = Forest { trees: Vec::with_capacity(trees as usize), importances };
        Growing { forest, grower: Grower::new(table, growth), trees, seed, week }
    }

    /// Grows another tree; whether there was one left to grow.
    pub(super) fn step(&mut self, table: &Table) -> bool {
        let place = self.forest.trees.len() as u32;
        if place == self.trees {
            return false;
        }
        let mut random = Random::new(self.seed, self.week, Purpose::Tree(place));
        let tree = self.grower.grow(table, &mut random, &mut self.forest.importances);
        self.forest.trees.push(tree);
        true
    }

    /// The forest as it has grown.
    pub(super) fn finish(self) -> Forest {
        self.forest
    }
}

impl Forest {
    /// The mean of what the trees say, and how many say more than a half.
    pub(super) fn vote(&self, features: &[f64]) -> (f64, u32) {
        let (mut sum, mut trees_for) = (0.0, 0);
        for tree in &self.trees {
            let said = tree.say(features);
            sum += said;
            trees_for += u32::from(said > 0.5);
        }
        (sum / self.trees.len() as f64, trees_for)
    }

    /// Gini importance of each feature: its mean share in what the splits of a tree gain.
    pub(super) fn importances(&self) -> Vec<f64> {
        // a tree that is but a leaf gains nothing
        let sum: f64 = self.importances.iter().sum();
        self.importances.iter().map(|importance| if sum > 0.0 { importance / sum } else { 0.0 }).collect()
    }
}
