//! A form for any scheduler or estimator of any family, made from the catalogue.

use crate::app::prelude::*;
use crate::app::widget::{ChoiceOption, Field, Select, When};
use packfair_base::catalogue::{
    Catalogue, Configured, Entry, Family, FormulaPreset, Kind, Parameter, Selection, Settings, Value, WRITTEN,
};
use packfair_base::expression::{Expression, FUNCTIONS, FormulaError, VARIABLES};

/// What can be built, and how it is named. It does not have the types of a catalogue, so that one form serves all
/// catalogues.
#[derive(Clone, Copy)]
pub struct Workshop {
    /// What is built, in one word.
    what: &'static str,
    families: fn() -> Vec<&'static Entry>,
    /// The family and the settings of a text form.
    open: fn(&str) -> Option<(&'static Entry, Settings)>,
    /// The id and the (possibly long) name of a text form, or what is wrong with it.
    name: fn(&str) -> Result<(String, String), String>,
    /// Advice on a text form, such as a setting that changes nothing.
    advice: fn(&str) -> Option<&'static str>,
}

impl Workshop {
    pub fn of<C: Catalogue>() -> Self {
        fn read<C: Catalogue>(text: &str) -> Option<Configured<C>> {
            text.parse().ok()
        }
        Workshop {
            what: C::WHAT,
            families: || C::FAMILIES.iter().map(Family::entry).collect(),
            open: |text| read::<C>(text).map(|built| (built.family().entry(), built.settings().clone())),
            name: |text| match text.parse::<Configured<C>>() {
                Ok(built) => Ok((built.to_string(), built.name())),
                Err(error) => Err(error.to_string()),
            },
            advice: |_| None,
        }
    }

    /// The same workshop, with advice on what is put together.
    pub fn advised(self, advice: fn(&str) -> Option<&'static str>) -> Self {
        Workshop { advice, ..self }
    }
}

#[derive(Clone, Debug, PartialEq)]
struct Draft {
    family: &'static Entry,
    settings: Settings,
}

impl Draft {
    fn of(family: &'static Entry) -> Self {
        Draft { family, settings: Settings::defaults(family.parameters) }
    }

    fn text(&self) -> String {
        format!("{}:{}", self.family.id, self.settings)
    }

    fn value(&self, parameter: &Parameter) -> Option<Value> {
        self.settings.iter().find(|(other, _)| other.id == parameter.id).map(|(_, value)| value)
    }
}

/// Puts a scheduler or an estimator together, to add it or to replace `changed`.
#[component]
pub fn Builder(
    /// What can be built.
    workshop: Workshop,
    /// The item of the study that is being changed; `None` to add one.
    changed: Option<String>,
    #[prop(into)] chosen: Signal<Vec<String>>,
    #[prop(into)] on_built: Callback<String>,
    /// Folds the form up.
    on_done: Callback<()>,
) -> impl IntoView {
    let families = (workshop.families)();
    let opened = changed.as_deref().and_then(workshop.open).map(|(family, settings)| Draft { family, settings });
    let first = families.iter().find(|family| !family.parameters.is_empty()).unwrap_or(&families[0]);
    let draft = RwSignal::new(opened.unwrap_or_else(|| Draft::of(first)));
    let family = Memo::new(move |_| draft.with(|draft| draft.family.id));
    let options = families.iter().map(|f| ChoiceOption::new(f.id, f.name, f.help)).collect::<Vec<_>>();
    let choose_family = move |id: String| {
        if let Some(family) = families.iter().find(|f| f.id == id) {
            draft.set(Draft::of(family));
        }
    };
    let about = move || draft.with(|draft| format!("{} ({})", draft.family.help, draft.family.source));
    let form = move || {
        family.track();
        let parameters = draft.with_untracked(|draft| draft.family.parameters);
        parameters.iter().map(|parameter| parameter_field(draft, parameter)).collect_view()
    };
    let read = Memo::new(move |_| draft.with(|draft| (workshop.name)(&draft.text())));
    // each value is valid by itself, but the combination may not be
    let built = Memo::new(move |_| read.get().unwrap_or_default());
    let fault = Memo::new(move |_| read.get().err());
    let is_changing = changed.is_some();
    let is_unchanged = Memo::new(move |_| built.with(|(id, _)| changed.as_ref() == Some(id)));
    let is_there =
        Memo::new(move |_| !is_unchanged.get() && built.with(|(id, _)| chosen.with(|chosen| chosen.contains(id))));
    let take = move |_| {
        on_built.run(built.get_untracked().0);
        on_done.run(());
    };
    let advice = Memo::new(move |_| draft.with(|draft| (workshop.advice)(&draft.text())));
    let verb = if is_changing { "Change to" } else { "Add" };
    view! {
        <div
            class="builder"
            role="group"
            aria-label=format!("Build {} {}", article(workshop.what), workshop.what)
            data-testid=format!("{}-builder", workshop.what)
        >
            <Select
                label="Family"
                options=Signal::stored(options)
                value=Signal::derive(move || family.get().to_owned())
                on_change=choose_family
            />
            <p class="quiet">{move || about()}</p>
            {move || form()}
            <When when=move || advice.with(Option::is_some)>
                <p class="note" data-testid="builder-advice">{move || advice.get()}</p>
            </When>
            <div class="row">
                <button
                    class="button button-accent"
                    type="button"
                    data-testid="take-built"
                    disabled=move || is_there.get() || is_unchanged.get() || fault.get().is_some()
                    on:click=take
                >
                    {verb} " " {move || built.get().1}
                </button>
                <button class="button button-quiet" type="button" on:click=move |_| on_done.run(())>"Close"</button>
            </div>
            <When when=move || is_there.get()>
                <p class="quiet">"It is in the study already."</p>
            </When>
            <When when=move || fault.get().is_some()>
                <p class="field-error" role="status">{move || fault.get()}</p>
            </When>
        </div>
    }
}

fn article(word: &str) -> &'static str {
    if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an" } else { "a" }
}

fn parameter_field(draft: RwSignal<Draft>, parameter: &'static Parameter) -> AnyView {
    let value = Memo::new(move |_| draft.with(|draft| draft.value(parameter)));
    let text = Signal::derive(move || value.get().map(|value| value.to_string()).unwrap_or_default());
    let set = move |text: String| {
        // a field returns only values that the parameter takes
        draft.update(|draft| drop(draft.settings.set(draft.family.name, parameter.id, &text)));
    };
    match parameter.kind {
        Kind::Choice { options, .. } => {
            let options = options.iter().map(|(id, name)| ChoiceOption::new(*id, *name, "")).collect::<Vec<_>>();
            view! {
                <Select
                    label=parameter.name
                    help=parameter.help
                    options=Signal::stored(options)
                    value=text
                    on_change=set
                />
            }
        }
        Kind::Formula { options, presets, .. } => formula_field(parameter, options, presets, value, Callback::new(set)),
        // a file is added by dropping it, and scripts have a dialog of their own
        Kind::File | Kind::Script => ().into_any(),
        Kind::Several { options, .. } => several(parameter, options, value, Callback::new(set)),
        Kind::Orders { options, .. } => {
            let set = Callback::new(set);
            [several(parameter, options, value, set).into_any(), written_orders(parameter, value, set)].into_any()
        }
        Kind::Whole { .. } | Kind::AtLeast { .. } | Kind::Real { .. } | Kind::Changes { .. } => {
            let unit = match parameter.kind {
                Kind::Whole { unit, .. } | Kind::AtLeast { unit, .. } | Kind::Real { unit, .. } => unit,
                _ => "",
            };
            let read = Callback::new(move |text: String| {
                let may_be_empty = matches!(parameter.kind, Kind::Changes { .. });
                let text = if text.trim().is_empty() && !may_be_empty { "off".to_owned() } else { text };
                let value = parameter.parse(&text).ok_or_else(|| parameter.takes())?.to_string();
                // the value may not go together with the others
                let mut trial = draft.get_untracked();
                let went = trial.settings.set(trial.family.name, parameter.id, &value);
                went.map(|()| value).map_err(|error| error.to_string())
            });
            view! {
                <Field
                    label=parameter.name
                    help=parameter.help
                    unit=unit
                    value=text
                    read=read
                    on_change=set
                />
            }
        }
    }
}

/// The initial text of a user's own formula.
const FIRST_WRITTEN: &str = "wait/estimate";

/// A list of the choices and of formulas. Below it is the text of the chosen formula.
fn formula_field(
    parameter: &'static Parameter,
    options: &'static [(&'static str, &'static str)],
    presets: &'static [FormulaPreset],
    value: Memo<Option<Value>>,
    set: Callback<String>,
) -> AnyView {
    let named = options.iter().map(|(id, name)| ChoiceOption::new(*id, *name, ""));
    let presets = presets.iter().map(|preset| ChoiceOption::new(preset.id, preset.name, preset.help));
    let own = ChoiceOption::new(WRITTEN, "A formula of your own", "largest value first");
    let offered: Vec<ChoiceOption> = named.chain(presets).chain([own]).collect();
    let taken = Signal::derive(move || match value.get() {
        Some(Value::Written(_)) => WRITTEN.to_owned(),
        other => other.map(|value| value.to_string()).unwrap_or_default(),
    });
    // a name of a formula puts its text into the field, where its numbers can be changed
    let choose = move |id: String| set.run(if id == WRITTEN { format!("{WRITTEN}{FIRST_WRITTEN}") } else { id });
    let is_written = Signal::derive(move || matches!(value.get(), Some(Value::Written(_))));
    let own_text = Signal::derive(move || match value.get() {
        Some(Value::Written(expression)) => expression.to_string(),
        _ => String::new(),
    });
    view! {
        <Select
            label=parameter.name
            help=parameter.help
            options=Signal::stored(offered)
            value=taken
            on_change=choose
        />
        <When when=is_written>{written_field(parameter, own_text, set)}</When>
    }
    .into_any()
}

/// The field for the text of a user's own formula.
fn written_field(parameter: &'static Parameter, text: Signal<String>, set: Callback<String>) -> AnyView {
    let read = Callback::new(move |text: String| match parameter.wrong_formula(&format!("{WRITTEN}{text}")) {
        Some(why) => Err(why.to_string()),
        None => Ok(text),
    });
    let change = move |text: String| set.run(format!("{WRITTEN}{text}"));
    let names: Vec<&str> = VARIABLES.iter().map(|line| line.id).collect();
    let functions: Vec<&str> = FUNCTIONS.iter().map(|(_, name, ..)| *name).collect();
    let help = format!(
        "The largest value comes first. Of a job: {}. Functions: {}; comparisons, and, or, not; 2h, 3d",
        names.join(", "),
        functions.join(", ")
    );
    view! { <Field label="Formula" help=help value=text read=read on_change=change /> }.into_any()
}

/// The separator between formulas in a field that takes several.
const BETWEEN: char = ';';

/// The field for the user's own formulas among several orders.
fn written_orders(parameter: &'static Parameter, value: Memo<Option<Value>>, set: Callback<String>) -> AnyView {
    let taken = move || match value.get() {
        Some(Value::Several(taken)) => Some(taken),
        _ => None,
    };
    let text = Signal::derive(move || {
        let written = taken().map(|taken| taken.written()).unwrap_or_default();
        written.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
    });
    let read = Callback::new(move |text: String| {
        let texts = text.split(BETWEEN).map(str::trim).filter(|text| !text.is_empty());
        let formulas: Result<Vec<Expression>, FormulaError> = texts.map(str::parse).collect();
        let formulas = formulas.map_err(|why| why.to_string())?;
        let Some(before) = untrack(taken) else { return Err(parameter.takes()) };
        // the number of values is limited, and at least one has to stay
        let after = before.with_written(formulas).map(|after| after.to_string()).unwrap_or_default();
        if parameter.parse(&after).is_some() { Ok(after) } else { Err(parameter.takes()) }
    });
    let change = move |after: String| set.run(after);
    let help = "Further policies as formulas, separated by semicolons. Jobs with the largest value go first: wait/estimate; -area";
    view! { <Field label="Formulas" help=help value=text read=read on_change=change /> }.into_any()
}

/// Checkboxes, of which at least one stays checked.
fn several(
    parameter: &'static Parameter,
    options: &'static [(&'static str, &'static str)],
    value: Memo<Option<Value>>,
    set: Callback<String>,
) -> AnyView {
    let taken = move || match value.get() {
        Some(Value::Several(taken)) => taken,
        _ => Selection::all(options),
    };
    let option = move |(place, (_, name)): (usize, &(&'static str, &'static str))| {
        let is_taken = move || taken().takes(place);
        let is_only = move || taken().with(place, false).is_empty();
        view! {
            <label class="option">
                <input
                    type="checkbox"
                    disabled=move || is_only()
                    prop:checked=move || is_taken()
                    on:change=move |_| set.run(taken().with(place, !is_taken()).to_string())
                />
                <span class="option-text">{*name}</span>
            </label>
        }
    };
    view! {
        <fieldset class="choices several">
            <legend class="field-label" data-hint=parameter.help>{parameter.name}</legend>
            {options.iter().enumerate().map(option).collect_view()}
            <p class="quiet" role="status">{move || (taken().count() == 1).then_some("At least one is needed.")}</p>
        </fieldset>
    }
}
