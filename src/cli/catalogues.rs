//! `packfair list`: everything that has an id.

use super::{Failure, print};
use crate::catalogue::{Entry, Kind, Parameter};
use crate::estimator::{FAMILIES as METHODS, PRESETS as NAMED_METHODS};
use crate::metric::Metric;
use crate::model::{Reestimation, RoundTrigger};
use crate::scheduler::{FAMILIES, PRESETS};
use crate::simulation::Correction;
use crate::study::recipe::Recipe;
use crate::study::what_if::QUESTIONS;
use crate::workload::reading::FORMATS;
use crate::workload::{Cleaning, DATA_SETS, Unit};
use std::fmt::Write;

pub(super) fn list() -> Result<(), Failure> {
    let mut text = String::new();
    section(
        &mut text,
        "Formats of logs, plain or packed (gzip, zstandard, bzip2, xz, zip, tar)",
        FORMATS.iter().map(|format| (format.name, format.help)),
    );
    section(&mut text, "Public data sets, known by their columns: read as they are, each on its own machine", []);
    for set in DATA_SETS {
        line(&mut text, set.id, &format!("{}: {}; from {}; cite: {}", set.name, set.about, set.from, set.cite));
    }
    section(&mut text, "Schedulers", PRESETS.iter().map(|preset| (preset.id, preset.help)));
    section(&mut text, "Families of schedulers: family:parameter=value,...", []);
    FAMILIES.iter().for_each(|family| entry(&mut text, &family.entry));
    section(&mut text, "Estimators: id or id:parameter=value,..., perhaps with a factor k: id*k", []);
    METHODS.iter().for_each(|family| entry(&mut text, &family.entry));
    NAMED_METHODS.iter().for_each(|preset| line(&mut text, preset.id, preset.help));
    section(&mut text, "Metrics", []);
    for about in Metric::ALL.iter().map(|metric| metric.about()) {
        line(&mut text, about.id, &about.help.in_unit(Unit::Processors));
    }
    section(&mut text, "Recipes: studies of papers (--recipe)", []);
    Recipe::all().for_each(|recipe| entry(&mut text, &recipe.entry));
    section(
        &mut text,
        "Questions about a Slurm site (--what-if)",
        QUESTIONS.iter().map(|asked| (asked.id, asked.name)),
    );
    section(
        &mut text,
        "Corrections of estimates that running jobs exceed (--correction)",
        Correction::ALL.map(|rule| (rule.id(), rule.help())),
    );
    section(
        &mut text,
        "When waiting jobs are estimated (--reestimate)",
        Reestimation::ALL.map(|when| (when.id(), when.help())),
    );
    section(
        &mut text,
        "Which submissions start a scheduling round (--rounds)",
        RoundTrigger::ALL.map(|which| (which.id(), which.help())),
    );
    section(&mut text, "Cleaning of logs (--clean)", Cleaning::ALL.map(|cleaning| (cleaning.id(), cleaning.help())));
    print(text.trim_start())
}

fn section(text: &mut String, heading: &str, lines: impl IntoIterator<Item = (&'static str, &'static str)>) {
    text.push_str(&format!("\n{heading}\n"));
    lines.into_iter().for_each(|(id, help)| line(text, id, help));
}

fn entry(text: &mut String, entry: &Entry) {
    line(text, entry.id, &format!("{} ({})", entry.help, entry.source));
    entry.parameters.iter().for_each(|parameter| setting(text, parameter));
}

fn setting(text: &mut String, parameter: &Parameter) {
    let Parameter { id, help, .. } = parameter;
    if let Kind::Changes { .. } = parameter.kind {
        return line(text, "  KEY=VALUE", help);
    }
    line(text, &format!("  {id}="), &format!("{help}: {} (usually {})", parameter.takes(), parameter.default()));
}

fn line(text: &mut String, id: &str, help: &str) {
    // writing into a string cannot fail
    writeln!(text, "  {id:<20} {help}").unwrap();
}
