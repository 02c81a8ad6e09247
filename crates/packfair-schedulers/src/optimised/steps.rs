//! Free processors over time, relative to now: the compact profile that orders are decoded on.
//!
//! Neighbouring steps have different numbers of free processors, so that equal profiles are equal slices.

/// A step: `free` processors are free from `at` until the next step begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FreeStep {
    /// Seconds from now.
    pub at: i32,
    /// The number of free processors.
    pub free: i32,
}

/// A mark behind the last step: no job begins there.
const END: FreeStep = FreeStep { at: i32::MAX, free: i32::MIN };

/// The latest time at which a running job is taken to end, seconds from now (34 years). As much time is left for all
/// waiting jobs together, so that no sum of times overflows.
pub const LATEST: i32 = 1 << 30;

/// What a job takes of a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Demand {
    /// Processors that must be free throughout.
    pub need: i32,
    /// Processors that the job takes, at most `need`.
    pub take: i32,
    /// How long it takes them, seconds, at least 1.
    pub length: i32,
}

/// Where a job goes in a profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StepFit {
    /// When the job starts, seconds from now.
    pub start: i32,
    /// The index of the step with which it begins.
    first: usize,
    /// The index of the first step that does not begin before its end.
    beyond: usize,
}

/// Builds the profile of running jobs in `steps`. `releases` are what each gives back (seconds from now, processors),
/// soonest first.
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

/// A number of processors, as profiles count them.
pub fn whole(processors: u32) -> i32 {
    i32::try_from(processors).unwrap_or(i32::MAX)
}

/// The earliest place for a job. The job must not need more processors than are free in the last step.
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
        // the job ends after all steps begin
        return StepFit { start, first, beyond: steps.len() - 1 };
    }
}

/// Writes `steps`, with a job at its place, into `out`. No job needs less than `narrowest`: where fewer processors are
/// free, none counts as free, and steps before the first start of any job are left out.
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

/// The earliest start of a job in a profile of running jobs, where the number of free processors only rises.
#[inline]
pub fn earliest(base: &[FreeStep], need: i32) -> i32 {
    base.iter().find(|step| step.free >= need).map_or(i32::MAX, |step| step.at)
}
