//! Text in the fonts that every PDF reader has: which letters they contain, and how wide these are.

use crate::Typeface;

/// A piece of text: letters of one size at one height.
#[derive(Debug, PartialEq)]
pub struct Piece {
    /// The letters in the Windows encoding of the Latin alphabet (WinAnsi), which the fonts use.
    pub letters: Vec<u8>,
    /// Whether the letters are small and raised, like exponents.
    pub is_raised: bool,
}

/// The size of raised letters, as a fraction of the normal size.
pub const RAISED_SIZE: f64 = 0.7;

/// Splits `text` into pieces. Arrows, which the fonts lack, are left out; any other letter that they lack becomes a
/// question mark.
pub fn pieces(text: &str) -> Vec<Piece> {
    let mut pieces: Vec<Piece> = Vec::new();
    let text = text.trim_start_matches("↑ ").trim_end_matches(" →");
    for c in text.chars() {
        let (letter, is_raised) = encoded(c);
        match pieces.last_mut() {
            Some(piece) if piece.is_raised == is_raised => piece.letters.push(letter),
            _ => pieces.push(Piece { letters: vec![letter], is_raised }),
        }
    }
    pieces
}

/// The width of pieces, as a multiple of the font size.
pub fn width(pieces: &[Piece], typeface: Typeface) -> f64 {
    let of = |piece: &Piece| {
        let letters: f64 = piece.letters.iter().map(|&letter| f64::from(width_of(letter, typeface)) / 1000.0).sum();
        letters * if piece.is_raised { RAISED_SIZE } else { 1.0 }
    };
    pieces.iter().map(of).sum()
}

fn encoded(c: char) -> (u8, bool) {
    const SUPERSCRIPTS: [char; 10] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'];
    if let Some(digit) = SUPERSCRIPTS.iter().position(|&raised| raised == c) {
        return (b'0' + digit as u8, true);
    }
    match c {
        '⁻' => (b'-', true),
        'ᵃ' => (b'a', true),
        ' '..='~' => (c as u8, false),
        '\u{a0}' => (b' ', false),
        // the en dash is as wide as a minus sign should be
        '−' | '–' => (0x96, false),
        '—' => (0x97, false),
        '…' => (0x85, false),
        '†' => (0x86, false),
        '’' => (0x92, false),
        '\u{a1}'..='\u{ff}' => (c as u8, false),
        _ => (b'?', false),
    }
}

fn width_of(letter: u8, typeface: Typeface) -> u16 {
    let widths = match typeface {
        Typeface::Sans => &SANS,
        Typeface::Serif => &SERIF,
    };
    match letter {
        b' '..=b'~' => widths[usize::from(letter - b' ')],
        // dashes and dots; other letters outside ASCII are about as wide as a digit
        0x85 | 0x97 => 1000,
        _ => widths[usize::from(b'0' - b' ')],
    }
}

/// The widths of Helvetica from the space on, thousandths of its size, from Adobe's metrics of the standard fonts.
#[rustfmt::skip]
const SANS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// The widths of Times Roman, in the same form.
#[rustfmt::skip]
const SERIF: [u16; 95] = [
    250, 333, 408, 500, 500, 833, 778, 180, 333, 333, 500, 564, 250, 333, 250, 278,
    500, 500, 500, 500, 500, 500, 500, 500, 500, 500, 278, 278, 564, 564, 564, 444,
    921, 722, 667, 667, 722, 611, 556, 722, 722, 333, 389, 722, 611, 889, 722, 722,
    556, 722, 667, 556, 611, 722, 722, 944, 722, 722, 611, 333, 278, 333, 469, 500,
    333, 444, 500, 444, 500, 444, 333, 500, 500, 278, 278, 500, 278, 778, 500, 500,
    500, 500, 333, 389, 278, 500, 500, 722, 500, 500, 444, 480, 200, 480, 541,
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exponents_are_raised_and_arrows_left_out() {
        let said = |text: &str| {
            let piece = |piece: Piece| (String::from_utf8_lossy(&piece.letters).into_owned(), piece.is_raised);
            pieces(text).into_iter().map(piece).collect::<Vec<_>>()
        };
        let (low, high) = (false, true);
        assert_eq!(said("10⁻⁴"), [("10".to_owned(), low), ("-4".to_owned(), high)]);
        assert_eq!(
            said("↑ P²SF (fairness)"),
            [("P".to_owned(), low), ("2".to_owned(), high), ("SF (fairness)".to_owned(), low)]
        );
        assert_eq!(said("AWF (s) →"), [("AWF (s)".to_owned(), low)]);
        assert_eq!(pieces("−1")[0].letters, [0x96, b'1']);
    }

    #[test]
    fn widths_are_those_of_the_fonts() {
        assert!((width(&pieces("AB1"), Typeface::Sans) - 1.890).abs() < 1e-9);
        assert!((width(&pieces("AB1"), Typeface::Serif) - 1.889).abs() < 1e-9);
        assert!((width(&pieces("10²"), Typeface::Sans) - (1.112 + 0.7 * 0.556)).abs() < 1e-9);
    }
}
