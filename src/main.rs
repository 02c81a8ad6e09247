//! The page. Trunk builds it for WebAssembly (`scripts/serve`); on other targets the program only says so.

#[cfg(target_arch = "wasm32")]
fn main() {
    use packfair::app::{built, is_newcomer, mount};
    use packfair::late;

    console_error_panic_hook::set_once();
    if let Some(address) = built::address("late-page") {
        late::is_at(address, page::miss_late_part);
    }
    wasm_bindgen_futures::spawn_local(async {
        // A newcomer sees the first screen, which is all that the first part has, before anything else is loaded. All others
        // have the rest in their browser already or have come for it: it stands still for nobody once the page is there.
        if !is_newcomer() && !late::load().await {
            return page::say_instead_of_the_page(page::MISSING);
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
    });
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

    /// What is said where the late part cannot be had.
    pub const MISSING: &str =
        "A part of Packfair could not be loaded. Check the connection and reload the page; nothing is lost.";

    /// The note of index.html that the page is loading, while it is there.
    fn loading_note() -> Option<web_sys::Element> {
        web_sys::window()?.document()?.get_element_by_id("loading")
    }

    pub fn remove_loading_note() {
        loading_note().inspect(web_sys::Element::remove);
    }

    pub fn say_instead_of_the_page(what: &str) {
        loading_note().inspect(|note| note.set_text_content(Some(what)));
    }

    /// Tells the user that parts of the page may no longer work and that the user's data are kept. Exported so that it
    /// stays in the first part together with everything that it calls (scripts/split).
    #[wasm_bindgen]
    pub fn miss_late_part() {
        // without a window, there is nobody to tell
        let _ = web_sys::window().map(|window| window.alert_with_message(MISSING));
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
