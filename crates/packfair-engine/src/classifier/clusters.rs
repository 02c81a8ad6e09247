//! Two clusters of run times on a logarithmic scale, and the divider between them (CLASSIFY §3.3, the dashed line of Fig. 1).
//!
//! The paper names two algorithms, "EM" and "DBSN", and none of their parameters. Here both see the logarithms of run
//! times to two per cent: a log of three years has 140 weeks, and a hundred passes through all run times in each week
//! would take longer than the simulation.

use packfair_workload::Seconds;

/// Width of a bin of logarithms.
const WIDTH: f64 = 0.02;

/// The most passes of expectation and maximisation.
const PASSES: usize = 100;

/// Passes end when none of the means moves by more than this.
const STILL: f64 = 1e-5;

/// Radius of DBSCAN in bins: run times that differ by less than 22 % are neighbours.
const RADIUS: usize = 10;

/// A cluster has at least one of this many jobs: a tenth.
const CLUSTER: u64 = 10;

/// How many run times there are in each bin of logarithms. A run time below a second counts as one second.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct LogRuns {
    counts: Vec<u32>,
    all: u64,
}

/// A normal law of logarithms, and its share of all of them.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Part {
    share: f64,
    mean: f64,
    variance: f64,
}

impl LogRuns {
    /// Adds a run time.
    pub(super) fn add(&mut self, run: Seconds) {
        let bin = (libm::log(run.max(1) as f64) / WIDTH) as usize;
        if self.counts.len() <= bin {
            self.counts.resize(bin + 1, 0);
        }
        self.counts[bin] += 1;
        self.all += 1;
    }

    /// The logarithms and how often each occurs.
    fn values(&self) -> Vec<(f64, f64)> {
        let bins = self.counts.iter().enumerate().filter(|&(_, &count)| count > 0);
        bins.map(|(bin, &count)| ((bin as f64 + 0.5) * WIDTH, f64::from(count))).collect()
    }

    /// The run time below which a job more likely follows the first of two log-normal laws than the second (EM,
    /// Dempster et al. 1977); none where two laws are not found. The first estimates are of the halves below and above
    /// the median.
    pub(super) fn divided_by_em(&self) -> Option<Seconds> {
        let values = self.values();
        let [low, high] = two_laws(&values)?;
        // where the sign changes both laws are equally likely
        let is_low = |x: f64| odds(low, high, x) > 0.0;
        let (mut from, mut to) = (low.mean, high.mean);
        if !is_low(from) || is_low(to) {
            return None;
        }
        for _ in 0..40 {
            let middle = (from + to) / 2.0;
            *(if is_low(middle) { &mut from } else { &mut to }) = middle;
        }
        Some(whole(to))
    }

    /// The run time midway between the two largest clusters that DBSCAN (Ester et al. 1996) finds. Its number of
    /// neighbours is the least with which it finds two clusters that each have at least a tenth of all jobs; none where
    /// no number gives two.
    pub(super) fn divided_by_dbscan(&self) -> Option<Seconds> {
        let neighbours = self.neighbours();
        let mut numbers: Vec<u32> = neighbours.iter().copied().filter(|&number| number > 0).collect();
        numbers.sort_unstable();
        numbers.dedup();
        numbers.into_iter().find_map(|least| {
            let mut clusters = self.clusters(&neighbours, least);
            clusters.retain(|cluster| cluster.jobs * CLUSTER >= self.all);
            if clusters.len() < 2 {
                return None;
            }
            // the sort is stable: of equal clusters the lower ones are taken
            clusters.sort_by_key(|cluster| std::cmp::Reverse(cluster.jobs));
            let (a, b) = (clusters[0], clusters[1]);
            let (low, high) = if a.last < b.first { (a, b) } else { (b, a) };
            Some(whole((low.last + 1 + high.first) as f64 / 2.0 * WIDTH))
        })
    }

    /// How many run times are near those of each bin, including its own; 0 where the bin is empty.
    fn neighbours(&self) -> Vec<u32> {
        let near = |bin: usize| &self.counts[bin.saturating_sub(RADIUS)..self.counts.len().min(bin + RADIUS + 1)];
        let of = |(bin, &count): (usize, &u32)| if count > 0 { near(bin).iter().sum() } else { 0 };
        self.counts.iter().enumerate().map(of).collect()
    }

    /// The clusters of run times that have at least `least` neighbours, in order.
    fn clusters(&self, neighbours: &[u32], least: u32) -> Vec<Cluster> {
        let mut clusters: Vec<Cluster> = Vec::new();
        for (bin, _) in neighbours.iter().enumerate().filter(|&(_, &number)| number >= least) {
            let jobs = u64::from(self.counts[bin]);
            match clusters.last_mut() {
                Some(cluster) if bin - cluster.last <= RADIUS => {
                    cluster.last = bin;
                    cluster.jobs += jobs;
                }
                _ => clusters.push(Cluster { first: bin, last: bin, jobs }),
            }
        }
        clusters
    }
}

/// A cluster: from its first to its last bin, with its number of jobs.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Cluster {
    first: usize,
    last: usize,
    jobs: u64,
}

/// The smallest whole number of seconds whose logarithm is not below this one.
fn whole(logarithm: f64) -> Seconds {
    libm::ceil(libm::exp(logarithm)) as Seconds
}

/// How much likelier a value is of the first law than of the second, as a logarithm.
fn odds(low: Part, high: Part, x: f64) -> f64 {
    let density = |part: Part| {
        let away = x - part.mean;
        libm::log(part.share) - 0.5 * libm::log(part.variance) - away * away / (2.0 * part.variance)
    };
    density(low) - density(high)
}

/// The law of values, each with its weight, as a part of values that weigh `all` together; none where they weigh
/// nothing.
fn law(values: impl Iterator<Item = (f64, f64)> + Clone, all: f64) -> Option<Part> {
    let weight: f64 = values.clone().map(|(_, weight)| weight).sum();
    if weight <= 0.0 {
        return None;
    }
    let mean = values.clone().map(|(x, weight)| weight * x).sum::<f64>() / weight;
    let variance = values.map(|(x, weight)| weight * (x - mean) * (x - mean)).sum::<f64>() / weight;
    // a law of a single value would be infinitely likely
    Some(Part { share: weight / all, mean, variance: variance.max(WIDTH * WIDTH) })
}

/// Two normal laws of values with weights, the one with the lower mean first; none where one of them vanishes.
fn two_laws(values: &[(f64, f64)]) -> Option<[Part; 2]> {
    let all: f64 = values.iter().map(|(_, weight)| weight).sum();
    let mut below = 0.0;
    let half = values.iter().position(|(_, weight)| {
        below += weight;
        below >= all / 2.0
    })?;
    let halves = values.split_at((half + 1).min(values.len() - 1));
    let mut low = law(halves.0.iter().copied(), all)?;
    let mut high = law(halves.1.iter().copied(), all)?;
    let mut of_low = Vec::with_capacity(values.len());
    for _ in 0..PASSES {
        of_low.clear();
        of_low.extend(values.iter().map(|&(x, weight)| weight / (1.0 + libm::exp(-odds(low, high, x)))));
        let (xs, weights) = (values.iter().map(|value| value.0), values.iter().map(|value| value.1));
        let new_low = law(xs.clone().zip(of_low.iter().copied()), all)?;
        let new_high = law(xs.zip(weights.zip(&of_low).map(|(weight, of_low)| weight - of_low)), all)?;
        let moved = (new_low.mean - low.mean).abs().max((new_high.mean - high.mean).abs());
        (low, high) = (new_low, new_high);
        if moved < STILL {
            break;
        }
    }
    Some(if low.mean <= high.mean { [low, high] } else { [high, low] })
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_base::random::Random;

    /// Run times of two log-normal laws, `first` in a hundred of them of the first.
    fn two(jobs: usize, first: usize, laws: [(f64, f64); 2]) -> Vec<Seconds> {
        let mut random = Random::of([3]);
        (0..jobs)
            .map(|i| {
                let (mean, deviation) = laws[usize::from(i * 37 % 100 >= first)];
                // a sum of twelve uniform numbers is nearly normal
                let normal = (0..12).map(|_| random.below(1 << 20) as f64 / f64::from(1 << 20)).sum::<f64>() - 6.0;
                libm::exp(mean + deviation * normal) as Seconds
            })
            .collect()
    }

    fn logarithms(runs: &[Seconds]) -> LogRuns {
        let mut all = LogRuns::default();
        runs.iter().for_each(|&run| all.add(run));
        all
    }

    #[test]
    fn two_laws_are_found_again_and_divided_where_both_are_as_likely() {
        let runs = two(20_000, 40, [(3.0, 0.5), (8.0, 1.0)]);
        let all = logarithms(&runs);
        let [low, high] = two_laws(&all.values()).unwrap();
        let near = |a: f64, b: f64| (a - b).abs() < 0.05;
        assert!(near(low.share, 0.4) && near(low.mean, 3.0) && near(low.variance, 0.25), "{low:?}");
        assert!(near(high.share, 0.6) && near(high.mean, 8.0) && near(high.variance, 1.0), "{high:?}");
        // by hand: ln 0.4 - ln 0.5 - (x - 3)² / 0.5 = ln 0.6 - ln 1 - (x - 8)² / 2 at x = 4.756
        let divider = all.divided_by_em().unwrap() as f64;
        assert!(near(libm::log(divider), 4.756), "{divider} s");
    }

    #[test]
    fn bins_change_little_against_expectation_and_maximisation_of_every_run_time() {
        let runs = two(4_000, 55, [(5.0, 0.8), (9.0, 0.9)]);
        // each run time by itself
        let values: Vec<(f64, f64)> = {
            let mut sorted: Vec<f64> = runs.iter().map(|&run| libm::log(run.max(1) as f64)).collect();
            sorted.sort_by(f64::total_cmp);
            sorted.into_iter().map(|x| (x, 1.0)).collect()
        };
        let plain = two_laws(&values).unwrap();
        let binned = two_laws(&logarithms(&runs).values()).unwrap();
        for (plain, binned) in plain.iter().zip(&binned) {
            assert!((plain.mean - binned.mean).abs() < WIDTH && (plain.share - binned.share).abs() < 0.01);
        }
    }

    /// DBSCAN by its definition: which points are connected through points with at least `least` neighbours.
    fn plain_clusters(bins: &[usize], least: usize) -> Vec<Vec<usize>> {
        let near = |a: usize, b: usize| bins[a].abs_diff(bins[b]) <= RADIUS;
        let is_core = |a: usize| (0..bins.len()).filter(|&b| near(a, b)).count() >= least;
        let cores: Vec<usize> = (0..bins.len()).filter(|&a| is_core(a)).collect();
        let mut found: Vec<Vec<usize>> = Vec::new();
        let mut seen = vec![false; bins.len()];
        for &core in &cores {
            if seen[core] {
                continue;
            }
            let (mut cluster, mut open) = (Vec::new(), vec![core]);
            seen[core] = true;
            while let Some(a) = open.pop() {
                cluster.push(bins[a]);
                for &b in &cores {
                    if !seen[b] && near(a, b) {
                        seen[b] = true;
                        open.push(b);
                    }
                }
            }
            cluster.sort_unstable();
            found.push(cluster);
        }
        found.sort();
        found
    }

    #[test]
    fn clusters_are_those_of_the_definition() {
        let runs = two(400, 50, [(4.0, 0.4), (7.0, 0.6)]);
        let all = logarithms(&runs);
        let bins: Vec<usize> = runs.iter().map(|&run| (libm::log(run.max(1) as f64) / WIDTH) as usize).collect();
        let neighbours = all.neighbours();
        for least in [1, 2, 5, 10, 20, 30, 50, 90] {
            let fast: Vec<(usize, usize, u64)> =
                all.clusters(&neighbours, least).iter().map(|c| (c.first, c.last, c.jobs)).collect();
            let plain: Vec<(usize, usize, u64)> = plain_clusters(&bins, least as usize)
                .iter()
                .map(|cluster| (cluster[0], cluster[cluster.len() - 1], cluster.len() as u64))
                .collect();
            assert_eq!(fast, plain, "{least} neighbours");
        }
        let divider = all.divided_by_dbscan().unwrap();
        assert!((120..500).contains(&divider), "between e⁴ = 55 s and e⁷ = 1,097 s: {divider} s");
    }

    #[test]
    fn run_times_that_are_all_alike_are_not_divided() {
        for runs in [vec![], vec![60; 50]] {
            let all = logarithms(&runs);
            assert_eq!((all.divided_by_em(), all.divided_by_dbscan()), (None, None), "{runs:?}");
        }
        // two values far apart, none of a tenth of a second's width: midway on the logarithmic scale
        let all = logarithms(&[vec![10; 30], vec![1_000; 30], vec![0; 3]].concat());
        assert!((95..105).contains(&all.divided_by_dbscan().unwrap()));
        assert!((11..1_000).contains(&all.divided_by_em().unwrap()));
    }
}
