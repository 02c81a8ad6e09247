//! The browsers that the suite can run in: their drivers, and what each does in its own way.

mod chromium;
mod firefox;
mod server;

use chromium::Chromium;
use fantoccini::wd::{Capabilities, WebDriverCompatibleCommand};
use fantoccini::{Client, ClientBuilder};
use firefox::Firefox;
use hyper::Method;
use serde_json::Value;
use server::Server;
use url::Url;

/// How browsers compile the page's WebAssembly.
#[derive(Clone, Copy)]
pub enum Compiling {
    /// Quickly and once. Scenarios compute little, so browsers would take a fifth of their time to compile better what then
    /// hardly runs.
    Quickly,
    /// As for users: what runs often is compiled again, better.
    AsForUsers,
}

/// A driver, which opens browsers. They end when it is dropped.
pub enum Driver {
    /// Chromium or Chrome.
    Chromium(Chromium),
    /// Firefox.
    Firefox(Firefox),
}

impl Driver {
    /// Starts the driver of the browser that `PACKFAIR_BROWSER` names; without it, Chromium's.
    pub async fn start(compiling: Compiling) -> Driver {
        match std::env::var("PACKFAIR_BROWSER").as_deref() {
            Ok("firefox") => Driver::Firefox(Firefox::new(compiling)),
            Ok("chromium") | Err(_) => Driver::Chromium(Chromium::start(compiling).await),
            Ok(other) => panic!("PACKFAIR_BROWSER is {other}; there are: chromium firefox"),
        }
    }

    /// Opens a browser with a fresh profile.
    pub async fn open(&self) -> Browser {
        match self {
            Driver::Chromium(driver) => Browser::Chromium(driver.open().await),
            Driver::Firefox(driver) => Browser::Firefox(driver.open().await),
        }
    }

    /// The memory that the pages of its browsers hold, including workers and WebAssembly, bytes; none where the system
    /// does not tell.
    pub fn memory_of_pages(&self) -> Option<u64> {
        match self {
            Driver::Chromium(driver) => driver.memory_of_pages(),
            Driver::Firefox(_) => None,
        }
    }
}

/// An open browser.
#[derive(Clone)]
pub enum Browser {
    /// Chromium or Chrome.
    Chromium(Client),
    /// Firefox.
    Firefox(Client),
}

impl Browser {
    /// The WebDriver client of the browser.
    pub fn client(&self) -> &Client {
        match self {
            Browser::Chromium(client) | Browser::Firefox(client) => client,
        }
    }

    /// The entries of the console since the last call, a line for each, which begins with its level. The level of
    /// errors is `SEVERE`.
    pub async fn console(&self) -> Vec<String> {
        match self {
            Browser::Chromium(client) => chromium::console(client).await,
            Browser::Firefox(client) => firefox::console(client).await,
        }
    }

    /// Loads the page again.
    pub async fn reload(&self) {
        match self {
            Browser::Chromium(client) => client.refresh().await.expect("the browser loads the page again"),
            Browser::Firefox(client) => firefox::reload(client).await,
        }
    }

    /// A command of Chromium's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        match self {
            Browser::Chromium(client) => chromium::devtools(client, command, parameters).await,
            Browser::Firefox(_) => {
                panic!("{command} is a command of Chromium: this scenario is not for other browsers")
            }
        }
    }
}

/// Opens a session of a server, in a new browser.
async fn connect(server: &Server, capabilities: Capabilities) -> Client {
    let mut builder = ClientBuilder::new(hyper_util::client::legacy::connect::HttpConnector::new());
    builder.capabilities(capabilities);
    builder.connect(server.url()).await.unwrap_or_else(|e| {
        panic!("no browser for the tests ({e}): browser and driver must go together; see `scripts/setup`")
    })
}

/// A command that a driver has beyond WebDriver.
#[derive(Debug)]
struct Further {
    path: &'static str,
    body: Value,
}

impl WebDriverCompatibleCommand for Further {
    fn endpoint(&self, base: &Url, session: Option<&str>) -> Result<Url, url::ParseError> {
        base.join(&format!("session/{}/{}", session.unwrap_or_default(), self.path))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.body.to_string()))
    }
}
