//! What sentences name that a person does, in the words of each front end.
//!
//! A sentence is written once, in the words of the command line: an option is `--option`, and with a value `--option=value`;
//! behind a space stands a value only where it shows that it is one: a number, text in quotes, `NAME`, `field=column`. What is
//! done on the page alone is the last part of a sentence: `, or ... on the page`. A front end with other words has its
//! sentences made by [`in_keywords`].

/// What ends a part of a sentence that is for the page alone, and what begins it.
const ON_THE_PAGE: (&str, &str) = (", or ", " on the page");

/// A keyword that stands for an option.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Keyword {
    /// Its name.
    pub name: String,
    /// Whether it is on or off, and takes no other value.
    pub is_switch: bool,
}

/// A sentence in the words of a front end of keyword arguments: `--option=value` is `option="value"`. What `keyword` does not
/// know is another program's option, and stays.
pub fn in_keywords(sentence: &str, keyword: impl Fn(&str) -> Option<Keyword>) -> String {
    let sentence = without_page(sentence);
    let (mut told, mut rest) = (String::with_capacity(sentence.len()), sentence.as_str());
    while let Some(at) = rest.find("--") {
        let is_begin =
            rest[..at].chars().next_back().is_none_or(|before| before.is_whitespace() || "(\"'`".contains(before));
        let after = &rest[at + 2..];
        let length = after.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').unwrap_or(after.len());
        let found = Some(&after[..length]).filter(|name| is_begin && !name.is_empty()).and_then(&keyword);
        let Some(Keyword { name, is_switch }) = found else {
            told.push_str(&rest[..at + 2]);
            rest = after;
            continue;
        };
        told.push_str(&rest[..at]);
        told.push_str(&name);
        rest = &after[length..];
        if is_switch {
            told.push_str("=True");
        } else if let Some((value, behind)) = value(rest) {
            told.push('=');
            told.push_str(&as_literal(value));
            rest = behind;
        }
    }
    told + rest
}

/// The sentence without what is done on the page.
fn without_page(sentence: &str) -> String {
    let (begin, end) = ON_THE_PAGE;
    let mut told = sentence.to_owned();
    while let Some(to) = told.find(end)
        && let Some(from) = told[..to].rfind(begin)
    {
        told.replace_range(from..to + end.len(), "");
    }
    told
}

/// The value behind an option's name, and what follows it.
fn value(rest: &str) -> Option<(&str, &str)> {
    let is_joined = rest.starts_with('=');
    let text = rest.strip_prefix(['=', ' '])?;
    if let Some(quoted) = text.strip_prefix('"') {
        let end = quoted.find('"')? + 2;
        return Some(text.split_at(end));
    }
    let end = text.find(|letter: char| letter.is_whitespace() || ")\"'`".contains(letter)).unwrap_or(text.len());
    let word = text[..end].trim_end_matches([',', ';', ':', '.']);
    let shows = word.starts_with(|first: char| first.is_ascii_digit()) || word.contains('=') || is_placeholder(word);
    (!word.is_empty() && (is_joined || shows)).then(|| text.split_at(word.len()))
}

/// Whether it stands for a value that somebody has to give.
fn is_placeholder(word: &str) -> bool {
    word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_uppercase())
}

fn as_literal(value: &str) -> String {
    if value.starts_with('"') || value.parse::<f64>().is_ok() || is_placeholder(value) {
        value.to_owned()
    } else {
        format!("\"{value}\"")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(sentence: &str) -> String {
        in_keywords(sentence, |option| {
            let known =
                ["columns", "procs", "unit", "now", "max-jobs", "accept-losses", "slurm", "scheduler", "feedback"];
            let name = if option == "scheduler" { "schedulers".to_owned() } else { option.replace('-', "_") };
            known.contains(&option).then(|| Keyword { name, is_switch: option == "accept-losses" })
        })
    }

    #[test]
    fn options_are_keywords() {
        for (sentence, keywords) in [
            ("say which (--columns \"submit=2,end=4\"), or not", "say which (columns=\"submit=2,end=4\"), or not"),
            ("as in --columns submit=2,start=3; or", "as in columns=\"submit=2,start=3\"; or"),
            ("--procs 0: it takes more", "procs=0: it takes more"),
            ("leave --procs out", "leave procs out"),
            ("(leave out --feedback)", "(leave out feedback)"),
            ("(--unit=nodes)", "(unit=\"nodes\")"),
            ("(--now TIME, or more)", "(now=TIME, or more)"),
            ("go on: --accept-losses", "go on: accept_losses=True"),
            ("or raise the limit with --max-jobs", "or raise the limit with max_jobs"),
            ("--scheduler=slurm:a=3", "schedulers=\"slurm:a=3\""),
            ("--slurm says how many", "slurm says how many"),
        ] {
            assert_eq!(told(sentence), keywords);
        }
    }

    #[test]
    fn options_of_other_programs_stay() {
        for sentence in ["the output of sacct --json", "sbatch --constraint=a|b", "a--procs", "diff --- a", "--", "ü--"]
        {
            assert_eq!(told(sentence), sentence);
        }
    }

    #[test]
    fn what_is_done_on_the_page_is_left_out() {
        assert_eq!(told("give it with --slurm, or drop it on the page."), "give it with slurm.");
        assert_eq!(told("a, b on the page"), "a, b on the page");
        assert_eq!(told("say it, or write it on the page, or draw it on the page"), "say it");
    }
}
