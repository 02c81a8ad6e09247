//! The lists of what can be named on the command line.

use crate::program::{packfair, stdout};

#[test]
fn the_list_names_every_catalogue() {
    let output = packfair(&["list"]);
    let list = stdout(&output);
    for id in ["saf-justbf", "threshold=", "requested", "P2SF", "metrics-table-2", "incremental", "fairness"] {
        assert!(list.contains(&format!(" {id} ")), "{id}");
    }
}
