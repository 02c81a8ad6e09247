//! Zones of time by the names of their places (`Europe/Berlin`), in the years whose rules are those of today.

/// When clocks are an hour ahead.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Summer {
    Never,
    /// From the last Sunday of March to that of October, at 1:00 UTC; since 1996.
    Europe,
    /// From the second Sunday of March to the first of November, at 2:00 of the place; since 2007.
    America,
}

/// The minutes by which clocks are ahead of UTC in winter, what the rule of summers is, and places.
const PLACES: &[(i64, Summer, &str)] = &[
    (0, Summer::Never, "Etc/UTC Etc/GMT UCT Zulu Africa/Abidjan Africa/Accra Atlantic/Reykjavik"),
    (0, Summer::Europe, "Europe/London Europe/Dublin Europe/Lisbon"),
    (
        60,
        Summer::Europe,
        "Europe/Berlin Europe/Paris Europe/Madrid Europe/Rome Europe/Vienna Europe/Zurich Europe/Brussels Europe/Amsterdam \
         Europe/Luxembourg Europe/Copenhagen Europe/Oslo Europe/Stockholm Europe/Warsaw Europe/Prague Europe/Bratislava \
         Europe/Budapest Europe/Ljubljana Europe/Zagreb Europe/Belgrade",
    ),
    (60, Summer::Never, "Africa/Lagos Africa/Algiers"),
    (
        120,
        Summer::Europe,
        "Europe/Helsinki Europe/Athens Europe/Sofia Europe/Bucharest Europe/Vilnius Europe/Riga Europe/Tallinn",
    ),
    (120, Summer::Never, "Africa/Johannesburg"),
    (180, Summer::Never, "Asia/Riyadh Asia/Qatar Asia/Kuwait Africa/Nairobi"),
    (240, Summer::Never, "Asia/Dubai"),
    (330, Summer::Never, "Asia/Kolkata Asia/Calcutta"),
    (420, Summer::Never, "Asia/Bangkok Asia/Jakarta Asia/Ho_Chi_Minh"),
    (480, Summer::Never, "Asia/Shanghai Asia/Chongqing Asia/Hong_Kong Asia/Taipei Asia/Singapore Australia/Perth PRC"),
    (540, Summer::Never, "Asia/Tokyo Asia/Seoul Japan"),
    (600, Summer::Never, "Australia/Brisbane"),
    (-300, Summer::America, "America/New_York America/Detroit America/Toronto US/Eastern"),
    (-360, Summer::America, "America/Chicago US/Central America/Winnipeg"),
    (-420, Summer::America, "America/Denver US/Mountain America/Edmonton America/Boise"),
    (-420, Summer::Never, "America/Phoenix US/Arizona"),
    (-480, Summer::America, "America/Los_Angeles US/Pacific America/Vancouver"),
    (-600, Summer::Never, "Pacific/Honolulu US/Hawaii"),
    (-300, Summer::Never, "America/Bogota America/Lima"),
];

const DAY: i64 = 86_400;
const HOUR: i64 = 3_600;

/// How many seconds the clocks of a place are ahead of UTC when they show a time, which is given as if it were of UTC. None for
/// other places and years, and in the hours that clocks show twice or never.
#[must_use]
pub fn offset(place: &str, shown: i64) -> Option<i64> {
    let is_one = |(_, _, places): &&(i64, Summer, &str)| places.split_ascii_whitespace().any(|known| known == place);
    let &(minutes, summer, _) = PLACES.iter().find(is_one)?;
    let winter = minutes * 60;
    let (year, first_day) = year_of(shown.div_euclid(DAY));
    let is_leap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0;
    let march = first_day + 59 + i64::from(is_leap);
    // the first Sunday from a day on; day 3 was one
    let sunday = |from: i64| from + (3 - from).rem_euclid(7);
    let (begin, end) = match summer {
        Summer::Never => return Some(winter),
        Summer::Europe if year >= 1996 => {
            let at = |day: i64| sunday(day) * DAY + HOUR + winter;
            (at(march + 24), at(march + 238) + HOUR)
        }
        Summer::America if year >= 2007 => (sunday(march + 7) * DAY + 2 * HOUR, sunday(march + 245) * DAY + 2 * HOUR),
        Summer::Europe | Summer::America => return None,
    };
    let is_open = (begin..begin + HOUR).contains(&shown) || (end - HOUR..end).contains(&shown);
    (!is_open).then_some(if (begin..end).contains(&shown) { winter + HOUR } else { winter })
}

/// The year of a day since 1970, and its first day.
fn year_of(day: i64) -> (i64, i64) {
    let first = |year: i64| {
        let before = year - 1;
        (year - 1_970) * 365 + (before / 4 - before / 100 + before / 400) - 477
    };
    let guess = 1_970 + day.div_euclid(366);
    let year = (guess..guess + 3_000).take_while(|&year| first(year) <= day).last().unwrap_or(guess);
    (year, first(year))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clocks_go_forward_and_back() {
        // 2026: Europe from 29 March to 25 October, America from 8 March to 1 November
        let at = |day: i64, hour: i64, minute: i64| (20_454 + day - 1) * DAY + hour * HOUR + minute * 60;
        for (place, day, hour, minute, hours) in [
            ("Europe/Berlin", 5, 10, 0, Some(1)),
            ("Europe/Berlin", 88, 1, 59, Some(1)),
            ("Europe/Berlin", 88, 2, 0, None),
            ("Europe/Berlin", 88, 2, 59, None),
            ("Europe/Berlin", 88, 3, 0, Some(2)),
            ("Europe/Berlin", 186, 10, 0, Some(2)),
            ("Europe/Berlin", 298, 1, 59, Some(2)),
            ("Europe/Berlin", 298, 2, 30, None),
            ("Europe/Berlin", 298, 3, 0, Some(1)),
            ("Europe/London", 88, 0, 59, Some(0)),
            ("Europe/London", 88, 2, 0, Some(1)),
            ("America/New_York", 67, 1, 59, Some(-5)),
            ("America/New_York", 67, 2, 30, None),
            ("America/New_York", 67, 3, 0, Some(-4)),
            ("America/New_York", 305, 0, 59, Some(-4)),
            ("America/New_York", 305, 1, 30, None),
            ("America/New_York", 305, 2, 0, Some(-5)),
            ("Asia/Tokyo", 186, 10, 0, Some(9)),
            ("Europe/Atlantis", 5, 10, 0, None),
        ] {
            assert_eq!(offset(place, at(day, hour, minute)), hours.map(|h| h * HOUR), "{place} {day} {hour}:{minute}");
        }
        assert_eq!(offset("Europe/Berlin", 0), None);
        assert_eq!(
            [year_of(0), year_of(364), year_of(365), year_of(11_016)].map(|(year, _)| year),
            [1970, 1970, 1971, 2000]
        );
        assert_eq!(year_of(20_454), (2026, 20_454));
        for shown in [i64::MIN / 2, i64::MAX / 4, 253_402_300_800] {
            let _ = offset("Europe/Berlin", shown.clamp(-1 << 40, 1 << 40));
        }
    }
}
