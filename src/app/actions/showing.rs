//! How results are shown: in which tab, in which order, and what stands out.

use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{Act, App, Notice, Tab, ThemeChoice};
use packfair_engine::metric::Metric;
use packfair_papers::recipe::Recipe;
use packfair_study::Run;
use packfair_study::table::Mode;
use packfair_study::verdict::Concern;
use std::sync::Arc;
use std::time::Duration;

impl App {
    /// Shows a tab. Who asks for results leaves the first screen.
    pub fn show_tab(self, tab: Tab) {
        if !matches!(tab, Tab::Cluster | Tab::When | Tab::Learn) {
            self.go_on();
        }
        self.view.set(tab);
    }

    /// Leaves the first screen, which does not come again by itself.
    pub fn go_on(self) {
        if self.is_new.get_untracked() {
            self.is_new.set(false);
            remembered::set_newest(remembered::STARTED, &true);
        }
    }

    /// Opens a lesson.
    pub fn learn(self, lesson: &str) {
        self.lesson.set(Some(lesson.to_owned()));
        self.show_tab(Tab::Learn);
    }

    pub fn switch_theme(self) {
        self.theme.update(|theme| {
            *theme = match theme {
                ThemeChoice::System => ThemeChoice::Light,
                ThemeChoice::Light => ThemeChoice::Dark,
                ThemeChoice::Dark => ThemeChoice::System,
            }
        });
    }

    /// Highlights a run everywhere; `None` highlights none.
    pub fn highlight(self, run: Option<Run>) {
        self.highlighted.set(run);
    }

    /// Highlights a run or, if it is the highlighted one, none.
    pub fn toggle_highlight(self, run: Option<Run>) {
        self.highlighted.update(|now| *now = if *now == run { None } else { run });
    }

    pub fn show_as(self, mode: Mode) {
        self.relative.set(mode == Mode::Change);
    }

    /// Sorts the table by a column, and descending or not; `None` for the study's own order.
    pub fn sort_by(self, sorting: Option<(Metric, bool)>) {
        self.sorting.set(sorting);
    }

    /// Judges the comparison by another concern.
    pub fn judge_by(self, concern: Concern) {
        self.concern.set(concern);
    }

    /// Says what the comparison comes to.
    pub fn conclude(self, verdict: Option<String>) {
        self.verdict.set(verdict);
    }

    /// Draws the curves of these runs; if there are none, those of the table's first runs.
    pub fn chart(self, runs: Vec<Run>) {
        self.charted.set(runs);
    }

    /// Plots packing against another fairness metric.
    pub fn plot_against(self, fairness: Metric) {
        self.fairness.set(fairness);
    }

    /// The window of time of all time charts, each of which shows it and may be zoomed.
    #[inline(always)]
    pub fn time_zoom(self) -> RwSignal<Option<(f64, f64)>> {
        self.window
    }

    /// Shows all of the time in all time charts.
    pub fn zoom_out(self) {
        self.window.set(None);
    }

    /// Replaces the study by that of a recipe, and shows the recipe's table or figure under the comparison. The user
    /// can undo this.
    pub fn follow_recipe(self, recipe: &'static Recipe) {
        let mut study = self.study.get_untracked();
        recipe.apply(&mut study);
        self.replace_study(study, format!("The study is now that of {}.", recipe.entry.name));
        // the paper's table or figure has its own order
        self.sort_by(None);
        self.show_tab(Tab::Compare);
        self.recipe.set(Some(recipe));
    }

    /// Hides the recipe's table or figure.
    pub fn close_recipe(self) {
        self.recipe.set(None);
    }

    /// Takes the log for a log of the papers; `None` for what it is recognised as.
    pub fn take_for(self, log: Option<&'static str>) {
        self.taken_for.set(log);
    }
}

// Messages at the foot of the page.

/// How long a message without an error stays: long enough to read it and to press "Undo".
const STAYS: Duration = Duration::from_secs(10);

/// The largest number of actions that can be undone, one after the other.
const MOST_UNDONE: usize = 50;

impl App {
    /// Shows a message, which disappears after some seconds.
    pub fn notify(self, message: impl Into<String>, undo: Option<Act>) {
        let id = self.show(message.into(), false, undo);
        set_timeout(move || self.dismiss(id), STAYS);
    }

    /// Shows a message that something went wrong, which stays until it is dismissed.
    pub fn complain(self, message: impl Into<String>) {
        self.show(message.into(), true, None);
    }

    /// Shows an error message with a button that does something about it. That action reports its own failure.
    pub fn offer(
        self,
        message: impl Into<String>,
        label: &'static str,
        act: impl Fn() -> Result<(), String> + Send + Sync + 'static,
    ) {
        let act = Arc::new(move || {
            if let Err(message) = act() {
                self.complain(message);
            }
        });
        let id = self.show(message.into(), true, Some(act));
        self.notices.update(|notices| {
            for notice in notices.iter_mut().filter(|notice| notice.id == id) {
                notice.label = label;
            }
        });
    }

    /// Undoes the last action that can be undone. Returns whether there was one.
    pub fn undo_last(self) -> bool {
        let Some((notice, undo)) = self.with_backend(|backend| backend.undoable.pop()) else { return false };
        undo();
        self.dismiss(notice);
        true
    }

    /// Undoes the action that a message reports.
    pub fn undo(self, notice: u32) {
        let taken = self.with_backend(|backend| {
            let place = backend.undoable.iter().position(|(id, _)| *id == notice)?;
            Some(backend.undoable.remove(place))
        });
        if let Some((_, undo)) = taken {
            undo();
        }
        self.dismiss(notice);
    }

    /// Removes a message.
    pub fn dismiss(self, notice: u32) {
        self.notices.update(|notices| notices.retain(|n| n.id != notice));
    }

    fn show(self, message: String, is_error: bool, undo: Option<Act>) -> u32 {
        let id = self.with_backend(|backend| backend.queue.number());
        if let Some(undo) = undo.clone().filter(|_| !is_error) {
            self.with_backend(|backend| {
                let all = &mut backend.undoable;
                all.push((id, undo));
                all.drain(..all.len().saturating_sub(MOST_UNDONE));
            });
        }
        self.notices.update(|notices| {
            notices.retain(|n| n.message != message);
            notices.push(Notice { id, message, is_error, label: "Undo", undo });
        });
        id
    }
}
