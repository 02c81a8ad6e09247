//! A table as a piece of HTML, for notebooks.

use super::{Grid, GridLine, Mode, Table, TableOrigin};
use crate::format::TimeUnit;
use packfair_engine::metric::Metric;

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

// A table as Markdown (pipe tables of GitHub's flavour).

/// A pipe table with numbers aligned to the right and the best ones bold; below it a line says what they are compared
/// with.
pub fn markdown(table: &Table, unit: TimeUnit) -> String {
    let mut out = markdown_of(&table.grid(unit));
    let caption = table.caption();
    if !caption.is_empty() {
        out.push_str(&format!("\n{}\n", markdown_escape(&caption)));
    }
    for said in table.machines.iter().chain(&table.truth) {
        out.push_str(&format!("\n{}\n", markdown_escape(said)));
    }
    if let Some(sureness) = &table.sureness {
        out.push_str(&format!("\n{}\n", markdown_escape(sureness)));
    }
    for caveat in table.caveats() {
        out.push_str(&format!("\n{}\n", markdown_escape(caveat)));
    }
    out
}

/// The pipe table of any grid.
pub fn markdown_of(grid: &Grid) -> String {
    let mut out = String::new();
    let headings: Vec<String> = grid.labels.iter().chain(&grid.headings).map(|text| markdown_escape(text)).collect();
    push_line(&mut out, &headings);
    let left = grid.labels.iter().map(|_| "---".to_owned());
    let right = grid.headings.iter().map(|_| "---:".to_owned());
    push_line(&mut out, &left.chain(right).collect::<Vec<_>>());
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| markdown_escape(text));
        let values = line.values.iter().zip(&line.best).map(|(text, &is_best)| {
            let text = markdown_escape(text);
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
fn markdown_escape(text: &str) -> String {
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

// A table as LaTeX, for a paper.

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
        out.push_str(&format!("\\caption{{{}}}\n", latex_escape(caption.trim())));
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
    let over = estimates.iter().map(|estimate| format!("\\multicolumn{{{width}}}{{c}}{{{}}}", latex_escape(estimate)));
    latex_push_line(&mut out, std::iter::once(String::new()).chain(over));
    for place in 0..estimates.len() {
        out.push_str(&format!("\\cmidrule(lr){{{}-{}}}", 2 + place * width, 1 + (place + 1) * width));
    }
    out.push('\n');
    let headings = estimates.iter().flat_map(|_| &grid.headings);
    latex_push_line(&mut out, std::iter::once(&grid.labels[0]).chain(headings).map(|text| latex_escape(text)));
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
        latex_push_line(&mut out, std::iter::once(latex_escape(scheduler)).chain(cells));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

/// The `tabular` of any grid.
pub fn latex_of(grid: &Grid) -> String {
    let mut out = String::new();
    let columns = "l".repeat(grid.labels.len()) + "r".repeat(grid.headings.len()).as_str();
    out.push_str(&format!("\\begin{{tabular}}{{{columns}}}\n\\toprule\n"));
    latex_push_line(&mut out, grid.labels.iter().chain(&grid.headings).map(|text| latex_escape(text)));
    out.push_str("\\midrule\n");
    for line in &grid.lines {
        let labels = line.labels.iter().map(|text| latex_escape(text));
        latex_push_line(&mut out, labels.chain(values_of(line)));
    }
    out.push_str("\\bottomrule\n\\end{tabular}\n");
    out
}

/// The values of a line, the best ones bold.
fn values_of(line: &GridLine) -> impl Iterator<Item = String> {
    line.values.iter().zip(&line.best).map(|(text, &is_best)| {
        let text = latex_escape(text);
        if is_best { format!("\\textbf{{{text}}}") } else { text }
    })
}

fn latex_push_line(out: &mut String, cells: impl Iterator<Item = String>) {
    out.push_str(&cells.collect::<Vec<_>>().join(" & "));
    out.push_str(" \\\\\n");
}

/// Escapes plain text so that LaTeX prints it as it is. Characters of headings and numbers that are not ASCII are
/// spelled so that every engine prints them.
fn latex_escape(text: &str) -> String {
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
