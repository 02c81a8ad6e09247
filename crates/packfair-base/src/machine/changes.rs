//! Tables of changes of a machine.

use super::calendar::Displaced;
use super::description::{ChangeDescription, MomentDescription};

const COLUMNS: [&str; 8] = ["from", "until", "nodes", "cell", "announced", "what", "every", "last"];

/// Reads the changes of a table, whose first line has the names of columns (docs/machine.md).
///
/// # Errors
/// If the table cannot be read: what is wrong and in which line, in words for a person.
pub fn changes_of_table(text: &str) -> Result<Vec<ChangeDescription>, String> {
    let mut reader = csv::ReaderBuilder::new().trim(csv::Trim::All).from_reader(text.as_bytes());
    let names = reader.headers().map_err(|error| error.to_string())?.clone();
    let place = |column: &str| names.iter().position(|name| name.eq_ignore_ascii_case(column));
    let missing: Vec<&str> = ["from", "nodes"].into_iter().filter(|column| place(column).is_none()).collect();
    if !missing.is_empty() {
        return Err(format!(
            "the table lacks {}; its first line names its columns: {}",
            missing.join(" and "),
            COLUMNS.join(",")
        ));
    }
    let mut changes = Vec::new();
    for (row, line) in reader.records().zip(2..) {
        let row = row.map_err(|error| error.to_string())?;
        let get = |column: &str| place(column).and_then(|at| row.get(at)).filter(|text| !text.is_empty());
        let moment = |column: &str| get(column).map(MomentDescription::from);
        let nodes = get("nodes").unwrap_or_default();
        let nodes = nodes
            .parse()
            .map_err(|_| format!("line {line}: nodes is \"{nodes}\"; give how many are fewer (-4) or more (4)"))?;
        let what = match get("what").unwrap_or("drain") {
            "drain" => Displaced::Drain,
            "kill" => Displaced::Kill,
            other => return Err(format!("line {line}: what is \"{other}\"; it is drain or kill")),
        };
        changes.push(ChangeDescription {
            from: moment("from")
                .ok_or_else(|| format!("line {line}: there is no from; give when the change begins"))?,
            until: moment("until"),
            cell: get("cell").map(str::to_owned),
            nodes,
            announced: moment("announced"),
            what,
            every: get("every")
                .map(|days| {
                    let wrong =
                        |_| format!("line {line}: every is \"{days}\"; give after how many days it comes again");
                    days.parse().map_err(wrong)
                })
                .transpose()?,
            last: moment("last"),
            power_cap: None,
        });
    }
    Ok(changes)
}
