//! The late part of a program (the page's or the worker's): a module that is loaded later.
//!
//! The build (`scripts/split`) moves functions to that module and leaves stubs. A stub calls [`load_late_part`] and
//! then the function itself. No other code knows of this.

use js_sys::WebAssembly::{Instance, Module, instantiate_streaming};
use js_sys::{Object, Promise, Reflect, Uint8Array};
use std::cell::{Cell, OnceCell, RefCell};
use wasm_bindgen::prelude::*;
use wasm_bindgen_futures::{JsFuture, spawn_local};
use web_sys::{Performance, XmlHttpRequest};

/// The name of the first module among the imports of the late part.
const FIRST: &str = "first";

/// The name of the mark that is set in the browser's performance timeline when the program has to wait for the late
/// part.
const WAITED: &str = "waited for the late part";

// pages and workers both have these
#[wasm_bindgen]
extern "C" {
    fn fetch(address: &str) -> Promise;

    #[wasm_bindgen(thread_local_v2, js_name = performance)]
    static PERFORMANCE: Option<Performance>;
}

#[derive(Clone, Copy, PartialEq)]
enum PartState {
    Away,
    Here,
    /// The part could not be loaded when it was needed, and the user was told.
    Missing,
}

/// What the program has told this module ([`is_at`]).
struct LatePart {
    address: String,
    say_that_it_is_missing: fn(),
}

/// Is told whether the part is missed. Returns whether it wants to be told again.
type Told = Box<dyn Fn(bool) -> bool>;

thread_local! {
    static PART_STATE: Cell<PartState> = const { Cell::new(PartState::Away) };
    static LATE_PART: OnceCell<LatePart> = const { OnceCell::new() };

    /// Whether the late part could not be loaded when that was tried last, and who is told when that changes.
    static IS_MISSED: Cell<bool> = const { Cell::new(false) };
    static TOLD: RefCell<Vec<Told>> = const { RefCell::new(Vec::new()) };

    /// Functions to call once the late part is loaded.
    static WAITING: RefCell<Vec<Box<dyn FnOnce()>>> = const { RefCell::new(Vec::new()) };
}

/// Sets the address of the late part, and what to call if it cannot be loaded when it is needed. Called once, before
/// any of it is needed; never called if the build does not split the program.
pub fn is_at(address: String, say_that_it_is_missing: fn()) {
    LATE_PART.with(|place| {
        let is_first = place.set(LatePart { address, say_that_it_is_missing }).is_ok();
        debug_assert!(is_first);
    });
}

/// Loads the late part. Returns whether the whole program is loaded now. If not, the part is loaded
/// when it is first needed.
pub async fn load() -> bool {
    let Some(address) = address() else { return true };
    if PART_STATE.get() == PartState::Away {
        if JsFuture::from(instantiate_streaming(&fetch(&address), &imports())).await.is_ok() {
            arrived();
        } else if PART_STATE.get() != PartState::Here {
            tell_missed(true);
        }
    }
    PART_STATE.get() == PartState::Here
}

/// Loads the late part once more. A page that has already had to do without a function of it begins anew.
pub fn try_again() {
    if PART_STATE.get() == PartState::Missing {
        // where this fails, the page stays as it is
        let _ = web_sys::window().map(|window| window.location().reload());
    } else {
        tell_missed(false);
        spawn_local(async { _ = load().await });
    }
}

/// Calls `then` once the whole program is loaded: at once, if it is already.
pub fn when_here(then: impl FnOnce() + 'static) {
    if address().is_none() || PART_STATE.get() == PartState::Here {
        then();
    } else {
        WAITING.with_borrow_mut(|waiting| waiting.push(Box::new(then)));
    }
}

/// Returns a function unchanged, and keeps it separate from its caller. Without this, the optimiser would inline a
/// function that has one caller only, and it would end up in the first part.
pub fn apart<F>(function: F) -> F {
    std::hint::black_box(function)
}

/// Whether the late part could not be loaded when that was tried last. Until it is there, `told` hears of each change for as
/// long as it returns true.
pub fn is_missed(told: impl Fn(bool) -> bool + 'static) -> bool {
    if address().is_some() && PART_STATE.get() != PartState::Here {
        TOLD.with_borrow_mut(|all| all.push(Box::new(told)));
    }
    IS_MISSED.get()
}

fn tell_missed(is_missed: bool) {
    IS_MISSED.set(is_missed);
    let mut told = TOLD.take();
    told.retain(|told| told(is_missed));
    TOLD.with_borrow_mut(|all| all.append(&mut told));
}

fn arrived() {
    PART_STATE.set(PartState::Here);
    tell_missed(false);
    WAITING.take().into_iter().for_each(|then| then());
}

/// Loads the late part, and does not return before it is loaded.
#[wasm_bindgen]
pub fn load_late_part() {
    if PART_STATE.get() == PartState::Away {
        PERFORMANCE.with(|performance| performance.as_ref().map(|performance| performance.mark(WAITED)));
        let is_here = load_now().is_ok();
        if is_here {
            arrived();
        } else {
            PART_STATE.set(PartState::Missing);
            LATE_PART.with(|place| place.get().map(|place| (place.say_that_it_is_missing)()));
        }
    }
    if PART_STATE.get() == PartState::Missing {
        wasm_bindgen::throw_str("a part of Packfair could not be loaded");
    }
}

fn load_now() -> Result<Instance, JsValue> {
    let address = address().ok_or("the build names no late part")?;
    let request = XmlHttpRequest::new()?;
    request.open_with_async("GET", &address, false)?;
    // a synchronous request gets bytes only in this way: one character each
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

fn address() -> Option<String> {
    LATE_PART.with(|place| place.get().map(|place| place.address.clone()))
}
