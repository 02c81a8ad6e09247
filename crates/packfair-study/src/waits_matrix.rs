//! Waits by group, with a row for each group and a column for each run. It shows which groups lose by which scheduler,
//! the largest loss first, and tells it in one sentence.

use super::format::{counted, number, span, time_instead_of, whole};
use super::grouped::{WaitsColumn, WaitsRow, in_a_sentence};
use super::{Baseline, Run};
use packfair_engine::metric::Grouping;
use packfair_workload::Header;

/// A group of at least this many jobs is worth a sentence.
const WORTH_TELLING: usize = 20;

/// A group loses where its jobs wait longer by at least this much on average, seconds.
const LOSS: f64 = 600.0;

/// A group is far worse off where its jobs wait longer by at least this much on average, seconds.
const DAY: f64 = 86_400.0;

/// Waits of groups of jobs under several runs.
#[derive(Clone, Debug, PartialEq)]
pub struct WaitsMatrix {
    pub by: Grouping,
    /// What the log calls that, as a heading.
    pub word: String,
    pub column: WaitsColumn,
    pub runs: Vec<Run>,
    pub groups: Vec<MatrixGroup>,
}

/// A group of jobs.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixGroup {
    /// The group, as in [`packfair_engine::metric::GroupWaits`].
    pub group: i64,
    pub name: String,
    /// How many jobs count, under the run with the most.
    pub jobs: usize,
    /// A cell for each run; `None` where nothing is known.
    pub cells: Vec<Option<MatrixCell>>,
}

/// A group under a run.
#[derive(Clone, Debug, PartialEq)]
pub struct MatrixCell {
    /// The group's numbers under the run.
    pub row: WaitsRow,
    /// The group's numbers under the run's baseline, where that is another run.
    pub base: Option<WaitsRow>,
}

/// How the groups are sorted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum MatrixOrder {
    /// By the largest loss under any run: jobs times how much longer they wait on average.
    #[default]
    Loss,
    Group,
    Jobs,
    /// By the values under one run, given by its column: the largest first.
    Run(usize),
}

impl MatrixCell {
    /// How much longer a job of the group waits on average than under the baseline, seconds.
    fn lost(&self) -> Option<f64> {
        Some(self.row.waits.wait.mean - self.base.as_ref()?.waits.wait.mean)
    }

    /// The change relative to the baseline, as a share.
    pub fn change(&self, column: WaitsColumn) -> Option<f64> {
        let (value, base) = (column.value(&self.row)?, column.value(self.base.as_ref()?)?);
        super::format::relative(value, base)
    }
}

impl MatrixGroup {
    /// The total wait that the group's jobs lose under the run by which they lose most, seconds; below 0 where they
    /// gain.
    fn lost(&self) -> f64 {
        let each = self.cells.iter().flatten().filter_map(|cell| Some(cell.lost()? * self.jobs as f64));
        each.fold(f64::NEG_INFINITY, f64::max)
    }
}

impl WaitsMatrix {
    /// The matrix of these rows, which all have the same grouping. Runs keep the order in which they come.
    pub fn of(rows: &[WaitsRow], by: Grouping, column: WaitsColumn, baseline: &Baseline, sort: MatrixOrder) -> Self {
        let mut runs: Vec<Run> = Vec::new();
        let mut groups: Vec<MatrixGroup> = Vec::new();
        for row in rows {
            if !runs.contains(&row.run) {
                runs.push(row.run.clone());
            }
            match groups.iter_mut().find(|group| group.group == row.waits.group) {
                Some(group) => group.jobs = group.jobs.max(row.waits.jobs),
                None => groups.push(MatrixGroup {
                    group: row.waits.group,
                    name: row.name.clone(),
                    jobs: row.waits.jobs,
                    cells: Vec::new(),
                }),
            }
        }
        let find = |group: i64, run: &Run| rows.iter().find(|row| row.waits.group == group && row.run == *run);
        for group in &mut groups {
            let cell = |run: &Run| {
                let row = find(group.group, run)?.clone();
                let base = baseline.of(run).filter(|base| base != run);
                Some(MatrixCell { row, base: base.and_then(|base| find(group.group, &base).cloned()) })
            };
            group.cells = runs.iter().map(cell).collect();
        }
        let mut matrix = WaitsMatrix { by, word: by.name().to_owned(), column, runs, groups };
        matrix.sort(sort);
        matrix
    }

    /// The matrix with the log's own word for its grouping ([`Grouping::called`]).
    pub fn called_in(mut self, header: &Header) -> Self {
        self.by.called(header).clone_into(&mut self.word);
        self
    }

    fn sort(&mut self, sort: MatrixOrder) {
        let column = self.column;
        let key = |group: &MatrixGroup| match sort {
            MatrixOrder::Group => 0.0,
            MatrixOrder::Loss => group.lost(),
            MatrixOrder::Jobs => group.jobs as f64,
            MatrixOrder::Run(run) => {
                let cell = group.cells.get(run).and_then(Option::as_ref);
                cell.and_then(|cell| column.value(&cell.row)).unwrap_or(f64::NEG_INFINITY)
            }
        };
        self.groups.sort_by(|a, b| key(b).total_cmp(&key(a)).then(a.group.cmp(&b.group)));
    }

    /// The largest value, which scales the bars.
    pub fn largest(&self) -> f64 {
        let cells = self.groups.iter().flat_map(|group| group.cells.iter().flatten());
        cells.filter_map(|cell| self.column.value(&cell.row)).fold(0.0, f64::max)
    }

    /// Which group loses most, in a sentence or two; `None` where nothing can be compared.
    pub fn in_words(&self) -> Option<String> {
        let losing = |run: usize| {
            let lost = move |group: &MatrixGroup| group.cells.get(run)?.as_ref()?.lost();
            self.groups.iter().filter_map(move |group| Some((group, lost(group)?)))
        };
        let is_compared = (0..self.runs.len()).any(|run| losing(run).next().is_some());
        if !is_compared {
            return None;
        }
        // Find the run and the group of some size that lose most. Nobody could choose the log's own schedule, so it is
        // left out.
        let chosen = (0..self.runs.len()).filter(|run| !self.runs[*run].scheduler.is_given());
        let told = chosen.flat_map(|run| losing(run).map(move |(group, lost)| (run, group, lost)));
        let told = told.filter(|(_, group, lost)| group.jobs >= WORTH_TELLING && *lost >= LOSS);
        let worst = told.max_by(|a, b| (a.2 * a.1.jobs as f64).total_cmp(&(b.2 * b.1.jobs as f64)));
        let Some((run, group, lost)) = worst else {
            return Some(self.nobody_loses_much());
        };
        let cell = group.cells[run].as_ref()?;
        let base = cell.base.as_ref()?.waits.wait.mean;
        let times = (lost + base) / base;
        let how = match base > 0.0 && times >= 2.0 {
            true => format!("{} times as long", number(times)),
            false => format!("{} longer", span(lost)),
        };
        let far = losing(run).filter(|(_, lost)| *lost >= DAY).count();
        let far = match far {
            0 => String::new(),
            n => format!("; {} more than a day", self.groups_lose(n)),
        };
        Some(format!(
            "Under {} {} wait {how} on average ({} in place of {}){far}.",
            self.runs[run].scheduler.name(),
            self.called(group),
            span(lost + base),
            span(base),
        ))
    }

    /// The sentence where no group of some size loses much: with the group that loses most all the same, of any size.
    fn nobody_loses_much(&self) -> String {
        let chosen = (0..self.runs.len()).filter(|run| !self.runs[*run].scheduler.is_given());
        let cells = chosen.flat_map(|run| {
            let cell = move |group: &MatrixGroup| group.cells.get(run)?.as_ref()?.lost();
            self.groups.iter().filter_map(move |group| Some((run, group, cell(group)?)))
        });
        let most = cells.filter(|(_, _, lost)| *lost > 0.0).max_by(|a, b| a.2.total_cmp(&b.2));
        let Some((run, group, lost)) = most else {
            return "No group waits longer on average under any scheduler here than under what it is compared with."
                .to_owned();
        };
        let base = group.cells[run].as_ref().and_then(|cell| cell.base.as_ref()).map_or(0.0, |row| row.waits.wait.mean);
        let jobs = format!("{} of ", counted(group.jobs as u64, "job", "jobs"));
        format!(
            "No group of {WORTH_TELLING} jobs or more waits {} longer on average. Most lose, under {}, the {jobs}{} {}: {}.",
            span(LOSS),
            self.runs[run].scheduler.name(),
            in_a_sentence(&self.word),
            group.name,
            time_instead_of(lost + base, base),
        )
    }

    /// The jobs of a group, as words within a sentence.
    fn called(&self, group: &MatrixGroup) -> String {
        let name = &group.name;
        match self.by {
            Grouping::Width => format!("jobs of width {name}"),
            Grouping::RunTime | Grouping::RunTimeDynp => format!("jobs that run {name}"),
            Grouping::Hour => format!("jobs submitted at {name}"),
            Grouping::Week => format!("jobs of week {name}"),
            _ => format!("the {} jobs of {} {name}", whole(group.jobs as i64), in_a_sentence(&self.word)),
        }
    }

    fn groups_lose(&self, n: usize) -> String {
        let (one, many) = match self.by {
            Grouping::User => ("user loses", "users lose"),
            Grouping::Account if self.word == "Account" => ("account loses", "accounts lose"),
            Grouping::Partition => ("partition loses", "partitions lose"),
            Grouping::Queue if self.word == "QOS" => ("QOS loses", "QOS lose"),
            Grouping::Queue => ("queue loses", "queues lose"),
            _ => ("group loses", "groups lose"),
        };
        counted(n as u64, one, many)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use packfair_engine::metric::{GroupWaits, Spread};

    fn row(by: Grouping, run: &str, group: i64, jobs: usize, mean: f64) -> WaitsRow {
        let spread = |mean| Spread { mean, median: mean, p90: mean, p95: mean, max: mean };
        let waits = GroupWaits { group, jobs, wait: spread(mean), bsld: spread(1.0), to_log: None, sldww: 1.0 };
        WaitsRow {
            by,
            word: by.name().to_owned(),
            name: format!("g{group}"),
            run: Run::new(run.parse().unwrap(), "actual".parse().unwrap()),
            waits,
        }
    }

    fn rows(by: Grouping) -> Vec<WaitsRow> {
        vec![
            row(by, "easy", 1, 100, 1_000.0),
            row(by, "easy", 2, 30, 2_000.0),
            row(by, "easy", 3, 2, 100.0),
            row(by, "saf-justbf", 1, 100, 500.0),
            row(by, "saf-justbf", 2, 30, 200_000.0),
            row(by, "saf-justbf", 3, 2, 900_000.0),
        ]
    }

    fn matrix(by: Grouping, sort: MatrixOrder) -> WaitsMatrix {
        let easy = Baseline::Scheduler("easy".parse().unwrap());
        WaitsMatrix::of(&rows(by), by, WaitsColumn::WaitMean, &easy, sort)
    }

    #[test]
    fn a_row_a_group_a_column_a_run_and_who_loses_most_first() {
        let loss = matrix(Grouping::User, MatrixOrder::Loss);
        assert_eq!(loss.runs.len(), 2);
        assert_eq!(loss.groups.iter().map(|group| group.group).collect::<Vec<_>>(), [2, 3, 1]);
        assert_eq!(loss.largest(), 900_000.0);
        let cell = loss.groups[2].cells[1].as_ref().unwrap();
        assert_eq!(cell.change(WaitsColumn::WaitMean), Some(-0.5));
        assert_eq!(loss.groups[0].cells[0].as_ref().unwrap().base, None, "the baseline is compared with nothing");
        let by = |sort| matrix(Grouping::User, sort).groups.iter().map(|group| group.group).collect::<Vec<_>>();
        assert_eq!(by(MatrixOrder::Group), [1, 2, 3]);
        assert_eq!(by(MatrixOrder::Jobs), [1, 2, 3]);
        assert_eq!(by(MatrixOrder::Run(1)), [3, 2, 1]);
    }

    #[test]
    fn who_loses_is_told_in_a_sentence() {
        let words = |by| matrix(by, MatrixOrder::Loss).in_words().unwrap().replace('\u{a0}', " ");
        assert_eq!(
            words(Grouping::User),
            "Under SAF-JustBF the 30 jobs of user g2 wait 100.0 times as long on average (2 d 8 h in place of \
             33 min 20 s); 2 users lose more than a day."
        );
        assert!(words(Grouping::Width).starts_with("Under SAF-JustBF jobs of width g2 wait 100.0 times as long"));
        let alike: Vec<WaitsRow> = ["easy", "justbf"].map(|run| row(Grouping::User, run, 1, 100, 50.0)).into();
        let easy = Baseline::Scheduler("easy".parse().unwrap());
        let of = |rows: &[WaitsRow], baseline: &Baseline| {
            WaitsMatrix::of(rows, Grouping::User, WaitsColumn::WaitMean, baseline, MatrixOrder::Loss).in_words()
        };
        assert!(of(&alike, &easy).unwrap().starts_with("No group waits longer on average"));
        // A large change of a short wait is in the table, and so in the sentence.
        let little = [row(Grouping::User, "easy", 1, 100, 441.0), row(Grouping::User, "laf-justbf", 1, 100, 822.0)];
        assert_eq!(
            of(&little, &easy).unwrap().replace('\u{a0}', " "),
            "No group of 20 jobs or more waits 10 min longer on average. Most lose, under LAF-JustBF, the 100 jobs of user \
             g1: 14 min instead of 7.3 min."
        );
        assert_eq!(of(&alike, &Baseline::None), None);
    }
}
