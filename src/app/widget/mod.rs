//! Parts of the page's forms, menus and dialogs. They know nothing of the study.

mod chip;
mod choice;
mod field;
mod hint;
mod icon;
mod later;
mod list;
mod menu;
mod modal;
mod reading;
mod segments;
mod when;
mod whole;

pub use chip::Chip;
pub use choice::{ChoiceOption, Choices, Select};
pub use field::Field;
pub use hint::{HINT_ID, Hint, HintLayer, Hints, closest};
pub use icon::{Glyph, Icon};
pub use later::{Last, Later};
pub use list::List;
pub use menu::{ButtonMenu, Edge, Menu, MenuItem, MenuLabel, MenuList};
pub use modal::Modal;
pub use reading::{ReadText, optional, real, whole};
pub use segments::{Segment, Segments};
pub use when::When;
pub use whole::Whole;
