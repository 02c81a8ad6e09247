//! Values that only the build knows: the names of files that contain a hash of their content.

/// The address that the build has put into the document, in a `meta` element of this name; `None` if it has put none.
pub fn address(name: &str) -> Option<String> {
    let meta = web_sys::window()?.document()?.query_selector(&format!("meta[name={name}]")).ok()??;
    meta.get_attribute("content").filter(|address| !address.is_empty())
}
