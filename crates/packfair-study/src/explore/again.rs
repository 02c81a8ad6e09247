//! How often searches on drawn workloads come to the settings that a search recommends.

use serde::{Deserialize, Serialize};

/// The number of searches that are made again, where that is not left out.
pub const SEARCHES: u32 = 20;

/// The most searches that are made again.
pub const MOST_SEARCHES: u32 = 1_000;

/// Settings whose values differ by less than this share count as the same.
const AS_GOOD: f64 = 0.02;

/// What searches on drawn workloads came to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchedAgain {
    pub searches: u32,
    /// How many of them selected the recommended settings, or settings with nearly the same values on the whole log.
    pub same: u32,
    /// How many of them selected none.
    pub none: u32,
}

impl SearchedAgain {
    /// Takes in a further search: the values of what it selected on the whole log, and those of the recommended settings,
    /// by the metrics to minimise; `None` where it selected nothing.
    pub(super) fn take<'a>(
        &mut self,
        selected: Option<&[Option<f64>]>,
        recommended: impl Iterator<Item = &'a Option<f64>>,
    ) {
        self.searches += 1;
        match selected {
            None => self.none += 1,
            Some(values) => {
                self.same += u32::from(values.iter().zip(recommended).all(|(one, other)| are_alike(*one, *other)))
            }
        }
    }

    /// Whether these can be the numbers of searches, as a link may not say.
    pub(super) fn is_sound(self) -> bool {
        let SearchedAgain { searches, same, none } = self;
        searches <= MOST_SEARCHES && u64::from(same) + u64::from(none) <= u64::from(searches)
    }

    /// How often the same came out, in a sentence.
    pub fn in_words(self) -> String {
        let SearchedAgain { searches, same, none } = self;
        let stayed = if none == 0 { String::new() } else { format!(", and {none} found nothing better") };
        format!("Of {searches} searches on workloads drawn from the log, {same} came to the same{stayed}.")
    }
}

fn are_alike(one: Option<f64>, other: Option<f64>) -> bool {
    let (Some(one), Some(other)) = (one, other) else { return false };
    one == other || (one - other).abs() < AS_GOOD * other.abs()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_within_two_percent_are_the_same() {
        assert!(are_alike(Some(101.0), Some(100.0)) && are_alike(Some(0.0), Some(0.0)));
        assert!(
            !are_alike(Some(102.0), Some(100.0)) && !are_alike(Some(1.0), Some(0.0)) && !are_alike(None, Some(1.0))
        );
        let told = SearchedAgain { searches: 20, same: 13, none: 2 }.in_words();
        assert_eq!(
            told,
            "Of 20 searches on workloads drawn from the log, 13 came to the same, and 2 found nothing better."
        );
    }
}
