//! Recipes of CP.

use super::Recipe;
use crate::catalogue::Entry;
use crate::estimator::Method;
use crate::metric::Metric;
use crate::model::NoteId;
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

/// CP Fig. 2.
pub(super) const CP_FIG_2: Recipe = Recipe::plain(
    "cp-fig-2",
    "CP Fig. 2",
    "AWF of List-LAF, of rounds planned for it (CP-AWF), and of the whole log planned at once (CP-OFF-AWF), run times \
     known. As printed (on KTH-SP2): List-LAF is at 94 % of JustBF, CP-AWF at 90 %, and off-line is level with it",
    "CP §5.1, Fig. 2",
    |study| bars(study, &["off-awf", "opt-awf", "laf-justbf", "justbf"], &[Metric::Awf]),
);

/// CP Fig. 3.
pub(super) const CP_FIG_3: Recipe = Recipe::plain(
    "cp-fig-3",
    "CP Fig. 3",
    "BSLD of lists, of rounds planned for it (CP-BSLD from one order, CP-BSLD+ from the lists), and of the whole log planned \
     at once (CP-OFF-BSLD), run times known. As printed (on KTH-SP2): List-SPF is ahead of CP-BSLD and CP-BSLD+, and off-line \
     is an order of magnitude below, at 2.4 % of JustBF; its long jobs wait for the end of the log",
    "CP §5.2, Fig. 3",
    |study| {
        let planned = "optimised:objective=bsld,lists=off";
        bars(
            study,
            &["off-bsld", "opt-bsld", planned, "spf-justbf", "saf-justbf", "sjf-justbf", "justbf"],
            &[Metric::Bsld],
        );
    },
);

/// CP Fig. 4.
pub(super) const CP_FIG_4: Recipe = Recipe::plain(
    "cp-fig-4",
    "CP Fig. 4",
    "AF, and AWF, of lists, of rounds planned for AF (CP-AF), and of the whole log planned at once (CP-OFF-AF), run times \
     known. As printed (on KTH-SP2): CP-AF keeps packing better than the lists do, and off-line, at 73 % of JustBF, is near \
     its 76 %",
    "CP §5.3, Fig. 4",
    |study| {
        bars(study, &["off-af", "opt-af", "saf-justbf", "sjf-justbf", "justbf"], &[Metric::Af, Metric::Awf]);
    },
);

/// CP Fig. 6.
pub(super) const CP_FIG_6: Recipe = Recipe::plain(
    "cp-fig-6",
    "CP Fig. 6",
    "P²SF of rounds planned for it (CP-P²SF from one order, CP-P²SF+ from the lists) and of the whole log planned at once \
     (CP-OFF-P²SF), run times known. As printed (on KTH-SP2): planning is ahead of JustBF. Not: that it is behind on other \
     logs; here it is ahead on CTC-SP2 and SDSC-BLUE too. Off-line comes to 82 %",
    "CP §5.4, Fig. 6",
    |study| {
        let planned = "optimised:objective=p2sf,lists=off";
        bars(study, &["off-p2sf", "opt-p2sf", "opt-p2sf-sum", planned, "justbf"], &[Metric::P2sf]);
    },
);

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

/// Schedulers beside each other, with run times known, and with the bounds of off-line schedules.
fn bars(study: &mut Study, schedulers: &[&str], metrics: &[Metric]) {
    study.schedulers = presets(schedulers);
    study.methods = vec![Method::actual()];
    study.columns = metrics.to_vec();
    study.columns.extend(Metric::of_note(NoteId::LOWER_BOUND, ""));
}

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
        "opt-bsld-area",
        "opt-af",
        "opt-af-area",
        "opt-awf",
        "opt-awf-age",
        "opt-awf-fade",
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
