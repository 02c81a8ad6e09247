//! Decision trees: at each node the best of some features drawn at random, by Gini impurity.

use super::table::FeatureTable;
use crate::random::Random;

/// A node of a tree. The children of a node lie side by side.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Node {
    /// The threshold: values up to it go to the first child. In a leaf, the prediction.
    pub value: f64,
    /// The first child; 0 in a leaf.
    pub child: u32,
    /// The place of the feature.
    pub feature: u32,
}

/// A decision tree.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Tree {
    pub nodes: Vec<Node>,
}

impl Tree {
    /// The prediction for these features.
    pub(super) fn predict(&self, features: &[f64]) -> f64 {
        let mut node = &self.nodes[0];
        while node.child != 0 {
            let is_above = features[node.feature as usize] > node.value;
            node = &self.nodes[node.child as usize + usize::from(is_above)];
        }
        node.value
    }
}

/// How a tree grows.
#[derive(Clone, Copy, Debug)]
pub(super) struct Growth {
    /// The most nodes between root and leaf.
    pub depth: u32,
    /// Features drawn at a node.
    pub drawn: usize,
}

/// Rows of a node, or of one side of a split.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Count {
    /// The number of rows, each as often as it was drawn.
    all: u32,
    /// The number of small ones among them.
    small: u32,
}

impl Count {
    /// Both numbers in one: they are below 2^16 each, and so are their sums over the rows of a sample.
    #[inline]
    fn packed(self) -> u32 {
        self.small << 16 | self.all
    }

    #[inline]
    fn unpacked(packed: u32) -> Self {
        Count { all: packed & 0xffff, small: packed >> 16 }
    }

    #[inline]
    fn without(self, other: Count) -> Self {
        Count { all: self.all - other.all, small: self.small - other.small }
    }

    /// Whether all are of one class.
    fn is_pure(self) -> bool {
        self.small == 0 || self.small == self.all
    }

    /// s^2 / n, s small rows of n. The higher its sum over the sides of a split, the lower their Gini impurity.
    fn purity(self) -> f64 {
        f64::from(self.small) * f64::from(self.small) / f64::from(self.all)
    }
}

/// A place to split a node's rows.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Split {
    /// The score: the purer the sides, the higher.
    score: f64,
    feature: usize,
    /// Ranks of neighbouring values: those up to the first go to one side.
    low: u16,
    high: u16,
    left: Count,
}

/// The sum of s^2 / n over both sides. It is computed from whole numbers below 2^53 and rounded once.
#[inline]
fn score(left: Count, right: Count) -> f64 {
    let [l, ls, r, rs] = [left.all, left.small, right.all, right.small].map(u64::from);
    (ls * ls * r + rs * rs * l) as f64 / (l * r) as f64
}

/// Grows trees from one table.
#[derive(Clone, Debug)]
pub(super) struct Grower {
    growth: Growth,
    /// How often each row was drawn, and its class.
    counts: Vec<u32>,
    /// Rows drawn at least once; those of a node are neighbours.
    rows: Vec<u16>,
    /// Rows of the second child; kept to reuse its memory.
    aside: Vec<u16>,
    /// For each rank of a feature: the rows of a node with that rank.
    bins: Vec<u32>,
    /// A bit for each rank: whether a row of the node has that rank.
    marks: Vec<u64>,
    /// Places of all features, in the order in which they are drawn at a node.
    order: Vec<usize>,
    nodes: Vec<Node>,
    /// How much the splits of each feature lowered the impurity.
    gains: Vec<f64>,
}

/// Nodes with at most this many rows are sorted rather than counted.
const FEW: usize = 24;

/// Features with at most this many values are counted in lanes. Neighbouring rows often have the same value, and
/// without lanes each addition to a bin would have to wait for the one before.
const LANED: usize = 16;

/// A feature with more values than this has few of them in a node.
const MANY: usize = 512;

/// The number of lanes in which neighbouring rows are counted.
const LANES: usize = 4;

/// A node that is to be split.
#[derive(Clone, Copy, Debug)]
struct OpenNode {
    /// Its place among the nodes.
    node: usize,
    /// Its first row.
    begin: usize,
    /// The row after its last.
    end: usize,
    /// The count of its rows.
    total: Count,
    /// The number of nodes above it.
    depth: u32,
}

impl Grower {
    pub(super) fn new(table: &FeatureTable, growth: Growth) -> Self {
        let ranks = table.columns.iter().map(|column| column.values.len()).max().unwrap_or(0);
        Grower {
            growth,
            counts: vec![0; table.rows()],
            rows: Vec::with_capacity(table.rows()),
            aside: Vec::with_capacity(table.rows()),
            bins: vec![0; ranks],
            marks: vec![0; ranks.div_ceil(64)],
            order: (0..table.columns.len()).collect(),
            nodes: Vec::new(),
            gains: Vec::new(),
        }
    }

    /// Grows a tree from as many rows as the table has, drawn with replacement. Adds the share of each feature in the gain to
    /// `importances`.
    pub(super) fn grow(&mut self, table: &FeatureTable, random: &mut Random, importances: &mut [f64]) -> Tree {
        let total = self.draw(table, random);
        self.gains = vec![0.0; table.columns.len()];
        self.nodes = vec![Node { value: 0.0, child: 0, feature: 0 }];
        let end = self.rows.len();
        self.split(table, random, OpenNode { node: 0, begin: 0, end, total, depth: 0 });
        let sum: f64 = self.gains.iter().sum();
        if sum > 0.0 {
            for (importance, gain) in importances.iter_mut().zip(&self.gains) {
                *importance += gain / sum;
            }
        }
        Tree { nodes: std::mem::take(&mut self.nodes) }
    }

    /// Draws the rows.
    fn draw(&mut self, table: &FeatureTable, random: &mut Random) -> Count {
        let rows = table.rows();
        self.counts.fill(0);
        for _ in 0..rows {
            self.counts[random.below(rows)] += 1;
        }
        self.rows.clear();
        let mut total = Count::default();
        for (row, (count, &is_small)) in self.counts.iter_mut().zip(&table.is_small).enumerate() {
            if *count > 0 {
                self.rows.push(row as u16);
                let drawn = Count { all: *count, small: if is_small { *count } else { 0 } };
                total = Count { all: total.all + drawn.all, small: total.small + drawn.small };
                *count = drawn.packed();
            }
        }
        total
    }

    /// Splits a node, and its children.
    fn split(&mut self, table: &FeatureTable, random: &mut Random, part: OpenNode) {
        let OpenNode { node, begin, end, total, depth } = part;
        let is_leaf = total.is_pure() || depth == self.growth.depth || end - begin < 2;
        let best = if is_leaf { None } else { self.best(table, random, part) };
        let Some(best) = best else {
            self.nodes[node].value = f64::from(total.small) / f64::from(total.all);
            return;
        };
        self.gains[best.feature] += 2.0 * (best.score - total.purity());
        let column = &table.columns[best.feature];
        let middle = self.part(&column.ranks, begin, end, best.low);
        let child = self.nodes.len();
        let empty = Node { value: 0.0, child: 0, feature: 0 };
        self.nodes.extend([empty, empty]);
        self.nodes[node] =
            Node { value: column.midway(best.low, best.high), child: child as u32, feature: best.feature as u32 };
        let depth = depth + 1;
        self.split(table, random, OpenNode { node: child, begin, end: middle, total: best.left, depth });
        let right = total.without(best.left);
        self.split(table, random, OpenNode { node: child + 1, begin: middle, end, total: right, depth });
    }

    /// Splits the rows of a node: those of ranks up to `low` come first. Both sides keep their order. Returns where the
    /// second begins.
    fn part(&mut self, ranks: &[u16], begin: usize, end: usize, low: u16) -> usize {
        let rows = &mut self.rows[begin..end];
        self.aside.resize(rows.len(), 0);
        let (mut left, mut right) = (0, 0);
        for i in 0..rows.len() {
            let row = rows[i];
            let is_left = ranks[usize::from(row)] <= low;
            // written to both sides and kept on one: a branch would be mispredicted every other time
            rows[left] = row;
            self.aside[right] = row;
            left += usize::from(is_left);
            right += usize::from(!is_left);
        }
        rows[left..].copy_from_slice(&self.aside[..right]);
        begin + left
    }

    /// The best split by some features drawn at random. More are drawn only while none of them splits.
    fn best(&mut self, table: &FeatureTable, random: &mut Random, part: OpenNode) -> Option<Split> {
        let features = self.order.len();
        self.order.iter_mut().enumerate().for_each(|(place, feature)| *feature = place);
        let mut best: Option<Split> = None;
        for i in 0..features {
            if i >= self.growth.drawn && best.is_some() {
                break;
            }
            let drawn = i + random.below(features - i);
            self.order.swap(i, drawn);
            let found = self.by(self.order[i], table, part);
            if let Some(found) = found
                && best.is_none_or(|best| found.score > best.score)
            {
                best = Some(found);
            }
        }
        best
    }

    /// The best split by a feature; `None` where all rows have one value of it.
    fn by(&mut self, feature: usize, table: &FeatureTable, part: OpenNode) -> Option<Split> {
        let column = &table.columns[feature];
        let mut search = SplitSearch::new(part.total);
        if part.end - part.begin <= FEW {
            self.sort_few(&column.ranks, part, &mut search);
        } else if column.values.len() <= LANED {
            self.count_in_lanes(&column.ranks, part, &mut search);
        } else if column.values.len() > MANY {
            self.count_marked(&column.ranks, part, &mut search);
        } else {
            self.count(&column.ranks, part, &mut search);
        }
        search.best.map(|best| Split { feature, ..best })
    }

    /// Searches the values of a node with few rows.
    fn sort_few(&self, ranks: &[u16], part: OpenNode, search: &mut SplitSearch) {
        let rows = &self.rows[part.begin..part.end];
        let mut pairs = [0; FEW];
        let pairs = &mut pairs[..rows.len()];
        for (pair, &row) in pairs.iter_mut().zip(rows) {
            let row = usize::from(row);
            *pair = u64::from(ranks[row]) << 32 | u64::from(self.counts[row]);
        }
        insertion_sort(pairs);
        for &pair in &*pairs {
            search.next((pair >> 32) as u16, Count::unpacked(pair as u32));
        }
    }

    /// Searches the values of a feature with few values.
    fn count_in_lanes(&self, ranks: &[u16], part: OpenNode, search: &mut SplitSearch) {
        let rows = &self.rows[part.begin..part.end];
        let mut bins = [[0_u32; LANES]; LANED];
        let mut chunks = rows.chunks_exact(LANES);
        for chunk in &mut chunks {
            for (lane, &row) in chunk.iter().enumerate() {
                let row = usize::from(row);
                bins[usize::from(ranks[row]) % LANED][lane] += self.counts[row];
            }
        }
        for &row in chunks.remainder() {
            let row = usize::from(row);
            bins[usize::from(ranks[row]) % LANED][0] += self.counts[row];
        }
        for (rank, lanes) in (0..).zip(&bins) {
            let sum: u32 = lanes.iter().sum();
            if sum != 0 {
                search.next(rank, Count::unpacked(sum));
            }
        }
    }

    /// Searches the values of a feature with more values.
    fn count(&mut self, ranks: &[u16], part: OpenNode, search: &mut SplitSearch) {
        let (mut low, mut high) = (u16::MAX, 0);
        for &row in &self.rows[part.begin..part.end] {
            let row = usize::from(row);
            let rank = ranks[row];
            self.bins[usize::from(rank)] += self.counts[row];
            (low, high) = (low.min(rank), high.max(rank));
        }
        let bins = &mut self.bins[usize::from(low)..=usize::from(high)];
        for (rank, bin) in (low..).zip(bins) {
            if *bin != 0 {
                search.next(rank, Count::unpacked(*bin));
                *bin = 0;
            }
        }
    }

    /// Searches the values of a feature with many values: those in the node are marked, and the others skipped.
    fn count_marked(&mut self, ranks: &[u16], part: OpenNode, search: &mut SplitSearch) {
        for &row in &self.rows[part.begin..part.end] {
            let row = usize::from(row);
            let rank = usize::from(ranks[row]);
            self.bins[rank] += self.counts[row];
            self.marks[rank / 64] |= 1 << (rank % 64);
        }
        for (word, marks) in self.marks.iter_mut().enumerate() {
            let mut left = std::mem::take(marks);
            while left != 0 {
                let rank = word * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let bin = std::mem::take(&mut self.bins[rank]);
                search.next(rank as u16, Count::unpacked(bin));
            }
        }
    }
}

/// Sorts few numbers.
fn insertion_sort(numbers: &mut [u64]) {
    for i in 1..numbers.len() {
        let number = numbers[i];
        let mut to = i;
        while to > 0 && numbers[to - 1] > number {
            numbers[to] = numbers[to - 1];
            to -= 1;
        }
        numbers[to] = number;
    }
}

/// The search for the best split among the values of a feature, in order.
struct SplitSearch {
    total: Count,
    /// The count of the rows so far; `last` is the rank of the last of them.
    left: Count,
    last: u16,
    best: Option<Split>,
}

impl SplitSearch {
    fn new(total: Count) -> Self {
        SplitSearch { total, left: Count::default(), last: 0, best: None }
    }

    /// Takes the next rows in order, all of one rank, which may be that of the rows before.
    #[inline]
    fn next(&mut self, rank: u16, rows: Count) {
        if rank != self.last && self.left.all > 0 {
            let score = score(self.left, self.total.without(self.left));
            if self.best.is_none_or(|best| score > best.score) {
                self.best = Some(Split { score, feature: 0, low: self.last, high: rank, left: self.left });
            }
        }
        self.last = rank;
        self.left = Count { all: self.left.all + rows.all, small: self.left.small + rows.small };
    }
}
