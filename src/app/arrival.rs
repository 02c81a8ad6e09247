//! A log that has just come: it survives a reload from its first moment.
//!
//! Writing a large file takes a browser about as long as reading it here, and what a page writes ends with the page.
//! So the service worker writes it, which goes on when the page is loaded again; where there is none, the page does.

use super::{database, remembered, store};
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Object, Reflect};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::{Blob, ServiceWorker};

/// Under which this tab remembers what it is reading.
const KEY: &str = "packfair.arriving";

/// How often to look whether the service worker has written a file, and how long.
const GLANCE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(30);

/// A file that is being read, as far as a page that is loaded again has to know.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    /// What it is called.
    pub name: String,
    /// Under which its content is written.
    pub content: store::ContentKey,
    /// Whether the service worker writes it.
    is_handed_over: bool,
}

impl Arrival {
    /// Of a file that has just come. Remembered at once, and its content is on its way when this returns.
    pub fn begin(name: String, content: &Blob) -> Arrival {
        let mut arrival = Arrival { name, content: store::new_content_key(), is_handed_over: false };
        if let Some(worker) = service_worker() {
            arrival.is_handed_over = worker.post_message(&arrival.request(content)).is_ok();
        }
        remembered::set_of_tab(KEY, &arrival);
        arrival
    }

    /// What this tab was reading when it was loaded again.
    pub fn interrupted() -> Option<Arrival> {
        remembered::get_of_tab(KEY)
    }

    /// It is read and remembered, or cannot be.
    pub fn end(&self) {
        if Arrival::interrupted().as_ref() == Some(self) {
            remembered::forget_of_tab(KEY);
        }
    }

    /// Sees to it that its content is written.
    ///
    /// # Errors
    /// In words: the browser did not store it.
    pub async fn write(&self, content: &Blob) -> database::Result<()> {
        // a service worker of an older build knows nothing of requests
        if self.is_handed_over && self.written().await?.is_some() {
            Ok(())
        } else {
            store::put_content(&self.content, content).await
        }
    }

    /// Its content, once it is written; none where it will not be.
    ///
    /// # Errors
    /// In words: the browser does not say what it has stored.
    pub async fn written(&self) -> database::Result<Option<Blob>> {
        let mut glances = if self.is_handed_over { PATIENCE.as_millis() / GLANCE.as_millis() } else { 1 };
        loop {
            let content = store::content(&self.content).await?;
            glances -= 1;
            if content.is_some() || glances == 0 {
                return Ok(content);
            }
            TimeoutFuture::new(GLANCE.as_millis() as u32).await;
        }
    }

    /// What the service worker is asked to do (public/sw.js).
    fn request(&self, content: &Blob) -> Object {
        let request = Object::new();
        let stores: Array = store::STORES.iter().map(|name| JsValue::from_str(name)).collect();
        let fields: [(&str, JsValue); 6] = [
            ("database", database::DATABASE.into()),
            ("version", database::VERSION.into()),
            ("stores", stores.into()),
            ("into", store::CONTENTS.into()),
            ("key", self.content.as_str().into()),
            ("value", content.into()),
        ];
        for (name, value) in fields {
            // setting a property of a fresh object cannot fail
            let _ = Reflect::set(&request, &name.into(), &value);
        }
        request
    }
}

/// The service worker that keeps this page, where there is one.
fn service_worker() -> Option<ServiceWorker> {
    let navigator = web_sys::window()?.navigator();
    // pages that are not served securely have none, whatever the type says
    let has = Reflect::has(&navigator, &"serviceWorker".into()).unwrap_or(false);
    has.then(|| navigator.service_worker().controller()).flatten()
}
