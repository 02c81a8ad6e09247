//! The prelude of components: that of Leptos, with another `view!`.

pub(crate) use leptos::prelude::*;

/// Like Leptos' `view!`, but the type is the same whatever the view contains. Code that shows closures, options and
/// lists of views is therefore compiled once, not once for each kind of element; this would be a good part of the page.
macro_rules! view {
    ($($tokens:tt)*) => {{
        // closures written in place get one type as well; closures written elsewhere do not
        #[allow(clippy::redundant_closure)]
        let view = leptos::view! { $($tokens)* };
        leptos::prelude::IntoAny::into_any(view)
    }};
}
pub(crate) use view;
