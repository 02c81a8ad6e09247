//! Which jobs count, and the parameters of metrics.

use super::read::real;
use crate::cli::Failure;
use crate::metric::{Counted, CountedGroup, Measure, Metric};
use crate::study::check::{ALPHA_RANGE, BOUND_RANGE, NORM_RANGE};
use crate::workload::Header;
use clap::Args;

/// Which jobs count, and the parameters of metrics; what is not given stays as it is.
#[derive(Debug, Args)]
pub(in crate::cli) struct MeasureArguments {
    /// Which jobs count: all, metrics (but those that complete last), steady (without warm-up and drain) [usually
    /// metrics]
    #[arg(long, value_name = "WHICH", value_parser = counted)]
    count: Option<Counted>,
    /// Of these jobs alone, all of them being simulated: user=12, user=ann, queue=1, partition=2, account=3, width=64 (and
    /// others of its class, 33 to 64), runtime=3600 (1 to 4 h), hour=9, week=5
    #[arg(long, value_name = "GROUP")]
    only: Option<String>,
    /// Bound of the bounded slowdown BSLD, seconds [usually 10]
    #[arg(long, value_name = "SECONDS", value_parser = real(BOUND_RANGE))]
    bsld: Option<f64>,
    /// Exponent a of PaSF [usually 2]
    #[arg(long, value_name = "A", value_parser = real(ALPHA_RANGE))]
    alpha: Option<f64>,
    /// p of the l_p norm of response times, Lp [usually 2]
    #[arg(long, value_name = "P", value_parser = real(NORM_RANGE))]
    norm: Option<f64>,
    /// Bound of the width-weighted slowdown SLDwW, seconds [usually 60]
    #[arg(long, value_name = "SECONDS", value_parser = real(BOUND_RANGE))]
    sldww: Option<f64>,
}

impl MeasureArguments {
    /// Sets what is given; names are those of the log's header.
    ///
    /// # Errors
    /// A group that cannot be read, or that the log does not have.
    pub(in crate::cli) fn set(&self, measure: &mut Measure, header: &Header) -> Result<(), Failure> {
        let set = |value: Option<f64>, place: &mut f64| value.into_iter().for_each(|value| *place = value);
        measure.counted = self.count.unwrap_or(measure.counted);
        set(self.bsld, &mut measure.bsld_bound);
        set(self.alpha, &mut measure.alpha);
        set(self.norm, &mut measure.norm);
        set(self.sldww, &mut measure.sldww_bound);
        if let Some(text) = &self.only {
            let read = CountedGroup::read(text, header);
            measure.only = Some(read.map_err(|takes| Failure::Input(format!("--only {text}: it takes {takes}")))?);
        }
        Ok(())
    }

    /// The metrics whose parameters are given.
    pub(in crate::cli) fn metrics(&self) -> impl Iterator<Item = Metric> {
        self.parameters().into_iter().filter(|parameter| parameter.1.is_some()).map(|parameter| parameter.2)
    }

    /// Whoever names columns must name those that a parameter is for: it would have no effect.
    ///
    /// # Errors
    /// Which is missing.
    pub(in crate::cli) fn check(&self, columns: &[Metric]) -> Result<(), Failure> {
        for (option, value, metric) in self.parameters() {
            if let Some(value) = value
                && !columns.is_empty()
                && !columns.contains(&metric)
            {
                let message = format!("{option} {value} is for {metric}, which --columns does not name; add it there");
                return Err(Failure::Input(message));
            }
        }
        Ok(())
    }

    /// Each parameter: its option, its value, its metric.
    fn parameters(&self) -> [(&'static str, Option<f64>, Metric); 4] {
        [
            ("--bsld", self.bsld, Metric::Bsld),
            ("--alpha", self.alpha, Metric::Pasf),
            ("--norm", self.norm, Metric::Lp),
            ("--sldww", self.sldww, Metric::Sldww),
        ]
    }
}

fn counted(id: &str) -> Result<Counted, String> {
    match id {
        "all" => Ok(Counted::All),
        "metrics" => Ok(Counted::Metrics),
        "steady" => Ok(Counted::Steady),
        _ => Err("there are all, metrics, steady".to_owned()),
    }
}
