//! The catalogue of schedulers.

use super::order::Order;
use super::{Scheduler, dynp, easy, guaranteed, list, logged};
use crate::catalogue::{self, Catalogue, Configured, Entry, Kind, Preset, Settings};
use std::sync::LazyLock;

/// All families, in the order in which they are offered.
const ALL: &[Implementation] = &[
    list::FAMILY,
    easy::FAMILY,
    guaranteed::CONSERVATIVE,
    guaranteed::PC,
    guaranteed::DC,
    dynp::FAMILY,
    dynp::BASIC,
    logged::FAMILY,
];

/// All named presets, in the order in which they are offered.
pub const PRESETS: &[Preset] = &[
    Preset::new("fcfs", "FCFS", "no backfilling: nobody starts before an earlier job", "list:blocked=strict"),
    Preset::new("easy", "EASY", "one reservation, for the head of the queue", "easy"),
    Preset::new("easy-sjbf", "EASY-SJBF", "EASY, backfilling the shortest jobs first", "easy:backfill=sjf"),
    Preset::new(
        "saf-easy",
        "SAF-EASY",
        "EASY with the smallest area first throughout",
        "easy:initial=saf,backfill=saf",
    ),
    Preset::new("justbf", "JustBF", "first come first served, a reservation for every blocked job", "list"),
    Preset::new("sjf-justbf", "SJF-JustBF", "shortest first, a reservation for every blocked job", "list:order=sjf"),
    Preset::new(
        "saf-justbf",
        "SAF-JustBF",
        "smallest area first, a reservation for every blocked job",
        "list:order=saf",
    ),
    Preset::new(
        "laf-justbf",
        "LAF-JustBF",
        "largest area first, a reservation for every blocked job",
        "list:order=laf",
    ),
    Preset::new(
        "spf-justbf",
        "SPF-JustBF",
        "smallest r E² first, a reservation for every blocked job",
        "list:order=spf",
    ),
    Preset::new("sjf-aggressive", "SJF-Aggressive", "shortest first, no reservations", "list:order=sjf,blocked=greedy"),
    Preset::new(
        "saf-aggressive",
        "SAF-Aggressive",
        "smallest area first, no reservations",
        "list:order=saf,blocked=greedy",
    ),
    Preset::new(
        "laf-aggressive",
        "LAF-Aggressive",
        "largest area first, no reservations",
        "list:order=laf,blocked=greedy",
    ),
    Preset::new("conservative", "Conservative", "every job is guaranteed a start when it is submitted", "conservative"),
    Preset::new("pc", "PC", "Conservative, compressing first come first served", "pc"),
    Preset::new("dc", "DC", "Conservative, compressing first come first served, and not before it must", "dc"),
    Preset::new("dynp", "dynP", "FCFS, SJF or LJF, whichever plan has the least ARTwW in a round", "dynp"),
    Preset::new(
        "dynp-basic",
        "Basic dynP",
        "SJF, FCFS or LJF, by the mean estimate of what waits: bounds of 7200 s and 9000 s",
        "dynp-basic",
    ),
];

/// The values of a parameter that is a queue order.
pub(super) const ORDER: Kind = Kind::Choice { options: Order::OPTIONS, default: "fcfs" };

/// Makes a scheduler with an empty queue.
pub type Build = fn(&Settings) -> Box<dyn Scheduler>;

/// A family of schedulers: an algorithm and what can be set of it.
#[derive(Clone, Copy, Debug)]
pub struct Family {
    /// What a person is told of it.
    pub entry: Entry,
}

/// What is told of all families, without the algorithms: the page, which only offers them, does not
/// have to carry these.
pub const FAMILIES: &[Family] = &{
    let mut families = [Family { entry: ALL[0].entry }; ALL.len()];
    let mut i = 1;
    while i < ALL.len() {
        families[i] = Family { entry: ALL[i].entry };
        i += 1;
    }
    families
};

/// A family and its algorithm.
#[derive(Debug)]
pub struct Implementation {
    /// What a person is told of it.
    pub entry: Entry,
    /// Makes a scheduler with an empty queue; nothing where nobody decides, for the log's own starts
    /// are taken.
    pub build: Option<Build>,
}

impl catalogue::Family for Family {
    fn entry(&self) -> &Entry {
        &self.entry
    }
}

/// The catalogue of schedulers.
pub enum Schedulers {}

impl Catalogue for Schedulers {
    const WHAT: &'static str = "scheduler";
    type Family = Family;
    const FAMILIES: &'static [Family] = FAMILIES;
    const PRESETS: &'static [Preset] = PRESETS;

    fn meant() -> &'static [Policy] {
        static MEANT: LazyLock<Vec<Policy>> = LazyLock::new(catalogue::meant);
        &MEANT
    }
}

/// A scheduler and all its settings.
pub type Policy = Configured<Schedulers>;

impl Policy {
    /// A scheduler with an empty queue; nothing where the log's own starts are taken.
    pub fn build(&self) -> Option<Box<dyn Scheduler>> {
        let is_own = |family: &&Implementation| family.entry.id == self.family().entry.id;
        ALL.iter().find(is_own)?.build.map(|build| build(self.settings()))
    }

    /// Whether it is the log's own schedule, for which estimates mean nothing.
    pub fn is_as_logged(&self) -> bool {
        self.family().entry.id == logged::FAMILY.entry.id
    }
}

crate::serde_as_text!(Policy);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_preset_means_a_policy_and_is_found_again() {
        for preset in PRESETS {
            let policy: Policy = preset.id.parse().unwrap();
            assert_eq!(policy.to_string(), preset.id);
            assert_eq!(policy.name(), preset.name);
        }
    }

    #[test]
    fn settings_survive_the_text_form() {
        for text in
            ["easy:initial=wfp,threshold=3600", "list:order=lrf,depth=5", "list:order=ljf", "dynp:policies=fcfs+saf"]
        {
            assert_eq!(text.parse::<Policy>().unwrap().to_string(), text);
        }
        let those_of_the_paper = "dynp:policies=ljf+fcfs+sjf".parse::<Policy>().unwrap();
        assert_eq!(those_of_the_paper.to_string(), "dynp");
    }

    #[test]
    fn a_value_that_does_not_go_with_the_others_is_not_taken() {
        let mut policy: Policy = "dynp-basic".parse().unwrap();
        assert!(policy.set("lower", "10000").is_err());
        assert_eq!(policy.to_string(), "dynp-basic");
        policy.set("upper", "20000").unwrap();
        policy.set("lower", "10000").unwrap();
        assert_eq!(policy.to_string(), "dynp-basic:lower=10000,upper=20000");
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let message = |text: &str| text.parse::<Policy>().unwrap_err().to_string();
        assert!(message("easyy").starts_with("there is no scheduler \"easyy\"; there are fcfs, easy, "));
        assert_eq!(
            message("list:depth=0"),
            "depth of List cannot be \"0\"; it takes a whole number from 1 to 1000000 jobs, or off"
        );
        assert_eq!(
            message("dynp-basic:lower=9500"),
            "upper of Basic dynP cannot be \"9000\"; it takes a whole number from 9500, which is lower, to 100000000 s"
        );
        assert!(message("dynp-basic:upper=7000").contains("from 7200, which is lower"));
        assert!("dynp-basic:lower=9500,upper=9500".parse::<Policy>().is_ok(), "in whatever order they are set");
        assert!(message("dynp:policies=").contains("all, or some of fcfs, sjf, ljf, saf"));
        assert!(message("dynp:policies=fcfs+none").contains("cannot be \"fcfs+none\""));
        assert!(message("dynp:slackness=100").contains("a number from 0 to 99 %"));
        assert!(message("list:deep=1").contains("no parameter \"deep\"; there are order, blocked, depth"));
    }
}
