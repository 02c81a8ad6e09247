//! Lines of Slurm's files: `Key=Value` words, quotes, comments, continued lines.

use super::finding::{FindingKind, Findings};

/// The text of a file in any encoding. Adds a finding if Slurm could not read the encoding.
pub(super) fn text(content: &[u8], findings: &mut Findings<'_>) -> String {
    let wide = |big_endian: bool| {
        let pairs = content[2..].chunks_exact(2);
        let units = pairs.map(|pair| if big_endian { [pair[0], pair[1]] } else { [pair[1], pair[0]] });
        String::from_utf16_lossy(&units.map(u16::from_be_bytes).collect::<Vec<_>>())
    };
    match content {
        [0xfe, 0xff, ..] => {
            findings.note(FindingKind::Wrong, 0, "it is UTF-16; Slurm reads ASCII: save it as UTF-8");
            wide(true)
        }
        [0xff, 0xfe, ..] => {
            findings.note(FindingKind::Wrong, 0, "it is UTF-16; Slurm reads ASCII: save it as UTF-8");
            wide(false)
        }
        _ => {
            let content = content.strip_prefix(&[0xef, 0xbb, 0xbf]).unwrap_or(content);
            match std::str::from_utf8(content) {
                Ok(text) => text.to_owned(),
                Err(error) => {
                    let line = content[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
                    findings.note(FindingKind::Unknown, line, "a letter that is not UTF-8; read as Latin-1");
                    content.iter().map(|&byte| char::from(byte)).collect()
                }
            }
        }
    }
}

/// The lines of a text that are not empty, without comments. Lines that are continued with `\` are joined. Each has the
/// number of its first line.
pub(super) fn lines(text: &str) -> Vec<(u32, String)> {
    let mut found: Vec<(u32, String)> = Vec::new();
    let mut goes_on = false;
    for (number, raw) in (1..).zip(text.lines()) {
        let line = without_comment(raw);
        let (line, continues) = match line.trim_end().strip_suffix('\\') {
            Some(begin) => (begin, true),
            None => (line.trim_end(), false),
        };
        match found.last_mut().filter(|_| goes_on) {
            Some((_, before)) => {
                // Slurm puts nothing between the joined lines
                before.push_str(line);
            }
            None => found.push((number, line.trim_start().to_owned())),
        }
        goes_on = continues;
    }
    found.retain(|(_, line)| !line.trim().is_empty());
    found
}

/// The line up to a `#` that does not follow a `\`.
fn without_comment(line: &str) -> &str {
    let is_comment = |&(at, _): &(usize, &str)| !line[..at].ends_with('\\');
    line.match_indices('#').find(is_comment).map_or(line, |(at, _)| &line[..at])
}

/// The words of a line, `Key=Value`, where the value may be in quotes. A word without `=` has the value `None`.
pub(super) fn words(line: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let mut end = rest.len();
        let mut quote = None;
        for (at, c) in rest.char_indices() {
            match (c, quote) {
                ('"' | '\'', None) => quote = Some(c),
                (c, Some(open)) if c == open => quote = None,
                (c, None) if c.is_whitespace() => {
                    end = at;
                    break;
                }
                _ => {}
            }
        }
        let word = &rest[..end];
        let bare = |text: &str| text.replace(['"', '\''], "");
        match word.split_once('=') {
            // sacctmgr also takes "limit += value"
            Some((key, value)) => found.push((bare(key.trim_end_matches(['+', '-'])), Some(bare(value)))),
            None => found.push((bare(word), None)),
        }
        rest = rest[end..].trim_start();
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_quotes_and_lines_that_go_on() {
        let text = "A=1 # one\n\nB=\"x y\" \\\n  C=3\nD=a\\#b\n";
        let lines = lines(text);
        assert_eq!(lines.iter().map(|(number, _)| *number).collect::<Vec<_>>(), [1, 3, 5]);
        let both = words(&lines[1].1);
        assert_eq!(both, [("B".into(), Some("x y".into())), ("C".into(), Some("3".into()))]);
        assert_eq!(words("add user x"), [("add".into(), None), ("user".into(), None), ("x".into(), None)]);
    }

    #[test]
    fn other_encodings_are_read_and_told() {
        let mut findings = Findings::of("slurm.conf");
        assert_eq!(text(b"\xff\xfeA\0=\x001\0", &mut findings), "A=1");
        assert_eq!(text(b"A=1\nB=\xe9", &mut findings), "A=1\nB=\u{e9}");
        assert_eq!(findings.all.iter().map(|finding| finding.line).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(text(b"\xef\xbb\xbfA=1", &mut findings), "A=1");
        assert_eq!(findings.all.len(), 2);
    }
}
