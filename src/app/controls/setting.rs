//! The field of any setting of the catalogue.

use crate::app::notices::{jobs, sentence};
use crate::app::prelude::*;
use crate::app::state::{App, DescribedLog, LogState};
use crate::app::while_shown;
use crate::app::widget::{ChoiceOption, Choices, Field, Select, When};
use packfair_base::catalogue::Named;
use packfair_study::Study;
use packfair_study::check::Problem;
use packfair_study::settings::{Kind, LogFacts, Members, Misread, Section, Setting, Shown};
use packfair_workload::QueueChoice;
use std::sync::Arc;

/// The largest number of the log's members that are offered below a field.
const OFFERED: usize = 12;

/// The problems that keep the study from being run, for the fields that they are about.
#[derive(Clone, Copy)]
pub struct Problems(Memo<Vec<Problem>>);

impl Problems {
    pub fn of(app: App) -> Self {
        Problems(Memo::new(move |_| app.study.with(|study| study.check().err().unwrap_or_default())))
    }

    /// What is wrong with this setting, as a sentence; `None` if nothing is.
    pub fn about(self, setting: &str) -> Option<String> {
        let found = self.0.with(|all| all.iter().find(|found| found.setting == setting).cloned())?;
        Some(format!("{}.", sentence(&found.message)))
    }
}

/// The study that fields change, and the log that it is about.
#[derive(Clone, Copy)]
pub struct StudyForm {
    app: App,
    log: Memo<Option<Arc<DescribedLog>>>,
}

impl StudyForm {
    pub fn of(app: App) -> Self {
        let log = Memo::new(move |_| match app.log.get() {
            LogState::Ready(described) => Some(described),
            _ => None,
        });
        StudyForm { app, log }
    }

    pub fn fields(self, section: Section) -> AnyView {
        section.settings().map(|setting| self.field(setting)).collect_view().into_any()
    }

    /// The summary in the heading of a section.
    pub fn in_short(self, section: Section) -> Signal<String> {
        Signal::derive(move || self.with(|study, facts| section.in_short(study, facts)))
    }

    fn with<T>(self, read: impl FnOnce(&Study, &LogFacts) -> T) -> T {
        self.log.with(|log| self.app.study.with(|study| read(study, &facts_of(log))))
    }

    /// The field of a setting, with its problem if there is one; nothing if the setting is not offered.
    fn field(self, setting: &'static Setting) -> AnyView {
        let is_shown = Memo::new(move |_| self.with(|study, facts| setting.is_shown(study, facts)));
        let problems = use_context::<Problems>();
        let problem = move || {
            let found = problems?.about(setting.id)?;
            Some(view! { <p class="field-error" role="status">{found}</p> })
        };
        view! {
            <When when=move || is_shown.get()>
                {self.control(setting)}
                {move || problem()}
            </When>
        }
    }

    fn control(self, setting: &'static Setting) -> AnyView {
        let value = Signal::derive(move || self.with(|study, facts| setting.text(study, facts)));
        let set = Callback::new(move |text: String| {
            let log = self.log.get_untracked();
            // a field returns only values that the setting takes
            self.app.edit(move |study| drop(setting.take(study, &text, &facts_of(&log))));
        });
        match &setting.kind {
            Kind::Choice { options, usual, shown: Shown::Below, .. } => {
                let options = usual.iter().chain(*options).map(|option| option_of(option, option.name.to_owned()));
                let options = options.collect::<Vec<_>>();
                view! { <Choices legend=setting.title options value on_change=set /> }
            }
            Kind::Choice { options, usual, shown: Shown::List, .. } => {
                let options = move || self.with(|_, facts| listed(setting, options, usual.as_ref(), facts));
                view! {
                    <Select
                        label=setting.title
                        help=setting.help
                        options=Signal::derive(options)
                        value
                        on_change=set
                    />
                }
            }
            Kind::Switch { .. } => {
                let is_on = move || value.get() == "on";
                let switch = move |_| set.run((if is_on() { "off" } else { "on" }).to_owned());
                view! {
                    <label class="option" data-hint=setting.help>
                        <input
                            type="checkbox"
                            data-testid=setting.id
                            prop:checked=move || is_on()
                            on:change=switch
                        />
                        <span class="option-text">{setting.title}</span>
                    </label>
                }
            }
            Kind::Members { of, get, .. } => {
                let offered = self.offers(setting, *of, *get);
                view! {
                    {self.text_field(setting, value, set)}
                    {offered}
                }
            }
            _ => self.text_field(setting, value, set),
        }
    }

    fn text_field(self, setting: &'static Setting, value: Signal<String>, set: Callback<String>) -> AnyView {
        let read = Callback::new(move |text: String| {
            let mut trial = self.app.study.get_untracked();
            let read = self.log.with_untracked(|log| setting.take(&mut trial, &text, &facts_of(log)));
            read.map(|()| text).map_err(Misread::takes)
        });
        view! {
            <Field
                label=setting.title
                help=setting.help
                unit=Signal::derive(move || self.with(|study, facts| setting.unit(study, facts)))
                placeholder=Signal::derive(move || self.with(|_, facts| (setting.usual)(facts)))
                value
                read
                on_change=set
            />
        }
    }

    /// Buttons for the members that the log has; nothing if there is no choice.
    #[inline(never)]
    fn offers(self, setting: &'static Setting, of: Members, get: fn(&Study) -> &Vec<i32>) -> AnyView {
        let known = Memo::new(move |_| self.with(|_, facts| facts.whole().map(of.known).unwrap_or_default()));
        let offer = move |QueueChoice { id, jobs: count, name }: QueueChoice| {
            let (name, about) = (name.unwrap_or_else(|| id.to_string()), jobs(count));
            let is_taken = while_shown(move || self.app.study.with(|study| get(study).contains(&id)));
            let toggle = move |_| {
                self.app.edit(move |study| {
                    let Kind::Members { set, .. } = &setting.kind else { return };
                    let numbers = set(study);
                    match numbers.iter().position(|&number| number == id) {
                        Some(i) => drop(numbers.remove(i)),
                        None => numbers.push(id),
                    }
                });
            };
            view! {
                <button
                    class="offer numeric"
                    type="button"
                    aria-pressed=move || is_taken.get().to_string()
                    data-hint=about.clone()
                    aria-description=about.clone()
                    on:click=toggle
                >
                    {name}
                </button>
            }
        };
        let offers = move || {
            let known = while_shown(move || known.get());
            move || known.get().into_iter().take(OFFERED).map(offer).collect_view()
        };
        view! {
            <When when=move || { known.with(Vec::len) > 1 }>
                <div class="offers" role="group" aria-label=setting.title>
                    {offers()}
                </div>
            </When>
        }
    }
}

/// The facts about a log that settings may use.
fn facts_of(log: &Option<Arc<DescribedLog>>) -> LogFacts<'_> {
    log.as_deref().map(DescribedLog::facts).unwrap_or_default()
}

fn option_of(option: &Named, name: String) -> ChoiceOption {
    ChoiceOption::new(option.id, name, option.help)
}

fn listed(setting: &Setting, options: &[Named], usual: Option<&Named>, facts: &LogFacts) -> Vec<ChoiceOption> {
    let now = (setting.usual)(facts);
    let now = if now.is_empty() { now } else { format!(" ({now} now)") };
    let usual = usual.map(|usual| option_of(usual, format!("{}{now}", usual.name)));
    let known = options.iter().filter(|option| (setting.knows)(facts, option.id));
    usual.into_iter().chain(known.map(|option| option_of(option, option.name.to_owned()))).collect()
}
