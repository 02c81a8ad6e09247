//! The words, each with a small picture.

use super::address_of;
use super::gantt::picture;
use crate::app::prelude::*;
use packfair_study::learn::{GLOSSARY, Term, lesson};

#[component]
pub fn Glossary() -> impl IntoView {
    let card = |term: &'static Term| {
        let of = lesson(term.lesson);
        view! {
            <div class="learn-term" id=format!("learn-{}", term.id) data-testid=format!("term-{}", term.id)>
                <dt>{term.word}</dt>
                <dd class="learn-term-picture">{picture(term)}</dd>
                <dd>{term.text}</dd>
                <dd><a href=address_of(of)>{format!("Lesson: {}", of.name)}</a></dd>
            </div>
        }
    };
    view! {
        <section class="learn-words" aria-labelledby="learn-words">
            <h3 class="learn-subtitle" id="learn-words">"Terms"</h3>
            <dl class="learn-terms">{GLOSSARY.iter().map(card).collect_view()}</dl>
        </section>
    }
}
