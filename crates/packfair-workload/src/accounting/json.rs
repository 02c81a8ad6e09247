//! Logs in JSON: Slurm's `sacct --json`, Batsim's workloads, Philly's jobs, and records of any origin. All of the text is needed
//! before any of it can be read.

mod batsim;
mod by_columns;
mod philly;
mod slurm;

use super::jobs::JobCollector;
use super::records::{NamedValues, RecordTable};
use super::table::{ColumnMap, NUMBER};
use crate::reading::{FileLine, Format, Limits, LogContent, ReadError};
use packfair_base::json_records::Records;
use packfair_base::json_text::{is_json, make_plain};
use packfair_base::no_log::SQUEUE_JSON;
use serde::de::IgnoredAny;
use serde_json::{Map, Value};

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
            return other().unwrap_or_else(|| read(records, self.limits, self.columns.as_ref()));
        }
        // what a list is called says little
        let read = read(records, self.limits, self.columns.as_ref());
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

// Records of any origin in JSON: a list of objects, an object with such a list as `jobs`, or an object a line, as pandas, jq,
// HTCondor, Grid Engine 9 and Flux write them.

/// How deep objects in objects are looked into.
const DEEPEST: usize = 4;

/// Where a record is in what Elasticsearch and its tools tell of it.
const DOCUMENT: &str = "_source";

/// What is wrong with JSON that has one object, and no list of records in it.
const NO_LIST: &str = "it has neither a list \"jobs\" nor columns with names such as submit, start, end, processors";

/// Reads records as the table that they make.
fn read(records: Records<'_, Value>, limits: Limits, columns: Option<&ColumnMap>) -> Result<LogContent, ReadError> {
    let mut records = records.peekable();
    if records.peek().is_none() {
        return JobCollector::within(limits).finish(None);
    }
    let mut table = RecordTable::new("jobs in JSON", limits, columns);
    let (mut objects, mut broken) = (0, None);
    for (line, record) in records {
        match record {
            Ok(Value::Object(mut object)) => {
                objects += 1;
                // a document of Elasticsearch, with what it is stored under
                if let Some(Value::Object(document)) = object.remove(DOCUMENT) {
                    object = document;
                }
                if ["job_state", "accrue_time"].iter().all(|key| object.contains_key(*key)) {
                    return Err(SQUEUE_JSON.into());
                }
                let mut values = NamedValues::new();
                flatten("", object, 0, &mut values);
                table.push(line, values)?;
            }
            Ok(other) => table.lose(line, other.to_string().as_bytes()),
            Err(text) => {
                broken = broken.or_else(|| serde_json::from_slice::<IgnoredAny>(text).err());
                table.lose(line, text);
            }
        }
    }
    match (objects, broken) {
        (0, Some(error)) => Err(ReadError::Json(error.to_string())),
        // a text about something else has one object
        (0 | 1, _) => table.finish().map_err(|error| match error {
            ReadError::MissingColumns { .. } if columns.is_none() => ReadError::Json(NO_LIST.to_owned()),
            other => other,
        }),
        _ => table.finish(),
    }
}

/// The number of an object that says whether its number is set, as Slurm writes them.
fn told_number(object: &Map<String, Value>) -> Option<String> {
    let is = |key: &str| object.get(key).and_then(Value::as_bool);
    let (set, number) = (is("set")?, object.get("number")?);
    Some(match (set, is("infinite").unwrap_or(false)) {
        (_, true) => "UNLIMITED".to_owned(),
        (true, false) => number.to_string(),
        (false, false) => String::new(),
    })
}

/// Takes the values of an object; those of objects in it are named after both. Lists are left out.
fn flatten(within: &str, object: Map<String, Value>, depth: usize, into: &mut NamedValues) {
    for (name, value) in object {
        let name = if within.is_empty() { name } else { format!("{within}.{name}") };
        take_value(name, value, depth, into);
    }
}

/// Takes a value of this name, as [`flatten`] does.
fn take_value(name: String, value: Value, depth: usize, into: &mut NamedValues) {
    match value {
        Value::Object(inner) if told_number(&inner).is_some() => {
            into.push((format!("{name}{NUMBER}"), told_number(&inner).unwrap_or_default()));
        }
        Value::Object(inner) if depth < DEEPEST => flatten(&name, inner, depth + 1, into),
        // as Slurm writes the only word of a state
        Value::Array(mut list) if list.len() == 1 => into.extend(plain(list.remove(0)).map(|text| (name, text))),
        other => into.extend(plain(other).map(|text| (name, text))),
    }
}

/// A value that is no list and no object, as text.
fn plain(value: Value) -> Option<String> {
    match value {
        Value::Object(_) | Value::Array(_) => None,
        Value::Null => Some(String::new()),
        Value::String(text) => Some(text),
        other => Some(other.to_string()),
    }
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

#[cfg(test)]
mod rows_tests {
    use crate::reading::read;
    use crate::{ReadError, Reason};

    fn row(n: i64, more: &str) -> String {
        let submit = 1_700_000_000 + n;
        format!(
            r#"{{"id": {n}, "submit": {submit}, "start": {}, "end": {}, "cpus": 4{more}}}"#,
            submit + 60,
            submit + 660
        )
    }

    #[test]
    fn records_are_the_same_however_they_stand_in_the_file() {
        let rows: Vec<String> = (0..60).map(|n| row(n, r#", "user": "ann", "usage": {"cpu": [1]}"#)).collect();
        let list = format!("[{}]", rows.join(",\n"));
        let named = format!("{{\"jobs\": {list}}}");
        let (first, second) = rows.split_at(20);
        let dumps = format!("{{\"jobs\": [{}]}}\n{{\"jobs\": [{}]}}", first.join(","), second.join(","));
        for text in [rows.join("\n"), list.clone(), named, dumps, format!("[\n  {}", &list[1..])] {
            let log = read("jobs.json", text.as_bytes()).unwrap();
            assert_eq!((log.jobs(), log.records[59].wait, log.records[59].run), (60, 60, 600));
            assert_eq!((log.records[59].requested, log.names.users.join(",")), (4, "ann".to_owned()));
        }
    }

    #[test]
    fn what_is_no_record_stands_in_the_account() {
        let text = format!("{}\n{}\n7\n{}", row(1, ""), row(2, ""), r#"{"id": 3}"#);
        let log = read("jobs.json", text.as_bytes()).unwrap();
        let told = [Reason::NotAJob, Reason::NoSubmitTime].map(|reason| log.account.count(reason));
        assert_eq!((log.jobs(), told), (2, [1, 1]));
        for other in [r#"{"message": "Not Found"}"#, "[{\"a\": 1}, {\"a\": 2}]", "[{\"id\": 1,"] {
            let said = read("x.json", other.as_bytes()).unwrap_err();
            assert!(matches!(said, ReadError::Json(_) | ReadError::MissingColumns { .. }), "{other}: {said}");
        }
    }

    #[test]
    fn jobs_of_grid_engine_9_and_of_flux_are_read() {
        let grid_engine = |n: i64, task: i64| {
            let submit = 1_700_000_000_000_000 + n * 1_000_000;
            format!(
                r#"{{"job_number":{n},"task_number":{task},"start_time":{},"end_time":{},"owner":"ann","slots":4,"submission_time":{submit},"category":"-l h_rt=3600","usage":{{"rusage":{{"ru_wallclock":9}}}}}}"#,
                submit + 60_000_000,
                submit + 660_000_000
            )
        };
        let text = [grid_engine(1, 0), grid_engine(7, 1), grid_engine(7, 2)].join("\n");
        let log = read("accounting.jsonl", text.as_bytes()).unwrap();
        let seen: Vec<_> =
            log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time)).collect();
        assert_eq!(seen, [(1, 60, 600, 4, 3_600), (7, 60, 600, 4, 3_600), (7, 60, 600, 4, 3_600)]);
        let flux = |n: f64| {
            format!(
                r#"{{"id":{n},"t_submit":{},"t_depend":1.5,"t_run":{},"t_cleanup":{},"t_inactive":{},"nnodes":1,"ncores":4,"duration":3600.0,"state":"INACTIVE","result":"COMPLETED"}}"#,
                1.7e9 + n + 0.25,
                1.7e9 + n + 60.5,
                1.7e9 + n + 660.75,
                1.7e9 + n + 661.0
            )
        };
        let log = read("flux.json", format!("{{\"jobs\": [{},{}]}}", flux(1.0), flux(2.0)).as_bytes()).unwrap();
        let first = &log.records[0];
        assert_eq!((log.jobs(), first.wait, first.run, first.requested, first.requested_time), (2, 60, 600, 4, 3_600));
    }

    #[test]
    fn objects_in_objects_are_columns_and_numbers_of_slurm_are_minutes() {
        let told = |number: i64| format!(r#"{{"set": true, "infinite": false, "number": {number}}}"#);
        let of_slurm = format!(
            r#"{{"job_id": 12, "job_state": ["COMPLETED"], "submit_time": {}, "start_time": {}, "end_time": {}, "cpus": {}, "tasks": {}, "time_limit": {}}}"#,
            told(1_767_607_200),
            told(1_767_607_260),
            told(1_767_607_860),
            told(4),
            told(1),
            told(60)
        );
        let nested = r#"{"jobId": 12, "timing": {"submitted": "2026-01-05T10:00:00Z", "started": "2026-01-05T10:01:00Z", "finished": "2026-01-05T10:11:00Z"}, "resources": {"cores": 4, "walltime": 3600}, "state": "COMPLETED"}"#;
        for text in [of_slurm.as_str(), nested] {
            let log = read("jobs.json", format!("[{text}]").as_bytes()).unwrap();
            let r = &log.records[0];
            let seen = (r.number, r.wait, r.run, r.requested, r.requested_time, r.status);
            assert_eq!(seen, (12, 60, 600, 4, 3_600, 1), "{text}");
        }
    }

    #[test]
    fn jobs_of_the_moment_are_refused_wherever_their_states_stand() {
        let more: String = (0..60).map(|n| format!("   \"key{n}\": {n},\n")).collect();
        let job = format!("{{\n \"accrue_time\": 5,\n{more} \"job_id\": 12,\n \"job_state\": \"RUNNING\"\n}}");
        for text in [format!("{{\n \"jobs\": [{job}]}}"), format!("[{job}]"), format!("{job}\n{job}")] {
            let said = read("squeue.json", text.as_bytes()).unwrap_err().to_string();
            assert!(said.starts_with("this is the output of squeue --json"), "{said}");
        }
        let said = read("j.json", r#"[{"id":1,"came":5,"cpus":4},{"id":2,"came":9,"cpus":4}]"#.as_bytes()).unwrap_err();
        assert!(said.to_string().contains("names such as") && said.to_string().contains("--columns"), "{said}");
    }

    #[test]
    fn documents_of_elasticsearch_are_records() {
        let document = |n: i64| {
            format!(
                r#"{{"jobid":{n},"@submit":"2026-01-05T10:00:00","@start":"2026-01-05T10:01:00","@end":"2026-01-05T10:11:00","elapsed":600,"nodes":"n[1-2]","total_cpus":8,"total_nodes":2,"time_limit":3600,"state":"COMPLETED","tres_alloc":"cpu=8,mem=4G,node=2"}}"#
            )
        };
        let hit = |n: i64| format!(r#"{{"_index":"slurm","_id":"{n}","_source":{}}}"#, document(n));
        let dump = format!("{}\n{}\n", hit(1), hit(2));
        let found =
            format!(r#"{{"took":3,"hits":{{"total":{{"value":2}},"hits":[{},{}]}},"more":[7]}}"#, hit(1), hit(2));
        for text in [format!("{}\n{}\n", document(1), document(2)), dump, found] {
            let log = read("slurm.json", text.as_bytes()).unwrap();
            let seen: Vec<_> =
                log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested, r.requested_time)).collect();
            assert_eq!(seen, [(1, 60, 600, 8, 3_600), (2, 60, 600, 8, 3_600)], "{text}");
            assert_eq!((log.beyond.nodes, log.account.entries().len()), (vec![2, 2], 0));
        }
    }

    #[test]
    fn jobs_of_flux_that_have_not_ended_are_told_from_those_that_have() {
        let job = |n: i64, more: &str| {
            format!(r#"{{"id":{n},"t_submit":1700000000.5,"duration":7200.0,"ncores":4,"nnodes":1,{more}}}"#)
        };
        let ended = r#""t_run":1700000060.9,"t_cleanup":1700003660.2,"t_inactive":1700003661.0,"runtime":3599.3"#;
        let jobs = [
            job(1, &format!(r#"{ended},"state":"INACTIVE","status":"COMPLETED","result":"COMPLETED""#)),
            job(2, r#""t_run":1700000060.9,"runtime":600.0,"state":"RUN","status":"RUN""#),
            job(3, r#""runtime":0.0,"state":"SCHED","status":"SCHED""#),
            job(4, r#""runtime":0.0,"t_inactive":1700000500.0,"state":"INACTIVE","status":"CANCELED""#),
        ];
        let log = read("flux.json", format!(r#"{{"jobs":[{}]}}"#, jobs.join(",")).as_bytes()).unwrap();
        let seen: Vec<_> = log.records.iter().map(|r| (r.number, r.wait, r.run, r.requested_time, r.status)).collect();
        assert_eq!(seen, [(1, 60, 3_599, 7_200, 1), (2, 60, -1, 7_200, -1), (4, -1, 0, 7_200, 5)]);
        let told = [Reason::StillRunning, Reason::NotStarted].map(|reason| log.account.count(reason));
        assert_eq!(told, [1, 1]);
    }
}
