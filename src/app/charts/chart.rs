//! A chart: its heading and tools, the legend, the drawing, and the values in words.

use super::legend::LegendButtons;
use super::menu::ChartMenu;
use super::printing::FigureDialog;
use super::shown::ShownCharts;
use super::stage::Stage;
use super::state::ChartState;
use super::tip::Tell;
use crate::app::long_lived::while_shown;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::When;
use packfair_chart::{Figure, Hit, Scale};
use std::sync::Arc;
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
