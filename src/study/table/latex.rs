//! A table as LaTeX, for a paper.

use super::{Grid, Table};
use crate::study::format::TimeUnit;

/// A `tabular` in the manner of the package `booktabs` (a comment says so), the best
/// bold; above it, as a comment, what was compared.
pub fn latex(table: &Table, unit: TimeUnit) -> String {
    let mut out = String::from("% needs \\usepackage{booktabs}\n");
    let caption = table.caption();
    if !caption.is_empty() {
        out.push_str(&format!("% {}\n", caption.replace(['\n', '\r'], " ")));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("% {sureness}\n"));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("% {caveat}\n"));
    }
    out.push_str(&latex_of(&table.grid(unit)));
    out
}

/// The `tabular` of any table's texts.
pub fn latex_of(grid: &Grid) -> String {
    let mut out = String::new();
    let columns = "l".repeat(grid.labels.len()) + &"r".repeat(grid.headings.len());
    out.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n"));
    push_line(&mut out, grid.labels.iter().chain(&grid.headings).map(|text| escape(text)));
    out.push_str("\\midrule\n");
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| escape(text));
        let values = line.values.iter().zip(&line.best).map(|(text, &is_best)| {
            let text = escape(text);
            if is_best { format!("\\textbf{{{text}}}") } else { text }
        });
        push_line(&mut out, labels.chain(values));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

fn push_line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push_str(&cells.collect::<Vec<_>>().join(" & "));
    out.push_str(" \\\\\n");
}

/// Plain text that LaTeX prints as it is; the characters of headings and numbers that are not ASCII
/// are spelled so that any engine prints them.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => escaped.extend(['\\', c]),
            '−' => escaped.push_str("$-$"),
            '–' => escaped.push_str("--"),
            '\u{a0}' => escaped.push_str("\\,"),
            '⁰' => escaped.push_str("$^0$"),
            '¹' => escaped.push_str("$^1$"),
            '²' => escaped.push_str("$^2$"),
            '³' => escaped.push_str("$^3$"),
            'ᵃ' => escaped.push_str("$^a$"),
            '\n' | '\r' => escaped.push(' '),
            _ => escaped.push(c),
        }
    }
    escaped
}
