//! A study as a file: JSON that a person can read, change and open again.

use crate::study::limits::{LARGEST_STUDY, LONGEST_MESSAGE};
use crate::study::{Source, Study};
use serde::de::IgnoredAny;
use serde::{Deserialize, Serialize};

/// Version of the file format. It grows only where older versions would misread a new file.
const VERSION: u32 = 1;

/// Why a file cannot be read as a study; it displays as a sentence for a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum StudyFileError {
    #[error("line {line}, column {column} of the study: {message}")]
    At {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        message: String,
    },
    #[error("this file is no study: it should begin with {{\"packfair\": 1, \"study\": ...")]
    NotAStudy,
    #[error("the study was saved by a newer version of Packfair (format {0}); get that version to open it")]
    Newer(u32),
    #[error("the file has {0} bytes; a study has {LARGEST_STUDY} at most")]
    TooLarge(usize),
    #[error("the study is not valid: {}", .0.join("; "))]
    Problems(Vec<String>),
}

#[derive(Serialize)]
struct WrittenStudy<'a> {
    packfair: u32,
    study: &'a Study,
}

#[derive(Serialize)]
struct WrittenResults<'a> {
    packfair: u32,
    study: &'a Study,
    link: &'a str,
}

#[derive(Deserialize)]
struct Read {
    study: Study,
}

/// The parts of a file that are read before the rest.
#[derive(Deserialize)]
struct Head {
    packfair: Option<u32>,
    study: Option<StudyHead>,
}

#[derive(Deserialize)]
struct StudyHead {
    source: Option<IgnoredAny>,
}

/// The study as a file.
pub fn write_study(study: &Study) -> String {
    // A study is plain data under keys that are text, so this does not fail.
    let mut text = serde_json::to_string_pretty(&WrittenStudy { packfair: VERSION, study }).unwrap();
    text.push('\n');
    text
}

/// The study and its results as the link `link` carries them, as a file. The page opens the results; a reader that only
/// knows studies finds the study.
pub fn write_results(study: &Study, link: &str) -> String {
    // These are plain data too.
    let mut text = serde_json::to_string_pretty(&WrittenResults { packfair: VERSION, study, link }).unwrap();
    text.push('\n');
    text
}

/// The link in a file made by [`write_results`]; `None` in any other file.
pub fn link_in(text: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Linked {
        link: Option<String>,
    }
    serde_json::from_str::<Linked>(text).ok()?.link
}

/// Whether a text begins like a study file, with or without results: an object whose first name is one that study files
/// use. Logs may be JSON too.
pub fn begins_like_a_study(text: &str) -> bool {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text).trim_start();
    let first = text.strip_prefix('{').map(str::trim_start).unwrap_or_default();
    ["\"packfair\"", "\"study\"", "\"link\""].iter().any(|name| first.starts_with(name))
}

/// Reads a study from a file. Unknown fields are ignored. A study that does not say where its jobs come from gets
/// `source`.
///
/// # Errors
/// Where the text is no study, or the study cannot be run.
pub fn read_study(text: &str, source: &Source) -> Result<Study, StudyFileError> {
    if text.len() > LARGEST_STUDY {
        return Err(StudyFileError::TooLarge(text.len()));
    }
    // Some programs put a byte order mark before UTF-8.
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let head: Head = serde_json::from_str(text).map_err(|error| match error.classify() {
        serde_json::error::Category::Data => StudyFileError::NotAStudy,
        _ => at(&error),
    })?;
    match (head.packfair, &head.study) {
        (None, _) | (_, None) => return Err(StudyFileError::NotAStudy),
        (Some(version), _) if version > VERSION => return Err(StudyFileError::Newer(version)),
        _ => {}
    }
    let Read { mut study } = serde_json::from_str(text).map_err(|error| at(&error))?;
    if head.study.is_some_and(|study| study.source.is_none()) {
        study.source = source.clone();
    }
    study.checked().map_err(|found| StudyFileError::Problems(found.into_iter().map(|p| p.message).collect()))
}

fn at(error: &serde_json::Error) -> StudyFileError {
    let message = error.to_string();
    // The message may quote everything that is wrong.
    let message = message.split(" at line ").next().unwrap_or_default().chars().take(LONGEST_MESSAGE).collect();
    StudyFileError::At { line: error.line(), column: error.column(), message }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::recipe::Recipe;
    use crate::study::sureness::Repeats;

    fn source() -> Source {
        Study::first_visit().source
    }

    #[test]
    fn every_recipe_s_study_comes_back() {
        for recipe in Recipe::all() {
            let fingerprint = crate::workload::Fingerprint(u128::MAX - 5);
            let mut study = Study::on(Source::Trace { name: "KTH \"<SP2>\".swf".to_owned(), fingerprint });
            recipe.apply(&mut study);
            study.removed = study.runs().into_iter().skip(1).take(1).collect();
            assert_eq!(read_study(&write_study(&study), &source()), Ok(study));
        }
    }

    #[test]
    fn repeats_are_carried_and_only_their_number_is_needed() {
        let study = Study { repeats: Some(Repeats { seed: 7, ..Repeats::of(30) }), ..Study::first_visit() };
        assert_eq!(read_study(&write_study(&study), &source()), Ok(study));
        let text = r#"{"packfair": 1,
            "study": {"schedulers": ["easy"], "methods": ["requested"], "repeats": {"count": 5}}}"#;
        assert_eq!(read_study(text, &source()).unwrap().repeats, Some(Repeats::of(5)));
        let wrong = text.replace("5", "1");
        let message = "the study is not valid: the number of repeats is 1; it must be from 2 to 10000";
        assert_eq!(read_study(&wrong, &source()).unwrap_err().to_string(), message);
    }

    #[test]
    fn results_are_a_study_with_a_link() {
        let study = Study::first_visit();
        let text = write_results(&study, "v1.abc");
        assert_eq!(link_in(&text).as_deref(), Some("v1.abc"));
        assert_eq!(read_study(&text, &source()), Ok(study.clone()));
        assert_eq!(link_in(&write_study(&study)), None);
    }

    #[test]
    fn what_is_missing_is_as_usual_and_what_is_unknown_is_ignored() {
        let text = r#"{"packfair": 1, "comment": "mine",
            "study": {"schedulers": ["easy"], "methods": ["requested"], "colour": [1, 2]}}"#;
        let study = read_study(text, &source()).unwrap();
        assert_eq!(study.source, source());
        assert_eq!(study.runs().len(), 1);
        assert_eq!(study.treatment.shrink, 1.0);
        assert_eq!(study.distortions, [1.0]);
    }

    #[test]
    fn a_file_that_names_a_column_a_hundred_thousand_times_has_it_once() {
        let columns = vec!["\"AF\""; 100_000].join(",");
        let text = format!(
            "{{\"packfair\": 1, \"study\": {{\"schedulers\": [\"easy\", \"easy\"], \"methods\": [\"actual\"], \
             \"columns\": [{columns}]}}}}"
        );
        let study = read_study(&text, &source()).unwrap();
        assert_eq!((study.columns.len(), study.schedulers.len()), (1, 1));
    }

    #[test]
    fn a_mistake_is_told_with_its_place() {
        let message = |text: &str| read_study(text, &source()).unwrap_err().to_string();
        let wrong = "{\"packfair\": 1,\n \"study\": {\"schedulers\": [\"easyy\"], \"methods\": [\"actual\"]}}";
        let told = message(wrong);
        assert!(
            told.starts_with("line 2, column 34 of the study: there is no scheduler \"easyy\"; there are"),
            "{told}"
        );
        assert!(message("{\"packfair\": 1,\n").starts_with("line 2, column 0 of the study: EOF"));
        assert!(
            message("{\"packfair\": 1, \"study\": {\"schedulers\": [\"easy\"]}}").contains("missing field `methods`")
        );
        assert!(message("[1, 2]").starts_with("this file is no study"));
        assert!(message("{\"study\": {}}").starts_with("this file is no study"));
        assert!(message("{\"packfair\": 7, \"study\": {}}").contains("newer version of Packfair (format 7)"));
        let k = "{\"packfair\": 1, \"study\": {\"schedulers\": [\"easy\"], \"methods\": [\"actual\"], \"distortions\": [50]}}";
        let many = format!("{{\"packfair\": 1}}{}", " ".repeat(LARGEST_STUDY));
        assert_eq!(message(&many), "the file has 10000015 bytes; a study has 10000000 at most");
        assert_eq!(message(k), "the study is not valid: a factor k is 50; it must be from 0.1 to 10");
    }

    #[test]
    fn what_begins_like_a_study_is_told_from_logs_that_are_json() {
        let study = Study::first_visit();
        assert!(begins_like_a_study(&write_study(&study)) && begins_like_a_study(&write_results(&study, "v1.x")));
        for text in ["\u{feff} {\n \"study\": {", "{\"packfair\": 1, \"stu"] {
            assert!(begins_like_a_study(text), "{text}");
        }
        for text in
            ["", "{}", "[1, 2]", "{\"meta\": {\"Slurm\"", "{\"nb_res\": 4, \"study\"", "{\"jobs\": [", "; study\n1 0 0"]
        {
            assert!(!begins_like_a_study(text), "{text}");
        }
    }
}
