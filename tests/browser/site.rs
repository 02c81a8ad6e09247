//! A static host over `dist/`, as plain as the plainest there is: files, types, nothing else.

use http_body_util::Full;
use hyper::body::{Bytes, Incoming};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE};
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// A running host. It ends when dropped.
pub struct Site {
    address: String,
    folder: String,
    server: JoinHandle<()>,
}

impl Site {
    /// Serves `dist/` from `folder`, which begins and ends with a slash; `/` is the root.
    pub async fn start(folder: &str) -> Site {
        let root = dist();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("a bound socket has an address").to_string();
        let server = tokio::spawn(serve(listener, root, Arc::from(folder)));
        Site { address, folder: folder.to_owned(), server }
    }

    /// Where the page is.
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, self.folder)
    }

    /// Answers nobody any more, as a host that is out of reach.
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
    let dist = Path::new(env!("CARGO_MANIFEST_DIR")).join("dist");
    assert!(dist.join("index.html").is_file(), "the page is not built: run `scripts/build` first");
    dist
}

async fn serve(listener: TcpListener, root: PathBuf, folder: Arc<str>) {
    while let Ok((connection, _)) = listener.accept().await {
        let (root, folder) = (root.clone(), folder.clone());
        let answer = service_fn(move |request| answer(request, root.clone(), folder.clone()));
        tokio::spawn(async move {
            // one request a connection, so that a host that stops has really stopped
            let http = hyper::server::conn::http1::Builder::new()
                .keep_alive(false)
                .serve_connection(TokioIo::new(connection), answer);
            // a browser that goes away in the middle is no concern of the host
            let _ = http.await;
        });
    }
}

async fn answer(
    request: Request<Incoming>,
    root: PathBuf,
    folder: Arc<str>,
) -> Result<Response<Full<Bytes>>, Infallible> {
    let name =
        request.uri().path().strip_prefix(&*folder).map(|name| if name.is_empty() { "index.html" } else { name });
    let file = name.filter(|name| !name.contains("..")).map(|name| root.join(name));
    let content = match &file {
        Some(file) => tokio::fs::read(file).await.ok(),
        None => None,
    };
    let mut response = Response::new(Full::new(Bytes::from(content.clone().unwrap_or_default())));
    match (content, file) {
        (Some(_), Some(file)) => {
            let kind = media_type(&file).parse().expect("media types are valid header values");
            response.headers_mut().insert(CONTENT_TYPE, kind);
            // hosts let browsers keep files for a while; the page must live with that
            response.headers_mut().insert(CACHE_CONTROL, hyper::header::HeaderValue::from_static("max-age=600"));
        }
        _ => *response.status_mut() = StatusCode::NOT_FOUND,
    }
    Ok(response)
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
