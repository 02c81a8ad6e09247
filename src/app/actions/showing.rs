//! How results are shown: in which tab, in which order, and what stands out.

use crate::app::prelude::*;
use crate::app::remembered;
use crate::app::state::{App, Tab, ThemeChoice};
use packfair_engine::metric::Metric;
use packfair_papers::recipe::Recipe;
use packfair_study::Run;
use packfair_study::table::Mode;
use packfair_study::verdict::Concern;

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
