//! Saves the picture or the data of a chart.

use super::picture;
use super::printing::file_name;
use super::state::ChartState;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ButtonMenu, Edge, MenuItem};
use crate::chart::{Drawing, FigureView, Heading, Legend, Sheet, Theme, draw};
use crate::study::export::for_spreadsheets;
use leptos::task::spawn_local;
use std::future::Future;

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
        spawn_local(async move { complain(picture::save_png(&name, &drawing.svg, size, PNG_DENSITY).await) });
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
