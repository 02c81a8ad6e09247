//! A random forest: the mean of trees, each grown from other rows (Breiman 2001).

use super::table::FeatureTable;
use super::tree::{Grower, Growth, Tree};
use crate::random::Random;

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
    /// Begins to grow a forest of `trees` trees.
    pub(super) fn new(table: &FeatureTable, growth: Growth, trees: u32, seed: u64, week: usize) -> Self {
        let importances = vec![0.0; table.columns.len()];
        let forest = Forest { trees: Vec::with_capacity(trees as usize), importances };
        Growing { forest, grower: Grower::new(table, growth), trees, seed, week }
    }

    /// Grows the next tree.
    pub(super) fn step(&mut self, table: &FeatureTable) {
        let mut random = random_of_tree(self.seed, self.week, self.forest.trees.len() as u32);
        let tree = self.grower.grow(table, &mut random, &mut self.forest.importances);
        self.forest.trees.push(tree);
    }

    /// Whether all trees have grown.
    pub(super) fn is_grown(&self) -> bool {
        self.forest.trees.len() as u32 == self.trees
    }

    /// The forest as it has grown.
    pub(super) fn finish(self) -> Forest {
        self.forest
    }
}

impl Forest {
    /// The mean prediction of the trees, and how many of them predict more than a half.
    pub(super) fn vote(&self, features: &[f64]) -> (f64, u32) {
        let (mut sum, mut trees_for) = (0.0, 0);
        for tree in &self.trees {
            let prediction = tree.predict(features);
            sum += prediction;
            trees_for += u32::from(prediction > 0.5);
        }
        (sum / self.trees.len() as f64, trees_for)
    }

    /// Gini importance of each feature: its mean share in the gain of a tree's splits.
    pub(super) fn importances(&self) -> Vec<f64> {
        // a tree with a single leaf has no gain
        let sum: f64 = self.importances.iter().sum();
        self.importances.iter().map(|importance| if sum > 0.0 { importance / sum } else { 0.0 }).collect()
    }
}

/// The random numbers of a tree of a week's forest, by its place.
pub(super) fn random_of_tree(seed: u64, week: usize, place: u32) -> Random {
    Random::of([seed, week as u64, 1 << 32 | u64::from(place)])
}

#[cfg(test)]
mod tests {
    use super::super::plain;
    use super::super::table::FeatureColumn;
    use super::*;

    /// Rows of features of few and of many values, and a class that depends on some of them.
    fn table(rows: usize, seed: u64) -> FeatureTable {
        let mut random = Random::of([seed]);
        let kinds = [3, 2, 24, 1, 600, 5_000, 7, 40];
        let values: Vec<Vec<f64>> = (0..rows)
            .map(|_| kinds.map(|kind| random.below(kind) as f64 / if kind == 40 { 39.0 } else { 1.0 } - 1.0).to_vec())
            .collect();
        let is_small = values.iter().map(|row| row[0] + row[2] / 8.0 + row[5] / 2_000.0 + random.below(3) as f64 > 3.5);
        let is_small = is_small.collect();
        let column = |place: usize| FeatureColumn::of(&values.iter().map(|row| row[place]).collect::<Vec<f64>>());
        FeatureTable { columns: (0..kinds.len()).map(column).collect(), is_small }
    }

    fn grown(table: &FeatureTable, growth: Growth, trees: u32, seed: u64, week: usize) -> Forest {
        let mut growing = Growing::new(table, growth, trees, seed, week);
        while !growing.is_grown() {
            growing.step(table);
        }
        growing.finish()
    }

    #[test]
    fn the_fast_forest_is_the_plain_one_node_by_node() {
        for (rows, depth, drawn) in
            [(2, 15, 3), (20, 15, 1), (60, 3, 3), (400, 15, 4), (400, 15, 2), (700, 60, 8), (300, 1, 3)]
        {
            for seed in 0..3 {
                let table = table(rows, seed);
                let growth = Growth { depth, drawn };
                let fast = grown(&table, growth, 3, seed, 5);
                let plain = plain::grow(&table, growth, 3, seed, 5);
                assert_eq!(fast.trees, plain, "{rows} rows, depth {depth}, {drawn} drawn, seed {seed}");
            }
        }
    }

    #[test]
    fn other_seeds_and_weeks_are_other_forests() {
        let table = table(200, 1);
        let growth = Growth { depth: 15, drawn: 3 };
        let forest = |seed, week| grown(&table, growth, 2, seed, week).trees;
        assert_eq!(forest(1, 1), forest(1, 1));
        assert_ne!(forest(1, 1), forest(2, 1));
        assert_ne!(forest(1, 1), forest(1, 2));
        assert_eq!(forest(1, 1)[0], grown(&table, growth, 1, 1, 1).trees[0], "more trees do not change the first ones");
    }

    #[test]
    fn the_feature_that_decides_is_the_important_one() {
        let rows: Vec<f64> = (0..200).map(f64::from).collect();
        let noise: Vec<f64> = (0..200).map(|i| f64::from(i * 37 % 11)).collect();
        let is_small = rows.iter().map(|&value| value < 100.0).collect();
        let columns = [&rows, &noise, &vec![1.0; 200]].map(|values| FeatureColumn::of(values)).to_vec();
        let forest = grown(&FeatureTable { columns, is_small }, Growth { depth: 15, drawn: 2 }, 20, 1, 1);
        let importances = forest.importances();
        assert!(importances[0] > 0.9 && importances[2] == 0.0, "{importances:?}");
        assert!((importances.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        assert_eq!(forest.vote(&[10.0, 3.0, 1.0]), (1.0, 20));
        assert_eq!(forest.vote(&[190.0, 3.0, 1.0]).1, 0);
    }

    #[test]
    fn a_forest_is_the_same_on_every_target() {
        let table = table(500, 9);
        let forest = grown(&table, Growth { depth: 15, drawn: 3 }, 4, 7, 3);
        let nodes = forest.trees.iter().flat_map(|tree| &tree.nodes);
        let bytes: Vec<u8> = nodes
            .flat_map(|node| [node.value.to_bits(), u64::from(node.child), u64::from(node.feature)])
            .flat_map(u64::to_le_bytes)
            .collect();
        assert_eq!(format!("{:032x}", xxhash_rust::xxh3::xxh3_128(&bytes)), "e871b30e51495346109980339b5a2a67");
    }
}
