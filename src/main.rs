//! The page. Trunk builds it for WebAssembly (`scripts/serve`); on other targets the program only says so.

#[cfg(target_arch = "wasm32")]
fn main() {
    use packfair::app::{built, late, mount};

    console_error_panic_hook::set_once();
    if let Some(address) = built::address("late-page") {
        late::is_at(address, page::miss_late_part);
    }
    mount(|| {
        wasm_bindgen_futures::spawn_local(async {
            late::load().await;
            // the service worker fetches all files of a build
            if cfg!(not(debug_assertions)) {
                page::keep_for_offline_use();
            }
        });
    });
    gloo::timers::callback::Timeout::new(0, page::remove_loading_note).forget();
}

#[cfg(not(target_arch = "wasm32"))]
fn main() {
    eprintln!("This is the page, which runs in a browser: `scripts/serve` builds and serves it.");
    eprintln!("The same engine on a command line: `cargo run --release -- help`.");
    std::process::exit(2);
}

#[cfg(target_arch = "wasm32")]
mod page {
    use wasm_bindgen::prelude::*;

    /// Removes the note of index.html that the page is loading.
    pub fn remove_loading_note() {
        let document = web_sys::window().and_then(|window| window.document());
        if let Some(note) = document.and_then(|document| document.get_element_by_id("loading")) {
            note.remove();
        }
    }

    /// Tells the user that parts of the page may no longer work and that the user's data are kept. Exported so that it
    /// stays in the first part together with everything that it calls (scripts/split).
    #[wasm_bindgen]
    pub fn miss_late_part() {
        let said = "A part of Packfair could not be loaded. Check the connection and reload the page; nothing is lost.";
        // without a window, there is nobody to tell
        let _ = web_sys::window().map(|window| window.alert_with_message(said));
    }

    /// Registers the service worker. Without one (a page served over plain HTTP has none), everything works except a
    /// visit without a network.
    pub fn keep_for_offline_use() {
        let Some(navigator) = web_sys::window().map(|window| window.navigator()) else { return };
        if !js_sys::Reflect::has(&navigator, &JsValue::from_str("serviceWorker")).unwrap_or(false) {
            return;
        }
        let registration = navigator.service_worker().register("./sw.js");
        wasm_bindgen_futures::spawn_local(async move {
            if let Err(error) = wasm_bindgen_futures::JsFuture::from(registration).await {
                leptos::logging::warn!("The page is not kept for use without a network: {error:?}");
            }
        });
    }
}
