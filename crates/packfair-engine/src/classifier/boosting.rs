//! Gradient boosting: each tree corrects the prediction of those before (Friedman 2001). Trees grow leaf by leaf from
//! histograms, as in LightGBM (Ke et al. 2017).
//!
//! Gradients are rounded to whole numbers, so that their sums do not depend on the order of addition.

use super::table::{FeatureColumn, FeatureTable};
use super::tree::{Node, Tree};
use packfair_base::random::Random;

/// The number of trees.
const ROUNDS: u32 = 60;
/// The most leaves of a tree.
const LEAVES: usize = 15;
/// Learning rate: how much of a tree's correction counts.
const RATE: f64 = 0.1;
/// One of this many features is drawn for each tree.
const FEATURES_PER_DRAWN: usize = 5;
/// The least sum of p (1 - p) over the rows of a leaf.
const LEAST_WEIGHT: f64 = 1.0;
/// Added to that sum, so that small leaves count less.
const DAMPING: f64 = 1.0;
/// The most bins of a feature. With as many, the sums of a leaf fit into the first cache.
const BINS: usize = 64;
/// Gradients are multiples of 1 / SCALE, so that sums over all rows of a table stay within 32 bits.
const SCALE: f64 = 65_536.0;

/// The boosted trees.
#[derive(Clone, Debug)]
pub(super) struct Boosted {
    /// Prediction before the first tree, log odds.
    base: f64,
    trees: Vec<Tree>,
}

impl Boosted {
    /// The probability that a job of these features is small.
    pub(super) fn vote(&self, features: &[f64]) -> f64 {
        probability(self.trees.iter().fold(self.base, |sum, tree| sum + tree.predict(features)))
    }
}

fn probability(odds: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-odds))
}

/// Sums of the first and of the second derivatives of the loss, in one number, so that one addition adds both.
type DerivativeSum = i64;

fn sum_of(gradient: f64, weight: f64) -> DerivativeSum {
    (DerivativeSum::from((gradient * SCALE) as i32) << 32) + DerivativeSum::from((weight * SCALE) as i32)
}

fn parts_of(sum: DerivativeSum) -> (f64, f64) {
    // the lower half is a sum of weights, and no weight is negative
    ((sum >> 32) as f64 / SCALE, f64::from(sum as u32) / SCALE)
}

/// Values of a feature, in no more than [`BINS`] groups of neighbours.
#[derive(Clone, Debug)]
struct Binned {
    /// The lowest and the highest rank of each bin.
    ranks: Vec<(u16, u16)>,
}

/// A boosting that is under way, tree by tree.
#[derive(Clone, Debug)]
pub(super) struct Boosting {
    boosted: Boosted,
    seed: u64,
    week: usize,
    binned: Vec<Binned>,
    /// Bins of all features, row by row.
    bins: Vec<u8>,
    /// e^-o of each row, o the log odds predicted so far: a tree multiplies it, so that no row needs an exponential.
    inverse_odds: Vec<f64>,
    /// The derivatives of the loss at each row.
    sums: Vec<DerivativeSum>,
    /// The rows. Those of a leaf are neighbours.
    rows: Vec<u16>,
    /// Rows of the second side of a split; kept for its memory.
    aside: Vec<u16>,
    /// The features. Those drawn for a tree come first.
    order: Vec<usize>,
}

/// A leaf that may be split.
struct Leaf {
    node: usize,
    begin: usize,
    end: usize,
    total: DerivativeSum,
    /// For each drawn feature and each bin: the sum over the leaf's rows.
    sums: Vec<DerivativeSum>,
    best: Option<BoostingSplit>,
}

#[derive(Clone, Copy)]
struct BoostingSplit {
    gain: f64,
    /// Place among the drawn features.
    drawn: usize,
    /// Bins up to this one go to the first side, those from `next` on to the other. Between them are no rows.
    bin: usize,
    next: usize,
    left: DerivativeSum,
}

impl Boosting {
    /// Begins to learn from a table with rows of both classes.
    pub(super) fn new(table: &FeatureTable, seed: u64, week: usize) -> Self {
        let (rows, features) = (table.rows(), table.columns.len());
        let small = table.is_small.iter().filter(|&&is_small| is_small).count();
        let base = libm::log(small as f64 / (rows - small) as f64);
        let mut bins = vec![0; rows * features];
        let binned = table.columns.iter().enumerate().map(|(feature, column)| {
            let (binned, bin_of) = Binned::of(column);
            for (row, &rank) in column.ranks.iter().enumerate() {
                bins[row * features + feature] = bin_of[usize::from(rank)];
            }
            binned
        });
        Boosting {
            binned: binned.collect(),
            boosted: Boosted { base, trees: Vec::with_capacity(ROUNDS as usize) },
            seed,
            week,
            bins,
            inverse_odds: vec![libm::exp(-base); rows],
            sums: vec![0; rows],
            rows: (0..rows as u16).collect(),
            aside: Vec::with_capacity(rows),
            order: (0..features).collect(),
        }
    }

    /// The number of trees that there will be.
    pub(super) fn rounds(&self) -> u32 {
        ROUNDS
    }

    /// Grows another tree.
    pub(super) fn step(&mut self, table: &FeatureTable) {
        let features = self.order.len();
        let mut random = Random::of([self.seed, self.week as u64, 2 << 32 | (self.boosted.trees.len() as u32) as u64]);
        let drawn = features.div_ceil(FEATURES_PER_DRAWN);
        self.order.iter_mut().enumerate().for_each(|(place, feature)| *feature = place);
        for i in 0..drawn {
            let other = i + random.below(features - i);
            self.order.swap(i, other);
        }
        for ((sum, &inverse_odds), &is_small) in self.sums.iter_mut().zip(&self.inverse_odds).zip(&table.is_small) {
            let p = 1.0 / (1.0 + inverse_odds);
            *sum = sum_of(p - f64::from(u8::from(is_small)), p * (1.0 - p));
        }
        let tree = self.grow(table, drawn);
        self.boosted.trees.push(tree);
    }

    fn grow(&mut self, table: &FeatureTable, drawn: usize) -> Tree {
        let mut nodes = vec![Node { value: 0.0, child: 0, feature: 0 }];
        let total = self.sums.iter().sum();
        let end = self.rows.len();
        let mut leaves = vec![self.leaf(0, 0, end, total, self.sum_up(0, end, drawn), drawn)];
        while leaves.len() < LEAVES {
            let gain = |leaf: &Leaf| leaf.best.map_or(0.0, |best| best.gain);
            let mut chosen = 0;
            for place in 1..leaves.len() {
                if gain(&leaves[place]) > gain(&leaves[chosen]) {
                    chosen = place;
                }
            }
            let Some(best) = leaves[chosen].best else { break };
            let leaf = leaves.swap_remove(chosen);
            let feature = self.order[best.drawn];
            let middle = self.part(feature, leaf.begin, leaf.end, best.bin);
            let child = nodes.len();
            let (low, high) = (self.binned[feature].ranks[best.bin].1, self.binned[feature].ranks[best.next].0);
            let value = table.columns[feature].midway(low, high);
            nodes[leaf.node] = Node { value, child: child as u32, feature: feature as u32 };
            let empty = Node { value: 0.0, child: 0, feature: 0 };
            nodes.extend([empty, empty]);
            // the sums of the larger side are the leaf's less those of the smaller one
            let is_left_smaller = middle - leaf.begin <= leaf.end - middle;
            let (begin, end) = if is_left_smaller { (leaf.begin, middle) } else { (middle, leaf.end) };
            let smaller = self.sum_up(begin, end, drawn);
            let mut larger = leaf.sums;
            larger.iter_mut().zip(&smaller).for_each(|(sum, smaller)| *sum -= smaller);
            let (left, right) = if is_left_smaller { (smaller, larger) } else { (larger, smaller) };
            leaves.push(self.leaf(child, leaf.begin, middle, best.left, left, drawn));
            leaves.push(self.leaf(child + 1, middle, leaf.end, leaf.total - best.left, right, drawn));
        }
        for leaf in &leaves {
            let (gradient, weight) = parts_of(leaf.total);
            let value = -RATE * gradient / (weight + DAMPING);
            nodes[leaf.node].value = value;
            let factor = libm::exp(-value);
            for &row in &self.rows[leaf.begin..leaf.end] {
                self.inverse_odds[usize::from(row)] *= factor;
            }
        }
        Tree { nodes }
    }

    /// Sums up the rows of a leaf, for each bin of each drawn feature.
    fn sum_up(&self, begin: usize, end: usize, drawn: usize) -> Vec<DerivativeSum> {
        let features = self.order.len();
        let drawn = &self.order[..drawn];
        let mut sums = vec![0; drawn.len() * BINS];
        for &row in &self.rows[begin..end] {
            let row = usize::from(row);
            let bins = &self.bins[row * features..][..features];
            let sum = self.sums[row];
            for (&feature, sums) in drawn.iter().zip(sums.as_chunks_mut::<BINS>().0) {
                sums[usize::from(bins[feature])] += sum;
            }
        }
        sums
    }

    fn leaf(
        &self,
        node: usize,
        begin: usize,
        end: usize,
        total: DerivativeSum,
        sums: Vec<DerivativeSum>,
        drawn: usize,
    ) -> Leaf {
        let mut best: Option<BoostingSplit> = None;
        let (gradient, weight) = parts_of(total);
        let score = |gradient: f64, weight: f64| gradient * gradient / (weight + DAMPING);
        let whole = score(gradient, weight);
        for place in 0..drawn {
            let count = self.binned[self.order[place]].ranks.len();
            let sums = &sums[place * BINS..][..count];
            let (mut left, mut last) = (0, None);
            for (bin, &sum) in sums.iter().enumerate() {
                // the bin has no rows, or rows without weight
                if sum == 0 {
                    continue;
                }
                if let Some(last) = last {
                    let (left_gradient, left_weight) = parts_of(left);
                    let (right_gradient, right_weight) = (gradient - left_gradient, weight - left_weight);
                    if left_weight >= LEAST_WEIGHT && right_weight >= LEAST_WEIGHT {
                        let gain = score(left_gradient, left_weight) + score(right_gradient, right_weight) - whole;
                        if gain > best.map_or(1e-9, |best| best.gain) {
                            best = Some(BoostingSplit { gain, drawn: place, bin: last, next: bin, left });
                        }
                    }
                }
                left += sum;
                last = Some(bin);
            }
        }
        Leaf { node, begin, end, total, sums, best }
    }

    /// Splits the rows of a leaf: those of bins up to `bin` come first. Returns where the others begin.
    fn part(&mut self, feature: usize, begin: usize, end: usize, bin: usize) -> usize {
        let features = self.order.len();
        let rows = &mut self.rows[begin..end];
        self.aside.resize(rows.len(), 0);
        let (mut left, mut right) = (0, 0);
        for i in 0..rows.len() {
            let row = rows[i];
            let is_left = usize::from(self.bins[usize::from(row) * features + feature]) <= bin;
            // written to both sides and kept on one: a branch would be mispredicted every other time
            rows[left] = row;
            self.aside[right] = row;
            left += usize::from(is_left);
            right += usize::from(!is_left);
        }
        rows[left..].copy_from_slice(&self.aside[..right]);
        begin + left
    }

    /// The trees.
    pub(super) fn finish(self) -> Boosted {
        self.boosted
    }
}

impl Binned {
    /// Bins of a feature with about as many rows each, and the bin of each rank.
    fn of(column: &FeatureColumn) -> (Self, Vec<u8>) {
        let values = column.values.len();
        let mut rows = vec![0_usize; values];
        column.ranks.iter().for_each(|&rank| rows[usize::from(rank)] += 1);
        let mut ranks: Vec<(u16, u16)> = Vec::new();
        let mut bin_of = Vec::with_capacity(values);
        let (mut left, mut in_bin) = (column.ranks.len(), 0);
        for (rank, &count) in rows.iter().enumerate() {
            let bins_left = BINS - ranks.len();
            let fits = values - rank <= bins_left;
            let is_full = fits || in_bin * (bins_left + 1) >= left + in_bin;
            match ranks.last_mut() {
                Some(last) if !is_full || bins_left == 0 => {
                    last.1 = rank as u16;
                    in_bin += count;
                }
                _ => {
                    ranks.push((rank as u16, rank as u16));
                    in_bin = count;
                }
            }
            left -= count;
            bin_of.push((ranks.len() - 1) as u8);
        }
        (Binned { ranks }, bin_of)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_hold_both_parts() {
        let sum = sum_of(-0.25, 0.125) + sum_of(0.75, 0.25) + sum_of(-1.0, 0.0);
        assert_eq!(parts_of(sum), (-0.5, 0.375));
    }

    #[test]
    fn bins_keep_the_order_and_share_the_rows() {
        for values in [3_usize, 256, 257, 1_000, 20_000] {
            let rows: Vec<f64> = (0..20_000).map(|i| ((i * i) % values) as f64).collect();
            let column = FeatureColumn::of(&rows);
            let (binned, bin_of) = Binned::of(&column);
            assert!(binned.ranks.len() <= BINS && bin_of.len() == column.values.len());
            assert!(bin_of.is_sorted() && binned.ranks.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
            assert_eq!(usize::from(*bin_of.last().unwrap()) + 1, binned.ranks.len());
            assert_eq!(usize::from(binned.ranks.last().unwrap().1) + 1, column.values.len());
            if column.values.len() <= BINS {
                assert_eq!(binned.ranks.len(), column.values.len(), "a bin for each value");
            } else {
                assert!(binned.ranks.len() > BINS / 2, "{values}: {}", binned.ranks.len());
            }
        }
    }

    #[test]
    fn a_diagonal_is_learned() {
        let x: Vec<f64> = (0..400).map(|i| f64::from(i % 20)).collect();
        let y: Vec<f64> = (0..400).map(|i| f64::from(i / 20)).collect();
        let is_small = x.iter().zip(&y).map(|(x, y)| x + y < 18.0).collect();
        let columns = [&x, &y, &vec![0.0; 400]].map(|values| FeatureColumn::of(values)).to_vec();
        let table = FeatureTable { columns, is_small };
        let mut boosting = Boosting::new(&table, 1, 1);
        (0..boosting.rounds()).for_each(|_| boosting.step(&table));
        let boosted = boosting.finish();
        assert!(boosted.vote(&[3.0, 5.0, 0.0]) > 0.8 && boosted.vote(&[14.0, 15.0, 0.0]) < 0.2);
    }
}
