//! Prints the names, licences and notices of all libraries that are part of the page, for `dist/`. Their licences
//! require that.

use cargo_metadata::{CargoOpt, DependencyKind, Metadata, MetadataCommand, Package, PackageId};
use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;

/// What the page is built for.
const TARGET: &str = "wasm32-unknown-unknown";

/// Files whose names begin so hold notices, the preferred ones first. Where a library has several licences, the
/// shortest is enough.
const NOTICES: [&str; 7] = ["LICENSE-MIT", "LICENSE_MIT", "LICENSE", "LICENCE", "COPYING", "UNLICENSE", "LICENSE-"];

fn main() -> Result<(), Box<dyn Error>> {
    let manifest = std::env::args().nth(1).ok_or("usage: notices CARGO_TOML")?;
    let options = ["--locked", "--filter-platform", TARGET].map(str::to_owned);
    let metadata =
        MetadataCommand::new().manifest_path(manifest).features(CargoOpt::AllFeatures).other_options(options).exec()?;
    let mut by_text: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in parts(&metadata)? {
        let name = format!("{} {} ({})", package.name, package.version, license(package));
        by_text.entry(notice(package)).or_default().push(name);
    }
    println!("Packfair contains the libraries below. Each is followed by its licence.");
    for (text, names) in by_text {
        println!("\n{}\n{}\n\n{}", "-".repeat(80), names.join("\n"), text.trim_end());
    }
    Ok(())
}

/// The libraries that the page is linked with.
fn parts(metadata: &Metadata) -> Result<Vec<&Package>, Box<dyn Error>> {
    let graph = metadata.resolve.as_ref().ok_or("cargo told no dependencies")?;
    let root = graph.root.as_ref().ok_or("this is no package")?;
    let mut found: BTreeSet<&PackageId> = BTreeSet::new();
    let mut open = vec![root];
    while let Some(id) = open.pop() {
        if !found.insert(id) {
            continue;
        }
        let node = graph.nodes.iter().find(|node| node.id == *id).ok_or("a dependency is missing")?;
        let is_linked = |kind: &cargo_metadata::DepKindInfo| kind.kind == DependencyKind::Normal;
        open.extend(node.deps.iter().filter(|dep| dep.dep_kinds.iter().any(is_linked)).map(|dep| &dep.pkg));
    }
    found.remove(root);
    let mut packages: Vec<&Package> = metadata.packages.iter().filter(|package| found.contains(&package.id)).collect();
    packages.sort_by(|a, b| (&a.name, &a.version).cmp(&(&b.name, &b.version)));
    Ok(packages)
}

fn license(package: &Package) -> &str {
    package.license.as_deref().unwrap_or("see below")
}

/// The text of a library's licence; where the library contains none, its authors.
fn notice(package: &Package) -> String {
    let folder = package.manifest_path.parent().map(|folder| folder.as_std_path().to_owned());
    let mut files: Vec<_> = folder.into_iter().flat_map(fs::read_dir).flatten().flatten().collect();
    files.sort_by_key(fs::DirEntry::file_name);
    let named =
        |start: &&str| files.iter().find(|file| file.file_name().to_string_lossy().to_uppercase().starts_with(*start));
    let text = NOTICES.iter().filter_map(named).find_map(|file| fs::read_to_string(file.path()).ok());
    let authors = || match package.authors.as_slice() {
        [] => "its authors".to_owned(),
        authors => authors.join(", "),
    };
    text.unwrap_or_else(|| format!("Copyright: {}. The licence stands behind its name.", authors()))
}
