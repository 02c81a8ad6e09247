//! What components stand on: Leptos' own prelude, with another `view!`.

pub(crate) use leptos::prelude::*;

/// As Leptos' `view!`, but of one type whatever is in it. What shows closures, options and lists of
/// views is compiled once then, in place of once for each kind of element, which is a good part of
/// the page.
macro_rules! view {
    ($($tokens:tt)*) => {{
        // closures written in place are of one type as well, those written elsewhere are not
        #[allow(clippy::redundant_closure)]
        let view = leptos::view! { $($tokens)* };
        leptos::prelude::IntoAny::into_any(view)
    }};
}
pub(crate) use view;
