//! Looking for settings that nothing beats.
