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
    /// at least 3:1. Blue and orange are not among them, for these mean better and worse.
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
            Rgb(0x94, 0x3f, 0xd7),
            Rgb(0x23, 0x8b, 0x7a),
            Rgb(0x6d, 0x06, 0x1f),
            Rgb(0xf4, 0x4e, 0xb4),
            Rgb(0x17, 0x73, 0x1a),
            Rgb(0x8e, 0x94, 0x19),
            Rgb(0x50, 0x54, 0x5d),
            Rgb(0x59, 0x1d, 0x85),
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
            Rgb(0xc9, 0x7e, 0xf4),
            Rgb(0x93, 0xf1, 0xde),
            Rgb(0xc3, 0x74, 0x78),
            Rgb(0xca, 0x18, 0x9a),
            Rgb(0x2c, 0xcc, 0x49),
            Rgb(0xcd, 0xeb, 0x42),
            Rgb(0xad, 0xb2, 0xbc),
            Rgb(0x96, 0x47, 0xe8),
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
        let [red, green, blue] = linear(c);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
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

    fn linear(c: Rgb) -> [f64; 3] {
        [c.0, c.1, c.2].map(|v| {
            let v = f64::from(v) / 255.0;
            if v <= 0.04045 { v / 12.92 } else { ((v + 0.055) / 1.055).powf(2.4) }
        })
    }

    fn times(matrix: [[f64; 3]; 3], v: [f64; 3]) -> [f64; 3] {
        matrix.map(|row| row.iter().zip(v).map(|(a, b)| a * b).sum())
    }

    /// Oklab, in which distances are about as large as they look (Ottosson 2020).
    fn oklab(linear: [f64; 3]) -> [f64; 3] {
        let cones = times(
            [
                [0.412_221_470_8, 0.536_332_536_3, 0.051_445_992_9],
                [0.211_903_498_2, 0.680_699_545_1, 0.107_396_956_6],
                [0.088_302_461_9, 0.281_718_837_6, 0.629_978_700_5],
            ],
            linear,
        );
        times(
            [
                [0.210_454_255_3, 0.793_617_785_0, -0.004_072_046_8],
                [1.977_998_495_1, -2.428_592_205_0, 0.450_593_709_9],
                [0.025_904_037_1, 0.782_771_766_2, -0.808_675_766_0],
            ],
            cones.map(f64::cbrt),
        )
    }

    #[test]
    fn series_are_told_apart_by_all_eyes_and_are_neither_blue_nor_orange() {
        // as without long, middle and short cones (Machado, Oliveira and Fernandes 2009, severity 1)
        let eyes = [
            [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
            [
                [1.255_528, -0.076_749, -0.178_779],
                [-0.078_411, 0.930_809, 0.147_602],
                [0.004_733, 0.691_367, 0.303_900],
            ],
        ];
        for theme in [Theme::LIGHT, Theme::DARK] {
            for (place, &one) in theme.series.iter().enumerate() {
                let [_, a, b] = oklab(linear(one));
                let hue = b.atan2(a).to_degrees().rem_euclid(360.0);
                let is_grey = a.hypot(b) < 0.03;
                assert!(is_grey || !((225.0..283.0).contains(&hue) || (28.0..85.0).contains(&hue)), "{one}: {hue}");
                for &other in &theme.series[..place] {
                    for eye in eyes {
                        let seen = |c: Rgb| oklab(times(eye, linear(c)).map(|v| v.clamp(0.0, 1.0)));
                        let (one_seen, other_seen) = (seen(one), seen(other));
                        let distance =
                            one_seen.iter().zip(other_seen).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
                        assert!(distance >= 0.08, "{one} and {other}: {distance}");
                    }
                }
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
        let css = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../style/tokens.css")).unwrap();
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
