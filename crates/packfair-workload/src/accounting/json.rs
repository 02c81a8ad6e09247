//! Logs in JSON: Slurm's `sacct --json`, Batsim's workloads, Philly's jobs, and records of any origin. All of the text is needed
//! before any of it can be read.

mod batsim;
mod by_columns;
mod philly;
mod rows;
mod slurm;

use super::jobs::JobCollector;
use super::table::ColumnMap;
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use packfair_base::json_records::Records;
use packfair_base::json_text::{is_json, make_plain};

pub(super) struct Json {
    text: Vec<u8>,
    limits: Limits,
    columns: Option<ColumnMap>,
    is_philly: bool,
}

impl Json {
    /// The reader of a file with these first lines, if it is JSON: an object, or a list of objects. Rows without names are
    /// refused by what they are.
    pub(super) fn recognise(lines: &[&[u8]], limits: Limits, columns: Option<&ColumnMap>) -> Option<Self> {
        is_json(lines.join(&b'\n')).then(|| Json {
            text: Vec::new(),
            limits,
            columns: columns.cloned(),
            is_philly: philly::is_philly(lines),
        })
    }
}

impl Json {
    /// Reads records, or the rows of a table that is written otherwise.
    fn rows(&self) -> Result<LogContent, ReadError> {
        let records = Records::of(&self.text);
        let other = || by_columns::read(&self.text, self.limits, self.columns.as_ref());
        if !records.are_in_list() {
            return other().unwrap_or_else(|| rows::read(records, self.limits, self.columns.as_ref()));
        }
        // what a list is called says little
        let read = rows::read(records, self.limits, self.columns.as_ref());
        let is_none = matches!(read, Err(ReadError::Json(_) | ReadError::MissingColumns { .. }));
        if is_none { other().unwrap_or(read) } else { read }
    }
}

impl Format for Json {
    fn line(&mut self, line: FileLine<'_>) -> Result<(), ReadError> {
        self.text.extend_from_slice(line.bytes);
        if !line.cut {
            self.text.push(b'\n');
        }
        Ok(())
    }

    fn takes_long_lines(&self) -> bool {
        true
    }

    fn jobs(&self) -> usize {
        0
    }

    fn finish(mut self: Box<Self>) -> Result<LogContent, ReadError> {
        make_plain(&mut self.text);
        // columns that are stated are those of records
        if self.columns.is_some() {
            return self.rows();
        }
        if self.is_philly {
            return philly::read(&self.text, self.limits)?.finish(None);
        }
        let mut jobs = JobCollector::within(self.limits);
        if let Some(profiles) = batsim::profiles(&self.text)? {
            batsim::read(&self.text, &profiles, &mut jobs)?;
        } else if slurm::is_dump(&self.text) {
            slurm::read(Records::of(&self.text), &mut jobs)?;
        } else {
            return self.rows();
        }
        if jobs.len() == 0
            && let Some(why) = damage(&self.text)
        {
            return Err(why);
        }
        jobs.finish(None)
    }
}

/// Why a text of which nothing could be read is no JSON; none where it is.
fn damage(text: &[u8]) -> Option<ReadError> {
    let mut values = serde_json::Deserializer::from_slice(text).into_iter::<serde::de::IgnoredAny>();
    values.find_map(Result::err).map(|error| ReadError::Json(error.to_string()))
}

#[cfg(test)]
mod tests {
    use crate::reading::read;

    #[test]
    fn what_mongoexport_writes_is_read_as_json_has_it() {
        let relaxed = r#"{"_id":{"$oid":"65a0"},"job_id":12,"submit":{"$date":"2026-01-05T10:00:00Z"},"start":{"$date":"2026-01-05T10:01:00.000Z"},"end":{"$date":"2026-01-05T10:11:00Z"},"cpus":4,"user":"ann","time_limit":900}"#;
        let canonical = r#"{"_id":{"$oid":"65a0"},"job_id":{"$numberInt":"12"},"submit":{"$date":{"$numberLong":"1767607200000"}},"start":{"$date":{"$numberLong":"1767607260000"}},"end":{"$date":{"$numberLong":"1767607860000"}},"cpus":{"$numberLong":"4"},"user":"ann","time_limit":{"$numberDouble":"900.0"},"more":{"$numberDouble":"NaN"}}"#;
        let pretty = canonical.replace(",\"", ",\n \"").replace(":{", " :\n  { ");
        for text in [relaxed.to_owned(), canonical.to_owned(), pretty, format!("[{relaxed},\n{canonical}]")] {
            let log = read("jobs.json", text.as_bytes()).unwrap();
            for r in &log.records {
                let seen = (r.number, r.submit, r.wait, r.run, r.requested, r.requested_time);
                assert_eq!(seen, (12, 0, 60, 600, 4, 900), "{text}");
            }
            assert_eq!((log.header.unix_start(), log.names.users.join(",")), (Some(1_767_607_200), "ann".into()));
        }
        let batsim = r#"{"nb_res": {"$numberInt":"32"}, "jobs": [{"id":{"$numberInt":"1"},"subtime":{"$numberDouble":"5.0"},"res":{"$numberLong":"4"},"profile":"a"}],
            "profiles": {"a":{"type":"delay","delay":{"$numberInt":"20"}}}}"#;
        assert_eq!(read("w.json", batsim.as_bytes()).unwrap().records[0].run, 20);
    }

    #[test]
    fn what_python_and_the_shell_of_mongodb_print_is_read() {
        let python = |n: u32| {
            format!(
                "{{'job_id': {n}, 'user': None, 'submit': Timestamp('2026-01-05 10:00:00'), 'start': datetime.datetime(2026, 1, 5, 10, 1), \
                 'end': '2026-01-05 10:11:00', 'limit': Timedelta('0 days 00:15:00'), 'cpus': np.int64(4)}}"
            )
        };
        let mongo = python(7).replace("Timestamp(", "ISODate(").replace('\'', "\"");
        for text in [python(7), format!("[{},\n {}]", python(7), python(8)), mongo] {
            let log = read("jobs.txt", text.as_bytes()).unwrap_or_else(|error| panic!("{error}: {text}"));
            let r = &log.records[0];
            assert_eq!((r.number, r.wait, r.run, r.requested, r.requested_time), (7, 60, 600, 4, 900), "{text}");
        }
    }

    #[test]
    fn a_sequence_of_texts_with_marks_between_them_is_read() {
        let text =
            "\x1e{\"id\":1,\"submit\":5,\"run\":60,\"cpus\":4}\n\x1e{\"id\":2,\"submit\":6,\"run\":60,\"cpus\":4}\n";
        let log = read("jobs.json-seq", text.as_bytes()).unwrap();
        assert_eq!(log.records.iter().map(|r| (r.number, r.run)).collect::<Vec<_>>(), [(1, 60), (2, 60)]);
    }

    #[test]
    fn values_that_are_no_json_are_unknown() {
        let text = r#"[{"id": 1, "submit": 1767607200, "start": 1767607260, "end": NaN, "limit": Infinity, "cores": 4, "user": "NaN, x"},
            {"id": 2, "submit": 1767607200, "start": 1767607260, "end": 1767607860, "limit": -Infinity, "cores": 4, "user": NaN}]"#;
        let log = read("jobs.json", text.as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.wait, r.run, r.requested_time, r.user)).collect();
        assert_eq!(seen, [(60, -1, -1, 1), (60, 600, -1, -1)]);
        assert_eq!(log.names.users, ["NaN, x"]);
    }
}
