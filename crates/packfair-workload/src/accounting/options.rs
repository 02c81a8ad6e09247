//! What jobs of Slurm asked for beyond processors, nodes and time: from sacct's ReqTRES, Constraints and Licenses, and from
//! the command line with which they were submitted (SubmitLine).

use super::time::{digits, duration};
use super::tres::{count, mebibytes, pair};
use crate::{AskedMemory, JobOptions, NodeSharing};

/// The fields of a job that tell its options; empty where the log lacks them.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct OptionFields<'a> {
    pub constraint: &'a [u8],
    pub licences: &'a [u8],
    pub reservation: &'a [u8],
    /// The most leaf switches, as squeue and scontrol tell them (ReqSwitch): `1@00:05:00`.
    pub switches: &'a [u8],
    /// What it asked for as TRES; without that, what it got.
    pub tres: &'a [u8],
    pub requested_memory: &'a [u8],
    /// The words of the command line ([`words`](super::submit_line::words)).
    pub submit_line: &'a [&'a [u8]],
    pub nodes: Option<u32>,
}

/// Options without a value that may follow by themselves. All others of the long ones without `=` take the next word.
const FLAGS: &[&[u8]] = &[
    b"--contiguous",
    b"--exclusive",
    b"--hold",
    b"--ignore-pbs",
    b"--no-kill",
    b"--no-requeue",
    b"--overcommit",
    b"--oversubscribe",
    b"--parsable",
    b"--quiet",
    b"--reboot",
    b"--requeue",
    b"--share",
    b"--spread-job",
    b"--test-only",
    b"--use-min-nodes",
    b"--verbose",
    b"--wait",
    b"-H",
    b"-I",
    b"-O",
    b"-Q",
    b"-W",
    b"-X",
    b"-Z",
    b"-k",
    b"-s",
    b"-v",
    b"-vv",
    b"-vvv",
];

/// The options of a command line up to the script: names and values. A short option may have its value behind it
/// without a blank.
pub(super) fn options<'a>(words: &[&'a [u8]]) -> impl Iterator<Item = (&'a [u8], &'a [u8])> {
    let mut words = words.iter().copied().peekable();
    // sbatch, srun or salloc
    if words.peek().is_some_and(|word| !word.starts_with(b"-")) {
        words.next();
    }
    std::iter::from_fn(move || {
        let word = words.next().filter(|word| word.starts_with(b"-") && *word != b"--")?;
        if FLAGS.contains(&word) {
            return Some((word, &b""[..]));
        }
        if let Some((name, value)) = pair(word).filter(|_| word.starts_with(b"--")) {
            return Some((name, value));
        }
        if !word.starts_with(b"--") && word.len() > 2 {
            return Some((&word[..2], word[2..].strip_prefix(b"=").unwrap_or(&word[2..])));
        }
        Some((word, words.next().unwrap_or_default()))
    })
}

/// The options of a job; none where it has none.
pub(crate) fn read(fields: &OptionFields<'_>) -> Option<JobOptions> {
    let mut found = JobOptions::default();
    let mut tres_licences = Vec::new();
    for (name, value) in fields.tres.split(|&byte| byte == b',').filter_map(pair) {
        let (found, name) = match name.strip_prefix(b"gres/gpu:") {
            Some(kind) => (&mut found.gpus, kind),
            None => (&mut tres_licences, name.strip_prefix(b"license/").unwrap_or_default()),
        };
        found.extend(count(value).filter(|&count| count > 0 && !name.is_empty()).map(|count| (text(name), count)));
    }
    let has_kinds = !found.gpus.is_empty();
    let nodes = fields.nodes.unwrap_or(1).max(1);
    found.memory = memory_for_each(fields.requested_memory);
    found.switches = switches(fields.switches);
    let mut licences = fields.licences;
    let mut reservation = fields.reservation;
    let mut constraint = fields.constraint;
    for (name, value) in options(fields.submit_line) {
        match name {
            // where it contains the file's delimiter, the column may have only its beginning
            b"--constraint" | b"-C" if value.starts_with(constraint) => constraint = value,
            b"--licenses" | b"-L" if licences.is_empty() => licences = value,
            b"--gres" | b"--gpus-per-node" if !has_kinds => add_kinds(&mut found.gpus, value, nodes),
            b"--gpus" | b"-G" if !has_kinds => add_kinds(&mut found.gpus, value, 1),
            b"--mem" => found.memory = mebibytes(value).map_or(found.memory, AskedMemory::OfNode),
            b"--mem-per-cpu" => found.memory = mebibytes(value).map_or(found.memory, AskedMemory::OfCpu),
            b"--mem-per-gpu" => found.memory = mebibytes(value).map_or(found.memory, AskedMemory::OfGpu),
            b"--cpus-per-task" | b"-c" => found.of_task = count(value).filter(|&each| each > 1).unwrap_or(0),
            b"--switches" => found.switches = switches(value).or(found.switches),
            b"--reservation" if reservation.is_empty() => reservation = value,
            b"--core-spec" | b"-S" | b"--thread-spec" => found.names_reserved = count(value).is_some(),
            b"--exclusive" => {
                found.sharing = match value {
                    b"" => NodeSharing::Nobody,
                    b"user" => NodeSharing::OwnUser,
                    _ => found.sharing,
                };
            }
            _ => {}
        }
    }
    if !matches!(constraint, b"" | b"(null)" | b"None") {
        found.constraint = text(constraint);
    }
    if !matches!(reservation, b"" | b"(null)" | b"None" | b"N/A") {
        found.reservation = text(reservation);
    }
    found.is_any_licence = licences.contains(&b'|');
    found.licences = licences.split(|byte| matches!(byte, b',' | b';' | b'|')).filter_map(licence).collect();
    if found.licences.is_empty() {
        found.licences = tres_licences;
    }
    (found != JobOptions::default()).then_some(found)
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes.trim_ascii()).into_owned()
}

/// Adds the GPUs with a kind of a list such as `gpu:a100:2,shard:1` or, of `--gpus`, `a100:2`.
fn add_kinds(kinds: &mut Vec<(String, u32)>, list: &[u8], times: u32) {
    for item in list.split(|&byte| byte == b',') {
        let item = item.strip_prefix(b"gres/").or_else(|| item.strip_prefix(b"gres:")).unwrap_or(item);
        let mut parts = item.split(|byte| matches!(byte, b':' | b'='));
        let first = parts.next().unwrap_or_default();
        let rest: Vec<&[u8]> = parts.collect();
        let (kind, number) = match (first, &rest[..]) {
            (b"gpu", [kind, number]) => (*kind, *number),
            (b"gpu", [kind]) if digits(kind).is_none() => (*kind, &b"1"[..]),
            // --gpus names no gpu
            (kind, [number]) if kind != b"gpu" && times == 1 => (kind, *number),
            _ => continue,
        };
        if let Some(number) = count(number).filter(|&number| number > 0 && !kind.is_empty()) {
            kinds.push((text(kind), number.saturating_mul(times)));
        }
    }
}

/// A licence, `matlab:2`, `matlab@server:2`; one where no number is told.
fn licence(item: &[u8]) -> Option<(String, u32)> {
    let item = item.trim_ascii();
    let (name, number) = match item.iter().rposition(|byte| matches!(byte, b':' | b'=' | b'*')) {
        Some(at) => (&item[..at], count(&item[at + 1..])?),
        None => (item, 1),
    };
    let is_named = !matches!(name, b"" | b"(null)" | b"None");
    (is_named && number > 0).then(|| (text(name), number))
}

/// The memory for each node or processor in the form of old versions' ReqMem: `20Gn`, `4Gc`.
fn memory_for_each(text: &[u8]) -> AskedMemory {
    let amount = |text| mebibytes(text).filter(|&amount| amount > 0);
    let found = match text.split_last() {
        Some((b'c', text)) => amount(text).map(AskedMemory::OfCpu),
        Some((b'n', text)) => amount(text).map(AskedMemory::OfNode),
        _ => None,
    };
    found.unwrap_or_default()
}

/// The most leaf switches and the longest wait for them, seconds: `2`, `1@60:00`. Without a time it waits for good.
fn switches(value: &[u8]) -> Option<(u32, u32)> {
    let mut parts = value.splitn(2, |&byte| byte == b'@');
    let most = count(parts.next()?)?;
    let minutes = |text: &[u8]| digits(text).map(|minutes| minutes * 60);
    let wait = parts.next().and_then(|text| minutes(text).or_else(|| duration(text)));
    (most > 0).then(|| (most, wait.map_or(u32::MAX, |wait| u32::try_from(wait).unwrap_or(u32::MAX))))
}

#[cfg(test)]
mod tests {
    use super::super::submit_line::words;
    use super::*;

    fn of(line: &str) -> JobOptions {
        read(&OptionFields { submit_line: &words(line.as_bytes()), nodes: Some(2), ..OptionFields::default() })
            .unwrap_or_default()
    }

    fn kinds(found: &JobOptions) -> Vec<(&str, u32)> {
        found.gpus.iter().map(|(kind, count)| (kind.as_str(), *count)).collect()
    }

    #[test]
    fn command_lines_tell_options_up_to_the_script() {
        let found = of("sbatch -N2 -C new|old --licenses=matlab:2,ansys --mem-per-cpu=4G --exclusive=user x.sh -C no");
        assert_eq!((found.constraint.as_str(), found.memory), ("new|old", AskedMemory::OfCpu(4096)));
        assert_eq!(found.licences, [("matlab".to_owned(), 2), ("ansys".to_owned(), 1)]);
        assert_eq!((found.sharing, found.is_any_licence), (NodeSharing::OwnUser, false));
        assert_eq!(of("sbatch --requeue -t 5 --constraint a&b x.sh").constraint, "a&b");
        assert_eq!(of("sbatch x.sh --constraint=no"), JobOptions::default());
        assert_eq!(of("sbatch --mem 0 --exclusive x").memory, AskedMemory::OfNode(0));
        assert_eq!(of("sbatch --exclusive x").sharing, NodeSharing::Nobody);
        assert_eq!(of("sbatch --reservation=class x").reservation, "class");
        let column = read(&OptionFields { reservation: b"maint,class", ..OptionFields::default() }).unwrap();
        assert_eq!(column.reservation, "maint,class");
        assert!(of("sbatch -S 2 x").names_reserved && of("sbatch --core-spec=0 x").names_reserved);
        assert_eq!(of("srun -L a|b x").licences.len(), 2);
        assert!(of("srun -L a|b x").is_any_licence);
        assert_eq!(of("sbatch --switches=1@2:00:00 x").switches, Some((1, 7_200)));
        assert_eq!(of("sbatch --switches 2@30 x").switches, Some((2, 1_800)));
        assert_eq!(of("sbatch --switches=2 x").switches, Some((2, u32::MAX)));
        assert_eq!(of("sbatch --switches= x").switches, None);
        assert_eq!((of("sbatch -n 8 -c4 x").of_task, of("sbatch --cpus-per-task 2 x").of_task), (4, 2));
    }

    #[test]
    fn kinds_of_gpus_are_of_all_nodes() {
        assert_eq!(kinds(&of("sbatch --gres=gpu:a100:2,shard:1 x")), [("a100", 4)], "on each of two nodes");
        assert_eq!(kinds(&of("sbatch --gres gpu:a100 x")), [("a100", 2)]);
        assert_eq!(kinds(&of("sbatch --gpus=a100:3,v100:1 x")), [("a100", 3), ("v100", 1)]);
        assert_eq!(kinds(&of("sbatch -G 4 x")), []);
        assert_eq!(kinds(&of("sbatch --gres=gpu:4 x")), []);
        let told = read(&OptionFields {
            tres: b"cpu=4,gres/gpu:v100=2,gres/gpu=2,license/matlab=3,mem=4G,node=1",
            submit_line: &words(b"sbatch --gres=gpu:a100:1 x"),
            ..OptionFields::default()
        })
        .unwrap();
        assert_eq!(kinds(&told), [("v100", 2)]);
        assert_eq!(told.licences, [("matlab".to_owned(), 3)]);
    }

    #[test]
    fn columns_go_before_command_lines() {
        let told = |constraint: &'static str, memory: &'static str| {
            read(&OptionFields {
                constraint: constraint.as_bytes(),
                requested_memory: memory.as_bytes(),
                submit_line: &words(b"sbatch -C b x"),
                ..OptionFields::default()
            })
            .unwrap()
        };
        assert_eq!((told("a", "4Gc").constraint, told("a", "4Gc").memory), ("a".into(), AskedMemory::OfCpu(4096)));
        assert_eq!((told("", "4000M").constraint, told("", "4000M").memory), ("b".into(), AskedMemory::Unsaid));
        assert_eq!(read(&OptionFields { constraint: b"(null)", switches: b"0", ..OptionFields::default() }), None);
        let few = read(&OptionFields { switches: b"1@00:05:00", ..OptionFields::default() }).unwrap();
        assert_eq!(few.switches, Some((1, 300)));
    }
}
