//! What a terminal shows beside the output of a command, where a person has copied both: prompts, and commands that were
//! typed. The same for every text that a person gives.

use std::borrow::Cow;

/// Commands of batch systems that print reports.
const COMMANDS: &[&str] = &[
    "sacct",
    "squeue",
    "sinfo",
    "sshare",
    "sprio",
    "sreport",
    "sacctmgr",
    "scontrol",
    "qstat",
    "qacct",
    "pbsnodes",
    "tracejob",
    "bjobs",
    "bhist",
    "bacct",
    "condor_history",
    "condor_q",
    "flux",
];

/// Commands that also change what they print, and the words of those that print.
const CHANGING: [&[u8]; 2] = [b"sacctmgr", b"scontrol"];
const PRINTING: [&[u8]; 4] = [b" show", b" list", b" dump", b" jobs"];

/// How many first bytes of a line tell whether a prompt is there.
const HEAD: usize = 128;

/// Tells the lines of a text one after the other whether they are what a person typed.
#[derive(Clone, Copy, Debug, Default)]
pub struct TypedLines {
    /// Whether the command goes on, behind a `\`.
    goes_on: bool,
}

impl TypedLines {
    /// Whether the next line is a prompt or a command.
    #[inline]
    pub fn has(&mut self, line: &[u8]) -> bool {
        // lines of numbers, which most are, begin otherwise
        let may_be = line.first().is_some_and(|first| first.is_ascii_alphabetic() || b"[($%>".contains(first));
        // a quote that is not closed here belongs to a value of several lines
        let is_whole = || line.iter().filter(|&&byte| byte == b'"').count() % 2 == 0;
        let is_typed = (self.goes_on || may_be && is_prompt(line)) && is_whole();
        self.goes_on = is_typed && line.trim_ascii_end().ends_with(b"\\");
        is_typed
    }
}

/// Whether a line begins as a shell's prompt does (`[ann@login ~]$`, `(base) ann@login:~/x$ sacct`, `$ sacct`), or is a command that
/// prints a report.
fn is_prompt(line: &[u8]) -> bool {
    let head = &line[..line.len().min(HEAD)];
    let has = |words: &[&[u8]]| words.iter().any(|word| head.windows(word.len()).any(|part| part == *word));
    let typed = [b"% ", b"> "].into_iter().find_map(|sign| head.strip_prefix(sign));
    let is_one = is_command(typed.unwrap_or(head))
        || head.trim_ascii() == b"$"
        || head.starts_with(b"$ ") && head.get(2).is_some_and(u8::is_ascii_alphabetic)
        || head.contains(&b'@') && is_of_host(&String::from_utf8_lossy(head));
    is_one && (!has(&CHANGING) || has(&PRINTING))
}

/// Whether a text is a command without or with options.
fn is_command(text: &[u8]) -> bool {
    let begins = |rest: &[u8]| PRINTING.iter().any(|word| rest.starts_with(word)) || rest.starts_with(b" -");
    let is = |command: &&str| {
        let rest = text.strip_prefix(command.as_bytes());
        rest.is_some_and(|rest| rest.trim_ascii().is_empty() || begins(rest))
    };
    COMMANDS.iter().any(is) && !text.contains(&b'|')
}

/// Whether a text begins with a user, a host and a folder, as a prompt does, and the sign behind them.
fn is_of_host(text: &str) -> bool {
    // the name of an environment may stand before them
    let text = text.strip_prefix('(').and_then(|rest| Some(rest.split_once(") ")?.1)).unwrap_or(text);
    let is_of_name = |c: char| c.is_alphanumeric() || "._-".contains(c);
    let (is_bracketed, inside) = text.strip_prefix('[').map_or((false, text), |inside| (true, inside));
    let Some((user, rest)) = inside.split_once('@') else { return false };
    let behind = rest.trim_start_matches(is_of_name);
    if user.is_empty() || !user.chars().all(is_of_name) || behind.len() == rest.len() {
        return false;
    }
    let end = if is_bracketed { behind.find(']').map(|at| at + 1) } else { behind.find(['$', '#', '%', '>']) };
    let Some((folder, sign)) = end.and_then(|at| behind.split_at_checked(at)) else { return false };
    let is_folder = match folder.strip_prefix(' ').filter(|_| !is_bracketed) {
        Some(word) => !word.trim_end().contains(' ') && !word.starts_with(|c: char| c.is_ascii_digit()),
        None => folder.is_empty() || folder.starts_with([':', ' ', ']']),
    };
    is_folder && sign.starts_with(['$', '#', '%', '>']) && matches!(sign[1..].chars().next(), None | Some(' ' | '\r'))
}

/// A text with empty lines in place of prompts and commands, so that the others keep their numbers.
pub fn without_typed(text: &str) -> Cow<'_, str> {
    let mut typed = TypedLines::default();
    if !text.lines().any(|line| typed.has(line.as_bytes())) {
        return Cow::Borrowed(text);
    }
    let mut typed = TypedLines::default();
    let line = |line: &str| if typed.has(line.as_bytes()) { "\n".to_owned() } else { line.to_owned() };
    Cow::Owned(text.split_inclusive('\n').map(line).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn prompts_are_told_from_rows() {
        for line in [
            "[ann@login ~]$ ",
            "[ann@login1.x.org packfair]$ sacct -a -P",
            "[root@head ~]#",
            "ann@login:~$ squeue",
            "ann@login:~/my logs$",
            "(base) ann@login:/scratch$ sacct -P | less",
            "(base) [ann@login ~]$",
            "ann@mac ~ % sacct",
            "$ sacct -a",
            "% qstat -f",
            "sacct -a -X -P",
            "squeue",
            "squeue\r",
            "$ ",
            "flux jobs -a --json",
            "scontrol show job -o",
        ] {
            assert!(TypedLines::default().has(line.as_bytes()), "{line}");
        }
        for line in [
            "",
            "ann@login,12,3",
            "ann@x.org|12|[a]$",
            "sacct|12|13",
            "sdiag output at Mon Nov 24 10:00:00 2025",
            "bjobs of 12",
            "sacctmgr -i add user ann account=x",
            "[root@head ~]# sacctmgr add user ann account=x",
            "12|ann@login|x",
            "JobID|User",
            "[1,2]",
            "qstat,1,2",
            "ann@x.org 12 $ 3",
            "squeue -u ann\" 0.5 0.5",
            "$ 12.50",
        ] {
            assert!(!TypedLines::default().has(line.as_bytes()), "{line}");
        }
    }

    #[test]
    fn a_command_may_go_on_over_lines() {
        let text = "[ann@login ~]$ sacct -a \\\n> -P -o JobID,\\\n> Submit\nJobID|Submit\n1|x\n[ann@login ~]$ ";
        assert_eq!(without_typed(text), "\n\n\nJobID|Submit\n1|x\n\n");
        assert_eq!(without_typed("a\nb"), Cow::Borrowed("a\nb"));
    }
}
