//! Files that describe machines (docs/machine.md): TOML, and tables of changes.

use super::description::MachineDescription;
use super::events::Displaced;
use super::power::ExpectedPower;
use super::{MomentDescription, changes_of_table, events};
use std::fmt::Write;

/// The kinds of texts that describe a machine, told apart by how they begin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MachineText {
    /// Cells, partitions and changes, as TOML.
    Description,
    /// Changes, as a table.
    Changes,
    /// Changes, as `sacctmgr -P show event` prints them.
    Events,
}

/// The words of a description that stand before its tables.
const POWER_KEYS: [&str; 3] = ["power_cap", "power_expected", "pue"];

impl MachineText {
    /// The kind of a text that begins with `text`; none if it does not describe a machine.
    pub fn recognise(text: &str) -> Option<Self> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let first = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('#'))?;
        let is_of_power = first.split_once('=').is_some_and(|(key, _)| POWER_KEYS.contains(&key.trim()));
        if is_of_power || ["[[cells]]", "[[partitions]]", "[[changes]]", "[suspend]"].contains(&first) {
            return Some(MachineText::Description);
        }
        if events::begins(first) {
            return Some(MachineText::Events);
        }
        let names: Vec<&str> = first.split(',').map(str::trim).collect();
        (names.contains(&"from") && names.contains(&"nodes")).then_some(MachineText::Changes)
    }

    /// Reads the text: a description replaces what was known, changes are added to it.
    ///
    /// # Errors
    /// If it cannot be read: what is wrong and where, in words for a person.
    pub fn read(self, text: &str, known: Option<&MachineDescription>) -> Result<MachineDescription, String> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        match self {
            MachineText::Description => MachineDescription::from_toml(text),
            MachineText::Changes => {
                let mut machine = known.cloned().unwrap_or_default();
                machine.changes.extend(changes_of_table(text)?);
                Ok(machine)
            }
            MachineText::Events => {
                let mut machine = known.cloned().unwrap_or_default();
                let away = events::changes(text, &machine)?;
                machine.changes.extend(away);
                Ok(machine)
            }
        }
    }
}

impl MachineDescription {
    /// Reads TOML.
    ///
    /// # Errors
    /// If it cannot be read: what is wrong, and where.
    pub fn from_toml(text: &str) -> Result<Self, String> {
        let described: MachineDescription =
            toml::from_str(text).map_err(|error| error.to_string().trim_end().to_owned())?;
        if described.is_empty() {
            return Err("it says nothing of a machine; give [[cells]] or [[changes]] (docs/machine.md)".to_owned());
        }
        Ok(described)
    }

    /// The description as TOML, which can be read again.
    pub fn to_toml(&self) -> String {
        let mut out = String::new();
        // writing into a text does not fail
        let _ = self.write_toml(&mut out);
        out
    }

    fn write_toml(&self, out: &mut String) -> std::fmt::Result {
        // what belongs to no table comes before all of them
        for (word, value) in [("power_cap", self.power_cap), ("pue", self.pue)] {
            if let Some(value) = value {
                writeln!(out, "{word} = {value:?}")?;
            }
        }
        match self.power_expected {
            ExpectedPower::Nameplate => {}
            ExpectedPower::History => writeln!(out, "power_expected = \"history\"")?,
            ExpectedPower::Actual => writeln!(out, "power_expected = \"actual\"")?,
        }
        if !out.is_empty() {
            writeln!(out)?;
        }
        if let Some(suspend) = &self.suspend {
            writeln!(out, "[suspend]\nafter = {}", suspend.after)?;
            for (word, value) in [("rate", suspend.rate), ("resume_rate", suspend.resume_rate)] {
                if let Some(value) = value {
                    writeln!(out, "{word} = {value}")?;
                }
            }
            if suspend.keep > 0 {
                writeln!(out, "keep = {}", suspend.keep)?;
            }
            if !suspend.except.is_empty() {
                let names: Vec<String> = suspend.except.iter().map(|name| quoted(name)).collect();
                writeln!(out, "except = [{}]", names.join(", "))?;
            }
            writeln!(out)?;
        }
        for cell in &self.cells {
            let node: Vec<String> =
                cell.node.iter().map(|(name, amount)| format!("{} = {amount}", key(name))).collect();
            writeln!(out, "[[cells]]\nname = {}\nnodes = {}", quoted(&cell.name), cell.nodes)?;
            writeln!(out, "node = {{ {} }}\n", node.join(", "))?;
        }
        for partition in &self.partitions {
            let cells: Vec<String> = partition.cells.iter().map(|cell| quoted(cell)).collect();
            writeln!(out, "[[partitions]]\nname = {}\ncells = [{}]", quoted(&partition.name), cells.join(", "))?;
            if partition.whole_nodes {
                writeln!(out, "whole_nodes = true")?;
            }
            writeln!(out)?;
        }
        for change in &self.changes {
            writeln!(out, "[[changes]]\nfrom = {}", moment(&change.from))?;
            for (name, value) in [("until", &change.until), ("announced", &change.announced), ("last", &change.last)] {
                if let Some(value) = value {
                    writeln!(out, "{name} = {}", moment(value))?;
                }
            }
            if let Some(cell) = &change.cell {
                writeln!(out, "cell = {}", quoted(cell))?;
            }
            match change.power_cap {
                Some(kw) => writeln!(out, "power_cap = {kw:?}")?,
                None => writeln!(out, "nodes = {}", change.nodes)?,
            }
            if change.what == Displaced::Kill {
                writeln!(out, "what = \"kill\"")?;
            }
            if let Some(every) = change.every {
                writeln!(out, "every = {every}")?;
            }
            writeln!(out)?;
        }
        Ok(())
    }
}

fn moment(moment: &MomentDescription) -> String {
    match moment {
        MomentDescription::Seconds(seconds) => seconds.to_string(),
        MomentDescription::Text(text) => quoted(text),
    }
}

fn key(name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
    if is_bare { name.to_owned() } else { quoted(name) }
}

fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c.is_control() => out.push_str(&format!("\\u{:04X}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let json = r#"{"power_cap": 2.5, "pue": 1.25, "power_expected": "history",
            "suspend": {"after": 600, "rate": 5, "resume_rate": 6, "keep": 2, "except": ["c \"p\\u"]},
            "cells": [{"name": "c \"p\\u", "nodes": 10, "node": {"processors": 4, "big memory": 7}}],
            "partitions": [{"name": "all", "cells": ["c \"p\\u"], "whole_nodes": true}],
            "changes": [{"from": 5, "until": "2026-01-31 08:00", "cell": "c \"p\\u", "nodes": -2, "announced": 1,
                "what": "kill", "every": 7, "last": 900}, {"from": -5, "nodes": 3},
                {"from": 7, "until": 9, "power_cap": 2.0, "announced": 3}]}"#;
        let machine: MachineDescription = serde_json::from_str(json).unwrap();
        assert_eq!(MachineDescription::from_toml(&machine.to_toml()), Ok(machine));
    }

    #[test]
    fn texts_are_known_by_how_they_begin() {
        let recognise = MachineText::recognise;
        assert_eq!(recognise("\u{feff}# mine\n\n[[cells]]\nname = \"a\"\n"), Some(MachineText::Description));
        assert_eq!(recognise("power_cap = 2.5\n[[cells]]\n"), Some(MachineText::Description));
        assert_eq!(recognise("[suspend]\nafter = 5\n"), Some(MachineText::Description));
        assert_eq!(recognise("from,until,nodes,cell\n1,2,-1,\n"), Some(MachineText::Changes));
        for other in ["", "; MaxProcs: 4\n1 0 0 50", "job,nodes,from_user\n", "{\"packfair\": 1}", "[[other]]"] {
            assert_eq!(recognise(other), None, "{other}");
        }
        let table = "from,until,nodes\n1,2,-1\n";
        let known = MachineDescription::of_processors(4);
        let read = MachineText::Changes.read(table, Some(&known)).unwrap();
        assert_eq!((read.cells.len(), read.changes.len()), (1, 1));
        assert!(MachineText::Description.read("[[cells]]\nnam = 1\n", None).unwrap_err().contains("unknown field"));
    }
}
