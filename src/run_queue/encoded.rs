//! Parts of messages that stay encoded until they are needed.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::marker::PhantomData;

/// A value that is encoded with postcard. What passes it on needs no code to encode or decode a `T`, which only the late
/// parts of the page and the worker have.
#[derive(Serialize, Deserialize)]
#[serde(transparent, bound = "")]
pub struct Encoded<T> {
    bytes: Vec<u8>,
    #[serde(skip)]
    of: PhantomData<fn() -> T>,
}

impl<T> Encoded<T> {
    /// A value that was encoded before, such as one that was stored.
    pub fn from_bytes(bytes: Vec<u8>) -> Self {
        Encoded { bytes, of: PhantomData }
    }

    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Whether there is no value.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }
}

impl<T: Serialize> Encoded<T> {
    pub fn of(value: &T) -> Self {
        // plain data can always be written
        Encoded::from_bytes(postcard::to_stdvec(value).unwrap_or_default())
    }
}

impl<T: DeserializeOwned> Encoded<T> {
    /// The value, if there is one that can be read.
    pub fn decode(&self) -> Option<T> {
        postcard::from_bytes(&self.bytes).ok()
    }
}

impl<T> Default for Encoded<T> {
    fn default() -> Self {
        Encoded::from_bytes(Vec::new())
    }
}

impl<T> Clone for Encoded<T> {
    fn clone(&self) -> Self {
        Encoded::from_bytes(self.bytes.clone())
    }
}

impl<T> PartialEq for Encoded<T> {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

impl<T> fmt::Debug for Encoded<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Encoded({} bytes)", self.bytes.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_comes_back_through_a_message_and_damage_gives_none() {
        let value = ("a log".to_owned(), vec![1_u32, 2]);
        let sent = postcard::to_stdvec(&Encoded::of(&value)).unwrap();
        let received: Encoded<(String, Vec<u32>)> = postcard::from_bytes(&sent).unwrap();
        assert_eq!(received.decode(), Some(value));
        assert_eq!(Encoded::<(String, Vec<u32>)>::from_bytes(vec![0xff; 3]).decode(), None);
        assert!(Encoded::<String>::default().is_empty());
    }
}
