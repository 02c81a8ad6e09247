//! Laws of workloads: what a cluster's users do, as a process that makes any number of logs of the same kind.
//!
//! Users submit sessions: jobs that follow each other closely and are alike. Sessions begin at the hours of the week at
//! which they begin in the log that the law was fitted to. A user who works goes on for some sessions, in the order of
//! the log: a campaign. Weeks differ in the work that they bring, and a busy week is followed by another (a first-order
//! autoregression of its logarithm).

use packfair::workload::{Header, JobId, Machine, MachineSource, Request, Seconds, Workload, lublin};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;

/// A week, seconds.
const WEEK: Seconds = 7 * 86_400;

/// A user whose next job comes later than this after the last one begins another session, seconds.
const PAUSE: Seconds = 20 * 60;

/// Random numbers, the same on every machine.
pub struct Random(ChaCha8Rng);

impl Random {
    /// The stream with this number of `seed`.
    pub fn numbered(seed: u64, stream: u64) -> Self {
        let mut key = [0; 32];
        key[..8].copy_from_slice(&seed.to_le_bytes());
        key[8..16].copy_from_slice(&stream.to_le_bytes());
        Random(ChaCha8Rng::from_seed(key))
    }

    /// Uniform in [0, 1).
    pub fn uniform(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / 9_007_199_254_740_992.0
    }

    /// A whole number below `count`, which is above 0.
    pub fn below(&mut self, count: usize) -> usize {
        ((self.uniform() * count as f64) as usize).min(count - 1)
    }

    /// Normal with mean 0 and variance 1.
    pub fn normal(&mut self) -> f64 {
        let (u, v) = (1.0 - self.uniform(), self.uniform());
        (-2.0 * u.ln()).sqrt() * (std::f64::consts::TAU * v).cos()
    }

    /// The index of a weight, each in proportion to it; `sums` are the sums of the weights so far.
    fn weighted(&mut self, sums: &[f64]) -> usize {
        let at = self.uniform() * sums[sums.len() - 1];
        sums.partition_point(|&sum| sum <= at).min(sums.len() - 1)
    }
}

/// A job of a session.
#[derive(Clone)]
struct SessionJob {
    /// Seconds after the session's first job.
    after: Seconds,
    processors: u32,
    run: Seconds,
    limit: Seconds,
}

type Session = Vec<SessionJob>;

/// A law of workloads.
pub struct Law {
    /// Its name.
    pub name: String,
    processors: u32,
    /// Each user's number and sessions, in their order.
    users: Vec<(i32, Vec<Session>)>,
    /// Sums of the users' weights: how often each begins a campaign.
    begins: Vec<f64>,
    /// Sums of the weights of the hours of a week.
    hours: Vec<f64>,
    /// Mean work of a week, processor seconds.
    work: f64,
    /// Standard deviation of the logarithm of a week's work.
    spread: f64,
    /// Correlation of that logarithm with the week before.
    memory: f64,
    /// Mean number of sessions of a campaign.
    campaign: f64,
}

impl Law {
    /// Lublin and Feitelson's jobs for 128 processors, submitted by 40 users in sessions of like jobs, with daily and
    /// weekly cycles, at this load.
    pub fn lublin(load: f64) -> Self {
        let mut random = Random::numbered(2003, 0);
        let pool = lublin(6_000, 128, 5).records;
        let mut jobs = pool.iter();
        let mut session = || {
            let like = jobs.next().unwrap();
            let (mut after, mut session) = (0, Session::new());
            loop {
                let run = ((like.run as f64 * (0.3 * random.normal()).exp()) as Seconds).max(1);
                let limit = like.requested_time.max(run);
                session.push(SessionJob { after, processors: like.requested as u32, run, limit });
                if random.uniform() < 0.3 {
                    return session;
                }
                after += 1 + (-180.0 * (1.0 - random.uniform()).ln()) as Seconds;
            }
        };
        let users: Vec<(i32, Vec<Session>)> =
            (1..=40).map(|user| (user, (0..100).map(|_| session()).collect())).collect();
        let hours = (0..168).map(|hour| {
            let (day, hour) = (hour / 24, hour % 24);
            let of_day = if (9..18).contains(&hour) { 4.0 } else { 1.0 };
            if day < 5 { of_day } else { 0.4 * of_day }
        });
        Law {
            name: format!("Lublin-Feitelson, load {load}"),
            processors: 128,
            begins: sums((1..=40).map(|rank| 1.0 / f64::from(rank))),
            users,
            hours: sums(hours),
            work: load * 128.0 * WEEK as f64,
            spread: 0.3,
            memory: 0.3,
            campaign: 5.0,
        }
    }

    /// The law of a log.
    pub fn fitted(workload: &Workload) -> Self {
        let first = workload.requests()[0].submit;
        let week_of = |job: JobId| ((workload.request(job).submit - first) / WEEK) as usize;
        let weeks = (week_of(JobId(workload.len() as u32 - 1))).max(1);
        let mut work = vec![0.0; weeks];
        let mut hours = [1e-9; 168];
        let mut of_user: BTreeMap<i32, Vec<JobId>> = BTreeMap::new();
        for job in workload.jobs() {
            if let Some(work) = work.get_mut(week_of(job)) {
                *work += workload.area(job);
            }
            of_user.entry(workload.request(job).user).or_default().push(job);
        }
        let (mut users, mut begins, mut campaigns, mut sessions) = (Vec::new(), Vec::new(), 0, 0);
        for (user, jobs) in of_user {
            let mut own: Vec<Session> = Vec::new();
            let (mut begin, mut last) = (0, Seconds::MIN / 2);
            let mut active = std::collections::BTreeSet::new();
            for job in jobs {
                let request = workload.request(job);
                if request.submit - last > PAUSE {
                    own.push(Session::new());
                    begin = request.submit;
                    hours[((begin - first).rem_euclid(WEEK) / 3_600) as usize] += 1.0;
                    active.insert(week_of(job));
                }
                last = request.submit;
                let run = workload.run(job);
                let after = request.submit - begin;
                let limit = request.limit.max(run);
                own.last_mut().unwrap().push(SessionJob { after, processors: request.processors, run, limit });
            }
            campaigns += active.len();
            sessions += own.len();
            begins.push(active.len() as f64);
            users.push((user, own));
        }
        let mean = work.iter().sum::<f64>() / weeks as f64;
        let logs: Vec<f64> = work.iter().map(|work| (work.max(mean / 20.0) / mean).ln()).collect();
        let middle = logs.iter().sum::<f64>() / weeks as f64;
        let variance = logs.iter().map(|log| (log - middle).powi(2)).sum::<f64>() / weeks as f64;
        let joint = logs.windows(2).map(|pair| (pair[0] - middle) * (pair[1] - middle)).sum::<f64>() / weeks as f64;
        Law {
            name: format!("fitted to {}", workload.name),
            processors: workload.machine.processors,
            users,
            begins: sums(begins),
            hours: sums(hours),
            work: mean,
            spread: variance.sqrt(),
            memory: (joint / variance).clamp(0.0, 0.9),
            campaign: sessions as f64 / campaigns as f64,
        }
    }

    /// What is known of it, in a line.
    pub fn about(&self) -> String {
        format!(
            "{}: {} users, utilisation {:.2}, weekly work spreads by {:.2} with memory {:.2}, campaigns of {:.1} sessions",
            self.name,
            self.users.len(),
            self.work / f64::from(self.processors) / WEEK as f64,
            self.spread,
            self.memory,
            self.campaign
        )
    }

    /// Log number `index` of this law, some weeks long.
    pub fn log(&self, weeks: usize, seed: u64, index: u64) -> Workload {
        let mut random = Random::numbered(seed, index);
        let machine = Machine { processors: self.processors, source: MachineSource::Given };
        let mut made = Workload::empty(self.name.clone(), machine, Header { labels: Vec::new() });
        let mut jobs: Vec<(Seconds, i32, &SessionJob)> = Vec::new();
        let mut level = random.normal();
        for week in 0..weeks {
            let wanted = self.work * (self.spread * level - self.spread * self.spread / 2.0).exp();
            level = self.memory * level + (1.0 - self.memory * self.memory).sqrt() * random.normal();
            let mut left = wanted;
            'week: loop {
                let (user, sessions) = &self.users[random.weighted(&self.begins)];
                let from = random.below(sessions.len());
                for session in sessions.iter().cycle().skip(from) {
                    let work: f64 = session.iter().map(|job| job.run as f64 * f64::from(job.processors)).sum();
                    if work > left && random.uniform() * work > left {
                        break 'week;
                    }
                    left -= work;
                    let begin = week as Seconds * WEEK
                        + random.weighted(&self.hours) as Seconds * 3_600
                        + random.below(3_600) as Seconds;
                    jobs.extend(session.iter().map(|job| (begin + job.after, *user, job)));
                    if left <= 0.0 {
                        break 'week;
                    }
                    if random.uniform() * self.campaign < 1.0 {
                        break;
                    }
                }
            }
        }
        let end = weeks as Seconds * WEEK;
        jobs.retain(|(submit, ..)| *submit < end);
        jobs.sort_by_key(|(submit, ..)| *submit);
        for (record, (submit, user, job)) in (0..).zip(jobs) {
            let (number, processors, limit) = (i64::from(record) + 1, job.processors, job.limit);
            let (group, executable, queue, partition) = (-1, -1, -1, -1);
            let request = Request { number, submit, processors, limit, user, group, executable, queue, partition };
            made.push(request, job.run, -1, record);
        }
        made
    }
}

fn sums(weights: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sum = 0.0;
    weights
        .into_iter()
        .map(|weight| {
            sum += weight;
            sum
        })
        .collect()
}
