//! Pages of the table of jobs, asked for as they come into sight.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::query::{Answer, JobRow, JobsQuery, Query};
use leptos::task::spawn_local;
use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// Rows of a page: some ten screens, for a worker goes through the whole log for each.
pub const PAGE: usize = 400;

/// How many pages are asked for at a time: a worker answers one after the other.
const AT_A_TIME: usize = 4;

/// How many pages are kept: those nearest to what is in sight.
const KEPT: usize = 30;

/// How many steps of a scroll are asked for ahead of it, beside a page on either side.
const STEPS_AHEAD: usize = 10;

/// The longest step that is taken for a scroll that goes on, rows; a longer one is a jump.
const LONGEST_STEP: usize = 500;

/// All rows that match a question, as far as they are there.
#[derive(Clone, Copy)]
pub struct Pages {
    app: App,
    /// What is asked, without first and count.
    asked: StoredValue<Option<JobsQuery>>,
    pages: RwSignal<HashMap<usize, Arc<Vec<JobRow>>>>,
    pending: StoredValue<HashSet<usize>>,
    in_sight: StoredValue<Range<usize>>,
    /// What comes into sight next, if scrolling goes on as it does.
    ahead: StoredValue<Range<usize>>,
    matching: RwSignal<Option<usize>>,
    problem: RwSignal<Option<String>>,
    is_waiting: RwSignal<bool>,
}

impl Pages {
    /// Nothing asked yet.
    pub fn new(app: App) -> Self {
        Pages {
            app,
            asked: StoredValue::new(None),
            pages: RwSignal::new(HashMap::new()),
            pending: StoredValue::new(HashSet::new()),
            in_sight: StoredValue::new(0..PAGE),
            ahead: StoredValue::new(0..PAGE),
            matching: RwSignal::new(None),
            problem: RwSignal::new(None),
            is_waiting: RwSignal::new(false),
        }
    }

    /// How many rows there are; none while that is not known.
    pub fn matching(self) -> Option<usize> {
        self.matching.get()
    }

    /// Why there are none, where the question could not be answered.
    pub fn problem(self) -> Option<String> {
        self.problem.get()
    }

    /// Whether the rows shown are those of an earlier question.
    pub fn is_waiting(self) -> bool {
        self.is_waiting.get()
    }

    /// A row, if it is there.
    pub fn row(self, index: usize) -> Option<JobRow> {
        self.pages.with(|pages| pages.get(&(index / PAGE))?.get(index % PAGE).cloned())
    }

    /// Asks another question; its rows replace those shown when they come.
    pub fn ask(self, query: JobsQuery) {
        self.asked.set_value(Some(query));
        self.pending.set_value(HashSet::new());
        self.is_waiting.set(true);
        self.fetch(0);
    }

    /// Sees to it that these rows come.
    pub fn show(self, rows: Range<usize>) {
        let before = self.in_sight.get_value();
        self.ahead.set_value(ahead(&before, &rows));
        self.in_sight.set_value(rows);
        if !self.is_waiting.get_untracked() {
            self.fetch_missing();
        }
    }

    /// Asks for the pages in sight, then for the ones after them.
    fn fetch_missing(self) {
        let last = self.matching.get_untracked().map_or(0, |matching| matching.saturating_sub(1) / PAGE);
        let wanted = pages_of(&self.in_sight.get_value()).chain(pages_of(&self.ahead.get_value()));
        for page in wanted.filter(|page| *page <= last) {
            let is_there = self.pages.with_untracked(|pages| pages.contains_key(&page));
            let pending = self.pending.with_value(|p| if p.contains(&page) { AT_A_TIME } else { p.len() });
            if !is_there && pending < AT_A_TIME {
                self.fetch(page);
            }
        }
    }

    fn fetch(self, page: usize) {
        let Some(asked) = self.asked.get_value() else { return };
        self.pending.update_value(|pending| {
            pending.insert(page);
        });
        let query = JobsQuery { first: page * PAGE, count: PAGE, ..asked.clone() };
        spawn_local(async move {
            let answer = self.app.ask(Query::Jobs(query)).await;
            // the view may be gone, or another question asked meanwhile
            if self.asked.try_get_value() == Some(Some(asked)) {
                self.take(page, answer);
            }
        });
    }

    fn take(self, page: usize, answer: Result<Answer, String>) {
        self.pending.update_value(|pending| {
            pending.remove(&page);
        });
        let is_first = self.is_waiting.get_untracked();
        match answer {
            Ok(Answer::Jobs { matching, rows }) => {
                let middle = self.in_sight.with_value(|rows| (rows.start + rows.end) / 2 / PAGE);
                self.pages.update(|pages| {
                    if is_first {
                        pages.clear();
                    }
                    pages.insert(page, Arc::new(rows));
                    if pages.len() > KEPT {
                        let farthest = pages.keys().copied().max_by_key(|page| page.abs_diff(middle));
                        farthest.map(|page| pages.remove(&page));
                    }
                });
                self.matching.set(Some(matching));
                self.problem.set(None);
            }
            Ok(_) => {
                self.problem.set(Some("The answer was for another question: change the search to ask again".to_owned()))
            }
            Err(why) => self.problem.set(Some(why)),
        }
        self.is_waiting.set(false);
        if self.problem.with_untracked(Option::is_none) {
            self.fetch_missing();
        }
    }
}

/// The pages that hold these rows.
fn pages_of(rows: &Range<usize>) -> RangeInclusive<usize> {
    rows.start / PAGE..=rows.end.saturating_sub(1).max(rows.start) / PAGE
}

/// What may come into sight after `now`, where `before` was in sight: a page on either side, and more where it goes fast.
fn ahead(before: &Range<usize>, now: &Range<usize>) -> Range<usize> {
    let step = now.start.abs_diff(before.start);
    let far = if step <= LONGEST_STEP { STEPS_AHEAD * step } else { 0 }.max(PAGE);
    match now.start < before.start {
        true => now.start.saturating_sub(far)..now.end + PAGE,
        false => now.start.saturating_sub(PAGE)..now.end + far,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn what_comes_next_is_asked_for_where_scrolling_leads() {
        assert_eq!(ahead(&(500..560), &(500..560)), 100..960);
        assert_eq!(ahead(&(500..560), &(505..565)), 105..965);
        assert_eq!(ahead(&(500..560), &(615..675)), 215..1_825);
        assert_eq!(ahead(&(1_615..1_675), &(1_500..1_560)), 350..1_960);
        assert_eq!(ahead(&(100..160), &(30..90)), 0..490);
        // a jump says nothing about the next
        assert_eq!(ahead(&(500..560), &(90_000..90_060)), 89_600..90_460);
        assert_eq!(pages_of(&(395..805)).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(pages_of(&(0..0)).collect::<Vec<_>>(), [0]);
    }
}
