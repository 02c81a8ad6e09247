//! Fixed-capacity arrays with fast insert and remove, in which the blocks of queues and profiles store their fields.
//!
//! Preparing a general memory move takes longer than moving a few values. Here values move in chunks of a fixed size; a
//! chunk may extend beyond the values in use into the spare ones.

use std::ops::{Index, IndexMut, Range};

/// The number of spare values at the end of a column, so that values can be moved in chunks of a fixed size.
pub const SPARE: usize = 16;

/// An array of values. Its owner keeps track of how many are in use: at most all except [`SPARE`].
#[derive(Clone, Debug)]
pub struct FixedColumn<T, const LEN: usize> {
    values: [T; LEN],
}

impl<T: Copy, const LEN: usize> FixedColumn<T, LEN> {
    /// The number of values that are moved at once. In WebAssembly, at most as many as can be moved without a function
    /// call.
    const CHUNK: usize = if cfg!(target_arch = "wasm32") && size_of::<T>() > 4 { 64 / size_of::<T>() } else { SPARE };

    /// An array whose values are all `value`.
    pub fn new(value: T) -> Self {
        FixedColumn { values: [value; LEN] }
    }

    #[inline]
    pub fn first(&self, len: usize) -> &[T] {
        &self.values[..len]
    }

    /// The values in `range`, mutably.
    #[inline]
    pub fn range_mut(&mut self, range: Range<usize>) -> &mut [T] {
        &mut self.values[range]
    }

    /// Inserts a value at `index`, if `len` values are in use.
    #[inline]
    pub fn insert(&mut self, index: usize, len: usize, value: T) {
        let mut from = index + (len - index).next_multiple_of(Self::CHUNK);
        while from > index {
            from -= Self::CHUNK;
            self.values.copy_within(from..from + Self::CHUNK, from + 1);
        }
        self.values[index] = value;
    }

    /// Removes the values in `range`, if `len` values are in use.
    #[inline]
    pub fn remove(&mut self, range: Range<usize>, len: usize) {
        let Range { start: mut to, end: mut from } = range;
        while from < len {
            self.values.copy_within(from..from + Self::CHUNK, to);
            (from, to) = (from + Self::CHUNK, to + Self::CHUNK);
        }
    }

    #[inline]
    pub fn copy_from(&mut self, other: &Self, len: usize) {
        let mut from = 0;
        while from < len {
            let to = from + Self::CHUNK;
            self.values[from..to].copy_from_slice(&other.values[from..to]);
            from = to;
        }
    }
}

impl<T, const LEN: usize> Index<usize> for FixedColumn<T, LEN> {
    type Output = T;

    #[inline]
    fn index(&self, index: usize) -> &T {
        &self.values[index]
    }
}

impl<T, const LEN: usize> IndexMut<usize> for FixedColumn<T, LEN> {
    #[inline]
    fn index_mut(&mut self, index: usize) -> &mut T {
        &mut self.values[index]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const USED: usize = 40;

    /// The values `0..len`, as a column and as a list.
    fn values<T: Copy + From<u8>>(len: usize) -> (FixedColumn<T, { USED + SPARE }>, Vec<T>) {
        let list: Vec<T> = (0..len as u8).map(T::from).collect();
        let mut column = FixedColumn::new(T::from(u8::MAX));
        column.range_mut(0..len).copy_from_slice(&list);
        (column, list)
    }

    fn check<T: Copy + From<u8> + PartialEq + std::fmt::Debug>() {
        for len in 0..=USED {
            for index in 0..=len {
                if len < USED {
                    let (mut column, mut list) = values::<T>(len);
                    column.insert(index, len, T::from(200));
                    list.insert(index, T::from(200));
                    assert_eq!(column.first(len + 1), list, "{len} values, one more at {index}");
                }
                for to in index..=len {
                    let (mut column, mut list) = values::<T>(len);
                    column.remove(index..to, len);
                    list.drain(index..to);
                    assert_eq!(column.first(list.len()), list, "{len} values without {index} to {to}");
                }
            }
            let (column, list) = values::<T>(len);
            let mut copy = FixedColumn::new(T::from(100));
            copy.copy_from(&column, len);
            assert_eq!(copy.first(len), list);
        }
    }

    #[test]
    fn a_column_holds_what_a_list_does() {
        check::<u8>();
        check::<u32>();
        check::<f64>();
    }
}
