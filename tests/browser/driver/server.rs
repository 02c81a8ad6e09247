//! Starts the programs that speak WebDriver, and finds where they listen.

use std::process::Stdio;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};

/// How often a server is started again that ends at once.
const ATTEMPTS: u32 = 5;

/// A running server. It ends when dropped.
pub struct Server {
    url: String,
    process: Child,
}

impl Server {
    /// Starts a server on a free port. `before_port` is the text that it prints before the port's number.
    pub async fn start(program: &str, arguments: &[&str], before_port: &str) -> Server {
        for _ in 0..ATTEMPTS {
            if let Some(server) = Self::try_start(program, arguments, before_port).await {
                return server;
            }
        }
        panic!("{program} ended at once, {ATTEMPTS} times: see what `{program} {}` says", arguments.join(" "));
    }

    /// Tries to start a server once; none where it has ended, because another program took the port that was free.
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
                // reads on, because a program may fail if nobody reads its output; the task ends with the process
                tokio::spawn(async move { tokio::io::copy(&mut said, &mut tokio::io::sink()).await });
                return Some(Server { url, process });
            }
            line.clear();
        }
        None
    }

    /// The address where it listens.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// The number of its process; none where it has ended.
    pub fn process(&self) -> Option<u32> {
        self.process.id()
    }
}
