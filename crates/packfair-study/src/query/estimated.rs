//! Explains the estimate of a job.

use crate::format::{duration, number, whole};
use crate::{Rules, Run};
use packfair_engine::classifier::Because;
use packfair_engine::estimator::{Method, Quantity};
use packfair_engine::model::{Class, NoteId, Reestimation, Schedule, SizeClass};
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

// The class that a job was taken for, why, and what came of it (CLASSIFY §4, §5.2).

/// Sentences for a person: the class that `job` was taken for and why, when it was killed, and which class it turned
/// out to have. Empty where no classifier was at work.
pub(super) fn classified(workload: &Workload, schedule: &Schedule, job: JobId) -> Vec<String> {
    let Some(&SizeClass { class, divider }) = schedule.classes.get(job.index()) else { return Vec::new() };
    let why = schedule.notes.of_job(NoteId::BECAUSE, job).and_then(Because::of_note);
    let mut told = Vec::new();
    told.push(match (divider, class) {
        (None, _) => "Classified as large: nothing was known yet of how long jobs run.".to_owned(),
        (Some(divider), class) => {
            let taken = match class {
                Class::Small => format!("Classified as small (less than {} s)", whole(divider)),
                Class::Large => format!("Classified as large ({} s or more)", whole(divider)),
            };
            match why {
                Some(why) => format!("{taken}: {why}."),
                None => format!("{taken}."),
            }
        }
    });
    let killed: Vec<_> = schedule.killed_of(job).collect();
    let starts = killed.iter().skip(1).map(|later| later.start).chain([schedule.start(job)]);
    for (killed, again) in killed.iter().zip(starts) {
        let (ran, later) = (whole(killed.end - killed.start), again - killed.end);
        told.push(match later {
            0 => format!("Killed after {ran} s, started again at once."),
            _ => format!("Killed after {ran} s, started again {} later.", duration(later as f64)),
        });
    }
    if let Some(divider) = divider {
        let run = workload.run(job);
        let is = if Class::of(run, divider).is_small() { "small" } else { "large" };
        told.push(format!("It ran for {} s: it was {is}.", whole(run)));
    }
    told
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

#[cfg(test)]
mod classified_tests {
    use super::*;
    use packfair_engine::classifier::{KnownClasses, Vote};
    use packfair_engine::model::{Execution, KilledBy};
    use packfair_workload::testing::workload;

    #[test]
    fn what_a_job_was_taken_for_and_why_is_told_with_what_came_of_it() {
        let workload = workload(10, &[(0, 1_000, 6), (1, 50, 8), (2, 5, 1)]);
        let mut schedule = Schedule::of_starts(&workload, vec![900, 0, 2]);
        assert!(classified(&workload, &schedule, JobId(0)).is_empty(), "no classifier was at work");
        let small = SizeClass { class: Class::Small, divider: Some(847) };
        schedule.classes = vec![small, SizeClass { class: Class::Large, ..small }, SizeClass::default()];
        schedule.killed.push(Execution { job: JobId(0), start: 10, end: 857, by: KilledBy::Scheduler });
        let same = KnownClasses { latest: [Some(Class::Small); 3], known: 9, small: 8 };
        let vote = Because::Vote(Vote { small: 0.7, trees_for: 14, trees: 20, same });
        schedule.notes.set_of_jobs(NoteId::BECAUSE, vec![vote.noted(), Because::EveryJob.noted()]);
        assert_eq!(
            classified(&workload, &schedule, JobId(0)),
            [
                "Classified as small (less than 847 s): 14 of 20 trees say small; the last three jobs of this user with \
                 this requested time were small.",
                "Killed after 847 s, started again 43\u{a0}s later.",
                "It ran for 1,000 s: it was large.",
            ]
        );
        assert_eq!(
            classified(&workload, &schedule, JobId(1)),
            ["Classified as large (847 s or more): every job is tried.", "It ran for 50 s: it was small."]
        );
        let first = classified(&workload, &schedule, JobId(2));
        assert_eq!(first, ["Classified as large: nothing was known yet of how long jobs run."]);
    }
}
