//! Which of several columns holds a field, and in which unit, where names alone leave it open.

use super::super::numbers::is_unknown;
use super::super::time::moment;
use super::columns::{LogColumns, known_names};
use super::guess::TIMES;
use super::mapping::{ColumnMap, LogColumn, ValueForm, in_sixtieths, may_hold_anything, means_other};
use super::value::{fits, time};
use packfair_base::column_name::{NO_UNIT, plain, without_unit};

/// Names that are durations only beside a unit: `queue_hours` is a wait, and `queue` the name of a queue.
const SPANS_WITH_UNIT: &[(LogColumn, &str)] = &[
    (LogColumn::Wait, "queue queued inqueue waiting waited pending pend"),
    (LogColumn::Run, "ran running"),
    (LogColumn::Limit, "requested req timeout max"),
];

/// What may be a limit or what was used.
const WALLTIME: &str = "walltime";

const DAY: u32 = 86_400_000;

/// The fewest durations that tell their unit by themselves.
const FEWEST: usize = 20;

/// The field that holds a duration of a name that had a unit, for that.
pub(super) fn span_with_unit(name: &str) -> Option<LogColumn> {
    SPANS_WITH_UNIT.iter().find(|(_, names)| names.split(' ').any(|known| known == name)).map(|(field, _)| *field)
}

/// What names of columns have more that hold only the date, or only the time of day.
const HALVES: [&str; 7] = ["date", "day", "time", "hour", "clock", "datum", "uhrzeit"];

impl LogColumns {
    /// The columns by their names and by the values of some rows: of several columns with names of the same field the
    /// first that holds values of it, and durations in the unit that their names say.
    pub(super) fn choosing(mut self, rows: &[Vec<Vec<u8>>]) -> Self {
        let plain: Vec<String> = self.meant.iter().map(|name| plain(name)).collect();
        let units: Vec<Option<(String, u32)>> = self.meant.iter().map(|name| without_unit(name)).collect();
        self.find_times_of_day(&plain, rows);
        self.check_zones(rows);
        let rows = &self.with_times_of_day(rows)[..];
        for field in LogColumn::ALL {
            let mut candidates: Vec<(usize, ValueForm)> =
                self.place(field).map(|at| (at, self.form(field))).into_iter().collect();
            for known in known_names(field) {
                let named = (0..plain.len()).filter(|&at| plain[at] == known);
                candidates.extend(named.map(|at| (at, ValueForm::AsItLooks)));
            }
            if field.is_of_time() {
                let only =
                    SPANS_WITH_UNIT.iter().filter(|(of, _)| *of == field).flat_map(|(_, names)| names.split(' '));
                for known in known_names(field).chain(only) {
                    let is_meant = |unit: u32| unit != NO_UNIT || !field.is_of_spans();
                    let unit = |at: usize| {
                        let unit = units[at].as_ref().filter(|(name, unit)| name == known && is_meant(*unit));
                        unit.map(|(_, unit)| *unit)
                    };
                    candidates.extend((0..plain.len()).filter_map(|at| Some((at, field.form_in(unit(at)?)))));
                }
            }
            // a name with a unit says more than the same name as a whole: walltime_seconds
            for (at, form) in &mut candidates {
                if let (Some((_, unit)), true) = (&units[*at], *form == ValueForm::AsItLooks && field.is_of_time()) {
                    *form = field.form_in(*unit);
                }
            }
            // behind the name of a unit there may be dates, all the same: submit_day
            let dated: Vec<usize> = candidates.iter().map(|(at, _)| *at).filter(|&at| units[at].is_some()).collect();
            candidates.extend(dated.into_iter().map(|at| (at, ValueForm::AsItLooks)));
            candidates
                .retain(|(at, _)| !means_other(&plain[*at], &plain, field, &known(rows, *at).collect::<Vec<_>>()));
            let holds = |(at, form): &&(usize, ValueForm)| {
                let values = || rows.iter().filter_map(|row| row.get(*at)).filter(|value| !is_unknown(value));
                values().next().is_some()
                    && values().filter(|value| fits(field, form, value)).count() * 2 > values().count()
            };
            // a column of names of nodes tells no number of them
            let is_of_names = |at: usize| {
                let values = || known(rows, at);
                matches!(field, LogColumn::Nodes) && values().next().is_some() && values().all(is_list_of_names)
            };
            let is_vague = |(at, _): &&(usize, ValueForm)| may_hold_anything(&plain[*at]) && !rows.is_empty();
            match candidates.iter().find(holds).or(candidates.iter().find(|one| !is_vague(one))) {
                Some((at, _)) if is_of_names(*at) => self.clear(field),
                Some((at, form)) => self.put(field, *at, form.clone()),
                None => self.clear(field),
            }
        }
        self.tell_moments_from_waits(rows);
        self.tell_units_of_spans(rows);
        self.tell_used_from_asked();
        self.tell_used_from_limits(rows);
        self.choose_pattern(rows);
        self.choose_serial_days(rows);
        self.choose_midnights(rows);
        self.check_minutes(rows);
        self.tell_exit_codes();
        self
    }

    /// Finds the columns of dates whose times of day stand in columns of their own: `start_date` and `start_time`.
    fn find_times_of_day(&mut self, names: &[String], rows: &[Vec<Vec<u8>>]) {
        for field in [LogColumn::Submit, LogColumn::Eligible, LogColumn::Start, LogColumn::End] {
            let is_known = |name: &str| known_names(field).any(|known| known == name);
            let is_half = |name: &str| {
                let mut shorter =
                    HALVES.iter().filter_map(|half| name.strip_suffix(half).or_else(|| name.strip_prefix(half)));
                is_known(name) || shorter.any(is_known)
            };
            let mut places = (0..names.len()).filter(|&at| is_half(&names[at]));
            let mostly = |at: usize, is: fn(&[u8]) -> bool| {
                let found = known(rows, at).filter(|value| is(value)).count();
                found > 0 && 2 * found > known(rows, at).count()
            };
            let date = places.clone().find(|&at| mostly(at, is_date));
            let time = places.find(|&at| mostly(at, is_time_of_day));
            if let Some((date, time)) = date.zip(time) {
                self.put(field, date, ValueForm::AsItLooks);
                self.put_time_of_day(date, time);
            }
        }
    }

    /// The rows with each date beside its time of day.
    fn with_times_of_day(&self, rows: &[Vec<Vec<u8>>]) -> Vec<Vec<Vec<u8>>> {
        let of_row = |row: &Vec<Vec<u8>>| -> Vec<Vec<u8>> {
            let values: Vec<&[u8]> = row.iter().map(Vec::as_slice).collect();
            (0..row.len()).filter_map(|at| Some(self.value_at(at, &values)?.into_owned())).collect()
        };
        rows.iter().map(of_row).collect()
    }

    /// Finds out which columns have times of day, so that a date alone among them is a midnight.
    fn choose_midnights(&mut self, rows: &[Vec<Vec<u8>>]) {
        for field in [LogColumn::Submit, LogColumn::Eligible, LogColumn::Start, LogColumn::End] {
            let Some(at) = self.place(field) else { continue };
            let has_time_of_day = |value: &&[u8]| value.contains(&b':') && time(value).is_some();
            if 2 * known(rows, at).filter(has_time_of_day).count() > known(rows, at).count() {
                self.let_dates_be_midnights(field);
            }
        }
    }

    /// Finds out whether times are a spreadsheet's numbers of days; then durations with decimals are days, too.
    fn choose_serial_days(&mut self, rows: &[Vec<Vec<u8>>]) {
        let numbers = |columns: &Self, field: LogColumn| -> Option<Vec<f64>> {
            let at = columns.place(field).filter(|_| columns.form(field) == ValueForm::AsItLooks)?;
            let numbers: Vec<f64> =
                known(rows, at).filter_map(|value| std::str::from_utf8(value).ok()?.parse().ok()).collect();
            (10 * numbers.len() >= 9 * known(rows, at).count()).then_some(numbers)
        };
        let has_decimals =
            |values: &[f64]| 2 * values.iter().filter(|value| value.fract() != 0.0).count() > values.len();
        // from 1980 to 2100; seconds since the begin of a log are whole numbers or pass these bounds
        let are_days =
            |values: &Vec<f64>| values.iter().all(|day| (29_221.0..73_051.0).contains(day)) && has_decimals(values);
        let times = [LogColumn::Submit, LogColumn::Eligible, LogColumn::Start, LogColumn::End];
        let told: Vec<LogColumn> =
            times.into_iter().filter(|&field| numbers(self, field).is_some_and(|of| !of.is_empty())).collect();
        let begins = || told.iter().any(|field| matches!(field, LogColumn::Submit | LogColumn::Start));
        if !begins() || !told.iter().all(|&field| numbers(self, field).as_ref().is_some_and(are_days)) {
            return;
        }
        let lasting = [LogColumn::Run, LogColumn::Wait, LogColumn::Limit].into_iter();
        let lasting: Vec<LogColumn> =
            lasting.filter(|&field| numbers(self, field).is_some_and(|of| has_decimals(&of))).collect();
        for (fields, form) in [(told, ValueForm::SerialDays), (lasting, ValueForm::Thousandths(DAY))] {
            for field in fields {
                if let Some(at) = self.place(field) {
                    self.put(field, at, form.clone());
                }
            }
        }
    }

    /// Finds out in which unit durations are that are the time between two others, where it is not the second.
    fn tell_units_of_spans(&mut self, rows: &[Vec<Vec<u8>>]) {
        for (span, from, to) in
            [(LogColumn::Run, LogColumn::Start, LogColumn::End), (LogColumn::Wait, LogColumn::Submit, LogColumn::Start)]
        {
            let Some(at) = self.place(span).filter(|_| self.form(span) == ValueForm::AsItLooks) else { continue };
            let number = |row: &Vec<Vec<u8>>| in_sixtieths(std::str::from_utf8(row.get(at)?).ok()?);
            let pair = |row: &Vec<Vec<u8>>| -> Option<(f64, f64)> {
                let time = |column| self.time(column, row.get(self.place(column)?)?);
                let lasted = (time(to)? - time(from)?) as f64;
                // short ones are as well rounded ones of another unit
                number(row).filter(|told| lasted >= 300.0 && *told > 0.0).map(|told| (told, lasted))
            };
            let pairs: Vec<(f64, f64)> = rows.iter().filter_map(pair).collect();
            let are_in = |unit: f64| {
                let is = |(told, lasted): &&(f64, f64)| (told * unit - lasted).abs() <= (unit + 1.0).max(0.01 * lasted);
                pairs.len() > 2 && 10 * pairs.iter().filter(is).count() >= 9 * pairs.len()
            };
            let mut found = [1_000, 1, 60_000, 3_600_000, DAY].into_iter().find(|unit| are_in(f64::from(*unit) / 1e3));
            // whole thousands of a day or more, all of them: thousandths of seconds
            let mut told: Vec<f64> = rows.iter().filter_map(number).filter(|told| *told > 0.0).collect();
            told.sort_by(f64::total_cmp);
            let are_thousands = || told.len() >= FEWEST && told.iter().all(|told| told % 1e3 == 0.0);
            if pairs.is_empty() && are_thousands() && told[told.len() / 2] >= 86_400.0 {
                found = Some(1);
            }
            if let Some(unit) = found.filter(|unit| *unit != 1_000) {
                self.has_found_unit = true;
                self.put(span, at, ValueForm::Thousandths(unit));
            }
        }
    }

    /// What is named as waits and holds dates are times of submission, where nothing else is.
    fn tell_moments_from_waits(&mut self, rows: &[Vec<Vec<u8>>]) {
        let Some(at) = self.place(LogColumn::Wait).filter(|_| self.place(LogColumn::Submit).is_none()) else { return };
        let is_moment = |value: &[u8]| value.contains(&b':') && time(value).is_some();
        if known(rows, at).next().is_some() && known(rows, at).all(is_moment) {
            self.clear(LogColumn::Wait);
            self.put(LogColumn::Submit, at, ValueForm::AsItLooks);
        }
    }

    /// Of a walltime and a limit the walltime is what was used. Flux calls the limit duration.
    fn tell_used_from_asked(&mut self) {
        let is_named = |place: Option<usize>, name: &str| place.is_some_and(|at| plain(&self.meant[at]) == name);
        let duration = self.meant.iter().position(|name| plain(name) == "duration");
        if let Some(duration) = duration.filter(|_| is_named(self.place(LogColumn::Submit), "tsubmit")) {
            self.put(LogColumn::Limit, duration, ValueForm::AsItLooks);
            if self.place(LogColumn::Run) == Some(duration) {
                self.clear(LogColumn::Run);
            }
        }
        let lasted = self.place(LogColumn::Start).is_some() && self.place(LogColumn::End).is_some();
        let walltime = self.place(LogColumn::Limit).filter(|&at| plain(&self.meant[at]) == WALLTIME);
        let Some(walltime) = walltime else { return };
        let is_limit = |name: &String| {
            let name = plain(name);
            name != WALLTIME && known_names(LogColumn::Limit).any(|known| known == name)
        };
        if let Some(limit) = self.meant.iter().position(is_limit) {
            let form = self.form(LogColumn::Limit);
            if !lasted && self.place(LogColumn::Run).is_none() {
                self.put(LogColumn::Run, walltime, form);
            }
            self.put(LogColumn::Limit, limit, ValueForm::AsItLooks);
        }
    }

    /// A walltime that is the time from start to end, job by job, is what was used, and no limit.
    fn tell_used_from_limits(&mut self, rows: &[Vec<Vec<u8>>]) {
        let is_walltime =
            |name: &str| plain(name) == WALLTIME || without_unit(name).is_some_and(|(name, _)| name == WALLTIME);
        let Some(at) = self.place(LogColumn::Limit).filter(|&at| is_walltime(&self.meant[at])) else { return };
        let pair = |row: &Vec<Vec<u8>>| -> Option<(i64, i64)> {
            let time = |column| self.time(column, row.get(self.place(column)?)?);
            Some((self.span(LogColumn::Limit, row.get(at)?)?, time(LogColumn::End)? - time(LogColumn::Start)?))
        };
        let pairs: Vec<(i64, i64)> = rows.iter().filter_map(pair).collect();
        let are_used = |unit: i64| {
            let is = |(told, lasted): &&(i64, i64)| (told * unit - lasted).abs() <= unit.max(2).max(lasted / 100);
            10 * pairs.iter().filter(is).count() >= 9 * pairs.len()
        };
        // short jobs, or those of one length, may as well be as long as they may
        let longest = pairs.iter().map(|(_, lasted)| *lasted).max().unwrap_or(0);
        let differ = pairs.iter().any(|(_, lasted)| 10 * lasted < 9 * longest);
        if pairs.len() > 2 && differ && longest >= 300 && [1, 60, 3_600].into_iter().any(are_used) {
            self.clear(LogColumn::Limit);
        }
    }

    /// Finds out how dates are written that leave open which number is the month, where one way fits all of them.
    fn choose_pattern(&mut self, rows: &[Vec<Vec<u8>>]) {
        let open = self.open_dates(rows);
        let texts: Vec<&[u8]> =
            open.iter().filter_map(|field| self.place(*field)).flat_map(|at| known(rows, at)).collect();
        if texts.is_empty() {
            return;
        }
        let read = |pattern: &&str| -> Option<(ValueForm, Vec<i64>)> {
            let form = ValueForm::Date((*pattern).to_owned());
            let times = texts.iter().map(|text| form.seconds(text).flatten().filter(|time| TIMES.contains(time)));
            let times: Option<Vec<i64>> = times.collect();
            times.map(|times| (form, times))
        };
        let mut found = PATTERNS.iter().filter_map(read);
        let Some((form, times)) = found.next() else { return };
        if found.all(|(_, others)| others == times) {
            for field in open {
                if let Some(at) = self.place(field) {
                    self.put(field, at, form.clone());
                }
            }
        }
    }

    /// The columns of times that are not read as they look.
    fn open_dates(&self, rows: &[Vec<Vec<u8>>]) -> Vec<LogColumn> {
        let times = [LogColumn::Submit, LogColumn::Eligible, LogColumn::Start, LogColumn::End];
        let is_open = |field: &LogColumn| {
            let values = self
                .place(*field)
                .map(|at| (known(rows, at).count(), known(rows, at).filter(|value| time(value).is_some()).count()));
            self.form(*field) == ValueForm::AsItLooks && values.is_some_and(|(all, read)| all > 0 && 2 * read <= all)
        };
        times.into_iter().filter(is_open).collect()
    }

    /// How dates are written that is stated of one column holds for the others that leave it open and fit.
    pub(super) fn follow_stated_dates(&mut self, map: &ColumnMap, rows: &[Vec<Vec<u8>>]) {
        let Some(stated) = map.columns.iter().find(|column| matches!(column.form, ValueForm::Date(_))) else { return };
        for field in self.open_dates(rows) {
            let is_stated = map.columns.iter().any(|column| column.field == field);
            let Some(at) = self.place(field).filter(|_| !is_stated) else { continue };
            if known(rows, at).all(|value| fits(field, &stated.form, value)) {
                self.put(field, at, stated.form.clone());
            }
        }
    }
}

/// Whether a value names nodes rather than counting them: `n12`, `n[1-4]`, `n1,n2`.
fn is_list_of_names(value: &[u8]) -> bool {
    value.first().is_some_and(u8::is_ascii_alphabetic) || value.contains(&b'[')
}

/// Whether a value is a date without a time of day: `2026-01-31`, `31.1.2026`, `01/31/2026`, `20260131`.
fn is_date(value: &[u8]) -> bool {
    let parts = value.split(|byte| b"-./".contains(byte));
    let is_part = |part: &[u8]| matches!(part.len(), 1..=4) && part.iter().all(u8::is_ascii_digit);
    let is_whole = value.len() == 8 && (value.starts_with(b"19") || value.starts_with(b"20"));
    (parts.clone().count() == 3 && parts.clone().all(is_part)) || (is_whole && value.iter().all(u8::is_ascii_digit))
}

fn is_time_of_day(value: &[u8]) -> bool {
    value.len() <= 15 && moment(&[b"2000-01-02T", value].concat()).is_some()
}

/// The known values of a column.
fn known(rows: &[Vec<Vec<u8>>], at: usize) -> impl Iterator<Item = &[u8]> {
    rows.iter().filter_map(move |row| row.get(at)).map(Vec::as_slice).filter(|value| !is_unknown(value))
}

/// Ways in which dates are written.
const PATTERNS: &[&str] = &[
    "%m/%d/%Y %H:%M:%S",
    "%d/%m/%Y %H:%M:%S",
    "%m/%d/%Y %H:%M",
    "%d/%m/%Y %H:%M",
    "%m/%d/%Y %I:%M:%S %p",
    "%d/%m/%Y %I:%M:%S %p",
    "%m/%d/%Y %I:%M %p",
    "%d/%m/%Y %I:%M %p",
    "%m/%d/%y %H:%M",
    "%d/%m/%y %H:%M",
    "%m/%d/%y %H:%M:%S",
    "%d/%m/%y %H:%M:%S",
    "%m/%d/%y %I:%M:%S %p",
    "%d/%m/%y %I:%M:%S %p",
    "%m/%d/%y %I:%M %p",
    "%d/%m/%y %I:%M %p",
    "%d.%m.%y %H:%M:%S",
    "%d.%m.%y %H:%M",
    "%d-%m-%Y %H:%M:%S",
    "%m-%d-%Y %H:%M:%S",
    "%d-%m-%Y %H:%M",
    "%m-%d-%Y %H:%M",
    "%d-%b-%Y %H:%M:%S",
    "%d-%b-%y %H:%M:%S",
    "%d %b %Y %H:%M:%S",
    "%Y-%m-%d %I:%M:%S %p",
    "%Y%m%d%H%M%S",
    "%Y%m%d %H:%M:%S",
    // Oracle, DB2, SAS
    "%d-%b-%y %I.%M.%S%.f %p",
    "%d-%b-%Y %I.%M.%S%.f %p",
    "%d-%b-%y %H.%M.%S%.f",
    "%d-%b-%Y %H.%M.%S%.f",
    "%Y-%m-%d-%H.%M.%S%.f",
    "%d%b%Y:%H:%M:%S%.f",
    "%d%b%y:%H:%M:%S%.f",
    // as browsers write them, and other languages of Europe and Asia
    "%m/%d/%Y, %H:%M:%S",
    "%d/%m/%Y, %H:%M:%S",
    "%m/%d/%Y, %I:%M:%S %p",
    "%d/%m/%Y, %I:%M:%S %p",
    "%d.%m.%Y, %H:%M:%S",
    "%d. %m. %Y %H:%M:%S",
    "%d. %m. %Y %H:%M",
    "%Y. %m. %d. %H:%M:%S",
    "%Y.%m.%d %H:%M:%S",
    "%Y.%m.%d %H:%M",
    "%Y年%m月%d日 %H:%M:%S",
    "%d/%b/%Y:%H:%M:%S",
    "%Y-%m-%d_%H:%M:%S",
    "%Y-%m-%d %Hh%M",
];

impl LogColumn {
    /// How a column is written whose name says this unit, thousandths of a second. Times in parts of a second look like what
    /// they are, and seconds as durations do.
    fn form_in(self, unit: u32) -> ValueForm {
        let is_part = unit < 1_000 && unit != NO_UNIT;
        if unit > 1_000 || is_part && self.is_of_spans() { ValueForm::Thousandths(unit) } else { ValueForm::AsItLooks }
    }

    pub(super) fn is_of_spans(self) -> bool {
        matches!(self, LogColumn::Run | LogColumn::Wait | LogColumn::Limit)
    }
}

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn units_stand_in_names_in_many_ways() {
        let of = |names: &str| {
            let text = format!("id,{names},cores\n1,1700000000,0.5,2,4,8\n2,1700000900,1.5,1,4,8\n");
            let log = read("t.csv", text.as_bytes()).unwrap();
            let seen = log.records.iter().map(|r| (r.wait, r.run, r.requested_time));
            seen.collect::<Vec<_>>()
        };
        let hours = [(1_800, 7_200, 14_400), (5_400, 3_600, 14_400)];
        for names in [
            "submit,queue_hours,runtime_hours,time_limit_h",
            "submit,queuedHours,runtimeHours,requestedHours",
            "submit,waiting (h),hours_run,max_hours",
            "Submit_Time,PendingHours,elapsedhours,walltime_in_hours",
            "Einreichung,Wartezeit (h),Laufzeit (Std),Zeitlimit in Stunden",
            "submit,pending_time_h,ran_hours,timeout_hours",
        ] {
            assert_eq!(of(names), hours, "{names}");
        }
        assert_eq!(of("submit,wait_days,elapsed_days,limit_days")[0], (43_200, 172_800, 345_600));
        assert_eq!(of("submit,queue_min,runtime_min,walltime_min")[0], (30, 120, 240));
        let text = "id,submit (UTC),startTimeUtc,end_ts,queued_ts,cores\n1,2026-01-05 10:00:00,2026-01-05 10:01:00,1767607860,5,4\n";
        let log = read("t.csv", text.as_bytes()).unwrap();
        assert_eq!(log.records.iter().map(|r| (r.wait, r.run)).collect::<Vec<_>>(), [(60, 600)], "no wait of 5");
        let text = "id,submit_h,start_h,end_h,cores\n1,0.5,1,3,4\n2,1,1.5,2,4\n";
        let log = read("t.csv", text.as_bytes()).unwrap();
        assert_eq!(
            log.records.iter().map(|r| (r.submit, r.wait, r.run)).collect::<Vec<_>>(),
            [(0, 1_800, 7_200), (1_800, 1_800, 1_800)]
        );
        let text = "id,submit_day,run,cores\n1,2026-01-05 10:00:00,60,4\n2,2026-01-06 10:00:00,60,4\n";
        assert_eq!(read("t.csv", text.as_bytes()).unwrap().records[1].submit, 86_400);
    }

    #[test]
    fn names_may_be_german_french_or_spanish() {
        let of = |names: &str| {
            let row = "1;ann;05.01.2026 10:00:00;05.01.2026 10:01:00;05.01.2026 11:01:00;4;2;02:00:00;normal;bio";
            let log = read("t.csv", format!("{names}\n{row}\n{row}\n").as_bytes()).unwrap();
            let r = &log.records[0];
            let names = [log.names.users, log.names.groups, log.names.queues].map(|names| names.join(","));
            (r.number, r.wait, r.run, r.requested, log.beyond.nodes[0], r.requested_time, names.join(" "))
        };
        for names in [
            "Jobnummer;Benutzer;Einreichung;Startzeit;Endzeit;Kerne;Knoten;Zeitlimit;Warteschlange;Projekt",
            "Job-ID;Nutzer;Abgabezeit;Beginn;Ende;Anzahl Kerne;Anzahl Knoten;Max. Laufzeit;Warteschlange;Gruppe",
            "Id;Utilisateur;Date de soumission;Début;Fin;Cœurs;Nœuds;Limite de temps;File d'attente;Projet",
            "ID;Usuario;Envío;Inicio;Fin;Núcleos;Nodos;Tiempo límite;Cola;Proyecto",
        ] {
            assert_eq!(of(names), (1, 60, 3_600, 4, 2, 7_200, "ann bio normal".to_owned()), "{names}");
        }
        // the time of the processors, or that of the job
        let said = read("t.csv", "Id;Einreichung;Rechenzeit;Kerne\n1;1700000000;60;4\n".as_bytes());
        assert!(said.unwrap_err().to_string().contains("the run time"));
    }

    #[test]
    fn dates_are_read_where_all_of_them_tell_which_number_is_the_month() {
        let text = |dates: [&str; 2]| {
            format!("id,submit,run,cores\n1,{} 10:00:00,60,4\n2,{} 10:00:00,60,4\n", dates[0], dates[1])
        };
        let first = |dates| read("t.csv", text(dates).as_bytes()).unwrap().header.unix_start();
        assert_eq!(first(["01/05/2026", "01/15/2026"]), Some(1_767_607_200));
        assert_eq!(first(["05/01/2026", "15/01/2026"]), Some(1_767_607_200));
        assert_eq!(first(["05-Jan-2026", "06-Jan-2026"]), Some(1_767_607_200));
        assert_eq!(first(["01/01/2026", "02/02/2026"]), Some(1_767_261_600), "both ways are the same");
        let said = read("t.csv", text(["01/02/2026", "01/03/2026"]).as_bytes()).unwrap_err().to_string();
        assert!(said.contains("line 2 reads \"1,01/02/2026") && said.contains("submit=NAME:%m/%d/%Y"), "{said}");
    }

    #[test]
    fn of_columns_with_one_meaning_the_one_with_values_counts_and_units_are_those_of_names() {
        let text = "id,submit,start_time,start,start,runtime_ms,cores,walltime_hours\n\
                    1,1700000000,,1700000060,7,90000,4,2\n2,1700000001,,1700000061,7,60000,4,0.5\n";
        let log = read("t.csv", text.as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.wait, r.run, r.requested_time)).collect();
        assert_eq!(seen, [(60, 90, 7_200), (60, 60, 1_800)]);
    }
}
