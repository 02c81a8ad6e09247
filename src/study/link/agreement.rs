//! What it means that the values of a link are computed again and come out the same.

use std::fmt;

/// How much of a link's study was compared, where everything compared is the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedAgreement {
    /// Values that the link carries and that were computed again.
    pub values: usize,
    pub carried: usize,
    pub runs: usize,
}

impl SharedAgreement {
    /// Whether every run was compared.
    pub fn is_whole(self) -> bool {
        self.values > 0 && self.carried >= self.runs
    }
}

impl fmt::Display for SharedAgreement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let SharedAgreement { values, carried, runs } = *self;
        if values == 0 {
            return f.write_str("The link carries no values: there is nothing to compare.");
        }
        if self.is_whole() {
            return f.write_str("Computed again here: every value agrees.");
        }
        write!(
            f,
            "Computed again here: the values of {carried} of {runs} runs agree; the link carries none of the others."
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_said_of_what_was_not_compared() {
        let told = |values, carried, runs| SharedAgreement { values, carried, runs }.to_string();
        assert_eq!(told(80, 8, 8), "Computed again here: every value agrees.");
        assert!(told(20, 2, 400).contains("the values of 2 of 400 runs agree"));
        for carried in [0, 8] {
            assert!(told(0, carried, 8).contains("nothing to compare"));
        }
    }
}
