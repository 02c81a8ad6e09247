//! The stage of every scenario: a host, a driver and pages, all of which end with the scenario.

use crate::driver::{Compiling, Driver};
use crate::page::Page;
use crate::site::Site;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio::sync::Mutex as AsyncMutex;

/// No scenario takes longer than this, even on a slow machine.
const PATIENCE: Duration = Duration::from_secs(300);

/// A host and a browser to see it with.
#[derive(Clone)]
pub struct Stage {
    /// The host.
    pub site: Arc<AsyncMutex<Site>>,
    driver: Arc<Driver>,
    pages: Arc<Mutex<Vec<Page>>>,
    name: &'static str,
}

impl Stage {
    /// The browser of somebody who was here before, with a profile of its own and not yet on the page: the page opens with
    /// the comparison and the settings. It does not repeat studies by itself, so that scenarios see only what they ask for,
    /// and the sentence above the table does not change.
    pub async fn browser(&self) -> Page {
        let page = self.newcomer().await;
        page.evaluate(
            "for (const [key, value] of [['repeats-by-itself', false], ['started', true], ['settings', true]])
                localStorage.setItem(`packfair.${key}`, JSON.stringify(value))",
        )
        .await;
        page
    }

    /// A browser with a fresh profile, not yet on the page.
    pub async fn newcomer(&self) -> Page {
        let page = Page::new(self.driver.open().await);
        self.pages.lock().expect("no page panics with the list in hand").push(page.clone());
        // any file of the host will do, because storage belongs to the host; for a file that is not a page browsers ask
        // for an icon
        page.forgive("/favicon.ico");
        page.goto_file(&format!("{}sw.js", self.url().await)).await;
        page
    }

    /// The page in a browser of its own ([`Stage::browser`]).
    pub async fn page(&self) -> Page {
        let page = self.browser().await;
        page.goto(&self.url().await).await;
        page
    }

    /// The memory that all pages hold, bytes; none where the system does not tell.
    pub fn memory(&self) -> Option<u64> {
        self.driver.memory_of_pages()
    }

    /// The address of the page.
    pub async fn url(&self) -> String {
        self.site.lock().await.url()
    }
}

/// Plays a scenario on the page at the root of a host.
pub async fn play<S>(name: &'static str, scenario: impl FnOnce(Stage) -> S)
where
    S: Future<Output = ()> + Send + 'static,
{
    play_in("/", name, scenario).await;
}

/// As [`play`], in browsers that compile as they do for users.
pub async fn play_as_for_users<S>(name: &'static str, scenario: impl FnOnce(Stage) -> S)
where
    S: Future<Output = ()> + Send + 'static,
{
    play_on(PATIENCE, name, scenario).await;
}

/// As [`play_as_for_users`], for as long as `patience`.
pub async fn play_on<S>(patience: Duration, name: &'static str, scenario: impl FnOnce(Stage) -> S)
where
    S: Future<Output = ()> + Send + 'static,
{
    play_for(patience, Compiling::AsForUsers, "/", name, scenario).await;
}

/// Plays a scenario on the page in a folder of a host, then closes all browsers. Where it fails,
/// pictures of its pages and their consoles are kept.
pub async fn play_in<S>(folder: &str, name: &'static str, scenario: impl FnOnce(Stage) -> S)
where
    S: Future<Output = ()> + Send + 'static,
{
    play_for(PATIENCE, Compiling::Quickly, folder, name, scenario).await;
}

async fn play_for<S>(
    patience: Duration,
    compiling: Compiling,
    folder: &str,
    name: &'static str,
    scenario: impl FnOnce(Stage) -> S,
) where
    S: Future<Output = ()> + Send + 'static,
{
    let stage = Stage {
        site: Arc::new(AsyncMutex::new(Site::start(folder).await)),
        driver: Arc::new(Driver::start(compiling).await),
        pages: Arc::default(),
        name,
    };
    // in a task of its own, so that its panic does not keep browsers open
    let outcome = tokio::spawn(tokio::time::timeout(patience, scenario(stage.clone()))).await;
    let failed = !matches!(outcome, Ok(Ok(())));
    let errors = stage.close(failed).await;
    match outcome {
        Err(panic) => std::panic::resume_unwind(panic.into_panic()),
        Ok(Err(_)) => panic!("the scenario has not ended within {patience:?}"),
        Ok(Ok(())) => assert!(errors.is_empty(), "errors in the console:\n{}", errors.join("\n")),
    }
}

impl Stage {
    /// Closes all browsers; returns the errors in their consoles.
    async fn close(&self, failed: bool) -> Vec<String> {
        let pages = std::mem::take(&mut *self.pages.lock().expect("no page panics with the list in hand"));
        let mut errors = Vec::new();
        for (i, page) in pages.into_iter().enumerate() {
            if failed {
                page.picture(&format!("failed-{}-{i}", self.name)).await;
            }
            let console = page.console().await;
            if failed {
                println!("console of page {i} of {}:\n{}", self.name, console.join("\n"));
            }
            errors.extend(console.into_iter().filter(|line| line.starts_with("SEVERE")));
            page.close().await;
        }
        errors
    }
}
