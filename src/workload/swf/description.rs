//! Field 21 of Frontier's logs (2026): `frontier:excl:2500x112` means 2,500 nodes of 112 processors each. Fields 5 and
//! 8 of these logs count nodes in some lines and processors in others.

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
