//! The sizes of the machines of separate partitions, and the schedulers that ran plainly, in a sentence each.

use crate::format::whole;
use crate::{RunReport, Study};

/// Sentences on the machines: the size of each separate partition's machine and where the size comes from; which
/// schedulers ran plainly, because their fast form does not know the machine; and whether a scheduler counts the nodes
/// of its site's files instead. `None` where none of this applies.
pub fn machines<'a>(study: &Study, results: impl IntoIterator<Item = &'a RunReport>) -> Option<String> {
    let (mut said, mut plain): (Vec<String>, Vec<String>) = Default::default();
    let mut by_site = None;
    for result in results {
        by_site = by_site.or_else(|| result.run.scheduler.goes_by_site().then(|| result.run.scheduler.name()));
        let name = result.run.scheduler.name();
        if result.is_plain && !plain.contains(&name) {
            plain.push(name);
        }
        let (Some(partition), Some(machine)) = (&result.run.partition, result.machine) else { continue };
        let size = format!("{} {} ({})", partition.name, whole(machine.processors), machine.source.describe());
        if !said.contains(&size) {
            said.push(size);
        }
    }
    let sizes = (!said.is_empty()).then(|| format!("Machine sizes: {}.", said.join(", ")));
    let plainly = (!plain.is_empty()).then(|| {
        format!("Simulated plainly, which takes longer, for the machine has cells or a calendar: {}.", plain.join(", "))
    });
    let own_nodes = by_site.filter(|_| study.treatment.machine.is_some() && !study.treatment.site.is_empty()).map(|name| {
        format!(
            "{name} counts the nodes of its site's files, with their events and reservations, whatever machine the study has."
        )
    });
    let sentences: Vec<String> = sizes.into_iter().chain(plainly).chain(own_nodes).collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::RunPartition;
    use crate::table::tests::result;
    use packfair_base::catalogue::NamedFile;
    use packfair_base::machine::MachineDescription;
    use packfair_workload::{Machine, MachineSource};

    #[test]
    fn each_partition_is_named_once_with_the_size_of_its_machine() {
        let of = |partition: Option<(&str, u32, MachineSource)>| {
            let mut of = result("easy", "requested", &[]);
            if let Some((name, processors, source)) = partition {
                of.run.partition = Some(RunPartition { number: 1, name: name.to_owned(), processors: None });
                of.machine = Some(Machine { processors, source });
            }
            of
        };
        let mut study = Study::first_visit();
        assert_eq!(machines(&study, &[of(None)]), None);
        let plain = crate::RunReport { is_plain: true, ..of(None) };
        assert_eq!(
            machines(&study, &[plain.clone(), plain]).unwrap(),
            "Simulated plainly, which takes longer, for the machine has cells or a calendar: EASY."
        );
        let small = || of(Some(("small", 64, MachineSource::Given)));
        let large = of(Some(("large", 1_024, MachineSource::WidestJob)));
        assert_eq!(
            machines(&study, &[small(), small(), large]).unwrap(),
            "Machine sizes: small 64 (as given), large 1,024 (assumed: the width of the widest job (no usable size in the \
             header))."
        );
        // Slurm beside others on a machine with cells.
        let mut slurm = of(None);
        slurm.run.scheduler = "slurm".parse().unwrap();
        study.treatment.machine = Some(Box::new(MachineDescription::of_processors(8)));
        assert_eq!(machines(&study, &[slurm.clone()]), None, "without a site it is refused there");
        study.treatment.site = vec![NamedFile::new("slurm.conf", 1)];
        let told = machines(&study, &[slurm]).unwrap();
        assert!(told.starts_with("Slurm counts the nodes of its site's files, "), "{told}");
    }
}
