//! What a link carries besides numbers and charts: what its sender looked at and cared about, what the page said, and
//! what is known of the log, which the link does not carry.

use super::error::LinkError;
use super::wire::{finite, from_bytes, to_bytes};
use crate::limits::{LONGEST_MESSAGE, LONGEST_NAME, MOST_JOBS};
use crate::verdict::Concern;
use packfair_workload::{Seconds, Summary, printable};
use serde::{Deserialize, Serialize};

/// What the sender saw besides the table.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SenderView {
    /// The id of the recipe whose table or figure the sender saw.
    pub recipe: Option<String>,
    pub concern: Concern,
    /// What the page said about the table, for that concern.
    pub verdict: Option<String>,
    /// The number of the partition that the sender looked at; `None` for all partitions.
    pub partition: Option<i32>,
    /// The name of the papers' log for which the sender took the log by hand.
    pub taken_for: Option<String>,
    pub log: Option<LogEssentials>,
    /// What became of the log's records, in one line.
    pub account: Option<String>,
}

/// What is known of a log that a link does not carry: enough to judge the table, and to find the paper that prints it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct LogEssentials {
    /// Jobs in the log, before any cleaning.
    pub lines: u64,
    pub span: Seconds,
    /// Number of users of the simulated jobs; 0 where they are not known.
    pub users: u64,
    pub has_executables: bool,
    /// Offered load: 1 where the jobs ask for as much as the machine can do; `None` where it is not known.
    pub load: Option<f64>,
}

/// [`SenderView`] on the wire. Once published its fields never change; additions come as a new section.
#[derive(Serialize, Deserialize)]
struct SenderViewWire {
    recipe: Option<String>,
    concern: String,
    verdict: Option<String>,
    partition: Option<i32>,
    taken_for: Option<String>,
    log: Option<LogEssentials>,
    account: Option<String>,
}

impl LogEssentials {
    pub fn of(summary: &Summary, lines: usize) -> Self {
        LogEssentials {
            lines: lines as u64,
            span: summary.span.last_submit - summary.span.first_submit,
            users: summary.users as u64,
            has_executables: summary.executables > 0,
            load: summary.offered_load.filter(|load| load.is_finite()),
        }
    }

    fn is_sound(&self) -> bool {
        [self.lines, self.users].iter().all(|count| *count <= MOST_JOBS)
            && self.span >= 0
            && finite(self.load.unwrap_or(0.0)).is_ok()
    }
}

/// Packs `told` into bytes.
pub(super) fn packed(told: &SenderView) -> Vec<u8> {
    let SenderView { recipe, concern, verdict, partition, taken_for, log, account } = told;
    to_bytes(&SenderViewWire {
        recipe: recipe.clone(),
        concern: concern.id().to_owned(),
        verdict: verdict.as_deref().map(|text| text.chars().take(LONGEST_MESSAGE).collect()),
        partition: *partition,
        taken_for: taken_for.clone(),
        log: *log,
        account: account.as_deref().map(|text| text.chars().take(LONGEST_MESSAGE).collect()),
    })
}

/// Reads what [`packed`] wrote. An unknown concern becomes the default.
pub(super) fn unpacked(bytes: &[u8]) -> Result<SenderView, LinkError> {
    let SenderViewWire { recipe, concern, verdict, partition, taken_for, log, account } = from_bytes(bytes)?;
    let text = |text: String, most: usize| printable(&text).chars().take(most).collect::<String>();
    if log.is_some_and(|log| !log.is_sound()) {
        return Err(LinkError::Damaged);
    }
    Ok(SenderView {
        recipe: recipe.map(|id| text(id, LONGEST_NAME)),
        concern: Concern::from_id(&concern).unwrap_or_default(),
        verdict: verdict.map(|verdict| text(verdict, LONGEST_MESSAGE)),
        partition,
        taken_for: taken_for.map(|name| text(name, LONGEST_NAME)),
        log,
        account: account.map(|account| text(account, LONGEST_MESSAGE)),
    })
}
