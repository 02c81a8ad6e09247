//! The reader of `scontrol show reservations`.

use super::accounts::Accounts;
use super::hostlist::expand;
use super::lines::{FindingKind, FindingLog, words};
use super::nodes::MOST_NODES;
use super::quantity::{Licence, licences, moment};
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
    /// Whether it draws jobs of its owners into it that do not ask for it (MAGNETIC).
    #[serde(default)]
    pub is_magnetic: bool,
    /// The accounts whose jobs, or those of accounts below them, may be in it; with a `-` before each those that may not.
    #[serde(default)]
    pub accounts: Vec<String>,
    /// Whether it is for maintenance: its own jobs run on nodes of other reservations too (MAINT).
    #[serde(default)]
    pub is_maintenance: bool,
    /// Whether its own jobs run on nodes of other reservations that are not for maintenance (OVERLAP).
    #[serde(default)]
    pub overlaps: bool,
    /// When it comes again.
    #[serde(default)]
    pub repeat: Option<Repeat>,
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
    let has = |flag: &str| value("flags").is_some_and(|flags| flags.split(',').any(|own| own.trim() == flag));
    let repeat = Repeat::of(has);
    if let Some((flag, _)) = repeat {
        let words = format!(
            "reservation {name}: {flag} is taken to have held since the log's first job; schedulers other than slurm keep it \
             once"
        );
        findings.note(FindingKind::Note, line, words);
    } else if announced.is_none() {
        let words = format!(
            "reservation {name}: when it was made is not told; it is known from the first job on, or as long before it \
             begins as --announced says"
        );
        findings.note(FindingKind::Note, line, words);
    }
    if value("coreids").is_some() {
        let words = format!("reservation {name}: it takes all processors of its nodes, not some of their cores");
        findings.note(FindingKind::NotModelled, line, words);
    }
    let others = [
        ("REPLACE", "it keeps its nodes, also when jobs have taken them"),
        ("TIME_FLOAT", "it begins when StartTime says, and does not move on"),
    ];
    for (flag, what) in others.into_iter().filter(|(flag, _)| has(flag)) {
        findings.note(FindingKind::NotModelled, line, format!("reservation {name}: {flag}: {what}"));
    }
    let told = |key: &str| value(key).filter(|list| !list.is_empty() && *list != "(null)");
    let owners = ["users", "groups", "accounts"].into_iter().filter_map(told);
    // with a sign before its name who may not
    let is_owner = |owner: &&str| !owner.is_empty() && *owner != "root" && !owner.starts_with('-');
    let owners = owners.flat_map(|list| list.split(',')).filter(is_owner);
    let owners: Vec<String> = owners.map(str::to_owned).collect();
    let list = |key: &str| told(key).unwrap_or_default().split(',').map(str::trim).filter(|own| !own.is_empty());
    let is_of_groups = told("groups").is_some();
    if has("MAGNETIC") && is_of_groups {
        let words = format!(
            "reservation {name}: MAGNETIC draws no jobs into it that do not ask for it, for who is in its groups is not told"
        );
        findings.note(FindingKind::NotModelled, line, words);
    }
    let nodes = match expand(told("nodes").unwrap_or_default(), MOST_NODES) {
        Ok(nodes) => nodes,
        Err(wrong) => {
            findings.wrong(line, format!("reservation {name}: {wrong}"));
            return None;
        }
    };
    let licences = match licences(value("licenses").filter(|list| *list != "(null)").unwrap_or_default()) {
        Ok(licences) => licences,
        Err(wrong) => {
            findings.wrong(line, format!("reservation {name}: {wrong}"));
            Vec::new()
        }
    };
    let time = MaintenanceTime { from, until, announced };
    let (is_flexible, is_of_any_nodes) = (has("FLEX"), has("ANY_NODES"));
    Some(SiteReservation {
        users: list("users").map(str::to_owned).collect(),
        accounts: list("accounts").map(str::to_owned).collect(),
        is_magnetic: has("MAGNETIC") && !is_of_groups,
        is_maintenance: has("MAINT"),
        overlaps: has("OVERLAP"),
        repeat: repeat.map(|(_, repeat)| repeat),
        name,
        time,
        nodes,
        owners,
        is_flexible,
        is_of_any_nodes,
        licences,
    })
}

impl SiteReservation {
    /// Whether a job of an association, given by its place, may be in the reservation, as Slurm decides it by users and
    /// accounts.
    pub fn is_open_to(&self, accounts: &Accounts, association: u32) -> bool {
        let all = &accounts.all;
        let Some(own) = all.get(association as usize) else { return false };
        let is_among = |list: &[String], is: &dyn Fn(&str) -> bool| {
            let (denied, allowed): (Vec<&str>, Vec<&str>) =
                list.iter().map(String::as_str).partition(|name| name.starts_with('-'));
            !denied.iter().any(|name| is(&name[1..])) && (allowed.is_empty() || allowed.into_iter().any(is))
        };
        let is_of_account =
            |name: &str| accounts.upwards(association).any(|at| all[at as usize].account.eq_ignore_ascii_case(name));
        is_among(&self.users, &|name| own.user == name) && is_among(&self.accounts, &is_of_account)
    }
}

// Reservations that come again (DAILY and its like).

const HOUR: i64 = 3600;
const DAY: i64 = 24 * HOUR;

/// When a reservation comes again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Repeat {
    Hourly,
    Daily,
    /// From Monday to Friday.
    Weekdays,
    /// On Saturday and Sunday.
    Weekends,
    Weekly,
}

/// The flags of reservations that come again. Slurm goes by the first that is there.
const FLAGS: [(&str, Repeat); 5] = [
    ("HOURLY", Repeat::Hourly),
    ("DAILY", Repeat::Daily),
    ("WEEKDAY", Repeat::Weekdays),
    ("WEEKEND", Repeat::Weekends),
    ("WEEKLY", Repeat::Weekly),
];

impl Repeat {
    /// What the flags of a reservation say, with the word that says it.
    pub(super) fn of(has: impl Fn(&str) -> bool) -> Option<(&'static str, Self)> {
        FLAGS.into_iter().find(|(flag, _)| has(flag))
    }

    /// The first time that ends after `now`, where one of the times is `from` to `until`, in seconds since 1970 on the site's
    /// clock. Slurm looks no further ahead.
    pub fn next(self, (from, until): (i64, i64), now: i64) -> (i64, i64) {
        let step = match self {
            Repeat::Hourly => HOUR,
            Repeat::Weekly => 7 * DAY,
            Repeat::Daily | Repeat::Weekdays | Repeat::Weekends => DAY,
        };
        let times = now.saturating_sub(until).div_euclid(step).saturating_add(1);
        let later = times.saturating_mul(step);
        let from_then = from.saturating_add(later);
        let is_on = |days: &i64| {
            // 1970 began on a Thursday; Monday is 0
            let day = (from_then.div_euclid(DAY) + days + 3).rem_euclid(7);
            match self {
                Repeat::Weekdays => day < 5,
                Repeat::Weekends => day >= 5,
                _ => true,
            }
        };
        let later = later.saturating_add((0..7).find(is_on).unwrap_or(0) * DAY);
        (from.saturating_add(later), until.saturating_add(later))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_again_on_their_days() {
        // Friday, 2026-01-02
        let friday = 1_767_312_000;
        let first = (friday + 8 * HOUR, friday + 10 * HOUR);
        let next = |repeat: Repeat, now: i64| (repeat.next(first, now).0 - first.0) / HOUR;
        for (repeat, at, hours) in [
            (Repeat::Daily, first.0, 0),
            (Repeat::Daily, first.1, 24),
            (Repeat::Daily, first.1 - 1, 0),
            (Repeat::Daily, first.0 - 9 * DAY, -9 * 24),
            (Repeat::Weekdays, first.1, 72),
            (Repeat::Weekdays, first.0 - DAY, -24),
            (Repeat::Weekends, first.0, 24),
            (Repeat::Weekends, first.0 + 2 * DAY, 48),
            (Repeat::Weekends, first.0 + 3 * DAY, 8 * 24),
            (Repeat::Weekly, first.1, 7 * 24),
            (Repeat::Weekly, first.0 - 8 * DAY, -7 * 24),
            (Repeat::Hourly, first.1 + 30, 1),
        ] {
            assert_eq!(next(repeat, at), hours, "{repeat:?} {at}");
        }
        for now in [i64::MIN, i64::MAX] {
            assert!(Repeat::Weekends.next(first, now).0 <= Repeat::Weekends.next(first, now).1);
        }
    }
}
