//! The forest by its definition, without regard to speed. Tests compare the fast one with it, node by node.

use super::table::FeatureTable;
use super::tree::{Growth, Node, Tree};
use crate::random::Random;

/// A row as it was drawn.
#[derive(Clone)]
struct Row {
    features: Vec<f64>,
    is_small: bool,
}

/// Grows the trees of a forest.
pub(super) fn grow(table: &FeatureTable, growth: Growth, trees: u32, seed: u64, week: usize) -> Vec<Tree> {
    let value = |row: usize, feature: usize| {
        let column = &table.columns[feature];
        column.values[usize::from(column.ranks[row])]
    };
    let row = |row: usize| Row {
        features: (0..table.columns.len()).map(|feature| value(row, feature)).collect(),
        is_small: table.is_small[row],
    };
    let rows: Vec<Row> = (0..table.rows()).map(row).collect();
    (0..trees)
        .map(|tree| {
            let mut random = super::forest::random_of_tree(seed, week, tree);
            let drawn: Vec<Row> = (0..rows.len()).map(|_| rows[random.below(rows.len())].clone()).collect();
            let mut tree = Tree { nodes: vec![Node { value: 0.0, child: 0, feature: 0 }] };
            split(&mut tree, 0, drawn, growth, &mut random, 0);
            tree
        })
        .collect()
}

fn small(rows: &[Row]) -> usize {
    rows.iter().filter(|row| row.is_small).count()
}

/// Gini impurity: the probability that two rows, drawn with replacement, are of different classes.
fn gini(rows: &[Row]) -> f64 {
    let share = small(rows) as f64 / rows.len() as f64;
    2.0 * share * (1.0 - share)
}

fn split(tree: &mut Tree, node: usize, rows: Vec<Row>, growth: Growth, random: &mut Random, depth: u32) {
    tree.nodes[node].value = small(&rows) as f64 / rows.len() as f64;
    let differs = |row: &Row| row.features != rows[0].features || row.is_small != rows[0].is_small;
    let is_leaf = small(&rows) == 0 || small(&rows) == rows.len() || depth == growth.depth;
    if is_leaf || !rows.iter().any(differs) {
        return;
    }
    let features = rows[0].features.len();
    let mut order: Vec<usize> = (0..features).collect();
    // impurity of the sides, feature, threshold
    let mut best: Option<(f64, usize, f64)> = None;
    for i in 0..features {
        if i >= growth.drawn && best.is_some() {
            break;
        }
        let other = i + random.below(features - i);
        order.swap(i, other);
        let feature = order[i];
        let mut values: Vec<f64> = rows.iter().map(|row| row.features[feature]).collect();
        values.sort_by(f64::total_cmp);
        values.dedup();
        for pair in values.windows(2) {
            let threshold = (pair[0] + pair[1]) / 2.0;
            let (left, right) = part(&rows, feature, threshold);
            let impurity = gini(&left) * left.len() as f64 + gini(&right) * right.len() as f64;
            // sums of the same sides may differ in rounding
            if best.is_none_or(|(least, ..)| impurity < least - 1e-9) {
                best = Some((impurity, feature, threshold));
            }
        }
    }
    let Some((_, feature, threshold)) = best else { return };
    let (left, right) = part(&rows, feature, threshold);
    let child = tree.nodes.len();
    let empty = Node { value: 0.0, child: 0, feature: 0 };
    tree.nodes.extend([empty, empty]);
    tree.nodes[node] = Node { value: threshold, child: child as u32, feature: feature as u32 };
    split(tree, child, left, growth, random, depth + 1);
    split(tree, child + 1, right, growth, random, depth + 1);
}

fn part(rows: &[Row], feature: usize, threshold: f64) -> (Vec<Row>, Vec<Row>) {
    rows.iter().cloned().partition(|row| row.features[feature] <= threshold)
}
