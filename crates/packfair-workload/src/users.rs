//! Changes the number of users, with all that they submit.
//!
//! Raising the load by shrinking the time between submissions also changes what users do: their days become shorter.
//! With more users instead, all keep their habits, their days and their weeks. Users are drawn as Zakay and Feitelson
//! draw them ("Workload resampling for performance evaluation of parallel job schedulers", ICPE 2013), but each with
//! the whole history, which is moved by whole weeks.

use super::clock::time_of;
use super::{Clock, JobId, Request, Seconds, Workload};
use packfair_base::random::Random;
use std::collections::BTreeMap;

const WEEK: Seconds = 7 * 86_400;

/// The seed of the random numbers with which users are drawn.
const SEED: u64 = 1;

/// Why the number of users cannot be changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NoUsers {
    #[error(
        "the log does not tell the users of its jobs, so there cannot be more or fewer of them; change the load by a \
             shrinking factor"
    )]
    Unknown,
    #[error("so few users submit nothing at all; take more of them")]
    Nobody,
}

/// The workload with `factor` times as many users.
///
/// Fewer users are drawn at random from the log's. More users are all of the log's, and further ones who each repeat
/// the jobs of a user of the log some whole weeks earlier or later; jobs moved beyond the last week continue in the
/// first. The users drawn for a factor are among those for every larger factor. Jobs without a user stay as they are.
/// Copies keep the waits of their originals, so that it is known what their users waited for. Their numbers follow
/// those of the log.
///
/// # Errors
/// If the log does not tell users, or no user would be left.
pub fn times_users(workload: &Workload, factor: f64) -> Result<Workload, NoUsers> {
    let mut users: BTreeMap<i32, Vec<JobId>> = BTreeMap::new();
    for job in workload.jobs().filter(|&job| workload.request(job).user >= 0) {
        users.entry(workload.request(job).user).or_default().push(job);
    }
    if users.is_empty() {
        return Err(NoUsers::Unknown);
    }
    let wanted = (factor * users.len() as f64).round() as usize;
    let mut random = Random::of([SEED, 1]);
    let mut made: Vec<(Request, JobId)> = Vec::with_capacity(workload.len());
    let of_log = |job: JobId| (workload.request(job).clone(), job);
    if wanted < users.len() {
        let mut order: Vec<i32> = users.keys().copied().collect();
        shuffle(&mut order, &mut random);
        order.truncate(wanted);
        order.sort_unstable();
        let stays = |job: &JobId| {
            let user = workload.request(*job).user;
            user < 0 || order.binary_search(&user).is_ok()
        };
        made.extend(workload.jobs().filter(stays).map(of_log));
    } else {
        made.extend(workload.jobs().map(of_log));
        let weeks = LogWeeks::of(workload);
        let (mut name, mut number) = last_names(workload);
        let mut order: Vec<i32> = Vec::new();
        for _ in users.len()..wanted {
            if order.is_empty() {
                // every user is drawn once before any is drawn again
                order = users.keys().copied().collect();
                shuffle(&mut order, &mut random);
            }
            let Some(user) = order.pop() else { break };
            let by = random.below_fine(weeks.count) as Seconds;
            name = name.saturating_add(1);
            for &job in users.get(&user).into_iter().flatten() {
                number += 1;
                let request = workload.request(job);
                let submit = weeks.moved(request.submit, by);
                made.push((Request { number, submit, user: name, ..request.clone() }, job));
            }
        }
    }
    if made.is_empty() {
        return Err(NoUsers::Nobody);
    }
    made.sort_by_key(|(request, _)| request.submit);
    let mut with = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
    with.account = workload.account.clone();
    with.set_counting(workload.counting().clone());
    with.set_cluster(workload.cluster().cloned());
    with.take_still_running_of(workload);
    let copied: Vec<JobId> = made.iter().map(|&(_, job)| job).collect();
    for (request, job) in made {
        let wait = workload.logged_wait(job).unwrap_or(-1);
        with.push(request, workload.run(job), wait, workload.record(job) as u32);
    }
    with.take_site_of(workload, &copied);
    with.react_like(workload);
    Ok(with)
}

/// The largest user number and the largest job number of the workload.
fn last_names(workload: &Workload) -> (i32, i64) {
    let requests = workload.requests().iter();
    requests.fold((0, 0), |(user, number), request| (user.max(request.user), number.max(request.number)))
}

/// Puts users into a random order (Fisher and Yates).
fn shuffle(users: &mut [i32], random: &mut Random) {
    for last in (1..users.len()).rev() {
        users.swap(last, random.below_fine(last + 1));
    }
}

struct LogWeeks {
    clock: Clock,
    begin: Seconds,
    /// The number of weeks, at least 1.
    count: usize,
}

impl LogWeeks {
    fn of(workload: &Workload) -> Self {
        let ends = workload.requests().first().zip(workload.requests().last());
        let (first, last) = ends.map_or((0, 0), |(first, last)| (first.submit, last.submit));
        let clock = Clock::of(&workload.header, first, last);
        let begin = clock.local(first);
        let count = ((clock.local(last) - begin) / WEEK + 1) as usize;
        LogWeeks { clock, begin, count }
    }

    /// The time `by` weeks later. After the last week it continues in the first.
    fn moved(&self, time: Seconds, by: Seconds) -> Seconds {
        let since = self.clock.local(time) - self.begin;
        let all = self.count as Seconds * WEEK;
        time_of(&self.clock, self.begin + (since + by * WEEK).rem_euclid(all))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, Machine, MachineSource};

    /// Ten users over some six weeks, and jobs without a user.
    fn workload() -> Workload {
        let machine = Machine { processors: 8, source: MachineSource::Given };
        let mut workload = Workload::empty("users", machine, Header::default());
        for number in 0..400_i64 {
            let (group, executable, queue, partition) = (-1, -1, -1, -1);
            let user = if number % 40 == 0 { -1 } else { (number * 7 % 10) as i32 };
            let (submit, processors) = (number * 9_000, 1 + number as u32 % 8);
            let request = Request {
                number: number + 1,
                submit,
                processors,
                limit: 600,
                user,
                group,
                executable,
                queue,
                partition,
            };
            workload.push(request, number % 500, 10, number as u32);
        }
        workload
    }

    fn users(workload: &Workload) -> BTreeMap<i32, usize> {
        let mut users = BTreeMap::new();
        workload.requests().iter().for_each(|request| *users.entry(request.user).or_default() += 1);
        users
    }

    #[test]
    fn more_users_are_all_of_the_log_s_and_others_who_do_the_same_weeks_apart() {
        let log = workload();
        let more = times_users(&log, 1.5).unwrap();
        let (before, after) = (users(&log), users(&more));
        assert_eq!(after.len(), before.len() + 5);
        assert!(before.iter().all(|(user, jobs)| after[user] == *jobs), "{after:?}");
        assert!(more.requests().is_sorted_by_key(|request| request.submit));
        let mut numbers: Vec<i64> = more.requests().iter().map(|request| request.number).collect();
        numbers.sort_unstable();
        assert_eq!(numbers, (1..=more.len() as i64).collect::<Vec<_>>(), "each has one");
        for job in more.jobs().filter(|&job| more.request(job).user > 9) {
            let (copy, of) = (more.request(job), log.request(JobId(more.record(job) as u32)));
            assert_eq!((copy.submit - of.submit).rem_euclid(WEEK), 0);
            assert_eq!((copy.processors, more.logged_wait(job)), (of.processors, Some(10)));
        }
    }

    #[test]
    fn who_is_drawn_for_few_is_drawn_for_more() {
        let log = workload();
        let mut before: Vec<Request> = Vec::new();
        for factor in [0.2, 0.5, 1.0] {
            let now = times_users(&log, factor).unwrap().requests().to_vec();
            assert!(before.iter().all(|request| now.contains(request)), "{factor}");
            before = now;
        }
        assert_eq!(before, log.requests());
        let mut before = Vec::new();
        for factor in [1.2, 1.5, 2.5, 4.0] {
            let with = times_users(&log, factor).unwrap();
            assert_eq!(users(&with).len(), 11 + (10.0 * factor - 10.0) as usize);
            let key = |job| (with.request(job).submit, with.request(job).user, with.record(job));
            let now: Vec<_> = with.jobs().map(key).collect();
            assert!(before.iter().all(|job| now.contains(job)), "{factor}");
            before = now;
        }
    }

    #[test]
    fn nobody_and_nobody_s_jobs_are_said() {
        let machine = Machine { processors: 8, source: MachineSource::Given };
        let empty = Workload::empty("none", machine, Header::default());
        assert_eq!(times_users(&empty, 2.0).unwrap_err(), NoUsers::Unknown);
        let few = times_users(&workload(), 0.01).unwrap();
        assert_eq!(users(&few), [(-1, 10)].into(), "the jobs of nobody stay");
    }
}
