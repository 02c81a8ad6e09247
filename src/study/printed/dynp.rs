//! The figures of DYNP (Streit, 2002), as printed in its Tables 4 to 6.
//!
//! They belong to job sets that were made at random from four logs, and the sets are lost. So no figure comes out to
//! the digit, and no log is recognised as one of the sets: a person who makes such a set says which one it is.

use super::logs::DYNP;
use super::{MetricFigures, PrintedQuantity, PrintedTable, RunFigures, line};
use crate::metric::Metric;

/// What to know about all three tables.
macro_rules! caption {
    ($figures:literal) => {
        concat!(
            $figures,
            " The paper's job sets are random, and lost: with others of the kind figures come near at best."
        )
    };
}

/// The figures of one metric, for any schedulers.
const fn block(
    metric: Metric,
    quantity: PrintedQuantity,
    places: usize,
    lines: &'static [RunFigures],
) -> MetricFigures {
    MetricFigures { metric, quantity, places, lines }
}

/// DYNP Table 4.
pub(super) const TABLE_4: PrintedTable = PrintedTable {
    recipe: "dynp-table-4",
    name: "DYNP Table 4",
    caption: caption!("The metrics' values, utilisation in percent."),
    logs: &DYNP,
    shares: &[],
    blocks: &[
        block(
            Metric::Artww,
            PrintedQuantity::Value,
            0,
            &[
                line("dynp:decider=simple", "requested", &[25_980.0, 48_077.0, 43_124.0, 9_969.0]),
                line("dynp", "requested", &[21_912.0, 33_299.0, 31_493.0, 9_936.0]),
                line("dynp:quality=art,decider=simple", "requested", &[26_082.0, 49_301.0, 42_795.0, 9_963.0]),
                line("dynp:quality=art", "requested", &[21_648.0, 40_663.0, 31_994.0, 9_921.0]),
                line("dynp:quality=ms,decider=simple", "requested", &[27_268.0, 50_497.0, 47_747.0, 9_982.0]),
                line("dynp:quality=ms", "requested", &[25_829.0, 50_395.0, 47_260.0, 9_991.0]),
            ],
        ),
        block(
            Metric::Utilisation,
            PrintedQuantity::Percent,
            2,
            &[
                line("dynp:decider=simple", "requested", &[75.36, 66.00, 42.60, 31.32]),
                line("dynp", "requested", &[75.70, 65.64, 42.49, 31.32]),
                line("dynp:quality=art,decider=simple", "requested", &[74.02, 66.01, 42.60, 31.32]),
                line("dynp:quality=art", "requested", &[74.96, 65.64, 42.58, 31.32]),
                line("dynp:quality=ms,decider=simple", "requested", &[75.64, 66.14, 42.60, 31.32]),
                line("dynp:quality=ms", "requested", &[75.08, 66.11, 42.60, 31.32]),
            ],
        ),
        block(
            Metric::Loc,
            PrintedQuantity::Value,
            5,
            &[
                line("dynp:decider=simple", "requested", &[0.12650, 0.16398, 0.22423, 0.00133]),
                line("dynp", "requested", &[0.10911, 0.16456, 0.23792, 0.00119]),
                line("dynp:quality=art,decider=simple", "requested", &[0.13731, 0.17121, 0.22147, 0.00135]),
                line("dynp:quality=art", "requested", &[0.12099, 0.18386, 0.23937, 0.00124]),
                line("dynp:quality=ms,decider=simple", "requested", &[0.09054, 0.16588, 0.22724, 0.00135]),
                line("dynp:quality=ms", "requested", &[0.10395, 0.16629, 0.22722, 0.00135]),
            ],
        ),
        block(
            Metric::reported("dynp_started_sjf"),
            PrintedQuantity::Value,
            0,
            &[
                line("dynp:decider=simple", "requested", &[2_703.0, 2_865.0, 2_553.0, 317.0]),
                line("dynp", "requested", &[6_115.0, 7_885.0, 7_550.0, 3_924.0]),
                line("dynp:quality=art,decider=simple", "requested", &[2_472.0, 2_768.0, 2_615.0, 309.0]),
                line("dynp:quality=art", "requested", &[5_860.0, 5_730.0, 6_651.0, 1_031.0]),
                line("dynp:quality=ms,decider=simple", "requested", &[130.0, 142.0, 65.0, 1.0]),
                line("dynp:quality=ms", "requested", &[551.0, 322.0, 391.0, 0.0]),
            ],
        ),
        block(
            Metric::reported("dynp_started_fcfs"),
            PrintedQuantity::Value,
            0,
            &[
                line("dynp:decider=simple", "requested", &[6_817.0, 6_854.0, 7_344.0, 9_561.0]),
                line("dynp", "requested", &[1_296.0, 1_345.0, 1_062.0, 4_206.0]),
                line("dynp:quality=art,decider=simple", "requested", &[6_418.0, 6_313.0, 7_106.0, 9_517.0]),
                line("dynp:quality=art", "requested", &[1_144.0, 1_313.0, 766.0, 4_797.0]),
                line("dynp:quality=ms,decider=simple", "requested", &[5_295.0, 5_951.0, 6_789.0, 9_570.0]),
                line("dynp:quality=ms", "requested", &[953.0, 686.0, 229.0, 3_087.0]),
            ],
        ),
        block(
            Metric::reported("dynp_started_ljf"),
            PrintedQuantity::Value,
            0,
            &[
                line("dynp:decider=simple", "requested", &[477.0, 278.0, 103.0, 121.0]),
                line("dynp", "requested", &[2_586.0, 767.0, 1_388.0, 1_869.0]),
                line("dynp:quality=art,decider=simple", "requested", &[1_107.0, 916.0, 279.0, 173.0]),
                line("dynp:quality=art", "requested", &[2_993.0, 2_954.0, 2_673.0, 4_171.0]),
                line("dynp:quality=ms,decider=simple", "requested", &[4_572.0, 3_904.0, 3_146.0, 428.0]),
                line("dynp:quality=ms", "requested", &[8_493.0, 8_989.0, 9_380.0, 6_912.0]),
            ],
        ),
    ],
};

/// A block with one line, for self-tuning dynP with ARTwW and the advanced decider.
macro_rules! of_dynp {
    ($metric:expr, $quantity:ident, $places:literal, $figures:expr) => {
        block($metric, PrintedQuantity::$quantity, $places, &[line("dynp", "requested", $figures)])
    };
}

/// DYNP Table 5.
pub(super) const TABLE_5: PrintedTable = PrintedTable {
    recipe: "dynp-table-5",
    name: "DYNP Table 5",
    caption: caption!(
        "The metrics' values, utilisation in percent; switches and what stays the same in percent of the tries."
    ),
    logs: &DYNP,
    shares: &[],
    blocks: &[
        of_dynp!(Metric::Aq, Value, 0, &[3_178.0, 6_925.0, 4_577.0, 44.0]),
        of_dynp!(Metric::Af, Value, 0, &[14_105.0, 15_989.0, 9_018.0, 6_129.0]),
        of_dynp!(Metric::Artww, Value, 0, &[21_912.0, 33_299.0, 31_493.0, 9_936.0]),
        of_dynp!(Metric::Utilisation, Percent, 2, &[75.70, 65.64, 42.49, 31.32]),
        of_dynp!(Metric::Loc, Value, 5, &[0.10911, 0.16456, 0.23792, 0.00119]),
        of_dynp!(Metric::reported("dynp_started_sjf"), Value, 0, &[6_115.0, 7_885.0, 7_550.0, 3_924.0]),
        of_dynp!(Metric::reported("dynp_started_fcfs"), Value, 0, &[1_296.0, 1_345.0, 1_062.0, 4_206.0]),
        of_dynp!(Metric::reported("dynp_started_ljf"), Value, 0, &[2_586.0, 767.0, 1_388.0, 1_869.0]),
        of_dynp!(Metric::reported("dynp_tries"), Value, 0, &[16_946.0, 18_840.0, 15_552.0, 509.0]),
        of_dynp!(Metric::reported("dynp_to_sjf"), OfTries, 2, &[4.49, 5.80, 3.61, 3.73]),
        of_dynp!(Metric::reported("dynp_to_fcfs"), OfTries, 2, &[4.59, 5.85, 3.64, 3.93]),
        of_dynp!(Metric::reported("dynp_to_ljf"), OfTries, 2, &[0.59, 0.45, 0.23, 0.98]),
        of_dynp!(Metric::reported("dynp_same_policy"), OfTries, 2, &[90.32, 87.92, 92.52, 91.36]),
        of_dynp!(Metric::reported("dynp_backlog"), Value, 2, &[22.05, 14.48, 15.04, 6.36]),
    ],
};

/// DYNP Table 6.
pub(super) const TABLE_6: PrintedTable = PrintedTable {
    recipe: "dynp-table-6",
    name: "DYNP Table 6",
    caption: caption!("How often each case of Table 1 occurred; the paper's total leaves case 10b out."),
    logs: &DYNP,
    shares: &[],
    blocks: &[
        of_dynp!(Metric::reported("dynp_tries"), Value, 0, &[16_946.0, 18_840.0, 15_552.0, 509.0]),
        of_dynp!(Metric::reported("dynp_case_1"), Value, 0, &[2_549.0, 1_693.0, 2_209.0, 271.0]),
        of_dynp!(Metric::reported("dynp_case_2_7"), Value, 0, &[1_324.0, 1_756.0, 920.0, 27.0]),
        of_dynp!(Metric::reported("dynp_case_3_9"), Value, 0, &[692.0, 1_029.0, 535.0, 15.0]),
        of_dynp!(Metric::reported("dynp_case_4b_5"), Value, 0, &[1_298.0, 403.0, 304.0, 31.0]),
        of_dynp!(Metric::reported("dynp_case_4a"), Value, 0, &[5.0, 5.0, 2.0, 1.0]),
        of_dynp!(Metric::reported("dynp_case_4c"), Value, 0, &[4.0, 3.0, 0.0, 0.0]),
        of_dynp!(Metric::reported("dynp_case_6a"), Value, 0, &[81.0, 116.0, 58.0, 8.0]),
        of_dynp!(Metric::reported("dynp_case_6b"), Value, 0, &[10_669.0, 13_664.0, 11_449.0, 150.0]),
        of_dynp!(Metric::reported("dynp_case_6c"), Value, 0, &[100.0, 81.0, 36.0, 5.0]),
        of_dynp!(Metric::reported("dynp_case_8a"), Value, 0, &[224.0, 89.0, 39.0, 1.0]),
        of_dynp!(Metric::reported("dynp_case_8b"), Value, 0, &[0.0, 1.0, 0.0, 0.0]),
        of_dynp!(Metric::reported("dynp_case_8c"), Value, 0, &[0.0, 0.0, 0.0, 0.0]),
        of_dynp!(Metric::reported("dynp_case_10a"), Value, 0, &[0.0, 0.0, 0.0, 0.0]),
        of_dynp!(Metric::reported("dynp_case_10b"), Value, 0, &[37.0, 26.0, 17.0, 1.0]),
        of_dynp!(Metric::reported("dynp_case_10c"), Value, 0, &[0.0, 0.0, 0.0, 0.0]),
        of_dynp!(Metric::reported("dynp_deciders_differ"), Value, 0, &[13_218.0, 15_357.0, 13_658.0, 421.0]),
    ],
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::printed::Figures;

    /// The printed figures of a metric for self-tuning dynP with ARTwW and the advanced decider.
    fn of(table: &PrintedTable, metric: &str) -> Vec<f64> {
        let block = table.blocks.iter().find(|block| block.metric.about().id == metric).unwrap();
        let line = block.lines.iter().find(|line| line.scheduler == "dynp").unwrap();
        let Figures::OfLogs(figures) = line.figures else { panic!("figures") };
        figures.to_vec()
    }

    #[test]
    fn the_three_tables_agree_with_each_other() {
        for metric in ["ARTwW", "utilisation", "LOC", "dynp_started_sjf", "dynp_started_fcfs", "dynp_started_ljf"] {
            assert_eq!(of(&TABLE_4, metric), of(&TABLE_5, metric), "{metric}");
        }
        assert_eq!(of(&TABLE_5, "dynp_tries"), of(&TABLE_6, "dynp_tries"));
        // The paper's total leaves out case 10b.
        let is_in_total = |id: &&str| id.contains("_case_") && *id != "dynp_case_10b";
        let cases = TABLE_6.blocks.iter().map(|block| block.metric.about().id).filter(is_in_total);
        let mut sums = [0.0; 4];
        for case in cases {
            sums.iter_mut().zip(of(&TABLE_6, case)).for_each(|(sum, count)| *sum += count);
        }
        assert_eq!(sums.to_vec(), of(&TABLE_6, "dynp_tries"));
    }

    #[test]
    fn nearly_all_of_a_set_s_jobs_start_under_some_policy() {
        for block in TABLE_4.blocks.iter().filter(|block| block.metric.about().id == "dynp_started_sjf") {
            for line in block.lines {
                let of = |id: &str| {
                    let block = TABLE_4.blocks.iter().find(|block| block.metric.about().id == id).unwrap();
                    let line = block.lines.iter().find(|other| other.scheduler == line.scheduler).unwrap();
                    let Figures::OfLogs(figures) = line.figures else { panic!("figures") };
                    figures
                };
                let policies = ["dynp_started_sjf", "dynp_started_fcfs", "dynp_started_ljf"].map(of);
                for log in 0..4 {
                    let sum: f64 = policies.iter().map(|figures| figures[log]).sum();
                    // In this one column the paper's three figures add up to more.
                    if (line.scheduler, log) == ("dynp:quality=art", 2) {
                        assert_eq!(sum, 10_090.0);
                        continue;
                    }
                    assert!((9_990.0..=10_000.0).contains(&sum), "{} on {log}: {sum}", line.scheduler);
                }
            }
        }
    }
}
