//! A simulated line between a browser and a host, as slow as a visitor's.

use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until};

/// How many bytes are sent at a time. The connections take turns with pieces of about this size on a real line.
const PIECE: usize = 4096;

/// A line to a host. It ends when dropped.
pub struct Line {
    address: String,
    wire: Arc<Wire>,
    server: JoinHandle<()>,
}

/// The state that all connections share.
struct Wire {
    /// The rate, bytes per second.
    rate: f64,
    /// The time from one end to the other and back.
    latency: Duration,
    sent: Mutex<Sent>,
}

/// What has arrived at the browser.
struct Sent {
    /// When the wire is free again.
    free: Instant,
    /// For each piece, when it had arrived, and how many bytes had arrived with it in all.
    course: Vec<(Instant, usize)>,
}

impl Line {
    /// A line to `host`, with this rate from the host, bits per second, and this latency there and back.
    pub async fn to(host: &str, bits: f64, latency: Duration) -> Line {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address").to_string();
        let sent = Mutex::new(Sent { free: Instant::now(), course: Vec::new() });
        let wire = Arc::new(Wire { rate: bits / 8.0, latency, sent });
        let server = tokio::spawn(serve(listener, host.to_owned(), wire.clone()));
        Line { address, wire, server }
    }

    /// The host's address as it is seen through the line.
    pub fn url(&self) -> String {
        format!("http://{}/", self.address)
    }

    /// How many bytes had arrived within `after` of the first.
    pub fn came_within(&self, after: Duration) -> usize {
        let sent = self.wire.sent.lock().expect("nobody panics with it in hand");
        let Some((first, _)) = sent.course.first() else { return 0 };
        let until = *first + after;
        sent.course.iter().take_while(|(at, _)| *at <= until).last().map_or(0, |(_, bytes)| *bytes)
    }

    /// Begins the count anew.
    pub fn begin(&self) {
        self.wire.sent.lock().expect("nobody panics with it in hand").course.clear();
    }
}

impl Drop for Line {
    fn drop(&mut self) {
        self.server.abort();
    }
}

async fn serve(listener: TcpListener, host: String, wire: Arc<Wire>) {
    while let Ok((browser, _)) = listener.accept().await {
        let (host, wire) = (host.clone(), wire.clone());
        tokio::spawn(async move {
            let Ok(host) = TcpStream::connect(host).await else { return };
            let (from_browser, to_browser) = browser.into_split();
            let (from_host, to_host) = host.into_split();
            // requests of a browser are short: only the latency counts for them
            let asked = tokio::spawn(copy(from_browser, to_host, None));
            copy(from_host, to_browser, Some(wire)).await;
            asked.abort();
        });
    }
}

/// Copies bytes until either end is gone; over the wire in pieces, each when its turn comes.
async fn copy(mut from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin, wire: Option<Arc<Wire>>) {
    let mut piece = [0; PIECE];
    let mut is_first = true;
    while let Ok(read @ 1..) = from.read(&mut piece).await {
        if let Some(wire) = &wire {
            if std::mem::take(&mut is_first) {
                tokio::time::sleep(wire.latency).await;
            }
            sleep_until(wire.turn(read)).await;
        }
        if to.write_all(&piece[..read]).await.is_err() {
            return;
        }
    }
    // an end that is gone already need not be told
    let _ = to.shutdown().await;
}

impl Wire {
    /// When these bytes will have arrived if they are sent now.
    fn turn(&self, bytes: usize) -> Instant {
        let mut sent = self.sent.lock().expect("nobody panics with it in hand");
        let come = sent.free.max(Instant::now()) + Duration::from_secs_f64(bytes as f64 / self.rate);
        sent.free = come;
        let all = sent.course.last().map_or(0, |(_, bytes)| *bytes) + bytes;
        sent.course.push((come, all));
        come
    }
}
