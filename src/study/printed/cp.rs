//! The figures of CP (Goponenko et al., 2024) as printed in its Table 2. The left half of that table has the bars of
//! Figs 2, 3, 4 and 6.

use super::logs::LOGS;
use super::{MetricFigures, PrintedQuantity, PrintedTable, RunFigures, line_named};
use crate::metric::Metric;

/// A figure that has lost a digit in our copy of the paper.
const UNREADABLE: f64 = f64::NAN;

/// A line whose figure for SDSC-SP2 cannot be read; `percent` is our own result on the archive's log.
const fn ours_on_sdsc_sp2(line: RunFigures, percent: f64) -> RunFigures {
    RunFigures { read_off: Some(("SDSC-SP2", percent)), ..line }
}

/// CP Table 2: percent of JustBF (List-REG) with the same estimates. The results of the paper's constraint solver stand
/// beside our searches for the same objective, and beside one search that serves the objective better.
pub(super) const TABLE_2: PrintedTable = PrintedTable {
    recipe: "cp-table-2",
    name: "CP Table 2",
    caption: "Percent of JustBF with the same estimates.",
    logs: &LOGS,
    shares: &[],
    blocks: &[
        MetricFigures {
            quantity: PrintedQuantity::OfBaseline,
            places: 0,
            metric: Metric::Bsld,
            lines: &[
                line_named("opt-bsld", "actual", "CP-BSLD", &[32.0, 18.0, 27.0, 15.0, 23.0, 8.0]),
                line_named("opt-bsld", "requested", "CP-BSLD", &[38.0, UNREADABLE, 45.0, 25.0, 6.0, UNREADABLE]),
                line_named("opt-bsld-af", "actual", "CP-BSLD", &[32.0, 18.0, 27.0, 15.0, 23.0, 8.0]),
                line_named("opt-bsld-area", "actual", "CP-BSLD", &[32.0, 18.0, 27.0, 15.0, 23.0, 8.0]),
                line_named("opt-bsld-af", "requested", "CP-BSLD", &[38.0, UNREADABLE, 45.0, 25.0, 6.0, UNREADABLE]),
                line_named("opt-bsld-area", "requested", "CP-BSLD", &[38.0, UNREADABLE, 45.0, 25.0, 6.0, UNREADABLE]),
                ours_on_sdsc_sp2(
                    line_named("spf-justbf", "actual", "List-SPF", &[29.0, 15.0, UNREADABLE, 13.0, 16.0, 8.0]),
                    24.0,
                ),
                line_named("spf-justbf", "requested", "List-SPF", &[43.0, 57.0, 97.0, 82.0, 8.0, 33.0]),
                line_named("saf-justbf", "actual", "List-SAF", &[31.0, 17.0, 23.0, 12.0, 16.0, 8.0]),
                line_named("saf-justbf", "requested", "List-SAF", &[44.0, 58.0, 109.0, 98.0, 7.0, UNREADABLE]),
                line_named("sjf-justbf", "actual", "List-SJF", &[33.0, 17.0, 27.0, 15.0, 23.0, 9.0]),
                line_named("sjf-justbf", "requested", "List-SJF", &[44.0, 43.0, 77.0, 43.0, 28.0, 33.0]),
                line_named("easy", "actual", "EASY", &[107.0, 129.0, 106.0, 77.0, 125.0, 177.0]),
                line_named("easy", "requested", "EASY", &[91.0, 76.0, 86.0, 69.0, 19.0, 59.0]),
            ],
        },
        MetricFigures {
            quantity: PrintedQuantity::OfBaseline,
            places: 0,
            metric: Metric::Af,
            lines: &[
                line_named("opt-af", "actual", "CP-AF", &[76.0, 54.0, 70.0, 48.0, 78.0, 53.0]),
                line_named("opt-af", "requested", "CP-AF", &[74.0, 49.0, 91.0, 52.0, 71.0, 47.0]),
                line_named("opt-af-area", "actual", "CP-AF", &[76.0, 54.0, 70.0, 48.0, 78.0, 53.0]),
                line_named("opt-af-area", "requested", "CP-AF", &[74.0, 49.0, 91.0, 52.0, 71.0, 47.0]),
                ours_on_sdsc_sp2(
                    line_named("saf-justbf", "actual", "List-SAF", &[83.0, 67.0, UNREADABLE, 62.0, 79.0, 53.0]),
                    172.0,
                ),
                line_named("saf-justbf", "requested", "List-SAF", &[94.0, 86.0, 240.0, 89.0, 72.0, 47.0]),
                line_named("sjf-justbf", "actual", "List-SJF", &[82.0, 77.0, 114.0, 56.0, 83.0, 62.0]),
                line_named("sjf-justbf", "requested", "List-SJF", &[81.0, 67.0, 149.0, 69.0, 81.0, 74.0]),
                ours_on_sdsc_sp2(
                    line_named("easy", "actual", "EASY", &[96.0, 90.0, UNREADABLE, 87.0, 93.0, 87.0]),
                    96.0,
                ),
                line_named("easy", "requested", "EASY", &[93.0, 76.0, 88.0, 85.0, 80.0, UNREADABLE]),
            ],
        },
        MetricFigures {
            quantity: PrintedQuantity::OfBaseline,
            places: 0,
            metric: Metric::Awf,
            lines: &[
                line_named("opt-awf", "actual", "CP-AWF", &[UNREADABLE, 86.0, 78.0, 89.0, 97.0, 98.0]),
                line_named("opt-awf", "requested", "CP-AWF", &[91.0, 81.0, 73.0, 87.0, 95.0, UNREADABLE]),
                line_named("opt-awf-age", "actual", "CP-AWF", &[UNREADABLE, 86.0, 78.0, 89.0, 97.0, 98.0]),
                line_named("opt-awf-fade", "actual", "CP-AWF", &[UNREADABLE, 86.0, 78.0, 89.0, 97.0, 98.0]),
                line_named("opt-awf-age", "requested", "CP-AWF", &[91.0, 81.0, 73.0, 87.0, 95.0, UNREADABLE]),
                line_named("opt-awf-fade", "requested", "CP-AWF", &[91.0, 81.0, 73.0, 87.0, 95.0, UNREADABLE]),
                line_named("laf-justbf", "actual", "List-LAF", &[94.0, 94.0, 83.0, 92.0, 100.0, 98.0]),
                line_named("laf-justbf", "requested", "List-LAF", &[94.0, 94.0, 75.0, 91.0, 98.0, 99.0]),
                line_named("easy", "actual", "EASY", &[101.0, 101.0, 100.0, 100.0, 100.0, 100.0]),
                line_named("easy", "requested", "EASY", &[101.0, UNREADABLE, 94.0, 100.0, 99.0, 102.0]),
            ],
        },
        MetricFigures {
            quantity: PrintedQuantity::OfBaseline,
            places: 0,
            metric: Metric::P2sf,
            lines: &[
                line_named("opt-p2sf", "actual", "CP-P²SF", &[92.0, 138.0, 151.0, 125.0, 107.0, 103.0]),
                line_named("opt-p2sf", "requested", "CP-P²SF", &[94.0, 130.0, 122.0, 130.0, 110.0, UNREADABLE]),
                line_named("opt-p2sf-sum", "actual", "CP-P²SF", &[92.0, 138.0, 151.0, 125.0, 107.0, 103.0]),
                line_named("opt-p2sf-sum", "requested", "CP-P²SF", &[94.0, 130.0, 122.0, 130.0, 110.0, UNREADABLE]),
                line_named("justbf", "actual", "List-REG", &[100.0, 100.0, 100.0, 100.0, 100.0, 100.0]),
                line_named("justbf", "requested", "List-REG", &[100.0, 100.0, 100.0, 100.0, 100.0, 100.0]),
                line_named("easy", "actual", "EASY", &[104.0, 106.0, 109.0, 104.0, 101.0, 101.0]),
                line_named("easy", "requested", "EASY", &[106.0, 100.0, 99.0, 110.0, 102.0, 104.0]),
            ],
        },
    ],
};

/// The caption of the figures.
const IN_TABLE_2: &str = "Percent of JustBF, run times known; from Table 2, whose left half has the figure's bars.";

/// A block of figures in percent of JustBF.
const fn known(metric: Metric, lines: &'static [RunFigures]) -> MetricFigures {
    MetricFigures { quantity: PrintedQuantity::OfBaseline, places: 0, metric, lines }
}

/// A figure whose values the paper prints in Table 2.
const fn figure(recipe: &'static str, name: &'static str, blocks: &'static [MetricFigures]) -> PrintedTable {
    PrintedTable { recipe, name, caption: IN_TABLE_2, logs: &LOGS, shares: &[], blocks }
}

/// CP Fig. 2: percent of JustBF (List-REG), run times known. The paper draws off-line schedules too, but does not print
/// their values.
pub(super) const FIG_2: PrintedTable = figure(
    "cp-fig-2",
    "CP Fig. 2",
    &[known(
        Metric::Awf,
        &[
            line_named("opt-awf", "actual", "CP-AWF", &[UNREADABLE, 86.0, 78.0, 89.0, 97.0, 98.0]),
            line_named("laf-justbf", "actual", "List-LAF", &[94.0, 94.0, 83.0, 92.0, 100.0, 98.0]),
        ],
    )],
);

/// CP Fig. 3: percent of JustBF (List-REG), run times known. The paper draws off-line schedules too, but does not print
/// their values.
pub(super) const FIG_3: PrintedTable = figure(
    "cp-fig-3",
    "CP Fig. 3",
    &[known(
        Metric::Bsld,
        &[
            line_named("optimised:objective=bsld,lists=off", "actual", "CP-BSLD", &[32.0, 18.0, 27.0, 15.0, 23.0, 8.0]),
            ours_on_sdsc_sp2(
                line_named("spf-justbf", "actual", "List-SPF", &[29.0, 15.0, UNREADABLE, 13.0, 16.0, 8.0]),
                24.0,
            ),
            line_named("saf-justbf", "actual", "List-SAF", &[31.0, 17.0, 23.0, 12.0, 16.0, 8.0]),
            line_named("sjf-justbf", "actual", "List-SJF", &[33.0, 17.0, 27.0, 15.0, 23.0, 9.0]),
        ],
    )],
);

/// CP Fig. 4: percent of JustBF (List-REG), run times known. The paper draws off-line schedules too, but does not print
/// their values.
pub(super) const FIG_4: PrintedTable = figure(
    "cp-fig-4",
    "CP Fig. 4",
    &[known(
        Metric::Af,
        &[
            line_named("opt-af", "actual", "CP-AF", &[76.0, 54.0, 70.0, 48.0, 78.0, 53.0]),
            ours_on_sdsc_sp2(
                line_named("saf-justbf", "actual", "List-SAF", &[83.0, 67.0, UNREADABLE, 62.0, 79.0, 53.0]),
                172.0,
            ),
            line_named("sjf-justbf", "actual", "List-SJF", &[82.0, 77.0, 114.0, 56.0, 83.0, 62.0]),
        ],
    )],
);

/// CP Fig. 6: percent of JustBF (List-REG), run times known. The paper draws off-line schedules too, but does not print
/// their values.
pub(super) const FIG_6: PrintedTable = figure(
    "cp-fig-6",
    "CP Fig. 6",
    &[known(
        Metric::P2sf,
        &[line_named(
            "optimised:objective=p2sf,lists=off",
            "actual",
            "CP-P²SF",
            &[92.0, 138.0, 151.0, 125.0, 107.0, 103.0],
        )],
    )],
);
