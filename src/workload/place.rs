//! The time zones of the world, by the names that log headers use.
//!
//! The database of zones is large. A browser has it already, so the page does not carry it.

#[cfg(target_arch = "wasm32")]
pub(super) use browser::IanaZone;
#[cfg(not(target_arch = "wasm32"))]
pub(super) use database::IanaZone;

/// Offsets do not change before: no zone was in use by 1820, nor written in years of our era by all calendars much earlier.
const EARLIEST: i64 = -4_700_000_000;

/// The end of the year 9999, beyond which dates have no common form.
const LATEST: i64 = 253_402_300_799;

#[cfg(not(target_arch = "wasm32"))]
mod database {
    use chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, Offset, TimeZone};
    use chrono_tz::{TZ_VARIANTS, Tz};

    /// The database has all changes before this year.
    const END: i32 = 2099;

    /// This many years before it hold a year of each kind: common or leap, beginning on each day of the week.
    const CYCLE: i32 = 28;

    /// A zone of the IANA database, as compiled into the program.
    pub struct IanaZone(Tz);

    impl IanaZone {
        /// The zone of this name.
        pub fn named(name: &str) -> Option<Self> {
            // in any case, as browsers take them
            TZ_VARIANTS.into_iter().find(|zone| zone.name().eq_ignore_ascii_case(name)).map(IanaZone)
        }

        /// Its offset from UTC in seconds at a Unix time.
        pub fn offset(&self, unix: i64) -> i32 {
            let unix = unix.clamp(super::EARLIEST, super::LATEST);
            // within these bounds there is a moment for every time
            let moment = DateTime::from_timestamp(unix, 0).unwrap_or_default();
            if moment.year() < END || !self.has_summer_time_at_the_end() {
                self.known_offset(moment.naive_utc())
            } else {
                self.known_offset(in_a_known_year(moment.naive_utc()))
            }
        }

        fn known_offset(&self, utc: NaiveDateTime) -> i32 {
            self.0.offset_from_utc_datetime(&utc).fix().local_minus_utc()
        }

        /// Whether the last year of the database has summer time; all later years then have it too.
        fn has_summer_time_at_the_end(&self) -> bool {
            let [winter, summer] = [1, 7].map(|month| NaiveDate::from_ymd_opt(END - 1, month, 1).unwrap_or_default());
            self.known_offset(winter.into()) != self.known_offset(summer.into())
        }
    }

    /// The same moment in a year of the database whose days of the week are the same.
    fn in_a_known_year(utc: NaiveDateTime) -> NaiveDateTime {
        let kind = |year: i32| {
            let first = NaiveDate::from_ymd_opt(year, 1, 1).unwrap_or_default();
            (first.weekday(), first.leap_year())
        };
        let alike = (END - CYCLE..END).find(|known| kind(*known) == kind(utc.year()));
        alike.and_then(|known| utc.with_year(known)).unwrap_or(utc)
    }
}

#[cfg(target_arch = "wasm32")]
mod browser {
    use chrono::NaiveDate;
    use js_sys::{Array, Date, Function, Intl, Object, Reflect};
    use wasm_bindgen::{JsCast, JsValue};

    /// A zone of the IANA database, as the browser knows it.
    pub struct IanaZone {
        /// Writes a date's six numbers, each with digits that stand alone.
        write: Function,
    }

    impl IanaZone {
        /// The zone of this name.
        pub fn named(name: &str) -> Option<Self> {
            // newer browsers take offsets as well, which are no names
            if !name.starts_with(|first: char| first.is_ascii_alphabetic()) {
                return None;
            }
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
            Some(IanaZone { write: format.unchecked_into::<Intl::DateTimeFormat>().format() })
        }

        /// Its offset from UTC in seconds at a Unix time.
        pub fn offset(&self, unix: i64) -> i32 {
            let unix = unix.clamp(super::EARLIEST, super::LATEST);
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
    use super::IanaZone;

    #[cfg_attr(not(target_arch = "wasm32"), test)]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    fn knows_daylight_saving_of_old_logs() {
        let stockholm = IanaZone::named("Europe/Stockholm").unwrap();
        // the clocks went back on 27 October 1996 at 1:00 UTC
        assert_eq!([846_377_999, 846_378_000].map(|time| stockholm.offset(time)), [7_200, 3_600]);
        let pacific = IanaZone::named("US/Pacific").unwrap();
        assert_eq!([978_307_200, 993_945_600].map(|time| pacific.offset(time)), [-28_800, -25_200]);
        assert_eq!(IanaZone::named("Asia/Kolkata").unwrap().offset(1_000_000_000), 19_800);
    }

    #[cfg_attr(not(target_arch = "wasm32"), test)]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
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

    #[cfg_attr(not(target_arch = "wasm32"), test)]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    fn takes_names_in_any_case() {
        let stockholm = IanaZone::named("europe/STOCKHOLM").unwrap();
        assert_eq!(stockholm.offset(846_377_999), 7_200);
    }

    #[cfg_attr(not(target_arch = "wasm32"), test)]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    fn takes_names_only() {
        for name in ["Nowhere", "", "+01:00", "Europe/", "<b>"] {
            assert!(IanaZone::named(name).is_none(), "{name}");
        }
    }

    #[cfg_attr(not(target_arch = "wasm32"), test)]
    #[cfg_attr(target_arch = "wasm32", wasm_bindgen_test::wasm_bindgen_test)]
    fn has_an_offset_for_every_time() {
        let stockholm = IanaZone::named("Europe/Stockholm").unwrap();
        for time in [i64::MIN, -100_000_000_000, 0, 100_000_000_000, i64::MAX] {
            assert!(stockholm.offset(time).abs() <= 14 * 3600, "{time}");
        }
    }
}
