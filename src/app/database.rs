//! The page's database in the browser, and the one connection to it.
//!
//! A connection costs time and memory, and is kept while it is in use. It is let go of a while later, for a page of another
//! version waits until nobody has one.

use super::store::STORES;
use leptos::prelude::set_timeout;
use rexie::{ObjectStore, Rexie, Transaction, TransactionMode, TransactionResult};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The database; its name changes when the form of what is in it does, its version when more is in it.
pub(super) const DATABASE: &str = "packfair-1";
pub(super) const VERSION: u32 = 2;

/// How long a connection is kept that nobody uses.
const KEPT_UNUSED: Duration = Duration::from_secs(5);

/// The database could not be used; nothing is remembered then, and everything else works.
pub type Result<T> = std::result::Result<T, String>;

thread_local! {
    static CONNECTION: RefCell<Option<Rexie>> = const { RefCell::new(None) };

    /// Whether it was used since that was last looked at.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

/// Begins to read some of the stores.
pub(super) async fn read(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadOnly).await
}

/// Begins to write to some of the stores. See [`finish`].
pub(super) async fn write(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadWrite).await
}

/// Waits until what was written is kept. Where no room is left, browsers may say so only now, and take all of it back.
pub(super) async fn finish(transaction: Transaction) -> Result<()> {
    match transaction.done().await.map_err(words)? {
        TransactionResult::Committed => Ok(()),
        TransactionResult::Aborted => Err("it gave up, as where no room is left".to_owned()),
    }
}

/// What the database says, for a person.
pub(super) fn words(error: rexie::Error) -> String {
    error.to_string()
}

async fn begin(stores: &[&str], mode: TransactionMode) -> Result<Transaction> {
    IS_USED.set(true);
    // a browser may have closed it meanwhile
    let kept =
        CONNECTION.with_borrow(|kept| kept.as_ref().and_then(|database| database.transaction(stores, mode).ok()));
    if let Some(transaction) = kept {
        return Ok(transaction);
    }
    let database = connect().await?;
    let transaction = database.transaction(stores, mode).map_err(words);
    match CONNECTION.replace(Some(database)) {
        // what it is still at comes to its end
        Some(before) => before.close(),
        None => let_go_when_unused(),
    }
    transaction
}

async fn connect() -> Result<Rexie> {
    let builder = Rexie::builder(DATABASE).version(VERSION);
    let builder = STORES.iter().fold(builder, |builder, name| builder.add_object_store(ObjectStore::new(name)));
    builder.build().await.map_err(words)
}

fn let_go_when_unused() {
    let look = || {
        if IS_USED.replace(false) {
            let_go_when_unused();
        } else if let Some(unused) = CONNECTION.take() {
            unused.close();
        }
    };
    set_timeout(look, KEPT_UNUSED);
}
