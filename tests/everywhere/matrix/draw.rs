//! Numbers drawn from a seed: the same on every target.

/// A source of random numbers (SplitMix64).
pub struct Draw(u64);

impl Draw {
    /// The draws of one case of a seed.
    pub fn of(seed: u64, case: u64) -> Self {
        let mut draw = Draw(seed);
        let begin = draw.next() ^ case.wrapping_mul(0x2545_f491_4f6c_dd1d);
        Draw(begin)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number from 0 to below `end`.
    pub fn below(&mut self, end: usize) -> usize {
        (self.next() % end.max(1) as u64) as usize
    }

    /// A number from `first` to `last`.
    pub fn between(&mut self, first: i64, last: i64) -> i64 {
        let count = last.wrapping_sub(first).wrapping_add(1).max(1) as u64;
        first.wrapping_add((self.next() % count) as i64)
    }

    /// True once in `times` draws, on average.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    /// One of these.
    pub fn pick<T: Clone>(&mut self, from: &[T]) -> T {
        from[self.below(from.len())].clone()
    }
}
