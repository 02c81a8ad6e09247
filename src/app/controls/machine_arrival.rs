//! A machine that arrives, as a file, as text or from the form, becomes that of the study. Belongs to the late part
//! (scripts/split).

use crate::app::prelude::*;
use crate::app::state::App;
use crate::machine::{MachineDescription, MachineText};
use crate::study::Study;
use std::sync::Arc;

/// Takes a machine and tells the user, who can undo this.
pub(super) fn take(app: App, name: &str, machine: MachineDescription, more: &str) {
    let before = app.study.with_untracked(|study| study.treatment.clone());
    let told = reported(&machine);
    app.edit(move |study| set(study, machine));
    let undo = move || {
        let before = before.clone();
        app.edit(move |study| study.treatment = before);
    };
    app.notify(format!("{name} is the machine now: {told}.{more}"), Some(Arc::new(undo)));
}

/// Takes a machine that arrived as a file or as text. Depending on its kind, the text replaces the present description
/// or adds to it.
pub fn take_text(app: App, name: &str, text: &str) {
    let Some(kind) = MachineText::recognise(text) else { return };
    let before = app.study.with_untracked(|study| study.treatment.machine.clone());
    match kind.read(text, before.as_deref()) {
        Err(problem) => app.complain(format!("{name}: {problem}")),
        Ok(machine) => take(app, name, machine, ""),
    }
}

/// "2 cells, 1 partition, 3 changes".
fn reported(machine: &MachineDescription) -> String {
    let count = |count: usize, one: &str, several: &str| match count {
        0 => None,
        1 => Some(format!("1 {one}")),
        count => Some(format!("{count} {several}")),
    };
    let parts = [
        count(machine.cells.len(), "cell", "cells"),
        count(machine.partitions.len(), "partition", "partitions"),
        count(machine.changes.len(), "change", "changes"),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

pub(super) fn set(study: &mut Study, machine: MachineDescription) {
    if !machine.cells.is_empty() {
        // the cells say how large it is
        study.treatment.processors = None;
    }
    study.treatment.machine = (!machine.is_empty()).then(|| Box::new(machine));
}

pub(super) fn change(app: App, change: impl FnOnce(&mut MachineDescription) + 'static) {
    app.edit(move |study| {
        let mut machine = study.treatment.machine.as_deref().cloned().unwrap_or_default();
        change(&mut machine);
        set(study, machine);
    });
}
