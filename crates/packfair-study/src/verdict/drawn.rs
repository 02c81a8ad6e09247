//! Tables drawn at random (with repeats, saturated rows and several machines), with each sentence checked against their
//! numbers by a reader that knows nothing of the rules.

use super::*;
use crate::format::SPACE;
use crate::sureness::{Interval, NoInterval, Repeats};
use crate::table::{Mode, Table};
use packfair_engine::metric::{Curves, Line, Saturation};
use std::collections::BTreeSet;

const COLUMNS: [(Metric, &str); 3] =
    [(Metric::Bsld, "slowdown"), (Metric::Af, "response time"), (Metric::P2sf, "P²SF")];
const REPEATS: u32 = 5;
const WHAT_IFS: [(&str, &str); 2] = [("nodes=+20", "20 more nodes"), ("nodes=-2", "2 fewer nodes")];

/// A generator of numbers, the same on every machine.
struct Draws(u64);

impl Draws {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }

    fn one_in(&mut self, bound: u64) -> bool {
        self.below(bound) == 0
    }
}

/// A row, and what its columns come to on each repeat.
struct DrawnRow {
    report: RunReport,
    repeats: Vec<[Option<f64>; COLUMNS.len()]>,
}

struct Drawn {
    rows: Vec<DrawnRow>,
    baseline: Baseline,
    has_repeats: bool,
}

impl Drawn {
    fn of(draws: &mut Draws) -> Self {
        let ids = ["justbf", "easy", "saf-justbf", "laf-justbf", "fcfs"];
        let count = 2 + draws.below(4) as usize;
        let mut rows: Vec<DrawnRow> = Vec::new();
        for place in 0..count + draws.below(3) as usize {
            let method = if place < count { "requested" } else { "actual" };
            rows.push(row(Run::new(ids[place % ids.len()].parse().unwrap(), method.parse().unwrap()), draws));
        }
        if draws.one_in(3) {
            for (what_if, _) in WHAT_IFS {
                let twin = rows[draws.below(2) as usize].report.run.clone().what_if(what_if.parse().ok());
                rows.push(row(twin, draws));
            }
        }
        let baseline = match draws.below(3) {
            0 => Baseline::None,
            1 => Baseline::Run(rows[0].report.run.clone()),
            _ => Baseline::Scheduler("justbf".parse().unwrap()),
        };
        Drawn { rows, baseline, has_repeats: draws.one_in(2) }
    }

    fn repeated(&self) -> Option<Repeated> {
        let runs: Vec<Run> = self.rows.iter().map(|row| row.report.run.clone()).collect();
        let metrics = COLUMNS.map(|(metric, _)| metric).to_vec();
        let mut repeated = Repeated::new(Repeats::of(REPEATS), metrics, &runs);
        for row in &self.rows {
            for (repeat, values) in (0..).zip(&row.repeats) {
                repeated.set(&row.report.run, repeat, values.to_vec());
            }
        }
        Some(repeated).filter(|_| self.has_repeats)
    }

    /// The rows on the machine as it is, which sentences without a machine speak of.
    fn own(&self) -> impl Iterator<Item = &DrawnRow> {
        self.rows.iter().filter(|row| row.report.run.what_if.is_none())
    }

    fn stable(&self) -> impl Iterator<Item = &DrawnRow> {
        self.own().filter(|row| row.report.saturation.is_none())
    }

    /// The row that a sentence names; where it tells no estimate, that of `like`.
    fn named(&self, name: &str, like: Option<&DrawnRow>) -> &DrawnRow {
        let is_it = |row: &&DrawnRow| {
            let scheduler = row.report.run.scheduler.name();
            let has_estimate = name.contains('(');
            (has_estimate && name.starts_with(&format!("{scheduler} ({})", estimate(row))))
                || (!has_estimate && name == scheduler && like.is_some_and(|like| estimate(like) == estimate(row)))
        };
        self.own().find(is_it).unwrap_or_else(|| panic!("no row is called {name}"))
    }

    /// What a row is compared with: its baseline, or EASY with the same estimate where that cannot be compared with.
    fn basis(&self, own: &DrawnRow) -> Option<&DrawnRow> {
        let easy = || {
            self.stable().find(|row| row.report.run.scheduler.to_string() == "easy" && estimate(row) == estimate(own))
        };
        let asked = self.baseline.of(&own.report.run);
        let found = asked.and_then(|run| self.stable().find(|row| row.report.run == run)).or_else(easy)?;
        Some(found).filter(|found| found.report.run != own.report.run)
    }

    /// The change from `than` to `of`, as a share, and whether it is sure: its interval is on one side of 0, and the repeats
    /// of both rows resemble the log.
    fn change(&self, of: &DrawnRow, than: &DrawnRow, column: usize) -> Option<(f64, bool)> {
        let metric = COLUMNS[column].0;
        let value = |row: &DrawnRow| row.report.values.get(&metric).copied();
        let change = value(of)? / value(than)? - 1.0;
        let each = |row: &DrawnRow| row.repeats.iter().map(|values| values[column]).collect::<Vec<Option<f64>>>();
        let (ours, theirs) = (each(of), each(than));
        let changes: Vec<Option<f64>> =
            ours.iter().zip(&theirs).map(|(one, other)| Some((*one)? / (*other)? - 1.0)).collect();
        let is_on_one_side = |interval: Interval| interval.low > 0.0 || interval.high < 0.0;
        let is_alike = |own: f64, repeats: &[Option<f64>]| Interval::of_value(own, repeats) != Err(NoInterval::Misfit);
        let is_sure = Interval::of_change(change, &changes).is_ok_and(is_on_one_side)
            && is_alike(value(of)?, &ours)
            && is_alike(value(than)?, &theirs);
        Some((change, !self.has_repeats || is_sure))
    }

    fn changes<'a>(&'a self, of: &'a DrawnRow, than: &'a DrawnRow) -> impl Iterator<Item = (f64, bool)> + 'a {
        (0..COLUMNS.len()).filter_map(|column| self.change(of, than, column))
    }

    /// Checks what each sentence claims; how many there are. Those that it does not know are noted, without their numbers.
    fn read(&self, text: &str, unknown: &mut BTreeSet<String>) -> usize {
        let sentences: Vec<&str> = text.trim_end_matches('.').split(". ").collect();
        for (place, sentence) in sentences.iter().enumerate() {
            let follows = sentences.get(place + 1).copied().unwrap_or_default();
            if !self.is_known(sentence, follows, text) {
                unknown.insert(sentence.replace(|c: char| c.is_ascii_digit(), ""));
            }
        }
        sentences.len()
    }

    fn is_known(&self, sentence: &str, follows: &str, text: &str) -> bool {
        let could = |row: &&DrawnRow| !sentence.contains("could be chosen") || estimate(row) == "requested";
        let column = |what: &str| COLUMNS.iter().position(|(_, words)| what.contains(words));
        if let Some((what, rest)) = sentence.strip_prefix("For ").and_then(|rest| rest.split_once(", nothing ")) {
            let best = self.named(rest.split_once("better than ").unwrap().1, None);
            let column = column(what).unwrap();
            for other in self.stable().filter(could).filter(|other| other.report.run != best.report.run) {
                if let Some((change, is_sure)) = self.change(other, best, column) {
                    // A difference counts from 1 % of the larger value, and a hair more for rounding.
                    assert!(!is_sure || change > -0.0101, "{text}: but {}", other.report.run.id());
                }
            }
            return true;
        }
        if let Some((what, name)) = sentence.strip_prefix("For ").and_then(|rest| rest.split_once(": ")) {
            let best = self.named(name, None);
            let (basis, claims) = follows.strip_prefix("Against ").unwrap().split_once(": ").unwrap();
            let (gains, _) = claims.split_once("; ").unwrap();
            let (change, is_sure) = self.change(best, self.named(basis, Some(best)), column(what).unwrap()).unwrap();
            assert!(is_sure && change <= -0.0099 && gains.contains("lower"), "{text}");
            return true;
        }
        if let Some((basis, claims)) = sentence.strip_prefix("Against ").and_then(|rest| rest.split_once(": ")) {
            let name = text.split_once(": ").unwrap().1.split_once(". Against").unwrap().0;
            let best = self.named(name, None);
            return self.have_changes(best, self.named(basis, Some(best)), claims, text);
        }
        if let Some((name, rest)) = sentence.split_once(" is better").filter(|(name, _)| name.ends_with(')')) {
            let best = self.named(name, None);
            let (how, rest) = rest.split_once("than ").unwrap();
            let (basis, claims) = rest.split_once(": ").unwrap();
            let basis = self.named(basis, Some(best));
            let all = || self.changes(best, basis);
            assert!(all().any(|(change, is_sure)| is_sure && change <= -0.0099), "{text}");
            assert!(!all().any(|(change, is_sure)| is_sure && change >= 0.0101), "{text}");
            if how.contains("in everything") {
                assert!(
                    all().count() == COLUMNS.len() && all().all(|(change, sure)| sure && change <= -0.0099),
                    "{text}"
                );
            }
            return self.have_changes(best, basis, claims, text);
        }
        if sentence.starts_with("No run ") && sentence.contains("better without a price") {
            for own in self.stable().filter(could) {
                let Some(basis) = self.basis(own) else { continue };
                let all = || self.changes(own, basis);
                let is_free = all().any(|(change, is_sure)| is_sure && change <= -0.0101)
                    && !all().any(|(change, is_sure)| is_sure && change >= 0.0099);
                assert!(!is_free, "{text}: but {} is, against {}", own.report.run.id(), basis.report.run.id());
            }
            return true;
        }
        if sentence.starts_with("No scheduler differs by 1 %") {
            let is_scoped = sentence.contains("among those");
            for column in 0..COLUMNS.len() {
                let rows = || self.stable().filter(move |row| !is_scoped || estimate(row) == "requested");
                for (one, other) in rows().flat_map(|one| rows().map(move |other| (one, other))) {
                    let change = self.change(one, other, column).map_or(0.0, |(change, _)| change);
                    assert!(change > -0.0101, "{text}: but {} {change}", one.report.run.id());
                }
            }
            return true;
        }
        if let Some((what, _)) = sentence.strip_prefix("For ").and_then(|rest| rest.split_once(", no run ")) {
            let column = column(what).unwrap();
            for own in self.stable().filter(could) {
                let Some(basis) = self.basis(own) else { continue };
                let is_better =
                    self.change(own, basis, column).is_some_and(|(change, is_sure)| is_sure && change <= -0.0101);
                assert!(!is_better, "{text}: but {} is, against {}", own.report.run.id(), basis.report.run.id());
            }
            return true;
        }
        if let Some(what) = sentence.strip_prefix("No row here tells ") {
            let metric = COLUMNS[column(what).unwrap()].0;
            let mut chosen = self.stable().filter(|row| estimate(row) == "requested");
            let tells = |row: &DrawnRow| row.report.values.contains_key(&metric);
            assert!(chosen.next().is_none_or(|first| !tells(first) || !chosen.all(tells)), "{text}");
            return true;
        }
        if sentence.starts_with("No row here is compared with another") {
            // known run times are no choice
            let mut chosen = self.stable().filter(|own| estimate(own) == "requested");
            assert!(!chosen.any(|own| self.basis(own).is_some()), "{text}");
            return true;
        }
        if let Some(rest) = sentence.strip_prefix("The comparison here is with ") {
            let (basis, asked) = rest.split_once(", not with the table's baseline, ").unwrap();
            assert!(self.named(basis, None).report.saturation.is_none(), "{text}");
            let is_asked = |own: &DrawnRow| {
                self.baseline.of(&own.report.run).is_some_and(|run| asked.starts_with(&run.scheduler.name()))
            };
            assert!(self.own().any(is_asked), "{text}");
            return true;
        }
        if let Some((common, claims)) = sentence.strip_prefix("Best").and_then(|rest| rest.split_once(": ")) {
            let like = self.own().find(|row| common.contains(estimate(row)));
            for (names, measures) in claims.split("; ").map(|claim| claim.split_once(" for ").unwrap()) {
                let columns = (0..COLUMNS.len()).filter(|&column| measures.contains(COLUMNS[column].1));
                for (column, name) in columns.flat_map(|column| names.split(" or ").map(move |name| (column, name))) {
                    let best = self.named(name, like.filter(|_| !common.is_empty()));
                    // known run times are no choice where requested ones are there
                    let is_free = !text.contains("could be chosen") && !common.contains("requested");
                    for other in self.stable().filter(|row| is_free || estimate(row) == "requested") {
                        let change = self.change(other, best, column);
                        let is_better = change.is_some_and(|(change, is_sure)| is_sure && change < -0.0101);
                        assert!(!is_better, "{text}: but {} is better in {}", other.report.run.id(), COLUMNS[column].1);
                    }
                }
            }
            return true;
        }
        if sentence.starts_with("Every row ") {
            assert!(!self.stable().any(|row| could(&row)), "{text}");
            return true;
        }
        if let Some(name) = sentence.strip_prefix("Only ").and_then(|rest| rest.strip_suffix(" can be judged")) {
            let is_other = |row: &&DrawnRow| row.report.run != self.named(name, None).report.run;
            assert!(!self.stable().filter(is_other).any(|row| estimate(row) == "requested"), "{text}");
            return true;
        }
        if let Some((names, _)) = sentence.split_once(" left out: ") {
            let names = names.trim_end_matches(" is").trim_end_matches(" are").replace(" and ", ", ");
            for name in names.split(", ").filter(|name| !name.ends_with(" more")) {
                let scheduler = name.split(" (").next().unwrap();
                let mut rows = self.own().filter(|row| row.report.run.scheduler.name() == scheduler);
                assert!(rows.any(|row| row.report.saturation.is_some()), "{text}: {name} is not");
            }
            return true;
        }
        if let Some((what_if, rest)) = sentence.strip_prefix("With ").and_then(|rest| rest.split_once(", ")) {
            return self.is_of_machine(what_if, rest, text);
        }
        if let Some((name, _)) = sentence.split_once(", the baseline, is saturated: ") {
            assert!(self.named(name, None).report.saturation.is_some(), "{text}");
            return true;
        }
        false
    }

    /// Checks claims such as "slowdown 32 % lower, P²SF 4 to 9 % higher": whether there was any.
    fn have_changes(&self, of: &DrawnRow, than: &DrawnRow, claims: &str, text: &str) -> bool {
        let claims = claims.replace("; ", ", ").replace("the price: ", "");
        let mut is_any = false;
        for claim in claims.split(", ") {
            let column = (0..COLUMNS.len()).find(|&column| claim.starts_with(&format!("{} ", COLUMNS[column].1)));
            let (Some(column), true) = (column, claim.contains(" % ")) else { continue };
            let (change, is_sure) = self.change(of, than, column).unwrap();
            assert!(is_sure && (change < 0.0) == claim.ends_with("lower"), "{text}: {claim}, but {change}");
            let number = |word: &str| word.parse::<f64>().ok();
            let told: Vec<f64> = claim.split(' ').filter_map(number).collect();
            let percent = 100.0 * change.abs();
            let (low, high) = (told[0].min(told[told.len() - 1]), told[0].max(told[told.len() - 1]));
            assert!(low - 0.51 <= percent && percent <= high + 0.51, "{text}: {claim}, but {change}");
            is_any = true;
        }
        is_any
    }

    /// Checks a sentence on a what-if.
    fn is_of_machine(&self, name: &str, rest: &str, text: &str) -> bool {
        let (what_if, _) = WHAT_IFS.into_iter().find(|(_, other)| *other == name).unwrap();
        let twin = |own: &DrawnRow| {
            let run = own.report.run.clone().what_if(what_if.parse().ok());
            self.rows.iter().find(|row| row.report.run == run).unwrap_or_else(|| panic!("{text}: no such row"))
        };
        if let Some((name, _)) = rest.split_once(" is not saturated, as it is") {
            let own = self.named(name, None);
            assert!(own.report.saturation.is_some() && twin(own).report.saturation.is_none(), "{text}");
            return true;
        }
        if let Some(name) = rest.strip_suffix(" is saturated") {
            assert!(twin(self.named(name, None)).report.saturation.is_some(), "{text}");
            return true;
        }
        let (what, told) = rest.split_once(" of ").unwrap();
        let (name, told) = told.split_once(" is ").unwrap();
        let column = COLUMNS.iter().position(|(_, words)| what == *words).unwrap();
        let own = self.named(name, None);
        let (change, _) = self.change(twin(own), own, column).unwrap();
        if !told.starts_with("the same") {
            let percent: f64 = told.split(' ').next().unwrap().parse().unwrap();
            assert!((percent - 100.0 * change.abs()).abs() < 0.51, "{text}: but {change}");
            assert_eq!(told.split([' ', ':', ',']).nth(2) == Some("lower"), change < 0.0, "{text}");
        }
        true
    }
}

fn estimate(row: &DrawnRow) -> &'static str {
    if row.report.run.id().contains("requested") { "requested" } else { "actual" }
}

fn row(run: Run, draws: &mut Draws) -> DrawnRow {
    let values = COLUMNS.map(|_| 50.0 + draws.below(30) as f64 * [0.1, 5.0][draws.below(2) as usize]);
    let lacks = draws.below(12) as usize;
    let columns = COLUMNS.into_iter().zip(values).enumerate();
    let told =
        columns.filter(|(column, _)| *column != lacks).map(|(_, ((metric, _), value))| (metric, value)).collect();
    // Now and then the repeats lie elsewhere than the log's own value.
    let spread = [0.001, 0.01, 0.1][draws.below(3) as usize];
    let shift = if draws.one_in(6) { 1.2 } else { 1.0 };
    let mut repeat = || {
        let mut around = |value: f64| value * (shift + spread * (draws.below(2_001) as f64 / 1_000.0 - 1.0));
        let values = values.map(&mut around);
        std::array::from_fn(|column| Some(values[column]).filter(|_| column != lacks))
    };
    let repeats = (0..REPEATS).map(|_| repeat()).collect();
    let is_saturated = draws.one_in(6);
    let report = RunReport {
        run,
        shrink: 1.0,
        jobs: 1_000,
        values: told,
        curves: Curves { waits: Line { x: vec![0.0, 50.0], y: vec![0.5, 1.0] }, ..Curves::default() },
        wall_s: 0.0,
        machine: None,
        machine_use: None,
        is_plain: false,
        overfull: None,
        saturation: is_saturated.then_some(Saturation { left_s: 86_400.0, share: 0.4 }),
        is_too_short: false,
    };
    DrawnRow { report, repeats }
}

#[test]
fn no_sentence_is_refuted_by_its_table() {
    let mut draws = Draws(7);
    let columns = COLUMNS.map(|(metric, _)| metric);
    let (mut read_so_far, mut unknown) = ([0; 4], BTreeSet::new());
    for _ in 0..3_000 {
        let drawn = Drawn::of(&mut draws);
        let repeated = drawn.repeated();
        let table = Judged {
            reports: drawn.rows.iter().map(|row| &row.report).collect(),
            missing: Vec::new(),
            columns: &columns,
            baseline: &drawn.baseline,
            repeated: repeated.as_ref(),
            load: None,
            has_site: false,
        };
        for concern in [Concern::Everything, Concern::Slowdown, Concern::Response, Concern::Fairness] {
            let Some(verdict) = judge(&table, concern) else { continue };
            let text = verdict.text.replace(SPACE, " ");
            read_so_far[0] += drawn.read(&text, &mut unknown);
            read_so_far[1] += usize::from(drawn.has_repeats);
            read_so_far[2] += usize::from(text.contains("saturated"));
            read_so_far[3] += usize::from(text.contains("With "));
            if let Some(run) = &verdict.run {
                let named = drawn.rows.iter().find(|row| row.report.run == *run).unwrap();
                assert!(named.report.saturation.is_none() && run.what_if.is_none(), "{text}");
            }
        }
    }
    assert!(unknown.is_empty(), "nobody has checked these: {unknown:#?}");
    assert!(read_so_far[0] > 10_000 && read_so_far[1..].iter().all(|&read| read > 1_000), "read only {read_so_far:?}");
}

#[test]
fn no_mark_is_refuted_by_its_table() {
    let mut draws = Draws(8);
    let columns = COLUMNS.map(|(metric, _)| metric);
    let mut marks = 0;
    for _ in 0..3_000 {
        let drawn = Drawn::of(&mut draws);
        for mode in [Mode::Absolute, Mode::Change] {
            let reports = || drawn.rows.iter().map(|row| &row.report);
            let mut table = Table::of(reports(), &columns, &drawn.baseline, mode);
            if let Some(repeated) = &drawn.repeated() {
                table = table.with_repeats(repeated);
            }
            for (own, row) in drawn.rows.iter().zip(&table.rows) {
                let best = |column: &usize| row.cells[*column].is_some_and(|cell| cell.is_best);
                for column in (0..COLUMNS.len()).filter(best) {
                    marks += 1;
                    assert!(own.report.saturation.is_none(), "{}", own.report.run.id());
                    assert!(
                        drawn.own().count() == drawn.rows.len(),
                        "the best of one machine is not that of the column"
                    );
                    let is_rival = |other: &&DrawnRow| {
                        let shares = |of: &DrawnRow| drawn.baseline.of(&of.report.run).map(|run| run.id());
                        other.report.run != own.report.run && (mode == Mode::Absolute || shares(other) == shares(own))
                    };
                    for other in drawn.stable().filter(is_rival) {
                        let Some((change, is_sure)) = drawn.change(own, other, column) else { continue };
                        assert!(is_sure && change <= -0.0099, "{} {change}", own.report.run.id());
                    }
                }
            }
        }
    }
    assert!(marks > 1_000, "only {marks}");
}
