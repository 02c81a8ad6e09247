//! The form of a link's data on the wire: postcard, deflated, in base64.

use super::intervals::LinkError;
use super::{PREFIX, SharedStudy};
use crate::limits::{LONGEST_LINK, MOST_LINKED_BYTES};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use flate2::Compression;
use flate2::read::{DeflateDecoder, DeflateEncoder};
use packfair_engine::metric::Metric;
use packfair_workload::Machine;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::Read;

/// Length of the checksum before the deflated data: the lower half of XXH3 of the data before deflating.
const CHECKSUM_BYTES: usize = 4;

/// Version 1 of what a link carries. Its fields never change; additions come as sections.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Wire {
    /// The study, as JSON.
    pub(super) study: String,
    pub(super) workload: WireWorkload,
    /// Ids of the metrics, in the order of the rows' values.
    pub(super) metrics: Vec<String>,
    pub(super) rows: Vec<RunNumbers>,
    /// Indices, among the study's runs, of the runs whose curves matter most.
    pub(super) charted: Vec<u32>,
    pub(super) sections: Vec<WireSection>,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WireWorkload {
    pub(super) name: String,
    pub(super) jobs: u64,
    pub(super) machine: Machine,
}

#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct RunNumbers {
    pub(super) run: u32,
    pub(super) jobs: u64,
    pub(super) wall_s: f64,
    /// One value for each metric; `None` where it is not defined.
    pub(super) values: Vec<Option<f64>>,
}

/// Data of a kind that a reader may not know.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct WireSection {
    pub(super) kind: u8,
    pub(super) data: Vec<u8>,
}

impl Wire {
    /// The wire form of `shared` with the values of `metrics`, and without sections.
    pub(super) fn of(shared: &SharedStudy, metrics: &[Metric]) -> Self {
        let index = index_of(shared);
        let row = |run: &crate::RunReport| {
            let value = |metric| run.values.get(metric).copied().filter(|value| value.is_finite());
            let run_index = *index.get(&run.run.id())?;
            let wall_s = if run.wall_s.is_finite() { run.wall_s } else { 0.0 };
            Some(RunNumbers {
                run: run_index,
                jobs: run.jobs as u64,
                wall_s,
                values: metrics.iter().map(value).collect(),
            })
        };
        let workload = &shared.workload;
        Wire {
            // A study is plain data under keys that are text, so this does not fail.
            study: serde_json::to_string(&shared.study.clone().without_repeats()).unwrap(),
            workload: WireWorkload {
                name: workload.name.clone(),
                jobs: workload.jobs as u64,
                machine: workload.machine,
            },
            metrics: metrics.iter().map(Metric::to_string).collect(),
            rows: shared.runs.iter().filter_map(row).collect(),
            charted: shared.charted.iter().filter_map(|run| index.get(&run.id()).copied()).collect(),
            sections: Vec::new(),
        }
    }

    /// The link as text.
    pub(super) fn to_link(&self) -> String {
        pack(&to_bytes(self))
    }

    pub(super) fn from_link(text: &str) -> Result<Self, LinkError> {
        from_bytes(&unpack(text.trim().trim_start_matches('#'))?)
    }
}

/// Packs data as the text of a link, which needs no escaping in an address.
pub fn pack(data: &[u8]) -> String {
    format!("{PREFIX}{}", URL_SAFE_NO_PAD.encode(seal(data)))
}

/// The data from which [`pack`] made this text.
///
/// # Errors
/// Where the text is no link, was cut short or changed, comes from a newer version, or holds more than a link may.
pub fn unpack(text: &str) -> Result<Vec<u8>, LinkError> {
    if text.len() > LONGEST_LINK {
        return Err(LinkError::TooLarge);
    }
    let (version, data) = text.split_once('.').ok_or(LinkError::NotALink)?;
    let version: u32 = version.strip_prefix('v').and_then(|n| n.parse().ok()).ok_or(LinkError::NotALink)?;
    match version {
        0 => return Err(LinkError::NotALink),
        1 => {}
        newer => return Err(LinkError::Newer(newer)),
    }
    let bytes = match URL_SAFE_NO_PAD.decode(data) {
        // The last group of four lacks its end, or some bits of it.
        Err(base64::DecodeError::InvalidLength(_) | base64::DecodeError::InvalidLastSymbol(..)) => {
            return Err(LinkError::CutShort);
        }
        decoded => decoded.map_err(|_| LinkError::Damaged)?,
    };
    unseal(&bytes)
}

/// A checksum of data, then the data, deflated.
fn seal(data: &[u8]) -> Vec<u8> {
    let mut bytes = checksum(data).to_vec();
    // Reading from memory does not fail.
    DeflateEncoder::new(data, Compression::best()).read_to_end(&mut bytes).unwrap();
    bytes
}

/// The data from which [`seal`] made these bytes.
fn unseal(bytes: &[u8]) -> Result<Vec<u8>, LinkError> {
    let (sum, deflated) = bytes.split_at_checked(CHECKSUM_BYTES).ok_or(LinkError::CutShort)?;
    let data = inflate(deflated)?;
    if sum == checksum(&data) { Ok(data) } else { Err(LinkError::Damaged) }
}

/// The index of each run of the study, by its id.
pub(super) fn index_of(shared: &SharedStudy) -> BTreeMap<String, u32> {
    BTreeMap::from_iter(shared.study.runs().iter().zip(0..).map(|(run, i)| (run.id(), i)))
}

/// Values by their metrics; values of metrics that this version does not know are left out.
pub(super) fn values(metrics: &[Option<Metric>], values: &[Option<f64>]) -> Result<BTreeMap<Metric, f64>, LinkError> {
    if metrics.len() != values.len() {
        return Err(LinkError::Damaged);
    }
    let known = metrics.iter().zip(values).filter_map(|(metric, value)| Some(((*metric)?, (*value)?)));
    let mut values = BTreeMap::new();
    for (metric, value) in known {
        values.insert(metric, finite(value)?);
    }
    Ok(values)
}

/// Checks a number: a link carries no infinite value and no NaN.
pub(super) fn finite(x: f64) -> Result<f64, LinkError> {
    if x.is_finite() { Ok(x) } else { Err(LinkError::Damaged) }
}

/// Data as postcard bytes. Writing plain data to memory does not fail.
pub(super) fn to_bytes(data: &impl Serialize) -> Vec<u8> {
    postcard::to_stdvec(data).unwrap()
}

/// Reads what [`to_bytes`] wrote.
pub(super) fn from_bytes<'a, T: Deserialize<'a>>(bytes: &'a [u8]) -> Result<T, LinkError> {
    postcard::from_bytes(bytes).map_err(|_| LinkError::Damaged)
}

fn checksum(data: &[u8]) -> [u8; CHECKSUM_BYTES] {
    (xxhash_rust::xxh3::xxh3_64(data) as u32).to_le_bytes()
}

/// Inflates all of `deflated`, but refuses more than [`MOST_LINKED_BYTES`].
fn inflate(deflated: &[u8]) -> Result<Vec<u8>, LinkError> {
    let mut decoder = DeflateDecoder::new(deflated);
    let mut data = Vec::new();
    let read = decoder.by_ref().take(MOST_LINKED_BYTES + 1).read_to_end(&mut data);
    match read {
        Err(e) if e.kind() == std::io::ErrorKind::UnexpectedEof => return Err(LinkError::CutShort),
        Err(_) => return Err(LinkError::Damaged),
        Ok(_) if data.len() as u64 > MOST_LINKED_BYTES => return Err(LinkError::TooLarge),
        Ok(_) => {}
    }
    // Packfair writes nothing after the end of the data.
    if decoder.total_in() == deflated.len() as u64 { Ok(data) } else { Err(LinkError::Damaged) }
}
