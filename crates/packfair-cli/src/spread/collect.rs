//! `packfair collect`: what all parts of a study come to.

use crate::args::{CollectArguments, OutputFormat, Part};
use crate::charted::part_file;
use crate::results::Printout;
use crate::{Failure, load, print, say};
use packfair_slurm::Patch;
use packfair_study::export::{for_spreadsheets, write_results};
use packfair_study::sureness::{Repeated, repeatable};
use packfair_study::table::FailedRun;
use packfair_study::{Engine, GroupedWaits, Report, RunReport, Study, link};
use packfair_workload::Summary;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The ending of the names of parts in a folder.
const ENDING: &str = "part";

/// Joins all parts and prints what they come to, as a single process would.
///
/// # Errors
/// The files are not all parts of one study by this engine, each once; or runs have failed.
pub(crate) fn collect(arguments: &CollectArguments) -> Result<(), Failure> {
    let (logs, parts) = read(&files(&arguments.parts)?)?;
    let mut joined: Vec<Joined> = logs.iter().map(Joined::nothing).collect();
    for results in parts {
        joined.iter_mut().zip(results).for_each(|(joined, results)| joined.add(results));
    }
    joined.iter_mut().for_each(Joined::sort);
    let results: Vec<(&PartLog, Joined)> = logs.iter().zip(joined).collect();
    if let Some(page) = &arguments.page {
        for (place, (log, joined)) in results.iter().enumerate() {
            write_page(&numbered(page, place, logs.len()), log, joined)?;
        }
    }
    for (_, joined) in &results {
        for failed in &joined.failed {
            say(&format!("packfair: {} failed: {}", failed.run.short_id(), failed.reason));
        }
        joined.failed_repeats.iter().for_each(|id| say(&format!("packfair: a repeat of {id} failed")));
    }
    print(&text(&results, arguments, arguments.format))?;
    let failed = results.iter().map(|(_, joined)| joined.failed.len() + joined.failed_repeats.len()).sum();
    let runs = logs.iter().map(|log| log.study.runs().len()).sum();
    if failed == 0 { Ok(()) } else { Err(Failure::Failed { failed, runs }) }
}

/// The files at these paths, of which some may be folders.
fn files(paths: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in paths {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error| Failure::Input(format!("{} cannot be read: {error}", path.display()));
        let before = files.len();
        for entry in std::fs::read_dir(path).map_err(unreadable)? {
            let file = entry.map_err(unreadable)?.path();
            let is_hidden = file.file_name().is_some_and(|name| name.to_string_lossy().starts_with('.'));
            if file.extension().is_some_and(|ending| ending == ENDING) && !is_hidden {
                files.push(file);
            }
        }
        if files.len() == before {
            let message = format!("{}: no name in this folder ends in .{ENDING}; name the files", path.display());
            return Err(Failure::Input(message));
        }
        files[before..].sort();
    }
    Ok(files)
}

/// The logs of the study in these files, and the results of each part.
///
/// # Errors
/// The files are not all parts of one study, each once.
fn read(files: &[PathBuf]) -> Result<(Vec<PartLog>, Vec<Vec<PartResults>>), Failure> {
    let mut first: Option<(&Path, Vec<PartLog>, usize)> = None;
    let mut parts: BTreeMap<usize, (&Path, Vec<PartResults>)> = BTreeMap::new();
    for path in files {
        let ComputedPart { part, logs, results, .. } = ComputedPart::read(path)?;
        let (other, known, of) = first.get_or_insert_with(|| (path, logs.clone(), part.of));
        let refused = |why: String| Err(Failure::Input(format!("{} and {}: {why}", other.display(), path.display())));
        if is_another_study(known, &logs) {
            return refused("these are parts of different studies; give the parts of one".to_owned());
        }
        if *known != logs {
            return refused("these are parts of a study on different logs; give the parts on the same".to_owned());
        }
        if *of != part.of {
            return refused(format!("one is of {of} parts, the other of {}; give the parts of one division", part.of));
        }
        if let Some((twin, _)) = parts.insert(part.number, (path, results)) {
            let (one, two) = (twin.display(), path.display());
            return Err(Failure::Input(format!("{one} and {two}: both are {part}; leave out one of them")));
        }
    }
    // clap asks for at least one file
    let Some((_, logs, of)) = first else { return Err(Failure::input("no part is given")) };
    let missing: Vec<usize> = (1..=of).filter(|number| !parts.contains_key(number)).collect();
    if !missing.is_empty() {
        let (part, are, them) =
            if missing.len() == 1 { ("part", "is", "it") } else { ("parts", "are", "each of them") };
        let which = ranges(&missing);
        let example = missing[0];
        return Err(Failure::Input(format!(
            "{part} {which} of {of} {are} missing; compute {them} with packfair study ... --part {example}/{of}, and collect \
             again",
        )));
    }
    Ok((logs, parts.into_values().map(|(_, results)| results).collect()))
}

/// Whether the studies differ in more than their logs.
fn is_another_study(one: &[PartLog], other: &[PartLog]) -> bool {
    let asked = |log: &PartLog| {
        let mut study = log.study.clone();
        study.source = packfair_study::Study::first_visit().source;
        study
    };
    one.first().map(asked) != other.first().map(asked)
}

/// Numbers in words, such as "2, 5-7"; they ascend.
fn ranges(numbers: &[usize]) -> String {
    let runs = numbers.chunk_by(|a, b| a + 1 == *b);
    let words = runs.map(|run| match run {
        [one] => one.to_string(),
        run => format!("{}-{}", run[0], run[run.len() - 1]),
    });
    words.collect::<Vec<_>>().join(", ")
}

struct Joined {
    reports: Vec<(usize, RunReport)>,
    failed: Vec<FailedRun>,
    repeated: Option<Repeated>,
    failed_repeats: BTreeSet<String>,
    waits: BTreeMap<String, GroupedWaits>,
}

impl Joined {
    fn nothing(log: &PartLog) -> Self {
        let study = &log.study;
        let new = |repeats| Repeated::new(repeats, repeatable(&study.columns), &study.repeated_runs());
        Joined {
            reports: Vec::new(),
            failed: Vec::new(),
            repeated: study.repeats.map(new),
            failed_repeats: BTreeSet::new(),
            waits: BTreeMap::new(),
        }
    }

    fn add(&mut self, results: PartResults) {
        self.reports.extend(results.reports);
        self.failed.extend(results.failed);
        self.failed_repeats.extend(results.failed_repeats);
        self.waits.extend(results.waits);
        if let (Some(all), Some(own)) = (&mut self.repeated, results.repeated) {
            all.join(own);
        }
    }

    /// Brings everything into the order of the study's runs.
    fn sort(&mut self) {
        self.reports.sort_by_key(|(place, _)| *place);
        self.failed.sort_by_key(|failed| failed.place);
    }

    fn reports(&self) -> Vec<RunReport> {
        self.reports.iter().map(|(_, report)| report.clone()).collect()
    }
}

fn numbered(path: &Path, place: usize, logs: usize) -> PathBuf {
    if logs == 1 {
        return path.to_owned();
    }
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let ending = path.extension().map_or_else(String::new, |ending| format!(".{}", ending.to_string_lossy()));
    path.with_file_name(format!("{stem}-{}{ending}", place + 1))
}

/// Writes the results on a log for the page. The file is complete or not there.
fn write_page(path: &Path, log: &PartLog, joined: &Joined) -> Result<(), Failure> {
    let report = Report { study: log.study.clone(), summary: log.summary.clone(), runs: joined.reports() };
    let shared = link::SharedStudy::of(&report, Vec::new()).with_repeats(joined.repeated.clone());
    let link = link::encode(&shared).map_err(|error| Failure::Input(format!("{}: {error}", path.display())))?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let written = part_file(folder).and_then(|mut file| {
        file.write_all(write_results(&log.study, &link).as_bytes())?;
        Ok(file.persist(path)?)
    });
    written.map(drop).map_err(|error| Failure::file(path, &error))
}

fn text(results: &[(&PartLog, Joined)], arguments: &CollectArguments, format: OutputFormat) -> String {
    if format == OutputFormat::Spreadsheet && results.len() > 1 {
        return for_spreadsheets(&text(results, arguments, OutputFormat::Csv));
    }
    let mut each = results.iter().map(|(log, joined)| {
        let printout = Printout {
            study: &log.study,
            summary: &log.summary,
            account: log.account.clone(),
            reports: &joined.reports(),
            failed: &joined.failed,
            repeated: joined.repeated.as_ref(),
            tells_fit: true,
            waits: &joined.waits,
            to_do: &log.to_do,
            site_fit: None,
        };
        (log.study.source.name(), printout.text(&log.study.columns, arguments.matters, format))
    });
    match format {
        _ if results.len() == 1 => each.next().map(|(_, text)| text).unwrap_or_default(),
        OutputFormat::Json => {
            // each text is JSON that was made here; logs of the same name are distinguished by their index
            let value = |(place, (name, text)): (usize, (String, String))| {
                let rows: serde_json::Value = serde_json::from_str(&text).unwrap_or_default();
                (format!("{} {name}", place + 1), rows)
            };
            let all: BTreeMap<String, serde_json::Value> = each.enumerate().map(value).collect();
            serde_json::to_string_pretty(&all).unwrap_or_default() + "\n"
        }
        OutputFormat::Csv => each.enumerate().map(|(place, (name, text))| with_log(place, &name, &text)).collect(),
        _ => each.map(|(name, text)| format!("{name}\n\n{text}\n")).collect(),
    }
}

/// A table as CSV with a first column for the log. Only the first log has a heading line.
fn with_log(place: usize, name: &str, text: &str) -> String {
    let mut out = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let mut rows = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(text.as_bytes());
    for (line, row) in rows.records().flatten().enumerate() {
        let first = if line == 0 { "log" } else { name };
        if line > 0 || place == 0 {
            // writing into memory cannot fail
            out.write_record(std::iter::once(first).chain(row.iter())).unwrap();
        }
    }
    // writing into memory cannot fail, and all fields are UTF-8
    String::from_utf8(out.into_inner().unwrap()).unwrap()
}

// The file of a part: a line with a digest of the rest, which is JSON. So a file that was cut short or changed is
// recognised, and the same part has the same bytes whoever computes it.

/// The beginning of the first line. The number is the version of the format.
const MAGIC: &str = "packfair part 1 ";

/// The beginning of the first line in any version.
const ANY_MAGIC: &str = "packfair part ";

/// The largest file of a part that is read, bytes.
const LARGEST_PART: u64 = 4_000_000_000;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct PartLog {
    /// The study, with this log as its source.
    pub(super) study: Study,
    pub(super) summary: Summary,
    /// What became of the log's records, in a sentence.
    pub(super) account: String,
    /// By run id, how the changes that the run makes to its Slurm site are made there, and what users have to do.
    pub(super) to_do: BTreeMap<String, (Patch, String)>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct PartResults {
    pub(super) reports: Vec<(usize, RunReport)>,
    pub(super) failed: Vec<FailedRun>,
    /// The repeats; those of other parts are missing.
    pub(super) repeated: Option<Repeated>,
    pub(super) failed_repeats: BTreeSet<String>,
    pub(super) waits: BTreeMap<String, GroupedWaits>,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(super) struct ComputedPart {
    pub(super) engine: Engine,
    pub(super) part: Part,
    pub(super) logs: Vec<PartLog>,
    pub(super) results: Vec<PartResults>,
}

impl ComputedPart {
    /// Writes the part. The file is complete or not there.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(super) fn write(&self, path: &Path) -> Result<(), Failure> {
        // plain data with text keys can always be written
        let text = serde_json::to_string(self).unwrap();
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let written = part_file(folder).and_then(|mut file| {
            write!(file, "{MAGIC}{}\n{text}\n", digest(&text))?;
            file.as_file().sync_all()?;
            Ok(file.persist(path)?)
        });
        written.map(drop).map_err(|error| Failure::file(path, &error))
    }

    /// Reads a part that this engine computed.
    ///
    /// # Errors
    /// The file is no part, was cut short or changed, or another engine computed it.
    pub(super) fn read(path: &Path) -> Result<Self, Failure> {
        let text = load::text(path, LARGEST_PART)?;
        let refused = |why: &str| Failure::Input(format!("{}: {why}", path.display()));
        if !text.starts_with(ANY_MAGIC) {
            return Err(refused("this is no part of a study; packfair study STUDY --part I/N writes one"));
        }
        let other = "another version of Packfair computed this part; compute all parts by the same version, or collect \
                     them by that one";
        let rest = text.strip_prefix(MAGIC).ok_or_else(|| refused(other))?;
        let damaged = "this part is damaged: it was cut short or changed; compute it again";
        let (sum, data) = rest.split_once('\n').ok_or_else(|| refused(damaged))?;
        let data = data.strip_suffix('\n').filter(|data| digest(data) == sum).ok_or_else(|| refused(damaged))?;
        // another engine may have other fields, so this is read first
        #[derive(Deserialize)]
        struct Computed {
            engine: Engine,
        }
        let computed: Computed = serde_json::from_str(data).map_err(|_| refused(other))?;
        if computed.engine != Engine::THIS {
            return Err(refused(other));
        }
        let part: ComputedPart = serde_json::from_str(data).map_err(|_| refused(other))?;
        let is_sound = part.part.is_one() && part.results.len() == part.logs.len();
        if is_sound { Ok(part) } else { Err(refused(damaged)) }
    }
}

fn digest(text: &str) -> String {
    format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_in_words() {
        assert_eq!(ranges(&[2]), "2");
        assert_eq!(ranges(&[1, 2, 3, 7, 9, 10]), "1-3, 7, 9-10");
    }

    #[test]
    fn several_logs_have_numbered_files() {
        assert_eq!(numbered(Path::new("out/page.json"), 0, 1), Path::new("out/page.json"));
        assert_eq!(numbered(Path::new("out/page.json"), 1, 2), Path::new("out/page-2.json"));
        assert_eq!(numbered(Path::new("page"), 0, 2), Path::new("page-1"));
    }
}
