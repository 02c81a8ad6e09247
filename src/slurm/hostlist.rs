//! Names of nodes in ranges: `node[001-217],gpu[1-3,7]`.

/// The names in a list of nodes, at most `most`.
///
/// # Errors
/// If it is not such a list, or too long: what is wrong with it.
pub(super) fn expand(list: &str, most: usize) -> Result<Vec<String>, String> {
    let mut names = Vec::new();
    for part in parts(list)? {
        let mut made = vec![String::new()];
        let mut rest = part;
        while let Some((before, behind)) = rest.split_once('[') {
            let (inside, after) = behind.split_once(']').ok_or_else(|| format!("{part:?} has no ] to its ["))?;
            let numbers = numbers(inside, most)?;
            if made.len().saturating_mul(numbers.len()) > most {
                return Err(format!("{part:?} is more than {most} nodes"));
            }
            let with = |begin: &String| numbers.iter().map(move |n| format!("{begin}{before}{n}")).collect::<Vec<_>>();
            made = made.iter().flat_map(with).collect();
            rest = after;
        }
        names.extend(made.into_iter().map(|begin| format!("{begin}{rest}")));
        if names.len() > most {
            return Err(format!("{list:.60?} is more than {most} nodes"));
        }
    }
    Ok(names)
}

/// Consecutive names: the text before the number, the width of the number (0: without leading zeros), ranges of
/// numbers.
type HostGroup<'a> = (&'a str, usize, Vec<(u64, u64)>);

/// Writes names of nodes as a list with ranges: `n[001-217],g1`.
pub fn folded<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut groups: Vec<HostGroup> = Vec::new();
    for name in names {
        let begin = name.trim_end_matches(|c: char| c.is_ascii_digit());
        let digits = &name[begin.len()..];
        let Ok(number) = digits.parse::<u64>() else {
            groups.push((name, 0, Vec::new()));
            continue;
        };
        // a number without leading zeros has no fixed width
        let width = if digits.starts_with('0') { digits.len() } else { 0 };
        let is_it = |(other, wide, _): &&mut HostGroup| *other == begin && (*wide == width || *wide == digits.len());
        match groups.last_mut().filter(|last| !last.2.is_empty()).filter(|last| is_it(last)) {
            Some((_, _, ranges)) => match ranges.last_mut().filter(|range| range.1 + 1 == number) {
                Some(range) => range.1 = number,
                None => ranges.push((number, number)),
            },
            None => groups.push((begin, width, vec![(number, number)])),
        }
    }
    let text = |(begin, width, ranges): &HostGroup| {
        let range = |&(from, to): &(u64, u64)| match from == to {
            true => format!("{from:0width$}"),
            false => format!("{from:0width$}-{to:0width$}"),
        };
        let inside = ranges.iter().map(range).collect::<Vec<_>>().join(",");
        match &ranges[..] {
            [] => (*begin).to_owned(),
            [(from, to)] if from == to => format!("{begin}{inside}"),
            _ => format!("{begin}[{inside}]"),
        }
    };
    groups.iter().map(text).collect::<Vec<_>>().join(",")
}

/// The parts of a list between commas outside of brackets.
fn parts(list: &str) -> Result<Vec<&str>, String> {
    let (mut found, mut begin, mut is_inside) = (Vec::new(), 0, false);
    for (at, c) in list.char_indices() {
        match c {
            '[' if !is_inside => is_inside = true,
            ']' if is_inside => is_inside = false,
            '[' | ']' => return Err(format!("{list:.60?} has a bracket too many")),
            ',' if !is_inside => {
                found.push(&list[begin..at]);
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.push(&list[begin..]);
    Ok(found.into_iter().map(str::trim).filter(|part| !part.is_empty()).collect())
}

/// The numbers of the ranges in brackets, as wide as the first is written.
fn numbers(inside: &str, most: usize) -> Result<Vec<String>, String> {
    let mut found = Vec::new();
    for range in inside.split(',') {
        let (first, last) = range.split_once('-').unwrap_or((range, range));
        let wrong = || format!("[{inside:.40}] is no range of numbers");
        let (from, to) = (first.trim().parse::<u64>(), last.trim().parse::<u64>());
        let (Ok(from), Ok(to)) = (from, to) else { return Err(wrong()) };
        if to < from {
            return Err(wrong());
        }
        if to - from >= most as u64 || found.len() + (to - from) as usize >= most {
            return Err(format!("[{inside:.40}] is more than {most} nodes"));
        }
        let width = first.trim().len();
        found.extend((from..=to).map(|number| format!("{number:0width$}")));
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_put_into_ranges() {
        for list in ["n[08-10],g1", "n[1-12]", "n1", "a,b", "n[1-2,5],m[001-002]", ""] {
            let names = expand(list, 1000).unwrap();
            assert_eq!(folded(names.iter().map(String::as_str)), list);
        }
    }

    #[test]
    fn ranges_are_written_out() {
        let names = |list| expand(list, 1000);
        assert_eq!(names("n[08-10],g1").unwrap(), ["n08", "n09", "n10", "g1"]);
        assert_eq!(names("r[1-2]n[1,3]x").unwrap(), ["r1n1x", "r1n3x", "r2n1x", "r2n3x"]);
        assert_eq!(names("").unwrap(), Vec::<String>::new());
        for wrong in ["n[1-2", "n1]", "n[2-1]", "n[a-b]", "n[1-1001]", "n[1-100]m[1-100]", "n[0-18446744073709551615]"]
        {
            assert!(names(wrong).is_err(), "{wrong}");
        }
    }
}
