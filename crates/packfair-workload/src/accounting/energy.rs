//! What accounting logs say that jobs drew: energy in joules, or watts.

use super::nothing::is_no_amount;
use crate::Seconds;

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
