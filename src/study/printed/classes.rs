//! What CLASSIFY printed: log, row, column and value, to stand beside what comes out here.

/// A figure as it was printed: the log, the row and the column of the table, and the value in the table's unit.
pub type Printed = (&'static str, &'static str, &'static str, f64);

/// CLASSIFY Table 2: the divider, seconds, and shares of jobs, %.
///
/// The paper seems not to have cut run times to the requested time, so its dividers of CTC-SP2 and SDSC-BLUE are others;
/// its premature shares of KTH-SP2 and CTC-SP2 do not follow from the printed definition.
pub const TABLE_2: &[Printed] = &[
    ("CTC-SP2", "all", "divider", 1_114.0),
    ("CTC-SP2", "all", "small, not premature", 17.11),
    ("CTC-SP2", "all", "small, premature", 32.89),
    ("HPC2N", "all", "divider", 2_287.0),
    ("HPC2N", "all", "small, not premature", 27.63),
    ("HPC2N", "all", "small, premature", 22.38),
    ("KTH-SP2", "all", "divider", 847.0),
    ("KTH-SP2", "all", "small, not premature", 15.37),
    ("KTH-SP2", "all", "small, premature", 34.63),
    ("SDSC-BLUE", "all", "divider", 229.0),
    ("SDSC-BLUE", "all", "small, not premature", 0.36),
    ("SDSC-BLUE", "all", "small, premature", 49.70),
    ("SDSC-SP2", "all", "divider", 359.0),
    ("SDSC-SP2", "all", "small, not premature", 12.02),
    ("SDSC-SP2", "all", "small, premature", 38.01),
];

/// CLASSIFY Table 3: shares of the work, %. The last two columns, which the paper exchanged, are put right.
pub const TABLE_3: &[Printed] = &[
    ("CTC-SP2", "all", "large", 98.37),
    ("CTC-SP2", "all", "small, not premature", 0.29),
    ("CTC-SP2", "all", "small, premature", 1.34),
    ("HPC2N", "all", "large", 99.35),
    ("HPC2N", "all", "small, not premature", 0.15),
    ("HPC2N", "all", "small, premature", 0.50),
    ("KTH-SP2", "all", "large", 99.59),
    ("KTH-SP2", "all", "small, not premature", 0.05),
    ("KTH-SP2", "all", "small, premature", 0.36),
    ("SDSC-BLUE", "all", "large", 99.32),
    ("SDSC-BLUE", "all", "small, not premature", 0.11),
    ("SDSC-BLUE", "all", "small, premature", 0.57),
    ("SDSC-SP2", "all", "large", 98.33),
    ("SDSC-SP2", "all", "small, not premature", 0.22),
    ("SDSC-SP2", "all", "small, premature", 1.45),
];

/// CLASSIFY Table 5, %, with precision and recall exchanged: only so does it agree with Table 6.
pub const TABLE_5: &[Printed] = &[
    ("CTC-SP2", "fcfs-ci", "class_accuracy", 85.0),
    ("CTC-SP2", "fcfs-ci", "class_precision", 86.0),
    ("CTC-SP2", "fcfs-ci", "class_recall", 82.0),
    ("HPC2N", "fcfs-ci", "class_accuracy", 90.0),
    ("HPC2N", "fcfs-ci", "class_precision", 89.0),
    ("HPC2N", "fcfs-ci", "class_recall", 87.0),
    ("KTH-SP2", "fcfs-ci", "class_accuracy", 86.0),
    ("KTH-SP2", "fcfs-ci", "class_precision", 90.0),
    ("KTH-SP2", "fcfs-ci", "class_recall", 79.0),
    ("SDSC-BLUE", "fcfs-ci", "class_accuracy", 80.0),
    ("SDSC-BLUE", "fcfs-ci", "class_precision", 83.0),
    ("SDSC-BLUE", "fcfs-ci", "class_recall", 78.0),
    ("SDSC-SP2", "fcfs-ci", "class_accuracy", 87.0),
    ("SDSC-SP2", "fcfs-ci", "class_precision", 91.0),
    ("SDSC-SP2", "fcfs-ci", "class_recall", 89.0),
];

/// CLASSIFY Table 6, read as shares of all jobs, %: only so does it agree with Table 5.
pub const TABLE_6: &[Printed] = &[
    ("CTC-SP2", "fcfs-ci", "class_false_large", 8.16),
    ("CTC-SP2", "fcfs-ci", "class_false_small", 6.29),
    ("HPC2N", "fcfs-ci", "class_false_large", 7.59),
    ("HPC2N", "fcfs-ci", "class_false_small", 5.05),
    ("KTH-SP2", "fcfs-ci", "class_false_large", 9.27),
    ("KTH-SP2", "fcfs-ci", "class_false_small", 4.03),
    ("SDSC-BLUE", "fcfs-ci", "class_false_large", 11.29),
    ("SDSC-BLUE", "fcfs-ci", "class_false_small", 8.52),
    ("SDSC-SP2", "fcfs-ci", "class_false_large", 7.20),
    ("SDSC-SP2", "fcfs-ci", "class_false_small", 5.85),
];

/// CLASSIFY Table 7: improvement of average bounded slowdown (bound 60 s, all jobs) over EASY, requested times, %.
pub const TABLE_7: &[Printed] = &[
    ("KTH-SP2", "fcfs-ci", "BSLD", 50.0),
    ("KTH-SP2", "spf-ci", "BSLD", 59.0),
    ("CTC-SP2", "fcfs-ci", "BSLD", 79.0),
    ("CTC-SP2", "spf-ci", "BSLD", 85.0),
    ("SDSC-BLUE", "fcfs-ci", "BSLD", 63.0),
    ("SDSC-BLUE", "spf-ci", "BSLD", 74.0),
    ("SDSC-SP2", "fcfs-ci", "BSLD", 66.0),
    ("SDSC-SP2", "spf-ci", "BSLD", 75.0),
];

/// The figures of a table that are of a log, by a name such as `KTH-SP2.swf.gz`.
pub fn of_log(table: &'static [Printed], log: &str) -> impl Iterator<Item = Printed> {
    let log = log.to_ascii_uppercase();
    // the name of one log may be in that of another: nothing goes before it but an end of a word
    let is_of = move |name: &str| log.find(name).is_some_and(|at| !log[..at].ends_with(|c: char| c.is_alphanumeric()));
    table.iter().copied().filter(move |(name, ..)| is_of(name))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metric::Metric;
    use crate::scheduler::Policy;

    #[test]
    fn rows_and_columns_of_runs_are_in_the_catalogues() {
        for (_, row, column, _) in TABLE_5.iter().chain(TABLE_6).chain(TABLE_7) {
            assert!(row.parse::<Policy>().is_ok() && column.parse::<Metric>().is_ok(), "{row} {column}");
        }
    }

    #[test]
    fn both_tables_of_errors_agree_as_they_are_read_here() {
        for log in ["CTC-SP2", "KTH-SP2", "SDSC-BLUE", "SDSC-SP2"] {
            let value = |table, column| of_log(table, log).find(|found| found.2 == column).unwrap().3;
            let errors = value(TABLE_6, "class_false_large") + value(TABLE_6, "class_false_small");
            assert!((100.0 - errors - value(TABLE_5, "class_accuracy")).abs() <= 1.0, "{log}");
        }
    }

    #[test]
    fn a_log_is_found_by_its_file_s_name() {
        assert_eq!(of_log(TABLE_7, "kth-sp2.swf.gz").count(), 2);
        assert_eq!(of_log(TABLE_7, "logs/SDSC-SP2-1998.swf").map(|figure| figure.3).next(), Some(66.0));
        assert_eq!(of_log(TABLE_7, "mine.swf").count(), 0);
    }
}
