//! The power of a machine as fields that a person fills in, and what is usually asked of it.

use super::description::{MachineDescription, SuspendDescription};
use super::sheet::SheetColumn;
use super::what_if::WhatIf;

const KILOWATTS: &str = "kilowatts above 0, as 2.5";
const SECONDS: &str = "whole seconds";
const FACTOR: &str = "a number from 1 to 10";

/// The fields of what is said of a machine's power beside its cells.
pub static POWER_FIELDS: [SheetColumn<MachineDescription>; 3] = [
    SheetColumn {
        title: "Cap of power, kW",
        help: "The most that may be drawn; jobs wait where they would draw more. Empty for none",
        is_moment: false,
        get: |machine| machine.power_cap.map(|kw| kw.to_string()).unwrap_or_default(),
        set: |machine, text| {
            machine.power_cap = optional(text, |kw: &f64| kw.is_finite() && *kw > 0.0).ok_or(KILOWATTS)?;
            Ok(())
        },
    },
    SheetColumn {
        title: "Idle nodes off after, s",
        help: "After how many idle seconds a node is switched off; jobs wait for it to boot. Empty for never",
        is_moment: false,
        get: |machine| machine.suspend.as_ref().map(|suspend| suspend.after.to_string()).unwrap_or_default(),
        set: |machine, text| {
            let after = optional(text, |&after: &i64| after >= 0).ok_or(SECONDS)?;
            machine.suspend = match (machine.suspend.take(), after) {
                (Some(suspend), Some(after)) => Some(SuspendDescription { after, ..suspend }),
                (None, Some(after)) => Some(SuspendDescription::after(after)),
                (_, None) => None,
            };
            Ok(())
        },
    },
    SheetColumn {
        title: "PUE",
        help: "What the site draws for each watt of its nodes; empty for 1",
        is_moment: false,
        get: |machine| machine.pue.map(|pue| pue.to_string()).unwrap_or_default(),
        set: |machine, text| {
            machine.pue = optional(text, |pue: &f64| (1.0..=10.0).contains(pue)).ok_or(FACTOR)?;
            Ok(())
        },
    },
];

/// The value of a field that may be empty; none where the text is no such value.
fn optional<T: std::str::FromStr>(text: &str, is_right: impl Fn(&T) -> bool) -> Option<Option<T>> {
    match text.trim() {
        "" => Some(None),
        text => text.parse().ok().filter(is_right).map(Some),
    }
}

/// What is usually asked of the power of a machine of which watts are known: idle nodes off after 5, 10 and 30 minutes,
/// and a cap at 90, 80 and 70 % of what it can draw.
pub fn usual_of_power(machine: &MachineDescription) -> Vec<WhatIf> {
    let has_watts = machine.cells.iter().any(|cell| cell.node.contains_key("busy_watts"));
    let texts = ["suspend=300", "suspend=600", "suspend=1800", "power_cap=90%", "power_cap=80%", "power_cap=70%"];
    let asked = if has_watts { &texts[..] } else { &[] };
    asked.iter().filter_map(|text| text.parse().ok()).collect()
}

/// How many hours of a day count as cheap where nothing else is said.
const CHEAP_HOURS: u8 = 6;

/// How many percent of jobs may wait where nothing else is said. No log tells it.
const WAITING_SHARE: f64 = 30.0;

/// That some jobs wait for the hours that are cheapest together, by what each hour of the day costs on the average; none
/// where all hours cost the same.
pub fn waits_for(costs: &[f64; 24]) -> Option<WhatIf> {
    let of = |from: u8| (from..from + CHEAP_HOURS).map(|hour| costs[usize::from(hour % 24)]).sum::<f64>();
    let from = (0..24_u8).min_by(|&one, &other| of(one).total_cmp(&of(other)))?;
    let is_less = costs.iter().any(|cost| *cost * f64::from(CHEAP_HOURS) > of(from));
    is_less.then(|| WhatIf::waiting_for((from, (from + CHEAP_HOURS) % 24), WAITING_SHARE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_typed_is_the_power_of_the_machine() {
        let mut machine = MachineDescription::of_processors(4);
        for (place, text) in [(0, "2.5"), (1, "600"), (2, "1.2")] {
            assert_eq!((POWER_FIELDS[place].set)(&mut machine, text), Ok(()));
            assert_eq!((POWER_FIELDS[place].get)(&machine), text);
        }
        assert_eq!(machine.suspend, Some(SuspendDescription::after(600)));
        for (place, text, takes) in [(0, "-1", KILOWATTS), (1, "soon", SECONDS), (2, "0.5", FACTOR)] {
            assert_eq!((POWER_FIELDS[place].set)(&mut machine, text), Err(takes));
        }
        for field in &POWER_FIELDS {
            assert_eq!((field.set)(&mut machine, " "), Ok(()));
        }
        assert_eq!(machine, MachineDescription::of_processors(4));
    }

    #[test]
    fn the_hours_are_found_that_are_cheapest_together() {
        let mut costs = [100.0; 24];
        assert_eq!(waits_for(&costs), None);
        costs[23] = 10.0;
        costs[4] = 20.0;
        let found = waits_for(&costs).unwrap();
        assert_eq!((found.to_string(), found.is_of_power()), ("wait_for=23-5 share=30%".to_owned(), true));
        assert_eq!(found.name(), "30 % of jobs waiting for 23:00 to 05:00");
        for text in ["wait_for=22-6 user=ann+7", "wait_for=0-6 queue=night", "wait_for=0-6 share=30%"] {
            assert_eq!(text.parse::<WhatIf>().unwrap().to_string(), text);
        }
        for wrong in ["wait_for=22", "wait_for=1-2 share=0%", "wait_for=1-2 user=a queue=b", "wait_for=1-2 cell=a"] {
            assert!(wrong.parse::<WhatIf>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn where_watts_are_known_six_questions_are_ready() {
        let mut machine = MachineDescription::of_processors(4);
        assert!(usual_of_power(&machine).is_empty());
        for word in ["idle_watts", "busy_watts"] {
            machine.cells[0].node.insert(word.to_owned(), 100);
        }
        let names: Vec<String> = usual_of_power(&machine).iter().map(WhatIf::name).collect();
        assert_eq!(names.len(), 6);
        assert_eq!((&names[1][..], &names[4][..]), ("idle nodes off after 10 min", "cap at 80 % of the peak"));
        for asked in usual_of_power(&machine) {
            assert!(asked.of(machine.clone()).is_ok_and(|machine| machine.machine(|_| Err(String::new())).is_ok()));
        }
    }
}
