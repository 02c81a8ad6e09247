//! The workloads of a study: one for each combination of load, number of users, machine, replay or not, and partition.

use super::{Run, Study, Treatment};
use packfair_workload::{CleanError, Log, Workload, shrink};

/// The workloads of a study's runs, each made once.
#[derive(Debug)]
pub struct Workloads {
    of_study: Treatment,
    /// Each workload with its treatment; that of the study's treatment comes first.
    each: Vec<(Treatment, Workload)>,
}

impl Workloads {
    /// Makes the workloads from a log, which is filtered and cleaned once for all loads.
    ///
    /// # Errors
    /// As [`Treatment::apply`].
    pub fn of(study: &Study, log: &Log) -> Result<Self, CleanError> {
        let of_study = study.treatment.clone();
        let mut treatments: Vec<Treatment> = vec![of_study.clone()];
        for run in study.runs() {
            let treatment = run.treatment(&of_study);
            if !treatments.contains(&treatment) {
                treatments.push(treatment);
            }
        }
        let at_own_load = |treatment: &Treatment| Treatment { shrink: 1.0, ..treatment.clone() };
        let mut each: Vec<(Treatment, Workload)> = Vec::new();
        while let Some(first) = treatments.first() {
            let own = at_own_load(first);
            let (at_loads, others) = treatments.into_iter().partition(|treatment| at_own_load(treatment) == own);
            treatments = others;
            let mut unshrunk = Some(own.apply(log)?);
            let mut at_loads: std::iter::Peekable<_> = Vec::<Treatment>::into_iter(at_loads).peekable();
            while let Some(treatment) = at_loads.next() {
                // The last load takes the original, because a second copy of a long log is costly.
                let made = if at_loads.peek().is_some() { unshrunk.clone() } else { unshrunk.take() };
                let Some(mut workload) = made else { break };
                shrink(&mut workload, treatment.shrink)?;
                each.push((treatment, workload));
            }
        }
        Ok(Workloads { of_study, each })
    }

    /// The workload of the study's treatment.
    pub fn first(&self) -> &Workload {
        &self.each[0].1
    }

    /// The workload of a run. A run that is not the study's gets the workload of the study's treatment.
    pub fn of_run(&self, run: &Run) -> &Workload {
        let treatment = run.treatment(&self.of_study);
        self.each.iter().find(|(of, _)| *of == treatment).map_or(self.first(), |(_, workload)| workload)
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
        assert_eq!(runs.len(), 12);
        for run in &runs {
            let alone = run.treatment(&study.treatment).apply(&log).unwrap();
            assert_eq!(workloads.of_run(run).requests(), alone.requests(), "{}", run.id());
        }
        study.shrinks = vec![f64::NAN];
        assert!(Workloads::of(&study, &log).is_err());
    }

    #[test]
    fn each_machine_that_is_otherwise_has_its_workload() {
        let mut study = Study::first_visit();
        let super::super::Source::Generated(generated) = &study.source else { panic!("{:?}", study.source) };
        let log = generated.generate();
        let all = study.runs();
        study.what_ifs = ["nodes=+20", "nodes=-64 from=1000 until=2000"].map(|text| text.parse().unwrap()).to_vec();
        let runs = study.runs();
        assert_eq!(runs.len(), 3 * all.len());
        assert_eq!(runs[1].id(), "easy__requested__if_nodes=+20");
        assert_eq!(runs[1].scheduler_name(), "EASY, 20 more nodes");
        let workloads = Workloads::of(&study, &log).unwrap();
        let size = |run: &Run| workloads.of_run(run).machine.processors;
        assert_eq!([&runs[0], &runs[1], &runs[2]].map(size), [128, 148, 128]);
        assert!(workloads.of_run(&runs[2]).cells().is_some() && workloads.of_run(&runs[1]).cells().is_none());
        assert_eq!(study.baseline_of(&runs[1]).unwrap().what_if, runs[1].what_if, "on the same machine");
        let text = serde_json::to_string(&study).unwrap();
        assert_eq!(serde_json::from_str::<Study>(&text).unwrap(), study);
        let logged = Run::new("as-logged".parse().unwrap(), runs[1].estimate.clone()).what_if(runs[1].what_if.clone());
        assert_eq!(logged.what_if, None, "the log's own schedule is one of its own machine");
        study.repeats = Some(crate::sureness::Repeats::of(5));
        assert_eq!(study.check(), Ok(()), "and all of them can be repeated");
    }

    #[test]
    fn each_partition_is_a_machine_of_its_own() {
        let lines = "1 0 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n2 0 0 100 8 -1 -1 8 100 -1 1 1 1 1 1 2 -1 -1\n\
            3 5 0 100 4 -1 -1 4 100 -1 1 1 1 1 1 1 -1 -1\n";
        let text = format!("; Partition: 1 small\n; Partition: 2 large\n{lines}");
        let log = packfair_workload::reading::read("log", text.as_bytes()).unwrap();
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
