//! The width of text, estimated without a font.
//!
//! The layout must not depend on the machine: an SVG is drawn with whatever sans-serif font its reader has. These
//! widths are slightly larger than those of the usual fonts.

/// The font size of tick labels, pixels.
pub const TICK_TEXT: f64 = 11.0;

/// The font size of axis titles and names, pixels.
pub const TEXT: f64 = 12.0;

/// The font size of the figure's own title, pixels.
pub const TITLE_TEXT: f64 = 14.0;

/// The width of `text` at a font size of `size` pixels, pixels.
pub fn width_of(text: &str, size: f64) -> f64 {
    size * text.chars().map(em).sum::<f64>()
}

fn em(c: char) -> f64 {
    match c {
        'i' | 'j' | 'l' | 'I' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' | 'f' | 't' | 'r' | '(' | ')' | '·' => {
            0.34
        }
        'm' | 'w' | 'M' | 'W' | '%' | '@' => 0.9,
        '⁰'..='⁹' | '¹' | '²' | '³' | '⁻' => 0.42,
        c if c.is_ascii_uppercase() => 0.68,
        c if c.is_ascii() => 0.58,
        _ => 0.7,
    }
}

/// `text`, cut to fit into `width` pixels, with an ellipsis if it was cut.
pub fn fitted(text: &str, size: f64, width: f64) -> String {
    if width_of(text, size) <= width {
        return text.to_owned();
    }
    let mut left = width - size * em('…');
    let kept: String = text
        .chars()
        .take_while(|&c| {
            left -= size * em(c);
            left >= 0.0
        })
        .collect();
    format!("{}…", kept.trim_end())
}

/// Text escaped for XML; characters that XML does not allow are left out.
pub fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().filter(|&c| is_xml(c)) {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&apos;"),
            other => out.push(other),
        }
    }
    out
}

/// Whether XML 1.0 allows the character.
pub fn is_xml(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_cut() {
        assert_eq!(fitted("JustBF", 12.0, 100.0), "JustBF");
        let cut = fitted("SAF-JustBF with the actual run time", 12.0, 100.0);
        assert!(cut.ends_with('…') && width_of(&cut, 12.0) <= 100.0, "{cut}");
    }
}
