//! The reader of `scontrol show reservations`.

use super::finding::{FindingKind, FindingLog};
use super::hostlist::expand;
use super::lines::words;
use super::nodes::MOST_NODES;
use super::resources::{Licence, licences};
use super::time::moment;
use serde::{Deserialize, Serialize};

/// The times of a reservation, seconds since 1970 on the site's clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MaintenanceTime {
    pub from: i64,
    pub until: i64,
    /// When it is announced; none where the file does not tell, as scontrol does not: it is known from the first job on,
    /// unless [`super::Site::announce`] says otherwise.
    pub announced: Option<i64>,
}

/// A reservation: nodes that only jobs may use for a time which ask for it by its name.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SiteReservation {
    pub name: String,
    pub time: MaintenanceTime,
    pub nodes: Vec<String>,
    pub users: Vec<String>,
    /// Who may ask for it: users, groups and accounts, apart from root.
    #[serde(default)]
    pub owners: Vec<String>,
    /// Whether its jobs may use any nodes, at any time (FLEX).
    #[serde(default)]
    pub is_flexible: bool,
    /// Whether its jobs may use any nodes while it lasts (ANY_NODES).
    #[serde(default)]
    pub is_of_any_nodes: bool,
    /// Licences that only its users may have.
    pub licences: Vec<Licence>,
}

/// Reads what `scontrol show reservations` prints. An entry lasts from ReservationName= to the next one.
pub(super) fn read(text: &str, findings: &mut FindingLog<'_>) -> Vec<SiteReservation> {
    let mut found: Vec<(u32, Vec<(String, String)>)> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        for (key, value) in words(content) {
            let key = key.to_ascii_lowercase();
            if key == "reservationname" {
                found.push((line, Vec::new()));
            }
            if let (Some((_, entry)), Some(value)) = (found.last_mut(), value) {
                entry.push((key, value));
            }
        }
    }
    found.into_iter().filter_map(|(line, entry)| reservation(line, &entry, findings)).collect()
}

fn reservation(line: u32, entry: &[(String, String)], findings: &mut FindingLog<'_>) -> Option<SiteReservation> {
    let value = |key: &str| entry.iter().find(|(name, _)| name == key).map(|(_, value)| value.as_str());
    let name = value("reservationname").unwrap_or_default().to_owned();
    let (Some(from), Some(until)) = (value("starttime").and_then(moment), value("endtime").and_then(moment)) else {
        findings.wrong(line, format!("reservation {name}: no StartTime and EndTime that are dates"));
        return None;
    };
    if until <= from {
        findings.wrong(line, format!("reservation {name} ends before it begins"));
        return None;
    }
    let announced = value("creationtime").and_then(moment);
    if announced.is_none() {
        let words = format!(
            "reservation {name}: when it was made is not told; it is known from the first job on, or as long before it \
             begins as --announced says"
        );
        findings.note(FindingKind::Note, line, words);
    }
    const REPEATED: [&str; 5] = ["HOURLY", "DAILY", "WEEKLY", "WEEKDAY", "WEEKEND"];
    let has = |flag: &str| value("flags").is_some_and(|flags| flags.split(',').any(|own| own == flag));
    if REPEATED.into_iter().any(has) {
        findings.note(FindingKind::NotModelled, line, format!("reservation {name}: it is taken once, not repeated"));
    }
    if value("coreids").is_some() {
        let words = format!("reservation {name}: it takes all processors of its nodes, not some of their cores");
        findings.note(FindingKind::NotModelled, line, words);
    }
    let told = |key: &str| value(key).filter(|list| !list.is_empty() && *list != "(null)");
    let owners = ["users", "groups", "accounts"].into_iter().filter_map(told);
    let owners = owners.flat_map(|list| list.split(',')).filter(|owner| !owner.is_empty() && *owner != "root");
    let owners: Vec<String> = owners.map(str::to_owned).collect();
    if has("MAGNETIC") {
        let words = format!("reservation {name}: MAGNETIC does not draw jobs into it that do not ask for it");
        findings.note(FindingKind::NotModelled, line, words);
    }
    let nodes = match expand(told("nodes").unwrap_or_default(), MOST_NODES) {
        Ok(nodes) => nodes,
        Err(wrong) => {
            findings.wrong(line, format!("reservation {name}: {wrong}"));
            return None;
        }
    };
    let users = value("users").unwrap_or_default().split(',').filter(|user| !user.is_empty() && *user != "(null)");
    let users = users.map(str::to_owned).collect();
    let licences = match licences(value("licenses").filter(|list| *list != "(null)").unwrap_or_default()) {
        Ok(licences) => licences,
        Err(wrong) => {
            findings.wrong(line, format!("reservation {name}: {wrong}"));
            Vec::new()
        }
    };
    let time = MaintenanceTime { from, until, announced };
    let (is_flexible, is_of_any_nodes) = (has("FLEX"), has("ANY_NODES"));
    Some(SiteReservation { name, time, nodes, users, owners, is_flexible, is_of_any_nodes, licences })
}
