//! The catalogue of schedulers.

use super::implementation::{SchedulerImplementation, UsualOf};
use super::{Order, classes, dynp, easy, guaranteed, list, offline, optimised, script, slurm};
use packfair_base::catalogue::{self, Catalogue, Configured, Entry, Kind, NamedFile, Preset, Script, Settings, Value};
use packfair_base::machine::Machine;
use packfair_engine::classifier::Classifier;
use packfair_engine::model::Usual;
use packfair_engine::simulation::Driven;
use packfair_slurm::{Site, SiteChange, Version};
use packfair_workload::Workload;
use std::sync::LazyLock;

/// All families, in the order in which they are offered.
const ALL: &[SchedulerImplementation] = &[
    list::FAMILY,
    easy::FAMILY,
    guaranteed::CONSERVATIVE,
    guaranteed::PC,
    guaranteed::DC,
    dynp::FAMILY,
    dynp::BASIC,
    optimised::FAMILY,
    classes::FAMILY,
    slurm::FAMILY,
    offline::FAMILY,
    script::FAMILY,
    offline::EXTERNAL,
    offline::LOGGED,
];

/// All named presets, in the order in which they are offered.
pub const PRESETS: &[Preset] = &{
    const SEARCHED: usize = LISTS.len() + optimised::PRESETS.len();
    let mut presets = [LISTS[0]; SEARCHED + offline::PRESETS.len()];
    let mut i = 0;
    while i < presets.len() {
        presets[i] = if i < LISTS.len() {
            LISTS[i]
        } else if i < SEARCHED {
            optimised::PRESETS[i - LISTS.len()]
        } else {
            offline::PRESETS[i - SEARCHED]
        };
        i += 1;
    }
    presets
};

/// The presets of list schedulers, and of schedulers that guarantee starts.
const LISTS: &[Preset] = &[
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
    Preset::new("fcfs-ci", "FCFS-CI", "EASY, small jobs first by a learned class, with safeguard", "classes"),
    Preset::new("spf-ci", "SPF-CI", "the same, shortest first within a class", "classes:policy=sjf"),
    Preset::new("saf-ci", "SAF-CI", "the same, smallest area first within a class", "classes:policy=saf"),
    Preset::new("wfp-ci", "WFP-CI", "the same, WFP within a class", "classes:policy=wfp"),
    Preset::new(
        "fcfs-c",
        "FCFS-C",
        "EASY, small jobs first by a learned class, without safeguard",
        "classes:safeguard=off",
    ),
    Preset::new("spf-c", "SPF-C", "the same, shortest first within a class", "classes:policy=sjf,safeguard=off"),
    Preset::new("saf-c", "SAF-C", "the same, smallest area first within a class", "classes:policy=saf,safeguard=off"),
    Preset::new("wfp-c", "WFP-C", "the same, WFP within a class", "classes:policy=wfp,safeguard=off"),
    Preset::new(
        "class-clairvoyant",
        "Class-clairvoyant",
        "EASY, small jobs first by their true class, which nobody could know",
        "classes:by=clairvoyant",
    ),
    Preset::new(
        "classes-bounded",
        "Classes, bounded",
        "EASY, small jobs first by a learned class, killed only where others wait; whoever has waited for two hours goes \
         before both classes",
        "classes:estimate=capped,kill=waiting,starvation=7200",
    ),
    Preset::new("f1-easy", "F1-EASY", "EASY in the learned order F1 throughout", "easy:initial=f1,backfill=f1"),
    Preset::new(
        "unicef-easy",
        "UNICEF-EASY",
        "EASY throughout in the order of UNICEF: quick turn for small jobs, by wait / (log2(r) E)",
        "easy:initial=unicef,backfill=unicef",
    ),
];

/// A family of schedulers: an algorithm and what can be set of it.
#[derive(Clone, Copy, Debug)]
pub struct SchedulerFamily {
    pub entry: Entry,
    usual: UsualOf,
}

/// What is said of all families, without their algorithms. The page only offers the families, and need not carry the
/// algorithms.
pub const FAMILIES: &[SchedulerFamily] = &{
    let mut families = [SchedulerFamily { entry: ALL[0].entry, usual: ALL[0].usual }; ALL.len()];
    let mut i = 1;
    while i < ALL.len() {
        families[i] = SchedulerFamily { entry: ALL[i].entry, usual: ALL[i].usual };
        i += 1;
    }
    families
};

/// The error that a scheduler cannot run on a machine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{name} knows machines of one number of processors that never changes, and this one has cells or a calendar. Take one of \
     {others}, or leave the machine file out."
)]
pub struct NotOnMachine {
    name: String,
    /// The names of the families that can run on it.
    others: String,
}

impl catalogue::Family for SchedulerFamily {
    fn entry(&self) -> &Entry {
        &self.entry
    }

    fn check(&self, settings: &Settings) -> Result<(), String> {
        match self.entry.id {
            id if id == optimised::FAMILY.entry.id => optimised::check(settings).map_err(str::to_owned),
            id if id == slurm::FAMILY.entry.id => slurm::check(settings),
            _ => Ok(()),
        }
    }
}

pub enum Schedulers {}

impl Catalogue for Schedulers {
    const WHAT: &'static str = "scheduler";
    type Family = SchedulerFamily;
    const FAMILIES: &'static [SchedulerFamily] = FAMILIES;
    const PRESETS: &'static [Preset] = PRESETS;

    fn meant() -> &'static [Configured<Self>] {
        static MEANT: LazyLock<Vec<Configured<Schedulers>>> = LazyLock::new(catalogue::meant);
        &MEANT
    }
}

packfair_base::chosen_from!(
    /// A scheduler and all its settings.
    Policy,
    Schedulers
);

/// The most nodes of a site of which only the number of processors is known: some 130 MB.
const MOST_PLAIN_NODES: u32 = 1_000_000;

impl Policy {
    pub fn of_file(file: NamedFile) -> Self {
        // this cannot fail, and a test builds one
        format!("{}:file={file}", offline::EXTERNAL.entry.id).parse().expect("an external schedule with its file")
    }

    pub fn of_script(script: &'static Script) -> Self {
        // this cannot fail, and a test builds one
        format!("{}:code={script}", script::FAMILY.entry.id).parse().expect("a script with its text")
    }

    /// Builds the scheduler with an empty queue; none if the starts are given (by the log or a file) or computed
    /// off-line.
    pub fn build(&self) -> Option<Box<dyn Driven>> {
        self.implementation()?.build.map(|build| build(self.settings()))
    }

    /// Whether the scheduler follows the site that the log's files describe, where there are such files.
    pub fn goes_by_site(&self) -> bool {
        self.family().entry.id == slurm::FAMILY.entry.id
    }

    /// Whether the scheduler, run on this workload, counts the nodes of the site's files, whatever machine is
    /// described.
    pub fn counts_nodes_of(&self, workload: &Workload) -> bool {
        self.goes_by_site() && workload.site().is_some()
    }

    /// The scheduler that `build` makes, for a workload: the plain scheduler where the fast one does not know the
    /// machine, and the scheduler of the site where the policy follows the site's files.
    pub fn build_on(&self, workload: &Workload) -> Option<Box<dyn Driven>> {
        if self.goes_by_site() && (workload.site().is_some() || workload.ties().is_some()) {
            return Some(slurm::build_on(self.settings(), workload));
        }
        self.implementation()?.maker(workload.cells()).map(|make| make(self.settings()))
    }

    /// Whether the plain scheduler runs in place of the fast one, because the fast one does not know such machines. No
    /// machine means one number of processors.
    pub fn is_plain_on(&self, machine: Option<&Machine>) -> bool {
        let (Some(machine), Some(family)) = (machine, self.implementation()) else { return false };
        family.plain.is_some() && !family.is_fast_on(machine)
    }

    /// Whether the scheduler, fast or plain, can run on the machine of a workload.
    ///
    /// # Errors
    /// Where it cannot: the families that can.
    pub fn check_on(&self, workload: &Workload) -> Result<(), NotOnMachine> {
        let Some(machine) = workload.cells() else { return Ok(()) };
        if self.counts_nodes_of(workload) {
            return Ok(());
        }
        let can = |family: &SchedulerImplementation| {
            family.is_fast_on(machine) || (family.plain.is_some() && (family.plain_applies)(machine))
        };
        if self.implementation().is_none_or(can) {
            return Ok(());
        }
        let others = ALL.iter().filter(|family| can(family)).map(|family| family.entry.name);
        Err(NotOnMachine { name: self.name(), others: others.collect::<Vec<_>>().join(", ") })
    }

    /// The settings that differ from what the files of a site say; empty for a family that follows no site.
    pub fn site_changes(&self) -> Vec<SiteChange> {
        // the settings were checked when they were read
        if self.goes_by_site() { slurm::changes(self.settings()).unwrap_or_default() } else { Vec::new() }
    }

    /// Whether the workload's site, if it has one, has all that the policy's changes name; without one, whether the
    /// machine is not too large to be nodes of one processor each.
    ///
    /// # Errors
    /// Says what the site does not have, or how large the machine may be.
    pub fn check_at(&self, workload: &Workload) -> Result<(), String> {
        let processors = workload.machine.processors;
        if self.goes_by_site() && workload.site().is_none() && processors > MOST_PLAIN_NODES {
            return Err(format!(
                "without slurm.conf each processor is a node, and there may be {MOST_PLAIN_NODES} of them: the machine has \
                 {processors}. Give the site's slurm.conf beside the log, or fewer processors"
            ));
        }
        let changes = self.site_changes();
        if changes.is_empty() {
            return Ok(());
        }
        match workload.site() {
            Some(site) => site.site.changed(&changes).map(drop),
            None => Site::plain(processors, Version::default()).changed(&changes).map(drop),
        }
    }

    /// The same policy without its changes of the site: as the site's files say. None where it has no changes, or
    /// follows no site.
    pub fn as_configured(&self) -> Option<Policy> {
        let is_changed =
            self.goes_by_site() && (!self.settings().changes().is_empty() || self.settings().real("limits") != 1.0);
        let mut plain = is_changed.then(|| self.clone())?;
        // the family takes both values
        plain.set("changes", "").ok()?;
        plain.set("limits", "1").ok()?;
        Some(plain)
    }

    /// The same policy with the random numbers of another draw, where its random numbers stand for what differs from
    /// run to run of a real scheduler. Draw 0 is the policy's own.
    pub fn drawn(&self, draw: u32) -> Policy {
        let mut drawn = self.clone();
        if self.goes_by_site() {
            let seed = self.settings().whole("seed").unwrap_or(1) + i64::from(draw);
            // a seed above the largest is refused, and the policy stays as it is
            let _ = drawn.set("seed", &seed.to_string());
        }
        drawn
    }

    /// The classifier of jobs that this scheduler asks for; none if it asks for none.
    pub fn classifier<'a>(&self, workload: &'a Workload) -> Option<Box<dyn Classifier + 'a>> {
        self.implementation()?.classifier.map(|build| build(self.settings(), workload))
    }

    /// The plain scheduler with the same settings, slow and as the paper states it; none where the family has no other.
    pub fn build_plain(&self) -> Option<Box<dyn Driven>> {
        self.implementation()?.plain.map(|build| build(self.settings()))
    }

    fn implementation(&self) -> Option<&'static SchedulerImplementation> {
        ALL.iter().find(|family| family.entry.id == self.family().entry.id)
    }

    /// When waiting jobs are estimated anew, and what triggers a round, where a study says nothing.
    pub fn usual(&self, learns: bool) -> Usual {
        (self.family().usual)(self.settings(), learns)
    }

    /// Whether this is the log's own schedule, for which estimates mean nothing.
    pub fn is_as_logged(&self) -> bool {
        self.family().entry.id == offline::LOGGED.entry.id
    }

    /// Whether the starts are those of a file, for which estimates mean nothing.
    pub fn is_external(&self) -> bool {
        self.family().entry.id == offline::EXTERNAL.entry.id
    }

    pub fn is_script(&self) -> bool {
        self.family().entry.id == script::FAMILY.entry.id
    }

    /// Whether the starts are given, by the log or by a file. They belong to the log's own arrivals, and no scheduler
    /// decides.
    pub fn is_given(&self) -> bool {
        self.is_as_logged() || self.is_external()
    }

    /// Whether the keys of an order among the settings depend on more than the waiting job and the time. No queue keeps
    /// such an order, so the plain scheduler runs.
    pub fn needs_view(&self) -> bool {
        self.settings().iter().any(|(parameter, value)| match (parameter.kind, value) {
            // a formula without presets is no order, such as the site factor of Slurm
            (Kind::Formula { presets: [_, ..], .. }, Value::Written(_)) => {
                Order::of(self.settings(), parameter.id).needs_view()
            }
            (Kind::Orders { .. }, Value::Several(taken)) => Order::of_several(taken).into_iter().any(Order::needs_view),
            _ => false,
        })
    }

    /// Whether the schedule is computed beforehand, with all run times and arrivals known (`packfair-offline`). It then
    /// uses the actual run times, whatever the estimates are.
    pub fn is_offline(&self) -> bool {
        self.family().entry.id == offline::FAMILY.entry.id
    }
}

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
    fn a_name_of_a_formula_is_read_as_the_formula() {
        let written = |text: &str| text.parse::<Policy>().unwrap().to_string();
        assert_eq!(written("list:order=index"), "list:order=formula:wait/estimate");
        assert_eq!(written("pc:order=multifactor"), "pc:order=formula:min(wait,604800)+3600*processors");
        assert_eq!(written("easy:backfill=fairshare"), "easy:backfill=formula:min(wait,604800)+604800*share");
        let message = "list:order=index_1_1_0".parse::<Policy>().unwrap_err().to_string();
        assert!(message.contains("index, multifactor, fairshare, or formula: and a formula such as"), "{message}");
        for preset in Order::PRESETS {
            assert_eq!(preset.open().numbers().len(), preset.usual.len(), "{}", preset.id);
            assert!(preset.formula().aging().is_some(), "{} is fast", preset.id);
        }
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
        assert_eq!(
            message("optimised:hold=120"),
            "hold of Optimised cannot be \"120\"; it takes a number from 0 to 100 %"
        );
        assert!(message("optimised:budget=-1").ends_with("a whole number from 0 to 1000000 placements"));
        assert_eq!(
            message("optimised:objective=weighted,wf=0"),
            "Optimised: with wb, wf and wa all 0 every plan is as good as any other; set one of them above 0"
        );
        let mut policy: Policy = "opt-balanced".parse().unwrap();
        policy.set("wa", "0").unwrap();
        assert!(policy.set("wf", "0").is_err());
        assert_eq!(policy.settings().real("wf"), 1.0, "what was there stays in force");
        assert!(message("list:deep=1").contains("no parameter \"deep\"; there are order, blocked, depth"));
    }
}
