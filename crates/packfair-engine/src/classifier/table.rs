//! Training rows: features of jobs, column by column, as ranks among the values of each feature.

/// The most training rows; of more a sample is drawn. A row's number and a value's rank fit into 16 bits.
pub(super) const MOST_ROWS: usize = 20_000;

/// Whole numbers that span no more than this are ranked by counting.
const COUNTED: f64 = 262_144.0;

/// A feature of all rows.
#[derive(Clone, Debug)]
pub(super) struct FeatureColumn {
    /// The rank of each row's value.
    pub ranks: Vec<u16>,
    /// The values by their ranks.
    pub values: Vec<f64>,
}

/// Features and classes of jobs.
#[derive(Clone, Debug)]
pub(super) struct FeatureTable {
    /// A column for each feature.
    pub columns: Vec<FeatureColumn>,
    /// Whether the job of each row is small.
    pub is_small: Vec<bool>,
}

impl FeatureTable {
    /// The number of rows.
    pub(super) fn rows(&self) -> usize {
        self.is_small.len()
    }
}

impl FeatureColumn {
    /// The column of these values, one for each row.
    pub(super) fn of(rows: &[f64]) -> Self {
        debug_assert!(rows.len() <= MOST_ROWS);
        let low = rows.iter().copied().fold(f64::INFINITY, f64::min);
        let high = rows.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let is_whole = |value: &f64| f64::from(*value as i32) == *value;
        if high - low < COUNTED && rows.iter().all(is_whole) {
            Self::counted(rows, low, high)
        } else {
            Self::sorted(rows)
        }
    }

    fn counted(rows: &[f64], low: f64, high: f64) -> Self {
        let place = |value: f64| (value - low) as usize;
        let mut ranks_of = vec![0_u16; place(high) + 1];
        rows.iter().for_each(|&value| ranks_of[place(value)] = 1);
        let mut values = Vec::new();
        for (place, rank) in ranks_of.iter_mut().enumerate() {
            if *rank != 0 {
                *rank = values.len() as u16;
                values.push(low + place as f64);
            }
        }
        FeatureColumn { ranks: rows.iter().map(|&value| ranks_of[place(value)]).collect(), values }
    }

    fn sorted(rows: &[f64]) -> Self {
        let mut values = rows.to_vec();
        radsort::sort(&mut values);
        values.dedup();
        let rank = |value: &f64| values.partition_point(|other| other < value) as u16;
        FeatureColumn { ranks: rows.iter().map(rank).collect(), values }
    }

    /// A threshold midway between the values of two ranks. The lower value is not above it, the higher one is.
    pub(super) fn midway(&self, low: u16, high: u16) -> f64 {
        let (low, high) = (self.values[usize::from(low)], self.values[usize::from(high)]);
        let middle = low + (high - low) / 2.0;
        if middle < high { middle } else { low }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_those_of_the_sorted_values() {
        for rows in [vec![5.0, -1.0, 5.0, 3.0], vec![0.5, -1.0, 0.25, 0.5], vec![1e9, -1.0, 7.0], vec![4.0]] {
            let column = FeatureColumn::of(&rows);
            assert!(column.values.windows(2).all(|pair| pair[0] < pair[1]));
            let back: Vec<f64> = column.ranks.iter().map(|&rank| column.values[usize::from(rank)]).collect();
            assert_eq!(back, rows);
            assert!(column.values.iter().all(|value| rows.contains(value)));
        }
    }

    #[test]
    fn a_threshold_lies_between_its_values() {
        let (low, high) = (1.0, 1.0 + f64::EPSILON);
        let column = FeatureColumn { ranks: Vec::new(), values: vec![-1.0, low, high, 9.0] };
        assert_eq!(column.midway(0, 1), 0.0);
        assert_eq!(column.midway(1, 2), low, "no number lies between them");
    }
}
