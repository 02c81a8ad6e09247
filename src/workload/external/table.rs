//! Tables of jobs with a start or an estimate.

use crate::workload::Seconds;
use crate::workload::accounting::{LogColumn, LogColumns};
use csv::{ByteRecord, ReaderBuilder, Trim};

/// The delimiters that may separate two values.
const DELIMITERS: [u8; 4] = [b',', b';', b'\t', b'|'];

/// Names of columns of estimates, in small letters alone.
const ESTIMATES: [&str; 9] = [
    "estimate",
    "estimates",
    "estimated",
    "estimatedruntime",
    "estimatedtime",
    "prediction",
    "predicted",
    "predictedruntime",
    "runtimeestimate",
];

pub(super) struct ExternalHeader {
    delimiter: u8,
    columns: LogColumns,
    estimate: Option<usize>,
}

pub(super) struct ExternalJob<'a> {
    pub(super) id: &'a [u8],
    /// The job's number, -1 where it has none.
    pub(super) number: i64,
    pub(super) submit: Option<Seconds>,
    /// The start, and whether it is written as a date.
    pub(super) start: Option<(Seconds, bool)>,
    pub(super) start_field: &'a [u8],
    pub(super) wait: Option<Seconds>,
    /// Whether its start or its wait is not a whole number of seconds. The decimals are cut off.
    pub(super) has_decimals: bool,
    /// The estimate, seconds, above 0.
    pub(super) estimate: Option<f64>,
    pub(super) estimate_field: &'a [u8],
}

impl ExternalHeader {
    /// The header in the first line of a file, if that is a table of jobs.
    pub(super) fn of(first: &[u8]) -> Option<Self> {
        let text = String::from_utf8_lossy(first.trim_ascii()).into_owned();
        let headers = DELIMITERS.into_iter().map(|delimiter| {
            let names: Vec<String> =
                text.split(char::from(delimiter)).map(|name| name.trim().trim_matches('"').to_owned()).collect();
            let plain = |name: &String| {
                let letters = name.chars().filter(char::is_ascii_alphanumeric);
                letters.map(|c| c.to_ascii_lowercase()).collect::<String>()
            };
            let estimate = names.iter().position(|name| ESTIMATES.contains(&plain(name).as_str()));
            ExternalHeader { delimiter, columns: LogColumns::named(&names), estimate }
        });
        headers.into_iter().find(|header| {
            header.columns.place(LogColumn::Id).is_some() && (header.has_starts() || header.has_estimates())
        })
    }

    pub(super) fn has_starts(&self) -> bool {
        let has = |column| self.columns.place(column).is_some();
        has(LogColumn::Start) || has(LogColumn::Wait)
    }

    pub(super) fn has_estimates(&self) -> bool {
        self.estimate.is_some()
    }

    /// Whether the table lacks columns that a log needs. It then tells only starts or estimates, and perhaps
    /// submissions.
    pub(super) fn is_no_log(&self) -> bool {
        !self.columns.missing().is_empty()
    }

    /// Gives `take` each job below, with the number of its line.
    ///
    /// # Errors
    /// The first error of `take`, or that of `broken` if a line cannot be split.
    pub(super) fn each_job<E>(
        &self,
        content: &[u8],
        broken: impl Fn(String) -> E,
        mut take: impl FnMut(usize, &ExternalJob<'_>) -> Result<(), E>,
    ) -> Result<(), E> {
        let mut builder = ReaderBuilder::new();
        builder.delimiter(self.delimiter).flexible(true).trim(Trim::All);
        let mut reader = builder.from_reader(content);
        let mut record = ByteRecord::new();
        while reader.read_byte_record(&mut record).map_err(|error| broken(error.to_string()))? {
            let line = record.position().map_or(0, |position| position.line() as usize);
            let at = |place: Option<usize>| place.and_then(|at| record.get(at)).unwrap_or_default();
            let get = |column| at(self.columns.place(column));
            let id = get(LogColumn::Id);
            let digits = id.split(|byte| !byte.is_ascii_digit()).find(|part| !part.is_empty()).unwrap_or_default();
            let text = std::str::from_utf8(digits).unwrap_or_default();
            let (start_field, estimate_field) = (get(LogColumn::Start), at(self.estimate));
            let wait_field = get(LogColumn::Wait);
            let has_decimals = |field| real(field).is_some_and(|number| number.fract() != 0.0);
            let time = |column, field: &[u8]| self.columns.time(column, field).filter(|&time| time >= 0);
            take(
                line,
                &ExternalJob {
                    id,
                    number: text.parse().unwrap_or(-1),
                    submit: time(LogColumn::Submit, get(LogColumn::Submit)),
                    start: time(LogColumn::Start, start_field).map(|start| (start, real(start_field).is_none())),
                    start_field,
                    wait: self.columns.span(LogColumn::Wait, wait_field),
                    has_decimals: has_decimals(start_field) || has_decimals(wait_field),
                    estimate: real(estimate_field)
                        .or_else(|| self.columns.span(LogColumn::Run, estimate_field).map(|span| span as f64))
                        .filter(|estimate| *estimate > 0.0),
                    estimate_field,
                },
            )?;
        }
        Ok(())
    }
}

fn real(field: &[u8]) -> Option<f64> {
    std::str::from_utf8(field).ok()?.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}
