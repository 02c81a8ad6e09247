//! The family's catalogue line and its presets.

use super::Optimised;
use super::objective::{Objective, Weights};
use super::plan::{Effort, PlannedStarts};
use super::problem::RoundProblem;
use super::round::{Hold, HoldRule, KeptOrder};
use super::search::Decoder;
use crate::implementation::{NO_CELLS, SchedulerImplementation};
use packfair_base::catalogue::{Entry, Kind, Parameter, Preset, Settings};
use packfair_engine::model::Usual;

/// Optimised rounds: the family's catalogue line.
pub const FAMILY: SchedulerImplementation = SchedulerImplementation {
    entry: Entry {
        id: "optimised",
        name: "Optimised",
        help: "plans all waiting jobs in every round so that an objective is least, and starts whose time has come",
        source: "CP",
        parameters: PARAMETERS,
    },
    usual: |_, _| Usual::EACH_ROUND,
    build: Some(|settings| Box::new(Optimised::new(rule(settings)))),
    on_cells: None,
    classifier: None,
    plain: None,
    applies: NO_CELLS,
    plain_applies: NO_CELLS,
};

const PARAMETERS: &[Parameter] = &[
    Parameter {
        id: "objective",
        name: "Objective",
        help: "what a round minimises over the waiting jobs, by their estimates",
        kind: Kind::Choice {
            options: &[
                ("af", "Average response time"),
                ("awf", "Area-weighted response time"),
                ("bsld", "Bounded slowdown"),
                ("p2sf", "P²SF"),
                ("p2sf-sum", "P²SF, its numerator alone"),
                ("weighted", "Weighted sum"),
            ],
            default: "af",
        },
    },
    weight(
        "wb",
        "Weight of slowdown",
        "of a job's bounded slowdown in the weighted sum, beside the average job's",
        0.0,
    ),
    weight("wf", "Weight of response", "of a job's response time in the weighted sum", 1.0),
    weight("wa", "Weight of area", "of a job's area in the weighted sum, beside the average job's", 0.0),
    Parameter {
        id: "age",
        name: "Age",
        help: "how much of itself a weight grows by with each day of waiting, in the weighted sum",
        kind: Kind::Real { min: 0.0, max: 1_000.0, default: 0.0, unit: "/day" },
    },
    Parameter {
        id: "age2",
        name: "Age, squared",
        help: "the same with the square of the days of waiting: of who waits for days, not of who waits for hours",
        kind: Kind::Real { min: 0.0, max: 1_000.0, default: 0.0, unit: "/day²" },
    },
    Parameter {
        id: "fade",
        name: "Fading",
        help: "how late a planned start counts only half, for AF, AWF and the weighted sum: what is planned for later is \
               planned anew with jobs to come; 0: all counts in full",
        kind: Kind::Real { min: 0.0, max: 10_000.0, default: 0.0, unit: "h" },
    },
    Parameter {
        id: "hold",
        name: "Hold back",
        help: "share of the machine that stays free when a long job starts, for short ones that may come; the long ones pay \
               for it, and where the machine is full they wait ever longer",
        kind: Kind::Real { min: 0.0, max: 100.0, default: 0.0, unit: "%" },
    },
    Parameter {
        id: "over",
        name: "Long from",
        help: "jobs with a longer estimate are held back",
        kind: Kind::Whole { min: 1, max: 31_536_000, default: Some(600), unit: "s" },
    },
    Parameter {
        id: "lists",
        name: "Start from lists",
        help: "whether plans of lists are among those to start from: then no plan is worse than theirs, of the jobs that a \
               round plans, or, with whole, of all that wait (the paper's +)",
        kind: Kind::Choice { options: &[("on", "On"), ("off", "Off"), ("whole", "Of the whole queue")], default: "on" },
    },
    Parameter {
        id: "kept",
        name: "Keep the order",
        help: "whether a round begins with the order of the last plan",
        kind: Kind::Choice { options: ON_OFF, default: "on" },
    },
    Parameter {
        id: "depth",
        name: "Planned jobs",
        help: "how many waiting jobs a round plans at most; of the others those start that can besides",
        kind: Kind::Whole { min: 2, max: 1_000_000, default: Some(DEPTH), unit: "jobs" },
    },
    Parameter {
        id: "window",
        name: "Window",
        help: "places at the head of the order within which jobs move",
        kind: Kind::Whole { min: 2, max: 1_000, default: Some(30), unit: "places" },
    },
    Parameter {
        id: "budget",
        name: "Budget",
        help: "how many placements of jobs a round tries beyond the lists; 0 takes the best list",
        kind: Kind::Whole { min: 0, max: 1_000_000, default: Some(BUDGET), unit: "placements" },
    },
    Parameter {
        id: "seed",
        name: "Seed",
        help: "of the random moves: the same seed gives the same schedule",
        kind: Kind::Whole { min: 0, max: 4_294_967_295, default: Some(1), unit: "" },
    },
];

const ON_OFF: &[(&str, &str)] = &[("on", "On"), ("off", "Off")];

/// The default number of jobs that a round plans.
const DEPTH: i64 = 64;

/// The default number of placements of a round's local search.
const BUDGET: i64 = 500;

const fn weight(id: &'static str, name: &'static str, help: &'static str, default: f64) -> Parameter {
    Parameter { id, name, help, kind: Kind::Real { min: 0.0, max: 1_000_000.0, default, unit: "" } }
}

/// The presets.
pub const PRESETS: [Preset; 6] = [
    Preset::new(
        "opt-bsld",
        "Opt-BSLD",
        "plans for the bounded slowdown of the waiting jobs (CP-BSLD+)",
        "optimised:objective=bsld",
    ),
    Preset::new("opt-af", "Opt-AF", "plans for the average response time of the waiting jobs (CP-AF)", "optimised"),
    Preset::new(
        "opt-awf",
        "Opt-AWF",
        "plans for their area-weighted response time: packs tightly (CP-AWF)",
        "optimised:objective=awf",
    ),
    Preset::new(
        "opt-p2sf",
        "Opt-P²SF",
        "plans for their P²SF, the paper's fraction (CP-P²SF+)",
        "optimised:objective=p2sf",
    ),
    Preset::new(
        "opt-af-area",
        "Opt-AF-area",
        "plans for response times, a little for areas: long queues stay shorter",
        "optimised:objective=weighted,wa=0.05",
    ),
    Preset::new(
        "opt-balanced",
        "Opt-balanced",
        "plans for response times, areas and age at once",
        "optimised:objective=weighted,wa=0.5,age2=4,fade=72",
    ),
];

/// Says what is wrong with settings that are valid one by one but not together.
pub fn check(settings: &Settings) -> Result<(), &'static str> {
    let is_nothing = ["wb", "wf", "wa"].iter().all(|weight| settings.real(weight) == 0.0);
    if settings.choice("objective") == "weighted" && is_nothing {
        return Err("with wb, wf and wa all 0 every plan is as good as any other; set one of them above 0");
    }
    Ok(())
}

fn rule(settings: &Settings) -> HoldRule {
    let whole = |id| settings.whole(id).unwrap_or_default();
    let is_on = |id| settings.choice(id) == "on";
    let hours = settings.real("fade");
    let fade = if hours > 0.0 { 1.0 / (3_600.0 * hours) } else { 0.0 };
    let objective = match settings.choice("objective") {
        "af" => Objective::Weighted(Weights { fade, ..Weights::AF }),
        "awf" => Objective::Weighted(Weights { fade, ..Weights::AWF }),
        "bsld" => Objective::Bsld,
        "p2sf" => Objective::P2sf,
        "p2sf-sum" => Objective::P2sfSum,
        _ => Objective::Weighted(Weights {
            slowdown: settings.real("wb"),
            response: settings.real("wf"),
            area: settings.real("wa"),
            age: settings.real("age"),
            age_squared: settings.real("age2"),
            fade,
        }),
    };
    HoldRule {
        objective,
        hold: Hold { share: settings.real("hold") / 100.0, over: whole("over") as f64 },
        kept: if is_on("kept") { KeptOrder::Order } else { KeptOrder::Nothing },
        effort: Effort {
            starts: match settings.choice("lists") {
                "off" => PlannedStarts::One,
                "whole" => PlannedStarts::Whole,
                _ => PlannedStarts::Lists,
            },
            depth: whole("depth") as usize,
            window: whole("window") as usize,
            budget: whole("budget") as usize,
            seed: whole("seed") as u64,
        },
    }
}

// Why a waiting job does not start: its place in the plan, and what it would cost to start the job now.

/// A waiting job in the plan of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RoundExplanation {
    /// What the plan minimises.
    pub objective: Objective,
    /// The job's place among the planned starts, from 1. Jobs with equal starts are in the order of the plan.
    pub place: usize,
    /// The number of planned jobs.
    pub jobs: usize,
    /// The planned start of the job, seconds from now.
    pub start: i32,
    /// By how much the objective would rise if the job started now and the others followed in the order of the plan.
    /// None where too few processors are free. It is not negative if the plan is a best one.
    pub extra: Option<f64>,
    /// The objective of the plan.
    pub planned: f64,
}

/// Explains a job of the plan with this `order`; none where the job is not in it.
pub fn explain(problem: &RoundProblem, objective: Objective, order: &[u32], job: u32) -> Option<RoundExplanation> {
    let at = order.iter().position(|&other| other == job)?;
    let mut starts = Vec::new();
    let mut decoder = Decoder::default();
    let planned = decoder.decode(problem, order, &mut starts).value();
    let start = starts[at];
    let before = starts.iter().enumerate().filter(|&(i, &other)| (other, i) < (start, at)).count();
    let mut first = vec![job];
    first.extend(order.iter().copied().filter(|&other| other != job));
    let otherwise = decoder.decode(problem, &first, &mut starts).value();
    let extra = (starts[0] == 0).then_some(otherwise - planned);
    Some(RoundExplanation { objective, place: before + 1, jobs: order.len(), start, extra, planned })
}

impl std::fmt::Display for RoundExplanation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "planned {} of {} for {}", Ordinal(self.place), self.jobs, name(self.objective))?;
        match self.extra {
            _ if self.start == 0 => f.write_str("; it starts now"),
            None => f.write_str("; too few processors are free to start it now"),
            Some(extra) => {
                f.write_str("; starting it now would have cost ")?;
                match self.objective {
                    Objective::Weighted(Weights::AF) => write!(f, "{} of response in all", RoundedTime(extra)),
                    Objective::Bsld => write!(f, "{extra:.1} of slowdown in all"),
                    // this objective has no unit that tells a person anything
                    _ => write!(f, "{:.1} % more of it", 100.0 * extra / self.planned.abs().max(f64::MIN_POSITIVE)),
                }
            }
        }
    }
}

fn name(objective: Objective) -> &'static str {
    let unfaded = match objective {
        Objective::Weighted(weights) => Objective::Weighted(Weights { fade: 0.0, ..weights }),
        other => other,
    };
    match unfaded {
        Objective::Bsld => "BSLD",
        Objective::P2sf => "P²SF",
        Objective::P2sfSum => "the numerator of P²SF",
        Objective::Weighted(Weights::AF) => "AF",
        Objective::Weighted(Weights::AWF) => "AWF",
        Objective::Weighted(_) => "the weighted sum",
    }
}

/// A place as a word where the word is short, and as a number otherwise.
struct Ordinal(usize);

impl std::fmt::Display for Ordinal {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const WORDS: [&str; 9] = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth"];
        match (self.0.checked_sub(1).and_then(|i| WORDS.get(i)), self.0 % 10, self.0 % 100) {
            (Some(word), _, _) => f.write_str(word),
            (None, 1, hundred) if hundred != 11 => write!(f, "{}st", self.0),
            (None, 2, hundred) if hundred != 12 => write!(f, "{}nd", self.0),
            (None, 3, hundred) if hundred != 13 => write!(f, "{}rd", self.0),
            (None, ..) => write!(f, "{}th", self.0),
        }
    }
}

/// A span of time in seconds, written in the largest unit of which it has at least one.
struct RoundedTime(f64);

impl std::fmt::Display for RoundedTime {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        const UNITS: [(f64, &str); 4] = [(86_400.0, "days"), (3_600.0, "h"), (60.0, "min"), (1.0, "s")];
        let (length, unit) = UNITS.into_iter().find(|(length, _)| self.0 >= *length).unwrap_or((1.0, "s"));
        let value = self.0 / length;
        // one digit behind the point, unless that is about 0
        if value < 10.0 && (value - value.round()).abs() > 0.05 {
            write!(f, "{value:.1} {unit}")
        } else {
            write!(f, "{value:.0} {unit}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_reads_as_a_sentence() {
        let objective = Objective::Weighted(Weights::AF);
        let explained =
            RoundExplanation { objective, place: 3, jobs: 14, start: 60, extra: Some(10_800.0), planned: 1.0 };
        let said = explained.to_string();
        assert_eq!(said, "planned third of 14 for AF; starting it now would have cost 3 h of response in all");
        let explained = RoundExplanation { place: 22, jobs: 30, extra: None, ..explained };
        assert_eq!(explained.to_string(), "planned 22nd of 30 for AF; too few processors are free to start it now");
        let explained =
            RoundExplanation { place: 11, extra: Some(5.0), objective: Objective::P2sf, planned: 200.0, ..explained };
        assert_eq!(
            explained.to_string(),
            "planned 11th of 30 for P²SF; starting it now would have cost 2.5 % more of it"
        );
    }

    #[test]
    fn spans_are_in_the_unit_that_fits() {
        let said = [5.0, 90.0, 3_600.0, 100_000.0, 1e7].map(|span| RoundedTime(span).to_string());
        assert_eq!(said, ["5 s", "1.5 min", "1 h", "1.2 days", "116 days"]);
    }
}
