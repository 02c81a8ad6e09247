//! What a round minimises (CP §2.1): the cost of the waiting jobs, each by its planned start.
//!
//! Where the objective is a sum, constants that no plan changes are left out.

/// The objective of a round.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Objective {
    /// Bounded slowdown, Σ max(1, F / max(10, E)).
    Bsld,
    /// Level-2 priority-weighted specific response time, Σ r (F⁴ - Q⁴) / Σ r (F³ - Q³). It is not monotone: a later
    /// start of a young job can lower it.
    P2sf,
    /// The numerator of P²SF alone, Σ r (F⁴ - Q⁴). It is convex, and a later start never lowers it.
    P2sfSum,
    /// Σ w b, a weighted sum of the planned starts b.
    Weighted(Weights),
}

/// The weights of a weighted sum of starts. The weight of a job is w = (wb u / mean u + wf + wa r E / mean (r E)) (1 +
/// age Q + age2 Q²), with u = 1 / max(10, E) and its wait so far Q in days.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Weights {
    /// wb, the weight of the bounded slowdown.
    pub slowdown: f64,
    /// wf, the weight of the response time.
    pub response: f64,
    /// wa, the weight of the response time weighted by area.
    pub area: f64,
    /// By how much a day of waiting raises the weight.
    pub age: f64,
    /// By how much the square of the days of waiting raises the weight.
    pub age_squared: f64,
    /// Fading, per second: a start b counts as b / (1 + fade b), so that one at 1 / fade seconds counts half. Later
    /// starts count for less because they are planned anew, together with jobs that have not arrived yet, whereas
    /// processors that are left idle now stay idle.
    pub fade: f64,
}

impl Weights {
    /// The weights of the average response time AF.
    pub const AF: Weights = Weights { slowdown: 0.0, response: 1.0, area: 0.0, age: 0.0, age_squared: 0.0, fade: 0.0 };
    /// The weights of the area-weighted response time AWF.
    pub const AWF: Weights = Weights { slowdown: 0.0, response: 0.0, area: 1.0, age: 0.0, age_squared: 0.0, fade: 0.0 };
}

/// The bound of slowdowns: every job counts as if it ran at least this long, seconds.
const BOUND: f64 = 10.0;

/// The seconds of a day.
const DAY: f64 = 86_400.0;

/// A waiting job as an objective sees it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Subject {
    /// Processors r.
    pub processors: f64,
    /// Estimate E, seconds, at least 1.
    pub estimate: f64,
    /// Wait so far, seconds.
    pub wait: f64,
}

/// Sums over all jobs submitted so far, by their estimates. They give the means that weights refer to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Submitted {
    jobs: f64,
    urgency: f64,
    area: f64,
}

impl Submitted {
    /// Adds a job to the sums.
    pub fn add(&mut self, processors: f64, estimate: f64) {
        self.jobs += 1.0;
        self.urgency += 1.0 / estimate.max(BOUND);
        self.area += processors * estimate;
    }
}

/// The cost of a job that starts `t` seconds from now. It adds max(`least`, c1 t + c2 t² + c3 t³) to the numerator of
/// the objective and d1 t + d2 t² to its denominator. Where starts fade, it adds c1 t / (1 + fade t) to the numerator
/// alone.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cost {
    c1: f64,
    c2: f64,
    c3: f64,
    least: f64,
    d1: f64,
    d2: f64,
    fade: f64,
}

/// A sum of costs, as numerator and denominator.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Total {
    /// The sum that is minimised, or the numerator of a ratio.
    pub numerator: f64,
    /// The denominator of the ratio; 1 where the objective is a sum.
    pub denominator: f64,
}

impl Total {
    /// The value that is minimised.
    #[inline]
    pub fn value(self) -> f64 {
        self.numerator / self.denominator
    }
}

impl Cost {
    /// The addition to the numerator for a start `t` seconds from now.
    #[inline]
    pub fn at(&self, t: i32) -> f64 {
        let t = f64::from(t);
        if self.fade > 0.0 {
            return self.c1 * t / (1.0 + self.fade * t);
        }
        (((self.c3 * t + self.c2) * t + self.c1) * t).max(self.least)
    }

    /// `total` with this job's cost added, for a start `t` seconds from now.
    #[inline]
    pub fn add(&self, total: Total, t: i32) -> Total {
        let x = f64::from(t);
        Total { numerator: total.numerator + self.at(t), denominator: total.denominator + (self.d2 * x + self.d1) * x }
    }

    /// Whether the cost is never below a tangent.
    pub fn is_convex(&self) -> bool {
        self.fade == 0.0
    }

    /// By how much the numerator grows per second at `t`; where starts fade, at 0.
    pub fn slope(&self, t: i32) -> f64 {
        let x = f64::from(t);
        if ((self.c3 * x + self.c2) * x + self.c1) * x < self.least {
            return 0.0;
        }
        (3.0 * self.c3 * x + 2.0 * self.c2) * x + self.c1
    }
}

impl Objective {
    /// Whether a later start never lowers the objective. Lower bounds hold only then.
    pub fn is_monotone(self) -> bool {
        self != Objective::P2sf
    }

    /// The cost of a waiting job.
    pub fn cost(self, job: Subject, submitted: &Submitted) -> Cost {
        let Subject { processors: r, estimate: e, wait: q } = job;
        match self {
            Objective::Weighted(weights) => {
                let (urgency, area) = (1.0 / e.max(BOUND), r * e);
                let own = weights.slowdown * urgency * (submitted.jobs / submitted.urgency)
                    + weights.response
                    + weights.area * area * (submitted.jobs / submitted.area);
                let days = q / DAY;
                let aged = own * (1.0 + weights.age * days + weights.age_squared * days * days);
                Cost { c1: aged, fade: weights.fade, ..Cost::default() }
            }
            Objective::Bsld => {
                let c1 = 1.0 / e.max(BOUND);
                // max(1, (q + t + E) / max(10, E)), less its value without the bound at t = 0
                Cost { c1, least: (1.0 - (q + e) * c1).max(0.0), ..Cost::default() }
            }
            Objective::P2sfSum => Cost { d1: 0.0, d2: 0.0, ..p2sf(r, e, q) },
            Objective::P2sf => p2sf(r, e, q),
        }
    }

    /// The part of the objective that is the same in every plan.
    pub fn constant(self, jobs: impl Iterator<Item = Subject>) -> Total {
        if self != Objective::P2sf {
            return Total { numerator: 0.0, denominator: 1.0 };
        }
        jobs.fold(Total::default(), |total, Subject { processors: r, estimate: e, wait: q }| {
            let f = q + e;
            Total {
                numerator: total.numerator + r * e * (f + q) * (f * f + q * q),
                denominator: total.denominator + r * e * (f * f + f * q + q * q),
            }
        })
    }
}

/// r ((x + E)⁴ - x⁴) and r ((x + E)³ - x³) with x = q + t, as polynomials in t without their values at t = 0. They are
/// computed as factors, so that nothing cancels.
fn p2sf(r: f64, e: f64, q: f64) -> Cost {
    let area = r * e;
    Cost {
        c1: area * (12.0 * q * (q + e) + 4.0 * e * e),
        c2: area * (12.0 * q + 6.0 * e),
        c3: area * 4.0,
        least: 0.0,
        d1: area * (6.0 * q + 3.0 * e),
        d2: area * 3.0,
        fade: 0.0,
    }
}
