//! The arguments of `packfair explore`.

use super::read::explored_baseline;
use super::{LimitArguments, OfSearch, SettingArguments, SiteArguments};
use crate::machine::MachineArguments;
use clap::{Args, ValueEnum};
use packfair_base::expression::Template;
use packfair_engine::estimator::Estimate;
use packfair_engine::metric::Metric;
use packfair_study::Run;
use packfair_study::explore::{ExploreQuestion, KeptBound, MOST_SEARCHES, SEARCHES};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct ExploreArguments {
    /// Log to search on, in any format that packfair list names, plain or packed (gzip, zstandard, bzip2, xz, zip, tar); - reads
    /// standard input. Several logs count as one, and so do the files of a directory
    #[arg(required_unless_present = "study", value_name = "LOG")]
    pub(crate) traces: Vec<PathBuf>,
    /// Metrics to improve together, 1 to 6, by their ids (packfair list): AF,P2SF. A metric of which more is better,
    /// such as utilisation, is made as large as possible
    #[arg(long, alias = "minimize", value_name = "LIST", value_delimiter = ',', required = true)]
    minimise: Vec<Metric>,
    /// Bounds that the settings must keep: max_wait<=2d,utilisation>=70%. A time has a unit (s, min, h, d) or is in
    /// seconds. loss(user)<=10% means: for no user with 20 jobs or more does the mean wait grow by more than 10 % (and
    /// by more than a minute) against the baseline. loss also takes partition, account, queue and the other groups of
    /// packfair run --by
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    keep: Vec<KeptBound>,
    /// Number of settings to try, at most 100000
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    runs: usize,
    /// Seed of the random numbers; the same seed gives the same answer
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Share of the jobs, those submitted first, on which settings are chosen, from 0.5 to 0.8. Of the others, the first
    /// half selects one of them, and the second confirms it
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    share: f64,
    /// Number of workloads that are drawn from the jobs kept for confirmation, from 40 to 1000: a setting is recommended
    /// only if the 95 % interval from these draws says that it is better
    #[arg(long, value_name = "N", default_value_t = 40)]
    repeats: u32,
    /// Number of searches on drawn workloads that tell how often the same comes out, where something is recommended; an
    /// interruption (Ctrl-C) ends them
    #[arg(long, value_name = "N", default_value_t = SEARCHES, value_parser = clap::value_parser!(u32).range(0..=i64::from(MOST_SEARCHES)))]
    pub(crate) searches: u32,
    /// Families of schedulers to search: easy, list, conservative, pc, dc, dynp, dynp-basic, optimised, classes, slurm.
    /// The family slurm tries lines of slurm.conf, of the site of --slurm if files are given. Add multifactor to try
    /// its queue orders as well. All families but easy and list take longer; optimised and classes take far longer
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "easy,list")]
    families: Vec<String>,
    /// A queue order of your own to search as well, in which letters stand for numbers: '(wait/estimate)^a*processors^b
    /// where a=0..4, b=-1..1 by 0.5'. A range without a step has 16 steps; the letters a, b, c and d without a range go
    /// from 0 to 4. May be given up to eight times
    #[arg(long, value_name = "FORMULA")]
    formula: Vec<Template>,
    /// Estimators to try, by their ids (packfair list), perhaps with a factor: requested,last2,hierarchy*1.5
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "requested")]
    estimators: Vec<Estimate>,
    /// Factors to try with every estimator that has none of its own: 0.5,1,2 [usually 1]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    k: Vec<f64>,
    /// Baseline that the settings are compared with: a scheduler (with requested times), SCHEDULER__ESTIMATOR, or
    /// as-logged for the log's own schedule
    #[arg(long, value_name = "ID", default_value = "easy", value_parser = explored_baseline)]
    baseline: Run,
    /// File of a study, as the page saves it (JSON): the log is treated, the machine made, rules set and waits measured
    /// as there, where no option says otherwise. One that generates its workload needs no LOG
    #[arg(long, value_name = "FILE")]
    pub(crate) study: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArguments,
    #[command(flatten)]
    pub(crate) settings: SettingArguments<OfSearch>,
    #[command(flatten)]
    pub(crate) machine: MachineArguments,
    #[command(flatten)]
    pub(crate) site: SiteArguments,
    /// Form in which the findings are printed
    #[arg(long, value_enum, default_value_t = ExploreFormat::Table)]
    pub(crate) format: ExploreFormat,
    /// Print on standard error how long the search took
    #[arg(long)]
    pub(crate) timing: bool,
    /// Number of threads [usually one for each processor]. It does not change the answer
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub jobs: Option<u16>,
}

/// Form of what a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ExploreFormat {
    /// Aligned columns, with the findings in words below them
    Table,
    /// Exact numbers, a line for each setting that no other setting beats
    Csv,
    /// A JSON object with exact numbers
    Json,
}

impl ExploreArguments {
    /// The question that the arguments ask.
    pub(crate) fn question(&self) -> ExploreQuestion {
        let ks = if self.k.is_empty() { vec![1.0] } else { self.k.clone() };
        let with_factors = |estimate: &Estimate| -> Vec<Estimate> {
            let own = |k: f64| Estimate { k, ..estimate.clone() };
            if estimate.k == 1.0 { ks.iter().copied().map(own).collect() } else { vec![estimate.clone()] }
        };
        let mut question = ExploreQuestion {
            minimise: self.minimise.clone(),
            keep: self.keep.clone(),
            runs: self.runs,
            seed: self.seed,
            share: self.share,
            families: self.families.clone(),
            estimates: self.estimators.iter().flat_map(with_factors).collect(),
            baseline: self.baseline.clone(),
            repeats: self.repeats,
        };
        question.set_templates(&self.formula);
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use packfair_study::explore::SearchedLog;
    use packfair_study::{Source, Study};

    #[derive(Parser)]
    struct Alone {
        #[command(flatten)]
        arguments: ExploreArguments,
    }

    #[test]
    fn the_command_of_a_question_asks_it() {
        let question = ExploreQuestion {
            keep: ["max_wait<=2d", "utilisation>=0.7", "loss(user)<=0.1"].map(|bound| bound.parse().unwrap()).to_vec(),
            runs: 20_000,
            seed: 7,
            repeats: 60,
            share: 0.75,
            families: vec!["easy".to_owned(), "dynp".to_owned(), "multifactor".to_owned()],
            estimates: vec!["requested".parse().unwrap(), "last2*1.5".parse().unwrap()],
            baseline: Run::new("saf-easy".parse().unwrap(), "actual".parse().unwrap()),
            ..ExploreQuestion::default()
        };
        let source = Source::Trace { name: "log.swf".into(), fingerprint: packfair_workload::Fingerprint(1) };
        let on = SearchedLog::of(&Study::on(source));
        let asked = |words: &[String]| Alone::try_parse_from(words).map(|alone| alone.arguments.question());
        let command = question.command(&on).replace('\'', "");
        let words: Vec<String> = command.split(' ').skip(1).map(str::to_owned).collect();
        assert_eq!(asked(&words).unwrap(), question, "{command}");
        let mut with_formula = question;
        with_formula
            .set_templates(&["(wait/estimate)^a*max(processors,2)^b where a=0..3, b=-1..1 by 0.5".parse().unwrap()]);
        // a shell takes quoted text as one word
        let command = with_formula.command(&on);
        let (before, quoted) = command.rsplit_once(" --formula ").unwrap();
        let mut words: Vec<String> = before.replace('\'', "").split(' ').skip(1).map(str::to_owned).collect();
        words.extend(["--formula".to_owned(), quoted.trim_matches('\'').to_owned()]);
        assert_eq!(asked(&words).unwrap(), with_formula, "{command}");
        words.pop();
        words.push("(wait/estimate)^a where a=4..0".to_owned());
        assert!(asked(&words).unwrap_err().to_string().contains("from a number to one that is not less"));
    }
}
