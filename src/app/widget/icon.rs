//! Icons, drawn as strokes in the colour of the text. Screen readers ignore them, so a button has a name of its own.

use crate::app::prelude::*;

/// The symbol of an icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// The product: packed boxes.
    Brand,
    Recipes,
    Share,
    /// An arrow out of a tray.
    Export,
    Help,
    /// Half dark, half light.
    System,
    Light,
    Dark,
    /// A triangle that points down.
    Open,
    Settings,
    /// A document with an arrow into it.
    Drop,
}

impl Glyph {
    fn path(self) -> &'static str {
        match self {
            Glyph::Brand => "M2 2h5v8H2zM2 12h9v2H2zM9 2h5v4H9zM9 8h5v2H9zM13 12h1v2h-1z",
            Glyph::Recipes => "M6 4h8M6 8h8M6 12h8M2.5 4h.5M2.5 8h.5M2.5 12h.5",
            Glyph::Share => {
                "M6.5 9.5l3-3M7 4.5l1.2-1.2a2.8 2.8 0 0 1 4 4L11 8.5M9 11.5l-1.2 1.2a2.8 2.8 0 0 1-4-4L5 7.5"
            }
            Glyph::Export => "M8 2v8M5 5l3-3 3 3M2.5 10v3.5h11V10",
            Glyph::Help => "M5.8 6.2a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6M8 12v.2M14 8A6 6 0 1 1 2 8a6 6 0 0 1 12 0z",
            Glyph::System => "M8 2a6 6 0 1 0 0 12zM8 2a6 6 0 0 1 0 12",
            Glyph::Light => {
                "M8 5.2a2.8 2.8 0 1 1 0 5.6 2.8 2.8 0 0 1 0-5.6zM8 1.5v1M8 13.5v1M1.5 8h1M13.5 8h1M3.4 3.4l.7.7M11.9 \
                 11.9l.7.7M3.4 12.6l.7-.7M11.9 4.1l.7-.7"
            }
            Glyph::Dark => "M13.2 9.7A5.7 5.7 0 0 1 6.3 2.8a5.7 5.7 0 1 0 6.9 6.9z",
            Glyph::Open => "M4.5 6.5L8 10l3.5-3.5",
            Glyph::Settings => "M2 4.5h6M11 4.5h3M2 11.5h3M8 11.5h6M9.5 3v3M6.5 10v3",
            Glyph::Drop => "M8 2v7M5 6l3 3 3-3M2.5 10v3.5h11V10",
        }
    }
}

/// An icon of the size of the text.
#[component]
pub fn Icon(glyph: Glyph) -> impl IntoView {
    let filled = matches!(glyph, Glyph::Brand);
    view! {
        <svg class="icon" class:icon-filled=filled viewBox="0 0 16 16" aria-hidden="true" focusable="false">
            <path d=glyph.path() />
        </svg>
    }
}
