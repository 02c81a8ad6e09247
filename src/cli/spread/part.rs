//! The file of a part: a line with a digest of the rest, which is JSON. So a file that was cut short or changed is
//! recognised, and the same part has the same bytes whoever computes it.

use crate::cli::args::Part;
use crate::cli::starts::part_file;
use crate::cli::{Failure, load};
use crate::slurm::Patch;
use crate::study::sureness::Repeated;
use crate::study::table::FailedRun;
use crate::study::{Engine, GroupedWaits, RunReport, Study};
use crate::workload::Summary;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::io::Write as _;
use std::path::Path;

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
