//! Recipes of DYNP.
//!
//! Its job sets are random and lost. They were made from four logs, in the way of the page's "Make one like this". The
//! recipes run on the study's log, or on jobs made from it, whichever the study has. Which figures come out as printed
//! was found with sets of 10,000 jobs, made from KTH-SP2 with the paper's alpha, beta and p0.

use super::Recipe;
use crate::estimator::Method;
use crate::metric::{Counted, Metric};
use crate::model::NoteId;
use crate::scheduler::dynp::{Case, notes};
use crate::study::{Baseline, Study, presets};
use crate::workload::like::OF_DYNP;

/// DYNP Table 4.
pub(super) const TABLE_4: Recipe = Recipe::plain(
    "dynp-table-4",
    "DYNP Table 4",
    "self-tuning dynP with each quality and decider, shrinking factor 1. As printed (on 40 sets made from KTH-SP2): which \
     policies the advanced decider takes with each quality (ARTwW: 77 % of the jobs start under SJF, 18 % FCFS, 5 % LJF; \
     paper 79, 13, 8), and that MS is the worst of the three. Not: that the simple decider is much worse. The paper's \
     ties go to FCFS far too often (see Table 6); here the two are level, and with MS the simple one is better",
    "DYNP §5.2, Table 4",
    |study| {
        prepare(study);
        study.schedulers = self_tuning();
        study.set_shrinks(&[1.0]);
        study.columns = vec![Metric::Artww, Metric::Utilisation, Metric::Loc];
        study.columns.extend(of_policies(notes::STARTED));
    },
);

/// DYNP Table 5.
pub(super) const TABLE_5: Recipe = Recipe::plain(
    "dynp-table-5",
    "DYNP Table 5",
    "self-tuning dynP with ARTwW and the advanced decider: waits, response times, jobs started under each policy, tries, \
     switches, backlog. As printed in kind (on 40 sets made from KTH-SP2): starts, ART 17,600 s (paper 15,989), ARTwW \
     32,400 s (33,299), backlog 13.9 (14.5), tries 15,700 (18,840). Not: the share of tries that switch, 3 % here and \
     12 % in the paper (see Table 6)",
    "DYNP §5.2, Table 5",
    |study| {
        prepare(study);
        study.schedulers = presets(&["dynp"]);
        study.set_shrinks(&[1.0]);
        study.columns = vec![Metric::Aq, Metric::Af, Metric::Artww, Metric::Utilisation, Metric::Loc];
        study.columns.extend(of_policies(notes::STARTED));
        study.columns.extend(Metric::of_note(notes::TRIES, ""));
        study.columns.extend(of_policies(notes::SWITCHES));
        study.columns.extend([notes::SAME_POLICY, notes::BACKLOG].iter().filter_map(|&note| Metric::of_note(note, "")));
    },
);

/// DYNP Table 6.
pub(super) const TABLE_6: Recipe = Recipe::plain(
    "dynp-table-6",
    "DYNP Table 6",
    "how often each case of Table 1 occurred, with ARTwW and the advanced decider. Does not come out as printed: case 6b, \
     72 % in the paper, is 4 % here, and 2&7 75 % instead of 9 %. Among a dozen waiting jobs FCFS and SJF plans are \
     hardly ever exactly equal; the paper's FCFS plans most likely kept the order of the last SJF sort. Its text is \
     followed in the first row, that order in the second, and in the third as long as FCFS is not in force, which comes \
     nearest. 8b and 10a almost never occur, as printed",
    "DYNP §5.2, Table 6",
    |study| {
        prepare(study);
        study.schedulers = presets(&["dynp", "dynp:fcfs=left", "dynp:fcfs=resorted"]);
        study.set_shrinks(&[1.0]);
        study.columns = Metric::of_note(notes::TRIES, "").into_iter().collect();
        study.columns.extend(Case::ALL.iter().filter_map(|case| Metric::of_note(notes::CASES, case.id())));
        study.columns.extend(Metric::of_note(notes::DIFFERING, ""));
    },
);

/// DYNP Figs 2 and 3.
pub(super) const FIGS_2_3: Recipe = Recipe::plain(
    "dynp-figs-2-3",
    "DYNP Figs 2, 3",
    "ARTwW and SLDwW (60 s) of self-tuning dynP with each quality and decider against the load, with the shrinking \
     factors of the log that it is (others: 1 to 0.6). As printed: MS is the worst quality. Not: the distance of the two \
     deciders, which are level here. Charts against the load are under Charts",
    "DYNP §5.2, Figs 2, 3",
    |study| {
        prepare(study);
        study.schedulers = self_tuning();
        swept(study, vec![Metric::Artww, Metric::Sldww]);
    },
);

/// DYNP Figs 4, 5 and 8.
pub(super) const FIGS_4_5_8: Recipe = Recipe::plain(
    "dynp-figs-4-5-8",
    "DYNP Figs 4, 5, 8",
    "ARTwW, SLDwW (60 s) and utilisation of dynP, basic dynP, FCFS, SJF and LJF against the load, with the shrinking \
     factors of the log that it is (others: 1 to 0.6). As printed: of the single policies SJF has the least ARTwW and LJF \
     the highest utilisation, and basic dynP with the old bounds is bad. Not: dynP is as good as SJF here",
    "DYNP §5.2, Figs 4, 5, 8",
    |study| {
        prepare(study);
        study.schedulers = single_and_tuned(true);
        swept(study, vec![Metric::Artww, Metric::Sldww, Metric::Utilisation]);
    },
);

/// DYNP Fig. 6.
pub(super) const FIG_6: Recipe = Recipe::plain(
    "dynp-fig-6",
    "DYNP Fig. 6",
    "ARTwW of dynP, FCFS, SJF and LJF against the load where run times are known. As printed: the curves of Fig. 4 lie \
     lower, the more so the higher the load; but that of LJF lies higher under load",
    "DYNP §5.2, Fig. 6",
    |study| {
        prepare(study);
        study.schedulers = single_and_tuned(false);
        swept(study, vec![Metric::Artww]);
        study.methods = vec![Method::actual()];
    },
);

/// DYNP Fig. 7.
pub(super) const FIG_7: Recipe = Recipe::plain(
    "dynp-fig-7",
    "DYNP Fig. 7",
    "SLDwW with a bound of 300 s of dynP, basic dynP, FCFS, SJF and LJF against the load: the ranking is that of Fig. 5, \
     the values are smaller",
    "DYNP §5.2, Fig. 7",
    |study| {
        prepare(study);
        study.schedulers = single_and_tuned(true);
        swept(study, vec![Metric::Sldww]);
        study.measure.sldww_bound = 300.0;
    },
);

/// The shrinking factors of DYNP's figures, in twentieths: the log, the largest factor, and the smallest.
const FACTORS: [(&str, u32, u32); 4] = [("CTC", 20, 13), ("KTH", 20, 12), ("PC2", 16, 8), ("SDSC", 12, 6)];

/// Self-tuning dynP with each quality and each decider, as in the columns of Table 4.
fn self_tuning() -> Vec<crate::scheduler::Policy> {
    presets(&[
        "dynp:decider=simple",
        "dynp",
        "dynp:quality=art,decider=simple",
        "dynp:quality=art",
        "dynp:quality=ms,decider=simple",
        "dynp:quality=ms",
    ])
}

/// DynP, its three policies by themselves, and, where wanted, basic dynP.
fn single_and_tuned(with_basic: bool) -> Vec<crate::scheduler::Policy> {
    let ids = ["dynp", "justbf", "sjf-justbf", "list:order=ljf", "dynp-basic"];
    presets(if with_basic { &ids } else { &ids[..4] })
}

/// Varies the load, and shows these columns.
fn swept(study: &mut Study, columns: Vec<Metric>) {
    study.set_shrinks(&factors(study));
    study.columns = columns;
}

/// The factors of the study's log, or of the log whose law its jobs are made by; those of KTH for any other log.
fn factors(study: &Study) -> Vec<f64> {
    let name = study.source.name().to_uppercase();
    let arrivals = study.treatment.like.map(|like| like.arrivals);
    let is_law_of = |log: &str| {
        OF_DYNP.iter().any(|(of, law, _)| {
            of.contains(log) && arrivals.is_some_and(|a| (a.alpha, a.beta) == (Some(law.alpha), Some(law.beta)))
        })
    };
    let by_law = FACTORS.iter().find(|(log, ..)| is_law_of(log));
    let found = by_law.or_else(|| FACTORS.iter().find(|(log, ..)| name.contains(log)));
    let &(_, largest, smallest) = found.unwrap_or(&FACTORS[1]);
    (smallest..=largest).rev().map(|twentieths| f64::from(twentieths) / 20.0).collect()
}

/// The metrics of a note, one for each of the paper's policies.
fn of_policies(note: NoteId) -> impl Iterator<Item = Metric> {
    ["sjf", "fcfs", "ljf"].into_iter().filter_map(move |policy| Metric::of_note(note, policy))
}

/// What all recipes have in common: requested times, every job counts, and values are not compared.
fn prepare(study: &mut Study) {
    study.methods = vec![Method::requested()];
    study.measure.counted = Counted::All;
    study.baseline = Baseline::None;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Source;
    use crate::workload::Fingerprint;
    use crate::workload::like::{Arrivals, Likeness};

    fn study_on(name: &str) -> Study {
        Study::on(Source::Trace { name: name.to_owned(), fingerprint: Fingerprint(1) })
    }

    #[test]
    fn each_log_has_its_own_factors() {
        let mut study = study_on("CTC-SP2.swf.gz");
        FIGS_4_5_8.apply(&mut study);
        assert_eq!(study.all_shrinks(), [1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65]);
        assert_eq!(study.runs().len(), 5 * 8);
        FIG_6.apply(&mut study);
        assert_eq!(study.runs().len(), 4 * 8);
        let ends = |name: &str| {
            let factors = factors(&study_on(name));
            (factors[0], factors[factors.len() - 1])
        };
        assert_eq!([ends("kth-sp2.swf"), ends("mine.swf"), ends("SDSC-BLUE")], [(1.0, 0.6), (1.0, 0.6), (0.6, 0.3)]);
        // Jobs made by the law of another log.
        let (_, law, p0) = OF_DYNP.iter().find(|(log, ..)| log.contains("PC2")).expect("it has a row in Table 2");
        let arrivals = Arrivals { alpha: Some(law.alpha), beta: Some(law.beta), p0: Some(*p0) };
        let mut study = study_on("kth-sp2.swf");
        study.treatment.like = Some(Likeness { jobs: 10_000, seed: 1, arrivals });
        assert_eq!(factors(&study)[0], 0.8);
    }

    #[test]
    fn the_tables_have_the_paper_s_rows() {
        let ids = |recipe: Recipe| {
            let mut study = study_on("KTH-SP2");
            study.shrinks = vec![0.5];
            recipe.apply(&mut study);
            assert_eq!(study.all_shrinks(), [1.0]);
            study.columns.iter().map(|metric| metric.about().id).collect::<Vec<_>>()
        };
        assert_eq!(
            ids(TABLE_4),
            ["ARTwW", "utilisation", "LOC", "dynp_started_sjf", "dynp_started_fcfs", "dynp_started_ljf"]
        );
        let five = ids(TABLE_5);
        assert_eq!((five.len(), five[8], five[12], five[13]), (14, "dynp_tries", "dynp_same_policy", "dynp_backlog"));
        assert_eq!(ids(TABLE_6).len(), 17, "tries, 15 cases, and where the deciders differ");
    }
}
