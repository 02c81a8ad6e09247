//! A table for the terminal.

use super::{Grid, Table};
use crate::format::{TimeUnit, duration};

/// Columns aligned by spaces, with numbers aligned to the right, and with the time that each simulation took where it
/// is known. Below the table a line says what the values are compared with.
pub fn text(table: &Table, unit: TimeUnit) -> String {
    let mut grid = table.grid(unit);
    if table.rows.iter().any(|row| row.wall_s > 0.0) {
        grid.headings.push("run".to_owned());
        for (line, row) in grid.lines.iter_mut().zip(&table.rows) {
            line.values.push(duration(row.wall_s));
        }
    }
    let mut out = text_of(&grid);
    for said in table.machines.iter().chain(&table.truth) {
        out.push_str(&format!("\n{said}\n"));
    }
    let caption = table.caption();
    if !caption.is_empty() {
        out.push_str(&format!("\n{caption} * baseline, absolute values.\n"));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("\n{sureness}\n"));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("\n{caveat}\n"));
    }
    out
}

/// The aligned text of any grid.
pub fn text_of(grid: &Grid) -> String {
    let mut lines = vec![grid.labels.iter().chain(&grid.headings).cloned().collect::<Vec<_>>()];
    lines.extend(grid.lines.iter().map(|line| line.labels.iter().chain(&line.values).cloned().collect()));
    let columns = lines[0].len();
    let width = |column: usize| lines.iter().map(|line| line[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out = String::new();
    for line in &lines {
        let cell = |(column, text): (usize, &String)| {
            let width = widths[column];
            if column < grid.labels.len() { format!("{text:<width$}") } else { format!("{text:>width$}") }
        };
        let cells: Vec<String> = line.iter().enumerate().map(cell).collect();
        out.push_str(cells.join("  ").trim_end());
        out.push('\n');
    }
    out
}
