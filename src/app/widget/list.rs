//! Lists of views. When the items change, only the views of new items are created.

use crate::app::prelude::*;

type MakeItem = Box<dyn FnOnce() -> AnyView + Send>;

/// Like Leptos' `For`. That is compiled again for every type of item; of this, only a thin shell is.
#[component]
pub fn List<T, K, E, F, C>(
    each: E,
    /// The key that identifies an item.
    key: F,
    children: C,
) -> impl IntoView
where
    T: Send + 'static,
    K: ToString,
    E: Fn() -> Vec<T> + Send + 'static,
    F: Fn(&T) -> K + Send + 'static,
    C: Fn(T) -> AnyView + Clone + Send + 'static,
{
    keyed(Box::new(move || {
        let made = |item: T| {
            let (key, children) = (key(&item).to_string(), children.clone());
            (key, Box::new(move || children(item)) as MakeItem)
        };
        each().into_iter().map(made).collect()
    }))
}

fn keyed(each: Box<dyn Fn() -> Vec<(String, MakeItem)> + Send>) -> AnyView {
    view! { <For each key=|(key, _)| key.clone() children=|(_, make)| make() /> }
}
