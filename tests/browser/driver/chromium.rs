//! Chromium: chromedriver, its sessions, and the commands that WebDriver itself does not have.

use super::{Compiling, Further, Server, connect};
use fantoccini::Client;
use fantoccini::wd::Capabilities;
use serde_json::{Value, json};
use std::sync::LazyLock;

/// The flags for Chromium besides those in `webdriver.json`.
const MORE_FLAGS: &[&str] = &["--force-color-profile=srgb", "--hide-scrollbars", "--window-size=1440,900"];

/// The flag of [`Compiling::Quickly`].
const COMPILING_QUICKLY: &str = "--js-flags=--liftoff-only";

/// Chromium without windows, which shows the same pages for a third of the processor's time. Debian's command of that name is a
/// script, and who ends it leaves the browser behind.
const SHELL: &str = "/usr/lib/chromium/chromium-headless-shell";

/// Whether [`SHELL`] is there and of chromedriver's version. Without it chromedriver looks for a Chromium or Chrome.
static HAS_SHELL: LazyLock<bool> =
    LazyLock::new(|| major(SHELL).is_some_and(|shell| Some(shell) == major("chromedriver")));

/// A running chromedriver, which opens any number of browsers.
pub struct Chromium {
    server: Server,
    compiling: Compiling,
}

impl Chromium {
    /// Starts a chromedriver.
    pub async fn start(compiling: Compiling) -> Chromium {
        let server = Server::start("chromedriver", &["--port=0"], "started successfully on port ").await;
        Chromium { server, compiling }
    }

    /// The memory that the pages of its browsers hold, including workers and WebAssembly, bytes; none where the system
    /// does not tell.
    pub fn memory_of_pages(&self) -> Option<u64> {
        let all = processes();
        let mut family = vec![self.server.process()?];
        let mut at = 0;
        while at < family.len() {
            let of = family[at];
            family.extend(all.iter().filter(|(_, parent)| *parent == of).map(|(process, _)| *process));
            at += 1;
        }
        let pages = family.into_iter().filter(|process| is_of_a_page(*process));
        Some(pages.filter_map(held_by).sum()).filter(|bytes| *bytes > 0)
    }

    /// Opens a Chromium with a fresh profile.
    pub async fn open(&self) -> Client {
        connect(&self.server, capabilities(self.compiling)).await
    }
}

fn capabilities(compiling: Compiling) -> Capabilities {
    let text = include_str!("../../../webdriver.json");
    let mut all: Capabilities = serde_json::from_str(text).expect("webdriver.json is JSON");
    let flags = all["goog:chromeOptions"]["args"].as_array_mut().expect("webdriver.json has a list of flags");
    flags.extend(MORE_FLAGS.iter().map(|&flag| Value::from(flag)));
    if matches!(compiling, Compiling::Quickly) {
        flags.push(COMPILING_QUICKLY.into());
    }
    if *HAS_SHELL {
        all["goog:chromeOptions"]["binary"] = json!(SHELL);
    }
    all.insert("goog:loggingPrefs".to_owned(), json!({ "browser": "ALL" }));
    all
}

/// The first number of a program's version.
fn major(program: &str) -> Option<u32> {
    let output = std::process::Command::new(program).arg("--version").output().ok()?;
    let version = String::from_utf8(output.stdout).ok()?;
    version.split(|c: char| !c.is_ascii_digit()).find(|part| !part.is_empty())?.parse().ok()
}

/// The entries of the console since the last call, a line for each, which begins with its level.
pub async fn console(client: &Client) -> Vec<String> {
    let log = client.issue_cmd(Further { path: "se/log", body: json!({ "type": "browser" }) }).await;
    let entries = log.expect("chromedriver gives the console's log");
    let line = |entry: &Value| {
        format!("{}: {}", entry["level"].as_str().unwrap_or(""), entry["message"].as_str().unwrap_or(""))
    };
    entries.as_array().into_iter().flatten().map(line).collect()
}

/// A command of Chromium's own protocol.
pub async fn devtools(client: &Client, command: &str, parameters: Value) -> Value {
    let body = json!({ "cmd": command, "params": parameters });
    let answer = client.issue_cmd(Further { path: "goog/cdp/execute", body }).await;
    answer.unwrap_or_else(|e| panic!("{command}: {e}"))
}

/// All processes of the machine, each with its parent, where the system has `/proc`.
fn processes() -> Vec<(u32, u32)> {
    let of = |folder: std::fs::DirEntry| {
        let process = folder.file_name().to_str()?.parse().ok()?;
        let parent = status(process, "PPid:")?.parse().ok()?;
        Some((process, parent))
    };
    std::fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(of).collect()
}

fn status(process: u32, name: &str) -> Option<String> {
    let status = std::fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.lines().find_map(|line| line.strip_prefix(name)).map(|value| value.trim().to_owned())
}

/// Whether a process of Chromium shows a page, with its workers.
fn is_of_a_page(process: u32) -> bool {
    let command = std::fs::read(format!("/proc/{process}/cmdline")).unwrap_or_default();
    memchr::memmem::find(&command, b"--type=renderer").is_some()
}

/// The memory of a process that does not belong to files, bytes.
fn held_by(process: u32) -> Option<u64> {
    let kib: u64 = status(process, "RssAnon:")?.trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
