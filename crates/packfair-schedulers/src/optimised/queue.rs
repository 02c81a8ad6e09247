//! The waiting jobs in two orders: that of submission and that of the last plan.

use packfair_engine::model::Waiting;

/// The waiting jobs.
#[derive(Clone, Debug, Default)]
pub struct RoundQueue {
    /// The jobs by place. Vacant places hold the job that was last there.
    pub jobs: Vec<Waiting>,
    vacant: Vec<u32>,
    /// Places in the order of submission.
    pub submitted: Vec<u32>,
    /// Places in the order of the last plan, new jobs at the end.
    pub kept: Vec<u32>,
    /// The number of jobs that have arrived since the last plan.
    pub newcomers: usize,
}

impl RoundQueue {
    /// Adds a job to the queue.
    pub fn insert(&mut self, job: Waiting) {
        let place = match self.vacant.pop() {
            Some(place) => {
                self.jobs[place as usize] = job;
                place
            }
            None => {
                self.jobs.push(job);
                self.jobs.len() as u32 - 1
            }
        };
        // a job that was withheld may enter after later ones
        let at = self.submitted.partition_point(|&other| self.jobs[other as usize].job < job.job);
        self.submitted.insert(at, place);
        self.kept.push(place);
        self.newcomers += 1;
    }

    /// Removes the jobs that have started.
    pub fn remove(&mut self, has_started: &[bool]) {
        let vacant = &mut self.vacant;
        self.submitted.retain(|&place| {
            if has_started[place as usize] {
                vacant.push(place);
            }
            !has_started[place as usize]
        });
        self.kept.retain(|&place| !has_started[place as usize]);
    }

    /// Keeps the order of a plan. No job counts as new any more.
    pub fn keep(&mut self, order: &[u32], beyond: &[u32]) {
        self.kept.clear();
        self.kept.extend_from_slice(order);
        self.kept.extend_from_slice(beyond);
        self.newcomers = 0;
    }

    /// Takes over new estimates of waiting jobs, seconds, indexed by log order.
    pub fn reestimate(&mut self, estimates: &[f64]) {
        for &place in &self.submitted {
            let job = &mut self.jobs[place as usize];
            job.estimate = estimates[job.job.index()];
        }
    }
}
