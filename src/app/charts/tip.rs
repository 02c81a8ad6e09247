//! The tip beside the crosshair: the values of all series there.

use super::state::{ChartState, CrosshairHit};
use crate::app::prelude::*;
use crate::chart::{Hit, Ink, Plot};

/// The largest number of rows of a tip: more do not fit beside a chart.
const MOST_ROWS: usize = 12;

/// The largest width of a tip, pixels; as in style/charts.css.
const WIDTH: f64 = 280.0;

/// Gives the labels and values of the tip for a box or point; without it, the tip shows the name and axis values.
pub type Tell = Option<Callback<Hit, Vec<(String, String)>>>;

#[derive(Clone, Debug, PartialEq)]
struct TipText {
    title: String,
    rows: Vec<TipLine>,
    left_out: usize,
}

#[derive(Clone, Debug, PartialEq)]
struct TipLine {
    ink: Option<Ink>,
    name: String,
    value: String,
}

#[component]
pub fn Tip(
    state: ChartState,
    /// Gives the tip of a box or point.
    tell: Tell,
) -> impl IntoView {
    let words = Memo::new(move |_| words(state, tell));
    let side = Memo::new(move |_| {
        let cursor = state.cursor.get()?;
        let width = state.with_plot(|plot| plot.sheet.width)?;
        // on the side with more room, and never under the pointer
        let is_left = cursor.x > width / 2.0;
        let room = if is_left { cursor.x } else { width - cursor.x };
        Some((
            is_left,
            if is_left { width - cursor.x + 14.0 } else { cursor.x + 14.0 },
            (room - 14.0).clamp(120.0, WIDTH),
        ))
    });
    let at = move |wanted: bool| move || side.get().filter(|s| s.0 == wanted).map(|s| format!("{:.0}px", s.1));
    let top =
        move || state.cursor.get().map(|cursor| format!("{:.0}px", cursor.y.map_or(20.0, |y| (y - 20.0).max(0.0))));
    view! {
        <div
            class="chart-tip"
            aria-hidden="true"
            hidden=move || words.with(Option::is_none)
            style:left=at(false)
            style:right=at(true)
            style:top=top
            style:max-width=move || side.get().map(|s| format!("{:.0}px", s.2))
        >
            {move || words.get().map(rows)}
        </div>
    }
}

fn rows(words: TipText) -> impl IntoView {
    let row = |TipLine { ink, name, value }: TipLine| {
        view! {
            <div class="chart-tip-row">
                {ink.map(|ink| view! { <span class=format!("swatch {}", swatch_class(ink))></span> })}
                <span class="chart-tip-name">{name}</span>
                <span class="chart-tip-value">{value}</span>
            </div>
        }
    };
    let more = (words.left_out > 0)
        .then(|| view! { <div class="chart-tip-more">{format!("and {} more", words.left_out)}</div> });
    view! { <div class="chart-tip-title">{words.title}</div> {words.rows.into_iter().map(row).collect_view()} {more} }
}

/// The CSS class of a swatch in an ink.
pub fn swatch_class(ink: Ink) -> String {
    match ink {
        Ink::Series(i) => format!("swatch-{} pattern-{}", i % 8 + 1, i / 8 % 4),
        Ink::Plain => "swatch-1 pattern-0".to_owned(),
        Ink::Rest => "swatch-rest pattern-0".to_owned(),
        Ink::Guide => "swatch-guide pattern-2".to_owned(),
    }
}

/// The content of the tip as a sentence.
pub fn in_words(state: ChartState, tell: Tell) -> String {
    let Some(TipText { title, rows, .. }) = words(state, tell) else { return String::new() };
    let rows: Vec<String> = rows.into_iter().map(|row| format!("{} {}", row.name, row.value)).collect();
    format!("{title}: {}", rows.join("; "))
}

fn words(state: ChartState, tell: Tell) -> Option<TipText> {
    let found = state.found()?;
    state.with_plot(|plot| match found {
        CrosshairHit::Readings(x, readings) => {
            let rows = readings.iter().map(|reading| {
                let series = &plot.figure.series[reading.series];
                TipLine { ink: Some(series.ink), name: series.name.clone(), value: plot.say_value(reading) }
            });
            let left_out = readings.len().saturating_sub(MOST_ROWS);
            TipText { title: plot.say_place(x, &readings), rows: rows.take(MOST_ROWS).collect(), left_out }
        }
        CrosshairHit::Thing(hit) => {
            TipText { title: plot.figure.series[hit.series].name.clone(), rows: thing(plot, hit, tell), left_out: 0 }
        }
    })
}

fn thing(plot: &Plot, hit: Hit, tell: Tell) -> Vec<TipLine> {
    let pairs = tell.map_or_else(|| plot.say_point(&hit), |tell| tell.run(hit));
    pairs.into_iter().map(|(name, value)| TipLine { ink: None, name, value }).collect()
}
