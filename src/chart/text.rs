//! The width of text, estimated without a font.
//!
//! The layout must not depend on the machine: an SVG is drawn with whatever sans-serif font its reader has. These
//! widths are slightly larger than those of the usual fonts.

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
