//! Further workloads of the same cluster, made from a log by resampling: what the log could have been if its users had
//! come at other times.
//!
//! Zakay and Feitelson, "Workload resampling for performance evaluation of parallel job schedulers", ICPE 2013 (longer
//! in Concurrency and Computation: Practice and Experience 26(12), 2014): the log is split into its users' subtraces,
//! which are recombined after shifts by whole weeks. So the daily and weekly cycles and the habits of each user stay as
//! they are. Tsafrir, Ouaknine and Feitelson, "Reducing performance evaluation sensitivity and variability by input
//! shaking", MASCOTS 2007: each submission moves a little earlier or later.

use super::clock::time_of;
use super::{Clock, JobId, Request, Seconds, Workload};
use packfair_base::random::Random;
use std::collections::BTreeMap;

const WEEK: Seconds = 7 * 86_400;

/// A user whose first and last job lie within at most this many weeks is a temporary one.
const TEMPORARY_WEEKS: usize = 12;

/// The fewest weeks that a log must have for weeks to be drawn.
const FEWEST_WEEKS: usize = 2;

/// The most by which a submission moves in either direction, seconds.
const SHAKEN_BY: Seconds = 180;

/// How a further workload is made from a log.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Resampling {
    /// Users' weeks drawn with replacement (Zakay and Feitelson 2013).
    #[default]
    Users,
    /// Each submission up to three minutes earlier or later (Tsafrir, Ouaknine and Feitelson 2007).
    Shake,
    /// The jobs are the log's own, and only the random numbers of schedulers are drawn anew, as they differ between
    /// runs of a real scheduler.
    Draws,
}

/// Why no further workload can be made from a log.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ResampleError {
    #[error(
        "users' weeks cannot be drawn: the jobs were submitted within {days} days, and two weeks are the least; take a \
         longer log, or shake the submit times instead"
    )]
    TooShort { days: i64 },
}

packfair_base::named!(Resampling, "way of resampling", {
    Users => "users", "Users' weeks", "The users come at other times: their weeks are drawn with replacement, and each job \
        keeps its weekday and hour";
    Shake => "shake", "Shaken", "Each job is submitted up to three minutes earlier or later";
    Draws => "draws", "Same jobs", "The jobs stay as they are; what differs from run to run of a real Slurm is drawn anew";
});

packfair_base::serde_as_text!(Resampling);

impl Resampling {
    /// Another workload of the same users and machine: number `index` of those of `seed`. It is the same on every
    /// machine. Its jobs are numbered from 1; a job's record is that of the job that it is a copy of.
    ///
    /// # Errors
    /// If the log is too short to draw weeks.
    pub fn workload(self, workload: &Workload, seed: u64, index: u32) -> Result<Workload, ResampleError> {
        let mut random = Random::of([seed, u64::from(index) + 1]);
        let reacts = workload.reactions().is_some();
        let mut drawn = match self {
            Resampling::Users => UserWeeks::of(workload)?.draw(workload, &mut random),
            Resampling::Shake => shaken(workload, &mut random),
            Resampling::Draws => return Ok(workload.clone()),
        };
        // of jobs submitted at once, those drawn first come first
        drawn.sort_by_key(|drawn| drawn.submit);
        let last_user = workload.requests().iter().map(|request| request.user).max().unwrap_or(-1);
        let mut made = Workload::empty(workload.name.clone(), workload.machine, workload.header.clone());
        made.account = workload.account.clone();
        made.set_counting(workload.counting().clone());
        made.set_cluster(workload.cluster().cloned());
        made.take_still_running_of(workload);
        for (number, &DrawnJob { submit, job, again }) in (1..).zip(&drawn) {
            let mut request = Request { number, submit, ..workload.request(job).clone() };
            if reacts && again > 0 && request.user >= 0 {
                // a user drawn twice counts as two, neither of whom waits for the other's jobs
                request.user = last_user.saturating_add(again);
            }
            // the log's waits do not hold here, but users who react need them: they tell which job waited for which
            let wait = workload.logged_wait(job).filter(|_| reacts).unwrap_or(-1);
            made.push(request, workload.run(job), wait, workload.record(job) as u32);
        }
        let copied: Vec<JobId> = drawn.iter().map(|drawn| drawn.job).collect();
        made.take_site_of(workload, &copied);
        made.react_like(workload);
        Ok(made)
    }
}

struct DrawnJob {
    /// When the copy is submitted.
    submit: Seconds,
    job: JobId,
    /// If its user is a temporary one who was drawn before, the number of such draws so far, from 1; else 0.
    again: i32,
}

type DrawnJobs = Vec<DrawnJob>;

/// Moves each job a little earlier or later, but none to before the log's zero.
fn shaken(workload: &Workload, random: &mut Random) -> DrawnJobs {
    let mut shake = |job: JobId| {
        let submit = workload.request(job).submit;
        let by = random.below_fine(2 * SHAKEN_BY as usize + 1) as Seconds - SHAKEN_BY;
        DrawnJob { submit: (submit + by).max(submit.min(0)), job, again: 0 }
    };
    workload.jobs().map(&mut shake).collect()
}

/// A log's jobs by user and week. UserWeeks begin with the log, on the clock of its place, so that a job moved by whole
/// weeks keeps its weekday and hour, even from summer to winter.
struct UserWeeks {
    clock: Clock,
    begin: Seconds,
    /// The number of weeks. A last week of which the log has less than half does not count, and its jobs are left out.
    count: usize,
    /// Each user's weeks, from the first to the last with a job, in the order of the users' numbers. Jobs without a
    /// user count as those of one user.
    users: Vec<Vec<UserWeek>>,
}

/// What a user submitted within a week: the time since the week's begin, seconds, and the job.
type UserWeek = Vec<(Seconds, JobId)>;

/// The weeks that a user is there, one after another.
struct Stay<'a> {
    weeks: Vec<&'a UserWeek>,
    /// [`DrawnJob::again`].
    again: i32,
}

impl UserWeeks {
    fn of(workload: &Workload) -> Result<Self, ResampleError> {
        let submits = |job: JobId| workload.request(job).submit;
        let ends = workload.requests().first().zip(workload.requests().last());
        let (first, last) = ends.map_or((0, 0), |(first, last)| (first.submit, last.submit));
        let clock = Clock::of(&workload.header, first, last);
        let begin = clock.local(first);
        let count = ((clock.local(last) - begin + WEEK / 2) / WEEK) as usize;
        if last - first < FEWEST_WEEKS as Seconds * WEEK {
            return Err(ResampleError::TooShort { days: (last - first) / 86_400 });
        }
        let mut users: BTreeMap<i32, Vec<(usize, Seconds, JobId)>> = BTreeMap::new();
        for job in workload.jobs() {
            let since = clock.local(submits(job)) - begin;
            // clocks that are put back can make the time a little less than 0
            let week = usize::try_from(since.div_euclid(WEEK)).unwrap_or(0);
            if week < count {
                let of_user = users.entry(workload.request(job).user.max(-1)).or_default();
                of_user.push((week, since - week as Seconds * WEEK, job));
            }
        }
        let weeks = |jobs: Vec<(usize, Seconds, JobId)>| {
            let first = jobs.iter().map(|&(week, ..)| week).min().unwrap_or(0);
            let last = jobs.iter().map(|&(week, ..)| week).max().unwrap_or(0);
            let mut weeks = vec![UserWeek::new(); last - first + 1];
            jobs.into_iter().for_each(|(week, at, job)| weeks[week - first].push((at, job)));
            weeks
        };
        Ok(UserWeeks { clock, begin, count, users: users.into_values().map(weeks).collect() })
    }

    /// The most weeks of a temporary user: [`TEMPORARY_WEEKS`], but at most half of a short log.
    fn temporary(&self) -> usize {
        TEMPORARY_WEEKS.min(self.count / 2)
    }

    /// Draws a workload with the same number of weeks.
    ///
    /// Each long-term user of the log comes once: from a random week on, for as many weeks as in the log. Each of these
    /// weeks is drawn with replacement from the user's own. Temporary users are drawn with replacement, as many as the
    /// log has. Each begins in a random week, and submits the same jobs as in the log, week by week. Users who are
    /// still there after the last week continue in the first, so that the first weeks have as many users as others.
    ///
    /// Users do not pile up as if they knew nothing of each other: on a full machine they hold back. So of two weeks that
    /// are drawn to begin in, three users of four take the one in which less work of others would be met.
    fn draw(&self, workload: &Workload, random: &mut Random) -> DrawnJobs {
        let stays = self.stays(random);
        let mut drawn = DrawnJobs::new();
        let mut load = vec![0.0; self.count];
        for Stay { weeks, again } in stays {
            let works: Vec<f64> =
                weeks.iter().map(|week| week.iter().map(|&(_, job)| workload.area(job)).sum()).collect();
            let met = |begin: usize| -> f64 {
                works.iter().enumerate().map(|(later, work)| load[(begin + later) % self.count] * work).sum()
            };
            let (one, other) = (random.below_fine(self.count), random.below_fine(self.count));
            let looks = random.below_fine(4) > 0;
            let begin = if looks && met(other) < met(one) { other } else { one };
            for (later, (week, work)) in weeks.into_iter().zip(works).enumerate() {
                load[(begin + later) % self.count] += work;
                self.put(week, begin + later, again, &mut drawn);
            }
        }
        drawn
    }

    fn stays(&self, random: &mut Random) -> Vec<Stay<'_>> {
        let is_temporary = |weeks: &&Vec<UserWeek>| weeks.len() <= self.temporary();
        let (temporary, long_term): (Vec<_>, Vec<_>) = self.users.iter().partition(is_temporary);
        let mut stays: Vec<Stay<'_>> = Vec::with_capacity(self.users.len());
        for weeks in long_term {
            let weeks = (0..weeks.len()).map(|_| &weeks[random.below_fine(weeks.len())]).collect();
            stays.push(Stay { weeks, again: 0 });
        }
        let (mut drawn_before, mut draws) = (vec![false; temporary.len()], 0);
        for _ in 0..temporary.len() {
            let of = random.below_fine(temporary.len());
            let is_again = std::mem::replace(&mut drawn_before[of], true);
            draws += i32::from(is_again);
            stays.push(Stay { weeks: temporary[of].iter().collect(), again: if is_again { draws } else { 0 } });
        }
        for place in (1..stays.len()).rev() {
            stays.swap(place, random.below_fine(place + 1));
        }
        stays
    }

    /// Adds a user's week as week number `week` of the workload.
    fn put(&self, jobs: &UserWeek, week: usize, again: i32, drawn: &mut DrawnJobs) {
        let begin = self.begin + (week % self.count) as Seconds * WEEK;
        let job = |&(at, job): &(Seconds, JobId)| DrawnJob { submit: time_of(&self.clock, begin + at), job, again };
        drawn.extend(jobs.iter().map(job));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Header, Machine, MachineSource, lublin};
    use std::collections::BTreeSet;

    /// Jobs as (submit, user), on a clock with daylight saving.
    fn workload(jobs: impl IntoIterator<Item = (Seconds, i32)>) -> Workload {
        let labels = [("UnixStartTime", "843480031"), ("TimeZoneString", "Europe/Stockholm")];
        let labels = labels.map(|(label, value)| (label.to_owned(), value.to_owned())).to_vec();
        let machine = Machine { processors: 8, source: MachineSource::Given };
        let mut workload = Workload::empty("weeks", machine, Header { labels });
        for (record, (submit, user)) in (0..).zip(jobs) {
            let (group, executable, queue, partition) = (-1, -1, -1, -1);
            let number = i64::from(record) + 1;
            let request = Request {
                number,
                submit,
                processors: 1 + record % 8,
                limit: 600,
                user,
                group,
                executable,
                queue,
                partition,
            };
            workload.push(request, Seconds::from(record % 500), -1, record);
        }
        workload.sort();
        workload
    }

    /// Thirty weeks: two users who are always there, twenty who stay for some three weeks, and jobs without a user.
    fn cluster() -> Workload {
        let regular = (0..2_000).map(|i: i64| (i * 9_000 + i % 700, (i % 2) as i32 + 1));
        let guests = (0..20).flat_map(|user: i64| {
            let begin = user * 700_000;
            (0..40).map(move |i| (begin + i * 40_000, 100 + user as i32))
        });
        let nobody = (0..100).map(|i: i64| (i * 180_000 + 5, -1));
        workload(regular.chain(guests).chain(nobody))
    }

    fn hour_of_week(clock: &Clock, time: Seconds) -> (usize, Seconds) {
        (clock.weekday(time).unwrap(), clock.local(time).rem_euclid(86_400))
    }

    #[test]
    fn each_job_is_a_copy_of_one_of_the_same_user_weekday_and_hour() {
        let log = cluster();
        let last = log.requests().last().unwrap().submit;
        let clock = Clock::of(&log.header, 0, last);
        for index in 0..5 {
            let made = Resampling::Users.workload(&log, 7, index).unwrap();
            let mut moved = 0;
            for job in made.jobs() {
                let of = log.jobs().find(|&of| log.record(of) == made.record(job)).unwrap();
                let (ours, theirs) = (made.request(job), log.request(of));
                let like_theirs = Request { number: theirs.number, submit: theirs.submit, ..ours.clone() };
                assert_eq!((&like_theirs, made.run(job)), (theirs, log.run(of)));
                // the hour that clocks leave out in spring has no exact counterpart
                let skipped = clock.weekday(ours.submit) == Some(6) && clock.local(ours.submit) % 86_400 < 4 * 3600;
                assert!(skipped || hour_of_week(&clock, ours.submit) == hour_of_week(&clock, theirs.submit));
                moved += usize::from(ours.submit != theirs.submit);
            }
            assert!(moved > made.len() / 2, "{moved} of {}", made.len());
            assert!(made.requests().is_sorted_by_key(|request| request.submit));
            let numbers: BTreeSet<i64> = made.requests().iter().map(|request| request.number).collect();
            assert_eq!(numbers.len(), made.len());
            assert!(made.requests().iter().all(|request| (0..=last + WEEK).contains(&request.submit)));
        }
    }

    #[test]
    fn a_users_week_stays_together() {
        let log = cluster();
        let weeks = UserWeeks::of(&log).unwrap();
        let (first, local) = (weeks.begin, |w: &Workload, job| weeks.clock.local(w.request(job).submit));
        let week_of = |w: &Workload, job| (local(w, job) - first).div_euclid(WEEK);
        let made = Resampling::Users.workload(&log, 3, 0).unwrap();
        // all jobs of a week are drawn equally often
        let mut times: BTreeMap<(i32, i64), BTreeMap<usize, usize>> = BTreeMap::new();
        for job in made.jobs() {
            let of = log.jobs().find(|&of| log.record(of) == made.record(job)).unwrap();
            let key = (log.request(of).user, week_of(&log, of));
            *times.entry(key).or_default().entry(made.record(job)).or_default() += 1;
        }
        for ((user, week), of_job) in times {
            let jobs = log.jobs().filter(|&job| log.request(job).user == user && week_of(&log, job) == week).count();
            let counts: BTreeSet<usize> = of_job.values().copied().collect();
            assert_eq!((of_job.len(), counts.len()), (jobs, 1), "user {user}, week {week}");
        }
    }

    #[test]
    fn there_are_as_many_jobs_on_average_and_each_repeat_is_another() {
        let log = lublin(4_000, 64, 1);
        let log = crate::clean(&log, &Default::default(), Default::default(), None).unwrap();
        assert_eq!(Resampling::Draws.workload(&log, 1, 7).unwrap().requests(), log.requests());
        for way in [Resampling::Users, Resampling::Shake] {
            let made: Vec<Workload> = (0..40).map(|index| way.workload(&log, 1, index).unwrap()).collect();
            let mean = made.iter().map(Workload::len).sum::<usize>() as f64 / 40.0;
            assert!((mean / log.len() as f64 - 1.0).abs() < 0.06, "{way:?}: {mean} of {}", log.len());
            assert_ne!(made[0].requests(), made[1].requests());
            assert_eq!(made[3].requests(), way.workload(&log, 1, 3).unwrap().requests());
            assert_ne!(made[3].requests(), way.workload(&log, 2, 3).unwrap().requests());
        }
    }

    #[test]
    fn long_term_users_stay_and_temporary_ones_come_and_go() {
        let log = cluster();
        let users = |w: &Workload| w.requests().iter().map(|request| request.user).collect::<BTreeSet<_>>();
        let mut guests = BTreeSet::new();
        for index in 0..10 {
            let made = users(&Resampling::Users.workload(&log, 5, index).unwrap());
            assert!(made.is_superset(&[-1, 1, 2].into()) && made.len() < 23, "{made:?}");
            guests.extend(made);
        }
        assert_eq!(guests, users(&log));
    }

    #[test]
    fn shaken_jobs_come_at_most_three_minutes_from_their_time() {
        let log = cluster();
        let made = Resampling::Shake.workload(&log, 1, 0).unwrap();
        assert_eq!(made.len(), log.len());
        let off = made.jobs().map(|job| {
            let of = log.jobs().find(|&of| log.record(of) == made.record(job)).unwrap();
            made.request(job).submit - log.request(of).submit
        });
        let off: Vec<Seconds> = off.collect();
        assert!(off.iter().all(|by| by.abs() <= SHAKEN_BY) && off.iter().any(|by| by.abs() > 170));
        let mean = off.iter().sum::<Seconds>() as f64 / off.len() as f64;
        assert!(mean.abs() < 10.0, "{mean}");
        assert!(made.requests().iter().all(|request| request.submit >= 0));
    }

    #[test]
    fn a_short_log_has_no_weeks_to_draw_but_can_be_shaken() {
        let short = workload((0..50).map(|i| (i * 20_000, 1)));
        let error = Resampling::Users.workload(&short, 1, 0).unwrap_err();
        assert_eq!(error, ResampleError::TooShort { days: 11 });
        assert!(error.to_string().contains("within 11 days, and two weeks are the least"), "{error}");
        assert_eq!(Resampling::Shake.workload(&short, 1, 0).unwrap().len(), 50);
        let empty = workload([]);
        assert!(Resampling::Users.workload(&empty, 1, 0).is_err());
        assert!(Resampling::Shake.workload(&empty, 1, 0).unwrap().is_empty());
    }
}
