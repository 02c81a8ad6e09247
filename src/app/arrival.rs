//! A log file that has just arrived. It survives a reload from its first moment.
//!
//! A browser takes about as long to write a large file as the page takes to read it, and what a page writes is lost
//! when the page ends. So the service worker writes the file: it goes on when the page is reloaded. Without a service
//! worker, the page writes the file itself.

use super::{database, remembered, store};
use futures_channel::oneshot;
use gloo::timers::future::TimeoutFuture;
use js_sys::{Array, Object, Reflect};
use leptos::task::spawn_local;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use wasm_bindgen::JsValue;
use web_sys::{Blob, ServiceWorker};

/// The storage key of the file that this tab is reading.
const KEY: &str = "packfair.arriving";

/// How often to check whether the service worker has written a file, and for how long.
const GLANCE: Duration = Duration::from_millis(50);
const PATIENCE: Duration = Duration::from_secs(30);

/// A file that is being read: what the page has to know of it after a reload.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arrival {
    pub name: String,
    pub content: store::ContentKey,
    is_handed_over: bool,
}

impl Arrival {
    /// Begins the arrival of a file that has just come. When this returns, the arrival is stored and the content is
    /// being written.
    fn begin(name: String, content: &Blob) -> Arrival {
        let mut arrival = Arrival { name, content: store::new_content_key(), is_handed_over: false };
        if let Some(worker) = service_worker() {
            arrival.is_handed_over = worker.post_message(&arrival.request(content)).is_ok();
        }
        arrival.remember();
        arrival
    }

    pub fn remember(&self) {
        remembered::set_of_tab(KEY, self);
    }

    /// The file that this tab was reading when it was reloaded.
    pub fn interrupted() -> Option<Arrival> {
        remembered::get_of_tab(KEY)
    }

    /// Ends the arrival: the file is read and stored, or cannot be.
    pub fn end(&self) {
        if Arrival::interrupted().as_ref() == Some(self) {
            remembered::forget_of_tab(KEY);
        }
    }

    /// Ensures that the content is written.
    ///
    /// # Errors
    /// A message: the browser did not store the content.
    async fn write(&self, content: &Blob) -> database::Result<()> {
        // a service worker of an older build ignores requests
        if self.is_handed_over && self.written().await?.is_some() {
            Ok(())
        } else {
            store::put_content(&self.content, content).await
        }
    }

    /// The content, once it is written; `None` if it will not be.
    ///
    /// # Errors
    /// A message: the browser does not say what it has stored.
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

    /// The request to the service worker (public/sw.js).
    fn request(&self, content: &Blob) -> Object {
        let request = Object::new();
        let stores: Array = database::STORES.iter().map(|name| JsValue::from_str(name)).collect();
        let fields: [(&str, JsValue); 6] = [
            ("database", database::DATABASE.into()),
            ("version", database::VERSION.into()),
            ("stores", stores.into()),
            ("into", database::CONTENTS.into()),
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

/// A file that has just come and is being stored.
pub struct Arriving {
    /// What the page has to know of the file after a reload.
    pub arrival: Arrival,
    /// Receives a message when the content is written, or the reason why it could not be.
    pub written: oneshot::Receiver<database::Result<()>>,
}

impl Arriving {
    /// Begins to store a file. When this returns, a reload loses it no more.
    pub fn begin(name: String, content: &Blob) -> Arriving {
        let arrival = Arrival::begin(name, content);
        let (said, written) = oneshot::channel();
        let (of_task, content) = (arrival.clone(), content.clone());
        spawn_local(async move {
            // nobody receives this if the file turned out not to be a log
            let _ = said.send(of_task.write(&content).await);
        });
        Arriving { arrival, written }
    }

    pub fn written(arrival: Arrival) -> Arriving {
        let (said, written) = oneshot::channel();
        // the receiver is returned just below
        let _ = said.send(Ok(()));
        Arriving { arrival, written }
    }

    /// Deletes what was stored: the file is not a log, or no longer wanted.
    pub fn forget(self) {
        self.arrival.end();
        spawn_local(async move {
            if self.written.await.is_ok() {
                // if it cannot be deleted now, a later tidy-up deletes it
                let _ = store::delete_content(&self.arrival.content).await;
            }
        });
    }
}

/// The service worker that controls this page, if there is one.
fn service_worker() -> Option<ServiceWorker> {
    let navigator = web_sys::window()?.navigator();
    // pages that are not served securely have none, although the type says otherwise
    let has = Reflect::has(&navigator, &"serviceWorker".into()).unwrap_or(false);
    has.then(|| navigator.service_worker().controller()).flatten()
}
