//! The programs that speak WebDriver: starting them, and where they listen.

use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How often a server is started that ends at once.
const ATTEMPTS: u32 = 5;

/// A running server. It ends when dropped.
pub struct Server {
    url: String,
    process: Child,
}

impl Server {
    /// Starts a server on a port that is free; `before_port` is what it says before the port's number.
    pub async fn start(program: &str, arguments: &[&str], before_port: &str) -> Server {
        for _ in 0..ATTEMPTS {
            if let Some(server) = Self::try_start(program, arguments, before_port).await {
                return server;
            }
        }
        panic!("{program} ended at once, {ATTEMPTS} times: see what `{program} {}` says", arguments.join(" "));
    }

    /// The same; none where it has ended, for the port that it had found free was another's by then.
    async fn try_start(program: &str, arguments: &[&str], before_port: &str) -> Option<Server> {
        let mut process = Command::new(program)
            .args(arguments)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .kill_on_drop(true)
            .spawn()
            .unwrap_or_else(|e| panic!("{program} cannot be started ({e}): run `scripts/setup`"));
        let mut said = BufReader::new(process.stdout.take().expect("its output is piped"));
        let mut line = String::new();
        while said.read_line(&mut line).await.expect("the server's output is text") > 0 {
            if let Some((_, port)) = line.split_once(before_port) {
                let url = format!("http://127.0.0.1:{}", port.trim_end().trim_end_matches('.'));
                // whoever writes where nobody reads may fail; it ends with the process, well or not
                tokio::spawn(async move { tokio::io::copy(&mut said, &mut tokio::io::sink()).await });
                return Some(Server { url, process });
            }
            line.clear();
        }
        None
    }

    /// Where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The number of its process; none where it has ended.
    pub fn process(&self) -> Option<u32> {
        self.process.id()
    }
}
