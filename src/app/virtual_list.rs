//! Long lists of which only what is in sight is in the document.

use leptos::prelude::*;
use std::ops::Range;

/// How many items beyond either edge are in the document as well, so that a quick scroll shows no gap.
const MARGIN: usize = 12;

/// A list of equally high items and the part of it that a scrolling element shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// How far it is scrolled, pixels.
    pub top: f64,
    /// Its inner height, pixels.
    pub height: f64,
    /// Height of an item, pixels; above 0.
    pub item: f64,
}

impl Viewport {
    /// The items that are to be in the document, of `total`.
    pub fn items(self, total: usize) -> Range<usize> {
        let first = (self.top.max(0.0) / self.item) as usize;
        let count = (self.height.max(0.0) / self.item).ceil() as usize + 1;
        let begin = first.saturating_sub(MARGIN).min(total);
        begin..(first + count + MARGIN).min(total)
    }

    /// How many whole items fit: the length of a jump by Page Up or Page Down.
    pub fn page(self) -> usize {
        ((self.height / self.item) as usize).saturating_sub(1).max(1)
    }

    /// Where the element has to be scrolled to so that `item` is wholly in sight below a covering
    /// head of `head` pixels; as it is where it already is.
    pub fn reveal(self, item: usize, head: f64) -> f64 {
        let begin = item as f64 * self.item;
        let end = begin + self.item + head;
        if begin < self.top {
            begin
        } else if end > self.top + self.height {
            end - self.height
        } else {
            self.top
        }
    }
}

/// The viewport of a scrolling element, kept up to date by [`Scroller::measure`].
#[derive(Clone, Copy)]
pub struct Scroller {
    viewport: RwSignal<Viewport>,
}

impl Scroller {
    /// With items of `item` pixels; shows one screen until it is measured.
    pub fn new(item: f64) -> Self {
        Scroller { viewport: RwSignal::new(Viewport { top: 0.0, height: 900.0, item }) }
    }

    /// What is in sight.
    pub fn viewport(self) -> Signal<Viewport> {
        self.viewport.into()
    }

    /// Reads the element's state; to be called when it is scrolled or resized.
    pub fn measure(self, element: &web_sys::Element) {
        let (top, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
        self.change(|v| Viewport { top, height, ..v });
    }

    /// Takes the height of an item from one that is in the document.
    pub fn measure_item(self, item: &web_sys::Element) {
        let height = item.get_bounding_client_rect().height();
        if height > 0.0 {
            self.change(|v| Viewport { item: height, ..v });
        }
    }

    fn change(self, change: impl FnOnce(Viewport) -> Viewport) {
        let new = change(self.viewport.get_untracked());
        if new != self.viewport.get_untracked() {
            self.viewport.set(new);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn only_what_is_in_sight_and_a_margin_is_in_the_document() {
        let at = |top| Viewport { top, height: 300.0, item: 30.0 };
        assert_eq!(at(0.0).items(250_000), 0..23);
        assert_eq!(at(3_000.0).items(250_000), 88..123);
        assert_eq!(at(1e9).items(100), 100..100);
        assert_eq!(at(0.0).items(5), 0..5);
    }

    #[wasm_bindgen_test]
    fn revealing_moves_no_more_than_needed() {
        let view = Viewport { top: 300.0, height: 300.0, item: 30.0 };
        assert_eq!(view.reveal(12, 30.0), 300.0);
        assert_eq!(view.reveal(5, 30.0), 150.0);
        assert_eq!(view.reveal(30, 30.0), 660.0);
    }
}
