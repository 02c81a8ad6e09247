//! The fields of a line: numbers between blanks, with whatever errors.

use crate::Header;

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

// The comments at the head of a log.

/// How much of the comments is kept, in bytes: more than any archive's log has, and a bound for files that only look
/// like logs.
const LIMIT: usize = 1 << 20;

/// The longest label, bytes.
const LABEL: usize = 40;

/// Collects `; Label: value` comments.
#[derive(Default)]
pub(super) struct Comments {
    header: Header,
    kept: usize,
    /// Whether an indented comment continues the last value.
    continues: bool,
}

impl Comments {
    /// Takes a comment, without the semicolons that begin it.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.kept = self.kept.saturating_add(bytes.len());
        if self.kept > LIMIT {
            return;
        }
        let text = decode(bytes);
        if let Some((label, value)) = labelled(&text) {
            self.header.labels.push((label.to_owned(), value.to_owned()));
            self.continues = true;
            return;
        }
        let value = text.trim();
        let indented = text.starts_with("  ") || text.starts_with('\t') || text.starts_with(" \t");
        match self.header.labels.last_mut() {
            Some((_, last)) if self.continues && indented && !value.is_empty() => {
                last.push('\n');
                last.push_str(value);
            }
            _ => self.continues = false,
        }
    }

    pub(super) fn finish(self) -> Header {
        self.header
    }
}

/// The label and the value of a comment of the form `Label: value`. An address (`http://...`) is not of this form.
fn labelled(text: &str) -> Option<(&str, &str)> {
    let (label, value) = text.trim().split_once(':')?;
    let is_word = label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-');
    let begins = label.bytes().next().is_some_and(|byte| byte.is_ascii_alphabetic());
    let is_label = is_word && begins && label.len() <= LABEL && !value.starts_with("//");
    is_label.then(|| (label, value.trim()))
}

/// Decodes UTF-8, or else Latin-1, in which any bytes are text.
fn decode(bytes: &[u8]) -> String {
    match std::str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().map(|&byte| char::from(byte)).collect(),
    }
}

// Field 21 of Frontier's logs (2026): `frontier:excl:2500x112` means 2,500 nodes of 112 processors each. Fields 5 and
// 8 of these logs count nodes in some lines and processors in others.

/// The place of the field after the 18 of the format, from 0.
const FIELD: usize = 2;

/// What such a field describes: the numbers of nodes and of all processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DescribedComment {
    pub nodes: i32,
    pub processors: i32,
}

/// What field 21 describes; none where it is another field or missing. `rest` is the line after field 18.
pub(super) fn of(rest: &[u8]) -> Option<DescribedComment> {
    let mut fields = rest.split(u8::is_ascii_whitespace).filter(|field| !field.is_empty());
    let field = std::str::from_utf8(fields.nth(FIELD)?).ok()?;
    let mut parts = field.split(':');
    let (name, _, size) = (parts.next()?, parts.next()?, parts.next()?);
    let (nodes, each) = size.split_once('x')?;
    let nodes = nodes.parse::<i32>().ok().filter(|&nodes| nodes > 0)?;
    let each = each.parse::<i32>().ok().filter(|&each| each > 0)?;
    let is_name = !name.is_empty() && parts.next().is_none();
    is_name.then_some(DescribedComment { nodes, processors: nodes.checked_mul(each)? })
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

#[cfg(test)]
mod comment_tests {
    use super::*;

    fn header(comments: &[&[u8]]) -> Vec<(String, String)> {
        let mut collected = Comments::default();
        comments.iter().for_each(|comment| collected.push(comment));
        collected.finish().labels
    }

    fn pair(label: &str, value: &str) -> (String, String) {
        (label.to_owned(), value.to_owned())
    }

    #[test]
    fn keeps_labels_in_order_and_repeated() {
        let labels = header(&[b" MaxProcs: 100", b"Note:first", b" Note: second", b"Note:", b" a remark"]);
        assert_eq!(labels, [pair("MaxProcs", "100"), pair("Note", "first"), pair("Note", "second"), pair("Note", "")]);
    }

    #[test]
    fn continues_values_with_indented_comments() {
        let labels = header(&[b" Information: http://a/", b"              http://b/", b"", b"   lost"]);
        assert_eq!(labels, [pair("Information", "http://a/\nhttp://b/")]);
    }

    #[test]
    fn reads_utf8_and_latin1() {
        let labels = header(&["Computer: Zürich".as_bytes(), b"Computer: Z\xfcrich"]);
        assert_eq!(labels, [pair("Computer", "Zürich"), pair("Computer", "Zürich")]);
    }

    #[test]
    fn stops_at_its_limit() {
        let comment = [b" Note: ".as_slice(), &[b'x'; 1 << 16]].concat();
        let labels = header(&vec![comment.as_slice(); 40]);
        assert_eq!(labels.len(), 15);
    }
}

#[cfg(test)]
mod description_tests {
    use super::*;

    #[test]
    fn only_such_a_field_describes_a_width() {
        assert_eq!(of(b" 0 -1 frontier:excl:2500x112"), Some(DescribedComment { nodes: 2_500, processors: 280_000 }));
        for other in ["", " 1 2", " 1 2 3", " 1 2 a:b", " 1 2 a:b:0x4", " 1 2 a:b:4x", " 1 2 a:b:4x2:c", " 1 2 :b:4x2"]
        {
            assert_eq!(of(other.as_bytes()), None, "{other}");
        }
        assert_eq!(of(b" 1 2 a:b:2000000000x2000000000"), None);
    }
}
