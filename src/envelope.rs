//! How a message travels between the page and a worker.

use js_sys::{Object, Reflect, Uint8Array};
use serde::Serialize;
use serde::de::DeserializeOwned;
use wasm_bindgen::{JsCast, JsValue};

/// The JavaScript object that carries `message` and `attachment`.
///
/// # Panics
/// Never for the protocol's types, which postcard can always write.
pub fn seal<T: Serialize>(message: &T, attachment: &JsValue) -> JsValue {
    let bytes = postcard::to_stdvec(message).expect("messages are plain data");
    let envelope = Object::new();
    // setting a property of a fresh object cannot fail
    let _ = Reflect::set(&envelope, &"message".into(), &Uint8Array::from(bytes.as_slice()));
    let _ = Reflect::set(&envelope, &"attachment".into(), attachment);
    envelope.into()
}

/// The message and the attachment of an envelope; `None` if the object is not such an envelope.
pub fn open<T: DeserializeOwned>(envelope: &JsValue) -> Option<(T, JsValue)> {
    let bytes = Reflect::get(envelope, &"message".into()).ok()?.dyn_into::<Uint8Array>().ok()?;
    let message = postcard::from_bytes(&bytes.to_vec()).ok()?;
    let attachment = Reflect::get(envelope, &"attachment".into()).ok()?;
    Some((message, attachment))
}
