//! All cards as a text to send: what would be changed, what it brings, what it costs, how sure that is, and the diff.

use super::card::todo_of;
use super::state::CardsOnPage;
use crate::app::files;
use crate::app::prelude::*;
use crate::app::state::App;
use leptos::task::spawn_local;
use packfair_study::what_if::{finding, ranked};
use std::fmt::Write as _;

/// Copies the report as Markdown.
pub(super) fn copy_report(app: App, cards: &CardsOnPage) {
    let text = report(app, cards);
    spawn_local(async move {
        match files::copy(&text).await {
            Ok(()) => app.notify("The report is in the clipboard, as Markdown.", None),
            Err(why) => app.complain(why),
        }
    });
}

fn report(app: App, cards: &CardsOnPage) -> String {
    let name = app.study.with_untracked(|study| study.source.name());
    let mut text = format!("# What would change on this cluster\n\nJudged on {name}, beside Slurm as configured.\n");
    cards.cards.with_untracked(|all| {
        cards.base.with_untracked(|base| {
            if let Some(said) = finding(all, base) {
                // writing into a string cannot fail
                let _ = writeln!(text, "\n**{said}**");
            }
            for place in ranked(all, base) {
                let card = &all[place];
                let (Some(said), Some(effect)) = (card.sentence(base), card.effect(base)) else { continue };
                let todo = todo_of(cards, &card.run);
                let _ = writeln!(text, "\n- {said}; certainty: {}\n\n```\n{}```", effect.certainty(), todo.text);
            }
        });
    });
    text
}
