//! The time zones of the world, by the names that logs use.
//!
//! The database of zones is large. A browser has it already, so the page uses the browser's.

use chrono::{DateTime, Datelike, NaiveDate};
use rustc_hash::FxHashMap;
use std::cell::RefCell;

#[cfg(target_arch = "wasm32")]
use self::browser::KnownZone;
#[cfg(not(target_arch = "wasm32"))]
use self::database::KnownZone;

/// The earliest Unix time that is looked up (in 1821). Before it no zone was in use, so offsets do not change; browsers
/// write much earlier dates in other ways.
const EARLIEST: i64 = -4_700_000_000;

/// The end of the year 9999, beyond which dates have no common form.
const LATEST: i64 = 253_402_300_799;

/// From this year on, offsets are those of an earlier year. Databases end in different years; Morocco's offsets, which
/// follow the moon, are listed up to 2087.
const END: i32 = 2087;

/// Among this many years in a row there is one of each kind: common or leap, beginning on each day of the week.
const CYCLE: i32 = 28;

/// The parts of the world with which names of zones begin.
const REGIONS: [&str; 16] = [
    "Africa",
    "America",
    "Antarctica",
    "Arctic",
    "Asia",
    "Atlantic",
    "Australia",
    "Brazil",
    "Canada",
    "Chile",
    "Etc",
    "Europe",
    "Indian",
    "Mexico",
    "Pacific",
    "US",
];

/// The names of zones that name no part of the world. Browsers know further abbreviations (PST, IST, JST, ...). They
/// are not in the IANA database and are ambiguous, so they are not accepted.
const APART: [&str; 44] = [
    "CET",
    "CST6CDT",
    "Cuba",
    "EET",
    "EST",
    "EST5EDT",
    "Egypt",
    "Eire",
    "GB",
    "GB-Eire",
    "GMT",
    "GMT+0",
    "GMT-0",
    "GMT0",
    "Greenwich",
    "HST",
    "Hongkong",
    "Iceland",
    "Iran",
    "Israel",
    "Jamaica",
    "Japan",
    "Kwajalein",
    "Libya",
    "MET",
    "MST",
    "MST7MDT",
    "NZ",
    "NZ-CHAT",
    "Navajo",
    "PRC",
    "PST8PDT",
    "Poland",
    "Portugal",
    "ROC",
    "ROK",
    "Singapore",
    "Turkey",
    "UCT",
    "UTC",
    "Universal",
    "W-SU",
    "WET",
    "Zulu",
];

/// A zone of the IANA database.
pub struct IanaZone(KnownZone);

impl IanaZone {
    /// The zone of this name, in any case.
    #[must_use]
    pub fn named(name: &str) -> Option<Self> {
        let is_one_of = |names: &[&str], name: &str| names.iter().any(|known| known.eq_ignore_ascii_case(name));
        let is_name = match name.split_once('/') {
            Some((region, _)) => is_one_of(&REGIONS, region),
            None => is_one_of(&APART, name),
        };
        if is_name { KnownZone::named(name).map(IanaZone) } else { None }
    }

    /// The offset from UTC at a Unix time, seconds.
    #[must_use]
    pub fn offset(&self, unix: i64) -> i32 {
        self.0.offset(in_a_known_year(unix.clamp(EARLIEST, LATEST)))
    }
}

const DAY: i64 = 86_400;

/// No zone has a longer name, bytes.
pub const LONGEST_NAME: usize = 64;

/// The most zones whose clocks are kept.
const MOST_CLOCKS: usize = 1_000;

/// The clocks of a zone.
struct ZoneClock {
    zone: IanaZone,
    /// The offsets in force a day before and a day after each day that was looked at: a browser takes long to look one up.
    days: FxHashMap<i64, [i64; 2]>,
}

impl ZoneClock {
    /// How far the clocks are ahead of UTC when they show this time.
    fn offset(&mut self, shown: i64) -> Option<i64> {
        let zone = &self.zone;
        let day = shown.div_euclid(DAY);
        let around = || [day - 1, day + 2].map(|day| i64::from(zone.offset(day * DAY)));
        let [before, after] = *self.days.entry(day).or_insert_with(around);
        if before == after {
            return Some(before);
        }
        let is_right = |offset: i64| i64::from(zone.offset(shown - offset)) == offset;
        match [before, after].map(is_right) {
            [true, false] => Some(before),
            [false, true] => Some(after),
            _ => None,
        }
    }
}

/// How many seconds the clocks of a zone are ahead of UTC when they show a time, which is given as if it were of UTC. None
/// where there is no zone of this name, and in the hours that clocks show twice or never.
#[must_use]
pub fn offset_of_clock(name: &str, shown: i64) -> Option<i64> {
    thread_local! {
        static CLOCKS: RefCell<FxHashMap<String, Option<ZoneClock>>> = RefCell::default();
    }
    if name.len() > LONGEST_NAME {
        return None;
    }
    let shown = shown.clamp(EARLIEST, LATEST);
    CLOCKS.with_borrow_mut(|clocks| {
        if let Some(clock) = clocks.get_mut(name) {
            return clock.as_mut()?.offset(shown);
        }
        if clocks.len() >= MOST_CLOCKS {
            clocks.clear();
        }
        let clock = IanaZone::named(name).map(|zone| ZoneClock { zone, days: FxHashMap::default() });
        clocks.entry(name.to_owned()).or_insert(clock).as_mut()?.offset(shown)
    })
}

/// The same moment in a year before [`END`] with the same days of the week; a moment before [`END`] itself.
fn in_a_known_year(unix: i64) -> i64 {
    // every time between the two bounds is a valid date
    let moment = DateTime::from_timestamp(unix, 0).unwrap_or_default();
    if moment.year() < END {
        return unix;
    }
    let kind = |year: i32| {
        let first = NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
        (first.weekday(), first.leap_year())
    };
    let year = moment.year();
    // except at some centuries, it lies a multiple of the cycle earlier
    let likely = END - CYCLE + (year - END) % CYCLE;
    let alike = std::iter::once(likely).chain(END - CYCLE..END).find(|known| kind(*known) == kind(year));
    alike.and_then(|known| moment.with_year(known)).map_or(unix, |alike| alike.timestamp())
}

#[cfg(not(target_arch = "wasm32"))]
mod database {
    use chrono::{DateTime, Offset, TimeZone};
    use chrono_tz::{TZ_VARIANTS, Tz};

    /// A zone as compiled into the program.
    pub(super) struct KnownZone(Tz);

    impl KnownZone {
        pub(super) fn named(name: &str) -> Option<Self> {
            // in any case, as browsers take them
            TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name)).map(KnownZone)
        }

        pub(super) fn offset(&self, unix: i64) -> i32 {
            // within the bounds every time is a valid date
            let utc = DateTime::from_timestamp(unix, 0).unwrap_or_default().naive_utc();
            self.0.offset_from_utc_datetime(&utc).fix().local_minus_utc()
        }
    }
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use chrono::NaiveDate;
    use js_sys::{Array, Date, Function, Intl, Object, Reflect};
    use wasm_bindgen::{JsCast, JsValue};

    /// A zone as the browser knows it.
    pub(super) struct KnownZone {
        /// Formats a date as six numbers, from the year to the second.
        write: Function,
    }

    impl KnownZone {
        pub(super) fn named(name: &str) -> Option<Self> {
            let options = Object::new();
            let entries =
                [("timeZone", name), ("hourCycle", "h23"), ("calendar", "gregory"), ("numberingSystem", "latn")];
            let numbers = ["year", "month", "day", "hour", "minute", "second"].map(|part| (part, "numeric"));
            for (key, value) in entries.into_iter().chain(numbers) {
                Reflect::set(&options, &key.into(), &value.into()).ok()?;
            }
            // the constructor throws for a zone that it does not know, which the typed one does not catch
            let intl = Reflect::get(&js_sys::global(), &"Intl".into()).ok()?;
            let constructor: Function = Reflect::get(&intl, &"DateTimeFormat".into()).ok()?.dyn_into().ok()?;
            let arguments = Array::of2(&"en-US".into(), &options);
            let format = Reflect::construct(&constructor, &arguments).ok()?;
            Some(KnownZone { write: format.unchecked_into::<Intl::DateTimeFormat>().format() })
        }

        pub(super) fn offset(&self, unix: i64) -> i32 {
            // a zone that was found gives an offset for every date that there is
            self.local(unix).map_or(0, |local| (local - unix) as i32)
        }

        fn local(&self, unix: i64) -> Option<i64> {
            let moment = Date::new(&JsValue::from_f64(unix as f64 * 1000.0));
            let text = self.write.call1(&JsValue::UNDEFINED, &moment).ok()?.as_string()?;
            let mut numbers = text.split(|c: char| !c.is_ascii_digit()).filter_map(|digits| digits.parse::<u32>().ok());
            let mut next = || numbers.next();
            let (month, day, year) = (next()?, next()?, next()?);
            let date = NaiveDate::from_ymd_opt(year as i32, month, day)?;
            Some(date.and_hms_opt(next()?, next()?, next()?)?.and_utc().timestamp())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{IanaZone, offset_of_clock};

    #[test]
    fn clocks_go_forward_and_back() {
        let at =
            |text: &str| chrono::NaiveDateTime::parse_from_str(text, "%Y-%m-%d %H:%M").unwrap().and_utc().timestamp();
        for (place, time, minutes) in [
            ("Europe/Berlin", "2026-01-05 10:00", Some(60)),
            ("Europe/Berlin", "2026-03-29 01:59", Some(60)),
            ("Europe/Berlin", "2026-03-29 02:00", None),
            ("Europe/Berlin", "2026-03-29 02:59", None),
            ("Europe/Berlin", "2026-03-29 03:00", Some(120)),
            ("Europe/Berlin", "2026-10-25 01:59", Some(120)),
            ("Europe/Berlin", "2026-10-25 02:30", None),
            ("Europe/Berlin", "2026-10-25 03:00", Some(60)),
            ("Europe/Berlin", "1990-07-05 10:00", Some(120)),
            ("Europe/Berlin", "1975-07-05 10:00", Some(60)),
            ("Europe/London", "2026-03-29 00:59", Some(0)),
            ("Europe/London", "2026-03-29 02:00", Some(60)),
            ("America/New_York", "2026-03-08 01:59", Some(-300)),
            ("America/New_York", "2026-03-08 02:30", None),
            ("America/New_York", "2026-03-08 03:00", Some(-240)),
            ("America/New_York", "2026-11-01 01:30", None),
            ("America/New_York", "2026-11-01 02:00", Some(-300)),
            ("America/Mexico_City", "2026-07-05 10:00", Some(-360)),
            ("Australia/Sydney", "2026-01-05 10:00", Some(660)),
            ("Europe/Istanbul", "2026-01-05 10:00", Some(180)),
            ("Asia/Kolkata", "2026-01-05 10:00", Some(330)),
            ("Europe/Atlantis", "2026-01-05 10:00", None),
        ] {
            assert_eq!(offset_of_clock(place, at(time)), minutes.map(|minutes| minutes * 60), "{place} {time}");
        }
        for shown in [i64::MIN, -1, i64::MAX] {
            assert!(offset_of_clock("Europe/Berlin", shown).is_some());
        }
        (0..3_000).for_each(|name| assert_eq!(offset_of_clock(&format!("Europe/{name}"), 0), None));
        assert_eq!(offset_of_clock(&"Europe/Berlin".repeat(10), 0), None);
    }

    #[test]
    fn knows_daylight_saving_of_old_logs() {
        let stockholm = IanaZone::named("Europe/Stockholm").unwrap();
        // the clocks went back on 27 October 1996 at 1:00 UTC
        assert_eq!([846_377_999, 846_378_000].map(|time| stockholm.offset(time)), [7_200, 3_600]);
        let pacific = IanaZone::named("US/Pacific").unwrap();
        assert_eq!([978_307_200, 993_945_600].map(|time| pacific.offset(time)), [-28_800, -25_200]);
        assert_eq!(IanaZone::named("Asia/Kolkata").unwrap().offset(1_000_000_000), 19_800);
    }

    #[test]
    fn summer_time_goes_on_for_ever() {
        let moments = |year: i32| {
            [(1, 15), (7, 15)].map(|(month, day)| {
                let day = chrono::NaiveDate::from_ymd_opt(year, month, day).unwrap();
                day.and_hms_opt(12, 0, 0).unwrap().and_utc().timestamp()
            })
        };
        for year in [2_000, 2_098, 2_099, 2_100, 2_101, 2_281, 2_400, 9_999] {
            let of = |name: &str| moments(year).map(|moment| IanaZone::named(name).unwrap().offset(moment));
            assert_eq!(of("Europe/Stockholm"), [3_600, 7_200], "{year}");
            assert_eq!(of("Australia/Sydney"), [39_600, 36_000], "{year}");
            assert_eq!(of("Asia/Tokyo"), [32_400, 32_400], "{year}");
        }
        // the clocks go forward on the last Sunday of March at 1:00 UTC, in 2281 the 27th
        let stockholm = IanaZone::named("Europe/Stockholm").unwrap();
        assert_eq!([9_821_609_999, 9_821_610_000].map(|moment| stockholm.offset(moment)), [3_600, 7_200]);
    }

    #[test]
    fn takes_names_in_any_case() {
        let stockholm = IanaZone::named("europe/STOCKHOLM").unwrap();
        assert_eq!(stockholm.offset(846_377_999), 7_200);
    }

    #[test]
    fn takes_names_only() {
        let abbreviations = [
            "ACT", "AET", "AGT", "ART", "AST", "BET", "BST", "CAT", "CNT", "CST", "CTT", "EAT", "ECT", "IET", "IST",
            "JST", "MIT", "NET", "NST", "PLT", "PNT", "PRT", "PST", "SST", "VST",
        ];
        let others = ["Nowhere", "", "+01:00", "Europe/", "<b>", "SystemV/PST8PDT", "GMT+1", "Etc", "Europe"];
        for name in others.into_iter().chain(abbreviations) {
            assert!(IanaZone::named(name).is_none(), "{name}");
        }
        for name in super::APART {
            assert!(IanaZone::named(name).is_some(), "{name}");
        }
    }

    /// Every name in the database is accepted.
    #[test]
    fn the_table_of_names_is_whole() {
        for zone in chrono_tz::TZ_VARIANTS {
            assert!(IanaZone::named(zone.name()).is_some(), "{}", zone.name());
        }
    }

    #[test]
    fn offsets_far_ahead_are_the_same_everywhere() {
        let zones = ["Africa/Casablanca", "Africa/El_Aaiun", "Europe/Stockholm", "America/Santiago", "Asia/Tehran"];
        for zone in zones.map(|name| IanaZone::named(name).unwrap()) {
            // 2087 begins on a Wednesday as 2059 does, and the days of the week come again each 28 years
            for day in 0..12 * 365 {
                let unix = 3_692_217_600 + day * 86_400;
                let earlier = unix - 28 * 365 * 86_400 - 7 * 86_400;
                assert_eq!(zone.offset(unix), zone.offset(earlier), "{unix}");
            }
        }
    }

    #[test]
    fn has_an_offset_for_every_time() {
        let stockholm = IanaZone::named("Europe/Stockholm").unwrap();
        for time in [i64::MIN, -100_000_000_000, 0, 100_000_000_000, i64::MAX] {
            assert!(stockholm.offset(time).abs() <= 14 * 3600, "{time}");
        }
    }
}
