//! Makes the table of docs/slurm.md: what a real Slurm did with the same jobs twice, and the family `slurm` beside it.
//! `cargo run --release --example slurm_truth` prints it; a folder that is given has the recordings that are not in the
//! project, without which those lines stay as they are. `--write` puts it into docs/slurm.md. What the criterion misses
//! stands in the last column.

#[path = "../tests/truth/mod.rs"]
mod truth;

use std::path::PathBuf;

const DOCS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/slurm.md");

fn main() -> std::io::Result<()> {
    let (options, folders): (Vec<String>, Vec<String>) = std::env::args().skip(1).partition(|own| own == "--write");
    let beside = folders.first().map(PathBuf::from);
    let docs = std::fs::read_to_string(DOCS)?;
    let renewed = |line: &str| {
        let case = truth::CASES.iter().find(|case| case.has_line(line))?;
        Some(truth::table_line(*case, &case.folder(beside.as_deref())?))
    };
    let lines: Vec<String> = docs.lines().map(|line| renewed(line).unwrap_or_else(|| line.to_owned())).collect();
    if !options.is_empty() {
        return std::fs::write(DOCS, lines.join("\n") + "\n");
    }
    let table = lines.iter().skip_while(|line| !line.starts_with("| case |"));
    table.take_while(|line| line.starts_with('|')).for_each(|line| println!("{line}"));
    Ok(())
}
