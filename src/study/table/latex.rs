//! A table as LaTeX, for a paper.

use super::{Grid, GridLine, Mode, Table, TableOrigin};
use crate::metric::Metric;
use crate::study::format::TimeUnit;

/// A `table` with a caption, in the style of the package `booktabs` (a comment in it says so), with the best values
/// bold. Where schedulers were run with several estimates, and nothing else differs, each scheduler has one line, and
/// the estimates are side by side.
pub fn latex(table: &Table, unit: TimeUnit) -> String {
    let mut out = String::from("% needs \\usepackage{booktabs}\n");
    let TableOrigin { log, fingerprint, account: _ } = &table.origin;
    if !log.is_empty() {
        let log = log.replace(['\n', '\r'], " ");
        out.push_str(&format!("% {log} {fingerprint}, Packfair {}\n", env!("CARGO_PKG_VERSION")));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("% {sureness}\n"));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("% {caveat}\n"));
    }
    let mut grid = table.grid(unit);
    let mut caption = table.caption();
    if table.mode == Mode::Change {
        let changes = table.columns.iter().zip(&mut grid.headings);
        let changes = changes.filter(|(metric, _)| unit != TimeUnit::Fitting && !Metric::OF_LOG.contains(metric));
        for (metric, heading) in changes {
            // Most of the column is percentages.
            *heading = metric.about().name.to_owned();
        }
        if grid.lines.iter().any(|line| line.labels[0].ends_with('*')) {
            let times = match unit {
                TimeUnit::Fitting => ", times in the unit beside the heading",
                TimeUnit::Seconds => ", times in s",
                TimeUnit::Minutes => ", times in min",
                TimeUnit::Hours => ", times in h",
                TimeUnit::Days => ", times in d",
            };
            caption.push_str(&format!(" Rows marked * are what others are compared with; they show values{times}."));
        }
    }
    out.push_str("\\begin{table}\n\\centering\n");
    if !caption.is_empty() {
        out.push_str(&format!("\\caption{{{}}}\n", escape(caption.trim())));
    }
    match beside_each_other(&grid) {
        Some(groups) => out.push_str(&grouped(&grid, &groups)),
        None => out.push_str(&latex_of(&grid)),
    }
    out.push_str("\\end{table}\n");
    out
}

/// The estimates that can stand side by side, in order. That needs several estimates, a line for each scheduler with
/// each of them, and no other label.
fn beside_each_other(grid: &Grid) -> Option<Vec<&str>> {
    if grid.labels.len() != 2 {
        return None;
    }
    let mut estimates: Vec<&str> = Vec::new();
    let mut schedulers: Vec<&str> = Vec::new();
    for line in &grid.lines {
        for (known, label) in [(&mut schedulers, &line.labels[0]), (&mut estimates, &line.labels[1])] {
            if !known.contains(&label.as_str()) {
                known.push(label);
            }
        }
    }
    let is_product = grid.lines.len() * 4 >= schedulers.len() * estimates.len() * 3;
    ((2..=MOST_BESIDE).contains(&estimates.len()) && schedulers.len() > 1 && is_product).then_some(estimates)
}

/// Most estimates side by side, because a page is not wider.
const MOST_BESIDE: usize = 3;

/// A `tabular` with a line for each scheduler, and with the columns repeated for each estimate.
fn grouped(grid: &Grid, estimates: &[&str]) -> String {
    let width = grid.headings.len();
    let mut out = format!("\\begin{{tabular}}{{l{}}}\n\\toprule\n", "r".repeat(width * estimates.len()));
    let over = estimates.iter().map(|estimate| format!("\\multicolumn{{{width}}}{{c}}{{{}}}", escape(estimate)));
    push_line(&mut out, std::iter::once(String::new()).chain(over));
    for place in 0..estimates.len() {
        out.push_str(&format!("\\cmidrule(lr){{{}-{}}}", 2 + place * width, 1 + (place + 1) * width));
    }
    out.push('\n');
    let headings = estimates.iter().flat_map(|_| &grid.headings);
    push_line(&mut out, std::iter::once(&grid.labels[0]).chain(headings).map(|text| escape(text)));
    out.push_str("\\midrule\n");
    let mut schedulers: Vec<&str> = Vec::new();
    for line in &grid.lines {
        let scheduler = line.labels[0].as_str();
        if schedulers.contains(&scheduler) {
            continue;
        }
        schedulers.push(scheduler);
        let of = |estimate: &&str| {
            let found = grid.lines.iter().find(|line| line.labels[0] == scheduler && line.labels[1] == *estimate);
            found.map_or_else(|| vec![String::new(); width], |line| values_of(line).collect())
        };
        let cells = estimates.iter().flat_map(of);
        push_line(&mut out, std::iter::once(escape(scheduler)).chain(cells));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

/// The `tabular` of any grid.
pub fn latex_of(grid: &Grid) -> String {
    let mut out = String::new();
    let columns = "l".repeat(grid.labels.len()) + "r".repeat(grid.headings.len()).as_str();
    out.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n"));
    push_line(&mut out, grid.labels.iter().chain(&grid.headings).map(|text| escape(text)));
    out.push_str("\\midrule\n");
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| escape(text));
        push_line(&mut out, labels.chain(values_of(line)));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

/// The values of a line, the best ones bold.
fn values_of(line: &GridLine) -> impl Iterator<Item = String> {
    line.values.iter().zip(&line.best).map(|(text, &is_best)| {
        let text = escape(text);
        if is_best { format!("\\textbf{{{text}}}") } else { text }
    })
}

fn push_line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push_str(&cells.collect::<Vec<_>>().join(" & "));
    out.push_str(" \\\\\n");
}

/// Escapes plain text so that LaTeX prints it as it is. Characters of headings and numbers that are not ASCII are
/// spelled so that every engine prints them.
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
