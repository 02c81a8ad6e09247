//! Prepares a figure for a paper or a talk: size, fonts and colours, with a preview, as SVG, PDF or PNG.

use super::stage::put_drawing;
use super::state::{ChartState, ShownCharts};
use crate::app::prelude::*;
use crate::app::state::App;
use crate::app::widget::{ChoiceOption, Modal, Select, When};
use crate::app::{files, remembered};
use futures_channel::oneshot;
use gloo::file::{Blob, ObjectUrl};
use leptos::html;
use leptos::prelude::document;
use leptos::task::spawn_local;
use packfair_chart::{
    Drawing, FigureView, Panels, PrintWidth, Printing, Theme, Typeface, draw, origin, pdf, with_origin,
};
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

const KEY: &str = "packfair.printing";

/// The resolutions of PNG files, pixels per inch.
const RESOLUTIONS: [u32; 4] = [150, 300, 600, 1200];

#[component]
pub fn FigureDialog(state: ChartState, open: RwSignal<bool>) -> impl IntoView {
    view! {
        <Modal open title="Figure for a paper">
            <Choices state/>
        </Modal>
    }
}

#[component]
fn Choices(state: ChartState) -> impl IntoView {
    let app = expect_context::<App>();
    let printing = RwSignal::new(remembered::get_newest::<Printing>(KEY).unwrap_or_default());
    Effect::new(move |_| {
        // if nothing can be stored, the choices are lost after the visit
        remembered::set_newest(KEY, &printing.get());
    });
    let others = untrack(|| expect_context::<ShownCharts>().but(state));
    let further = RwSignal::new(vec![false; others.len()]);
    let offered = others.clone();
    let drawing = Memo::new(move |_| {
        let further = offered.iter().zip(further.get()).filter(|(_, is_taken)| *is_taken).map(|(other, _)| *other);
        let chosen: Vec<ChartState> = std::iter::once(state).chain(further).collect();
        let printing = printing.get();
        let drawings: Option<Vec<Drawing>> =
            chosen.iter().map(|&chart| printed(chart, &printing, chosen.len())).collect();
        Some(Panels::of(drawings?, printing.columns, &printing.theme()))
    });
    let preview = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let (Some(place), Some(drawing)) = (preview.get(), drawing.get()) {
            put_drawing(&place, &drawing.svg);
        }
    });
    let name = move |ending: &str| file_name(app, state, ending);
    let complain = move |result: Result<(), String>| {
        if let Err(message) = result {
            app.complain(message);
        }
    };
    let svg = move |_| {
        if let Some(drawing) = drawing.get_untracked() {
            let text = with_origin(&drawing.svg, &app.study.with_untracked(origin));
            complain(files::save(&name("svg"), "image/svg+xml", text.as_bytes()));
        }
    };
    let as_pdf = move |_| {
        if let Some(drawing) = drawing.get_untracked() {
            let file = pdf(&drawing, &printing.get_untracked().theme(), &app.study.with_untracked(origin));
            complain(files::save(&name("pdf"), "application/pdf", &file));
        }
    };
    let png = move |_| {
        let Some(drawing) = drawing.get_untracked() else { return };
        let (name, density) = (name("png"), printing.get_untracked().density());
        let size = (drawing.width, drawing.height);
        spawn_local(async move { complain(save_png(&name, &drawing.svg, size, density).await) });
    };
    let widths = PrintWidth::ALL.map(|width| ChoiceOption::new(width.id(), width.name(), "")).to_vec();
    let faces = vec![ChoiceOption::new("sans", "Without serifs", ""), ChoiceOption::new("serif", "With serifs", "")];
    let resolutions = RESOLUTIONS.map(|dots| ChoiceOption::new(dots.to_string(), format!("{dots} dpi"), "")).to_vec();
    let beside = [1, 2, 3].map(|count| ChoiceOption::new(count.to_string(), count.to_string(), "")).to_vec();
    let set_width = move |id: String| {
        let found = PrintWidth::ALL.into_iter().find(|width| width.id() == id);
        printing.update(|printing| printing.width = found.unwrap_or_default());
    };
    let set_face = move |id: String| {
        printing.update(|printing| printing.typeface = if id == "serif" { Typeface::Serif } else { Typeface::Sans });
    };
    let face = move || if printing.get().typeface == Typeface::Serif { "serif" } else { "sans" };
    let set_resolution = move |id: String| printing.update(|printing| printing.resolution = id.parse().unwrap_or(300));
    view! {
        <div class="printing" data-testid="printing">
            <div class="printing-choices">
                <Select
                    label="Width"
                    options=Signal::stored(widths)
                    value=Signal::derive(move || printing.get().width.id().to_owned())
                    on_change=set_width
                />
                <Select
                    label="Font"
                    options=Signal::stored(faces)
                    value=Signal::derive(move || face().to_owned())
                    on_change=set_face
                />
                <Select
                    label="PNG"
                    help="Resolution of a PNG, pixels per inch"
                    options=Signal::stored(resolutions)
                    value=Signal::derive(move || printing.get().resolution.to_string())
                    on_change=set_resolution
                />
                {tick(
                    "Title above the plot".to_owned(),
                    Signal::derive(move || printing.get().has_title),
                    Callback::new(move |is_on| printing.update(|printing| printing.has_title = is_on)),
                )}
                {tick(
                    "Colours; without them lines differ by their dashes".to_owned(),
                    Signal::derive(move || printing.get().has_colours),
                    Callback::new(move |is_on| printing.update(|printing| printing.has_colours = is_on)),
                )}
                {further_panels(&others, further)}
                <When when=move || further.with(|further| further.contains(&true))>
                    <Select
                        label="Side by side"
                        options=Signal::stored(beside.clone())
                        value=Signal::derive(move || printing.get().columns.to_string())
                        on_change=move |id: String| printing.update(|printing| printing.columns = id.parse().unwrap_or(2))
                    />
                </When>
            </div>
            <div class="printing-preview" role="img" aria-label="Preview" node_ref=preview></div>
            <div class="printing-actions">
                <button type="button" class="button button-primary" on:click=as_pdf>"Save PDF"</button>
                <button type="button" class="button" on:click=svg>"Save SVG"</button>
                <button type="button" class="button" on:click=png>"Save PNG"</button>
            </div>
        </div>
    }
}

fn tick(label: String, is_on: Signal<bool>, set: Callback<bool>) -> AnyView {
    view! {
        <label class="option">
            <input type="checkbox" prop:checked=is_on on:change=move |event| set.run(event_target_checked(&event)) />
            {label}
        </label>
    }
}

/// Checkboxes for the other charts of the page, which can become panels of the same figure.
fn further_panels(others: &[ChartState], further: RwSignal<Vec<bool>>) -> AnyView {
    let panel = |(place, other): (usize, &ChartState)| {
        let is_on = Signal::derive(move || further.with(|further| further[place]));
        let set = Callback::new(move |is_on| further.update(|further| further[place] = is_on));
        tick(other.figure.with_untracked(|figure| figure.title.clone()), is_on, set)
    };
    let has_data = |(_, other): &(usize, &ChartState)| {
        other.drawing.with_untracked(Option::is_some) && other.figure.with_untracked(|figure| !figure.series.is_empty())
    };
    let panels = others.iter().enumerate().filter(has_data).map(panel).collect_view();
    view! {
        <details class="printing-panels" hidden=others.is_empty()>
            <summary>"Further panels"</summary>
            {panels}
        </details>
    }
}

/// The chart as it will be printed, with the present zoom and without the hidden series.
fn printed(state: ChartState, printing: &Printing, panels: usize) -> Option<Drawing> {
    let on_screen = state.drawing.get()?;
    let plot = &on_screen.plot;
    let is_hidden = |i: &usize| !plot.visible.contains(i);
    let view = FigureView {
        x: state.zoom.get(),
        x_scale: Some(plot.x.scale()),
        y_scale: Some(plot.y.scale()),
        hidden: (0..plot.figure.series.len()).filter(is_hidden).collect(),
    };
    Some(draw(&printing.inked(&plot.figure), &view, printing.sheet(panels), &printing.theme()))
}

pub fn file_name(app: App, state: ChartState, ending: &str) -> String {
    let part = state.figure.with_untracked(|figure| figure.file_part());
    files::of_log(app, &format!("{part}.{ending}"))
}

// Drawings as PNG files.

/// Offers an SVG as a PNG file with a white background. The SVG's size is in pixels, each of which becomes `density`
/// pixels of the PNG.
///
/// # Errors
/// A message: the browser cannot paint or save the picture.
pub async fn save_png(name: &str, svg: &str, (width, height): (f64, f64), density: f64) -> Result<(), String> {
    let refused = || format!("The browser cannot paint {name}; the SVG holds the same picture.");
    let url = ObjectUrl::from(Blob::new_with_options(svg.as_bytes(), Some("image/svg+xml")));
    let image = HtmlImageElement::new().map_err(|_| refused())?;
    image.set_src(&url);
    JsFuture::from(image.decode()).await.map_err(|_| refused())?;
    let canvas = document().create_element("canvas").map_err(|_| refused())?;
    let canvas: HtmlCanvasElement = canvas.dyn_into().map_err(|_| refused())?;
    let (width, height) = ((width * density).round(), (height * density).round());
    canvas.set_width(width as u32);
    canvas.set_height(height as u32);
    let context = canvas.get_context("2d").ok().flatten().ok_or_else(refused)?;
    let context: CanvasRenderingContext2d = context.dyn_into().map_err(|_| refused())?;
    context.set_fill_style_str(&Theme::LIGHT.surface.to_string());
    context.fill_rect(0.0, 0.0, width, height);
    context.draw_image_with_html_image_element_and_dw_and_dh(&image, 0.0, 0.0, width, height).map_err(|_| refused())?;
    let blob = blob_of(&canvas).await.ok_or_else(refused)?;
    let bytes = gloo::file::futures::read_as_bytes(&Blob::from(blob)).await.map_err(|_| refused())?;
    files::save(name, "image/png", &bytes)
}

async fn blob_of(canvas: &HtmlCanvasElement) -> Option<web_sys::Blob> {
    let (sender, receiver) = oneshot::channel();
    let mut sender = Some(sender);
    let given = Closure::<dyn FnMut(Option<web_sys::Blob>)>::new(move |blob| {
        if let Some(sender) = sender.take() {
            // nobody waits if the page was left
            let _ = sender.send(blob);
        }
    });
    canvas.to_blob(given.as_ref().unchecked_ref()).ok()?;
    receiver.await.ok().flatten()
}
