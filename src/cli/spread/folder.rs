//! The folder of a spread study: what it holds, and how several processes work in it without harm.
//!
//! `study.json` is the study, `logs.json` what its logs are, `results/ID.json` a finished run, `failed/ID.json` why one
//! failed, `parts-N.json` which run is in which of N shares. Every file is whole or not there: it is written beside its
//! place, written out to the disk, and renamed. A result stands with the id of its run and a check sum: one that is damaged,
//! changed by hand or of another run counts as missing, and is computed again. Who computes a run holds a lock of the operating system on `claims/ID`, which is gone with the
//! process, however it ends: a claim is never stale. Where the file system has no locks, two processes may compute the
//! same run; the second result then takes the place of the first, and is the same.

use super::unit::{SpreadLog, SpreadUnit};
use crate::cli::{Failure, load};
use crate::study::export::write_study;
use crate::study::sureness::RepeatedValues;
use crate::study::{RunReport, Study};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fs::{self, File, TryLockError};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A finished run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpreadResult {
    /// Which, for a person.
    pub(super) name: String,
    /// How long it took, seconds.
    pub(super) seconds: f64,
    /// What came out on the log itself.
    pub(super) report: Option<RunReport>,
    /// What came out on a repeat.
    pub(super) values: Option<RepeatedValues>,
}

/// A run that failed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct SpreadFailure {
    /// Which, for a person.
    pub(super) name: String,
    /// Why.
    pub(super) reason: String,
    /// Where it was a mistake of Packfair's own: of which version. That version does not try it again.
    #[serde(default)]
    pub(super) mistake_of: Option<String>,
}

/// Most bytes of a file that is read of the folder, besides results: a study of thousands of logs has far less.
const LARGEST_FILE: u64 = 1_000_000_000;

/// This version of Packfair, as failures name it.
pub(super) const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A result as it stands in its file.
#[derive(Serialize, Deserialize)]
struct StoredResult {
    /// Of which run.
    id: String,
    /// Over the id and the result, as JSON.
    sum: String,
    result: SpreadResult,
}

impl StoredResult {
    fn of(unit: &SpreadUnit, result: SpreadResult) -> Self {
        StoredResult { id: unit.id.clone(), sum: Self::sum(&unit.id, &result), result }
    }

    fn sum(id: &str, result: &SpreadResult) -> String {
        // plain data under keys that are text, so this does not fail
        let text = format!("{id} {}", serde_json::to_string(result).unwrap());
        format!("{:032x}", xxhash_rust::xxh3::xxh3_128(text.as_bytes()))
    }

    /// The result, if it is whole and of this run.
    fn checked(self, unit: &SpreadUnit) -> Option<SpreadResult> {
        let StoredResult { id, sum, result } = self;
        (id == unit.id && sum == Self::sum(&id, &result)).then_some(result)
    }
}

/// What there is of a run.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Kept {
    /// Its result.
    Result(Box<SpreadResult>),
    /// A file that is no result of it: damaged, changed, or of another run.
    Damaged,
    /// Nothing.
    Nothing,
}

/// The folder.
#[derive(Debug)]
pub(super) struct SpreadFolder(PathBuf);

/// That nobody else computes a run, until this is dropped.
pub(super) struct Claim {
    path: PathBuf,
    /// Locked, where the file system has locks.
    _file: File,
}

impl Drop for Claim {
    fn drop(&mut self) {
        // Who has opened it meanwhile finds the result once the lock is theirs.
        let _ = fs::remove_file(&self.path);
    }
}

impl SpreadFolder {
    /// The folder of `study` on these logs, made where there is none.
    ///
    /// # Errors
    /// Where it holds another study, or cannot be written.
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
        // plain data under keys that are text, so this does not fail
        let known = serde_json::to_string(logs).unwrap();
        if folder.text_of("logs.json", || known.clone())? != known {
            return Err(other("other logs, or of another version"));
        }
        Ok(folder)
    }

    /// A folder that was begun before, and its logs.
    ///
    /// # Errors
    /// Where it is not one.
    pub(super) fn open(path: &Path) -> Result<(Self, Vec<SpreadLog>), Failure> {
        let folder = SpreadFolder(path.to_owned());
        let logs = path.join("logs.json");
        if !logs.exists() {
            let message =
                format!("{} is no folder of a study; packfair study STUDY LOG --into DIR begins one", path.display());
            return Err(Failure::Input(message));
        }
        let text = load::text(&logs, LARGEST_FILE)?;
        let logs =
            serde_json::from_str(&text).map_err(|error| Failure::Input(format!("{}: {error}", logs.display())))?;
        Ok((folder, logs))
    }

    /// A file of it.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The text of a file of that name, written first where there is none. Whoever is first decides.
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

    /// Writes a file, in place of one of that name.
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

    /// Removes what killed processes have left of files that they were writing. For when every run is done: then nobody
    /// writes any more.
    pub(super) fn remove_parts(&self) {
        for part in ["results", "failed"] {
            let files = fs::read_dir(self.path(part)).into_iter().flatten().flatten();
            for file in files.filter(|file| is_part(&file.file_name().to_string_lossy())) {
                // one that cannot be removed does no harm
                let _ = fs::remove_file(file.path());
            }
        }
    }

    /// What there is of a run.
    pub(super) fn kept(&self, unit: &SpreadUnit) -> Kept {
        let name = format!("results/{}.json", unit.id);
        let stored: Option<StoredResult> = self.read(&name);
        match stored.and_then(|stored| stored.checked(unit)) {
            Some(result) => Kept::Result(Box::new(result)),
            None if self.path(&name).exists() => Kept::Damaged,
            None => Kept::Nothing,
        }
    }

    /// The result of a run; none where it is not there, or not whole: then it is computed again.
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

    /// Whether this version of Packfair has failed at a run by a mistake of its own, and would again.
    pub(super) fn is_hopeless(&self, unit: &SpreadUnit) -> bool {
        self.failure(unit).is_some_and(|failure| failure.mistake_of.as_deref() == Some(VERSION))
    }

    /// Why a run failed, where it did.
    pub(super) fn failure(&self, unit: &SpreadUnit) -> Option<SpreadFailure> {
        self.read(&format!("failed/{}.json", unit.id))
    }

    fn read<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_slice(&fs::read(self.path(name)).ok()?).ok()
    }

    /// Notes the end of a run.
    pub(super) fn keep(&self, unit: &SpreadUnit, end: Result<SpreadResult, SpreadFailure>) -> Result<(), Failure> {
        let failed = format!("failed/{}.json", unit.id);
        // plain data under keys that are text, so neither fails
        match end {
            Ok(result) => {
                self.write(
                    &format!("results/{}.json", unit.id),
                    &serde_json::to_string(&StoredResult::of(unit, result)).unwrap(),
                )?;
                // an earlier failure is of no interest any more; mostly there is none
                let _ = fs::remove_file(self.path(&failed));
                Ok(())
            }
            Err(failure) => self.write(&failed, &serde_json::to_string(&failure).unwrap()),
        }
    }

    /// Claims a run; none where somebody else has it, or it is done.
    pub(super) fn claim(&self, unit: &SpreadUnit) -> Result<Option<Claim>, Failure> {
        if self.has(unit) {
            return Ok(None);
        }
        let path = self.path(&format!("claims/{}", unit.id));
        if path.is_symlink() {
            let message = format!("{} is a symbolic link, which nobody needs there; take it away", path.display());
            return Err(Failure::Input(message));
        }
        // what is there is not emptied
        let opened = File::options().write(true).create(true).truncate(false).open(&path);
        let file = opened.map_err(|error| Failure::file(&path, &error))?;
        if let Err(TryLockError::WouldBlock) = file.try_lock() {
            return Ok(None);
        }
        let claim = Claim { path, _file: file };
        // it may have been finished between the first look and the lock
        Ok((!self.has(unit)).then_some(claim))
    }
}

/// How the name of a file begins and ends that is still written.
const PART: (&str, &str) = (".packfair-", ".part");

fn is_part(name: &str) -> bool {
    name.starts_with(PART.0) && name.ends_with(PART.1)
}

/// A file beside its place, readable as any other. It goes if it does not get its name.
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
