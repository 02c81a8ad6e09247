//! The page's database in the browser, and the one connection to it.
//!
//! A connection costs time and memory, so it is kept while it is used. It is closed soon after, because a page of
//! another version has to wait until no page has a connection.

use leptos::prelude::set_timeout;
use rexie::{ObjectStore, Rexie, Transaction, TransactionMode, TransactionResult};
use std::cell::{Cell, RefCell};
use std::time::Duration;

/// The database's name and version. The name changes when the form of stored values changes, the version when stores
/// are added.
pub(super) const DATABASE: &str = "packfair-1";
pub(super) const VERSION: u32 = 2;

pub(super) const LOGS: &str = "logs";

pub(super) const RESULTS: &str = "results";

pub(super) const CONTENTS: &str = "contents";

pub(super) const STORES: [&str; 3] = [LOGS, RESULTS, CONTENTS];

/// How long an unused connection is kept.
const KEPT_UNUSED: Duration = Duration::from_secs(5);

/// A result whose error says why the database could not be used. Then nothing is stored, and everything else works.
pub type Result<T> = std::result::Result<T, String>;

thread_local! {
    static CONNECTION: RefCell<Option<Rexie>> = const { RefCell::new(None) };

    /// Whether the connection was used since this was last checked.
    static IS_USED: Cell<bool> = const { Cell::new(false) };
}

pub(super) async fn read(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadOnly).await
}

/// Begins a transaction that writes to these stores. It ends with [`finish`].
pub(super) async fn write(stores: &[&str]) -> Result<Transaction> {
    begin(stores, TransactionMode::ReadWrite).await
}

/// Waits until the transaction's writes are stored. If there is no room, some browsers report it only now, and undo all
/// of them.
pub(super) async fn finish(transaction: Transaction) -> Result<()> {
    match transaction.done().await.map_err(words)? {
        TransactionResult::Committed => Ok(()),
        TransactionResult::Aborted => Err("it gave up, as where no room is left".to_owned()),
    }
}

/// The error message of the database.
pub(super) fn words(error: rexie::Error) -> String {
    error.to_string()
}

async fn begin(stores: &[&str], mode: TransactionMode) -> Result<Transaction> {
    IS_USED.set(true);
    // the browser may have closed the connection meanwhile
    let kept =
        CONNECTION.with_borrow(|kept| kept.as_ref().and_then(|database| database.transaction(stores, mode).ok()));
    if let Some(transaction) = kept {
        return Ok(transaction);
    }
    let database = connect().await?;
    let transaction = database.transaction(stores, mode).map_err(words);
    match CONNECTION.replace(Some(database)) {
        // transactions under way are still completed
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
