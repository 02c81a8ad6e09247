//! Colours of charts, a table for each theme. They are those of `style/tokens.css`; a test compares them.

use super::{Ink, Shade};
use serde::{Deserialize, Serialize};

/// A colour with 8 bits for each channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rgb(pub u8, pub u8, pub u8);

impl Rgb {
    /// The colour between this one (level 0) and another (level 1).
    fn towards(self, other: Rgb, level: f64) -> Rgb {
        let mix = |a: u8, b: u8| (f64::from(a) + level * (f64::from(b) - f64::from(a))).round() as u8;
        Rgb(mix(self.0, other.0), mix(self.1, other.1), mix(self.2, other.2))
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Typeface {
    /// Without serifs.
    #[default]
    Sans,
    Serif,
}

impl Typeface {
    /// The fonts that a reader of a drawing may have, the most usual first.
    pub(super) fn family(self) -> &'static str {
        match self {
            Typeface::Sans => "system-ui, -apple-system, Segoe UI, Roboto, Noto Sans, Helvetica, Arial, sans-serif",
            Typeface::Serif => "Times New Roman, Times, Nimbus Roman, Liberation Serif, serif",
        }
    }
}

/// The colours of one theme.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Theme {
    /// The background of charts; the charts themselves are transparent.
    pub surface: Rgb,
    pub text: Rgb,
    /// Tick labels, notes, guides.
    pub muted: Rgb,
    pub axis: Rgb,
    pub grid: Rgb,
    /// The categorical colours. Colour-blind readers can distinguish them too, and their contrast with the surface is
    /// at least 3:1.
    pub series: [Rgb; COLOURS],
    /// The ends of the sequential ramp, from little to much.
    pub ramp: (Rgb, Rgb),
    /// The colours of better, unchanged and worse.
    pub diverge: (Rgb, Rgb, Rgb),
    pub typeface: Typeface,
    /// How many consecutive series have the same line pattern: as many as there are colours that distinguish them.
    pub alike: usize,
}

/// The dash and the gap of a line, pixels; `None` for a solid line.
pub type Pattern = Option<(f64, f64)>;

/// The number of categorical colours.
pub(super) const COLOURS: usize = 8;

pub(super) const PATTERN_COUNT: usize = 4;

const PATTERNS: [Pattern; PATTERN_COUNT] = [None, Some((7.0, 3.0)), Some((2.0, 2.5)), Some((13.0, 4.0))];

/// The line pattern of guides.
const GUIDE: (f64, f64) = (1.5, 3.0);

impl Theme {
    /// Dark on white, for the light page and for print.
    pub const LIGHT: Theme = Theme {
        surface: Rgb(0xff, 0xff, 0xff),
        text: Rgb(0x1a, 0x1d, 0x23),
        muted: Rgb(0x56, 0x5e, 0x6b),
        axis: Rgb(0x85, 0x8d, 0x9a),
        grid: Rgb(0xe4, 0xe7, 0xec),
        series: [
            Rgb(0x00, 0x72, 0xb2),
            Rgb(0xd2, 0x54, 0x00),
            Rgb(0x00, 0x83, 0x5f),
            Rgb(0xb0, 0x50, 0x8c),
            Rgb(0x4a, 0x9a, 0xd4),
            Rgb(0x5e, 0x43, 0x00),
            Rgb(0x4a, 0x4f, 0x57),
            Rgb(0xb8, 0x3d, 0xf5),
        ],
        ramp: (Rgb(0xc9, 0xdf, 0xf2), Rgb(0x08, 0x30, 0x6b)),
        diverge: (Rgb(0x82, 0xb6, 0xe8), Rgb(0xff, 0xff, 0xff), Rgb(0xf6, 0xab, 0x66)),
        typeface: Typeface::Sans,
        alike: 8,
    };

    /// Light on nearly black.
    pub const DARK: Theme = Theme {
        surface: Rgb(0x1a, 0x1d, 0x23),
        text: Rgb(0xe5, 0xe8, 0xed),
        muted: Rgb(0xa0, 0xa9, 0xb6),
        axis: Rgb(0x6e, 0x77, 0x86),
        grid: Rgb(0x2c, 0x31, 0x3a),
        series: [
            Rgb(0x4f, 0xab, 0xe6),
            Rgb(0xf2, 0x8e, 0x4b),
            Rgb(0x38, 0xc1, 0x99),
            Rgb(0xdd, 0x90, 0xc0),
            Rgb(0xa3, 0xd8, 0xf7),
            Rgb(0xe5, 0xb1, 0x36),
            Rgb(0xc6, 0xcb, 0xd3),
            Rgb(0xf2, 0xe6, 0x6b),
        ],
        ramp: (Rgb(0x2b, 0x44, 0x5e), Rgb(0xcf, 0xe6, 0xfa)),
        diverge: (Rgb(0x1e, 0x52, 0x85), Rgb(0x1a, 0x1d, 0x23), Rgb(0x7d, 0x46, 0x11)),
        typeface: Typeface::Sans,
        alike: 8,
    };

    /// Black and greys on white, for print without colours: line patterns distinguish the series.
    pub const GREY: Theme = Theme {
        surface: Rgb(0xff, 0xff, 0xff),
        text: Rgb(0x00, 0x00, 0x00),
        muted: Rgb(0x40, 0x40, 0x40),
        axis: Rgb(0x70, 0x70, 0x70),
        grid: Rgb(0xe0, 0xe0, 0xe0),
        series: [
            Rgb(0x00, 0x00, 0x00),
            Rgb(0x00, 0x00, 0x00),
            Rgb(0x00, 0x00, 0x00),
            Rgb(0x00, 0x00, 0x00),
            Rgb(0x80, 0x80, 0x80),
            Rgb(0x80, 0x80, 0x80),
            Rgb(0x80, 0x80, 0x80),
            Rgb(0x80, 0x80, 0x80),
        ],
        ramp: (Rgb(0xe0, 0xe0, 0xe0), Rgb(0x20, 0x20, 0x20)),
        diverge: (Rgb(0xff, 0xff, 0xff), Rgb(0xb8, 0xb8, 0xb8), Rgb(0x20, 0x20, 0x20)),
        typeface: Typeface::Sans,
        alike: 1,
    };

    pub fn colour(&self, ink: Ink) -> Rgb {
        match ink {
            Ink::Series(i) => self.series[i % self.series.len()],
            Ink::Guide => self.muted,
            Ink::Rest => self.axis,
            Ink::Plain => self.series[0],
        }
    }

    pub fn pattern(&self, ink: Ink) -> Pattern {
        match ink {
            Ink::Series(i) => PATTERNS[i / self.alike % PATTERNS.len()],
            Ink::Guide => Some(GUIDE),
            Ink::Plain | Ink::Rest => None,
        }
    }

    /// The colour of a box.
    pub fn shade(&self, shade: Shade) -> Rgb {
        match shade {
            Shade::Category(i) => self.series[i % self.series.len()],
            Shade::Level(level) => {
                let level = if level.is_nan() { 0.0 } else { level.clamp(0.0, 1.0) };
                self.ramp.0.towards(self.ramp.1, level)
            }
            Shade::Change(change) => {
                let change = if change.is_nan() { 0.0 } else { change.clamp(-1.0, 1.0) };
                let (better, none, worse) = self.diverge;
                none.towards(if change < 0.0 { better } else { worse }, change.abs())
            }
        }
    }
}

impl std::fmt::Display for Rgb {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn luminance(c: Rgb) -> f64 {
        let linear = |v: u8| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * linear(c.0) + 0.7152 * linear(c.1) + 0.0722 * linear(c.2)
    }

    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    #[test]
    fn text_and_series_stand_out_from_the_surface() {
        for theme in [Theme::LIGHT, Theme::DARK] {
            assert!(contrast(theme.text, theme.surface) >= 7.0);
            assert!(contrast(theme.muted, theme.surface) >= 4.5);
            for colour in theme.series {
                assert!(contrast(colour, theme.surface) >= 3.0, "{colour} on {}", theme.surface);
            }
        }
    }

    /// The two sides of `--name: light-dark(#light, #dark)`.
    fn token(css: &str, name: &str) -> Option<(String, String)> {
        let line = css.lines().find(|l| l.trim_start().starts_with(&format!("--{name}:")))?;
        let inside = line.split_once("light-dark(")?.1.split_once(')')?.0;
        let (light, dark) = inside.split_once(',')?;
        Some((light.trim().to_owned(), dark.trim().to_owned()))
    }

    #[test]
    fn colours_are_those_of_the_page() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/style/tokens.css");
        let Ok(css) = std::fs::read_to_string(path) else {
            println!("skipped: no style/tokens.css");
            return;
        };
        let mut pairs = vec![
            ("surface".to_owned(), Theme::LIGHT.surface, Theme::DARK.surface),
            ("text".to_owned(), Theme::LIGHT.text, Theme::DARK.text),
            ("text-muted".to_owned(), Theme::LIGHT.muted, Theme::DARK.muted),
            ("diverge-low".to_owned(), Theme::LIGHT.diverge.0, Theme::DARK.diverge.0),
            ("diverge-mid".to_owned(), Theme::LIGHT.diverge.1, Theme::DARK.diverge.1),
            ("diverge-high".to_owned(), Theme::LIGHT.diverge.2, Theme::DARK.diverge.2),
        ];
        for i in 0..8 {
            pairs.push((format!("series-{}", i + 1), Theme::LIGHT.series[i], Theme::DARK.series[i]));
        }
        for (name, light, dark) in pairs {
            assert_eq!(token(&css, &name), Some((light.to_string(), dark.to_string())), "--{name}");
        }
    }
}
