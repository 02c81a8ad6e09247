//! Logs without names: what a site can publish.

use super::{Header, Log, Names};
use hmac::{Hmac, Mac};
use rustc_hash::FxHashMap;
use sha2::Sha256;

/// Header labels that are kept, because they tell nothing about users.
const KEPT: [&str; 6] = ["UnixStartTime", "TimeZone", "TimeZoneString", "MaxProcs", "MaxNodes", super::log::CALLED];

/// `log` without the names of users, groups, queues, partitions and programs, without job numbers, memory and comments.
///
/// Each name becomes a number from 1 to 2^31 - 1: HMAC-SHA-256 of it under `key`. With the same key a user has the same
/// number in every log, and without it names cannot be found by trial. In about one of 40 logs with 10,000 users, two
/// users share a number.
pub fn anonymise(log: &Log, key: &[u8]) -> Log {
    let mut anonymous = log.clone();
    let Names { users, groups, queues, partitions, executables } = &log.names;
    let told: FxHashMap<(String, i64), &str> = log.header.names().collect();
    let number = |kind: &str, names: &[String], number: i32| {
        if number < 0 {
            return -1;
        }
        let name = usize::try_from(number - 1).ok().and_then(|at| names.get(at)).map(String::as_str);
        let told = || told.get(&(kind.to_owned(), number.into())).copied();
        // a number without a name serves as the name
        digest(key, kind, name.or_else(told).map_or_else(|| number.to_string(), str::to_owned).as_bytes())
    };
    for (at, record) in (1..).zip(&mut anonymous.records) {
        record.number = at;
        record.user = number("user", users, record.user);
        record.group = number("group", groups, record.group);
        record.queue = number("queue", queues, record.queue);
        record.partition = number("partition", partitions, record.partition);
        record.executable = number("executable", executables, record.executable);
        (record.memory, record.requested_memory, record.cpu_time) = (-1.0, -1.0, -1.0);
        (record.preceding, record.think) = (-1, -1);
    }
    let is_kept = |label: &str| KEPT.into_iter().any(|kept| kept.eq_ignore_ascii_case(label));
    anonymous.header = Header { labels: log.header.labels.iter().filter(|(l, _)| is_kept(l)).cloned().collect() };
    anonymous.names = Names::default();
    "anonymous.swf".clone_into(&mut anonymous.name);
    anonymous
}

fn digest(key: &[u8], kind: &str, name: &[u8]) -> i32 {
    // a key of any length will do
    let mut mac = Hmac::<Sha256>::new_from_slice(key).unwrap();
    mac.update(kind.as_bytes());
    mac.update(&[0]);
    mac.update(name);
    let bytes = mac.finalize().into_bytes();
    let number = u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) % (i32::MAX as u32);
    // below 2^31 - 1, so that adding 1 stays within
    number as i32 + 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::workload::reading::read;

    fn log(order: [&str; 2]) -> Log {
        let job = |user: &str| format!("{user}|{user}-job|2026-01-01T00:00:00|60|4|COMPLETED|secret-{user}\n");
        let text = format!("User|Account|Submit|ElapsedRaw|NCPUS|State|JobName\n{}{}", job(order[0]), job(order[1]));
        read("x", text.as_bytes()).unwrap()
    }

    #[test]
    fn a_name_has_one_number_under_one_key_and_is_nowhere_in_the_log() {
        let users = |log: &Log, key: &[u8]| anonymise(log, key).records.iter().map(|r| r.user).collect::<Vec<_>>();
        let (there, back) = (log(["ann", "bob"]), log(["bob", "ann"]));
        let (mut first, second) = (users(&there, b"key"), users(&back, b"key"));
        assert!(first[0] != first[1] && first.iter().all(|&user| user > 0));
        assert_ne!(first, users(&there, b"other"));
        first.reverse();
        assert_eq!(first, second);
        let mut out = Vec::new();
        crate::workload::write_log(&mut out, &anonymise(&there, b"key")).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(!text.contains("ann") && !text.contains("bob") && !text.contains("secret"), "{text}");
        let again = read("y", text.as_bytes()).unwrap();
        assert_eq!(again.records.len(), 2);
        assert_eq!(again.header.unix_start(), there.header.unix_start());
    }

    #[test]
    fn a_name_in_a_header_has_the_same_number() {
        let log = log(["ann", "bob"]);
        let mut out = Vec::new();
        crate::workload::write_log(&mut out, &log).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.contains("; User: 1 ann\n; User: 2 bob\n"), "{text}");
        let converted = read("swf", text.as_bytes()).unwrap();
        let users = |log: &Log| anonymise(log, b"key").records.iter().map(|r| r.user).collect::<Vec<_>>();
        assert_eq!(users(&converted), users(&log));
        assert_eq!(
            (converted.header.number_of("user", "bob"), converted.header.name_of("User", 2)),
            (Some(2), Some("bob"))
        );
    }
}
