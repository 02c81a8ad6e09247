//! Sets of nodes as bit masks.

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct NodeBits {
    words: Vec<u64>,
}

/// Where the nodes of a set are that are all in one of its words.
#[derive(Clone, Copy, Debug)]
pub(super) struct NodePlace {
    at: usize,
    /// 0 where they are in several.
    word: u64,
}

impl NodePlace {
    /// Whether one of the nodes is in a set; none where they are in several words.
    #[inline]
    pub(super) fn is_met(self, nodes: &NodeBits) -> Option<bool> {
        (self.word != 0).then(|| nodes.words[self.at] & self.word != 0)
    }
}

impl NodeBits {
    /// The empty set, for a site of `nodes` nodes.
    pub(super) fn none(nodes: usize) -> Self {
        NodeBits { words: vec![0; nodes.div_ceil(64)] }
    }

    pub(super) fn all(nodes: usize) -> Self {
        let mut set = NodeBits { words: vec![u64::MAX; nodes.div_ceil(64)] };
        if let (Some(last), 1..) = (set.words.last_mut(), nodes % 64) {
            *last = (1 << (nodes % 64)) - 1;
        }
        set
    }

    pub(super) fn of(nodes: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = NodeBits::none(nodes);
        members.into_iter().for_each(|node| set.insert(node));
        set
    }

    #[inline]
    pub(super) fn insert(&mut self, node: usize) {
        self.words[node / 64] |= 1 << (node % 64);
    }

    /// Inserts `length` consecutive nodes.
    pub(super) fn insert_run(&mut self, first: usize, length: u32) {
        let (mut at, mut left) = (first, length as usize);
        while left > 0 {
            let within = at % 64;
            let taken = left.min(64 - within);
            let ones = if taken == 64 { u64::MAX } else { (1 << taken) - 1 };
            self.words[at / 64] |= ones << within;
            (at, left) = (at + taken, left - taken);
        }
    }

    pub(super) fn remove(&mut self, node: usize) {
        self.words[node / 64] &= !(1 << (node % 64));
    }

    #[inline]
    pub(super) fn contains(&self, node: usize) -> bool {
        self.words[node / 64] >> (node % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn count(&self) -> u32 {
        self.words.iter().map(|word| word.count_ones()).sum()
    }

    /// Adds the nodes to a set of the same size, which is given as words.
    #[inline]
    pub(super) fn put_into(&self, words: &mut [u64]) {
        words.iter_mut().zip(&self.words).for_each(|(word, own)| *word |= own);
    }

    /// How many of the nodes are in a set of the same size, which is given as words.
    #[inline]
    pub(super) fn count_within(&self, words: &[u64]) -> u32 {
        self.words.iter().zip(words).map(|(own, word)| (own & word).count_ones()).sum()
    }

    /// How many of the nodes are in another set.
    #[inline]
    pub(super) fn count_in(&self, other: &NodeBits) -> u32 {
        self.count_within(&other.words)
    }

    /// Adds the nodes of a set of the same size, which is given as words.
    #[inline]
    pub(super) fn put_in_words(&mut self, words: &[u64]) {
        self.words.iter_mut().zip(words).for_each(|(word, other)| *word |= other);
    }

    /// Keeps the nodes that are in another set too.
    #[inline]
    pub(super) fn keep(&mut self, other: &NodeBits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Keeps the nodes of a set of the same size, which is given as words.
    #[inline]
    pub(super) fn keep_words(&mut self, words: &[u64]) {
        self.words.iter_mut().zip(words).for_each(|(word, other)| *word &= other);
    }

    /// Where its nodes are.
    pub(super) fn place(&self) -> NodePlace {
        let at = self.words.iter().position(|&word| word != 0).unwrap_or(0);
        let is_alone = self.words.iter().skip(at + 1).all(|&word| word == 0);
        NodePlace { at, word: if is_alone { self.words.get(at).copied().unwrap_or(0) } else { 0 } }
    }

    /// The set as words.
    #[inline]
    pub(super) fn words(&self) -> &[u64] {
        &self.words
    }

    /// The nodes that are in another set too.
    pub(super) fn common(&self, other: &NodeBits) -> NodeBits {
        NodeBits { words: self.words.iter().zip(&other.words).map(|(word, other)| word & other).collect() }
    }

    #[inline]
    pub(super) fn take_out(&mut self, other: &NodeBits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    #[inline]
    pub(super) fn put_in(&mut self, other: &NodeBits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    #[inline]
    pub(super) fn meets(&self, other: &NodeBits) -> bool {
        self.words.iter().zip(&other.words).any(|(word, other)| word & other != 0)
    }

    #[inline]
    pub(super) fn is_within(&self, other: &NodeBits) -> bool {
        self.words.iter().zip(&other.words).all(|(word, other)| word & !other == 0)
    }

    /// Whether one of the nodes is in `more` and not in `less`.
    #[inline]
    pub(super) fn gains(&self, less: &NodeBits, more: &NodeBits) -> bool {
        // without stopping at the first, several words are compared at a time
        let gained = self.words.iter().zip(less.words.iter().zip(&more.words));
        gained.fold(0, |gained, (word, (less, more))| gained | word & more & !less) != 0
    }

    #[inline]
    pub(super) fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// Calls with each of the nodes, in order.
    #[inline]
    pub(super) fn for_each(&self, mut call: impl FnMut(usize)) {
        for (at, &word) in self.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                call(at * 64 + left.trailing_zeros() as usize);
                left &= left - 1;
            }
        }
    }

    /// Calls with the first node and the length of each run of consecutive nodes, in order.
    #[inline]
    pub(super) fn for_each_run(&self, mut call: impl FnMut(usize, usize)) {
        let (mut first, mut length) = (0, 0);
        for (at, &word) in self.words.iter().enumerate() {
            let mut left = word;
            let mut place = at * 64;
            while left != 0 {
                let skip = left.trailing_zeros();
                left >>= skip;
                place += skip as usize;
                let more = left.trailing_ones();
                left = left.checked_shr(more).unwrap_or(0);
                if length > 0 && first + length == place {
                    length += more as usize;
                } else {
                    if length > 0 {
                        call(first, length);
                    }
                    (first, length) = (place, more as usize);
                }
                place += more as usize;
            }
        }
        if length > 0 {
            call(first, length);
        }
    }

    /// The runs of consecutive nodes: the first node of each, and its length.
    pub(super) fn runs(&self) -> Vec<(usize, u32)> {
        let mut runs: Vec<(usize, u32)> = Vec::new();
        self.for_each_run(|first, length| runs.push((first, length as u32)));
        runs
    }

    #[inline]
    pub(super) fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| {
            std::iter::successors(Some(word).filter(|&word| word != 0), |word| {
                Some(word & (word - 1)).filter(|&w| w != 0)
            })
            .map(move |word| at * 64 + word.trailing_zeros() as usize)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let all = NodeBits::all(70);
        assert_eq!((all.count(), NodeBits::all(64).count(), NodeBits::all(0).count()), (70, 64, 0));
        let mut some = NodeBits::of(70, [1, 5, 64, 69]);
        assert_eq!(some.iter().collect::<Vec<_>>(), [1, 5, 64, 69]);
        assert!(some.is_within(&all) && !all.is_within(&some) && some.meets(&all));
        let few = NodeBits::of(70, [5, 6]);
        assert!(few.gains(&some, &NodeBits::of(70, [6])) && !few.gains(&some, &some));
        assert_eq!(some.runs(), [(1, 1), (5, 1), (64, 1), (69, 1)]);
        assert_eq!(NodeBits::of(200, 3..130).runs(), [(3, 127)]);
        assert_eq!(all.runs(), [(0, 70)]);
        for (first, length) in [(0, 70), (3, 61), (3, 62), (64, 6), (69, 1), (5, 0)] {
            let mut run = NodeBits::none(70);
            run.insert_run(first, length);
            assert_eq!(run, NodeBits::of(70, first..first + length as usize));
        }
        assert_eq!(some.common(&few), NodeBits::of(70, [5]));
        some.take_out(&few);
        some.put_in(&NodeBits::of(70, [0]));
        assert_eq!(some.iter().collect::<Vec<_>>(), [0, 1, 64, 69]);
        some.keep(&NodeBits::of(70, [0, 69]));
        some.remove(0);
        assert!(some.contains(69) && some.count() == 1);
    }
}
