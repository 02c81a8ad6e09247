//! How machines are stored and sent: as their descriptions.

use super::{Machine, MachineDescription};
use serde::de::Error as _;
use serde::ser::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

impl Serialize for Machine {
    /// Serializes the description. Binary formats get it as JSON in a text, because it has fields that may be left out.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let described = MachineDescription::from(self.clone());
        if serializer.is_human_readable() {
            return described.serialize(serializer);
        }
        serializer.serialize_str(&serde_json::to_string(&described).map_err(S::Error::custom)?)
    }
}

impl<'de> Deserialize<'de> for Machine {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let described: MachineDescription = if deserializer.is_human_readable() {
            MachineDescription::deserialize(deserializer)?
        } else {
            let text = String::deserialize(deserializer)?;
            serde_json::from_str(&text).map_err(D::Error::custom)?
        };
        Machine::try_from(described).map_err(D::Error::custom)
    }
}
