//! The catalogue of estimators.

use super::actual::Distorted;
use super::{
    Estimator, EstimatorFamily, EstimatorImplementation, actual, cvh, external, hierarchy, last2, requested, sp,
    survival,
};
use packfair_base::catalogue::{self, Catalogue, Configured, Entry, NamedFile, Preset, UnknownId};
use packfair_workload::Workload;
use std::fmt;
use std::str::FromStr;
use std::sync::LazyLock;

/// The smallest and the largest distortion factor k.
pub const K_RANGE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// All families of methods, in the order in which the page offers them.
const ALL: &[EstimatorImplementation] = &[
    actual::FAMILY,
    requested::FAMILY,
    last2::FAMILY,
    hierarchy::FAMILY,
    sp::FAMILY,
    survival::FAMILY,
    cvh::FAMILY,
    external::FAMILY,
];

/// Methods of a family that have names of their own in the papers, in the order in which the page offers them.
pub const PRESETS: &[Preset] = &[
    Preset::new("sp2", "SP-2%", "the run time that 2 % of the work in similar jobs outlives", "sp:x=2"),
    Preset::new("sp3", "SP-3%", "the run time that 3 % of the work in similar jobs outlives", "sp:x=3"),
    Preset::new("sp4", "SP-4%", "the run time that 4 % of the work in similar jobs outlives", "sp:x=4"),
];

/// The descriptions of all families, without the algorithms. The page only offers them, so it need not contain the
/// algorithms.
pub const FAMILIES: &[EstimatorFamily] = &{
    let mut families = [ALL[0].family(); ALL.len()];
    let mut i = 1;
    while i < ALL.len() {
        families[i] = ALL[i].family();
        i += 1;
    }
    families
};

impl catalogue::Family for EstimatorFamily {
    fn entry(&self) -> &Entry {
        &self.entry
    }
}

pub enum Estimators {}

impl Catalogue for Estimators {
    const WHAT: &'static str = "estimator";
    type Family = EstimatorFamily;
    const FAMILIES: &'static [EstimatorFamily] = FAMILIES;
    const PRESETS: &'static [Preset] = PRESETS;

    fn meant() -> &'static [Configured<Self>] {
        static MEANT: LazyLock<Vec<Configured<Estimators>>> = LazyLock::new(catalogue::meant);
        &MEANT
    }
}

packfair_base::chosen_from!(
    /// A way of estimating run times, with all its settings.
    Method,
    Estimators
);

impl Method {
    /// The method that knows the actual run time.
    pub fn actual() -> Self {
        Method::of(const { &actual::FAMILY.family() })
    }

    /// The method that takes the requested time.
    pub fn requested() -> Self {
        Method::of(const { &requested::FAMILY.family() })
    }

    /// The method that takes the estimates of a file.
    pub fn of_file(file: NamedFile) -> Self {
        // A test builds one.
        format!("{}:file={file}", external::FAMILY.entry.id).parse().expect("an external method with its file")
    }

    /// An estimator for a simulation of `workload`, which has seen no jobs yet.
    pub fn build<'a>(&self, workload: &'a Workload) -> Box<dyn Estimator + 'a> {
        let is_own = |family: &&EstimatorImplementation| family.entry.id == self.family().entry.id;
        // Every family of a method is among them.
        let family = ALL.iter().find(is_own).expect("methods are of this catalogue");
        (family.build)(self.settings(), workload)
    }
}

/// The estimates of a run: a method and a distortion factor k. As text: `actual`, `requested*2`,
/// `hierarchy:decay=0.3*2`.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    pub method: Method,
    /// The distortion factor k, 0.1 to 10; 1 leaves the estimate as it is.
    pub k: f64,
}

impl Estimate {
    /// The method's own estimate, undistorted.
    pub fn of(method: Method) -> Self {
        Estimate { method, k: 1.0 }
    }

    /// Whether it is exactly the actual run time of each job.
    pub fn is_exact(&self) -> bool {
        self.k == 1.0 && self.method == Method::actual()
    }

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

packfair_base::serde_as_text!(Estimate);

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::testing;

    #[test]
    fn the_text_form_survives() {
        for text in [
            "actual",
            "requested*2",
            "last2:n=3",
            "hierarchy:decay=0.3*0.5",
            "hierarchy:groups=auln+u*2",
            "sp2",
            "sp4*2",
            "sp:x=5",
            "cvh",
        ] {
            assert_eq!(text.parse::<Estimate>().unwrap().to_string(), text);
        }
        let first_two = "hierarchy:groups=2".parse::<Method>().unwrap();
        assert_eq!(first_two.to_string(), "hierarchy:groups=auln+aul", "a number is so many of the first");
        assert_eq!("hierarchy:groups=all".parse::<Method>().unwrap().to_string(), "hierarchy");
        assert!("hierarchy:groups=".parse::<Method>().is_err() && "hierarchy:groups=auln+x".parse::<Method>().is_err());
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
    fn an_estimator_learns_where_its_catalogue_line_says_so() {
        let workload = testing::jobs(4, &[(0, 1, 10, 20)]);
        for method in Method::offered() {
            for k in [1.0, 2.0] {
                let estimate = Estimate { method: method.clone(), k };
                assert_eq!(estimate.build(&workload).learns(), method.family().learns, "{estimate}");
            }
        }
    }

    #[test]
    fn what_is_wrong_is_said_with_what_would_be_right() {
        let message = |text: &str| text.parse::<Estimate>().unwrap_err().to_string();
        assert!(
            message("actuall")
                .starts_with("there is no estimator \"actuall\"; there are sp2, sp3, sp4, actual, requested, ")
        );
        assert_eq!(message("last2:n=0"), "n of Last2 cannot be \"0\"; it takes a whole number from 1 to 1000 jobs");
        assert_eq!(message("sp2*99"), "k of sp2 cannot be \"99\"; it takes a number from 0.1 to 10");
    }
}
