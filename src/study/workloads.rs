//! The workloads of a study: one for each shrinking factor, and for each of them on each partition by itself.

use super::{Run, Study, Treatment};
use crate::workload::{CleanError, Log, Workload, shrink};

/// The workloads that the runs of a study are on, each made once.
#[derive(Debug)]
pub struct Workloads {
    of_study: Treatment,
    /// By shrinking factor, that of the study's treatment first.
    each: Vec<(f64, Workload)>,
    /// Those on a partition by itself: its number, the shrinking factor.
    apart: Vec<(i32, f64, Workload)>,
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
        let mut apart = Vec::new();
        for run in study.runs() {
            let Some(partition) = &run.partition else { continue };
            let treatment = run.treatment(&study.treatment);
            let is_it = |(number, factor, _): &&(i32, f64, Workload)| {
                *number == partition.number && *factor == treatment.shrink
            };
            if apart.iter().find(is_it).is_none() {
                apart.push((partition.number, treatment.shrink, treatment.apply(log)?));
            }
        }
        Ok(Workloads { of_study: study.treatment.clone(), each, apart })
    }

    /// That of the study's treatment.
    pub fn first(&self) -> &Workload {
        &self.each[0].1
    }

    /// That of a run; of one that is not the study's, that of the study's treatment.
    pub fn of_run(&self, run: &Run) -> &Workload {
        let factor = run.treatment(&self.of_study).shrink;
        if let Some(partition) = &run.partition {
            let mut apart = self.apart.iter();
            let own = apart.find(|(number, of, _)| *number == partition.number && *of == factor);
            return own.map_or(self.first(), |(.., workload)| workload);
        }
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

    #[test]
    fn each_partition_is_a_machine_of_its_own() {
        let lines = "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n2 0 0 100 8 -1 -1 8 100 -1 1 1 1 1 1 2 -1 -1\n\
            3 5 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n";
        let text = format!("; Partition: 1 small\n; Partition: 2 large\n{lines}");
        let log = crate::workload::reading::read("log", text.as_bytes()).unwrap();
        let mut study = Study::first_visit();
        let all = study.runs();
        let of =
            |number: i32, name: &str| super::super::RunPartition { number, name: name.to_owned(), processors: None };
        study.partitions = vec![of(1, "small"), of(2, "large")];
        study.shrinks = vec![0.5];
        let runs = study.runs();
        assert_eq!(runs.len(), 4 * all.len(), "of each partition with each factor");
        assert_eq!(
            (runs[0].id(), runs[0].scheduler_name()),
            ("easy__requested__partition1".into(), "small: EASY".into())
        );
        let workloads = Workloads::of(&study, &log).unwrap();
        for run in &runs {
            let workload = workloads.of_run(run);
            let number = run.partition.as_ref().unwrap().number;
            assert_eq!((workload.len(), workload.machine.processors), if number == 1 { (2, 8) } else { (1, 8) });
            assert_eq!(workload.shrunk(), run.shrink.unwrap_or(1.0));
            assert_eq!(
                study.baseline_of(run).unwrap().partition,
                run.partition,
                "a run is compared with its own machine's"
            );
        }
        let text = serde_json::to_string(&study).unwrap();
        assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
        study.removed = vec![runs[0].clone()];
        assert_eq!(study.runs()[..], runs[1..]);
    }
}
