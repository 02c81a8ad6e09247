//! Terminal commands, for runs that take too long in a browser tab.

use super::{Source, Study};

/// The command that runs a study, saved as `study.json`, in a terminal.
pub fn command_of(study: &Study) -> String {
    format!("packfair study study.json{} --into results", log_argument(&study.source))
}

/// The log of a study as an argument, with a space before it; empty for a generated log.
pub fn log_argument(source: &Source) -> String {
    match source {
        Source::Trace { name, .. } => format!(" {}", file_argument(name)),
        Source::Generated(_) => String::new(),
    }
}

/// A file's name, quoted for a shell where necessary.
pub fn file_argument(name: &str) -> String {
    if is_plain(name) && !name.starts_with('-') { name.to_owned() } else { quoted(&format!("./{name}")) }
}

/// A word, quoted for a shell where necessary.
pub fn quoted(word: &str) -> String {
    if is_plain(word) { word.to_owned() } else { format!("'{}'", word.replace('\'', r"'\''")) }
}

fn is_plain(word: &str) -> bool {
    word.chars().all(|c| c.is_ascii_alphanumeric() || "-_.,:=+".contains(c))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_taken_as_they_are() {
        let file = |name: &str| {
            log_argument(&Source::Trace { name: name.into(), fingerprint: packfair_workload::Fingerprint(1) })
        };
        assert_eq!(file("KTH-SP2.swf.gz"), " KTH-SP2.swf.gz");
        assert_eq!(file("my log's.swf"), r" './my log'\''s.swf'");
        assert_eq!(file("-rf"), " './-rf'");
        assert_eq!([quoted("max_wait<=2d"), quoted("easy,list")], ["'max_wait<=2d'", "easy,list"]);
    }
}
