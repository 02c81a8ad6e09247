//! Numbers as people read them.

/// Groups the digits by commas and shows at most `decimals` decimals, including trailing zeros: 28,481.50.
pub fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{:.decimals$}", value.abs());
    let (whole, fraction) = text.split_once('.').unwrap_or((&text, ""));
    let mut out = String::with_capacity(text.len() + text.len() / 3 + 1);
    if value < 0.0 && text.bytes().any(|b| (b'1'..=b'9').contains(&b)) {
        out.push('−');
    }
    for (i, digit) in whole.chars().enumerate() {
        if i > 0 && (whole.len() - i) % 3 == 0 {
            out.push(',');
        }
        out.push(digit);
    }
    if !fraction.is_empty() {
        out.push('.');
        out.push_str(fraction);
    }
    out
}

/// Shows four significant digits, grouped; whole numbers in full up to 10¹⁵, powers of ten beyond.
pub fn readable(value: f64) -> String {
    let size = value.abs();
    if !value.is_finite() {
        return "no number".to_owned();
    }
    if size >= 1e15 || (size > 0.0 && size < 1e-4) {
        let exponent = size.log10().floor();
        return format!("{}·10{}", grouped(value / 10f64.powf(exponent), 3), superscript(exponent as i32));
    }
    if value.fract() == 0.0 || size >= 1000.0 {
        return grouped(value, 0);
    }
    let digits_before = size.log10().floor() as i32 + 1;
    let text = grouped(value, (4 - digits_before).max(0) as usize);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

/// The number at a tick if ticks are `step` apart and the largest is `largest`: with as many decimals as distinguish
/// neighbours, and thousands and millions as k, M, G, T, the same letter for all.
pub fn tick(value: f64, step: f64, largest: f64) -> String {
    if value.abs() < step * 1e-9 {
        return "0".to_owned();
    }
    let (divisor, letter) = match largest.abs().max(step) {
        size if size >= 1e15 => return power(value),
        size if size >= 1e12 => (1e12, "T"),
        size if size >= 1e9 => (1e9, "G"),
        size if size >= 1e6 => (1e6, "M"),
        size if size >= 1e4 => (1e3, "k"),
        size if size < 1e-5 => return power(value),
        _ => (1.0, ""),
    };
    let decimals = decimals_for(step / divisor);
    format!("{}{letter}", grouped(value / divisor, decimals))
}

/// The number of decimals that distinguish multiples of `step`.
pub fn decimals_for(step: f64) -> usize {
    (0..9)
        .find(|&d| {
            let scaled = step * 10f64.powi(d as i32);
            (scaled - scaled.round()).abs() < 1e-6 * scaled.max(1.0) && scaled.round() >= 1.0
        })
        .unwrap_or(9)
}

/// A power of ten as 10ⁿ, any other number as m·10ⁿ; 1 and 10 are unchanged.
pub fn power(value: f64) -> String {
    if value == 0.0 || !value.is_finite() {
        return "0".to_owned();
    }
    let mut exponent = value.abs().log10().floor();
    let mut mantissa = value / 10f64.powf(exponent);
    if mantissa.abs() > 9.9999 {
        mantissa /= 10.0;
        exponent += 1.0;
    }
    let power = match exponent as i32 {
        0 => return readable(mantissa),
        1 => "10".to_owned(),
        n => format!("10{}", superscript(n)),
    };
    if (mantissa - 1.0).abs() < 1e-4 { power } else { format!("{}·{power}", readable(mantissa)) }
}

fn superscript(n: i32) -> String {
    let raised = |c| match c {
        '-' => '⁻',
        '1' => '¹',
        '2' => '²',
        '3' => '³',
        digit => char::from_u32('⁰' as u32 + digit as u32 - '0' as u32).unwrap_or('⁰'),
    };
    n.to_string().chars().map(raised).collect()
}

/// A duration in its own largest unit, with three digits: 45 s, 4.4 h, 12.5 d.
pub fn duration(seconds: f64) -> String {
    let size = seconds.abs();
    let (divisor, unit) = match size {
        s if s < 60.0 => (1.0, "s"),
        s if s < 3600.0 => (60.0, "min"),
        s if s < 86_400.0 => (3600.0, "h"),
        _ => (86_400.0, "d"),
    };
    let value = seconds / divisor;
    let decimals = if value.abs() >= 100.0 || (value - value.round()).abs() < 1e-9 { 0 } else { 1 };
    format!("{} {unit}", grouped(value, decimals))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_short() {
        assert_eq!(grouped(28481.0, 0), "28,481");
        assert_eq!(grouped(-1234.5, 2), "−1,234.50");
        assert_eq!(grouped(-0.001, 1), "0.0");
        assert_eq!(readable(67.0512), "67.05");
        assert_eq!(readable(0.25), "0.25");
        assert_eq!(readable(15_887.4), "15,887");
        assert_eq!(readable(1.5e16), "1.500·10¹⁶");
    }

    #[test]
    fn ticks_tell_neighbours_apart() {
        assert_eq!(tick(0.3, 0.1, 1.0), "0.3");
        assert_eq!(tick(2500.0, 500.0, 4000.0), "2,500");
        assert_eq!([5e3, 25e3].map(|v| tick(v, 5e3, 25e3)), ["5k", "25k"]);
        assert_eq!([5e8, 1.5e9].map(|v| tick(v, 5e8, 2e9)), ["0.5G", "1.5G"]);
        assert_eq!(tick(1e-17, 0.5, 1.0), "0");
        assert_eq!(power(1e5), "10⁵");
        assert_eq!([2e-7, 1.0, 10.0, 50.0].map(power), ["2·10⁻⁷", "1", "10", "5·10"]);
    }

    #[test]
    fn durations_take_their_largest_unit() {
        let said: Vec<String> = [0.0, 45.0, 600.0, 15_840.0, 1_080_000.0].map(duration).to_vec();
        assert_eq!(said, ["0 s", "45 s", "10 min", "4.4 h", "12.5 d"]);
    }
}
