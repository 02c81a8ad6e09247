//! Student's t distribution.

/// The number that a value of Student's t distribution exceeds in neither direction with this probability.
pub(super) fn two_sided(probability: f64, degrees: usize) -> f64 {
    let mut bounds = (0.0, 1.0);
    while within(bounds.1, degrees) < probability {
        bounds.1 *= 2.0;
    }
    // as many halvings as a number has digits
    for _ in 0..60 {
        let middle = f64::midpoint(bounds.0, bounds.1);
        if within(middle, degrees) < probability { bounds.0 = middle } else { bounds.1 = middle }
    }
    bounds.1
}

/// The probability that a value lies between −t and t (Abramowitz and Stegun, Handbook of Mathematical Functions, 26.7.3
/// and 26.7.4).
fn within(t: f64, degrees: usize) -> f64 {
    let of_root = t / libm::sqrt(degrees as f64);
    let cosine = 1.0 / libm::sqrt(1.0 + of_root * of_root);
    let sine = of_root * cosine;
    let is_odd = degrees % 2 == 1;
    let first = if is_odd { cosine } else { 1.0 };
    let powers = (if is_odd { 3 } else { 2 }..degrees).step_by(2);
    let (sum, _) = powers.fold((first, first), |(sum, term), power| {
        let term = term * cosine * cosine * (power - 1) as f64 / power as f64;
        (sum + term, term)
    });
    match (is_odd, degrees) {
        (true, 1) => libm::atan(of_root) * std::f64::consts::FRAC_2_PI,
        (true, _) => (libm::atan(of_root) + sine * sum) * std::f64::consts::FRAC_2_PI,
        (false, _) => sine * sum,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_are_those_of_printed_tables() {
        // Fisher and Yates, Statistical Tables
        for (probability, degrees, printed) in [
            (0.95, 1, 12.706),
            (0.95, 2, 4.303),
            (0.95, 3, 3.182),
            (0.95, 9, 2.262),
            (0.95, 10, 2.228),
            (0.95, 40, 2.021),
            (0.99, 1, 63.657),
            (0.99, 4, 4.604),
            (0.99, 39, 2.708),
            (0.99, 1_000, 2.581),
        ] {
            let found = two_sided(probability, degrees);
            assert!((found - printed).abs() < 0.000_6, "{probability} {degrees}: {found}, {printed}");
        }
    }
}
