//! The title of a study's window.

/// Most characters of a verdict in a title: tabs and lists of windows show few.
const LONGEST: usize = 120;

/// The title: the log and the first sentence of the verdict, such as `KTH-SP2: SAF-JustBF ... · Packfair`.
pub fn title(log: &str, verdict: Option<&str>) -> String {
    let Some(verdict) = verdict.map(str::trim).filter(|verdict| !verdict.is_empty()) else {
        return format!("{log} · Packfair");
    };
    let first = verdict.split_once(". ").map_or(verdict, |(first, _)| first).trim_end_matches('.');
    let mut short: String = first.chars().take(LONGEST).collect();
    if short.len() < first.len() {
        // Words are not cut in half.
        let end = short.rfind(' ').unwrap_or(short.len());
        short.truncate(end);
        short.push('…');
    }
    format!("{log}: {short} · Packfair")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_has_the_log_and_the_first_sentence_of_the_verdict() {
        assert_eq!(title("KTH-SP2", None), "KTH-SP2 · Packfair");
        assert_eq!(
            title("KTH-SP2", Some("EASY has 4.5 % shorter waits. The price: none.")),
            "KTH-SP2: EASY has 4.5 % shorter waits · Packfair"
        );
        let long = title("x", Some(&"word ".repeat(60)));
        assert!(long.chars().count() < 150 && long.ends_with("word… · Packfair"), "{long}");
    }
}
