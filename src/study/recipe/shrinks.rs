//! Shrinking factors that a paper has for each of its logs.

use crate::study::Study;
use crate::workload::like::OF_DYNP;
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(in crate::study) struct LogShrinks {
    log: &'static str,
    shrinks: Vec<f64>,
}

impl LogShrinks {
    /// The factors of the study's log, or of the log whose law its jobs are made by; those of the first of `all` for
    /// any other log.
    pub(super) fn of_study(all: &'static [LogShrinks], study: &Study) -> &'static [f64] {
        let name = study.source.name().to_uppercase();
        let arrivals = study.treatment.like.map(|like| like.arrivals);
        let is_law_of = |log: &str| {
            OF_DYNP.iter().any(|(of, law, _)| {
                of.contains(log) && arrivals.is_some_and(|a| (a.alpha, a.beta) == (Some(law.alpha), Some(law.beta)))
            })
        };
        let by_law = all.iter().find(|of| is_law_of(of.log));
        let found = by_law.or_else(|| all.iter().find(|of| name.contains(of.log))).or_else(|| all.first());
        found.map_or(&[], |of| &of.shrinks)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Source;
    use crate::study::recipe::Recipe;
    use crate::workload::Fingerprint;
    use crate::workload::like::{Arrivals, Likeness};

    fn study_on(name: &str) -> Study {
        Study::on(Source::Trace { name: name.to_owned(), fingerprint: Fingerprint(1) })
    }

    fn applied(id: &str, mut study: Study) -> Study {
        id.parse::<&Recipe>().unwrap().apply(&mut study);
        study
    }

    #[test]
    fn each_log_has_its_own_factors() {
        let study = applied("dynp-figs-4-5-8", study_on("CTC-SP2.swf.gz"));
        assert_eq!(study.all_shrinks(), [1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65]);
        assert_eq!(study.runs().len(), 5 * 8);
        let study = applied("dynp-fig-6", study);
        assert_eq!(study.runs().len(), 4 * 8);
        let ends = |name: &str| {
            let factors = applied("dynp-fig-6", study_on(name)).all_shrinks();
            (factors[0], factors[factors.len() - 1])
        };
        assert_eq!([ends("kth-sp2.swf"), ends("mine.swf"), ends("SDSC-BLUE")], [(1.0, 0.6), (1.0, 0.6), (0.6, 0.3)]);
        // Jobs made by the law of another log.
        let (_, law, p0) = OF_DYNP.iter().find(|(log, ..)| log.contains("PC2")).expect("it has a row in Table 2");
        let arrivals = Arrivals { alpha: Some(law.alpha), beta: Some(law.beta), p0: Some(*p0) };
        let mut study = study_on("kth-sp2.swf");
        study.treatment.like = Some(Likeness { jobs: 10_000, seed: 1, arrivals });
        assert_eq!(applied("dynp-fig-6", study).all_shrinks()[0], 0.8);
    }
}
