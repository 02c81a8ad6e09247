//! Files of starts. Each file is either complete or absent.
//!
//! A file is written under a temporary name and renamed when it is complete. If the program is interrupted, it reports
//! which runs have ended and which files are complete, and deletes incomplete files.

use super::{Failure, complain};
use crate::study::{Run, Study};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tempfile::{Builder, NamedTempFile};

/// The exit code that shells use for an interrupted program.
const INTERRUPTED: i32 = 130;

/// The largest number of files that a message names.
const NAMED: usize = 8;

/// The files of a study's runs, and their progress. Clones share the same files.
#[derive(Clone)]
pub(super) struct Starts {
    /// The directory of the files; `None` if no files are to be written.
    directory: Option<PathBuf>,
    progress: Arc<Mutex<StartsProgress>>,
}

#[derive(Default)]
struct StartsProgress {
    runs: usize,
    ended: usize,
    whole: Vec<PathBuf>,
    /// The files that are being written, under their temporary names.
    begun: Vec<PathBuf>,
    failures: Vec<String>,
}

impl Starts {
    /// The files for the runs of a study in `directory`, which is created if necessary.
    pub(super) fn of(study: &Study, directory: Option<&Path>) -> Result<Self, Failure> {
        if let Some(directory) = directory {
            fs::create_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        }
        let progress = StartsProgress { runs: study.runs().len(), ..StartsProgress::default() };
        Ok(Starts { directory: directory.map(Path::to_owned), progress: Arc::new(Mutex::new(progress)) })
    }

    /// Makes an interruption report and clean up as described above. If interruptions are ignored (`nohup`), they still
    /// are.
    pub(super) fn answer_interruptions(&self) {
        let starts = self.clone();
        let answer = move || {
            // held until the end, so that no file is renamed meanwhile
            let progress = starts.progress();
            for begun in &progress.begun {
                // a file that cannot be deleted has a name that cannot be mistaken for a result
                let _ = fs::remove_file(begun);
            }
            complain(&progress.said());
            std::process::exit(INTERRUPTED);
        };
        // if the handler cannot be set, an interruption ends the program at once without a report
        let _ = ctrlc::set_handler(answer);
    }

    /// Writes the files of a run that has ended. Each comes with the ending of its name after the run's name.
    pub(super) fn keep(&self, run: &Run, files: impl FnOnce() -> Vec<(&'static str, Vec<u8>)>) {
        if let Some(directory) = &self.directory {
            for (ending, content) in files() {
                let path = directory.join(format!("{}{ending}", run.file_stem()));
                if let Err(error) = self.write(directory, &path, &content) {
                    self.progress().failures.push(Failure::file(&path, &error).to_string());
                }
            }
        }
        self.progress().ended += 1;
    }

    fn write(&self, directory: &Path, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut file = self.begin(directory)?;
        let begun = file.path().to_owned();
        let written = file.write_all(content).and_then(|()| file.as_file().sync_all());
        let mut progress = self.progress();
        progress.begun.retain(|other| *other != begun);
        written?;
        file.persist(path)?;
        progress.whole.push(path.to_owned());
        Ok(())
    }

    /// Creates a file under a temporary name. It is deleted unless it gets its final name.
    fn begin(&self, directory: &Path) -> io::Result<NamedTempFile> {
        let mut progress = self.progress();
        let file = part_file(directory)?;
        progress.begun.push(file.path().to_owned());
        Ok(file)
    }

    /// Checks whether all files could be written.
    ///
    /// # Errors
    /// The first failure, and the number of failures.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let progress = self.progress();
        let Some(first) = progress.failures.first() else { return Ok(()) };
        Err(Failure::File(match progress.failures.len() - 1 {
            0 => first.clone(),
            others => format!("{first}; nor could {others} other files be written"),
        }))
    }

    fn progress(&self) -> MutexGuard<'_, StartsProgress> {
        // no thread panics while holding the lock
        self.progress.lock().unwrap()
    }
}

/// A new file in a folder, with a name that cannot be mistaken for a result. It is deleted unless it gets another name.
pub(super) fn part_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".packfair-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // the same permissions as any other new file
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

impl StartsProgress {
    /// The message after an interruption.
    fn said(&self) -> String {
        let StartsProgress { runs, ended, whole, .. } = self;
        let mut text = format!("interrupted after {ended} of {runs} runs; no table was printed");
        if !whole.is_empty() {
            let named: Vec<String> = whole.iter().take(NAMED).map(|path| path.display().to_string()).collect();
            let others =
                if whole.len() > NAMED { format!(" and {} others", whole.len() - NAMED) } else { String::new() };
            text.push_str(&format!(". Complete: {}{others}; the other files are missing", named.join(", ")));
        }
        text
    }
}
