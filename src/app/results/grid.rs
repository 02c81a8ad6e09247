//! A small table of texts that are made elsewhere.

use crate::app::prelude::*;
use packfair_study::table::{Grid, GridLine};

/// A grid as a table that scrolls within itself; `caption` is for who does not see it.
pub(super) fn grid_table(caption: String, Grid { labels, headings, lines }: Grid) -> AnyView {
    let label = |text: String| view! { <th scope="col">{text}</th> };
    let heading = |text: String| view! { <th scope="col" class="number">{text}</th> };
    let line = |line: GridLine| {
        let labels = line.labels.into_iter().map(|text| view! { <th scope="row">{text}</th> }).collect_view();
        let values = line.values.into_iter().map(|text| view! { <td class="number">{text}</td> }).collect_view();
        view! { <tr>{labels}{values}</tr> }
    };
    view! {
        <div class="table-scroll">
            <table class="plain-table">
                <caption class="visually-hidden">{caption}</caption>
                <thead>
                    <tr>{labels.into_iter().map(label).collect_view()} {headings.into_iter().map(heading).collect_view()}</tr>
                </thead>
                <tbody>{lines.into_iter().map(line).collect_view()}</tbody>
            </table>
        </div>
    }
}
