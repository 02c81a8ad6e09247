//! Recipes of CP.

use super::Recipe;
use crate::catalogue::Entry;
use crate::estimator::Method;
use crate::metric::Metric;
use crate::study::{Study, presets};

/// CP Table 2.
pub(super) const CP_TABLE_2: Recipe = Recipe {
    entry: Entry {
        id: "cp-table-2",
        name: "CP Table 2",
        help: "list schedulers, EASY, and rounds planned for each metric in place of the paper's constraint solver, with \
               actual and requested times, as changes to JustBF (List-REG)",
        source: "CP §5, Table 2",
        parameters: &[],
    },
    change: table_2,
};

/// CP Fig. 5.
pub(super) const CP_FIG_5: Recipe = Recipe {
    entry: Entry {
        id: "cp-fig-5",
        name: "CP Fig. 5",
        help: "how the queue grows: SAF-JustBF (List-SAF) and rounds planned for the average response time (CP-AF), run \
               times known. The chart Queue has it; the paper's log is SDSC-SP2",
        source: "CP §5.3, Fig. 5",
        parameters: &[],
    },
    change: fig_5,
};

/// CP Fig. 7.
pub(super) const CP_FIG_7: Recipe = Recipe {
    entry: Entry {
        id: "cp-fig-7",
        name: "CP Fig. 7",
        help: "how many jobs a round has to plan: rounds planned for P²SF (CP-P²SF), beside JustBF and EASY, run times \
               known. The chart Queue lengths has it",
        source: "CP §5.4, Fig. 7",
        parameters: &[],
    },
    change: fig_7,
};

fn table_2(study: &mut Study) {
    study.schedulers = presets(&[
        "justbf",
        "spf-justbf",
        "saf-justbf",
        "sjf-justbf",
        "laf-justbf",
        "easy",
        "opt-bsld",
        "opt-bsld-af",
        "opt-af",
        "opt-af-area",
        "opt-awf",
        "opt-awf-age",
        "opt-p2sf",
        "opt-p2sf-sum",
        "opt-balanced",
    ]);
    study.methods = vec![Method::actual(), Method::requested()];
}

fn fig_5(study: &mut Study) {
    study.schedulers = presets(&["justbf", "saf-justbf", "opt-af"]);
    study.methods = vec![Method::actual()];
    study.columns = vec![Metric::Af, Metric::Awf, Metric::Utilisation, Metric::MaxWait];
}

fn fig_7(study: &mut Study) {
    study.schedulers = presets(&["justbf", "easy", "opt-p2sf"]);
    study.methods = vec![Method::actual()];
    study.columns = vec![Metric::P2sf, Metric::Af, Metric::MaxWait];
}
