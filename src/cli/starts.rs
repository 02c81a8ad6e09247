//! Files of starts: each is whole or not there.
//!
//! A file is written beside its place and renamed when it is whole. Where the program is interrupted, it says which
//! runs have ended and which files are whole, and takes away what it had begun.

use super::{Failure, complain};
use crate::study::{Run, Study};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard};
use tempfile::{Builder, NamedTempFile};

/// As a shell says it of a program that was interrupted.
const INTERRUPTED: i32 = 130;

/// So many files are named in a message.
const NAMED: usize = 8;

/// The files of a study's runs, and how far they are. Its clones are about the same files.
#[derive(Clone)]
pub(super) struct Starts {
    /// Where the files go; none where there are to be none.
    directory: Option<PathBuf>,
    progress: Arc<Mutex<StartsProgress>>,
}

#[derive(Default)]
struct StartsProgress {
    runs: usize,
    ended: usize,
    /// Files that are whole.
    whole: Vec<PathBuf>,
    /// Files that are being written, beside their places.
    begun: Vec<PathBuf>,
    failures: Vec<String>,
}

impl Starts {
    /// For the runs of a study, in `directory`, which is made where there is none.
    pub(super) fn of(study: &Study, directory: Option<&Path>) -> Result<Self, Failure> {
        if let Some(directory) = directory {
            fs::create_dir_all(directory).map_err(|error| Failure::file(directory, &error))?;
        }
        let progress = StartsProgress { runs: study.runs().len(), ..StartsProgress::default() };
        Ok(Starts { directory: directory.map(Path::to_owned), progress: Arc::new(Mutex::new(progress)) })
    }

    /// From now on, an interruption is answered as above. Whoever started the program may have it ignore them
    /// (`nohup`): that stays so.
    pub(super) fn answer_interruptions(&self) {
        let starts = self.clone();
        let answer = move || {
            // held to the end, so that no file is renamed meanwhile
            let progress = starts.progress();
            for begun in &progress.begun {
                // what cannot be taken away has a name that nobody takes for a result's
                let _ = fs::remove_file(begun);
            }
            complain(&progress.said());
            std::process::exit(INTERRUPTED);
        };
        // where it is refused, the program ends at once, and all that is lost is what is said
        let _ = ctrlc::set_handler(answer);
    }

    /// A run has ended: these are its files, with what follows the run's name in theirs.
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

    /// A file beside its place. It goes if it does not get its name.
    fn begin(&self, directory: &Path) -> io::Result<NamedTempFile> {
        let mut progress = self.progress();
        let file = part_file(directory)?;
        progress.begun.push(file.path().to_owned());
        Ok(file)
    }

    /// What could not be written.
    ///
    /// # Errors
    /// The first failure, and how many there were.
    pub(super) fn check(&self) -> Result<(), Failure> {
        let progress = self.progress();
        let Some(first) = progress.failures.first() else { return Ok(()) };
        Err(Failure::File(match progress.failures.len() - 1 {
            0 => first.clone(),
            others => format!("{first}; and so it was with {others} other files"),
        }))
    }

    fn progress(&self) -> MutexGuard<'_, StartsProgress> {
        // nobody panics while holding it
        self.progress.lock().unwrap()
    }
}

/// A new file in a folder, with a name that nobody takes for a result's. It goes if it does not get another.
pub(super) fn part_file(directory: &Path) -> io::Result<NamedTempFile> {
    let mut builder = Builder::new();
    builder.prefix(".packfair-").suffix(".part");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        // as of any other new file
        builder.permissions(fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(directory)
}

impl StartsProgress {
    /// What an interruption leaves.
    fn said(&self) -> String {
        let StartsProgress { runs, ended, whole, .. } = self;
        let mut text = format!("interrupted after {ended} of {runs} runs; no table was printed");
        if !whole.is_empty() {
            let named: Vec<String> = whole.iter().take(NAMED).map(|path| path.display().to_string()).collect();
            let others =
                if whole.len() > NAMED { format!(" and {} others", whole.len() - NAMED) } else { String::new() };
            text.push_str(&format!(". Whole are {}{others}; the other files are missing", named.join(", ")));
        }
        text
    }
}
