//! The fields of a line: numbers between blanks, with whatever errors.

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Field {
    Whole(i64),
    /// A number with decimals, or beyond 2^53.
    Real(f64),
    /// A number too large for [`f64`].
    TooLarge,
    Text,
}

/// 2^53: up to here a `f64` holds whole numbers exactly.
const EXACT: f64 = 9_007_199_254_740_992.0;

/// Takes the next field from `line`, `None` where only blanks are left.
#[inline]
pub(super) fn next(line: &mut &[u8]) -> Option<Field> {
    let bytes = *line;
    let begin = bytes.iter().position(|&byte| !is_blank(byte))?;
    let negative = bytes[begin] == b'-';
    let digits_begin = begin + usize::from(negative);
    let mut end = digits_begin;
    let mut value: i64 = 0;
    while let Some(&byte) = bytes.get(end) {
        let digit = byte.wrapping_sub(b'0');
        if digit > 9 {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(i64::from(digit));
        end += 1;
    }
    // eighteen digits cannot overflow
    let is_plain = (1..=18).contains(&(end - digits_begin)) && bytes.get(end).is_none_or(|&byte| is_blank(byte));
    if is_plain {
        *line = &bytes[end..];
        return Some(Field::Whole(if negative { -value } else { value }));
    }
    let end = bytes[end..].iter().position(|&byte| is_blank(byte)).map_or(bytes.len(), |length| end + length);
    *line = &bytes[end..];
    Some(parse(&bytes[begin..end]))
}

/// Whether nothing but blanks is left.
pub(super) fn is_end(line: &[u8]) -> bool {
    line.iter().all(|&byte| is_blank(byte))
}

fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | 0x0b | 0x0c)
}

/// Reads a number that is not plain digits: with decimals, an exponent, a plus, too many digits.
#[cold]
fn parse(token: &[u8]) -> Field {
    let unsigned = token.strip_prefix(b"-").or(token.strip_prefix(b"+")).unwrap_or(token);
    // this excludes inf and nan, which Rust also reads as numbers
    if !unsigned.first().is_some_and(|byte| byte.is_ascii_digit() || *byte == b'.') {
        return Field::Text;
    }
    let Some(value) = std::str::from_utf8(token).ok().and_then(|text| text.parse::<f64>().ok()) else {
        return Field::Text;
    };
    if value.is_infinite() {
        Field::TooLarge
    } else if value.fract() == 0.0 && value.abs() <= EXACT {
        Field::Whole(value as i64)
    } else {
        Field::Real(value)
    }
}

/// Rounds half up to a whole number; `None` beyond 2^53.
pub(super) fn round_half_up(value: f64) -> Option<i64> {
    let floor = value.floor();
    let rounded = if value - floor >= 0.5 { floor + 1.0 } else { floor };
    (rounded.abs() <= EXACT).then_some(rounded as i64)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fields(line: &str) -> Vec<Field> {
        let mut rest = line.as_bytes();
        std::iter::from_fn(|| next(&mut rest)).collect()
    }

    #[test]
    fn reads_whole_numbers_between_any_blanks() {
        let expected = [Field::Whole(1), Field::Whole(-1), Field::Whole(0), Field::Whole(999_999_999_999_999_999)];
        assert_eq!(fields(" 1\t-1  0 \x0b999999999999999999 "), expected);
        assert_eq!(fields(""), []);
        assert_eq!(fields(" \t "), []);
    }

    #[test]
    fn reads_decimals_exponents_and_signs() {
        let expected = [
            Field::Real(1.5),
            Field::Whole(2),
            Field::Whole(150_000),
            Field::Real(-0.25),
            Field::Whole(7),
            Field::Real(0.5),
        ];
        assert_eq!(fields("1.5 2.000 1.5e5 -2.5E-1 +7 .5"), expected);
        assert_eq!(fields("0000000000000000000000012"), [Field::Whole(12)]);
    }

    #[test]
    fn tells_text_and_too_large_numbers() {
        for text in [
            "nan", "NaN", "-nan", "inf", "-inf", "infinity", "-", "+", ".", "1,5", "12:30:00", "0x10", "a1", "1a",
            "--1",
        ] {
            assert_eq!(fields(text), [Field::Text], "{text}");
        }
        assert_eq!(fields("1e999 -1e400"), [Field::TooLarge, Field::TooLarge]);
        assert_eq!(fields("1e300"), [Field::Real(1e300)]);
        assert_eq!(fields("12345678901234567890"), [Field::Real(12345678901234567890.0)]);
    }

    #[test]
    fn rounds_half_up() {
        let cases =
            [(0.5, 1), (0.49999999999999994, 0), (1.5, 2), (2.5, 3), (-0.5, 0), (-0.51, -1), (-1.5, -1), (7.2, 7)];
        for (value, whole) in cases {
            assert_eq!(round_half_up(value), Some(whole), "{value}");
        }
        assert_eq!(round_half_up(1e17), None);
    }
}
