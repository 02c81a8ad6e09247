//! The Waits tab: how long each group of jobs waits, in the log and in the charted runs.

mod table;

use self::table::{WaitMaps, WaitsTable};
use crate::app::charts::ChartedRuns;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::results::row::name;
use crate::app::state::{App, LogState};
use crate::app::widget::{ChoiceOption, Segment, Segments, Select, When};
use leptos::task::spawn_local;
use packfair_engine::metric::{Grouping, Measure};
use packfair_study::export::for_spreadsheets;
use packfair_study::grouped::{WaitsColumn, WaitsRow, as_logged, sort_waits, waits_csv};
use packfair_study::query::{Answer, Query};
use packfair_study::waits_matrix::{MatrixOrder, WaitsMatrix};
use packfair_study::{Baseline, Run};

/// Waits and slowdowns by partition, account, user, width, run time or hour.
#[component]
pub fn WaitsView() -> impl IntoView {
    let app = expect_context::<App>();
    let is_there = Memo::new(move |_| app.log.with(|log| matches!(log, LogState::Ready(_))));
    view! {
        <section class="waits" aria-label="Waits" data-testid="waits-view">
            <When
                when=move || is_there.get()
                fallback=|| view! { <p class="empty-state">"No log is at hand: drop one here to see who waits."</p> }
            >
                {contents(app)}
            </When>
        </section>
    }
}

// most of the tab: a function of its own, which belongs to the late part (scripts/split)
#[inline(never)]
fn contents(app: App) -> AnyView {
    let by = RwSignal::new(app.log.with_untracked(usual_grouping));
    let column = RwSignal::new(WaitsColumn::WaitMean);
    let sorting = RwSignal::new(MatrixOrder::default());
    let is_change = RwSignal::new(false);
    let known = RwSignal::new(Vec::new());
    let failure = RwSignal::new(None::<String>);
    // the baseline of the comparison table or, without one, the log itself
    let baseline = Memo::new(move |_| match app.study.with(|study| study.baseline.clone()) {
        Baseline::None => Baseline::Run(as_logged()),
        other => other,
    });
    ask(app, by, baseline, known, failure);
    let rows = Memo::new(move |_| {
        let mut rows: Vec<WaitsRow> = known.get();
        sort_waits(&mut rows, None);
        rows
    });
    let matrix = Memo::new(move |_| {
        let (column, sorting) = (column.get(), sorting.get());
        let chosen = by.get();
        baseline.with(|baseline| {
            known.with(|rows: &Vec<WaitsRow>| {
                // until new rows arrive, those of the previous grouping stay
                let by = rows.first().map_or(chosen, |row| row.by);
                let matrix = WaitsMatrix::of(rows, by, column, baseline, sorting);
                app.log.with(|log| match log {
                    LogState::Ready(described) => matrix.called_in(&described.header),
                    _ => matrix,
                })
            })
        })
    });
    let said = move || matrix.with(WaitsMatrix::in_words);
    let beside = move || {
        let what = match is_change.get() {
            true => "Change to",
            false => "Tints: against",
        };
        match baseline.get() {
            Baseline::Run(run) => format!("{what} {}, group by group.", name(&run)),
            Baseline::Scheduler(scheduler) => {
                format!("{what} {} with the same estimate, group by group.", scheduler.name())
            }
            Baseline::Estimate(estimate) => {
                let estimate = packfair_study::format::estimate(&estimate);
                format!("{what} the same scheduler with {estimate} estimates, group by group.")
            }
            Baseline::None => String::new(),
        }
    };
    let measures = WaitsColumn::ALL.into_iter().filter(|column| *column != WaitsColumn::Jobs);
    let measures = measures.map(|column| ChoiceOption::new(column.id(), column.name(), "")).collect::<Vec<_>>();
    let measure = move |id: String| {
        if let Ok(chosen) = id.parse() {
            column.set(chosen);
        }
    };
    let groupings = Grouping::ALL
        .into_iter()
        .map(|by| {
            let word = app.log.with_untracked(|log| match log {
                LogState::Ready(described) => by.called(&described.header).to_owned(),
                _ => by.name().to_owned(),
            });
            ChoiceOption::new(by.id(), word, "")
        })
        .collect::<Vec<_>>();
    let choose = move |id: String| {
        if let Ok(chosen) = id.parse() {
            by.set(chosen);
        }
    };
    let save = move |_| {
        let name = files::of_log(app, &format!("waits-by-{}.csv", by.get_untracked()));
        let csv = rows.with_untracked(|rows| for_spreadsheets(&waits_csv(rows)));
        if let Err(message) = files::save(&name, "text/csv", csv.as_bytes()) {
            app.complain(message);
        }
    };
    view! {
        <div class="row">
            <Select
                label="By"
                options=Signal::derive(move || groupings.clone())
                value=Signal::derive(move || by.get().id().to_owned())
                on_change=choose
            />
            <Select
                label="Show"
                options=Signal::derive(move || measures.clone())
                value=Signal::derive(move || column.get().id().to_owned())
                on_change=measure
            />
            <Segments
                name="Values, or changes to the baseline"
                segments=vec![Segment::new("Values", is_change, false), Segment::new("Change", is_change, true)]
            />
            <button
                class="button"
                type="button"
                data-testid="save-waits"
                disabled=move || rows.with(Vec::is_empty)
                on:click=save
            >
                "Save as CSV"
            </button>
        </div>
        <p class="conclusion-text" data-testid="waits-said" aria-live="polite">{move || said()}</p>
        <p class="quiet" data-testid="waits-baseline">
            {move || beside()}
            " Groups that lose most come first. Click a heading to sort; click a group to count only its jobs, everywhere."
        </p>
        <p class="field-error" role="alert">{failure}</p>
        <WaitsTable matrix sorting is_change/>
        <WaitMaps baseline/>
    }
}

/// The most informative grouping of this log: by partition if it has several, otherwise by width.
fn usual_grouping(log: &LogState) -> Grouping {
    match log {
        LogState::Ready(described) if described.summary.partitions.len() > 1 => Grouping::Partition,
        _ => Grouping::Width,
    }
}

/// Asks about the log and each charted run, again whenever the results, the grouping or the measure change.
fn ask(
    app: App,
    by: RwSignal<Grouping>,
    baseline: Memo<Baseline>,
    known: RwSignal<Vec<WaitsRow>>,
    failure: RwSignal<Option<String>>,
) {
    let runs = ChartedRuns::of(app);
    let measure = Memo::new(move |_| app.study.with(|study| study.measure.clone()));
    let round = StoredValue::new(0_u32);
    Effect::new(move |_| {
        runs.all.track();
        app.log.track();
        // the table shows all groups, even if only one of them counts
        let (chosen, by, measure) = (runs.chosen.get(), by.get(), Measure { only: None, ..measure.get() });
        round.update_value(|round| *round += 1);
        let number = round.get_value();
        // the log's own waits come first, and are shown whatever runs are charted
        let mut chosen = table::on_all(app, &chosen);
        let bases = baseline.with(|baseline| chosen.iter().filter_map(|run| baseline.of(run)).collect::<Vec<_>>());
        for base in bases {
            if !chosen.contains(&base) && app.results().iter().any(|outcome| outcome.report.run == base) {
                chosen.push(base);
            }
        }
        let simulated = chosen.into_iter().filter(|run| !run.scheduler.is_as_logged()).map(Some);
        let asked: Vec<Option<Run>> = std::iter::once(None).chain(simulated).collect();
        spawn_local(async move {
            let mut found = Vec::new();
            let mut why = None;
            for run in asked {
                match app.ask(Query::Waits { run, by, measure: measure.clone() }).await {
                    Ok(Answer::Waits(rows)) => found.extend(rows),
                    Ok(_) => {}
                    Err(message) => why = Some(message),
                }
                // the answer is late: something else has been asked meanwhile, or the view is gone
                if round.try_get_value() != Some(number) {
                    return;
                }
            }
            known.set(found);
            failure.set(why);
        });
    });
}
