//! The verdicts for partitions that are each taken by themselves: one for each partition, and one for all.

use crate::app::prelude::*;
use crate::app::state::App;
use packfair_study::format::whole;
use packfair_study::verdict::{Apart, FitGrade, OfPartition, Verdict};

/// The verdicts, one below the other; the verdict for all partitions is last.
pub fn answers(app: App, apart: &Apart) -> AnyView {
    let each = apart.each.iter().map(|of| {
        let OfPartition { partition, jobs, fit, verdict } = of;
        let number = partition.number;
        let jobs = jobs.map(|jobs| format!(" ({} jobs)", whole(jobs as i64)));
        let name = view! {
            <button class="link" type="button" on:click=move |_| app.take_each(Some(number))>
                {partition.name.clone()}
            </button>
            {jobs}
        };
        answer(name.into_any(), fit.as_ref(), verdict)
    });
    let total = answer(Apart::ALL.into_any(), apart.fit.as_ref(), &apart.total);
    view! {
        <dl class="conclusion-text" data-testid="apart">{each.collect_view()} {total}</dl>
    }
    .into_any()
}

fn answer(name: AnyView, fit: Option<&(FitGrade, String)>, verdict: &Verdict) -> AnyView {
    let (grade, words) = fit.map(|(grade, words)| (grade.id(), words.clone())).unzip();
    view! {
        <dt>{name}</dt>
        <dd data-grade=grade>{words} " " {verdict.text.clone()}</dd>
    }
}
