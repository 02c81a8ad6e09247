//! Drawings as PNG files.

use crate::app::files;
use futures_channel::oneshot;
use gloo::file::{Blob, ObjectUrl};
use leptos::prelude::document;
use packfair_chart::Theme;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use wasm_bindgen_futures::JsFuture;
use web_sys::{CanvasRenderingContext2d, HtmlCanvasElement, HtmlImageElement};

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
