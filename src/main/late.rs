//! The part of the page that its first view does not need, which comes in a module of its own.
//!
//! The build (`scripts/split`) moves functions there and leaves stubs, which call [`load_late_part`] and then
//! the function meant. No other code knows of it.

use js_sys::WebAssembly::{Instance, Module, instantiate_streaming};
use js_sys::{Object, Reflect, Uint8Array};
use std::cell::Cell;
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{RequestInit, XmlHttpRequest, window};

/// What the module calls the one that was there first.
const FIRST: &str = "first";

/// When it had to be waited for, as an entry of the browser's performance timeline.
const WAITED: &str = "waited for the late part";

#[derive(Clone, Copy, PartialEq)]
enum State {
    Away,
    Here,
    /// It could not be loaded when it was needed, which has been said.
    Missing,
}

thread_local! {
    static STATE: Cell<State> = const { Cell::new(State::Away) };
}

/// Begins to load it, after whatever is more urgent. Where that fails, it is loaded once it is needed.
pub fn load_soon() {
    let (Some(window), Some(address)) = (window(), address()) else { return };
    let with = RequestInit::new();
    let is_set = Reflect::set(&with, &"priority".into(), &"low".into());
    debug_assert!(is_set.is_ok());
    let response = window.fetch_with_str_and_init(&address, &with);
    spawn_local(async move {
        if JsFuture::from(instantiate_streaming(&response, &imports())).await.is_ok() {
            STATE.set(State::Here);
        }
    });
}

/// Does not return before it is there.
#[wasm_bindgen]
pub fn load_late_part() {
    if STATE.get() == State::Away {
        if let Some(performance) = window().and_then(|window| window.performance()) {
            let _ = performance.mark(WAITED);
        }
        let is_here = load_now().is_ok();
        STATE.set(if is_here { State::Here } else { State::Missing });
        if !is_here {
            say_that_it_is_missing();
        }
    }
    if STATE.get() == State::Missing {
        wasm_bindgen::throw_str("the late part of the page could not be loaded");
    }
}

fn load_now() -> Result<Instance, JsValue> {
    let address = address().ok_or("the build names no late part")?;
    let request = XmlHttpRequest::new()?;
    request.open_with_async("GET", &address, false)?;
    // the way to bytes where one waits for them: a character each
    request.override_mime_type("text/plain; charset=x-user-defined")?;
    request.send()?;
    let text = request.response_text()?.filter(|_| request.status() == Ok(200)).ok_or("it is not there")?;
    let bytes: Vec<u8> = text.encode_utf16().map(|unit| unit as u8).collect();
    Instance::new(&Module::new(&Uint8Array::from(&bytes[..]))?, &imports())
}

fn imports() -> Object {
    let imports = Object::new();
    let is_set = Reflect::set(&imports, &FIRST.into(), &wasm_bindgen::exports());
    debug_assert!(is_set.is_ok());
    imports
}

/// Where it is: the build says so, if there is one.
fn address() -> Option<String> {
    let meta = window()?.document()?.query_selector("meta[name=late]").ok()??;
    meta.get_attribute("content").filter(|address| !address.is_empty())
}

/// Nothing of the page can be trusted to work any more; what the user did is kept.
fn say_that_it_is_missing() {
    let said = "A part of Packfair could not be loaded. Check the connection and reload the page; nothing is lost.";
    // where there is no window, nobody sees it
    let _ = window().map(|window| window.alert_with_message(said));
}
