//! The folder of a spread study: its files, and how several processes work in it safely.
//!
//! `study.json` contains the study, `logs.json` describes its logs, `results/ID.json` contains a finished run,
//! `failed/ID.json` says why a run failed, and `parts-N.json` lists the runs of each of N shares. Every file is either
//! complete or absent: it is written under another name, flushed to disk, and renamed. A result contains the id of its
//! run and a checksum. One that is damaged, was edited or belongs to another run counts as missing, and is computed
//! again. The process that computes a run locks `claims/ID` by a lock of the operating system, which is released when
//! the process ends, however it ends: a claim is never stale. If the file system has no locks, two processes may
//! compute the same run; the second result then replaces the first, and is the same.

use super::unit::{SpreadLog, SpreadUnit};
use crate::{Failure, load};
use packfair_study::export::write_study;
use packfair_study::sureness::RepeatedValues;
use packfair_study::{RunReport, Study};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The result of a finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpreadResult {
    /// The name of the run, for the user.
    pub(super) name: String,
    /// How long it took, seconds.
    pub(super) seconds: f64,
    /// The report, for a run on the log itself.
    pub(super) report: Option<RunReport>,
    /// The values, for a run on a repeat.
    pub(super) values: Option<RepeatedValues>,
}

/// The failure of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpreadFailure {
    /// The name of the run, for the user.
    pub(super) name: String,
    /// The reason.
    pub(super) reason: String,
    /// The version of Packfair, if the run failed by a mistake of its own. That version does not try the run again.
    #[serde(default)]
    pub(super) mistake_of: Option<String>,
}

/// The largest file of the folder that is read, besides results, bytes: a study of thousands of logs is far smaller.
const LARGEST_FILE: u64 = 1_000_000_000;

/// The version of Packfair that failures record.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A result in the form of its file.
#[derive(Serialize, Deserialize)]
struct StoredResult {
    /// The id of the run.
    id: String,
    /// The checksum of the id and the result as JSON.
    sum: String,
    result: SpreadResult,
}

impl StoredResult {
    fn of(unit: &SpreadUnit, result: SpreadResult) -> Self {
        StoredResult { id: unit.id.clone(), sum: Self::sum(&unit.id, &result), result }
    }

    fn sum(id: &str, result: &SpreadResult) -> String {
        // plain data with text keys can always be written
        let text = format!("{id} {}", serde_json::to_string(result).unwrap());
        format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }

    /// The result, if it is undamaged and belongs to this run.
    fn checked(self, unit: &SpreadUnit) -> Option<SpreadResult> {
        let StoredResult { id, sum, result } = self;
        (id == unit.id && sum == Self::sum(&id, &result)).then_some(result)
    }
}

/// What the folder contains for a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kept {
    /// The result of the run.
    Result(Box<SpreadResult>),
    /// A file that is not a result of the run: damaged, edited, or of another run.
    Damaged,
    /// Nothing.
    Nothing,
}

/// The folder of a spread study.
#[derive(Debug)]
pub(super) struct SpreadFolder(PathBuf);

/// Ensures that no other process computes a run, until this is dropped.
pub(super) struct Claim {
    path: PathBuf,
    /// The locked file, if the file system has locks.
    _file: File,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // a process that has opened the file meanwhile finds the result once it gets the lock
        let _ = fs::remove_file(&self.path);
    }
}

impl SpreadFolder {
    /// The folder of `study` on these logs, created if necessary.
    ///
    /// # Errors
    /// The folder holds another study, or cannot be written.
    pub(super) fn begin(path: &Path, study: &Study, logs: &[SpreadLog]) -> Result<Self, Failure> {
        let folder = SpreadFolder(path.to_owned());
        for part in ["results", "failed", "claims"] {
            let part = path.join(part);
            fs::create_dir_all(&part).map_err(|error| Failure::file(&part, &error))?;
        }
        let other =
            |what: &str| Failure::Input(format!("{} holds the results of {what}; give another folder", path.display()));
        if folder.text_of("study.json", || write_study(study))? != write_study(study) {
            return Err(other("another study"));
        }
        // plain data with text keys can always be written
        let known = serde_json::to_string(logs).unwrap();
        if folder.text_of("logs.json", || known.clone())? != known {
            return Err(other("other logs, or of another version"));
        }
        Ok(folder)
    }

    /// Opens the folder of a study that was started before. Returns also its logs.
    ///
    /// # Errors
    /// This is not such a folder.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<SpreadLog>), Failure> {
        let folder = SpreadFolder(path.to_owned());
        let logs = path.join("logs.json");
        if !logs.exists() {
            let message = format!(
                "{} is not the folder of a study; packfair study STUDY LOG --into DIR makes one",
                path.display()
            );
            return Err(Failure::Input(message));
        }
        let text = load::text(&logs, LARGEST_FILE)?;
        let logs =
            serde_json::from_str(&text).map_err(|error| Failure::Input(format!("{}: {error}", logs.display())))?;
        Ok((folder, logs))
    }

    /// The path of a file in the folder.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The text of the file with this name. If there is none, it is written first; of several processes, the first
    /// decides.
    pub(super) fn text_of(&self, name: &str, make: impl FnOnce() -> String) -> Result<String, Failure> {
        let path = self.path(name);
        if !path.exists() {
            let file = begun(&self.0).and_then(|mut file| file.write_all(make().as_bytes()).map(|()| file));
            let file = file.map_err(|error| Failure::file(&path, &error))?;
            if let Err(error) = file.persist_noclobber(&path)
                && error.error.kind() != io::ErrorKind::AlreadyExists
            {
                return Err(Failure::file(&path, &error.error));
            }
        }
        load::text(&path, LARGEST_FILE)
    }

    /// Writes a file, and replaces any of the same name.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<(), Failure> {
        let path = self.path(name);
        let folder = path.parent().unwrap_or(&self.0);
        let written = begun(folder).and_then(|mut file| {
            file.write_all(text.as_bytes())?;
            file.as_file().sync_all()?;
            file.persist(&path)?;
            Ok(())
        });
        written.map_err(|error| Failure::file(&path, &error))
    }

    /// Removes partly written files that killed processes have left. To be called when every run is done and no process
    /// writes any more.
    pub(super) fn remove_parts(&self) {
        for part in ["results", "failed"] {
            let files = fs::read_dir(self.path(part)).into_iter().flatten().flatten();
            for file in files.filter(|file| is_part(&file.file_name().to_string_lossy())) {
                // a file that cannot be removed does no harm
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// What the folder contains for a run.
    pub(super) fn kept(&self, unit: &SpreadUnit) -> Kept {
        let name = format!("results/{}.json", unit.id);
        let stored: Option<StoredResult> = self.read(&name);
        match stored.and_then(|stored| stored.checked(unit)) {
            Some(result) => Kept::Result(Box::new(result)),
            None if self.path(&name).exists() => Kept::Damaged,
            None => Kept::Nothing,
        }
    }

    /// The result of a run; `None` if it is absent or damaged, so that it is computed again.
    pub(super) fn result(&self, unit: &SpreadUnit) -> Option<SpreadResult> {
        match self.kept(unit) {
            Kept::Result(result) => Some(*result),
            Kept::Damaged | Kept::Nothing => None,
        }
    }

    /// Whether there is a result of a run.
    pub(super) fn has(&self, unit: &SpreadUnit) -> bool {
        self.result(unit).is_some()
    }

    /// Whether this version of Packfair has failed at a run by a mistake of its own, and would fail again.
    pub(super) fn is_hopeless(&self, unit: &SpreadUnit) -> bool {
        self.failure(unit).is_some_and(|failure| failure.mistake_of.as_deref() == Some(VERSION))
    }

    /// Why a run failed, if it did.
    pub(super) fn failure(&self, unit: &SpreadUnit) -> Option<SpreadFailure> {
        self.read(&format!("failed/{}.json", unit.id))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(name)).ok()?).ok()
    }

    /// Stores the result or the failure of a run.
    pub(super) fn keep(&self, unit: &SpreadUnit, end: Result<SpreadResult, SpreadFailure>) -> Result<(), Failure> {
        let failed = format!("failed/{}.json", unit.id);
        // plain data with text keys can always be written
        match end {
            Ok(result) => {
                self.write(
                    &format!("results/{}.json", unit.id),
                    &serde_json::to_string(&StoredResult::of(unit, result)).unwrap(),
                )?;
                // an earlier failure no longer matters; usually there is none
                let _ = fs::remove_file(self.path(&failed));
                Ok(())
            }
            Err(failure) => self.write(&failed, &serde_json::to_string(&failure).unwrap()),
        }
    }

    /// Claims a run; `None` if another process has it, or if it is done.
    pub(super) fn claim(&self, unit: &SpreadUnit) -> Result<Option<Claim>, Failure> {
        if self.has(unit) {
            return Ok(None);
        }
        let path = self.path(&format!("claims/{}", unit.id));
        if path.is_symlink() {
            let message = format!("{} is a symbolic link, which must not be there; delete it", path.display());
            return Err(Failure::Input(message));
        }
        // an existing file keeps its content
        let opened = File::options().write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| Failure::file(&path, &error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(None);
        }
        let claim = Claim { path, _file: file };
        // the run may have been finished between the first check and the lock
        Ok((!self.has(unit)).then_some(claim))
    }
}

/// The beginning and the end of the names of files that are being written.
const PART: (&str, &str) = (".packfair-", ".part");

fn is_part(name: &str) -> bool {
    name.starts_with(PART.0) && name.ends_with(PART.1)
}

/// A file under a temporary name, with the permissions of any new file. It is deleted unless it gets its final name.
fn begun(folder: &Path) -> io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    builder.prefix(PART.0).suffix(PART.1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}
