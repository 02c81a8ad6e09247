//! The figures of CLASSIFY (2022) as printed, except for columns that the paper exchanged.

use super::logs::CLASSIFY;
use super::{Figures, MetricFigures, PrintedQuantity, PrintedTable, RunFigures, ShareLine, line_named};
use crate::metric::Metric;

/// CLASSIFY Tables 2 and 3. For five logs the last two columns of Table 3 are exchanged here: as printed, on SDSC-BLUE
/// the 0.4 % of jobs that requested little would have five times the area of the 50 % that requested much.
pub(super) const TABLES_2_3: PrintedTable = PrintedTable {
    recipe: "classify-tables-2-3",
    name: "CLASSIFY Tables 2 and 3",
    caption: "Premature jobs asked for more than the divider. For five of its seven logs the paper exchanged the last two \
              columns of Table 3; they are put right here. Its run times seem not to have been cut to the request.",
    logs: &CLASSIFY,
    blocks: &[],
    shares: &[
        ShareLine {
            name: "Divider (s)",
            places: 0,
            of: |shares| shares.divider as f64,
            figures: &[1_114.0, 2_287.0, 847.0, 229.0, 359.0, 601.0, 915.0],
        },
        ShareLine {
            name: "Small jobs, not premature (% of jobs)",
            places: 2,
            of: |shares| 100.0 * shares.jobs.expected,
            figures: &[17.11, 27.63, 15.37, 0.36, 12.02, 2.42, 3.94],
        },
        ShareLine {
            name: "Small jobs, premature (% of jobs)",
            places: 2,
            of: |shares| 100.0 * shares.jobs.premature,
            figures: &[32.89, 22.38, 34.63, 49.70, 38.01, 29.96, 46.07],
        },
        ShareLine {
            name: "Large jobs (% of work)",
            places: 2,
            of: |shares| 100.0 * shares.area.large,
            figures: &[98.37, 99.35, 99.59, 99.32, 98.33, 99.79, 99.33],
        },
        ShareLine {
            name: "Small jobs, not premature (% of work)",
            places: 2,
            of: |shares| 100.0 * shares.area.expected,
            figures: &[0.29, 0.15, 0.05, 0.11, 0.22, 0.008, 0.20],
        },
        ShareLine {
            name: "Small jobs, premature (% of work)",
            places: 2,
            of: |shares| 100.0 * shares.area.premature,
            figures: &[1.34, 0.50, 0.36, 0.57, 1.45, 0.20, 0.47],
        },
    ],
};

/// The figures of one metric in Table 5 or 6 for the paper's classifier, beside each of our readings of how it learns.
const fn classifier(quantity_of: Metric, places: usize, lines: &'static [RunFigures]) -> MetricFigures {
    MetricFigures { metric: quantity_of, quantity: PrintedQuantity::Percent, places, lines }
}

/// Lines for our three readings of when earlier jobs are known. They share the paper's figures.
macro_rules! readings {
    ($figures:expr) => {
        &[
            line_named("fcfs-ci", "requested", "the paper's forest", $figures),
            line_named("classes:known=decoupled", "requested", "the paper's forest", $figures),
            line_named("classes:known=ahead", "requested", "the paper's forest", $figures),
        ]
    };
}

/// CLASSIFY Tables 5 and 6. Precision and recall are exchanged here, except for KIT-FH2, and errors are shares of all
/// jobs: only then do the two tables agree.
pub(super) const TABLES_5_6: PrintedTable = PrintedTable {
    recipe: "classify-tables-5-6",
    name: "CLASSIFY Tables 5 and 6",
    caption: "Percent of the jobs from the second week on. The paper's two tables agree only if precision and recall are \
              exchanged and errors are shares of all jobs; so they are read here.",
    logs: &CLASSIFY,
    blocks: &[
        classifier(Metric::ClassAccuracy, 0, readings!(&[85.0, 90.0, 86.0, 80.0, 87.0, 80.0, 85.0])),
        classifier(Metric::ClassPrecision, 0, readings!(&[86.0, 89.0, 90.0, 83.0, 91.0, 90.0, 87.0])),
        classifier(Metric::ClassRecall, 0, readings!(&[82.0, 87.0, 79.0, 78.0, 89.0, 77.0, 83.0])),
        classifier(Metric::FalseLarge, 2, readings!(&[8.16, 7.59, 9.27, 11.29, 7.20, 14.2, 8.43])),
        classifier(Metric::FalseSmall, 2, readings!(&[6.29, 5.05, 4.03, 8.52, 5.85, 5.01, 6.36])),
    ],
    shares: &[],
};

/// A figure that the paper does not print.
const NONE: f64 = f64::NAN;

/// A line of Table 7: the improvement over EASY with requested times.
const fn improved(scheduler: &'static str, name: &'static str, figures: &'static [f64]) -> RunFigures {
    RunFigures { against: Some("easy"), ..line_named(scheduler, "requested", name, figures) }
}

const FCFS_CI: &[f64] = &[79.0, NONE, 50.0, 63.0, 66.0, NONE, NONE];
const SPF_CI: &[f64] = &[85.0, NONE, 59.0, 74.0, 75.0, NONE, NONE];
const GAUSSIER: &[f64] = &[59.0, NONE, 44.0, 5.0, 15.0, NONE, NONE];
const EASY_PLUS_PLUS: &[f64] = &[1.0, NONE, 23.0, 38.0, 32.0, NONE, NONE];

/// CLASSIFY Table 7. There the column of Gaussier et al., who learn run times, is in brackets: those authors measured
/// it themselves, by EASY-SJBF with the estimator that METRICS calls CVH.
pub(super) const TABLE_7: PrintedTable = PrintedTable {
    recipe: "classify-table-7",
    name: "CLASSIFY Table 7",
    caption: "Improvement of the average bounded slowdown over EASY with requested times, percent.",
    logs: &CLASSIFY,
    blocks: &[MetricFigures {
        metric: Metric::Bsld,
        quantity: PrintedQuantity::Improvement,
        places: 0,
        lines: &[
            RunFigures { estimate: "last2", ..improved("easy-sjbf", "EASY++", EASY_PLUS_PLUS) },
            RunFigures { estimate: "cvh", ..improved("easy-sjbf", "Gaussier et al.", GAUSSIER) },
            improved("fcfs-ci", "FCFS-CI", FCFS_CI),
            improved("spf-ci", "SPF-CI", SPF_CI),
            improved("classes:known=ahead", "FCFS-CI", FCFS_CI),
            improved("classes:policy=sjf,known=ahead", "SPF-CI", SPF_CI),
        ],
    }],
    shares: &[],
};

/// A line for a policy with classes, compared with the policy without. The paper gives the range in which all of its
/// logs lie.
const fn between(
    scheduler: &'static str,
    name: &'static str,
    against: &'static str,
    low: f64,
    high: f64,
) -> RunFigures {
    RunFigures {
        scheduler,
        estimate: "requested",
        name: Some(name),
        against: Some(against),
        figures: Figures::Between(low, high),
        read_off: None,
    }
}

/// What CLASSIFY §6.1 says about Fig. 6.
pub(super) const FIGS_6_8: PrintedTable = PrintedTable {
    recipe: "classify-figs-6-8",
    name: "CLASSIFY §6.1 on Fig. 6",
    caption: "Improvement of the average bounded slowdown over the same policy without classes, percent: the paper says \
              what all of its seven logs lie between.",
    logs: &CLASSIFY,
    blocks: &[MetricFigures {
        metric: Metric::Bsld,
        quantity: PrintedQuantity::Improvement,
        places: 0,
        lines: &[
            between("fcfs-ci", "FCFS-CI", "easy", 33.0, 79.0),
            between("spf-ci", "SPF-CI", "easy:initial=sjf,backfill=sjf", 3.0, 32.0),
            between("saf-ci", "SAF-CI", "saf-easy", 10.0, 51.0),
        ],
    }],
    shares: &[],
};

/// A line for the safeguard's kills.
const fn killed(scheduler: &'static str, name: &'static str) -> RunFigures {
    RunFigures { against: None, ..between(scheduler, name, "", 2.0, 4.0) }
}

/// What CLASSIFY §6.4 and §6.5 say about Fig. 9.
pub(super) const FIG_9: PrintedTable = PrintedTable {
    recipe: "classify-fig-9",
    name: "CLASSIFY §6.4 and §6.5 on Fig. 9",
    caption: "BSLD: improvement over the same policy without classes, percent. Jobs killed: percent of all jobs; the paper \
              says 2 to 4 % at most, though its Table 6 has 4.0 to 8.5 % false small ones.",
    logs: &CLASSIFY,
    blocks: &[
        MetricFigures {
            metric: Metric::Bsld,
            quantity: PrintedQuantity::Improvement,
            places: 0,
            lines: &[RunFigures {
                against: Some("easy:initial=sjf,backfill=sjf"),
                ..line_named(
                    "classes:policy=sjf,by=clairvoyant",
                    "requested",
                    "class-clairvoyant SPF",
                    &[NONE, NONE, 13.0, NONE, 10.0, NONE, NONE],
                )
            }],
        },
        MetricFigures {
            metric: Metric::JobsKilled,
            quantity: PrintedQuantity::OfJobs,
            places: 1,
            lines: &[
                killed("fcfs-ci", "FCFS-CI"),
                killed("wfp-ci", "WFP-CI"),
                killed("spf-ci", "SPF-CI"),
                killed("saf-ci", "SAF-CI"),
            ],
        },
    ],
    shares: &[],
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_tables_of_errors_agree_as_they_are_read_here() {
        for (place, log) in CLASSIFY.iter().enumerate() {
            let value = |block: usize| {
                let Figures::OfLogs(figures) = TABLES_5_6.blocks[block].lines[0].figures else { panic!("figures") };
                figures[place]
            };
            let errors = value(3) + value(4);
            // The figures of HPC2N agree only nearly.
            let most = if log.name == "HPC2N" { 3.0 } else { 1.0 };
            assert!((100.0 - errors - value(0)).abs() <= most, "{}", log.name);
        }
    }

    #[test]
    fn shares_of_the_work_add_up() {
        for (place, log) in CLASSIFY.iter().enumerate() {
            let sum: f64 = TABLES_2_3.shares[3..].iter().map(|line| line.figures[place]).sum();
            assert!((sum - 100.0).abs() < 0.02, "{}: {sum}", log.name);
        }
    }
}
