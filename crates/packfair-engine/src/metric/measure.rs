//! The parameters of metrics.

use super::{Counted, CountedGroup, CountedJobs, GroupWeight};
use crate::power::PowerSeries;
use serde::ser::SerializeStruct;
use serde::{Deserialize, Serialize, Serializer};

/// The parameters of metrics.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(default)]
pub struct Measure {
    pub counted: Counted,
    /// The group whose jobs count; `None` for all jobs.
    pub only: Option<CountedGroup>,
    /// Bound τ of the bounded slowdown, seconds: 10 in METRICS and CP, 60 in CLASSIFY.
    pub bsld_bound: f64,
    /// Exponent a of PᵃSF, at least 0.
    pub alpha: f64,
    /// p of the l_p norm, at least 1.
    pub norm: f64,
    /// Bound τ of the width-weighted slowdown, seconds: 60 or 300 in DYNP.
    pub sldww_bound: f64,
    /// Priority weights p of groups of jobs, in AWF, AWQ and PᵃSF (METRICS §IV). Empty: all jobs have the same weight.
    pub weights: Vec<GroupWeight>,
    /// The price of a MWh over time.
    pub prices: Option<Box<PowerSeries>>,
    /// How many grams of CO2 a kWh emits over time.
    pub intensity: Option<Box<PowerSeries>>,
}

impl Serialize for Measure {
    /// As a derived implementation, except that human-readable formats (study files, links) leave out an empty list of
    /// weights and series that there are not, so that the text of older studies does not change. Messages between page
    /// and workers contain all fields, because fields have no names there.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Measure { counted, only, bsld_bound, alpha, norm, sldww_bound, weights, prices, intensity } = self;
        let is_text = serializer.is_human_readable();
        let tells_weights = !is_text || !weights.is_empty();
        let (tells_prices, tells_intensity) = (!is_text || prices.is_some(), !is_text || intensity.is_some());
        let told = [tells_weights, tells_prices, tells_intensity].map(usize::from).iter().sum::<usize>();
        let mut fields = serializer.serialize_struct("Measure", 6 + told)?;
        fields.serialize_field("counted", counted)?;
        fields.serialize_field("only", only)?;
        fields.serialize_field("bsld_bound", bsld_bound)?;
        fields.serialize_field("alpha", alpha)?;
        fields.serialize_field("norm", norm)?;
        fields.serialize_field("sldww_bound", sldww_bound)?;
        if tells_weights {
            fields.serialize_field("weights", weights)?;
        }
        if tells_prices {
            fields.serialize_field("prices", prices)?;
        }
        if tells_intensity {
            fields.serialize_field("intensity", intensity)?;
        }
        fields.end()
    }
}

impl Default for Measure {
    fn default() -> Self {
        Measure {
            counted: Counted::Metrics,
            only: None,
            bsld_bound: 10.0,
            alpha: 2.0,
            norm: 2.0,
            sldww_bound: 60.0,
            weights: Vec::new(),
            prices: None,
            intensity: None,
        }
    }
}

impl Measure {
    pub fn jobs(&self) -> CountedJobs {
        CountedJobs { counted: self.counted, only: self.only }
    }
}
