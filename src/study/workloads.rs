//! The workloads of a study: one for each shrinking factor.

use super::{Run, Study, Treatment};
use crate::workload::{CleanError, Log, Workload, shrink};

/// The workloads that the runs of a study are on, each made once.
#[derive(Debug)]
pub struct Workloads {
    of_study: Treatment,
    /// By shrinking factor, that of the study's treatment first.
    each: Vec<(f64, Workload)>,
}

impl Workloads {
    /// Makes them of a log, which is filtered and cleaned once.
    ///
    /// # Errors
    /// As [`Treatment::apply`].
    pub fn of(study: &Study, log: &Log) -> Result<Self, CleanError> {
        let unshrunk = Treatment { shrink: 1.0, ..study.treatment.clone() }.apply(log)?;
        let (factors, mut each) = (study.all_shrinks(), Vec::new());
        let (&last, others) = factors.split_last().expect("there is that of the treatment");
        let made = |mut workload: Workload, factor: f64| {
            shrink(&mut workload, factor)?;
            Ok((factor, workload))
        };
        for &factor in others {
            each.push(made(unshrunk.clone(), factor)?);
        }
        each.push(made(unshrunk, last)?);
        Ok(Workloads { of_study: study.treatment.clone(), each })
    }

    /// That of the study's treatment.
    pub fn first(&self) -> &Workload {
        &self.each[0].1
    }

    /// That of a run; of one that is not the study's, that of the study's treatment.
    pub fn of_run(&self, run: &Run) -> &Workload {
        let factor = run.treatment(&self.of_study).shrink;
        self.each.iter().find(|(of, _)| *of == factor).map_or(self.first(), |(_, workload)| workload)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_factor_has_its_workload_and_it_is_that_of_a_study_of_its_own() {
        let mut study = Study::first_visit();
        let super::super::Source::Generated(generated) = &study.source else { panic!("{:?}", study.source) };
        let log = generated.generate();
        study.set_shrinks(&[0.9, 1.0, 0.5, 0.9]);
        assert_eq!(study.all_shrinks(), [0.9, 1.0, 0.5]);
        let workloads = Workloads::of(&study, &log).unwrap();
        assert_eq!(workloads.first().shrunk(), 0.9);
        let runs = study.runs();
        assert_eq!(runs.len(), 24);
        for run in &runs {
            let alone = run.treatment(&study.treatment).apply(&log).unwrap();
            assert_eq!(workloads.of_run(run).requests(), alone.requests(), "{}", run.id());
        }
        study.shrinks = vec![f64::NAN];
        assert!(Workloads::of(&study, &log).is_err());
    }
}
