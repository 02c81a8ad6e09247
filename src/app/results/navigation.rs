//! Keyboard navigation in the table: the Tab key stops once, and the arrow keys move within the table.

use crate::app::prelude::*;
use wasm_bindgen::JsCast;

/// The position of the focus in the table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Focus {
    pub row: usize,
    /// The cell's `aria-colindex`, or `None` for the row as a whole.
    pub column: Option<usize>,
}

impl Focus {
    /// The position to which a key leads in a table of `rows` rows and `columns` columns, of which `page` rows are
    /// visible.
    pub fn after(self, key: &str, rows: usize, columns: usize, page: usize) -> Option<Focus> {
        let last = rows.checked_sub(1)?;
        let to_row = |row: usize| Focus { row: row.min(last), ..self };
        Some(match (key, self.column) {
            ("ArrowDown", _) => to_row(self.row + 1),
            ("ArrowUp", _) => to_row(self.row.saturating_sub(1)),
            ("PageDown", _) => to_row(self.row + page),
            ("PageUp", _) => to_row(self.row.saturating_sub(page)),
            ("Home", _) => to_row(0),
            ("End", _) => to_row(last),
            ("ArrowRight", None) => Focus { column: Some(1), ..self },
            ("ArrowRight", Some(column)) => Focus { column: Some((column + 1).min(columns)), ..self },
            ("ArrowLeft", None | Some(1)) => Focus { column: None, ..self },
            ("ArrowLeft", Some(column)) => Focus { column: Some(column - 1), ..self },
            _ => return None,
        })
    }

    /// Gives the browser's focus to this position: at once if the row is in the document, otherwise when it has
    /// arrived.
    pub fn apply(self, table: web_sys::Element) {
        if !self.take(&table) {
            request_animation_frame(move || {
                self.take(&table);
            });
        }
    }

    /// Tries to focus the row. Returns whether the row was in the document.
    fn take(self, table: &web_sys::Element) -> bool {
        let row = format!("tbody tr[aria-rowindex=\"{}\"]", self.row + 2);
        let Ok(Some(row)) = table.query_selector(&row) else { return false };
        let cell = self.column.map(|column| format!("[aria-colindex=\"{column}\"]"));
        let cell = cell.and_then(|selector| row.query_selector(&selector).ok().flatten());
        // a cell with a control passes the focus on to it
        let control = cell.as_ref().and_then(|c| c.query_selector("button:not([hidden])").ok().flatten());
        let target = control.or(cell).unwrap_or(row).dyn_into::<web_sys::HtmlElement>();
        target.is_ok_and(|target| target.focus().is_ok())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use wasm_bindgen_test::wasm_bindgen_test;

    #[wasm_bindgen_test]
    fn arrows_move_between_rows_and_into_cells() {
        let at = |row, column| Focus { row, column };
        assert_eq!(at(0, None).after("ArrowDown", 3, 5, 2), Some(at(1, None)));
        assert_eq!(at(2, None).after("ArrowDown", 3, 5, 2), Some(at(2, None)));
        assert_eq!(at(1, None).after("ArrowRight", 3, 5, 2), Some(at(1, Some(1))));
        assert_eq!(at(1, Some(5)).after("ArrowRight", 3, 5, 2), Some(at(1, Some(5))));
        assert_eq!(at(1, Some(1)).after("ArrowLeft", 3, 5, 2), Some(at(1, None)));
        assert_eq!(at(0, Some(4)).after("PageDown", 3, 5, 2), Some(at(2, Some(4))));
        assert_eq!(at(0, None).after("x", 3, 5, 2), None);
        assert_eq!(at(0, None).after("ArrowDown", 0, 5, 2), None);
    }
}
