//! Sets of jobs.

use crate::workload::JobId;

#[derive(Clone, Debug, Default)]
pub(crate) struct JobSet {
    words: Vec<u64>,
}

impl JobSet {
    pub(crate) fn insert(&mut self, job: JobId) {
        let (word, bit) = place(job);
        if self.words.len() <= word {
            self.words.resize(word + 1, 0);
        }
        self.words[word] |= bit;
    }

    #[inline]
    pub(crate) fn remove(&mut self, job: JobId) {
        let (word, bit) = place(job);
        if let Some(word) = self.words.get_mut(word) {
            *word &= !bit;
        }
    }

    #[inline]
    pub(crate) fn contains(&self, job: JobId) -> bool {
        let (word, bit) = place(job);
        self.words.get(word).is_some_and(|word| word & bit != 0)
    }
}

/// The word and the bit of a job.
#[inline]
fn place(job: JobId) -> (usize, u64) {
    (job.index() / 64, 1 << (job.index() % 64))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_what_was_added_and_not_taken_out() {
        let mut set = JobSet::default();
        for job in [0, 63, 64, 500] {
            set.insert(JobId(job));
        }
        set.remove(JobId(63));
        set.remove(JobId(9_999));
        let has: Vec<u32> = (0..600).filter(|&job| set.contains(JobId(job))).collect();
        assert_eq!(has, [0, 64, 500]);
    }
}
