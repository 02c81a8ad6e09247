//! Explains the estimate of a job.

use crate::format::{duration, number, whole};
use crate::{Rules, Run};
use packfair_engine::estimator::{Method, Quantity};
use packfair_engine::model::Reestimation;
use packfair_engine::simulation::{Options, Simulation};
use packfair_workload::{Header, JobId, Workload};
use serde::{Deserialize, Serialize};

/// What is shown for requested times where the log names none.
pub const INVENTED: &str = "The log names no requested times: the run time stands in for the time limit.";

/// The explanation of a job's estimate at its submission, in words and numbers for a person.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimated {
    pub how: String,
    pub facts: Vec<(String, String)>,
    /// Values of one kind that it rests on, as a table.
    pub table: Option<EstimatedTable>,
    /// What became of the estimate once the job ran.
    pub after: String,
}

impl Estimated {
    /// The same with the log's own word for what SWF calls an executable: in a log of Slurm, PBS or LSF jobs are told apart by
    /// their names.
    pub fn in_words_of(mut self, header: &Header) -> Self {
        let word = header.word("Executable").to_lowercase();
        let say = |text: &mut String| *text = text.replace("executable", &word);
        say(&mut self.how);
        self.facts.iter_mut().for_each(|(name, value)| {
            say(name);
            say(value);
        });
        if let Some(table) = &mut self.table {
            say(&mut table.title);
            table.headings.iter_mut().chain(table.rows.iter_mut().flatten()).for_each(say);
        }
        self
    }
}

/// A table of values of one kind that an estimate rests on.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EstimatedTable {
    pub title: String,
    pub headings: Vec<String>,
    pub rows: Vec<Vec<String>>,
    /// The row from which the estimate was made, if it is a single row.
    pub used: Option<usize>,
}

/// An explanation under way: the run is simulated again up to the submission of the job.
pub struct Explaining<'a> {
    simulation: Simulation<'a>,
    job: JobId,
    after: String,
    /// The text that replaces the estimator's own words, if any.
    instead: Option<&'static str>,
}

impl<'a> Explaining<'a> {
    /// Begins to explain the estimate of a job. `corrections` is how often the estimate was corrected while the job
    /// ran.
    ///
    /// # Errors
    /// A message in words: nothing is estimated in this run, or the job is not in the workload.
    pub fn begin(
        run: &Run,
        rules: Rules,
        job: JobId,
        workload: &'a Workload,
        corrections: u32,
    ) -> Result<Self, String> {
        if job.index() >= workload.len() {
            return Err("The job is not in this workload any more.".to_owned());
        }
        let simulation = run.simulation(workload, rules).ok_or("Nothing is estimated in this row.")?;
        let after = after(corrections, rules.options(run), run.estimate.method.family().learns);
        let is_invented = run.estimate.method == Method::requested() && !workload.names_requested_times();
        Ok(Explaining { simulation, job, after, instead: is_invented.then_some(INVENTED) })
    }

    /// Advances by up to `instants` further instants; gives the explanation once the job is submitted.
    pub fn advance(&mut self, instants: usize) -> Option<Estimated> {
        let explanation = self.simulation.explain(self.job, instants)?;
        let table = explanation.listing.map(|listing| EstimatedTable {
            title: listing.title,
            headings: listing.headings,
            rows: listing.rows.iter().map(|row| row.iter().map(say).collect()).collect(),
            used: listing.used,
        });
        let facts = explanation.facts.into_iter().map(|(name, value)| (name, say(&value))).collect();
        let how = self.instead.map_or(explanation.how, str::to_owned);
        Some(Estimated { how, facts, table, after: std::mem::take(&mut self.after) })
    }
}

/// What became of an estimate: whether it was made anew while the job waited, and how often it was corrected.
fn after(corrections: u32, options: Options, learns: bool) -> String {
    let anew = match options.reestimation {
        Reestimation::Round if learns => "As long as it waited, it was estimated anew in every round. ",
        _ => "",
    };
    let rule = options.correction.help();
    let ran = match corrections {
        0 => "While it ran, its estimate did not run out.".to_owned(),
        1 => format!("While it ran, its estimate ran out and was corrected once: {rule}."),
        times => format!("While it ran, its estimate ran out and was corrected {times} times: {rule}."),
    };
    format!("{anew}{ran}")
}

fn say(value: &Quantity) -> String {
    match value {
        Quantity::Time(seconds) if seconds.abs() < 60.0 => format!("{} s", number(*seconds)),
        Quantity::Time(seconds) if *seconds < 0.0 => format!("{} s", whole(*seconds as i64)),
        Quantity::Time(seconds) => format!("{} s ({})", whole(seconds.round() as i64), duration(*seconds)),
        Quantity::Count(count) => whole(*count as i64),
        Quantity::Share(share) => format!("{} %", number(100.0 * share)),
        Quantity::Number(value) => number(*value),
        Quantity::Text(text) => text.clone(),
        Quantity::Unknown => "–".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_log_calls_a_job_s_name_is_no_executable() {
        let estimated = Estimated {
            how: "No job of the same executable has completed.".to_owned(),
            facts: vec![("executable".to_owned(), "12".to_owned())],
            table: Some(EstimatedTable {
                title: "Groups".to_owned(),
                headings: vec!["Group".to_owned()],
                rows: vec![vec!["executable, user, L".to_owned()]],
                used: None,
            }),
            after: String::new(),
        };
        assert_eq!(estimated.clone().in_words_of(&Header::default()), estimated);
        let header = Header { labels: vec![("Called".to_owned(), "Executable Job name".to_owned())] };
        let said = estimated.in_words_of(&header);
        assert_eq!(said.how, "No job of the same job name has completed.");
        assert_eq!(said.facts[0].0, "job name");
        assert_eq!(said.table.expect("it stays").rows[0][0], "job name, user, L");
    }
}
