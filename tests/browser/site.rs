//! A static host over `dist/`: files, types, and the headers that `dist/_headers` asks for.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_TYPE, HeaderName, HeaderValue};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::collections::HashMap;
use std::convert::Infallible;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running host. It ends when dropped.
pub struct Site {
    address: String,
    files: Arc<Files>,
    server: JoinHandle<()>,
}

/// What a host has.
struct Files {
    folder: String,
    dist: PathBuf,
    /// Sent with every file.
    headers: Vec<(HeaderName, HeaderValue)>,
    /// What was published after the build, by name.
    newer: Mutex<HashMap<String, String>>,
    /// The beginning of the names of lost files.
    lost: Mutex<Option<&'static str>>,
    /// Compressed files by name, for browsers that accept them.
    packed: Mutex<HashMap<String, Bytes>>,
}

impl Site {
    /// Serves `dist/` from `folder`, which begins and ends with a slash; `/` is the root.
    pub async fn start(folder: &str) -> Site {
        let files = Arc::new(Files {
            folder: folder.to_owned(),
            headers: headers(&dist()),
            dist: dist(),
            newer: Mutex::default(),
            lost: Mutex::default(),
            packed: Mutex::default(),
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address").to_string();
        let server = tokio::spawn(serve(listener, files.clone()));
        Site { address, files, server }
    }

    /// Host and port.
    pub fn address(&self) -> &str {
        &self.address
    }

    /// Sends its files compressed from now on, as most hosts do. They are compressed beforehand: who measures how soon a page
    /// is there does not measure this host.
    pub fn pack(&self) {
        let files = std::fs::read_dir(&self.files.dist).expect("a folder").map(|file| file.expect("a file").path());
        let names = files.filter(|file| file.is_file()).filter_map(|file| Some(file.file_name()?.to_str()?.to_owned()));
        let read = |name: &String| std::fs::read(self.files.dist.join(name)).expect("it was there just now");
        let all = names.map(|name| (name.clone(), packed(&read(&name)))).collect();
        *self.files.packed.lock().expect("nobody panics with it in hand") = all;
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.files.folder)
    }

    /// A text file as it was built.
    pub fn built(&self, name: &str) -> String {
        std::fs::read_to_string(self.files.dist.join(name)).expect("the file is part of the page")
    }

    /// Publishes a newer version of a text file, changed by `change`.
    pub fn publish(&self, name: &str, change: impl Fn(String) -> String) {
        let newer = change(self.built(name));
        self.files.newer.lock().expect("nobody panics with it in hand").insert(name.to_owned(), newer);
    }

    /// Loses all files whose names begin with `beginning`, until [`Site::find_again`].
    pub fn lose(&self, beginning: &'static str) {
        *self.files.lost.lock().expect("nobody panics with it in hand") = Some(beginning);
    }

    /// Has all files again.
    pub fn find_again(&self) {
        *self.files.lost.lock().expect("nobody panics with it in hand") = None;
    }

    /// Stops answering, like a host that is out of reach.
    pub async fn stop(&mut self) {
        self.server.abort();
        // the listener is closed once the task has really ended
        let _ = (&mut self.server).await;
    }
}

impl Drop for Site {
    fn drop(&mut self) {
        self.server.abort();
    }
}

/// The built page.
fn dist() -> PathBuf {
    let dist = match std::env::var_os("PACKFAIR_DIST") {
        Some(other) => other.into(),
        None => Path::new(env!("CARGO_MANIFEST_DIR")).join("dist"),
    };
    assert!(dist.join("index.html").is_file(), "the page is not built: run `scripts/build` first");
    dist
}

/// The headers of `_headers`, all of which are for all files.
fn headers(dist: &Path) -> Vec<(HeaderName, HeaderValue)> {
    let text = std::fs::read_to_string(dist.join("_headers")).expect("the build writes it");
    let lines = text.lines().filter_map(|line| line.strip_prefix("  "));
    let header = |line: &str| {
        let (name, value) = line.split_once(": ").expect("a name and a value");
        (name.parse().expect("a name of a header"), value.parse().expect("a value of a header"))
    };
    lines.map(header).collect()
}

async fn serve(listener: TcpListener, files: Arc<Files>) {
    while let Ok((connection, _)) = listener.accept().await {
        let files = files.clone();
        let answer = service_fn(move |request| answer(request, files.clone()));
        tokio::spawn(async move {
            // one request for each connection, so that a stopped host answers nothing more
            let http = hyper::server::conn::http1::Builder::new()
                .keep_alive(false)
                .serve_connection(TokioIo::new(connection), answer);
            // a browser that disconnects in the middle is no error
            let _ = http.await;
        });
    }
}

async fn answer(request: Request<Incoming>, files: Arc<Files>) -> Result<Response<Full<Bytes>>, Infallible> {
    let name = request.uri().path().strip_prefix(&files.folder).filter(|name| !name.contains(".."));
    let name = name.map(|name| if name.is_empty() { "index.html" } else { name });
    let mut response = Response::new(Full::default());
    match name {
        Some(name) if let Some(content) = files.read(name).await => {
            let kind = HeaderValue::from_static(media_type(Path::new(name)));
            response.headers_mut().insert(CONTENT_TYPE, kind);
            // hosts let browsers keep files for a while, the document less long
            let age = if name == "index.html" { "no-cache" } else { "max-age=600" };
            response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static(age));
            response.headers_mut().extend(files.headers.iter().cloned());
            let takes =
                request.headers().get(ACCEPT_ENCODING).and_then(|value| value.to_str().ok()).unwrap_or_default();
            let packed = files.packed.lock().expect("nobody panics with it in hand").get(name).cloned();
            *response.body_mut() = match packed.filter(|_| takes.contains("gzip")) {
                Some(packed) => {
                    response.headers_mut().insert(CONTENT_ENCODING, HeaderValue::from_static("gzip"));
                    Full::new(packed)
                }
                None => Full::new(content),
            };
        }
        _ => *response.status_mut() = StatusCode::NOT_FOUND,
    }
    Ok(response)
}

impl Files {
    async fn read(&self, name: &str) -> Option<Bytes> {
        let lost = *self.lost.lock().expect("nobody panics with it in hand");
        if lost.is_some_and(|beginning| name.starts_with(beginning)) {
            return None;
        }
        let newer = self.newer.lock().expect("nobody panics with it in hand").get(name).cloned();
        match newer {
            Some(text) => Some(Bytes::from(text)),
            None => tokio::fs::read(self.dist.join(name)).await.ok().map(Bytes::from),
        }
    }
}

/// Compresses as hosts do that compress beforehand.
fn packed(content: &[u8]) -> Bytes {
    let mut packed = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(content).expect("memory takes all");
    packed.finish().expect("memory takes all").into()
}

fn media_type(file: &Path) -> &'static str {
    match file.extension().and_then(|extension| extension.to_str()) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("webmanifest") => "application/manifest+json",
        _ => "application/octet-stream",
    }
}
