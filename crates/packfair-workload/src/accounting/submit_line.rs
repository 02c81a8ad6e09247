//! The number of nodes that a job asked for, while its accounting tells what it got: from sacct's SubmitLine, and from
//! ReqTRES beside NNodes.

use super::options::options;
use super::time::{digits, duration};
use crate::Seconds;

/// The words of a command line, which all else here and what reads dependencies and options takes.
pub(crate) fn words(line: &[u8]) -> Vec<&[u8]> {
    // without a sign of an option there is none
    if memchr::memchr(b'-', line).is_none() {
        return Vec::new();
    }
    line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty()).collect()
}

/// The values of the option named `long` or `short`, wherever it stands.
pub(super) fn option_values<'a>(
    words: &'a [&'a [u8]],
    long: &'a [u8],
    short: &'a [u8],
) -> impl Iterator<Item = &'a [u8]> {
    let mut words = words.iter();
    std::iter::from_fn(move || {
        while let Some(word) = words.find(|word| word.starts_with(b"-")) {
            if *word == long || *word == short {
                return Some(words.next().copied().unwrap_or_default());
            }
            let behind = word.strip_prefix(long).and_then(|behind| behind.strip_prefix(b"="));
            if let Some(value) = behind.or_else(|| word.strip_prefix(short)) {
                return Some(value);
            }
        }
        None
    })
}

/// The fewest nodes that a job asked for, and the most (0: any number). None where neither is known.
///
/// Slurm keeps the fewest (ReqTRES; 1 where the user gave no number) and not the most. A job that got more than the
/// fewest would have taken any number. A job that got just the fewest asked for that number, unless it is 1 and the
/// command line asks for several tasks.
pub(super) fn node_range(words: &[&[u8]], asked: Option<u32>, got: Option<u32>) -> Option<(u32, u32)> {
    if let Some(range) = option_values(words, b"--nodes", b"-N").find_map(range) {
        return Some(range);
    }
    let least = asked?;
    let has_tasks = || {
        let tasks = option_values(words, b"--ntasks", b"-n").find_map(number);
        tasks.is_some_and(|tasks| tasks > 1)
    };
    let is_open = got.is_some_and(|got| got > least) || least == 1 && has_tasks();
    Some((least, if is_open { 0 } else { least }))
}

/// The partitions that a job named, which may be several; empty where the command line names none.
pub(super) fn partition<'a>(words: &[&'a [u8]]) -> &'a [u8] {
    last_of(words, b"--partition", b"-p").unwrap_or_default()
}

/// The time limit with which a job was submitted; none where the command line names none, or none that is certain.
pub(super) fn limit(words: &[&[u8]]) -> Option<Seconds> {
    let text = last_of(words, b"--time", b"-t")?;
    // minutes alone, or a time that Slurm rounds up to minutes
    digits(text).or_else(|| duration(text).map(|limit| (limit + 59) / 60))?.checked_mul(60)
}

/// The value that an option has before the script, the last of several.
fn last_of<'a>(words: &[&'a [u8]], long: &[u8], short: &[u8]) -> Option<&'a [u8]> {
    options(words).filter(|(name, _)| *name == long || *name == short).map(|(_, value)| value).last()
}

/// Reads a number of nodes or a range of them: `4`, `2-4`.
fn range(text: &[u8]) -> Option<(u32, u32)> {
    let mut parts = text.splitn(2, |&byte| byte == b'-');
    let least = number(parts.next()?)?;
    let most = parts.next().map_or(Some(least), number)?;
    (most >= least).then_some((least, most))
}

/// A whole number of at least 1.
fn number(text: &[u8]) -> Option<u32> {
    digits(text).and_then(|number| u32::try_from(number).ok()).filter(|&number| number > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_of_nodes_is_told_or_follows_from_what_a_job_got() {
        let of = |line: &str, asked, got| node_range(&words(line.as_bytes()), asked, got);
        assert_eq!(of("sbatch -N 2 -n 8 x", Some(2), Some(2)), Some((2, 2)));
        assert_eq!(of("sbatch -N2-4 x", None, None), Some((2, 4)));
        assert_eq!(of("sbatch --nodes=3 x", Some(3), Some(3)), Some((3, 3)));
        assert_eq!(of("", Some(1), Some(3)), Some((1, 0)), "it got more than it asked for");
        assert_eq!(of("", Some(2), Some(2)), Some((2, 2)));
        assert_eq!(of("sbatch -n 4 x", Some(1), Some(1)), Some((1, 0)), "tasks alone");
        assert_eq!(of("sbatch --ntasks=1 -c 4 x", Some(1), Some(1)), Some((1, 1)), "one task has one node");
        assert_eq!(of("sbatch x", Some(1), Some(1)), Some((1, 1)));
        assert_eq!(of("sbatch -N x -n 4", None, Some(2)), None);
        assert_eq!(of("sbatch -N 4-2", None, Some(2)), None);
    }
}
