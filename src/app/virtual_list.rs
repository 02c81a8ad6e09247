//! Long lists, of which only the visible part is in the document.

use crate::app::prelude::*;
use std::ops::Range;

/// The number of items beyond either edge that are in the document as well, so that fast scrolling shows no gap.
const MARGIN: usize = 12;

/// The greatest height that browsers allow for an element, pixels, with a margin.
const HIGHEST: f64 = 15e6;

/// A list of equally high items and the part of it that a scrolling element shows.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Viewport {
    /// How far the list is scrolled, pixels.
    pub top: f64,
    /// The inner height of the scrolling element, pixels.
    pub height: f64,
    /// The height of an item, pixels; above 0.
    pub item: f64,
}

impl Viewport {
    /// The items, out of `total`, that have to be in the document.
    pub fn items(self, total: usize) -> Range<usize> {
        let first = (self.top.max(0.0) / self.item) as usize;
        let count = (self.height.max(0.0) / self.item).ceil() as usize + 1;
        let begin = first.saturating_sub(MARGIN).min(total);
        begin..(first + count + MARGIN).min(total)
    }

    /// The number of whole items that fit: how far Page Up and Page Down jump.
    pub fn page(self) -> usize {
        ((self.height / self.item) as usize).saturating_sub(1).max(1)
    }

    /// The position to which the element has to be scrolled so that `item` is fully visible below a covering header of
    /// `head` pixels; the present position if it already is.
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

/// How the scrolling of an element is translated to the list: pixel by pixel, or in larger steps if the list is higher
/// than elements can be.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Gear {
    /// How far the element can be scrolled, pixels.
    element: f64,
    /// How far the list can be scrolled, pixels.
    list: f64,
}

impl Gear {
    /// The position on the list of an element that was at `top` and is now scrolled to `scrolled`.
    fn to_list(self, scrolled: f64, top: f64) -> f64 {
        if self.list <= self.element {
            scrolled
        } else if self.to_element(top) == scrolled {
            // the element has not moved by a pixel, so a position between two of its pixels stays
            top
        } else {
            scrolled / self.element * self.list
        }
    }

    /// How far the element has to be scrolled to be at `top` of the list.
    fn to_element(self, top: f64) -> f64 {
        if self.list <= self.element { top.round() } else { (top / self.list * self.element).round() }
    }
}

/// The viewport of a scrolling element, kept up to date by [`Scroller::measure`].
#[derive(Clone, Copy)]
pub struct Scroller {
    viewport: RwSignal<Viewport>,
    /// The height of the list, pixels.
    list: RwSignal<f64>,
    /// How much farther the element is scrolled than the list, pixels; 0 or negative.
    ahead: RwSignal<f64>,
}

impl Scroller {
    /// A scroller for items of `item` pixels. It shows one screen until it is measured.
    pub fn new(item: f64) -> Self {
        let viewport = Viewport { top: 0.0, height: 900.0, item };
        Scroller { viewport: RwSignal::new(viewport), list: RwSignal::new(0.0), ahead: RwSignal::new(0.0) }
    }

    /// Makes the list as high as `total` items. Returns the height to give to the scrolled content, pixels.
    pub fn set_total(self, total: usize) -> f64 {
        let list = total as f64 * self.viewport.with_untracked(|viewport| viewport.item);
        if self.list.get_untracked() != list {
            self.list.set(list);
        }
        list.min(HIGHEST)
    }

    /// The position of a list item within the scrolled content, pixels.
    pub fn place(self, item: usize) -> f64 {
        item as f64 * self.viewport.with(|viewport| viewport.item) + self.ahead.get()
    }

    pub fn scroll_to(self, element: &web_sys::Element, top: f64) {
        self.change(|viewport| Viewport { top, ..viewport });
        element.set_scroll_top(self.gear(element).to_element(top) as i32);
        self.measure(element);
    }

    fn gear(self, element: &web_sys::Element) -> Gear {
        let most = f64::from((element.scroll_height() - element.client_height()).max(0));
        Gear { element: most, list: most + (self.list.get_untracked() - HIGHEST).max(0.0) }
    }

    /// The part of the list that is visible.
    pub fn viewport(self) -> Signal<Viewport> {
        self.viewport.into()
    }

    /// Reads the state of the element. To be called when it is scrolled or resized.
    pub fn measure(self, element: &web_sys::Element) {
        let (scrolled, height) = (f64::from(element.scroll_top()), f64::from(element.client_height()));
        let top = self.gear(element).to_list(scrolled, self.viewport.with_untracked(|viewport| viewport.top));
        if self.ahead.get_untracked() != scrolled - top {
            self.ahead.set(scrolled - top);
        }
        self.change(|v| Viewport { top, height, ..v });
    }

    /// Measures the height of an item that is in the document.
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
    fn every_item_of_a_list_of_any_height_is_reached() {
        let short = Gear { element: 5_000.0, list: 5_000.0 };
        assert_eq!((short.to_list(1_234.0, 0.0), short.to_element(1_234.0)), (1_234.0, 1_234.0));
        let long = Gear { element: 15e6, list: 900e6 };
        assert_eq!((long.to_list(0.0, 77.0), long.to_list(15e6, 77.0)), (0.0, 900e6));
        // positions that the keyboard reaches although they lie between two pixels of the element
        for top in [26.0, 450_000_026.0, 899_999_974.0] {
            assert_eq!(long.to_list(long.to_element(top), top), top);
        }
    }

    #[wasm_bindgen_test]
    fn revealing_moves_no_more_than_needed() {
        let view = Viewport { top: 300.0, height: 300.0, item: 30.0 };
        assert_eq!(view.reveal(12, 30.0), 300.0);
        assert_eq!(view.reveal(5, 30.0), 150.0);
        assert_eq!(view.reveal(30, 30.0), 660.0);
    }
}
