//! A table as a piece of HTML, for notebooks.

use super::{Grid, Table};
use crate::format::TimeUnit;

/// A table with numbers aligned to the right and the best ones bold; below it stands what they are compared with. It has
/// no colours of its own, so that it is right on light and on dark.
pub fn html(table: &Table, unit: TimeUnit) -> String {
    let mut out = html_of(&table.grid(unit));
    let told = [table.caption()].into_iter().filter(|caption| !caption.is_empty());
    let told = told.chain(table.machines.iter().chain(&table.truth).chain(&table.sureness).cloned());
    for sentence in told.chain(table.caveats().map(str::to_owned)) {
        out.push_str(&format!("<p><small>{}</small></p>\n", escape(&sentence)));
    }
    out
}

fn html_of(grid: &Grid) -> String {
    let labels = grid.labels.iter().map(|text| format!("<th style=\"text-align:left\">{}</th>", escape(text)));
    let headings = grid.headings.iter().map(|text| format!("<th style=\"text-align:right\">{}</th>", escape(text)));
    let mut out = format!("<table>\n<thead><tr>{}</tr></thead>\n<tbody>\n", labels.chain(headings).collect::<String>());
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| format!("<td style=\"text-align:left\">{}</td>", escape(text)));
        let values = line.values.iter().zip(&line.best).map(|(text, &is_best)| {
            let text = if is_best { format!("<b>{}</b>", escape(text)) } else { escape(text) };
            format!("<td style=\"text-align:right\">{text}</td>")
        });
        out.push_str(&format!("<tr>{}</tr>\n", labels.chain(values).collect::<String>()));
    }
    out.push_str("</tbody>\n</table>\n");
    out
}

/// Escapes plain text so that HTML shows it as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::table::GridLine;

    #[test]
    fn texts_are_escaped_and_the_best_are_bold() {
        let line = GridLine {
            labels: vec!["<EASY> & \"co\"".to_owned()],
            values: vec!["1".to_owned(), "2".to_owned()],
            best: vec![false, true],
        };
        let headings = vec!["AF".to_owned(), "AWF".to_owned()];
        let html = html_of(&Grid { labels: vec!["Scheduler".to_owned()], headings, lines: vec![line] });
        assert!(html.contains(">&lt;EASY&gt; &amp; &quot;co&quot;</td>"), "{html}");
        assert!(html.contains(">1</td>") && html.contains("><b>2</b></td>"), "{html}");
        assert!(roxmltree::Document::parse(&html).is_ok(), "{html}");
    }
}
