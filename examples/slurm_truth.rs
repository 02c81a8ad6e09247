//! Prints the table of docs/slurm.md: what a real Slurm did with the same jobs twice, and the family `slurm` beside it.
//! `cargo run --release --example slurm_truth` does so for the recorded cases of the project, and for those in further
//! folders that are given.

#[path = "../tests/truth/mod.rs"]
mod truth;

use std::path::{Path, PathBuf};

/// The folders of the cases in a folder, by name.
fn cases(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut found: Vec<PathBuf> =
        std::fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<Result<_, std::io::Error>>()?;
    found.retain(|case| case.join("sacct-again.txt").exists());
    found.sort();
    Ok(found)
}

fn main() -> std::io::Result<()> {
    let own = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/real_slurm"));
    println!("| case | d(real, real) | d(sim, sim) | d(real, sim) | may be | mean waits, real | simulated |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for folder in std::iter::once(own).chain(std::env::args().skip(1).map(PathBuf::from)) {
        for case in cases(&folder)? {
            let name = case.file_name().unwrap_or_default().to_string_lossy().into_owned();
            println!("{}", truth::table_line(&name, &case));
        }
    }
    Ok(())
}
