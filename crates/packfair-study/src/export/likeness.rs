//! What workloads like a log are made from, as CSV.

use packfair_workload::Workload;
use packfair_workload::like::{JointClass, Weibull, combinations, gap_shares, gaps};

/// The times between submissions that are above 0: for each, how often it occurs, the share of times that are at most
/// as long, and that share by the Weibull law of maximum likelihood (empty where there is no such law).
pub fn gaps_against_law(workload: &Workload) -> String {
    let law = Weibull::fit(&gaps(workload)).ok().map(|fit| fit.law);
    let mut text = "gap,times,share,weibull\n".to_owned();
    for gap in gap_shares(workload) {
        let by_law = law.map_or_else(String::new, |law| law.share_until(gap.gap as f64).to_string());
        text.push_str(&format!("{},{},{},{by_law}\n", gap.gap, gap.times, gap.share));
    }
    text
}

/// The joint distribution in classes: the lower and the upper bound of each class (the upper one is not in it), and its
/// number of jobs.
pub fn joint_classes(joint: &[JointClass]) -> String {
    let mut text = "width_from,width_below,requested_from,requested_below,run_from,run_below,jobs\n".to_owned();
    for class in joint {
        for (from, below) in [class.width, class.requested, class.run].map(JointClass::bounds) {
            text.push_str(&format!("{from},{below},"));
        }
        text.push_str(&format!("{}\n", class.jobs));
    }
    text
}

/// The joint distribution of width, requested time and run time: each combination with its number of jobs.
pub fn joint_distribution(workload: &Workload) -> String {
    let mut text = "width,requested,run,jobs\n".to_owned();
    for alike in combinations(workload) {
        text.push_str(&format!("{},{},{},{}\n", alike.width, alike.requested, alike.run, alike.jobs));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_workload::test_jobs;

    #[test]
    fn a_line_says_what_occurs_how_often() {
        let workload = test_jobs::workload(4, &[(0, 1, 9, 10), (0, 1, 9, 10), (7, 2, 5, 5), (14, 2, 5, 6)]);
        let classes = joint_classes(&packfair_workload::like::Analysis::of(&workload).joint);
        assert!(classes.ends_with("\n1,2,8,16,8,16,2\n2,4,4,8,4,8,2\n"), "{classes}");
        assert_eq!(joint_distribution(&workload), "width,requested,run,jobs\n1,10,9,2\n2,5,5,1\n2,6,5,1\n");
        assert_eq!(gaps_against_law(&workload), "gap,times,share,weibull\n7,2,1,\n", "one gap has no law");
        let workload = test_jobs::workload(4, &[(0, 1, 9, 10), (7, 2, 5, 5), (16, 2, 5, 6)]);
        let text = gaps_against_law(&workload);
        assert!(text.starts_with("gap,times,share,weibull\n7,1,0.5,0."), "{text}");
    }
}
