//! Several logs of one cluster as one: the dumps of some months.

use super::interned::Interned;
use super::{
    Account, Beyond, Fingerprint, JobOptions, Log, Names, NeverStarted, Portion, Reason, Record, Seconds, StillRunning,
    Unstarted,
};
use rustc_hash::{FxHashMap, FxHashSet};
use xxhash_rust::xxh3::Xxh3;

/// Why logs cannot be merged.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MergeError {
    #[error("give at least one log")]
    Nothing,
    #[error(
        "{0} does not say when it begins (there is no UnixStartTime in its header), so it cannot be put beside other logs"
    )]
    NoDates(String),
}

/// Makes one log of several, in the order of their dates. A job that is in two of them, by its id and submit time,
/// counts once: the record with a run time is kept, and of two such records the later log's.
///
/// # Errors
/// If there is no log, or one of several has no dates.
pub fn merge(mut logs: Vec<Log>) -> Result<Log, MergeError> {
    if logs.len() < 2 {
        return logs.pop().ok_or(MergeError::Nothing);
    }
    let mut dated = Vec::with_capacity(logs.len());
    for log in logs {
        let start = log.header.unix_start().ok_or_else(|| MergeError::NoDates(log.name.clone()))?;
        dated.push((start, log));
    }
    dated.sort_by_key(|(start, log)| (*start, log.fingerprint.0));
    let zero = dated[0].0;
    let mut merged = Merged::default();
    let mut hash = Xxh3::new();
    let names: Vec<String> = dated.iter().map(|(_, log)| log.name.clone()).collect();
    let started = started_after_all(dated.iter().map(|(_, log)| log));
    let is_told: FxHashSet<(u64, u32)> = started.iter().map(|told| (told.id, told.line)).collect();
    let mut header = dated[0].1.header.clone();
    // the seconds of the first log continue
    let own_zero = dated[0].1.own_zero;
    // the machine is that of the last dump
    if let Some((_, last)) = dated.last() {
        header.labels.retain(|(label, _)| !is_size(label));
        header.labels.extend(last.header.labels.iter().filter(|(label, _)| is_size(label)).cloned());
    }
    for (start, log) in dated {
        hash.update(&log.fingerprint.0.to_le_bytes());
        merged.add(start - zero, log, &is_told);
    }
    for Unstarted { line, reason, .. } in started {
        if merged.account.take_back(reason, line, 0) {
            merged.account.note(Reason::Repeated, 0);
        }
    }
    let name = match names.as_slice() {
        [first, .., last] => format!("{first} to {last}"),
        _ => names.concat(),
    };
    Ok(Log { own_zero, ..merged.log(name, header, Fingerprint(hash.digest128())) })
}

/// What files say of jobs that had not started, where another file has the job.
fn started_after_all<'a>(logs: impl Iterator<Item = &'a Log> + Clone) -> Vec<Unstarted> {
    let mut told: FxHashMap<u64, Vec<(usize, Unstarted)>> = FxHashMap::default();
    for (file, log) in logs.clone().enumerate() {
        let known = log.beyond.unstarted.iter().filter(|unstarted| unstarted.id != 0);
        known.for_each(|unstarted| told.entry(unstarted.id).or_default().push((file, unstarted.clone())));
    }
    if told.is_empty() {
        return Vec::new();
    }
    let mut known = Vec::new();
    for (file, log) in logs.enumerate() {
        for id in &log.beyond.ids {
            let Some(told) = told.get_mut(id) else { continue };
            known.extend(told.extract_if(.., |(of, _)| *of != file).map(|(_, unstarted)| unstarted));
        }
    }
    // a job that waits in several files waits once, as the last of them tells
    for mut told in told.into_values() {
        told.pop();
        known.extend(told.into_iter().map(|(_, unstarted)| unstarted));
    }
    known.sort_unstable_by_key(|unstarted| (unstarted.line, unstarted.id));
    known
}

/// The entries of one record in a list that is in the order of the records.
fn of_record<T>(told: &[T], record: u32, of: impl Fn(&T) -> u32) -> &[T] {
    let first = told.partition_point(|told| of(told) < record);
    let behind = told.partition_point(|told| of(told) <= record);
    &told[first..behind]
}

fn is_size(label: &str) -> bool {
    ["MaxProcs", "MaxNodes", "SizeInNodes", "SizeInGPUs"].into_iter().any(|size| label.eq_ignore_ascii_case(size))
}

#[derive(Default)]
struct Merged {
    records: Vec<Record>,
    beyond: Beyond,
    account: Account,
    users: Interned,
    groups: Interned,
    queues: Interned,
    partitions: Interned,
    executables: Interned,
    options: FxHashMap<JobOptions, usize>,
    /// The place of a job among the records, by its id (or number) and its submit time.
    places: FxHashMap<(u64, i64, Seconds), Vec<usize>>,
    /// Where the records of the log that is being added begin.
    begin: usize,
    /// The places of earlier records that the log being added has, too.
    again: FxHashSet<usize>,
    /// For how long jobs had run that still ran when their logs were made, by the places of their records.
    still_running: FxHashMap<usize, Seconds>,
    /// What jobs asked for that were given something else, and when those left the queue that never started.
    asked: FxHashMap<usize, Portion>,
    never_started: FxHashMap<usize, Seconds>,
}

impl Merged {
    fn add(&mut self, shift: Seconds, log: Log, is_told: &FxHashSet<(u64, u32)>) {
        let Log { name, records, beyond, account, names, .. } = log;
        self.begin = self.records.len();
        self.again.clear();
        self.account.add(account, &name);
        let renumber = [
            (names.users, &mut self.users),
            (names.groups, &mut self.groups),
            (names.queues, &mut self.queues),
            (names.partitions, &mut self.partitions),
            (names.executables, &mut self.executables),
        ]
        .map(|(names, interned)| names.iter().map(|name| interned.number(name.as_bytes())).collect::<Vec<i32>>());
        let [users, groups, queues, partitions, executables] = &renumber;
        self.beyond.task_limits.extend(&beyond.task_limits);
        let options: Vec<i32> = beyond.option_kinds.iter().map(|kind| self.option_kind(kind)).collect();
        let renumbered = |record: &mut Record| {
            record.submit += shift;
            for (number, table) in [
                (&mut record.user, users),
                (&mut record.group, groups),
                (&mut record.queue, queues),
                (&mut record.partition, partitions),
                (&mut record.executable, executables),
            ] {
                // numbers without a name stay
                let name = usize::try_from(*number - 1).ok().and_then(|at| table.get(at));
                *number = name.copied().unwrap_or(*number);
            }
        };
        let moved = |eligible: Seconds| if eligible < 0 { -1 } else { eligible + shift };
        let option = |own: i32| usize::try_from(own).ok().and_then(|at| options.get(at)).copied().unwrap_or(-1);
        for mut unstarted in beyond.unstarted {
            if is_told.contains(&(unstarted.id, unstarted.line)) {
                continue;
            }
            if let Some(job) = unstarted.job.as_deref_mut() {
                renumbered(&mut job.record);
                job.counts[5] = option(job.counts[5]);
                job.numbers[0] = moved(job.numbers[0]);
                job.left = job.left.map(|left| left + shift);
            }
            self.beyond.unstarted.push(unstarted);
        }
        for (at, mut record) in records.into_iter().enumerate() {
            renumbered(&mut record);
            let value = |column: &[i32]| column.get(at).copied().unwrap_or(-1);
            let eligible = beyond.eligible.get(at).map_or(-1, |&time| moved(time));
            let counts = [&beyond.nodes, &beyond.gpus, &beyond.memory, &beyond.least_nodes, &beyond.most_nodes];
            let [nodes, gpus, memory, least, most] = counts.map(|column| value(column));
            let counts = [nodes, gpus, memory, least, most, option(value(&beyond.options))];
            let priority = beyond.priorities.get(at).copied().unwrap_or(-1);
            let drawn = beyond.milliwatts.get(at).copied().unwrap_or(-1);
            let extra = (counts, [eligible, priority, drawn]);
            let id = beyond.ids.get(at).copied().unwrap_or(0);
            let running = beyond.still_running.binary_search_by_key(&at, |running| running.record as usize);
            let ran = running.ok().map(|found| beyond.still_running[found].ran);
            let (place, is_new) = self.put(id, record, extra, ran);
            if let Some(place) = place {
                let of = |portion: &Portion| portion.record as usize;
                let asked = beyond.asked.binary_search_by_key(&at, of).ok().map(|found| &beyond.asked[found]);
                let left = beyond.never_started.binary_search_by_key(&at, |never| never.record as usize).ok();
                self.asked.remove(&place);
                self.never_started.remove(&place);
                self.asked.extend(asked.map(|asked| {
                    let name = usize::try_from(asked.partition - 1).ok().and_then(|at| partitions.get(at));
                    let partition = name.copied().unwrap_or(asked.partition);
                    // places fit into 32 bits
                    (place, Portion { record: place as u32, partition, ..asked.clone() })
                }));
                self.never_started.extend(left.map(|found| (place, beyond.never_started[found].left + shift)));
            }
            if is_new {
                // places fit into 32 bits: the limits of logs are far below
                let (from, to) = (at as u32, self.records.len() as u32 - 1);
                let after = of_record(&beyond.dependencies, from, |told| told.0);
                self.beyond.dependencies.extend(after.iter().map(|&(_, after)| (to, after)));
                let is_any = beyond.alternatives.binary_search(&from).is_ok();
                self.beyond.alternatives.extend(Some(to).filter(|_| is_any));
                let tasks = of_record(&beyond.tasks, from, |told| told.0);
                self.beyond.tasks.extend(tasks.iter().map(|&(_, array, task)| (to, array, task)));
            }
        }
    }

    /// The place of options among those of all logs.
    fn option_kind(&mut self, options: &JobOptions) -> i32 {
        let kinds = &mut self.beyond.option_kinds;
        let place = *self.options.entry(options.clone()).or_insert(kinds.len());
        if place == kinds.len() {
            kinds.push(options.clone());
        }
        place as i32
    }

    /// Takes a job, and for how long it had run if it still ran. Returns its place, if its record is that of its job now, and
    /// whether the job is a new one.
    fn put(
        &mut self,
        id: u64,
        record: Record,
        (counts, numbers): ([i32; 6], [i64; 3]),
        ran: Option<Seconds>,
    ) -> (Option<usize>, bool) {
        let is_known = id != 0 || record.number >= 0;
        let key = (id, if id == 0 { record.number } else { 0 }, record.submit);
        // rows of one log are jobs of their own, and rows that ran and differ are not the same job
        let is_same = |&&place: &&usize| {
            let known = &self.records[place];
            place < self.begin
                && !self.again.contains(&place)
                && (known.says_as(&record) || known.is_outdated_by(&record) || record.is_outdated_by(known))
        };
        let place = self.places.get(&key).and_then(|places| places.iter().find(is_same)).copied();
        match place.filter(|_| is_known) {
            Some(place) => {
                self.again.insert(place);
                self.account.note(Reason::Repeated, record.line);
                let ran_before = self.still_running.remove(&place);
                // of what two files say of a job one counts: that it has ended, else the later
                let outdated = match (ran_before, ran) {
                    (Some(before), _) => self.records[place].work_of(before),
                    (None, Some(ran)) => record.work_of(ran),
                    (None, None) => 0,
                };
                if ran_before.is_some() || ran.is_some() {
                    self.account.take_back(Reason::StillRunning, record.line, outdated);
                }
                if ran_before.is_some()
                    && let Some(ran) = ran
                {
                    self.still_running.insert(place, ran);
                }
                let is_taken = record.run >= 0 || self.records[place].run < 0;
                if is_taken {
                    self.records[place] = record;
                    let columns = self.beyond.counts().into_iter().zip(counts);
                    columns.for_each(|(column, count)| column[place] = count);
                    let columns = self.beyond.numbers().into_iter().zip(numbers);
                    columns.for_each(|(column, number)| column[place] = number);
                }
                (is_taken.then_some(place), false)
            }
            None => {
                self.places.entry(key).or_default().push(self.records.len());
                if let Some(ran) = ran {
                    self.still_running.insert(self.records.len(), ran);
                }
                self.records.push(record);
                self.beyond.counts().into_iter().zip(counts).for_each(|(column, count)| column.push(count));
                self.beyond.numbers().into_iter().zip(numbers).for_each(|(column, number)| column.push(number));
                self.beyond.ids.push(id);
                (Some(self.records.len() - 1), true)
            }
        }
    }

    fn log(self, name: String, header: super::Header, fingerprint: Fingerprint) -> Log {
        let Merged {
            records,
            mut beyond,
            account,
            still_running,
            asked,
            never_started,
            users,
            groups,
            queues,
            partitions,
            executables,
            ..
        } = self;
        beyond.clear_unknown();
        // places fit into 32 bits
        let running = still_running.into_iter().map(|(place, ran)| StillRunning { record: place as u32, ran });
        beyond.still_running = running.collect();
        beyond.still_running.sort_unstable_by_key(|running| running.record);
        beyond.asked = asked.into_values().collect();
        beyond.asked.sort_unstable_by_key(|asked| asked.record);
        let never = never_started.into_iter().map(|(place, left)| NeverStarted { record: place as u32, left });
        beyond.never_started = never.collect();
        beyond.never_started.sort_unstable_by_key(|never| never.record);
        let names = Names {
            users: users.names,
            groups: groups.names,
            queues: queues.names,
            partitions: partitions.names,
            executables: executables.names,
        };
        Log {
            name,
            header,
            records,
            account,
            fingerprint,
            names,
            beyond,
            external: Vec::new(),
            own_zero: 0,
            site: None,
            is_table: false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reading::read;

    const HEADER: &str = "JobIDRaw|User|Submit|Start|ElapsedRaw|NNodes|NCPUS|State\n";

    fn log(name: &str, jobs: &[(&str, &str, u32, i32)]) -> Log {
        let line = |&(id, user, day, run): &(&str, &str, u32, i32)| {
            let run = if run < 0 { String::new() } else { run.to_string() };
            format!("{id}|{user}|2026-01-{day:02}T00:00:00|2026-01-{day:02}T00:01:00|{run}|1|4|COMPLETED\n")
        };
        read(name, (HEADER.to_owned() + jobs.iter().map(line).collect::<String>().as_str()).as_bytes()).unwrap()
    }

    #[test]
    fn months_are_one_log_and_jobs_over_the_border_count_once() {
        let january = log("a", &[("1", "ann", 1, 10), ("2", "bob", 9, -1)]);
        let february = log("b", &[("2", "bob", 9, 70), ("3", "cyd", 10, 10), ("4", "ann", 11, 10)]);
        for logs in [vec![january.clone(), february.clone()], vec![february, january.clone()]] {
            let merged = merge(logs).unwrap();
            let seen: Vec<_> = merged.records.iter().map(|r| (r.number, r.submit / 86_400, r.run, r.user)).collect();
            assert_eq!(seen, [(1, 0, 10, 1), (2, 8, 70, 2), (3, 9, 10, 3), (4, 10, 10, 1)]);
            assert_eq!(merged.names.users, ["ann", "bob", "cyd"]);
            assert_eq!(merged.account.count(Reason::Repeated), 1);
            assert_eq!((merged.name.as_str(), merged.beyond.nodes.len()), ("a to b", 4));
            assert_eq!(merged.header.unix_start(), january.header.unix_start());
        }
        assert_eq!(merge(vec![january.clone()]), Ok(january));
    }

    #[test]
    fn logs_without_dates_are_not_merged() {
        let swf = read("old.swf", "; Version: 2.2\n1 0 0 10 4 -1 -1 4 10\n".as_bytes()).unwrap();
        let said = merge(vec![swf, log("a", &[("1", "ann", 1, 10)])]).unwrap_err().to_string();
        assert!(said.starts_with("old.swf does not say when it begins"), "{said}");
        assert_eq!(merge(Vec::new()), Err(MergeError::Nothing));
    }
}
