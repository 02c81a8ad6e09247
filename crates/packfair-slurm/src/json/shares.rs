//! What `sshare --json` writes, as the table of `sshare -P -a -l`.

use super::{at, flags, text};
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::Value;

/// Puts what is so far to the right before all others.
fn push<'a>(open: &mut Vec<(usize, &'a Value)>, of: Option<Vec<&'a Value>>, depth: usize) {
    open.extend(of.into_iter().flatten().rev().map(|item| (depth, item)));
}

/// The table, in which an account stands behind the one above it, further to the right.
pub(super) fn shares(items: &[Value]) -> String {
    let word = |item: &Value, path: &str| at(item, &[path]).map(text).unwrap_or_default();
    let is_user = |item: &Value| flags(item, &["type"]).iter().any(|kind| kind == "USER");
    let names: FxHashSet<String> = items.iter().filter(|item| !is_user(item)).map(|item| word(item, "name")).collect();
    // what is below each account; what hangs on no account that is there stands at the top
    let mut below: FxHashMap<String, Vec<&Value>> = FxHashMap::default();
    for item in items {
        let parent =
            Some(word(item, "parent")).filter(|parent| names.contains(parent) && *parent != word(item, "name"));
        below.entry(parent.filter(|_| word(item, "name") != "root").unwrap_or_default()).or_default().push(item);
    }
    let mut found = "Account|User|Partition|RawShares|RawUsage\n".to_owned();
    let mut open: Vec<(usize, &Value)> = Vec::new();
    let top = below.remove("");
    push(&mut open, top, 0);
    while let Some((depth, item)) = open.pop() {
        let (name, parent) = (word(item, "name"), word(item, "parent"));
        let (account, user) = if is_user(item) { (&parent, name.as_str()) } else { (&name, "") };
        let own = word(item, "shares");
        let shares = match own.as_str() {
            "2147483647" => "parent",
            // the root has none
            "UNLIMITED" => "",
            number => number,
        };
        let indent = " ".repeat(depth.min(100));
        found += &format!("{indent}{account}|{user}|{}|{shares}|{}\n", word(item, "partition"), word(item, "usage"));
        if !is_user(item) {
            let own = below.remove(&name);
            push(&mut open, own, depth + 1);
        }
    }
    found
}
