//! A chart: its heading and tools, the legend, the drawing, and the values in words.

use super::charted::ChartedRuns;
use super::legend::{LegendButtons, Tell, no_curves, swatch_class};
use super::printing::{self, FigureDialog, file_name};
use super::stage::Stage;
use super::state::{ChartState, ShownCharts};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ButtonMenu, Edge, List, MenuItem, When};
use crate::app::{files, while_shown};
use leptos::task::spawn_local;
use packfair_chart::kinds::{Charted, run_names};
use packfair_chart::{Drawing, Figure, FigureView, Heading, Hit, Ink, Legend, Scale, Sheet, Theme, draw, inks};
use packfair_engine::metric::TimeSeries;
use packfair_study::export::for_spreadsheets;
use packfair_study::query::{Answer, Query};
use packfair_study::{Run, RunReport};
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;
use web_sys::WheelEvent;

/// The height of a chart as a share of its width.
const HEIGHT: f64 = 0.52;

/// A figure that is made again whenever its data change.
pub fn figure(make: impl Fn() -> Figure + Send + Sync + 'static) -> Signal<Arc<Figure>> {
    Memo::new(move |_| Arc::new(make())).into()
}

/// The figure with the names that the user has given to rows.
fn with_given_names(app: App, figure: Signal<Arc<Figure>>) -> Signal<Arc<Figure>> {
    let names = while_shown(move || app.study.with(|study| study.row_names.clone()));
    let named = move |_: Option<&Arc<Figure>>| {
        let figure = figure.get();
        names.with(|names| if names.is_empty() { figure } else { Arc::new(Figure::clone(&figure).with_names(names)) })
    };
    Memo::new(named).into()
}

/// A figure, drawn as wide as its place. It can be read, zoomed and saved.
#[component]
pub fn Chart(
    #[prop(into)] figure: Signal<Arc<Figure>>,
    /// The signal that holds the zoomed range of x, if it is shared with other charts; otherwise the chart has its own.
    #[prop(optional)]
    zoom: Option<RwSignal<Option<(f64, f64)>>>,
    /// The tip for a box or a point, line by line; if there is none, its name and axis values.
    #[prop(optional, into)]
    tell: Tell,
    /// Called with a point or box that is clicked; if there is no callback, its run is highlighted everywhere.
    #[prop(optional, into)]
    pick: Option<Callback<Hit>>,
    /// Called with turns of the wheel while the chart has the focus or Ctrl is held, and with the position across the
    /// plot (0 to 1); if there is no callback, the wheel scrolls the page.
    #[prop(optional, into)]
    wheel: Option<Callback<(WheelEvent, f64)>>,
    /// Controls of this chart only, below its heading.
    #[prop(optional)]
    tools: Option<AnyView>,
    /// The height as a share of the width.
    #[prop(default = HEIGHT)]
    height: f64,
) -> impl IntoView {
    let app = expect_context::<App>();
    let figure = with_given_names(app, figure);
    let state = ChartState::new(figure, zoom.unwrap_or_else(|| RwSignal::new(None)), height);
    expect_context::<ShownCharts>().add(state);
    let kind = figure.with_untracked(|figure| figure.kind);
    let source = move || figure.with(|figure| (!figure.source.is_empty()).then_some(figure.source));
    let is_printing = RwSignal::new(false);
    let notes = move || state.with_plot(|plot| plot.notes.join(" ")).unwrap_or_default();
    view! {
        <figure class="chart" data-testid=format!("chart-{kind}")>
            <figcaption class="chart-head">
                <h3 class="chart-title">
                    {move || figure.with(|figure| figure.title.clone())}
                    <span class="chart-common">{move || figure.with(|figure| figure.common.clone())}</span>
                </h3>
                <div class="chart-tools">
                    <When when=move || state.zoom.with(Option::is_some)>
                        <button type="button" class="chart-tool" on:click=move |_| state.zoom.set(None)>
                            "Reset zoom"
                        </button>
                    </When>
                    <ScaleSwitch state/>
                    <ChartMenu state is_printing/>
                </div>
            </figcaption>
            <p class="chart-help">
                {move || figure.with(|figure| figure.help).in_unit(app.unit())}
                {move || source().map(|source| view! { <span class="chart-source">{source}</span> })}
            </p>
            {tools}
            <LegendButtons state/>
            <Stage state tell pick wheel/>
            <p class="chart-notes" hidden=move || notes().is_empty()>{move || notes()}</p>
            <InWords figure/>
            // created only when the dialog is opened
            <When when=move || is_printing.get()>
                <FigureDialog state open=is_printing/>
            </When>
        </figure>
    }
}

/// Switches between the scales that suit the figure.
#[component]
fn ScaleSwitch(state: ChartState) -> impl IntoView {
    let figure = state.figure;
    let switch = move |axis: &'static str, other: RwSignal<bool>| {
        let scales = move || {
            figure.with(|figure| {
                let axis = if axis == "x" { &figure.x } else { &figure.y };
                axis.other_scale.map(|scale| if other.get() { scale } else { axis.scale })
            })
        };
        let is_log = move || scales().is_some_and(Scale::is_logarithmic);
        view! {
            <When when=move || scales().is_some()>
                <button
                    type="button"
                    class="chart-tool"
                    aria-pressed=move || is_log().to_string()
                    data-hint=format!("Logarithmic {axis} axis")
                    on:click=move |_| other.update(|other| *other = !*other)
                >
                    {format!("log {axis}")}
                </button>
            </When>
        }
    };
    view! { {switch("x", state.other_x)} {switch("y", state.other_y)} }
}

/// The key values of every series, for users who cannot see the drawing.
#[component]
fn InWords(figure: Signal<Arc<Figure>>) -> impl IntoView {
    // thousands of rows would not help a screen reader
    let rows = move || figure.with(|figure| figure.key_values().into_iter().take(40).collect::<Vec<_>>());
    let row = |(name, values): (String, String)| view! { <tr><th scope="row">{name}</th><td>{values}</td></tr> };
    view! {
        <div class="visually-hidden"><table>
            <caption>{move || figure.with(|figure| figure.describe())}</caption>
            <tbody>{move || rows().into_iter().map(row).collect_view()}</tbody>
        </table></div>
    }
}

// Finer curves of the zoomed window of time, computed by the workers.

/// The number of bins into which a window is reduced: about one for each pixel.
const BINS: usize = 800;

/// How long a window must stay unchanged before the workers are asked.
const REST: Duration = Duration::from_millis(120);

/// The finer curves that have arrived.
#[derive(Clone, Copy)]
pub struct Finer {
    window: RwSignal<Option<(f64, f64)>>,
    series: RwSignal<Vec<(Run, Arc<TimeSeries>)>>,
}

impl Finer {
    /// Keeps the curves up to date with the page's window and the charted runs.
    pub fn of(app: App, runs: ChartedRuns) -> Self {
        // a window of another log's time has no meaning
        let log = Memo::new(move |_| app.study.with(|study| (study.source.clone(), study.treatment.shrink)));
        Effect::new(move |before: Option<_>| {
            let now = log.get();
            if before.is_some_and(|before| before != now) {
                app.zoom_out();
            }
            now
        });
        let finer = Finer { window: RwSignal::new(None), series: RwSignal::new(Vec::new()) };
        Effect::new(move |_| {
            let window = app.window.get();
            let chosen = runs.chosen.get();
            // results may change while the runs stay the same
            runs.all.track();
            finer.window.set(window);
            finer.series.set(Vec::new());
            let Some(window) = window else { return };
            let ask = move || {
                for run in chosen {
                    spawn_local(finer.ask(app, run, window));
                }
            };
            let timer = set_timeout_with_handle(ask, REST).ok();
            on_cleanup(move || timer.into_iter().for_each(|timer| timer.clear()));
        });
        finer
    }

    async fn ask(self, app: App, run: Run, window: (f64, f64)) {
        let (from, until) = window;
        // without an answer, the coarse curves stay; a shared result has no schedules, for example
        let Ok(Answer::Window(series)) = app.ask(Query::Window { run: run.clone(), from, until, bins: BINS }).await
        else {
            return;
        };
        if self.window.try_get_untracked().flatten() == Some(window) {
            self.series.update(|known| known.push((run, Arc::new(series))));
        }
    }

    /// Replaces the report's curves by the finer ones of the window, if they have arrived.
    pub fn refine(self, mut report: RunReport) -> RunReport {
        self.series.with(|known| {
            if let Some((_, series)) = known.iter().find(|(run, _)| *run == report.run) {
                report.curves.queue_jobs = series.queue_jobs.clone();
                report.curves.queue_width = series.queue_width.clone();
                report.curves.utilisation = series.utilisation.clone();
                report.curves.power = series.power.clone();
                report.curves.offered = series.offered.clone();
                report.curves.policies = series.policies.clone();
            }
        });
        report
    }
}

impl ChartedRuns {
    /// Calls `make` with the chosen runs. Their curves are the finest that have arrived.
    pub fn with_chosen<T>(self, finer: Finer, make: impl FnOnce(&[Charted<'_>]) -> T) -> T {
        let chosen = self.chosen.get();
        let inks = inks(&chosen);
        let reports: Vec<(RunReport, Ink)> = self.all.with(|all| {
            let find = |(i, run): (usize, &Run)| {
                let outcome = all.iter().find(|outcome| outcome.report.run == *run)?;
                Some((finer.refine(outcome.report.clone()), inks[i]))
            };
            chosen.iter().enumerate().filter_map(find).collect()
        });
        let charted: Vec<Charted<'_>> = reports.iter().map(|(report, ink)| Charted { report, ink: *ink }).collect();
        make(&charted)
    }
}

// Saves the picture or the data of a chart.

/// The number of PNG pixels for each pixel of a chart that is saved as it is on screen.
const PNG_DENSITY: f64 = 2.0;

#[component]
pub fn ChartMenu(state: ChartState, is_printing: RwSignal<bool>) -> impl IntoView {
    let app = expect_context::<App>();
    let complain = move |result: Result<(), String>| {
        if let Err(message) = result {
            app.complain(message);
        }
    };
    let name = move |ending: &str| file_name(app, state, ending);
    let svg = move || {
        if let Some(drawing) = for_print(state) {
            complain(files::save(&name("svg"), "image/svg+xml", drawing.svg.as_bytes()));
        }
    };
    let png = move || {
        let Some(drawing) = for_print(state) else { return };
        let name = name("png");
        let size = (drawing.plot.sheet.width, drawing.plot.sheet.height);
        spawn_local(async move { complain(printing::save_png(&name, &drawing.svg, size, PNG_DENSITY).await) });
    };
    let data = move || state.figure.with_untracked(|figure| for_spreadsheets(&figure.to_csv()));
    let csv = move || complain(files::save(&name("csv"), "text/csv", data().as_bytes()));
    let copied =
        move |copying: String, what: &'static str| report(app, what, async move { files::copy(&copying).await });
    let copy_svg = move || {
        if let Some(drawing) = for_print(state) {
            copied(drawing.svg.clone(), "The chart is in the clipboard, as SVG.");
        }
    };
    let copy_data = move || copied(data(), "The chart's data are in the clipboard, as CSV.");
    view! {
        <ButtonMenu name="Save or copy this chart" face=|| "⋯" class="chart-tool chart-more" edge=Edge::End>
            <MenuItem on_pick=move || is_printing.set(true)>"Figure for a paper…"</MenuItem>
            <MenuItem on_pick=svg>"Save as SVG"</MenuItem>
            <MenuItem on_pick=png>"Save as PNG"</MenuItem>
            <MenuItem on_pick=csv>"Save data as CSV"</MenuItem>
            <MenuItem on_pick=copy_svg>"Copy SVG"</MenuItem>
            <MenuItem on_pick=copy_data>"Copy data"</MenuItem>
        </ButtonMenu>
    }
}

fn report(app: App, done: &'static str, action: impl Future<Output = Result<(), String>> + 'static) {
    spawn_local(async move {
        match action.await {
            Ok(()) => app.notify(done, None),
            Err(message) => app.complain(message),
        }
    });
}

/// The chart as it is on screen, but in light colours and with its legend.
fn for_print(state: ChartState) -> Option<Drawing> {
    let on_screen = state.drawing.get_untracked()?;
    let plot = &on_screen.plot;
    let figure = &plot.figure;
    let is_visible = |i: &usize| !plot.visible.contains(i);
    let view = FigureView {
        x: state.zoom.get_untracked(),
        x_scale: Some(plot.x.scale()),
        y_scale: Some(plot.y.scale()),
        hidden: (0..figure.series.len()).filter(is_visible).collect(),
    };
    let sheet =
        Sheet { width: plot.sheet.width.max(560.0), height: 340.0, legend: Legend::Below, heading: Heading::Apart };
    Some(draw(figure, &view, sheet, &Theme::LIGHT))
}

// Buttons that choose the charted runs.

/// The number of runs above which they are offered in a list, not as buttons.
const MOST_BUTTONS: usize = 24;

/// A button for each run that adds it to the charts or removes it.
#[component]
pub fn Chooser(runs: ChartedRuns) -> impl IntoView {
    let app = expect_context::<App>();
    let named = Memo::new(move |_| {
        let all: Vec<Run> = runs.all.with(|all| all.iter().map(|outcome| outcome.report.run.clone()).collect());
        let names = run_names(&all.iter().collect::<Vec<_>>());
        app.study.with(|study| {
            let named = |(run, own): (Run, String)| {
                let given = study.row_names.of(&run).map(str::to_owned);
                (run, given.unwrap_or(own))
            };
            all.into_iter().zip(names).map(named).collect::<Vec<_>>()
        })
    });
    let is_chosen = move |run: &Run| runs.chosen.with(|chosen| chosen.contains(run));
    let as_buttons = move || {
        let all = named.get();
        let few = all.len() <= MOST_BUTTONS;
        all.into_iter().filter(|(run, _)| few || is_chosen(run)).collect::<Vec<_>>()
    };
    let others = move || named.get().into_iter().filter(|(run, _)| !is_chosen(run)).collect::<Vec<_>>();
    let add = move |event| {
        let id = event_target_value(&event);
        if let Some((run, _)) = named.get_untracked().into_iter().find(|(run, _)| run.id() == id) {
            runs.toggle(app, &run);
        }
    };
    let option = |(run, name): (Run, String)| view! { <option value=run.id()>{name}</option> };
    view! {
        <div class="chart-chooser" role="group" aria-label="Runs on the charts" data-testid="chart-runs">
            <List
                each=as_buttons
                key=|(run, name)| format!("{} {name}", run.id())
                children=move |(run, name)| view! { <ChooserButton runs run name/> }
            />
            <When when=move || named.with(|all| all.len() > MOST_BUTTONS)>
                <select class="chart-add" aria-label="Add a run to the charts" on:change=add prop:value="">
                    <option value="">"Add a run…"</option>
                    {move || others().into_iter().map(option).collect_view()}
                </select>
            </When>
        </div>
    }
}

#[component]
fn ChooserButton(runs: ChartedRuns, run: Run, name: String) -> impl IntoView {
    let app = expect_context::<App>();
    let (own, pointed, left, drawn) = (run.clone(), run.clone(), run.clone(), run.clone());
    let is_missing = Memo::new(move |_| {
        runs.all.with(|all| all.iter().any(|outcome| outcome.report.run == drawn && !outcome.report.has_curves()))
    });
    let why = move || is_missing.get().then(|| no_curves(app));
    let ink = Memo::new(move |_| runs.ink_of(&own));
    let class = move || format!("swatch {}", swatch_class(ink.get()));
    let leave = move |_| {
        if app.highlighted.with_untracked(|now| now.as_ref() == Some(&left)) {
            app.highlight(None);
        }
    };
    view! {
        <button
            type="button"
            class="chart-legend-item"
            class:is-missing=move || is_missing.get()
            disabled=move || is_missing.get()
            title=move || why()
            aria-pressed=move || (ink.get() != Ink::Rest).to_string()
            on:click=move |_| runs.toggle(app, &run)
            on:pointerenter=move |_| app.highlight(Some(pointed.clone()))
            on:pointerleave=leave
        >
            <span class=move || class()></span>
            {name}
        </button>
    }
}
