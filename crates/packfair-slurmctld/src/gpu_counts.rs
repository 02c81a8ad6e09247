//! Numbers of GPUs by type.

use packfair_slurm::{MOST_GPU_KINDS, Node};

/// A type of GPUs, by its place among those of the site ([`super::wants::kinds_of`]), from 1; 0: none.
type KindNumber = u16;

/// Numbers of GPUs by type, on a node or of a job. A site may have any number of types, a node has a few of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct KindCounts([(KindNumber, u16); MOST_GPU_KINDS]);

fn number_of(place: usize) -> Option<KindNumber> {
    KindNumber::try_from(place + 1).ok()
}

impl KindCounts {
    /// The GPUs of a node by these types, in their order.
    pub(super) fn of_node(node: &Node, kinds: &[&str]) -> Self {
        let mut counts = Self::default();
        for (place, kind) in kinds.iter().enumerate() {
            if let Some((_, count)) = node.gpu_kinds.iter().find(|(own, _)| own == kind) {
                counts.add(place, *count);
            }
        }
        counts
    }

    /// Adds GPUs of a type, given by its place. What there is no room for is of any type.
    pub(super) fn add(&mut self, place: usize, count: u32) {
        let Some(number) = number_of(place) else { return };
        if let Some((own, sum)) = self.0.iter_mut().find(|(own, _)| *own == number || *own == 0) {
            (*own, *sum) = (number, sum.saturating_add(u16::try_from(count).unwrap_or(u16::MAX)));
        }
    }

    /// The types, by their places, and how many GPUs there are of each.
    pub(super) fn iter(&self) -> impl Iterator<Item = (usize, u16)> {
        let told = self.0.iter().take_while(|(number, _)| *number > 0);
        told.map(|&(number, count)| (usize::from(number) - 1, count))
    }

    /// How many GPUs there are of a type, given by its place.
    pub(super) fn of(&self, place: usize) -> u16 {
        self.iter().find(|(own, _)| *own == place).map_or(0, |(_, count)| count)
    }

    pub(super) fn sum(&self) -> u32 {
        self.iter().map(|(_, count)| u32::from(count)).sum()
    }

    /// Whether there are as many of each type as in `others`.
    pub(super) fn cover(&self, others: &Self) -> bool {
        others.iter().all(|(place, count)| self.of(place) >= count)
    }

    pub(super) fn divided(&self, by: u16) -> Self {
        KindCounts(self.0.map(|(number, count)| (number, count.div_ceil(by.max(1)))))
    }

    pub(super) fn take_out(&mut self, others: &Self) {
        for (number, count) in self.0.iter_mut().filter(|(number, _)| *number > 0) {
            *count = count.saturating_sub(others.of(usize::from(*number) - 1));
        }
    }

    /// Puts back `others`, at most up to `all`.
    pub(super) fn put_in(&mut self, others: &Self, all: &Self) {
        for (number, count) in self.0.iter_mut().filter(|(number, _)| *number > 0) {
            let place = usize::from(*number) - 1;
            *count = count.saturating_add(others.of(place)).min(all.of(place));
        }
    }

    /// What a job gets of these free ones that asks for `own` types and for `gpus` altogether: those of its types, the others
    /// of the first types that are left.
    pub(super) fn given(&self, own: &Self, gpus: u32) -> Self {
        let mut left = gpus.saturating_sub(own.sum());
        let mut given = *self;
        for (number, count) in given.0.iter_mut().filter(|(number, _)| *number > 0) {
            let own = own.of(usize::from(*number) - 1);
            let more = u32::from(count.saturating_sub(own)).min(left);
            left -= more;
            *count = own + more as u16;
        }
        given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn counts(of: &[(usize, u32)]) -> KindCounts {
        let mut counts = KindCounts::default();
        of.iter().for_each(|&(place, count)| counts.add(place, count));
        counts
    }

    #[test]
    fn types_are_told_apart_however_many_a_site_has() {
        let (all, asked) = (counts(&[(3, 4), (900, 2)]), counts(&[(900, 1)]));
        assert!(all.cover(&asked) && !all.cover(&counts(&[(11, 1)])) && !asked.cover(&all));
        assert_eq!((all.of(900), all.of(4), all.sum()), (2, 0, 6));
        let given = all.given(&asked, 4);
        assert_eq!(given, counts(&[(3, 3), (900, 1)]));
        let mut free = all;
        free.take_out(&given);
        assert_eq!(free, counts(&[(3, 1), (900, 1)]));
        free.put_in(&given, &all);
        free.put_in(&given, &all);
        assert_eq!(free, all, "never more than there are");
        assert_eq!(counts(&[(2, 7)]).divided(2), counts(&[(2, 4)]));
    }
}
