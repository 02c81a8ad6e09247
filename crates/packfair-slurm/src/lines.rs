//! Lines of Slurm's files: `Key=Value` words, quotes, comments, continued lines.

use packfair_base::encoding::{WideEncoding, as_utf8};
use packfair_base::pasted::without_typed;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::ops::Range;

/// The text of a file in any encoding. Adds a finding if Slurm could not read the encoding.
pub(super) fn text(content: &[u8], findings: &mut FindingLog<'_>) -> String {
    if let Some(encoding) = WideEncoding::of(content) {
        findings.note(FindingKind::Wrong, 0, format!("it is {}; Slurm reads ASCII: save it as UTF-8", encoding.name()));
    }
    let content = &*as_utf8(content);
    match std::str::from_utf8(content) {
        Ok(text) => without_typed(text).into_owned(),
        Err(error) => {
            let line = content[..error.valid_up_to()].iter().filter(|&&byte| byte == b'\n').count() as u32 + 1;
            findings.note(FindingKind::Unknown, line, "a letter that is not UTF-8; read as Latin-1");
            content.iter().map(|&byte| char::from(byte)).collect()
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

/// The words of a line that a person writes or Slurm prints, `Key=Value`, where the value may be in quotes. A word
/// without `=` has the value `None`.
pub(super) fn words(line: &str) -> Vec<(String, Option<String>)> {
    let mut found = Vec::new();
    let mut rest = line.trim_start();
    while !rest.is_empty() {
        let word = &rest[..end_of_word(rest)];
        match word.split_once('=') {
            // sacctmgr also takes "limit += value"
            Some((key, value)) => found.push((bare(key.trim_end_matches(['+', '-'])), Some(bare(value)))),
            None => found.push((bare(word), None)),
        }
        rest = rest[word.len()..].trim_start();
    }
    found
}

/// A word of `slurm.conf`: the places of its key, of its value and of all of it. A word without `=` has no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WordSpan {
    pub(super) key: Range<usize>,
    pub(super) value: Option<Range<usize>>,
    pub(super) all: Range<usize>,
    /// Whether a blank stands in the value, behind or before a comma and outside of quotes, which Slurm does not take.
    pub(super) is_parted: bool,
}

/// The words of a line of `slurm.conf`, where blanks may stand around the `=`.
pub(super) fn spans(line: &str) -> Vec<WordSpan> {
    let blanks = |from: usize| from + line[from..].len() - line[from..].trim_start().len();
    let mut found = Vec::new();
    let mut at = blanks(0);
    while at < line.len() {
        let word = at + end_of_word(&line[at..]);
        let equals = line[at..word].find('=').map(|length| at + length);
        let behind = blanks(word);
        let Some(equals) = equals.or_else(|| line[behind..].starts_with('=').then_some(behind)) else {
            found.push(WordSpan { key: at..word, value: None, all: at..word, is_parted: false });
            at = behind;
            continue;
        };
        let key = at..at + line[at..equals].trim_end().len();
        let begin = blanks(equals + 1);
        let mut end = begin + end_of_word(&line[begin..]);
        let mut is_parted = false;
        // a list goes on behind a blank where there is a comma, unless the next word is a key
        let goes_on = |end: usize| {
            let next = &line[blanks(end)..];
            (line[begin..end].ends_with(',') && !begins_with_key(next)) || next.starts_with(',')
        };
        while blanks(end) < line.len() && goes_on(end) {
            is_parted = true;
            let next = blanks(end);
            end = next + end_of_word(&line[next..]);
        }
        // nothing but blanks is behind the sign
        let (begin, end) = if begin == end { (equals + 1, equals + 1) } else { (begin, end) };
        found.push(WordSpan { key, value: Some(begin..end), all: at..end, is_parted });
        at = blanks(end);
    }
    found
}

/// Whether a text begins with `Key=`, as Slurm writes its keys: other than words of lists, `bf_window=1`, `Mem=0.25G`, they
/// have more than one capital letter, or are one of the few keys of nodes and partitions that have not.
fn begins_with_key(text: &str) -> bool {
    const PLAIN: &[&str] =
        &["default", "feature", "features", "gres", "hidden", "nodes", "port", "reason", "shared", "state", "weight"];
    let Some((key, _)) = text.split_once('=') else { return false };
    let key = key.trim_end();
    !key.is_empty()
        && key.chars().all(|c| c.is_ascii_alphabetic())
        && (PLAIN.iter().any(|plain| plain.eq_ignore_ascii_case(key))
            || key.len() > 4
                && key.chars().filter(char::is_ascii_uppercase).count() > 1
                && key.starts_with(char::is_uppercase))
}

/// The words of a line of `slurm.conf`, without quotes.
pub(super) fn conf_words(line: &str) -> Vec<(String, Option<String>)> {
    let word = |span: WordSpan| {
        let value = span.value.map(|value| {
            let value = bare(&line[value]);
            if span.is_parted { value.split_whitespace().collect() } else { value }
        });
        (bare(line[span.key].trim_end_matches(['+', '-', '*', '/'])), value)
    };
    spans(line).into_iter().map(word).collect()
}

/// Whether a value of `slurm.conf` means yes.
pub(super) fn is_yes(value: &str) -> bool {
    ["yes", "up", "true", "1"].iter().any(|yes| value.eq_ignore_ascii_case(yes))
}

fn bare(text: &str) -> String {
    text.replace(['"', '\''], "")
}

/// Where the first word of a text ends: at the first blank outside of quotes.
fn end_of_word(text: &str) -> usize {
    let mut quote = None;
    for (at, c) in text.char_indices() {
        match (c, quote) {
            ('"' | '\'', None) => quote = Some(c),
            (c, Some(open)) if c == open => quote = None,
            (c, None) if c.is_whitespace() => return at,
            _ => {}
        }
    }
    text.len()
}

/// The first line, outside of comments, that a template still has to fill in, and what stands there.
pub(super) fn template(text: &str) -> Option<(u32, &'static str)> {
    let has_variable = |line: &str| {
        let is_name =
            |inside: &str| !inside.is_empty() && inside.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        line.split("${").skip(1).any(|behind| behind.split_once('}').is_some_and(|(inside, _)| is_name(inside)))
    };
    lines(text).into_iter().find_map(|(number, line)| {
        let mark = ["{{", "{%", "<%"].into_iter().find(|mark| line.contains(mark));
        let words = match mark {
            Some("{{") => Some("{{ }}"),
            Some("{%") => Some("{% %}"),
            Some(_) => Some("<% %>"),
            None => has_variable(&line).then_some("${ }"),
        };
        words.map(|words| (number, words))
    })
}

// Findings: what a reader says of a line of a site's files.

/// Something that a reader could not take as it stands, and where.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Finding {
    pub file: String,
    /// The line, from 1; 0 for the whole file.
    pub line: u32,
    /// How much it matters.
    pub kind: FindingKind,
    pub words: String,
    /// The page of Slurm's manual that tells what should stand there, with the key; empty where none does.
    pub page: String,
}

/// How much a finding matters. The worst comes first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum FindingKind {
    /// Slurm would not accept it, or it contradicts itself.
    Wrong,
    /// Slurm skips it: it has no effect, although somebody meant it to have one.
    Ignored,
    /// It is not understood here.
    Unknown,
    /// It is understood, and has no effect on what is simulated.
    NotModelled,
    /// The files do not tell something, and it is taken to be so.
    Note,
}

impl FindingKind {
    /// The kind in a word or two.
    pub fn name(self) -> &'static str {
        match self {
            FindingKind::Wrong => "wrong",
            FindingKind::Ignored => "ignored by Slurm",
            FindingKind::Unknown => "not understood",
            FindingKind::NotModelled => "not modelled",
            FindingKind::Note => "note",
        }
    }
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Finding { file, line, kind, words, page } = self;
        match line {
            0 => write!(f, "{file}: {}: {words}", kind.name())?,
            _ => write!(f, "{file}:{line}: {}: {words}", kind.name())?,
        }
        if page.is_empty() { Ok(()) } else { write!(f, " ({page})") }
    }
}

#[derive(Debug)]
pub(super) struct FindingLog<'a> {
    file: &'a str,
    pub(super) all: Vec<Finding>,
}

/// The most findings of a file that are kept, since a file of another kind would have one for each of its lines.
const MOST_FINDINGS: usize = 1000;

impl<'a> FindingLog<'a> {
    pub(super) fn of(file: &'a str) -> Self {
        FindingLog { file, all: Vec::new() }
    }

    pub(super) fn turn_to(&mut self, file: &'a str) {
        self.file = file;
    }

    pub(super) fn note(&mut self, kind: FindingKind, line: u32, words: impl Into<String>) {
        if self.all.len() == MOST_FINDINGS {
            let words = format!("more than {MOST_FINDINGS} lines are not as they should be; the rest are not told");
            let page = String::new();
            self.all.push(Finding { file: self.file.to_owned(), line, kind: FindingKind::Wrong, words, page });
        }
        if self.all.len() < MOST_FINDINGS {
            let page = String::new();
            self.all.push(Finding { file: self.file.to_owned(), line, kind, words: words.into(), page });
        }
    }

    /// Names the page of Slurm's manual for all lines that have none yet, with the key that a line's words begin with.
    pub(super) fn refer_to(&mut self, page: &str) {
        if page.is_empty() {
            return;
        }
        let of_lines = self.all.iter_mut().filter(|finding| finding.line > 0 && finding.kind != FindingKind::Note);
        for finding in of_lines.filter(|finding| finding.page.is_empty()) {
            let key =
                finding.words.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
            finding.page = match key.starts_with(|c: char| c.is_ascii_uppercase()) {
                true => format!("{page}, {key}"),
                false => page.to_owned(),
            };
        }
    }

    pub(super) fn wrong(&mut self, line: u32, words: impl Into<String>) {
        self.note(FindingKind::Wrong, line, words);
    }
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
    fn blanks_may_stand_around_the_sign() {
        let words = |line: &str| {
            let word = |(key, value): (String, Option<String>)| format!("{key}:{}", value.unwrap_or("-".to_owned()));
            conf_words(line).into_iter().map(word).collect::<Vec<_>>().join(" ")
        };
        for line in ["A=1 B=2", "A = 1 B = 2", "A= 1 B =2", "  A\t=\t1   B=\"2\" ", "A=\"1\"  B = '2'"] {
            assert_eq!(words(line), "A:1 B:2", "{line}");
        }
        assert_eq!(words("Nodes = \"\" Default=YES"), "Nodes: Default:YES");
        assert_eq!(words("S = a=1,b , c=2, d E=3"), "S:a=1,b,c=2,d E:3");
        assert!(spans("S=a, b")[0].is_parted && !spans("S=\"a, b\"")[0].is_parted);
        assert_eq!(words("Nodes=a,b, MaxTime=1 State=UP"), "Nodes:a,b, MaxTime:1 State:UP", "a key ends a list");
        assert_eq!(words("Nodes=a, State=UP S=x=1, bf_y=2"), "Nodes:a, State:UP S:x=1,bf_y=2");
        assert_eq!(words("A ="), "A:");
        assert_eq!(words("Include /etc/x"), "Include:- /etc/x:-");
    }

    #[test]
    fn what_a_template_leaves_open_is_found_outside_of_comments() {
        assert_eq!(template("# {{ managed }}\nA=1\nB={{ b }}\n"), Some((3, "{{ }}")));
        assert_eq!(template("{% for a in b %}\n"), Some((1, "{% %}")));
        assert_eq!(template("A=<%= @a %>\n"), Some((1, "<% %>")));
        assert_eq!(template("A=1\nB=x${NODES}y\n"), Some((2, "${ }")));
        assert_eq!(template("A=$x\nB=%u/{a}\nC=${}\n"), None);
    }

    #[test]
    fn other_encodings_are_read_and_told() {
        let mut findings = FindingLog::of("slurm.conf");
        assert_eq!(text(b"\xff\xfeA\0=\x001\0", &mut findings), "A=1");
        assert_eq!(text(b"A=1\nB=\xe9", &mut findings), "A=1\nB=\u{e9}");
        assert_eq!(findings.all.iter().map(|finding| finding.line).collect::<Vec<_>>(), [0, 2]);
        assert_eq!(text(b"\xef\xbb\xbfA=1", &mut findings), "A=1");
        assert_eq!(findings.all.len(), 2);
    }
}
