//! A table as Markdown (pipe tables of GitHub's flavour).

use super::{Grid, Table};
use crate::format::TimeUnit;

/// A pipe table with numbers aligned to the right and the best ones bold; below it a line says what they are compared
/// with.
pub fn markdown(table: &Table, unit: TimeUnit) -> String {
    let mut out = markdown_of(&table.grid(unit));
    let caption = table.caption();
    if !caption.is_empty() {
        out.push_str(&format!("\n{}\n", escape(&caption)));
    }
    for said in table.machines.iter().chain(&table.truth) {
        out.push_str(&format!("\n{}\n", escape(said)));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("\n{}\n", escape(sureness)));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("\n{}\n", escape(caveat)));
    }
    out
}

/// The pipe table of any grid.
pub fn markdown_of(grid: &Grid) -> String {
    let mut out = String::new();
    let headings: Vec<String> = grid.labels.iter().chain(&grid.headings).map(|text| escape(text)).collect();
    push_line(&mut out, &headings);
    let left = grid.labels.iter().map(|_| "---".to_owned());
    let right = grid.headings.iter().map(|_| "---:".to_owned());
    push_line(&mut out, &left.chain(right).collect::<Vec<_>>());
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| escape(text));
        let values = line.values.iter().zip(&line.best).map(|(text, &is_best)| {
            let text = escape(text);
            if is_best { format!("**{text}**") } else { text }
        });
        push_line(&mut out, &labels.chain(values).collect::<Vec<_>>());
    }
    out
}

fn push_line(out: &mut String, cells: &[String]) {
    out.push_str(&format!("| {} |\n", cells.join(" | ")));
}

/// Escapes plain text so that Markdown shows it as it is.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' => escaped.push(' '),
            '\\' | '|' | '*' | '_' | '`' | '<' | '>' | '[' | ']' | '#' | '&' | '~' => escaped.extend(['\\', c]),
            _ => escaped.push(c),
        }
    }
    escaped
}
