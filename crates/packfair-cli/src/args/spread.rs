//! Studies that are spread over processes and machines.

use super::OutputFormat;
use clap::Args;
use std::path::PathBuf;
use std::str::FromStr;

/// Where the results of a study are kept, and who computes which.
#[derive(Debug, Args)]
pub(crate) struct SpreadArguments {
    /// Keep each finished run as a file in DIR, and print no results. Started again, the command computes only what is
    /// missing. Several processes, on any machines that see DIR, share the work. packfair collect DIR prints the
    /// results
    #[arg(long, value_name = "DIR")]
    pub(crate) into: Option<PathBuf>,
    /// Compute only the I-th of N shares, which take about as long as each other: 3/20
    #[arg(long, value_name = "I/N", requires = "into")]
    pub(crate) part: Option<Part>,
    #[command(flatten)]
    pub(crate) slurm: SlurmArguments,
}

/// How a study becomes an array job of Slurm.
#[derive(Debug, Args)]
pub(crate) struct SlurmArguments {
    /// Submit the missing runs to Slurm as an array job; its script is kept as DIR/slurm.sh
    #[arg(long, requires = "into", conflicts_with = "part")]
    pub(crate) slurm: bool,
    /// Write the script of --slurm, and do not submit it
    #[arg(long, requires = "slurm")]
    pub(crate) dry_run: bool,
    /// Number of tasks of the array, at most 1000 [usually so many that each has about a minute of work]
    #[arg(long, value_name = "N", requires = "slurm", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) tasks: Option<u16>,
    /// Partition to which the array job is submitted [usually Slurm's default]
    #[arg(long, value_name = "NAME", requires = "slurm", value_parser = word)]
    pub(crate) partition: Option<String>,
    /// Time limit of each task, as Slurm takes it: 1:00:00 is an hour
    #[arg(long, value_name = "TIME", requires = "slurm", value_parser = word)]
    pub(crate) time: Option<String>,
    /// Account that the array job is charged to
    #[arg(long, value_name = "NAME", requires = "slurm", value_parser = word)]
    pub(crate) account: Option<String>,
    /// Number of processors of each task; it uses as many threads
    #[arg(long, value_name = "N", requires = "slurm", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) cpus: u16,
}

/// What `packfair collect` is told.
#[derive(Debug, Args)]
pub(crate) struct CollectArguments {
    /// Folder of the study, as given to packfair study --into
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// Form in which the results are printed. In any case DIR gets them as report.txt, report.csv, report.json and
    /// results.json, which the page opens
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    pub(crate) format: OutputFormat,
}

/// One of several shares of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Part {
    /// The number of the share, from 1.
    pub(crate) number: usize,
    /// The number of shares.
    pub(crate) of: usize,
}

/// The largest number of shares: more than any cluster has tasks for.
const MOST_PARTS: usize = 1_000_000;

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Part { number, of });
        let is_one = |part: &Part| (1..=part.of).contains(&part.number) && part.of <= MOST_PARTS;
        part.filter(is_one)
            .ok_or_else(|| "it takes the number of a share and the number of all shares: 3/20".to_owned())
    }
}

/// Parses a text that can be one word in a line of options.
fn word(text: &str) -> Result<String, String> {
    let is_plain = !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || "-_.,:+".contains(c));
    if is_plain { Ok(text.to_owned()) } else { Err("it takes only letters, digits and -_.,:+".to_owned()) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_is_one_of_several() {
        assert_eq!("3/20".parse(), Ok(Part { number: 3, of: 20 }));
        for text in ["0/5", "6/5", "5", "a/b", "1/", "-1/2", "1/0", "1/9999999"] {
            assert!(text.parse::<Part>().is_err(), "{text}");
        }
    }

    #[test]
    fn options_of_slurm_are_single_words() {
        assert!(word("short,long").is_ok() && word("1-00:00:00").is_ok());
        assert!(word("a b").is_err() && word("x\n#SBATCH --uid=0").is_err() && word("").is_err());
    }
}
