//! Sharing: making a link, and opening one.

use crate::app::prelude::*;
use crate::app::remembered::{self, Restored};
use crate::app::state::{Act, App, LinkOrigin, LinkVerdict, LogState, RunRow, RunSettings};
use crate::app::{LongLived, charts, explore, files};
use crate::run_queue::Event;
use packfair_engine::metric::Metric;
use packfair_papers::printed::paper_log;
use packfair_papers::recipe::Recipe;
use packfair_study::link::{self, LogEssentials, SenderView, SharedAgreement, SharedStudy as Carried};
use packfair_study::{Report, Run, RunReport, Source};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// A link to the study and its results.
pub struct ShareLink {
    pub address: String,
    /// A shorter address, which carries the values only.
    pub short: String,
    pub results: usize,
    pub charted: Vec<Run>,
    pub has_front: bool,
}

impl App {
    /// A link that carries the study and its results.
    ///
    /// # Errors
    /// A message for the user: there is nothing to share yet.
    pub fn link(self) -> Result<ShareLink, String> {
        let results = self.results_of_all();
        let charted = charts::chosen(&self.charted.get(), &results);
        let runs: Vec<RunReport> = results.iter().map(|outcome| outcome.report.clone()).collect();
        if runs.is_empty() {
            return Err("There is no result to share yet. Run the study first.".into());
        }
        let carried = match (self.log.get(), self.shared.get()) {
            (LogState::Ready(described), _) => {
                let summary = described.summary.clone();
                let repeats = self.study.with(|study| self.repeats.get().filter(|state| state.is_told(study)));
                let repeated = repeats.map(|state| (*state.repeated).clone());
                let told = SenderView {
                    recipe: self.recipe.get().map(|recipe| recipe.entry.id.to_owned()),
                    concern: self.concern.get(),
                    verdict: self.verdict.get(),
                    partition: self.partition_chosen().map(|of| of.number),
                    taken_for: self.taken_for.get().map(str::to_owned),
                    log: Some(LogEssentials::of(&summary, described.records)),
                    account: Some(described.account.in_short(described.records as u64)),
                };
                let mut study = self.study.get();
                // repeats that were made without being asked for are on the sender's screen, and are carried as if they
                // had been asked for
                study.repeats = study.repeats.or(repeated.as_ref().map(|repeated| repeated.repeats));
                let carried = Carried::of(&Report { study, summary, runs }, charted);
                carried.with_repeats(repeated).with_sender_view(told)
            }
            (_, Some(shared)) => (*shared.carried).clone(),
            _ => return Err("The log is still being read. Share when it is there.".into()),
        };
        let fragment = link::encode(&carried).map_err(|error| error.to_string())?;
        let values = link::encode_values(&carried).map_err(|error| error.to_string())?;
        let location = leptos::prelude::window().location();
        let page = location.href().unwrap_or_default();
        let page = page.split('#').next().unwrap_or_default();
        // how much fits into the link is known only after it has been made
        let arrived = link::decode(&fragment).map_or_else(|_| Vec::new(), |arrived| arrived.runs);
        let charted = arrived.iter().filter(|report| report.has_curves()).map(|report| report.run.clone()).collect();
        let front = explore::text_for_link(self).map(|text| format!("&explore={text}"));
        let has_front = front.is_some();
        let address = format!("{page}#{fragment}{}", front.unwrap_or_default());
        Ok(ShareLink { address, short: format!("{page}#{values}"), results: arrived.len(), charted, has_front })
    }

    /// Shows what a link carries; `link` is the text after `#`. Returns whether it is shown: it is not if it carries
    /// nothing, and if it carries scripts the user is asked first.
    pub fn open_link(self, link: &str) -> bool {
        self.open_carried(link, |show| show())
    }

    /// As [`App::open_link`], but shows it in a task of its own: a link may carry thousands of results, and the page must
    /// answer between reading and showing them.
    pub fn open_link_soon(self, link: &str) -> bool {
        self.open_carried(link, |show| set_timeout(move || show(), Duration::ZERO))
    }

    fn open_carried(self, link: &str, perform: fn(Act)) -> bool {
        match link::decode(link) {
            Ok(carried) => {
                let (link, carried): (Arc<str>, _) = (link.into(), Arc::new(carried));
                let shown = carried.clone();
                let show = move || {
                    remembered::begin_restoring(Restored::Link);
                    self.show_shared(link.clone(), shown.clone());
                };
                let show: Act = Arc::new(show);
                self.open_with_scripts(&carried.study, Arc::new(move || perform(show.clone())))
            }
            Err(error) => {
                self.complain(format!("The link could not be opened: {error}"));
                false
            }
        }
    }

    /// Called when the page failed while it showed this link before. Does not open the link, and offers to save it.
    pub(super) fn offer_link(self) {
        let address = leptos::prelude::window().location().href().unwrap_or_default();
        let why =
            "The page failed when it showed what the link carries. It is not opened this time; reload to try again.";
        self.offer(why, "Save the link", move || files::save("packfair-link.txt", "text/plain", address.as_bytes()));
    }

    fn show_shared(self, link: Arc<str>, carried: Arc<Carried>) {
        let source = carried.study.source.clone();
        self.forget_arrival();
        self.put_shared(link, carried);
        self.tell(Event::LogLeft);
        match source {
            // a generated workload can be made anywhere
            Source::Generated(generated) => {
                self.generate(generated);
            }
            // this browser may remember the log
            Source::Trace { .. } => {
                let known =
                    self.library.with_untracked(|library| library.iter().any(|l| l.source.key() == source.key()));
                if known {
                    self.open(source);
                }
            }
        }
    }

    /// Puts a shared result on screen, whatever log is active.
    fn put_shared(self, link: Arc<str>, carried: Arc<Carried>) {
        let Carried { study, runs, charted, repeated, .. } = (*carried).clone();
        self.shared_before.set(None);
        self.shared.set(Some(LinkOrigin { link, carried, verdict: LinkVerdict::Unchecked }));
        self.charted.set(charted);
        // Thousands of rows take a while to show, and so do thousands of others to go. So the others go now, with their
        // study, and the new rows come in a task of their own.
        self.with_backend(|backend| backend.rows_are_held = true);
        self.rows.renew(Vec::new());
        self.study.renew(study.clone());
        let told = self.sender_view();
        self.recipe.set(told.as_ref().and_then(|told| Recipe::of_id(told.recipe.as_deref()?)));
        let taken_for = told.as_ref().and_then(|told| told.taken_for.as_deref());
        self.taken_for.set(taken_for.and_then(|name| paper_log(name).ok()));
        if let Some(told) = &told {
            self.concern.set(told.concern);
            self.sort_for(told.concern, &study.columns);
        }
        self.tell(Event::SharedShown { study: Box::new(study), reports: runs });
        self.look_at(told.and_then(|told| told.partition));
        if let Some(repeated) = repeated {
            self.tell(Event::RepeatsCarried(Box::new(repeated)));
        }
        let show = move || {
            self.with_backend(|backend| backend.rows_are_held = false);
            self.show_rows();
        };
        set_timeout(show, Duration::ZERO);
    }

    /// What the sender of an open link saw besides the numbers.
    pub fn sender_view(self) -> Option<SenderView> {
        self.shared.with(|shared| shared.as_ref().and_then(|shared| shared.carried.sender_view.clone()))
    }

    /// Continues the link's study on a log other than the link's. The shared result is kept so that the user can return
    /// to it.
    pub(super) fn leave_shared(self) {
        self.shared_before.set(self.shared.get_untracked());
        self.remember_session();
        self.tell(Event::SharedLeft);
        self.shared.set(None);
    }

    /// If the log that has just been read is that of the shared result left before, shows that result again: this is
    /// why the user dropped the log.
    pub(super) fn resume_shared(self, source: &Source) {
        let left = self.shared_before.get_untracked().filter(|left| left.carried.study.source.key() == source.key());
        if let Some(LinkOrigin { link, carried, .. }) = left {
            self.put_shared(link, carried);
        }
    }

    /// Returns to the shared result that another log has replaced.
    pub fn return_to_shared(self) {
        if let Some(LinkOrigin { link, carried, .. }) = self.shared_before.get_untracked() {
            self.show_shared(link, carried);
        }
    }

    pub fn keep_other_log(self) {
        self.shared_before.set(None);
        self.run_all();
    }

    /// Whether this browser has still to compute a result that a link brought.
    pub fn is_unchecked(self, row: &RunRow) -> bool {
        self.shared.with_untracked(Option::is_some) && row.result.as_ref().is_some_and(|result| !result.has_schedule)
    }

    /// Compares the results computed here with those of the link.
    pub(super) fn judge_shared(self) {
        let Some(shared) = self.shared.get_untracked() else { return };
        let study = self.study.get_untracked();
        let settings = RunSettings::of(&study);
        // the rows of the queue, because the latest results may not be shown yet
        let rows = self.with_backend(|backend| backend.queue.rows().to_vec());
        let (mut differences, mut values) = (Vec::new(), 0);
        // a map, because there may be thousands of rows
        let rows: HashMap<String, &RunRow> = rows.iter().map(|row| (row.run.id(), row)).collect();
        for original in &shared.carried.runs {
            let row = rows.get(&original.run.id());
            let Some(outcome) = row.and_then(|row| row.result.as_ref()).filter(|o| o.has_schedule) else { return };
            if outcome.settings != settings {
                return; // other settings than the link's: there is nothing to compare
            }
            // fair start times are computed after the run, if they are asked for
            if study.asks_for_fair_starts()
                && original.values.contains_key(&Metric::StrictUnfairness)
                && !outcome.has_fair_starts()
            {
                return;
            }
            let is_computed = |metric: Metric| !Metric::OF_FAIR_STARTS.contains(&metric) || outcome.has_fair_starts();
            let columns = original.values.iter().filter(|(metric, _)| is_computed(**metric));
            differences.extend(columns.filter_map(|(&metric, &value)| {
                values += 1;
                let here = outcome.report.values.get(&metric).copied();
                (here != Some(value)).then(|| difference(original, metric, value, here))
            }));
        }
        let agreement =
            SharedAgreement { values, carried: shared.carried.runs.len(), runs: shared.carried.study.runs().len() };
        let verdict =
            if differences.is_empty() { LinkVerdict::Agrees(agreement) } else { LinkVerdict::Differs(differences) };
        self.shared.set(Some(LinkOrigin { verdict, ..shared }));
    }

    /// Makes a shared study the user's own: from now on it is stored like any other study.
    pub fn adopt_shared(self) {
        self.remember_session();
        self.tell(Event::SharedLeft);
        self.shared.set(None);
        self.save_session();
    }
}

fn difference(original: &RunReport, metric: Metric, value: f64, here: Option<f64>) -> String {
    let name = original.run.scheduler.name();
    let about = metric.about();
    match here {
        Some(here) => {
            format!("{} of {name} with {}: {value} in the link, {here} here", about.name, original.run.estimate)
        }
        None => format!("{} of {name} with {}: {value} in the link, undefined here", about.name, original.run.estimate),
    }
}
