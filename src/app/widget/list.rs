//! Lists of views, of which only those of new items are made when the items change.

use crate::app::prelude::*;

/// Makes an item's view.
type MakeItem = Box<dyn FnOnce() -> AnyView + Send>;

/// As Leptos' `For`, which is compiled anew for every kind of item; of this only a shell is.
#[component]
pub fn List<T, K, E, F, C>(
    /// The items, as they are now.
    each: E,
    /// Identifies an item.
    key: F,
    /// An item's view.
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
