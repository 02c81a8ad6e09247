//! Helpers to run the program and to prepare its input.

use packfair::study::Generated;
use serde_json::Value;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Runs the program.
pub fn packfair(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_packfair")).args(arguments).output().expect("the program starts")
}

/// Runs the program with `input` on its standard input. The program need not read all of it: it may refuse its
/// arguments before.
pub fn with_input(arguments: &[&str], input: &[u8]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_packfair"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    if let Err(error) = child.stdin.take().expect("a pipe").write_all(input) {
        assert_eq!(error.kind(), ErrorKind::BrokenPipe, "{error}");
    }
    child.wait_with_output().expect("it ends")
}

/// Printed bytes as text.
pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).expect("UTF-8")
}

/// The output of a run, which must have succeeded.
pub fn stdout(output: &Output) -> &str {
    assert!(output.status.success(), "{}", text(&output.stderr));
    text(&output.stdout)
}

/// The message with which a command refused its input.
pub fn refusal(output: &Output) -> &str {
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stdout));
    assert!(output.stdout.is_empty());
    text(&output.stderr)
}

/// A folder for a test's files, which is removed with the value.
pub struct Folder(PathBuf);

impl Folder {
    /// The folder of the test with this name.
    pub fn new(test: &str) -> Self {
        let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{test}-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder for files");
        Folder(folder)
    }

    /// The path of a file in the folder, whether or not it exists.
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("UTF-8").to_owned()
    }

    /// Writes a file with this content into the folder, and returns its path.
    pub fn write(&self, name: &str, content: &[u8]) -> String {
        std::fs::write(self.0.join(name), content).expect("a file is written");
        self.path(name)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // what cannot be removed stays in target/ and does no harm
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// The jobs of [`log`].
pub const GENERATED: Generated = Generated::Lublin { jobs: 300, processors: 64, seed: 7 };

/// A generated log, as the program writes it.
pub fn log() -> Vec<u8> {
    let output = packfair(&["generate", "lublin", "--jobs", "300", "--procs", "64", "--seed", "7"]);
    stdout(&output).as_bytes().to_vec()
}

/// The results of `run` on a log.
pub fn run_json(log: &[u8], arguments: &[&str]) -> Vec<Value> {
    let output = with_input(&[&["run", "-", "--format", "json"], arguments].concat(), log);
    serde_json::from_str(stdout(&output)).expect("JSON")
}
