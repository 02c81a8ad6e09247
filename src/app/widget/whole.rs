//! A place for what the late part of the page makes.

use super::when::When;
use crate::app::late;
use crate::app::prelude::*;

/// Shows `children` once the whole page is loaded. Where the rest of it cannot be loaded, the place says so, with a way to
/// try again.
#[component]
pub fn Whole(children: ChildrenFn) -> impl IntoView {
    let (is_whole, is_missed) = (late::signal(), late::is_missed());
    view! {
        <When when=move || is_whole.get()>{children()}</When>
        <When when=move || is_missed.get() && !is_whole.get()>
            <p class="missed-part" role="status" data-testid="missed-part">
                "This part of Packfair could not be loaded. Check the connection. "
                <button class="button" type="button" on:click=move |_| late::try_again()>"Try again"</button>
            </p>
        </When>
    }
}
