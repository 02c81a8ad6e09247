//! The catalogue of estimators.

use super::distorted::Distorted;
use super::{Estimator, actual, cvh, hierarchy, last2, requested, sp, survival};
use crate::catalogue::{Entry, Settings, UnknownId};
use crate::workload::Workload;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The smallest and the largest distortion factor k.
pub const K_RANGE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// All families of methods, in the order in which they are offered.
pub const FAMILIES: &[Family] =
    &[actual::FAMILY, requested::FAMILY, last2::FAMILY, hierarchy::FAMILY, sp::FAMILY, survival::FAMILY, cvh::FAMILY];

/// Methods of a family that have names of their own in the papers, in the order in which they are offered.
pub const PRESETS: &[Preset] = &[
    preset("sp2", "SP-2%", "the run time that 2 % of the work in similar jobs outlives", "sp:x=2"),
    preset("sp3", "SP-3%", "the run time that 3 % of the work in similar jobs outlives", "sp:x=3"),
    preset("sp4", "SP-4%", "the run time that 4 % of the work in similar jobs outlives", "sp:x=4"),
];

const fn preset(id: &'static str, name: &'static str, help: &'static str, means: &'static str) -> Preset {
    Preset { id, name, help, means }
}

/// A family of estimators: a way of estimating, and what can be set of it.
#[derive(Debug)]
pub struct Family {
    /// What a person is told of it.
    pub entry: Entry,
    /// Whether it learns from completed jobs.
    pub learns: bool,
    /// Makes an estimator that has seen nothing yet.
    pub build: for<'a> fn(&Settings, &'a Workload) -> Box<dyn Estimator + 'a>,
}

/// A method that has a name in the papers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Preset {
    /// Stable id.
    pub id: &'static str,
    /// Display name.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The method, as family and settings.
    pub means: &'static str,
}

/// A way of estimating run times, and all its settings. As text: a preset's id (`sp3`), or a family and
/// what differs from its defaults (`actual`, `hierarchy:decay=0.3`).
#[derive(Clone, Debug)]
pub struct Method {
    family: &'static Family,
    settings: Settings,
}

impl PartialEq for Method {
    fn eq(&self, other: &Self) -> bool {
        self.family.entry.id == other.family.entry.id && self.settings == other.settings
    }
}

impl Method {
    /// A family with everything at its default.
    pub fn of(family: &'static Family) -> Self {
        Method { family, settings: Settings::defaults(family.entry.parameters) }
    }

    /// The actual run time.
    pub fn actual() -> Self {
        Method::of(&actual::FAMILY)
    }

    /// The requested time.
    pub fn requested() -> Self {
        Method::of(&requested::FAMILY)
    }

    /// The methods that are offered by name, in order: each family's presets, or the family itself.
    pub fn offered() -> Vec<Method> {
        let of_family = |family: &'static Family| {
            let presets: Vec<Method> =
                presets().map(|(_, method)| method.clone()).filter(|m| m.is_of(family)).collect();
            if presets.is_empty() { vec![Method::of(family)] } else { presets }
        };
        FAMILIES.iter().flat_map(of_family).collect()
    }

    fn is_of(&self, family: &Family) -> bool {
        self.family.entry.id == family.entry.id
    }

    /// Its family.
    pub fn family(&self) -> &'static Family {
        self.family
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes one setting.
    ///
    /// # Errors
    /// A parameter that the family does not have, or a value that it does not take.
    pub fn set(&mut self, parameter: &str, value: &str) -> Result<(), UnknownId> {
        self.settings.set(self.family.entry.name, parameter, value)
    }

    /// The preset that it is, if it is one.
    pub fn preset(&self) -> Option<&'static Preset> {
        presets().find(|(_, method)| *method == self).map(|(preset, _)| preset)
    }

    /// Display name: the preset's, or the family's with its settings.
    pub fn name(&self) -> String {
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => preset.name.to_owned(),
            (None, settings) if settings.is_empty() => self.family.entry.name.to_owned(),
            (None, settings) => format!("{} ({})", self.family.entry.name, settings.replace(',', ", ")),
        }
    }

    /// One line of help: the preset's, or the family's.
    pub fn help(&self) -> &'static str {
        self.preset().map_or(self.family.entry.help, |preset| preset.help)
    }

    /// Paper and section that define it.
    pub fn source(&self) -> &'static str {
        self.family.entry.source
    }

    /// An estimator for a simulation of `workload`, that has seen nothing yet.
    pub fn build<'a>(&self, workload: &'a Workload) -> Box<dyn Estimator + 'a> {
        (self.family.build)(&self.settings, workload)
    }
}

/// Each preset and the method that it means.
fn presets() -> impl Iterator<Item = (&'static Preset, &'static Method)> {
    // a test parses every preset
    static MEANT: LazyLock<Vec<Method>> =
        LazyLock::new(|| PRESETS.iter().filter_map(|preset| long_form(preset.means).ok()).collect());
    PRESETS.iter().zip(MEANT.iter())
}

fn long_form(text: &str) -> Result<Method, UnknownId> {
    let (family, settings) = text.split_once(':').unwrap_or((text, ""));
    let ids = FAMILIES.iter().map(|f| f.entry.id).chain(PRESETS.iter().map(|p| p.id));
    let found = FAMILIES.iter().find(|f| f.entry.id == family.trim());
    let family = found.ok_or_else(|| UnknownId::entry("estimator", family, ids))?;
    Ok(Method { family, settings: Settings::parse(family.entry.parameters, family.entry.name, settings)? })
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.preset(), self.settings.to_string()) {
            (Some(preset), _) => f.write_str(preset.id),
            (None, settings) if settings.is_empty() => f.write_str(self.family.entry.id),
            (None, settings) => write!(f, "{}:{settings}", self.family.entry.id),
        }
    }
}

impl FromStr for Method {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        let text = text.trim();
        long_form(PRESETS.iter().find(|p| p.id == text).map_or(text, |p| p.means))
    }
}

crate::serde_as_text!(Method);

/// What a run's estimates are: a method and a distortion factor k. As text: `actual`, `requested*2`,
/// `hierarchy:decay=0.3*2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The method.
    pub method: Method,
    /// The distortion factor k, 0.1 to 10; 1 leaves the estimate as it is.
    pub k: f64,
}

impl Estimate {
    /// The method's own estimate.
    pub fn of(method: Method) -> Self {
        Estimate { method, k: 1.0 }
    }

    /// An estimator for a simulation of `workload`.
    pub fn build<'a>(&self, workload: &'a Workload) -> Box<dyn Estimator + 'a> {
        let estimator = self.method.build(workload);
        if self.k == 1.0 { estimator } else { Box::new(Distorted::new(estimator, self.k)) }
    }
}

impl fmt::Display for Estimate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.method.fmt(f)?;
        if self.k != 1.0 {
            write!(f, "*{}", self.k)?;
        }
        Ok(())
    }
}

impl FromStr for Estimate {
    type Err = UnknownId;

    fn from_str(text: &str) -> Result<Self, UnknownId> {
        let (method, k) = text.split_once('*').unwrap_or((text, "1"));
        let k_value = k.trim().parse::<f64>().ok().filter(|k| K_RANGE.contains(k));
        let k = k_value.ok_or_else(|| UnknownId::Value {
            of: method.to_owned(),
            parameter: "k".to_owned(),
            given: k.chars().take(40).collect(),
            takes: format!("a number from {} to {}", K_RANGE.start(), K_RANGE.end()),
        })?;
        Ok(Estimate { method: method.parse()?, k })
    }
}

crate::serde_as_text!(Estimate);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_text_form_survives() {
        for text in ["actual", "requested*2", "last2:n=3", "hierarchy:decay=0.3*0.5", "sp2", "sp4*2", "sp:x=5", "cvh"] {
            assert_eq!(text.parse::<Estimate>().unwrap().to_string(), text);
        }
        assert_eq!("sp".parse::<Method>().unwrap().to_string(), "sp2", "what it is by default has a name");
    }

    #[test]
    fn every_preset_means_a_method_and_is_found_again() {
        for preset in PRESETS {
            let method: Method = preset.id.parse().unwrap();
            assert_eq!((method.to_string().as_str(), method.name().as_str()), (preset.id, preset.name));
        }
    }

    #[test]
    fn every_method_is_offered_once() {
        let offered: Vec<String> = Method::offered().iter().map(Method::to_string).collect();
        let expected = ["actual", "requested", "last2", "hierarchy", "sp2", "sp3", "sp4", "survival", "cvh"];
        assert_eq!(offered, expected);
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let message = |text: &str| text.parse::<Estimate>().unwrap_err().to_string();
        assert!(message("actuall").starts_with("there is no estimator \"actuall\"; there are actual, requested, "));
        assert_eq!(message("last2:n=0"), "n of Last2 cannot be \"0\"; it takes a whole number from 1 to 1000 jobs");
        assert_eq!(message("sp2*99"), "k of sp2 cannot be \"99\"; it takes a number from 0.1 to 10");
    }
}
