//! Pages of the table of jobs, requested when they come into view.

use crate::app::prelude::*;
use crate::app::state::App;
use crate::study::query::{Answer, JobRow, JobsQuery, Query};
use leptos::task::spawn_local;
use std::collections::{HashMap, HashSet};
use std::ops::{Range, RangeInclusive};
use std::sync::Arc;

/// The number of rows of a page. It is about ten screens, because a worker goes through the whole log for each page.
pub const PAGE: usize = 400;

/// How many pages are requested at a time: a worker answers one after the other.
const AT_A_TIME: usize = 4;

/// How many pages are kept: those nearest to the visible rows.
const KEPT: usize = 30;

/// How many scroll steps ahead rows are requested, besides one page in either direction.
const STEPS_AHEAD: usize = 10;

/// The longest step that counts as scrolling, rows; a longer one is a jump.
const LONGEST_STEP: usize = 500;

/// The rows that match a query, as far as they have arrived.
#[derive(Clone, Copy)]
pub struct Pages {
    app: App,
    /// The query, without `first` and `count`.
    asked: StoredValue<Option<JobsQuery>>,
    pages: RwSignal<HashMap<usize, Arc<Vec<JobRow>>>>,
    pending: StoredValue<HashSet<usize>>,
    in_sight: StoredValue<Range<usize>>,
    /// The rows that come into view next if scrolling continues in the same way.
    ahead: StoredValue<Range<usize>>,
    matching: RwSignal<Option<usize>>,
    problem: RwSignal<Option<String>>,
    is_waiting: RwSignal<bool>,
}

impl Pages {
    /// No query yet.
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

    /// The number of matching rows; `None` while it is unknown.
    pub fn matching(self) -> Option<usize> {
        self.matching.get()
    }

    /// Why there are no rows, if the query could not be answered.
    pub fn problem(self) -> Option<String> {
        self.problem.get()
    }

    /// Whether the rows shown are those of an earlier query.
    pub fn is_waiting(self) -> bool {
        self.is_waiting.get()
    }

    /// The row at an index, if it has arrived.
    pub fn row(self, index: usize) -> Option<JobRow> {
        self.pages.with(|pages| pages.get(&(index / PAGE))?.get(index % PAGE).cloned())
    }

    /// Asks another query. Its rows replace those shown when they arrive.
    pub fn ask(self, query: JobsQuery) {
        self.asked.set_value(Some(query));
        self.pending.set_value(HashSet::new());
        self.is_waiting.set(true);
        self.fetch(0);
    }

    /// Requests these rows if they are missing.
    pub fn show(self, rows: Range<usize>) {
        let before = self.in_sight.get_value();
        self.ahead.set_value(ahead(&before, &rows));
        self.in_sight.set_value(rows);
        if !self.is_waiting.get_untracked() {
            self.fetch_missing();
        }
    }

    /// Requests the visible pages first, then those that may follow.
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
            // the view may be gone, or another query asked meanwhile
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

fn pages_of(rows: &Range<usize>) -> RangeInclusive<usize> {
    rows.start / PAGE..=rows.end.saturating_sub(1).max(rows.start) / PAGE
}

/// The rows that may come into view after `now`, when `before` was in view: one page in either direction, and more in
/// the direction of fast scrolling.
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
        // a jump does not predict the next step
        assert_eq!(ahead(&(500..560), &(90_000..90_060)), 89_600..90_460);
        assert_eq!(pages_of(&(395..805)).collect::<Vec<_>>(), [0, 1, 2]);
        assert_eq!(pages_of(&(0..0)).collect::<Vec<_>>(), [0]);
    }
}
