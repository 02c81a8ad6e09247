//! Firefox: geckodriver, and the console as the browser itself keeps it.

use super::{Compiling, Further, Server, connect};
use fantoccini::Client;
use fantoccini::wd::Capabilities;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::Duration;

/// Errors of scripts, of workers and of the Content-Security-Policy come to the browser's console by themselves, from
/// all processes. What a page or a worker writes with `console` stays in its process: this script makes each process
/// pass on its warnings and errors. The browser's own process refuses the script, but no page runs in it.
const GATHER: &str = r#"
    const gather = () => {
        const storage = Cc["@mozilla.org/consoleAPI-storage;1"].getService(Ci.nsIConsoleAPIStorage);
        const pass = event => {
            const { level, filename, lineNumber, arguments: said } = event.wrappedJSObject ?? event;
            if (!["error", "assert", "warn"].includes(level) || !/^https?:/.test(filename)) return;
            const text = said.map(part => part?.stack ? `${part} ${part.stack}` : String(part)).join(" ");
            const severity = level === "warn" ? "WARNING" : "SEVERE";
            Services.console.logStringMessage(`page ${severity}: ${filename} ${lineNumber} ${text}`);
        };
        storage.addLogEventListener(pass, Cc["@mozilla.org/systemprincipal;1"].createInstance(Ci.nsIPrincipal));
    };
    Services.ppmm.loadProcessScript(`data:,(${encodeURIComponent(gather)})()`, true);
    Services.console.reset();"#;

/// Returns the console's entries from pages only, and empties it. When a page is left, Firefox reports that the service
/// worker failed for requests still under way. These count as warnings: where the service worker really fails, the page
/// says so.
const CONSOLE: &str = r#"
    const lines = Services.console.getMessageArray().map(entry => {
        if (!(entry instanceof Ci.nsIScriptError)) return entry.message.match(/^page (.*)/s)?.[1];
        if (!/^https?:/.test(entry.sourceName)) return undefined;
        const isWarning = entry.flags & Ci.nsIScriptError.warningFlag || entry.errorMessage.includes("A ServiceWorker intercepted the request");
        const severity = isWarning ? "WARNING" : "SEVERE";
        return `${severity}: ${entry.sourceName} ${entry.lineNumber} ${entry.errorMessage}`;
    });
    Services.console.reset();
    return lines.filter(Boolean);"#;

/// Opens Firefoxes, each with a geckodriver of its own, because a geckodriver drives only one.
pub struct Firefox {
    compiling: Compiling,
    servers: Mutex<Vec<Server>>,
}

impl Firefox {
    /// Opens none yet.
    pub fn new(compiling: Compiling) -> Firefox {
        Firefox { compiling, servers: Mutex::default() }
    }

    /// Opens a Firefox with a fresh profile.
    pub async fn open(&self) -> Client {
        // only scripts of the browser itself can read the console
        let server =
            Server::start("geckodriver", &["--port=0", "--allow-system-access"], "Listening on 127.0.0.1:").await;
        let client = connect(&server, capabilities(self.compiling)).await;
        self.servers.lock().expect("nobody panics with it in hand").push(server);
        client.set_window_size(1440, 900).await.expect("a window can be as large");
        in_the_browser(&client, GATHER).await;
        client
    }
}

fn capabilities(compiling: Compiling) -> Capabilities {
    let optimises = matches!(compiling, Compiling::AsForUsers);
    let options = json!({ "args": ["-headless"], "prefs": { "javascript.options.wasm_optimizingjit": optimises } });
    [("moz:firefoxOptions".to_owned(), options)].into_iter().collect()
}

/// The entries of the console since the last call, a line for each, which begins with its level.
pub async fn console(client: &Client) -> Vec<String> {
    let lines = in_the_browser(client, CONSOLE).await;
    serde_json::from_value(lines).expect("a list of texts")
}

/// Loads the page again as a user does. WebDriver's own command bypasses the service worker, like a reload with Shift.
pub async fn reload(client: &Client) {
    let leave = "window.isLeft = true; location.reload()";
    client.execute(leave, vec![]).await.expect("the browser loads the page again");
    let is_there = "return !window.isLeft && document.readyState === 'complete'";
    for _ in 0..600 {
        // between two documents there is none to run the script
        if client.execute(is_there, vec![]).await.is_ok_and(|there| there == true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the page has not been loaded again within a minute");
}

/// The result of a script that runs in the browser itself, not in a page.
async fn in_the_browser(client: &Client, script: &str) -> Value {
    in_context(client, "chrome").await;
    let returned = client.execute(script, vec![]).await;
    in_context(client, "content").await;
    returned.unwrap_or_else(|e| panic!("{script}: {e}"))
}

async fn in_context(client: &Client, context: &str) {
    let answer = client.issue_cmd(Further { path: "moz/context", body: json!({ "context": context }) }).await;
    answer.unwrap_or_else(|e| panic!("scripts in {context}: {e}"));
}
