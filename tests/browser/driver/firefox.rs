//! Firefox: geckodriver, and the console as the browser itself keeps it.

use super::{Further, Server, connect};
use fantoccini::Client;
use fantoccini::wd::Capabilities;
use serde_json::{Value, json};
use std::sync::Mutex;
use std::time::Duration;

/// Errors of scripts, of workers and of the Content-Security-Policy come to the browser's console by themselves, from all
/// processes. What a page or a worker writes with `console` stays in its process: this has each process pass on what is
/// not good. The browser's own process refuses the script, and is not the page's.
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

/// What the console has of pages, and of nobody else in the browser; then it is emptied. Where a page is left, Firefox
/// says of what was still on its way that the service worker failed; where it really fails, the page says so.
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

/// Opens Firefoxes, each by a geckodriver of its own, for one drives no more than one.
#[derive(Default)]
pub struct Firefox {
    servers: Mutex<Vec<Server>>,
}

impl Firefox {
    /// Opens a Firefox with a fresh profile.
    pub async fn open(&self) -> Client {
        // the console is behind the door for scripts of the browser itself
        let server =
            Server::start("geckodriver", &["--port=0", "--allow-system-access"], "Listening on 127.0.0.1:").await;
        let client = connect(&server, capabilities()).await;
        self.servers.lock().expect("nobody panics with it in hand").push(server);
        client.set_window_size(1440, 900).await.expect("a window can be as large");
        in_the_browser(&client, GATHER).await;
        client
    }
}

fn capabilities() -> Capabilities {
    let options = json!({ "args": ["-headless"] });
    [("moz:firefoxOptions".to_owned(), options)].into_iter().collect()
}

/// What has been written to the console since the last call, one line an entry with its level before.
pub async fn console(client: &Client) -> Vec<String> {
    let lines = in_the_browser(client, CONSOLE).await;
    serde_json::from_value(lines).expect("a list of texts")
}

/// Loads the page again, as a person does: what WebDriver has for it goes past the service worker, as with Shift.
pub async fn reload(client: &Client) {
    let leave = "window.isLeft = true; location.reload()";
    client.execute(leave, vec![]).await.expect("the browser loads the page again");
    let is_there = "return !window.isLeft && document.readyState === 'complete'";
    for _ in 0..600 {
        // between two documents there is none to ask
        if client.execute(is_there, vec![]).await.is_ok_and(|there| there == true) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("the page has not been loaded again within a minute");
}

/// What a script returns that runs in the browser itself, not in a page.
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
