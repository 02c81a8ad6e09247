//! The page as a user uses it: finding elements, reading, pressing and typing.

use crate::driver::Browser;
use fantoccini::elements::Element;
use fantoccini::wd::WindowHandle;
use fantoccini::{Client, Locator};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long to wait for what should appear at once; long, because the machine may be busy.
const PATIENCE: Duration = Duration::from_secs(120);

/// The time between two looks while waiting.
const GLANCE: Duration = Duration::from_millis(100);

/// The values of a comparison table, by run (`scheduler__estimate`) and by metric's id.
pub type Table = BTreeMap<String, BTreeMap<String, f64>>;

/// A browser on the page.
#[derive(Clone)]
pub struct Page {
    browser: Browser,
    console: Arc<Mutex<Vec<String>>>,
    forgiven: Arc<Mutex<Vec<&'static str>>>,
}

impl Page {
    /// A page for a browser that is not yet on any page.
    pub fn new(browser: Browser) -> Page {
        Page { browser, console: Arc::default(), forgiven: Arc::default() }
    }

    fn client(&self) -> &Client {
        self.browser.client()
    }

    /// Goes to an address, and waits until the page is there.
    pub async fn goto(&self, url: &str) {
        self.client().goto(url).await.expect("the browser goes there");
        self.find("app").await;
    }

    /// Goes to a file that is not the page.
    pub async fn goto_file(&self, url: &str) {
        self.client().goto(url).await.expect("the browser goes there");
    }

    /// Runs a script in every document that is loaded from now on, before any of its own.
    pub async fn before_load(&self, script: &str) {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await;
    }

    /// A command of Chromium's own protocol.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Value {
        self.browser.devtools(command, parameters).await
    }

    /// Loads the page again, and waits until it is there.
    pub async fn reload(&self) {
        self.browser.reload().await;
        self.find("app").await;
    }

    /// Goes back in the browser's history.
    pub async fn back(&self) {
        self.client().back().await.expect("the browser goes back");
    }

    /// Goes forward in the browser's history.
    pub async fn forward(&self) {
        self.client().forward().await.expect("the browser goes forward");
    }

    /// The part of the page's address after `#`.
    pub async fn fragment(&self) -> String {
        let hash = self.evaluate("return location.hash").await;
        hash.as_str().expect("a text").trim_start_matches('#').to_owned()
    }

    /// Opens an address in another tab of the same browser, and goes on there. Returns the tab left.
    pub async fn open_tab(&self, url: &str) -> WindowHandle {
        let left = self.client().window().await.expect("the browser has a window");
        let opened = self.client().new_window(true).await.expect("the browser opens a tab");
        self.to_tab(opened.handle).await;
        self.goto(url).await;
        left
    }

    /// Goes on in another tab. Returns the tab left.
    pub async fn to_tab(&self, tab: WindowHandle) -> WindowHandle {
        let left = self.client().window().await.expect("the browser has a window");
        self.client().switch_to_window(tab).await.expect("the tab is still there");
        left
    }

    /// The document's title.
    pub async fn title(&self) -> String {
        self.client().title().await.expect("a title")
    }

    /// What a script returns.
    pub async fn evaluate(&self, script: &str) -> Value {
        self.client().execute(script, vec![]).await.unwrap_or_else(|e| panic!("{script}: {e}"))
    }

    /// The link to what is shown.
    pub async fn share_link(&self) -> String {
        self.press("share").await;
        self.find("share-link").await.prop("value").await.expect("a value").expect("a link")
    }

    /// Types a value into that of the given fields that has the label, and leaves it. Returns what the field says is
    /// wrong.
    pub async fn enter(&self, fields: &str, label: &str, value: &str) -> String {
        let script = format!(
            r#"for (const fold of document.querySelectorAll("details")) fold.open = true;
               const field = [...document.querySelectorAll({})]
                   .find(f => f.querySelector("label").textContent === {} && f.querySelector("input"));
               const input = field.querySelector("input");
               input.value = {};
               input.dispatchEvent(new Event("input", {{ bubbles: true }}));
               input.dispatchEvent(new Event("change", {{ bubbles: true }}));
               return new Promise(done => setTimeout(() => done(field.querySelector(".field-error").textContent), 100));"#,
            json!(fields),
            json!(label),
            json!(value)
        );
        self.evaluate(&script).await.as_str().unwrap_or_default().to_owned()
    }

    /// Waits until a script returns something true; `what` says what is waited for.
    pub async fn until(&self, what: &str, script: &str) {
        self.within(PATIENCE, what, script).await;
    }

    /// As [`Page::until`], for as long as `patience`.
    pub async fn within(&self, patience: Duration, what: &str, script: &str) {
        let begin = Instant::now();
        while !truthy(&self.evaluate(script).await) {
            if begin.elapsed() > patience {
                let text = self.evaluate("return document.body.innerText").await;
                panic!("waited {patience:?} for {what}; the page says:\n{}", text.as_str().unwrap_or(""));
            }
            tokio::time::sleep(GLANCE).await;
        }
    }

    /// The element of a test id, once it is there.
    pub async fn find(&self, id: &str) -> Element {
        self.until(id, &format!("return document.querySelector({}) !== null", json!(selector(id)))).await;
        self.client().find(Locator::Css(&selector(id))).await.unwrap_or_else(|e| panic!("{id}: {e}"))
    }

    /// Whether there is an element of a test id.
    pub async fn has(&self, id: &str) -> bool {
        truthy(&self.evaluate(&format!("return document.querySelector({}) !== null", json!(selector(id)))).await)
    }

    /// Waits until an element says something with `part` in it.
    pub async fn says(&self, id: &str, part: &str) {
        let script = format!(
            "return [...document.querySelectorAll({})].some(e => (e.innerText || e.value || '').includes({}))",
            json!(selector(id)),
            json!(part)
        );
        self.until(&format!("{id} to say \"{part}\""), &script).await;
    }

    /// Waits until the log of this name is open. Its name stands there while it is still read; what is set until then is
    /// set for the log before it.
    pub async fn opened(&self, name: &str) {
        self.says("log-name", name).await;
        let script = r#"const run = document.querySelector('[data-testid="run-all"]');
            return !(run?.innerText ?? '').includes('Waiting for a log');"#;
        self.until(&format!("{name} to be open"), script).await;
    }

    /// Presses an element, once it is there.
    pub async fn press(&self, id: &str) {
        let element = self.find(id).await;
        element.click().await.unwrap_or_else(|e| panic!("{id} cannot be pressed: {e}"));
    }

    /// Picks a file, which for the page is the same as dropping it.
    pub async fn drop_file(&self, file: &Path) {
        let file = file.to_str().expect("names of test files are text");
        self.find("file-input").await.send_keys(file).await.expect("the page takes files");
    }

    /// Picks several files at once.
    pub async fn drop_files(&self, files: &[PathBuf]) {
        let names: Vec<&str> = files.iter().map(|file| file.to_str().expect("names of test files are text")).collect();
        self.find("file-input").await.send_keys(&names.join("\n")).await.expect("the page takes files");
    }

    /// Types keys to whatever has the focus.
    pub async fn keys(&self, keys: &str) {
        let focused = self.client().active_element().await.expect("something has the focus");
        focused.send_keys(keys).await.expect("keys can be typed");
    }

    /// The comparison table at present, every value in full precision.
    pub async fn table(&self) -> Table {
        let script = r#"
            const table = {};
            for (const row of document.querySelectorAll('[data-testid="comparison-table"] [data-run]')) {
                const values = table[row.dataset.run] ??= {};
                for (const cell of row.querySelectorAll("[data-metric][data-value]"))
                    values[cell.dataset.metric] = cell.dataset.value;
            }
            return table;"#;
        let found: BTreeMap<String, BTreeMap<String, String>> =
            serde_json::from_value(self.evaluate(script).await).expect("a table of texts");
        let number = |text: String| text.parse().unwrap_or_else(|_| panic!("\"{text}\" is not a number"));
        let row = |values: BTreeMap<String, String>| values.into_iter().map(|(id, text)| (id, number(text))).collect();
        found.into_iter().map(|(run, values)| (run, row(values))).collect()
    }

    /// Waits until the study has `runs` rows, every one of them done with the present settings.
    pub async fn completed(&self, runs: usize) {
        let script = format!(
            r#"const rows = [...document.querySelectorAll('[data-testid="comparison-table"] [data-run]')];
               return rows.length === {runs} && !document.querySelector('[data-testid="cancel-all"]')
                   && rows.every(row => row.querySelector('[data-status="done"]') && !row.matches(".stale"));"#
        );
        self.within(Duration::from_secs(180), &format!("{runs} runs to complete"), &script).await;
    }

    /// How many rows have each status (`done`, `cancelled`, ...).
    pub async fn statuses(&self) -> BTreeMap<String, usize> {
        let script = r#"
            const counts = {};
            for (const e of document.querySelectorAll('[data-testid="row-status"]'))
                counts[e.dataset.status] = (counts[e.dataset.status] ?? 0) + 1;
            return counts;"#;
        serde_json::from_value(self.evaluate(script).await).expect("counts of statuses")
    }

    /// Scrolls to the last row of the table, because only rows in sight are in the document.
    pub async fn to_last_run(&self) {
        let script = r#"
            const rows = document.querySelector('[data-testid="comparison-table"]').parentElement;
            rows.scrollTop = rows.scrollHeight;"#;
        self.evaluate(script).await;
    }

    /// Waits until nothing is under way and every row has its result, however many there are.
    pub async fn all_completed(&self) {
        let script = r#"const rows = [...document.querySelectorAll('[data-testid="comparison-table"] [data-run]')];
            return rows.length > 0 && !document.querySelector('[data-testid="cancel-all"]')
                && rows.every(row => row.querySelector('[data-status="done"]'));"#;
        self.until("every row is done", script).await;
    }

    /// Applies a recipe from the menu.
    pub async fn apply_recipe(&self, id: &str) {
        self.press("recipes").await;
        self.press(&format!("recipe-{id}")).await;
    }

    /// Starts pending runs, if there are any. On a small log the page starts runs by itself.
    pub async fn run_pending(&self) {
        // in one script, because the button may disappear any moment
        self.evaluate(r#"document.querySelector('[data-testid="run-all"]:not([disabled])')?.click()"#).await;
    }

    /// Gives the page the size of a device, and a light or dark theme.
    pub async fn appear(&self, width: u32, height: u32, dark: bool) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await;
        let scheme = json!({ "name": "prefers-color-scheme", "value": if dark { "dark" } else { "light" } });
        self.devtools("Emulation.setEmulatedMedia", json!({ "features": [scheme] })).await;
        tokio::time::sleep(Duration::from_millis(400)).await;
    }

    /// Moves the pointer away from everything, and dismisses messages.
    pub async fn settle(&self) {
        let aside = json!({ "type": "mouseMoved", "x": 1, "y": 1 });
        self.devtools("Input.dispatchMouseEvent", aside).await;
        let dismiss =
            r#"document.querySelectorAll('[data-testid="notices"] [aria-label="Dismiss"]').forEach(b => b.click())"#;
        self.evaluate(dismiss).await;
        self.until("messages to go", r#"return !document.querySelector('[data-testid="notices"] button')"#).await;
    }

    /// Saves a picture of what is visible in `target/screenshots/`.
    pub async fn picture(&self, name: &str) -> PathBuf {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/screenshots");
        std::fs::create_dir_all(&folder).expect("target/ can be written to");
        let file = folder.join(format!("{name}.png"));
        let png = self.client().screenshot().await.expect("a picture of the page");
        std::fs::write(&file, png).expect("target/ can be written to");
        file
    }

    /// Treats errors in the console that contain `part` as expected.
    pub fn forgive(&self, part: &'static str) {
        self.forgiven.lock().expect("nobody panics with it in hand").push(part);
    }

    /// All that the page has written to its console, without what was forgiven.
    pub async fn console(&self) -> Vec<String> {
        let new = self.browser.console().await;
        let forgiven = self.forgiven.lock().expect("nobody panics with it in hand").clone();
        let mut console = self.console.lock().expect("nobody panics with it in hand");
        console.extend(new.into_iter().filter(|line| !forgiven.iter().any(|part| line.contains(part))));
        console.clone()
    }

    /// Closes the browser.
    pub async fn close(self) {
        // a browser that has ended by itself cannot be closed
        let _ = self.client().clone().close().await;
    }
}

fn selector(id: &str) -> String {
    format!("[data-testid=\"{id}\"]")
}

fn truthy(value: &Value) -> bool {
    !matches!(value, Value::Null | Value::Bool(false)) && value.as_str() != Some("") && value.as_f64() != Some(0.0)
}
