//! Free processors over time, relative to now: the compact profile that orders are decoded on.
//!
//! Neighbouring steps differ, so that equal profiles are equal slices.

/// From `at` on, until the next step, `free` processors are free.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeStep {
    /// Seconds from now.
    pub at: i32,
    /// Processors.
    pub free: i32,
}

/// Beyond the last step: nothing begins there.
const END: FreeStep = FreeStep { at: i32::MAX, free: i32::MIN };

/// The latest time at which a running job is taken to end, seconds from now (34 years); as much is left for all
/// waiting jobs together, so that no sum of times overflows.
pub const LATEST: i32 = 1 << 30;

/// What a job takes of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Processors that must be free throughout.
    pub need: i32,
    /// Processors that it takes, at most as many.
    pub take: i32,
    /// For how long, seconds, at least 1.
    pub length: i32,
}

/// Where a job goes in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepFit {
    /// When it starts.
    pub start: i32,
    /// The step with which it begins.
    first: usize,
    /// The first step that is not before its end.
    beyond: usize,
}

/// The profile of running jobs: what each gives back (seconds from now, processors), the soonest first, into `steps`.
pub fn rebuild(steps: &mut Vec<FreeStep>, free: u32, releases: impl Iterator<Item = (i32, u32)>) {
    steps.clear();
    let mut last = FreeStep { at: 0, free: whole(free) };
    for (at, processors) in releases {
        if at > last.at {
            steps.push(last);
            last.at = at;
        }
        last.free = last.free.saturating_add(whole(processors));
    }
    steps.push(last);
    steps.push(END);
}

/// A number of processors in a profile.
pub fn whole(processors: u32) -> i32 {
    i32::try_from(processors).unwrap_or(i32::MAX)
}

/// The earliest place for a job. It needs no more than are free in the end.
#[inline]
pub fn fit(steps: &[FreeStep], demand: Demand) -> StepFit {
    let Demand { need, length, .. } = demand;
    let mut first = 0;
    'begin: loop {
        while steps[first].free < need {
            first += 1;
        }
        let start = steps[first].at;
        let end = start + length;
        for (beyond, step) in steps.iter().enumerate().skip(first + 1) {
            if step.at >= end {
                return StepFit { start, first, beyond };
            }
            if step.free < need {
                first = beyond + 1;
                continue 'begin;
            }
        }
        // the end is beyond all times
        return StepFit { start, first, beyond: steps.len() - 1 };
    }
}

/// `steps` with a job at its place, into `out`. No job needs less than `narrowest`: where less is free, nothing counts as
/// free, and what comes before any job can start is left out.
#[inline]
pub fn reserve(steps: &[FreeStep], demand: Demand, fit: StepFit, narrowest: i32, out: &mut Vec<FreeStep>) {
    let StepFit { start, first, beyond } = fit;
    let (take, end) = (demand.take, start + demand.length);
    let lowered = |free: i32| if free - take < narrowest { 0 } else { free - take };
    out.clear();
    out.reserve(steps.len() + 2);
    out.extend_from_slice(&steps[..first]);
    let mut last = if first > 0 { steps[first - 1].free } else { 0 };
    for step in &steps[first..beyond] {
        let free = lowered(step.free);
        if free != last {
            out.push(FreeStep { at: step.at, free });
            last = free;
        }
    }
    let before = steps[beyond - 1].free;
    if steps[beyond].at > end {
        out.push(FreeStep { at: end, free: before });
        out.extend_from_slice(&steps[beyond..]);
    } else {
        out.extend_from_slice(&steps[beyond + usize::from(steps[beyond].free == last)..]);
    }
}

/// The earliest start of a job in the profile of running jobs, in which processors only ever become free.
#[inline]
pub fn earliest(base: &[FreeStep], need: i32) -> i32 {
    base.iter().find(|step| step.free >= need).map_or(i32::MAX, |step| step.at)
}
