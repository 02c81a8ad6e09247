//! Sorts many numbers in time proportional to how many they are.

/// A bucket with more numbers than this is sorted by itself; all others are put in order at once.
const FULL: u32 = 16;

/// With fewer numbers, buckets do not pay.
const FEW: usize = 128;

/// Sorts numbers, by putting them into about as many buckets as they are. This is for numbers of many digits; where many
/// fall into one bucket, it takes as long as comparing them does.
fn sort(numbers: &mut Vec<u64>) {
    let (least, most) = numbers.iter().fold((u64::MAX, 0), |(least, most), &n| (least.min(n), most.max(n)));
    let count = numbers.len();
    if count < FEW || u32::try_from(count).is_err() {
        return numbers.sort_unstable();
    }
    let shift = (u64::BITS - (most - least).leading_zeros()).saturating_sub(count.ilog2());
    let bucket = |number: u64| ((number - least) >> shift) as usize;
    // How many are in each bucket, then where it begins, then where it ends.
    let mut ends = vec![0_u32; bucket(most) + 1];
    numbers.iter().for_each(|&number| ends[bucket(number)] += 1);
    let (mut begin, mut fullest) = (0, 0);
    for end in &mut ends {
        fullest = fullest.max(*end);
        begin += std::mem::replace(end, begin);
    }
    let mut sorted = vec![0; count];
    for &number in numbers.iter() {
        let end = &mut ends[bucket(number)];
        sorted[*end as usize] = number;
        *end += 1;
    }
    if fullest > FULL {
        let mut begin = 0;
        for &end in &ends {
            if end - begin > FULL {
                sorted[begin as usize..end as usize].sort_unstable();
            }
            begin = end;
        }
    }
    // What is left is out of order by a few places.
    for at in 1..count {
        let (number, mut place) = (sorted[at], at);
        while place > 0 && sorted[place - 1] > number {
            sorted[place] = sorted[place - 1];
            place -= 1;
        }
        sorted[place] = number;
    }
    *numbers = sorted;
}

/// Most bits of a digit: so many buckets stay close to the processor.
const DIGIT: u32 = 10;

/// Most digits by which sorting pays.
const MOST_DIGITS: u32 = 4;

/// Sorts numbers by what is above their lowest `ignored` bits; equal ones keep their order. They should begin near 0: each
/// ten bits of the largest take one pass.
pub(super) fn sort_by_digits(numbers: &mut Vec<u64>, ignored: u32) {
    let most = numbers.iter().fold(0, |most, &number| most | number);
    let bits = (u64::BITS - most.leading_zeros()).saturating_sub(ignored);
    let digits = bits.div_ceil(DIGIT);
    if numbers.len() < FEW || digits > MOST_DIGITS || u32::try_from(numbers.len()).is_err() {
        return numbers.sort_by_key(|number| number >> ignored);
    }
    let mut other = vec![0; numbers.len()];
    for digit in 0..digits {
        let width = bits.div_ceil(digits);
        let (shift, mask) = (ignored + digit * width, (1 << width) - 1);
        let bucket = |number: u64| (number >> shift & mask) as usize;
        let mut begins = [0_u32; 1 << DIGIT];
        numbers.iter().for_each(|&number| begins[bucket(number)] += 1);
        let mut begin = 0;
        for count in &mut begins {
            begin += std::mem::replace(count, begin);
        }
        for &number in numbers.iter() {
            let place = &mut begins[bucket(number)];
            other[*place as usize] = number;
            *place += 1;
        }
        std::mem::swap(numbers, &mut other);
    }
}

/// The values, sorted, each with its position. Equal values are in the order of their positions.
pub(super) fn with_positions(values: impl Iterator<Item = i64> + Clone) -> Vec<(i64, u32)> {
    let (least, most) = values.clone().fold((i64::MAX, i64::MIN), |(least, most), v| (least.min(v), most.max(v)));
    if most.checked_sub(least).is_none_or(|range| range > i64::from(u32::MAX)) {
        let mut sorted: Vec<(i64, u32)> = values.zip(0..).collect();
        sorted.sort_by_key(|&(value, _)| value);
        return sorted;
    }
    let mut keys: Vec<u64> = values.zip(0..).map(|(value, place)| ((value - least) as u64) << 32 | place).collect();
    sort_by_digits(&mut keys, 32);
    keys.into_iter().map(|key| ((key >> 32) as i64 + least, key as u32)).collect()
}

pub(super) fn sort_whole(mut numbers: Vec<i64>) -> impl Iterator<Item = i64> {
    let least = numbers.iter().copied().min().unwrap_or_default();
    // The difference of two numbers of 64 bits has 64 bits without a sign.
    let mut keys: Vec<u64> = numbers.drain(..).map(|number| number.wrapping_sub(least) as u64).collect();
    sort_by_digits(&mut keys, 0);
    keys.into_iter().map(move |key| least.wrapping_add(key as i64))
}

/// Sorts floating-point numbers, -0 before 0.
pub(super) fn sort_reals(numbers: impl Iterator<Item = f64>) -> impl Iterator<Item = f64> {
    const SIGN: u64 = 1 << 63;
    let key = |number: f64| {
        let bits = number.to_bits();
        if bits & SIGN == 0 { bits ^ SIGN } else { !bits }
    };
    let mut keys: Vec<u64> = numbers.map(key).collect();
    sort(&mut keys);
    keys.into_iter().map(|key| f64::from_bits(if key & SIGN == 0 { !key } else { key ^ SIGN }))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are spread in different ways.
    fn drawn(count: usize, way: usize) -> Vec<u64> {
        let mut state = 11_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state >> 11
        };
        let number = |i: usize| match way {
            0 => draw(),
            1 => draw() % 97,
            2 => 1 << (draw() % 60),
            3 => i as u64 * 1_000 + draw() % 30_000,
            4 => u64::MAX - i as u64 % 3,
            _ => draw() % 5 * draw(),
        };
        (0..count).map(number).collect()
    }

    #[test]
    fn buckets_sort_as_comparing_does() {
        for count in [0, 1, 2, 127, 128, 129, 1_000, 20_000] {
            for way in 0..6 {
                let numbers = drawn(count, way);
                let (mut sorted, mut plain) = (numbers.clone(), numbers.clone());
                sort(&mut sorted);
                plain.sort_unstable();
                assert_eq!(sorted, plain, "{count} {way}");
                let signed: Vec<i64> = numbers.iter().map(|&number| number as i64).collect();
                let mut plain = signed.clone();
                plain.sort_unstable();
                assert_eq!(sort_whole(signed.clone()).collect::<Vec<_>>(), plain, "{count} {way}");
                let (mut sorted, mut plain) = (numbers.clone(), numbers.clone());
                sort_by_digits(&mut sorted, 4);
                plain.sort_by_key(|number| number >> 4);
                assert_eq!(sorted, plain, "{count} {way}");
                let mut plain: Vec<(i64, u32)> = signed.iter().copied().zip(0..).collect();
                plain.sort();
                assert_eq!(with_positions(signed.iter().copied()), plain, "{count} {way}");
                let small = || signed.iter().map(|number| number % 5_000);
                let mut plain: Vec<(i64, u32)> = small().zip(0..).collect();
                plain.sort();
                assert_eq!(with_positions(small()), plain, "{count} {way}");
                let reals = || signed.iter().map(|&number| number as f64 * 0.1);
                let mut plain: Vec<f64> = reals().collect();
                plain.sort_by(f64::total_cmp);
                let sorted: Vec<u64> = sort_reals(reals()).map(f64::to_bits).collect();
                assert_eq!(sorted, plain.iter().map(|real| real.to_bits()).collect::<Vec<_>>(), "{count} {way}");
            }
        }
    }
}
