//! Which columns of a table hold what, by what is in them: for tables whose names tell nothing, or that have none.

use super::super::numbers::is_unknown;
use super::super::sacct::request;
use super::super::tres::Resources;
use super::mapping::{LogColumn, ValueForm};
use super::value::{number, span, time, whole};
use packfair_base::numbers::{NumberStyle, plain_number};
use std::cmp::Ordering;
use std::collections::BTreeSet;

/// Unix times of 1980 and 2100, between which numbers are taken for times.
pub(super) const TIMES: std::ops::Range<i64> = 315_532_800..4_102_444_800;

/// What most of the known values of a column must be for it to be of a kind.
const MOST: f64 = 0.8;

pub(super) type Guesses = Vec<(Option<LogColumn>, ValueForm)>;

/// The values of a column; none where nothing is known.
struct Column {
    texts: Vec<Option<String>>,
    times: Vec<Option<i64>>,
    spans: Vec<Option<i64>>,
    counts: Vec<Option<u32>>,
}

impl Column {
    fn of(rows: &[Vec<String>], at: usize, numbers: NumberStyle) -> Self {
        let texts: Vec<Option<String>> =
            rows.iter().map(|row| row.get(at).filter(|value| !is_unknown(value.as_bytes())).cloned()).collect();
        let each =
            |text: &Option<String>| text.as_ref().map(|text| plain_number(text.as_bytes(), numbers).into_owned());
        let numbers: Vec<Option<Vec<u8>>> = texts.iter().map(each).collect();
        let read = |of: fn(&[u8]) -> Option<i64>| numbers.iter().map(|field| of(field.as_deref()?)).collect();
        Column {
            times: read(|field| time(field).filter(|time| TIMES.contains(time))),
            spans: read(span),
            counts: numbers.iter().map(|field| number(whole(field.as_deref()?))).collect(),
            texts,
        }
    }

    fn known(&self) -> usize {
        self.texts.iter().flatten().count()
    }

    fn is_mostly(&self, is: impl Fn(&str) -> bool) -> bool {
        let fitting = self.texts.iter().flatten().filter(|text| is(text)).count();
        self.known() > 0 && fitting as f64 >= MOST * self.known() as f64
    }

    fn is_of_times(&self) -> bool {
        self.known() > 0 && self.times.iter().flatten().count() == self.known()
    }

    fn is_of_counts(&self) -> bool {
        self.known() > 0 && self.counts.iter().flatten().count() == self.known()
    }

    fn is_of_words(&self) -> bool {
        self.is_mostly(|text| text.starts_with(|c: char| c.is_alphabetic()) && !text.contains('='))
    }

    fn different(&self) -> usize {
        self.texts.iter().flatten().collect::<BTreeSet<_>>().len()
    }

    fn mean(&self) -> f64 {
        let counts: Vec<f64> = self.counts.iter().flatten().map(|&count| f64::from(count)).collect();
        counts.iter().sum::<f64>() / counts.len().max(1) as f64
    }
}

/// The share of the rows with both values in which they agree, from which a column is the difference of two others.
fn agree(values: &[Option<i64>], expected: &[Option<i64>]) -> bool {
    let both =
        || values.iter().zip(expected).filter_map(|(value, expected)| Some((value.as_ref()?, expected.as_ref()?)));
    let same = both().filter(|(value, expected)| (*value - *expected).abs() <= 1).count();
    both().count() > 0 && same as f64 >= MOST * both().count() as f64
}

fn differences(later: &[Option<i64>], earlier: &[Option<i64>]) -> Vec<Option<i64>> {
    later.iter().zip(earlier).map(|(later, earlier)| Some((*later)? - (*earlier)?)).collect()
}

/// Which of two columns of times is the earlier, by most rows.
fn earlier(one: &Column, other: &Column) -> Ordering {
    let both = one.times.iter().zip(&other.times).filter_map(|(one, other)| Some((*one)?.cmp(&(*other)?)));
    let (mut less, mut more) = (0, 0);
    for order in both {
        less += usize::from(order == Ordering::Less);
        more += usize::from(order == Ordering::Greater);
    }
    more.cmp(&less)
}

struct Guessing {
    columns: Vec<Column>,
    guesses: Guesses,
}

impl Guessing {
    fn place(&self, field: LogColumn) -> Option<usize> {
        self.guesses.iter().position(|(known, _)| *known == Some(field))
    }

    fn column(&self, field: LogColumn) -> Option<&Column> {
        Some(&self.columns[self.place(field)?])
    }

    /// The columns of which nothing is known and that are so.
    fn free(&self, is: impl Fn(&Column) -> bool) -> Vec<usize> {
        (0..self.columns.len()).filter(|&at| self.guesses[at].0.is_none() && is(&self.columns[at])).collect()
    }

    fn put(&mut self, field: LogColumn, at: Option<&usize>) {
        if let Some(&at) = at.filter(|_| self.place(field).is_none()) {
            self.guesses[at].0 = Some(field);
        }
    }

    fn times(&mut self) {
        let fields = [LogColumn::Submit, LogColumn::Eligible, LogColumn::Start, LogColumn::End];
        let free = self.free(Column::is_of_times);
        let is_known = |field: LogColumn| self.place(field).is_some();
        let any = fields.into_iter().any(is_known);
        if free.is_empty() || (is_known(LogColumn::Submit) && (is_known(LogColumn::Run) || is_known(LogColumn::End))) {
            return;
        }
        let needed: Vec<LogColumn> = [LogColumn::Submit, LogColumn::Start, LogColumn::End]
            .into_iter()
            .filter(|&field| !is_known(field))
            .collect();
        // the earlier in most rows first; insertion keeps columns that tie in their order
        let mut order: Vec<usize> = Vec::new();
        for at in free {
            let behind = |&other: &usize| earlier(&self.columns[at], &self.columns[other]) == Ordering::Less;
            let place = order.iter().position(behind).unwrap_or(order.len());
            order.insert(place, at);
        }
        match order.as_slice() {
            [submit, eligible, start, end, ..] if !any => {
                [submit, eligible, start, end]
                    .into_iter()
                    .zip(fields)
                    .for_each(|(at, field)| self.put(field, Some(at)));
            }
            few => {
                few.iter().zip(needed).for_each(|(at, field)| self.put(field, Some(at)));
            }
        }
    }

    fn spans(&mut self) {
        let times = |field| self.column(field).map(|column| column.times.clone());
        let (submit, start, end) = (times(LogColumn::Submit), times(LogColumn::Start), times(LogColumn::End));
        let lasted = start.as_ref().zip(end.as_ref()).map(|(start, end)| differences(end, start));
        let waited = submit.as_ref().zip(start.as_ref()).map(|(submit, start)| differences(start, submit));
        for (field, expected) in [(LogColumn::Run, &lasted), (LogColumn::Wait, &waited)] {
            if let Some(expected) = expected {
                let found = self.free(|column| !column.is_of_times() && agree(&column.spans, expected));
                self.put(field, found.first());
            }
        }
        // durations with colons: the run time, and what is mostly longer
        let clocks = self.free(|column| column.is_mostly(|text| text.contains(':') && span(text.as_bytes()).is_some()));
        let known_run = self.column(LogColumn::Run).map(|column| column.spans.clone()).or(lasted);
        let mean = |at: &usize| {
            let spans: Vec<i64> = self.columns[*at].spans.iter().flatten().copied().collect();
            spans.iter().sum::<i64>() / spans.len().max(1) as i64
        };
        let mut clocks: Vec<(i64, usize)> = clocks.iter().map(|at| (mean(at), *at)).collect();
        clocks.sort_unstable();
        let mut clocks = clocks.into_iter().map(|(_, at)| at);
        if known_run.is_none() {
            self.put(LogColumn::Run, clocks.next().as_ref());
        }
        self.put(LogColumn::Limit, clocks.next_back().as_ref());
    }

    fn numbers(&mut self) {
        let is_id = |column: &Column| {
            let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit()) && !text.contains([':', '=']);
            column.is_mostly(is_number) && column.different() as f64 >= 0.6 * column.known() as f64
        };
        if self.place(LogColumn::Id).is_none() {
            // limits and widths are the same in many rows
            let found = self.free(|column| !column.is_of_times() && is_id(column));
            self.put(LogColumn::Id, found.first());
        }
        let runs = self.column(LogColumn::Run).map(|column| column.spans.clone()).or_else(|| {
            let times = |field| self.column(field).map(|column| column.times.clone());
            Some(differences(&times(LogColumn::End)?, &times(LogColumn::Start)?))
        });
        if let Some(runs) = runs.filter(|_| self.place(LogColumn::Limit).is_none()) {
            let within = |column: &Column, unit: i64| {
                let both = || column.spans.iter().zip(&runs).filter_map(|(limit, run)| Some(((*limit)?, (*run)?)));
                let ran = || both().filter(|(limit, run)| *run > 0 && *limit > 0);
                let fits = ran().filter(|(limit, run)| run <= &(limit * unit + 60)).count();
                ran().count() > 2 && fits as f64 >= 0.85 * ran().count() as f64
            };
            // few jobs ask for limits below a minute, and none for one that is the width of a machine
            let found = self.free(|column| {
                column.is_of_counts() && column.mean() >= 60.0 && 2 * column.different() <= column.known().max(8)
            });
            let limit = found.iter().find_map(|&at| {
                let units = [(1, ValueForm::AsItLooks), (60, ValueForm::Thousandths(60_000))];
                units.into_iter().find(|(unit, _)| within(&self.columns[at], *unit)).map(|(_, form)| (at, form))
            });
            if let Some((at, form)) = limit {
                self.guesses[at] = (Some(LogColumn::Limit), form);
            }
        }
        // widths: the larger count is of processors, the smaller of nodes
        let is_width = |column: &Column| {
            column.is_of_counts() && column.counts.iter().flatten().all(|&count| (1..=10_000_000).contains(&count))
        };
        // a second id, or the number of a row, is no width
        let id = self.column(LogColumn::Id).map(|column| column.texts.clone());
        let is_other = |column: &Column| Some(&column.texts) != id.as_ref() && !(is_id(column) && column.known() > 8);
        let mut widths = self.free(|column| is_width(column) && is_other(column));
        if self.place(LogColumn::Tres).is_some() || self.place(LogColumn::Processors).is_some() {
            return;
        }
        widths.sort_by(|a, b| self.columns[*b].mean().total_cmp(&self.columns[*a].mean()));
        // numbers of users are larger than widths: of three columns the largest may be theirs
        if widths.len() > 2 && self.free(Column::is_of_words).is_empty() {
            let user = widths.remove(0);
            self.put(LogColumn::User, Some(&user));
        }
        let mut widths = widths.iter();
        self.put(LogColumn::Processors, widths.next());
        self.put(LogColumn::Nodes, widths.next());
    }

    fn words(&mut self) {
        let states = self.free(|column| column.is_mostly(|text| request::of(text.as_bytes()).is_some()));
        self.put(LogColumn::Status, states.first());
        let is_list = |text: &str| text.contains('=') && Resources::of(text.as_bytes()) != Resources::default();
        let lists = self.free(|column| column.is_mostly(is_list));
        // what was given stands behind what was asked for
        self.put(LogColumn::Tres, lists.last());
    }

    fn names(&mut self) {
        let mut words = self.free(Column::is_of_words);
        // names of jobs are the most varied, and stand behind their users
        let is_varied = |at: &usize| 3 * self.columns[*at].different() > self.columns[*at].known();
        let name = words.iter().skip(1).copied().filter(is_varied).max_by_key(|&at| (self.columns[at].different(), at));
        words.retain(|at| Some(*at) != name);
        self.put(LogColumn::Executable, name.as_ref());
        let mut words = words.iter();
        for field in [LogColumn::User, LogColumn::Group, LogColumn::Partition, LogColumn::Queue] {
            if self.place(field).is_none() {
                self.put(field, words.next());
            }
        }
    }
}

/// Adds to what is known of the columns of these rows what their values tell.
pub(super) fn by_content(rows: &[Vec<String>], delimiter: u8, known: Guesses) -> Guesses {
    let values = rows.iter().flatten().map(|value| value.as_bytes());
    let numbers = NumberStyle::of(delimiter, values);
    let columns = (0..known.len()).map(|at| Column::of(rows, at, numbers)).collect();
    let mut guessing = Guessing { columns, guesses: known };
    guessing.words();
    guessing.times();
    guessing.spans();
    guessing.numbers();
    guessing.names();
    guessing.guesses
}

#[cfg(test)]
mod tests {
    use super::super::TablePreview;
    use crate::ColumnMap;

    fn guessed(text: &str) -> String {
        let preview = TablePreview::of(text.as_bytes(), true).unwrap();
        let map = preview.said(&preview.guessed(&ColumnMap::default()));
        map.columns.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
    }

    #[test]
    fn a_dump_of_sacct_without_names() {
        let row = |i: u32| {
            format!(
                "{}|ann{}|lab|short|2026-01-0{}T00:00:00|2026-01-0{}T00:10:00|2026-01-0{}T01:10:00|01:00:00|02:00:00|2|{}|\
                 cpu={},node=2|COMPLETED\n",
                100 + i,
                i % 3,
                1 + i,
                1 + i,
                1 + i,
                8 * (1 + i % 2),
                8 * (1 + i % 2)
            )
        };
        let said = guessed(&(0..8).map(row).collect::<String>());
        for part in ["id=1", "user=2", "submit=5", "start=6", "end=7", "run=8", "limit=9", "tres=12", "state=13"] {
            assert!(said.split(',').any(|told| told == part), "{part}: {said}");
        }
    }

    #[test]
    fn numbers_in_columns() {
        let row = |i: u64| {
            let submit = 1_700_000_000 + 1_000 * i;
            let (start, end) = (submit + 60 * (i % 4), submit + 60 * (i % 4) + 500 + 7 * i);
            format!(
                "{} {submit} {start} {end} {} {}\n",
                i + 1,
                1 << (i % 3),
                if i.is_multiple_of(2) { 30 } else { 180 }
            )
        };
        let said = guessed(&(0..12).map(row).collect::<String>());
        assert_eq!(said, "id=1,submit=2,start=3,end=4,limit=6:min,processors=5");
    }

    #[test]
    fn a_name_that_tells_something_helps_with_the_others() {
        let row = |i: i64| {
            let start = 1_700_000_060 + 100 * i;
            format!("T{i},ann,{},{start},{},{}\n", start - 60, start + 600, 1 << (i % 3))
        };
        let text = format!("ticket,who,asked,began,stopped at,how wide\n{}", (0..9).map(row).collect::<String>());
        let said = guessed(&text);
        for part in ["submit=asked", "start=began", "end=stopped at", "processors=how wide"] {
            assert!(said.split(',').any(|told| told == part), "{part}: {said}");
        }
    }

    #[test]
    fn what_is_known_by_name_stays() {
        let said = guessed("a,b,c,cores\n7,1700000000,90,4\n8,1700000100,80,4\n9,1700000200,70,8\n");
        assert!(said.starts_with("id=a,submit=b"), "{said}");
    }
}
