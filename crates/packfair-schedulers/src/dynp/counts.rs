//! What a dynP run counts (DYNP Tables 4 to 6).

use super::decider::Case;
use super::notes;
use crate::Order;
use packfair_engine::model::Notes;
use packfair_workload::Seconds;

/// What happened to the policies over a whole run.
#[derive(Clone, Debug, PartialEq)]
pub struct Counts {
    /// The policies, as places in [`notes::POLICIES`]. Other fields name a policy by its index in this list.
    pub policies: Vec<usize>,
    /// How many jobs started under each policy.
    pub started: Vec<u64>,
    /// Decisions. Self-tuning: rounds in which at least two jobs wait; basic: rounds with an arrival in which at
    /// least five do.
    pub tries: u64,
    /// How many tries ended with another policy than before, by the policy after.
    pub switches: Vec<u64>,
    /// The number of jobs that waited at a try before any started, summed over tries.
    pub backlog: u64,
    /// How often each case of DYNP Table 1 occurred, in the order of [`Case::ALL`]; all zero where the policies are
    /// not FCFS, SJF and LJF, or nothing is compared.
    pub cases: [u64; Case::ALL.len()],
    /// Tries in which the two deciders would choose differently.
    pub differing: u64,
    /// When policies came into force, and which, from the first arrival on.
    pub course: Vec<(Seconds, usize)>,
}

impl Counts {
    pub(super) fn new(policies: &[Order]) -> Self {
        let none = vec![0; policies.len()];
        Counts {
            policies: notes::places_of(policies),
            started: none.clone(),
            tries: 0,
            switches: none,
            backlog: 0,
            cases: [0; Case::ALL.len()],
            differing: 0,
            course: Vec::new(),
        }
    }

    /// Notes that the policy at the place `current` is in force at `now`, if none was before.
    pub(super) fn begin(&mut self, now: Seconds, current: usize) {
        if self.course.is_empty() {
            self.course.push((now, current));
        }
    }

    /// Counts a try at `now`, with `backlog` jobs waiting.
    pub(super) fn decided(&mut self, now: Seconds, backlog: usize, before: usize, after: usize) {
        self.tries += 1;
        self.backlog += backlog as u64;
        if before != after {
            self.switches[after] += 1;
            self.course.push((now, after));
        }
    }

    /// Reports all counts under the names of [`super::notes`].
    pub(super) fn report(&self, notes: &mut Notes) {
        notes.set(notes::TRIES, self.tries as f64);
        notes.set(notes::SAME_POLICY, self.same_policy() as f64);
        notes.set(notes::DIFFERING, self.differing as f64);
        notes.set(notes::BACKLOG, self.backlog as f64);
        for (i, &policy) in self.policies.iter().enumerate() {
            let (id, _) = notes::POLICIES[policy];
            notes.set_part(notes::STARTED, id, self.started[i] as f64);
            notes.set_part(notes::SWITCHES, id, self.switches[i] as f64);
        }
        if self.cases.iter().any(|&count| count > 0) {
            for case in Case::ALL {
                notes.set_part(notes::CASES, case.id(), self.of_case(case) as f64);
            }
        }
        let course = self.course.iter().map(|&(from, policy)| (from, self.policies[policy] as f64));
        notes.set_course(notes::POLICY, course.collect());
    }

    /// Reads what a dynP run reported; none if the notes are of another scheduler.
    pub fn of(reported: &Notes) -> Option<Counts> {
        let count = |note| Some(reported.count(note)? as u64);
        let part =
            |note, part: &str| reported.parts(note).find(|(name, _)| *name == part).map(|(_, value)| value as u64);
        let has_part = |&place: &usize| part(notes::STARTED, notes::POLICIES[place].0).is_some();
        let policies: Vec<usize> = (0..notes::POLICIES.len()).filter(has_part).collect();
        let of_each = |note| policies.iter().map(|&at| part(note, notes::POLICIES[at].0).unwrap_or_default()).collect();
        let place = |of: f64| policies.iter().position(|&policy| policy as f64 == of).unwrap_or_default();
        Some(Counts {
            tries: count(notes::TRIES)?,
            started: of_each(notes::STARTED),
            switches: of_each(notes::SWITCHES),
            backlog: count(notes::BACKLOG)?,
            cases: Case::ALL.map(|case| part(notes::CASES, case.id()).unwrap_or_default()),
            differing: count(notes::DIFFERING)?,
            course: reported.course(notes::POLICY).iter().map(|&(from, order)| (from, place(order))).collect(),
            policies,
        })
    }

    /// The number of tries after which the policy was the same as before.
    pub fn same_policy(&self) -> u64 {
        self.tries - self.switches.iter().sum::<u64>()
    }

    /// How many jobs waited on average at a try; none without tries.
    pub fn mean_backlog(&self) -> Option<f64> {
        (self.tries > 0).then(|| self.backlog as f64 / self.tries as f64)
    }

    /// How often a case occurred.
    pub fn of_case(&self, case: Case) -> u64 {
        self.cases[case as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_did_not_switch_stayed() {
        let mut counts = Counts::new(&[Order::Fcfs, Order::Sjf]);
        assert_eq!(counts.mean_backlog(), None, "there is no mean of nothing");
        counts.begin(3, 0);
        for (now, backlog, before, after) in [(5, 2, 0, 1), (6, 5, 1, 1), (7, 3, 1, 0)] {
            counts.begin(now, before);
            counts.decided(now, backlog, before, after);
        }
        assert_eq!((counts.tries, counts.same_policy(), counts.mean_backlog()), (3, 1, Some(10.0 / 3.0)));
        assert_eq!(counts.switches, [1, 1]);
        assert_eq!(counts.course, [(3, 0), (5, 1), (7, 0)]);
    }
}
