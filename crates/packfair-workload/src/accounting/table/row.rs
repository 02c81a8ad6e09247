//! A row of a table as a job.

use super::super::jobs::{AccountedJob, JobCollector, Waited};
use super::super::numbers::{self, is_nothing, is_unknown};
use super::super::sacct::request;
use super::super::sacct::request::State;
use super::super::time::id_number;
use super::super::tres;
use super::super::tres::Resources;
use super::columns::{ForeignStates, LogColumns};
use super::mapping::LogColumn;
use super::value::{SlurmId, fits, flux_state, htcondor_state, number, span as span_of, state_of_exit, status};
use crate::reading::ReadError;
use crate::{Reason, Seconds};
use packfair_base::numbers::{NumberStyle, plain_number};
use std::borrow::Cow;
use std::cell::Cell;

pub(super) struct RowReader<'a> {
    pub columns: &'a LogColumns,
    pub numbers: NumberStyle,
}

impl RowReader<'_> {
    /// Whether each value can be one of its column.
    pub(super) fn fits(&self, values: &[&[u8]]) -> bool {
        LogColumn::ALL.into_iter().all(|column| {
            let value = self.columns.value(column, values);
            value.is_none_or(|value| fits(column, &self.columns.form(column), &plain_number(&value, self.numbers)))
        })
    }

    /// The values of a row, one for each column; none where there are too many or too few, and it is not plain which is
    /// which. A text with delimiters in it is cut to its beginning.
    pub(super) fn aligned<'v>(&self, values: &[&'v [u8]]) -> Option<(Vec<&'v [u8]>, bool)> {
        let count = self.columns.names.len();
        if values.len() == count || count == 0 {
            return Some((values.to_vec(), false));
        }
        if values.len() < count {
            // only what is at the end of a row may be left out, and only one
            let fits = values.len() + 1 == count && self.fits(values) && self.has_time(values);
            return fits.then(|| (values.to_vec(), false));
        }
        let surplus = values.len() - count;
        // a delimiter behind the last column
        if values[count..].iter().all(|value| value.is_empty()) {
            return Some((values[..count].to_vec(), false));
        }
        let joined =
            |at: usize| -> Vec<&'v [u8]> { values[..=at].iter().chain(&values[at + 1 + surplus..]).copied().collect() };
        let can_be = |at: &usize| self.is_text(*at) && self.fits(&joined(*at)) && self.has_time(&joined(*at));
        let found: Vec<usize> = (0..count).filter(can_be).collect();
        // where it may be several, all that differs is texts
        found.first().map(|&at| (joined(at), true))
    }

    /// Whether a column can hold any text.
    fn is_text(&self, at: usize) -> bool {
        let held = LogColumn::ALL.into_iter().find(|&column| self.columns.place(column) == Some(at));
        held.is_none_or(|column| {
            matches!(
                column,
                LogColumn::Executable | LogColumn::User | LogColumn::Group | LogColumn::Queue | LogColumn::Partition
            )
        })
    }

    /// Whether a time of submission is where it should be.
    pub(super) fn has_time(&self, values: &[&[u8]]) -> bool {
        let time = |column| {
            let field = self.columns.value(column, values)?;
            self.columns.time(column, &plain_number(&field, self.numbers))
        };
        time(LogColumn::Submit).or_else(|| time(LogColumn::Start)).is_some()
    }

    /// Adds the job that a row makes, or notes why it makes none. Returns whether it was understood.
    pub(super) fn take(
        &self,
        values: &[&[u8]],
        jobs: &mut JobCollector,
        line: u32,
        text: &[u8],
    ) -> Result<(), ReadError> {
        let Some((values, is_joined)) = self.aligned(values) else {
            jobs.account.note_text(Reason::NotAJob, line, text);
            return Ok(());
        };
        if is_joined {
            jobs.account.note(Reason::DelimiterInText, line);
        }
        self.job(&values, jobs, line, text)
    }

    /// The id of a job that two columns tell together: `12.3`. None where the first tells it alone.
    fn id_of_parts(&self, id: &[u8], part: &[u8]) -> Option<Vec<u8>> {
        let are_numbers = [id, part].iter().all(|text| id_number(text).is_some());
        are_numbers.then(|| [id, b".", part].concat())
    }

    fn job(&self, values: &[&[u8]], jobs: &mut JobCollector, line: u32, text: &[u8]) -> Result<(), ReadError> {
        let columns = self.columns;
        let raw = |column| columns.place(column).and_then(|at| values.get(at)).copied().unwrap_or_default();
        // a word for nothing is no name
        let get = |column| Some(raw(column)).filter(|field| !is_unknown(field)).unwrap_or_default();
        let plain = |column| -> Cow<'_, [u8]> {
            match columns.value(column, values) {
                Some(Cow::Borrowed(value)) => plain_number(value, self.numbers),
                value => value.unwrap_or_default(),
            }
        };
        let is_odd = Cell::new(false);
        let told = |column, value: Option<Seconds>| {
            let is_negative = || raw(column).starts_with(b"-") && negative(&plain(column)).is_some();
            if numbers::is_odd(raw(column), value) && !is_negative() {
                is_odd.set(true);
            }
            value
        };
        let time = |column| told(column, columns.time(column, &plain(column)));
        let span = |column| told(column, columns.span(column, &plain(column)));
        // what Slurm means by these it means in any table
        let part = columns.id_part.and_then(|at| values.get(at)).copied().unwrap_or_default();
        let of_parts = self.id_of_parts(get(LogColumn::Id), part);
        let step = columns.step.and_then(|at| values.get(at)).filter(|step| !is_unknown(step));
        let of_step = step.map(|step| [get(LogColumn::Id), b".", step].concat());
        let id = match (&of_step, &of_parts) {
            (Some(text), _) => SlurmId::of(text),
            (None, Some(text)) => SlurmId::named(text),
            (None, None) => SlurmId::of(get(LogColumn::Id)),
        };
        if id.is_step {
            jobs.account.note(Reason::JobStep, line);
            return Ok(());
        }
        if id.is_pending_array {
            jobs.account.note(Reason::PendingArray, line);
            return Ok(());
        }
        // as Python writes a list of one word
        let is_mark = |byte: &u8| !b"[]'\" ".contains(byte);
        let status_field = get(LogColumn::Status);
        let begin = status_field.iter().position(is_mark).unwrap_or(0);
        let end = status_field.iter().rposition(is_mark).map_or(0, |at| at + 1);
        let status_field = &status_field[begin..end];
        let status_field = match columns.foreign_states {
            ForeignStates::OfSlurm => request::of_number(status_field).unwrap_or(status_field),
            ForeignStates::OfHtcondor => htcondor_state(status_field).unwrap_or(status_field),
            ForeignStates::OfFlux => flux_state(status_field).unwrap_or(status_field),
            ForeignStates::ExitCodes => state_of_exit(status_field),
            ForeignStates::Unknown => status_field,
        };
        let ended = time(LogColumn::End);
        let has_end = ended.is_some_and(|end| end > 0);
        let state = request::of_record(&status_field.to_ascii_uppercase(), has_end);
        let wait = span(LogColumn::Wait).or_else(|| negative(&plain(LogColumn::Wait)));
        // in small letters it may be what is told of a time in the middle
        let is_slurms = request::of_record(status_field, has_end) == state;
        let is_running = state == Some(State::Running) && (is_slurms || ended.is_none());
        let started = time(LogColumn::Start);
        let submit = time(LogColumn::Submit).or_else(|| Some(started? - wait?)).unwrap_or(-1);
        // a start of 0 means none, unless the job was submitted at 0
        let start = started.filter(|&start| start > 0 || submit == 0).or_else(|| Some(submit + wait?));
        let end = ended.filter(|&end| end > 0 || submit == 0);
        let lasted = || Some((end? - start?).max(0));
        let told_run = span(LogColumn::Run);
        let is_negative = told_run.is_none() && negative(&plain(LogColumn::Run)).is_some();
        if is_negative && end.is_none() {
            jobs.account.note(Reason::EndsBeforeStart, line);
        }
        let at_most = told_run.max(lasted()).unwrap_or(0);
        // in Slurm's data base it is a moment where the job is suspended now
        let suspended = columns.suspended.and_then(|at| span_of(values.get(at)?));
        let suspended = suspended.filter(|&suspended| suspended <= at_most).unwrap_or(0);
        let ran = |all: Seconds| (all - suspended).max(0);
        let run = match told_run {
            Some(all) if columns.run_counts_suspension() => Some(ran(all)),
            Some(run) => Some(run),
            None => lasted().map(ran).or(is_negative.then_some(0)),
        };
        // older versions of Slurm tell as the start of a job that never did when it was cancelled
        let start = start.filter(|_| run != Some(0) || status(status_field) != 5);
        let resources = Resources::of(raw(LogColumn::Tres));
        is_odd.set(is_odd.get() || resources.is_odd);
        let counted = |column| {
            let count = number(&plain(column));
            told(column, count.map(Seconds::from));
            count.map(|count| columns.count(column, count)).filter(|&n| n > 0)
        };
        let (nodes, gpus) =
            (counted(LogColumn::Nodes).or(resources.nodes), counted(LogColumn::Gpus).or(resources.gpus));
        let of = |place: Option<usize>| place.and_then(|at| values.get(at)).copied().unwrap_or_default();
        let [each_task, each_node, of_its_tasks] = columns
            .each()
            .map(|place| number(&plain_number(of(place), self.numbers)).filter(|&each| each > 0).unwrap_or(1));
        let width =
            counted(LogColumn::Processors).map(|parts| parts.saturating_mul(each_task)).or(resources.processors);
        let on_node = each_node.saturating_mul(of_its_tasks);
        let of_nodes = |nodes: Option<u32>| nodes.map(|nodes| nodes.saturating_mul(on_node));
        let [asked, asked_nodes, asked_tres] = columns.asked().map(of);
        let asked_processors = number(&plain_number(asked, self.numbers))
            .or(Resources::of(asked_tres).processors)
            .filter(|&asked| asked > 0);
        let waited_nodes = number(&plain_number(asked_nodes, self.numbers)).filter(|&nodes| nodes > 0);
        let asked = match (width, asked_processors) {
            (Some(_), asked) => asked,
            (None, Some(_)) => None,
            (None, None) => of_nodes(number(&plain_number(asked_nodes, self.numbers)).filter(|_| nodes.is_some())),
        };
        // a table that counts only nodes, or only graphics processors, is of a machine of these
        let width = width.or(asked_processors).or(of_nodes(nodes)).or(gpus);
        let [whole, offset] = columns.part_of.map(|place| id_number(of(place)).filter(|&number| !is_nothing(number)));
        // 0 where a job is whole by itself
        let part_of = whole.filter(|&whole| whole > 0).zip(offset);
        let status = status(status_field);
        let drawn = tres::of_watts(raw(LogColumn::Watts), nodes)
            .or_else(|| tres::of_energy(&plain(LogColumn::Energy), columns.form(LogColumn::Energy).joules(), run));
        // begun, and neither an end nor a run time though there are columns of them
        let has_no_end = run.is_none() && start.is_some() && status == -1 && columns.place(LogColumn::End).is_some();
        let limit = told(LogColumn::Limit, columns.limit(&plain(LogColumn::Limit)));
        let eligible = time(LogColumn::Eligible);
        let (has_starts, has_no_run) = (columns.place(LogColumn::Start).is_some(), run.is_none_or(|run| run == 0));
        let job = AccountedJob {
            id: id.text,
            number: id_number(id.number).unwrap_or(-1),
            part_of: id.part_of.or(part_of),
            submit,
            eligible,
            start,
            run,
            end,
            suspended,
            limit: limit.filter(|&limit| limit > 0),
            is_odd: is_odd.get(),
            allocated: width,
            requested: width,
            asked: asked.filter(|&asked| asked > 0),
            waited: Waited { nodes: waited_nodes, ..Waited::default() },
            left: end.filter(|_| start.is_none() && (run.is_none() && has_starts || has_no_run && status != -1)),
            nodes,
            gpus: Some(gpus.unwrap_or(0)),
            memory: None,
            status,
            user: get(LogColumn::User),
            group: get(LogColumn::Group),
            executable: get(LogColumn::Executable),
            queue: get(LogColumn::Queue),
            partition: get(LogColumn::Partition),
            task: id.task,
            milliwatts: drawn,
            still_runs: is_running || (has_no_end && id.is_known()),
            text,
            ..AccountedJob::default()
        };
        // neither a start, nor an end, nor a run time, where there are columns of them
        let is_untouched = has_starts && has_no_run && start.is_none() && end.is_none() && submit >= 0;
        let has_ended = matches!(state, Some(State::Ended(_))) || matches!(status, 1 | 5) || is_odd.get();
        let waits = state == Some(State::Pending) && job.left.is_none();
        if waits || is_untouched && !has_ended {
            jobs.never_started(
                Reason::NotStarted,
                line,
                &AccountedJob { start: None, left: None, still_runs: false, ..job },
            );
            return Ok(());
        }
        if job.task.is_some() {
            // ids tell tasks apart
            jobs.ids_may_be_shared = false;
        }
        let before = jobs.len();
        jobs.push(line, &job)?;
        if id.may_be_step && jobs.len() > before {
            jobs.may_be_step(id.whole_text());
        }
        Ok(())
    }
}

/// A number below -1, which is unknown: two times contradict each other.
fn negative(field: &[u8]) -> Option<Seconds> {
    let number = std::str::from_utf8(field).ok().and_then(|text| text.parse::<f64>().ok());
    number.filter(|number| (-1e11..-1.0).contains(number)).map(|number| number as Seconds)
}
