//! Trackable resources as Slurm writes them: `billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1`, and by number in its
//! data base: `1=12,2=31000,4=1,1001=2`.

use super::numbers::{is_no_amount, is_no_limit, is_odd, is_unknown};
use super::time::digits;
use crate::Seconds;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Resources {
    pub processors: Option<u32>,
    pub nodes: Option<u32>,
    pub gpus: Option<u32>,
    /// Memory, MiB.
    pub memory: Option<u32>,
    /// Whether one of these is there and was not understood.
    pub is_odd: bool,
}

impl Resources {
    /// Reads a list; what is of other kinds is passed over.
    pub(crate) fn of(text: &[u8]) -> Self {
        let mut found = Resources::default();
        let (mut typed, mut second) = (None, None);
        for (name, value) in text.split(|&byte| byte == b',').filter_map(pair) {
            let count = match name {
                b"mem" | b"2" => {
                    found.memory = mebibytes(value);
                    found.is_odd |= is_odd_memory(value);
                    continue;
                }
                _ if name.starts_with(b"gres/gpu:") => {
                    let count = count(value);
                    typed = Some(count.unwrap_or(0).saturating_add(typed.unwrap_or(0)));
                    found.is_odd |= is_odd(value, count);
                    continue;
                }
                b"cpu" | b"1" => &mut found.processors,
                b"node" | b"4" => &mut found.nodes,
                // the numbers from 1001 on are a cluster's own; the first is that of its graphics processors
                b"gres/gpu" | b"1001" => &mut found.gpus,
                // or that of their type, where jobs ask for these alone
                b"1002" => &mut second,
                _ => continue,
            };
            *count = self::count(value);
            found.is_odd |= is_odd(value, *count);
        }
        found.gpus = found.gpus.or(typed).or(second);
        found
    }
}

/// Name and value of an item such as `cpu=12`.
pub(crate) fn pair(item: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = item.iter().position(|&byte| byte == b'=')?;
    Some((&item[..at], &item[at + 1..]))
}

/// A count, which Slurm may write as so many times 1024: `2K` are 2048, `1.50K` 1536. None where the two decimals do not
/// tell it (`0.01K`).
pub(crate) fn count(text: &[u8]) -> Option<u32> {
    let (number, times) = match text.split_last() {
        Some((b'K' | b'k', number)) => (number, 1 << 10),
        Some((b'M' | b'm', number)) => (number, 1 << 20),
        Some((b'G' | b'g', number)) => (number, 1 << 30),
        _ => return u32::try_from(digits(text)?).ok(),
    };
    let counted = match digits(number) {
        Some(whole) => whole.checked_mul(times)?,
        // a cast saturates
        None => (decimal(number).filter(|&number| number >= 1.0)? * times as f64).round() as i64,
    };
    u32::try_from(counted).ok()
}

/// A number of digits and one point.
fn decimal(text: &[u8]) -> Option<f64> {
    // most have no point
    if let Some(whole) = digits(text) {
        return Some(whole as f64);
    }
    let is_one = text.iter().all(|byte| byte.is_ascii_digit() || *byte == b'.');
    is_one.then(|| std::str::from_utf8(text).ok()?.parse().ok())?
}

/// An amount of memory in MiB, rounded up: `31000M`, `4.5G`, `1T`, or a number of MiB.
pub(crate) fn mebibytes(text: &[u8]) -> Option<u32> {
    let (number, times) = in_mebibytes(text);
    let amount = decimal(number).filter(|_| !is_unknown(number))?;
    // what is too little for two decimals is not nothing
    let is_cut = amount == 0.0 && number.contains(&b'.');
    // the amount is not negative; more than any machine has stays more than any machine has
    (!is_cut).then_some((amount * times).ceil().min(f64::from(i32::MAX)) as u32)
}

/// The number of an amount of memory, and how many MiB its unit has.
fn in_mebibytes(text: &[u8]) -> (&[u8], f64) {
    match text.split_last() {
        Some((b'K' | b'k', number)) => (number, 1.0 / 1024.0),
        Some((b'M' | b'm', number)) => (number, 1.0),
        Some((b'G' | b'g', number)) => (number, 1024.0),
        Some((b'T' | b't', number)) => (number, 1024.0 * 1024.0),
        Some((b'P' | b'p', number)) => (number, 1024.0 * 1024.0 * 1024.0),
        _ => (text, 1.0),
    }
}

/// Whether an amount of memory, also one for each processor or node, is there and was not understood.
pub(crate) fn is_odd_memory(text: &[u8]) -> bool {
    let amount = text.strip_suffix(b"c").or(text.strip_suffix(b"n")).unwrap_or(text);
    mebibytes(amount).is_none() && !is_unknown(text) && !is_unknown(in_mebibytes(amount).0) && !is_no_limit(text)
}

/// The memory that a job asks for (`ReqMem`), MiB on all its nodes: `4Gc` for each processor, `20Gn` for each node, `31000M`
/// for all. None where it asks for no certain amount (`0n`: all of a node).
pub(crate) fn requested_memory(text: &[u8], processors: Option<u32>, nodes: Option<u32>) -> Option<u32> {
    let (text, times) = match text.split_last()? {
        (b'c', text) => (text, processors?),
        (b'n', text) => (text, nodes.unwrap_or(1)),
        _ => (text, 1),
    };
    mebibytes(text).filter(|&memory| memory > 0).map(|memory| memory.saturating_mul(times))
}

// What accounting logs say that jobs drew: energy in joules, or watts.

/// The most watts that a job is taken to draw; more is no measurement.
const MOST_WATTS: f64 = 1e10;

/// The milliwatts of a job that used an energy, in units of so many joules, in `run` seconds, where both are known.
pub(super) fn of_energy(field: &[u8], unit: u32, run: Option<Seconds>) -> Option<i64> {
    let energy = amount(field).filter(|&energy| energy > 0.0 && !is_no_amount(energy))?;
    let run = run.filter(|&run| run > 0)?;
    milliwatts(energy * f64::from(unit) / run as f64)
}

/// The milliwatts of a job by a field of watts: a number, or a list of samples of each of its nodes (`[310, 305]`), of
/// which the mean times the nodes counts.
pub(super) fn of_watts(field: &[u8], nodes: Option<u32>) -> Option<i64> {
    let Some(list) = field.strip_prefix(b"[").and_then(|field| field.strip_suffix(b"]")) else {
        return milliwatts(amount(field)?);
    };
    let samples = list.split(|&byte| byte == b',' || byte == b' ' || byte == b';');
    let samples: Vec<f64> = samples.filter_map(amount).filter(|&watts| watts > 0.0).collect();
    let mean = samples.iter().sum::<f64>() / samples.len() as f64;
    milliwatts(mean * f64::from(nodes.unwrap_or(1)))
}

fn milliwatts(watts: f64) -> Option<i64> {
    (watts > 0.0 && watts <= MOST_WATTS).then(|| (watts * 1_000.0).round() as i64)
}

/// A number, which may have a prefix of its unit behind it: `1.23K`, `4M`.
fn amount(field: &[u8]) -> Option<f64> {
    let text = std::str::from_utf8(field).ok()?.trim();
    let (number, times) = match text.chars().last()? {
        'K' | 'k' => (&text[..text.len() - 1], 1e3),
        'M' => (&text[..text.len() - 1], 1e6),
        'G' => (&text[..text.len() - 1], 1e9),
        'T' => (&text[..text.len() - 1], 1e12),
        'P' => (&text[..text.len() - 1], 1e15),
        'E' => (&text[..text.len() - 1], 1e18),
        _ => (text, 1.0),
    };
    number.trim().parse::<f64>().ok().filter(|number| number.is_finite()).map(|number| number * times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_a_value_and_is_not_understood_is_told() {
        let counts = ["4K", "1.50K", "1M", "3.25M", "2G", "7K", "1k"].map(|text| count(text.as_bytes()));
        assert_eq!(counts, [4_096, 1_536, 1 << 20, 3_407_872, 1 << 31, 7_168, 1_024].map(Some));
        for text in ["0.01K", "0.00K", "1.5.0K", "K", "1.5", "9G", "-1K", "1e3K", "1?"] {
            assert_eq!(count(text.as_bytes()), None, "{text}");
        }
        for text in ["cpu=1.5,node=1", "cpu=0.00K", "node=x", "mem=0.00T", "mem=4Q", "gres/gpu:a100=x", "gres/gpu=1.5"]
        {
            assert!(Resources::of(text.as_bytes()).is_odd, "{text}");
        }
        for text in ["cpu=4,mem=4.50G,node=1K,gres/gpu=2", "cpu=?,mem=?", "", "billing=x,energy=1.5,fs/disk=y", "mem=0"]
        {
            assert!(!Resources::of(text.as_bytes()).is_odd, "{text}");
        }
        let odd = ["4Xc", "4.5.5G", "much"].map(|text| is_odd_memory(text.as_bytes()));
        assert_eq!(odd, [true; 3]);
        let known = ["4000Mc", "1.95Gn", "0n", "0", "", "?", "Unknown", "9223372036854779904M", "UNLIMITED", "?c"];
        assert_eq!(known.map(|text| is_odd_memory(text.as_bytes())), [false; 10]);
    }

    #[test]
    fn resources_are_read_in_both_forms() {
        let of = |text: &str| {
            let found = Resources::of(text.as_bytes());
            (found.processors, found.nodes, found.gpus)
        };
        assert_eq!(of("billing=12,cpu=12,gres/gpu=2,mem=31000M,node=1"), (Some(12), Some(1), Some(2)));
        assert_eq!(of("cpu=2K,gres/gpu:a100=4,gres/gpu:v100=2,node=8"), (Some(2_048), Some(8), Some(6)));
        assert_eq!(of("cpu=1.50K,mem=2T,node=1K"), (Some(1_536), Some(1_024), None));
        assert_eq!(of("gres/gpu=6,gres/gpu:a100=4,gres/gpu:v100=2"), (None, None, Some(6)));
        assert_eq!(of("1=20,2=170000,4=1,1001=2"), (Some(20), Some(1), Some(2)));
        assert_eq!(of("1=20,4=1,1002=1"), (Some(20), Some(1), Some(1)));
        let memory = |text: &str| Resources::of(text.as_bytes()).memory;
        assert_eq!(
            (memory("cpu=12,mem=31000M"), memory("1=20,2=170000"), memory("mem=4.5G")),
            (Some(31_000), Some(170_000), Some(4_608))
        );
        assert_eq!(
            (memory("mem=1T"), memory("mem=1500K"), memory("mem=?"), memory("mem=M")),
            (Some(1 << 20), Some(2), None, None)
        );
        let asked = |text: &str| requested_memory(text.as_bytes(), Some(8), Some(2));
        assert_eq!(
            ["4Gc", "20Gn", "31000M", "0n", "", "?"].map(asked),
            [Some(32_768), Some(40_960), Some(31_000), None, None, None]
        );
        assert_eq!(
            ["9223372036854779904M", "18446744073709551614", "4294967295M"].map(|text| mebibytes(text.as_bytes())),
            [None; 3]
        );
        assert_eq!(of(""), (None, None, None));
        assert_eq!(of("cpu=many,node="), (None, None, None));
    }
}

#[cfg(test)]
mod energy_tests {
    use super::*;

    #[test]
    fn energies_are_divided_by_the_run_time() {
        assert_eq!(of_energy(b"36000", 1, Some(100)), Some(360_000));
        assert_eq!(of_energy(b"1.5K", 1, Some(10)), Some(150_000));
        assert_eq!(of_energy(b"2M", 1, Some(1_000)), Some(2_000_000));
        assert_eq!(of_energy(b"100.5", 3_600, Some(1_800)), Some(201_000));
        for unknown in ["", "0", "18446744073709551614", "1.84e19", "none", "-5"] {
            assert_eq!(of_energy(unknown.as_bytes(), 1, Some(100)), None, "{unknown}");
        }
        assert_eq!((of_energy(b"5", 1, None), of_energy(b"5", 1, Some(0))), (None, None));
    }

    #[test]
    fn watts_are_of_all_nodes_or_samples_of_one() {
        assert_eq!(of_watts(b"250.5", Some(4)), Some(250_500));
        assert_eq!(of_watts(b"[300, 310, 320]", Some(2)), Some(620_000));
        assert_eq!(of_watts(b"[]", Some(2)), None);
        assert_eq!(of_watts(b"nan", None), None);
    }
}
