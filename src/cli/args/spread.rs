//! Studies that are computed in parts.

use super::OutputFormat;
use super::read;
use crate::study::verdict::Concern;
use clap::Args;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// Which part of a study is computed, and where its results go.
#[derive(Debug, Args)]
pub(in crate::cli) struct PartArguments {
    /// Compute only the I-th of N parts of the runs, such as 3/20, and write their results to a file in place of the
    /// table. Each part has about as many runs as the others. packfair collect prints what all parts come to
    #[arg(long, value_name = "I/N", conflicts_with_all = ["format", "matters", "starts", "curves", "figures", "by",
        "site_fit", "check", "timing"])]
    pub(in crate::cli) part: Option<Part>,
    /// File of the part [usually STUDY.I-of-N.part in the present folder]
    #[arg(long, value_name = "FILE", requires = "part")]
    pub(in crate::cli) out: Option<PathBuf>,
}

/// What `packfair collect` is told.
#[derive(Debug, Args)]
pub(in crate::cli) struct CollectArguments {
    /// Files of all parts of a study, as packfair study --part writes them, in any order. A folder stands for the files
    /// in it whose names end in .part
    #[arg(required = true, value_name = "PART")]
    pub(in crate::cli) parts: Vec<PathBuf>,
    /// Form in which the results are printed
    #[arg(long, value_enum, default_value_t = OutputFormat::Table)]
    pub(in crate::cli) format: OutputFormat,
    /// What matters to you, as for packfair study
    #[arg(long, value_name = "CONCERN", default_value = "everything", value_parser = read::concern)]
    pub(in crate::cli) matters: Concern,
    /// Also write the results to a file that the page opens. Results on several logs go to a file each, with the number
    /// of the log in its name
    #[arg(long, value_name = "FILE")]
    pub(in crate::cli) page: Option<PathBuf>,
}

/// One of several parts of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(in crate::cli) struct Part {
    /// The number of the part, from 1.
    pub(in crate::cli) number: usize,
    /// The number of parts.
    pub(in crate::cli) of: usize,
}

/// The largest number of parts: more than any cluster has tasks for.
const MOST_PARTS: usize = 1_000_000;

impl Part {
    /// Whether there is such a part.
    pub(in crate::cli) fn is_one(&self) -> bool {
        (1..=self.of).contains(&self.number) && self.of <= MOST_PARTS
    }

    /// Whether this part has the item of a study at this place.
    pub(in crate::cli) fn has(&self, place: usize) -> bool {
        place % self.of == self.number - 1
    }
}

impl FromStr for Part {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text.split_once('/').and_then(|(number, of)| Some((number.parse().ok()?, of.parse().ok()?)));
        let part = numbers.map(|(number, of)| Part { number, of }).filter(Part::is_one);
        part.ok_or_else(|| "it takes the number of a part and the number of all parts: 3/20".to_owned())
    }
}

impl fmt::Display for Part {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "part {} of {}", self.number, self.of)
    }
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
    fn each_place_is_in_one_part() {
        for of in 1..7 {
            for place in 0..20 {
                let having = (1..=of).filter(|&number| Part { number, of }.has(place));
                assert_eq!(having.count(), 1, "{place} of {of}");
            }
        }
    }
}
