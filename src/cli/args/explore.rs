//! The arguments of `packfair explore`.

use super::read::explored_baseline;
use super::{LimitArguments, OfSearch, SettingArguments, SiteArguments};
use crate::cli::machine::MachineArguments;
use crate::estimator::Estimate;
use crate::explore::{ExploreQuestion, KeptBound};
use crate::expression::Template;
use crate::metric::Metric;
use crate::study::Run;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(in crate::cli) struct ExploreArguments {
    /// Log in any format that is read (packfair list), plain or packed; - for standard input. Several count as one, and
    /// so do the files of a directory
    #[arg(required = true, value_name = "LOG")]
    pub(in crate::cli) traces: Vec<PathBuf>,
    /// Metrics, by their ids (packfair list), that are to be as good as can be, all of them: AF,P2SF
    #[arg(long, alias = "minimize", value_name = "LIST", value_delimiter = ',', required = true)]
    minimise: Vec<Metric>,
    /// Bounds that settings must keep: max_wait<=2d,utilisation>=70% (with units s, min, h, d of times);
    /// loss(user)<=10%: no user with 20 jobs or more waits 10 % longer on average than under the baseline, and so for
    /// partition, account, queue and other groups of --groups
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    keep: Vec<KeptBound>,
    /// How many settings to try
    #[arg(long, value_name = "N", default_value_t = 1_000)]
    runs: usize,
    /// Seed of the random numbers: the same one comes to the same answer
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Share of the jobs, those submitted first, on which settings are chosen; they are judged on the rest
    #[arg(long, value_name = "SHARE", default_value_t = 0.6)]
    share: f64,
    /// Families of schedulers to look through: easy, list, conservative, pc, dc, dynp, dynp-basic, optimised, classes,
    /// slurm (of which lines of slurm.conf are tried, of the site of --slurm where files are given); and multifactor,
    /// for queue orders of that kind as well. All families but the first two take longer, optimised and classes far
    /// longer
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "easy,list")]
    families: Vec<String>,
    /// A queue order to look through as well, in which letters stand for numbers: '(wait/estimate)^a*processors^b where
    /// a=0..4, b=-1..1 by 0.5'. A range without a step has sixteen; a, b, c and d of which nothing is said are from 0
    /// to 4. May be given several times
    #[arg(long, value_name = "FORMULA")]
    formula: Vec<Template>,
    /// Estimators to choose from, perhaps with a factor: requested,last2,hierarchy*1.5
    #[arg(long, value_name = "LIST", value_delimiter = ',', default_value = "requested")]
    estimators: Vec<Estimate>,
    /// Factors to choose from, for every estimator that names none: 0.5,1,2 [usually 1]
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    k: Vec<f64>,
    /// What settings are compared with: a scheduler, with requested times, or SCHEDULER__ESTIMATOR; as-logged for the
    /// log's own schedule
    #[arg(long, value_name = "ID", default_value = "easy", value_parser = explored_baseline)]
    baseline: Run,
    #[command(flatten)]
    pub(in crate::cli) limits: LimitArguments,
    #[command(flatten)]
    pub(in crate::cli) settings: SettingArguments<OfSearch>,
    #[command(flatten)]
    pub(in crate::cli) machine: MachineArguments,
    #[command(flatten)]
    pub(in crate::cli) site: SiteArguments,
    /// Form of what came out
    #[arg(long, value_enum, default_value_t = ExploreFormat::Table)]
    pub(in crate::cli) format: ExploreFormat,
    /// Tell on standard error how long everything took
    #[arg(long)]
    pub(in crate::cli) timing: bool,
    /// Threads; all processors where nothing is said. The answer does not depend on it
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(in crate::cli) jobs: Option<u16>,
}

/// Form of what a search came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(in crate::cli) enum ExploreFormat {
    /// Aligned columns, and what follows in words
    Table,
    /// Exact numbers, a line for each of the settings that nothing beats
    Csv,
    /// An object with exact numbers
    Json,
}

impl ExploreArguments {
    /// The question that the arguments ask.
    pub(in crate::cli) fn question(&self) -> ExploreQuestion {
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
        };
        question.set_templates(&self.formula);
        question
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Source;
    use clap::Parser;

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
            share: 0.75,
            families: vec!["easy".to_owned(), "dynp".to_owned(), "multifactor".to_owned()],
            estimates: vec!["requested".parse().unwrap(), "last2*1.5".parse().unwrap()],
            baseline: Run::new("saf-easy".parse().unwrap(), "actual".parse().unwrap()),
            ..ExploreQuestion::default()
        };
        let source = Source::Trace { name: "log.swf".into(), fingerprint: crate::workload::Fingerprint(1) };
        let asked = |words: &[String]| Alone::try_parse_from(words).map(|alone| alone.arguments.question());
        let command = question.command(&source).replace('\'', "");
        let words: Vec<String> = command.split(' ').skip(1).map(str::to_owned).collect();
        assert_eq!(asked(&words).unwrap(), question, "{command}");
        let mut with_formula = question;
        with_formula
            .set_templates(&["(wait/estimate)^a*max(processors,2)^b where a=0..3, b=-1..1 by 0.5".parse().unwrap()]);
        // a shell takes quoted text as one word
        let command = with_formula.command(&source);
        let (before, quoted) = command.rsplit_once(" --formula ").unwrap();
        let mut words: Vec<String> = before.replace('\'', "").split(' ').skip(1).map(str::to_owned).collect();
        words.extend(["--formula".to_owned(), quoted.trim_matches('\'').to_owned()]);
        assert_eq!(asked(&words).unwrap(), with_formula, "{command}");
        words.pop();
        words.push("(wait/estimate)^a where a=4..0".to_owned());
        assert!(asked(&words).unwrap_err().to_string().contains("from a number to one that is not less"));
    }
}
