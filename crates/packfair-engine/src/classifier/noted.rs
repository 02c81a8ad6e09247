//! The reason for a class as one number, which a schedule keeps for each job.

use super::{Because, Class, KnownClasses, Vote};
use packfair_workload::Seconds;

/// Bits of a note that tell the kind of the reason.
const KIND: u32 = 4;

/// Bits of a number of trees, which is at most 500.
const TREES: u32 = 9;

/// Bits of a vote, in millionths.
const VOTE: u32 = 20;

/// A vote of 1, in millionths.
const MILLION: f64 = 1e6;

/// Bits of the number of known jobs. A larger number is cut to what fits.
const KNOWN: u32 = 10;

impl Because {
    /// The reason as one number, which [`Because::of_note`] turns back. A vote is rounded to a millionth, and of the
    /// known jobs of its category only the latest three are kept.
    pub fn noted(self) -> Seconds {
        let (kind, what) = match self {
            Because::NoDivider => (0, 0),
            Because::ZeroDivider => (1, 0),
            Because::Run(run) => (2, run),
            Because::Request(limit) => (3, limit),
            Because::EveryJob => (4, 0),
            Because::LastRun(None) => (5, 0),
            Because::LastRun(Some(run)) => (6, run),
            Because::OneClass(rows) => (7, Seconds::from(rows)),
            Because::Vote(vote) => (8, vote.noted()),
        };
        what << KIND | kind
    }

    /// The reason of a note; `None` if it has none.
    pub fn of_note(note: Seconds) -> Option<Because> {
        let what = note >> KIND;
        Some(match note & ((1 << KIND) - 1) {
            0 => Because::NoDivider,
            1 => Because::ZeroDivider,
            2 => Because::Run(what),
            3 => Because::Request(what),
            4 => Because::EveryJob,
            5 => Because::LastRun(None),
            6 => Because::LastRun(Some(what)),
            7 => Because::OneClass(what as u32),
            8 => Because::Vote(Vote::of_note(what)),
            _ => return None,
        })
    }
}

impl Vote {
    fn noted(self) -> Seconds {
        let small = (self.small * MILLION + 0.5) as Seconds;
        let KnownClasses { latest, known, .. } = self.same;
        let latest = latest.iter().rev().fold(0, |digits, latest| digits * 3 + latest.map_or(0, digit));
        let known = Seconds::from(known.min((1 << KNOWN) - 1));
        let trees = Seconds::from(self.trees_for) << TREES | Seconds::from(self.trees);
        ((latest << KNOWN | known) << (2 * TREES) | trees) << VOTE | small
    }

    fn of_note(note: Seconds) -> Vote {
        let bits = |from: u32, count: u32| (note >> from & ((1 << count) - 1)) as u32;
        let mut digits = note >> (VOTE + 2 * TREES + KNOWN);
        let latest = [(); 3].map(|()| {
            let digit = digits % 3;
            digits /= 3;
            (digit > 0).then(|| Class::small_if(digit == 1))
        });
        let small = latest.iter().flatten().filter(|class| class.is_small()).count() as u32;
        let known = bits(VOTE + 2 * TREES, KNOWN);
        Vote {
            small: f64::from(bits(0, VOTE)) / MILLION,
            trees_for: bits(VOTE + TREES, TREES),
            trees: bits(VOTE, TREES),
            same: KnownClasses { latest, known, small },
        }
    }
}

/// 1 for small, 2 for large; 0 stands for no job.
fn digit(class: Class) -> Seconds {
    if class.is_small() { 1 } else { 2 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_reason_is_found_again_in_its_note() {
        let latest = [Some(Class::Small), Some(Class::Large), None];
        let same = KnownClasses { latest, known: 2, small: 1 };
        let vote = |small, trees_for, trees| Because::Vote(Vote { small, trees_for, trees, same });
        for because in [
            Because::NoDivider,
            Because::ZeroDivider,
            Because::Run(86_400),
            Because::Request(1),
            Because::EveryJob,
            Because::LastRun(None),
            Because::LastRun(Some(0)),
            Because::OneClass(0),
            Because::OneClass(20_000),
            vote(0.75, 15, 20),
            vote(1.0, 500, 500),
            vote(0.0, 0, 1),
        ] {
            assert_eq!(Because::of_note(because.noted()), Some(because));
        }
        assert_eq!(Because::of_note(15), None);
    }

    #[test]
    fn a_note_keeps_the_latest_of_many_known_jobs() {
        let same = KnownClasses { latest: [Some(Class::Small); 3], known: 5_000, small: 4_000 };
        let noted = Because::Vote(Vote { small: 0.5, trees_for: 9, trees: 20, same }).noted();
        let Some(Because::Vote(vote)) = Because::of_note(noted) else { panic!("a vote") };
        assert_eq!((vote.same.latest, vote.same.known), (same.latest, 1_023));
    }
}
